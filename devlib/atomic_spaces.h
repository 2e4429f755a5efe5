// The address spaces over which both vendors' atomics are made by atomics.h: of the object, and of what a
// comparison expects.
// clang-format off
ATOMICS(__global)
ATOMICS(__local)
ATOMIC_ALL_EXPECTATIONS(__global, __global)
ATOMIC_ALL_EXPECTATIONS(__global, __local)
ATOMIC_ALL_EXPECTATIONS(__global, __private)
ATOMIC_ALL_EXPECTATIONS(__local, __global)
ATOMIC_ALL_EXPECTATIONS(__local, __local)
ATOMIC_ALL_EXPECTATIONS(__local, __private)
