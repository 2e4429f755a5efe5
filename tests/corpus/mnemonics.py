#!/usr/bin/env python3
"""Compiles every case for one AMD target at -O0 to -O3 and lists the base mnemonics that appear.

usage: mnemonics.py [--target gfx900] [--output FILE] [--counts] [CASE.cl...]

Exit code 1 when a case does not compile. Cases that need images are compiled too where the target has images."""
import argparse
import collections
import glob
import multiprocessing
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = re.compile(r"(_e32|_e64|_dpp|_sdwa|_e64_dpp)$")


def options_of(path):
    for line in open(path):
        if not line.startswith("//"):
            break
        if line.startswith("// options:"):
            return line.split(":", 1)[1].split()
    return []


def compile_case(job):
    path, target, level, directory = job
    command = ["clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + target, "-x", "cl", "-cl-std=CL1.2",
               "-Xclang", "-finclude-default-header", "--rocm-device-lib-path=" + directory, level,
               *options_of(path), "-S", "-o", "-", path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    found = collections.Counter()
    in_code = False
    for line in result.stdout.splitlines():
        text = line.split(";")[0].strip()
        if text.startswith(".section") or text == ".text":
            in_code = text == ".text" or ".text" in text
        if not in_code or not text or text.startswith(".") or text.endswith(":"):
            continue
        found[SUFFIX.sub("", text.split()[0])] += 1
    return path, level, result.returncode, result.stderr, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="gfx900")
    parser.add_argument("--output")
    parser.add_argument("--counts", action="store_true", help="how many cases use each mnemonic, beside it")
    parser.add_argument("--levels", default="-O0,-O1,-O2,-O3")
    parser.add_argument("--device-library", default="/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    cases = arguments.cases or sorted(glob.glob(HERE + "/*.cl"))
    jobs = [(path, arguments.target, level, arguments.device_library)
            for path in cases for level in arguments.levels.split(",")]
    users = collections.defaultdict(set)
    failed = 0
    with multiprocessing.Pool() as pool:
        for path, level, code, errors, found in pool.imap(compile_case, jobs):
            if code != 0:
                failed += 1
                print(f"{path} {level} does not compile:\n{errors[:2000]}", file=sys.stderr)
            for mnemonic in found:
                users[mnemonic].add(path)
    lines = [f"{m} {len(users[m])}" if arguments.counts else m for m in sorted(users)]
    if arguments.output:
        with open(arguments.output, "w") as output:
            output.write("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    print(f"{len(cases)} cases, {len(users)} mnemonics, {failed} failures", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
