#!/bin/sh
# A task of the array that submit.sh makes: one slice. sbatch runs a copy of this file.
# slice.sh ROOT PROGRAM OUT MARK SLICES OPTIONS...
set -u
root=$1 program=$2 out=$3 mark=$4 slices=$5
shift 5
slice=$SLURM_ARRAY_TASK_ID
node=${SLURMD_NODENAME:-$(hostname)}

unseen() {
    echo "slurm: $node does not see $1: it has to be shared with all nodes, under this name"
    exit 5
}

[ "$(cat "$out/.work/slurm/mark")" = "$mark" ] || unseen "the OUT that was submitted, $out"
cd "$root" || unseen "the suite, $root"
[ -x "$program" ] || unseen "the program, $program"
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR # of the machine where it was submitted

echo "slice $slice of $slices on $node, job $SLURM_JOB_ID, started again ${SLURM_RESTART_COUNT:-0} times"
# What else a grade follows from: where these differ, gather.sh says so.
with=$(aarch64-linux-gnu-gcc --version 2>/dev/null | head -n 1)
case " $* " in *' --on native '*) with="$(gcc --version | head -n 1), $(lscpu | sed -n 's/^Model name: *//p' | head -n 1)" ;; esac
echo "$with" >"$out/.work/slurm/with-$node"
exec "$program" grade "$@" --slice "$slice/$slices" # in this process, so that scancel's signal reaches it
