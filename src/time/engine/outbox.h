// What shards send within a window. Shards are divided among a few outboxes, one for each host thread; a
// shard always writes to the same one. Mail is written once, into the pages of who it is for and of the
// window in which it arrives, and copied once, when it has arrived, in its order.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "base/divider.h"
#include "base/zeroed_array.h"
#include "time/engine/shard.h"

namespace lockstep {

class Outbox {
 public:
  static constexpr u32 ring = 64;  // windows, the running one included, that pages are kept for

  // How a shard's windows lie: they begin so many cycles before those that are counted, and it runs in this
  // phase of a round.
  struct To {
    u32 early = 0, phase = 0;
  };
  Outbox(std::vector<To> shards, u32 length);

  // The window `number` of the engine runs.
  void begin_window(u64 number);
  // Pages of the window before are free. By the thread that will write them again, before it does.
  void free_pages() {
    if (read_slot_ != no_slot) free_read_pages();
  }
  void begin_shard(u32 from) {
    from_ = static_cast<u16>(from);
    phase_ = to_[from].phase;
  }

  [[gnu::always_inline]] void send(u32 to, u64 time, const Mail& mail) {
    const To& receiver = to_[to];
    const u64 ahead = time + receiver.early - window_begin_;
    LOCKSTEP_ASSERT(ahead >= length_ || (receiver.phase > phase_ && time + receiver.early >= window_begin_),
                    "mail arrives in a window that its receiver has still to run");
    if (ahead >= ring_cycles_) [[unlikely]]
      return send_far(to, time, mail.address, mail.bytes, u64{mail.order} << 32 | mail.tag,
                      u32{mail.what} << 16 | mail.detail);
    // Exact as long as the ring has fewer than 2^32 / length cycles.
    const u32 windows = static_cast<u32>(ahead * reciprocal_ >> 32);
    Mail& sent = *next_place(to, (slot_ + windows) % ring);
    sent.address = mail.address;
    sent.bytes = mail.bytes;
    sent.tag = mail.tag;
    sent.order = mail.order;
    // In one word, which the compiler would put together in a vector's register otherwise.
    const u64 last =
        u64{from_} | (ahead - windows * length_) << 16 | u64{mail.detail} << 32 | u64{mail.what} << 48;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&sent.from, &last, sizeof last);
  }
  // `request` was served at `time`; nothing where it is not ordered.
  void perform(u64 time, const Mail& request) {
    if (request.ordered()) performs_.push_back({time, request.detail, request.order});
  }
  // The run has to be looked at after this window: something went wrong.
  void alarm() { alarmed_ = true; }

  // For the engine.
  void wake(u32 shard, u64 time);
  // Bits of the shards that have something to do in the window.
  const u64* scheduled(u64 window) const { return &scheduled_[std::size_t{window % ring} * words_]; }
  // The first window from `from` on that anybody is scheduled in; never.
  u64 next_window(u64 from) const;
  // Calls `use` with the mail for the shard in the running window, in the order of sending, span after span.
  template <class Use>
  void for_each_page(u32 shard, Use&& use) const {
    const Pages& pages = pages_[std::size_t{slot_} * shards_ + shard];
    for (const Page* page = pages.first; page != nullptr; page = page->next) {
      const Mail* const end = page->next != nullptr ? page->mails + mails_per_page : pages.next;
      use(std::span<const Mail>(page->mails, end));
    }
  }
  // What that will read first comes nearer: where its mail is, then some of it.
  [[gnu::always_inline]] void prefetch_place(u32 shard) const {
    __builtin_prefetch(&pages_[std::size_t{slot_} * shards_ + shard]);
  }
  void prefetch(u32 shard) const {
    const Page* page = pages_[std::size_t{slot_} * shards_ + shard].first;
    for (u32 i = 0; i < 2 && page != nullptr; ++i, page = page->next) {
      for (u32 line = 0; line < sizeof(Page); line += 64)
        __builtin_prefetch(reinterpret_cast<const u8*>(page) + line);
    }
  }
  std::vector<Perform>& performs() { return performs_; }
  bool take_alarm() {
    const bool alarmed = alarmed_;
    alarmed_ = false;
    return alarmed;
  }

 private:
  static constexpr u32 mails_per_page = 15;
  // Other threads read pages of the running window while this one takes new ones: they never move. A full
  // one is known by where it ends.
  struct alignas(512) Page {
    Page* next = nullptr;
    u64 unused[3];
    Mail mails[mails_per_page];
  };
  static_assert(sizeof(Page) == 512);
  struct Pages {
    Page* first;
    Mail* next;  // behind the latest mail
  };
  static Page* page_of(Mail* mail) {
    return reinterpret_cast<Page*>(reinterpret_cast<std::uintptr_t>(mail) / sizeof(Page) * sizeof(Page));
  }
  struct Far {
    u64 window = 0;
    u32 to = 0;
    Mail mail;
  };

  [[gnu::always_inline]] Mail* next_place(u32 to, u32 slot) {
    Pages& pages = pages_[std::size_t{slot} * shards_ + to];
    Mail* place = pages.next;
    if (reinterpret_cast<std::uintptr_t>(place) % sizeof(Page) == 0) [[unlikely]]
      place = add_page(pages, slot, to);
    pages.next = place + 1;
    return place;
  }
  Mail* add_page(Pages& pages, u32 slot, u32 to);
  void free_read_pages();
  void send_far(u32 to, u64 time, u64 address, u64 bytes, u64 tags, u32 what);
  void schedule(u32 slot, u32 shard) {
    scheduled_[std::size_t{slot} * words_ + shard / 64] |= u64{1} << (shard % 64);
    used_ |= u64{1} << slot;
  }

  // What other threads read, which changes between windows alone.
  u32 shards_, words_, length_;
  u32 slot_ = 0;                // of the running window
  ZeroedArray<Pages> pages_;    // by slot of the ring and shard
  std::vector<u64> scheduled_;  // by slot of the ring
  Divider by_length_;
  u64 reciprocal_, ring_cycles_;
  std::vector<To> to_;  // by shard
  u64 window_ = 0, window_begin_ = 0;
  bool begun_ = false;
  // What its own thread writes as it sends, away from that.
  alignas(64) u16 from_ = 0;
  u32 phase_ = 0;  // its
  static constexpr u32 no_slot = ~u32{0};
  u32 read_slot_ = no_slot;  // of the window before, until its pages are free
  std::vector<std::unique_ptr<Page[]>> blocks_;
  Page* free_page_ = nullptr;
  u64 used_ = 0;          // bits of slots in which anybody is scheduled
  std::vector<Far> far_;  // mail, in the order of sending
  std::vector<std::pair<u64, u32>> far_wakes_;
  u64 next_far_ = never;  // window
  std::vector<Perform> performs_;
  bool alarmed_ = false;
};

}  // namespace lockstep
