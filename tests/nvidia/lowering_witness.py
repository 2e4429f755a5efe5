#!/usr/bin/env python3
"""What NVIDIA's assembler makes of the corpus, in figures: the answers that tests/nvidia/lowering.txt holds.

    ptx_counts COUNTS/sm_80 --target sm_80             (for each target)
    lowering_witness.py assemble COUNTS                 needs ptxas
    lowering_witness.py disassemble COUNTS OUT          needs cuobjdump; on any machine that has it
    lowering_witness.py answers COUNTS OUT [COUNTED]    prints the table

Each PTX statement gets a line of its own (.loc), so that the line table of the assembled code says which statement an
instruction stems from."""
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


def line_tables(cubin: pathlib.Path) -> dict:
    """PTX line by address, by function."""
    text = subprocess.run(["llvm-dwarfdump-19", "--debug-line", str(cubin)], capture_output=True, text=True).stdout
    sequences, current = [], []
    for line in text.split("\n"):
        if m := re.match(r"0x([0-9a-f]+)\s+(\d+)\s+\d+\s+\d+\s+\d+\s+\d+\s+\d+\s*(.*)", line):
            current.append((int(m[1], 16), int(m[2])))
            if "end_sequence" in m[3]:
                sequences.append(current)
                current = []
    text = subprocess.run(["readelf", "-rW", str(cubin)], capture_output=True, text=True).stdout
    names, on = [], False
    for line in text.split("\n"):
        if "Relocation section" in line:
            on = "'.rel.debug_line'" in line or "'.rela.debug_line'" in line
        elif on and re.match(r"^[0-9a-f]{16}", line):
            names.append((int(line.split()[0], 16), line.split()[4 if "unrecognized:" not in line else 5]))
    tables = {}
    for (_, name), sequence in zip(sorted(names), sequences):
        table = tables.setdefault(name, {})
        for (begin, number), (end, _) in zip(sorted(sequence), sorted(sequence)[1:]):
            table.update({address: number for address in range(begin, end, 16)})
    return tables


def ptx_blocks(ptx: str) -> dict:
    """The block of each line: a number that changes at labels and behind branches."""
    block, blocks = 0, {}
    for number, line in enumerate(ptx.split("\n"), 1):
        text = line.split("//")[0].strip()
        if text.endswith(":") or text.startswith(".entry") or text.startswith(".func"):
            block += 1
        blocks[number] = block
        if re.match(r"(@!?%\w+\s+)?(bra|ret|exit|brx)\b", text):
            block += 1
    return blocks


ANCHORS = re.compile(r"^(LDG|STG|LDS|STS|LDL|STL|LDC|RED|ATOM|ATOMS|ATOMG|BAR|LD|ST|DFMA|FFMA|MUFU|SHFL)\b")


def mnemonic(text: str) -> str:
    return re.sub(r"^@!?U?P\w+ ", "", text).split(" ")[0]


# What timing does not tell apart: another unit for the same work, names that changed.
CLASS = {"VIADD": "IADD3", "UIADD3": "IADD3", "UMOV": "MOV", "CS2R": "MOV", "VIMNMX": "IMNMX", "USHF": "SHF", "ULEA": "LEA", "UIMAD": "IMAD",
         "ULOP3": "LOP3", "UISETP": "ISETP", "UPLOP3": "PLOP3", "USEL": "SEL", "S2UR": "S2R", "REDG": "RED", "ULDC": "LDC", "FSEL": "SEL",
         "UPRMT": "PRMT", "I2FP": "I2F", "CGAERRBAR": "ERRBAR", "NOP": "ERRBAR", "R2UR": "MOV"}


def kind(text: str) -> str:
    full = mnemonic(text)
    base = full.split(".")[0]
    if base == "IMAD":
        for part, name in ((".WIDE", "IMAD.WIDE"), (".HI", "IMAD.HI"), (".MOV", "MOV"), (".IADD", "IADD3"), (".X", "IADD3"), (".SHL", "SHF"),
                           (".U32", "SHF")):
            if part in full:
                return name
    if full == "HFMA2.MMA" and "-RZ, RZ" in text:
        return "MOV"
    return CLASS.get(base, base)


def apart(code: list) -> set:
    """Addresses that only warps whose lanes are apart execute: what BRA.DIV goes to, what BRA.CONV leaps over, and the branch behind
    BRA.U that asks once more who has come."""
    detours = {int(text.split("0x")[-1], 16) for _, text in code if mnemonic(text).startswith("BRA.DIV")}
    found, until, detour, before = set(), 0, False, ""
    for address, text in code:
        name = mnemonic(text)
        detour = detour or address in detours
        if detour or address < until or before == "BRA.U" and name == "BRA":
            found.add(address)
        if name.startswith("BRA.CONV"):
            until = int(text.split("0x")[-1], 16)
        if name == "BRA" and not text.startswith("@"):
            detour = False
        before = name
    return found


def executed_by(code: list, lines: dict, blocks: dict, barriers: list, counts: dict, calls: bool) -> dict:
    """How often each address is executed: blocks of the machine's code get the count of the PTX block that most of them stems
    from, divided among the copies that unrolling made of it. Slow paths that the assembler calls of its own count nothing, nor does
    what only lanes that are apart need."""
    left_out = apart(code)
    targets, slow = set(), None
    for address, text in code:
        name = mnemonic(text)
        if m := re.search(r"0x([0-9a-f]+)\s*$", text):
            if name.split(".")[0] in ("BRA", "CALL"):
                targets.add(int(m[1], 16))
            if name.startswith("CALL.REL.NOINC") and not calls:
                slow = min(slow or 1 << 60, int(m[1], 16))
    machine, current = [], []
    for address, text in code:
        if slow is not None and address >= slow or re.fullmatch(f"BRA 0x{address:x}", text):
            break
        if address in targets and current:
            machine.append(current)
            current = []
        current.append((address, text))
        if mnemonic(text).split(".")[0] in ("BRA", "EXIT", "RET", "BRX", "CALL"):
            machine.append(current)
            current = []
    if current:
        machine.append(current)
    block_count = {}
    for line, count in counts.items():
        block_count[blocks[line]] = max(block_count.get(blocks[line], 0), count)
    # Copies of a block: of its anchors, each of which is one statement's only one of its kind (but for atomics that ask who is there,
    # which have one way for all lanes and one for some).
    asked = {lines.get(address, 0) for address, text in code if mnemonic(text).startswith("VOTE")}
    seen = {}
    for number, block in enumerate(machine):
        for address, text in block:
            line = lines.get(address, 0)
            if line and line not in asked and address not in left_out and ANCHORS.match(mnemonic(text)):
                seen.setdefault(line, []).append((number, mnemonic(text)))
    copies = {}
    for line, places in seen.items():
        names = [name for _, name in places]
        copies.setdefault(blocks[line], []).append(min(names.count(name) for name in set(names)))
    result = {}
    for block in machine:
        votes = {}
        for address, text in block:
            line = lines.get(address, 0)
            if not line or line not in blocks:
                continue
            weight = 4 if ANCHORS.match(mnemonic(text)) else 1
            votes[blocks[line]] = votes.get(blocks[line], 0) + weight
        if not votes:
            continue
        of = max(votes, key=lambda b: (votes[b], -b))
        some = sorted(copies.get(of, [1]))
        times = block_count.get(of, 0) / max(1, some[len(some) // 2])
        if all(mnemonic(text).split(".")[0] in ("MOV", "CALL", "BRA") for _, text in block) and any("CALL" in text for _, text in block) and not calls:
            times = 0  # the call of a slow path
        # Lanes may come to a barrier apart and go on together.
        most, together = block_count.get(of, 0), 1.0
        behind = [counts[line] for line in barriers if line in counts and blocks[line] == of]
        for address, text in block:
            if mnemonic(text).startswith("BAR.") and behind and most:
                together = behind[0] / most
            result[address] = 0 if address in left_out else times * together
    return result


def answers(folder: pathlib.Path, disassembled: pathlib.Path, counted: pathlib.Path | None = None) -> None:
    """`counted`: what a GPU of sm_90 counted, by case, kernel and address (Nsight Compute's inst_executed), or a table that was made from
    such counts, whose rows of sm_90 stay as they are. It stands for sm_90; the other targets' estimates are scaled by how far sm_90's is
    off, but where lanes wait for others: how often they ask again depends on who else is there, and is PTX's count."""
    code_of = json.load(gzip.open(disassembled, "rt"))
    rows = {}
    if counted and counted.suffix == ".txt":
        rows = {tuple(line.split()[:2]): line for line in counted.read_text().splitlines() if " sm_90 " in line and line[0] != "#"}
    truth = json.loads(counted.read_text()) if counted and not rows else {}
    print("# What NVIDIA's assembler (CUDA 13.0) makes of the corpus, compiled by clang 19 at -O3: lowering_witness.py. For each kernel: target,")
    print("# registers, instructions, executed warp instructions (slow paths that it calls left out), and those by class. sm_90: counted on an")
    print("# NVIDIA H200; the others: PTX's counts by block, scaled (but where lanes wait for each other) by how far the same estimate is off for sm_90.")
    scale = {}
    for path in sorted(folder.glob("sm_*/*.cubin"), reverse=True):
        arch, case = path.parent.name, path.stem
        ptx = path.with_suffix(".ptx").read_text()
        blocks, tables = ptx_blocks(ptx), line_tables(path)
        barriers = [n for n, line in enumerate(ptx.split("\n"), 1) if line.strip().startswith(("bar.sync", "barrier.sync"))]
        registers = json.loads(path.with_suffix(".registers").read_text())
        counts = {}
        for line in path.with_suffix(".counts").read_text().split("\n"):
            if line:
                kernel, number, count = line.rsplit(" ", 2)
                counts.setdefault(kernel, {})[int(number)] = int(count)
        calls = re.search(r"\bcall\b", ptx) is not None
        for kernel, count in sorted(counts.items()):
            code = [c for c in code_of[f"{arch}/{case}"][kernel] if mnemonic(c[1]) != "NOP"]
            times = executed_by(code, tables[kernel], blocks, barriers, count, calls)
            row = rows.get((case, kernel))
            if rows and not row:
                continue
            if row and arch == "sm_90":
                scale[(case, kernel)] = int(row.split()[5]) / max(1, sum(times.values()))
                print(row)
                continue
            known = truth.get(case, {}).get(kernel)
            if known and arch == "sm_90":
                right = {address: known.get(str(address), 0) for address in times}
                scale[(case, kernel)] = sum(right.values()) / max(1, sum(times.values()))
                times = right
            elif (case, kernel) in scale and not any(mnemonic(text) == "YIELD" for _, text in code):
                times = {address: number * scale[(case, kernel)] for address, number in times.items()}
            classes = {}
            for address, text in code:
                if times.get(address):
                    classes[kind(text)] = classes.get(kind(text), 0) + times[address]
            total = round(sum(classes.values()))
            text = " ".join(f"{name}={round(number)}" for name, number in sorted(classes.items(), key=lambda c: (-c[1], c[0])) if round(number))
            print(f"{case} {kernel} {arch} {registers[kernel]} {len(code)} {total} {text}")


def main() -> None:
    arguments = [pathlib.Path(a) for a in sys.argv[2:]]
    {"assemble": assemble, "disassemble": disassemble, "answers": answers}[sys.argv[1]](*arguments)


if __name__ == "__main__":
    main()
