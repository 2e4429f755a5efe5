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

std::string attributes_of(const KernelNeeds& needs) {
  const auto& group = needs.required_group;
  if (group[0] == 0) return "";
  return fmt::format("reqd_work_group_size({},{},{})", group[0], group[1], group[2]);
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
        return info.text(attributes_of(kernel->any().needs));
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
        return info.value<size_t>(std::min<u64>(needs.most_work_items,
                                                integer(code->device->machine, "occupancy.max_group_items")));
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
        return info.value<cl_ulong>(needs.private_bytes);
      case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return info.value<size_t>(needs.wave_lanes);
      case CL_KERNEL_GLOBAL_WORK_SIZE:  // of built-in kernels and custom devices only
      default:
        return CL_INVALID_VALUE;
    }
  });
}

// CL_DEVICE_MAX_NUM_SUB_GROUPS is 0: no device has sub-groups.
cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info, size_t,
                               const void*, size_t, void*, size_t*) {
  if (!valid(kernel)) return CL_INVALID_KERNEL;
  if (device != nullptr && (!valid(device) || kernel->code_for(device) == nullptr)) return CL_INVALID_DEVICE;
  return CL_INVALID_OPERATION;
}
