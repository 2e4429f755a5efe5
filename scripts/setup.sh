#!/usr/bin/env bash
# setup.sh [--check] SECTION...: installs what the sections of packages.txt name (build, run, test, package) and the system lacks.
# Says nothing when nothing is missing. --check installs nothing: it says what is missing, and how to install it.
set -euo pipefail
cd "$(dirname "$0")/.."
check=0
[ "${1:-}" = --check ] && { check=1; shift; }
[ $# -gt 0 ] || { echo "usage: scripts/setup.sh [--check] SECTION... (sections of packages.txt)" >&2; exit 2; }
missing=()
for section in "$@"; do
  wanted=$(awk -v section="[$section]" '{ sub(/#.*/, "") } /^\[/ { inside = $1 == section; found += inside; next } inside && NF { print $1 }
    END { exit found != 1 }' packages.txt) || { echo "setup: packages.txt has no section '$section'" >&2; exit 2; }
  for package in $wanted; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
  done
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ $check = 1 ]; then
  { echo "Missing packages: ${missing[*]}"
    echo "  'make setup' installs what building and running need, 'make setup-test' what the tests need as well;"
    echo "  or by hand: apt-get install ${missing[*]}"; } >&2
  exit 1
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: not root and no sudo; install by hand: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
