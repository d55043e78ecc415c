#!/usr/bin/env python3
"""Draws a trace of zones (docs/profiling.md) as chrome://tracing does: a row for each depth of each thread.

Usage: tools/draw_zones.py TRACE.json OUT.svg [FROM_MS LENGTH_MS]
"""
import html
import json
import sys

WIDTH, ROW, LEFT, TOP = 1200, 22, 70, 24


def read(path):
    """The zones of a trace, by thread: (begin, end, name) in us."""
    threads = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("{"):
            event = json.loads(line.rstrip().rstrip(","))
            threads.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"], event["name"]))
    return threads


def with_depths(zones):
    """Each zone with its depth: those that it lies in."""
    open_ends = []
    for begin, end, name in sorted(zones, key=lambda zone: (zone[0], -zone[1])):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        yield begin, end, name, len(open_ends)
        open_ends.append(end)


def draw(threads, start, length):
    names = sorted({name for zones in threads.values() for begin, end, name in zones if end > start and begin < start + length})
    colours = {name: f"hsl({number * 360 // len(names)},55%,{45 + number % 2 * 10}%)" for number, name in enumerate(names)}
    parts, top = [], TOP
    for number, zones in enumerate(sorted(threads.values(), key=lambda zones: -sum(z[2] == "stream update" for z in zones))):
        seen = [z for z in with_depths(zones) if z[1] > start and z[0] < start + length]
        parts.append(f'<text x="4" y="{top + 15}">{"game" if number == 0 else f"worker {number}"}</text>')
        for begin, end, name, depth in seen:
            x = LEFT + max(begin - start, 0) / length * (WIDTH - LEFT)
            width = (min(end, start + length) - max(begin, start)) / length * (WIDTH - LEFT)
            y = top + depth * ROW
            title = f"{html.escape(name)}: {end - begin:.0f} us"
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{max(width, 0.5):.1f}" height="{ROW - 2}" '
                         f'fill="{colours[name]}"><title>{title}</title></rect>')
            if width > 7 * len(name):
                parts.append(f'<text x="{x + 3:.1f}" y="{y + 14}" fill="#fff">{html.escape(name)}</text>')
        top += (max((z[3] for z in seen), default=0) + 1) * ROW + 10
    for step in range(11):
        x = LEFT + step / 10 * (WIDTH - LEFT)
        parts.append(f'<line x1="{x:.1f}" y1="18" x2="{x:.1f}" y2="{top}" stroke="#0002"/>'
                     f'<text x="{x + 2:.1f}" y="12">{step * length / 10000:.1f} ms</text>')
    for number, name in enumerate(names):
        x, y = LEFT + number % 6 * 180, top + 8 + number // 6 * ROW
        parts.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colours[name]}"/>'
                     f'<text x="{x + 18}" y="{y + 11}">{html.escape(name)}</text>')
    top += 8 + (len(names) + 5) // 6 * ROW
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" font-family="sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n')


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    threads = read(sys.argv[1])
    if not threads:
        sys.exit(f"{sys.argv[1]} has no zones.")
    first = min(begin for zones in threads.values() for begin, _, _ in zones)
    last = max(end for zones in threads.values() for _, end, _ in zones)
    start, length = (first + float(sys.argv[3]) * 1000, float(sys.argv[4]) * 1000) if len(sys.argv) == 5 else (first, last - first)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(draw(threads, start, length))


main()
