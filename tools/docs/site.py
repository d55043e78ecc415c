#!/usr/bin/env python3
"""Prepares what Doxygen reads and finishes what it wrote. Called by tools/docs.sh.

usage: tools/docs/site.py prepare   headers, guides and linked files, as Doxygen understands them, into build/docs/input
       tools/docs/site.py finish    a page for each function, with an example; links every name of the API to its place; checks links and
                                   undocumented names
"""

import html
import pathlib
import re
import shutil
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

import functions
import live

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "build" / "docs"
INPUT = OUT / "input"
SITE = OUT / "site"
HEADER_FOLDERS = ["chunks/include/terrane", "mesher/include/terrane", "save/include/terrane",
                  "save/shared/include/terrane", "save/import/include/terrane"]
# Pages with an address of their own. All other Markdown gets that of its file's name.
PAGES = {"README.md": "mainpage", "docs/README.md": "guides", "bench/README.md": "bench"}
PICTURES = (".jpg", ".png", ".svg")

problems = []


def headers():
    """The public headers."""
    return sorted(path for folder in HEADER_FOLDERS for path in (ROOT / folder).glob("*.h*"))


def documents():
    """The Markdown of the site."""
    names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"]
    return [ROOT / name for name in names] + sorted((ROOT / "docs").glob("**/*.md"))


# ---- headers -----------------------------------------------------------------------------------

LABEL = re.compile(r"\b((?:Errors|Threads|Cost)\b[^:.;]{0,40}:)(?= |$)")


def prepare_comment(lines):
    """One block of /// comments: what follows a parameter or a return value becomes a paragraph of its own."""
    result, section = [], None
    for line in lines:
        indent, text = re.match(r"(\s*)///(.*)", line).groups()
        command = re.match(r" @(param|return)", text)
        begins = section == "param" and re.match(r" \S", text) or section == "return" and re.match(r" (?=[A-Z])", text)
        if command:
            section = command.group(1)
        elif begins:
            result.append(indent + "///")
            section = None
        elif re.match(r" (Errors|Threads|Cost)\b", text):
            result.append(indent + "///")
        if not text.strip():
            section = None
        elif not text.startswith("    ") or section:
            text = LABEL.sub(r"**\1**", text)
        result.append(indent + "///" + text)
    return result


def refer_to_c(lines):
    """Methods of the C++ wrapper without a comment get one: which C function they call, or pass on to be called. Its comment is theirs, says terrane.hpp."""
    comments = {}
    for i, line in enumerate(lines):
        indent = line[:-1]
        if not re.fullmatch(r" *{", line):
            continue
        start = i - 1
        while lines[start].startswith(indent + " ") or re.match(indent + r"template\b", lines[start - 1]):
            start -= 1
        called = re.search(r"\btrn_\w+(?=[(,])", "\n".join(lines[i:lines.index(indent + "}", i)]))
        if called and not lines[start - 1].strip().startswith("//"):
            comments[start] = f"{indent}/// Calls {called.group(0)}."
    return [text for i, line in enumerate(lines) for text in ([comments[i]] if i in comments else []) + [line]]


def prepare_header(path):
    """A header, with its first comment as the file's, and sections as Doxygen knows them."""
    result, block = ["/// @file"], []
    lines = path.read_text(encoding="utf-8").split("\n")
    for line in refer_to_c(lines) if path.suffix == ".hpp" else lines:
        if re.match(r"\s*///(?!<)", line):
            block.append(line)
            continue
        result += prepare_comment(block)
        block = []
        result.append(line)
    target = INPUT / "terrane" / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(result), encoding="utf-8")


# ---- guides ------------------------------------------------------------------------------------

def page_id(path):
    """The address of a page."""
    name = path.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    stem = name[len("docs/"):-len(".md")] if name.startswith("docs/") else name
    return "page_" + re.sub(r"[^a-z0-9]+", "_", stem.lower().removesuffix(".md"))


def slug(heading):
    """The anchor that a heading has on the usual hosts of repositories."""
    text = re.sub(r"\[([^][]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def unique(fragment, taken):
    """An anchor that a page does not have yet, numbered as the usual hosts do."""
    number, result = 0, fragment
    while result in taken:
        number += 1
        result = f"{fragment}-{number}"
    taken.add(result)
    return result


def anchors(path):
    taken = set()
    for text in re.findall(r"^#+ (.+)$", without_code(path), re.M):
        unique(slug(text), taken)
    return taken


def anchor_id(page, fragment):
    """The anchor's address on the site, where anchors of all pages share their names."""
    return page + "-" + fragment


class Guides:
    """Translates Markdown, and remembers which files and pictures it links to."""

    def __init__(self):
        self.documents = documents()
        self.anchors = {path: anchors(path) for path in self.documents}
        self.files = {}

    def fail(self, path, link):
        problems.append(f"{path.relative_to(ROOT)}: the link to '{link}' leads nowhere")

    def target(self, path, link):
        """Where a link leads on the site: an address, or None for a folder, which the site does not show."""
        address, _, fragment = link.partition("#")
        if re.match(r"[a-z]+:", address):
            return link
        file = (path.parent / urllib.parse.unquote(address)).resolve() if address else path
        if file == ROOT / "examples":
            return "examples.html"
        if not file.exists() or ROOT not in [file, *file.parents]:
            self.fail(path, link)
            return None
        if file.is_dir():
            return None
        if file in self.documents:
            page = page_id(file)
            if fragment and fragment not in self.anchors[file]:
                self.fail(path, link)
            name = "index" if page == "mainpage" else page
            return name + ".html" + ("#" + anchor_id(page, fragment) if fragment else "")
        if file.parent.relative_to(ROOT).as_posix() in HEADER_FOLDERS:
            return file.name.replace("_", "__").replace(".", "_8") + ".html"
        if file.suffix in PICTURES:
            self.copy_picture(file)
            return self.picture(file)
        self.files[file] = page_id(file)
        return self.files[file] + ".html"

    def picture(self, file):
        return file.relative_to(ROOT / "docs").as_posix()

    def copy_picture(self, file):
        copy = SITE / self.picture(file)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)

    def link(self, path, match):
        bang, text, link = match.groups()
        target = self.target(path, link)
        if target is None:
            return text
        if bang:
            return f'<img src="{target}" alt="{html.escape(text)}"/>'
        return f'<a href="{target}">{text}</a>'

    def translate_text(self, path, text):
        """Markdown outside code blocks."""
        parts = re.split(r"(`[^`]*`)", text)  # code in the line is left alone, links around it are not
        codes = parts[1::2]
        text = "".join(part if i % 2 == 0 else f"\0{i // 2}\0" for i, part in enumerate(parts))
        text = live.mark(text, lambda sentence: problems.append(f"{path.relative_to(ROOT)}: {sentence}"))
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        text = re.sub(r'<img src="([^"]+)"', lambda match: f'<img src="{self.target(path, match.group(1))}"', text)
        text = re.sub(r"(!?)\[([^][]*)\]\(([^) ]+)\)", lambda match: self.link(path, match), text)
        text = re.sub(r"([@\\])", r"\\\1", text)
        return re.sub("\0(\\d+)\0", lambda match: inline_code(codes[int(match.group(1))]), text)

    def translate(self, path):
        page = page_id(path)
        blocks = re.split(r"^(```.*?^```$)", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        result, taken = [], set()
        for i, block in enumerate(blocks):
            if i % 2:
                language, _, code = block[3:].partition("\n")
                suffix = "." + language if language in ("c", "cpp", "py") else ".unparsed"
                result.append("```{" + suffix + "}\n" + code)
                continue
            lines = self.translate_text(path, block).split("\n")
            result.append("\n".join(heading(page, line, taken) for line in lines))
        text = "".join(result)
        if text.count("\n## ") > 3 and page != "mainpage":
            text = text.replace("\n", "\n\n[TOC]\n", 1)
        write_page(page, text)


def without_code(path):
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def inline_code(code):
    """Code in a line. Doxygen ends a single backtick's code at an apostrophe."""
    return f"``{code[1:-1]}``"


def heading(page, line, taken):
    match = re.match(r"(#+) (.+)$", line)
    if not match:
        return line
    marks, text = match.groups()
    plain = html.unescape(re.sub(r"<[^>]*>", "", text))
    fragment = unique(slug(plain), taken)
    return f"{marks} {plain} {{#{page if marks == '#' else anchor_id(page, fragment)}}}"


def write_page(page, text):
    (INPUT / f"{page}.md").write_text(text, encoding="utf-8")


def prepare_files(files):
    """Files that guides link to, such as examples, as pages of their own, and the list of examples."""
    for file, page in sorted(files.items()):
        language = {".c": ".c", ".h": ".c", ".cpp": ".cpp", ".py": ".py"}.get(file.suffix, ".unparsed")
        name = file.relative_to(ROOT).as_posix()
        text = file.read_text(encoding="utf-8").rstrip()
        write_page(page, f"# {name} {{#{page}}}\n\n```{{{language}}}\n{text}\n```\n")


def prepare_examples(guides):
    """The list of examples; each says what it does in the sentence at its top."""
    lines = ["# Examples {#examples}", "", "Each example is one file and does one thing.", ""]
    for path in sorted((ROOT / "examples").glob("*.c*")):
        first = re.match(r"(?:// .*\n)+", path.read_text(encoding="utf-8")).group(0)
        sentence = re.sub(r"\n// ", " ", first[3:].strip()).partition(". ")[0].rstrip(".")
        guides.files[path] = page_id(path)
        lines.append(f'- <a href="{page_id(path)}.html">{path.name}</a>: {sentence}.')
    write_page("examples", "\n".join(lines) + "\n")


def prepare():
    INPUT.mkdir(parents=True)
    SITE.mkdir(parents=True)
    for path in headers():
        prepare_header(path)
    guides = Guides()
    for path in guides.documents:
        guides.translate(path)
    prepare_examples(guides)
    prepare_files(guides.files)
    if live.is_built():
        live.copy(SITE)
    else:
        print("The guides show pictures alone; tools/web.sh would build the page that flies in them.")


# ---- what Doxygen wrote ------------------------------------------------------------------------

# What C++ itself gives a meaning (iterators, ranges, containers), and c(), which the first comment of terrane.hpp explains.
STANDARD_NAMES = {"c", "c_type", "begin", "end", "size", "empty", "data", "iterator_category", "value_type", "element_type", "difference_type", "pointer", "reference"}


def is_plain(member, owner):
    """Whether a member of a C++ class needs no words: private, or of a form that the language knows."""
    name = member.findtext("name") or ""
    kind = owner.split("<")[0].split("::")[-1].strip()
    return (member.get("prot") != "public" or name in STANDARD_NAMES or name.startswith(("operator", "~")) or name in (kind, "Owned", "Borrowed"))


def is_described(element):
    return any("".join(element.find(name).itertext()).strip() for name in ("briefdescription", "detaileddescription"))


def check_documented():
    """Every public function, type, field, constant and macro has a description."""
    for path in sorted((OUT / "xml").glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().findall("compounddef"):
            if compound.get("kind") in ("page", "dir") or compound.findtext("compoundname").endswith("::Iterator"):
                continue
            owner = compound.findtext("compoundname")
            if owner.endswith(".md"):
                continue
            if compound.get("kind") != "namespace" and not is_described(compound):
                problems.append(f"{owner} is not documented")
            described = {member.findtext("name") for member in compound.iter("memberdef") if is_described(member)}  # one overload for all
            for member in compound.iter("memberdef"):
                name = member.findtext("name") or "an enum"
                if name not in described and not is_plain(member, owner):
                    problems.append(f"{owner}: {name} is not documented")
                for value in member.iter("enumvalue"):
                    if not is_described(value):
                        problems.append(f"{owner}: {value.findtext('name')} is not documented")


def symbols():
    """Every name of the API, and the address of its description."""
    result = {}
    for compound in ElementTree.parse(OUT / "terrane.tag").getroot().findall("compound"):
        if compound.get("kind") in ("struct", "class", "union"):
            result[compound.findtext("name")] = compound.findtext("filename").removesuffix(".html") + ".html"
    for compound in ElementTree.parse(OUT / "terrane.tag").getroot().findall("compound"):
        if compound.get("kind") == "file" and not compound.findtext("name").endswith(".md"):
            result["terrane/" + compound.findtext("name")] = compound.findtext("filename").removesuffix(".html") + ".html"
            for member in compound.findall("member"):
                address = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
                result.setdefault(member.findtext("name"), address)
    return result


NAME = re.compile(r"\b(?:(?:trn|TRN|Trn)\w+|terrane/\w+\.h(?:pp)?)\b")


def link_names(text, addresses, own):
    """Makes a link of every name of the API, except inside links, titles and scripts."""
    result, closed_by = [], []
    for part in re.split(r"(<[^>]*>)", text):
        tag = re.match(r"<(/?)(a|head|script|title|h1|h2|h3|style)\b", part)
        if tag and tag.group(1):
            if closed_by and closed_by[-1] == tag.group(2):
                closed_by.pop()
        elif tag and not part.endswith("/>"):
            closed_by.append(tag.group(2))
        elif not part.startswith("<") and not closed_by:
            part = NAME.sub(lambda match: link_name(match.group(0), addresses, own), part)
        result.append(part)
    return "".join(result)


def link_name(name, addresses, own):
    address = addresses.get(name)
    return f'<a class="el" href="{address}">{name}</a>' if address and address != own else name


def check_links(pages):
    """Every local link and picture exists, and nothing is loaded from the network."""
    places = {name: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for name, text in pages.items()}
    for page, text in pages.items():
        for kind, link in re.findall(r'\b(href|src)="([^"]*)"', text):
            if re.match(r"(https?|mailto):", link):
                if kind == "src" or re.search(r"<link[^>]*" + re.escape(link), text):
                    problems.append(f"{page}: loads '{link}' from the network")
                continue
            if link.startswith("javascript:") or not link:
                continue
            name, _, fragment = html.unescape(link).partition("#")
            name = urllib.parse.unquote(name.partition("?")[0]) or page
            if name in pages:
                if fragment and fragment not in places[name]:
                    problems.append(f"{page}: the link to '{link}' leads nowhere")
            elif not (SITE / name).exists():
                problems.append(f"{page}: the link to '{link}' leads nowhere")


def finish():
    check_documented()
    addresses = symbols()
    function_pages, lacking = functions.make_pages(SITE, addresses)
    problems.extend(f"{name} has no example: call it in a test" for name in lacking)
    addresses.update(function_pages)
    pages = {}
    for path in sorted(SITE.glob("*.html")):
        text = live.add_script(link_names(path.read_text(encoding="utf-8"), addresses, path.name))
        path.write_text(text, encoding="utf-8")
        pages[path.name] = text
    check_links(pages)
    print(f"{len(pages)} pages, {len(addresses)} names of the API, {len(function_pages)} functions with an example")


def main(arguments):
    commands = {"prepare": prepare, "finish": finish}
    if len(arguments) != 1 or arguments[0] not in commands:
        sys.exit(__doc__)
    commands[arguments[0]]()
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"site.py: {len(problems)} problems")


main(sys.argv[1:])
