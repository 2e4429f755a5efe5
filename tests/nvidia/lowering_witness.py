#!/usr/bin/env python3
"""What NVIDIA's assembler makes of the corpus, in figures: the answers that tests/nvidia/lowering.txt holds.

    ptx_counts COUNTS/sm_80 --target sm_80             (for each target)
    lowering_witness.py assemble COUNTS                 needs ptxas
    lowering_witness.py disassemble COUNTS OUT          needs cuobjdump; on any machine that has it
    lowering_witness.py answers COUNTS OUT [EXECUTED]   writes the table

Each PTX statement gets a line of its own (.loc), so that the line table of the assembled code says which statement an
instruction stems from. EXECUTED, where there is one, holds what hardware counted (see `count`)."""
import gzip
import json
import pathlib
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

STATEMENT = re.compile(r"^\s*(@!?%\w+\s+)?[a-z][\w.:]*(\s|;)")


def with_lines(ptx: str) -> str:
    """The text with a .loc in front of each statement: the number of its line."""
    lines, out, depth = ptx.split("\n"), [], 0
    kept_open = False
    for number, line in enumerate(lines, 1):
        text = line.split("//")[0].strip()
        if text.startswith(".target"):
            line = line.replace(", debug", "")
        statement = depth > 0 and not kept_open and STATEMENT.match(text) and not text.endswith(":")
        if statement:
            out.append(f"\t.loc\t1 {number} 0")
        out.append(line)
        if text:
            # A statement may go over several lines.
            kept_open = depth > 0 and not (text.endswith(";") or text.endswith("{") or text.endswith("}") or text.endswith(":"))
        depth += text.count("{") - text.count("}") if not statement or "{" == text else 0
    return "\n".join(out) + '\n\t.file\t1 "statements.ptx"\n'


def assemble_one(path: pathlib.Path) -> str:
    arch = path.parent.name
    source = path.with_suffix(".located")
    source.write_text(with_lines(path.read_text()))
    cubin = path.with_suffix(".cubin")
    done = subprocess.run(["/usr/local/cuda/bin/ptxas", "-v", "-lineinfo", f"-arch={arch}", str(source), "-o", str(cubin)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return f"{path}: {done.stderr[:300]}"
    registers, kernel = {}, None
    for line in done.stderr.split("\n"):
        if m := re.search(r"Compiling entry function '(\S+)'", line):
            kernel = m[1]
        if m := re.search(r"Used (\d+) registers", line):
            registers[kernel] = int(m[1])
    path.with_suffix(".registers").write_text(json.dumps(registers))
    return ""


def assemble(folder: pathlib.Path) -> None:
    paths = sorted(folder.glob("sm_*/*.ptx"))
    with ThreadPoolExecutor(2) as pool:
        for said in pool.map(assemble_one, paths):
            if said:
                print(said)


def disassemble(folder: pathlib.Path, out: pathlib.Path) -> None:
    """Instructions by cubin and kernel: [address, text]."""
    def one(path: pathlib.Path):
        text = subprocess.run(["cuobjdump", "-sass", str(path)], capture_output=True, text=True).stdout
        kernels, kernel = {}, None
        for line in text.split("\n"):
            if m := re.search(r"Function\s*:\s*(\S+)", line):
                kernel = kernels.setdefault(m[1], [])
            elif kernel is not None and (m := re.search(r"/\*([0-9a-f]{4,5})\*/\s+(.*?);", line)):
                kernel.append([int(m[1], 16), m[2].strip()])
        return f"{path.parent.name}/{path.stem}", kernels
    with ThreadPoolExecutor(14) as pool:
        all_of = dict(pool.map(one, sorted(folder.glob("sm_*/*.cubin"))))
    with gzip.open(out, "wt") as file:
        json.dump(all_of, file)


def main() -> None:
    arguments = [pathlib.Path(a) for a in sys.argv[2:]]
    {"assemble": assemble, "disassemble": disassemble}[sys.argv[1]](*arguments)


if __name__ == "__main__":
    main()
