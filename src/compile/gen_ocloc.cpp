#include "compile/gen_ocloc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/take_line.h"
#include "compile/build_options.h"
#include "compile/gen_spirv.h"

namespace lockstep {
namespace {

// What Intel's front end takes, of the options that Lockstep knows.
bool understood(std::string_view option) {
  for (const std::string_view word : {"-cl-std=", "-D", "-U", "-I"})
    if (option.starts_with(word)) return true;
  if (option.starts_with("-cl-ext=")) return false;
  return option.starts_with("-cl-") || option == "-w" || option == "-Werror";
}

// Intel's compiler takes any word there.
bool is_standard(std::string_view option) {
  for (const std::string_view known : {"CL1.1", "CL1.2", "CL2.0", "CL3.0"})
    if (option.substr(option.find('=') + 1) == known) return true;
  return false;
}

}  // namespace

Expected<GenOptions> gen_options(const CompileRequest& request) {
  auto checked = check_build_options(request.options, SourceLanguage::opencl_c, request.path);
  if (!checked) return checked.error();
  GenOptions made;
  u32 optimisation = request.optimisation;
  std::vector<std::string> words;
  bool standard = false;
  for (const std::string& option : checked->accepted) {
    if (option.size() == 3 && option.starts_with("-O") && option[2] >= '0' && option[2] <= '9') {
      optimisation = static_cast<u32>(option[2] - '0');
    } else if (option == "-cl-opt-disable") {
      optimisation = 0;
    } else if (option == "-cl-kernel-arg-info" || option == "-g") {
      continue;  // both are always on
    } else if (option.starts_with("-include") || option.starts_with("-imacros")) {
      return Diagnostic{"bad-option",
                        {request.path, 0, 0},
                        fmt::format("the build option {} is not one of Intel's compiler", option),
                        "include the file in the source"};
    } else if (option.starts_with("-cl-std=") && !is_standard(option)) {
      return Diagnostic{"bad-option",
                        {request.path, 0, 0},
                        fmt::format("{} names no version of OpenCL C that Intel's compiler has", option),
                        "CL1.1, CL1.2, CL2.0 and CL3.0 are known"};
    } else if (understood(option)) {
      standard = standard || option.starts_with("-cl-std=");
      words.push_back(option);
    } else {
      made.ignored.push_back(option);
    }
  }
  for (const std::string& define : request.defines) words.push_back("-D" + define);
  if (!standard) words.insert(words.begin(), "-cl-std=CL1.2");
  // Its own header does not compile as version 1.1; what that lacks beside 1.2 is little.
  for (std::string& word : words) {
    if (word != "-cl-std=CL1.1") continue;
    word = "-cl-std=CL1.2";
    made.is_1_1 = true;
  }
  made.optimises = optimisation != 0;
  if (!made.optimises) words.push_back("-cl-opt-disable");
  words.push_back("-cl-kernel-arg-info");
  if (request.line_table) words.push_back("-gline-tables-only");
  const std::filesystem::path folder = std::filesystem::path(request.path).parent_path();
  words.push_back("-I" + std::filesystem::absolute(folder.empty() ? "." : folder).string());
  for (const std::string& word : words) {
    if (word.find_first_of(" \t\"'\\") != std::string::npos)
      return Diagnostic{"bad-option",
                        {request.path, 0, 0},
                        fmt::format("the build option {} has a blank, a quote or a backslash, which Intel's "
                                    "compiler does not take",
                                    word),
                        ""};
  }
  made.text = fmt::format("{}", fmt::join(words, " "));
  return made;
}

// What ocloc says beside the compiler's messages.
std::string messages_of(std::string_view output) {
  std::string kept;
  for (std::string_view rest = output; !rest.empty();) {
    const std::string_view line = take_line(rest);
    bool own = false;
    for (const std::string_view word :
         {"Build succeeded", "Build failed with error", "Command was:", "Compilation from IR", "Error! "})
      own = own || line.starts_with(word);
    if (!own) kept.append(line) += '\n';
  }
  while (kept.ends_with("\n\n")) kept.pop_back();
  return kept == "\n" ? std::string() : kept;
}

void write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The source with the name that its user knows.
std::string named_source(const std::string& path, const std::string& source, const GenOptions& options) {
  std::string name;
  for (const char c : path) {
    if (c == '"' || c == '\\') name += '\\';
    name += c == '\n' ? ' ' : c;
  }
  // ocloc announces more than the device says that it has (CL_DEVICE_OPENCL_C_FEATURES), and takes no -U.
  // A system's header may say another version.
  const char* version = options.is_1_1 ? "# 1 \"version\" 3\n#undef __OPENCL_C_VERSION__\n"
                                         "#define __OPENCL_C_VERSION__ 110\n"
                                       : "";
  return fmt::format(
      "#undef __opencl_c_generic_address_space\n#undef __opencl_c_pipes\n"
      "#undef __opencl_c_atomic_scope_all_devices\n#undef __opencl_c_read_write_images\n{}# 1 \"{}\"\n{}",
      version, name, source);
}

Expected<std::string> Ocloc::run(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments = {"compile",  "-file",       file,    "-device",
                                        device,     "-options",    options, "-output_no_suffix",
                                        "-out_dir", scratch.path()};
  if (!kind.empty()) arguments.push_back(kind);
  arguments.insert(arguments.end(), more.begin(), more.end());
  auto said = job.run(Tool::ocloc, arguments);
  if (said || said.error().code != "compile-failed") return said;
  Diagnostic error = said.error();
  error.message = messages_of(error.message);
  while (error.message.ends_with('\n')) error.message.pop_back();
  return error;
}

void Ocloc::take(const std::string& bytes) {
  const bool spirv = is_spirv(bytes);
  file = scratch.file(spirv ? "module.spv" : "module.bc");
  kind = spirv ? "-spirv_input" : "-llvm_input";
  write_file(file, bytes);
}

Expected<std::string> gen_module(CompileJob& job, const ScratchDirectory& scratch,
                                 const CompileRequest& request, const std::string& headers) {
  auto options = gen_options(request);
  if (!options) return options.error();
  Ocloc ocloc{job,
              scratch,
              std::string(request.target->compiler_target),
              options->text + (headers.empty() ? "" : " -I" + headers),
              scratch.file("program.cl"),
              {}};
  write_file(ocloc.file, named_source(request.path, *request.source, *options));
  auto said = ocloc.run({"-spv_only", "-output", "program"});
  if (!said) return said.error();
  job.log() += messages_of(*said);
  auto spirv = read_file(scratch.file("program.spv"));
  if (!spirv)
    return Diagnostic{"compile-failed", {request.path, 0, 0}, "Intel's compiler made no module", ""};
  // Whether it is optimised is known when it is linked.
  negate_by_component(*spirv);
  return spirv;
}

Expected<std::string> link_gen_modules(CompileJob& job, const ScratchDirectory& scratch,
                                       const std::vector<std::string>& modules) {
  std::vector<std::string> arguments{"link"};
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string file = scratch.file(fmt::format("{}.{}", i, is_spirv(modules[i]) ? "spv" : "bc"));
    write_file(file, modules[i]);
    arguments.insert(arguments.end(), {"-file", file});
  }
  const std::string linked = scratch.file("linked.bc");
  arguments.insert(arguments.end(), {"-out_format", "LLVM_BC", "-out", linked});
  auto said = job.run(Tool::ocloc, arguments);
  if (!said) return said.error();
  return read_file(linked);
}

}  // namespace lockstep
