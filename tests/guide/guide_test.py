#!/usr/bin/env python3
"""guide_test.py LOCKSTEP SOURCE [--update] [PAGE...]: the pages of docs/guide hold what the program does.

A block that begins with ```console holds commands (behind "$ ", a line goes on behind a backslash) and what they print:
each line stands as it is printed, "..." stands for lines that are left out. Pictures that a command writes are the files
beside the page, to the byte. A block that begins with ```c is a part of a file of examples/guide. Figures of the text
(of three digits or more, or with a point) occur in an output, a command or a kernel of the page.

--update writes what the commands print now into the pages, and the pictures: look at the difference, and at the text.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

update = "--update" in sys.argv
words = [one for one in sys.argv[1:] if one != "--update"]
lockstep, source = Path(words[0]).resolve(), Path(words[1]).resolve()
guide = source / "docs/guide"
pages = [guide / name for name in words[2:]] or sorted(guide.glob("*.md"))
left_out = "..."
problems, headings = [], set()


def blocks_of(text):
    """(language, first line's index, lines) of each fenced block."""
    found, begin, language = [], None, ""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("```"):
            if begin is None:
                begin, language = i + 1, line[3:].strip()
            else:
                found.append((language, begin, lines[begin:i]))
                begin = None
    return found


def commands_of(lines):
    """(the command, its lines, the lines that it prints) of each command of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append([line[2:], [line], []])
        elif found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1] + line.strip()
            found[-1][1].append(line)
        else:
            found[-1][2].append(line)
    return found


def run(command, folder):
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", XDG_CONFIG_HOME=f"{folder}/none")
    for key in ("GPU", "MODE", "CHECK", "REPORT", "KERNELS", "THREADS"):
        environment.pop(f"LOCKSTEP_{key}", None)
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    if ran.returncode != 0:
        problems.append(f"exit code {ran.returncode}: {command}\n{ran.stderr[-2000:]}")
    lines = ran.stdout.splitlines()
    headings.update(re.sub(r" \(.*", "", line) for line, before in zip(lines[1:], lines) if before == "" and line[:1].isupper())
    return lines


def differs(shown, printed):
    """What is wrong with the lines shown; None where they are as printed, but for what is left out."""
    at, anywhere = 0, False
    for line in shown:
        if line == left_out:
            anywhere = True
            continue
        found = next((i for i in range(at, len(printed) if anywhere else min(at + 1, len(printed))) if printed[i] == line), None)
        if found is None:
            near = difflib.get_close_matches(line, printed, 1, 0.5)
            return f"is not printed{' there' if line in printed else ''}: {line}" + (f"\n      printed is: {near[0]}" if near else "")
        at, anywhere = found + 1, False
    return None if anywhere or at == len(printed) else f"more is printed behind the last line: {printed[at]}"


def updated(shown, printed):
    """The same lines as they are printed now: those that are nearest, in order."""
    def face(line):
        return re.sub(r"[0-9][0-9.]*|[\u2581-\u2588 ]+", "#", line)
    made, at = [], 0
    for i, line in enumerate(shown):
        if line == left_out:
            made.append(line)
            continue
        sure = i > 0 and shown[i - 1] != left_out or i == 0
        here = range(at, min(len(printed), at + 1)) if sure else range(at, len(printed))
        found = next((k for k in here if printed[k] == line), None)
        if found is None:
            scores = [(difflib.SequenceMatcher(None, face(line), face(printed[k])).ratio(), -k) for k in here]
            best = max(scores, default=(0, 0))
            if best[0] < (0 if sure else 0.5):
                problems.append(f"nothing like it is printed any more: {line}")
                continue
            found = -best[1]
        if found < len(printed):
            made.append(printed[found])
        at = found + 1
    return made


def check_page(page):
    text = page.read_text()
    lines = text.splitlines()
    seen, kernels = [], "".join(one.read_text() for one in sorted((source / "examples").rglob("*.c*")) if one.is_file())
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "machines"):
            os.symlink(source / name, f"{folder}/{name}")
        os.mkdir(f"{folder}/bin")
        os.symlink(lockstep, f"{folder}/bin/lockstep")
        for language, begin, block in blocks_of(text):
            if language == "c" and "\n".join(block) not in kernels:
                problems.append(f"{page.name}:{begin + 1}: the block is in no file of examples")
            if language != "console":
                continue
            made = []
            for command, command_lines, shown in commands_of(block):
                printed = [line.rstrip() for line in run(command, folder)]
                wrong = differs(shown, printed)
                if update:
                    shown = updated(shown, printed)
                elif wrong:
                    problems.append(f"{page.name}:{begin + 1}: {command}\n    {wrong}")
                made += command_lines + shown
                seen += printed + command_lines
            changes.append((begin, len(block), made))
        pictures = set()
        for picture in sorted(Path(folder).glob("*.svg")):
            pictures.add(picture.name)
            if update:
                (guide / picture.name).write_bytes(picture.read_bytes())
            elif not (guide / picture.name).exists() or (guide / picture.name).read_bytes() != picture.read_bytes():
                problems.append(f"{page.name}: {picture.name} is not what its command writes now")
            if f"]({picture.name})" not in text:
                problems.append(f"{page.name} does not show {picture.name}")
            if picture.stat().st_size > 40_000:
                problems.append(f"{picture.name} has {picture.stat().st_size} bytes")
    for begin, count, made in reversed(changes):
        lines[begin:begin + count] = made
    if update:
        page.write_text("\n".join(lines) + "\n")
    prose = re.sub(r"```.*?```", "", "\n".join(lines), flags=re.S)
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", prose)
    known = set(re.findall(r"[0-9]+(?:\.[0-9]+)?", "\n".join(seen)))
    for figure in re.findall(r"(?<![\w.])[0-9]+\.[0-9]+|(?<![\w.])[0-9]{3,}", prose):
        if figure not in known:
            problems.append(f"{page.name}: {figure} is in no output of its commands")
    return pictures


with ThreadPoolExecutor(2) as workers:
    drawn = set().union(*workers.map(check_page, pages))
if len(pages) == len(list(guide.glob("*.md"))):
    # words.md has every stall, cost class and cause, and every heading that a page's command printed.
    explained = (guide / "words.md").read_text()
    names = re.findall(r'^ {4}\{"(\w+)", "', (source / "src/time/stall.cpp").read_text(), re.M)
    names += re.findall(r'^ {6}"(\w+)"', (source / "src/isa/cost.cpp").read_text(), re.M)
    for file in ("verdict.cpp", "findings.cpp"):
        names += re.findall(r'\bsay\("(\w+)"', (source / "src/report" / file).read_text())
    if len(names) < 70:
        problems.append(f"only {len(names)} words of the report were found")
    problems += [f"words.md does not explain `{name}`" for name in names if f"`{name}`" not in explained]
    problems += [f"words.md does not explain '{one}'" for one in sorted(headings) if f"## {one}" not in explained]
    for picture in sorted(guide.glob("*.svg")):
        if picture.name not in drawn:
            problems.append(f"no command writes {picture.name}")
print("\n".join(problems) or f"{len(pages)} pages are as they should be")
if problems and not update:
    print("Where this is meant: tests/guide/guide_test.py LOCKSTEP SOURCE --update, then read the pages again.")
sys.exit(1 if problems else 0)
