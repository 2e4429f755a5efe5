// What kernels that measure the second level and memory begin with.
#pragma once
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
#define GROUPS __nvvm_read_ptx_sreg_nctaid_x()
typedef unsigned u32;
typedef unsigned long long u64;

static __attribute__((device)) inline u32 load(const u32* at) {  // past the first level
  u32 value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}
static __attribute__((device)) inline u32 near(const u32* at) {  // by the first level
  u32 value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}
static __attribute__((device)) inline u32 load4(const u32* at) {
  u32 a, b, c, d;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
  return a ^ b ^ c ^ d;
}
static __attribute__((device)) inline void store4(u32* at, u32 x) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(x) : "memory");
}
static __attribute__((device)) inline u32 mix(u32 x) {
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 0x85ebca6bu;
  return x ^ x >> 13;
}
