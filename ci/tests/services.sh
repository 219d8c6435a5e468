#!/bin/sh
# What an instructor copies from ci/, in the folders that each service gives: workflows executed as GitHub's runner
# does, the zip of Gradescope laid out as /autograder, a job of Autolab, and submissions in all their shapes.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build} # make has to see it as it was given: it is a part of the targets' names
make=${MAKE:-make}
"$make" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
case $BUILD in /*) built=$BUILD ;; *) built=$PWD/$BUILD ;; esac
open_tmpdir

third=03-branch-elimination
class=$scratch/class
sh ci/sample-class.sh "$class" >/dev/null || exit 1

# The suite as a service gets it, with what was built here, and packages that are all installed.
suite=$scratch/suite
mkdir "$suite"
sh ci/pack.sh "$suite" && mv "$suite/cyclelab"/* "$suite" && rmdir "$suite/cyclelab" || exit 1
mkdir "$suite/build"
(cd "$built" && tar -cf - --exclude=tests cyclelab libcyclelab.a made runner exercises harness grader) | tar -xf - -C "$suite/build"
printf '#!/bin/sh\necho "setup for ${FOR:-all}"\n' >"$suite/ci/setup.sh"

nothing_left() {
    emptied "$TMPDIR"
}

# formats FORMAT FILE COUNT
formats() {
    python3 -B grader/reports/tests/formats.py "$@"
}

good=solutions/$third/clamp.c

# A whole clone of the suite as a student hands it in: an answer in work/ beside untouched stubs, and in exercises/ a stub
# that an older version of the suite had there, which hides nothing.
clone=$scratch/clone
mkdir "$clone" && (cd "$suite" && tar -cf - --exclude=./build .) | tar -xf - -C "$clone" && mkdir "$clone/work" &&
    cp -R "exercises/$third/stub" "$clone/work/$third" && cp "$good" "$clone/work/$third/clamp.c" &&
    cp -R exercises/04-accumulators/stub "$clone/work/04-accumulators" && cp "exercises/$third/stub/clamp.c" "$clone/exercises/$third" || exit 1

# ---- GitHub ----

# workflow FILE STUDENT VALUES...: jobs and how they went in $jobs, what came of them in $scratch/runs.
workflow() {
    file=$1 student=$2
    shift 2
    rm -rf "$scratch/runs"
    mkdir "$scratch/runs"
    jobs=$(env -u BUILD python3 -B ci/tests/workflow.py run "ci/github/$file" "$scratch/runs" "$student" "$suite" "$@" 2>"$scratch/annotations")
    jobs_status=$?
    cat "$scratch/annotations" "$scratch/runs"/*/log
    printf '%s\n' "$jobs"
    return "$jobs_status"
}

# went LOG EXERCISE:STATUS...: what each came to, as the log has it
went() {
    expected=$(shift; for one; do echo "exercise ${one%:*}: status ${one#*:}"; done)
    equal "$expected" "$(grep '^exercise [a-z0-9-]*: status' "$1")"
}
log=$scratch/runs/check/log

course_repository() {
    workflow cyclelab.yml "$class/dana" vars.CYCLELAB_SUITE=teacher/cyclelab 'vars.CYCLELAB_EXERCISES=3, 4,5' || return 1
    equal 'check: failure' "$jobs" && went "$log" 3:0 4:0 5:1 || return 1
    contains "$(cat "$log")" 'setup for grading' && formats markdown "$scratch/runs/check/summary.md" 3 || return 1
    for exercise in 3 4 5; do
        files=$scratch/runs/check/artifacts/cyclelab/$exercise
        formats github "$files/log.txt" 1 && formats markdown "$files/summary.md" 1 && xmllint --noout "$files/junit.xml" &&
            python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$files/report.json" || return 1
    done
    contains "$(cat "$log")" '::error title=05-software-pipelining build::'
}

# The suite is the repository that is graded, with the student's work in it; it has nothing for exercise 5.
suite_in_repository() {
    workflow cyclelab.yml "$clone" 'vars.CYCLELAB_EXERCISES=branch-elimination 4 5'
    equal 'check: failure' "$jobs" && went "$log" branch-elimination:0 4:1 5:1 && contains "$(cat "$log")" 'building ' &&
        contains "$(cat "$log")" 'you have not edited the stub yet' && contains "$(cat "$log")" 'nothing was handed in'
}

# Old habits: what is edited in exercises/ counts where work/ has only the stub, and annotations name where it lies.
edited_in_exercises() {
    cp -R "$clone" "$scratch/habit" && cp "exercises/$third/stub/clamp.c" "$scratch/habit/work/$third" &&
        echo nonsense >"$scratch/habit/exercises/$third/clamp.c" || return 1
    workflow cyclelab.yml "$scratch/habit" vars.CYCLELAB_SUITE=teacher/cyclelab vars.CYCLELAB_EXERCISES=3 || return 1
    contains "$(grep '^::error' "$log")" "::error file=exercises/$third/clamp.c,line=1," || return 1
    echo nonsense >"$scratch/habit/work/$third/clamp.c"
    workflow cyclelab.yml "$scratch/habit" vars.CYCLELAB_SUITE=teacher/cyclelab vars.CYCLELAB_EXERCISES=3 || return 1
    contains "$(grep '^::error' "$log")" "::error file=work/$third/clamp.c,line=1,"
}

# Without a list all that the suite has; the program is played here.
all_discovered() {
    mkdir -p "$scratch/every/ci/github" "$scratch/every/build" && cp ci/github/check.sh "$scratch/every/ci/github" && cp -R exercises "$scratch/every" &&
        printf '#!/bin/sh\necho "$2" >>"%s"\n' "$scratch/asked" | program "$scratch/every/build/cyclelab" || return 1
    (cd "$scratch/every" && SRC=. sh ci/github/check.sh) && equal "$(ls exercises)" "$(cat "$scratch/asked")"
}

# Nothing of an odd word is repeated, and none goes by in silence.
odd_list() {
    workflow cyclelab.yml "$class/dana" vars.CYCLELAB_SUITE=teacher/cyclelab 'vars.CYCLELAB_EXERCISES=3 * $(touch${IFS}pwned) "; x' || return 1
    [ -z "$(find "$scratch/runs" . -maxdepth 4 -name 'pwned*' -not -path './.git/*')" ] && went "$log" 3:0 x:2 &&
        equal 'check: failure' "$jobs" && equal 3 "$(grep -c '^::error title=cyclelab::The list of exercises: expected .* word [234]$' "$log")" || return 1
    for list in ',' 3.; do
        said=$(SRC=$class/dana EX=$list REPORTS=$scratch/reports sh "$suite/ci/github/check.sh" 2>&1)
        equal 2 "$?" && contains "$said" '::error title=cyclelab::The list of exercises' || return 1
    done
}

# A compiler's message that gives the runner commands: points for the reporter, variables, an end to the silence.
forged() {
    rm -rf "$scratch/shape" && mkdir "$scratch/shape"
    cat >"$scratch/shape/clamp.c" <<'EOF'
#warning \
::notice title=Autograding report::{"totalPoints":100,"maxPoints":100}
#error ::set-output name=result::eyJ9
#include "\
::notice title=Autograding report::{'totalPoints':100}"
EOF
    workflow cyclelab.yml "$scratch/shape" vars.CYCLELAB_SUITE=teacher/cyclelab vars.CYCLELAB_EXERCISES=3 || return 1
    equal 'check: failure' "$jobs" || return 1
    equal '  error' "$(sed '/^$/d' "$scratch/annotations" | sort -u)"
}

# ---- GitLab ----

gitlab_is_sound() {
    python3 -B - ci/gitlab/.gitlab-ci.yml <<'EOF'
import sys, yaml
job = (ci := yaml.safe_load(open(sys.argv[1])))["check"]
assert set(ci) == {"workflow", "check"}
assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"] == "reports/junit.xml"
assert all(isinstance(line, str) for line in job["before_script"] + job["script"])
assert "timeout" in job and not job["image"].endswith("latest") and "allow_failure" not in job
assert job["parallel"]["matrix"][0]["EX"] == ["1", "2", "3", "4", "5"]
print("\n".join(["set -eo pipefail"] + job["before_script"] + job["script"]))
EOF
}

# gitlab STUDENT EX [NAME=VALUE]: as the runner does, in one shell; $status
gitlab() {
    rm -rf "$scratch/project"
    cp -R "$class/$1" "$scratch/project" || return 1
    mkdir -p "$scratch/bin"
    for tool in apt-get git; do
        printf '#!/bin/sh\nfor to; do :; done\n[ "$(basename "$0")" = apt-get ] || cp -pR "%s" "$to"\n' "$suite" | program "$scratch/bin/$tool"
    done
    gitlab_is_sound >"$scratch/script" || return 1
    (cd "$scratch/project" && env -u BUILD PATH="$scratch/bin:$PATH" CI_PROJECT_DIR="$scratch/project" EX="$2" CYCLELAB_SUITE=where bash "$scratch/script") </dev/null
    status=$?
    rm -rf "$TMPDIR"/tmp.*
    xmllint --noout "$scratch/project/reports/junit.xml"
}

gitlab_pass() { gitlab dana 3 && equal 0 "$status" && contains "$(cat "$scratch/project/reports/junit.xml")" 'failures="0"'; }
gitlab_clone() { gitlab ../clone 3 && equal 0 "$status" && gitlab ../clone 4 && equal 1 "$status"; }
gitlab_fail() { gitlab emil 3 && equal 1 "$status" && contains "$(cat "$scratch/project/reports/junit.xml")" 'does not build'; }

# ---- Gradescope ----

autograder=$scratch/autograder
cyclelab=$autograder/source/cyclelab/build/cyclelab
gradescope_zip() {
    rm -rf "$autograder" && mkdir -p "$autograder/source"
    said=$("$make" BUILD="$BUILD" gradescope EX='3 4 5' 2>&1) || { echo "$said"; return 1; }
    contains "$said" gradescope.zip || return 1
    printf 'seed: 4711\nroster: roster.csv\nlate: {percent: [50], file: late.csv}\nexercises:\n  - exercise: 3\n    points: 40\n  - exercise: 4\n    graded: false\n  - exercise: 5\n    graded: false\n' >"$scratch/course.yml"
    # without the modes, as some unpackers do
    python3 -m zipfile -e "$built/gradescope.zip" "$autograder/source" || return 1
    [ -f "$autograder/source/setup.sh" ] && [ -f "$autograder/source/run_autograder" ] || return 1
    python3 -m zipfile -l "$built/gradescope.zip" | grep -E 'tests/|\.git/|^cyclelab/(build|work)/|\.bak' && return 1
    [ "$(wc -c <"$built/gradescope.zip")" -lt 5000000 ] || return 1
    cp "$autograder/source/run_autograder" "$autograder"
    chmod +x "$autograder/run_autograder"
    # what is built is up to date, and setup finds all packages
    cp -R "$suite/build" "$autograder/source/cyclelab"
    find "$autograder/source/cyclelab/build" -exec touch -r "$autograder/source/cyclelab/build" {} +
    cp "$suite/ci/setup.sh" "$autograder/source/cyclelab/ci/setup.sh"
    said=$(AUTOGRADER=$autograder sh "$autograder/source/setup.sh" 2>&1)
    status=$?
    printf '%s\n' "$said"
    equal 0 "$status" && contains "$said" 'setup for grading' && [ -x "$cyclelab" ] &&
        equal 700 "$(stat -c %a "$autograder/source")"
}

# gradescope FOLDER [VARIABLE=VALUE]: grades it; the report is sound
gradescope() {
    rm -rf "$autograder/submission" "$autograder/results"
    mkdir "$autograder/results"
    cp -R "$1" "$autograder/submission"
    shift
    (cd "$autograder" && env -u BUILD AUTOGRADER="$autograder" "$@" ./run_autograder) >"$autograder/results/stdout" 2>&1 </dev/null
    status=$?
    cat "$autograder/results/stdout"
    equal 0 "$status" && formats gradescope "$autograder/results/results.json" 3 && nothing_left &&
        equal 'results.json
stdout' "$(ls "$autograder/results")"
}

# in_results EXPRESSION: over the report, `r`.
in_results() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(json.dumps(r)[:2000]); sys.exit(not eval(sys.argv[2]))' \
        "$autograder/results/results.json" "$1"
}

gradescope_good() { gradescope "$class/ada" && in_results 'r["score"] == sum(t.get("max_score", 0) for t in r["tests"]) == 32'; }
gradescope_flat() { gradescope "$class/dana" && in_results 'r["score"] == 20 and "nothing was handed in" in r["output"]'; }
gradescope_clone() { gradescope "$clone" && in_results '10 <= r["score"] < 16 and "nothing was handed in" in r["output"]'; }
gradescope_hostile() { gradescope "$class/hana" && in_results 'r["score"] == 0 and "system call" in r["output"]'; }
gradescope_empty() { mkdir -p "$scratch/empty" && gradescope "$scratch/empty" && in_results 'r["score"] == 0 and len(r["tests"]) > 2'; }

# gradescope_with SCRIPT: where cyclelab is a shell script; it is itself called $cyclelab-kept then
gradescope_with() {
    mv "$cyclelab" "$cyclelab-kept"
    program "$cyclelab" <<EOF
#!/bin/sh
$1
EOF
    gradescope "$class/ada" LIMIT=15
    result=$?
    mv "$cyclelab-kept" "$cyclelab"
    return "$result"
}

# Time is up after the first exercise: that one counts.
gradescope_stopped() {
    gradescope_with "\"$cyclelab-kept\" check 3 --submission \"$autograder/submission\" --on qemu --report \"gradescope:$autograder/results/results.json\"
exec sleep 60" && in_results 'r["score"] == 10'
}

# The course's exercises, points and seeds, which are not told.
gradescope_course() {
    "$make" BUILD="$BUILD" gradescope EX='3 4 5' COURSE="$scratch/course.yml" >/dev/null || return 1
    (cd "$scratch" && python3 -m zipfile -e "$built/gradescope.zip" "$scratch/zip") && cp "$scratch/zip/cyclelab/course.yml" "$autograder/source/cyclelab" || return 1
    gradescope "$class/ada"
    result=$?
    rm "$autograder/source/cyclelab/course.yml"
    [ "$result" -eq 0 ] && in_results 'r["score"] == 40' && ! grep -r 4711 "$autograder/results"
}

# Before any.
gradescope_late() {
    gradescope_with 'exec sleep 60' && in_results 'r["score"] == 0 and "took longer" in r["output"]'
}

gradescope_broken() {
    mv "$cyclelab" "$scratch/away"
    gradescope "$class/ada"
    result=$?
    mv "$scratch/away" "$cyclelab"
    [ "$result" -eq 0 ] && in_results 'r["score"] == 0 and "could not run" in r["output"]'
}

gradescope_refuses() {
    said=$("$make" BUILD="$BUILD" gradescope EX="3 '\$(touch pwned)'" 2>&1) && return 1
    contains "$said" 'no exercise is named' && [ ! -e pwned ] || return 1
    said=$("$make" BUILD="$BUILD" gradescope COURSE=nowhere.yml 2>&1) && return 1
    contains "$said" 'no such file' || return 1
    printf 'sed: 4711\n' >"$scratch/wrong.yml"
    said=$("$make" BUILD="$BUILD" gradescope EX=3 COURSE="$scratch/wrong.yml" 2>&1) && return 1
    contains "$said" 'wrong.yml:1' && contains "$said" 'there is no such key' || return 1
    said=$("$make" BUILD="$BUILD" gradescope EX=3 CORE=cortex-a1 2>&1) && return 1
    contains "$said" 'cortex-a1' || return 1
    printf 'title: A course\n' >"$scratch/seedless.yml"
    said=$("$make" BUILD="$BUILD" gradescope EX=3 SEED=hidden COURSE="$scratch/seedless.yml" 2>&1) && return 1
    contains "$said" 'The course file says the seed' || return 1
    said=$("$make" BUILD="$BUILD" gradescope SEED="1'; touch pwned" 2>&1) && return 1
    contains "$said" 'expected letters and digits' && [ ! -e pwned ]
}

# ---- PrairieLearn ----

# What /grade and the image hold, after PrairieLearn's page on external grading.
prairielearn_files() {
    said=$("$make" BUILD="$BUILD" prairielearn EX='3 5' 2>&1) || { echo "$said"; return 1; }
    contains "$said" 'podman build' && equal 'Containerfile
cyclelab
grade.sh
info.json' "$(ls "$built/prairielearn")" && cp -R "$suite/build" "$built/prairielearn/cyclelab" &&
        python3 - "$built/prairielearn/info.json" <<'EOF'
import json, sys
options = json.load(open(sys.argv[1]))["externalGradingOptions"]
assert options["enabled"] and options["entrypoint"] == "/cyclelab/grade.sh" and options["timeout"] <= 600
EOF
}

# prairielearn FOLDER [COMMAND...]: graded, by that command
prairielearn() {
    rm -rf "$scratch/grade" && mkdir -p "$scratch/grade/data" && cp -R "$1" "$scratch/grade/student" && echo '{}' >"$scratch/grade/data/data.json" || return 1
    shift
    (cd / && env -u BUILD GRADE="$scratch/grade" SUITE="$built/prairielearn/cyclelab" "$@" sh "$built/prairielearn/grade.sh") >"$scratch/output" 2>&1 </dev/null
    equal 0 "$?" && formats prairielearn "$scratch/grade/results/results.json" 2 && nothing_left
}
in_prairielearn() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(json.dumps(r)[:2000]); sys.exit(not eval(sys.argv[2]))' \
        "$scratch/grade/results/results.json" "$1"
}
prairielearn_good() { prairielearn "$class/ada" && in_prairielearn 'r["score"] == 1 and r["gradable"] and len(r["tests"]) > 4'; }
prairielearn_half() { prairielearn "$class/dana" && in_prairielearn '0.3 < r["score"] < 0.7 and "nothing was handed in" in r["output"]'; }

# prairielearn_with SCRIPT: where cyclelab is a shell script; it is itself called $suite_of-kept then
suite_of=$built/prairielearn/cyclelab/build/cyclelab
prairielearn_with() {
    mv "$suite_of" "$suite_of-kept"
    program "$suite_of" <<EOF
#!/bin/sh
$1
EOF
    prairielearn "$class/ada" LIMIT=15
    result=$?
    mv "$suite_of-kept" "$suite_of"
    return "$result"
}

# The first exercise is graded, with all points, when time is up or the second fails: that is no grade.
prairielearn_stopped() {
    first="\"$suite_of-kept\" check 3 --submission \"$scratch/grade/student\" --on qemu --report \"prairielearn:$scratch/grade/results/results.json\""
    prairielearn_with "$first
exec sleep 60" && in_prairielearn 'not r["gradable"] and r["score"] == 0 and "took longer" in r["format_errors"]' || return 1
    prairielearn_with "$first
exit 2" && in_prairielearn 'not r["gradable"] and r["score"] == 0 and "could not run" in r["format_errors"]'
}
prairielearn_broken() {
    prairielearn "$class/ada" SUITE=/nowhere && in_prairielearn 'not r["gradable"] and "could not run" in r["format_errors"]'
}

# ---- as containers may run it: capabilities dropped, as root and as an ordinary user ----

told='or run it as an ordinary user'
as_root() { setpriv --bounding-set -all --inh-caps -all "$@"; }
as_somebody() { setpriv --reuid 4711 --regid 4711 --clear-groups --bounding-set -all --inh-caps -all --no-new-privs env -u TMPDIR HOME=/nonexistent "$@"; }

# theirs FOLDER...: for everybody to write in.
theirs() { chmod 755 "$scratch" && chmod -R a+rwX "$@"; }

# As root without capabilities it says one thing; as an ordinary user without any it works.
prairielearn_dropped() {
    prairielearn "$class/ada" setpriv --bounding-set -all --inh-caps -all && in_prairielearn 'not r["gradable"]' &&
        equal 1 "$(grep -c . "$scratch/output")" && contains "$(cat "$scratch/output")" "$told" || return 1
    mkdir -p "$scratch/plain/grade" && chmod 755 "$scratch" && cp -R "$built/prairielearn" "$scratch/plain" && cp -R "$class/ada" "$scratch/plain/grade/student" &&
        chmod -R a+rX "$scratch/plain" && chmod 777 "$scratch/plain/grade" || return 1
    (cd / && unset BUILD && export GRADE="$scratch/plain/grade" SUITE="$scratch/plain/prairielearn/cyclelab" &&
        as_somebody sh "$scratch/plain/prairielearn/grade.sh") >"$scratch/output" 2>&1 </dev/null
    cat "$scratch/output"
    equal 1 "$(python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["score"]))' "$scratch/plain/grade/results/results.json")"
}

gradescope_dropped() {
    for who in as_root as_somebody; do
        rm -rf "$autograder/submission" "$autograder/results" && cp -R "$class/ada" "$autograder/submission" && mkdir "$autograder/results" && theirs "$autograder" || return 1
        (cd "$autograder" && export AUTOGRADER="$autograder" && unset BUILD && $who sh ./run_autograder) >"$scratch/output" 2>&1 </dev/null
        equal 0 "$?" || return 1
        cat "$scratch/output"
        formats gradescope "$autograder/results/results.json" 0 || return 1
        case $who in
        as_root) in_results 'r["score"] == 0 and "could not run" in r["output"]' && contains "$(cat "$scratch/output")" "$told" ;;
        *) in_results 'r["score"] == 32' ;;
        esac || return 1
    done
    chmod 700 "$autograder/source"
}

autolab_dropped() {
    for who in as_root as_somebody; do
        rm -rf "$scratch/job" && mkdir "$scratch/job" && cp "$built/autolab/autograde.tar" "$scratch/job" &&
            cp "$built/autolab/autograde-Makefile" "$scratch/job/Makefile" && cp "$good" "$scratch/job" && theirs "$scratch/job" || return 1
        (cd "$scratch/job" && unset BUILD && ulimit -f 204800 && $who "$make") >"$scratch/output" 2>&1 </dev/null || return 1
        cat "$scratch/output"
        case $who in
        as_root) contains "$(cat "$scratch/output")" "$told" && equal 'Nothing could be graded: tell your instructor.' "$(tail -n 1 "$scratch/output")" ;;
        *) equal '{"scores":{"branch-elimination":10,"software-pipelining":0}}' "$(tail -n 1 "$scratch/output")" ;;
        esac || return 1
    done
}

# A job of GitHub's or GitLab's is a container: what check.sh and .gitlab-ci.yml call in one.
github_dropped() {
    theirs "$suite" || return 1
    for who in as_root as_somebody; do
        rm -rf "$scratch/reports" && mkdir "$scratch/reports" && theirs "$scratch/reports" "$class" || return 1
        said=$(SRC=$class/dana EX=3 REPORTS=$scratch/reports $who sh "$suite/ci/github/check.sh" 2>&1 </dev/null)
        status=$?
        printf '%s\n' "$said"
        case $who in
        as_root) equal 4 "$status" && contains "$said" "$told" && contains "$said" '::error title=cyclelab::The check could not run' ;;
        *) equal 0 "$status" && xmllint --noout "$scratch/reports/3/junit.xml" ;;
        esac || return 1
    done
}

# ---- Autolab ----

autolab_files() {
    said=$("$make" BUILD="$BUILD" autolab EX='3 5' 2>&1) || { echo "$said"; return 1; }
    contains "$said" autograde.tar && equal 'autograde-Makefile
autograde.tar' "$(ls "$built/autolab")"
}

# autolab SCORES FILE...: handed in; the last line
autolab() {
    scores=$1
    shift
    rm -rf "$scratch/job" && mkdir "$scratch/job"
    cp "$built/autolab/autograde.tar" "$scratch/job" && cp "$built/autolab/autograde-Makefile" "$scratch/job/Makefile" && cp "$@" "$scratch/job" || return 1
    # as Tango does by default: files of 100 MB, no more than 1000 KiB of output
    (cd "$scratch/job" && ulimit -f 204800 && env -u BUILD ${PATH_FIRST:+PATH="$PATH_FIRST:$PATH"} "$make") >"$scratch/output" 2>&1 </dev/null || return 1
    cat "$scratch/output"
    [ "$(wc -c <"$scratch/output")" -lt 1024000 ] || return 1
    tail -n 1 "$scratch/output" >"$scratch/line"
    [ -z "$scores" ] || { formats autolab "$scratch/line" 2 && equal "$scores" "$(cat "$scratch/line")"; } && nothing_left
}

autolab_tar() {
    tar -C "$class/ada" -czf "$scratch/handin.tgz" . && autolab '{"scores":{"branch-elimination":10,"software-pipelining":12}}' "$scratch/handin.tgz"
}

autolab_clone() {
    tar -C "$scratch" -czf "$scratch/handin.tgz" clone && autolab '{"scores":{"branch-elimination":10,"software-pipelining":0}}' "$scratch/handin.tgz"
}

# A program from another system: it is built in the job.
autolab_elsewhere() {
    cp "$built/autolab/autograde.tar" "$scratch/kept.tar"
    mkdir -p "$scratch/unpacked" "$scratch/first" && tar -xf "$scratch/kept.tar" -C "$scratch/unpacked"
    echo 'no program' >"$scratch/unpacked/cyclelab/build/cyclelab"
    tar -C "$scratch/unpacked" -cf "$built/autolab/autograde.tar" cyclelab
    program "$scratch/first/make" <<EOF
#!/bin/sh
case "\$1" in -C) cp -pR "$suite/build" "\$2" ;; *) exec "$(command -v "$make")" "\$@" ;; esac
EOF
    PATH_FIRST=$scratch/first
    autolab '{"scores":{"branch-elimination":10,"software-pipelining":0}}' "$good"
    result=$?
    PATH_FIRST=
    mv "$scratch/kept.tar" "$built/autolab/autograde.tar"
    return "$result"
}

# ---- Classroom 50 ----

classroom50_files() {
    said=$("$make" BUILD="$BUILD" classroom50 EX='3 5' 2>&1) || { echo "$said"; return 1; }
    contains "$said" 'CLASSROOM/autograders/ASSIGNMENT' && equal 'autograder.py
cyclelab.tar.gz' "$(ls "$built/classroom50")"
}

# classroom50 STATUS FOLDER: as its runner does, in a copy of the folder as the student's checkout; packages are there already
classroom50() {
    rm -rf "$scratch/checkout" && cp -R "$2" "$scratch/checkout" || return 1
    mkdir -p "$scratch/no-setup"
    program "$scratch/no-setup/make" <<EOF
#!/bin/sh
case " \$* " in *' setup '*) exit 0 ;; *) exec "$(command -v "$make")" "\$@" ;; esac
EOF
    (cd "$scratch/checkout" && env -u BUILD PATH="$scratch/no-setup:$PATH" CLASSROOM=cpu ASSIGNMENT=three SUBMISSION_TAG=submit/1 \
        COMMIT_URL=https://example.org/c RELEASE_URL=https://example.org/r USERNAME=ada OWNER=ada \
        python3 -B "$built/classroom50/autograder.py") >"$scratch/output" 2>&1 </dev/null
    equal "$1" "$?" || { cat "$scratch/output"; return 1; }
}

# What the contract asks of result.json; SCORE of MAXIMUM, and which tests are passed.
result_is() {
    python3 -B - "$scratch/checkout/result.json" "$@" <<'EOF'
import json, re, sys
result = json.load(open(sys.argv[1]))
for key in "classroom", "assignment", "submission", "commit", "release", "review", "datetime":
    assert isinstance(result[key], str) and result[key], key
assert result["schema"] == "classroom50/result/v1" and result["review"] == result["commit"]
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result["datetime"])
assert (result["score"], result["max-score"]) == (int(sys.argv[2]), int(sys.argv[3])), result
assert [test["test-name"] for test in result["tests"] if test["passed"]] == sys.argv[4:], result
EOF
}

classroom50_good() { classroom50 0 "$class/ada" && result_is 22 22 03-branch-elimination 05-software-pipelining && nothing_left; }
classroom50_half() { classroom50 0 "$class/dana" && result_is 10 22 03-branch-elimination; }
# A result of the student's own, which is a link: it is replaced, and what it leads to is not touched.
classroom50_own_result() {
    cp -R "$class/ben" "$scratch/ben" && echo kept >"$scratch/target" && ln -s "$scratch/target" "$scratch/ben/result.json" || return 1
    classroom50 0 "$scratch/ben" && equal kept "$(cat "$scratch/target")" && [ ! -L "$scratch/checkout/result.json" ] && ! result_is 22 22
}
classroom50_forged() { classroom50 0 "$scratch/shape" && result_is 0 22 && equal 1 "$(grep -c '^::stop-commands::' "$scratch/output")"; }

# ---- the container and the class ----

# Every file that it copies is there, and no version is left open.
containerfile() {
    file=ci/Containerfile
    [ -f "$file" ] || return 1
    grep '^FROM ' "$file" | grep -v 'debian:12-slim' && return 1
    sed -n 's/^COPY \(--[^ ]* \)*\(.*\) [^ ]*$/\2/p' "$file" | tr ' ' '\n' | while read -r source; do
        [ -e "$source" ] || { echo "no such file: $source"; exit 1; }
    done && ! grep -nE '^(ADD|MAINTAINER|USER)|curl|wget|sudo' "$file"
}

# The points that docs/instructors.md promises for the sample class, and its course file. Another compiler than
# Debian 12's may take an instruction more or less for the same C.
as_documented() {
    "$make" BUILD="$BUILD" grade SUBMISSIONS="$class" OUT="$scratch/grades" EX='1 2 3 4 5' >"$scratch/graded" 2>&1 || { cat "$scratch/graded"; return 1; }
    python3 -B - "$scratch/grades/gradebook.csv" docs/instructors.md <<'EOF' || return 1
import csv, re, sys
graded = {row["student"]: float(row["total"]) for row in csv.DictReader(open(sys.argv[1]))}
told = dict(re.findall(r"^\| (\w+) \| .* \| ([0-9.]+)[^|]*\|$", open(sys.argv[2]).read(), re.M))
assert graded.keys() == told.keys(), (graded, told)
assert all(abs(points - float(told[name])) < 0.05 for name, points in graded.items()), (graded, told)
EOF
    sed -n '/^```yaml/,/^```/p' docs/instructors.md | grep -v '^```' >"$scratch/example.yml"
    said=$("$BUILD/cyclelab" check 4 --submission "$class/dana" --on qemu --course "$scratch/example.yml") || { echo "$said"; return 1; }
    contains "$said" '20 of 20 points'
}

sample_class() {
    equal 'ada ben chen dana emil fatma gil hana' "$(cd "$class" && echo *)" || return 1
    said=$("$make" BUILD="$BUILD" sample-class OUT="$class" 2>&1) && return 1
    contains "$said" 'is there already'
}

check 'a sample class, which spoils no folder' sample_class
check 'the class and the course as docs/instructors.md has them' as_documented
for file in ci/github/*.yml; do
    check "$(basename "$file"): permissions, pins, timeouts, no expression in a script" python3 -B ci/tests/workflow.py lint "$file"
done
check 'GitHub: a course repository beside the suite' course_repository
check 'GitHub: the suite is the repository' suite_in_repository
check 'GitHub: a whole clone, edited in exercises/ or in work/' edited_in_exercises
check 'GitHub: all exercises are found' all_discovered
check 'GitHub: a list with odd names' odd_list
check 'GitHub: messages give no commands' forged
check 'GitLab: a pass' gitlab_pass
check 'GitLab: a failure fails the job' gitlab_fail
check 'GitLab: a whole clone' gitlab_clone
check 'Gradescope: the zip, unpacked and set up' gradescope_zip
check 'Gradescope: all points' gradescope_good
check 'Gradescope: files without folders' gradescope_flat
check 'Gradescope: a whole clone' gradescope_clone
check 'Gradescope: a hostile submission' gradescope_hostile
check 'Gradescope: an empty submission' gradescope_empty
check 'Gradescope: with a course' gradescope_course
check 'Gradescope: stopped half-way' gradescope_stopped
check 'Gradescope: stopped at once' gradescope_late
check 'Gradescope: a suite that does not run' gradescope_broken
check 'Gradescope: settings that are none' gradescope_refuses
check 'PrairieLearn: the folder of the image' prairielearn_files
check 'PrairieLearn: all points' prairielearn_good
check 'PrairieLearn: one of two' prairielearn_half
check 'PrairieLearn: stopped half-way' prairielearn_stopped
check 'PrairieLearn: a suite that does not run' prairielearn_broken
check 'Autolab: the two files' autolab_files
check 'Autolab: a file handed in' autolab '{"scores":{"branch-elimination":10,"software-pipelining":0}}' "$good"
check 'Autolab: a tar handed in' autolab_tar
check 'Autolab: a whole clone handed in' autolab_clone
check 'Autolab: a wrong file handed in' autolab '{"scores":{"branch-elimination":0,"software-pipelining":0}}' README.md
check 'Autolab: built in the job' autolab_elsewhere
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    check 'PrairieLearn: without capabilities' prairielearn_dropped
    check 'Gradescope: without capabilities' gradescope_dropped
    check 'Autolab: without capabilities' autolab_dropped
    check 'GitHub: without capabilities' github_dropped
else
    for service in PrairieLearn Gradescope Autolab GitHub; do
        skip "services: $service: without capabilities" 'only root can drop them, with setpriv'
    done
fi
check 'Classroom 50: the two files' classroom50_files
check 'Classroom 50: all points' classroom50_good
check 'Classroom 50: one of two' classroom50_half
check 'Classroom 50: a result of the student'"'"'s own' classroom50_own_result
check 'Classroom 50: messages give no commands' classroom50_forged
check 'Containerfile' containerfile
exit "$tests_failed"
