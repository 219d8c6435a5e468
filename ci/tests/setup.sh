#!/bin/sh
# ci/setup.sh on systems that are played: a PATH with nothing in it but stand-ins and a few ordinary tools.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh

cat >"$scratch/list" <<'EOF'
# two packages
tool   needed    command:tool    the tool
extra  optional  command:extra   a feature
EOF

# system FOLDER: a new PATH with the ordinary tools.
system() {
    mkdir -p "$1"
    for tool in sh awk cut tr sed grep wc tail mktemp rm cat env dirname; do
        ln -sf "$(command -v "$tool")" "$1/$tool"
    done
}

# debian FOLDER UID: one with dpkg and apt, whose installed packages are the lines of FOLDER/installed.
debian() {
    system "$1"
    : >"$1/installed"
    program "$1/id" <<EOF
#!/bin/sh
echo $2
EOF
    program "$1/dpkg-query" <<EOF
#!/bin/sh
sed 's/\$/ installed/' "$1/installed"
EOF
    program "$1/apt-cache" <<'EOF'
#!/bin/sh
for name; do :; done
[ "$name" = unknown ] || echo "Package: $name"
EOF
    program "$1/apt-get" <<EOF
#!/bin/sh
echo "\$*" >>"$1/calls"
case "\$*" in *install*) for name; do case \$name in tool | extra) echo \$name >>"$1/installed" ;; esac; done ;; esac
EOF
}

# run FOLDER [LIST]: its output in $said, its status in $status.
run() {
    said=$(PATH=$1 sh ci/setup.sh "${2:-$scratch/list}" 2>&1 </dev/null)
    status=$?
}

all_there() {
    debian "$scratch/a" 0
    printf 'tool\nextra\n' >"$scratch/a/installed"
    run "$scratch/a"
    equal 0 "$status" && equal '' "$said" && [ ! -e "$scratch/a/calls" ]
}

installs_what_is_missing() {
    debian "$scratch/b" 0
    echo tool >"$scratch/b/installed"
    run "$scratch/b"
    equal 0 "$status" && contains "$(cat "$scratch/b/calls")" 'install -y --no-install-recommends extra' &&
        contains "$(cat "$scratch/b/calls")" ' update'
}

uses_sudo() {
    debian "$scratch/c" 1000
    program "$scratch/c/sudo" <<EOF
#!/bin/sh
[ "\$1" = -n ] && exit 0
[ "\$1" = -p ] && shift 2
echo "sudo \$*" >>"$scratch/c/sudo-calls"
exec "\$@"
EOF
    run "$scratch/c"
    equal 0 "$status" && equal 1 "$(grep -c . "$scratch/c/sudo-calls")" && equal 'tool
extra' "$(cat "$scratch/c/installed")"
}

# Three wrong passwords: sudo ends, and nothing of the script ran.
wrong_password() {
    debian "$scratch/w" 1000
    program "$scratch/w/sudo" <<'EOF'
#!/bin/sh
[ "$1" = -n ] && exit 0
echo 'sudo: 3 incorrect password attempts' >&2
exit 1
EOF
    run "$scratch/w"
    equal 1 "$status" && contains "$said" 'nothing was installed: sudo did not let you (a wrong password' &&
        contains "$said" 'apt-get install -y --no-install-recommends tool extra' && [ ! -e "$scratch/w/calls" ]
}

without_root_says_the_command() {
    debian "$scratch/d" 1000
    run "$scratch/d"
    equal 1 "$status" && contains "$said" 'apt-get install -y --no-install-recommends tool extra' && [ ! -e "$scratch/d/calls" ]
}

only_optional_missing_is_no_failure() {
    debian "$scratch/e" 1000
    echo tool >"$scratch/e/installed"
    run "$scratch/e"
    equal 0 "$status" && contains "$said" 'install -y --no-install-recommends extra'
}

unknown_package() {
    debian "$scratch/f" 0
    printf 'tool\nextra\n' >"$scratch/f/installed"
    { cat "$scratch/list"; echo "unknown $1 command:unknown no such thing"; } >"$scratch/f/list"
    run "$scratch/f" "$scratch/f/list"
    equal "$2" "$status" && contains "$said" "not in this system's package lists: unknown"
}

failed_install() {
    debian "$scratch/g" 0
    program "$scratch/g/apt-get" <<'EOF'
#!/bin/sh
echo "E: no space left" >&2
exit 100
EOF
    run "$scratch/g"
    equal 1 "$status" && contains "$said" 'no space left' && contains "$said" 'tool'
}

other_system() {
    system "$scratch/h"
    run "$scratch/h"
    equal 1 "$status" && contains "$said" 'no apt-get' && contains "$said" 'the tool'
}

other_system_with_the_tool() {
    system "$scratch/i"
    program "$scratch/i/tool" </dev/null
    run "$scratch/i"
    equal 0 "$status" && contains "$said" 'a feature'
}

other_system_with_all() {
    system "$scratch/j"
    program "$scratch/j/tool" </dev/null
    program "$scratch/j/extra" </dev/null
    run "$scratch/j"
    equal 0 "$status" && equal '' "$said"
}

grading_does_without() {
    debian "$scratch/k" 0
    echo tool >"$scratch/k/installed"
    { cat "$scratch/list"; echo 'plots desk command:plots plots'; echo 'tests develop command:tests tests'; } >"$scratch/k/list"
    said=$(FOR=grading PATH=$scratch/k sh ci/setup.sh "$scratch/k/list" 2>&1 </dev/null)
    equal 0 "$?" && contains "$(cat "$scratch/k/calls")" 'install -y --no-install-recommends extra' || return 1
    ! grep -E 'plots|tests' "$scratch/k/calls" || return 1
    said=$(FOR=fun PATH=$scratch/k sh ci/setup.sh "$scratch/k/list" 2>&1 </dev/null)
    equal 2 "$?" && contains "$said" 'FOR: expected grading, tests'
}

tests_come_with_tests() {
    debian "$scratch/l" 0
    printf 'tool\nextra\n' >"$scratch/l/installed"
    { cat "$scratch/list"; echo 'tests develop command:tests tests'; } >"$scratch/l/list"
    run "$scratch/l" "$scratch/l/list"
    equal 0 "$status" && equal '' "$said" && [ ! -e "$scratch/l/calls" ] || return 1
    said=$(FOR=tests PATH=$scratch/l sh ci/setup.sh "$scratch/l/list" 2>&1 </dev/null)
    contains "$(cat "$scratch/l/calls")" 'install -y --no-install-recommends tests'
}

report 'setup: says and calls nothing when all is there' all_there
report 'setup: installs what is missing, and only that' installs_what_is_missing
report 'setup: uses sudo where it can, once' uses_sudo
report 'setup: a wrong password is said' wrong_password
report 'setup: without root and sudo it says the command' without_root_says_the_command
report 'setup: an optional package is not needed' only_optional_missing_is_no_failure
report 'setup: an unknown optional package costs its feature only' unknown_package optional 0
report 'setup: an unknown needed package is a failure' unknown_package needed 1
report 'setup: a failed installation shows why' failed_install
report 'setup: FOR=grading leaves out what grading does without' grading_does_without
report 'setup: what is for tests comes with FOR=tests' tests_come_with_tests
report 'setup: another system gets the list' other_system
report 'setup: another system needs only what is needed' other_system_with_the_tool
report 'setup: another system with all of it' other_system_with_all
exit "$tests_failed"
