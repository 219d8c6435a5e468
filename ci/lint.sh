#!/bin/bash
# `make lint`: formatting, static analysis, warnings of two compilers, and the project's own rules. All checks are run;
# each says what it found. LINT_WORK= leaves out the one that a student's own repository cannot pass; SAMPLE, see ci/sample.sh,
# has clang-tidy read some of the files.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
make=${MAKE:-make}
jobs=$(nproc)
failed=0
SAMPLE=${SAMPLE:-all}
# shellcheck source=ci/sample.sh
. ci/sample.sh

missing=
for tool in clang-format clang-tidy clang cppcheck shellcheck; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || { echo "not found:$missing. Run \`make setup FOR=tests\` first" >&2; exit 1; }

# check NAME COMMAND...: quiet when it passes.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "  ok   $name"
    else
        printf '%s\n' "$output" | head -n 40
        echo "  FAIL $name"
        failed=$((failed + 1))
    fi
}

# The project's files with these endings: those that git knows or would take, or all but what was built.
files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@" ':!work' | sort -u
    else
        local pattern
        for pattern in "$@"; do find . \( -path ./build -o -path ./work \) -prune -o -name "$pattern" -type f -print; done | sed 's|^\./||' | sort -u
    fi | while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done
}

mapfile -t c_files < <(files '*.c' '*.h')
mapfile -t scripts < <(files '*.sh')
# What is compiled for the grader here. The runner's side needs other flags, and Criterion's macros confuse the
# analyzers: those files are left to the compilers.
mapfile -t host_files < <(files '*.c' | grep -E '^(harness|grader)/|^exercises/[^/]*/cases\.c' |
    grep -vE "/tests/|^harness/runner/target/|/$([ "$(uname -m)" = x86_64 ] && echo aarch64 || echo x86_64)/")

mapfile -t test_files < <(files '*.c' | grep -E '^(harness|grader|exercises)/.*/tests/[^/]*\.c$|^ci/[^/]+/[^/]+\.c$' |
    grep -vE '/target_|^ci/hostile/')

format() { clang-format --dry-run -Werror "${c_files[@]}"; }
[ "${1:-}" = format ] && exec clang-format -i "${c_files[@]}"

# Constants are written as enums here, also those that doubles are compared with: clang 19 has that in -Wextra.
clang_flags="${TIDY_CFLAGS:--std=c17 -D_GNU_SOURCE -I.} -Wno-enum-float-conversion -Wno-enum-enum-conversion"

tidy() {
    local file
    # One process a file: several in one confuse its va_list check.
    # shellcheck disable=SC2016,SC2086
    for file in "${host_files[@]}"; do sampled "$file" && printf '%s\0' "$file"; done |
        xargs -0 -n 1 -P "$jobs" sh -c 'flags=$1; clang-tidy --quiet "$2" -- $flags 2>&1' sh "$clang_flags" | grep -E '(warning|error): '
    return "${PIPESTATUS[1]}"
}

cppcheck_all() {
    # ctuuninitvar takes an output parameter for a value that is read. Version 2.17 forgets what was asked of a pointer
    # (nullPointerOutOfMemory), and does not know __has_include in C (harness/walls/landlock.c).
    cppcheck --quiet --error-exitcode=1 --std=c11 -D_GNU_SOURCE -I. -j "$jobs" --enable=warning,performance,portability \
        --inline-suppr --suppress=missingIncludeSystem --suppress=ctuuninitvar --suppress=normalCheckLevelMaxBranches \
        --suppress=nullPointerOutOfMemory --suppress=preprocessorErrorDirective:harness/walls/landlock.c "${host_files[@]}"
}

# Everything with -Werror. Optimized, since some of gcc's warnings need that.
gcc_warnings() {
    "$make" -k BUILD="$build/lint-gcc" CC=gcc CFLAGS='-O2 -Werror' all "$build/lint-gcc/tests" 2>&1 | grep -v '^  [A-Z][A-Z] '
    return "${PIPESTATUS[0]}"
}

# Clang's own warnings of what clang-tidy, which has them too, does not read. They need no optimization, and clang builds
# all of it for `make fuzz`.
clang_warnings() {
    # shellcheck disable=SC2086
    printf '%s\0' "${test_files[@]}" | xargs -0 -n 8 -P "$jobs" clang $clang_flags -fsyntax-only -Werror
}

# Functions that `report` calls look unused to it, and what ci/tests.sh defines unknown.
shell_scripts() { shellcheck -x -e SC2317,SC2034,SC2154 "${scripts[@]}" .ci/run; }

# What students make is theirs: a pull of this repository never meets it.
work_is_free() {
    local found
    found=$(git ls-files -- work 2>/dev/null | head -n 5)
    [ -z "$found" ] || { printf '%s is tracked, and belongs to students\n' "$found"; return 1; }
}

# none PATTERN [BUT]: no line of the project matches, in files whose path does not match BUT.
none() {
    local found
    found=$(files '*' | grep -vE "\.(png|svg)\$${2:+|$2}" | tr '\n' '\0' | xargs -0 grep -nIE -- "$1")
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# Relative links in Markdown lead somewhere.
links() {
    local file target bad=0
    while IFS= read -r file; do
        while IFS= read -r target; do
            [ -e "$(dirname "$file")/$target" ] || { echo "$file: $target is not there"; bad=1; }
        done < <(grep -oE '\]\([^)#: ]+' "$file" | sed 's/^](//')
    done < <(files '*.md')
    return $bad
}

# Four columns at least, with words that setup.sh knows.
package_list() {
    awk '/^ *(#|$)/ { next }
        NF < 4 || $2 !~ /^(needed|optional|desk|develop)$/ || $3 !~ /^(command|library|header|python):/ { print FILENAME ":" FNR ": " $0; bad = 1 }
        END { exit bad }' ci/packages.txt
}

# Each version lays out a few lines otherwise.
layout=14
if clang-format --version | grep -q " version $layout\."; then
    check 'clang-format' format
else
    echo "  skip clang-format: the files are laid out by version $layout"
fi
check 'clang-tidy' tidy
check 'cppcheck' cppcheck_all
check 'gcc without warnings' gcc_warnings
check 'clang without warnings' clang_warnings
check 'shellcheck' shell_scripts
check 'exercises are complete' ci/complete.sh
check 'stubs are in stub.sha256' ci/stubs.sh check
[ -z "${LINT_WORK-yes}" ] || check 'nothing in work/ is tracked' work_is_free
# (Students' folder is called work, but none is at the root. A submission that attacks asks /proc/self for its root.)
check 'no paths of one machine' none '(^|[[:blank:]"=(:])/wor[k]/|(^|[^f])/roo[t]/|/home/[a-z]+/' '[.]gitignore$'
check 'nothing left to do' none '\<(TO[D]O|FIX[M]E|X[X]X)\>'
check 'no trailing blanks' none '[[:blank:]]+$' '/golden/.*/expect$'
check 'links' links
check 'ci/packages.txt' package_list

[ "$failed" -eq 0 ] || { echo "lint: $failed checks failed" >&2; exit 1; }
