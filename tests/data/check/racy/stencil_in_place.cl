// Each work-item reads its neighbours, of the next group too, while these write themselves.
// arg: a buffer float[258] ramp(0,1)
// launch: kernel=smooth global=256 local=64
// compare: a exact
__kernel void smooth(__global float* a) {
  uint i = get_global_id(0) + 1;
  float left = a[i - 1];  // race
  float right = a[i + 1];  // race
  a[i] = 0.5f * (left + right);  // race
}
