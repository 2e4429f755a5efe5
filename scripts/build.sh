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
# A line every twenty steps; whatever a compiler says is shown. (Debian's awk reads pipes by the block: what it said would come late.)
begun=
ninja -C "$folder" "$@" 2>&1 | while IFS= read -r line; do
  if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
    [ "${BASH_REMATCH[2]}" -gt 2 ] || continue
    [ -n "$begun" ] || echo "Building $folder (${BASH_REMATCH[2]} steps)"
    begun=1
    ((BASH_REMATCH[1] % 20)) || echo "  ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
  elif [[ ! $line =~ ^(ninja: (Entering|no work)|-- ) ]]; then
    printf '%s\n' "$line"
  fi
done
exit "${PIPESTATUS[0]}"
