#!/usr/bin/env python3
"""Writes loops.ptx and loops.job for tests/nvidia/runner.cpp: how lanes of a loop with several ways back to its head come together again.

    python3 loops.py FOLDER             on an H200 ./runner loops.job > loops.txt: how often a wave goes through each block of each loop
    python3 loops.py --compare A B      rows of A that B has otherwise, and how far off

Blocks are long enough not to be guarded; where a lane goes is chance, so that lanes part at every branch."""
import pathlib
import sys

GROUPS = 32

# '[N]' is a block of work, '?LABEL PERCENT' a branch taken by chance, '?never LABEL' one that is never taken and says so by a constant alone,
# '?always LABEL' likewise, '>LABEL' a branch, 'LABEL:' a place. D is behind the loop.
LOOPS = {
    "one_way": "L: [0] ?S 50 [1] >J S: [2] J: [3] ?L 70",
    "exit_at_head": "L: ?D 20 [0] ?S 50 [1] >L S: [2] >L",
    "exit_at_head_continue": "L: ?D 20 [0] ?L 50 [1] >L",
    "exit_at_head_three": "L: ?D 20 [0] ?A 50 [1] ?B 50 [2] >L B: [3] >L A: [4] >L",
    "exit_in_chain": "L: [0] ?D 20 [1] ?S 50 [2] >L S: [3] >L",
    "exit_at_head_fork": "L: ?D 20 [0] ?S 50 [1] >L S: [2] ?U 50 [3] U: [4] >L",
    "plain": "L: [0] ?S 50 [1] ?L 60 >D S: [2] >L",
    "plain_continue": "L: [0] ?L 40 [1] ?L 60",
    "plain_middle": "L: [0] ?S 50 [1] ?D 30 [2] >L S: [3] >L",
    "plain_two": "L: [0] ?S 40 [1] ?U 40 [2] ?L 60 >D S: [3] >L U: [4] >L",
    "plain_two_continues": "L: [0] ?L 30 [1] ?L 30 [2] ?L 60",
    "plain_loop": "L: [0] ?S 40 [1] ?L 60 >D S: I: [2] ?I 50 >L",
    "plain_fork_at_head": "L: [0] ?T 50 [1] T: [2] ?S 50 [3] ?L 60 >D S: [4] >L",
    "plain_fork_at_exit": "L: [0] ?S 50 [1] ?T 50 [2] T: [3] ?L 60 >D S: [4] >L",
    "plain_two_exits": "L: [0] ?S 50 [1] ?D 20 [2] ?L 60 >D S: [3] >L",
    "fork": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?T 50 [3] T: [4] >L",
    "fork_continue": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?L 50 [3] [4] >L",
    "fork_two_ways": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?T 50 [3] >L T: [4] >L",
    "exits": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?L 60",
    "exits_middle": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?D 20 [3] >L",
    "exits_fork": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?U 50 [3] U: [4] ?L 60",
    "never": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?never D >L",
    "never_always": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?always L >D",
    "never_fork": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?T 50 [3] >J T: [4] J: ?always L >D",
    "never_two": "L: [0] ?S 50 [1] ?L 60 >D S: [2] ?T 50 [3] ?always L >D T: [4] ?always L >D",
    "outer": "O: [0] ?D 20 L: [1] ?S 50 [2] ?L 60 >O S: [3] >L",
    "outer_exit": "O: [0] ?D 20 ?S 50 L: [1] ?D 5 [2] ?L 60 >O S: [3] >O",
}
BLOCKS = 5


def block(number):
    text = f"""  activemask.b32 %m; brev.b32 %b, %m; clz.b32 %b, %b; setp.eq.u32 %first, %b, %lane;
  selp.u32 %v, 1, 0, %first; red.global.add.u32 [%own+{4 * number}], %v;
"""
    for step in range(6):
        text += f"""  shr.u32 %i, %x, 12; mul.wide.u32 %at, %i, 4; add.s64 %at, %at, %data; ld.global.u32 %v, [%at+{64 * (6 * number + step)}];
  mad.lo.s32 %x, %x, 1664525, %v; st.global.u32 [%mine+{128 * (6 * number + step)}], %x;
"""
    return text


def kernel(name, loop):
    text, branches, words = "", 0, iter(loop.split())
    for word in words:
        if word[0] == "[":
            text += block(int(word[1]))
        elif word[-1] == ":":
            text += f"{word[:-1]}:\n"
        elif word[0] == ">":
            text += f"  bra {word[1:]};\n"
        elif word in ("?never", "?always"):
            text += f"  @{'!' if word == '?always' else ''}%false bra {next(words)};\n"
        else:
            chance = int(int(next(words)) * 2**32 / 100)
            text += f"""  mul.lo.u32 %v, %x, 0x9e3779b1; xor.b32 %v, %v, {0x5bd1e995 * (branches + 1) & 0xffffffff:#x}; mul.lo.u32 %v, %v, 0x85ebca6b;
  setp.lt.u32 %p{branches}, %v, {chance}; @%p{branches} bra {word[1:]};
"""
            branches += 1
    return f""".visible .entry {name}(.param .u64 counts, .param .u64 stores, .param .u64 hash) {{
  .reg .b64 %own, %mine, %data, %at; .reg .b32 %x, %v, %i, %m, %b, %lane, %group; .reg .pred %first, %false, %p<8>;
  ld.param.u64 %own, [counts]; ld.param.u64 %mine, [stores]; ld.param.u64 %data, [hash];
  cvta.to.global.u64 %own, %own; cvta.to.global.u64 %mine, %mine; cvta.to.global.u64 %data, %data;
  mov.u32 %lane, %tid.x; mov.u32 %group, %ctaid.x; mov.pred %false, 0;
  mad.lo.s32 %x, %group, 32, %lane;
  mul.wide.u32 %at, %x, 4; add.s64 %data, %data, %at; ld.global.u32 %x, [%data];
  mul.wide.u32 %at, %group, 32768; add.s64 %mine, %mine, %at; mul.wide.u32 %at, %lane, 4; add.s64 %mine, %mine, %at;
  ld.global.u32 %i, [%mine+20480]; mul.wide.u32 %at, %i, 4; add.s64 %own, %own, %at;  // nothing, which the assembler does not know: it would add up the lanes'
{text}D:
  st.global.u32 [%mine+24576], %x;
  ret;
}}
"""


def compare(one, other):
    rows = [dict((r[0], r[1:]) for r in map(str.split, pathlib.Path(p).read_text().splitlines())) for p in (one, other)]
    for name, counts in rows[0].items():
        if counts != rows[1].get(name):
            print(name, *counts, "and", *rows[1].get(name, ["nothing"]))


def main():
    if "--compare" in sys.argv:
        return compare(*sys.argv[-2:])
    where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    (where / "loops.ptx").write_text(".version 8.0\n.target sm_70\n.address_size 64\n" + "".join(kernel(n, l) for n, l in LOOPS.items()))
    lines = ["module loops.ptx loops", "buffer hash 16777216 hash", "buffer stores 4194304 zero"]
    for name in LOOPS:
        lines += ["buffer counts 4096 zero", f"launch {name} {GROUPS} 1 1 32 1 1 @counts @stores @hash", f"show counts {BLOCKS} {name}"]
    (where / "loops.job").write_text("\n".join(lines) + "\n")


main()
