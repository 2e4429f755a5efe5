// One row for each function and each code that the specification names for it (specification.txt): a call
// that must give the code. CL_SUCCESS rows are the function's plainest use. OCL_ICD_VENDORS chooses the
// driver.
#pragma once
#include <CL/cl.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace conformance {

// What the rows' calls use: made once, released at the end.
struct World {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr, elsewhere = nullptr;  // elsewhere: objects that must not mix
  cl_command_queue queue = nullptr, profiled = nullptr, foreign_queue = nullptr;
  cl_mem memory = nullptr, other = nullptr, foreign = nullptr;  // of 4096 bytes
  cl_mem unread = nullptr, unwritten = nullptr;                 // CL_MEM_HOST_..._ONLY
  bool images = false;                                          // the rest only where the device has them
  cl_mem image = nullptr, other_image = nullptr, foreign_image = nullptr;  // 8 x 4, CL_R, bytes
  cl_mem unread_image = nullptr, unwritten_image = nullptr, signed_image = nullptr;
  cl_sampler sampler = nullptr;
  cl_program program = nullptr, unbuilt = nullptr;
  cl_kernel kernel = nullptr;    // write_ids(global int*), set to `memory`
  cl_kernel unset = nullptr;     // the same without its argument
  cl_kernel fixed = nullptr;     // reqd_work_group_size(4,1,1), set
  cl_kernel local = nullptr;     // use_local(global int*, local int*, float)
  cl_kernel sampling = nullptr;  // sample(read_only image2d_t, sampler_t, global float4*); images only
  cl_event complete = nullptr, failed = nullptr, foreign_event = nullptr;  // user events
  cl_event command = nullptr;                                              // of the profiled queue, complete
  unsigned char host[65536] = {};

  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
};

enum class Needs { nothing, images, no_images, sub_groups, no_sub_groups, no_shared_memory };

struct Row {
  const char* function;
  cl_int code;
  std::function<cl_int(World&)> call;
  Needs needs = Needs::nothing;
};

inline void PrintTo(const Row& row, std::ostream* stream) {
  *stream << row.function;
}

using Rows = std::vector<Row>;
Rows platform_rows();
Rows queue_rows();
Rows buffer_rows();
Rows image_rows();
Rows optional_rows();
Rows program_rows();
Rows kernel_rows();
Rows event_rows();

// What a creating function gives: its code; the object is released. A code without CL_SUCCESS must come
// without an object.
inline cl_int drop(cl_context made) {
  return clReleaseContext(made);
}
inline cl_int drop(cl_command_queue made) {
  return clReleaseCommandQueue(made);
}
inline cl_int drop(cl_mem made) {
  return clReleaseMemObject(made);
}
inline cl_int drop(cl_sampler made) {
  return clReleaseSampler(made);
}
inline cl_int drop(cl_program made) {
  return clReleaseProgram(made);
}
inline cl_int drop(cl_kernel made) {
  return clReleaseKernel(made);
}
inline cl_int drop(cl_event made) {
  return clReleaseEvent(made);
}
template <class F>
cl_int made(F&& create) {
  cl_int code = 12345;
  const auto object = create(&code);
  if ((object != nullptr) != (code == CL_SUCCESS)) return 23456;
  if (object != nullptr && drop(object) != CL_SUCCESS) return 34567;
  return code;
}

// The rows that all enqueueing functions have, from a right call: its success, a queue that is none, a wait
// list without events, an event of another context; for blocking functions a failed event.
using Enqueue = std::function<cl_int(World&, cl_command_queue, cl_uint, const cl_event*)>;
void add_enqueue(Rows& rows, const char* function, bool blocks, const Enqueue& call,
                 Needs needs = Needs::nothing);

std::string code_name(cl_int code);

}  // namespace conformance
