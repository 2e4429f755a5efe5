// OpenCL 3.0, chapter 5.9.4: kernel queries.
#include <fmt/format.h>

#include <algorithm>

#include "opencl/info.h"
#include "opencl/platform.h"
#include "opencl/types.h"

using namespace lockstep::opencl;
using lockstep::KernelNeeds;
using lockstep::Parameter;
using lockstep::ParameterKind;
using lockstep::u32;
using lockstep::u64;

namespace {

cl_kernel_arg_address_qualifier address_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::global_pointer:
    case ParameterKind::image:
      return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case ParameterKind::constant_pointer:
      return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case ParameterKind::local_pointer:
      return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
      return CL_KERNEL_ARG_ADDRESS_PRIVATE;
  }
}

cl_kernel_arg_type_qualifier qualifiers_of(const Parameter& parameter) {
  cl_kernel_arg_type_qualifier bits = 0;
  const bool pointer = parameter.kind == ParameterKind::global_pointer ||
                       parameter.kind == ParameterKind::constant_pointer ||
                       parameter.kind == ParameterKind::local_pointer;
  if (!pointer) return bits;
  if (parameter.read_only || parameter.kind == ParameterKind::constant_pointer)
    bits |= CL_KERNEL_ARG_TYPE_CONST;
  if (parameter.is_restrict) bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
  if (parameter.is_volatile) bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
  return bits;
}

cl_kernel_arg_access_qualifier access_of(const Parameter& parameter) {
  if (parameter.kind != ParameterKind::image) return CL_KERNEL_ARG_ACCESS_NONE;
  if (parameter.access == "write_only") return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  return parameter.access == "read_write" ? CL_KERNEL_ARG_ACCESS_READ_WRITE : CL_KERNEL_ARG_ACCESS_READ_ONLY;
}

// As the source has them; kernels of binaries have none (5.9.4, CL_KERNEL_ATTRIBUTES).
std::string attributes_of(const _cl_kernel& kernel) {
  std::vector<std::string> words;
  if (kernel.program->from_binary) return "";
  const KernelNeeds& needs = kernel.any().needs;
  const auto sizes = [&](const char* name, const std::array<u32, 3>& group) {
    if (group[0] != 0) words.push_back(fmt::format("{}({},{},{})", name, group[0], group[1], group[2]));
  };
  sizes("reqd_work_group_size", needs.required_group);
  sizes("work_group_size_hint", needs.hinted_group);
  if (!needs.vector_hint.empty()) words.push_back(fmt::format("vec_type_hint({})", needs.vector_hint));
  return fmt::format("{}", fmt::join(words, " "));
}

// The sub-groups of a group of this shape: waves along x first, the last one perhaps partly filled.
u64 sub_groups(u64 items, const KernelNeeds& needs) {
  return (items + needs.wave_lanes - 1) / needs.wave_lanes;
}

}  // namespace

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_KERNEL_FUNCTION_NAME:
        return info.text(kernel->name);
      case CL_KERNEL_NUM_ARGS:
        return info.value<cl_uint>(static_cast<cl_uint>(kernel->arguments.size()));
      case CL_KERNEL_REFERENCE_COUNT:
        return info.value<cl_uint>(kernel->references);
      case CL_KERNEL_CONTEXT:
        return info.value<cl_context>(kernel->program->context.get());
      case CL_KERNEL_PROGRAM:
        return info.value<cl_program>(kernel->program.get());
      case CL_KERNEL_ATTRIBUTES:
        return info.text(attributes_of(*kernel));
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size, void* value,
                          size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    if (index >= kernel->arguments.size()) return CL_INVALID_ARG_INDEX;
    const Parameter& parameter = kernel->any().parameters[index];
    // Names are kept only by -cl-kernel-arg-info; a code object of other origin may have them anyway.
    if (!kernel->codes.front().executable->argument_info || parameter.name.empty())
      return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return info.value(address_of(parameter));
      case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return info.value(access_of(parameter));
      case CL_KERNEL_ARG_TYPE_NAME:
        return info.text(parameter.type_name);
      case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return info.value(qualifiers_of(parameter));
      case CL_KERNEL_ARG_NAME:
        return info.text(parameter.name);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                                size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    if (device == nullptr && kernel->codes.size() > 1) return CL_INVALID_DEVICE;
    if (device != nullptr && !valid(device)) return CL_INVALID_DEVICE;
    const _cl_kernel::Code* code = device == nullptr ? &kernel->codes.front() : kernel->code_for(device);
    if (code == nullptr) return CL_INVALID_DEVICE;
    const KernelNeeds& needs = code->program->needs;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_KERNEL_WORK_GROUP_SIZE:
        return info.value<size_t>(code->most_items);
      case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        const auto& group = needs.required_group;
        return info.list(std::array<size_t, 3>{group[0], group[1], group[2]});
      }
      case CL_KERNEL_LOCAL_MEM_SIZE: {
        u64 bytes = needs.local_bytes;
        for (const auto& argument : kernel->arguments) bytes += argument.value.local_bytes;
        return info.value<cl_ulong>(bytes);
      }
      case CL_KERNEL_PRIVATE_MEM_SIZE:
        return info.value<cl_ulong>(needs.private_bytes + needs.spilled_bytes);
      case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return info.value<size_t>(needs.wave_lanes);
      case CL_KERNEL_GLOBAL_WORK_SIZE:  // of built-in kernels and custom devices only
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                               size_t input_size, const void* input, size_t size, void* value,
                               size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    if (device == nullptr && kernel->codes.size() > 1) return CL_INVALID_DEVICE;
    if (device != nullptr && !valid(device)) return CL_INVALID_DEVICE;
    const _cl_kernel::Code* code = device == nullptr ? &kernel->codes.front() : kernel->code_for(device);
    if (code == nullptr) return CL_INVALID_DEVICE;
    if (!has_sub_groups(*code->device)) return CL_INVALID_OPERATION;
    const KernelNeeds& needs = code->program->needs;
    const u64 most =
        std::min<u64>(needs.most_work_items, integer(code->device->machine, "occupancy.max_group_items"));
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
        if (input == nullptr || input_size == 0 || input_size % sizeof(size_t) != 0 ||
            input_size > 3 * sizeof(size_t))
          return CL_INVALID_VALUE;
        u64 items = 1;
        for (std::size_t i = 0; i < input_size / sizeof(size_t); ++i)
          items *= std::min<u64>(static_cast<const size_t*>(input)[i], most + 1);
        return info.value<size_t>(name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE
                                      ? sub_groups(items, needs)
                                      : std::min<u64>(needs.wave_lanes, items));
      }
      case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
        if (input == nullptr || input_size != sizeof(size_t)) return CL_INVALID_VALUE;
        if (size % sizeof(size_t) != 0 || (value != nullptr && size == 0)) return CL_INVALID_VALUE;
        const u64 wanted = *static_cast<const size_t*>(input);
        const bool fits = wanted != 0 && wanted <= most / needs.wave_lanes;
        std::array<size_t, 3> local{0, 0, 0};
        if (fits) local = {wanted * needs.wave_lanes, 1, 1};
        // As many dimensions as the place has.
        const std::size_t bytes = value != nullptr ? std::min(size, sizeof(local)) : sizeof(local);
        return info.bytes(local.data(), bytes);
      }
      case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return info.value<size_t>(sub_groups(most, needs));
      case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return info.value<size_t>(0);  // OpenCL C for these devices has no attribute that sets it
      default:
        return CL_INVALID_VALUE;
    }
  });
}
