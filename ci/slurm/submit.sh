#!/bin/sh
# `make slurm SUBMISSIONS=dir OUT=dir`: a class as a job array, one task a slice, and a last job that gathers what
# they kept. Only slices that lack grades are submitted, so the same command goes on after whatever happened.
# What sbatch takes from the environment (SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT, ...) holds here as well.
set -eu
cd "$(dirname "$0")/../.."
unset CDPATH
most=40 # tasks: each takes the scheduler a second or more

stop() {
    printf 'slurm: %s\n' "$1" >&2
    exit "${2:-2}"
}

# whole PATH: the absolute path of a folder or a file, by the names that it was given.
whole() {
    if [ -d "$1" ]; then
        (cd -- "$1" && pwd)
    else
        printf '%s/%s\n' "$(cd -- "$(dirname -- "$1")" && pwd)" "$(basename -- "$1")"
    fi
}

# number NAME VALUE MOST HINT: 1 to MOST.
number() {
    case $2 in *[!0-9]* | 0* | '' | ?????*) stop "$1: expected a number from 1 to $3, found \`$2\`" ;; esac
    [ "$2" -le "$3" ] || stop "$1: expected at most $3, found $2: $4"
}

for tool in sbatch squeue sinfo scontrol; do
    command -v "$tool" >/dev/null || stop "not found: $tool. Say this where Slurm's commands are, on a login node of the cluster; on one machine say make grade" 4
done
if [ -z "${SUBMISSIONS:-}" ] || [ -z "${OUT:-}" ]; then
    stop 'which submissions, and where do the grades go? Say SUBMISSIONS=dir OUT=dir, both where all nodes see them'
fi
slices=${SLICES:-10}
number SLICES "$slices" "$most" 'give each slice more CPUs with JOBS instead'
number JOBS "${JOBS:-1}" 256 'that many checks at once, a CPU each, are done for one slice'
nodes=$(sinfo -h -N -o %n) || stop 'Slurm does not answer: see above' 4
features=$(sinfo -h -o %f | tr , '\n' | sort -u | grep -v '^(null)$' | tr '\n' ' ')
case ${FEATURE:-} in
'') ;;
*[!A-Za-z0-9_.:=-]*) stop "FEATURE: expected the name of one feature, found \`$FEATURE\`: nodes of several kinds give several grades" ;;
*) case " $features" in *" $FEATURE "*) ;; *) stop "FEATURE: no node has $FEATURE. There are: ${features:-none}" ;; esac ;;
esac
if [ -f "$OUT/.work/slurm/jobs" ]; then
    jobs=$(cat "$OUT/.work/slurm/jobs")
    if [ -n "$(squeue -h -n cyclelab-slice,cyclelab-gather -j "$jobs" 2>/dev/null)" ]; then
        stop "a grading is at work in $OUT: wait for its end (squeue -j $jobs), or stop it with scancel $(echo "$jobs" | tr , ' ')"
    fi
fi

# What is to be done. What is wrong with SUBMISSIONS, OUT or COURSE is said here, before anything waits in a queue.
program=$(whole "${BUILD:-build}")/cyclelab
set -- ${EX:+"$EX"} ${COURSE:+--course "$COURSE"} ${ON:+--on "$ON"} ${CORE:+--core "$CORE"} ${ISOLATION:+--isolation "$ISOLATION"}
plan=$("$program" grade --submissions "$SUBMISSIONS" --out "$OUT" --plan "$slices" "$@") || exit
native=
case $plan in
'On native:'*)
    native=yes
    [ -n "${ON:-}" ] || set -- "$@" --on native # the course file said it
    [ -n "${FEATURE:-}" ] || stop "ON=native needs nodes of one kind: say FEATURE=name, a feature that those and no others have. There are: ${features:-none}"
    ;;
esac
todo=$(printf '%s\n' "$plan" | sed -n 's/^  slice \([0-9]*\) of .* have no grade$/\1/p' | paste -sd , -)
set -- --submissions "$(whole "$SUBMISSIONS")" --out "$(whole "$OUT")" "$@" --jobs "${JOBS:-1}"
if [ -z "$todo" ]; then
    echo 'Every check has its grade already: nothing to submit'
    exec "$program" grade "$@" --gather "$slices"
fi

out=$(whole "$OUT")
logs=$out/.work/slurm
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/with-*
mark=$(date +%s)-$$
echo "$mark" >"$logs/mark" # by which a task sees that its OUT is this one
case $(stat -f -c %T "$out") in
ext* | xfs | btrfs | tmpfs | overlay* | zfs)
    if [ "$(printf '%s\n' "$nodes" | sort -u)" != "$(hostname -s)" ]; then
        echo "slurm: $out lies on a disk of this machine ($(stat -f -c %T "$out")): is it shared, under this name, with the nodes?" >&2
    fi
    ;;
esac

# A path in which sbatch replaces nothing.
pattern=$(printf '%s\n' "$logs" | sed 's/%/%%/g')
array=$(sbatch --parsable --job-name=cyclelab-slice --array="$todo" --requeue --open-mode=append --nodes=1 --ntasks=1 \
    --cpus-per-task="${JOBS:-1}" ${native:+--exclusive} ${FEATURE:+--constraint="$FEATURE"} --output="$pattern/slice-%a.log" \
    ci/slurm/slice.sh "$PWD" "$program" "$out" "$mark" "$slices" "$@") || stop 'sbatch took no array: see above' 4
array=${array%%;*}
echo "$array" >"$logs/jobs"
# afterany: where a task failed somebody has to say so, and the others have their grades.
gather=$(sbatch --parsable --job-name=cyclelab-gather --dependency="afterany:$array" --requeue --nodes=1 --ntasks=1 \
    --output="$pattern/gather.log" ci/slurm/gather.sh "$PWD" "$program" "$out" "$mark" "$slices" "$array" "$@") || {
    scancel "$array"
    stop 'sbatch took no job to gather, so the array was cancelled: see above' 4
}
gather=${gather%%;*}
echo "$array,$gather" >"$logs/jobs"
printf '%s\n' "$plan" | head -n 1
echo "Job $array grades slices $todo, job $gather gathers them into $OUT"
echo "  squeue -j $array,$gather  shows how it goes"
echo "  $OUT/.work/slurm/gather.log  says what came of it, when job $gather is over"
echo "  scancel $array  stops it: what is graded is kept, and the same command goes on"
