# For the tests that start checks: what a check must not leave behind. $area is a folder in which all of its
# processes run and all of its files lie; its temporary files are in $area/tmp.
# shellcheck shell=sh

# The area, and a way to it for the unprivileged user.
area=$scratch/area
mkdir -p "$area/tmp"
chmod 711 "$scratch" "$area"
chmod 1777 "$area/tmp"

# Processes whose program, folder or arguments lie in the area's temporary files.
processes_left() {
    # shellcheck disable=SC2012 # names that the kernel made, and ls says where the links lead
    { ls -l /proc/[0-9]*/exe /proc/[0-9]*/cwd; grep -aHs "$area/tmp/" /proc/[0-9]*/cmdline | tr '\0' ' '; } 2>/dev/null |
        grep -F "$area/tmp/" | grep -v grep
}

# Nothing is left in $area/tmp, and no process. What was killed takes a moment, and longer on a busy machine.
nothing_left() {
    for _ in $(seq 50); do
        left=$(ls -A "$area/tmp"; processes_left)
        [ -n "$left" ] || return 0
        sleep 0.2
    done
    printf 'left behind:\n%s\n' "$left"
    # what the next test finds is to be its own
    processes_left | sed -n 's|.*/proc/\([0-9]*\)/.*|\1|p' | sort -u | xargs -r kill -s KILL 2>/dev/null
    sleep 0.2
    rm -rf "${area:?}"/tmp/*
    return 1
}
