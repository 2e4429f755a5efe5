// Kernels in AMD assembly, all of a target's in one program, timed one by one on a machine.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/launch.h"
#include "machine/machine.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "time/source/live.h"
#include "time/timing.h"

namespace lockstep::amd_assembly {

struct Kernel {
  std::string name;
  std::string code;  // without s_endpgm
  u32 vector = 64;
  u32 local_bytes = 0;
};

inline u32 wave_lanes(const Target& target) {
  return target.major >= 10 ? 32 : 64;
}

// Every kernel gets a 64-bit argument, to which s[0:1] point.
inline std::string program(const Target& target, const std::vector<Kernel>& kernels) {
  std::string text = fmt::format(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.text\n", target.name);
  for (const Kernel& kernel : kernels) {
    text += fmt::format(
        ".globl {0}\n.p2align 8\n.type {0},@function\n{0}:\n{1}  s_endpgm\n.Lend_{0}:\n.size {0}, "
        ".Lend_{0}-{0}\n",
        kernel.name, kernel.code);
  }
  text += ".rodata\n";
  for (const Kernel& kernel : kernels) {
    text += fmt::format(
        ".p2align 6\n.amdhsa_kernel {}\n  .amdhsa_next_free_vgpr {}\n  .amdhsa_next_free_sgpr 64\n"
        "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_kernarg_size 8\n"
        "  .amdhsa_group_segment_fixed_size {}\n",
        kernel.name, kernel.vector, kernel.local_bytes);
    if (target.major >= 10) text += "  .amdhsa_wavefront_size32 1\n";
    if (target.name == "gfx90a" || target.name == "gfx942")
      text += fmt::format("  .amdhsa_accum_offset {}\n", std::min(256u, kernel.vector));
    text += ".end_amdhsa_kernel\n";
  }
  text += ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n";
  for (const Kernel& kernel : kernels) {
    text += fmt::format(
        "  - .name: {0}\n    .symbol: {0}.kd\n    .kernarg_segment_size: 8\n    .kernarg_segment_align: 8\n"
        "    .group_segment_fixed_size: {3}\n    .private_segment_fixed_size: 0\n    .wavefront_size: {1}\n"
        "    .sgpr_count: 64\n    .vgpr_count: {2}\n    .max_flat_workgroup_size: 1024\n"
        "    .args:\n      - .size: 8\n        .offset: 0\n        .value_kind: by_value\n",
        kernel.name, wave_lanes(target), kernel.vector, kernel.local_bytes);
  }
  return text + "...\n.end_amdgpu_metadata\n";
}

inline std::unique_ptr<Module> assembled(const Target& target, const std::vector<Kernel>& kernels) {
  CompileRequest request;
  request.path = "rates.s";
  request.source = program(target, kernels);
  request.language = SourceLanguage::assembly;
  request.target = &target;
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) {
    ADD_FAILURE() << target.name << ": " << to_string(loaded.error());
    return nullptr;
  }
  return std::move(loaded->module);
}

// The bytes of a kernel's argument.
template <class T>
ArgumentValue argument_value(T of) {
  ArgumentValue made;
  made.bytes.resize(sizeof(T));
  std::memcpy(made.bytes.data(), &of, sizeof(T));
  return made;
}

// A machine with its device, on which the kernels of a program run one after the other.
class Bench {
 public:
  Bench(const std::string& gpu, const Module& module) : module_(module) {
    machine_ = std::make_unique<Machine>(*load_machine(machine_directory(), gpu));
    auto device = TimedDevice::make(*machine_);
    if (device.ok()) {
      device_ = std::move(*device);
    } else {
      ADD_FAILURE() << to_string(device.error());
    }
    buffer_ = *memory_.allocate(1 << 24, 4096, "buffer");
  }
  const Machine& machine() const { return *machine_; }
  DeviceMemory& memory() { return memory_; }
  u64 buffer() const { return buffer_; }
  TimedDevice& device() { return *device_; }

  TimingResult run(const std::string& kernel, u64 argument, u32 groups, u32 group_items) {
    const Expected<const Program*> program = find_kernel(module_, kernel);
    if (!program.ok()) {
      ADD_FAILURE() << to_string(program.error());
      return {};
    }
    const std::vector<ArgumentValue> values((*program)->explicit_parameters(), argument_value(argument));
    return run_with(kernel, values, groups, group_items);
  }
  TimingResult run_with(const std::string& kernel, const std::vector<ArgumentValue>& values, u32 groups,
                        u32 group_items) {
    const Expected<const Program*> program = find_kernel(module_, kernel);
    if (!program.ok()) {
      ADD_FAILURE() << to_string(program.error());
      return {};
    }
    NdRange range;
    range.global = {u64{groups} * group_items, 1, 1};
    range.local = {group_items, 1, 1};
    const auto launch = PreparedLaunch::make(memory_, module_, **program, range, values, 16384);
    if (!launch.ok()) {
      ADD_FAILURE() << to_string(launch.error());
      return {};
    }
    LiveFactory sources(**launch);
    const auto result = device_->launch(timed_launch(**launch), sources, {});
    if (!result.ok()) {
      ADD_FAILURE() << machine_->id << " " << kernel << ": " << to_string(result.error());
      return {};
    }
    return *result;
  }
  u64 cycles(const std::string& kernel, u64 argument, u32 groups = 1, u32 group_items = 0) {
    return run(kernel, argument, groups, group_items == 0 ? wave_lanes(*machine_->target) : group_items)
        .cycles;
  }

 private:
  const Module& module_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<TimedDevice> device_;
  DeviceMemory memory_{u64{64} << 20};
  u64 buffer_ = 0;
};

// `body` in a loop of as many rounds as the argument says; s32 counts. `name`: the kernel's.
inline std::string loop(const Target& target, const std::string& name, const std::string& body) {
  const char* load = target.major >= 11 ? "s_load_b32" : "s_load_dword";
  const char* wait = target.major >= 12 ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)";
  return fmt::format(
      "  {1} s32, s[0:1], 0x0\n  {2}\n.Lloop_{0}:\n{3}  s_add_i32 s32, s32, -1\n  s_cmp_lg_u32 s32, 0\n"
      "  s_cbranch_scc1 .Lloop_{0}\n",
      name, load, wait, body);
}

// Two kernels, NAME_0 and NAME_1, whose times give the cost of one repetition of what `part` makes (it gets
// the repetition's number): two lengths of a loop, each for two numbers of rounds. What they share cancels
// out.
inline constexpr u32 lengths[] = {16, 48}, rounds[] = {4, 8};
template <class Part>
void add_repeated(std::vector<Kernel>& kernels, const Target& target, const std::string& name, u32 vector,
                  const Part& part) {
  for (u32 i = 0; i < 2; ++i) {
    std::string body;
    for (u32 n = 0; n < lengths[i]; ++n) body += "  " + part(n) + "\n";
    const std::string full = fmt::format("{}_{}", name, i);
    kernels.push_back({full, loop(target, full, body), vector});
  }
}
inline f64 cost_of_one(Bench& bench, const std::string& name, u32 groups = 1, u32 group_items = 0) {
  std::array<f64, 2> per_round;
  for (u32 i = 0; i < 2; ++i) {
    const std::string kernel = fmt::format("{}_{}", name, i);
    bench.cycles(kernel, rounds[0], groups, group_items);  // its code is in the second level then
    const f64 few = static_cast<f64>(bench.cycles(kernel, rounds[0], groups, group_items));
    const f64 many = static_cast<f64>(bench.cycles(kernel, rounds[1], groups, group_items));
    per_round[i] = (many - few) / (rounds[1] - rounds[0]);
  }
  return (per_round[1] - per_round[0]) / (lengths[1] - lengths[0]);
}

}  // namespace lockstep::amd_assembly
