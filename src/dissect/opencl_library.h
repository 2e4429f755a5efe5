// OpenCL's functions out of the ICD loader, found when they are needed: the program runs without one.
#pragma once
#if __has_include(<CL/cl.h>)
#include <CL/cl.h>

#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::dissect {

// What is taken of the library; X is applied to each name.
#define LOCKSTEP_CL_FUNCTIONS(X) \
  X(clGetPlatformIDs)            \
  X(clGetPlatformInfo)           \
  X(clGetDeviceIDs)              \
  X(clGetDeviceInfo)             \
  X(clCreateContext)             \
  X(clReleaseContext)            \
  X(clCreateCommandQueue)        \
  X(clReleaseCommandQueue)       \
  X(clCreateProgramWithSource)   \
  X(clBuildProgram)              \
  X(clGetProgramBuildInfo)       \
  X(clReleaseProgram)            \
  X(clCreateKernel)              \
  X(clSetKernelArg)              \
  X(clReleaseKernel)             \
  X(clCreateBuffer)              \
  X(clReleaseMemObject)          \
  X(clEnqueueFillBuffer)         \
  X(clEnqueueWriteBuffer)        \
  X(clEnqueueReadBuffer)         \
  X(clEnqueueNDRangeKernel)      \
  X(clGetEventProfilingInfo)     \
  X(clReleaseEvent)              \
  X(clWaitForEvents)             \
  X(clFlush)                     \
  X(clFinish)

struct OpenClLibrary {
#define LOCKSTEP_CL(name) decltype(&::name) name = nullptr;
  LOCKSTEP_CL_FUNCTIONS(LOCKSTEP_CL)
#undef LOCKSTEP_CL
};

// Opened once. Error: "no-opencl".
Expected<const OpenClLibrary*> opencl_library();

// "CL_OUT_OF_RESOURCES (-5)" where the code is a usual one, else its number.
std::string opencl_error(int code);

}  // namespace lockstep::dissect
#endif
