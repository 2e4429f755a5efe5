// async_work_group_copy and its strided form, in both directions.
// arg: a buffer float[1024] random(seed=561,min=-1,max=1)
// arg: v buffer int4[256] bits(seed=562)
// arg: out buffer float[1024] zero
// arg: w buffer int4[256] zero
// launch: kernel=local_async_copy global=256 local=64
// compare: out exact
// compare: w exact
__kernel void local_async_copy(__global const float* a, __global const int4* v, __global float* out,
                               __global int4* w) {
  __local float in[256];
  __local float result[256];
  __local int4 quads[64];
  const int l = get_local_id(0);
  const int group = get_group_id(0);
  event_t done = async_work_group_copy(in, a + group * 256, 256, 0);
  done = async_work_group_strided_copy(quads, v + group, 64, 4, done);
  wait_group_events(1, &done);
  for (int k = 0; k < 4; ++k) {
    result[k * 64 + l] = in[l * 4 + k] * 2.0f;
  }
  quads[l] = quads[l].wxyz;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t stored = async_work_group_copy(out + group * 256, result, 256, 0);
  event_t stored_quads = async_work_group_strided_copy(w + group, quads, 64, 4, 0);
  wait_group_events(1, &stored);
  wait_group_events(1, &stored_quads);
}
