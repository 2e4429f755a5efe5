// The fuzzer's state and its choices; the calls are in create.cpp, enqueue.cpp and api_fuzz.cpp.
#pragma once
#include <CL/cl_icd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

struct AnyObject {
  const cl_icd_dispatch* table;
};

extern const cl_icd_dispatch* table;

// Host memory of the calls: larger than what any accepted transfer reaches.
inline constexpr size_t arena_bytes = size_t{4} << 20;
inline constexpr size_t most_buffer = 65536;

inline const char* const sources[] = {
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

extern std::atomic<unsigned long> called_back;

}  // namespace fuzz
