// A memory channel: reads are answered when their data have come, writes when the bank has taken them.
#pragma once
#include <memory>
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
  // The same, but for the counts.
  void begin_phase();
  void close_rows();

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  DramCounts counts() const { return dram_ == nullptr ? DramCounts{} : dram_->counts(); }

 private:
  const Hierarchy& hierarchy_;
  const AddressMap& map_;
  std::unique_ptr<DramChannel> dram_;  // none until it is first used
  std::vector<DramChannel::Served> served_;
};

}  // namespace lockstep
