#include "run/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace lockstep {
namespace {

Diagnostic bad_size(std::string_view option, const std::string& text, std::string message,
                    std::string hint = "") {
  return {"bad-size", {fmt::format("{} {}", option, text), 0, 0}, std::move(message), std::move(hint)};
}

struct Size {
  u32 dimensions = 0;
  std::array<u64, 3> values{1, 1, 1};
};

Expected<Size> parse_size(std::string_view option, const std::string& text, u64 least) {
  const auto malformed = [&] {
    return bad_size(option, text, "a size is one to three numbers separated by commas",
                    fmt::format("{} 1024 or {} 64,64", option, option));
  };
  Size size;
  const char *at = text.data(), *end = at + text.size();
  for (bool more = true; more;) {
    if (size.dimensions == 3) return malformed();
    u64& value = size.values[size.dimensions++];
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc::result_out_of_range)
      return bad_size(option, text, "the number does not fit 64 bits");
    if (error != std::errc() || (next != end && *next != ',')) return malformed();
    if (value < least) return bad_size(option, text, "a size of zero leaves nothing to run");
    more = next != end;
    at = more ? next + 1 : end;
  }
  return size;
}

}  // namespace

Expected<NdRange> parse_range(const RangeText& text) {
  const bool by_grid = !text.grid.empty();
  if (by_grid != text.global.empty())
    return Diagnostic{
        "bad-size",
        {},
        by_grid ? "--global and --grid both say how large the launch is" : "the launch's size is missing",
        "--global X[,Y[,Z]] counts work-items; --grid X[,Y[,Z]] with --block X[,Y[,Z]] counts "
        "groups, as CUDA and HIP do"};
  const std::string_view option = by_grid ? "--grid" : "--global";
  const Expected<Size> given = parse_size(option, by_grid ? text.grid : text.global, 1);
  if (!given) return given.error();
  NdRange range;
  range.dimensions = given->dimensions;
  range.global = given->values;
  const auto same_dimensions = [&](std::string_view other, const std::string& words, const Size& size) {
    return size.dimensions == given->dimensions
               ? Status(Success{})
               : bad_size(other, words,
                          fmt::format("{} has {} dimension{}, {} has {}", option, given->dimensions,
                                      given->dimensions == 1 ? "" : "s", other, size.dimensions),
                          fmt::format("say as many numbers as in {} {}", option,
                                      by_grid ? text.grid : text.global));
  };
  if (text.local.empty()) {
    if (by_grid) return bad_size("--grid", text.grid, "the size of a group is missing", "--block X[,Y[,Z]]");
    range.local = {0, 0, 0};
  } else {
    const Expected<Size> local = parse_size("--local", text.local, 1);
    if (!local) return local.error();
    const Status same = same_dimensions("--local", text.local, *local);
    if (!same) return same.error();
    for (u32 i = 0; i < 3; ++i) {
      if (local->values[i] > std::numeric_limits<u32>::max())
        return bad_size("--local", text.local, "no GPU has groups of that size");
      range.local[i] = static_cast<u32>(local->values[i]);
    }
  }
  u64 items = 1;
  for (u32 i = 0; i < 3; ++i) {
    if ((by_grid && __builtin_mul_overflow(range.global[i], range.local[i], &range.global[i])) ||
        __builtin_mul_overflow(items, range.global[i], &items))
      return bad_size(option, by_grid ? text.grid : text.global,
                      "the launch has more work-items than 64 bits can count");
  }
  if (!text.offset.empty()) {
    const Expected<Size> offset = parse_size("--offset", text.offset, 0);
    if (!offset) return offset.error();
    const Status same = same_dimensions("--offset", text.offset, *offset);
    if (!same) return same.error();
    for (u32 i = 0; i < offset->dimensions; ++i) range.offset[i] = offset->values[i];
  }
  return range;
}

std::array<u32, 3> choose_group(const NdRange& range, const Program& program, u64 most_items) {
  if (program.needs.required_group[0] != 0) return program.needs.required_group;
  std::array<u32, 3> chosen{1, 1, 1};
  u64 left = std::min<u64>(most_items, usual_group_items);
  for (u32 i = 0; i < 3 && left > 1; ++i) {
    u64 best = 1, whole = 0;
    for (u64 size = 1; size <= std::min<u64>(left, range.global[i]); ++size) {
      if (range.global[i] % size != 0) continue;
      best = size;
      if (i == 0 && size % program.needs.wave_lanes == 0) whole = size;
    }
    if (whole != 0) best = whole;
    chosen[i] = static_cast<u32>(best);
    left /= best;
  }
  return chosen;
}

}  // namespace lockstep
