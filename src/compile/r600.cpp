#include "compile/r600.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "base/take_line.h"
#include "compile/clang_options.h"
#include "compile/devlib.h"
#include "compile/listing_builder.h"

namespace lockstep {
namespace {

struct Size {
  u64 bytes = 0, align = 1;
};

u64 aligned(u64 value, u64 to) {
  return (value + to - 1) / to * to;
}

// Sizes of LLVM's types, as r600's data layout has them.
class Types {
 public:
  explicit Types(std::string_view module) {
    for (std::string_view rest = module; !rest.empty();) {
      const std::string_view line = take_line(rest);
      const std::size_t at = line.find(" = type ");
      if (line.starts_with('%') && at != std::string_view::npos)
        named_.emplace(line.substr(0, at), line.substr(at + 8));
    }
  }

  // Takes a type off the text's front; nothing where there is none of a size.
  std::optional<Size> take(std::string_view& text, int depth = 0) const {
    blanks(text);
    if (depth > 64) return std::nullopt;
    if (word(text, "ptr")) {
      blanks(text);
      if (word(text, "addrspace(")) text.remove_prefix(std::min(text.find(')') + 1, text.size()));
      return Size{4, 4};
    }
    if (word(text, "half")) return Size{2, 2};
    if (word(text, "float")) return Size{4, 4};
    if (word(text, "double")) return Size{8, 8};
    if (word(text, "i")) {
      const auto bits = number(text);
      if (!bits || *bits == 0 || *bits > 64) return std::nullopt;
      const u64 bytes = *bits <= 8 ? 1 : *bits <= 16 ? 2 : *bits <= 32 ? 4 : 8;
      return Size{bytes, bytes};
    }
    if (word(text, "%")) return take_named(text, depth);
    if (word(text, "<{")) return take_structure(text, "}>", true, depth);
    if (word(text, "{")) return take_structure(text, "}", false, depth);
    const bool vector = word(text, "<");
    if (!vector && !word(text, "[")) return std::nullopt;
    const auto count = number(text);
    blanks(text);
    if (!count || !word(text, "x ")) return std::nullopt;
    const auto element = take(text, depth + 1);
    blanks(text);
    if (!element || !word(text, vector ? ">" : "]")) return std::nullopt;
    if (!vector) return Size{*count * aligned(element->bytes, element->align), element->align};
    // A vector of three takes the room of four.
    u64 bytes = 1;
    while (bytes < *count * element->bytes) bytes *= 2;
    return Size{bytes, bytes};
  }

 private:
  static void blanks(std::string_view& text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  static bool word(std::string_view& text, std::string_view wanted) {
    if (!text.starts_with(wanted)) return false;
    text.remove_prefix(wanted.size());
    return true;
  }
  static std::optional<u64> number(std::string_view& text) {
    u64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value > 0xFFFFFFFF) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }
  std::optional<Size> take_named(std::string_view& text, int depth) const {
    const std::size_t end = text.starts_with('"') ? text.find('"', 1) + 1 : text.find_first_of(" ,*)>]}");
    const std::string name = "%" + std::string(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size()));
    const auto found = named_.find(name);
    if (found == named_.end()) return std::nullopt;
    std::string_view body = found->second;
    return take(body, depth + 1);
  }
  std::optional<Size> take_structure(std::string_view& text, std::string_view close, bool packed,
                                     int depth) const {
    Size whole;
    for (;;) {
      blanks(text);
      if (word(text, close)) break;
      word(text, ",");
      const auto element = take(text, depth + 1);
      if (!element) return std::nullopt;
      const u64 align = packed ? 1 : element->align;
      whole.bytes = aligned(whole.bytes, align) + element->bytes;
      whole.align = std::max(whole.align, align);
    }
    whole.bytes = aligned(whole.bytes, whole.align);
    return whole;
  }

  std::map<std::string, std::string_view> named_;
};

// "define dso_local amdgpu_kernel void @name(": the name, and the parameters' text without its parentheses.
struct Definition {
  std::string name;
  std::string_view parameters;
  std::size_t end = 0;  // of the parameters, in the line
  bool kernel = false;
};
std::optional<Definition> definition_of(std::string_view line) {
  if (!line.starts_with("define ")) return std::nullopt;
  const std::size_t at = line.find('@');
  const std::size_t open = line.find('(', at);
  if (at == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  Definition made;
  made.name = line.substr(at + 1, open - at - 1);
  made.kernel = line.substr(0, at).find(" amdgpu_kernel ") != std::string_view::npos;
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth != 0) continue;
    made.parameters = line.substr(open + 1, i - open - 1);
    made.end = i + 1;
    return made;
  }
  return std::nullopt;
}

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

// Cayman's stores of two and of four words are written alike, "STORE_DWORD T0, T1.X": the encoding's mask of
// channels tells them apart. The encodings themselves go.
std::string with_store_widths(std::string_view assembly) {
  constexpr std::string_view comment = "; encoding: [", store = "STORE_DWORD T";
  std::string made;
  made.reserve(assembly.size());
  for (std::string_view rest = assembly; !rest.empty();) {
    std::string_view line = take_line(rest);
    const std::size_t at = line.find(comment);
    if (at == std::string_view::npos) {
      made.append(line) += '\n';
      continue;
    }
    const std::string_view bytes = line.substr(at + comment.size());
    std::string text(line.substr(0, at));
    text.erase(text.find_last_not_of(" \t") + 1);
    const std::size_t operation = text.find(store), comma = text.find(',');
    if (operation != text.npos && comma != text.npos && text.substr(0, comma).find('.') == text.npos) {
      // "0x40,0x21,...": the mask is in the upper half of byte 5.
      const u32 mask =
          bytes.size() > 27 ? static_cast<u32>(std::string_view("0123456789abcdef").find(bytes[27])) : 0;
      text.insert(comma, mask == 3 ? ".XY" : mask == 7 ? ".XYZ" : mask == 15 ? ".XYZW" : "");
    }
    made.append(text) += '\n';
  }
  return made;
}

// LLVM 19 does not see that a write to an indexed register may be to any register of the array, and packs it
// with a read of one that follows it in the program: hardware reads all of a packet before it writes. Such a
// program computes something else than its source says. Nothing where there is no such packet.
std::optional<Diagnostic> misplaced_read(std::string_view assembly, const std::string& path) {
  u32 line_number = 0;
  bool written = false;  // in the packet at hand
  for (std::string_view rest = assembly; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (const std::size_t at = line.find("\t.loc\t"); at != std::string_view::npos) {
      const std::size_t blank = line.find(' ', at + 6);
      if (blank != std::string_view::npos)
        std::from_chars(line.data() + blank + 1, line.data() + line.size(), line_number);
      continue;
    }
    if (!line.starts_with("\t  ") && !line.starts_with("  ")) continue;
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) continue;
    const std::string_view result = line.substr(0, comma), sources = line.substr(comma);
    const bool moves_x = result.find(" MOV ") != std::string_view::npos &&
                         sources.find(".X") != std::string_view::npos &&
                         sources.find(" T") != std::string_view::npos;
    if (written && moves_x)
      return Diagnostic{
          "compile-failed",
          {path, line_number, 0},
          "LLVM's r600 back end has packed a write to an element of a private array with a read of the array "
          "that follows it: hardware would read the old value",
          "index the array by constants, or put it into local memory"};
    written = written || result.find("T(") != std::string_view::npos;
    if (result.find('*') != std::string_view::npos) written = false;
  }
  return std::nullopt;
}

// LLVM 19 leaves kernels unfinished whose last clause ends the code: clauses stand where they were, and
// RETURN is no instruction.
std::optional<Diagnostic> unfinished(std::string_view assembly, std::string_view notes,
                                     const std::string& path) {
  constexpr std::string_view begin = "; -- Begin function ", end = "; -- End function";
  for (std::size_t at = assembly.find(begin); at != std::string_view::npos;
       at = assembly.find(begin, at + 1)) {
    const std::string_view function = assembly.substr(at, assembly.find(end, at) - at);
    std::string_view name = function.substr(begin.size());
    name = name.substr(0, name.find('\n'));
    if (function.find("\tCF_END") != std::string_view::npos) continue;
    if (notes.find(fmt::format("@lockstep kernel {}\n", name)) == std::string_view::npos) continue;
    return Diagnostic{
        "compile-failed",
        {path, 0, 0},
        fmt::format("LLVM's r600 back end left kernel '{}' unfinished: its control flow has no end", name),
        "it does so where a kernel's last instructions are those of local memory; a store to a global "
        "buffer behind them helps"};
  }
  return std::nullopt;
}

// What the back end's words for an operation that it has no code for mean to whoever wrote the kernel.
std::string_view hint_for(std::string_view message) {
  static constexpr std::pair<std::string_view, std::string_view> hints[] = {
      {"cl_khr_fp64", "LLVM's r600 back end has no double precision: use float"},
      {"AtomicCmpSwap",
       "LLVM's r600 back end has no global atomics that return a value or compare: use local memory, or an "
       "atomic "
       "whose result is not used"},
      {"AtomicSwap", "LLVM's r600 back end has no global exchange: use local memory"},
      {"AtomicLoad",
       "LLVM's r600 back end has no global atomics that return a value: do not use the result, or use local "
       "memory"},
      {"read_image", "LLVM's r600 back end has no images in OpenCL C: use buffers"},
      {"write_image", "LLVM's r600 back end has no images in OpenCL C: use buffers"},
      {"sampler", "LLVM's r600 back end has no images in OpenCL C: use buffers"},
      {"image", "LLVM's r600 back end has no images in OpenCL C: use buffers"},
      {"half", "these GPUs convert half precision and do not compute with it: vload_half and vstore_half"},
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
Diagnostic explained(Diagnostic error, const std::string& path) {
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
  if (error.hint.empty())
    error.hint =
        "LLVM's r600 back end for AMD's VLIW GPUs cannot compile every program: docs/isa-vliw.md lists what "
        "it lacks";
  return error;
}

}  // namespace

std::vector<std::string> r600_front_arguments(const CompileRequest& request) {
  return {"-x",
          "cl",
          "-target",
          "r600--",
          fmt::format("-mcpu={}", request.target->compiler_target),
          "-Wno-unused-command-line-argument"};
}

Expected<std::string> parameter_notes(std::string_view module) {
  const Types types(module);
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
      offset = aligned(offset, size->align);
      notes += fmt::format("//@lockstep parameter {} {} {} {} {}\n", definition->name, space, offset,
                           size->bytes, space == "local" ? pointed_alignment(attributes) : size->align);
      offset += size->bytes;
    }
    if (const std::string sizes = required_size(module, line); !sizes.empty())
      notes += fmt::format("//@lockstep required_group_size {}{}\n", definition->name, sizes);
  }
  return notes;
}

std::string with_inlined_functions(std::string_view module) {
  std::string changed;
  bool any = false;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    std::string made(line);
    if (const auto definition = definition_of(line); definition && !definition->kernel) {
      any = true;
      // Attributes follow what says how far the address matters.
      std::size_t at = definition->end;
      for (const std::string_view word : {" local_unnamed_addr", " unnamed_addr"}) {
        if (line.substr(at).starts_with(word)) at += word.size();
      }
      made.insert(at, " alwaysinline");
    } else if (line.starts_with("attributes #")) {
      for (const std::string_view word : {" noinline ", " optnone "}) {
        for (std::size_t at = made.find(word); at != made.npos; at = made.find(word))
          made.replace(at, word.size(), " ");
      }
    }
    changed += made;
    changed += '\n';
  }
  return any ? changed : std::string(module);
}

std::string with_repaired_conversions(std::string_view module) {
  constexpr std::string_view word = " = sitofp ";
  std::string made;
  u32 count = 0;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t at = line.find(word), to = line.find(" to ");
    if (at == std::string_view::npos || to == std::string_view::npos || to < at) {
      made.append(line) += '\n';
      continue;
    }
    // "%f = sitofp <2 x i64> %x to <2 x float>, !dbg !7"
    std::string_view from = line.substr(at + word.size(), to - at - word.size());
    const std::size_t blank = from.rfind(from.ends_with('>') ? '<' : ' ');
    const std::string_view value =
        blank == std::string_view::npos ? from : from.substr(blank + (from[blank] == ' ' ? 1 : 0));
    std::string_view type = from.substr(0, from.size() - value.size());
    while (type.ends_with(' ')) type.remove_suffix(1);
    const std::string_view lane = type.starts_with('<') ? type.substr(type.find(" x ") + 3) : type;
    std::string_view result = line.substr(to + 4);
    const std::size_t end = std::min(result.find(','), result.size());
    const std::string_view notes = result.substr(end);
    result = result.substr(0, end);
    if (!(lane == "i64" || lane == "i64>") || !value.starts_with('%')) {
      made.append(line) += '\n';
      continue;
    }
    std::string sign_bit = "63", condition = "i1";
    if (type.starts_with('<')) {
      u32 lanes = 0;
      std::from_chars(type.data() + 1, type.data() + type.size(), lanes);
      std::vector<std::string> each(lanes, "i64 63");
      sign_bit = fmt::format("<{}>", fmt::join(each, ", "));
      condition = fmt::format("<{} x i1>", lanes);
    }
    const std::string own = fmt::format("%lockstep.{}.", count++);
    made += fmt::format("  {0}sign = ashr {1} {2}, {3}\n  {0}sum = add {1} {2}, {0}sign\n", own, type, value,
                        sign_bit);
    made += fmt::format("  {0}size = xor {1} {0}sum, {0}sign\n  {0}plus = uitofp {1} {0}size to {2}\n", own,
                        type, result);
    made += fmt::format("  {0}minus = fneg {1} {0}plus\n  {0}below = icmp slt {2} {3}, {4}\n", own, result,
                        type, value, type.starts_with('<') ? "zeroinitializer" : "0");
    made += fmt::format("{} = select {} {}below, {} {}minus, {} {}plus{}\n", line.substr(0, at), condition,
                        own, result, own, result, own, notes);
  }
  return made;
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

  const std::vector<std::string> front = r600_front_arguments(request);
  const std::vector<std::string> target(front.begin() + 2, front.end());
  std::vector<std::string> arguments;
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
  const u32 optimisation = std::max(options->optimisation, 1u);
  if (options->optimisation == 0) arguments.push_back("-O1");
  arguments.push_back("-Wno-linker-warnings");
  repairs->push_back(*library);  // the first definition of a function wins
  for (const std::string& bitcode : *repairs)
    arguments.insert(arguments.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", bitcode});
  const std::string module = scratch->file("program.ll");
  arguments.insert(arguments.end(),
                   {"-fno-discard-value-names", "-S", "-emit-llvm", input.name, "-o", module});
  if (auto done = job.run(Tool::clang, arguments, input.text); !done)
    return explained(done.error(), request.path);
  auto text = read_file(module);
  if (!text) return text.error();
  const std::string inlined = with_inlined_functions(*text);
  if (inlined != *text) {
    std::ofstream(module, std::ios::binary) << inlined;
    const std::string whole = scratch->file("whole.ll");
    if (auto done =
            job.run(Tool::opt, {"-passes=always-inline,default<O2>,globaldce", "-S", module, "-o", whole});
        !done)
      return done.error();
    auto again = read_file(whole);
    if (!again) return again.error();
    std::ofstream(module, std::ios::binary) << *again;
  }
  auto middle = read_file(module);
  if (!middle) return middle.error();
  std::ofstream(module, std::ios::binary) << with_repaired_conversions(*middle);
  auto assembly =
      job.run(Tool::llc, {"-mtriple=r600--", fmt::format("-mcpu={}", request.target->compiler_target),
                          fmt::format("-O{}", optimisation), "--show-mc-encoding", module, "-o", "-"});
  if (!assembly) return explained(assembly.error(), request.path);
  const auto shown = [](Diagnostic wrong) {
    wrong.message = placed(wrong.place, wrong.message);
    return wrong;
  };
  if (auto wrong = misplaced_read(*assembly, request.path)) return shown(std::move(*wrong));
  auto notes = parameter_notes(*text);
  if (!notes) return notes.error();
  if (auto wrong = unfinished(*assembly, *notes, request.path)) return shown(std::move(*wrong));
  return PtxText{std::string(request.target->name),
                 with_store_widths(*assembly) + *notes + source_notes(*text), job.log()};
}

}  // namespace lockstep
