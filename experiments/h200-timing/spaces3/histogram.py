#!/usr/bin/env python3
"""Writes histogram.cu and its jobs: 256 bins, uneven, of 6M words; each launch adds to the bins.

    python3 histogram.py FOLDER [small]"""
import itertools
import sys

from common import K, M, choose, kernel, write

TEXT = r'''
INLINE u32 key(u32 w) { return (w & 63) | (w >> 6 & w >> 8 & 3) << 6; }  // a bin of the first 64 has nine times a bin of the last
// HOW 0: atomics on global memory, 1: on COPIES histograms in shared memory, 2: as 1, equal keys of a warp as one, 3: a work-item has its own
// counters in shared memory (COPIES is T), without atomics.
// WIDE: a copy's bins lie side by side (PITCH apart a copy), otherwise a bin's copies. LANES: a copy has every COPIES-th lane, otherwise warp.
// PART 0: work-items go by turns over all the words, 1: over their group's share, 2: each has a share in one piece.
template <u32 HOW, u32 T, u32 COPIES, bool WIDE, u32 PITCH, bool LANES, u32 V, u32 U, u32 PART, class Counter>
INLINE void histogram(u32* R bins, const u32* R words, u32 n) {
  const u32 groups = GDIM;
  u32 copy = HOW == 3 ? TID : LANES ? TID % COPIES : TID / 32 % COPIES;
  const auto place = [&](u32 bin, u32 c) { return WIDE ? c * PITCH + bin : bin * COPIES + c; };
  Counter* s = 0;
  if constexpr (HOW > 0) {
    constexpr u32 SIZE = WIDE ? COPIES * PITCH : COPIES * 256;
    SHARED Counter counters[SIZE];
    s = counters;
    for (u32 i = TID; i < SIZE; i += T) s[i] = 0;
    SYNC;
  }
  u32 first, last, step;
  if constexpr (PART == 0) {
    first = (BID * T + TID) * V; last = n; step = groups * T * V;
  } else if constexpr (PART == 1) {
    const u32 share = (n + groups * T * V - 1) / (groups * T * V) * T * V;
    first = BID * share; last = first + share < n ? first + share : n; step = T * V;
    first += TID * V;
  } else {
    const u32 share = (n + groups * T * V - 1) / (groups * T * V) * V;
    first = (BID * T + TID) * share; last = first + share < n ? first + share : n; step = V;
  }
#pragma unroll U
  for (u32 i = first; i < last; i += step) {
    u32 w[V];
    ld<V>(w, words + i);
#pragma unroll
    for (u32 v = 0; v < V; ++v) {
      const u32 k = key(w[v]);
      if constexpr (HOW == 0) add(bins + k, 1);
      else if constexpr (HOW == 1) add((u32*)s + place(k, copy), 1);
      else if constexpr (HOW == 2) {
        const u32 same = match(k);
        if ((same & ((1u << TID % 32) - 1)) == 0) add((u32*)s + place(k, copy), __builtin_popcount(same));
      } else s[place(k, copy)] += 1;
    }
  }
  if constexpr (HOW > 0) {
    SYNC;
    for (u32 b = TID; b < 256; b += T) {
      u32 all = 0;
      for (u32 c = 0; c < COPIES; ++c) all += s[place(b, c)];
      if (all) add(bins + b, all);
    }
  }
}
'''
N = 96 * K if "small" in sys.argv else 6 * M


def configurations():
    for how, t, copies, wide, pad, lanes, v, u, part, groups in itertools.product(
            (0, 1, 2, 3), (32, 64, 128, 256, 512, 1024), (1, 2, 4, 8, 16, 32, 64), (0, 1), (0, 1), (0, 1), (1, 2, 4), (1, 2, 4), (0, 1, 2), (16, 66, 132, 264, 528, 1056, 4224)):
        if not 8448 <= groups * t <= 1081344 or part == 2 and u > 1:
            continue
        if how == 0:
            if copies > 1 or wide or pad or lanes or u > 1 or part == 2 or t != 256 or groups not in (264, 1056) or v == 2:
                continue
        elif how == 3:
            if t > 64 or copies != t or lanes or groups < 132 or groups > 1056:
                continue
        elif copies > 32 or copies == 1 and (wide or lanes) or pad and not wide or copies * 257 * 4 > 48 * 1024 or t < 64 or not lanes and copies > t // 32:
            continue
        if how == 2 and (part == 2 or u == 4) or how == 3 and pad and not wide:
            continue
        yield how, t, copies, wide, pad, lanes, v, u, part, groups


def main():
    kernels, launches, made = [], [], set()
    pool = list(configurations())
    for how, some, count in [(0, 1, 6)] + [(1, some, 15) for some in (1, 2, 4, 8, 16, 32)] + [(2, 0, 22), (3, 0, 26)]:
        for c in choose([c for c in pool if c[0] == how and some in (0, c[2])], count, how + 3 + some):
            how, t, copies, wide, pad, lanes, v, u, part, groups = c
            name = f"histogram_h{how}_t{t}_c{copies}_w{wide}_p{pad}_l{lanes}_v{v}_u{u}_s{part}"
            if name not in made:
                counter = "unsigned short" if how == 3 and t == 64 else "u32"
                kernels.append(f"{kernel(t, 0)} {name}(u32* R bins, const u32* R words, u32 n) "
                               f"{{ histogram<{how}, {t}, {copies}, {wide}, {256 + pad}, {lanes}, {v}, {u}, {part}, {counter}>(bins, words, n); }}")
                made.add(name)
            launches.append((name.replace("_", ".") + f".g{groups}", name, (groups, 1), (t, 1), ("@bins", "@hash", N)))
    write("histogram", TEXT, kernels, {"bins": (1024, "zero"), "hash": (N * 4, "hash")}, [], launches, "bins", lambda label: 256, 1)


main()
