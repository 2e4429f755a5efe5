// rule: partial-waves
// gain v100: least
// groups: 2048
// local: 12
// mended local: 192
// arg: a=float:0.5
// arg: out=float[$items]
// Groups as small as the problem's own blocks of twelve.
__kernel void planted(float a, __global float* out) {
  float x = get_global_id(0), y = 1;
  for (int i = 0; i < 200; ++i) {
    x = x * a + i;
    y = y * x + a;
  }
  out[get_global_id(0)] = x + y;
}

// Sixteen blocks in a group. (And a sixteenth of the groups to start, which the estimate leaves out.)
__kernel void mended(float a, __global float* out) {
  float x = get_global_id(0), y = 1;
  for (int i = 0; i < 200; ++i) {
    x = x * a + i;
    y = y * x + a;
  }
  out[get_global_id(0)] = x + y;
}
