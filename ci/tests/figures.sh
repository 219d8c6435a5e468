#!/bin/sh
# The figures of docs/, made again: each page says what its runs print, each relation comes out as it has to; and these checks
# can fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'figures: all of them' 'aarch64-linux-gnu-gcc is not installed'
    exit 0
fi
report 'figures: what runs them is built' "$make" BUILD="$BUILD" all "$BUILD/hardware-drive"
[ "$tests_failed" -eq 0 ] || exit 1

# Each run is a test of its own.
SAMPLE="$SAMPLE" python3 -B ci/figures/figures.py --build "$BUILD" >"$scratch/figures"
grep -E '^(ok|not ok) - ' "$scratch/figures" | tee -a "$TAP"
grep -q '^not ok' "$scratch/figures" && { sed 's/^/# /' "$scratch/figures"; tests_failed=1; }
count() { cat "$@" | grep -Ec '^- name: '; }
check 'there is one for each row' equal "$(count ci/figures/*.yml)" "$(grep -E '^(not )?ok - ' "$scratch/figures" | grep -Evc 'figures: (picture|tables|transcript|native figures) of ')"
check 'and a picture in each lesson' equal "$(find exercises -name README.md | wc -l)" "$(grep -Ec '^ok - figures: picture of ' "$scratch/figures")"
check 'each lesson shows one' equal "$(find exercises -name README.md | wc -l)" "$(grep -l '](timeline.svg)' exercises/*/README.md | wc -l)"
check 'and the tables of lessons' equal "$(find exercises -name tables.yml | wc -l)" "$(grep -Ec '^ok - figures: tables of ' "$scratch/figures")"
check 'and what pages show of commands' equal "$(cat docs/*.md exercises/*/README.md | grep -c '^\$ make ')" \
    "$(grep -Ec '^ok - figures: transcript of ' "$scratch/figures")"
check 'and native figures' equal "$(find exercises -name tables.yml | wc -l)" "$(grep -Ec '^ok - figures: native figures of ' "$scratch/figures")"
check 'each erratum has a run' equal "$(count ci/figures/errata.yml)" "$(grep -c '^### ' docs/errata.md)"

# fails MESSAGE SED-PROGRAM FILE: with this change in a copy, the division by 7 is told as wrong, with this message
fails() {
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/ci" && cp -r ci/figures ci/hardware "$scratch/copy/ci/" && cp -r docs "$scratch/copy/" || return 1
    sed -i "$2" "$scratch/copy/$3"
    said=$(cd "$scratch/copy" && python3 -B ci/figures/figures.py --build "$scratch" --only division-by-7 2>&1) && return 1
    contains "$said" "$1"
}
check 'a claim that holds is told' fails 'not ok - figures: division-by-7' \
    's/claim: first_wrong_shift_2 == 0.*/claim: first_wrong_shift_2 == 7/' ci/figures/errata.yml
check 'so is a correction that does not' fails 'not ok - figures: division-by-7' \
    's/wrong_with_add == 0/wrong_with_add == 1/' ci/figures/errata.yml
check 'so is a page that says something else' fails 'docs/errata.md says something else' \
    's/wrong-with-add == 0: holds/wrong-with-add == 0: is true/' docs/errata.md
check 'so is a page without its marks' fails 'has no marks' 's/<!-- run division-by-7: end -->//' docs/errata.md
check 'so is a figure that nobody made' fails "name 'nobody' is not defined" 's/wrong_with_add == 0/nobody == 0/' ci/figures/errata.yml

# lesson_fails MESSAGE SED-PROGRAM: with this change in a copy of a lesson, its picture is told as wrong
lesson_fails() {
    lesson=exercises/04-accumulators
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/ci" "$scratch/copy/$lesson" && cp -r ci/figures ci/hardware "$scratch/copy/ci/" && cp -r docs "$scratch/copy/" &&
        cp "$lesson/README.md" "$lesson/timeline.svg" "$scratch/copy/$lesson/" || return 1
    sed -i "$2" "$scratch/copy/$lesson/README.md"
    said=$(cd "$scratch/copy" && python3 -B ci/figures/figures.py --build "$build" --only pictures 2>&1) && return 1
    contains "$said" "$1" && contains "$said" 'not ok - figures: picture of 04-accumulators'
}
build=$(cd "$BUILD" && pwd)
{ aarch64-linux-gnu-gcc --version | head -n 1; aarch64-linux-gnu-objdump --version | head -n 1; } >"$scratch/toolchain"
if grep -q '^ok - figures: picture of 04-accumulators$' "$scratch/figures"; then
    in_sample check 'so is a picture that its command does not make' lesson_fails 'is not what its command makes' 's/ N=15 / N=14 /'
else
    skip 'figures: a picture that its command does not make' 'pictures were made with other tools'
fi

# table_fails MESSAGE SED-PROGRAM FILE: with this change in a copy of exercise 14, its table is told as wrong
table_fails() {
    lesson=exercises/14-crc32c
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/ci" "$scratch/copy/$lesson" && cp -r ci/figures ci/hardware "$scratch/copy/ci/" && cp -r docs "$scratch/copy/" &&
        cp "$lesson/README.md" "$lesson/tables.yml" "$scratch/copy/$lesson/" || return 1
    mkdir -p "$scratch/copy/grader" && cp -r solutions "$scratch/copy/" && cp -r grader/tests "$scratch/copy/grader/" || return 1
    sed -i "$2" "$scratch/copy/$lesson/$3"
    said=$(cd "$scratch/copy" && python3 -B ci/figures/figures.py --build "$build" --only tables 2>&1) && return 1
    contains "$said" "$1" && contains "$said" 'not ok - figures: tables of 14-crc32c'
}
# other_fails ONLY MESSAGE SED-PROGRAM FILE: with this change in a copy, what a page shows is told as wrong
other_fails() {
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/ci" && cp -r ci/figures ci/hardware "$scratch/copy/ci/" && cp -r docs "$scratch/copy/" || return 1
    for path in Makefile grader harness solutions ci/*; do
        [ -e "$scratch/copy/$path" ] || ln -s "$PWD/$path" "$scratch/copy/$path"
    done
    mkdir -p "$scratch/copy/exercises" && cp -r exercises/14-crc32c "$scratch/copy/exercises/" || return 1
    [ "$1" = natives ] || for path in exercises/*; do [ -e "$scratch/copy/$path" ] || ln -s "$PWD/$path" "$scratch/copy/$path"; done
    for path in $4; do sed -i "$3" "$scratch/copy/$path"; done
    said=$(cd "$scratch/copy" && python3 -B ci/figures/figures.py --build "$build" --only "$1" 2>&1) && return 1
    contains "$said" "$2"
}
if cmp -s ci/figures/toolchain.txt "$scratch/toolchain"; then
    in_sample check 'so is a transcript that is not what the command prints' other_fails transcripts 'docs/explain.md, make explain EX=4' \
        's/^16401 instructions/16400 instructions/' docs/explain.md
else
    skip 'figures: a transcript that is not what the command prints' 'transcripts were made with other tools'
fi
if [ "$(uname -m)" = x86_64 ]; then
    in_sample check 'so is a native gain that is not there' other_fails natives 'not ok - figures: native figures of 14-crc32c' \
        's/slicing 4.4 times/slicing 44 times/' 'exercises/14-crc32c/README.md exercises/14-crc32c/tables.yml'
    in_sample check 'and words that the lesson does not have' other_fails natives 'README.md does not say: slicing 4.4 times as fast' \
        's/slicing 4.4 times/slicing 4.3 times/' exercises/14-crc32c/README.md
fi
if grep -q '^ok - figures: tables of 14-crc32c$' "$scratch/figures"; then
    in_sample check 'so is a table that the model does not make' table_fails 'README.md says | two streams |' 's/^| two streams | [0-9.]* /| two streams | 9.99 /' README.md
    # shellcheck disable=SC2016 # nothing here is to expand
    in_sample check 'so is a row that is not there' table_fails 'has no row `three streams`' 's/three streams (reference)/three streams/' tables.yml
    in_sample check 'and code that is not there' table_fails 'found golden/none' 's|golden-model/.*|golden/none|' tables.yml
else
    skip 'figures: a table that the model does not make' 'tables were made with other tools'
fi
in_sample check 'so is one without a command' lesson_fails 'expected the command of each picture' 's/make trace EX/make EX/'
in_sample check 'so is one that is too large' lesson_fails 'expected less than 30000 bytes' 's/ N=15 / N=60 /'
in_sample check 'so is a command that fails' lesson_fails 'nosuch' 's/ N=15 / CASE=nosuch /'
exit "$tests_failed"
