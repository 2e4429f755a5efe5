#!/usr/bin/env python3
"""report_schema_test.py LOCKSTEP SOURCE: every kind of report against docs/report.schema.json."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

lockstep, source = sys.argv[1], Path(sys.argv[2])
schema = json.loads((source / "docs/report.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

saxpy = [source / "examples/saxpy.cl", "--global", 4096, "--local", 64, "--arg", "n=4096", "--arg", "a=2",
         "--arg", "x=[4096]:ramp", "--arg", "y=[4096]:ramp"]
transpose = [source / "examples/transpose.cl", "--kernel", "transpose_tiled", "--global", "64,64", "--local", "16,16",
             "--arg", "n=64", "--arg", "in=float[4096]", "--arg", "out=float[4096]"]
outside = [source / "examples/out_of_bounds.cl", "--global", 1024, "--local", 64, "--arg", "in=int[1024]",
           "--arg", "out=int[1024]"]
with tempfile.TemporaryDirectory() as folder:
    endless = Path(folder) / "endless.cl"
    endless.write_text("__kernel void k(__global int* a) { for (;;) a[get_global_id(0)] += 1; }\n")
    lasting = Path(folder) / "lasting.cl"
    lasting.write_text("__kernel void k(volatile __global int* a) "
                       "{ for (int i = 0; i < 2000000000; i++) a[get_global_id(0)] += i; }\n")
    spins = [endless, "--global", 64, "--arg", "a=int[64]"]
    # what is run, the exit code, the status, and views that must be there
    runs = [
        (saxpy, 0, "done", ["bound", "residency", "trust", "lines", "counters"]),
        ([*saxpy, "--gpu", "v100"], 0, "done", ["bound", "lines"]),
        ([*transpose, "--gpu", "rx6900xt"], 0, "done", ["bound"]),
        ([*transpose, "--sensitivity"], 0, "done", ["assumptions"]),
        ([*transpose, "--what-if"], 0, "done", ["what_if", "advice"]),
        ([*saxpy, "--what-if", "--repeat", 2], 0, "done", ["what_if"]),
        ([*saxpy, "--repeat", 3, "--clock", "1.04GHz"], 0, "done", ["launches"]),
        ([*transpose, "--functional"], 0, "done", ["counts", "lines", "counters"]),
        ([*transpose, "--functional", "--no-counts"], 0, "done", []),
        ([*saxpy, "--gpu", "gtx285"], 0, "done", ["bound", "lines"]),
        ([*outside, "--check"], 3, "failed", ["violations"]),
        ([*outside, "--check", "--functional", "--gpu", "gtx580"], 3, "failed", ["violations"]),
        ([*spins, "--functional", "--max-instructions", 10000], 3, "failed", ["failure"]),
        ([*spins, "--max-instructions", 10000], 3, "failed", ["failure"]),
        ([lasting, *spins[1:], "--time-limit", 0.5], 124, "stopped", ["bound"]),
    ]
    failed = 0
    for words, code, status, views in runs:
        ran = subprocess.run([lockstep, "run", *map(str, words), "--quiet", "--json", "-"], capture_output=True, text=True)
        wrong = [] if ran.returncode == code else [f"exit code {ran.returncode}, wanted {code}: {ran.stderr[:300]}"]
        try:
            report = json.loads(ran.stdout)
        except json.JSONDecodeError as error:
            wrong.append(f"no JSON: {error}")
        else:
            wrong += [f"{list(e.absolute_path)}: {e.message[:200]}" for e in validator.iter_errors(report)]
            if report.get("status") not in (status, "done" if "violations" in views else status):
                wrong.append(f"status {report.get('status')}, wanted {status}")
            wrong += [f"view {view} is missing" for view in views if view not in report["views"]]
            names = [one["name"] for one in report["views"].get("counters", [])]
            if len(set(names)) != len(names):
                wrong.append("two counters of one name")
        for one in wrong[:10]:
            print(f"FAILED: lockstep run {' '.join(map(str, words))}\n  {one}")
        failed += bool(wrong)
    print(f"{len(runs) - failed} of {len(runs)} kinds of report fit the schema")
    sys.exit(1 if failed else 0)
