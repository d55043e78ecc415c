#!/usr/bin/env python3
"""Opens the three.js example of the npm package in a headless Chromium that reaches no network.

Usage: test_three.py [--picture FILE.png]. Needs build/wasm/package, and three.js: the file that TERRANE_THREE names, or that of
Debian's libjs-three. --picture also writes what the window shows. Exits with 77 and a sentence if something is missing.
"""
import argparse
import os
import re
import shutil
import sys
import tempfile
import threading

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path[:0] = [os.path.join(ROOT, 'tests', 'web'), os.path.join(ROOT, 'viewer', 'web')]
import browser  # noqa: E402
import serve  # noqa: E402

SOURCE = os.path.join(ROOT, 'packages', 'terrane-wasm')
PACKAGE = os.path.join(ROOT, 'build', 'wasm', 'package')
THREE = os.environ.get('TERRANE_THREE', '/usr/share/javascript/three/three.module.js')
IMPORT = re.compile(r'"three": "https://[^"]*"')
OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'


def missing():
    """@return what this test lacks, as a sentence, or None"""
    if not os.path.isfile(os.path.join(PACKAGE, 'terrane.js')):
        return 'There is no build/wasm/package; run tools/wasm_package.sh, which needs emcc.'
    for name in ('terrane.js', *(f'examples/three/{each}' for each in os.listdir(os.path.join(SOURCE, 'examples', 'three')))):
        with open(os.path.join(SOURCE, name), 'rb') as source, open(os.path.join(PACKAGE, name), 'rb') as built:
            if source.read() != built.read():
                return f'{name} is not the one in build/wasm/package; run tools/wasm_package.sh.'
    if not os.path.isfile(THREE):
        return f'There is no {THREE}; apt install libjs-three, or set TERRANE_THREE to a three.module.js.'
    if not browser.is_there():
        return 'There is no Chromium with its driver; apt install chromium chromium-driver.'
    return None


def test_draws_land(window, address, _):
    window.open(f'{address}with-three.html')
    window.wait('the land is drawn', 'document.querySelector("canvas")', 120)
    points = window.pixels('canvas', 90, 60)
    sky = sum(blue > red + 40 for red, _, blue in points) / len(points)
    grass = sum(green > red + 10 and green > blue + 10 for red, green, blue in points) / len(points)
    colours = len({(red >> 3, green >> 3, blue >> 3) for red, green, blue in points})
    assert sky > 0.2 and grass > 0.05 and colours > 100, f'sky {sky}, grass {grass}, {colours} colours'
    assert window.log() == [], 'the console has no message'


def test_says_that_three_is_missing(window, address, _):
    window.open(address) # as published, with three.js from the network, which this browser cannot reach
    window.wait('a sentence', 'document.body.innerText.includes("three.js cannot be loaded")', 60)


def test_says_that_terrane_is_missing(window, address, package):
    os.rename(os.path.join(package, 'terrane-simd.wasm'), os.path.join(package, 'away'))
    window.open(f'{address}with-three.html')
    window.wait('a sentence', 'document.body.innerText.includes("The land cannot be drawn: ")', 60)


def run(folder, picture):
    package = os.path.join(folder, 'package')
    shutil.copytree(PACKAGE, package)
    shutil.copytree(os.path.dirname(THREE), os.path.join(package, 'three'), # newer versions are several files
                    ignore=lambda _, names: [name for name in names if not name.endswith('.js')])
    example = os.path.join(package, 'examples', 'three')
    with open(os.path.join(example, 'index.html'), encoding='utf-8') as file:
        page, changed = IMPORT.subn(f'"three": "/three/{os.path.basename(THREE)}"', file.read())
    assert changed == 1, 'index.html names the address of three.js once'
    with open(os.path.join(example, 'with-three.html'), 'w', encoding='utf-8') as file:
        file.write(page)
    failed = 0
    server = serve.server(package, is_isolated=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser.Browser(960, 643, arguments=(OFFLINE,)) as window:
        address = f'http://127.0.0.1:{server.server_address[1]}/examples/three/'
        for test in (test_draws_land, test_says_that_three_is_missing, test_says_that_terrane_is_missing):
            try:
                test(window, address, package)
                print(f'passed: {test.__name__}', flush=True)
            except AssertionError as fault: # one test must not end the others
                print(f'FAILED: {test.__name__}: {fault}', flush=True)
                failed += 1
            if picture and test is test_draws_land:
                with open(picture, 'wb') as file:
                    file.write(window.picture())
    server.shutdown()
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--picture', metavar='FILE.png')
    options = parser.parse_args()
    lack = missing()
    if lack:
        print(f'Skipped: {lack}')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return 1 if run(folder, options.picture) else 0


if __name__ == '__main__':
    sys.exit(main())
