// Live execution that does not go on: whether it ever can.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/program.h"
#include "time/source/live.h"

namespace lockstep {

bool LiveSource::try_tokens(std::vector<Undo>& undo) {
  bool fine = true;
  for (u32 number = 0; number < tokens_.size() && fine; ++number) {
    Token& token = tokens_[number];
    if (!token.used) continue;
    if (token.exclusive) return false;
    Undo& one = undo.emplace_back();
    one.token = number;
    one.performed_before = token.performed;
    one.registers = token.registers;
    if (!token.performed) {
      Outcome outcome;
      outcome.access_count = 0;
      perform_context_.outcome = &outcome;
      perform_context_.look_only = true;
      run_captured(token, perform_context_);
      perform_context_.outcome = nullptr;
      perform_context_.look_only = false;
      for (u32 i = 0; i < outcome.access_count; ++i) {
        const Access& access = outcome.access[i];
        for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
          const u64 address = access.address[static_cast<u32>(std::countr_zero(lanes))];
          if (!perform_context_.global.contains(address, access.bytes)) continue;
          u8* host = perform_context_.global.at(address);
          one.places.push_back({host, access.bytes});
          one.memory.insert(one.memory.end(), host, host + access.bytes);
        }
      }
      // Where the record has no room for all of its accesses, what it does cannot be undone.
      if (outcome.access_count == outcome.access.size()) return false;
      token.performed = true;
      run_captured(token, perform_context_);
      fine = perform_context_.event != Event::fault;
      perform_context_.fault = {};
      const u8* before = one.memory.data();
      for (const auto& [host, bytes] : one.places) {
        fine = fine && std::memcmp(host, before, bytes) == 0;
        before += bytes;
      }
    }
    if (waves_[token.wave]->generation != token.generation) continue;
    exchange_results(token);
    one.written = true;
  }
  return fine;
}

void LiveSource::undo(std::vector<Undo>& undo) {
  for (auto one = undo.rbegin(); one != undo.rend(); ++one) {
    Token& token = tokens_[one->token];
    if (one->written) exchange_results(token);
    token.registers = one->registers;
    token.performed = one->performed_before;
    // The first of several lanes on one place kept what was there before all of them.
    std::size_t at = one->memory.size();
    for (auto place = one->places.rbegin(); place != one->places.rend(); ++place) {
      at -= place->second;
      std::memcpy(place->first, one->memory.data() + at, place->second);
    }
  }
}

std::optional<Diagnostic> LiveFactory::deadlock(u64 now_cycles, bool at_once) {
  u64 instructions = 0, progress = 0, begun = 0;
  for (const LiveSource* source : sources_) {
    if (source->late_fault_) return source->late_fault_;
    instructions += source->instructions_;
    progress += source->progress_;
    begun += source->begun_;
  }
  if (progress != seen_progress_) patience_.progress();
  seen_progress_ = progress;
  const bool search = at_once || patience_.spent(instructions - seen_instructions_);
  seen_instructions_ = instructions;
  if (!search) return std::nullopt;
  // Waves whose accesses are under way are tried out as if those had come back.
  std::vector<Group*> groups;
  std::vector<std::vector<LiveSource::Undo>> undo(sources_.size());
  std::size_t tried = 0;
  bool certain = true;
  while (certain && tried < sources_.size()) {
    LiveSource& source = *sources_[tried];
    certain = source.try_tokens(undo[tried++]);
    const std::vector<Group*> own = source.active_groups();
    groups.insert(groups.end(), own.begin(), own.end());
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group* a, const Group* b) { return a->id.linear < b->id.linear; });
  std::optional<Diagnostic> found;
  if (certain) found = find_deadlock(launch_, groups, begun, now_cycles);
  while (tried != 0) {
    --tried;
    sources_[tried]->undo(undo[tried]);
  }
  return found;
}

}  // namespace lockstep
