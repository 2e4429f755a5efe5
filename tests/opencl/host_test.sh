#!/usr/bin/env bash
# host_test.sh LOCKSTEP DOOR CLOCK PROBE OBJDUMP: what runs before the host's processor was looked at runs on every x86-64.
set -u
lockstep=$1
door=$2
clock=$3
probe=$4
objdump=$5
failed=0

bad() {
  echo "FAILED: $*"
  failed=1
}

# plain NAME OPTIONS FILE: no instruction of AVX, BMI, FMA, LZCNT or MOVBE, and more than a few instructions at all.
plain() {
  local name=$1 listing
  shift
  listing=$("$objdump" -d --no-show-raw-insn "$@" | sed -nE 's/^ *[0-9a-f]+:[[:space:]]+([a-z][a-z0-9]*).*/\1/p')
  [ "$(wc -l <<<"$listing")" -gt 5 ] || bad "$name: there is nothing to look at"
  grep -E '^(v[a-z]|andn|bextr|bls|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|movbe)' <<<"$listing" | sort | uniq -c |
    sed "s/^/FAILED: $name has /" | grep . && failed=1
}

plain "$(basename "$door")" "$door"
plain "$(basename "$clock")" "$clock"
plain lockstep_check_host --disassemble-symbols=lockstep_check_host,lockstep_host_is_able,lockstep_host_level "$lockstep"

# The constructors of the two libraries that other programs load: the C runtime's, and the compiler's own look at the
# processor; the C runtime's, and the clock's. All of them are plain, as seen above.
constructors() { echo $((16#$("$objdump" -h "$1" | awk '$2 == ".init_array" { print $3 }') / 8)); }
[ "$(constructors "$door")" = 2 ] || bad "$(basename "$door") has constructors: $(constructors "$door")"
[ "$(constructors "$clock")" = 2 ] || bad "$(basename "$clock") has constructors: $(constructors "$clock")"
# The door needs the C library alone: what it loads later is not loaded with it.
"$objdump" -p "$door" | awk '$1 == "NEEDED" && $2 !~ /^(libc\.so|ld-linux)/ { print "FAILED: it needs " $2; code = 1 } END { exit code }' || failed=1
# The program's look at the host comes before every constructor.
"$objdump" -h "$lockstep" | awk '$2 == ".preinit_array" { found = 1 } END { exit !found }' || bad "no .preinit_array"

# With an emulated processor of 2008, where there is one.
if command -v qemu-x86_64 >/dev/null; then
  output=$(qemu-x86_64 -cpu Nehalem "$lockstep" --help 2>&1)
  [ $? -eq 1 ] && grep -q host-too-old <<<"$output" || bad "the program on an old host: $output"
  output=$(OCL_ICD_VENDORS=$door LOCKSTEP_GPU=mi25 qemu-x86_64 -cpu Nehalem "$probe" add 2>&1)
  grep -q 'no device is shown' <<<"$output" && grep -q 'clGetPlatformIDs: error -1001' <<<"$output" || bad "the driver on an old host: $output"
fi
exit $failed
