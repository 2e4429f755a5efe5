#include "report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/words.h"

namespace lockstep {
namespace {

constexpr std::string_view last_cache = "infinite_last";  // the question of the last shared cache

struct Rule {
  std::string_view name;
  std::string_view cause;     // of a verdict
  std::string_view question;  // of a what-if, or last_cache
  std::string_view action;    // {local}, {wave}, {group}, {unit}: the vendor's words
  // Only where the launch is large enough, and all of it at work: another has nothing else to hide its waits
  // with, and that is its flaw.
  bool full_grid = false;
  // Another question that must save something, too: without that what the first saves is no flaw of the code.
  std::string_view also = {};
};

constexpr Rule rules[] = {
    {"bank-conflicts", "bank_conflicts", "no_bank_conflicts",
     "let neighbouring lanes use neighbouring words of {local}: pad each row by what a lane reads at once "
     "(a word; four where it reads four), or swap indices"},
    {"local-atomics", "local_atomics", "local_atomics_apart",
     "add up in registers or within a {wave} first and change the word once for each, or give lanes several "
     "copies of it in {local}"},
    {"coalescing", "uncoalesced", "perfect_coalescing",
     "let neighbouring work-items access neighbouring addresses: swap indices, store arrays of fields, or "
     "turn "
     "tiles in {local}"},
    {"divergence", "divergence", "no_divergence",
     "let work-items of one {wave} go the same way: sort or bin the work, or branch by {wave} instead of by "
     "item"},
    {"partial-waves", "partial_waves", "full_waves",
     "choose a {group} size that is a multiple of the {wave}'s width, or work on several small blocks in one "
     "{group}"},
    {"doubles", "doubles", "floats_for_doubles",
     "where single precision will do, write literals with an f (0.5f) and variables as floats"},
    {"integer-division", "integer_division", "no_integer_division",
     "divide once and count on in the loop, or make the divisor a constant, best a power of two"},
    {"private-memory", "private_memory", "no_private_memory",
     "keep arrays in registers (constant indices, unrolled loops) or in {local}, and live variables few"},
    {"repeated-accesses", "repeated_accesses", "no_repeated_accesses",
     "keep the value in a variable of the work-item's own: load it in front of the loop, store it behind"},
    {"hot-atomics", "hot_atomics", "atomics_apart",
     "gather per work-item, {wave} or {group} first, and change shared words once for each"},
    {"atomics", "atomics", "atomics_gathered",
     "gather for each {group} first, in {local}, and change shared words once for each"},
    {"barriers", "barriers", "no_barriers",
     "give all {wave}s of a {group} equal work between barriers, or let smaller {group}s wait for each "
     "other"},
    {"serial-section", "serial_section", "equal_work",
     "divide that part among all work-items of the {group}: sums in a tree, or each a part and one the rest"},
    {"dependence-chain", "dependence_chain", "no_dependences",
     "let each work-item have several independent results under way: unroll over independent elements, or "
     "have "
     "more {wave}s",
     true},
    {"memory-latency", "memory_latency", "no_dependences",
     "begin several loads before the first is used: unroll, prefetch, or have more {wave}s", true},
    {"occupancy", "occupancy", "unlimited_occupancy",
     "use fewer registers or less {local} for each {group}, so that more {wave}s are resident", true},
    {"small-grid", "grid_too_small", "whole_device",
     "divide the work among more {group}s: at least a few for each {unit}"},
    {"few-waves", "few_waves", "room_filled",
     "divide the work among more {wave}s: fewer elements for each work-item, several work-items for one"},
    {"wave-starts", "wave_starts", "instant_starts",
     "let each work-item do more: several elements, wider loads and stores, and so many fewer {group}s"},
    {"imbalance", "imbalance", "even_waves",
     "give all {group}s about the same work: cut the long ones up, or let {group}s take their next piece "
     "from a counter"},
    {"uneven-waves", "uneven_waves", "even_simds",
     "give all {wave}s of a {group} about the same work: let work-items that do more lie side by side in "
     "turns, or launch as many as do something"},
    {"one-slice", "one_slice", "even_slices",
     "change the stride: pad rows by a few cache lines, or let {group}s begin at different places"},
    {"launch-overhead", "launch_overhead", "no_launch_overhead",
     "do more in one launch: several of these in one, or more work for each"},
    {"translation", "tlb", "side_by_side",
     "touch fewer pages at a time: keep what is used together side by side"},
    {"instruction-fetch", "instruction_fetch", "no_instruction_misses",
     "let the code of the loop fit the instruction cache: unroll and inline less", false,
     "infinite_instruction_cache"},
    {"reuse", "memory_bandwidth", last_cache,
     "work in blocks that stay in the caches, so that each byte comes from memory once"},
    {"near-reuse", "cache_bandwidth", "infinite_l1",
     "work in blocks that stay in {local} or in the first-level cache"},
};

std::string in_words(std::string_view text, const Words& words) {
  std::string out(text);
  for (const auto& [name, word] : {std::pair<std::string_view, std::string_view>{"{local}", words.local},
                                   {"{wave}", words.wave},
                                   {"{group}", words.group},
                                   {"{unit}", words.unit}}) {
    for (std::size_t at = out.find(name); at != std::string::npos; at = out.find(name, at + word.size()))
      out.replace(at, name.size(), word);
  }
  return out;
}

std::string question_of(const Rule& rule, const RunData& run) {
  if (rule.question != last_cache) return std::string(rule.question);
  std::string last;
  for (const CacheFigures& cache : run.timing->caches) {
    if (cache.shared) last = cache.name;
  }
  return "infinite_" + last;
}

bool has(const Verdicts& verdicts, std::string_view cause) {
  return std::ranges::any_of(verdicts.found, [&](const Verdict& one) { return one.cause == cause; });
}

bool applies(const Rule& rule, const Verdicts& verdicts) {
  if (!has(verdicts, rule.cause)) return false;
  if (!rule.full_grid) return true;
  constexpr std::string_view of_the_launch[] = {"grid_too_small", "launch_overhead", "imbalance"};
  return std::ranges::none_of(of_the_launch, [&](std::string_view cause) { return has(verdicts, cause); });
}

// Of the bytes that memory moved those that it would not have moved again if the last cache had kept what
// came into it: what leaves that cache because it was written is nothing that blocks would save.
f64 read_again_share(const RunData& run, const WhatIf& kept) {
  const TimingResult& timing = run.repeated.first ? *run.repeated.first : *run.timing;
  const f64 read = static_cast<f64>(timing.counter("dram.read_bytes"));
  const f64 moved = read + static_cast<f64>(timing.counter("dram.write_bytes"));
  return moved > 0 ? std::max(0.0, read - static_cast<f64>(kept.memory_read_bytes)) / moved : 0;
}

// The largest gain first. Where more resident waves, or values that stay in registers, save at least half of
// what the end of a chain would, the chain's end saves less than that once they are there: they come before
// it. What few do while others wait at a barrier comes before the barrier.
void sort(std::vector<Advice>& list) {
  std::ranges::stable_sort(list, std::greater{}, &Advice::saved_share);
  for (const std::string_view rule : {"occupancy", "repeated-accesses"}) {
    const auto nearer = std::ranges::find(list, rule, &Advice::rule);
    if (nearer == list.end()) continue;
    const auto chain = std::find_if(list.begin(), nearer, [&](const Advice& one) {
      return one.question == "no_dependences" && 2 * nearer->saved_share >= one.saved_share;
    });
    std::rotate(chain, nearer, nearer + 1);
  }
  const auto section = std::ranges::find(list, "serial-section", &Advice::rule);
  if (section != list.end())
    std::rotate(std::find_if(list.begin(), section, [](const Advice& one) { return one.rule == "barriers"; }),
                section, section + 1);
}

}  // namespace

std::vector<std::string> advice_questions(const RunData& run) {
  std::vector<std::string> questions;
  if (!run.timing) return questions;
  const Verdicts verdicts = judge(run);
  for (const Rule& rule : rules) {
    if (!applies(rule, verdicts)) continue;
    for (const std::string& question : {question_of(rule, run), std::string(rule.also)}) {
      if (!question.empty() && std::ranges::find(questions, question) == questions.end())
        questions.push_back(question);
    }
  }
  return questions;
}

std::vector<Advice> advise(const RunData& run) {
  std::vector<Advice> list;
  if (!run.timing || !run.what_if || run.what_if->cycles == 0) return list;
  const Words& words = words_of(*run.machine);
  const Verdicts verdicts = judge(run);
  for (const Rule& rule : rules) {
    if (!applies(rule, verdicts)) continue;
    const auto found = std::ranges::find(verdicts.found, rule.cause, &Verdict::cause);
    const WhatIf* answer = run.what_if->find(question_of(rule, run));
    if (answer == nullptr) continue;
    const auto saved_by = [&](const WhatIf& one) {
      return 1 - static_cast<f64>(one.cycles) / static_cast<f64>(run.what_if->cycles);
    };
    f64 saved = saved_by(*answer);
    if (rule.question == last_cache) saved = std::min(saved, read_again_share(run, *answer));
    if (saved < least_gain) continue;
    if (!rule.also.empty()) {
      const WhatIf* other = run.what_if->find(rule.also);
      if (other == nullptr || saved_by(*other) < least_gain) continue;
    }
    // The first of two rules with one question is the nearer one.
    if (std::ranges::find(list, answer->name, &Advice::question) != list.end()) continue;
    list.push_back(
        {rule.name, std::string(found->title), in_words(rule.action, words), found->text, answer->name, saved,
         static_cast<u64>(std::llround((1 - saved) * static_cast<f64>(run.what_if->cycles))), found->at});
  }
  sort(list);
  return list;
}

}  // namespace lockstep
