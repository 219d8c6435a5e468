#!/bin/sh
# ci/fuzz/seeds.sh TARGET FOLDER: what fuzzing begins with. Texts are the project's own and those in ci/fuzz/seeds; objects
# and programs are made here from the exercises' sources, for each ISA that has a compiler.
set -eu
cd "$(dirname "$0")/../.."
target=$1
folder=$2
runners=$(dirname "$folder")/../runner
mkdir -p "$folder"

# Sources are compiled in NAME/student and the program lies at NAME/out/...: that is how the grader tells whose code it is.
compile() {
    "$gcc" -c -g -O1 -std=c17 -ffreestanding -fno-pie -fno-stack-protector -fno-asynchronous-unwind-tables \
        -I. -I"${exercise:-.}" -I"${exercise:-.}/$isa" "-fdebug-prefix-map=$PWD=/job/student" -o "$1" "$2"
}

# Of each exercise: the stub's files and the solution's; the one for the ISA before that for all.
objects() {
    for exercise in exercises/[0-9]*; do
        for source in "$exercise/stub" "solutions/${exercise#exercises/}"; do
            for file in "$source"/*.c "$source/$isa"/*.[cS]; do
                [ ! -e "$file" ] || compile "$1/$isa-$(echo "$file" | tr '/.' '--').o" "$file"
            done
        done
    done
}

programs() {
    for exercise in exercises/0[35]*; do
        for source in "$exercise/stub" "solutions/${exercise#exercises/}"; do
            name=$isa-$(echo "$source" | tr '/.' '--')
            rm -rf "$1/parts"
            mkdir -p "$1/parts"
            compile "$1/parts/glue.o" "$exercise/glue.c"
            for file in "$exercise"/stub/*.c; do
                stem=$(basename "$file" .c)
                [ ! -e "$source/$stem.c" ] || file=$source/$stem.c
                [ ! -e "$source/$isa/$stem.S" ] || file=$source/$isa/$stem.S
                compile "$1/parts/$stem.o" "$file"
            done
            "$gcc" -static -nostdlib -no-pie -Wl,--build-id=none,-z,noexecstack -o "$1/$name" \
                "$runners/$isa/runner.o" "$1"/parts/*.o
            rm -rf "$1/parts"
        done
    done
}

# Numbers of less than 65536, as one byte, or as so many, least first.
byte() { for n in "$@"; do printf '%b' "\\0$((n / 64 % 4))$((n / 8 % 8))$((n % 8))"; done; }
number() {
    byte "$2" $(($2 / 256))
    for _ in $(seq 3 "$1"); do byte 0; done
}

# As ci/fuzz/plan.c reads it: how a run ended, the status, contents. Runs that are done, crashed, clobbered, cut off.
plans() {
    for which in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
        for outcome in 0 1 2 3 4; do
            signal=$((outcome == 1 ? 11 : outcome == 3 ? 31 : 0))
            {
                byte $((which * 2)) $((which / 2 % 2)) $((which % 2)) $((which / 4 % 2)) "$outcome" "$signal" 3 1
                for word in $((signal ? 5 : 2)) $((which % 5)) $((1 << outcome)) "$signal" 1 $((which % 3)); do number 4 "$word"; done
                for word in $((which * 3001)) $((which * 257)) 0 "$which"; do number 8 "$word"; done
                printf 'contents of a buffer, whatever they are'
            } >"$1/$which-$outcome"
        done
    done
}

case $target in
plan) plans "$folder" ;;
exercise) for file in exercises/*/exercise.yml; do cp "$file" "$folder/$(basename "$(dirname "$file")").yml"; done ;;
core) cp harness/model/cores/*.yml "$folder" ;;
esac
if [ "$target" != object ] && [ -d "ci/fuzz/seeds/$target" ]; then
    cp "ci/fuzz/seeds/$target"/* "$folder"
fi
for isa in x86_64 aarch64; do
    gcc=$isa-linux-gnu-gcc
    [ "$isa" != "$(uname -m)" ] || gcc=${CC:-gcc}
    command -v "$gcc" >/dev/null || continue
    case $target in
    object)
        objects "$folder"
        exercise=.
        for file in ci/fuzz/seeds/object/*; do compile "$folder/$isa-$(basename "$file" | tr . -).o" "$file"; done
        ;;
    program) programs "$folder" ;;
    esac
done
