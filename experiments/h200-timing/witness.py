#!/usr/bin/env python3
"""Writes witness.job: launches of witness.cu's kernels for tests/nvidia/runner.cpp and tests/nvidia/model_runner.cpp. witness.ptx:
  clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 \\
      -O3 -S -std=c++17 witness.cu -o witness.ptx"""
import hashlib
import pathlib
import sys

M = 1 << 20
LAUNCHES = [  # label, kernel, groups, items, n
    ("copy4.64M", "copy4", 16384, 256, 16 * M), ("copy4.1M", "copy4", 256, 256, M // 4), ("saxpy.16M", "saxpy", 16384, 256, 4 * M),
    ("strided.4M", "strided", 4096, 256, M), ("gather.64M", "gather", 4096, 256, 16 * M), ("grid_sum.64M", "grid_sum", 1056, 256, 16 * M),
    ("tree_sum.16M", "tree_sum", 528, 256, 4 * M), ("tree_sum.one", "tree_sum", 1, 256, M // 16), ("transpose.1K", "transpose", 1024, 256, 1024),
    ("transpose_naive.1K", "transpose_naive", 1024, 256, 1024), ("matmul.512", "matmul", 1024, 256, 512), ("stencil.16M", "stencil", 16384, 256, 4 * M),
    ("polynomial.528", "polynomial", 528, 256, M // 16), ("polynomial.one", "polynomial", 1, 32, M // 16), ("polynomial8.1056", "polynomial8", 1056, 256, M // 16),
    ("f64_chain.1056", "f64_chain", 1056, 256, M // 16), ("hash.1056", "hash", 1056, 256, 1), ("divide.528", "divide", 528, 256, 7),
    ("diverge.1056", "diverge", 1056, 128, 1), ("mandelbrot.512", "mandelbrot", 1024, 256, 512), ("histogram.4M", "histogram", 264, 256, M),
    ("counters.256K", "counters", 1024, 256, M // 16), ("chase.16M", "chase", 132, 128, 4 * M), ("chase.one", "chase", 1, 32, 4 * M),
]


def unseen():
    """Half of the launches, chosen by hash, are looked at only after all figures are set."""
    labels = sorted((launch[0] for launch in LAUNCHES), key=lambda label: hashlib.sha256(label.encode()).hexdigest())
    return set(labels[::2])


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    job = ["module witness.ptx witness", "buffer out 134217728 zero", "buffer in 134217728 zero"]
    for label, kernel, groups, items, n in LAUNCHES:
        which = "unseen" if label in unseen() else "seen"
        job.append(f"time {which}.{label} 20 {kernel} {groups} 1 1 {items} 1 1 @out @in x:{n.to_bytes(4, 'little').hex()}")
    for cycles in (20000, 40000, 80000):
        job.append(f"time gap.spin{cycles} 20 spin 132 1 1 32 1 1 @out @in x:{cycles.to_bytes(4, 'little').hex()}")
    (where / "witness.job").write_text("\n".join(job) + "\n")


main()
