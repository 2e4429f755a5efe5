// Definedness through registers: lanes, packed halves, wave-wide values, EXEC, and moves between lanes.
#include <algorithm>

#include "exec/check/step.h"
#include "isa/lane_permutation.h"
#include "isa/operands.h"
#include "isa/register_use.h"

namespace lockstep {

using check::Action;
using check::Bits;
using check::Origin;
using check::WaveShadow;

namespace {

constexpr u32 most_sources = 4;

u64 lanes_undefined(const WaveShadow& shadow, const Operand& operand, Kind kind, u32 registers) {
  switch (operand.kind) {
    case OperandKind::vector: {
      const u64 lanes = shadow.any_lanes(operand.index, registers);
      return lanes != 0 && (operand.modifiers & Operand::permuted) != 0 ? ~u64{0} : lanes;
    }
    case OperandKind::scalar: {
      if (kind == Kind::mask) return shadow.mask_bits(operand.index);
      u32 undefined = 0;
      for (u32 i = 0; i < registers; ++i) undefined |= shadow.scalar_bits(operand.index + i);
      return undefined != 0 ? ~u64{0} : 0;
    }
    default:
      return 0;
  }
}

u64 take_part(u64 bits, Part part, bool sign_extend) {
  if (part == Part::dword) return bits;
  const bool word = part >= Part::word0;
  const u32 number = static_cast<u32>(part) - static_cast<u32>(word ? Part::word0 : Part::byte0);
  const u32 width = word ? 16 : 8;
  const u64 taken = (bits >> (number * width)) & check::ones(width);
  if (!sign_extend || ((taken >> (width - 1)) & 1) == 0) return taken;
  return (taken | ~check::ones(width)) & check::ones(32);
}

// One lane of a source, with its modifiers.
Bits lane_bits(const WaveState& wave, const WaveShadow& shadow, const Instruction& in, const Operand& operand,
               Kind kind, u32 lane) {
  Bits bits;
  bits.width = check::value_width(kind);
  if (kind == Kind::mask) {
    bits.value = (mask_value(wave, operand) >> lane) & 1;
    if (operand.kind == OperandKind::scalar) bits.undefined = (shadow.mask_bits(operand.index) >> lane) & 1;
    return bits;
  }
  const bool wide = bits.width == 64;
  if (operand.kind == OperandKind::vector) {
    u32 from = lane;
    if ((operand.modifiers & Operand::permuted) != 0) {
      const LanePermutation permutation = LanePermutation::unpack(in.amd.lane_control);
      const int source = permuted_source(permutation, lane, wave.lanes);
      if (source < 0 || (!permutation.fetch_inactive && ((wave.exec() >> source) & 1) == 0)) return bits;
      from = static_cast<u32>(source);
    }
    bits.value = wave.row(operand.index)[from];
    bits.undefined = shadow.undefined(operand.index, from);
    if (wide) {
      bits.value |= u64{wave.row(operand.index + 1)[from]} << 32;
      bits.undefined |= u64{shadow.undefined(operand.index + 1, from)} << 32;
    }
  } else if (operand.kind == OperandKind::scalar) {
    bits.value = wide ? scalar_value64(wave, operand) : scalar_value32(wave, operand);
    bits.undefined = wide ? shadow.scalar_bits64(operand.index) : shadow.scalar_bits(operand.index);
  } else {
    bits.value = wide ? operand.value : static_cast<u32>(operand.value);
  }
  const bool sign_extend = (operand.modifiers & Operand::sign_extend) != 0;
  bits.value = take_part(bits.value, operand.part, sign_extend);
  bits.undefined = take_part(bits.undefined, operand.part, sign_extend);
  const u64 sign = u64{1} << (bits.width - 1);
  if ((operand.modifiers & Operand::absolute) != 0) {
    bits.value &= ~sign;
    bits.undefined &= ~sign;
  }
  if ((operand.modifiers & Operand::negate) != 0) bits.value ^= sign;
  bits.value &= check::ones(bits.width);
  bits.undefined &= check::ones(bits.width);
  return bits;
}

Origin origin_of(const WaveShadow& shadow, const Operand& operand, u32 registers) {
  for (u32 i = operand.index; i < operand.index + registers; ++i) {
    if (operand.kind == OperandKind::vector && i < shadow.undefined_lanes.size() &&
        shadow.undefined_lanes[i] != 0) {
      return shadow.row_origin[i];
    }
    if (operand.kind == OperandKind::scalar && shadow.scalar_bits(i) != 0) return shadow.origin_of_scalar(i);
  }
  return {};
}

// Undefined bits as commit_partial places values.
u32 placed(const Instruction& in, u32 undefined, u32 old) {
  if (in.amd.result_part == Part::dword) return undefined;
  const bool word = in.amd.result_part >= Part::word0;
  const u32 number =
      static_cast<u32>(in.amd.result_part) - static_cast<u32>(word ? Part::word0 : Part::byte0);
  const u32 width = word ? 16 : 8, at = number * width;
  const u32 field = static_cast<u32>(check::ones(width)) << at;
  const u32 inside = (undefined << at) & field;
  if (in.amd.result_unused == 2) return (old & ~field) | inside;
  if (in.amd.result_unused == 1 && ((inside >> (at + width - 1)) & 1) != 0) {
    return inside | static_cast<u32>(~u64{0} << (at + width));
  }
  return inside;
}

u32 source_registers(const check::Rule& rule, const Operand& operand, Kind kind, u32 lanes) {
  return rule.custom ? operand.registers : registers_of(kind, lanes);
}

}  // namespace

bool RunChecker::exec_defined(Step& step, u64 undefined, const Origin& origin) {
  const u64 bad = undefined & step.wave.valid_lanes;
  if (bad == 0) return true;
  raise_undefined(step, FaultKind::undefined_branch, static_cast<u32>(std::countr_zero(bad)), origin);
  return step.context.fault.kind == FaultKind::none;
}

void RunChecker::carry_lanes(Step& step) {
  const Instruction& in = step.in;
  const Semantic& meaning = *in.meaning;
  WaveShadow& shadow = step.shadow;
  const u32 sources = std::min<u32>(meaning.sources, most_sources);
  u64 candidates = 0;
  for (u32 i = 0; i < sources; ++i) {
    const Operand& operand = in.operand[1 + i];
    const u32 registers = source_registers(step.rule, operand, meaning.source[i], step.wave.lanes);
    candidates |= lanes_undefined(shadow, operand, meaning.source[i], registers);
  }
  if (step.rule.flow == Flow::constant) candidates = 0;

  const bool only_mask = meaning.result == Kind::mask;
  const Operand& result = in.operand[0];
  const Operand* mask = only_mask ? &in.operand[0] : meaning.mask_result ? &in.operand[4] : nullptr;
  const u32 result_registers = only_mask          ? 0
                               : step.rule.custom ? result.registers
                                                  : registers_of(meaning.result, step.wave.lanes);
  u64 writes = step.active;
  if ((in.flags & Instruction::partial_write) != 0) writes &= written_lanes(step.wave, in);
  const bool merges = ((in.flags & Instruction::partial_write) != 0 && in.amd.result_part != Part::dword &&
                       in.amd.result_unused == 2) ||
                      step.rule.keeps_low_half;
  u64 slow = candidates & writes;
  if (merges && result_registers != 0) slow |= shadow.any_lanes(result.index, 1) & writes;

  u64 mask_undefined = 0;
  Origin origin;
  if (slow == 0) {
    if (result_registers != 0) shadow.define_lanes(result.index, result_registers, writes);
  } else {
    for (u32 i = 0; i < sources && origin.instruction == Origin::unwritten; ++i) {
      const Operand& operand = in.operand[1 + i];
      origin = origin_of(shadow, operand,
                         source_registers(step.rule, operand, meaning.source[i], step.wave.lanes));
    }
    const u32 width = check::value_width(meaning.result);
    const bool mixes = step.rule.flow == Flow::mix || step.rule.flow == Flow::mix_to_high;
    const bool pairs = step.rule.flow == Flow::pairs || step.rule.flow == Flow::move_pairs;
    std::array<u64, most_lanes> undefined;
    std::array<Bits, most_sources> bits;
    check::for_lanes(slow, [&](u32 lane) {
      if (step.rule.custom && step.rule.flow == Flow::any) {
        u64 any = 0;
        for (u32 i = 0; i < sources; ++i) {
          const Operand& operand = in.operand[1 + i];
          any |= (lanes_undefined(shadow, operand, meaning.source[i], operand.registers) >> lane) & 1;
        }
        undefined[lane] = any != 0 ? ~u64{0} : 0;
        return;
      }
      bool any = false;
      for (u32 i = 0; i < sources; ++i) {
        const Kind kind = pairs ? Kind::u64 : meaning.source[i];
        bits[i] = lane_bits(step.wave, shadow, in, in.operand[1 + i], kind, lane);
        if (mixes && ((in.amd.packed_select >> (4 + i)) & 1) != 0) {
          bits[i].undefined =
              (bits[i].undefined >> (((in.amd.packed_select >> i) & 1) != 0 ? 16 : 0)) & 0xFFFF;
        }
        any = any || bits[i].undefined != 0;
      }
      undefined[lane] = check::flow(step.rule, std::span(bits).first(sources), width, lane).undefined;
      if (only_mask) mask_undefined |= (undefined[lane] & 1) << lane;
      if (meaning.mask_result) mask_undefined |= u64{any} << lane;
    });
    if (result_registers != 0) {
      // Lanes that are defined as a whole first: the others may merge with what was there.
      shadow.define_lanes(result.index, result_registers, writes & ~slow);
      check::for_lanes(slow & writes, [&](u32 lane) {
        for (u32 i = 0; i < result_registers; ++i) {
          const u32 row = result.index + i, old = shadow.undefined(row, lane);
          u32 bits_of_row = static_cast<u32>(i < 2 ? undefined[lane] >> (32 * i) : undefined[lane]);
          if (step.rule.keeps_low_half) {
            bits_of_row = (old & 0xFFFF) | bits_of_row << 16;
          } else if ((in.flags & Instruction::partial_write) != 0) {
            bits_of_row = placed(in, bits_of_row, old);
          }
          shadow.set(row, lane, bits_of_row);
          if (bits_of_row != 0) shadow.row_origin[row] = origin;
        }
      });
    }
  }
  if (mask == nullptr || mask->kind != OperandKind::scalar) return;
  mask_undefined &= writes;
  const bool writes_exec =
      mask->index == scalar_register::exec_lo || (in.flags & Instruction::also_exec) != 0;
  if (writes_exec && !exec_defined(step, mask_undefined, origin)) return;
  if ((in.flags & Instruction::merge_mask) != 0) {
    mask_undefined |= shadow.mask_bits(mask->index) & ~step.active;
  }
  shadow.set_mask(mask->index, mask->index == scalar_register::exec_lo ? 0 : mask_undefined, origin);
}

void RunChecker::carry_halves(Step& step) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const u32 sources = std::min<u32>(in.meaning->sources, most_sources), row = in.operand[0].index;
  u64 slow = 0;
  for (u32 i = 0; i < sources; ++i) slow |= lanes_undefined(shadow, in.operand[1 + i], Kind::packed16, 1);
  slow &= step.active;
  if (slow == 0) {
    shadow.define_lanes(row, 1, step.active);
    return;
  }
  Origin origin;
  for (u32 i = 0; i < sources && origin.instruction == Origin::unwritten; ++i) {
    origin = origin_of(shadow, in.operand[1 + i], 1);
  }
  shadow.define_lanes(row, 1, step.active & ~slow);
  std::array<Bits, most_sources> bits;
  check::for_lanes(slow, [&](u32 lane) {
    for (u32 i = 0; i < sources; ++i) {
      bits[i] = lane_bits(step.wave, shadow, in, in.operand[1 + i], Kind::packed16, lane);
    }
    const auto used = std::span<const Bits>(bits).first(sources);
    const u32 low = check::half_undefined(used, in.amd.packed_select & 7) ? 0xFFFF : 0;
    const u32 high = check::half_undefined(used, (in.amd.packed_select >> 4) & 7) ? 0xFFFF0000 : 0;
    shadow.set(row, lane, low | high);
  });
  shadow.row_origin[row] = origin;
}

void RunChecker::carry_scalar(Step& step) {
  const Instruction& in = step.in;
  const Semantic& meaning = *in.meaning;
  WaveShadow& shadow = step.shadow;
  std::array<Bits, most_sources> bits;
  const u32 sources = std::min<u32>(meaning.sources, most_sources);
  u64 any = 0;
  Origin origin;
  u32 slot = 1;
  for (u32 i = 0; i < sources; ++i) {
    const Kind kind = meaning.source[i];
    Bits& source = bits[i];
    source.width = check::value_width(kind);
    if (kind == Kind::condition) {
      source.value = step.wave.scc ? 1 : 0;
      source.undefined = shadow.condition ? 1 : 0;
      if (shadow.condition && any == 0) origin = shadow.condition_origin;
    } else {
      const Operand& operand = in.operand[slot++];
      if (operand.kind == OperandKind::scalar) {
        const bool wide = source.width == 64;
        source.value = wide ? scalar_value64(step.wave, operand) : scalar_value32(step.wave, operand);
        source.undefined = wide ? shadow.scalar_bits64(operand.index) : shadow.scalar_bits(operand.index);
        if (source.undefined != 0 && any == 0) origin = origin_of(shadow, operand, wide ? 2 : 1);
      } else {
        source.value = operand.value & check::ones(source.width);
      }
      // Constants of 16 bits are extended to the scalar ALU's 32.
      if (kind == Kind::i16) source.value = static_cast<u32>(static_cast<i16>(source.value));
      if (source.width == 16) source.width = 32;
      source.undefined &= check::ones(source.width);
    }
    any |= source.undefined;
  }
  const Operand& result = in.operand[0];
  const u32 registers = meaning.result == Kind::none ? 0 : registers_of(meaning.result, 64);
  if (any == 0 || step.rule.flow == Flow::constant) {
    for (u32 i = 0; i < registers; ++i) shadow.set_scalar(result.index + i, 0, {});
    if (meaning.sets_condition) shadow.condition = false;
    return;
  }
  const Bits out =
      check::flow(step.rule, std::span(bits).first(sources), registers == 0 ? 1 : 32 * registers, 0);
  if (registers != 0) {
    u64 undefined = out.undefined;
    if (result.index == scalar_register::exec_lo || result.index == scalar_register::exec_hi) {
      if (!exec_defined(step, undefined << (result.index == scalar_register::exec_hi ? 32 : 0), origin))
        return;
      undefined = 0;
    }
    for (u32 i = 0; i < registers; ++i) {
      shadow.set_scalar(result.index + i, static_cast<u32>(undefined >> (32 * i)), origin);
    }
  }
  if (!meaning.sets_condition) return;
  if (registers == 0) {
    shadow.condition = out.undefined != 0;
  } else if (step.rule.condition_is_nonzero) {
    shadow.condition = out.undefined != 0 && (out.value & ~out.undefined) == 0;
  } else {
    shadow.condition = true;
  }
  shadow.condition_origin = origin;
}

// Results: the old or new EXEC in a scalar pair, the new EXEC, SCC.
void RunChecker::carry_exec(Step& step) {
  const Operand& source = step.in.operand[1];
  WaveShadow& shadow = step.shadow;
  const bool wide = step.in.meaning->result == Kind::u64 || step.in.meaning->result == Kind::i64;
  if (source.kind == OperandKind::scalar) {
    const u64 undefined = wide ? shadow.scalar_bits64(source.index) : shadow.scalar_bits(source.index);
    if (undefined != 0) {
      const Bits sources[2] = {{scalar_value64(step.wave, source), undefined, 64}, {step.wave.exec(), 0, 64}};
      const Bits exec = check::flow(step.rule, sources, wide ? 64 : 32, 0);
      if (!exec_defined(step, exec.undefined, origin_of(shadow, source, wide ? 2 : 1))) return;
    }
  }
  for (u32 i = 0; i < (wide ? 2u : 1u); ++i) shadow.set_scalar(step.in.operand[0].index + i, 0, {});
  shadow.condition = false;
}

// Whatever the instruction writes; of NVIDIA's predicates the lanes that run.
void RunChecker::define_result(Step& step) {
  Instruction alone = step.in;
  alone.slots = 1;
  RegisterUse use;
  launch_.module().isa->register_use(launch_.program(), alone, use);
  WaveShadow& shadow = step.shadow;
  for (const RegisterRange& range : use.ranges()) {
    if (!range.written) continue;
    if (range.file == RegisterFile::vector) shadow.define_lanes(range.first, range.count, step.active);
    if (range.file == RegisterFile::condition) shadow.condition = false;
    if (range.file != RegisterFile::scalar) continue;
    for (u32 i = range.first; i < range.first + range.count; ++i) {
      if (i == scalar_register::exec_lo || i == scalar_register::exec_hi) continue;
      if (ptx_) {
        shadow.set_mask(i, shadow.mask_bits(i) & ~step.active, {});
      } else {
        shadow.set_scalar(i, 0, {});
      }
    }
  }
}

void RunChecker::carry_read_indexed(Step& step) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const u32 to = in.operand[0].index, index = in.operand[1].index;
  const u32 first = static_cast<u32>(in.operand[2].value), count = static_cast<u32>(in.operand[3].value);
  check::for_lanes(step.active, [&](u32 lane) {
    const bool unknown = shadow.undefined(index, lane) != 0;
    const u32 number = first / 4 + step.wave.row(index)[lane];
    if (!unknown && number >= count) return;  // the step will fail
    const u32 from = unknown ? index : 4 * number + first % 4;
    const u32 undefined = unknown ? ~u32{0} : shadow.undefined(from, lane);
    if (undefined != 0) shadow.row_origin[to] = shadow.row_origin[from];
    shadow.set(to, lane, undefined);
  });
}

void RunChecker::carry_write_indexed(Step& step) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const u32 from = in.operand[1].index, index = in.operand[4].index;
  const u32 first = static_cast<u32>(in.operand[2].value), count = static_cast<u32>(in.operand[3].value);
  const u64 unknown = shadow.any_lanes(index, 1) & step.active & step.wave.valid_lanes;
  if (unknown != 0) {
    raise_undefined(step, FaultKind::undefined_address, static_cast<u32>(std::countr_zero(unknown)),
                    shadow.row_origin[index]);
    if (step.context.fault.kind != FaultKind::none) return;
  }
  check::for_lanes(step.active, [&](u32 lane) {
    const u32 number = first / 4 + step.wave.row(index)[lane];
    if (number >= count) return;  // the step will fail
    const u32 undefined = shadow.undefined(from, lane), to = 4 * number + first % 4;
    if (undefined != 0) shadow.row_origin[to] = shadow.row_origin[from];
    shadow.set(to, lane, undefined);
  });
}

void RunChecker::carry_doubt(Step& step, u64 doubt) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const Origin origin = shadow.origin_of_scalar(in.guard_register);
  const Operand& result = in.operand[0];
  const bool lanewise = step.rule.action == Action::lanes || step.rule.action == Action::read_indexed_row;
  if (!lanewise || result.kind == OperandKind::none) {
    // Memory, the lanes that run, a register that an index chooses.
    raise_undefined(step, FaultKind::undefined_branch, static_cast<u32>(std::countr_zero(doubt)), origin);
    if (step.context.fault.kind != FaultKind::none) return;
    shadow.set_mask(in.guard_register, shadow.mask_bits(in.guard_register) & ~doubt, {});
    return carry(step);
  }
  carry(step);
  if (result.kind == OperandKind::scalar) {
    shadow.set_mask(result.index, shadow.mask_bits(result.index) | doubt, origin);
    return;
  }
  check::for_lanes(doubt, [&](u32 lane) { shadow.set(result.index, lane, ~u32{0}); });
  shadow.row_origin[result.index] = origin;
}

void RunChecker::carry_cross_lane(Step& step) {
  const Instruction& in = step.in;
  WaveShadow& shadow = step.shadow;
  const Operand &result = in.operand[0], &source = in.operand[1];
  const u32 lanes = step.wave.lanes;
  const auto undefined_in = [&](const Operand& operand, u32 lane) -> u32 {
    if (operand.kind == OperandKind::vector) return shadow.undefined(operand.index, lane);
    return operand.kind == OperandKind::scalar ? shadow.scalar_bits(operand.index) : 0;
  };
  const auto selects_undefined = [&](const Operand& operand) {
    return operand.kind == OperandKind::scalar && shadow.scalar_bits(operand.index) != 0;
  };
  switch (step.rule.action) {
    case Action::read_first_lane:
      shadow.set_scalar(result.index, undefined_in(source, step.first_lane()), origin_of(shadow, source, 1));
      return;
    case Action::read_lane: {
      const u32 lane = scalar_value32(step.wave, in.operand[2]) & (lanes - 1);
      const u32 undefined = selects_undefined(in.operand[2]) ? ~u32{0} : undefined_in(source, lane);
      shadow.set_scalar(result.index, undefined, origin_of(shadow, source, 1));
      return;
    }
    case Action::write_lane: {
      const u32 lane = scalar_value32(step.wave, in.operand[2]) & (lanes - 1);
      shadow.set(result.index, lane, undefined_in(source, lane));
      if (undefined_in(source, lane) != 0) shadow.row_origin[result.index] = origin_of(shadow, source, 1);
      return;
    }
    case Action::swap:
      check::for_lanes(step.active, [&](u32 lane) {
        const u32 a = shadow.undefined(result.index, lane), b = shadow.undefined(source.index, lane);
        shadow.set(result.index, lane, b);
        shadow.set(source.index, lane, a);
      });
      std::swap(shadow.row_origin[result.index], shadow.row_origin[source.index]);
      return;
    default:
      break;
  }

  // The others: each lane's bits come from one lane of a row.
  std::array<u32, most_lanes> out{};
  u64 written = step.active;
  const Operand& data =
      step.rule.action == Action::pull || step.rule.action == Action::push ? in.operand[2] : source;
  const u32 reach = step.rule.reach != 0 ? std::min<u32>(lanes, step.rule.reach) : lanes;
  const auto neighbour = [&](u32 lane, u32 address_lane) {
    const u32 address = step.wave.row(source.index)[address_lane] + static_cast<u32>(in.offset);
    return (lane / reach * reach) | (address / 4 % reach);
  };
  check::for_lanes(step.active, [&](u32 lane) {
    u32 from = lane ^ 32;
    switch (step.rule.action) {
      case Action::permute_row:
      case Action::permute_other_row: {
        const u64 selects =
            scalar_value32(step.wave, in.operand[2]) | u64{scalar_value32(step.wave, in.operand[3])} << 32;
        const u32 row = (lane & ~15u) ^ (step.rule.action == Action::permute_other_row ? 16 : 0);
        from = row + static_cast<u32>((selects >> (4 * (lane & 15))) & 15);
        const bool readable = (in.detail & permute_reads_inactive) != 0 || ((step.active >> from) & 1) != 0;
        if (!readable && (in.detail & permute_bound_zero) == 0) written &= ~(u64{1} << lane);
        out[lane] = readable ? undefined_in(data, from) : 0;
        return;
      }
      case Action::pull:
        from = neighbour(lane, lane);
        if (shadow.undefined(source.index, lane) != 0) {
          out[lane] = ~u32{0};
        } else {
          out[lane] = ((step.active >> from) & 1) != 0 ? undefined_in(data, from) : 0;
        }
        return;
      case Action::swizzle:
        from = (lane & ~31u) | swizzle_source(static_cast<u32>(in.offset) & 0xFFFF, lane & 31);
        out[lane] = ((step.active >> from) & 1) != 0 ? undefined_in(data, from) : 0;
        return;
      case Action::push:
        out[neighbour(lane, lane)] = undefined_in(data, lane);
        return;
      default:
        out[lane] = lanes == 64 ? undefined_in(data, from) : shadow.undefined(result.index, lane);
        return;
    }
  });
  const Origin origin = origin_of(shadow, data, 1);
  check::for_lanes(written, [&](u32 lane) {
    shadow.set(result.index, lane, out[lane]);
    if (out[lane] != 0) shadow.row_origin[result.index] = origin;
  });
}

}  // namespace lockstep
