#!/usr/bin/env python3
"""Prints docs/results/fuzz-coverage.md: which lines the inputs of the fuzz targets reach.

Reads what `llvm-cov export -summary-only` writes from standard input. tools/fuzz.sh --coverage calls it.
"""
import datetime
import json
import os
import sys
from collections import defaultdict

PARTS = ("chunks", "mesher", "save", "common", "viewer", "bench")


def main():
    root = os.getcwd()
    folders = defaultdict(list)
    for file in json.load(sys.stdin)["data"][0]["files"]:
        path = os.path.relpath(file["filename"], root)
        lines = file["summary"]["lines"]
        if path.split(os.sep)[0] in PARTS and lines["covered"]:  # the others are linked alone
            folder, name = os.path.split(path)
            folders[folder].append((name, lines["covered"], lines["count"]))
    print("# Results: lines that fuzzing reaches\n\n`tools/fuzz.sh --coverage` writes this file. Inputs: `tests/fuzz/corpus` and `build/fuzz/corpus`, on "
          f"{datetime.date.today()}. Files without a reached line are left out.\n")
    print("| folder | lines reached | by file, in percent |")
    print("|---|---|---|")
    for folder, files in sorted(folders.items()):
        covered, count = sum(f[1] for f in files), sum(f[2] for f in files)
        by_file = ", ".join(f"{name} {100 * reached // lines}" for name, reached, lines in sorted(files))
        print(f"| `{folder}` | {covered:,} of {count:,} ({100 * covered // count} %) | {by_file} |")


if __name__ == "__main__":
    main()
