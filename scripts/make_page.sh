#!/usr/bin/env bash
# Makes src/report/page/bundle, the page of HTML reports, of its sources and npm packages: make_page.sh [--check]
# --check only says whether what is committed is byte for byte what this makes; 77 where npm or its registry is not
# there. Building Lockstep needs none of this.
set -euo pipefail
cd "$(dirname "$0")/.."
page=$PWD/src/report/page
check=${1:-}
case "$check" in
  '' | --check) ;;
  *) echo "usage: make_page.sh [--check]" >&2; exit 2 ;;
esac
if ! command -v npm >/dev/null; then
  echo "make_page.sh: npm is not here (apt-get install npm)" >&2
  exit $([ "$check" ] && echo 77 || echo 1)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# In a folder of its own: the checkout stays as it is.
cp -r "$page"/package.json "$page"/package-lock.json "$page"/make.mjs "$page"/source "$work"
quiet=(--ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=2000)
if ! (cd "$work" && npm ci "${quiet[@]}" >"$work/npm.log" 2>&1); then
  head -6 "$work/npm.log" >&2
  echo "make_page.sh: npm cannot fetch the packages of src/report/page/package-lock.json" >&2
  # A lock file that does not fit package.json is an error of ours, not of the network.
  if grep -qE 'EUSAGE|EINTEGRITY' "$work/npm.log"; then exit 1; fi
  exit $([ "$check" ] && echo 77 || echo 1)
fi
(cd "$work" && node make.mjs "$work/bundle")
if [ "$check" ]; then
  if diff -rq "$work/bundle" "$page/bundle"; then
    echo "src/report/page/bundle is what its sources make"
  else
    echo "src/report/page/bundle is not what its sources make: run scripts/make_page.sh" >&2
    exit 1
  fi
else
  rm -rf "$page/bundle"
  cp -r "$work/bundle" "$page/bundle"
  wc -c "$page"/bundle/*
fi
