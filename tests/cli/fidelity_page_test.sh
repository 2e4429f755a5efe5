#!/usr/bin/env bash
# docs/fidelity.md is what the model gives today: fidelity_page_test.sh LOCKSTEP SOURCE
set -uo pipefail
made=$(mktemp)
trap 'rm -f "$made"' EXIT
"$1" experiment all --markdown >"$made"
status=$?
# 3: a judged figure misses, as the page says.
[ $status -eq 0 ] || [ $status -eq 3 ] || exit 1
diff "$2/docs/fidelity.md" "$made" && exit 0
echo "docs/fidelity.md is not what the model gives: lockstep experiment all --markdown >docs/fidelity.md" >&2
exit 1
