#!/bin/sh
# The virtual PMU's registers, and exception levels with their traps, against those of qemu-system: a script of register accesses
# (ci/vpmu/script.inc) and one of instructions at EL0 (levels.inc) in the emulated machine and on bare metal, where -icount makes an
# instruction a cycle, too. The same results, one by one.
# Of a core with the PMU that the model cores have: QEMU's `max` has a later one, with longer event counters.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
core=cortex-a57

for tool in qemu-system-aarch64 aarch64-linux-gnu-gcc; do
    command -v "$tool" >/dev/null || { skip "vpmu: against qemu-system" "no $tool"; exit 0; }
done

cross() {
    aarch64-linux-gnu-gcc -O2 -I. -ffreestanding -fno-pie -fno-stack-protector -fno-asynchronous-unwind-tables \
        -mgeneral-regs-only -static -nostdlib -no-pie -Wl,--build-id=none "$@"
}

build() {
    "${MAKE:-make}" BUILD="$BUILD" "$BUILD/vpmu-drive" runners &&
        cross -o "$scratch/program" "$BUILD/runner/aarch64/runner.o" ci/vpmu/glue.c ci/vpmu/script.S ci/vpmu/levels.S &&
        cross -Wl,-Ttext=0x40080000 -o "$scratch/bare" ci/vpmu/bare_start.S ci/vpmu/bare.c ci/vpmu/script.S ci/vpmu/levels.S
}

emulated() {
    "$BUILD/vpmu-drive" "$scratch/program" >"$scratch/emulated" || return 1
    [ "$(wc -l <"$scratch/emulated")" -gt 50 ]
}

bare() {
    timeout 60 qemu-system-aarch64 -M virt -cpu "$core" -icount shift=0 -semihosting -nic none -nographic -serial null -monitor none \
        -kernel "$scratch/bare" >"$scratch/bare.out" 2>&1 </dev/null || { echo "status $?"; return 1; }
    equal "$(wc -l <"$scratch/emulated")" "$(wc -l <"$scratch/bare.out")"
}

report 'vpmu: both programs are built' build
report 'vpmu: the script in the emulated machine' emulated
report "vpmu: the script on qemu-system's $core" bare
[ "$tests_failed" -eq 0 ] || exit 1

line=0
while IFS= read -r expected <&3; do
    line=$((line + 1))
    found=$(sed -n "${line}p" "$scratch/emulated")
    report "vpmu: $line ${expected#* }" equal "$expected" "$found"
done 3<"$scratch/bare.out"
exit "$tests_failed"
