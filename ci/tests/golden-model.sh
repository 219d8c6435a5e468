#!/bin/sh
# Golden submissions on model cores, ON=qemu: exact, so that each has one verdict, the first of its list. Those below grader/tests/golden-model
# are for this bench only: what the emulated machine has to find, and what the model has to show. Of those below
# grader/tests/golden (see golden.sh) the ones that say @model count here too. Further lines of `expect`:
#   @core NAME       on that core, not on the one that the exercise names; several lines: on each of them
# ONLY=03-branch checks those only whose name has this in it. It is a sample (ci/sample.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
# shellcheck source=ci/leftovers.sh
. ci/leftovers.sh
# shellcheck source=ci/golden.sh
. ci/golden.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

prefix=$([ "$(uname -m)" = aarch64 ] || echo aarch64-linux-gnu-)
if ! command -v "${prefix}gcc" >/dev/null; then
    skip 'golden: on model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
fi
echo 'correctness' >"$area/right"
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
        sampled "$id $core" || continue # gains.sh has the reference on each
        report "golden: $id as it came fails on $core" verdict_is fail "$id" "$folder/stub"
        report "golden: $id with its reference passes on $core" verdict_is pass "$id" "solutions/$id" "$area/right"
    done
done

# Where C can do it, the reference in C stands beside the one in assembly, which is what is measured; it passes as well.
for file in solutions/*/*.c; do
    case $file in *"${ONLY:-}"*) ;; *) continue ;; esac
    folder=$(dirname "$file")
    [ -e "$folder/aarch64/$(basename "$file" .c).S" ] || continue
    rm -rf "$area/in-c" && mkdir "$area/in-c" && cp "$folder"/*.c "$area/in-c"
    for core in cortex-a55 neoverse-n1; do
        sampled "$file $core" || continue
        bench="--on qemu --core $core"
        report "golden: $file in the place of assembly passes on $core" verdict_is pass "$(basename "$folder")" "$area/in-c" "$area/right"
    done
done

# What the lessons promise, of their baselines and references.

# counts ID CORE: a check of the reference, its report in $area/counts.
counts() {
    "$BUILD/cyclelab" check "$1" --src "solutions/$1" --on qemu --core "$2" --report "json:$area/counts"
}

# counted CASE VARIANT NAME: what the report has for it, among the counters at last.
counted() {
    awk -v of="$1" -v who="$2" -v name="$3" '{ gsub(/[":,]/, " ") } $1 == "case" { at = $2 } $1 == "variant" { variant = $2 }
        $1 == name && at == of && variant == who { count = $2 } END { printf "%d", count }' "$area/counts"
}

# On random data the clamp without branches takes a third of the cycles, or less.
clamp_pays() {
    counts 03-branch-elimination neoverse-n1 || return 1
    baseline=$(counted random baseline cycles)
    reference=$(counted random reference cycles)
    echo "$baseline cycles against $reference"
    [ "$reference" -gt 0 ] && [ "$baseline" -ge $((3 * reference)) ]
}

# The ARM article's miss rates, over all loads: below 1 % in order, since the prefetcher is ahead, and 30 to 50 % shuffled.
walks_miss() {
    counts 02-cache-misses cortex-a55 || return 1
    for variant in baseline reference; do
        loads=$(counted sequential-4mib "$variant" l1d-loads) misses=$(counted sequential-4mib "$variant" l1d-load-misses)
        prefetches=$(counted sequential-4mib "$variant" prefetches)
        echo "$variant, in order: $misses of $loads, $prefetches prefetches"
        [ "$loads" -gt 100000 ] && [ $((100 * misses)) -lt "$loads" ] && [ "$prefetches" -gt 1000 ] || return 1
        loads=$(counted shuffled-4mib "$variant" l1d-loads) misses=$(counted shuffled-4mib "$variant" l1d-load-misses)
        echo "$variant, shuffled: $misses of $loads"
        [ "$loads" -gt 100000 ] && [ $((100 * misses)) -ge $((30 * loads)) ] && [ $((100 * misses)) -le $((50 * loads)) ] || return 1
    done
}

# In order pipelining has to pay, and out of order it is asked to do no harm and no more.
pipelining_is_asked() {
    for file in harness/model/cores/*.yml; do
        core=$(basename "$file" .yml)
        said=$(counts 05-software-pipelining "$core") || return 1
        equal "$(grep -c '^ *kind: in-order' "$file")" "$(grep -c '"name":[[:space:]]*"dot-pipelined"' "$area/counts")" || return 1
        contains "$said" 'dot-no-slower' || return 1
    done
}

if [ -z "${ONLY:-}" ]; then
    report 'lessons: the clamp without branches is 3 times as fast on neoverse-n1' clamp_pays
    report "lessons: the article's miss rates appear on cortex-a55" walks_miss
    report 'lessons: pipelining has to pay in order only' pipelining_is_asked
fi

ran=0
for folder in grader/tests/golden/*/*/ grader/tests/golden-model/*/*/; do
    case $folder in *"${ONLY:-}"*) ;; *) continue ;; esac
    folder=${folder%/}
    [ -f "$folder/expect" ] || continue
    case $folder in */golden/*) grep -qx @model "$folder/expect" || continue ;; esac
    sampled "$folder" || continue
    id=$(basename "$(dirname "$folder")")
    rest=solutions/$id
    ! grep -qx @stub "$folder/expect" || rest=exercises/$id/stub
    assemble "$folder" "$rest"
    sed '1d; /^@/d' "$folder/expect" >"$area/texts"
    for core in $(sed -n 's/^@core //p' "$folder/expect" | grep . || echo its-own); do
        bench='--on qemu'
        [ "$core" = its-own ] || bench="$bench --core $core"
        report "golden: $id/$(basename "$folder") on a model core, $core" \
            named "$folder" "$(sed 's/|.*//; q' "$folder/expect")" "$id" "$area/src" "$area/texts"
    done
    ran=$((ran + 1))
done
# Every mistake that is declared has a submission that makes it.
mistakes_are_tried() {
    for folder in exercises/*/; do
        id=$(basename "$folder")
        sed -n '/^mistakes:/,/^[a-z]/s/^  - name: //p' "$folder/exercise.yml" | while IFS= read -r mistake; do
            echo "$id $mistake"
            grep -lqx "@mistake $mistake" grader/tests/golden*/"$id"/*/expect || echo "nobody makes $mistake"
        done
    done >"$area/declared"
    cat "$area/declared"
    ! grep -q '^nobody' "$area/declared" && [ "$(wc -l <"$area/declared")" -ge 25 ]
}
[ -n "${ONLY:-}" ] || report 'golden: each declared mistake is made by a submission' mistakes_are_tried
honest=$(grep -lx @honest grader/tests/golden*/*/*/expect | wc -l)
[ -n "${ONLY:-}" ] || report "golden: 40 honest answers and more: $honest" [ "$honest" -ge 40 ]
[ -n "${ONLY:-}" ] || report "golden: more than 30 submissions were checked on model cores: $ran" [ "$ran" -gt 30 ]
exit "$tests_failed"
