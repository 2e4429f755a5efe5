// Branches that the whole wave takes together, branches on group ids, loops bounded by arguments, and a mix of both.
// arg: n scalar int 9
// arg: limits buffer int[8] values(3,0,17,5,1,30,8,2)
// arg: out buffer int[512] zero
// launch: kernel=flow_uniform global=512 local=64
// compare: out exact
__kernel void flow_uniform(int n, __global const int* limits, __global int* out) {
  const int group = get_group_id(0);
  const int lane = get_local_id(0);
  int sum = lane;
  for (int k = 0; k < limits[group]; ++k) {
    if (k == n) {
      sum += 1000;
      continue;
    }
    if (group & 1) {
      sum = sum * 3 + k;
    } else if (lane > k * 4) {
      sum -= k * k;
    }
    if (k > 20) {
      break;
    }
    sum &= 0xfffff;
  }
  if (limits[group] > 4 && lane < limits[group]) {
    sum = -sum;
  }
  out[get_global_id(0)] = sum;
}
