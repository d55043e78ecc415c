"""World files: downloaded, opened again, and refused when they are broken."""
import contextlib
import os
import sqlite3
import tempfile

from page import READY, SMALL


def show_worlds(page):
    page.window.run('if (document.pointerLockElement) document.exitPointerLock()')
    page.window.wait('the bar is shown', 'document.querySelector("#show-worlds").offsetParent', 20)
    page.window.press('#show-worlds')


def press_button(page, world, button):
    page.window.press(f'//tr[td[1]="{world}"]//button[text()="{button}"]')


def worlds(page):
    return page.window.run('return [...document.querySelectorAll("#worlds-list tr td:first-child")].map(each => each.textContent)')


def download(page, world, folder):
    """@return path of a world file that the page has downloaded"""
    page.window.cdp('Browser.setDownloadBehavior', behavior='allow', downloadPath=folder)
    show_worlds(page)
    press_button(page, world, 'Download')
    page.window.run('document.getElementById("worlds").close()')
    path = os.path.join(folder, f'{world}.world')
    for _ in range(100):
        if os.path.exists(path):
            return path
        page.window.run('return new Promise(resolve => setTimeout(resolve, 100))')
    raise AssertionError(f'{os.listdir(folder)} has no {world}')


def upload(page, path):
    """Opens a file. @return name of the world that the page then opens"""
    before = page.window.run('return location.href')
    show_worlds(page)
    page.window.give_file('#upload', path)
    page.window.wait('another world is opened', f'location.href !== {before!r}', 30)
    page.window.wait('it has been loaded, or not', f'document.getElementById("failure-text").textContent || {READY}', 180)
    return page.window.run('return new URLSearchParams(location.search).get("world")')


@contextlib.contextmanager
def dug_world(page):
    """@return path of a world file, and the voxel that was dug in it"""
    with tempfile.TemporaryDirectory() as folder:
        with page.site.browser() as first:
            at = first.load_above_ground(f'world=dug&{SMALL}')
            first.dig(at)
            path = download(first, 'dug', folder)
        yield path, at


def test_opens_a_world_that_it_has_downloaded(page):
    with dug_world(page) as (path, at):
        with contextlib.closing(sqlite3.connect(f'file:{path}?mode=ro', uri=True)) as file:
            assert file.execute('pragma integrity_check').fetchall() == [('ok',)]
            assert file.execute('select count(*) from chunks').fetchone()[0] > 0
        with page.site.browser() as second:
            second.load(SMALL)
            assert upload(second, path) == 'dug'
            assert second.has_hole(at)
            assert 'view-distance=4' in second.window.run('return location.search'), 'options stay'


def test_refuses_a_file_that_is_no_world(page):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'letter.world')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('SQLite format 2, dear reader')
        page.load(SMALL)
        show_worlds(page)
        page.window.give_file('#upload', path)
        told = 'document.getElementById("worlds-news").textContent'
        assert page.window.wait('a sentence', told, 30) == 'letter.world is not a world of Terrane.'
        assert 'letter' not in worlds(page)


def test_takes_no_file_that_it_would_lose(page):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'any.world')
        with open(path, 'wb') as file:
            file.write(b'SQLite format 3\0')
        page.load(f'no-saving=1&{SMALL}')
        before = page.window.run('return location.href')
        show_worlds(page)
        page.window.give_file('#upload', path)
        page.window.wait('a sentence', 'document.getElementById("worlds-news").textContent.includes("cannot take files")', 30)
        assert page.window.run('return location.href') == before


def cut(data, _):
    return data[:len(data) // 2]


def flip_first_page_of_chunks(data, page_bytes):
    return data[:page_bytes] + bytes(byte ^ 0xFF for byte in data[page_bytes:2 * page_bytes]) + data[2 * page_bytes:]


def what_it_says(page):
    """@return the sentence of a page that has ended, or what the viewer wrote about the world that it opened"""
    return page.window.run('return document.getElementById("failure-text").textContent') + ' '.join(page.window.log())


def test_says_what_is_wrong_with_a_damaged_world(page):
    with dug_world(page) as (path, _), page.site.browser() as other:
        with open(path, 'rb') as file:
            data = file.read()
        other.load(f'world=mine&{SMALL}')
        for damage in [cut, flip_first_page_of_chunks]:
            path = os.path.join(os.path.dirname(path), f'{damage.__name__}.world')
            with open(path, 'wb') as file:
                file.write(damage(data, int.from_bytes(data[16:18], 'big')))
            other.window.log()
            assert upload(other, path) == damage.__name__
            other.frames()
            said = what_it_says(other)
            assert 'damaged' in said, f'{damage.__name__}: {said}'
            if other.window.run('return document.getElementById("failure").open'):
                other.window.press('#failure-worlds')
            else:
                show_worlds(other)
            assert worlds(other) == sorted(['mine', damage.__name__]), worlds(other)
            press_button(other, 'mine', 'Open')
            other.window.wait('the other world is open', f'location.search.includes("world=mine") && {READY}', 180)
            show_worlds(other)
            other.window.run('self.confirm = () => true')
            press_button(other, damage.__name__, 'Delete')
            other.window.wait('it is deleted', 'document.querySelectorAll("#worlds-list tr").length === 1', 30)
            other.window.run('document.getElementById("worlds").close()')
