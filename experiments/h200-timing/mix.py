#!/usr/bin/env python3
"""What loads and address arithmetic cost beside multiply-adds: writes mix.ptx and mix.job for tests/nvidia/runner.cpp and
model_runner.cpp; with files of answers, the cycles of a partition for each unit of a kernel (one access, its address, k
multiply-adds), with 1, 4 and 8 warps in each partition.

    python3 mix.py FOLDER
    python3 mix.py --cycles ANSWERS...

Kernels, each with 1 to 8 multiply-adds by constants behind what the letter says:
  A  a load [pair of registers + constant], from a first level that has it; U the same, aligned to 128 bytes
  W  a load whose address is base + 4 * (index + constant) in 32 bits: IADD3, IMAD.WIDE, LDG
  I  the same addresses, taken together by a LOP3, and no load
  S  a load of local memory
  F  nothing; R nothing, and multiply-adds of three registers
  P  a chain of IMAD.WIDE; Q the same, and chains of LOP3 in place of the multiply-adds; V an IADD3 and a LOP3, no chain of theirs longer"""
import pathlib
import statistics
import struct
import sys

UNITS, ROUNDS, ITEMS = 16, (200, 400), (128, 512, 1024)
KERNELS = [("A", (1, 2, 4, 8)), ("U", (1, 4)), ("W", (1, 2, 4, 8)), ("F", (1, 2, 4)), ("R", (1, 4)), ("I", (0, 1, 2, 4, 8)), ("S", (1, 2, 4, 8)), ("P", (0, 1, 2, 4, 8)), ("Q", (1, 2, 4, 8)), ("V", (0, 1, 2, 4, 8))]
CLOCK_GHZ = 1.98


def bits(value):
    return f"0f{struct.unpack('<I', struct.pack('<f', value))[0]:08X}"


def kernel(mode, adds):
    lines = [f".visible .entry {mode}{adds}(.param .u64 o, .param .u64 i, .param .u32 n)", "{",
             ".reg .b32 %r<200>; .reg .b64 %rd<200>; .reg .f32 %f<400>; .reg .pred %p<4>;"]
    if mode == "S":
        lines.append(".shared .align 16 .b8 sh[32768];")
    lines += ["ld.param.u64 %rd0, [i]; ld.param.u64 %rd1, [o]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;",
              "cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd1, %rd1;",
              "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd0, %rd2; mov.u32 %r2, 0; mov.u32 %r40, %r0;"]
    if mode == "S":
        lines.append("mov.u32 %r5, sh; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; st.shared.f32 [%r5], 0f00000000; bar.sync 0;")
    lines += [f"mov.f32 %f{a}, 0f00000000;" for a in range(8)]
    if mode in "PQV":
        lines += [f"add.u32 %r{110 + a}, %r1, {a + 9};" for a in range(8)]
        lines += [f"add.u32 %r{100 + a}, %r1, {a}; cvt.u64.u32 %rd{100 + a}, %r{100 + a}; add.s64 %rd{100 + a}, %rd{100 + a}, %rd3;" for a in range(8)]
    if mode in "FRIPV":
        lines += [f"ld.global.f32 %f{20 + j}, [%rd3+{4 * j}];" for j in range(UNITS)]
    lines += ["L:", "shl.b32 %r3, %r2, 7; and.b32 %r3, %r3, 8064; cvt.u64.u32 %rd4, %r3; add.s64 %rd5, %rd3, %rd4; add.u32 %r4, %r1, %r3;"]
    if mode == "S":
        lines.append("add.u32 %r7, %r5, %r3;")
    count = 0
    for j in range(UNITS):
        x = 20 + j
        if mode == "A":
            lines.append(f"ld.global.nc.f32 %f{x}, [%rd5+{4 * j}];")
        if mode == "U":
            lines.append(f"ld.global.nc.f32 %f{x}, [%rd5+{128 * j}];")
        if mode == "S":
            lines.append(f"ld.shared.f32 %f{x}, [%r7+{4 * j}];")
        if mode in "PQ":
            lines.append(f"mad.wide.u32 %rd{100 + j % 8}, %r4, {4 * j + 3}, %rd{100 + j % 8};")
        if mode == "V":
            lines.append(f"add.u32 %r{100 + j % 8}, %r{100 + j % 8}, %r{100 + (j + 3) % 8}; xor.b32 %r{100 + (j + 5) % 8}, %r{100 + (j + 5) % 8}, %r{100 + (j + 2) % 8};")
        if mode in "WI":
            lines.append(f"add.u32 %r{10 + j}, %r4, {j}; mul.wide.u32 %rd{10 + j}, %r{10 + j}, 4; add.s64 %rd{30 + j}, %rd0, %rd{10 + j};")
        if mode == "W":
            lines.append(f"ld.global.nc.f32 %f{x}, [%rd{30 + j}];")
        if mode == "I":
            lines.append(f"mov.b64 {{%r{60 + j}, %r{80 + j}}}, %rd{30 + j}; xor.b32 %r40, %r40, %r{60 + j}; xor.b32 %r40, %r40, %r{80 + j};")
        for _ in range(adds):
            if mode == "Q":
                lines.append(f"xor.b32 %r{110 + count % 8}, %r{110 + (count + 1) % 8}, %r{110 + count % 8};")
                count += 1
                continue
            factor = f"%f{20 + (j + 5) % UNITS}" if mode == "R" else bits(0.01 * (count + 1))
            lines.append(f"fma.rn.f32 %f{count % 8}, %f{x}, {factor}, %f{count % 8};")
            count += 1
    lines.append("add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra L;")
    lines += [f"add.f32 %f0, %f0, %f{a};" for a in range(1, 8)]
    if mode in "PQV":
        lines += [f"xor.b64 %rd100, %rd100, %rd{100 + a}; xor.b32 %r100, %r100, %r{100 + a}; xor.b32 %r110, %r110, %r{110 + a};" for a in range(1, 8)]
        lines.append("mov.b64 {%r60, %r61}, %rd100; xor.b32 %r40, %r60, %r61; xor.b32 %r40, %r40, %r100; xor.b32 %r40, %r40, %r110;")
    lines += ["cvt.rn.f32.u32 %f9, %r40; add.f32 %f0, %f0, %f9; add.s64 %rd6, %rd1, %rd2; st.global.f32 [%rd6], %f0; ret;", "}"]
    return "\n".join(lines) + "\n"


def make(where):
    names = [f"{mode}{adds}" for mode, counts in KERNELS for adds in counts]
    text = ".version 8.0\n.target sm_90\n.address_size 64\n"
    (where / "mix.ptx").write_text(text + "".join(kernel(mode, adds) for mode, counts in KERNELS for adds in counts))
    job = [f"buffer out {1 << 20} zero", f"buffer in {1 << 20} unit", "module mix.ptx mix"]
    for name in names:
        for items in ITEMS:
            for rounds in ROUNDS:
                job.append(f"time {name}.t{items}.n{rounds} 5 {name} 132 1 1 {items} 1 1 @out @in x:{rounds.to_bytes(4, 'little').hex()}")
    (where / "mix.job").write_text("\n".join(job) + "\n")


def cycles(paths):
    for path in paths:
        found = {}
        for line in pathlib.Path(path).read_text().splitlines():
            words = line.split()
            if len(words) > 2 and words[1] == "ns":
                found[words[0]] = statistics.median(float(w) for w in words[2:])
        for name in dict.fromkeys(label.split(".")[0] for label in found):
            row = []
            for items in ITEMS:
                few, many = (found.get(f"{name}.t{items}.n{rounds}") for rounds in ROUNDS)
                if few is not None and many is not None:
                    row.append(f"{(many - few) * CLOCK_GHZ / (ROUNDS[1] - ROUNDS[0]) / (items / 128) / UNITS:6.2f}")
            print(f"{name:4}", *row)


if __name__ == "__main__":
    if sys.argv[1] == "--cycles":
        cycles(sys.argv[2:])
    else:
        make(pathlib.Path(sys.argv[1]))
