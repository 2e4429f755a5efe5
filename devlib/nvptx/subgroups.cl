// Sub-groups (cl_khr_subgroups): the warps of a work-group, with shfl and vote; sm_20 has no shfl and gathers values from
// votes, bit by bit. Work-items are in warps by their linear number. The last warp of a group may have fewer than 32.
#include "nvptx.h"

static inline uint linear_id(void) {
  return __nvvm_read_ptx_sreg_tid_x() +
         __nvvm_read_ptx_sreg_ntid_x() *
             (__nvvm_read_ptx_sreg_tid_y() + __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
}
static inline uint group_items(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
}
// A macro: of a condition in place LLVM removes the side that the target lacks at -O0 as well.
#define has_shuffle() (reflect("__CUDA_ARCH") >= 300)

OVER uint get_sub_group_id(void) { return linear_id() / 32; }
OVER uint get_sub_group_local_id(void) { return linear_id() % 32; }
OVER uint get_num_sub_groups(void) { return (group_items() + 31) / 32; }
OVER uint get_enqueued_num_sub_groups(void) { return get_num_sub_groups(); }
OVER uint get_max_sub_group_size(void) { return 32; }
OVER uint get_sub_group_size(void) { return min(32u, group_items() - get_sub_group_id() * 32); }
static inline uint members(void) { return 0xFFFFFFFFu >> (32 - get_sub_group_size()); }

static inline uint ballot(bool condition) {
  uint result;
  if (has_shuffle()) {
    __asm__ volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, %2;\n\t}"
                     : "=r"(result)
                     : "r"((uint)condition), "r"(members()));
  } else {
    __asm__ volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.ballot.b32 %0, p;\n\t}"
                     : "=r"(result)
                     : "r"((uint)condition));
  }
  return result;
}

OVER int sub_group_all(int condition) { return ballot(condition != 0) == members(); }
OVER int sub_group_any(int condition) { return ballot(condition != 0) != 0; }

OVER void sub_group_barrier(cl_mem_fence_flags flags) {
  if (has_shuffle()) __asm__ volatile("bar.warp.sync %0;" ::"r"(members()) : "memory");
  __asm__ volatile("membar.cta;" ::: "memory");
}
// As OpenCL C 2.0 has it.
typedef enum memory_scope { of_work_item, of_work_group, of_device, of_all_svm_devices, of_sub_group } memory_scope;
OVER void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  sub_group_barrier(flags);
  if (scope == of_device || scope == of_all_svm_devices) __asm__ volatile("membar.gl;" ::: "memory");
}

OVER void work_group_barrier(cl_mem_fence_flags flags) { __nvvm_bar_sync(0); }
OVER void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope == of_device || scope == of_all_svm_devices) __asm__ volatile("membar.gl;" ::: "memory");
  __nvvm_bar_sync(0);
}

// ---- The value that another lane has.
static inline uint of_lane(uint x, uint lane) {
  uint result = 0;
  if (has_shuffle()) {
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(result) : "r"(x), "r"(lane), "r"(members()));
    return result;
  }
  for (uint bit = 0; bit < 32; ++bit) result |= (ballot(x >> bit & 1) >> (lane & 31) & 1) << bit;
  return result;
}
OVER static inline uint value_of(uint x, uint lane) { return of_lane(x, lane); }
OVER static inline int value_of(int x, uint lane) { return (int)of_lane((uint)x, lane); }
OVER static inline float value_of(float x, uint lane) { return as_float(of_lane(as_uint(x), lane)); }
OVER static inline half value_of(half x, uint lane) { return as_half((ushort)of_lane(as_ushort(x), lane)); }
OVER static inline ulong value_of(ulong x, uint lane) {
  return (ulong)of_lane((uint)(x >> 32), lane) << 32 | of_lane((uint)x, lane);
}
OVER static inline long value_of(long x, uint lane) { return (long)value_of((ulong)x, lane); }
OVER static inline double value_of(double x, uint lane) { return as_double(value_of(as_ulong(x), lane)); }

// ---- Scans in five steps, each over twice as many lanes; a reduction is what the last lane has.
#define ADD(x, y) ((x) + (y))
#define SCANS(T, name, operation, identity)                                   \
  OVER T sub_group_scan_inclusive_##name(T x) {                               \
    const uint lane = get_sub_group_local_id();                               \
    for (uint step = 1; step < 32; step *= 2) {                               \
      const T before = value_of(x, lane < step ? lane : lane - step);         \
      if (lane >= step) x = operation(before, x);                             \
    }                                                                         \
    return x;                                                                 \
  }                                                                           \
  OVER T sub_group_scan_exclusive_##name(T x) {                               \
    const uint lane = get_sub_group_local_id();                               \
    const T sum = sub_group_scan_inclusive_##name(x);                         \
    const T before = value_of(sum, lane == 0 ? 0 : lane - 1);                 \
    return lane == 0 ? identity : before;                                     \
  }                                                                           \
  OVER T sub_group_reduce_##name(T x) {                                       \
    return value_of(sub_group_scan_inclusive_##name(x), get_sub_group_size() - 1); \
  }
#define SUB_GROUP_FUNCTIONS(T, least, most)                                   \
  OVER T sub_group_broadcast(T x, uint lane) { return value_of(x, lane); }    \
  SCANS(T, add, ADD, (T)0)                                                    \
  SCANS(T, min, min, most)                                                    \
  SCANS(T, max, max, least)
SUB_GROUP_FUNCTIONS(int, INT_MIN, INT_MAX)
SUB_GROUP_FUNCTIONS(uint, 0, UINT_MAX)
SUB_GROUP_FUNCTIONS(long, LONG_MIN, LONG_MAX)
SUB_GROUP_FUNCTIONS(ulong, 0, ULONG_MAX)
SUB_GROUP_FUNCTIONS(half, (half)-INFINITY, (half)INFINITY)
SUB_GROUP_FUNCTIONS(float, -INFINITY, INFINITY)
SUB_GROUP_FUNCTIONS(double, (double)-INFINITY, (double)INFINITY)
