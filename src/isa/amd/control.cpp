// Program flow: branches, calls, the end of a wave, barriers.
// Source: "Vega Instruction Set Architecture", chapters SOPP, SOP1 (S_SETPC, S_GETPC, S_SWAPPC) and SOPK
// (S_CALL); "RDNA 4 Instruction Set Architecture" for the split barriers.
#include "isa/amd/control.h"

#include <vector>

#include "isa/past_end.h"

namespace lockstep::amd {
namespace {

void take_branch(WaveState& wave, const Instruction& in, StepContext& context) {
  if (in.target != ~u32{0}) {
    wave.pc = in.target;
    return;
  }
  Fault fault;
  fault.kind = FaultKind::unknown_target;
  fault.address = device_address(wave, in.operand[1].value);
  context.raise(fault);
}

u64 next_address(const WaveState& wave, const Instruction& in) {
  return device_address(wave, in.address + in.size);
}

template <class Condition>
struct Branch : Control {
  static constexpr std::string_view name = Condition::name;
  static constexpr u16 implied = Condition::implied;
  static constexpr Role role = Condition::role;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (Condition::holds(wave)) take_branch(wave, in, context);
  }
};

u64 vcc(const WaveState& wave) {
  return wave.read_mask(scalar_register::vcc_lo);
}
u64 active(const WaveState& wave) {
  return wave.read_mask(scalar_register::exec_lo);
}

struct Always {
  static constexpr std::string_view name = "branch";
  static constexpr u16 implied = 0;
  static constexpr Role role = Role::none;
  static bool holds(const WaveState&) { return true; }
};
struct Scc0 {
  static constexpr std::string_view name = "cbranch_scc0";
  static constexpr u16 implied = implies::reads_condition;
  static constexpr Role role = Role::branch_scc;
  static bool holds(const WaveState& wave) { return !wave.scc; }
};
struct Scc1 {
  static constexpr std::string_view name = "cbranch_scc1";
  static constexpr u16 implied = implies::reads_condition;
  static constexpr Role role = Role::branch_scc;
  static bool holds(const WaveState& wave) { return wave.scc; }
};
struct VccZero {
  static constexpr std::string_view name = "cbranch_vccz";
  static constexpr u16 implied = implies::reads_vcc;
  static constexpr Role role = Role::branch_vcc;
  static bool holds(const WaveState& wave) { return vcc(wave) == 0; }
};
struct VccNonzero {
  static constexpr std::string_view name = "cbranch_vccnz";
  static constexpr u16 implied = implies::reads_vcc;
  static constexpr Role role = Role::branch_vcc;
  static bool holds(const WaveState& wave) { return vcc(wave) != 0; }
};
struct ExecZero {
  static constexpr std::string_view name = "cbranch_execz";
  static constexpr u16 implied = implies::reads_exec;
  static constexpr Role role = Role::none;
  static bool holds(const WaveState& wave) { return active(wave) == 0; }
};
struct ExecNonzero {
  static constexpr std::string_view name = "cbranch_execnz";
  static constexpr u16 implied = implies::reads_exec;
  static constexpr Role role = Role::none;
  static bool holds(const WaveState& wave) { return active(wave) != 0; }
};
// STATUS.COND_DBG_USER and COND_DBG_SYS are set by debuggers, of which there is none.
struct Debugged {
  static constexpr std::string_view name = "cbranch_cdbg";
  static constexpr u16 implied = 0;
  static constexpr Role role = Role::none;
  static bool holds(const WaveState&) { return false; }
};

struct SetPc : Control {
  static constexpr std::string_view name = "setpc_b64";
  static constexpr Role role = Role::jump;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    jump_to(wave, context, scalar_value64(wave, in.operand[1]));
  }
};
struct GetPc : Control {
  static constexpr std::string_view name = "getpc_b64";
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    wave.write_scalar64(in.operand[0].index, next_address(wave, in));
  }
};
struct SwapPc : Control {
  static constexpr std::string_view name = "swappc_b64";
  static constexpr Role role = Role::call;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const u64 target = scalar_value64(wave, in.operand[1]);
    wave.write_scalar64(in.operand[0].index, next_address(wave, in));
    jump_to(wave, context, target);
  }
};
struct Call : Control {
  static constexpr std::string_view name = "call_b64";
  static constexpr Role role = Role::call;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    wave.write_scalar64(in.operand[0].index, next_address(wave, in));
    take_branch(wave, in, context);
  }
};

struct EndProgram : Control {
  static constexpr std::string_view name = "endpgm";
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    context.event = Event::end;
  }
};
struct PastEnd : Control {
  static constexpr std::string_view name = past_end_name;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    raise_past_end(device_address(wave, in.address), context,
                   "a kernel ends with s_endpgm, a function with s_setpc_b64");
  }
};
struct Barrier : Control {
  static constexpr std::string_view name = "barrier";
  static constexpr Role role = Role::barrier;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    context.event = Event::barrier;
  }
};
// Arriving at the work-group's barrier (-1) without waiting: the wait that follows does both.
struct BarrierSignal : Control {
  static constexpr std::string_view name = "barrier_signal";
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::i32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (static_cast<i32>(scalar_value32(wave, in.operand[1])) != -1) {
      raise_not_supported(context, "s_barrier_signal on a barrier other than the work-group's");
    }
  }
};
// The same, and SCC says whether this wave was the first to arrive. Whichever wave that is, programs that are
// right do not depend on it; here it is the group's first.
struct BarrierSignalIsFirst : Control {
  static constexpr std::string_view name = "barrier_signal_isfirst";
  static constexpr std::string_view bound = "the group's first wave counts as the first to arrive";
  static constexpr u16 implied = implies::writes_condition;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::i32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    BarrierSignal::step<W>(wave, in, context);
    wave.scc = wave.index_in_group == 0;
  }
};
struct BarrierWait : Control {
  static constexpr std::string_view name = "barrier_wait";
  static constexpr Role role = Role::barrier;
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    if (static_cast<i16>(in.offset) != -1) {
      raise_not_supported(context, "s_barrier_wait on a barrier other than the work-group's");
      return;
    }
    context.event = Event::barrier;
  }
};

}  // namespace

Continuation continuation_of(const Instruction& in) {
  const Semantic* meaning = in.meaning;
  if (meaning == &semantic<EndProgram> || meaning == &semantic<PastEnd> || traps_always(in))
    return {false, false, false};
  if (meaning == &semantic<SetPc>) return {false, false, true};
  if (meaning == &semantic<SwapPc>) return {true, false, true};
  if (meaning == &semantic<Branch<Always>>) return {false, true, false};
  return {true, in.cost == Cost::branch && in.operand[1].kind == OperandKind::immediate, false};
}

const Semantic& past_end() {
  return semantic<PastEnd>;
}

std::span<const Row> control_flow_rows() {
  static constexpr Row rows[] = {
      {"s_branch", &semantic<Branch<Always>>, Cost::branch},
      {"s_cbranch_scc0", &semantic<Branch<Scc0>>, Cost::branch},
      {"s_cbranch_scc1", &semantic<Branch<Scc1>>, Cost::branch},
      {"s_cbranch_vccz", &semantic<Branch<VccZero>>, Cost::branch},
      {"s_cbranch_vccnz", &semantic<Branch<VccNonzero>>, Cost::branch},
      {"s_cbranch_execz", &semantic<Branch<ExecZero>>, Cost::branch},
      {"s_cbranch_execnz", &semantic<Branch<ExecNonzero>>, Cost::branch},
      {"s_cbranch_cdbgsys", &semantic<Branch<Debugged>>, Cost::branch},
      {"s_cbranch_cdbguser", &semantic<Branch<Debugged>>, Cost::branch},
      {"s_cbranch_cdbgsys_or_user", &semantic<Branch<Debugged>>, Cost::branch},
      {"s_cbranch_cdbgsys_and_user", &semantic<Branch<Debugged>>, Cost::branch},
      {"s_setpc_b64", &semantic<SetPc>, Cost::branch},
      {"s_getpc_b64", &semantic<GetPc>, Cost::salu},
      {"s_swappc_b64", &semantic<SwapPc>, Cost::branch},
      {"s_call_b64", &semantic<Call>, Cost::branch, gfx9up},
      {"s_endpgm", &semantic<EndProgram>, Cost::end},
      {"s_barrier", &semantic<Barrier>, Cost::barrier, every & ~gfx12},
      {"s_barrier_signal", &semantic<BarrierSignal>, Cost::barrier, gfx12},
      {"s_barrier_signal_isfirst", &semantic<BarrierSignalIsFirst>, Cost::barrier, gfx12},
      {"s_barrier_wait", &semantic<BarrierWait>, Cost::barrier, gfx12},
  };
  return rows;
}

std::span<const Row> control_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> joined;
    for (const auto part : {control_flow_rows, control_exec_rows, control_register_rows, control_index_rows,
                            control_message_rows}) {
      joined.insert(joined.end(), part().begin(), part().end());
    }
    return joined;
  }();
  return rows;
}

}  // namespace lockstep::amd
