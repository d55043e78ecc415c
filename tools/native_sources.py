#!/usr/bin/env python3
"""Writes all that libterrane is built from into one folder: for packages of other languages that bring the library as source.

usage: tools/native_sources.py FOLDER

terrane.c, terrane.h   chunks and mesher (tools/single_file.py)
save/                  the sources of save, with the private headers that they include
include/               the public headers
inline.c               inline functions and sizes (tools/bindings/generate.py)

Build it with: cc -O2 -shared -fPIC -fvisibility=hidden -DTRN_SHARED -DTRN_EXPORTS -Iinclude -Isave terrane.c save/*.c inline.c
    $(pkg-config --cflags --libs sqlite3 libzstd libxxhash) -lpthread -lm -o libterrane.so
"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = ("chunks", "mesher", "save")


def copy(source, folder, name):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(source, path)


def private_headers(path, done):
    """What a file of save/ includes, as it names it, with what that includes."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
    for name in names:
        for folder in (os.path.dirname(path), f"{ROOT}/save", f"{ROOT}/chunks"):
            found = os.path.normpath(f"{folder}/{name}")
            if os.path.exists(found):
                relative = os.path.relpath(found, f"{ROOT}/save" if found.startswith(f"{ROOT}/save/") else f"{ROOT}/chunks")
                if relative not in done:
                    done[relative] = found
                    private_headers(found, done)
                break
        else:
            sys.exit(f"native_sources.py: {path} includes {name}, which is not there.")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    folder, headers = sys.argv[1], {}
    subprocess.run([sys.executable, f"{ROOT}/tools/single_file.py", folder], check=True)
    os.remove(f"{folder}/terrane.hpp")
    for library in LIBRARIES:
        for place, _, names in os.walk(f"{ROOT}/{library}/include/terrane"):
            for name in names:
                if name.endswith(".h"):
                    path = os.path.join(place, name)
                    copy(path, folder, os.path.relpath(path, f"{ROOT}/{library}"))
    for name in sorted(os.listdir(f"{ROOT}/save")):
        if name.endswith(".c"):
            private_headers(f"{ROOT}/save/{name}", headers)
            copy(f"{ROOT}/save/{name}", folder, f"save/{name}")
    for name, path in headers.items():
        copy(path, folder, f"save/{name}")
    copy(f"{ROOT}/packages/native/inline.c", folder, "inline.c")
    copy(f"{ROOT}/LICENSE", folder, "LICENSE")


if __name__ == "__main__":
    main()
