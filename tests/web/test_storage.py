"""The browser's storage: keeps holes, is refused, is full and is not any more."""
from page import SMALL

UNDO, REDO = 'z', 'y'

REFUSALS = {
    'throws': 'IDBFactory.prototype.open = () => { throw new DOMException("refused", "SecurityError"); };',
    'answers with an error': '''IDBFactory.prototype.open = () => {
        const request = {error: new DOMException("refused", "UnknownError")};
        setTimeout(() => request.onerror && request.onerror({target: request, preventDefault() {}}));
        return request;
    };''',
}


def test_keeps_a_hole_over_a_reload(page):
    query = f'world=hole&{SMALL}'
    at = page.load_above_ground(query)
    page.dig(at)
    page.wait_until_stored()
    page.load_above_ground(query)
    assert page.has_hole(at)
    page.load_above_ground(f'no-saving=1&{SMALL}')
    assert not page.has_hole(at), 'only that world has it'


def test_goes_on_without_storage(page):
    for how, script in REFUSALS.items():
        with page.window.injected(script):
            at = page.load_above_ground(SMALL)
            assert 'refuses to store data' in page.wait_for_news('refuses', 10), how
            assert not page.window.run('return terrane.state().saves'), how
            page.dig(at)


def tells_and_goes_on_trying(page):
    """After a change that the storage does not take."""
    changed = page.now()
    page.wait_for_news('does not store your world', 30)
    page.frames()
    assert page.window.run('return terrane.state().keptMs') < changed, 'it knows that the change is not stored'
    page.window.run('fails = ""')
    page.wait_for_news('Your world is saved again', 30)
    page.wait_until_stored()


# How a write fails: at once, by an event, or, as https://www.w3.org/TR/IndexedDB/#transaction-lifecycle demands of a full
# disk, when all writes of a transaction have succeeded.
FULL = '''const put = IDBObjectStore.prototype.put;
    self.fails = "";
    IDBObjectStore.prototype.put = function (...all) {
        if (fails === "at once") throw new DOMException("full", "QuotaExceededError");
        if (fails === "by an event") return this.add(...all);
        const request = put.apply(this, all);
        if (fails === "at the end") request.addEventListener("success", () => this.transaction.abort());
        return request;
    };'''


def test_says_when_the_storage_is_full(page):
    with page.site.browser() as fresh, fresh.window.injected(FULL):
        at = fresh.load_above_ground(SMALL)
        fresh.wait_until_stored()
        changes = {'at once': lambda: fresh.dig(at), 'by an event': lambda: fresh.window.hold_key(UNDO, 0.3),
                   'at the end': lambda: fresh.window.hold_key(REDO, 0.3)}
        for how, change in changes.items():
            fresh.window.run('fails = arguments[0]', how)
            change()
            tells_and_goes_on_trying(fresh)
        fresh.load_above_ground(SMALL)
        assert fresh.has_hole(at), 'what was told to be saved is'
