#!/bin/sh
# Gradescope runs this once as root, when the autograder's image is made: installs and builds.
set -eu
autograder=${AUTOGRADER:-/autograder}
cd "$autograder/source/cyclelab"
if ! command -v make >/dev/null; then
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends make
fi
make setup FOR=grading
make
chmod 700 "$autograder/source" # solutions and inputs: nothing for a student's code to look at
