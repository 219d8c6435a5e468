#!/bin/sh
# The Makefile as a thin layer: what it builds and hands on, in a small project of its own whose program only says
# what it was given.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
unset BUILD
export V=0 # a line for each file that is made

project=$scratch/project
mkdir -p "$project/ci" "$project/grader" "$project/harness/arena" "$project/harness/walls" "$project/harness/runner/target" "$project/harness/runner/replay" \
    "$project/exercises/03-third"
cp Makefile "$project"
cp VERSION "$project"
cp ci/*.mk ci/*.awk ci/help.txt ci/version.sh ci/bar.sh "$project/ci"
echo 'int third;' >"$project/exercises/03-third/cases.c"
touch "$project/harness/arena/plan.h" "$project/harness/walls/lent.h" "$project/harness/runner/glue.h"
cp harness/runner/target/room.ld "$project/harness/runner/target/"
echo 'int target;' >"$project/harness/runner/target/target.c"
echo 'int memory;' >"$project/harness/runner/target/memory.c"
echo 'int replay;' >"$project/harness/runner/replay/replay.c"
cat >"$project/grader/main.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    const char *status = getenv("STATUS");
    for (int i = 1; i < argc; i++)
        printf("<%s>", argv[i]);
    puts("");
    return status ? atoi(status) : 0;
}
EOF
program "$project/ci/setup.sh" <<'EOF'
#!/bin/sh
echo "setup${FOR:+ for $FOR}"
EOF

program "$scratch/compiler" <<'EOF'
#!/bin/sh
exec gcc "$@"
EOF
compiler=$scratch/compiler

ours() {
    "${MAKE:-make}" --no-print-directory -C "$project" "$@" 2>&1
}

# Elsewhere than at a terminal one line for all; at one a bar that ends full, and is gone; behind an end in the middle it begins anew.
one_line() {
    rm -rf "${project:?}/build"
    said=$(ours status V=)
    equal '  building 3 files (V=1 shows each)
<status>' "$said" && [ ! -e "$project/build/made/bar" ] || return 1
    command -v script >/dev/null || return 0
    rm -rf "${project:?}/build" && mkdir -p "$project/build/made" && printf ........ >"$project/build/made/bar"
    V='' script -qec "${MAKE:-make} --no-print-directory -C '$project' status" /dev/null </dev/null >"$scratch/typed" 2>&1
    said=$(tr '\r' '\n' <"$scratch/typed")
    for part in 'building [' ' of 3: CC ' '[####################] 3 of 3: ' '<status>'; do contains "$said" "$part" || return 1; done
    ! grep -q '  CC' "$scratch/typed" && [ ! -e "$project/build/made/bar" ]
}

# hands_on WANTED GOALS-AND-VALUES...: the last line is the program's.
hands_on() {
    wanted=$1
    shift
    equal "$wanted" "$(ours "$@" | tail -n 1)"
}

commands=$(sed -n 's/^COMMANDS := //p' ci/commands.mk)
help_names_every_command() {
    said=$(ours help)
    for command in $commands; do
        contains "$said" "make $command" || return 1
    done
}

# Every command of the table has a rule, and every rule of the Makefile is a command of the table or a file.
rules_and_table() {
    for command in $commands; do
        sed -n '/^include ci\/build.mk/,$p' Makefile | grep -q "^$command:" || [ "$command" = setup ] ||
            sed -n 's/^PROGRAM_COMMANDS := / /p' ci/commands.mk | grep -q " $command\( \|$\)" || { echo "no rule: $command"; return 1; }
    done
    rules=$(sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile)
    for rule in $rules; do
        contains " $commands " " $rule " || return 1
    done
}

# refused PART GOALS-AND-VALUES...: make says no with the part, on one line, before anything is done.
refused() {
    part=$1
    shift
    rm -rf "$project/build"
    said=$(ours "$@")
    equal 2 "$?" && contains "$said" "$part" && equal 1 "$(printf '%s\n' "$said" | wc -l)" && [ ! -e "$project/build" ] && [ ! -e "$project/pwned" ]
}

# Variables of building go with every command, and make's own.
building_goes() {
    hands_on '<status>' status CC=gcc CFLAGS=-O0 LDFLAGS= V= SANITIZE= SHELL=/bin/sh MAKE=make && hands_on '<status>' -s -j2 status
}

# What the environment has may be meant for others; so may what a make above was given.
not_typed_here() {
    equal '<status>' "$(EX=3 SECONDS=1 ex=3 ours status)" || return 1
    printf 'all:\n\t@$(MAKE) -C %s status\n' "$project" >"$scratch/above.mk"
    equal '<status>' "$("${MAKE:-make}" --no-print-directory -f "$scratch/above.mk" ours=1 2>&1 | tail -n 1)"
}

# A new commit changes what the note says, and builds nothing.
version_is_noted() {
    ours all >"$scratch/built"
    equal '0.1 (commit unknown)' "$(cat "$project/build/version")" || return 1
    contains "$(cat VERSION)" '0.1 $Format:' || return 1
    (cd "$project" && git init -q . && printf '/build/\n' >.gitignore && git add . && git -c user.name=a -c user.email=a@example.org commit -q -m a) || return 1
    equal '' "$(ours status | grep '^  [A-Z][A-Z]')" && equal "0.1 (commit $(git -C "$project" rev-parse --short=12 HEAD))" "$(cat "$project/build/version")" || return 1
    echo '# more' >>"$project/Makefile"
    equal '<status>' "$(ours status)" && contains "$(cat "$project/build/version")" ', modified)' || return 1
    mkdir "$project/inner" && cp -R "$project/Makefile" "$project/ci" "$project/inner" && cp VERSION "$project/inner"
    equal '0.1 (commit unknown)' "$(sh "$project/inner/ci/version.sh")" || return 1
    echo '0.1 0123456789ab' >"$project/inner/VERSION"
    equal '0.1 (commit 0123456789ab)' "$(sh "$project/inner/ci/version.sh")"
    result=$?
    rm -rf "$project/inner" "$project/.git" "$project/.gitignore"
    return "$result"
}

builds_its_cases_only() {
    ours clean >"$scratch/cleaned" && mkdir "$project/exercises/11-other" && touch "$project/exercises/11-other/cases.c" || return 1
    ours check EX="$1"
    rm -r "$project/exercises/11-other"
    [ -f "$project/build/exercises/03-third/cases.so" ] && [ ! -e "$project/build/exercises/11-other" ]
}

# Its keys go to other exercises; one that does not compile is its own trouble there, too.
watch_builds_all_cases() {
    ours clean >"$scratch/cleaned" && mkdir "$project/exercises/11-other" "$project/exercises/12-broken" &&
        touch "$project/exercises/11-other/cases.c" && echo 'this is no C' >"$project/exercises/12-broken/cases.c" || return 1
    hands_on '<watch><3>' watch EX=3
    result=$?
    rm -r "$project/exercises/11-other" "$project/exercises/12-broken"
    [ "$result" -eq 0 ] && [ -f "$project/build/exercises/03-third/cases.so" ] && [ -f "$project/build/exercises/11-other/cases.so" ]
}

quiet_when_built() {
    ours all && equal '<check><3>' "$(ours check EX=3)"
}

# An empty BUILD is none, and a name that make or a shell would take apart is refused.
names_of_the_folder() {
    ours clean && hands_on '<status>' status BUILD= && hands_on '<status>' status BUILD="$scratch/else+where/é" && [ -x "$scratch/else+where/é/cyclelab" ] || return 1
    for name in 'a b' 'a:b' "a'b" '$(touch pwned)' '`touch${IFS}pwned`' 'a;touch pwned' 'a%b'; do
        refused 'BUILD: expected the name of a folder' status BUILD="$name" || return 1
    done
}

# One sentence, where nothing can be built.
no_place_to_build() {
    touch "$scratch/file"
    refused "$scratch/file/build/ cannot be written, and what is built goes there: say BUILD=dir" status BUILD="$scratch/file/build"
}

# Two makes begin in one empty folder: both end well, and nothing is left to do or beside what was made.
two_at_once() {
    ours clean
    ours status >"$scratch/one" & first=$!
    ours check EX=3 >"$scratch/two" || { cat "$scratch/two"; return 1; }
    wait "$first" || { cat "$scratch/one"; return 1; }
    equal '<status>' "$(tail -n 1 "$scratch/one")" && equal '<check><3>' "$(tail -n 1 "$scratch/two")" || return 1
    equal '' "$(find "$project/build" -name '*.[0-9]*')" && equal '<status>' "$(ours status)"
}

# What a source includes is looked at however the folder is written.
follows_headers() {
    touch "$project/grader/some.h" && echo '#include "grader/some.h"' >"$project/grader/other.c" && ours all && touch "$project/grader/some.h" || return 1
    makes_again "$project/build/cyclelab $project/build/libcyclelab.a grader/other.c " all BUILD="$project/build"
    result=$?
    rm "$project/grader/other.c" "$project/grader/some.h"
    ours all
    return "$result"
}

# makes_again WANTED GOALS-AND-VALUES...: these targets, in the order of the alphabet, and at once a second time none.
makes_again() {
    wanted=$1
    shift
    equal "$wanted" "$(ours "$@" | sed -n 's/^  [A-Z][A-Z] *//p' | sort | tr '\n' ' ')" || return 1
    equal '' "$(ours "$@" | grep '^  [A-Z][A-Z]')"
}

changed_commands() {
    ours all
    everything='build/cyclelab build/libcyclelab.a exercises/03-third/cases.c grader/main.c grader/other.c '
    echo 'int other;' >"$project/grader/other.c"
    makes_again 'build/cyclelab build/libcyclelab.a grader/other.c ' all &&
        makes_again "$everything" all CFLAGS=-O1 && makes_again "$everything" all CFLAGS=-O1 SANITIZE=-fsanitize=undefined &&
        makes_again "$everything" all CFLAGS=-O1 LDFLAGS=-Wl,-O1 && makes_again "$everything" all CC="$compiler"
    result=$?
    rm "$project/grader/other.c"
    ours all
    return "$result"
}

# A source that is gone is gone from the library, the program and the runner.
deleted_source() {
    echo 'int other;' >"$project/grader/other.c"
    echo 'int second;' >"$project/harness/runner/target/second.c"
    ours all && contains "$(nm "$project/build/cyclelab")" ' other' || return 1
    rm "$project/grader/other.c" "$project/harness/runner/target/second.c"
    runner="runner for $(uname -m)" replay="replay program for $(uname -m)"
    if [ "$(uname -m)" != aarch64 ] && command -v aarch64-linux-gnu-gcc >/dev/null; then
        runner="runner for aarch64 $runner" replay="replay program for aarch64 $replay"
    fi
    makes_again "build/cyclelab build/libcyclelab.a $replay $runner " all && ! contains "$(nm "$project/build/cyclelab")" ' other' >/dev/null
}

deleted_test() {
    mkdir -p "$project/grader/base/tests"
    for name in first second; do
        printf '#include <criterion/criterion.h>\nTest(suite, %s) {}\n' "$name" >"$project/grader/base/tests/test_$name.c"
    done
    ours build/tests && contains "$("$project/build/tests" --list)" second || return 1
    rm "$project/grader/base/tests/test_second.c"
    makes_again 'build/tests ' build/tests && ! contains "$("$project/build/tests" --list)" second >/dev/null
    result=$?
    rm -r "$project/grader/base"
    return "$result"
}

hostile_values() {
    value='; touch pwned; $(touch pwned) $(shell touch pwned) `touch pwned` "q" '"it's"' $HOME # \ %'
    hands_on "<check><3><--src><$value>" "$@" check EX=3 SRC="$value" && [ ! -e "$project/pwned" ]
}

from_the_environment() {
    equal '<check><3><--src><$(shell touch pwned)>' "$(EX=3 SRC='$(shell touch pwned)' ours check)" && [ ! -e "$project/pwned" ]
}

fails_with_the_program() {
    said=$(STATUS=3 ours "$@" check EX=3)
    status=$?
    [ "$status" -ne 0 ] && contains "$said" '<check><3>'
}

broken_exercise() {
    mkdir "$project/exercises/12-broken"
    echo 'this is no C' >"$project/exercises/12-broken/cases.c"
    hands_on '<check>' check && hands_on '<check><03-third>' check EX=03-third && ! ours check EX=broken
    result=$?
    rm -r "$project/exercises/12-broken"
    return "$result"
}

# setup_for WANTED GOALS-AND-VALUES...: what is said first, by setup.
setup_for() {
    wanted=$1
    shift
    equal "$wanted" "$(ours setup "$@" | head -n 1)"
}

# A system without a compiler until setup has run.
setup_first() {
    mkdir -p "$scratch/bare"
    for tool in sh awk uname nproc mkdir printf rm mv ln env; do ln -sf "$(command -v "$tool")" "$scratch/bare/$tool"; done
    program "$scratch/bare/make" <<EOF
#!/bin/sh
exec "$(command -v make)" "\$@"
EOF
    program "$project/ci/setup.sh" <<EOF
#!/bin/sh
for tool in gcc as ld ar pkg-config pkgconf; do ln -sf "\$(PATH=$PATH command -v \$tool)" "$scratch/bare/\$tool"; done
echo setup
EOF
    ours clean
    without=$(PATH=$scratch/bare MAKE=make ours check EX=3) && return 1
    contains "$without" 'Run `make setup` first' || return 1
    with=$(PATH=$scratch/bare MAKE=make ours setup check status EX=3 | grep -v '^  [A-Z][A-Z]')
    equal 'setup
<check><3>
<status>' "$with"
}

# A student's machine has no python3, or one without its YAML.
figures_need() {
    mkdir -p "$scratch/no-yaml"
    program "$scratch/no-yaml/python3" <<'EOF'
#!/bin/sh
exit 1
EOF
    without=$(PATH=$scratch/no-yaml:$PATH ours figures ONLY=clocks) && return 1
    contains "$without" 'Run `make setup FOR=tests` first'
}

report 'make: help names every command' help_names_every_command
report 'make: a rule for each command, and a command for each rule' rules_and_table
report 'make: refuses a number' refused 'make check EX=3' check 3
report 'make: refuses the name of an exercise' refused 'make hint EX=third' hint third
report 'make: refuses a command that is none' refused 'did you mean: make check' chekc
report 'make: refuses a command that is like none' refused '`make help` lists them' frobnicate
report 'make: refuses an option with blanks' refused 'without blanks: make check EX=' check EX 3
report 'make: refuses a value behind a blank' refused 'make check EX=3' check EX= 3
report 'make: refuses small letters' refused 'did you mean: make check EX=3' check ex=3
report 'make: refuses an option that is none' refused 'did you mean: make check CORE=x' check COER=x
report 'make: refuses an option of others' refused '`info` does not take EX; it takes no option of its own. EX goes with: begin check' info EX=3
report 'make: refuses an option without a command' refused '`all` does not take EX' EX=3
report 'make: refuses in silence, too' refused 'did you mean: make check EX=3' -s -j2 check ex=3
report 'make: refuses before setup' refused 'did you mean: make setup check EX=3' setup check ex=3
report 'make: refuses a goal beside a good one' refused 'no command `chek`' status chek
report 'make: runs nothing that it refuses' refused 'there is no command' '$(touch${IFS}pwned)`touch${IFS}pwned`'
report 'make: runs no value that it refuses' refused 'make check EX=$(shell touch pwned)' check 'ex=$(shell touch pwned)'
report 'make: building has its variables' building_goes
report 'make: what was not typed here is not refused' not_typed_here
report 'make: the version is noted' version_is_noted
for name in 3 03 third 03-third; do
    report "make: EX=$name builds the cases of exercise 3 alone" builds_its_cases_only "$name"
done
report 'make: watch builds the cases of all exercises' watch_builds_all_cases
report 'make: one line, or a bar, for all that is built' one_line
report 'make: says nothing where nothing is to be built' quiet_when_built
report 'make: the name of the build folder' names_of_the_folder
report 'make: a build folder that cannot be written' no_place_to_build
report 'make: two at once' two_at_once
report 'make: a header under another name of the build folder' follows_headers
report 'make: other commands make all again, once' changed_commands
report 'make: a deleted source is gone from what was made of it' deleted_source
report 'make: so is a deleted test' deleted_test
report 'make: check without EX' hands_on '<check>' check
report 'make: every option of check' hands_on \
    '<check><3><--on><native><--core><cortex-a55><--src><d><--seed><7><--report><json:f>' \
    check EX=3 ON=native CORE=cortex-a55 SRC=d SEED=7 REPORT=json:f
report 'make: every option of grade' hands_on \
    '<grade><3 4><--submissions><s><--out><o><--course><c><--on><qemu><--core><x><--jobs><2><--isolation><strict><--slice><1/2>' \
    grade EX='3 4' SUBMISSIONS=s OUT=o COURSE=c ON=qemu CORE=x JOBS=2 ISOLATION=strict SLICE=1/2
report 'make: FORCE' hands_on '<solution><3><--force=1>' solution EX=3 FORCE=1
report 'make: values are never run' hostile_values
report 'make: nor after setup' hostile_values setup
report 'make: nor from the environment' from_the_environment
report 'make: fails when the program does' fails_with_the_program
report 'make: and after setup' fails_with_the_program setup
report 'make: a broken exercise is its own trouble' broken_exercise
report 'make: figures say what they need' figures_need
report 'make: setup is for students' setup_for setup status
report 'make: setup with tests is for them, too' setup_for 'setup for tests' clean test
report 'make: setup is for whom it is told' setup_for 'setup for grading' test FOR=grading
report 'make: setup comes first' setup_first
exit "$tests_failed"
