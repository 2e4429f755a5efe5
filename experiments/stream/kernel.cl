// One double for each work-item. Local memory that is never used keeps two groups in a compute unit, as in the source.
#define KERNEL(NAME, BODY)                                                                                    \
  __kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void NAME(                                       \
      __global double* restrict to, __global const double* restrict from, __global const double* restrict from_too, \
      int never) {                                                                                            \
    __local double spoiler[4096];                                                                             \
    const size_t i = get_global_id(0);                                                                        \
    if (never) spoiler[get_local_id(0)] = from[get_local_id(0)];                                              \
    BODY                                                                                                      \
    if (never) to[i] = spoiler[i];                                                                            \
  }

KERNEL(fill, to[i] = 0.23;)
KERNEL(sum, const double read = from[i]; if (never || read == 123.0) to[i] = read + spoiler[i];)
KERNEL(scale, to[i] = from[i] * 1.2;)
KERNEL(triad, to[i] = from[i] * 1.2 + from_too[i];)
