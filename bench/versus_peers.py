#!/usr/bin/env python3
"""Eight kernels side by side: Oclgrind, PoCL, and Lockstep without timing. One host program, one set of sizes.

    bench/versus_peers.py [--build build] [--threads 2] [--gpu mi25] [--seconds 1] [--json] [KERNEL...]

Needs the Debian packages oclgrind and pocl-opencl-icd, and the target versus_peers (bench/versus_peers.cpp has the kernels
and checks every result against the host's own computation). A row's times are the median launch's, after one that does
not count; Oclgrind, where each takes seconds, runs it once. Ratios are of processor time, which a busy host leaves
comparable; wall time is shown beside it.
Exit code: 0, or 1 when the geometric mean over the set is under the floor: 50 times Oclgrind's speed.
"""
import argparse
import json
import math
import os
import shutil
import subprocess
import sys

FLOOR = 50
KERNELS = ["vector_add", "sgemm_naive", "sgemm_tiled", "transpose", "reduction", "mandelbrot", "histogram", "nbody"]


def run(command, variables, limit):
    environment = dict(os.environ, **variables)
    for name in ("LOCKSTEP_CHECK", "LOCKSTEP_REPORT", "LOCKSTEP_LAUNCHES"):
        environment.pop(name, None)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=limit, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed ({done.returncode})\n{done.stdout}{done.stderr}")
    rows = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            if not row["right"]:
                sys.exit(f"{row['driver']}: the result of {row['kernel']} is wrong")
            rows[row["kernel"]] = row
    return rows


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help=", ".join(KERNELS))
    parser.add_argument("--build", default="build", help="the build directory")
    parser.add_argument("--gpu", default="mi25", help="the modelled GPU")
    parser.add_argument("--threads", type=int, default=2, help="of Lockstep and PoCL")
    parser.add_argument("--seconds", type=float, default=1, help="for which each kernel is repeated")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for one driver")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    kernels = options.kernels or KERNELS
    program = os.path.abspath(os.path.join(options.build, "tests/opencl/versus_peers"))
    icd = os.path.abspath(os.path.join(options.build, "icd"))
    pocl = "/etc/OpenCL/vendors/pocl.icd"
    for needed in (program, icd, pocl, shutil.which("oclgrind") or "oclgrind"):
        if not os.path.exists(needed):
            sys.exit(f"{needed} is missing: build the target versus_peers, install oclgrind and pocl-opencl-icd")
    repeat = ["--seconds", str(options.seconds), *kernels]
    threads = str(options.threads)
    drivers = {
        "Lockstep": run([program, *repeat], {"OCL_ICD_VENDORS": icd, "LOCKSTEP_GPU": options.gpu, "LOCKSTEP_MODE": "functional",
                                             "LOCKSTEP_THREADS": threads}, options.limit),
        "PoCL": run([program, *repeat], {"OCL_ICD_VENDORS": pocl, "POCL_MAX_PTHREAD_COUNT": threads}, options.limit),
        "Oclgrind": run(["oclgrind", program, "--seconds", "0", *kernels], {}, options.limit),
    }
    table = []
    for kernel in kernels:
        row = {"kernel": kernel}
        for driver, rows in drivers.items():
            row[driver] = {"wall_s": rows[kernel]["wall_s"], "processor_s": rows[kernel]["processor_s"]}
        ours = row["Lockstep"]["processor_s"]
        row["oclgrind_over_lockstep"] = row["Oclgrind"]["processor_s"] / ours
        row["pocl_over_lockstep"] = row["PoCL"]["processor_s"] / ours
        table.append(row)
    mean = {key: geometric_mean([row[key] for row in table]) for key in ("oclgrind_over_lockstep", "pocl_over_lockstep")}
    if options.json:
        print(json.dumps({"rows": table, "geometric_mean": mean}, indent=2))
    else:
        print("| kernel | Lockstep: wall, processor ms | PoCL: wall, processor ms | Oclgrind: wall, processor ms | times Oclgrind's speed | times PoCL's speed |")
        print("|---|---|---|---|---|---|")
        for row in table:
            times = [f"{row[d]['wall_s'] * 1e3:.3g}, {row[d]['processor_s'] * 1e3:.3g}" for d in drivers]
            print(f"| {row['kernel']} | {' | '.join(times)} | {row['oclgrind_over_lockstep']:.0f} | {row['pocl_over_lockstep']:.3f} |")
        print(f"| geometric mean | | | | {mean['oclgrind_over_lockstep']:.0f} | {mean['pocl_over_lockstep']:.3f} |")
    if mean["oclgrind_over_lockstep"] < FLOOR and kernels == KERNELS:
        print(f"missed: {mean['oclgrind_over_lockstep']:.1f} times Oclgrind's speed, wanted {FLOOR}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
