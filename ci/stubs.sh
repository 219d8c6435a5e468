#!/bin/sh
# ci/stubs.sh: adds the hashes of all stubs to their exercise's stub.sha256, for those who change a stub. What is there
# stays: earlier stubs are stubs for ever. `ci/stubs.sh check` only says which are missing.
set -eu
cd "$(dirname "$0")/.."
missing=0
for folder in exercises/*/; do
    cd "$folder"
    for stub in $(find stub -type f | LC_ALL=C sort); do
        line=$(sha256sum "$stub")
        ! grep -qxF "$line" stub.sha256 2>/dev/null || continue
        if [ "${1:-}" = check ]; then
            echo "$folder$stub is not in ${folder}stub.sha256: ci/stubs.sh adds it"
            missing=1
        else
            echo "$line" >>stub.sha256
        fi
    done
    cd ../..
done
exit "$missing"
