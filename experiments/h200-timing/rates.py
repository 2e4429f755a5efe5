#!/usr/bin/env python3
"""Writes rates.ptx and rates.job: how often each unit takes an instruction, for tests/nvidia/runner.cpp on a real GPU and for
model_runner. One group; every chain begins with the clock and ends in the value that the second clock waits for, so that the
assembler can move nothing out of the window and fold nothing: out[0] is cycles of 512 instructions (256 pairs) of a warp.

    python3 rates.py /tmp/jobs && ./runner /tmp/jobs/rates.job > rates.txt      on the machine with the GPU; some seconds
    build/tests/nvidia/model_runner --gpu h200 /tmp/jobs/rates.job              the model's answers"""
import pathlib
import sys

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
CHAINS, COUNT = 8, 512

# {i} is a chain, {j} the next one, {k} and {l} two of eight registers that no chain writes: no two instructions fold into one.
INTEGER = {
    "iadd": "add.u32 %r{i}, %r{i}, %r{j};",
    "lop3": "lop3.b32 %r{i}, %r{i}, %r{j}, %r31, 0xE8;",
    "shf": "shf.l.wrap.b32 %r{i}, %r{i}, %r{j}, 7;",
    "prmt": "prmt.b32 %r{i}, %r{i}, %r{j}, 0x2143;",
    "imad": "mad.lo.u32 %r{i}, %r{i}, %r{j}, %r31;",
    "imad_hi": "mul.hi.u32 %r{i}, %r{i}, %r{j};",
    "imad_hi_add": "mad.hi.u32 %r{i}, %r{i}, %r{j}, %r31;",
    "imad_wide": "mul.wide.u32 %d{i}, %r{i}, %r{j};\n  mov.b64 {{%r{i}, %r30}}, %d{i};\n  xor.b32 %r{i}, %r{i}, %r30;",
    "imnmx": "min.s32 %r{i}, %r{i}, %r{j};",
    "lea": "shl.b32 %r30, %r{i}, 3;\n  add.u32 %r{i}, %r30, %r{j};",
    "popc": "popc.b32 %r{i}, %r{i};",
    "flo": "bfind.u32 %r{i}, %r{i};",
    "vote": "setp.gt.u32 %p4, %r{i}, %r{j};\n  vote.sync.ballot.b32 %r{i}, %p4, -1;",
    "redux": "redux.sync.add.u32 %r{i}, %r{i}, -1;",
    "shfl": "shfl.sync.idx.b32 %r{i}, %r{i}, %r{j}, 31, -1;",
    "match": "match.any.sync.b32 %r{i}, %r{i}, -1;",
    "hfma2": "fma.rn.f16x2 %r{i}, %r{i}, %r{j}, %r31;",
    "hadd2": "add.rn.f16x2 %r{i}, %r{i}, %r{j};",
    "sel": "setp.lt.u32 %p4, %r{i}, %r{j};\n  selp.b32 %r{i}, %r31, %r{j}, %p4;",
    "dp4a": "dp4a.u32.u32 %r{i}, %r{i}, %r{j}, %r31;",
    "i2f": "cvt.rn.f32.u32 %f{i}, %r{i};\n  mov.b32 %r{i}, %f{i};",
    "f2i": "mov.b32 %f{i}, %r{i};\n  cvt.rzi.u32.f32 %r{i}, %f{i};",
    "iadd3": "add.u32 %r30, %r{i}, %r{k};\n  add.u32 %r{i}, %r30, %r{l};",
    "imad_two": "mad.lo.u32 %r{i}, %r{i}, %r31, %r{i};",
    "imad_other": "mad.lo.u32 %r{i}, %r{k}, %r{l}, %r{i};",
    "lop3_other": "lop3.b32 %r{i}, %r{i}, %r{k}, %r{l}, 0xE8;",
    "shf_other": "shf.l.wrap.b32 %r{i}, %r{i}, %r{k}, %r{l};",
    "hfma2_two": "fma.rn.f16x2 %r{i}, %r{i}, %r31, %r{i};",
    "hfma2_other": "fma.rn.f16x2 %r{i}, %r{k}, %r{l}, %r{i};",
    "lop_iadd": "lop3.b32 %r{i}, %r{i}, %r{j}, %r31, 0xE8;\n  add.u32 %r{i}, %r{i}, %r{j};",
    "lop_imad": "lop3.b32 %r{i}, %r{i}, %r{j}, %r31, 0xE8;\n  mad.lo.u32 %r{i}, %r{i}, %r{j}, %r31;",
}
FLOAT = {
    "ffma": "fma.rn.f32 %f{i}, %f{i}, %f{j}, %f31;",
    "ffma_one": "fma.rn.f32 %f{i}, %f{i}, %f{i}, %f{i};",
    "ffma_two": "fma.rn.f32 %f{i}, %f{i}, %f31, %f{i};",
    "ffma_square": "fma.rn.f32 %f{i}, %f{j}, %f{j}, %f{i};",
    "ffma_common": "fma.rn.f32 %f{i}, %f31, %f30, %f{i};",
    "ffma_half": "fma.rn.f32 %f{i}, %f{k}, %f31, %f{i};",
    "ffma_other": "fma.rn.f32 %f{i}, %f{k}, %f{l}, %f{i};",
    "ffma_constant": "fma.rn.f32 %f{i}, %f{i}, 0f3FA00000, %f{k};",
    "fmul_ffma": "mul.rn.f32 %f{i}, %f{i}, %f{k};\n  fma.rn.f32 %f{i}, %f{i}, %f{l}, %f{j};",
    "ffma_iadd": "fma.rn.f32 %f{i}, %f{i}, %f{j}, %f31;\n  add.u32 %r30, %r30, %r{k};",
    "fadd": "add.rn.f32 %f{i}, %f{i}, %f{j};",
    "fmnmx": "min.f32 %f{i}, %f{i}, %f{j};",
    "ex2": "ex2.approx.ftz.f32 %f{i}, %f{i};",
    "div": "div.rn.f32 %f{i}, %f{i}, %f{j};",
    "sqrt": "sqrt.rn.f32 %f{i}, %f{i};",
}
DOUBLE = {"dfma": "fma.rn.f64 %g{i}, %g{i}, %g{j}, %g31;", "dfma_two": "fma.rn.f64 %g{i}, %g{i}, %g31, %g{i};", "dadd": "add.rn.f64 %g{i}, %g{i}, %g{j};"}
STEPS = {"imad_wide", "lea", "vote", "sel", "i2f", "f2i", "lop_iadd", "lop_imad", "iadd3", "fmul_ffma", "ffma_iadd"}  # of two instructions


def kernel(name, op, kind):
    count = COUNT // 2 if name in STEPS else COUNT
    if kind == "d":
        count //= 2
    setup, link, join = "", "", "  mov.u32 %r23, 0;\n"
    for i in range(10, 10 + CHAINS):
        setup += f"  mad.lo.u32 %r{i}, %r4, {i}, %r2;\n"
        link += f"  add.u32 %r{i}, %r{i}, %r20;\n"
        if kind == "f":
            link += f"  cvt.rn.f32.u32 %f{i}, %r{i};\n"
            join += f"  mov.b32 %r24, %f{i};\n  xor.b32 %r23, %r23, %r24;\n"
        elif kind == "d":
            link += f"  cvt.rn.f64.u32 %g{i}, %r{i};\n"
            join += f"  mov.b64 {{%r24, %r25}}, %g{i};\n  xor.b32 %r23, %r23, %r24;\n"
        else:
            join += f"  xor.b32 %r23, %r23, %r{i};\n"
    for k in range(30, 40):  # beside 31
        if k != 31:
            setup += f"  mad.lo.u32 %r{k}, %r4, {k}, %r31;\n  cvt.rn.f32.u32 %f{k}, %r{k};\n"
    if name == "ffma_iadd":
        join += "  xor.b32 %r23, %r23, %r30;\n"
    body = "\n".join("  " + op.format(i=10 + at % CHAINS, j=10 + (at + 1) % CHAINS, k=32 + at % 8, l=32 + (3 * at + 1) % 8) for at in range(count))
    return f""".visible .entry rate_{name}(.param .u64 out, .param .u64 buffer, .param .u32 n, .param .u32 a, .param .u32 b)
{{
  .reg .pred %p<9>;
  .reg .b32 %r<40>;
  .reg .f32 %f<40>;
  .reg .b64 %d<40>;
  .reg .f64 %g<40>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [a];
  ld.param.u32 %r3, [b];
  cvta.to.global.u64 %d1, %d1;
  mov.u32 %r4, %tid.x;
  mov.u32 %r9, 0;
  add.u32 %r31, %r2, %r4;
  cvt.rn.f32.u32 %f31, %r31;
  cvt.rn.f64.u32 %g31, %r31;
{setup}TURN:
  bar.sync 0;
  mov.u32 %r21, %clock;
  and.b32 %r20, %r21, %r3;
{link}{body}
{join}  setp.ne.u32 %p1, %r23, 0x7654321;
  bar.sync 0;
  @%p1 mov.u32 %r22, %clock;
  sub.u32 %r22, %r22, %r21;
  add.u32 %r9, %r9, 1;
  setp.lt.u32 %p2, %r9, %r1;
  @%p2 bra TURN;
  setp.ne.u32 %p3, %r4, 0;
  @%p3 bra DONE;
  st.global.u32 [%d1], %r22;
  st.global.u32 [%d1+4], %r23;
DONE:
  ret;
}}

"""


def main():
    text, job = [HEAD], ["module rates.ptx rates", "buffer out 4096 zero", "buffer io 4096 zero"]
    words = lambda *values: " ".join("x:" + v.to_bytes(4, "little").hex() for v in values)
    for kind, table in (("i", INTEGER), ("f", FLOAT), ("d", DOUBLE)):
        for name, op in table.items():
            text.append(kernel(name, op, kind))
            for warps in (1, 4, 8, 16, 32):
                job.append(f"launch rate_{name} 1 1 1 {32 * warps} 1 1 @out @io {words(3, 7, 0)}")
                job.append(f"show out 2 rate2.{name}.{warps}/{COUNT // 2 if kind == 'd' else COUNT}")
    where = pathlib.Path(sys.argv[1])
    (where / "rates.ptx").write_text("".join(text))
    (where / "rates.job").write_text("\n".join(job) + "\n")


if __name__ == "__main__":
    main()
