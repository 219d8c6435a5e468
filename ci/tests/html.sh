#!/bin/sh
# All HTML that the suite makes: the site with lessons, class pages, a report and a timeline, and the worksheet. A validator, a
# follower of links, and a browser: axe-core, no scrolling sideways, nothing from a network, the search. Pictures of all pages lie
# in BUILD/screens.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh
BUILD=${BUILD:-build}
make=${MAKE:-make}
site=$scratch/site

for program in pandoc python3 aarch64-linux-gnu-gcc; do
    command -v $program >/dev/null || { skip 'html: all pages' "$program is not installed"; exit 0; }
done
# In the place of an earlier one, by a link that stays.
made() {
    mkdir "$site" && touch "$site/site.css" "$site/earlier" && ln -s site "$scratch/link" || return 1
    "$make" BUILD="$BUILD" site OUT="$scratch/link" >"$scratch/made" 2>&1 || { cat "$scratch/made"; return 1; }
    contains "$(cat "$scratch/made")" 'links that lead somewhere' && [ -L "$scratch/link" ] && [ ! -e "$site/earlier" ]
}
check 'the site is made' made
[ "$tests_failed" -eq 0 ] || exit 1

lacking=
command -v node >/dev/null && command -v npm >/dev/null || lacking='node or npm is not installed'
if [ -z "$lacking" ] && ! "$make" BUILD="$BUILD" worksheet OUT="$scratch/worksheet.html" WORK="$scratch/work" >"$scratch/made" 2>&1; then
    grep -q 'npm could not install' "$scratch/made" && lacking='npm cannot install its packages here'
fi
if [ -n "$lacking" ]; then
    skip 'html: the worksheet' "$lacking"
else
    check 'the worksheet is made' test -s "$scratch/worksheet.html"
fi
find "$scratch" -name '*.html' | sort >"$scratch/pages"
pages=$(wc -l <"$scratch/pages")

# Every kind of page is among them.
kinds() {
    for page in index.html drills.html search.html docs/errata.html docs/articles.html LICENSE.html examples/timeline.html \
        examples/report.html examples/class/index.html examples/class/students/ada/report.html; do
        grep -qx "$site/$page" "$scratch/pages" || { echo "$page is not there"; return 1; }
    done
    for lesson in exercises/*/README.md; do
        grep -qx "$site/${lesson%README.md}index.html" "$scratch/pages" || { echo "$lesson has no page"; return 1; }
    done
}
check 'every kind of page is there' kinds

# (Its Debian 12 version is older than some attributes for those who hear a page; that of Debian 13 denies HTML 5 the type of a
# numbered list, which it has.)
valid() {
    while IFS= read -r page; do
        tidy -q -e --drop-empty-elements no "$page" 2>&1 | grep -vE 'proprietary attribute "aria-|<ol> attribute "type" not allowed for HTML5' | sed "s|^|$page: |"
    done <"$scratch/pages" >"$scratch/tidy"
    ! grep . "$scratch/tidy"
}
if command -v tidy >/dev/null; then
    check 'a validator finds nothing' valid
    check 'but what is wrong' sh -c 'echo "<p><b>x</p>" | tidy -q -e 2>&1 | grep -q Warning'
else
    skip 'html: a validator' 'tidy is not installed'
fi

check 'each link leads somewhere' xargs python3 -B ci/site/links.py <"$scratch/pages"
# A link in pages, and how it is told.
broken_page() {
    printf '<p id=a>\n<a href="#b">x</a><img src="http://a.invalid/x.png" alt=""><a href="no.html">y</a><i id=a>z</i>' >"$scratch/broken.html"
    said=$(python3 -B ci/site/links.py "$scratch/broken.html") && return 1
    for part in 'html:2: broken link #b: the page has no such anchor' 'html:2: broken link no.html' 'expected a relative address' \
        'the id a comes twice'; do
        contains "$said" "$part" || return 1
    done
}
check 'but broken ones' broken_page

# broken TEXT MESSAGE: in a copy whose docs/ports.md has this text at its end.
broken() {
    [ -d "$scratch/copy" ] || { mkdir -p "$scratch/copy/ci" && cp -R ci/site "$scratch/copy/ci/" && cp -R docs exercises ./*.md LICENSE "$scratch/copy/"; } ||
        return 1
    { cat docs/ports.md; printf '\n%s\n' "$1"; } >"$scratch/copy/docs/ports.md"
    said=$(cd "$scratch/copy" && python3 -B ci/site/site.py --build "$build" --out "$scratch/broken" 2>&1) && return 1
    contains "$said" "$2" && [ ! -e "$scratch/broken" ]
}
build=$(cd "$BUILD" && pwd)
line=$(($(wc -l <docs/ports.md) + 2))
check 'a link to no file is told with file and line' broken '[x](nowhere.md)' "docs/ports.md:$line: broken link nowhere.md: there is no such file"
check 'so is one to no heading' broken '[x](model.md#nowhere)' "docs/ports.md:$line: broken link model.md#nowhere"

orphan() {
    printf '# Orphan\n' >"$scratch/copy/docs/orphan.md"
    said=$(cd "$scratch/copy" && python3 -B ci/site/site.py --build "$build" --out "$scratch/broken" 2>&1) && return 1
    contains "$said" 'docs/README.md: expected a link to each page, found none to docs/orphan.md'
}
check 'so is a page that docs/README.md forgets' orphan

other_folder() {
    mkdir -p "$scratch/mine" && echo precious >"$scratch/mine/letter"
    said=$(python3 -B ci/site/site.py --build "$BUILD" --out "$scratch/mine" 2>&1) && return 1
    contains "$said" 'expected a new folder, an empty one or an earlier site' && equal precious "$(cat "$scratch/mine/letter")"
}
check 'a folder with something else in it stays as it is' other_folder

chromium=$(command -v chromium || command -v chromium-browser || true)
[ -n "$chromium" ] || lacking=${lacking:-chromium is not installed}
if [ -n "$lacking" ]; then
    skip 'html: in a browser' "$lacking"
    exit "$tests_failed"
fi
rm -rf "$BUILD/screens"
xargs env HOME="$scratch" timeout 300 node ci/tests/pages.js "$build/worksheet" "$chromium" "$BUILD/screens" <"$scratch/pages" >"$scratch/seen" 2>&1
# none KIND: nothing of this kind was said.
none() { ! grep "^$1 " "$scratch/seen"; }
seen() { equal "$pages" "$(tail -n 1 "$scratch/seen")" || { cat "$scratch/seen"; return 1; }; }
check 'a browser has shown all pages' seen
check 'axe-core finds nothing serious or critical' none axe
check 'no page scrolls sideways, at 360 and 1280 pixels' none wide
check 'nothing is asked of a network' none network
check 'nothing is missing' none missing
check 'no script stumbles, and the search finds its page' none script
check 'each page has its two pictures' equal $((2 * pages)) "$(find "$BUILD/screens" -name '*.png' | wc -l)"
# One page with all that is wrong, so that the silence above means something.
wrong() {
    cat >"$scratch/wrong.html" <<'END'
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Wrong</title><link rel="stylesheet" href="no.css"></head>
<body><main><h1>Wrong</h1><p style="color:#bbb;background:#fff">pale</p><div style="width:2000px">wide</div>
<img src="http://a.invalid/x.png"><script>nowhere()</script></main></body></html>
END
    env HOME="$scratch" timeout 100 node ci/tests/pages.js "$build/worksheet" "$chromium" "$scratch/screens" "$scratch/wrong.html" >"$scratch/seen" 2>&1
    for kind in axe wide network missing script; do
        grep -q "^$kind " "$scratch/seen" || { echo "nothing is said of $kind:"; cat "$scratch/seen"; return 1; }
    done
}
check 'a page with all of that is told' wrong
exit "$tests_failed"
