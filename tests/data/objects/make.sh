#!/bin/sh
# Makes the code objects of this folder: v<version>_<target>.hsaco of kernels.cl, versions 2 to 5, by clang-15, an older
# compiler than the one that Lockstep uses (Debian packages clang-15, lld-19 and rocm-device-libs).
set -eu
cd "$(dirname "$0")"
for object in v*_*.hsaco; do
  name=${object%.hsaco}
  target=${name#*_}
  version=${name%%_*}
  clang-15 -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa -mcpu="$target" -mcode-object-version="${version#v}" -O2 \
    --rocm-path=/usr --rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode -c kernels.cl -o "$name.o"
  ld.lld-19 -shared "$name.o" -o "$object"
  rm "$name.o"
done
