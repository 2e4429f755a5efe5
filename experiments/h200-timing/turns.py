#!/usr/bin/env python3
"""Writes turns.job: launches of turns.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp, each of which saves what its
warps noted (turns.ptx is made as workloads.ptx is). With --summary: of each launch the cycle in which the last warp of a
multiprocessor ended, and when those of its first partition did, from the oldest on; medians over the multiprocessors.

    python3 turns.py FOLDER
    python3 turns.py --summary FOLDER       of the files that the job saved"""
from collections import defaultdict
import pathlib
import statistics
import struct
import sys

TURNS = {"chain": 64, "wide": 64, "mufu": 64, "shared": 64, "shared4": 64, "l1": 32, "l2": 16, "mixed": 16, "barrier": 64, "barrier_l2": 16,
         "walk": 32, "walk_fma": 32, "walk_fma_barrier": 32, "walk_chain": 32, "walk_store": 32}
SHAPES = [(128, 2112), (1024, 264), (128, 528), (256, 132)]  # work-items of a group, groups
LATER = [("chain", 128, 4224), ("mufu", 128, 4224), ("barrier", 128, 4224)]  # more than there is room for
LAUNCHES = [(kernel, *shape) for kernel in TURNS for shape in SHAPES] + LATER
NOTE = 12  # words of a warp: its multiprocessor, its place there, nine clocks


def name(kernel, items, groups):
    return f"{kernel}.{items}.{groups}"


def write_job(where):
    job = ["module turns.ptx turns", "buffer out 33554432 zero", "buffer in 33554432 index"]
    for kernel, items, groups in LAUNCHES:
        launch = f"launch {kernel} {groups} 1 1 {items} 1 1 @out @in x:{TURNS[kernel].to_bytes(4, 'little').hex()}"
        job += [launch, launch, f"save out {name(kernel, items, groups)}.bin {groups * items // 32 * NOTE * 4}"]
    (where / "turns.job").write_text("\n".join(job) + "\n")


def summary(where):
    for kernel, items, groups in LAUNCHES:
        path = where / f"{name(kernel, items, groups)}.bin"
        if not path.exists():
            continue
        warps = groups * items // 32
        data = path.read_bytes()[-warps * NOTE * 4:]
        multiprocessors = defaultdict(list)
        for i in range(warps):
            place, warp, *clocks = struct.unpack_from(f"{NOTE}I", data, i * NOTE * 4)
            multiprocessors[place].append((i, warp, clocks[0], clocks[8]))
        ends, last = defaultdict(list), []
        for notes in multiprocessors.values():
            first = min(begin for _, _, begin, _ in notes)
            last.append(max(end - first & 0xffffffff for *_, end in notes))
            # By their number in the launch: the model's places begin anew in each group.
            for k, (_, _, _, end) in enumerate(sorted(n for n in notes if n[1] % 4 == 0)):
                ends[k].append(end - first & 0xffffffff)
        print(f"{path.stem} last {statistics.median(last):.0f} ends", *(f"{statistics.median(e):.0f}" for _, e in sorted(ends.items())))


if __name__ == "__main__":
    if sys.argv[1] == "--summary":
        summary(pathlib.Path(sys.argv[2]))
    else:
        write_job(pathlib.Path(sys.argv[1]))
