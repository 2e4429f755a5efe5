#!/usr/bin/env python3
"""Writes records.job and records.once.job: launches of records.cu's kernels for tests/nvidia/runner.cpp (times; the second, once each, for
ncu's counters) and model_runner.cpp. records.ptx is made as workloads.ptx is (workloads.py).

    python3 records.py FOLDER"""
import pathlib
import sys

from fresh import x

RECORDS = [("u8", 3), ("u8", 4), ("u8", 16), ("u16", 2), ("u16", 4), ("u16", 16), ("u32", 2), ("u32", 3), ("u32", 4), ("u32", 5), ("u32", 6), ("u32", 8),
           ("u32", 16), ("u64", 2), ("u64", 3), ("u64", 4), ("u64", 5), ("u64", 8), ("f4", 2), ("f4", 4)]
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "f4": 16}


def launches():  # label, launch
    for kind, words in RECORDS:
        name = f"{kind}_{words}"
        for groups, items in ((132, 32), (132, 128), (132, 256), (132, 512), (132, 1024), (264, 1024)):
            for gap in (0, 100):
                yield f"fill.{name}.{groups * items // 132 // 32}.{gap}", f"fill_{name} {groups} 1 1 {items} 1 1 @out {x(8)} {x(gap)}"
        for groups in (528, 4224):
            yield f"copy.{name}.{groups}", f"copy_{name} {groups} 1 1 256 1 1 @out @hash {x(0)}"


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
head = "module records.ptx records\nbuffer out 268435456 zero\nbuffer hash 268435456 hash\n"
rows = list(launches())
(folder / "records.job").write_text(head + "".join(f"time {label} 20 {what}\n" for label, what in rows))
(folder / "records.once.job").write_text(head + "".join(f"launch {what}\n" for _, what in rows))
print(len(rows), "launches")
