# For tests of commands, by `source`: counts in $passed and $failed.
failed=0 passed=0

# expect CODE PATTERN COMMAND...: the exit code, and a pattern that the output holds.
expect() {
  local code=$1 pattern=$2 got output
  shift 2
  output=$("$@" 2>&1)
  got=$?
  if [ "$got" -ne "$code" ] || ! grep -q -E -- "$pattern" <<<"$output"; then
    printf 'FAILED: %s\n  exit code %s, wanted %s; wanted in the output: %s\n%s\n' "$*" "$got" "$code" "$pattern" "$output" | head -30
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

# untimed_machines FOLDER: a copy of the machine files in which GTX 285 has no timing model, as a GPU that nobody has described so far.
untimed_machines() {
  local file
  cp -r "$source/machines" "$1"
  for file in cc1 gtx285; do
    awk '/^\[/ { timed = /^\[timing/ } !timed' "$source/machines/nvidia/$file.toml" >"$1/nvidia/$file.toml"
  done
}
