#!/bin/sh
# What the compiler makes of stubs in C, with the flags of their exercise: where it would solve the exercise by itself, there is
# nothing to learn. A row is the stub, and for each ISA the instruction that has to be in it (or, with a `!`, that must not).
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh

# compiled FILE ISA: its disassembly, as the grader would have it compiled.
compiled() {
    folder=${1%/stub/*}
    prefix=
    own=-fcf-protection=none # as grader/build/build_compile.c has them
    [ "$2" = x86_64 ] || own=-mno-outline-atomics
    [ "$(uname -m)" = "$2" ] || prefix=$2-linux-gnu-
    flags=$(sed -n 's/^cflags: \[\(.*\)\].*/\1/p' "$folder/exercise.yml" | tr -d ,)
    # shellcheck disable=SC2086 # flags are words
    "${prefix}gcc" -std=c17 -ffreestanding $own -I. -I"$folder" $flags -c -o "$scratch/object" "$1" &&
        "${prefix}objdump" -d --no-show-raw-insn "$scratch/object"
}

# has FILE ISA PATTERN
has() {
    text=$(compiled "$1" "$2") || return 1
    printf '%s\n' "$text"
    case $3 in
    !*) ! printf '%s\n' "$text" | grep -qE "${3#!}" ;;
    *) printf '%s\n' "$text" | grep -qE "$3" ;;
    esac
}

while read -r file isa pattern; do
    name="compiled: $file on $isa"
    if [ "$isa" != "$(uname -m)" ] && ! command -v "$isa-linux-gnu-gcc" >/dev/null; then
        skip "$name" "no $isa-linux-gnu-gcc"
    else
        report "$name has \`$pattern\`" has "exercises/$file" "$isa" "$pattern"
    fi
done <<'END'
03-branch-elimination/stub/clamp.c x86_64 !cmov
03-branch-elimination/stub/clamp.c aarch64 !csel
04-accumulators/stub/sum.c x86_64 !addps
04-accumulators/stub/sum.c aarch64 !fadd.*4s
05-software-pipelining/stub/probe.c x86_64 !prefetch
08-fusion/stub/fusion.c x86_64 mov +%[a-z0-9]+,-?(0x4)?\(
08-fusion/stub/fusion.c x86_64 !xmm
08-fusion/stub/fusion.c aarch64 str[[:space:]]+w[0-9]+,
08-fusion/stub/fusion.c aarch64 !\.4s
09-division/stub/divide.c x86_64 [[:space:]]div
09-division/stub/divide.c aarch64 [[:space:]]udiv
10-sorting-network/stub/sort.c x86_64 [[:space:]]cmov
10-sorting-network/stub/sort.c x86_64 [[:space:]]j(g|l|ge|le)[[:space:]]
10-sorting-network/stub/sort.c aarch64 [[:space:]]csel
10-sorting-network/stub/sort.c aarch64 [[:space:]]b\.(gt|lt|ge|le)[[:space:]]
12-dot-product/stub/dot.c x86_64 !mulps
12-dot-product/stub/dot.c aarch64 !\.4s
12-dot-product/stub/dot.c aarch64 !fmadd
13-scan/stub/scan.c x86_64 !prefetch
13-scan/stub/scan.c aarch64 !prfm
14-crc32c/stub/crc32c.c x86_64 !crc32[bq]
14-crc32c/stub/crc32c.c aarch64 !crc32c[bx]
15-sharded-counters/stub/counters.c x86_64 [[:space:]]lock
15-sharded-counters/stub/counters.c aarch64 ldxr
18-cache-server/stub/server.c x86_64 [[:space:]]j(ae|b)[[:space:]]
18-cache-server/stub/server.c x86_64 [[:space:]]div
18-cache-server/stub/server.c x86_64 !xmm
18-cache-server/stub/server.c aarch64 [[:space:]]b\.(ls|hi)[[:space:]]
18-cache-server/stub/server.c aarch64 [[:space:]]udiv
18-cache-server/stub/server.c aarch64 !\.4s
END
exit "$tests_failed"
