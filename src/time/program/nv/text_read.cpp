#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "time/program/nv/text.h"
#include "time/program/nv/text_line.h"

namespace lockstep {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

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
    // A number with a point is a float's.
    const std::size_t end = line.rest().find_first_of(",; |]");
    const std::string_view digits = line.rest().substr(0, end);
    f32 real = 0;
    o.file = File::immediate;
    if (!digits.starts_with("0x") && digits.find('.') != digits.npos) {
      const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
      if (error != std::errc{} || at != digits.data() + digits.size()) return false;
      line.take(digits);
      o.value = std::bit_cast<u32>(real);
    } else {
      const auto value = line.number();
      if (!value) return false;
      o.value = *value;
    }
  } else if (!read_register(line, o)) {
    return false;
  }
  if (absolute) {
    if (!line.take("|")) return false;
    o.modifiers |= O::absolute;
  }
  const bool is_register = o.file == File::general || o.file == File::uniform;
  if (is_register && line.take(".reuse")) o.modifiers |= O::reuse;
  if (is_register && line.take(".64")) o.modifiers |= O::wide;
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
  if (!stall || *stall > LoweredControl::most_stall || !line.take("]")) return false;
  control.stall = static_cast<u8>(*stall);
  line.skip();
  return true;
}

// How many results stand in front of the sources.
std::size_t results_of(LoweredOpcode opcode) {
  using L = LoweredOpcode;
  switch (opcode) {
    case L::stg:
    case L::st:
    case L::sts:
    case L::stl:
    case L::sust:
    case L::red:
    case L::bar:
    case L::bra:
    case L::brx:
    case L::jmp:
    case L::call:
    case L::ret:
    case L::exit:
    case L::bsync:
    case L::ssy:
    case L::sync:
    case L::stsul:
    case L::membar:
    case L::errbar:
    case L::cctl:
    case L::nop:
    case L::depbar:
    case L::ldgdepbar:
    case L::ldgsts:
    case L::warpsync:
    case L::nanosleep:
    case L::yield:
    case L::kill:
    case L::bpt:
      return 0;
    case L::isetp:
    case L::fsetp:
    case L::dsetp:
    case L::psetp:
    case L::ldslk:
    case L::hsetp2:
    case L::plop3:
    case L::uisetp:
    case L::uplop3:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

const char* read_lowered_instruction(Line& line, LoweredInstruction& in) {
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
  const bool arrow = line.rest().find("<-") != std::string_view::npos;
  bool behind = !arrow && results_of(in.opcode) == 0;
  while (!line.empty() && !line.rest().starts_with(";")) {
    if (line.take_skip("<-")) {
      behind = true;
      continue;
    }
    if (line.take("desc[")) {  // of global memory: its policy
      while (!line.empty() && !line.take("]")) line.take(line.rest().substr(0, 1));
    }
    if (behind ? sources == in.source.size() : results == in.destination.size()) return "too many operands";
    O& o = behind ? in.source[sources++] : in.destination[results++];
    if (!read_operand(line, o, in.offset)) return "an operand that is none";
    if (!arrow && !behind) {
      // Carries and what a logic instruction says of its result stand among the results.
      const bool first_is_predicate = in.destination[0].file == File::predicate;
      const bool more =
          results < results_of(in.opcode) + (first_is_predicate && in.opcode == LoweredOpcode::lop3 ? 1 : 0);
      std::string_view after = line.rest().starts_with(",") ? line.rest().substr(1) : std::string_view{};
      while (after.starts_with(" ")) after.remove_prefix(1);
      const bool carries = in.opcode == LoweredOpcode::iadd3 || in.opcode == LoweredOpcode::lea;
      const bool carry = carries && results < in.destination.size() && after.size() > 1 && after[0] == 'P' &&
                         after[1] >= '0' && after[1] <= '6';
      if (!more && !carry) behind = true;
    }
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
    } else if (what == "bytes" && *number > 0 && *number < 256) {
      in.access_bytes = static_cast<u8>(*number);
    } else if (what == "spill" && *number < 1 << 20) {
      in.spill_word = static_cast<u32>(*number);
    } else if (what == "lane" && *number == 1) {
      in.one_lane = true;
    } else if (what == "every" && *number > 0 && *number < 255) {
      in.every = static_cast<u8>(*number);
    } else if (what == "routine" && *number == 1) {
      in.routine = true;
    } else if (what == "slow" && *number < LoweredInstruction::no_slow_way) {
      in.slow_way = static_cast<u32>(*number);
    } else {
      return "marks are # from, # access, # bytes, # spill, # lane 1, # every, # routine 1 and # slow";
    }
  }
  return nullptr;
}

Expected<LoweredProgram> read_lowered(std::string_view text, const std::string& name) {
  LoweredProgram program;
  u32 number = 0;
  const auto bad = [&](std::string_view what, std::string_view line) {
    return Diagnostic{"bad-lowered",
                      {name, std::max(number, 1u), 0},  // of an empty text the first
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
        if (line.take_skip("unrolled")) {
          const auto turns = line.number();
          line.skip();
          if (!turns || *turns < 2 || *turns > 255) return bad("a loop is unrolled 2 to 255 times", whole);
          region.unrolled = static_cast<u8>(*turns);
        }
        region.begin = region.end = static_cast<u32>(program.instructions.size());
        program.regions.push_back(region);
      } else if (what == ".guarded") {
        const auto count = line.number();
        line.skip();
        if (!count || *count == 0 || *count > ~u32{0} - small)
          return bad("what is guarded has a first PTX instruction and how many", whole);
        program.guarded.push_back({small, static_cast<u32>(*count)});
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
    if (const char* wrong = read_lowered_instruction(line, in)) return bad(wrong, whole);
    if (!line.empty()) return bad("what is this?", whole);
    program.instructions.push_back(std::move(in));
    program.regions.back().end = static_cast<u32>(program.instructions.size());
  }
  if (!begun) return bad("a program begins with .lowered", "the text is empty");
  for (const LoweredGuarded& guarded : program.guarded) {
    const bool inside = std::ranges::any_of(program.regions, [&](const LoweredRegion& region) {
      return guarded.first > region.first && guarded.first + guarded.count < region.first + region.count;
    });
    if (!inside) return bad("what is guarded lies within a region", std::to_string(guarded.first));
  }
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
