#!/usr/bin/env python3
"""Writes convolution.cu and convolution.job for tests/nvidia/runner.cpp and model_runner:

conv.X.Y.A.B.P      a convolution by 15 x 15 constants of the module, all turns written out, 1024 rows of 4096: groups of X x Y items, A x B results
                    of an item, P: rows of the part in local memory are padded to other banks
rows.STRIDE.ITEMS   loads of local memory by warps of two rows of 16 words, STRIDE words apart
code.N.ITEMS.TURNS  a loop of N multiply-adds, gone through TURNS times by warps that begin one after the other

    python3 convolution.py FOLDER
    python3 convolution.py --summary ANSWERS     cycles of a multiprocessor for a load; cycles of a partition for an instruction"""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "spaces3"))
from common import PRELUDE, x  # noqa: E402

SHAPES = [(64, 2, 1, 1, 0), (16, 8, 1, 1, 0), (16, 8, 1, 1, 1), (32, 4, 2, 1, 0), (32, 4, 1, 4, 0), (64, 2, 1, 2, 0), (128, 2, 1, 1, 0), (32, 4, 2, 4, 0),
          (16, 8, 1, 2, 0), (16, 8, 1, 2, 1), (64, 2, 1, 4, 0), (128, 2, 2, 2, 0), (32, 4, 2, 2, 0), (16, 8, 2, 1, 0), (16, 8, 2, 1, 1), (64, 2, 2, 1, 0),
          (128, 2, 1, 2, 0), (128, 2, 1, 4, 0), (64, 1, 4, 4, 0), (32, 8, 1, 1, 0), (32, 8, 2, 4, 0), (64, 4, 1, 1, 0), (256, 2, 1, 2, 0), (16, 16, 1, 1, 0),
          (16, 16, 1, 1, 1)]
STRIDES = (16, 17, 18, 24, 30, 32, 46, 48)
ITEMS = (128, 256, 512, 1024)
CODE = (512, 1024, 1536, 2048, 3072, 4096, 6144)
COLUMNS, ROWS, WEIGHTS = 4096, 1024, 15
LOADS, ROUNDS = 64, 200
CLOCK_GHZ = 1.98


def convolution(name, bx, by, tx, ty, padded):
    width, height = bx * tx + WEIGHTS - 1, by * ty + WEIGHTS - 1
    spare = (bx - width) & 31 if padded else 0
    return f"""
extern "C" __attribute__((global)) void {name}(float* R out, const float* R in) {{
  SHARED float part[{height}][{width + spare}];
  const int x = TID, y = TIDY, left = BID * {bx * tx}, top = BIDY * {by * ty};
#pragma unroll
  for (int i = y; i < {height}; i += {by})
#pragma unroll
    for (int j = x; j < {width}; j += {bx}) part[i][j] = in[(top + i) * {COLUMNS + WEIGHTS - 1} + left + j];
  SYNC;
  float sum[{ty}][{tx}] = {{}};
#pragma unroll
  for (int i = 0; i < {WEIGHTS}; i++)
#pragma unroll
    for (int j = 0; j < {WEIGHTS}; j++)
#pragma unroll
      for (int b = 0; b < {ty}; b++)
#pragma unroll
        for (int a = 0; a < {tx}; a++) sum[b][a] += part[y + b * {by} + i][x + a * {bx} + j] * weights[i * {WEIGHTS} + j];
#pragma unroll
  for (int b = 0; b < {ty}; b++)
#pragma unroll
    for (int a = 0; a < {tx}; a++) out[(top + y + b * {by}) * {COLUMNS} + left + x + a * {bx}] = sum[b][a];
}}"""


def rows(stride):
    return f"""
extern "C" __attribute__((global)) void rows_{stride}(float* R out, u32 rounds, u32 step) {{
  SHARED float s[11000];
  u32 base = TID % 16 + TID / 16 % 8 * {stride};
  for (u32 i = TID; i < 11000; i += 256) s[i] = (float)i;
  SYNC;
  float a = 0, b = 0, c = 0, d = 0;
  for (u32 r = 0; r < rounds; r++, base += step) {{
#pragma unroll
    for (int j = 0; j < {LOADS}; j += 4) a += s[base + j], b += s[base + j + 1], c += s[base + j + 2], d += s[base + j + 3];
  }}
  if (a + b + c + d == 12345.f) out[TID] = a;
}}"""


def code(count):
    lines = "\n".join(f"    v{i % 8} = __builtin_fmaf(v{i % 8}, v{(i + 1) % 8}, v{i % 8});" for i in range(count))
    return f"""
extern "C" __attribute__((global)) void code_{count}(float* R out, u32 rounds) {{
  float v0 = TID, v1 = 1, v2 = 2, v3 = 3, v4 = 4, v5 = 5, v6 = 6, v7 = 7;
  for (u32 i = 0; i < TID / 32 * {count} / 8; i++) v0 = __builtin_fmaf(v0, v1, v2);
  for (u32 r = 0; r < rounds; r++) {{
{lines}
  }}
  if (v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 == 12345.f) out[TID] = v0;
}}"""


def make(folder):
    folder = pathlib.Path(folder)
    kernels, job = [f"__attribute__((constant)) float weights[{WEIGHTS * WEIGHTS}];"], ["module convolution.ptx convolution"]
    job += ["buffer out 16800000 zero", "buffer in 17200000 unit"]
    for shape in SHAPES:
        bx, by, tx, ty, _ = shape
        label = ".".join(map(str, ("conv", *shape)))
        name = label.replace(".", "_")
        kernels.append(convolution(name, *shape))
        job.append(f"time {label} 10 {name} {COLUMNS // (bx * tx)} {ROWS // (by * ty)} 1 {bx} {by} 1 @out @in")
    for stride in STRIDES:
        kernels.append(rows(stride))
        job += [f"time rows.{stride}.{items} 4 rows_{stride} 132 1 1 {items} 1 1 @out {x(ROUNDS)} {x(0)}" for items in ITEMS]
    for count in CODE:
        kernels.append(code(count))
        job += [f"time code.{count}.{items}.{turns} 2 code_{count} 132 1 1 {items} 1 1 @out {x(turns)}" for items in ITEMS for turns in (20, 40)]
    (folder / "convolution.cu").write_text(PRELUDE + "\n".join(kernels) + "\n")
    (folder / "convolution.job").write_text("\n".join(job) + "\n")


def summary(path):
    time = {}
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split()
        if words[1:2] == ["ns"]:
            time[words[0]] = statistics.median(map(float, words[2:]))
    for label, ns in time.items():
        kind, *rest = label.split(".")
        if kind == "conv":
            print(label, f"{ns / 1000:.1f} us")
        elif kind == "rows":
            print(label, f"{(ns * CLOCK_GHZ - 4000) / (ROUNDS * LOADS * int(rest[1]) / 32):.2f}")
        elif rest[2] == "40":
            twenty = time[f"code.{rest[0]}.{rest[1]}.20"]
            print(f"code.{rest[0]}.{rest[1]}", f"{(ns - twenty) * CLOCK_GHZ / (20 * int(rest[0]) * int(rest[1]) / 128):.2f}")


if __name__ == "__main__":
    summary(sys.argv[2]) if sys.argv[1:2] == ["--summary"] else make(sys.argv[1] if len(sys.argv) > 1 else ".")
