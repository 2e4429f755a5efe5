// cause: instruction_fetch
// groups: 64 96 128
// groups hd530: 24 64 64
// local: 64
// line: any
// arg: n=int:4
// arg: out=uint[$items]
#define ONE(i)           \
  t = x;                 \
  x = (x ^ i##77u) + y;  \
  y = (y ^ i##55u) + z;  \
  z = (z ^ i##33u) + w;  \
  w = (w ^ i##11u) + t;
#define TEN(i) ONE(i##0) ONE(i##1) ONE(i##2) ONE(i##3) ONE(i##4) ONE(i##5) ONE(i##6) ONE(i##7) ONE(i##8) ONE(i##9)
#define TWENTY(i) TEN(i##0) TEN(i##1)
#define HUNDRED(i) TEN(i##0) TEN(i##1) TEN(i##2) TEN(i##3) TEN(i##4) TEN(i##5) TEN(i##6) TEN(i##7) TEN(i##8) TEN(i##9)
#define THOUSAND(i) \
  HUNDRED(i##0) HUNDRED(i##1) HUNDRED(i##2) HUNDRED(i##3) HUNDRED(i##4) \
  HUNDRED(i##5) HUNDRED(i##6) HUNDRED(i##7) HUNDRED(i##8) HUNDRED(i##9)
__kernel void planted(int n, __global uint* out) {
  uint x = get_global_id(0), y = n, z = 1, w = 2, t;
  for (int k = 0; k < n; ++k) {
    THOUSAND(1)
  }
  out[get_global_id(0)] = x + y + z + w;
}

__kernel void mended(int n, __global uint* out) {
  uint x = get_global_id(0), y = n, z = 1, w = 2, t;
  for (int k = 0; k < n * 50; ++k) {
    TWENTY(1)
  }
  out[get_global_id(0)] = x + y + z + w;
}
