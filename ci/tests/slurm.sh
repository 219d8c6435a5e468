#!/bin/sh
# `make slurm` on a cluster of this machine alone, with Slurm's own daemons: the same gradebook as from one machine, also
# after tasks that were cancelled, killed, started again or failed. FULL=1: of 1,000 submissions in 40 slices.
# shellcheck disable=SC2016 # backquotes of messages
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
# shellcheck source=ci/slurm-cluster.sh
. ci/slurm-cluster.sh
for variable in $(env | sed -n 's/^\(SBATCH_[A-Z_]*\|SLURM_[A-Z_]*\|SQUEUE_[A-Z_]*\|SINFO_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
done
BUILD=${BUILD:-build} # make has to see it as it was given
make=${MAKE:-make}
"$make" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
trap 'trap "" INT TERM; cluster_stop; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
open_tmpdir

{ echo 'exercises:'; ungraded 3; } >"$scratch/one.yml"

# generate FOLDER COUNT: as many answers to exercise 3, no two the same program; right and fast, slow, and wrong ones.
generate() {
    awk -v folder="$1" -v count="$2" 'BEGIN {
        step[0] = "if (*v > hi) *v = hi; else if (*v < lo) *v = lo;"
        step[1] = "int32_t x = *v; x = x < lo ? lo : x; *v = x > hi ? hi : x;"
        step[2] = "int32_t x = *v; x = x > hi ? hi : x; *v = x < lo ? lo : x;"
        step[3] = step[1]
        step[4] = "int32_t x = *v, below = -(x < lo), above = -(x > hi); *v = (x & ~below & ~above) | (lo & below) | (hi & above);"
        for (i = 0; i < count; i++) {
            kind = i % 5; unrolled = int(i / 5) % 20 + 1; first = int(i / 100) % 10
            student = sprintf("%s/student%04d", folder, i); file = student "/clamp.c"
            system("mkdir -p " student)
            print "#include \"exercise.h\"\n\nvoid clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)\n{\n    size_t i = 0;" >file
            one = "{\n            int32_t *v = &values[i];\n            " step[kind] "\n        }"
            print "    for (; i < " first " && i < n; i++)\n        " one >file
            print "    for (; i + " unrolled " <= n;) {" >file
            for (k = 0; k < unrolled; k++) print "        " one "\n        i++;" >file
            print "    }" >file
            if (kind != 3) print "    for (; i < n; i++)\n        " one >file # kind 3 forgets the rest
            print "}" >file
            close(file)
        }
    }'
}

# submit OUT VARIABLES...: $said, $status; the jobs are in $jobs.
submit() {
    to=$1
    shift
    said=$("$make" BUILD="$BUILD" slurm SUBMISSIONS="$class" OUT="$to" COURSE="$scratch/one.yml" SLICES="$slices" "$@" 2>&1 </dev/null)
    status=$?
    jobs=$(cat "$to/.work/slurm/jobs" 2>/dev/null)
    array=${jobs%,*}
    printf '%s\n' "status $status" "$said"
}

is_over() {
    [ -z "$(squeue -h -j "$jobs")" ]
}

# finish OUT: waits for the gathering; what it said is $said.
finish() {
    within "${patience:-100}" is_over || { squeue; return 1; }
    said=$(cat "$1/.work/slurm/gather.log")
    printf '%s\n' "$said"
}

# state TASK FIELD: what Slurm says of it.
state() {
    scontrol -o show job "$array" | sed -n "/ ArrayTaskId=$1 /s/.* $2=\([^ ]*\).*/\1/p"
}

# Everything that people see is the same.
same() {
    diff -rq -x .work -x history.csv "$whole" "$1" && [ -s "$1/gradebook.csv" ] && equal '' "$(find "$1" -name '*.tmp-*')"
}

nothing_left() {
    emptied "$TMPDIR"
}

class=$scratch/class
whole=$scratch/whole
students=24
slices=4
if [ -n "${FULL:-}" ]; then
    students=1000
    slices=40
    patience=3600
fi

generate "$class" "$students" || exit 1

one_machine() {
    said=$("$make" BUILD="$BUILD" grade SUBMISSIONS="$class" OUT="$whole" COURSE="$scratch/one.yml" 2>&1)
    printf '%s\n' "$said"
    contains "$said" "$students different checks, $students of them now" && contains "$said" ' pass, ' && contains "$said" ' fail'
}

array() {
    out=$scratch/array
    submit "$out"
    equal 0 "$status" && contains "$said" "On qemu: $students different checks in $slices slices" || return 1
    finish "$out" && contains "$said" "$students different checks, 0 of them now" && same "$out" || return 1
    case $said in *'Not all nodes'*) return 1 ;; esac
    for slice in $(seq "$slices"); do # each did its own, and nothing besides
        contains "$(cat "$out/.work/slurm/slice-$slice.log")" "Slice $slice of $slices: $((students / slices)) checks, $((students / slices)) of them now" || return 1
    done
    nothing_left
}

again() {
    submit "$scratch/array"
    equal 0 "$status" && contains "$said" 'nothing to submit' && contains "$said" '0 of them now' && same "$scratch/array"
}

# ---- what goes wrong ----

has_kept() {
    [ "$(find "$out/.work/results" -name '*.json' | wc -l)" -ge "$1" ]
}

# The grading process of a slice, as a node that runs out of memory would end it.
kill_slice() {
    for process in $(cluster_processes); do
        case $(tr '\0' ' ' <"/proc/$process/cmdline") in *"--out $out "*"--slice $1/$slices ") kill -s KILL "$process" ;; esac
    done 2>/dev/null
}

has_begun() {
    contains "$(cat "$out/.work/slurm/slice-$1.log")" 'started again'
}

# Slice 1 is cancelled, slice 2 killed, slice 3 fails, 4 is cancelled before it begins or after: all are named. There are
# 16 seeds to have enough to do until then. With one of them, the same command then goes on.
broken() {
    out=$scratch/broken
    "$BUILD/cyclelab" grade --submissions "$class" --out "$out" --course "$scratch/long.yml" --plan "$slices" || return 1
    : >"$out/.work/lock-3-of-$slices"
    flock --no-fork "$out/.work/lock-3-of-$slices" sleep 600 &
    holder=$!
    submit "$out" COURSE="$scratch/long.yml"
    second=$("$make" -s BUILD="$BUILD" slurm SUBMISSIONS="$class" OUT="$out" 2>&1)
    within 60 has_kept 2 && within 60 has_begun 2
    kill_slice 2
    within 60 has_begun 3 && within 60 is_ended 3
    scancel "${array}_1" "${array}_4"
    finish "$out"
    kill "$holder"
    contains "$second" "a grading is at work in $out" || return 1
    contains "$said" "slice 1: task ${array}_1 ended: CANCELLED" && contains "$said" "slice 2: task ${array}_2 ended: FAILED, exit status 0:9, on " &&
        contains "$said" "slice 3: task ${array}_3 ended: FAILED, exit status 2:0, on " && contains "$said" 'cyclelab: OUT: another grading is at work in' &&
        contains "$said" "slice 4: task ${array}_4 ended: CANCELLED" && contains "$said" 'Say the same command again' &&
        contains "$said" ' not graded yet' && equal FAILED "$(scontrol -o show job "${jobs#*,}" | sed 's/.* JobState=\([A-Z]*\).*/\1/')" || return 1
    submit "$out"
    finish "$out" && contains "$said" '0 of them now' && same "$out" && nothing_left
}

is_ended() {
    case $(state "$1" JobState) in RUNNING | PENDING | COMPLETING) return 1 ;; esac
}

is_pending() {
    equal PENDING "$(state "$1" JobState)"
}

# A task that Slurm takes from its node and starts again has nothing to do twice.
requeued() {
    out=$scratch/requeued
    submit "$out" SLICES=1 JOBS=2
    within 60 has_kept 1 && scontrol requeue "${array}_1" && kept=$(find "$out/.work/results" -name '*.json' | wc -l) || return 1
    # It is two minutes otherwise. In the second in which it was stopped a node refuses it: its credential is revoked.
    within 60 is_pending 1 && scontrol update jobid="${array}_1" starttime=now+3 || return 1
    finish "$out" && same "$out" || return 1
    log=$(cat "$out/.work/slurm/slice-1.log")
    now=$(printf '%s\n' "$log" | sed -n '$s/.* checks, \([0-9]*\) of them now;.*/\1/p')
    contains "$log" 'started again 0 times' && contains "$log" 'started again 1 times' && [ "$now" -le $((students - kept)) ] && nothing_left
}

# A node that has no such folder as OUT.
unseen() {
    out=$scratch/hidden/out
    submit "$out" FEATURE=apart
    finish "$out"
    # Slurm makes the folder of its log, or ends the task because there is none
    contains "$said" "slice 1: task ${array}_1 ended: FAILED, exit status " && contains "$said" ", on far
  it wrote nothing: does that node see $out?"
}

# The same, where it has another folder of that name.
another() {
    out=$scratch/hidden/out2
    far=/proc/$(cat "$cluster/far.process")/root
    mkdir -p "$far$out/.work/slurm"
    submit "$out" FEATURE=apart
    finish "$out"
    contains "$said" "slice 1: task ${array}_1 ended: FAILED, exit status 5:0, on far" &&
        contains "$(cat "$far$out/.work/slurm/slice-1.log")" "far does not see the OUT that was submitted, $out"
}

native() {
    out=$scratch/native
    submit "$out" ON=native
    equal 2 "$status" && contains "$said" 'ON=native needs nodes of one kind: say FEATURE=name' && contains "$said" 'There are: apart lab' || return 1
    for asked in ON=native COURSE="$scratch/native.yml"; do
        out=$scratch/native-${asked%%=*}
        submit "$out" FEATURE=lab "$asked"
        shown=$(scontrol -o show job "$array")
        contains "$shown" ' Features=lab ' && contains "$shown" ' OverSubscribe=NO ' && within 60 has_kept 1 || return 1
        scancel "$array" "${jobs#*,}"
        within 20 is_over
    done
}

different_compilers() {
    out=$scratch/array
    cp -R "$out" "$scratch/compilers"
    out=$scratch/compilers
    echo 'gcc of last week' >"$out/.work/slurm/with-gone"
    find "$out/.work/results" -name '*.json' | sort | head -n 1 | xargs rm
    submit "$out"
    case $said in *'grades slices '[1-4]', job'*) ;; *) return 1 ;; esac # the one that lacks something, and no other
    echo 'gcc of another day' >"$out/.work/slurm/with-elsewhere"
    finish "$out" && same "$out" && contains "$said" 'Not all nodes grade alike' && contains "$said" '  elsewhere: gcc of another day' || return 1
    case $said in *'gcc of last week'*) return 1 ;; esac
}

# refused STATUS MESSAGE VARIABLES...: nothing is submitted.
refused() {
    expected=$1 message=$2
    shift 2
    before=$(squeue -h)
    submit "$scratch/refused" "$@"
    equal "make: *** [Makefile:$(sed -n '/^slurm:/=' Makefile | awk '{ print $1 + 1 }'): slurm] Error $expected" "$(printf '%s\n' "$said" | tail -n 1)" &&
        contains "$said" "$message" && equal "$before" "$(squeue -h)"
}

refusals() {
    refused 2 'SLICES: expected at most 40, found 41' SLICES=41 && refused 2 'SLICES: expected a number from 1 to 40, found `many`' SLICES=many &&
        refused 2 'JOBS: expected a number' JOBS=0 && refused 2 'which submissions, and where' SUBMISSIONS= && refused 2 'which submissions, and where' OUT= &&
        refused 2 'expected a folder with one folder for each student' SUBMISSIONS="$scratch/nowhere" &&
        refused 2 'OUT: ' OUT=/proc/nothing && refused 2 'lies in SUBMISSIONS' OUT="$class/grades" &&
        refused 2 'FEATURE: no node has fast. There are: apart lab' FEATURE=fast && refused 2 'the name of one feature' FEATURE='lab|apart' || return 1
    mkdir "$scratch/bin"
    for tool in sh dirname make uname mkdir env cat sed awk find sort; do ln -s "$(command -v "$tool")" "$scratch/bin/$tool"; done
    said=$(env PATH="$scratch/bin" SUBMISSIONS="$class" OUT="$scratch/refused" sh ci/slurm/submit.sh 2>&1)
    equal 4 "$?" && contains "$said" 'slurm: not found: sbatch. Say this where' || return 1
    printf '#!/bin/sh\necho "sinfo: no" >&2\nexit 1\n' >"$scratch/bin/sinfo" && chmod +x "$scratch/bin/sinfo"
    said=$(env PATH="$scratch/bin:$PATH" SUBMISSIONS="$class" OUT="$scratch/refused" sh ci/slurm/submit.sh 2>&1)
    equal 4 "$?" && contains "$said" 'slurm: Slurm does not answer'
}

# Slurm's commands played: a cluster of which this machine is no part, a path in which sbatch would replace something,
# and one that takes the array and nothing after it.
played() {
    out=$scratch/50%done
    mkdir -p "$scratch/played" "$out"
    printf '#!/bin/sh\necho elsewhere\n' | program "$scratch/played/sinfo"
    printf '#!/bin/sh\necho "$*" >>"%s/calls"\n[ ! -e "%s/full" ] || case $* in *gather*) exit 1 ;; esac\necho "7;cluster"\n' "$scratch" "$scratch" | program "$scratch/played/sbatch"
    printf '#!/bin/sh\necho "cancelled $*" >>"%s/calls"\n' "$scratch" | program "$scratch/played/scancel"
    submit "$out" JOBS=3 EX=branch-elimination PATH="$scratch/played:$PATH"
    equal 0 "$status" && contains "$said" "$out lies on a disk of this machine" && equal 7,7 "$jobs" || return 1
    calls=$(cat "$scratch/calls")
    contains "$calls" "--output=$scratch/50%%done/.work/slurm/slice-%a.log" && contains "$calls" '--dependency=afterany:7 ' &&
        contains "$calls" '--cpus-per-task=3 ' && contains "$calls" '--jobs 3' && contains "$calls" ' branch-elimination --course ' && contains "$calls" '--requeue' || return 1
    : >"$scratch/full"
    submit "$out" PATH="$scratch/played:$PATH"
    equal 2 "$status" && contains "$said" 'the array was cancelled' && contains "$(cat "$scratch/calls")" 'cancelled 7'
}

lacks=$(cluster_lacks)
if [ -n "$lacks" ]; then
    skip 'slurm: a class through an array of jobs' "$lacks"
    exit 0
fi
if ! cluster_start >"$scratch/start" 2>&1; then
    echo 'not ok - slurm: a cluster of this machine' | tee -a "$TAP"
    tail -n 5 "$scratch/start" "$cluster"/*.said | sed 's/^/# /'
    exit 1
fi
sed "s/^exercises/seeds: [$(seq -s , 1 16)]\n&/" "$scratch/one.yml" >"$scratch/long.yml"
sed 's/^exercises/on: native\n&/' "$scratch/one.yml" >"$scratch/native.yml"
check 'a class on one machine, to compare with' one_machine
check 'what is wrong is said before anything is submitted' refusals
check 'jobs as they are submitted' played
check 'an array gives the gradebook of one machine' array
check 'nothing is missing: nothing is submitted' again
if [ -z "${FULL:-}" ]; then
    check 'cancelled, killed and failed tasks are named, and done again' broken
    check 'a task that is started again goes on' requeued
    check 'nodes with different compilers are told' different_compilers
    check 'native: whole nodes of one feature' native
    if unshare -m true 2>/dev/null; then
        check 'a node without OUT' unseen
        check 'a node with another OUT' another
    else
        skip 'slurm: a node without OUT' 'no mounts here'
    fi
fi
cluster_stop
check 'no process is left' equal '' "$(cluster_processes)"
exit "$tests_failed"
