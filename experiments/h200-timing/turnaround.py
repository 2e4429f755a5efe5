#!/usr/bin/env python3
"""Writes turnaround.job for tests/nvidia/runner.cpp and model_runner: when groups begin and end on each multiprocessor. turnaround.ptx is
made as workloads.ptx is; for the model the parameters spin_local_param_2 and spin_early_param_2 are to be `.param .u64 .ptr .shared .align 4`.

    python3 turnaround.py FOLDER
    python3 turnaround.py --summary ANSWERS      a line for each launch: groups at once on a multiprocessor, how long one lives, how long a
                                                 place stays empty between two (median; tenth and ninetieth of a hundred), cycles in all"""
import pathlib
import statistics
import sys

UNITS = 132


def word(value):
    return "x:" + value.to_bytes(4, "little").hex()


def launches():
    for warps in (1, 2, 4, 8, 16, 32):
        for cycles in (0, 1000, 8000):
            yield f"spin.{warps}.{cycles}", "spin", UNITS * max(64 // warps, 1) * 4, 32 * warps, f"{word(cycles)}"
    for warps, kilobytes in ((1, 200), (8, 200), (32, 200), (8, 100), (8, 40), (16, 40), (4, 20)):
        yield f"spin_local.{warps}.{kilobytes}K", "spin_local", UNITS * 24, 32 * warps, f"{word(1000)} local:{kilobytes * 1024}"
    for warps, kilobytes in ((1, 200), (8, 200), (32, 200), (8, 100), (16, 40)):
        yield f"spin_early.{warps}.{kilobytes}K", "spin_early", UNITS * 24, 32 * warps, f"{word(4000)} local:{kilobytes * 1024}"
    for warps in (2, 4, 8, 16, 32):
        yield f"stream.{warps}", "stream", (4 << 20) // (32 * warps), 32 * warps, "@x @y x:00000040"
    for warps, words in ((8, 4), (8, 16), (8, 64), (32, 16), (4, 16)):
        yield f"read.{warps}.{words}", "read", (16 << 20) // (32 * warps * words), 32 * warps, f"@x @y {word(words)}"


def make(folder):
    lines = ["module turnaround.ptx turnaround", f"buffer x {64 << 20} unit", f"buffer y {64 << 20} unit"]
    for label, kernel, groups, items, arguments in launches():
        lines.append(f"buffer out {groups * 12} zero")
        lines.append(f"launch {kernel} {groups} 1 1 {items} 1 1 @out {arguments}")
        lines.append(f"show out {groups * 3} {label}")
    (pathlib.Path(folder) / "turnaround.job").write_text("\n".join(lines) + "\n")


def summary(path):
    print("launch at-once life empty(10,50,90) cycles")
    for line in pathlib.Path(path).read_text().splitlines():
        label, *words = line.split()
        if "." not in label or not all(w.isdigit() for w in words):
            continue
        words = [int(w) for w in words]
        units = {}
        for begin, end, unit in zip(words[0::3], words[1::3], words[2::3]):
            units.setdefault(unit, []).append((begin, begin + ((end - begin) & 0xFFFFFFFF)))
        lives, gaps, at_once, spans = [], [], [], []
        for groups in units.values():
            first = groups[0][0]
            groups = sorted(((b - first + (1 << 31)) % (1 << 32), e - b) for b, e in groups)
            begins = [b for b, _ in groups]
            ends = sorted(b + life for b, life in groups)
            lives += [life for _, life in groups]
            events = sorted([(b, 1) for b in begins] + [(e, -1) for e in ends])
            most = now = 0
            for _, step in events:
                now += step
                most = max(most, now)
            at_once.append(most)
            # The place that the k-th end leaves is taken by the first begin after all places were.
            gaps += [b - e for b, e in zip(begins[most:], ends)]
            spans.append(ends[-1] - begins[0])
        tenths = statistics.quantiles(gaps, n=10) if len(gaps) > 1 else [0] * 9
        print(f"{label} {statistics.median(at_once):g} {statistics.median(lives):g} "
              f"{tenths[0]:.0f},{tenths[4]:.0f},{tenths[8]:.0f} {statistics.median(spans):g}")


if __name__ == "__main__":
    summary(sys.argv[2]) if sys.argv[1:2] == ["--summary"] else make(sys.argv[1] if len(sys.argv) > 1 else ".")
