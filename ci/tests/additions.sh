#!/bin/sh
# What CONTRIBUTING.md says of additions: a report format is one file, and so is a core. Tried with throw-away ones in a
# copy of the project, which only has to build what is new.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'additions: a report format is one file' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}

chmod 755 "$scratch" # compilers run as a user without privileges
copy=$scratch/copy
mkdir "$copy"
cp -pR Makefile ci docs exercises grader harness solutions "$copy"
mkdir "$copy/build"
(cd "$BUILD" && cp -pR cyclelab libcyclelab.a made grader harness exercises runner "$copy/build") || exit 1

# ours GOALS-AND-VALUES...: in the copy.
ours() {
    "${MAKE:-make}" --no-print-directory -C "$copy" BUILD=build "$@" 2>&1 </dev/null
}

# code PAGE MARK FILE: the code block of a page after a line with this mark, as a file.
code() {
    awk -v mark="$2" 'index($0, mark) { seen = 1 } seen && /^```/ { if (open) exit; open = 1; next } open' "$1" >"$3"
    [ -s "$3" ] || { echo "$1: no code after \`$2\`"; return 1; }
}

# The format of CONTRIBUTING.md itself, under the name that the page gives it.
a_format() {
    code CONTRIBUTING.md 'grader/reports/demo.c' "$copy/grader/reports/demo.c" || return 1
    made=$(ours all V=0) || { echo "$made"; return 1; }
    contains "$made" 'grader/reports/demo.c' || return 1
    said=$(ours check EX=3 ON=qemu SRC=solutions/03-branch-elimination REPORT="demo:$scratch/report")
    [ -f "$scratch/report" ] || { echo "$said"; return 1; }
    equal '03-branch-elimination: pass' "$(cat "$scratch/report")" && contains "$(ours check EX=3 REPORT=x:y)" 'demo'
}

# Editors are told how it is compiled: the command that the database has of it does compile it.
in_the_database() {
    ours compile_commands.json >/dev/null
    (cd "$copy" && python3 -c '
import json, subprocess, sys
entries = {entry["file"]: entry["arguments"] for entry in json.load(open("compile_commands.json"))}
kinds = ["grader/reports/demo.c", "grader/check/tests/test_turns.c", "harness/runner/target/runner.c"]
kinds += [f"exercises/{i}/cases.c" for i in ("01-nop-cycles", "05-software-pipelining")]
for file in kinds:
    subprocess.run(entries[file] + ["-fsyntax-only"], check=True)
sys.exit(len(entries) < 200)')
}

# And it is gone when its file is.
gone_again() {
    rm "$copy/grader/reports/demo.c" && ours all >/dev/null && contains "$(ours check EX=3 REPORT=demo:y)" "found \`demo:y\`"
}

# cycles CORE: of the stub with its branch, for each element.
cycles() {
    said=$(ours check EX=3 ON=qemu CORE="$1" SRC=exercises/03-branch-elimination/stub)
    printf '%s\n' "$said" | awk '$1 == "student" { print $2; exit }'
}

# The nearest core's file under another name, first in the list, with one figure changed.
a_core() {
    sed -e 's/^title: .*/title: A throw-away core/' -e 's/^\(  mispredict: *{is: \)[0-9]*/\140/' \
        harness/model/cores/cortex-a55.yml >"$copy/harness/model/cores/a1-demo.yml"
    equal '' "$(ours all)" || return 1
    contains "$(ours cores)" 'a1-demo' && contains "$(ours cores CORE=a1-demo)" 'A throw-away core (a1-demo)' || return 1
    contains "$(ours check EX=3 ON=qemu CORE=none)" 'there are: a1-demo, ' || return 1
    said=$(ours check EX=3 ON=qemu CORE=a1-demo SRC=solutions/03-branch-elimination)
    contains "$said" 'qemu, aarch64, a1-demo, ' && contains "$said" 'PASS: 10 of 10 points' || return 1
    near=$(cycles cortex-a55) new=$(cycles a1-demo)
    awk -v near="$near" -v new="$new" 'BEGIN { exit !(near > 0 && new > 1.5 * near) }' || { echo "$near on cortex-a55, $new on a1-demo"; return 1; }
}

check 'a core is one file' a_core
check 'a report format is one file' a_format
check 'editors are told of it' in_the_database
check 'and gone with it' gone_again
exit "$tests_failed"
