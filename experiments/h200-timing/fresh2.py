#!/usr/bin/env python3
"""Writes fresh2.job and fresh2.once.job, as fresh.py does of fresh.cu."""
import pathlib
import sys

K, M = 1 << 10, 1 << 20


def x(value):
    return "x:" + value.to_bytes(4, "little").hex()


def L(label, gx, gy, bx, by, *arguments):
    return (label, label.split(".")[0], (gx, gy), (bx, by), " ".join(a if isinstance(a, str) else x(a) for a in arguments))


LAUNCHES = [
    L("nothing.1", 1, 1, 32, 1, "@out"),
    L("sgemm_dbuf.1024x1024x96", 16, 8, 256, 1, "@out", "@unit", "@unit", 1024, 96),
    L("sgemm_dbuf.256x512x256", 8, 2, 256, 1, "@out", "@unit", "@unit", 512, 256),
    L("gemm_batched8.64K", 4*K, 1, 128, 1, "@out", "@unit", "@unit", 0),
    L("gemm_batched8.4K", 256, 1, 128, 1, "@out", "@unit", "@unit", 0),
    L("syrk_tile.1024", 32, 32, 256, 1, "@out", "@unit", 1024, 96),
    L("syrk_tile.256", 8, 8, 256, 1, "@out", "@unit", 256, 256),
    L("trsm_warp.128K", 1024, 1, 128, 1, "@out", "@unit", "@unit", 128*K),
    L("trsm_warp.8K", 64, 1, 128, 1, "@out", "@unit", "@unit", 8*K),
    L("mma_gemm.1024", 16, 16, 128, 1, "@out", "@hash", "@hash", 1024, 1024),
    L("mma_gemm.256", 4, 4, 128, 1, "@out", "@hash", "@hash", 256, 512),
    L("layernorm_bwd.4K", 4096, 1, 128, 1, "@out", "@unit", "@unit", "@unit", "@unit", 1024),
    L("layernorm_bwd.256", 256, 1, 128, 1, "@out", "@unit", "@unit", "@unit", "@unit", 1024),
    L("cross_entropy.32K", 1024, 1, 256, 1, "@out", "@unit", "@hash", 32*K),
    L("cross_entropy.1K", 128, 1, 256, 1, "@out", "@unit", "@hash", 1000),
    L("dropout_philox.4M", 1056, 1, 256, 1, "@out", "@table", "@unit", 9, M),
    L("topk8.1000", 1024, 1, 128, 1, "@out", "@unit", 1000),
    L("lstm_cell.4096", 4, 2048, 256, 1, "@out", "@out2", "@unit", "@unit", 1000),
    L("lstm_cell.64", 4, 64, 256, 1, "@out", "@out2", "@unit", "@unit", 1000),
    L("selective_scan.32K", 128, 1, 256, 1, "@out", "@unit", "@unit", "@unit", "@unit", 64),
    L("embed_grad.64K", 32*K, 1, 128, 1, "@out", "@unit", "@hash", 50000),
    L("embed_grad.2K", K, 1, 128, 1, "@out", "@unit", "@hash", 50000),
    L("im2col.224", 49, 64, 256, 1, "@out", "@unit", 224),
    L("quant_rows.8K", 1024, 1, 256, 1, "@out", "@out2", "@unit", 256),
    L("quant_rows.512", 64, 1, 256, 1, "@out", "@out2", "@unit", 256),
    L("gemv_int4.4K", 1024, 1, 128, 1, "@out", "@hash", "@unit", "@unit", 4096),
    L("rope_half.2K", 8, 2048, 256, 1, "@out", "@hash", "@unit", 32),
    L("nms_mask.2K", 32, 32, 64, 1, "@out", "@unit", 2048),
    L("nms_mask.512", 8, 8, 64, 1, "@out", "@unit", 512),
    L("bitonic_warp.1M", 1024, 1, 256, 1, "@out", "@hash", 0),
    L("seg_reduce.4M", 16*K, 1, 256, 1, "@out", "@unit", "@hash", 0),
    L("seg_reduce.128K", 512, 1, 256, 1, "@out", "@unit", "@hash", 0),
    L("rle_heads.4M", 16*K, 1, 256, 1, "@out", "@out2", "@total", "@hash", 4*M),
    L("spmv_ell.512K", 2048, 1, 256, 1, "@out", "@unit", "@hash", "@unit", 512*K, 24),
    L("spmv_ell.32K", 128, 1, 256, 1, "@out", "@unit", "@hash", "@unit", 32*K, 24),
    L("spmv_coo.4M", 16*K, 1, 256, 1, "@out", "@unit", "@hash", "@unit", 512*K),
    L("spmv_coo.256K", K, 1, 256, 1, "@out", "@unit", "@hash", "@unit", 32*K),
    L("triangles.256K", 1024, 1, 256, 1, "@total", "@hash", 64*K),
    L("pagerank_pull.512K", 8*K, 1, 256, 1, "@out", "@unit", "@hash", 512*K),
    L("pagerank_pull.16K", 256, 1, 256, 1, "@out", "@unit", "@hash", 16*K),
    L("pagerank_push.1M", 4*K, 1, 256, 1, "@out", "@unit", "@hash", M),
    L("bfs_queue.32K", 4*K, 1, 256, 1, "@out", "@total", "@hash", "@hash", "@hash", M),
    L("bfs_queue.1K", 128, 1, 256, 1, "@out", "@total", "@hash", "@hash", "@hash", M),
    L("bloom_query.4M", 16*K, 1, 256, 1, "@out", "@hash", "@hash", 256*K),
    L("cuckoo_find.2M", 8*K, 1, 256, 1, "@out", "@hash", "@hash", 4*M),
    L("cuckoo_find.64K", 256, 1, 256, 1, "@out", "@hash", "@hash", 4*K),
    L("nbody_pairs.4K", 16, 1, 128, 1, "@out", "@unit", 4*K),
    L("nbody_pairs.64Kx256", 256, 1, 128, 1, "@out", "@unit", K),
    L("sph_density.32", 1024, 1, 256, 1, "@out", "@unit", "@hash", 32),
    L("mriq.64K", 256, 1, 256, 1, "@out", "@out2", "@unit", "@unit", 64*K, 256),
    L("fdtd3d_e.256", 8, 32*128, 32, 8, "@out", "@out2", "@out3", "@unit", "@unit", "@unit", 256),
    L("fdtd3d_e.64", 2, 8*62, 32, 8, "@out", "@out2", "@out3", "@unit", "@unit", "@unit", 64),
    L("lbm_soa.1K", 4*K, 1, 256, 1, "@out", "@unit", 1024),
    L("lbm_soa.256", 256, 1, 256, 1, "@out", "@unit", 256),
    L("lbm_aos.1K", 4*K, 1, 256, 1, "@out", "@unit", 1024),
    L("lbm_aos.256", 256, 1, 256, 1, "@out", "@unit", 256),
    L("heat3d.256", 8, 64*15, 32, 4, "@out", "@unit", 256),
    L("heat3d.96", 3, 24*5, 32, 4, "@out", "@unit", 96),
    L("jacobi_blocked.1K", 32, 128, 256, 1, "@out", "@unit", 1024),
    L("jacobi_blocked.256", 8, 32, 256, 1, "@out", "@unit", 256),
    L("cg_update.8M", 1056, 1, 256, 1, "@out", "@out2", "@unit", "@unit", "@total", 2*M),
    L("cg_update.256K", 132, 1, 256, 1, "@out", "@out2", "@unit", "@unit", "@total", 64*K),
    L("pcr256.4K", 4096, 1, 256, 1, "@out", "@unit", M),
    L("pcr256.128", 128, 1, 256, 1, "@out", "@unit", M),
    L("floyd_tile.1K", 32, 32, 256, 1, "@out", "@hash", 1024, 96),
    L("floyd_tile.256", 8, 8, 256, 1, "@out", "@hash", 256, 96),
    L("backproject.512", 16, 64, 32, 8, "@out", "@unit", "@unit", 512, 90),
    L("backproject.128", 4, 16, 32, 8, "@out", "@unit", "@unit", 128, 90),
    L("bilateral5.1K", 32, 128, 256, 1, "@out", "@hash", 1024),
    L("bilateral5.256", 8, 32, 256, 1, "@out", "@hash", 256),
    L("canny_nms.2K", 64, 255, 32, 8, "@out", "@unit", "@unit", 2048),
    L("equalise.32M", 1056, 1, 256, 1, "@out", "@hash", "@hash", 2*M),
    L("equalise.1M", 128, 1, 256, 1, "@out", "@hash", "@hash", 64*K),
    L("sphere_trace.512", 32, 32, 256, 1, "@out", "@unit", 512),
    L("needleman.1K", 64, 64, 16, 1, "@out", "@hash", 1025, 0),
    L("needleman.diag", 64, 1, 16, 1, "@out", "@hash", 1025, 0),
    L("kmer_count.64K", 256, 1, 256, 1, "@out", "@hash", 4*M-1),
    L("aes_tables.256K", 264, 1, 256, 1, "@out", "@hash", "@hash", 256*K),
    L("sha256_nonce.32K", 128, 1, 256, 1, "@out", "@hash", 3),
    L("base64.4M", 16*K, 1, 256, 1, "@out", "@hash", 4*M),
    L("base64.128K", 512, 1, 256, 1, "@out", "@hash", 128*K),
    L("utf8_check.4M", 256, 1, 256, 1, "@out", "@hash", 0),
    L("json_marks.16M", 2*K, 1, 256, 1, "@out", "@hash", 0),
    L("aho_walk.64K", 256, 1, 256, 1, "@out", "@hash", "@hash", 1024),
    L("huffman.64K", 256, 1, 256, 1, "@out", "@hash", 64*K),
    L("lz_copy.4K", 1024, 1, 128, 1, "@out", "@hash", "@hash", M),
    L("transpose_shuffle.2K", 512, 1, 256, 1, "@out", "@hash", 2048),
    L("transpose_shuffle.512", 32, 1, 256, 1, "@out", "@hash", 512),
    L("aos_to_soa7.2M", 16*K, 1, 128, 1, "@out", "@unit", 2*M),
    L("aos_to_soa7.64K", 512, 1, 128, 1, "@out", "@unit", 64*K),
    L("transpose_f64.2K", 64, 64, 128, 1, "@out", "@unit", 2048),
    L("transpose_f64.256", 8, 8, 128, 1, "@out", "@unit", 256),
    L("kepler64.256K", 1024, 1, 256, 1, "@out", "@unit", 0),
]

BUFFERS = {"out": (256 * M, "zero"), "unit": (256 * M, "unit"), "hash": (256 * M, "hash"), "out2": (256 * M, "zero"), "out3": (128 * M, "zero"), "table": (16 * M, "zero"),
           "total": (256, "zero")}


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    begin = ["module fresh2.ptx fresh2"] + [f"buffer {name} {size} {content}" for name, (size, content) in BUFFERS.items()]
    times, once = [], []
    for label, kernel, groups, items, arguments in LAUNCHES:
        launch = f"{kernel} {groups[0]} {groups[1]} 1 {items[0]} {items[1]} 1 {arguments}"
        times.append(f"time {label} 20 {launch}")
        once.extend([f"launch {launch}"] * 2)
    (where / "fresh2.job").write_text("\n".join(begin + times) + "\n")
    (where / "fresh2.once.job").write_text("\n".join(begin + once) + "\n")
    print(len(LAUNCHES), "launches")


if __name__ == "__main__":
    main()
