// Memory instructions: which addresses they may reach, and definedness between memory and registers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/check/step.h"
#include "isa/operands.h"

namespace lockstep {

using check::Origin;
using check::WaveShadow;

namespace {

// Four bits, one a byte, as the bytes' bits.
constexpr std::array<u32, 16> spread = [] {
  std::array<u32, 16> table{};
  for (u32 i = 0; i < 16; ++i) {
    for (u32 byte = 0; byte < 4; ++byte) table[i] |= ((i >> byte) & 1) != 0 ? u32{0xFF} << (8 * byte) : 0;
  }
  return table;
}();

// Device memory, not a wave's or a group's own.
bool is_device(Space space) {
  return space == Space::global || space == Space::constant || space == Space::image;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic || kind == AccessKind::atomic_return;
}

// What is wrong with the access of one lane.
Fault fault_of(FaultKind kind, const Access& access, u32 lane) {
  Fault fault;
  fault.kind = kind;
  fault.access = access.kind;
  fault.space = access.space;
  fault.bytes = access.bytes;
  fault.lane = lane;
  fault.address = access.address[lane];
  return fault;
}

u32 sign_extended(u32 bits, u32 bytes) {
  const u32 above = 32 - 8 * bytes;
  return static_cast<u32>(static_cast<i32>(bits << above) >> above);
}

// The alignment that a plain access needs; 1 where any will do.
//
// gfx9 and later run with SH_MEM_CONFIG.alignment_mode "unaligned" (amdkfd sets it; LLVM's target feature
// unaligned-access-mode, "User Guide for AMDGPU Backend"): global, private and local accesses of any size at
// any byte. gfx7 and gfx8 have that for buffer and flat memory alone, gfx6 for neither; their local memory
// wants 4 bytes for b32 and its pairs, 8 for b64, 16 for b96 and b128 (LLVM, SIISelLowering.cpp,
// allowsMisalignedMemoryAccessesImpl).
u64 needed_alignment(u32 major, const Access& access) {
  if (major >= 9) return 1;
  const u64 bytes = access.bytes;
  if (access.space == Space::local) return bytes > 8 ? 16 : bytes;
  return major >= 7 ? 1 : std::min<u64>(bytes, 4);
}

}  // namespace

void RunChecker::check_address(Step& step) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const Operand& vector = in.operand[1];
  const u64 items = step.active & step.wave.valid_lanes;
  if (vector.kind == OperandKind::vector && items != 0) {
    const bool is_buffer = in.addressing == Addressing::buffer || in.addressing == Addressing::typed_buffer;
    const u32 registers = is_buffer ? ((in.amd.memory & AmdFields::offen) != 0 ? 1u : 0u) +
                                          ((in.amd.memory & AmdFields::idxen) != 0 ? 1u : 0u)
                                    : vector.registers;
    u64 undefined = 0;
    const auto counts = [&](u32 i) { return i >= 8 || ((step.rule.address_rows >> i) & 1) != 0; };
    for (u32 i = 0; i < registers; ++i)
      if (counts(i)) undefined |= shadow.any_lanes(vector.index + i, 1) & items;
    if (undefined != 0) {
      const u32 lane = static_cast<u32>(std::countr_zero(undefined));
      u32 row = vector.index;
      while (!counts(row - vector.index) || shadow.undefined(row, lane) == 0) ++row;
      raise_undefined(step, FaultKind::undefined_address, lane, shadow.row_origin[row]);
      if (step.context.fault.kind != FaultKind::none) return;
    }
  }
  const bool is_scalar = in.addressing == Addressing::scalar;
  if (items == 0 && !is_scalar) return;
  for (const u32 i : {3u, 4u}) {
    const Operand& scalar = in.operand[i];
    if (scalar.kind != OperandKind::scalar) continue;
    for (u32 k = scalar.index; k < scalar.index + scalar.registers; ++k) {
      if (shadow.scalar_bits(k) == 0) continue;
      raise_undefined(step, FaultKind::undefined_address, step.first_lane(), shadow.scalar_origin[k]);
      if (step.context.fault.kind != FaultKind::none) return;
    }
  }
  check_scalar_address(step);
  if (step.context.fault.kind != FaultKind::none) return;
  // Lanes that read nothing (out of a buffer's range) get zeros, and what is not followed counts as defined.
  const Operand& result = in.operand[0];
  const bool is_load = in.cost == Cost::vmem_load || in.cost == Cost::lds_load ||
                       in.cost == Cost::smem_load || in.cost == Cost::smem_time ||
                       in.cost == Cost::vmem_image;
  if (!is_load || result.kind == OperandKind::none) return;
  if (result.kind == OperandKind::vector) {
    if (!step.rule.low_half && !step.rule.high_half) {
      for (u32 i = 0; i < result.registers; ++i)
        if (i >= 8 || ((step.rule.result_rows >> i) & 1) != 0)
          shadow.define_lanes(result.index + i, 1, step.active);
    }
  } else {
    for (u32 i = 0; i < result.registers; ++i) shadow.set_scalar(result.index + i, 0, {});
  }
}

void RunChecker::check_scalar_address(Step& step) {
  const Instruction& in = step.in;
  // Scalar memory drops the two low bits of its address ("Vega Instruction Set Architecture", Scalar Memory
  // Operations): a program whose pointer has them set gets other data than it asked for.
  if (in.addressing == Addressing::scalar && selection_.bounds && in.operand[3].kind == OperandKind::scalar &&
      in.operand[3].registers == 2 && target_major_ < 12) {
    const u64 address =
        scalar_value64(step.wave, in.operand[3]) + static_cast<u64>(i64{in.offset}) +
        (in.operand[4].kind == OperandKind::none ? 0 : scalar_value32(step.wave, in.operand[4]));
    if ((address & 3) != 0) {
      Fault fault;
      fault.kind = FaultKind::misaligned;
      fault.access = in.cost == Cost::smem_store ? AccessKind::store : AccessKind::load;
      fault.bytes = static_cast<u8>(4 * in.operand[0].registers);
      fault.lane = step.first_lane();
      fault.address = address;
      violate(step.wave, step.index, step.context, fault, "scalar memory takes multiples of 4");
    }
  }
}

bool RunChecker::range_of(u64 address, u64 bytes, Range& range) const {
  const auto allocation = memory_.find(address, bytes);
  if (!allocation) return false;
  range.begin = allocation->address;
  range.end = allocation->address + allocation->bytes;
  const LaunchState& state = launch_.state();
  range.use = allocation->use;
  if (range.begin == state.arguments_address || range.begin == state.dispatch_packet_address)
    range.use = KernelUse::loads;
  if (text_begin_ < text_end_ && address < text_end_ && text_begin_ < address + bytes) {
    range = {std::max(range.begin, text_begin_), std::min(range.end, text_end_), KernelUse::loads};
  } else if (range.begin <= text_begin_ && text_begin_ < range.end) {
    // The image around the text.
    if (address < text_begin_) {
      range.end = text_begin_;
    } else {
      range.begin = text_end_;
    }
  }
  return true;
}

bool RunChecker::check_bounds(const WaveState& wave, const Access& access, u32 index, StepContext& context) {
  const u64 bytes = access.bytes;
  Range& range = ranges_[index];
  const auto allowed = [&](KernelUse use) {
    return use == KernelUse::loads_and_stores ||
           access.kind == (use == KernelUse::loads ? AccessKind::load : AccessKind::store);
  };
  const auto inside = [&](u64 address) {
    return address - range.begin < range.end - range.begin && bytes <= range.end - address;
  };
  // Mostly all lanes reach the allocation that the instruction reached last.
  const u64 last = range.end - bytes;
  u64 outside = 0;
  check::for_lanes(access.lanes, [&](u32 lane) {
    outside |= u64{access.address[lane] - range.begin > last - range.begin};
  });
  if (range.end - range.begin < bytes) outside = 1;
  if (outside == 0 && allowed(range.use)) return true;
  outside = 0;
  check::for_lanes(access.lanes, [&](u32 lane) { outside |= u64{!inside(access.address[lane])} << lane; });
  const u64 private_base = launch_.state().private_base;
  for (u64 rest = allowed(range.use) ? outside : access.lanes; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    const u64 address = access.address[lane];
    const char* why = "";
    Range found;
    if (!range_of(address, bytes, found)) {
      why = "lies in no allocation";
    } else if (private_base != 0 && found.begin == private_base && access.space != Space::constant) {
      why = "lies in private memory, outside the work-item's own";
    } else if (!allowed(found.use)) {
      const bool by_host = memory_.find(address, bytes)->use != KernelUse::loads_and_stores;
      why = !by_host ? "lies in what a program may not write (its code, its arguments)"
            : found.use == KernelUse::stores
                ? "lies in a buffer that kernels may only write (CL_MEM_WRITE_ONLY)"
                : "lies in a buffer that kernels may only read (CL_MEM_READ_ONLY)";
    } else {
      range = found;
      continue;
    }
    Fault fault = fault_of(FaultKind::outside_allocation, access, lane);
    fault.text = why;
    violate(wave, index, context, fault, "");
    return false;
  }
  return true;
}

// On Intel's GPUs private memory is a stretch of global memory, and one message may reach both: what is a
// wave's own is in bounds.
bool RunChecker::check_byte_bounds(const WaveState& wave, const Access& access, u32 index,
                                   StepContext& context) {
  const u64 own_bytes = wave.private_bytes_per_lane * wave.lanes;
  u64 own = 0;
  check::for_lanes(access.lanes, [&](u32 lane) {
    const u64 at = access.address[lane] - wave.private_base;
    own |= u64{at < own_bytes && access.bytes <= own_bytes - at} << lane;
  });
  if (own == 0) return check_bounds(wave, access, index, context);
  if (own == access.lanes) return true;
  Access others = access;
  others.lanes &= ~own;
  return check_bounds(wave, others, index, context);
}

bool RunChecker::check_alignment(const WaveState& wave, const Access& access, u32 index,
                                 StepContext& context) {
  const u64 alignment = is_atomic(access.kind) ? access.bytes : needed_alignment(target_major_, access);
  if (alignment <= 1 || access.space == Space::constant) return true;
  u64 low = 0, bad = 0;
  check::for_lanes(access.lanes, [&](u32 lane) { low |= access.address[lane]; });
  if (std::has_single_bit(alignment) && (low & (alignment - 1)) == 0) return true;
  check::for_lanes(access.lanes,
                   [&](u32 lane) { bad |= u64{access.address[lane] % alignment != 0} << lane; });
  if (bad == 0) return true;
  const Fault fault = fault_of(FaultKind::misaligned, access, static_cast<u32>(std::countr_zero(bad)));
  violate(wave, index, context, fault, fmt::format("it takes multiples of {}", alignment));
  return false;
}

// Private memory from one dword of a lane to its next.
u64 RunChecker::private_stride(const WaveState& wave) const {
  return bytes_ != nullptr ? 4 : u64{4} * wave.lanes;
}

Space RunChecker::space_of(const WaveState& wave, const WaveShadow& shadow, const Access& access,
                           u32 lane) const {
  if (bytes_ == nullptr || (access.space != Space::private_memory && access.space != Space::global))
    return access.space;
  const bool own = access.address[lane] - wave.private_base < shadow.private_memory.size();
  return own ? Space::private_memory : Space::global;
}

void RunChecker::read_undefined(const WaveState& wave, const WaveShadow& shadow, const Access& access,
                                u32 lane, u32* undefined) const {
  const u32 bytes = access.bytes;
  const u64 address = access.address[lane];
  const Space space = space_of(wave, shadow, access, lane);
  if (is_device(space)) {
    for (u32 at = 0; at < bytes; at += 4) {
      const u32 now = std::min(bytes - at, 4u);
      undefined[at / 4] = spread[~memory_.written_mask(address + at, now) & ((1u << now) - 1)];
    }
    return;
  }
  std::fill_n(undefined, (bytes + 3) / 4, 0u);
  const bool local = space == Space::local;
  const std::vector<u8>& room = local ? *shadow.local_memory : shadow.private_memory;
  const u64 base = local ? 0 : wave.private_base, stride = private_stride(wave);
  for (u32 at = 0; at < bytes; ++at) {
    const u64 within = (address & 3) + at;
    const u64 offset = local ? address + at : (address & ~u64{3}) - base + within / 4 * stride + within % 4;
    if (offset < room.size()) undefined[at / 4] |= u32{room[offset]} << (8 * (at % 4));
  }
}

void RunChecker::write_undefined(const WaveState& wave, WaveShadow& shadow, const Access& access, u32 lane,
                                 const u32* undefined) {
  const u32 bytes = access.bytes;
  const u64 address = access.address[lane];
  const Space space = space_of(wave, shadow, access, lane);
  const auto byte_of = [&](u32 at) { return static_cast<u8>(undefined[at / 4] >> (8 * (at % 4))); };
  if (is_device(space)) {
    // Global memory knows bytes alone: one with a written bit in it counts as written.
    for (u32 at = 0; at < bytes; ++at) {
      if (byte_of(at) == 0xFF) {
        memory_.mark_unwritten(address + at, 1);
      } else {
        memory_.mark_written(address + at, 1);
      }
    }
    return;
  }
  const bool local = space == Space::local;
  std::vector<u8>& room = local ? *shadow.local_memory : shadow.private_memory;
  const u64 base = local ? 0 : wave.private_base, stride = private_stride(wave);
  for (u32 at = 0; at < bytes; ++at) {
    const u64 within = (address & 3) + at;
    const u64 offset = local ? address + at : (address & ~u64{3}) - base + within / 4 * stride + within % 4;
    if (offset < room.size()) room[offset] = byte_of(at);
  }
}

bool RunChecker::all_defined(const WaveState& wave, const WaveShadow& shadow, const Access& access) const {
  const u32 bytes = access.bytes;
  const u64* address = access.address.data();
  if (is_device(access.space)) {
    if (check::in_a_row(access, access.lanes)) {
      const u64 count = static_cast<u64>(std::popcount(access.lanes));
      return !memory_.first_unwritten(address[std::countr_zero(access.lanes)], bytes * count);
    }
    // From the lowest byte to the highest: mostly one short stretch that was written as a whole.
    u64 low = ~u64{0}, high = 0;
    check::for_lanes(access.lanes, [&](u32 lane) {
      low = std::min(low, address[lane]);
      high = std::max(high, address[lane]);
    });
    if (high - low <= 8192 && !memory_.first_unwritten(low, high - low + bytes)) return true;
    bool all = true;
    check::for_lanes(access.lanes, [&](u32 lane) {
      all = all && !memory_.first_unwritten(address[lane], bytes).has_value();
    });
    return all;
  }
  const bool local = access.space == Space::local;
  const std::vector<u8>& room = local ? *shadow.local_memory : shadow.private_memory;
  const u64 base = local ? 0 : wave.private_base;
  u64 undefined = 0;
  if (local && room.size() >= bytes && (bytes == 4 || bytes == 8 || bytes == 16)) {
    const u64 last = room.size() - bytes;
    u64 beyond = 0;
    check::for_lanes(access.lanes, [&](u32 lane) { beyond |= u64{address[lane] > last}; });
    if (beyond == 0) {
      const u8* memory = room.data();
      if (bytes == 4) {
        u32 dwords = 0, dword;
        check::for_lanes(access.lanes, [&](u32 lane) {
          std::memcpy(&dword, memory + address[lane], 4);
          dwords |= dword;
        });
        return dwords == 0;
      }
      u64 begin, end;
      check::for_lanes(access.lanes, [&](u32 lane) {
        std::memcpy(&begin, memory + address[lane], 8);
        std::memcpy(&end, memory + address[lane] + bytes - 8, 8);
        undefined |= begin | end;
      });
      return undefined == 0;
    }
  }
  check::for_lanes(access.lanes, [&](u32 lane) {
    const u64 offset = address[lane] - base;
    if (local) {
      if (offset > room.size() || bytes > room.size() - offset) return;
      for (u32 at = 0; at < bytes; ++at) undefined |= room[offset + at];
      return;
    }
    std::array<u32, 16> dwords;
    read_undefined(wave, shadow, access, lane, dwords.data());
    for (u32 k = 0; k < (bytes + 3) / 4; ++k) undefined |= dwords[k];
  });
  return undefined == 0;
}

void RunChecker::define_memory(const WaveState& wave, WaveShadow& shadow, const Access& access) {
  const u32 bytes = access.bytes;
  const u64* address = access.address.data();
  const bool both = bytes_ != nullptr && access.space == Space::global && !shadow.private_memory.empty();
  if (is_device(access.space) && !both) {
    // Lanes side by side: one stretch.
    if (check::in_a_row(access, access.lanes)) {
      const u64 count = static_cast<u64>(std::popcount(access.lanes));
      memory_.mark_written(address[std::countr_zero(access.lanes)], bytes * count);
      return;
    }
    check::for_lanes(access.lanes, [&](u32 lane) { memory_.mark_written(address[lane], bytes); });
    return;
  }
  if (access.space == Space::local) {
    std::vector<u8>& room = *shadow.local_memory;
    if (check::in_a_row(access, access.lanes)) {
      const u64 begin = address[std::countr_zero(access.lanes)];
      const u64 all = u64{bytes} * static_cast<u64>(std::popcount(access.lanes));
      if (begin <= room.size() && all <= room.size() - begin) {
        std::memset(room.data() + begin, 0, all);
        return;
      }
    }
    check::for_lanes(access.lanes, [&](u32 lane) {
      const u64 offset = address[lane];
      if (offset <= room.size() && bytes <= room.size() - offset) std::memset(room.data() + offset, 0, bytes);
    });
    return;
  }
  constexpr std::array<u32, 16> nothing{};
  check::for_lanes(access.lanes,
                   [&](u32 lane) { write_undefined(wave, shadow, access, lane, nothing.data()); });
}

void RunChecker::access(WaveState& wave, const Instruction& instruction, const Access& access,
                        StepContext& context) {
  if (context.fault.kind != FaultKind::none || access.lanes == 0) return;
  const u32 index = index_of(instruction);
  const bool is_global = access.space == Space::global || access.space == Space::constant;
  if (selection_.bounds) {
    if (bytes_ != nullptr && (is_global || access.space == Space::private_memory)) {
      if (!check_byte_bounds(wave, access, index, context)) return;
    } else if (is_global && !check_bounds(wave, access, index, context)) {
      return;
    }
    if (!check_alignment(wave, access, index, context)) return;
  }
  if (!selection_.values) return;
  Step step{
      wave, shadow_of(wave), instruction, rules_[index], index, context, wave.exec() & wave.all_lanes()};
  if (is_atomic(access.kind)) {
    bytes_ != nullptr ? carry_byte_atomic(step, access) : carry_atomic(step, access);
  } else if (access.space == Space::image) {
    access.kind == AccessKind::store ? carry_image_store(step, access) : carry_image_load(step, access);
  } else if (bytes_ != nullptr) {
    carry_byte_access(step, access);
  } else if (step.rule.ptx_parts != 0) {
    access.kind == AccessKind::store ? carry_ptx_store(step, access) : carry_ptx_load(step, access);
  } else if (access.kind == AccessKind::store) {
    carry_store(step, access);
  } else if (step.rule.moves_data) {
    carry_load(step, access);
  }
  ++step.shadow.accesses;
}

void RunChecker::carry_load(Step& step, const Access& access) {
  const Operand& result = step.in.operand[0];
  if (result.kind == OperandKind::none) return;
  WaveShadow& shadow = step.shadow;
  const u32 dwords = (access.bytes + 3u) / 4;
  const u32 first = result.index + (step.rule.is_pair ? step.shadow.accesses * dwords : 0);
  const bool to_half = step.rule.low_half || step.rule.high_half;
  if (all_defined(step.wave, shadow, access)) {
    if (!to_half || (shadow.any_lanes(first, 1) & access.lanes) == 0)
      return;  // check_address defined the result
  }
  std::array<u32, 16> undefined;
  check::for_lanes(access.lanes, [&](u32 lane) {
    read_undefined(step.wave, shadow, access, lane, undefined.data());
    if (access.bytes < 4 && step.rule.is_signed) undefined[0] = sign_extended(undefined[0], access.bytes);
    Origin origin{step.index, access.space, access.address[lane]};
    if (access.space == Space::private_memory) {
      // A variable that holds what was loaded elsewhere.
      const auto stored = shadow.private_origin.find(access.address[lane] & ~u64{3});
      if (stored != shadow.private_origin.end()) origin = stored->second;
    }
    if (result.kind == OperandKind::scalar) {
      for (u32 k = 0; k < dwords; ++k) shadow.set_scalar(first + k, undefined[k], origin);
      return;
    }
    if (to_half) {
      const u32 old = shadow.undefined(first, lane);
      undefined[0] = step.rule.high_half ? (old & 0xFFFF) | undefined[0] << 16
                                         : (old & 0xFFFF0000) | (undefined[0] & 0xFFFF);
    }
    for (u32 k = 0; k < dwords; ++k) {
      if (undefined[k] != 0 && (shadow.undefined_lanes[first + k] & step.active) == 0) {
        shadow.row_origin[first + k] = origin;
      }
      shadow.set(first + k, lane, undefined[k]);
    }
  });
}

void RunChecker::carry_store(Step& step, const Access& access) {
  WaveShadow& shadow = step.shadow;
  const bool is_scalar = step.in.addressing == Addressing::scalar;
  const Operand& data =
      is_scalar ? step.in.operand[0] : step.in.operand[step.rule.is_pair && shadow.accesses == 1 ? 5 : 2];
  const u32 dwords = (access.bytes + 3u) / 4;
  u64 undefined = 0;
  if (data.kind == OperandKind::vector && step.rule.moves_data) {
    undefined = shadow.any_lanes(data.index, dwords) & access.lanes;
  }
  if (undefined == 0) {
    define_memory(step.wave, shadow, access);
    return;
  }
  std::array<u32, 16> bits;
  check::for_lanes(access.lanes, [&](u32 lane) {
    for (u32 k = 0; k < dwords; ++k) bits[k] = shadow.undefined(data.index + k, lane);
    if (step.rule.high_half) bits[0] >>= 16;
    if (access.space == Space::private_memory) {
      for (u32 k = 0; k < dwords; ++k) {
        const u64 dword = (access.address[lane] & ~u64{3}) + k * u64{4} * step.wave.lanes;
        const Origin& origin = shadow.row_origin[data.index + k];
        if (bits[k] == 0 || origin.instruction == Origin::unwritten) {
          shadow.private_origin.erase(dword);
        } else {
          shadow.private_origin[dword] = origin;
        }
      }
    }
    write_undefined(step.wave, shadow, access, lane, bits.data());
  });
}

void RunChecker::raise_atomic(Step& step, const Access& access, u32 lane, const Origin& origin,
                              const char* text) {
  Fault fault = fault_of(FaultKind::undefined_atomic, access, lane);
  fault.text = text;
  violate(step.wave, step.index, step.context, fault, describe(origin));
}

void RunChecker::carry_atomic(Step& step, const Access& access) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const bool is_scalar = in.addressing == Addressing::scalar;
  const u64 items = access.lanes & step.wave.valid_lanes;
  const auto raise = [&](u32 lane, const Origin& origin, const char* text) {
    raise_atomic(step, access, lane, origin, text);
  };
  for (const u32 i : {2u, 5u}) {
    const Operand& data = in.operand[i];
    if (data.kind != OperandKind::vector || (i == 5 && !step.rule.second_apart && !step.rule.is_pair))
      continue;
    const u64 undefined = shadow.any_lanes(data.index, data.registers) & items;
    if (undefined == 0) continue;
    const u32 lane = static_cast<u32>(std::countr_zero(undefined));
    u32 row = data.index;
    while (shadow.undefined(row, lane) == 0) ++row;
    raise(lane, shadow.row_origin[row], "takes an operand that nothing wrote");
    if (step.context.fault.kind != FaultKind::none) return;
  }
  const Operand& result = in.operand[0];
  const bool returns = access.kind == AccessKind::atomic_return && result.kind == OperandKind::vector;
  const u32 dwords = (access.bytes + 3u) / 4;
  const u32 first = result.index + (step.rule.is_pair ? shadow.accesses * dwords : 0);
  if (!is_scalar && !all_defined(step.wave, shadow, access)) {
    const Operand& data = in.operand[2];
    std::array<u32, 16> undefined;
    bool faulted = false;
    check::for_lanes(access.lanes, [&](u32 lane) {
      read_undefined(step.wave, shadow, access, lane, undefined.data());
      u32 depends = 0;
      for (u32 k = 0; k < dwords; ++k) {
        const u32 value = data.kind == OperandKind::vector ? step.wave.row(data.index + k)[lane] : 0;
        depends |= static_cast<u32>(check::depends(step.rule.combining, undefined[k], value));
      }
      if (depends != 0 && !faulted) {
        faulted = true;
        raise(lane, {step.index, access.space, access.address[lane]}, "changes memory that nothing wrote");
      }
      if (returns) {
        for (u32 k = 0; k < dwords; ++k) {
          shadow.set(first + k, lane, undefined[k]);
          if (undefined[k] != 0)
            shadow.row_origin[first + k] = {step.index, access.space, access.address[lane]};
        }
      }
    });
    if (step.context.fault.kind != FaultKind::none) return;
  } else if (returns) {
    shadow.define_lanes(first, dwords, step.rule.one_for_all ? step.active : access.lanes);
  } else if (is_scalar && result.kind == OperandKind::scalar) {
    for (u32 i = 0; i < result.registers; ++i) shadow.set_scalar(result.index + i, 0, {});
  }
  define_memory(step.wave, shadow, access);
}

}  // namespace lockstep
