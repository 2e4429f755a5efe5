// Whether every builtin of OpenCL C 1.2 (opencl-c-1.2.txt) compiles, links and decodes for a target:
//
//   builtin_links TARGET[,TARGET...] [--sample K] [--section NAME] [--function NAME] [--jobs N] [--module N]
//                 [--optimise 0..3] [--standard CL1.2|CL2.0|CL3.0] [--print]
//
// --sample K takes every K-th kernel of each function, beginning with its first. --standard is for what does
// not need one of its own. --print writes the kernels instead. Exit code: 0 every one does, 1 one does not, 2
// wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "builtins/table.h"
#include "compile/compile.h"
#include "exec/image.h"
#include "isa/amd/decode.h"
#include "isa/amd/dual.h"
#include "run/loader.h"

namespace lockstep::builtins {
namespace {

struct Options {
  std::vector<const Target*> targets;
  std::string section, function, standard;
  u32 sample = 1, jobs = 2, per_module = 96, optimisation = 2;
  bool print = false;
};

struct Problem {
  u32 builtin = 0;
  std::string story;
};

struct Unknown {
  u64 count = 0;
  std::string text, why;
  u32 builtin = 0;
};

struct Batch {
  const Target* target = nullptr;
  std::vector<u32> builtins;
  std::vector<Problem> problems;
  std::map<std::string, Unknown> unknown;  // by mnemonic
  u64 instructions = 0;
};

std::string first_lines(std::string_view text, u32 most) {
  std::string out;
  for (u32 line = 0; line < most && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("      {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// What the ISA room does not know, by mnemonic.
void decode_lines(const CompiledObject& object, Batch& batch, const std::vector<u32>& builtins) {
  const Listing& listing = object.listing;
  for (const ListingLine& line : listing.lines) {
    const std::string_view text = listing.text(line);
    const amd::Encoded encoded{text, std::span(line.words.data(), line.size_bytes / 4), line.address};
    ++batch.instructions;
    std::string why;
    if (amd::is_dual(text)) {
      if (const auto pair = amd::decode_dual(encoded, *batch.target); !pair) why = pair.error().message;
    } else if (const auto one = amd::decode(encoded, *batch.target); !one) {
      why = one.error().message;
    }
    if (why.empty()) continue;
    Unknown& unknown = batch.unknown[std::string(text.substr(0, text.find(' ')))];
    if (unknown.count++ != 0) continue;
    unknown.text = text;
    unknown.why = why;
    for (const ListingFunction& function : listing.functions) {
      u32 number = 0;
      if (function.address > line.address || !function.name.starts_with("k")) continue;
      const char* const end = function.name.data() + function.name.size();
      if (std::from_chars(function.name.data() + 1, end, number).ptr == end && number < builtins.size())
        unknown.builtin = builtins[number];
    }
  }
}

// A program of all of them; where that fails, of either half.
void link_all(const Table& table, const Options& options, const std::vector<u32>& builtins, Batch& batch) {
  CompileRequest request;
  request.path = "builtins.cl";
  request.source = program_of(table, builtins);
  request.language = SourceLanguage::opencl_c;
  request.target = batch.target;
  request.options = table.sections[table.builtins[builtins[0]].section].options;
  if (request.options.empty() && !options.standard.empty())
    request.options.push_back("-cl-std=" + options.standard);
  request.optimisation = options.optimisation;
  request.line_table = false;
  request.use_cache = true;
  request.time_limit_ms = 120'000;
  const auto halves = [&] {
    const auto middle = builtins.begin() + static_cast<std::ptrdiff_t>(builtins.size() / 2);
    link_all(table, options, {builtins.begin(), middle}, batch);
    link_all(table, options, {middle, builtins.end()}, batch);
  };
  const auto compiled = compile(request);
  if (!compiled) {
    if (builtins.size() > 1) return halves();
    batch.problems.push_back({builtins[0], compiled.error().message});
    return;
  }
  if (compiled->object) decode_lines(*compiled->object, batch, builtins);
  if (!batch.unknown.empty()) return;
  // Beside AMD's instructions: descriptors, metadata, the image. NVIDIA's programs are linked only here.
  if (const auto module = load_compiled(*compiled, *batch.target, "builtins.cl"); !module) {
    if (compiled->ptx && builtins.size() > 1) return halves();
    batch.problems.push_back({builtins[0], "the module does not load: " + module.error().message});
  }
}

std::vector<u32> chosen(const Table& table, const Options& options) {
  std::map<std::string, u32> seen;
  std::vector<u32> out;
  for (u32 i = 0; i < table.builtins.size(); ++i) {
    const Builtin& builtin = table.builtins[i];
    if (!options.section.empty() && table.sections[builtin.section].name != options.section) continue;
    if (table.sections[builtin.section].since_2 && (options.standard.empty() || options.standard == "CL1.2"))
      continue;
    if (!options.function.empty() && builtin.function != options.function) continue;
    if (seen[table.sections[builtin.section].name + builtin.function]++ % options.sample == 0)
      out.push_back(i);
  }
  return out;
}

bool tell(const Table& table, const Target& target, const std::vector<u32>& wanted,
          const std::vector<Batch>& batches) {
  std::map<std::string, Unknown> unknown;
  std::vector<u64> failed(table.sections.size(), 0), all(table.sections.size(), 0);
  const bool images = image_limits(target).width != 0;
  u64 instructions = 0, problems = 0, linked = 0;
  for (const u32 b : wanted) {
    const Section& section = table.sections[table.builtins[b].section];
    if (images || !section.images) ++all[table.builtins[b].section];
  }
  for (const Batch& batch : batches) {
    if (batch.target != &target) continue;
    instructions += batch.instructions;
    for (const Problem& problem : batch.problems) {
      ++problems;
      ++failed[table.builtins[problem.builtin].section];
      fmt::print("  FAILED {}\n{}", table.builtins[problem.builtin].signature, first_lines(problem.story, 3));
    }
    for (const auto& [mnemonic, one] : batch.unknown) {
      Unknown& sum = unknown[mnemonic];
      if (sum.count == 0) sum = {0, one.text, one.why, one.builtin};
      sum.count += one.count;
    }
  }
  for (const auto& [mnemonic, one] : unknown)
    fmt::print("  UNKNOWN {} x {}: {} ({}; {})\n", mnemonic, one.count, one.text, one.why,
               table.builtins[one.builtin].signature);
  std::string story;
  for (std::size_t s = 0; s < all.size(); ++s) {
    linked += all[s] - failed[s];
    if (all[s] != 0) story += fmt::format(" {} {}", table.sections[s].name, all[s] - failed[s]);
  }
  fmt::print("{}: {} of {} builtins link, {} instructions, {} unknown mnemonics{}\n ", target.name, linked,
             linked + problems, instructions, unknown.size(), images ? "" : "; it has no images");
  fmt::print("{}\n", story);
  std::fflush(stdout);
  return problems == 0 && unknown.empty();
}

bool check(const Table& table, const Options& options) {
  const std::vector<u32> wanted = chosen(table, options);
  bool fine = !wanted.empty();
  for (const Target* target : options.targets) {
    std::vector<Batch> batches;
    const bool images = image_limits(*target).width != 0;
    for (const u32 b : wanted) {
      const Section& section = table.sections[table.builtins[b].section];
      if (section.images && !images) continue;
      const bool same = !batches.empty() && batches.back().builtins.size() < options.per_module &&
                        table.builtins[batches.back().builtins[0]].section == table.builtins[b].section;
      if (!same) {
        batches.emplace_back();
        batches.back().target = target;
      }
      batches.back().builtins.push_back(b);
    }
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < batches.size(); i = next++)
        link_all(table, options, batches[i].builtins, batches[i]);
    };
    std::vector<std::thread> threads;
    for (u32 i = 1; i < options.jobs; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    fine = tell(table, *target, wanted, batches) && fine;
  }
  return fine;
}

bool number(std::string_view text, u32& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() && value != 0;
}

bool read(std::span<char*> words, Options& options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view value = i + 1 < words.size() ? words[i + 1] : "";
    if (word == "--print") {
      options.print = true;
    } else if (word.starts_with("--")) {
      ++i;
      if (word == "--section") {
        options.section = value;
      } else if (word == "--function") {
        options.function = value;
      } else if (word == "--standard") {
        options.standard = value;
      } else if (word == "--optimise") {
        if (value.size() != 1 || value[0] < '0' || value[0] > '3') return false;
        options.optimisation = static_cast<u32>(value[0] - '0');
      } else {
        u32* const to = word == "--sample"   ? &options.sample
                        : word == "--jobs"   ? &options.jobs
                        : word == "--module" ? &options.per_module
                                             : nullptr;
        if (to == nullptr || !number(value, *to)) return false;
      }
    } else {
      std::istringstream names{std::string(word)};
      for (std::string name; std::getline(names, name, ',');) {
        options.targets.push_back(find_target(name));
        if (options.targets.back() == nullptr) return false;
      }
    }
  }
  return options.print || !options.targets.empty();
}

}  // namespace
}  // namespace lockstep::builtins

int main(int argc, char** argv) {
  using namespace lockstep;
  builtins::Options options;
  if (!builtins::read({argv + 1, static_cast<std::size_t>(argc - 1)}, options)) {
    fmt::print(stderr,
               "usage: builtin_links TARGET[,TARGET...] [--sample K] [--section NAME] [--function NAME]\n"
               "                     [--jobs N] [--module N] [--optimise 0..3] [--standard "
               "CL1.2|CL2.0|CL3.0] [--print]\n");
    return 2;
  }
  const std::string path = LOCKSTEP_SOURCE_DIR "/tests/builtins/opencl-c-1.2.txt";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const auto table = builtins::read_table(text.str(), path);
  if (!table) {
    fmt::print(stderr, "{}\n", to_string(table.error()));
    return 2;
  }
  if (options.print) {
    fmt::print("{}", builtins::program_of(*table, builtins::chosen(*table, options)));
    return 0;
  }
  return builtins::check(*table, options) ? 0 : 1;
}
