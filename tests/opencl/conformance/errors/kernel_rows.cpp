// Chapters 5.9 to 5.14: kernels, their execution, events.
#include "table.h"

namespace conformance {
namespace {

cl_int range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
             const size_t* global, const size_t* local, cl_uint count = 0, const cl_event* list = nullptr) {
  return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, list, nullptr);
}

const size_t eight[3] = {8, 1, 1}, three[3] = {3, 1, 1}, huge[3] = {1 << 20, 1, 1};
const size_t endless[3] = {~size_t{0}, 1, 1};

void add_execution(Rows& rows) {
  add_enqueue(rows, "clEnqueueNDRangeKernel", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return range(queue, w.kernel, 1, nullptr, eight, nullptr, count, list);
              });
  const Rows more = {
      {"clEnqueueNDRangeKernel", CL_INVALID_KERNEL,
       [](World& w) { return range(w.queue, nullptr, 1, nullptr, eight, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_CONTEXT,
       [](World& w) { return range(w.foreign_queue, w.kernel, 1, nullptr, eight, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_KERNEL_ARGS,
       [](World& w) { return range(w.queue, w.unset, 1, nullptr, eight, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_WORK_DIMENSION,
       [](World& w) { return range(w.queue, w.kernel, 4, nullptr, eight, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_GLOBAL_WORK_SIZE,
       [](World& w) { return range(w.queue, w.kernel, 1, nullptr, endless, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_GLOBAL_OFFSET,
       [](World& w) { return range(w.queue, w.kernel, 1, endless, eight, nullptr); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_WORK_GROUP_SIZE,
       [](World& w) { return range(w.queue, w.kernel, 1, nullptr, eight, three); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_WORK_GROUP_SIZE,
       [](World& w) { return range(w.queue, w.fixed, 1, nullptr, eight, eight); }},
      {"clEnqueueNDRangeKernel", CL_INVALID_WORK_ITEM_SIZE,
       [](World& w) { return range(w.queue, w.kernel, 1, nullptr, huge, huge); }},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  add_enqueue(rows, "clEnqueueTask", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueTask(queue, w.kernel, count, list, nullptr);
              });
  const Rows tasks = {
      {"clEnqueueTask", CL_INVALID_KERNEL,
       [](World& w) { return clEnqueueTask(w.queue, nullptr, 0, nullptr, nullptr); }},
      {"clEnqueueTask", CL_INVALID_CONTEXT,
       [](World& w) { return clEnqueueTask(w.foreign_queue, w.kernel, 0, nullptr, nullptr); }},
      {"clEnqueueTask", CL_INVALID_KERNEL_ARGS,
       [](World& w) { return clEnqueueTask(w.queue, w.unset, 0, nullptr, nullptr); }},
      {"clEnqueueTask", CL_INVALID_WORK_GROUP_SIZE,
       [](World& w) { return clEnqueueTask(w.queue, w.fixed, 0, nullptr, nullptr); }},
  };
  rows.insert(rows.end(), tasks.begin(), tasks.end());
  const auto native = [](cl_command_queue queue, bool function, cl_uint count, const cl_event* list) {
    const auto nothing = [](void*) {};
    return clEnqueueNativeKernel(queue, function ? +nothing : nullptr, nullptr, 0, 0, nullptr, nullptr, count,
                                 list, nullptr);
  };
  const Rows natives = {
      {"clEnqueueNativeKernel", CL_INVALID_COMMAND_QUEUE,
       [=](World&) { return native(nullptr, true, 0, nullptr); }},
      {"clEnqueueNativeKernel", CL_INVALID_CONTEXT,
       [=](World& w) { return native(w.queue, true, 1, &w.foreign_event); }},
      {"clEnqueueNativeKernel", CL_INVALID_VALUE,
       [=](World& w) { return native(w.queue, false, 0, nullptr); }},
      {"clEnqueueNativeKernel", CL_INVALID_OPERATION,
       [=](World& w) { return native(w.queue, true, 0, nullptr); }},
      {"clEnqueueNativeKernel", CL_INVALID_EVENT_WAIT_LIST,
       [=](World& w) { return native(w.queue, true, 1, nullptr); }},
  };
  rows.insert(rows.end(), natives.begin(), natives.end());
}

void add_arguments(Rows& rows) {
  const Rows more = {
      {"clSetKernelArg", CL_SUCCESS,
       [](World& w) { return clSetKernelArg(w.local, 0, sizeof(w.memory), &w.memory); }},
      {"clSetKernelArg", CL_SUCCESS, [](World& w) { return clSetKernelArg(w.local, 1, 64, nullptr); }},
      {"clSetKernelArg", CL_INVALID_KERNEL,
       [](World& w) { return clSetKernelArg(nullptr, 0, sizeof(w.memory), &w.memory); }},
      {"clSetKernelArg", CL_INVALID_ARG_INDEX,
       [](World& w) { return clSetKernelArg(w.local, 3, sizeof(w.memory), &w.memory); }},
      {"clSetKernelArg", CL_INVALID_ARG_VALUE,
       [](World& w) { return clSetKernelArg(w.local, 1, 64, w.host); }},
      {"clSetKernelArg", CL_INVALID_ARG_VALUE,
       [](World& w) { return clSetKernelArg(w.local, 2, 4, nullptr); }},
      {"clSetKernelArg", CL_INVALID_ARG_VALUE,
       [](World& w) {
         const cl_image_format format{CL_RGBA, CL_FLOAT};
         cl_image_desc desc{};
         desc.image_type = CL_MEM_OBJECT_IMAGE2D;
         desc.image_width = desc.image_height = 4;
         cl_int code = 0;
         const cl_mem image = clCreateImage(w.context, CL_MEM_WRITE_ONLY, &format, &desc, nullptr, &code);
         code = clSetKernelArg(w.sampling, 0, sizeof(image), &image);
         clReleaseMemObject(image);
         return code;
       },
       Needs::images},
      {"clSetKernelArg", CL_INVALID_MEM_OBJECT,
       [](World& w) {
         const void* wrong = w.context;
         return clSetKernelArg(w.local, 0, sizeof(wrong), &wrong);
       }},
      {"clSetKernelArg", CL_INVALID_SAMPLER,
       [](World& w) { return clSetKernelArg(w.sampling, 1, sizeof(w.memory), &w.memory); }, Needs::images},
      {"clSetKernelArg", CL_INVALID_ARG_SIZE,
       [](World& w) { return clSetKernelArg(w.local, 0, 3, &w.memory); }},
      {"clSetKernelArg", CL_INVALID_ARG_SIZE,
       [](World& w) { return clSetKernelArg(w.local, 1, 0, nullptr); }},
      {"clSetKernelArg", CL_INVALID_ARG_SIZE, [](World& w) { return clSetKernelArg(w.local, 2, 8, w.host); }},
      {"clGetKernelArgInfo", CL_SUCCESS,
       [](World& w) {
         return clGetKernelArgInfo(w.local, 2, CL_KERNEL_ARG_NAME, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetKernelArgInfo", CL_INVALID_KERNEL,
       [](World&) { return clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr); }},
      {"clGetKernelArgInfo", CL_INVALID_ARG_INDEX,
       [](World& w) { return clGetKernelArgInfo(w.local, 3, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr); }},
      {"clGetKernelArgInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetKernelArgInfo(w.local, 0, 0x1, 0, nullptr, nullptr); }},
      {"clGetKernelArgInfo", CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
       [](World& w) {
         const char* text = "__kernel void f(__global int* a) { a[0] = 1; }\n";
         cl_int code = 0;
         const cl_program program = clCreateProgramWithSource(w.context, 1, &text, nullptr, &code);
         if (clBuildProgram(program, 1, &w.device, "", nullptr, nullptr) != CL_SUCCESS) return 23456;
         const cl_kernel kernel = clCreateKernel(program, "f", &code);
         code = clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(w.host), w.host, nullptr);
         clReleaseKernel(kernel);
         clReleaseProgram(program);
         return code;
       }},
  };
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace

Rows kernel_rows() {
  const auto create = [](cl_program program, const char* name) {
    return made([&](cl_int* code) { return clCreateKernel(program, name, code); });
  };
  const auto all = [](cl_program program, cl_uint room) {
    cl_kernel made[16] = {};
    cl_uint count = 0;
    const cl_int code = clCreateKernelsInProgram(program, room, made, &count);
    for (cl_uint i = 0; code == CL_SUCCESS && i < count; ++i) clReleaseKernel(made[i]);
    return code;
  };
  const auto sub_groups = [](World& w, cl_kernel kernel, cl_device_id device, cl_uint name) {
    const size_t local[] = {64};
    return clGetKernelSubGroupInfo(kernel, device, name, sizeof(local), local, sizeof(w.host), w.host,
                                   nullptr);
  };
  Rows rows = {
      {"clCreateKernel", CL_SUCCESS, [=](World& w) { return create(w.program, "write_ids"); }},
      {"clCreateKernel", CL_INVALID_PROGRAM, [=](World&) { return create(nullptr, "write_ids"); }},
      {"clCreateKernel", CL_INVALID_PROGRAM_EXECUTABLE, [=](World& w) { return create(w.unbuilt, "f"); }},
      {"clCreateKernel", CL_INVALID_KERNEL_NAME, [=](World& w) { return create(w.program, "nobody"); }},
      {"clCreateKernel", CL_INVALID_VALUE, [=](World& w) { return create(w.program, nullptr); }},
      {"clCreateKernelsInProgram", CL_SUCCESS, [=](World& w) { return all(w.program, 16); }},
      {"clCreateKernelsInProgram", CL_INVALID_PROGRAM, [=](World&) { return all(nullptr, 16); }},
      {"clCreateKernelsInProgram", CL_INVALID_PROGRAM_EXECUTABLE,
       [=](World& w) { return all(w.unbuilt, 16); }},
      {"clCreateKernelsInProgram", CL_INVALID_VALUE, [=](World& w) { return all(w.program, 1); }},
      {"clCloneKernel", CL_SUCCESS,
       [](World& w) { return made([&](cl_int* code) { return clCloneKernel(w.kernel, code); }); }},
      {"clCloneKernel", CL_INVALID_KERNEL,
       [](World&) { return made([](cl_int* code) { return clCloneKernel(nullptr, code); }); }},
      {"clRetainKernel", CL_SUCCESS, [](World& w) { return clRetainKernel(w.kernel); }},
      {"clRetainKernel", CL_INVALID_KERNEL, [](World&) { return clRetainKernel(nullptr); }},
      {"clReleaseKernel", CL_SUCCESS, [](World& w) { return clReleaseKernel(w.kernel); }},
      {"clReleaseKernel", CL_INVALID_KERNEL, [](World&) { return clReleaseKernel(nullptr); }},
      {"clGetKernelInfo", CL_SUCCESS,
       [](World& w) {
         return clGetKernelInfo(w.kernel, CL_KERNEL_FUNCTION_NAME, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetKernelInfo", CL_INVALID_KERNEL,
       [](World&) { return clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr); }},
      {"clGetKernelInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetKernelInfo(w.kernel, 0x1, 0, nullptr, nullptr); }},
      {"clGetKernelWorkGroupInfo", CL_SUCCESS,
       [](World& w) {
         return clGetKernelWorkGroupInfo(w.kernel, w.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(w.host),
                                         w.host, nullptr);
       }},
      {"clGetKernelWorkGroupInfo", CL_INVALID_KERNEL,
       [](World& w) {
         return clGetKernelWorkGroupInfo(nullptr, w.device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr);
       }},
      {"clGetKernelWorkGroupInfo", CL_INVALID_DEVICE,
       [](World& w) {
         return clGetKernelWorkGroupInfo(w.kernel, reinterpret_cast<cl_device_id>(w.platform),
                                         CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr);
       }},
      {"clGetKernelWorkGroupInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetKernelWorkGroupInfo(w.kernel, w.device, 0x1, 0, nullptr, nullptr); }},
      {"clGetKernelSubGroupInfo", CL_SUCCESS,
       [=](World& w) { return sub_groups(w, w.kernel, w.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE); },
       Needs::sub_groups},
      {"clGetKernelSubGroupInfo", CL_INVALID_KERNEL,
       [=](World& w) { return sub_groups(w, nullptr, w.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE); }},
      {"clGetKernelSubGroupInfo", CL_INVALID_DEVICE,
       [=](World& w) {
         return sub_groups(w, w.kernel, reinterpret_cast<cl_device_id>(w.platform),
                           CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE);
       }},
      {"clGetKernelSubGroupInfo", CL_INVALID_VALUE,
       [=](World& w) { return sub_groups(w, w.kernel, w.device, 0x1); }, Needs::sub_groups},
      {"clGetKernelSubGroupInfo", CL_INVALID_OPERATION,
       [=](World& w) { return sub_groups(w, w.kernel, w.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE); },
       Needs::no_sub_groups},
  };
  add_arguments(rows);
  add_execution(rows);
  return rows;
}

Rows event_rows() {
  const auto both = [](World& w) {
    const cl_event list[] = {w.complete, w.foreign_event};
    return clWaitForEvents(2, list);
  };
  // Sets a new user event, and if wanted once more.
  const auto set = [](World& w, cl_int status, int times) {
    cl_int code = 0;
    const cl_event event = clCreateUserEvent(w.context, &code);
    for (int i = 0; i < times; ++i) code = clSetUserEventStatus(event, status);
    if (status > 0) clSetUserEventStatus(event, CL_COMPLETE);
    clReleaseEvent(event);
    return code;
  };
  const auto ignore = [](cl_event, cl_int, void*) {};
  Rows rows = {
      {"clCreateUserEvent", CL_INVALID_CONTEXT,
       [](World&) { return made([](cl_int* code) { return clCreateUserEvent(nullptr, code); }); }},
      {"clCreateUserEvent", CL_SUCCESS, [=](World& w) { return set(w, CL_COMPLETE, 1); }},
      {"clSetUserEventStatus", CL_SUCCESS, [=](World& w) { return set(w, CL_COMPLETE, 1); }},
      {"clSetUserEventStatus", CL_INVALID_EVENT,
       [](World& w) { return clSetUserEventStatus(w.command, CL_COMPLETE); }},
      {"clSetUserEventStatus", CL_INVALID_VALUE, [=](World& w) { return set(w, CL_RUNNING, 1); }},
      {"clSetUserEventStatus", CL_INVALID_OPERATION, [=](World& w) { return set(w, CL_COMPLETE, 2); }},
      {"clWaitForEvents", CL_SUCCESS, [](World& w) { return clWaitForEvents(1, &w.complete); }},
      {"clWaitForEvents", CL_INVALID_VALUE, [](World&) { return clWaitForEvents(0, nullptr); }},
      {"clWaitForEvents", CL_INVALID_CONTEXT, both},
      {"clWaitForEvents", CL_INVALID_EVENT,
       [](World& w) {
         const cl_event list[] = {w.complete, nullptr};
         return clWaitForEvents(2, list);
       }},
      {"clWaitForEvents", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
       [](World& w) { return clWaitForEvents(1, &w.failed); }},
      {"clGetEventInfo", CL_SUCCESS,
       [](World& w) {
         return clGetEventInfo(w.complete, CL_EVENT_CONTEXT, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetEventInfo", CL_INVALID_EVENT,
       [](World&) { return clGetEventInfo(nullptr, CL_EVENT_CONTEXT, 0, nullptr, nullptr); }},
      {"clGetEventInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetEventInfo(w.complete, 0x1, 0, nullptr, nullptr); }},
      {"clSetEventCallback", CL_SUCCESS,
       [=](World& w) { return clSetEventCallback(w.complete, CL_COMPLETE, ignore, nullptr); }},
      {"clSetEventCallback", CL_INVALID_EVENT,
       [=](World&) { return clSetEventCallback(nullptr, CL_COMPLETE, ignore, nullptr); }},
      {"clSetEventCallback", CL_INVALID_VALUE,
       [](World& w) { return clSetEventCallback(w.complete, CL_COMPLETE, nullptr, nullptr); }},
      {"clRetainEvent", CL_SUCCESS, [](World& w) { return clRetainEvent(w.complete); }},
      {"clRetainEvent", CL_INVALID_EVENT, [](World&) { return clRetainEvent(nullptr); }},
      {"clReleaseEvent", CL_SUCCESS, [](World& w) { return clReleaseEvent(w.complete); }},
      {"clReleaseEvent", CL_INVALID_EVENT, [](World&) { return clReleaseEvent(nullptr); }},
      {"clEnqueueMarker", CL_SUCCESS,
       [](World& w) {
         return made([&](cl_int* code) {
           cl_event event = nullptr;
           *code = clEnqueueMarker(w.queue, &event);
           return event;
         });
       }},
      {"clEnqueueMarker", CL_INVALID_COMMAND_QUEUE,
       [](World&) {
         cl_event event = nullptr;
         return clEnqueueMarker(nullptr, &event);
       }},
      {"clEnqueueMarker", CL_INVALID_VALUE, [](World& w) { return clEnqueueMarker(w.queue, nullptr); }},
      {"clEnqueueBarrier", CL_SUCCESS, [](World& w) { return clEnqueueBarrier(w.queue); }},
      {"clEnqueueBarrier", CL_INVALID_COMMAND_QUEUE, [](World&) { return clEnqueueBarrier(nullptr); }},
      {"clEnqueueWaitForEvents", CL_SUCCESS,
       [](World& w) { return clEnqueueWaitForEvents(w.queue, 1, &w.complete); }},
      {"clEnqueueWaitForEvents", CL_INVALID_COMMAND_QUEUE,
       [](World& w) { return clEnqueueWaitForEvents(nullptr, 1, &w.complete); }},
      {"clEnqueueWaitForEvents", CL_INVALID_CONTEXT,
       [](World& w) { return clEnqueueWaitForEvents(w.queue, 1, &w.foreign_event); }},
      {"clEnqueueWaitForEvents", CL_INVALID_VALUE,
       [](World& w) { return clEnqueueWaitForEvents(w.queue, 0, nullptr); }},
      {"clEnqueueWaitForEvents", CL_INVALID_EVENT,
       [](World& w) {
         const cl_event none = nullptr;
         return clEnqueueWaitForEvents(w.queue, 1, &none);
       }},
      {"clGetEventProfilingInfo", CL_SUCCESS,
       [](World& w) {
         cl_ulong time = 0;
         return clGetEventProfilingInfo(w.command, CL_PROFILING_COMMAND_END, sizeof(time), &time, nullptr);
       }},
      {"clGetEventProfilingInfo", CL_PROFILING_INFO_NOT_AVAILABLE,
       [](World& w) {
         cl_ulong time = 0;
         return clGetEventProfilingInfo(w.complete, CL_PROFILING_COMMAND_END, sizeof(time), &time, nullptr);
       }},
      {"clGetEventProfilingInfo", CL_INVALID_VALUE,
       [](World& w) {
         cl_ulong time = 0;
         return clGetEventProfilingInfo(w.command, 0x1, sizeof(time), &time, nullptr);
       }},
      {"clGetEventProfilingInfo", CL_INVALID_EVENT,
       [](World&) {
         return clGetEventProfilingInfo(nullptr, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr);
       }},
  };
  add_enqueue(rows, "clEnqueueMarkerWithWaitList", false,
              [](World&, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueMarkerWithWaitList(queue, count, list, nullptr);
              });
  add_enqueue(rows, "clEnqueueBarrierWithWaitList", false,
              [](World&, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueBarrierWithWaitList(queue, count, list, nullptr);
              });
  return rows;
}

}  // namespace conformance
