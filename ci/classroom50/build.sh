#!/bin/sh
# `make classroom50`: the folder of an assignment's autograder in Classroom 50: autograder.py and the suite. What is graded is
# settled here: EX, ON, CORE, SEED, COURSE. The program goes along as it is built here; where it does not run, the job builds it.
set -eu
cd "$(dirname "$0")/../.."
out=${BUILD:-build}/classroom50
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
WITH=build sh ci/pack.sh "$work"
mkdir -p "$out"
tar -C "$work" --owner=0 --group=0 -czf "$out/cyclelab.tar.gz" cyclelab
cp ci/classroom50/autograder.py "$out"
chmod 700 "$out" # seeds, rules and solutions
echo "$out: autograder.py and cyclelab.tar.gz, for CLASSROOM/autograders/ASSIGNMENT/ in your classroom50 repository"
