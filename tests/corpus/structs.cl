// Structures and unions in global memory: nested, packed, with padding, arrays of them; reinterpretation through a union.
// arg: raw buffer uint[1024] bits(seed=721)
// arg: out buffer uint[512] zero
// arg: packed buffer uchar[832] zero
// launch: kernel=structs global=64 local=64
// compare: out exact
// compare: packed exact
typedef struct {
  short a;
  uchar b;
  int c;
} Inner;
typedef struct {
  Inner inner[2];
  uint4 v;
  ulong l;
  uchar tail[5];
} Outer;
typedef struct __attribute__((packed)) {
  uchar kind;
  uint value;
  ushort check;
  uchar rest[6];
} Packed;
typedef union {
  uint word;
  struct {
    uchar r, g, b, a;
  } colour;
  float real;
} Mixed;
__kernel void structs(__global const uint* raw, __global uint* out, __global Packed* packed) {
  const int i = get_global_id(0);
  __global const Outer* items = (__global const Outer*)raw;
  Outer x = items[i];
  x.inner[i & 1].c += x.inner[1].a * x.inner[0].b;
  x.v.s3 = x.v.s0 ^ (uint)x.l;
  x.tail[i % 5] = 1;
  Mixed m;
  m.word = x.v.y;
  m.colour.g = m.colour.b + m.colour.r;
  const uint word = m.word;
  m.real = (float)(word & 0xffffff);
  __global uint* o = out + i * 8;
  o[0] = (uint)x.inner[0].c;
  o[1] = (uint)x.inner[1].c;
  o[2] = x.v.s3;
  o[3] = (uint)(x.l >> 32) + x.tail[0] + x.tail[4] * 256u;
  o[4] = word;
  o[5] = m.word;
  o[6] = sizeof(Outer) + sizeof(Packed) * 1000u;
  o[7] = (uint)((ushort)x.inner[0].a) + x.inner[1].b;
  packed[i].kind = (uchar)x.v.z;
  packed[i].value = x.v.w;
  packed[i].check = (ushort)x.v.x;
  for (int k = 0; k < 6; ++k) {
    packed[i].rest[k] = x.tail[k % 5] + k;
  }
}
