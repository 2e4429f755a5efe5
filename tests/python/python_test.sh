#!/usr/bin/env bash
# python_test.sh PYTHON LOCKSTEP SOURCE PROBE: the package from the source tree on the build tree's library; the C example; the
# documentation's examples; installing with pip.
set -u
python=$1
lockstep=$2
source=$3
probe=$4
build=$(dirname "$lockstep")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU LOCKSTEP_MODE LOCKSTEP_REPORT LOCKSTEP_LAUNCHES LOCKSTEP_CHECK OCL_ICD_VENDORS
. "$source/tests/cli/expect.sh"
export LOCKSTEP_LIBRARY=$build/liblockstep.so.1 PYTHONDONTWRITEBYTECODE=1
expect 0 '^OK' env PYTHONPATH="$source/python" "$python" "$source/tests/python/test_lockstep.py" "$lockstep" "$source" "$probe"
expect 0 'the best group:' env PYTHONPATH="$source/python" "$python" "$source/examples/python/transpose.py"
# The page's examples, as they stand.
for page in python c-api; do
  awk -v page="$page" '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/$page.md" >$page.py
done
cp "$source"/examples/*.cl .
expect 0 '' env PYTHONPATH="$source/python" "$python" python.py
# C: strict C99, and as C++.
expect 0 '' cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$source/src/capi" "$source/examples/c/saxpy.c" -o saxpy -L"$build" -llockstep -Wl,-rpath,"$build"
expect 0 'y\[3\] is 7; done in [0-9]+' ./saxpy saxpy.cl
expect 0 'on NVIDIA Tesla V100' ./saxpy saxpy.cl v100
expect 1 'unknown-machine' ./saxpy saxpy.cl v101
expect 0 '' c++ -Wall -Wextra -Werror -I"$source/src/capi" -x c++ -fsyntax-only "$source/src/capi/lockstep.h"
# Nothing but the API is to be seen in the library.
expect 1 '' bash -c "nm -D --defined-only '$build/liblockstep.so.1' | awk '{ print \$3 }' | grep -vE '^(lockstep_|LOCKSTEP_1)'"
# pip, where it is there: into an environment that has the system's packages.
if "$python" -c 'import pip, setuptools, venv' 2>/dev/null && "$python" -m venv --system-site-packages --without-pip venv 2>/dev/null; then
  cp -r "$source/python" package
  expect 0 'Successfully installed lockstep' "$python" -m pip --python venv/bin/python install --no-index --no-build-isolation ./package
  expect 0 'gfx900' env -u PYTHONPATH venv/bin/python -c 'import lockstep; print({one["id"]: one for one in lockstep.gpus()}["mi25"])'
fi
expect 1 'LOCKSTEP_LIBRARY|library-missing|No such file|cannot open' env LOCKSTEP_LIBRARY=/none.so PYTHONPATH="$source/python" "$python" -c 'import lockstep; lockstep.gpus()'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
