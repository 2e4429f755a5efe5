// OpenCL 3.0, chapter 5.7: samplers.
#include <algorithm>

#include "opencl/info.h"
#include "opencl/platform.h"
#include "opencl/types.h"

_cl_sampler::~_cl_sampler() {
  if (descriptors.empty()) return;
  const std::lock_guard lock(context->mutex);
  for (const auto& [target, descriptor] : descriptors) context->memory->free(descriptor);
}

using namespace lockstep::opencl;

namespace {

std::optional<lockstep::AddressingMode> mode_of(cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_NONE:
      return lockstep::AddressingMode::none;
    case CL_ADDRESS_CLAMP_TO_EDGE:
      return lockstep::AddressingMode::clamp_to_edge;
    case CL_ADDRESS_CLAMP:
      return lockstep::AddressingMode::clamp;
    case CL_ADDRESS_REPEAT:
      return lockstep::AddressingMode::repeat;
    case CL_ADDRESS_MIRRORED_REPEAT:
      return lockstep::AddressingMode::mirrored_repeat;
    default:
      return std::nullopt;
  }
}

cl_sampler make_sampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                        cl_filter_mode filter, std::vector<cl_sampler_properties> properties, cl_int& code) {
  if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
  const auto mode = mode_of(addressing);
  if (!mode || (normalized != CL_TRUE && normalized != CL_FALSE) ||
      (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR))
    return code = CL_INVALID_VALUE, nullptr;
  if (std::none_of(context->devices.begin(), context->devices.end(),
                   [](cl_device_id device) { return has_images(*device); }))
    return code = CL_INVALID_OPERATION, nullptr;
  auto made = std::make_unique<_cl_sampler>();
  made->context = context;
  made->normalized = normalized;
  made->addressing = addressing;
  made->filter = filter;
  made->properties = std::move(properties);
  const std::lock_guard lock(context->mutex);
  for (const cl_device_id device : context->devices) {
    const lockstep::Target* const target = device->machine.target;
    const bool known = std::any_of(made->descriptors.begin(), made->descriptors.end(),
                                   [&](const auto& each) { return each.first == target; });
    if (!has_images(*device) || known) continue;
    const auto descriptor = lockstep::make_sampler(
        *context->memory, *target, {normalized == CL_TRUE, *mode, filter == CL_FILTER_LINEAR}, "sampler");
    if (!descriptor) {
      for (const auto& each : made->descriptors) context->memory->free(each.second);
      made->descriptors.clear();
      return code = CL_OUT_OF_RESOURCES, nullptr;
    }
    made->descriptors.emplace_back(target, *descriptor);
  }
  return made.release();
}

}  // namespace

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int* errcode_ret) {
  return created<_cl_sampler>(errcode_ret, [&](cl_int& code) {
    return make_sampler(context, normalized, addressing, filter, {}, code);
  });
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties* properties,
                                         cl_int* errcode_ret) {
  return created<_cl_sampler>(errcode_ret, [&](cl_int& code) -> cl_sampler {
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    // What holds where nothing is said: 5.7.1, table of properties.
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> list;
    for (const cl_sampler_properties* at = properties; at != nullptr && *at != 0; at += 2) {
      for (std::size_t i = 0; i < list.size(); i += 2) {
        if (list[i] == at[0]) return code = CL_INVALID_VALUE, nullptr;
      }
      if (at[0] == CL_SAMPLER_NORMALIZED_COORDS)
        normalized = static_cast<cl_bool>(at[1]);
      else if (at[0] == CL_SAMPLER_ADDRESSING_MODE)
        addressing = static_cast<cl_addressing_mode>(at[1]);
      else if (at[0] == CL_SAMPLER_FILTER_MODE)
        filter = static_cast<cl_filter_mode>(at[1]);
      else
        return code = CL_INVALID_VALUE, nullptr;
      list.insert(list.end(), {at[0], at[1]});
    }
    if (properties != nullptr) list.push_back(0);
    return make_sampler(context, normalized, addressing, filter, std::move(list), code);
  });
}

cl_int clRetainSampler(cl_sampler sampler) {
  if (!valid(sampler)) return CL_INVALID_SAMPLER;
  retain(sampler);
  return CL_SUCCESS;
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return guarded([&] { return valid(sampler) && release(sampler) ? CL_SUCCESS : CL_INVALID_SAMPLER; });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t size, void* value,
                        size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(sampler)) return CL_INVALID_SAMPLER;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_SAMPLER_REFERENCE_COUNT:
        return info.value<cl_uint>(sampler->references);
      case CL_SAMPLER_CONTEXT:
        return info.value<cl_context>(sampler->context.get());
      case CL_SAMPLER_NORMALIZED_COORDS:
        return info.value<cl_bool>(sampler->normalized);
      case CL_SAMPLER_ADDRESSING_MODE:
        return info.value<cl_addressing_mode>(sampler->addressing);
      case CL_SAMPLER_FILTER_MODE:
        return info.value<cl_filter_mode>(sampler->filter);
      case CL_SAMPLER_PROPERTIES:
        return info.list(sampler->properties);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
