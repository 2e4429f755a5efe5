// Calls functions of the OpenCL API in random orders with right and wrong arguments: no call may crash, and
// when everything is released nothing may be left (run it under AddressSanitizer).
//
//   opencl_api_fuzz [--seed N] [--calls N] [--rounds N]
//
// Each round makes a context, calls, and releases what it made. A round's seed is printed when it ends with a
// failure of its own (an object that outlives its release); a crash is found again with the seed and --rounds
// 1. Functions are called through the driver's dispatch table, as an ICD loader calls them, so that handles
// may be anything: null, of another kind, released, or no object at all.
#include <CL/cl_icd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

struct AnyObject {
  const cl_icd_dispatch* table;
};

const cl_icd_dispatch* table = nullptr;

// Host memory of the calls: larger than what any accepted transfer reaches.
constexpr size_t arena_bytes = size_t{4} << 20;
constexpr size_t most_buffer = 65536;

const char* const sources[] = {
    "__kernel void k0(__global int* a, int n) { int i = get_global_id(0); if (a && i < n) a[i & 15] = i; }\n"
    "__kernel void k1(__global int* a, __local int* t) { t[get_local_id(0)] = 1; barrier(1);\n"
    "  if (a) a[get_local_id(0) & 15] = t[0]; }\n",
    "#if __IMAGE_SUPPORT__\n"
    "__kernel void k2(__read_only image2d_t i, sampler_t s, __global float4* o) {\n"
    "  if (o) o[0] = read_imagef(i, s, (float2)(0.5f, 0.5f)); }\n"
    "#endif\n"
    "__kernel void k3(float4 v, __constant int* c, __global int* o) { if (c && o) o[0] = c[0] + (int)v.x; "
    "}\n",
    "__kernel void broken(int x { }\n",
    "",
};

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : random_(seed), arena_(arena_bytes) {}

  void round(unsigned calls);

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool one_in(unsigned count) { return below(count) == 0; }
  template <class T>
  T among(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<unsigned>(list.size())));
  }

  // A handle of the list, or sometimes something else.
  template <class T>
  T handle(const std::vector<T>& list) {
    if (!list.empty() && !one_in(25)) return list[below(static_cast<unsigned>(list.size()))];
    switch (below(5)) {
      case 0:
        return nullptr;
      case 1:
        return reinterpret_cast<T>(arena_.data() + 8 * below(64));  // no object
      case 2:
        return static_cast<T>(any(stale_));
      case 3:
        return static_cast<T>(any(all_));
      default:
        return list.empty() ? nullptr : list[0];
    }
  }
  void* any(const std::vector<void*>& list) {
    return list.empty() ? nullptr : list[below(static_cast<unsigned>(list.size()))];
  }
  size_t number() {
    switch (below(8)) {
      case 0:
        return 0;
      case 1:
        return ~size_t{0} - below(3);
      case 2:
        return size_t{1} << (one_in(2) ? below(16) : 40 + below(24));
      default:
        return below(most_buffer);
    }
  }
  size_t small() { return one_in(20) ? number() | size_t{1} << 40 : below(33); }
  std::array<size_t, 3> triple() { return {small(), one_in(2) ? 1 : small(), one_in(2) ? 1 : small()}; }
  std::array<size_t, 3> origin() {
    return one_in(2) ? std::array<size_t, 3>{0, 0, 0} : std::array<size_t, 3>{small(), below(3), below(2)};
  }
  size_t pitch(size_t most) { return one_in(2) ? 0 : below(static_cast<unsigned>(most)); }
  void* host() { return one_in(20) ? nullptr : arena_.data(); }
  cl_bitfield flags() {
    if (one_in(20)) return random_();
    cl_bitfield bits = among<cl_bitfield>({0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY});
    if (one_in(6))
      bits |= among<cl_bitfield>({CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS});
    if (one_in(3))
      bits |= among<cl_bitfield>({CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR});
    return bits;
  }
  void* host_for(cl_bitfield bits) {
    const bool wanted = (bits & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    return wanted != one_in(15) ? arena_.data() : nullptr;
  }
  cl_bool blocking() {
    const bool chosen = one_in(3);
    if (chosen) set_gates();
    return chosen ? CL_TRUE : CL_FALSE;
  }

  // Keeps what was made.
  template <class T>
  void keep(std::vector<T>& list, T made) {
    if (made == nullptr) return;
    list.push_back(made);
    all_.push_back(made);
  }
  struct Waits {
    cl_uint count;
    const cl_event* list;
    cl_event* result;
  };
  Waits waits() {
    wait_list_.clear();
    cl_uint count = one_in(3) ? below(4) : 0;
    for (cl_uint i = 0; i < count; ++i) wait_list_.push_back(handle(events_));
    event_ = nullptr;
    const cl_event* list = count == 0 ? nullptr : wait_list_.data();
    if (one_in(40)) {
      wait_list_.resize(4, nullptr);
      list = list == nullptr ? wait_list_.data() : nullptr;
    }
    return {count, list, one_in(2) ? &event_ : nullptr};
  }
  void keep_event() { keep(events_, std::exchange(event_, nullptr)); }

  // User events that no one set would hold a blocking call for ever.
  void set_gates() {
    for (cl_event each : gates_) table->clSetUserEventStatus(each, one_in(8) ? -5 : CL_COMPLETE);
    gates_.clear();
  }

  template <class F, class T>
  void ask(F function, T object, cl_uint first, unsigned count) {
    std::memset(info_.data(), 0, info_.size());  // CL_PROGRAM_BINARIES reads pointers
    size_t size = 0;
    function(object, one_in(30) ? static_cast<cl_uint>(random_()) : first + below(count),
             one_in(4) ? below(9) : info_.size(), one_in(8) ? nullptr : info_.data(),
             one_in(4) ? nullptr : &size);
  }

  void create();
  void create_image();
  void program();
  void arguments();
  void launch();
  void transfer();
  void boxes();
  void images();
  void maps();
  void synchronise();
  void queries();
  void refused();
  template <class T, class F>
  void let_go(std::vector<T>& list, F release_function);
  void release_some();
  template <class T, class F>
  void release_all(std::vector<T>& list, F release_function);

  std::mt19937_64 random_;
  std::vector<unsigned char> arena_;
  std::array<unsigned char, 65536> info_{};
  cl_platform_id platform_ = nullptr;
  std::vector<cl_device_id> devices_;
  std::vector<cl_context> contexts_;
  std::vector<cl_command_queue> queues_;
  std::vector<cl_mem> memories_;
  std::vector<cl_sampler> samplers_;
  std::vector<cl_program> programs_;
  std::vector<cl_kernel> kernels_;
  std::vector<cl_event> events_, gates_, wait_list_;
  std::vector<std::pair<cl_mem, void*>> mapped_;
  std::vector<void*> all_, stale_;
  cl_event event_ = nullptr;
};

unsigned long called_back = 0;

void Fuzz::create() {
  cl_int code = 0;
  cl_int* const place = one_in(10) ? nullptr : &code;
  const cl_context context = handle(contexts_);
  const cl_device_id device = handle(devices_);
  switch (below(9)) {
    case 0: {
      if (contexts_.size() > 3) return;
      const cl_context_properties lists[][3] = {
          {0, 0, 0},
          {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(handle(std::vector{platform_})), 0},
          {static_cast<cl_context_properties>(random_() | 1), 1, 0}};
      const auto* list = one_in(2) ? nullptr : lists[below(3)];
      if (one_in(2))
        keep(contexts_, table->clCreateContext(list, one_in(10) ? 0 : 1, one_in(10) ? nullptr : &device,
                                               nullptr, one_in(10) ? arena_.data() : nullptr, place));
      else
        keep(contexts_, table->clCreateContextFromType(list, one_in(3) ? random_() : CL_DEVICE_TYPE_ALL,
                                                       nullptr, nullptr, place));
      return;
    }
    case 1: {
      if (queues_.size() > 6) return;
      const cl_queue_properties list[] = {
          one_in(10) ? random_() | 1 : cl_queue_properties{CL_QUEUE_PROPERTIES},
          one_in(8) ? random_() : below(4), 0};
      if (one_in(2))
        keep(queues_,
             table->clCreateCommandQueueWithProperties(context, device, one_in(3) ? nullptr : list, place));
      else
        keep(queues_, table->clCreateCommandQueue(context, device, one_in(8) ? random_() : below(4), place));
      return;
    }
    case 2:
    case 3: {
      const cl_bitfield bits = flags();
      const size_t size = one_in(10) ? number() : 64 + below(most_buffer - 64);
      // Contents are read as far as the size says: none are given for sizes beyond the arena.
      void* const contents = size > arena_bytes ? nullptr : host_for(bits);
      const cl_mem_properties none[] = {one_in(3) ? random_() : 0, 0, 0};
      if (one_in(3))
        keep(memories_, table->clCreateBufferWithProperties(context, one_in(2) ? nullptr : none, bits, size,
                                                            contents, place));
      else
        keep(memories_, table->clCreateBuffer(context, bits, size, contents, place));
      return;
    }
    case 4: {
      const cl_buffer_region region = {one_in(3) ? number() : 256 * below(8), one_in(3) ? number() : 64};
      keep(memories_, table->clCreateSubBuffer(handle(memories_), flags(),
                                               one_in(20) ? below(9) : CL_BUFFER_CREATE_TYPE_REGION,
                                               one_in(20) ? nullptr : &region, place));
      return;
    }
    case 5:
      return create_image();
    case 6: {
      const cl_sampler_properties list[] = {one_in(10) ? random_() : 0x1152 + below(3),
                                            one_in(3) ? random_() : 0x1130 + below(5), 0};
      if (one_in(2))
        keep(samplers_,
             table->clCreateSampler(context, below(3), 0x1130 + below(6), 0x1140 + below(3), place));
      else
        keep(samplers_, table->clCreateSamplerWithProperties(context, one_in(3) ? nullptr : list, place));
      return;
    }
    case 7: {
      const cl_event made = table->clCreateUserEvent(context, place);
      keep(events_, made);
      if (made != nullptr) gates_.push_back(made);
      return;
    }
    default:
      return program();
  }
}

void Fuzz::create_image() {
  cl_int code = 0;
  const cl_context context = handle(contexts_);
  cl_image_desc desc{};
  desc.image_type = one_in(15) ? below(0x2000) : 0x10F1 + below(6);
  desc.image_width = one_in(15) ? number() : 1 + below(32);
  desc.image_height = one_in(15) ? number() : 1 + below(16);
  desc.image_depth = one_in(15) ? number() : 1 + below(4);
  desc.image_array_size = one_in(15) ? number() : 1 + below(4);
  desc.image_row_pitch = one_in(3) ? 256 * below(5) : 0;
  desc.image_slice_pitch = one_in(6) ? 256 * below(80) : 0;
  if (one_in(20)) desc.num_mip_levels = 1;
  if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER || one_in(10)) desc.mem_object = handle(memories_);
  const cl_image_format format = {one_in(15) ? below(0x2000) : 0x10B0 + below(13),
                                  one_in(15) ? below(0x2000) : 0x10D0 + below(17)};
  const cl_bitfield bits = flags();
  // Contents only where they lie within the arena.
  const bool small_enough = desc.image_width <= 64 && desc.image_height <= 64 && desc.image_depth <= 8 &&
                            desc.image_array_size <= 8;
  void* const contents = small_enough ? host_for(bits) : nullptr;
  const cl_image_desc* const shape = one_in(30) ? nullptr : &desc;
  const cl_image_format* const texel = one_in(30) ? nullptr : &format;
  switch (below(5)) {
    case 0:
      return keep(memories_, table->clCreateImage2D(context, bits, texel, desc.image_width, desc.image_height,
                                                    desc.image_row_pitch, contents, &code));
    case 1:
      return keep(memories_, table->clCreateImage3D(context, bits, texel, desc.image_width, desc.image_height,
                                                    desc.image_depth, desc.image_row_pitch,
                                                    desc.image_slice_pitch, contents, &code));
    case 2:
      return keep(memories_,
                  table->clCreateImageWithProperties(context, nullptr, bits, texel, shape, contents, &code));
    default:
      return keep(memories_, table->clCreateImage(context, bits, texel, shape, contents, &code));
  }
}

void Fuzz::program() {
  cl_int code = 0;
  const cl_device_id device = handle(devices_);
  const cl_program chosen = handle(programs_);
  const cl_uint count = one_in(15) ? below(2) : 1;
  const cl_device_id* const list = one_in(15) ? nullptr : &device;
  const char* const options =
      among<const char*>({nullptr, "", "-cl-kernel-arg-info", "-DX=1", "-no-such", "\"", "x"});
  switch (below(9)) {
    case 0:
    case 1: {
      const char* text = sources[below(4)];
      const size_t length = std::strlen(text);
      keep(programs_, table->clCreateProgramWithSource(handle(contexts_), one_in(20) ? 0 : 1,
                                                       one_in(20) ? nullptr : &text,
                                                       one_in(2) ? nullptr : &length, &code));
      return;
    }
    case 2:
    case 3:
      table->clBuildProgram(chosen, count, list, options, nullptr, one_in(20) ? arena_.data() : nullptr);
      return;
    case 4: {
      const cl_program header = handle(programs_);
      const char* name = one_in(3) ? "../up.h" : "h.h";
      const cl_uint headers = below(2);
      table->clCompileProgram(chosen, count, list, options, headers, headers != 0 ? &header : nullptr,
                              headers != 0 ? &name : nullptr, nullptr, nullptr);
      return;
    }
    case 5: {
      const cl_program inputs[2] = {handle(programs_), handle(programs_)};
      keep(programs_,
           table->clLinkProgram(handle(contexts_), count, list,
                                among<const char*>({nullptr, "-create-library", "-bad"}), 1 + below(2),
                                one_in(20) ? nullptr : inputs, nullptr, nullptr, &code));
      return;
    }
    case 6: {
      // A program's binary, whole or damaged.
      std::vector<unsigned char> bytes(below(400));
      for (unsigned char& each : bytes) each = static_cast<unsigned char>(random_());
      size_t size = 0;
      if (table->clGetProgramInfo(chosen, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) ==
              CL_SUCCESS &&
          size != 0) {
        bytes.resize(size);
        unsigned char* place = bytes.data();
        table->clGetProgramInfo(chosen, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
        if (one_in(2))
          bytes[below(static_cast<unsigned>(size))] ^= static_cast<unsigned char>(1 + below(255));
      }
      const unsigned char* given = bytes.data();
      size = bytes.size();
      cl_int status = 0;
      keep(programs_,
           table->clCreateProgramWithBinary(handle(contexts_), count, list, &size, &given, &status, &code));
      return;
    }
    case 7: {
      cl_kernel made[8] = {};
      cl_uint number = 0;
      if (table->clCreateKernelsInProgram(chosen, 8, made, &number) == CL_SUCCESS) {
        for (cl_uint i = 0; i < number; ++i) keep(kernels_, made[i]);
      }
      return;
    }
    default:
      keep(kernels_, table->clCreateKernel(
                         chosen, among<const char*>({"k0", "k1", "k2", "k3", "none", nullptr}), &code));
      if (one_in(4)) keep(kernels_, table->clCloneKernel(handle(kernels_), &code));
      return;
  }
}

void Fuzz::arguments() {
  const cl_kernel kernel = handle(kernels_);
  const cl_uint index = below(5);
  const cl_mem memory = handle(memories_);
  const cl_sampler sampler = handle(samplers_);
  const float values[4] = {1, 2, 3, 4};
  switch (below(5)) {
    case 0:
    case 1:
      table->clSetKernelArg(kernel, index, one_in(20) ? below(9) : sizeof(memory),
                            one_in(20) ? nullptr : &memory);
      return;
    case 2:
      table->clSetKernelArg(kernel, index, one_in(20) ? below(9) : sizeof(sampler), &sampler);
      return;
    case 3:
      table->clSetKernelArg(kernel, index, one_in(10) ? 0 : 1024, nullptr);
      return;
    default:
      table->clSetKernelArg(kernel, index, among<size_t>({1, 4, 8, 16}), values);
      return;
  }
}

void Fuzz::launch() {
  const Waits w = waits();
  const size_t global[3] = {one_in(15) ? number() : 64, one_in(10) ? below(3) : 1, 1};
  const size_t local[3] = {one_in(5) ? below(100) : 64, 1, 1};
  const size_t offset[3] = {one_in(6) ? number() : 0, 0, 0};
  // What a huge range would run must not be run: the fuzzer tests the API.
  if (global[0] > 4096 && global[0] < (size_t{1} << 33)) return;
  const cl_command_queue queue = handle(queues_);
  if (one_in(8))
    table->clEnqueueTask(queue, handle(kernels_), w.count, w.list, w.result);
  else
    table->clEnqueueNDRangeKernel(queue, handle(kernels_), one_in(20) ? below(5) : 1 + below(2),
                                  one_in(2) ? nullptr : offset, one_in(30) ? nullptr : global,
                                  one_in(2) ? nullptr : local, w.count, w.list, w.result);
  keep_event();
}

void Fuzz::transfer() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_), other = handle(memories_);
  const size_t offset = one_in(6) ? number() : below(64), size = one_in(6) ? number() : below(256);
  switch (below(6)) {
    case 0:
      table->clEnqueueReadBuffer(queue, memory, blocking(), offset, size, host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteBuffer(queue, memory, blocking(), offset, size, host(), w.count, w.list, w.result);
      break;
    case 2:
      table->clEnqueueCopyBuffer(queue, memory, other, offset, below(64), size, w.count, w.list, w.result);
      break;
    case 3:
      table->clEnqueueFillBuffer(queue, memory, host(), among<size_t>({1, 2, 4, 8, 16, 128, 3, 0}), offset,
                                 size, w.count, w.list, w.result);
      break;
    case 4: {
      const cl_mem list[2] = {memory, other};
      table->clEnqueueMigrateMemObjects(queue, below(3), one_in(20) ? nullptr : list,
                                        one_in(10) ? random_() : below(4), w.count, w.list, w.result);
      break;
    }
    default:
      boxes();
      return;
  }
  keep_event();
}

void Fuzz::boxes() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_), other = handle(memories_);
  const auto a = origin(), b = origin(), region = triple();
  const size_t row = pitch(128), slice = pitch(2048), host_row = pitch(128), host_slice = pitch(2048);
  // The host's box must lie in the arena: regions that only overflow reach the driver.
  const std::array<size_t, 3> near = {a[0] & 31, a[1], a[2]};
  switch (below(3)) {
    case 0:
      table->clEnqueueReadBufferRect(queue, memory, blocking(), b.data(), near.data(), region.data(), row,
                                     slice, host_row, host_slice, host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteBufferRect(queue, memory, blocking(), b.data(), near.data(), region.data(), row,
                                      slice, host_row, host_slice, host(), w.count, w.list, w.result);
      break;
    default:
      table->clEnqueueCopyBufferRect(queue, memory, other, a.data(), b.data(), region.data(), row, slice,
                                     host_row, host_slice, w.count, w.list, w.result);
      break;
  }
  keep_event();
}

void Fuzz::images() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem image = handle(memories_), other = handle(memories_);
  const auto a = origin(), b = origin();
  std::array<size_t, 3> region = {1 + below(8), 1 + below(3), 1};
  if (one_in(8)) region = triple();
  switch (below(6)) {
    case 0:
      table->clEnqueueReadImage(queue, image, blocking(), a.data(), region.data(), pitch(1024), pitch(4096),
                                host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteImage(queue, image, blocking(), a.data(), region.data(), pitch(1024), pitch(4096),
                                 host(), w.count, w.list, w.result);
      break;
    case 2:
      table->clEnqueueCopyImage(queue, image, other, a.data(), b.data(), region.data(), w.count, w.list,
                                w.result);
      break;
    case 3:
      table->clEnqueueCopyImageToBuffer(queue, image, other, a.data(), region.data(), number(), w.count,
                                        w.list, w.result);
      break;
    case 4:
      table->clEnqueueCopyBufferToImage(queue, image, other, number(), a.data(), region.data(), w.count,
                                        w.list, w.result);
      break;
    default:
      table->clEnqueueFillImage(queue, image, host(), a.data(), region.data(), w.count, w.list, w.result);
      break;
  }
  keep_event();
}

void Fuzz::maps() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_);
  cl_int code = 0;
  size_t row = 0, slice = 0;
  const cl_bitfield how = one_in(15) ? random_() : among<cl_bitfield>({1, 2, 3, 4});
  void* place = nullptr;
  switch (below(3)) {
    case 0:
      place =
          table->clEnqueueMapBuffer(queue, memory, blocking(), how, one_in(8) ? number() : below(32),
                                    one_in(8) ? number() : 1 + below(32), w.count, w.list, w.result, &code);
      break;
    case 1: {
      const auto a = origin(), region = triple();
      place = table->clEnqueueMapImage(queue, memory, blocking(), how, a.data(), region.data(), &row,
                                       one_in(3) ? nullptr : &slice, w.count, w.list, w.result, &code);
      break;
    }
    default: {
      std::pair<cl_mem, void*> chosen = {memory, arena_.data()};
      if (!mapped_.empty() && !one_in(6)) {
        chosen = mapped_.back();
        mapped_.pop_back();
      }
      table->clEnqueueUnmapMemObject(queue, chosen.first, chosen.second, w.count, w.list, w.result);
      break;
    }
  }
  if (place != nullptr) mapped_.emplace_back(memory, place);
  keep_event();
}

void Fuzz::synchronise() {
  const cl_command_queue queue = handle(queues_);
  const Waits w = waits();
  switch (below(11)) {
    case 0:
      table->clFlush(queue);
      return;
    case 1:
      set_gates();
      table->clFinish(queue);
      return;
    case 2:
      set_gates();
      table->clWaitForEvents(w.count, w.list);
      return;
    case 3:
      table->clEnqueueMarkerWithWaitList(queue, w.count, w.list, w.result);
      return keep_event();
    case 4:
      table->clEnqueueBarrierWithWaitList(queue, w.count, w.list, w.result);
      return keep_event();
    case 5:
      table->clEnqueueMarker(queue, &event_);
      return keep_event();
    case 6:
      table->clEnqueueBarrier(queue);
      return;
    case 7:
      table->clEnqueueWaitForEvents(queue, w.count, w.list);
      return;
    case 8:
      table->clSetUserEventStatus(handle(events_), among<cl_int>({0, 0, -1, 1, 5}));
      return;
    case 9:
      table->clSetEventCallback(
          handle(events_), static_cast<cl_int>(below(4)), [](cl_event, cl_int, void*) { ++called_back; },
          nullptr);
      return;
    default:
      table->clSetMemObjectDestructorCallback(
          handle(memories_), [](cl_mem, void*) { ++called_back; }, nullptr);
      return;
  }
}

void Fuzz::queries() {
  const cl_device_id device = handle(devices_);
  const auto with = [&](auto function, auto other) {
    return [function, other](auto object, cl_uint name, size_t size, void* value, size_t* size_ret) {
      return function(object, other, name, size, value, size_ret);
    };
  };
  switch (below(16)) {
    case 0:
      return ask(table->clGetPlatformInfo, handle(std::vector{platform_}), 0x0900, 8);
    case 1:
      return ask(table->clGetDeviceInfo, device, 0x1000, 0x80);
    case 2:
      return ask(table->clGetContextInfo, handle(contexts_), 0x1080, 5);
    case 3:
      return ask(table->clGetCommandQueueInfo, handle(queues_), 0x1090, 10);
    case 4:
      return ask(table->clGetMemObjectInfo, handle(memories_), 0x1100, 12);
    case 5:
      return ask(table->clGetImageInfo, handle(memories_), 0x1110, 12);
    case 6:
      return ask(table->clGetSamplerInfo, handle(samplers_), 0x1150, 9);
    case 7:
      return ask(table->clGetProgramInfo, handle(programs_), 0x1160, 12);
    case 8:
      return ask(with(table->clGetProgramBuildInfo, device), handle(programs_), 0x1181, 6);
    case 9:
      return ask(table->clGetKernelInfo, handle(kernels_), 0x1190, 6);
    case 10:
      return ask(with(table->clGetKernelArgInfo, below(5)), handle(kernels_), 0x1196, 6);
    case 11:
      return ask(with(table->clGetKernelWorkGroupInfo, device), handle(kernels_), 0x11B0, 7);
    case 12:
      return ask(table->clGetEventInfo, handle(events_), 0x11D0, 6);
    case 13:
      return ask(table->clGetEventProfilingInfo, handle(events_), 0x1280, 6);
    case 14: {
      cl_image_format formats[4];
      cl_uint count = 0;
      table->clGetSupportedImageFormats(handle(contexts_), flags(), 0x10F0 + below(8), below(5),
                                        one_in(3) ? nullptr : formats, one_in(3) ? nullptr : &count);
      return;
    }
    default: {
      cl_device_id found[2];
      cl_uint count = 0;
      table->clGetDeviceIDs(platform_, one_in(3) ? random_() : CL_DEVICE_TYPE_ALL, below(3),
                            one_in(3) ? nullptr : found, one_in(3) ? nullptr : &count);
      size_t size = 0;
      const size_t group[2] = {64, 1};
      table->clGetKernelSubGroupInfo(handle(kernels_), device, 0x2033 + below(3), sizeof(group), group,
                                     sizeof(size), &size, nullptr);
      return;
    }
  }
}

// What no device has.
void Fuzz::refused() {
  cl_int code = 0;
  cl_uint count = 0;
  const Waits w = waits();
  switch (below(7)) {
    case 0:
      table->clCreateSubDevices(handle(devices_), nullptr, 0, nullptr, &count);
      return;
    case 1:
      keep(memories_, table->clCreatePipe(handle(contexts_), 0, 4, 4, nullptr, &code));
      return;
    case 2:
      table->clSVMFree(handle(contexts_), table->clSVMAlloc(handle(contexts_), 0, 64, 0));
      return;
    case 3:
      table->clEnqueueNativeKernel(
          handle(queues_), one_in(2) ? nullptr : +[](void*) {}, nullptr, 0, 0, nullptr, nullptr, w.count,
          w.list, w.result);
      return keep_event();
    case 4:
      keep(programs_, table->clCreateProgramWithIL(handle(contexts_), arena_.data(), 16, &code));
      return;
    case 5: {
      const cl_device_id device = handle(devices_);
      keep(programs_, table->clCreateProgramWithBuiltInKernels(handle(contexts_), 1, &device, "none", &code));
      return;
    }
    default: {
      cl_ulong times[2];
      table->clGetDeviceAndHostTimer(handle(devices_), times, one_in(5) ? nullptr : times + 1);
      table->clSetKernelExecInfo(handle(kernels_), 0x11B6, 0, nullptr);
      table->clUnloadPlatformCompiler(handle(std::vector{platform_}));
      return;
    }
  }
}

template <class T, class F>
void Fuzz::let_go(std::vector<T>& list, F release_function) {
  if (list.size() < 4) return;
  const std::size_t at = below(static_cast<unsigned>(list.size()));
  const T object = list[at];
  release_function(object);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  stale_.push_back(object);
  if (stale_.size() > 64) stale_.erase(stale_.begin());
  std::erase(all_, object);
}

void Fuzz::release_some() {
  switch (below(7)) {
    case 0:
      return let_go(queues_, table->clReleaseCommandQueue);
    case 1:
    case 2:
      return let_go(memories_, table->clReleaseMemObject);
    case 3:
      return let_go(samplers_, table->clReleaseSampler);
    case 4:
      return let_go(programs_, table->clReleaseProgram);
    case 5:
      return let_go(kernels_, table->clReleaseKernel);
    default: {
      // Sometimes one that was never set.
      if (one_in(3)) set_gates();
      return let_go(events_, table->clReleaseEvent);
    }
  }
}

template <class T, class F>
void Fuzz::release_all(std::vector<T>& list, F release_function) {
  for (const T each : list) release_function(each);
  list.clear();
}

void Fuzz::round(unsigned calls) {
  if (clGetPlatformIDs(1, &platform_, nullptr) != CL_SUCCESS) {
    std::fprintf(stderr, "no OpenCL platform\n");
    std::exit(2);
  }
  table = reinterpret_cast<const AnyObject*>(platform_)->table;
  cl_device_id devices[8];
  cl_uint count = 0;
  table->clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 8, devices, &count);
  devices_.assign(devices, devices + std::min(count, 8u));
  keep(contexts_, table->clCreateContext(nullptr, count, devices, nullptr, nullptr, nullptr));
  keep(queues_, table->clCreateCommandQueue(contexts_[0], devices_[0], below(4), nullptr));
  for (unsigned i = 0; i < calls; ++i) {
    switch (below(12)) {
      case 0:
      case 1:
        create();
        break;
      case 2:
        program();
        break;
      case 3:
        arguments();
        break;
      case 4:
        launch();
        break;
      case 5:
        transfer();
        break;
      case 6:
        images();
        break;
      case 7:
        maps();
        break;
      case 8:
        synchronise();
        break;
      case 9:
        queries();
        break;
      case 10:
        refused();
        break;
      default:
        release_some();
        break;
    }
  }
  set_gates();
  for (const cl_command_queue queue : queues_) table->clFinish(queue);
  release_all(events_, table->clReleaseEvent);
  release_all(kernels_, table->clReleaseKernel);
  release_all(programs_, table->clReleaseProgram);
  release_all(samplers_, table->clReleaseSampler);
  release_all(memories_, table->clReleaseMemObject);
  release_all(queues_, table->clReleaseCommandQueue);
  release_all(contexts_, table->clReleaseContext);
}

}  // namespace

int main(int count, char** words) {
  unsigned seed = 1, calls = 2000, rounds = 10;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const unsigned value = static_cast<unsigned>(std::strtoul(words[i + 1], nullptr, 10));
    if (name == "--seed")
      seed = value;
    else if (name == "--calls")
      calls = value;
    else if (name == "--rounds")
      rounds = value;
    else
      return std::fprintf(stderr, "usage: opencl_api_fuzz [--seed N] [--calls N] [--rounds N]\n"), 2;
  }
  for (unsigned i = 0; i < rounds; ++i) {
    std::printf("seed %u\n", seed + i);
    std::fflush(stdout);
    Fuzz(seed + i).round(calls);
  }
  std::printf("%u rounds of %u calls, %lu callbacks\n", rounds, calls, called_back);
  return 0;
}
