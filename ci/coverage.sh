#!/bin/sh
# `make coverage`: the unit tests, the commands and one exercise's golden submissions with coverage, and the gate. Code for
# the runner's target side is not counted: it runs without a C library.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}/coverage
percent=90
mkdir -p "$build"
find "$build" -name '*.gcda' -delete
"${MAKE:-make}" BUILD="$build" CFLAGS='-O0 -g -fprofile-update=atomic' SANITIZE=--coverage unit
BUILD=$build ci/tests/commands.sh
BUILD=$build ONLY=03-branch-elimination TAP=$build/golden.tap ci/tests/golden.sh >"$build/golden.log" ||
    { grep -A9 '^not ok' "$build/golden.log"; exit 1; }
gcovr --root . --object-directory "$build" \
    --filter 'harness/' --filter 'grader/' --exclude '.*/tests/' --exclude 'harness/runner/target/' \
    --txt "$build/coverage.txt" --html-details "$build/coverage.html" --print-summary --fail-under-line "$percent" ||
    { sed -n '/^---/,$p' "$build/coverage.txt"; echo "coverage: below $percent % of the lines" >&2; exit 1; }
