// Runs terrane-bench's topic `lookup` apart from the page, and posts {progress}, then {report, notes} or {error}.
'use strict';
importScripts('terrane-bench.js');

onmessage = async ({data: filter}) => {
    const printed = [], complaints = [];
    try {
        const module = await createBench({
            noInitialRun: true,
            progress: line => postMessage({progress: line}),
            print: line => printed.push(line),
            printErr: line => complaints.push(line),
        });
        const status = module.callMain(['lookup', '--quick', '--json', '/report.json', ...filter ? ['--filter', filter] : []]);
        if (status !== 0) throw new Error(complaints.join(' ') || `terrane-bench ended with ${status}.`);
        const report = JSON.parse(module.FS.readFile('/report.json', {encoding: 'utf8'}));
        postMessage({report, notes: printed.slice(0, printed.indexOf('')).filter(line => !line.startsWith('  '))});
    } catch (error) {
        postMessage({error: error.message || String(error)});
    }
};
