// The table of all functions, and what the door (door/driver.cpp) calls for the ICD loader (cl_khr_icd).
#include <string_view>
#include <tuple>

#include "opencl/platform.h"
#include "opencl/types.h"

namespace lockstep::opencl {
namespace {

// Sharing with graphics and sub-devices: no device has them, but the loader calls a null entry all the same.
template <class F>
struct Refused;

template <class... Arguments>
struct Refused<cl_int (*)(Arguments...)> {
  static cl_int call(Arguments...) { return CL_INVALID_OPERATION; }
};

// Functions that create an object take the place of the error code last.
template <class T, class... Arguments>
struct Refused<T* (*)(Arguments...)> {
  static T* call(Arguments... arguments) {
    cl_int* const code = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    if (code != nullptr) *code = CL_INVALID_OPERATION;
    return nullptr;
  }
};

}  // namespace

const cl_icd_dispatch dispatch_table = {
    .clGetPlatformIDs = clGetPlatformIDs,
    .clGetPlatformInfo = clGetPlatformInfo,
    .clGetDeviceIDs = clGetDeviceIDs,
    .clGetDeviceInfo = clGetDeviceInfo,
    .clCreateContext = clCreateContext,
    .clCreateContextFromType = clCreateContextFromType,
    .clRetainContext = clRetainContext,
    .clReleaseContext = clReleaseContext,
    .clGetContextInfo = clGetContextInfo,
    .clCreateCommandQueue = clCreateCommandQueue,
    .clRetainCommandQueue = clRetainCommandQueue,
    .clReleaseCommandQueue = clReleaseCommandQueue,
    .clGetCommandQueueInfo = clGetCommandQueueInfo,
    .clSetCommandQueueProperty = clSetCommandQueueProperty,
    .clCreateBuffer = clCreateBuffer,
    .clCreateImage2D = clCreateImage2D,
    .clCreateImage3D = clCreateImage3D,
    .clRetainMemObject = clRetainMemObject,
    .clReleaseMemObject = clReleaseMemObject,
    .clGetSupportedImageFormats = clGetSupportedImageFormats,
    .clGetMemObjectInfo = clGetMemObjectInfo,
    .clGetImageInfo = clGetImageInfo,
    .clCreateSampler = clCreateSampler,
    .clRetainSampler = clRetainSampler,
    .clReleaseSampler = clReleaseSampler,
    .clGetSamplerInfo = clGetSamplerInfo,
    .clCreateProgramWithSource = clCreateProgramWithSource,
    .clCreateProgramWithBinary = clCreateProgramWithBinary,
    .clRetainProgram = clRetainProgram,
    .clReleaseProgram = clReleaseProgram,
    .clBuildProgram = clBuildProgram,
    .clUnloadCompiler = clUnloadCompiler,
    .clGetProgramInfo = clGetProgramInfo,
    .clGetProgramBuildInfo = clGetProgramBuildInfo,
    .clCreateKernel = clCreateKernel,
    .clCreateKernelsInProgram = clCreateKernelsInProgram,
    .clRetainKernel = clRetainKernel,
    .clReleaseKernel = clReleaseKernel,
    .clSetKernelArg = clSetKernelArg,
    .clGetKernelInfo = clGetKernelInfo,
    .clGetKernelWorkGroupInfo = clGetKernelWorkGroupInfo,
    .clWaitForEvents = clWaitForEvents,
    .clGetEventInfo = clGetEventInfo,
    .clRetainEvent = clRetainEvent,
    .clReleaseEvent = clReleaseEvent,
    .clGetEventProfilingInfo = clGetEventProfilingInfo,
    .clFlush = clFlush,
    .clFinish = clFinish,
    .clEnqueueReadBuffer = clEnqueueReadBuffer,
    .clEnqueueWriteBuffer = clEnqueueWriteBuffer,
    .clEnqueueCopyBuffer = clEnqueueCopyBuffer,
    .clEnqueueReadImage = clEnqueueReadImage,
    .clEnqueueWriteImage = clEnqueueWriteImage,
    .clEnqueueCopyImage = clEnqueueCopyImage,
    .clEnqueueCopyImageToBuffer = clEnqueueCopyImageToBuffer,
    .clEnqueueCopyBufferToImage = clEnqueueCopyBufferToImage,
    .clEnqueueMapBuffer = clEnqueueMapBuffer,
    .clEnqueueMapImage = clEnqueueMapImage,
    .clEnqueueUnmapMemObject = clEnqueueUnmapMemObject,
    .clEnqueueNDRangeKernel = clEnqueueNDRangeKernel,
    .clEnqueueTask = clEnqueueTask,
    .clEnqueueNativeKernel = clEnqueueNativeKernel,
    .clEnqueueMarker = clEnqueueMarker,
    .clEnqueueWaitForEvents = clEnqueueWaitForEvents,
    .clEnqueueBarrier = clEnqueueBarrier,
    .clGetExtensionFunctionAddress = clGetExtensionFunctionAddress,
    .clCreateFromGLBuffer = Refused<cl_api_clCreateFromGLBuffer>::call,
    .clCreateFromGLTexture2D = Refused<cl_api_clCreateFromGLTexture2D>::call,
    .clCreateFromGLTexture3D = Refused<cl_api_clCreateFromGLTexture3D>::call,
    .clCreateFromGLRenderbuffer = Refused<cl_api_clCreateFromGLRenderbuffer>::call,
    .clGetGLObjectInfo = Refused<cl_api_clGetGLObjectInfo>::call,
    .clGetGLTextureInfo = Refused<cl_api_clGetGLTextureInfo>::call,
    .clEnqueueAcquireGLObjects = Refused<cl_api_clEnqueueAcquireGLObjects>::call,
    .clEnqueueReleaseGLObjects = Refused<cl_api_clEnqueueReleaseGLObjects>::call,
    .clGetGLContextInfoKHR = Refused<cl_api_clGetGLContextInfoKHR>::call,
    .clGetDeviceIDsFromD3D10KHR = nullptr,
    .clCreateFromD3D10BufferKHR = nullptr,
    .clCreateFromD3D10Texture2DKHR = nullptr,
    .clCreateFromD3D10Texture3DKHR = nullptr,
    .clEnqueueAcquireD3D10ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D10ObjectsKHR = nullptr,
    .clSetEventCallback = clSetEventCallback,
    .clCreateSubBuffer = clCreateSubBuffer,
    .clSetMemObjectDestructorCallback = clSetMemObjectDestructorCallback,
    .clCreateUserEvent = clCreateUserEvent,
    .clSetUserEventStatus = clSetUserEventStatus,
    .clEnqueueReadBufferRect = clEnqueueReadBufferRect,
    .clEnqueueWriteBufferRect = clEnqueueWriteBufferRect,
    .clEnqueueCopyBufferRect = clEnqueueCopyBufferRect,
    .clCreateSubDevicesEXT = Refused<cl_api_clCreateSubDevicesEXT>::call,
    .clRetainDeviceEXT = Refused<cl_api_clRetainDeviceEXT>::call,
    .clReleaseDeviceEXT = Refused<cl_api_clReleaseDeviceEXT>::call,
    .clCreateEventFromGLsyncKHR = Refused<cl_api_clCreateEventFromGLsyncKHR>::call,
    .clCreateSubDevices = clCreateSubDevices,
    .clRetainDevice = clRetainDevice,
    .clReleaseDevice = clReleaseDevice,
    .clCreateImage = clCreateImage,
    .clCreateProgramWithBuiltInKernels = clCreateProgramWithBuiltInKernels,
    .clCompileProgram = clCompileProgram,
    .clLinkProgram = clLinkProgram,
    .clUnloadPlatformCompiler = clUnloadPlatformCompiler,
    .clGetKernelArgInfo = clGetKernelArgInfo,
    .clEnqueueFillBuffer = clEnqueueFillBuffer,
    .clEnqueueFillImage = clEnqueueFillImage,
    .clEnqueueMigrateMemObjects = clEnqueueMigrateMemObjects,
    .clEnqueueMarkerWithWaitList = clEnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = clEnqueueBarrierWithWaitList,
    .clGetExtensionFunctionAddressForPlatform = clGetExtensionFunctionAddressForPlatform,
    .clCreateFromGLTexture = Refused<cl_api_clCreateFromGLTexture>::call,
    .clGetDeviceIDsFromD3D11KHR = nullptr,
    .clCreateFromD3D11BufferKHR = nullptr,
    .clCreateFromD3D11Texture2DKHR = nullptr,
    .clCreateFromD3D11Texture3DKHR = nullptr,
    .clCreateFromDX9MediaSurfaceKHR = nullptr,
    .clEnqueueAcquireD3D11ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D11ObjectsKHR = nullptr,
    .clGetDeviceIDsFromDX9MediaAdapterKHR = nullptr,
    .clEnqueueAcquireDX9MediaSurfacesKHR = nullptr,
    .clEnqueueReleaseDX9MediaSurfacesKHR = nullptr,
    .clCreateFromEGLImageKHR = Refused<cl_api_clCreateFromEGLImageKHR>::call,
    .clEnqueueAcquireEGLObjectsKHR = Refused<cl_api_clEnqueueAcquireEGLObjectsKHR>::call,
    .clEnqueueReleaseEGLObjectsKHR = Refused<cl_api_clEnqueueReleaseEGLObjectsKHR>::call,
    .clCreateEventFromEGLSyncKHR = Refused<cl_api_clCreateEventFromEGLSyncKHR>::call,
    .clCreateCommandQueueWithProperties = clCreateCommandQueueWithProperties,
    .clCreatePipe = clCreatePipe,
    .clGetPipeInfo = clGetPipeInfo,
    .clSVMAlloc = clSVMAlloc,
    .clSVMFree = clSVMFree,
    .clEnqueueSVMFree = clEnqueueSVMFree,
    .clEnqueueSVMMemcpy = clEnqueueSVMMemcpy,
    .clEnqueueSVMMemFill = clEnqueueSVMMemFill,
    .clEnqueueSVMMap = clEnqueueSVMMap,
    .clEnqueueSVMUnmap = clEnqueueSVMUnmap,
    .clCreateSamplerWithProperties = clCreateSamplerWithProperties,
    .clSetKernelArgSVMPointer = clSetKernelArgSVMPointer,
    .clSetKernelExecInfo = clSetKernelExecInfo,
    .clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfo,
    .clCloneKernel = clCloneKernel,
    .clCreateProgramWithIL = clCreateProgramWithIL,
    .clEnqueueSVMMigrateMem = clEnqueueSVMMigrateMem,
    .clGetDeviceAndHostTimer = clGetDeviceAndHostTimer,
    .clGetHostTimer = clGetHostTimer,
    .clGetKernelSubGroupInfo = clGetKernelSubGroupInfo,
    .clSetDefaultDeviceCommandQueue = clSetDefaultDeviceCommandQueue,
    .clSetProgramReleaseCallback = clSetProgramReleaseCallback,
    .clSetProgramSpecializationConstant = clSetProgramSpecializationConstant,
    .clCreateBufferWithProperties = clCreateBufferWithProperties,
    .clCreateImageWithProperties = clCreateImageWithProperties,
    .clSetContextDestructorCallback = clSetContextDestructorCallback,
};

}  // namespace lockstep::opencl

using namespace lockstep::opencl;

extern "C" {

[[gnu::visibility("default")]] cl_int lockstep_driver_platforms(cl_uint num_entries,
                                                                cl_platform_id* platforms,
                                                                cl_uint* num_platforms);
[[gnu::visibility("default")]] void* lockstep_driver_function(const char* name);

cl_int lockstep_driver_platforms(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

void* lockstep_driver_function(const char* name) {
  const std::string_view wanted = name != nullptr ? name : "";
  if (wanted == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(lockstep_driver_platforms);
  // ICD loaders ask for these before they know a platform's table.
  if (wanted == "clGetPlatformInfo") return reinterpret_cast<void*>(clGetPlatformInfo);
  return nullptr;
}
}

void* clGetExtensionFunctionAddress(const char* name) {
  return lockstep_driver_function(name);
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* name) {
  return valid(platform) ? clGetExtensionFunctionAddress(name) : nullptr;
}
