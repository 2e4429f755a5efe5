#include "run/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <mutex>
#include <optional>

#include "run/comparison.h"
#include "run/parallel.h"
#include "run/tune_store.h"

namespace lockstep {
namespace {

constexpr std::size_t most_points = 1'000'000;
constexpr std::size_t most_shown = 20;

Diagnostic bad_space(const std::string& text, std::string message) {
  return {"bad-space",
          {"--space " + text, 0, 0},
          std::move(message),
          "--space local=64,128 --space define:TS=8,16"};
}

bool is_size(const std::string& name) {
  return name == "local" || name == "global" || name == "grid";
}

// Behind "define:" and "arg:".
std::string short_name(const std::string& name) {
  return name.substr(name.find(':') + 1);
}

std::optional<i64> integer_of(const std::string& text) {
  i64 value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

void substitute(std::string& text, const std::string& name, const std::string& value) {
  const std::string wanted = "{" + name + "}";
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + value.size()))
    text.replace(at, wanted.size(), value);
}

// Whether the request has the value in mind where the axis alone says nothing.
bool names_value(const LaunchRequest& request, const std::string& name) {
  const std::string wanted = "{" + name + "}";
  const auto in = [&](const std::string& text) { return text.find(wanted) != std::string::npos; };
  return in(request.range.global) || in(request.range.grid) || in(request.range.local) ||
         in(request.range.offset) || in(request.build_options) ||
         std::ranges::any_of(request.arguments, in) || std::ranges::any_of(request.defines, in);
}

void apply(LaunchRequest& request, const TuneAxis& axis, std::string value) {
  const std::string name = short_name(axis.name);
  if (is_size(axis.name)) std::ranges::replace(value, 'x', ',');
  for (std::string* text : {&request.range.global, &request.range.grid, &request.range.local,
                            &request.range.offset, &request.build_options})
    substitute(*text, name, value);
  for (std::string& text : request.arguments) substitute(text, name, value);
  for (std::string& text : request.defines) substitute(text, name, value);
  if (axis.name == "local") request.range.local = value;
  if (axis.name == "global") request.range.global = value;
  if (axis.name == "grid") request.range.grid = value;
  if (axis.name == "gpu") request.gpu = value;
  if (axis.name == "O") request.optimisation = static_cast<u32>(*integer_of(value));
  if (axis.name.starts_with("define:")) request.defines.push_back(name + "=" + value);
  if (axis.name.starts_with("arg:")) request.arguments.push_back(name + "=" + value);
}

// Error: "bad-size" where the product needs more than 64 bits.
std::optional<Diagnostic> add_size(ExperimentValues& values, const std::string& name,
                                   const std::string& text) {
  const std::string parts[] = {name + "_x", name + "_y", name + "_z"};
  std::size_t begin = 0, part = 0;
  i64 product = 1;
  for (; part < 3; ++part) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::optional<i64> value = begin < text.size() ? integer_of(text.substr(begin, end - begin)) : 1;
    if (!value) return std::nullopt;
    values[parts[part]] = *value;
    if (__builtin_mul_overflow(product, *value, &product))
      return Diagnostic{"bad-size",
                        {"--" + name + " " + text, 0, 0},
                        "the product of the sizes needs more than 64 bits",
                        "sizes are numbers of work-items"};
    begin = end + 1;
  }
  values[name] = product;
  return std::nullopt;
}

Expected<bool> holds(const std::vector<TuneAxis>& axes, const TunePoint& point,
                     const std::vector<std::string>& constraints) {
  ExperimentValues values;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (const auto value = integer_of(point.values[i])) values[short_name(axes[i].name)] = *value;
  }
  const RangeText& range = point.request.range;
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"local", range.local},
                                   {"global", range.global},
                                   {"grid", range.grid}}) {
    if (auto why = add_size(values, name, text)) return *why;
  }
  for (const std::string& constraint : constraints) {
    const Expected<i64> value = evaluate(constraint, values);
    if (!value) {
      Diagnostic why = value.error();
      why.place = {"--where " + constraint, 0, 0};
      return why;
    }
    if (*value == 0) return false;
  }
  return true;
}

std::string point_text(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", axes[i].name, point.values[i]);
  return text;
}

// What tells a launch apart from any other: the machine code, the machine's figures, sizes and arguments.
std::string key_of(const RequestedLaunch& launch) {
  std::string all =
      fmt::format("{}|{}|{}|{}|{}|{}|", LOCKSTEP_VERSION, launch.loaded.module->hash, launch.program->name,
                  launch.machine.id, launch.machine.chosen_clock_hz, launch.range.dynamic_local_bytes);
  for (const Quantity& one : launch.machine.quantities)
    all += fmt::format("{}={},{},{},{};", one.info->key, one.integer, one.real, fmt::join(one.integers, ","),
                       one.text);
  for (u32 i = 0; i < 3; ++i)
    all += fmt::format("{},{},{}|", launch.range.global[i], launch.range.local[i], launch.range.offset[i]);
  for (const LaunchArgument& argument : launch.arguments) {
    all += fmt::format("{}:{}|", argument.argument.name, argument.null_pointer);
    all.append(argument.bytes.begin(), argument.bytes.end());
  }
  for (const ArgumentText& text : launch.given) all += text.text + "|";
  for (const ArgumentText& text : launch.contents) all += text.text + "|";
  for (const SymbolContents& symbol : launch.symbols) all.append(symbol.bytes.begin(), symbol.bytes.end());
  // Two independent halves: a key is as good as what it stands for.
  return fmt::format("{:016x}{:016x}-{}", std::hash<std::string>()(all),
                     std::hash<std::string>()("lockstep" + all), all.size());
}

}  // namespace

Expected<TuneAxis> parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return bad_space(text, "a dimension is a name and its values");
  TuneAxis axis;
  axis.name = text.substr(0, equals);
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end == at) return bad_space(text, "a value is empty");
    axis.values.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const std::size_t colon = axis.name.find(':');
  if (colon != std::string::npos) {
    const std::string kind = axis.name.substr(0, colon);
    if ((kind != "define" && kind != "arg") || colon + 1 == axis.name.size())
      return bad_space(text, fmt::format("'{}' is neither define:NAME nor arg:NAME", axis.name));
  }
  if (axis.name == "O") {
    for (const std::string& value : axis.values) {
      const auto level = integer_of(value);
      if (!level || *level < 0 || *level > 3) return bad_space(text, "the optimisation level is 0 to 3");
    }
  }
  return axis;
}

Expected<std::vector<TunePoint>> tune_points(const LaunchRequest& request, const std::vector<TuneAxis>& axes,
                                             const std::vector<std::string>& constraints) {
  std::size_t all = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& name = axes[i].name;
    for (std::size_t j = 0; j < i; ++j)
      if (axes[j].name == name) return bad_space(name, "the dimension is there twice");
    const bool known = is_size(name) || name == "gpu" || name == "O" || name.find(':') != std::string::npos;
    if (!known && !names_value(request, name))
      return bad_space(name,
                       fmt::format("'{0}' is no dimension of its own, and nothing has {{{0}}} in it", name));
    all *= axes[i].values.size();
    if (all > most_points) return bad_space(name, fmt::format("more than {} points", most_points));
  }
  std::vector<TunePoint> points;
  for (std::size_t number = 0; number < all; ++number) {
    TunePoint point;
    point.request = request;
    point.values.resize(axes.size());
    std::size_t rest = number;
    for (std::size_t i = axes.size(); i-- > 0;) {
      point.values[i] = axes[i].values[rest % axes[i].values.size()];
      rest /= axes[i].values.size();
    }
    for (std::size_t i = 0; i < axes.size(); ++i) apply(point.request, axes[i], point.values[i]);
    const Expected<bool> wanted = holds(axes, point, constraints);
    if (!wanted) return wanted.error();
    if (*wanted) points.push_back(std::move(point));
  }
  if (points.empty())
    return Diagnostic{"no-points",
                      {fmt::format("--where {}", fmt::join(constraints, " --where ")), 0, 0},
                      fmt::format("no point of {} fits the constraints", all),
                      ""};
  return points;
}

Expected<TuneResults> tune(const std::vector<TuneAxis>& axes, const std::vector<TunePoint>& points,
                           const TuneOptions& options) {
  Expected<std::unique_ptr<TuneStore>> store = TuneStore::open(options.database);
  if (!store) return store.error();
  std::vector<Json> rows(points.size());
  TuneResults results;
  std::mutex mutex;  // of what follows and of results
  std::optional<Diagnostic> failed;
  u64 done = 0;
  const auto go_on = [&] {
    const std::lock_guard lock(mutex);
    return !failed && (!options.go_on || options.go_on());
  };
  const auto measure = [&](std::size_t i) -> Status {
    Expected<std::unique_ptr<RequestedLaunch>> launch = RequestedLaunch::prepare(points[i].request);
    if (!launch) {
      rows[i] = comparison_rows({{points[i].request.gpu, nullptr, to_string(launch.error())}})[0];
      return Success{};
    }
    const std::string key = key_of(**launch);
    const Expected<std::optional<Json>> known = (*store)->find(key);
    if (!known) return known.error();
    if (*known) {
      rows[i] = **known;
      const std::lock_guard lock(mutex);
      ++results.found;
      return Success{};
    }
    bool ours = !options.look_only;
    if (ours && !options.search.empty()) {
      const Expected<bool> claimed = (*store)->claim(options.search, i);
      if (!claimed) return claimed.error();
      ours = *claimed;
    }
    if (!ours) {
      const std::lock_guard lock(mutex);
      ++results.missing;
      return Success{};
    }
    MeasureOptions how;
    how.go_on = options.go_on;
    const Json row = comparison_rows({measure_launch(**launch, how)})[0];
    if (options.go_on && !options.go_on()) return Success{};  // it may be half a launch
    rows[i] = row;
    {
      const std::lock_guard lock(mutex);
      ++results.measured;
    }
    return (*store)->keep(key, point_text(axes, points[i]), row);
  };
  for_each_parallel(
      points.size(), options.jobs,
      [&](std::size_t i) {
        const Status status = measure(i);
        const std::lock_guard lock(mutex);
        if (!status && !failed) failed = status.error();
        if (options.progress) options.progress(++done, points.size());
      },
      go_on);
  if (failed) return *failed;
  results.stopped = options.go_on && !options.go_on();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (rows[i].is_null()) continue;
    Json row;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) row[axes[axis].name] = points[i].values[axis];
    for (const auto& [name, value] : rows[i].items())
      if (!row.contains(name)) row[name] = value;
    results.rows.push_back(std::move(row));
  }
  return results;
}

std::string tune_text(const std::vector<TuneAxis>& axes, const TuneResults& results) {
  std::vector<const Json*> good;
  std::vector<std::pair<std::string, u64>> errors;
  for (const Json& row : results.rows) {
    if (row["error"].is_null()) {
      good.push_back(&row);
      continue;
    }
    std::string why = row["error"].get<std::string>();
    why = why.substr(0, why.find('\n'));
    const auto same = std::ranges::find(errors, why, &std::pair<std::string, u64>::first);
    if (same == errors.end())
      errors.emplace_back(why, 1);
    else
      ++same->second;
  }
  const auto time = [](const Json* row) {
    return (*row)["time_ns"].is_null() ? 0 : (*row)["time_ns"].get<f64>();
  };
  std::ranges::stable_sort(good, {}, time);
  std::string out = fmt::format("{} points: {} measured now, {} known before", results.rows.size(),
                                results.measured, results.found);
  out += good.empty() ? "\n" : fmt::format("; the fastest of {}\n", good.size());
  for (std::size_t i = 0; i < std::min(good.size(), most_shown); ++i) {
    const Json& row = *good[i];
    std::string point;
    for (const TuneAxis& axis : axes)
      point += fmt::format(" {}={}", axis.name, row[axis.name].get<std::string>());
    out += fmt::format("  {:>12}  {:>6}  {:<24} {}\n",
                       row["time_ns"].is_null() ? "not timed" : with_unit(time(good[i]) * 1e-9, "s"),
                       time(good[0]) > 0 ? fmt::format("{:.2f} x", time(good[i]) / time(good[0])) : "",
                       row["bound"].is_null() ? "" : row["bound"].get<std::string>(), point);
  }
  if (good.size() > most_shown) out += fmt::format("  and {} slower ones\n", good.size() - most_shown);
  for (const auto& [why, count] : errors) out += fmt::format("  {} failed: {}\n", count, why);
  return out;
}

}  // namespace lockstep
