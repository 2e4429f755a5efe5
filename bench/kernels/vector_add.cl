// c = a + b over one million floats: memory-bound and coalesced.
// arg: a buffer float[1048576] random(seed=1,min=-1,max=1)
// arg: b buffer float[1048576] random(seed=2,min=-1,max=1)
// arg: c buffer float[1048576] zero
// launch: kernel=vector_add global=1048576 local=256
// compare: c exact
__kernel void vector_add(__global const float* a, __global const float* b, __global float* c) {
  const int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
