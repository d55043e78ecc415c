"""Fingers on a phone: thumbs, buttons, and fingers that end without being lifted."""
import contextlib

from page import SMALL

ESCAPE = '\ue00c'


class Fingers:
    """Up to two on the screen; by Chromium's own commands, which can also cancel them."""

    def __init__(self, window):
        self.window, self.points = window, {}

    def down(self, name, x, y):
        self.points[name] = {'x': x, 'y': y, 'id': 1 + max([0, *(each['id'] for each in self.points.values())])}
        self.send('touchStart')

    def drag(self, name, x, y, steps=5):
        """In steps, as real fingers move: the first move after the viewer took the controls turns nothing."""
        point = self.points[name]
        across, down = (x - point['x']) / steps, (y - point['y']) / steps
        for _ in range(steps):
            point.update(x=point['x'] + across, y=point['y'] + down)
            self.send('touchMove')

    def up(self, name):
        point = self.points.pop(name)
        self.window.cdp('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[point])

    def cancel(self):
        """As the system does when it takes the screen, for a call or a gesture of its own."""
        self.points.clear()
        self.send('touchCancel')

    def tap(self, x, y):
        self.down('tap', x, y)
        self.up('tap')

    def send(self, kind):
        self.window.cdp('Input.dispatchTouchEvent', type=kind, touchPoints=list(self.points.values()))


def centre(page, selector):
    return page.window.run('''const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];''', selector)


def button(number):
    return f'#touch [data-button="{number}"]'


DIG, MENU = button(16), button(7)
CHOSEN_SLOT = 'terrane._page_figure(6)' # PAGE_SLOT of viewer/page.h


@contextlib.contextmanager
def a_phone(page):
    with page.site.browser(360, 640, is_phone=True) as phone:
        phone.fingers = Fingers(phone.window)
        yield phone


def take_controls(phone):
    """By a real touch of WebDriver."""
    phone.window.click(200, 250, seconds=0.1, kind='touch')
    phone.window.wait('the thumbs are shown', 'document.body.matches(".touches.plays")', 30)


def wait_for_menu(phone):
    phone.window.wait('the menu is open', '!document.body.classList.contains("plays")', 30)


def test_bar_is_one_line_on_phones(page):
    for width, height in ((390, 844), (360, 640)):
        with page.site.browser(width, height, is_phone=True) as phone:
            phone.open(f'no-saving=1&{SMALL}')
            tops, right = phone.window.run('''const boxes = [...document.querySelectorAll("#bar button")].map(each => each.getBoundingClientRect());
                return [[...new Set(boxes.map(each => each.top))], Math.max(...boxes.map(each => each.right))];''')
            assert len(tops) == 1 and right <= width, (width, tops, right)


def test_thumbs_move_and_turn_at_once(page):
    with a_phone(page) as phone:
        phone.load(f'no-saving=1&{SMALL}')
        take_controls(phone)
        phone.until_still()
        x, y = centre(phone, '#thumb')
        before = phone.place()
        phone.fingers.down('left', x, y)
        phone.fingers.drag('left', x, y - 45)
        ahead = phone.until_moved(before)
        assert before[3:] == ahead[3:], 'the left thumb does not turn'
        phone.fingers.down('right', 240, 300)
        phone.fingers.drag('right', 280, 310)
        phone.until('the right thumb turns', lambda: all(phone.place()[i] != ahead[i] for i in (3, 4)))
        phone.until_moved(phone.place()) # the left thumb still moves
        phone.fingers.up('left')
        phone.until_still()
        here = phone.place()
        phone.fingers.drag('right', 240, 310)
        phone.until('the right thumb alone turns', lambda: phone.place()[3] != here[3])
        assert phone.place()[:3] == here[:3], 'and does not move'
        phone.fingers.up('right')


def test_buttons_dig_and_pause(page):
    with a_phone(page) as phone:
        at = phone.load_above_ground(f'no-saving=1&{SMALL}')
        take_controls(phone)
        phone.frames()
        assert not phone.has_hole(at), 'the touch that takes the controls digs nothing'
        phone.fingers.down('dig', *centre(phone, DIG))
        phone.wait_for_hole(at)
        phone.fingers.up('dig')
        phone.frames()
        dug = phone.blocks(at)
        phone.frames(20)
        assert phone.blocks(at) == dug, 'the button is not held'
        phone.fingers.tap(*centre(phone, MENU)) # shorter than a frame
        wait_for_menu(phone)


def test_a_tap_on_the_bar_chooses_a_block(page):
    with a_phone(page) as phone:
        phone.load(f'no-saving=1&{SMALL}')
        take_controls(phone)
        phone.frames()
        chosen = lambda: phone.window.run(f'return {CHOSEN_SLOT}')
        assert chosen() == 0
        third = 180 - 2 * (360 - 24) / 9
        phone.fingers.tap(third, 596)
        phone.until('the third block is chosen', lambda: chosen() == 2)
        phone.fingers.tap(third + 74, 540) # above the bar
        phone.frames()
        assert chosen() == 2


def test_fingers_that_are_cancelled_hold_nothing(page):
    with a_phone(page) as phone:
        phone.load(f'no-saving=1&{SMALL}')
        take_controls(phone)
        x, y = centre(phone, '#thumb')
        before = phone.place()
        phone.fingers.down('left', x, y - 45)
        phone.fingers.down('dig', *centre(phone, DIG))
        phone.window.wait('the button is held', 'document.querySelector("#touch .held")', 10)
        phone.until_moved(before)
        phone.fingers.cancel()
        phone.until_still()
        assert not phone.window.run('return document.querySelector("#touch .held")'), 'the button is not held'
        before = phone.place()
        phone.fingers.down('left', x, y - 45)
        phone.until_moved(before) # the thumb takes new fingers
        phone.fingers.up('left')


def test_a_thumb_lifted_in_the_menu_is_not_held(page):
    with a_phone(page) as phone:
        phone.load(f'no-saving=1&{SMALL}')
        take_controls(phone)
        x, y = centre(phone, '#thumb')
        before = phone.place()
        phone.fingers.down('left', x, y - 45)
        phone.until_moved(before)
        phone.fingers.down('menu', *centre(phone, MENU))
        wait_for_menu(phone)
        phone.fingers.up('menu')
        phone.fingers.up('left')
        phone.window.hold_key(ESCAPE, 0.2)
        phone.window.wait('the player has the controls', 'document.body.classList.contains("plays")', 30)
        phone.until_still()
