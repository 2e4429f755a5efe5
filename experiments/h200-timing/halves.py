#!/usr/bin/env python3
"""Writes halves.job."""
import pathlib
import sys

M = 1 << 20
out = ["module halves.ptx halves", f"buffer out {M} zero", f"buffer in {64 * M} zero"]
def words(*v): return " ".join("x:" + w.to_bytes(4, "little").hex() for w in v)
def time(label, kernel, mb, turns, queued):
    out.append(f"time {label}.{mb}M {queued} {kernel} 264 1 1 512 1 1 @out @in {words(mb * M // 4, turns)}")
for mb in (40, 44, 48, 52, 56):
    time("first_once", "turns_apart", mb, 1, 20)
    time("together8", "turns_together", mb, 8, 10)
    time("once_after_together", "turns_apart", mb, 1, 20)
    for turns in (2, 4, 8, 16, 32): time(f"apart{turns}", "turns_apart", mb, turns, 10)
    time("once_after_apart", "turns_apart", mb, 1, 20)
    time("together32", "turns_together", mb, 32, 4)
out.append("buffer in 134217728 zero")
for parts in (16, 33, 64, 80, 97, 113, 129, 160, 226):
    for groups in (528, 1056, 4224):
        out.append(f"time parts{parts}.{groups} 10 parts64 {groups} 1 1 1024 1 1 @out @in {words(parts)}")
where = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
(where / "halves.job").write_text("\n".join(out) + "\n")
