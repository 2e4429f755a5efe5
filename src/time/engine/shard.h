// Shards and what they send each other. A shard is a part of the GPU that works through one window of cycles
// on its own: a cluster of compute units, a slice of a cache, a memory channel, the second level of
// translation, the dispatcher. It holds no pointer to another shard: all it learns of others is the mail that
// has arrived, all it tells them goes into its outbox and arrives in a later window.
//
// A window is at most as long as the shortest way between any two shards (Windows, engine/windows.h). So the
// order in which shards run within a window, and how long windows are, cannot change what any of them sees.
#pragma once
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/types.h"

namespace lockstep {

inline constexpr u64 never = ~u64{0};
inline constexpr u32 no_index = ~u32{0};

enum class MailKind : u8 {
  begin_group,  // dispatcher to cluster: `address` group, `bytes` two bits for each wave's SIMD, `tag` unit,
                // `size` waves
  wave_ended,   // cluster to dispatcher: `tag` unit, `size` SIMD, `last` the group ended with it
  read,         // to a cache or channel: `size` bytes from `address`, wanted by `tag`
  write,        // `size` bytes from `address` on, of which `bytes` (granules of size / 64) are written
  atomic,       // `lanes` lanes, of which `most_same` work on one address, `bytes` that address
  answer,       // to who sent the request: its `tag`; `level` says who had it
  translate,    // to the second level of translation: `address` a page number, `tag`
  translated,   // its answer
};

struct Mail {
  u64 time = 0;  // of arrival, cycles
  u64 address = 0;
  u64 bytes = 0;
  u32 to = 0, from = 0;
  u32 tag = 0;  // the sender's own word, given back with the answer
  u32 ordered =
      no_index;    // token of an access that is performed where it is served (wave_source.h); else none
  u32 origin = 0;  // number of the cluster that the token is of
  u64 order = 0;   // its place in that cluster's order of issue
  u32 size = 0;    // bytes
  MailKind kind = MailKind::read;
  u8 lanes = 0, most_same = 0;
  u8 level = 0;         // answers: number of the level in the hierarchy that served it
  u16 back_cycles = 0;  // reads: the answer's way, where it is not the level's own
  bool last = false;
  bool streaming = false;  // will not be used again: may be the next to be evicted
};

// An ordered access has been served: it is performed after the window, in the order of (time, origin, order
// of issue in the origin).
struct Perform {
  u64 time = 0;
  u32 origin = 0, token = 0;
  u64 order = 0;
};

// What a shard sends within a window.
class Outbox {
 public:
  void begin(u32 from, u64 window_end) {
    from_ = from;
    window_end_ = window_end;
  }
  void send(Mail mail) {
    LOCKSTEP_ASSERT(mail.time >= window_end_, "mail arrives in a later window");
    mail.from = from_;
    mails_.push_back(mail);
  }
  // `request` was served at `time`; nothing where it is not ordered.
  void perform(u64 time, const Mail& request) {
    if (request.ordered != no_index)
      performs_.push_back({time, request.origin, request.ordered, request.order});
  }
  std::vector<Mail>& mails() { return mails_; }
  std::vector<Perform>& performs() { return performs_; }

 private:
  u32 from_ = 0;
  u64 window_end_ = 0;
  std::vector<Mail> mails_;
  std::vector<Perform> performs_;
};

class Shard {
 public:
  virtual ~Shard() = default;
  // Works through the cycles [begin, end). `inbox` holds all mail that arrives in them, ordered by (time,
  // sender, order of sending). Gives the first cycle, not before `end`, in which it has something to do
  // without further mail; never if there is none.
  virtual u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) = 0;
};

}  // namespace lockstep
