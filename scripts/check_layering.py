#!/usr/bin/env python3
"""Every #include in src/ stays within the layers of docs/dev/map.md: a room may include itself and the rooms below it.

A room is a folder of src/ or, where it is named here, a folder within one (isa/amd, exec/check): a file belongs to the longest
name that fits. What one vendor's hardware means is known to its own rooms (isa/amd, isa/nv, time/program/VENDOR), to time/family and
to run, which choose between them. What an instruction does no room outside isa takes from its text or its name."""
import pathlib
import re
import sys

BELOW_ISA = {"machine", "float", "base"}
BELOW_EXEC = {"isa", "compile", *BELOW_ISA}
BELOW_TIME = {"exec", "isa", "machine", "base"}
MAY_USE = {
    "base": set(),
    "door": set(),  # runs on every processor, before anything else: nothing of ours in it
    "preload": set(),  # a library for other processes: nothing of ours in it
    "float": {"base"},
    "corpus": {"base"},  # launches and buffers as text
    "machine": {"base"},
    "isa": BELOW_ISA,
    "isa/amd": {"isa", *BELOW_ISA},
    "isa/nv": {"isa", *BELOW_ISA},
    "isa/gen": {"isa", *BELOW_ISA},
    "isa/absent": {"isa", "isa/gen", "isa/nv", "isa/vliw", *BELOW_ISA},  # their functions, where a build leaves the rooms out
    "isa/vliw": {"isa", "isa/amd", *BELOW_ISA},  # AMD's earlier GPUs: what the later ones compute alike is theirs
    "compile": {"isa", "machine", "base"},  # of isa only listing.h, the text that passes between them
    "exec": BELOW_EXEC,
    "exec/check": {"exec", *BELOW_EXEC},
    "time/engine": {"base"},
    "time/units": {"time/engine", "machine", "isa", "base"},
    "time/program": {"time/engine", "time/units", *BELOW_TIME},
    "time/program/amd": {"time/program", "time/engine", "time/units", "isa/amd", *BELOW_TIME},
    "time/program/gen": {"time/program", "isa/gen", *BELOW_TIME},
    "time/program/nv": {"time/program", "time/engine", "time/units", "isa/nv", *BELOW_TIME},
    "time/program/vliw": {"time/program", "isa/vliw", *BELOW_TIME},
    "time/program/absent": {"isa/absent", "time/program/gen", "time/program/nv", "time/program/vliw", *BELOW_TIME},
    "time": {"time/engine", "time/units", "time/program", "time/family", *BELOW_TIME},
    # The one place of the timing room that chooses how a target's program is timed.
    "time/family": {"time", "time/program", "time/program/amd", "time/program/gen", "time/program/nv", "time/program/vliw",
                    *BELOW_TIME},
    "count": {"time/units", *BELOW_TIME},  # the units by which timing counts, and nothing else of it
    "report": {"count", "time", "time/engine", "time/units", "exec", "exec/check", "isa", "machine", "base"},
    "prebuild": {"compile", "machine", "base"},
}
MAY_USE["run"] = set(MAY_USE) - {"prebuild", "isa/absent", "time/program/absent"}
DOORS = (MAY_USE["run"] | {"run"}) - {"isa/amd", "isa/nv", "isa/vliw", "isa/gen", "time/program/amd", "time/program/gen", "time/program/nv", "time/program/vliw"}
MAY_USE["dissect"] = DOORS
MAY_USE["cli"] = DOORS | {"dissect"}
MAY_USE["opencl"] = DOORS
MAY_USE["capi"] = DOORS

# What instructions do is decoded once, in isa: what no other room may look at, but for the files that show it.
DECODED = [
    (re.compile(r"\bcode_?\.text\b"), "the listing's text",
     ("isa", "report", "exec/progress.cpp", "exec/group.cpp", "run/lowered.cpp", "run/loader.cpp", "run/instruction_trace.cpp")),
    (re.compile(r"\bmeaning(->|\.)name\b"), "a meaning's name", ("isa", "report/fidelity.cpp")),
]


def room_of(path: str) -> str:
    """The longest room that holds a file, or the first folder of its path."""
    parts = path.split("/")[:-1]
    for count in range(len(parts), 0, -1):
        if "/".join(parts[:count]) in MAY_USE:
            return "/".join(parts[:count])
    return parts[0] if parts else ""


def main() -> int:
    source = pathlib.Path(__file__).resolve().parent.parent / "src"
    broken = 0
    for path in sorted(source.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        name = str(path.relative_to(source))
        room = room_of(name)
        if room not in MAY_USE:
            print(f"src/{name}: the room '{room}' is not in the layering")
            broken += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for pattern, what, places in DECODED:
                if pattern.search(line) and not any(name == one or name.startswith(one + "/") for one in places):
                    print(f"src/{name}:{number}: reads {what}: isa decodes what it says, once")
                    broken += 1
            match = re.match(r'#include "([a-z0-9_]+/[^"]*)"', line)
            if not match:
                continue
            used = room_of(match.group(1))
            wrong = used != room and used not in MAY_USE[room]
            if room == "compile" and used == "isa" and match.group(1) != "isa/listing.h":
                wrong = True
            if wrong:
                print(f"src/{name}:{number}: '{room}' must not include '{used}'")
                broken += 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
