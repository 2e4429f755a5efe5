// cause: repeated_accesses
// groups: 256 512 1024
// groups hd530: 24 48 96
// mended rule hd530: dependence-chain
// mended rule hd5870: dependence-chain
// mended rule hd6970: dependence-chain
// groups hd5870: 80 160 320
// groups hd6970: 48 96 192
// local hd5870: 256
// local hd6970: 256
// local: 64
// arg: n=int:64
// arg: rate=float:0.5
// arg: step=float[256]:random
// arg: balance=float[$items]:random
// Each turn loads what the turn before has stored, and a step that this store might have changed.
__kernel void planted(int n, float rate, __global const float* step, __global float* balance) {
  const int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < n; ++k) {
    balance[i] = balance[i] * rate + step[l];  // here
  }
}

__kernel void mended(int n, float rate, __global const float* step, __global float* balance) {
  const int i = get_global_id(0), l = get_local_id(0);
  const float more = step[l];
  float own = balance[i];
  for (int k = 0; k < n; ++k) own = own * rate + more;
  balance[i] = own;
}
