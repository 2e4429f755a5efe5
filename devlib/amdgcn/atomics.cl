// The C11 atomics over global and local pointers, which OpenCL C 3.0 has beside those over generic ones: AMD's library
// has the latter alone.
#define ATOMIC_OVER __attribute__((overloadable))
#define ATOMIC_LOAD(S, T, p, order, scope) __opencl_atomic_load(p, order, scope)
#define ATOMIC_STORE(S, T, p, value, order, scope) __opencl_atomic_store(p, value, order, scope)
#define ATOMIC_EXCHANGE(S, T, p, value, order, scope) __opencl_atomic_exchange(p, value, order, scope)
#define ATOMIC_EXPECT(S, E, T, strength, p, expected, value, success, failure, scope) \
  __opencl_atomic_compare_exchange_##strength(p, expected, value, success, failure, scope)
#define ATOMIC_FETCH(S, T, operation, p, value, order, scope) __opencl_atomic_fetch_##operation(p, value, order, scope)
#include "../atomics.h"
#include "../atomic_spaces.h"
