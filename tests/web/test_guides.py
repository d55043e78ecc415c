#!/usr/bin/env python3
"""Opens guides of the documentation's site in a headless Chromium, and flies in the place of their pictures.

Usage: test_guides.py [FOLDER]. Exits with 77 and a sentence if there is no site, no page in it, or no browser.
"""
import functools
import http.server
import json
import math
import os
import sys
import threading
import time
import traceback
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..'))
sys.path[:0] = [HERE, os.path.join(ROOT, 'viewer', 'web')]
import browser  # noqa: E402
import serve  # noqa: E402

SMALL = {'view-distance': '4', 'look': 'quality=low,scale=0.5'}  # a view that loads within seconds
INSIDE = 'document.querySelector(".live-frame iframe")?.contentWindow'
READY = f'{INSIDE}?.terrane?._page_is_ready?.()'
GUIDES = ['index', 'page_viewer', 'page_terrain', 'page_web', 'page_choosing']  # that have live pictures


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """As python3 -m http.server: without headers of isolation."""

    def log_message(self, format, *args):
        pass


class Guide:
    """A guide of the site in one browser."""

    def __init__(self, window, address):
        self.window, self.address = window, address

    def load(self, name):
        self.window.open('about:blank')
        self.window.open(f'{self.address}{name}.html')

    def centre(self, selector):
        """@return the middle of an element, scrolled into the window"""
        return self.window.run(f'''const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];''')

    def click(self, selector, kind='mouse'):
        self.window.click(*self.centre(selector), kind=kind)

    def fly(self, kind='mouse'):
        """Clicks the first live picture. @return the place in its address"""
        href = self.window.run('''const poster = document.querySelector("a.live"), address = new URL(poster.href);
            for (const [name, value] of Object.entries(arguments[0])) address.searchParams.set(name, value);
            return poster.href = address.href;''', SMALL)
        self.click('a.live > span', kind)
        self.window.wait('the land is loaded', READY, 180)
        return [float(each) for each in urllib.parse.unquote(href).split('#')[1].split('/')[2].split(',')]

    def place(self):
        return [float(each) for each in self.window.run(f'const page = {INSIDE}.terrane; return page.UTF8ToString(page._page_place())').split(',')]

    def frame(self):
        """@return left, top, right and bottom of the frame in the window, and the window's size"""
        return self.window.run('''const box = document.querySelector(".live-frame iframe").getBoundingClientRect();
            return [[box.left, box.top, box.right, box.bottom], [innerWidth, innerHeight]];''')


def test_loads_nothing_before_a_click(guide):
    for name in GUIDES:
        guide.load(name)
        assert guide.window.run('return document.querySelectorAll("a.live > span").length') > 0, f'{name} has no live picture'
        loaded = guide.window.run('return performance.getEntriesByType("resource").map(each => each.name)')
        assert not [each for each in loaded if '/viewer/' in each], loaded


def test_flies_where_the_picture_was_taken(guide):
    guide.load('index')
    place = guide.fly()
    assert guide.place() == place, f'{guide.place()} instead of {place}'
    assert not guide.window.run('return document.querySelector("a.live").getClientRects().length'), 'the picture is still shown'
    isolated = guide.window.run('return self.crossOriginIsolated')
    state = guide.window.run(f'return {INSIDE}.terrane.state()')
    assert state['threads'] == isolated, state
    assert not state['saves'], 'a guide writes nothing into its reader\'s browser'


def test_frame_has_the_keys(guide):
    guide.load('index')
    guide.fly()
    before = guide.place()
    guide.window.hold_key('w', 1.5)
    after = guide.place()
    assert math.dist(before[:3], after[:3]) > 3, f'from {before} to {after}'


def test_wheel_scrolls_the_guide_until_the_frame_has_the_mouse(guide):
    guide.load('index')
    guide.fly()
    x, y = guide.centre('.live-frame iframe')
    def scroll(by):
        before = guide.window.run('return scrollY')
        guide.window.act({'type': 'wheel', 'id': 'wheel', 'actions': [
            {'type': 'scroll', 'x': int(x), 'y': int(y), 'deltaX': 0, 'deltaY': by, 'duration': 0}]})
        time.sleep(0.7)
        return guide.window.run('return scrollY') - before
    assert scroll(120) > 0
    x, y = guide.centre('.live-frame iframe')
    guide.window.click(x, y)
    guide.window.wait('the frame has the mouse', f'!!{INSIDE}.document.pointerLockElement', 20)
    assert scroll(120) == 0
    guide.window.run(f'{INSIDE}.document.exitPointerLock()')


def test_gives_the_picture_back(guide):
    guide.load('index')
    guide.fly()
    guide.click('.live-bar > button')
    guide.window.wait('the picture', 'document.querySelector("a.live").getClientRects().length', 10)
    assert not guide.window.run('return document.querySelector(".live-frame")')
    assert guide.window.run('return document.activeElement.className') == 'live'


def test_one_frame_at_a_time(guide):
    guide.load('page_viewer')
    guide.fly()
    width = guide.window.run('return document.querySelector("a.live").closest("table").clientWidth')
    (left, _, right, _), _ = guide.frame()
    assert right - left > 0.9 * width, 'a frame in a table is as wide as the table'
    guide.window.run('document.querySelectorAll("a.live")[1].click()')
    assert guide.window.run('return document.querySelectorAll(".live-frame iframe").length') == 1
    guide.window.run('document.querySelectorAll("a.live")[1].click()')
    assert guide.window.run('return document.querySelectorAll(".live-frame, tr:empty").length') == 0


def test_offers_the_benchmark(guide):
    guide.load('page_choosing')
    guide.click('a.live > span')
    guide.window.wait('its dialog', f'!!{INSIDE}?.document.querySelector("#bench[open]")', 60)


def check_phone(address):
    with browser.Browser(390, 844, is_phone=True) as window:
        guide = Guide(window, address)
        guide.load('index')
        guide.fly('touch')
        (left, top, right, bottom), (width, height) = guide.frame()
        assert (left, right, bottom) == (0, width, height) and top < 60, guide.frame()
        thumb = window.run(f'''const page = {INSIDE}.document;
            const box = page.getElementById("thumb").getBoundingClientRect();
            return [box.left, box.top, box.right, box.bottom];''')
        assert thumb[2] > thumb[0] and thumb[3] < bottom - top, f'the left thumb lies at {thumb}'
        window.click(36, 20, kind='touch')
        window.wait('the picture', '!document.querySelector(".live-frame iframe")', 10)
        assert window.run('return document.documentElement.scrollWidth <= innerWidth'), 'the guide scrolls sideways'


def check_file(folder):
    with browser.Browser(800, 600) as window:
        guide = Guide(window, f'file://{urllib.parse.quote(os.path.abspath(folder))}/')
        guide.load('index')
        guide.click('a.live > span')
        assert 'http.server' in window.wait('a sentence', 'document.querySelector(".live-note")?.textContent', 10)
        assert not window.run('return document.querySelector(".live-frame iframe")')


def check_search(folder):
    """From a folder, without a network: a function's name leads to its page, which has an example."""
    with browser.Browser(1000, 800) as window:
        guide = Guide(window, f'file://{urllib.parse.quote(os.path.abspath(folder))}/')
        guide.load('index')
        left, top = window.run('''const field = document.getElementById("MSearchField");
            field.focus();
            field.value = "trn_store_gather";
            searchBox.OnSearchFieldChange({keyCode: 0});
            return new Promise(resolve => setTimeout(() => {
                const box = document.getElementById("MSearchResults").getBoundingClientRect();
                resolve([box.x, box.y]);
            }, 2000));''')
        window.click(left + 40, top + 12)
        window.wait('its page', 'location.pathname.endsWith("/trn_store_gather.html")', 10)
        assert 'trn_store_gather(' in window.run('return document.querySelector("pre.fragment").textContent')


def tell(name, test):
    """Runs one test; one that fails does not end the others. @return whether it failed"""
    began = time.monotonic()
    try:
        test()
        result = 'passed'
    except Exception:
        traceback.print_exc()
        result = 'FAILED'
    print(f'{result}: {name}, {time.monotonic() - began:.1f} s', flush=True)
    return result == 'FAILED'


def serve_site(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f'http://127.0.0.1:{server.server_address[1]}/'


def run_in(window, address, kind):
    """@return how many tests failed"""
    guide = Guide(window, address)
    tests = [(name, test) for name, test in globals().items() if name.startswith('test_')]
    return sum(tell(f'{name}, {kind}', functools.partial(test, guide)) for name, test in tests)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, 'build', 'docs', 'site')
    if not os.path.isfile(os.path.join(folder, 'index.html')):
        print(f'{folder} has no site, so its guides are not tested; tools/docs.sh builds it.')
        return 77
    if not os.path.isfile(os.path.join(folder, 'viewer', 'terrane.wasm')):
        print(f'{folder} has no page in its guides, so they are not tested; tools/web.sh, then tools/docs.sh build it.')
        return 77
    if not browser.is_there():
        print('There is no Chromium with its driver, so the guides are not tested: apt install chromium chromium-driver.')
        return 77
    handler = functools.partial(QuietHandler, directory=folder)
    plain = serve_site(http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler))
    with browser.Browser(1280, 800) as window:
        failed = run_in(window, plain, 'plain hosting')
        if os.path.isfile(os.path.join(folder, 'viewer', 'terrane-threads.wasm')):
            isolated = Guide(window, serve_site(serve.server(folder)))
            test = functools.partial(test_flies_where_the_picture_was_taken, isolated)
            failed += tell('test_flies_where_the_picture_was_taken, isolated', test)
    failed += tell('check_phone', functools.partial(check_phone, plain))
    failed += tell('check_file', functools.partial(check_file, folder))
    failed += tell('check_search', functools.partial(check_search, folder))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
