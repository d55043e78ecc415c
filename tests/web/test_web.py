#!/usr/bin/env python3
"""Drives the page of build/web in a headless Chromium: runs the tests of test_*.py, without threads and with them.

Usage: test_web.py [--only WORD] [FOLDER]. Exits with 77 and a sentence if there is no page or no browser.
"""
import argparse
import os
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..'))
sys.path[:0] = [HERE, os.path.join(ROOT, 'viewer', 'web')]
import browser  # noqa: E402
import page  # noqa: E402
import serve  # noqa: E402
import test_bench  # noqa: E402
import test_crash  # noqa: E402
import test_land  # noqa: E402
import test_pad  # noqa: E402
import test_play  # noqa: E402
import test_storage  # noqa: E402
import test_touch  # noqa: E402
import test_worlds  # noqa: E402

SUBJECTS = [test_play, test_bench, test_land, test_pad, test_touch, test_storage, test_worlds, test_crash]


def all_tests(word):
    """@return name and function of each test whose name contains a word"""
    found = [(name, test) for subject in SUBJECTS for name, test in vars(subject).items() if name.startswith('test_')]
    return [(name, test) for name, test in found if word in name]


def log_has_no_error_of_webgl(window):
    bad = [line for line in window.log() if 'GL_INVALID' in line or 'WebGL: ' in line and 'CONTEXT_LOST' not in line]
    assert not bad, bad[:3]


def run_variant(folder, is_isolated, word):
    """@return how many tests failed"""
    failed = 0
    server = serve.server(folder, is_isolated=is_isolated)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = page.Site(f'http://127.0.0.1:{server.server_address[1]}/', is_isolated)
    with tempfile.TemporaryDirectory() as data, site.browser(folder=data) as one:
        for name, test in all_tests(word):
            began = time.monotonic()
            one.window.open('about:blank') # the viewer of the last test would draw beside other browsers
            try:
                test(one)
                log_has_no_error_of_webgl(one.window)
                result = 'passed'
            except Exception: # one test must not end the others
                traceback.print_exc()
                result, failed = 'FAILED', failed + 1
            print(f'{result}: {name}, {"threads" if is_isolated else "one thread"}, {time.monotonic() - began:.1f} s', flush=True)
    server.shutdown()
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', default=os.path.join(ROOT, 'build', 'web'))
    parser.add_argument('--only', metavar='WORD', default='', help='the tests whose name contains it')
    options = parser.parse_args()
    if not os.path.isfile(os.path.join(options.folder, 'terrane.wasm')):
        print(f'{options.folder} has no page, so it is not tested; tools/web.sh builds it.')
        return 77
    if not browser.is_there():
        print('There is no Chromium with its driver, so the page is not tested: apt install chromium chromium-driver.')
        return 77
    if not all_tests(options.only):
        parser.error(f'no test is called {options.only}')
    variants = [False] + [True] * os.path.isfile(os.path.join(options.folder, 'terrane-threads.wasm'))
    failed = sum(run_variant(options.folder, each, options.only) for each in variants)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
