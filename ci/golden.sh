# For ci/tests/golden*.sh: checking a submission against what is expected of it.
# shellcheck shell=sh
said=
unwrapped= # the same, with `Next:` on one line
bench= # further options of a check
newline='
'

# verdict_is ALLOWED EXERCISE FOLDER [TEXT-FILE]: check it; the verdict is one of those, the exit status goes with it,
# the text holds every line of the file, and nothing is left behind. PATIENCE: with so many seconds for the timing.
verdict_is() {
    # shellcheck disable=SC2086 # options are words
    said=$(TMPDIR=$area/tmp "$BUILD/cyclelab" check "$2" --src "$3" $bench ${PATIENCE:+--patience "$PATIENCE"} --report "json:$area/report" 2>&1)
    status=$?
    said=$(printf '%s\n' "$said" | sed "s|$3/||g") # files are expected by their names alone
    unwrapped=$(printf '%s\n' "$said" | unwrap)
    verdict=$(sed -n 's/^[[:space:]]*"verdict":[[:space:]]*"\([a-z]*\)",*$/\1/p' "$area/report" 2>/dev/null | head -n 1)
    mistake=$(sed -n 's/^[[:space:]]*"mistake":[[:space:]]*"\([a-z0-9-]*\)",*$/\1/p' "$area/report" 2>/dev/null | head -n 1)
    rm -f "$area/report"
    case $verdict in pass) right=0 ;; fail | rejected) right=1 ;; unstable) right=3 ;; *) right=4 ;; esac
    bad=
    case "|$1|" in *"|$verdict|"*) ;; *) bad="verdict $verdict instead of $1" ;; esac
    [ "$status" -eq "$right" ] || bad="$bad; exit status $status instead of $right"
    case $1/$verdict in
    */unstable | *fail*/pass) ;; # what is expected to be said is said of a failure
    *) [ $# -le 3 ] || says_all "$4" || bad="$bad; $unsaid" ;;
    esac
    nothing_left || bad="$bad; something is left"
    [ -z "$bad" ] || { printf '%s\n' "$bad" "$said"; return 1; }
}

# Does the report hold every line of the file? $unsaid: what it does not.
says_all() {
    unsaid=
    while IFS= read -r line; do
        says "$line" || unsaid="$unsaid; not said: $line"
    done <"$1"
    unsaid=${unsaid#; }
    [ -z "$unsaid" ]
}

# named FOLDER ARGUMENTS-OF-verdict_is...: the same, and the mistake is the one that its `expect` names, or none.
named() {
    folder_of_mistake=$1
    shift
    verdict_is "$@" || return 1
    equal "$(sed -n 's/^@mistake //p' "$folder_of_mistake/expect")" "$mistake" || { printf '%s\n' "$said"; return 1; }
}

# Is the line in $said, on one line or wrapped? What a case finds may stand below, where another's inputs were such that it
# found something, too. Of a bound's verdict, as in "sorted-no-slower      FAIL", a measurement may as well say UNSTABLE.
says() {
    case $said$unwrapped in *"$1"*) return 0 ;; esac
    case $1 in "correctness on \`"*)
        found_by=${1#*\`}
        found_there=${1#*\`*\`}
        case $said in *"right-${found_by%%\`*}:$newline    ${found_there#: }"*) return 0 ;; esac ;;
    esac
    case $1 in *[a-z]" "*" FAIL" | *[a-z]" "*" PASS") ;; *) return 1 ;; esac
    [ -z "$bench" ] || return 1
    case $said in *"${1% *} UNSTABLE"*) ;; *) return 1 ;; esac
}

# The folder to check, $area/src: the submission's files, and of those with other names the ones in $2. Beside the
# exercise's own files as they came, those of the same name stay too, as in a student's folder.
# A line `@edit FILE SCRIPT` of `expect` is a file of $2 with that done to it by sed -E; it has to change something.
assemble() {
    rm -rf "$area/src"
    mkdir "$area/src"
    (cd "$2" && find . -type f) | while IFS= read -r file; do
        stem=$(basename "$file" | sed 's/\.[^.]*$//')
        case $2 in
        */stub) ;;
        *) [ -z "$(find "$1" -name "$stem.*")" ] || continue ;;
        esac
        mkdir -p "$area/src/$(dirname "$file")"
        cp "$2/$file" "$area/src/$file"
    done
    cp -R "$1/." "$area/src"
    rm "$area/src/expect"
    sed -n 's/^@edit //p' "$1/expect" | while read -r file script; do
        sed -E "$script" "$2/$file" >"$area/src/$file"
        ! cmp -s "$2/$file" "$area/src/$file" || rm "$area/src/$file"
    done
}

