#!/bin/sh
# The same files and seed give the same report on a model core: under other environments, from other folders, with and
# without address-space randomization, beside a load, with and without what is kept from earlier checks. Byte for byte,
# but for the fields that docs/report.md names: seconds (time) and source (place).
# RUNS=50 of each reference; 4 where it is not given. CORES="cortex-a72" on other cores than the usual two, ONLY=03-branch
# of those exercises whose name has this in it.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
unset EX ON CORE SRC SEED REPORT FORCE V MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'determinism: reports of model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}
chmod 711 "$scratch" # compilers run as a user without privileges
here=$(pwd)
program=$(cd "$(dirname "$BUILD/cyclelab")" && pwd)/cyclelab

# run NUMBER ID CORE: one check under circumstances that follow from its number; what counts of its report on stdout.
run() {
    folder=$scratch/at/$1
    mkdir -p "$folder"
    randomized=
    [ $(($1 % 3)) -ne 1 ] || randomized='setarch -R'
    $randomized true 2>/dev/null || randomized=
    [ $(($1 % 4)) -ne 3 ] || rm -rf "$BUILD/cache" # everything anew
    if [ $(($1 % 2)) -eq 1 ]; then # half of them beside a load on each processor
        load=
        for _ in $(seq "$(nproc)"); do
            (while :; do :; done) &
            load="$load $!"
        done
    fi
    (
        cd "$folder" || exit 1
        LC_ALL=$([ $(($1 % 2)) -eq 0 ] && echo C || echo C.UTF-8) TZ=UTC$1 FILLER=$(printf "%0$((1 + $1 * 97))d" 0) \
            TMPDIR=$folder HOME=$folder \
            $randomized "$program" check "$2" --root "$here" --src "$here/solutions/$2" --on qemu --core "$3" \
            --report "json:$folder/report" >"$folder/text" 2>&1 || cat "$folder/text" >&2
    )
    if [ $(($1 % 2)) -eq 1 ]; then
        # shellcheck disable=SC2086 # one word each
        kill $load
        # shellcheck disable=SC2086
        wait $load 2>/dev/null
    fi
    sed '/^[[:space:]]*"\(seconds\|source\)":/d' "$folder/report"
    rm -rf "$folder"
}

# same ID CORE: all runs give the report of the first.
same() {
    run 0 "$1" "$2" >"$scratch/first" || return 1
    grep -q '"verdict":[[:space:]]*"pass"' "$scratch/first" || { cat "$scratch/first"; return 1; }
    number=1
    while [ "$number" -lt "${RUNS:-4}" ]; do
        run "$number" "$1" "$2" >"$scratch/next"
        if ! cmp -s "$scratch/first" "$scratch/next"; then
            echo "run $number differs:"
            diff "$scratch/first" "$scratch/next"
            return 1
        fi
        number=$((number + 1))
    done
}

for folder in exercises/*/; do
    case $folder in *"${ONLY:-}"*) ;; *) continue ;; esac
    id=$(basename "$folder")
    for core in ${CORES:-cortex-a55 neoverse-n1}; do
        report "determinism: ${RUNS:-4} reports of $id on $core are the same" same "$id" "$core"
    done
done
exit "$tests_failed"
