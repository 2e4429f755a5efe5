// Local memory of arguments behind that of variables: sizes that are no multiples of each other, pointers of every alignment.
// arg: bytes local uchar[65]
// arg: quads local int4[64]
// arg: shorts local short[192]
// arg: out buffer int[128] zero
// launch: kernel=local_arguments global=128 local=64
// compare: out exact
__kernel void local_arguments(__local uchar* bytes, __local int4* quads, __local short* shorts, __global int* out) {
  __local int words[64];
  __local char three[3];
  const int l = get_local_id(0);
  bytes[l] = (uchar)(l * 5);
  quads[l] = (int4)(l, ~l, l << 8, l * 1001);
  for (int i = 0; i < 3; ++i) shorts[3 * l + i] = (short)(l * 300 + i);
  words[l] = l * l;
  if (l < 3) three[l] = (char)(l - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int n = (l * 7 + 3) & 63;
  out[get_global_id(0)] = bytes[n] + quads[63 - n].y + quads[n ^ 5].w + shorts[191 - n] * words[n] + three[n % 3];
}
