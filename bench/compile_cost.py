#!/usr/bin/env python3
"""Measures what a small program's compilation costs: processor time of the command and all its children.

    bench/compile_cost.py [--build build] [--gpu NAME ...] [--repeat 5] [--no-floors]

Three ways, on a GPU of each target: cold (no cache; the least of all runs counts), into an empty cache, and out
of it; through `lockstep run --functional` and, where it was built (ninja opencl_vector_add), through the OpenCL
driver. Exit code: 0 when the cold ones are within their floors, 1 otherwise.
"""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile

FLOOR_S = {"gfx": 0.12, "sm_": 0.20}
GPUS = ["mi25", "rx6900xt", "mi250x", "k40c", "v100", "h200"]


def processor_seconds(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.decode(errors='replace')}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--no-floors", action="store_true")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    lockstep = os.path.join(options.build, "lockstep")
    application = os.path.join(options.build, "tests", "opencl", "opencl_vector_add")
    listed = subprocess.run([lockstep, "gpus"], check=True, stdout=subprocess.PIPE, text=True).stdout
    targets = {line.split()[0]: line.split()[-1] for line in listed.splitlines()[1:]}
    missed = 0
    print(f"{'gpu':<10} {'target':<8} {'through':<7} {'cold':>8} {'filling':>8} {'cached':>8}   processor seconds")
    for gpu in options.gpu or GPUS:
        doors = {
            "run": [
                lockstep, "run", "examples/saxpy.cl", "--functional", "--gpu", gpu, "--global", "64", "--local", "64",
                "--arg", "n=int:64", "--arg", "a=float:2.5", "--arg", "x=float[64]:random", "--arg", "y=float[64]:ramp"
            ]
        }
        if os.path.exists(application):
            doors["driver"] = [lockstep, "exec", "--quiet", "--functional", "--gpu", gpu, "--", application]
        for door, command in doors.items():
            cache = tempfile.mkdtemp(prefix="lockstep-bench-")
            try:
                off = dict(os.environ, LOCKSTEP_CACHE="off")
                on = dict(os.environ, LOCKSTEP_CACHE=cache)
                cold = min(processor_seconds(command, off) for _ in range(options.repeat))
                filling = processor_seconds(command, on)
                cached = min(processor_seconds(command, on) for _ in range(options.repeat))
            finally:
                shutil.rmtree(cache)
            target = targets[gpu]
            over = cold > FLOOR_S[target[:3]] and not options.no_floors
            missed += over
            print(f"{gpu:<10} {target:<8} {door:<7} {cold:>8.3f} {filling:>8.3f} {cached:>8.3f}"
                  f"{f'   over {FLOOR_S[target[:3]]:.2f}' if over else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
