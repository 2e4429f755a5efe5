// Atomics of the vector and scalar memory: global, flat, buffer, scalar.
// Source: "Vega Instruction Set Architecture", lists of FLAT, MUBUF and SMEM instructions; float atomics from
// the "CDNA 1", "CDNA 2" and "RDNA 1 Instruction Set Architecture"; the names of gfx11 and gfx12 from the
// "RDNA 3" and "RDNA 4" ones.
#include <algorithm>

#include "float/half.h"
#include "isa/amd/combine.h"
#include "isa/amd/memory_rows.h"
#include "isa/amd/text.h"

namespace lockstep::amd {

u32 combine::HalfPairAdd::apply(u32 old, u32 data) {
  // f32 has more than twice the bits of f16 plus two: rounding its sum again gives the sum rounded once.
  const auto sum = [](u32 a, u32 b) -> u32 {
    return f32_to_f16(f16_to_f32(static_cast<f16>(a)) + f16_to_f32(static_cast<f16>(b)));
  };
  return sum(old & 0xFFFF, data & 0xFFFF) | sum(old >> 16, data >> 16) << 16;
}

u32 combine::BrainPairAdd::apply(u32 old, u32 data) {
  const auto sum = [](u32 a, u32 b) -> u32 {
    return f32_to_bf16(bf16_to_f32(static_cast<bf16>(a)) + bf16_to_f32(static_cast<bf16>(b)));
  };
  return sum(old & 0xFFFF, data & 0xFFFF) | sum(old >> 16, data >> 16) << 16;
}

namespace {

using memory::Atomic;
using memory::MemoryInstruction;

template <class A, class F, class T>
constexpr const Semantic* meaning = &semantic<MemoryInstruction<A, Atomic<F, T>>>;

constexpr u32 renamed = gfx11 | gfx12;

// Integer atomics in both widths. `old` and `later` are the family's generations with the names of before and
// from gfx11 on.
template <class A>
void add_integers(RowList& list, std::string_view prefix, u32 old, u32 later) {
  const auto both = [&]<class F>(F, std::string_view name, std::string_view name32, std::string_view name64) {
    list.add(prefix, name, meaning<A, F, u32>, Cost::vmem_atomic, old);
    list.add(prefix, std::string(name) + "_x2", meaning<A, F, u64>, Cost::vmem_atomic, old);
    list.add(prefix, name32, meaning<A, F, u32>, Cost::vmem_atomic, later);
    list.add(prefix, name64, meaning<A, F, u64>, Cost::vmem_atomic, later);
  };
  both(combine::Swap{}, "swap", "swap_b32", "swap_b64");
  both(combine::CompareSwap{}, "cmpswap", "cmpswap_b32", "cmpswap_b64");
  both(combine::Add{}, "add", "add_u32", "add_u64");
  both(combine::Sub{}, "sub", "sub_u32", "sub_u64");
  both(combine::SignedMin{}, "smin", "min_i32", "min_i64");
  both(combine::UnsignedMin{}, "umin", "min_u32", "min_u64");
  both(combine::SignedMax{}, "smax", "max_i32", "max_i64");
  both(combine::UnsignedMax{}, "umax", "max_u32", "max_u64");
  both(combine::And{}, "and", "and_b32", "and_b64");
  both(combine::Or{}, "or", "or_b32", "or_b64");
  both(combine::Xor{}, "xor", "xor_b32", "xor_b64");
  both(combine::Increment{}, "inc", "inc_u32", "inc_u64");
  both(combine::Decrement{}, "dec", "dec_u32", "dec_u64");
}

// The names from gfx11 on.
template <class A>
void add_renamed_floats(RowList& list, std::string_view prefix, bool flat) {
  const auto one = [&](std::string_view name, const Semantic* what, u32 generations) {
    list.add(prefix, name, what, Cost::vmem_atomic, generations);
  };
  one("cmpswap_f32", meaning<A, combine::FloatCompareSwap, u32>, gfx11);
  one("min_f32", meaning<A, combine::FloatMin, u32>, gfx11);
  one("max_f32", meaning<A, combine::FloatMax, u32>, gfx11);
  one("min_num_f32", meaning<A, combine::NumberMin, u32>, gfx12);
  one("max_num_f32", meaning<A, combine::NumberMax, u32>, gfx12);
  one("csub_u32", meaning<A, combine::SaturatingSub, u32>, flat ? 0u : u32{gfx11});
  one("sub_clamp_u32", meaning<A, combine::SaturatingSub, u32>, gfx12);
  one("cond_sub_u32", meaning<A, combine::ConditionalSub, u32>, gfx12);
}

template <class A>
void add_floats(RowList& list, std::string_view prefix, bool flat) {
  const auto one = [&](std::string_view name, const Semantic* what, u32 generations) {
    list.add(prefix, name, what, Cost::vmem_atomic, generations);
  };
  // CDNA: global and buffer from gfx908 on (there without a returned value), flat from gfx940 on.
  one("add_f32", meaning<A, combine::FloatAdd, u32>, (flat ? gfx940 : cdna) | renamed);
  one("pk_add_f16", meaning<A, combine::HalfPairAdd, u32>, (flat ? gfx940 : cdna) | gfx12);
  one("add_f64", meaning<A, combine::FloatAdd, u64>, gfx90a | gfx940);
  one("min_f64", meaning<A, combine::FloatMin, u64>, gfx90a | gfx940);
  one("max_f64", meaning<A, combine::FloatMax, u64>, gfx90a | gfx940);
  const u32 early = gfx10 | gfx103 | (flat ? u32{gfx7} : 0u);
  one("fmin", meaning<A, combine::FloatMin, u32>, early);
  one("fmax", meaning<A, combine::FloatMax, u32>, early);
  one("fcmpswap", meaning<A, combine::FloatCompareSwap, u32>, early);
  one("fmin_x2", meaning<A, combine::FloatMin, u64>, early);
  one("fmax_x2", meaning<A, combine::FloatMax, u64>, early);
  one("fcmpswap_x2", meaning<A, combine::FloatCompareSwap, u64>, early);
  one("pk_add_bf16", meaning<A, combine::BrainPairAdd, u32>, gfx940 | gfx12);
  add_renamed_floats<A>(list, prefix, flat);
  one("csub", meaning<A, combine::SaturatingSub, u32>, flat ? 0u : u32{gfx103});
}

// Scalar atomics: the wave's own value in operand[0], which takes the old value where it returns.
template <class F, class T, bool Buffer>
struct ScalarAtomic {
  static constexpr std::string_view scalar_word = Buffer ? "scalar buffer atomic " : "scalar atomic ";
  static constexpr std::string_view name =
      memory::Joined<scalar_word, F::name, memory::space_word, memory::element_name<T>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr Combining combining = F::combining;
  static constexpr u16 implied = implies::reads_result;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources =
      requires { F::operands; } ? 2 : 1;  // in the data's registers, one behind the other
  static constexpr std::array<Kind, 4> source_kinds{};

  static T value(const WaveState& wave, u32 index) {
    if constexpr (sizeof(T) == 8) {
      return wave.read_scalar64(index);
    } else {
      return wave.read_scalar(index);
    }
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const bool returns = (in.flags & Instruction::returns) != 0;
    const Operand& further = in.operand[4];
    const u64 offset = static_cast<u64>(i64{in.offset}) +
                       (further.kind == OperandKind::none ? 0 : scalar_value32(wave, further));
    u64 base;
    if constexpr (Buffer) {
      const BufferResource resource = buffer_resource(wave, in.operand[3].index, ResourceLayout::gcn5);
      const u64 bytes = u64{resource.records} * std::max<u64>(resource.stride, 1);
      if (offset + sizeof(T) > bytes) return;  // outside: nothing is written
      base = resource.base;
    } else {
      base = scalar_value64(wave, in.operand[3]);
    }
    memory::Places places;
    const memory::Place& place =
        memory::add_place(places, context, memory::global_view(context), Space::global,
                          returns ? AccessKind::atomic_return : AccessKind::atomic, sizeof(T), 1);
    place.access->address[0] = base + offset;
    memory::admit<W>(wave, in, context, place);
    if (context.fault.kind != FaultKind::none) return;
    if (!memory::check_aligned(*place.access, sizeof(T), context) || context.look_only) return;
    const u32 index = in.operand[0].index;
    const T data = value(wave, index);
    T old;
    if constexpr (requires { F::operands; }) {
      const T other = value(wave, index + sizeof(T) / 4);
      old = memory::exchange_element<T>(place.view, place.access->address[0],
                                        [&](T before) { return F::apply(before, data, other); });
    } else {
      old = memory::exchange_element<T>(place.view, place.access->address[0],
                                        [&](T before) { return F::apply(before, data); });
    }
    if (!returns) return;
    const u32 into = as_result(in.operand[0]).index;
    if constexpr (sizeof(T) == 8) {
      wave.write_scalar64(into, old);
    } else {
      wave.write_scalar(into, old);
    }
  }
};

void add_scalars(RowList& list) {
  constexpr u32 generations = gfx9 | gfx10;
  const auto both = [&]<class F>(F, std::string_view name) {
    const std::string twice = std::string(name) + "_x2";
    constexpr Cost cost = Cost::smem_store;
    list.add("s_atomic_", name, &semantic<ScalarAtomic<F, u32, false>>, cost, generations);
    list.add("s_atomic_", twice, &semantic<ScalarAtomic<F, u64, false>>, cost, generations);
    list.add("s_buffer_atomic_", name, &semantic<ScalarAtomic<F, u32, true>>, cost, generations);
    list.add("s_buffer_atomic_", twice, &semantic<ScalarAtomic<F, u64, true>>, cost, generations);
  };
  both(combine::Swap{}, "swap");
  both(combine::CompareSwap{}, "cmpswap");
  both(combine::Add{}, "add");
  both(combine::Sub{}, "sub");
  both(combine::SignedMin{}, "smin");
  both(combine::UnsignedMin{}, "umin");
  both(combine::SignedMax{}, "smax");
  both(combine::UnsignedMax{}, "umax");
  both(combine::And{}, "and");
  both(combine::Or{}, "or");
  both(combine::Xor{}, "xor");
  both(combine::Increment{}, "inc");
  both(combine::Decrement{}, "dec");
}

}  // namespace

std::span<const Row> atomic_rows() {
  static const RowList list = [] {
    RowList rows;
    constexpr u32 old = gfx9 | gfx10 | gfx103;
    using Vega = BufferAddress<ResourceLayout::gcn5>;
    using Volcanic = BufferAddress<ResourceLayout::gcn3>;
    using Radeon = BufferAddress<ResourceLayout::rdna>;
    using Southern = BufferAddress<ResourceLayout::gcn1>;
    add_integers<GlobalAddress>(rows, "global_atomic_", old, renamed);
    add_integers<FlatAddress>(rows, "flat_atomic_", old | gfx7 | gfx8, renamed);
    add_integers<Vega>(rows, "buffer_atomic_", gfx9, 0);
    add_integers<Volcanic>(rows, "buffer_atomic_", gfx8, 0);
    add_integers<Southern>(rows, "buffer_atomic_", gfx6 | gfx7, 0);
    add_integers<Radeon>(rows, "buffer_atomic_", gfx10 | gfx103, renamed);
    add_floats<GlobalAddress>(rows, "global_atomic_", false);
    add_floats<FlatAddress>(rows, "flat_atomic_", true);
    const auto buffer = [&](std::string_view name, const Semantic* what, u32 generations) {
      rows.add("buffer_atomic_", name, what, Cost::vmem_atomic, generations);
    };
    buffer("add_f32", meaning<Vega, combine::FloatAdd, u32>, cdna);
    buffer("pk_add_f16", meaning<Vega, combine::HalfPairAdd, u32>, cdna);
    buffer("add_f64", meaning<Vega, combine::FloatAdd, u64>, gfx90a | gfx940);
    buffer("min_f64", meaning<Vega, combine::FloatMin, u64>, gfx90a | gfx940);
    buffer("max_f64", meaning<Vega, combine::FloatMax, u64>, gfx90a | gfx940);
    buffer("fmin_x2", meaning<Southern, combine::FloatMin, u64>, gfx6 | gfx7);
    buffer("fmax_x2", meaning<Southern, combine::FloatMax, u64>, gfx6 | gfx7);
    buffer("fcmpswap_x2", meaning<Southern, combine::FloatCompareSwap, u64>, gfx6 | gfx7);
    buffer("fmin", meaning<Radeon, combine::FloatMin, u32>, gfx10 | gfx103);
    buffer("fmax", meaning<Radeon, combine::FloatMax, u32>, gfx10 | gfx103);
    buffer("fcmpswap", meaning<Radeon, combine::FloatCompareSwap, u32>, gfx10 | gfx103);
    buffer("fmin_x2", meaning<Radeon, combine::FloatMin, u64>, gfx10 | gfx103);
    buffer("fmax_x2", meaning<Radeon, combine::FloatMax, u64>, gfx10 | gfx103);
    buffer("fcmpswap_x2", meaning<Radeon, combine::FloatCompareSwap, u64>, gfx10 | gfx103);
    buffer("csub", meaning<Radeon, combine::SaturatingSub, u32>, gfx103);
    buffer("add_f32", meaning<Radeon, combine::FloatAdd, u32>, renamed);
    buffer("pk_add_f16", meaning<Radeon, combine::HalfPairAdd, u32>, gfx12);
    buffer("pk_add_bf16", meaning<Radeon, combine::BrainPairAdd, u32>, gfx12);
    add_renamed_floats<Radeon>(rows, "buffer_atomic_", false);
    buffer("fmin", meaning<Southern, combine::FloatMin, u32>, gfx6 | gfx7);
    buffer("fmax", meaning<Southern, combine::FloatMax, u32>, gfx6 | gfx7);
    buffer("fcmpswap", meaning<Southern, combine::FloatCompareSwap, u32>, gfx6 | gfx7);
    add_scalars(rows);
    return rows;
  }();
  return list.rows();
}

}  // namespace lockstep::amd
