#!/usr/bin/env bash
# Configures and builds a preset: build.sh PRESET [TARGET...]. Quiet when there is nothing to say.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build
[ "$preset" = release ] || folder=build-$preset
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Always: packages that were installed since the last time add what was left out (the tests).
[ -f "$folder/build.ninja" ] || echo "Configuring $folder"
cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
grep -E '^-- Not built' "$log" | sed 's/^-- //' || true
if [ -t 1 ]; then
  ninja -C "$folder" "$@"
  exit
fi
# A line every twenty steps; whatever a compiler says is shown.
ninja -C "$folder" "$@" 2>&1 | awk -v folder="$folder" '
  /^\[[0-9]+\/[0-9]+\]/ {
    split(substr($1, 2), part, "[/\\]]")
    if (part[2] <= 2) next
    if (!begun) { print "Building " folder " (" part[2] " steps)"; begun = 1 }
    if (part[1] % 20 == 0) print "  " part[1] " of " part[2]
    fflush()
    next
  }
  /^ninja: (Entering|no work)/ || /^-- / { next }
  { print; fflush() }'
exit "${PIPESTATUS[0]}"
