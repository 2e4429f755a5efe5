// rule: wave-starts
// groups: 8192
// groups h200: 65536
// mended groups h200: 4096
// mended groups: 512
// local: 64
// arg: out=float[$items*16]
// Waves that do next to nothing: starting them takes longest.
__kernel void planted(__global float* out) {
  out[get_global_id(0)] = 1;
}

__kernel void mended(__global float* out) {
  const int i = get_global_id(0), all = get_global_size(0);
  for (int k = 0; k < 16; ++k) out[k * all + i] = 1;
}
