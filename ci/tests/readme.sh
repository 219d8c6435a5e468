#!/bin/sh
# README.md's two sample verdicts are what the program prints: exercise 3's stub and reference natively, line by line, with
# a placeholder for each figure. In a sample, a line `...` stands for any lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

# figures < TEXT: seeds, measured values, intervals and counts of slices become letters, and blanks one blank. Points,
# names, numbers of cases and elements stay; tenths of points do not, since a stub that seems a little faster than the baseline
# gets some.
figures() {
    sed -E -e 's/SEED=[0-9a-f]+/SEED=S/' -e 's/\([0-9.]+ to [0-9.]+\)/(I)/' -e 's/-?[0-9.]+x/Fx/g' -e 's/ +\([0-9]+ disturbed\)//' \
        -e 's/ ([0-9]+)\.[0-9](\/[0-9]+ )/ \1\2/' -e 's/^(FAIL: [0-9]+)\.[0-9] of /\1 of /' \
        -e 's/^( +(baseline|student|reference|control)) .*/\1 C N S/' -e 's/ +/ /g'
}

# sample NUMBER: the README's, without the command.
sample() {
    awk -v wanted="$1" '/^```/ { inside = 0 } /^Exercise 3:/ { inside = ++n == wanted } inside' README.md
}

# follows SAMPLE OUTPUT: each line of the sample is the next one of the output; behind `...`, one of the next ones.
follows() {
    awk 'NR == FNR { line[++lines] = $0; next }
        $0 ~ /^ *\.\.\.$/ { gap = 1; next }
        { at++; while (gap && at < lines && line[at] != $0) at++; gap = 0 }
        line[at] != $0 { printf "expected: %s\nfound:    %s\n", $0, line[at]; exit failed = 1 }
        END { exit failed || at < lines }' "$2" "$1"
}

# runs OPTIONS...: check until no line is UNSTABLE, three times at most. False: it always was.
runs() {
    tries=3
    while [ "$tries" -gt 0 ]; do
        "$BUILD/cyclelab" check 3 --work "$scratch/work" "$@" >"$scratch/raw" 2>/dev/null
        sed -e "s,$scratch/,," -e '/^Exercise 3:/,$!d' "$scratch/raw" >"$scratch/output"
        grep -q UNSTABLE "$scratch/output" || return 0
        tries=$((tries - 1))
    done
    return 1
}

# as_printed NUMBER [OPTIONS...]
as_printed() {
    number=$1
    name="readme: sample $1 is what the program prints"
    shift
    if ! runs "$@"; then
        skip "$name" 'this machine is too noisy for a verdict'
    elif [ "$(uname -m)" != x86_64 ] || ! grep -q 'no counter for branch-misses' "$scratch/output"; then
        skip "$name" 'the samples are of an x86-64 machine without a counter for branch-misses'
    elif ! command -v qemu-aarch64 >/dev/null; then
        skip "$name" 'qemu-aarch64 is not installed'
    else
        sample "$number" | unwrap | figures >"$scratch/wanted"
        unwrap <"$scratch/output" | figures >"$scratch/found"
        report "$name" follows "$scratch/wanted" "$scratch/found"
    fi
}

# Every change of a word, of points or of a row is found.
notices() {
    sample 1 | figures >"$scratch/wanted"
    [ "$(wc -l <"$scratch/wanted")" -gt 8 ] && sed '/\.\.\./d' "$scratch/wanted" >"$scratch/same" &&
        follows "$scratch/wanted" "$scratch/same" || return 1
    for change in 's,0/5,0.0/5,' '/random-branch/d' 's/asked for/wanted/' 's/^FAIL: 4 of/FAIL: 5 of/'; do
        sed "$change" "$scratch/same" >"$scratch/other"
        ! follows "$scratch/wanted" "$scratch/other" >/dev/null || { echo "not noticed: $change"; return 1; }
    done
}

report 'readme: the comparison notices a change' notices
as_printed 1
as_printed 2 --src solutions/03-branch-elimination
exit "$tests_failed"
