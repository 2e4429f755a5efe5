// What shards send within a window. Shards are divided among a few outboxes, one for each host thread; a
// shard always writes to the same one. Mail is written once, into the pages of who it is for and of the
// window in which it arrives, and copied once, when it has arrived, in its order.
#pragma once
#include <array>
#include <atomic>
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
  // Windows that pages are kept for: the one before the running one, which others may still read, that, and
  // those to come.
  static constexpr u32 ring = 64;
  static constexpr u32 ahead = ring - 1;  // of them the running one and those to come
  static constexpr u32 readers = 16;      // whose pages are in lists of their own

  // How a shard's windows lie: they begin so many cycles before those that are counted, and it runs in this
  // phase of a round, or between phases (window_plan.h).
  struct To {
    u32 early = 0, phase = 0;
    bool between = false;
    u8 reader = 0;  // which of the lists of free pages its pages come from and back to
  };
  Outbox(std::vector<To> shards, u32 length);

  // The window `number` of the engine runs.
  void begin_window(u64 number);
  // Nobody reads pages of the window before any more: they are free. By the thread that will write them
  // again, while the window runs.
  void free_pages();
  void begin_shard(u32 from) {
    from_ = static_cast<u16>(from);
    phase_ = to_[from].between ? no_index : to_[from].phase;
  }

  [[gnu::always_inline]] void send(u32 to, u64 time, const Mail& mail) {
    const To& receiver = to_[to];
    const u64 later = time + receiver.early - window_begin_;
    LOCKSTEP_ASSERT(later >= length_ || (!receiver.between && receiver.phase > phase_ &&
                                         time + receiver.early >= window_begin_),
                    "mail arrives in a window that its receiver has still to run");
    if (later >= near_cycles_) [[unlikely]]
      return send_far(to, time, mail.address, mail.bytes, u64{mail.order} << 32 | mail.tag,
                      u32{mail.what} << 16 | mail.detail);
    // Exact as long as the ring has fewer than 2^32 / length cycles.
    const u32 windows = static_cast<u32>(later * reciprocal_ >> 32);
    Mail& sent = *next_place(to, (slot_ + windows) % ring);
    sent.address = mail.address;
    sent.bytes = mail.bytes;
    sent.tag = mail.tag;
    sent.order = mail.order;
    // In one word, which the compiler would put together in a vector's register otherwise.
    const u64 last =
        u64{from_} | (later - windows * length_) << 16 | u64{mail.detail} << 32 | u64{mail.what} << 48;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&sent.from, &last, sizeof last);
  }
  // `request` was served at `time`; nothing where it is not ordered.
  void perform(u64 time, const Mail& request) {
    if (request.ordered()) performs_.push_back({time, request.detail, request.order});
  }
  // The run has to be looked at after this window: something went wrong.
  void alarm() { alarmed_ = true; }
  // Whoever runs the windows has something to do before the next one.
  void pause() { paused_ = true; }

  // For the engine.
  void wake(u32 shard, u64 time);
  // Bits of the shards that have something to do in the window, 64 from 64 * `word` on. Other threads ask for
  // those of which none are added any more.
  u64 scheduled(u64 window, std::size_t word) const {
    return std::atomic_ref(scheduled_word(window, word)).load(std::memory_order_relaxed);
  }
  // The first window from `from` on that anybody is scheduled in; never.
  u64 next_window(u64 from) const;
  // Calls `use` with the mail for the shard in the window, in the order of sending, span after span.
  template <class Use>
  void for_each_page(u64 window, u32 shard, Use&& use) const {
    const Pages& pages = pages_of(window, shard);
    for (const Page* page = pages.first; page != nullptr; page = page->next) {
      const Mail* const end = page->next != nullptr ? page->mails + mails_per_page : pages.next;
      use(std::span<const Mail>(page->mails, end));
    }
  }
  // What that will read first comes nearer: where its mail is, then some of it.
  [[gnu::always_inline]] void prefetch_place(u64 window, u32 shard) const {
    __builtin_prefetch(&pages_of(window, shard));
  }
  void prefetch(u64 window, u32 shard) const {
    const Page* page = pages_of(window, shard).first;
    for (u32 i = 0; i < 2 && page != nullptr; ++i, page = page->next) {
      for (u32 line = 0; line < sizeof(Page); line += 64)
        __builtin_prefetch(reinterpret_cast<const u8*>(page) + line);
    }
  }
  std::vector<Perform>& performs() { return performs_; }
  // Whether the next window has to wait for whoever runs them.
  bool stops() const { return !performs_.empty() || alarmed_ || paused_; }
  void go_on() { paused_ = false; }
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
  void send_far(u32 to, u64 time, u64 address, u64 bytes, u64 tags, u32 what);
  const Pages& pages_of(u64 window, u32 shard) const {
    return pages_[std::size_t{window % ring} * shards_ + shard];
  }
  // Other threads read it beside: all of it is one access.
  u64& scheduled_word(u64 window, std::size_t word) const {
    return scheduled_[std::size_t{window % ring} * words_ + word];
  }
  void schedule(u32 slot, u32 shard) {
    const std::atomic_ref word(scheduled_word(slot, shard / 64));
    word.store(word.load(std::memory_order_relaxed) | u64{1} << (shard % 64), std::memory_order_relaxed);
    used_ |= u64{1} << slot;
  }

  // What other threads read.
  u32 shards_, words_, length_;
  ZeroedArray<Pages> pages_;            // by slot of the ring and shard
  mutable std::vector<u64> scheduled_;  // by slot of the ring
  // What its own thread writes, away from that.
  alignas(64) Divider by_length_;
  u64 reciprocal_, near_cycles_;
  std::vector<To> to_;  // by shard
  u32 slot_ = 0;        // of the running window
  u64 window_ = 0, window_begin_ = 0;
  bool begun_ = false;
  u16 from_ = 0;
  u32 phase_ = 0;  // its
  static constexpr u32 no_slot = ~u32{0};
  u32 read_slot_ = no_slot;  // of the window before, until its pages are free
  std::vector<std::unique_ptr<Page[]>> blocks_;
  // By who reads them: what goes back and forth between two threads is no other ones' mail in between.
  std::array<Page*, readers> free_pages_{};
  u64 used_ = 0;          // bits of slots in which anybody is scheduled
  std::vector<Far> far_;  // mail, in the order of sending
  std::vector<std::pair<u64, u32>> far_wakes_;
  u64 next_far_ = never;  // window
  std::vector<Perform> performs_;
  bool alarmed_ = false, paused_ = false;
};

}  // namespace lockstep
