#!/bin/sh
# `make autolab`: autograde-Makefile and autograde.tar, the two files of an Autolab assessment. What is graded is settled
# here: EX, ON, CORE, SEED, COURSE. The program goes along as it is built here; where it does not run, the job builds it.
set -eu
cd "$(dirname "$0")/../.."
out=${BUILD:-build}/autolab
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
WITH=build sh ci/pack.sh "$work"
mkdir -p "$out"
tar -C "$work" --owner=0 --group=0 -cf "$out/autograde.tar" cyclelab
cp ci/autolab/autograde-Makefile "$out"
chmod 700 "$out" # seeds, rules and solutions
echo "$out: autograde-Makefile and autograde.tar, to upload in the assessment's autograder settings"
