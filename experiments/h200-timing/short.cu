// Where the time of launches of few microseconds goes: short.py.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
typedef unsigned u32;
#define CLOCK(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x) : : "memory")

// Only a parameter is read.
KERNEL parameter(u32* out, const u32* x, u32 n) {
  if (n == 0xFFFFFFFF) out[ITEM] = 1;
}

KERNEL store(u32* out, const u32* x, u32 n) {
  out[GROUP * ITEMS + ITEM] = n;
}

// What is loaded reaches no store.
KERNEL load(u32* out, const u32* x, u32 n) {
  if (x[GROUP * ITEMS + ITEM] == n) out[ITEM] = 1;
}

KERNEL copy(u32* out, const u32* x, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  out[i] = x[i] + n;
}

// N loads, each of what the one before found (x: index), and a store.
template <int N>
__attribute__((device)) inline void hops(u32* out, const u32* x, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 at = i;
#pragma unroll
  for (int k = 0; k < N; ++k) at = x[at ^ n];
  out[i] = at;
}
KERNEL hops2(u32* out, const u32* x, u32 n) { hops<2>(out, x, n); }
KERNEL hops3(u32* out, const u32* x, u32 n) { hops<3>(out, x, n); }
KERNEL hops5(u32* out, const u32* x, u32 n) { hops<5>(out, x, n); }
KERNEL hops9(u32* out, const u32* x, u32 n) { hops<9>(out, x, n); }

// The same where every load has a page of its own.
KERNEL far3(u32* out, const u32* x, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 at = i;
#pragma unroll
  for (int k = 0; k < 3; ++k) at = x[at + k * n] - k * n;
  out[i] = at;
}

// N multiply-adds behind each other, as straight code.
template <int N>
__attribute__((device)) inline void adds(float* out, float a) {
  float v = ITEM;
#pragma unroll
  for (int k = 0; k < N; ++k) v = v * a + a;
  out[GROUP * ITEMS + ITEM] = v;
}
KERNEL adds32(float* out, float a) { adds<32>(out, a); }
KERNEL adds128(float* out, float a) { adds<128>(out, a); }
KERNEL adds512(float* out, float a) { adds<512>(out, a); }
// As many by a loop.
KERNEL loop128(float* out, float a, u32 n) {
  float v = ITEM;
#pragma unroll 1
  for (u32 k = 0; k < n; ++k) {
    v = v * a + a;
    v = v * a + a;
    v = v * a + a;
    v = v * a + a;
  }
  out[GROUP * ITEMS + ITEM] = v;
}

// Local memory and barriers.
__attribute__((shared)) u32 tile[1024];
KERNEL barriers4(u32* out, const u32* x, u32 n) {
  const u32 i = GROUP * ITEMS + ITEM;
  u32 v = n;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    tile[ITEM] = v;
    __syncthreads();
    v += tile[ITEM ^ 32];
    __syncthreads();
  }
  out[i] = v;
}

// When a group's first wave begins and ends, by the device's clock of nanoseconds and its multiprocessor's.
KERNEL stamps(unsigned long long* out, const u32* x, u32 n) {
  unsigned long long begin, end;
  u32 from, to;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) : : "memory");
  asm volatile("mov.u32 %0, %%clock;" : "=r"(from) : : "memory");
  u32 at = GROUP * ITEMS + ITEM;
  for (int k = 0; k < 3; ++k) at = x[at ^ n];
  if (at == 0x80000001) return;  // no place has it; the branch waits for the load
  CLOCK(to);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end) : : "memory");
  if (ITEM == 0) {
    out[4 * GROUP] = begin;
    out[4 * GROUP + 1] = end;
    out[4 * GROUP + 2] = to - from;
    out[4 * GROUP + 3] = at;
  }
}

KERNEL nothing(u32* out) {
}

// Eight loads one after the other, `stride` words apart: how long each takes, code and translations cold for the first alone.
KERNEL steps(u32* out, const u32* x, u32 stride, u32 apart) {
  u32 at = GROUP * apart + (ITEM & 31), v = 0, from, to;
#pragma unroll 1
  for (u32 k = 0; k < 8; ++k) {
    CLOCK(from);
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(x + at + (v & 1)) : "memory");
    if (v == 0x80000001) return;  // no place has it; the branch waits for the load
    CLOCK(to);
    if (ITEM == 0) out[8 * GROUP + k] = to - from;
    at += stride;
  }
}

// Only the first groups store, or load.
KERNEL some_store(u32* out, const u32* x, u32 n) {
  if (GROUP < n) out[GROUP * ITEMS + ITEM] = n;
}
KERNEL some_load(u32* out, const u32* x, u32 n) {
  if (GROUP < n && x[GROUP * ITEMS + ITEM] == 0xFFFFFFFF) out[ITEM] = 1;
}
// All wait `n` cycles; nothing is stored.
KERNEL wait(u32* out, const u32* x, u32 n) {
  u32 from, to;
  CLOCK(from);
  do {
    CLOCK(to);
  } while (to - from < n);
  if (to == from) out[ITEM] = 1;
}
// The same, then a store.
KERNEL wait_store(u32* out, const u32* x, u32 n) {
  u32 from, to;
  CLOCK(from);
  do {
    CLOCK(to);
  } while (to - from < n);
  out[GROUP * ITEMS + ITEM] = n;
}
// The store first.
KERNEL store_wait(u32* out, const u32* x, u32 n) {
  u32 from, to;
  out[GROUP * ITEMS + ITEM] = n;
  CLOCK(from);
  do {
    CLOCK(to);
  } while (to - from < n);
  if (to == from) out[ITEM] = 1;
}
