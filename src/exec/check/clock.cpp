#include "exec/check/clock.h"

#include <algorithm>

namespace lockstep::check {
namespace {

bool by_wave(const Stamp& stamp, u32 wave) {
  return stamp.wave < wave;
}

}  // namespace

Stamps joined(const Stamps& a, const Stamps& b) {
  Stamps out;
  out.reserve(a.size() + b.size());
  std::size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (k == b.size() || (i < a.size() && a[i].wave < b[k].wave)) {
      out.push_back(a[i++]);
    } else if (i == a.size() || b[k].wave < a[i].wave) {
      out.push_back(b[k++]);
    } else {
      out.push_back({a[i].wave, std::max(a[i].clock, b[k].clock)});
      ++i;
      ++k;
    }
  }
  return out;
}

void raise(Stamps& stamps, const Stamp& stamp) {
  const auto at = std::lower_bound(stamps.begin(), stamps.end(), stamp.wave, by_wave);
  if (at != stamps.end() && at->wave == stamp.wave) {
    at->clock = std::max(at->clock, stamp.clock);
  } else {
    stamps.insert(at, stamp);
  }
}

bool WaveClock::behind_foreign(const Stamp& stamp) const {
  const auto at = std::lower_bound(foreign->begin(), foreign->end(), stamp.wave, by_wave);
  return at != foreign->end() && at->wave == stamp.wave && at->clock >= stamp.clock;
}

void WaveClock::acquire(const SyncPlace& place) {
  everything = everything || place.everything;
  const u32 count = static_cast<u32>(known.size());
  bool news = false;
  for (const Stamp& stamp : place.released) {
    if (stamp.wave - first < count) {
      known[stamp.wave - first] = std::max(known[stamp.wave - first], stamp.clock);
    } else {
      news = news || (!everything && !behind(stamp));
    }
  }
  if (!news) return;
  Stamps more = foreign == nullptr ? place.released : joined(*foreign, place.released);
  std::erase_if(more, [&](const Stamp& stamp) { return stamp.wave - first < count; });
  if (more.size() > SyncPlaces::most_stamps) {
    everything = true;
    foreign = nullptr;
    return;
  }
  foreign = std::make_shared<const Stamps>(std::move(more));
}

void WaveClock::release(SyncPlace& place) {
  place.everything = place.everything || everything;
  const u32 count = static_cast<u32>(known.size());
  if (!place.everything) {
    if (foreign != nullptr) place.released = joined(place.released, *foreign);
    for (u32 i = 0; i < count; ++i) {
      if (first + i != wave && known[i] != 0) raise(place.released, {first + i, known[i]});
    }
    raise(place.released, {wave, clock});
    if (place.released.size() > SyncPlaces::most_stamps) place.everything = true;
  }
  if (place.everything) place.released = {};
}

void meet(std::vector<WaveClock>& waves) {
  std::vector<u32> known(waves.size(), 0);
  std::shared_ptr<const Stamps> foreign;
  bool everything = false;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const WaveClock& wave = waves[i];
    for (std::size_t k = 0; k < waves.size(); ++k) known[k] = std::max(known[k], wave.known[k]);
    known[i] = std::max(known[i], wave.clock);
    everything = everything || wave.everything;
    if (wave.foreign == nullptr || wave.foreign == foreign) continue;
    foreign =
        foreign == nullptr ? wave.foreign : std::make_shared<const Stamps>(joined(*foreign, *wave.foreign));
  }
  for (WaveClock& wave : waves) {
    wave.known = known;
    wave.foreign = foreign;
    wave.everything = everything;
    wave.met_clock = wave.barrier_clock = ++wave.clock;
  }
}

SyncPlace& SyncPlaces::at(u64 address) {
  const u64 key = address >> 2;
  const auto found = places_.find(key);
  if (found != places_.end()) return found->second;
  if (places_.size() < most_places) return places_[key];
  overflowed_ = true;
  return rest_;
}

const SyncPlace* SyncPlaces::find(u64 address) const {
  const auto found = places_.find(address >> 2);
  if (found != places_.end()) return &found->second;
  return overflowed_ ? &rest_ : nullptr;
}

void SyncPlaces::clear() {
  places_.clear();
  rest_ = {};
  overflowed_ = false;
}

}  // namespace lockstep::check
