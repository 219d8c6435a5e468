#!/bin/bash
# `make test`: every stage is run, whatever became of the one before; the last line sums up. Each stage says how long it
# took and how much processor time it and all that it started took (user and system).
set -u
cd "$(dirname "$0")/.." || exit 1
MAKE=${MAKE:-make}
BUILD=${BUILD:-build}
# shellcheck source=ci/variables.sh
. ci/variables.sh
# shellcheck source=ci/sample.sh
. ci/sample.sh
export SAMPLE # for lint too, which by hand reads all
export WATCH_SLACK="${WATCH_SLACK:-5}" # this machine is busy: what a reaction of watch may take
taps=$BUILD/tap
rm -rf "$taps"
mkdir -p "$taps" || exit 1
TIMEFORMAT='%R %U %S'
began=$EPOCHSECONDS
# Where python3 is a script that looks for the version that is meant, that takes longer than most of the tests' programs.
PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))' 2>/dev/null || echo /usr/bin):$PATH

# stage NAME TAP-FILE COMMAND...: the tests in the TAP file count, or the stage itself as one test where it has none.
stage() {
    local name=$1 tap=$2 status=0
    shift 2
    echo "== $name"
    rm -f "$tap"
    # In a shell of its own: what `time` adds up is then this stage's, and not also that of what runs beside it.
    ({ time "$@" 2>&3; } 3>&2 2>"$taps/$name.time") || status=$?
    if [ -s "$tap" ]; then
        cp "$tap" "$taps/$name.tap"
        [ "$status" -eq 0 ] || grep -q '^not ok' "$tap" || echo "not ok - $name ended with status $status" >>"$taps/$name.tap"
    else
        [ "$status" -eq 0 ] && echo "ok - $name" >"$taps/$name.tap" || echo "not ok - $name" >"$taps/$name.tap"
    fi
    echo "== $name: $([ "$status" -eq 0 ] && echo good || echo FAILED), $(awk 'NF == 3 { printf "%.0f s, %.0f s of CPU", $1, $2 + $3 }' "$taps/$name.time")"
}

# The stages by their CPU time, and the sum.
times() {
    awk -v wall="$1" 'NF == 3 { name = FILENAME; sub(".*/", "", name); sub("[.]time$", "", name)
            printf "  %-14s %6.0f s %6.0f s of CPU\n", name, $1, $2 + $3 | "sort -rn -k 4"; sum += $2 + $3 }
        END { close("sort -rn -k 4"); printf "  %-14s %6.0f s %6.0f s of CPU (%.1f min)\n", "all", wall, sum, sum / 60 }' "$taps"/*.time
}

# The unit tests run twice: with sanitizers, and with coverage, where those run that sanitizers stand in the way of.
stage coverage "$BUILD/coverage/all.tap" env MAKE="$MAKE" BUILD="$BUILD" ci/coverage.sh
stage sanitizers "$BUILD/asan/tests.tap" "$MAKE" BUILD="$BUILD/asan" CFLAGS='-O1 -g -fno-omit-frame-pointer' \
    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' unit
script() {
    stage "$1" "$BUILD/$1.tap" env BUILD="$BUILD" MAKE="$MAKE" TAP="$BUILD/$1.tap" "ci/tests/$1.sh"
}
timed='golden readme trust' # nothing runs beside these
for name in $timed; do script "$name"; done
ran="$timed commands watch" # coverage has had these two

# beside NAME: a stage in a process group of its own, to be ended as a whole; what it says comes when it has ended.
running=
trap 'for one in $running; do kill -- "-$one"; done 2>/dev/null' EXIT
beside() {
    while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    set -m
    {
        if [ "$1" = lint ]; then
            stage lint '' "$MAKE" BUILD="$BUILD" lint LINT_WORK="${CI:-}"
        else
            script "$1"
        fi >"$taps/$1.log" 2>&1
        cat "$taps/$1.log"
    } &
    running="$running $!"
    set +m
}
# The rest, as many at once as there are processors: one alone leaves half of them idle. The longest first.
# shellcheck disable=SC2046 # words
"$MAKE" BUILD="$BUILD" all $(printf '%s\n' ci/*/drive.c | sed "s|ci/\(.*\)/drive.c|$BUILD/\1-drive|") # not two of them at once
long='golden-model hostile lint determinism grade figures'
for name in $long $(basename -s .sh -a ci/tests/*.sh); do
    case " $ran " in *" $name "*) ;; *) beside "$name" ;; esac
    ran="$ran $name"
done
wait
trap - EXIT

echo "== time"
times $((EPOCHSECONDS - began))
echo "== all"
awk -f ci/tap.awk -v quiet=1 "$taps"/*.tap
