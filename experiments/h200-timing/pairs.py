#!/usr/bin/env python3
"""Writes pairs.job, drain.job, reds.job and their .once.job (for ncu's counters): launches of pairs.cu's, drain.cu's and reds.cu's kernels for tests/nvidia/runner.cpp
and model_runner.cpp. Their PTX is made as workloads.ptx is (workloads.py).

    python3 pairs.py FOLDER"""
import pathlib
import sys

from fresh import x


def pairs():  # of L lines, turns apart, which warps of a group: in one partition (s) or several (d)
    for lines in (2, 3, 4, 6, 8, 12, 16):
        for gap in (0, 1, 2, 3, 4, 6, 8):
            for name, mask in (("1", 1), ("2s", 0x11), ("2d", 3), ("4s", 0x1111), ("4d", 0xf), ("8d", 0xff)):
                yield f"{lines}.{gap}.{name}", f"p_{lines} 132 1 1 512 1 1 @out {x(8)} {x(gap)} {x(mask)}"


def drain():  # kernel, groups (one a multiprocessor), turns
    for kernel in ("u32_1", "u32_2", "u32_4", "u32_8", "u64_1", "u64_4", "f4_1", "f4_2"):
        for groups, turns in ((1, 256), (4, 256), (132, 32)):
            yield f"fill.{kernel}.{groups}.{turns}", f"fill_{kernel} {groups} 1 1 1024 1 1 @out {x(turns)}"
    for kernel in ("fill_u8", "spread", "spread32", "reds", "reds1"):
        for groups, turns in ((1, 256), (4, 128), (132, 8)):
            yield f"{kernel}.{groups}.{turns}", f"{kernel} {groups} 1 1 1024 1 1 @out {x(turns)}"


def reds():  # one group of so many work-items, turns
    for kernel in [f"reds_{kind}" for kind in ("u32_1", "u32_2", "u32_4", "u32_8", "u32_16", "u32_32", "float_1", "float_8", "float_16", "float_32")] + ["mixed", "few"]:
        for items, turns in ((128, 256), (1024, 64)):
            yield f"{kernel}.{items}.{turns}", f"{kernel} 1 1 1 {items} 1 1 @out {x(turns)}"


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
for name, rows, size in (("pairs", list(pairs()), 1 << 28), ("drain", list(drain()), 1 << 28), ("reds", list(reds()), 1 << 30)):
    head = f"module {name}.ptx {name}\nbuffer out {size} zero\n"
    (folder / f"{name}.job").write_text(head + "".join(f"time {label} 20 {what}\n" for label, what in rows))
    (folder / f"{name}.once.job").write_text(head + "".join(f"launch {what}\n" for _, what in rows))
    print(name, len(rows), "launches")
