#!/usr/bin/env python3
"""Writes local_atomics.job for tests/nvidia/runner.cpp and model_runner: cycles of 256 atomics of local memory, as each warp sees them, by how
lanes' words lie: every STRIDE-th word, of MASK + 1; `hash`: anywhere among them. local_atomics.ptx is made as workloads.ptx is.

    python3 local_atomics.py FOLDER"""
import pathlib
import sys

lines = ["module local_atomics.ptx local_atomics", "buffer out 65536 zero"]
word = lambda value: "x:" + value.to_bytes(4, "little").hex()
for kernel in ("count", "add", "add_returns", "smaller", "swap", "load", "store", "add_float", "add_float_returns"):
    for label, stride, mask, hashed in (("apart", 1, 31, 0), ("bank2", 2, 63, 0), ("bank4", 4, 127, 0), ("bank8", 8, 255, 0), ("bank32", 32, 1023, 0), ("same2", 1, 15, 0),
                                        ("same4", 1, 7, 0), ("same32", 0, 0, 0), ("hash256", 0, 255, 1), ("hash64", 0, 63, 1), ("hash1024", 0, 1023, 1)):
        for warps in (1, 4, 16):
            for own in (0, 256) if warps == 16 and stride in (0, 1) else (0,):
                lines.append(f"launch {kernel} 1 1 1 {32 * warps} 1 1 @out {word(stride)} {word(mask)} {word(own)} {word(hashed)}")
                lines.append(f"show out 1 {kernel}.{label}.{warps}{'.own' if own else ''}")
(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "local_atomics.job").write_text("\n".join(lines) + "\n")
