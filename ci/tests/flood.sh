#!/bin/sh
# Ten megabytes of what a student makes a compiler say, for each of five exercises, with all that acts on terminals,
# parsers, pages and logs in it: every format is read as its service does, and stays far below what that takes.
# shellcheck disable=SC2016 # much here is not to expand
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" 2>&1 || { cat "$scratch/make"; exit 1; }
chmod 711 "$scratch"
command -v aarch64-linux-gnu-gcc >/dev/null || [ "$(uname -m)" = aarch64 ] || { skip 'floods' 'no AArch64 compiler'; exit 0; }
for tool in python3 xmllint perl; do
    command -v "$tool" >/dev/null || { skip 'floods' "no $tool"; exit 0; }
done
python3 -c 'import jsonschema' 2>/dev/null || { skip 'floods' 'no python3-jsonschema'; exit 0; }

# Includes itself: 15 MB of warnings and errors.
flood() {
    python3 -B - "$1" <<'END_OF_PROGRAM'
import sys
acts = (b'=HYPERLINK("x") ]]> </failure><script>alert(1)</script> & "q" ::error file=a,line=1::owned ##[error]x | a | `x` *y* _z_ '
        b'[a](http://x) www.x.org @everyone #1 ~~s~~ $x$ \x1b]0;t\x07\x1b[2J \xff\xfe \xe2\x80\xae \xef\xbf\xbe\x01\x08\x7f %0A a,b:c')
lines = [b'#error ' + acts, b'#warning ::set-output name=x::y', b'#error ok 1 - fine', b'#error Bail out!',
         b'#error 1..0 # SKIP', b'#error {"scores": {"accumulators": 100}}', b'#error  ...', b'#error ' + acts * 20]
body = b'\n'.join(lines * 20) + b'\n#if __INCLUDE_LEVEL__ < 150\n#include __FILE__\n#endif\n'
open(sys.argv[1], 'wb').write(body)
END_OF_PROGRAM
}

class=$scratch/class
for file in 01-nop-cycles/cycles.c 02-cache-misses/walk.c 03-branch-elimination/clamp.c 04-accumulators/sum.c 05-software-pipelining/probe.c; do
    mkdir -p "$class/zoe/${file%/*}"
    flood "$class/zoe/$file"
done

floods() {
    said=$(gcc -c -o /dev/null "$class/zoe/03-branch-elimination/clamp.c" 2>&1 | wc -c)
    [ "$said" -gt 10000000 ] || { echo "a compiler says no more than $said bytes"; return 1; }
}

reports=$scratch/reports
mkdir "$reports"
graded() {
    spec=
    for format in json junit tap gradescope autolab classroom50 prairielearn github markdown csv; do
        spec=$spec,$format:$reports/$format
    done
    "$BUILD/cyclelab" check "1 2 3 4 5" --submission "$class/zoe" --on qemu --report "${spec#,}" >"$reports/text" 2>&1 </dev/null
    status=$?
    tail -n 3 "$reports/text"
    equal 1 "$status" && equal 5 "$(grep -c 'does not build' "$reports/csv")"
}

# within BYTES FILE
within() {
    size=$(wc -c <"$2") || return 1
    echo "$(basename "$2"): $size bytes of $1"
    [ "$size" -gt 0 ] && [ "$size" -le "$1" ]
}

clean() {
    ! LC_ALL=C grep -n '[^[:print:][:blank:]]' "$1" || { echo "a control character, or no ASCII, in $1"; return 1; }
}

read_by_python() { python3 -B grader/reports/tests/formats.py "$1" "$reports/$1" 5; }
json() { python3 -W ignore -m jsonschema -i "$reports/json" docs/report.schema.json && within 1048576 "$reports/json"; }
junit() { xmllint --noout --schema grader/reports/tests/junit.xsd "$reports/junit" && within 30000000 "$reports/junit"; } # GitLab's limit
tap() {
    perl -MTAP::Parser -e '$p = TAP::Parser->new({tap => do { local (@ARGV, $/) = @ARGV[0]; <> }}); $p->run;
        die join(" ", $p->parse_errors) if $p->parse_errors; die "a pass" if !$p->failed || $p->is_good_plan != 1;' "$reports/tap" && clean "$reports/tap" &&
        within 1048576 "$reports/tap"
}
gradescope() { read_by_python gradescope && within 1048576 "$reports/gradescope"; }
autolab() { # the line, and the job's output, of which Tango keeps 1000 KiB
    read_by_python autolab && cat "$reports/text" "$reports/autolab" >"$reports/job" && within 1024000 "$reports/job"
}
prairielearn() { read_by_python prairielearn && within 1048576 "$reports/prairielearn"; }
classroom50() { read_by_python classroom50 && within 1048576 "$reports/classroom50"; }
github() { read_by_python github && within 4194304 "$reports/github"; }
markdown() { read_by_python markdown && within 1048576 "$reports/markdown"; } # a step summary's limit
table() { read_by_python csv && within 1048576 "$reports/csv"; }
text() { clean "$reports/text" && within 4194304 "$reports/text"; } # of a log GitLab's runner keeps 4 MiB

# A student's pages, and the class's.
pages() {
    "$BUILD/cyclelab" grade "1 2 3 4 5" --submissions "$class" --out "$scratch/out" >"$reports/said" 2>&1 </dev/null || { cat "$reports/said"; return 1; }
    for file in "$scratch/out/gradebook.csv" "$scratch/out/index.html" "$scratch/out/students/zoe"/report.*; do
        within 1048576 "$file" || return 1
        equal 0 "$(LC_ALL=C tr -d '\t\n\r\040-\176\200-\377' <"$file" | wc -c)" || return 1
        case $file in *.html) ! grep -n '<script' "$file" || return 1 ;; esac
    done
}

report 'flood: more than 10 MB from the compiler' floods
report 'flood: five exercises are graded' graded
for format in json junit tap gradescope autolab classroom50 prairielearn github markdown table text; do
    report "flood: $format" "$format"
done
report 'flood: the pages of a class' pages
exit "$tests_failed"
