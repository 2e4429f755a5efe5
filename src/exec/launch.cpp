#include "exec/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u64 page = 256;

Diagnostic bad_range(std::string message, std::string hint = "") {
  return {"bad-range", {}, std::move(message), std::move(hint)};
}

// How a kernel comes to be compiled for larger groups.
const char* larger_groups(const Target& target) {
  if (target.vendor == Vendor::nvidia)
    return "smaller groups, or another __attribute__((reqd_work_group_size(...))) (OpenCL C) or "
           "__launch_bounds__ (CUDA C++) on the kernel";
  if (target.vendor == Vendor::amd && target.isa != IsaFamily::r600)
    return "smaller groups, or __attribute__((reqd_work_group_size(...))) or "
           "__attribute__((amdgpu_flat_work_group_size(1, N))) on the kernel";
  return "smaller groups: kernels for this GPU have no more";
}

Status check_range(const Target& target, const Program& program, const NdRange& range) {
  for (u32 i = 0; i < 3; ++i) {
    if (range.global[i] == 0 || range.local[i] == 0) return bad_range("a size of the NDRange is zero");
    const u32 required = program.needs.required_group[i];
    if (required != 0 && required != range.local[i]) {
      return bad_range(fmt::format("kernel '{}' requires groups of {}x{}x{} work-items, not {}x{}x{}",
                                   program.name, program.needs.required_group[0],
                                   program.needs.required_group[1], program.needs.required_group[2],
                                   range.local[0], range.local[1], range.local[2]));
    }
    if (range.global[i] % range.local[i] != 0) {
      return bad_range(
          fmt::format("the global size {} is not a multiple of the local size {} in dimension {}",
                      range.global[i], range.local[i], i),
          "OpenCL 1.2 wants whole groups: round the global size up and test for the end in the kernel");
    }
  }
  const u64 items = u64{range.local[0]} * range.local[1] * range.local[2];
  if (items > program.needs.most_work_items) {
    return bad_range(
        fmt::format("a group of {} work-items is more than the {} that kernel '{}' was compiled for", items,
                    program.needs.most_work_items, program.name),
        larger_groups(target));
  }
  u64 groups = 1;
  bool too_many = false;
  for (u32 i = 0; i < 3; ++i)
    too_many |= __builtin_mul_overflow(groups, range.global[i] / range.local[i], &groups);
  if (too_many || groups > 0xFFFFFFFFu) return bad_range("more than 2^32 - 1 work-groups");
  return Success{};
}

std::string parameter_name(const Program& program, std::size_t index) {
  const std::string& name = program.parameters[index].name;
  return name.empty() ? fmt::format("number {}", index) : fmt::format("'{}'", name);
}

}  // namespace

Status check_launch(const Target& target, const Program& program, const NdRange& range,
                    std::span<const ArgumentValue> values) {
  const Status checked = check_range(target, program, range);
  if (!checked) return checked.error();
  const std::size_t wanted = program.explicit_parameters();
  if (values.size() != wanted) {
    return Diagnostic{
        "wrong-arguments",
        {},
        fmt::format("kernel '{}' takes {} arguments, not {}", program.name, wanted, values.size()),
        ""};
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.kind == ParameterKind::local_pointer) {
      if (values[i].local_bytes == 0) {
        return Diagnostic{"wrong-arguments",
                          {},
                          fmt::format("argument {} of kernel '{}' is local memory and needs a size",
                                      parameter_name(program, i), program.name),
                          ""};
      }
      continue;
    }
    if (values[i].bytes.size() != parameter.bytes) {
      return Diagnostic{
          "wrong-arguments",
          {},
          fmt::format("argument {} of kernel '{}' ({}) takes {} bytes, not {}", parameter_name(program, i),
                      program.name, parameter.type_name, parameter.bytes, values[i].bytes.size()),
          ""};
    }
  }
  return Success{};
}

Expected<u64> PreparedLaunch::place(std::span<const u8> bytes, const char* name) {
  Expected<u64> address = memory_->allocate(std::max<u64>(bytes.size(), 1), page, name);
  if (!address) return address.error();
  allocations_.push_back(*address);
  const Status written = memory_->write(*address, bytes);
  if (!written) return written.error();
  written_.push_back({*address, bytes.size()});
  return *address;
}

Expected<u64> load_image(DeviceMemory& memory, const Module& module) {
  if (module.image.bytes.empty()) return u64{0};
  // The image is relocated for the address it gets, so its place is taken first.
  Expected<u64> address = memory.allocate(module.image.bytes.size(), 4096, "program image");
  if (!address) return address.error();
  Expected<std::vector<u8>> bytes = module.image_at(*address);
  const Status written = bytes ? memory.write(*address, *bytes) : Status(bytes.error());
  if (!written) {
    memory.free(*address);
    return written.error();
  }
  for (const ModuleVariable& variable : module.variables) {
    if (variable.awaits_host)
      memory.mark_unwritten(*address + (variable.address - module.image.address), variable.bytes);
  }
  return *address;
}

Expected<std::unique_ptr<PreparedLaunch>> PreparedLaunch::make(DeviceMemory& memory, const Module& module,
                                                               const Program& program, const NdRange& range,
                                                               std::span<const ArgumentValue> values,
                                                               u32 resident_waves, u64 printf_buffer_address,
                                                               u64 image_address) {
  const Status checked = check_launch(*module.target, program, range, values);
  if (!checked) return checked.error();
  std::unique_ptr<PreparedLaunch> launch(new PreparedLaunch(memory));
  LaunchState& state = launch->state_;
  state.module = &module;
  state.program = &program;
  state.range = range;
  state.printf_buffer_address = printf_buffer_address;
  const u32 lanes = program.needs.wave_lanes;
  state.waves_per_group = (range.group_items() + lanes - 1) / lanes;
  launch->resident_waves_ = std::max(resident_waves, state.waves_per_group);

  state.image_address = image_address;
  if (image_address == 0) {
    Expected<u64> loaded = load_image(memory, module);
    if (!loaded) return loaded.error();
    if (*loaded != 0) launch->allocations_.push_back(*loaded);
    state.image_address = *loaded;
  }

  state.private_bytes_per_item = (program.needs.private_bytes + 3) / 4 * 4;
  state.private_bytes_per_wave = (state.private_bytes_per_item * lanes + page - 1) / page * page;
  if (state.private_bytes_per_wave > 0) {
    Expected<u64> address =
        memory.allocate(state.private_bytes_per_wave * launch->resident_waves_, 4096, "private memory");
    if (!address) return address.error();
    launch->allocations_.push_back(*address);
    state.private_base = *address;
  }

  // The segment begins at a multiple of 16, as the ABI has it, and compilers rely on the whole blocks that it
  // takes: LLVM loads the last three dwords as four.
  std::vector<u8> arguments = module.isa->arguments(state, values);
  arguments.resize((arguments.size() + 15) / 16 * 16);
  Expected<u64> arguments_address = launch->place(arguments, "kernel arguments");
  if (!arguments_address) return arguments_address.error();
  state.arguments_address = *arguments_address;
  Expected<u64> packet_address = launch->place(module.isa->dispatch_packet(state), "dispatch packet");
  if (!packet_address) return packet_address.error();
  state.dispatch_packet_address = *packet_address;
  return launch;
}

PreparedLaunch::~PreparedLaunch() {
  for (const u64 address : allocations_) memory_->free(address);
}

GroupId PreparedLaunch::group(u64 linear) const {
  GroupId group;
  group.linear = static_cast<u32>(linear);
  const u64 x = state_.range.groups(0), y = state_.range.groups(1);
  group.id = {static_cast<u32>(linear % x), static_cast<u32>(linear / x % y),
              static_cast<u32>(linear / (x * y))};
  return group;
}

}  // namespace lockstep
