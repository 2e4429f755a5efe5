#!/usr/bin/env python3
"""Every link between the tree's pages leads to a file, and docs/README.md names every page of docs."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
tracked = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root,
                         capture_output=True, text=True)
if tracked.returncode == 0:
    pages = [root / name for name in tracked.stdout.split()]
else:  # a tree without git
    pages = [page for page in root.rglob("*.md") if "build" not in page.relative_to(root).parts[0]]
bad = []
linked = set()
for page in pages:
    if not page.exists():
        continue
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)", line):
            if re.match(r"[a-z]+:", target):
                continue
            path = (page.parent / target).resolve()
            if page == root / "docs/README.md":
                linked.add(path)
            if not path.exists():
                bad.append(f"{page.relative_to(root)}:{number}: no such file: {target}")
for page in sorted(root.glob("docs/**/*.md")):
    if page != root / "docs/README.md" and page.resolve() not in linked:
        bad.append(f"docs/README.md does not name {page.relative_to(root)}")
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
