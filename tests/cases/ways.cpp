#include "cases/ways.h"

#include <fmt/format.h>

namespace lockstep::cases {
namespace {

Diagnostic broken(std::string message) {
  return {"bad-outcome", {}, std::move(message), ""};
}

// What an outcome may say, whatever the instruction: timing indexes arrays by it.
std::optional<Diagnostic> take(const Outcome& outcome, const WaveState& wave, const std::string& text,
                               std::vector<Written>& written) {
  if (outcome.access_count > outcome.access.size())
    return broken(fmt::format("'{}' names {} accesses", text, outcome.access_count));
  for (u32 i = 0; i < outcome.access_count; ++i) {
    const Access& access = outcome.access[i];
    if ((access.lanes & ~wave.all_lanes()) != 0)
      return broken(fmt::format("'{}' names lanes that the wave has not: {:#x}", text, access.lanes));
    if (access.lanes != 0 && access.bytes == 0)
      return broken(fmt::format("'{}' names an access of no bytes", text));
    if (access.kind == AccessKind::load) continue;
    for (u32 lane = 0; lane < wave.lanes; ++lane) {
      if (((access.lanes >> lane) & 1) == 0) continue;
      if (access.space != Space::private_memory) {
        written.push_back({access.space, access.address[lane], access.address[lane] + access.bytes});
        continue;
      }
      // Lanes lie side by side, dword by dword: a wider access goes on behind the other lanes' dwords.
      for (u64 byte = 0; byte < access.bytes; ++byte) {
        const u64 column = (access.address[lane] - wave.private_base) % 4 + byte;
        const u64 at = access.address[lane] / 4 * 4 + column / 4 * 4 * wave.lanes + column % 4;
        written.push_back({access.space, at, at + 1});
      }
    }
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(Way way) {
  switch (way) {
    case Way::functional:
      return "functional";
    case Way::timed:
      return "timed";
    case Way::checked:
      return "checked";
    case Way::registers:
      return "registers";
  }
  return "";
}

std::optional<Diagnostic> step_group(const PreparedLaunch& launch, Group& group, StepChecker* checker,
                                     Record* record, u64 most_steps) {
  const Code& code = launch.module().code;
  StepContext context = make_context(launch);
  Outcome outcome;
  context.checker = checker;
  if (record != nullptr) {
    context.outcome = &outcome;
    record->executed.resize(code.instructions.size());
  }
  for (u64 steps = 0; !group.done();) {
    for (u32 i = 0; i < group.waves.size(); ++i) {
      WaveState& wave = group.waves[i];
      // Waves take turns at yields and after a while: they may wait for each other.
      for (u32 turn = 0; turn < 1024 && group.status[i] == WaveStatus::running; ++turn) {
        if (++steps > most_steps) return Diagnostic{"endless-loop", {}, "endless loop", ""};
        const u32 at = wave.pc++;
        if (at >= code.instructions.size()) return broken("the wave ran past the last instruction");
        const Instruction& instruction = code.instructions[at];
        outcome.access_count = 0;
        outcome.instruction = &instruction;
        outcome.pc = at;
        outcome.active = wave.exec();
        if (record != nullptr) record->executed[at] = true;
        context.event = Event::none;
        context.now_cycles = wave.instructions;
        if (checker != nullptr) checker->before(wave, instruction, context);
        if (context.event == Event::none) {
          instruction.run(wave, instruction, context);
          ++wave.instructions;
        }
        if (context.event == Event::fault) return describe_fault(launch, wave, at, context.fault, checker);
        if (record != nullptr) {
          if (auto wrong = take(outcome, wave, code.text[at], record->written)) return wrong;
        }
        if (context.event == Event::end) group.end(i);
        if (context.event == Event::barrier) group.arrive(i);
        if (context.event == Event::yield) break;
      }
    }
    if (!group.barrier_complete()) continue;
    group.release_barrier();
    if (checker != nullptr) checker->barrier(group.waves);
  }
  if (checker != nullptr) checker->end(group.waves);
  return std::nullopt;
}

}  // namespace lockstep::cases
