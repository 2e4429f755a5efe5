#!/usr/bin/env python3
"""Writes memory.job: launches of memory.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. A label ends in the bytes or
operations of a launch. memory.ptx:
  clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 \\
      -O3 -S -std=c++17 memory.cu -o memory.ptx"""
import pathlib
import sys

K, M = 1 << 10, 1 << 20


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    job = ["module memory.ptx memory", f"buffer out {512 * M} zero", f"buffer in {512 * M} zero"]

    def time(label, kernel, groups, items, *values):
        words = " ".join("x:" + v.to_bytes(4, "little").hex() for v in values)
        job.append(f"time {label} 10 {kernel} {groups} 1 1 {items} 1 1 @out @in {words}")

    for mb in (1, 4, 8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128, 512):  # bytes of the data
        turns = max(1, 128 // mb)
        time(f"read.{mb}M/{mb * turns * M}", "read_shared_out", 528, 512, mb * M // 4, turns)
    for mb in (1, 4, 8, 16, 32, 64, 128):
        steps = 32
        time(f"all.{mb}M/{528 * 512 * 16 * steps}", "read_all", 528, 512, mb * M // 4, steps)
    for mb in (4, 16, 32, 64, 256):
        turns = max(1, 64 // mb)
        time(f"write.{mb}M/{mb * turns * M}", "write4", 528, 512, mb * M // 4, turns)
        time(f"copy.{mb}M/{2 * mb * turns * M}", "copy4", 528, 512, mb * M // 4, turns)
    for mb in (4, 16):
        for stride in (2, 4, 8, 16, 17, 32, 64, 256, 1024, 1056):
            time(f"read_stride.{mb}M.{stride}/{528 * 256 * 8}", "read_stride", 528, 256, mb * M // 4, stride, 8)
            time(f"write_stride.{mb}M.{stride}/{528 * 256 * 8}", "write_stride", 528, 256, mb * M // 4, stride, 8)
    for mb in (1, 4, 16, 32, 48, 64, 128, 512):
        time(f"read_random.{mb}M/{528 * 512 * 16}", "read_random", 528, 512, mb * M // 4, 0, 16)
        time(f"write_random.{mb}M/{528 * 512 * 16}", "write_random", 528, 512, mb * M // 4, 0, 16)
        time(f"add_random.{mb}M/{528 * 512 * 8}", "add_random", 528, 512, mb * M // 4, 0, 8)
    for row in (512, 1024, 1056, 2048):
        time(f"write_columns.{row}/{row // 32 * (row // 32) * 1024}", "write_columns", (row // 32) ** 2, 256, 16 * M // 4, row, 0)
        time(f"read_columns.{row}/{row // 32 * (row // 32) * 1024}", "read_columns", (row // 32) ** 2, 256, 16 * M // 4, row, 0)
    for groups in (1, 8, 16, 66, 132):  # of one wave, then of many: bandwidth over multiprocessors
        for items in (32, 128, 512, 1024):
            time(f"read_by.{groups}.{items}/{groups * items * 16 * 64}", "read_all", groups, items, 4 * M // 4, 64)
    for groups in (1056, 4224, 16896):
        for items in (32, 128, 256, 1024):
            time(f"nothing.{groups}.{items}/{groups}", "nothing", groups, items, 1)
            time(f"once.{groups}.{items}/{groups}", "once", groups, items, M)
    for cycles in (500, 2000):
        for groups, items in ((2112, 256), (4224, 256), (528, 1024), (4224, 64)):
            time(f"stay{cycles}.{groups}.{items}/{groups}", "stay", groups, items, cycles)
    for lines, stride in ((1, 32), (2, 32), (4, 32), (8, 32), (8, 64), (8, 128), (8, 256), (8, 512), (8, 1024), (8, 4096), (8, 1 << 16), (64, 32), (64, 1024), (4096, 32)):
        time(f"add_lines.{lines}.{stride}/{528 * 8 * 16}", "add_lines", 528, 256, lines, stride, 16)
    for n in (1, 8, 32, 256, 1024, 16384, 1 << 20):
        for alone in (0, 31):
            count = 264 * 256 * 4 // (alone + 1)
            time(f"add_words.{n}.{alone}/{count}", "add_words", 264, 256, n, alone, 4)
            time(f"take_words.{n}.{alone}/{count}", "take_words", 264, 256, n, alone, 4)
    for row in (256, 1024, 1056, 4096, 16384):
        for mb in (4, 256):
            groups = min(528, mb * M // 4 // row // 8)
            time(f"read_rows.{row}.{mb}M/{groups * 8 * 128 * 256}", "read_rows", groups, 256, mb * M // 4, row, 256)
    words = " ".join("x:" + v.to_bytes(4, "little").hex() for v in (4 * M, 1024, 512))
    job.append(f"launch line_latency 132 1 1 1 1 1 @out @in {words}")
    job.append(f"save out latency.bin {132 * 512 * 4}")
    once = [line for line in job[:3]]  # for ncu: each launch twice
    for line in job[3:]:
        if line.startswith("time "):
            once += [f"launch {line.split(maxsplit=3)[3]}"] * 2
    (where / "memory.once.job").write_text("\n".join(once) + "\n")
    (where / "memory.job").write_text("\n".join(job) + "\n")


main()
