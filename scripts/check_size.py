#!/usr/bin/env python3
"""No C++ file grows beyond what a reader takes in: 600 lines."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
long = 0
for folder in ("src", "tests", "bench"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".h", ".cpp"):
            lines = len(path.read_text().splitlines())
            if lines > 600:
                print(f"{path.relative_to(root)}: {lines} lines; split it")
                long += 1
sys.exit(1 if long else 0)
