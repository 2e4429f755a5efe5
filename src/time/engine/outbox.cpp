#include "time/engine/outbox.h"

#include <algorithm>

namespace lockstep {
namespace {

// Brings the host's cache line here and takes it from all other processors, which a prefetch for writing does
// only where the compiler may assume the instruction. Processors without it take it for none.
inline void take_line(void* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const u8*>(at)));
#else
  __builtin_prefetch(at, 1);
#endif
}

}  // namespace

Outbox::Outbox(std::vector<To> shards, u32 length)
    : shards_(static_cast<u32>(shards.size())),
      words_((shards_ + 63) / 64),
      length_(length),
      pages_(std::size_t{ring} * shards_),
      scheduled_(std::size_t{ring} * words_),
      by_length_(length),
      reciprocal_(((u64{1} << 32) + length - 1) / length),
      near_cycles_(u64{ahead} * length),
      to_(std::move(shards)) {}

Mail* Outbox::add_page(Pages& pages, u32 slot, u32 to) {
  Page*& free = free_pages_[to_[to].reader];
  if (free == nullptr) {
    constexpr u32 pages_per_block = 64;
    blocks_.push_back(std::make_unique<Page[]>(pages_per_block));
    for (u32 i = pages_per_block; i-- > 0;) {
      blocks_.back()[i].next = free;
      free = &blocks_.back()[i];
    }
  }
  Page* page = free;
  free = page->next;
  // It was read by another thread last.
  for (u32 line = 0; line < sizeof(Page); line += 64) take_line(reinterpret_cast<u8*>(page) + line);
  page->next = nullptr;
  if (pages.next == nullptr) {
    pages.first = page;
    schedule(slot, to);
  } else {
    page_of(pages.next - 1)->next = page;
  }
  return page->mails;
}

void Outbox::send_far(u32 to, u64 time, u64 address, u64 bytes, u64 tags, u32 what) {
  Far far;
  time += to_[to].early;
  far.window = by_length_.quotient(time);
  far.to = to;
  far.mail.address = address;
  far.mail.bytes = bytes;
  far.mail.tag = static_cast<u32>(tags);
  far.mail.order = static_cast<u32>(tags >> 32);
  far.mail.detail = static_cast<u16>(what);
  far.mail.what = static_cast<u16>(what >> 16);
  far.mail.from = from_;
  far.mail.cycle = static_cast<u16>(time - far.window * length_);
  far_.push_back(far);
  next_far_ = std::min(next_far_, far.window);
}

void Outbox::wake(u32 shard, u64 time) {
  const u64 window = std::max(by_length_.quotient(time + to_[shard].early), window_);
  if (window - window_ < ahead) {
    schedule(static_cast<u32>(window % ring), shard);
  } else {
    far_wakes_.emplace_back(window, shard);
    next_far_ = std::min(next_far_, window);
  }
}

u64 Outbox::next_window(u64 from) const {
  // The running window's slot may not be free yet.
  const u64 used = begun_ && from > window_ ? used_ & ~(u64{1} << slot_) : used_;
  const u64 turned = std::rotr(used, static_cast<int>(from % ring));
  const u64 near = turned == 0 ? never : from + static_cast<u64>(std::countr_zero(turned));
  return std::min(near, next_far_);
}

void Outbox::free_pages() {
  if (read_slot_ == no_slot) return;
  const u32 slot = read_slot_;
  read_slot_ = no_slot;
  for (u32 w = 0; w < words_; ++w) {
    for (u64 bits = scheduled(slot, w); bits != 0; bits &= bits - 1) {
      const u32 shard = w * 64 + static_cast<u32>(std::countr_zero(bits));
      Pages& pages = pages_[std::size_t{slot} * shards_ + shard];
      if (pages.first == nullptr) continue;
      Page*& free = free_pages_[to_[shard].reader];
      page_of(pages.next - 1)->next = free;
      free = pages.first;
      pages = {};
    }
    std::atomic_ref(scheduled_word(slot, w)).store(0, std::memory_order_relaxed);
  }
  used_ &= ~(u64{1} << slot);
}

void Outbox::begin_window(u64 number) {
  free_pages();
  if (begun_) read_slot_ = slot_;
  // Windows were left out: nobody is behind.
  if (number != window_ + 1) free_pages();
  begun_ = true;
  window_ = number;
  window_begin_ = number * length_;
  slot_ = static_cast<u32>(number % ring);
  if (next_far_ == never || next_far_ - window_ >= ahead) return;
  // Before anything is sent directly to where this belongs.
  next_far_ = never;
  std::erase_if(far_, [this](const Far& far) {
    if (far.window - window_ < ahead) {
      *next_place(far.to, static_cast<u32>(far.window % ring)) = far.mail;
      return true;
    }
    next_far_ = std::min(next_far_, far.window);
    return false;
  });
  std::erase_if(far_wakes_, [this](const std::pair<u64, u32>& far) {
    if (far.first - window_ < ahead) {
      schedule(static_cast<u32>(far.first % ring), far.second);
      return true;
    }
    next_far_ = std::min(next_far_, far.first);
    return false;
  });
}

}  // namespace lockstep
