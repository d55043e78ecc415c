"""The dialog that compares ways of keeping chunks."""
import re

from page import READY, SMALL, key


def test_runs_the_benchmark(page):
    page.open(f'bench=^(gather the box|find, present|find, caches cold) . ball R=16&no-saving=1&{SMALL}')
    page.window.wait('the dialog', 'document.getElementById("bench").open', 30)
    page.window.run('document.getElementById("run-bench").click()')
    page.window.wait('the report', '!document.getElementById("bench-report").hidden', 120)
    said, rows, bars, left_out = page.window.run('''return [document.getElementById("bench-headlines").textContent,
        [...document.querySelectorAll("#bench-table tr")].map(row => [...row.cells].map(cell => cell.textContent)),
        document.querySelectorAll("#bench-plot rect").length, document.getElementById("bench-left-out").textContent];''')
    names = [row[0] for row in rows]
    assert '17,077 chunks: Terrane' in said and 'std::unordered_map, probed' in said, said
    assert {'Terrane index, pointers', 'std::unordered_map, probed', 'std::map', 'sparse octree'} <= set(names), names
    assert bars >= 2 and rows[0][1].startswith('ball R=16'), rows[0]
    assert sum(bool(re.search(r'\d µs', row[1])) for row in rows) > 20, rows
    assert 'find, caches cold (the clock here has steps of' in left_out, left_out
    question = 'document.getElementById("bench-question")'
    assert page.window.run(f'return [...{question}.options].map(each => each.value)') == ['gather the box', 'find, present']
    page.window.run(f'{question}.value = "find, present"; {question}.dispatchEvent(new Event("change"))')
    assert ' ns' in page.window.run('return document.querySelector("#bench-table td").textContent')
    page.window.run('document.getElementById("hide-bench").click()')
    page.window.wait('the land is loaded', READY, 180) # the viewer starts once the dialog is closed


def test_stops_the_benchmark_and_goes_on(page):
    page.load(f'no-saving=1&{SMALL}')
    page.window.run('document.getElementById("show-bench").click(); document.getElementById("run-bench").click()')
    page.window.wait('the benchmark runs', '/^stage/.test(document.getElementById("bench-status").textContent)', 60)
    page.window.run('document.getElementById("run-bench").click()')
    assert page.window.run('return document.getElementById("bench-status").textContent') == 'Stopped.'
    page.window.run('document.getElementById("hide-bench").click()')
    before = page.place()
    page.window.act(key('keyDown', 'w'))
    page.until_moved(before) # the viewer goes on
    page.window.act(key('keyUp', 'w'))
