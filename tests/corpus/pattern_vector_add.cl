// c = a + b with a bound that is no multiple of the group size.
// arg: a buffer float[1000] random(seed=801,min=-1,max=1)
// arg: b buffer float[1000] random(seed=802,min=-1,max=1)
// arg: c buffer float[1000] fill(-1)
// arg: n scalar int 990
// launch: kernel=vector_add global=1024 local=256
// compare: c exact
__kernel void vector_add(__global const float* a, __global const float* b, __global float* c, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}
