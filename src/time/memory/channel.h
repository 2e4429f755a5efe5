// A memory channel: reads are answered when their data have come, writes when the bank has taken them.
#pragma once
#include <vector>

#include "time/engine/outbox.h"
#include "time/memory/hierarchy.h"
#include "time/units/dram.h"

namespace lockstep {

class Channel final : public Shard {
 public:
  // `hierarchy` and `map` outlive the channel.
  Channel(const Hierarchy& hierarchy, const AddressMap& map);

  // Counts and time begin anew; rows stay open. What a stopped launch left under way is dropped.
  void begin_launch();

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  const DramCounts& counts() const { return dram_.counts(); }

 private:
  void receive(const Mail& mail, u64 time);
  void answer(const DramChannel::Served& served, Outbox& outbox);

  const Hierarchy& hierarchy_;
  const AddressMap& map_;
  DramChannel dram_;
  struct Request {
    u32 tag = 0;
    u16 from = 0;
  };
  std::vector<Request> requests_;  // by the tag that the DRAM knows them by
  std::vector<u32> free_;
  std::vector<DramChannel::Served> served_;
};

}  // namespace lockstep
