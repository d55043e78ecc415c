"""A page for each function of the C interface: what the header says about it, and an example of code that is compiled with every change.

Doxygen puts all functions of a header into one page, which stays as it is. site.py calls make_pages() after it.
"""

import html
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Where examples are taken from: the first place that has one.
PLACES = [["examples/*.c"], ["tests/docs/*.c"], ["examples/*.cpp", "examples/*.h*"], ["tests/**/test_*.c"],
          ["tests/**/*.[ch]*", "viewer/**/*.c*", "tools/terrane/*.c", "common/**/*.c", "bench/**/*.c*"],
          ["chunks/**/*.[ch]", "mesher/**/*.[ch]", "save/**/*.[ch]"]]
WHOLE = 30  # lines: a longer function is cut to the paragraph with the call
GOOD = 12  # lines of a good example


def without_comment(line):
    return re.sub(r"//.*", "", line)


def body_around(lines, at):
    """The function at file level with line `at`, as [first, end), or None. Its braces stand at the beginning of lines of their own."""
    opened = next((i for i in range(at, -1, -1) if lines[i] in ("{", "}", "};")), None)
    closed = next((i for i in range(at, len(lines)) if lines[i] == "}"), None)
    if opened is None or closed is None or lines[opened] != "{":
        return None
    first = opened
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].startswith(("/", "}", "#")):
        first -= 1
    return first, closed + 1


def paragraph_around(lines, at, body):
    """The lines around `at` up to empty ones, within a function's."""
    first, end = at, at + 1
    while first > body[0] and lines[first - 1].strip() and at - first < 8:
        first -= 1
    while end < body[1] and lines[end].strip() and end - at < 8:
        end += 1
    return first, end


def dedent(lines):
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[indent:] for line in lines)


class Samples:
    """Finds functions' examples. Every file is read once."""

    def __init__(self):
        self.places, seen = [], set()
        for patterns in PLACES:
            files = sorted({path for pattern in patterns for path in ROOT.glob(pattern)} - seen)
            seen.update(files)
            calls = {}  # name: where it is called
            for path in files:
                lines = path.read_text(encoding="utf-8").split("\n")
                for at, line in enumerate(lines):
                    for name in set(re.findall(r"\b(trn_\w+)\b", without_comment(line))):
                        calls.setdefault(name, []).append((path, lines, at))
            self.places.append(calls)

    def of(self, name):
        """The best example of a function, as (path, code), or None."""
        for calls in self.places:
            found = []
            for path, lines, at in calls.get(name, []):
                body = body_around(lines, at)
                if body is None or re.match(rf"[\w *]*\b{name}\(", lines[body[0]]):  # its own definition
                    continue
                whole = body[1] - body[0] <= WHOLE
                part = body if whole else paragraph_around(lines, at, body)
                called = bool(re.search(rf"\b{name}\(", lines[at]))
                found.append((not called, abs(part[1] - part[0] - GOOD), str(path), at, dedent(lines[part[0]:part[1]])))
            if found:
                best = min(found)
                return pathlib.Path(best[2]).relative_to(ROOT).as_posix(), best[4]
        return None


def section(text, anchor):
    """What a page of Doxygen's says about one function, without its title. One sentence stands in the list of functions alone."""
    begin = text.find(f'<a id="{anchor}" name="{anchor}"></a>\n<h2 class="memtitle">')
    if begin < 0:
        rows = re.findall(rf'<tr class="mem(?:item|desc):{anchor}">.*?</tr>', text, re.S)
        return '<table class="memberdecls">' + re.sub(r' (?:id|name)="\w+"', "", "\n".join(rows)) + "</table>\n"
    begin = text.index("\n", text.index("<h2", begin))
    return text[begin:re.compile(r'<a id="\w+" name="\w+"></a>\n<h2 class="memtitle">|<h2 class="groupheader">|</div><!-- contents -->').search(text, begin).start()]


def page(text, anchor, name, header, sample, site):
    """The page of one function, from that of its header."""
    path, code = sample
    copy = "page_" + re.sub(r"[^a-z0-9]+", "_", path.lower()) + ".html"
    place = f'<a href="{copy}">{path}</a>' if (site / copy).exists() else f"<code>{path}</code>"
    head, foot = text[:text.index('<div class="header">')], text[text.index("</div><!-- contents -->"):]
    head = re.sub(r"<title>[^<]*</title>", f"<title>Terrane: {name}</title>", head)
    return (f'{head}<div class="header"><div class="headertitle"><div class="title">{name}</div></div></div>\n<div class="contents">\n'
            f"<p><code>#include &lt;{header}&gt;</code></p>\n{section(text, anchor)}"
            f'<h2 class="groupheader">Example</h2>\n<p>From {place}, which is compiled with every change:</p>\n'
            f'<pre class="fragment">{html.escape(code, quote=False)}</pre>\n{foot}')


def make_pages(site, addresses):
    """Writes the pages, and has Doxygen's lists and its search lead to them. Returns the new address of each function, and those without an example."""
    samples, new, lacking, headers = Samples(), {}, [], {}
    for name, address in addresses.items():
        file, _, anchor = address.partition("#")
        if not re.fullmatch(r"trn_\w+", name) or not anchor:
            continue
        text = headers.setdefault(file, (site / file).read_text(encoding="utf-8"))
        sample = samples.of(name)
        if sample is None:
            lacking.append(name)
            continue
        header = next(header for header, its in addresses.items() if its == file and header.startswith("terrane/"))
        (site / f"{name}.html").write_text(page(text, anchor, name, header, sample, site), encoding="utf-8")
        new[name] = f"{name}.html"
    moved = {addresses[name]: address for name, address in new.items()}
    for file, text in headers.items():
        text = re.sub(r"</span>(trn_\w+)\(\)</h2>", lambda match: f'</span><a href="{new[match.group(1)]}">{match.group(1)}()</a></h2>'
                      if match.group(1) in new else match.group(0), text)
        (site / file).write_text(text, encoding="utf-8")
    for path in [*site.glob("search/*.js"), *site.glob("globals*.html")]:
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\w+_8h\.html#\w+", lambda match: moved.get(match.group(0), match.group(0)), text), encoding="utf-8")
    return new, lacking
