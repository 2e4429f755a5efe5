#include "cases/gen_execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cases/messages.h"
#include "cases/ways.h"
#include "exec/group.h"
#include "exec/launch.h"
#include "isa/gen/module.h"
#include "isa/gen/register_use.h"
#include "isa/gen/syntax.h"
#include "isa/gen/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 local_bytes = 1024, memory_bytes = 4096, instruction_bytes = 16;

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
      entry.lanes == 0 ? 16 : entry.lanes, local_bytes, code, address);
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

struct State {
  std::vector<u8> registers, local, memory;
  u64 exec = 0;
};

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

std::string differences(const Case& entry, const State& before, const State& after, u32 lanes) {
  std::string story;
  State expected = before;
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
std::string unsaid(const Module& module, const Program& program, const State& before, const State& after) {
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

std::string run(const Case& entry, const Module& module, Way way) {
  DeviceMemory memory(u64{1} << 24);
  const auto buffer = memory.allocate(memory_bytes, 4096, "memory");
  if (!buffer) return to_string(buffer.error()) + "\n";
  u8* bytes = memory.view().at(*buffer);
  std::fill_n(bytes, memory_bytes, u8{0});
  ArgumentValue argument;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &*buffer, 8);
  const Program* program = module.find("test");
  const u32 lanes = program->needs.wave_lanes;
  NdRange range;
  range.global[0] = range.local[0] = lanes;
  const auto launch = PreparedLaunch::make(memory, module, *program, range, std::span(&argument, 1), 1);
  if (!launch) return to_string(launch.error()) + "\n";
  Group group;
  const u32 slot = 0;
  group.begin(**launch, 0, std::span(&slot, 1));
  WaveState& wave = group.waves[0];
  u8* registers = gen::bytes_of(wave);
  const auto set = [&](u8* to, const Value& value, u32 i, u32 size) {
    const u64 bits = contents(value, i, size);
    std::memcpy(to, &bits, size);
  };
  for (const Setting& setting : entry.before) {
    if (setting.where == Setting::Where::scalar) {
      wave.set_exec(setting.values[0].bits & wave.all_lanes());
    } else if (setting.where == Setting::Where::local || setting.where == Setting::Where::memory) {
      u8* to = setting.where == Setting::Where::local ? wave.local.data() : bytes;
      for (u32 i = 0; i < setting.values.size(); ++i)
        set(to + setting.index + std::size_t{4} * i, setting.values[i], i, 4);
    } else if (const auto spot = spot_of(setting.place)) {
      const u32 count = setting.values.size() == 1 && setting.place[0] != 'r' ? 1 : lanes;
      for (u32 i = 0; i < count; ++i)
        set(registers + spot->offset + std::size_t{spot->step} * i,
            setting.values[std::min<std::size_t>(i, setting.values.size() - 1)], i, spot->bytes);
    } else {
      return fmt::format("  * no register is called {}\n", setting.place);
    }
  }
  // The dispatcher's work comes with the first instruction; here it is done already.
  gen::gen(wave).begun = true;
  std::memcpy(registers + 64, &*buffer, 8);
  const auto state = [&] {
    State made;
    made.registers.assign(registers, registers + gen::file::symbols);
    made.local.assign(wave.local.begin(), wave.local.end());
    made.memory.assign(bytes, bytes + memory_bytes);
    made.exec = wave.exec();
    return made;
  };
  const State before = state();
  Record record;
  const auto fault = step_group(**launch, group, nullptr, way == Way::timed ? &record : nullptr, 10000);
  if (fault) return compare_message(entry.faults, to_string(*fault), "run");
  if (!entry.faults.empty()) return "  * it runs without a fault\n";
  const State after = state();
  return differences(entry, before, after, lanes) + unsaid(module, *program, before, after);
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
    for (const Way way : {Way::functional, Way::timed}) {
      const std::string wrong = run(entry, **module, way);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
    }
  }
  return story.empty() ? story : story + "  kernel:\n" + text;
}

}  // namespace lockstep::cases
