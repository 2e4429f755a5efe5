#!/usr/bin/env bash
# What Lockstep does, in a minute: a timed report, two kernels compared, an occupancy question, a bug found.
set -euo pipefail
cd "$(dirname "$0")/.."
# The whole, where it was built; else AMD's GPUs and their device library alone, not optimised: soon built, and slower.
if [ -x build/lockstep ]; then
  scripts/build.sh release lockstep device_libraries_amd
  lockstep=build/lockstep
else
  scripts/build.sh demo lockstep device_libraries_amd
  lockstep=build-demo/lockstep
fi
say() { printf '\n$ %s\n' "$*"; }
show() { say "$@"; "$@"; }

show $lockstep run examples/saxpy.cl --gpu mi25 --global 1048576 --local 256 \
  --arg n=int:1048576 --arg a=float:2.5 --arg 'x=float[1048576]:random' --arg 'y=float[1048576]:ramp'

for kernel in transpose_naive transpose_tiled; do
  say $lockstep run examples/transpose.cl --kernel $kernel --gpu mi25 --global 512,512 --local 16,16 ...
  $lockstep run examples/transpose.cl --kernel $kernel --gpu mi25 --global 512,512 --local 16,16 \
    --arg n=int:512 --arg 'in=float[262144]:random' --arg 'out=float[262144]:zero' |
    grep -E -A1 '^Time|^What bounds|transactions:'
done

show $lockstep occupancy --gpu mi60 --local 128 --vgprs 27 --lds 65536

say $lockstep run examples/out_of_bounds.cl --gpu mi25 --check ...
$lockstep run examples/out_of_bounds.cl --gpu mi25 --check --global 1024 --local 64 \
  --arg 'in=int[1024]:ramp' --arg 'out=int[1024]:zero' || echo "(exit code $?)"

[ $lockstep = build/lockstep ] || printf '\n%s has the GPUs of AMD and is not optimised. `make` builds the whole: build/lockstep\n' $lockstep
