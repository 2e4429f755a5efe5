#!/usr/bin/env bash
# tuning_test.sh LOCKSTEP SOURCE: `lockstep compare` and `lockstep tune`.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU
export XDG_CONFIG_HOME=$folder/none
. "$source/tests/cli/expect.sh"
transpose=("$source/examples/transpose.cl" --global 128,128 --local 16,16 --arg n=128 --arg 'in=float[16384]:ramp' --arg 'out=float[16384]')

# GPUs of several vendors; one without a timing model; one that is none.
expect 0 '^ +v100 .*x? +[0-9.]+' "$lockstep" compare "${transpose[@]}" --kernel transpose_tiled --gpu mi25,v100,rx6900xt --json gpus.json --csv gpus.csv
untimed_machines "$folder/machines"
expect 0 'gtx285 .*not timed' env LOCKSTEP_MACHINES="$folder/machines" "$lockstep" compare "${transpose[@]}" --kernel transpose_tiled --gpu mi25,gtx285
expect 2 "did you mean 'mi25'" "$lockstep" compare "${transpose[@]}" --kernel transpose_tiled --gpu mi24
expect 2 'on the GPUs of --gpu' "$lockstep" compare "${transpose[@]}" --kernel transpose_tiled
expect 0 '^ +v100 ' env LOCKSTEP_GPU=mi25,v100 "$lockstep" compare "${transpose[@]}" --kernel transpose_tiled --functional
expect 1 'wrong-arguments' "$lockstep" compare "$source/examples/transpose.cl" --kernel transpose_tiled --global 128,128 --gpu mi25
expect 2 'two reports' "$lockstep" compare a.json
expect 1 'no point could be measured' "$lockstep" tune "${transpose[@]:0:3}" "${transpose[@]:5}" --kernel transpose_tiled --gpu mi25 --space local=3x1,5x1
cat >gpus.py <<'P'
import csv, json, subprocess, sys
lockstep, source = sys.argv[1:]
rows = json.load(open('gpus.json'))['launches']
assert [row['gpu'] for row in rows] == ['mi25', 'v100', 'rx6900xt'], rows
table = list(csv.DictReader(open('gpus.csv', newline='')))
assert [float(row['time_ns']) for row in table] == [row['time_ns'] for row in rows]
# A row is what `lockstep run` says.
report = json.loads(subprocess.run(
    [lockstep, 'run', source + '/examples/transpose.cl', '--kernel', 'transpose_tiled', '--gpu', 'v100', '--global', '128,128', '--local', '16,16',
     '--arg', 'n=128', '--arg', 'in=float[16384]:ramp', '--arg', 'out=float[16384]', '--quiet', '--json', '-'],
    stdout=subprocess.PIPE, check=True).stdout)
v100 = rows[1]
for key in ('time_ns', 'cycles', 'clock_hz', 'bound'):
    assert v100[key] == report[key], key
assert v100['occupancy'] == report['views']['occupancy']['occupancy']
made = report['views']['memory']['transactions']
assert v100['transactions_times_ideal'] == made['made'] / made['ideal']
P
expect 0 '' python3 gpus.py "$lockstep" "$source"

# Before and after: the line that was mended comes first, lines that only moved are no change.
cat >before.cl <<'C'
__kernel void k(__global const float* in, __global float* out) {
  int i = get_global_id(0);
  float sum = in[i];
  out[(i * 32) % 4096] = sum;
}
C
sed 's/out\[.*\] =/out[i] =/; 1i // a comment' before.cl >after.cl
for which in before after; do
  "$lockstep" run $which.cl --global 4096 --local 64 --arg 'in=float[4096]:ramp' --arg 'out=float[4096]' --quiet --json $which.json
  "$lockstep" run $which.cl --global 4096 --local 64 --arg 'in=float[4096]:ramp' --arg 'out=float[4096]' --functional --quiet --json $which-counted.json
done
expect 0 '^ +time .*-[0-9.]+ %' "$lockstep" compare before.json after.json --json change.json --csv change.csv
expect 0 '3 -> 4 .*float sum = in\[i\];' "$lockstep" compare before.json after.json
expect 0 'work: instructions' "$lockstep" compare before-counted.json after-counted.json
expect 1 'not-comparable' "$lockstep" compare before.json after-counted.json
expect 1 'bad-report' "$lockstep" compare gpus.json after.json
cat >change.py <<'P'
import csv, json
change = json.load(open('change.json'))
before, after = json.load(open('before.json')), json.load(open('after.json'))
assert change['time_ratio'] == after['time_ns'] / before['time_ns'] < 1
lines = {(line['line_before'], line['line_after']): line for line in change['lines']}
assert (2, 3) in lines and (3, 4) in lines, list(lines)
gone, new = lines[4, None], lines[None, 5]
assert gone['cost_after'] == 0 and new['cost_before'] == 0 and gone['transactions_before'] > new['transactions_after']
assert sum(line['cost_before'] for line in change['lines']) == before['views']['lines']['wave_cycles']
assert sum(line['cost_after'] for line in change['lines']) == after['views']['lines']['wave_cycles']
counters = {one['name']: one for one in change['counters']}
assert counters['vector.transactions']['before'] == before['counters']['vector.transactions']
assert all(one['before'] != one['after'] for one in change['counters'])
assert len(list(csv.DictReader(open('change.csv', newline='')))) == len(change['lines'])
P
expect 0 '' python3 change.py

# Files that are no reports, however near they come to one, are refused: nothing aborts.
cat >mutate.py <<'P'
import copy, json, subprocess, sys
lockstep = sys.argv[1]
whole = json.load(open('before.json'))
for name, view in whole['views'].items():
    if isinstance(view, dict):
        for key, value in view.items():
            if isinstance(value, list):
                view[key] = value[:1]
    elif isinstance(view, list):
        whole['views'][name] = view[:1]
whole['counters'] = dict(list(whole['counters'].items())[:2])
whole['views'] = {name: whole['views'][name] for name in ('launch', 'lines', 'memory', 'occupancy')}
whole['views']['lines'].pop('columns'), whole['views']['lines'].pop('instructions')

def places(data, path=()):
    for key in (data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()):
        yield path + (key,)
        yield from places(data[key], path + (key,))

runs = refused = 0
for path in places(whole):
    for change in (None, 'gone', 'text', -1, [], {}):
        data = copy.deepcopy(whole)
        at = data
        for key in path[:-1]:
            at = at[key]
        if change == 'gone':
            del at[path[-1]]
        else:
            at[path[-1]] = change
        if (runs := runs + 1) % 4:
            continue
        json.dump(data, open('mutated.json', 'w'))
        ran = subprocess.run([lockstep, 'compare', 'mutated.json', 'after.json', '--quiet'], capture_output=True, text=True)
        assert ran.returncode in (0, 1), (path, change, ran.returncode, ran.stderr)
        assert ran.returncode == 0 or '[bad-report]' in ran.stderr or '[not-comparable]' in ran.stderr, (path, change, ran.stderr)
        refused += ran.returncode
assert refused > 20, refused
P
expect 0 '' python3 mutate.py "$lockstep"

# Tuning: a tile of 1 to 16, groups that fit it; two of them break a constraint, one does not compile.
cat >tile.cl <<'C'
#if TS == 2
#error no tile of 2
#endif
__kernel void tile(__global const float* in, __global float* out, int n) {
  __local float t[TS][TS + PAD];
  int x = get_local_id(0), y = get_local_id(1);
  t[y][x] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * TS + y) * n + get_group_id(1) * TS + x] = t[x][y];
}
C
tune=("$lockstep" tune tile.cl --space define:TS=1,2,4,8,16,32 --space define:PAD=0,1 --local '{TS},{TS}' --global 64,64
  --where 'TS*TS <= 256 && TS > 1' --arg n=64 --arg 'in=float[4096]:ramp' --arg 'out=float[4096]')
expect 0 '8 points: 6 measured now, 0 known before; the fastest of 6' "${tune[@]}" --jobs 1 --json one.json --csv one.csv
expect 0 '2 failed: .*does not compile|2 failed: .*no tile of 2' "${tune[@]}" --jobs 2
expect 0 '0 measured now, 6 known before' "${tune[@]}" --jobs 2 --json two.json
expect 0 '' cmp one.json two.json
expect 0 '8 points: 6 measured now' "${tune[@]}" --jobs 2 --database other.sqlite --json three.json
expect 0 '' cmp one.json three.json
# Another GPU has other points. A comment is no change of the program, but what it computes is.
expect 0 '6 measured now' "${tune[@]}" --gpu v100
sed -i '1i // a comment' tile.cl
expect 0 '0 measured now, 6 known' "${tune[@]}" --jobs 2
sed -i 's/= t\[x\]\[y\]/= 2 * t[x][y]/' tile.cl
expect 0 '6 measured now, 0 known' "${tune[@]}" --jobs 2
# The page of a search: what --json has, no network, the same bytes; drawn where there is a browser.
expect 0 '' "${tune[@]}" --quiet --html page.html --json page.json
expect 0 '' "${tune[@]}" --quiet --html again.html
expect 0 '' cmp page.html again.html
cat >page.py <<'P'
import json, re, sys
sys.dont_write_bytecode = True
text = open('page.html').read()
assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
search = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])['tuning']
assert search['rows'] == json.load(open('page.json'))['points']
assert [axis['name'] for axis in search['axes']] == ['define:TS', 'define:PAD'], search['axes']
sys.path.insert(0, sys.argv[1] + '/tests/cli')
import drawn_page
if drawn_page.chromium:
    drawn = drawn_page.drawn('page.html')
    assert len(re.findall('<section ', drawn)) == 6 and 'no tile of 2' in drawn and '1.00</td>' in drawn, drawn[-3000:]
    answer = drawn_page.used('page.html', drawn_page.sound + """
      return { sound, maps: document.querySelectorAll('table.map').length, best: document.querySelectorAll('table.map td.best').length,
        curves: document.querySelectorAll('path.curve').length };""")
    found = answer['found']
    assert not answer['errors'] and drawn_page.is_sound(found['sound']), answer
    assert found['maps'] == 1 and found['best'] >= 1 and found['curves'] == 1, answer
P
expect 0 '' python3 page.py "$source"
cat >tuned.py <<'P'
import json, subprocess, sys
lockstep = sys.argv[1]
points = json.load(open('one.json'))['points']
assert [(p['define:TS'], p['define:PAD']) for p in points] == [(t, p) for t in ('2', '4', '8', '16') for p in '01'], points
assert all('no tile of 2' in p['error'] for p in points[:2]) and not any(p['error'] for p in points[2:])
best = min(points[2:], key=lambda p: p['time_ns'])
assert best['define:TS'] in ('8', '16'), best
P
expect 0 '' python3 tuned.py "$lockstep"
# An interrupted search: what was measured is there, and the same command goes on.
cat >slow.cl <<'C'
__kernel void slow(__global uint* a, int n) { uint s = 1; for (int i = 0; i < n; i++) s = s * 1664525u + i; a[get_global_id(0)] = s; }
C
slow=("$lockstep" tune slow.cl --jobs 1 --space arg:n=100,40000,40001,40002,40003,40004 --global 2048 --local 64 --arg 'a=uint[2048]')
"${slow[@]}" >interrupted 2>&1 &
for _ in $(seq 200); do
  [ "$(python3 -c "import sqlite3; print(sqlite3.connect('slow.cl.tune.sqlite').execute('select count(*) from result').fetchone()[0])" 2>/dev/null || echo 0)" -ge 1 ] && break
  sleep 0.05
done
kill -TERM $!
wait $!
code=$?
expect 0 'the same command goes on' cat interrupted
[ $code -eq 143 ] || { echo "FAILED: exit code $code of an interrupted search"; failed=$((failed + 1)); }
expect 0 '6 points: [1-5] measured now, [1-5] known before' "${slow[@]}"

expect 2 "nothing has .TS. in it" "$lockstep" tune tile.cl --space TS=1,2 --global 64
expect 2 'a value is empty' "$lockstep" tune tile.cl --space define:TS=1,,2 --global 64
expect 2 'neither define:NAME nor arg:NAME' "$lockstep" tune tile.cl --space macro:TS=1 --global 64
expect 2 "there is no value 'XX'" "$lockstep" tune tile.cl --space define:TS=1 --where 'XX > 1' --global 64
expect 2 'product of the sizes needs more than 64 bits' "$lockstep" tune tile.cl --space local=4611686018427387904x4 --where 'local > 1' --global 64
expect 2 'no point of 2 fits' "$lockstep" tune tile.cl --space define:TS=1,2 --where 'TS > 2' --global 64
expect 1 '1 failed: .*no tile of 2' "$lockstep" tune tile.cl --space define:TS=2,2x --define PAD=0 --global 64,64 --local 2,2 --arg n=64 --arg 'in=float[4096]' --arg 'out=float[4096]'
echo no database >text
expect 1 'bad-database' "${slow[@]}" --database text
expect 0 'no database' cat text
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
