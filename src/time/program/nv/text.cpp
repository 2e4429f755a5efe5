#include "time/program/nv/text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace lockstep {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

std::string register_text(const O& o) {
  const auto named = [&](std::string_view prefix, u32 zero, std::string_view zero_name) {
    if (o.index == zero) return std::string(zero_name);
    if (o.width == 1) return fmt::format("{}{}", prefix, o.index);
    return fmt::format("{0}{1}:{0}{2}", prefix, o.index, o.index + o.width - 1);
  };
  switch (o.file) {
    case File::general:
      return named("R", O::zero_register, "RZ");
    case File::uniform:
      return named("UR", O::zero_uniform, "URZ");
    case File::predicate:
      return named("P", O::true_predicate, "PT");
    case File::uniform_predicate:
      return named("UP", O::true_predicate, "UPT");
    default:
      return {};
  }
}

std::string text_of(const O& o, i32 offset) {
  std::string text;
  switch (o.file) {
    case File::constant:
      text = o.index == O::zero_register ? fmt::format("c[{:#x}][{:#x}]", o.bank, o.value)
                                         : fmt::format("c[{:#x}][R{}+{:#x}]", o.bank, o.index, o.value);
      if (o.width != 1) text += fmt::format(":{}", o.width);
      break;
    case File::immediate:
      text = fmt::format("{:#x}", o.value);
      break;
    case File::special:
      text = name(static_cast<LoweredSpecial>(o.index));
      break;
    case File::barrier:
      text = fmt::format("B{}", o.index);
      break;
    case File::region:
      text = fmt::format("`({})", o.index);
      break;
    default:
      text = register_text(o);
  }
  if ((o.modifiers & O::absolute) != 0) text = "|" + text + "|";
  if ((o.modifiers & O::negate) != 0) text = "-" + text;
  if ((o.modifiers & O::complement) != 0) text = "!" + text;
  if ((o.modifiers & O::reuse) != 0) text += ".reuse";
  if ((o.modifiers & O::wide) != 0) text += ".64";
  if ((o.modifiers & O::address) != 0) {
    if (offset != 0)
      text += fmt::format("{}{:#x}", offset < 0 ? "+-" : "+", offset < 0 ? -i64{offset} : i64{offset});
    text = "[" + text + "]";
  }
  return text;
}

// Reading: a cursor over one line.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) { skip(); }
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  bool take_skip(std::string_view what) {
    if (!take(what)) return false;
    skip();
    return true;
  }
  void skip() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r'))
      rest_.remove_prefix(1);
  }
  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() && rest_[n] != ' ' && rest_[n] != '\t' && rest_[n] != ',' && rest_[n] != ';' &&
           rest_[n] != '\r')
      ++n;
    const std::string_view result = rest_.substr(0, n);
    rest_.remove_prefix(n);
    skip();
    return result;
  }
  std::optional<u64> number() {
    int base = 10;
    std::string_view digits = rest_;
    if (digits.starts_with("0x")) {
      base = 16;
      digits.remove_prefix(2);
    }
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{}) return std::nullopt;
    rest_ = digits.substr(static_cast<std::size_t>(end - digits.data()));
    return value;
  }

 private:
  std::string_view rest_;
};

bool read_register(Line& line, O& o) {
  struct Name {
    std::string_view prefix, zero;
    File file;
    u32 zero_index, most;
  };
  constexpr Name names[] = {{"UR", "URZ", File::uniform, O::zero_uniform, 63},
                            {"UP", "UPT", File::uniform_predicate, O::true_predicate, 7},
                            {"R", "RZ", File::general, O::zero_register, 255},
                            {"P", "PT", File::predicate, O::true_predicate, 7}};
  for (const Name& name : names) {
    if (line.take(name.zero)) {
      o.file = name.file;
      o.index = name.zero_index;
      return true;
    }
    if (!line.rest().starts_with(name.prefix)) continue;
    line.take(name.prefix);
    const auto first = line.number();
    if (!first || *first > name.most) return false;
    o.file = name.file;
    o.index = static_cast<u32>(*first);
    if (line.rest().starts_with(":")) {
      if (!line.take(":") || !line.take(name.prefix)) return false;
      const auto last = line.number();
      if (!last || *last < *first || *last - *first > 63) return false;
      o.width = static_cast<u8>(*last - *first + 1);
    }
    return true;
  }
  return false;
}

bool read_operand(Line& line, O& o, i32& offset) {
  const bool address = line.take("[");
  if (line.take("!")) o.modifiers |= O::complement;
  if (line.take("-")) o.modifiers |= O::negate;
  const bool absolute = line.take("|");
  if (line.take("c[")) {
    const auto bank = line.number();
    if (!bank || *bank > 255 || !line.take("][")) return false;
    o.file = File::constant;
    o.bank = static_cast<u8>(*bank);
    o.index = O::zero_register;
    if (line.take("R")) {
      const auto index = line.number();
      if (!index || *index >= O::zero_register || !line.take("+")) return false;
      o.index = static_cast<u32>(*index);
    }
    const auto at = line.number();
    if (!at || !line.take("]")) return false;
    o.value = *at;
    if (line.take(":")) {
      const auto width = line.number();
      if (!width || *width < 2 || *width > 4) return false;
      o.width = static_cast<u8>(*width);
    }
  } else if (line.take("`(")) {
    const auto region = line.number();
    if (!region || *region > ~u32{0} || !line.take(")")) return false;
    o.file = File::region;
    o.index = static_cast<u32>(*region);
  } else if (line.rest().starts_with("SR_")) {
    const std::string_view word = line.word();
    u32 which = 0;
    while (which < static_cast<u32>(LoweredSpecial::count) &&
           name(static_cast<LoweredSpecial>(which)) != word)
      ++which;
    if (which == static_cast<u32>(LoweredSpecial::count)) return false;
    o.file = File::special;
    o.index = which;
  } else if (line.rest().starts_with("B") && line.take("B")) {
    const auto index = line.number();
    if (!index || *index > 15) return false;
    o.file = File::barrier;
    o.index = static_cast<u32>(*index);
  } else if (!line.empty() && line.rest()[0] >= '0' && line.rest()[0] <= '9') {
    const auto value = line.number();
    if (!value) return false;
    o.file = File::immediate;
    o.value = *value;
  } else if (!read_register(line, o)) {
    return false;
  }
  if (absolute) {
    if (!line.take("|")) return false;
    o.modifiers |= O::absolute;
  }
  if (line.take(".reuse")) o.modifiers |= O::reuse;
  if (line.take(".64")) o.modifiers |= O::wide;
  if (address) {
    o.modifiers |= O::address;
    if (line.take("+")) {
      const bool minus = line.take("-");
      const auto by = line.number();
      if (!by || *by > 0x7FFFFFFF) return false;
      offset = static_cast<i32>(minus ? -static_cast<i64>(*by) : static_cast<i64>(*by));
    }
    if (!line.take("]")) return false;
  }
  line.skip();
  return true;
}

bool read_control(Line& line, LoweredControl& control) {
  if (!line.take("[B")) return false;
  for (u32 i = 0; i < 6; ++i) {
    if (line.take("-")) continue;
    if (!line.take(std::string(1, static_cast<char>('0' + i)))) return false;
    control.wait_mask |= static_cast<u8>(1 << i);
  }
  const auto barrier = [&](std::string_view mark, u8& which) {
    if (!line.take(mark)) return false;
    if (line.take("-")) return true;
    const auto number = line.number();
    if (!number || *number > 5) return false;
    which = static_cast<u8>(*number);
    return true;
  };
  if (!barrier(":R", control.read_barrier) || !barrier(":W", control.write_barrier) || !line.take(":"))
    return false;
  control.yield = line.take("Y");
  if (!control.yield && !line.take("-")) return false;
  if (!line.take(":S")) return false;
  const auto stall = line.number();
  if (!stall || *stall > 15 || !line.take("]")) return false;
  control.stall = static_cast<u8>(*stall);
  line.skip();
  return true;
}

const char* read_instruction(Line& line, LoweredInstruction& in) {
  if (line.rest().starts_with("[B") && !read_control(line, in.control))
    return "control bits are written [B012345:R0:W0:Y:S01], with - for what is not there";
  if (line.take("@")) {
    if (line.take("!")) in.guard.modifiers = O::complement;
    if (!read_register(line, in.guard) ||
        (in.guard.file != File::predicate && in.guard.file != File::uniform_predicate))
      return "a guard is a predicate";
    line.skip();
  }
  std::string_view modifiers;
  const auto opcode = find_lowered_opcode(line.word(), modifiers);
  if (!opcode) return "no such opcode";
  in.opcode = *opcode;
  in.modifiers = modifiers;
  std::size_t results = 0, sources = 0;
  bool behind = false;
  while (!line.empty() && !line.rest().starts_with(";")) {
    if (line.take_skip("<-")) {
      behind = true;
      continue;
    }
    if (behind ? sources == in.source.size() : results == in.destination.size()) return "too many operands";
    O& o = behind ? in.source[sources++] : in.destination[results++];
    if (!read_operand(line, o, in.offset)) return "an operand that is none";
    if (!line.take_skip(",") && !line.rest().starts_with(";") && !line.rest().starts_with("<-") &&
        !line.empty())
      return "operands are apart by commas";
  }
  if (!line.take_skip(";")) return "an instruction ends with ';'";
  while (line.take_skip("#")) {
    const std::string_view what = line.word();
    const auto number = line.number();
    line.skip();
    if (!number) return "a number is missing";
    if (what == "from" && *number <= ~u32{0}) {
      in.from = static_cast<u32>(*number);
    } else if (what == "access" && *number < 256) {
      in.carries_access = true;
      in.access = static_cast<u8>(*number);
    } else if (what == "every" && *number > 0 && *number < 256) {
      in.every = static_cast<u8>(*number);
    } else {
      return "marks are # from, # access and # every";
    }
  }
  return nullptr;
}

}  // namespace

std::string print_lowered(const LoweredInstruction& in) {
  const LoweredControl& c = in.control;
  std::string text = "[B";
  for (u32 i = 0; i < 6; ++i) text += (c.wait_mask >> i & 1) != 0 ? static_cast<char>('0' + i) : '-';
  const auto barrier = [](u8 which) { return which > 5 ? std::string("-") : std::to_string(which); };
  text += fmt::format(":R{}:W{}:{}:S{:02}] ", barrier(c.read_barrier), barrier(c.write_barrier),
                      c.yield ? "Y" : "-", c.stall);
  if (in.guard.file != File::none) text += "@" + text_of(in.guard, 0) + " ";
  text += info(in.opcode).mnemonic;
  text += in.modifiers;
  const char* between = " ";
  for (const O& o : in.destination) {
    if (o.file == File::none) continue;
    text += between + text_of(o, in.offset);
    between = ", ";
  }
  bool any = false;
  for (const O& o : in.source) any = any || o.file != File::none;
  if (any) text += " <-";
  between = " ";
  for (const O& o : in.source) {
    if (o.file == File::none) continue;
    text += between + text_of(o, in.offset);
    between = ", ";
  }
  text += fmt::format("; # from {}", in.from);
  if (in.carries_access) text += fmt::format(" # access {}", in.access);
  if (in.every != 1) text += fmt::format(" # every {}", in.every);
  return text;
}

std::string print_lowered(const LoweredProgram& program,
                          const std::function<std::string(u32 from)>& comment) {
  std::string text =
      fmt::format(".lowered {} {}\n.registers {}\n.uniform {}\n.predicates {}\n.spilled {}\n.bytes {}\n",
                  program.kernel, program.target, program.registers, program.uniform_registers,
                  program.predicates, program.spilled_bytes, program.code_bytes);
  for (const LoweredRegion& region : program.regions) {
    text +=
        fmt::format(".region {} {}{}\n", region.first, region.count, region.predicated ? " predicated" : "");
    for (u32 i = region.begin; i < region.end; ++i) {
      text += "  " + print_lowered(program.instructions[i]);
      const std::string said = comment ? comment(program.instructions[i].from) : std::string{};
      if (!said.empty()) text += "  // " + said;
      text += "\n";
    }
  }
  for (const LoweredBranch& branch : program.branches) {
    text += fmt::format(".branch {}", branch.branch);
    for (const u32 region : branch.if_taken) text += fmt::format(" taken {}", region);
    for (const u32 region : branch.if_not_taken) text += fmt::format(" not_taken {}", region);
    text += "\n";
  }
  return text;
}

Expected<LoweredProgram> read_lowered(std::string_view text, const std::string& name) {
  LoweredProgram program;
  u32 number = 0;
  const auto bad = [&](std::string_view what, std::string_view line) {
    return Diagnostic{"bad-lowered",
                      {name, number, 0},
                      fmt::format("{}: {}", what, line),
                      "docs/lowering.md describes the text form"};
  };
  bool begun = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view whole = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    ++number;
    const std::string_view stripped = whole.substr(0, whole.find("//"));
    Line line(stripped);
    if (line.empty()) continue;
    if (line.take_skip(".lowered")) {
      if (begun) return bad("a second program", whole);
      begun = true;
      program.kernel = line.word();
      program.target = line.word();
      if (program.target.empty()) return bad("the kernel's name and the target", whole);
      continue;
    }
    if (!begun) return bad("a program begins with .lowered", whole);
    if (line.rest().starts_with(".")) {
      const std::string_view what = line.word();
      const auto value = line.number();
      line.skip();
      if (!value || (what != ".bytes" && *value > ~u32{0})) return bad("a number is missing", whole);
      const u32 small = static_cast<u32>(*value);
      if (what == ".registers") {
        program.registers = small;
      } else if (what == ".uniform") {
        program.uniform_registers = small;
      } else if (what == ".predicates") {
        program.predicates = small;
      } else if (what == ".spilled") {
        program.spilled_bytes = small;
      } else if (what == ".bytes") {
        program.code_bytes = *value;
      } else if (what == ".region") {
        const auto count = line.number();
        line.skip();
        if (!count || *count > ~u32{0})
          return bad("a region has a first PTX instruction and how many", whole);
        LoweredRegion region;
        region.first = small;
        region.count = static_cast<u32>(*count);
        region.predicated = line.take_skip("predicated");
        region.begin = region.end = static_cast<u32>(program.instructions.size());
        program.regions.push_back(region);
      } else if (what == ".branch") {
        LoweredBranch branch;
        branch.branch = small;
        while (!line.empty()) {
          const std::string_view which = line.word();
          const auto region = line.number();
          line.skip();
          if (!region || *region > ~u32{0} || (which != "taken" && which != "not_taken"))
            return bad("regions are missing", whole);
          (which == "taken" ? branch.if_taken : branch.if_not_taken).push_back(static_cast<u32>(*region));
        }
        program.branches.push_back(std::move(branch));
      } else {
        return bad("no such directive", whole);
      }
      if (!line.empty()) return bad("what is this?", whole);
      continue;
    }
    if (program.regions.empty()) return bad("instructions stand in a region", whole);
    LoweredInstruction in;
    if (const char* wrong = read_instruction(line, in)) return bad(wrong, whole);
    if (!line.empty()) return bad("what is this?", whole);
    program.instructions.push_back(std::move(in));
    program.regions.back().end = static_cast<u32>(program.instructions.size());
  }
  if (!begun) return bad("a program begins with .lowered", "the text is empty");
  for (const LoweredBranch& branch : program.branches) {
    for (const auto* list : {&branch.if_taken, &branch.if_not_taken}) {
      for (const u32 region : *list) {
        if (region >= program.regions.size()) return bad("there is no such region", std::to_string(region));
      }
    }
  }
  return program;
}

}  // namespace lockstep
