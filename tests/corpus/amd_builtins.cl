// The machine's own bit and float instructions through compiler builtins: fields, alignment, sums of absolute
// differences, byte permutation, median, fraction, classes.
// arg: a buffer uint[256] bits(seed=1131)
// arg: b buffer uint[256] bits(seed=1132)
// arg: c buffer uint[256] bits(seed=1133)
// arg: f buffer float[256] random(seed=1134,min=-9,max=9)
// arg: out buffer uint[3328] zero
// arg: g buffer float[1024] zero
// launch: kernel=amd_builtins global=256 local=64
// compare: out exact
// compare: g exact
// needs: amdgcn
// witness: reference
__kernel void amd_builtins(__global const uint* a, __global const uint* b, __global const uint* c,
                           __global const float* f, __global uint* out, __global float* g) {
  const int i = get_global_id(0);
  const uint x = a[i];
  const uint y = b[i];
  const uint z = c[i];
  __global uint* o = out + i;
  o[0] = __builtin_amdgcn_ubfe(x, y & 31u, z & 31u);
  o[256] = (uint)__builtin_amdgcn_sbfe((int)x, y & 31u, z & 31u);
  o[512] = __builtin_amdgcn_alignbit(x, y, z);
  o[768] = __builtin_amdgcn_alignbyte(x, y, z);
  o[1024] = __builtin_amdgcn_perm(x, y, z & 0x07070707u);
  o[1280] = __builtin_amdgcn_sad_u8(x, y, z);
  o[1536] = __builtin_amdgcn_sad_u16(x, y, z);
  o[1792] = __builtin_amdgcn_msad_u8(x, y, z);
  o[2048] = __builtin_amdgcn_lerp(x, y, z);
  o[2304] = __builtin_amdgcn_sad_hi_u8(x, y, z);
  o[2560] = __builtin_amdgcn_classf(as_float(x), 0x008) |
            __builtin_amdgcn_classf(as_float(z & 0x807fffffu), 0x010) << 1;
  o[2816] = __builtin_amdgcn_cvt_pk_u8_f32((float)(z >> 24), y & 3u, x);
  o[3072] = __builtin_bitreverse32(x);
  const float p = f[i];
  const float q = f[(i + 1) & 255];
  const float r = f[(i + 2) & 255];
  g[i] = __builtin_amdgcn_fmed3f(p, q, r);
  g[i + 256] = __builtin_amdgcn_fractf(p);
  g[i + 512] = __builtin_amdgcn_frexp_mantf(q);
  g[i + 768] = (float)__builtin_amdgcn_frexp_expf(r);
}
