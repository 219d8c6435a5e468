#!/bin/sh
# Golden submissions: grader/tests/golden/EXERCISE/NAME holds a student's files and what the check has to say to them.
# The file `expect` there: the verdicts that are right, as in "fail" or "fail|unstable"; then, a line each, what the
# report has to contain, or one of
#   @stub            the other files are those of the stub (else: those of the reference)
#   @x86             goes with x86-64
#   @cross           goes with a compiler and an emulator for AArch64 on another processor
#   @model           goes for golden-model.sh too
#   @native TEXT     natively the report contains this as well: advice that a mistake replaces where the model recognises it
#   @mistake NAME    of the exercise's mistakes that it is recognised as, on model cores; natively where it goes there alone
#   @cause NAME      it is to have what it does not deserve, by this one of the causes in grader/tests/causes (hostile.sh counts)
#   @slower TIMES    what is expected goes for processors on which it takes so many times the reference's time
#   @honest          an answer in good faith, in a style of its own, with the verdict that it deserves
# A file for one processor only (x86_64/clamp.S) goes with that processor. Where timing decides, the machine may be too
# noisy to say; the opposite verdict is never right, but where both stand: some processors do not show the effect. Where
# `unstable` is not among the verdicts the check has more time then.
# They are checked two at a time, which makes no verdict wrong; what is left open then is checked with nothing beside it.
# What goes for model cores too, where it is exact (golden-model.sh), is a sample here (ci/sample.sh).
# ONLY=03-branch checks those only whose name has this in it. SEEDS=20 checks each that is wrong or rejected with so many
# seeds, one after the other (an hour on an idle processor): what is expected of it has to hold for all inputs.
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

# Two parts, 0 and 1, take the tests in turn.
if [ -z "${PART:-}" ]; then
    trap 'kill $first $second 2>/dev/null; wait; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
    export ALONE="$scratch/alone"
    PART=0 TAP=$scratch/0.tap ci/tests/golden.sh & first=$!
    PART=1 TAP=$scratch/1.tap ci/tests/golden.sh & second=$!
    wait "$first" || tests_failed=1
    wait "$second" || tests_failed=1
    cat "$scratch/0.tap" "$scratch/1.tap" >>"$TAP"
    ran=$(cat "$scratch"/?.tap | grep -c '^ok - golden: [^ ]*/[^ ]*$')
    [ -n "${ONLY:-}" ] || report "golden: more than 30 submissions were checked: $ran" [ "$ran" -gt 30 ]
    exit "$tests_failed"
fi
trap 'exit 143' TERM
[ -z "${SEEDS:-}" ] || SAMPLE=all
turn=0
# ours NAME: is this part to check it?
ours() {
    case $1 in *"${ONLY:-}"*) ;; *) return 1 ;; esac
    turn=$((turn + 1))
    [ $((turn % 2)) -eq "$PART" ]
}

isa=$(uname -m)
other=$([ "$isa" = x86_64 ] && echo aarch64 || echo x86_64)
golden=grader/tests/golden

# Why the submission does not go with this machine; nothing when it does.
unfit() {
    if grep -qx @cross "$1/expect"; then
        [ "$isa" != aarch64 ] || echo 'this is an AArch64 machine'
        command -v aarch64-linux-gnu-gcc >/dev/null || echo 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
        command -v qemu-aarch64 >/dev/null || echo 'no qemu-aarch64 (package qemu-user)'
    elif [ -d "$1/$other" ] && [ ! -d "$1/$isa" ]; then
        echo "for $other only"
    elif [ "$isa" != x86_64 ] && grep -qx @x86 "$1/expect"; then
        echo 'for x86_64 only'
    fi | head -n 1
}

# Does the submission take less than so many times the reference's time, whatever the case? Then this processor does not
# show what it is about: one that begins a CRC32 every three cycles gains nothing by three streams.
not_shown() {
    "$BUILD/cyclelab" check "$2" --src "$3" --report "json:$area/report" >/dev/null 2>&1
    python3 - "$1" "$area/report" <<'EOF'
import json
import sys

times = {}
for one in json.load(open(sys.argv[2]))["results"][0]["measurements"]:
    times.setdefault(one["case"], {})[one["variant"]] = one["nanoseconds"]
both = [case for case in times.values() if {"student", "reference"} <= case.keys()]
sys.exit(not both or any(case["student"] >= float(sys.argv[1]) * case["reference"] for case in both))
EOF
}

# The stub in assembly: as it came, but without the C files that have a twin in assembly.
only_assembly() {
    rm -rf "$area/src"
    cp -R "$1" "$area/src"
    for file in "$area/src/$isa"/*.S; do
        [ ! -f "$file" ] || rm -f "$area/src/$(basename "$file" .S).c"
    done
}

# Is there a speedup that is asked natively?
asks_speed() {
    awk 'BEGIN { RS = "  - name:" } /kind: speedup/ && !/on: qemu/ { found = 1 } END { exit !found }' "$1/exercise.yml"
}

# verdict_is, beside the other part, or alone where it takes both processors. What is to be decided and was left open is
# checked once more alone, and then with more time.
decided() {
    exec 9>"$ALONE"
    decided_locked "$@"
    decided_status=$?
    exec 9>&-
    return "$decided_status"
}
decided_locked() {
    case $2 in 15-*) flock 9 ;; *) flock --shared 9 ;; esac
    verdict_is "$@" 9>&- && return
    case $verdict/$1 in unstable/*unstable* | [!u]*) return 1 ;; esac
    flock 9
    verdict_is "$@" 9>&- && return
    [ "$verdict" = unstable ] || return 1
    PATIENCE=60 verdict_is "$@" 9>&-
}

# as_expected FOLDER ARGUMENTS-OF-verdict_is...: and, of those that go here alone, recognised as the mistake that is expected,
# or (another bound may be the one that is missed) as none.
as_expected() {
    expecting=$1
    shift
    decided "$@" || return 1
    wanted=$(sed -n 's/^@mistake //p' "$expecting/expect")
    [ -z "$wanted" ] || [ -z "$mistake" ] || grep -qx @model "$expecting/expect" || equal "$wanted" "$mistake"
}

# The same for $SEEDS seeds, as long as it is correctness, which is soon known, that tells.
for_all_seeds() {
    for _ in $(seq "${SEEDS:-1}"); do
        as_expected "$@" || return 1
        case $said in *'correctness on'* | *REJECTED*) ;; *) return 0 ;; esac
    done
}

cross=
if [ "$isa" != aarch64 ] && command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    cross='and as AArch64 under qemu in'
fi
for folder in exercises/*/; do
    ours "$folder" || continue
    folder=${folder%/}
    id=$(basename "$folder")
    if grep -qx 'on: qemu' "$folder/exercise.yml"; then
        skip "golden: $id" 'for model cores alone: golden-model'
        continue
    fi
    undone=
    report "golden: $id as it came fails" decided 'fail|unstable' "$id" "$folder/stub"
    ! says 'not done yet' || undone=yes
    if [ -d "$folder/stub/$isa" ]; then
        only_assembly "$folder/stub"
        report "golden: $id as it came in assembly fails" decided 'fail|unstable' "$id" "$area/src"
    fi
    printf 'correctness\n%s\n' "$cross" >"$area/texts"
    report "golden: $id with its reference passes" decided 'pass|unstable' "$id" "solutions/$id" "$area/texts"
    [ -d "$folder/baseline" ] || continue
    slow='fail|unstable'
    asks_speed "$folder" || slow='pass|unstable' # on model cores alone
    report "golden: $id with its baseline is right, and slow" decided "$slow" "$id" "$folder/baseline" "$area/texts"
    [ -z "$undone" ] || continue
    only_assembly "$folder/stub"
    [ ! -d "$area/src/$isa" ] || report "golden: $id in assembly as it came is right on every processor" \
        decided 'fail|unstable' "$id" "$area/src" "$area/texts"
done
for folder in "$golden"/*/*/; do
    ours "$folder" || continue
    ! grep -qx @model "$folder/expect" || sampled "$folder" || continue
    folder=${folder%/}
    name=${folder#"$golden"/}
    id=$(dirname "$name")
    why=$(unfit "$folder")
    if [ -n "$why" ]; then
        skip "golden: $name" "$why"
        continue
    fi
    rest=solutions/$id
    ! grep -qx @stub "$folder/expect" || rest=exercises/$id/stub
    assemble "$folder" "$rest"
    slower=$(sed -n 's/^@slower //p' "$folder/expect")
    if [ -n "$slower" ] && not_shown "$slower" "$id" "$area/src"; then
        skip "golden: $name" "here it takes less than $slower times as long as the reference"
        continue
    fi
    sed '1d; s/^@native //; /^@/d' "$folder/expect" >"$area/texts"
    report "golden: $name" for_all_seeds "$folder" "$(head -n 1 "$folder/expect")" "$id" "$area/src" "$area/texts"
done
exit "$tests_failed"
