// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.8 (shfl), 9.7.12 (vote, match, activemask,
// redux).
//
// Without .sync they work on the lanes that are active together; with it on those of the member mask
// (members.h).
#include "isa/nv/cross_lane.h"

#include <bit>

#include "isa/nv/lanes.h"
#include "isa/nv/members.h"

namespace lockstep::nv {
namespace {

struct CrossLane {
  static constexpr Shape shape = Shape::cross_lane;
};

enum class Mode : u8 { up, down, bfly, idx };

template <Mode M>
struct Shuffle : CrossLane {
  static constexpr std::string_view name = M == Mode::up     ? "shfl.up"
                                           : M == Mode::down ? "shfl.down"
                                           : M == Mode::bfly ? "shfl.bfly"
                                                             : "shfl.idx";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 3;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u32> room[3];
    const u32* value = fetch32<W>(wave, in, in.operand[1], Kind::u32, room[0]);
    const u32* b = fetch32<W>(wave, in, in.operand[2], Kind::u32, room[1]);
    const u32* c = fetch32<W>(wave, in, in.operand[3], Kind::u32, room[2]);
    const u32 active = static_cast<u32>(wave.exec());
    Row<u32> out;
    u32 valid = 0;
    for (u32 lane = 0; lane < W; ++lane) {
      const u32 distance = b[lane] & 31, clamp = c[lane] & 31, segment = (c[lane] >> 8) & 31;
      const u32 most = (lane & segment) | (clamp & ~segment);
      const u32 least = lane & segment;
      i32 from = 0;
      bool within = false;
      switch (M) {
        case Mode::up:
          from = static_cast<i32>(lane) - static_cast<i32>(distance);
          within = from >= static_cast<i32>(most);
          break;
        case Mode::down:
          from = static_cast<i32>(lane + distance);
          within = from <= static_cast<i32>(most);
          break;
        case Mode::bfly:
          from = static_cast<i32>(lane ^ distance);
          within = from <= static_cast<i32>(most);
          break;
        case Mode::idx:
          from = static_cast<i32>(least | (distance & ~segment));
          within = from <= static_cast<i32>(most);
          break;
      }
      if (!within) from = static_cast<i32>(lane);
      out.lane[lane] = value[from];
      valid |= within ? 1u << lane : 0u;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
    if (in.operand[4].kind != OperandKind::none) {
      const u32 before = wave.read_scalar(in.operand[4].index);
      wave.write_scalar(in.operand[4].index, (valid & active) | (before & ~active));
    }
  }
};

enum class Vote : u8 { all, any, uni, ballot };

template <Vote V>
struct VoteOf : CrossLane {
  static constexpr std::string_view name = V == Vote::all   ? "vote.all"
                                           : V == Vote::any ? "vote.any"
                                           : V == Vote::uni ? "vote.uni"
                                                            : "vote.ballot";
  static constexpr Kind result = V == Vote::ballot ? Kind::u32 : Kind::mask;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::mask};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 active = static_cast<u32>(wave.exec());
    const u32 holds = static_cast<u32>(mask_value(wave, in.operand[1])) & active;
    Row<u32> members;
    member_row(wave, in, members);
    if constexpr (V == Vote::ballot) {
      Row<u32> out;
      for (int lane = 0; lane < W; ++lane) out.lane[lane] = holds & members.lane[lane];
      commit32<W>(wave, in, in.operand[0], out.data());
    } else {
      u32 result = 0;
      for (u32 lane = 0; lane < W; ++lane) {
        const u32 who = members.lane[lane], yes = holds & who;
        const bool vote = V == Vote::all ? yes == who : V == Vote::any ? yes != 0 : yes == 0 || yes == who;
        result |= vote ? 1u << lane : 0u;
      }
      const u32 before = wave.read_scalar(in.operand[0].index);
      wave.write_scalar(in.operand[0].index, (result & active) | (before & ~active));
    }
  }
};

template <bool All, bool Wide>
struct Match : CrossLane {
  static constexpr std::string_view name = All ? "match.all" : "match.any";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Wide ? Kind::u64 : Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u64> value;
    if constexpr (Wide) {
      Row<u64> room;
      const u64* row = fetch64<W>(wave, in, in.operand[1], Kind::u64, room);
      for (int lane = 0; lane < W; ++lane) value.lane[lane] = row[lane];
    } else {
      Row<u32> room;
      const u32* row = fetch32<W>(wave, in, in.operand[1], Kind::u32, room);
      for (int lane = 0; lane < W; ++lane) value.lane[lane] = row[lane];
    }
    const u32 active = static_cast<u32>(wave.exec());
    Row<u32> out, members;
    member_row(wave, in, members);
    for (u32 lane = 0; lane < W; ++lane) {
      u32 same = 0;
      for (u32 other = 0; other < W; ++other)
        same |= value.lane[other] == value.lane[lane] ? 1u << other : 0u;
      same &= members.lane[lane];
      out.lane[lane] = !All || same == members.lane[lane] ? same : 0;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
    if (in.operand[4].kind != OperandKind::none) {
      u32 equal = 0;
      for (u32 lane = 0; lane < W; ++lane) equal |= out.lane[lane] != 0 ? 1u << lane : 0u;
      const u32 before = wave.read_scalar(in.operand[4].index);
      wave.write_scalar(in.operand[4].index, (equal & active) | (before & ~active));
    }
  }
};

enum class Reduce : u8 { add, min_s, max_s, min_u, max_u, bit_and, bit_or, bit_xor };
constexpr std::string_view reduce_names[] = {"redux.add",     "redux.min.s32", "redux.max.s32",
                                             "redux.min.u32", "redux.max.u32", "redux.and",
                                             "redux.or",      "redux.xor"};
template <Reduce R>
struct ReduceOf : CrossLane {
  static constexpr std::string_view name = reduce_names[static_cast<u32>(R)];
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  static u32 both(u32 a, u32 b) {
    switch (R) {
      case Reduce::add:
        return a + b;
      case Reduce::min_s:
        return static_cast<i32>(b) < static_cast<i32>(a) ? b : a;
      case Reduce::max_s:
        return static_cast<i32>(a) < static_cast<i32>(b) ? b : a;
      case Reduce::min_u:
        return b < a ? b : a;
      case Reduce::max_u:
        return a < b ? b : a;
      case Reduce::bit_and:
        return a & b;
      case Reduce::bit_or:
        return a | b;
      case Reduce::bit_xor:
        return a ^ b;
    }
    return a;
  }
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u32> room, out;
    const u32* value = fetch32<W>(wave, in, in.operand[1], Kind::u32, room);
    Row<u32> members;
    member_row(wave, in, members);
    u32 known = 0, all = 0;
    for (u32 left = static_cast<u32>(wave.exec()); left != 0; left &= left - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(left));
      u32 who = members.lane[lane];
      if (who != known) {
        known = who;
        all = value[std::countr_zero(who)];
        for (who &= who - 1; who != 0; who &= who - 1) all = both(all, value[std::countr_zero(who)]);
      }
      out.lane[lane] = all;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

struct ActiveMask : CrossLane {
  static constexpr std::string_view name = "activemask";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u32> out;
    for (int lane = 0; lane < W; ++lane) out.lane[lane] = static_cast<u32>(wave.exec());
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

// elect.sync: the lowest lane of the mask is the leader. Result [0] its number, predicate [4].
struct Elect : CrossLane {
  static constexpr std::string_view name = "elect";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    Row<u32> out, members;
    member_row(wave, in, members);
    const u32 active = static_cast<u32>(wave.exec());
    u32 leaders = 0;
    for (u32 lane = 0; lane < W; ++lane) {
      out.lane[lane] = static_cast<u32>(std::countr_zero(members.lane[lane]));
      leaders |= out.lane[lane] == lane ? 1u << lane : 0u;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
    if (in.operand[4].kind != OperandKind::none) {
      const u32 before = wave.read_scalar(in.operand[4].index);
      wave.write_scalar(in.operand[4].index, (leaders & active) | (before & ~active));
    }
  }
};

template <class S>
const Semantic* chosen(bool sync) {
  return sync ? &semantic32<Synced<S>> : &semantic32<S>;
}

}  // namespace

const Semantic* find_shuffle(std::string_view mode, bool sync) {
  if (mode == "up") return chosen<Shuffle<Mode::up>>(sync);
  if (mode == "down") return chosen<Shuffle<Mode::down>>(sync);
  if (mode == "bfly") return chosen<Shuffle<Mode::bfly>>(sync);
  if (mode == "idx") return chosen<Shuffle<Mode::idx>>(sync);
  return nullptr;
}
const Semantic* find_vote(std::string_view mode, bool sync) {
  if (mode == "all") return chosen<VoteOf<Vote::all>>(sync);
  if (mode == "any") return chosen<VoteOf<Vote::any>>(sync);
  if (mode == "uni") return chosen<VoteOf<Vote::uni>>(sync);
  if (mode == "ballot") return chosen<VoteOf<Vote::ballot>>(sync);
  return nullptr;
}
const Semantic* find_match(bool all, bool wide) {
  if (all) return wide ? chosen<Match<true, true>>(true) : chosen<Match<true, false>>(true);
  return wide ? chosen<Match<false, true>>(true) : chosen<Match<false, false>>(true);
}
const Semantic* find_reduction(std::string_view name) {
  if (name == "add.s32" || name == "add.u32") return chosen<ReduceOf<Reduce::add>>(true);
  if (name == "min.s32") return chosen<ReduceOf<Reduce::min_s>>(true);
  if (name == "max.s32") return chosen<ReduceOf<Reduce::max_s>>(true);
  if (name == "min.u32") return chosen<ReduceOf<Reduce::min_u>>(true);
  if (name == "max.u32") return chosen<ReduceOf<Reduce::max_u>>(true);
  if (name == "and.b32") return chosen<ReduceOf<Reduce::bit_and>>(true);
  if (name == "or.b32") return chosen<ReduceOf<Reduce::bit_or>>(true);
  if (name == "xor.b32") return chosen<ReduceOf<Reduce::bit_xor>>(true);
  return nullptr;
}
const Semantic& elect() {
  return semantic32<Synced<Elect>>;
}
const Semantic& active_mask() {
  return semantic32<ActiveMask>;
}

}  // namespace lockstep::nv
