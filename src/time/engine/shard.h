// Shards and what they send each other. A shard is a part of the GPU that works through one window of cycles
// on its own: a cluster of compute units, a slice of a cache, a memory channel, the second level of
// translation, the dispatcher. It holds no pointer to another shard: all it learns of others is the mail that
// has arrived, all it tells them goes into its outbox and arrives in a window that they have still to run.
//
// How long a window is, and which cycles it is for which kind of shard, follows from the ways between them
// (engine/window_plan.h): neither can change what any of them sees, nor can the order in which shards of a
// kind run.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "base/types.h"

namespace lockstep {

inline constexpr u64 never = ~u64{0};
inline constexpr u32 no_index = ~u32{0};
inline constexpr u32 most_window_cycles = 1 << 12;
inline constexpr u32 most_shards = 1 << 16;

enum class MailKind : u8 {
  begin_group,  // dispatcher to cluster: `address` group, `bytes` the low two bits of each wave's SIMD,
                // `order` the third one, `tag` unit, `size` waves
  wave_ended,   // cluster to dispatcher: `tag` unit, `size` SIMD, `bytes` waves of the group, `marked`
  read,         // to a cache or channel: `size` bytes from `address`, wanted by `tag`; of a run (granules.h)
                // `bytes` says which of the lines that were asked for, of a line in sectors, where not 0,
                // which pieces of 32 bytes
  write,        // `size` bytes from `address` on, of which `bytes` (granules of size / 64, of a run words)
                // are written
  atomic,       // on the line at `address`; `bytes` is an AtomicWork
  answer,       // to who sent the request: its `tag`, its `size` (some of it, where a run is answered in
                // parts) and a read's `bytes`; `detail` is the level that had it
  translate,    // to the second level of translation: `address` a page number, `tag`
  translated,   // its answer
};

// Mail is copied, sorted and kept by the million: half a host's cache line. When it arrives, and who it is
// for, are said beside it. No bit-fields: the host's compiler would build each mail in memory, narrow store
// after narrow store, and copying it would wait for these.
struct Mail {
  // Marks
  static constexpr u16 marked_bit = 1 << 12, streaming_bit = 1 << 13, ordered_bit = 1 << 14,
                       device_wide_bit = 1 << 15;

  u64 address = 0;
  u64 bytes = 0;
  u32 tag = 0;    // the sender's own word, given back with the answer
  u32 order = 0;  // of an ordered access: its place in the order in which cluster `detail` issued such
  u16 from = 0;   // the sender
  u16 cycle = 0;  // of the window in which it arrives
  // Ordered: the number of the cluster. Other writes: how many of its sectors have joined others, and whether
  // all have. Answers: number of the level in the hierarchy that served it. Reads of near caches: the
  // answer's way in cycles, where that is not the level's own (0: it is).
  u16 detail = 0;
  u16 what = what_of(MailKind::read, 0);  // kind, size and marks

  static constexpr u16 what_of(MailKind kind, u32 size) {
    return static_cast<u16>(size << 3 | static_cast<u32>(kind));
  }
  MailKind kind() const { return static_cast<MailKind>(what & 7); }
  u32 size() const { return what >> 3 & 511; }  // bytes
  // Lines of a request: one, but for runs.
  u32 lines(u32 line_shift) const { return std::max(1u, size() >> line_shift); }
  void resize(u32 size) { what = static_cast<u16>((what & ~(511u << 3)) | size << 3); }
  // wave_ended: the group ended with it; read: no cache shall keep the line for it; write: it goes word by
  // word.
  bool marked() const { return (what & marked_bit) != 0; }
  // It will not be used again: may be the next to be evicted.
  bool streaming() const { return (what & streaming_bit) != 0; }
  // A write that has joined those before it on the way: its bytes take no time of their own.
  static constexpr u16 merged_bit = 1 << 15;
  bool merged() const { return kind() == MailKind::write && !ordered() && (detail & merged_bit) != 0; }
  // Of a write that has done so in part: sectors that take no time of their own.
  u32 joined_sectors() const { return ordered() ? 0 : detail; }
  // An access that is performed where it is served (wave_source.h).
  bool ordered() const { return (what & ordered_bit) != 0; }
  // A read that no cache of a part of the device may serve.
  bool device_wide() const { return (what & device_wide_bit) != 0; }

  u16 back_cycles() const { return ordered() ? u16{0} : detail; }
  // Mail that has arrived is ordered by cycle and sender: the upper half and the lower of this.
  u32 order_of_arrival() const { return u32{cycle} << 16 | from; }
};
static_assert(sizeof(Mail) == 32 && offsetof(Mail, from) == 24 && offsetof(Mail, what) == 30);

// `lanes` lanes work on a line, in `sectors` pieces of 32 bytes of it, `most_same` of them on one address,
// which lies at `offset`.
struct AtomicWork {
  u16 offset = 0;
  u8 lanes = 0, most_same = 0, sectors = 1;
  bool returns = false;  // old values go back

  u64 packed() const {
    return u64{returns} << 40 | u64{sectors} << 32 | u64{offset} << 16 | u64{lanes} << 8 | most_same;
  }
  static AtomicWork of(const Mail& mail) {
    return {static_cast<u16>(mail.bytes >> 16), static_cast<u8>(mail.bytes >> 8), static_cast<u8>(mail.bytes),
            static_cast<u8>(mail.bytes >> 32), (mail.bytes >> 40 & 1) != 0};
  }
};

// An ordered access has been served: it is performed after the window, in the order of (time, origin, order
// of issue in the origin).
struct Perform {
  u64 time = 0;
  u32 origin = 0, order = 0;
};

class Outbox;

class Shard {
 public:
  virtual ~Shard() = default;
  // Works through the cycles [begin, end). `inbox` holds all mail that arrives in them, ordered by (time,
  // sender, order of sending). Gives the first cycle, not before `end`, in which it has something to do
  // without further mail; never if there is none.
  virtual u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) = 0;
};

}  // namespace lockstep
