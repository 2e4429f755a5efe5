#!/usr/bin/env python3
"""The 512x512x512 naive SGEMM in groups of 16x16, side by side: Oclgrind, PoCL, and Lockstep without and with timing.

    bench/versus_oclgrind.py [--build build] [--threads 2] [--json]

Needs the Debian packages oclgrind and pocl-opencl-icd, and the targets lockstep and opencl_witness. Everything runs the
same kernel on the same input (bench/kernels/sgemm_naive.cl); the results are compared with PoCL's. Each time is that of
the whole process, compilation included where it is not cached: Lockstep and PoCL are run once before they are measured.
Exit code: 0, or 1 when a floor is missed: a functional run 100 times as fast as Oclgrind, a timed run still faster.
"""
import argparse
import ast
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

CASE = "bench/kernels/sgemm_naive.cl"


def measure(name, command, limit):
    """Wall and processor seconds of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{name} failed ({done.returncode}): {' '.join(command)}\n{done.stdout}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"name": name, "wall_s": wall, "processor_s": processor}


def floats(path):
    """The float32 values of a .npy file."""
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            sys.exit(f"{path} is no .npy file")
        major = file.read(2)[0]
        (length,) = struct.unpack("<H" if major == 1 else "<I", file.read(2 if major == 1 else 4))
        header = ast.literal_eval(file.read(length).decode("latin1"))
        if header["descr"] != "<f4":
            sys.exit(f"{path} holds {header['descr']}, not floats")
        data = file.read()
    return struct.unpack(f"<{len(data) // 4}f", data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="the build directory")
    parser.add_argument("--threads", type=int, default=2, help="of the functional run")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for one process")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    lockstep = os.path.abspath(os.path.join(options.build, "lockstep"))
    witness = os.path.abspath(os.path.join(options.build, "tests/differential/opencl_witness"))
    for tool in (lockstep, witness, shutil.which("oclgrind") or "oclgrind"):
        if not os.access(tool, os.X_OK):
            sys.exit(f"{tool} is missing: build the targets lockstep and opencl_witness, install the package oclgrind")

    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        # The arguments as the case states them: "// arg: NAME buffer float[N] INIT", "// arg: NAME scalar int N".
        arguments = []
        for line in open(CASE, encoding="utf-8"):
            if line.startswith("// arg:"):
                name, kind, *rest = line[len("// arg:"):].split()
                arguments += ["--arg", f"{name}={rest[0]}:{rest[1]}"]
        product = os.path.join(scratch, "lockstep.npy")
        base = [lockstep, "run", CASE, "--gpu", "mi25", "--global", "512,512", "--local", "16,16", *arguments]
        functional = [*base, "--functional", "--threads", str(options.threads), "--quiet", "--dump", f"c={product}"]
        pocl = [witness, "--platform", "Portable", "--write", os.path.join(scratch, "pocl"), "--force", CASE]
        measure("first run", functional, options.limit)
        measure("first run", pocl, options.limit)
        rows.append(measure(f"lockstep, functional, {options.threads} threads", functional, options.limit))
        rows.append(measure("lockstep, timed", [*base, "--quiet"], options.limit))
        rows.append(measure("PoCL", pocl, options.limit))
        rows.append(measure("Oclgrind", [
            "oclgrind", witness, "--platform", "Oclgrind", "--write", os.path.join(scratch, "oclgrind"), "--force", CASE
        ], options.limit))
        expected = floats(os.path.join(scratch, "pocl", "sgemm_naive", "c.npy"))
        for name, path in (("lockstep", product), ("Oclgrind", os.path.join(scratch, "oclgrind", "sgemm_naive", "c.npy"))):
            got = floats(path)
            worst = max(abs(a - b) for a, b in zip(expected, got))
            if len(got) != len(expected) or not worst <= 1e-4:
                sys.exit(f"{name}'s product differs from PoCL's by {worst}")

    oclgrind = rows[-1]
    for row in rows:
        for clock in ("wall", "processor"):
            row[f"oclgrind_over_this_{clock}"] = oclgrind[f"{clock}_s"] / row[f"{clock}_s"]
    # Processor time is what a busy host leaves comparable; both clocks are shown.
    floors = [(rows[0], 100), (rows[1], 1)]
    missed = [row["name"] for row, floor in floors if row["oclgrind_over_this_processor"] < floor]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'':<34} {'wall s':>9} {'processor s':>12} {'Oclgrind / this':>16} {'by processor':>13}")
        for row in rows:
            print(f"{row['name']:<34} {row['wall_s']:>9.3f} {row['processor_s']:>12.3f} "
                  f"{row['oclgrind_over_this_wall']:>16.1f} {row['oclgrind_over_this_processor']:>13.1f}")
    for name in missed:
        print(f"missed: {name}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
