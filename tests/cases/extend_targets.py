#!/usr/bin/env python3
"""Adds to every case the targets whose assembler takes its code: an instruction's case belongs to all generations
that have it. What a target means otherwise shows when the cases run; such a target goes into the case's "not" line.

    tests/cases/extend_targets.py tests/cases/amd/*.case

Needs llvm-mc-19. A line "not gfx803 ..." under a case's targets keeps targets out."""
import subprocess
import sys

TARGETS = ("gfx600 gfx601 gfx701 gfx802 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 "
           "gfx1010 gfx1030 gfx1100 gfx1201").split()


def blocks(lines):
    """Cases as (first line, last line + 1, index of the target line, code lines, lanes, kept out)."""
    begin = None
    for number, line in enumerate(lines + ["case end"]):
        if not line.startswith("case "):
            continue
        if begin is not None:
            yield describe(lines, begin, number)
        begin = number


def describe(lines, begin, end):
    target = lanes = None
    code, inside, kept_out = [], False, []
    for number in range(begin, end):
        line = lines[number]
        if line.startswith("target "):
            target = number
        elif line.startswith("lanes "):
            lanes = line.split()[1]
        elif line.startswith("not "):
            kept_out = line.split()[1:]
        if line.startswith("code"):
            inside = True
        elif inside and line.startswith(" "):
            code.append(line.split("#")[0])
        elif line.strip():
            inside = False
    return {"target": target, "code": code, "lanes": lanes, "not": kept_out}


def accepted(cases, target, lanes):
    """The numbers of the cases whose code the assembler takes for the target."""
    source, case_of_line = [], [None]
    for number, case in cases:
        source.append(f"case_{number}:")
        case_of_line.append(number)
        for line in case["code"]:
            source.append(line)
            case_of_line.append(number)
    command = ["llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + target, "-show-encoding"]
    if lanes:
        command.append("-mattr=+wavefrontsize" + lanes)
    result = subprocess.run(command, input="\n".join(source) + "\n", text=True, capture_output=True)
    refused = {case_of_line[int(error.split(":")[1])] for error in result.stderr.splitlines()
               if error.startswith("<stdin>:") and ": error: " in error}
    return {number for number, _ in cases} - refused


def extend(path):
    lines = open(path).read().split("\n")
    cases = list(enumerate(blocks(lines)))
    found = {number: [] for number, _ in cases}
    for target in TARGETS:
        rdna = target.startswith(("gfx10", "gfx11", "gfx12"))
        for lanes in {case["lanes"] for _, case in cases}:
            if lanes == "32" and not rdna:
                continue
            some = [(n, c) for n, c in cases if c["lanes"] == lanes]
            for number in accepted(some, target, lanes if rdna else None):
                found[number].append(target)
    for number, case in cases:
        named = lines[case["target"]].split()[1:]
        unknown = [name for name in named if name not in TARGETS]
        every = [name for name in TARGETS if name in found[number] and name not in case["not"]]
        lines[case["target"]] = "target " + " ".join(every + unknown)
    open(path, "w").write("\n".join(lines))
    return sum(len(targets) for targets in found.values())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, extend(name))
