// upsample for every width, and the extracts that undo it.
// arg: a buffer int[256] bits(seed=31)
// arg: b buffer int[256] bits(seed=32)
// arg: s16 buffer short[256] zero
// arg: u16 buffer ushort[256] zero
// arg: s32 buffer int[256] zero
// arg: u32 buffer uint[256] zero
// arg: s64 buffer long[256] zero
// arg: u64 buffer ulong[256] zero
// launch: kernel=int_upsample global=256 local=64
// compare: s16 exact
// compare: u16 exact
// compare: s32 exact
// compare: u32 exact
// compare: s64 exact
// compare: u64 exact
__kernel void int_upsample(__global const int* a, __global const int* b, __global short* s16,
                           __global ushort* u16, __global int* s32, __global uint* u32, __global long* s64,
                           __global ulong* u64) {
  const int i = get_global_id(0);
  s16[i] = upsample((char)a[i], (uchar)b[i]);
  u16[i] = upsample((uchar)a[i], (uchar)(b[i] >> 8));
  s32[i] = upsample((short)a[i], (ushort)b[i]);
  u32[i] = upsample((ushort)(a[i] >> 16), (ushort)(b[i] >> 3));
  s64[i] = upsample(a[i], (uint)b[i]);
  u64[i] = upsample((uint)b[i], (uint)a[i]);
}
