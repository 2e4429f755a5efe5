#include "report/footprint.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace lockstep {
namespace {

// Sums over the first places of a row of numbers (a Fenwick tree).
class Sums {
 public:
  explicit Sums(std::size_t size) : tree_(size + 1) {}
  void add(std::size_t at, i32 value) {
    for (++at; at < tree_.size(); at += at & -at) tree_[at] += value;
  }
  i32 before(std::size_t end) const {
    i32 sum = 0;
    for (; end != 0; end -= end & -end) sum += tree_[end];
    return sum;
  }

 private:
  std::vector<i32> tree_;
};

// By i: touches whose line is among the last 2^i different ones, and not among the last 2^(i - 1).
void count(std::span<const LaunchTrace::Touch> touches, std::vector<u64>& found) {
  Sums latest(touches.size());  // 1 where a line was touched last
  std::unordered_map<u64, std::size_t> last;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto [at, is_new] = last.try_emplace(touches[i].line, i);
    if (!is_new) {
      const u32 between = static_cast<u32>(latest.before(i) - latest.before(at->second + 1));
      const std::size_t size = static_cast<std::size_t>(std::bit_width(between));
      if (size >= found.size()) found.resize(size + 1);
      ++found[size];
      latest.add(at->second, -1);
      at->second = i;
    }
    latest.add(i, 1);
  }
}

Footprint shares(const std::vector<u64>& found, std::size_t touches) {
  Footprint made;
  made.touches = touches;
  u64 sum = 0;
  for (const u64 one : found) {
    sum += one;
    made.kept.push_back(static_cast<f64>(sum) / static_cast<f64>(std::max<std::size_t>(1, touches)));
  }
  return made;
}

}  // namespace

Footprint footprint(std::span<const LaunchTrace::Touch> touches) {
  std::vector<u64> found;
  count(touches, found);
  return shares(found, touches.size());
}

Footprints footprints(std::vector<LaunchTrace::Touch> touches) {
  Footprints made;
  std::ranges::stable_sort(touches, {}, &LaunchTrace::Touch::unit);
  std::vector<u64> found;
  for (std::size_t begin = 0, end = 0; begin < touches.size(); begin = end) {
    while (end < touches.size() && touches[end].unit == touches[begin].unit) ++end;
    count(std::span(touches).subspan(begin, end - begin), found);
  }
  made.each = shares(found, touches.size());
  std::ranges::stable_sort(touches, {}, &LaunchTrace::Touch::cycle);
  made.together = footprint(touches);
  return made;
}

}  // namespace lockstep
