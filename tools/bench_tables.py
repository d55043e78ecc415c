#!/usr/bin/env python3
"""Writes the tables of README.md and docs/ from the figures in bench/results/.

A table stands between two lines of a document:

    <!-- bench: NAME -->
    <!-- /bench -->

where NAME is a key of TABLES below. The script replaces the lines between them.

usage: tools/bench_tables.py           writes the documents
       tools/bench_tables.py --check   changes nothing; exits with 1 if a document differs from the figures
"""

import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
DOCUMENTS = [ROOT / "README.md"] + sorted((ROOT / "docs").glob("*.md"))

NOT_RECORDED = "These figures are not recorded yet."

OURS = ["Terrane index, pointers by block table", "Terrane index, pointers", "Terrane index, numbers", "TrnPool", "TrnChunkIndex, directory doubling", "swap-and-pop"]
BASELINE = "std::unordered_map, probed"
MAPS = ("std::", "boost ", "dense map", "absl ", "tsl ", "uthash")  # what the names of hash and tree maps begin with


class Figures:
    """The figures of one topic, as terrane-bench wrote them."""

    def __init__(self, topic):
        self.environment = {}
        self.medians = {}  # (question, world, contender) -> number
        self.units = {}  # question -> unit
        self.units_of = {}  # (question, world) -> unit
        self.told = {}  # (whose, what) -> number
        self.counts = {}  # (question, world) -> count
        self.remarks = {}
        self.is_mixed = False  # rows of several runs, which say so
        self.contenders = []
        path = RESULTS / f"{topic}.csv"
        if not path.exists():
            sys.exit(f"bench_tables.py: {path} is missing. Type: build/release/bench/terrane-bench {topic} --csv {path}")
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                self.take(row)

    def take(self, row):
        if row["row"] == "environment":
            self.environment[row["question"]] = row["world"]
        if row["row"] == "target" and row["median"]:
            self.told[(row["world"], row["question"])] = float(row["median"])
        if row["row"] != "entry":
            return
        key = (row["question"], row["world"], row["contender"])
        self.counts[key[:2]] = int(row["count"])
        if row["contender"] not in self.contenders:
            self.contenders.append(row["contender"])
        self.is_mixed = self.is_mixed or "busy machine" in row["remark"]
        if row["median"]:
            self.medians[key] = float(row["median"])
            self.units[row["question"]] = row["unit"]
            self.units_of[key[:2]] = row["unit"]
        elif row["remark"]:
            self.remarks[key] = row["remark"]

    def median(self, question, world, contender):
        return self.medians.get((question, world, contender))

    def worlds(self, question, prefix=""):
        found = []
        for asked, world, _ in self.medians:
            if asked == question and world.startswith(prefix) and world not in found:
                found.append(world)
        return found

    def contenders_of(self, question, world):
        return [c for c in self.contenders
                if (question, world, c) in self.medians or (question, world, c) in self.remarks]


def number(value):
    """Three digits, as a reader compares them."""
    if value is None:
        return "–"
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.0995 else f"{value:.2g}"


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        cells = [f"**{c}**" if row[0] in OURS and c != "–" else c for c in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def by_world(topic, question, worlds, contenders=None, head=""):
    """A row for each contender, a column for each world."""
    figures = Figures(topic)
    rows = []
    for contender in contenders or figures.contenders:
        cells = [number(figures.median(question, world, contender)) for world in worlds]
        if any(cell != "–" for cell in cells):
            rows.append([contender] + cells)
    return markdown([head or figures.units.get(question, "")] + worlds, rows)


def by_question(topic, world, questions, contenders=None):
    """A row for each contender, a column for each question, on one world."""
    figures = Figures(topic)
    head = [f"{title}, {figures.units.get(question, '')}" for question, title in questions]
    rows = []
    for contender in contenders or figures.contenders_of(questions[0][0], world):
        cells = [number(figures.median(question, world, contender)) for question, _ in questions]
        if any(cell != "–" for cell in cells):
            rows.append([contender] + cells)
    return markdown([world] + head, rows)


def gathers_of_readme():
    """Gathers by world, and how many times as long as Terrane's the fastest of all maps takes."""
    figures = Figures("lookup")
    rows = []
    for ours, title in (("Terrane index, pointers by block table", "by block table"), ("Terrane index, pointers", "from a reserved range")):
        cells = []
        for world in BALLS:
            maps = [m for (question, where, contender), m in figures.medians.items()
                    if (question, where) == ("gather the box", world) and contender.startswith(MAPS)]
            median = figures.median("gather the box", world, ours)
            cells.append(f"{min(maps) / median:.2g} ×" if maps and median else "–")
        rows.append("| " + " | ".join([f"fastest map / Terrane, {title}"] + cells) + " |")
    return "\n".join([by_world("lookup", "gather the box", BALLS, SHORT, "microseconds")] + rows)


def by_cell(topic, cells):
    """A row for each contender, a column for each (question, world, title)."""
    figures = Figures(topic)
    head = [f"{title}, {figures.units.get(question, '')}" for question, _, title in cells]
    rows = []
    for contender in figures.contenders:
        row = [number(figures.median(question, world, contender)) for question, world, _ in cells]
        if any(cell != "–" for cell in row):
            rows.append([contender] + row)
    return markdown([""] + head, rows)


def all_worlds(topic, question):
    figures = Figures(topic)
    return by_world(topic, question, figures.worlds(question))


def objects():
    figures = Figures("pools")
    cells = []
    for question, title in (("free and alloc in turn", "pair"), ("free half, then alloc as many", "batch"), ("walk", "walk")):
        question = "objects of 256 bytes: " + question
        cells += [(question, world, f"{title}: {world}") for world in figures.worlds(question)]
    return by_cell("pools", cells)


def index_rows():
    """Every contender of topic `index` in every question, the two balls in one cell."""
    figures = Figures("index")
    peers = [BASELINE, "boost flat map, packed keys", "dense map, packed keys, filtered", "index"]
    rows = []
    questions = [(q, None) for q in ("gather the box", "find, random order", "six neighbours of each",
                                     "ready (all six neighbours there)", "moving world, per change", "walk over everything")]
    questions[1:1] = [("gather the box", c) for c in ("index, AVX2 kernels", "index, plain kernels", "index, pointers from one range",
                                                      "store by default, trn_store_gather", "index, pointers by block table", "index, only visible chunks")]
    questions.insert(9, ("six neighbours of each", "index, all at once"))
    for question, other in questions:
        cells = []
        for contender in peers[:3] + [other or peers[3]]:
            pair = [figures.median(question, f"ball R={radius}", contender) for radius in (16, 32)]
            known = None not in pair and (not other or contender == other)
            cells.append(" / ".join(number(median) for median in pair) if known else "")
        rows.append([question + (f": {other}" if other else "")] + cells)
    return markdown(["ns per chunk", "`unordered_map`", "boost flat map", "dense map", "Terrane"], rows)


def index_scale():
    """Worlds of all sizes and densities: the flat map that answers a question best, and the index."""
    figures = Figures("index")
    packed, dense = "boost flat map, packed keys", "dense map, packed keys, filtered"
    columns = [("scale: bytes a chunk", packed, "bytes a chunk"), ("scale: insert into an empty container", packed, "insert"),
               ("scale: remove", packed, "remove"), ("scale: hit", packed, "hit"), ("scale: hit, caches cold", packed, "cold hit"),
               ("scale: miss inside the box, such as its corners", packed, "miss inside"),
               ("scale: miss in the shell around the box", packed, "miss around"), ("scale: miss far away", packed, "miss far"),
               ("scale: iterate everything", dense, "iterate"), ("scale: gather the box", dense, "gather"),
               ("scale: worst single insert, memory touched before", packed, "worst insert, us"),
               ("scale: worst single remove, memory touched before", packed, "worst remove, us")]
    rows = []
    for world in figures.worlds(columns[0][0]):
        cells = []
        for question, peer, _ in columns:
            pair = [figures.median(question, world, contender) for contender in (peer, "index")]
            cells.append("–" if None in pair else " / ".join(number(median) for median in pair))
        rows.append([world, f"{figures.counts[columns[0][0], world]:,}"] + cells)
    return markdown(["", "chunks"] + [title for _, _, title in columns], rows) if rows else NOT_RECORDED


def index_columns():
    """One chunk a column, looked up as Craft does."""
    table = by_question("index", "columns, one chunk each",
                        [("columns: which of 49 x 49 are loaded", "loaded"), ("columns: which of 49 x 49 are loaded and dirty", "loaded and dirty"),
                         ("columns: four neighbours of each of 49 x 49", "four neighbours of each")])
    return table if table.count("\n") > 1 else NOT_RECORDED


def store_rows():
    """Every question of topic `store`: a game's own map of plain arrays, the store, and the store with its further features."""
    figures = Figures("store")
    rows = []
    asked = dict.fromkeys((question, world) for question, world, _ in figures.medians)
    for question, world in asked:
        contenders = figures.contenders_of(question, world)
        others = {name: contender for contender in contenders
                  for name in ("with a listener", "with history", "with history and a listener")
                  if contender == f"Terrane, {name}"}
        plain = next((contender for contender in contenders if contender.startswith("std::unordered_map")), None)
        cells = [number(figures.median(question, world, contender)) for contender in
                 (plain, "Terrane", others.get("with a listener"), others.get("with history"))]
        rows.append([question, world, figures.units[question]] + cells)
    return markdown(["", "", "", "map of plain arrays", "Terrane", "with a listener", "with history"], rows)


def save_rows():
    """Every question of topic `save`: a row and a transaction each, and a save."""
    figures = Figures("save")
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        cells = [number(figures.median(question, world, contender))
                 for contender in ("SQLite, a zlib row and a transaction each", "Terrane")]
        rows.append([question, world, figures.units[question]] + cells)
    return markdown(["a chunk, or the whole world", "", "", "a zlib row and a transaction each", "Terrane"], rows)


def light_rows():
    """The questions of topic `light`, without numbers of quads: light beside the queue, quads beside those without light."""
    figures = Figures("light")
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        unit = figures.units_of[question, world]
        if unit != "quads":
            cells = [number(figures.median(question, world, contender))
                     for contender in ("one queue over the region", "Terrane, without light", "Terrane", "Terrane, plain kernels")]
            rows.append([question, world, unit] + cells)
    return markdown(["", "", "", "one queue over the region", "without light", "Terrane", "without SIMD kernels"], rows)


def terrain_rows():
    """Chunks of generated land by content, and the other questions of topic `terrain` except plain noise, by set of kernels."""
    figures = Figures("terrain")
    view, kept, first = "generate a chunk of the view", "generate a chunk, its column kept", "generate a chunk, its column too"
    titles = {f"{view}, columns made on the way": "mean of the view, columns made on the way",
              f"{view}, columns kept": "mean of the view, columns kept", kept: "{}", first: "{}, its column made too",
              "generate a chunk beyond all land": "beyond all land: {}", "a column of chunks": "a column of chunks, {}",
              "all noise of one": "all noise of a {}",
              "generate a level, columns made too, per chunk with quads": "{}, columns made on the way, a chunk with quads"}
    kernels = [c for c in figures.contenders if c.endswith(" kernels")]
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        if question not in titles:
            continue
        share = figures.told.get(("view", f"share of chunks: {world}")) if question == kept else None
        rows.append([titles[question].format(world), "" if share is None else f"{share:.1f} %", figures.units_of[question, world]] +
                    [number(figures.median(question, world, contender)) for contender in kernels])
    return markdown(["", "of the view", ""] + [c.removesuffix(" kernels") for c in kernels], rows)


def blocks_models():
    """Chunks with models, and quads that are not merged."""
    figures = Figures("blocks")
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        if not question.startswith(("a dam", "a step", "block data")):
            others = [c for c in figures.contenders_of(question, world) if not c.startswith("Terrane")]
            other = f"{number(figures.median(question, world, others[0]))}: {others[0]}" if others else "–"
            rows.append([question, world, f"{figures.counts[question, world]:,}", other, number(figures.median(question, world, "Terrane")),
                         number(figures.median(question, world, "Terrane, AVX2 kernels"))])
    return markdown(["us", "", "models", "another way", "Terrane", "with AVX2 kernels"], rows)


def blocks_steps():
    """Liquids that flow, and random ticks."""
    figures = Figures("blocks")
    rows = [[question, world, figures.units_of[question, world], number(median)]
            for (question, world, _), median in figures.medians.items() if question.startswith(("a dam", "a step"))]
    return markdown(["", "", "", "Terrane"], rows)


def blocks_data():
    """Block data in the store, and in a game's own map."""
    figures = Figures("blocks")
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        if question.startswith("block data"):
            cells = [number(figures.median(question, world, c)) for c in ("std::unordered_map, bytes by voxel", "Terrane")]
            rows.append([question.removeprefix("block data: "), world] + cells)
    return markdown(["ns", "", "`std::unordered_map`", "Terrane"], rows)


def far_rows():
    """What the horizon costs, beside level 0 at 16 chunks alone, and everywhere."""
    figures = Figures("far")
    rows = []
    for question, world in dict.fromkeys((question, world) for question, world, _ in figures.medians):
        if question.startswith("update"):
            continue
        cells = [number(figures.median(question, world, contender))
                 for contender in ("Terrane, 16 chunks alone", "Terrane, levels of detail", "level 0 everywhere, extrapolated")]
        rows.append([world, question, figures.units_of[question, world]] + cells)
    return markdown(["", "", "", "16 chunks alone", "levels of detail", "level 0 everywhere, extrapolated"], rows)


def far_flight():
    """The calling thread of a flight over new land, and what was not drawn."""
    figures = Figures("far")
    world = "straight, 64 blocks/s, 128 chunks"
    told = {what: value for (whose, what), value in figures.told.items() if whose == world}
    return markdown(["", "", world], [[what, "chunks" if what.startswith("holes") else "ms", number(value)] for what, value in told.items()])


def once_recorded(topic, table):
    """A table of a topic that may have no figures yet."""
    return lambda: table() if (RESULTS / f"{topic}.csv").exists() else NOT_RECORDED


MESHERS = [("per-voxel culling", "per-voxel culling"), ("classic greedy", "classic greedy"), ("binary greedy", "binary greedy"),
           ("Terrane, scalar kernels", "Terrane, scalar"), ("Terrane, SSE2 kernels", "SSE2"), ("Terrane, NEON kernels", "NEON"),
           ("Terrane, AVX2 kernels", "AVX2"), ("Terrane", "Terrane")]


def mesher_columns(figures):
    """Who took part, the slowest first, and what the columns are called."""
    return [(contender, title) for contender, title in MESHERS if contender in figures.contenders]


def mesher_rows():
    """Every world of topic `mesher`, with ambient occlusion and without, from both places."""
    figures = Figures("mesher")
    columns = mesher_columns(figures)
    rows = []
    for place in ("input in L2", "input from memory"):
        for ao in ("without", "with"):
            question = f"{ao} ambient occlusion, {place}"
            for world in figures.worlds(question):
                medians = [figures.median(question, world, contender) for contender, _ in columns]
                ours = figures.median(question, world, "Terrane")
                peers = [figures.median(question, world, peer) for peer in ("classic greedy", "binary greedy")]
                ratios = [f"{peer / ours:.1f} ×" if peer and ours else "–" for peer in peers]
                rows.append([world, f"{ao} AO", place.removeprefix("input ")] + [number(median) for median in medians] + ratios)
    return markdown(["us a chunk", "", ""] + [title for _, title in columns] + ["classic / Terrane", "binary / Terrane"], rows)


def mesher_terrain():
    """What a view of the built-in terrain costs."""
    figures = Figures("mesher")
    rows = []
    for question in ("generated terrain, fetching included", "every chunk of a view, fetching included",
                     "fetching a chunk and the 26 around it", "a chunk that shows nothing"):
        for world in figures.worlds(question):
            for contender in figures.contenders_of(question, world):
                is_ours = contender.startswith("Terrane")
                if is_ours or question.startswith("generated"):
                    median = figures.median(question, world, contender)
                    rows.append([f"{question}: {world}", f"{figures.counts[question, world]:,}", contender, number(median)])
    return markdown(["", "chunks", "", "us a chunk"], rows)


def mesher_quads():
    """How many quads, and what each costs."""
    figures = Figures("mesher")
    rows = []
    for ao in ("without", "with"):
        counted, each = f"quads {ao} ambient occlusion", f"{ao} ambient occlusion, a quad"
        for world in figures.worlds(counted):
            peers = [number(figures.median(counted, world, contender)) for contender in ("per-voxel culling", "classic greedy", "binary greedy", "Terrane")]
            rows.append([world, f"{ao} AO"] + peers + [number(figures.median(each, world, "Terrane"))])
    return markdown(["", "", "per-voxel culling", "classic greedy", "binary greedy", "Terrane", "ns a quad"], rows)


def mesher_uses():
    """What else is computed for a chunk, and from its quads."""
    figures = Figures("mesher")
    joined, expanded = "which faces of a chunk are joined", "a chunk's quads to vertices and indices"
    rows = [[world, number(figures.median(joined, world, "flood fill, voxel by voxel")), number(figures.median(joined, world, "Terrane")),
             number(figures.median(expanded, world, "Terrane"))] for world in figures.worlds(joined)]
    return markdown(["us a chunk", "joined: flood fill", "joined: Terrane", "vertices: Terrane"], rows)


def stream_targets():
    """(what, world) -> row of topic `stream`: its figures are percentiles and peaks, which stand among the targets."""
    with open(RESULTS / "stream.csv", newline="", encoding="utf-8") as file:
        return {(row["question"], row["world"]): row for row in csv.DictReader(file) if row["row"] == "target"}


def stream_cell(row):
    """A figure; in bold where it misses what is demanded."""
    if row is None or not row["median"]:
        return "–"
    text = number(float(row["median"])) if float(row["median"]) else "0"
    return f"**{text}**" if row["verdict"] == "missed" else text


def stream_table(head, columns, worlds):
    """A row for each world, a column for each (title, what)."""
    rows = stream_targets()
    lines = [[world] + [stream_cell(rows.get((what, world))) for _, what in columns] for world in worlds]
    return markdown([head] + [title for title, _ in columns], [line for line in lines if set(line[1:]) != {"–"}])


def stream_worlds(what):
    return list(dict.fromkeys(world for asked, world in stream_targets() if asked == what))


def stream_flights():
    columns = [("p50, ms", "update p50"), ("p99.9, ms", "update p99.9"),
               ("p99.9 of its own time, ms", "update p99.9, its own processor time"),
               ("missing ahead, real time", "chunks missing ahead, at most"),
               ("in step time", "chunks missing ahead, at most, step time"),
               ("edit meshed, p99, ms", "edit meshed, p99"), ("no ground for, ms", "without ground, longest"),
               ("shutdown, ms", "shutdown in mid-flight")]
    return stream_table("", columns, stream_worlds("update p50"))


def stream_memory():
    columns = [("accounted, MiB", "accounted at most"), ("resident, MiB", "resident at most"),
               ("accounted, step time", "accounted at most, step time"),
               ("resident, step time", "resident at most, step time"), ("rings left", "rings left of the view")]
    return stream_table("", columns, stream_worlds("update p50"))


def stream_starts():
    figures = Figures("stream")
    rows = []
    for world in figures.worlds("cold start"):
        for contender in figures.contenders_of("cold start", world):
            cells = [number(figures.median(question, world, contender)) for question in
                     ("cold start", "cold start, processor time of all threads", "ground under the player")]
            rows.append([f"{world}: {contender.removeprefix('Terrane, ')}"] + cells)
    return markdown(["", "all there and shown, ms", "processor time of all threads, ms", "ground there, ms"], rows)


def stream_hour():
    world = next(iter(stream_worlds("growth after the first of 60 minutes")), None)
    columns = [("accounted", "growth after the first of 60 minutes"), ("resident", "growth of resident memory"),
               ("it took, s", "an hour took")]
    return stream_table("growth after the first minute, %", columns, [world] if world else [])


def source(topic):
    figures = Figures(topic)
    e = figures.environment
    mixed = f" Rows with a remark in bench/results/{topic}.csv were taken later, on a busy machine." if figures.is_mixed else ""
    return (f"`terrane-bench {topic}` of {e['date']}, commit {e['commit']}: {e['processor']}; {e['compiler']}; "
            f"{e['flags']}. Steadiness: {e['steadiness']}.{mixed}")


SHORT = [BASELINE, "std::unordered_map, filtered", "boost flat map, packed keys", "boost flat map, packed keys, filtered",
         "dense map, packed keys, filtered", "absl flat_hash_map, packed keys", "absl flat_hash_map, packed keys, filtered",
         "flat array, rows", "bricked array, 4^3", "Terrane index, pointers by block table", "Terrane index, pointers", "Terrane index, numbers"]
BALLS = ["ball R=16", "flattened ball R=16", "ball R=32", "flattened ball R=32"]
SINGLES = [("find, present", "find"), ("find, absent", "miss"), ("find, caches cold", "find, cold"),
           ("find, absent, caches cold", "miss, cold"), ("six neighbours", "six neighbours"),
           ("ready: all six neighbours there", "ready"), ("iterate all", "iterate"), ("build", "build"),
           ("churn of a moving world", "churn"), ("worst single step of a walk", "worst step"),
           ("bytes per chunk", "memory")]
GATHERS = [("gather the box", "box"), ("gather the box, caches cold", "box, cold"), ("gather a frustum", "frustum"),
           ("gather visible only", "visible only")]
COLUMNS = [("gather the box", "gather"), ("gather the box, caches cold", "gather, cold"), ("find, present", "find"),
           ("find, absent", "miss"), ("find, caches cold", "find, cold"), ("six neighbours", "six neighbours"), ("build", "build"),
           ("bytes per chunk", "memory")]
FAR = [("gather the box", "gather"), ("find, present", "find"), ("build", "build"), ("bytes per chunk", "memory")]


def fills(prefix, question):
    figures = Figures("lookup")
    return by_world("lookup", question, figures.worlds(question, prefix), SHORT + ["dense list, scanned"])


def columns(world):
    return by_question("lookup", world, COLUMNS, SHORT[:-3] + ["2D array of columns"] + SHORT[-3:])


def porting():
    """What a game's hash map costs, and what replaces it."""
    questions = [("gather the box", "gather all"), ("find, present", "find"), ("six neighbours", "six neighbours"),
                 ("churn of a moving world", "insert and remove"), ("worst single step of a walk", "worst step"), ("bytes per chunk", "memory")]
    peers = [BASELINE, "std::unordered_map, filtered", "uthash", "boost flat map, packed keys", "Terrane index, pointers"]
    return by_question("lookup", "ball R=16", questions, peers)


TABLES = {
    "porting": porting,
    "readme gather": gathers_of_readme,
    "gather": lambda: by_world("lookup", "gather the box", BALLS, None, "microseconds"),
    "gathers R=16": lambda: by_question("lookup", "ball R=16", GATHERS),
    "singles R=16": lambda: by_question("lookup", "ball R=16", SINGLES),
    "singles R=32": lambda: by_question("lookup", "ball R=32", SINGLES),
    "walked": lambda: by_question("lookup", "500-chunk walk R=32, all kept", FAR),
    "islands": lambda: by_question("lookup", "two islands, one axis", FAR),
    "anchors": lambda: by_question("lookup", "1,000 scattered anchors", FAR),
    "columns, 1 high": lambda: columns("1,024 x 1,024 columns, 1 high"),
    "columns, 1 to 8 high": lambda: columns("512 x 512 columns, 1 to 8 high"),
    "random fill": lambda: fills("random fill", "gather the box"),
    "clustered fill": lambda: fills("clustered fill", "gather the box"),
    "random memory": lambda: fills("random fill", "bytes per chunk"),
    "index": index_rows,
    "index scale": index_scale,
    "index columns": index_columns,
    "index source": lambda: source("index"),
    "lookup source": lambda: source("lookup"),
    "pools": objects,
    "debris": lambda: all_worlds("pools", "debris: a frame"),
    "debris full": lambda: all_worlds("pools", "debris: a frame of a full pool"),
    "particles": lambda: all_worlds("pools", "particles in 1000 x 1000 cells: a frame"),
    "growth build": lambda: all_worlds("growth", "build a world, per chunk that comes"),
    "growth worst": lambda: all_worlds("growth", "the slowest insert"),
    "growth bytes": lambda: all_worlds("growth", "bytes per chunk in the end"),
    "growth cost": lambda: all_worlds("growth", "one growth, n^3 cells doubled along one axis"),
    "sentinel": lambda: all_worlds("growth", "gather the box, per chunk"),
    "pools source": lambda: source("pools"),
    "store": store_rows,
    "store source": lambda: source("store"),
    "stream starts": stream_starts,
    "stream flights": stream_flights,
    "stream memory": stream_memory,
    "stream hour": stream_hour,
    "stream source": lambda: source("stream"),
    "far": once_recorded("far", far_rows),
    "far flight": once_recorded("far", far_flight),
    "far source": once_recorded("far", lambda: source("far")),
    "blocks models": blocks_models,
    "blocks steps": blocks_steps,
    "blocks data": blocks_data,
    "blocks source": lambda: source("blocks"),
    "terrain": terrain_rows,
    "terrain threads": lambda: all_worlds("terrain", "generate the view, wall clock, per chunk"),
    "terrain source": lambda: source("terrain"),
    "mesher": mesher_rows,
    "mesher terrain": mesher_terrain,
    "mesher quads": mesher_quads,
    "mesher uses": mesher_uses,
    "mesher source": lambda: source("mesher"),
    "growth source": lambda: source("growth"),
    "light": light_rows,
    "light source": lambda: source("light"),
    "save": save_rows,
    "save source": lambda: source("save"),
}

MARK = re.compile(r"(<!-- bench: (.+?) -->\n).*?(<!-- /bench -->)", re.DOTALL)


def written(text, path):
    def fill(match):
        name = match.group(2)
        if name not in TABLES:
            sys.exit(f"bench_tables.py: {path} wants the table '{name}', which there is not: {', '.join(TABLES)}.")
        return match.group(1) + TABLES[name]() + "\n" + match.group(3)

    return MARK.sub(fill, text)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    stale = []
    for path in DOCUMENTS:
        name = path.relative_to(ROOT).as_posix()
        before = path.read_text(encoding="utf-8")
        after = written(before, name)
        if after != before:
            stale.append(name)
            if not check:
                path.write_text(after, encoding="utf-8")
    if check and stale:
        sys.exit(f"bench_tables.py: {', '.join(stale)} differ from bench/results/. Type: tools/bench_tables.py")


if __name__ == "__main__":
    main()
