#!/usr/bin/env python3
"""Writes tags.ptx and tags.job: loads that hit the first level, of a wave whose lanes lie in the named lines of 128 bytes (from the buffer's begin on),
each lane in a bank of its own: one group of 1024 items, 131072 loads. pair.A.B: two lines; setN.K.LINES: more; high.BIT.VALUE: line 2^BIT and one whose
tag bank is VALUE by the low ten bits.

    python3 tags.py FOLDER
    python3 tags.py --compare tags.txt        which rows take other cycles than the fullest tag bank's lines"""
import pathlib
import random
import sys

# Of a line's number in the buffer, whose begin had bits 18 and 22 set, so that these carry. Of the number itself: machines/nvidia/cc90.toml.
LOW, HIGH = 0xFED5DA, 0xAB7AB5
TURNS, LOADS, WARPS, CLOCK = 256, 16, 32, 1.98


def bank(line):
    return (line & LOW).bit_count() & 1 | ((line & HIGH).bit_count() & 1) << 1


def sets():
    rng, out = random.Random(5), {"one.0": [0]}
    out |= {f"pair.0.{j}": [0, j] for j in range(1, 1024)}
    out |= {f"pair.{a}.{a + j}": [a, a + j] for a in (1, 2, 3, 5, 7, 11, 13, 37, 64, 127) for j in range(1, 40)}
    for n in (4, 8):
        for k in range(60):
            if k < 20:
                first = [rng.randrange(900) + i * (k % 5 + 1) for i in range(n)][0]
                lines = [first + i * (k % 5 + 1) for i in range(n)]
            else:
                lines = rng.sample(range(1024), n)
            out[f"set{n}.{k}.{'_'.join(map(str, lines))}"] = lines
    one_of = {}
    for line in range(1, 1024):
        one_of.setdefault(bank(line), line)
    return out | {f"high.{bit}.{value}": [one_of[value], 1 << bit] for bit in range(10, 24) for value in range(4)}


def compare(file):
    lines, rows, other = sets(), 0, 0
    for row in (r.split() for r in pathlib.Path(file).read_text().splitlines()):
        if len(row) < 3 or row[0] not in lines:
            continue
        banks = [bank(line) for line in set(lines[row[0]])]
        cycles = min(map(int, row[2:])) * CLOCK / (TURNS * LOADS * WARPS)
        rows += 1
        if abs(cycles - max(map(banks.count, banks))) > 0.2:
            other += 1
            print(f"{row[0]}: {cycles:.2f} cycles, banks {sorted(banks)}")
    print(f"{rows} rows, {other} otherwise")


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


def main():
    if "--compare" in sys.argv:
        return compare(sys.argv[-1])
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    loads = "".join(f"  ld.global.u32 %v{k}, [%a]; add.s64 %a, %a, %z;\n" for k in range(LOADS))
    fold = "".join(f"  xor.b32 %s, %s, %v{k};\n" for k in range(LOADS))
    choose = "".join(f"  ld.param.u32 %q, [o{i}]; setp.eq.u32 %p, %g, {i}; selp.b32 %o, %q, %o, %p;\n" for i in range(8))
    (where / "tags.ptx").write_text(f""".version 8.0
.target sm_90
.address_size 64
.visible .entry tags(.param .u64 out, .param .u64 in, .param .u32 zero, .param .u32 n, {", ".join(f".param .u32 o{i}" for i in range(8))})
{{ .reg .pred %p; .reg .b32 %v<{LOADS}>, %q, %s, %o, %g, %n, %t; .reg .b64 %a, %z, %w;
  ld.param.u64 %a, [in]; ld.param.u32 %t, [zero]; cvt.u64.u32 %z, %t; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; and.b32 %t, %t, 31; shr.u32 %g, %t, 2; mov.u32 %o, 0; mov.u32 %s, 0;
{choose}  shl.b32 %t, %t, 2; add.u32 %o, %o, %t; cvt.u64.u32 %w, %o; add.s64 %a, %a, %w;
top: .pragma "nounroll";
{loads}{fold}  sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra top;
  setp.eq.u32 %p, %s, 12345; ld.param.u64 %w, [out]; @%p st.global.u32 [%w], %s; ret; }}
""")
    job = ["module tags.ptx tags", f"buffer out {1 << 20} zero", f"buffer in {2 << 30} zero"]
    for name, lines in sets().items():
        offsets = " ".join(x(128 * lines[i * len(lines) // 8] & 0xFFFFFFFF) for i in range(8))
        job.append(f"time {name} 4 tags 1 1 1 {32 * WARPS} 1 1 @out @in {x(0)} {x(TURNS)} {offsets}")
    (where / "tags.job").write_text("\n".join(job) + "\n")


main()
