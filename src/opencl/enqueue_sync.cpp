// OpenCL 3.0, chapter 5.12: markers and barriers; their forms of OpenCL 1.0 too.
#include "opencl/enqueue.h"

using namespace lockstep::opencl;

namespace {

cl_int synchronise(cl_command_queue queue, cl_command_type type, const WaitList& waits, Ordering ordering) {
  return guarded([&]() -> cl_int {
    if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
    return enqueue(queue, type, waits, nullptr, {}, false, ordering);
  });
}

}  // namespace

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_waits, const cl_event* wait_list,
                                   cl_event* event) {
  return synchronise(queue, CL_COMMAND_MARKER, {num_waits, wait_list, event}, Ordering::marker);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_waits, const cl_event* wait_list,
                                    cl_event* event) {
  return synchronise(queue, CL_COMMAND_BARRIER, {num_waits, wait_list, event}, Ordering::barrier);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event* event) {
  if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (event == nullptr) return CL_INVALID_VALUE;
  return synchronise(queue, CL_COMMAND_MARKER, {0, nullptr, event}, Ordering::marker);
}

cl_int clEnqueueBarrier(cl_command_queue queue) {
  return synchronise(queue, CL_COMMAND_BARRIER, {0, nullptr, nullptr}, Ordering::barrier);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* events) {
  if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
  if (count == 0 || events == nullptr) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (!valid(events[i])) return CL_INVALID_EVENT;
  }
  return synchronise(queue, CL_COMMAND_BARRIER, {count, events, nullptr}, Ordering::barrier);
}
