// OpenCL 3.0, chapter 4.1: the one platform, and its devices.
#include "opencl/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "base/environment.h"
#include "machine/chosen.h"
#include "opencl/check.h"
#include "opencl/info.h"
#include "opencl/launch_choice.h"
#include "opencl/launch_log.h"
#include "opencl/types.h"
#include "time/timing.h"

namespace lockstep::opencl {
namespace {

std::string_view mode() {
  const char* mode = environment("LOCKSTEP_MODE");
  return mode != nullptr ? mode : "functional";
}

bool mode_is_known() {
  if (mode() == "functional" || mode() == "timed" || mode() == "auto") return true;
  message(fmt::format("LOCKSTEP_MODE={}: known are functional, timed and auto; no device is shown", mode()));
  return false;
}

bool threads_are_known() {
  const char* text = environment("LOCKSTEP_THREADS");
  if (text == nullptr) return true;
  u32 count = 0;
  const char* const end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, count);
  if (parsed.ec == std::errc() && parsed.ptr == end && count != 0) return true;
  message(fmt::format("LOCKSTEP_THREADS={}: wanted is a number from 1 on; no device is shown", text));
  return false;
}

void add_device(_cl_platform_id& platform, Machine machine) {
  const Status timing = timing_model(machine);
  if (!timing && mode() == "timed") {
    message(fmt::format("{}; with LOCKSTEP_MODE=timed it is not shown", timing.error().message));
    return;
  }
  platform.devices.push_back(new _cl_device_id(std::move(machine)));
  platform.devices.back()->can_be_timed = timing.ok();
}

_cl_platform_id* make_platform() {
  auto* platform = new _cl_platform_id;
  if (!mode_is_known() || !threads_are_known() || !checks_are_known()) return platform;
  if (!wrong_setting().empty()) {
    message(fmt::format("{}; no device is shown", wrong_setting()));
    return platform;
  }
  if (!wrong_choice().empty()) {
    message(fmt::format("{}; no device is shown", wrong_choice()));
    return platform;
  }
  const std::string directory = machine_directory();
  for (const std::string& name : chosen_gpus()) {
    Expected<Machine> machine = load_machine(directory, name);
    if (!machine)
      message(to_string(machine.error()));
    else
      add_device(*platform, std::move(*machine));
  }
  return platform;
}

}  // namespace

void message(std::string_view text) {
  std::fprintf(stderr, "lockstep: %.*s\n", static_cast<int>(text.size()), text.data());
}

bool is_timed(const std::vector<cl_device_id>& devices) {
  return mode() != "functional" && std::all_of(devices.begin(), devices.end(),
                                               [](cl_device_id device) { return device->can_be_timed; });
}

_cl_platform_id* the_platform() {
  static _cl_platform_id* const platform = make_platform();
  return platform;
}

}  // namespace lockstep::opencl

using namespace lockstep::opencl;

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  return guarded([&] {
    if ((num_entries == 0 && platforms != nullptr) || (platforms == nullptr && num_platforms == nullptr))
      return CL_INVALID_VALUE;
    if (platforms != nullptr) platforms[0] = the_platform();
    if (num_platforms != nullptr) *num_platforms = 1;
    return CL_SUCCESS;
  });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void* value,
                         size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (platform != nullptr && !valid(platform)) return CL_INVALID_PLATFORM;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_PLATFORM_PROFILE:
        return info.text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return info.text(lockstep::chosen_gpus().empty() ? platform_version_without_gpus : platform_version);
      case CL_PLATFORM_NUMERIC_VERSION:
        return info.value<cl_version>(CL_MAKE_VERSION(3, 0, 0));
      case CL_PLATFORM_NAME:
        return info.text("Lockstep");
      case CL_PLATFORM_VENDOR:
        return info.text("The Lockstep project");
      case CL_PLATFORM_EXTENSIONS:
        return info.text("cl_khr_icd");
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION: {
        const cl_name_version extension{CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"};
        return info.value(extension);
      }
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return info.value<cl_ulong>(1);
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return info.text("LOCKSTEP");
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                      cl_device_id* devices, cl_uint* num_devices) {
  return guarded([&]() -> cl_int {
    if (platform != nullptr && !valid(platform)) return CL_INVALID_PLATFORM;
    constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                     CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known) != 0)) return CL_INVALID_DEVICE_TYPE;
    if ((num_entries == 0 && devices != nullptr) || (devices == nullptr && num_devices == nullptr))
      return CL_INVALID_VALUE;
    const std::vector<cl_device_id>& all = the_platform()->devices;
    std::size_t count = 0;
    if (type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_GPU) != 0)
      count = all.size();
    else if ((type & CL_DEVICE_TYPE_DEFAULT) != 0)
      count = std::min<std::size_t>(all.size(), 1);
    if (count == 0) {
      if (num_devices != nullptr) *num_devices = 0;
      return CL_DEVICE_NOT_FOUND;
    }
    if (devices != nullptr) std::copy_n(all.begin(), std::min<std::size_t>(count, num_entries), devices);
    if (num_devices != nullptr) *num_devices = static_cast<cl_uint>(count);
    return CL_SUCCESS;
  });
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  return valid(platform) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int clUnloadCompiler() {
  return CL_SUCCESS;
}

// Root devices have no count (OpenCL 3.0, 4.3).
cl_int clRetainDevice(cl_device_id device) {
  return valid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device) {
  return valid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

// No device can be partitioned: CL_DEVICE_PARTITION_PROPERTIES is empty.
cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property* properties, cl_uint,
                          cl_device_id*, cl_uint*) {
  if (!valid(device)) return CL_INVALID_DEVICE;
  (void)properties;
  return CL_INVALID_VALUE;
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_time, cl_ulong* host_time) {
  if (!valid(device)) return CL_INVALID_DEVICE;
  if (device_time == nullptr || host_time == nullptr) return CL_INVALID_VALUE;
  *device_time = *host_time = host_now_ns();
  return CL_SUCCESS;
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong* host_time) {
  if (!valid(device)) return CL_INVALID_DEVICE;
  if (host_time == nullptr) return CL_INVALID_VALUE;
  *host_time = host_now_ns();
  return CL_SUCCESS;
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue) {
  if (!valid(context)) return CL_INVALID_CONTEXT;
  if (!valid(device)) return CL_INVALID_DEVICE;
  return CL_INVALID_OPERATION;
}
