// The C11 atomics of OpenCL C 2.0 and 3.0. LLVM 19 selects relaxed ones alone: the orders are fences beside them, loads
// and stores are volatile accesses, as before sm_70, which has words for them. What reads and writes is not volatile:
// LLVM keeps generic addresses where it is.
static inline void fence(memory_scope scope) {
  if (scope == memory_scope_all_svm_devices) {
    __asm__ volatile("membar.sys;" ::: "memory");
  } else if (scope == memory_scope_device) {
    __asm__ volatile("membar.gl;" ::: "memory");
  } else if (scope != memory_scope_work_item) {
    __asm__ volatile("membar.cta;" ::: "memory");
  }
}
static inline void before(memory_order order, memory_scope scope) {
  if (order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst) fence(scope);
}
static inline void behind(memory_order order, memory_scope scope) {
  if (order == memory_order_acquire || order == memory_order_acq_rel || order == memory_order_seq_cst) fence(scope);
}
#define ORDERED(T, value, order, scope) \
  ({                                    \
    before(order, scope);               \
    const T result = value;             \
    behind(order, scope);               \
    result;                             \
  })
#define RELAXED memory_order_relaxed, memory_scope_device

#define ATOMIC_OVER __attribute__((overloadable, always_inline))
#define ATOMIC_LOAD(S, T, p, order, scope) ORDERED(T, *(volatile S T*)p, order, scope)
#define ATOMIC_STORE(S, T, p, value, order, scope) \
  do {                                             \
    before(order, scope);                          \
    *(volatile S T*)p = value;                     \
    behind(order, scope);                          \
  } while (0)
#define ATOMIC_EXCHANGE(S, T, p, value, order, scope) ORDERED(T, __opencl_atomic_exchange((S atomic_##T*)(p), value, RELAXED), order, scope)
#define ATOMIC_FETCH(S, T, operation, p, value, order, scope) \
  ORDERED(T, __opencl_atomic_fetch_##operation((S atomic_##T*)(p), value, RELAXED), order, scope)
// An exchange that fails has its own order, which is never stronger.
#define ATOMIC_EXPECT(S, E, T, strength, p, expected, value, success, failure, scope)                               \
  ({                                                                                                                \
    before(success, scope);                                                                                         \
    const bool equal =                                                                                              \
        __opencl_atomic_compare_exchange_##strength((S atomic_##T*)(p), expected, value, memory_order_relaxed,      \
                                                    memory_order_relaxed, memory_scope_device);                                           \
    behind(equal ? success : failure, scope);                                                                       \
    equal;                                                                                                          \
  })
#include "../atomics.h"
#include "../atomic_spaces.h"

ATOMICS(__generic)
ATOMIC_ALL_EXPECTATIONS(__generic, __generic)

ATOMIC_OVER void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (order != memory_order_relaxed) fence(scope);
}
