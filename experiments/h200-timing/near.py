#!/usr/bin/env python3
"""Writes near.once.job, for ncu:

    python3 near.py FOLDER                 and near.ptx of near.cu by clang-19, as in witness.py; --labels prints the launches' labels
    ncu --cache-control none --clock-control none --csv --metrics METRICS ./runner near.once.job > near.csv    METRICS as below, by commas
    python3 near.py --summary near.csv     near.txt: 'keeps' rows are the share of the loads behind the first turn that hit, 'share' rows KB of local memory

between.KB.STORED: a group's KB, read again behind so many KB of stores. stored.KB.STEP: a word of each STEP, stored and then loaded.
KERNEL.perN.KB.tTURNS: N groups a multiprocessor, which read KB together. local.ITEMS.BYTES.KB: one group with so much local memory.
share.ITEMS.VALUES.KB: the share that the driver gives local memory where a group has KB of it."""
import csv
import pathlib
import sys

METRICS = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "launch__shared_mem_config_size",
           "launch__registers_per_thread")
LOCAL = (0, 1, 2, 3, 4, 6, 7, 8, 12, 15, 16, 20, 24, 31, 32, 40, 47)


def launches():
    """Label, kernel, groups, items, what follows the buffers, turns."""
    for kb in (64, 96, 128, 160, 176, 192, 200, 208, 216, 224, 232, 240, 248, 256, 264, 272, 288, 320, 384):
        for turns in (2, 8):
            for name, kernel, per, items in (("own", "own_0", 1, 512), ("own", "own_0", 8, 256), ("words", "words", 8, 256), ("back", "back", 1, 512), ("random", "random_lines", 1, 512)):
                n = kb * 256 // per
                if n % (items * 4) == 0:
                    yield f"{name}.per{per}.{kb}.t{turns}", kernel, 132 * per, items, (n, turns), turns
    for items, local, low, high in ((1024, 0, 226, 262), (512, 0, 222, 250), (256, 0, 208, 240), (512, 4096, 176, 210), (512, 8192, 140, 170), (512, 15360, 106, 140),
                                    (256, 16384, 70, 110), (256, 24576, 4, 40), (512, 49152, 30, 70)):
        for kb in range(low, high, 2):
            yield f"local.{items}.{local}.{kb}", f"own_{local}", 132, items, (kb * 256, 2), 2
    for kb in (64, 128, 192):
        for stores in (0, 16, 32, 64, 96, 128, 160, 192, 224, 256):
            yield f"between.{kb}.{stores}", "between", 132, 512, (kb * 256, stores * 256), 2
    for kb in (16, 64, 128, 224, 256):
        for step in (1, 4, 8):
            yield f"stored.{kb}.{step}", "stored", 132, 512, (kb * 256, step), 1
    for values, sizes in ((0, (32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024)), (24, (64, 128, 256, 512, 1024))):
        for local in LOCAL:
            for items in sizes:
                yield f"share.{items}.{values}.{local}", f"share_{local}_{values}", 132, items, (1,), 0


def summary(path):
    found = {}
    for row in csv.reader(line for line in pathlib.Path(path).read_text().splitlines() if line.startswith('"')):
        if row[0].isdigit():
            found.setdefault(int(row[0]), {})[row[-3]] = float(row[-1].replace(",", ""))
    for number, (label, _, _, _, _, turns) in enumerate(launches()):
        sectors, hits, share, registers = (found[number][metric] for metric in METRICS)
        if turns == 0:
            print(f"{label} share {share / 1024:.0f} registers {registers:.0f}")
        else:
            behind = sectors - sectors / turns if turns > 1 else sectors
            print(f"{label} keeps {hits / behind:.3f} share {share / 1024:.0f}")


def main():
    if "--summary" in sys.argv:
        return summary(sys.argv[-1])
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    job = ["module near.ptx near", f"buffer out {64 << 20} zero", f"buffer in {64 << 20} zero"]
    for _, kernel, groups, items, values, _ in launches():
        job.append(f"launch {kernel} {groups} 1 1 {items} 1 1 @out @in " + " ".join("x:" + v.to_bytes(4, "little").hex() for v in values))
    (where / "near.once.job").write_text("\n".join(job) + "\n")
    if "--labels" in sys.argv:
        print("\n".join(launch[0] for launch in launches()))


main()
