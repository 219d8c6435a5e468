#!/bin/bash
# `make test`: every stage is run, whatever became of the one before; the last line sums up.
set -u
cd "$(dirname "$0")/.." || exit 1
MAKE=${MAKE:-make}
BUILD=${BUILD:-build}
# shellcheck source=ci/variables.sh
. ci/variables.sh
taps=$BUILD/tap
rm -rf "$taps"
mkdir -p "$taps" || exit 1

# stage NAME TAP-FILE COMMAND...: the tests in the TAP file count, or the stage itself as one test where it has none.
stage() {
    name=$1 tap=$2
    shift 2
    echo "== $name"
    rm -f "$tap"
    began=$(date +%s)
    status=0
    "$@" || status=$?
    if [ -s "$tap" ]; then
        cp "$tap" "$taps/$name.tap"
        [ "$status" -eq 0 ] || grep -q '^not ok' "$tap" || echo "not ok - $name ended with status $status" >>"$taps/$name.tap"
    else
        [ "$status" -eq 0 ] && echo "ok - $name" >"$taps/$name.tap" || echo "not ok - $name" >"$taps/$name.tap"
    fi
    echo "== $name: $([ "$status" -eq 0 ] && echo good || echo FAILED), $(($(date +%s) - began)) s"
}

stage unit "$BUILD/tests.tap" "$MAKE" BUILD="$BUILD" unit
stage sanitizers "$BUILD/asan/tests.tap" "$MAKE" BUILD="$BUILD/asan" CFLAGS='-O1 -g -fno-omit-frame-pointer' \
    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' unit
script() {
    stage "$1" "$BUILD/$1.tap" env BUILD="$BUILD" MAKE="$MAKE" TAP="$BUILD/$1.tap" "ci/tests/$1.sh"
}
timed='golden trust' # nothing runs beside these
for name in $timed; do script "$name"; done

# Lint needs nothing but processors, which most of the other tests leave idle half of the time.
set -m # in a process group of its own, to be ended as a whole
stage lint '' nice -n 19 "$MAKE" BUILD="$BUILD" lint LINT_STUBS="${CI:-}" >"$BUILD/lint.log" 2>&1 &
lint=$!
set +m
trap 'kill -- "-$lint" 2>/dev/null' EXIT
for name in ci/tests/*.sh; do
    name=$(basename "$name" .sh)
    case " $timed " in *" $name "*) ;; *) script "$name" ;; esac
done
stage coverage '' env MAKE="$MAKE" BUILD="$BUILD" ci/coverage.sh
wait "$lint"
trap - EXIT
cat "$BUILD/lint.log"

echo "== all"
awk -f ci/tap.awk -v quiet=1 "$taps"/*.tap
