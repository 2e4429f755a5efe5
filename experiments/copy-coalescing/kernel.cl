__kernel void copy(__global const float* from, __global float* to, int rows) {
  const size_t i = get_global_id(0);
  to[i] = from[i];
}

// Neighbouring work-items are a row of a matrix apart.
__kernel void copy_apart(__global const float* from, __global float* to, int rows) {
  const size_t columns = get_global_size(0) / rows;
  const size_t i = get_global_id(0) % rows * columns + get_global_id(0) / rows;
  to[i] = from[i];
}

// Four elements a work-item.
__kernel void copy4(__global const float* from, __global float* to, int rows) {
  const size_t i = get_global_id(0);
  ((__global float4*)to)[i] = ((__global const float4*)from)[i];
}
