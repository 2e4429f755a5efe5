#include "time/engine/windows.h"

#include <algorithm>
#include <bit>

#include "time/engine/workers.h"

namespace lockstep {

Windows::Windows(std::vector<Shard*> shards, u32 length, u32 threads)
    : shards_(std::move(shards)),
      length_(length),
      words_(static_cast<u32>((shards_.size() + 63) / 64)),
      scheduled_(std::size_t{ring} * words_),
      used_(ring),
      inbox_(shards_.size()),
      outbox_(shards_.size()) {
  LOCKSTEP_ASSERT(length >= 1, "a window has at least one cycle");
  if (threads > 1) workers_ = std::make_unique<Workers>(threads);
}

Windows::~Windows() = default;

void Windows::schedule(u32 shard, u64 window) {
  if (window - window_ >= ring) {
    far_.emplace_back(window, shard);
    std::push_heap(far_.begin(), far_.end(), std::greater<>());
    return;
  }
  const u32 slot = static_cast<u32>(window % ring);
  u64& word = scheduled_[std::size_t{slot} * words_ + shard / 64];
  const u64 bit = u64{1} << (shard % 64);
  if (word & bit) return;
  word |= bit;
  ++used_[slot];
}

void Windows::wake(u32 shard, u64 time) {
  if (time == never) return;
  inbox_[shard].next_wake = std::min(inbox_[shard].next_wake, time);
  schedule(shard, std::max(window_of(time), window_));
}

void Windows::deliver(Mail& mail) {
  Inbox& inbox = inbox_[mail.to];
  const u64 window = window_of(mail.time);
  if (window - window_ >= ring) {
    inbox.later.push_back(mail);
  } else {
    inbox.bucket[window % ring].push_back(mail);
  }
  schedule(mail.to, window);
}

// Puts the shard's mail of this window in order: by time, then sender; equals stay in the order of sending.
void Windows::collect(u32 shard) {
  Inbox& inbox = inbox_[shard];
  std::vector<Mail>& bucket = inbox.bucket[window_ % ring];
  if (!inbox.later.empty()) {
    // It was sent before what is in the bucket.
    std::size_t kept = 0, found = 0;
    for (Mail& mail : inbox.later) {
      if (window_of(mail.time) == window_) {
        bucket.insert(bucket.begin() + static_cast<std::ptrdiff_t>(found++), mail);
      } else {
        inbox.later[kept++] = mail;
      }
    }
    inbox.later.resize(kept);
  }
  inbox.sorted.clear();
  if (bucket.empty()) return;
  const u64 begin = window_ * length_;
  inbox.keys.clear();
  bool ordered = true;
  for (std::size_t i = 0; i < bucket.size(); ++i) {
    const u64 key = (bucket[i].time - begin) << 52 | u64{bucket[i].from} << 32 | i;
    if (!inbox.keys.empty() && key < inbox.keys.back()) ordered = false;
    inbox.keys.push_back(key);
  }
  if (ordered) {
    inbox.sorted.swap(bucket);
  } else {
    std::sort(inbox.keys.begin(), inbox.keys.end());
    inbox.sorted.reserve(bucket.size());
    for (const u64 key : inbox.keys) inbox.sorted.push_back(bucket[key & 0xFFFFFFFF]);
  }
  bucket.clear();
}

void Windows::run_shard(u32 shard) {
  const u64 begin = window_ * length_, end = begin + length_;
  collect(shard);
  Inbox& inbox = inbox_[shard];
  Outbox& outbox = outbox_[shard];
  outbox.begin(shard, end);
  if (inbox.sorted.empty() && inbox.next_wake >= end) return;
  inbox.next_wake = shards_[shard]->run(begin, end, inbox.sorted, outbox);
  LOCKSTEP_ASSERT(inbox.next_wake >= end, "a shard has done all that it has to do in its window");
}

bool Windows::step(const std::function<void(const Perform&)>& perform) {
  if (begun_) ++window_;
  begun_ = true;
  // The next window that anybody is scheduled in.
  u64 found = never;
  for (u64 window = window_; window < window_ + ring; ++window) {
    if (used_[window % ring] != 0) {
      found = window;
      break;
    }
  }
  if (!far_.empty()) found = std::min(found, far_.front().first);
  if (found == never) {
    begun_ = false;
    return false;
  }
  window_ = found;
  while (!far_.empty() && far_.front().first - window_ < ring) {
    const auto [window, shard] = far_.front();
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
    schedule(shard, window);
  }
  const u32 slot = static_cast<u32>(window_ % ring);
  running_.clear();
  for (u32 w = 0; w < words_; ++w) {
    u64& word = scheduled_[std::size_t{slot} * words_ + w];
    for (u64 bits = word; bits != 0; bits &= bits - 1)
      running_.push_back(w * 64 + static_cast<u32>(std::countr_zero(bits)));
    word = 0;
  }
  used_[slot] = 0;
  now_ = (window_ + 1) * length_;

  if (workers_ != nullptr && running_.size() > 1) {
    workers_->run(running_.size(), [this](std::size_t i) { run_shard(running_[i]); });
  } else {
    for (const u32 shard : running_) run_shard(shard);
  }

  performs_.clear();
  for (const u32 shard : running_) {
    std::vector<Perform>& performs = outbox_[shard].performs();
    performs_.insert(performs_.end(), performs.begin(), performs.end());
    performs.clear();
  }
  if (!performs_.empty()) {
    std::sort(performs_.begin(), performs_.end(), [](const Perform& a, const Perform& b) {
      if (a.time != b.time) return a.time < b.time;
      if (a.origin != b.origin) return a.origin < b.origin;
      return a.order < b.order;
    });
    for (const Perform& one : performs_) perform(one);
  }
  // The window is over: mail for the next ones counts from here.
  for (const u32 shard : running_) {
    std::vector<Mail>& mails = outbox_[shard].mails();
    for (Mail& mail : mails) deliver(mail);
    mails.clear();
    const u64 next = inbox_[shard].next_wake;
    if (next != never) schedule(shard, window_of(next));
  }
  return true;
}

}  // namespace lockstep
