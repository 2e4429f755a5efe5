#!/usr/bin/env python3
"""Writes partitions.job (times, latencies), partitions.once.job (for ncu) and partitions.ranges.job (runner --ranges, ncu
--replay-mode app-range)."""
import pathlib
import sys

M = 1 << 20
where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
head = ["module partitions.ptx partitions", f"buffer out {256 * M} zero", f"buffer in {256 * M} zero", f"buffer bins {M} zero"]
job = []

def words(*values):
    return " ".join("x:" + v.to_bytes(4, "little").hex() for v in values)

def time(label, kernel, *values, queued=10):
    job.append(f"time {label} {queued} {kernel} 528 1 1 512 1 1 @out @in {words(*values)}")

sizes = (8, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72)
for mb in sizes:
    n = mb * M // 4
    turns = max(4, 384 // mb)
    for step in (0, 1, 66, 201):
        time(f"read.{step}.{mb}M/{mb * turns * M}", "reads", n, turns, step)
    time(f"random.{mb}M/{528 * 512 * 32}", "random_reads", n, 32, 0)
    for step in (0, 201):
        time(f"write.{step}.{mb}M/{mb * turns * M}", "writes", n, turns, step)
        time(f"update.{step}.{mb}M/{2 * mb * turns * M}", "updates", n, turns, step)
        time(f"copy.{step}.{mb}M/{mb * turns * M}", "copies", n // 2, turns, step)
    time(f"random_write.{mb}M/{528 * 512 * 32}", "random_writes", n, 32, 0)
    for name, kernel, by in (("read", "reads", 1), ("update", "updates", 1), ("copy", "copies", 2)):
        time(f"once_{name}.{mb}M/{mb * M}", kernel, n // by, 1, 0, queued=20)
ncu = []
for line in job:
    ncu += [f"launch {line.split(maxsplit=3)[3]}"] * 2
(where / "partitions.once.job").write_text("\n".join(head + ncu) + "\n")
def picked(names, at):
    return [line for mb in at for name in names for line in job if line.split()[1].startswith(f"{name}.{mb}M/")]

ranges = picked(("once_read", "once_update", "once_copy"), (8, 32, 40, 44, 48, 52, 56, 60))
ranges += picked(("read.0", "read.201", "random"), (40, 44, 48, 52, 56))
for mb in (8, 32, 36, 40, 44, 48, 52, 56):  # in groups that come to other multiprocessors in each launch
    ranges.append(f"time many_read.{mb}M/{mb * M} 20 reads 4224 1 1 128 1 1 @out @in {words(mb * M // 4, 1, 0)}")
(where / "partitions.ranges.job").write_text("\n".join(head + ranges) + "\n")
slot = 0
names = []
def probe(label, n, turns, target):
    global slot
    job.append(f"launch probe 132 1 1 1024 1 1 @bins @in {words(n, turns, target, slot)}")
    names.append(label)
    slot += 1
for mb in (4, 8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128):
    n = mb * M // 4
    for target in (0, 2):
        probe(f"own.{target}.{mb}M", n, 3, target)
    for step in (0, 201):
        job.append(f"launch reads 528 1 1 512 1 1 @out @in {words(n, 6, step)}")
        probe(f"reads{step}.0.{mb}M", n, 0, 0)
    job.append(f"launch writes 528 1 1 512 1 1 @in @out {words(n, 6, 0)}")
    probe(f"writes.0.{mb}M", n, 0, 0)
job.append(f"save bins bins.bin {slot * 1024}")
(where / "partitions.job").write_text("\n".join(head + job) + "\n")
(where / "names.txt").write_text("\n".join(names) + "\n")
