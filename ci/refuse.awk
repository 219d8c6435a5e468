# One line about a word that make was given and nothing understands: what was found, and what to type. From the environment:
# GOAL, a word that is no command; or NAME and VALUE, an option that its GOALS do not take, and BEARERS, the commands
# that do. COMMANDS, OPTIONS and EXERCISES are what there is; TAKEN what GOALS take.
BEGIN {
    if (ENVIRON["GOAL"] != "") refused_goal(ENVIRON["GOAL"])
    else refused_option(ENVIRON["NAME"], ENVIRON["VALUE"])
}

function refused_goal(goal,    with) {
    with = bearer("EX")
    if (index(" " ENVIRON["EXERCISES"] " ", " " goal " ") || goal ~ /^[0-9]+$/)
        say("an exercise is given by EX: make " with " EX=" goal)
    else if (index(" " ENVIRON["OPTIONS"] " ", " " goal " "))
        say("an option is followed by `=` and its value, without blanks: make " bearer(goal) " " goal "=...")
    else
        say(near(goal, ENVIRON["COMMANDS"], "did you mean: make %s", "`make help` lists them"))
}

function say(advice) {
    print "there is no command `" ENVIRON["GOAL"] "`; " advice
}

# The first of the goals that are commands, or check.
function bearer(option,    goal, count, i) {
    count = split(ENVIRON["GOALS"], goal, " ")
    for (i = 1; i <= count; i++)
        if (index(" " ENVIRON["COMMANDS"] " ", " " goal[i] " ") && goal[i] != "setup") return goal[i]
    return "check"
}

function refused_option(name, value,    takes, goals) {
    goals = ENVIRON["GOALS"]
    takes = ENVIRON["TAKEN"] == "" ? "no option of its own" : ENVIRON["TAKEN"]
    if (ENVIRON["BEARERS"] != "")
        print "`" goals "` does not take " name "; it takes " takes ". " name " goes with: " ENVIRON["BEARERS"]
    else
        print "there is no option `" name "`; " near(name, ENVIRON["OPTIONS"], "did you mean: make " goals " %s=" value, "`make " goals "` takes " takes)
}

# The nearest word of a list put into a sentence; another sentence where none is near. Capitals make no difference.
function near(word, list, sentence, otherwise,    words, count, i, distance, least, nearest) {
    least = 3
    count = split(list, words, " ")
    for (i = 1; i <= count; i++) {
        distance = apart(tolower(word), tolower(words[i]))
        if (distance < least && distance < length(words[i])) { least = distance; nearest = words[i] }
    }
    if (nearest == "") return otherwise
    i = index(sentence, "%s")
    return substr(sentence, 1, i - 1) nearest substr(sentence, i + 2)
}

# The letters to be changed, added, removed or exchanged with a neighbour.
function apart(left, right,    table, i, j, least) {
    for (i = 0; i <= length(left); i++)
        for (j = 0; j <= length(right); j++) {
            if (i == 0 || j == 0) { table[i, j] = i + j; continue }
            least = table[i - 1, j - 1] + (substr(left, i, 1) != substr(right, j, 1))
            if (table[i - 1, j] + 1 < least) least = table[i - 1, j] + 1
            if (table[i, j - 1] + 1 < least) least = table[i, j - 1] + 1
            if (i > 1 && j > 1 && substr(left, i, 1) == substr(right, j - 1, 1) && substr(left, i - 1, 1) == substr(right, j, 1) && table[i - 2, j - 2] + 1 < least)
                least = table[i - 2, j - 2] + 1
            table[i, j] = least
        }
    return table[length(left), length(right)]
}
