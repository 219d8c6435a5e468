#!/bin/sh
# trace and the pages that are made of it: on all exercises and cores the log is a good one, ends when the model does, and
# marks the chain that explain names; the pages are well-formed and say what they have to.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
chmod 755 "$scratch"

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'trace' 'there is no compiler for aarch64'
    exit 0
fi

# run ARGUMENTS...: $said, $status
run() {
    said=$(timeout --kill-after=5 120 "$BUILD/cyclelab" "$@" 2>&1 </dev/null)
    status=$?
}

# chain_of TEXT: the instructions below "The longest chain", one a line and each once.
chain_of() {
    printf '%s\n' "$1" | sed -n '/^The longest chain/,/^$/p' | sed -n 's/^ *[0-9][0-9]*  \([a-z].*\)$/\1/p' |
        sed 's/   (its base register)//; s/  ([0-9]* times)//' | tr -s ' ' | sort -u
}

# A whole run and a part of it, of VARIANT of exercise EX on CORE.
one() {
    run trace "$1" --core "$2" --variant "$3" --count 300 --out "$scratch/part.kanata"
    equal 0 "$status" || { echo "$said"; return 1; }
    python3 -B ci/tests/kanata.py "$scratch/part.kanata" >"$scratch/part" || { cat "$scratch/part"; return 1; }
    run explain "$1" --core "$2" --variant "$3"
    equal 0 "$status" || { echo "$said"; return 1; }
    if printf '%s\n' "$said" | grep -q '^       and [0-9]* more$'; then return 0; fi # a chain that is not shown whole
    chain_of "$said" >"$scratch/named"
    cat "$scratch/named" >>"$scratch/chains"
    grep -v '^last ' "$scratch/part" | sort -u >"$scratch/marked"
    # A round that calls other code may be longer than the part.
    if [ ! -s "$scratch/marked" ] && [ "$(tr -s ' ' <"$scratch/part.kanata" | grep -cFf "$scratch/named")" -lt 2 ]; then return 0; fi
    diff "$scratch/named" "$scratch/marked" || { echo "of exercise $1 on $2, $3"; return 1; }
}

exercise_everywhere() {
    : >"$scratch/chains"
    for core in harness/model/cores/*.yml; do
        core=$(basename "$core" .yml)
        one "$1" "$core" reference || return 1
        case $2 in *'baseline: false'*) ;; *) one "$1" "$core" baseline || return 1 ;; esac
    done
    [ -s "$scratch/chains" ] || { echo "no chain was named anywhere"; return 1; }
}

# All instructions of a run that is short enough: the log's last cycle is the count of explain.
last_cycle() {
    for core in harness/model/cores/*.yml; do
        core=$(basename "$core" .yml)
        run explain 4 --core "$core" --variant reference
        cycles=$(printf '%s\n' "$said" | sed -n 's/^case .* elements: \([0-9]*\) cycles.*/\1/p')
        run trace 4 --core "$core" --variant reference --count 100000 --out "$scratch/all.kanata"
        equal 0 "$status" || { echo "$said"; return 1; }
        last=$(python3 -B ci/tests/kanata.py "$scratch/all.kanata" | sed -n 's/^last //p')
        [ -n "$cycles" ] && equal "$cycles" "$last" || return 1
    done
}

# Text, SVG and HTML of a student's sum with four accumulators.
own() {
    mkdir -p "$scratch/own"
    cat >"$scratch/own/sum.c" <<'END'
#include "exercise.h"
float sum(const float *v, size_t n)
{
    float a = 0, b = 0;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        a += v[i]; /* <b>not bold</b> */
        b += v[i + 1];
    }
    return i < n ? a + b + v[i] : a + b;
}
END
}

as_text() {
    own
    run trace 4 --src "$scratch/own"
    equal 0 "$status" && contains "$said" '* fadd s' && contains "$said" 'waits for: ' &&
        contains "$said" 'the longest chain of results from round to round, which binds' || return 1
    equal 40 "$(printf '%s\n' "$said" | grep -cE '^ +[0-9]+ [* ] ')" || return 1
    [ "$(printf '%s\n' "$said" | awk '/^ +[0-9]+ / && length > most { most = length } END { print most }')" -le 132 ]
}

as_picture() {
    own
    run trace 4 --src "$scratch/own" --out "$scratch/t.svg"
    equal 0 "$status" && contains "$said" '40 instructions, and as many of the stub' || return 1
    xmllint --noout "$scratch/t.svg" || return 1
    contains "$(cat "$scratch/t.svg")" 'the stub: 40 instructions' || return 1
    contains "$(cat "$scratch/t.svg")" '>waits: operand</text>' || return 1
    run trace 4 --src exercises/04-accumulators/stub --out "$scratch/t.svg"
    case $(cat "$scratch/t.svg") in *'the stub: '*) echo 'the stub beside itself'; return 1 ;; esac
    run trace 1 --variant reference --case adds --out "$scratch/t.svg"
    equal 0 "$status" || return 1
    case $(cat "$scratch/t.svg") in *'the stub: '*) echo 'a stub that is not done yet'; return 1 ;; esac
}

# self_contained FILE: nothing from elsewhere, nothing executed, well-formed.
self_contained() {
    ! grep -nEi '<script|<link|<img|src=|url\(|@import|@font-face| on[a-z]+="' "$1" || return 1
    ! grep -n '<b>not bold' "$1" || return 1
    if command -v tidy >/dev/null; then
        tidy -q -e --drop-empty-elements no "$1" 2>"$scratch/tidy"
        ! grep -v '^ *$' "$scratch/tidy" | grep -E 'Error|Warning' || return 1
    fi
}

as_page() {
    own
    run trace 4 --src "$scratch/own" --out "$scratch/t.html"
    equal 0 "$status" && self_contained "$scratch/t.html" && contains "$(cat "$scratch/t.html")" '&lt;b&gt;not bold'
}

report_page() {
    own
    run check 4 --on qemu --src "$scratch/own" --report "html:$scratch/r.html"
    page=$(cat "$scratch/r.html")
    self_contained "$scratch/r.html" || return 1
    for part in 'class="verdict fail"' 'baseline 2.01 cycles' 'Where the core&#39;s slots went' 'Timeline' \
        '<td colspan="6">a += v[i]; /* &lt;b&gt;' 'the stub: 40 instructions' 'scope="row"' 'aria-label="Slots:'; do
        case $part in Where*) part="Where the core's slots went" ;; esac
        contains "$page" "$part" >"$scratch/part" || { echo "not in the page: $part"; return 1; }
    done
}

# Code that does not build has no timeline; what the compiler says keeps its lines.
report_of_broken_code() {
    mkdir -p "$scratch/broken"
    printf '#include "exercise.h"\nfloat sum(const float *v, size_t n)\n{\n    return v[0]\n}\n' >"$scratch/broken/sum.c"
    run check 4 --on qemu --src "$scratch/broken" --report "html:$scratch/b.html"
    equal 1 "$status" && self_contained "$scratch/b.html" && contains "$(cat "$scratch/b.html")" '<pre tabindex="0">' || return 1
    ! grep -q Timeline "$scratch/b.html"
}

wrong_usage() {
    run trace 4 --variant reference --out "$scratch/x.png"
    equal 2 "$status" && contains "$said" 'expected a file that ends in .svg, .html or .kanata' || return 1
    run trace 4 --variant reference --count 501
    equal 2 "$status" && contains "$said" 'N: expected 1 to 500' || return 1
    run trace 4 --variant reference --count 0
    equal 2 "$status" && contains "$said" 'N: expected a number of instructions' || return 1
    run trace 4 --variant reference --core cortex-a1
    equal 2 "$status"
}

for folder in exercises/[0-9]*/; do
    ex=$(basename "$folder" | sed 's/^0*\([0-9]*\)-.*/\1/')
    check "exercise $ex: a good log, and the chain that explain names" exercise_everywhere "$ex" "$(cat "$folder/exercise.yml")"
done
check 'the last cycle is the model'"'"'s' last_cycle
check 'as text' as_text
check 'as a picture, the stub below it, if it is right' as_picture
check 'as a page' as_page
check 'a page about a check' report_page
check 'a page about code that does not build' report_of_broken_code
check 'wrong usage is told' wrong_usage
exit "$tests_failed"
