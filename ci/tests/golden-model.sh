#!/bin/sh
# Golden submissions on model cores, ON=qemu: exact, so that each has one verdict. Those below grader/tests/golden-model
# are for this bench only: what the emulated machine has to find, and what the model has to show. Of those below
# grader/tests/golden (see golden.sh) the ones that say @model count here too. Further lines of `expect`:
#   @core NAME       on that core, not on the one that the exercise names
# ONLY=03-branch checks those only whose name has this in it.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
# shellcheck source=ci/leftovers.sh
. ci/leftovers.sh
# shellcheck source=ci/golden.sh
. ci/golden.sh
unset EX ON CORE SRC SEED REPORT FORCE V MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

prefix=$([ "$(uname -m)" = aarch64 ] || echo aarch64-linux-gnu-)
if ! command -v "${prefix}gcc" >/dev/null; then
    skip 'golden: on model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
fi
echo 'right results' >"$area/right"
if [ -z "$prefix" ] || command -v qemu-aarch64 >/dev/null; then
    echo 'and under Linux in' >>"$area/right"
fi

# Stub and reference, on every core.
for folder in exercises/*/; do
    case $folder in *"${ONLY:-}"*) ;; *) continue ;; esac
    folder=${folder%/}
    id=$(basename "$folder")
    for file in harness/model/cores/*.yml; do
        core=$(basename "$file" .yml)
        bench="--on qemu --core $core"
        report "golden: $id as it came fails on $core" verdict_is fail "$id" "$folder/original"
        report "golden: $id with its reference passes on $core" verdict_is pass "$id" "solutions/$id" "$area/right"
    done
done

ran=0
for folder in grader/tests/golden/*/*/ grader/tests/golden-model/*/*/; do
    case $folder in *"${ONLY:-}"*) ;; *) continue ;; esac
    folder=${folder%/}
    [ -f "$folder/expect" ] || continue
    case $folder in */golden/*) grep -qx @model "$folder/expect" || continue ;; esac
    id=$(basename "$(dirname "$folder")")
    core=$(sed -n 's/^@core //p' "$folder/expect")
    bench="--on qemu${core:+ --core $core}"
    rest=solutions/$id
    ! grep -qx @original "$folder/expect" || rest=exercises/$id/original
    assemble "$folder" "$rest"
    sed '1d; /^@/d' "$folder/expect" >"$area/texts"
    report "golden: $id/$(basename "$folder") on a model core" \
        verdict_is "$(sed 's/|unstable//; q' "$folder/expect")" "$id" "$area/src" "$area/texts"
    ran=$((ran + 1))
done
[ -n "${ONLY:-}" ] || report "golden: more than 30 submissions were checked on model cores: $ran" [ "$ran" -gt 30 ]
exit "$tests_failed"
