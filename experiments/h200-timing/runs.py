#!/usr/bin/env python3
"""Writes runs.job and runs.once.job: launches of runs.cu's kernels for tests/nvidia/runner.cpp (times; the second, once each, for ncu's
counters) and model_runner.cpp. runs.ptx is made as workloads.ptx is (workloads.py).

    python3 runs.py FOLDER"""
import pathlib
import sys


def launches():  # label, kernel, groups, turns
    for words in (1, 2, 4, 8):
        for kind in ("near_sync", "near_free", "apart_sync", "apart_free"):
            yield f"{kind}_{words}", f"{kind}_{words}", 264, 16
            yield f"{kind}_{words}.few", f"{kind}_{words}", 132, 16
    for kind in ("quads_2", "quads_4", "quads_4_16", "quads_4_64", "quads_8"):
        yield kind, kind, 264, 4
        yield f"{kind}.one", kind, 1056, 1


folder = pathlib.Path(sys.argv[1])
head = "module runs.ptx runs\nbuffer out 268435456 zero\n"
rows = [(label, f"{kernel} {groups} 1 1 256 1 1 @out x:{turns.to_bytes(4, 'little').hex()}") for label, kernel, groups, turns in launches()]
(folder / "runs.job").write_text(head + "".join(f"time {label} 20 {what}\n" for label, what in rows))
(folder / "runs.once.job").write_text(head + "".join(f"launch {what}\n" for _, what in rows))
