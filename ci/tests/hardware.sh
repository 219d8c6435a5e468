#!/bin/sh
# The core model against kernels measured on hardware: the suite's own, as `make hardware` runs them, against the table in
# docs/model.md; and manifests of others.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'hardware: kernels measured on hardware' 'aarch64-linux-gnu-gcc is not installed'
    exit 0
fi
report 'hardware: its program is built' "$make" BUILD="$BUILD" "$BUILD/hardware-drive" runners
[ "$tests_failed" -eq 0 ] || exit 1

# hardware STATUS ARGUMENT...: what hardware.py says, if it ends with that status
hardware() {
    expected=$1
    shift
    python3 -B ci/hardware/hardware.py --build "$BUILD" "$@" >"$scratch/answer" 2>&1
    status=$?
    cat "$scratch/answer"
    [ "$status" -eq "$expected" ]
}

# answers STATUS PATTERN ARGUMENT...
answers() {
    expected=$1 pattern=$2
    shift 2
    hardware "$expected" "$@" && grep -Eq -- "$pattern" "$scratch/answer"
}

report 'hardware: own kernels run, and docs/model.md has their table' \
    hardware 0 ci/hardware/kernels.yml --part 'hardware own' --check docs/model.md

if ! command -v git >/dev/null; then
    skip 'hardware: manifests of others' 'git is not installed'
    exit "$tests_failed"
fi

# A repository with a kernel: dependent additions, a cycle each in order, and some cycles for a call.
kernels=$scratch/code/owner/kernels
mkdir -p "$kernels"
cat >"$kernels/sum.S" <<'END'
        .text
        .global sum
        .type sum, %function
sum:    .rept COUNT
        add x0, x0, x1
        .endr
        ret
        .size sum, . - sum
        .global refused
        .type refused, %function
refused: .inst 0x04a00000 // ADD of SVE
        ret
        .size refused, . - refused
END
git -C "$kernels" init -q && git -C "$kernels" add sum.S &&
    git -C "$kernels" -c user.name=test -c user.email=test@localhost commit -q -m 'Kernel'
commit=$(git -C "$kernels" rev-parse HEAD)

# manifest FUNCTION COUNT CYCLES COMMIT: prints one of a single row
manifest() {
    cat <<END
limits: {test: {mean: 0.05, worst: 0.05}}
kernels:
- {name: kernel, set: test, repository: owner/kernels, commit: '$4', sources: [sum.S], flags: [-DCOUNT=$2], function: $1,
   arguments: [buffer 64, 1], hardware: {cortex-a55: $3}, source: counted by hand}
END
}

manifest sum 1000 1000 "$commit" >"$scratch/right.yml"
report 'hardware: a kernel from a checkout, within its limit' \
    answers 0 'kernel +cortex-a55 +1000 ' "$scratch/right.yml" --code "$scratch/code"
report 'hardware: owner/name and name are both found' \
    answers 0 '^ok - hardware: 1 of 1' "$scratch/right.yml" --code "$scratch/code/owner"
sed -i 's/\.rept/.rept 2 * /' "$kernels/sum.S"
report 'hardware: the code is that of the commit, not what is checked out' \
    answers 0 'kernel +cortex-a55 +1000 +100[0-9] ' "$scratch/right.yml" --code "$scratch/code"
sed 's/source:/batch: 4, source:/; s/name: kernel/name: batch/' "$scratch/right.yml" >"$scratch/batch.yml"
report 'hardware: a batch of calls between barriers, less what these take' \
    answers 0 'batch +cortex-a55 +1000 +100[0-9] ' "$scratch/batch.yml" --code "$scratch/code"
for batch in 0 some; do
    sed "s/batch: 4/batch: $batch/" "$scratch/batch.yml" >"$scratch/batch-$batch.yml"
    report "hardware: batch: $batch is none" \
        answers 1 'kernel 1 \(batch\): expected in batch a number of calls' "$scratch/batch-$batch.yml" --code "$scratch/code"
done
manifest sum 1000 1500 "$commit" >"$scratch/beyond.yml"
report 'hardware: beyond its limit' \
    answers 1 '^not ok - hardware: kernel on cortex-a55: error -3[0-9]' "$scratch/beyond.yml" --code "$scratch/code"
manifest refused 1 10 "$commit" >"$scratch/refused.yml"
report 'hardware: a refused instruction is named' \
    answers 0 'kernel +cortex-a55 .*refused: .*04a00000' "$scratch/refused.yml" --code "$scratch/code"
report 'hardware: a missing checkout is one line that says how to get it' \
    answers 3 'no checkout of owner/kernels: git clone .*owner/kernels' "$scratch/right.yml" --code "$scratch"
manifest sum 1000 1000 0123456 >"$scratch/other.yml"
report 'hardware: so is a missing commit' \
    answers 3 'has no commit 0123456: git -C .* fetch origin 0123456' "$scratch/other.yml" --code "$scratch/code"
sed 's/function:/funktion:/' "$scratch/right.yml" >"$scratch/unknown.yml"
report 'hardware: an unknown key is named, with its row' \
    answers 1 'kernel 1 \(kernel\): .*found funktion' "$scratch/unknown.yml" --code "$scratch/code"
sed 's/buffer 64/buffer 64 shuffled/' "$scratch/right.yml" >"$scratch/words.yml"
report 'hardware: so is an unknown word of an argument' \
    answers 3 'shuffled: expected zero' "$scratch/words.yml" --code "$scratch/code"
exit "$tests_failed"
