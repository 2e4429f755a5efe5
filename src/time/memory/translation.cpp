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

u64 Translation::run(u64, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  std::size_t next = 0;
  while (true) {
    const u64 arrival = next < inbox.size() ? inbox[next].time : never;
    const u64 done = walks_.empty() ? never : walks_.front().done;
    if (std::min(arrival, done) >= end) return done;
    if (done <= arrival) {
      finish(outbox);
    } else {
      ask(inbox[next++], outbox);
    }
  }
}

void Translation::ask(const Mail& mail, Outbox& outbox) {
  LOCKSTEP_ASSERT(mail.kind == MailKind::translate, "translation gets questions");
  const u64 page = mail.address;
  ++counts_.lookups;
  if (tags_.find(page, page) != CacheTags::none) {
    ++counts_.hits;
    return answer(mail, mail.time, outbox);
  }
  for (Walk& walk : walks_) {
    if (walk.page != page) continue;
    ++counts_.merges;
    walk.clients.push_back(mail);
    return;
  }
  ++counts_.walks;
  const bool walker = walks_.size() < f_.walkers;
  walks_.push_back({page, mail.time, walker ? mail.time + f_.walk_cycles : never, {mail}});
}

// The oldest walk ends; its walker takes the next that waits.
void Translation::finish(Outbox& outbox) {
  const Walk walk = std::move(walks_.front());
  walks_.pop_front();
  tags_.place(tags_.victim(walk.page), walk.page, CacheTags::arrived);
  for (const Mail& client : walk.clients) answer(client, walk.done, outbox);
  if (walks_.size() < f_.walkers) return;
  Walk& next = walks_[f_.walkers - 1];
  counts_.walk_wait_cycles += walk.done - next.asked;
  next.done = walk.done + f_.walk_cycles;
}

void Translation::answer(const Mail& mail, u64 time, Outbox& outbox) const {
  Mail reply;
  reply.kind = MailKind::translated;
  reply.time = time + f_.extra_cycles + f_.way_cycles;
  reply.to = mail.from;
  reply.tag = mail.tag;
  reply.address = mail.address;
  outbox.send(reply);
}

}  // namespace lockstep
