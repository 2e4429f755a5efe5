// Atomics of global memory by how many lanes of a warp meet on one word, how many warps meet there, and whether the old value
// is used: together.py.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
typedef unsigned u32;

// Word of work-item i: (i / together) * apart, of `words`; `turns` times, a launch's work-items further on in each.
#define ATOMICS(NAME, TYPE, OPERATION, TOOK)                                                         \
  KERNEL NAME(TYPE* x, u32* out, u32 together, u32 apart, u32 words, u32 turns) {                    \
    const u32 i = GROUP * ITEMS + ITEM;                                                              \
    u32 sum = 0;                                                                                     \
    for (u32 k = 0; k < turns; ++k) {                                                                \
      const u32 at = (i / together + k * 977) * apart & (words - 1);                                 \
      OPERATION                                                                                      \
    }                                                                                                \
    TOOK                                                                                             \
  }
#define USED if (sum == 0x12345678) out[i] = sum;

ATOMICS(add_u32, u32, asm volatile("red.global.add.u32 [%0], %1;" : : "l"(x + at), "r"(i) : "memory");, )
ATOMICS(max_u32, u32, asm volatile("red.global.max.u32 [%0], %1;" : : "l"(x + at), "r"(i) : "memory");, )
ATOMICS(add_f32, float, asm volatile("red.global.add.f32 [%0], %1;" : : "l"(x + at), "f"(1.0f) : "memory");, )
ATOMICS(took_u32, u32, u32 old; asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(x + at), "r"(i) : "memory"); sum += old;, USED)
ATOMICS(took_f32, float, float old; asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(x + at), "f"(1.0f) : "memory");
        sum += (u32)old;, USED)
// One lane of each warp.
KERNEL lane_red(u32* x, u32* out, u32 together, u32 apart, u32 words, u32 turns) {
  const u32 i = (GROUP * ITEMS + ITEM) / 32;
  if ((ITEM & 31) != 0) return;
  for (u32 k = 0; k < turns; ++k)
    asm volatile("red.global.add.u32 [%0], %1;" : : "l"(x + ((i / together + k * 977) * apart & (words - 1))), "r"(i + 1) : "memory");
}
KERNEL lane_atom(u32* x, u32* out, u32 together, u32 apart, u32 words, u32 turns) {
  const u32 i = (GROUP * ITEMS + ITEM) / 32;
  u32 sum = 0;
  if ((ITEM & 31) != 0) return;
  for (u32 k = 0; k < turns; ++k) {
    u32 old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(x + ((i / together + k * 977) * apart & (words - 1))), "r"(i + 1) : "memory");
    sum += old;
  }
  if (sum == 0x12345678) out[i] = sum;
}

// Half of the warps' first lanes add to one word, half to another: as fast as one word alone where both lie in one slice.
KERNEL pair(u32* x, u32* out, u32 a, u32 b, u32 words, u32 turns) {
  const u32 i = (GROUP * ITEMS + ITEM) / 32;
  if ((ITEM & 31) != 0) return;
  const u32 at = (i & 1) != 0 ? a : b;
  for (u32 k = 0; k < turns; ++k) asm volatile("red.global.add.u32 [%0], %1;" : : "l"(x + at), "r"(i + 1) : "memory");
}
