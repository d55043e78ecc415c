"""The page generates the same land as the library: both are held against tests/terrain/pinned_land.h."""
import os
import re

from page import SMALL

PINNED = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'terrain', 'pinned_land.h')
ROW = re.compile(r'\{"(\w+)", (\d+), (\d+), \{(-?\d+), (-?\d+), (-?\d+)\}, 0x([0-9A-F]+)u\}')

# hash_box of test_versions.c, and hash_blocks of terrain_voxels.h.
HASH = '''
    const [x, y, z] = arguments, word = 0xFFFFFFFFFFFFFFFFn;
    let hash = 0xCBF29CE484222325n, missing = 0;
    for (let cy = y - 1; cy <= y + 1; cy++) for (let cz = z - 2; cz <= z + 2; cz++) for (let cx = x - 2; cx <= x + 2; cx++) {
        for (let i = 0; i < 32768; i += 4) {
            let low = 0, high = 0;
            for (let k = 0; k < 4; k++) {
                const block = terrane._page_block(cx * 32 + i % 32 + k, cy * 32 + (i >> 10), cz * 32 + (i >> 5) % 32);
                missing += block < 0;
                if (k < 2) low += block * 65536 ** k;
                else high += block * 65536 ** (k - 2);
            }
            hash = (hash ^ (BigInt(high) << 32n | BigInt(low))) * 0x100000001B3n & word;
            hash ^= hash >> 29n;
        }
    }
    return [hash.toString(16).toUpperCase(), missing];'''


def test_land_is_that_of_the_library(page):
    with open(PINNED, encoding='utf-8') as file:
        rows = ROW.findall(file.read())
    assert len(rows) >= 2, rows
    for preset, version, seed, *middle, pinned in rows:
        x, y, z = map(int, middle)
        at = f'{x * 32 + 16}.00,{y * 32 + 16}.00,{z * 32 + 16}.00'
        page.load(f'no-saving=1&{SMALL}', f'#{preset}@{version}/{seed}/{at},0.0,0.0/12.00')
        page.window.wait('all is loaded', 'terrane._page_figure(4)', 120)
        found, missing = page.window.run(HASH, x, y, z)
        assert not missing, f'{preset}: {missing} voxels are not loaded'
        assert found == pinned, f'{preset}: {found} instead of {pinned}'
