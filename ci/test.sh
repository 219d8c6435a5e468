#!/bin/sh
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
for script in ci/tests/*.sh; do
    name=$(basename "$script" .sh)
    stage "$name" "$BUILD/$name.tap" env BUILD="$BUILD" MAKE="$MAKE" TAP="$BUILD/$name.tap" "$script"
done
stage coverage '' env MAKE="$MAKE" BUILD="$BUILD" ci/coverage.sh
stage lint '' "$MAKE" BUILD="$BUILD" lint LINT_STUBS="${CI:-}"

echo "== all"
awk -f ci/tap.awk -v quiet=1 "$taps"/*.tap
