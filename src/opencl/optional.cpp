// What OpenCL 3.0 leaves optional and no device has: shared virtual memory, pipes. Each function answers as
// the specification says for a device without the feature.
#include "opencl/enqueue.h"

using namespace lockstep::opencl;

namespace {

cl_int refused(cl_command_queue queue) {
  return valid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

}  // namespace

void* clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) {
  return nullptr;
}

void clSVMFree(cl_context, void*) {}

cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint, void*[],
                        void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*), void*, cl_uint,
                        const cl_event*, cl_event*) {
  return refused(queue);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, cl_uint,
                          const cl_event*, cl_event*) {
  return refused(queue);
}

cl_int clEnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, cl_uint,
                           const cl_event*, cl_event*) {
  return refused(queue);
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, cl_uint, const cl_event*,
                       cl_event*) {
  return refused(queue);
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void*, cl_uint, const cl_event*, cl_event*) {
  return refused(queue);
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*,
                              cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
  return refused(queue);
}

cl_mem clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*,
                    cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

cl_int clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}
