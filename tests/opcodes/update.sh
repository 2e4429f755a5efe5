#!/bin/sh
# Writes TARGET.txt: every base mnemonic that LLVM has for the target (suffixes _e32, _e64, _dpp, _sdwa taken off).
#   tests/opcodes/update.sh gfx900
# Needs llvm-19-dev and llvm-mc-19. The lines "not-needed" and "missing-at-most" of an existing file are kept.
set -eu
target=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++20 $(llvm-config-19 --cppflags) "$here/list_mnemonics.cpp" -o "$work/list" $(llvm-config-19 --ldflags --libs)
"$work/list" >"$work/all"
# A mnemonic alone on its line: the assembler says what is wrong with it, by line.
llvm-mc-19 -triple amdgcn-amd-amdhsa -mcpu="$target" "$work/all" -o /dev/null 2>"$work/errors" || true
sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: \(instruction not supported\|invalid instruction\).*/\1/p' \
  "$work/errors" | sort -un >"$work/refused"
out="$here/$target.txt"
{
  echo "# Mnemonics of $target, by tests/opcodes/update.sh $target with LLVM $(llvm-config-19 --version)."
  echo "# 'not-needed NAME REASON': outside what compute kernels can use. 'missing-at-most N': what opcodes_test allows."
  { grep -E '^(not-needed|missing-at-most) ' "$out" 2>/dev/null || true; }
  awk 'NR == FNR { refused[$1] = 1; next } !(FNR in refused)' "$work/refused" "$work/all" | LC_ALL=C sort
} >"$work/result"
mv "$work/result" "$out"
chmod 644 "$out"
