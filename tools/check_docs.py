#!/usr/bin/env python3
"""Holds the guides against what they describe. Needs nothing but Python.

- Every block of C or C++ in README.md and the guides stands, line for line, in a file that the build compiles: an example, a file of
  tests/docs, or the test of generators as games have them. A line "// ..." leaves something out. getting-started.md is exempt: tests/docs/getting_started.py types and runs it.
- docs/building.md lists every CMake option with its default, and every preset.
- The rows of docs/tools.md name options that the tables of tools/terrane have.
- docs/README.md lists every guide. (tools/check_surface.py checks the lists of docs/api.md.)

usage: tools/check_docs.py
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILED = ("examples/*.c", "examples/*.h", "examples/*.cpp", "examples/*.hpp", "tests/docs/*.c", "tests/docs/*.cpp", "tests/stream/test_own_generators.c")
RUN_BY_TEST = "docs/getting-started.md"
LEFT_OUT = "// ..."


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def names(*patterns):
    return sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern))


# ---- code --------------------------------------------------------------------------------------

def stripped(lines):
    return [line.strip() for line in lines if line.strip()]


def find(part, lines, start):
    """Where a list of lines stands in another, at or after a place; -1 if nowhere."""
    for at in range(start, len(lines) - len(part) + 1):
        if lines[at:at + len(part)] == part:
            return at
    return -1


def stands_in(block, lines):
    """Whether the parts of a block, between what it leaves out, stand in these lines in their order."""
    at, part = 0, []
    for line in stripped(block) + [LEFT_OUT]:
        if line != LEFT_OUT:
            part.append(line)
            continue
        found = find(part, lines, at)
        if found < 0:
            return False
        at, part = found + len(part), []
    return True


def code_problems():
    compiled = [stripped(read(name).split("\n")) for name in names(*COMPILED)]
    for name in names("README.md", "docs/*.md", "bench/README.md"):
        if name == RUN_BY_TEST:
            continue
        text = read(name)
        for match in re.finditer(r"^```(?:c|cpp)\n(.*?)^```$", text, re.M | re.S):
            if not any(stands_in(match.group(1).split("\n"), lines) for lines in compiled):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: this code stands in no file of examples/ or tests/docs/."


# ---- options and presets -----------------------------------------------------------------------

def rows(section):
    """The first two cells of each row of a section of building.md; a row may be about several names."""
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", read("docs/building.md"), re.M | re.S)
    lines = text.group(1).split("\n") if text else []
    cells = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]
    return {name: row[1] for row in cells for name in row[0].replace("`", "").split(", ")}


def options():
    """Every option of the CMake files and its default, as building.md writes it."""
    texts = "\n".join(read(name) for name in names("CMakeLists.txt", "*/CMakeLists.txt", "cmake/*.cmake", "tools/*/CMakeLists.txt"))
    texts = re.sub(r"^\s*#.*$", "", texts, flags=re.M)
    found = re.findall(r'\boption\(\s*(TERRANE_\w+)\s+"[^"]*"\s+([^)\s]+)\s*\)', texts)
    found += re.findall(r'\bset\(\s*(TERRANE_\w+)\s+"?([^"\s)]*)"?\s+CACHE\s+(?!INTERNAL)', texts)
    is_top = {"${PROJECT_IS_TOP_LEVEL}", "${TERRANE_TOP_LEVEL}"}
    words = {**dict.fromkeys(is_top, "ON, OFF inside a game"), "": "empty"}
    return {name: words.get(default, "computed" if "$" in default else default) for name, default in found}


def option_problems():
    described, existing = rows("Options"), options()
    for name, default in existing.items():
        if described.get(name) != default:
            yield f"docs/building.md: the row of {name} must say '{default}' and says '{described.get(name, 'nothing')}'."
    for name in described.keys() - existing.keys():
        if name.startswith("TERRANE_"):
            yield f"docs/building.md: no CMake file has the option {name}."
    presets = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"] if not preset.get("hidden")}
    for name in presets ^ rows("Presets").keys():
        yield f"docs/building.md and CMakePresets.json do not both have the preset {name}."


def tool_problems():
    """Options in the tables of tools.md that no table of options has."""
    sources = "\n".join(read(name) for name in names("tools/terrane/*.[ch]", "common/terrain_choice.h"))
    existing = set(re.findall(r'\.name = "([\w-]+)"|\{[A-Z]+, "([\w-]+)"', sources))
    existing = {name for pair in existing for name in pair} | {"help", "version"}
    for line in read("docs/tools.md").split("\n"):
        for name in re.findall(r"`--([a-z][a-z-]*)", line if line.startswith("|") else ""):
            if name not in existing:
                yield f"docs/tools.md: terrane has no option --{name}."


# ---- the list of guides ------------------------------------------------------------------------

def list_problems():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", read("docs/README.md")))
    for name in names("docs/*.md"):
        if name != "docs/README.md" and pathlib.Path(name).name not in linked:
            yield f"docs/README.md does not list {name}."


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    problems = [*code_problems(), *option_problems(), *tool_problems(), *list_problems()]
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)


main()
