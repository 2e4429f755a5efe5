#!/usr/bin/env python3
"""Writes private.ptx and private.job: stores to and loads from private memory (PTX's local space), KERNEL.WORDS.ITEMS.ACCESSES, on 132 groups:
each item stores all of its words, or loads them, or both in turn. What an access costs is the difference of two lengths.

    python3 private.py FOLDER"""
import pathlib
import sys

WORDS, ITEMS, LENGTHS, GROUPS = (8, 32, 128, 512), (32, 128, 512, 1024), (2048, 6144), 132


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


def kernel(mode, words):
    def turn(what):
        op = {"store": "st.local.u32 [%r2+{0}], %r5;", "load": "ld.local.u32 %r6, [%r2+{0}]; add.u32 %r5, %r5, %r6;"}[what]
        return (f"  mov.u32 %r2, %r1; add.u32 %r3, %r1, {4 * words};\n{what}s: .pragma \"nounroll\";\n  " +
                "\n  ".join(op.format(4 * k) for k in range(8)) + f"\n  add.u32 %r2, %r2, 32; setp.lt.u32 %p1, %r2, %r3; @%p1 bra {what}s;\n")
    body = {"store": turn("store"), "load": turn("load"), "both": turn("store") + turn("load")}[mode]
    first = turn("store").replace("stores", "first") if mode == "load" else ""
    return (f".visible .entry {mode}_{words}(.param .u64 out, .param .u32 turns)\n{{\n  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<4>;\n"
            f"  .local .align 16 .b8 room[{4 * words}];\n"
            "  mov.u32 %r1, room; ld.param.u64 %rd1, [out]; ld.param.u32 %r8, [turns]; mov.u32 %r5, %tid.x; mov.u32 %r9, 0;\n" + first +
            "turn: .pragma \"nounroll\";\n" + body + "  add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, %r8; @%p2 bra turn;\n"
            "  ld.local.u32 %r6, [%r1]; add.u32 %r5, %r5, %r6; mov.u32 %r7, %ctaid.x; shl.b32 %r7, %r7, 10; mov.u32 %r6, %tid.x; add.u32 %r7, %r7, %r6;\n"
            "  mul.wide.u32 %rd2, %r7, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r5;\n  ret;\n}\n")


where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
modes = ("store", "load", "both")
(where / "private.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(kernel(m, w) for m in modes for w in WORDS))
job = ["module private.ptx private", f"buffer out {4 << 20} zero"]
for mode in modes:
    for words in WORDS:
        for items in ITEMS:
            for accesses in LENGTHS:
                job.append(f"time {mode}.{words}.{items}.{accesses} 10 {mode}_{words} {GROUPS} 1 1 {items} 1 1 @out {x(accesses // words)}")
(where / "private.job").write_text("\n".join(job) + "\n")
