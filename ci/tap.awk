# Counts test results in TAP files, lists what failed, and what was skipped and why, and ends with the one line that sums up.
# Fails where a test failed, a result is missing, or no test ran. With quiet=1 what was skipped is counted and not listed.
function stage() { file = FILENAME; sub(".*/", "", file); sub("[.]tap$", "", file); return file }
/^1\.\.[0-9]+/ { planned += substr($0, 4) }
/^not ok/ { failed++; sub(/^not ok *[0-9]* *-? */, ""); print "  failed " stage() ": " $0; next }
/^ok.*# SKIP/ {
    skipped++
    if (!quiet) { sub(/^ok *[0-9]* *-? */, ""); sub(/ *# SKIP */, ": "); print "  skipped " $0 }
    next
}
/^ok/ { passed++ }
END {
    missing = planned - passed - failed - skipped
    if (missing > 0) { failed += missing; print "  " missing " tests gave no result" }
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
}
