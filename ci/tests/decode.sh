#!/bin/sh
# The decoder against the emulator: every instruction of the exercises, and of the arm64 libc and of random words a sample
# (FULL=1, as in `make decode`: all of libc, many words). The tables are printed when FULL is set, or a limit exceeded.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
FULL=${FULL:-}
every=11 random=4000
[ -z "$FULL" ] || every=1 random=200000
libc=${LIBC:-/usr/aarch64-linux-gnu/lib/libc.so.6}
compare=$BUILD/decode-compare
"${MAKE:-make}" BUILD="$BUILD" "$compare" runners >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }

# compared NAME ARGUMENT...
compared() {
    name=$1
    shift
    report "$name" "$compare" "$@"
    [ -z "$FULL" ] || sed 's/^/# /' "$scratch/said"
}

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'every instruction of the exercises' 'aarch64-linux-gnu-gcc is not installed'
elif objects=$(sh ci/decode/objects.sh "$BUILD" "$scratch/objects" 2>"$scratch/compiler"); then
    # shellcheck disable=SC2086 # paths without spaces
    compared 'every instruction of the exercises' $objects
else
    report 'the exercises compile' sh -c "cat '$scratch/compiler'; false"
fi
if [ -r "$libc" ]; then
    compared 'instructions of libc: less than 5 in 1000 wrong' --limit 5 --every "$every" "$libc"
else
    skip 'instructions of libc' "$libc is not there: libc6-arm64-cross"
fi
compared 'random words' --random "$random" 1
exit "$tests_failed"
