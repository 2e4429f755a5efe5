#include "compile/r600.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "base/align.h"
#include "base/take_line.h"
#include "compile/clang_options.h"
#include "compile/devlib.h"
#include "compile/listing_builder.h"
#include "compile/r600_assembly.h"
#include "compile/r600_images.h"
#include "compile/r600_narrow.h"
#include "compile/r600_printf.h"
#include "compile/r600_refused.h"
#include "compile/r600_repairs.h"
#include "compile/r600_types.h"

namespace lockstep {
namespace {

using r600::definition_of;

std::string_view space_of(std::string_view type) {
  if (!type.starts_with("ptr")) return "value";
  if (type.starts_with("ptr addrspace(1)")) return "global";
  if (type.starts_with("ptr addrspace(3)")) return "local";
  if (type.starts_with("ptr addrspace(4)") || type.starts_with("ptr addrspace(2)")) return "constant";
  return "value";
}

// What a local pointer's parameter says of its alignment: "align 16".
u32 pointed_alignment(std::string_view attributes) {
  const std::size_t at = attributes.find(" align ");
  if (at == std::string_view::npos) return 4;
  u32 value = 4;
  std::from_chars(attributes.data() + at + 7, attributes.data() + attributes.size(), value);
  return value;
}

// The sizes of !reqd_work_group_size's node: "!7 = !{i32 8, i32 4, i32 2}".
std::string required_size(std::string_view module, std::string_view line) {
  constexpr std::string_view key = "!reqd_work_group_size !";
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view number = line.substr(at + key.size());
  number = number.substr(0, number.find_first_not_of("0123456789"));
  const std::string node = fmt::format("\n!{} = !{{", number);
  std::size_t begin = module.find(node);
  if (begin == std::string_view::npos) return {};
  std::string_view text = module.substr(begin + node.size());
  text = text.substr(0, text.find('}'));
  std::string sizes;
  for (std::size_t word = text.find("i32 "); word != std::string_view::npos; word = text.find("i32 ")) {
    text.remove_prefix(word + 4);
    sizes += fmt::format(" {}", text.substr(0, text.find_first_not_of("0123456789")));
  }
  return sizes;
}

// What the back end's words for an operation that it has no code for mean to whoever wrote the kernel.
std::string_view hint_for(std::string_view message) {
  static constexpr std::pair<std::string_view, std::string_view> hints[] = {
      {"cl_khr_fp64", "LLVM's r600 back end has no double precision: use float"},
      {"call to 'atom", "these GPUs have atomics on 32 bits alone, in global and local memory"},
      {"'sub_group_", "these GPUs have no sub-groups in OpenCL C: work-groups and local memory"},
      {"AtomicCmpSwap", "these GPUs have atomics on 32 bits alone, in global and local memory"},
      {"AtomicSwap", "these GPUs have atomics on 32 bits alone, in global and local memory"},
      {"AtomicLoad", "these GPUs have atomics on 32 bits alone, in global and local memory"},
      {"image",
       "these GPUs read or write images of one to three dimensions, arrays and buffers of texels; "
       "none is read and written by one kernel"},
      {"GlobalAddress", "LLVM's r600 back end has no variables of the program in global memory: use buffers"},
      {"half", "these GPUs convert half precision and do not compute with it: vload_half and vstore_half"},
      {" = load<",
       "pointers to any memory (OpenCL C 2.0) cannot be compiled here: say __global, __local or __private"},
      {" = store<",
       "pointers to any memory (OpenCL C 2.0) cannot be compiled here: say __global, __local or __private"},
      {"unsupported call",
       "LLVM's r600 back end has no calls: a function that calls itself, or a builtin that the device "
       "library lacks, cannot be inlined"},
      {"is_fpclass",
       "LLVM's r600 back end has no code for isnan, isinf and their like here: compare the value with "
       "itself, or its "
       "magnitude with INFINITY"},
      {"ran out of registers",
       "a work-item has 128 registers of four words: make the kernel or its arrays smaller"},
      {"register allocation failed",
       "a work-item has 128 registers of four words: make the kernel or its arrays smaller"},
  };
  for (const auto& [word, hint] : hints) {
    if (message.find(word) != std::string_view::npos) return hint;
  }
  return "";
}

// A message as the compiler would write it, with its place: what does not compile is shown by the message
// alone.
std::string placed(const Place& place, std::string_view message) {
  if (place.line == 0) return fmt::format("{}: error: {}", place.file, message);
  if (place.column == 0) return fmt::format("{}:{}: error: {}", place.file, place.line, message);
  return fmt::format("{}:{}:{}: error: {}", place.file, place.line, place.column, message);
}

// "fatal error: error in backend: Cannot select: 0x55d0: i32,ch = AtomicLoadAdd<(load ...)> 0x55d1,
// k.cl:13:23" has addresses of the compiler's own memory, which differ each time: what it could not do, and
// where, without them.
Diagnostic explained(Diagnostic error, const std::string& path, bool back_end) {
  const std::string_view hint = hint_for(error.message);
  constexpr std::string_view key = "Cannot select: ";
  std::size_t at = error.message.find(key);
  if (at != std::string::npos) at += key.size();
  if (error.message.starts_with("0x")) at = 0;
  if (const std::size_t line = error.message.find("\n0x");
      at == std::string::npos && line != std::string::npos)
    at = line + 1;
  if (at != std::string::npos) {
    std::string_view text = std::string_view(error.message).substr(at);
    text = text.substr(0, std::min(text.find('\n'), text.find("PLEASE")));
    const std::size_t equals = text.find(" = ");
    std::string_view node = equals == std::string_view::npos ? text : text.substr(equals + 3);
    node = node.substr(0, node.find_first_of("< "));
    const std::size_t comma = text.rfind(", ");
    if (comma != std::string_view::npos && text.find(':', comma) != std::string_view::npos) {
      const Place place = first_error_place(fmt::format("{}: error: ", text.substr(comma + 2)));
      if (place.line != 0) error.place = place;
    }
    error.code = "compile-failed";  // which the back end tells by ending at once
    error.message =
        placed(error.place, fmt::format("LLVM's r600 back end has no code for this operation ({})", node));
  }
  // A crash's stack has addresses as well.
  if (const std::size_t crash = error.message.find("PLEASE submit a bug report");
      crash != std::string::npos) {
    error.message.erase(crash);
    while (error.message.ends_with('\n')) error.message.pop_back();
    if (error.message.empty())
      error.message = fmt::format("{}: error: LLVM's r600 back end crashed on this program", path);
  }
  if (error.place.file.empty()) error.place.file = path;
  if (error.hint.empty() || !hint.empty()) error.hint = hint;
  if (error.hint.empty() && back_end)
    error.hint =
        "LLVM's r600 back end for AMD's VLIW GPUs cannot compile every program: docs/isa-vliw.md lists what "
        "it lacks";
  return error;
}

// Where private memory begins among pointers: above all device memory that they can mean.
constexpr u32 own_memory = 0xE0000000;
// Its first bytes are those to which atomics return.
constexpr u32 returned_bytes = 16;

// How a module is compiled. What the back end fails on with variables in registers and unrolled loops, as it
// has them by default, it often can do with variables in memory and loops as the source has them.
enum class Way : u8 { registers, memory };

// What one compilation is made of, whichever way.
struct Parts {
  const CompileRequest& request;
  const ScratchDirectory& scratch;
  CompileJob& job;
  std::vector<std::string> front;  // clang's arguments, without its output
  std::string input;               // its standard input
  u32 optimisation = 1;
};

std::vector<std::string> with_options(std::vector<std::string> arguments, Way way, bool clang) {
  if (way == Way::registers) return arguments;
  if (clang) arguments.push_back("-fno-unroll-loops");
  if (!clang) arguments.push_back("-disable-loop-unrolling");
  for (const char* option : {"-disable-promote-alloca-to-vector", "-disable-promote-alloca-to-lds"}) {
    if (clang) arguments.push_back("-mllvm");
    arguments.push_back(option);
  }
  return arguments;
}

// The source's module, every function inlined. `linked` is as the front end left it, with its parameters.
struct Module {
  std::string linked, whole;
  std::string notes;  // on printf
};

Expected<Module> optimised_module(const Parts& parts, Way way) {
  const std::string file = parts.scratch.file("program.ll");
  std::vector<std::string> arguments = with_options(parts.front, way, true);
  arguments.insert(arguments.end(), {"-o", file});
  if (auto done = parts.job.run(Tool::clang, arguments, parts.input); !done) return done.error();
  auto text = read_file(file);
  if (!text) return text.error();
  auto printed = r600::with_printf(*text, parts.request.path);
  if (!printed) return printed.error();
  Module made{*text, r600::with_inlined_functions(printed->module), std::move(printed->notes)};
  // Wide vectors are another thing that the back end fails on.
  const bool inlines = made.whole != made.linked;
  if (!inlines && way == Way::registers) return made;
  std::ofstream(file, std::ios::binary) << made.whole;
  const std::string whole = parts.scratch.file("whole.ll");
  // Functions of their own would be compiled for nobody.
  std::string passes = inlines ? "internalize,always-inline,default<O2>,globaldce" : "";
  if (way == Way::memory) passes += inlines ? ",function(scalarizer,dce)" : "function(scalarizer,dce)";
  std::vector<std::string> kernels;
  for (std::string_view rest = made.linked; !rest.empty();) {
    const auto definition = definition_of(take_line(rest));
    if (definition && definition->kernel) kernels.push_back(definition->name);
  }
  const std::vector<std::string> options{
      "-passes=" + passes,
      fmt::format("-internalize-public-api-list={}", fmt::join(kernels, ",")),
      "-S",
      file,
      "-o",
      whole};
  if (auto done = parts.job.run(Tool::opt, with_options(options, way, false)); !done) return done.error();
  auto again = read_file(whole);
  if (!again) return again.error();
  made.whole = std::move(*again);
  return made;
}

Expected<std::string> compiled_module(const Parts& parts, Way way, const std::string& module) {
  const std::string file = parts.scratch.file("final.ll");
  std::ofstream(file, std::ios::binary) << module;
  std::vector<std::string> arguments{"-mtriple=r600--",
                                     fmt::format("-mcpu={}", parts.request.target->compiler_target),
                                     fmt::format("-O{}", parts.optimisation), "--show-mc-encoding"};
  // Predicated operations are another thing that goes wrong.
  if (way == Way::memory) arguments.push_back("-r600-if-convert=0");
  arguments.insert(arguments.end(), {file, "-o", "-"});
  auto assembly = parts.job.run(Tool::llc, arguments);
  if (!assembly) return explained(assembly.error(), parts.request.path, true);
  return assembly;
}

// The finished text of a module, with the notes on its kernels.
Expected<std::string> finished_module(const Parts& parts, Way way, const Module& module) {
  auto notes = parameter_notes(module.linked);
  if (!notes) return notes.error();
  if (auto wrong = r600::refused(module.whole, parts.request.path)) return *wrong;
  auto bound = r600::with_image_resources(module.whole, parts.request.path);
  if (!bound) return bound.error();
  *notes += bound->notes + module.notes;
  std::string text = r600::with_whole_dividends(r600::with_integer_classes(r600::with_repaired_conversions(
      r600::with_narrow_vectors(r600::with_whole_parameters(bound->module)))));
  const std::string before = text;
  text = r600::with_returned_values(text, own_memory);
  u64 least = text == before ? 0 : returned_bytes;
  if (way == Way::registers && r600::stores_narrow_variables(text))
    return Diagnostic{"compile-failed",
                      {parts.request.path, 0, 0},
                      placed({parts.request.path, 0, 0},
                             "LLVM's r600 back end loses stores of bytes to private variables in registers"),
                      ""};
  r600::PrivateMemory own;
  if (way == Way::memory) {
    own = r600::with_private_memory(text, own_memory, returned_bytes);
    text = std::move(own.module);
  }
  text = r600::with_computed_ids(text, way == Way::memory);
  auto assembly = compiled_module(parts, way, text);
  if (!assembly && assembly.error().message.find("(insert_subvector)") != std::string::npos) {
    text = r600::with_separate_elements(text);
    assembly = compiled_module(parts, way, text);
  }
  if (!assembly) return assembly;
  const auto shown = [](Diagnostic wrong) {
    wrong.message = placed(wrong.place, wrong.message);
    return wrong;
  };
  if (auto kernels = r600::unfinished_kernels(*assembly, *notes); !kernels.empty()) {
    assembly = compiled_module(parts, way, r600::with_marked_ends(text, kernels));
    if (!assembly) return assembly;
    kernels = r600::unfinished_kernels(*assembly, *notes);
    if (!kernels.empty())
      return shown(
          {"compile-failed",
           {parts.request.path, 0, 0},
           fmt::format("LLVM's r600 back end left kernel '{}' unfinished: its control flow has no end",
                       kernels[0]),
           "a store to a global buffer as its last instruction helps"});
  }
  if (auto wrong = r600::malformed(*assembly, parts.request.path)) return shown(std::move(*wrong));
  if (auto wrong = r600::misplaced_read(*assembly, parts.request.path)) return shown(std::move(*wrong));
  std::string made = r600::finished_text(*assembly) + *notes;
  for (std::string_view rest = *notes; !rest.empty();) {
    constexpr std::string_view key = "//@lockstep kernel ";
    const std::string_view line = take_line(rest);
    if (!line.starts_with(key)) continue;
    const std::string name(line.substr(key.size()));
    const auto found = own.bytes.find(name);
    const u64 bytes = std::max(least, found == own.bytes.end() ? u64{0} : found->second);
    if (bytes != 0) made += fmt::format("//@lockstep private {} {} {}\n", name, own_memory, bytes);
  }
  return made + source_notes(module.linked);
}

}  // namespace

std::vector<std::string> r600_front_arguments(const CompileRequest& request) {
  return {"-x",
          "cl",
          "-target",
          "r600--",
          fmt::format("-mcpu={}", request.target->compiler_target),
          "-Xclang",
          fmt::format("-cl-ext={}", r600_extensions),
          "-Wno-unused-command-line-argument"};
}

Expected<std::string> parameter_notes(std::string_view module) {
  const r600::Types types(module);
  std::string notes;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const auto definition = definition_of(line);
    if (!definition || !definition->kernel) continue;
    notes += fmt::format("//@lockstep kernel {}\n", definition->name);
    u64 offset = 0;
    for (std::string_view text = definition->parameters; !text.empty();) {
      while (text.starts_with(' ') || text.starts_with(',')) text.remove_prefix(1);
      if (text.empty()) break;
      const std::string_view begin = text;
      const auto size = types.take(text);
      if (!size)
        return Diagnostic{"compile-failed",
                          {},
                          fmt::format("a parameter of kernel '{}' has a type without a size here: {}",
                                      definition->name, begin.substr(0, 60)),
                          ""};
      // Up to the next parameter, over attributes with parentheses of their own.
      int depth = 0;
      std::size_t end = 0;
      while (end < text.size() && (text[end] != ',' || depth != 0)) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        ++end;
      }
      const std::string_view attributes = text.substr(0, end), space = space_of(begin);
      text.remove_prefix(end);
      offset = align_up(offset, size->align);
      notes += fmt::format("//@lockstep parameter {} {} {} {} {}\n", definition->name, space, offset,
                           size->bytes, space == "local" ? pointed_alignment(attributes) : size->align);
      offset += size->bytes;
    }
    if (const std::string sizes = required_size(module, line); !sizes.empty())
      notes += fmt::format("//@lockstep required_group_size {}{}\n", definition->name, sizes);
  }
  return notes;
}

Expected<PtxText> compile_r600(const CompileRequest& request, SourceLanguage language,
                               const std::string& source) {
  LOCKSTEP_ASSERT(request.target != nullptr && request.target->isa == IsaFamily::r600,
                  "compile_r600 is for AMD's VLIW targets");
  auto options = clang_options(request, language);
  if (!options) return options.error();
  auto library = find_r600_library(request.target->compiler_target);
  if (!library) return library.error();
  if (request.progress)
    request.progress(fmt::format("compiling {} for {}", request.path, request.target->name));
  auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  CompileJob job(request, &*scratch);
  auto repairs = devlib_bitcode(r600_devlib_parts(), job, *scratch, request.use_cache);
  if (!repairs) return repairs.error();

  Parts parts{request, *scratch, job, {}, {}, 1};
  const std::vector<std::string> front = r600_front_arguments(request);
  const std::vector<std::string> target(front.begin() + 2, front.end());
  std::vector<std::string>& arguments = parts.front;
  ClangInput input;
  if (language == SourceLanguage::bitcode) {
    arguments = {"-x", "ir", fmt::format("-O{}", options->optimisation)};
    arguments.insert(arguments.end(), target.begin(), target.end());
    input.name = scratch->file("linked.bc");
    std::ofstream(input.name, std::ios::binary) << source;
  } else {
    arguments = front;
    // The last of -g options says how much: notes of variables in the code would end clauses and packets.
    if (request.line_table)
      for (const char* option : {"-gdwarf-2", "-gline-tables-only", "-fdebug-compilation-dir=."})
        arguments.push_back(option);
    arguments.insert(arguments.end(), options->arguments.begin(), options->arguments.end());
    input = clang_input(request, source);
    arguments.insert(arguments.end(), input.arguments.begin(), input.arguments.end());
  }
  // The back end keeps variables in memory that nothing optimised as arrays of registers, of which there are
  // too few.
  parts.optimisation = std::max(options->optimisation, 1u);
  if (options->optimisation == 0) arguments.push_back("-O1");
  arguments.push_back("-Wno-linker-warnings");
  repairs->push_back(*library);  // the first definition of a function wins
  for (const std::string& bitcode : *repairs)
    arguments.insert(arguments.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode});
  arguments.insert(arguments.end(), {"-fno-discard-value-names", "-S", "-emit-llvm", input.name});
  parts.input = input.text;

  std::optional<Diagnostic> wrong;
  for (const Way way : {Way::registers, Way::memory}) {
    job.log().clear();  // of which a second compilation would say the same again
    auto module = optimised_module(parts, way);
    // What does not compile as a source never does.
    if (!module) return explained(module.error(), request.path, false);
    auto text = finished_module(parts, way, *module);
    if (text) return PtxText{std::string(request.target->name), std::move(*text), job.log()};
    wrong = text.error();
    if (wrong->code == "compile-timeout") break;
  }
  return *wrong;
}

}  // namespace lockstep
