#!/usr/bin/env python3
"""Writes slow_ways.ptx and slow_ways.job: which operands send divisions, reciprocals and roots their slow way, for
tests/nvidia/runner.cpp on a real GPU. Each kernel takes (out, z) and has its own table of operands, every pair of which it
times by one warp: out[i * n + j] is cycles of sixteen operations in a chain on values i and j (unary ones: j = 0 alone).
`slow_ways.py --summary ANSWERS` says from their answers where the slow way begins."""
import pathlib
import struct
import sys

OPERATIONS = {
    "div32": ("div.rn.f32 {d}, {a}, {b};", 32, 2),
    "rcp32": ("rcp.rn.f32 {d}, {a};", 32, 1),
    "sqrt32": ("sqrt.rn.f32 {d}, {a};", 32, 1),
    "div64": ("div.rn.f64 {d}, {a}, {b};", 64, 2),
    "rcp64": ("rcp.rn.f64 {d}, {a};", 64, 1),
    "sqrt64": ("sqrt.rn.f64 {d}, {a};", 64, 1),
}


def values(bits):
    """Bit patterns: specials, then exponents. Their mantissas are 1.5 or, of the negative one, 1."""
    mantissa, most = (23, 255) if bits == 32 else (52, 2047)
    make = lambda exponent, fraction, sign=0: sign << (bits - 1) | exponent << mantissa | fraction
    half = 1 << (mantissa - 1)
    special = [0, make(0, 1), make(0, half), make(most, 0), make(most, half), make(most // 2, 0, 1)]
    if bits == 32:
        exponents = list(range(1, 48)) + list(range(48, 208, 8)) + list(range(208, 255))
    else:
        exponents = (list(range(1, 130, 4)) + list(range(130, 880, 50)) + list(range(880, 920, 2)) + list(range(940, 1140, 20)) +
                     list(range(1140, 1900, 76)) + list(range(1900, 2047, 4)))
    return special + [make(e, half) for e in exponents]


def kernel(name):
    text, bits, inputs = OPERATIONS[name]
    table = values(bits)
    n, size = len(table), bits // 8
    data = ", ".join(f"0x{v:x}" for v in table)
    r = "d" if bits == 64 else "f"
    operation = text.format(d="%r", a="%a", b="%b")
    loop = "".join(f"    {operation}\n    mov.b{bits} %u, %r;\n    and.b{bits} %u, %u, %z;\n    xor.b{bits} %k, %k, %u;\n"
                   f"    mov.b{bits} %a, %k;\n" for _ in range(16))
    # Of no value, but the second clock waits for the chain.
    low = ("mov.b32 %s, %k; and.b32 %s, %s, %z;" if bits == 32 else "and.b64 %u, %k, %z; cvt.u32.u64 %s, %u;") + " add.u32 %e, %e, %s;"
    return f"""
.const .align 8 .b{bits} table_{name}[{n}] = {{{data}}};
.visible .entry {name}(.param .u64 p_out, .param .u64 p_z) {{
  .reg .f{bits} %a, %b, %r; .reg .b{bits} %u, %z, %k; .reg .b64 %o, %t, %c, %zz; .reg .b32 %i, %j, %s, %e; .reg .pred %p;
  ld.param.u64 %o, [p_out]; ld.param.u64 %zz, [p_z]; cvt.u{bits}.u64 %z, %zz;
  mov.u32 %i, 0;
I:
  mov.u32 %j, 0;
J:
    mov.u64 %t, table_{name};
    mad.wide.u32 %c, %i, {size}, %t; ld.const.b{bits} %k, [%c]; mov.b{bits} %a, %k;
    mad.wide.u32 %c, %j, {size}, %t; ld.const.b{bits} %u, [%c]; mov.b{bits} %b, %u;
    xor.b{bits} %k, %k, %z;
    mov.b{bits} %a, %k;
    mov.u32 %s, %clock;
{loop}    mov.u32 %e, %clock;
    sub.u32 %e, %e, %s; {low}
    mov.u32 %s, %tid.x; setp.ne.u32 %p, %s, 0;
    @!%p st.global.u32 [%o], %e;
    add.u64 %o, %o, 4;
    add.u32 %j, %j, 1; setp.lt.u32 %p, %j, {n if inputs == 2 else 1}; @%p bra J;
  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, {n}; @%p bra I;
  ret;
}}
"""


def main():
    if sys.argv[1] == "--summary":
        return summary(pathlib.Path(sys.argv[2]))
    folder = pathlib.Path(sys.argv[1])
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    (folder / "slow_ways.ptx").write_text(head + "".join(kernel(name) for name in OPERATIONS))
    job = ["module slow_ways.ptx slow_ways"]
    for name, (_, bits, inputs) in OPERATIONS.items():
        n = len(values(bits)) ** inputs
        job += [f"buffer out {4 * n} zero", f"launch {name} 1 1 1 32 1 1 @out x:0000000000000000",
                f"launch {name} 1 1 1 32 1 1 @out x:0000000000000000", f"show out {n} {name}", "free out"]
    (folder / "slow_ways.job").write_text("\n".join(job) + "\n")


def summary(answers):
    for line in answers.read_text().splitlines():
        name, *cycles = line.split()
        if name not in OPERATIONS:
            continue
        _, bits, inputs = OPERATIONS[name]
        table = values(bits)
        mantissa = 23 if bits == 32 else 52
        label = lambda v: f"{v >> mantissa & (255 if bits == 32 else 2047)}" if v >> mantissa << mantissa != v else f"0x{v:x}"
        cycles = [int(c, 0) / 16 for c in cycles]
        width = len(table) if inputs == 2 else 1
        least = min(cycles)
        print(f"{name}: fast {least:.0f} cycles")
        for i, v in enumerate(table):
            row = cycles[i * width:(i + 1) * width]
            pieces, begin = [], 0
            for j in range(1, width + 1):
                if j == width or abs(row[j] - row[begin]) > 8:
                    of = "" if inputs == 1 else f"{label(table[begin])}..{label(table[j - 1])} "
                    pieces.append(f"{of}{row[begin]:.0f}")
                    begin = j
            print(f"  {label(v)}: " + ", ".join(pieces))


main()
