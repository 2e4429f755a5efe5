#!/usr/bin/env python3
"""Writes workloads.job and workloads.once.job: launches of workloads.cu's kernels for tests/nvidia/runner.cpp (times; the second, each
twice, for ncu's counters) and model_runner.cpp. workloads.ptx:
  clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 \\
      -O3 -S -std=c++17 workloads.cu -o workloads.ptx

    python3 workloads.py FOLDER [--put-aside]     without the word, the half that is put aside is left out"""
import hashlib
import pathlib
import sys

K, M = 1 << 10, 1 << 20
LAUNCHES = [  # category, label, kernel, groups, items, content, n
    ("memory", "triad_double.48M", "triad_double", 8 * K, 256, "unit", 2 * M),
    ("memory", "triad_double.768K", "triad_double", 128, 256, "unit", 32 * K),
    ("memory", "fill.64K", "fill", 16, 256, "zero", 4 * K),
    ("memory", "fill.256M", "fill", 1056, 256, "zero", 16 * M),
    ("memory", "records12.32M", "records12", 8 * K, 256, "unit", 2 * M),
    ("memory", "records32.64M", "records32", 8 * K, 256, "unit", 2 * M),
    ("memory", "records32.8M", "records32", K, 256, "unit", 256 * K),
    ("memory", "bytes.4M", "bytes", 16 * K, 256, "hash", 4 * M),
    ("memory", "stencil7.128", "stencil7", 64, 256, "unit", 128),
    ("memory", "stencil7.256", "stencil7", 256, 256, "unit", 256),
    ("memory", "matvec.1K", "matvec", 128, 256, "unit", 1 * K),
    ("memory", "matvec.4K", "matvec", 512, 256, "unit", 4 * K),
    ("irregular", "sparse_rows.4M", "sparse_rows", 512, 256, "unit", 1 * M),
    ("irregular", "sparse_rows.256M", "sparse_rows", 512, 256, "unit", 64 * M),
    ("irregular", "search.1M", "search", 512, 256, "index", 256 * K),
    ("irregular", "search.64M", "search", 512, 256, "index", 16 * M),
    ("irregular", "compact.4M", "compact", 4 * K, 256, "hash", 1 * M),
    ("local", "scan.4M", "scan", 4 * K, 256, "hash", 1 * M),
    ("local", "scan.one", "scan", 1, 256, "hash", 256),
    ("local", "bitonic.1M", "bitonic", 2 * K, 256, "hash", 1 * M),
    ("local", "transpose_conflict.1K", "transpose_conflict", 1 * K, 256, "unit", 1 * K),
    ("local", "sgemm64.512", "sgemm64", 64, 256, "unit", 512),
    ("local", "sgemm64.1K", "sgemm64", 256, 256, "unit", 1 * K),
    ("local", "convolve.1K", "convolve", 4 * K, 256, "unit", 1 * K),
    ("local", "barriers.132", "barriers", 132, 256, "hash", 64),
    ("local", "barriers.1056", "barriers", 1056, 256, "hash", 64),
    ("atomics", "bins_global.1M", "bins_global", 528, 256, "hash", 256 * K),
    ("atomics", "one_counter.1M", "one_counter", 1 * K, 256, "hash", 256 * K),
    ("atomics", "scatter_add.4K", "scatter_add", 1 * K, 256, "hash", 1 * K),
    ("atomics", "scatter_add.16M", "scatter_add", 2 * K, 256, "hash", 4 * M),
    ("atomics", "exchange.4M", "exchange", 512, 256, "hash", 1 * M),
    ("compute", "bodies.4K", "bodies", 16, 256, "unit", 4 * K),
    ("compute", "bodies.33K", "bodies", 132, 256, "unit", 1 * K),
    ("compute", "options.1M", "options", 1 * K, 256, "unit", 256 * K),
    ("compute", "random_walk.1056", "random_walk", 1056, 256, "zero", 64),
    ("compute", "random_walk.13", "random_walk", 13, 256, "zero", 64),
    ("compute", "sha_rounds.528", "sha_rounds", 528, 256, "zero", 16),
    ("f64", "doubles.1056", "doubles", 1056, 256, "zero", 64),
    ("f64", "doubles.132", "doubles", 132, 128, "zero", 256),
    ("compute", "halves.1056", "halves", 1056, 256, "hash", 128),
    ("divergence", "cases.1056", "cases", 1056, 256, "unit", 32),
    ("divergence", "uneven.1056", "uneven", 1056, 256, "unit", 256),
    ("divergence", "uneven_groups.2640", "uneven_groups", 2640, 128, "unit", 512),
    ("tensor", "tensor_rate.264", "tensor_rate", 264, 256, "hash", 64),
    ("tensor", "tensor_rate.132", "tensor_rate", 132, 128, "hash", 64),
    ("tensor", "tensor_matmul.1K", "tensor_matmul", 256, 128, "hash", 1 * K),
    ("latency", "chain_local.one", "chain_local", 1, 32, "zero", 512),
    ("latency", "chain_atomic.one", "chain_atomic", 1, 32, "zero", 64),
    ("latency", "chain_atomic.132", "chain_atomic", 132, 128, "zero", 32),
    ("small", "nothing.1", "nothing", 1, 32, "zero", 1),
    ("small", "nothing.16K", "nothing", 16 * K, 128, "zero", 1),
]


def put_aside():
    """Half of each category's launches, chosen by hash, is looked at only after all figures are set."""
    labels = set()
    for category in {launch[0] for launch in LAUNCHES}:
        own = sorted((x[1] for x in LAUNCHES if x[0] == category), key=lambda label: hashlib.sha256(("aside " + label).encode()).hexdigest())
        labels |= set(own[::2])
    return labels


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    aside = put_aside()
    times, once, content = [], [], ""
    begin = ["module workloads.ptx workloads", f"buffer out {256 * M} zero"]
    for category, label, kernel, groups, items, what, n in sorted(LAUNCHES, key=lambda x: x[5]):
        if label in aside and "--put-aside" not in sys.argv:
            continue
        if what != content:
            content = what
            for job in (times, once):
                job.append(f"buffer in {256 * M} {what}")
        launch = f"{kernel} {groups} 1 1 {items} 1 1 @out @in x:{n.to_bytes(4, 'little').hex()}"
        which = "aside" if label in aside else "seen"
        times.append(f"time {which}.{category}.{label} 20 {launch}")
        once.extend([f"launch {launch}"] * 2)
    (where / "workloads.job").write_text("\n".join(begin + times) + "\n")
    (where / "workloads.once.job").write_text("\n".join(begin + once) + "\n")
    names = "\n".join(sorted(aside))
    print(len(LAUNCHES), "launches,", len(aside), "put aside:", hashlib.sha256(names.encode()).hexdigest())


if __name__ == "__main__":
    main()
