#!/usr/bin/env python3
"""Writes programs.job: launches of programs.cl's kernels for tests/nvidia/runner.cpp and model_runner.cpp. programs.ptx is what Lockstep's own compilation
makes: programs.py --ptx CACHE takes it from a cache folder ($LOCKSTEP_CACHE) in which `lockstep run programs.cl --gpu h100` left one entry.

    python3 programs.py FOLDER [--ptx CACHE]"""
import pathlib
import sys

K, M = 1 << 10, 1 << 20
LAUNCHES = [  # label, groups of 256, n
    ("byte_code", 1056, 256), ("byte_code_apart", 528, 64), ("collatz", K, 200), ("gcd", 4 * K, 0), ("queens", 128, 10), ("binary_search", 4 * K, M),
    ("table_insert", 2 * K, M), ("add_float_by_exchange", K, 64 * K), ("compact", 2 * K, M), ("histogram_16", 528, 4 * M), ("extremes", 528, 4 * M),
    ("philox", K, 16), ("chacha", K, 10), ("sha_words", K, 0), ("modulo_by_value", K, 64), ("modulo_of_64_bits", 512, 16), ("bytes_dot", K, 256),
    ("sines", K, 32), ("powers", K, 32), ("tangents", K, 16), ("roots_in_double", 512, 16), ("gravity_in_double", 264, 256),
    ("stencil_3d", 8 * K, 128), ("sort_in_group", 2 * K, 0), ("scan_in_group", 4 * K, 0), ("edit_distance", 264, 511), ("columns_to_rows_64", 4 * K, K),
    ("insertion_sort", 264, 24), ("solve_8", K, 0), ("short_rows", K, 64), ("long_rows", K, 8 * K), ("separable_filter", 4 * K, 0), ("look_up", K, 16),
    ("half_precision_axpy", 16 * K, 0),
]


def take_ptx(file):
    """What --ptx names, if it is there: the one entry of a cache folder."""
    if "--ptx" not in sys.argv:
        return
    entry = next(one for one in pathlib.Path(sys.argv[sys.argv.index("--ptx") + 1]).rglob("*") if one.is_file() and len(one.name) > 32)
    raw = entry.read_bytes()
    text = raw[raw.index(b".version"): raw.index(b".section")].decode(errors="replace").replace(", debug", "")  # ptxas takes no names with dots in debug sections
    file.write_text(text + "\n")


def main():
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    take_ptx(where / "programs.ptx")
    job = ["module programs.ptx programs", f"buffer out {512 * M} zero", f"buffer in {64 * M} hash"]
    for label, groups, n in LAUNCHES:
        job.append(f"time {label} 20 {label} {groups} 1 1 256 1 1 @out @in x:{n.to_bytes(4, 'little').hex()}")
    (where / "programs.job").write_text("\n".join(job) + "\n")
    print(len(LAUNCHES), "launches")


if __name__ == "__main__":
    main()
