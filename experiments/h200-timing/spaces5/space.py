#!/usr/bin/env python3
"""Writes heat (steps of heat conduction, blocked in time): .cu, .ptx (clang-19), .job, and .check.job (sums).

    python3 space.py FOLDER"""
import itertools
import pathlib
import random
import struct
import subprocess
import sys

FLAGS = ("-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 "
         "-O3 -S -std=c++17 -w").split()
HERE = pathlib.Path(__file__).resolve().parent
COUNT, WIDTH, HEIGHT = 60, 2048, 1024


def f(value):
    return "x:" + struct.pack("<f", value).hex()


def heat():
    for px, py, tx, ty, steps, near, groups, two in itertools.product((8, 16, 32, 64, 128, 256), (1, 2, 4, 8, 16, 32), (1, 2, 3, 4, 6), (1, 2, 3, 4, 6), (1, 2, 3, 4, 6, 8), (0, 1), (0, 1, 2, 4), ("2.0", "2.0f")):
        size = (px * tx + 2 * steps) * (py * ty + 2 * steps) * (2 + near) * 4
        if px * py < 32 or px * py > 1024 or size > 48 << 10 or size * groups > 227 << 10:
            continue
        for unroll in (u for u in (1, 2, 3, 4) if steps % u == 0):
            yield (f"heat.{px}x{py}.t{tx}x{ty}.s{steps}.u{unroll}.near{near}.g{groups}.{'f64' if two == '2.0' else 'f32'}",
                   dict(PX=px, PY=py, TX=tx, TY=ty, STEPS=steps, UNROLL=unroll, NEAR=near, GROUPS=groups, TWO=two))


def main():
    where = pathlib.Path(sys.argv[1])
    configurations = list(heat())
    chosen = [configurations[i] for i in sorted(random.Random(5).sample(range(len(configurations)), COUNT))]
    text = ['#include "space_common.inc"', f"#define WIDTH {WIDTH}", f"#define HEIGHT {HEIGHT}"]
    size = (WIDTH + 20) * (HEIGHT + 20) * 4
    begin = ["module heat.ptx heat", f"buffer heat {size} unit", f"buffer from {size} unit", f"buffer to {4 * WIDTH * HEIGHT} zero"]
    job, check = list(begin), begin + ["buffer sums 1024 zero"]
    for label, parameters in chosen:
        kernel = label.replace(".", "_")
        text += [f"#define NAME {kernel}"] + [f"#define {k} {v}" for k, v in parameters.items()] + ['#include "heat_body.inc"', "#undef NAME"] + [f"#undef {k}" for k in parameters]
        across, down = parameters["PX"] * parameters["TX"], parameters["PY"] * parameters["TY"]
        launch = f"{kernel} {-(-WIDTH // across)} {-(-HEIGHT // down)} 1 {parameters['PX']} {parameters['PY']} 1 @heat @from @to {f(.1)} {f(.1)} {f(5e-6)} {f(1e-5)}"
        job.append(f"time {label} 20 {launch}")
        check += [f"buffer to {4 * WIDTH * HEIGHT} zero", f"launch {launch}", f"launch checksum 1 1 1 256 1 1 @sums @to x:{(WIDTH * HEIGHT).to_bytes(4, 'little').hex()}", f"show sums 256 {label}"]
    (where / "heat.cu").write_text("\n".join(text) + "\n")
    (where / "heat.job").write_text("\n".join(job) + "\n")
    (where / "heat.check.job").write_text("\n".join(check) + "\n")
    subprocess.run(["clang-19", *FLAGS, "-I", HERE, "-I", HERE.parent / "spaces4", where / "heat.cu", "-o", where / "heat.ptx"], check=True)
    print("heat", COUNT, "of", len(configurations))


main()
