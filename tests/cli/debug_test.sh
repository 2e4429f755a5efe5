#!/usr/bin/env bash
# debug_test.sh LOCKSTEP SOURCE: instructions traced and stepped through.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU
export XDG_CONFIG_HOME=$folder/none
. "$source/tests/cli/expect.sh"
cat >k.cl <<'C'
__kernel void k(__global const int* in, __global int* out, int n) {
  __local int t[64];
  int i = get_global_id(0);
  t[get_local_id(0)] = in[i] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = t[63 - get_local_id(0)];
  if (sum > 300) sum -= n;
  out[i] = sum;
}
C
run=("$lockstep" run k.cl --global 256 --local 64 --arg 'in=[256]:ramp' --arg 'out=int[256]' --arg n=7 --quiet)

# What a trace says is what the run computes: the product's value in lane 2 of group 1's wave, in[66] * 3 = 198.
for gpu in mi25 rx6900xt v100 hd5870; do
  "${run[@]}" --gpu $gpu --trace-instructions item:66 >$gpu.item 2>/dev/null
  expect 0 ' out .*0x000000c6 \(198\)' cat $gpu.item
  expect 0 'wave 1\..*k.cl:4 ' cat $gpu.item
  expect 0 '^0$' bash -c "grep -c 'wave 0\\.' $gpu.item; true"
  # The trace of a group: each of its waves executes as many instructions as a run counts for all of them.
  "${run[@]}" --gpu $gpu --trace-instructions group:2 >$gpu.group 2>/dev/null
  "$lockstep" run k.cl --gpu $gpu --global 256 --local 64 --arg 'in=[256]:ramp' --arg 'out=int[256]' --arg n=7 --functional --quiet --json $gpu.json 2>/dev/null
  traced=$(grep -c '^wave 2\.' $gpu.group)
  expect 0 '' python3 -c "import json; run = json.load(open('$gpu.json')); per_group = [p for p in [run['counters']['instructions'] / 4]][0]; assert abs(per_group - $traced) <= 0.1 * per_group, (per_group, $traced)"
done
# Lanes that follow a rule are one line; the mask is told where it changes.
"${run[@]}" --trace-instructions wave:1 >wave 2>/dev/null
expect 0 'v[0-9]+ +0x000000c0, \+3 from lane to lane' cat wave
expect 0 '64 of 64 lanes run: 0xffffffffffffffff' cat wave
expect 0 'scc|vcc_lo' cat wave

# PTX's registers have the names of its text: what the product's instruction reads and writes stands in it.
product=$(grep -A5 'mul.lo.s32\|mad.lo.s32' v100.item | head -6)
expect 0 ' out +%r[0-9]+ +0x000000c6 \(198\)' echo "$product"
expect 0 '(in|out) +%rd[0-9]+\.hi ' cat v100.item
expect 0 'in +%p[0-9]+ ' cat v100.item
expect 0 'in +%ctaid\.x +0x1$' cat v100.item

# Steps, breakpoints, registers, memory.
steps() { printf '%s\n' "$@" | "${run[@]}" --step wave:1 2>&1; }
expect 0 '^  stops at: line 8$' steps 'b 8' c q
expect 0 '^wave 1\.0 .*k.cl:8 ' steps 'b 8' c
expect 0 'no instruction is of line 99' steps 'b 99'
expect 0 'v0 0x00000000, \+1 from lane to lane' steps 'p v0' q
expect 0 'v0 0x00000005 \(5\)' steps 'p v0 5' q
expect 0 "there is no register 'v999' here" steps 'p v999' q
expect 0 'a lane is 0 to 63' steps 'p v0 64' q
expect 0 '^> wave 1\.0' steps l q
expect 0 '0x1000000100: 40 00 00 00 41 00 00 00' steps 'x 0x1000000100 8' q
expect 0 'lies in no memory' steps 'x 0x10' q
expect 0 'lies in no memory' steps 'x l:99999' q
# Local memory behind the barrier: t[0] is in[64] * 3 = 192.
expect 0 '0x0: c0 00 00 00 c3 00 00 00' steps 'b 8' c 'x l:0 8' q
expect 0 'execute one instruction' steps nonsense q
expect 0 "'nonsense' is no command here" steps nonsense q
expect 0 'v0 0x00000005 \(5\)' steps 'print v0 5' quit
[ "$(steps 'step 3' q | grep -c '^wave 1\.0')" -eq 2 ] || { echo 'FAILED: step is s'; failed=$((failed + 1)); }
if steps help q | grep -q 'is no command'; then echo 'FAILED: help is a command'; failed=$((failed + 1)); fi
holds_lines=$(steps s s s q | grep -c '^wave 1\.0')
[ "$holds_lines" -eq 4 ] || { echo "FAILED: 3 steps show $holds_lines places"; failed=$((failed + 1)); }
[ "$(steps 's 3' q | grep -c '^wave 1\.0')" -eq 2 ] || { echo 'FAILED: s 3 stops once more'; failed=$((failed + 1)); }
# An empty line repeats; the input's end lets the run go on to its end, with its output.
[ "$(steps s '' '' q | grep -c '^wave 1\.0')" -eq 4 ] || { echo 'FAILED: an empty line repeats the last command'; failed=$((failed + 1)); }
printf 's\n' | "${run[@]}" --step item:0 --dump out=out.npy >/dev/null 2>&1
expect 0 '^ *189$' od -A n -t d4 -j 128 -N 4 out.npy
# A violation on the traced path is where the trace ends.
expect 3 'the launch fails here' "$lockstep" run "$source/examples/out_of_bounds.cl" --global 64 --local 64 --arg 'in=int[64]' --arg 'out=null' \
  --trace-instructions wave:0 --quiet

expect 2 'bad-trace' "${run[@]}" --trace-instructions item:256
expect 2 'a group has 1 waves' "${run[@]}" --trace-instructions wave:0,1
expect 2 'has 4 groups' "${run[@]}" --trace-instructions group:4
expect 2 'a number is missing' "${run[@]}" --step item:x
expect 2 'wanted is a part' "${run[@]}" --step thread:1
expect 2 'excludes' "${run[@]}" --step item:0 --trace-instructions item:0
expect 2 "no modelled time" "${run[@]}" --step item:0 --repeat 2
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
