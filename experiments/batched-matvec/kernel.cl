// Batched matrix-vector product: w_j = A v_j for many short vectors v_j and one small matrix A.
//
// Written from the description of the experiment in S1 (see experiment.toml), before any timing model existed:
//   * A is nm x nm, row major, in global memory; nm is known only when the kernel is launched;
//   * the vectors lie one after the other in global memory, nm floats each, and so do the results;
//   * a work-group of WG work-items takes WG * N_B consecutive vectors and stages them in local memory
//     (WG * N_B * nm floats), because each element of a vector is used nm times;
//   * each work-item then computes N_B whole products, one row of A after the other;
//   * the inner product over a row is unrolled N_U times.
// The grid covers the vectors exactly: their number is a multiple of WG * N_B.
//
// WG, N_B and N_U are given with -D, as they would be template parameters in HIP.

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void batched_matvec(__global const float* restrict A,
                                                                             __global const float* restrict v,
                                                                             __global float* restrict w, int nm,
                                                                             __local float* staged) {
  const int lid = get_local_id(0);
  const int first_vector = get_group_id(0) * (WG * N_B);

  // Consecutive work-items read consecutive floats, whatever vector these belong to.
  for (int i = lid; i < WG * N_B * nm; i += WG) {
    staged[i] = v[first_vector * nm + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int b = 0; b < N_B; ++b) {
    const int j = b * WG + lid;
    for (int row = 0; row < nm; ++row) {
      float sum = 0.0f;
#pragma unroll N_U
      for (int column = 0; column < nm; ++column) {
        sum += A[row * nm + column] * staged[j * nm + column];
      }
      w[(first_vector + j) * nm + row] = sum;
    }
  }
}
