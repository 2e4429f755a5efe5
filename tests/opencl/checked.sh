#!/bin/sh
# checked.sh PROGRAM ICD_FOLDER: runs tests/opencl/checked.cpp under LOCKSTEP_CHECK.
program=$1
export OCL_ICD_VENDORS=$2 LOCKSTEP_GPU=mi25
failed=0

# expect CODE PATTERN... -- VARIABLES... : the exit code, and words that the output has.
expect() {
  wanted=$1
  shift
  patterns=
  while [ "$1" != -- ]; do patterns="$patterns $1"; shift; done
  shift
  out=$(env "$@" 2>&1)
  code=$?
  [ $code = "$wanted" ] || { echo "exit code $code, not $wanted: $*"; echo "$out"; failed=1; }
  for pattern in $patterns; do
    echo "$out" | grep -q -e "$pattern" || { echo "'$pattern' is missing: $*"; echo "$out"; failed=1; }
  done
}

for mode in functional timed; do
  export LOCKSTEP_MODE=$mode
  expect 0 fine 0.notices -- "$program"
  expect 0 fine data-race out-of-bounds uninitialised-value -- LOCKSTEP_CHECK=1 "$program"
  expect 3 fine data-race -- LOCKSTEP_CHECK=races LOCKSTEP_CHECK_EXIT=3 "$program"
  expect 0 fine 0.notices -- LOCKSTEP_CHECK=all LOCKSTEP_CHECK_EXIT=3 "$program" good
  expect 0 fine 0.notices -- LOCKSTEP_CHECK=barriers LOCKSTEP_CHECK_EXIT=3 "$program"
done
export LOCKSTEP_MODE=functional
expect 3 fine data-race out-of-bounds -- LOCKSTEP_GPU=v100 LOCKSTEP_CHECK=1 LOCKSTEP_CHECK_EXIT=3 "$program"
expect 1 LOCKSTEP_CHECK=speed -- LOCKSTEP_CHECK=speed "$program"
expect 1 LOCKSTEP_CHECK_EXIT=x -- LOCKSTEP_CHECK_EXIT=x "$program"
exit $failed
