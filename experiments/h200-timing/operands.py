#!/usr/bin/env python3
"""Writes operands.cubin and operands.job: loops of 96 FFMA or IMAD, PIPE.SEQUENCE.ITEMS.TURNS, whose registers lie in banks as SEQUENCE says.
ptxas (PATH, or --ptxas) compiles the loops; the instructions in them are then written anew, since it chooses registers itself. What a turn costs is
the difference of two lengths: 96 instructions, three of the loop's. UISETP stands behind the 60th so that its uniform register is there.

Sequences: c and r, s: sources in even registers, instruction by instruction; keepSLOT_N: three even sources, SLOT's always the same and kept by
N of N + 1; twoAB: slots A and B; sameN: N sources are one register; rdbank: results in even registers; before, after: the two columns of
experiments/volta-registers, _noreuse without `.reuse`.

    python3 operands.py FOLDER [--ptxas PATH]"""
import argparse
import itertools
import pathlib
import random
import re
import struct
import subprocess

LENGTH, ITEMS, TURNS = 96, (128, 256, 512), (1024, 3072)
FFMA, IMAD, UIADD, UISETP, BRA = 0x223, 0x224, 0x890, 0xc0c, 0x947
# Opcode, cycles to the next instruction, bits above the third source: as ptxas has them.
PIPES = {"FFMA": (FFMA, 1, 0), "IMAD": (IMAD, 2, 0x78e02)}
LISTING = pathlib.Path(__file__).parent.parent / "volta-registers" / "loops.timing"


def banked(evens):
    """(result, sources, kept slots) for each instruction: so many sources in even registers, all different from the neighbours'."""
    even, odd, result = itertools.cycle(range(2, 64, 2)), itertools.cycle(range(3, 64, 2)), itertools.cycle(range(64, 96))
    return [(next(result), [next(even) for _ in range(k)] + [next(odd) for _ in range(3 - k)], 0)
            for k in itertools.islice(itertools.cycle(evens), LENGTH)]


def kept(slots, of):
    """Three even sources, those of `slots` always the same, which `of` of `of` + 1 instructions keep (0: all)."""
    even = itertools.cycle(range(2 + 2 * len(slots), 64, 2))
    out = []
    for i in range(LENGTH):
        sources = [next(even) for _ in range(3)]
        for s in slots:
            sources[s] = 2 + 2 * slots.index(s)
        out.append((64 + i % 32, sources, 0 if of and i % (of + 1) == of else sum(1 << s for s in slots)))
    return out


def listed(column):
    text = re.search(rf"\.timing {column} .*?\.end", LISTING.read_text(), re.S).group(0)
    rows = [re.findall(r"R(\d+)(\.reuse)?", line) for line in re.findall(r"FFMA (.*);", text)]
    rows = [(int(r[0][0]), [int(n) for n, _ in r[1:]], sum(1 << s for s, (_, keep) in enumerate(r[1:]) if keep)) for r in rows]
    return (rows * 2)[:LENGTH]


def sequences():
    rng, out = random.Random(7), {}
    for length in (1, 2, 3, 4):
        seen = set()
        for c in itertools.product(range(4), repeat=length):
            turned = {c[i:] + c[:i] for i in range(length)}
            least = min(turned | {tuple(3 - k for k in t) for t in turned})  # the banks are alike
            if least not in seen and not any(length % d == 0 and c == c[:d] * (length // d) for d in range(1, length)):
                out["c" + "".join(map(str, least))] = banked(least)
            seen.add(least)
    for name, count, among in (("r", 20, (0, 1, 1, 2, 2, 3)), ("s", 6, (0, 0, 0, 1, 2, 3, 3))):
        for _ in range(count):
            c = [rng.choice(among) for _ in range(16)]
            out[name + "".join(map(str, c))] = banked(c)
    for column in ("before", "after"):
        out[column] = listed(column)
    for column in ("before", "after"):
        out[column + "_noreuse"] = [(result, sources, 0) for result, sources, _ in out[column]]
    for slot in range(3):
        for of in (1, 2, 3, 5):
            out[f"keep{slot}_{of}"] = kept([slot], of)
    for slots in ([0, 1], [0, 2], [1, 2]):
        out["two" + "".join(map(str, slots))] = kept(slots, 0)
    out["same2"] = [(64 + i % 32, [2 + 2 * (i % 14)] * 2 + [32 + 2 * (i % 15)], 0) for i in range(LENGTH)]
    out["same3"] = [(64 + i % 32, [2 + 2 * (i % 14)] * 3, 0) for i in range(LENGTH)]
    for name, evens in (("rdbank", (1, 2)), ("rdbank1", (1,))):
        out[name] = [(64 + 2 * (i % 16), sources, 0) for i, (_, sources, _) in enumerate(banked(evens))]
    return out


def kernel(number):
    names = [f"%a{i}" for i in range(LENGTH)]
    fill = "\n".join(f"mad.lo.u32 {a}, %x, {i * 77 + 5}, %n;" for i, a in enumerate(names))
    body = "\n".join(f"mad.lo.u32 {a}, {names[(i + 5) % LENGTH]}, {names[(i + 50) % LENGTH]}, {a};" for i, a in enumerate(names))
    fold = "\n".join(f"xor.b32 {b}, {b}, {a};" for a, b in zip(names, names[1:]))
    return (f".visible .entry k{number}(.param .u64 out, .param .u32 turns)\n{{\n.reg .pred %p; .reg .b32 %a<{LENGTH}>, %n, %x; .reg .b64 %o;\n"
            f"ld.param.u64 %o, [out]; ld.param.u32 %n, [turns]; mov.u32 %x, %tid.x;\n{fill}\ntop: .pragma \"nounroll\";\n{body}\n"
            f"sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra top;\n{fold}\n"
            f"setp.eq.u32 %p, {names[-1]}, 12345; @%p st.global.u32 [%o], {names[-1]}; ret;\n}}\n")


class Cubin:
    def __init__(self, data):
        self.data = bytearray(data)
        table, = struct.unpack_from("<Q", self.data, 0x28)
        count, names = struct.unpack_from("<HH", self.data, 0x3c)
        sections = [struct.unpack_from("<IIQQQQ", self.data, table + 64 * i) for i in range(count)]
        strings = sections[names][4]
        self.sections = {self.data[strings + s[0]:self.data.index(0, strings + s[0])].decode(): (s[4], s[5]) for s in sections}

    def code(self, kernel):
        start, size = self.sections[".text." + kernel]
        return [(at, *struct.unpack_from("<QQ", self.data, at)) for at in range(start, start + size, 16)]

    def put(self, at, low, high):
        struct.pack_into("<QQ", self.data, at, low, high)


def write(cubin, kernel, pipe, sequence):
    opcode, cycles, modifiers = PIPES[pipe]
    code = cubin.code(kernel)
    first = next(i for i, (_, low, _) in enumerate(code) if low & 0xfff == UIADD)
    loop = code[first:next(i for i in range(first, len(code)) if code[i][1] & 0xfff == BRA)]
    places = [at for at, low, _ in loop if low & 0xfff == IMAD]
    compare, = (c for c in loop if c[1] & 0xfff == UISETP)
    assert len(places) == LENGTH
    cubin.put(places[60], *compare[1:])
    places = sorted(places[:60] + places[61:] + [compare[0]])
    for at, (result, (a, b, c), keep) in zip(places, sequence):
        control = cycles | 1 << 4 | 7 << 5 | 7 << 8 | keep << 17  # does not yield, no barriers
        cubin.put(at, opcode | 7 << 12 | result << 16 | a << 24 | b << 32, c | modifiers << 8 | control << 41)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=pathlib.Path, nargs="?", default=pathlib.Path("."))
parser.add_argument("--ptxas", default="ptxas")
options = parser.parse_args()
runs = [(pipe, name, s) for pipe in PIPES for name, s in sequences().items()]
(options.folder / "operands.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(kernel(i) for i in range(len(runs))))
subprocess.run([options.ptxas, "-arch=sm_90", options.folder / "operands.ptx", "-o", options.folder / "operands.cubin"], check=True)
image = Cubin((options.folder / "operands.cubin").read_bytes())
job = ["module operands.cubin operands", f"buffer out {8 << 20} zero"]
for i, (pipe, name, sequence) in enumerate(runs):
    write(image, f"k{i}", pipe, sequence)
    job += [f"time {pipe}.{name}.{items}.{turns} 5 k{i} 132 1 1 {items} 1 1 @out x:{turns.to_bytes(4, 'little').hex()}"
            for items in ITEMS for turns in TURNS]
(options.folder / "operands.cubin").write_bytes(image.data)
(options.folder / "operands.job").write_text("\n".join(job) + "\n")
