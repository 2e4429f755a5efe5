// C11 atomics of OpenCL C 3.0 over global and local memory, with orders and scopes: counters, extrema, a lock made of a
// flag, a hand-over of plain data by release and acquire, and exchanges that succeed and fail.
// options: -cl-std=CL3.0
// needs: int64_atomics
// arg: values buffer int[256] random(seed=811,min=-1000,max=1000)
// arg: counts buffer int[16] zero
// arg: wide buffer long[4] zero
// arg: groups buffer int[64] zero
// arg: real buffer float[4] values(1.5,0,0,0)
// arg: parts buffer int[8] zero
// launch: kernel=count global=256 local=32
// launch: kernel=exchange global=1 local=1
// compare: counts exact
// compare: wide exact
// compare: groups exact
// compare: real exact
// compare: parts exact
__kernel void count(__global const int* values, __global atomic_int* counts, __global atomic_long* wide,
                    __global int* groups, __global atomic_float* real, __global int* parts) {
  __local atomic_int sum, least;
  __local atomic_uint bits;
  __local atomic_flag own;
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  if (l == 0) {
    atomic_init(&sum, 0);
    atomic_init(&least, INT_MAX);
    atomic_init(&bits, 0xffffffffu);
    atomic_flag_clear_explicit(&own, memory_order_relaxed, memory_scope_work_group);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int v = values[i];
  atomic_fetch_add_explicit(&sum, v, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_min_explicit(&least, v, memory_order_acq_rel, memory_scope_work_group);
  atomic_fetch_and_explicit(&bits, ~(1u << (v & 31)), memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_or_explicit(&counts[1], 1 << (v & 15), memory_order_relaxed, memory_scope_device);
  atomic_fetch_xor(&counts[2], v);
  atomic_fetch_sub(&counts[3], v);
  atomic_fetch_max_explicit(&wide[0], (long)v * 0x100000000l, memory_order_relaxed, memory_scope_device);
  atomic_fetch_add(&wide[1], (long)v << 20);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l != 0) return;
  groups[g * 4] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);
  groups[g * 4 + 1] = atomic_load_explicit(&least, memory_order_acquire, memory_scope_work_group);
  groups[g * 4 + 2] = (int)atomic_load(&bits);
  // Groups one after the other: whoever has the flag.
  __global atomic_flag* const taken = &counts[14];
  while (atomic_flag_test_and_set_explicit(taken, memory_order_acquire, memory_scope_device)) {
  }
  groups[63] += groups[g * 4] & 7;
  atomic_flag_clear_explicit(taken, memory_order_release, memory_scope_device);
  groups[g * 4 + 3] = atomic_flag_test_and_set(&own) ? -1 : atomic_flag_test_and_set(&own) ? 1 : -2;
  // The last group adds what the others handed over.
  parts[g] = groups[g * 4];
  if (atomic_fetch_add_explicit(&counts[4], 1, memory_order_acq_rel, memory_scope_device) == (int)get_num_groups(0) - 1) {
    int all = 0;
    for (uint k = 0; k < get_num_groups(0); ++k) all += parts[k];
    atomic_store_explicit(&counts[5], all, memory_order_release, memory_scope_device);
  }
}
__kernel void exchange(__global const int* values, __global atomic_int* counts, __global atomic_long* wide,
                       __global int* groups, __global atomic_float* real, __global int* parts) {
  __local atomic_uint place;
  int expected = 8;
  counts += 6;
  atomic_store(&counts[0], 7);
  atomic_store(&counts[1], atomic_compare_exchange_strong(&counts[0], &expected, 100));
  atomic_store(&counts[2], expected);
  atomic_store(&counts[3], atomic_compare_exchange_strong_explicit(&counts[0], &expected, 200, memory_order_acq_rel,
                                                                   memory_order_relaxed, memory_scope_device));
  uint seen = 41;
  atomic_init(&place, 42);
  while (!atomic_compare_exchange_weak(&place, &seen, 43)) {
  }
  atomic_store(&counts[4], (int)seen);
  atomic_store(&counts[5], (int)atomic_exchange_explicit(&place, 44, memory_order_seq_cst, memory_scope_device));
  atomic_store(&counts[6], (int)atomic_fetch_add(&place, 2));
  atomic_store(&wide[2], atomic_exchange(&wide[1], 5) ^ 0x123456789abcdefl);
  atomic_store(&real[1], atomic_exchange(&real[0], 2.5f));
  float was = 2.5f;
  atomic_store(&real[2], atomic_compare_exchange_strong(&real[0], &was, -0.5f) ? 1.0f : -1.0f);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  atomic_store(&real[3], atomic_load(&real[0]));
}
