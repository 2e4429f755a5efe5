#!/usr/bin/env python3
"""Writes together.job for tests/nvidia/runner.cpp and model_runner: atomics of global memory by how many lanes and warps meet on a word.
And pair.job: which addresses share a slice, by two words that all warps add to in turn. together.ptx is made as workloads.ptx is.

    python3 together.py FOLDER
    python3 together.py --slices PAIRS           addresses (bytes) that lie in the slice of address 0, or of the base of s.BASE
    python3 together.py --compare DEVICE MODEL"""
import pathlib
import sys

from planted import times

GROUPS, TURNS, WORDS = 1056, 4, 1 << 20


def word(value):
    return "x:" + value.to_bytes(4, "little").hex()


def launches():
    for kernel in ("add_u32", "max_u32", "add_f32", "took_u32", "took_f32"):
        for together in (1, 2, 4, 8, 16, 32, 64, 256):
            yield f"{kernel}.by{together}", f"{kernel} {GROUPS} 1 1 256 1 1 @x @out {word(together)} {word(1)} {word(WORDS)} {word(TURNS)}"
        for together in (8, 32):
            yield f"{kernel}.by{together}.apart", f"{kernel} {GROUPS} 1 1 256 1 1 @x @out {word(together)} {word(128)} {word(WORDS)} {word(TURNS)}"
    for kernel in ("lane_red", "lane_atom"):
        for apart, words in ((1, 1), (1, 2), (1, 8), (1, 32), (1, 1024), (128, 256), (128, 1 << 14), (128, WORDS), (1, WORDS)):
            yield f"{kernel}.{words}w.{apart}", f"{kernel} {GROUPS} 1 1 256 1 1 @x @out {word(1)} {word(apart)} {word(words)} {word(TURNS)}"


def make(folder):
    lines = ["module together.ptx together", f"buffer x {4 * WORDS} zero", f"buffer out {4 << 20} zero"]
    lines += [f"time {label} 10 {launch}" for label, launch in launches()]
    (pathlib.Path(folder) / "together.job").write_text("\n".join(lines) + "\n")
    lines = [*lines[:2], f"buffer out {4 << 20} zero"] + [f"time {label} 2 {launch}" for label, launch in pairs()]
    lines[1] = f"buffer x {64 << 20} zero"
    (pathlib.Path(folder) / "pair.job").write_text("\n".join(lines) + "\n")


def pairs():
    for name, base, each, count in (("p0", 0, 128, 256), ("q0", 0, 4096, 513), ("r0", 0, 65536, 256), ("s512", 512, 512, 64),
                                    ("s1024", 1024, 512, 64), ("s4096", 4096, 512, 64)):
        for k in range(count):
            yield f"{name}.{k * each}", f"pair 528 1 1 256 1 1 @x @out {word(base // 4)} {word(k * each // 4)} {word(0)} {word(2)}"


def slices(path):
    found = {}
    for line in open(path, encoding="utf-8"):
        label, time = line.split()
        name, place = label.split(".")
        found.setdefault(name, {})[int(place)] = float(time)
    for name, places in found.items():
        print(name, len(places), [place for place, time in places.items() if time > 0.8 * max(places.values())])


def compare(device, model):
    device, model = times(device), times(model)
    for label, _ in launches():
        print(f"{label:24} device {device[label]:8.0f}   model {model[label]:8.0f}   {model[label] / device[label]:.2f}")


if sys.argv[1] == "--slices":
    slices(sys.argv[2])
elif sys.argv[1] == "--compare":
    compare(*sys.argv[2:4])
else:
    make(sys.argv[1])
