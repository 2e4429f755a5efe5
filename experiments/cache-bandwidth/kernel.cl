// Every group reads the same COUNT elements of 16 bytes for each work-item of a part of the buffer; as many groups
// as there are parts read neighbouring ones (gpu-benches, gpu-l2-cache).
__kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void parts(__global float4* restrict sink,
                                                                       __global const float4* restrict from,
                                                                       int parts_or_rounds, int nothing) {
  float4 sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum += from[1024 * parts_or_rounds * i + (int)(get_group_id(0) % parts_or_rounds) * 1024 + (int)get_local_id(0)];
  sum *= 1.3f;
  if (get_local_id(0) > 1233 || sum.x == 23.12f) sink[get_local_id(0)] += sum;
}

// Every group goes through the same 16 KB, again and again (gpu-benches, gpu-cache).
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void near(__global float4* restrict sink,
                                                                     __global const float4* restrict from,
                                                                     int parts_or_rounds, int nothing) {
  float4 sum = 0;
  from += get_local_id(0);
#pragma unroll 8
  for (int round = 0; round < parts_or_rounds; ++round) {
    from += nothing;
#pragma unroll
    for (int i = 0; i < 1024; i += 256) sum += from[i];
    sum *= 1.3f;
  }
  if (sum.x == 1233.0f) sink[get_local_id(0)] += sum;
}

// The same of doubles and of floats, as the source has them for NVIDIA's GPUs.
__kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void parts_of_doubles(__global float4* restrict sink,
                                                                                  __global const float4* restrict from,
                                                                                  int parts_or_rounds, int nothing) {
  __global const double* at = (__global const double*)from;
  double sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum += at[1024 * parts_or_rounds * i + (int)(get_group_id(0) % parts_or_rounds) * 1024 + (int)get_local_id(0)];
  sum *= 1.3;
  if (get_local_id(0) > 1233 || sum == 23.12) sink[get_local_id(0)].x += (float)sum;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void near_floats(__global float4* restrict sink,
                                                                            __global const float4* restrict from,
                                                                            int parts_or_rounds, int nothing) {
  __global const float* at = (__global const float*)from + get_local_id(0);
  float sum = 0;
#pragma unroll 2
  for (int round = 0; round < parts_or_rounds; ++round) {
    at += nothing;
#pragma unroll
    for (int i = 0; i < 4096; i += 256) sum += at[i];
    sum *= 1.3f;
  }
  if (sum == 1233.0f) sink[get_local_id(0)].x += sum;
}
