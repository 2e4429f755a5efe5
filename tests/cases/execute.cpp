#include "cases/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "cases/messages.h"
#include "cases/register_check.h"
#include "cases/ways.h"
#include "exec/check/checked_run.h"
#include "exec/check/shadow.h"
#include "isa/amd/decode.h"
#include "isa/amd/dual.h"
#include "isa/amd/interface.h"
#include "isa/amd/register_index.h"
#include "isa/amd/text.h"
#include "machine/target.h"

namespace lockstep::cases {
namespace {

constexpr u32 vector_rows = 512, most_steps = 100'000;

// What a case may name, before or after a run.
struct State {
  u32 lanes = 0;
  std::vector<u32> vector;  // rows of lanes
  std::vector<u32> scalar;
  bool scc = false, ieee_mode = true, dx10_clamp = true;
  u32 mode = 0;
  std::vector<u8> memory, private_memory, local;

  bool operator==(const State&) const = default;
};

u32 read_word(const std::vector<u8>& bytes, u32 offset) {
  u32 word;
  std::memcpy(&word, bytes.data() + offset, 4);
  return word;
}

void write_word(std::vector<u8>& bytes, u32 offset, u32 word) {
  std::memcpy(bytes.data() + offset, &word, 4);
}

// Lanes of private memory lie side by side, dword by dword.
u32 private_offset(u32 lanes, u32 offset, u32 lane) {
  return offset * lanes + 4 * lane;
}

// Reads what a setting names; `lane` counts dwords for memory.
u64 read_place(const State& state, const Setting& setting, u32 lane) {
  const auto row = [&](u32 index) { return u64{state.vector[std::size_t{index} * state.lanes + lane]}; };
  switch (setting.where) {
    case Setting::Where::vector:
      return setting.registers == 2 ? row(setting.index) | row(setting.index + 1) << 32 : row(setting.index);
    case Setting::Where::scalar: {
      const u64 low = state.scalar[setting.index];
      return setting.registers == 2 ? low | u64{state.scalar[setting.index + 1]} << 32 : low;
    }
    case Setting::Where::scc:
      return state.scc;
    case Setting::Where::mode:
      return state.mode;
    case Setting::Where::ieee:
      return state.ieee_mode;
    case Setting::Where::dx10_clamp:
      return state.dx10_clamp;
    case Setting::Where::local:
      return read_word(state.local, setting.index + 4 * lane);
    case Setting::Where::memory:
      return read_word(state.memory, setting.index + 4 * lane);
    case Setting::Where::private_memory:
      return read_word(state.private_memory, private_offset(state.lanes, setting.index, lane));
    case Setting::Where::named:
      break;
  }
  return 0;
}

void write_place(State& state, const Setting& setting, u32 lane, u64 bits) {
  const u32 word = static_cast<u32>(bits), high = static_cast<u32>(bits >> 32);
  switch (setting.where) {
    case Setting::Where::vector:
      state.vector[std::size_t{setting.index} * state.lanes + lane] = word;
      if (setting.registers == 2) state.vector[std::size_t{setting.index + 1} * state.lanes + lane] = high;
      break;
    case Setting::Where::scalar:
      state.scalar[setting.index] = word;
      if (setting.registers == 2) state.scalar[setting.index + 1] = high;
      break;
    case Setting::Where::scc:
      state.scc = word != 0;
      break;
    case Setting::Where::mode:
      state.mode = word;
      break;
    case Setting::Where::ieee:
      state.ieee_mode = word != 0;
      break;
    case Setting::Where::dx10_clamp:
      state.dx10_clamp = word != 0;
      break;
    case Setting::Where::local:
      write_word(state.local, setting.index + 4 * lane, word);
      break;
    case Setting::Where::memory:
      write_word(state.memory, setting.index + 4 * lane, word);
      break;
    case Setting::Where::private_memory:
      write_word(state.private_memory, private_offset(state.lanes, setting.index, lane), word);
      break;
    case Setting::Where::named:
      break;
  }
}

bool is_memory(const Setting& setting) {
  return setting.where == Setting::Where::local || setting.where == Setting::Where::memory;
}

bool by_lane(const Setting& setting) {
  return setting.where == Setting::Where::vector || setting.where == Setting::Where::private_memory;
}

// How many lanes (dwords of memory, one for the rest) the setting covers.
u32 extent(const Setting& setting, u32 lanes) {
  if (by_lane(setting)) return lanes;
  return is_memory(setting) ? static_cast<u32>(setting.values.size()) : 1;
}

std::string check_bounds(const Setting& setting) {
  if (setting.where == Setting::Where::named)
    return fmt::format("{} is a place of PTX cases\n", setting.place);
  const u64 end = setting.index + 4 * u64{extent(setting, 0)};
  if (is_memory(setting) &&
      (end > (setting.where == Setting::Where::local ? local_bytes : buffer_bytes) || setting.index % 4 != 0))
    return fmt::format("{} is outside of the memory or not a multiple of 4\n", setting.place);
  if (setting.where == Setting::Where::private_memory &&
      (setting.index >= private_bytes_per_lane || setting.index % 4 != 0))
    return fmt::format("{} is outside of the memory or not a multiple of 4\n", setting.place);
  if (setting.where == Setting::Where::vector && setting.index + setting.registers > vector_rows)
    return fmt::format("{} is no register\n", setting.place);
  if (setting.where == Setting::Where::scalar &&
      setting.index + setting.registers > scalar_register::first_free)
    return fmt::format("{} is no register\n", setting.place);
  return {};
}

State prepare(const Case& entry, u32 lanes) {
  State state;
  state.lanes = lanes;
  state.vector.resize(std::size_t{vector_rows} * lanes);
  state.scalar.resize(scalar_register::first_free);
  state.mode = WaveState::ieee_mode_bits;
  state.memory.resize(buffer_bytes);
  state.private_memory.resize(std::size_t{private_bytes_per_lane} * lanes);
  state.local.resize(local_bytes);
  const auto put64 = [&](u32 index, u64 value) {
    state.scalar[index] = static_cast<u32>(value);
    state.scalar[index + 1] = static_cast<u32>(value >> 32);
  };
  put64(scalar_register::exec_lo, lanes == 64 ? ~u64{0} : (u64{1} << lanes) - 1);
  put64(2, buffer_address);
  for (const Setting& setting : entry.before) {
    for (u32 lane = 0; lane < extent(setting, lanes); ++lane) {
      const Value& value = setting.values[std::min<std::size_t>(lane, setting.values.size() - 1)];
      write_place(state, setting, lane, contents(value, lane, 4 * setting.registers));
    }
  }
  return state;
}

// The case's code as a module of one kernel whose first registers the case sets itself.
std::string make_module(const Assembled& assembled, const Target& target, u32 lanes, Module& module) {
  static const IsaInterface interface = [] {
    IsaInterface own = amd::isa_interface();
    own.arguments = [](LaunchState& state, std::span<const ArgumentValue>) {
      state.local_bytes = state.program->needs.local_bytes;
      return std::vector<u8>();
    };
    own.dispatch_packet = [](const LaunchState&) { return std::vector<u8>(); };
    own.begin_wave = [](WaveState& wave, const LaunchState& state, const GroupId&) {
      wave.allocate(state.program->needs.wave_lanes, vector_rows, amd::scalar_registers);
      wave.valid_lanes = wave.all_lanes();
      wave.private_base = state.private_base;
      wave.private_bytes_per_lane = private_bytes_per_lane;
    };
    own.first_registers = [](const LaunchState&) {
      return FirstRegisters{vector_rows, scalar_register::flat_scratch_lo};
    };
    return own;
  }();
  module.target = module.code.target = &target;
  module.isa = &interface;
  module.code.positions.resize(1);
  std::vector<Instruction>& code = module.code.instructions;
  const u64 first = assembled.lines.empty() ? 0 : assembled.lines.front().address;
  module.code.text_address = first;
  std::vector<u32>& index_of_word = module.code.index_of_word;
  for (const AssembledLine& line : assembled.lines) {
    const amd::Encoded encoded{line.text, line.words, line.address};
    index_of_word.resize((line.address - first) / 4, ~u32{0});
    index_of_word.push_back(static_cast<u32>(code.size()));
    index_of_word.resize(index_of_word.size() + line.words.size() - 1, ~u32{0});
    if (amd::is_dual(line.text)) {
      auto pair = amd::decode_dual(encoded, target);
      if (!pair) return to_string(pair.error());
      (*pair)[0].run = amd::run_dual;
      (*pair)[1].run = run_function(*(*pair)[1].meaning, lanes);
      code.insert(code.end(), pair->begin(), pair->end());
      module.code.text.insert(module.code.text.end(), 2, line.text);
      continue;
    }
    auto decoded = amd::decode(encoded, target);
    if (!decoded) return to_string(decoded.error());
    decoded->run = run_function(*decoded->meaning, lanes);
    if (decoded->run == nullptr) return fmt::format("'{}' has no function for {} lanes", line.text, lanes);
    code.push_back(*decoded);
    module.code.text.push_back(line.text);
  }
  for (Instruction& instruction : code) {
    if (instruction.cost != Cost::branch || instruction.operand[1].kind != OperandKind::immediate) continue;
    const u64 word = (instruction.operand[1].value - first) / 4;
    if (word < index_of_word.size() && index_of_word[word] != ~u32{0})
      instruction.target = index_of_word[word];
    else
      return fmt::format("a branch to {:#x}, where no instruction is", instruction.operand[1].value);
  }
  amd::wire_register_indexing(code, lanes);
  Program program;
  program.name = "case";
  program.end = static_cast<u32>(code.size());
  program.needs.wave_lanes = lanes;
  program.needs.vector_registers = vector_rows;
  program.needs.local_bytes = local_bytes;
  program.needs.private_bytes = private_bytes_per_lane;
  module.programs.push_back(std::move(program));
  return {};
}

void require(const Status& done) {
  LOCKSTEP_ASSERT(done, "what the case allocated can be reached");
}

void load(const State& state, WaveState& wave, Group& group, DeviceMemory& memory) {
  std::copy(state.vector.begin(), state.vector.end(), wave.row(0));
  for (u32 i = 0; i < state.scalar.size(); ++i) wave.write_scalar(i, state.scalar[i]);
  wave.scc = state.scc;
  wave.mode = state.mode;
  wave.ieee_mode = state.ieee_mode;
  wave.dx10_clamp = state.dx10_clamp;
  std::copy(state.local.begin(), state.local.end(), group.local.begin());
  require(memory.write(buffer_address, state.memory));
  require(memory.write(wave.private_base, state.private_memory));
}

State store(const WaveState& wave, const Group& group, const DeviceMemory& memory) {
  State state;
  state.lanes = wave.lanes;
  state.vector.assign(wave.row(0), wave.row(0) + std::size_t{vector_rows} * wave.lanes);
  for (u32 i = 0; i < scalar_register::first_free; ++i) state.scalar.push_back(wave.read_scalar(i));
  state.scc = wave.scc;
  state.mode = wave.mode;
  state.ieee_mode = wave.ieee_mode;
  state.dx10_clamp = wave.dx10_clamp;
  state.local.assign(group.local.begin(), group.local.begin() + local_bytes);
  state.memory.resize(buffer_bytes);
  state.private_memory.resize(std::size_t{private_bytes_per_lane} * wave.lanes);
  require(memory.read(buffer_address, state.memory));
  require(memory.read(wave.private_base, state.private_memory));
  return state;
}

// Whatever memory changed, an outcome named as written.
std::string compare_written(const State& before, const State& after, u64 private_base,
                            const std::vector<Written>& written) {
  std::string story;
  const auto region = [&](const std::vector<u8>& was, const std::vector<u8>& is, bool local, u64 base,
                          const char* name) {
    if (was == is) return;
    std::vector<bool> named(was.size());
    for (const Written& stretch : written) {
      if ((stretch.space == Space::local) != local) continue;
      for (u64 at = std::max(stretch.begin, base); at < std::min(stretch.end, base + was.size()); ++at)
        named[at - base] = true;
    }
    for (std::size_t i = 0; i < was.size(); ++i) {
      if (was[i] == is[i] || named[i]) continue;
      story += fmt::format("  * {}[{:#x}] changes, and no outcome says so\n", name, i);
      return;
    }
  };
  region(before.local, after.local, true, 0, "lds");
  region(before.memory, after.memory, false, buffer_address, "mem");
  region(before.private_memory, after.private_memory, false, private_base, "private memory");
  return story;
}

struct Ran {
  State after;
  std::string fault;                // the diagnostic's text; empty when the case ran to its end
  std::vector<std::string> alarms;  // what a checked run found beside
  std::string story;                // what is wrong already
  std::vector<bool> executed;       // by instruction, of a timed run
};

// The wave begins with everything defined: what `before` does not name is 0.
void define_all(WaveState& wave) {
  auto& shadow = static_cast<check::WaveShadow&>(*wave.checked);
  shadow.scalar.fill(0);
  shadow.condition = false;
  std::fill(shadow.undefined_lanes.begin(), shadow.undefined_lanes.end(), u64{0});
  std::fill(shadow.private_memory.begin(), shadow.private_memory.end(), u8{0});
  std::fill(shadow.local_memory->begin(), shadow.local_memory->end(), u8{0});
}

Ran run_one_way(const Module& module, const State& before, Way way) {
  // Device memory of its own for checked runs: there each byte has a mark.
  static DeviceMemory plain(u64{1} << 24), tracked(u64{1} << 24);
  DeviceMemory& memory = way == Way::checked ? tracked : plain;
  if (way == Way::checked) memory.track_written();
  Ran ran;
  const auto buffer = memory.allocate(buffer_bytes, 4096, "mem");
  LOCKSTEP_ASSERT(buffer && *buffer == buffer_address, "the buffer is the first allocation");
  NdRange range;
  range.global[0] = range.local[0] = before.lanes;
  {
    const auto launch = PreparedLaunch::make(memory, module, module.programs[0], range, {}, 1);
    LOCKSTEP_ASSERT(launch, "a kernel without arguments can be launched");
    Group group;
    const u32 slot = 0;
    group.begin(**launch, 0, {&slot, 1});
    WaveState& wave = group.waves[0];
    load(before, wave, group, memory);
    Record record;
    ViolationLog log;
    std::optional<CheckedRun> checker;
    if (way == Way::checked) {
      checker.emplace(**launch, CheckSelection::all(), &log);
      checker->begin(group.waves);
      define_all(wave);
    }
    std::optional<RegisterWatch> watch;
    if (way == Way::registers) watch.emplace(module, module.programs[0]);
    StepChecker* const looks = checker ? static_cast<StepChecker*>(&*checker) : watch ? &*watch : nullptr;
    const auto fault = step_group(**launch, group, looks, way == Way::timed ? &record : nullptr, most_steps);
    if (fault) ran.fault = to_string(*fault);
    for (const Diagnostic& alarm : log.kept()) ran.alarms.push_back(to_string(alarm));
    ran.after = store(wave, group, memory);
    if (watch) ran.story = watch->story();
    if (way == Way::timed && !fault)
      ran.story = compare_written(before, ran.after, wave.private_base, record.written);
    ran.executed = std::move(record.executed);
  }
  memory.free(*buffer);
  return ran;
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
  if (by_lane(setting) && ((active >> lane) & 1) == 0) return keep_value;
  return setting.values.back();
}

std::string compare_named(const State& before, const State& after, const Case& entry) {
  std::string story;
  const u32 lanes = after.lanes;
  const u64 active = before.scalar[scalar_register::exec_lo] | u64{before.scalar[scalar_register::exec_hi]}
                                                                   << 32;
  for (const Setting& setting : entry.after) {
    const u32 bytes = 4 * setting.registers;
    int shown = 0;
    for (u32 lane = 0; lane < extent(setting, lanes); ++lane) {
      const Value& value = expected(setting, lane, active);
      const u64 old = read_place(before, setting, lane), now = read_place(after, setting, lane);
      if (matches(value, now, old, lane, bytes)) continue;
      if (++shown > 4) continue;
      story += fmt::format("  * {}", setting.place);
      if (by_lane(setting)) story += fmt::format(" lane {}", lane);
      if (is_memory(setting)) story += fmt::format(" + {}", 4 * lane);
      story += fmt::format(": is {}, was {}, expected {}\n", show(now, bytes), show(old, bytes),
                           show(value, lane, bytes));
    }
    if (shown > 4) story += fmt::format("    and {} more in {}\n", shown - 4, setting.place);
  }
  return story;
}

// Whatever `after` does not name must be as before.
std::string compare_rest(const State& before, const State& after, const Case& entry) {
  std::string story;
  const auto named = [&](Setting::Where where, u32 index, u32 unit) {
    for (const Setting& setting : entry.after) {
      const u32 size = is_memory(setting) ? 4 * static_cast<u32>(setting.values.size()) : setting.registers;
      if (setting.where == where && index + unit > setting.index && index < setting.index + size) return true;
    }
    return false;
  };
  const u32 lanes = after.lanes;
  for (u32 index = 0; index < vector_rows; ++index) {
    const u32 *old = before.vector.data() + std::size_t{index} * lanes,
              *now = after.vector.data() + std::size_t{index} * lanes;
    if (std::memcmp(old, now, std::size_t{4} * lanes) == 0 || named(Setting::Where::vector, index, 1))
      continue;
    const u32 lane = static_cast<u32>(std::mismatch(old, old + lanes, now).first - old);
    story += fmt::format("  * v{} lane {}: is {:#x}, was {:#x}, must not change\n", index, lane, now[lane],
                         old[lane]);
  }
  for (u32 index = 0; index < scalar_register::first_free; ++index) {
    const u32 old = before.scalar[index], now = after.scalar[index];
    if (old == now || named(Setting::Where::scalar, index, 1)) continue;
    story += fmt::format("  * s{}: is {:#x}, was {:#x}, must not change\n", index, now, old);
  }
  const auto one = [&](u32 old, u32 now, Setting::Where where, const char* name) {
    if (old == now || named(where, 0, 1)) return;
    story += fmt::format("  * {}: is {:#x}, was {:#x}, must not change\n", name, now, old);
  };
  one(before.scc, after.scc, Setting::Where::scc, "scc");
  one(before.mode, after.mode, Setting::Where::mode, "mode");
  one(before.ieee_mode, after.ieee_mode, Setting::Where::ieee, "ieee");
  one(before.dx10_clamp, after.dx10_clamp, Setting::Where::dx10_clamp, "dx10_clamp");
  const auto region = [&](const std::vector<u8>& old, const std::vector<u8>& now, Setting::Where where,
                          const char* name) {
    if (old == now) return;
    u32 shown = 0;
    for (u32 at = 0; at < old.size() && shown < 4; at += 4) {
      if (read_word(old, at) == read_word(now, at)) continue;
      const bool by_lanes = where == Setting::Where::private_memory;
      const u32 offset = by_lanes ? at / (4 * lanes) * 4 : at;
      if (named(where, offset, 4)) continue;
      ++shown;
      story += fmt::format("  * {}[{:#x}]{}: is {:#x}, was {:#x}, must not change\n", name, offset,
                           by_lanes ? fmt::format(" lane {}", at / 4 % lanes) : "", read_word(now, at),
                           read_word(old, at));
    }
  };
  region(before.memory, after.memory, Setting::Where::memory, "mem");
  region(before.local, after.local, Setting::Where::local, "lds");
  region(before.private_memory, after.private_memory, Setting::Where::private_memory, "private");
  return story;
}

// Where two ways of running the same case came out differently, if they did.
std::string compare_ways(const State& functional, const State& other, Way way) {
  if (functional == other) return {};
  const auto differ = [&](bool different, const char* what) {
    return different ? fmt::format(" {}", what) : std::string();
  };
  return fmt::format(
      "  * {} and functional differ in:{}{}{}{}{}{}\n", name_of(way),
      differ(functional.vector != other.vector, "vector registers"),
      differ(functional.scalar != other.scalar, "scalar registers"),
      differ(functional.scc != other.scc || functional.mode != other.mode ||
                 functional.ieee_mode != other.ieee_mode || functional.dx10_clamp != other.dx10_clamp,
             "scc or mode"),
      differ(functional.memory != other.memory, "mem"), differ(functional.local != other.local, "lds"),
      differ(functional.private_memory != other.private_memory, "private memory"));
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

std::string inputs(const State& before, const Case& entry) {
  std::string text;
  for (const Setting& setting : entry.before) {
    text += "    " + setting.place + " =";
    const u32 count = std::min<u32>(extent(setting, before.lanes), 8);
    for (u32 lane = 0; lane < count; ++lane)
      text += " " + show(read_place(before, setting, lane), 4 * setting.registers);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string run_case(const Case& entry, const std::string& target_name, const Assembled& assembled,
                     Coverage& coverage) {
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
  const State before = prepare(entry, lanes);
  Module module;
  std::string story;
  const std::string refusal = make_module(assembled, *target, lanes, module);
  if (!refusal.empty()) {
    story = compare_message(entry.refused, refusal, "loader");
  } else if (!entry.refused.empty()) {
    story = "  * it is not refused\n";
  } else {
    std::optional<Ran> first;
    for (const Way way : every_way) {
      Ran ran = run_one_way(module, before, way);
      std::string wrong = ran.story + (way == Way::checked ? compare_alarms(entry, ran.alarms) : "");
      if (!ran.fault.empty()) {
        wrong += compare_message(entry.faults, ran.fault, "run");
      } else if (!entry.faults.empty()) {
        wrong += "  * it runs without a fault\n";
      } else {
        wrong += compare_named(before, ran.after, entry) + compare_rest(before, ran.after, entry);
        if (first) wrong += compare_ways(first->after, ran.after, way);
      }
      if (wrong.empty()) coverage.add(target_name, module.code, ran.executed);
      if (!wrong.empty()) story += fmt::format("  {}:\n{}", name_of(way), wrong);
      if (!first) first = std::move(ran);
    }
  }
  if (story.empty()) return {};
  return story + "  code:\n" + listing(assembled) + "  before:\n" + inputs(before, entry);
}

}  // namespace lockstep::cases
