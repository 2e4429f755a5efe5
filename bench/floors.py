#!/usr/bin/env python3
"""Measures Lockstep's floors (docs/dev/performance.md) and says which are met.

    bench/floors.py [--build build]

Exit code: 0 when all are met, 1 otherwise.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

# kernel, mode, field, least
FLOORS = [
    ("arithmetic", "functional", "wave_instructions_per_second", 15e6),
    ("stream_copy", "functional", "wave_instructions_per_second", 8e6),
    ("vector_add", "functional", "wave_instructions_per_second", 8e6),
    ("arithmetic", "timed", "wave_instructions_per_second", 1e6),
    ("stream_copy", "timed", "wave_instructions_per_second", 1e6),
    ("vector_add", "timed", "wave_instructions_per_second", 1e6),
]
START_TO_REPORT_S = 0.3


def start_to_report(lockstep):
    """Wall and processor seconds of a small kernel's run, compiled before: the best of nine."""
    command = [
        lockstep, "run", "bench/kernels/vector_add.cl", "--global", "1024", "--local", "256", "--arg",
        "a=float[1024]:random", "--arg", "b=float[1024]:random", "--arg", "c=float[1024]:zero"
    ]
    times = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = time.monotonic() - begun
        times.append((wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return min(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    lockstep = os.path.join(options.build, "lockstep")
    missed = 0
    rows = {}
    for kernel in dict.fromkeys(floor[0] for floor in FLOORS):
        out = subprocess.run([lockstep, "bench", "--json", "--filter", kernel], check=True, stdout=subprocess.PIPE,
                             timeout=1200).stdout
        for row in json.loads(out):
            rows[row["name"], row["mode"], row["threads"]] = row
    for kernel, mode, field, least in FLOORS:
        value = rows[kernel, mode, 1][field]
        missed += value < least
        print(f"{kernel:<14} {mode:<11} {value / 1e6:>8.2f} M/s  floor {least / 1e6:>5.1f} M/s  "
              f"{'ok' if value >= least else 'MISSED'}")
    wall, processor = start_to_report(lockstep)
    missed += wall >= START_TO_REPORT_S
    print(f"start to report              {wall:>8.3f} s    floor {START_TO_REPORT_S:>5.1f} s    "
          f"{'ok' if wall < START_TO_REPORT_S else 'MISSED'} (processor {processor:.3f} s)")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
