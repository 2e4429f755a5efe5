// Groups that leave lanes of their waves empty, put together into groups that do not. Work-item after
// work-item is given the next lane of the new group's waves; what the recorded waves of a new one's items
// executed in step is executed once, with the lanes and addresses of all. Where they went different ways, the
// new wave goes the longest one with all its lanes, as the items of one wave do that leave a loop one after
// the other.
#include <algorithm>
#include <bit>

#include "time/what_if/rewrite.h"
#include "time/what_if/wave_writer.h"

namespace lockstep {
namespace {

// Neighbouring lanes of one recorded wave, and where they come to.
struct Lanes {
  u32 from = 0, count = 0, to = 0;

  u64 moved(u64 mask) const {
    const u64 mine = count >= 64 ? ~u64{0} : (u64{1} << count) - 1;
    return (mask >> from & mine) << to;
  }
};

// A recorded wave whose items come into one new wave.
struct Member {
  const std::vector<u8>* bytes = nullptr;
  Lanes lanes;
  u64 local_offset = 0;  // of its group's local memory in the new group's
  PieceReader reader;
  Segment piece;
  u32 at = 0;              // instruction of the piece
  std::size_t access = 0;  // the first one of that instruction or behind it
  bool more = false;

  void begin() {
    reader = PieceReader(*bytes);
    more = reader.read(piece);
    at = 0;
    access = 0;
  }
  u32 instruction() const { return piece.first + at; }
  void step() {
    while (access < piece.accesses.size() && piece.accesses[access].instruction == at) ++access;
    if (++at < piece.count) return;
    more = reader.read(piece);
    at = 0;
    access = 0;
  }
};

// Instructions, and a hash of which.
std::pair<u64, u64> way_of(const std::vector<u8>& bytes) {
  PieceReader reader(bytes);
  Segment piece;
  u64 count = 0, hash = 0;
  while (reader.read(piece)) {
    for (u32 i = 0; i < piece.count; ++i) hash = hash * 0x9E37'79B9'7F4A'7C15 + (u64{piece.first} + i + 1);
    count += piece.count;
  }
  return {count, hash};
}

// Adds the lanes of one member's access to the joined one.
void join_access(Access& all, const Member& member, const SegmentAccess& one) {
  Access expanded;
  expand(member.piece, one, expanded);
  const u64 offset = one.space == Space::local ? member.local_offset : 0;
  for (u64 rest = member.lanes.moved(one.lanes); rest != 0; rest &= rest - 1) {
    const u32 to = static_cast<u32>(std::countr_zero(rest));
    all.lanes |= u64{1} << to;
    all.address[to] = expanded.address[to - member.lanes.to + member.lanes.from] + offset;
  }
}

class Joined {
 public:
  // `in_step`: all members go the same way.
  Joined(std::vector<u8>& out, bool in_step) : out_(out), in_step_(in_step) {}

  // members[0] leads.
  void run(std::span<Member> members) {
    for (Member& member : members) member.begin();
    Member& leader = members[0];
    while (leader.more) {
      const Segment& piece = leader.piece;
      if (leader.at == 0) {
        made_.clear();
        made_.first = piece.first;
        made_.next_pc = piece.next_pc;
        made_.end = piece.end;
      }
      together(members);
      ++made_.count;
      const bool last = made_.count == piece.count;
      for (Member& member : members.subspan(1)) {
        if (member.more && in_step_) member.step();
      }
      leader.step();
      if (last) writer_.write(made_, out_);
    }
  }

 private:
  void together(std::span<Member> members) {
    const Member& leader = members[0];
    const u64 leads = leader.piece.active[leader.at];
    u64 active = 0, slow = 0;
    for (const Member& member : members) {
      const Member& like = in_step_ ? member : leader;
      const u64 mask = like.piece.active[like.at];
      // Behind a leader that goes on alone all lanes do what its own ones do.
      active |= in_step_ ? member.lanes.moved(mask) : mask != 0 ? member.lanes.moved(~u64{0}) : 0;
      slow |= member.lanes.moved(slow_lanes_of(like.piece, like.instruction()));
    }
    made_.active.push_back(active);
    if (slow != 0) made_.slow_ways.push_back({made_.count, slow});
    for (std::size_t k = 0; leader.access + k < leader.piece.accesses.size(); ++k) {
      const SegmentAccess& one = leader.piece.accesses[leader.access + k];
      if (one.instruction != leader.at) break;
      Access all;
      expand(leader.piece, one, all);
      // A scalar access has one lane whatever its wave does.
      if (const bool scalar = one.lanes == 1 && leads != 1; !scalar) {
        all.lanes = 0;
        join_access(all, leader, one);
        for (const Member& member : members.subspan(1)) join_member(all, member, one, k);
      }
      add_access(made_, made_.count, all);
    }
  }

  // Its k-th access of the instruction; where it goes another way, the leader's.
  void join_member(Access& all, const Member& member, const SegmentAccess& leaders, std::size_t k) const {
    if (!in_step_) return go_on(all, member, leaders);
    if (member.access + k >= member.piece.accesses.size()) return;
    const SegmentAccess& own = member.piece.accesses[member.access + k];
    if (own.instruction == member.at) join_access(all, member, own);
  }

  // What lies in a row goes on in it.
  static void go_on(Access& all, const Member& member, const SegmentAccess& one) {
    if (one.pattern == Pattern::list) return;
    for (u64 rest = member.lanes.moved(~u64{0}); rest != 0; rest &= rest - 1) {
      const u32 to = static_cast<u32>(std::countr_zero(rest));
      all.lanes |= u64{1} << to;
      all.address[to] = one.base + (one.pattern == Pattern::strided ? to * static_cast<u64>(one.stride) : 0);
    }
  }

  std::vector<u8>& out_;
  const bool in_step_;
  PieceWriter writer_;
  Segment made_;
};

}  // namespace

Recording joined(const Recording& from, const JoinedGroups& how) {
  Recording made = empty_copy(from);
  const u32 width = how.wave_lanes;
  made.groups = (from.groups + how.together - 1) / how.together;
  made.waves_per_group = (how.group_items * how.together + width - 1) / width;
  made.waves.assign(made.groups * made.waves_per_group, {});
  std::vector<std::vector<Member>> members(made.waves_per_group);
  for (u64 group = 0; group < made.groups; ++group) {
    for (std::vector<Member>& one : members) one.clear();
    u32 item = 0;  // of the new group
    for (u32 k = 0; k < how.together; ++k) {
      // The last one is filled with the first groups once more: all groups of a launch have the same waves.
      const u64 old = (group * how.together + k) % from.groups;
      for (u32 wave = 0; wave < from.waves_per_group; ++wave) {
        const std::vector<u8>& bytes = from.waves[old * from.waves_per_group + wave];
        u32 left = std::min(width, how.group_items - wave * width);
        for (u32 lane = 0; left != 0;) {
          const u32 to = item % width, count = std::min(left, width - to);
          Member& member = members[item / width].emplace_back();
          member.bytes = &bytes;
          member.lanes = {lane, count, to};
          member.local_offset = u64{k} * how.local_bytes;
          lane += count;
          item += count;
          left -= count;
        }
      }
    }
    for (u32 wave = 0; wave < made.waves_per_group; ++wave) {
      std::vector<Member>& of_wave = members[wave];
      const auto way = way_of(*of_wave[0].bytes);
      std::size_t leader = 0;
      u64 longest = way.first;
      bool same = true;
      for (std::size_t i = 1; i < of_wave.size(); ++i) {
        const auto other = way_of(*of_wave[i].bytes);
        same &= other == way;
        if (other.first <= longest) continue;
        longest = other.first;
        leader = i;
      }
      std::swap(of_wave[0], of_wave[leader]);
      Joined(made.waves[group * made.waves_per_group + wave], same).run(of_wave);
    }
  }
  for (const std::vector<u8>& wave : made.waves) made.bytes += wave.size();
  return made;
}

}  // namespace lockstep
