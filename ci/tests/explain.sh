#!/bin/sh
# explain and sweep on the exercises themselves: what they say about stubs, baselines and references, on the cores.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }
chmod 755 "$scratch"

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'explain and sweep' 'there is no compiler for aarch64'
    exit 0
fi

# run COMMAND ARGUMENTS...: $said, $status
run() {
    said=$(timeout --kill-after=5 "${LIMIT:-120}" "$BUILD/cyclelab" "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said" "status $status"
}

# says STATUS PART ARGUMENTS...: explain ends with the status and says the part.
says() {
    wanted=$1 part=$2
    shift 2
    run explain "$@"
    said=$(printf '%s' "$said" | tr -s '\n ' ' ') # however it is set in lines and columns
    equal "$wanted" "$status" && contains "$said" "$part"
}

# sum BODY: a folder with such a sum.c
sum() {
    mkdir -p "$scratch/sum"
    printf '#include "exercise.h"\nfloat sum(const float *values, size_t n)\n{\n%s\n}\n' "$1" >"$scratch/sum/sum.c"
}

stub_of_4() {
    says 0 'The loop waits for one chain of fadd, latency 2: 2.0 cycles an element; the ports could start one every 0.50.' \
        4 --core neoverse-n1 --src exercises/04-accumulators/stub &&
        contains "$said" 'dependency chain 2.00 2.00 <- binds' &&
        contains "$said" 'fadd s0, s0, s' && contains "$said" 'operand 100%' || return 1
    says 0 'The loop waits for one chain of fadd, latency 4: 4.0 cycles an element' 4 --core cortex-a55 \
        --src exercises/04-accumulators/stub
}

reference_of_4() {
    says 0 'dependency chain (8 side by side)' 4 --core neoverse-n1 --variant reference &&
        contains "$said" 'The loop is as fast as this core hands out instructions, 4 a cycle' || return 1
    says 0 'The loop keeps the port l busy' 4 --core cortex-a72 --variant reference &&
        says 0 'where its chains, ports and width allow' 4 --core neoverse-v1 --variant reference
}

branches_of_3() {
    says 0 'The loop starts again after mispredicted branches' 3 --core neoverse-n1 --case random --variant baseline &&
        contains "$said" 'mispredicted branches' && contains "$said" 'mispredict ' || return 1
    run explain 3 --core neoverse-n1 --case random --variant reference
    case $said in *'mispredicted branches'*) echo "$said"; return 1 ;; esac
}

memory_of_2_and_5() {
    says 0 'waits for memory' 2 --core neoverse-n1 --case ring --variant baseline || return 1
    says 0 'not yet in the first-level cache' 5 --core cortex-a72 --case beyond-cache --variant baseline
}

order_of_5() {
    says 0 'waits for its operands, and all behind it wait too.' 5 --core cortex-a55 --case dot-whole-numbers \
        --variant baseline
}

source_lines() {
    says 0 '9 | total += values[i]; > +0x' 4 --src exercises/04-accumulators/stub
}

# Equal instructions are one line, so that the grader's own adds do not fill the page.
folded() {
    says 0 '(100 times)' 1 --variant reference --case adds || return 1
    printf '%s\n' "$said" | grep -qE '(%|[^0-9]) add (x[0-9]+), \2, x[0-9]+ \(100 times\) operand' &&
        printf '%s\n' "$said" | grep -qE ' 1 add (x[0-9]+), \1, x[0-9]+ \(100 times\)' || return 1
    run explain 1 --variant reference --case adds
    [ "$(printf '%s\n' "$said" | wc -l)" -le 200 ]
}

# Work was not finished at any reading; at the first one it may be, where its code is fetched late.
late_roots() {
    says 0 'Work before it had not finished in ' 1 --src "$scratch/order" --case roots-"$1" &&
        printf '%s' "$said" | grep -qE 'in (99|100) of 100 readings: `fsqrt'
}

# All fences, or one, are left out of the reference: which reading is out of order, and on which side.
order_of_1() {
    says 0 'All work before it had finished. No work behind it had begun.' 1 --variant reference --case roots-before || return 1
    case $said in *'Work be'*'had'*' in '*' readings'*) echo "$said"; return 1 ;; esac
    mkdir -p "$scratch/order"
    cp solutions/01-nop-cycles/*.c "$scratch/order/"
    awk '/^uint64_t cycles_begin/ { inside = 1 } inside && /fence/ { inside = 0; next } { print }' \
        solutions/01-nop-cycles/cycles.c >"$scratch/order/cycles.c"
    late_roots before || return 1
    cp solutions/01-nop-cycles/cycles.c "$scratch/order/"
    awk '/^uint64_t cycles_end/ { inside = 1 } inside && /fence/ { inside = 0; next } { print }' \
        solutions/01-nop-cycles/cycles.c >"$scratch/order/cycles.c"
    late_roots inside || return 1
    grep -v '^ *fence();' solutions/01-nop-cycles/cycles.c >"$scratch/order/cycles.c"
    says 0 'Work behind it had begun in 100 of 100 readings' 1 --core neoverse-n1 --src "$scratch/order" --case adds
}

same_twice() {
    run explain 4 --variant reference >"$scratch/first" && run explain 4 --variant reference >"$scratch/second"
    cmp "$scratch/first" "$scratch/second" && [ -s "$scratch/first" ]
}

fits() {
    run explain 3 --variant baseline
    [ "$(printf '%s\n' "$said" | awk '{ if (length > most) most = length } END { print most }')" -le 120 ]
}

broken() {
    sum 'return (float)n;'
    says 0 'Its results are wrong: wrong result' 4 --src "$scratch/sum" || return 1
    sum 'for (;;) __asm__ volatile("");'
    says 1 'had not finished after' 4 --src "$scratch/sum" || return 1
    # shellcheck disable=SC2016
    sum '__asm__ volatile("svc #0"); return 0;'
    says 1 'svc' 4 --src "$scratch/sum" || return 1
    sum 'return nothing;'
    says 1 'sum.c' 4 --src "$scratch/sum"
}

wrong_usage() {
    says 2 'cortex-a55' 4 --core cortex-m0 --variant baseline &&
        says 2 'there are: whole-numbers' 4 --case none --variant baseline &&
        says 2 'VARIANT: expected student, baseline or reference' 4 --variant solution &&
        says 2 'exercise 16 has no baseline' 16 --variant baseline || return 1
    run sweep 3
    equal 2 "$status" && contains "$said" 'has no parameter to sweep' || return 1
    run sweep 4 --on native --core cortex-a55
    equal 2 "$status" && contains "$said" 'goes with ON=qemu'
}

well_formed() {
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1"
    else
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"
    fi
}

sweep_of_4() {
    run sweep 4 --on qemu --core neoverse-n1 --out "$scratch/n1.svg"
    equal 0 "$status" && contains "$said" 'Predicted: latency of fp-add / cycles between two of them = 2 / 0.50, rounded up: 4.' || return 1
    # as fast as the best from the predicted value on, and not before
    printf '%s\n' "$said" | awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ && NF > 2 { time[$1] = $2 }
        END { exit !(time[4] <= time[16] * 1.05 && time[3] > time[4] * 1.1 && time[1] > time[4] * 3) }' || return 1
    ! command -v gnuplot >/dev/null || { well_formed "$scratch/n1.svg" && grep -q 'predicted: 4' "$scratch/n1.svg"; }
}

sweep_of_5() {
    run sweep 5 --core cortex-a55 --out "$scratch/a55.svg"
    equal 0 "$status" && contains "$said" 'Predicted: latency of memory / cycles of an element at best' || return 1
    printf '%s\n' "$said" | awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ && NF > 2 { time[$1] = $2 }
        END { exit !(time[0] > time[32] * 3) }'
}

# The table is there without gnuplot, and what to install.
without_gnuplot() {
    mkdir "$scratch/bin"
    for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-as aarch64-linux-gnu-ld; do
        printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$tool")" | program "$scratch/bin/$tool"
    done
    said=$(PATH=$scratch/bin "$BUILD/cyclelab" sweep 4 --on qemu 2>&1)
    equal 0 $? && contains "$said" 'install the package gnuplot-nox' && contains "$said" 'against the baseline'
}

report 'explain: code for a model core reads its PMU, as in a check' \
    says 0 ', pmccntr_el0' 1 --core neoverse-n1 --variant reference
report "exercise 4's stub waits for one chain of additions" stub_of_4
report "exercise 4's reference does not" reference_of_4
report "exercise 3's baseline waits for mispredicted branches, its reference does not" branches_of_3
report 'the walk and the probe wait for memory' memory_of_2_and_5
report 'in order, dot waits for its operands' order_of_5
report 'source lines stand above their instructions' source_lines
report 'equal instructions are one line' folded
report 'exercise 1: the order of counter readings' order_of_1
report 'the same twice' same_twice
report 'lines fit 120 columns' fits
report 'broken code gets what check would say' broken
report 'wrong usage is told' wrong_usage
report "exercise 4's curve bends where predicted" sweep_of_4
report "exercise 5's prefetches pay" sweep_of_5
report 'a sweep without gnuplot' without_gnuplot

exit $tests_failed
