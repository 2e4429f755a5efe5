#!/usr/bin/env python3
"""Writes fresh4.job and fresh4.once.job, as fresh.py does of fresh.cu, and fresh4.small.job: each launch of at most 64 groups (else the
smallest of its kernel) once, to see that no access is outside a buffer (model_runner)."""
import pathlib
import sys

from fresh import K, M, write_jobs, x


def L(label, gx, gy, bx, by, *arguments):
    return (label, label.split(".")[0], (gx, gy), (bx, by), " ".join(a if isinstance(a, str) else x(a) for a in arguments))


LAUNCHES = [
    L("nothing.1", 1, 1, 32, 1, "@out"),
    L("blake2s.256K", K, 1, 256, 1, "@out", "@hash", 0),
    L("blake2s.16K", 64, 1, 256, 1, "@out", "@hash", 0),
    L("siphash24.1M", 4*K, 1, 256, 1, "@out", "@hash", 4),
    L("siphash24.32K", 256, 1, 128, 1, "@out", "@hash", 32),
    L("adler_chunks.64M", 2*K, 1, 256, 1, "@out", "@hash", 32),
    L("adler_chunks.2M", 64, 1, 256, 1, "@out", "@hash", 32),
    L("lz_match.4M", K, 1, 256, 1, "@out", "@hash", 0),
    L("lz_match.256K", 64, 1, 256, 1, "@out", "@hash", 0),
    L("suffix_search.512K", 2*K, 1, 256, 1, "@out", "@hash", "@hash2", 8*M),
    L("suffix_search.16K", 128, 1, 128, 1, "@out", "@hash", "@hash2", 256*K),
    L("varint_decode.16M", 2*K, 1, 256, 1, "@out", "@out2", "@hash", 0),
    L("varint_decode.512K", 64, 1, 256, 1, "@out", "@out2", "@hash", 0),
    L("shallow_water.2K", 128, 128, 256, 1, "@out", "@unit", 2*K),
    L("shallow_water.256", 16, 16, 256, 1, "@out", "@unit", 256),
    L("acoustic8.256", 8, 32*8, 32, 8, "@out", "@unit", "@unit2", 256, 32),
    L("acoustic8.64", 2, 8*4, 32, 8, "@out", "@unit", "@unit2", 64, 16),
    L("advect_tvd.2K", 8, 2*K, 256, 1, "@out", "@unit", "@unit2", 2*K),
    L("advect_tvd.512", 2, 512, 256, 1, "@out", "@unit", "@unit2", 512),
    L("mg_prolong.128", 4, 16*128, 32, 8, "@out", "@unit", 128),
    L("mg_prolong.32", 1, 4*32, 32, 8, "@out", "@unit", 32),
    L("adi_lines.128K", 4*K, 1, 256, 1, "@out", "@unit", 2),
    L("adi_lines.4K", 132, 1, 256, 1, "@out", "@unit", 2),
    L("cfl_max.16M", 1056, 1, 256, 1, "@total", "@unit", 16*M),
    L("cfl_max.256K", 132, 1, 256, 1, "@total", "@unit", 256*K),
    L("ising.8K", 128*K, 1, 256, 1, "@grid", "@unit", 8*K, 0),
    L("ising.1K", 2*K, 1, 256, 1, "@grid", "@unit", K, 1),
    L("hh_neurons.256K", 2*K, 1, 128, 1, "@out", "@unit", 256*K, 16),
    L("hh_neurons.8K", 64, 1, 128, 1, "@out", "@unit", 8*K, 64),
    L("nbody_f64.8K", 64, 1, 128, 1, "@out", "@unit", 8*K),
    L("nbody_f64.1K", 8, 1, 128, 1, "@out", "@unit", K),
    L("verlet_build.256K", K, 1, 256, 1, "@out", "@out2", "@unit", 32),
    L("verlet_build.32K", 128, 1, 256, 1, "@out", "@out2", "@unit", 16),
    L("sdf_triangles.64", 2*K, 1, 128, 1, "@out", "@unit", 128, 64),
    L("sdf_triangles.16", 32, 1, 128, 1, "@out", "@unit", 256, 16),
    L("ray_triangles.64K", 512, 1, 128, 1, "@out", "@unit", "@unit2", 512),
    L("ray_triangles.4K", 32, 1, 128, 1, "@out", "@unit", "@unit2", 512),
    L("kd_nearest.64K", 512, 1, 128, 1, "@out", "@unit2", "@unit", 16),
    L("kd_nearest.4K", 32, 1, 128, 1, "@out", "@unit2", "@unit", 11),
    L("path_spheres.512", K, 1, 256, 1, "@out", "@unit", 512, 4),
    L("path_spheres.128", 128, 1, 128, 1, "@out", "@unit", 128, 2),
    L("voxel_march.1K", 64, 64, 256, 1, "@out", "@hash", K, 256),
    L("voxel_march.128", 8, 8, 256, 1, "@out", "@hash", 128, 128),
    L("worley.1K", 4*K, 1, 256, 1, "@out", K, 2),
    L("worley.128", 64, 1, 256, 1, "@out", 128, 4),
    L("viterbi64.528", 528, 1, 64, 1, "@out", "@unit", "@unit2", 128),
    L("viterbi64.32", 32, 1, 64, 1, "@out", "@unit", "@unit2", 64),
    L("hmm_forward.4K", K, 1, 128, 1, "@out", "@unit", "@unit2", 128),
    L("hmm_forward.132", 33, 1, 128, 1, "@out", "@unit", "@unit2", 128),
    L("banded_affine.8K", 2*K, 1, 128, 1, "@out", "@hash", "@hash2", 150),
    L("banded_affine.128", 32, 1, 128, 1, "@out", "@hash", "@hash2", 250),
    L("pssm_scan.4M", 16*K, 1, 256, 1, "@out", "@hash", "@unit", 16),
    L("pssm_scan.64K", 256, 1, 256, 1, "@out", "@hash", "@unit", 30),
    L("heston.128K", K, 1, 128, 1, "@out", 250, 9),
    L("heston.8K", 64, 1, 128, 1, "@out", 64, 9),
    L("sobol.1Mx8", 512, 8, 256, 1, "@out", "@hash", M),
    L("sobol.16Kx32", 8, 32, 256, 1, "@out", "@hash", 16*K),
    L("implied_vol.2M", 8*K, 1, 256, 1, "@out", "@unit", 0),
    L("implied_vol.64K", 256, 1, 256, 1, "@out", "@unit", 0),
    L("alias_sample.4M", K, 1, 256, 1, "@out", "@hash", 4*M, 16),
    L("alias_sample.256K", 132, 1, 256, 1, "@out", "@hash", 4*K, 8),
    L("conv_dilated.128", 64, 32, 256, 1, "@out", "@unit", "@unit2", 128),
    L("conv_dilated.28", 7, 16, 128, 1, "@out", "@unit", "@unit2", 28),
    L("deform_sample.56", 13, 144, 256, 1, "@out", "@unit", "@unit2", 56, 32),
    L("deform_sample.28", 4, 36, 256, 1, "@out", "@unit", "@unit2", 28, 16),
    L("residual_norm.16K", 4*K, 1, 128, 1, "@out", "@out2", "@hash", "@hash2", "@unit", 0),
    L("residual_norm.512", 128, 1, 128, 1, "@out", "@out2", "@hash", "@hash2", "@unit", 0),
    L("gru_cell.4Kx1000", 4, 4*K, 256, 1, "@out", "@unit", "@unit2", "@unit2", 1000),
    L("gru_cell.64x512", 2, 64, 256, 1, "@out", "@unit", "@unit2", "@unit2", 512),
    L("winograd_in.56", 4, K, 256, 1, "@out", "@unit", 56),
    L("winograd_in.14", 1, 256, 64, 1, "@out", "@unit", 14),
    L("causal_softmax.2K", 2*K, 4, 128, 1, "@out", "@unit", 2*K),
    L("causal_softmax.500", 500, 2, 128, 1, "@out", "@unit", 500),
    L("ctc_alpha.264", 264, 1, 128, 1, "@out", "@unit", "@hash", 128),
    L("ctc_alpha.16", 16, 1, 128, 1, "@out", "@unit", "@hash", 128),
    L("dgemm_regs.1024", 16, 16, 256, 1, "@out", "@unit", "@unit2", K, 512),
    L("dgemm_regs.256", 4, 4, 256, 1, "@out", "@unit", "@unit2", 256, 256),
    L("cgemm.512", 16, 16, 256, 1, "@out", "@unit", "@unit2", 512, 512),
    L("cgemm.128", 4, 4, 256, 1, "@out", "@unit", "@unit2", 128, 512),
    L("qr8.128K", K, 1, 128, 1, "@out", "@unit", 128*K),
    L("qr8.8K", 64, 1, 128, 1, "@out", "@unit", 8*K),
    L("eig3.1M", 4*K, 1, 256, 1, "@out", "@unit", M),
    L("eig3.32K", 128, 1, 256, 1, "@out", "@unit", 32*K),
    L("chol6.256K", 2*K, 1, 128, 1, "@out", "@unit", 256*K),
    L("chol6.16K", 128, 1, 128, 1, "@out", "@unit", 16*K),
    L("pcr_warp.4M", 16*K, 1, 256, 1, "@out", "@unit", 4*M),
    L("pcr_warp.64K", 256, 1, 256, 1, "@out", "@unit", 64*K),
    L("fft512.8K", 8*K, 1, 64, 1, "@out", "@unit", 0),
    L("fft512.132", 132, 1, 64, 1, "@out", "@unit", 0),
    L("haar2d.2K", 64, 64, 256, 1, "@out", "@unit", 2*K),
    L("haar2d.256", 8, 8, 256, 1, "@out", "@unit", 256),
    L("walsh1024.16K", 16*K, 1, 256, 1, "@out", "@unit", 0),
    L("walsh1024.264", 264, 1, 256, 1, "@out", "@unit", 0),
    L("tf32_gemm.1024", 16, 16, 128, 1, "@out", "@unit", "@unit2", K, K),
    L("tf32_gemm.256", 4, 4, 128, 1, "@out", "@unit", "@unit2", 256, 512),
    L("bf16_linear.64x8K", 64, 4, 128, 1, "@out", "@hash", "@hash2", 8*K, K),
    L("bf16_linear.16x4K", 32, 1, 128, 1, "@out", "@hash", "@hash2", 4*K, K),
    L("dmma_gemm.512", 16, 16, 128, 1, "@out", "@unit", "@unit2", 512, K),
    L("dmma_gemm.128", 4, 4, 128, 1, "@out", "@unit", "@unit2", 128, 256),
    L("median5.2K", 64, 256, 256, 1, "@out", "@hash", 2*K),
    L("median5.256", 8, 32, 256, 1, "@out", "@hash", 256),
    L("box_columns.4K", 16, 64, 256, 1, "@out", "@hash", 4*K, 64),
    L("box_columns.1K", 8, 16, 128, 1, "@out", "@hash", K, 32),
    L("integral_rows.4K", 512, 1, 256, 1, "@out", "@hash", 4*K),
    L("integral_rows.512", 128, 1, 128, 1, "@out", "@hash", 512),
    L("dilate_rows.8K", 8, 4*K, 256, 1, "@out", "@hash", 2*K),
    L("dilate_rows.1K", 1, 256, 256, 1, "@out", "@hash", 256),
    L("flow_lk.1920", 120, 64, 256, 1, "@out", "@hash", "@hash2", 1984),
    L("flow_lk.256", 16, 16, 256, 1, "@out", "@hash", "@hash2", 320),
    L("dog_extrema.2K", 64, 256, 32, 8, "@out", "@count", "@unit", 2*K, 2*K),
    L("dog_extrema.256", 8, 32, 32, 8, "@out", "@count", "@unit", 256, 256),
    L("warp_affine.4K", 128, 512, 32, 8, "@out", "@hash", 4*K, 4*K),
    L("warp_affine.512", 16, 64, 32, 8, "@out", "@hash", 512, 512),
    L("seg_scan.8M", 8*K, 1, 256, 1, "@out", "@unit", "@hash", 0),
    L("seg_scan.128K", 128, 1, 256, 1, "@out", "@unit", "@hash", 0),
    L("digit_rank.4M", K, 1, 256, 1, "@out", "@out2", "@hash", 8),
    L("digit_rank.256K", 64, 1, 256, 1, "@out", "@out2", "@hash", 24),
    L("insertion16.256K", 2*K, 1, 128, 1, "@out", "@hash", 256*K),
    L("insertion16.16K", 64, 1, 256, 1, "@out", "@hash", 16*K),
    L("hll_update.32M", 528, 1, 256, 1, "@regs", "@hash", 8*M),
    L("hll_update.512K", 33, 1, 256, 1, "@regs", "@hash", 128*K),
    L("sketch_update.1M", 4*K, 1, 256, 1, "@table", "@hash", 18),
    L("sketch_update.64K", 256, 1, 256, 1, "@table", "@hash", 16),
    L("reduce_last.64M", K, 1, 256, 1, "@out", "@out2", "@ticket", "@unit", 16*M),
    L("reduce_last.1M", 64, 1, 256, 1, "@out", "@out2", "@ticket", "@unit", 256*K),
    L("dbscan_count.32K", 128, 1, 256, 1, "@out", "@unit", 32*K),
    L("dbscan_count.4K", 16, 1, 256, 1, "@out", "@unit", 4*K),
    L("label_vote.1M", 4*K, 1, 256, 1, "@out", "@hash", "@hash2", M),
    L("label_vote.64K", 256, 1, 256, 1, "@out", "@hash", "@hash2", 64*K),
    L("minplus_tile.1024", 16, 16, 256, 1, "@out", "@hash", "@hash2", K),
    L("minplus_tile.256", 4, 4, 256, 1, "@out", "@hash", "@hash2", 256),
    L("bfs_bottom_up.1M", 4*K, 1, 256, 1, "@out", "@out2", "@hash", "@hash", "@hash2", M),
    L("bfs_bottom_up.64K", 256, 1, 256, 1, "@out", "@out2", "@hash", "@hash", "@hash2", 64*K),
    L("permute_0213.16", 2400, 16, 256, 1, "@out", "@hash", 512, 12, 100),
    L("permute_0213.2", 192, 2, 256, 1, "@out", "@hash", 64, 12, 64),
    L("pack12.16M", 8*K, 1, 256, 1, "@out", "@hash", 0),
    L("pack12.512K", 256, 1, 256, 1, "@out", "@hash", 0),
    L("nqueens.12", 324, 1, 64, 1, "@out", 12),
    L("nqueens.9", 103, 1, 64, 1, "@out", 9),
]

BUFFERS = {"out": (256 * M, "zero"), "unit": (256 * M, "unit"), "hash": (256 * M, "hash"), "out2": (64 * M, "zero"), "unit2": (64 * M, "unit"),
           "hash2": (64 * M, "hash"), "grid": (64 * M, "zero"), "table": (16 * M, "zero"), "regs": (16 * 1024, "zero"), "total": (256, "zero"),
           "count": (256, "zero"), "ticket": (256, "zero")}


def write_small():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    lines = ["module fresh4.ptx fresh4"] + [f"buffer {buffer} {size} {content}" for buffer, (size, content) in BUFFERS.items()]
    least = {}
    for launch in LAUNCHES:
        kernel, groups = launch[1], launch[2][0] * launch[2][1]
        if kernel not in least or groups < least[kernel][0]:
            least[kernel] = (groups, launch[0])
    for label, kernel, groups, items, arguments in LAUNCHES:
        if groups[0] * groups[1] <= 64 or least[kernel][1] == label:
            lines += [f"launch {kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments}", f"show out 1 {label}"]
    (where / "fresh4.small.job").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_jobs("fresh4", BUFFERS, LAUNCHES)
    write_small()
