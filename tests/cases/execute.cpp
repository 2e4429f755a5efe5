#include "cases/execute.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "isa/amd/decode.h"
#include "isa/amd/dual.h"
#include "isa/amd/text.h"
#include "isa/step.h"
#include "isa/wave.h"
#include "machine/target.h"

namespace lockstep::cases {
namespace {

constexpr u32 vector_rows = 512, most_steps = 100'000;

struct World {
  WaveState wave;
  std::vector<u8> memory = std::vector<u8>(buffer_bytes + std::size_t{private_bytes_per_lane} * most_lanes);
  std::vector<u8> local = std::vector<u8>(local_bytes);
};

u32 read_word(const std::vector<u8>& bytes, u32 offset) {
  u32 word;
  std::memcpy(&word, bytes.data() + offset, 4);
  return word;
}

// Reads what a setting names; `lane` counts dwords for memory.
u64 read_place(const World& world, const Setting& setting, u32 lane) {
  const WaveState& wave = world.wave;
  switch (setting.where) {
    case Setting::Where::vector: {
      const u64 low = wave.row(setting.index)[lane];
      return setting.registers == 2 ? low | u64{wave.row(setting.index + 1)[lane]} << 32 : low;
    }
    case Setting::Where::scalar:
      return setting.registers == 2 ? wave.read_scalar64(setting.index) : wave.read_scalar(setting.index);
    case Setting::Where::scc:
      return wave.scc;
    case Setting::Where::mode:
      return wave.mode;
    case Setting::Where::ieee:
      return wave.ieee_mode;
    case Setting::Where::dx10_clamp:
      return wave.dx10_clamp;
    case Setting::Where::local:
      return read_word(world.local, setting.index + 4 * lane);
    case Setting::Where::memory:
      return read_word(world.memory, setting.index + 4 * lane);
    case Setting::Where::named:
      break;
  }
  return 0;
}

void write_place(World& world, const Setting& setting, u32 lane, u64 bits) {
  WaveState& wave = world.wave;
  const u32 word = static_cast<u32>(bits);
  switch (setting.where) {
    case Setting::Where::vector:
      wave.row(setting.index)[lane] = word;
      if (setting.registers == 2) wave.row(setting.index + 1)[lane] = static_cast<u32>(bits >> 32);
      break;
    case Setting::Where::scalar:
      wave.write_scalar(setting.index, word);
      if (setting.registers == 2) wave.write_scalar(setting.index + 1, static_cast<u32>(bits >> 32));
      break;
    case Setting::Where::scc:
      wave.scc = word != 0;
      break;
    case Setting::Where::mode:
      wave.mode = word;
      break;
    case Setting::Where::ieee:
      wave.ieee_mode = word != 0;
      break;
    case Setting::Where::dx10_clamp:
      wave.dx10_clamp = word != 0;
      break;
    case Setting::Where::local:
      std::memcpy(world.local.data() + setting.index + 4 * lane, &word, 4);
      break;
    case Setting::Where::memory:
      std::memcpy(world.memory.data() + setting.index + 4 * lane, &word, 4);
      break;
    case Setting::Where::named:
      break;
  }
}

bool is_memory(const Setting& setting) {
  return setting.where == Setting::Where::local || setting.where == Setting::Where::memory;
}

// How many lanes (dwords of memory, one for the rest) the setting covers.
u32 extent(const Setting& setting, u32 lanes) {
  if (setting.where == Setting::Where::vector) return lanes;
  return is_memory(setting) ? static_cast<u32>(setting.values.size()) : 1;
}

std::string check_bounds(const Setting& setting) {
  if (setting.where == Setting::Where::named)
    return fmt::format("{} is a place of PTX cases\n", setting.place);
  const u64 end = setting.index + 4 * u64{extent(setting, 0)};
  if (is_memory(setting) &&
      (end > (setting.where == Setting::Where::local ? local_bytes : buffer_bytes) || setting.index % 4 != 0))
    return fmt::format("{} is outside of the memory or not a multiple of 4\n", setting.place);
  if (setting.where == Setting::Where::vector && setting.index + setting.registers > vector_rows)
    return fmt::format("{} is no register\n", setting.place);
  if (setting.where == Setting::Where::scalar &&
      setting.index + setting.registers > scalar_register::first_free)
    return fmt::format("{} is no register\n", setting.place);
  return {};
}

void prepare(World& world, const Case& entry, u32 lanes) {
  WaveState& wave = world.wave;
  wave.allocate(lanes, vector_rows, amd::scalar_registers);
  wave.set_exec(wave.all_lanes());
  wave.valid_lanes = wave.all_lanes();
  wave.write_scalar64(2, buffer_address);
  wave.local = world.local;
  wave.private_base = buffer_address + buffer_bytes;
  wave.private_bytes_per_lane = private_bytes_per_lane;
  for (const Setting& setting : entry.before) {
    for (u32 lane = 0; lane < extent(setting, lanes); ++lane) {
      const Value& value = setting.values[std::min<std::size_t>(lane, setting.values.size() - 1)];
      write_place(world, setting, lane, contents(value, lane, 4 * setting.registers));
    }
  }
}

struct Code {
  std::vector<Instruction> instructions;
  std::vector<u32> line;  // of each instruction: a VOPD pair has two on one line
};

std::string decode_all(const Assembled& assembled, const Target& target, u32 lanes, Code& out) {
  std::vector<Instruction>& code = out.instructions;
  std::map<u64, u32> index_of;
  for (const AssembledLine& line : assembled.lines) {
    const u32 number = static_cast<u32>(&line - assembled.lines.data());
    const amd::Encoded encoded{line.text, line.words, line.address};
    if (amd::is_dual(line.text)) {
      auto pair = amd::decode_dual(encoded, target);
      if (!pair) return to_string(pair.error()) + "\n";
      (*pair)[0].run = amd::run_dual;
      (*pair)[1].run = run_function(*(*pair)[1].meaning, lanes);
      index_of[line.address] = static_cast<u32>(code.size());
      code.insert(code.end(), pair->begin(), pair->end());
      out.line.insert(out.line.end(), 2, number);
      continue;
    }
    auto decoded = amd::decode(encoded, target);
    if (!decoded) return to_string(decoded.error()) + "\n";
    out.line.push_back(number);
    decoded->run = run_function(*decoded->meaning, lanes);
    if (decoded->run == nullptr) return fmt::format("'{}' has no function for {} lanes\n", line.text, lanes);
    index_of[line.address] = static_cast<u32>(code.size());
    code.push_back(*decoded);
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    Instruction& instruction = code[i];
    if (instruction.cost != Cost::branch || instruction.operand[1].kind != OperandKind::immediate) continue;
    const u64 address = instruction.operand[1].value;
    const auto found = index_of.find(address);
    // A branch behind the last instruction ends the case.
    instruction.target = found != index_of.end() ? found->second : static_cast<u32>(code.size());
  }
  return {};
}

std::string step_all(World& world, const Code& all, const Assembled& assembled) {
  const std::vector<Instruction>& code = all.instructions;
  StepContext context;
  context.global = {world.memory.data(), buffer_address, world.memory.size()};
  std::vector<u32> index_of_word;
  if (!assembled.lines.empty()) {
    const u64 first = assembled.lines.front().address;
    context.text_address = first;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (i != 0 && all.line[i] == all.line[i - 1]) continue;
      const AssembledLine& line = assembled.lines[all.line[i]];
      index_of_word.resize((line.address - first) / 4, ~u32{0});
      index_of_word.push_back(static_cast<u32>(i));
      index_of_word.resize(index_of_word.size() + line.words.size() - 1, ~u32{0});
    }
    context.index_of_word = index_of_word.data();
    context.text_words = index_of_word.size();
  }
  WaveState& wave = world.wave;
  for (u32 steps = 0; wave.pc < code.size(); ++steps) {
    if (steps == most_steps) return "endless loop\n";
    const Instruction& instruction = code[wave.pc];
    const u32 at = wave.pc++;
    instruction.run(wave, instruction, context);
    ++wave.instructions;
    if (context.event == Event::fault) {
      return fmt::format("fault {} at '{}', lane {}, address {:#x} {}\n",
                         static_cast<int>(context.fault.kind), assembled.lines[all.line[at]].text,
                         context.fault.lane, context.fault.address, context.fault.text);
    }
    if (context.event == Event::end) break;
    context.event = Event::none;
  }
  return {};
}

std::string show(u64 bits, u32 bytes) {
  return fmt::format("{:#0{}x}", bits, 2 * bytes + 2);
}
std::string show(const Value& value, u32 lane, u32 bytes) {
  const std::string_view format = value.format == Value::Format::f16   ? "f16"
                                  : value.format == Value::Format::f32 ? "f32"
                                                                       : "f64";
  switch (value.kind) {
    case Value::Kind::anything:
      return "anything";
    case Value::Kind::keep:
      return "as before";
    case Value::Kind::any_nan:
      return fmt::format("a NaN of {}", format);
    case Value::Kind::near:
      return fmt::format("{} within {} ulp", show(value.bits, bytes), value.tolerance);
    default:
      return show(contents(value, lane, bytes), bytes);
  }
}

const Value keep_value{Value::Kind::keep, Value::Format::integer, 0, 0};

// What the case asks of this lane. The last value goes on over the other active lanes; inactive lanes keep
// theirs.
const Value& expected(const Setting& setting, u32 lane, u64 active) {
  if (lane < setting.values.size()) return setting.values[lane];
  if (setting.where == Setting::Where::vector && ((active >> lane) & 1) == 0) return keep_value;
  return setting.values.back();
}

std::string compare_named(const World& before, const World& after, const Case& entry) {
  std::string story;
  const u32 lanes = after.wave.lanes;
  const u64 active = before.wave.exec();
  for (const Setting& setting : entry.after) {
    const u32 bytes = 4 * setting.registers;
    int shown = 0;
    for (u32 lane = 0; lane < extent(setting, lanes); ++lane) {
      const Value& value = expected(setting, lane, active);
      const u64 old = read_place(before, setting, lane), now = read_place(after, setting, lane);
      if (matches(value, now, old, lane, bytes)) continue;
      if (++shown > 4) continue;
      story += fmt::format("  * {}", setting.place);
      if (setting.where == Setting::Where::vector) story += fmt::format(" lane {}", lane);
      if (is_memory(setting)) story += fmt::format(" + {}", 4 * lane);
      story += fmt::format(": is {}, was {}, expected {}\n", show(now, bytes), show(old, bytes),
                           show(value, lane, bytes));
    }
    if (shown > 4) story += fmt::format("    and {} more in {}\n", shown - 4, setting.place);
  }
  return story;
}

// Whatever `after` does not name must be as before.
std::string compare_rest(const World& before, const World& after, const Case& entry) {
  std::string story;
  const auto named = [&](Setting::Where where, u32 index, u32 unit) {
    for (const Setting& setting : entry.after) {
      const u32 size = is_memory(setting) ? 4 * static_cast<u32>(setting.values.size()) : setting.registers;
      if (setting.where == where && index + unit > setting.index && index < setting.index + size) return true;
    }
    return false;
  };
  const u32 lanes = after.wave.lanes;
  for (u32 index = 0; index < vector_rows; ++index) {
    if (named(Setting::Where::vector, index, 1)) continue;
    for (u32 lane = 0; lane < lanes; ++lane) {
      const u32 old = before.wave.row(index)[lane], now = after.wave.row(index)[lane];
      if (old == now) continue;
      story += fmt::format("  * v{} lane {}: is {:#x}, was {:#x}, must not change\n", index, lane, now, old);
      break;
    }
  }
  for (u32 index = 0; index < scalar_register::first_free; ++index) {
    const u32 old = before.wave.read_scalar(index), now = after.wave.read_scalar(index);
    if (old == now || named(Setting::Where::scalar, index, 1)) continue;
    story += fmt::format("  * s{}: is {:#x}, was {:#x}, must not change\n", index, now, old);
  }
  if (before.wave.scc != after.wave.scc && !named(Setting::Where::scc, 0, 1))
    story += "  * scc must not change\n";
  for (u32 offset = 0; offset < buffer_bytes; offset += 4) {
    const u32 old = read_word(before.memory, offset), now = read_word(after.memory, offset);
    if (old == now || named(Setting::Where::memory, offset, 4)) continue;
    story += fmt::format("  * mem[{:#x}]: is {:#x}, was {:#x}, must not change\n", offset, now, old);
  }
  for (u32 offset = 0; offset < local_bytes; offset += 4) {
    const u32 old = read_word(before.local, offset), now = read_word(after.local, offset);
    if (old == now || named(Setting::Where::local, offset, 4)) continue;
    story += fmt::format("  * lds[{:#x}]: is {:#x}, was {:#x}, must not change\n", offset, now, old);
  }
  return story;
}

std::string listing(const Assembled& assembled) {
  std::string text;
  for (const AssembledLine& line : assembled.lines) {
    text += "    " + line.text + "    ;";
    for (const u32 word : line.words) text += fmt::format(" {:08x}", word);
    text += "\n";
  }
  return text;
}

std::string inputs(const World& before, const Case& entry) {
  std::string text;
  for (const Setting& setting : entry.before) {
    text += "    " + setting.place + " =";
    const u32 count = std::min<u32>(extent(setting, before.wave.lanes), 8);
    for (u32 lane = 0; lane < count; ++lane)
      text += " " + show(read_place(before, setting, lane), 4 * setting.registers);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string run_case(const Case& entry, const std::string& target_name, const Assembled& assembled) {
  if (!assembled.error.empty()) return "the assembler refuses it: " + assembled.error;
  const Target* target = find_target(target_name);
  if (target == nullptr) return fmt::format("no target is called {}\n", target_name);
  for (const auto* list : {&entry.before, &entry.after}) {
    for (const Setting& setting : *list) {
      const std::string problem = check_bounds(setting);
      if (!problem.empty()) return problem;
    }
  }
  const u32 lanes = entry.lanes != 0 ? entry.lanes : target->default_width;
  World before, after;
  prepare(before, entry, lanes);
  prepare(after, entry, lanes);
  Code code;
  std::string story = decode_all(assembled, *target, lanes, code);
  if (story.empty()) story = step_all(after, code, assembled);
  if (story.empty()) story = compare_named(before, after, entry) + compare_rest(before, after, entry);
  if (story.empty()) return {};
  return story + "  code:\n" + listing(assembled) + "  before:\n" + inputs(before, entry);
}

}  // namespace lockstep::cases
