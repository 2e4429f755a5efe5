// Definedness through registers that are bytes (Intel's GPUs), as their ISA describes its instructions.
#include <bit>

#include "exec/check/step.h"

namespace lockstep {

using check::Bits;
using check::ByteShadow;
using check::ones;
using check::Origin;

namespace {

// The first undefined bit of the predicate.
Origin origin_of_predicate(const ByteShadow& shadow, const ByteChannels& channels) {
  const u64 undefined = shadow.read(channels.flags_at, 8) >> channels.predicate_bit << channels.predicate_bit;
  if (undefined == 0) return {};
  return shadow.origin(channels.flags_at + static_cast<u32>(std::countr_zero(undefined)) / 8, 1);
}

bool is_undefined(u64 bits, u32 bit) {
  return ((bits >> bit) & 1) != 0;
}

// From the lowest undefined bit on, as a negation carries.
u64 upwards(u64 undefined) {
  return undefined | (0 - undefined);
}

// A source's undefined bits in the form that is computed with.
u64 widened(const ByteSource& source, u64 undefined, const NumberForm& to) {
  if (undefined == 0) return 0;
  const u32 from = source.form.bits(), width = to.bits();
  const u64 sign = u64{1} << (width - 1);
  if (to.is_float) {
    if (source.form != to) return ones(width);
    return source.absolute ? undefined & ~sign : undefined;
  }
  if (source.form.is_float) return ones(width);
  if (source.form.is_signed && from < width && is_undefined(undefined, from - 1)) undefined |= ~ones(from);
  if (source.absolute) undefined = is_undefined(undefined, from - 1) ? ~u64{0} : upwards(undefined);
  if (source.negate) undefined = upwards(undefined);
  return undefined & ones(width);
}

// A result's undefined bits in the form that it is kept in.
u64 narrowed(u64 undefined, const NumberForm& from, const ByteResult& result) {
  if (undefined == 0) return 0;
  const NumberForm& to = result.form;
  const u64 all = ones(to.bits());
  if (result.saturate || from.is_float != to.is_float) return all;
  if (from.is_float) return from.bytes == to.bytes ? undefined : all;
  if (to.bytes > from.bytes && from.is_signed && is_undefined(undefined, from.bits() - 1))
    undefined |= ~ones(from.bits());
  return undefined & all;
}

// Whether a channel combines a value with itself so that nothing of it shows.
bool cancels(const ByteStep& now, u32 channel) {
  const ByteSource &a = now.source[0], &b = now.source[1];
  return (now.flow == Flow::compare || now.flow == Flow::bit_xor) && now.sources == 2 &&
         !now.computes.is_float && a.at[channel] != no_byte && a.at[channel] == b.at[channel] &&
         a.form == b.form && a.negate == b.negate && a.absolute == b.absolute && a.beside_bytes == 0;
}

struct Channel {
  u64 undefined = 0;        // of what is computed
  bool any_source = false;  // has an undefined bit
  bool flag = false;        // the tested condition is undefined
};

bool zero_test_undefined(const ByteStep& now, u64 value, u64 undefined) {
  if (now.tested.is_float || now.tested_relation == Relation::unknown || !now.known || !now.test_known)
    return undefined != 0;
  const u32 width = now.tested.bits();
  check::Rule rule;
  rule.relation = now.tested_relation;
  rule.is_signed = now.tested.is_signed;
  return check::comparison_undefined(rule, {value & ones(width), undefined & ones(width), width},
                                     {0, 0, width});
}

// One channel of an operation, from its sources' undefined bits.
Channel computed(const ByteStep& now, u32 channel, std::array<Bits, 4>& bits, bool undecided) {
  Channel made;
  u32 sources = now.sources;
  for (u32 i = 0; i < sources; ++i) made.any_source = made.any_source || bits[i].undefined != 0;
  check::Rule rule;
  rule.flow = now.known ? now.flow : Flow::any;
  rule.relation = now.computes.is_float ? Relation::unknown : now.relation;
  rule.is_signed = now.computes.is_signed;
  if (rule.flow == Flow::scalar_select) {
    if (!now.selects_by_predicate) undecided = bits[2].undefined != 0;
    bits[2] = {(now.chosen >> channel) & 1, undecided ? 1u : 0u, 1};
    sources = 3;
    made.any_source = made.any_source || undecided;
  }
  if (!made.any_source || cancels(now, channel)) return made;
  const u32 width = now.flow == Flow::compare ? 1 : now.computes.bits();
  made.undefined = check::flow(rule, std::span(bits).first(sources), width, channel).undefined;
  if (now.tests) {
    made.flag =
        now.compares ? made.undefined != 0 : zero_test_undefined(now, now.out[channel], made.undefined);
  }
  return made;
}

}  // namespace

u32 undecided_channels(const ByteShadow& shadow, const ByteChannels& channels) {
  if (!channels.predicated) return 0;
  const u64 all = shadow.read(channels.flags_at, 8);
  if (all == 0) return 0;
  const u32 undefined = static_cast<u32>(all >> channels.predicate_bit);
  if (channels.group == ByteChannels::Group::each) return undefined & channels.running;
  u32 flags = static_cast<u32>(channels.flags >> channels.predicate_bit);
  if (channels.inverse) flags = ~flags;
  u32 made = 0;
  for (u32 first = 0; first < most_channels_of_bytes; first += channels.group_lanes) {
    const u32 group = static_cast<u32>(ones(channels.group_lanes)) << first;
    // One bit decides: of any a set one, of all a clear one.
    const u32 deciding = channels.group == ByteChannels::Group::any ? flags : ~flags;
    if ((deciding & ~undefined & group) == 0 && (undefined & group) != 0) made |= group;
  }
  return made & channels.running;
}

void RunChecker::raise_undecided(Step& step, const ByteChannels& channels, u32 undecided) {
  ByteShadow& shadow = step.shadow.bytes;
  const u32 lane = channels.first + static_cast<u32>(std::countr_zero(undecided));
  raise_undefined(step, FaultKind::undefined_branch, lane, origin_of_predicate(shadow, channels));
  // From here on it counts as defined.
  u64 decided = u64{undecided} << channels.predicate_bit;
  if (channels.group != ByteChannels::Group::each) decided = ones(32) << channels.predicate_bit;
  shadow.write_again(channels.flags_at, 8, shadow.read(channels.flags_at, 8) & ~decided);
}

void RunChecker::carry_bytes(Step& step) {
  ByteShadow& shadow = step.shadow.bytes;
  const ByteReach& reach = byte_reach_[step.index];
  if (!shadow.units.meets(reach.reads) && !shadow.units.meets(reach.writes)) return;
  if (step.rule.action == check::Action::memory) {
    check_byte_message(step);
  } else {
    ByteStep now;
    launch_.module().isa->byte_registers->step(step.wave, step.in, now);
    now.branches ? check_byte_branch(step, now) : carry_byte_values(step, now);
  }
  shadow.settle(reach.writes);
}

void RunChecker::check_byte_branch(Step& step, const ByteStep& now) {
  ByteShadow& shadow = step.shadow.bytes;
  if (const u32 undecided = undecided_channels(shadow, now.channels)) {
    raise_undecided(step, now.channels, undecided);
    if (step.context.fault.kind != FaultKind::none) return;
  }
  if (now.sources != 0 && now.channels.taken != 0) {
    const ByteSource& to = now.source[0];
    if (shadow.read(to.at[0], to.form.bytes) != 0) {
      raise_undefined(step, FaultKind::undefined_branch, step.first_lane(),
                      shadow.origin(to.at[0], to.form.bytes));
      if (step.context.fault.kind != FaultKind::none) return;
    }
  }
  if (now.result.exists) shadow.write(now.result.at[0], now.result.form.bytes, 0, {});
}

void RunChecker::carry_byte_values(Step& step, const ByteStep& now) {
  ByteShadow& shadow = step.shadow.bytes;
  const u32 undecided = undecided_channels(shadow, now.channels);
  const bool selects = now.selects_by_predicate;
  const u32 changed = selects ? now.channels.running : now.channels.taken | undecided;
  const ByteResult& result = now.result;
  if (result.exists && result.address_at != no_byte && changed != 0 &&
      shadow.read(result.address_at, 2) != 0) {
    raise_undefined(step, FaultKind::undefined_address, step.first_lane(),
                    shadow.origin(result.address_at, 2));
    if (step.context.fault.kind != FaultKind::none) return;
  }
  // All is read before anything is written.
  std::array<Channel, most_channels_of_bytes> made;
  Origin origin;
  bool found = false;
  const auto note = [&](u32 at, u32 count) {
    if (!found) origin = shadow.origin(at, count);
    found = true;
  };
  if (undecided != 0) {
    origin = origin_of_predicate(shadow, now.channels);
    found = true;
  }
  for (u32 rest = changed; rest != 0; rest &= rest - 1) {
    const u32 channel = static_cast<u32>(std::countr_zero(rest));
    std::array<Bits, 4> bits;
    for (u32 i = 0; i < now.sources; ++i) {
      const ByteSource& source = now.source[i];
      u64 undefined = shadow.read(source.at[channel], source.form.bytes);
      if (undefined != 0) note(source.at[channel], source.form.bytes);
      if (source.beside_bytes != 0 && shadow.read(source.beside[channel], source.beside_bytes) != 0) {
        note(source.beside[channel], source.beside_bytes);
        undefined = ones(source.form.bits());
      }
      bits[i] = {source.value[channel], widened(source, undefined, now.computes), now.computes.bits()};
    }
    made[channel] = computed(now, channel, bits, selects && is_undefined(undecided, channel));
  }
  u64 flags = now.tests ? shadow.read(now.channels.flags_at, 8) : 0;
  u64 undefined_flags = 0;  // by this instruction
  for (u32 rest = changed; rest != 0; rest &= rest - 1) {
    const u32 channel = static_cast<u32>(std::countr_zero(rest));
    const Channel& now_made = made[channel];
    // Whether it is written at all is not known: then it may be what was there.
    const bool merges = !selects && is_undefined(undecided, channel);
    if (now.tests) {
      const u64 bit = u64{1} << (now.condition_bit + channel);
      const bool same = now.known && now.test_known &&
                        ((now.channels.flags & bit) != 0) == is_undefined(now.test_result, channel);
      const bool flag = now_made.flag || (merges && ((flags & bit) != 0 || !same));
      flags = flag ? flags | bit : flags & ~bit;
      if (now_made.flag) undefined_flags |= bit;
    }
    if (result.exists) {
      const u64 whole = ones(result.form.bits());
      const u64 undefined = merges         ? whole
                            : now.compares ? (now_made.undefined != 0 ? whole : 0)
                                           : narrowed(now_made.undefined, now.computes, result);
      shadow.write(result.at[channel], result.form.bytes, undefined, origin);
    }
    if (now.second.exists) {
      const u64 undefined = now_made.any_source || merges ? now.second_bits : 0;
      shadow.write(now.second.at[channel], now.second.form.bytes, undefined, origin);
    }
  }
  // By words, so that each flag register's half keeps its origin.
  for (u32 i = 0; i < 8 && now.tests; i += 2) {
    const u64 word = (flags >> (8 * i)) & 0xFFFF;
    if (((undefined_flags >> (8 * i)) & 0xFFFF) != 0)
      shadow.write(now.channels.flags_at + i, 2, word, origin);
    else
      shadow.write_again(now.channels.flags_at + i, 2, word);
  }
}

}  // namespace lockstep
