#!/bin/sh
# What is copied from ci/, in a container as each service runs one: in the service's own places, without a network, as root and as an
# ordinary user, capabilities dropped. The container's root holds the packages of this machine, to be read only: no image is needed.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build} # make has to see it as it was given: it is a part of the targets' names
make=${MAKE:-make}
"$make" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
case $BUILD in /*) built=$BUILD ;; *) built=$PWD/$BUILD ;; esac
chmod 755 "$scratch"

# ---- containers ----

root=$scratch/root
mkdir -p "$root/usr" "$root/etc" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/run" "$root/var" "$root/cyclelab" "$root/grade" \
    "$root/autograder" "$root/job" "$root/class" "$root/reports" || exit 1
chmod 1777 "$root/tmp"
for name in bin sbin lib lib32 lib64 libx32; do
    [ -L "/$name" ] && cp -P "/$name" "$root"
done
cp -R /etc/alternatives /etc/ld.so.cache /etc/passwd /etc/group "$root/etc"

# As docker and podman begin, with what a container needs for root; with nothing; and as somebody else, with nothing.
usual='--cap-drop=all --cap-add=CHOWN,SETUID,SETGID,KILL'
nothing='--cap-drop=all'
somebody='--cap-drop=all --user 4711:4711'

bare() {
    timeout 300 podman --root "$scratch/containers" --runroot "$scratch/running" --storage-driver vfs run --rm --network none --read-only \
        --read-only-tmpfs --security-opt no-new-privileges -v /usr:/usr:ro "$@"
}
run_here() {
    use_runtime "$1"
    # shellcheck disable=SC2086 # words
    bare $somebody --rootfs "$root" true >"$scratch/podman" 2>&1 </dev/null
}
command -v podman >/dev/null || { skip 'contained: services' 'podman is not installed'; exit 0; }
run_here crun || run_here runc || { skip 'contained: services' "podman starts no container here: $(tail -n 1 "$scratch/podman")"; exit 0; }

# contained HOW OPTIONS... -- COMMAND...: what it said in $scratch/output; $status
contained() {
    how=$1 options=
    shift
    while [ "$1" != -- ]; do options="$options $1"; shift; done
    shift
    # shellcheck disable=SC2086 # words
    bare $how $options --rootfs "$root" "$@" >"$scratch/output" 2>&1 </dev/null
    status=$?
    cat "$scratch/output"
}
told='or run it as an ordinary user'

# What is so, inside: no capability, no network, nothing of the root to be written.
dropped() {
    contained "$somebody" -- sh -c 'id -u; sed -n "s/^CapBnd:.//p; s/^NoNewPrivs:.//p" /proc/self/status; ls /sys/class/net; touch /etc/x /usr/x'
    equal '4711
0000000000000000
1
lo' "$(grep -v '^touch' "$scratch/output")" && equal 2 "$(grep -c '^touch.*Read-only' "$scratch/output")" && equal 1 "$status"
}

# ---- submissions ----

class=$scratch/class
sh ci/sample-class.sh "$class" >/dev/null || exit 1
# Ten megabytes of a compiler's messages.
mkdir "$class/zoe"
python3 -B -c 'print("\n".join(["#error " + "a < b & c > d \"e\" " * 40] * 160) + "\n#if __INCLUDE_LEVEL__ < 150\n#include __FILE__\n#endif")' >"$class/zoe/clamp.c"
flood_is_one() { [ "$(gcc -c -o /dev/null "$class/zoe/clamp.c" 2>&1 | wc -c)" -gt 10000000 ]; }
chmod -R a+rX "$class"

# writable FOLDER: empty, for anybody
writable() { rm -rf "$1" && mkdir "$1" && chmod 777 "$1"; }

# what EXPRESSION FILE: over the report, `r`
what() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(json.dumps(r)[:2000]); sys.exit(not eval(sys.argv[2]))' "$2" "$1"
}
within() { equal 1 "$(($(wc -c <"$2") <= $1))"; }

# ---- PrairieLearn: /grade is the job's, the suite is in the image ----

prairielearn_image() {
    "$make" BUILD="$BUILD" prairielearn EX=3 || return 1
    cp -R "$built/prairielearn/cyclelab" "$scratch/image" && mkdir "$scratch/image/build" || return 1
    (cd "$built" && tar -cf - --exclude=tests cyclelab made runner exercises harness) | tar -xf - -C "$scratch/image/build" || return 1
    sed -n 's/^COPY grade.sh //p' "$built/prairielearn/Containerfile" | equal /cyclelab/grade.sh "$(cat)" && cp "$built/prairielearn/grade.sh" "$scratch/image" &&
        chmod -R a+rX "$scratch/image" && chmod 755 "$scratch/image/grade.sh" || return 1
    grep -q 'chown -R "$USER" /cyclelab && chmod 700 /cyclelab$' "$built/prairielearn/Containerfile" && chmod 700 "$scratch/image"
}

# As the image is built for who runs it: the suite is that user's alone.
owned_by() {
    case $1 in *--user*) chown -R 4711 "$scratch/image" ;; *) chown -R 0 "$scratch/image" ;; esac
}

# prairielearn HOW STUDENT
prairielearn() {
    owned_by "$1" && writable "$scratch/grade" && cp -R "$class/$2" "$scratch/grade/student" || return 1
    contained "$1" -v "$scratch/image:/cyclelab:ro" -v "$scratch/grade:/grade" -- /cyclelab/grade.sh
    equal 0 "$status" && python3 -B grader/reports/tests/formats.py prairielearn "$scratch/grade/results/results.json" 0
}
prairielearn_says() { what "$1" "$scratch/grade/results/results.json"; }
prairielearn_usual() { prairielearn "$usual" ada && prairielearn_says 'r["score"] == 1 and r["gradable"]'; }
prairielearn_nothing() { prairielearn "$nothing" ada && prairielearn_says 'not r["gradable"]' && contains "$(cat "$scratch/output")" "$told"; }
prairielearn_somebody() { prairielearn "$somebody" ada && prairielearn_says 'r["score"] == 1 and r["gradable"]'; }
prairielearn_flood() {
    prairielearn "$somebody" zoe && prairielearn_says 'r["score"] == 0 and r["gradable"]' && within 1048576 "$scratch/grade/results/results.json"
}

# ---- Gradescope: /autograder ----

gradescope_zip() {
    "$make" BUILD="$BUILD" gradescope EX=3 && mkdir "$scratch/autograder" && python3 -m zipfile -e "$built/gradescope.zip" "$scratch/autograder/source" &&
        cp -R "$scratch/image/build" "$scratch/autograder/source/cyclelab" || return 1
    cp "$scratch/autograder/source/run_autograder" "$scratch/autograder" && chmod 755 "$scratch/autograder/run_autograder" &&
        chmod -R a+rX "$scratch/autograder"
}

# gradescope HOW STUDENT
gradescope() {
    rm -rf "$scratch/autograder/submission" && cp -R "$class/$2" "$scratch/autograder/submission" && writable "$scratch/autograder/results" || return 1
    contained "$1" -v "$scratch/autograder:/autograder" -w /autograder -- ./run_autograder
    equal 0 "$status" && python3 -B grader/reports/tests/formats.py gradescope "$scratch/autograder/results/results.json" 0
}
gradescope_says() { what "$1" "$scratch/autograder/results/results.json"; }
gradescope_usual() { # setup.sh closes source/ to all but root
    chmod 700 "$scratch/autograder/source" && gradescope "$usual" ada && gradescope_says 'r["score"] == 10'
    result=$?
    chmod 755 "$scratch/autograder/source"
    return "$result"
}
gradescope_nothing() { gradescope "$nothing" ada && gradescope_says 'r["score"] == 0 and "could not run" in r["output"]' && contains "$(cat "$scratch/output")" "$told"; }
gradescope_somebody() { gradescope "$somebody" ada && gradescope_says 'r["score"] == 10'; }
gradescope_flood() { gradescope "$somebody" zoe && gradescope_says 'r["score"] == 0 and len(r["tests"]) > 0' && within 1048576 "$scratch/autograder/results/results.json"; }

# ---- Autolab: a folder of the job's, where `make` is said; Tango keeps 1000 KiB of what that says ----

autolab_tar() { "$make" BUILD="$BUILD" autolab EX=3; }
autolab() {
    writable "$scratch/job" && cp "$built/autolab/autograde.tar" "$class/$2/$3" "$scratch/job" && cp "$built/autolab/autograde-Makefile" "$scratch/job/Makefile" || return 1
    contained "$1" -v "$scratch/job:/job" -w /job -- sh -c 'ulimit -f 204800 && exec make' # files of 100 MB
    equal 0 "$status" && within 1024000 "$scratch/output"
}
autolab_usual() { autolab "$usual" ada 03-branch-elimination/clamp.c && equal '{"scores":{"branch-elimination":10}}' "$(tail -n 1 "$scratch/output")"; }
autolab_nothing() { autolab "$nothing" ada 03-branch-elimination/clamp.c && contains "$(cat "$scratch/output")" "$told"; }
autolab_somebody() { autolab "$somebody" ada 03-branch-elimination/clamp.c && equal '{"scores":{"branch-elimination":10}}' "$(tail -n 1 "$scratch/output")"; }
autolab_flood() { autolab "$somebody" zoe clamp.c && equal '{"scores":{"branch-elimination":0}}' "$(tail -n 1 "$scratch/output")"; }

# ---- the jobs of GitHub and GitLab, which run in an image of Debian ----

github() {
    writable "$scratch/reports" || return 1
    contained "$1" -v "$scratch/autograder/source/cyclelab:/cyclelab:ro" -v "$class:/class:ro" -v "$scratch/reports:/reports" -e SRC="/class/$2" -e EX=3 -e REPORTS=/reports \
        -e GITHUB_STEP_SUMMARY=/reports/summary.md -- sh /cyclelab/ci/github/check.sh
}
github_usual() { github "$usual" ada && equal 0 "$status"; }
github_nothing() { github "$nothing" ada && equal 4 "$status" && contains "$(cat "$scratch/output")" "$told"; }
github_somebody() { github "$somebody" ada && equal 0 "$status" && xmllint --noout "$scratch/reports/3/junit.xml"; }
github_flood() { # GitHub takes 1 MiB of a step's summary, GitLab 30 MB of JUnit
    github "$somebody" zoe && equal 1 "$status" && within 1048576 "$scratch/reports/summary.md" && within 30000000 "$scratch/reports/3/junit.xml" &&
        xmllint --noout "$scratch/reports/3/junit.xml"
}

check 'capabilities, network and root are gone' dropped
check 'a flood is one' flood_is_one
check 'PrairieLearn: the image' prairielearn_image
check 'Gradescope: the zip' gradescope_zip
check 'Autolab: the two files' autolab_tar
for service in PrairieLearn Gradescope Autolab GitHub; do
    name=$(echo "$service" | tr '[:upper:]' '[:lower:]')
    check "$service: root as containers have it" "${name}_usual"
    check "$service: root without capabilities says one thing" "${name}_nothing"
    check "$service: an ordinary user without capabilities" "${name}_somebody"
    check "$service: ten megabytes of messages" "${name}_flood"
done
exit "$tests_failed"
