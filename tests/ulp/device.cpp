#include "ulp/device.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "compile/build_options.h"
#include "exec/functional.h"

namespace lockstep::ulp {
namespace {

ArgumentValue address_value(u64 address) {
  ArgumentValue value;
  value.bytes.resize(sizeof address);
  std::memcpy(value.bytes.data(), &address, sizeof address);
  return value;
}

}  // namespace

Expected<Kernels> compile_functions(const std::vector<const Function*>& functions, Type type,
                                    const Target& target) {
  std::string text =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
      "#pragma OPENCL FP_CONTRACT OFF\n";
  text += fmt::format("typedef {} T;\n", format_of(type).name);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    text += fmt::format(
        "kernel void k{}(global {}* out, global const T* xs, global const T* ys, global const T* zs,\n"
        "                global const int* ns) {{\n"
        "  const size_t i = get_global_id(0);\n  const T x = xs[i], y = ys[i], z = zs[i];\n"
        "  const int n = ns[i];\n  T p;\n  int q;\n  out[i] = {};\n}}\n",
        i, functions[i]->integer ? "int" : "T", functions[i]->expression);
  }
  CompileRequest request;
  request.path = fmt::format("math_{}.cl", format_of(type).name);
  request.source = text;
  request.language = SourceLanguage::opencl_c;
  request.target = &target;
  request.line_table = false;
  request.time_limit_ms = 600'000;
  const auto words = split_build_options(functions[0]->options);
  if (!words) return words.error();
  request.options = *words;
  auto loaded = load_program(request);
  if (!loaded) return loaded.error();
  return Kernels{&target, std::move(*loaded)};
}

Expected<std::vector<f64>> run_function(const Kernels& kernels, std::size_t number, const Function& function,
                                        Type type, const std::vector<Arguments>& arguments) {
  constexpr u32 group = 256;
  const std::size_t count = (arguments.size() + group - 1) / group * group;
  const u32 bytes = format_of(type).bytes, result_bytes = function.integer ? 4 : bytes;
  std::array<std::vector<u8>, 4> inputs;
  for (std::size_t k = 0; k < 3; ++k) inputs[k].resize(count * bytes);
  inputs[3].resize(count * 4);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    store(arguments[i].x, type, &inputs[0][i * bytes]);
    store(arguments[i].y, type, &inputs[1][i * bytes]);
    store(arguments[i].z, type, &inputs[2][i * bytes]);
    std::memcpy(&inputs[3][i * 4], &arguments[i].n, 4);
  }
  DeviceMemory memory(u64{1} << 30);
  const auto out = memory.allocate(count * result_bytes, 256, "out");
  if (!out) return out.error();
  std::vector<ArgumentValue> values = {address_value(*out)};
  for (const std::vector<u8>& input : inputs) {
    const auto address = memory.allocate(input.size(), 256, "arguments");
    if (!address) return address.error();
    if (const Status written = memory.write(*address, input); !written) return written.error();
    values.push_back(address_value(*address));
  }
  const Module& module = *kernels.program.module;
  const auto program = find_kernel(module, fmt::format("k{}", number));
  if (!program) return program.error();
  NdRange range;
  range.global[0] = count;
  range.local[0] = group;
  const u32 waves = functional_resident_waves(range, (*program)->needs.wave_lanes, 64 * 40);
  const auto prepared = PreparedLaunch::make(memory, module, **program, range, values, waves);
  if (!prepared) return prepared.error();
  if (const auto done = run_functional(**prepared, {}); !done) return done.error();
  std::vector<u8> results(count * result_bytes);
  if (const Status read = memory.read(*out, results); !read) return read.error();
  std::vector<f64> given(arguments.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (function.integer) {
      i32 whole;
      std::memcpy(&whole, &results[i * 4], 4);
      given[i] = whole;
    } else {
      given[i] = load(type, &results[i * bytes]);
    }
  }
  return given;
}

}  // namespace lockstep::ulp
