#!/bin/sh
# `make gradescope`: the zip that Gradescope asks for, with setup.sh and run_autograder at its top and the suite beside
# them. What is graded is settled here: EX, ON, CORE, SEED, COURSE.
set -eu
cd "$(dirname "$0")/../.."
zip=${BUILD:-build}/gradescope.zip
command -v zip >/dev/null || { echo 'not found: zip. Say make setup first' >&2; exit 4; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh ci/pack.sh "$work"
cp ci/gradescope/setup.sh ci/gradescope/run_autograder "$work"
rm -f "$zip"
zip=$(cd "$(dirname "$zip")" && pwd)/$(basename "$zip")
(cd "$work" && zip -q -X -r "$zip" setup.sh run_autograder cyclelab)
chmod 600 "$zip" # seeds, rules and solutions
echo "$zip: upload it at Configure Autograder, with the base image that docs/instructors.md names"
