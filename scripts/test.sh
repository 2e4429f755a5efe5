#!/usr/bin/env bash
# test.sh fast: what make test promises. test.sh long: the long tests and fuzzing as well.
set -euo pipefail
cd "$(dirname "$0")/.."
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
progress() { # of ctest's lines, eight or so: "  300 of 2550"
  local line
  while IFS= read -r line; do
    [[ $line =~ ^\ *([0-9]+)/([0-9]+)\ Test ]] || continue
    ((BASH_REMATCH[1] % (BASH_REMATCH[2] / 8 + 1))) || echo "  ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
  done
}
run() { # run FOLDER LABEL-REGEX-TO-EXCLUDE
  local log
  log=$(mktemp)
  if ! ctest --test-dir "$1" -j "$(nproc)" --output-on-failure --timeout "${3:-120}" $2 2>&1 | tee "$log" | progress; then
    grep -v -E '^ *(Start|[0-9]+/[0-9]+ Test .* Passed)' "$log" || true
    rm -f "$log"
    return 1
  fi
  grep -E 'tests passed|Total Test time' "$log"
  rm -f "$log"
}
scripts/check_format.sh
scripts/check_layering.py
scripts/check_docs.py
scripts/check_size.py
if [ "$1" = fast ]; then
  echo "Tests (g++, release)"
  run build "-LE long|fuzzing"
  # The rooms that execute and time, with the tests that drive them; the compilers' child processes need no sanitizer.
  declare -A filter=([test_exec]=--gtest_filter=-DeviceMemory.FallsBackToWhatTheHostGrants)
  sanitized="test_base test_machine test_exec test_isa test_cases test_time"
  scripts/build.sh sanitize $sanitized
  echo "Tests (clang++, AddressSanitizer and UndefinedBehaviorSanitizer)"
  for program in $sanitized; do
    path=build-sanitize/tests/$program
    [ "$program" = test_cases ] && path=build-sanitize/tests/cases/$program
    # A limit on address space and AddressSanitizer, which reserves terabytes of it, do not go together.
    if ! timeout 900 "$path" ${filter[$program]:-} >"build-sanitize/$program.log" 2>&1; then
      tail -60 "build-sanitize/$program.log"
      echo "$program failed under the sanitizers"
      exit 1
    fi
    echo "  $program passed"
  done
else
  # What `make demo` builds: a program whose other families are the files of absent/.
  echo "AMD alone, as the demo has it"
  scripts/build.sh demo lockstep
  saxpy=(run examples/saxpy.cl --global 4096 --local 256 --arg n=int:4096 --arg a=float:2.5 --arg 'x=float[4096]:random'
    --arg 'y=float[4096]:ramp' --gpu)
  build-demo/lockstep "${saxpy[@]}" mi25 >/dev/null
  for gpu in h200 hd530 hd5870; do
    if build-demo/lockstep "${saxpy[@]}" $gpu >build-demo/said 2>&1 || ! grep -q 'this build of Lockstep has no' build-demo/said; then
      cat build-demo/said
      echo "a build without the GPU $gpu does not say so"
      exit 1
    fi
  done
  echo "Long tests"
  run build "-L long" 7200
  # Twenty minutes of processor time for each kind of file.
  scripts/build.sh sanitize file_fuzz ptx_fuzz
  echo "Fuzzing (clang++, AddressSanitizer and UndefinedBehaviorSanitizer)"
  run build-sanitize "-L fuzzing" 10800
  # Timing on several host threads: engine, clusters, slices, channels, live sources, recording.
  scripts/build.sh tsan test_time
  echo "Timing on several host threads, tsan"
  if ! timeout 3600 build-tsan/tests/test_time --gtest_filter='Engine*:Windows*:MemoryWindows*:Slice*:Live*:Recorded*' \
    >build-tsan/test_time.log 2>&1; then
    tail -60 build-tsan/test_time.log
    echo "test_time failed (tsan)"
    exit 1
  fi
  echo "  test_time passed"
  # The OpenCL driver: its conformance suite, random calls and many threads under the sanitizers.
  opencl="opencl_conformance opencl_api_fuzz opencl_stress"
  for preset in sanitize tsan; do
    scripts/build.sh "$preset" lockstep_opencl $opencl
    echo "The OpenCL driver, $preset"
    for program in $opencl; do
      # The fuzzer gives all commands one piece of host memory: its own accesses race.
      [ "$preset $program" = "tsan opencl_api_fuzz" ] && continue
      options=()
      [ $program = opencl_api_fuzz ] && options=(--rounds 100 --calls 4000)
      [ $program = opencl_stress ] && options=(--threads 8 --rounds 400)
      log=build-$preset/$program.log
      if ! OCL_ICD_VENDORS=$PWD/build-$preset/icd LOCKSTEP_GPU=mi25 timeout 3600 \
        build-$preset/tests/opencl/$program "${options[@]}" >"$log" 2>&1; then
        tail -60 "$log"
        echo "$program failed ($preset)"
        exit 1
      fi
      echo "  $program passed"
    done
  done
fi
