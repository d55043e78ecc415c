#!/usr/bin/env python3
"""Does what docs/getting-started.md says from "A project" on, in an empty folder next to an installed Terrane, and compares what is printed.

A block after 'Save this as `NAME`' is a file, one after 'Append this to `NAME`' its end, a block of sh is typed, a block of text is what the last block of sh must have printed at its end.

usage: getting_started.py BUILD_FOLDER C_COMPILER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

GUIDE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "getting-started.md"


def steps(text):
    """('file' or 'more', name, content), ('sh', line, commands) and ('text', line, output) in the order of the guide."""
    at = 0
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        before, at = text[at:match.start()], match.end()
        language, content = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        name = re.search(r"(?:Save (?:this|it) as|(Append) this to) `([^`]+)`[^`]*\Z", before)
        if language in ("sh", "text"):
            yield language, line, content
        elif name:
            yield "more" if name.group(1) else "file", name.group(2), content
        else:
            sys.exit(f"{GUIDE.name}:{line}: this block is no command, no output, and does not say what to save it as")


def run(commands, folder, line):
    """What the commands print; the folder is that in which they end, as in one terminal."""
    result = subprocess.run(["sh", "-e"], input=commands + "\npwd >&2\n", cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{GUIDE.name}:{line}: these commands failed:\n{commands}\n{result.stdout}{result.stderr}")
    return result.stdout, pathlib.Path(result.stderr.strip().split("\n")[-1])


def main(build, compiler):
    os.environ["CC"] = compiler
    os.environ["CMAKE_GENERATOR"] = "Ninja"
    text = GUIDE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "--install", build, "--prefix", folder + "/installed"], check=True, stdout=subprocess.DEVNULL)
        os.symlink(GUIDE.parent.parent, folder + "/terrane")
        folder, printed, compared = pathlib.Path(folder), "", 0
        for kind, name, content in steps(text[text.index("\n## A project\n"):]):
            if kind == "file":
                (folder / name).write_text(content, encoding="utf-8")
            elif kind == "more":
                with open(folder / name, "a", encoding="utf-8") as file:
                    file.write(content)
            elif kind == "sh":
                printed, folder = run(content, folder, name)
            elif not printed.endswith(content):
                sys.exit(f"{GUIDE.name}:{name}: the guide says:\n{content}\nbut it printed:\n{printed}")
            else:
                compared += 1
        if not compared:
            sys.exit(f"{GUIDE.name}: nothing was compared")
        print(f"{compared} programs printed what the guide says")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
