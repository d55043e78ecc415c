// Pictures that the viewer's page takes the place of. Each is a link to the page (live.py). A click
// opens the page in a frame; before, nothing of it loads. One frame at a time: each takes a core,
// memory, and a context of WebGL.
'use strict';
(() => {
    const RIGHTS = 'fullscreen; gamepad; clipboard-write; cross-origin-isolated';
    const FROM_FILES = 'A browser runs the viewer only from a web server, and this guide is open ' +
        'as a file. Run "python3 -m http.server 8000" in the folder of this file, and open ' +
        'http://127.0.0.1:8000/. ';
    let open = null; // {poster, place}

    function make(name, properties, ...children) {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    }

    function button(text, action) {
        return make('button', {type: 'button', onclick: action}, text);
    }

    function close() {
        const {poster, place} = open;
        open = null;
        place.remove();
        poster.hidden = false;
        document.documentElement.classList.remove('is-live');
        poster.focus({preventScroll: true});
        poster.scrollIntoView({block: 'nearest'});
    }

    /// Shows a box instead of the picture. A picture in a table may be small: it keeps its place,
    /// and the box gets a row below.
    function put(poster, box) {
        const row = poster.closest('tr');
        const place = row ? make('tr', {}, make('td', {colSpan: row.cells.length}, box)) : box;
        (row || poster).after(place);
        poster.hidden = !row;
        open = {poster, place};
        box.scrollIntoView({block: 'nearest'});
    }

    function makeFrame(poster) {
        const address = new URL(poster.href);
        address.searchParams.set('no-saving', ''); // a guide stores nothing in its reader's browser
        const title = `The viewer: ${poster.querySelector('img').alt}`;
        const frame = make('iframe', {src: address.href, allow: RIGHTS, title});
        frame.addEventListener('load', () => frame.contentWindow.focus()); // keys are the page's
        return frame;
    }

    function show(poster) {
        if (location.protocol === 'file:') {
            put(poster, make('p', {className: 'live-note'}, FROM_FILES, button('Close', close)));
            return;
        }
        const frame = makeFrame(poster);
        const bar = make('div', {className: 'live-bar'}, button('Close', close));
        if (document.fullscreenEnabled) {
            bar.append(button('Full screen', () => {
                frame.requestFullscreen().then(() => frame.contentWindow.focus(), () => {});
            }));
        }
        bar.append(make('a', {href: poster.href, target: '_blank'}, 'Open in a tab'));
        document.documentElement.classList.add('is-live');
        put(poster, make('div', {className: 'live-frame'}, bar, frame));
    }

    for (const poster of document.querySelectorAll('a.live')) {
        poster.append(make('span', {}, poster.title));
        poster.setAttribute('role', 'button');
        poster.addEventListener('click', event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return; // into a tab or window
            event.preventDefault();
            const isOpen = open && open.poster === poster;
            if (open) close();
            if (!isOpen) show(poster);
        });
    }
})();
