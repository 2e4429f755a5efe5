#!/usr/bin/env python3
"""Writes match.job: launches of match.cu's kernels, KERNEL.VALUES.ITEMS.MATCHES, for tests/nvidia/runner.cpp and model_runner.cpp. What a match
costs is the difference of two lengths. match.ptx is made as memory.ptx is (memory.py).

    python3 match.py FOLDER"""
import pathlib
import sys


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
job = ["module match.ptx match", f"buffer out {4 << 20} zero"]
for kernel in ("chain_any", "chain_any64", "chain_all", "four_any", "four_all"):
    for values in (1, 2, 3, 4, 8, 16, 32):
        for items in (32,) if kernel.startswith("chain") else (128, 1024):
            for matches in (512, 2560):
                job.append(f"time {kernel}.{values}.{items}.{matches} 10 {kernel} 132 1 1 {items} 1 1 @out {x(values)} {x(matches)}")
(where / "match.job").write_text("\n".join(job) + "\n")
