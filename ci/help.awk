# `make help`, from the Makefile's comments: `##@ group`, `target: ... ## [ARGUMENTS |] what it does`, `#? option`.
/^##@ / { printf "\n%s\n", substr($0, 5); next }
/^#\? / { printf "  %s\n", substr($0, 4); next }
/^[a-z-]+:.*## / {
    command = $1; sub(/:.*/, "", command)
    text = $0; sub(/.*## /, "", text)
    bar = index(text, " | ")
    if (bar) { command = command " " substr(text, 1, bar - 1); text = substr(text, bar + 3) }
    printf "  make %-15s %s\n", command, text
}
