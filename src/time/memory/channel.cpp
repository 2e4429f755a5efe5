#include "time/memory/channel.h"

#include <algorithm>

#include "time/memory/granules.h"

namespace lockstep {

static_assert(DramParameters::most_request >= most_run_bytes, "a bank waits for the largest request");

Channel::Channel(const Hierarchy& hierarchy, const AddressMap& map) : hierarchy_(hierarchy), map_(map) {}

void Channel::begin_launch() {
  if (dram_ != nullptr) dram_->begin_launch();
}

void Channel::begin_phase() {
  if (dram_ != nullptr) dram_->begin_phase();
}

void Channel::close_rows() {
  if (dram_ != nullptr) dram_->close_rows();
}

u64 Channel::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  if (dram_ == nullptr) dram_ = std::make_unique<DramChannel>(hierarchy_.dram);
  DramChannel& dram = *dram_;
  const ClockRatio& clock = hierarchy_.dram_clock;
  // Clocks of the memory whose cycle of the compute units comes before another one's.
  const auto before = [&clock](u64 cycle) { return cycle == 0 ? 0 : clock.to_other(cycle - 1) + 1; };
  const u64 last = before(end);
  const u32 line_shift = log2_of(hierarchy_.levels.back().line_bytes);
  served_.clear();
  dram.prefetch();
  for (const Mail& mail : inbox) {
    const u64 time = begin + mail.cycle;
    const u64 arrival = clock.to_other_up(time);
    // What comes before `arrival` is as much or more than what comes before the cycle.
    if (dram.next_time() < arrival) dram.run(before(time), served_);
    LOCKSTEP_ASSERT(mail.kind() == MailKind::read || mail.kind() == MailKind::write,
                    "memory gets reads and writes");
    const u32 size = mail.size();
    dram.push(arrival, map_.channel_address(mail.address), size, mail.kind() == MailKind::write,
              u64{mail.from} << 48 | u64{size} << 32 | mail.tag, mail.lines(line_shift));
  }
  dram.run(last, served_);
  Mail reply;
  reply.detail = static_cast<u16>(hierarchy_.levels.size() + 1);
  const u32 way = hierarchy_.memory_extra_cycles + hierarchy_.memory_way_cycles;
  for (const DramChannel::Served& served : served_) {
    reply.tag = static_cast<u32>(served.tag);
    reply.what = Mail::what_of(MailKind::answer, static_cast<u32>(served.tag >> 32) & 0xFFFF);
    outbox.send(static_cast<u32>(served.tag >> 48),
                clock.to_core(served.write ? served.issued : served.done) + way, reply);
  }
  return dram.next_time() == never ? never : clock.to_core(dram.next_time());
}

}  // namespace lockstep
