#!/bin/sh
# `make sample-class OUT=dir`: a class to try grading on, eight submissions of exercises 1 to 5 in the ways in which they
# come. What each gets stands in docs/instructors.md; ci/tests/ grade it.
set -eu
cd "$(dirname "$0")/.."
out=${1:?usage: sample-class.sh DIR}
if [ -e "$out" ] && [ -n "$(ls -A "$out")" ]; then
    echo "sample-class: $out is there already: name a new folder" >&2
    exit 2
fi
mkdir -p "$out"
golden=grader/tests/golden
model=grader/tests/golden-model
third=03-branch-elimination

# folders STUDENT FROM: the five exercises, each in its folder.
folders() {
    mkdir "$out/$1"
    for id in exercises/0[1-5]-*/; do
        id=$(basename "$id")
        if [ "$2" = solutions ]; then
            cp -R "solutions/$id" "$out/$1"
        else
            cp -R "exercises/$id/stub" "$out/$1/$id"
        fi
    done
}

# put STUDENT PLACE FROM...: files or folders below PLACE.
put() {
    to=$out/$1/$2
    shift 2
    mkdir -p "$to"
    cp -R "$@" "$to"
}

folders ada solutions                                     # everything right and fast
folders ben stubs                                         # everything as it came
folders chen solutions                                    # the same files as ada's
put dana . solutions/$third/clamp.c solutions/04-accumulators/aarch64 # two exercises, and no folders
put emil $third $golden/$third/does-not-compile/clamp.c   # a typing error
put emil 04-accumulators $golden/04-accumulators/near-two/sum.c # almost fast enough
put emil 05-software-pipelining solutions/05-software-pipelining/probe.c # half of an exercise
put fatma exercises/$third $model/$third/assembly/aarch64 # in assembly, in a repository's folders
put fatma exercises solutions/01-nop-cycles solutions/02-cache-misses
put fatma exercises/01-nop-cycles $model/01-nop-cycles/no-enable/cycles.c # a counter that stands still
put fatma exercises/02-cache-misses $golden/02-cache-misses/shuffle-biased/shuffle.c # shuffles unfairly
put gil $third $model/$third/endless-loop/clamp.c         # never ends
put gil 04-accumulators $golden/04-accumulators/misses-tail/sum.c # fast, and wrong
put hana $third $model/$third/system-call/clamp.c         # tries to get out
put hana 04-accumulators $golden/04-accumulators/writable-table/sum.c # and to remember
echo "$out: $(find "$out" -mindepth 1 -maxdepth 1 | wc -l) submissions. Grade them: make grade SUBMISSIONS=$out OUT=grades EX='1 2 3 4 5'"
