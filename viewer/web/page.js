// The page around the viewer: options from the address, worlds in the browser's storage, touch, and sentences when something is missing.
'use strict';
(() => {
    const HOME = '/terrane', FOLDER = HOME + '/terrane/worlds', SUFFIX = '.world';
    const SYNC_SECONDS = 3;
    const PRESETS = ['default', 'alps', 'canyons', 'islands', 'flat'];
    // What the address may set, as options of the viewer: ?view-distance=12&look=quality=low
    /** The seed that a text stands for, as in the window (terrain_choice_seed): a number is itself, other text its 64-bit FNV-1a hash. */
    const seedOf = (text) => {
        if (/^([0-9]+|0x[0-9a-f]+)$/i.test(text) && BigInt(text) < 1n << 64n) return String(BigInt(text));
        let hash = 14695981039346656037n;
        for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 1099511628211n);
        return String(hash);
    };

    const OPTIONS = ['view-distance', 'detail-distance', 'view-height', 'memory', 'workers', 'look', 'seed', 'preset', 'field-of-view'];
    const $ = id => document.getElementById(id);
    const query = new URLSearchParams(location.search);
    const isFramed = self !== top;
    let module = null, files = null, saves = false, isLost = false;

    // ---- sentences --------------------------------------------------------------------------------------------------------------

    function say(text) {
        $('status').textContent = text;
        $('status').hidden = !text;
    }

    let newsTimer = 0;
    function news(text) {
        $('news').textContent = text;
        $('news').hidden = !text;
        clearTimeout(newsTimer);
        newsTimer = setTimeout(() => { $('news').hidden = true; }, 12000);
    }

    function fail(text, more) {
        document.body.classList.add('fails');
        say('');
        $('failure-text').textContent = text;
        $('failure-more').textContent = more || '';
        $('without-saving').hidden = $('failure-worlds').hidden = !saves;
        $('plain').hidden = !location.search && !location.hash;
        if (!$('failure').open) $('failure').showModal();
    }

    const NATIVE = 'The program terrane-viewer draws the same worlds without a browser.';

    function hasSimd() {
        return WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
            253, 15, 253, 98, 11]));
    }

    /// What this page cannot do without. @return a sentence, or null
    function missing() {
        if (typeof WebAssembly !== 'object' || query.has('no-simd') || !hasSimd()) {
            return 'This browser has no WebAssembly with SIMD; a browser of 2023 or later has it.';
        }
        const gl = query.has('no-webgl') ? null : document.createElement('canvas').getContext('webgl2');
        if (!gl) {
            return 'This browser has no WebGL 2, or has switched it off; see its settings for hardware acceleration, or try another browser.';
        }
        const extension = gl.getExtension('WEBGL_lose_context');
        if (extension) extension.loseContext(); // browsers keep few contexts
        return null;
    }

    // ---- worlds in the browser's storage ----------------------------------------------------------------------------------------

    const pathOf = name => `${FOLDER}/${name}${SUFFIX}`;

    /// One tab at a time writes worlds: each has files of its own, and the later one would overwrite the earlier.
    function takeLock() {
        if (!navigator.locks) return Promise.resolve(true);
        return new Promise(resolve => {
            navigator.locks.request('terrane-worlds', {ifAvailable: true}, lock => {
                resolve(!!lock);
                return lock && new Promise(() => {});
            }).catch(() => resolve(true));
        });
    }

    async function mount() {
        const {FS} = module;
        FS.mkdir(HOME);
        if (!query.has('no-saving')) {
            try {
                if (!await takeLock()) {
                    news('Terrane is open in another tab, which saves. What you change here is lost when you close this tab.');
                } else {
                    files = new StoredFiles(FS, HOME);
                    await files.load();
                    saves = true;
                }
            } catch (error) {
                news('This browser refuses to store data for the page, so what you change is lost when you close it.');
            }
        }
        FS.mkdirTree(FOLDER);
    }

    const UNSAVED = 5; // PAGE_UNSAVED of page.h
    let keptMs = 0, storing = null, isFull = false;

    async function storeNow() {
        const began = performance.now(), isWritten = !module._page_figure(UNSAVED);
        try {
            await files.save();
        } catch (error) {
            if (!isFull) {
                news('The browser does not store your world: its storage is full or was refused. Download the world, or delete others ' +
                    '(Worlds). The page goes on trying.');
            }
            isFull = true;
            return false;
        }
        keptMs = isWritten ? began : keptMs;
        if (isFull) news('Your world is saved again.');
        isFull = false;
        return true;
    }

    /// Copies changed files into the browser's storage, if no copy is under way. @return whether it could
    async function store() {
        if (!saves) return false;
        storing = storing || storeNow().finally(() => { storing = null; });
        return storing;
    }

    /// The same, with what has changed since a copy that is under way began.
    async function storeAll() {
        await storing;
        return store();
    }

    async function saveAll() {
        module._page_save();
        return storeAll();
    }

    function worldNames() {
        return module.FS.readdir(FOLDER).filter(name => name.endsWith(SUFFIX)).map(name => name.slice(0, -SUFFIX.length)).sort();
    }

    /// What stands behind the address's #. What cannot be decoded is left as it is, and the viewer says what a link looks like.
    function place() {
        const written = location.hash.slice(1);
        try {
            return decodeURIComponent(written);
        } catch (error) {
            return written;
        }
    }

    const fileName = name => name.replace(/[\/\\\p{Cc}]/gu, '_');

    /// The world that the address names, or one for its land.
    function worldName() {
        const link = place().split('/');
        if (query.get('world')) return fileName(query.get('world'));
        if (link.length >= 4) return `${link[0]} ${link[1]}`;
        if (query.has('seed') || query.has('preset')) return `${query.get('preset') || 'default'} ${query.get('seed') || 0}`;
        return 'My world';
    }

    function options() {
        const list = [], link = place();
        if (saves) list.push('--world', pathOf(worldName()));
        if (link) list.push('--at', 'terrane://' + link);
        for (const name of OPTIONS) {
            if (query.has(name)) list.push(`--${name}`, query.get(name));
        }
        return list;
    }

    function visit(search, hash = '') {
        const address = new URL(location.href);
        address.search = search;
        address.hash = hash;
        if (address.href === location.href) location.reload();
        else location.href = address.href;
        if (address.href.split('#')[0] === location.href.split('#')[0]) location.reload(); // only the place differs
    }

    /// Leaves the world that is open, unless that would lose it.
    async function openWorld(name, more = {}) {
        if (saves && !await saveAll()) {
            $('worlds-news').textContent = 'This world cannot be stored now. Download it; then reload the page to open another one.';
            return;
        }
        const others = ['world', 'preset', 'seed', 'no-saving'];
        const kept = [...query].filter(([option]) => !others.includes(option));
        visit(new URLSearchParams([...kept, ['world', name], ...Object.entries(more)]).toString());
    }

    function download(name) {
        module._page_save();
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([module.FS.readFile(pathOf(name))], {type: 'application/vnd.sqlite3'}));
        link.download = name + SUFFIX;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }

    async function upload(file) {
        if (!saves) {
            $('worlds-news').textContent = 'This tab does not save worlds, so it cannot take files.';
            return;
        }
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (new TextDecoder().decode(bytes.subarray(0, 15)) !== 'SQLite format 3') {
            $('worlds-news').textContent = `${file.name} is not a world of Terrane.`;
            return;
        }
        const wanted = fileName(file.name.replace(/\.world$/, '')) || 'World';
        let name = wanted;
        for (let i = 2; worldNames().includes(name); i++) name = `${wanted} ${i}`;
        module.FS.writeFile(pathOf(name), bytes);
        if (!await storeAll()) {
            module.FS.unlink(pathOf(name));
            $('worlds-news').textContent = `The browser does not store ${file.name}: its storage is full or was refused. Delete a world first.`;
            return;
        }
        await openWorld(name);
    }

    async function remove(name) {
        if (!confirm(`Delete the world ${name}? It cannot be restored.`)) return;
        for (const end of ['', '-wal', '-shm', '-journal']) {
            try { module.FS.unlink(pathOf(name) + end); } catch (error) { /* it has none */ }
        }
        const isStored = await storeAll();
        listWorlds();
        if (saves && !isStored) $('worlds-news').textContent = `The browser refuses to delete ${name} now. The page goes on trying.`;
    }

    function listWorlds() {
        const button = (text, action) => {
            const made = document.createElement('button');
            made.textContent = text;
            made.addEventListener('click', action);
            return made;
        };
        const current = worldName();
        $('worlds-list').replaceChildren(...worldNames().map(name => {
            const row = document.createElement('tr'), title = row.insertCell(), size = row.insertCell(), buttons = row.insertCell();
            title.textContent = name;
            size.textContent = `${Math.ceil(module.FS.stat(pathOf(name)).size / 1024)} KiB`;
            if (name === current && saves && document.body.classList.contains('runs')) {
                buttons.append('open ');
            } else {
                buttons.append(button('Open', () => openWorld(name)), ' ', button('Delete', () => remove(name)), ' ');
            }
            buttons.append(button('Download', () => download(name)));
            return row;
        }));
        $('worlds-news').textContent = saves ? '' : 'This tab does not save worlds.';
    }

    function showWorlds() {
        if (!module) return;
        module._page_save();
        listWorlds();
        $('worlds').showModal();
    }

    // ---- touch ------------------------------------------------------------------------------------------------------------------

    // A phone begins with thumbs. Elsewhere they come with the first touch, and go with a key or
    // the mouse.
    let touches = matchMedia('(pointer: coarse)').matches;
    function setTouches(now) {
        touches = now;
        document.body.classList.toggle('touches', now);
        if (module && module._page_touches) module._page_touches(now ? 1 : 0);
    }

    function listenToTouch() {
        setTouches(touches);
        const reach = 50; // pixels to full speed
        const track = (element, begin, move, end) => {
            let finger = null;
            element.addEventListener('pointerdown', event => {
                if (finger !== null) return;
                finger = event.pointerId;
                element.setPointerCapture(finger);
                begin(event);
                event.preventDefault();
            });
            element.addEventListener('pointermove', event => { if (event.pointerId === finger) move(event); });
            for (const name of ['pointerup', 'pointercancel']) {
                element.addEventListener(name, event => {
                    if (event.pointerId === finger) { finger = null; end(event); }
                });
            }
        };
        const push = (right, back) => {
            const length = Math.max(1, Math.hypot(right, back) / reach);
            const x = right / length / reach, y = back / length / reach;
            $('knob').style.transform = `translate(${x * 40}px, ${y * 40}px)`;
            module._page_touch_move(x, y);
        };
        let last = null;
        const fromCentre = event => {
            const box = $('thumb').getBoundingClientRect();
            push(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
        };
        track($('thumb'), fromCentre, fromCentre, () => push(0, 0));
        track($('look'), event => { last = event; }, event => {
            module._page_touch_look((event.clientX - last.clientX) * 1.5, (event.clientY - last.clientY) * 1.5);
            last = event;
        }, () => {});
        for (const button of document.querySelectorAll('#touch button')) {
            const number = Number(button.dataset.button);
            const hold = isDown => () => {
                button.classList.toggle('held', isDown);
                module._page_touch_button(number, isDown ? 1 : 0);
            };
            track(button, hold(true), () => {}, hold(false));
        }
    }

    // ---- the viewer -------------------------------------------------------------------------------------------------------------

    const terrane = {
        /// The viewer has taken the controls, or given them back to the panels.
        mode(plays) { document.body.classList.toggle('plays', plays); },
        copy(text) {
            const link = text.startsWith('terrane://') ? location.href.split('#')[0] + '#' + text.slice('terrane://'.length) : text;
            if (link !== text) history.replaceState(null, '', link);
            if (navigator.clipboard) navigator.clipboard.writeText(link).catch(() => {});
            news(`The address of this page now leads here: ${link}`);
        },
        news,
        picture() {
            document.body.classList.replace('starts', 'runs');
            say('');
            performance.mark('terrane-picture');
        },
        async end(isGood, text) {
            document.body.classList.remove('runs', 'plays');
            await storeAll();
            if (isGood) showWorlds();
            else if (isLost) fail('The browser has lost the graphics of this page, as after a reset of the graphics card.', 'Try again to go on.');
            else fail(text, saves ? 'Your worlds are in this browser.' : '');
        },
    };

    function script(name) {
        return new Promise((resolve, reject) => {
            const element = document.createElement('script');
            element.src = name;
            element.onload = resolve;
            element.onerror = () => reject(new Error(`${name} cannot be loaded; see that the server has it, then reload the page.`));
            document.body.append(element);
        });
    }

    async function start() {
        document.body.classList.add('starts');
        document.documentElement.classList.toggle('framed', isFramed);
        say('Loading ...');
        const sentence = missing();
        if (sentence) {
            fail(sentence, NATIVE);
            return;
        }
        const threads = self.crossOriginIsolated && typeof SharedArrayBuffer === 'function' && !query.has('no-threads');
        const name = threads ? 'terrane-threads' : 'terrane';
        await script(`${name}.js`);
        module = {
            terrane,
            canvas: $('canvas'),
            arguments: [],
            noInitialRun: true,
            print: text => console.log(text),
            printErr: text => {
                isLost = isLost || text.includes('context was lost'); // the viewer tells before it replaces the canvas
                console.warn(text);
            },
            onAbort: reason => fail('The viewer has stopped: ' + reason, 'Reload the page to go on. What was stored is kept.'),
            preRun: [made => { made.ENV.HOME = made.ENV.XDG_DATA_HOME = made.ENV.XDG_CONFIG_HOME = HOME; }],
        };
        module = await createTerrane(module);
        await mount();
        if (!threads) {
            document.body.classList.add('one-thread');
            const why = query.has('no-threads') ? 'the address says so'
                : self.crossOriginIsolated ? 'this browser has no threads'
                    : 'the server does not send the two headers of cross-origin isolation';
            // In a frame it would cover much of a small picture.
            if ($('news').hidden && !isFramed) {
                news(`Land loads on one thread, more slowly: ${why}.`);
            }
        }
        listenToTouch();
        // For the console, and for tests: the viewer's functions (viewer/page.h), and what the page knows. Times are those of
        // performance.now(); all changes until keptMs are in the browser's storage.
        module.state = () => ({threads, saves, keptMs, nowMs: performance.now(), isReady: !!module._page_is_ready()});
        self.terrane = module;
        try {
            module.callMain(options());
        } catch (error) {
            if (error !== 'unwind') throw error;
        }
        setInterval(store, SYNC_SECONDS * 1000);
    }

    // ---- the page ---------------------------------------------------------------------------------------------------------------

    document.addEventListener('contextmenu', event => { if (event.target.id === 'canvas') event.preventDefault(); });
    for (const name of ['pointerdown', 'pointermove']) {
        document.addEventListener(name, event => {
            const isTouch = event.pointerType === 'touch';
            if (!isTouch && event.pointerType !== 'mouse') return; // a pen
            if (isTouch !== touches) setTouches(isTouch);
        }, true);
    }
    document.addEventListener('pointerdown', event => { // the bar of blocks lies below the thumbs
        if (event.pointerType !== 'touch' || !document.body.classList.contains('plays')) return;
        const box = $('canvas').getBoundingClientRect();
        const isHit = module._page_tap((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
        if (isHit) event.stopPropagation();
    }, true);
    addEventListener('keydown', () => { if (touches) setTouches(false); }, true);
    document.addEventListener('pointerlockchange', () => { document.body.classList.toggle('locked', !!document.pointerLockElement); });
    document.addEventListener('visibilitychange', () => { if (document.hidden && module && module._page_save) saveAll(); });
    addEventListener('hashchange', () => location.reload());
    addEventListener('unhandledrejection', event => fail('The page has failed: ' + (event.reason && event.reason.message || event.reason)));
    for (const button of document.querySelectorAll('[data-key]')) {
        button.addEventListener('click', () => { module._page_press(Number(button.dataset.key)); button.blur(); });
    }
    for (const dialog of document.querySelectorAll('dialog')) {
        for (const name of ['keydown', 'keyup']) {
            dialog.addEventListener(name, event => { // a dialog that was just closed keeps the focus until the next frame
                if (dialog.open) event.stopPropagation();
            });
        }
    }
    $('show-worlds').addEventListener('click', showWorlds);
    $('hide-worlds').addEventListener('click', () => {
        if (document.body.classList.contains('runs')) $('worlds').close();
        else location.reload();
    });
    const pauseViewer = isPaused => { if (module && module._page_pause) module._page_pause(isPaused ? 1 : 0); };
    $('show-bench').addEventListener('click', () => terraneBench.show(pauseViewer));
    $('upload').addEventListener('change', event => { if (event.target.files.length) upload(event.target.files[0]); });
    $('failure-worlds').addEventListener('click', showWorlds);
    $('again').addEventListener('click', () => location.reload());
    $('plain').addEventListener('click', () => visit(''));
    $('without-saving').addEventListener('click', () => { query.set('no-saving', '1'); visit(query.toString(), location.hash); });
    for (const preset of PRESETS) $('new-world').preset.append(new Option(preset));
    $('new-world').addEventListener('submit', event => {
        event.preventDefault();
        const form = event.target;
        const nameField = form.elements.namedItem('name');
        const wanted = nameField.value.trim();
        if (worldNames().includes(wanted)) {
            $('worlds-news').textContent = `There is a world ${wanted} already.`;
            return;
        }
        const seed = seedOf(form.elements.namedItem('seed').value.trim() || String(Math.floor(Math.random() * 1e9)));
        openWorld(wanted, {preset: form.elements.namedItem('preset').value, seed});
    });
    if (query.has('bench')) { // the viewer starts once the dialog is closed
        say('');
        terraneBench.show(pauseViewer, start);
    } else {
        start();
    }
})();
