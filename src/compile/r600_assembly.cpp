#include "compile/r600_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/take_line.h"
#include "compile/r600_images.h"
#include "compile/r600_repairs.h"

namespace lockstep::r600 {

namespace {

// "MEM_RAT STORE_TYPED RAT(34) T5, T1, 0" as what the number stands for: "MEM_RAT ATOMIC_AND_RTN T5, T1.X".
void name_store(std::string& text) {
  constexpr std::string_view key = "MEM_RAT STORE_TYPED RAT(";
  const std::size_t at = text.find(key), close = text.find(')', at);
  if (at == text.npos || close == text.npos) return;
  u32 number = 0;
  std::from_chars(text.data() + at + key.size(), text.data() + close, number);
  const std::string name = name_of_store(number);
  if (name.empty()) return;
  if (name == "NOP") {
    text.replace(at, text.npos, name);
    return;
  }
  std::string registers = text.substr(close + 1);  // " T5, T1, 0": Cayman's have no last number
  const std::size_t first = registers.find(','), second = registers.find(',', first + 1);
  registers.erase(std::min(second, registers.size()));
  text.replace(at, text.npos, fmt::format("MEM_RAT {}{}.X", name, registers));
}

// "TEX_SAMPLE T1.XYZW, T0.XYZW RID:4 SID:31 CT:UUUU", where 31 is fetch_sampler: a fetch of texels by whole
// numbers.
void name_fetch(std::string& text) {
  constexpr std::string_view sample = "TEX_SAMPLE ";
  const std::string sampler = fmt::format(" SID:{} ", fetch_sampler);
  const std::size_t at = text.find(sample), number = text.find(sampler);
  if (at == text.npos || number == text.npos) return;
  text.replace(number, sampler.size(), " SID:0 ");
  text.replace(at, sample.size(), "TEX_LD ");
}

}  // namespace

// Cayman's stores of two and of four words are written alike, "STORE_DWORD T0, T1.X": the encoding's mask of
// channels tells them apart.
std::string finished_text(std::string_view assembly) {
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
    name_store(text);
    name_fetch(text);
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

// LLVM 19 loses the instruction that starts a clause where it has made a branch's two ways one clause of
// predicated operations, and counts the address of a table as no literal.
std::optional<Diagnostic> malformed(std::string_view assembly, const std::string& path) {
  constexpr std::string_view begin = "; -- Begin function ", end = "; -- End function";
  std::string name;
  bool clause = false;
  u32 lines = 0;  // of literals, two each
  for (std::string_view rest = assembly; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (const std::size_t at = line.find(begin); at != line.npos) {
      name = line.substr(at + begin.size());
      clause = false;
    }
    if (line.find(end) != line.npos) name.clear();
    if (name.empty() || line.find("; encoding: ") == line.npos) continue;
    if (line.find(" clause starting at ") != line.npos) {
      clause = true;
      lines = 0;
      continue;
    }
    const std::size_t first = line.find_first_not_of("\t ");
    const char c = line[first];
    lines = c == '@' || c == '-' || (c >= '0' && c <= '9') ? lines + 1 : 0;
    // Control flow stands behind a tabulator, what is in clauses behind blanks besides.
    const bool outside = !clause && line.substr(0, first).find(' ') != line.npos;
    if (outside || lines > 2)
      return Diagnostic{
          "compile-failed",
          {path, 0, 0},
          fmt::format("LLVM's r600 back end has written {} in kernel '{}'",
                      outside ? "operations outside of any clause" : "a packet with more than four literals",
                      name),
          "it does so in large kernels: fewer branches and tables, or smaller functions, help"};
  }
  return std::nullopt;
}

// LLVM 19 leaves kernels unfinished whose last clause ends the code: clauses stand where they were, and
// RETURN is no instruction.
std::vector<std::string> unfinished_kernels(std::string_view assembly, std::string_view notes) {
  constexpr std::string_view begin = "; -- Begin function ", end = "; -- End function";
  std::vector<std::string> kernels;
  for (std::size_t at = assembly.find(begin); at != std::string_view::npos;
       at = assembly.find(begin, at + 1)) {
    const std::string_view function = assembly.substr(at, assembly.find(end, at) - at);
    std::string_view name = function.substr(begin.size());
    name = name.substr(0, name.find('\n'));
    if (function.find("\tCF_END") != std::string_view::npos) continue;
    if (notes.find(fmt::format("@lockstep kernel {}\n", name)) == std::string_view::npos) continue;
    kernels.emplace_back(name);
  }
  return kernels;
}

}  // namespace lockstep::r600
