// vload and vstore of every width and several types at unaligned element offsets.
// arg: c buffer char[1200] bits(seed=311)
// arg: s buffer short[1200] bits(seed=312)
// arg: f buffer float[1200] random(seed=313,min=-5,max=5)
// arg: l buffer long[1200] bits(seed=314)
// arg: oc buffer char[1300] zero
// arg: os buffer short[1200] zero
// arg: of buffer float[1200] zero
// arg: ol buffer long[1200] zero
// launch: kernel=vector_load_store global=64 local=64
// compare: oc exact
// compare: os exact
// compare: of exact
// compare: ol exact
__kernel void vector_load_store(__global const char* c, __global const short* s, __global const float* f,
                                __global const long* l, __global char* oc, __global short* os,
                                __global float* of, __global long* ol) {
  const int i = get_global_id(0);
  if (i < 58) {
    vstore3(vload3(i, c + 1).zyx, i, oc + 2);
  }
  vstore16(vload16(i, c + 3) ^ (char16)(85), i, oc + 176);
  vstore2(vload2(i, s + 1).yx, i, os + 1);
  vstore8(vload8(i, s + 5) + (short8)(1, 2, 3, 4, 5, 6, 7, 8), i, os + 200);
  vstore3(vload3(i, f + 2).yzx, i, of + 1);
  vstore4(vload4(i, f + 1) * 2.0f, i, of + 300);
  vstore8(vload8(i, f + 7).s76543210, i, of + 600);
  vstore2(vload2(i, l), i, ol + 1);
  vstore4(vload4(i, l + 1).wxyz, i, ol + 200);
  vstore3(vload3(i, l + 3), i, ol + 600);
}
