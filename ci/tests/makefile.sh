#!/bin/sh
# The Makefile as a thin layer: what it builds and hands on, in a small project of its own whose program only says
# what it was given.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
unset BUILD

project=$scratch/project
mkdir -p "$project/ci" "$project/grader" "$project/harness/runner/target" "$project/exercises/03-third"
cp Makefile "$project"
cp ci/*.mk ci/*.awk "$project/ci"
echo 'int third;' >"$project/exercises/03-third/cases.c"
touch "$project/harness/runner/plan.h" "$project/harness/runner/glue.h"
echo 'int target;' >"$project/harness/runner/target/target.c"
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

ours() {
    "${MAKE:-make}" --no-print-directory -C "$project" "$@" 2>&1
}

# hands_on WANTED GOALS-AND-VALUES...: the last line is the program's.
hands_on() {
    wanted=$1
    shift
    equal "$wanted" "$(ours "$@" | tail -n 1)"
}

help_names_every_command() {
    said=$(ours help)
    for command in help setup check hint status reset solution debug info all test unit coverage lint clean; do
        contains "$said" "make $command" || return 1
    done
}

builds_its_cases_only() {
    ours clean >"$scratch/cleaned" && mkdir "$project/exercises/11-other" && touch "$project/exercises/11-other/cases.c" || return 1
    ours check EX="$1"
    rm -r "$project/exercises/11-other"
    [ -f "$project/build/exercises/03-third/cases.so" ] && [ ! -e "$project/build/exercises/11-other" ]
}

quiet_when_built() {
    ours all && equal '<check><3>' "$(ours check EX=3)"
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
    for tool in sh awk uname nproc mkdir printf rm ln env; do ln -sf "$(command -v "$tool")" "$scratch/bare/$tool"; done
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

report 'make: help names every command' help_names_every_command
for name in 3 03 third 03-third; do
    report "make: EX=$name builds the cases of exercise 3 alone" builds_its_cases_only "$name"
done
report 'make: says nothing where nothing is to be built' quiet_when_built
report 'make: check without EX' hands_on '<check>' check
report 'make: every option of check' hands_on \
    '<check><3><--on><native><--core><cortex-a55><--src><d><--seed><7><--report><json:f>' \
    check EX=3 ON=native CORE=cortex-a55 SRC=d SEED=7 REPORT=json:f
report 'make: FORCE' hands_on '<solution><3><--force>' solution EX=3 FORCE=1
report 'make: values are never run' hostile_values
report 'make: nor after setup' hostile_values setup
report 'make: nor from the environment' from_the_environment
report 'make: fails when the program does' fails_with_the_program
report 'make: and after setup' fails_with_the_program setup
report 'make: a broken exercise is its own trouble' broken_exercise
report 'make: setup is for students' setup_for setup status
report 'make: setup with tests is for them, too' setup_for 'setup for tests' clean test
report 'make: setup is for whom it is told' setup_for 'setup for grading' test FOR=grading
report 'make: setup comes first' setup_first
exit "$tests_failed"
