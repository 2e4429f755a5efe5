#!/usr/bin/env python3
"""Writes yields.job: launches of yields.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. yields.ptx is made as workloads.ptx is
(workloads.py).

    python3 yields.py FOLDER"""
import pathlib
import sys

text = "module yields.ptx yields\nbuffer out 67108864 zero\nbuffer out2 67108864 zero\nbuffer hash 67108864 hash\nbuffer hash2 67108864 hash\n"
for kernel in ("plain", "loop", "at", "nosum", "nosum_at", "only_sum"):
    text += f"buffer v_{kernel} 64 zero\nlaunch {kernel} 64 1 1 128 1 1 @out @out2 @hash @hash2 x:{(256).to_bytes(4, 'little').hex()} @v_{kernel}\nshow v_{kernel} 8 {kernel}\n"
(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "yields.job").write_text(text)
