// What the conformance tests share: a device of the platform that the ICD loader shows first, with a context
// and an in-order queue. OCL_ICD_VENDORS chooses the driver: the tests run on any.
#pragma once
#include <CL/cl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace conformance {

class Device : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
    cl_int code = -1;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
  }
  void TearDown() override {
    for (cl_mem each : memories) EXPECT_EQ(clReleaseMemObject(each), CL_SUCCESS);
    for (cl_kernel each : kernels) EXPECT_EQ(clReleaseKernel(each), CL_SUCCESS);
    for (cl_program each : programs) EXPECT_EQ(clReleaseProgram(each), CL_SUCCESS);
    for (cl_event each : events) EXPECT_EQ(clReleaseEvent(each), CL_SUCCESS);
    if (queue != nullptr) {
      EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    }
    if (context != nullptr) {
      EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }
  }

  // Objects that TearDown releases.
  cl_mem buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) {
    cl_int code = -1;
    cl_mem made = clCreateBuffer(context, flags, bytes, host, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    if (made != nullptr) memories.push_back(made);
    return made;
  }
  cl_program source(const std::string& text) {
    const char* string = text.c_str();
    cl_int code = -1;
    cl_program made = clCreateProgramWithSource(context, 1, &string, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    if (made != nullptr) programs.push_back(made);
    return made;
  }
  cl_program built(const std::string& text, const char* options = "") {
    cl_program made = source(text);
    EXPECT_EQ(clBuildProgram(made, 1, &device, options, nullptr, nullptr), CL_SUCCESS) << log(made);
    return made;
  }
  cl_kernel kernel(cl_program program, const char* name) {
    cl_int code = -1;
    cl_kernel made = clCreateKernel(program, name, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    if (made != nullptr) kernels.push_back(made);
    return made;
  }
  std::string log(cl_program program) {
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    return text.c_str();
  }
  template <class T>
  std::vector<T> read(cl_mem memory, size_t count, cl_command_queue from = nullptr) {
    std::vector<T> values(count);
    EXPECT_EQ(clEnqueueReadBuffer(from != nullptr ? from : queue, memory, CL_TRUE, 0, count * sizeof(T),
                                  values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }
  template <class T>
  cl_mem filled(std::vector<T> values) {
    return buffer(values.size() * sizeof(T), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.data());
  }
  cl_event user_event() {
    cl_int code = -1;
    cl_event made = clCreateUserEvent(context, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    events.push_back(made);
    return made;
  }
  // The status now.
  static cl_int status(cl_event event) {
    cl_int value = 99;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(value), &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  // A context of its own, for objects that must not mix; the caller releases it.
  cl_context other_context() {
    cl_int code = -1;
    cl_context made = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  bool is_lockstep() const {
    char name[64] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, nullptr);
    return std::string(name) == "Lockstep";
  }

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::vector<cl_mem> memories;
  std::vector<cl_program> programs;
  std::vector<cl_kernel> kernels;
  std::vector<cl_event> events;
};

// A query of a fixed-size value.
template <class T, class F, class H, class N>
T query(F function, H handle, N name) {
  T value{};
  size_t size = 0;
  EXPECT_EQ(function(handle, name, sizeof(T), &value, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof(T));
  return value;
}

template <class F, class H, class N>
std::string query_text(F function, H handle, N name) {
  size_t size = 0;
  EXPECT_EQ(function(handle, name, 0, nullptr, &size), CL_SUCCESS);
  std::string text(size, '\0');
  EXPECT_EQ(function(handle, name, size, text.data(), nullptr), CL_SUCCESS);
  EXPECT_TRUE(size > 0 && text.back() == '\0');
  return text.c_str();
}

inline const char* const write_ids =
    "__kernel void write_ids(__global int* a) { a[get_global_id(0)] = (int)get_global_id(0); }\n";
inline const char* const scale =
    "__kernel void scale(__global const float* in, __global float* out, float by, __local float* t) {\n"
    "  size_t l = get_local_id(0);\n"
    "  t[l] = in[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_global_id(0)] = by * t[get_local_size(0) - 1 - l];\n"
    "}\n";

}  // namespace conformance
