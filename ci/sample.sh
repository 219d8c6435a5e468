# shellcheck shell=sh
# sampled NAME: of many tests of a kind a fifth is run, which follows from $SAMPLE: a commit, so that over some commits all are.
# SAMPLE=all: all of them. Where nothing is given: of this commit.
SAMPLE=${SAMPLE:-$(git rev-parse HEAD 2>/dev/null || cat VERSION)}
sampled() {
    [ "$SAMPLE" = all ] || [ $(($(echo "$1 $SAMPLE" | cksum | cut -d ' ' -f 1) % 5)) -eq 0 ]
}
