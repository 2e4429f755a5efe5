#!/usr/bin/env bash
# cluster_test.sh LOCKSTEP SOURCE: `lockstep tune` on a Slurm array and on ranks of mpirun, both on this machine alone: own munged, slurmctld and
# slurmd in a private folder. A job is killed, and the search goes on. What is not installed is left out.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
daemons=()
finish() {
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU
export XDG_CONFIG_HOME=$folder/none
. "$source/tests/cli/expect.sh"
cat >slow.cl <<'C'
__kernel void slow(__global uint* a, int n) { uint s = 1; for (int i = 0; i < n; i++) s = s * 1664525u + i; a[get_global_id(0)] = s; }
C
search=("$lockstep" tune slow.cl --space arg:n=10000,10001,10002,10003,10004,10005 --space local=64,128 --global 1024 --arg 'a=uint[1024]')
expect 0 '12 points: 12 measured now' "${search[@]}" --jobs local:2 --database local.sqlite --json local.json --csv local.csv

# killed WHERE: the search with one worker killed has the bytes of the local one.
killed() {
  "${search[@]}" --jobs "$1:2" --database "$1.sqlite" --json "$1.json" --csv "$1.csv" >"$1.out" 2>&1 &
  local search_process=$! victim=
  for _ in $(seq 600); do
    victim=$(pgrep -f -- "--database $1.sqlite.*--worker" | while read -r process; do
      [ "$(readlink "/proc/$process/exe")" = "$lockstep" ] && echo "$process"; done | head -1)
    [ -n "$victim" ] && break
    sleep 0.05
  done
  [ -n "$victim" ] && kill -KILL "$victim"
  wait $search_process
  expect 0 '12 points: 0 measured now, 12 known before' cat "$1.out"
  expect 0 '' test -n "$victim"
  expect 0 '' cmp local.json "$1.json"
  expect 0 '' cmp local.csv "$1.csv"
}

if command -v mpirun >/dev/null; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=false
  expect 0 '12 points: 0 measured now, 12 known before' "${search[@]}" --jobs mpi:2 --database calm.sqlite --json calm.json
  expect 0 '' cmp local.json calm.json
  killed mpi
fi

if command -v slurmctld >/dev/null && command -v munged >/dev/null && [ "$(id -u)" -eq 0 ]; then
  mkdir -p slurm/state slurm/spool
  chmod 755 "$folder" slurm
  dd if=/dev/urandom of=slurm/munge.key bs=128 count=1 2>/dev/null
  chmod 600 slurm/munge.key
  munged --force --foreground --key-file="$folder/slurm/munge.key" --socket="$folder/slurm/munge.socket" --pid-file="$folder/slurm/munged.pid" \
    --log-file="$folder/slurm/munged.log" --seed-file="$folder/slurm/munge.seed" >munged.out 2>&1 &
  daemons+=($!)
  name=$(hostname -s)
  cat >slurm/slurm.conf <<C
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/slurm/munge.socket
CredType=cred/munge
SlurmctldPort=26817
StateSaveLocation=$folder/slurm/state
SlurmctldPidFile=$folder/slurm/ctld.pid
SlurmdPidFile=$folder/slurm/%n.pid
SlurmdSpoolDir=$folder/slurm/spool-%n
SlurmctldLogFile=$folder/slurm/ctld.log
SlurmdLogFile=$folder/slurm/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=one NodeHostname=$name NodeAddr=127.0.0.1 Port=26818 CPUs=1 State=UNKNOWN
NodeName=two NodeHostname=$name NodeAddr=127.0.0.1 Port=26819 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
C
  export SLURM_CONF=$folder/slurm/slurm.conf
  sleep 0.5
  slurmctld -D >ctld.out 2>&1 &
  daemons+=($!)
  for node in one two; do
    slurmd -D -N $node >$node.out 2>&1 &
    daemons+=($!)
  done
  up=0
  for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && up=1 && break
    sleep 0.2
  done
  if [ $up = 1 ]; then
    killed slurm
  else
    echo "FAILED: the nodes are not up"
    tail -5 ctld.out one.out two.out munged.out slurm/*.log
    failed=$((failed + 1))
  fi
fi
# A scheduler that starts nothing is no endless loop.
mkdir bin
printf '#!/bin/sh\nexit 0\n' >bin/sbatch
chmod +x bin/sbatch
expect 1 '12 of 12 points are not measured \[jobs-failed\]' env PATH="$folder/bin:$PATH" "${search[@]}" --jobs slurm:2 --database nothing.sqlite
expect 1 'no-such-program' env PATH=/nowhere "${search[@]}" --jobs mpi:2 --database nothing.sqlite
for wrong in pbs:2 slurm: 5x mpi:99999 -1; do
  expect 2 'slurm:N or mpi:N|jobs' "${search[@]}" --jobs "$wrong"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
