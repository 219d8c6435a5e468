#!/usr/bin/env python3
"""`make site`: README.md, docs/, lessons and drills as static pages in OUT, by pandoc and template.html.

Links between Markdown files become links between pages; a file that is no Markdown and is linked becomes a page that shows it.
A link to nothing ends it all, with file and line. OUT appears whole or not at all.

Exit status: 0 made; 1 a broken link; 2 usage, or a program is missing.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import links   # noqa: E402  pylint: disable=wrong-import-position

MARK = "site.css"                # a folder that has it is a site's, and may be replaced
MENU = [("Start", "README.md", ""), ("Lessons", "README.md", "exercises"), ("Pages", "docs/README.md", ""),
        ("Articles", "docs/articles.md", ""), ("Errata", "docs/errata.md", ""), ("Drills", "drills.md", ""),
        ("Examples", "examples/README.md", "")]
QUESTIONS, SEED = 30, 1
LONG = 5                         # headings: from so many on there is a table of contents
LANGUAGES = {".c": "c", ".h": "c", ".S": "asm", ".yml": "yaml", ".json": "json", ".py": "python", ".sh": "bash"}


class Trouble(Exception):
    """One message."""


def pandoc(text, *arguments):
    done = subprocess.run(["pandoc", *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"pandoc {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def walk(node):
    """All elements of a document as pandoc has it."""
    if isinstance(node, dict):
        if "t" in node:
            yield node
        for part in node.values():
            yield from walk(part)
    elif isinstance(node, list):
        for part in node:
            yield from walk(part)


def words(node):
    """The text of it, for titles and the search."""
    said = []
    for part in walk(node):
        kind = part["t"]
        if kind == "Str":
            said.append(part["c"])
        elif kind == "RawBlock":
            said.append(re.sub(r"<[^>]*>", " ", part["c"][1]))
        elif kind in ("Code", "CodeBlock"):
            said.append(part["c"][1])
        elif kind in ("Space", "SoftBreak", "LineBreak", "Para", "Plain", "Cell"):
            said.append(" ")
    return re.sub(r"\s+", " ", "".join(said)).strip()


def page_of(source):
    """Where a source's page lies in the site."""
    path = PurePosixPath(source)
    if path.name == "README.md":
        return str(path.parent / "index.html")
    return str(path.with_suffix(".html") if path.suffix == ".md" else path.with_name(path.name + ".html"))


def relative(target, page):
    return os.path.relpath(target, PurePosixPath(page).parent)


@dataclass
class Page:
    source: str                                    # in the project, as in links
    text: str                                      # Markdown
    shown: bool = True                             # the source's name stands at the end of the page
    document: dict = field(default_factory=dict)
    anchors: set = field(default_factory=set)
    title: str = ""

    def __post_init__(self):
        self.document = json.loads(pandoc(self.text, "--from", "gfm", "--to", "json"))
        headings = [part["c"] for part in walk(self.document["blocks"]) if part["t"] == "Header"]
        self.anchors = {attributes[0] for _, attributes, _ in headings}
        if not headings:
            raise Trouble(f"{self.source}: expected a heading, found none")
        self.title = words(headings[0][2])

    @property
    def page(self):
        return page_of(self.source)

    def targets(self):
        """(element, target) of each link and picture."""
        for part in walk(self.document["blocks"]):
            if part["t"] in ("Link", "Image"):
                yield part, part["c"][2][0]

    def line(self, target):
        for number, line in enumerate(self.text.splitlines(), 1):
            if f"]({target}" in line:
                return number
        return 1

    def sections(self):
        """[anchor, heading, text]: what the search looks through."""
        found = [["", self.title, []]]
        for block in self.document["blocks"]:
            if block["t"] == "Header":
                _, attributes, heading = block["c"]
                if found[-1][2] or len(found) > 1:
                    found.append([attributes[0], words(heading), []])
            else:
                found[-1][2].append(words(block))
        return [[anchor, heading, " ".join(text)] for anchor, heading, text in found]


class Site:
    def __init__(self, out):
        self.out, self.pages, self.files, self.broken = out, {}, set(), []
        for source in ["README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md")),
                       *self.lessons(), "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]:
            self.add(source, (ROOT / source).read_text())

    @staticmethod
    def lessons():
        return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("exercises/*/README.md"))

    def add(self, source, text, shown=True):
        self.pages[source] = Page(source, text, shown)

    def follow(self, page):
        """Puts a page's links right, and notes what is linked and has no page."""
        for element, target in page.targets():
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            source = os.path.normpath(PurePosixPath(page.source).parent / path) if path else page.source
            if (ROOT / source).is_dir():
                source = f"{source}/README.md"
            linked = self.pages.get(source)
            if source.startswith("examples/") and (self.out / source).is_file():
                continue
            if not linked and (ROOT / source).is_file() and not source.startswith(".."):
                self.files.add((source, element["t"]))
            elif not linked or (anchor and anchor not in linked.anchors):
                what = f"no heading makes the anchor #{anchor}" if linked else "there is no such file"
                self.broken.append(f"{page.source}:{page.line(target)}: broken link {target}: {what}")
                continue
            said = words(element["c"][1])
            if linked and " " not in said and said.endswith(PurePosixPath(target).name):   # on a page its title says more
                element["c"][1] = [{"t": "Str", "c": linked.title.partition(":")[0]}]
            there = source if element["t"] == "Image" else page_of(source)
            element["c"][2][0] = relative(there, page.page) + (f"#{anchor}" if anchor else "")

    def order(self):
        """Pages in the order of reading, by groups: the lessons, and what docs/README.md lists."""
        index = self.pages["docs/README.md"]
        docs = [os.path.normpath(f"docs/{target}") for _, target in index.targets() if target.endswith(".md")]
        missing = [source for source in self.pages if re.fullmatch(r"docs/[^/]+\.md", source) and source not in docs
                   and source != index.source]
        if missing:
            raise Trouble(f"docs/README.md: expected a link to each page, found none to {', '.join(missing)}")
        return [self.lessons(), list(dict.fromkeys(docs))]

    def near(self, page, order):
        for group in order:
            if page.source in group:
                at = group.index(page.source)
                for other, rel, said in ((at - 1, "prev", "Before"), (at + 1, "next", "Next")):
                    if 0 <= other < len(group):
                        yield {"rel": rel, "said": said, "name": self.pages[group[other]].title,
                               "href": relative(page_of(group[other]), page.page)}

    def write(self, page, order):
        heading = page.title
        tables = 0
        blocks = []
        for block in page.document["blocks"]:
            if block["t"] == "Header":
                heading = words(block["c"][2])
            if block["t"] == "Table":
                tables += 1
                label = f"Table {tables}, {heading}".replace("&", "&amp;").replace('"', "&quot;")
                blocks += [raw(f'<section class="scroll" tabindex="0" aria-label="{label}">'), block, raw("</section>")]
            elif block["t"] == "Para" and len(block["c"]) == 1 and block["c"][0]["t"] == "Image":
                label = words(block["c"][0]["c"][1]).replace("&", "&amp;").replace('"', "&quot;")
                blocks += [raw(f'<section class="scroll" tabindex="0" aria-label="Picture: {label[:60]}">'), block, raw("</section>")]
            else:
                blocks.append(block)
        values = {
            "root": "../" * (len(PurePosixPath(page.page).parts) - 1),
            "source": page.source if page.shown else "",
            "near": list(self.near(page, order)),
            "script": page.source == "search.md",
            "home": page.source == "README.md",
            "menu": [{"name": name, "here": source == page.source and not anchor,
                      "href": relative(page_of(source), page.page) + (f"#{anchor}" if anchor else "")}
                     for name, source, anchor in MENU if source in self.pages],
        }
        long = sum(block["t"] == "Header" and block["c"][0] in (2, 3) for block in page.document["blocks"]) >= LONG
        document = {**page.document, "meta": meta({**values, "pagetitle": page.title})["c"], "blocks": blocks}
        made = pandoc(json.dumps(document), "--from", "json", "--to", "html5", "--wrap", "preserve",
                      "--template", str(HERE / "template.html"), *(["--toc", "--toc-depth", "3"] if long else []))
        # A listing that scrolls has to be reached by keys; a table's empty corner is no heading; marks of figures are for sources.
        made = re.sub(r"<pre(?=[\s>])", '<pre tabindex="0"', made)
        made = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", made)
        made = re.sub(r"<a href=\"#cb[^>]*></a>", "", made)
        made = re.sub(r"<!--.*?-->\n?", "", made, flags=re.DOTALL)
        path = self.out / page.page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made)

    def follow_all(self, pages):
        for page in pages:
            self.follow(page)
        if self.broken:
            raise Trouble("\n".join(self.broken))

    def make(self, order):
        for source, kind in sorted(self.files):
            (self.out / source).parent.mkdir(parents=True, exist_ok=True)
            if kind == "Image":
                shutil.copy(ROOT / source, self.out / source)
            else:
                path = PurePosixPath(source)
                text = (ROOT / source).read_text()
                text = pandoc(text, "--from", "man", "--to", "gfm", "--shift-heading-level-by", "1") if path.suffix == ".1" else \
                    f"~~~~~~ {LANGUAGES.get(path.suffix, '')}\n{text}\n~~~~~~\n"
                self.add(source, f"# {path.name}\n\n{text}")
        for page in self.pages.values():
            self.write(page, order)
        index = [[page.page, page.title, page.sections()] for page in self.pages.values() if page.source != "search.md"]
        (self.out / "index.js").write_text(f"const pages = {json.dumps(index, ensure_ascii=False)};\n")


def raw(text):
    return {"t": "RawBlock", "c": ["html", text]}


def meta(value):
    """For the template, as it stands: pandoc reads Markdown in what it is given otherwise."""
    if isinstance(value, dict):
        return {"t": "MetaMap", "c": {key: meta(entry) for key, entry in value.items()}}
    if isinstance(value, list):
        return {"t": "MetaList", "c": [meta(entry) for entry in value]}
    return {"t": "MetaBool" if isinstance(value, bool) else "MetaString", "c": value}


def drills(options):
    """The sheet of `make drill` as Markdown: questions, with answers folded."""
    sheet = subprocess.run([options.build / "cyclelab", "drill", "--sheet", "--questions", str(QUESTIONS), "--seed", str(SEED)],
                           capture_output=True, text=True, check=True).stdout
    said = [(HERE / "drills.txt").read_text(), f"These are from `make drill SHEET=1 QUESTIONS={QUESTIONS} SEED={SEED}`.\n"]
    questions = re.split(r"^(\d+)\. (.*)\n", sheet, flags=re.MULTILINE)
    if len(questions) != 3 * QUESTIONS + 1:
        raise Trouble(f"drill: expected {QUESTIONS} questions, found {len(questions) // 3}")
    for number, question, text in zip(questions[1::3], questions[2::3], questions[3::3]):
        core, _, question = question.partition(": ")
        loop, _, answer = text.partition("The answer is ")
        answer, _, why = answer.partition("\n")
        said.append(f"## {number}. On {core}: {question}\n\n```\n{loop.strip(chr(10))}\n```\n\n<details><summary>Answer</summary>\n\n"
                    f"**{answer.split('. ')[0]}.** {'. '.join(answer.split('. ')[1:])}\n\n```\n{why.rstrip()}\n```\n\n</details>\n")
    return "\n".join(said)


def examples(options, out):
    """The program's own pages in OUT/examples; a reason where there cannot be any."""
    if not shutil.which("aarch64-linux-gnu-gcc"):
        return "there is no compiler for AArch64 here (aarch64-linux-gnu-gcc)"
    folder = out / "examples"
    folder.mkdir()
    program = options.build.resolve() / "cyclelab"
    near_two = "grader/tests/golden/04-accumulators/near-two"

    def run(*arguments, good=(0,)):
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in good:
            raise Trouble(f"{' '.join(map(str, arguments))}: status {done.returncode}\n{done.stdout}{done.stderr}")

    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        run(program, "trace", "4", "--variant", "reference", "--out", folder / "timeline.html")
        run(program, "check", "4", "--on", "qemu", "--src", near_two, "--work", scratch, "--report", f"html:{folder / 'report.html'}",
            good=(0, 1))
        run("sh", "ci/sample-class.sh", f"{scratch}/class")
        run(program, "grade", "3 4", "--on", "qemu", "--submissions", f"{scratch}/class", "--out", f"{scratch}/grades")
        shutil.copytree(f"{scratch}/grades", folder / "class", ignore=shutil.ignore_patterns(".work"))
    return ""


def build(options, out):
    shared = subprocess.run([options.build / "site-drive"], capture_output=True, text=True, check=True).stdout
    (out / MARK).write_text(shared + (HERE / MARK).read_text())
    shutil.copy(HERE / "search.js", out)
    site = Site(out)
    site.add("drills.md", drills(options), shown=False)
    site.add("search.md", (HERE / "search.txt").read_text(), shown=False)
    order = site.order()
    site.follow_all(list(site.pages.values()))
    lacking = examples(options, out)
    if lacking:
        print(f"site: without examples: {lacking}")
    else:
        site.add("examples/README.md", (HERE / "examples.txt").read_text(), shown=False)
        site.follow_all([site.pages["examples/README.md"]])
    site.make(order)
    count, broken = links.check(sorted(out.rglob("*.html")))
    if broken:
        raise Trouble("\n".join(broken))
    return len(site.pages), count


def main():
    parser = argparse.ArgumentParser(description="Makes the site.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="build folder (build)")
    parser.add_argument("--out", type=Path, help="where the site goes (BUILD/site)")
    options = parser.parse_args()
    out = options.out or options.build / "site"
    if out.is_symlink():  # it stays one: what it leads to is replaced
        out = out.resolve()
    if not shutil.which("pandoc"):
        print("site: it takes pandoc: apt-get install pandoc", file=sys.stderr)
        return 2
    if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or (out / MARK).is_file())):
        print(f"site: OUT: expected a new folder, an empty one or an earlier site, found {out} with something else in it", file=sys.stderr)
        return 2
    if not out.absolute().parent.is_dir():
        print(f"site: OUT: there is no folder {out.parent}", file=sys.stderr)
        return 2
    new = Path(tempfile.mkdtemp(prefix=f"{out.name}.", dir=out.absolute().parent))
    try:
        new.chmod(0o755)
        pages, count = build(options, new)
        if out.exists():
            shutil.rmtree(out)
        new.rename(out)
    except Trouble as trouble:
        print(f"site: {trouble}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(new, ignore_errors=True)
    print(f"{pages} pages, {count} links that lead somewhere: open {out}/index.html in a browser")
    return 0


if __name__ == "__main__":
    sys.exit(main())
