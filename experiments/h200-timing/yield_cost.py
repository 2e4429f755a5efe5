#!/usr/bin/env python3
"""Writes yield_cost.job: launches of yield_cost.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. yield_cost.ptx is made as workloads.ptx
is (workloads.py).

KERNEL.N       clocks of one warp for N turns (`leave`: its lane number times N; `straight`: ten times N operations, without a loop's end at each)
KERNEL.WARPS.N ns: 528 groups of that many warps, which fill the device

    python3 yield_cost.py FOLDER"""
import pathlib
import sys

COUNTS = {"straight": (1, 11), "leave": (1, 4), "behind": (1, 4), "pleave": (1, 4), "vleave": (1, 4)}
KERNELS = ("straight conv wait1 wait31 two four leave behind rounds vconv vwait1 vwait31 pconv pwait1 vleave pleave vtwo ptwo vsplit vexit").split()

text = "module yield_cost.ptx yield_cost\nbuffer out 4194304 zero\n"
for kernel in KERNELS:
    for n in COUNTS.get(kernel, (10, 110)):
        value = "x:" + n.to_bytes(4, "little").hex()
        text += f"launch {kernel} 1 1 1 32 1 1 @out {value}\n" * 2 + f"show out 1 {kernel}.{n}\n"
        text += f"time {kernel}.16.{n} 10 {kernel} 528 1 1 512 1 1 @out {value}\n"
(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "yield_cost.job").write_text(text)
