// The C11 atomics of OpenCL C 2.0 and 3.0 (6.15.12) as overloads, for what includes this as OpenCL C 2.0. It defines
// before, for objects in each address space S:
//   ATOMIC_OVER                                      the functions' attributes
//   ATOMIC_LOAD(S, T, p, order, scope)               T: int, uint, long, ulong; p: volatile S atomic_T*
//   ATOMIC_STORE(S, T, p, value, order, scope)
//   ATOMIC_EXCHANGE(S, T, p, value, order, scope)
//   ATOMIC_EXPECT(S, E, T, strength, p, expected, value, success, failure, scope)   strong or weak; expected: E T*
//   ATOMIC_FETCH(S, T, operation, p, value, order, scope)   add sub or xor and min max
// Orders and scopes need not be constants. Without an order they are sequentially consistent, without a scope the device's.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define ATOMIC_DEFAULT memory_order_seq_cst, memory_scope_device

#define ATOMIC_ACCESSES(S, T)                                                                                          \
  ATOMIC_OVER void atomic_init(volatile S atomic_##T* p, T value) {                                                    \
    ATOMIC_STORE(S, T, p, value, memory_order_relaxed, memory_scope_work_group);                                       \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_load_explicit(volatile S atomic_##T* p, memory_order order, memory_scope scope) {               \
    return ATOMIC_LOAD(S, T, p, order, scope);                                                                         \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_store_explicit(volatile S atomic_##T* p, T value, memory_order order, memory_scope scope) {  \
    ATOMIC_STORE(S, T, p, value, order, scope);                                                                        \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_exchange_explicit(volatile S atomic_##T* p, T value, memory_order order, memory_scope scope) {  \
    return ATOMIC_EXCHANGE(S, T, p, value, order, scope);                                                              \
  }                                                                                                                    \
  ATOMIC_SHORT_ACCESSES(S, T)

// Floats move as the integers of their size.
#define ATOMIC_FLOAT_ACCESSES(S, T, I)                                                                                 \
  ATOMIC_OVER void atomic_init(volatile S atomic_##T* p, T value) {                                                    \
    atomic_init((volatile S atomic_##I*)p, as_##I(value));                                                             \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_load_explicit(volatile S atomic_##T* p, memory_order order, memory_scope scope) {               \
    return as_##T(atomic_load_explicit((volatile S atomic_##I*)p, order, scope));                                      \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_store_explicit(volatile S atomic_##T* p, T value, memory_order order, memory_scope scope) {  \
    atomic_store_explicit((volatile S atomic_##I*)p, as_##I(value), order, scope);                                     \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_exchange_explicit(volatile S atomic_##T* p, T value, memory_order order, memory_scope scope) {  \
    return as_##T(atomic_exchange_explicit((volatile S atomic_##I*)p, as_##I(value), order, scope));                   \
  }                                                                                                                    \
  ATOMIC_SHORT_ACCESSES(S, T)

#define ATOMIC_SHORT_ACCESSES(S, T)                                                                                    \
  ATOMIC_OVER T atomic_load_explicit(volatile S atomic_##T* p, memory_order order) {                                   \
    return atomic_load_explicit(p, order, memory_scope_device);                                                        \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_load(volatile S atomic_##T* p) { return atomic_load_explicit(p, ATOMIC_DEFAULT); }              \
  ATOMIC_OVER void atomic_store_explicit(volatile S atomic_##T* p, T value, memory_order order) {                      \
    atomic_store_explicit(p, value, order, memory_scope_device);                                                       \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_store(volatile S atomic_##T* p, T value) {                                                   \
    atomic_store_explicit(p, value, ATOMIC_DEFAULT);                                                                   \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_exchange_explicit(volatile S atomic_##T* p, T value, memory_order order) {                      \
    return atomic_exchange_explicit(p, value, order, memory_scope_device);                                             \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_exchange(volatile S atomic_##T* p, T value) {                                                   \
    return atomic_exchange_explicit(p, value, ATOMIC_DEFAULT);                                                         \
  }

#define ATOMIC_EXPECTATIONS(S, E, T, strength)                                                                         \
  ATOMIC_OVER bool atomic_compare_exchange_##strength##_explicit(volatile S atomic_##T* p, E T* expected, T value,     \
                                                                 memory_order success, memory_order failure,           \
                                                                 memory_scope scope) {                                 \
    return ATOMIC_EXPECT(S, E, T, strength, p, expected, value, success, failure, scope);                              \
  }                                                                                                                    \
  ATOMIC_SHORT_EXPECTATIONS(S, E, T, strength)

#define ATOMIC_FLOAT_EXPECTATIONS(S, E, T, I, strength)                                                                \
  ATOMIC_OVER bool atomic_compare_exchange_##strength##_explicit(volatile S atomic_##T* p, E T* expected, T value,     \
                                                                 memory_order success, memory_order failure,           \
                                                                 memory_scope scope) {                                 \
    return atomic_compare_exchange_##strength##_explicit((volatile S atomic_##I*)p, (E I*)expected, as_##I(value),     \
                                                         success, failure, scope);                                     \
  }                                                                                                                    \
  ATOMIC_SHORT_EXPECTATIONS(S, E, T, strength)

#define ATOMIC_SHORT_EXPECTATIONS(S, E, T, strength)                                                                   \
  ATOMIC_OVER bool atomic_compare_exchange_##strength##_explicit(volatile S atomic_##T* p, E T* expected, T value,     \
                                                                 memory_order success, memory_order failure) {         \
    return atomic_compare_exchange_##strength##_explicit(p, expected, value, success, failure, memory_scope_device);   \
  }                                                                                                                    \
  ATOMIC_OVER bool atomic_compare_exchange_##strength(volatile S atomic_##T* p, E T* expected, T value) {              \
    return atomic_compare_exchange_##strength##_explicit(p, expected, value, memory_order_seq_cst, ATOMIC_DEFAULT);    \
  }

#define ATOMIC_ALL_EXPECTATIONS(S, E)                                                                                  \
  ATOMIC_EXPECTATIONS(S, E, int, strong) ATOMIC_EXPECTATIONS(S, E, int, weak)                                          \
  ATOMIC_EXPECTATIONS(S, E, uint, strong) ATOMIC_EXPECTATIONS(S, E, uint, weak)                                        \
  ATOMIC_EXPECTATIONS(S, E, long, strong) ATOMIC_EXPECTATIONS(S, E, long, weak)                                        \
  ATOMIC_EXPECTATIONS(S, E, ulong, strong) ATOMIC_EXPECTATIONS(S, E, ulong, weak)                                      \
  ATOMIC_FLOAT_EXPECTATIONS(S, E, float, int, strong) ATOMIC_FLOAT_EXPECTATIONS(S, E, float, int, weak)                \
  ATOMIC_FLOAT_EXPECTATIONS(S, E, double, long, strong) ATOMIC_FLOAT_EXPECTATIONS(S, E, double, long, weak)

// V: the operand's type; uintptr_t takes a ptrdiff_t, for one.
#define ATOMIC_FETCH_OF(S, T, V, operation)                                                                            \
  ATOMIC_OVER T atomic_fetch_##operation##_explicit(volatile S atomic_##T* p, V value, memory_order order,             \
                                                    memory_scope scope) {                                              \
    return ATOMIC_FETCH(S, T, operation, p, (T)value, order, scope);                                                   \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_fetch_##operation##_explicit(volatile S atomic_##T* p, V value, memory_order order) {           \
    return ATOMIC_FETCH(S, T, operation, p, (T)value, order, memory_scope_device);                                     \
  }                                                                                                                    \
  ATOMIC_OVER T atomic_fetch_##operation(volatile S atomic_##T* p, V value) {                                          \
    return ATOMIC_FETCH(S, T, operation, p, (T)value, memory_order_seq_cst, memory_scope_device);                      \
  }
#define ATOMIC_FETCHES(S, T, V)                                                                                        \
  ATOMIC_FETCH_OF(S, T, V, add) ATOMIC_FETCH_OF(S, T, V, sub) ATOMIC_FETCH_OF(S, T, V, or)                             \
  ATOMIC_FETCH_OF(S, T, V, xor) ATOMIC_FETCH_OF(S, T, V, and) ATOMIC_FETCH_OF(S, T, V, min)                            \
  ATOMIC_FETCH_OF(S, T, V, max)

#define ATOMIC_FLAGS(S)                                                                                                \
  ATOMIC_OVER bool atomic_flag_test_and_set_explicit(volatile S atomic_flag* p, memory_order order,                    \
                                                     memory_scope scope) {                                             \
    return ATOMIC_EXCHANGE(S, int, p, 1, order, scope) != 0;                                                           \
  }                                                                                                                    \
  ATOMIC_OVER bool atomic_flag_test_and_set_explicit(volatile S atomic_flag* p, memory_order order) {                  \
    return atomic_flag_test_and_set_explicit(p, order, memory_scope_device);                                           \
  }                                                                                                                    \
  ATOMIC_OVER bool atomic_flag_test_and_set(volatile S atomic_flag* p) {                                               \
    return atomic_flag_test_and_set_explicit(p, ATOMIC_DEFAULT);                                                       \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_flag_clear_explicit(volatile S atomic_flag* p, memory_order order, memory_scope scope) {     \
    ATOMIC_STORE(S, int, p, 0, order, scope);                                                                          \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_flag_clear_explicit(volatile S atomic_flag* p, memory_order order) {                         \
    atomic_flag_clear_explicit(p, order, memory_scope_device);                                                         \
  }                                                                                                                    \
  ATOMIC_OVER void atomic_flag_clear(volatile S atomic_flag* p) { atomic_flag_clear_explicit(p, ATOMIC_DEFAULT); }

// All but the comparisons, which name the address space of what is expected as well.
#define ATOMICS(S)                                                                                                     \
  ATOMIC_ACCESSES(S, int) ATOMIC_ACCESSES(S, uint) ATOMIC_ACCESSES(S, long) ATOMIC_ACCESSES(S, ulong)                  \
  ATOMIC_FLOAT_ACCESSES(S, float, int) ATOMIC_FLOAT_ACCESSES(S, double, long)                                          \
  ATOMIC_FETCHES(S, int, int) ATOMIC_FETCHES(S, uint, uint) ATOMIC_FETCHES(S, long, long)                              \
  ATOMIC_FETCHES(S, ulong, ulong) ATOMIC_FETCHES(S, long, ulong) ATOMIC_FETCHES(S, ulong, long)                        \
  ATOMIC_FLAGS(S)
