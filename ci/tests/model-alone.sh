#!/bin/sh
# The core model by itself: no ISA, no emulator, no clock and no floating point in it. Its unit tests run with nothing but
# it, a pool of memory, Criterion and the C library.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}

# The objects of the model, or of its tests: of the sources that are here now, not of those that were once.
objects_of() {
    for source in "$1"/*.c; do
        case $source in */target_*) ;; *) printf '%s ' "$BUILD/${source%.c}.o" ;; esac
    done
}

beside="$BUILD/harness/base/error.o $BUILD/harness/base/pool.o"
# shellcheck disable=SC2046,SC2086 # one word each
"${MAKE:-make}" BUILD="$BUILD" $(objects_of harness/model) $(objects_of harness/model/tests) $beside \
    >"$scratch/make" || { cat "$scratch/make"; exit 1; }

# Only general registers may be used, so a float or a double anywhere is an error.
integers_only() {
    for file in harness/model/*.c; do
        "$CC" -std=c17 -D_GNU_SOURCE -I. -O1 -mgeneral-regs-only -c -o "$scratch/integers.o" "$file" || return 1
    done
}

headers_of_its_own() {
    ! grep -n '#include' harness/model/*.[ch] |
        grep -vE '#include ("harness/(model/[a-z_]+|base/(error|pool))\.h"|<(inttypes|stdbool|stddef|stdint|stdlib|string)\.h>)'
}

# What it asks of others: memory, and a text for an error.
asks_for_memory_only() {
    # shellcheck disable=SC2046 # one word each
    ld -r -o "$scratch/model.o" $(objects_of harness/model) "$BUILD/harness/base/pool.o" || return 1
    nm --undefined-only --format=posix "$scratch/model.o" | cut -d ' ' -f 1 >"$scratch/asked"
    [ -s "$scratch/asked" ] || { echo 'nothing was found'; return 1; }
    ! grep -vxE 'malloc|calloc|realloc|aligned_alloc|posix_memalign|free|mem(chr|cmp|cpy|move|set)|str(cmp|len)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|error_set' \
        "$scratch/asked"
}

tests_alone() {
    # shellcheck disable=SC2046,SC2086 # options are words
    "$CC" -o "$scratch/tests" $(objects_of harness/model) $(objects_of harness/model/tests) $beside \
        $(pkg-config --libs criterion) || return 1
    ! ldd "$scratch/tests" | grep -iE 'unicorn|hwloc|seccomp' || return 1
    "$scratch/tests" --tap="$scratch/tap" >"$scratch/run" 2>&1 || { cat "$scratch/run"; return 1; }
    passed=$(grep -c '^ok' "$scratch/tap")
    [ "$passed" -gt 50 ] || { echo "$passed tests passed"; return 1; }
}

report 'the core model: integers only' integers_only
report 'the core model: no ISA, no emulator, no clock among its headers' headers_of_its_own
report 'the core model: asks for memory and nothing else' asks_for_memory_only
report 'the core model: its unit tests run without anything else' tests_alone
exit "$tests_failed"
