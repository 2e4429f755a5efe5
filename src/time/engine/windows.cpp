#include "time/engine/windows.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "time/engine/workers.h"

namespace lockstep {
namespace {

// So many shards are shared with other threads in any case; fewer where rounds of few take longer than
// threads need to meet that have a processor each.
constexpr u32 many_shards = 8;
constexpr i64 long_round_ns = 8000;

bool before(const Mail& a, const Mail& b) {
  return a.order_of_arrival() < b.order_of_arrival();
}

// Puts runs of mail in order into one order; equals stay as they are.
void merge_runs(std::span<Mail> mail, std::vector<Mail>& room) {
  const auto second = std::is_sorted_until(mail.begin(), mail.end(), before);
  if (second == mail.end()) return;
  if (!std::is_sorted(second, mail.end(), before)) {
    std::stable_sort(mail.begin(), mail.end(), before);
    return;
  }
  // The first run's mail goes out of the way; who comes behind it is in its place when all of it is back.
  room.assign(mail.begin(), second);
  auto from = room.begin();
  auto other = second;
  for (auto to = mail.begin(); from != room.end(); ++to)
    *to = other != mail.end() && before(*other, *from) ? *other++ : *from++;
}

}  // namespace

Windows::Windows(std::vector<Shard*> shards, u32 length, u32 threads)
    : Windows(shards, std::vector<u8>(shards.size()),
              plan_windows(std::vector<WindowPlan::Kind>(1), {}, length), threads) {}

Windows::Windows(std::vector<Shard*> shards, std::vector<u8> kind, WindowPlan plan, u32 threads)
    : shards_(std::move(shards)),
      kind_(std::move(kind)),
      plan_(std::move(plan)),
      latest_(plan_.latest()),
      of_phase_(plan_.phases()),
      running_((shards_.size() + 63) / 64) {
  LOCKSTEP_ASSERT(plan_.length >= 1 && plan_.length <= most_window_cycles, "a window has a few cycles");
  LOCKSTEP_ASSERT(shards_.size() <= most_shards, "shards are numbered in 16 bits");
  threads = std::max(1u, std::min<u32>(threads, static_cast<u32>(shards_.size())));
  std::vector<Outbox::To> to;
  for (const u8 one : kind_) to.push_back({early(one), plan_.kinds[one].phase});
  for (u32 i = 0; i < threads; ++i) {
    parts_.push_back(std::make_unique<Part>(to, plan_.length));
    parts_.back()->shards.assign(running_.size(), 0);
  }
  for (std::vector<u64>& bits : of_phase_) bits.assign(running_.size(), 0);
  for (u32 shard = 0; shard < shards_.size(); ++shard) {
    parts_[part_of(shard)]->shards[shard / 64] |= u64{1} << (shard % 64);
    of_phase_[plan_.kinds[kind_[shard]].phase][shard / 64] |= u64{1} << (shard % 64);
  }
  if (threads > 1) workers_ = std::make_unique<Workers>(threads);
  shares_few_ = threads <= std::thread::hardware_concurrency();
}

Windows::~Windows() = default;

void Windows::wake(u32 shard, u64 time) {
  if (time == never) return;
  time = std::max(time, now(shard));
  Part& part = *parts_[part_of(shard)];
  part.next_wake[shard] = std::min(part.next_wake[shard], time);
  part.outbox.wake(shard, time);
}

// The shard's mail of this window in order: by time, then sender; equals stay in the order of sending.
std::span<const Mail> Windows::collect(Part& part, u32 shard) {
  std::size_t count = 0;
  std::span<const Mail> first;
  for (const auto& sender : parts_) {
    sender->outbox.for_each_page(shard, [&](std::span<const Mail> page) {
      if (count == 0) first = page;
      count += page.size();
    });
  }
  if (count == first.size() && std::is_sorted(first.begin(), first.end(), before)) return first;
  if (part.inbox.size() < count) part.inbox.resize(std::bit_ceil(count));
  Mail* const inbox = part.inbox.data();
  // Each at the end of what is there; then back past those that it comes before.
  const auto insert = [&](std::size_t at) {
    if (at == 0 || !before(inbox[at], inbox[at - 1])) return;
    const Mail mail = inbox[at];
    for (; at > 0 && before(mail, inbox[at - 1]); --at) inbox[at] = inbox[at - 1];
    inbox[at] = mail;
  };
  constexpr std::size_t few = 8;
  if (count <= few) {
    std::size_t at = 0;
    for (const auto& sender : parts_) {
      sender->outbox.for_each_page(shard, [&](std::span<const Mail> page) {
        for (const Mail& mail : page) {
          inbox[at] = mail;
          insert(at++);
        }
      });
    }
    return {inbox, count};
  }
  // By cycle, counted first, or by a few cycles where there are more cycles than mail; those of one place are
  // few.
  const u32 sparse = count >= plan_.length ? 0 : static_cast<u32>(std::bit_width(plan_.length / count)) - 1;
  u32* const places = part.places.data();
  u32* const last_place = places + ((plan_.length - 1) >> sparse) + 1;
  std::fill(places, last_place, 0);
  const auto place_of = [sparse](const Mail& mail) { return u32{mail.cycle} >> sparse; };
  for (const auto& sender : parts_) {
    sender->outbox.for_each_page(shard, [&](std::span<const Mail> page) {
      for (const Mail& mail : page) ++places[place_of(mail)];
    });
  }
  u32 sum = 0;
  for (u32* place = places; place != last_place; ++place) {
    const u32 here = *place;
    *place = sum;
    sum += here;
  }
  for (const auto& sender : parts_) {
    sender->outbox.for_each_page(shard, [&](std::span<const Mail> page) {
      for (const Mail& mail : page) inbox[places[place_of(mail)]++] = mail;
    });
  }
  // A place's mail is a few runs in order: what one thread's shards sent in one window, then the next one's.
  for (std::size_t i = 1; i < count; ++i) {
    if (!before(inbox[i], inbox[i - 1])) continue;
    const u32 place = place_of(inbox[i]);
    const std::size_t begin = place == 0 ? 0 : places[place - 1], end = places[place];
    if (end - begin <= few) {
      insert(i);
    } else {
      merge_runs({inbox + begin, inbox + end}, part.merged);
      i = end - 1;
    }
  }
  return {inbox, count};
}

void Windows::run_shard(Part& part, u32 shard) {
  const u64 end = end_of(kind_[shard]);
  std::span<const Mail> inbox = collect(part, shard);
  u64& wake = part.next_wake[shard];
  if (inbox.empty() && wake >= end) {
    if (wake != never) part.outbox.wake(shard, wake);
    return;
  }
  // The first windows of early kinds would begin before time does.
  const u32 before_time = end < plan_.length ? plan_.length - static_cast<u32>(end) : 0;
  if (before_time != 0) {
    part.merged.assign(inbox.begin(), inbox.end());
    for (Mail& mail : part.merged) mail.cycle = static_cast<u16>(mail.cycle - before_time);
    inbox = part.merged;
  }
  part.outbox.begin_shard(shard);
  wake = shards_[shard]->run(end - plan_.length + before_time, end, inbox, part.outbox);
  LOCKSTEP_ASSERT(wake >= end, "a shard has done all that it has to do in its window");
  if (wake != never) part.outbox.wake(shard, wake);
}

void Windows::run_part(u32 number) {
  Part& part = *parts_[number];
  std::vector<u32>& running = part.running;
  running.clear();
  for (std::size_t w = 0; w < running_.size(); ++w) {
    for (u64 bits = running_[w] & part.shards[w]; bits != 0; bits &= bits - 1)
      running.push_back(static_cast<u32>(w * 64) + static_cast<u32>(std::countr_zero(bits)));
  }
  // Mail is far away: half of it in another thread's cache.
  for (const u32 shard : running) {
    for (const auto& sender : parts_) sender->outbox.prefetch_place(shard);
  }
  part.outbox.free_pages();
  const auto prefetch = [&](std::size_t i) {
    if (i >= running.size()) return;
    for (const auto& sender : parts_) sender->outbox.prefetch(running[i]);
  };
  prefetch(0);
  for (std::size_t i = 0; i < running.size(); ++i) {
    prefetch(i + 1);
    run_shard(part, running[i]);
  }
}

void Windows::run_parts() {
  for (u32 i = 0; i < parts_.size(); ++i) run_part(i);
}

// Which shards run in the phase, if there is such a phase.
void Windows::begin_phase(u32 phase) {
  if (phase == of_phase_.size()) return;
  u32 running = 0;
  for (std::size_t w = 0; w < running_.size(); ++w) {
    running_[w] = 0;
    for (const auto& part : parts_) running_[w] |= part->outbox.scheduled(window_)[w];
    running_[w] &= of_phase_[phase][w];
    running += static_cast<u32>(std::popcount(running_[w]));
  }
  alone_ = running < (shares_few_ && few_take_ns_ > long_round_ns ? 2 : many_shards);
  if (phase == 0) few_ = running < many_shards;
}

// On one of several host threads.
void Windows::run_phases(u32 number) {
  for (u32 phase = 0; phase < of_phase_.size(); ++phase) {
    if (phase != 0) workers_->meet([this, phase] { begin_phase(phase); });
    if (!alone_) {
      run_part(number);
    } else if (number == 0) {
      run_parts();
    }
  }
}

bool Windows::step(const std::function<void(const Perform&)>& perform) {
  // The next window that anybody is scheduled in.
  u64 found = never;
  for (const auto& part : parts_) found = std::min(found, part->outbox.next_window(window_ + begun_));
  if (found == never) {
    perform_before(never, perform);
    return false;
  }
  begun_ = true;
  window_ = found;
  for (const auto& part : parts_) part->outbox.begin_window(window_);
  begin_phase(0);
  const bool shared = workers_ != nullptr && !alone_;
  const bool timed = workers_ != nullptr && few_;
  const auto start = timed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
  if (shared) {
    workers_->run([this](u32 part) { run_phases(part); });
  } else {
    for (u32 phase = 0; phase < of_phase_.size(); begin_phase(++phase)) run_parts();
  }
  if (timed) {
    // What one thread would take or has taken, of the latest rounds. It says who runs shards, nothing else.
    const i64 ns = (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
    few_take_ns_ += ((shared ? ns * 3 / 2 : ns) - few_take_ns_) / 8;
  }
  for (const auto& part : parts_) {
    std::vector<Perform>& performs = part->outbox.performs();
    performs_.insert(performs_.end(), performs.begin(), performs.end());
    performs.clear();
  }
  // Some kinds may be ahead of others that perform accesses, too.
  u64 all_served = never;
  for (u8 kind = 0; kind < plan_.kinds.size(); ++kind) {
    if (plan_.kinds[kind].performs) all_served = std::min(all_served, end_of(kind));
  }
  perform_before(all_served, perform);
  return true;
}

void Windows::perform_before(u64 end, const std::function<void(const Perform&)>& perform) {
  if (performs_.empty()) return;
  std::sort(performs_.begin(), performs_.end(), [](const Perform& a, const Perform& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.origin != b.origin) return a.origin < b.origin;
    return static_cast<i32>(a.order - b.order) < 0;  // it may have begun again at 0
  });
  const auto later = std::ranges::find_if(performs_, [end](const Perform& one) { return one.time >= end; });
  for (auto one = performs_.begin(); one != later; ++one) perform(*one);
  performs_.erase(performs_.begin(), later);
}

bool Windows::take_alarm() {
  bool alarmed = false;
  for (const auto& part : parts_) alarmed |= part->outbox.take_alarm();
  return alarmed;
}

}  // namespace lockstep
