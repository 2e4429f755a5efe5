// The product of two matrices of 16 x 16 and 16 x 8 halves, added up n times: on tensor cores, and without.
__global__ void tensor(float* out, const unsigned* in, int n) {
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i];
  for (int i = 0; i < 2; ++i) b[i] = in[threadIdx.x + 4 + i];
  float c[4] = {};
  for (int k = 0; k < n; ++k)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) out[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + i] = c[i];
}

// A warp's 16 x 8 results take 16 multiply-adds each: 64 for each lane.
__global__ void vector(float* out, const float* in, int n) {
  float a[16], c[4] = {};
  for (int i = 0; i < 16; ++i) a[i] = in[threadIdx.x + i];
#pragma unroll 1
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 16; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) c[j] = c[j] * a[i] + a[(i + j) % 16];
  for (int i = 0; i < 4; ++i) out[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + i] = c[i];
}
