#include "time/memory/channel.h"

#include <algorithm>

namespace lockstep {

Channel::Channel(const Hierarchy& hierarchy, const AddressMap& map)
    : hierarchy_(hierarchy), map_(map), dram_(hierarchy.dram) {}

void Channel::begin_launch() {
  dram_.begin_launch();
  requests_.clear();
  free_.clear();
}

u64 Channel::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  const ClockRatio& clock = hierarchy_.dram_clock;
  std::size_t next = 0;
  while (true) {
    const u64 arrival = next < inbox.size() ? begin + inbox[next].cycle : never;
    const u64 step = dram_.next_time();
    const u64 work = step == never ? never : clock.to_core(step);
    if (std::min(arrival, work) >= end) return work;
    if (arrival <= work) {
      receive(inbox[next++], arrival);
      continue;
    }
    served_.clear();
    dram_.step(step, served_);
    for (const DramChannel::Served& served : served_) answer(served, outbox);
  }
}

void Channel::receive(const Mail& mail, u64 time) {
  LOCKSTEP_ASSERT(mail.kind == MailKind::read || mail.kind == MailKind::write,
                  "memory gets reads and writes");
  u32 tag = 0;
  if (free_.empty()) {
    tag = static_cast<u32>(requests_.size());
    requests_.push_back({mail.tag, mail.from});
  } else {
    tag = free_.back();
    free_.pop_back();
    requests_[tag] = {mail.tag, mail.from};
  }
  dram_.push(hierarchy_.dram_clock.to_other_up(time), map_.channel_address(mail.address), mail.size,
             mail.kind == MailKind::write, tag);
}

void Channel::answer(const DramChannel::Served& served, Outbox& outbox) {
  const Request& request = requests_[served.tag];
  Mail reply;
  reply.kind = MailKind::answer;
  reply.tag = request.tag;
  reply.detail = static_cast<u16>(hierarchy_.levels.size() + 1);
  outbox.send(request.from,
              hierarchy_.dram_clock.to_core(served.write ? served.issued : served.done) +
                  hierarchy_.memory_extra_cycles + hierarchy_.memory_way_cycles,
              reply);
  free_.push_back(served.tag);
}

}  // namespace lockstep
