#!/bin/sh
# `make coverage`: the unit tests and the commands with coverage, and the gate. Code for the runner's target side is not
# counted: it runs without a C library. The tests' results stay in all.tap of its build folder.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}/coverage
percent=90
mkdir -p "$build"
rm -f "$build"/*.tap
find "$build" -name '*.gcda' -delete
export CFLAGS='-O0 -g -fprofile-update=atomic' SANITIZE=--coverage # for the makes of the tests below, too
# Below a folder that is the owner's alone, what runs without privileges cannot leave its counts, and says so each time.
export GCOV_ERROR_FILE=/dev/null
status=0
"${MAKE:-make}" BUILD="$build" unit || status=$?
for name in commands watch; do # programs that people talk to are tested as scripts
    BUILD=$build TAP=$build/$name.tap "ci/tests/$name.sh" || status=$?
done
# Those of a class that unit tests do not reach; they count where all of grade.sh is run.
ONLY='goes back|became of grades|rules before|forgotten|alike|found hard|checked anew' BUILD=$build TAP=$build/grade.tap ci/tests/grade.sh || status=$?
cat "$build/tests.tap" "$build/commands.tap" "$build/watch.tap" >"$build/all.tap"
[ "$status" -eq 0 ] || exit "$status"
gcovr --root . --object-directory "$build" \
    --filter 'harness/' --filter 'grader/' --exclude '.*/tests/' --exclude 'harness/runner/target/' \
    --txt "$build/coverage.txt" --html-details "$build/coverage.html" --print-summary --fail-under-line "$percent" ||
    { sed -n '/^---/,$p' "$build/coverage.txt"; echo "coverage: below $percent % of the lines" >&2; exit 1; }
