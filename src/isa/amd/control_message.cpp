// Waits, messages, hints and traps, and by name what compute programs have no use for.
// Source: "Vega Instruction Set Architecture", chapter SOPP; LLVM, "User Guide for AMDGPU Backend", Trap
// Handler ABI and s_sendmsg.
#include "isa/amd/control.h"

namespace lockstep::amd {
namespace {

// The counts are timing's business: registers hold their values as soon as a load was executed.
struct Wait : Control {
  static constexpr std::string_view name = "waitcnt";
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};
// Priorities, prefetches, performance counters, scheduling hints: nothing that a program can observe.
struct Hint : Control {
  static constexpr std::string_view name = "hint";
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};
struct Priority : Hint {
  static constexpr std::string_view name = "priority of the wave";
};
struct VectorNop : Control {
  static constexpr std::string_view name = "v_nop";
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};
struct Sleep : Control {
  static constexpr std::string_view name = "sleep";
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    context.event = Event::yield;
  }
};
struct SetHalt : Control {
  static constexpr std::string_view name = "sethalt";
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    if (in.offset & 1) raise_not_supported(context, "s_sethalt 1 stops the wave for a debugger");
  }
};
struct SetKill : Control {
  static constexpr std::string_view name = "setkill";
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    if (in.offset & 1) raise_not_supported(context, "s_setkill 1 ends the wave for a debugger");
  }
};

// Trap 2 is llvm.trap; trap 3, llvm.debugtrap, returns at once when no debugger is attached.
struct Trap : Control {
  static constexpr std::string_view name = "trap";
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    if ((in.offset & 0xFF) == 3) return;
    Fault fault;
    fault.kind = FaultKind::trap;
    fault.text = (in.offset & 0xFF) == 2 ? "llvm.trap" : "s_trap";
    context.raise(fault);
  }
};

// An interrupt tells the host something; nobody waits for it here. RDNA 3 gives its vector registers back
// early by message 3.
const char* refused_message(u32 message) {
  switch (message) {
    case 2:
      return "s_sendmsg MSG_GS";
    case 3:
      return "s_sendmsg MSG_GS_DONE";
    case 4:
      return "s_sendmsg MSG_SAVEWAVE";
    case 5:
      return "s_sendmsg MSG_STALL_WAVE_GEN";
    case 6:
      return "s_sendmsg MSG_HALT_WAVES";
    case 7:
      return "s_sendmsg MSG_ORDERED_PS_DONE";
    case 8:
      return "s_sendmsg MSG_EARLY_PRIM_DEALLOC";
    case 9:
      return "s_sendmsg MSG_GS_ALLOC_REQ";
    case 10:
      return "s_sendmsg MSG_GET_DOORBELL";
    case 11:
      return "s_sendmsg MSG_GET_DDID";
    case 15:
      return "s_sendmsg MSG_SYSMSG";
    default:
      return "s_sendmsg with a message that has no name";
  }
}
struct SendMessage : Control {
  static constexpr std::string_view name = "sendmsg";
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    const u32 message = static_cast<u32>(in.offset) & 15;
    if (message != 1) raise_not_supported(context, refused_message(message));
  }
};
struct SendMessageRdna3 : Control {
  static constexpr std::string_view name = "sendmsg_rdna3";
  template <int W>
  static void step(WaveState&, const Instruction& in, StepContext& context) {
    const u32 message = static_cast<u32>(in.offset) & 0xFF;
    if (message != 1 && message != 3) {
      raise_not_supported(context, message == 2 ? "s_sendmsg MSG_HS_TESSFACTOR" : refused_message(message));
    }
  }
};

// RDNA 3: a message with an answer. Of the answers only the constant clock's is made here (as
// s_memrealtime's).
template <class T>
struct SendMessageReturning : Control {
  static constexpr std::string_view name = sizeof(T) == 8 ? "sendmsg_rtn_b64" : "sendmsg_rtn_b32";
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = LaneType<T>::kind;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    constexpr u32 get_realtime = 131;
    constexpr u64 cycles_per_tick = 15;
    if ((in.operand[1].value & 0xFF) != get_realtime) {
      raise_not_supported(context, "s_sendmsg_rtn with a message other than MSG_RTN_GET_REALTIME");
      return;
    }
    const u64 ticks = context.now_cycles / cycles_per_tick;
    if constexpr (sizeof(T) == 8) {
      wave.write_scalar64(in.operand[0].index, ticks);
    } else {
      wave.write_scalar(in.operand[0].index, static_cast<u32>(ticks));
    }
  }
};
struct WaveInGroup : Control {
  static constexpr std::string_view name = "get_waveid_in_workgroup";
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    wave.write_scalar(in.operand[0].index, wave.index_in_group);
  }
};

// Known by name, but without a meaning here.
enum class Refused {
  cbranch_g_fork,
  cbranch_i_fork,
  cbranch_join,
  rfe,
  rfe_restore,
  setvskip,
  endpgm_saved,
  endpgm_ordered_ps_done,
  sendmsghalt
};
constexpr std::array<const char*, 9> refused_names{
    "s_cbranch_g_fork (the fork and join stack)",
    "s_cbranch_i_fork (the fork and join stack)",
    "s_cbranch_join (the fork and join stack)",
    "s_rfe_b64 (return from a trap handler)",
    "s_rfe_restore_b64 (return from a trap handler)",
    "s_setvskip (skipping of vector instructions)",
    "s_endpgm_saved (end in a context save)",
    "s_endpgm_ordered_ps_done (end of a pixel shader)",
    "s_sendmsghalt (message and halt)",
};
template <Refused what>
struct NotSupported : Control {
  static constexpr std::string_view name = refused_names[static_cast<int>(what)];
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    raise_not_supported(context, refused_names[static_cast<int>(what)]);
  }
};

}  // namespace

bool traps_always(const Instruction& in) {
  return in.meaning == &semantic<Trap> && (in.offset & 0xFF) != 3;
}

bool sets_priority(const Instruction& in) {
  return in.meaning == &semantic<Priority>;
}

std::span<const Row> control_message_rows() {
  constexpr u32 late = gfx11 | gfx12, no_text = no_operands_in_text;
  static constexpr Row rows[] = {
      {"s_waitcnt", &semantic<Wait>, Cost::wait, every},
      {"s_waitcnt_vscnt", &semantic<Wait>, Cost::wait, gfx10 | gfx103 | gfx11},
      {"s_waitcnt_vmcnt", &semantic<Wait>, Cost::wait, gfx10 | gfx103 | gfx11},
      {"s_waitcnt_expcnt", &semantic<Wait>, Cost::wait, gfx10 | gfx103 | gfx11},
      {"s_waitcnt_lgkmcnt", &semantic<Wait>, Cost::wait, gfx10 | gfx103 | gfx11},
      {"s_waitcnt_depctr", &semantic<Wait>, Cost::wait, gfx10 | gfx103 | gfx11},
      {"s_wait_loadcnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_storecnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_samplecnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_bvhcnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_expcnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_dscnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_kmcnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_loadcnt_dscnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_storecnt_dscnt", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_alu", &semantic<Wait>, Cost::wait, gfx12},
      {"s_wait_idle", &semantic<Wait>, Cost::wait, rdna},
      {"s_wait_event", &semantic<Wait>, Cost::wait, late},

      {"s_nop", &semantic<Hint>, Cost::nop, every, no_text},
      {"v_nop", &semantic<VectorNop>, Cost::valu_full, every, no_text},
      {"v_clrexcp", &semantic<VectorNop>, Cost::valu_full, every, no_text},
      {"s_setprio", &semantic<Priority>, Cost::hint, every, no_text},
      {"s_wakeup", &semantic<Hint>, Cost::hint, gfx8up, no_text},
      // Code does not change while it runs, so this costs its turn and no more.
      {"s_icache_inv", &semantic<Hint>, Cost::hint, every, no_text},
      {"s_incperflevel", &semantic<Hint>, Cost::hint, every, no_text},
      {"s_decperflevel", &semantic<Hint>, Cost::hint, every, no_text},
      {"s_ttracedata", &semantic<Hint>, Cost::hint, every, no_text},
      {"s_ttracedata_imm", &semantic<Hint>, Cost::hint, rdna, no_text},
      {"s_inst_prefetch", &semantic<Hint>, Cost::hint, gfx10 | gfx103, no_text},
      {"s_set_inst_prefetch_distance", &semantic<Hint>, Cost::hint, late, no_text},
      {"s_clause", &semantic<Hint>, Cost::hint, rdna, no_text},
      {"s_delay_alu", &semantic<Hint>, Cost::hint, late, no_text},
      {"s_version", &semantic<Hint>, Cost::hint, rdna, no_text},
      {"s_sleep", &semantic<Sleep>, Cost::sleep, every, no_text},
      {"s_sleep_var", &semantic<Sleep>, Cost::sleep, gfx12, no_text},
      {"s_singleuse_vdst", &semantic<Hint>, Cost::hint, gfx12, no_text},
      {"s_sendmsg_rtn_b32", &semantic<SendMessageReturning<u32>>, Cost::message, late},
      {"s_sendmsg_rtn_b64", &semantic<SendMessageReturning<u64>>, Cost::message, late},
      {"s_get_waveid_in_workgroup", &semantic<WaveInGroup>, Cost::salu, gfx10},
      {"s_sethalt", &semantic<SetHalt>, Cost::nop, every, no_text},
      {"s_setkill", &semantic<SetKill>, Cost::nop, every, no_text},
      {"s_trap", &semantic<Trap>, Cost::message, every, no_text},
      {"s_sendmsg", &semantic<SendMessage>, Cost::message, every & ~late, no_text},
      {"s_sendmsg", &semantic<SendMessageRdna3>, Cost::message, late, no_text},

      {"s_sendmsghalt", &semantic<NotSupported<Refused::sendmsghalt>>, Cost::message, every, no_text},
      // LLVM asks for the doorbell behind the s_trap of llvm.trap, which ends the run.
      {"s_cbranch_g_fork", &semantic<NotSupported<Refused::cbranch_g_fork>>, Cost::salu, gfx6to9, no_text},
      {"s_cbranch_i_fork", &semantic<NotSupported<Refused::cbranch_i_fork>>, Cost::branch, gfx6to9, no_text},
      {"s_cbranch_join", &semantic<NotSupported<Refused::cbranch_join>>, Cost::salu, gfx6to9, no_text},
      {"s_rfe_b64", &semantic<NotSupported<Refused::rfe>>, Cost::branch, every, no_text},
      {"s_rfe_restore_b64", &semantic<NotSupported<Refused::rfe_restore>>, Cost::branch, gfx8up, no_text},
      {"s_setvskip", &semantic<NotSupported<Refused::setvskip>>, Cost::salu, gfx6to9, no_text},
      {"s_endpgm_saved", &semantic<NotSupported<Refused::endpgm_saved>>, Cost::end, every, no_text},
      {"s_endpgm_ordered_ps_done", &semantic<NotSupported<Refused::endpgm_ordered_ps_done>>, Cost::end, every,
       no_text},
  };
  return rows;
}

}  // namespace lockstep::amd
