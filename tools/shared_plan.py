#!/usr/bin/env python3
"""Computes what a shared world costs its database: servers, processor time, bytes of the log and of the network.

Costs are those that `terrane-bench shared` measured on the server (bench/results/shared.csv); what players do is assumed, and each
assumption is an option. docs/shared.md holds the tables that this prints for 10,000 and 1,000,000 players (tools/bench_tables.py).

usage: tools/shared_plan.py [--players N] [--ASSUMPTION NUMBER]... [--csv FILE]      --help lists the assumptions
"""

import argparse
import csv
import dataclasses
import math
import pathlib

SERVERS_MAX = 64  # of a world
RESULTS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results" / "shared.csv"


def assumed(value, text):
    return dataclasses.field(default=value, metadata={"help": text})


@dataclasses.dataclass
class Assumptions:
    """What is not measured. Each field is an option."""
    players: float = assumed(10_000, "in the world")
    players_a_game_server: float = assumed(100, "a game server is one member")
    view_chunks: float = assumed(12, "how far a player sees")
    chunks_high: float = assumed(7, "rows that a column of chunks has")
    voxels_walked_a_second: float = assumed(4.3, "by each player, over saved land that no other walks over")
    arrivals_an_hour: float = assumed(1, "of each player, who then loads all that he sees")
    edits_a_second: float = assumed(0.2, "of each player: one in ten builds, 2 voxels a second")
    chunks_saved_a_second: float = assumed(0.55, "of each player: a builder changes 1.5 chunks, and 4 of coarser levels")
    row_bytes: float = assumed(782, "of a chunk of generated land")
    edit_bytes: float = assumed(60, "of an edit between the database and a member")
    connections_of_a_member: float = assumed(4, "on each database server: one writes, one listens, two read")
    cores: float = assumed(16, "of a database server, half of which may be busy")
    log_megabytes: float = assumed(100, "a second that a database server may write")
    network_megabytes: float = assumed(500, "a second that a database server may send")
    connections: float = assumed(4_000, "that a database server may have")


@dataclasses.dataclass
class Costs:
    """What the server was measured to take."""
    read_us: float  # a chunk that is loaded
    store_us: float  # a chunk that is stored
    store_log: float  # bytes
    edit_us: float
    edit_log: float
    idle_us: float  # a second of a member that does nothing


def median(rows, question, world, contenders):
    """The first contender that was measured."""
    for contender in contenders:
        for row in rows:
            if row["row"] == "entry" and row["median"] and row["question"] == question and row["world"].startswith(world) and \
               row["contender"] == contender:
                return float(row["median"])
    raise SystemExit(f"shared_plan.py: '{question}', '{world}' is not measured. Type: tools/remeasure.sh shared")


def costs_of(path):
    if not path.exists():
        raise SystemExit(f"shared_plan.py: {path} is missing. Type: tools/remeasure.sh shared")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    stores = "store, 1024 chunks a transaction: "
    edits = "an edit a second of each member: "
    crowd, hints = "200 members in 50 regions", ("PostgreSQL, NATS", "PostgreSQL, polls alone")
    return Costs(median(rows, "a player arrives: the server's processor time a chunk", "4227 chunks, round trip of 0 ms",
                        ["PostgreSQL, batches"]),
                 median(rows, stores + "the server's processor time", "2048", ["PostgreSQL"]),
                 median(rows, stores + "bytes of the server's log", "2048", ["PostgreSQL"]),
                 median(rows, edits + "the server's processor time an edit", crowd, hints),
                 median(rows, edits + "bytes of the server's log an edit", crowd, hints),
                 median(rows, "idle members: the server's processor time a second, each", "1000 members", hints))


@dataclasses.dataclass
class Load:
    """A row of the plan, a second."""
    what: str
    times: float
    us: float  # of processor time, each
    log: float = 0  # bytes, each
    network: float = 0  # bytes, each


def loads(a, c, servers):
    """The rows of the plan. A member looks at each server."""
    columns = 2 * a.view_chunks + 1
    members = a.players / a.players_a_game_server
    edits = a.players * a.edits_a_second
    return [
        Load("chunks loaded, all walk apart over saved land", a.players * a.voxels_walked_a_second / 32 * columns * a.chunks_high,
             c.read_us, 0, a.row_bytes),
        Load("chunks loaded by players who arrive", a.players * a.arrivals_an_hour / 3600 * columns ** 2 * a.chunks_high,
             c.read_us, 0, a.row_bytes),
        Load("edits of members, with their answers and renewals", edits, c.edit_us, c.edit_log, 2 * a.edit_bytes),
        Load("chunks saved, levels 0 to 4", a.players * a.chunks_saved_a_second, c.store_us, c.store_log, a.row_bytes),
        Load("members that look for changes, at each server", members * servers, c.idle_us),
    ]


def size(value):
    """Three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def totals(rows):
    """Cores, and megabytes a second of the log and of the network."""
    return [sum(row.times * cost(row) for row in rows) * 1e-6 for cost in (lambda r: r.us, lambda r: r.log, lambda r: r.network)]


def needs(a, rows):
    """Database servers that each resource wants."""
    cores, log, network = totals(rows)
    return {"processor": cores / (a.cores / 2), "log": log / a.log_megabytes, "network": network / a.network_megabytes}


def table(a, c):
    """The plan as Markdown."""
    servers = 1
    while servers < math.ceil(max(needs(a, loads(a, c, servers)).values())) and servers < SERVERS_MAX:
        servers += 1
    rows = loads(a, c, servers)
    lines = [f"| {size(a.players)} players | a second | each | cores | log, MB/s | network, MB/s |", "|---|---|---|---|---|---|"]
    lines += [f"| {row.what} | {size(row.times)} | {size(row.us)} us | {size(row.times * row.us * 1e-6)} | "
              f"{size(row.times * row.log * 1e-6)} | {size(row.times * row.network * 1e-6)} |" for row in rows]
    cores, log, network = totals(rows)
    lines.append(f"| **together** | | | **{size(cores)}** | **{size(log)}** | **{size(network)}** |")
    wanted = needs(a, rows)
    members = math.ceil(a.players / a.players_a_game_server)
    connections = members * a.connections_of_a_member
    lines += ["", f"Database servers of {size(a.cores)} cores, half busy, with {size(a.log_megabytes)} MB/s of log and "
                  f"{size(a.network_megabytes)} MB/s of network: **{servers}**, for the {max(wanted, key=wanted.get)}. "
                  f"{size(members)} game servers hold {size(connections)} connections to each of them"]
    if max(wanted.values()) > servers:
        lines[-1] += f", and a world has at most {SERVERS_MAX} servers: **it cannot be done so**, but in several worlds."
        return "\n".join(lines)
    most = a.connections / a.connections_of_a_member
    lines[-1] += "." if connections <= a.connections else (
        f", and a server can have {size(a.connections)}: **it cannot be done so**. It needs game servers of "
        f"{size(math.ceil(a.players / most))} players, or {math.ceil(connections / a.connections)} worlds.")
    return "\n".join(lines)


def plan(**changed):
    """The table for docs/shared.md."""
    return table(Assumptions(**changed), costs_of(RESULTS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for field in dataclasses.fields(Assumptions):
        parser.add_argument("--" + field.name.replace("_", "-"), type=float, default=field.default, metavar="N", help=field.metadata["help"])
    parser.add_argument("--csv", type=pathlib.Path, default=RESULTS, metavar="FILE", help="what terrane-bench shared wrote")
    words = vars(parser.parse_args())
    measured = words.pop("csv")
    if not all(math.isfinite(value) and value > 0 for value in words.values()):
        parser.error("each assumption is a number above 0")
    print(table(Assumptions(**words), costs_of(measured)))


if __name__ == "__main__":
    main()
