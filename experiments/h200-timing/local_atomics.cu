// How fast atomics of local memory go by how their lanes' words lie: local_atomics.py.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define BARRIER __syncthreads()
typedef unsigned u32;
__attribute__((shared)) static u32 words[12288];

#define CLOCK(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x) : : "memory")
#define BODY(name, ...)                                                                           \
  KERNEL name(u32* out, u32 stride, u32 mask, u32 own, u32 hash) {                                \
    const u32 lane = ITEM & 31, warp = ITEM >> 5;                                                 \
    u32 at = ((hash ? (ITEM * 2654435761u) >> 16 : lane * stride) & mask) + warp * own, sum = 0;  \
    for (u32 i = ITEM; i < 12288; i += __nvvm_read_ptx_sreg_ntid_x()) words[i] = 0;               \
    u32 address;                                                                                  \
    address = (u32)(unsigned long long)(__attribute__((address_space(3))) u32*)words;             \
    address += at * 4;                                                                            \
    BARRIER;                                                                                      \
    u32 begin, end;                                                                               \
    CLOCK(begin);                                                                                 \
    _Pragma("nounroll") for (u32 k = 0; k < 32; ++k) {                                            \
      _Pragma("unroll") for (u32 j = 0; j < 8; ++j) { __VA_ARGS__ }                               \
    }                                                                                             \
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(mask) : "r"(address) : "memory");               \
    sum += mask;                                                                                  \
    asm volatile("" : "+r"(sum));                                                                 \
    CLOCK(end);                                                                                   \
    BARRIER;                                                                                      \
    if (lane == 0) out[warp] = end - begin;                                                       \
    out[1024 + ITEM] = sum;                                                                       \
  }
BODY(count, asm volatile("{ .reg .u32 t; atom.shared.add.u32 t, [%0], 1; }" : : "r"(address) : "memory");)
BODY(add, asm volatile("{ .reg .u32 t; atom.shared.add.u32 t, [%0], %1; }" : : "r"(address), "r"(stride) : "memory");)
BODY(add_returns, u32 t; asm volatile("atom.shared.add.u32 %0, [%1], 3;" : "=r"(t) : "r"(address) : "memory"); sum += t;)
BODY(smaller, asm volatile("{ .reg .u32 t; atom.shared.min.u32 t, [%0], %1; }" : : "r"(address), "r"(stride) : "memory");)
BODY(swap, u32 t; asm volatile("atom.shared.cas.b32 %0, [%1], %2, 7;" : "=r"(t) : "r"(address), "r"(sum) : "memory"); sum += t;)
BODY(load, u32 t; asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(t) : "r"(address) : "memory"); sum += t;)
BODY(store, asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(address), "r"(stride) : "memory");)
BODY(add_float, asm volatile("{ .reg .f32 t; atom.shared.add.f32 t, [%0], 0f3F800000; }" : : "r"(address) : "memory");)
BODY(add_float_returns, float t; asm volatile("atom.shared.add.f32 %0, [%1], 0f3F800000;" : "=f"(t) : "r"(address) : "memory"); sum += __builtin_bit_cast(u32, t);)
