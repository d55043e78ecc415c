#!/usr/bin/env python3
"""Measures how long the page of build/web takes in a headless Chromium, drawn by the processor: until the first picture, and until the
land in view is loaded. Medians of several loads, at the sizes of a laptop and of a phone.

Usage: times.py [--loads N] [FOLDER]
"""
import argparse
import os
import statistics
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..'))
sys.path[:0] = [HERE, os.path.join(ROOT, 'viewer', 'web')]
import page  # noqa: E402
import serve  # noqa: E402

SIZES = [('1280 x 800', 1280, 800, False), ('390 x 844, a phone', 390, 844, True)]
SHOWN = 'performance.getEntriesByName("terrane-picture").map(mark => mark.startTime / 1000)[0]' # since the navigation began


def load_once(site, width, height, is_phone):
    """@return seconds until the first picture, and until the land is loaded"""
    with site.browser(width, height, is_phone=is_phone) as one:
        one.open('no-saving=1')
        shown = one.window.wait('a picture', SHOWN, 120)
        one.window.wait('the land is loaded', page.READY, 180)
        return shown, one.window.run('return performance.now() / 1000')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', default=os.path.join(ROOT, 'build', 'web'))
    parser.add_argument('--loads', type=int, default=5, help='loads for each row')
    options = parser.parse_args()
    for is_isolated in (True, False):
        server = serve.server(options.folder, is_isolated=is_isolated)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = page.Site(f'http://127.0.0.1:{server.server_address[1]}/', is_isolated)
        for name, width, height, is_phone in SIZES:
            times = [load_once(site, width, height, is_phone) for _ in range(options.loads)]
            shown, loaded = (statistics.median(column) for column in zip(*times))
            print(f'{name}, {"threads" if is_isolated else "one thread"}: first picture {shown:.1f} s, land loaded {loaded:.1f} s', flush=True)
        server.shutdown()


if __name__ == '__main__':
    main()
