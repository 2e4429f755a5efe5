#!/usr/bin/env python3
"""Every #include in src/ stays within the layers of docs/dev/map.md: a room may include itself and the rooms below it."""
import pathlib
import re
import sys

MAY_USE = {
    "base": set(),
    "preload": set(),  # a library for other processes: nothing of ours in it
    "float": {"base"},
    "corpus": {"base"},  # launches and buffers as text
    "machine": {"base"},
    "isa": {"machine", "float", "base"},
    "compile": {"isa", "machine", "base"},  # of isa only listing.h, the text that passes between them
    "exec": {"isa", "compile", "machine", "float", "base"},
    "time": {"exec", "isa", "machine", "base"},
    "report": {"time", "exec", "isa", "machine", "base"},
}
TOP = set(MAY_USE) | {"run"}
MAY_USE["run"] = set(MAY_USE)
MAY_USE["prebuild"] = {"compile", "machine", "base"}
MAY_USE["cli"] = TOP
MAY_USE["opencl"] = TOP


def main() -> int:
    source = pathlib.Path(__file__).resolve().parent.parent / "src"
    broken = 0
    for path in sorted(source.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        room = path.relative_to(source).parts[0]
        if room not in MAY_USE:
            print(f"{path.relative_to(source.parent)}: the room '{room}' is not in the layering")
            broken += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "([a-z]+)/', line)
            if not match:
                continue
            used = match.group(1)
            wrong = used != room and used not in MAY_USE[room]
            if room == "compile" and used == "isa" and "isa/listing.h" not in line:
                wrong = True
            if wrong:
                print(f"{path.relative_to(source.parent)}:{number}: '{room}' must not include '{used}'")
                broken += 1
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
