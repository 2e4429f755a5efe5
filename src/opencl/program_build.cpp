// From source or binary to a module: the compiler's work for one device.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/elf.h"
#include "compile/archive.h"
#include "compile/build_options.h"
#include "compile/sha256.h"
#include "opencl/platform.h"
#include "opencl/program.h"
#include "run/loader.h"

namespace lockstep::opencl {
namespace {

constexpr std::string_view mark = "LOCKSTEP-BINARY-1\n";

std::string checksum(std::string_view text) {
  Sha256 hasher;
  hasher.field(text);
  return hasher.finish();
}

struct Opened {
  char type = 0;  // E, C or L
  std::string target;
  bool argument_info = false;
  std::string_view content;
};

// Nothing when the bytes are not what make_binary() made.
std::optional<Opened> open_binary(std::string_view bytes) {
  if (!bytes.starts_with(mark)) return std::nullopt;
  bytes.remove_prefix(mark.size());
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos || checksum(bytes.substr(end + 1)) != bytes.substr(0, end))
    return std::nullopt;
  bytes.remove_prefix(end + 1);
  const std::size_t line = bytes.find('\n');
  if (line == std::string_view::npos || line < 4) return std::nullopt;
  return Opened{bytes[0], std::string(bytes.substr(3, line - 3)), bytes[1] == '1', bytes.substr(line + 1)};
}

// PTX begins with its version, behind comments and blanks (PTX ISA, 11.1).
bool is_ptx(std::string_view text) {
  while (!text.empty()) {
    if (const std::size_t blank = text.find_first_not_of(" \t\r\n"); blank != 0) {
      text.remove_prefix(std::min(blank, text.size()));
    } else if (text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else {
      return text.starts_with(".version");
    }
  }
  return false;
}

cl_program_binary_type type_of(char letter) {
  switch (letter) {
    case 'C':
      return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case 'L':
      return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    default:
      return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
}

cl_int build_source(const std::string& source, std::vector<std::string> options, Build& build) {
  CompileRequest request = compile_request(build, std::move(options));
  request.source = source;
  request.language = SourceLanguage::opencl_c;
  const Expected<CompileResult> compiled = compile(request);
  if (!compiled) {
    build.log = log_of(compiled.error());
    return names_bad_option(compiled.error()) ? CL_INVALID_BUILD_OPTIONS : CL_BUILD_PROGRAM_FAILURE;
  }
  build.log = compiled->log();
  return adopt(*compiled, has_option(build.options, "-cl-kernel-arg-info"), build);
}

}  // namespace

bool names_bad_option(const Diagnostic& diagnostic) {
  if (diagnostic.code == "bad-option") return true;
  // The driver's part of clang, before it reads the source.
  for (const char* words : {"error: unknown argument", "error: unsupported option", "error: invalid value"}) {
    if (diagnostic.message.find(words) != std::string::npos && diagnostic.place.line == 0) return true;
  }
  return false;
}

bool has_option(const std::string& options, std::string_view option) {
  const auto words = split_build_options(options);
  return words && std::find(words->begin(), words->end(), option) != words->end();
}

CompileRequest compile_request(const Build& build, std::vector<std::string> options) {
  CompileRequest request;
  request.path = source_name;
  request.target = build.device->machine.target;
  request.options = std::move(options);
  request.defines = {"__OPENCL_VERSION__=300"};
  // Applications' kernels can be large, and the host may be busy: clBuildProgram has no right to give up
  // early.
  request.time_limit_ms = 1'800'000;
  if (has_images(*build.device)) request.defines.push_back("__IMAGE_SUPPORT__=1");
  return request;
}

std::string log_of(const Diagnostic& diagnostic) {
  return diagnostic.code == "compile-failed" ? diagnostic.message : to_string(diagnostic);
}

cl_int adopt(const CompileResult& compiled, bool argument_info, Build& build) {
  auto module = load_compiled(compiled, *build.device->machine.target, "program");
  if (!module) {
    build.log += log_of(module.error());
    return CL_BUILD_PROGRAM_FAILURE;
  }
  auto executable = std::make_shared<Executable>();
  executable->module = std::move(*module);
  executable->module->opencl_c = compiled.language != SourceLanguage::ptx;
  executable->argument_info = argument_info;
  build.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  build.binary =
      make_binary(build, argument_info, compiled.object ? pack(*compiled.object) : pack(*compiled.ptx));
  build.executable = std::move(executable);
  return CL_SUCCESS;
}

std::string make_binary(const Build& build, bool argument_info, std::string_view content) {
  const char type = build.type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ? 'C'
                    : build.type == CL_PROGRAM_BINARY_TYPE_LIBRARY       ? 'L'
                                                                         : 'E';
  std::string body =
      fmt::format("{}{} {}\n", type, argument_info ? 1 : 0, build.device->machine.target->name);
  body += content;
  return std::string(mark) + checksum(body) + "\n" + body;
}

std::optional<std::string> bitcode_of(const Build& build) {
  const auto opened = open_binary(build.binary);
  if (!opened || opened->type == 'E') return std::nullopt;
  return std::string(opened->content);
}

cl_program_binary_type type_of_binary(const std::string& binary) {
  const auto opened = open_binary(binary);
  return opened ? type_of(opened->type) : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

bool binary_fits(const _cl_device_id& device, const std::string& binary) {
  if (const auto opened = open_binary(binary)) return opened->target == device.machine.target->name;
  if (device.machine.target->isa == IsaFamily::ptx) return is_ptx(binary);
  if (device.machine.target->isa != IsaFamily::amdgcn) return false;
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(binary.data()), binary.size());
  if (!has_elf_magic(bytes)) return false;
  const auto elf = read_elf(bytes, "program");
  return elf && elf->machine == elf_machine_amdgpu;
}

cl_int load_binary(Build& build) {
  if (const auto opened = open_binary(build.binary)) {
    CompileResult compiled;
    if (opened->type != 'E') {
      // A compiled object or a library: building it is linking it alone.
      CompileRequest request = compile_request(build, {});
      request.source = opened->content;
      request.language = SourceLanguage::bitcode;
      const Expected<CompileResult> linked = compile(request);
      if (linked) return adopt(*linked, opened->argument_info, build);
      build.log = log_of(linked.error());
      return CL_BUILD_PROGRAM_FAILURE;
    }
    if (build.device->machine.target->isa == IsaFamily::amdgcn)
      compiled.object = unpack_object(opened->content);
    else
      compiled.ptx = unpack_ptx(opened->content);
    if (!compiled.object && !compiled.ptx) return CL_INVALID_BINARY;
    return adopt(compiled, opened->argument_info, build);
  }
  CompileRequest request;
  const bool ptx = build.device->machine.target->isa == IsaFamily::ptx;
  request.path = ptx ? "program.ptx" : "program.co";
  request.source = build.binary;
  // Texts are often given with their closing zero.
  while (ptx && !request.source->empty() && request.source->back() == '\0') request.source->pop_back();
  request.language = ptx ? SourceLanguage::ptx : SourceLanguage::code_object;
  request.target = build.device->machine.target;
  const Expected<CompileResult> compiled = compile(request);
  if (!compiled) {
    build.log = log_of(compiled.error());
    return CL_INVALID_BINARY;
  }
  // Argument names are in a code object's metadata or not: clGetKernelArgInfo looks.
  return adopt(*compiled, true, build);
}

namespace {

// A binary is not compiled again, and its options are checked all the same (5.8.2). The values of some are
// known to clang alone, which is asked with an empty program. Error: "bad-option", or the compiler's.
Expected<std::string> check_options_of_binary(const std::vector<std::string>& words, const Build& build) {
  const auto checked = check_build_options(words, SourceLanguage::opencl_c, source_name);
  if (!checked) return checked.error();
  // Macros, files and warnings are right whatever they say.
  constexpr std::string_view free[] = {"-D", "-U", "-I", "-i", "-W"};
  std::vector<std::string> asked = checked->accepted;
  std::erase_if(asked, [&](const std::string& word) {
    return std::any_of(std::begin(free), std::end(free),
                       [&](std::string_view begin) { return word.starts_with(begin); });
  });
  if (std::any_of(asked.begin(), asked.end(),
                  [](const std::string& word) { return word.find('=') != std::string::npos; })) {
    CompileRequest request = compile_request(build, std::move(asked));
    request.source = "";
    request.language = SourceLanguage::opencl_c;
    const auto compiled = compile(request);
    if (!compiled && names_bad_option(compiled.error())) return compiled.error();
  }
  return ignored_options_note(checked->ignored);
}

}  // namespace

cl_int build_for_device(const std::string* source, const std::string& options, Build& build) {
  build.options = options;
  build.log.clear();
  build.executable.reset();
  build.type = CL_PROGRAM_BINARY_TYPE_NONE;
  auto words = split_build_options(options);
  cl_int code = CL_SUCCESS;
  if (!words) {
    build.log = to_string(words.error());
    code = CL_INVALID_BUILD_OPTIONS;
  } else if (source != nullptr) {
    code = build_source(*source, std::move(*words), build);
  } else if (const auto note = check_options_of_binary(*words, build); !note) {
    build.log = log_of(note.error());
    code = CL_INVALID_BUILD_OPTIONS;
  } else {
    code = load_binary(build);
    build.log.insert(0, *note);
  }
  build.status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  return code;
}

}  // namespace lockstep::opencl
