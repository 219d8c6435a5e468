#!/bin/sh
# A system that lacks what containers leave out. Without /sys everything works, no library speaks on standard error, and `info`
# says what is missing; without walls as well, and grading tells it; without /proc, /dev or a folder to work in, one message.
# shellcheck disable=SC2016 # signs in messages are not to expand
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
    skip 'lacking: a system without /sys' 'neither root nor bubblewrap can hide it here'
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

# ---- walls ----

# without_walls COMMAND...: the kernel has no seccomp, no Landlock, and no user namespace for bubblewrap.
without_walls() {
    python3 -B - "$@" <<'END'
import ctypes, errno, os, sys
class Compare(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]
lib = ctypes.CDLL("libseccomp.so.2")
lib.seccomp_init.restype = ctypes.c_void_p
context = ctypes.c_void_p(lib.seccomp_init(0x7fff0000))
EQUAL, MASKED, NEWUSER = 4, 7, 0x10000000
def deny(name, error, *compare):
    which = (Compare * len(compare))(*compare)
    if lib.seccomp_rule_add_array(context, 0x50000 | error, lib.seccomp_syscall_resolve_name(name), len(compare), which):
        sys.exit("no rule for %s" % name)
deny(b"seccomp", errno.ENOSYS)
deny(b"prctl", errno.EINVAL, Compare(0, EQUAL, 22, 0))
deny(b"landlock_create_ruleset", errno.ENOSYS)
deny(b"clone", errno.EPERM, Compare(0, MASKED, NEWUSER, NEWUSER))
deny(b"clone3", errno.ENOSYS)
deny(b"unshare", errno.EPERM, Compare(0, MASKED, NEWUSER, NEWUSER))
if lib.seccomp_load(context):
    sys.exit("the filter is not taken")
os.execv(sys.argv[1], sys.argv[1:])
END
}

no_walls() {
    said=$(without_walls "$BUILD/cyclelab" info)
    for wall in Landlock seccomp bubblewrap; do contains "$said" "$wall" && ! echo "$said" | grep -E "^  $wall .*in force" || return 1; done
    said=$(without_walls "$BUILD/cyclelab" check 3 --submission solutions/03-branch-elimination --on qemu 2>&1) || { echo "$said"; return 1; }
    mkdir -p "$scratch/class/ada" && cp solutions/03-branch-elimination/clamp.c "$scratch/class/ada"
    said=$(without_walls "$BUILD/cyclelab" grade 3 --submissions "$scratch/class" --out "$scratch/grades" 2>&1)
    equal 0 "$?" && contains "$said" '1 pass' && contains "$said" 'a wall around student code is missing here' || return 1
    said=$(without_walls "$BUILD/cyclelab" grade 3 --submissions "$scratch/class" --out "$scratch/strict" --isolation strict 2>&1) && return 1
    equal 1 "$(echo "$said" | wc -l)" && [ ! -e "$scratch/strict/gradebook.csv" ]
}

# As on Linux 5.13 to 6.6, whose Landlock (ABI 1 to 3) knows files alone, and without close_range (before 5.9).
older_kernels() {
    cat >"$scratch/older.c" <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <linux/landlock.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

int close_range(unsigned first, unsigned last, int flags)
{
    (void)first, (void)last, (void)flags;
    errno = ENOSYS;
    return -1;
}

long syscall(long number, ...)
{
    long a[6];
    va_list given;
    va_start(given, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(given, long);
    va_end(given);
    if (number == SYS_landlock_create_ruleset && (a[2] & LANDLOCK_CREATE_RULESET_VERSION))
        return atoi(getenv("ABI"));
    long (*own)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return own(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
END
    gcc -D_GNU_SOURCE -shared -fPIC -o "$scratch/older.so" "$scratch/older.c" || return 1
    for abi in 1 2 3 4; do
        said=$(ABI=$abi LD_PRELOAD=$scratch/older.so "$BUILD/cyclelab" check 3 --submission solutions/03-branch-elimination --on qemu 2>&1) || { echo "$said"; return 1; }
        contains "$(ABI=$abi LD_PRELOAD=$scratch/older.so "$BUILD/cyclelab" info)" "in force: ABI $abi" || return 1
    done
}

# ---- folders ----

# lacks STATUS WORDS HOW [BENCH]: a check after the commands HOW in a mount namespace of its own.
lacks() {
    said=$(unshare -m sh -c "$3; exec \"\$@\"" sh "$BUILD/cyclelab" check 3 --src solutions/03-branch-elimination --on "${4:-qemu}" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "status $status" "$said"
    equal "$1" "$status" && contains "$said" "$2" && ! contains "$said" 'your code does not build' >/dev/null
}
tmp="mkdir -p $scratch/tmp; export TMPDIR=$scratch/tmp; mount -t tmpfs -o mode=1777"
no_proc() { lacks 4 'is /proc mounted?' 'umount -l /proc' && equal 1 "$(echo "$said" | wc -l)"; }
no_dev() { lacks 4 'is /dev mounted?' 'exec </dev/null; mount -t tmpfs none /dev' && equal 1 "$(echo "$said" | wc -l)"; }
no_exec() { lacks 0 PASS "$tmp,noexec none $scratch/tmp" && lacks 4 'is its folder mounted `noexec`?' "$tmp,noexec none $scratch/tmp" native; }
read_only() { lacks 4 'make room there, or set TMPDIR' "$tmp,ro none $scratch/tmp"; }
small() { lacks 4 'no space left; make room there, or set TMPDIR' "$tmp,size=100k none $scratch/tmp"; }

check '/sys is hidden' hidden
check 'info says what is missing' info
if [ -d /sys/devices/system/cpu ]; then check 'and only there' says_nothing_of_it; fi
check 'a native check' verdict
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'a check on a model core' verdict --on qemu
else
    skip 'lacking: a check on a model core' 'no AArch64 compiler (package gcc-aarch64-linux-gnu)'
fi
check 'one message on standard error' one_message
if python3 -c 'import ctypes; ctypes.CDLL("libseccomp.so.2")' 2>/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'no walls but limits' no_walls
else
    skip 'lacking: no walls but limits' 'no python3, libseccomp or AArch64 compiler'
fi
if ! "$BUILD/cyclelab" info | grep 'Landlock .*in force: ABI [4-9]' >/dev/null; then
    skip 'lacking: older kernels' 'this one has no Landlock, or an older one'
elif command -v aarch64-linux-gnu-gcc >/dev/null; then
    check 'older kernels' older_kernels
fi
if [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
    chmod 711 "$scratch"
    check 'no /proc' no_proc
    check 'no /dev' no_dev
    check 'a TMPDIR that nothing may be executed in' no_exec
    check 'a TMPDIR that cannot be written' read_only
    check 'a TMPDIR that is full' small
else
    skip 'lacking: folders' 'only root can take them away'
fi
exit "$tests_failed"
