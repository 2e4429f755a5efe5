// One step of k-means: nearest of five centres for each point, then new centres from integer coordinate sums.
// arg: points buffer int2[1024] random(seed=901,min=0,max=1000)
// arg: centres buffer int2[5] values(100,100,900,100,500,500,100,900,800,800)
// arg: nearest buffer uchar[1024] zero
// arg: sums buffer int[15] zero
// launch: kernel=assign global=1024 local=256
// launch: kernel=update global=5 local=5
// compare: nearest exact
// compare: centres exact
__kernel void assign(__global const int2* points, __global int2* centres, __global uchar* nearest,
                     __global int* sums) {
  const int i = get_global_id(0);
  const int2 p = points[i];
  int best = 0;
  int least = INT_MAX;
  for (int c = 0; c < 5; ++c) {
    const int2 d = p - centres[c];
    const int distance2 = d.x * d.x + d.y * d.y;
    if (distance2 < least) {
      least = distance2;
      best = c;
    }
  }
  nearest[i] = (uchar)best;
  atomic_add(&sums[best * 3], p.x);
  atomic_add(&sums[best * 3 + 1], p.y);
  atomic_inc(&sums[best * 3 + 2]);
}
__kernel void update(__global const int2* points, __global int2* centres, __global uchar* nearest,
                     __global int* sums) {
  const int c = get_global_id(0);
  const int n = max(sums[c * 3 + 2], 1);
  centres[c] = (int2)(sums[c * 3] / n, sums[c * 3 + 1] / n);
}
