#!/usr/bin/python3
"""Writes what the bindings to other languages declare, from packaging/api/terrane.json.

usage: tools/bindings/generate.py [--check]

With --check it writes nothing, and exits with 1 if a file differs from what it would write. Each back end is a file of this folder whose
make(api) returns the texts of its files by path. Needs Debian's python3-cffi.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import csharp  # noqa: E402
import inline_c  # noqa: E402
import python_cffi  # noqa: E402
import rust  # noqa: E402
from model import Api  # noqa: E402
from public_headers import ROOT  # noqa: E402


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    api, stale = Api(), []
    for backend in (inline_c, python_cffi, rust, csharp):
        for name, text in backend.make(api).items():
            path = os.path.join(ROOT, name)
            if sys.argv[1:] == ["--check"]:
                if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                    stale.append(name)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    if stale:
        sys.exit(f"{', '.join(stale)}: not what the description of the interface says. Type: tools/bindings/generate.py")


if __name__ == "__main__":
    main()
