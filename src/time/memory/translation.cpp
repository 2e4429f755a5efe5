#include "time/memory/translation.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr u32 ways = 16;  // wide enough not to matter

}  // namespace

Translation::Translation(const Hierarchy& hierarchy)
    : f_(hierarchy.translation), tags_(f_.shared_entries / ways, ways) {}

void Translation::begin_launch() {
  counts_ = {};
  walks_.clear();
}

u64 Translation::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  std::size_t next = 0;
  while (true) {
    const u64 arrival = next < inbox.size() ? begin + inbox[next].cycle : never;
    const u64 done = walks_.empty() ? never : walks_.front().done;
    if (std::min(arrival, done) >= end) return done;
    if (done <= arrival) {
      finish(outbox);
    } else {
      ask(inbox[next++], arrival, outbox);
    }
  }
}

void Translation::ask(const Mail& mail, u64 time, Outbox& outbox) {
  LOCKSTEP_ASSERT(mail.kind() == MailKind::translate, "translation gets questions");
  const u64 page = mail.address;
  const Client client{mail.tag, mail.from};
  ++counts_.lookups;
  if (tags_.find(page, page) != CacheTags::none) {
    ++counts_.hits;
    return answer(client, page, time, outbox);
  }
  for (Walk& walk : walks_) {
    if (walk.page != page) continue;
    ++counts_.merges;
    walk.clients.push_back(client);
    return;
  }
  ++counts_.walks;
  const bool walker = walks_.size() < f_.walkers;
  walks_.push_back({page, time, walker ? time + f_.walk_cycles : never, {client}});
}

// The oldest walk ends; its walker takes the next that waits.
void Translation::finish(Outbox& outbox) {
  const Walk walk = std::move(walks_.front());
  walks_.pop_front();
  tags_.place(tags_.victim(walk.page), walk.page, CacheTags::arrived);
  for (const Client& client : walk.clients) answer(client, walk.page, walk.done, outbox);
  if (walks_.size() < f_.walkers) return;
  Walk& next = walks_[f_.walkers - 1];
  counts_.walk_wait_cycles += walk.done - next.asked;
  next.done = walk.done + f_.walk_cycles;
}

void Translation::answer(const Client& client, u64 page, u64 time, Outbox& outbox) const {
  Mail reply;
  reply.what = Mail::what_of(MailKind::translated, 0);
  reply.tag = client.tag;
  reply.address = page;
  outbox.send(client.from, time + f_.extra_cycles + f_.way_cycles, reply);
}

}  // namespace lockstep
