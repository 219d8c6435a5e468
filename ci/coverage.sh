#!/bin/sh
# `make coverage`: the unit tests and the commands with coverage, and the gate. Code for the runner's target side is not
# counted: it runs without a C library.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}/coverage
percent=90
mkdir -p "$build"
find "$build" -name '*.gcda' -delete
export CFLAGS='-O0 -g -fprofile-update=atomic' SANITIZE=--coverage # for the makes of the tests below, too
"${MAKE:-make}" BUILD="$build" unit
BUILD=$build ci/tests/commands.sh
gcovr --root . --object-directory "$build" \
    --filter 'harness/' --filter 'grader/' --exclude '.*/tests/' --exclude 'harness/runner/target/' \
    --txt "$build/coverage.txt" --html-details "$build/coverage.html" --print-summary --fail-under-line "$percent" ||
    { sed -n '/^---/,$p' "$build/coverage.txt"; echo "coverage: below $percent % of the lines" >&2; exit 1; }
