// A convolution by 15 x 15 weights, as Kernel Tuner's example makes it: a group brings its part of the image into
// local memory, each work-item makes TX x TY results from it, all turns of both loops are written out.
#define WEIGHTS 15
#define WIDTH (COLUMNS + WEIGHTS - 1)
#define PART_WIDTH (BX * TX + WEIGHTS - 1)
#define PART_HEIGHT (BY * TY + WEIGHTS - 1)
// With PAD a row of the part is as long as 32 banks and what groups reach beyond them ask for.
#define SPARE (PAD && BX % 32 != 0 ? (BX - PART_WIDTH) & 31 : 0)

__kernel __attribute__((reqd_work_group_size(BX * BY, 1, 1))) void convolve(__global float* restrict out,
                                                                             __global const float* restrict in,
                                                                             __constant float* weights) {
  __local float part[PART_HEIGHT][PART_WIDTH + SPARE];
  const int across = (COLUMNS + BX * TX - 1) / (BX * TX);
  const int x = get_local_id(0) % BX, y = get_local_id(0) / BX;
  const int left = get_group_id(0) % across * BX * TX, top = get_group_id(0) / across * BY * TY;
  for (int i = y; i < PART_HEIGHT; i += BY) {
    for (int j = x; j < PART_WIDTH; j += BX) {
      if (COLUMNS % (BX * TX) == 0 || left + j < WIDTH) part[i][j] = in[(top + i) * WIDTH + left + j];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum[TY][TX];
#pragma unroll
  for (int b = 0; b < TY; ++b) {
#pragma unroll
    for (int a = 0; a < TX; ++a) sum[b][a] = 0;
  }
#pragma unroll
  for (int i = 0; i < WEIGHTS; ++i) {
#pragma unroll
    for (int j = 0; j < WEIGHTS; ++j) {
#pragma unroll
      for (int b = 0; b < TY; ++b) {
#pragma unroll
        for (int a = 0; a < TX; ++a) sum[b][a] += part[y + b * BY + i][x + a * BX + j] * weights[i * WEIGHTS + j];
      }
    }
  }
#pragma unroll
  for (int b = 0; b < TY; ++b) {
#pragma unroll
    for (int a = 0; a < TX; ++a) {
      const int row = top + y + b * BY, column = left + x + a * BX;
      if (COLUMNS % (BX * TX) == 0 || column < COLUMNS) out[row * COLUMNS + column] = sum[b][a];
    }
  }
}
