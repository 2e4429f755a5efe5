#include "exec/group.h"

#include <fmt/format.h>

#include <bit>

#include "isa/item_place.h"

namespace lockstep {

void Group::begin(const PreparedLaunch& launch, u64 linear, std::span<const u32> slots) {
  const LaunchState& state = launch.state();
  id = launch.group(linear);
  // Hardware allocates local memory in granules, of 128 bytes at least, and compilers lean on that: a vector
  // of three is loaded and stored as one of four. Sixteen bytes cover the widest such access.
  local.assign((std::size_t{state.local_bytes} + 15) / 16 * 16, 0);
  waves.resize(state.waves_per_group);
  status.assign(state.waves_per_group, WaveStatus::running);
  running = state.waves_per_group;
  at_barrier = 0;
  for (u32 i = 0; i < state.waves_per_group; ++i) {
    WaveState& wave = waves[i];
    wave.index_in_group = i;
    wave.slot = slots[i];
    wave.local = local;
    if (i != 0) wave.group_state = waves[0].group_state;
    launch.module().isa->begin_wave(wave, state, id);
  }
}

void Group::release_barrier() {
  for (WaveStatus& wave : status) {
    if (wave == WaveStatus::at_barrier) wave = WaveStatus::running;
  }
  running = at_barrier;
  at_barrier = 0;
}

void Group::arrive(u32 wave) {
  status[wave] = WaveStatus::at_barrier;
  --running;
  ++at_barrier;
}

void Group::end(u32 wave) {
  status[wave] = WaveStatus::ended;
  --running;
}

StepContext make_context(const PreparedLaunch& launch) {
  StepContext context;
  const Code& code = launch.module().code;
  context.global = launch.memory().view();
  context.index_of_word = code.index_of_word.data();
  context.text_words = code.index_of_word.size();
  // Device address of the text: what s_getpc and s_setpc deal in.
  context.text_address = code.text_address;
  return context;
}

namespace {

std::string_view access_name(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    default:
      return "atomic";
  }
}

// Where the address lies in relation to the allocations.
std::string allocation_note(const PreparedLaunch& launch, u64 address) {
  const auto near = launch.memory().nearest(address);
  if (!near) return "there are no allocations";
  if (address >= near->address && address - near->address < near->bytes) {
    return fmt::format("it begins in '{}' at byte {} of {}", near->name, address - near->address,
                       near->bytes);
  }
  if (address >= near->address) {
    return fmt::format("{} bytes behind the end of '{}' ({} bytes at {:#x})",
                       address - near->address - near->bytes, near->name, near->bytes, near->address);
  }
  return fmt::format("{} bytes before '{}' ({} bytes at {:#x})", near->address - address, near->name,
                     near->bytes, near->address);
}

// The work-item's own offset of a device address in the wave's private memory, which interleaves lanes by
// dwords.
u64 private_offset(const WaveState& wave, u64 address) {
  const u64 offset = address - wave.private_base;
  return offset / (u64{4} * wave.lanes) * 4 + offset % 4;
}

std::string fault_message(const PreparedLaunch& launch, const WaveState& wave, const Fault& fault) {
  const std::string access =
      fmt::format("{} of {} bytes at {:#x}", access_name(fault.access), fault.bytes, fault.address);
  switch (fault.kind) {
    case FaultKind::outside_memory:
      return access + " lies in no memory of the device";
    case FaultKind::outside_allocation:
      return fmt::format("{} {}: {}", access, fault.text, allocation_note(launch, fault.address));
    case FaultKind::outside_local:
      return fmt::format(
          "local {} of {} bytes at offset {:#x} lies outside the group's {} bytes of local memory",
          access_name(fault.access), fault.bytes, fault.address, wave.local.size());
    case FaultKind::outside_private:
      return fmt::format("private {} of {} bytes at offset {:#x} lies outside the work-item's {} bytes",
                         access_name(fault.access), fault.bytes, private_offset(wave, fault.address),
                         wave.private_bytes_per_lane);
    case FaultKind::misaligned:
      return access + " is not aligned as the instruction demands";
    case FaultKind::undefined_branch:
      return "a branch depends on a value that nothing wrote";
    case FaultKind::undefined_address:
      return fmt::format("the address of {} {} depends on a value that nothing wrote",
                         access_name(fault.access) == "atomic" ? "an" : "a", access_name(fault.access));
    case FaultKind::undefined_atomic:
      return fmt::format("an atomic at {:#x} {}", fault.address, fault.text);
    case FaultKind::data_race:
      return fmt::format("data race ({}): {} {}", fault.text, access,
                         fault.space == Space::local ? fmt::format("in local memory, byte {}", fault.address)
                                                     : allocation_note(launch, fault.address));
    case FaultKind::divergent_barrier:
      return "a barrier in divergent control flow";
    case FaultKind::unknown_target:
      return fmt::format("a jump to {:#x}, where no instruction is", fault.address);
    case FaultKind::past_end:
      return fmt::format("control ran past {:#x}, behind which no instruction follows", fault.address);
    case FaultKind::not_supported:
      return fmt::format("not supported: {}", fault.text);
    case FaultKind::trap:
      return "the program trapped (abort, or an assertion in the kernel)";
    case FaultKind::none:
      break;
  }
  return "no fault";
}

}  // namespace

const char* fault_code(FaultKind kind) {
  switch (kind) {
    case FaultKind::outside_memory:
    case FaultKind::outside_allocation:
    case FaultKind::outside_local:
    case FaultKind::outside_private:
      return "out-of-bounds";
    case FaultKind::misaligned:
      return "misaligned-access";
    case FaultKind::undefined_branch:
    case FaultKind::undefined_address:
    case FaultKind::undefined_atomic:
      return "uninitialised-value";
    case FaultKind::data_race:
      return "data-race";
    case FaultKind::divergent_barrier:
      return "divergent-barrier";
    case FaultKind::unknown_target:
      return "bad-jump";
    case FaultKind::past_end:
      return "past-end";
    case FaultKind::not_supported:
      return "not-supported";
    case FaultKind::trap:
    case FaultKind::none:
      break;
  }
  return "trap";
}

std::string work_item_text(const PreparedLaunch& launch, u32 group, u32 wave_in_group, u32 lane) {
  const NdRange& range = launch.state().range;
  const GroupId id = launch.group(group);
  const ItemPlace local(range, u64{wave_in_group} * launch.program().needs.wave_lanes + lane);
  std::array<u64, 3> global{};
  for (u32 i = 0; i < 3; ++i) global[i] = range.offset[i] + u64{id.id[i]} * range.local[i] + local[i];
  return fmt::format("work-item ({}, {}, {}), local ({}, {}, {}), group ({}, {}, {})", global[0], global[1],
                     global[2], local[0], local[1], local[2], id.id[0], id.id[1], id.id[2]);
}

Diagnostic describe_fault(const PreparedLaunch& launch, const WaveState& wave, u32 instruction,
                          const Fault& fault, const StepChecker* checker) {
  const Code& code = launch.module().code;
  Diagnostic diagnostic;
  diagnostic.code = fault_code(fault.kind);
  if (instruction < code.instructions.size()) {
    const u32 shown = checker != nullptr ? checker->place(wave, instruction) : instruction;
    const SourcePosition position = code.position(shown);
    if (position.line != 0) diagnostic.place = {code.files[position.file], position.line, position.column};
  }
  diagnostic.message =
      fmt::format("{}\n  kernel '{}', {}", fault_message(launch, wave, fault), launch.program().name,
                  work_item_text(launch, wave.group, wave.index_in_group, fault.lane));
  if (instruction < code.text.size()) {
    diagnostic.message += fmt::format("\n  instruction at {:#x}: {}", code.instructions[instruction].address,
                                      code.text[instruction]);
  }
  if (fault.kind == FaultKind::past_end) diagnostic.hint = fault.text;
  const std::string note =
      checker != nullptr && fault.kind != FaultKind::none ? checker->note() : std::string();
  if (!note.empty()) diagnostic.message += fmt::format("\n  {}", note);
  return diagnostic;
}

}  // namespace lockstep
