#!/usr/bin/env python3
"""Writes short.job for tests/nvidia/runner.cpp and model_runner: what launches of few microseconds do, one thing more than nothing each.
short.ptx is made as workloads.ptx is.

    python3 short.py FOLDER
    python3 short.py --compare DEVICE MODEL      what each takes beyond the empty launch of as many groups, ns; DEVICE: of runner --graphs"""
import pathlib
import sys

from planted import times

UNITS = 132
KERNELS = ["nothing", "parameter", "store", "load", "copy", "hops2", "hops3", "hops5", "hops9", "far3", "adds32", "adds128", "adds512", "loop128",
           "barriers4"]


def word(value):
    return "x:" + value.to_bytes(4, "little").hex()


def launches():
    for groups in (1, UNITS, 4 * UNITS):
        for kernel in KERNELS:
            arguments = {"nothing": "@out", "far3": f"@out @x {word(4 << 20)}", "loop128": f"@out x:0000003f {word(32)}"}.get(
                kernel, "@out x:0000003f" if kernel.startswith("adds") else f"@out @x {word(0)}")
            yield f"{kernel}.{groups}", f"{kernel} {groups} 1 1 256 1 1 {arguments}"
    for kernel in ("some_store", "some_load"):
        for few in (0, 1, 8, 33, 66, UNITS):
            yield f"{kernel}{few}.{UNITS}", f"{kernel} {UNITS} 1 1 256 1 1 @out @x {word(few)}"
    for kernel in ("wait", "wait_store", "store_wait"):
        for groups in (1, UNITS):
            for cycles in (500, 2000):
                yield f"{kernel}{cycles}.{groups}", f"{kernel} {groups} 1 1 256 1 1 @out @x {word(cycles)}"


def make(folder):
    lines = ["module short.ptx short", f"buffer x {64 << 20} index", f"buffer out {16 << 20} zero"]
    lines += [f"time {label} 20 {launch}" for label, launch in launches()]
    lines += [f"launch stamps {UNITS} 1 1 256 1 1 @out @x {word(0)}"] * 3 + [f"show out {8 * UNITS} stamps"]
    for groups in (1, UNITS, 4 * UNITS):
        for items in (32, 256):
            for stride in (32, 1024, 512 << 10, 1536 << 10):
                launch = f"launch steps {groups} 1 1 {items} 1 1 @out @x {word(stride)} {word(1024)}"
                lines += [launch] * 3 + [f"show out {8 * groups} steps.{groups}.{items}.{stride}"]
    (pathlib.Path(folder) / "short.job").write_text("\n".join(lines) + "\n")


def compare(device, model):
    device, model = times(device), times(model)
    for label, _ in launches():
        if label not in device or label not in model:
            continue
        empty = "nothing." + label.split(".")[1]
        there, here = device[label] - device[empty], model[label] - model[empty]
        print(f"{label:16} device {device[label]:6.0f} more {there:6.0f}   model {model[label]:6.0f} more {here:6.0f}   {here - there:6.0f}")


if sys.argv[1] == "--compare":
    compare(*sys.argv[2:4])
else:
    make(sys.argv[1])
