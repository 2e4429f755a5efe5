// What libclc's libraries for AMD's VLIW chips lack. Linked before libclc, whose functions it would replace.
#define OVER __attribute__((overloadable, always_inline))

// A work-item's loads and stores are made in their order, by one path to each memory.
OVER void mem_fence(cl_mem_fence_flags flags) {}
OVER void read_mem_fence(cl_mem_fence_flags flags) {}
OVER void write_mem_fence(cl_mem_fence_flags flags) {}

// Copies are done when async_work_group_copy comes back, for the work-item that made them: the others' need a barrier.
OVER void wait_group_events(int count, event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

#define MAD_HI_OF(T) \
  OVER T mad_hi(T a, T b, T c) { return (T)(mul_hi(a, b) + c); }
#define MAD_HI(T) \
  MAD_HI_OF(T) MAD_HI_OF(T##2) MAD_HI_OF(T##3) MAD_HI_OF(T##4) MAD_HI_OF(T##8) MAD_HI_OF(T##16)
MAD_HI(char)
MAD_HI(uchar)
MAD_HI(short)
MAD_HI(ushort)
MAD_HI(int)
MAD_HI(uint)
MAD_HI(long)
MAD_HI(ulong)
