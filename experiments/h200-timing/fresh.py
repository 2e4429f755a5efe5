#!/usr/bin/env python3
"""Writes fresh.job and fresh.once.job: launches of fresh.cu's kernels for tests/nvidia/runner.cpp (times; the second, each twice, for ncu's
counters) and model_runner.cpp. fresh.ptx is made as workloads.ptx is (workloads.py).

    python3 fresh.py FOLDER"""
import pathlib
import sys

K, M = 1 << 10, 1 << 20


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


LAUNCHES = [  # label, kernel, groups in x and y, items in x and y, arguments
    ("nothing.1", "nothing", (1, 1), (32, 1), "@out"),
    ("nothing.1056", "nothing", (1056, 1), (256, 1), "@out"),
    ("rms_norm.4K", "rms_norm", (2048, 1), (256, 1), f"@out @unit {x(4096)}"),
    ("rms_norm.1K", "rms_norm", (128, 1), (256, 1), f"@out @unit {x(1024)}"),
    ("softmax_warp.64K", "softmax_warp", (8192, 1), (256, 1), f"@out @unit {x(64*K)}"),
    ("softmax_warp.1K", "softmax_warp", (132, 1), (256, 1), f"@out @unit {x(1056)}"),
    ("argmax_rows.1000", "argmax_rows", (4096, 1), (128, 1), f"@out @unit {x(1000)}"),
    ("batchnorm_stats", "batchnorm_stats", (128, 1), (256, 1), f"@out @unit {x(784)}"),
    ("bias_gelu.16M", "bias_gelu", (4096, 1), (256, 1), f"@out @unit {x(M)}"),
    ("bias_gelu.1M", "bias_gelu", (256, 1), (256, 1), f"@out @unit {x(64*K)}"),
    ("adam.4M", "adam", (16*K, 1), (256, 1), f"@p @m @v @unit {x(4*M)}"),
    ("adam.256K", "adam", (K, 1), (256, 1), f"@p @m @v @unit {x(256*K)}"),
    ("rgba_to_yuv.2K", "rgba_to_yuv420", (4096, 1), (256, 1), f"@out @hash {x(2048)}"),
    ("rgba_to_yuv.512", "rgba_to_yuv420", (256, 1), (256, 1), f"@out @hash {x(512)}"),
    ("resize_rgb.1280", "resize_rgb", (40, 90), (32, 8), f"@out @hash {x(1280)}"),
    ("resize_rgb.3840", "resize_rgb", (120, 270), (32, 8), f"@out @hash {x(3840)}"),
    ("depthwise3.56", "depthwise3", (13, 256), (256, 1), f"@out @unit {x(56)}"),
    ("depthwise3.112", "depthwise3", (49, 512), (256, 1), f"@out @unit {x(112)}"),
    ("conv3_direct.128", "conv3_direct", (16, 8), (256, 1), f"@out @unit {x(32)}"),
    ("conv3_direct.528", "conv3_direct", (16, 33), (256, 1), f"@out @unit {x(32)}"),
    ("scan_sums.16M", "scan_sums", (8192, 1), (256, 1), f"@out @hash {x(0)}"),
    ("scan_top.2K", "scan_top", (1, 1), (256, 1), f"@out @hash {x(2048)}"),
    ("scan_apply.4M", "scan_apply", (2048, 1), (256, 1), f"@out @hash {x(0)}"),
    ("radix_count.4M", "radix_count", (2048, 1), (256, 1), f"@out @hash {x(8)}"),
    ("radix_scatter.4M", "radix_scatter", (8192, 1), (256, 1), f"@out @hash {x(8)}"),
    ("radix_scatter.256K", "radix_scatter", (512, 1), (256, 1), f"@out @hash {x(8)}"),
    ("merge_path.4M", "merge_path", (2048, 1), (256, 1), f"@out @index {x(2*M)}"),
    ("merge_path.256K", "merge_path", (128, 1), (256, 1), f"@out @index {x(128*K)}"),
    ("compact_block.4M", "compact_block", (16*K, 1), (256, 1), f"@out @hash @total {x(4*M)}"),
    ("bfs_csr.1M", "bfs_csr", (4096, 1), (256, 1), f"@dist @hash {x(M)}"),
    ("bfs_csr.64K", "bfs_csr", (256, 1), (256, 1), f"@dist @hash {x(64*K)}"),
    ("spmv_csr_vector.64K", "spmv_csr_vector", (8192, 1), (256, 1), f"@out @unit @hash {x(64*K)}"),
    ("spmv_csr_vector.4K", "spmv_csr_vector", (512, 1), (256, 1), f"@out @unit @hash {x(4*K)}"),
    ("lj_neighbours.256K", "lj_neighbours", (2048, 1), (128, 1), f"@out @unit @hash {x(256*K)}"),
    ("lj_neighbours.32K", "lj_neighbours", (256, 1), (128, 1), f"@out @unit @hash {x(32*K)}"),
    ("hash_insert.1M", "hash_insert", (4096, 1), (256, 1), f"@table @hash {x(2*M-1)}"),
    ("hash_lookup.1M", "hash_lookup", (4096, 1), (256, 1), f"@out @hash @table {x(2*M-1)}"),
    ("embedding_bag.128M", "embedding_bag", (4096, 1), (64, 1), f"@out @unit @hash {x(128*K)}"),
    ("embedding_bag.4M", "embedding_bag", (512, 1), (64, 1), f"@out @unit @hash {x(4*K)}"),
    ("lu16.4096", "lu16", (4096, 1), (16, 16), f"@out @unit {x(0)}"),
    ("lu16.132", "lu16", (132, 1), (16, 16), f"@out @unit {x(0)}"),
    ("inverse4.256K", "inverse4", (2048, 1), (128, 1), f"@out @unit {x(0)}"),
    ("thomas.16K", "thomas", (128, 1), (128, 1), f"@out @unit {x(16*K)} {x(128)}"),
    ("thomas.128K", "thomas", (512, 1), (256, 1), f"@out @unit {x(128*K)} {x(32)}"),
    ("red_black.2K", "red_black", (32, 256), (32, 8), f"@grid @unit {x(2050)}"),
    ("red_black.512", "red_black", (8, 64), (32, 8), f"@grid @unit {x(514)}"),
    ("gemv_columns.4K", "gemv_columns", (16, 64), (256, 1), f"@out @unit @unit {x(4096)}"),
    ("gemv_columns.1K", "gemv_columns", (4, 16), (256, 1), f"@out @unit @unit {x(1024)}"),
    ("gemm_dp4a.1K", "gemm_dp4a", (32, 32), (256, 1), f"@out @hash @hash {x(1024)}"),
    ("gemm_dp4a.512", "gemm_dp4a", (16, 16), (256, 1), f"@out @hash @hash {x(512)}"),
    ("nchw_to_nhwc.32", "nchw_to_nhwc", (98, 64), (256, 1), f"@out @unit {x(3136)}"),
    ("nchw_to_nhwc.2", "nchw_to_nhwc", (98, 4), (256, 1), f"@out @unit {x(3136)}"),
    ("stencil_plane.256", "stencil_plane", (256, 4), (32, 8), f"@out @unit {x(256)}"),
    ("stencil_plane.128", "stencil_plane", (64, 2), (32, 8), f"@out @unit {x(128)}"),
    ("attention_decode.512", "attention_decode", (512, 1), (128, 1), f"@out @unit @unit {x(512)}"),
    ("attention_decode.32", "attention_decode", (32, 1), (128, 1), f"@out @unit @unit {x(512)}"),
    ("attention_flash.512", "attention_flash", (8, 16), (64, 1), f"@out @unit @unit {x(512)}"),
    ("fft_radix4.2K", "fft_radix4", (2048, 1), (256, 1), f"@out @unit {x(0)}"),
    ("fft_radix4.64", "fft_radix4", (64, 1), (256, 1), f"@out @unit {x(0)}"),
    ("smith_waterman.396", "smith_waterman", (396, 1), (128, 1), f"@out @hash {x(128)}"),
    ("kmeans_update.256K", "kmeans_update", (K, 1), (256, 1), f"@out @total @unit {x(256*K)}"),
    ("asian_option.528", "asian_option", (528, 1), (256, 1), f"@out @hash {x(64)}"),
    ("bvh_walk.16K", "bvh_walk", (128, 1), (128, 1), f"@out @unit {x(2048)}"),
    ("chacha20.512K", "chacha20", (2048, 1), (256, 1), f"@out @hash {x(77)}"),
    ("chacha20.32K", "chacha20", (128, 1), (256, 1), f"@out @hash {x(77)}"),
    ("murmur_strings.64", "murmur_strings", (1024, 1), (256, 1), f"@out @hash {x(64)}"),
    ("lorenz_rk4.528", "lorenz_rk4", (528, 1), (256, 1), f"@out @hash {x(32)}"),
    ("fir64.1M", "fir64", (4096, 1), (256, 1), f"@out @unit @hash {x(0)}"),
    ("half2_mlp.4M", "half2_mlp", (4096, 1), (256, 1), f"@out @hash {x(M)}"),
]

BUFFERS = {"out": (256 * M, "zero"), "unit": (256 * M, "unit"), "hash": (256 * M, "hash"), "index": (32 * M, "index"), "table": (16 * M, "zero"),
           "dist": (4 * M, "zero"), "grid": (32 * M, "zero"), "p": (16 * M, "zero"), "m": (16 * M, "zero"), "v": (16 * M, "zero"),
           "total": (256, "zero")}


def write_jobs(name, buffers, launches):
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    begin = [f"module {name}.ptx {name}"] + [f"buffer {buffer} {size} {content}" for buffer, (size, content) in buffers.items()]
    times, once = [], []
    for label, kernel, groups, items, arguments in launches:
        launch = f"{kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments}"
        times.append(f"time {label} 20 {launch}")
        once.extend([f"launch {launch}"] * 2)
    (where / f"{name}.job").write_text("\n".join(begin + times) + "\n")
    (where / f"{name}.once.job").write_text("\n".join(begin + once) + "\n")
    print(len(launches), "launches")


def write_small(name, buffers, launches):
    """Each launch of at most 64 groups (else the smallest of its kernel) once, to see that no access is outside a buffer (model_runner)."""
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    lines = [f"module {name}.ptx {name}"] + [f"buffer {buffer} {size} {content}" for buffer, (size, content) in buffers.items()]
    least = {}
    for label, kernel, groups, _, _ in launches:
        least[kernel] = min(least.get(kernel, (groups[0] * groups[1], label)), (groups[0] * groups[1], label), key=lambda one: one[0])
    for label, kernel, groups, items, arguments in launches:
        if groups[0] * groups[1] <= 64 or least[kernel][1] == label:
            lines += [f"launch {kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments}", f"show out 1 {label}"]
    (where / f"{name}.small.job").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_jobs("fresh", BUFFERS, LAUNCHES)
