#!/usr/bin/env bash
# wrong_inputs_test.sh LOCKSTEP SOURCE [FILTER]: every line of wrong_inputs.txt: its exit code, its message, no signal and nothing left behind.
set -u
lockstep=$1
source=$2
filter=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

cp "$source/examples/saxpy.cl" saxpy.cl
cat >bogus.cu <<'S'
__global__ void k(int* x) { asm volatile("bogus.op.u32 %0, 1;" : "=r"(x[0])); }
S
printf '__kernel void a(__global int* x) { x[0] = 1; }\n__kernel void b(__global int* x) { x[0] = 2; }\n' >two.cl
printf 'int f(int x) { return x; }\n' >none.cl
printf '__kernel void k(__global int* a) { a[0] = ; }\n' >broken.cl
printf 'typedef struct { int x, y; } point;\n__kernel void k(point p, __global int* out) { out[0] = p.x; out[1] = p.y; }\n' >point.cl
printf '__kernel void k(__local float* t, __global float* out) { t[0] = 1; out[0] = t[0]; }\n' >locals.cl
printf '__kernel void k(read_only image2d_t i, sampler_t s, __global float4* out) { out[0] = read_imagef(i, s, (float2)(0)); }\n' >pictures.cl
printf '.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .f32 p) {\n  ret;\n}\n' >plain.ptx
printf '__constant__ float by[2];\n__global__ void k(float* x) { x[0] = by[1]; }\n' >by.hip
printf 'words\n' >words.txt
: >empty
mkdir folder.toml
printf 'not a machine\n' >bad.toml
printf '[[kernel]]\nfile = "saxpy.cl"\ngpus = []\nglobal = 64\n' >nogpu.toml
. "$source/tests/cli/expect.sh"
untimed_machines machines
export LOCKSTEP_MACHINES=$PWD/machines
# npy FILE DESCR SHAPE BYTES
npy() {
  local header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
  printf "\x93NUMPY\x01\x00\\x$(printf %02x ${#header})\x00%s" "$header" >"$1"
  head -c "$4" /dev/zero >>"$1"
}
npy f8.npy '<f4' '(8,)' 32
npy d4.npy '<f8' '(2, 2)' 32

S=saxpy.cl
A0='--arg n=64 --arg a=2 --arg x=[64] --arg y=[64]'
A="--global 64 $A0"
AX='--global 64 --arg x=[64] --arg y=[64]'
AN='--global 64 --arg n=64 --arg a=2'
before=$(ls | sort)
passed=0 failed=0 number=0
while IFS= read -r line; do
  number=$((number + 1))
  case $line in '' | '#'*) continue ;; esac
  code=${line%% | *} rest=${line#* | }
  pattern=${rest%% | *} words=${rest#* | }
  [ "$words" != "$rest" ] || { pattern=${rest% |} words=''; }
  [[ -z $filter || $line =~ $filter ]] || continue
  set -f
  eval "set -- $words"
  set +f
  output=$(timeout 60 "$lockstep" "$@" 2>&1)
  got=$?
  left=$(comm -13 <(printf '%s\n' "$before") <(ls | sort))
  if [ "$got" -ne "$code" ] || ! grep -q -E -- "$pattern" <<<"$output" || [ -n "$left" ]; then
    printf 'FAILED: wrong_inputs.txt:%s: lockstep %s\n  exit code %s, wanted %s; wanted in the message: %s; left behind: %s\n%s\n' \
      "$number" "$words" "$got" "$code" "$pattern" "$left" "$output" | head -12
    failed=$((failed + 1))
    [ -z "$left" ] || rm -f -- $left
  else
    passed=$((passed + 1))
  fi
done <"$source/tests/cli/wrong_inputs.txt"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
