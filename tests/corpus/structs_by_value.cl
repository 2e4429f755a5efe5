// Structures passed by value between functions and kept in private arrays: rays and boxes.
// arg: a buffer float[1536] random(seed=731,min=-4,max=4)
// arg: hit buffer int[256] zero
// arg: near buffer float[256] zero
// launch: kernel=structs_by_value global=256 local=64
// compare: hit exact
// compare: near exact
// options: -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
typedef struct {
  float3 origin, direction;
} Ray;
typedef struct {
  float3 low, high;
  int id;
} Box;
typedef struct {
  int id;
  float distance;
} Hit;
Hit intersect(Ray ray, Box box) {
  const float3 inverse = (float3)(1.0f) / ray.direction;
  const float3 a = (box.low - ray.origin) * inverse;
  const float3 b = (box.high - ray.origin) * inverse;
  const float3 first = fmin(a, b);
  const float3 last = fmax(a, b);
  const float enter = fmax(fmax(first.x, first.y), first.z);
  const float leave = fmin(fmin(last.x, last.y), last.z);
  Hit hit;
  hit.id = enter <= leave && leave > 0.0f ? box.id : -1;
  hit.distance = hit.id >= 0 ? enter : 0.0f;
  return hit;
}
__kernel void structs_by_value(__global const float* a, __global int* hit, __global float* near) {
  const int i = get_global_id(0);
  Box boxes[3];
  for (int k = 0; k < 3; ++k) {
    boxes[k].low = (float3)(k * 2 - 3, -1, k - 1);
    boxes[k].high = boxes[k].low + (float3)(1.5f, 2.0f, 0.75f);
    boxes[k].id = k * 10;
  }
  Ray ray;
  ray.origin = vload3(2 * i, a);
  ray.direction = vload3(2 * i + 1, a);
  Hit best;
  best.id = -1;
  best.distance = 1e30f;
  for (int k = 0; k < 3; ++k) {
    const Hit h = intersect(ray, boxes[(k + i) % 3]);
    if (h.id >= 0 && h.distance < best.distance) {
      best = h;
    }
  }
  hit[i] = best.id;
  near[i] = best.distance;
}
