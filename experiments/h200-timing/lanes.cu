// What loads cost whose lanes lie apart: each lane reads BYTES of its own by words of WIDTH; one word every so many bytes; random words.
// Compiled as workloads.cu is (workloads.py).
#include "memory_kernels.h"

#define DEVICE static __attribute__((device)) inline

template <int WIDTH>
DEVICE u32 word(const char* p) {
  u32 a = 0, b = 0, c = 0, d = 0;
  if (WIDTH == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(p));
  if (WIDTH == 8) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p));
  if (WIDTH == 16) asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p));
  return a ^ b ^ c ^ d;
}
DEVICE u32 item() { return GROUP * 256 + ITEM; }
DEVICE void keep(u32* out, u32 sum) {
  if (sum == 0x12345677) out[item()] = sum;
}

template <int WIDTH, int BYTES>
DEVICE void each(u32* out, const char* in, u32 turns) {
  u32 sum = 0;
  const char* p = in + (u64)item() * BYTES;
#pragma unroll 1
  for (u32 t = 0; t < turns; ++t) {
#pragma unroll
    for (int k = 0; k < BYTES / WIDTH; ++k) sum ^= word<WIDTH>(p + k * WIDTH);
    p += (u64)GROUPS * 256 * BYTES;
  }
  keep(out, sum);
}
#define EACH(WIDTH, BYTES) KERNEL each_##WIDTH##_##BYTES(u32* out, const char* in, u32 turns) { each<WIDTH, BYTES>(out, in, turns); }
EACH(4, 4)
EACH(16, 16)
EACH(4, 32)
EACH(8, 32)
EACH(16, 32)
EACH(4, 64)
EACH(8, 64)
EACH(16, 64)
EACH(4, 128)
EACH(8, 128)
EACH(16, 128)

KERNEL touch(u32* out, const char* in, u32 stride, u32 offset, u32 turns) {
  u32 sum = 0;
  const char* p = in + (u64)item() * stride + offset;
#pragma unroll 4
  for (u32 t = 0; t < turns; ++t) {
    sum ^= word<4>(p);
    p += (u64)GROUPS * 256 * stride;
  }
  keep(out, sum);
}

KERNEL random_words(u32* out, const char* in, u32 mask, u32 turns) {
  u32 sum = 0, h = item() * 2654435761u;
#pragma unroll 4
  for (u32 t = 0; t < turns; ++t) {
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h += 0x9e3779b9u;
    sum ^= word<4>(in + ((u64)(h & mask) << 2));
  }
  keep(out, sum);
}
