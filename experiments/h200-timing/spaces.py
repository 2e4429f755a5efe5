#!/usr/bin/env python3
"""Tuning spaces: makes a module for each configuration of tuned.cu's kernels and spaces.job, for tests/nvidia/runner.cpp and
model_runner.cpp; with two files of answers, the rank correlation and what taking the model's best costs.

    python3 spaces.py FOLDER                       compiles (clang-19) and writes the job
    python3 spaces.py --compare DEVICE MODEL       Spearman's rank correlation; loss"""
import concurrent.futures
import hashlib
import itertools
import pathlib
import subprocess
import sys

FLAGS = ("-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx80 "
         "-O3 -S -std=c++17 -Wno-unknown-cuda-version").split()
SIDE, CONFIGURATIONS = 512, 120


def sgemm():
    for bm, bn, bk, tm, tn, vec, pad in itertools.product((16, 32, 64, 128), (16, 32, 64, 128), (8, 16, 32), (1, 2, 4, 8), (1, 2, 4, 8), (1, 4), (0, 4)):
        items = bm // tm * (bn // tn)
        if not 64 <= items <= 1024 or tm * tn > 32 or items * vec > min(bm, bn) * bk or (bm + bn + 2 * pad) * bk * 4 > 48 * 1024:
            continue
        yield (f"sgemm.{bm}x{bn}x{bk}.{tm}x{tn}.v{vec}.p{pad}", "SGEMM", dict(BM=bm, BN=bn, BK=bk, TM=tm, TN=tn, VEC=vec, PAD=pad),
               "sgemm", (SIDE // bm) * (SIDE // bn), items, SIDE)


def convolve():
    side = 1024 + 6
    for tx, ty, px, py, local in itertools.product((16, 32, 64, 128), (1, 2, 4, 8, 16), (1, 2, 4), (1, 2, 4, 8), (0, 1)):
        if not 32 <= tx * ty <= 1024 or (tx * px + 6) * (ty * py + 6) * 4 > 48 * 1024 or 1024 % (tx * px) or 1024 % (ty * py):
            continue
        yield (f"convolve.{tx}x{ty}.{px}x{py}.{'local' if local else 'direct'}", "CONVOLVE", dict(TX=tx, TY=ty, PX=px, PY=py, LOCAL=local),
               "convolve", 1024 // (tx * px) * (1024 // (ty * py)), tx * ty, side)


def chosen(space, count=CONFIGURATIONS):
    return sorted(sorted(space, key=lambda c: hashlib.sha256(c[0].encode()).hexdigest())[:count])


def make(where, source, job_name, configurations, size=8 << 20, hashed=()):
    source = pathlib.Path(__file__).with_name(source)

    def compile_one(c):
        defines = [f"-D{c[1]}"] + [f"-D{name}={value}" for name, value in c[2].items()]
        subprocess.run(["clang-19", *FLAGS, *defines, str(source), "-o", str(where / f"{c[0]}.ptx")], check=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_one, configurations))
    job = [f"buffer out {size} zero", f"buffer in {size} unit"] + [f"buffer hash {size} hash"] * bool(hashed)
    for label, _, _, kernel, groups, items, n in configurations:
        job.append(f"module {label}.ptx {label}")
        job.append(f"time {label} 20 {kernel} {groups} 1 1 {items} 1 1 @out @{'hash' if kernel in hashed else 'in'} x:{n.to_bytes(4, 'little').hex()}")
    (where / job_name).write_text("\n".join(job) + "\n")


def answers(path):
    found = {}
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split()
        if len(words) > 2 and words[1] == "ns":
            values = sorted(float(w) for w in words[2:])
            found[words[0]] = values[len(values) // 2]
    return found


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    rank = [0.0] * len(values)
    at = 0
    while at < len(order):  # equal values share their mean rank
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for k in range(at, end + 1):
            rank[order[k]] = (at + end) / 2
        at = end + 1
    return rank


def compare(device_file, model_file):
    device, model = answers(device_file), answers(model_file)
    for space in dict.fromkeys(label.split(".")[0] for label in device):
        labels = [label for label in device if label.startswith(space + ".") and label in model]
        if len(labels) < 10:
            continue  # one space alone was asked for
        real, said = [device[x] for x in labels], [model[x] for x in labels]
        a, b = ranks(real), ranks(said)
        mean = (len(a) - 1) / 2
        top = sum((x - mean) * (y - mean) for x, y in zip(a, b))
        rho = top / (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
        best = min(real)
        taken = real[said.index(min(said))]
        tenth = sorted(real)[9]
        ratios = sorted(y / x for x, y in zip(real, said))
        print(f"{space}: {len(labels)} configurations, rank correlation {rho:.3f}, loss {100 * (taken / best - 1):.1f} %, of a random choice "
              f"{100 * (sum(real) / len(real) / best - 1):.0f} %, tenth best {100 * (tenth / best - 1):.1f} %; model / device median "
              f"{ratios[len(ratios) // 2]:.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(sys.argv[2], sys.argv[3])
    else:
        make(pathlib.Path(sys.argv[1]), "tuned.cu", "spaces.job", chosen(sgemm()) + chosen(convolve()))
