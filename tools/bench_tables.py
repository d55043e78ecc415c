#!/usr/bin/env python3
"""Writes the tables of README.md and docs/ from the figures in bench/results/.

A table stands between two lines of a document:

    <!-- bench: NAME -->
    <!-- /bench -->

where NAME is a key of TABLES below. The script replaces the lines between them.

usage: tools/bench_tables.py                     writes the documents, and docs/results/bench.md: when each topic was measured
       tools/bench_tables.py --check             changes nothing; exits with 1 if a document differs from the figures; lists topics whose
                                                 sources have changed since they were measured
       tools/bench_tables.py --check --release   exits with 1 for those too
"""

import re
import sys

import shared_plan
from bench_results import RESULTS, ROOT, environment_of, page, rows_of, stale, topics, why_unknown

DOCUMENTS = [ROOT / "README.md"] + sorted((ROOT / "docs").glob("*.md"))
PAGE = ROOT / "docs" / "results" / "bench.md"

NOT_RECORDED = "These figures are not recorded yet."

OURS = ("Terrane", "Trn")  # what the names of Terrane's contenders begin with
BASELINE = "std::unordered_map, probed"
MAPS = ("std::", "boost ", "dense map", "absl ", "tsl ", "uthash")  # what the names of hash and tree maps begin with


class Figures:
    """The figures of one topic, as terrane-bench wrote them."""

    def __init__(self, topic):
        self.medians = {}  # (question, world, contender) -> number
        self.units = {}  # question -> unit
        self.units_of = {}  # (question, world) -> unit
        self.told = {}  # (whose, what) -> number
        self.counts = {}  # (question, world) -> count
        self.remarks = {}
        self.contenders = []
        path = RESULTS / f"{topic}.csv"
        if not path.exists():
            sys.exit(f"bench_tables.py: {path} is missing. Type: build/release/bench/terrane-bench {topic} --csv {path}")
        rows = rows_of(path)
        self.environment = environment_of(rows)
        for row in rows:
            self.take(row)

    def take(self, row):
        if row["row"] == "target" and row["median"]:
            self.told[(row["world"], row["question"])] = float(row["median"])
        if row["row"] != "entry":
            return
        key = (row["question"], row["world"], row["contender"])
        self.counts[key[:2]] = int(row["count"])
        if row["contender"] not in self.contenders:
            self.contenders.append(row["contender"])
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

    def asked(self):
        """Each (question, world) that has a figure."""
        return list(dict.fromkeys((question, world) for question, world, _ in self.medians))

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
        cells = [f"**{c}**" if row[0].startswith(OURS) and c != "–" else c for c in row]
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


GAMES = [("`std::unordered_map`", "std::unordered_map, good hash"), ("Terrane's store", "Terrane store"),
         ("store, mesher and light", "Terrane store, mesher and light")]
GAME_README = ["find missing chunks", "find chunks that need a mesh", "mesh a chunk", "memory of chunks and light", "edit one block", "light after that edit"]


def game(questions=None, columns=None):
    """What a game's frame costs with each container. The README has some of its rows, two of which Terrane loses."""
    columns = columns or [GAMES[0], ("with a plain hash", "std::unordered_map, plain hash"), ("boost flat map",) * 2, ("window array", "window array, plain arrays")] + GAMES[1:]
    return by_scene("game", [""], lambda f, q, w: [f"{q}, {f.units_of[q, w]}"] if not questions or q in questions else None, columns)


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


def by_scene(topic, head, lead, columns):
    """A row for each question about a world, a column for each (title, contender); of `Name*` the first contender that begins so.
    @param lead  the row's first cells, of figures, question and world; None leaves the row out"""
    figures = Figures(topic)
    rows = []
    for question, world in figures.asked():
        first = lead(figures, question, world)
        if first is not None:
            named = [next((c for c in figures.contenders_of(question, world) if c == name or name[-1] == "*" and c.startswith(name[:-1])), None)
                     for _, name in columns]
            rows.append(first + [number(figures.median(question, world, contender)) for contender in named])
    return markdown(head + [title for title, _ in columns], rows)


def scene(figures, question, world):
    """The first cells of most tables."""
    return [question, world, figures.units_of[question, world]]


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
    peers = [BASELINE, "boost flat map, packed keys", "dense map, packed keys, filtered", "Terrane index"]
    rows = []
    questions = [(q, None) for q in ("gather the box", "find, random order", "six neighbours of each",
                                     "ready (all six neighbours there)", "moving world, per change", "walk over everything")]
    questions[1:1] = [("gather the box", c) for c in ("Terrane index, AVX2 kernels", "Terrane index, plain kernels", "Terrane index, pointers from one range",
                                                      "Terrane store by default, trn_store_gather", "Terrane index, pointers by block table", "Terrane index, only visible chunks")]
    questions.insert(9, ("six neighbours of each", "Terrane index, all at once"))
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
            pair = [figures.median(question, world, contender) for contender in (peer, "Terrane index")]
            cells.append("–" if None in pair else " / ".join(number(median) for median in pair))
        rows.append([world, f"{figures.counts[columns[0][0], world]:,}"] + cells)
    return markdown(["", "chunks"] + [title for _, _, title in columns], rows) if rows else NOT_RECORDED


def index_columns():
    """One chunk a column, looked up as Craft does."""
    table = by_question("index", "columns, one chunk each",
                        [("columns: which of 49 x 49 are loaded", "loaded"), ("columns: which of 49 x 49 are loaded and dirty", "loaded and dirty"),
                         ("columns: four neighbours of each of 49 x 49", "four neighbours of each")])
    return table if table.count("\n") > 1 else NOT_RECORDED


def terrain_lead(figures, question, world):
    """The first cells of a question of topic `terrain`; none of plain noise."""
    view, kept = "generate a chunk of the view", "generate a chunk, its column kept"
    titles = {f"{view}, columns made on the way": "mean of the view, columns made on the way",
              f"{view}, columns kept": "mean of the view, columns kept", kept: "{}",
              "generate a chunk, its column too": "{}, its column made too",
              "generate a chunk beyond all land": "beyond all land: {}", "a column of chunks": "a column of chunks, {}",
              "all noise of one": "all noise of a {}",
              "generate a level, columns made too, per chunk with quads": "{}, columns made on the way, a chunk with quads"}
    if question not in titles:
        return None
    share = figures.told.get(("view", f"share of chunks: {world}")) if question == kept else None
    return [titles[question].format(world), "" if share is None else f"{share:.1f} %", figures.units_of[question, world]]


def terrain_rows():
    """Chunks of generated land by content, and other questions of topic `terrain`, by set of kernels."""
    kernels = [c for c in Figures("terrain").contenders if c.endswith(" kernels")]
    return by_scene("terrain", ["", "of the view", ""], terrain_lead, [(c.removesuffix(" kernels"), c) for c in kernels])


def blocks_models():
    """Chunks with models, and quads that are not merged."""
    figures = Figures("blocks")
    rows = []
    for question, world in figures.asked():
        if not question.startswith(("a dam", "a step", "block data")):
            others = [c for c in figures.contenders_of(question, world) if not c.startswith("Terrane")]
            other = f"{number(figures.median(question, world, others[0]))}: {others[0]}" if others else "–"
            rows.append([question, world, f"{figures.counts[question, world]:,}", other, number(figures.median(question, world, "Terrane")),
                         number(figures.median(question, world, "Terrane, AVX2 kernels"))])
    return markdown(["us", "", "models", "another way", "Terrane", "with AVX2 kernels"], rows)


def far_flight():
    """The calling thread of a flight over new land, and what was not drawn."""
    figures = Figures("far")
    world = "straight, 64 blocks/s, 128 chunks"
    told = {what: value for (whose, what), value in figures.told.items() if whose == world}
    return markdown(["", "", world], [[what, "chunks" if what.startswith("holes") else "ms", number(value)] for what, value in told.items()])


DATA = "block data: "

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
    return {(row["question"], row["world"]): row for row in rows_of(RESULTS / "stream.csv") if row["row"] == "target"}


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
    return (f"`terrane-bench {topic}` of {e['date']}, commit {e['commit']}: {e['processor']}; {e['compiler']}; "
            f"{e['flags']}. Steadiness: {e['steadiness']}.")


def plan(**assumed):
    return shared_plan.plan(**assumed) if shared_plan.RESULTS.exists() else NOT_RECORDED


SHORT = [BASELINE, "std::unordered_map, filtered", "boost flat map, packed keys", "boost flat map, packed keys, filtered",
         "dense map, packed keys, filtered", "absl flat_hash_map, packed keys", "absl flat_hash_map, packed keys, filtered",
         "flat array, rows", "bricked array, 4^3", "sorted Morton array", "Terrane index, pointers by block table", "Terrane index, pointers", "Terrane index, numbers"]
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
    "plan 10,000": lambda: plan(players=10_000),
    "plan 1,000,000": lambda: plan(players=1_000_000, players_a_game_server=1_000),
    "porting": porting,
    "readme": lambda: game(GAME_README, GAMES),
    "game": game,
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
    "pools": objects,
    "debris": lambda: all_worlds("pools", "debris: a frame"),
    "debris full": lambda: all_worlds("pools", "debris: a frame of a full pool"),
    "particles": lambda: all_worlds("pools", "particles in 1000 x 1000 cells: a frame"),
    "growth build": lambda: all_worlds("growth", "build a world, per chunk that comes"),
    "growth worst": lambda: all_worlds("growth", "the slowest insert"),
    "growth bytes": lambda: all_worlds("growth", "bytes per chunk in the end"),
    "growth cost": lambda: all_worlds("growth", "one growth, n^3 cells doubled along one axis"),
    "sentinel": lambda: all_worlds("growth", "gather the box, per chunk"),
    "store": lambda: by_scene("store", ["", "", ""], lambda f, q, w: None if q.startswith("growth") else scene(f, q, w),
                              [("map of plain arrays", "std::unordered_map*"), ("Terrane", "Terrane"),
                               ("with a listener", "Terrane, with a listener"), ("with history", "Terrane, with history")]),
    "stream starts": stream_starts,
    "stream flights": stream_flights,
    "stream memory": stream_memory,
    "stream hour": stream_hour,
    "far": lambda: by_scene("far", ["", "", ""], lambda f, q, w: None if q.startswith("update") else [w, q, f.units_of[q, w]],
                            [("16 chunks alone", "Terrane, 16 chunks alone"), ("levels of detail", "Terrane, levels of detail"),
                             ("level 0 everywhere, extrapolated",) * 2]),
    "far flight": far_flight,
    "blocks models": blocks_models,
    "blocks steps": lambda: by_scene("blocks", ["", "", ""], lambda f, q, w: scene(f, q, w) if q.startswith(("a dam", "a step")) else None,
                                     [("Terrane", "Terrane*")]),
    "blocks data": lambda: by_scene("blocks", ["ns", ""], lambda f, q, w: [q.removeprefix(DATA), w] if q.startswith(DATA) else None,
                                    [("`std::unordered_map`", "std::unordered_map, bytes by voxel"), ("Terrane", "Terrane")]),
    "terrain": terrain_rows,
    "terrain threads": lambda: all_worlds("terrain", "generate the view, wall clock, per chunk"),
    "mesher": mesher_rows,
    "mesher terrain": mesher_terrain,
    "mesher quads": mesher_quads,
    "mesher uses": mesher_uses,
    "light": lambda: by_scene("light", ["", "", ""], lambda f, q, w: None if f.units_of[q, w] == "quads" else scene(f, q, w),
                              [("one queue over the region",) * 2, ("without light", "Terrane, without light"), ("Terrane", "Terrane"),
                               ("without SIMD kernels", "Terrane, plain kernels")]),
    "save": lambda: by_scene("save", ["a chunk, or the whole world", "", ""], scene,
                             [("a zlib row and a transaction each", "SQLite, a zlib row and a transaction each"), ("Terrane", "Terrane")]),
}

TABLES |= {f"{topic} source": lambda topic=topic: source(topic) for topic in topics()}

MARK = re.compile(r"(<!-- bench: (.+?) -->\n).*?(<!-- /bench -->)", re.DOTALL)


def written(text, path):
    def fill(match):
        name = match.group(2)
        if name not in TABLES:
            sys.exit(f"bench_tables.py: {path} wants the table '{name}', which there is not: {', '.join(TABLES)}.")
        return match.group(1) + TABLES[name]() + "\n" + match.group(3)

    return MARK.sub(fill, text)


def without_age(text):
    """The page of results without its last column, which each commit may change."""
    return re.sub(r"[^|]+\|$", "", text, flags=re.M)


def documents():
    """(path, its text, the text that it ought to have, what of a text is compared) of each document."""
    for path in DOCUMENTS:
        before = path.read_text(encoding="utf-8")
        yield path, before, written(before, path.relative_to(ROOT).as_posix()), str
    yield PAGE, PAGE.read_text(encoding="utf-8") if PAGE.exists() else "", page(), without_age


def tell_stale():
    """Lists topics whose sources have changed since. @return whether there are any, or may be"""
    if why_unknown():
        print(f"bench_tables.py: whether figures are older than what they measure cannot be told: {why_unknown()}.")
        return True
    old = {topic: stale(topic, environment_of(rows_of(RESULTS / f"{topic}.csv"))) for topic in topics()}
    old = {topic: why for topic, why in old.items() if why}
    if old:
        print("bench_tables.py: figures older than what they measure:", "; ".join(f"{topic}: {why}" for topic, why in old.items()) + ".")
        print(f"To measure them again, type: tools/remeasure.sh {' '.join(old)}")
    return bool(old)


def main():
    check, release = sys.argv[1:2] == ["--check"], sys.argv[1:] == ["--check", "--release"]
    if sys.argv[1:] and not release and sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    differ = []
    for path, before, after, part in documents():
        if part(after) != part(before):
            differ.append(path.relative_to(ROOT).as_posix())
        if after != before and not check:
            path.write_text(after, encoding="utf-8")
    if not check:
        return
    is_stale = tell_stale()
    if differ:
        sys.exit(f"bench_tables.py: {', '.join(differ)} differ from bench/results/. Type: tools/bench_tables.py")
    if release and is_stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
