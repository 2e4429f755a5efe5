#include "cases/gen_run.h"

#include <algorithm>
#include <cstring>

#include "exec/check/shadow.h"
#include "isa/gen/byte_registers.h"
#include "isa/gen/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 memory_bytes = 4096;

check::WaveShadow& shadow_of(const WaveState& wave) {
  return static_cast<check::WaveShadow&>(*wave.checked);
}

}  // namespace

GenRun::GenRun(const Module& module, bool tracked) : memory_(u64{1} << 24) {
  if (tracked) memory_.track_written();
  const auto buffer = memory_.allocate(memory_bytes, 4096, "memory");
  if (!buffer) {
    problem_ = to_string(buffer.error()) + "\n";
    return;
  }
  buffer_ = *buffer;
  ArgumentValue argument;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &buffer_, 8);
  const Program* program = module.find("test");
  NdRange range;
  range.global[0] = range.local[0] = program->needs.wave_lanes;
  auto launch = PreparedLaunch::make(memory_, module, *program, range, std::span(&argument, 1), 1);
  if (!launch) {
    problem_ = to_string(launch.error()) + "\n";
    return;
  }
  launch_ = std::move(*launch);
  const u32 slot = 0;
  group_.begin(*launch_, 0, std::span(&slot, 1));
  if (tracked) {
    checker_.emplace(*launch_, CheckSelection::all(), &log_);
    checker_->begin(group_.waves);
    check::WaveShadow& shadow = shadow_of(wave());
    shadow.bytes.define(0, static_cast<u32>(shadow.bytes.bits.size()));
    shadow.bytes.units = {};
    std::fill(shadow.local_memory->begin(), shadow.local_memory->end(), u8{0});
    std::fill(shadow.private_memory.begin(), shadow.private_memory.end(), u8{0});
  }
  set(state());
}

GenState GenRun::state() const {
  GenState made;
  const u8* registers = gen::bytes_of(wave());
  made.registers.assign(registers, registers + gen::file::symbols);
  made.local.assign(wave().local.begin(), wave().local.end());
  made.memory.resize(memory_bytes);
  if (gen::gen(wave()).begun) std::memcpy(made.memory.data(), memory_.view().at(buffer_), memory_bytes);
  made.exec = wave().exec();
  return made;
}

void GenRun::set(const GenState& state) {
  std::copy(state.registers.begin(), state.registers.end(), gen::bytes_of(wave()));
  std::copy(state.local.begin(), state.local.end(), wave().local.begin());
  std::memcpy(memory_.view().at(buffer_), state.memory.data(), state.memory.size());
  if (memory_.tracks_written()) memory_.mark_written(buffer_, memory_bytes);
  wave().set_exec(state.exec);
  // The dispatcher's work comes with the first instruction; here it is done already.
  gen::gen(wave()).begun = true;
  std::memcpy(gen::bytes_of(wave()) + 64, &buffer_, 8);
}

void GenRun::undefine(const GenState& bits) {
  check::WaveShadow& shadow = shadow_of(wave());
  std::copy(bits.registers.begin(), bits.registers.end(), shadow.bytes.bits.begin());
  shadow.bytes.units.add(0, static_cast<u32>(bits.registers.size()));
  std::copy(bits.local.begin(), bits.local.end(), shadow.local_memory->begin());
  for (u32 i = 0; i < bits.memory.size(); ++i)
    if (bits.memory[i] != 0) memory_.mark_unwritten(buffer_ + i, 1);
}

GenState GenRun::undefined() const {
  const check::WaveShadow& shadow = shadow_of(wave());
  GenState made;
  made.registers.assign(shadow.bytes.bits.begin(), shadow.bytes.bits.begin() + gen::file::symbols);
  made.local = *shadow.local_memory;
  for (u32 i = 0; i < memory_bytes; ++i)
    made.memory.push_back(memory_.written_mask(buffer_ + i, 1) != 0 ? 0 : 0xFF);
  return made;
}

std::optional<Diagnostic> GenRun::execute(Way way) {
  Record record;
  return step_group(*launch_, group_, way == Way::checked ? &*checker_ : nullptr,
                    way == Way::timed ? &record : nullptr, 10000);
}

std::vector<std::string> GenRun::alarms() const {
  std::vector<std::string> list;
  for (const Diagnostic& alarm : log_.kept()) list.push_back(to_string(alarm));
  return list;
}

}  // namespace lockstep::cases
