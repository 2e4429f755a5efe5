// Chapters 5.9 and 5.10: kernels, arguments, execution.
#include <unistd.h>

#include <cstdio>

#include "fixture.h"

namespace conformance {
namespace {

TEST_F(Device, KernelsAnswer) {
  cl_program program = built(scale, "-cl-kernel-arg-info");
  cl_kernel made = kernel(program, "scale");
  EXPECT_EQ(query_text(clGetKernelInfo, made, CL_KERNEL_FUNCTION_NAME), "scale");
  EXPECT_EQ(query<cl_uint>(clGetKernelInfo, made, CL_KERNEL_NUM_ARGS), 4u);
  EXPECT_EQ(query<cl_context>(clGetKernelInfo, made, CL_KERNEL_CONTEXT), context);
  EXPECT_EQ(query<cl_program>(clGetKernelInfo, made, CL_KERNEL_PROGRAM), program);
  EXPECT_EQ(clRetainKernel(made), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetKernelInfo, made, CL_KERNEL_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseKernel(made), CL_SUCCESS);
  EXPECT_EQ(clGetKernelInfo(made, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  const auto argument = [&](cl_uint index, cl_kernel_arg_info name, auto value) {
    EXPECT_EQ(clGetKernelArgInfo(made, index, name, sizeof(value), &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(argument(0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier{}),
            cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(argument(3, CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier{}),
            cl_uint{CL_KERNEL_ARG_ADDRESS_LOCAL});
  EXPECT_EQ(argument(2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier{}),
            cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE});
  EXPECT_EQ(argument(0, CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier{}),
            cl_uint{CL_KERNEL_ARG_ACCESS_NONE});
  EXPECT_EQ(argument(0, CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier{}),
            cl_bitfield{CL_KERNEL_ARG_TYPE_CONST});
  EXPECT_EQ(argument(1, CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier{}), 0u);
  char text[32] = "";
  EXPECT_EQ(clGetKernelArgInfo(made, 2, CL_KERNEL_ARG_NAME, sizeof(text), text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "by");
  EXPECT_EQ(clGetKernelArgInfo(made, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "float*");
  EXPECT_EQ(clGetKernelArgInfo(made, 4, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(made, 0, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Device, ArgumentNamesNeedTheirOption) {
  cl_kernel made = kernel(built(write_ids), "write_ids");
  char text[32];
  EXPECT_EQ(clGetKernelArgInfo(made, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, nullptr),
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}

TEST_F(Device, WorkGroupQueries) {
  cl_program program = built(
      "__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void fixed(__global int* a) {\n"
      "  __local int t[64];\n"
      "  size_t i = get_local_id(0) + 8 * get_local_id(1) + 32 * get_local_id(2);\n"
      "  t[i] = (int)i; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[63 - i];\n"
      "}\n"
      "__kernel void neighbour(__global int* a) {\n"
      "  __local int t[4096];\n"
      "  size_t i = get_local_id(0);\n"
      "  t[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[63 - i];\n"
      "}\n");
  cl_kernel made = kernel(program, "fixed");
  const auto ask = [&](cl_kernel_work_group_info name, auto value) {
    EXPECT_EQ(clGetKernelWorkGroupInfo(made, device, name, sizeof(value), &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_GE(ask(CL_KERNEL_WORK_GROUP_SIZE, size_t{}), 64u);
  EXPECT_EQ(ask(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, std::array<size_t, 3>{}),
            (std::array<size_t, 3>{8, 4, 2}));
  EXPECT_GE(ask(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}), 256u);
  EXPECT_LT(ask(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}), 8192u);  // not its neighbour's
  EXPECT_GE(ask(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t{}), 1u);
  ask(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{});
  EXPECT_EQ(clGetKernelWorkGroupInfo(made, device, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  size_t sizes[3];
  EXPECT_EQ(clGetKernelWorkGroupInfo(made, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(sizes), sizes, nullptr),
            CL_INVALID_VALUE);
  EXPECT_NE(query_text(clGetKernelInfo, made, CL_KERNEL_ATTRIBUTES).find("reqd_work_group_size"),
            std::string::npos);
  cl_mem memory = buffer(256);
  ASSERT_EQ(clSetKernelArg(made, 0, sizeof(memory), &memory), CL_SUCCESS);
  const size_t size[] = {8, 4, 2}, wrong[] = {4, 4, 2};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 3, nullptr, size, wrong, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 3, nullptr, size, size, 0, nullptr, nullptr), CL_SUCCESS);
  const auto got = read<int>(memory, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], 63 - i);
}

TEST_F(Device, WrongArguments) {
  cl_kernel made = kernel(built(scale), "scale");
  cl_mem memory = buffer(64);
  const float by = 2;
  EXPECT_EQ(clSetKernelArg(made, 4, sizeof(by), &by), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(made, 2, 8, &by), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(made, 2, 4, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(made, 0, 4, &memory), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(made, 3, 0, nullptr), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(made, 3, 16, &by), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(made, 0, sizeof(memory), &memory), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(made, 1, sizeof(memory), nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(made, 2, sizeof(by), &by), CL_SUCCESS);
  const size_t size = 16;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &size, &size, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
}

TEST_F(Device, ArgumentsAreTakenAtEnqueue) {
  cl_kernel made = kernel(built(scale), "scale");
  cl_mem in = filled<float>({1, 2, 3, 4, 5, 6, 7, 8}), out = buffer(32), second = buffer(32);
  float by = 10;
  clSetKernelArg(made, 0, sizeof(in), &in);
  clSetKernelArg(made, 1, sizeof(out), &out);
  clSetKernelArg(made, 2, sizeof(by), &by);
  clSetKernelArg(made, 3, 16, nullptr);
  const size_t global = 8, local = 4;
  cl_event gate = user_event();
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, &local, 1, &gate, nullptr), CL_SUCCESS);
  by = -1;
  clSetKernelArg(made, 2, sizeof(by), &by);
  clSetKernelArg(made, 1, sizeof(second), &second);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &global, &local, 0, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read<float>(out, 8), (std::vector<float>{40, 30, 20, 10, 80, 70, 60, 50}));
  EXPECT_EQ(read<float>(second, 8), (std::vector<float>{-4, -3, -2, -1, -8, -7, -6, -5}));
}

TEST_F(Device, OffsetsShiftGlobalIds) {
  cl_kernel made = kernel(built(write_ids), "write_ids");
  cl_mem memory = filled(std::vector<int>(24, -1));
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t offset = 5, global = 12, local = 4;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, &offset, &global, &local, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto got = read<int>(memory, 24);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], i >= 5 && i < 17 ? i : -1);
}

TEST_F(Device, WrongRanges) {
  cl_kernel made = kernel(built(write_ids), "write_ids");
  cl_mem memory = buffer(1 << 16);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const auto code = [&](cl_uint dimensions, const size_t* offset, const size_t* global, const size_t* local) {
    return clEnqueueNDRangeKernel(queue, made, dimensions, offset, global, local, 0, nullptr, nullptr);
  };
  const size_t eight[] = {8, 8, 8}, three[] = {3, 1, 1}, zero[] = {0, 0, 0}, huge[] = {1 << 20, 1, 1};
  const size_t last[] = {~size_t{0}, 0, 0};
  EXPECT_EQ(code(0, nullptr, eight, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(code(4, nullptr, eight, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(code(1, nullptr, eight, three), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code(1, nullptr, eight, zero), CL_INVALID_WORK_GROUP_SIZE);
  // Too large for the device's dimension and for its groups: either may be named.
  const cl_int too_large = code(1, nullptr, huge, huge);
  EXPECT_TRUE(too_large == CL_INVALID_WORK_ITEM_SIZE || too_large == CL_INVALID_WORK_GROUP_SIZE) << too_large;
  EXPECT_EQ(code(1, last, eight, nullptr), CL_INVALID_GLOBAL_OFFSET);
  // Since OpenCL 2.1 nothing to do is done at once.
  EXPECT_EQ(code(1, nullptr, zero, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, nullptr, 1, nullptr, eight, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Device, ClonesKeepTheirArguments) {
  cl_kernel made = kernel(built(write_ids), "write_ids");
  cl_mem memory = buffer(64), other = buffer(64);
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  cl_int code = -1;
  cl_kernel copy = clCloneKernel(made, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  kernels.push_back(copy);
  clSetKernelArg(made, 0, sizeof(other), &other);
  const size_t global = 16;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, copy, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 16)[15], 15);
}

TEST_F(Device, TasksAndNativeKernels) {
  cl_kernel made = kernel(built(write_ids), "write_ids");
  cl_mem memory = filled<int>({-1, -1});
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  ASSERT_EQ(clEnqueueTask(queue, made, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 2), (std::vector<int>{0, -1}));
  const auto able =
      query<cl_device_exec_capabilities>(clGetDeviceInfo, device, CL_DEVICE_EXECUTION_CAPABILITIES);
  EXPECT_EQ(clEnqueueNativeKernel(queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  if ((able & CL_EXEC_NATIVE_KERNEL) == 0) {
    EXPECT_EQ(clEnqueueNativeKernel(
                  queue, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
  }
}

// Runs `enqueue` with standard output in a file; gives the text.
template <class F>
std::string printed(F&& run) {
  std::fflush(stdout);
  const int kept = dup(1);
  std::FILE* file = std::tmpfile();
  dup2(fileno(file), 1);
  run();
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  std::rewind(file);
  char text[4096];
  const size_t size = std::fread(text, 1, sizeof(text), file);
  std::fclose(file);
  return std::string(text, size);
}

TEST_F(Device, PrintfPrints) {
  if (query<size_t>(clGetDeviceInfo, device, CL_DEVICE_PRINTF_BUFFER_SIZE) == 0) GTEST_SKIP() << "no printf";
  cl_kernel made = kernel(
      built("__kernel void say(int i, float f) {\n"
            "  printf(\"%d|%5d|%-4u|%x|%c|%%|%s\\n\", i, i, 7u, 255u, 'q', \"text: end\");\n"
            "  printf(\"%.2f %e %g\\n\", f, 0.5f, 100000.0f);\n"
            "  printf(\"%v4hld %v2hlx %v4hlf\\n\", (int4)(1, -2, 3, 4), (uint2)(10, 11), (float4)(0.5f, "
            "1, 2, 3));\n"
            "  printf(\"%v3hld\\n\", (int3)(1, 2, 3));\n"
            "  printf(\"%hd %hhd %ld\\n\", (short)-3, (char)-4, 1234567890123L);\n"
            "  const char c = (char)(i + 36);\n"
            "  printf(\"%v2hhd %v2hhu %#v2hhx %v3hhd %v4hho %v8hhd\\n\", (char2)(c, 5), (uchar2)(c, 5),\n"
            "         (uchar2)(c, 9), (char3)(c, 5, 6), (uchar4)(c, 7, 8, 9), (char8)(c, 1, 2, 3, 4, 5, 6, "
            "7));\n"
            "  printf(\"%d %v2hd %v3hu %v2ld %v3hld %d\\n\", 1, (short2)(c, 300), (ushort3)(c, 1, 2), "
            "(long2)(c, 1),\n"
            "         (int3)(c, 1, 2), 2);\n"
            "}\n"),
      "say");
  const int i = -42;
  const float f = 3.14159f;
  clSetKernelArg(made, 0, sizeof(i), &i);
  clSetKernelArg(made, 1, sizeof(f), &f);
  const size_t one = 1;
  const std::string text = printed([&] {
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  });
  EXPECT_EQ(text,
            "-42|  -42|7   |ff|q|%|text: end\n"
            "3.14 5.000000e-01 100000\n"
            "1,-2,3,4 a,b 0.500000,1.000000,2.000000,3.000000\n"
            "1,2,3\n"
            "-3 -4 1234567890123\n"
            "-6,5 250,5 0xfa,0x9 -6,5,6 372,7,10,11 -6,1,2,3,4,5,6,7\n"
            "1 -6,300 65530,1,2 -6,1 -6,1,2 2\n");
}

// 6.15.14.2: texts of every length, with arguments behind them that look like a text's end or not.
TEST_F(Device, PrintfPrintsTextsOfEveryLength) {
  if (query<size_t>(clGetDeviceInfo, device, CL_DEVICE_PRINTF_BUFFER_SIZE) == 0) GTEST_SKIP() << "no printf";
  cl_kernel made =
      kernel(built("__kernel void say(int i, long wide, float f) {\n"
                   "  printf(\"%s %c\\n\", \"text\", (char)(i + 57));\n"
                   "  printf(\"%s|%s|%s|%s|%s|%d\\n\", \"\", \"a\", \"ab\", \"abc\", \"abcd\", i);\n"
                   "  printf(\"%s|%s|%s|%s|%d|%x\\n\", \"abcd\", \"abcde\", \"abcdef\", \"abcdefgh\", 0, "
                   "0x00636261);\n"
                   "  printf(\"%s%s%s\\n\", \"12345678\", \"1234\", \"123456789012\");\n"
                   "  printf(\"%d %s %ld %s %.1f %s\\n\", i, \"four\", wide, \"five5\", f, \"eighteen\");\n"
                   "  printf(\"%s %v4hld %s %s\\n\", \"vect\", (int4)(65, 0, -1, i), \"or\", \"none\");\n"
                   "  printf(\"[%8s|%-8s|%.2s] %u\\n\", \"text\", \"text\", \"text\", 4294967295u);\n"
                   "}\n"),
             "say");
  const int i = 42;
  const cl_long wide = 1234567890123;
  const float f = 2.5f;
  clSetKernelArg(made, 0, sizeof(i), &i);
  clSetKernelArg(made, 1, sizeof(wide), &wide);
  clSetKernelArg(made, 2, sizeof(f), &f);
  const size_t one = 1;
  const std::string text = printed([&] {
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  });
  EXPECT_EQ(text,
            "text c\n"
            "|a|ab|abc|abcd|42\n"
            "abcd|abcde|abcdef|abcdefgh|0|636261\n"
            "123456781234123456789012\n"
            "42 four 1234567890123 five5 2.5 eighteen\n"
            "vect 65,0,-1,42 or none\n"
            "[    text|text    |te] 4294967295\n");
}

// OpenCL C 2.0, 6.5.1, and 3.0, 6.7.1: variables of the program keep their values between launches, for each
// program object.
TEST_F(Device, ProgramScopeVariablesKeepTheirValues) {
  if (query<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) == 0)
    GTEST_SKIP() << "no program-scope variables";
  const char* source =
      "global int counter = 5;\n"
      "global int table[3] = {1, 2, 3};\n"
      "global int* global place = &table[1];\n"
      "kernel void add(global int* out, int more) {\n"
      "  static global int calls;\n"
      "  counter += more;\n"
      "  *place += 10;\n"
      "  out[0] = counter, out[1] = table[1], out[2] = ++calls;\n"
      "}\n"
      "kernel void look(global int* out, int more) { out[0] = counter, out[1] = table[1], out[2] = more; }\n";
  cl_mem memory = filled<int>({0, 0, 0});
  const auto run = [&](cl_kernel which, int more) {
    clSetKernelArg(which, 0, sizeof(memory), &memory);
    clSetKernelArg(which, 1, sizeof(more), &more);
    const size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, which, 1, nullptr, &one, &one, 0, nullptr, nullptr), CL_SUCCESS);
    return read<int>(memory, 3);
  };
  for (const char* options :
       {"-cl-std=CL2.0", "-cl-std=CL2.0 -cl-opt-disable", "-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    SCOPED_TRACE(options);
    cl_program first = built(source, options), second = built(source, options);
    cl_kernel add = kernel(first, "add"), look = kernel(first, "look"), other = kernel(second, "add");
    EXPECT_EQ(run(add, 2), (std::vector<int>{7, 12, 1}));
    EXPECT_EQ(run(add, 3), (std::vector<int>{10, 22, 2}));
    EXPECT_EQ(run(look, 9), (std::vector<int>{10, 22, 9}));
    EXPECT_EQ(run(other, 1), (std::vector<int>{6, 12, 1}));
    EXPECT_EQ(run(add, 0), (std::vector<int>{10, 32, 3}));
  }
}

// An access far outside: the application goes on and is told.
TEST_F(Device, FaultsAreReported) {
  if (!is_lockstep()) GTEST_SKIP() << "undefined behaviour elsewhere";
  cl_kernel made =
      kernel(built(
                 // Not as an index: compilers that keep buffers in surfaces count 32 bits of it.
                 "__kernel void wild(__global int* a) {\n"
                 "  *(__global int*)((size_t)a + ((size_t)1 << (sizeof(size_t) == 4 ? 31 : 42))) = 1;\n"
                 "}\n"),
             "wild");
  cl_mem memory = filled<int>({3});
  clSetKernelArg(made, 0, sizeof(memory), &memory);
  const size_t one = 1;
  cl_event done = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &one, &one, 0, nullptr, &done), CL_SUCCESS);
  events.push_back(done);
  EXPECT_EQ(clFinish(queue), CL_OUT_OF_RESOURCES);
  EXPECT_LT(status(done), 0);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 1)[0], 3);
}

}  // namespace
// OpenCL 3.0, 5.9.2: kernels hold no references to their arguments, launches that were enqueued do.
TEST_F(Device, ArgumentsKeepNothingAlive) {
  cl_kernel increment = kernel(built("kernel void k(global int* p) { p[get_global_id(0)]++; }"), "k");
  std::atomic<int> destroyed{0};
  const auto watched = [&](cl_int value) {
    cl_mem made =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value, nullptr);
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  made, [](cl_mem, void* count) { ++*static_cast<std::atomic<int>*>(count); }, &destroyed),
              CL_SUCCESS);
    return made;
  };
  const auto references = [](cl_mem memory) {
    return query<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT);
  };
  const size_t one = 1;
  cl_mem first = watched(1);
  ASSERT_EQ(clSetKernelArg(increment, 0, sizeof first, &first), CL_SUCCESS);
  EXPECT_EQ(references(first), 1u);
  cl_kernel copy = clCloneKernel(increment, nullptr);
  if (copy != nullptr) kernels.push_back(copy);
  ASSERT_EQ(clReleaseMemObject(first), CL_SUCCESS);
  EXPECT_EQ(destroyed, 1);
  if (is_lockstep()) {  // nobody says what a released argument gives
    for (cl_kernel each : {increment, copy}) {
      EXPECT_EQ(clEnqueueNDRangeKernel(queue, each, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
                CL_INVALID_KERNEL_ARGS);
    }
  }

  // What is enqueued keeps its buffer, although the argument is another one by then and the buffer is
  // released.
  cl_mem second = watched(2), third = watched(3);
  cl_event gate = user_event(), done = nullptr;
  ASSERT_EQ(clSetKernelArg(increment, 0, sizeof second, &second), CL_SUCCESS);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, increment, 1, nullptr, &one, nullptr, 1, &gate, &done), CL_SUCCESS);
  events.push_back(done);
  ASSERT_EQ(clSetKernelArg(increment, 0, sizeof third, &third), CL_SUCCESS);
  EXPECT_EQ(references(second), 1u);
  ASSERT_EQ(clReleaseMemObject(second), CL_SUCCESS);
  EXPECT_EQ(destroyed, 1);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(status(done), CL_COMPLETE);
  EXPECT_EQ(destroyed, 2);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, increment, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(third, 1).front(), 4);
  ASSERT_EQ(clReleaseMemObject(third), CL_SUCCESS);
  EXPECT_EQ(destroyed, 3);
}

// A new buffer at a released one's place is not taken for it.
TEST_F(Device, AReleasedArgumentStaysReleased) {
  if (!is_lockstep()) GTEST_SKIP() << "nobody says what a released argument gives";
  cl_kernel fill = kernel(built("kernel void k(global int* p) { *p = 1; }"), "k");
  const size_t one = 1;
  for (int i = 0; i < 50; ++i) {
    cl_mem released = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, nullptr);
    ASSERT_EQ(clSetKernelArg(fill, 0, sizeof released, &released), CL_SUCCESS);
    ASSERT_EQ(clReleaseMemObject(released), CL_SUCCESS);
    cl_mem next = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, nullptr);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_INVALID_KERNEL_ARGS);
    ASSERT_EQ(clReleaseMemObject(next), CL_SUCCESS);
  }
}

}  // namespace conformance
