#!/bin/sh
# Install what is missing of ci/packages.txt (or of the list given as the argument). Says and changes nothing when all
# is there. Fails only when a package of kind `needed` is missing at the end. What is for tests only comes with FOR=tests;
# FOR=grading leaves out what grading a class does without, too.
# shellcheck disable=SC2086 # lists of packages are meant to be split
set -eu
list=${1:-$(dirname "$0")/packages.txt}

say() {
    printf 'setup: %s\n' "$*" >&2
}

case ${FOR:-} in
'') left_out=develop ;;
tests) left_out= ;;
grading) left_out='desk develop' ;;
*)
    say "FOR: expected grading, tests or nothing, found \`$FOR\`"
    exit 2
    ;;
esac

# Package and probe of each line.
entries() {
    awk -v left_out=" $left_out " '!/^ *(#|$)/ && !index(left_out, " " $2 " ") { print $1, $3 }' "$list"
}

# What dpkg does not have installed, on one line.
not_installed() {
    all=$(entries | cut -d ' ' -f 1 | tr '\n' ' ')
    { dpkg-query -W -f '${Package} ${db:Status-Status}\n' $all 2>/dev/null || true; } |
        awk -v all="$all" '$2 == "installed" { have[$1] = 1 }
            END { count = split(all, name); for (i = 1; i <= count; i++) if (!(name[i] in have)) printf "%s ", name[i] }'
}

# What cannot be found, whoever installed it: of all packages, or of those named.
not_found() {
    entries | while read -r package probe; do
        case " ${1-$package} " in *" $package "*) ;; *) continue ;; esac
        what=${probe#*:}
        case $probe in
        command:*) command -v "$what" ;;
        library:*) pkg-config --exists "$what" ;;
        header:*) echo "#include <${what#*:}>" | "${what%%:*}" -E - ;;
        python:*) python3 -c "import $what" </dev/null ;;
        *) false ;;
        esac >/dev/null 2>&1 || printf '%s ' "$package"
    done
}

# The lines of the list for these packages, for a person.
describe() {
    awk -v missing=" $1" 'index(missing, " " $1 " ") {
        why = $4; for (i = 5; i <= NF; i++) why = why " " $i
        printf "  %-22s %-9s %s\n", $1, $2, why }' "$list" >&2
}

# The end, with these packages missing.
finish() {
    if awk -v missing=" $1" '$2 == "needed" && index(missing, " " $1 " ") { exit 1 }' "$list"; then
        say 'everything that is needed is here; what is missing costs its feature only.'
        exit 0
    fi
    exit 1
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    missing=$(not_found)
    [ -n "$missing" ] || exit 0
    say "this system has no apt-get. Install these with its own package manager (the names are Debian's):"
    describe "$missing"
    finish "$missing"
fi

missing=$(not_installed)
[ -z "$missing" ] || missing=$(not_found "$missing") # node, say, may come from elsewhere
[ -n "$missing" ] || exit 0
by_hand="apt-get update; apt-get install -y --no-install-recommends $missing"

# The rest runs as root: this script again, whole, so that sudo asks once, however short it remembers a password.
if [ "$(id -u)" -ne 0 ] && [ "${SETUP_IS_ROOT:-}" != 1 ] && command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    began=$(mktemp -d)
    trap 'rm -rf "$began"' EXIT
    status=0
    sudo -p 'setup: the password of %u, for sudo, to install packages: ' env SETUP_IS_ROOT=1 SETUP_BEGAN="$began/yes" FOR="${FOR:-}" PATH="$PATH" \
        sh "$0" "$list" || status=$?
    if [ ! -e "$began/yes" ]; then
        say 'nothing was installed: sudo did not let you (a wrong password, or no right to use it). As root, run:'
        printf '  %s\n' "$by_hand" >&2
        finish "$missing"
    fi
    exit "$status"
fi
if [ -n "${SETUP_BEGAN:-}" ]; then : >"$SETUP_BEGAN"; fi

if [ "$(id -u)" -ne 0 ] && [ "${SETUP_IS_ROOT:-}" != 1 ]; then
    say 'packages are missing, you are not root, and sudo cannot be used here. As root, run:'
    printf '  %s\n' "$by_hand" >&2
    finish "$missing"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
apt() {
    env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1 </dev/null
}

say "installing $(echo $missing | wc -w) packages, which takes a few minutes: $missing"
apt update || say 'apt-get update had errors; going on with the package lists that are here'

wanted=
unknown=
for package in $missing; do
    if apt-cache show --no-all-versions "$package" 2>/dev/null | grep '^Package:' >/dev/null; then
        wanted="$wanted $package"
    else
        unknown="$unknown $package"
    fi
done
[ -z "$unknown" ] || say "not in this system's package lists:$unknown"

if [ -n "$wanted" ] && ! apt install -y --no-install-recommends $wanted; then
    say 'apt-get install failed; its last lines:'
    tail -n 15 "$log" | sed 's/^/  /' >&2
    say "to try it by hand, as root: $by_hand"
fi

missing=$(not_installed)
[ -n "$missing" ] || exit 0
say 'still missing:'
describe "$missing"
finish "$missing"
