// The dialog of the benchmark: runs topic `lookup` in a worker, and shows its figures as a plot and a table.
'use strict';
const terraneBench = (() => {
    const QUESTION = 'gather the box', OURS = 'Terrane index, pointers';
    // What the plot shows of some 25 contenders; the table shows all.
    const PLOTTED = [
        [OURS, '#8fd18a'], ['boost flat map, packed keys', '#f2c14e'], ['boost flat map', '#e58f3c'], ['tsl robin_map', '#b487d8'],
        ['std::unordered_map, probed', '#e0645c'],
    ];
    const $ = id => document.getElementById(id);
    const isMap = name => /map|uthash/.test(name) && !name.startsWith('dense');
    let worker = null, answer = null, pause = () => {}, closed = () => {};

    // ---- figures ----------------------------------------------------------------------------------------------

    const distinct = list => [...new Set(list)];
    const of = (question, world) => answer.report.results.filter(row => row.question === question && (!world || row.world === world));
    const worldsOf = question => distinct(of(question).map(row => row.world));
    const find = (question, world, contender) => of(question, world).find(row => row.contender === contender);

    function number(value) {
        return value.toLocaleString('en', value < 100 ? {maximumSignificantDigits: 3} : {maximumFractionDigits: 0});
    }

    const unit = row => row.unit === 'us' ? 'µs' : row.unit;
    const figure = row => `${number(row.median)} ${unit(row)}`;

    /// How many times as fast as the baseline a contender is, over all worlds.
    function meanRatio(rows) {
        const ratios = rows.filter(row => row.ratio).map(row => Math.log(row.ratio));
        return ratios.length ? Math.exp(ratios.reduce((sum, each) => sum + each, 0) / ratios.length) : 0;
    }

    /// Terrane against the baseline and the fastest map, a line for each ball.
    function headlines() {
        return worldsOf(QUESTION).filter(world => world.startsWith('ball')).map(world => {
            const rows = of(QUESTION, world).filter(row => row.median), ours = rows.find(row => row.contender === OURS);
            if (!ours) return null;
            const fastest = rows.filter(row => isMap(row.contender) && !row.is_baseline).sort((a, b) => a.median - b.median)[0];
            const against = (row, words) => row && ` ${words}${row.contender}: ${figure(row)}, ${number(row.median / ours.median)}×.`;
            return element('li', {}, `Gathering ${ours.count.toLocaleString('en')} chunks: `,
                element('b', {textContent: `Terrane ${figure(ours)}.`}),
                against(rows.find(row => row.is_baseline), '') || '', against(fastest, 'Fastest map, ') || '');
        }).filter(Boolean);
    }

    // ---- drawing ----------------------------------------------------------------------------------------------

    function element(kind, attributes, ...children) {
        const made = document.createElement(kind);
        Object.assign(made, attributes);
        made.append(...children);
        return made;
    }

    function svg(kind, attributes, text) {
        const made = document.createElementNS('http://www.w3.org/2000/svg', kind);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        if (text) made.textContent = text;
        return made;
    }

    /// Bars for each world, on a logarithmic scale.
    function plot(question) {
        const worlds = worldsOf(question), high = 13, left = 6, right = 78;
        const width = Math.min(620, $('bench-plot').clientWidth || 620);
        const shown = PLOTTED.filter(([name]) => of(question).some(row => row.contender === name && row.median));
        const values = of(question).filter(row => row.median && shown.some(([name]) => name === row.contender)).map(row => row.median);
        const least = Math.log10(Math.min(...values)) - 0.3, most = Math.log10(Math.max(...values));
        const x = value => left + (Math.log10(value) - least) / Math.max(most - least, 0.1) * (width - left - right);
        const made = svg('svg', {role: 'img', 'aria-label': `${question}: bars, logarithmic`});
        let y = 4;
        for (let power = Math.ceil(least); power <= most; power++) {
            made.append(svg('line', {x1: x(10 ** power), x2: x(10 ** power), y1: 0, y2: '100%', stroke: '#ffffff22'}));
        }
        for (const world of worlds) {
            made.append(svg('text', {x: left, y: y + 11, class: 'world'}, world));
            y += 16;
            for (const [name, colour] of shown) {
                const row = find(question, world, name);
                if (!row || !row.median) continue;
                made.append(svg('rect', {x: left, y, width: Math.max(2, x(row.median) - left), height: high - 3, fill: colour}));
                made.append(svg('text', {x: x(row.median) + 4, y: y + 9}, figure(row)));
                y += high;
            }
            y += 8;
        }
        made.setAttribute('viewBox', `0 0 ${width} ${y}`);
        const legend = element('p', {className: 'legend'}, ...shown.map(([name, colour]) => {
            const entry = element('span', {textContent: name});
            entry.style.setProperty('--colour', colour);
            return entry;
        }));
        $('bench-plot').replaceChildren(...shown.length ? [legend, made] : []);
    }

    function cell(row) {
        if (!row) return element('td');
        if (!row.median) return element('td', {textContent: '–', title: row.remark});
        const ratio = row.is_baseline ? 'baseline' : row.is_floor || !row.ratio ? '' : `${number(row.ratio)}×`;
        const range = `${number(row.min)} to ${number(row.max)} ${unit(row)}, ${row.repetitions} samples`;
        return element('td', {title: range}, figure(row), element('small', {textContent: ratio}));
    }

    /// All contenders, the fastest first.
    function table(question) {
        const worlds = worldsOf(question);
        const rows = distinct(of(question).map(row => row.contender))
            .map(name => ({name, cells: worlds.map(world => find(question, world, name))}))
            .sort((a, b) => meanRatio(b.cells.filter(Boolean)) - meanRatio(a.cells.filter(Boolean)));
        const head = element('tr', {}, element('th'), ...worlds.map(world => {
            const {count} = of(question, world)[0];
            return element('th', {}, world, element('small', {textContent: `${count.toLocaleString('en')} chunks`}));
        }));
        $('bench-table').replaceChildren(head, ...rows.map(({name, cells}) =>
            element('tr', {className: name.startsWith('Terrane') ? 'ours' : ''}, element('th', {textContent: name}), ...cells.map(cell))));
    }

    function leftOut(question) {
        const refused = of(question).filter(row => !row.median).map(row => `${row.contender}, ${row.world}: ${row.remark}`);
        const unmeasured = distinct(answer.report.results.map(row => row.question))
            .filter(each => !of(each).some(row => row.median)).map(each => `${each} (${of(each)[0].remark})`);
        $('bench-left-out').replaceChildren(...[
            refused.length && `No figure: ${refused.join('; ')}.`,
            unmeasured.length && `Questions that cannot be answered here: ${unmeasured.join('; ')}.`,
            ...answer.notes,
        ].filter(Boolean).map(text => element('p', {textContent: text})));
    }

    function choose() {
        const question = $('bench-question').value;
        plot(question);
        table(question);
        leftOut(question);
    }

    function showReport() {
        const questions = distinct(answer.report.results.filter(row => row.median).map(row => row.question));
        $('bench-question').replaceChildren(...questions.map(question => new Option(question)));
        if (questions.includes(QUESTION)) $('bench-question').value = QUESTION;
        $('bench-headlines').replaceChildren(...headlines());
        $('bench-report').hidden = false;
        choose();
    }

    // ---- running ----------------------------------------------------------------------------------------------

    function say(text, isRunning = false) {
        $('bench-status').textContent = text;
        $('bench-progress').hidden = !isRunning;
        $('run-bench').textContent = isRunning ? 'Stop' : answer ? 'Run again' : 'Run';
    }

    function stop() {
        if (worker) worker.terminate();
        worker = null;
        pause(false);
    }

    function take({progress, report, notes, error}) {
        if (progress) {
            const [, stage, stages] = /^stage (\d+) of (\d+)/.exec(progress) || [0, 1, 1];
            $('bench-progress').max = stages;
            $('bench-progress').value = stage - 1;
            say(progress, true);
            return;
        }
        stop();
        if (error) {
            say(`The benchmark has failed: ${error}`);
            return;
        }
        answer = {report, notes};
        say('All answers were right. Figures are medians; a ratio says how many times as fast as the baseline.');
        showReport();
    }

    function run() {
        if (worker) {
            stop();
            say('Stopped.');
            return;
        }
        pause(true);
        say('Loading ...', true);
        $('bench-progress').removeAttribute('value');
        worker = new Worker('bench-worker.js');
        worker.onmessage = ({data}) => take(data);
        worker.onerror = event => take({error: event.message || 'its program cannot be loaded; see that the server has it'});
        worker.postMessage(new URLSearchParams(location.search).get('bench') || '');
    }

    function save() {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([JSON.stringify(answer.report, null, 2)], {type: 'application/json'}));
        link.download = 'terrane-bench-lookup.json';
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }

    $('run-bench').addEventListener('click', run);
    $('bench-question').addEventListener('change', choose);
    $('bench-json').addEventListener('click', save);
    $('hide-bench').addEventListener('click', () => $('bench').close());
    $('bench').addEventListener('close', () => {
        stop();
        say(answer ? '' : 'It takes a minute.');
        closed();
        closed = () => {};
    });

    return {
        /// Opens the dialog. @param onPause  called with whether the viewer is to stand still; @param onClose  called once it is closed
        show(onPause, onClose = () => {}) {
            pause = onPause;
            closed = onClose;
            $('bench').showModal();
        },
    };
})();
