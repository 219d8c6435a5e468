#!/bin/sh
# Run the unit tests of a build folder, or with TEST=suite/name (patterns with *; `suite` is all of one) some of them. The
# results stay in its tests.tap.
set -eu
cd "$(dirname "$0")/.."
build=$1
rm -f "$build/tests.tap"
case ${TEST:=} in '' | */*) ;; *) TEST="$TEST/*" ;; esac

# A leak in a worker that a test ends on purpose is no finding; anything else that a sanitizer says is.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}"
# Unicorn 2.1 forgets 32 bytes of each engine that it closes.
echo 'leak:libunicorn' >"$build/leaks"
# shellcheck disable=SC2016 # the quotes are for LeakSanitizer
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions='$(realpath "$build/leaks")':print_suppressions=0}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
status=0
timeout --kill-after=10 "${TEST_SECONDS:-600}" "$build/tests" -j2 --timeout 120 --tap="$build/tests.tap" \
    ${TEST:+--filter "$TEST"} || status=$?
[ -f "$build/tests.tap" ] || { echo "$build/tests ended with status $status and reported nothing" >&2; exit 1; }
# Criterion lists what the filter left out as skipped, and that nothing was run is no error to it.
[ -z "$TEST" ] || sed -i '/# SKIP test was skipped$/d; /^1\.\./d' "$build/tests.tap"
if ! grep -qE '^(not )?ok ' "$build/tests.tap"; then
    echo "no unit test is named \`$TEST\`: expected suite/name; $build/tests --list has them all" >&2
    exit 2
fi
awk -f ci/tap.awk "$build/tests.tap" && exit "$status"
exit 1
