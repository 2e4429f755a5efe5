#!/usr/bin/env bash
# exec_test.sh LOCKSTEP PROBE DRIVER: `lockstep exec` as its users meet it: exit codes, reports, checks, clocks, the host link.
set -u
lockstep=$1
probe=$2
driver=$3
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU LOCKSTEP_MODE LOCKSTEP_REPORT LOCKSTEP_LAUNCHES LOCKSTEP_CHECK OCL_ICD_VENDORS
export TMPDIR=$folder/tmp XDG_CONFIG_HOME=$folder/none
mkdir tmp
. "$source/tests/cli/expect.sh"
untimed_machines "$folder/machines"
export LOCKSTEP_MACHINES=$folder/machines

# holds EXPRESSION WHAT: an arithmetic condition, evaluated by awk.
holds() {
  if awk "BEGIN { exit !($1) }"; then
    passed=$((passed + 1))
  else
    printf 'FAILED: %s: %s\n' "$2" "$1"
    failed=$((failed + 1))
  fi
}

# field NAME TEXT: the number behind a word.
field() { grep -o "$1 [0-9]*" <<<"$2" | head -1 | cut -d' ' -f2; }

# Running, and what the application is shown.
expect 0 'sums are right on AMD Radeon Instinct MI25' "$lockstep" exec -- "$probe" add
# How long a kernel takes to its start is the machine's (GTX 1080: 4.35 us).
expect 0 'it starts 4350 ns later' "$lockstep" exec --gpu gtx1080 --timed -- "$probe" add
expect 0 'sums are right on AMD Radeon Instinct MI60' "$lockstep" exec --gpu mi60 --functional -- "$probe" add
expect 0 'add +mi25 +1 .*(launch|latency|memory)' "$lockstep" exec -- "$probe" add
cp "$source/examples/machines/mi25-1cu.toml" mi25-1cu.toml
expect 0 'sums are right on MI25 with one' "$lockstep" exec --gpu mi25-1cu.toml -- sh -c "cd / && $probe add"
expect 0 'host time' "$lockstep" exec --functional --threads 1 -- "$probe" add
expect 0 'No kernel was launched' "$lockstep" exec -- "$probe" none
# A GPU without a timing model runs functionally, and says so before the application begins; asked to time, it is an error.
expect 0 'warning: there is no timing model for NVIDIA GeForce GTX 285' "$lockstep" exec --gpu gtx285 --report untimed -- "$probe" add
expect 0 'sums are right on NVIDIA GeForce GTX 285' "$lockstep" exec --gpu gtx285 -- "$probe" add
expect 0 'not timed' cat untimed/0001-add.txt
expect 0 'a transaction is a segment of 32 to 128 bytes' cat untimed/0001-add.txt
expect 0 '1 launch of 1 kernel, not timed' cat untimed/summary.txt
expect 1 'not-timed' "$lockstep" exec --gpu gtx285 --timed -- "$probe" add
expect 1 'not-timed' "$lockstep" exec --gpu gtx285 --virtual-clock -- "$probe" add
expect 1 'not-timed' env LOCKSTEP_MODE=timed "$lockstep" exec --gpu mi25,gtx285 -- "$probe" add
expect 0 'not modelled; with LOCKSTEP_MODE=timed it is not shown' env OCL_ICD_VENDORS="$driver" LOCKSTEP_MODE=timed LOCKSTEP_GPU=mi25,gtx285 "$probe" add
expect 0 'sums are right' env OCL_ICD_VENDORS="$driver" LOCKSTEP_GPU=mi25 LOCKSTEP_MODE=functional "$probe" add
expect 9 'LOCKSTEP_THREADS=many: wanted is a number' env OCL_ICD_VENDORS="$driver" LOCKSTEP_GPU=mi25 LOCKSTEP_THREADS=many "$probe" add
# Where nobody asked for a GPU the driver shows none, and its platform says why; the configuration may ask.
export XDG_CONFIG_HOME=$folder/config
expect 9 'OpenCL 3.0 Lockstep, no GPU chosen: set LOCKSTEP_GPU' env OCL_ICD_VENDORS="$driver" "$probe" add
mkdir -p config/lockstep
echo '# for everybody: mi60' > config/lockstep/gpus
expect 9 'no GPU chosen' env OCL_ICD_VENDORS="$driver" "$probe" add
echo 'vega64 # and no other' >> config/lockstep/gpus
expect 0 'sums are right on AMD Radeon RX Vega 64' env OCL_ICD_VENDORS="$driver" "$probe" add
expect 0 'sums are right on AMD Radeon RX Vega 64' "$lockstep" exec --functional -- "$probe" add
expect 0 'sums are right on AMD Radeon Instinct MI60' env OCL_ICD_VENDORS="$driver" LOCKSTEP_GPU=mi60 "$probe" add
export XDG_CONFIG_HOME=$folder/none

# How far it is: after two seconds, in lines of their own.
# says PATTERN COMMAND...: a line of a long run, which then is ended.
says() {
  local pattern=$1
  shift
  "$@" >said 2>&1 &
  for _ in $(seq 300); do grep -q -E -- "$pattern" said && break; sleep 0.1; done
  kill -TERM $!
  wait $!
  expect 0 "$pattern" cat said
}
says '^lockstep: the application runs; 1 launch done, [0-9]+ s so far$' "$lockstep" exec -- sh -c "$probe add; exec sleep 30"
says "^lockstep: launch 2: executing kernel 'spin': none of 1 groups done; [0-9.e+]+ million wave-instructions, [0-9]+ s so far$" \
  "$lockstep" exec --functional -- "$probe" long
says "^lockstep: launch 2: timing kernel 'spin': none of 1 groups done" "$lockstep" exec --timed -- "$probe" long
holds "$(timeout 4 "$lockstep" exec --quiet -- "$probe" long 2>&1 | grep -c 'lockstep:') == 0" '--quiet says nothing'

# Exit codes: the application's own, and those before it ran.
expect 5 '' "$lockstep" exec -- "$probe" exit 5
expect 134 '' "$lockstep" exec -- "$probe" abort
expect 127 'no-such-program' "$lockstep" exec -- ./no-such-application
expect 126 'cannot-run' "$lockstep" exec -- "$folder"
expect 2 "did you mean 'mi25'" "$lockstep" exec --gpu mi24 -- "$probe" add
expect 2 'excludes' "$lockstep" exec --functional --virtual-clock -- "$probe" add
expect 2 'COMMAND' "$lockstep" exec
expect 0 'ARGS' "$lockstep" exec --help

# A signal that ends us ends the application, and nothing is left behind.
"$lockstep" exec --quiet -- sleep 30 &
sleep 0.5
kill -TERM $!
wait $!
holds "$? == 143" 'the exit code after SIGTERM'

# So while a compiler runs: it ends with us, and our temporary folder goes.
{
  echo '#define A0(x) x x x x x x x x x x'
  for i in 1 2 3 4 5 6 7 8; do echo "#define A$i(x) A$((i - 1))(x x x x x x x x x x)"; done
  echo '__kernel void k(__global int* p) { p[0] = 0 A8(+ 1); }'
} > bomb.cl
"$lockstep" fidelity bomb.cl &
for _ in $(seq 100); do ls tmp/lockstep-*/.lockstep-scratch >/dev/null 2>&1 && break; sleep 0.05; done
holds "$(ls -d tmp/lockstep-* 2>/dev/null | wc -l) == 1" 'a temporary folder while the compiler runs'
sleep 0.3
kill -TERM $!
wait $!
holds "$? == 143" 'the exit code after SIGTERM'
holds "$(ls -d tmp/lockstep-* 2>/dev/null | wc -l) == 0" 'no temporary folder behind SIGTERM'
holds "$(ps -eo args | grep -c '[b]omb.cl') == 0" 'and no compiler'

# Reports.
expect 0 '1 launch of 1 kernel' "$lockstep" exec --report reports --json -- "$probe" add
expect 0 'add on AMD Radeon Instinct MI25' cat reports/0001-add.txt
expect 0 'c\[i\] = a\[i\] \+ b\[i\]' cat reports/0001-add.txt
expect 0 '"kernel": "add"' cat reports/0001-add.json
expect 0 '"launch":1,"kernel":"add","gpu":"mi25"' cat reports/launches.jsonl
expect 0 '"process":[0-9]+,"command":\[".*opencl_exec_probe","add"\]' cat reports/launches.jsonl
expect 0 'launched by: .*opencl_exec_probe add' cat reports/0001-add.txt
copy=$(grep -o 'source-[0-9a-f]*.cl' reports/0001-add.txt)
expect 0 'c\[i\] = a\[i\] \+ b\[i\]' cat "reports/$copy"
expect 0 '"launches": 1' cat reports/summary.json
expect 0 'bound by' cat reports/summary.txt
cp reports/0001-add.json first.json
# The other door gives the same launch.
cat >add.cl <<'CL'
__kernel void add(__global const int* a, __global const int* b, __global int* c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
CL
"$lockstep" run add.cl --gpu mi25 --global 1024 --arg 'a=[1024]:ramp' --arg 'b=[1024]:ramp(0,3)' --arg 'c=[1024]' --quiet --json run.json
cat >same.py <<'PY'
import json
driver, run = json.load(open('first.json')), json.load(open('run.json'))
assert driver.keys() == run.keys(), (driver.keys(), run.keys())
for key in ('version', 'status', 'gpu', 'kernel', 'clock_hz', 'occupancy', 'bound'):
    assert driver[key] == run[key], (key, driver[key], run[key])
for view in ('launch', 'occupancy', 'instructions'):
    for key in run['views'][view]:
        assert driver['views'][view][key] == run['views'][view][key], (view, key)
assert driver['views'].keys() == run['views'].keys()
assert driver['counters'].keys() == run['counters'].keys()
for counter in ('instructions', 'waves', 'vector.transactions', 'vector.load_bytes', 'scalar.requests'):
    assert driver['counters'][counter] == run['counters'][counter], counter
PY
expect 0 '' python3 same.py
expect 0 '2 launches of 1 kernel' "$lockstep" exec --report reports -- sh -c "$probe add && $probe add"
expect 0 'add on' cat reports/0002-add.txt
expect 1 'No such file' cat reports/0001-add.json
"$lockstep" exec --report reports --json --quiet -- "$probe" add >/dev/null
expect 0 '' cmp first.json reports/0001-add.json
touch reports/mine
expect 1 "'mine', which is no report of an earlier run.*folder-not-empty" "$lockstep" exec --report reports -- "$probe" add
expect 0 'add on' cat reports/0001-add.txt
rm reports/mine
expect 0 '1 launch' "$lockstep" exec --report reports -- "$probe" add
# Nothing that somebody else wrote is deleted, whatever it is called and whatever it says.
mkdir foreign
echo 'my notes' > foreign/summary.txt
echo 'my figures' > foreign/summary.json
echo '{"launch":1,"report":"0001-thesis"}' > foreign/launches.jsonl
echo 'my thesis' > foreign/0001-thesis.txt
cp -r foreign foreign-before
expect 1 'folder-not-empty' "$lockstep" exec --report foreign -- "$probe" add
expect 0 '' diff -r foreign foreign-before
mkdir own
echo 'my notes' > own/0001-add.txt
expect 0 'sums are right' env OCL_ICD_VENDORS="$driver" LOCKSTEP_GPU=mi25 LOCKSTEP_REPORT=own "$probe" add
expect 0 'my notes' cat own/0001-add.txt
expect 0 'add on' cat own/0002-add.txt
expect 0 '"launch":2' cat own/launches.jsonl
# A log that was edited names no file for us, nor does a link count as a report.
echo 'my letter' > letter.txt
cp letter.txt reports/letter.txt
echo '{"launch":2,"report":"letter"}' >> reports/launches.jsonl
expect 1 'folder-not-empty' "$lockstep" exec --report reports -- "$probe" add
expect 0 'my letter' cat reports/letter.txt
rm reports/letter.txt
ln -sf "$PWD/letter.txt" reports/summary.txt
expect 1 'folder-not-empty' "$lockstep" exec --report reports -- "$probe" add
expect 0 'my letter' cat letter.txt
expect 1 'cannot-write' "$lockstep" exec --report /proc/no -- "$probe" add

# Caches stay between launches: a repeated kernel finds its data, but for what the host wrote since.
output=$("$lockstep" exec --quiet --report repeats --json -- "$probe" again)
first=$(field first "$output") second=$(field second "$output") written=$(field written "$output")
holds "${second:-0} > 0 && $second < 0.9 * $first" "the second launch is faster ($output)"
holds "${written:-0} > $second && $written < $first" "after the host wrote an input ($output)"
holds "$(field mapped "$output") > $second && $(field mapped "$output") < $first" "after it mapped the other for writing ($output)"
read=$(field read "$output")
holds "${read:-0} < 1.01 * $second && $read > 0.99 * $second" "after it read everything ($output)"
holds "$(field sixth "$output") == $(field seventh "$output")" "nothing changes any more ($output)"
# counter NAME LAUNCH: of a report.
counter() { sed -n "s/^ *\"$1\": \([0-9]*\).*/\1/p" "repeats/000$2-add.json" | head -1; }
# 256 KiB of each input are 4096 lines.
holds "$(counter l2.misses 2) < 64 && $(counter l2.hits 2) >= 8192" "the second launch hits ($(counter l2.hits 2), $(counter l2.misses 2))"
holds "$(counter dram.read_bytes 2) < 4096 && $(counter dram.read_bytes 1) >= 524288" 'memory is read once'
for launch in 3 4; do
  holds "$(counter l2.misses $launch) >= 4096 && $(counter l2.misses $launch) < 4096 + 64" "launch $launch misses what the host wrote"
done
# The seventh launch finds all as the sixth did: they share a report.
expect 0 '"launch":7,.*"same_as":6,"report":"0006-add"' cat repeats/launches.jsonl
expect 1 'No such file' cat repeats/0007-add.json
expect 0 '0006-add +2 launches' cat repeats/summary.txt
expect 0 "the application's first launch on this GPU" cat repeats/0001-add.txt
expect 0 'launch 3 on this GPU, the 3. of this kernel' cat repeats/0003-add.txt
expect 0 '"device_launch":5,"kernel_launch":5' cat repeats/launches.jsonl
expect 0 'first +median of others' cat repeats/summary.txt
expect 0 '"repeated_ns": [0-9]' cat repeats/summary.json

# Each GPU of a context has caches of its own, and buffers that were elsewhere meanwhile are not in them.
output=$("$lockstep" exec --quiet --gpu mi25,mi60 -- "$probe" moves)
first=$(field first "$output") second=$(field second "$output") back=$(field back "$output")
holds "${second:-0} > 0 && $second < 0.9 * $first" "on one GPU ($output)"
holds "$(field other "$output") > 0 && ${back:-0} > 1.1 * $second && $back <= $first" "and back from the other ($output)"

# Checks: the application goes on, and its exit code is its own unless asked otherwise.
expect 0 'out-of-bounds' "$lockstep" exec --check --functional -- "$probe" beyond
expect 0 'out-of-bounds' "$lockstep" exec --check -- "$probe" beyond
expect 0 'finish says 0' "$lockstep" exec --check --functional -- "$probe" beyond
expect 3 'out-of-bounds' "$lockstep" exec --check --functional --fail-on-violation --report bad -- "$probe" beyond
expect 0 'Violations: ' cat bad/0001-beyond.txt
expect 0 '"failed": 0' "$lockstep" exec --check --functional --fail-on-violation --report good --json -- sh -c "$probe add; cat good/summary.json 2>/dev/null || echo '\"failed\": 0'"
expect 5 '' "$lockstep" exec --fail-on-violation -- "$probe" exit 5
# The guilty process itself ends with 3, for a violation and for a launch that failed; others do not.
expect 3 'bad ended with 3, good with 0' "$lockstep" exec --check --functional --fail-on-violation -- sh -c "$probe beyond; bad=\$?; $probe add; echo bad ended with \$bad, good with \$?"
expect 3 'process [0-9]+: .*opencl_exec_probe beyond' "$lockstep" exec --check --functional --fail-on-violation -- "$probe" beyond
expect 0 'ended with 0' "$lockstep" exec --check --functional -- sh -c "$probe beyond; echo ended with \$?"
# A test runner names the guilty test by itself.
mkdir suite
cat >suite/CTestTestfile.cmake <<C
add_test(good "$probe" add)
add_test(bad "$probe" beyond)
C
expect 8 'bad .*Failed' "$lockstep" exec --check --functional --fail-on-violation -- ctest --test-dir suite --output-junit "$PWD/suite.xml"
expect 0 'tests="2"' cat suite.xml
expect 0 'name="bad" .*status="fail"' cat suite.xml
expect 0 'name="good" .*status="run"' cat suite.xml
expect 0 '100% tests passed' "$lockstep" exec --check --functional -- ctest --test-dir suite
# Which launches are timed and reported; others run, and the application finds right results.
expect 0 'first [0-9]+' "$lockstep" exec --quiet --report chosen --launch-skip 1 --launch-count 2 -- "$probe" again
holds "$(grep -c '"kernel":"add"' chosen/launches.jsonl) == 2" 'two launches are logged'
holds "$(grep -c '"device_launch":3' chosen/launches.jsonl) == 0" 'and no other is timed'
expect 0 'No kernel was launched' "$lockstep" exec --kernel 'sub*' -- "$probe" add
expect 0 'add +mi25 +1 ' "$lockstep" exec --kernel 'a?d' --kernel none -- "$probe" add
expect 2 'excludes --kernel' "$lockstep" exec --virtual-clock --kernel add -- "$probe" add
expect 9 'LOCKSTEP_LAUNCH_SKIP=two: wanted is a number' env OCL_ICD_VENDORS="$driver" LOCKSTEP_GPU=mi25 LOCKSTEP_LAUNCH_SKIP=two "$probe" add
expect 0 'LOCKSTEP_CHECK' "$lockstep" exec -- sh -c "LOCKSTEP_CHECK=maybe $probe add; true"

# The virtual clock: the host's clocks see the modelled kernel, not the time that modelling takes. The bound leaves the
# host's own work 50 ms, or half of what the host took where it is so busy.
for way in clock poll; do
  output=$("$lockstep" exec --quiet --virtual-clock -- "$probe" $way)
  modelled=$(field modelled "$output") steady=$(field steady "$output") day=$(field day "$output")
  slack=$(awk -v host="$(field host "$output")" 'BEGIN { print (host > 100000000 ? int(host / 2) : 50000000) }')
  holds "${modelled:-0} > 1000000" "$way: the kernel takes over a millisecond ($output)"
  holds "${steady:-0} >= ${modelled:-1} && ${steady:-0} < ${modelled:-0} + $slack" "$way: steady_clock ($output)"
  holds "${day:-0} + 2000 >= ${modelled:-1} && ${day:-0} < ${modelled:-0} + $slack" "$way: gettimeofday ($output)"
done
output=$("$lockstep" exec --quiet -- "$probe" clock)
holds "$(field steady "$output") > 0.9 * $(field host "$output")" "without it the clock is the host's ($output)"

# Deadlines of the virtual clock, which by then is behind the host's, are met and not passed over.
output=$("$lockstep" exec --quiet --virtual-clock -- "$probe" wait)
for kind in steady system semaphore; do
  waited=$(field $kind "$output")
  holds "${waited:-0} > 95000000 && ${waited:-0} < 5000000000" "a wait of 100 ms ($output)"
done

# Two kernels of eight groups each run beside each other on 64 compute units; such that fill them do not, nor do
# any of one queue, nor on a GPU that runs one at a time.
output=$("$lockstep" exec --quiet --trace trace.json -- "$probe" beside)
holds "$(field small_both "$output") < 1.05 * $(field small_first "$output") && $(field small_first "$output") > 0" "small kernels run beside each other ($output)"
holds "$(field full_both "$output") > 1.9 * $(field full_first "$output")" "full ones do not ($output)"
holds "$(field one_queue_both "$output") > 1.9 * $(field one_queue_first "$output")" "nor do those of one queue ($output)"
cat >trace.py <<'P'
import json
events = json.load(open('trace.json'))['traceEvents']
rows = {(e['pid'], e['tid']): e['args']['name'] for e in events if e['name'] == 'thread_name'}
kernels = [e for e in events if e.get('cat') == 'engine' and e['name'] == 'spin']
assert len(kernels) == 8, kernels
assert sorted({rows[e['pid'], e['tid']] for e in kernels}) == ['kernels', 'kernels (2)'], rows
assert {'queue 1', 'queue 2'} <= set(rows.values()), rows
last = {}
for e in sorted((e for e in events if e['ph'] == 'X'), key=lambda e: e['ts']):
    row = e['pid'], e['tid']
    assert last.get(row, 0) <= e['ts'] + 1e-6, e
    last[row] = e['ts'] + e['dur']
assert all(0 < e['args']['share_of_device'] <= 1 for e in kernels)
P
expect 0 '' python3 trace.py
output=$(env -u LOCKSTEP_MACHINES "$lockstep" exec --quiet --timed --gpu 8800 -- "$probe" beside)
holds "$(field small_both "$output") > 1.9 * $(field small_first "$output")" "one at a time ($output)"
expect 2 'no modelled time over which --trace' "$lockstep" exec --functional --trace trace.json -- "$probe" add

# The host link: 16 MiB over PCI Express 3.0 (15.75 GB/s) take 1065220 ns; a copy and a kernel overlap in two queues only.
output=$("$lockstep" exec --quiet -- "$probe" overlap)
one=$(grep 'one queue' <<<"$output") two=$(grep 'two queues' <<<"$output")
holds "$(field copy "$one") >= 1065219 && $(field copy "$one") <= 1065221" "the copy's time ($output)"
holds "$(field together "$one") == 0" "one queue ($output)"
holds "$(field kernel "$two") > 300000 && $(field together "$two") > 300000" "two queues ($output)"
output=$("$lockstep" exec --quiet --gpu mi60 -- "$probe" overlap)
holds "$(field copy "$output") >= 532609 && $(field copy "$output") <= 532611" "PCI Express 4.0 ($output)"

if [ -n "$(find . -name '*.part*')" ] || [ -n "$(ls tmp)" ]; then
  echo "FAILED: something was left behind: $(ls tmp)"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
