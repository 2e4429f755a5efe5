// OpenCL 3.0, chapter 4.2: what a device is, answered from its machine file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compile/clang_options.h"
#include "exec/printf.h"
#include "opencl/info.h"
#include "opencl/platform.h"
#include "opencl/types.h"

namespace lockstep::opencl {
namespace {

bool is_amdgcn(const _cl_device_id& device) {
  return device.machine.target->isa == IsaFamily::amdgcn;
}

bool is_nvidia(const _cl_device_id& device) {
  return device.machine.target->isa == IsaFamily::ptx;
}

bool is_intel(const _cl_device_id& device) {
  return device.machine.target->isa == IsaFamily::gen;
}

// LLVM's r600 back end has no variables in global memory.
bool has_feature(const _cl_device_id& device, std::string_view feature) {
  const auto features = opencl_c_features(*device.machine.target);
  return std::find(features.begin(), features.end(), feature) != features.end();
}

bool is_vliw(const _cl_device_id& device) {
  return device.machine.target->isa == IsaFamily::r600;
}

// NVIDIA: arithmetic on halves is of compute capability 5.3 (CUDA C++ Programming Guide, "Arithmetic
// Instructions").
bool has_half(const _cl_device_id& device) {
  if (is_intel(device)) return true;
  return is_amdgcn(device) ? device.machine.target->major >= 8
                           : is_nvidia(device) && device.machine.target->compute_capability() >= 53;
}

// NVIDIA: adding, exchanging and comparing on global and local memory are of 2.0, minimum, maximum and the
// bitwise operations of 3.2 (PTX ISA, "atom").
bool has_base_atomics_of_64_bits(const _cl_device_id& device) {
  return is_amdgcn(device) || is_intel(device) ||
         (is_nvidia(device) && device.machine.target->compute_capability() >= 20);
}
bool has_extended_atomics_of_64_bits(const _cl_device_id& device) {
  return is_amdgcn(device) || is_intel(device) ||
         (is_nvidia(device) && device.machine.target->compute_capability() >= 32);
}

bool has_double(const _cl_device_id& device) {
  return is_amdgcn(device) || is_intel(device) || (is_nvidia(device) && has(device.machine, "rate.f64"));
}

std::vector<std::string> extensions(const _cl_device_id& device) {
  std::vector<std::string> names = {"cl_khr_global_int32_base_atomics",
                                    "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
                                    "cl_khr_local_int32_extended_atomics", "cl_khr_byte_addressable_store"};
  if (has_double(device)) names.push_back("cl_khr_fp64");
  if (has_half(device)) names.push_back("cl_khr_fp16");
  if (has_images(device)) names.insert(names.end(), {"cl_khr_3d_image_writes", "cl_khr_image2d_from_buffer"});
  if (has_sub_groups(device)) names.push_back("cl_khr_subgroups");
  if (has_base_atomics_of_64_bits(device)) names.push_back("cl_khr_int64_base_atomics");
  if (has_extended_atomics_of_64_bits(device)) names.push_back("cl_khr_int64_extended_atomics");
  if (is_amdgcn(device))
    names.insert(names.end(), {"cl_amd_device_attribute_query", "cl_amd_media_ops", "cl_amd_media_ops2"});
  return names;
}

cl_name_version named(cl_version version, std::string_view name) {
  cl_name_version made{};
  made.version = version;
  name.copy(made.name, sizeof(made.name) - 1);
  return made;
}

std::string_view vendor_name(Vendor vendor) {
  switch (vendor) {
    case Vendor::amd:
      return "Advanced Micro Devices, Inc.";
    case Vendor::nvidia:
      return "NVIDIA Corporation";
    case Vendor::intel:
      return "Intel(R) Corporation";
  }
  return "";
}

cl_uint vendor_id(Vendor vendor) {
  return vendor == Vendor::amd ? 0x1002 : vendor == Vendor::nvidia ? 0x10DE : 0x8086;
}

// Vector widths are 1: the machines run one work-item per lane.
std::optional<cl_uint> vector_width(const _cl_device_id& device, cl_device_info name) {
  switch (name) {
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
      return 1;
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      return has_double(device) ? 1 : 0;
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
      return has_half(device) ? 1 : 0;
    default:
      return std::nullopt;
  }
}

constexpr cl_device_fp_config ieee =
    CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

// Of a program-scope variable: what the specification asks for at least (OpenCL API 3.0, table 5). They lie
// in global memory.
constexpr size_t most_variable_bytes = 65536;

// Names, versions, and what needs a list.
std::optional<cl_int> identity(const _cl_device_id& device, cl_device_info name, const InfoPlace& info) {
  const Machine& machine = device.machine;
  switch (name) {
    case CL_DEVICE_NAME:
      return info.text(machine.name);
    case CL_DEVICE_VENDOR:
      return info.text(vendor_name(machine.target->vendor));
    case CL_DEVICE_VENDOR_ID:
      return info.value(vendor_id(machine.target->vendor));
    case CL_DRIVER_VERSION:
      return info.text(driver_version);
    case CL_DEVICE_PROFILE:
      return info.text("FULL_PROFILE");
    case CL_DEVICE_VERSION:
      return info.text(platform_version);
    case CL_DEVICE_NUMERIC_VERSION:
      return info.value<cl_version>(CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_OPENCL_C_VERSION:
      return info.text("OpenCL C 1.2 ");
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return info.list(std::array{
          named(CL_MAKE_VERSION(1, 0, 0), "OpenCL C"), named(CL_MAKE_VERSION(1, 1, 0), "OpenCL C"),
          named(CL_MAKE_VERSION(1, 2, 0), "OpenCL C"), named(CL_MAKE_VERSION(3, 0, 0), "OpenCL C")});
    case CL_DEVICE_OPENCL_C_FEATURES: {
      std::vector<cl_name_version> features = {named(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_int64")};
      if (has_double(device)) features.push_back(named(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_fp64"));
      if (has_images(device)) {
        features.push_back(named(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_images"));
        features.push_back(named(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_3d_image_writes"));
      }
      for (const std::string_view feature : opencl_c_features(*machine.target))
        features.push_back(named(CL_MAKE_VERSION(3, 0, 0), feature));
      return info.list(features);
    }
    case CL_DEVICE_EXTENSIONS:
      return info.text(device_extensions(device));
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: {
      std::vector<cl_name_version> list;
      for (const std::string& extension : extensions(device))
        list.push_back(named(CL_MAKE_VERSION(1, 0, 0), extension));
      return info.list(list);
    }
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS:
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return info.text("");
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    case CL_DEVICE_PARTITION_TYPE:
      return info.bytes(nullptr, 0);
    case CL_DEVICE_PARTITION_PROPERTIES:
      return info.value<cl_device_partition_property>(0);
    case CL_DEVICE_PLATFORM:
      return info.value<cl_platform_id>(the_platform());
    case CL_DEVICE_PARENT_DEVICE:
      return info.value<cl_device_id>(nullptr);
    default:
      return std::nullopt;
  }
}

std::optional<cl_int> sizes(const _cl_device_id& device, cl_device_info name, const InfoPlace& info) {
  const Machine& machine = device.machine;
  switch (name) {
    case CL_DEVICE_TYPE:
      return info.value<cl_device_type>(CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return info.value<cl_uint>(static_cast<cl_uint>(integer(machine, "compute.units")));
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return info.value<cl_uint>(3);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return info.value<size_t>(most_group_items(device));
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      const size_t most = integer(machine, "occupancy.max_group_items");
      return info.list(std::array<size_t, 3>{most, most, most});
    }
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return info.value<cl_uint>(static_cast<cl_uint>(integer(machine, "clock.boost_hz") / 1'000'000));
    case CL_DEVICE_ADDRESS_BITS:
      return info.value<cl_uint>(is_vliw(device) ? 32 : 64);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return info.value<cl_ulong>(integer(machine, "memory.size_bytes"));
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return info.value<cl_ulong>(most_bytes_of_buffer(device));
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return info.value<cl_device_mem_cache_type>(has(machine, "l2.size_bytes") ? CL_READ_WRITE_CACHE
                                                                                : CL_NONE);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return info.value<cl_ulong>(integer_or(machine, "l2.size_bytes", 0));
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return info.value<cl_uint>(static_cast<cl_uint>(
          integer_or(machine, "l2.line_bytes", integer_or(machine, "l1.line_bytes", 0))));
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return info.value<cl_ulong>(constant_bytes);
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return info.value<cl_uint>(8);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return info.value<cl_device_local_mem_type>(CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return info.value<cl_ulong>(local_bytes(device));
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return info.value<size_t>(1024);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return info.value<cl_uint>(buffer_alignment_bytes * 8);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return info.value<cl_uint>(128);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
      return info.value<size_t>(
          has_feature(device, "__opencl_c_program_scope_global_variables") ? most_variable_bytes : 0);
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      return info.value<cl_uint>(has_sub_groups(device) ? static_cast<cl_uint>(most_group_items(device) /
                                                                               machine.target->default_width)
                                                        : 0);
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return info.value<size_t>(printf_buffer_bytes);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return info.value<size_t>(1);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return info.value<size_t>(machine.target->default_width);
    case CL_DEVICE_REFERENCE_COUNT:
      return info.value<cl_uint>(1);
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return info.value<cl_uint>(0);
    default:
      return std::nullopt;
  }
}

// Images: the limits are the descriptors' (exec/image.h); all are 0 on a device without images. The numbers
// of arguments are those that AMD's drivers report: the hardware takes any number of descriptors.
std::optional<cl_int> images(const _cl_device_id& device, cl_device_info name, const InfoPlace& info) {
  const ImageLimits most = image_limits(*device.machine.target);
  const bool present = has_images(device);
  switch (name) {
    case CL_DEVICE_IMAGE_SUPPORT:
      return info.value<cl_bool>(present ? CL_TRUE : CL_FALSE);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return info.value<size_t>(most.buffer_texels);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return info.value<size_t>(most.layers);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
      return info.value<size_t>(most.width);
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
      return info.value<size_t>(most.height);
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      return info.value<size_t>(most.depth);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
      return info.value<cl_uint>(present ? 128 : 0);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
      // VLIW: typed stores have eleven targets beside global memory; OpenCL asks for eight.
      return info.value<cl_uint>(!present ? 0 : is_vliw(device) ? 8 : 64);
    case CL_DEVICE_MAX_SAMPLERS:
      return info.value<cl_uint>(present ? 16 : 0);
    // In texels, so that rows of the smallest texel fit.
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return info.value<cl_uint>(present ? image_row_alignment : 0);
    default:
      return std::nullopt;
  }
}

cl_device_atomic_capabilities atomic_abilities(const _cl_device_id& device) {
  return CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
         (has_feature(device, "__opencl_c_atomic_order_acq_rel") ? CL_DEVICE_ATOMIC_ORDER_ACQ_REL : 0) |
         CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
}

std::optional<cl_int> abilities(const _cl_device_id& device, cl_device_info name, const InfoPlace& info) {
  switch (name) {
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      return info.value<cl_bool>(CL_TRUE);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT:
      return info.value<cl_bool>(CL_FALSE);
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      return info.value<cl_bool>(has_feature(device, "__opencl_c_generic_address_space") ? CL_TRUE
                                                                                         : CL_FALSE);
    // All resident waves are stepped in turn.
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
      return info.value<cl_bool>(has_sub_groups(device) ? CL_TRUE : CL_FALSE);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return info.value<cl_device_fp_config>((is_amdgcn(device) && device.machine.target->major >= 9) ||
                                                     is_nvidia(device) || is_intel(device)
                                                 ? ieee | CL_FP_DENORM
                                                 : ieee);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return info.value<cl_device_fp_config>(has_double(device) ? ieee | CL_FP_DENORM : 0);
    case CL_DEVICE_HALF_FP_CONFIG:
      return info.value<cl_device_fp_config>(has_half(device) ? ieee | CL_FP_DENORM : 0);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return info.value<cl_device_exec_capabilities>(CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return info.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                     CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return info.value<cl_command_queue_properties>(0);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return info.value<cl_device_affinity_domain>(0);
    case CL_DEVICE_SVM_CAPABILITIES:
      return info.value<cl_device_svm_capabilities>(0);
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      return info.value<cl_device_device_enqueue_capabilities>(0);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
      return info.value<cl_device_atomic_capabilities>(atomic_abilities(device));
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return info.value<cl_device_atomic_capabilities>(atomic_abilities(device) |
                                                       CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    default:
      return std::nullopt;
  }
}

// cl_amd_device_attribute_query.
std::optional<cl_int> amd_attributes(const _cl_device_id& device, cl_device_info name,
                                     const InfoPlace& info) {
  const Machine& machine = device.machine;
  if (!is_amdgcn(device)) return std::nullopt;
  switch (name) {
    case CL_DEVICE_BOARD_NAME_AMD:
      return info.text(machine.name);
    case CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD:
      return info.value<cl_uint>(static_cast<cl_uint>(integer(machine, "compute.simds_per_unit")));
    case CL_DEVICE_SIMD_WIDTH_AMD:
      return info.value<cl_uint>(static_cast<cl_uint>(integer(machine, "compute.lanes_per_simd")));
    case CL_DEVICE_WAVEFRONT_WIDTH_AMD:
      return info.value<cl_uint>(machine.target->default_width);
    case CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD:
      return info.value<cl_uint>(static_cast<cl_uint>(integer(machine, "local.bytes_per_unit")));
    case CL_DEVICE_GFXIP_MAJOR_AMD:
      return info.value<cl_uint>(machine.target->major);
    case CL_DEVICE_GFXIP_MINOR_AMD:
      return info.value<cl_uint>(machine.target->minor);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD:
      return info.value<size_t>(integer(machine, "occupancy.max_group_items"));
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD:
      return info.value<size_t>(most_group_items(device));
    default:
      return std::nullopt;
  }
}

}  // namespace

u64 most_bytes_of_buffer(const _cl_device_id& device) {
  return integer(device.machine, "memory.size_bytes") / 4 * 3;
}

u64 local_bytes(const _cl_device_id& device) {
  return integer(device.machine, "local.bytes_per_group_max");
}

// AMD's compilers take 256 work-items for granted where a kernel does not say otherwise, and AMD's drivers
// answer accordingly; CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD has what the hardware takes.
u64 most_group_items(const _cl_device_id& device) {
  const u64 most = integer(device.machine, "occupancy.max_group_items");
  return is_amdgcn(device) ? std::min<u64>(most, 256) : most;
}

bool has_images(const _cl_device_id& device) {
  return image_limits(*device.machine.target).width != 0;
}

// NVIDIA: warps, by votes (all of 2.0) and shuffles.
bool has_sub_groups(const _cl_device_id& device) {
  return is_amdgcn(device) || device.machine.target->isa == IsaFamily::gen ||
         (is_nvidia(device) && device.machine.target->compute_capability() >= 20);
}

std::string device_extensions(const _cl_device_id& device) {
  std::string text;
  for (const std::string& name : extensions(device)) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace lockstep::opencl

using namespace lockstep::opencl;

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(device)) return CL_INVALID_DEVICE;
    const InfoPlace info(size, value, size_ret);
    if (const auto width = vector_width(*device, name)) return info.value<cl_uint>(*width);
    if (const auto done = identity(*device, name, info)) return *done;
    if (const auto done = sizes(*device, name, info)) return *done;
    if (const auto done = images(*device, name, info)) return *done;
    if (const auto done = abilities(*device, name, info)) return *done;
    if (const auto done = amd_attributes(*device, name, info)) return *done;
    return CL_INVALID_VALUE;
  });
}
