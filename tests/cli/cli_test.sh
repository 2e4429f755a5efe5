#!/usr/bin/env bash
# cli_test.sh LOCKSTEP SOURCE: every command once, and every kind of bad input: its exit code, its message, no partial output.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$source/tests/cli/expect.sh"
saxpy=(--global 1024 --local 64 --arg n=int:1024 --arg a=float:2 --arg 'x=float[1024]:ramp' --arg 'y=float[1024]:fill(1)')

cat >printing.hip <<'S'
#include <hip/hip_runtime.h>
__global__ void say(int* x) { if (threadIdx.x < 2) printf("item %d of %d\n", threadIdx.x, blockDim.x); x[0] = 1; }
S
printf '__kernel void k(__global float* x) { x[0] = native_exp2(x[1]) + 1.0f; }\n' >approximate.cl
cat >unknown.ptx <<'S'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k() {
  wgmma.fence.sync.aligned;
  ret;
}
S

# What must work.
expect 0 'What bounds it' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --json report.json --dump y=y.npy
expect 0 '"gpu": "mi25"' cat report.json
expect 0 'cycles at 1.04 GHz .chosen; its own is 1.5 GHz.' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --clock 1.04GHz
expect 0 '"clock_hz": 1040000000' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --clock 1040000000 --quiet --json -
expect 0 'median of the others' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --repeat 4 --json repeated.json --dump y=y4.npy
expect 0 '"launch": 4' cat repeated.json
# Launches repeat in place: y[3] = 1 + 4 * 2 * 3.
expect 0 '^ *25$' od -A n -t f4 -j 140 -N 4 y4.npy
printf '__kernel void f(__global int* a) { a[0] += 1; if (a[0] == 3) a[1000000000] = 1; }\n' >third.cl
expect 3 'launch 3 of 5: store of 4 bytes' "$lockstep" run third.cl --global 1 --arg 'a=int[1]' --repeat 5
printf '__kernel void s(volatile __global uint* a) { if (get_local_id(0) == 0) { while (atomic_cmpxchg(&a[0], 0u, 1u) != 0u) {} a[1] += 1; atomic_xchg(&a[0], 0u); } }\n' >spin.cl
expect 0 'executed again for each figure: what waves do depends on when' "$lockstep" run spin.cl --sensitivity --global 256 --local 64 --arg 'a=uint[2]'
expect 0 'depends on when' "$lockstep" run spin.cl --what-if --global 256 --local 64 --arg 'a=uint[2]'
# More loads of a wave under way than eight bits count.
expect 0 'no warp waits for its own results' "$lockstep" run "$source/examples/guide/caches.cl" --gpu gtx1050 --global 1536 --local 256 \
  --arg words=65536 --arg 'in=float[393216]' --arg 'out=float[1536]' --what-if
expect 0 'saves .* a launch right behind another of its kind' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --what-if
expect 0 '"timed_again_by": "replay"' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --sensitivity --quiet --json -
expect 0 '"timed_again_by": "execution"' "$lockstep" run spin.cl --sensitivity --global 256 --local 64 --arg 'a=uint[2]' --quiet --json -
expect 0 'empty before each' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --repeat 2 --cold
expect 0 'leads to' "$lockstep" gpus --describe mi25
expect 0 'leads to' "$lockstep" gpus mi25
expect 0 '"version": 1' "$lockstep" gpus --describe mi300x --json
untimed_machines machines
expect 0 'not timed: there is no timing model' env LOCKSTEP_MACHINES="$PWD/machines" "$lockstep" gpus --describe gtx285
for key in kernel time_ns cycles clock_hz occupancy waves_per_cu limiter counters bound; do
  expect 0 "\"$key\"" cat report.json
done
# y[3] = 2 * 3 + 1 = 7, behind the header of 128 bytes.
expect 0 '^ *7$' od -A n -t f4 -j 140 -N 4 y.npy
expect 0 'wave-instructions' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --functional
expect 0 'a transaction is a line of 64 bytes' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --functional
expect 0 '64 transactions for a store where 4 would do' "$lockstep" run "$source/examples/transpose.cl" --kernel transpose_naive --functional \
  --global 512,512 --local 16,16 --arg n=512 --arg 'in=float[262144]' --arg 'out=float[262144]'
expect 0 '"vector.transactions": 96' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --gpu rx6900xt --functional --quiet --json -
expect 0 'wave-instructions' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --functional --no-counts
expect 0 'saxpy' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --check
expect 0 'saxpy' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --check=races,bounds
"$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --json again.json >/dev/null 2>&1
expect 0 '' cmp report.json again.json
expect 0 'mi300x .*gfx942' "$lockstep" gpus
expect 0 '"id": "uhd600"' "$lockstep" gpus --json
# --json is the same in every command: alone it prints, with = it writes a file.
expect 0 '"gpu": "mi25"' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --quiet --json
"$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --quiet --json=equals.json
expect 0 '' cmp report.json equals.json
expect 0 '"gpu": "mi25"' "$lockstep" gpus --json mi25
expect 0 '^$' "$lockstep" gpus --json=gpus.json
expect 0 '"id": "uhd600"' cat gpus.json
expect 0 '^$' "$lockstep" occupancy --gpu mi60 --local 128 --json=occupancy.json
expect 0 '"limits"' cat occupancy.json
expect 1 'cannot-write' "$lockstep" bench --filter vector_add --json=no/such/folder.json
expect 2 'did you mean --json=x.json' "$lockstep" occupancy --local 64 --json x.json
expect 2 'belongs to no option' "$lockstep" exec --json x.json -- echo hello
expect 2 'it needs --report' "$lockstep" exec --json -- echo hello
for gpu in mi25 h200 hd530 hd5870 8800; do
  expect 0 'limited by' "$lockstep" occupancy --gpu $gpu --local 64 --vgprs 16
done
expect 0 '"limiter": "local memory"' "$lockstep" occupancy --gpu mi60 --local 128 --lds 65536 --json
expect 0 'VGPR|vector' "$lockstep" occupancy --gpu mi25 --kernel "$source/examples/saxpy.cl:saxpy" --local 256
expect 0 '<svg' "$lockstep" occupancy --gpu mi25 --local 256 --vgprs 24 --sweep vgprs --svg -
# Lines are the source's, with its text, whichever compiler made the tables; what belongs to none says so.
for gpu in mi25 v100 hd530 hd6970; do
  expect 0 '^ +[0-9.]+ % +examples/saxpy.cl:4 .* y\[i\] = a \* x' env -C "$source" "$lockstep" run examples/saxpy.cl --gpu $gpu \
    --global 256 --local 64 --arg n=256 --arg a=2 --arg 'x=[256]:ramp' --arg 'y=[256]' --functional
  expect 1 '^0$' bash -c "cd '$source' && '$lockstep' run examples/saxpy.cl --gpu $gpu --global 256 --local 64 --arg n=256 \
    --arg a=2 --arg 'x=[256]:ramp' --arg 'y=[256]' --functional | grep -c 'saxpy.cl:[0-9][0-9]'"
done
# HIP and CUDA C++, on both vendors; the kernel by the name that its source has.
tree=(--kernel sum_tree --global 512 --local 128 --dynamic-local 1024 --arg n=long:1000 --arg 'x=double[1000]:ramp'
  --arg 'result=double[4]:zero' --functional)
for gpu in mi25 k40c gtx580; do
  expect 0 'sum_tree on' "$lockstep" run "$source/examples/hip/sum_tree.hip" --gpu $gpu "${tree[@]}" --dump result=sums.npy
  # The first of 4 groups: every element i with i % 512 < 128.
  expect 0 '^ *81792$' od -A n -t f8 -j 128 -N 8 sums.npy
done
expect 0 '"kernel": "sum_strided"' "$lockstep" run "$source/examples/hip/sum_strided.hip" --gpu mi25 --global 512 --local 64 --quiet \
  --arg n=long:1000 --arg 'x=double[1000]:ramp' --arg 'partial=double[512]' --json -
expect 0 'dot on' "$lockstep" run "$source/examples/cuda/dot.cu" --gpu v100 --global 512 --local 64 --functional \
  --arg n=int:1000 --arg 'x=float[1000]:fill(2)' --arg 'y=float[1000]:fill(0.5)' --arg 'result=float[1]:zero' --dump result=dot.npy
expect 0 '^ *1000$' od -A n -t f4 -j 128 -N 4 dot.npy
# Variables that a host program writes: given, named where nobody does, undefined in checked runs.
cat >scaled.hip <<'S'
#include <hip/hip_runtime.h>
__constant__ float by[2];
__constant__ int limit;
__global__ void scale(float* x) { if ((int)threadIdx.x < limit) x[threadIdx.x] *= by[threadIdx.x & 1]; }
S
for gpu in mi25 h200; do
  scaled=(run scaled.hip --gpu $gpu --global 64 --local 64 --functional --arg 'x=float[64]:fill(3)')
  expect 0 "^scale on" "$lockstep" "${scaled[@]}" --check --symbol limit=int:64 --symbol 'by=float[2]:ramp(4,1)' --dump x=scaled.npy
  expect 0 '^ *12 +15$' od -A n -t f4 -j 128 -N 8 scaled.npy
  expect 0 "note: the __constant__ variable 'by' has no initial value" "$lockstep" "${scaled[@]}" --symbol limit=int:64
  expect 3 "variable 'limit', byte 0, which nothing wrote" "$lockstep" "${scaled[@]}" --check
done
expect 0 'item 1 of 64' "$lockstep" run printing.hip --gpu mi25 --global 64 --local 64 --arg 'x=int[1]' --functional
expect 0 'item 1 of 64' "$lockstep" run printing.hip --gpu h200 --global 64 --local 64 --arg 'x=int[1]' --quiet
expect 0 'item 1 of 64' "$lockstep" run printing.hip --gpu gtx1080 --global 64 --local 64 --arg 'x=int[1]' --quiet
expect 0 'group_sums on' "$lockstep" run "$source/tests/data/objects/v2_gfx900.hsaco" --gpu mi25 --kernel group_sums --global 128 --local 64 \
  --arg 'x=int[128]:fill(1)' --arg 'sums=int[2]'
# One instruction of the kernel has a bound.
expect 0 'approximated: .*v_exp_f32' "$lockstep" fidelity approximate.cl --gpu mi25
expect 0 'exact .*100.0 %' "$lockstep" fidelity approximate.cl --gpu v100
expect 0 '"approximated": 1' "$lockstep" fidelity approximate.cl --gpu mi25 --json -
expect 0 '"unknown": 0' "$lockstep" fidelity "$source/examples/hip/sum_tree.hip" --gpu mi300x --json - --kernel sum_tree
expect 1 'unknown: wgmma' "$lockstep" fidelity unknown.ptx --gpu h200
expect 2 'no-such-kernel' "$lockstep" fidelity approximate.cl --gpu mi25 --kernel nope
for word in LOCKSTEP_EXPERIMENTS LOCKSTEP_BENCH_KERNELS LOCKSTEP_DEVLIB fidelity; do
  expect 0 "$word" "$lockstep" --help
done
for command in run gpus occupancy fidelity experiment bench; do
  expect 0 'Usage' "$lockstep" $command --help
done

# What must be refused, with place and hint.
printf '__kernel void k(__global int* a) { a[0] = ; }\n' >broken.cl
printf '__kernel void k(__global int* a) { for (;;) a[get_global_id(0)] += 1; }\n' >endless.cl
printf '__kernel void k(__global int* a) { if (get_local_id(0) < 64) barrier(1); a[get_global_id(0)] = 1; }\n' >barrier.cl
printf '__kernel void k(__global int* a) { if (get_local_id(0) == 0) a[0] = get_group_id(0); }\n' >race.cl
printf '__kernel void k(volatile __global int* a) { while (a[0] == 0); }\n' >stuck.cl
printf 'not a machine\n' >bad.toml
cat >unknown.s <<'S'
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl k
	.p2align 8
	.type k,@function
k:
	s_frobnicate s0, s1
	s_endpgm
S
expect 1 'broken.cl:1:4[0-9]: error' "$lockstep" run broken.cl --global 1
expect 1 'no-such-file' "$lockstep" run missing.cl --global 1
expect 2 "did you mean 'mi25'" "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --gpu mi24
expect 2 'bad-size' "$lockstep" run "$source/examples/saxpy.cl" --global 12x
expect 2 'not a multiple' "$lockstep" run "$source/examples/saxpy.cl" --global 100 --local 64 --arg n=int:1 --arg a=float:2 --arg 'x=float[9]' --arg 'y=float[9]'
expect 2 'is more than' "$lockstep" run "$source/examples/saxpy.cl" --global 4096 --local 2048 --arg n=int:1 --arg a=float:2 --arg 'x=float[9]' --arg 'y=float[9]'
expect 2 'saxpy' "$lockstep" run "$source/examples/saxpy.cl" --kernel nope --global 64
expect 2 'wrong-arguments' "$lockstep" run "$source/examples/saxpy.cl" --global 64 --arg n=int:1
expect 2 'wrong-arguments' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --arg z=int:1
expect 2 'bad-argument|error' "$lockstep" run "$source/examples/saxpy.cl" --global 64 --arg n
expect 3 'data-race' "$lockstep" run race.cl --global 256 --local 64 --arg 'a=int[64]' --functional --check
# The compiler loads the last three dwords of the arguments as four.
cat >tail.cl <<'S'
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(int a, int b, int c, int d, __global const float* x, int e, int f, int g, int h, __global float* o, float s, int t, int u) {
  const int i = get_local_id(0);
  float v = 0;
  if (i < a && i < b) v = x[c * i + d];
  if (i < e && i < f) o[g * i + h] = t == 1 ? -v : u == 1 ? s * v : v;
}
S
expect 0 'k on' "$lockstep" run tail.cl --global 64 --local 64 --functional --check --arg a=64 --arg b=64 --arg c=1 --arg d=0 --arg 'x=[64]:ramp' \
  --arg e=64 --arg f=64 --arg g=1 --arg h=0 --arg 'o=[64]' --arg s=2 --arg t=0 --arg u=1
expect 0 'wave-instructions' "$lockstep" run race.cl --global 256 --local 64 --arg 'a=int[64]' --functional --check=bounds
expect 2 'bad-check' "$lockstep" run race.cl --global 256 --arg 'a=int[64]' --check=speed
expect 3 'deadlock' "$lockstep" run stuck.cl --global 64 --arg 'a=int[64]' --functional
expect 3 'endless-loop' "$lockstep" run endless.cl --global 64 --arg 'a=int[64]' --functional --max-instructions 10000
expect 3 'endless-loop' "$lockstep" run endless.cl --global 64 --arg 'a=int[64]' --max-instructions 10000
expect 3 'raise it with --max-instructions' "$lockstep" run endless.cl --global 64 --arg 'a=int[64]' --functional --max-instructions 10000 --json endless.json
expect 0 '"status": "failed"' cat endless.json
expect 3 'barrier' "$lockstep" run barrier.cl --global 128 --local 128 --arg 'a=int[128]' --functional --check
expect 3 'out-of-bounds' "$lockstep" run "$source/examples/out_of_bounds.cl" --global 1024 --local 64 --arg 'in=int[1024]' --arg 'out=int[1024]' --check --json failed.json
expect 0 '"code": "out-of-bounds"' cat failed.json
expect 1 'bad.toml' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --gpu ./bad.toml
expect 1 'invalid instruction|unknown' "$lockstep" run unknown.s --global 64
expect 1 'cannot-write' "$lockstep" run "$source/examples/saxpy.cl" "${saxpy[@]}" --json no/such/folder.json
expect 2 'required|Usage|help' "$lockstep" run
expect 2 'help' "$lockstep" frobnicate
expect 2 '' "$lockstep" occupancy --gpu mi25 --local 4096
# Outputs: opened before the run, checked at its end, never over what is read or a device.
expect 0 '^lockstep [0-9]+\.[0-9]+' "$lockstep" --version
expect 1 'standard output: error: No space' bash -c "'$lockstep' gpus >/dev/full"
expect 1 'standard output: error: No space' bash -c "'$lockstep' --help >/dev/full"
expect 1 'standard output: error: Bad file' bash -c "'$lockstep' gpus >&-"
cp "$source/examples/saxpy.cl" own.cl
printf 'kept\n' >kept.json
expect 1 'standard output: error: No space' bash -c '"$@" --json written.json >/dev/full' - "$lockstep" run own.cl "${saxpy[@]}"
expect 0 '"gpu": "mi25"' cat written.json
expect 1 '/dev/full: error: .*No space' "$lockstep" run own.cl "${saxpy[@]}" --json /dev/full
expect 0 'character special' stat -c %F /dev/full
expect 0 '"gpu": "mi25"' "$lockstep" run own.cl "${saxpy[@]}" --quiet --json /dev/stdout
expect 1 'no/such.npy: error' "$lockstep" run own.cl "${saxpy[@]}" --dump y=no/such.npy
expect 2 'overwrite the program' "$lockstep" run own.cl "${saxpy[@]}" --json ./own.cl
# Nothing that the run reads is written, whatever it is called there.
"$lockstep" run own.cl --quiet --functional "${saxpy[@]}" --dump x=in.npy
cp in.npy in.kept
cp own.cl own.kept
cp "$source/examples/machines/mi25-1cu.toml" mi25-1cu.toml
ln -s in.npy link.npy
ln in.npy hard.npy
printf '#define A a\n' >front.h
from_file=(--global 1024 --local 64 --arg n=int:1024 --arg a=float:2 --arg x=@in.npy --arg 'y=float[1024]')
for name in in.npy ./in.npy "$PWD/in.npy" link.npy hard.npy; do
  for option in "--dump y=$name" "--dump x=$name" "--json $name"; do
    expect 2 "overwrite the contents of argument 'x'" "$lockstep" run own.cl "${from_file[@]}" $option
  done
done
expect 2 'overwrite the program' "$lockstep" run own.cl "${saxpy[@]}" --dump y=own.cl
expect 2 'overwrite the machine file' "$lockstep" run own.cl "${saxpy[@]}" --gpu ./mi25-1cu.toml --dump y=mi25-1cu.toml
expect 2 'overwrite the file of -includefront.h' "$lockstep" run own.cl "${saxpy[@]}" --options '-include front.h' --json front.h
expect 2 '--json both already writes' "$lockstep" run own.cl "${saxpy[@]}" --json both --dump y=both
expect 2 "contents of argument 'p'" "$lockstep" run own.cl --global 1 --arg p=image2d:rgba8[16,16]:@in.npy --dump p=in.npy
expect 2 'overwrite the program' "$lockstep" fidelity own.cl --json own.cl
expect 2 'overwrite the machine file' "$lockstep" fidelity own.cl --gpu ./mi25-1cu.toml --json mi25-1cu.toml
expect 2 'overwrite the program' "$lockstep" occupancy --kernel own.cl:saxpy --local 64 --sweep vgprs --svg own.cl
expect 2 'overwrite the machine file' "$lockstep" occupancy --gpu ./mi25-1cu.toml --local 64 --vgprs 8 --sweep vgprs --svg mi25-1cu.toml
expect 1 'no/such.svg: error' "$lockstep" occupancy --kernel broken.cl --local 64 --sweep vgprs --svg no/such.svg
expect 0 '' cmp in.npy in.kept
expect 0 '' cmp own.cl own.kept
expect 0 '' cmp mi25-1cu.toml "$source/examples/machines/mi25-1cu.toml"
expect 0 '' "$lockstep" run own.cl "${from_file[@]}" --quiet --functional --dump x=out.npy
expect 0 '' cmp in.npy out.npy
expect 2 'already writes this file' "$lockstep" run own.cl "${saxpy[@]}" --dump x=a.npy --dump y=./a.npy
expect 1 'broken.cl:1:4[0-9]: error' "$lockstep" run broken.cl --global 1 --json kept.json
expect 0 'kept' cat kept.json
cp own.cl $'odd\xff.cl'
expect 0 '"gpu": "mi25"' "$lockstep" run $'odd\xff.cl' "${saxpy[@]}" --quiet --json -
# What a kernel printed before a fault is printed; messages say their place once, first in the line.
printf '__kernel void k(__global int* x) { printf("before %%d\\n", 7); x[1000000000] = 1; }\n' >prints.cl
expect 3 '^before 7$' "$lockstep" run prints.cl --global 1 --arg 'x=int[1]' --functional
expect 3 '^prints.cl:1:[0-9]+: error: store' "$lockstep" run prints.cl --global 1 --arg 'x=int[1]' --functional
expect 1 '^broken.cl:1:4[0-9]: error: expected' "$lockstep" run broken.cl --global 1
# GPUs without a timing model run untimed, and a word says so.
expect 0 'no timing model for NVIDIA GeForce GTX 285' env LOCKSTEP_MACHINES="$folder/machines" "$lockstep" run own.cl "${saxpy[@]}" --gpu gtx285

# Arguments whose types the kernel says, structures, null pointers, empty buffers, files.
printf 'typedef struct { char c; int x; float2 f; } point;\n__kernel void k(point p, float a, __global float* o, __global int* n) { o[0] = p.c; o[1] = p.x; o[2] = p.f.y; o[3] = n == 0 ? a : 0; }\n' >point.cl
for point in '{char:1,int:2,float2:(3,4)}' 'bytes:01000000020000000000404000008040'; do
  expect 0 '' "$lockstep" run point.cl --functional --quiet --grid 1 --block 1 --arg "p=$point" --arg a=2.5 --arg 'o=[4]' --arg n=null --dump o=o.npy
  expect 0 '^ *1 +2 +4 +2.5$' od -A n -t f4 -j 128 -N 16 o.npy
done
expect 0 '' "$lockstep" run own.cl --global 4 --functional --quiet --arg n=4 --arg a=2 --arg x=@o.npy --arg 'y=[4]:ramp' --dump y=y2.npy
expect 0 '^ *2 +5 +10 +8$' od -A n -t f4 -j 128 -N 16 y2.npy
expect 3 'out-of-bounds' "$lockstep" run own.cl --global 4 --functional --check --arg n=4 --arg a=2 --arg 'x=float[0]' --arg 'y=[4]'
# A buffer of 14 GB of zeros costs host memory only where the kernel touches it.
expect 0 'saxpy' timeout 20 "$lockstep" run own.cl --global 64 --functional --arg n=64 --arg a=2 --arg 'x=float[3500000000]' --arg 'y=[64]'
# Runs that the time limit or Ctrl-C ends report what they have, say how far they are meanwhile, and leave nothing.
printf '__kernel void k(volatile __global int* a) { for (int i = 0; i < 2000000000; i++) a[get_global_id(0)] += i; }\n' >long.cl
mkdir temporary
for mode in '' --functional; do
  rm -f long.json
  expect 124 'PARTIAL: the time limit of 0.5 s' env TMPDIR="$folder/temporary" "$lockstep" run long.cl --global 64 --arg 'a=[64]' --time-limit 0.5 $mode --json long.json
  expect 0 '"partial": "the time limit' cat long.json
done
expect 130 'PARTIAL: the user ended' timeout --preserve-status -s INT 6 "$lockstep" run long.cl --global 64 --arg 'a=[64]' --functional --json long.json
expect 0 '"partial": "the user ended the run' cat long.json
expect 124 'executing: .*million wave-instructions' "$lockstep" run long.cl --global 64 --arg 'a=[64]' --functional --time-limit 5
printf '__kernel void k(__global float* a) { float x = get_global_id(0); for (int i = 0; i < 2000; i++) x = x * 1.0001f + i; a[get_global_id(0)] = x; }\n' >many.cl
expect 124 '[0-9]+ % .[0-9]+ of 200000 [a-z]+., about [0-9]+ s left' "$lockstep" run many.cl --global 12800000 --local 64 --arg 'a=[12800000]' --functional --time-limit 3.5
# What a library throws is said: a report as deep as the host's memory.
head -c 50000000 /dev/zero | tr '\0' '[' >deep.json
expect 1 'no memory left for this .out-of-host-memory' bash -c "ulimit -v 500000; '$lockstep' compare deep.json deep.json"
rm deep.json
expect 130 '' env LOCKSTEP_CACHE=off TMPDIR="$folder/temporary" timeout --preserve-status -s INT 0.05 "$lockstep" run long.cl --global 64 --arg 'a=[64]'
if [ -n "$(ls temporary)" ]; then
  echo "FAILED: something was left in the temporary folder"
  failed=$((failed + 1))
fi

if [ -n "$(find . -name '*.npy.*' -o -name '*.json.*' -o -name '*.cl.*')" ]; then
  echo "FAILED: a partial output file was left behind"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
