#!/bin/sh
# `make prairielearn`: the folder that an image for PrairieLearn's external grader is made of, and the lines for a question's
# info.json. What is graded is settled here: EX, ON, CORE, SEED, COURSE.
set -eu
cd "$(dirname "$0")/../.."
out=${BUILD:-build}/prairielearn
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh ci/pack.sh "$work"
rm -rf "$out"
mkdir -p "$out"
chmod 700 "$out" # seeds, rules and solutions
cp -R "$work/cyclelab" ci/prairielearn/Containerfile ci/prairielearn/grade.sh "$out"
cat >"$out/info.json" <<'END'
{
  "gradingMethod": "External",
  "externalGradingOptions": {
    "enabled": true,
    "image": "YOU/cyclelab-grader",
    "entrypoint": "/cyclelab/grade.sh",
    "timeout": 300
  }
}
END
echo "$out: make the image of it (podman build -t YOU/cyclelab-grader $out), push it, and put the lines of info.json into the question's"
