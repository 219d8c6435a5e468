#!/bin/sh
# The rooms of harness/ and grader/: ci/rooms.py finds nothing in the project, and finds it in a copy that has been
# doctored: one thing at a time, and it is told with its place.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh

copy=$scratch/copy
tar -cf "$scratch/sources.tar" --exclude='grader/tests/golden*' --exclude=grader/tests/hostile docs/design.md harness grader

rooms() { python3 -B ci/rooms.py "$@"; }
fresh() { rm -rf "$copy" && mkdir "$copy" && tar -xf "$scratch/sources.tar" -C "$copy"; }

# finds WHERE PART: in the copy, once, at this place.
finds() {
    said=$(rooms "$copy") && { echo "nothing was found"; return 1; }
    equal 1 "$(printf '%s\n' "$said" | wc -l)" && contains "$said" "$1" && contains "$said" "$2"
}

# included TARGET FILE: an include more, on line 2.
included() { sed -i "1a #include \"$1\"" "$copy/$2"; }

# against TARGET FILE PART: an include that must not be.
against() {
    fresh && included "$1" "$2" && finds "$2:2: " "$3"
}

untouched() { fresh && rooms "$copy"; }

new_room() {
    fresh && mkdir "$copy/grader/attic" && echo '/* a room */' >"$copy/grader/attic/old.h" && finds grader/attic 'no room'
}

unnamed_file() {
    fresh && echo 'int x;' >"$copy/harness/stats/secret.c" && finds harness/stats/secret.c 'no line in docs/design.md'
}

gone() {
    fresh && rm "$copy/harness/base/seed.c" "$copy/harness/base/seed.h" &&
        grep -rl harness/base/seed.h "$copy" --include='*.[ch]' | xargs sed -i '/harness\/base\/seed.h/d' && finds docs/design.md harness/base/seed
}

circle() {
    fresh && included harness/stats/stats.h harness/stats/stats.h && finds harness/stats/stats.h 'includes itself'
}

# lengthened FILE: by 500 lines.
lengthened() { fresh && seq -f '/* %g */' 500 >>"$copy/$1"; }
too_long() { lengthened grader/base/textfile.c && finds grader/base/textfile.c 'no reason in its head'; }
long_with_a_reason() {
    lengthened grader/base/textfile.c && sed -i '1i /* Long because: it is padded. */' "$copy/grader/base/textfile.c" && rooms "$copy"
}
# A reason says something, and in the head.
not_a_reason() {
    lengthened grader/base/textfile.c && sed -i '1i /* Long because: */' "$copy/grader/base/textfile.c" &&
        echo '/* Long because: it is padded. */' >>"$copy/grader/base/textfile.c" && finds grader/base/textfile.c 'no reason'
}

# The order is the list's: another order, and what was right is against it.
other_order() {
    fresh && awk '/^  stats\//{held=$0; getline more; next} {print} /decode\*/{print held; print more; held=""}' \
        "$copy/docs/design.md" >"$scratch/page" && cp "$scratch/page" "$copy/docs/design.md" || return 1
    contains "$(rooms "$copy")" 'harness/clock may not include from harness/stats'
}

check 'the project keeps its order' rooms
check 'so does an untouched copy' untouched
check 'an include from a room further down' against grader/check/check.h grader/base/tool.c 'grader/base may not include from grader/check'
check 'the same in harness/' against harness/emu/emulator.h harness/model/cache.c 'harness/model may not include from harness/emu'
check 'harness/ knows nothing of grader/' against grader/base/isa.h harness/stats/stats.c 'harness/stats may not include'
check 'the command line is last' against grader/options.h grader/class/grade.c 'may not include from grader'
check 'an internal header of another room' against grader/build/build_internal.h grader/class/grade_work.c 'for grader/build/ only'
check 'an include without its folder' against textfile.h grader/base/textfile.c 'is not there'
check 'tests follow the order, too' against grader/check/fault.h grader/exercise/tests/test_layout.c 'grader/exercise may not include'
check 'and what they share' against grader/tests/check_kit.h grader/core/tests/test_core_file.c 'grader/core may not include from grader/check'
check 'tests are not included' against harness/walls/tests/wall_kit.h harness/runner/machine.c 'for tests only'
check 'a header that includes itself' circle
check 'a folder that is no room' new_room
check 'a file without a line' unnamed_file
check 'a line without a file' gone
check 'another order of the list' other_order
check 'a file of more than 500 lines' too_long
check 'with a reason' long_with_a_reason
check 'without a word in it' not_a_reason
exit "$tests_failed"
