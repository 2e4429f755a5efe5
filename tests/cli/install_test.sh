#!/usr/bin/env bash
# install_test.sh CMAKE BUILD PROBE: an installed tree works after it was moved, on its own files; the Debian package holds what it must.
set -u
cmake=$1
build=$2
probe=$3
tests=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU LOCKSTEP_MODE LOCKSTEP_MACHINES LOCKSTEP_DEVLIB LOCKSTEP_REPORT LOCKSTEP_LAUNCHES LOCKSTEP_CHECK OCL_ICD_VENDORS
export TMPDIR=$folder XDG_CONFIG_HOME=$folder/none
. "$tests/expect.sh"

expect 0 'bin/lockstep' "$cmake" --install "$build" --prefix "$folder/first" --strip
expect 0 "^$folder/first/lib/lockstep/liblockstep_opencl.so$" cat first/etc/OpenCL/vendors/lockstep.icd
mkdir -p elsewhere
mv first elsewhere/moved
prefix=$folder/elsewhere/moved
# Its own machine files: the name is what the application reads.
sed -i 's/^name = .*/name = "A moved MI25"/' "$prefix/share/lockstep/machines/amd/mi25.toml"
expect 0 'A moved MI25' "$prefix/bin/lockstep" gpus
expect 0 'sums are right on A moved MI25' "$prefix/bin/lockstep" exec -- "$probe" add
expect 0 'sums are right on A moved MI25' env LOCKSTEP_GPU=mi25 OCL_ICD_VENDORS="$prefix/lib/lockstep/liblockstep_opencl.so" "$probe" add
# Installed and not asked for: an application finds no modelled GPU.
expect 9 'no GPU chosen' env OCL_ICD_VENDORS="$prefix/lib/lockstep/liblockstep_opencl.so" "$probe" add
expect 0 'modelled [0-9]+ steady' "$prefix/bin/lockstep" exec --quiet --virtual-clock -- "$probe" clock
# The C API from pkg-config, from CMake, and from Python.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
if command -v pkg-config >/dev/null; then
  expect 0 '' bash -c "cc '$prefix/share/lockstep/examples/c/saxpy.c' \$(pkg-config --cflags --libs lockstep) -Wl,-rpath,'$prefix/lib' -o with-pkg-config"
  expect 0 'y.3. is 7; done' ./with-pkg-config "$prefix/share/lockstep/examples/saxpy.cl"
  expect 0 'A moved MI25' ./with-pkg-config "$prefix/share/lockstep/examples/saxpy.cl"
fi
mkdir with-cmake
printf 'cmake_minimum_required(VERSION 3.25)\nproject(t LANGUAGES C)\nfind_package(Lockstep 0.1 REQUIRED)\nadd_executable(t %s)\ntarget_link_libraries(t PRIVATE Lockstep::lockstep)\n' \
  "$prefix/share/lockstep/examples/c/saxpy.c" >with-cmake/CMakeLists.txt
expect 0 'Built target t' bash -c "'$cmake' -S with-cmake -B with-cmake/build -DCMAKE_PREFIX_PATH='$prefix' && '$cmake' --build with-cmake/build"
expect 0 'y.3. is 7; done' with-cmake/build/t "$prefix/share/lockstep/examples/saxpy.cl"
for python in /usr/bin/python3 python3; do
  "$python" -c 'import numpy' 2>/dev/null || continue
  expect 0 'A moved MI25' env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$prefix/lib/python3/dist-packages" "$python" -c 'import lockstep; print({one["id"]: one for one in lockstep.gpus()}["mi25"])'
  break
done
expect 0 'batched-matvec' "$prefix/bin/lockstep" experiment --list
# Its own device library, in the program and in the driver: broken, it must be noticed.
echo '#error "the moved library"' >>"$prefix/share/lockstep/devlib/amdgcn/repairs.cl"
expect 1 'the moved library' env LOCKSTEP_CACHE=off "$prefix/bin/lockstep" run "$prefix/share/lockstep/examples/saxpy.cl" --global 64 \
  --arg n=int:64 --arg a=float:2 --arg 'x=float[64]' --arg 'y=float[64]'
expect 9 'clBuildProgram: error -11' env LOCKSTEP_CACHE=off "$prefix/bin/lockstep" exec -- "$probe" add

if command -v dpkg-shlibdeps >/dev/null; then
  expect 0 'generated' cpack --config "$build/CPackConfig.cmake" -B "$folder/package"
  package=$(echo "$folder"/package/*.deb)
  for file in usr/bin/lockstep usr/lib/lockstep/liblockstep_opencl.so usr/lib/lockstep/liblockstep_driver.so \
    usr/lib/lockstep/liblockstep_clock.so usr/lib/liblockstep.so.1 usr/include/lockstep.h usr/lib/pkgconfig/lockstep.pc \
    usr/lib/cmake/Lockstep/LockstepConfig.cmake usr/lib/python3/dist-packages/lockstep/__init__.py \
    etc/OpenCL/vendors/lockstep.icd usr/share/lockstep/machines/sources.toml usr/share/lockstep/devlib/amdgcn/repairs.cl \
    usr/share/lockstep/bitcode/opencl_core-.*.bc usr/share/lockstep/bitcode/devlib_nvptx_math-.*.bc \
    usr/share/lockstep/experiments/ usr/share/doc/lockstep/copyright; do
    expect 0 " \./$file" dpkg-deb -c "$package"
  done
  for needed in clang-19 llvm-19 lld-19 rocm-device-libs libclc-19 ocl-icd-libopencl1 libfmt9 libsqlite3-0 libc6; do
    expect 0 "Depends:.*[ ,:]$needed([ ,(]|$)" dpkg-deb -I "$package"
  done
  dpkg-deb -x "$package" unpacked
  expect 0 '^/usr/lib/lockstep/liblockstep_opencl.so$' cat unpacked/etc/OpenCL/vendors/lockstep.icd
  expect 0 'sums are right' unpacked/usr/bin/lockstep exec -- "$probe" add
  expect 9 'no GPU chosen' env OCL_ICD_VENDORS="$folder/unpacked/usr/lib/lockstep/liblockstep_opencl.so" "$probe" add
  expect 1 '' test -e unpacked/usr/etc
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
