#include "cases/vliw_execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>

#include "cases/messages.h"
#include "cases/vliw_run.h"
#include "isa/vliw/module.h"
#include "isa/vliw/syntax.h"
#include "isa/vliw/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 local_bytes = 1024, lanes = 64;

const Setting* named(const Case& entry, std::string_view place) {
  for (const Setting& setting : entry.before)
    if (setting.place == place) return &setting;
  return nullptr;
}

// A kernel of fetches of an image, which is its only parameter, resource 4 and RAT 1; its sampler is number
// 0. A store stands among the control flow.
std::string image_kernel_text(const Case& entry) {
  const bool stores = entry.code[0].starts_with("MEM_RAT");
  std::string lines;
  for (const std::string& line : entry.code) lines += "\t  " + line + "\n";
  const Setting* sampler = named(entry, "sampler:bits");
  return fmt::format(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.text\n"
      "\t.type\ttest,@function\ntest:\n{}\tCF_END\n{}//@lockstep kernel test\n"
      "//@lockstep parameter test global 0 4 4\n//@lockstep argument test i image2d_t\n"
      "//@lockstep image test 4 0\n//@lockstep target test 1 0\n//@lockstep sampler test 0 bits {}\n",
      stores ? lines : fmt::format("\tTEX {} @2\n", entry.code.size() - 1),
      stores ? std::string() : "\tFetch clause starting at 2:\n" + lines,
      sampler == nullptr ? 0 : sampler->values[0].bits);
}

// A kernel that fetches from the case's buffer, or stores to it, by pointers in registers.
std::string memory_kernel_text(const Case& entry) {
  std::string lines;
  for (const std::string& line : entry.code) lines += "\t  " + line + "\n";
  const bool fetches = entry.code[0].starts_with("VTX");
  return fmt::format(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.text\n"
      "\t.type\ttest,@function\ntest:\n{}\tCF_END\n{}//@lockstep kernel test\n"
      "//@lockstep parameter test value 0 {} 4\n",
      fetches ? fmt::format("\tTEX {} @2\n", entry.code.size() - 1) : lines,
      fetches ? "\tFetch clause starting at 2:\n" + lines : std::string(), vliw_constant_bytes);
}

// A kernel of one clause, with all of its constant window: the implicit parameters are nine dwords.
std::string kernel_text(const Case& entry) {
  if (named(entry, "image:2d") != nullptr) return image_kernel_text(entry);
  if (entry.code[0].starts_with("VTX") || entry.code[0].starts_with("MEM_RAT"))
    return memory_kernel_text(entry);
  u32 words = 0;
  std::string clause;
  for (const std::string& line : entry.code) {
    ++words;  // a line of two literals takes as much room as an operation
    clause += "\t  " + line + "\n";
  }
  return fmt::format(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t8\n\t.long\t166120\n\t.long\t{}\n\t.text\n"
      "\t.type\ttest,@function\ntest:\n\tALU {}, @2, KC0[CB0:0-32], KC1[]\n\tCF_END\n"
      "\tALU clause starting at 2:\n{}//@lockstep kernel test\n//@lockstep parameter test value 0 {} 4\n",
      local_bytes / 4, words - 1, clause, vliw_constant_bytes);
}

// "T2.X" to its row, "KC0[2].Y" to its dword of the constant buffer; ~0 for anything else.
struct Spot {
  bool constant = false;
  u32 index = ~u32{0};
};
Spot spot_of(const std::string& place) {
  const auto slot = vliw::parse_slot("MOV * T0.X, " + place);
  if (!slot || slot->operands.size() != 2) return {};
  const vliw::SlotOperand& operand = slot->operands[1];
  const u32 index = 4 * operand.index + operand.channel;
  if (operand.bank == vliw::Bank::general) return {false, index};
  if (operand.bank == vliw::Bank::constant) return {true, index};
  return {};
}

// Bytes of local memory, of the buffer or of texels; what is named is the same in `expected` afterwards.
std::string byte_differences(const Setting& setting, const std::vector<u8>& after,
                             std::vector<u8>& expected) {
  std::string story;
  for (u32 i = 0; i < setting.values.size(); ++i) {
    const std::size_t at = setting.index + std::size_t{4} * i;
    if (at + 4 > after.size()) return fmt::format("  * {}: beyond the memory\n", setting.place);
    u32 is = 0, was = 0;
    std::memcpy(&is, after.data() + at, 4);
    std::memcpy(&was, expected.data() + at, 4);
    if (!matches(setting.values[i], is, was, i, 4))
      story += fmt::format("  * {}: dword {} is {:#x}, expected {:#x}\n", setting.place, i, is,
                           contents(setting.values[i], i, 4));
    std::memcpy(expected.data() + at, &is, 4);
  }
  return story;
}

std::string differences(const Case& entry, const VliwState& before, const VliwState& after, u32 rows) {
  static const Value keep{Value::Kind::keep, Value::Format::integer, 0, 0};
  std::string story;
  VliwState expected = before;
  for (const Setting& setting : entry.after) {
    if (setting.where == Setting::Where::memory) {
      story += byte_differences(setting, after.memory, expected.memory);
      continue;
    }
    if (setting.where == Setting::Where::local) {
      story += byte_differences(setting, after.local, expected.local);
      continue;
    }
    if (setting.where == Setting::Where::scalar) {
      if (after.exec != setting.values[0].bits)
        story += fmt::format("  * {}: is {:#x}, expected {:#x}\n", setting.place, after.exec,
                             setting.values[0].bits);
      continue;
    }
    const Spot spot = spot_of(setting.place);
    if (spot.constant || spot.index >= rows) return "  * no register is called " + setting.place + "\n";
    bool told = false;
    for (u32 lane = 0; lane < lanes; ++lane) {
      const std::size_t at = std::size_t{spot.index} * lanes + lane;
      const u32 was = before.registers[at], is = after.registers[at];
      const bool active = ((before.exec >> lane) & 1) != 0;
      const Value& value = lane < setting.values.size() ? setting.values[lane]
                           : active                     ? setting.values.back()
                                                        : keep;
      expected.registers[at] = is;
      if (told || matches(value, is, was, lane, 4)) continue;
      told = true;
      story += fmt::format("  * {} lane {}: is {:#x}, was {:#x}, expected {:#x}\n", setting.place, lane, is,
                           was, contents(value, lane, 4));
    }
  }
  for (u32 row = 0; row < rows; ++row) {
    const std::ptrdiff_t at = std::ptrdiff_t{row} * lanes;
    if (!std::equal(expected.registers.begin() + at, expected.registers.begin() + at + lanes,
                    after.registers.begin() + at))
      story += fmt::format("  * T{}.{} changed\n", row / 4, "XYZW"[row % 4]);
  }
  if (expected.local != after.local) story += "  * local memory changed\n";
  if (expected.memory != after.memory) story += "  * memory changed\n";
  return story;
}

// What the case says the wave begins with.
void start_of(const Case& entry, VliwState& state, u32 rows) {
  const auto set_bytes = [](const Setting& setting, std::vector<u8>& to) {
    for (u32 i = 0; i < setting.values.size(); ++i) {
      const u32 value = static_cast<u32>(contents(setting.values[i], i, 4));
      const std::size_t at = setting.index + std::size_t{4} * i;
      if (at + 4 <= to.size()) std::memcpy(to.data() + at, &value, 4);
    }
  };
  for (const Setting& setting : entry.before) {
    if (setting.where == Setting::Where::scalar) {
      state.exec = setting.values[0].bits;
    } else if (setting.where == Setting::Where::local) {
      set_bytes(setting, state.local);
    } else if (setting.where == Setting::Where::memory) {
      set_bytes(setting, state.memory);
    } else if (const Spot spot = spot_of(setting.place); !spot.constant && spot.index < rows) {
      for (u32 lane = 0; lane < lanes; ++lane) {
        const Value& value = setting.values[std::min<std::size_t>(lane, setting.values.size() - 1)];
        state.registers[std::size_t{spot.index} * lanes + lane] = static_cast<u32>(contents(value, lane, 4));
      }
    }
  }
}

// "image:2d" is width, height, channel order and type as exec/image.h numbers them; "mem" are its texels, one
// behind the other. Other cases have a buffer there.
std::optional<ImageDescription> image_of(const Case& entry) {
  const Setting* form = named(entry, "image:2d");
  if (form == nullptr) return std::nullopt;
  ImageDescription description;
  description.width = form->values[0].bits;
  description.height = form->values[1].bits;
  description.format = {static_cast<ChannelOrder>(form->values[2].bits),
                        static_cast<ChannelType>(form->values[3].bits)};
  return description;
}

std::vector<u8> constants_of(const Case& entry) {
  std::vector<u8> bytes(vliw_constant_bytes);
  for (const Setting& setting : entry.before) {
    const Spot spot = spot_of(setting.place);
    if (!spot.constant || setting.where != Setting::Where::named) continue;
    const u32 bits = static_cast<u32>(contents(setting.values[0], 0, 4));
    const u32 at = 4 * spot.index - vliw::implicit_bytes;
    if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at, &bits, 4);
  }
  return bytes;
}

std::string run(const Case& entry, const Module& module, Way way) {
  VliwRun run(module, constants_of(entry), image_of(entry), way == Way::checked);
  if (!run.problem().empty()) return run.problem();
  VliwState before = run.state();
  start_of(entry, before, run.rows());
  run.set(before);
  std::string story;
  const auto fault = run.execute(way, story);
  if (!story.empty()) return story;
  if (fault) return compare_message(entry.faults, to_string(*fault), "run");
  if (!entry.faults.empty()) return "  * it runs without a fault\n";
  return differences(entry, before, run.state(), run.rows()) +
         (way == Way::checked ? compare_alarms(entry, run.alarms()) : "");
}

// Marks some bits of some registers as undefined, in each round fewer. Global memory knows bytes alone, so
// that what is stored there is so as a whole; texels, too, of which all or none are undefined: one counts as
// written where any of its bytes is.
void undefine(VliwState& state, u32 round, bool stores, bool image, std::mt19937_64& random) {
  const u32 rarely = 2 + round * round / 2;
  const bool registers = random() % 4 != 0;
  bool chosen = false;
  std::array<bool, lanes> chosen_lanes{};
  for (std::size_t row = 0; row * lanes < state.registers.size(); ++row) {
    const bool again = image && row % 4 != 0;  // the register's other channels
    if (!again) chosen = registers && random() % 2 == 0;
    for (u32 lane = 0; lane < lanes; ++lane) {
      const u32 bits = stores || random() % 2 == 0 ? ~u32{0} : static_cast<u32>(random() & random());
      if (!again) chosen_lanes[lane] = random() % rarely == 0;
      state.registers[row * lanes + lane] = chosen && chosen_lanes[lane] ? bits : 0;
    }
  }
  const auto some = [&](std::vector<u8>& bytes, u64 chance) {
    for (u8& byte : bytes) byte = random() % chance == 0 ? 0xFF : 0;
  };
  some(state.local, random() % 2 == 0 ? rarely : ~u64{0});
  if (image)
    std::fill(state.memory.begin(), state.memory.end(), random() % 2 == 0 ? u8{0xFF} : u8{0});
  else
    some(state.memory, random() % 2 == 0 ? rarely : ~u64{0});
  state.predicate = random() % 3 == 0 ? random() & random() : 0;
}

std::string different(const VliwState& one, const VliwState& two, const VliwState& left) {
  for (std::size_t i = 0; i < one.registers.size(); ++i)
    if (((one.registers[i] ^ two.registers[i]) & ~left.registers[i]) != 0)
      return fmt::format(
          "  * T{}.{} lane {}: is {:#x}, and {:#x} with other undefined bits; {:#x} count as such\n",
          i / lanes / 4, "XYZW"[i / lanes % 4], i % lanes, one.registers[i], two.registers[i],
          left.registers[i]);
  const auto compare = [](const char* name, const std::vector<u8>& a, const std::vector<u8>& b,
                          const std::vector<u8>& bits) -> std::string {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (((a[i] ^ b[i]) & ~bits[i]) != 0)
        return fmt::format(
            "  * byte {} of {}: is {:#x}, and {:#x} with other undefined bits; {:#x} count as such\n", i,
            name, a[i], b[i], bits[i]);
    return {};
  };
  std::string story = compare("local memory", one.local, two.local, left.local);
  story += compare("memory", one.memory, two.memory, left.memory);
  if (((one.predicate ^ two.predicate) & ~left.predicate & one.exec) != 0)
    story += "  * PredicateBit has other lanes with other undefined bits\n";
  if (one.exec != two.exec) story += "  * other lanes run with other undefined bits\n";
  return story;
}

// Bits of registers and memory that count as undefined may hold anything: what counts as defined afterwards
// is the same. Of several runs those in which the checker found nothing to report show it.
std::string vary(const Case& entry, const Module& module) {
  std::mt19937_64 random(entry.name.size());
  const auto image = image_of(entry);
  const std::vector<u8> constants = constants_of(entry);
  for (u32 round = 0; round < 24; ++round) {
    VliwRun checked(module, constants, image, true), other(module, constants, image, false);
    VliwState start = checked.state();
    start_of(entry, start, checked.rows());
    VliwState undefined = start, varied = start;
    undefine(undefined, round, entry.code[0].starts_with("MEM_RAT"), image.has_value(), random);
    for (std::size_t i = 0; i < varied.registers.size(); ++i)
      varied.registers[i] ^= static_cast<u32>(random()) & undefined.registers[i];
    for (std::size_t i = 0; i < varied.local.size(); ++i)
      varied.local[i] ^= static_cast<u8>(random()) & undefined.local[i];
    for (std::size_t i = 0; i < varied.memory.size(); ++i)
      varied.memory[i] ^= static_cast<u8>(random()) & undefined.memory[i];
    varied.predicate ^= random() & undefined.predicate;
    checked.set(start);
    checked.undefine(undefined);
    other.set(varied);
    std::string unused;
    if (checked.execute(Way::checked, unused) || other.execute(Way::functional, unused) ||
        !checked.alarms().empty())
      continue;
    std::string story = different(checked.state(), other.state(), checked.undefined());
    if (!story.empty()) return story;
  }
  return {};
}

}  // namespace

std::string run_vliw_case(const Case& entry, const std::string& target_name) {
  const Target* target = find_target(target_name);
  const std::string text = kernel_text(entry);
  const auto module = vliw::load_module(text, *target, "case.s");
  std::string story;
  if (!module) {
    story = compare_message(entry.refused, to_string(module.error()), "loader");
  } else if (!entry.refused.empty()) {
    story = "  * it is not refused\n";
  } else {
    for (const Way way : every_way) {
      const std::string wrong = run(entry, **module, way);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
    }
    const std::string wrong = vary(entry, **module);
    if (!wrong.empty()) story += fmt::format("  undefined bits:\n{}", wrong);
  }
  return story.empty() ? story : story + "  kernel:\n" + text;
}

}  // namespace lockstep::cases
