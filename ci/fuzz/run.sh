#!/bin/sh
# `make fuzz`: libFuzzer, with AddressSanitizer and UndefinedBehaviorSanitizer, on what reads untrusted or hand-written
# input. One harness a kind of input, ci/fuzz/TARGET.c, which says what its input is:
#
#   TARGET=course    one of them, or several with blanks between; all without it
#   SECONDS=1200     for each of them; 60 without it
#
# Builds in $BUILD/fuzz. What a target has learnt stays in corpus/TARGET there and is where its next run begins; what broke
# it is kept in findings/. One line a target: executions, coverage, findings. Exit status: 0 nothing was found, 1 something
# was, or a target did not run, 5 this machine has no libFuzzer.
set -u
cd "$(dirname "$0")/../.." || exit 4
all='exercise course core record submission object plan program decode'
targets=${TARGET:-all}
[ "$targets" != all ] || targets=$all
# shellcheck disable=SC3028 # meant
seconds=${SECONDS:-60}
[ "$seconds" != 0 ] || seconds=60 # some shells count in a variable of this name
build=${BUILD:-build}/fuzz
compiler=${FUZZ_CC:-clang}
sanitizers='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all'

say() { printf '%s\n' "fuzz: $*"; }

for target in $targets; do
    case " $all " in
    *" $target "*) ;;
    *) say "TARGET: expected one of: $all; found \`$target\`" >&2 && exit 2 ;;
    esac
done
case $seconds in *[!0-9]* | '') say "SECONDS: expected a whole number, found \`$seconds\`" >&2 && exit 2 ;; esac

mkdir -p "$build" || exit 4
build=$(cd "$build" && pwd)
echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return !data && size; }' >"$build/probe.c"
if ! "$compiler" -fsanitize=fuzzer,address,undefined -o "$build/probe" "$build/probe.c" 2>"$build/probe.log"; then
    say "$compiler cannot link with libFuzzer (packages clang, libclang-rt-dev): $(tail -n 1 "$build/probe.log")" >&2
    exit 5
fi

# shellcheck disable=SC2046 # lists of words
"${MAKE:-make}" BUILD="$build" CC="$compiler" CFLAGS='-O1 -g -fno-omit-frame-pointer' SANITIZE="$sanitizers" \
    $(for target in $targets; do echo "$build/fuzz-$target"; done) runners \
    $(for cases in exercises/*/cases.c; do echo "$build/${cases%.c}.so"; done) || exit 1

# A program for messages about addresses to look into: see ci/fuzz/plan.c.
programs_for_plan() {
    ci/fuzz/seeds.sh program "$build/seeds/program" && mkdir -p "$build/job/out" || return
    for program in "$build"/seeds/program/*-solutions-03-*; do
        isa=$(basename "$program" | cut -d - -f 1)
        cp "$program" "$build/job/out/$isa"
    done
}

longest_of() {
    case $1 in
    object) echo 32768 ;;
    program) echo 65536 ;;
    exercise | core) echo 16384 ;;
    *) echo 4096 ;;
    esac
}

# statistic NAME: from the last log, which has them twice when the time runs out as it ends.
statistic() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }

run() {
    target=$1 corpus=$build/corpus/$1 log=$build/$1.log
    rm -rf "$build/seeds/$target" "$build/tmp"
    mkdir -p "$corpus" "$build/tmp" "$build/findings"
    ci/fuzz/seeds.sh "$target" "$build/seeds/$target" || return
    [ "$target" != plan ] || programs_for_plan || return
    status=0
    # shellcheck disable=SC2086 # FUZZ_FLAGS are words, more of libFuzzer's own
    TMPDIR=$build/tmp UBSAN_OPTIONS=print_stacktrace=1 "$build/fuzz-$target" -max_total_time="$seconds" \
        -max_len="$(longest_of "$target")" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" ${FUZZ_FLAGS:-} "$corpus" "$build/seeds/$target" >"$log" 2>&1 </dev/null || status=$?
    rm -rf "$build/tmp"
    coverage=$(sed -n 's/^#.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    executed=$(statistic number_of_executed_units)
    found=$(sed -n 's/.*Test unit written to //p' "$log")
    say "$target: ${executed:-0} executions, coverage ${coverage:-0}, $([ "$status" -eq 0 ] && echo nothing found || echo FOUND), ${seconds} s"
    [ "$status" -ne 0 ] || return 0
    grep -E -A 12 'ERROR: |runtime error|^fuzz: not so' "$log" | head -n 40
    tail -n 3 "$log"
    [ -z "$found" ] || say "kept: $found; to see it again: TMPDIR=/tmp $build/fuzz-$target $found"
    return 1
}

failed=0
for target in $targets; do
    run "$target" || failed=1
done
exit "$failed"
