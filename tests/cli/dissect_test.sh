#!/usr/bin/env bash
# lockstep dissect: dissect_test.sh LOCKSTEP ICD-FOLDER FAKE-CUDA-FOLDER. PoCL and Lockstep's own driver are its OpenCL
# devices, a libcuda.so.1 that knows what a step takes is its NVIDIA driver.
set -u
lockstep=$1
icd=$2
cuda_folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
# expect CODE PATTERN COMMAND...: the exit code, and a line of what is said
expect() {
  local code=$1 pattern=$2
  shift 2
  "$@" >"$work/out" 2>&1
  local got=$?
  [ "$got" = "$code" ] || fail "$* ended with $got, not $code: $(head -5 "$work/out")"
  grep -qE -- "$pattern" "$work/out" || fail "$*: nothing says '$pattern': $(head -5 "$work/out")"
}

expect 0 '^latency +latency of global loads' "$lockstep" dissect --list
expect 2 'which GPU' "$lockstep" dissect
expect 2 'unknown-machine' "$lockstep" dissect --gpu mi26
source=$(cd "$(dirname "$0")/../.." && pwd)
cp -r "$source/machines" "$work/machines"
awk '/^\[/ { timed = /^\[timing/ } !timed' "$source/machines/nvidia/cc1.toml" >"$work/machines/nvidia/cc1.toml"
expect 1 'not-timed' env LOCKSTEP_MACHINES="$work/machines" "$lockstep" dissect --gpu 8800
expect 2 "did you mean 'latency'" "$lockstep" dissect --gpu mi25 --only latenci
expect 2 'no-device' env OCL_ICD_VENDORS="$work" "$lockstep" dissect --backend opencl
expect 2 "has 'voodoo' in it" "$lockstep" dissect --backend opencl --device voodoo
expect 2 '--device names a device' "$lockstep" dissect --gpu mi25 --device pthread

# The model: what a machine file states comes back, in the same bytes with any number of threads.
expect 0 'memory  .* 100 %|memory  .* 10[0-9] %' "$lockstep" dissect --gpu mi25 --only latency --threads 1
cp "$work/out" "$work/one"
expect 0 'second level' "$lockstep" dissect --gpu mi25 --only latency --threads 3
grep -v '^lockstep: ' "$work/one" >"$work/a"
grep -v '^lockstep: ' "$work/out" >"$work/b"
cmp -s "$work/a" "$work/b" || fail "the threads' number changes the output"
expect 0 '^latency_cycles = \{value = [0-9]+, unit = "cycles", source = "DISSECT"' \
  "$lockstep" dissect --gpu mi25 --only latency --toml

# Beside what a device gave: how far off, kept for reports.
expect 0 '^[0-9]+ of these figures were measured on a device: [0-9.]+ % off on average' "$lockstep" dissect --gpu h200 --only barrier --accuracy "$work/measured.json"
grep -q '"h200"' "$work/measured.json" || fail "no accuracy is kept"
expect 2 'experiments/GPU/dissect.json is needed' "$lockstep" dissect --gpu mi25 --only barrier --accuracy "$work/measured.json"

# A kernel that does not compile: on the model and on a device; the rest goes on.
cp -r "$(dirname "$0")/../../dissect" "$work/kernels"
echo 'nonsense' >>"$work/kernels/control.cl"
expect 1 'compile-failed|unknown type name' env LOCKSTEP_DISSECT="$work/kernels" "$lockstep" dissect --gpu mi25 --only barrier,constant
grep -q 'constant, nearest level' "$work/out" || fail "a benchmark that fails ends the others"

pocl() {
  "$lockstep" dissect --backend opencl --device pthread "$@"
}
if pocl --only clock >/dev/null 2>&1; then
  expect 0 '^  local latency +[0-9.]+ cycles' pocl --only local,launch
  expect 0 '"backend": "opencl"' pocl --only launch --json
  expect 1 'kernel-not-compiled' env LOCKSTEP_DISSECT="$work/kernels" "$lockstep" dissect --backend opencl --device pthread --only barrier
else
  echo "no PoCL here: not tried"
fi
own() {
  env OCL_ICD_VENDORS="$icd" LOCKSTEP_MODE=timed LOCKSTEP_GPU=mi25 "$lockstep" dissect --backend opencl --gpu mi25 "$@"
}
# Times in nanoseconds, the same as the model's own to their rounding.
expect 0 'local latency +[67][0-9]\.' own --only local

cuda() {
  env LD_LIBRARY_PATH="$cuda_folder" "$lockstep" dissect --backend cuda "$@"
}
# A step takes 10 ns, at 1 GHz.
expect 0 '^  group of 64 +10\.0+ cycles' cuda --device v100 --only barrier --ptx "$work"
expect 0 '^  each of a queue +3000 ns' cuda --device 0 --only launch
expect 0 '"driver": "libcuda of CUDA 12.4"' cuda --device h100 --only launch --json
expect 0 '^  of the shorter one' cuda --device 0 --only copy
# The kernels' PTX is in the folder: no compiler is needed, but the sources must be the same.
ls "$work"/control.GROUP=64.sm_70.ptx >/dev/null || fail "--ptx kept nothing"
expect 0 '^  group of 64 +10\.0+ cycles' env PATH=/usr/bin:/bin LOCKSTEP_CLANG=/nonexistent LD_LIBRARY_PATH="$cuda_folder" \
  "$lockstep" dissect --backend cuda --device 0 --only barrier --ptx "$work"
expect 1 'stale-ptx' env LOCKSTEP_DISSECT="$work/kernels" LD_LIBRARY_PATH="$cuda_folder" \
  "$lockstep" dissect --backend cuda --device 0 --only barrier --ptx "$work"
expect 2 '2 NVIDIA GPUs fit' cuda --only launch
expect 2 "name has 'h200' in it" cuda --device h200
expect 1 'refuses the kernel.s PTX \(CUDA_ERROR_INVALID_PTX \(218\)\)' env FAKE_CUDA=refuse LD_LIBRARY_PATH="$cuda_folder" \
  "$lockstep" dissect --backend cuda --device 0 --only launch
expect 1 'cuLaunchKernel .*CUDA_ERROR_LAUNCH_FAILED \(719\)' env FAKE_CUDA=fault LD_LIBRARY_PATH="$cuda_folder" \
  "$lockstep" dissect --backend cuda --device 0 --only launch
expect 1 'cuInit .*CUDA_ERROR_NO_DEVICE' env FAKE_CUDA=no-gpu LD_LIBRARY_PATH="$cuda_folder" "$lockstep" dissect --backend cuda
touch "$work/libcuda.so.1"
expect 1 'no NVIDIA driver' env LD_LIBRARY_PATH="$work" "$lockstep" dissect --backend cuda
expect 2 'no GPU of NVIDIA' "$lockstep" dissect --gpu mi25 --ptx "$work"
expect 2 "take the kernels' source" "$lockstep" dissect --backend opencl --ptx "$work"
# The model leaves the same PTX there.
mkdir "$work/ptx"
expect 0 'group of 64' "$lockstep" dissect --gpu v100 --only barrier --ptx "$work/ptx"
cmp "$work/ptx/control.GROUP=64.sm_70.ptx" "$work/control.GROUP=64.sm_70.ptx" || fail "the model's PTX is another"
[ $failures = 0 ] || exit 1
echo "dissect: all as expected"
