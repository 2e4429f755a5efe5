#!/bin/sh
# Writes TARGET.txt: every base mnemonic that LLVM has for the target (suffixes _e32, _e64, _dpp, _sdwa taken off).
#   tests/opcodes/update.sh gfx900 [TARGET...]
# Needs llvm-19-dev and llvm-mc-19. The lines "missing-at-most" of an existing file are kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++20 $(llvm-config-19 --cppflags) "$here/list_mnemonics.cpp" -o "$work/list" $(llvm-config-19 --ldflags --libs)
for target in "$@"; do
  case $target in
    gfx11* | gfx12*) "$work/list" "${target%??}" >"$work/all" ;;
    *) "$work/list" >"$work/all" ;;
  esac
  # A mnemonic alone on its line: the assembler says what is wrong with it, by line.
  llvm-mc-19 -triple amdgcn-amd-amdhsa -mcpu="$target" "$work/all" -o /dev/null 2>"$work/errors" || true
  sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: \(instruction not supported\|invalid instruction\).*/\1/p' \
    "$work/errors" | sort -un >"$work/refused"
  out="$here/$target.txt"
  {
    echo "# Mnemonics of $target, by tests/opcodes/update.sh $target with LLVM $(llvm-config-19 --version)."
    echo "# 'missing-at-most N': what opcodes_test allows. What compute does not need is in not-needed.txt."
    { grep -E '^missing-at-most ' "$out" 2>/dev/null || echo "missing-at-most 0"; }
    awk 'NR == FNR { refused[$1] = 1; next } !(FNR in refused)' "$work/refused" "$work/all" | LC_ALL=C sort
  } >"$work/result"
  mv "$work/result" "$out"
  chmod 644 "$out"
done
