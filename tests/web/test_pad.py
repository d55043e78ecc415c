"""A gamepad. A headless browser has none, so a script takes the place of the browser's list of gamepads."""
from page import SMALL

PAD = '''
    self.pad = {id: 'Test pad (STANDARD GAMEPAD)', index: 0, connected: false, mapping: 'standard', timestamp: 0,
        axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({pressed: false, touched: false, value: 0}))};
    self.plug = isIn => {
        pad.connected = isIn;
        dispatchEvent(Object.assign(new Event(isIn ? 'gamepadconnected' : 'gamepaddisconnected'), {gamepad: pad}));
    };
    self.press = (button, value) => { pad.buttons[button] = {pressed: value > 0.5, touched: value > 0, value}; };
    navigator.getGamepads = () => [pad.connected ? pad : null, null, null, null];'''
RIGHT_TRIGGER = 7


def test_pad_flies_and_turns(page):
    with page.window.injected(PAD):
        page.load(f'no-saving=1&{SMALL}')
        page.until_still()
        before = page.place()
        page.window.run('plug(true); pad.axes = [0, -1, 0, 0]')
        ahead = page.until_moved(before)
        assert before[3:] == ahead[3:], 'the left stick does not turn'
        page.window.run('pad.axes = [0, 0, 0, 0]')
        page.until_still()
        before = page.place()
        page.window.run('pad.axes = [0, 0, 0.8, 0]')
        page.until('the right stick turns the view', lambda: page.place()[3] != before[3])
        page.window.run('pad.axes = [0, 0, 0, 0]')
        page.until_still()
        assert page.place()[:3] == before[:3], 'the right stick does not move'


def test_pad_digs(page):
    with page.window.injected(PAD):
        at = page.load_above_ground(f'no-saving=1&{SMALL}')
        page.take_controls()
        page.window.run('plug(true)')
        page.frames()
        assert not page.has_hole(at), 'an idle trigger digs nothing'
        page.window.run(f'press({RIGHT_TRIGGER}, 1)')
        page.wait_for_hole(at)


def test_pad_that_is_unplugged_releases_all(page):
    with page.window.injected(PAD):
        page.load(f'no-saving=1&{SMALL}')
        before = page.place()
        page.window.run(f'plug(true); pad.axes = [0, -1, 0.5, 0]; press({RIGHT_TRIGGER}, 1)')
        page.until_moved(before)
        page.window.run('plug(false)')
        page.until_still()
        before = page.place()
        page.window.run('plug(true)')
        page.until_moved(before)
