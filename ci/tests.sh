# For the tests in this folder: results in TAP, on standard output and in the file that $TAP names.
# shellcheck shell=sh
# shellcheck source=ci/variables.sh
. ci/variables.sh
# shellcheck source=ci/sample.sh
. ci/sample.sh
[ -z "${ONLY:-}${FULL:-}" ] || SAMPLE=all # who asks for some gets those
unset V LANGUAGE
LC_ALL=C.UTF-8 # of make's and other tools' messages
export LC_ALL
umask 022 # another user reads some of the files
TAP=${TAP:-/dev/null}
: >"$TAP"
tests_failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# asked NAME: is it to be run? ONLY=Ctrl-C asks for those only whose name has this in it, ONLY='full|stopped' for more.
asked() {
    asked_rest=${ONLY:-}
    while :; do
        case $1 in *"${asked_rest%%|*}"*) return ;; esac
        case $asked_rest in *'|'*) asked_rest=${asked_rest#*|} ;; *) return 1 ;; esac
    done
}

# in_sample report NAME COMMAND..., or check: if it is in the sample.
in_sample() { ! sampled "$2" || "$@"; }

# report NAME COMMAND...: the test passes when the command does.
report() {
    asked "$1" || return 0
    report_name=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then
        echo "ok - $report_name" | tee -a "$TAP"
    else
        echo "not ok - $report_name" | tee -a "$TAP"
        sed 's/^/# /' "$scratch/said"
        tests_failed=1
    fi
}

# check NAME COMMAND...: the test `SCRIPT: NAME`.
check() {
    check_name=${0##*/}
    check_name="${check_name%.sh}: $1"
    shift
    report "$check_name" "$@"
}

skip() {
    asked "$1" || return 0
    echo "ok - $1 # SKIP $2" | tee -a "$TAP"
}

# equal WANTED FOUND
equal() {
    [ "$1" = "$2" ] || { printf 'expected: %s\nfound:    %s\n' "$1" "$2"; return 1; }
}

# The report's `Next:` on one line, however it was wrapped.
unwrap() {
    awk 'next_line && /^      [^ ]/ { printf " %s", substr($0, 7); next }
        { if (NR > 1) print ""; printf "%s", $0; next_line = /^ *Next: / } END { print "" }'
}

# contains TEXT PART
contains() {
    case $1 in *"$2"*) return 0 ;; esac
    case $(printf '%s\n' "$1" | unwrap) in *"$2"*) ;; *) printf 'expected: ...%s...\nfound:    %s\n' "$2" "$1"; return 1 ;; esac
}

# ungraded KEPT...: a line of a course's list for each exercise that there is but these: it does not count.
ungraded() {
    for folder in exercises/*/; do
        number=$(basename "$folder" | sed 's/^0*\([0-9]*\)-.*/\1/')
        case " $* " in *" $number "*) ;; *) echo "  - {exercise: $number, graded: false}" ;; esac
    done
}

# Can a user who is not root read this folder? Root asks.
others_come_here() {
    setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$PWD/Makefile"
}

# use_runtime NAME: podman's runtime from here on, with limits that anybody may set. Where cgroups are of two versions at once its
# own, crun, starts no container, and runc may.
use_runtime() {
    printf '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\nruntime = "%s"\n' "$1" >"$scratch/containers.conf"
    CONTAINERS_CONF=$scratch/containers.conf
    export CONTAINERS_CONF
}

# soon COMMAND...: within a minute it succeeds.
soon() {
    for _ in $(seq 300); do
        "$@" >"$scratch/soon" 2>&1 && return
        sleep 0.2
    done
    echo "expected soon: $*"
    cat "$scratch/soon"
    return 1
}

# emptied FOLDER: what clears up after a kill takes a moment, and longer on a busy machine.
emptied() { soon is_empty "$1"; }
is_empty() { equal '' "$(ls -A "$1")"; }

# A file that can be run, from standard input.
program() {
    cat >"$1"
    chmod +x "$1"
}

# A folder for temporary files that everybody may use, as student code and its compiler run as `nobody`.
open_tmpdir() {
    chmod 711 "$scratch"
    TMPDIR=$scratch/tmp
    mkdir "$TMPDIR"
    chmod 1777 "$TMPDIR"
    export TMPDIR
}
