#!/bin/sh
# The same files and seed give the same report on a model core: under other environments, from other folders, with and
# without address-space randomization, beside a full load, with and without what is kept from earlier checks. Byte for
# byte, but for the fields that docs/report.md names: seconds (time) and source (place).
# And the same programs give the same counts, in each instruction, under another emulator and another C library; so do 1,000 drills.
#   RUNS=50           runs of each reference; where it is not given two, the second under another of the ways in turn
#   CORES=cortex-a72  on these cores; one in order and one out of order in turn where it is not given
#   FULL=1            50 runs of each reference on all cores; without, of a sample (ci/sample.sh)
#   ONLY=03-branch    of those exercises whose name has this in it
#   PROGRAMS=dir      programs and counts of another system, to give the same here; made where there are none yet, for
#                     the other system to compare with
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'determinism: reports of model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}
runs=${RUNS:-2}
cores=${CORES:-}
if [ -n "${FULL:-}" ]; then
    runs=${RUNS:-50}
    cores=${CORES:-$(basename -s .yml -a harness/model/cores/*.yml)}
fi
chmod 711 "$scratch" # compilers run as a user without privileges
here=$(pwd)

# A build folder of our own, so that nobody else fills what is kept from earlier checks.
mkdir "$scratch/build"
cp -R "$BUILD/cyclelab" "$BUILD/runner" "$BUILD/exercises" "$scratch/build" || exit 1
program=$scratch/build/cyclelab
kept=$scratch/build/cache

# In a run of this number: half of them beside a load on each processor; one in three without randomization; three in
# four with nothing kept, so that baseline and reference are built and measured anew.
is_loaded() { [ $(($1 % 2)) -eq 1 ]; }
is_fixed() { [ $(($1 % 3)) -eq 1 ]; }
is_new() { [ $(($1 % 4)) -ne 2 ]; }

# disturb COMMAND...: beside a load.
disturb() {
    load=
    for _ in $(seq "$(nproc)"); do
        (while :; do :; done) &
        load="$load $!"
    done
    "$@"
    ended=$?
    # shellcheck disable=SC2086 # one word each
    kill $load
    # shellcheck disable=SC2086
    wait $load 2>/dev/null
    return "$ended"
}

# here_and_there NUMBER COMMAND...: in an environment and a folder that follow from the number.
here_and_there() {
    at=$1
    shift
    folder=$scratch/at/$at
    mkdir -p "$folder"
    if is_fixed "$at" && setarch -R true 2>/dev/null; then set -- setarch -R "$@"; fi
    if is_loaded "$at"; then set -- disturb "$@"; fi
    (
        LC_ALL=$(is_loaded "$at" && echo C.UTF-8 || echo C) TZ=UTC$at HOME=$folder TMPDIR=$folder
        FILLER=$(printf "%0$((1 + at * 97))d" 0) # the stack begins elsewhere
        export LC_ALL TZ HOME TMPDIR FILLER
        cd "$folder" && "$@"
    )
    ended=$?
    rm -rf "$folder"
    return "$ended"
}

# run NUMBER ID CORE: one check; what counts of its report on stdout.
run() {
    if is_new "$1"; then rm -rf "$kept"; fi
    rm -f "$scratch/report"
    here_and_there "$1" "$program" check "$2" --root "$here" --src "$here/solutions/$2" --on qemu --core "$3" \
        --report "json:$scratch/report" >"$scratch/text" 2>&1 || cat "$scratch/text" >&2
    [ -n "$(ls "$kept")" ] || { echo "run $1 has kept nothing, so it has measured nothing either" >&2; return 1; }
    sed '/^[[:space:]]*"\(seconds\|source\)":/d' "$scratch/report"
}

# same ID CORE NUMBER...: the runs of these numbers give the report of run 0.
same() {
    id=$1
    core=$2
    shift 2
    run 0 "$id" "$core" >"$scratch/first" || return 1
    grep -q '"verdict":[[:space:]]*"pass"' "$scratch/first" || { cat "$scratch/first"; return 1; }
    grep -q '"cycles":' "$scratch/first" || { echo 'there are no cycles in it'; return 1; }
    for number; do
        run "$number" "$id" "$core" >"$scratch/next" || return 1
        if ! cmp -s "$scratch/first" "$scratch/next"; then
            echo "run $number differs:"
            diff "$scratch/first" "$scratch/next"
            return 1
        fi
    done
}

way=0
for folder in exercises/*/; do
    case $folder in *"${ONLY:-}"*) ;; *) continue ;; esac
    id=$(basename "$folder")
    turn=$([ "${turn:-}" = cortex-a55 ] && echo neoverse-n1 || echo cortex-a55)
    sampled "$id" || continue
    way=$((way % 3 + 1))
    numbers=$way
    [ -z "${RUNS:-}${FULL:-}" ] || numbers=$(seq $((runs - 1)))
    for core in ${cores:-$turn}; do
        # shellcheck disable=SC2086 # words
        report "determinism: $runs reports of $id on $core are the same" same "$id" "$core" $numbers
    done
done

programs=${PROGRAMS:-$scratch/programs}
drive_is_there() { "${MAKE:-make}" BUILD="$BUILD" "$BUILD/determinism-drive"; }
counts() {
    "$BUILD/determinism-drive" count "$programs" &&
        printf 'drills %s\n' "$("$BUILD/cyclelab" drill --sheet --questions 1000 --seed check | sha256sum)"
}
programs_are_there() { [ -f "$programs/counts" ] || "$BUILD/determinism-drive" build "$programs"; }
are_counted() { counts >"$programs/counts" && [ "$(wc -l <"$programs/counts")" -gt 100 ]; }
count_the_same() { disturb counts >"$scratch/counts" && diff "$programs/counts" "$scratch/counts"; }

if [ -z "${ONLY:-}" ]; then
    report 'determinism: the program that counts is built' drive_is_there
    report 'determinism: programs to count in are there' programs_are_there
    again=there
    [ -f "$programs/counts" ] || {
        report 'determinism: they are counted in' are_counted
        again='again, beside a load'
    }
    report "determinism: their counts are the same $again" count_the_same
fi
exit "$tests_failed"
