// Chapter 4: platforms, devices, contexts.
#include "fixture.h"

namespace conformance {
namespace {

TEST_F(Device, PlatformsAreListedAndAsked) {
  cl_uint count = 0;
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, &count), CL_SUCCESS);
  EXPECT_GE(count, 1u);
  EXPECT_EQ(clGetPlatformIDs(0, &platform, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(query_text(clGetPlatformInfo, platform, CL_PLATFORM_PROFILE), "FULL_PROFILE");
  EXPECT_EQ(query_text(clGetPlatformInfo, platform, CL_PLATFORM_VERSION).substr(0, 7), "OpenCL ");
  EXPECT_NE(query_text(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS).find("cl_khr_icd"),
            std::string::npos);
  char small[2];
  EXPECT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformInfo(platform, 0x1234, 2, small, nullptr), CL_INVALID_VALUE);
}

TEST_F(Device, DevicesAreFoundByType) {
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_GE(count, 1u);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clGetDeviceIDs(platform, 0x4000, 0, nullptr, &count), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr), CL_INVALID_VALUE);
}

// Table 5 of chapter 4.2: the least values that a full-profile device has.
TEST_F(Device, LimitsAreAtLeastTheSpecifications) {
  EXPECT_GE(query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_GE(query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3u);
  EXPECT_GE(query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1u);
  const auto global = query<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto most = query<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(most, std::min<cl_ulong>(global / 4, cl_ulong{1} << 30));
  EXPECT_LE(most, global);
  EXPECT_GE(query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(query<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 65536u);
  EXPECT_GE(query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(query<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE), 32768u);
  const auto printf_bytes = query<size_t>(clGetDeviceInfo, device, CL_DEVICE_PRINTF_BUFFER_SIZE);
  EXPECT_TRUE(printf_bytes == 0 || printf_bytes >= 1u << 20) << printf_bytes;  // 0: there is no printf
  // The size of long16 in bits.
  EXPECT_GE(query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_NE(query<cl_device_exec_capabilities>(clGetDeviceInfo, device, CL_DEVICE_EXECUTION_CAPABILITIES) &
                CL_EXEC_KERNEL,
            0u);
  const auto single = query<cl_device_fp_config>(clGetDeviceInfo, device, CL_DEVICE_SINGLE_FP_CONFIG);
  EXPECT_EQ(single & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
            cl_bitfield{CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN});
  EXPECT_EQ(query<cl_platform_id>(clGetDeviceInfo, device, CL_DEVICE_PLATFORM), platform);
  EXPECT_EQ(query<cl_device_id>(clGetDeviceInfo, device, CL_DEVICE_PARENT_DEVICE), nullptr);
}

TEST_F(Device, ExtensionListsAgree) {
  const std::string names = query_text(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> versions(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, versions.data(), nullptr),
            CL_SUCCESS);
  EXPECT_EQ(versions.size(), static_cast<size_t>(std::count(names.begin(), names.end(), ' ')));
  for (const cl_name_version& each : versions)
    EXPECT_NE(names.find(std::string(each.name) + " "), std::string::npos) << each.name;
  for (const char* needed : {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                             "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
                             "cl_khr_byte_addressable_store"})
    EXPECT_NE(names.find(needed), std::string::npos) << needed;
}

TEST_F(Device, WrongDeviceQueries) {
  char small[1];
  EXPECT_EQ(clGetDeviceInfo(device, 0x7777, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_NAME, 1, small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clRetainDevice(device), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
  // Root devices keep their count.
  EXPECT_EQ(query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1u);
  const cl_device_partition_property unknown[] = {0x999, 1, 0};
  cl_uint count = 0;
  EXPECT_EQ(clCreateSubDevices(device, unknown, 0, nullptr, &count), CL_INVALID_VALUE);
}

TEST_F(Device, TimersAreRead) {
  cl_ulong device_time = 0, host_time = 0, later = 0;
  const cl_int code = clGetDeviceAndHostTimer(device, &device_time, &host_time);
  if (code == CL_INVALID_OPERATION) {
    EXPECT_EQ(query<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION), 0u);
    GTEST_SKIP() << "no timers, and the platform says so";
  }
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(device, &later), CL_SUCCESS);
  EXPECT_GE(later, host_time);
  EXPECT_EQ(clGetHostTimer(device, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceAndHostTimer(device, nullptr, &host_time), CL_INVALID_VALUE);
}

TEST_F(Device, ContextsAreMadeAndCounted) {
  cl_int code = 0;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform), 0};
  cl_context made = clCreateContext(properties, 1, &device, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetContextInfo, made, CL_CONTEXT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainContext(made), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetContextInfo, made, CL_CONTEXT_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetContextInfo, made, CL_CONTEXT_NUM_DEVICES), 1u);
  EXPECT_EQ(query<cl_device_id>(clGetContextInfo, made, CL_CONTEXT_DEVICES), device);
  cl_context_properties back[3] = {};
  size_t size = 0;
  EXPECT_EQ(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof(back), back, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof(back));
  EXPECT_EQ(back[1], properties[1]);
  EXPECT_EQ(clGetContextInfo(made, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
  made = clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, nullptr, nullptr, &code);
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
}

TEST_F(Device, WrongContexts) {
  cl_int code = 0;
  EXPECT_EQ(clCreateContext(nullptr, 0, &device, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, &code, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const cl_context_properties unknown[] = {0x4321, 1, 0};
  EXPECT_EQ(clCreateContext(unknown, 1, &device, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform), 0};
  EXPECT_EQ(clCreateContextFromType(properties, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_DEVICE_NOT_FOUND);
}

TEST_F(Device, ContextDestructorsAreCalledLastFirst) {
  static std::vector<int> calls;
  calls.clear();
  cl_context made = other_context();
  EXPECT_EQ(clSetContextDestructorCallback(made, nullptr, nullptr), CL_INVALID_VALUE);
  static int numbers[] = {1, 2};
  for (int& number : numbers) {
    ASSERT_EQ(clSetContextDestructorCallback(
                  made, [](cl_context, void* data) { calls.push_back(*static_cast<int*>(data)); }, &number),
              CL_SUCCESS);
  }
  EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
  EXPECT_EQ(calls, (std::vector<int>{2, 1}));
}

}  // namespace
}  // namespace conformance
