// A radix-2 FFT of 256 complex points per group in local memory (twiddles by sincos), then its inverse.
// arg: a buffer float2[512] random(seed=861,min=-1,max=1)
// arg: spectrum buffer float2[512] zero
// arg: back buffer float2[512] zero
// arg: forward scalar float -1
// arg: inverse scalar float 1
// launch: kernel=fft global=256 local=128 args=a,spectrum,forward
// launch: kernel=fft global=256 local=128 args=spectrum,back,inverse
// compare: spectrum abs=2e-4
// compare: back abs=2e-5
__kernel void fft(__global const float2* in, __global float2* out, float direction) {
  __local float2 data[256];
  const int l = get_local_id(0);
  const int base = get_group_id(0) * 256;
  for (int k = l; k < 256; k += 128) {
    uint r = k;
    r = ((r & 0xaau) >> 1) | ((r & 0x55u) << 1);
    r = ((r & 0xccu) >> 2) | ((r & 0x33u) << 2);
    r = (r >> 4) | ((r & 15u) << 4);
    data[r] = in[base + k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 1; half_size < 256; half_size *= 2) {
    const int k = l & (half_size - 1);
    const int at = (l - k) * 2 + k;
    float c;
    const float s = sincos(direction * 3.14159265f * (float)k / (float)half_size, &c);
    const float2 u = data[at];
    const float2 v = data[at + half_size];
    const float2 t = (float2)(v.x * c - v.y * s, v.x * s + v.y * c);
    data[at] = u + t;
    data[at + half_size] = u - t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float factor = direction > 0.0f ? 1.0f / 256.0f : 1.0f;
  for (int k = l; k < 256; k += 128) {
    out[base + k] = data[k] * factor;
  }
}
