#!/usr/bin/env python3
"""Writes fft (fast convolutions of 4096 by Fourier transforms) and attention: .cu, .ptx (clang-19), .job, and .check.job (a few groups, with sums).

    python3 space.py FOLDER"""
import itertools
import pathlib
import random
import subprocess
import sys

K, M = 1 << 10, 1 << 20
FLAGS = ("-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 "
         "-O3 -S -std=c++17 -Wno-unknown-cuda-version").split()
HERE = pathlib.Path(__file__).resolve().parent
COUNT, ROWS_A, HEADS = 40, 2048, 32


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


def fft():
    for radix, each, split, pad, tw in itertools.product((2, 4, 8, 16), (4, 8, 16, 32), (0, 1), (0, 1), (0, 1, 2)):
        if each < radix or (radix == 2 and tw == 1):  # one factor only
            continue
        yield (f"fft.r{radix}.e{each}.split{split}.pad{pad}.tw{tw}", dict(RADIX=radix, EACH=each, SPLIT=split, PAD=pad, TW=tw), ROWS_A, 4 * K // each)


def attention():
    for lanes, rows, items, keys, together in itertools.product((1, 2, 4, 8, 16), (1, 2, 4), (64, 128, 256), (0, 16, 32, 64), (1, 2, 4)):
        if 128 // lanes * rows > 128 or items // lanes * rows > 512:
            continue
        yield (f"attention.l{lanes}.r{rows}.i{items}.k{keys}.t{together}", dict(LANES=lanes, ROWS=rows, ITEMS=items, KEYS=keys, TOGETHER=together),
               HEADS * 512 // (items // lanes * rows), items)


def space(where, name, configurations, seed, body, buffers, prepare, arguments, out, small, words):
    configurations = list(configurations)
    assert len(configurations) >= 100
    chosen = [configurations[i] for i in sorted(random.Random(seed).sample(range(len(configurations)), COUNT))]
    text = ['#include "space_common.inc"']
    begin = [f"module {name}.ptx {name}"] + [f"buffer {b} {size} {content}" for b, (size, content) in buffers.items()] + prepare
    job, check = list(begin), list(begin) + ["buffer sums 1024 zero"]
    for label, parameters, groups, items in chosen:
        kernel = label.replace(".", "_")
        text += [f"#define NAME {kernel}"] + [f"#define {k} {v}" for k, v in parameters.items()] + [f'#include "{body}"', "#undef NAME"] + [f"#undef {k}" for k in parameters]
        job.append(f"time {label} 20 {kernel} {groups} 1 1 {items} 1 1 {arguments}")
        few = small(parameters)
        check += [f"buffer {out} {buffers[out][0]} zero", f"launch {kernel} {few} 1 1 {items} 1 1 {arguments}", f"launch checksum 1 1 1 256 1 1 @sums @{out} {x(words)}", f"show sums 256 {label}"]
    (where / f"{name}.cu").write_text("\n".join(text) + "\n")
    (where / f"{name}.job").write_text("\n".join(job) + "\n")
    (where / f"{name}.check.job").write_text("\n".join(check) + "\n")
    subprocess.run(["clang-19", *FLAGS, f"-I{HERE}", str(where / f"{name}.cu"), "-o", str(where / f"{name}.ptx")], check=True)
    print(name, len(chosen), "of", len(configurations))


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    space(where, "fft", fft(), 11, "fft_body.inc", {"out": (64 * M, "zero"), "in": (64 * M, "unit"), "filter": (32 * K, "unit"), "table": (64 * K, "zero")},
          [f"launch twiddles 32 1 1 256 1 1 @table {x(4 * K)}"], "@out @in @filter @table x:db0fc9c0 x:db0fc9c0", "out", lambda c: 3, 3 * 8 * K)
    size = HEADS * 512 * 64 * 4
    space(where, "attention", attention(), 12, "attention_body.inc", {"out": (size, "zero"), "q": (size, "unit"), "k": (size, "unit"), "v": (size, "unit")},
          [], "@out @q @k @v", "out", lambda c: 1024 // (c["ITEMS"] // c["LANES"] * c["ROWS"]), 1024 * 64)


if __name__ == "__main__":
    main()
