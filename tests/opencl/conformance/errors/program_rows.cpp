// Chapters 5.4, 5.6 and 5.8: what is optional, and programs.
#include <cstring>

#include "table.h"

namespace conformance {

Rows optional_rows() {
  using Call = cl_int (*)(cl_command_queue, World&);
  const struct {
    const char* name;
    Call call;
  } enqueues[] = {
      {"clEnqueueSVMFree",
       [](cl_command_queue q, World& w) {
         void* place = w.host;
         return clEnqueueSVMFree(q, 1, &place, nullptr, nullptr, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMMemcpy",
       [](cl_command_queue q, World& w) {
         return clEnqueueSVMMemcpy(q, CL_TRUE, w.host, w.host + 64, 16, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMMemFill",
       [](cl_command_queue q, World& w) {
         return clEnqueueSVMMemFill(q, w.host, w.host + 64, 4, 16, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMMap",
       [](cl_command_queue q, World& w) {
         return clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, w.host, 16, 0, nullptr, nullptr);
       }},
      {"clEnqueueSVMUnmap",
       [](cl_command_queue q, World& w) { return clEnqueueSVMUnmap(q, w.host, 0, nullptr, nullptr); }},
      {"clEnqueueSVMMigrateMem",
       [](cl_command_queue q, World& w) {
         const void* place = w.host;
         return clEnqueueSVMMigrateMem(q, 1, &place, nullptr, 0, 0, nullptr, nullptr);
       }},
  };
  Rows rows = {
      {"clCreatePipe", CL_INVALID_CONTEXT,
       [](World&) {
         return made([](cl_int* code) { return clCreatePipe(nullptr, 0, 4, 4, nullptr, code); });
       }},
      {"clCreatePipe", CL_INVALID_OPERATION,
       [](World& w) {
         return made([&](cl_int* code) { return clCreatePipe(w.context, 0, 4, 4, nullptr, code); });
       }},
      {"clGetPipeInfo", CL_INVALID_MEM_OBJECT,
       [](World& w) { return clGetPipeInfo(w.memory, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr); }},
      // No code: null, and freeing nothing does nothing.
      {"clSVMAlloc", CL_SUCCESS,
       [](World& w) { return clSVMAlloc(w.context, 0, 64, 0) == nullptr ? CL_SUCCESS : CL_INVALID_VALUE; }},
      {"clSVMFree", CL_SUCCESS,
       [](World& w) {
         clSVMFree(w.context, nullptr);
         return CL_SUCCESS;
       }},
      {"clSetKernelArgSVMPointer", CL_INVALID_KERNEL,
       [](World& w) { return clSetKernelArgSVMPointer(nullptr, 0, w.host); }},
      {"clSetKernelArgSVMPointer", CL_INVALID_OPERATION,
       [](World& w) { return clSetKernelArgSVMPointer(w.kernel, 0, w.host); }},
      {"clSetKernelExecInfo", CL_INVALID_KERNEL,
       [](World&) {
         const cl_bool yes = CL_TRUE;
         return clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes);
       }},
      {"clSetKernelExecInfo", CL_INVALID_OPERATION,
       [](World& w) {
         const cl_bool yes = CL_TRUE;
         return clSetKernelExecInfo(w.kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(yes), &yes);
       }},
  };
  for (Row& row : rows) {
    const std::string name = row.function;
    if (name != "clCreatePipe" && name != "clGetPipeInfo") row.needs = Needs::no_shared_memory;
  }
  for (const auto& each : enqueues) {
    rows.push_back({each.name, CL_INVALID_COMMAND_QUEUE, [=](World& w) { return each.call(nullptr, w); },
                    Needs::no_shared_memory});
    rows.push_back({each.name, CL_INVALID_OPERATION, [=](World& w) { return each.call(w.queue, w); },
                    Needs::no_shared_memory});
  }
  return rows;
}

namespace {

cl_int from_source(cl_context context, const char* text) {
  return made([&](cl_int* code) { return clCreateProgramWithSource(context, 1, &text, nullptr, code); });
}

cl_int from_binary(cl_context context, cl_device_id device, bool empty) {
  static const char text[] = "no program at all";
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(text);
  const size_t size = empty ? 0 : sizeof(text);
  return made([&](cl_int* code) {
    return clCreateProgramWithBinary(context, 1, &device, &size, &bytes, nullptr, code);
  });
}

// Calls with a fresh program of this text.
template <class F>
cl_int with_program(World& w, const char* text, F&& call) {
  cl_int code = 0;
  const cl_program program = clCreateProgramWithSource(w.context, 1, &text, nullptr, &code);
  if (code != CL_SUCCESS) return 23456;
  code = call(program);
  clReleaseProgram(program);
  return code;
}

constexpr const char* good = "__kernel void f(__global int* a) { a[0] = 1; }\n";
constexpr const char* broken = "__kernel void f(__global int* a) { a[0] = missing; }\n";
constexpr const char* lacking =
    "int nowhere(int);\n__kernel void f(__global int* a) { a[0] = nowhere(1); }\n";

cl_int build(cl_program program, cl_uint count, const cl_device_id* devices, const char* options) {
  return clBuildProgram(program, count, devices, options, nullptr, nullptr);
}
cl_int compile(cl_program program, cl_uint count, const cl_device_id* devices, const char* options) {
  return clCompileProgram(program, count, devices, options, 0, nullptr, nullptr, nullptr, nullptr);
}

// Compiles the text and links it.
cl_int link(World& w, const char* text, cl_context context, cl_uint count, const cl_device_id* devices,
            const char* options) {
  return with_program(w, text, [&](cl_program program) {
    if (compile(program, 1, &w.device, "") != CL_SUCCESS) return 34567;
    cl_int code = 12345;
    const cl_program linked =
        clLinkProgram(context, count, devices, options, 1, &program, nullptr, nullptr, &code);
    if (linked != nullptr) clReleaseProgram(linked);  // comes with LINK_PROGRAM_FAILURE too
    return code;
  });
}

Rows build_rows() {
  return {
      {"clBuildProgram", CL_SUCCESS,
       [](World& w) {
         return with_program(w, good, [&](cl_program p) { return build(p, 1, &w.device, ""); });
       }},
      {"clBuildProgram", CL_INVALID_PROGRAM, [](World& w) { return build(nullptr, 1, &w.device, ""); }},
      {"clBuildProgram", CL_INVALID_VALUE, [](World& w) { return build(w.unbuilt, 0, &w.device, ""); }},
      {"clBuildProgram", CL_INVALID_DEVICE,
       [](World& w) {
         const cl_device_id none = nullptr;
         return build(w.unbuilt, 1, &none, "");
       }},
      {"clBuildProgram", CL_INVALID_BUILD_OPTIONS,
       [](World& w) { return build(w.unbuilt, 1, &w.device, "--no-such-option"); }},
      {"clBuildProgram", CL_BUILD_PROGRAM_FAILURE,
       [](World& w) {
         return with_program(w, broken, [&](cl_program p) { return build(p, 1, &w.device, ""); });
       }},
      {"clBuildProgram", CL_INVALID_OPERATION, [](World& w) { return build(w.program, 1, &w.device, ""); }},
      {"clCompileProgram", CL_SUCCESS,
       [](World& w) {
         return with_program(w, good, [&](cl_program p) { return compile(p, 1, &w.device, ""); });
       }},
      {"clCompileProgram", CL_INVALID_PROGRAM, [](World& w) { return compile(nullptr, 1, &w.device, ""); }},
      {"clCompileProgram", CL_INVALID_VALUE, [](World& w) { return compile(w.unbuilt, 0, &w.device, ""); }},
      {"clCompileProgram", CL_INVALID_DEVICE,
       [](World& w) {
         const cl_device_id none = nullptr;
         return compile(w.unbuilt, 1, &none, "");
       }},
      {"clCompileProgram", CL_INVALID_COMPILER_OPTIONS,
       [](World& w) { return compile(w.unbuilt, 1, &w.device, "--no-such-option"); }},
      {"clCompileProgram", CL_COMPILE_PROGRAM_FAILURE,
       [](World& w) {
         return with_program(w, broken, [&](cl_program p) { return compile(p, 1, &w.device, ""); });
       }},
      {"clCompileProgram", CL_INVALID_OPERATION,
       [](World& w) { return compile(w.program, 1, &w.device, ""); }},
      {"clLinkProgram", CL_SUCCESS, [](World& w) { return link(w, good, w.context, 1, &w.device, ""); }},
      {"clLinkProgram", CL_INVALID_CONTEXT,
       [](World& w) { return link(w, good, nullptr, 1, &w.device, ""); }},
      {"clLinkProgram", CL_INVALID_VALUE,
       [](World& w) { return link(w, good, w.context, 0, &w.device, ""); }},
      {"clLinkProgram", CL_INVALID_PROGRAM,
       [](World& w) {
         const cl_program none = nullptr;
         return made([&](cl_int* code) {
           return clLinkProgram(w.context, 1, &w.device, "", 1, &none, nullptr, nullptr, code);
         });
       }},
      {"clLinkProgram", CL_INVALID_DEVICE,
       [](World& w) {
         const cl_device_id none = nullptr;
         return link(w, good, w.context, 1, &none, "");
       }},
      {"clLinkProgram", CL_INVALID_LINKER_OPTIONS,
       [](World& w) { return link(w, good, w.context, 1, &w.device, "-no-such-option"); }},
      {"clLinkProgram", CL_INVALID_OPERATION,
       [](World& w) {
         return made([&](cl_int* code) {
           return clLinkProgram(w.context, 1, &w.device, "", 1, &w.unbuilt, nullptr, nullptr, code);
         });
       }},
      {"clLinkProgram", CL_LINK_PROGRAM_FAILURE,
       [](World& w) { return link(w, lacking, w.context, 1, &w.device, ""); }},
  };
}

}  // namespace

Rows program_rows() {
  Rows rows = {
      {"clCreateProgramWithSource", CL_SUCCESS, [](World& w) { return from_source(w.context, good); }},
      {"clCreateProgramWithSource", CL_INVALID_CONTEXT, [](World&) { return from_source(nullptr, good); }},
      {"clCreateProgramWithSource", CL_INVALID_VALUE,
       [](World& w) { return from_source(w.context, nullptr); }},
      {"clCreateProgramWithIL", CL_INVALID_CONTEXT,
       [](World& w) {
         return made([&](cl_int* code) { return clCreateProgramWithIL(nullptr, w.host, 16, code); });
       }},
      {"clCreateProgramWithIL", CL_INVALID_OPERATION,
       [](World& w) {
         return made([&](cl_int* code) { return clCreateProgramWithIL(w.context, w.host, 16, code); });
       }},
      {"clCreateProgramWithBinary", CL_SUCCESS,
       [](World& w) {
         size_t size = 0;
         clGetProgramInfo(w.program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
         std::vector<unsigned char> bytes(size);
         unsigned char* place = bytes.data();
         clGetProgramInfo(w.program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
         const unsigned char* given = bytes.data();
         return made([&](cl_int* code) {
           return clCreateProgramWithBinary(w.context, 1, &w.device, &size, &given, nullptr, code);
         });
       }},
      {"clCreateProgramWithBinary", CL_INVALID_CONTEXT,
       [](World& w) { return from_binary(nullptr, w.device, false); }},
      {"clCreateProgramWithBinary", CL_INVALID_VALUE,
       [](World& w) { return from_binary(w.context, w.device, true); }},
      {"clCreateProgramWithBinary", CL_INVALID_DEVICE,
       [](World& w) { return from_binary(w.context, nullptr, false); }},
      {"clCreateProgramWithBinary", CL_INVALID_BINARY,
       [](World& w) { return from_binary(w.context, w.device, false); }},
      {"clCreateProgramWithBuiltInKernels", CL_INVALID_CONTEXT,
       [](World& w) {
         return made([&](cl_int* code) {
           return clCreateProgramWithBuiltInKernels(nullptr, 1, &w.device, "none", code);
         });
       }},
      {"clCreateProgramWithBuiltInKernels", CL_INVALID_VALUE,
       [](World& w) {
         return made([&](cl_int* code) {
           return clCreateProgramWithBuiltInKernels(w.context, 1, &w.device, "none", code);
         });
       }},
      {"clCreateProgramWithBuiltInKernels", CL_INVALID_DEVICE,
       [](World& w) {
         const cl_device_id none = nullptr;
         return made([&](cl_int* code) {
           return clCreateProgramWithBuiltInKernels(w.context, 1, &none, "none", code);
         });
       }},
      {"clRetainProgram", CL_SUCCESS, [](World& w) { return clRetainProgram(w.program); }},
      {"clRetainProgram", CL_INVALID_PROGRAM, [](World&) { return clRetainProgram(nullptr); }},
      {"clReleaseProgram", CL_SUCCESS, [](World& w) { return clReleaseProgram(w.program); }},
      {"clReleaseProgram", CL_INVALID_PROGRAM, [](World&) { return clReleaseProgram(nullptr); }},
      {"clSetProgramReleaseCallback", CL_INVALID_PROGRAM,
       [](World&) { return clSetProgramReleaseCallback(nullptr, [](cl_program, void*) {}, nullptr); }},
      {"clSetProgramReleaseCallback", CL_INVALID_OPERATION,
       [](World& w) { return clSetProgramReleaseCallback(w.program, [](cl_program, void*) {}, nullptr); }},
      {"clSetProgramSpecializationConstant", CL_INVALID_PROGRAM,
       [](World& w) { return clSetProgramSpecializationConstant(nullptr, 0, 4, w.host); }},
      {"clSetProgramSpecializationConstant", CL_INVALID_OPERATION,
       [](World& w) { return clSetProgramSpecializationConstant(w.unbuilt, 0, 4, w.host); }},
      {"clGetProgramInfo", CL_SUCCESS,
       [](World& w) {
         return clGetProgramInfo(w.program, CL_PROGRAM_SOURCE, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetProgramInfo", CL_INVALID_PROGRAM,
       [](World&) { return clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, nullptr); }},
      {"clGetProgramInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetProgramInfo(w.program, 0x1, 0, nullptr, nullptr); }},
      {"clGetProgramInfo", CL_INVALID_PROGRAM_EXECUTABLE,
       [](World& w) {
         return clGetProgramInfo(w.unbuilt, CL_PROGRAM_NUM_KERNELS, sizeof(w.host), w.host, nullptr);
       }},
      {"clGetProgramBuildInfo", CL_SUCCESS,
       [](World& w) {
         return clGetProgramBuildInfo(w.program, w.device, CL_PROGRAM_BUILD_LOG, sizeof(w.host), w.host,
                                      nullptr);
       }},
      {"clGetProgramBuildInfo", CL_INVALID_PROGRAM,
       [](World& w) {
         return clGetProgramBuildInfo(nullptr, w.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr);
       }},
      {"clGetProgramBuildInfo", CL_INVALID_DEVICE,
       [](World& w) {
         return clGetProgramBuildInfo(w.program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr);
       }},
      {"clGetProgramBuildInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetProgramBuildInfo(w.program, w.device, 0x1, 0, nullptr, nullptr); }},
  };
  const Rows more = build_rows();
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace conformance
