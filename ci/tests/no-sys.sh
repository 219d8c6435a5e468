#!/bin/sh
# A system without /sys, as some containers are: everything works, no library speaks on standard error, and `info` says
# what is missing.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
"${MAKE:-make}" BUILD="$BUILD" all >"$scratch/make" || { cat "$scratch/make"; exit 1; }

# without_sys COMMAND...: where nothing is in /sys.
if [ "$(id -u)" -eq 0 ] && unshare -m mount -t tmpfs none /sys 2>/dev/null; then
    without_sys() { unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@"; }
elif bwrap --dev-bind / / --tmpfs /sys true 2>/dev/null; then
    without_sys() { bwrap --dev-bind / / --tmpfs /sys -- "$@"; }
else
    skip 'no-sys: a system without /sys' 'neither root nor bubblewrap can hide it here'
    exit 0
fi

# run ARGUMENTS...: $out, $err, $status
run() {
    out=$(without_sys "$BUILD/cyclelab" "$@" 2>"$scratch/err" </dev/null)
    status=$?
    err=$(cat "$scratch/err")
    printf '%s\n' "status $status" "$out" "$err"
}

hidden() { equal '' "$(without_sys ls -A /sys)"; }
info() { run info && equal 0 "$status" && equal '' "$err" && contains "$out" '/sys/devices/system/cpu cannot be read'; }
says_nothing_of_it() { out=$("$BUILD/cyclelab" info) && ! contains "$out" 'cannot be read' >/dev/null; }
verdict() {
    run check 3 --src solutions/03-branch-elimination "$@"
    equal '' "$err" && { [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; }
}
one_message() {
    run check nowhere
    equal 2 "$status" && equal '' "$out" && equal 1 "$(printf '%s\n' "$err" | wc -l)" && contains "$err" 'cyclelab: '
}

check '/sys is hidden' hidden
check 'info says what is missing' info
if [ -d /sys/devices/system/cpu ]; then check 'and only there' says_nothing_of_it; fi
check 'a native check' verdict
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'a check on a model core' verdict --on qemu
else
    skip 'no-sys: a check on a model core' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
fi
check 'one message on standard error' one_message
exit "$tests_failed"
