// A PTX kernel with buffers of words, driven through a live source.
#pragma once
#include <cstring>

#include "isa/nv/module.h"
#include "machine/target.h"
#include "source_drive.h"
#include "time/source/live.h"
#include "time/timing.h"

namespace lockstep {

inline const std::string ptx_head = ".version 7.8\n.target sm_70\n.address_size 64\n";

// A PTX kernel whose arguments are buffers of words.
struct Kernel {
  DeviceMemory memory{u64{64} << 20};
  std::unique_ptr<Module> module;
  std::vector<u64> buffers;
  std::vector<u32> sizes;
  std::vector<ArgumentValue> values;
  NdRange range;

  Kernel(const std::string& text, u32 groups, u32 items) {
    auto loaded = nv::load_module(ptx_head + text, *find_target("sm_70"), "test.ptx");
    if (!loaded.ok()) {
      ADD_FAILURE() << to_string(loaded.error());
      return;
    }
    module = std::move(*loaded);
    range.global = {u64{groups} * items, 1, 1};
    range.local = {items, 1, 1};
  }
  void buffer(std::vector<u32> words) {
    const u64 address = *memory.allocate(words.size() * 4, 256, "buffer");
    EXPECT_TRUE(memory.write(address, {reinterpret_cast<const u8*>(words.data()), words.size() * 4}).ok());
    buffers.push_back(address);
    sizes.push_back(static_cast<u32>(words.size()));
    ArgumentValue value;
    value.bytes.resize(8);
    std::memcpy(value.bytes.data(), &address, 8);
    values.push_back(value);
  }
  std::vector<u32> read(u32 index) {
    std::vector<u32> words(sizes[index]);
    EXPECT_TRUE(memory.read(buffers[index], {reinterpret_cast<u8*>(words.data()), words.size() * 4}).ok());
    return words;
  }
  u64 printf_buffer = 0;
  std::unique_ptr<PreparedLaunch> prepare(u32 resident_waves) {
    auto launch = PreparedLaunch::make(memory, *module, module->programs[0], range, values, resident_waves,
                                       printf_buffer);
    if (launch.ok()) return std::move(*launch);
    ADD_FAILURE() << to_string(launch.error());
    return nullptr;
  }
  TimedLaunch timed(const PreparedLaunch& launch) const {
    TimedLaunch timed;
    timed.code = module->code.instructions;
    timed.program = &module->programs[0];
    timed.module = module.get();
    timed.range = range;
    timed.local_bytes = launch.state().local_bytes;
    return timed;
  }
  std::optional<Diagnostic> drive(const DriveOptions& options, Drive** out = nullptr) {
    const u32 waves = static_cast<u32>((range.local[0] + 31) / 32);
    launch_ = prepare(Drive::resident_waves(options, waves));
    factory_ = std::make_unique<LiveFactory>(*launch_, nullptr, u64{1} << 20);
    drive_ = std::make_unique<Drive>(*factory_, *launch_, options);
    if (out != nullptr) *out = drive_.get();
    std::optional<Diagnostic> error = drive_->run();
    return error;
  }

 private:
  std::unique_ptr<PreparedLaunch> launch_;
  std::unique_ptr<LiveFactory> factory_;
  std::unique_ptr<Drive> drive_;
};

// tickets[i] = counter++; sum += i; then sum is read by who drew the last ticket.
inline const std::string tickets = R"(
.visible .entry tickets(.param .u64 p0, .param .u64 p1, .param .u64 p2) {
  .reg .b64 %rd<8>; .reg .b32 %r<12>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  red.global.add.u32 [%rd2+4], %r4;
  atom.global.add.u32 %r5, [%rd2], 1;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r5;
  atom.global.add.u32 %r6, [%rd2+8], 2;
  atom.global.max.u32 %r7, [%rd2+12], %r4;
  mul.wide.u32 %rd6, %r5, 4;
  add.s64 %rd7, %rd3, %rd6;
  st.global.u32 [%rd7], %r6;
  ret;
})";

}  // namespace lockstep
