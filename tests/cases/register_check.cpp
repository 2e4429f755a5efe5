#include "cases/register_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/instruction.h"

namespace lockstep::cases {
namespace {

std::string name_of(RegisterFile file, u32 index) {
  return file == RegisterFile::condition ? "scc"
         : file == RegisterFile::exec    ? "the lanes that run"
         : file == RegisterFile::vector  ? fmt::format("row {}", index)
                                         : fmt::format("scalar {}", index);
}

WaveState copy_of(const WaveState& from) {
  WaveState to;
  to.allocate(from.lanes, from.vector_rows(), from.scalars());
  if (from.vector_rows() != 0)
    std::memcpy(to.row(0), from.row(0), std::size_t{from.vector_rows()} * from.lanes * sizeof(u32));
  for (u32 i = 0; i < from.scalars(); ++i) to.write_scalar(i, from.read_scalar(i));
  to.set_exec(from.exec());
  to.scc = from.scc;
  to.ieee_mode = from.ieee_mode;
  to.dx10_clamp = from.dx10_clamp;
  to.mode = from.mode;
  to.pc = from.pc;
  to.instructions = from.instructions;
  to.valid_lanes = from.valid_lanes;
  to.group = from.group;
  to.index_in_group = from.index_in_group;
  to.slot = from.slot;
  to.private_base = from.private_base;
  to.private_bytes_per_lane = from.private_bytes_per_lane;
  to.local = from.local;
  to.code_base = from.code_base;
  if (from.isa != nullptr) to.isa = from.isa->clone();
  if (from.group_state != nullptr) to.group_state = from.group_state->clone();
  return to;
}

// A value for a register that nobody may look at: its own bits, changed.
u32 scrambled(u32 value, u32 index, u32 lane) {
  return value ^ ((index * 0x9E3779B9u) ^ (lane * 0x85EBCA6Bu) ^ 0x5BD1E995u);
}

// AMD's null is no register, and NVIDIA has none of AMD's.
bool has_scalar(const WaveState& wave, u32 index) {
  return (wave.isa == nullptr) == (index < scalar_register::first_free);
}

WaveState scrambled_copy(const WaveState& from, const RegisterUse& use) {
  WaveState to = copy_of(from);
  for (u32 index = 0; index < to.vector_rows(); ++index) {
    if (use.reads(RegisterFile::vector, index)) continue;
    u32* row = to.row(index);
    for (u32 lane = 0; lane < to.lanes; ++lane) row[lane] = scrambled(row[lane], index, lane);
  }
  for (u32 index = 0; index < to.scalars(); ++index) {
    // A wave of 32 lanes has no upper half of EXEC.
    const bool none = index == scalar_register::exec_hi && to.lanes == 32;
    if (has_scalar(to, index) && !none && !use.reads(RegisterFile::scalar, index))
      to.write_scalar(index, scrambled(to.read_scalar(index), index, 0));
  }
  if (!use.reads(RegisterFile::condition, 0)) to.scc = !to.scc;
  return to;
}

struct Result {
  WaveState wave;
  StepContext context;
  Outcome outcome;
  std::vector<std::vector<u8>> memories;
};

// One value of a register: before and after both steps.
struct Fates {
  u32 before, after, other_before, other_after;
  bool same_outcome() const {
    return after == other_after || (after == before && other_after == other_before);
  }
};

}  // namespace

std::string RegisterCheck::check(const WaveState& wave, const Instruction& in, const StepContext& context,
                                 std::span<const std::span<u8>> memories, const RegisterUse& use,
                                 const std::string& text, const std::string& place) {
  ++steps_;
  std::vector<std::vector<u8>> kept;
  for (const std::span<u8> memory : memories) kept.emplace_back(memory.begin(), memory.end());
  const auto run = [&](WaveState start) {
    Result result{std::move(start), context, {}, {}};
    result.context.checker = nullptr;
    result.context.outcome = nullptr;
    in.run(result.wave, in, result.context);
    for (u32 i = 0; i < memories.size(); ++i) {
      result.memories.emplace_back(memories[i].begin(), memories[i].end());
      std::copy(kept[i].begin(), kept[i].end(), memories[i].begin());
    }
    return result;
  };
  const WaveState other_start = scrambled_copy(wave, use);
  const Result plain = run(copy_of(wave)), other = run(copy_of(other_start));
  const auto wrong = [&](std::string_view what) { return fmt::format("  * '{}': {}\n", text, what); };
  if (plain.context.fault.kind != other.context.fault.kind || plain.context.event != other.context.event)
    return wrong("another event where registers that it does not read hold something else");
  if (plain.wave.pc != other.wave.pc)
    return wrong("goes on elsewhere where registers that it does not read hold something else");
  if (plain.memories != other.memories)
    return wrong("memory differs where registers that it does not read hold something else");
  if (plain.wave.mode != other.wave.mode)
    return wrong("the mode differs with registers that it does not read");
  if (plain.wave.isa != nullptr && plain.wave.isa->fingerprint() != other.wave.isa->fingerprint())
    return wrong("lanes go elsewhere where registers that it does not read hold something else");
  if (plain.context.fault.kind != FaultKind::none) return {};
  seen_.insert(place);

  std::string story;
  const std::string mnemonic = text.substr(0, text.find_first_of(" ;"));
  const auto look = [&](RegisterFile file, u32 index, const Fates& fates, u32 lane) {
    if (!story.empty()) return;
    const bool written = use.writes(file, index);
    const bool changed = fates.before != fates.after || fates.other_before != fates.other_after;
    if (changed && !written)
      story = wrong(
          fmt::format("changes {} (lane {}), which is not said to be written", name_of(file, index), lane));
    else if (written && !fates.same_outcome())
      story =
          wrong(fmt::format("{} (lane {}) is {:#x}, and {:#x} where registers that it does not read hold "
                            "something else",
                            name_of(file, index), lane, fates.after, fates.other_after));
    if (!written || !changed) return;
    for (u32 i = 0; i < use.ranges().size(); ++i) {
      const RegisterRange& range = use.ranges()[i];
      const auto noted = written_.find(fmt::format("{} {}", mnemonic, i));
      if (range.written && range.holds(file, index) && noted != written_.end()) noted->second = true;
    }
  };
  for (u32 i = 0; i < use.ranges().size(); ++i) {
    const RegisterRange& range = use.ranges()[i];
    // PTX has rows that change only where lanes part or functions call; M0 may choose rows that change
    // nothing.
    if (range.written && range.file == RegisterFile::vector && wave.isa == nullptr && !use.indexed)
      written_.try_emplace(fmt::format("{} {}", mnemonic, i), false);
  }
  for (u32 index = 0; index < wave.vector_rows(); ++index) {
    for (u32 lane = 0; lane < wave.lanes; ++lane) {
      look(RegisterFile::vector, index,
           {wave.row(index)[lane], plain.wave.row(index)[lane], other_start.row(index)[lane],
            other.wave.row(index)[lane]},
           lane);
    }
  }
  // NVIDIA's predicates: a bit for each lane, and lanes that are left out keep theirs.
  const auto look_by_lane = [&](RegisterFile file, u32 index, const Fates& fates) {
    for (u32 bit = 0; bit < 32; ++bit) {
      const auto of = [&](u32 word) { return (word >> bit) & 1; };
      look(file, index, {of(fates.before), of(fates.after), of(fates.other_before), of(fates.other_after)},
           bit);
    }
  };
  for (u32 index = 0; index < wave.scalars(); ++index) {
    if (!has_scalar(wave, index)) continue;
    const Fates fates{wave.read_scalar(index), plain.wave.read_scalar(index), other_start.read_scalar(index),
                      other.wave.read_scalar(index)};
    if (wave.isa != nullptr && use.writes(RegisterFile::scalar, index)) {
      look_by_lane(RegisterFile::scalar, index, fates);
    } else {
      look(RegisterFile::scalar, index, fates, 0);
    }
  }
  if (wave.isa != nullptr) {
    const auto lanes_of = [](const WaveState& state) { return static_cast<u32>(state.exec()); };
    look_by_lane(RegisterFile::exec, 0,
                 {lanes_of(wave), lanes_of(plain.wave), lanes_of(other_start), lanes_of(other.wave)});
  }
  look(RegisterFile::condition, 0, {wave.scc, plain.wave.scc, other_start.scc, other.wave.scc}, 0);
  return story;
}

std::string RegisterCheck::never_written() const {
  std::string list;
  for (const auto& [range, written] : written_) {
    if (!written) list += "  " + range + "\n";
  }
  return list;
}

RegisterCheck& register_check() {
  static RegisterCheck all;
  return all;
}

void RegisterWatch::before(WaveState& wave, const Instruction& in, StepContext& context) {
  const u32 index = static_cast<u32>(&in - module_.code.instructions.data());
  const std::string& text = module_.code.text[index];
  const std::string place = fmt::format("{} {} {}", module_.target->name, wave.lanes, text);
  if (!story_.empty() || !register_check().wanted(place)) return;
  // The second of a packet lies behind the first; what M0 moves is alone.
  Instruction room;
  const Instruction& now = module_.isa->indexed != nullptr ? module_.isa->indexed(wave, in, room) : in;
  RegisterUse use;
  module_.isa->register_use(program_, now, use);
  // All that a case allocates lies at the beginning of the memory.
  constexpr u64 reached = u64{1} << 19;
  const std::span<u8> memories[] = {{context.global.host, std::min(reached, context.global.size)},
                                    wave.local};
  story_ = register_check().check(wave, in, context, memories, use, text, place);
}

}  // namespace lockstep::cases
