#!/usr/bin/env python3
"""Writes fetch.ptx and fetch.job for tests/nvidia/runner.cpp and model_runner: what instructions cost that the nearest cache lacks, and
which caches keep them from launch to launch.

loop.N      N multiply-adds in a straight line, gone through four times; the first wave of a group notes the cycles of each pass
line.N      N multiply-adds, once; the clock is noted every 512 (every 64 of line.512). Launched three times, then after other code

    python3 fetch.py FOLDER
    python3 fetch.py --summary ANSWERS           cycles for an instruction: of each pass, of each part (medians of the groups)"""
import pathlib
import statistics
import sys

LOOPS = (256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 7168, 8192, 10240, 12288, 16384, 32768)
LINES = {512: 64, 2048: 512, 24576: 512}
CHAINS = 8
UNITS = 132


def chains(first, count):
    return "\n".join(f"  fma.rn.f32 %f{i % CHAINS}, %f{i % CHAINS}, %f{i % CHAINS}, %f{i % CHAINS};" for i in range(first, first + count))


def kernel(name, words, body):
    starts = "\n".join(f"  mov.f32 %f{i}, 0f3F80000{i};" for i in range(CHAINS))
    adds = "\n".join(f"  add.rn.f32 %f0, %f0, %f{i};" for i in range(1, CHAINS))
    return f"""
.visible .entry {name}(.param .u64 out, .param .u32 passes) {{
  .reg .f32 %f<{CHAINS}>;
  .reg .u32 %r<9>;
  .reg .u64 %d<4>;
  .reg .pred %p<3>;
{starts}
  mov.u32 %r4, 0;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r6, [passes];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r5, %tid.x;
  setp.ne.u32 %p1, %r5, 0;
  mul.wide.u32 %d1, %r0, {4 * words};
  add.u64 %d0, %d0, %d1;
{body}
{adds}
  setp.eq.f32 %p2, %f0, 0f40490FDB;
  @%p2 st.global.f32 [%d0], %f0;
  ret;
}}
"""


def loop(count):
    return kernel(f"loop{count}", 4, f"""
again:
  mov.u32 %r1, %clock;
{chains(0, count)}
  mov.u32 %r2, %clock;
  sub.u32 %r3, %r2, %r1;
  @!%p1 st.global.u32 [%d0], %r3;
  add.u64 %d0, %d0, 4;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p0, %r4, %r6;
  @%p0 bra again;""")


def line(count, step):
    body = ["  mov.u32 %r1, %clock;"]
    for at in range(0, count, step):
        body += [chains(at, step), "  mov.u32 %r2, %clock;", "  sub.u32 %r3, %r2, %r1;", f"  @!%p1 st.global.u32 [%d0+{at // step * 4}], %r3;"]
    return kernel(f"line{count}", count // step, "\n".join(body))


def make(folder):
    folder = pathlib.Path(folder)
    (folder / "fetch.ptx").write_text(".version 8.0\n.target sm_80\n.address_size 64\n" + "".join(loop(n) for n in LOOPS)
                                      + "".join(line(n, step) for n, step in LINES.items()))
    lines = ["module fetch.ptx fetch", f"buffer out {UNITS * 4 * 48 * 4 + 16} zero"]

    def launch(name, groups, items, words, label):
        lines.append(f"launch {name} {groups} 1 1 {items} 1 1 @out x:04000000")
        if label:
            lines.append(f"show out {groups * words} {label}")

    for groups, items in ((1, 32), (UNITS, 32), (UNITS, 128), (UNITS, 512)):
        for count in LOOPS:
            launch(f"loop{count}", groups, items, 4, f"loop.{count}.{groups}.{items}")
    for groups, items in ((1, 32), (UNITS, 32), (UNITS, 256), (UNITS * 4, 256)):
        for count, step in LINES.items():
            for time in ("first", "second", "third"):
                launch(f"line{count}", groups, items, count // step, f"line.{count}.{groups}.{items}.{time}")
            for name, other in (("small", "loop256"), ("middle", "loop3072"), ("large", "loop32768")):
                launch(other, UNITS, 128, 4, "")
                launch(f"line{count}", groups, items, count // step, f"line.{count}.{groups}.{items}.after_{name}")
    (folder / "fetch.job").write_text("\n".join(lines) + "\n")


def summary(path):
    for text in pathlib.Path(path).read_text().splitlines():
        label, *words = text.split()
        parts = label.split(".")
        if parts[0] == "loop":
            step, each = int(parts[1]), 4
        elif parts[0] == "line":
            step = LINES[int(parts[1])]
            each = int(parts[1]) // step
        else:
            continue
        words = [int(w) for w in words]
        middle = [statistics.median(words[i::each]) for i in range(each)]
        if parts[0] == "line":
            middle = [b - a for a, b in zip([0, *middle], middle)]
        print(label, *(f"{m / step:.2f}" for m in middle))


if __name__ == "__main__":
    summary(sys.argv[2]) if sys.argv[1:2] == ["--summary"] else make(sys.argv[1] if len(sys.argv) > 1 else ".")
