#!/bin/sh
# bar.sh WHAT FILE: one line for all that make builds: at a terminal a bar that fills, elsewhere one line at the first file.
# $TOTAL files were missing when make began; files that are only out of date come on top. $BAR counts what was begun.
printf . >>"$BAR"
read -r dots <"$BAR" || :
done=${#dots}
if [ -t 1 ]; then
    [ "$done" -le "$TOTAL" ] || TOTAL=$done
    bar='####################....................'
    filled=$((20 * done / TOTAL))
    rest=${bar#"${bar%????????????????????}"} full=${bar%"$rest"}
    while [ ${#full} -gt "$filled" ]; do full=${full%?}; done
    while [ $((${#full} + ${#rest})) -gt 20 ]; do rest=${rest%?}; done
    printf '\r\033[Kbuilding [%s%s] %s of %s: %s %.40s\r' "$full" "$rest" "$done" "$TOTAL" "$1" "${2##*/}"
elif (set -C && : >"$BAR.told") 2>/dev/null; then # whoever comes first, of those that run side by side
    if [ "$TOTAL" -gt 1 ]; then echo "  building $TOTAL files (V=1 shows each)"; else echo "  building (V=1 shows each file)"; fi
fi
