typedef unsigned u32;
#define TID __nvvm_read_ptx_sreg_tid_x()
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define GDIM(x) __nvvm_read_ptx_sreg_ntid_x()
#define K extern "C" __attribute__((global)) void
#define INLINE static __attribute__((device)) __attribute__((always_inline)) inline
INLINE u32 any32(u32 x) { return __nvvm_match_any_sync_i32(-1, x); }
INLINE u32 any64(unsigned long long x) { return __nvvm_match_any_sync_i64(-1, x); }
// What match.any and match.all cost by the number of different values among the lanes. A chain: the key of the next one depends on the mask.
K chain_any(u32* out, u32 distinct, u32 n) {
  u32 key = (TID & 31) % distinct, sum = 0;
  for (u32 i = 0; i < n; ++i) { const u32 m = any32(key); key += m == 0; sum += m; }
  out[BID * GDIM() + TID] = sum + key;
}
K chain_any64(u32* out, u32 distinct, u32 n) {
  unsigned long long key = (TID & 31) % distinct; u32 sum = 0;
  for (u32 i = 0; i < n; ++i) { const u32 m = any64(key << 20); key += m == 0; sum += m; }
  out[BID * GDIM() + TID] = sum + (u32)key;
}
K chain_all(u32* out, u32 distinct, u32 n) {
  u32 key = (TID & 31) % distinct, sum = 0;
  for (u32 i = 0; i < n; ++i) { u32 m; asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, -1; }" : "=r"(m) : "r"(key)); key += m == 77; sum += m; }
  out[BID * GDIM() + TID] = sum + key;
}
// Four at a time that do not depend on each other.
K four_any(u32* out, u32 distinct, u32 n) {
  u32 a = (TID & 31) % distinct, b = a + 1, c = a + 2, d = a + 3, sum = 0;
  for (u32 i = 0; i < n; i += 4) {
    const u32 p = any32(a), q = any32(b), r = any32(c), s = any32(d);
    a += p == 0; b += q == 0; c += r == 0; d += s == 0; sum += p + q + r + s;
  }
  out[BID * GDIM() + TID] = sum + a + b + c + d;
}
K four_all(u32* out, u32 distinct, u32 n) {
  u32 a = (TID & 31) % distinct, b = a + 1, c = a + 2, d = a + 3, sum = 0;
#define ALL(m, k) asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, -1; }" : "=r"(m) : "r"(k));
  for (u32 i = 0; i < n; i += 4) {
    u32 p, q, r, s; ALL(p, a) ALL(q, b) ALL(r, c) ALL(s, d)
    a += p == 77; b += q == 77; c += r == 77; d += s == 77; sum += p + q + r + s;
  }
  out[BID * GDIM() + TID] = sum + a + b + c + d;
}
