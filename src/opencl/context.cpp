// OpenCL 3.0, chapter 4.4: contexts.
#include <algorithm>

#include "opencl/check.h"
#include "opencl/info.h"
#include "opencl/launch_log.h"
#include "opencl/platform.h"
#include "opencl/types.h"

using namespace lockstep::opencl;
using lockstep::u64;

namespace {

// CL_SUCCESS, or what is wrong with the list. The list with its closing 0 goes to `kept`.
cl_int check_properties(const cl_context_properties* list, std::vector<cl_context_properties>& kept) {
  if (list == nullptr) return CL_SUCCESS;
  bool platform = false, sync = false;
  for (; *list != 0; list += 2) {
    if (list[0] == CL_CONTEXT_PLATFORM) {
      if (platform) return CL_INVALID_PROPERTY;
      platform = true;
      if (!valid(reinterpret_cast<cl_platform_id>(list[1]))) return CL_INVALID_PLATFORM;
    } else if (list[0] == CL_CONTEXT_INTEROP_USER_SYNC) {
      if (sync || (list[1] != CL_TRUE && list[1] != CL_FALSE)) return CL_INVALID_PROPERTY;
      sync = true;
    } else {
      return CL_INVALID_PROPERTY;
    }
    kept.insert(kept.end(), {list[0], list[1]});
  }
  kept.push_back(0);
  return CL_SUCCESS;
}

// Beside its buffers a device holds programs and private memory of waves.
constexpr u64 reserve_bytes = u64{16} << 30;

}  // namespace

cl_context clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                           void* user_data, cl_int* errcode_ret) {
  return created<_cl_context>(errcode_ret, [&](cl_int& code) -> cl_context {
    std::vector<cl_context_properties> kept;
    code = check_properties(properties, kept);
    if (code != CL_SUCCESS) return nullptr;
    code = CL_INVALID_VALUE;
    if (devices == nullptr || num_devices == 0 || (notify == nullptr && user_data != nullptr)) return nullptr;
    std::vector<cl_device_id> list;
    code = CL_INVALID_DEVICE;
    for (cl_uint i = 0; i < num_devices; ++i) {
      if (!valid(devices[i])) return nullptr;
      if (std::find(list.begin(), list.end(), devices[i]) == list.end()) list.push_back(devices[i]);
    }
    auto context = std::make_unique<_cl_context>();
    context->devices = std::move(list);
    context->properties = std::move(kept);
    if (notify != nullptr)
      context->notify = [notify, user_data](const char* text) { notify(text, nullptr, 0, user_data); };
    for (const cl_device_id device : context->devices)
      context->memory_limit_bytes =
          std::max(context->memory_limit_bytes, integer(device->machine, "memory.size_bytes"));
    context->memory = std::make_unique<lockstep::DeviceMemory>(context->memory_limit_bytes + reserve_bytes);
    // Buffers count as unwritten until somebody writes them.
    if (chosen_checks().values) context->memory->track_written();
    context->scheduler = std::make_shared<Scheduler>();
    context->scheduler->timed = is_timed(context->devices);
    code = CL_SUCCESS;
    return context.release();
  });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                   void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                   void* user_data, cl_int* errcode_ret) {
  std::vector<cl_context_properties> kept;
  cl_int code = check_properties(properties, kept);
  cl_device_id devices[64];
  cl_uint count = 0;
  if (code == CL_SUCCESS && notify == nullptr && user_data != nullptr) code = CL_INVALID_VALUE;
  if (code == CL_SUCCESS) code = clGetDeviceIDs(the_platform(), type, 64, devices, &count);
  if (code != CL_SUCCESS) {
    if (errcode_ret != nullptr) *errcode_ret = code;
    return nullptr;
  }
  return clCreateContext(properties, std::min(count, 64u), devices, notify, user_data, errcode_ret);
}

cl_int clRetainContext(cl_context context) {
  if (!valid(context)) return CL_INVALID_CONTEXT;
  retain(context);
  return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context context) {
  return valid(context) && release(context) ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* notify)(cl_context, void*),
                                      void* user_data) {
  return guarded([&]() -> cl_int {
    if (!valid(context)) return CL_INVALID_CONTEXT;
    if (notify == nullptr) return CL_INVALID_VALUE;
    const std::lock_guard lock(context->mutex);
    context->destructors.emplace_back(notify, user_data);
    return CL_SUCCESS;
  });
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t size, void* value,
                        size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(context)) return CL_INVALID_CONTEXT;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_CONTEXT_REFERENCE_COUNT:
        return info.value<cl_uint>(context->references);
      case CL_CONTEXT_NUM_DEVICES:
        return info.value<cl_uint>(static_cast<cl_uint>(context->devices.size()));
      case CL_CONTEXT_DEVICES:
        return info.list(context->devices);
      case CL_CONTEXT_PROPERTIES:
        return info.list(context->properties);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
