// rule: doubles
// gain hd530: least
// groups: 512
// local: 256
// arg: a=float:0.5
// arg: out=float[$items]
// Literals without an f: all of it in doubles. (Of which Intel's compiler makes 8.5 times as many instructions, not only slower ones.)
__kernel void planted(float a, __global float* out) {
  float x = get_global_id(0) * 1e-3f, y = 1;
  for (int i = 0; i < 32; ++i) {
    x = x * a + 0.1;
    y = y * 0.99 + x;
  }
  out[get_global_id(0)] = x + y;
}

__kernel void mended(float a, __global float* out) {
  float x = get_global_id(0) * 1e-3f, y = 1;
  for (int i = 0; i < 32; ++i) {
    x = x * a + 0.1f;
    y = y * 0.99f + x;
  }
  out[get_global_id(0)] = x + y;
}
