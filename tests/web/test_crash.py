"""A killed browser loses the changes of at most ten seconds."""
import sys
import tempfile

from page import SMALL

LOST_MS = 10000 # docs/web.md


def test_a_kill_loses_at_most_ten_seconds(page):
    with tempfile.TemporaryDirectory() as folder:
        with page.site.browser(folder=folder) as first:
            at = first.load_above_ground(f'world=killed&{SMALL}')
            first.wait_until_stored() # nothing else will be written
            dug = first.dig(at)
            first.window.run('return new Promise(resolve => setTimeout(resolve, arguments[0]))', LOST_MS)
            state = first.window.run('return terrane.state()')
            first.window.kill()
        print(f'  kept {state["keptMs"] - dug:.0f} ms after the hole was dug', file=sys.stderr)
        with page.site.browser(folder=folder) as second:
            second.load_above_ground(f'world=killed&{SMALL}')
            assert second.has_hole(at)
