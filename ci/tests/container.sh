#!/bin/sh
# The image of ci/Containerfile as a student has it: built and run by podman as whoever tests, root or not; the suite
# read-only, work/ the only folder that is written to. Where podman cannot run its base image, this is skipped, and says why.
# An image that is there already is taken: podman import root.tar debian:12-slim serves where there is no registry.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
image=cyclelab-tested
base=debian:12-slim

if ! command -v podman >/dev/null; then
    skip 'container: the image' 'podman is not installed'
    exit 0
fi
if ! { podman image exists "$base" || podman image exists "localhost/$base" || timeout 60 podman pull -q "docker.io/library/$base"; } >"$scratch/podman" 2>&1; then
    skip 'container: the image' "no image $base: $(tail -n 1 "$scratch/podman")"
    exit 0
fi
run_here() { use_runtime "$1" && timeout 60 podman run --rm --network none "$base" true >"$scratch/podman" 2>&1; }
if ! run_here crun && ! run_here runc; then
    skip 'container: the image' "podman cannot run $base here: $(tail -n 1 "$scratch/podman")"
    exit 0
fi

# What git would hand out, so that nothing of this checkout's build or work is in it.
built() {
    mkdir "$scratch/suite" && tar -cf - --exclude='*.bak*' --exclude=__pycache__ Makefile LICENSE VERSION README.md ci docs exercises grader harness solutions |
        tar -xf - -C "$scratch/suite" || return 1
    timeout 1200 podman build --network host --isolation chroot -t "$image" -f "$scratch/suite/ci/Containerfile" "$scratch/suite"
}

# inside [OPTIONS OF PODMAN... --] COMMAND...: $said, $status
inside() {
    options=
    case " $* " in *' -- '*) while [ "$1" != -- ]; do options="$options $1"; shift; done; shift ;; esac
    # shellcheck disable=SC2086 # words
    said=$(timeout 120 podman run --rm --read-only --network none -v "$scratch/work:/answers" $options "$image" "$@" 2>&1 </dev/null)
    status=$?
    printf '%s\n' "$said" "status $status"
}

stub_fails() {
    inside make check EX=3 ON=qemu
    contains "$said" "FAIL: \`random-faster\`" && contains "$said" 'edit clamp.c in' && [ "$status" -ne 0 ] &&
        cmp "$scratch/work/03-branch-elimination/clamp.c" exercises/03-branch-elimination/stub/clamp.c &&
        equal "$(id -u)" "$(stat -c %u "$scratch/work/03-branch-elimination/clamp.c")"
}

reference_passes() {
    cp solutions/03-branch-elimination/clamp.c "$scratch/work/03-branch-elimination/clamp.c"
    inside make check EX=3 ON=qemu
    equal 0 "$status" && contains "$said" 'PASS: ' || return 1
    inside make status
    contains "$said" '1 of '
}

# The same cycles as outside, where the compiler is the same.
same_cycles() {
    inside make explain EX=3 VARIANT=baseline
    inner=$(printf '%s\n' "$said" | sed -n 's/^case .* elements: \([0-9]*\) cycles.*/\1/p')
    outer=$("${BUILD:-build}/cyclelab" explain 3 --variant baseline | sed -n 's/^case .* elements: \([0-9]*\) cycles.*/\1/p')
    [ -n "$inner" ] && equal "$outer" "$inner"
}

natively() {
    inside make check EX=4
    contains "$said" "FAIL: \`sum-faster\`" || contains "$said" UNSTABLE
}

nothing_else_is_written() {
    inside sh -c 'touch /opt/cyclelab/x || touch /opt/cyclelab/build/x || echo nowhere'
    contains "$said" 'Read-only file system' && contains "$said" nowhere
}

# hint, trace, run, debug, sweep: what writes files of its own.
other_commands() {
    for words in 'hint EX=3' 'trace EX=4 OUT=/answers/t.svg' 'run EX=4 SECONDS=1' 'sweep EX=4 CORE=cortex-a55' 'check EX=3 ON=qemu REPORT=html:/answers/r.html' \
        'debug EX=3'; do
        # shellcheck disable=SC2086 # words
        inside make $words
        equal 0 "$status" || { echo "of make $words"; return 1; }
    done
    contains "$said" 'Breakpoint 1, clamp' && [ -s "$scratch/work/t.svg" ] && [ -s "$scratch/work/r.html" ]
}

# Somebody who is not root inside, either. (Podman keeps the number only for who has no root outside.)
ordinary_inside() {
    if [ "$(id -u)" -eq 0 ]; then
        chmod -R a+rwX "$scratch/work"
        inside --user 1000:1000 -- make check EX=3 ON=qemu
    else
        inside --userns keep-id -- make check EX=3 ON=qemu
    fi
    equal 0 "$status" && contains "$said" 'PASS: '
}

# Without capabilities: as root it says one thing, as somebody else it works. (Root outside, so that the number is kept.)
capabilities_dropped() {
    inside --cap-drop=all --security-opt no-new-privileges -- make check EX=3 ON=qemu
    [ "$status" -ne 0 ] && contains "$said" 'or run it as an ordinary user' || return 1
    if [ "$(id -u)" -eq 0 ]; then
        chmod -R a+rwX "$scratch/work"
        inside --cap-drop=all --security-opt no-new-privileges --user 1000:1000 -- make check EX=3 ON=qemu
    else
        inside --cap-drop=all --security-opt no-new-privileges --userns keep-id -- make check EX=3 ON=qemu
    fi
    equal 0 "$status" && contains "$said" 'PASS: '
}

work_is_missing() {
    said=$(podman run --rm --read-only --network none "$image" make begin EX=3 2>&1 </dev/null)
    contains "$said" '/answers: cannot be created'
}

chmod 755 "$scratch" && mkdir "$scratch/work"
check 'the image is built' built
[ "$tests_failed" -eq 0 ] || exit 1
check 'the stub fails, and its files are ours' stub_fails
check 'the reference passes, and status knows' reference_passes
check 'nothing but work is written to' nothing_else_is_written
if [ -x "${BUILD:-build}/cyclelab" ] && grep -qs 'VERSION_ID="12"' /etc/os-release; then
    check 'the cycles are those outside' same_cycles
else
    skip 'container: the cycles are those outside' 'another compiler than Debian 12 has, or nothing is built'
fi
check 'natively' natively
check 'other commands' other_commands
check 'somebody who is not root inside' ordinary_inside
check 'capabilities dropped' capabilities_dropped
check 'a folder that is not mounted is told' work_is_missing
exit "$tests_failed"
