#!/bin/sh
# `make worksheet`: the page is built, and used as a person does, in headless Chromium without a network; what it downloads is
# opened by other programs.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}
page=$scratch/worksheet.html out=$scratch/out
mkdir -p "$out" "$scratch/work/.state"

all='worksheet: built, filled in, downloaded'
for program in node npm; do
    command -v $program >/dev/null || { skip "$all" "$program is not installed"; exit 0; }
done
chromium=$(command -v chromium || command -v chromium-browser || true)

cat >"$scratch/work/.state/03-branch-elimination.json" <<'END'
{"schema": 1, "id": "03-branch-elimination", "checks": 4, "hints": 1, "passed": true,
 "best": {"score": 10, "max_score": 10}, "last": {"verdict": "fail", "score": 4.01, "max_score": 10}}
END

built() {
    "$make" BUILD="$BUILD" worksheet OUT="$page" WORK="$scratch/work" >"$scratch/made" 2>&1 || return 1
    [ "$(wc -c <"$page")" -lt 3145728 ] || { wc -c "$page"; return 1; }
    grep -q 'best so far: 10 of 10 points' "$page" && grep -qF "\"$("$BUILD/cyclelab" --version)\"" "$page"
}
# npm's answer decides: what cannot be had here is no fault of the page.
if ! built && grep -q 'npm could not install' "$scratch/made"; then
    skip "$all" "npm cannot install its packages here"
    exit 0
fi
check 'one page below 3 MB, with the last results' built
check 'no folder, one message' contains "$(OUT=/nonexistent/x.html sh ci/worksheet.sh 2>&1)" 'there is no folder /nonexistent'
check 'a folder is no page' contains "$(OUT="$out" sh ci/worksheet.sh 2>&1)" "expected a file's name, found the folder $out"
check 'packages are pinned with hashes, from no host of their own' \
    equal 'pinned' "$(grep -q '"integrity": "sha512-' docs/worksheet/package-lock.json && ! grep -q '"resolved"' docs/worksheet/package-lock.json && echo pinned)"

# (Not every registry answers what is known to be vulnerable.)
audit() { (cd "$BUILD/worksheet" && npm audit --json 2>/dev/null) >"$scratch/audit"; contains "$(tr -d ' \n' <"$scratch/audit")" '"total":0'; }
if audit >/dev/null || grep -q '"vulnerabilities"' "$scratch/audit"; then
    check 'npm audit knows of nothing' audit
else
    skip 'worksheet: npm audit knows of nothing' 'the registry does not answer npm audit'
fi

if [ -z "$chromium" ]; then
    skip 'worksheet: in a browser' 'chromium is not installed'
    exit "$tests_failed"
fi
(cd "$BUILD/worksheet" && PAGE=$page PREFILL=$PWD/prefill.json OUT=$out CHROMIUM=$chromium HOME=$scratch \
    timeout 300 node --test --test-reporter=tap tests/) >"$scratch/browser" 2>&1
sed -n 's/^\(ok\|not ok\) [0-9]* - /\1 - worksheet: /p' "$scratch/browser" | tee -a "$TAP"
check 'all of the browser tests ran and passed' equal 0 "$(grep -c '^not ok' "$scratch/browser")"
check 'there were some' equal 9 "$(grep -Ec '^(not )?ok ' "$scratch/browser")"
[ "$tests_failed" -eq 0 ] || sed 's/^/# /' "$scratch/browser"

# opened NAME PROGRAM...: what it prints has the entries, Cyrillic too
opened() {
    said=$("$@") || return 1
    contains "$said" 'Промахи кэша: ёж, «щука» и эхо' && contains "$said" 'The chain through the accumulator binds.' &&
        contains "$said" '2.01'
}
text_of_excel() { unzip -p "$1" xl/sharedStrings.xml 'xl/worksheets/*.xml'; }
for row in 'pandoc pandoc -t plain worksheet.docx' 'pdftotext pdftotext worksheet.pdf -' 'unzip text_of_excel worksheet.xlsx'; do
    program=${row%% *}
    if command -v "$program" >/dev/null; then
        # shellcheck disable=SC2046 # words
        check "what ${row#* } says" opened $(echo "${row#* }" | sed "s|worksheet\\.|$out/worksheet.|")
    else
        skip "worksheet: what ${row#* } says" "$program is not installed"
    fi
done
exit "$tests_failed"
