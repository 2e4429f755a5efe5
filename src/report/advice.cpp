#include "report/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/words.h"

namespace lockstep {
namespace {

struct Rule {
  std::string_view name;
  std::string_view cause;     // of a verdict
  std::string_view question;  // of a what-if; "infinite_last": of the last shared cache
  std::string_view action;    // {local}, {wave}, {group}, {unit}: the vendor's words
  // Only where the launch is large enough: a small one has nothing else to hide its waits with, and that is
  // its flaw.
  bool full_grid = false;
};

constexpr Rule rules[] = {
    {"bank-conflicts", "bank_conflicts", "no_bank_conflicts",
     "let neighbouring lanes use neighbouring words of {local}: pad each row by a word, or swap indices"},
    {"coalescing", "uncoalesced", "perfect_coalescing",
     "let neighbouring work-items access neighbouring addresses: swap indices, store arrays of fields, or "
     "turn "
     "tiles in {local}"},
    {"divergence", "divergence", "no_divergence",
     "let work-items of one {wave} go the same way: sort or bin the work, or branch by {wave} instead of by "
     "item"},
    {"partial-waves", "partial_waves", "no_divergence",
     "choose a {group} size that is a multiple of the {wave}'s width"},
    {"private-memory", "private_memory", "no_private_memory",
     "keep arrays in registers (constant indices, unrolled loops) or in {local}, and live variables few"},
    {"hot-atomics", "hot_atomics", "atomics_apart",
     "gather per work-item, {wave} or {group} first, and change shared words once for each"},
    {"atomics", "atomics", "atomics_apart",
     "gather per work-item, {wave} or {group} first, and change shared words once for each"},
    {"barriers", "barriers", "no_barriers",
     "give all {wave}s of a {group} equal work between barriers, or let smaller {group}s wait for each "
     "other"},
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
    {"launch-overhead", "launch_overhead", "no_launch_overhead",
     "do more in one launch: several of these in one, or more work for each"},
    {"translation", "tlb", "no_translation",
     "touch fewer pages at a time: keep what is used together side by side"},
    {"instruction-fetch", "instruction_fetch", "no_instruction_misses",
     "let the code of the loop fit the instruction cache: unroll and inline less"},
    {"reuse", "memory_bandwidth", "infinite_last",
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
  if (rule.question != "infinite_last") return std::string(rule.question);
  std::string last;
  for (const CacheFigures& cache : run.timing->caches) {
    if (cache.shared) last = cache.name;
  }
  return "infinite_" + last;
}

bool has(const Verdicts& verdicts, std::string_view cause) {
  return std::ranges::any_of(verdicts.found, [&](const Verdict& one) { return one.cause == cause; });
}

// How often a wave came to the instructions in front of which waves waited for their code. What is executed
// once has to be fetched once, however small it is.
f64 turns_where_fetched(const TimingResult& timing) {
  f64 stalls = 0, turns = 0;
  for (const InstructionFigures& figures : timing.per_instruction) {
    const f64 waited = static_cast<f64>(figures.stalls[static_cast<std::size_t>(Stall::fetch)]);
    stalls += waited;
    turns += waited * static_cast<f64>(figures.issued) / static_cast<f64>(timing.waves);
  }
  return stalls == 0 ? 0 : turns / stalls;
}

bool applies(const Rule& rule, const RunData& run, const Verdicts& verdicts) {
  constexpr f64 least_turns = 1.5;
  if (!has(verdicts, rule.cause)) return false;
  if (rule.cause == "instruction_fetch") return turns_where_fetched(*run.timing) >= least_turns;
  return !rule.full_grid || (!has(verdicts, "grid_too_small") && !has(verdicts, "launch_overhead"));
}

}  // namespace

std::vector<std::string> advice_questions(const RunData& run) {
  std::vector<std::string> questions;
  if (!run.timing) return questions;
  const Verdicts verdicts = judge(run);
  for (const Rule& rule : rules) {
    if (!applies(rule, run, verdicts)) continue;
    const std::string question = question_of(rule, run);
    if (std::ranges::find(questions, question) == questions.end()) questions.push_back(question);
  }
  return questions;
}

std::vector<Advice> advise(const RunData& run) {
  std::vector<Advice> list;
  if (!run.timing || !run.what_if || run.what_if->cycles == 0) return list;
  const Words& words = words_of(*run.machine);
  const Verdicts verdicts = judge(run);
  for (const Rule& rule : rules) {
    if (!applies(rule, run, verdicts)) continue;
    const auto found = std::ranges::find(verdicts.found, rule.cause, &Verdict::cause);
    const WhatIf* answer = run.what_if->find(question_of(rule, run));
    if (answer == nullptr) continue;
    const f64 saved = 1 - static_cast<f64>(answer->cycles) / static_cast<f64>(run.what_if->cycles);
    if (saved < least_gain) continue;
    list.push_back({rule.name, std::string(found->title), in_words(rule.action, words), found->text,
                    answer->name, saved, answer->cycles, found->at});
  }
  std::ranges::stable_sort(list,
                           [](const Advice& a, const Advice& b) { return a.saved_share > b.saved_share; });
  return list;
}

}  // namespace lockstep
