// Kernels in OpenCL C after well-known suites (SHOC, Rodinia, Parboil, Polybench, AMD's and NVIDIA's samples, CLBlast, Hetero-Mark, PENNANT); sizes and
// launches: ocl.py. `in` holds floats from 0 to 1, `in2` hashed words; places are masked so that every access is inside for any data.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

// ---- SHOC
__kernel void md_lj(__global float4* restrict force, __global const float4* restrict position, __global const uint* restrict neighbours, uint atoms, uint count) {
  const uint i = get_global_id(0);
  const float4 me = position[i];
  float4 f = (float4)(0.0f);
  for (uint j = 0; j < count; ++j) {
    const uint at = (i + (neighbours[j * atoms + i] & 2047) + atoms - 1024) & (atoms - 1);
    const float4 other = position[at];
    const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < 0.4f && r2 > 1e-6f) {
      r2 = 1.0f / r2;
      const float r6 = r2 * r2 * r2;
      const float by = r2 * r6 * (1.5f * r6 - 2.0f);
      f.x += dx * by, f.y += dy * by, f.z += dz * by;
    }
  }
  force[i] = f;
}

__kernel void reduce_double(__global double* restrict sums, __global const double* restrict in, uint n) {
  __local double part[256];
  const uint tid = get_local_id(0), step = get_local_size(0) * 2 * get_num_groups(0);
  double sum = 0;
  for (uint i = get_group_id(0) * get_local_size(0) * 2 + tid; i + get_local_size(0) < n; i += step) sum += in[i] + in[i + get_local_size(0)];
  part[tid] = sum;
  LOCAL_SYNC;
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    LOCAL_SYNC;
  }
  if (tid == 0) sums[get_group_id(0)] = part[0];
}

float scan_local(float value, __local float* memory, int exclusive) {
  uint at = get_local_id(0);
  memory[at] = 0.0f;
  at += get_local_size(0);
  memory[at] = value;
  LOCAL_SYNC;
  for (uint i = 1; i < get_local_size(0); i *= 2) {
    const float t = memory[at - i];
    LOCAL_SYNC;
    memory[at] += t;
    LOCAL_SYNC;
  }
  return memory[at - exclusive];
}
__kernel void scan_reduce(__global float* restrict sums, __global const float* restrict in, uint n) {
  __local float part[256];
  const uint tid = get_local_id(0), region = n / get_num_groups(0), begin = get_group_id(0) * region;
  float sum = 0.0f;
  for (uint i = begin + tid; i < begin + region; i += get_local_size(0)) sum += in[i];
  part[tid] = sum;
  LOCAL_SYNC;
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    LOCAL_SYNC;
  }
  if (tid == 0) sums[get_group_id(0)] = part[0];
}
__kernel void scan_top(__global float* restrict sums, __global const float* restrict in, uint n) {
  __local float memory[512];
  const uint tid = get_local_id(0);
  const float value = tid < n ? in[tid] : 0.0f;
  const float scanned = scan_local(value, memory, 1);
  if (tid < n) sums[tid] = scanned;
}
__kernel void scan_bottom(__global float4* restrict out, __global const float4* restrict in, __global const float* restrict sums, uint n) {
  __local float memory[512];
  __local float seed_next;
  const uint tid = get_local_id(0), region = n / 4 / get_num_groups(0), begin = get_group_id(0) * region, end = begin + region;
  float seed = (float)(as_uint(sums[get_group_id(0)]) & 255);
  for (uint window = begin; window < end; window += get_local_size(0)) {
    const uint i = window + tid;
    float4 v = i < end ? in[i] : (float4)(0.0f);
    v.y += v.x, v.z += v.y, v.w += v.z;
    const float before = scan_local(v.w, memory, 1);
    v += before + seed;
    if (i < end) out[i] = v;
    if (tid == get_local_size(0) - 1) seed_next = v.w;
    LOCAL_SYNC;
    seed = seed_next;
    LOCAL_SYNC;
  }
}

float2 mul_c(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
void fft2_c(float2* a, float2* b) { const float2 t = *a; *a = t + *b; *b = t - *b; }
void fft8(float2* a) {
  const float h = 0.70710678f;
  fft2_c(a, a + 4), fft2_c(a + 1, a + 5), fft2_c(a + 2, a + 6), fft2_c(a + 3, a + 7);
  a[5] = h * (float2)(a[5].x + a[5].y, a[5].y - a[5].x);
  a[6] = (float2)(a[6].y, -a[6].x);
  a[7] = h * (float2)(a[7].y - a[7].x, -a[7].x - a[7].y);
  for (uint i = 0; i < 8; i += 4) {
    fft2_c(a + i, a + i + 2), fft2_c(a + i + 1, a + i + 3);
    a[i + 3] = (float2)(a[i + 3].y, -a[i + 3].x);
    fft2_c(a + i, a + i + 1), fft2_c(a + i + 2, a + i + 3);
  }
}
void twiddle8(float2* a, int i, int n) {
  const uint bits[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (uint j = 1; j < 8; ++j) {
    const float angle = -6.2831853f * bits[j] / n * i;
    a[j] = mul_c(a[j], (float2)(native_cos(angle), native_sin(angle)));
  }
}
void exchange8(float2* a, __local float* s, uint stride_s, __local float* l, uint stride_l) {
  const uint bits[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (uint i = 0; i < 8; ++i) s[i * stride_s] = a[bits[i]].x;
  LOCAL_SYNC;
  for (uint i = 0; i < 8; ++i) a[i].x = l[i * stride_l];
  LOCAL_SYNC;
  for (uint i = 0; i < 8; ++i) s[i * stride_s] = a[bits[i]].y;
  LOCAL_SYNC;
  for (uint i = 0; i < 8; ++i) a[i].y = l[i * stride_l];
  LOCAL_SYNC;
}
__kernel void fft512(__global float2* restrict out, __global const float2* restrict in) {
  __local float memory[8 * 8 * 9];
  const uint tid = get_local_id(0), hi = tid >> 3, lo = tid & 7, base = get_group_id(0) * 512 + tid;
  float2 a[8];
  for (uint i = 0; i < 8; ++i) a[i] = in[base + i * 64];
  fft8(a);
  twiddle8(a, tid, 512);
  exchange8(a, memory + hi * 8 + lo, 66, memory + lo * 66 + hi, 8);
  fft8(a);
  twiddle8(a, hi, 64);
  exchange8(a, memory + hi * 8 + lo, 8 * 9, memory + hi * 8 * 9 + lo, 8);
  fft8(a);
  const uint bits[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (uint i = 0; i < 8; ++i) out[base + i * 64] = a[bits[i]];
}

__kernel void stencil9(__global float* restrict out, __global const float* restrict in, uint width) {  // groups of 8 x 32
  __local float tile[10][34];
  const uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  tile[ly + 1][lx + 1] = in[y * width + x];
  if (ly == 0) tile[0][lx + 1] = in[(y - 1) * width + x];
  if (ly == 7) tile[9][lx + 1] = in[(y + 1) * width + x];
  if (lx == 0) {
    tile[ly + 1][0] = in[y * width + x - 1];
    if (ly == 0) tile[0][0] = in[(y - 1) * width + x - 1];
    if (ly == 7) tile[9][0] = in[(y + 1) * width + x - 1];
  }
  if (lx == 31) {
    tile[ly + 1][33] = in[y * width + x + 1];
    if (ly == 0) tile[0][33] = in[(y - 1) * width + x + 1];
    if (ly == 7) tile[9][33] = in[(y + 1) * width + x + 1];
  }
  LOCAL_SYNC;
  const float cardinal = tile[ly][lx + 1] + tile[ly + 2][lx + 1] + tile[ly + 1][lx] + tile[ly + 1][lx + 2];
  const float diagonal = tile[ly][lx] + tile[ly][lx + 2] + tile[ly + 2][lx] + tile[ly + 2][lx + 2];
  out[y * width + x] = 0.25f * tile[ly + 1][lx + 1] + 0.15f * cardinal + 0.05f * diagonal;
}

__kernel void triad4(__global float4* restrict c, __global const float4* restrict a, __global const float4* restrict b, float s) {
  const uint i = get_global_id(0);
  c[i] = a[i] + s * b[i];
}

// Rows of up to 32 elements, a row an item, columns first, in double.
__kernel void spmv_ellpackr(__global double* restrict out, __global const double* restrict in, __global const uint* restrict columns, uint rows) {
  const uint row = get_global_id(0), length = 8 + columns[row] % 25;
  double sum = 0;
  for (uint i = 0; i < length; ++i) sum += in[i * rows + row] * in[columns[i * rows + row] & (rows - 1)];
  out[row] = sum;
}
__kernel void spmv_csr_local(__global float* restrict out, __global const float* restrict in, __global const uint* restrict columns, uint rows) {
  __local volatile float part[128];
  const uint tid = get_local_id(0), lane = tid & 31, row = get_group_id(0) * 4 + tid / 32, begin = row * 96, end = begin + 16 + columns[row] % 80;
  float sum = 0.0f;
  for (uint j = begin + lane; j < end; j += 32) sum += in[j] * in[columns[j] & (rows - 1)];
  part[tid] = sum;
  LOCAL_SYNC;
  for (uint s = 16; s > 0; s >>= 1) {
    if (lane < s) part[tid] += part[tid + s];
    LOCAL_SYNC;
  }
  if (lane == 0) out[row] = part[tid];
}
__kernel void s3d_ratt(__global float* restrict out, __global const float* restrict in, uint n) {
  const uint i = get_global_id(0);
  const float temperature = 1000.0f + 1000.0f * in[i], log_t = native_log(temperature), by_t = native_recip(temperature);
  float sum = 0.0f;
#pragma unroll
  for (uint r = 0; r < 12; ++r) {
    const float concentration = in[(r % 4 + 1) * n + i];
    const float forward = native_exp(28.0f + 0.5f * r + (0.1f * r - 0.4f) * log_t - (3000.0f + 700.0f * r) * by_t);
    const float equilibrium = native_exp(-2.0f * r + 1200.0f * r * by_t) * native_powr(temperature * 1e-3f, 0.3f * r);
    sum += forward * concentration - native_divide(forward, 1.0f + equilibrium);
    out[r * n + i] = sum;
  }
}

// ---- Rodinia
typedef struct { uint start, edges; } Node;
__kernel void bfs_mask(__global uint* restrict cost, __global uchar* restrict updating, __global const uint* restrict edges, uint nodes) {
  const uint i = get_global_id(0);
  if (i < nodes && (edges[i] & 7) == 0) {  // one of eight is on the front
    const Node node = {edges[i] >> 8, edges[i ^ 1] & 15};
    for (uint e = node.start; e < node.start + node.edges; ++e) {
      const uint to = edges[e & (nodes * 4 - 1)] & (nodes - 1);
      if ((edges[to] & 0x300) != 0) cost[to] = 1, updating[to] = 1;
    }
  }
}
__kernel void hotspot(__global float* restrict out, __global const float* restrict power, __global const float* restrict temperature, uint side, uint steps) {
  __local float now[16][16], heat[16][16], next[16][16];
  const int tx = get_local_id(0), ty = get_local_id(1), inner = 16 - 2 * (int)steps, n = side;
  const int x = (int)get_group_id(0) * inner - (int)steps + tx, y = (int)get_group_id(1) * inner - (int)steps + ty;
  const int inside = x >= 0 && y >= 0 && x < n && y < n, at = clamp(y, 0, n - 1) * n + clamp(x, 0, n - 1);
  now[ty][tx] = temperature[at];
  heat[ty][tx] = power[at];
  LOCAL_SYNC;
  const int north = max(y > 0 ? ty - 1 : ty, 0), south = min(y < n - 1 ? ty + 1 : ty, 15), west = max(x > 0 ? tx - 1 : tx, 0), east = min(x < n - 1 ? tx + 1 : tx, 15);
  int computed = 0;
  for (int i = 0; i < (int)steps; ++i) {
    computed = 0;
    if (tx > i && tx < 15 - i && ty > i && ty < 15 - i && inside) {
      computed = 1;
      const float t = now[ty][tx];
      next[ty][tx] = t + 0.0341f * (heat[ty][tx] + (now[south][tx] + now[north][tx] - 2.0f * t) * 0.1f + (now[ty][east] + now[ty][west] - 2.0f * t) * 0.1f + (80.0f - t) * 0.333f);
    }
    LOCAL_SYNC;
    if (i == (int)steps - 1) break;
    if (computed) now[ty][tx] = next[ty][tx];
    LOCAL_SYNC;
  }
  if (computed) out[at] = next[ty][tx];
}
__kernel void backprop_forward(__global float* restrict hidden, __global const float* restrict weights, __global const float* restrict input) {
  __local float node[16], matrix[16][16];
  const uint tx = get_local_id(0), ty = get_local_id(1), by = get_group_id(1), index = 17 * 16 * by + 17 * ty + tx + 18, in_at = 16 * by + ty + 1;
  if (tx == 0) node[ty] = (float)(as_uint(input[in_at]) & 1023) * 0.001f;
  LOCAL_SYNC;
  matrix[ty][tx] = weights[index];
  LOCAL_SYNC;
  matrix[ty][tx] *= node[ty];
  LOCAL_SYNC;
  for (int i = 1; i <= 4; ++i) {
    const int two = (int)pow(2.0f, (float)i);
    if (ty % two == 0) matrix[ty][tx] += matrix[(ty + two / 2) & 15][tx];
    LOCAL_SYNC;
  }
  if (tx == 0) hidden[by * 16 + ty] = matrix[tx][ty];
}
__kernel void backprop_adjust(__global float* restrict weights, __global const float* restrict delta, __global const float* restrict layer) {
  const uint tx = get_local_id(0), ty = get_local_id(1), index = 17 * 16 * get_group_id(1) + 17 * ty + tx + 18;
  const float change = 0.3f * delta[tx + 1] * layer[16 * get_group_id(1) + ty + 1];
  weights[index] = weights[index] * 0.7f + change;
}
__kernel void lud_diagonal(__global float* restrict out, __global const float* restrict in, uint n) {  // groups of 32, a block each
  __local float shadow[32][32];
  const uint tx = get_local_id(0);
  __global const float* from = in + get_group_id(0) * 32 * (n + 1);
  for (uint i = 0; i < 32; ++i) shadow[i][tx] = from[i * n + tx] + (i == tx ? 32.0f : 0.0f);
  LOCAL_SYNC;
  for (uint i = 0; i < 31; ++i) {
    if (tx > i) {
      for (uint j = 0; j < i; ++j) shadow[tx][i] -= shadow[tx][j] * shadow[j][i];
      shadow[tx][i] /= shadow[i][i];
    }
    LOCAL_SYNC;
    if (tx > i)
      for (uint j = 0; j < i + 1; ++j) shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx];
    LOCAL_SYNC;
  }
  for (uint i = 1; i < 32; ++i) out[get_group_id(0) * 32 * (n + 1) + i * n + tx] = shadow[i][tx];
}
__kernel void lud_perimeter(__global float* restrict out, __global const float* restrict in, uint n) {  // groups of 32: 16 items for the row, 16 for the column
  __local float dia[16][16], row[16][16], column[16][16];
  const uint lid = get_local_id(0), idx = lid & 15, block = (get_group_id(0) + 1) * 16;
  for (uint i = lid / 16 * 8; i < lid / 16 * 8 + 8; ++i) dia[i][idx] = in[i * n + idx];
  if (lid < 16)
    for (uint i = 0; i < 16; ++i) row[i][idx] = in[i * n + block + idx];
  else
    for (uint i = 0; i < 16; ++i) column[i][idx] = in[(block + i) * n + idx];
  LOCAL_SYNC;
  if (lid < 16) {
    for (uint i = 1; i < 16; ++i)
      for (uint j = 0; j < i; ++j) row[i][idx] -= dia[i][j] * row[j][idx];
  } else {
    for (uint i = 0; i < 16; ++i) {
      for (uint j = 0; j < i; ++j) column[idx][i] -= dia[j][i] * column[idx][j];
      column[idx][i] /= dia[i][i] + 1.0f;
    }
  }
  LOCAL_SYNC;
  if (lid < 16)
    for (uint i = 1; i < 16; ++i) out[i * n + block + idx] = row[i][idx];
  else
    for (uint i = 0; i < 16; ++i) out[(block + i) * n + idx] = column[i][idx];
}
__kernel void lud_internal(__global float* restrict out, __global const float* restrict in, uint n) {
  __local float row[16][16], column[16][16];
  const uint tx = get_local_id(0), ty = get_local_id(1), x = (get_group_id(0) + 1) * 16 + tx, y = (get_group_id(1) + 1) * 16 + ty;
  row[ty][tx] = in[ty * n + x];
  column[ty][tx] = in[y * n + tx];
  LOCAL_SYNC;
  float sum = 0.0f;
  for (uint i = 0; i < 16; ++i) sum += column[ty][i] * row[i][tx];
  out[y * n + x] = in[y * n + x] - sum;
}
__kernel void gaussian_fan2(__global float* restrict a, __global float* restrict b, __global const float* restrict m, uint n, uint t) {
  const uint i = get_global_id(0), j = get_global_id(1);
  if (i >= n - 1 - t || j >= n - t) return;
  a[n * (i + 1 + t) + j + t] -= m[n * (i + 1 + t) + t] * m[n * t + j + t];
  if (j == 0) b[i + 1 + t] -= m[n * (i + 1 + t) + t] * m[t];
}
__kernel void nearest_distance(__global float* restrict distance, __global const float2* restrict places, uint n) {
  const uint i = get_global_id(0);
  if (i < n) {
    const float2 p = places[i];
    distance[i] = sqrt((30.0f - p.x) * (30.0f - p.x) + (90.0f - p.y) * (90.0f - p.y));
  }
}
__kernel void cfd_step_factor(__global float* restrict factors, __global const float* restrict variables, uint n) {
  const uint i = get_global_id(0);
  const float density = variables[i] + 0.5f, mx = variables[n + i], my = variables[2 * n + i], mz = variables[3 * n + i], energy = variables[4 * n + i] + 3.0f;
  const float vx = mx / density, vy = my / density, vz = mz / density, speed2 = vx * vx + vy * vy + vz * vz;
  const float pressure = 0.4f * (energy - 0.5f * density * speed2), sound = sqrt(fabs(1.4f * pressure / density));
  factors[i] = 0.5f / (sqrt(variables[5 * n + i] + 0.01f) * (sqrt(speed2) + sound));
}
__kernel void gicov(__global float* restrict out, __global const float* restrict gradient_x, __global const float* restrict gradient_y, uint height) {
  const uint i = get_global_id(0), width = get_global_size(0) / height, x = i / height, y = i % height;
  float best = 0.0f;
  if (x >= 22 && x < width - 22 && y >= 22 && y < height - 22)
    for (int k = 0; k < 7; ++k) {
      float sum = 0.0f, mean = 0.0f, m2 = 0.0f;
      for (int p = 0; p < 24; ++p) {
        const float sine = native_sin(0.2617994f * p), cosine = native_cos(0.2617994f * p), radius = 2.0f * (k + 2);
        const uint at = (uint)((int)x + (int)(radius * cosine)) * height + (uint)((int)y + (int)(radius * sine));
        const float g = gradient_x[at] * cosine + (float)(as_uint(gradient_y[at]) >> 16) * 1e-5f * sine;
        sum += g;
        const float d = g - mean;
        mean += d / (float)(p + 1);
        m2 += d * (g - mean);
      }
      mean = sum / 24.0f;
      const float variance = m2 / 23.0f;
      if (mean * mean / variance > best) best = mean * mean / variance;
    }
  out[i] = best;
}
__kernel void dilate(__global float* restrict out, __global const float* restrict in, __global const uint* restrict element, uint height) {
  const int i = get_global_id(0), rows = height, columns = get_global_size(0) / height, x = i / rows, y = i % rows;
  float most = 0.0f;
  for (int a = 0; a < 11; ++a) {
    const int at_x = x - 5 + a;
    if (at_x < 0 || at_x >= columns) continue;
    for (int b = 0; b < 11; ++b) {
      const int at_y = y - 5 + b;
      if (at_y >= 0 && at_y < rows && (element[a * 11 + b] & 3) != 0) most = fmax(most, in[at_x * rows + at_y]);
    }
  }
  out[i] = most;
}
__kernel void myocyte_rates(__global float* restrict out, __global const float* restrict in, uint steps) {
  const uint i = get_global_id(0), n = get_global_size(0);
  float v = -80.0f + 10.0f * in[i], h = in[n + i], m = in[2 * n + i], d = in[3 * n + i];
  for (uint s = 0; s < steps; ++s) {
    const float am = v == -47.13f ? 3.2f : 0.32f * (v + 47.13f) / (1.0f - exp(-0.1f * (v + 47.13f))), bm = 0.08f * exp(-v / 11.0f);
    float ah, bh;
    if (v >= -40.0f) ah = 0.0f, bh = 1.0f / (0.13f * (1.0f + exp(-(v + 10.66f) / 11.1f)));
    else ah = 0.135f * exp((80.0f + v) / -6.8f), bh = 3.56f * exp(0.079f * v) + 3.1e5f * exp(0.35f * v);
    const float open = 1.0f / (1.0f + exp(-(v + 14.5f) / 6.0f)), tau = open * (1.0f - exp(-(v + 14.5f) / 6.0f)) / (0.035f * (v + 14.4f));
    m += 0.005f * (am * (1.0f - m) - bm * m);
    h += 0.005f * (ah * (1.0f - h) - bh * h);
    d += 0.005f * (open - d) / (fabs(tau) + 0.5f);
    v += 0.005f * (16.0f * pow(fabs(m), 3.0f) * h * (50.0f - v) + 0.3f * d * (-87.0f - v) - log(1.0f + fabs(m)) * 2.0f);
    v = clamp(v, -90.0f, 60.0f);
  }
  out[i] = v + m + h + d;
}
__kernel void particle_likelihood(__global double* restrict out, __global const double* restrict in, __global const uint* restrict seed, uint points) {
  __local double part[256];
  const uint i = get_global_id(0), tid = get_local_id(0);
  uint state = seed[i];
  state = state * 1103515245u + 12345u;
  const double u = (double)(state >> 8) * 5.96e-8 + 1e-9, v = (double)(seed[i ^ 1] >> 8) * 5.96e-8;
  const double x = in[i] + 5.0 * sqrt(-2.0 * log(u)) * cos(6.283185307 * v);
  double likelihood = 0;
  for (uint p = 0; p < points; ++p) {
    const uint at = (((uint)(int)x & 1023) * 1024 + p * 37 + (state & 63)) & 0xfffff;
    const double pixel = (double)(seed[at] & 255);
    likelihood += ((pixel - 100.0) * (pixel - 100.0) - (pixel - 228.0) * (pixel - 228.0)) / 50.0;
  }
  likelihood = likelihood / points - 300.0;
  part[tid] = exp(likelihood * 1e-3);
  LOCAL_SYNC;
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    LOCAL_SYNC;
  }
  out[i] = likelihood / part[0];
}

// ---- Polybench
__kernel void bicg_rows(__global float* restrict q, __global const float* restrict a, __global const float* restrict p, uint n) {
  const uint i = get_global_id(0);
  if (i < n) {
    float sum = 0.0f;
    for (uint j = 0; j < n; ++j) sum += a[i * n + j] * a[n * n + j];
    q[i] = sum + (float)(as_uint(p[i]) & 1);
  }
}
__kernel void atax_columns(__global float* restrict y, __global const float* restrict a, uint n) {
  const uint j = get_global_id(0);
  if (j < n) {
    y[j] = 0.0f;
    for (uint i = 0; i < n; ++i) y[j] += a[i * n + j] * a[n * n + i];
  }
}
__kernel void gemver_rank2(__global float* restrict out, __global const float* restrict in, uint n) {
  const uint j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) out[i * n + j] = in[i * n + j] + in[i] * in[n + j] + in[2 * n + i] * in[3 * n + j];
}
__kernel void syr2k(__global float* restrict c, __global const float* restrict a, uint n, uint m) {
  const uint j = get_global_id(0), i = get_global_id(1);
  __global const float* b = a + n * m;
  if (i < n && j < n) {
    float sum = 4546.0f * a[i * n + j];
    for (uint k = 0; k < m; ++k) sum += 12435.0f * a[i * m + k] * b[j * m + k] + 12435.0f * b[i * m + k] * a[j * m + k];
    c[i * n + j] = sum;
  }
}
__kernel void covariance(__global float* restrict symmetric, __global const float* restrict data, uint m, uint n) {
  const uint j1 = get_global_id(0);
  if (j1 < m)
    for (uint j2 = j1; j2 < m; ++j2) {
      float sum = 0.0f;
      for (uint i = 0; i < n; ++i) sum += data[i * m + j1] * data[i * m + j2];
      symmetric[j1 * m + j2] = sum;
      symmetric[j2 * m + j1] = sum;
    }
}
__kernel void correlation_std(__global float* restrict deviation, __global const float* restrict data, uint m, uint n) {
  const uint j = get_global_id(0);
  if (j < m) {
    float mean = 0.0f, sum = 0.0f;
    for (uint i = 0; i < n; ++i) mean += data[i * m + j];
    mean /= n;
    for (uint i = 0; i < n; ++i) sum += (data[i * m + j] - mean) * (data[i * m + j] - mean);
    sum = sqrt(sum / n);
    deviation[j] = sum <= 0.005f ? 1.0f : sum;
  }
}
__kernel void fdtd2d_hz(__global float* restrict hz, __global const float* restrict ex, __global const float* restrict in, uint n) {
  const uint j = get_global_id(0), i = get_global_id(1);
  __global const float* ey = ex + n * (n + 1);
  if (i < n - 1 && j < n) hz[i * n + j] = ex[2 * n * (n + 1) + i * n + j] - 0.7f * (ex[i * (n + 1) + j + 1] - ex[i * (n + 1) + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
}
__kernel void adi_rows(__global float* restrict x, __global const float* restrict in, uint n) {  // a row an item, each value from the one before
  const uint i = get_global_id(0);
  if (i < n) {
    float b = in[i * n] + 2.0f, last = in[i * n];
    for (uint j = 1; j < n; ++j) {
      const float a = in[i * n + j];
      last = in[n * n + i * n + j] - last * a / b;
      b = 2.0f + in[i * n + j] - a * a / b;
      x[i * n + j] = last;
    }
  }
}
__kernel void adi_columns(__global float* restrict x, __global const float* restrict in, uint n) {
  const uint i = get_global_id(0);
  if (i < n) {
    float b = in[i] + 2.0f, last = in[i];
    for (uint j = 1; j < n; ++j) {
      const float a = in[j * n + i];
      last = in[n * n + j * n + i] - last * a / b;
      b = 2.0f + in[j * n + i] - a * a / b;
      x[j * n + i] = last;
    }
  }
}
__kernel void conv2d(__global float* restrict b, __global const float* restrict a, uint ni, uint nj) {
  const uint j = get_global_id(0), i = get_global_id(1);
  if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1)
    b[i * nj + j] = 0.2f * a[(i - 1) * nj + j - 1] - 0.3f * a[i * nj + j - 1] + 0.4f * a[(i + 1) * nj + j - 1] + 0.5f * a[(i - 1) * nj + j] + 0.6f * a[i * nj + j] +
                    0.7f * a[(i + 1) * nj + j] - 0.8f * a[(i - 1) * nj + j + 1] - 0.9f * a[i * nj + j + 1] + 0.1f * a[(i + 1) * nj + j + 1];
}
__kernel void conv3d(__global double* restrict b, __global const double* restrict a, uint n, uint planes) {
  const int k = get_global_id(0), j = get_global_id(1), m = n;
  if (k > 0 && k < m - 1 && j > 0 && j < m - 1)
    for (int i = 1; i < (int)planes - 1; ++i) {
      __global const double* p = a + (i * m + j) * m + k;
      b[(i * m + j) * m + k] = 2.0 * p[-m * m - m - 1] + 4.0 * p[m * m - m - 1] + 5.0 * p[-m * m - m + 1] + 7.0 * p[m * m - m + 1] - 8.0 * p[-m * m + 1] + 10.0 * p[m * m + 1] -
                               3.0 * p[-m] + 6.0 * p[0] - 9.0 * p[m] + 2.0 * p[-m * m + m - 1] + 4.0 * p[m * m + m - 1];
    }
}
__kernel void gramschmidt(__global float* restrict q, __global const float* restrict a, uint rows, uint columns) {  // column 0 against all others
  const uint j = get_global_id(0) + 1;
  if (j < columns) {
    float r = 0.0f;
    for (uint i = 0; i < rows; ++i) r += a[i * columns] * a[i * columns + j];
    for (uint i = 0; i < rows; ++i) q[i * columns + j] = a[i * columns + j] - a[i * columns] * r;
  }
}

// ---- AMD's samples
__kernel void matmul_blocks4(__global float4* restrict c, __global const float4* restrict a, uint n4) {  // 4 x 4 an item, without local memory; n4: quarters of the side
  const uint x = get_global_id(0), y = get_global_id(1);
  __global const float4* b = a + n4 * n4 * 4;
  float4 s0 = (float4)(0.0f), s1 = s0, s2 = s0, s3 = s0;
  for (uint i = 0; i < n4; ++i) {
    const float4 a0 = a[i + (y * 4) * n4], a1 = a[i + (y * 4 + 1) * n4], a2 = a[i + (y * 4 + 2) * n4], a3 = a[i + (y * 4 + 3) * n4];
    const float4 b0 = b[x + (i * 4) * n4], b1 = b[x + (i * 4 + 1) * n4], b2 = b[x + (i * 4 + 2) * n4], b3 = b[x + (i * 4 + 3) * n4];
    s0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
    s1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
    s2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
    s3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
  }
  c[x + (y * 4) * n4] = s0, c[x + (y * 4 + 1) * n4] = s1, c[x + (y * 4 + 2) * n4] = s2, c[x + (y * 4 + 3) * n4] = s3;
}
__kernel void matmul_local4(__global float4* restrict c, __global const float4* restrict a, uint n4) {  // groups of 16 x 16
  __local float4 tile[4][16 * 16];
  const uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  __global const float4* b = a + n4 * n4 * 4;
  float4 s0 = (float4)(0.0f), s1 = s0, s2 = s0, s3 = s0;
  for (uint i = 0; i < n4 / 16; ++i) {
    for (uint r = 0; r < 4; ++r) tile[r][lx + ly * 16] = a[i * 16 + lx + (y * 4 + r) * n4];
    LOCAL_SYNC;
    for (uint j = 0; j < 16; ++j) {
      const float4 a0 = tile[0][j + ly * 16], a1 = tile[1][j + ly * 16], a2 = tile[2][j + ly * 16], a3 = tile[3][j + ly * 16];
      const uint k = (i * 16 + j) * 4;
      const float4 b0 = b[x + k * n4], b1 = b[x + (k + 1) * n4], b2 = b[x + (k + 2) * n4], b3 = b[x + (k + 3) * n4];
      s0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
      s1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
      s2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
      s3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
    }
    LOCAL_SYNC;
  }
  c[x + (y * 4) * n4] = s0, c[x + (y * 4 + 1) * n4] = s1, c[x + (y * 4 + 2) * n4] = s2, c[x + (y * 4 + 3) * n4] = s3;
}
__kernel void binomial4(__global float4* restrict out, __global const float4* restrict in, uint steps) {  // an option of four prices a group of steps + 1 = 255 items at most
  __local float4 call_a[256], call_b[256];
  const uint tid = get_local_id(0), bid = get_group_id(0);
  const float4 random = in[bid], s = (1.0f - random) * 5.0f + random * 30.0f, x = (1.0f - random) + random * 100.0f, years = (1.0f - random) * 0.25f + random * 10.0f;
  const float4 dt = years * (1.0f / steps), vdt = 0.30f * sqrt(dt), rdt = 0.02f * dt, r = exp(rdt), by_r = 1.0f / r, u = exp(vdt), d = 1.0f / u;
  const float4 pu = (r - d) / (u - d), pd = 1.0f - pu, pu_r = pu * by_r, pd_r = pd * by_r;
  const float4 price = s * exp(vdt * (2.0f * tid - (float)steps)) - x;
  call_a[tid] = fmax(price, 0.0f);
  LOCAL_SYNC;
  for (int j = steps; j > 0; j -= 2) {
    if (tid < j) call_b[tid] = pu_r * call_a[tid] + pd_r * call_a[tid + 1];
    LOCAL_SYNC;
    if (tid < j - 1) call_a[tid] = pu_r * call_b[tid] + pd_r * call_b[tid + 1];
    LOCAL_SYNC;
  }
  if (tid == 0) out[bid] = call_a[0];
}
__kernel void dct8x8_amd(__global float* restrict out, __global const float* restrict in, __global const float* restrict dct, uint width) {  // groups of 8 x 8
  __local float inter[64];
  const uint gx = get_group_id(0), gy = get_group_id(1), i = get_local_id(0), j = get_local_id(1), base = gy * 8 * width + gx * 8;
  float sum = 0.0f;
  for (uint k = 0; k < 8; ++k) sum += dct[i * 8 + k] * in[base + k * width + j];
  inter[j * 8 + i] = sum;
  LOCAL_SYNC;
  sum = 0.0f;
  for (uint k = 0; k < 8; ++k) sum += inter[k * 8 + i] * dct[j * 8 + k];
  out[base + j * width + i] = sum;
}
__kernel void sobel_rgba(__global uchar4* restrict out, __global const uchar4* restrict in, uint width, uint height) {
  const uint x = get_global_id(0), y = get_global_id(1), c = x + y * width;
  if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1) {
    const float4 i00 = convert_float4(in[c - 1 - width]), i10 = convert_float4(in[c - width]), i20 = convert_float4(in[c + 1 - width]), i01 = convert_float4(in[c - 1]);
    const float4 i21 = convert_float4(in[c + 1]), i02 = convert_float4(in[c - 1 + width]), i12 = convert_float4(in[c + width]), i22 = convert_float4(in[c + 1 + width]);
    const float4 gx = i00 + (float4)(2) * i10 + i20 - i02 - (float4)(2) * i12 - i22, gy = i00 - i20 + (float4)(2) * i01 - (float4)(2) * i21 + i02 - i22;
    out[c] = convert_uchar4_sat(native_sqrt(gx * gx + gy * gy) / (float4)(2));
  }
}
__kernel void recursive_gaussian(__global uchar4* restrict out, __global const uchar4* restrict in, uint width, uint height) {
  const uint x = get_global_id(0);
  if (x >= width) return;
  float4 xp = (float4)(0.0f), yp = xp, yb = xp;
  for (uint y = 0; y < height; ++y) {
    const float4 xc = convert_float4(in[x + y * width]), yc = 0.3f * xc + 0.1f * xp - (-0.9f) * yp - 0.3f * yb;
    out[x + y * width] = convert_uchar4_sat(yc);
    xp = xc, yb = yp, yp = yc;
  }
  LOCAL_SYNC;
  float4 xn = (float4)(0.0f), xa = xn, yn = xn, ya = xn;
  for (int y = (int)height - 1; y >= 0; --y) {
    const float4 xc = convert_float4(in[x + y * width]), yc = 0.2f * xn + 0.1f * xa - (-0.9f) * yn - 0.3f * ya;
    xa = xn, xn = xc, ya = yn, yn = yc;
    out[x + y * width] = convert_uchar4_sat(convert_float4(out[x + y * width]) + yc);
  }
}
__kernel void urng(__global uchar4* restrict out, __global const uchar4* restrict in, uint factor) {
  __local int table[16 * 64];
  const uint at = get_global_id(0), tid = get_local_id(0);
  const float4 temp = convert_float4(in[at]);
  int idum = -(int)dot(temp, (float4)(0.25f)) - 1, iy = 0;
  for (int j = 16; j >= 0; --j) {
    const int k = idum / 127773;
    idum = 16807 * (idum - k * 127773) - 2836 * k;
    if (idum < 0) idum += 2147483647;
    if (j < 16) table[16 * tid + j] = idum;
  }
  iy = table[16 * tid];
  const int k = idum / 127773;
  idum = 16807 * (idum - k * 127773) - 2836 * k;
  if (idum < 0) idum += 2147483647;
  const int j = (iy / 134217728) & 15;
  iy = table[16 * tid + j];
  const float dev = (4.656612e-10f * iy - 0.55f) * (float)factor;
  out[at] = convert_uchar4_sat(temp + (float4)(dev));
}
__kernel void histogram256_bytes(__global uint* restrict bins, __global const uint* restrict data) {  // groups of 128, a byte a bin of each item
  __local uchar shared_bins[128 * 256];
  const uint lid = get_local_id(0), gid = get_global_id(0), group = get_group_id(0);
  __local uint4* clear = (__local uint4*)shared_bins;
  for (uint i = 0; i < 16; ++i) clear[128 * i + lid] = (uint4)(0);
  LOCAL_SYNC;
  for (uint i = 0; i < 128; ++i) {
    const uint value = data[group * 128 * 128 + i * 128 + lid] & 255;
    shared_bins[lid * 256 + value]++;
  }
  LOCAL_SYNC;
  for (uint i = 0; i < 2; ++i) {
    uint count = 0;
    for (uint j = 0; j < 128; ++j) count += shared_bins[j * 256 + i * 128 + lid];
    bins[group * 256 + i * 128 + lid] = count;
  }
}
__kernel void dwt_haar(__global float* restrict out, __global const float* restrict in, uint levels) {  // groups of 256 for 512 words
  __local float t[512];
  const uint lid = get_local_id(0), group = get_group_id(0), size = get_local_size(0);
  const float r = 0.70710678f;
  t[lid] = in[group * 512 + lid] * 0.0441942f, t[lid + size] = in[group * 512 + lid + size] * 0.0441942f;
  LOCAL_SYNC;
  uint active = size;
  for (uint i = 0; i < levels; ++i) {
    float a = 0, b = 0;
    if (lid < active) a = t[2 * lid], b = t[2 * lid + 1];
    LOCAL_SYNC;
    if (lid < active) {
      t[lid] = (a + b) * r;
      out[group * 512 + active + lid] = (a - b) * r;
    }
    LOCAL_SYNC;
    active >>= 1;
  }
  if (lid == 0) out[group * 512] = t[0];
}
__kernel void fast_walsh(__global float* restrict out, __global const float* restrict in, uint step) {
  const uint tid = get_global_id(0), group = tid % step, pair = 2 * step * (tid / step) + group, match = pair + step;
  const float a = in[pair], b = in[match];
  out[pair] = a + b;
  out[match] = a - b;
}
uint4 shift_left128(uint4 v, uint by) {
  const uint back = 32 - by;
  return (uint4)(v.x << by, v.y << by | v.x >> back, v.z << by | v.y >> back, v.w << by | v.z >> back);
}
uint4 shift_right128(uint4 v, uint by) {
  const uint back = 32 - by;
  return (uint4)(v.x >> by | v.y << back, v.y >> by | v.z << back, v.z >> by | v.w << back, v.w >> by);
}
__kernel void monte_carlo_asian(__global float4* restrict out, __global const uint4* restrict in, uint steps) {
  const uint i = get_global_id(0);
  uint4 r1 = in[i], r2 = in[i] * 1103515245u + 12345u;
  float4 trajectory = (float4)(50.0f), sum = trajectory, derived = (float4)(0.0f);
  for (uint s = 1; s < steps; ++s) {
    const uint4 a = r1 ^ shift_left128(r1, 8) ^ ((r2 >> 11) & (uint4)(0xdfffffefu, 0xddfecb7fu, 0xbffaffffu, 0xbffffff6u)) ^ shift_right128(r2, 8) ^ (r1 << 18);
    r1 = r2, r2 = a;
    const float4 u = (convert_float4(a >> 8) + 1.0f) * 5.9604e-8f, v = convert_float4(r1 >> 8) * 5.9604e-8f;
    const float4 normal = sqrt(-2.0f * log(u)) * cos(6.2831853f * v);
    trajectory *= exp(0.0005f + 0.03f * normal);
    sum += trajectory;
    derived += (log(trajectory) - 3.9f) * 0.01f;
  }
  const float4 mean = sum / (float)steps;
  out[2 * i] = fmax(mean - 55.0f, 0.0f);
  out[2 * i + 1] = select((float4)(0.0f), derived, isgreater(mean, (float4)(55.0f)));
}
uchar galois(uchar a, uchar b) {
  uchar p = 0;
  for (uint i = 0; i < 8; ++i) {
    if ((b & 1) == 1) p ^= a;
    const uchar high = a & 0x80;
    a <<= 1;
    if (high == 0x80) a ^= 0x1b;
    b >>= 1;
  }
  return p;
}
__kernel void aes_encrypt(__global uchar4* restrict out, __global const uchar4* restrict in, __global const uchar* restrict sbox, uint rounds) {  // groups of 4, a row of a block each
  __local uchar4 block0[64], block1[64];
  const uint lid = get_local_id(0), y = lid & 3, first = lid & ~3u, at = get_global_id(0);
  __global const uchar4* key = (__global const uchar4*)sbox + 64;
  uchar4 state = in[at] ^ key[y];
  for (uint r = 1; r < rounds; ++r) {
    state = (uchar4)(sbox[state.x], sbox[state.y], sbox[state.z], sbox[state.w]);
    state = y == 0 ? state : y == 1 ? state.yzwx : y == 2 ? state.zwxy : state.wxyz;
    block0[lid] = state;
    LOCAL_SYNC;
    const uchar4 b0 = block0[first + y], b1 = block0[first + ((y + 1) & 3)], b2 = block0[first + ((y + 2) & 3)], b3 = block0[first + ((y + 3) & 3)];
    block1[lid] = (uchar4)(galois(b0.x, 2) ^ galois(b1.x, 3) ^ b2.x ^ b3.x, galois(b0.y, 2) ^ galois(b1.y, 3) ^ b2.y ^ b3.y,
                           galois(b0.z, 2) ^ galois(b1.z, 3) ^ b2.z ^ b3.z, galois(b0.w, 2) ^ galois(b1.w, 3) ^ b2.w ^ b3.w);
    LOCAL_SYNC;
    state = block1[lid] ^ key[(r * 4 + y) & 63];
  }
  out[at] = state;
}
__kernel void transpose_float4(__global float4* restrict out, __global const float4* restrict in, uint n4) {  // groups of 16 x 16, 64 x 64 floats each
  __local float4 block[16 * 64];
  const uint lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0), gy = get_group_id(1), from = (gy * 64 + ly * 4) * n4 + gx * 16 + lx;
  const uint at = ly * 64 + lx;
  block[at] = in[from], block[at + 16] = in[from + n4], block[at + 32] = in[from + 2 * n4], block[at + 48] = in[from + 3 * n4];
  LOCAL_SYNC;
  const uint other = lx * 64 + ly;
  const float4 v0 = block[other], v1 = block[other + 16], v2 = block[other + 32], v3 = block[other + 48];
  const uint to = (gx * 64 + ly * 4) * n4 + gy * 16 + lx;
  out[to] = (float4)(v0.x, v1.x, v2.x, v3.x), out[to + n4] = (float4)(v0.y, v1.y, v2.y, v3.y);
  out[to + 2 * n4] = (float4)(v0.z, v1.z, v2.z, v3.z), out[to + 3 * n4] = (float4)(v0.w, v1.w, v2.w, v3.w);
}
double phi(double x) {
  const double y = 1.0 / (1.0 + 0.2316419 * fabs(x));
  const double z = exp(-x * x / 2.0) * 0.398942280 * y * (0.319381530 + y * (-0.356563782 + y * (1.781477937 + y * (-1.821255978 + y * 1.330274429))));
  return x < 0.0 ? z : 1.0 - z;
}
__kernel void black_scholes_dp(__global double* restrict call, __global double* restrict put, __global const float* restrict in) {
  const uint i = get_global_id(0);
  const double random = in[i], s = 10.0 + 90.0 * random, k = 10.0 + 90.0 * (1.0 - random), t = 1.0 + 9.0 * random, r = 0.01 + 0.04 * random, sigma = 0.01 + 0.09 * random;
  const double root = sigma * sqrt(t), d1 = (log(s / k) + (r + sigma * sigma / 2.0) * t) / root, d2 = d1 - root, discount = k * exp(-r * t);
  call[i] = s * phi(d1) - discount * phi(d2);
  put[i] = discount * phi(-d2) - s * phi(-d1);
}
__kernel void quasi_random(__global float* restrict out, __global const uint* restrict directions, uint count) {  // a group a dimension
  __local uint v[32];
  const uint lid = get_local_id(0), dimension = get_group_id(0);
  if (lid < 32) v[lid] = directions[dimension * 32 + lid] | 1u << (31 - lid);
  LOCAL_SYNC;
  for (uint i = lid; i < count; i += get_local_size(0)) {
    uint x = 0;
    for (uint k = 0; k < 32; ++k) {
      const uint mask = 1u << k;
      x ^= ((i & mask) >> k) * v[k];
    }
    out[dimension * count + i] = (float)x * 2.3283064e-10f;
  }
}
__kernel void eigen_count(__global uint* restrict counts, __global const float* restrict diagonal, uint n) {  // Sturm counts of a tridiagonal matrix
  const uint i = get_global_id(0);
  const float limit = -2.0f + 5.0f * (float)i / (float)get_global_size(0);
  uint below = 0;
  float d = diagonal[0] - limit;
  if (d < 0.0f) below = 1;
  for (uint k = 1; k < n; ++k) {
    const float off = diagonal[n + k - 1];
    d = diagonal[k] - limit - off * off / d;
    if (d < 0.0f) ++below;
  }
  counts[i] = below;
}

// ---- NVIDIA's samples
__kernel void mersenne19(__global float* restrict out, __global const uint* restrict seeds, uint per) {  // with its state in private memory
  const uint id = get_global_id(0), size = get_global_size(0);
  uint mt[19];
  mt[0] = seeds[id];
  for (int s = 1; s < 19; ++s) mt[s] = 1812433253u * (mt[s - 1] ^ (mt[s - 1] >> 30)) + s;
  int s = 0;
  uint last = mt[0];
  for (uint i = 0; i < per; ++i) {
    int next = s + 1, middle = s + 9;
    if (next >= 19) next -= 19;
    if (middle >= 19) middle -= 19;
    const uint now = last;
    last = mt[next];
    uint x = (now & 0xfffffffeu) | (last & 1);
    x = mt[middle] ^ (x >> 1) ^ ((x & 1) ? 0x9908b0dfu : 0);
    mt[s] = x;
    s = next;
    x ^= x >> 12;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    x ^= x >> 18;
    out[i * size + id] = ((float)x + 1.0f) / 4294967296.0f;
  }
}
__kernel void convolution_columns(__global float* restrict out, __global const float* restrict in, __global const float* restrict weights, uint height, uint pitch) {  // groups of 16 x 8, eight rows an item
  __local float column[16][(8 + 2) * 8 + 1];
  const uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0);
  const int y0 = (int)(get_group_id(1) * 8 - 1) * 8 + (int)ly;
  for (int i = 0; i < 10; ++i) {
    const int y = y0 + i * 8;
    column[lx][ly + i * 8] = y >= 0 && y < (int)height ? in[y * (int)pitch + (int)x] : 0.0f;
  }
  LOCAL_SYNC;
#pragma unroll
  for (int i = 1; i < 9; ++i) {
    float sum = 0.0f;
    for (int j = -8; j <= 8; ++j) sum += weights[8 - j] * column[lx][(int)ly + i * 8 + j];
    out[(y0 + i * 8) * (int)pitch + (int)x] = sum;
  }
}
uint4 scan4(uint4 v, __local uint* memory) {
  uint4 sums = v;
  sums.y += sums.x, sums.z += sums.y, sums.w += sums.z;
  uint at = get_local_id(0);
  memory[at] = 0;
  at += 256;
  uint t = sums.w;
  memory[at] = t;
  LOCAL_SYNC;
  for (uint i = 1; i < 256; i *= 2) {
    const uint other = memory[at - i];
    LOCAL_SYNC;
    t += other;
    memory[at] = t;
    LOCAL_SYNC;
  }
  return (uint4)(t - sums.w) + (uint4)(0, sums.x, sums.y, sums.z);
}
__kernel void radix_blocks(__global uint4* restrict out, __global const uint4* restrict in, uint bits, uint start) {  // groups of 256, four keys an item
  __local uint memory[512], keys[1024], trues;
  const uint lid = get_local_id(0);
  uint4 key = in[get_global_id(0)];
  for (uint shift = start; shift < start + bits; ++shift) {
    const uint4 low = (uint4)(!(key.x >> shift & 1), !(key.y >> shift & 1), !(key.z >> shift & 1), !(key.w >> shift & 1));
    const uint4 address = scan4(low, memory);
    if (lid == 255) trues = address.w + low.w;
    LOCAL_SYNC;
    const uint4 at = (uint4)(lid * 4, lid * 4 + 1, lid * 4 + 2, lid * 4 + 3);
    const uint x = low.x ? address.x : trues + at.x - address.x, y = low.y ? address.y : trues + at.y - address.y;
    const uint z = low.z ? address.z : trues + at.z - address.z, w = low.w ? address.w : trues + at.w - address.w;
    keys[(x & 3) * 256 + (x >> 2)] = key.x, keys[(y & 3) * 256 + (y >> 2)] = key.y, keys[(z & 3) * 256 + (z >> 2)] = key.z, keys[(w & 3) * 256 + (w >> 2)] = key.w;
    LOCAL_SYNC;
    key = (uint4)(keys[lid], keys[lid + 256], keys[lid + 512], keys[lid + 768]);
    LOCAL_SYNC;
  }
  out[get_global_id(0)] = key;
}
__kernel void cyclic_reduction(__global float* restrict x, __global const float* restrict in, uint systems) {  // 256 equations a group of 128
  __local float a[256], b[256], c[256], d[256], r[256];
  const uint lid = get_local_id(0), base = get_group_id(0) * 256;
  for (uint i = lid; i < 256; i += 128) {
    a[i] = i == 0 ? 0.0f : in[base + i], b[i] = 4.0f + in[systems * 256 + base + i], c[i] = i == 255 ? 0.0f : in[2 * systems * 256 + base + i];
    d[i] = in[3 * systems * 256 + base + i];
  }
  uint stride = 1;
  for (uint count = 128; count > 1; count /= 2) {
    LOCAL_SYNC;
    stride *= 2;
    if (lid < count) {
      const uint i = stride * lid + stride - 1, left = i - stride / 2, right = min(i + stride / 2, 255u);
      if (right == i) {
        const float k = a[i] / b[left];
        b[i] -= c[left] * k, d[i] -= d[left] * k, a[i] = -a[left] * k, c[i] = 0.0f;
      } else {
        const float k1 = a[i] / b[left], k2 = c[i] / b[right];
        b[i] -= c[left] * k1 + a[right] * k2, d[i] -= d[left] * k1 + d[right] * k2, a[i] = -a[left] * k1, c[i] = -c[right] * k2;
      }
    }
  }
  LOCAL_SYNC;
  if (lid < 2) {
    const float det = b[127] * b[255] - c[127] * a[255];
    r[lid ? 255 : 127] = lid ? (d[255] * b[127] - d[127] * a[255]) / det : (d[127] * b[255] - c[127] * d[255]) / det;
  }
  for (uint count = 2; count <= 128; count *= 2) {
    const uint half_stride = stride / 2;
    LOCAL_SYNC;
    if (lid < count) {
      const uint i = stride * lid + half_stride - 1;
      if (lid == 0) r[i] = (d[i] - c[i] * r[i + half_stride]) / b[i];
      else r[i] = (d[i] - a[i] * r[i - half_stride] - c[i] * r[min(i + half_stride, 255u)]) / b[i];
    }
    stride = half_stride;
  }
  LOCAL_SYNC;
  for (uint i = lid; i < 256; i += 128) x[base + i] = r[i];
}

// ---- Parboil, Hetero-Mark, PENNANT, CLBlast
__kernel void cutcp(__global float* restrict lattice, __global const float4* restrict atoms, uint bins) {  // groups of 8 x 8 x 2 flattened, eight atoms a bin
  __local float4 bin[8 * 16];
  const uint lid = get_local_id(0), group = get_group_id(0);
  const float x = (float)(lid & 7) * 0.06f, y = (float)(lid >> 3 & 7) * 0.06f, z = (float)(lid >> 6) * 0.06f;
  float energy0 = 0.0f, energy1 = 0.0f, energy2 = 0.0f, energy3 = 0.0f;
  for (uint b = 0; b < 27; b += 16) {
    LOCAL_SYNC;
    bin[lid] = atoms[((group * 7 + b * 8) % bins) * 8 + lid];
    LOCAL_SYNC;
    const uint count = min(16u, 27 - b) * 8;
    for (uint k = 0; k < count; ++k) {
      const float4 atom = bin[k];
      const float dx = atom.x - x, dy = atom.y - y;
      float dz = atom.z - z, r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < 0.36f) energy0 += atom.w * native_rsqrt(r2 + 1e-6f) * (1.0f - r2 * 2.7777f) * (1.0f - r2 * 2.7777f);
      dz -= 0.12f, r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < 0.36f) energy1 += atom.w * native_rsqrt(r2 + 1e-6f) * (1.0f - r2 * 2.7777f) * (1.0f - r2 * 2.7777f);
      dz -= 0.12f, r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < 0.36f) energy2 += atom.w * native_rsqrt(r2 + 1e-6f) * (1.0f - r2 * 2.7777f) * (1.0f - r2 * 2.7777f);
      dz -= 0.12f, r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < 0.36f) energy3 += atom.w * native_rsqrt(r2 + 1e-6f) * (1.0f - r2 * 2.7777f) * (1.0f - r2 * 2.7777f);
    }
  }
  const uint at = group * 512 + lid;
  lattice[at] = energy0, lattice[at + 128] = energy1, lattice[at + 256] = energy2, lattice[at + 384] = energy3;
}
__kernel void background_extract(__global uchar* restrict foreground, __global const uchar* restrict frames, uint pixels, uint count) {  // three bytes a pixel, count frames
  const uint i = get_global_id(0);
  if (i >= pixels) return;
  float background = frames[i];
  for (uint f = 1; f < count; ++f) {
    const uchar now = frames[f * pixels + i];
    const uchar apart = abs_diff(now, (uchar)background);
    foreground[f * pixels + i] = apart > 40 ? now : 0;
    background = background * 0.97f + now * 0.03f;
  }
}
__kernel void pennant_sides(__global double* restrict zone, __global const double2* restrict points, __global const uint* restrict map, uint n) {
  __local double area[256], volume[256];
  const uint s = get_global_id(0), lid = get_local_id(0), next = (lid & ~3u) | ((lid + 1) & 3);
  const uint p1 = (s + (map[s] & 255)) & (n - 1), p2 = (s + (map[s ^ 1] & 255)) & (n - 1);
  const double2 a = points[p1], b = points[p2], centre = 0.25 * (points[s & (n - 1)] + points[(s + 1) & (n - 1)] + a + b), edge = 0.5 * (a + b);
  const double sa = 0.5 * ((b.x - a.x) * (centre.y - a.y) - (b.y - a.y) * (centre.x - a.x)), sv = sa * (a.x + b.x + centre.x) * (1.0 / 3.0);
  area[lid] = sa, volume[lid] = sv;
  LOCAL_SYNC;
  double total_area = sa, total_volume = sv;
  for (uint k = 1, at = next; k < 4; ++k, at = (at & ~3u) | ((at + 1) & 3)) total_area += area[at], total_volume += volume[at];
  const double rho = 1.0 / (fabs(total_volume) + 1e-3), pressure = rho * 0.4 * (edge.x * edge.x + edge.y * edge.y), sound = sqrt(1.4 * pressure / rho);
  zone[s] = total_area * pressure + fmax(sound, 1e-9) * hypot(edge.x - centre.x, edge.y - centre.y);
}
__kernel void xger(__global float* restrict a, __global const float* restrict x, uint n, uint m) {  // CLBlast: rank one, four by four an item
  const uint id1 = get_global_id(0), id2 = get_global_id(1), gs1 = get_global_size(0), gs2 = get_global_size(1);
  float xs[4], ys[4];
  for (uint i = 0; i < 4; ++i) xs[i] = x[i * gs1 + id1], ys[i] = x[n + i * gs2 + id2];
  for (uint j = 0; j < 4; ++j)
    for (uint i = 0; i < 4; ++i)
      if (i * gs1 + id1 < n && j * gs2 + id2 < m) a[(j * gs2 + id2) * n + i * gs1 + id1] += 2.5f * xs[i] * ys[j];
}
__kernel void xdot(__global float* restrict out, __global const float* restrict x, __global const float* restrict y, uint n) {
  __local float part[128];
  const uint lid = get_local_id(0);
  float sum = 0.0f;
  for (uint id = get_global_id(0); id < n; id += 128 * get_num_groups(0)) sum += x[id] * (float)(as_uint(y[id]) >> 8);
  part[lid] = sum;
  LOCAL_SYNC;
  for (uint s = 64; s > 0; s = s >> 1) {
    if (lid < s) part[lid] += part[lid + s];
    LOCAL_SYNC;
  }
  if (lid == 0) out[get_group_id(0)] = part[0];
}
