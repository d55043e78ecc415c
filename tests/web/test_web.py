#!/usr/bin/env python3
"""Drives the page of build/web in a headless Chromium: flies, digs, reloads, and asks for what a browser may lack.

Usage: test_web.py [FOLDER]. Exits with 77 and a sentence if there is no page or no browser.
"""
import math
import os
import re
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..'))
sys.path[:0] = [HERE, os.path.join(ROOT, 'viewer', 'web')]
import browser  # noqa: E402
import serve  # noqa: E402

LOOK_DOWN, ESCAPE = '\ue015', '\ue00c'
SMALL = 'view-distance=4&look=quality=low,scale=0.5' # a view that loads within seconds
READY = 'self.terrane && terrane._page_is_ready && terrane._page_is_ready()'
AIR = 0


class Page:
    """The page in one browser, by the address of a server that runs as long as the test."""

    def __init__(self, window, address):
        self.window, self.address = window, address

    def load(self, query='', fragment=''):
        self.window.open('about:blank')
        self.window.open(f'{self.address}?{query}{fragment}')
        self.window.wait('the land is loaded', READY, 180)

    def place(self):
        return [float(each) for each in self.window.run('return terrane.UTF8ToString(terrane._page_place())').split(',')]

    def column(self):
        """@return blocks of the 12 voxels below the camera's, from above"""
        x, y, z = (math.floor(each) for each in self.place()[:3])
        return [x, y, z], self.blocks([x, y, z])

    def blocks(self, at):
        x, y, z = at
        return self.window.run(f'return [...Array(12).keys()].map(i => terrane._page_block({x}, {y} - i, {z}))')

    def take_controls(self):
        self.window.click(400, 250)
        self.window.wait('the mouse is caught', 'document.pointerLockElement', 10)

    def failure(self, query):
        self.window.open('about:blank')
        self.window.open(f'{self.address}?{query}')
        return self.window.wait('a sentence', 'document.getElementById("failure-text").textContent', 30)


def colour_facts(window):
    """@return mean red, green, blue of the upper and of the lower third of the picture, and how many colours it has"""
    points = window.pixels('#canvas', 90, 60)
    third = len(points) // 3
    means = [[sum(each) / third for each in zip(*part)] for part in (points[:third], points[-third:])]
    return means, len({(red >> 3, green >> 3, blue >> 3) for red, green, blue in points})


def test_draws_sky_above_land(page):
    page.load(f'no-saving=1&{SMALL}')
    (sky, land), colours = colour_facts(page.window)
    assert sky[2] > sky[0] and sky[2] > 100, f'the sky is blue and light: {sky}'
    assert land != sky and colours > 40, f'the land is no sky: {land}, {colours} colours'


def test_flies_by_keys(page):
    page.load(f'no-saving=1&{SMALL}')
    before = page.place()
    page.window.hold_key('w', 1.5)
    after = page.place()
    assert math.dist(before[:3], after[:3]) > 3, f'from {before} to {after}'
    assert before[3:] == after[3:], 'nothing has turned it'


def test_keeps_a_hole_over_a_reload(page):
    page.load(SMALL)
    page.take_controls()
    page.window.hold_key(LOOK_DOWN, 2.5)
    page.window.hold_key('f', 0.3) # to walk: the player falls to the ground
    at, blocks = [], []
    for _ in range(100):
        time.sleep(0.3)
        now = page.column()
        if now[0] == at and any(blocks):
            break
        at, blocks = now
    page.window.click(400, 250, seconds=1.5)
    dug = page.blocks(at)
    assert sum(block == AIR for block in dug) > sum(block == AIR for block in blocks), f'{blocks} became {dug}'
    dug_ms = page.window.run('return terrane.state().nowMs')
    page.window.wait('the hole is stored', f'terrane.state().keptMs > {dug_ms}', 60)
    page.load(SMALL)
    assert page.blocks(at)[:8] == dug[:8], 'the hole is there'


def test_pauses_and_goes_on(page):
    page.load(f'no-saving=1&{SMALL}')
    page.take_controls()
    page.window.run('document.exitPointerLock()') # as Escape does, which a browser keeps for itself
    page.window.wait('the menu has the mouse', '!document.body.classList.contains("plays")', 20)
    page.window.hold_key(ESCAPE, 0.2)
    page.window.wait('the player has the controls', 'document.body.classList.contains("plays")', 20)


def test_shares_a_place(page):
    page.load(f'no-saving=1&{SMALL}', '#islands/42/100.00,90.00,-40.00,180.0,-10.0/9.50')
    assert page.place() == [100, 90, -40, 180, -10], page.place()
    page.window.hold_key('l', 0.2)
    page.window.wait('the address', 'location.hash.startsWith("#islands@")', 10)
    assert '/42/100.00,90.00,-40.00,180.0,-10.0/9.50' in page.window.run('return location.hash')


def test_goes_on_after_a_lost_context(page):
    page.load(f'no-saving=1&{SMALL}')
    page.window.run('document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext()')
    time.sleep(3)
    page.window.wait('the land is drawn again', 'terrane._page_figure(2) > 0', 60)
    _, colours = colour_facts(page.window)
    assert colours > 40, f'{colours} colours'
    assert not page.window.run('return document.getElementById("failure-text").textContent')


def test_says_what_is_missing(page):
    assert 'WebGL 2' in page.failure('no-webgl=1')
    assert 'SIMD' in page.failure('no-simd=1')
    assert 'preset' in page.failure('no-saving=1&preset=moon')
    assert 'A link looks like' in page.failure('no-saving=1#%E0%A4%A')
    page.window.run('document.getElementById("plain").click()')
    page.window.wait('the viewer runs', 'document.body.classList.contains("runs")', 60)
    assert page.window.run('return location.search + location.hash') == ''


def test_tells_a_second_tab(page):
    page.load(SMALL)
    first = page.window.send('GET', '/window')
    second = page.window.send('POST', '/window/new', {'type': 'tab'})['handle']
    page.window.send('POST', '/window', {'handle': second})
    page.window.open(f'{page.address}?{SMALL}')
    told = page.window.wait('a sentence', 'document.getElementById("news").textContent', 60)
    page.window.send('DELETE', '/window')
    page.window.send('POST', '/window', {'handle': first})
    assert 'another tab' in told, told


def test_runs_the_benchmark(page):
    page.window.open('about:blank')
    page.window.open(page.address + '?bench=^(gather the box|find, present|find, caches cold) . ball R=16&no-saving=1&' + SMALL)
    page.window.wait('the dialog', 'document.getElementById("bench").open', 30)
    page.window.run('document.getElementById("run-bench").click()')
    page.window.wait('the report', '!document.getElementById("bench-report").hidden', 120)
    said, rows, bars, left_out = page.window.run('''return [document.getElementById("bench-headlines").textContent,
        [...document.querySelectorAll("#bench-table tr")].map(row => [...row.cells].map(cell => cell.textContent)),
        document.querySelectorAll("#bench-plot rect").length, document.getElementById("bench-left-out").textContent];''')
    names = [row[0] for row in rows]
    assert '17,077 chunks: Terrane' in said and 'std::unordered_map, probed' in said, said
    assert {'Terrane index, pointers', 'std::unordered_map, probed', 'std::map', 'sparse octree'} <= set(names), names
    assert bars >= 2 and rows[0][1].startswith('ball R=16'), rows[0]
    assert sum(bool(re.search(r'\d µs', row[1])) for row in rows) > 20, rows
    assert 'find, caches cold (the clock here has steps of' in left_out, left_out
    question = 'document.getElementById("bench-question")'
    assert page.window.run(f'return [...{question}.options].map(each => each.value)') == ['gather the box', 'find, present']
    page.window.run(f'{question}.value = "find, present"; {question}.dispatchEvent(new Event("change"))')
    assert ' ns' in page.window.run('return document.querySelector("#bench-table td").textContent')
    page.window.run('document.getElementById("hide-bench").click()')
    page.window.wait('the land is loaded', READY, 180) # the viewer starts once the dialog is closed


def test_stops_the_benchmark_and_goes_on(page):
    page.load(f'no-saving=1&{SMALL}')
    page.window.run('document.getElementById("show-bench").click(); document.getElementById("run-bench").click()')
    page.window.wait('the benchmark runs', '/^stage/.test(document.getElementById("bench-status").textContent)', 60)
    page.window.run('document.getElementById("run-bench").click()')
    assert page.window.run('return document.getElementById("bench-status").textContent') == 'Stopped.'
    page.window.run('document.getElementById("hide-bench").click()')
    before = page.place()
    page.window.hold_key('w', 1.5)
    assert math.dist(before[:3], page.place()[:3]) > 1, 'the viewer goes on'


def test_logs_no_error_of_webgl(page):
    bad = [line for line in page.window.log() if 'GL_INVALID' in line or 'WebGL: ' in line and 'CONTEXT_LOST' not in line]
    assert not bad, bad[:3]


def run_variant(folder, is_isolated):
    """@return how many tests failed"""
    failed = 0
    server = serve.server(folder, is_isolated=is_isolated)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as data, browser.Browser(800, 600, data) as window:
        page = Page(window, f'http://127.0.0.1:{server.server_address[1]}/')
        for name, test in list(globals().items()):
            if not name.startswith('test_'):
                continue
            began = time.monotonic()
            try:
                test(page)
                result = 'passed'
            except Exception: # one test must not end the others
                traceback.print_exc()
                result, failed = 'FAILED', failed + 1
            print(f'{result}: {name}, {"threads" if is_isolated else "one thread"}, {time.monotonic() - began:.1f} s', flush=True)
    server.shutdown()
    return failed


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, 'build', 'web')
    if not os.path.isfile(os.path.join(folder, 'terrane.wasm')):
        print(f'{folder} has no page, so it is not tested; tools/web.sh builds it.')
        return 77
    if not browser.is_there():
        print('There is no Chromium with its driver, so the page is not tested: apt install chromium chromium-driver.')
        return 77
    variants = [False] + [True] * os.path.isfile(os.path.join(folder, 'terrane-threads.wasm'))
    failed = sum(run_variant(folder, each) for each in variants)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
