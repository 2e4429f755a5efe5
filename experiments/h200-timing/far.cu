// What atomics, loads and stores of the second level cost from each multiprocessor, by address: NAME(out, data, stride), a work-item a
// group; far.txt has what an H200 answers. out[17 * multiprocessor + a]: cycles of one of 32 dependent operations at data + a * stride words.
#define KERNEL extern "C" __attribute__((global)) void
typedef unsigned u32;
static __attribute__((device)) u32 clk() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
#define FAR(NAME, BODY) KERNEL NAME(u32* out, u32* data, u32 stride) { u32 smid; asm volatile("mov.u32 %0, %%smid;" : "=r"(smid)); \
  for (u32 a = 0; a < 16; ++a) { u32* p = data + a * stride; u32 v = 0, t0 = 0; for (u32 turn = 0; turn < 2; ++turn) { t0 = clk(); for (u32 k = 0; k < 32; ++k) { BODY } t0 = clk() - t0; } \
  out[smid * 17 + a] = t0 / 32; out[smid * 17 + 16] = v; } }
FAR(atom_add, asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(p + (v & 1)), "r"(0u) : "memory");)
FAR(load_gpu, asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p + (v & 1)) : "memory");)
FAR(load_cg, asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + (v & 1)) : "memory");)
FAR(store_load, asm volatile("st.relaxed.gpu.global.u32 [%1], %2; ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p + (v & 1)), "r"(0u) : "memory");)
