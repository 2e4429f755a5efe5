// Kernels in OpenCL C as programs of every day have them, whose times a real H100 and the model are compared by. Sizes and launches: programs.py.
#define KERNEL(NAME) __kernel void NAME(__global uint* restrict out, __global const uint* restrict in, uint n)
#define ITEM ((uint)get_global_id(0))
#define LOCAL_ITEM ((uint)get_local_id(0))
#define FLOATS(P) ((__global const float*)(P))

// ---- control flow by data
// A byte code machine: one operation of eight at a time, work-items in step within a row of 32.
uint operate(uint op, uint a, uint b) {
  switch (op & 7) {
    case 0: return a + b;
    case 1: return a * b;
    case 2: return a ^ (b >> 3);
    case 3: return rotate(a, b & 31);
    case 4: return a > b ? a - b : b - a;
    case 5: return popcount(a) + b;
    case 6: return (a << 3) | (b >> 29);
    default: return mul_hi(a, b);
  }
}
KERNEL(byte_code) {
  uint a = ITEM, b = n;
  for (uint i = 0; i < n; ++i) a = operate(in[(ITEM / 32 + i) & 0xffff] , a, b += i);
  out[ITEM] = a;
}
KERNEL(byte_code_apart) {
  uint a = ITEM, b = n;
  for (uint i = 0; i < n; ++i) a = operate(in[(ITEM + i) & 0xffff], a, b += i);
  out[ITEM] = a;
}
KERNEL(collatz) {
  ulong x = ITEM + 1;
  uint steps = 0;
  while (x != 1 && steps < n) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    ++steps;
  }
  out[ITEM] = steps;
}
KERNEL(gcd) {
  uint a = in[ITEM] | 1, b = in[ITEM ^ 1] | 1;
  while (b != 0) {
    const uint t = a % b;
    a = b, b = t;
  }
  out[ITEM] = a;
}
// Queens on a board of n, the first two rows by the work-item.
KERNEL(queens) {
  const uint full = (1u << n) - 1;
  uint columns[16], left[16], right[16], open[16];
  const uint first = 1u << (ITEM % n), second = 1u << (ITEM / n % n);
  uint found = 0;
  int row = 2;
  columns[2] = first | second, left[2] = ((first << 1) | second) << 1, right[2] = ((first >> 1) | second) >> 1;
  if ((second & (first | first << 1 | first >> 1)) != 0) row = 1;
  else open[2] = full & ~(columns[2] | left[2] | right[2]);
  while (row >= 2) {
    const uint at = open[row] & -open[row];
    if (at == 0) { --row; continue; }
    open[row] ^= at;
    const uint c = columns[row] | at;
    if (c == full) { ++found; continue; }
    const uint l = (left[row] | at) << 1, r = (right[row] | at) >> 1;
    ++row;
    columns[row] = c, left[row] = l, right[row] = r, open[row] = full & ~(c | l | r);
  }
  out[ITEM] = found;
}
KERNEL(binary_search) {
  const uint wanted = (uint)(((ulong)ITEM * 2654435761u) >> 8) % n;
  uint low = 0, high = n;
  while (low < high) {
    const uint middle = (low + high) / 2;
    if ((in[middle] & 1) + 2 * middle < 2 * wanted) low = middle + 1;
    else high = middle;
  }
  out[ITEM] = low;
}

// ---- atomics
KERNEL(table_insert) {
  const uint key = in[ITEM] | 1, mask = n - 1;
  uint at = (key * 2654435761u) & mask;
  for (uint tries = 0; tries < 64; ++tries) {
    const uint there = atomic_cmpxchg((volatile __global uint*)out + at, 0u, key);
    if (there == 0 || there == key) break;
    at = (at + 1) & mask;
  }
}
KERNEL(add_float_by_exchange) {
  volatile __global uint* at = (volatile __global uint*)out + in[ITEM] % n;
  uint before = *at, seen;
  do {
    seen = before;
    before = atomic_cmpxchg(at, seen, as_uint(as_float(seen) + 1.0f));
  } while (before != seen);
}
KERNEL(compact) {
  const uint value = in[ITEM];
  if (value % 5 == 0) {
    const uint at = atomic_inc((volatile __global uint*)out);
    out[1 + at % n] = value;
  }
}
KERNEL(histogram_16) {
  __local uint bins[256];
  bins[LOCAL_ITEM] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = ITEM; i < n; i += get_global_size(0)) {
    const uint word = in[i];
    atomic_inc(&bins[word & 255]), atomic_inc(&bins[word >> 8 & 255]);
    atomic_inc(&bins[word >> 16 & 255]), atomic_inc(&bins[word >> 24]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add((volatile __global uint*)out + LOCAL_ITEM, bins[LOCAL_ITEM]);
}
KERNEL(extremes) {
  __local int low, high;
  if (LOCAL_ITEM == 0) low = INT_MAX, high = INT_MIN;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = ITEM; i < n; i += get_global_size(0)) {
    atomic_min(&low, (int)in[i]);
    atomic_max(&high, (int)in[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LOCAL_ITEM == 0) {
    atomic_min((volatile __global int*)out, low);
    atomic_max((volatile __global int*)out + 1, high);
  }
}

// ---- integers
KERNEL(philox) {
  uint4 c = (uint4)(ITEM, 0, n, 7);
  uint sum = 0;
  for (uint i = 0; i < n; ++i) {
    uint k0 = 0x9E3779B9u + i, k1 = 0xBB67AE85u;
    for (uint r = 0; r < 10; ++r) {
      const uint h0 = mul_hi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = mul_hi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
      c = (uint4)(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
      k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    sum += c.x;
  }
  out[ITEM] = sum;
}
KERNEL(chacha) {
  uint x[16];
  for (uint i = 0; i < 16; ++i) x[i] = in[(ITEM + i) & 0xffff];
#define QUARTER(a, b, c, d)                                                                                  \
  x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16u), x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12u), x[a] += x[b], \
      x[d] = rotate(x[d] ^ x[a], 8u), x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7u);
  for (uint i = 0; i < n; ++i) {
    QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
    QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
  }
  uint sum = 0;
  for (uint i = 0; i < 16; ++i) sum ^= x[i];
  out[ITEM] = sum;
}
KERNEL(sha_words) {
  uint w[16], a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (uint i = 0; i < 16; ++i) w[i] = in[(ITEM * 16 + i) & 0xfffff];
#pragma unroll 16
  for (uint i = 0; i < 64; ++i) {
    if (i >= 16) {
      const uint s0 = w[(i + 1) & 15], s1 = w[(i + 14) & 15];
      w[i & 15] += (rotate(s0, 25u) ^ rotate(s0, 14u) ^ s0 >> 3) + w[(i + 9) & 15] + (rotate(s1, 15u) ^ rotate(s1, 13u) ^ s1 >> 10);
    }
    const uint t1 = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + bitselect(g, f, e) + 0x428a2f98u + i * 0x71374491u + w[i & 15];
    const uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & b) | (c & (a | b)));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  out[ITEM] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
KERNEL(modulo_by_value) {
  uint x = in[ITEM], sum = 0;
  const uint by = in[ITEM / 256] | 1;
  for (uint i = 0; i < n; ++i) {
    sum += x % (by + i);
    x = x / (3 + (sum & 7)) + ITEM;
  }
  out[ITEM] = sum;
}
KERNEL(modulo_of_64_bits) {
  ulong x = ((ulong)in[ITEM] << 32) | in[ITEM ^ 1];
  ulong sum = 0;
  for (uint i = 0; i < n; ++i) {
    sum += x % (in[i] | 0x100000001ul);
    x = x * 6364136223846793005ul + 1442695040888963407ul;
  }
  out[ITEM] = (uint)sum;
}
KERNEL(bytes_dot) {
  __global const uchar4* bytes = (__global const uchar4*)in;
  int sum = 0;
  for (uint i = 0; i < n; ++i) {
    const uchar4 a = bytes[(ITEM + i * 64) & 0xfffff], b = bytes[i];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  out[ITEM] = sum;
}

// ---- functions
KERNEL(sines) {
  float x = (float)ITEM * 0.001f, sum = 0;
  for (uint i = 0; i < n; ++i) sum += sin(x) * cos(x * 0.5f), x += 0.37f;
  out[ITEM] = as_uint(sum);
}
KERNEL(powers) {
  float x = 1.0f + (float)(ITEM & 1023) * 0.001f, sum = 0;
  for (uint i = 0; i < n; ++i) sum += pow(x, 1.5f + sum * 1e-6f) + exp(-x) + log(x + 1), x += 0.01f;
  out[ITEM] = as_uint(sum);
}
KERNEL(tangents) {
  float x = 0.3f + (float)(ITEM & 1023) * 0.0005f, sum = 0;
  for (uint i = 0; i < n; ++i) sum += tanh(x) + atan2(x, 0.7f + sum * 1e-6f) + erf(x), x += 0.01f;
  out[ITEM] = as_uint(sum);
}
KERNEL(roots_in_double) {
  double x = 1.0 + (double)ITEM, sum = 0;
  for (uint i = 0; i < n; ++i) sum += sqrt(x) / (x + sum), x += 1.5;
  out[ITEM] = (uint)(sum * 1e6);
}
KERNEL(gravity_in_double) {
  double ax = 0, ay = 0;
  const double x = ITEM * 0.5, y = ITEM * 0.25;
  for (uint i = 0; i < n; ++i) {
    const double dx = i - x, dy = 2.0 * i - y, d2 = dx * dx + dy * dy + 0.01;
    const double r = rsqrt(d2);
    ax += dx * r * r * r, ay += dy * r * r * r;
  }
  out[ITEM] = (uint)(ax + ay);
}

// ---- memory and local memory
KERNEL(stencil_3d) {  // n: items of an edge
  const uint x = ITEM % n, y = ITEM / n % n, z = ITEM / n / n;
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) return;
  __global const float* f = FLOATS(in) + ITEM;
  const int row = n, plane = n * n;
  ((__global float*)out)[ITEM] = 0.4f * f[0] + 0.1f * (f[-1] + f[1] + f[-row] + f[row] + f[-plane] + f[plane]);
}
KERNEL(sort_in_group) {
  __local uint keys[512];
  const uint base = get_group_id(0) * 512;
  keys[LOCAL_ITEM] = in[base + LOCAL_ITEM], keys[LOCAL_ITEM + 256] = in[base + LOCAL_ITEM + 256];
  for (uint size = 2; size <= 512; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * LOCAL_ITEM - (LOCAL_ITEM & (stride - 1)), high = low + stride;
      const uint a = keys[low], b = keys[high];
      if ((a > b) == ((low & size) == 0)) keys[low] = b, keys[high] = a;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + LOCAL_ITEM] = keys[LOCAL_ITEM], out[base + LOCAL_ITEM + 256] = keys[LOCAL_ITEM + 256];
}
KERNEL(scan_in_group) {
  __local uint sums[256];
  uint value = in[ITEM];
  sums[LOCAL_ITEM] = value;
  for (uint by = 1; by < 256; by *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = LOCAL_ITEM >= by ? sums[LOCAL_ITEM - by] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[LOCAL_ITEM] = value += other;
  }
  out[ITEM] = value;
}
KERNEL(edit_distance) {  // a group for each pair of strings, a diagonal at a time
  __local int rows[3][257];
  __local uint text[256];
  text[LOCAL_ITEM] = in[get_group_id(0) * 256 + LOCAL_ITEM] & 3;
  const uint mine = in[(get_group_id(0) * 256 + LOCAL_ITEM) ^ 0x5555] & 3;
  for (uint i = 0; i < 3; ++i) rows[i][LOCAL_ITEM + 1] = LOCAL_ITEM + 1;
  if (LOCAL_ITEM < 3) rows[LOCAL_ITEM][0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 0; d < n; ++d) {
    const int j = (int)d - (int)LOCAL_ITEM;
    __local int* now = rows[d % 3];
    __local const int *last = rows[(d + 2) % 3], *before = rows[(d + 1) % 3];
    if (j >= 0 && j < 256) now[LOCAL_ITEM + 1] = min(min(last[LOCAL_ITEM + 1], last[LOCAL_ITEM]) + 1, before[LOCAL_ITEM] + (text[j] != mine));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[ITEM] = rows[0][LOCAL_ITEM + 1];
}
KERNEL(columns_to_rows_64) {
  __local ulong tile[16][17];
  const uint x = get_group_id(0) % (n / 16), y = get_group_id(0) / (n / 16), i = LOCAL_ITEM % 16, j = LOCAL_ITEM / 16;
  tile[j][i] = ((__global const ulong*)in)[(y * 16 + j) * n + x * 16 + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  ((__global ulong*)out)[(x * 16 + j) * n + y * 16 + i] = tile[i][j];
}
KERNEL(insertion_sort) {
  uint keys[24];
  for (uint i = 0; i < n; ++i) keys[i] = in[(ITEM * 24 + i) & 0xfffff];
  for (uint i = 1; i < n; ++i) {
    const uint key = keys[i];
    int j = (int)i - 1;
    while (j >= 0 && keys[j] > key) keys[j + 1] = keys[j], --j;
    keys[j + 1] = key;
  }
  out[ITEM] = keys[n / 2];
}
KERNEL(solve_8) {  // a system of 8 equations for each work-item
  float m[8][9];
  for (uint r = 0; r < 8; ++r)
    for (uint c = 0; c < 9; ++c) m[r][c] = FLOATS(in)[(ITEM + r * 9 + c) & 0xfffff] + (r == c ? 10 : 0);
  for (uint k = 0; k < 8; ++k) {
    const float by = 1 / m[k][k];
    for (uint r = 0; r < 8; ++r) {
      if (r == k) continue;
      const float factor = m[r][k] * by;
      for (uint c = k; c < 9; ++c) m[r][c] -= factor * m[k][c];
    }
  }
  float sum = 0;
  for (uint r = 0; r < 8; ++r) sum += m[r][8] / m[r][r];
  out[ITEM] = as_uint(sum + n);
}
KERNEL(short_rows) {  // sums of rows of n words, a work-item each: uncoalesced
  uint sum = 0;
  for (uint i = 0; i < n; ++i) sum += in[ITEM * n + i];
  out[ITEM] = sum;
}
KERNEL(long_rows) {  // a group for each row
  __local float parts[256];
  float sum = 0;
  for (uint i = LOCAL_ITEM; i < n; i += 256) {
    const float x = FLOATS(in)[get_group_id(0) * n + i];
    sum += x * x;
  }
  parts[LOCAL_ITEM] = sum;
  for (uint by = 128; by > 0; by /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (LOCAL_ITEM < by) parts[LOCAL_ITEM] += parts[LOCAL_ITEM + by];
  }
  if (LOCAL_ITEM == 0) out[get_group_id(0)] = as_uint(parts[0]);
}
KERNEL(separable_filter) {  // 1024 to a row
  __local float row[256 + 16];
  const uint x = ITEM & 1023;
  row[LOCAL_ITEM + 8] = FLOATS(in)[ITEM];
  if (LOCAL_ITEM < 8) row[LOCAL_ITEM] = x >= 8 ? FLOATS(in)[ITEM - 8] : 0;
  if (LOCAL_ITEM >= 248) row[LOCAL_ITEM + 16] = x < 1016 ? FLOATS(in)[ITEM + 8] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = 0; i < 17; ++i) sum += row[LOCAL_ITEM + i] * (1.0f / (1 + i));
  out[ITEM] = as_uint(sum);
}
KERNEL(look_up) {  // four bytes of each word through a table in local memory
  __local uint table[1024];
  for (uint i = LOCAL_ITEM; i < 1024; i += 256) table[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint x = in[ITEM];
  for (uint i = 0; i < n; ++i) x = table[x & 255] ^ table[256 + (x >> 8 & 255)] ^ table[512 + (x >> 16 & 255)] ^ table[768 + (x >> 24)];
  out[ITEM] = x;
}
KERNEL(half_precision_axpy) {
  const float2 a = vload_half2(ITEM, (__global const half*)in), b = vload_half2(ITEM, (__global const half*)out);
  vstore_half2(a * 0.5f + b, ITEM, (__global half*)out);
}
