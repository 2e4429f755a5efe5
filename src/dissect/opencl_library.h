// OpenCL's functions out of the ICD loader, found when they are needed: the program runs without one.
#pragma once
#if __has_include(<CL/cl.h>)
#include <CL/cl.h>

#include <string_view>

#include "base/diagnostic.h"

namespace lockstep::dissect {

struct OpenClLibrary {
#define LOCKSTEP_CL(name) decltype(&::name) name = nullptr
  LOCKSTEP_CL(clGetPlatformIDs);
  LOCKSTEP_CL(clGetPlatformInfo);
  LOCKSTEP_CL(clGetDeviceIDs);
  LOCKSTEP_CL(clGetDeviceInfo);
  LOCKSTEP_CL(clCreateContext);
  LOCKSTEP_CL(clReleaseContext);
  LOCKSTEP_CL(clCreateCommandQueue);
  LOCKSTEP_CL(clReleaseCommandQueue);
  LOCKSTEP_CL(clCreateProgramWithSource);
  LOCKSTEP_CL(clBuildProgram);
  LOCKSTEP_CL(clGetProgramBuildInfo);
  LOCKSTEP_CL(clReleaseProgram);
  LOCKSTEP_CL(clCreateKernel);
  LOCKSTEP_CL(clSetKernelArg);
  LOCKSTEP_CL(clReleaseKernel);
  LOCKSTEP_CL(clCreateBuffer);
  LOCKSTEP_CL(clReleaseMemObject);
  LOCKSTEP_CL(clEnqueueFillBuffer);
  LOCKSTEP_CL(clEnqueueWriteBuffer);
  LOCKSTEP_CL(clEnqueueReadBuffer);
  LOCKSTEP_CL(clEnqueueNDRangeKernel);
  LOCKSTEP_CL(clGetEventProfilingInfo);
  LOCKSTEP_CL(clReleaseEvent);
  LOCKSTEP_CL(clWaitForEvents);
  LOCKSTEP_CL(clFlush);
  LOCKSTEP_CL(clFinish);
#undef LOCKSTEP_CL
};

// Opened once. Error: "no-opencl".
Expected<const OpenClLibrary*> opencl_library();

// "CL_OUT_OF_RESOURCES (-5)" where the code is a usual one, else its number.
std::string opencl_error(int code);

}  // namespace lockstep::dissect
#endif
