#!/usr/bin/env bash
# docs/fidelity.md and experiments/accuracy.json are what the model gives today: fidelity_page_test.sh LOCKSTEP SOURCE
set -uo pipefail
made=$(mktemp) accuracy=$(mktemp)
trap 'rm -f "$made" "$accuracy"' EXIT
"$1" experiment all --markdown --accuracy "$accuracy" >"$made"
status=$?
# 3: a judged figure misses, as the page says.
[ $status -eq 0 ] || [ $status -eq 3 ] || exit 1
diff "$2/docs/fidelity.md" "$made" && diff "$2/experiments/accuracy.json" "$accuracy" && exit 0
echo "not what the model gives: lockstep experiment all --markdown --accuracy experiments/accuracy.json >docs/fidelity.md" >&2
exit 1
