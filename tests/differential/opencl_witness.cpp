// An ordinary OpenCL host program that runs corpus cases on any OpenCL platform. It writes what the kernels
// left in the compared buffers, or compares it with results written before:
//
//   opencl_witness [--platform TEXT] --write DIRECTORY [--force] CASE.cl...
//   opencl_witness [--platform TEXT] --expect DIRECTORY CASE.cl...
//
// Written results are kept until the case's text or the platform changes. Cases with "witness: reference" are
// written from the C++ reference; where the platform can run them too, its results must agree. Exit code: 0
// all agree, 1 a case failed, 2 wrong usage or no such platform.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "corpus/compare.h"
#include "reference.h"

namespace lockstep::corpus {
namespace {

struct Device {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::string name;  // platform, version and device
  std::string extensions;
  bool images = false;
};

Diagnostic opencl_error(const Case& test, u32 line, const std::string& call, cl_int code) {
  return Diagnostic{"opencl-error", Place{test.path, line, 0}, fmt::format("{} failed with {}", call, code),
                    ""};
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  size_t size = 0;
  clGetPlatformInfo(platform, what, 0, nullptr, &size);
  std::string text(size, '\0');
  clGetPlatformInfo(platform, what, size, text.data(), nullptr);
  return text.c_str();
}

std::string device_text(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  clGetDeviceInfo(device, what, 0, nullptr, &size);
  std::string text(size, '\0');
  clGetDeviceInfo(device, what, size, text.data(), nullptr);
  return text.c_str();
}

// Whether the device's compiler finds a preprocessor condition true.
bool compiles(const Device& device, const char* condition) {
  const std::string text = fmt::format(
      "#if !({})\n#error\n#endif\n__kernel void probe(__global int* a) {{ *a = 0; }}\n", condition);
  const char* probe = text.c_str();
  cl_program program = clCreateProgramWithSource(device.context, 1, &probe, nullptr, nullptr);
  const bool good =
      program != nullptr && clBuildProgram(program, 1, &device.id, "", nullptr, nullptr) == CL_SUCCESS;
  if (program != nullptr) {
    clReleaseProgram(program);
  }
  return good;
}

bool keeps_denormals(const Device& device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device.id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
  return (config & CL_FP_DENORM) != 0;
}

Expected<Device> open_device(const std::string& wanted) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  std::string names;
  for (cl_platform_id platform : platforms) {
    const std::string name = platform_text(platform, CL_PLATFORM_NAME);
    names += "'" + name + "' ";
    if (name.find(wanted) == name.npos) {
      continue;
    }
    Device device;
    device.platform = platform;
    cl_int error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device.id, nullptr);
    if (error == CL_SUCCESS) {
      device.context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &error);
    }
    if (error == CL_SUCCESS) {
      device.queue = clCreateCommandQueue(device.context, device.id, 0, &error);
    }
    if (error != CL_SUCCESS) {
      return Diagnostic{
          "opencl-error", {}, fmt::format("platform '{}' gives no device or queue ({})", name, error), ""};
    }
    device.name = name + ", " + platform_text(platform, CL_PLATFORM_VERSION) + ", " +
                  device_text(device.id, CL_DEVICE_NAME);
    device.extensions = " " + device_text(device.id, CL_DEVICE_EXTENSIONS) + " ";
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(device.id, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr);
    device.images = images == CL_TRUE;
    return device;
  }
  return Diagnostic{
      "no-platform", {}, "no OpenCL platform's name contains '" + wanted + "'", "present: " + names};
}

bool can_run(const Device& device, const Case& test, std::string& missing) {
  for (const std::string& need : test.needs) {
    const auto has = [&](std::string_view extension) {
      return device.extensions.find(fmt::format(" {} ", extension)) != device.extensions.npos;
    };
    const bool good = need == "fp16"   ? has("cl_khr_fp16")
                      : need == "fp64" ? has("cl_khr_fp64")
                      : need == "int64_atomics"
                          ? has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics")
                      : need == "images"          ? device.images
                      : need == "image_writes_3d" ? device.images && has("cl_khr_3d_image_writes")
                      : need == "amdgcn"          ? compiles(device, "defined(__AMDGCN__)")
                      : need == "wave64"          ? compiles(device, "__AMDGCN_WAVEFRONT_SIZE == 64")
                      : need == "denormals"       ? keeps_denormals(device)
                      : need == "gfx8_dpp"        ? compiles(device, "defined(__GFX9__) || defined(__GFX8__)")
                      : need == "subgroups"       ? has("cl_khr_subgroups")
                                                  : false;
    if (!good) {
      missing = need;
      return false;
    }
  }
  return true;
}

cl_image_format image_format(const ImageFormat& format) {
  const u32 bytes = bytes_of(format.storage);
  cl_image_format result = {};
  result.image_channel_order = format.channels == 1 ? CL_R : format.channels == 2 ? CL_RG : CL_RGBA;
  switch (format.type) {
    case ChannelType::unorm8:
      result.image_channel_data_type = CL_UNORM_INT8;
      break;
    case ChannelType::signed_integer:
      result.image_channel_data_type = bytes == 1   ? CL_SIGNED_INT8
                                       : bytes == 2 ? CL_SIGNED_INT16
                                                    : CL_SIGNED_INT32;
      break;
    case ChannelType::unsigned_integer:
      result.image_channel_data_type = bytes == 1   ? CL_UNSIGNED_INT8
                                       : bytes == 2 ? CL_UNSIGNED_INT16
                                                    : CL_UNSIGNED_INT32;
      break;
    case ChannelType::real:
      result.image_channel_data_type = bytes == 2 ? CL_HALF_FLOAT : CL_FLOAT;
      break;
  }
  return result;
}

cl_mem create_image(const Device& device, const Argument& argument, const std::vector<u8>& contents,
                    cl_int* error) {
  const cl_image_format format = image_format(argument.format);
  cl_image_desc description = {};
  description.image_width = argument.extent[0];
  description.image_height = 1;
  description.image_depth = 1;
  description.image_array_size = 1;
  void* pixels = const_cast<u8*>(contents.data());
  switch (argument.shape) {
    case ImageShape::d1:
      description.image_type = CL_MEM_OBJECT_IMAGE1D;
      break;
    case ImageShape::d1_array:
      description.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
      description.image_array_size = argument.extent[1];
      break;
    case ImageShape::d2:
      description.image_type = CL_MEM_OBJECT_IMAGE2D;
      description.image_height = argument.extent[1];
      break;
    case ImageShape::d3:
      description.image_type = CL_MEM_OBJECT_IMAGE3D;
      description.image_height = argument.extent[1];
      description.image_depth = argument.extent[2];
      break;
    case ImageShape::d2_array:
      description.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
      description.image_height = argument.extent[1];
      description.image_array_size = argument.extent[2];
      break;
    case ImageShape::d1_buffer: {
      // Lies over a buffer, which the image keeps alive.
      description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
      cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     contents.size(), pixels, error);
      if (*error != CL_SUCCESS) return nullptr;
      description.buffer = buffer;
      cl_mem image = clCreateImage(device.context, CL_MEM_READ_WRITE, &format, &description, nullptr, error);
      clReleaseMemObject(buffer);
      return image;
    }
  }
  return clCreateImage(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description,
                       pixels, error);
}

cl_sampler create_sampler(const Device& device, const Sampler& sampler, cl_int* error) {
  const cl_addressing_mode addressing = sampler.addressing == "none"            ? CL_ADDRESS_NONE
                                        : sampler.addressing == "clamp_to_edge" ? CL_ADDRESS_CLAMP_TO_EDGE
                                        : sampler.addressing == "clamp"         ? CL_ADDRESS_CLAMP
                                        : sampler.addressing == "repeat"        ? CL_ADDRESS_REPEAT
                                                                                : CL_ADDRESS_MIRRORED_REPEAT;
  return clCreateSampler(device.context, sampler.normalized ? CL_TRUE : CL_FALSE, addressing,
                         sampler.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, error);
}

// The OpenCL objects of one case, released together.
struct Objects {
  cl_program program = nullptr;
  std::vector<cl_mem> memory;
  std::vector<cl_sampler> samplers;
  std::vector<cl_kernel> kernels;

  Objects() = default;
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  ~Objects() {
    for (cl_kernel kernel : kernels) {
      clReleaseKernel(kernel);
    }
    for (cl_sampler sampler : samplers) {
      if (sampler != nullptr) {
        clReleaseSampler(sampler);
      }
    }
    for (cl_mem memory_object : memory) {
      if (memory_object != nullptr) {
        clReleaseMemObject(memory_object);
      }
    }
    if (program != nullptr) {
      clReleaseProgram(program);
    }
  }
};

Status build(const Device& device, const Case& test, Objects& objects) {
  const char* text = test.source.c_str();
  cl_int error = CL_SUCCESS;
  objects.program = clCreateProgramWithSource(device.context, 1, &text, nullptr, &error);
  if (error != CL_SUCCESS) {
    return opencl_error(test, 0, "clCreateProgramWithSource", error);
  }
  error = clBuildProgram(objects.program, 1, &device.id, test.options.c_str(), nullptr, nullptr);
  if (error != CL_SUCCESS) {
    size_t size = 0;
    clGetProgramBuildInfo(objects.program, device.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(objects.program, device.id, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return Diagnostic{"build-failed", Place{test.path, 0, 0},
                      fmt::format("clBuildProgram failed with {}\n{}", error, log.c_str()), ""};
  }
  return Success{};
}

Status launch(const Device& device, const Case& test, const Launch& launch, const Contents& contents,
              Objects& objects) {
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(objects.program, launch.kernel.c_str(), &error);
  if (error != CL_SUCCESS) {
    return opencl_error(test, launch.line, "clCreateKernel", error);
  }
  objects.kernels.push_back(kernel);
  for (u32 position = 0; position < launch.arguments.size(); ++position) {
    const u32 index = launch.arguments[position];
    const Argument& argument = test.arguments[index];
    switch (argument.kind) {
      case ArgumentKind::scalar: {
        const std::vector<u8> bytes = scalar_bytes(argument);
        error = clSetKernelArg(kernel, position, bytes.size(), bytes.data());
        break;
      }
      case ArgumentKind::local:
        error = clSetKernelArg(kernel, position, argument.bytes(), nullptr);
        break;
      case ArgumentKind::sampler:
        error = clSetKernelArg(kernel, position, sizeof(cl_sampler), &objects.samplers[index]);
        break;
      case ArgumentKind::buffer:
      case ArgumentKind::image:
        error = clSetKernelArg(kernel, position, sizeof(cl_mem), &objects.memory[index]);
        break;
    }
    if (error != CL_SUCCESS) {
      return opencl_error(test, argument.line, "clSetKernelArg of '" + argument.name + "'", error);
    }
  }
  (void)contents;
  size_t global[3];
  size_t local[3];
  size_t offset[3];
  for (u32 i = 0; i < 3; ++i) {
    global[i] = launch.global[i];
    local[i] = launch.local[i];
    offset[i] = launch.offset[i];
  }
  error = clEnqueueNDRangeKernel(device.queue, kernel, launch.dimensions, offset, global, local, 0, nullptr,
                                 nullptr);
  if (error != CL_SUCCESS) {
    return opencl_error(test, launch.line, "clEnqueueNDRangeKernel", error);
  }
  return Success{};
}

// Runs all launches of a case and returns what the compared arguments hold afterwards.
Expected<Contents> run(const Device& device, const Case& test) {
  Objects objects;
  if (Status status = build(device, test, objects); !status.ok()) {
    return status.error();
  }
  Contents contents = initial_contents(test);
  cl_int error = CL_SUCCESS;
  objects.memory.assign(test.arguments.size(), nullptr);
  objects.samplers.assign(test.arguments.size(), nullptr);
  for (u32 i = 0; i < test.arguments.size() && error == CL_SUCCESS; ++i) {
    const Argument& argument = test.arguments[i];
    if (argument.kind == ArgumentKind::buffer) {
      objects.memory[i] = clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         contents[i].size(), contents[i].data(), &error);
    } else if (argument.kind == ArgumentKind::image) {
      objects.memory[i] = create_image(device, argument, contents[i], &error);
    } else if (argument.kind == ArgumentKind::sampler) {
      objects.samplers[i] = create_sampler(device, argument.sampler, &error);
    }
    if (error != CL_SUCCESS) {
      return opencl_error(test, argument.line, "creating '" + argument.name + "'", error);
    }
  }
  for (const Launch& each : test.launches) {
    if (Status status = launch(device, test, each, contents, objects); !status.ok()) {
      return status.error();
    }
  }
  for (const Comparison& comparison : test.comparisons) {
    const Argument& argument = test.arguments[comparison.argument];
    std::vector<u8>& target = contents[comparison.argument];
    if (argument.kind == ArgumentKind::image) {
      const size_t origin[3] = {0, 0, 0};
      const size_t region[3] = {argument.extent[0], argument.extent[1], argument.extent[2]};
      error = clEnqueueReadImage(device.queue, objects.memory[comparison.argument], CL_TRUE, origin, region,
                                 0, 0, target.data(), 0, nullptr, nullptr);
    } else {
      error = clEnqueueReadBuffer(device.queue, objects.memory[comparison.argument], CL_TRUE, 0,
                                  target.size(), target.data(), 0, nullptr, nullptr);
    }
    if (error != CL_SUCCESS) {
      return opencl_error(test, comparison.line, "reading '" + argument.name + "'", error);
    }
  }
  return contents;
}

Status agree(const Case& test, const Contents& expected, const Contents& actual) {
  std::string text;
  for (const Comparison& comparison : test.comparisons) {
    if (const auto mismatch =
            compare(test, comparison, expected[comparison.argument], actual[comparison.argument])) {
      text += "\n" + mismatch->text;
    }
  }
  if (text.empty()) {
    return Success{};
  }
  return Diagnostic{"wrong-result", Place{test.path, 0, 0}, "the results disagree" + text, ""};
}

struct Options {
  std::string platform = "Portable Computing Language";
  std::string directory;
  bool write = false;
  bool force = false;
  std::vector<std::string> cases;
};

// FNV-1a over what determines a written result.
std::string stamp_of(const Device& device, const Case& test) {
  u64 hash = 0xcbf29ce484222325ull;
  for (const std::string& part : {device.name, test.source, std::string("format 1")}) {
    for (const char c : part) {
      hash = (hash ^ static_cast<u8>(c)) * 0x100000001b3ull;
    }
  }
  return fmt::format("{:016x}\n", hash);
}

bool is_current(const std::string& path, const std::string& stamp) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str() == stamp;
}

Status write_results(const Options& options, const Case& test, const Contents& contents) {
  std::error_code error;
  std::filesystem::create_directories(options.directory + "/" + test.name, error);
  if (error) {
    return Diagnostic{"cannot-write", Place{options.directory, 0, 0}, error.message(), ""};
  }
  for (const Comparison& comparison : test.comparisons) {
    const Argument& argument = test.arguments[comparison.argument];
    if (Status status = write_npy(expected_path(options.directory, test, argument), argument,
                                  contents[comparison.argument]);
        !status.ok()) {
      return status;
    }
  }
  return Success{};
}

// The word that is printed for a case: "ok", "kept", or "skipped (needs ...)".
Expected<std::string> write_case(const Device& device, const Options& options, const Case& test) {
  const std::string stamp = stamp_of(device, test);
  const std::string stamp_path = options.directory + "/" + test.name + "/stamp";
  const bool current = !options.force && is_current(stamp_path, stamp);
  std::string missing;
  const bool runs_here = can_run(device, test, missing);
  Contents expected = initial_contents(test);
  if (test.witness == Witness::reference) {
    if (!run_reference(test, expected)) {
      return Diagnostic{"no-reference", Place{test.path, 0, 0},
                        "there is no reference named '" + test.name + "'",
                        "see tests/differential/reference.h"};
    }
    if (Status status = write_results(options, test, expected); !status.ok()) {
      return status.error();
    }
  }
  if (current) {
    return std::string("kept");
  }
  if (!runs_here) {
    if (test.witness == Witness::pocl) {
      return Diagnostic{"cannot-witness", Place{test.path, 0, 0}, "the platform lacks '" + missing + "'",
                        "give the case 'witness: reference'"};
    }
    return "ok, by reference only (platform lacks " + missing + ")";
  }
  const Expected<Contents> actual = run(device, test);
  if (!actual.ok()) {
    return actual.error();
  }
  const Status status = test.witness == Witness::reference ? agree(test, expected, *actual)
                                                           : write_results(options, test, *actual);
  if (!status.ok()) {
    return status.error();
  }
  std::ofstream(stamp_path) << stamp;
  return std::string("ok");
}

Expected<std::string> check_case(const Device& device, const Options& options, const Case& test) {
  std::string missing;
  if (!can_run(device, test, missing)) {
    return "skipped (platform lacks " + missing + ")";
  }
  Contents expected = initial_contents(test);
  for (const Comparison& comparison : test.comparisons) {
    const Argument& argument = test.arguments[comparison.argument];
    Expected<std::vector<u8>> read =
        read_expected(expected_path(options.directory, test, argument), argument);
    if (!read.ok()) {
      return read.error();
    }
    expected[comparison.argument] = std::move(*read);
  }
  const Expected<Contents> actual = run(device, test);
  if (!actual.ok()) {
    return actual.error();
  }
  if (Status status = agree(test, expected, *actual); !status.ok()) {
    return status.error();
  }
  return std::string("ok");
}

int run_all(const Options& options) {
  const Expected<Device> device = open_device(options.platform);
  if (!device.ok()) {
    fmt::print(stderr, "{}\n", to_string(device.error()));
    return 2;
  }
  u32 failed = 0;
  for (const std::string& path : options.cases) {
    const Expected<Case> test = read_case(path);
    Expected<std::string> word = !test.ok()      ? Expected<std::string>(test.error())
                                 : options.write ? write_case(*device, options, *test)
                                                 : check_case(*device, options, *test);
    fmt::print("{}: {}\n", path, word.ok() ? *word : "FAILED");
    std::fflush(stdout);
    if (!word.ok()) {
      ++failed;
      fmt::print(stderr, "{}\n", to_string(word.error()));
    }
  }
  fmt::print("{} of {} cases good on {}\n", options.cases.size() - failed, options.cases.size(),
             device->name);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** values) {
  lockstep::corpus::Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    const bool takes_value = word == "--platform" || word == "--write" || word == "--expect";
    if (takes_value && i + 1 < count) {
      (word == "--platform" ? options.platform : options.directory) = values[++i];
      options.write = options.write || word == "--write";
    } else if (word == "--force") {
      options.force = true;
    } else if (word.starts_with("--")) {
      options.directory.clear();
      break;
    } else {
      options.cases.push_back(word);
    }
  }
  if (options.directory.empty() || options.cases.empty()) {
    fmt::print(stderr,
               "usage: opencl_witness [--platform TEXT] (--write DIRECTORY [--force] | --expect DIRECTORY) "
               "CASE.cl...\n");
    return 2;
  }
  return lockstep::corpus::run_all(options);
}
