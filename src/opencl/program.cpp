// OpenCL 3.0, chapter 5.8: program objects, building, queries.
#include "opencl/program.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "opencl/info.h"

using namespace lockstep;
using namespace lockstep::opencl;

namespace {

std::unique_ptr<_cl_program> empty_program(cl_context context, const std::vector<cl_device_id>& devices) {
  auto program = std::make_unique<_cl_program>();
  program->context = context;
  for (const cl_device_id device : devices) {
    Build build;
    build.device = device;
    program->builds.push_back(std::move(build));
  }
  return program;
}

bool in_context(const _cl_context& context, cl_device_id device) {
  return valid(device) &&
         std::find(context.devices.begin(), context.devices.end(), device) != context.devices.end();
}

// The program's builds for the devices of a list; all with an empty list.
cl_int chosen_builds(_cl_program& program, cl_uint count, const cl_device_id* devices,
                     std::vector<Build*>& chosen) {
  if ((count == 0) != (devices == nullptr)) return CL_INVALID_VALUE;
  if (devices == nullptr) {
    for (Build& build : program.builds) chosen.push_back(&build);
    return CL_SUCCESS;
  }
  for (cl_uint i = 0; i < count; ++i) {
    Build* build = valid(devices[i]) ? program.build_for(devices[i]) : nullptr;
    if (build == nullptr) return CL_INVALID_DEVICE;
    chosen.push_back(build);
  }
  return CL_SUCCESS;
}

const Build* any_executable(const _cl_program& program) {
  for (const Build& build : program.builds) {
    if (build.executable) return &build;
  }
  return nullptr;
}

// Of the objects in sections that kernels can write. A table of addresses that the loader fills in
// (.data.rel.ro) lies in such a section and is constant all the same.
u64 variable_bytes(const ElfFile& elf) {
  constexpr u8 object = 1;
  constexpr u64 writable = 1, allocated = 2;
  std::map<std::pair<u32, u64>, u64> size_at;  // by section and place: aliases count once
  for (const ElfSymbol& symbol : elf.symbols) {
    if (symbol.type != object || symbol.section >= elf.sections.size()) continue;
    const ElfSection& section = elf.sections[symbol.section];
    if ((section.flags & (writable | allocated)) != (writable | allocated) ||
        section.name.starts_with(".data.rel.ro"))
      continue;
    u64& size = size_at[{symbol.section, symbol.value}];
    size = std::max(size, symbol.size_bytes);
  }
  u64 bytes = 0;
  for (const auto& [place, size] : size_at) bytes += size;
  return bytes;
}

}  // namespace

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* errcode_ret) {
  return created<_cl_program>(errcode_ret, [&](cl_int& code) -> cl_program {
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    code = CL_INVALID_VALUE;
    if (count == 0 || strings == nullptr) return nullptr;
    std::string source;
    for (cl_uint i = 0; i < count; ++i) {
      if (strings[i] == nullptr) return nullptr;
      source.append(strings[i], lengths != nullptr && lengths[i] != 0 ? lengths[i] : std::strlen(strings[i]));
    }
    // A length may count the closing zero.
    while (!source.empty() && source.back() == '\0') source.pop_back();
    auto program = empty_program(context, context->devices);
    program->source = std::move(source);
    program->from_source = true;
    code = CL_SUCCESS;
    return program.release();
  });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const size_t* lengths, const unsigned char** binaries,
                                     cl_int* binary_status, cl_int* errcode_ret) {
  return created<_cl_program>(errcode_ret, [&](cl_int& code) -> cl_program {
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    if (count == 0 || devices == nullptr || lengths == nullptr || binaries == nullptr)
      return code = CL_INVALID_VALUE, nullptr;
    for (cl_uint i = 0; i < count; ++i) {
      if (!in_context(*context, devices[i])) return code = CL_INVALID_DEVICE, nullptr;
    }
    auto program = empty_program(context, {devices, devices + count});
    program->from_binary = true;
    for (cl_uint i = 0; i < count; ++i) {
      cl_int status = CL_SUCCESS;
      if (lengths[i] == 0 || binaries[i] == nullptr) {
        status = CL_INVALID_VALUE;
      } else {
        program->builds[i].binary.assign(reinterpret_cast<const char*>(binaries[i]), lengths[i]);
        if (!binary_fits(*devices[i], program->builds[i].binary)) status = CL_INVALID_BINARY;
        program->builds[i].type = type_of_binary(program->builds[i].binary);
      }
      if (binary_status != nullptr) binary_status[i] = status;
      if (status != CL_SUCCESS && code == CL_SUCCESS) code = status;
    }
    return code == CL_SUCCESS ? program.release() : nullptr;
  });
}

// CL_DEVICE_BUILT_IN_KERNELS is empty.
cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count, const cl_device_id* devices,
                                             const char* names, cl_int* errcode_ret) {
  return created<_cl_program>(errcode_ret, [&](cl_int& code) -> cl_program {
    code = CL_INVALID_VALUE;
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    if (count == 0 || devices == nullptr) return nullptr;
    for (cl_uint i = 0; i < count; ++i) {
      if (!in_context(*context, devices[i])) code = CL_INVALID_DEVICE;
    }
    (void)names;
    return nullptr;
  });
}

// CL_DEVICE_IL_VERSION is empty.
cl_program clCreateProgramWithIL(cl_context context, const void*, size_t, cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

cl_int clRetainProgram(cl_program program) {
  if (!valid(program)) return CL_INVALID_PROGRAM;
  retain(program);
  return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program) {
  return guarded([&] { return valid(program) && release(program) ? CL_SUCCESS : CL_INVALID_PROGRAM; });
}

cl_int clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK*)(cl_program, void*), void*) {
  return valid(program) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint, size_t, const void*) {
  return valid(program) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* user_data) {
  const cl_int code = guarded([&]() -> cl_int {
    if (!valid(program)) return CL_INVALID_PROGRAM;
    if (notify == nullptr && user_data != nullptr) return CL_INVALID_VALUE;
    const Ref<_cl_program> use(program);
    const std::lock_guard lock(program->mutex);
    std::vector<Build*> chosen;
    if (const cl_int wrong = chosen_builds(*program, count, devices, chosen); wrong != CL_SUCCESS)
      return wrong;
    if (program->kernels != 0) return CL_INVALID_OPERATION;
    cl_int result = CL_SUCCESS;
    for (Build* build : chosen) {
      if (!program->from_source && build->binary.empty()) return CL_INVALID_BINARY;
      const cl_int built = build_for_device(program->from_source ? &program->source : nullptr,
                                            options != nullptr ? options : "", *build);
      if (result == CL_SUCCESS) result = built;
    }
    return result;
  });
  // The build is complete when this returns; who asked to be called is called.
  if (notify != nullptr && (code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE)) {
    notify(program, user_data);
    return CL_SUCCESS;
  }
  return code;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void* value,
                        size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(program)) return CL_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_PROGRAM_REFERENCE_COUNT:
        return info.value<cl_uint>(program->references);
      case CL_PROGRAM_CONTEXT:
        return info.value<cl_context>(program->context.get());
      case CL_PROGRAM_NUM_DEVICES:
        return info.value<cl_uint>(static_cast<cl_uint>(program->builds.size()));
      case CL_PROGRAM_DEVICES: {
        std::vector<cl_device_id> devices;
        for (const Build& build : program->builds) devices.push_back(build.device);
        return info.list(devices);
      }
      case CL_PROGRAM_SOURCE:
        return info.text(program->source);
      case CL_PROGRAM_IL:
        return info.bytes(nullptr, 0);
      case CL_PROGRAM_BINARY_SIZES: {
        std::vector<size_t> sizes;
        for (const Build& build : program->builds) sizes.push_back(build.binary.size());
        return info.list(sizes);
      }
      case CL_PROGRAM_BINARIES: {
        const size_t bytes = program->builds.size() * sizeof(unsigned char*);
        if (value != nullptr) {
          if (size < bytes) return CL_INVALID_VALUE;
          auto** const places = static_cast<unsigned char**>(value);
          for (std::size_t i = 0; i < program->builds.size(); ++i) {
            const std::string& binary = program->builds[i].binary;
            if (places[i] != nullptr) std::memcpy(places[i], binary.data(), binary.size());
          }
        }
        if (size_ret != nullptr) *size_ret = bytes;
        return CL_SUCCESS;
      }
      case CL_PROGRAM_NUM_KERNELS:
      case CL_PROGRAM_KERNEL_NAMES: {
        const Build* build = any_executable(*program);
        if (build == nullptr) return CL_INVALID_PROGRAM_EXECUTABLE;
        const auto& kernels = build->executable->module->programs;
        if (name == CL_PROGRAM_NUM_KERNELS) return info.value<size_t>(kernels.size());
        std::string names;
        for (const auto& kernel : kernels) names += (names.empty() ? "" : ";") + kernel.name;
        return info.text(names);
      }
      case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return info.value<cl_bool>(CL_FALSE);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name, size_t size,
                             void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(program)) return CL_INVALID_PROGRAM;
    const std::lock_guard lock(program->mutex);
    const Build* build = valid(device) ? program->build_for(device) : nullptr;
    if (build == nullptr) return CL_INVALID_DEVICE;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_PROGRAM_BUILD_STATUS:
        return info.value<cl_build_status>(build->status);
      case CL_PROGRAM_BUILD_OPTIONS:
        return info.text(build->options);
      case CL_PROGRAM_BUILD_LOG:
        return info.text(build->log);
      case CL_PROGRAM_BINARY_TYPE:
        return info.value<cl_program_binary_type>(build->type);
      case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return info.value<size_t>(build->executable ? variable_bytes(build->executable->module->elf) : 0);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
