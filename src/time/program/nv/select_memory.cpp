// Memory, flow and what looks across lanes.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "isa/nv/control.h"
#include "isa/nv/image.h"
#include "isa/nv/memory.h"
#include "isa/nv/special.h"
#include "isa/semantic.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/select.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using L = LoweredOpcode;
using F = LoweredOperand::File;

std::string_view size_word(const Node& n, u32 registers) {
  if (n.element_bytes == 2) return ".U16";
  if (n.element_bytes == 1) return ".U8";
  return registers == 4 ? ".128" : registers == 2 ? ".64" : "";
}

O Selector::base_of(const Ref& ref, i32& offset) {
  const Node& n = f_.nodes[ref.node];
  O operand;
  if (n.op == Op::frame) {
    operand.file = F::general;
    operand.index = stack_pointer;
    offset += static_cast<i32>(n.value);
  } else if (n.op == Op::constant) {
    operand = zero();
    offset += static_cast<i32>(n.value);
  } else if (ref.count == 2 && capability() == 75 && n.op == Op::parameter) {
    operand = uniform_word(parameter_word(n));
  } else if (ref.count == 2 && capability() == 75 && n.uniform) {
    operand = result(ref.node);
  } else if (n.fused) {
    operand = wide(n.in[1]);
  } else {
    operand = wide(ref);
  }
  operand.modifiers |= O::address;
  if (operand.width == 2) operand.modifiers |= O::wide;
  return operand;
}

// Of the arguments' bank, or of the module's own, which is 2 on Fermi and 3 from Kepler on.
O Selector::parameter_word(const Node& n) const {
  O word;
  word.file = F::constant;
  word.index = O::zero_register;
  word.width = n.width;
  if (n.value < module_constants) {
    word.value = parameter_base(capability()) + n.value;
  } else {
    word.bank = capability() < 30 ? 2 : 3;
    word.value = n.value - module_constants;
  }
  return word;
}

// Behind the address's own registers.
void Selector::add_uniform_base(LoweredInstruction& in, const Ref& address) {
  const Ref from = f_.at(address).in[0];
  O base = f_.at(from).uniform ? result(from.node) : uniform_word(parameter_word(f_.at(from)));
  base.modifiers |= O::address | O::wide;
  const auto free = std::find_if(in.source.begin(), in.source.end(),
                                 [](const O& source) { return source.file == F::none; });
  if (free != in.source.end()) *free = base;
}

// Before Ampere, which reduces over a warp by one instruction: where all lanes run, by halves; else each lane
// makes its own. What the first lane makes.
LoweredInstruction& Selector::reduce_by_shuffles(const Node& n, const O& base, bool shared) {
  const O lanes = fresh(1), own = fresh(1), all = fresh_predicate(), first = fresh_predicate();
  const auto access = [&](const O& what) -> LoweredInstruction& {
    return shared ? out(L::atoms, "", {zero()}, {base, what})
                  : out(L::red, ".E.STRONG.GPU", {}, {base, what});
  };
  out(L::vote, ".ANY", {lanes, truth()}, {truth()});
  out(L::isetp, ".NE.U32.AND", {all, truth()}, {lanes, immediate(0xFFFFFFFF), truth()});
  O sum = in_register(n.in[1]);
  guard_ = all;
  access(sum);
  out(L::bra, "", {}, {});
  guard_ = O{};
  O source;
  source.file = F::special;
  source.index = static_cast<u32>(LoweredSpecial::lane);
  out(L::s2r, "", {own}, {source});
  out(L::isetp, ".EQ.U32.AND", {first, truth()}, {own, zero(), truth()});
  using M = nv::Mnemonic;
  const M operation = n.operation.mnemonic;
  for (u32 distance = 16; distance != 0; distance /= 2) {
    const O other = fresh(1), both = fresh(1);
    out(L::shfl, ".BFLY", {truth(), other}, {sum, immediate(distance), immediate(0x1f)});
    operation == M::min || operation == M::max ? (void)out(L::imnmx, "", {both}, {sum, other, truth()})
    : operation == M::add                      ? (void)out(L::iadd3, "", {both}, {sum, other, zero()})
                                               : (void)out(L::lop3, ".LUT", {both}, {sum, other, zero()});
    sum = both;
  }
  guard_ = first;
  LoweredInstruction& in = access(sum);
  guard_ = O{};
  return in;
}

bool Selector::memory(u32 number, const Node& n) {
  if (n.op != Op::load && n.op != Op::store && n.op != Op::atomic && n.op != Op::copy_async &&
      n.op != Op::texture)
    return false;
  const Instruction& at = *n.ptx;
  i32 offset = static_cast<i32>(n.value);
  // Values in registers behind one another: where they lie so already, they stay.
  const auto data = [&](std::size_t first, std::size_t end) {
    u32 registers = 0;
    for (std::size_t i = first; i < end; ++i) registers += n.in[i].count;
    if (end == first + 1) return wide(n.in[first]);
    const Ref& begin = n.in[first];
    bool lie_so = !f_.at(begin).predicate && f_.at(begin).width >= registers && begin.part == 0;
    u8 at_part = begin.part;
    for (std::size_t i = first; i < end; ++i) {
      lie_so = lie_so && n.in[i].node == begin.node && n.in[i].part == at_part;
      at_part = static_cast<u8>(at_part + n.in[i].count);
    }
    if (lie_so) return wide({begin.node, begin.part, static_cast<u8>(registers), 0});
    const O all = fresh(static_cast<u8>(registers));
    u8 where = 0;
    for (std::size_t i = first; i < end; ++i) {
      for (u8 k = 0; k < n.in[i].count; ++k) {
        O one = all;
        one.width = 1;
        one.value = where++;
        out(L::mov, "", {one}, {part(n.in[i], k)});
      }
    }
    return all;
  };
  if (n.op == Op::texture) {
    const std::size_t dimensions = n.value;
    const O coordinates = data(0, dimensions);
    LoweredInstruction& in =
        n.meaning == &nv::store_surface() ? out(L::sust, "", {}, {coordinates, data(dimensions, n.in.size())})
        : n.meaning == &nv::load_surface() ? out(L::suld, "", {result(number)}, {coordinates})
                                           : out(L::tex, "", {result(number)}, {coordinates});
    in.carries_access = true;
    return true;
  }
  if (n.in.empty()) return false;
  const bool shared = at.addressing == Addressing::local, scratch = at.addressing == Addressing::scratch,
             constant = at.addressing == Addressing::scalar, generic = at.addressing == Addressing::generic;
  Ref address = n.in[0];
  if ((shared || scratch || constant) && address.count == 2) address.count = 1;
  if (n.op == Op::copy_async) {
    const O to = base_of({n.in[0].node, n.in[0].part, 1, 0}, offset), from = base_of(n.in[1], offset);
    LoweredInstruction& in = out(L::ldgsts, ".E.BYPASS.LTC128B.128", {}, {to, from});
    in.carries_access = true;
    return true;
  }
  const O base = base_of(address, offset);
  LoweredInstruction* in = nullptr;
  if (n.op == Op::load) {
    const O to = result(number);
    if (n.width > 1) s_.registers[to.index].aligned = true;
    const bool matrices = n.operation.mnemonic == nv::Mnemonic::ldmatrix;
    const L opcode = matrices   ? L::ldsm
                     : shared   ? L::lds
                     : scratch  ? L::ldl
                     : constant ? L::ldc
                     : generic  ? L::ld
                                : L::ldg;
    const bool read_only = opcode == L::ldg && at.policy.has(AccessPolicy::read_only);
    const bool older = capability() < 70;
    const std::string mods = std::string(shared || scratch || constant ? ""
                                         : read_only && older          ? ".E.CI"
                                                                       : ".E") +
                             std::string(size_word(n, n.width)) + (read_only && !older ? ".CONSTANT" : "");
    if (constant && n.width == 4) {  // two of 64 bits
      O low = to, high = to;
      low.width = high.width = 2;
      high.value += 2;
      out(L::ldc, ".64", {high}, {base}).offset = offset + 8;
      in = &out(L::ldc, ".64", {low}, {base});
    } else if (matrices) {
      const std::string count = n.width > 1 ? fmt::format(".{}", n.width) : "";
      in = &out(opcode, fmt::format(".16.M{}88{}", at.detail != 0 ? "T" : "", count), {to}, {base});
    } else {
      in = &out(opcode, mods, {to}, {base});
    }
  } else if (n.op == Op::store) {
    u32 registers = 0;
    for (std::size_t i = 1; i < n.in.size(); ++i) registers += n.in[i].count;
    const O what = data(1, n.in.size());
    const L opcode = shared ? L::sts : scratch ? L::stl : generic ? L::st : L::stg;
    in = &out(opcode, std::string(shared || scratch ? "" : ".E") + std::string(size_word(n, registers)), {},
              {base, what});
  } else {
    const bool unused = uses_[number] == 0;
    u64 one = 0;
    const bool counts =
        shared && unused && n.in.size() == 2 && constant_of(f_, n.in[1], one) && one == 1;  // ATOMS.POPC.INC
    const O what = n.in.size() > 1 && !counts ? wide(n.in[1]) : zero();
    const O other = n.in.size() > 2 ? wide(n.in[2]) : O{};
    // At one address for the whole warp: put together first, made by one lane.
    const nv::ElementType& type = n.operation.type;
    const bool word32 = n.in.size() == 2 && n.in[1].count == 1 && !type.floating();
    const bool adds = n.operation.mnemonic == nv::Mnemonic::add,
               joins = n.operation.mnemonic != nv::Mnemonic::other;
    const bool same_data = word32 && !plan_.divergent[n.in[1].node];
    const bool one_address = capability() >= 70 && !generic && word32 && joins && !counts &&
                             !plan_.divergent[n.in[0].node] && guard_.file == F::none;
    if (one_address && capability() < 80 && unused && !same_data) {
      in = &reduce_by_shuffles(n, base, shared);
      in->offset = offset;
      in->carries_access = in->one_lane = true;
      return true;
    }
    const bool together = one_address && (!shared || capability() >= 80) &&
                          (unused ? capability() >= 80 || (same_data && adds) : same_data && adds);
    if (together) {
      O below;
      below.file = F::special;
      below.index = static_cast<u32>(LoweredSpecial::lane_mask_lt);
      if (leader_block_ != block_) {
        leader_block_ = block_;
        leader_lanes_ = fresh(1);
        leader_ = fresh(1);
        leads_ = fresh_predicate();
        O lane_id = below;
        lane_id.index = static_cast<u32>(LoweredSpecial::lane);
        const O own = fresh(1);
        out(L::vote, ".ANY", {leader_lanes_, truth()}, {truth()});
        out(L::flo, ".U32", {leader_}, {leader_lanes_});
        out(L::s2r, "", {own}, {lane_id});
        out(L::isetp, ".EQ.U32.AND", {leads_, truth()}, {leader_, own, truth()});
      }
      const O lanes = leader_lanes_, leader = leader_, one_of = leads_, sum = fresh(1);
      if (same_data) {
        out(L::popc, "", {sum}, {lanes});
        u64 unit = 0;
        if (!constant_of(f_, n.in[1], unit) || unit != 1)
          out(L::imad, "", {sum}, {sum, value(n.in[1]), zero()});
      } else {
        out(L::redux, adds ? ".SUM" : "", {sum}, {in_register(n.in[1])});
      }
      guard_ = one_of;
      const O old = fresh(1);
      in = shared   ? &out(L::atoms, "", {unused ? zero() : old}, {base, sum})
           : unused ? &out(L::red, ".E.STRONG.GPU", {}, {base, sum})
                    : &out(L::atomg, ".E.STRONG.GPU", {truth(), old}, {base, sum});
      in->offset = offset;
      in->carries_access = in->one_lane = true;
      guard_ = O{};
      if (!unused) {
        const O mask = fresh(1), before = fresh(1), first = fresh(1);
        out(L::s2r, "", {mask}, {below});
        out(L::lop3, ".LUT", {mask}, {mask, lanes, zero()});
        out(L::popc, "", {before}, {mask});
        out(L::shfl, ".IDX", {truth(), first}, {old, leader, immediate(0x1f)});
        out(L::iadd3, "", {result(number)}, {first, before, zero()});
      }
      return true;
    }
    if (shared && adds && type.floating() && n.in.size() == 2 && what.width == 1 && capability() >= 70 &&
        guard_.file == F::none && !f_.at(address).fused) {
      // Local memory adds no floats: what was there is read, added to and exchanged where it still stands,
      // again and again until it did. One round stands here; the access knows how many it takes.
      const O before = fresh(1), sum = fresh(1), changed = fresh(1), done = fresh_predicate();
      parting(1);
      out(L::lds, "", {before}, {base}).offset = offset;
      out(type.bits == 16 ? L::hadd2 : L::fadd, "", {sum}, {before, what});
      in = &out(L::atoms, lowering::tries_again, {changed}, {base, before, sum});
      in->offset = offset;
      in->carries_access = true;
      in->access_bytes = n.joined_bytes;
      out(L::isetp, ".EQ.U32.AND", {done, truth()}, {changed, immediate(1), truth()});
      guard_ = done;
      guard_.modifiers ^= O::complement;
      out(L::bra, ".DIV", {}, {});
      guard_ = O{};
      out(L::bsync, "", {}, {});
      if (!unused) out(L::mov, "", {result(number)}, {before});
      return true;
    }
    if (shared) {
      const std::string_view mods = counts ? ".POPC.INC.32" : n.in.size() > 2 ? ".CAS" : "";
      in = &out(L::atoms, mods, {unused ? zero() : result(number)}, {base, what, other});
    } else if (unused && n.in.size() < 3) {
      in = &out(L::red, ".E.STRONG.GPU", {}, {base, what});
    } else {
      in = &out(generic ? L::atom : L::atomg, ".E.STRONG.GPU", {truth(), unused ? zero() : result(number)},
                {base, what, other});
    }
  }
  in->offset = offset;
  in->carries_access = true;
  in->access_bytes = n.joined_bytes;
  if (f_.at(address).fused) {
    LoweredInstruction made = std::move(*in);  // what loads the base comes in front of it
    s_.regions[region_].pop_back();
    add_uniform_base(made, address);
    s_.regions[region_].push_back(std::move(made));
  }
  return true;
}

bool Selector::lanes(u32 number, const Node& n) {
  const auto side = [&](std::size_t i) { return i < n.in.size() ? value(n.in[i]) : zero(); };
  switch (n.op) {
    case Op::shuffle:
      if (n.in.size() > 3 && capability() >= 70) {  // are all lanes of the mask here?
        const O mask = in_register(n.in[3]), same = fresh(1), any = fresh(1), here = fresh(1),
                all = fresh_predicate();
        out(L::match, ".ANY", {same}, {mask});
        if (capability() >= 80) out(L::redux, ".OR", {any}, {mask});
        out(L::vote, ".ANY", {here, truth()}, {truth()});
        out(L::lop3, ".LUT", {zero(), all}, {mask, here, same});
        O kept = guard_;
        guard_ = all;
        guard_.modifiers ^= O::complement;
        out(L::bra, ".DIV", {}, {});
        guard_ = kept;
      }
      n.second ? (void)out(L::shfl, "", {predicate_result(number, true), result(number)},
                           {in_register(n.in[0]), side(1), side(2)})
               : (void)out(L::shfl, "", {truth(), result(number)}, {in_register(n.in[0]), side(1), side(2)});
      return true;
    case Op::vote:
      if (n.predicate) {
        out(L::vote, ".ANY", {zero(), predicate_result(number)},
            {n.in.empty() ? truth() : predicate(n.in[0])});
      } else {
        const bool given = !n.in.empty() && f_.at(n.in[0]).predicate;
        out(L::vote, ".ANY", {result(number), truth()}, {given ? predicate(n.in[0]) : truth()});
      }
      return true;
    case Op::match:
      out(L::match, ".ANY", {result(number)}, {in_register(n.in[0])});
      return true;
    case Op::reduce: {
      s_.registers.push_back({F::uniform, 1, false});
      O uniform;
      uniform.file = F::uniform;
      uniform.index = static_cast<u32>(s_.registers.size() - 1);
      out(L::redux, "", {uniform}, {in_register(n.in[0])});
      out(L::mov, "", {result(number)}, {uniform});
      return true;
    }
    case Op::matrix:
      matrix(number, n);
      return true;
    default:
      return false;
  }
}

// A product of PTX's becomes as many of the matrix unit's own instructions as its multiply-adds need; each
// has its share of the accumulators. Where fragments lie in registers behind one another is the allocator's
// luck: the vendor's finds places without copies.
void Selector::matrix(u32 number, const Node& n) {
  struct Unit {
    Op_ opcode;
    std::string_view modifiers;
    u32 multiplies;
  };
  const auto unit = [&]() -> Unit {
    if (n.bits == 64) return {L::dmma, ".884", 256};
    if (n.bits == 1)
      return {L::bmma, capability() >= 80 ? ".168256" : ".88128", capability() >= 80 ? 32768u : 8192u};
    if (n.bits == 4)
      return {L::imma, capability() >= 80 ? ".16864" : ".8832", capability() >= 80 ? 8192u : 2048u};
    if (n.bits == 8) {
      if (capability() >= 80 && n.value >= 4096) return {L::imma, ".16832", 4096};
      return {L::imma, capability() >= 80 ? ".16816" : ".8816", capability() >= 80 ? 2048u : 1024u};
    }
    if (n.bits == 19) {
      if (n.value >= 1024) return {L::hmma, ".1688.TF32", 1024};
      return {L::hmma, ".1684.TF32", 512};
    }
    if (capability() >= 80 && n.value >= 2048) return {L::hmma, ".16816", 2048};
    if (capability() >= 75 && n.value >= 1024) return {L::hmma, ".1688", 1024};
    return {L::hmma, ".884", 256};
  }();
  const u32 count = std::max<u32>(1, static_cast<u32>(n.value / unit.multiplies)), width = n.width;
  const u32 factors = static_cast<u32>(n.in.size()) - std::min<u32>(width, static_cast<u32>(n.in.size()));
  const u32 share = width % count == 0 ? width / count : width;
  for (u32 k = 0; k < count; ++k) {
    O to = result(number);
    to.width = static_cast<u8>(share);
    to.value = share == width ? 0 : k * share;
    std::array<O, LoweredInstruction::most_sources> source{};
    u32 sources = 0;
    for (u32 i = 0; i < std::min(6u, factors); ++i)
      source[sources++] = in_register(n.in[(6 * k + i) % factors]);
    for (u32 i = 0; i < std::min(4u, share); ++i) {
      const u32 c = factors + static_cast<u32>(to.value) + i;
      // Where several write the same accumulators, the later ones add to what the first one made.
      source[sources++] = k != 0 && share == width ? to : in_register(n.in[c]);
      if (k != 0 && share == width) break;
    }
    out(unit.opcode, unit.modifiers, {to}, {}).source = source;
  }
}

// Whether the block is where each turn of a loop begins that yields, as execution has them, and that lanes
// leave one by one.
bool Selector::turn_yields(u32 block) const {
  const Instruction& begin = f_.module->code.instructions[f_.blocks[block].first];
  const u32 number = f_.blocks[block].loop;
  if (begin.meaning != &nv::meet() || (begin.detail & nv::turn_yields) == 0 || number == none) return false;
  const Loop& loop = f_.loops[number];
  return std::any_of(loop.blocks.begin(), loop.blocks.end(), [&](u32 b) {
    const std::vector<u32>& next = f_.blocks[b].next;
    return plan_.blocks[b].branch_divergent && std::any_of(next.begin(), next.end(), [&](u32 n) {
             return std::find(loop.blocks.begin(), loop.blocks.end(), n) == loop.blocks.end();
           });
  });
}
// Lanes that others may wait for come first: Turing asks who is left, later ones only yield. `from`: where
// the turn begins.
void Selector::yielding(u32 from) {
  const u32 kept = std::exchange(from_, from);
  if (capability() < 80) {
    const O left = fresh(1), those = fresh_predicate();
    O here = left;
    out(L::vote, ".ANY", {left, truth()}, {truth()});
    out(L::yield, "", {}, {});
    if (capability() >= 75) {
      here = uniform_register(1);
      out(L::voteu, ".ANY", {here, truth()}, {truth()});
    }
    out(L::lop3, ".LUT", {zero(), those}, {left, here, zero()});
    out(L::bra, "", {}, {});
  } else {
    out(L::yield, "", {}, {});
  }
  from_ = kept;
}

bool Selector::effect(u32 number, const Node& n) {
  const BlockPlan& planned = plan_.blocks[n.block];
  switch (n.op) {
    case Op::branch: {
      if (planned.branch_dropped) return true;
      const O kept = guard_;
      if (n.guard.node != none) guard_ = predicate(n.guard);
      if (planned.branch_exits) {
        out(L::exit, "", {}, {});
      } else {
        guard_ = kept;
        parting(planned.parts_before);
        if (n.guard.node != none) guard_ = predicate(n.guard);
        O where;
        where.file = F::region;
        if (planned.turned_to != none) {
          guard_.modifiers ^= O::complement;
          where.index = plan_.region_of[f_.blocks[planned.turned_to].first - f_.first];
        } else if (n.ptx->meaning == &nv::branch() && n.ptx->target >= f_.first && n.ptx->target < f_.end) {
          where.index = plan_.region_of[n.ptx->target - f_.first];
        }
        if (n.in.empty()) {
          out(L::bra, "", {}, {where});
        } else {
          sequence("IMAD.SHL.U32 LDC", {in_register(n.in[0])}, 1, number);
          out(L::brx, "", {}, {result(number)});
        }
      }
      guard_ = kept;
      return true;
    }
    case Op::exit:
      out(f_.kernel ? L::exit : L::ret, f_.kernel ? "" : ".REL.NODEC", {}, {});
      return true;
    case Op::trap:
      out(L::bpt, ".TRAP", {}, {});
      return true;
    case Op::barrier:
      if (n.width == 0 && !n.predicate) {
        out(L::bar, ".SYNC.DEFER_BLOCKING", {}, {immediate(n.ptx->operand[1].value)});
      } else {
        out(L::bar, ".RED", {}, {immediate(0)});
        n.predicate
            ? (void)out(L::isetp, ".NE.AND", {predicate_result(number), truth()}, {zero(), zero(), truth()})
            : (void)out(L::mov, "", {result(number)}, {zero()});
      }
      return true;
    case Op::fence:
      if (n.ptx->policy.scope <= Scope::group) {
        out(L::membar, ".SC.CTA", {}, {});
        return true;
      }
      out(L::membar, n.ptx->policy.scope >= Scope::system ? ".SC.SYS" : ".SC.GPU", {}, {});
      if (capability() >= 75) {
        out(L::errbar, "", {}, {});
        if (hopper()) out(L::nop, "", {}, {});
        out(L::cctl, ".IVALL", {}, {});
      }
      return true;
    case Op::call:
      out(L::mov, "", {fresh(1)}, {immediate(0x40)});
      out(L::call, ".REL.NOINC", {}, {});
      return true;
    case Op::call_value:
      // What is passed lies in registers: taking it costs nothing.
      if (n.width == 0) {
        for (std::size_t i = 1; i < n.in.size(); ++i) {
          for (u8 k = 0; k < n.in[i].count; ++k) out(L::mov, "", {fresh(1)}, {part(n.in[i], k)});
        }
      }
      return true;
    case Op::clock:
      if (capability() < 70) {
        O counter;
        counter.file = F::special;
        counter.index = static_cast<u32>(LoweredSpecial::clock);
        out(L::s2r, "", {result(number)}, {counter});
        return true;
      }
      out(L::cs2r, n.width == 2 ? "" : ".32", {result(number)}, {});
      return true;
    case Op::print: {
      const O place = fresh(1);
      out(L::mov, "", {place}, {immediate(0)});
      out(L::call, ".ABS.NOINC", {}, {});
      // The routine takes room in the launch's buffer by an atomic.
      O base = place;
      base.modifiers = O::address;
      out(L::atomg, ".E.ADD.STRONG.GPU", {truth(), fresh(1)}, {base, zero()}).carries_access = true;
      if (n.width != 0) out(L::mov, "", {result(number)}, {zero()});
      return true;
    }
    case Op::sleep:
      out(L::nanosleep, "", {}, {});
      return true;
    case Op::warp_sync:
      out(L::warpsync, "", {}, {});
      return true;
    case Op::load:  // matrices of shared memory
    case Op::store: {
      LoweredInstruction& in =
          n.width != 0 ? out(L::ldsm, ".16.M88", {result(number)}, {n.in.empty() ? zero() : value(n.in[0])})
                       : out(L::sts, "", {}, {n.in.empty() ? zero() : value(n.in[0])});
      in.carries_access = true;
      return true;
    }
    default:
      return true;
  }
}

}  // namespace lockstep::lowering
