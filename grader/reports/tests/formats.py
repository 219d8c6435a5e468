"""Reads a report with a parser that is not the suite's, and holds it against what its service takes.

    formats.py FORMAT FILE EXERCISES

Exit status 0: good."""
import csv
import json
import numbers
import re
import sys
from html.parser import HTMLParser


def gradescope(text, exercises):
    report = json.loads(text)
    assert isinstance(report["score"], numbers.Number), "the score is no number"
    assert report["stdout_visibility"] in ("hidden", "visible")
    assert report["output_format"] == "text" and report["output"].strip()
    assert isinstance(report["execution_time"], numbers.Number)
    for test in report["tests"]:
        assert set(test) <= {"name", "score", "max_score", "status", "output", "output_format", "visibility"}
        if "max_score" in test:
            assert isinstance(test["score"], numbers.Number) and 0 <= test["score"] <= test["max_score"] > 0
        assert ("score" in test) == ("max_score" in test) and test["name"] and test["output"]
        assert test.get("status", "passed") in ("passed", "failed")
        assert test["output_format"] == "text" and test["visibility"] == "visible"
    for row in report["leaderboard"]:
        assert set(row) == {"name", "value", "order"} and row["order"] in ("asc", "desc")
        assert isinstance(row["value"], numbers.Number)
    assert len(text) < 1 << 20


def prairielearn(text, exercises):
    report = json.loads(text)
    assert isinstance(report["score"], numbers.Number) and 0 <= report["score"] <= 1
    assert isinstance(report["gradable"], bool) and report["output"].strip()
    assert report["gradable"] or report["format_errors"].strip()
    for test in report["tests"]:
        assert set(test) == {"name", "points", "max_points", "output"} and test["name"] and test["output"]
        assert 0 <= test["points"] <= test["max_points"]
    assert len(text) < 1 << 20


def autolab(text, exercises):
    line = text.rstrip("\n").split("\n")[-1]
    if not line:  # nothing has a score
        return
    assert text.count("\n") <= 1, "more than a line"
    # what the service does to the line before it reads it: bare keys get quotation marks
    rewritten = re.sub(r"([a-zA-Z0-9]+):", r'"\1":', line)
    assert json.loads(rewritten) == json.loads(line)
    scores = json.loads(line)["scores"]
    assert all(isinstance(score, numbers.Number) for score in scores.values())
    assert scores


def classroom50(text, exercises):
    report = json.loads(text)
    assert set(report) == {"schema", "score", "max-score", "tests"} and report["schema"] == "classroom50/result/v1"
    for test in report["tests"]:
        assert set(test) == {"test-name", "passed", "score", "max-score", "message"} and isinstance(test["passed"], bool)
        assert isinstance(test["score"], int) and isinstance(test["max-score"], int) and 0 <= test["score"] <= test["max-score"]
    for key in "score", "max-score":
        assert report[key] == sum(test[key] for test in report["tests"])


def markdown(text, exercises):
    assert len(text.encode()) < 1 << 20
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert all(row.count("|") == 5 for row in rows), [row for row in rows if row.count("|") != 5]
    allowed = re.sub(r"</?(details|summary)>|<br>", "", text)
    assert not re.search(r"&#(64|35);(?!<wbr>)", allowed), "a mention"
    allowed = allowed.replace("<wbr>", "\0")
    assert not re.search(r"[<`@$*_~\\\[\]]|www\.|://", allowed, re.I), "markup of somebody else's"


def github(text, exercises):
    lines = text.rstrip("\n").split("\n")
    token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0]).group(1)
    end = lines.index(f"::{token}::")
    assert not any(token in line for line in lines[1:end])
    kinds = {"error": 0, "warning": 0}
    for line in lines[end + 1:]:
        match = re.fullmatch(r"::(error|warning) (?:file=[^:,\r\n]+,line=\d+,(?:col=\d+,)?)?title=([^:,\r\n]*)::([^\r\n]*)", line)
        assert match, f"no annotation: {line[:200]}"
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", match.group(2) + match.group(3))
        assert len(re.sub(r"%(25|0A|0D)", "x", match.group(3))) <= 4096, "GitHub cuts the message"
        kinds[match.group(1)] += 1
    assert max(kinds.values()) <= 10, kinds


def table(text, exercises):
    rows = list(csv.DictReader(text.splitlines(), strict=True))
    assert len(rows) == exercises
    for row in rows:
        assert None not in row and None not in row.values(), "a line has too many or too few cells"
        assert row["score"] == "" or float(row["score"]) <= float(row["max_score"])
        assert not any(cell[:1] in ("=", "+", "-", "@", "\t") for cell in row.values()), "a formula"
        assert max(map(len, row.values())) <= 32767, "more than a cell of a spreadsheet takes"


class Page(HTMLParser):
    """Elements that end where they should, and none that could act."""
    EMPTY = {"meta", "br"}
    KNOWN = set("html head title style body main article section h1 h2 h3 p div span strong code pre a table caption thead "
                "tbody tr th td ul li i svg rect line text".split())

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], {}

    def handle_starttag(self, tag, attributes):
        assert tag in self.EMPTY | self.KNOWN, f"<{tag}>"
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attributes), attributes
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}>"


def html(text, exercises):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.seen["h1"] == 1 and page.seen.get("article", 0) == exercises
    assert page.seen.get("caption", 0) == page.seen.get("table", 0)


CHECKS = {"gradescope": gradescope, "prairielearn": prairielearn, "autolab": autolab, "classroom50": classroom50, "markdown": markdown,
          "github": github, "csv": table, "html": html}

name, path, count = sys.argv[1:]
with open(path, encoding="utf-8", newline="") as file:  # strict: broken UTF-8 raises
    content = file.read()
assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", content), "a control character"
CHECKS[name](content, int(count))
