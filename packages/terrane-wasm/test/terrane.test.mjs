// Tests the built package. TERRANE_PACKAGE is the address of its terrane.js; default: build/wasm/package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED, WorldHash, forEachChunk, forEachEdit, hashArray, hex } from './world.mjs';

const address = process.env.TERRANE_PACKAGE ?? new URL('../../../build/wasm/package/terrane.js', import.meta.url).href;
const { ChunkIndex, Mesher, Store, Terrain, TerraneError, hasSimd, load } = await import(address);

// native.c, which runs the library natively, expects the same.
const LAND_HASH = '0xD915A822';
const MESH_HASH = '0x3989C254';

const modules = { scalar: await load({ simd: false }), simd: hasSimd() ? await load({ simd: true }) : undefined };
const terrane = modules.simd ?? modules.scalar;

function throwsCode(code, call, pattern = /./) {
    assert.throws(call, (error) => error instanceof TerraneError && error.code === code && pattern.test(error.message)
        || assert.fail(`expected ${code} ${pattern}, got ${error.code}: ${error.message}`));
}

for (const [name, module] of Object.entries(modules)) {
    test(`${name}: land and meshes are those of the native library`, { skip: !module }, () => {
        const terrain = new Terrain(module, { seed: SEED });
        const store = new Store(module);
        const mesher = new Mesher(module);
        let land = 0;
        forEachChunk((x, y, z) => {
            const blocks = terrain.generate(x, y, z);
            land = hashArray(land, blocks);
            store.insert(x, y, z, blocks);
        });
        let meshes = 0;
        forEachChunk((x, y, z) => {
            const { quads, groups } = mesher.mesh(store, x, y, z);
            meshes = hashArray(hashArray(meshes, groups), quads);
        });
        [mesher, store, terrain].forEach((object) => object.dispose());
        assert.equal(hex(land), LAND_HASH);
        assert.equal(hex(meshes), MESH_HASH);
    });
}

test('an edited world is that of examples/world_hash.c', () => {
    const terrain = new Terrain(terrane, { seed: SEED });
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    const hash = new WorldHash();
    forEachChunk((x, y, z) => store.insertTerrain(terrain, x, y, z));
    forEachChunk((x, y, z) => hash.addAll(store.getChunk(x, y, z)));
    assert.equal(hash.hex, '0xAE5320F8D60BB330');
    forEachEdit((x, y, z, block) => {
        if (store.has(x >> 5, y >> 5, z >> 5)) {
            store.setBlock(x, y, z, block);
        }
    });
    forEachChunk((x, y, z) => hash.addAll(store.getChunk(x, y, z)));
    assert.equal(hash.hex, '0x7682E20DB264DC9B');
    forEachChunk((x, y, z) => {
        const { quads, groups } = mesher.mesh(store, x, y, z, { missingIsSolid: false });
        hash.addAll(groups);
        for (let i = 0; i < quads.length; i += 2) {
            hash.add(quads[i], quads[i + 1]);
        }
    });
    assert.equal(hash.hex, '0x1468C3D6C9702D50');
    [mesher, store, terrain].forEach((object) => object.dispose());
});

test('load chooses SIMD by the engine, and says where a module is missing', async () => {
    assert.equal((await load()).simd, hasSimd());
    await assert.rejects(load({ wasm: new URL('none.wasm', import.meta.url) }), { code: 'LOAD_FAILED' });
    await assert.rejects(load({ wasm: new Uint8Array([1, 2, 3]) }), { code: 'LOAD_FAILED' });
    await assert.rejects(load({ threads: true }), { code: 'BAD_ARGUMENT', message: /no option 'threads'/ });
    assert.match(terrane.version, /^\d+\.\d+\.\d+$/);
});

test('load needs no global crypto, which modules of node 18 lack', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
    delete globalThis.crypto;
    try {
        assert.equal(globalThis.crypto, undefined);
        const store = new Store(await load()); // draws the keys of its hashes
        store.insert(0, 0, 0, 1);
        store.dispose();
    } finally {
        if (own) {
            Object.defineProperty(globalThis, 'crypto', own);
        }
    }
});

test('a store returns what was inserted and edited', () => {
    const store = new Store(terrane);
    const stone = store.blockId('terrane:stone');
    assert.equal(store.blockName(stone), 'terrane:stone');
    assert.equal(store.blockName(65535), undefined);
    const blocks = new Uint16Array(32768).map((_, i) => i % 3);
    store.insert(-1, 2, 5, blocks);
    store.insert(0, 0, 0, stone);
    assert.deepEqual(store.getChunk(-1, 2, 5), blocks);
    assert.equal(store.getBlock(31, 31, 31), stone);
    assert.equal(store.setBlock(-1, 64, 160, 7), true);
    assert.equal(store.setBlock(-1, 64, 160, 7), false);
    assert.equal(store.getBlock(-1, 64, 160), 7);
    assert.deepEqual([...store.gather({ min: [-9, 0, 0], max: [-1, 9, 9] })], [-1, 2, 5]);
    assert.equal(store.gather().length, 6);
    assert.equal(store.stats().chunks, 2);
    assert.equal(store.stats().uniformChunks, 1);
    store.remove(0, 0, 0);
    assert.equal(store.has(0, 0, 0), false);
    assert.equal(store.has(-1, 2, 5), true);
    throwsCode('EXISTS', () => store.insert(-1, 2, 5, 0));
    throwsCode('NOT_FOUND', () => store.remove(0, 0, 0));
    throwsCode('NOT_FOUND', () => store.getBlock(0, 0, 0));
    throwsCode('NOT_FOUND', () => store.getChunk(0, 0, 0));
    throwsCode('NOT_FOUND', () => store.blockId('terrane:none'));
    store.dispose();
});

test('a store of few bytes is full, and keeps what it has', () => {
    const store = new Store(terrane, { bytesMax: 2 * 1024 * 1024 });
    const noise = new Uint16Array(32768).map((_, i) => (i * 31) % 1000);
    let inserted = 0;
    throwsCode('FULL', () => {
        for (; inserted < 1000; inserted++) {
            store.insert(inserted, 0, 0, noise);
        }
    });
    assert.ok(inserted > 0);
    assert.deepEqual(store.getChunk(0, 0, 0), noise);
    store.dispose();
});

test('terrain agrees with its samples, levels and settings', () => {
    const terrain = new Terrain(terrane, { seed: 2n ** 64n - 1n, preset: 'alps' });
    const { height, top, biome, surface, surfaceY } = terrain.sample(5, -7);
    assert.equal(typeof biome, 'string');
    assert.ok(surfaceY >= height || surface === top);
    const chunk = terrain.generate(0, Math.floor(height / 32), -1);
    assert.notEqual(chunk[5 | 25 << 5 | (height & 31) << 10], 0);
    const out = new Uint16Array(32768);
    assert.equal(terrain.generate(0, 0, 0, { level: 3, out }), out);
    assert.notDeepEqual(out, terrain.generate(0, 0, 0));
    const flat = new Terrain(terrane, { seed: 1, shape: { relief: 0, mountains: 0 } });
    const hills = new Terrain(terrane, { seed: 1 });
    const heights = (land) => Array.from({ length: 64 }, (_, i) => land.sample(i * 100, 0).height);
    assert.ok(Math.max(...heights(flat)) < Math.max(...heights(hills)));
    throwsCode('NOT_FOUND', () => new Terrain(terrane, { preset: 'mars' }), /mars/);
    new Terrain(terrane, { version: 4 }).dispose();
    throwsCode('BAD_ARGUMENT', () => new Terrain(terrane, { version: 3 }), /version is below/);
    throwsCode('BAD_ARGUMENT', () => new Terrain(terrane, { version: 99 }), /version is above/);
    throwsCode('BAD_ARGUMENT', () => new Terrain(terrane, { shape: { scale: 100 } }),
        /^scale must lie in 0\.25\.\.8; 1 is the default\.$/);
    throwsCode('BAD_ARGUMENT', () => new Terrain(terrane, { shape: { size: 1 } }), /no option 'size'/);
    throwsCode('BAD_ARGUMENT', () => terrain.generate(2 ** 30, 0, 0, { level: 5 }));
    [terrain, flat, hills].forEach((object) => object.dispose());
});

test('an index finds, gathers and computes planes', () => {
    const index = new ChunkIndex(terrane, { planes: ['dirty', 'ready'] });
    for (let x = -2; x <= 2; x++) {
        index.insert(x, 0, -2147483648, x + 100);
    }
    assert.equal(index.find(-2, 0, -2147483648), 98);
    assert.equal(index.find(3, 0, 0), undefined);
    index.set(2, 0, -2147483648, 4294967294);
    index.setPlane('dirty', 0, 0, -2147483648);
    index.setPlane('dirty', 9, 9, 9);
    assert.equal(index.testPlane('dirty', 9, 9, 9), true);
    index.computePlane('ready', { all: ['present'], none: ['dirty'] });
    const ready = index.gather(undefined, { all: ['present', 'ready'] });
    assert.deepEqual([...ready.values].sort((a, b) => a - b), [98, 99, 101, 4294967294]);
    assert.equal(ready.coords.length, 12);
    const few = index.gather({ min: [-1, 0, -2147483648], max: [0, 0, 0] });
    assert.deepEqual([...few.values], [99, 100]);
    assert.equal(index.remove(2, 0, -2147483648), 4294967294);
    throwsCode('NOT_FOUND', () => index.remove(2, 0, -2147483648));
    throwsCode('NOT_FOUND', () => index.set(2, 0, -2147483648, 1));
    throwsCode('EXISTS', () => index.insert(0, 0, -2147483648, 1));
    throwsCode('BAD_ARGUMENT', () => index.setPlane('wet', 0, 0, 0), /present, dirty, ready/);
    throwsCode('BAD_ARGUMENT', () => index.setPlane('present', 0, 0, 0));
    throwsCode('BAD_ARGUMENT', () => new ChunkIndex(terrane, { planes: ['a', 'a'] }));
    index.clear();
    assert.equal(index.gather().values.length, 0);
    index.dispose();
});

test('a cube has six quads and 24 vertices', () => {
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    store.insert(0, 0, 0, 0);
    const stone = store.blockId('terrane:stone');
    store.setBlock(3, 4, 5, stone);
    const mesh = mesher.mesh(store, 0, 0, 0);
    assert.equal(mesh.quads.length, 12);
    assert.equal(mesh.groups[6], 6);
    const { opaque, transparent, plants } = mesher.geometry(store, 0, 0, 0, { offset: [100, 0, 0] });
    assert.equal(transparent, null);
    assert.equal(plants, null);
    assert.equal(opaque.positions.length, 24 * 3);
    assert.equal(opaque.indices.length, 36);
    assert.equal(Math.max(...opaque.indices), 23);
    const xs = opaque.positions.filter((_, i) => i % 3 === 0);
    assert.deepEqual([Math.min(...xs), Math.max(...xs)], [103, 104]);
    assert.ok(opaque.blocks.every((block) => block === stone));
    assert.ok(opaque.ao.every((ao) => ao === 255));
    assert.equal(opaque.colours.length, 72);
    assert.ok(opaque.colours.every((byte) => byte > 0));
    throwsCode('NOT_FOUND', () => mesher.mesh(store, 1, 0, 0));
    throwsCode('BAD_ARGUMENT', () => mesher.geometry(store, 0, 0, 0, { offset: [NaN, 0, 0] }));
    [store, mesher].forEach((object) => object.dispose());
});

test('bad arguments are refused by name', () => {
    const store = new Store(terrane);
    for (const value of [NaN, 0.5, Infinity, 2 ** 31, '1', undefined, null, 1n, {}]) {
        throwsCode('BAD_ARGUMENT', () => store.has(0, value, 0), /chunk y must be an integer/);
    }
    throwsCode('BAD_ARGUMENT', () => store.getBlock(2 ** 36, 0, 0), /voxel x/);
    throwsCode('BAD_ARGUMENT', () => store.setBlock(0, 0, 0, 65536), /block/);
    throwsCode('BAD_ARGUMENT', () => store.insert(0, 0, 0, new Uint16Array(5)), /32768/);
    throwsCode('BAD_ARGUMENT', () => store.insert(0, 0, 0, new Uint8Array(32768)), /Uint16Array/);
    throwsCode('BAD_ARGUMENT', () => store.gather({ min: [0, 0, 0] }), /box.max/);
    throwsCode('BAD_ARGUMENT', () => new Terrain(terrane, { seed: -1 }), /seed/);
    throwsCode('BAD_ARGUMENT', () => new Store({}), /load/);
    throwsCode('BAD_ARGUMENT', () => new Mesher(terrane).mesh({}, 0, 0, 0), /Store/);
    throwsCode('BAD_ARGUMENT', () => new Mesher(modules.scalar).mesh(new Store(terrane), 0, 0, 0),
        modules.simd ? /another load/ : /./);
    store.dispose();
});

test('use after dispose throws', () => {
    const store = new Store(terrane);
    const terrain = new Terrain(terrane);
    const mesher = new Mesher(terrane);
    const index = new ChunkIndex(terrane);
    [store, terrain, index].forEach((object) => {
        object.dispose();
        object.dispose();
        assert.equal(object.isDisposed, true);
    });
    throwsCode('DISPOSED', () => store.stats(), /Store/);
    throwsCode('DISPOSED', () => terrain.sample(0, 0), /Terrain/);
    throwsCode('DISPOSED', () => index.find(0, 0, 0), /ChunkIndex/);
    throwsCode('DISPOSED', () => mesher.mesh(store, 0, 0, 0), /Store/);
    mesher.dispose();
    throwsCode('DISPOSED', () => mesher.mesh(store, 0, 0, 0), /Mesher/);
});

test('disposed objects leave no memory behind', async () => {
    const own = await load();
    const round = () => {
        const terrain = new Terrain(own, { seed: 3 });
        const store = new Store(own);
        const mesher = new Mesher(own);
        const index = new ChunkIndex(own, { planes: ['dirty'] });
        for (let x = 0; x < 3; x++) {
            store.insertTerrain(terrain, x, 0, 0);
            index.insert(x, 0, 0, x);
        }
        index.gather();
        mesher.geometry(store, 1, 0, 0);
        assert.throws(() => mesher.mesh(store, 9, 9, 9));
        assert.throws(() => store.blockId('none'));
        [mesher, store, terrain, index].forEach((object) => object.dispose());
        return own.memory();
    };
    const first = round();
    let last = first;
    for (let i = 0; i < 20; i++) {
        last = round();
    }
    assert.equal(last.usedBytes, first.usedBytes);
    assert.equal(last.totalBytes, first.totalBytes);
});
