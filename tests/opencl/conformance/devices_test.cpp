// Contexts with several devices (LOCKSTEP_GPU=mi25,hd7970,v100 shows three), and what depends on the kind of
// device: sub-groups, attributes, texts as binaries.
#include <algorithm>
#include <cstring>

#include "fixture.h"

namespace conformance {
namespace {

class SeveralDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    cl_uint count = 0;
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
    if (count < 2) GTEST_SKIP() << "one device";
    devices.resize(count);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), CL_SUCCESS);
    cl_int code = -1;
    context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    for (cl_device_id device : devices) {
      queues.push_back(clCreateCommandQueueWithProperties(context, device, nullptr, &code));
      ASSERT_EQ(code, CL_SUCCESS);
    }
  }
  void TearDown() override {
    for (cl_command_queue each : queues) EXPECT_EQ(clReleaseCommandQueue(each), CL_SUCCESS);
    if (context != nullptr) {
      EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    }
  }
  cl_program source(const char* text) {
    cl_int code = -1;
    cl_program made = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  bool has_images(cl_device_id device) {
    return query<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  }

  cl_platform_id platform = nullptr;
  std::vector<cl_device_id> devices;
  cl_context context = nullptr;
  std::vector<cl_command_queue> queues;
};

// One program, one kernel object, one buffer: every device runs its own code.
TEST_F(SeveralDevices, ShareObjects) {
  cl_program program = source("__kernel void add(__global int* a, int by) { a[get_global_id(0)] += by; }\n");
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES), devices.size());
  cl_int code = -1;
  cl_kernel kernel = clCreateKernel(program, "add", &code);
  ASSERT_EQ(code, CL_SUCCESS);
  // With several devices the question needs one.
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  std::vector<int> values(100, 1);
  cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 400, values.data(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(memory), &memory), CL_SUCCESS);
  const size_t items = 100;
  cl_event before = nullptr;
  int expected = 1;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const int by = 1 << (4 * i);
    expected += by;
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof(by), &by), CL_SUCCESS);
    cl_event done = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queues[i], kernel, 1, nullptr, &items, nullptr, i == 0 ? 0 : 1,
                                     i == 0 ? nullptr : &before, &done),
              CL_SUCCESS);
    if (before != nullptr) clReleaseEvent(before);
    before = done;
  }
  ASSERT_EQ(clEnqueueReadBuffer(queues[0], memory, CL_TRUE, 0, 400, values.data(), 1, &before, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(values, std::vector<int>(100, expected));
  clReleaseEvent(before);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

TEST_F(SeveralDevices, CodeIsNeededWhereItRuns) {
  cl_program program = source("__kernel void f(__global int* a) { a[0] = 1; }\n");
  ASSERT_EQ(clBuildProgram(program, 1, &devices[0], "", nullptr, nullptr), CL_SUCCESS);
  cl_int code = -1;
  cl_kernel kernel = clCreateKernel(program, "f", &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem memory = clCreateBuffer(context, 0, 64, nullptr, &code);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(memory), &memory), CL_SUCCESS);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queues[1], kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, devices[1], CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

TEST_F(SeveralDevices, SignaturesMustAgree) {
  if (query<cl_uint>(clGetDeviceInfo, devices.front(), CL_DEVICE_VENDOR_ID) ==
      query<cl_uint>(clGetDeviceInfo, devices.back(), CL_DEVICE_VENDOR_ID))
    GTEST_SKIP() << "one vendor";
  cl_program program = source(
      "#ifdef __AMDGCN__\n__kernel void f(__global int* a) { a[0] = 1; }\n"
      "#else\n__kernel void f(__global int* a, int b) { a[0] = b; }\n#endif\n");
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  cl_int code = -1;
  EXPECT_EQ(clCreateKernel(program, "f", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_DEFINITION);
  clReleaseProgram(program);
}

TEST_F(SeveralDevices, ImagesAreForDevicesThatHaveThem) {
  const auto with =
      std::find_if(devices.begin(), devices.end(), [&](cl_device_id d) { return has_images(d); });
  if (with == devices.end()) GTEST_SKIP() << "no images";
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  cl_int code = -1;
  cl_mem image = clCreateImage(context, 0, &format, &desc, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  const float colour[4] = {0.25f, 0.5f, 1, 2};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    EXPECT_EQ(clEnqueueFillImage(queues[i], image, colour, zero, one, 0, nullptr, nullptr),
              has_images(devices[i]) ? CL_SUCCESS : CL_INVALID_OPERATION);
  }
  cl_program program = source(
      "__kernel void f(__read_only image2d_t i, __global float4* o) { o[0] = read_imagef(i, (int2)(0, 0)); "
      "}\n");
  cl_mem memory = clCreateBuffer(context, 0, 16, nullptr, &code);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!has_images(devices[i])) continue;
    ASSERT_EQ(clBuildProgram(program, 1, &devices[i], "", nullptr, nullptr), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "f", &code);
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(image), &image), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof(memory), &memory), CL_SUCCESS);
    const size_t item = 1;
    ASSERT_EQ(clEnqueueNDRangeKernel(queues[i], kernel, 1, nullptr, &item, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    float got[4] = {};
    ASSERT_EQ(clEnqueueReadBuffer(queues[i], memory, CL_TRUE, 0, 16, got, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(std::memcmp(got, colour, 16), 0) << i;
    clReleaseKernel(kernel);
  }
  clReleaseMemObject(memory);
  clReleaseMemObject(image);
  clReleaseProgram(program);
}

TEST_F(Device, SubGroupsAreWaves) {
  if (query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0)
    GTEST_SKIP() << "no sub-groups";
  EXPECT_NE(query_text(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_khr_subgroups"),
            std::string::npos);
  cl_kernel made =
      kernel(built("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                   "__kernel void f(__global uint* a) {\n"
                   "  a[get_global_id(0) + 100 * get_global_id(1)] = get_sub_group_size() | "
                   "get_num_sub_groups() << 8 |\n"
                   "                        get_sub_group_id() << 16 | get_sub_group_local_id() << 24;\n"
                   "}\n",
                   "-cl-std=CL2.0"),
             "f");
  const auto ask = [&](cl_kernel_sub_group_info name, std::vector<size_t> local) {
    size_t value = 0;
    EXPECT_EQ(clGetKernelSubGroupInfo(made, device, name, local.size() * sizeof(size_t), local.data(),
                                      sizeof(value), &value, nullptr),
              CL_SUCCESS);
    return value;
  };
  const size_t lanes = ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {256});
  const size_t count = ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {100, 2});
  EXPECT_EQ(count, (200 + lanes - 1) / lanes);
  EXPECT_EQ(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {3}), 3u);
  size_t size[3] = {};
  const size_t two = 2;
  EXPECT_EQ(clGetKernelSubGroupInfo(made, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(two), &two,
                                    sizeof(size), size, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(size[0] * size[1] * size[2], 2 * lanes);
  size_t most = 0;
  EXPECT_EQ(clGetKernelSubGroupInfo(made, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(most),
                                    &most, nullptr),
            CL_SUCCESS);
  EXPECT_GE(most, count);
  EXPECT_EQ(clGetKernelSubGroupInfo(made, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, nullptr,
                                    sizeof(most), &most, nullptr),
            CL_INVALID_VALUE);
  cl_mem memory = buffer(200 * 4);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t global[2] = {100, 2};
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 2, nullptr, global, global, 0, nullptr, nullptr), CL_SUCCESS);
  const auto got = read<unsigned>(memory, 200);
  for (unsigned i = 0; i < 200; ++i) {
    EXPECT_EQ(got[i] >> 8 & 255, count);
    EXPECT_EQ(got[i] >> 16 & 255, i / lanes);
    EXPECT_EQ(got[i] >> 24, i % lanes);
  }
}

TEST_F(Device, AttributesAreKept) {
  cl_program program = built(
      "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(__global int* a) { a[0] = 1; }\n"
      "__kernel __attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4)))\n"
      "void g(__global int* a) { a[0] = 1; }\n"
      "__kernel void h(__global int* a) { a[0] = 1; }\n",
      "-cl-kernel-arg-info");
  EXPECT_EQ(query_text(clGetKernelInfo, kernel(program, "f"), CL_KERNEL_ATTRIBUTES),
            "reqd_work_group_size(4,2,1)");
  EXPECT_EQ(query_text(clGetKernelInfo, kernel(program, "h"), CL_KERNEL_ATTRIBUTES), "");
  const std::string hints = query_text(clGetKernelInfo, kernel(program, "g"), CL_KERNEL_ATTRIBUTES);
  EXPECT_NE(hints.find("work_group_size_hint(16,1,1)"), std::string::npos) << hints;
  EXPECT_NE(hints.find("vec_type_hint(float4)"), std::string::npos) << hints;
}

// NVIDIA's devices take PTX text (their binary format), with or without a closing zero.
TEST_F(Device, TextsAreBinariesOfNvidia) {
  if (!is_lockstep() || query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_VENDOR_ID) != 0x10DE)
    GTEST_SKIP() << "no NVIDIA device";
  const std::string text =
      "// adds one\n.version 3.0\n.target sm_20\n.address_size 64\n"
      ".visible .entry add_one(.param .u64 .ptr .global .align 4 add_one_param_0)\n{\n"
      "  .reg .b32 %r<4>;\n  .reg .b64 %rd<4>;\n"
      "  ld.param.u64 %rd1, [add_one_param_0];\n  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd2, %r1, 4;\n"
      "  add.s64 %rd3, %rd1, %rd2;\n  ld.global.u32 %r2, [%rd3];\n  add.s32 %r3, %r2, 1;\n"
      "  st.global.u32 [%rd3], %r3;\n  ret;\n}\n";
  for (const size_t size : {text.size(), text.size() + 1}) {
    const auto* given = reinterpret_cast<const unsigned char*>(text.c_str());
    cl_int state = 1, code = 1;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    programs.push_back(program);
    ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log(program);
    cl_kernel made = kernel(program, "add_one");
    cl_mem memory = filled<int>({1, 2, 3, 4});
    ASSERT_EQ(clSetKernelArg(made, 0, sizeof(memory), &memory), CL_SUCCESS);
    const size_t four = 4;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &four, &four, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(read<int>(memory, 4), (std::vector<int>{2, 3, 4, 5}));
  }
  const std::string broken = ".version 3.0\n.target sm_20\n.visible .entry f() { nonsense; }\n";
  const auto* given = reinterpret_cast<const unsigned char*>(broken.c_str());
  const size_t size = broken.size();
  cl_int state = 1, code = 1;
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(program);
  EXPECT_NE(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_NE(log(program).find("nonsense"), std::string::npos) << log(program);
}

}  // namespace
// Every feature that the device lists is a macro of the compiler, and the other way round; the queries agree
// with it.
TEST_F(Device, FeaturesAreTheCompilersMacros) {
  size_t bytes = 0;
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(), nullptr),
            CL_SUCCESS);
  const auto listed = [&](const char* name) {
    return std::any_of(features.begin(), features.end(),
                       [&](const cl_name_version& one) { return std::string(one.name) == name; });
  };
  std::string source;
  for (const cl_name_version& one : features)
    source += "#ifndef " + std::string(one.name) + "\n#error " + one.name + "\n#endif\n";
  for (const char* name : {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
                           "__opencl_c_atomic_scope_device", "__opencl_c_generic_address_space",
                           "__opencl_c_program_scope_global_variables", "__opencl_c_pipes",
                           "__opencl_c_device_enqueue", "__opencl_c_atomic_scope_all_devices"}) {
    if (!listed(name)) source += "#ifdef " + std::string(name) + "\n#error " + name + "\n#endif\n";
  }
  kernel(built(source + "kernel void f(void) {}\n", "-cl-std=CL3.0"), "f");
  const auto abilities =
      query<cl_device_atomic_capabilities>(clGetDeviceInfo, device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_EQ((abilities & CL_DEVICE_ATOMIC_ORDER_ACQ_REL) != 0, listed("__opencl_c_atomic_order_acq_rel"));
  EXPECT_EQ((abilities & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) != 0, listed("__opencl_c_atomic_order_seq_cst"));
  EXPECT_EQ((abilities & CL_DEVICE_ATOMIC_SCOPE_DEVICE) != 0, listed("__opencl_c_atomic_scope_device"));
  EXPECT_EQ(query<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE,
            listed("__opencl_c_generic_address_space"));
  EXPECT_EQ(query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) != 0,
            listed("__opencl_c_program_scope_global_variables"));
}

}  // namespace conformance
