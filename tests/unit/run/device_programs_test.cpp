// What a device keeps of programs from launch to launch is known by what they are, not by their names.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "exec/launch.h"
#include "machine/machine.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "time/source/live.h"
#include "time/timing.h"

namespace lockstep {
namespace {

std::unique_ptr<Module> compiled(const Target& target, const std::string& turns) {
  CompileRequest request;
  request.path = "work.cl";
  request.source =
      "__kernel void work(__global int* out) {\n  int v = get_global_id(0);\n  for (int i = 0; i < " + turns +
      "; ++i) v = v * v + 3;\n  out[get_global_id(0)] = v;\n}\n";
  request.language = SourceLanguage::opencl_c;
  request.target = &target;
  Expected<LoadedProgram> loaded = load_program(request);
  if (loaded.ok()) return std::move(loaded->module);
  ADD_FAILURE() << to_string(loaded.error());
  return nullptr;
}

class DevicePrograms : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    machine_ = std::make_unique<Machine>(*load_machine(machine_directory(), GetParam()));
    buffer_ = *memory_.allocate(1 << 16, 4096, "out");
  }
  std::unique_ptr<TimedDevice> device() { return std::move(*TimedDevice::make(*machine_)); }
  u64 cycles(TimedDevice& device, const Module& module, u32 local) {
    const Expected<const Program*> program = find_kernel(module, "work");
    NdRange range;
    range.global = {1024, 1, 1};
    range.local = {local, 1, 1};
    std::vector<ArgumentValue> arguments(1);
    arguments[0].bytes.resize(sizeof(buffer_));
    std::memcpy(arguments[0].bytes.data(), &buffer_, sizeof(buffer_));
    const auto launch = PreparedLaunch::make(memory_, module, **program, range, arguments, 16384);
    if (!launch.ok()) {
      ADD_FAILURE() << to_string(launch.error());
      return 0;
    }
    LiveFactory sources(**launch);
    device.make_cold();
    const auto result = device.launch(timed_launch(**launch), sources, {});
    if (result.ok()) return result->cycles;
    ADD_FAILURE() << to_string(result.error());
    return 0;
  }

  std::unique_ptr<Machine> machine_;
  DeviceMemory memory_{u64{64} << 20};
  u64 buffer_ = 0;
};

TEST_P(DevicePrograms, OnesOfTheSameNameAreTimedAsOnANewDevice) {
  const std::unique_ptr<Module> few = compiled(*machine_->target, "9"),
                                many = compiled(*machine_->target, "90");
  ASSERT_TRUE(few != nullptr && many != nullptr);
  const std::unique_ptr<TimedDevice> shared = device();
  std::vector<u64> seen;
  for (const u32 local : {64u, 256u}) {
    for (const Module* module : {few.get(), many.get(), few.get()}) {
      seen.push_back(cycles(*shared, *module, local));
      EXPECT_EQ(seen.back(), cycles(*device(), *module, local)) << "groups of " << local;
    }
  }
  EXPECT_LT(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

INSTANTIATE_TEST_SUITE_P(Gpus, DevicePrograms, testing::Values("mi25", "h200", "gtx1080", "hd530", "hd5870"));

}  // namespace
}  // namespace lockstep
