// Scalar memory: loads and stores of one value for the whole wave, cache control, time, scalar atomics.
// Source: "Vega Instruction Set Architecture", chapter "Scalar Memory Operations"; the names of gfx11 and
// gfx12 from the "RDNA 3" and "RDNA 4 Instruction Set Architecture".
#include <algorithm>

#include "isa/amd/memory_rows.h"

namespace lockstep::amd {
namespace {

using memory::Joined;

constexpr std::string_view count_text(int dwords) {
  switch (dwords) {
    case 1:
      return "1";
    case 2:
      return "2";
    case 3:
      return "3";
    case 4:
      return "4";
    case 8:
      return "8";
    default:
      return "16";
  }
}
template <int N>
inline constexpr std::string_view dwords_name = count_text(N);

u32 scalar_offset(const WaveState& wave, const Instruction& in) {
  const Operand& operand = in.operand[4];
  return operand.kind == OperandKind::none ? 0 : scalar_value32(wave, operand);
}

// Shows one address to the checker and checks it; null after raising a fault, and where the step only looks.
// `space` tells loads through the constant cache from stores.
u8* scalar_access(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u64 address,
                  u8 bytes) {
  memory::Places places;
  const Space space = kind == AccessKind::load ? Space::constant : Space::global;
  const memory::Place& place =
      memory::add_place(places, context, memory::global_view(context), space, kind, bytes, 1);
  place.access->address[0] = address;
  if (context.checker != nullptr) {
    context.checker->access(wave, in, *place.access, context);
    if (context.fault.kind != FaultKind::none) return nullptr;
  }
  if (!memory::check_lanes(*place.access, place.view, nullptr, context) || context.look_only) return nullptr;
  return place.view.at(address);
}

// Addresses ignore the two low bits of base and offset.
u64 plain_address(const WaveState& wave, const Instruction& in) {
  const u64 base = scalar_value64(wave, in.operand[3]) & ~u64{3};
  return (base + static_cast<u64>(i64{in.offset}) + scalar_offset(wave, in)) & ~u64{3};
}

struct Plain {
  static constexpr std::string_view name = "scalar";
  // Where the access begins, and how many dwords of it are within range.
  static u64 address(const WaveState& wave, const Instruction& in, u32&) { return plain_address(wave, in); }
};

// s_scratch_*: the offset operand counts in units of 64 bytes (a dword for each lane).
struct Scratch {
  static constexpr std::string_view name = "scalar scratch";
  static u64 address(const WaveState& wave, const Instruction& in, u32&) {
    const u64 base = scalar_value64(wave, in.operand[3]) & ~u64{3};
    return (base + static_cast<u64>(i64{in.offset}) + u64{64} * scalar_offset(wave, in)) & ~u64{3};
  }
};

// A buffer resource: base, stride and records; dwords behind the last record read 0 and are not written.
struct Buffer {
  static constexpr std::string_view name = "scalar buffer";
  static u64 address(const WaveState& wave, const Instruction& in, u32& dwords) {
    const BufferResource resource = buffer_resource(wave, in.operand[3].index, ResourceLayout::gcn5);
    const u64 bytes = u64{resource.records} * std::max<u64>(resource.stride, 1);
    const u64 offset = (static_cast<u32>(in.offset) + scalar_offset(wave, in)) & ~u32{3};
    dwords = offset >= bytes ? 0 : static_cast<u32>(std::min<u64>(dwords, (bytes - offset) / 4));
    return (resource.base & ~u64{3}) + offset;
  }
};

inline constexpr std::string_view load_word = " load dwords ", store_word = " store dwords ";

template <class A, int N>
struct ScalarLoad {
  static constexpr std::string_view name = Joined<A::name, load_word, dwords_name<N>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied = 0;
  static constexpr MemoryData memory_data = {.moves = true};
  static constexpr Kind result = N == 2 ? Kind::u64 : Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    u32 dwords = N;
    const u64 address = A::address(wave, in, dwords);
    std::array<u32, N> value{};
    if (dwords != 0) {
      const u8* from =
          scalar_access(wave, in, context, AccessKind::load, address, static_cast<u8>(dwords * 4));
      if (from == nullptr) return;
      std::memcpy(value.data(), from, dwords * 4);
    }
    if (context.look_only) return;
    for (u32 k = 0; k < N; ++k) wave.write_scalar(in.operand[0].index + k, value[k]);
  }
};

// A load of a byte or 16 bits (gfx12); addresses are in bytes.
template <class T, bool buffer = false>
struct ScalarLoadSmall {
  static constexpr std::string_view plain = buffer ? "scalar buffer load " : "scalar load ";
  static constexpr std::string_view name = Joined<plain, memory::element_name<T>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied = 0;
  static constexpr MemoryData memory_data = memory::moved_data<T>;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const u64 offset = static_cast<u64>(i64{in.offset}) + scalar_offset(wave, in);
    u64 address = offset;
    if constexpr (buffer) {
      const BufferResource resource = buffer_resource(wave, in.operand[3].index, ResourceLayout::rdna);
      const u64 bytes = u64{resource.records} * std::max<u64>(resource.stride, 1);
      address += resource.base;
      if (offset + sizeof(T) > bytes) {
        if (!context.look_only) wave.write_scalar(in.operand[0].index, 0);
        return;
      }
    } else {
      address += scalar_value64(wave, in.operand[3]);
    }
    const u8* from = scalar_access(wave, in, context, AccessKind::load, address, sizeof(T));
    if (from == nullptr) return;
    T value;
    std::memcpy(&value, from, sizeof(T));
    wave.write_scalar(in.operand[0].index, static_cast<u32>(static_cast<i32>(value)));
  }
};

template <class A, int N>
struct ScalarStore {
  static constexpr std::string_view name = Joined<A::name, store_word, dwords_name<N>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied = implies::reads_result | implies::keeps_result;
  static constexpr MemoryData memory_data = {.moves = true};
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    u32 dwords = N;
    const u64 address = A::address(wave, in, dwords);
    if (dwords == 0) return;
    u8* to = scalar_access(wave, in, context, AccessKind::store, address, static_cast<u8>(dwords * 4));
    if (to == nullptr) return;
    std::array<u32, N> value;
    for (u32 k = 0; k < N; ++k) value[k] = wave.read_scalar(in.operand[0].index + k);
    std::memcpy(to, value.data(), dwords * 4);
  }
};

// The cycle counter of the shader clock.
struct Time {
  static constexpr std::string_view name = "time in cycles";
  static constexpr Shape shape = Shape::control;
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    wave.write_scalar64(in.operand[0].index, context.now_cycles);
  }
};

// A counter of constant frequency. A step knows only cycles, so that it counts once in `cycles_per_tick` of
// them: 100 MHz where the shader clock is 1.5 GHz, whatever the machine's clock is.
struct ConstantTime {
  static constexpr u64 cycles_per_tick = 15;
  static constexpr std::string_view name = "time in ticks of a constant clock";
  static constexpr std::string_view bound = "one tick is 15 shader cycles on every machine";
  static constexpr Shape shape = Shape::control;
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    wave.write_scalar64(in.operand[0].index, context.now_cycles / cycles_per_tick);
  }
};

// Write-backs, invalidations and hints of the scalar cache: memory is coherent in execution.
struct CacheControl {
  static constexpr std::string_view name = "scalar cache control";
  static constexpr Shape shape = Shape::control;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};

template <int N>
void add_loads(RowList& rows, std::string_view old_name, std::string_view new_name) {
  constexpr u32 old = gfx6to9 | gfx10 | gfx103, renamed = gfx11 | gfx12;
  // The resource's fields that count here (base, stride, records) lie alike in every generation up to gfx9;
  // on gfx10 and later as well.
  constexpr u32 old_buffer = old;
  const Semantic* load = &semantic<ScalarLoad<Plain, N>>;
  const Semantic* buffer = &semantic<ScalarLoad<Buffer, N>>;
  rows.add("s_load_", old_name, load, Cost::smem_load, N == 3 ? 0 : old);
  rows.add("s_load_", new_name, load, Cost::smem_load, N == 3 ? gfx12 : renamed);
  rows.add("s_buffer_load_", old_name, buffer, Cost::smem_load, N == 3 ? 0 : old_buffer);
  rows.add("s_buffer_load_", new_name, buffer, Cost::smem_load, N == 3 ? gfx12 : renamed);
}

template <int N>
void add_stores(RowList& rows, std::string_view name) {
  constexpr u32 scratch = gfx9 | gfx10;
  constexpr u32 stores = gfx8 | scratch;
  rows.add("s_store_", name, &semantic<ScalarStore<Plain, N>>, Cost::smem_store, stores);
  rows.add("s_buffer_store_", name, &semantic<ScalarStore<Buffer, N>>, Cost::smem_store, stores);
  rows.add("s_scratch_store_", name, &semantic<ScalarStore<Scratch, N>>, Cost::smem_store, scratch);
  rows.add("s_scratch_load_", name, &semantic<ScalarLoad<Scratch, N>>, Cost::smem_load, scratch);
}

}  // namespace

std::span<const Row> scalar_memory_rows() {
  static const RowList list = [] {
    RowList rows;
    add_loads<1>(rows, "dword", "b32");
    add_loads<2>(rows, "dwordx2", "b64");
    add_loads<3>(rows, "dwordx3", "b96");
    add_loads<4>(rows, "dwordx4", "b128");
    add_loads<8>(rows, "dwordx8", "b256");
    add_loads<16>(rows, "dwordx16", "b512");
    rows.add("s_load_u8", "", &semantic<ScalarLoadSmall<u8>>, Cost::smem_load, gfx12);
    rows.add("s_load_i8", "", &semantic<ScalarLoadSmall<i8>>, Cost::smem_load, gfx12);
    rows.add("s_load_u16", "", &semantic<ScalarLoadSmall<u16>>, Cost::smem_load, gfx12);
    rows.add("s_load_i16", "", &semantic<ScalarLoadSmall<i16>>, Cost::smem_load, gfx12);
    rows.add("s_buffer_load_u8", "", &semantic<ScalarLoadSmall<u8, true>>, Cost::smem_load, gfx12);
    rows.add("s_buffer_load_i8", "", &semantic<ScalarLoadSmall<i8, true>>, Cost::smem_load, gfx12);
    rows.add("s_buffer_load_u16", "", &semantic<ScalarLoadSmall<u16, true>>, Cost::smem_load, gfx12);
    rows.add("s_buffer_load_i16", "", &semantic<ScalarLoadSmall<i16, true>>, Cost::smem_load, gfx12);
    add_stores<1>(rows, "dword");
    add_stores<2>(rows, "dwordx2");
    add_stores<4>(rows, "dwordx4");
    rows.add("s_memtime", "", &semantic<Time>, Cost::smem_time, gfx6to9 | gfx10 | gfx103);
    rows.add("s_memrealtime", "", &semantic<ConstantTime>, Cost::smem_time, gfx8to9 | gfx10 | gfx103);
    const auto control = [&](std::string_view name, u32 generations) {
      rows.add(name, "", &semantic<CacheControl>, Cost::cache_control, generations);
    };
    control("s_dcache_inv", every);
    control("s_dcache_inv_vol", gfx7 | gfx8 | gfx9);
    control("s_dcache_wb", gfx8 | gfx9 | gfx10 | gfx103);
    control("s_dcache_wb_vol", gfx8 | gfx9);
    control("s_dcache_discard", gfx9 | gfx10);
    control("s_dcache_discard_x2", gfx9 | gfx10);
    control("s_gl1_inv", gfx10 | gfx103 | gfx11);
    control("s_atc_probe", gfx8up);
    control("s_atc_probe_buffer", gfx8up);
    for (const char* name : {"s_prefetch_data", "s_prefetch_data_pc_rel", "s_prefetch_inst",
                             "s_prefetch_inst_pc_rel", "s_buffer_prefetch_data"}) {
      control(name, gfx12);
    }
    return rows;
  }();
  return list.rows();
}

}  // namespace lockstep::amd
