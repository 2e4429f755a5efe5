#!/usr/bin/env python3
"""Writes micro.ptx and micro.job: microbenchmarks of one figure each, for tests/nvidia/runner.cpp on a real GPU and for
compare.py on the model. Kernels take (out, buffer, n, a, b); out[0] is cycles of the last of `n` turns, by the first lane."""
import pathlib
import sys

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n\n.const .align 8 .b8 table[16384];\n"


class Kernels:
    def __init__(self):
        self.text = [HEAD]
        self.job = []

    def kernel(self, name, body, shared=0):
        decl = f"  .shared .align 16 .b8 s[{shared}];\n" if shared else ""
        self.text.append(f""".visible .entry {name}(.param .u64 out, .param .u64 buffer, .param .u32 n, .param .u32 a, .param .u32 b)
{{
  .reg .pred %p<9>;
  .reg .b16 %h<99>;
  .reg .b32 %r<99>;
  .reg .f32 %f<99>;
  .reg .b64 %d<99>;
  .reg .f64 %g<99>;
{decl}  ld.param.u64 %d1, [out];
  ld.param.u64 %d2, [buffer];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [a];
  ld.param.u32 %r3, [b];
  cvta.to.global.u64 %d1, %d1;
  cvta.to.global.u64 %d2, %d2;
  mov.u32 %r4, %tid.x;
  mov.u32 %r5, %ctaid.x;
  mov.u32 %r6, %ntid.x;
{body}}}

""")

    def chain(self, name, ops, before="", shared=0, link="add.u32 %r10, %r10, %r20;", test="%r10", together=False):
        """Clock, a chain through %r10 (or what `link` begins), clock; the second clock waits for `test`."""
        body = f"""  mov.u32 %r9, 0;
  mov.u32 %r10, %r2;
{before}TURN:
  mov.u32 %r20, %clock;
  mov.u32 %r21, %r20;
  and.b32 %r20, %r20, %r3;
  {link}
{ops}
  setp.ne.u32 %p1, {test}, 0x7654321;
{"  bar.sync 0;" if together else ""}
  @%p1 mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p2, %r9, %r1;
  @%p2 bra TURN;
  setp.ne.u32 %p3, %r4, 0;
  @%p3 bra DONE;
  st.global.u32 [%d1], %r22;
  st.global.u32 [%d1+4], {test};
DONE:
  ret;
"""
        self.kernel(name, body, shared)

    def run(self, name, label, grid=1, block=32, n=3, a=7, b=0, buffer="io"):
        self.job.append(f"launch {name} {grid} 1 1 {block} 1 1 @out @{buffer} x:{n:08x} x:{a:08x} x:{b:08x}".replace(
            f"x:{n:08x} x:{a:08x} x:{b:08x}", " ".join("x:" + v.to_bytes(4, "little").hex() for v in (n, a, b))))
        self.job.append(f"show out 2 {label}")

    def time(self, name, label, grid, block, n=1, a=7, b=0, buffer="io", queued=10):
        args = " ".join("x:" + v.to_bytes(4, "little").hex() for v in (n, a, b))
        self.job.append(f"time {label} {queued} {name} {grid} 1 1 {block} 1 1 @out @{buffer} {args}")


def repeat(op, count):
    return "\n".join("  " + op for _ in range(count))


def main():
    k = Kernels()
    sms = 132
    k.job += ["module micro.ptx micro", "buffer out 67108864 zero", "buffer io 67108864 zero"]
    # 1. Latencies of dependent chains.
    L = 128
    chains = {
        "iadd_lop": ("add.u32 %r10, %r10, %r2;\n  xor.b32 %r10, %r10, %r2;", ""),
        "shift_lop": ("shf.l.wrap.b32 %r10, %r10, %r10, 3;\n  xor.b32 %r10, %r10, %r2;", ""),
        "imad": ("mad.lo.u32 %r10, %r10, %r10, %r2;\n  mad.lo.u32 %r10, %r10, %r10, %r4;", ""),
        "imad_hi": ("mul.hi.u32 %r10, %r10, %r2;\n  mul.hi.u32 %r10, %r10, %r2;", ""),
        "iadd_imad": ("mad.lo.u32 %r10, %r10, %r10, %r2;\n  xor.b32 %r10, %r10, %r2;", ""),
        "popc": ("popc.b32 %r10, %r10;\n  popc.b32 %r10, %r10;", ""),
        "brev": ("brev.b32 %r10, %r10;\n  popc.b32 %r10, %r10;", ""),
        "imnmx": ("min.u32 %r10, %r10, %r4;\n  xor.b32 %r10, %r10, %r2;", ""),
        "sel": ("setp.lt.u32 %p4, %r10, %r4;\n  selp.b32 %r10, %r2, %r10, %p4;", ""),
        "shfl": ("shfl.sync.bfly.b32 %r10, %r10, 1, 31, -1;\n  shfl.sync.bfly.b32 %r10, %r10, 2, 31, -1;", ""),
        "vote": ("setp.ne.u32 %p4, %r10, %r4;\n  vote.sync.ballot.b32 %r10, %p4, -1;", ""),
        "i2f_f2i": ("cvt.rn.f32.u32 %f1, %r10;\n  cvt.rzi.u32.f32 %r10, %f1;", ""),
        "prmt": ("prmt.b32 %r10, %r10, %r2, 0x2103;\n  xor.b32 %r10, %r10, %r2;", ""),
    }
    for name, (op, before) in chains.items():
        k.chain("lat_" + name, repeat(op, L), before)
        k.run("lat_" + name, f"lat.{name}/{2 * L}")
    floats = {
        "ffma": "fma.rn.f32 %f10, %f10, %f11, %f12;",
        "fadd": "add.rn.f32 %f10, %f10, %f11;",
        "ex2": "ex2.approx.ftz.f32 %f10, %f10;",
        "rcp": "rcp.approx.ftz.f32 %f10, %f10;",
        "rsqrt": "rsqrt.approx.ftz.f32 %f10, %f10;",
        "sin": "sin.approx.ftz.f32 %f10, %f10;",
        "div": "div.rn.f32 %f10, %f11, %f10;",
        "sqrt": "sqrt.rn.f32 %f10, %f10;",
        "fmnmx_fadd": "min.f32 %f10, %f10, %f11;\n  add.rn.f32 %f10, %f10, %f12;",
    }
    fb = "  cvt.rn.f32.u32 %f11, %r2;\n  cvt.rn.f32.u32 %f12, %r4;\n  cvt.rn.f32.u32 %f10, %r1;\n"
    fl = "cvt.rn.f32.u32 %f13, %r20;\n  add.rn.f32 %f10, %f10, %f13;"
    ft = "%r23"
    for name, op in floats.items():
        k.chain("lat_" + name, repeat(op, L) + "\n  mov.b32 %r23, %f10;", fb, link=fl, test=ft)
        k.run("lat_" + name, f"lat.{name}/{L}")
    doubles = {"dfma": "fma.rn.f64 %g10, %g10, %g11, %g12;", "dadd": "add.rn.f64 %g10, %g10, %g11;", "dmul": "mul.rn.f64 %g10, %g10, %g11;"}
    db = "  cvt.rn.f64.u32 %g11, %r2;\n  cvt.rn.f64.u32 %g12, %r4;\n  cvt.rn.f64.u32 %g10, %r1;\n"
    dl = "cvt.rn.f64.u32 %g13, %r20;\n  add.rn.f64 %g10, %g10, %g13;"
    for name, op in doubles.items():
        k.chain("lat_" + name, repeat(op, L) + "\n  mov.b64 {%r23, %r24}, %g10;", db, link=dl, test=ft)
        k.run("lat_" + name, f"lat.{name}/{L}")
    hb = "  mov.u32 %r11, 0x3c003c00;\n  mov.u32 %r12, %r2;\n"
    k.chain("lat_hfma2", repeat("fma.rn.f16x2 %r10, %r10, %r11, %r12;", L), hb)
    k.run("lat_hfma2", f"lat.hfma2/{L}")
    # 2. Memory latencies: chases.
    sl = """  mul.lo.u32 %r30, %r4, 4;
  mov.u32 %r31, s;
  add.u32 %r30, %r30, %r31;
  st.shared.u32 [%r30], %r31;
  bar.sync 0;
  mov.u32 %r10, %r31;
"""
    k.chain("lat_lds", repeat("ld.shared.u32 %r10, [%r10];", L), sl, 4096)
    k.run("lat_lds", f"lat.lds/{L}")
    cl = """  mul.lo.u32 %r30, %r4, %r2;
  mov.u32 %r31, s;
  add.u32 %r10, %r30, %r31;
  st.shared.u32 [%r10], %r10;
  bar.sync 0;
"""
    k.chain("lat_lds_ways", repeat("ld.shared.u32 %r10, [%r10];", L), cl, 4224)
    for ways in (1, 2, 4, 8, 16, 32):
        k.run("lat_lds_ways", f"lat.lds_ways{ways}/{L}", a=4 * ways)
    for width in (8, 16):
        suffix, regs = (("v2.u32", "{%r10, %r11}"), ("v4.u32", "{%r10, %r11, %r12, %r13}"))[width == 16]
        k.chain(f"lat_lds_{width}", repeat(f"ld.shared.{suffix} {regs}, [%r10];", L), cl, 4224)
        k.run(f"lat_lds_{width}", f"lat.lds_{width}/{L}", a=width)
    k.chain("lat_shfl2", repeat("shfl.sync.idx.b32 %r10, %r10, %r10, 31, -1;", L), "")
    k.run("lat_shfl2", f"lat.shfl_idx/{L}")
    k.chain("lat_cvt", repeat("cvt.rn.f32.u32 %f1, %r10;\n  mov.b32 %r10, %f1;\n  and.b32 %r10, %r10, %r2;", L), "")
    k.run("lat_cvt", f"lat.i2f_lop/{L}")
    k.chain("lat_f2i", repeat("mov.b32 %f1, %r10;\n  cvt.rzi.u32.f32 %r10, %f1;\n  and.b32 %r10, %r10, %r2;", L), "")
    k.run("lat_f2i", f"lat.f2i_lop/{L}")
    k.chain("lat_match", repeat("match.any.sync.b32 %r10, %r10, -1;", L), "")
    k.run("lat_match", f"lat.match/{L}")
    k.chain("lat_redux", repeat("redux.sync.add.u32 %r10, %r10, -1;", L), "")
    k.run("lat_redux", f"lat.redux/{L}")
    k.chain("lat_atoms", repeat("atom.shared.add.u32 %r11, [%r31], %r10;\n  add.u32 %r10, %r11, %r2;", L), sl, 4096)
    k.run("lat_atoms", f"lat.atoms_all_lanes_one/{L}")
    k.run("lat_atoms", f"lat.atoms_one_lane/{L}", block=1)
    cb = "  mov.u64 %d20, table;\n  cvta.const.u64 %d21, %d20;\n  and.b32 %r10, %r2, 0;\n  mov.u64 %d12, %d20;\n"
    k.chain("lat_ldc", repeat("ld.const.u64 %d13, [%d12];\n  add.s64 %d12, %d20, %d13;", L) + "\n  cvt.u32.u64 %r10, %d12;", cb,
            link="cvt.u64.u32 %d14, %r20;\n  add.s64 %d12, %d12, %d14;")
    k.run("lat_ldc", f"lat.ldc/{L}")
    # Global chase: out[0] cycles of 512 steps after a turn of warming over `a` steps.
    for kind, ld in (("ca", "ld.global.ca.u64"), ("cg", "ld.global.cg.u64")):
        k.kernel(f"chase_{kind}", f"""  mov.u32 %r9, 0;
  mov.u64 %d10, %d2;
WARM:
  {ld} %d11, [%d10];
  add.s64 %d10, %d2, %d11;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra WARM;
  mov.u32 %r9, 0;
  mov.u32 %r21, %clock;
  cvt.u64.u32 %d12, %r21;
  and.b64 %d12, %d12, 0x100000000;
  add.s64 %d10, %d10, %d12;
CHASE:
""" + repeat(f"{ld} %d11, [%d10];\n  add.s64 %d10, %d2, %d11;", 32) + """
  add.u32 %r9, %r9, 32;
  setp.lt.u32 %p1, %r9, %r1;
  @%p1 bra CHASE;
  cvt.u32.u64 %r10, %d10;
  setp.ne.u32 %p1, %r10, 0x7654321;
  @%p1 mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  st.global.u32 [%d1], %r22;
  st.global.u32 [%d1+4], %r10;
  ret;
""")
        # The same, each step's cycles in out[i].
        k.kernel(f"steps_{kind}", f"""  mov.u32 %r9, 0;
  mov.u64 %d10, %d2;
WARM:
  {ld} %d11, [%d10];
  add.s64 %d10, %d2, %d11;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra WARM;
  mov.u32 %r9, 0;
  mov.u64 %d15, %d1;
CHASE:
  mov.u32 %r21, %clock;
  cvt.u64.u32 %d12, %r21;
  and.b64 %d12, %d12, 0x100000000;
  add.s64 %d10, %d10, %d12;
  {ld} %d11, [%d10];
  add.s64 %d10, %d2, %d11;
  cvt.u32.u64 %r10, %d10;
  setp.ne.u32 %p1, %r10, 0x7654321;
  @%p1 mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  st.global.u32 [%d15], %r22;
  add.s64 %d15, %d15, 4;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r1;
  @%p1 bra CHASE;
  ret;
""")
    # 3. Barriers, fences, loops, atomics.
    k.chain("bar", repeat("bar.sync 0;", 64))
    for warps in (1, 2, 4, 8, 16, 32):
        k.run("bar", f"bar.{warps}/64", block=32 * warps)
    for name, op in (("cta", "membar.cta;"), ("gl", "membar.gl;"), ("sys", "membar.sys;")):
        k.chain("fence_" + name, repeat(op, 16))
        k.run("fence_" + name, f"fence.{name}/16")
    k.kernel("loop", """  mov.u32 %r9, 0;
  mov.u32 %r21, %clock;
LOOP:
  xor.b32 %r10, %r10, %r9;
  add.u32 %r9, %r9, %r2;
  setp.lt.u32 %p1, %r9, %r1;
  @%p1 bra LOOP;
  mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  st.global.u32 [%d1], %r22;
  st.global.u32 [%d1+4], %r10;
  ret;
""")
    k.run("loop", "loop/1024", n=7168, a=7)
    k.kernel("long_loop", """  mov.u32 %r9, 0;
  mov.u32 %r21, %clock;
LOOP:
""" + repeat("xor.b32 %r10, %r10, %r9;\n  shf.l.wrap.b32 %r10, %r10, %r10, 3;", 1000) + """
  add.u32 %r9, %r9, %r2;
  setp.lt.u32 %p1, %r9, %r1;
  @%p1 bra LOOP;
  mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  st.global.u32 [%d1], %r22;
  st.global.u32 [%d1+4], %r10;
  ret;
""")
    k.run("long_loop", "code.32KB/2000", n=7, a=7)
    k.run("long_loop", "code.32KB/20000", n=70, a=7)
    ab = "  mul.lo.u32 %r30, %r4, %r2;\n  cvt.u64.u32 %d20, %r30;\n  add.s64 %d20, %d20, %d2;\n  mov.u32 %r10, 1;\n"
    k.chain("lat_atom", repeat("atom.global.add.u32 %r11, [%d20], %r10;\n  and.b32 %r10, %r11, 1;", 32), ab)
    k.run("lat_atom", "lat.atom_one_address/32", a=0)
    k.run("lat_atom", "lat.atom_one_lane/32", a=0, block=1)
    k.run("lat_atom", "lat.atom_neighbours/32", a=4)
    k.run("lat_atom", "lat.atom_lines/32", a=128)
    # 4. Rates: independent instructions, many warps. Cycles of 256 instructions of a warp.
    rates = {
        "ffma": ["fma.rn.f32 %f{i}, %f{i}, %f31, %f32;"], "iadd": ["add.u32 %r{i}, %r{i}, %r31;", "xor.b32 %r{i}, %r{i}, %r32;"],
        "imad": ["mad.lo.u32 %r{i}, %r{i}, %r31, %r32;"], "ex2": ["ex2.approx.ftz.f32 %f{i}, %f{i};"],
        "dfma": ["fma.rn.f64 %g{i}, %g{i}, %g31, %g32;"], "hfma2": ["fma.rn.f16x2 %r{i}, %r{i}, %r31, %r32;"],
        "popc": ["popc.b32 %r{i}, %r{i};"], "i2f": ["cvt.rn.f32.u32 %f{i}, %r{i};", "cvt.rzi.u32.f32 %r{i}, %f{i};"],
        "shfl": ["shfl.sync.bfly.b32 %r{i}, %r{i}, 1, 31, -1;"],
        "ffma_iadd": ["fma.rn.f32 %f{i}, %f{i}, %f31, %f32;", "xor.b32 %r{i}, %r{i}, %r31;"],
        "imad_iadd": ["mad.lo.u32 %r{i}, %r{i}, %r31, %r32;", "xor.b32 %r{j}, %r{j}, %r31;"],
    }
    for name, ops in rates.items():
        setup = "".join(f"  add.u32 %r{i}, %r4, {i};\n  cvt.rn.f32.u32 %f{i}, %r{i};\n  cvt.rn.f64.u32 %g{i}, %r{i};\n"
                        for i in list(range(10, 18)) + [31, 32])
        setup += "".join(f"  add.u32 %r{i}, %r4, {i};\n" for i in range(40, 48))
        setup += "  bar.sync 0;\n"
        body = []
        per = 256 // len(ops)
        for at in range(per):
            for op in ops:
                body.append("  " + op.format(i=10 + at % 8, j=40 + at % 8))
        join = "".join(f"  xor.b32 %r23, %r23, %r{i};\n  mov.b32 %r24, %f{i};\n  xor.b32 %r23, %r23, %r24;\n"
                       f"  mov.b64 {{%r25, %r26}}, %g{i};\n  xor.b32 %r23, %r23, %r25;\n" for i in range(10, 18))
        join += "".join(f"  xor.b32 %r23, %r23, %r{i};\n" for i in range(40, 48))
        k.chain("rate_" + name, "\n".join(body) + "\n" + "  mov.u32 %r23, 0;\n" + join, setup,
                link="xor.b32 %r10, %r10, %r20;", test="%r23", together=True)
        for warps in (1, 4, 8, 16):
            k.run("rate_" + name, f"rate.{name}.{warps}/256", block=32 * warps)
    # 5. Local memory: rate by width and by conflict; address = lane * a within 16 KB.
    for width, suffix, regs in ((4, "u32", "%r{0}"), (8, "v2.u32", "{{%r{0}, %r{1}}}"), (16, "v4.u32", "{{%r{0}, %r{1}, %r{2}, %r{3}}}")):
        setup = """  and.b32 %r30, %r4, 31;
  mul.lo.u32 %r30, %r30, %r2;
  mov.u32 %r31, s;
  add.u32 %r30, %r30, %r31;
  bar.sync 0;
"""
        ops = []
        for at in range(64):
            base = 40 + at % 8 * 4
            ops.append(f"  ld.shared.{suffix} {regs.format(base, base + 1, base + 2, base + 3)}, [%r30+{at * 512}];")
            ops += [f"  xor.b32 %r23, %r23, %r{base + i};" for i in range(width // 4)]
        join = ""
        setup += "  mov.u32 %r23, %r2;\n"
        k.chain(f"lds_{width}", "\n".join(ops) + join, setup, 36864, link="add.u32 %r30, %r30, %r20;", test="%r23", together=True)
        for warps in (1, 2, 4, 8, 16):
            k.run(f"lds_{width}", f"lds.{width}.{warps}/64", block=32 * warps, a=width)
    for ways in (2, 4, 8, 16, 32):
        for warps in (1, 4, 16):
            k.run("lds_4", f"lds.conflict{ways}.{warps}/64", block=32 * warps, a=4 * ways)
    # 6. First level: rate by width and stride.
    for width, suffix, regs in ((4, "u32", "%r{0}"), (8, "v2.u32", "{{%r{0}, %r{1}}}"), (16, "v4.u32", "{{%r{0}, %r{1}, %r{2}, %r{3}}}")):
        setup = """  and.b32 %r30, %r4, 31;
  mul.lo.u32 %r30, %r30, %r2;
  cvt.u64.u32 %d20, %r30;
  add.s64 %d20, %d20, %d2;
  bar.sync 0;
"""
        ops = []
        for at in range(64):
            base = 40 + at % 8 * 4
            ops.append(f"  ld.global.ca.{suffix} {regs.format(base, base + 1, base + 2, base + 3)}, [%d20+{at % 64 * 16}];")
            if width == 16:
                ops.append(f"  xor.b32 %r23, %r23, %r{base + 3};\n  xor.b32 %r23, %r23, %r{base + 2};")
            if width >= 8:
                ops.append(f"  xor.b32 %r23, %r23, %r{base + 1};")
            ops.append(f"  xor.b32 %r23, %r23, %r{base};")
        k.chain(f"ldg_{width}", "  mov.u32 %r23, %r2;\n" + "\n".join(ops), setup,
                link="cvt.u64.u32 %d21, %r20;\n  add.s64 %d20, %d20, %d21;", test="%r23", together=True)
        for warps in (1, 4, 16, 32):
            k.run(f"ldg_{width}", f"ldg.{width}.{warps}/64", block=32 * warps, a=width)
    for stride in (8, 16, 32, 64, 128):
        k.run("ldg_4", f"ldg.stride{stride}.16/64", block=512, a=stride)
    # 7. Bandwidth: each work-item reads 16 bytes `a` times, the grid's items apart, within a window of `b` bytes (a power of two).
    k.kernel("read", """  mad.lo.u32 %r10, %r5, %r6, %r4;
  mul.wide.u32 %d10, %r10, 16;
  mov.u32 %r11, %nctaid.x;
  mul.lo.u32 %r11, %r11, %r6;
  mul.wide.u32 %d11, %r11, 16;
  cvt.u64.u32 %d12, %r3;
  shl.b64 %d12, %d12, 10;
  sub.s64 %d12, %d12, 1;
  mov.u32 %r9, 0;
  mov.u32 %r23, 0;
LOOP:
""" + "".join(f"""  and.b64 %d13, %d10, %d12;
  add.s64 %d13, %d13, %d2;
  ld.global.cg.v4.u32 {{%r{40 + 4 * i}, %r{41 + 4 * i}, %r{42 + 4 * i}, %r{43 + 4 * i}}}, [%d13];
  add.s64 %d10, %d10, %d11;
""" for i in range(4)) + "".join(f"  xor.b32 %r23, %r23, %r{i};\n" for i in range(40, 56)) + """  add.u32 %r9, %r9, 4;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra LOOP;
  setp.ne.u32 %p1, %r23, 0x7654321;
  @%p1 bra DONE;
  st.global.u32 [%d1], %r23;
DONE:
  ret;
""")
    k.kernel("write", """  mad.lo.u32 %r10, %r5, %r6, %r4;
  mul.wide.u32 %d10, %r10, 16;
  mov.u32 %r11, %nctaid.x;
  mul.lo.u32 %r11, %r11, %r6;
  mul.wide.u32 %d11, %r11, 16;
  cvt.u64.u32 %d12, %r3;
  shl.b64 %d12, %d12, 10;
  sub.s64 %d12, %d12, 1;
  mov.u32 %r9, 0;
LOOP:
  and.b64 %d13, %d10, %d12;
  add.s64 %d13, %d13, %d2;
  st.global.v4.u32 [%d13], {%r9, %r9, %r10, %r10};
  add.s64 %d10, %d10, %d11;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra LOOP;
  ret;
""")
    k.kernel("empty", "  ret;\n")
    # Atomics of one warp for each group, `a` times: address = lane / b * 4.
    k.kernel("reds", """  and.b32 %r30, %r4, 31;
  div.u32 %r30, %r30, %r3;
  mul.wide.u32 %d10, %r30, 4;
  add.s64 %d10, %d10, %d2;
  mul.wide.u32 %d11, %r5, 128;
  add.s64 %d10, %d10, %d11;
  mov.u32 %r9, 0;
LOOP:
  red.global.add.u32 [%d10], %r9;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra LOOP;
  ret;
""")
    k.kernel("reds_one", """  and.b32 %r30, %r4, 31;
  div.u32 %r30, %r30, %r3;
  mul.wide.u32 %d10, %r30, 4;
  add.s64 %d10, %d10, %d2;
  mov.u32 %r9, 0;
LOOP:
  red.global.add.u32 [%d10], %r9;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p1, %r9, %r2;
  @%p1 bra LOOP;
  ret;
""")
    j = k.job
    k.time("empty", "launch.empty1", 1, 32, queued=200)
    k.time("empty", "launch.empty132", sms, 32, queued=200)
    for groups, items in ((sms * 32, 32), (sms * 320, 32), (sms * 8, 256), (sms * 80, 256), (sms * 20, 1024), (sms * 200, 1024)):
        k.time("empty", f"launch.empty{groups}x{items}", groups, items, queued=20)
    for groups_per_sm, items in ((1, 32), (1, 1024), (2, 1024)):
        for lanes in (1, 2, 4, 8, 16, 32):
            k.time("reds", f"reds.own.{groups_per_sm}x{items}.same{lanes}", sms * groups_per_sm, items, a=256, b=lanes, queued=3)
    for lanes in (1, 32):
        k.time("reds_one", f"reds.one.{sms}x32.same{lanes}", sms, 32, a=256, b=lanes, queued=3)
        k.time("reds_one", f"reds.one.{sms}x1024.same{lanes}", sms, 1024, a=64, b=lanes, queued=3)
    # Second level and memory.
    j += ["buffer big 4294967296 zero"]
    for kb, label in ((8192, "8M"), (16384, "16M"), (32768, "32M"), (65536, "64M"), (131072, "128M"), (1048576, "1G")):
        for groups_per_sm, items in ((8, 256),):
            trips = max(8, 64 * 1024 * 1024 // 16 // (sms * groups_per_sm * items) * 4 // 4 * (16 if kb >= 1048576 else 4))
            k.time("read", f"read.{label}.{groups_per_sm}x{items}", sms * groups_per_sm, items, a=trips, b=kb, buffer="big", queued=1)
            j.append(f"# trips {trips}")
    for groups_per_sm, items in ((1, 32), (1, 64), (1, 128), (1, 256), (2, 256), (4, 256), (8, 256)):
        trips = 64 * 1024 * 1024 // (sms * groups_per_sm * items) // 4 * 4
        k.time("read", f"readocc.1G.{groups_per_sm}x{items}", sms * groups_per_sm, items, a=trips, b=1048576, buffer="big", queued=1)
        j.append(f"# trips {trips}")
    for kb, label in ((16384, "16M"), (1048576, "1G")):
        trips = 64 * 1024 * 1024 // (sms * 8 * 256) // 4 * 4
        k.time("write", f"write.{label}.8x256", sms * 8, 256, a=trips, b=kb, buffer="big", queued=1)
        j.append(f"# trips {trips}")
    # Chases: warm over the whole ring up to 256K places, then 4096 steps.
    M = 1 << 20
    for size, stride in ((16384, 128), (65536, 128), (131072, 128), (M, 128), (4 * M, 128), (16 * M, 128), (24 * M, 128), (32 * M, 128), (48 * M, 128),
                         (64 * M, 128), (128 * M, 256), (256 * M, 512), (1024 * M, 2048)):
        j.append(f"ring big {size} {stride}")
        places = size // stride
        for kind in (("ca", "cg") if size <= M else ("cg",)):
            k.run(f"chase_{kind}", f"chase.{kind}.{size}.{stride}/4096", block=1, n=4096, a=min(2 * places, 1100000), buffer="big")
    # TLB: one place for each 2 MB page, and neighbouring lines to avoid one set.
    for pages in (8, 16, 32, 64, 128, 256, 512, 1024, 2040):
        stride = 2 * M + 4096 + 128
        if pages * stride > 4 * 1024 * M:
            continue
        j.append(f"ring big {pages * stride // stride * stride} {stride}")
        k.run("chase_cg", f"tlb.{pages}/4096", block=1, n=4096, a=3 * pages, buffer="big")
    # Near and far: each step's cycles over 1 MB of second-level hits.
    j.append(f"ring big {M} 128")
    j.append(f"launch steps_cg 1 1 1 1 1 1 @out @big " + " ".join("x:" + v.to_bytes(4, "little").hex() for v in (2048, 16384, 0)))
    j.append("show out 2048 steps.1M")
    j.append(f"ring big {40 * M} 128")
    j.append(f"launch steps_cg 1 1 1 1 1 1 @out @big " + " ".join("x:" + v.to_bytes(4, "little").hex() for v in (2048, 655360, 0)))
    j.append("show out 2048 steps.40M")
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    (where / "micro.ptx").write_text("".join(k.text))
    (where / "micro.job").write_text("\n".join(k.job) + "\n")


main()
