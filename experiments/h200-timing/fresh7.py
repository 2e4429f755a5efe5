#!/usr/bin/env python3
"""Writes fresh7.job: launches of fresh7.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp. Also fresh7.small.job: the launch of
fewest groups of each kernel, to see that no access is outside a buffer (model_runner). fresh7.ptx is made as workloads.ptx is.

    python3 fresh7.py FOLDER"""
import pathlib
import struct
import sys

K, M = 1 << 10, 1 << 20
WHERE = pathlib.Path(sys.argv[1])


def L(label, gx, gy, bx, by, *arguments):
    return (label, label.split(".")[0], (gx, gy), (bx, by),
            " ".join(a if isinstance(a, str) else "x:" + a.to_bytes(4, "little").hex() for a in arguments))


def F(value):
    return "x:" + struct.pack("<f", value).hex()


BUFFERS = {"out": (256 * M, "zero"), "unit": (256 * M, "unit"), "hash": (256 * M, "hash"), "out2": (64 * M, "zero"), "unit2": (256 * M, "unit"),
           "hash2": (64 * M, "hash"), "grid": (64 * M, "zero"), "total": (256, "zero")}

LAUNCHES = [
    L("nothing.1", 1, 1, 32, 1, "@out"),
    L("gesummv_tile.4K", 128, 1, 32, 8, "@out", "@unit", "@unit2", "@hash", 4*K, F(1.5), F(1.2)),
    L("gesummv_tile.1K", 32, 1, 32, 8, "@out", "@unit", "@unit2", "@hash", K, F(1.5), F(1.2)),
    L("gesummv_tile.256", 8, 1, 32, 8, "@out", "@unit", "@unit2", "@hash", 256, F(1.5), F(1.2)),
    L("mvt_both.4K", 128, 16, 32, 8, "@out", "@out2", "@unit", "@unit2", "@unit2", 4*K, 8),
    L("mvt_both.2K", 64, 32, 32, 8, "@out", "@out2", "@unit", "@unit2", "@unit2", 2*K, 2),
    L("mvt_both.256", 8, 1, 32, 8, "@out", "@out2", "@unit", "@unit2", "@unit2", 256, 8),
    L("gs_project.1056x4K", 1056, 1, 256, 1, "@out", "@unit", "@unit2", 4*K),
    L("gs_project.2x64K", 2, 1, 256, 1, "@out", "@unit", "@unit2", 64*K),
    L("doitgen_rows.396x128", 396, 1, 128, 1, "@out", "@unit", "@unit2", 128),
    L("doitgen_rows.1584x32", 1584, 1, 128, 1, "@out", "@unit", "@unit2", 32),
    L("doitgen_rows.16x128", 16, 1, 128, 1, "@out", "@unit", "@unit2", 128),
    L("lud_perimeter.2Kx16", 127, 16, 32, 1, "@out", "@unit", 2*K, 0),
    L("lud_perimeter.2K", 119, 1, 32, 1, "@out", "@unit", 2*K, 128),
    L("lud_perimeter.256", 15, 1, 32, 1, "@out", "@unit", 256, 0),
    L("gemm_w4_tile.64x4K", 64, 2, 128, 1, "@out", "@unit", "@hash", "@unit2", 4*K, 512),
    L("gemm_w4_tile.32x8448", 132, 1, 128, 1, "@out", "@unit", "@hash", "@unit2", 8448, 256),
    L("gemm_w4_tile.32x256", 4, 1, 128, 1, "@out", "@unit", "@hash", "@unit2", 256, K),
    L("xnor_gemm.1K", 32, 32, 16, 16, "@out", "@hash", "@hash2", K, 16),
    L("xnor_gemm.128", 4, 4, 16, 16, "@out", "@hash", "@hash2", 128, 64),
    L("svd_jacobi.132", 132, 1, 256, 1, "@out", "@unit", 2),
    L("svd_jacobi.528", 528, 1, 256, 1, "@out", "@unit", 1),
    L("svd_jacobi.1", 1, 1, 256, 1, "@out", "@unit", 6),
    L("cg_block.264", 264, 1, 256, 1, "@out", "@unit", 32, F(1e-4)),
    L("cg_block.1", 1, 1, 256, 1, "@out", "@unit", 64, F(1e-6)),
    L("spmv_merge.256K", 1152, 1, 256, 1, "@out", "@unit", "@hash", "@unit2", 256*K, 256*K - 1),
    L("spmv_merge.128K", 576, 1, 256, 1, "@out", "@unit", "@hash", "@unit2", 128*K, 32*M - 1),
    L("spmv_merge.16K", 72, 1, 256, 1, "@out", "@unit", "@hash", "@unit2", 16*K, 16*K - 1),
    L("fdtd2d_tile.2Kx1K", 64, 128, 32, 8, "@out", "@out2", "@grid", "@unit", "@unit2", "@hash", 2*K),
    L("fdtd2d_tile.256", 8, 32, 32, 8, "@out", "@out2", "@grid", "@unit", "@unit2", "@hash", 256),
    L("plate13.2Kx1K", 64, 128, 32, 8, "@out", "@unit", 2*K),
    L("plate13.512", 16, 64, 32, 8, "@out", "@unit", 512),
    L("plate13.128", 4, 16, 32, 8, "@out", "@unit", 128),
    L("rkf45_pairs.8448", 66, 1, 128, 1, "@out", "@unit", 8448, 64),
    L("rkf45_pairs.1K", 32, 1, 32, 1, "@out", "@unit", K, 64),
    L("stiff_euler64.16896", 132, 1, 128, 1, "@out", "@unit", 16),
    L("stiff_euler64.128", 4, 1, 32, 1, "@out", "@unit", 24),
    L("cutcp_bins.216", 216, 1, 128, 1, "@out", "@unit", 6, F(64)),
    L("cutcp_bins.512", 512, 1, 128, 1, "@out", "@unit", 8, F(16)),
    L("cutcp_bins.27", 27, 1, 128, 1, "@out", "@unit", 3, F(64)),
    L("psor_american.198", 198, 1, 128, 1, "@out", "@unit", 16, 12),
    L("psor_american.1", 1, 1, 128, 1, "@out", "@unit", 16, 12),
    L("hex_volume.384K", 1536, 1, 256, 1, "@out", "@unit", "@unit2", "@unit", "@hash", 384*K, 512*K - 1),
    L("hex_volume.16K", 128, 1, 128, 1, "@out", "@unit", "@unit2", "@unit", "@hash", 16*K, 16*K - 1),
    L("bspline_orbitals.1584", 1584, 1, 128, 1, "@out", "@unit", "@unit2", 32),
    L("bspline_orbitals.1056big", 1056, 1, 128, 1, "@out", "@unit", "@unit2", 64),
    L("bspline_orbitals.64", 64, 1, 128, 1, "@out", "@unit", "@unit2", 16),
    L("gauss_fused.2K", 64, 32, 32, 8, "@out", "@hash", 2*K, 512),
    L("gauss_fused.128", 4, 8, 32, 8, "@out", "@hash", 128, 128),
    L("harris_tile.1K", 64, 32, 16, 16, "@out", "@hash", K, 512),
    L("harris_tile.128", 8, 8, 16, 16, "@out", "@hash", 128, 128),
    L("zhang_thin.2K", 64, 64, 32, 8, "@out", "@hash", 2*K, 512, 0),
    L("zhang_thin.256", 8, 8, 32, 8, "@out", "@hash", 256, 64, 1),
    L("remap_bicubic.1K", 32, 96, 32, 8, "@out", "@unit", K, K, F(-0.2)),
    L("remap_bicubic.128", 4, 8, 32, 8, "@out", "@unit", 128, 64, F(0.3)),
    L("iir_biquads.33792", 264, 1, 128, 1, "@out", "@unit", "@unit2", 33792, 112),
    L("iir_biquads.2112", 66, 1, 32, 1, "@out", "@unit", "@unit2", 2112, 256),
    L("iir_biquads.32", 1, 1, 32, 1, "@out", "@unit", "@unit2", 32, 512),
    L("depthwise7_nhwc.56", 784, 2, 128, 1, "@out", "@unit", "@unit2", 128, 56),
    L("depthwise7_nhwc.28", 196, 2, 256, 1, "@out", "@unit", "@unit2", 256, 28),
    L("depthwise7_nhwc.8", 16, 1, 64, 1, "@out", "@unit", "@unit2", 64, 8),
    L("lion_bf16.8M", 4*K, 1, 256, 1, "@grid", "@out2", "@hash", M, F(0.001)),
    L("lion_bf16.128K", 64, 1, 256, 1, "@grid", "@out2", "@hash", 16*K, F(0.001)),
    L("ngp_hashgrid.128Kx8", 512, 8, 256, 1, "@out", "@unit", "@unit2", 128*K, 512*K),
    L("ngp_hashgrid.4Kx8", 16, 8, 256, 1, "@out", "@unit", "@unit2", 4*K, 16*K),
    L("convt4_s2.64", 16, 16, 16, 16, "@out", "@unit", "@unit2", 64, 32),
    L("convt4_s2.16", 1, 16, 16, 16, "@out", "@unit", "@unit2", 16, 64),
    L("retention_chunk.132", 132, 1, 256, 1, "@out", "@unit", "@unit2", "@unit", 64, F(0.97)),
    L("retention_chunk.8", 8, 1, 256, 1, "@out", "@unit", "@unit2", "@unit", 512, F(0.97)),
    L("linf_diff.64M", 1056, 1, 256, 1, "@total", "@unit", "@unit2", 16*M),
    L("linf_diff.4M", 528, 1, 256, 1, "@total", "@unit", "@unit2", M),
    L("linf_diff.128K", 32, 1, 256, 1, "@total", "@unit", "@unit2", 32*K),
    L("lsm_regress.3M", 528, 1, 256, 1, "@total", "@unit", "@unit2", 3*M, F(0.4)),
    L("lsm_regress.64K", 16, 1, 256, 1, "@total", "@unit", "@unit2", 64*K, F(0.4)),
    L("mergesort_block.264", 264, 1, 256, 1, "@out", "@hash"),
    L("mergesort_block.8", 8, 1, 256, 1, "@out", "@hash"),
    L("kcore_peel.512K", 2*K, 1, 256, 1, "@out2", "@grid", "@total", "@hash2", "@hash", 512*K, 8),
    L("kcore_peel.8K", 32, 1, 256, 1, "@out2", "@grid", "@total", "@hash2", "@hash", 8*K, 12),
    L("tri_bitmap.16K", 1056, 1, 128, 1, "@out", "@hash", 16*K),
    L("tri_bitmap.1M", 528, 1, 128, 1, "@out", "@hash", M),
    L("tri_bitmap.4K", 16, 1, 128, 1, "@out", "@hash", 4*K),
    L("rabin_chunks.8M", 256, 1, 128, 1, "@out", "@hash", 256),
    L("rabin_chunks.512K", 16, 1, 64, 1, "@out", "@hash", 512),
    L("blowfish_ecb.384K", 264, 1, 256, 1, "@out", "@hash", "@hash2", 384*K),
    L("blowfish_ecb.16K", 8, 1, 256, 1, "@out", "@hash", "@hash2", 16*K),
]


def main():
    begin = [f"module fresh7.ptx fresh7"] + [f"buffer {buffer} {size} {content}" for buffer, (size, content) in BUFFERS.items()]
    times, least = [], {}
    for label, kernel, groups, items, arguments in LAUNCHES:
        times.append(f"time {label} 20 {kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments}")
        least[kernel] = min(least.get(kernel, (1 << 60, "")), (groups[0] * groups[1], times[-1]))
    (WHERE / "fresh7.job").write_text("\n".join(begin + times) + "\n")
    (WHERE / "fresh7.small.job").write_text("\n".join(begin + [line for _, line in least.values()]) + "\n")
    print(len(LAUNCHES), "launches of", len(least), "kernels")


if __name__ == "__main__":
    main()
