#!/bin/sh
# Each lesson has its parts: a picture, a prediction before the task, what is checked and what to expect, and questions; the
# prediction and each question with its answer, folded away. So have the questions of pages. And each number in the prose is
# one of the tables', computed from them, or none that was measured.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh

# parts FILE: headings that it lacks, or has in another order; others may stand between.
parts() {
    wanted='## What to learn
## Where to read
## Before you run it
## What to do
## What is checked
## What to expect
## Questions'
    equal "$wanted" "$(printf '%s\n' "$wanted" | grep -xFf - "$1")"
}

# unanswered FILE: questions without an answer, and a prediction without one. Questions begin with `- ` or a number.
unanswered() {
    awk '/^## / { if (asked) print FILENAME ": " asked; asked = ""; inside = /^## (Before you run it|Questions)$/
                  if (/Before you run it/) asked = "the prediction has no answer" }
        inside && /^(- |[0-9]+\. )/ { if (asked) print FILENAME ": " asked; asked = $0 }
        inside && /<details>/ { asked = "" }
        END { if (asked) print FILENAME ": " asked }' "$1"
}

for lesson in exercises/*/README.md; do
    name=$(basename "$(dirname "$lesson")")
    check "$name has its parts" parts "$lesson"
    check "$name answers what it asks" equal '' "$(unanswered "$lesson")"
done
for page in docs/*.md; do
    grep -q '^## Questions' "$page" || continue
    check "$page answers what it asks" equal '' "$(unanswered "$page")"
done

python3 -B ci/prose/prose.py >"$scratch/prose"
grep -E '^(ok|not ok) - ' "$scratch/prose" | tee -a "$TAP"
grep -q '^not ok' "$scratch/prose" && { sed 's/^/# /' "$scratch/prose"; tests_failed=1; }
check 'the prose of each was read' equal "$(find exercises -name README.md | wc -l)" "$(grep -c '^ok - prose of exercises' "$scratch/prose")"
check 'numbers that nothing bears out are told' python3 -B ci/tests/prose.py

without() {
    sed "$2" "$1" >"$scratch/lesson.md"
    ! parts "$scratch/lesson.md" >/dev/null || [ -n "$(unanswered "$scratch/lesson.md")" ]
}
check 'a part that is missing is told' without exercises/04-accumulators/README.md '/^## Before/d'
check 'so is a question without an answer' without exercises/04-accumulators/README.md '/^## Questions/a - Why?'
exit "$tests_failed"
