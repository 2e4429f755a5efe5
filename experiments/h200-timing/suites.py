#!/usr/bin/env python3
"""Writes suites.job: launches of suites.cl's kernels for tests/nvidia/runner.cpp and model_runner.cpp; suites.small.job has those whose label ends with .s.
suites.ptx is what Lockstep's own compilation makes: suites.py FOLDER --ptx CACHE takes it from a cache folder ($LOCKSTEP_CACHE) in which `lockstep run suites.cl --gpu h100`
left one entry.

    python3 suites.py FOLDER [--ptx CACHE]"""
import pathlib
import sys

from programs import take_ptx

K, M = 1 << 10, 1 << 20
BUFFERS = {"out": (256 * M, "zero"), "out2": (64 * M, "zero"), "in": (256 * M, "unit"), "in2": (256 * M, "hash")}
I, H, O, O2, F = "@in", "@in2", "@out", "@out2", "x:0000e03f"  # F: 1.75


def L(kernel, size, gx, gy, bx, by, *arguments):
    words = [a if isinstance(a, str) else "x:" + a.to_bytes(4, "little").hex() for a in arguments]
    return f"{kernel}.{size}", f"{kernel} {gx} {gy} 1 {bx} {by} 1 {' '.join(words)}"


LAUNCHES = [  # kernel, size, groups, items of a group, arguments
    L("md_lj", "64K", 512, 1, 128, 1, O, I, H, 64 * K, 128), L("md_lj", "16K.s", 64, 1, 256, 1, O, I, H, 16 * K, 64),
    L("reduce_double", "8M", 528, 1, 256, 1, O, I, 8 * M), L("reduce_double", "1M.s", 132, 1, 256, 1, O, I, M),
    L("scan_reduce", "16M", 512, 1, 256, 1, O, I, 16 * M), L("scan_reduce", "1M.s", 64, 1, 256, 1, O, I, M),
    L("scan_top", "256.s", 1, 1, 256, 1, O, I, 256),
    L("scan_bottom", "16M", 512, 1, 256, 1, O, I, H, 16 * M), L("scan_bottom", "1M.s", 64, 1, 256, 1, O, I, H, M),
    L("fft512", "8M", 16 * K, 1, 64, 1, O, I), L("fft512", "1M.s", 2 * K, 1, 64, 1, O, I),
    L("stencil9", "4K", 128, 512, 32, 8, O, I, 4098), L("stencil9", "1K.s", 32, 128, 32, 8, O, I, 1026),
    L("triad4", "64M", 16 * K, 1, 256, 1, O, I, H, F), L("triad4", "4M.s", K, 1, 256, 1, O, I, H, F),
    L("spmv_ellpackr", "128K", 512, 1, 256, 1, O, I, H, 128 * K), L("spmv_ellpackr", "16K.s", 128, 1, 128, 1, O, I, H, 16 * K),
    L("spmv_csr_local", "64K", 16 * K, 1, 128, 1, O, I, H, 64 * K), L("spmv_csr_local", "8K.s", 2 * K, 1, 128, 1, O, I, H, 8 * K),
    L("s3d_ratt", "256K", K, 1, 256, 1, O, I, 256 * K), L("s3d_ratt", "64K.s", 512, 1, 128, 1, O, I, 64 * K),
    L("bfs_mask", "1M", 4 * K, 1, 256, 1, O, O2, H, M), L("bfs_mask", "64K.s", 128, 1, 512, 1, O, O2, H, 64 * K),
    L("hotspot", "1K", 86, 86, 16, 16, O, I, I, K, 2), L("hotspot", "512.s", 64, 64, 16, 16, O, I, I, 512, 4),
    L("backprop_forward", "512K", 1, 32 * K, 16, 16, O, I, H), L("backprop_forward", "64K.s", 1, 4 * K, 16, 16, O, I, H),
    L("backprop_adjust", "512K", 1, 32 * K, 16, 16, O, I, I), L("backprop_adjust", "64K.s", 1, 4 * K, 16, 16, O, I, I),
    L("lud_diagonal", "4K", 128, 1, 32, 1, O, I, 4 * K), L("lud_diagonal", "512.s", 16, 1, 32, 1, O, I, 512),
    L("lud_perimeter", "4K", 255, 1, 32, 1, O, I, 4 * K), L("lud_perimeter", "1K.s", 63, 1, 32, 1, O, I, K),
    L("lud_internal", "2K", 127, 127, 16, 16, O, I, 2 * K), L("lud_internal", "1K.s", 63, 63, 16, 16, O, I, K),
    L("gaussian_fan2", "2K", 128, 128, 16, 16, O, O2, I, 2 * K, 0), L("gaussian_fan2", "512.s", 128, 128, 4, 4, O, O2, I, 512, 100),
    L("nearest_distance", "4M", 16 * K, 1, 256, 1, O, I, 4 * M), L("nearest_distance", "685K.s", 2673, 1, 256, 1, O, I, 684224),
    L("cfd_step_factor", "1M", 5462, 1, 192, 1, O, I, 5462 * 192), L("cfd_step_factor", "193K.s", 1009, 1, 192, 1, O, I, 1009 * 192),
    L("gicov", "640x256", 640, 1, 256, 1, O, I, H, 256), L("gicov", "128x128.s", 64, 1, 256, 1, O, I, H, 128),
    L("dilate", "640x256", 640, 1, 256, 1, O, I, H, 256), L("dilate", "128x128.s", 64, 1, 256, 1, O, I, H, 128),
    L("myocyte_rates", "64K", 256, 1, 256, 1, O, I, 40), L("myocyte_rates", "2K.s", 16, 1, 128, 1, O, I, 32),
    L("particle_likelihood", "128K", 512, 1, 256, 1, O, I, H, 64), L("particle_likelihood", "8K.s", 64, 1, 128, 1, O, I, H, 32),
    L("bicg_rows", "4K", 32, 1, 128, 1, O, I, H, 4 * K), L("bicg_rows", "1K.s", 4, 1, 256, 1, O, I, H, K),
    L("atax_columns", "4K", 16, 1, 256, 1, O, I, 4 * K), L("atax_columns", "1K.s", 8, 1, 128, 1, O, I, K),
    L("gemver_rank2", "4K", 128, 512, 32, 8, O, I, 4 * K), L("gemver_rank2", "1K.s", 32, 128, 32, 8, O, I, K),
    L("syr2k", "512", 16, 64, 32, 8, O, I, 512, 128), L("syr2k", "256.s", 8, 32, 32, 8, O, I, 256, 64),
    L("covariance", "512", 2, 1, 256, 1, O, I, 512, 64), L("covariance", "128.s", 1, 1, 128, 1, O, I, 128, 64),
    L("correlation_std", "8K", 64, 1, 128, 1, O, I, 8 * K, 256), L("correlation_std", "1K.s", 4, 1, 256, 1, O, I, K, 256),
    L("fdtd2d_hz", "2K", 64, 256, 32, 8, O, I, I, 2 * K), L("fdtd2d_hz", "1K.s", 32, 128, 32, 8, O, I, I, K),
    L("adi_rows", "1K", 8, 1, 128, 1, O, I, K), L("adi_rows", "256.s", 8, 1, 32, 1, O, I, 256),
    L("adi_columns", "2K", 16, 1, 128, 1, O, I, 2 * K), L("adi_columns", "256.s", 8, 1, 32, 1, O, I, 256),
    L("conv2d", "4K", 128, 512, 32, 8, O, I, 4 * K, 4 * K), L("conv2d", "1K.s", 32, 128, 32, 8, O, I, K, K),
    L("conv3d", "256", 8, 32, 32, 8, O, I, 256, 64), L("conv3d", "64.s", 2, 8, 32, 8, O, I, 64, 64),
    L("gramschmidt", "2K", 8, 1, 256, 1, O, I, 2 * K, 2 * K), L("gramschmidt", "512.s", 4, 1, 128, 1, O, I, 512, 512),
    L("matmul_blocks4", "1K", 32, 32, 8, 8, O, I, 256), L("matmul_blocks4", "256.s", 8, 8, 8, 8, O, I, 64),
    L("matmul_local4", "1K", 16, 16, 16, 16, O, I, 256), L("matmul_local4", "256.s", 4, 4, 16, 16, O, I, 64),
    L("binomial4", "1K", K, 1, 256, 1, O, I, 254), L("binomial4", "132.s", 132, 1, 128, 1, O, I, 126),
    L("dct8x8_amd", "2K", 256, 256, 8, 8, O, I, I, 2 * K), L("dct8x8_amd", "768.s", 96, 96, 8, 8, O, I, I, 768),
    L("sobel_rgba", "4K", 16, 2 * K, 256, 1, O, H, 4 * K, 2 * K), L("sobel_rgba", "512.s", 2, 512, 256, 1, O, H, 512, 512),
    L("recursive_gaussian", "4K", 16, 1, 256, 1, O, H, 4 * K, 512), L("recursive_gaussian", "1K.s", 8, 1, 128, 1, O, H, K, 128),
    L("urng", "4M", 64 * K, 1, 64, 1, O, H, 8), L("urng", "128K.s", 2 * K, 1, 64, 1, O, H, 8),
    L("histogram256_bytes", "16M", K, 1, 128, 1, O, H), L("histogram256_bytes", "2M.s", 132, 1, 128, 1, O, H),
    L("dwt_haar", "8M", 16 * K, 1, 256, 1, O, I, 9), L("dwt_haar", "1M.s", 2 * K, 1, 256, 1, O, I, 9),
    L("fast_walsh", "16M", 32 * K, 1, 256, 1, O, I, 4 * K), L("fast_walsh", "2M.s", 4 * K, 1, 256, 1, O, I, 1),
    L("monte_carlo_asian", "64K", 256, 1, 256, 1, O, H, 32), L("monte_carlo_asian", "8K.s", 32, 1, 256, 1, O, H, 32),
    L("aes_encrypt", "4M", 16 * K, 1, 64, 1, O, H, H, 10), L("aes_encrypt", "128K.s", 512, 1, 64, 1, O, H, H, 14),
    L("transpose_float4", "4K", 64, 64, 16, 16, O, I, K), L("transpose_float4", "1536.s", 24, 24, 16, 16, O, I, 384),
    L("black_scholes_dp", "1M", 4 * K, 1, 256, 1, O, O2, I), L("black_scholes_dp", "32K.s", 128, 1, 256, 1, O, O2, I),
    L("quasi_random", "1K", K, 1, 256, 1, O, H, 2 * K), L("quasi_random", "64.s", 64, 1, 256, 1, O, H, 4 * K),
    L("eigen_count", "32K", 256, 1, 128, 1, O, I, 512), L("eigen_count", "2K.s", 8, 1, 256, 1, O, I, 256),
    L("mersenne19", "16K", 128, 1, 128, 1, O, H, 256), L("mersenne19", "4K.s", 32, 1, 128, 1, O, H, 128),
    L("convolution_columns", "4K", 256, 32, 16, 8, O, I, I, 2 * K, 4 * K), L("convolution_columns", "1K.s", 64, 16, 16, 8, O, I, I, K, K),
    L("radix_blocks", "4M", 4 * K, 1, 256, 1, O, H, 4, 0), L("radix_blocks", "512K.s", 512, 1, 256, 1, O, H, 4, 8),
    L("cyclic_reduction", "8K", 8 * K, 1, 128, 1, O, I, 8 * K), L("cyclic_reduction", "264.s", 264, 1, 128, 1, O, I, 264),
    L("cutcp", "2K", 2 * K, 1, 128, 1, O, I, 4 * K), L("cutcp", "132.s", 132, 1, 128, 1, O, I, 4 * K),
    L("background_extract", "1080p", 24300, 1, 256, 1, O, H, 1920 * 1080 * 3, 16), L("background_extract", "270p.s", 1519, 1, 256, 1, O, H, 480 * 270 * 3, 8),
    L("pennant_sides", "256K", K, 1, 256, 1, O, I, H, 256 * K), L("pennant_sides", "64K.s", 256, 1, 256, 1, O, I, H, 64 * K),
    L("xger", "4K", 128, 128, 8, 8, O, I, 4 * K, 4 * K), L("xger", "1K.s", 32, 32, 8, 8, O, I, K, K),
    L("xdot", "16M", K, 1, 128, 1, O, I, H, 16 * M), L("xdot", "1M.s", 128, 1, 128, 1, O, I, H, M),
]


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    take_ptx(where / "suites.ptx")
    assert len({label for label, _ in LAUNCHES}) == len(LAUNCHES)
    begin = ["module suites.ptx suites"] + [f"buffer {name} {size} {content}" for name, (size, content) in BUFFERS.items()]
    for name, keep in (("suites.job", lambda label: True), ("suites.small.job", lambda label: label.endswith(".s"))):
        (where / name).write_text("\n".join(begin + [f"time {label} 20 {launch}" for label, launch in LAUNCHES if keep(label)]) + "\n")
    print(len(LAUNCHES), "launches of", len({launch.split()[0] for _, launch in LAUNCHES}), "kernels")


if __name__ == "__main__":
    main()
