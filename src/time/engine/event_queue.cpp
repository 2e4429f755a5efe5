#include "time/engine/event_queue.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr auto later = [](const auto& a, const auto& b) {
  return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
};

}  // namespace

EventQueue::EventQueue(u32 components)
    : words_((components + 63) / 64),
      bits_(std::size_t{wheel_size} * words_),
      used_(wheel_size / 64),
      first_(wheel_size, none),
      last_(wheel_size, none) {}

void EventQueue::send(u64 time, u32 component, u8 kind, u32 payload) {
  LOCKSTEP_ASSERT(time > now_, "a message arrives later than it was sent");
  const Message message{component, payload, kind};
  if (time - now_ >= wheel_size) {
    defer({time, sequence_++, message, false});
    return;
  }
  insert(time, message);
  ++pending_;
}

void EventQueue::defer(const Deferred& event) {
  heap_.push_back(event);
  std::push_heap(heap_.begin(), heap_.end(), later);
  ++pending_;
}

void EventQueue::insert(u64 time, const Message& message) {
  const u32 slot = static_cast<u32>(time) & (wheel_size - 1);
  u32 node = free_;
  if (node == none) {
    node = static_cast<u32>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].next;
  }
  nodes_[node] = {message, none};
  if (first_[slot] == none) {
    first_[slot] = node;
  } else {
    nodes_[last_[slot]].next = node;
  }
  last_[slot] = node;
  mark(slot);
}

// Finds the next cycle with an event, and takes over what of the heap has come into the wheel's reach. That
// happens before anything new is sent, so that the sequence of sending is kept.
void EventQueue::advance() {
  u64 next = ~u64{0};
  const u32 start = static_cast<u32>(now_ + 1) & (wheel_size - 1);
  u32 word = start / 64;
  u64 bits = used_[word] & (~u64{0} << (start % 64));
  for (u32 i = 0; i <= wheel_size / 64; ++i) {
    if (bits != 0) {
      const u32 slot = word * 64 + static_cast<u32>(__builtin_ctzll(bits));
      next = now_ + 1 + ((slot - start) & (wheel_size - 1));
      break;
    }
    word = (word + 1) % (wheel_size / 64);
    bits = used_[word];
  }
  // A first wake-up asked for at time 0, before anything ran.
  if (now_ == 0 && (used_[0] & 1)) next = 0;
  if (!heap_.empty()) next = std::min(next, heap_.front().time);
  LOCKSTEP_ASSERT(next != ~u64{0}, "something is pending");
  now_ = next;
  while (!heap_.empty() && heap_.front().time - now_ < wheel_size) {
    const Deferred event = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
    if (event.is_wake) {
      --pending_;
      wake(event.message.component, event.time);
    } else {
      insert(event.time, event.message);
    }
  }
}

void EventQueue::gather() {
  current_.clear();
  const u32 slot = static_cast<u32>(now_) & (wheel_size - 1);
  u32 sequence = 0;
  bool sorted = true;
  for (u32 node = first_[slot]; node != none;) {
    const u64 key = u64{nodes_[node].message.component} << 32 | sequence++;
    if (!current_.empty() && key < current_.back().key) sorted = false;
    current_.push_back({key, nodes_[node].message});
    const u32 next = nodes_[node].next;
    nodes_[node].next = free_;
    free_ = node;
    node = next;
  }
  first_[slot] = last_[slot] = none;
  if (!sorted) {
    std::sort(current_.begin(), current_.end(),
              [](const Ordered& a, const Ordered& b) { return a.key < b.key; });
  }
}

}  // namespace lockstep
