// Chapters 4 and 5.1: platforms, devices, contexts, command-queues.
#include "table.h"

namespace conformance {

Rows platform_rows() {
  Rows rows = {
      {"clGetPlatformIDs", CL_SUCCESS,
       [](World&) {
         cl_uint count = 0;
         return clGetPlatformIDs(0, nullptr, &count);
       }},
      {"clGetPlatformIDs", CL_INVALID_VALUE, [](World&) { return clGetPlatformIDs(0, nullptr, nullptr); }},
      {"clGetPlatformInfo", CL_SUCCESS,
       [](World& w) {
         return clGetPlatformInfo(w.platform, CL_PLATFORM_NAME, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetPlatformInfo", CL_INVALID_PLATFORM,
       [](World& w) {
         return clGetPlatformInfo(reinterpret_cast<cl_platform_id>(w.device), CL_PLATFORM_NAME, 0, nullptr,
                                  nullptr);
       }},
      {"clGetPlatformInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetPlatformInfo(w.platform, 0x1, 0, nullptr, nullptr); }},
      {"clGetDeviceIDs", CL_SUCCESS,
       [](World& w) { return clGetDeviceIDs(w.platform, CL_DEVICE_TYPE_ALL, 1, &w.device, nullptr); }},
      {"clGetDeviceIDs", CL_INVALID_PLATFORM,
       [](World& w) {
         cl_uint count = 0;
         return clGetDeviceIDs(reinterpret_cast<cl_platform_id>(w.device), CL_DEVICE_TYPE_ALL, 0, nullptr,
                               &count);
       }},
      {"clGetDeviceIDs", CL_INVALID_DEVICE_TYPE,
       [](World& w) {
         cl_uint count = 0;
         return clGetDeviceIDs(w.platform, 1 << 20, 0, nullptr, &count);
       }},
      {"clGetDeviceIDs", CL_INVALID_VALUE,
       [](World& w) { return clGetDeviceIDs(w.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr); }},
      {"clGetDeviceIDs", CL_DEVICE_NOT_FOUND,
       [](World& w) {
         cl_uint count = 0;
         return clGetDeviceIDs(w.platform, CL_DEVICE_TYPE_CUSTOM, 0, nullptr, &count);
       }},
      {"clGetDeviceInfo", CL_SUCCESS,
       [](World& w) { return clGetDeviceInfo(w.device, CL_DEVICE_NAME, sizeof(w.host), w.host, nullptr); }},
      {"clGetDeviceInfo", CL_INVALID_DEVICE,
       [](World&) { return clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, nullptr); }},
      {"clGetDeviceInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetDeviceInfo(w.device, CL_DEVICE_NAME, 1, w.host, nullptr); }},
      {"clGetDeviceAndHostTimer", CL_SUCCESS,
       [](World& w) {
         cl_ulong a = 0, b = 0;
         return clGetDeviceAndHostTimer(w.device, &a, &b);
       }},
      {"clGetDeviceAndHostTimer", CL_INVALID_DEVICE,
       [](World&) {
         cl_ulong a = 0, b = 0;
         return clGetDeviceAndHostTimer(nullptr, &a, &b);
       }},
      {"clGetDeviceAndHostTimer", CL_INVALID_VALUE,
       [](World& w) {
         cl_ulong a = 0;
         return clGetDeviceAndHostTimer(w.device, &a, nullptr);
       }},
      {"clGetHostTimer", CL_SUCCESS,
       [](World& w) {
         cl_ulong a = 0;
         return clGetHostTimer(w.device, &a);
       }},
      {"clGetHostTimer", CL_INVALID_DEVICE,
       [](World&) {
         cl_ulong a = 0;
         return clGetHostTimer(nullptr, &a);
       }},
      {"clGetHostTimer", CL_INVALID_VALUE, [](World& w) { return clGetHostTimer(w.device, nullptr); }},
      {"clCreateSubDevices", CL_INVALID_DEVICE,
       [](World&) {
         const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
         cl_uint count = 0;
         return clCreateSubDevices(nullptr, equally, 0, nullptr, &count);
       }},
      {"clCreateSubDevices", CL_INVALID_VALUE,
       [](World& w) {
         const cl_device_partition_property unknown[] = {0x999, 1, 0};
         cl_uint count = 0;
         return clCreateSubDevices(w.device, unknown, 0, nullptr, &count);
       }},
      {"clRetainDevice", CL_SUCCESS, [](World& w) { return clRetainDevice(w.device); }},
      {"clRetainDevice", CL_INVALID_DEVICE, [](World&) { return clRetainDevice(nullptr); }},
      {"clReleaseDevice", CL_SUCCESS, [](World& w) { return clReleaseDevice(w.device); }},
      {"clReleaseDevice", CL_INVALID_DEVICE, [](World&) { return clReleaseDevice(nullptr); }},
      {"clCreateContext", CL_SUCCESS,
       [](World& w) {
         return made(
             [&](cl_int* code) { return clCreateContext(nullptr, 1, &w.device, nullptr, nullptr, code); });
       }},
      {"clCreateContext", CL_INVALID_PLATFORM,
       [](World& w) {
         const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                               reinterpret_cast<cl_context_properties>(w.device), 0};
         return made(
             [&](cl_int* code) { return clCreateContext(list, 1, &w.device, nullptr, nullptr, code); });
       }},
      {"clCreateContext", CL_INVALID_PROPERTY,
       [](World& w) {
         const cl_context_properties list[] = {0x4321, 1, 0};
         return made(
             [&](cl_int* code) { return clCreateContext(list, 1, &w.device, nullptr, nullptr, code); });
       }},
      {"clCreateContext", CL_INVALID_VALUE,
       [](World& w) {
         return made(
             [&](cl_int* code) { return clCreateContext(nullptr, 1, &w.device, nullptr, w.host, code); });
       }},
      {"clCreateContext", CL_INVALID_DEVICE,
       [](World& w) {
         const cl_device_id wrong[] = {w.device, nullptr};
         return made(
             [&](cl_int* code) { return clCreateContext(nullptr, 2, wrong, nullptr, nullptr, code); });
       }},
      {"clCreateContextFromType", CL_SUCCESS,
       [](World& w) {
         const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                               reinterpret_cast<cl_context_properties>(w.platform), 0};
         return made([&](cl_int* code) {
           return clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, nullptr, nullptr, code);
         });
       }},
      {"clCreateContextFromType", CL_INVALID_PLATFORM,
       [](World& w) {
         const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                               reinterpret_cast<cl_context_properties>(w.device), 0};
         return made([&](cl_int* code) {
           return clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, nullptr, nullptr, code);
         });
       }},
      {"clCreateContextFromType", CL_INVALID_PROPERTY,
       [](World& w) {
         const cl_context_properties list[] = {
             CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(w.platform), 0x4321, 1, 0};
         return made([&](cl_int* code) {
           return clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, nullptr, nullptr, code);
         });
       }},
  };
  const auto from_type = [](cl_int wanted, cl_device_type type, bool data) {
    return Row{"clCreateContextFromType", wanted, [type, data](World& w) {
                 const cl_context_properties list[] = {
                     CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(w.platform), 0};
                 return made([&](cl_int* code) {
                   return clCreateContextFromType(list, type, nullptr, data ? w.host : nullptr, code);
                 });
               }};
  };
  rows.push_back(from_type(CL_INVALID_VALUE, CL_DEVICE_TYPE_ALL, true));
  rows.push_back(from_type(CL_INVALID_DEVICE_TYPE, 1 << 20, false));
  rows.push_back(from_type(CL_DEVICE_NOT_FOUND, CL_DEVICE_TYPE_CUSTOM, false));
  const Rows more = {
      {"clRetainContext", CL_SUCCESS, [](World& w) { return clRetainContext(w.context); }},
      {"clRetainContext", CL_INVALID_CONTEXT, [](World&) { return clRetainContext(nullptr); }},
      {"clReleaseContext", CL_SUCCESS, [](World& w) { return clReleaseContext(w.context); }},
      {"clReleaseContext", CL_INVALID_CONTEXT, [](World&) { return clReleaseContext(nullptr); }},
      {"clGetContextInfo", CL_SUCCESS,
       [](World& w) {
         return clGetContextInfo(w.context, CL_CONTEXT_DEVICES, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetContextInfo", CL_INVALID_CONTEXT,
       [](World&) { return clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, nullptr); }},
      {"clGetContextInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetContextInfo(w.context, 0x1, 0, nullptr, nullptr); }},
      {"clSetContextDestructorCallback", CL_SUCCESS,
       [](World& w) { return clSetContextDestructorCallback(w.context, [](cl_context, void*) {}, nullptr); }},
      {"clSetContextDestructorCallback", CL_INVALID_CONTEXT,
       [](World&) { return clSetContextDestructorCallback(nullptr, [](cl_context, void*) {}, nullptr); }},
      {"clSetContextDestructorCallback", CL_INVALID_VALUE,
       [](World& w) { return clSetContextDestructorCallback(w.context, nullptr, nullptr); }},
      {"clUnloadPlatformCompiler", CL_SUCCESS, [](World& w) { return clUnloadPlatformCompiler(w.platform); }},
      {"clUnloadPlatformCompiler", CL_INVALID_PLATFORM,
       [](World& w) { return clUnloadPlatformCompiler(reinterpret_cast<cl_platform_id>(w.device)); }},
      {"clUnloadCompiler", CL_SUCCESS, [](World&) { return clUnloadCompiler(); }},
      // No code: null for a function that nobody knows.
      {"clGetExtensionFunctionAddressForPlatform", CL_SUCCESS,
       [](World& w) {
         return clGetExtensionFunctionAddressForPlatform(w.platform, "clNobodyKnowsThis") == nullptr
                    ? CL_SUCCESS
                    : CL_INVALID_VALUE;
       }},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

Rows queue_rows() {
  const auto with = [](World& w, cl_context context, cl_device_id device, cl_queue_properties name,
                       cl_queue_properties value) {
    (void)w;
    const cl_queue_properties list[] = {name, value, 0};
    return made(
        [&](cl_int* code) { return clCreateCommandQueueWithProperties(context, device, list, code); });
  };
  const auto old = [](cl_context context, cl_device_id device, cl_command_queue_properties bits) {
    return made([&](cl_int* code) { return clCreateCommandQueue(context, device, bits, code); });
  };
  return {
      {"clCreateCommandQueueWithProperties", CL_SUCCESS,
       [=](World& w) {
         return with(w, w.context, w.device, CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE);
       }},
      {"clCreateCommandQueueWithProperties", CL_INVALID_CONTEXT,
       [=](World& w) { return with(w, nullptr, w.device, CL_QUEUE_PROPERTIES, 0); }},
      {"clCreateCommandQueueWithProperties", CL_INVALID_DEVICE,
       [=](World& w) { return with(w, w.context, nullptr, CL_QUEUE_PROPERTIES, 0); }},
      {"clCreateCommandQueueWithProperties", CL_INVALID_VALUE,
       [=](World& w) { return with(w, w.context, w.device, 0x777, 0); }},
      {"clCreateCommandQueueWithProperties", CL_INVALID_QUEUE_PROPERTIES,
       [=](World& w) {
         return with(w, w.context, w.device, CL_QUEUE_PROPERTIES,
                     CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
       }},
      {"clCreateCommandQueue", CL_SUCCESS, [=](World& w) { return old(w.context, w.device, 0); }},
      {"clCreateCommandQueue", CL_INVALID_CONTEXT, [=](World& w) { return old(nullptr, w.device, 0); }},
      {"clCreateCommandQueue", CL_INVALID_DEVICE, [=](World& w) { return old(w.context, nullptr, 0); }},
      {"clCreateCommandQueue", CL_INVALID_VALUE, [=](World& w) { return old(w.context, w.device, 1 << 20); }},
      {"clSetDefaultDeviceCommandQueue", CL_INVALID_CONTEXT,
       [](World& w) { return clSetDefaultDeviceCommandQueue(nullptr, w.device, w.queue); }},
      {"clSetDefaultDeviceCommandQueue", CL_INVALID_DEVICE,
       [](World& w) { return clSetDefaultDeviceCommandQueue(w.context, nullptr, w.queue); }},
      {"clSetDefaultDeviceCommandQueue", CL_INVALID_OPERATION,
       [](World& w) { return clSetDefaultDeviceCommandQueue(w.context, w.device, w.queue); }},
      {"clRetainCommandQueue", CL_SUCCESS, [](World& w) { return clRetainCommandQueue(w.queue); }},
      {"clRetainCommandQueue", CL_INVALID_COMMAND_QUEUE,
       [](World&) { return clRetainCommandQueue(nullptr); }},
      {"clReleaseCommandQueue", CL_SUCCESS, [](World& w) { return clReleaseCommandQueue(w.queue); }},
      {"clReleaseCommandQueue", CL_INVALID_COMMAND_QUEUE,
       [](World&) { return clReleaseCommandQueue(nullptr); }},
      {"clGetCommandQueueInfo", CL_SUCCESS,
       [](World& w) {
         return clGetCommandQueueInfo(w.queue, CL_QUEUE_DEVICE, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetCommandQueueInfo", CL_INVALID_COMMAND_QUEUE,
       [](World& w) {
         return clGetCommandQueueInfo(w.queue, CL_QUEUE_SIZE, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetCommandQueueInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetCommandQueueInfo(w.queue, 0x1, 0, nullptr, nullptr); }},
      {"clSetCommandQueueProperty", CL_INVALID_COMMAND_QUEUE,
       [](World&) {
         return clSetCommandQueueProperty(nullptr, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr);
       }},
      // OpenCL 1.1 and later: may be refused.
      {"clSetCommandQueueProperty", CL_INVALID_OPERATION,
       [](World& w) {
         return clSetCommandQueueProperty(w.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr);
       }},
      {"clFlush", CL_SUCCESS, [](World& w) { return clFlush(w.queue); }},
      {"clFlush", CL_INVALID_COMMAND_QUEUE, [](World&) { return clFlush(nullptr); }},
      {"clFinish", CL_SUCCESS, [](World& w) { return clFinish(w.queue); }},
      {"clFinish", CL_INVALID_COMMAND_QUEUE, [](World&) { return clFinish(nullptr); }},
  };
}

}  // namespace conformance
