// rule: none
// groups: 1024
// groups mi300x: 4096
// groups h200: 4096
// local: 256
// arg: n=int:$items
// arg: points=float[$items*3]:ramp
// arg: out=float[$items]
struct point {
  float x, y, z;
};
// Three floats side by side for each work-item.
__kernel void planted(int n, __global const struct point* points, __global float* out) {
  const int i = get_global_id(0);
  const struct point p = points[i];
  out[i] = p.x * p.x + p.y * p.y + p.z * p.z;
}

// An array for each coordinate.
__kernel void mended(int n, __global const float* points, __global float* out) {
  const int i = get_global_id(0);
  const float x = points[i], y = points[n + i], z = points[2 * n + i];
  out[i] = x * x + y * y + z * z;
}
