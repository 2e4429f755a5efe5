#!/usr/bin/env python3
"""Writes ordinary.job and ordinary.once.job: launches of ordinary.cu's kernels for tests/nvidia/runner.cpp (times; the second, each twice, for ncu's
counters) and model_runner.cpp. ordinary.ptx is made as workloads.ptx is (workloads.py).

    python3 ordinary.py FOLDER"""
import pathlib
import sys

K, M = 1 << 10, 1 << 20
LAUNCHES = [  # label, kernel, groups, items, content, n
    ("saxpy.1M", "saxpy", 4 * K, 256, "unit", M), ("saxpy.16M", "saxpy", 64 * K, 256, "unit", 16 * M),
    ("copy4.4M", "copy4", 1 * K, 256, "unit", 256 * K), ("copy4.128M", "copy4", 32 * K, 256, "unit", 8 * M),
    ("scale_loop.64M", "scale_loop", 1056, 256, "unit", 16 * M), ("scale_loop.4M", "scale_loop", 264, 512, "unit", M),
    ("stride_rows.64", "stride_rows", 512, 128, "unit", 64), ("stride_rows.512", "stride_rows", 128, 256, "unit", 512),
    ("reverse.4M", "reverse", 4 * K, 256, "hash", M), ("gather.4M", "gather", 4 * K, 256, "index", M), ("gather.128M", "gather", 16 * K, 256, "index", 32 * M),
    ("rgb.1M", "rgb_to_grey", 4 * K, 256, "hash", M),
    ("transpose_naive.1K", "transpose_naive", 4 * K, 256, "unit", K), ("transpose_naive.4K", "transpose_naive", 64 * K, 256, "unit", 4 * K),
    ("transpose_tile.2K", "transpose_tile", 4 * K, 256, "unit", 2 * K),
    ("jacobi.1K", "jacobi", 4 * K, 256, "unit", K), ("jacobi.4K", "jacobi", 64 * K, 256, "unit", 4 * K), ("sobel.2K", "sobel", 16 * K, 256, "unit", 2 * K),
    ("median3.1K", "median3", 4 * K, 256, "hash", K), ("blur_row.4M", "blur_row", 16 * K, 256, "unit", 4 * M), ("life.1K", "life", 4 * K, 256, "hash", K),
    ("bilinear.2K", "bilinear", 16 * K, 256, "unit", 2 * K),
    ("sum_shared.16M", "sum_shared", 528, 256, "unit", 16 * M), ("sum_shared.1M", "sum_shared", 132, 256, "unit", M), ("sum_shuffle.16M", "sum_shuffle", 1056, 256, "unit", 16 * M),
    ("softmax.1K", "softmax", 2 * K, 256, "unit", K), ("softmax.8K", "softmax", 1 * K, 256, "unit", 8 * K), ("layer_norm.768", "layer_norm", 1 * K, 256, "unit", 768),
    ("prefix.1M", "prefix", 2 * K, 256, "hash", 512),
    ("sgemm_naive.512", "sgemm_naive", K, 256, "unit", 512), ("sgemm_tile.512", "sgemm_tile", K, 256, "unit", 512), ("sgemm_tile.1K", "sgemm_tile", 4 * K, 256, "unit", K),
    ("sgemm_registers.512", "sgemm_registers", 64, 256, "unit", 512), ("sgemm_registers.1K", "sgemm_registers", 256, 256, "unit", K),
    ("dgemm_tile.512", "dgemm_tile", K, 256, "zero", 512), ("gemv_warp.2K", "gemv_warp", 256, 256, "unit", 2 * K), ("gemv_warp.8K", "gemv_warp", K, 256, "unit", 8 * K),
    ("floyd.2K", "floyd", 16 * K, 256, "hash", 2 * K),
    ("black_scholes.1M", "black_scholes", 4 * K, 256, "unit", M), ("nbody_tile.8K", "nbody_tile", 32, 256, "unit", 8 * K), ("nbody_tile.32K", "nbody_tile", 128, 256, "unit", 8 * K),
    ("mandel.1K", "mandel", 4 * K, 256, "zero", K), ("pi_walk.1056", "pi_walk", 1056, 256, "zero", 256), ("pow_mod.1M", "pow_mod", 4 * K, 256, "hash", 0xfffb),
    ("fnv64.512", "fnv64", 512, 256, "hash", 256), ("crc_table.528", "crc_table", 528, 256, "hash", 16), ("waves.1056", "waves", 1056, 256, "unit", 64),
    ("newton64.528", "newton64", 528, 256, "zero", 16), ("quaternions.1056", "quaternions", 1056, 256, "unit", 64), ("ray_sphere.1K", "ray_sphere", 4 * K, 256, "unit", K),
    ("histogram_local.16M", "histogram_local", 528, 256, "hash", 4 * M), ("count_if.1M", "count_if", 4 * K, 256, "hash", M), ("bfs_step.256K", "bfs_step", K, 256, "hash", 256 * K),
    ("spmv.256K", "spmv", K, 256, "hash", 256 * K), ("list_walk.4M", "list_walk", 512, 128, "hash", M), ("list_walk.64M", "list_walk", 512, 128, "hash", 16 * M),
    ("kmeans.1M", "kmeans", 4 * K, 256, "unit", 0), ("match_text.1M", "match_text", 4 * K, 256, "zero", M), ("fft256.2K", "fft256", 2 * K, 128, "unit", 0),
    ("lattice.1M", "lattice", 4 * K, 256, "unit", M), ("lattice.64K", "lattice", 256, 256, "unit", 64 * K),
    ("bitonic_step.4M", "bitonic_step", 16 * K, 256, "hash", 1024), ("bitonic_step.16", "bitonic_step", 16 * K, 256, "hash", 16),
]


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    times, once, content = [], [], ""
    begin = ["module ordinary.ptx ordinary", f"buffer out {512 * M} zero"]
    for label, kernel, groups, items, what, n in sorted(LAUNCHES, key=lambda x: x[4]):
        if what != content:
            content = what
            for job in (times, once):
                job.append(f"buffer in {256 * M} {what}")
        launch = f"{kernel} {groups} 1 1 {items} 1 1 @out @in x:{n.to_bytes(4, 'little').hex()}"
        times.append(f"time {label} 20 {launch}")
        once.extend([f"launch {launch}"] * 2)
    (where / "ordinary.job").write_text("\n".join(begin + times) + "\n")
    (where / "ordinary.once.job").write_text("\n".join(begin + once) + "\n")
    print(len(LAUNCHES), "launches")


if __name__ == "__main__":
    main()
