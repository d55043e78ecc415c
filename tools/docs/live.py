"""Pictures of the guides that the viewer's page takes the place of: live.js shows it where a reader clicks.

docs/web.md describes the comment that marks such a picture. Where build/web does not exist, the picture stays a picture.
"""

import html
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "build" / "web"
FOLDER = "viewer"  # of the site
NEEDED = ["index.html", "storage.js", "bench.js", "page.js", "page.css", "terrane.js", "terrane.wasm"]
SCRIPT = "live.js"
LABEL = "Fly here"

PICTURE = r"!\[[^][]*\]\([^) ]+\)|<img [^>]*>"
COMMENT = re.compile(rf"({PICTURE})?\s*<!--\s*page:\s*(.*?)\s*-->", re.S)
NUMBER = r"-?\d+(?:\.\d+)?"
PLACE = re.compile(rf"(\w+)(?:@\d+)?/\d+/{NUMBER}(?:,{NUMBER}){{4}}/\d+(?:\.\d+)?")


def is_built():
    return all((PAGE / name).is_file() for name in NEEDED)


def copy(site):
    """The page without the compressed twins, which only servers set up for them send."""
    shutil.copytree(PAGE, site / FOLDER, ignore=shutil.ignore_patterns("*.gz"))


def address_fault(address):
    """@return what is wrong with an address such as ?view-distance=8#islands/42/100,90,-40,180,-10/9.5, or None"""
    match = re.fullmatch(r"(?:\?([^#\s]*))?(?:#(\S+))?", address)
    if not match or not address:
        return "it does not begin with ? or #"
    query, place = match.groups()
    known = re.findall(r"'([\w-]+)'", (ROOT / "viewer" / "web" / "page.js").read_text(encoding="utf-8"))
    for pair in query.split("&") if query else []:
        if pair.partition("=")[0] not in known:
            return f"page.js does not know '{pair}'"
    found = PLACE.fullmatch(place) if place else None
    if place and not found:
        return "its place is not preset/seed/x,y,z,yaw,pitch/time"
    if found and not (ROOT / "assets" / "terrain" / f"{found.group(1)}.terrain").is_file():
        return f"there is no preset '{found.group(1)}'"
    return None


def mark(text, fail):
    """Makes a marked picture a link to the page, and removes the comment.
    @param fail  called with a sentence for each comment that cannot be followed"""
    def replace(match):
        picture, words = match.groups()
        address, _, label = words.partition(" ")
        fault = address_fault(address) if picture else "no picture stands before it"
        if fault:
            fail(f"the comment 'page: {words}' cannot be followed: {fault}")
        if fault or not is_built():
            return picture or ""
        link = html.escape(f"{FOLDER}/index.html{address}").replace("@", "%40")  # a command of Doxygen's
        return f'<a class="live" title="{html.escape(label or LABEL)}" href="{link}">{picture}</a>'
    return COMMENT.sub(replace, text)


def add_script(text):
    """Lets a page with such pictures load the script."""
    if 'class="live"' not in text:
        return text
    return text.replace("</head>", f'<script type="text/javascript" src="{SCRIPT}" defer="defer"></script>\n</head>', 1)
