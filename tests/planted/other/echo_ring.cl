// rule: integer-division
// mended rule: dependence-chain
// groups: 768
// groups hd530: 96
// local: 128
// arg: ring=float[5003]:random(seed=1,min=0,max=1)
// arg: out=float[$items]
// arg: length=int:5003
// arg: head=int:77
// arg: taps=int:16
// An echo of many taps out of a ring whose length is known at run time only: the reciprocal in front of the loop is of another line's remainder.
__kernel void planted(__global const float* ring, __global float* out, int length, int head, int taps) {
  const int i = get_global_id(0);
  float sum = 0, gain = 1;
  int place = (head + i) % length;
  for (int k = 0; k < taps; ++k) {
    sum += gain * ring[(place + 3 * k) % length];
    gain *= 0.9f;
  }
  out[i] = sum;
}

// Counted on.
__kernel void mended(__global const float* ring, __global float* out, int length, int head, int taps) {
  const int i = get_global_id(0);
  float sum = 0, gain = 1;
  int place = (head + i) % length;
  for (int k = 0; k < taps; ++k) {
    sum += gain * ring[place];
    gain *= 0.9f;
    place += 3;
    if (place >= length) place -= length;
  }
  out[i] = sum;
}
