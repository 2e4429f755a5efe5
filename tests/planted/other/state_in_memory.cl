// rule: repeated-accesses
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// groups hd5870: 80
// local: 64
// arg: n=int:96
// arg: a=float:0.75
// arg: state=float[$items*2]:random
// Each item's two values go on in memory from turn to turn.
__kernel void planted(int n, float a, __global float* state) {
  const int i = get_global_id(0), w = get_global_size(0);
  for (int k = 0; k < n; ++k) {
    state[i] = state[i] * a + state[w + i];
    state[w + i] = state[w + i] - a * state[i];
  }
}
__kernel void mended(int n, float a, __global float* state) {
  const int i = get_global_id(0), w = get_global_size(0);
  float x = state[i], v = state[w + i];
  for (int k = 0; k < n; ++k) {
    x = x * a + v;
    v = v - a * x;
  }
  state[i] = x;
  state[w + i] = v;
}
