#!/usr/bin/env python3
"""Runs a program whose zones are written to a file, and checks them: every stage is there, zones of a thread nest, and what a stage consists
of lies inside it.

usage: test_zones.py PROGRAM FILE
"""
import json
import os
import subprocess
import sys

program, path = sys.argv[1:]
subprocess.run([program], check=True, env={**os.environ, "ZONE_TRACE": path}, stdout=subprocess.DEVNULL)
with open(path) as file:
    zones = json.loads(file.read().rstrip().rstrip(",") + "]")

INSIDE = {"stream views": "stream update", "upload": "stream update", "mesh quads": "mesh", "light": "mesh", "terrain chunk": "generate",
          "terrain column": "terrain chunk"}
EXPECTED = {"stream update", "stream unload", "generate", "load", "encode", "mesh", "batch commit", *INSIDE}

threads = {}
for zone in zones:
    threads.setdefault(zone["tid"], []).append(zone)
parents = {}
for tid, own in threads.items():
    own.sort(key=lambda zone: (zone["ts"], -zone["dur"]))
    stack = []
    for zone in own:
        while stack and zone["ts"] >= stack[-1]["ts"] + stack[-1]["dur"] - 0.002: # rounding
            stack.pop()
        end = zone["ts"] + zone["dur"]
        assert not stack or end <= stack[-1]["ts"] + stack[-1]["dur"] + 0.5, f"'{zone['name']}' ends after '{stack[-1]['name']}' around it"
        parents.setdefault(zone["name"], set()).update(above["name"] for above in stack)
        stack.append(zone)

missing = EXPECTED - parents.keys()
assert not missing, f"no zone of {sorted(missing)} among {sorted(parents)}"
for name, around in INSIDE.items():
    assert around in parents[name], f"'{name}' is inside {sorted(parents[name])}, and not in '{around}'"
assert len(threads) >= 2, "all zones are of one thread"
print(f"{len(zones)} zones of {len(parents)} kinds on {len(threads)} threads")
