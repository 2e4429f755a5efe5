#!/usr/bin/env python3
"""Writes barriers.cu and barriers.job for tests/nvidia/runner.cpp and model_runner.cpp: loops of a barrier and a chain of
multiply-adds (bar), the same without the barrier (none), with a store and a load of local memory around it (barlds), and of eight
barriers with multiply-adds behind each (bars8f). Answers: cycles of 512 turns, as each warp sees them. barriers.ptx is made as
workloads.ptx is.

    python3 barriers.py FOLDER"""
import pathlib
import sys

FMA = "FMA(f) "
LOCAL = ("__attribute__((shared)) static float w[1024]; w[TID] = f; "
         "u32 at = (u32)(unsigned long long)(__attribute__((address_space(3))) float*)&w[TID];")
STORE, LOAD = ('asm volatile("st.shared.f32 [%0], %1;" :: "r"(at), "f"(f) : "memory"); ',
               'asm volatile("ld.shared.f32 %0, [%1];" : "=f"(f) : "r"(at) : "memory"); ')


def kernel(name, body, before=""):
    return f"""KERNEL {name}(u32* R out, const u32* R in, u32 n) {{
  float f = TID; {before}
  SYNC;
  u32 b = clk();
  _Pragma("unroll 1") for (u32 i = 0; i < n; ++i) {{ {body} }}
  u32 e = clk();
  if (TID % 32 == 0) out[TID / 32] = e - b;
  if (f == 1.5f) out[0] = 1;
}}
"""


def main():
    where = pathlib.Path(sys.argv[1])
    kernels = {}
    for k in (0, 1, 2, 4, 8, 12, 16):
        kernels[f"none{k}"] = (FMA * k, "")
        kernels[f"bar{k}"] = (FMA * k + "BAR", "")
        kernels[f"barlds{k}"] = (FMA * k + STORE + "BAR " + LOAD, LOCAL)
    for k in (0, 1, 4, 8):
        kernels[f"bars8f{k}"] = (("BAR " + FMA * k) * 8, "")
    source = ['#include "applications.h"',
              'INLINE u32 clk() { u32 c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }',
              '#define FMA(x) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x) :: "memory");',
              '#define BAR asm volatile("bar.sync 0;" ::: "memory");', ""]
    (where / "barriers.cu").write_text("\n".join(source) + "".join(kernel(n, *body) for n, body in kernels.items()))
    job = ["module barriers.ptx barriers", "buffer out 4096 zero", "buffer in 4096 zero"]
    for name in kernels:
        for items in (32, 128, 256, 1024):
            launch = f"launch {name} 1 1 1 {items} 1 1 @out @in x:00020000"
            job += [launch, launch, f"show out {items // 32} {name}.{items}"]
    (where / "barriers.job").write_text("\n".join(job) + "\n")


if __name__ == "__main__":
    main()
