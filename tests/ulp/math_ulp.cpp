// Measures the maths builtins on modelled GPUs against MPFR (functions.txt):
//
//   math_ulp TARGET[,TARGET...] [--count N] [--type float|double|half] [--function NAME] [--write FILE]
//   [--summary FILE]
//
// --count: random arguments beside the edge cases (4096 where not given); from 4096 on, functions of one half
// see every half. --write puts the table of worst errors into FILE, --summary what docs/math-ulp.md has of
// it. Exit code: 0 all bounds hold and all edge cases are right, 1 not, 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "ulp/arguments.h"
#include "ulp/device.h"

namespace lockstep::ulp {
namespace {

constexpr f64 infinity = std::numeric_limits<f64>::infinity();

struct Options {
  std::vector<const Target*> targets;
  std::vector<Type> types = {Type::f32, Type::f64, Type::f16};
  std::string function, write, summary;
  u32 count = 4096;
};

// The worst error of one function of one type on each target; nothing where it did not run.
struct Row {
  const Function* function;
  Type type;
  std::size_t tried = 0;
  std::vector<std::optional<f64>> worst;
};

bool is_native(const Function& function) {
  return function.name.starts_with("native_");
}
bool is_short(const Function& function) {
  return function.name.starts_with("half_");
}

// half_sin, half_cos and half_tan are for 2^16 at most (6.12.2, table 6.9); what native ones are for is open:
// they are shown within half a turn.
bool within_domain(const Function& function, const Arguments& a) {
  const bool angle =
      function.name.ends_with("_sin") || function.name.ends_with("_cos") || function.name.ends_with("_tan");
  if (!angle || std::isnan(a.x)) return true;
  return std::fabs(a.x) <= (is_short(function) ? 65536.0 : is_native(function) ? 3.1415927 : infinity);
}

// Whether subnormal numbers may count as zeros (7.5.3).
bool flushes(const Function& function, Type type, const Target& target) {
  if (type != Type::f32) return false;
  return is_native(function) || is_short(function) || (target.isa == IsaFamily::amdgcn && target.major < 9);
}

// Whether a result within the bound is subnormal, and may come out as zero.
bool may_be_subnormal(const Function& function, const Real& value, Type type) {
  if (value.high == 0 || !std::isfinite(value.high)) return false;
  if (subnormal(value, type)) return true;
  const Format& format = format_of(type);
  const f64 bound = *function.bound[static_cast<u8>(type)];
  const f64 least = std::ldexp(1.0, format.least), step = std::ldexp(least, 1 - format.precision);
  return value.exponent <= format.least + format.precision &&
         std::ldexp(std::fabs(value.high), static_cast<i32>(value.exponent)) < least + bound * step;
}

// The least error of `result` against what 7.5.3 allows: subnormal arguments and results as zeros of either
// sign.
f64 flushed_error(const Function& function, Type type, Arguments a, f64 result, u32 next) {
  f64* const values[] = {&a.x, &a.y, &a.z};
  if (next == 3) {
    const auto expected = reference(function, type, a);
    if (!expected) return 0;
    if (result == 0 && may_be_subnormal(function, *expected, type)) return 0;
    if (expected->high == 0 && result == 0) return 0;
    return error_of(function, *expected, result, type);
  }
  f64 least = flushed_error(function, type, a, result, next + 1);
  if (!subnormal(*values[next], type)) return least;
  for (const f64 zero : {0.0, -0.0}) {
    *values[next] = zero;
    least = std::min(least, flushed_error(function, type, a, result, next + 1));
  }
  return least;
}

// "nextafter(+smallest normal, y < +smallest normal) = +0" and so on (7.5.3).
bool flushed_nextafter(const Function& function, Type type, const Arguments& a, f64 result) {
  if (function.name != "nextafter") return false;
  const f64 least = std::ldexp(1.0, format_of(type).least);
  return (std::fabs(a.x) <= least && result == 0) || (std::fabs(a.x) < least && std::fabs(result) == least);
}

void show(const Function& function, const Target& target, Type type, const Arguments& a, const Real& expected,
          f64 result, f64 error) {
  std::string given = fmt::format("{:a}", a.x);
  if (function.arguments.find('y') != std::string::npos) given += fmt::format(", {:a}", a.y);
  if (function.arguments.find('z') != std::string::npos) given += fmt::format(", {:a}", a.z);
  if (function.arguments.find('n') != std::string::npos) given += fmt::format(", {}", a.n);
  fmt::print("  {} {} {}({}) = {:a}, expected {}: {:.2f} ulp\n", target.name, format_of(type).name,
             function.name, given, result, to_string(expected), error);
}

struct Measured {
  f64 worst = 0;
  u64 wrong = 0;
};

Measured compare(const Function& function, Type type, const Target& target,
                 const std::vector<Arguments>& arguments, const std::vector<std::optional<Real>>& expected,
                 const std::vector<f64>& results) {
  Measured measured;
  const f64 bound = *function.bound[static_cast<u8>(type)];
  const bool flush = flushes(function, type, target);
  const bool lenient = is_native(function) || function.name == "mad";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!expected[i] || !within_domain(function, arguments[i])) continue;
    f64 error = error_of(function, *expected[i], results[i], type);
    // A hair for the reference's own rounding.
    const f64 allowed = bound == infinity ? std::numeric_limits<f64>::max() : bound + 1e-6;
    if (error > allowed || (flush && error > measured.worst)) {
      if (flush) {
        error = flushed_nextafter(function, type, arguments[i], results[i])
                    ? 0
                    : std::min(error, flushed_error(function, type, arguments[i], results[i], 0));
      }
      if (lenient && error == infinity) continue;
      if (error > allowed && ++measured.wrong <= 3)
        show(function, target, type, arguments[i], *expected[i], results[i], error);
    }
    measured.worst = std::max(measured.worst, error);
  }
  if (measured.wrong != 0) {
    fmt::print("FAILED {} {} on {}: {} of {} arguments, worst {:.2f} ulp, bound {}\n", format_of(type).name,
               function.name, target.name, measured.wrong, arguments.size(), measured.worst, bound);
    std::fflush(stdout);
  }
  return measured;
}

// All functions with these options.
bool measure_group(const std::vector<const Function*>& functions, Type type, const Options& options,
                   std::vector<Row>& rows) {
  bool fine = true;
  std::vector<Kernels> kernels;
  for (const Target* target : options.targets) {
    auto compiled = compile_functions(functions, type, *target);
    if (!compiled) {
      fmt::print("FAILED {} {}: {}\n", target->name, format_of(type).name, to_string(compiled.error()));
      return false;
    }
    kernels.push_back(std::move(*compiled));
  }
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Function& function = *functions[f];
    const auto arguments = arguments_for(function, type, options.count, options.count >= 4096);
    std::vector<std::optional<Real>> expected;
    for (const Arguments& a : arguments)
      expected.push_back(within_domain(function, a) ? reference(function, type, a) : std::nullopt);
    Row row{&function, type, arguments.size(), {}};
    for (const Kernels& each : kernels) {
      const auto results = run_function(each, f, function, type, arguments);
      if (!results) {
        fmt::print("FAILED {} {} on {}: {}\n", format_of(type).name, function.name, each.target->name,
                   to_string(results.error()));
        fine = false;
        row.worst.emplace_back();
        continue;
      }
      const Measured measured = compare(function, type, *each.target, arguments, expected, *results);
      fine = fine && measured.wrong == 0;
      row.worst.emplace_back(measured.worst);
    }
    rows.push_back(std::move(row));
  }
  return fine;
}

std::string shown(f64 ulp) {
  if (ulp == infinity) return "any";
  if (ulp >= 1e6) return fmt::format("{:.0e}", ulp);
  return ulp >= 100 ? fmt::format("{:.0f}", ulp) : ulp == 0 ? "0" : fmt::format("{:.2f}", ulp);
}

std::string table_of(const std::vector<Row>& rows, const Options& options, Type type) {
  std::string text = fmt::format("\n## {}\n\n| function | bound | arguments |", format_of(type).name);
  std::string line = "|---|---|---|";
  for (const Target* target : options.targets) {
    text += fmt::format(" {} |", target->name);
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const Row& row : rows) {
    if (row.type != type) continue;
    const f64 bound = *row.function->bound[static_cast<u8>(type)];
    text += fmt::format("| {} | {} | {} |", row.function->name,
                        bound == infinity ? "any" : fmt::format("{}", bound), row.tried);
    for (const auto& worst : row.worst) text += fmt::format(" {} |", worst ? shown(*worst) : "failed");
    text += "\n";
  }
  return text;
}

void write_tables(const std::vector<Row>& rows, const Options& options) {
  std::ofstream out(options.write);
  out << "# The maths builtins' errors\n\n"
         "The worst error of each builtin in units in the last place (OpenCL 1.2, section 7.4), by ISA "
         "generation, measured\n"
         "against MPFR over edge cases and random arguments by functional execution of the machine code. The "
         "bounds are\n"
         "those of section 7.4, full profile; for half those that cl_khr_fp16 has; `any` is "
         "implementation-defined. Edge\n"
         "cases (7.5) count as infinitely wrong, so a number here means that they are right. `native_` "
         "functions of angles\n"
         "are measured within half a turn, and ignore infinities that the mathematical value is not. "
         "`divide_rounded` and\n"
         "`sqrt_rounded` are `/` and `sqrt` with -cl-fp32-correctly-rounded-divide-sqrt. GCN 1 to 3 (gfx6 to "
         "gfx8) compute\n"
         "float with subnormal numbers as zeros unless told otherwise, which section 7.5.3 allows.\n";
  for (const Type type : options.types) out << table_of(rows, options, type);
}

// A line for each target: of each type how many functions have a bound, how many of them a bound of half a
// unit or less (they are rounded correctly), and which of the others comes nearest to its own.
void write_summary(const std::vector<Row>& rows, const Options& options) {
  std::ofstream out(options.summary);
  out << "| target |";
  for (const Type type : options.types) out << fmt::format(" {} |", format_of(type).name);
  out << "\n|---|";
  for (std::size_t i = 0; i < options.types.size(); ++i) out << "---|";
  out << "\n";
  for (std::size_t target = 0; target < options.targets.size(); ++target) {
    out << fmt::format("| {} |", options.targets[target]->name);
    for (const Type type : options.types) {
      u32 functions = 0, rounded = 0;
      f64 nearest = -1;
      std::string text;
      for (const Row& row : rows) {
        if (row.type != type || !row.worst[target]) continue;
        const f64 bound = *row.function->bound[static_cast<u8>(type)];
        if (bound == infinity) continue;
        ++functions;
        rounded += bound <= 0.5 ? 1 : 0;
        const f64 share = bound <= 0.5 ? -1 : *row.worst[target] / bound;
        if (share <= nearest) continue;
        nearest = share;
        text = fmt::format("{} {} of {}", row.function->name, shown(*row.worst[target]), bound);
      }
      out << (functions == 0 ? " |"
                             : fmt::format(" {}, {} rounded correctly; {} |", functions, rounded, text));
    }
    out << "\n";
  }
}

bool measure(const std::vector<Function>& functions, const Options& options) {
  bool fine = true;
  std::vector<Row> rows;
  for (const Type type : options.types) {
    std::vector<const Function*> wanted;
    for (const Function& function : functions) {
      if (!function.bound[static_cast<u8>(type)]) continue;
      if (!options.function.empty() && function.name != options.function) continue;
      if (!has_reference(function)) {
        fmt::print("FAILED {}: no reference\n", function.name);
        return false;
      }
      if (!wanted.empty() && wanted.back()->options != function.options) {
        fine = measure_group(wanted, type, options, rows) && fine;
        wanted.clear();
      }
      wanted.push_back(&function);
    }
    if (!wanted.empty()) fine = measure_group(wanted, type, options, rows) && fine;
  }
  u64 tried = 0;
  for (const Row& row : rows) tried += row.tried * row.worst.size();
  fmt::print("{} functions on {} targets, {} results compared with MPFR: {}\n", rows.size(),
             options.targets.size(), tried, fine ? "all within bounds" : "NOT all within bounds");
  if (!options.write.empty()) write_tables(rows, options);
  if (!options.summary.empty()) write_summary(rows, options);
  return fine && !rows.empty();
}

bool read(std::span<char*> words, Options& options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i], value = i + 1 < words.size() ? words[i + 1] : "";
    if (word == "--count") {
      if (std::from_chars(value.data(), value.data() + value.size(), options.count).ec != std::errc())
        return false;
      ++i;
    } else if (word == "--function") {
      options.function = value;
      ++i;
    } else if (word == "--write") {
      options.write = value;
      ++i;
    } else if (word == "--summary") {
      options.summary = value;
      ++i;
    } else if (word == "--type") {
      options.types.clear();
      for (const Type type : {Type::f64, Type::f32, Type::f16})
        if (value == format_of(type).name) options.types.push_back(type);
      if (options.types.empty()) return false;
      ++i;
    } else {
      std::istringstream names{std::string(word)};
      for (std::string name; std::getline(names, name, ',');) {
        options.targets.push_back(find_target(name));
        if (options.targets.back() == nullptr) return false;
      }
    }
  }
  return !options.targets.empty();
}

}  // namespace
}  // namespace lockstep::ulp

int main(int argc, char** argv) {
  using namespace lockstep;
  ulp::Options options;
  if (!ulp::read({argv + 1, static_cast<std::size_t>(argc - 1)}, options)) {
    fmt::print(stderr,
               "usage: math_ulp TARGET[,TARGET...] [--count N] [--type float|double|half] [--function NAME]\n"
               "                [--write FILE] [--summary FILE]\n");
    return 2;
  }
  const std::string path = LOCKSTEP_SOURCE_DIR "/tests/ulp/functions.txt";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const auto functions = ulp::read_functions(text.str(), path);
  if (!functions) {
    fmt::print(stderr, "{}\n", to_string(functions.error()));
    return 2;
  }
  return ulp::measure(*functions, options) ? 0 : 1;
}
