// OpenCL 3.0, chapter 5.9: kernel objects and their arguments.
#include <algorithm>
#include <cstring>

#include "opencl/platform.h"
#include "opencl/types.h"
#include "run/launch.h"

using namespace lockstep::opencl;
using lockstep::Parameter;
using lockstep::ParameterKind;
using lockstep::u8;

namespace {

// Whether both devices' code has one signature.
bool same_signature(const lockstep::Program& a, const lockstep::Program& b) {
  if (a.explicit_parameters() != b.explicit_parameters()) return false;
  for (std::size_t i = 0; i < a.explicit_parameters(); ++i) {
    const Parameter &x = a.parameters[i], &y = b.parameters[i];
    // Not every compiler keeps the names of types.
    const bool named = !x.type_name.empty() && !y.type_name.empty();
    if (x.kind != y.kind || x.bytes != y.bytes || (named && x.type_name != y.type_name)) return false;
  }
  return true;
}

// The program's mutex is held.
cl_kernel make_kernel(_cl_program& program, const std::string& name, cl_int& code) {
  auto kernel = std::make_unique<_cl_kernel>();
  kernel->name = name;
  bool built = false;
  for (const Build& build : program.builds) {
    if (!build.executable) continue;
    built = true;
    if (const lockstep::Program* found = build.executable->module->find(name))
      kernel->codes.push_back(
          {build.device, build.executable, found, lockstep::most_group_items(build.device->rules, *found)});
  }
  if (kernel->codes.empty()) {
    code = built ? CL_INVALID_KERNEL_NAME : CL_INVALID_PROGRAM_EXECUTABLE;
    return nullptr;
  }
  for (const auto& each : kernel->codes) {
    if (!same_signature(*each.program, kernel->any())) {
      code = CL_INVALID_KERNEL_DEFINITION;
      return nullptr;
    }
  }
  kernel->arguments.resize(kernel->any().explicit_parameters());
  kernel->program = &program;
  ++program.kernels;
  return kernel.release();
}

// Whether an image has the dimensions that the kernel declares, and may be read or written as it does.
bool image_fits(const Parameter& parameter, const _cl_mem& memory) {
  constexpr std::pair<std::string_view, cl_mem_object_type> types[] = {
      {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
      {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
      {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
      {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
      {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
      {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
  };
  // PTX keeps no qualifiers: what is not known is not refused.
  const bool reads = parameter.access == "read_only" || parameter.access == "read_write",
             writes = parameter.access == "write_only" || parameter.access == "read_write";
  if ((reads && (memory.flags & CL_MEM_WRITE_ONLY) != 0) ||
      (writes && (memory.flags & CL_MEM_READ_ONLY) != 0))
    return false;
  // Code objects of other origin may not name their types; the name may stand behind a qualifier.
  return std::none_of(std::begin(types), std::end(types), [&](const auto& type) {
    return parameter.type_name.ends_with(type.first) && type.second != memory.type;
  });
}

cl_int set_memory(_cl_kernel& kernel, const Parameter& parameter, _cl_kernel::Argument& argument,
                  const void* value) {
  // A null pointer, or a pointer to a null object, is an argument too.
  const cl_mem memory = value != nullptr ? *static_cast<const cl_mem*>(value) : nullptr;
  const bool image = parameter.kind == ParameterKind::image;
  if (memory == nullptr && image) return CL_INVALID_MEM_OBJECT;
  if (memory != nullptr) {
    if (!valid(memory) || (memory->type == CL_MEM_OBJECT_BUFFER) == image ||
        memory->context.get() != kernel.program->context.get())
      return CL_INVALID_MEM_OBJECT;
    if (image && !image_fits(parameter, *memory)) return CL_INVALID_ARG_VALUE;
  }
  argument.memory = memory;
  argument.value.bytes.assign(8, 0);
  if (memory != nullptr) std::memcpy(argument.value.bytes.data(), &memory->address, 8);
  argument.set = true;
  return CL_SUCCESS;
}

}  // namespace

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* errcode_ret) {
  return created<_cl_kernel>(errcode_ret, [&](cl_int& code) -> cl_kernel {
    if (!valid(program)) return code = CL_INVALID_PROGRAM, nullptr;
    if (name == nullptr) return code = CL_INVALID_VALUE, nullptr;
    const std::lock_guard lock(program->mutex);
    return make_kernel(*program, name, code);
  });
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* count_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(program)) return CL_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    const Build* built = nullptr;
    for (const Build& build : program->builds) {
      if (build.executable && built == nullptr) built = &build;
    }
    if (built == nullptr) return CL_INVALID_PROGRAM_EXECUTABLE;
    const auto& programs = built->executable->module->programs;
    if (kernels != nullptr) {
      if (count < programs.size()) return CL_INVALID_VALUE;
      for (std::size_t i = 0; i < programs.size(); ++i) {
        cl_int code = CL_SUCCESS;
        kernels[i] = make_kernel(*program, programs[i].name, code);
        if (code == CL_SUCCESS) continue;
        for (std::size_t made = 0; made < i; ++made) release(kernels[made]);
        return code;
      }
    }
    if (count_ret != nullptr) *count_ret = static_cast<cl_uint>(programs.size());
    return CL_SUCCESS;
  });
}

cl_kernel clCloneKernel(cl_kernel kernel, cl_int* errcode_ret) {
  return created<_cl_kernel>(errcode_ret, [&](cl_int& code) -> cl_kernel {
    if (!valid(kernel)) return code = CL_INVALID_KERNEL, nullptr;
    auto* made = new _cl_kernel;
    made->name = kernel->name;
    made->codes = kernel->codes;
    made->arguments = kernel->arguments;
    made->program = kernel->program;
    ++made->program->kernels;
    return made;
  });
}

cl_int clRetainKernel(cl_kernel kernel) {
  if (!valid(kernel)) return CL_INVALID_KERNEL;
  retain(kernel);
  return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return guarded([&] { return valid(kernel) && release(kernel) ? CL_SUCCESS : CL_INVALID_KERNEL; });
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  return guarded([&]() -> cl_int {
    if (!valid(kernel)) return CL_INVALID_KERNEL;
    if (index >= kernel->arguments.size()) return CL_INVALID_ARG_INDEX;
    const Parameter& parameter = kernel->any().parameters[index];
    _cl_kernel::Argument& argument = kernel->arguments[index];
    switch (parameter.kind) {
      case ParameterKind::local_pointer:
        if (value != nullptr) return CL_INVALID_ARG_VALUE;
        if (size == 0) return CL_INVALID_ARG_SIZE;
        argument.value.local_bytes = size;
        argument.set = true;
        return CL_SUCCESS;
      case ParameterKind::global_pointer:
      case ParameterKind::constant_pointer:
      case ParameterKind::image:
        if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
        return set_memory(*kernel, parameter, argument, value);
      case ParameterKind::sampler: {
        if (size != sizeof(cl_sampler)) return CL_INVALID_ARG_SIZE;
        if (value == nullptr) return CL_INVALID_ARG_VALUE;
        const cl_sampler sampler = *static_cast<const cl_sampler*>(value);
        if (!valid(sampler) || sampler->context.get() != kernel->program->context.get())
          return CL_INVALID_SAMPLER;
        argument.sampler = sampler;
        argument.set = true;
        return CL_SUCCESS;
      }
      case ParameterKind::value:
      case ParameterKind::hidden:
        break;
    }
    if (value == nullptr) return CL_INVALID_ARG_VALUE;
    if (size != parameter.bytes) return CL_INVALID_ARG_SIZE;
    const u8* const bytes = static_cast<const u8*>(value);
    argument.value.bytes.assign(bytes, bytes + size);
    argument.set = true;
    return CL_SUCCESS;
  });
}

// CL_DEVICE_SVM_CAPABILITIES is 0.
cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void*) {
  return valid(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void*) {
  return valid(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
