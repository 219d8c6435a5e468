#include "grader/reports/formats.h"

const struct format formats[] = {
    {"json", report_json, "everything; docs/report.md", false},
    {"junit", report_junit, "JUnit XML: Jenkins, GitLab and others", false},
    {"tap", report_tap, "Test Anything Protocol 13", false},
    {"gradescope", report_gradescope, "Gradescope's results.json", true},
    {"autolab", report_autolab, "the last line of an Autolab job", false},
    {"classroom", report_classroom, "a result for GitHub Classroom's reporter, in base64", false},
    {"github", report_github, "the text report and annotations for a GitHub Actions log", false},
    {"markdown", report_markdown, "a page for GitHub's step summary, or elsewhere", false},
    {"csv", report_csv, "a table, one line an exercise", false},
};
const size_t format_count = sizeof formats / sizeof *formats;
