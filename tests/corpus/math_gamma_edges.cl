// The logarithm of gamma of small negative numbers, whose square is none, and of infinities.
// arg: a buffer float[16] values(-0x1p-20,-0x1p-58,-0x1p-62,-0x1p-66,-0x1p-68,-0x1p-72,-0x1p-100,0x1p-68,0x1p-100,inf,-inf,nan,1,2,0.5,-0.5)
// arg: out buffer float[48] zero
// launch: kernel=math_gamma_edges global=16 local=16
// compare: out rel=2e-5 abs=2e-6
__kernel void math_gamma_edges(__global const float* a, __global float* out) {
  const int i = get_global_id(0);
  out[i] = lgamma(a[i]);
  vstore2(lgamma((float2)(a[i], a[i ^ 3])), i, out + 16);
}
