// OpenCL 3.0, chapters 5.11, 5.14: events, user events, profiling.
#include "opencl/info.h"
#include "opencl/types.h"

using namespace lockstep::opencl;

cl_event clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return created<_cl_event>(errcode_ret, [&](cl_int& code) -> cl_event {
    if (!valid(context)) {
      code = CL_INVALID_CONTEXT;
      return nullptr;
    }
    auto* event = new _cl_event;
    event->context = context;
    event->type = CL_COMMAND_USER;
    event->status = CL_SUBMITTED;
    return event;
  });
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
  return guarded([&]() -> cl_int {
    if (!valid(event) || event->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
    if (status > CL_COMPLETE) return CL_INVALID_VALUE;
    const Ref<_cl_event> use(event);
    return set_user_status(*event, status) ? CL_SUCCESS : CL_INVALID_OPERATION;
  });
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  return guarded([&]() -> cl_int {
    if (count == 0 || events == nullptr) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; ++i) {
      if (!valid(events[i])) return CL_INVALID_EVENT;
      if (events[i]->context.get() != events[0]->context.get()) return CL_INVALID_CONTEXT;
    }
    std::vector<Ref<_cl_event>> uses(events, events + count);
    bool failed = false;
    for (const Ref<_cl_event>& event : uses) failed |= wait_for(*event) < 0;
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
  });
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(event)) return CL_INVALID_EVENT;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_EVENT_COMMAND_QUEUE:
        return info.value<cl_command_queue>(event->queue.get());
      case CL_EVENT_CONTEXT:
        return info.value<cl_context>(event->context.get());
      case CL_EVENT_COMMAND_TYPE:
        return info.value<cl_command_type>(event->type);
      case CL_EVENT_COMMAND_EXECUTION_STATUS: {
        // Who asks in a loop must see the command progress.
        flush(*event->context);
        return info.value<cl_int>(status_of(*event));
      }
      case CL_EVENT_REFERENCE_COUNT:
        return info.value<cl_uint>(event->references);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clRetainEvent(cl_event event) {
  if (!valid(event)) return CL_INVALID_EVENT;
  retain(event);
  return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event) {
  return guarded([&] { return valid(event) && release(event) ? CL_SUCCESS : CL_INVALID_EVENT; });
}

cl_int clSetEventCallback(cl_event event, cl_int at, void(CL_CALLBACK* notify)(cl_event, cl_int, void*),
                          void* user_data) {
  return guarded([&]() -> cl_int {
    if (!valid(event)) return CL_INVALID_EVENT;
    if (notify == nullptr || (at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE))
      return CL_INVALID_VALUE;
    const Ref<_cl_event> use(event);
    cl_int status = CL_SUCCESS;
    {
      const std::lock_guard lock(event->context->scheduler->mutex);
      status = event->status;
      if (status > at) event->callbacks.push_back({at, notify, user_data});
    }
    if (status <= at)
      notify(event, status < 0 ? status : at, user_data);
    else
      flush(*event->context);
    return CL_SUCCESS;
  });
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void* value,
                               size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(event)) return CL_INVALID_EVENT;
    if (!event->queue || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0 ||
        status_of(*event) != CL_COMPLETE)
      return CL_PROFILING_INFO_NOT_AVAILABLE;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_PROFILING_COMMAND_QUEUED:
        return info.value<cl_ulong>(event->times_ns[0]);
      case CL_PROFILING_COMMAND_SUBMIT:
        return info.value<cl_ulong>(event->times_ns[1]);
      case CL_PROFILING_COMMAND_START:
        return info.value<cl_ulong>(event->times_ns[2]);
      case CL_PROFILING_COMMAND_END:
      case CL_PROFILING_COMMAND_COMPLETE:
        return info.value<cl_ulong>(event->times_ns[3]);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
