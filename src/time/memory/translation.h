// The second level of translation, which all compute units share: a set-associative cache of pages and a
// number of walkers of the page tables. A page is known when its walk has ended; who asks for it meanwhile
// waits for the same walk. Look-ups take no time beyond the way, and any number of them go at once: nobody
// published the ports of such a cache.
#pragma once
#include <deque>
#include <vector>

#include "time/engine/outbox.h"
#include "time/memory/hierarchy.h"
#include "time/units/cache_tags.h"

namespace lockstep {

struct TranslationCounts {
  u64 lookups = 0, hits = 0, merges = 0, walks = 0;
  u64 walk_wait_cycles = 0;  // of walks, for a walker
};

class Translation final : public Shard {
 public:
  explicit Translation(const Hierarchy& hierarchy);

  // Counts and time begin anew; translations stay. What a stopped launch left under way is dropped.
  void begin_launch();
  void invalidate() { tags_.invalidate_all(); }

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  const TranslationCounts& counts() const { return counts_; }

 private:
  struct Client {
    u32 tag = 0;
    u16 from = 0;
  };
  struct Walk {
    u64 page = 0, asked = 0;
    u64 done = never;  // never: waits for a walker
    std::vector<Client> clients;
  };
  void ask(const Mail& mail, u64 time, Outbox& outbox);
  void finish(Outbox& outbox);
  void answer(const Client& client, u64 page, u64 time, Outbox& outbox) const;

  const TranslationFigures& f_;
  CacheTags tags_;
  // Walks in the order of asking: the first `walkers` are under way and end in that order, as all take the
  // same time.
  std::deque<Walk> walks_;
  TranslationCounts counts_;
};

}  // namespace lockstep
