#!/usr/bin/env python3
"""Writes lanes.job, and lanes.once.job for counters, of lanes.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. lanes.ptx is made
as workloads.ptx is (workloads.py).

each.WIDTH.BYTES.l2, .mem   each of 270336 lanes reads BYTES of its own by words of WIDTH, from 17 MB or more that the second level has, from 276 MB
touch.STRIDE                one word every STRIDE bytes of up to 512 MB
random.BITS                 random words of 4 << BITS bytes

    python3 lanes.py FOLDER"""
import pathlib
import sys

from fresh import x

WORDS = ((4, 4), (16, 16), (4, 32), (8, 32), (16, 32), (4, 64), (8, 64), (16, 64), (4, 128), (8, 128), (16, 128))
STRIDES, BITS = (32, 64, 128, 256, 512), (20, 22, 24, 26, 28)
GROUPS = 2048


launches = []
for width, count in WORDS:
    for name, read in (("l2", 64), ("mem", 1024)):
        launches.append((f"each.{width}.{count}.{name}", f"each_{width}_{count} 1056", f"@out @in {x(max(1, read // count))}"))
for stride in STRIDES:
    launches.append((f"touch.{stride}", f"touch {GROUPS}", f"@out @in {x(stride)} {x(0)} {x(max(1, (1 << 29) // (GROUPS * 256 * stride)))}"))
for bits in BITS:
    launches.append((f"random.{bits}", f"random_words {GROUPS}", f"@out @in {x((1 << bits) - 1)} {x(16)}"))
begin = "module lanes.ptx lanes\nbuffer out 4194304 zero\nbuffer in 1073741824 hash\n"
where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(where / "lanes.job").write_text(begin + "".join(f"time {label} 20 {grid} 1 1 256 1 1 {arguments}\n" for label, grid, arguments in launches))
(where / "lanes.once.job").write_text(begin + "".join(f"launch {grid} 1 1 256 1 1 {arguments}\n" * 2 for label, grid, arguments in launches))
