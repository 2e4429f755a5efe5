"""What the five spaces share: the prelude of the kernels' text, x, and the writing of NAME.cu, NAME.job, NAME.once.job and NAME.check.job.
(write_jobs is that of experiments/h200-timing/fresh.py, with launches that prepare buffers before, and NAME.check.job besides.)"""
import pathlib
import random
import sys

K, M = 1 << 10, 1 << 20

PRELUDE = r'''#define KERNEL(threads, groups) extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, groups))) void
#define KERNEL1(threads) extern "C" __attribute__((global)) __attribute__((launch_bounds(threads))) void
#define INLINE static __attribute__((device)) __attribute__((always_inline)) inline
#define SHARED __attribute__((shared)) static
#define TID __nvvm_read_ptx_sreg_tid_x()
#define TIDY __nvvm_read_ptx_sreg_tid_y()
#define BID __nvvm_read_ptx_sreg_ctaid_x()
#define BIDY __nvvm_read_ptx_sreg_ctaid_y()
#define GDIM __nvvm_read_ptx_sreg_nctaid_x()
#define SYNC __syncthreads()
#define R __restrict__
typedef unsigned u32;
typedef unsigned long long u64;
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef u32 u2 __attribute__((ext_vector_type(2)));
typedef u32 u4 __attribute__((ext_vector_type(4)));
INLINE float rsq(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
INLINE float rcp(float x) { return __nvvm_rcp_approx_ftz_f(x); }
INLINE float bfly(float x, u32 m) { return __nvvm_shfl_sync_bfly_f32(-1, x, m, 31); }
template <u32 L> INLINE float from(float x, u32 lane) { return __nvvm_shfl_sync_idx_f32(-1, x, lane, (32 - L) << 8 | 31); }  // in segments of L
INLINE void warp_sync() { __nvvm_bar_warp_sync(-1); }
INLINE u32 match(u32 x) { return __nvvm_match_any_sync_i32(-1, x); }
INLINE u32 add(u32* p, u32 v) { return __nvvm_atom_add_gen_i((int*)p, v); }
'''
COMMON = r'''
INLINE u32 mix(u32 x) { x *= 2654435761u; x = (x ^ x >> 15) * 0x85ebca6bu; return x ^ x >> 13; }
template <u32 V> INLINE void ld(float* d, const float* s) {
  if constexpr (V == 4) { const f4 v = *(const f4*)s; d[0] = v.x; d[1] = v.y; d[2] = v.z; d[3] = v.w; }
  else if constexpr (V == 2) { const f2 v = *(const f2*)s; d[0] = v.x; d[1] = v.y; }
  else d[0] = *s;
}
template <u32 V> INLINE void st(float* d, const float* s) {
  if constexpr (V == 4) { f4 v; v.x = s[0]; v.y = s[1]; v.z = s[2]; v.w = s[3]; *(f4*)d = v; }
  else if constexpr (V == 2) { f2 v; v.x = s[0]; v.y = s[1]; *(f2*)d = v; }
  else *d = *s;
}
template <u32 V> INLINE void ld(u32* d, const u32* s) {
  if constexpr (V == 4) { const u4 v = *(const u4*)s; d[0] = v.x; d[1] = v.y; d[2] = v.z; d[3] = v.w; }
  else if constexpr (V == 2) { const u2 v = *(const u2*)s; d[0] = v.x; d[1] = v.y; }
  else d[0] = *s;
}
'''
CHECKSUM = r'''
KERNEL1(256) checksum(float* R sums, const float* R data, u32 words, u32 integers) {  // for NAME.check.job alone
  double s = 0;
  for (u32 i = TID; i < words; i += 256) s += (integers ? (double)((const u32*)data)[i] : (double)data[i]) * (double)(1 + (i / 256 * 7 & 31));
  sums[TID] = (float)s;
}
'''


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


def arguments(values):
    return " ".join(a if isinstance(a, str) else x(a) for a in values)


def choose(configurations, count, seed=1):
    configurations = list(configurations)
    return configurations if len(configurations) <= count else [configurations[i] for i in sorted(random.Random(seed).sample(range(len(configurations)), count))]


def write(name, text, kernels, buffers, prepare, launches, out, words, integers=0):
    """launches: label, kernel, (groups x, y), (items x, y), arguments."""
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    (where / f"{name}.cu").write_text(PRELUDE + "// ---- end of prelude" + COMMON + text + "\n".join(kernels) + "\n" + CHECKSUM)
    begin = [f"module {name}.ptx {name}"] + [f"buffer {buffer} {size} {content}" for buffer, (size, content) in buffers.items()]
    begin += ["launch " + p for p in prepare]
    times, once, check = [], [], [f"buffer sums 1024 zero"]
    for label, kernel, groups, items, values in launches:
        launch = f"{kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments(values)}"
        times.append(f"time {label} 20 {launch}")
        once.extend([f"launch {launch}"] * 2)
        check += [f"buffer {out} {buffers[out][0]} zero", f"launch {launch}", f"launch checksum 1 1 1 256 1 1 @sums @{out} {x(words(label))} {x(integers)}",
                  f"show sums 256 {label}"]
    for suffix, lines in (("job", times), ("once.job", once), ("check.job", check)):
        (where / f"{name}.{suffix}").write_text("\n".join(begin + lines) + "\n")
    assert len({l[0] for l in launches}) == len(launches)
    print(name, len(launches), "launches,", len(kernels), "kernels")


def kernel(threads, groups):
    return f"KERNEL({threads}, {groups})" if groups else f"KERNEL1({threads})"
