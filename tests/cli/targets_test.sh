#!/usr/bin/env bash
# targets_test.sh LOCKSTEP SOURCE_DIR: GPUs of targets that no shipped machine has, from a machine file of the user's own, compile, execute
# and are checked; a target of the user's own takes one line.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU LOCKSTEP_MODE LOCKSTEP_MACHINES LOCKSTEP_CHECK
. "$source/tests/cli/expect.sh"

# machine FROM ID TARGET: a machine file of the user's own.
machine() {
  sed -e "s/^id = .*/id = \"$2\"/" -e "s/^name = .*/name = \"A $3\"/" -e "s/^target = .*/target = \"$3\"/" -e '/^aliases/d' \
    "$source/machines/$1.toml" >"$2.toml"
}
saxpy=("$source/examples/saxpy.cl" --functional --global 256 --local 64 --arg n=int:256 --arg a=float:2.5 --arg 'x=float[256]:ramp'
  --arg 'y=float[256]:ramp' --dump y=y.npy)
broken=("$source/examples/out_of_bounds.cl" --check --global 1024 --local 64 --arg 'in=int[1024]:ramp' --arg 'out=int[1024]:zero')

expect 0 '' "$lockstep" run "${saxpy[@]}" --gpu mi25
mv y.npy reference.npy
for pair in "amd/rx7900xtx mygpu1 gfx1101" "amd/rx7900xtx mygpu2 gfx1102" "amd/rx7900xtx mygpu3 gfx1200" "nvidia/a10 mygpu4 sm_89"; do
  read -r from id target <<<"$pair"
  machine "$from" "$id" "$target"
  expect 0 "A $target" "$lockstep" run "${saxpy[@]}" --gpu "./$id.toml"
  expect 0 '' cmp y.npy reference.npy
  expect 3 'out-of-bounds' "$lockstep" run "${broken[@]}" --gpu "./$id.toml"
  expect 0 'occupancy' "$lockstep" occupancy --gpu "./$id.toml" --local 256
done

machine nvidia/a10 mygpu5 sm_887
expect 1 "mygpu5.toml:3.*unknown target 'sm_887'" "$lockstep" run "${saxpy[@]}" --gpu ./mygpu5.toml
expect 1 "did you mean 'sm_" "$lockstep" run "${saxpy[@]}" --gpu ./mygpu5.toml
# One line, in a folder of machine files of the user's own.
cp -r "$source/machines" machines
sed -i 's/^\[intel\]/gfx90c = {architecture = "gcn"}\n&/' machines/targets.toml
machine amd/vega64 mygpu6 gfx90c
expect 1 'machines/targets.toml:[0-9]+.*gcn' env LOCKSTEP_MACHINES=machines "$lockstep" gpus
sed -i -e '/^gfx90c/d' -e 's/^gfx90a = .*/&\ngfx90c = {architecture = "gcn"}/' machines/targets.toml
expect 0 'A gfx90c' env LOCKSTEP_MACHINES=machines "$lockstep" run "${saxpy[@]}" --gpu ./mygpu6.toml
expect 0 '' cmp y.npy reference.npy
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
