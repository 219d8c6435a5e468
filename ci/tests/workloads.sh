#!/bin/sh
# Exercise 18's workloads: for each of its draws the server is twice as fast and passes once the part that is worst has been
# mended alone, and with any other part mended it fails. So no number is easier than another one.
#   FULL=1            each draw on all cores; on one of them in turn where it is not given
#   ONLY=neoverse-n1  of those whose name has this in it
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || {
    skip 'workloads: on model cores' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
    exit 0
}
golden=grader/tests/golden-model/18-cache-server

# diagnosis NUMBER WORST OTHER OTHER
diagnosis() {
    printf '#include "exercise.h"\nSTUDENT_NUMBER(%s);\nvoid diagnose(struct bottleneck found[3])\n{\n' "$1"
    shift
    place=0
    for slow; do
        case $slow in
        find) class=LOADS_IN_A_CHAIN ;;
        scan) class=BYTES_MOVED ;;
        count) class=MISPREDICTIONS ;;
        check) class=SLOW_OPERATION ;;
        esac
        echo "found[$place] = (struct bottleneck){IN_$(echo "$slow" | tr '[:lower:]' '[:upper:]'), $class};"
        place=$((place + 1))
    done
    echo '}'
}

# mended CORE WORST OTHER OTHER RARE NUMBER
mended() {
    core=$1 worst=$2 others="$3 $4" rare=$5
    for part in $worst $others $rare; do
        mkdir -p "$scratch/src"
        cp "$golden/mends-$part/server.c" "$scratch/src"
        # shellcheck disable=SC2086 # others are words
        diagnosis "$6" $worst $others >"$scratch/src/diagnosis.c"
        "$BUILD/cyclelab" check 18 --src "$scratch/src" --on qemu --core "$core" --report "json:$scratch/report.json" >"$scratch/checked"
        python3 -B - "$scratch/report.json" "$part" "$worst" <<'END_OF_PYTHON' || { cat "$scratch/checked"; return 1; }
import json
import sys

check = next(c for c in json.load(open(sys.argv[1], encoding="utf-8"))["results"][0]["checks"] if c["name"] == "serve-faster")
print(f"{sys.argv[2]} mended, worst is {sys.argv[3]}: {check['verdict']}, {check.get('measured', 0):.2f} times as fast")
good = check["verdict"] == "pass" and check["measured"] >= 2 if sys.argv[2] == sys.argv[3] else check["verdict"] == "fail"
sys.exit(not good)
END_OF_PYTHON
    done
}

cores=$(basename -s .yml -a harness/model/cores/*.yml)
count=$(echo "$cores" | wc -l) draw=0
# The least number of each draw.
while read -r number worst second third rare; do
    on=$cores
    [ -n "${FULL:-}" ] || on=$(echo "$cores" | sed -n "$((draw % count + 1))p")
    draw=$((draw + 1))
    for core in $on; do
        name="workloads: number $number, $worst is worst and $rare rare, on $core"
        case $name in *"${ONLY:-}"*) report "$name" mended "$core" "$worst" "$second" "$third" "$rare" "$number" ;; esac
    done
done <<'END'
1 scan count check find
2 scan find check count
3 count find scan check
4 find scan check count
5 find count check scan
6 find scan count check
7 check find scan count
9 count find check scan
10 count scan check find
11 check find count scan
12 scan find count check
16 check scan count find
END
exit "$tests_failed"
