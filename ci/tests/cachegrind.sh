#!/bin/sh
# The model's caches against valgrind's cachegrind: the same addresses (harness/model/tests/cachegrind), the same
# geometry, two levels, true LRU, no prefetcher. Misses of loads and of stores in the first level, and all misses in the
# second, agree within 0.1 %, or 4: the kernel's own stack and code are in its counts too.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
folder=harness/model/tests/cachegrind
# D1 bytes, ways, LL bytes, ways, line
geometries='32768 4 1048576 16 64
65536 4 1048576 8 64
49152 3 524288 1 64
1024 16 98304 12 64
16384 8 262144 4 128'

build() {
    "${MAKE:-make}" BUILD="$BUILD" "$BUILD/libcyclelab.a" &&
        ${CC:-gcc} -std=c17 -O2 -I. -o "$scratch/kernel" "$folder/kernel.c" &&
        ${CC:-gcc} -std=c17 -O2 -I. -o "$scratch/replay" "$folder/replay.c" "$BUILD/libcyclelab.a"
}

# counted: what cachegrind says of each stream, in replay's form. A name in its file may have more lines than one.
counted() {
    awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i }
        /^fn=/ { name = substr($0, 4); next }
        name ~ /^stream_/ && /^[0-9]/ { loads[name] += $at["D1mr"]; stores[name] += $at["D1mw"]
                                        second[name] += $at["DLmr"] + $at["DLmw"] }
        END { for (name in loads) print substr(name, 8), loads[name], stores[name], second[name] }' "$scratch/counts"
}

# agrees D1-BYTES D1-WAYS LL-BYTES LL-WAYS LINE
agrees() {
    valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file="$scratch/counts" --D1="$1,$2,$5" --LL="$3,$4,$5" \
        "$scratch/kernel" || return 1
    "$scratch/replay" "$@" >"$scratch/model" && counted >"$scratch/cachegrind" || return 1
    awk 'function differ(a, b) { return a > b ? a - b : b - a }
        NR == FNR { for (i = 2; i <= 4; i++) theirs[$1, i] = $i; known[$1] = 1; next }
        { streams++; printf "%-10s model %d %d %d, cachegrind %d %d %d\n", $1, $2, $3, $4, theirs[$1, 2], theirs[$1, 3], theirs[$1, 4]
          for (i = 2; i <= 4; i++)
              if (!known[$1] || (differ($i, theirs[$1, i]) * 1000 > theirs[$1, i] && differ($i, theirs[$1, i]) > 4)) bad = 1 }
        END { exit bad || streams < 7 }' "$scratch/cachegrind" "$scratch/model"
}

if ! command -v valgrind >/dev/null; then
    skip 'cache misses as cachegrind counts them' 'valgrind is not installed'
    exit 0
fi
report 'cachegrind: kernel and replay are built' build
[ "$tests_failed" -eq 0 ] || exit 1
while read -r d1 d1_ways ll ll_ways line; do
    report "cachegrind: D1 of $d1 in $d1_ways ways, LL of $ll in $ll_ways, lines of $line" agrees "$d1" "$d1_ways" "$ll" "$ll_ways" "$line"
    [ -z "${SHOW:-}" ] || sed -n '/model/p' "$scratch/said"
done <<END
$geometries
END
exit "$tests_failed"
