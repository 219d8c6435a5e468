#!/usr/bin/env python3
"""links.py PAGE...: does each link of these HTML files lead somewhere? A file that is not there, an anchor that the other page
does not have, an id that comes twice, and whatever a page would load from a network are told with file and line.

Exit status: 0 all is well; 1 something is not.
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data")}


class Links(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.twice, self.links = set(), [], []
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attrs):
        line = self.getpos()[0]
        for name, value in attrs:
            if name == "id":
                if value in self.ids:
                    self.twice.append((line, value))
                self.ids.add(value)
            elif (tag, name) in LOADS or (tag, name) in {("a", "href"), ("form", "action")}:
                self.links.append((line, value or "", (tag, name) in LOADS))


def check(paths):
    """(how many links there are, what is wrong)"""
    known, broken, count = {}, [], 0

    def page(path):
        if path not in known:
            known[path] = Links(path)
        return known[path]

    for path in (Path(path).resolve() for path in paths):
        broken += [f"{path}:{line}: the id {name} comes twice" for line, name in page(path).twice]
        for line, target, loads in page(path).links:
            count += 1
            parts = urlsplit(target)
            if parts.scheme == "data" or (parts.scheme in ("http", "https", "mailto") and not loads):
                continue
            if parts.scheme or parts.netloc:
                broken.append(f"{path}:{line}: expected a relative address, found {target}")
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not there.is_file():
                broken.append(f"{path}:{line}: broken link {target}: there is no such file")
            elif parts.fragment and there.suffix == ".html" and unquote(parts.fragment) not in page(there).ids:
                broken.append(f"{path}:{line}: broken link {target}: the page has no such anchor")
    return count, broken


if __name__ == "__main__":
    found, wrong = check(sys.argv[1:])
    print("\n".join(wrong + [f"{found} links in {len(sys.argv) - 1} pages"]))
    sys.exit(1 if wrong else 0)
