// Chapter 5.8: programs; 5.3 and 5.7 as far as a device without images has them.
#include "fixture.h"

namespace conformance {
namespace {

TEST_F(Device, ProgramsAnswer) {
  cl_program program = source(std::string(write_ids) + scale);
  EXPECT_EQ(query_text(clGetProgramInfo, program, CL_PROGRAM_SOURCE), std::string(write_ids) + scale);
  EXPECT_EQ(query<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES), 1u);
  EXPECT_EQ(query<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES), device);
  EXPECT_EQ(query<cl_context>(clGetProgramInfo, program, CL_PROGRAM_CONTEXT), context);
  size_t count = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  cl_build_status state = 5;
  EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(state), &state, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(state, CL_BUILD_NONE);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-DX=1", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(state), &state, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(state, CL_BUILD_SUCCESS);
  EXPECT_EQ(query<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2u);
  const std::string names = query_text(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES);
  EXPECT_TRUE(names == "write_ids;scale" || names == "scale;write_ids") << names;
  char options[16] = "";
  EXPECT_EQ(
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof(options), options, nullptr),
      CL_SUCCESS);
  EXPECT_STREQ(options, "-DX=1");
  cl_program_binary_type type = 0;
  EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(type, cl_uint{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(clGetProgramBuildInfo(program, device, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(clGetProgramInfo(program, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_uint made = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &made), CL_SUCCESS);
  EXPECT_EQ(made, 2u);
  cl_kernel both[2] = {};
  EXPECT_EQ(clCreateKernelsInProgram(program, 1, both, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clCreateKernelsInProgram(program, 2, both, nullptr), CL_SUCCESS);
  // A program with kernel objects cannot be built again.
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  for (cl_kernel each : both) EXPECT_EQ(clReleaseKernel(each), CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  cl_int code = 0;
  EXPECT_EQ(clCreateKernel(program, "nobody", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Device, WrongPrograms) {
  cl_int code = 0;
  const char* nothing[] = {nullptr};
  EXPECT_EQ(clCreateProgramWithSource(context, 0, nothing, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context, 1, nothing, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  cl_program broken = source("__kernel void f(__global int* a) {\n  a[0] = missing;\n}\n");
  EXPECT_EQ(clBuildProgram(broken, 1, &device, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  cl_build_status state = 5;
  clGetProgramBuildInfo(broken, device, CL_PROGRAM_BUILD_STATUS, sizeof(state), &state, nullptr);
  EXPECT_EQ(state, CL_BUILD_ERROR);
  EXPECT_NE(log(broken).find("missing"), std::string::npos);
  EXPECT_NE(log(broken).find(":2:"), std::string::npos) << "the line";
  EXPECT_EQ(clCreateKernel(broken, "f", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program good = source(write_ids);
  EXPECT_EQ(clBuildProgram(good, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(good, 0, &device, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(good, 1, &device, "", nullptr, &code), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(good, 1, &device, "--no-such-option", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context, 1, &device, "none", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Device, BuildCallbackIsCalled) {
  cl_program program = source(write_ids);
  static std::atomic<int> calls;
  calls = 0;
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", [](cl_program, void*) { ++calls; }, nullptr), CL_SUCCESS);
  for (int i = 0; i < 1000 && calls == 0; ++i) clFinish(queue);
  EXPECT_EQ(calls, 1);
}

TEST_F(Device, OptionsReachTheCompiler) {
  cl_program program =
      built("__kernel void f(__global int* a) { a[0] = VALUE; }\n", "-D VALUE=0x2A -cl-opt-disable");
  cl_kernel made = kernel(program, "f");
  cl_mem memory = buffer(4);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t one = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 1)[0], 42);
}

// 5.8.2: whatever the program is made of.
TEST_F(Device, OptionsOfBinariesAreChecked) {
  cl_program program = built(write_ids);
  const auto size = query<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr), CL_SUCCESS);
  const unsigned char* given = bytes.data();
  cl_int code = 1;
  cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, &given, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(again);
  for (const char* wrong : {"--no-such-option", "-cl-fast-relaxed-math -cl-no-such-option", "-cl-std=CL9.9",
                            "words", "-D", "-DX='not closed"}) {
    EXPECT_EQ(clBuildProgram(again, 1, &device, wrong, nullptr, nullptr), CL_INVALID_BUILD_OPTIONS) << wrong;
    cl_build_status state = 5;
    EXPECT_EQ(clGetProgramBuildInfo(again, device, CL_PROGRAM_BUILD_STATUS, sizeof(state), &state, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(state, CL_BUILD_ERROR) << wrong;
    EXPECT_NE(log(again), "") << wrong;
  }
  for (const char* good : {"", "-cl-fast-relaxed-math -D X=1 -I nowhere -w", "-cl-std=CL1.2 -Werror"})
    EXPECT_EQ(clBuildProgram(again, 1, &device, good, nullptr, nullptr), CL_SUCCESS) << good << log(again);
  kernel(again, "write_ids");
}

// 5.8.8: of the variables in the global address space. Tables of the maths library are no variables.
TEST_F(Device, TheSizeOfVariablesIsKnown) {
  const auto size_of = [&](cl_program program) {
    size_t bytes = 77;
    EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                    sizeof(bytes), &bytes, nullptr),
              CL_SUCCESS);
    return bytes;
  };
  EXPECT_EQ(size_of(source(write_ids)), 0u) << "not built";
  EXPECT_EQ(size_of(built(write_ids)), 0u);
  EXPECT_EQ(
      size_of(built(
          "__constant int table[4] = {1, 2, 3, 4};\n"
          "__kernel void f(__global float* a) { a[0] = sin(a[1]) + pow(a[2], a[3]) + table[(int)a[4]]; }\n")),
      0u);
  if (query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) == 0)
    GTEST_SKIP() << "no program-scope variables";
  const char* variables =
      "global int counter = 5;\n"
      "global long table[3] = {1, 2, 3};\n"
      "global char cleared[100];\n"
      "kernel void f(global int* a) {\n"
      "  static global int calls;\n"
      "  a[0] = ++counter + table[a[1]]++ + ++cleared[a[2]] + ++calls;\n"
      "}\n";
  for (const char* version : {"-cl-std=CL2.0", "-cl-std=CL3.0"})
    EXPECT_EQ(size_of(built(variables, version)), 4u + 24 + 100 + 4) << version;
}

TEST_F(Device, BinariesAreProgramsAgain) {
  cl_program program = built(write_ids);
  const auto size = query<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
  ASSERT_GT(size, 0u);
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr), CL_SUCCESS);
  const unsigned char* given = bytes.data();
  cl_int state = 1, code = 1;
  cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(again);
  EXPECT_EQ(state, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(again, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  cl_kernel made = kernel(again, "write_ids");
  cl_mem memory = buffer(64);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t global = 16;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 16)[15], 15);

  std::vector<unsigned char> damaged = bytes;
  damaged[0] ^= 0x55;
  given = damaged.data();
  EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &size, &given, &state, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_BINARY);
  EXPECT_EQ(state, CL_INVALID_BINARY);
  const size_t none = 0;
  EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &none, &given, &state, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBinary(context, 0, &device, &size, &given, &state, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Device, CompiledApartAndLinked) {
  cl_program header = source("#define NINE 9\nint helper(int x);\n");
  cl_program user =
      source("#include \"dir/helper.h\"\n__kernel void f(__global int* a) { a[0] = helper(NINE); }\n");
  cl_program library = source("int helper(int x) { return x * x; }\n");
  const char* name = "dir/helper.h";
  ASSERT_EQ(clCompileProgram(user, 1, &device, "", 1, &header, &name, nullptr, nullptr), CL_SUCCESS)
      << log(user);
  ASSERT_EQ(clCompileProgram(library, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  cl_program_binary_type type = 0;
  clGetProgramBuildInfo(user, device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, nullptr);
  EXPECT_EQ(type, cl_uint{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  cl_int code = 1;
  cl_program archive =
      clLinkProgram(context, 1, &device, "-create-library", 1, &library, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(archive);
  clGetProgramBuildInfo(archive, device, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, nullptr);
  EXPECT_EQ(type, cl_uint{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  const cl_program inputs[] = {user, archive};
  cl_program linked = clLinkProgram(context, 1, &device, "", 2, inputs, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(linked);
  cl_kernel made = kernel(linked, "f");
  cl_mem memory = buffer(4);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t one = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 1)[0], 81);

  // Without the library a name is missing.
  cl_program failed = clLinkProgram(context, 1, &device, "", 1, &user, nullptr, nullptr, &code);
  EXPECT_EQ(code, CL_LINK_PROGRAM_FAILURE);
  if (failed != nullptr) clReleaseProgram(failed);
  EXPECT_EQ(clLinkProgram(context, 1, &device, "-no-such-option", 2, inputs, nullptr, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_LINKER_OPTIONS);
  EXPECT_EQ(clLinkProgram(context, 1, &device, "", 0, nullptr, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(context, 1, &device, "", 1, &header, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(user, 1, &device, "", 1, nullptr, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  cl_program broken = source("int x = ;\n");
  EXPECT_EQ(clCompileProgram(broken, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_COMPILE_PROGRAM_FAILURE);
}

TEST_F(Device, ImagesFollowTheDevicesAnswer) {
  if (query<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE)
    GTEST_SKIP() << "has images";
  cl_int code = 0;
  cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = shape.image_height = 4;
  EXPECT_EQ(clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(clCreateSamplerWithProperties(context, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  cl_uint count = 9;
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count),
            CL_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count),
            CL_INVALID_VALUE);
}

}  // namespace
// The list of tests/unit/compile/build_options_test.cpp, through the API.
TEST_F(Device, BuildOptionsAreTakenFromAList) {
  if (!is_lockstep()) GTEST_SKIP() << "which options a driver accepts beside the specification's is its own";
  const std::string text = "kernel void k(global int* p) { *p = 1; }";
  for (const char* option : {"-fpass-plugin=/tmp/x.so", "-Xclang -load -Xclang /tmp/x.so", "--config=/tmp/x",
                             "@/tmp/x", "-ftime-trace=/tmp/x", "-Wp,-MD,/tmp/x"}) {
    const std::string first = std::string(option).substr(0, std::string(option).find(' '));
    cl_program program = source(text);
    EXPECT_EQ(clBuildProgram(program, 1, &device, option, nullptr, nullptr), CL_INVALID_BUILD_OPTIONS)
        << option;
    EXPECT_NE(log(program).find(first), std::string::npos) << log(program);
    EXPECT_EQ(clCompileProgram(program, 1, &device, option, 0, nullptr, nullptr, nullptr, nullptr),
              CL_INVALID_COMPILER_OPTIONS)
        << option;
    EXPECT_NE(log(program).find(first), std::string::npos) << log(program);
  }
  cl_program program = source(text);
  ASSERT_EQ(clCompileProgram(program, 1, &device, "-cl-nv-verbose", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_NE(log(program).find("-cl-nv-verbose"), std::string::npos);
  cl_int code = -1;
  for (const char* option : {"-fpass-plugin=/tmp/x.so", "-DX", "-I/tmp"}) {
    EXPECT_EQ(clLinkProgram(context, 1, &device, option, 1, &program, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_LINKER_OPTIONS) << option;
  }
  cl_program linked = clLinkProgram(context, 1, &device, "-cl-fast-relaxed-math -save-temps", 1, &program,
                                    nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  programs.push_back(linked);
  EXPECT_NE(log(linked).find("-save-temps"), std::string::npos);
  EXPECT_NE(log(built(text, "-fno-bin-source -cl-nv-maxrregcount 32")).find("-cl-nv-maxrregcount 32"),
            std::string::npos);
}

}  // namespace conformance
