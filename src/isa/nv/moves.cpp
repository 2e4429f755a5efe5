// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9 (mov, cvta, isspacep), and the logic of
// predicates.
#include "isa/nv/integer_moves.h"
#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"
#include "isa/nv/special.h"
#include "isa/nv/wave.h"

namespace lockstep::nv {
namespace {

// Predicates: whole masks at a time.
struct MaskShape {
  static constexpr Shape shape = Shape::custom;
  static constexpr Kind result = Kind::mask;
};
template <class F, int N>
struct MaskLogic : MaskShape {
  static constexpr std::string_view name = F::name;
  static constexpr Flow flow = F::flow;
  static constexpr u8 sources = N;
  static constexpr std::array<Kind, 4> source_kinds{Kind::mask, N > 1 ? Kind::mask : Kind::none};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 a = static_cast<u32>(mask_value(wave, in.operand[1]));
    const u32 b = N > 1 ? static_cast<u32>(mask_value(wave, in.operand[2])) : 0;
    const u32 active = static_cast<u32>(wave.exec());
    const u32 before = wave.read_scalar(in.operand[0].index);
    wave.write_scalar(in.operand[0].index, (F::apply(a, b) & active) | (before & ~active));
  }
};
struct AndPred {
  static constexpr std::string_view name = "and.pred";
  static constexpr Flow flow = Flow::bit_and;
  static u32 apply(u32 a, u32 b) { return a & b; }
};
struct OrPred {
  static constexpr std::string_view name = "or.pred";
  static constexpr Flow flow = Flow::bit_or;
  static u32 apply(u32 a, u32 b) { return a | b; }
};
struct XorPred {
  static constexpr std::string_view name = "xor.pred";
  static constexpr Flow flow = Flow::bit_xor;
  static u32 apply(u32 a, u32 b) { return a ^ b; }
};
struct NotPred {
  static constexpr std::string_view name = "not.pred";
  static constexpr Flow flow = Flow::bit_not;
  static u32 apply(u32 a, u32) { return ~a; }
};
struct MovPred {
  static constexpr std::string_view name = "mov.pred";
  static constexpr Flow flow = Flow::move;
  static u32 apply(u32 a, u32) { return a; }
};

// Between registers and vectors of smaller ones. All sources are read before any result is written.
template <class Part, int N>
struct Pack {
  static constexpr std::string_view name = "mov (pack)";
  static constexpr Shape shape = Shape::custom;
  static constexpr Kind result = N * sizeof(Part) == 8 ? Kind::u64 : Kind::u32;
  static constexpr u8 sources = N;
  static constexpr Kind part_kind = sizeof(Part) == 4 ? Kind::u32 : Kind::u16;
  static constexpr std::array<Kind, 4> source_kinds{part_kind, part_kind, N > 2 ? part_kind : Kind::none,
                                                    N > 2 ? part_kind : Kind::none};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u64> all;
    for (int lane = 0; lane < W; ++lane) all.lane[lane] = 0;
    for (int i = 0; i < N; ++i) {
      Row<u32> room;
      const u32* row = fetch32<W>(wave, in, in.operand[1 + i], part_kind, room);
      for (int lane = 0; lane < W; ++lane)
        all.lane[lane] |= u64{static_cast<Part>(row[lane])} << (i * sizeof(Part) * 8);
    }
    if constexpr (result == Kind::u64) {
      commit64<W>(wave, in, in.operand[0], all.data());
    } else {
      Row<u32> low;
      for (int lane = 0; lane < W; ++lane) low.lane[lane] = static_cast<u32>(all.lane[lane]);
      commit32<W>(wave, in, in.operand[0], low.data());
    }
  }
};
template <class Part, int N>
struct Unpack {
  static constexpr std::string_view name = "mov (unpack)";
  static constexpr Shape shape = Shape::custom;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr Kind whole_kind = N * sizeof(Part) == 8 ? Kind::u64 : Kind::u32;
  static constexpr std::array<Kind, 4> source_kinds{whole_kind};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u64> whole;
    if constexpr (whole_kind == Kind::u64) {
      Row<u64> room;
      const u64* row = fetch64<W>(wave, in, in.operand[1], Kind::u64, room);
      for (int lane = 0; lane < W; ++lane) whole.lane[lane] = row[lane];
    } else {
      Row<u32> room;
      const u32* row = fetch32<W>(wave, in, in.operand[1], Kind::u32, room);
      for (int lane = 0; lane < W; ++lane) whole.lane[lane] = row[lane];
    }
    constexpr int slot[] = {0, 2, 3, 4};
    for (int i = 0; i < N; ++i) {
      const Operand& to = in.operand[slot[i]];
      if (to.kind == OperandKind::none) continue;
      Row<u32> part;
      for (int lane = 0; lane < W; ++lane)
        part.lane[lane] = static_cast<Part>(whole.lane[lane] >> (i * sizeof(Part) * 8));
      commit32<W>(wave, in, to, part.data());
    }
  }
};

// Addresses that are known only when a wave runs.
struct ImageAddress {
  static constexpr std::string_view name = "mov (address of a variable)";
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u64 value = in.operand[1].value + base_offset(wave, static_cast<Base>(in.operand[2].value));
    Row<u64> row;
    for (int lane = 0; lane < W; ++lane) row.lane[lane] = value;
    if (in.operand[0].registers == 1) {
      Row<u32> low;
      for (int lane = 0; lane < W; ++lane) low.lane[lane] = static_cast<u32>(value);
      commit32<W>(wave, in, in.operand[0], low.data());
    } else {
      commit64<W>(wave, in, in.operand[0], row.data());
    }
  }
};
struct FrameAddress {
  static constexpr std::string_view name = "mov (address in the frame)";
  static constexpr u16 implied = implies::reads_exec | implies::frame;
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32* frame = wave.row(fixed_row::frame);
    Row<u64> row;
    Row<u32> low;
    for (int lane = 0; lane < W; ++lane) {
      low.lane[lane] = frame[lane] + static_cast<u32>(in.operand[1].value);
      row.lane[lane] = low.lane[lane];
    }
    if (in.operand[0].registers == 1) {
      commit32<W>(wave, in, in.operand[0], low.data());
    } else {
      commit64<W>(wave, in, in.operand[0], row.data());
    }
  }
};

// Between windows and generic addresses. A window's base stands in the upper half; global addresses are
// generic.
template <u64 Base>
struct ToGeneric {
  static constexpr std::string_view name = "cvta";
  static u64 apply(u64 a) { return (a & 0xFFFFFFFF) | Base; }
};
template <u64 Base>
struct InWindow {
  static constexpr std::string_view name = "isspacep";
  static bool apply(u64 a) { return (a >> 32) == (Base >> 32); }
};
struct InGlobal {
  static constexpr std::string_view name = "isspacep.global";
  static bool apply(u64 a) { return (a >> 32) != (shared_window >> 32) && (a >> 32) != (local_window >> 32); }
};

struct Clock {
  static constexpr std::string_view name = "mov (clock)";
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    u64 value = 0;
    switch (static_cast<Special>(in.operand[1].value)) {
      case Special::clock:
        value = context.now_cycles != 0 ? context.now_cycles : wave.instructions;
        break;
      case Special::clock_high:
        value = context.now_cycles >> 32;
        break;
      case Special::smid:
        value = context.compute_unit;
        break;
      case Special::active_mask:
        value = wave.exec();
        break;
    }
    Row<u64> row;
    Row<u32> low;
    for (int lane = 0; lane < W; ++lane) {
      low.lane[lane] = static_cast<u32>(value);
      row.lane[lane] = value;
    }
    if (in.operand[0].registers == 1) {
      commit32<W>(wave, in, in.operand[0], low.data());
    } else {
      commit64<W>(wave, in, in.operand[0], row.data());
    }
  }
};

}  // namespace

const Semantic& special_value() {
  return semantic32<Clock>;
}
const Semantic& image_address() {
  return semantic32<ImageAddress>;
}
const Semantic& frame_address() {
  return semantic32<FrameAddress>;
}
const Semantic& pack(u32 part_bytes, u32 parts) {
  return part_bytes == 4   ? semantic32<Pack<u32, 2>>
         : part_bytes == 1 ? semantic32<Pack<u8, 4>>
         : parts == 4      ? semantic32<Pack<u16, 4>>
                           : semantic32<Pack<u16, 2>>;
}
const Semantic& unpack(u32 part_bytes, u32 parts) {
  return part_bytes == 4   ? semantic32<Unpack<u32, 2>>
         : part_bytes == 1 ? semantic32<Unpack<u8, 4>>
         : parts == 4      ? semantic32<Unpack<u16, 4>>
                           : semantic32<Unpack<u16, 2>>;
}

void add_moves(Opcodes& o) {
  // An address in a window is the lower half of the generic one.
  const Semantic& to_window = cvt<u32, u64, u64, u64, false>();
  for (const char* type : {"b16", "u16", "s16", "f16", "bf16"})
    o.add(std::string("mov.") + type, semantic32<Mov<u16>>, Cost::valu_full);
  for (const char* type : {"b32", "u32", "s32", "f32", "f16x2", "bf16x2"})
    o.add(std::string("mov.") + type, semantic32<Mov<u32>>, Cost::valu_full);
  for (const char* type : {"b64", "u64", "s64", "f64"})
    o.add(std::string("mov.") + type, semantic32<Mov<u64>>, Cost::valu_full);
  o.add("and.pred", semantic32<MaskLogic<AndPred, 2>>, Cost::valu_full);
  o.add("or.pred", semantic32<MaskLogic<OrPred, 2>>, Cost::valu_full);
  o.add("xor.pred", semantic32<MaskLogic<XorPred, 2>>, Cost::valu_full);
  o.add("not.pred", semantic32<MaskLogic<NotPred, 1>>, Cost::valu_full);
  o.add("mov.pred", semantic32<MaskLogic<MovPred, 1>>, Cost::valu_full);
  for (const std::string width : {".u64", ".u32"}) {
    if (width == ".u32") continue;  // 32-bit generic addresses have no windows
    for (const char* same : {"global", "const", "param"}) {
      o.add(std::string("cvta.") + same + width, semantic32<Mov<u64>>, Cost::valu_full);
      o.add(std::string("cvta.to.") + same + width, semantic32<Mov<u64>>, Cost::valu_full);
    }
    for (const char* shared : {"shared", "shared::cta"}) {
      o.add(std::string("cvta.") + shared + width, semantic32<ToGeneric<shared_window>>, Cost::valu_full);
      o.add(std::string("cvta.to.") + shared + width, to_window, Cost::valu_full);
      o.add(std::string("isspacep.") + shared, semantic32<InWindow<shared_window>>, Cost::valu_full,
            Instruction::merge_mask);
    }
    o.add("cvta.local" + width, semantic32<ToGeneric<local_window>>, Cost::valu_full);
    o.add("cvta.to.local" + width, to_window, Cost::valu_full);
    o.add("isspacep.local", semantic32<InWindow<local_window>>, Cost::valu_full, Instruction::merge_mask);
    o.add("isspacep.global", semantic32<InGlobal>, Cost::valu_full, Instruction::merge_mask);
  }
}

}  // namespace lockstep::nv
