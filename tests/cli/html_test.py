#!/usr/bin/env python3
"""html_test.py LOCKSTEP SOURCE: the HTML page and the trace of launches; drawn in headless Chromium where there is one."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import drawn_page

lockstep, source = sys.argv[1], Path(sys.argv[2])
transpose = [source / "examples/transpose.cl", "--kernel", "transpose_tiled", "--global", "64,64", "--local", "16,16",
             "--arg", "n=64", "--arg", "in=float[4096]", "--arg", "out=float[4096]"]
# 10 000 waves of 64.
many = [source / "examples/saxpy.cl", "--global", 640000, "--local", 256, "--arg", "n=640000", "--arg", "a=2",
        "--arg", "x=[640000]:ramp", "--arg", "y=[640000]:ramp"]
failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what)


def run(words):
    ran = subprocess.run([lockstep, "run", *map(str, words), "--quiet"], capture_output=True, text=True)
    check(ran.returncode == 0, f"lockstep run {' '.join(map(str, words))}: {ran.stderr[:300]}")


def check_pictures(page, banks):
    """Each picture is there on a phone, and answers to keys."""
    answer = drawn_page.used(page, drawn_page.sound + """
      const section = (title) => [...document.querySelectorAll('section')].find((one) => one.querySelector('h2').textContent.startsWith(title));
      const drawn = (title, what) => section(title)?.querySelectorAll(what).length ?? 0;
      const pictures = { roofs: drawn('Roofline', 'path.roof'), points: drawn('Roofline', 'circle'), stalls: drawn('Resident', 'svg path'),
        occupancy: drawn('Occupancy', 'path.curve'), footprint: drawn('Cache footprint', 'path.curve'), units: drawn('Units', '.heat'),
        titles: section('Units').innerText, lines: drawn('Annotated', 'tr.source') };
      const theme = () => document.documentElement.dataset.theme, first = theme();
      await press('t');
      const turned = theme() !== first;
      await press('1');
      const focus = document.activeElement.id;
      await press('j');
      const line = document.activeElement.className;
      await press('Enter');
      const opened = document.querySelectorAll('tr.instruction').length;
      await press('Enter');
      const closed = document.querySelectorAll('tr.instruction').length;
      const read = async (title, what) => {
        section(title).querySelector(what).focus();
        await press('End');
        await press('ArrowLeft');
        return document.activeElement.getAttribute('aria-valuetext');
      };
      const stall = await read('Resident', 'svg'), unit = await read('Units', '.heat');
      await press('?');
      const help = document.querySelector('dialog').open;
      return { sound, pictures, turned, focus, line, opened, closed, stall, unit, help };""")
    check(not answer["errors"], f"the page's script: {answer['errors']}")
    found = answer["found"]
    if not found:
        return
    check(drawn_page.is_sound(found["sound"]), f"a phone shows it: {found['sound']}")
    drawn = found["pictures"]
    check(drawn["roofs"] >= 2 and drawn["points"] == drawn["roofs"], f"a roof and a point for each level of memory: {drawn}")
    check(drawn["stalls"] >= 4 and drawn["occupancy"] == 3 and drawn["footprint"] == 2, f"timeline with stalls, occupancy, footprints: {drawn}")
    for title in ("resident waves", "second-level cache, slice by slice", "memory, channel by channel", *(["banks of local memory"] if banks else [])):
        check(f"\n{title}" in drawn["titles"], f"units of: {title}")
    check(found["turned"] and found["focus"] == "s1" and found["help"], f"t, 1 and ?: {found}")
    check(found["line"] == "source" and found["opened"] > 0 and found["closed"] == 0, f"j and Enter: {found}")
    check(re.fullmatch(r"cycle [\d,]+: .*", found["stall"] or ""), f"arrow keys in the timeline: {found['stall']}")
    check(re.fullmatch(r"\d+: [\d.]+ %", found["unit"] or ""), f"arrow keys in the units: {found['unit']}")


with tempfile.TemporaryDirectory() as folder:
    page, again, trace = (Path(folder) / name for name in ("page.html", "again.html", "trace.json"))
    for words, sections in (([*transpose, "--what-if", "--gpu", "v100"], 11), ([*many], 9), ([*transpose, "--functional"], 1)):
        run([*words, "--html", page])
        text = page.read_text()
        check(len(text) < 2_000_000, f"a page of {len(text)} bytes")
        check(not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text), "the page asks the network")
        data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
        check(data["report"]["status"] == "done", "the page carries the report")
        if "--functional" not in words:
            check(data["stalls"] and data["listing"]["lines"] and data["heat"] and data["curves"], "the page carries its pictures")
            footprint = data["footprint"]
            check(footprint["touches"] > 0 and footprint["left_out"] == 0, "all touches are in the footprint")
            for curve in footprint["curves"]:
                kept = [row[1] for row in curve["rows"]]
                check(kept == sorted(kept) and curve["caches"], "what larger caches keep is more")
            banks = [one for one in data["heat"] if one["title"].startswith("banks of local memory")]
            check(len(banks) == (words[0] == transpose[0]), "banks are drawn where local memory is used")
            shown = sum(map(sum, (one["waves"] for one in data["stalls"]["reasons"]))) * data["stalls"]["bucket_cycles"]
            counters = data["report"]["counters"]
            check(abs(shown - counters["wave_cycles"]) < 0.02 * counters["wave_cycles"], "the timeline has all waves' cycles")
        if drawn_page.chromium:
            drawn = drawn_page.drawn(page)
            count = len(re.findall(r"<section ", drawn))
            check("[object " not in drawn, "everything that is drawn is text or a picture")
            check(count >= sections, f"{count} sections are drawn, wanted {sections}")
            if "--functional" not in words:
                check_pictures(page, banks=words[0] == transpose[0])
    run([*transpose, "--html", page])
    run([*transpose, "--html", again])
    check(page.read_bytes() == again.read_bytes(), "the same launch has the same page")

    run([*transpose, "--trace", trace])
    events = json.loads(trace.read_text())["traceEvents"]
    waves = [one for one in events if one.get("cat") == "wave"]
    check(len(waves) == 64, f"{len(waves)} waves are traced, wanted 64")
    rows = {}
    for one in sorted((one for one in events if one.get("cat") == "wait"), key=lambda one: one["ts"]):
        row = (one["pid"], one["tid"])
        inside = [w for w in waves if (w["pid"], w["tid"]) == row and w["ts"] - 1e-3 <= one["ts"]
                  and one["ts"] + one["dur"] <= w["ts"] + w["dur"] + 1e-3]
        check(len(inside) == 1, f"a wait lies within a wave: {one}")
        check(rows.get(row, 0) <= one["ts"] + 1e-3, f"waits of one wave do not overlap: {one}")
        rows[row] = one["ts"] + one["dur"]
    check(any(one.get("cat") == "memory" for one in events), "loads are traced")
    run([*many, "--trace", trace])
    check(trace.stat().st_size < 60_000_000, f"a trace of {trace.stat().st_size} bytes")
print("failed" if failed else "pages and traces are as they should be")
sys.exit(1 if failed else 0)
