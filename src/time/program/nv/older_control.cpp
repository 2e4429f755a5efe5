// When what GPUs before Volta issue can issue.
#include <algorithm>
#include <array>
#include <set>

#include "time/program/nv/generation.h"
#include "time/program/nv/older.h"
#include "time/program/nv/registers.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using F = LoweredOperand::File;
using L = LoweredOpcode;
using P = LoweredPipe;

bool makes_carry(const LoweredInstruction& in) {
  return in.modifiers.find(".CC") != std::string::npos;
}

bool touches_wide(const LoweredInstruction& in) {
  bool wide = false;
  registers_of(in, [&](const O& o, bool, bool) { wide |= o.width > 1; });
  return wide;
}

// What `second` reads or writes of what `first` writes.
bool depends(const LoweredInstruction& first, const LoweredInstruction& second) {
  bool any = false;
  for (const O& made : first.destination) {
    for (u32 k = 0; made.file != F::none && k < made.width; ++k) {
      const u32 name = name_of(made, k);
      if (name == no_name) continue;
      registers_of(second, [&](const O& o, bool, bool) {
        for (u32 j = 0; j < o.width; ++j) any |= name_of(o, j) == name;
      });
    }
  }
  return any;
}

bool f32_arithmetic(const LoweredInstruction& in) {
  return in.opcode == L::fadd || in.opcode == L::fmul || in.opcode == L::ffma;
}
bool int_addition(const LoweredInstruction& in) {
  return in.opcode == L::iadd || in.opcode == L::iadd32i;
}
bool is_move(const LoweredInstruction& in) {
  return in.opcode == L::mov || in.opcode == L::mov32i;
}

// When each register's value can be taken, by whom it was made.
struct Made {
  u32 at = 0, index = 0;
  const LoweredInstruction* by = nullptr;
  bool predicate = false;
};

}  // namespace

void drop_unread_constants(Selected& selected) {
  std::set<u32> read;
  const auto is_own = [](const O& o) { return o.file == F::general && o.bank == 0; };
  for (const auto& region : selected.regions) {
    for (const LoweredInstruction& in : region) {
      for (const O& o : in.source) {
        if (is_own(o)) read.insert(o.index);
      }
    }
  }
  for (auto& region : selected.regions) {
    std::erase_if(region, [&](const LoweredInstruction& in) {
      const O& to = in.destination[0];
      return is_move(in) && in.source[0].file == F::immediate && is_own(to) && to.index != stack_pointer &&
             !read.contains(to.index);
    });
  }
}

bool older_fixed(const LoweredInstruction& in, u32 capability) {
  const LoweredOpcodeInfo& what = info(in.opcode);
  if (what.pipe == P::lsu || what.pipe == P::branch) return what.fixed_latency;
  if (has_scoreboard(capability)) return true;
  // Products of 32 bits take many passes there; f64 units are few but on GP100.
  if (what.pipe == P::fma_heavy) return false;
  return what.pipe == P::fp64 ? capability == 60 : what.fixed_latency;
}

u32 older_latency(const LoweredInstruction& from, bool predicate, u32 capability) {
  const P pipe = info(from.opcode).pipe;
  const bool compares = (predicate && !makes_carry(from)) || from.opcode == L::fset || from.opcode == L::dset;
  switch (generation_of(capability)) {
    case Generation::maxwell:
      return compares ? 12 : pipe == P::fp64 ? 8 : 6;
    case Generation::kepler:
      return pipe == P::fp64 ? 20 : pipe == P::xu || pipe == P::fma_heavy ? 15 : compares ? 13 : 9;
    case Generation::fermi:
      return pipe == P::fp64 ? 48 : 22;
    case Generation::tesla:
      return pipe == P::fp64 ? 48 : pipe == P::xu ? 28 : 24;
    default:
      return 4;
  }
}

bool may_pair(const LoweredInstruction& first, const LoweredInstruction& second, u32 capability) {
  const Generation generation = generation_of(capability);
  const bool pairs =
      capability == 21 || generation == Generation::kepler || generation == Generation::maxwell;
  const P a = info(first.opcode).pipe, b = info(second.opcode).pipe;
  if (!pairs || a == P::branch || a == P::control || b == P::control) return false;
  if (b == P::branch && second.opcode != L::bra) return false;
  if (first.opcode == L::bar || second.opcode == L::bar || first.opcode == L::membar) return false;
  if (a == P::fp64 || b == P::fp64 || depends(first, second)) return false;
  if (generation == Generation::maxwell) {
    const auto beside = [](P pipe) { return pipe == P::lsu || pipe == P::xu || pipe == P::branch; };
    return beside(a) != beside(b);
  }
  if (first.opcode == L::tex || first.opcode == L::suld || first.opcode == L::sust) return false;
  if (generation == Generation::kepler && (touches_wide(first) || touches_wide(second))) return false;
  const bool minima = (first.opcode == L::imnmx || first.opcode == L::fmnmx) &&
                      (second.opcode == L::imnmx || second.opcode == L::fmnmx);
  return a != b || (f32_arithmetic(first) && f32_arithmetic(second)) ||
         (int_addition(first) && int_addition(second)) || minima || is_move(first) || is_move(second);
}

std::vector<std::vector<Dependence>> dependences_of(std::span<const LoweredInstruction> region,
                                                    u32 capability) {
  std::vector<std::vector<Dependence>> result(region.size());
  std::array<Made, register_names> made{};
  for (u32 i = 0; i < region.size(); ++i) {
    const LoweredInstruction& in = region[i];
    registers_of(in, [&](const O& o, bool written, bool) {
      for (u32 k = 0; k < o.width && !written; ++k) {
        const u32 name = name_of(o, k);
        if (name == no_name || made[name].by == nullptr) continue;
        const Dependence found{i - made[name].index,
                               older_latency(*made[name].by, made[name].predicate, capability)};
        if (std::ranges::none_of(result[i], [&](const Dependence& d) {
              return d.distance == found.distance && d.cycles == found.cycles;
            }))
          result[i].push_back(found);
      }
    });
    for (const O& to : in.destination) {
      for (u32 k = 0; to.file != F::none && k < to.width; ++k) {
        const u32 name = name_of(to, k);
        if (name == no_name) continue;
        made[name] = {0, i, older_fixed(in, capability) ? &in : nullptr, to.file == F::predicate};
      }
    }
  }
  return result;
}

void scoreboard_stalls(std::span<LoweredInstruction> region, u32 capability) {
  const std::vector<std::vector<Dependence>> waits = dependences_of(region, capability);
  std::vector<u32> at(region.size(), 0);
  bool second = false;
  u32 end = 0;
  for (u32 i = 0; i < region.size(); ++i) {
    LoweredInstruction& in = region[i];
    in.control.stall = 1;
    in.control.yield = false;
    u32 ready = 0;
    for (const Dependence& d : waits[i]) ready = std::max(ready, at[i - d.distance] + d.cycles);
    if (i > 0) {
      const bool together = in.control.wait_mask == 0 && may_pair(region[i - 1], in, capability);
      second = together && !second && ready <= at[i - 1];
      at[i] = std::max(at[i - 1] + (second ? 0 : 1), ready);
      // The schedulers of 2.1 see for themselves what goes together when its turn comes; those of 3.x are
      // told.
      if (second || (together && capability == 21)) region[i - 1].control.stall = 0;
    }
    end = std::max(end, at[i] + 1);
    if (!older_fixed(in, capability)) continue;
    for (const O& to : in.destination) {
      if (to.file == F::none || name_of(to, 0) == no_name) continue;
      end = std::max(end, at[i] + older_latency(in, to.file == F::predicate, capability));
    }
  }
  if (!region.empty())
    region.back().control.stall = static_cast<u8>(std::min(end - at.back(), LoweredControl::most_stall));
}

}  // namespace lockstep::lowering
