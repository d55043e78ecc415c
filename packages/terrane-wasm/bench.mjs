// Times terrain and mesher in WebAssembly with and without SIMD, and natively if the program native.c is given:
//     node packages/terrane-wasm/bench.mjs [build/release/tests/wasm/wasm_native]
// Prints the fastest of nine rounds in us a chunk. Build the package first: tools/wasm_package.sh.
import { execFileSync } from 'node:child_process';
import { SEED, forEachChunk } from './test/world.mjs';

const { Mesher, Store, Terrain, load } = await import(process.env.TERRANE_PACKAGE
    ?? new URL('../../build/wasm/package/terrane.js', import.meta.url));
const ROUNDS = 9;
const CHUNKS = 245;

function cpuUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
}

function timeOf(work, begin = () => {}) {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        begin();
        const began = cpuUs();
        forEachChunk(work);
        best = Math.min(best, (cpuUs() - began) / CHUNKS);
    }
    return best;
}

async function times(simd) {
    const terrane = await load({ simd });
    const out = new Uint16Array(32768);
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    let terrain = new Terrain(terrane, { seed: SEED });
    const generate = (x, y, z) => terrain.generate(x, y, z, { out });
    forEachChunk((x, y, z) => store.insertTerrain(terrain, x, y, z));
    const columns = timeOf(generate, () => {
        terrain.dispose();
        terrain = new Terrain(terrane, { seed: SEED });
    });
    return [columns, timeOf(generate), timeOf((x, y, z) => mesher.mesh(store, x, y, z))];
}

const rows = [['wasm', await times(false)], ['wasm, SIMD', await times(true)]];
if (process.argv[2]) {
    const lines = execFileSync(process.argv[2], ['bench'], { encoding: 'utf8' }).trim().split('\n').slice(2);
    rows.unshift(['native', lines.map((line) => Number(line.split(' ').at(-1)))]);
}
console.log('| build | chunk and its share of a new column, µs | chunk, µs | mesh, µs | of native speed |');
console.log('|---|---|---|---|---|');
for (const [name, figures] of rows) {
    const ratios = process.argv[2] ? rows[0][1].map((native, i) => (native / figures[i]).toFixed(2)).join(', ') : '-';
    console.log(`| ${name} | ${figures.map((us) => us.toFixed(1)).join(' | ')} | ${ratios} |`);
}
