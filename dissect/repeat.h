// Straight-line code of given lengths. Loops cost something themselves; of two kernels with bodies of
// different length, one subtracted from the other, nothing of the loop is left. SHORT(x) and LONG(x) are x 16
// and 48 times; REPEAT(x) is x as often as UNROLL says, a number up to 4095, times 8.
#define R8(x) x x x x x x x x
#define R16(x) R8(x) R8(x)
#define R32(x) R16(x) R16(x)
#define R64(x) R32(x) R32(x)
#define R128(x) R64(x) R64(x)
#define R256(x) R128(x) R128(x)
#define R512(x) R256(x) R256(x)
#define R1024(x) R512(x) R512(x)
#define R2048(x) R1024(x) R1024(x)
#define R4096(x) R2048(x) R2048(x)
#define R8192(x) R4096(x) R4096(x)
#define R16384(x) R8192(x) R8192(x)

#define SHORT(x) R16(x)
#define LONG(x) R16(x) R32(x)
#define NOT_UNROLLED _Pragma("unroll 1")

#ifdef UNROLL
#if UNROLL & 1
#define PART0(x) R8(x)
#else
#define PART0(x)
#endif
#if UNROLL & 2
#define PART1(x) R16(x)
#else
#define PART1(x)
#endif
#if UNROLL & 4
#define PART2(x) R32(x)
#else
#define PART2(x)
#endif
#if UNROLL & 8
#define PART3(x) R64(x)
#else
#define PART3(x)
#endif
#if UNROLL & 16
#define PART4(x) R128(x)
#else
#define PART4(x)
#endif
#if UNROLL & 32
#define PART5(x) R256(x)
#else
#define PART5(x)
#endif
#if UNROLL & 64
#define PART6(x) R512(x)
#else
#define PART6(x)
#endif
#if UNROLL & 128
#define PART7(x) R1024(x)
#else
#define PART7(x)
#endif
#if UNROLL & 256
#define PART8(x) R2048(x)
#else
#define PART8(x)
#endif
#if UNROLL & 512
#define PART9(x) R4096(x)
#else
#define PART9(x)
#endif
#if UNROLL & 1024
#define PART10(x) R8192(x)
#else
#define PART10(x)
#endif
#if UNROLL & 2048
#define PART11(x) R16384(x)
#else
#define PART11(x)
#endif
#define REPEAT(x) \
  PART0(x)        \
  PART1(x) PART2(x) PART3(x) PART4(x) PART5(x) PART6(x) PART7(x) PART8(x) PART9(x) PART10(x) PART11(x)
#endif
