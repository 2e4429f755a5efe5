#!/usr/bin/env python3
"""exec_page_test.py LOCKSTEP PROBE: `lockstep exec --html` over an application's launches, with what-ifs of those that cost most."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
sys.dont_write_bytecode = True
import drawn_page

lockstep, probe = sys.argv[1:]
failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what)


def run(words, code=0):
    ran = subprocess.run([lockstep, "exec", *map(str, words)], capture_output=True, text=True)
    check(ran.returncode == code, f"lockstep exec {' '.join(map(str, words))} ends with {ran.returncode}: {ran.stderr[-400:]}")
    return ran


with tempfile.TemporaryDirectory() as folder:
    page, reports = Path(folder) / "page.html", Path(folder) / "reports"

    def data():
        text = page.read_text()
        check(not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text), "the page asks the network")
        return json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])

    # Seven launches of one kernel; the last is the sixth again, and shares its report.
    run(["--quiet", "--html", page, "--report", reports, "--what-if", "--", probe, "again"])
    made = data()
    log = [json.loads(line) for line in (reports / "launches.jsonl").read_text().splitlines()]
    timeline = made["application"]["timeline"]
    check([one[1] for one in timeline] == [line["time_ns"] for line in log], "the page has all launches in their order")
    check(log[6]["same_as"] == 6 and timeline[6][2] == log[5]["report"], "launches that were the same share one report")
    check(set(made["reports"]) == {line["report"] for line in log}, "the reports are on the page")
    for line in log[:6]:
        views = made["reports"][line["report"]]["views"]
        answers = {one["question"]: one for one in views["what_if"]["answers"]}
        check("infinite_l2" in answers, f"what-ifs of launch {line['launch']}")
        # Played on a device of its own: a launch that found its data in the caches does not there.
        check(("alone" in views["what_if"]) == (line["launch"] > 1), "a launch behind others is asked alone")
        check(views["what_if"]["cycles"] >= 0.98 * line["cycles"], f"{views['what_if']['cycles']} cycles alone, {line['cycles']} as it was")
        json.loads((reports / f"{line['report']}.json").read_text())
    check("What it would cost" in (reports / f"{log[0]['report']}.txt").read_text(), "the text report has them too")
    for name, picture in made["pictures"].items():
        check(all(picture[one] for one in ("curves", "heat", "roofline", "stalls", "footprint")), f"pictures of {name}")
    check(set(made["pictures"]) == set(made["reports"]), "all reports have pictures")
    check([one["stalls"]["alone"] for one in made["pictures"].values()].count(False) == 1, "the first launch was as it is drawn")
    check(not list(reports.glob("*pictures*")), "the folder of reports has reports")
    if drawn_page.chromium:
        drawn = drawn_page.drawn(page)
        check("[object " not in drawn, "everything that is drawn is text or a picture")
        for title in ("Kernels", "Launches in their order", "Those that cost most", "Speed of light", "Roofline by memory level", "Resident waves",
                      "Occupancy", "Cache footprint", "Units side by side", "Annotated source"):
            check(f"{title}</h2>" in drawn, f"the page shows '{title}'")
        answer = drawn_page.used(page, drawn_page.sound + """
          const shown = () => document.querySelector('section.first h2').textContent;
          const before = shown(), others = [...document.querySelectorAll('section button')].filter((one) => /^\\d+-/.test(one.textContent) &&
            one.textContent !== before);
          others[0].click();
          await drawn();
          return { sound, before, after: shown(), wanted: others[0].textContent };""")
        found = answer["found"]
        check(not answer["errors"] and drawn_page.is_sound(found["sound"]), f"a phone shows it: {answer}")
        check(found["after"] == found["wanted"] != found["before"], f"a click shows another report: {answer}")

    # Without a folder of reports; a functional run; a failure.
    run(["--quiet", "--html", page, "--gpu", "mi25", "--functional", "--", probe, "add"])
    made = data()
    check(made["application"]["kernels"][0]["time_ns"] is None and len(made["reports"]) == 1, "a functional run has a page")
    run(["--quiet", "--html", page, "--", probe, "none"])
    check(data()["application"]["launches"] == 0, "an application without launches has a page")
    check("needs --html or --report" in run(["--what-if", "--", probe, "add"], 2).stderr, "--what-if alone")
    check("--functional" in run(["--what-if", "--functional", "--html", page, "--", probe, "add"], 2).stderr, "--what-if and --functional")
    check("cannot-write" in run(["--html", f"{folder}/no/page.html", "--", probe, "add"], 1).stderr, "a folder that is not there")
print("failed" if failed else "the pages are as they should be")
sys.exit(1 if failed else 0)
