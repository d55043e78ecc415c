"""The page under test, in one browser or in several."""
import contextlib
import math
import time

import browser

SMALL = 'view-distance=4&look=quality=low,scale=0.5' # a view that loads within seconds
READY = 'self.terrane && terrane._page_is_ready && terrane._page_is_ready()'
AIR = 0


def mouse(kind):
    return {'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'}, 'actions': [{'type': kind, 'button': 0}]}


def key(kind, value):
    return {'type': 'key', 'id': 'keys', 'actions': [{'type': kind, 'value': value}]}


class Site:
    """A server of the page."""

    def __init__(self, address, is_isolated):
        self.address, self.is_isolated = address, is_isolated
        self.ground = None # height of the flat land

    @contextlib.contextmanager
    def browser(self, width=800, height=600, folder=None, is_phone=False):
        """@return the page in a browser of its own, without worlds unless a folder has some"""
        with browser.Browser(width, height, folder, is_phone) as window:
            yield Page(window, self)


class Page:
    """The page in one browser."""

    def __init__(self, window, site):
        self.window, self.site = window, site

    def open(self, query='', fragment=''):
        self.window.open('about:blank')
        self.window.open(f'{self.site.address}?{query}{fragment}')

    def load(self, query='', fragment=''):
        self.open(query, fragment)
        self.window.wait('the land is loaded', READY, 180)

    def load_above_ground(self, query):
        """Opens flat land just above the ground, looking down. @return the voxel of the ground below the camera"""
        if self.site.ground is None:
            self.load(f'no-saving=1&{SMALL}', '#flat/0/8.50,20.00,8.50,0.0,-89.0/12.00')
            column = self.window.run('return [...Array(200).keys()].map(i => terrane._page_block(8, 100 - i, 8))')
            self.site.ground = 100 - next(i for i, block in enumerate(column) if block > AIR)
        self.load(query, f'#flat/0/8.50,{self.site.ground + 3.5:.2f},8.50,0.0,-89.0/12.00')
        return [8, self.site.ground, 8]

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
        if not self.window.run('return !!document.pointerLockElement'):
            self.window.click(400, 250)
            self.window.wait('the mouse is caught', 'document.pointerLockElement', 30)

    def has_hole(self, at):
        block = self.blocks(at)[0]
        assert block >= 0, 'the chunk is loaded'
        return block == AIR

    def wait_for_hole(self, at, seconds=30):
        x, y, z = at
        self.window.wait('the hole', f'terrane._page_block({x}, {y}, {z}) === {AIR}', seconds)

    def dig(self, at):
        """Digs a voxel that the camera looks at, by the mouse. @return page time when it was dug"""
        assert not self.has_hole(at)
        self.take_controls()
        self.window.act(mouse('pointerDown'))
        self.wait_for_hole(at)
        self.window.act(mouse('pointerUp'))
        self.frames() # more may be dug until the button's release arrives
        return self.now()

    def now(self):
        """@return milliseconds of the page"""
        return self.window.run('return performance.now()')

    def wait_until_stored(self, seconds=60):
        """Waits until all that has changed until now is in the browser's storage."""
        self.window.wait('what has changed is stored', f'terrane.state().keptMs > {self.now()}', seconds)

    def wait_for_news(self, words, seconds=60):
        """@return what the page tells"""
        return self.window.wait(f'news of "{words}"', f'(text => text.includes({words!r}) && text)'
                                '(document.getElementById("news").textContent)', seconds)

    def failure(self, query, fragment=''):
        """@return the sentence with which the page ends"""
        self.open(query, fragment)
        return self.window.wait('a sentence', 'document.getElementById("failure-text").textContent', 60)

    def frames(self, count=10):
        """Lets the viewer draw some frames, however long they take."""
        self.window.run("""return new Promise(resolve => {
            let rest = arguments[0];
            const count = () => rest-- > 0 ? requestAnimationFrame(count) : resolve();
            count();
        })""", count)

    def until(self, what, is_true, seconds=30):
        """Waits until a function returns something true."""
        end = time.monotonic() + seconds
        while not is_true():
            assert time.monotonic() < end, f'{what}: not within {seconds} s; the camera is at {self.place()}'
            time.sleep(0.05)

    def until_moved(self, before, distance=2.0):
        """Waits until the camera is some voxels from a place. @return its place"""
        self.until(f'moves from {before}', lambda: math.dist(before[:3], self.place()[:3]) > distance)
        return self.place()

    def until_still(self):
        """Waits until neither place nor view of the camera change any more: it glides a little."""
        def is_still():
            before = self.place()
            self.frames()
            return self.place() == before
        self.until('stands still', is_still)
