#!/usr/bin/env python3
"""Ten more tuning spaces, of tuned2.cu's kernels, as spaces.py has its two; their answers are spaces2.txt.

    python3 spaces2.py FOLDER [COUNT]               compiles (clang-19) and writes the job, of at most COUNT configurations a space
    python3 spaces2.py --compare DEVICE MODEL"""
import itertools
import pathlib
import sys

import spaces

K, M = 1 << 10, 1 << 20
COUNT = 30


def space(kernel, keep, groups, items, n, **choices):
    """Every combination of the choices that keep takes: (label, macro, defines, kernel, groups, items, n)."""
    for values in itertools.product(*choices.values()):
        c = dict(zip(choices, values))
        if keep(c):
            yield (".".join([kernel] + [f"{name.lower()}{value}" for name, value in c.items()]), kernel.upper(), c, kernel, groups(c), items(c), n)


def wave(items):
    return 32 <= items <= 1024


SPACES = [
    space("transpose", lambda c: wave(c["T"] * c["ROWS"]) and c["ROWS"] <= c["T"] and (c["LOCAL"] or not c["PAD"]), lambda c: (2 * K // c["T"])**2,
          lambda c: c["T"] * c["ROWS"], 2 * K, T=(16, 32, 64), ROWS=(1, 2, 4, 8, 16, 32), LOCAL=(0, 1), PAD=(0, 1)),
    space("reduce", lambda c: True, lambda c: c["GROUPS"], lambda c: c["ITEMS"], 4 * M, ITEMS=(64, 128, 256, 512, 1024), GROUPS=(66, 132, 528, 1056),
          VEC=(1, 2, 4), UNROLL=(1, 2, 4), WARP=(0, 1)),
    space("stencil", lambda c: wave(c["BX"] * c["BY"]), lambda c: 256 // c["BX"] * (256 // c["BY"]) * (64 // c["CHUNK"]), lambda c: c["BX"] * c["BY"], 258,
          BX=(16, 32, 64, 128, 256), BY=(1, 2, 4, 8, 16), CHUNK=(1, 4, 16, 64), LOCAL=(0, 1)),
    space("nbody", lambda c: True, lambda c: 16 * K // (c["ITEMS"] * c["BODIES"]), lambda c: c["ITEMS"], 2 * K, ITEMS=(64, 128, 256, 512), BODIES=(1, 2, 4),
          UNROLL=(1, 4, 16), LOCAL=(0, 1)),
    space("histogram", lambda c: True, lambda c: c["GROUPS"], lambda c: c["ITEMS"], 2 * M, ITEMS=(128, 256, 512, 1024), GROUPS=(132, 264, 528),
          COPIES=(1, 2, 8), VEC=(1, 4), BYTES=(1, 4)),
    space("matvec", lambda c: True, lambda c: 2 * K // (c["ITEMS"] // c["LANES"] * c["ROWS"]), lambda c: c["ITEMS"], 2 * K, ITEMS=(64, 128, 256), LANES=(4, 8, 16, 32),
          VEC=(1, 2, 4), ROWS=(1, 2, 4), UNROLL=(1, 4)),
    space("scan", lambda c: True, lambda c: 4 * M // (c["ITEMS"] * c["EACH"]), lambda c: c["ITEMS"], 0, ITEMS=(64, 128, 256, 512, 1024), EACH=(1, 2, 4, 8, 16), WARP=(0, 1)),
    space("tensor", lambda c: wave(c["BM"] // c["WM"] * (c["BN"] // c["WN"]) * 32) and c["WM"] <= c["BM"] and c["WN"] <= c["BN"]
          and (c["BM"] + c["BN"]) * (c["BK"] * 2 + c["PAD"] * 4) <= 48 * K and min(c["BM"], c["BN"]) * c["BK"] >= 8 * c["BM"] // c["WM"] * (c["BN"] // c["WN"]) * 32,
          lambda c: K // c["BM"] * (K // c["BN"]), lambda c: c["BM"] // c["WM"] * (c["BN"] // c["WN"]) * 32, K, BM=(32, 64, 128), BN=(32, 64, 128), BK=(16, 32, 64),
          WM=(16, 32, 64), WN=(16, 32, 64), PAD=(0, 4)),
    space("spmv", lambda c: True, lambda c: 128 * K // (c["ITEMS"] // c["LANES"]), lambda c: c["ITEMS"], 512 * K, ITEMS=(64, 128, 256, 512), LANES=(1, 2, 4, 8, 16, 32), UNROLL=(1, 2, 4)),
    space("mandelbrot", lambda c: wave(c["BX"] * c["BY"]) and (c["EACH"] > 1 or c["APART"]), lambda c: K // (c["BX"] * c["EACH"]) * (K // c["BY"]), lambda c: c["BX"] * c["BY"], K,
          BX=(4, 8, 16, 32, 64, 128), BY=(1, 2, 4, 8, 16), EACH=(1, 2, 4), APART=(0, 1)),
]

if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        spaces.compare(sys.argv[2], sys.argv[3])
    else:
        count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
        spaces.make(pathlib.Path(sys.argv[1]), "tuned2.cu", "spaces2.job", [c for s in SPACES for c in spaces.chosen(s, count)], 32 * M, ("histogram", "scan", "tensor", "spmv"))
