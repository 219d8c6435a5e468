#!/bin/sh
# docs/errata.md: each claim fails and each correction holds, as `make errata` shows them; and that its checks can fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip 'errata: all of them' 'aarch64-linux-gnu-gcc is not installed'
    exit 0
fi
report 'errata: what runs them is built' "$make" BUILD="$BUILD" "$BUILD/hardware-drive" runners
[ "$tests_failed" -eq 0 ] || exit 1

# Each is a test of its own.
python3 -B ci/errata/errata.py --build "$BUILD" --check docs/errata.md >"$scratch/errata"
grep -E '^(ok|not ok) - ' "$scratch/errata" | tee -a "$TAP"
grep -q '^not ok' "$scratch/errata" && { sed 's/^/# /' "$scratch/errata"; tests_failed=1; }
check 'there is one for each row' equal "$(grep -c '^- name: ' ci/errata/errata.yml)" "$(grep -Ec '^(not )?ok - ' "$scratch/errata")"
check 'and an entry in docs/errata.md' equal "$(grep -c '^- name: ' ci/errata/errata.yml)" "$(grep -c '^### ' docs/errata.md)"

# fails SED-PROGRAM FILE: with this change in a copy, the first division is told as wrong
fails() {
    mkdir -p "$scratch/copy/ci" "$scratch/copy/docs"
    cp -r ci/errata ci/hardware "$scratch/copy/ci/" && cp docs/errata.md "$scratch/copy/docs/"
    sed -i "$1" "$scratch/copy/$2"
    said=$(cd "$scratch/copy" && python3 -B ci/errata/errata.py --build "$scratch" --only division-by-7 --check docs/errata.md) && return 1
    contains "$said" 'not ok - errata: division-by-7'
}
check 'a claim that holds is told' fails 's/claim: first_wrong_shift_2 == 0.*/claim: first_wrong_shift_2 == 7/' ci/errata/errata.yml
check 'so is a correction that does not' fails 's/wrong_with_add == 0/wrong_with_add == 1/' ci/errata/errata.yml
check 'so is a page that says something else' fails 's/wrong-with-add == 0: holds/wrong-with-add == 0: is true/' docs/errata.md
exit "$tests_failed"
