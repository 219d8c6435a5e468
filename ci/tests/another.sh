#!/bin/sh
# Another exercise, from docs/authoring.md, in a copy of the project as git has it: two folders more, and every command
# knows it. (Whether the exercise itself is sound is authoring.sh's business.)
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}
project=$scratch/project
chmod 711 "$scratch" # the unprivileged user has to get in

# Files with their times, so that what was built is not built again.
take_project() {
    "$make" BUILD="$BUILD" all && mkdir "$project" || return 1
    if git rev-parse --is-inside-work-tree; then
        git ls-files --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print
    fi | grep -v "^work/" | while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done >"$scratch/files"
    tar -cf - -T "$scratch/files" | tar -xpf - -C "$project" && mkdir "$project/build" &&
        (cd "$BUILD" && cp -pR cyclelab libcyclelab.a made grader harness runner exercises "$project/build")
}

files_of_project() {
    (cd "$project" && find . -path ./build -prune -o -type f -print0 | sort -z | xargs -0 cksum)
}

# A line that is a path in backquotes names the block that follows it.
add_exercise() {
    files_of_project >"$scratch/before"
    (cd "$project" && awk '
        /^`[^`]+`$/ { name = substr($0, 2, length($0) - 2) }
        /^```/ { if (file) close(file); file = name; name = ""
                 if (file) { folder = file; sub("/[^/]*$", "", folder); system("mkdir -p " folder) }
                 next }
        file { print >file }' docs/authoring.md && ci/stubs.sh)
    files_of_project >"$scratch/after"
    equal '' "$(diff "$scratch/before" "$scratch/after" | grep -v '^[0-9]' | grep -vE '^> .* \./(exercises|solutions)/19-product/')" &&
        [ -f "$project/exercises/19-product/exercise.yml" ] && [ -f "$project/solutions/19-product/product.c" ]
}

ours() {
    said=$("$make" --no-print-directory -C "$project" BUILD=build "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said"
}

# verdict WORDS GOALS-AND-VALUES...: the last line's first word is one of these.
verdict() {
    wanted=$1
    shift
    ours "$@"
    found=$(printf '%s\n' "$said" | sed -n 's/^\([A-Z]*\): .*exit status.*/\1/p' | tail -n 1)
    case " $wanted " in *" $found "*) [ -n "$found" ] ;; *) equal "one of $wanted" "$found" ;; esac
}

says() {
    part=$1
    shift
    ours "$@"
    contains "$said" "$part"
}

report 'another: a copy of the project' take_project
report 'another: two new folders are all' add_exercise
report 'another: the stub fails' verdict 'FAIL UNSTABLE' check EX=19
report 'another: the reference passes' verdict 'PASS UNSTABLE' check EX=19 SRC=solutions/19-product
report 'another: its name will do' verdict 'FAIL UNSTABLE' check EX=product
report 'another: make check knows it' says 'Product' check
report 'another: make hint knows it' says 'A multiplication takes' hint EX=19
report 'another: make status knows it' says 'Product' status
report 'another: make reset knows it' says 'work/19-product' reset EX=19
report 'another: make solution knows it' says 'p3' solution EX=19 FORCE=1

# A case that cases.c does not have: where it stands, and what there is.
wrong_case() {
    sed -i 's/case: odd/case: even/' "$project/exercises/19-product/exercise.yml"
    line=$(grep -n 'case: even' "$project/exercises/19-product/exercise.yml" | cut -d : -f 1)
    says "exercises/19-product/exercise.yml:$line: bounds[1].case: expected a case of the exercise's cases.c (odd, small), found \`even\`" "$@"
    wrong=$?
    sed -i 's/case: even/case: odd/' "$project/exercises/19-product/exercise.yml"
    return "$wrong"
}

report 'another: make check tells of a case that is not there' wrong_case check EX=19
report 'another: so does make explain' wrong_case explain EX=19
mkdir -p "$scratch/class/ada/19-product"
report 'another: so does make grade' wrong_case grade SUBMISSIONS="$scratch/class" OUT="$scratch/graded"
echo 'exercises: [{exercise: 19, correctness: {cases: [even]}}]' >"$scratch/course.yml"
report 'another: and of one that the course names' \
    says 'course.yml:1: exercises[1].correctness.cases[1]: expected a case' \
    grade SUBMISSIONS="$scratch/class" OUT="$scratch/graded" COURSE="$scratch/course.yml"

# A core is one file: exercises and commands know it as soon as it is there.
add_core() {
    sed 's/^title: .*/title: A new core/' harness/model/cores/neoverse-n1.yml >"$project/harness/model/cores/new-core.yml" &&
        sed -i 's/^core: .*/core: new-core/' "$project/exercises/03-branch-elimination/exercise.yml"
}

report 'another: a new core is one file' add_core
report 'another: make cores lists it' says 'new-core' cores
report 'another: make cores explains it' says 'A new core (new-core)' cores CORE=new-core
report 'another: the stub fails on it' verdict FAIL check EX=3 ON=qemu
report 'another: as the core that the exercise names' says 'new-core' check EX=3 ON=qemu
report 'another: the reference passes on it' verdict PASS check EX=19 ON=qemu CORE=new-core SRC=solutions/19-product
exit "$tests_failed"
