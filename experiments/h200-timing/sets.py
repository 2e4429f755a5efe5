#!/usr/bin/env python3
"""Writes sets.job for tests/nvidia/runner.cpp:

    python3 sets.py FOLDER                 and sets.ptx of sets.cu by clang-19, as in witness.py; ./runner sets.job leaves sets.bin
    python3 sets.py --summary sets.bin     sets.txt: 'bit' rows say which bits of a set's number a bit of a line's number turns; 'in' rows, of lines that chance
                                           chose those that share set 0; 'order' rows, of loads of so many lines of a set, which of them (a letter each), upper
                                           case where it hit
    python3 sets.py --compare sets.txt     how many of the loads do otherwise under LRU, and under segmented LRU with two of four lines protected"""
import pathlib
import struct
import sys

BITS, RANDOM, WORDS = range(9, 24), 8192, 640
ORDERS = [(lines, 200, 0) for lines in (4, 5, 6, 8)] + [(lines, 600, chance) for lines in (5, 6, 7, 8) for chance in range(1, 7)]


def misses(lines, protected):
    """Which of the loads of one set's lines, in that order, miss."""
    probation, kept, out = [], [], []
    for line in lines:
        out.append(line not in probation and line not in kept)
        if out[-1]:
            if len(probation) + len(kept) == 4:
                (probation or kept).pop(0)
            probation.append(line)
        else:
            (kept if line in kept else probation).remove(line)
            kept.append(line)
            if len(kept) > protected:
                probation.append(kept.pop(0))
    return out


def compare(path):
    loads, other = 0, {0: 0, 2: 0}
    for row in (r.split() for r in pathlib.Path(path).read_text().splitlines()):
        if row[0] == "order" and row[2] != "0":
            loads += len(row[3])
            for protected in other:
                other[protected] += sum((c.islower()) != m for c, m in zip(row[3], misses(row[3].lower(), protected)))
    print(f"{loads} loads, {other[0]} otherwise under LRU, {other[2]} under segmented LRU")


def summary(path):
    data = pathlib.Path(path).read_bytes()
    blocks = [struct.unpack(f"<{WORDS}I", data[i:i + 4 * WORDS]) for i in range(0, len(data), 4 * WORDS)]
    for bit, block in zip(BITS, blocks):
        print(f"bit {bit} turns", *(f"{low:#x}" for low in range(512) if block[low] > 120))
    print("in 0", *(f"{line:#x}" for line in blocks[-1 - len(ORDERS)][512:] if line != 0))
    for (lines, count, chance), block in zip(ORDERS, blocks[len(BITS):]):
        print(f"order {lines} {chance}", "".join("abcdefgh"[w & 255] if w >> 8 > 120 else "ABCDEFGH"[w & 255] for w in block[:count]))


def main():
    if "--summary" in sys.argv:
        return summary(sys.argv[-1])
    if "--compare" in sys.argv:
        return compare(sys.argv[-1])
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    words = lambda *values: " ".join("x:" + v.to_bytes(4, "little").hex() for v in values)
    job = ["module sets.ptx sets", f"buffer in {4 << 30} zero"]
    launches = [f"hashed 1 1 1 32 1 1 @out @in {words(bit, RANDOM if bit == BITS[-1] else 0)}" for bit in BITS]
    launches += [f"order 1 1 1 32 1 1 @out @in {words(17 + k, *order)}" for k, order in enumerate(ORDERS)]
    for launch in launches:
        job += [f"buffer out {4 * WORDS} zero", f"launch {launch}", f"save out sets.bin {4 * WORDS}"]
    (where / "sets.job").write_text("\n".join(job) + "\n")


main()
