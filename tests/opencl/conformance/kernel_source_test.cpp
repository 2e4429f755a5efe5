// Chapters 5.8.3, 5.9.3 and 5.9.4: what kernels say of their source, also when it was compiled apart, and
// what their code's needs allow.
#include "fixture.h"

namespace conformance {
namespace {

class KernelSource : public Device {
 protected:
  template <class T>
  T argument(cl_kernel made, cl_uint index, cl_kernel_arg_info name) {
    T value{};
    EXPECT_EQ(clGetKernelArgInfo(made, index, name, sizeof(value), &value, nullptr), CL_SUCCESS);
    return value;
  }
  std::string argument_text(cl_kernel made, cl_uint index, cl_kernel_arg_info name) {
    char text[64] = "";
    EXPECT_EQ(clGetKernelArgInfo(made, index, name, sizeof(text), text, nullptr), CL_SUCCESS);
    return text;
  }
};

constexpr const char* qualified =
    "typedef struct { float4 a; int b; } item;\n"
    "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(uint)))\n"
    "void f(__global const item* restrict a, volatile __global unsigned int* b, __constant short* c, __local "
    "uint4* d,\n"
    "       const item e, float4 g) {\n"
    "  b[get_global_id(0)] = a[0].b + c[0] + e.b + (int)g.w;\n"
    "  if (d != 0) d[0] = (uint4)(0);\n"
    "}\n";

// 5.9.3: types without blanks behind "unsigned"; qualifiers of what is pointed to; none of arguments by
// value.
TEST_F(KernelSource, QualifiersAreKept) {
  cl_kernel made = kernel(built(qualified, "-cl-kernel-arg-info"), "f");
  const std::array<cl_kernel_arg_address_qualifier, 6> places = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT,
      CL_KERNEL_ARG_ADDRESS_LOCAL,  CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE};
  const std::array<cl_kernel_arg_type_qualifier, 6> qualifiers = {
      CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT,
      CL_KERNEL_ARG_TYPE_VOLATILE,
      CL_KERNEL_ARG_TYPE_CONST,
      0,
      0,
      0};
  const std::array<const char*, 6> types = {"item*", "uint*", "short*", "uint4*", "item", "float4"};
  const std::array<const char*, 6> names = {"a", "b", "c", "d", "e", "g"};
  for (cl_uint i = 0; i < 6; ++i) {
    SCOPED_TRACE(names[i]);
    EXPECT_EQ(argument<cl_kernel_arg_address_qualifier>(made, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER), places[i]);
    EXPECT_EQ(argument<cl_kernel_arg_type_qualifier>(made, i, CL_KERNEL_ARG_TYPE_QUALIFIER), qualifiers[i]);
    EXPECT_EQ(argument<cl_kernel_arg_access_qualifier>(made, i, CL_KERNEL_ARG_ACCESS_QUALIFIER),
              cl_uint{CL_KERNEL_ARG_ACCESS_NONE});
    EXPECT_EQ(argument_text(made, i, CL_KERNEL_ARG_TYPE_NAME), types[i]);
    EXPECT_EQ(argument_text(made, i, CL_KERNEL_ARG_NAME), names[i]);
  }
}

// The same after compiling and linking apart, and in a program from its binary.
TEST_F(KernelSource, SurvivesLinkingAndBinaries) {
  cl_program object = source(qualified);
  ASSERT_EQ(
      clCompileProgram(object, 1, &device, "-cl-kernel-arg-info", 0, nullptr, nullptr, nullptr, nullptr),
      CL_SUCCESS)
      << log(object);
  cl_int code = 1;
  cl_program linked = clLinkProgram(context, 1, &device, "", 1, &object, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(linked);
  EXPECT_NE(query_text(clGetKernelInfo, kernel(linked, "f"), CL_KERNEL_ATTRIBUTES)
                .find("reqd_work_group_size(4,2,1)"),
            std::string::npos);

  const auto size = query<size_t>(clGetProgramInfo, linked, CL_PROGRAM_BINARY_SIZES);
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  ASSERT_EQ(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr), CL_SUCCESS);
  const unsigned char* given = bytes.data();
  cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, &given, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(again);
  ASSERT_EQ(clBuildProgram(again, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log(again);
  cl_kernel made = kernel(again, "f");
  std::array<size_t, 3> group{};
  EXPECT_EQ(clGetKernelWorkGroupInfo(made, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(group), &group,
                                     nullptr),
            CL_SUCCESS);
  EXPECT_EQ(group, (std::array<size_t, 3>{4, 2, 1}));
  cl_mem memory = buffer(64);
  for (cl_uint i = 0; i < 3; ++i) ASSERT_EQ(clSetKernelArg(made, i, sizeof(memory), &memory), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 3, 16, nullptr), CL_SUCCESS);
  const std::array<float, 8> item{};
  ASSERT_EQ(clSetKernelArg(made, 4, 32, item.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 5, 16, item.data()), CL_SUCCESS);
  const size_t global[] = {8, 2}, wrong[] = {8, 1};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 2, nullptr, global, wrong, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 2, nullptr, global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

// 96 values that are all needed at once: a group of the size that the kernel's registers allow runs, and one
// that the device chooses; a larger one is refused.
TEST_F(KernelSource, ManyRegistersLimitTheGroup) {
  cl_program program = built(
      "__kernel void f(volatile __global const float* a, __global float* b) {\n"
      "  float v[96];\n"
      "  size_t i = get_global_id(0);\n"
      "  for (int k = 0; k < 96; ++k) v[k] = a[(i * 7 + k) & 1023];\n"
      "  float s = 0;\n"
      "  for (int k = 95; k >= 0; --k) s = s * 0.5f + v[k];\n"
      "  b[i] = s;\n"
      "}\n");
  cl_kernel made = kernel(program, "f");
  size_t most = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(made, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, nullptr),
            CL_SUCCESS);
  ASSERT_GE(most, 1u);
  std::vector<float> in(1024), expected;
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>((i * 37 + 11) % 256);
  const size_t items = 2 * most;
  for (size_t i = 0; i < items; ++i) {
    float s = 0;
    for (size_t k = 96; k-- > 0;) s = s * 0.5f + in[(i * 7 + k) & 1023];
    expected.push_back(s);
  }
  cl_mem a = filled(in);
  for (const size_t* local : std::initializer_list<const size_t*>{&most, nullptr}) {
    cl_mem b = buffer(items * 4);
    ASSERT_EQ(clSetKernelArg(made, 0, sizeof(a), &a), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(made, 1, sizeof(b), &b), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &items, local, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(read<float>(b, items), expected);
  }
  if (most < query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE)) {
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &items, &items, 0, nullptr, nullptr),
              CL_INVALID_WORK_GROUP_SIZE);
  }
}

// Vectors of every small size as arguments of kernels and of functions that are not inlined.
TEST_F(KernelSource, SmallVectorsAreArguments) {
  cl_program program = built(
      "__attribute__((noinline)) uchar2 turn(uchar2 v, int by) { return (uchar2)(v.y + by, v.x); }\n"
      "__attribute__((noinline)) int sum(char3 v, short2 w) { return v.x + 10 * v.y + 100 * v.z + w.x * w.y; "
      "}\n"
      "__kernel void f(uchar2 a, char3 b, short2 c, uchar4 d, __global uchar2* pairs, __global int* out) {\n"
      "  pairs[1] = turn(pairs[0], d.w);\n"
      "  out[0] = a.x; out[1] = a.y; out[2] = sum(b, c); out[3] = sum((char3)(1, 2, 3), (short2)(4, 5));\n"
      "}\n");
  cl_kernel made = kernel(program, "f");
  const unsigned char a[2] = {250, 3}, d[4] = {1, 2, 3, 4};
  const signed char b[4] = {-1, 2, -3, 0};
  const short c[2] = {-300, 20};
  cl_mem pairs = filled<unsigned char>({7, 9, 0, 0}), out = buffer(16);
  ASSERT_EQ(clSetKernelArg(made, 0, 2, a), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 1, 4, b), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 2, 4, c), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 3, 4, d), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 4, sizeof(pairs), &pairs), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 5, sizeof(out), &out), CL_SUCCESS);
  ASSERT_EQ(clEnqueueTask(queue, made, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<int>(out, 4), (std::vector<int>{250, 3, -1 + 20 - 300 - 6000, 321 + 20}));
  EXPECT_EQ(read<unsigned char>(pairs, 4), (std::vector<unsigned char>{7, 9, 13, 7}));
}

}  // namespace
}  // namespace conformance
