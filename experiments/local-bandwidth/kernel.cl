// Every work-item reads words of 4 KB of local memory on and on; their sum is stored at the end.
__kernel void words(__global uint* sink, int rounds, uint step) {
  __local uint data[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) data[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = get_local_id(0) & 63;
  uint sum = 0;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 16; ++j) sum += data[at + 32 * j];
    at = (at + 1) & 511;
  }
  sink[get_global_id(0)] = sum;
}

// An address for each word: a multiplication and a mask.
__kernel void words_addressed(__global uint* sink, int rounds, uint step) {
  __local uint data[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) data[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = (get_local_id(0) & 63) * 4;
  uint sum = 0;
  for (uint i = 0; i < (uint)rounds * 8; i += 8) {
#pragma unroll
    for (uint j = 0; j < 8; ++j)
      sum += *(__local const uint*)((__local const char*)data + (mad24(i + j, step, at) & 4095));
  }
  sink[get_global_id(0)] = sum;
}

__kernel void long_words_addressed(__global uint* sink, int rounds, uint step) {
  __local ulong data[512];
  for (uint i = get_local_id(0); i < 512; i += get_local_size(0)) data[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = (get_local_id(0) & 63) * 8;
  ulong folded = 0;
  for (uint i = 0; i < (uint)rounds * 4; i += 4) {
#pragma unroll
    for (uint j = 0; j < 4; ++j)
      folded ^= *(__local const ulong*)((__local const char*)data + (mad24(i + j, step, at) & 4095));
  }
  sink[get_global_id(0)] = (uint)folded ^ (uint)(folded >> 32);
}

// Words of 16 bytes.
__kernel void quads(__global uint* sink, int rounds, uint step) {
  __local uint4 data[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) data[i] = (uint4)(i);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = get_local_id(0) & 63;
  uint4 sum = 0;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += data[at + 16 * j];
    at = (at + 1) & 127;
  }
  sink[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
