// OpenCL 3.0, chapters 5.1 and 5.15: command-queues, flush and finish.
#include <algorithm>

#include "opencl/info.h"
#include "opencl/types.h"

using namespace lockstep::opencl;

namespace {

constexpr cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                              CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE |
                                              CL_QUEUE_ON_DEVICE_DEFAULT;
constexpr cl_command_queue_properties supported =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

cl_command_queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                            std::vector<cl_queue_properties> list, cl_int& code) {
  if (!valid(context)) {
    code = CL_INVALID_CONTEXT;
  } else if (!valid(device) ||
             std::find(context->devices.begin(), context->devices.end(), device) == context->devices.end()) {
    code = CL_INVALID_DEVICE;
  } else if ((properties & ~known) != 0) {
    code = CL_INVALID_VALUE;
  } else if ((properties & ~supported) != 0) {
    // The default on-device queue must be an on-device queue, and that an out-of-order one.
    const bool sensible =
        (properties & CL_QUEUE_ON_DEVICE) != 0 && (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    code = sensible ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
  } else {
    auto* queue = new _cl_command_queue;
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    queue->property_list = std::move(list);
    return queue;
  }
  return nullptr;
}

}  // namespace

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* errcode_ret) {
  return created<_cl_command_queue>(errcode_ret, [&](cl_int& code) -> cl_command_queue {
    if ((properties & ~supported) != 0 && valid(context) && valid(device)) {
      code = CL_INVALID_VALUE;
      return nullptr;
    }
    return make_queue(context, device, properties, {}, code);
  });
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties,
                                                    cl_int* errcode_ret) {
  return created<_cl_command_queue>(errcode_ret, [&](cl_int& code) -> cl_command_queue {
    if (!valid(context)) {
      code = CL_INVALID_CONTEXT;
      return nullptr;
    }
    std::vector<cl_queue_properties> list;
    cl_command_queue_properties bits = 0;
    if (properties != nullptr) {
      for (; *properties != 0; properties += 2) {
        if (properties[0] == CL_QUEUE_PROPERTIES) {
          bits = properties[1];
        } else {
          // An on-device queue's size needs an on-device queue, which no device has.
          code = properties[0] == CL_QUEUE_SIZE ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
          return nullptr;
        }
        list.insert(list.end(), {properties[0], properties[1]});
      }
      list.push_back(0);
    }
    return make_queue(context, device, bits, std::move(list), code);
  });
}

cl_int clRetainCommandQueue(cl_command_queue queue) {
  if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
  retain(queue);
  return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
  return guarded([&]() -> cl_int {
    if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
    flush(*queue->context);
    return release(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
  });
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size, void* value,
                             size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_QUEUE_CONTEXT:
        return info.value<cl_context>(queue->context.get());
      case CL_QUEUE_DEVICE:
        return info.value(queue->device);
      case CL_QUEUE_REFERENCE_COUNT:
        return info.value<cl_uint>(queue->references);
      case CL_QUEUE_PROPERTIES:
        return info.value(queue->properties);
      case CL_QUEUE_PROPERTIES_ARRAY:
        return info.list(queue->property_list);
      case CL_QUEUE_DEVICE_DEFAULT:
        return info.value<cl_command_queue>(nullptr);
      case CL_QUEUE_SIZE:
        return CL_INVALID_COMMAND_QUEUE;  // only on-device queues have one
      default:
        return CL_INVALID_VALUE;
    }
  });
}

// Deprecated since 1.1; a queue's order cannot change under its commands.
cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties, cl_bool,
                                 cl_command_queue_properties*) {
  return valid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int clFlush(cl_command_queue queue) {
  return guarded([&]() -> cl_int {
    if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
    flush(*queue->context);
    return CL_SUCCESS;
  });
}

// After a kernel failed the first clFinish says so.
cl_int clFinish(cl_command_queue queue) {
  return guarded([&]() -> cl_int {
    if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
    const Ref<_cl_command_queue> use(queue);
    wait_for_all(*queue);
    return take_fault(*queue) ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  });
}
