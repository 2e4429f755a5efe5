// A program compiled for a target, and launches of its kernels whose buffers are vectors of the test.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "exec/functional.h"
#include "exec/launch.h"
#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {

// HIP or CUDA source as a test has it.
inline CompileRequest gpu_cxx_source(SourceLanguage language, const std::string& source,
                                     const std::string& target) {
  CompileRequest request;
  request.path = language == SourceLanguage::hip ? "kernel.hip" : "kernel.cu";
  request.source = source;
  request.language = language;
  request.target = find_target(target);
  return request;
}

class FunctionalLaunch {
 public:
  static constexpr u64 page = 256;

  explicit FunctionalLaunch(const CompileRequest& request) {
    Expected<LoadedProgram> loaded = load_program(request);
    if (!loaded.ok()) {
      ADD_FAILURE() << request.target->name << ": " << to_string(loaded.error());
      return;
    }
    module_ = std::move(loaded->module);
  }
  bool loaded() const { return module_ != nullptr; }
  const Module& module() const { return *module_; }
  DeviceMemory& memory() { return memory_; }

  template <class T>
  u64 buffer(const std::vector<T>& contents) {
    const u64 address = *memory_.allocate(contents.size() * sizeof(T), page, "buffer");
    EXPECT_TRUE(
        memory_.write(address, {reinterpret_cast<const u8*>(contents.data()), contents.size() * sizeof(T)})
            .ok());
    return address;
  }
  template <class T>
  std::vector<T> read(u64 address, std::size_t count) const {
    std::vector<T> contents(count);
    EXPECT_TRUE(memory_.read(address, {reinterpret_cast<u8*>(contents.data()), count * sizeof(T)}).ok());
    return contents;
  }

  void pass(u64 address) { pass_value(address); }
  template <class T>
  void pass_value(T value) {
    ArgumentValue argument;
    argument.bytes.resize(sizeof(T));
    std::memcpy(argument.bytes.data(), &value, sizeof(T));
    values_.push_back(argument);
  }

  // With the arguments passed since the last launch.
  bool run(const std::string& kernel, u32 global, u32 local, u32 dynamic_local_bytes = 0) {
    std::vector<ArgumentValue> values;
    values.swap(values_);
    const Expected<const Program*> program = find_kernel(*module_, kernel);
    if (!program.ok()) {
      ADD_FAILURE() << to_string(program.error());
      return false;
    }
    NdRange range;
    range.global = {global, 1, 1};
    range.local = {local, 1, 1};
    range.dynamic_local_bytes = dynamic_local_bytes;
    auto launch = PreparedLaunch::make(memory_, *module_, **program, range, values, 2);
    if (!launch.ok()) {
      ADD_FAILURE() << to_string(launch.error());
      return false;
    }
    FunctionalOptions options;
    options.instructions_per_wave = 10'000'000;
    const Expected<FunctionalResult> result = run_functional(**launch, options);
    if (!result.ok())
      ADD_FAILURE() << module_->target->name << " " << kernel << ": " << to_string(result.error());
    return result.ok();
  }

 private:
  DeviceMemory memory_{u64{256} << 20};
  std::unique_ptr<Module> module_;
  std::vector<ArgumentValue> values_;
};

}  // namespace lockstep
