# What a user, or the make above, may have set for a command of the suite: no test is to depend on it.
# shellcheck shell=sh
# (ONLY picks tests by their names.)
# shellcheck disable=SC2046 # words
unset $(sed -n 's/^OPTIONS := //p' ci/commands.mk | sed 's/\<ONLY\>//') WITH LIMIT AUTOGRADER REPORTS MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
