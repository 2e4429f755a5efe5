// OpenCL 3.0, chapter 5.8.3: separate compilation and linking.
#include "opencl/program.h"

using namespace lockstep::opencl;

cl_int clCompileProgram(cl_program program, cl_uint, const cl_device_id*, const char*, cl_uint,
                        const cl_program*, const char**, void(CL_CALLBACK*)(cl_program, void*), void*) {
  return valid(program) ? CL_COMPILER_NOT_AVAILABLE : CL_INVALID_PROGRAM;
}

cl_program clLinkProgram(cl_context context, cl_uint, const cl_device_id*, const char*, cl_uint,
                         const cl_program*, void(CL_CALLBACK*)(cl_program, void*), void*,
                         cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_LINKER_NOT_AVAILABLE : CL_INVALID_CONTEXT;
  return nullptr;
}
