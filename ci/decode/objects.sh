#!/bin/sh
# objects.sh BUILD FOLDER: the AArch64 objects of all exercises, baselines, stubs and references, compiled as the grader does
# and once more at -O3, into FOLDER; their paths on standard output.
set -eu
cd "$(dirname "$0")/../.." || exit 1
build=$1
folder=$2
mkdir -p "$folder"
for source in exercises/*/*.c solutions/*/*.c exercises/*/stub/*.c $(find exercises solutions -path '*/aarch64/*.S'); do
    case $source in */cases.c) continue ;; esac
    exercise=exercises/$(echo "$source" | cut -d / -f 2)
    flags=$(sed -n 's/^cflags: \[\(.*\)\]/\1/p' "$exercise/exercise.yml" | tr -d ,)
    for more in '' -O3; do
        [ -z "$more" ] || case $source in *.S) continue ;; esac
        object=$folder/$(echo "$source$more" | tr / _).o
        # shellcheck disable=SC2086 # the flags are words
        aarch64-linux-gnu-gcc -c -std=c17 -ffreestanding -fno-pie -I. -Iharness/runner -I"$exercise" -I"$exercise/aarch64" \
            -fno-stack-protector -fno-asynchronous-unwind-tables -mno-outline-atomics $flags ${more:+-ftree-vectorize "$more"} \
            -o "$object" "$source"
        echo "$object"
    done
done
echo "$build/runner/aarch64/runner.o"
