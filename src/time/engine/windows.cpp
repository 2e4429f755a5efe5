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
      between_((shards_.size() + 63) / 64) {
  LOCKSTEP_ASSERT(plan_.length >= 1 && plan_.length <= most_window_cycles, "a window has a few cycles");
  LOCKSTEP_ASSERT(shards_.size() <= most_shards, "shards are numbered in 16 bits");
  threads = std::max(1u, std::min<u32>(threads, static_cast<u32>(shards_.size())));
  std::vector<Outbox::To> to;
  for (const u8 one : kind_) {
    const WindowPlan::Kind& kind = plan_.kinds[one];
    const u32 reader = static_cast<u32>(to.size()) % threads;
    to.push_back({early(one), kind.phase, kind.between, static_cast<u8>(reader % Outbox::readers)});
  }
  for (u32 i = 0; i < threads; ++i) {
    parts_.push_back(std::make_unique<Part>(to, plan_.length));
    parts_.back()->shards.assign(between_.size(), 0);
  }
  for (std::vector<u64>& bits : of_phase_) bits.assign(between_.size(), 0);
  for (u32 shard = 0; shard < shards_.size(); ++shard) {
    const u64 bit = u64{1} << (shard % 64);
    const WindowPlan::Kind& kind = plan_.kinds[kind_[shard]];
    parts_[part_of(shard)]->shards[shard / 64] |= bit;
    (kind.between ? between_ : of_phase_[kind.phase])[shard / 64] |= bit;
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
    sender->outbox.for_each_page(part.window, shard, [&](std::span<const Mail> page) {
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
      sender->outbox.for_each_page(part.window, shard, [&](std::span<const Mail> page) {
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
    sender->outbox.for_each_page(part.window, shard, [&](std::span<const Mail> page) {
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
    sender->outbox.for_each_page(part.window, shard, [&](std::span<const Mail> page) {
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
  const u64 end = end_of(kind_[shard], part.window + 1);
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

u64 Windows::scheduled(u64 window, std::size_t word) const {
  u64 bits = 0;
  for (const auto& part : parts_) bits |= part->outbox.scheduled(window, word);
  return bits;
}

// Those of the part's shards of these that have something to do in its window. Mail is far away, half of it
// in another thread's cache: it is asked for.
void Windows::list_running(const Part& part, const std::vector<u64>& of, std::vector<u32>& list) const {
  list.clear();
  for (std::size_t w = 0; w < of.size(); ++w) {
    for (u64 bits = of[w] & part.shards[w] & scheduled(part.window, w); bits != 0; bits &= bits - 1)
      list.push_back(static_cast<u32>(w * 64) + static_cast<u32>(std::countr_zero(bits)));
  }
  for (const u32 shard : list) {
    for (const auto& sender : parts_) sender->outbox.prefetch_place(part.window, shard);
  }
}

void Windows::prefetch(const Part& part, const std::vector<u32>& list, std::size_t i) const {
  if (i >= list.size()) return;
  for (const auto& sender : parts_) sender->outbox.prefetch(part.window, list[i]);
}

void Windows::run_phase(Part& part, u32 phase) {
  const std::vector<u32>& running = part.running;
  list_running(part, of_phase_[phase], part.running);
  prefetch(part, running, 0);
  for (std::size_t i = 0; i < running.size(); ++i) {
    prefetch(part, running, i + 1);
    run_shard(part, running[i]);
  }
  if (phase != 0) return;
  list_running(part, between_, part.between);
  prefetch(part, part.between, 0);
  part.between_run = 0;
}

// The next of the shards between phases, if there is one.
bool Windows::run_between(Part& part) {
  const std::size_t i = part.between_run;
  if (i == part.between.size()) return false;
  prefetch(part, part.between, i + 1);
  run_shard(part, part.between[i]);
  ++part.between_run;
  return true;
}

void Windows::run_alone() {
  for (const auto& part : parts_) part->outbox.free_pages();
  for (u32 phase = 0; phase < of_phase_.size(); ++phase) {
    for (const auto& part : parts_) {
      run_phase(*part, phase);
      while (run_between(*part)) {
      }
    }
  }
}

// Until all other threads have ended so many phases, with what may run meanwhile.
void Windows::wait_for_others(Part& part, u64 ended) {
  u32 turns = 0;
  for (const auto& other : parts_) {
    if (other.get() == &part) continue;
    while (other->ended.load(std::memory_order_acquire) < ended) {
      if (!run_between(part)) Workers::rest(turns);
    }
  }
}

// Whether all threads run the next window as well. Asked by each of them, behind the last phase of `window`:
// when some may be in the first phase of the next one, which changes nothing that is asked for here.
bool Windows::goes_on(u64 window, u64 round, u32 fewest) const {
  for (const auto& part : parts_) {
    if (part->stops[round % 2]) return false;
  }
  u32 running = 0;
  for (std::size_t w = 0; w < between_.size(); ++w)
    running += static_cast<u32>(std::popcount(scheduled(window + 1, w) & of_phase_[0][w]));
  return running >= fewest;
}

// On one of several host threads: up to `most` windows, as long as the first phase of each has `fewest`
// shards.
void Windows::run_rounds(u32 number, u64 most, u32 fewest) {
  Part& part = *parts_[number];
  const u32 phases = static_cast<u32>(of_phase_.size());
  u64 ended = part.ended.load(std::memory_order_relaxed);
  for (u64 round = 0;; ++round) {
    if (round != 0) part.outbox.begin_window(++part.window);
    if (round == 0 || phases == 1) part.outbox.free_pages();
    for (u32 phase = 0; phase < phases; ++phase) {
      if (phase != 0) wait_for_others(part, ended);
      // Who has ended this window's first phase reads nothing of the one before.
      if (phase == 1) part.outbox.free_pages();
      run_phase(part, phase);
      if (phase + 1 == phases) part.stops[round % 2] = part.outbox.stops();
      part.ended.store(++ended, std::memory_order_release);
    }
    wait_for_others(part, ended);
    while (run_between(part)) {
    }
    if (round + 1 == most || !goes_on(part.window, round, fewest)) return;
  }
}

u64 Windows::step(const std::function<void(const Perform&)>& perform, u64 most) {
  // The next window that anybody is scheduled in.
  u64 found = never;
  for (const auto& part : parts_) found = std::min(found, part->outbox.next_window(window_ + begun_));
  if (found == never) {
    perform_before(never, perform);
    return 0;
  }
  begun_ = true;
  window_ = found;
  for (const auto& part : parts_) {
    part->window = window_;
    part->outbox.begin_window(window_);
  }
  u32 running = 0;
  for (std::size_t w = 0; w < between_.size() && workers_ != nullptr; ++w)
    running += static_cast<u32>(std::popcount(scheduled(window_, w)));
  const u32 fewest = shares_few_ && few_take_ns_ > long_round_ns ? 2 : many_shards;
  const bool shared = running >= fewest, timed = running != 0 && running < many_shards;
  const auto start = timed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
  u64 rounds = 1;
  if (shared) {
    for (const auto& part : parts_) part->outbox.go_on();
    // What waits to be performed is looked at behind each window.
    if (!performs_.empty()) most = 1;
    workers_->run([this, most, fewest](u32 part) { run_rounds(part, most, fewest); });
    rounds = parts_[0]->window - window_ + 1;
    window_ = parts_[0]->window;
  } else {
    run_alone();
  }
  if (timed) {
    // What one thread would take or has taken, of the latest rounds. It says who runs shards, nothing else.
    const i64 ns = (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
    few_take_ns_ += ((shared ? ns * 3 / 2 : ns) / static_cast<i64>(rounds) - few_take_ns_) / 8;
  }
  for (const auto& part : parts_) {
    std::vector<Perform>& performs = part->outbox.performs();
    performs_.insert(performs_.end(), performs.begin(), performs.end());
    performs.clear();
  }
  // Some kinds may be ahead of others that perform accesses, too.
  u64 all_served = never;
  for (u8 kind = 0; kind < plan_.kinds.size(); ++kind) {
    if (plan_.kinds[kind].performs) all_served = std::min(all_served, end_of(kind, window_ + 1));
  }
  perform_before(all_served, perform);
  return rounds;
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
