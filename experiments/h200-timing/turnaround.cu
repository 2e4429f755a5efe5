// How soon a group follows another one on a multiprocessor: turnaround.py. A group's first wave notes the multiprocessor's
// clock at its begin and its end.
#define KERNEL extern "C" __attribute__((global)) void
#define ITEM __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define ITEMS __nvvm_read_ptx_sreg_ntid_x()
typedef unsigned u32;
#define LOCAL __attribute__((address_space(3)))

#define CLOCK(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x) : : "memory")
#define NOTE(out, begin, end)                                      \
  if (ITEM == 0) {                                                 \
    u32 place;                                                     \
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place) : : "memory"); \
    out[3 * GROUP] = begin;                                        \
    out[3 * GROUP + 1] = end;                                      \
    out[3 * GROUP + 2] = place;                                    \
  }

// Each wave waits so many cycles; local memory, given with the launch, holds other groups off.
KERNEL spin(u32* out, u32 cycles) {
  u32 begin, end;
  CLOCK(begin);
  do {
    CLOCK(end);
  } while (end - begin < cycles);
  NOTE(out, begin, end)
}

KERNEL spin_local(u32* out, u32 cycles, LOCAL u32* local) {
  u32 begin, end;
  CLOCK(begin);
  do {
    CLOCK(end);
  } while (end - begin < cycles);
  if (cycles == 0xffffffff) out[0] = *(volatile LOCAL u32*)local;
  NOTE(out, begin, end)
}

// As spin_local, but noted at the begin: nothing is on its way to memory at the end.
KERNEL spin_early(u32* out, u32 cycles, LOCAL u32* local) {
  u32 begin, end;
  CLOCK(begin);
  NOTE(out, begin, begin + cycles)
  do {
    CLOCK(end);
  } while (end - begin < cycles);
  if (cycles == 0xffffffff) out[0] = *(volatile LOCAL u32*)local;
}

// y = a * x + y, a word of each work-item.
KERNEL stream(u32* out, const float* x, float* y, float a) {
  u32 begin, end;
  CLOCK(begin);
  const u32 i = GROUP * ITEMS + ITEM;
  y[i] = a * x[i] + y[i];
  CLOCK(end);
  NOTE(out, begin, end)
}

// A sum of so many words of each work-item, ITEMS words apart, of the group's own part.
KERNEL read(u32* out, const float* x, float* y, u32 words) {
  u32 begin, end;
  CLOCK(begin);
  const float* from = x + (unsigned long long)GROUP * ITEMS * words + ITEM;
  float sum = 0;
  for (u32 k = 0; k < words; ++k) sum += from[k * ITEMS];
  if (sum == -1) y[0] = sum;
  CLOCK(end);
  NOTE(out, begin, end)
}
