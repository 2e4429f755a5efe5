#!/usr/bin/env python3
"""Chooses 104 configurations of contraction.cu's contraction and writes contraction.inc (their instances), contraction.job (times) and contraction.check.job (each once,
its result saved, for the model). contraction.ptx is made as workloads.ptx is, with -IFOLDER and -I of the folder above. Half of them are those whose work-items make 16 results or more, half make less; by hashes of their names.

    python3 contraction.py FOLDER"""
import hashlib
import itertools
import pathlib
import sys

WHERE = pathlib.Path(sys.argv[1])
M = 1 << 20
COUNT = 104


def every():
    tiles = ((ba, bb, bc, bd) for ba, bb, bc, bd in itertools.product((4, 8, 16, 32), (1, 2, 4, 8), (1, 2, 4, 8), (4, 8, 16, 32))
             if 32 <= ba * bb <= 128 and 32 <= bc * bd <= 128)
    for tile in tiles:
        ba, bb, bc, bd = tile
        for part in itertools.product((1, 2), (1, 2, 4, 8), (1, 2, 4), (1, 2)):
            ra, rb, rc, rd = part
            if rb > bb or rc > bc or not 4 <= ra * rb * rc * rd <= 32 or min(ra * rb, rc * rd) < 2:
                continue
            items = ba * bb * bc * bd // (ra * rb * rc * rd)
            if not 32 <= items <= 512:
                continue
            for te, tf, mode, vec, pad, step, order in itertools.product((4, 8, 16), (1, 2, 3), (0, 1, 2), (1, 2), (0, 1, 2), (1, 4, 16), (0, 1)):
                kt, m, n = te * tf, ba * bb, bc * bd
                if kt > 32 or step > kt or kt % step or kt * m % (items * vec) or kt * n % (items * vec) or pad == 2 and vec == 1 or pad == 1 and vec == 2:
                    continue
                if kt * (m + n) // items > 24 or (2 if mode == 2 else 1) * kt * (m + n + 2 * pad) * 8 >= 48 * 1024:
                    continue
                each = ra * rb * rc * rd  # warps' instructions, in millions, as far as can be told beforehand
                if 6.29 * (each + ra * rb + rc * rd + 8 / step + 5 * (m + n) / items / vec + 15 / kt) / each > 14.8:
                    continue
                name = f"tc_{ba}x{bb}x{bc}x{bd}_{ra}{rb}{rc}{rd}_e{te}f{tf}_m{mode}_v{vec}_p{pad}_u{step}_o{order}"
                yield name, items, 32 ** 4 // (m * n), (*tile, *part, te, tf, mode, vec, pad, step, order), ra * rb * rc * rd


def main():
    space = sorted(every(), key=lambda c: hashlib.sha256(c[0].encode()).hexdigest())
    chosen = sorted([c for c in space if c[4] >= 16][:COUNT // 2] + [c for c in space if c[4] < 16][:COUNT - COUNT // 2])
    (WHERE / "contraction.inc").write_text("".join(f"INSTANCE({name}, {items}, {', '.join(map(str, values))})\n" for name, items, _, values, _ in chosen))
    job = ["module contraction.ptx contraction", f"buffer out {8 * M} zero", f"buffer a {2 * M} unit", f"buffer b {2 * M} unit"]
    check = list(job)
    for name, items, groups, _, _ in chosen:
        job.append(f"time {name.replace('_', '.')} 20 {name} {groups} 1 1 {items} 1 1 @out @a @b")
        check += [f"buffer out {8 * M} zero", f"launch {name} {groups} 1 1 {items} 1 1 @out @a @b", f"save out contraction.results {8 * M}"]
    (WHERE / "contraction.job").write_text("\n".join(job) + "\n")
    (WHERE / "contraction.check.job").write_text("\n".join(check) + "\n")
    print(len(chosen), "of", len(space))


if __name__ == "__main__":
    main()
