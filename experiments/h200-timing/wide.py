#!/usr/bin/env python3
"""Writes wide.job: launches of wide.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. wide.ptx is made as workloads.ptx is
(workloads.py).

    python3 wide.py FOLDER"""
import pathlib
import sys

PLACES = [(1, 32), (2, 16), (4, 8), (8, 4), (16, 2), (32, 1), (1, 8), (1, 2)]  # lanes with one address, addresses


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


lines = ["module wide.ptx wide", "buffer out 16777216 zero", "buffer unit 16777216 unit"]
for kernel in ("lds32", "lds64", "lds128"):
    lines += [f"time {kernel}.{d}.{m} 20 {kernel} 528 1 1 256 1 1 @out @unit {x(d)} {x(m)}" for d, m in PLACES]
(pathlib.Path(sys.argv[1]) / "wide.job").write_text("\n".join(lines) + "\n")
