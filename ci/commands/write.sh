#!/bin/sh
# write.sh DRIVE [FOLDER]: everything that is made from the table of commands, by the program DRIVE (drive.c), in this project
# or in a copy of it.
set -eu
cd "$(dirname "$0")/../.."
drive=$1
to=${2:-.}

# put PART FILE: whole or not at all.
put() {
    "$drive" "$1" >"$to/$2.new"
    mv "$to/$2.new" "$to/$2"
}

put make ci/commands.mk
put help ci/help.txt
put markdown docs/commands.md
put man docs/cyclelab.1

# The README's table lies between two marks.
"$drive" readme >"$to/README.md.table"
awk -v table="$to/README.md.table" '
    /^<!-- end of commands -->/ { skip = 0 }
    !skip { print }
    /^<!-- commands:/ { while ((getline line <table) > 0) print line; skip = 1 }' README.md >"$to/README.md.new"
mv "$to/README.md.new" "$to/README.md"
rm "$to/README.md.table"
