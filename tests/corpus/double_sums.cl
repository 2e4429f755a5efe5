// Doubles: compensated summation, Horner's rule, and a long dependent chain; exact because nothing may be reordered.
// arg: a buffer double[4096] random(seed=251,min=-1,max=1)
// arg: out buffer double[768] zero
// launch: kernel=double_sums global=256 local=64
// compare: out exact
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void double_sums(__global const double* a, __global double* out) {
  const int i = get_global_id(0);
  double sum = 0.0;
  double lost = 0.0;
  double polynomial = 0.0;
  double chain = 1.0;
  for (int k = 0; k < 16; ++k) {
    const double term = a[k * 256 + i];
    const double corrected = term - lost;
    const double next = sum + corrected;
    lost = (next - sum) - corrected;
    sum = next;
    polynomial = polynomial * 0.75 + term;
    chain = chain * (1.0 + term * 0.125) - 0.0625 / chain;
  }
  out[i] = sum;
  out[i + 256] = polynomial;
  out[i + 512] = chain;
}
