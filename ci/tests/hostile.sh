#!/bin/sh
# Hostile programs: grader/tests/hostile/NAME holds a submission for exercise 3 that attacks the grader, its machine or
# its reports, and `expect`, what has to become of it. In there, a line each:
#   attack: WORDS          which of the attacks in grader/tests/hostile/attacks it tries
#   cause: NAME            which of the causes in grader/tests/causes it goes for, if any
#   native: VERDICTS       the verdicts that are right, as in "fail|rejected"; "-": not for this bench
#   qemu: VERDICTS
#   seconds: N             it is over by then (10 if not given)
#   slow: yes              natively with FULL=1 only: it goes to the limits of the compiler or of a call; `always`: on
#                          both benches
#   emulator: yes          it attacks qemu-aarch64, where the native bench runs the AArch64 build
#   reports: yes           it is made to break reports: each format is looked at
#   folder: NAME           the submission's folder is called so, as printf %b says it
#   says: TEXT             what the report has to contain; `native says:`, `qemu says:` for one bench
# A file `create` is a script that makes the submission's files. @ROOT@, @SECRET@, @NEIGHBOUR@ and @BUILD@ stand for what it
# would like to know, "hostile.h" for the file of that name beside the folders.
#
# No process, no file and no change is left, nothing secret is in any output, and nothing in it acts. When root runs this,
# some programs are tried as an ordinary user too. It is a sample (ci/sample.sh).
# FULL=1: all of them, for both users.
# ONLY=fork: those only whose name has this in it.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
# shellcheck source=ci/leftovers.sh
. ci/leftovers.sh
# shellcheck source=ci/golden.sh
. ci/golden.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v python3 >/dev/null || { skip 'hostile programs' 'no python3 to watch over them'; exit 0; }

hostile=$PWD/grader/tests/hostile
every=12 # for the ordinary user
id=03-branch-elimination
isa=$(uname -m)

# A project and a build of its own, readable for all: what is broken here is broken here only.
base=$area
root=$base/project
build=$base/build
mkdir "$root" "$build" "$base/home" "$base/class" "$base/class/other" "$base/course"
cp -R exercises solutions harness "$root"
cp -pR "$BUILD/cyclelab" "$BUILD/runner" "$BUILD/exercises" "$build"
chmod -R a+rX "$root" "$build"

# What nobody is to see: in a file that everybody can read, in another's answer, in the environment.
secret=canary$$x$(date +%s)
echo "$secret" >"$base/course/course.yml"
{ echo "#warning $secret"; cat "solutions/$id/clamp.c"; } >"$base/class/other/clamp.c"
export CYCLELAB_SECRET="$secret" HOME="$base/home"
chmod -R a+rX "$base/course" "$base/class"

tree_is() {
    find "$root" "$build" "$base/home" "$base/course" "$base/class" -path "$build/cache" -prune -o -type f -exec sha256sum {} +
    find "$root" "$base/home" "$base/course" "$base/class" -printf '%p %y %m %U\n'
    find /tmp /var/tmp /dev/shm . -maxdepth 1 -name 'cyclelab-canary*'
}
folder_is() { find "$1" -printf '%P %y %m %s %i %T@ %l\n' | sort; }
tree_is | sort >"$base/before"

# of KEY: the values in the program's `expect`.
of() { sed -n "s/^$1: //p" "$program/expect"; }

# The program's files, with what stands in them for something else in its place: $area/src, or the name it asks for.
place() {
    rm -rf "$area/src"
    cp -R "$program" "$area/src"
    rm "$area/src/expect"
    find "$area/src" -type f \( -name '*.[chS]' -o -name create \) -exec sed -i \
        -e "/^#include \"hostile.h\"/{r $hostile/hostile.h" -e 'd}' \
        -e "s|@ROOT@|$root|g; s|@SECRET@|$base/course/course.yml|g; s|@NEIGHBOUR@|$base/class/other|g; s|@BUILD@|$build|g" {} +
    if [ -f "$area/src/create" ]; then
        mv "$area/src/create" "$area/create"
        (cd "$area/src" && sh "$area/create") || return 1
    fi
    src=$area/src
    folder=$(of folder)
    [ -n "$folder" ] || return 0
    src=$area/$(printf %b "$folder")
    case $folder in
    */*) mkdir -p "$area/a" "$area/b" && mv "$area/src" "$area/$(basename "${folder%/.}")" ;;
    *) mv "$area/src" "$src" ;;
    esac
}

# withstood BENCH: the program has the verdict that it must get, and nothing else has become of it.
withstood() {
    place || return 1
    bench="--on $1"
    { of says; of "$1 says"; } >"$area/texts"
    seconds=$(of seconds)
    echo "${seconds:-10}" >"$area/limit"
    basename "$program" >"$area/name"
    rm -f "$area/witness" "$area"/report.*
    : >"$area/wants"
    [ -z "$(of reports)" ] || echo 'junit github markdown gradescope csv classroom50 autolab tap' >"$area/wants"
    folder_is "$src" >"$area/source"
    verdict_is "$(of "$1")" "$id" "$src" "$area/texts"
    good=$?
    # A noisy machine leaves some open once: with more time there has to be a verdict.
    if [ "$verdict" = unstable ] && [ "$good" -ne 0 ]; then
        rm -f "$area/witness"
        echo 60 >"$area/limit"
        PATIENCE=25 verdict_is "$(of "$1")" "$id" "$src" "$area/texts"
        good=$?
    fi
    if [ -s "$area/witness" ]; then
        cat "$area/witness"
        good=1
    fi
    printf '%s\n' "$said" | LC_ALL=C grep -q '[^[:print:][:blank:]]' && { echo 'a control character in the report'; good=1; }
    case $said in *"$secret"*) echo 'the secret in the report' && good=1 ;; esac
    if grep -lsF "$secret" "$area"/report.*; then
        echo 'the secret in a report'
        good=1
    fi
    folder_is "$src" | cmp -s "$area/source" - || { echo 'the source folder was changed'; good=1; }
    reports_are_good || good=1
    (cd "$area" && rm -rf a b src-dots src) && case $folder in */*) ;; *) rm -rf "$src" ;; esac
    [ "$good" -eq 0 ] || printf '%s\n' "$said" | LC_ALL=C tr -c '[:print:]\n' '?'
    return "$good"
}

# Each format as its service reads it. The sources lie in a folder of their own there, and no exercise's name is in it.
reports_are_good() {
    for report in "$area"/report.*; do
        [ -f "$report" ] || continue
        format=${report##*.}
        case $format in
        junit) ! command -v xmllint >/dev/null || xmllint --noout --schema grader/reports/tests/junit.xsd "$report" || return 1 ;;
        tap) ! LC_ALL=C grep -q '[^[:print:][:blank:]]' "$report" || { echo 'a control character in TAP'; return 1; } ;;
        *) python3 -B grader/reports/tests/formats.py "$format" "$report" 1 || return 1 ;;
        esac
    done
}

# Why the program does not go with this machine and bench; nothing when it does.
unfit() {
    if [ "$1" = qemu ]; then
        [ -n "$cross" ] || echo 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    elif [ -d "$program/x86_64" ] && [ ! -d "$program/aarch64" ] && [ "$isa" != x86_64 ]; then
        echo 'for x86_64 only'
    elif [ -n "$(of emulator)" ] && { [ "$isa" = aarch64 ] || [ -z "$cross" ] || ! command -v qemu-aarch64 >/dev/null; }; then
        echo 'no AArch64 build that would run under qemu-aarch64'
    fi
    case $(of slow)/$1/${FULL:-} in
    always/*/ | yes/native/) echo 'goes to the limits of the compiler or of a call: with FULL=1' ;;
    esac
}
cross=$(command -v "$([ "$isa" = aarch64 ] || echo aarch64-linux-gnu-)gcc")

# lane NUMBER BENCH USER: every second program, in an area of its own. In a subshell.
lane() {
    number=$1
    TAP=$base/tap$number
    : >"$TAP"
    scratch=$scratch/lane$number
    area=$base/lane$number
    rm -rf "$scratch" "$area"
    mkdir -p "$scratch" "$area/tmp"
    chmod 711 "$area"
    chmod 1777 "$area/tmp"
    as=
    if [ "$3" = ordinary ]; then
        chown -R nobody "$area" "$scratch"
        as='setpriv --reuid nobody --regid nogroup --clear-groups'
    fi
    program "$area/cyclelab" <<END
#!/bin/sh
exec python3 -B -I -S '$PWD/ci/hostile/witness.py' '$area' $as '$build/cyclelab' "\$@" --root '$root'
END
    BUILD=$area
    count=0
    for program in "$hostile"/*/; do
        program=${program%/}
        name=$(basename "$program")
        case $name in *"${ONLY:-}"*) ;; *) continue ;; esac
        [ "$(of "$2")" != - ] || continue
        count=$((count + 1))
        [ $((count % 2)) -eq "$number" ] || continue
        [ "$3" = self ] || [ -n "${FULL:-}${ONLY:-}" ] || [ $((count / 2 % every)) -eq 0 ] || continue
        title="hostile: $name, $2$([ "$3" = self ] || echo ', as an ordinary user')"
        [ "$3" = ordinary ] || sampled "$title" || continue
        why=$(unfit "$2")
        if [ -n "$why" ]; then
            skip "$title" "$why"
        else
            report "$title" withstood "$2"
        fi
    done
    exit "$tests_failed"
}

# both BENCH USER: two lanes at a time.
both() {
    (lane 0 "$1" "$2") >"$base/out0" 2>&1 &
    first=$!
    (lane 1 "$1" "$2") >"$base/out1" 2>&1 || tests_failed=1
    wait "$first" || tests_failed=1
    cat "$base/out0" "$base/out1"
    cat "$base/tap0" "$base/tap1" >>"$TAP"
}

# Every attack is tried on each bench.
covered() {
    while IFS=: read -r attack _; do
        for bench in native qemu; do
            found=$(grep -lxF "attack: $attack" "$hostile"/*/expect | xargs -r grep -Lx "$bench: -")
            [ -n "$found" ] || [ "$attack/$bench" = 'emulated machine/native' ] ||
                { echo "nothing tries \"$attack\" on $bench"; return 1; }
        done
    done <"$hostile/attacks"
    for program in "$hostile"/*/; do
        grep -q "^$(sed -n 's/^attack: //p' "$program/expect"):" "$hostile/attacks" || { echo "$program: which attack?"; return 1; }
    done
    [ "$(find "$hostile" -name expect | wc -l)" -ge 50 ]
}

# causes BENCH: submissions that go for that bench, each with what it is named for, here and in the golden corpus.
causes_tried() {
    for file in "$hostile"/*/expect; do
        grep -qx "$1: -" "$file" || sed -n 's/^cause: //p' "$file"
    done
    for file in grader/tests/golden/*/*/expect; do
        [ "$1" = native ] || grep -qx @model "$file" || continue
        sed -n 's/^@cause //p' "$file"
    done
    [ "$1" = native ] || sed -n 's/^@cause //p' grader/tests/golden-model/*/*/expect
}

# Of each cause for which somebody may have a verdict that he does not deserve (grader/tests/causes) there are three
# submissions and more, on each bench that the table names.
each_cause_is_tried() {
    good=0
    for bench in native qemu; do
        causes_tried "$bench" | sort | uniq -c >"$base/causes"
        cat "$base/causes"
        while read -r _ cause; do
            grep -q "^$cause " grader/tests/causes || { echo "$cause: no such cause in grader/tests/causes"; good=1; }
        done <"$base/causes"
        while read -r cause benches; do
            case " ${benches%%:*} " in *" $bench "*) ;; *) continue ;; esac
            count=$(sed -n "s/^ *\([0-9]*\) $cause\$/\1/p" "$base/causes")
            [ "${count:-0}" -ge 3 ] || { echo "$cause, $bench: expected three submissions, found ${count:-0}"; good=1; }
        done <grader/tests/causes
    done
    [ "$(wc -l <grader/tests/causes)" -ge 9 ] && return "$good"
}

tree_kept() {
    tree_is | sort | diff "$base/before" -
}

report 'hostile: every attack is tried on both benches' covered
report 'hostile: each cause of a verdict that is not deserved is tried three times on each bench' each_cause_is_tried
both qemu self
both native self
report 'hostile: the tree, the secrets, home and the temporary folders are as they were' tree_kept
if [ "$(id -u)" -ne 0 ]; then
    skip 'hostile: as an ordinary user' 'that is who ran all of the above'
elif ! command -v setpriv >/dev/null; then
    skip 'hostile: as an ordinary user' 'no setpriv'
elif ! others_come_here; then
    skip 'hostile: as an ordinary user' "$PWD is where none can come"
else
    both qemu ordinary
    both native ordinary
    report 'hostile: as an ordinary user the tree is as it was' tree_kept
fi
exit "$tests_failed"
