#!/usr/bin/env bash
# check_test.sh LOCKSTEP SOURCE PROBE: `lockstep check`, its exit codes, and the forms that CI reads.
set -u
lockstep=$1
source=$2
probe=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU
export XDG_CONFIG_HOME=$folder/none
. "$source/tests/cli/expect.sh"
cp "$source/examples/transpose.cl" "$source/examples/out_of_bounds.cl" .
launch='file = "transpose.cl"
global = [128, 128]
local = [16, 16]
args = ["n=128", "in=float[16384]:ramp", "out=float[16384]"]'

cat >good.toml <<T
[[kernel]]
$launch
kernel = "transpose_tiled"
gpus = ["mi25", "v100"]
checks = "races,bounds"
[kernel.limits]
occupancy_at_least = 0.5
achieved_occupancy_at_least = 0.001
transactions_times_ideal_at_most = 1
transactions_per_request_at_most = 4
bank_conflicts_at_most = 0.5
private_bytes_at_most = 0
vector_registers_at_most = 32
counters_at_most = {"lds.conflict_cycles" = 1024}
baseline = "tiled-{gpu}.json"
time_within_percent = 1
T
expect 3 'the baseline tiled-mi25.json: the file cannot be read' "$lockstep" check good.toml
expect 0 'tiled-v100.json is the new baseline' "$lockstep" check good.toml --store-baselines
expect 0 '2 of 2 checks hold' "$lockstep" check good.toml --junit good.xml
expect 0 'tests="2" failures="0" errors="0"' cat good.xml
expect 0 'name="transactions_per_request" value="4"' cat good.xml
expect 0 '^1 of 1 checks hold' "$lockstep" check good.toml --only '*v100' --quiet
expect 2 'no check has such a name' "$lockstep" check good.toml --only nothing
# The same file, the same bytes.
"$lockstep" check good.toml --junit again.xml >/dev/null
expect 0 '' cmp good.xml again.xml
# A time beyond its baseline, and one that is better than it.
sed -i 's/"time_ns": \([0-9]*\)/"time_ns": 1\1/' tiled-mi25.json
expect 0 'note: .*--store-baselines makes it the new baseline' "$lockstep" check good.toml
sed -i 's/"time_ns": 1[0-9]*/"time_ns": 10/' tiled-mi25.json
expect 3 'and 1 % are allowed \[time_within_percent\]' "$lockstep" check good.toml
expect 0 'ok +transpose_tiled on v100' "$lockstep" check good.toml --only '*v100'

cat >bad.toml <<T
[[kernel]]
$launch
name = "naive, \"quoted\" & <marked>"
kernel = "transpose_naive"
functional = true
limits = {transactions_times_ideal_at_most = 2, time_ns_at_most = 10}
[[kernel]]
$launch
kernel = "transpose_tiled"
functional = true
limits = {bank_conflicts_at_most = 0.1}
[[kernel]]
file = "out_of_bounds.cl"
checks = "all"
functional = true
global = 1024
local = 64
args = ["in=int[1024]", "out=int[1024]"]
[[application]]
name = "beyond"
command = ["$probe", "beyond"]
checks = "bounds"
functional = true
[[application.kernel]]
name = "bey*"
limits = {occupancy_at_least = 0.1}
[[application.kernel]]
name = "absent"
[[application]]
name = "four"
command = ["$probe", "exit", "4"]
T
expect 3 '1 of 7 checks hold, 6 failed' "$lockstep" check bad.toml --junit bad.xml --sarif bad.sarif --json=bad.json --github
expect 3 '^ +transpose.cl:5: the transactions over the fewest that would do: 8.5 times, more than 2 times' "$lockstep" check bad.toml
expect 3 "the run does not say 'time_ns_at_most'" "$lockstep" check bad.toml
expect 3 'transpose.cl:1[0-9]: .*: 50.0 %, more than 10.0 % \[bank_conflicts_at_most\]' "$lockstep" check bad.toml
expect 3 'out_of_bounds.cl:4:12: load of 4 bytes .*in no allocation' "$lockstep" check bad.toml
expect 3 'program.cl:[0-9]+: .*beyond' "$lockstep" check bad.toml
expect 3 'launched by: .*opencl_exec_probe beyond' "$lockstep" check bad.toml
expect 3 'no kernel of this name was launched \[no-such-kernel\]' "$lockstep" check bad.toml
expect 3 'launched: beyond' "$lockstep" check bad.toml
expect 3 'the application ended with 4 \[exit-code\]' "$lockstep" check bad.toml
expect 3 '^ok +beyond: bey\*' "$lockstep" check bad.toml
expect 3 '^::error file=transpose.cl,line=5,title=naive%2C "quoted" & <marked> on mi25%3A transactions_times_ideal_at_most::' "$lockstep" check bad.toml --github
expect 3 'kept/1/source-[0-9a-f]*.cl:11:' "$lockstep" check bad.toml --reports kept
cat >read.py <<'P'
import json
import xml.etree.ElementTree as tree
suites = tree.parse('bad.xml').getroot()
cases = suites.findall('testsuite/testcase')
assert suites.tag == 'testsuites' and len(cases) == 7, len(cases)
assert cases[0].get('name') == 'naive, "quoted" & <marked> on mi25', cases[0].get('name')
assert len(suites.findall('testsuite/testcase/failure')) == 6 == int(suites.get('failures'))
assert 'more than 2 times' in cases[0].find('failure').text
ours = json.load(open('bad.json'))
assert (ours['version'], ours['failed'], ours['could_not_run'], len(ours['checks'])) == (1, 6, 0, 7), ours
assert [one['name'] for one in ours['checks']] == [case.get('name') for case in cases]
assert [one['status'] == 'failed' for one in ours['checks']] == [case.find('failure') is not None for case in cases]
assert ours['checks'][0]['findings'][0]['rule'] == 'transactions_times_ideal_at_most', ours['checks'][0]
assert ours['checks'][0]['measurements'], ours['checks'][0]
sarif = json.load(open('bad.sarif'))
assert sarif['version'] == '2.1.0' and len(sarif['runs']) == 1
run = sarif['runs'][0]
rules = run['tool']['driver']['rules']
assert len({rule['id'] for rule in rules}) == len(rules)
for result in run['results']:
    assert rules[result['ruleIndex']]['id'] == result['ruleId'], result
    assert result['message']['text'] and result['level'] == 'error'
    place = result['locations'][0]['physicalLocation']
    assert place['region']['startLine'] >= 1, place
first = run['results'][0]['locations'][0]['physicalLocation']
assert first['artifactLocation']['uri'] == 'transpose.cl' and first['region']['startLine'] == 5, first
P
expect 0 '' python3 read.py
expect 3 '^<testsuites' bash -c "'$lockstep' check bad.toml --junit - 2>/dev/null | grep '<testsuites'; exit \${PIPESTATUS[0]}"

expect 3 '^{' bash -c "'$lockstep' check bad.toml --json 2>/dev/null; exit \$?"

# What could not run is 1, and the others run all the same.
cat >broken.toml <<T
[[kernel]]
file = "absent.cl"
global = 64
[[kernel]]
$launch
kernel = "transpose_tiled"
functional = true
[[application]]
command = ["./absent"]
T
expect 1 '1 of 3 checks hold, 2 could not run' "$lockstep" check broken.toml --junit broken.xml
expect 0 'failures="0" errors="2"' cat broken.xml
expect 0 '<error message=".*type="no-such-program"' cat broken.xml

# Bad files: the line, and what is wrong.
wrong() {
  printf '%s\n' "$2" >wrong.toml
  expect 1 "$1" "$lockstep" check wrong.toml
}
wrong 'wrong.toml:3: .*\[\[kernel\]\] has no key .colour.' $'[[kernel]]\nfile = "a.cl"\ncolour = 1'
wrong "wrong.toml:2: .*has no key 'occupancy'" $'[[kernel]]\nlimits = {occupancy = 0.5}\nfile = "a.cl"'
wrong "'occupancy_at_least' is a share from 0 to 1" $'[[kernel]]\nfile = "a.cl"\nlimits = {occupancy_at_least = 50}'
wrong "'args' is a list of texts" $'[[kernel]]\nfile = "a.cl"\nargs = 3'
wrong "the key 'file' is missing" '[[kernel]]'
wrong "the key 'baseline' is missing" $'[[kernel]]\nfile = "a.cl"\nlimits = {time_within_percent = 5}'
wrong 'bad-check-file' $'[[kernel]]\nfile = "a.cl"\nchecks = "some"'
wrong 'checks nothing' ''
wrong 'two checks' $'[[kernel]]\nfile = "a.cl"\n[[kernel]]\nfile = "a.cl"'
wrong 'bad-check-file' '[[kernel'
expect 1 'cannot-read' "$lockstep" check absent.toml
expect 2 'already writes this file' "$lockstep" check good.toml --junit x --sarif x
expect 1 'cannot-write' "$lockstep" check good.toml --junit /proc/no/x.xml

# The example of the documentation.
cp -r "$source/examples" examples
expect 0 'saxpy.cl on v100' "$lockstep" check examples/ci/checks.toml --store-baselines
expect 0 '3 of 3 checks hold' "$lockstep" check examples/ci/checks.toml
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
