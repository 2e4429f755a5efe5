#!/usr/bin/env python3
"""Writes sides.job, launches of sides.cu's kernels for tests/nvidia/runner.cpp and model_runner.cpp, and the turns that its lanes take. sides.ptx is
made as workloads.ptx is (workloads.py). The job appends what lanes wrote down to sides.bin; of that

    python3 sides.py FOLDER
    python3 sides.py --events SIDES.BIN     prints LAUNCH and STAGE.KIND:LANES for each time that lanes came to a place together, in order"""
import pathlib
import struct
import sys

LANES = range(32)
TURNS = {
    "p0": ([[1, 2, 4, 6][lane // 8] for lane in LANES], [1] * 32, [1] * 32),
    "p1": ([[1, 2, 4, 6][lane // 8] for lane in LANES], [lane % 4 + 1 for lane in LANES], [2] * 32),
    "p2": ([lane + 1 for lane in LANES], [1] * 32, [1] * 32),
    "p3": ([40 if lane == 31 else 1 for lane in LANES], [3] * 32, [1] * 32),
    "p4": ([1 if lane == 31 else 20 + lane % 2 for lane in LANES], [lane % 3 + 1 for lane in LANES], [1] * 32),
}
LAUNCHES = [(kernel, turns) for kernel in ("marked", "plain", "open", "rolled", "branch") for turns in TURNS]
LAUNCHES += [(kernel, "p0") for kernel in ("lock1", "lock3", "lock_rolled")]
BYTES, EVENTS = 131072, 256


def events(data):
    """By launch: (what, lanes) in the order of the clock."""
    found = {}
    for number, (kernel, turns) in enumerate(LAUNCHES):
        log = data[number * BYTES:(number + 1) * BYTES]
        lanes_of = {}
        for lane in LANES:
            for k in range(EVENTS):
                clock, mask, what, used = struct.unpack_from("<4I", log, (lane * EVENTS + k) * 16)
                if not used:
                    break
                lanes_of[(clock, mask, what)] = lanes_of.get((clock, mask, what), 0) | 1 << lane
        start = struct.unpack_from("<I", log)[0]
        order = sorted(lanes_of, key=lambda event: (event[0] - start & 0xFFFFFFFF, event[2]))
        found[kernel if kernel.startswith("lock") else f"{kernel}.{turns}"] = [f"{what >> 8}.{what & 255}:{lanes_of[clock, mask, what]:x}" for clock, mask, what in order]
    return found


if __name__ == "__main__":
    if sys.argv[1:2] == ["--events"]:
        for name, list_ in events(pathlib.Path(sys.argv[2]).read_bytes()).items():
            print(name, *list_)
        sys.exit()
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for name, stages in TURNS.items():
        (folder / f"{name}.bin").write_bytes(struct.pack("<1024I", *sum(stages, []), *[0] * (1024 - 96)))
    text = "module sides.ptx sides\n"
    for kernel, turns in LAUNCHES:
        text += f"buffer log {BYTES} zero\nbuffer turns 4096 {turns}.bin\nbuffer cells 4096 zero\nlaunch {kernel} 1 1 1 32 1 1 @log @turns @cells\nsave log sides.bin {BYTES}\n"
        text += "free log\nfree turns\nfree cells\n"
    (folder / "sides.job").write_text(text)
