#!/bin/sh
# `make new` in a copy of the project: the exercise builds, its stub fails and its reference passes before anything is
# written, and what is yours to write is listed. Filled in with the files of docs/authoring.md it is a whole exercise: its
# stub does not pass and its reference does not fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
make=${MAKE:-make}
copy=$scratch/copy
id=19-product
chmod 755 "$scratch" # the unprivileged user has to get in

take_project() {
    mkdir "$copy" && cp -pR Makefile ci exercises solutions harness grader docs "$copy" &&
        mkdir "$copy/build" && for part in cyclelab libcyclelab.a made harness grader runner exercises; do
            [ ! -e "${BUILD:-build}/$part" ] || cp -pR "${BUILD:-build}/$part" "$copy/build"
        done
}

# new EX...: `make new`, its status in $status.
new() {
    said=$(cd "$copy" && "$make" --no-print-directory new "$@" 2>&1)
    status=$?
    printf '%s\n' "$said" "status $status"
}

made_by_make() {
    new "EX=$id" && contains "$said" "exercises/$id and solutions/$id" || return 1
    [ -f "$copy/exercises/$id/stub/product.c" ] && [ -f "$copy/exercises/$id/baseline/aarch64/product.S" ] || return 1
    ! grep -rn NEW_ "$copy/exercises/$id" "$copy/solutions/$id"
}

# refused VALUE TEXT: and nothing is written.
refused() {
    (cd "$copy" && find exercises solutions) >"$scratch/before"
    new "EX=$1"
    [ "$status" -ne 0 ] && contains "$said" "$2" || return 1
    (cd "$copy" && find exercises solutions) | diff "$scratch/before" -
}

is_listed() {
    said=$(cd "$copy" && ci/complete.sh 2>&1) && return 1
    for file in README.md exercise.yml exercise.h cases.c glue.h glue.c stub/product.c baseline/x86_64/product.S; do
        contains "$said" "exercises/$id/$file:" || return 1
    done
    contains "$said" "solutions/$id/product.c:" && ! printf '%s\n' "$said" | grep -v "/$id/"
}

is_filled_in() { (cd "$copy" && ci/complete.sh && ci/stubs.sh check); }

# A line that is a path in backquotes names the block that follows.
take_exercise() {
    awk -v root="$copy" '
        /^`[^`]*`$/ { path = substr($0, 2, length($0) - 2); next }
        /^```/ && file { close(file); file = ""; next }
        /^```[a-z]/ && path { file = root "/" path; path = ""; folder = file; sub(/\/[^\/]*$/, "", folder)
                              system("mkdir -p " folder); next }
        file { print >file }' docs/authoring.md
    (cd "$copy" && ci/stubs.sh) && [ -f "$copy/solutions/$id/product.c" ]
}

# What the check says, and its status: 0 pass, 1 fail, 3 unstable.
check() {
    said=$(cd "$copy" && "$make" build/cyclelab runners "build/exercises/$id/cases.so" >/dev/null && build/cyclelab check "$@" 2>&1)
    status=$?
    printf '%s\n' "$said" "status $status"
}

# As `make new` left it, on a model core.
begins_with_a_fail() {
    check 19 --on qemu
    [ "$status" -eq 1 ] && contains "$said" "\`product-faster\` on \`random\`: speedup"
}

begins_with_a_pass() {
    check 19 --on qemu --src "solutions/$id"
    [ "$status" -eq 0 ]
}

stub_fails() {
    check 19
    [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
}

reference_passes() {
    check product --src "solutions/$id"
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

wrong_answer_fails() {
    mkdir "$scratch/wrong" && sed 's/p = 1/p = 2/' "$copy/exercises/$id/stub/product.c" >"$scratch/wrong/product.c" && chmod -R a+rX "$scratch/wrong"
    check 19 --src "$scratch/wrong"
    [ "$status" -eq 1 ] && contains "$said" 'the product of the'
}

builds_for_aarch64() {
    folder=$copy/exercises/$id
    for file in "$folder/stub/product.c" "$folder/glue.c" "$copy/solutions/$id/product.c" "$folder/baseline/aarch64/product.S"; do
        aarch64-linux-gnu-gcc -I "$copy" -I "$folder" -O2 -ffreestanding -Wall -Wextra -Werror -c -o "$scratch/object" "$file" || return 1
    done
}

report 'authoring: a copy of the project' take_project
report 'authoring: make new writes an exercise' made_by_make
report 'authoring: not over one that is there' refused "$id" "exercises/$id is there already"
report 'authoring: nor with its name' refused 20-product "exercises/$id is there already"
report 'authoring: nor with its number' refused 19-other "exercises/$id is there already"
for word in 7 7-x 20 20-Name 20-a--b 20- '20-a b' '20-a/../b' '../x' "20-\$(id)"; do
    report "authoring: nor as \`$word\`" refused "$word" 'EX: expected'
done
for word in switch double fill verify memcpy; do
    report "authoring: nor with the name \`$word\`" refused "20-$word" 'has for something else'
done
report 'authoring: nor without a name' refused '' 'make new EX=19-slug'
report 'authoring: what is yours to write is listed' is_listed
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    report 'authoring: its stub fails as it comes' begins_with_a_fail
    report 'authoring: its reference passes as it comes' begins_with_a_pass
else
    skip 'authoring: as it comes, on a model core' 'no aarch64-linux-gnu-gcc'
fi
report 'authoring: the page holds a whole exercise' take_exercise
report 'authoring: nothing is left to write' is_filled_in
report 'authoring: its stub fails' stub_fails
report 'authoring: its reference passes' reference_passes
report 'authoring: a wrong answer fails and is told what was found' wrong_answer_fails
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    report 'authoring: it builds for AArch64' builds_for_aarch64
else
    skip 'authoring: it builds for AArch64' 'no aarch64-linux-gnu-gcc'
fi
exit "$tests_failed"
