#!/usr/bin/env python3
"""Reads, merges and dates the figures in bench/results/, a file for each topic of terrane-bench.

usage: tools/bench_results.py noisy FILE             prints a --filter for what must be measured again; nothing if all is steady
       tools/bench_results.py merge OUT FILE...      merges runs of one topic: the first in full, the others with such filters

A question about a world is taken whole from the run in which it is steadier, so that its ratios compare figures of one run. A file of
merged runs has a column `run`, and for each run a row `environment,run N` with the text of FILE.load: when it ran, and beside what load.
"""

import csv
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
NOISY = 0.15  # rows that spread more are measured again
SCENES_MAX = 40  # that a filter names one by one

COMMENT = "^[[:space:]]*//"  # lines that may change without making figures stale

# What a topic measures: its figures are stale once code of these folders has changed.
MEASURES = {
    "blocks": ["bench/blocks", "chunks/voxels", "chunks/fluid", "chunks/ticks", "mesher"],
    "far": ["bench/far", "chunks/far", "chunks/stream", "chunks/terrain", "mesher"],
    "game": ["bench/game", "examples/game_loop.hpp", "examples/game_worlds.hpp", "chunks/index", "chunks/store", "chunks/light", "mesher"],
    "growth": ["bench/growth", "chunks/index", "chunks/array"],
    "index": ["bench/index", "bench/contenders", "chunks/index", "chunks/array"],
    "light": ["bench/light", "chunks/light", "mesher"],
    "lookup": ["bench/lookup", "bench/contenders", "chunks/index", "chunks/array"],
    "mesher": ["bench/mesher", "mesher"],
    "pools": ["bench/pools", "chunks/pool"],
    "save": ["bench/save", "save", ":!save/shared", ":!save/import"],
    "shared": ["bench/shared", "save/shared"],
    "store": ["bench/store", "chunks/store", "chunks/edits", "chunks/voxels", "chunks/physics"],
    "stream": ["bench/stream", "chunks/stream", "chunks/store"],
    "terrain": ["bench/terrain", "chunks/terrain"],
    "voxels": ["bench/voxels", "chunks/voxels"],
}


# ---- reading -----------------------------------------------------------------------------------

def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def environment_of(rows):
    return {row["question"]: row["world"] for row in rows if row["row"] == "environment"}


def topics():
    return sorted(path.stem for path in RESULTS.glob("*.csv"))


# ---- merging runs ------------------------------------------------------------------------------

def spread(row):
    """0 for a row of one sample, which has none."""
    return float(row["spread"] or 0)


def scenes_of(rows):
    """(question, world) -> rows of its contenders."""
    scenes = {}
    for row in rows:
        if row["row"] == "entry":
            scenes.setdefault((row["question"], row["world"]), []).append(row)
    return scenes


def noise(rows):
    return sum(spread(row) > NOISY for row in rows), sum(map(spread, rows))


def noisy_filter(rows):
    """A regular expression for "question | world | contender" that passes all noisy scenes. If they are many, all worlds of a question."""
    noisy = [scene for scene, entries in scenes_of(rows).items() if noise(entries)[0]]
    names = [" | ".join(scene) for scene in noisy] if len(noisy) <= SCENES_MAX else dict.fromkeys(question for question, _ in noisy)
    return "^(" + "|".join(re.sub(r"([][\\.^$*+?(){}|])", r"\\\1", name) for name in names) + ") \\|" if noisy else ""


def steadier(old, new):
    """Whether a scene of a later run takes the place of an earlier one: it has all figures, and is steadier."""
    measured = {row["contender"] for row in new if row["median"]}
    return all(row["contender"] in measured for row in old if row["median"]) and noise(new) < noise(old)


def percent_within(spreads, share):
    """As percentile() of percentiles.cpp."""
    return 100 * spreads[max(math.ceil(share * len(spreads)) - 1, 0)]


def steadiness(rows):
    """As report_files.cpp words it, of the rows that were kept."""
    spreads = sorted(float(row["spread"]) for row in rows if row["row"] == "entry" and row["spread"])
    if not spreads:
        return "no row has several samples"
    return f"half of the rows within {percent_within(spreads, 0.5):.1f} %, nine tenths within {percent_within(spreads, 0.9):.1f} %"


def merged(runs):
    """The rows of the first run; those of later runs where they are steadier."""
    for number, run in enumerate(runs, 1):
        for row in run:
            row["run"] = number if row["row"] != "environment" else ""
    scenes, targets = scenes_of(runs[0]), {(row["world"], row["question"]): row for row in runs[0] if row["row"] == "target"}
    for run in runs[1:]:
        for scene, new in scenes_of(run).items():
            if scene in scenes and steadier(scenes[scene], new):
                scenes[scene] = new
        for row in run:
            old = targets.get((row["world"], row["question"])) if row["row"] == "target" and row["median"] else None
            if old and NOISY < spread(old) > spread(row) > 0:
                targets[row["world"], row["question"]] = row
    surroundings = [row for row in runs[0] if row["row"] == "environment"]
    entries = [row for scene in scenes.values() for row in scene]
    for row in surroundings:
        if row["question"] == "steadiness":
            row["world"] = steadiness(entries)
    return surroundings, entries, list(targets.values())


def write_merged(path, files):
    runs = [rows_of(file) for file in files]
    surroundings, entries, targets = merged(runs)
    for number, file in enumerate(files, 1):
        load = pathlib.Path(file).with_suffix(".load").read_text(encoding="utf-8").strip()
        surroundings.append({"row": "environment", "question": f"run {number}", "world": load})
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(runs[0][0]), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(surroundings + entries + targets)


# ---- how old the figures are -------------------------------------------------------------------

def git(*arguments):
    """What git prints; None if it fails or is missing."""
    try:
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, check=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def why_unknown():
    """Why the age of figures cannot be told; empty if it can."""
    shallow = git("rev-parse", "--is-shallow-repository")
    return {"false": "", "true": "this clone is shallow (type: git fetch --unshallow)"}.get(shallow, "there is no git history here")


def stale(topic, environment):
    """What has changed since a topic was measured: a phrase, empty if nothing."""
    commit, _, dirty = environment["commit"].partition("-")
    if topic not in MEASURES:
        sys.exit(f"bench_results.py: topic {topic} is missing in MEASURES. Name the folders there that it measures.")
    changed = git("diff", "--numstat", "--ignore-blank-lines", f"--ignore-matching-lines={COMMENT}", commit, "HEAD", "--", *MEASURES[topic])
    if changed is None:
        return f"commit {commit} is not in this history"
    last = git("log", "-1", "--format=%h of %cs", "HEAD", "--", *MEASURES[topic])
    return f"changed, last by {last}" if changed else "measured with uncommitted changes" if dirty else ""


def load_of(environment):
    runs = [text for name, text in environment.items() if name.startswith("run ")]
    if not runs:
        return f"{environment['load']} at the end" if "load" in environment else "not recorded"
    return runs[0].partition("; ")[2] + (f"; {len(runs)} runs" if len(runs) > 1 else "")


def page():
    """A row for each topic: when, where and how steadily it was measured."""
    unknown = why_unknown()
    lines = ["# Results: the bench", "",
             "`tools/bench_tables.py` writes this page from `bench/results/`, which `tools/remeasure.sh` measures: a row for each topic. The tables of the",
             "README and of the guides are of these runs. The last column says whether what a topic measures has changed since, and was right when the",
             "page was written; `tools/bench_tables.py --check` says it of today.", "",
             "| topic | date | commit | processor | flags | load | spread | changed since |", "|---|---|---|---|---|---|---|---|"]
    for topic in topics():
        e = environment_of(rows_of(RESULTS / f"{topic}.csv"))
        since = "unknown" if unknown else stale(topic, e) or "no"
        lines.append(f"| {topic} | {e['date']} | {e['commit']} | {e['processor']} | {e['compiler']}, {e['flags']} | {load_of(e)} | "
                     f"{e['steadiness']} | {since} |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "noisy":
        print(noisy_filter(rows_of(sys.argv[2])))
    elif len(sys.argv) >= 4 and sys.argv[1] == "merge":
        write_merged(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
