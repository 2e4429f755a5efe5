#include "isa/vliw/control.h"

#include <bit>
#include <cstring>

#include "isa/shapes.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

void pop(WaveState& wave, u32 count) {
  VliwWave& own = vliw(wave);
  u64 mask = wave.exec();
  for (; count > 0 && !own.stack.empty(); --count) {
    mask = own.stack.back();
    own.stack.pop_back();
  }
  wave.set_exec(mask & ~own.suspended());
}

void invert(WaveState& wave) {
  const VliwWave& own = vliw(wave);
  const u64 around = own.stack.empty() ? wave.valid_lanes : own.stack.back();
  wave.set_exec(around & ~wave.exec() & ~own.suspended());
}

void leave(WaveState& wave, u64 VliwWave::Loop::* lanes) {
  VliwWave& own = vliw(wave);
  if (own.loops.empty()) return;
  own.loops.back().*lanes |= wave.exec();
  wave.set_exec(0);
}

// A launch's constants never change: what a wave has it keeps.
void load_constants(WaveState& wave, const Instruction& in, StepContext& context) {
  VliwWave& own = vliw(wave);
  if (in.detail <= own.constants) return;
  const u64 bytes = u64{4} * in.detail;
  if (!context.global.contains(own.arguments_address, bytes)) return;
  const u8* from = context.global.at(own.arguments_address);
  for (; own.constants < in.detail; ++own.constants) {
    u32 value;
    std::memcpy(&value, from + std::size_t{4} * own.constants, sizeof(value));
    wave.write_scalar(fixed_scalar::constants + own.constants, value);
  }
}

constexpr std::array<std::string_view, 12> step_names{
    "clause",     "push and clause", "push",       "jump",          "else",    "pop",
    "loop start", "loop end",        "loop break", "loop continue", "nothing", "end of program"};

template <Step S>
struct Control {
  static constexpr std::string_view name = step_names[static_cast<u32>(S)];
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = S == Step::clause || S == Step::nothing || S == Step::end ? u16{0}
                                 : S == Step::push || S == Step::push_clause
                                     ? implies::reads_exec
                                     : static_cast<u16>(implies::reads_exec | implies::writes_exec);
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    VliwWave& own = vliw(wave);
    if constexpr (S == Step::clause || S == Step::push_clause) load_constants(wave, in, context);
    if constexpr (S == Step::push || S == Step::push_clause) own.stack.push_back(wave.exec());
    if constexpr (S == Step::else_) invert(wave);
    if constexpr (S == Step::jump || S == Step::else_) {
      if (wave.exec() != 0) return;
      pop(wave, in.detail);
      wave.pc = in.target;
    }
    if constexpr (S == Step::pop) pop(wave, in.detail);
    if constexpr (S == Step::loop_start) {
      if (wave.exec() == 0) {
        wave.pc = in.target;
        return;
      }
      own.loops.push_back({wave.exec(), 0, 0, own.stack.size()});
    }
    if constexpr (S == Step::loop_end) {
      if (own.loops.empty()) return;
      VliwWave::Loop& loop = own.loops.back();
      own.stack.resize(std::min(own.stack.size(), loop.depth));
      loop.continued = 0;
      const u64 on = loop.entered & ~loop.broken;
      if (on != 0) {
        wave.set_exec(on);
        wave.pc = in.target;
        return;
      }
      const u64 entered = loop.entered;
      own.loops.pop_back();
      wave.set_exec(entered & ~own.suspended());
    }
    if constexpr (S == Step::loop_break) leave(wave, &VliwWave::Loop::broken);
    if constexpr (S == Step::loop_continue) leave(wave, &VliwWave::Loop::continued);
    if constexpr (S == Step::end) context.event = Event::end;
  }
};

template <std::size_t... I>
constexpr auto controls(std::index_sequence<I...>) {
  return std::array<const Semantic*, sizeof...(I)>{&semantic<Control<static_cast<Step>(I)>>...};
}

struct Packet {
  static constexpr std::string_view name = "packet";
  static constexpr Shape shape = Shape::control;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    run_packet(wave, in, context);
  }
};

struct TakeMask {
  static constexpr std::string_view name = "take mask";
  static constexpr Shape shape = Shape::custom;
  static constexpr Role role = Role::combine_exec;
  static constexpr Flow flow = Flow::bit_and;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64, Kind::none, Kind::none, Kind::none};
  static constexpr u16 implied = implies::reads_exec | implies::writes_exec;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    wave.set_exec(wave.exec() & wave.read_mask(in.operand[1].index));
  }
};

// The row that each lane means; false after a fault.
template <class F>
bool relative_rows(const WaveState& wave, const Instruction& in, u32 address_row, u32 first_row,
                   StepContext& context, F use) {
  const u32* address = wave.row(address_row);
  const u32 count = static_cast<u32>(in.operand[3].value), first = first_row / 4;
  for (u64 lanes = wave.exec() & wave.all_lanes(); lanes != 0; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    const u32 index = first + address[lane];
    if (index >= count) {
      Fault fault;
      fault.kind = FaultKind::not_supported;
      fault.lane = lane;
      fault.text = "an indexed register beyond those of the kernel (an array's index out of its bounds)";
      context.raise(fault);
      return false;
    }
    use(lane, 4 * index + first_row % 4);
  }
  return true;
}

struct ReadRelative {
  static constexpr std::string_view name = "mov from an indexed register";
  static constexpr Shape shape = Shape::custom;
  static constexpr Role role = Role::read_indexed_row;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Row<u32> values;
    std::copy_n(wave.row(in.operand[0].index), W, values.data());
    const bool read =
        relative_rows(wave, in, in.operand[1].index, static_cast<u32>(in.operand[2].value), context,
                      [&](u32 lane, u32 row) { values.lane[lane] = wave.row(row)[lane]; });
    if (read) commit_row<W>(wave, in.operand[0].index, values.data());
  }
};

struct WriteRelative {
  static constexpr std::string_view name = "mov to an indexed register";
  static constexpr Shape shape = Shape::custom;
  static constexpr Role role = Role::write_indexed_row;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Row<u32> values;
    std::copy_n(wave.row(in.operand[1].index), W, values.data());
    relative_rows(wave, in, in.operand[4].index, static_cast<u32>(in.operand[2].value), context,
                  [&](u32 lane, u32 row) { wave.row(row)[lane] = values.lane[lane]; });
  }
};

}  // namespace

const Semantic& control(Step step) {
  static constexpr auto all = controls(std::make_index_sequence<step_names.size()>{});
  return *all[static_cast<std::size_t>(step)];
}

const Semantic& packet() {
  return semantic<Packet>;
}
const Semantic& take_mask() {
  return semantic<TakeMask>;
}
const Semantic& read_relative() {
  return semantic<ReadRelative>;
}
const Semantic& write_relative() {
  return semantic<WriteRelative>;
}

void run_after(WaveState& wave, After after) {
  switch (after) {
    case After::nothing:
      return;
    case After::pop:
      return pop(wave, 1);
    case After::pop2:
      return pop(wave, 2);
    case After::else_:
      return invert(wave);
    case After::break_:
      return leave(wave, &VliwWave::Loop::broken);
    case After::continue_:
      return leave(wave, &VliwWave::Loop::continued);
  }
}

void run_packet(WaveState& wave, const Instruction& in, StepContext& context) {
  const Instruction* part = &in;
  const u32 parts = in.slots;
  wave.pc += parts - 1;
  for (u32 i = 1; i < parts; ++i) {
    if (context.checker != nullptr) [[unlikely]]
      context.checker->part(wave, part[i], context);
    if (context.event != Event::fault) part[i].run(wave, part[i], context);
    if (context.event == Event::fault) [[unlikely]] {
      wave.pc -= parts - 1 - i;  // so that messages name this operation
      return;
    }
  }
}

void run_last_packet(WaveState& wave, const Instruction& in, StepContext& context) {
  run_packet(wave, in, context);
  if (context.fault.kind == FaultKind::none) run_after(wave, packet_detail::after(in.detail));
}

void run_predicated(WaveState& wave, const Instruction& in, StepContext& context) {
  const u64 before = wave.exec();
  const u64 predicate = wave.read_mask(in.guard_register);
  const u64 active = before & (in.guard == 1 ? predicate : ~predicate);
  if (active == before) return in.meaning->run64(wave, in, context);
  if (active == 0) return;
  wave.set_exec(active);
  in.meaning->run64(wave, in, context);
  wave.set_exec(before);
}

u64 VliwWave::fingerprint() const {
  u64 hash = 0xCBF29CE484222325u;
  const auto add = [&](u64 value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (const u64 mask : stack) add(mask);
  loops.for_each([&](const Loop& loop) {
    add(loop.entered);
    add(loop.broken);
    add(loop.continued);
    add(loop.depth);
  });
  return hash;
}

}  // namespace lockstep::vliw
