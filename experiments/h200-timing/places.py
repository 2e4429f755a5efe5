#!/usr/bin/env python3
"""Writes places.job, or makes places.txt of its answers.

    python3 places.py FOLDER [--summary]"""
import pathlib
import struct
import sys

M = 1 << 20
where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
SHAPES = {"places": ((132, 1024), (264, 1024), (528, 512), (1056, 256), (4224, 256), (100, 256), (600, 512)),
          "busy": ((132, 1024), (528, 512), (2112, 128), (4224, 128), (1000, 256))}
rows = [("places", g, t, mb * M // 4) for g, t in SHAPES["places"] for mb in (0, 8, 48)]
rows += [("busy", g, t, turns) for g, t in SHAPES["busy"] for turns in (1, 200, 4000)]


def word(value):
    return "x:" + value.to_bytes(4, "little").hex()


def size(groups):
    return (65536 + 131 * groups) * 4


if "--summary" in sys.argv:
    data, at = (where / "places.bin").read_bytes(), 0
    print("# H200: of 101 launches in a row, KERNEL.GROUPS.ITEMS.WORK, how many orders of multiprocessors there are and the share of groups that come to")
    print("# the same one as in the launch before.")
    first = []
    for kernel, groups, items, n in rows:
        words = struct.unpack_from(f"{size(groups) // 4}I", data, at)
        at += size(groups)
        orders = [words[65536 + i * groups:65536 + (i + 1) * groups] for i in range(words[0])]
        same = [sum(a == b for a, b in zip(*pair)) / groups for pair in zip(orders, orders[1:])]
        print(f"{kernel}.{groups}.{items}.{n} {len(set(orders))} {sum(same) / len(same):.3f}")
        if groups == 528 and not first: first = orders[-2:]
    for order in first: print("# the first 132 of 528 groups of 512:", *order[:132])
    sides = struct.unpack("2112I", (where / "sides.bin").read_bytes())
    print("# halves of the second level, by multiprocessor:", "".join("A" if sides[16 * i] < 400 else "B" for i in range(132)))
    print("# in the order of groups:", "".join("A" if sides[16 * i] < 400 else "B" for i in first[0][:132]))
else:
    out = ["module places.ptx places", f"buffer in {64 * M} zero"]
    for kernel, groups, items, n in rows:
        out.append(f"buffer out {size(groups)} zero")
        out.append(f"time {kernel}.{groups}.{items}.{n} 20 {kernel} {groups} 1 1 {items} 1 1 @out @in {word(n)}")
        out += [f"save out places.bin {size(groups)}", "free out"]
    out += ["buffer out 65536 zero", "launch sides 132 1 1 1 1 1 @out @in", "save out sides.bin 8448"]
    (where / "places.job").write_text("\n".join(out) + "\n")
