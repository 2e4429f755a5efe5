#!/usr/bin/env bash
# Every C++ file is as clang-format-19 would write it.
set -euo pipefail
cd "$(dirname "$0")/.."
find src tests bench -name '*.cpp' -o -name '*.h' | sort | xargs clang-format-19 --dry-run --Werror
