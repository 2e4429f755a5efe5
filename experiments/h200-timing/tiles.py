#!/usr/bin/env python3
"""Writes tiles.job: launches of tiles.cu's kernels, from a quarter of the multiprocessors to ten waves of groups.

    python3 tiles.py FOLDER"""
import pathlib
import struct
import sys


def number(value):
    return "x:" + struct.pack("<i", value).hex()


def main():
    job = ["module tiles.ptx tiles", "buffer a 1073741824 unit", "buffer c 67108864 zero"]
    for n in (1024, 256):
        job.append(f"time mm.{n} 20 mm {n // 16} {n // 16} 1 16 16 1 @a @a @c {number(n)}")
    for kernel in ("mm4", "mm4p"):
        for name, rows in (("big", 2048), ("small", 33)):
            job.append(f"time {kernel}.{name} 20 {kernel} 4 {rows} 1 16 16 1 @a @a @c")
    for turns, loads in ((4, 2), (8, 2), (4, 4), (8, 4), (4, 8), (8, 8), (16, 1)):
        for items in (256, 1024):
            for groups in (132, 1056):
                job.append(f"time rows{turns}_{loads}_{items}.{groups} 20 rows{turns}_{loads}_{items} {groups} 1 1 {items} 1 1 @a @c {number(items)}")
    (pathlib.Path(sys.argv[1]) / "tiles.job").write_text("\n".join(job) + "\n")


if __name__ == "__main__":
    main()
