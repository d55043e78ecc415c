"""Flies, pauses, shares, says what is missing, and loses the context of WebGL."""
import time

from page import SMALL, key

PAGE_BYTES_MAX = 512 << 20
ESCAPE = '\ue00c'


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
    page.window.act(key('keyDown', 'w'))
    after = page.until_moved(before)
    page.window.act(key('keyUp', 'w'))
    assert before[3:] == after[3:], 'nothing has turned it'
    page.until_still()


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


def test_says_why_it_has_one_thread(page):
    isolated = page.site.is_isolated
    page.load(f'no-saving=1&{SMALL}')
    assert page.window.run('return terrane.state().threads') == isolated
    if isolated:
        page.load(f'no-saving=1&no-threads=1&{SMALL}')
        assert not page.window.run('return terrane.state().threads')
    page.wait_for_news('on one thread, more slowly: ' + ('the address says so' if isolated else 'the server does not send the two headers'))


def test_fits_in_memory(page):
    page.load('no-saving=1&view-distance=12&look=quality=low,scale=0.5')
    page.window.wait('all is loaded', 'terrane._page_figure(4)', 240)
    assert page.window.run('return terrane._page_figure(1)') > 1000, 'chunks are loaded'
    heap = page.window.run('return terrane.HEAPU8.length')
    assert heap <= PAGE_BYTES_MAX and page.window.renderer_bytes() <= PAGE_BYTES_MAX, (heap, page.window.renderer_bytes())


def test_tells_a_second_tab(page):
    page.load(SMALL)
    first = page.window.send('GET', '/window')
    second = page.window.send('POST', '/window/new', {'type': 'tab'})['handle']
    page.window.send('POST', '/window', {'handle': second})
    page.window.open(f'{page.site.address}?{SMALL}')
    told = page.window.wait('a sentence', 'document.getElementById("news").textContent', 60)
    page.window.send('DELETE', '/window')
    page.window.send('POST', '/window', {'handle': first})
    assert 'another tab' in told, told
