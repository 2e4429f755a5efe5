// The order of events in simulated time. Two kinds of event, both without allocation once the pool has grown:
//   * a message: (time, component, kind, payload), delivered in the first phase of its cycle in the order of
//     (component, sequence of sending);
//   * a wake-up: (time, component), run in the second phase in the order of components; asking twice for the
//     same cycle gives one.
// Times within the wheel's size of now lie in the wheel, later ones in a heap that feeds it.
#pragma once
#include <vector>

#include "base/assert.h"
#include "base/types.h"

namespace lockstep {

struct Message {
  u32 component = 0;
  u32 payload = 0;
  u8 kind = 0;
};

class EventQueue {
 public:
  explicit EventQueue(u32 components);

  u64 now() const { return now_; }
  bool empty() const { return pending_ == 0; }

  // `time` must be later than now.
  void send(u64 time, u32 component, u8 kind, u32 payload);

  // `time` must not be earlier than now; in the current cycle the component must still be to come in the
  // order.
  void wake(u32 component, u64 time) {
    LOCKSTEP_ASSERT(time > now_ || (time == now_ && component + 1 > next_component_),
                    "a wake-up lies in the future, or in this cycle behind the running component");
    if (time - now_ >= wheel_size) {
      defer({time, sequence_++, {component, 0, 0}, true});
      return;
    }
    const u32 slot = static_cast<u32>(time) & (wheel_size - 1);
    u64& word = bits_[slot * words_ + component / 64];
    const u64 bit = u64{1} << (component % 64);
    if (word & bit) return;
    word |= bit;
    mark(slot);
    ++pending_;
  }

  // Moves to the next cycle with an event and runs it: handler.message(const Message&) for each message, then
  // handler.run(component) for each wake-up. False when nothing is pending.
  template <class Handler>
  bool step(Handler& handler) {
    if (pending_ == 0) return false;
    advance();
    gather();
    for (std::size_t i = 0; i < current_.size(); ++i) {
      --pending_;
      handler.message(current_[i].message);
    }
    const u32 slot = static_cast<u32>(now_) & (wheel_size - 1);
    for (u32 w = 0; w < words_; ++w) {
      // Read anew each time: a running component may wake later ones in this very cycle.
      while (u64 word = bits_[slot * words_ + w]) {
        const u32 bit = static_cast<u32>(__builtin_ctzll(word));
        bits_[slot * words_ + w] = word & (word - 1);
        --pending_;
        next_component_ = w * 64 + bit + 1;
        handler.run(w * 64 + bit);
      }
    }
    next_component_ = 0;
    used_[slot / 64] &= ~(u64{1} << (slot % 64));
    return true;
  }

 private:
  static constexpr u32 wheel_size = 2048;  // cycles; more than nearly all latencies
  static constexpr u32 none = ~0u;

  struct Node {
    Message message;
    u32 next = none;
  };
  struct Deferred {
    u64 time = 0, sequence = 0;
    Message message;
    bool is_wake = false;
  };
  struct Ordered {
    u64 key = 0;
    Message message;
  };

  void mark(u32 slot) { used_[slot / 64] |= u64{1} << (slot % 64); }
  void defer(const Deferred& event);
  void insert(u64 time, const Message& message);
  void advance();
  void gather();

  u64 now_ = 0;
  u64 pending_ = 0;
  u64 sequence_ = 0;
  u32 words_;
  u32 next_component_ = 0;  // in this cycle, components below it have had their turn
  std::vector<u64> bits_;   // wake-ups, words_ words per slot
  std::vector<u64> used_;   // slots with anything in them
  std::vector<u32> first_, last_;
  std::vector<Node> nodes_;
  u32 free_ = none;
  std::vector<Deferred> heap_;
  std::vector<Ordered> current_;
};

}  // namespace lockstep
