#!/bin/sh
# The sixth exercise of docs/authoring.md, taken from that page and added to a copy of the project: nothing but its two
# folders is new, its stub does not pass and its reference does not fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
make=${MAKE:-make}
copy=$scratch/copy
id=06-product
chmod 755 "$scratch" # the unprivileged user has to get in

take_project() {
    mkdir "$copy" && cp -pR Makefile ci exercises solutions harness grader docs "$copy" &&
        mkdir "$copy/build" && for part in cyclelab libcyclelab.a made harness grader runner exercises; do
            [ ! -e "${BUILD:-build}/$part" ] || cp -pR "${BUILD:-build}/$part" "$copy/build"
        done
}

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

stub_fails() {
    check 6
    [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
}

reference_passes() {
    check product --src "solutions/$id"
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

wrong_answer_fails() {
    mkdir "$scratch/wrong" && sed 's/p = 1/p = 2/' "$copy/exercises/$id/stub/product.c" >"$scratch/wrong/product.c" && chmod -R a+rX "$scratch/wrong"
    check 6 --src "$scratch/wrong"
    [ "$status" -eq 1 ] && contains "$said" 'the product of the'
}

builds_for_aarch64() {
    folder=$copy/exercises/$id
    for file in "$folder/stub/product.c" "$folder/glue.c" "$copy/solutions/$id/product.c" "$folder/baseline/aarch64/product.S"; do
        aarch64-linux-gnu-gcc -I "$copy" -I "$folder" -O2 -ffreestanding -Wall -Wextra -Werror -c -o "$scratch/object" "$file" || return 1
    done
}

report 'authoring: a copy of the project' take_project
report 'authoring: the page holds a whole exercise' take_exercise
report 'authoring: its stub fails' stub_fails
report 'authoring: its reference passes' reference_passes
report 'authoring: a wrong answer fails and is told what was found' wrong_answer_fails
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    report 'authoring: it builds for AArch64' builds_for_aarch64
else
    skip 'authoring: it builds for AArch64' 'no aarch64-linux-gnu-gcc'
fi
exit "$tests_failed"
