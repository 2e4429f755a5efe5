#include "cases/vliw_run.h"

#include <algorithm>
#include <cstring>

#include "exec/check/shadow.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/wave.h"

namespace lockstep::cases {
namespace {

constexpr u32 lanes = 64;

check::WaveShadow& shadow_of(const WaveState& wave) {
  return static_cast<check::WaveShadow&>(*wave.checked);
}

}  // namespace

VliwRun::VliwRun(const Module& module, const std::vector<u8>& constants,
                 const std::optional<ImageDescription>& image, bool tracked)
    : module_(module), memory_(u64{1} << 24) {
  if (tracked) memory_.track_written();
  ArgumentValue argument;
  argument.bytes = constants;
  if (image) {
    auto made = make_image(memory_, *module.target, *image, std::vector<u8>(image->host_bytes()), "image");
    if (!made) {
      problem_ = to_string(made.error()) + "\n";
      return;
    }
    image_ = *made;
    memory_bytes_ = image->host_bytes();
    argument.bytes.resize(8);
    std::memcpy(argument.bytes.data(), &image_->descriptor, 8);
  } else {
    const auto buffer = memory_.allocate(vliw_memory_bytes, 4096, "memory");
    if (!buffer || vliw::pointer_of(*buffer) != vliw_memory_pointer) {
      problem_ = "the buffer is not where cases expect it\n";
      return;
    }
    buffer_ = *buffer;
    memory_bytes_ = vliw_memory_bytes;
  }
  const Program* program = module.find("test");
  NdRange range;
  range.global[0] = range.local[0] = lanes;
  auto launch = PreparedLaunch::make(memory_, module, *program, range, std::span(&argument, 1), 1);
  if (!launch) {
    problem_ = to_string(launch.error()) + "\n";
    return;
  }
  launch_ = std::move(*launch);
  const u32 slot = 0;
  group_.begin(*launch_, 0, std::span(&slot, 1));
  const vliw::RowLayout& layout = static_cast<const vliw::VliwProgram&>(*program->isa).layout;
  rows_ = 4 * layout.general;
  address_row_ = layout.address();
  for (u32 row = 0; row < layout.rows(); ++row) std::memset(wave().row(row), 0, 4 * lanes);
  if (!tracked) return;
  checker_.emplace(*launch_, CheckSelection::all(), &log_);
  checker_->begin(group_.waves);
  check::WaveShadow& shadow = shadow_of(wave());
  std::fill(shadow.undefined_lanes.begin(), shadow.undefined_lanes.end(), u64{0});
  shadow.scalar.fill(0);
  shadow.condition = false;
  std::fill(shadow.local_memory->begin(), shadow.local_memory->end(), u8{0});
}

u64 VliwRun::address_of(u64 byte) const {
  if (!image_) return buffer_ + byte;
  const u64 texel = texel_bytes(image_->description.format), number = byte / texel;
  const u64 width = image_->description.width;
  return image_->texel_address(number % width, number / width, 0) + byte % texel;
}

VliwState VliwRun::state() const {
  VliwState made;
  for (u32 row = 0; row <= rows_; ++row) {
    const u32* from = wave().row(row < rows_ ? row : address_row_);
    made.registers.insert(made.registers.end(), from, from + lanes);
  }
  made.local.assign(wave().local.begin(), wave().local.end());
  made.memory.resize(memory_bytes_);
  for (u64 i = 0; i < memory_bytes_; ++i) made.memory[i] = *memory_.view().at(address_of(i));
  made.predicate = wave().read_mask(vliw::fixed_scalar::predicate);
  made.exec = wave().exec();
  return made;
}

void VliwRun::set(const VliwState& state) {
  for (u32 row = 0; row <= rows_; ++row)
    std::copy_n(state.registers.begin() + std::ptrdiff_t{row} * lanes, lanes,
                wave().row(row < rows_ ? row : address_row_));
  std::copy(state.local.begin(), state.local.end(), wave().local.begin());
  for (u64 i = 0; i < memory_bytes_; ++i) {
    *memory_.view().at(address_of(i)) = state.memory[i];
    if (memory_.tracks_written()) memory_.mark_written(address_of(i), 1);
  }
  wave().write_mask(vliw::fixed_scalar::predicate, state.predicate);
  wave().set_exec(state.exec);
}

void VliwRun::undefine(const VliwState& bits) {
  check::WaveShadow& shadow = shadow_of(wave());
  for (u32 row = 0; row <= rows_; ++row)
    for (u32 lane = 0; lane < lanes; ++lane)
      shadow.set(row < rows_ ? row : address_row_, lane, bits.registers[std::size_t{row} * lanes + lane]);
  std::copy(bits.local.begin(), bits.local.end(), shadow.local_memory->begin());
  for (u64 i = 0; i < memory_bytes_; ++i)
    if (bits.memory[i] != 0) memory_.mark_unwritten(address_of(i), 1);
  shadow.set_mask(vliw::fixed_scalar::predicate, bits.predicate, {});
}

VliwState VliwRun::undefined() const {
  const check::WaveShadow& shadow = shadow_of(wave());
  VliwState made;
  for (u32 row = 0; row <= rows_; ++row)
    for (u32 lane = 0; lane < lanes; ++lane)
      made.registers.push_back(shadow.undefined(row < rows_ ? row : address_row_, lane));
  made.local = *shadow.local_memory;
  for (u64 i = 0; i < memory_bytes_; ++i)
    made.memory.push_back(memory_.written_mask(address_of(i), 1) != 0 ? 0 : 0xFF);
  made.predicate = shadow.mask_bits(vliw::fixed_scalar::predicate);
  return made;
}

std::optional<Diagnostic> VliwRun::execute(Way way, std::string& story) {
  Record record;
  std::optional<RegisterWatch> watch;
  if (way == Way::registers) watch.emplace(module_, *module_.find("test"));
  StepChecker* looks = nullptr;
  if (watch) looks = &*watch;
  if (way == Way::checked) looks = &*checker_;
  auto fault = step_group(*launch_, group_, looks, way == Way::timed ? &record : nullptr, 1000);
  if (watch) story = watch->story();
  return fault;
}

std::vector<std::string> VliwRun::alarms() const {
  std::vector<std::string> list;
  for (const Diagnostic& alarm : log_.kept()) list.push_back(to_string(alarm));
  return list;
}

}  // namespace lockstep::cases
