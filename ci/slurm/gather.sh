#!/bin/sh
# The last job that submit.sh makes: gradebook and pages of what the slices kept, and what is missing and why.
# gather.sh ROOT PROGRAM OUT MARK SLICES ARRAY OPTIONS...
set -u
root=$1 program=$2 out=$3 mark=$4 slices=$5 array=$6
shift 6
logs=$out/.work/slurm

if [ "$(cat "$logs/mark")" != "$mark" ] || ! cd "$root" || [ ! -x "$program" ]; then
    echo "slurm: ${SLURMD_NODENAME:-$(hostname)} does not see $out, $root or $program as they were submitted: they have to be shared with all nodes"
    exit 5
fi
[ -d "${TMPDIR:-/tmp}" ] || unset TMPDIR

said=$("$program" grade "$@" --gather "$slices" 2>&1)
status=$?
printf '%s\n' "$said"

# why SLICE: how its task ended, as long as Slurm knows.
why() {
    ended=$(scontrol -o show job "$array" 2>/dev/null | sed -n "/ ArrayTaskId=$1 /"'s/.* JobState=\([^ ]*\) .* ExitCode=\([^ ]*\) .* NodeList=\([^ ]*\) .*/\1, exit status \2, on \3/p')
    echo "slice $1: task ${array}_$1 ended: ${ended:-Slurm no longer knows how}"
    if [ -f "$logs/slice-$1.log" ]; then
        echo "  $(tail -n 1 "$logs/slice-$1.log")"
        echo "  all of it: $logs/slice-$1.log"
    else
        echo "  it wrote nothing: does that node see $out?"
    fi
}

lacking=$(printf '%s\n' "$said" | sed -n 's/^  slice \([0-9]*\) of .* have no grade$/\1/p')
for slice in $lacking; do
    why "$slice"
done
[ -z "$lacking" ] || echo 'Say the same command again: only what has no grade is done'
if [ "$(cat "$logs"/with-* 2>/dev/null | sort -u | wc -l)" -gt 1 ]; then
    echo 'Not all nodes grade alike: name nodes of one kind with FEATURE=, and grade into a new OUT. They have'
    for with in "$logs"/with-*; do
        echo "  ${with##*/with-}: $(cat "$with")"
    done
fi
exit "$status"
