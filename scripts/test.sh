#!/usr/bin/env bash
# test.sh fast: what make test promises. test.sh long: the long tests and fuzzing as well.
set -euo pipefail
cd "$(dirname "$0")/.."
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
run() { # run FOLDER LABEL-REGEX-TO-EXCLUDE
  local log
  log=$(mktemp)
  if ! ctest --test-dir "$1" -j "$(nproc)" --output-on-failure --timeout "${3:-120}" $2 >"$log" 2>&1; then
    grep -v -E '^ *(Start|[0-9]+/[0-9]+ Test .* Passed)' "$log" || true
    rm -f "$log"
    return 1
  fi
  grep -E 'tests passed|Total Test time' "$log"
  rm -f "$log"
}
scripts/check_format.sh
scripts/check_layering.py
scripts/check_size.py
if [ "$1" = fast ]; then
  echo "Tests (g++, release)"
  run build "-LE long"
  scripts/build.sh sanitize
  echo "Tests (clang++, AddressSanitizer and UndefinedBehaviorSanitizer)"
  run build-sanitize "-LE long|release-only"
else
  echo "Long tests"
  run build "-L long" 7200
fi
