#!/bin/sh
# `make worksheet`: builds docs/worksheet/ into one page, OUT, which begins with this machine and the results in WORK. All that is
# built lies in BUILD/worksheet. Status 2: Node or npm is missing.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
OUT=${OUT:-worksheet.html}
made=$BUILD/worksheet

node=$(command -v node || command -v nodejs || true)
if [ -z "$node" ] || ! command -v npm >/dev/null; then
    echo 'worksheet: it takes Node (18 or newer) and npm to build: apt-get install nodejs npm' >&2
    exit 2
fi
if ! "$node" -e 'process.exit(process.versions.node.split(".")[0] >= 18 ? 0 : 1)'; then
    echo "worksheet: expected Node 18 or newer, found $("$node" --version)" >&2
    exit 2
fi
case $OUT in */*) folder=${OUT%/*} ;; *) folder=. ;; esac
[ ! -d "$OUT" ] || { echo "worksheet: OUT: expected a file's name, found the folder $OUT" >&2; exit 2; }
[ -d "${folder:-/}" ] || { echo "worksheet: OUT: there is no folder $folder" >&2; exit 2; }

mkdir -p "$made"
for file in package.json package-lock.json .npmrc build.mjs prefill.mjs page.html style.css src tests; do
    rm -rf "${made:?}/$file"
    cp -R "docs/worksheet/$file" "$made/"
done
if ! cmp -s "$made/package-lock.json" "$made/installed"; then
    echo '  NPM  packages of the worksheet'
    rm -f "$made/installed"
    (cd "$made" && npm ci --no-fund --no-audit --ignore-scripts --loglevel=error) >"$made/npm.log" 2>&1 || {
        echo "worksheet: npm could not install its packages; it said:" >&2
        tail -n 5 "$made/npm.log" >&2
        exit 3
    }
    cp "$made/package-lock.json" "$made/installed"
fi
"$node" "$made/prefill.mjs" "$BUILD/cyclelab" "${WORK:-work}/.state" >"$made/prefill.json"
"$node" "$made/build.mjs" "$made/page.new" "$made/prefill.json"
mv "$made/page.new" "$OUT"
echo "The worksheet is $OUT: open it in a browser"
