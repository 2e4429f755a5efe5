#include "cases/gen_execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "cases/gen_run.h"
#include "cases/messages.h"
#include "cases/ways.h"
#include "isa/gen/module.h"
#include "isa/gen/register_use.h"
#include "isa/gen/syntax.h"
#include "isa/gen/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 local_bytes = 1024, instruction_bytes = 16;

u32 lanes_of(const Case& entry) {
  return entry.lanes == 0 ? 16 : entry.lanes;
}

// A kernel of the case's instructions, 16 bytes each; "Lname:" lines stand for addresses. Its buffer's
// address is in r2.0:uq, and binding table entry 0 has it too.
std::string kernel_text(const Case& entry) {
  u32 address = 0;
  std::vector<std::pair<std::string, u32>> labels;
  for (const std::string& line : entry.code) {
    if (line.ends_with(':'))
      labels.emplace_back(line.substr(0, line.size() - 1), address);
    else
      address += instruction_bytes;
  }
  std::string code;
  address = 0;
  for (std::string line : entry.code) {
    if (line.ends_with(':')) continue;
    for (const auto& [name, at] : labels) {
      for (std::size_t found = line.find(name); found != line.npos; found = line.find(name, found + 1))
        line.replace(found, name.size(), fmt::format("L{}", at));
    }
    code += fmt::format("/* [{:04X}] */ {}\n", address, line);
    address += instruction_bytes;
  }
  return fmt::format(
      "//@lockstep gen 1\n//@lockstep info kernels:\n//@lockstep info   - name: test\n"
      "//@lockstep info     execution_env:\n//@lockstep info       grf_count: 128\n"
      "//@lockstep info       simd_size: {0}\n//@lockstep info       slm_size: {1}\n"
      "//@lockstep info     payload_arguments:\n"
      "//@lockstep info       - arg_type: arg_bypointer\n//@lockstep info         offset: 0\n"
      "//@lockstep info         size: 0\n//@lockstep info         arg_index: 0\n"
      "//@lockstep info         addrmode: stateful\n//@lockstep info         addrspace: global\n"
      "//@lockstep info       - arg_type: buffer_address\n//@lockstep info         offset: 32\n"
      "//@lockstep info         size: 8\n//@lockstep info         arg_index: 0\n"
      "//@lockstep info     binding_table_indices:\n//@lockstep info       - bti_value: 0\n"
      "//@lockstep info         arg_index: 0\n"
      "//@lockstep kernel test\n{2}/* [{3:04X}] */ (W) send (8|M0) null r127 0x27 0x02000010 {{EOT}}\n",
      lanes_of(entry), local_bytes, code, address);
}

// "r10:d": the register's elements from its first on, one a channel. "f0:ud", "a0:uw", "r5.2:uq" likewise.
struct Spot {
  u32 offset = 0, bytes = 0, step = 0;
};
std::optional<Spot> spot_of(const std::string& place) {
  const auto line = gen::parse_line("mov (1|M0) null:ud " + place);
  if (!line || line->operands.size() != 2) return std::nullopt;
  const gen::OperandText& operand = line->operands[1];
  Spot spot;
  spot.bytes = gen::bytes_of(operand.type);
  spot.step = spot.bytes * (operand.values == 1 ? operand.region[0] : 1);
  switch (operand.bank) {
    case gen::Bank::general:
      spot.offset = gen::file::register_bytes * operand.number + operand.element * spot.bytes;
      return spot;
    case gen::Bank::address:
      spot.offset = gen::file::address + operand.element * spot.bytes;
      return spot;
    case gen::Bank::flag:
      spot.offset = gen::file::flag + 4 * operand.number + 2 * operand.element;
      return spot;
    case gen::Bank::control:
      spot.offset = gen::file::control + operand.element * spot.bytes;
      return spot;
    default:
      return std::nullopt;
  }
}

u64 read(const u8* from, u32 bytes) {
  u64 value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

std::string memory_differences(const Setting& setting, const std::vector<u8>& after,
                               std::vector<u8>& expected) {
  std::string story;
  for (u32 i = 0; i < setting.values.size(); ++i) {
    const std::size_t at = setting.index + std::size_t{4} * i;
    if (at + 4 > after.size()) return fmt::format("  * {}: beyond the memory\n", setting.place);
    const u64 is = read(after.data() + at, 4);
    if (!matches(setting.values[i], is, read(expected.data() + at, 4), i, 4))
      story += fmt::format("  * {}: dword {} is {:#x}, expected {:#x}\n", setting.place, i, is,
                           contents(setting.values[i], i, 4));
    std::copy_n(after.begin() + static_cast<std::ptrdiff_t>(at), 4,
                expected.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return story;
}

std::string differences(const Case& entry, const GenState& before, const GenState& after, u32 lanes) {
  std::string story;
  GenState expected = before;
  for (const Setting& setting : entry.after) {
    if (setting.where == Setting::Where::local) {
      story += memory_differences(setting, after.local, expected.local);
    } else if (setting.where == Setting::Where::memory) {
      story += memory_differences(setting, after.memory, expected.memory);
    } else if (setting.where == Setting::Where::scalar) {
      if (after.exec != setting.values[0].bits)
        story += fmt::format("  * {}: is {:#x}, expected {:#x}\n", setting.place, after.exec,
                             setting.values[0].bits);
      expected.exec = after.exec;
    } else {
      const auto spot = spot_of(setting.place);
      if (!spot) return fmt::format("  * no register is called {}\n", setting.place);
      const u32 count = setting.values.size() == 1 && setting.place[0] != 'r' ? 1 : lanes;
      for (u32 i = 0; i < count; ++i) {
        const std::size_t at = spot->offset + std::size_t{spot->step} * i;
        const Value& value = setting.values[std::min<std::size_t>(i, setting.values.size() - 1)];
        const u64 is = read(after.registers.data() + at, spot->bytes),
                  was = read(before.registers.data() + at, spot->bytes);
        std::copy_n(after.registers.begin() + static_cast<std::ptrdiff_t>(at), spot->bytes,
                    expected.registers.begin() + static_cast<std::ptrdiff_t>(at));
        if (matches(value, is, was, i, spot->bytes)) continue;
        story += fmt::format("  * {} channel {}: is {:#x}, was {:#x}, expected {:#x}\n", setting.place, i, is,
                             was, contents(value, i, spot->bytes));
      }
    }
  }
  for (std::size_t at = 0; at < expected.registers.size(); at += 4) {
    if (std::memcmp(expected.registers.data() + at, after.registers.data() + at, 4) == 0) continue;
    story += fmt::format("  * byte {} of r{} changed: is {:#x}\n", at % 32, at / 32,
                         read(after.registers.data() + at, 4));
    break;
  }
  if (expected.local != after.local) story += "  * local memory changed\n";
  if (expected.memory != after.memory) story += "  * memory changed\n";
  if (expected.exec != after.exec) story += fmt::format("  * the channels that run are {:#x}\n", after.exec);
  return story;
}

// Registers that changed and of which no instruction says that it writes them.
std::string unsaid(const Module& module, const Program& program, const GenState& before,
                   const GenState& after) {
  RegisterUse use;
  for (u32 i = program.entry; i < program.end; ++i) {
    RegisterUse own;
    module.isa->register_use(program, module.code.instructions[i], own);
    for (const RegisterRange& range : own.ranges())
      if (range.written && range.file == RegisterFile::vector)
        use.write(range.file, range.first, range.count);
  }
  for (u32 number = 0; number < gen::file::registers; ++number) {
    const std::size_t at = std::size_t{gen::file::register_bytes} * number;
    const bool changed = std::memcmp(before.registers.data() + at, after.registers.data() + at, 32) != 0;
    if (changed && !use.writes(RegisterFile::vector, number))
      return fmt::format("  * r{} changed, and no instruction says that it writes it\n", number);
  }
  return {};
}

// Marks some bits as undefined, in each round fewer.
void undefine(GenState& state, u32 round, std::mt19937_64& random) {
  const u32 rarely = 2 + round * round / 2;
  const auto some = [&](std::vector<u8>& bytes, std::size_t first, std::size_t end, bool whole) {
    bytes.assign(bytes.size(), 0);
    for (std::size_t at = first; at < end; at += 4) {
      if (random() % rarely != 0) continue;
      for (std::size_t i = at; i < at + 4; ++i)
        bytes[i] = whole || random() % 2 == 0 ? 0xFF : static_cast<u8>(random() & random());
    }
  };
  // What lies in front are the case's address and what the dispatcher gives.
  some(state.registers, std::size_t{10} * gen::file::register_bytes, gen::file::address, false);
  for (u32 i = 0; i < 8 && random() % 4 == 0; ++i)
    state.registers[gen::file::flag + i] = static_cast<u8>(random() & random());
  some(state.local, 0, state.local.size(), false);
  some(state.memory, 0, state.memory.size(), true);
}

// What the case says the wave begins with.
std::string start_of(const Case& entry, GenState& state) {
  const auto set = [&](std::vector<u8>& to, std::size_t at, const Value& value, u32 i, u32 size) {
    const u64 bits = contents(value, i, size);
    if (at + size <= to.size()) std::memcpy(to.data() + at, &bits, size);
  };
  for (const Setting& setting : entry.before) {
    if (setting.where == Setting::Where::scalar) {
      state.exec = setting.values[0].bits & state.exec;
    } else if (setting.where == Setting::Where::local || setting.where == Setting::Where::memory) {
      std::vector<u8>& to = setting.where == Setting::Where::local ? state.local : state.memory;
      for (u32 i = 0; i < setting.values.size(); ++i)
        set(to, setting.index + std::size_t{4} * i, setting.values[i], i, 4);
    } else if (const auto spot = spot_of(setting.place)) {
      const u32 count = setting.values.size() == 1 && setting.place[0] != 'r' ? 1 : lanes_of(entry);
      for (u32 i = 0; i < count; ++i)
        set(state.registers, spot->offset + std::size_t{spot->step} * i,
            setting.values[std::min<std::size_t>(i, setting.values.size() - 1)], i, spot->bytes);
    } else {
      return fmt::format("  * no register is called {}\n", setting.place);
    }
  }
  return {};
}

std::string run(const Case& entry, const Module& module, Way way) {
  GenRun run(module, way == Way::checked);
  if (!run.problem().empty()) return run.problem();
  GenState before = run.state();
  if (std::string wrong = start_of(entry, before); !wrong.empty()) return wrong;
  run.set(before);
  before = run.state();
  const auto fault = run.execute(way);
  if (fault) return compare_message(entry.faults, to_string(*fault), "run");
  if (!entry.faults.empty()) return "  * it runs without a fault\n";
  const GenState after = run.state();
  return differences(entry, before, after, lanes_of(entry)) +
         unsaid(module, *module.find("test"), before, after) +
         (way == Way::checked ? compare_alarms(entry, run.alarms()) : "");
}

// Bits of registers and memory that count as undefined may hold anything: what counts as defined afterwards
// is the same. Of several runs, with ever fewer undefined bits, those in which the checker found nothing to
// report show it.
std::string vary(const Case& entry, const Module& module) {
  std::mt19937_64 random(entry.name.size());
  for (u32 round = 0; round < 24; ++round) {
    GenRun checked(module, true), other(module, false);
    GenState start = checked.state();
    if (std::string wrong = start_of(entry, start); !wrong.empty()) return wrong;
    GenState undefined = start, varied = start;
    undefine(undefined, round, random);
    const auto vary_bytes = [&](std::vector<u8>& bytes, const std::vector<u8>& bits) {
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= static_cast<u8>(random()) & bits[i];
    };
    vary_bytes(varied.registers, undefined.registers);
    vary_bytes(varied.local, undefined.local);
    vary_bytes(varied.memory, undefined.memory);
    checked.set(start);
    checked.undefine(undefined);
    other.set(varied);
    if (checked.execute(Way::checked) || other.execute(Way::functional) || !checked.alarms().empty())
      continue;
    const GenState one = checked.state(), two = other.state(), left = checked.undefined();
    const auto compare = [&](const char* name, const std::vector<u8>& a, const std::vector<u8>& b,
                             const std::vector<u8>& bits) -> std::string {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (((a[i] ^ b[i]) & ~bits[i]) != 0)
          return fmt::format(
              "  * byte {} of {}: is {:#x}, and {:#x} with other undefined bits; {:#x} count as such\n", i,
              name, a[i], b[i], bits[i]);
      return {};
    };
    std::string story = compare("the registers", one.registers, two.registers, left.registers);
    story += compare("local memory", one.local, two.local, left.local);
    story += compare("memory", one.memory, two.memory, left.memory);
    if (one.exec != two.exec) story += "  * other channels run with other undefined bits\n";
    if (!story.empty()) return story;
  }
  return {};
}

}  // namespace

std::string gen_mnemonic(const std::string& line) {
  // Labels have names here, which are no operands to the parser.
  std::size_t begin = line.find_first_not_of(' ');
  if (line.ends_with(':') || begin == line.npos) return {};
  if (line[begin] == '(') begin = line.find_first_not_of(' ', line.find(')', begin) + 1);
  return begin == line.npos ? std::string() : line.substr(begin, line.find(' ', begin) - begin);
}

std::string run_gen_case(const Case& entry, const std::string& target_name) {
  const std::string text = kernel_text(entry);
  const auto module = gen::load_module(text, *find_target(target_name), "case.s");
  std::string story;
  if (!module) {
    story = compare_message(entry.refused, to_string(module.error()), "loader");
  } else if (!entry.refused.empty()) {
    story = "  * it is not refused\n";
  } else {
    for (const Way way : {Way::functional, Way::timed, Way::checked}) {
      const std::string wrong = run(entry, **module, way);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
    }
    const std::string wrong = vary(entry, **module);
    if (!wrong.empty()) story += fmt::format("  undefined bits:\n{}", wrong);
  }
  return story.empty() ? story : story + "  kernel:\n" + text;
}

}  // namespace lockstep::cases
