#include "compile/nvptx.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <optional>

#include "base/take_line.h"
#include "compile/clang_options.h"
#include "compile/devlib.h"
#include "compile/gpu_cxx.h"
#include "compile/listing_builder.h"
#include "compile/nvptx_constants.h"
#include "compile/nvptx_pairs.h"
#include "compile/nvptx_rotate.h"

namespace lockstep {
namespace {

// What the node holds that `key` names on a function's line: !kernel_arg_name !12 and, further down,
// !12 = !{!"a", !"b"}. Empty when there is none.
std::string_view node_of(std::string_view module, std::string_view function, std::string_view key) {
  const std::size_t at = function.find(fmt::format("{} !", key));
  if (at == std::string_view::npos) return {};
  std::string_view number = function.substr(at + key.size() + 2);
  number = number.substr(0, number.find_first_not_of("0123456789"));
  const std::string node = fmt::format("\n!{} = !{{", number);
  const std::size_t begin = module.find(node);
  if (begin == std::string_view::npos) return {};
  const std::string_view text = module.substr(begin + node.size());
  return text.substr(0, text.find('\n'));
}

std::vector<std::string> strings_of(std::string_view module, std::string_view function,
                                    std::string_view key) {
  std::vector<std::string> strings;
  std::string_view text = node_of(module, function, key);
  for (std::size_t open = text.find("!\""); open != std::string_view::npos; open = text.find("!\"")) {
    text.remove_prefix(open + 2);
    const std::size_t close = text.find('"');
    if (close == std::string_view::npos) break;
    strings.emplace_back(text.substr(0, close));
    text.remove_prefix(close + 1);
  }
  return strings;
}

// The name of the function that a line defines: @name or @"name".
std::string_view defined_name(std::string_view line) {
  const std::size_t at = line.find('@');
  if (!line.starts_with("define ") || at == std::string_view::npos) return {};
  line.remove_prefix(at + 1);
  if (line.starts_with('"')) {
    line.remove_prefix(1);
    return line.substr(0, line.find('"'));
  }
  return line.substr(0, line.find('('));
}

// The name that PTX gives the constant variable of a line, where it will lie in global memory:
// @name = internal addrspace(1) constant [6 x i32] ... Empty for any other line.
std::string global_constant(std::string_view line) {
  const std::size_t equals = line.find(" = ");
  if (!line.starts_with('@') || equals == std::string_view::npos) return {};
  const std::string_view name = line.substr(1, equals - 1);
  const std::string_view kind = line.substr(0, line.find(" constant ", equals + 2));
  // Between the two are attributes alone: the word may stand in an initial value as well.
  if (kind.size() == line.size() || kind.find_first_of("[{<\"") != std::string_view::npos ||
      kind.find(" global ") != std::string_view::npos || kind.find("addrspace(4)") != std::string_view::npos)
    return {};
  // NVPTXAssignValidGlobalNames, for what is of the module alone.
  std::string written;
  for (const char c : name) written += c == '.' || c == '@' ? "_$_" : std::string(1, c);
  return written;
}

// The parameters' names on a function's line, for modules without metadata of them: "ptr noundef %x, i32 %n".
// Empty where one has none but a number.
std::vector<std::string> parameter_names(std::string_view line, std::string_view function) {
  std::vector<std::string> names;
  std::size_t at = line.find('(', line.find(function) + function.size());
  u32 depth = 0;
  std::string_view last;  // what follows the last % of this parameter
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
    if (c == '%' && depth == 1) last = line.substr(at + 1);
    if (depth != 0 && !(c == ',' && depth == 1)) continue;
    last = last.substr(0, last.find_first_of(",)."));  // a structure passed as a vector is "name.coerce"
    // Names that are no identifiers stand in quotes.
    const bool number =
        last.find_first_not_of("0123456789") == std::string_view::npos || last.starts_with('"');
    if (!last.empty()) names.emplace_back(number ? std::string_view() : last);
    last = {};
    if (depth == 0) break;
  }
  return names;
}

// The numbers of a node of three: "i32 8, i32 4, i32 2}". Nothing where there is none.
std::optional<std::array<u32, 3>> sizes_of(std::string_view node) {
  std::array<u32, 3> sizes{};
  for (u32& size : sizes) {
    const std::size_t at = node.find("i32 ");
    if (at == std::string_view::npos) return std::nullopt;
    node.remove_prefix(at + 4);
    if (std::from_chars(node.data(), node.data() + node.size(), size).ec != std::errc{}) return std::nullopt;
  }
  return sizes;
}

// OpenCL's name of the type in a node of vec_type_hint: "<4 x float> undef, i32 0}", where the number says
// whether integers are signed. Empty for anything else.
std::string hinted_type(std::string_view node) {
  std::string lanes;
  if (node.starts_with('<')) {
    const std::size_t by = node.find(" x ");
    if (by == std::string_view::npos) return {};
    lanes = node.substr(1, by - 1);
    node.remove_prefix(by + 3);
  }
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"i8", "char"},   {"i16", "short"},   {"i32", "int"},      {"i64", "long"},
      {"half", "half"}, {"float", "float"}, {"double", "double"}};
  const std::string_view type = node.substr(0, node.find_first_of("> "));
  const bool is_signed = node.find("i32 1}") != std::string_view::npos;
  for (const auto& [name, opencl] : types) {
    if (name == type)
      return fmt::format("{}{}{}", name.starts_with('i') && !is_signed ? "u" : "", opencl, lanes);
  }
  return {};
}

// PTX 8.0 for every machine: what clang chooses by itself depends on the CUDA toolkit that it finds
// installed.
std::vector<std::string> nvptx_target_arguments(const CompileRequest& request, SourceLanguage language) {
  return {"-target",
          is_gpu_cxx(language) ? "nvptx64-nvidia-cuda" : "nvptx64-nvidia-nvcl",
          "-Xclang",
          "-target-cpu",
          "-Xclang",
          std::string(request.target->compiler_target),
          "-Xclang",
          "-target-feature",
          "-Xclang",
          "+ptx80",
          "--cuda-path=/nonexistent",
          "-nocudalib",
          "-Wno-unused-command-line-argument"};
}

// LLVM 19 has no code for some operations on vectors of 16-bit integers before sm_90 (a comparison whose
// result is such a vector): element by element it has. Functions marked optnone, which clang -O0 makes of
// all, would stay as they are.
Expected<std::string> take_vectors_apart(CompileJob& job, const ScratchDirectory& scratch,
                                         const std::string& module) {
  auto text = read_file(module);
  if (!text) return text;
  const std::string whole = scratch.file("whole.ll");
  constexpr std::string_view mark = " optnone ";
  for (std::size_t at = text->find(mark); at != text->npos; at = text->find(mark, at))
    text->replace(at, mark.size(), " ");
  std::ofstream(whole, std::ios::binary) << *text;
  return job.run(Tool::opt, {"-passes=scalarizer", "-scalarize-load-store", "-S", whole, "-o", module});
}

}  // namespace

std::vector<std::string> nvptx_front_arguments(const CompileRequest& request) {
  std::vector<std::string> arguments = {"-x", "cl"};
  const std::vector<std::string> target = nvptx_target_arguments(request, SourceLanguage::opencl_c);
  arguments.insert(arguments.end(), target.begin(), target.end());
  // The OpenCL extensions must go to the front end itself: clang's driver ignores -cl-ext for this target.
  arguments.insert(arguments.end(), {"-Xclang", fmt::format("-cl-ext={}", nvptx_extensions)});
  return arguments;
}

std::vector<std::string> nvptx_bitcode_arguments(const CompileRequest& request) {
  return nvptx_target_arguments(request, SourceLanguage::bitcode);
}

std::string source_notes(std::string_view module) {
  std::string notes;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (const std::string constant = global_constant(line); !constant.empty())
      notes += fmt::format("//@lockstep constant {}\n", constant);
    const std::string_view kernel = defined_name(line);
    if (kernel.empty()) continue;
    std::vector<std::string> names = strings_of(module, line, "!kernel_arg_name");
    const bool is_kernel =
        module.find(fmt::format("!{{ptr @{}, !\"kernel\"", kernel)) != std::string_view::npos;
    if (names.empty() && is_kernel) names = parameter_names(line, kernel);
    const std::vector<std::string> types = strings_of(module, line, "!kernel_arg_type");
    for (std::size_t i = 0; i < names.size(); ++i) {
      notes += fmt::format("//@lockstep argument {} {}", kernel,
                           names[i].empty() ? fmt::format("parameter{}", i) : names[i]);
      notes += i < types.size() ? fmt::format(" {}\n", types[i]) : "\n";
    }
    const std::vector<std::string> access = strings_of(module, line, "!kernel_arg_access_qual");
    const std::vector<std::string> qualifiers = strings_of(module, line, "!kernel_arg_type_qual");
    for (std::size_t i = 0; i < access.size() && i < qualifiers.size(); ++i)
      notes += fmt::format("//@lockstep qualifiers {} {}{}{}\n", kernel, access[i],
                           qualifiers[i].empty() ? "" : " ", qualifiers[i]);
    if (const auto hint = sizes_of(node_of(module, line, "!work_group_size_hint")))
      notes += fmt::format("//@lockstep work_group_size_hint {} {}\n", kernel, fmt::join(*hint, " "));
    if (const std::string hint = hinted_type(node_of(module, line, "!vec_type_hint")); !hint.empty())
      notes += fmt::format("//@lockstep vec_type_hint {} {}\n", kernel, hint);
  }
  return notes;
}

std::string with_required_sizes(std::string_view module) {
  constexpr std::string_view list = "\n!nvvm.annotations = !{";
  const std::size_t at = module.find(list);
  if (at == std::string_view::npos) return std::string(module);
  // Nodes are numbered without gaps; these come after all of them, which LLVM accepts.
  std::string nodes, numbers;
  u32 number = 1'000'000'000;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::string_view kernel = defined_name(line);
    if (kernel.empty()) continue;
    const auto sizes = sizes_of(node_of(module, line, "!reqd_work_group_size"));
    if (!sizes) continue;
    for (std::size_t i = 0; i < 3; ++i, ++number) {
      nodes +=
          fmt::format("!{} = !{{ptr @{}, !\"reqntid{}\", i32 {}}}\n", number, kernel, "xyz"[i], (*sizes)[i]);
      numbers += fmt::format("!{}, ", number);
    }
  }
  std::string changed(module);
  changed.insert(at + list.size(), numbers);
  if (!changed.ends_with('\n')) changed += '\n';
  return changed + nodes;
}

Expected<PtxText> compile_nvptx(const CompileRequest& request, SourceLanguage language,
                                const std::string& source) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.target->isa == IsaFamily::ptx,
                  "compile_nvptx is for NVIDIA targets");
  auto options = clang_options(request, language);
  if (!options) return options.error();
  auto library = find_nvptx_library();
  if (!library) return library.error();
  if (request.progress)
    request.progress(fmt::format("compiling {} for {}", request.path, request.target->name));

  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request, &*scratch);
  auto repairs = devlib_bitcode(nvptx_devlib_parts(language, may_have_c11_atomics(language, *options)), job,
                                *scratch, request.use_cache);
  if (!repairs) return repairs.error();

  const std::vector<std::string> target = nvptx_target_arguments(request, language);
  std::vector<std::string> arguments;
  ClangInput input;
  if (language == SourceLanguage::bitcode) {
    arguments = {"-x", "ir", fmt::format("-O{}", options->optimisation)};
    arguments.insert(arguments.end(), target.begin(), target.end());
    input.name = scratch->file("linked.bc");
    std::ofstream(input.name, std::ios::binary) << source;
  } else {
    if (is_gpu_cxx(language)) {
      auto begin = gpu_cxx_arguments(request, language);
      if (!begin) return begin.error();
      arguments = std::move(*begin);
    } else {
      arguments = nvptx_front_arguments(request);
    }
    // DWARF 2, because PTX knows no other .file directive.
    if (request.line_table)
      for (const char* option : {"-gline-tables-only", "-gdwarf-2", "-fdebug-compilation-dir=."})
        arguments.push_back(option);
    arguments.insert(arguments.end(), options->arguments.begin(), options->arguments.end());
    input = clang_input(request, source);
    arguments.insert(arguments.end(), input.arguments.begin(), input.arguments.end());
  }
  arguments.push_back("-Wno-linker-warnings");  // the library's triple says nvidiacl
  repairs->push_back(*library);                 // the first definition of a function wins
  for (const std::string& bitcode : *repairs)
    arguments.insert(arguments.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode});
  // In two steps, because PTX has no place for the parameters' names and types: the module in between has.
  const std::string module = scratch->file("program.ll");
  arguments.insert(arguments.end(),
                   {"-fno-discard-value-names", "-S", "-emit-llvm", input.name, "-o", module});
  if (auto done = job.run(Tool::clang, arguments, input.text); !done) return done.error();
  auto text = read_file(module);
  if (!text) return text.error();
  std::ofstream(module, std::ios::binary)
      << with_padded_constants(with_required_sizes(pairs_as_words(*text)));
  std::vector<std::string> back = {"-x", "ir", fmt::format("-O{}", options->optimisation), "-Xclang",
                                   "-disable-llvm-passes"};
  back.insert(back.end(), target.begin(), target.end());
  // LLVM 19 calls functions for conversions between __int128 and floats, which the target has none of: a pass
  // of its own writes them out, which other targets ask for.
  if (text->find(" i128") != std::string::npos)  // not the data layout's
    back.insert(back.end(), {"-mllvm", "-expand-fp-convert-bits=64"});
  back.insert(back.end(), {"-S", module, "-o", "-"});
  const std::string log = job.log();
  auto ptx = job.run(Tool::clang, back);
  if (!ptx && ptx.error().message.find("error in backend: Cannot select") != std::string::npos) {
    job.log() = log;
    if (auto done = take_vectors_apart(job, *scratch, module); !done) return ptx.error();
    ptx = job.run(Tool::clang, back);
  }
  if (!ptx) return ptx.error();
  return PtxText{std::string(request.target->name), with_whole_rotations(*ptx) + source_notes(*text),
                 job.log()};
}

}  // namespace lockstep
