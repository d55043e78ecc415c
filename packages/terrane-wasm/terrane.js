// Terrane in JavaScript: classes over bridge.c. terrane.d.ts is the manual.

const CHUNK_EDGE = 32;
const CHUNK_VOXELS = CHUNK_EDGE ** 3;
const VOXEL_LIMIT = 2 ** 36; // voxels lie in -2^36 .. 2^36 - 1
const LEVEL_MAX = 12;
const GROUPS = 19; // TRN_MESH_GROUP_COUNT
const SURFACES = ['opaque', 'cutout', 'plants', 'transparent', 'models'];
const BIOMES = ['sea', 'grassland', 'forest', 'desert', 'savanna', 'tundra', 'snow', 'swamp'];
const SHAPE_FIELDS = ['scale', 'land', 'relief', 'mountains', 'rivers', 'terraces', 'overhangs', 'caves',
    'temperature', 'moisture', 'trees'];
const RESULT_CODES = ['OK', 'BAD_ARGUMENT', 'NO_MEMORY', 'EXISTS', 'NOT_FOUND', 'STALE_ID', 'FULL', 'OUT_OF_RANGE',
    'READERS', 'CORRUPT', 'BUSY', 'IO'];

// A function that counts the bits of a vector: only an engine with SIMD128 accepts it.
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
    0, 253, 15, 253, 98, 11]);

export class TerraneError extends Error {
    constructor(code, message, options) {
        super(message, options);
        this.name = 'TerraneError';
        this.code = code;
    }
}

// ---- arguments ---------------------------------------------------------------------------------

function bad(message) {
    return new TerraneError('BAD_ARGUMENT', message);
}

function shown(value) {
    return typeof value === 'string' ? `'${value}'` : typeof value === 'symbol' ? 'a symbol'
        : typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function integer(value, name, low, high) {
    if (!Number.isInteger(value) || value < low || value > high) {
        throw bad(`${name} must be an integer of ${low} to ${high}; it is ${shown(value)}.`);
    }
    return value;
}

const chunkAxis = (value, name) => integer(value, name, -(2 ** 31), 2 ** 31 - 1);
const voxelAxis = (value, name) => integer(value, name, -VOXEL_LIMIT, VOXEL_LIMIT - 1);
const blockId = (value) => integer(value, 'block', 0, 65535);
const indexValue = (value) => integer(value, 'value', 0, 2 ** 32 - 2);

function checkChunk(x, y, z) {
    chunkAxis(x, 'chunk x');
    chunkAxis(y, 'chunk y');
    chunkAxis(z, 'chunk z');
}

function checkVoxel(x, y, z) {
    voxelAxis(x, 'voxel x');
    voxelAxis(y, 'voxel y');
    voxelAxis(z, 'voxel z');
}

function text(value, name) {
    if (typeof value !== 'string' || value.includes('\0')) {
        throw bad(`${name} must be a string without a zero character; it is ${shown(value)}.`);
    }
    return value;
}

function flag(value, name, missing) {
    if (value === undefined) {
        return missing;
    }
    if (typeof value !== 'boolean') {
        throw bad(`${name} must be true or false; it is ${shown(value)}.`);
    }
    return value;
}

function finite(value, name) {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
        throw bad(`${name} must be a finite number; it is ${shown(value)}.`);
    }
    return value;
}

function settings(options, known) {
    if (options === undefined) {
        return {};
    }
    if (typeof options !== 'object' || options === null) {
        throw bad(`options must be an object; it is ${shown(options)}.`);
    }
    for (const key of Object.keys(options)) {
        if (!known.includes(key)) {
            throw bad(`there is no option '${key}'; the options are ${known.join(', ')}.`);
        }
    }
    return options;
}

function blocksArray(value, name) {
    if (!(value instanceof Uint16Array) || value.length !== CHUNK_VOXELS) {
        throw bad(`${name} must be a Uint16Array of ${CHUNK_VOXELS} blocks.`);
    }
    return value;
}

// ---- the module --------------------------------------------------------------------------------

/** Memory and functions of one WebAssembly instance. */
class Core {
    constructor(exports) {
        this.f = exports;
        this.blocks = this.malloc(CHUNK_VOXELS * 2); // of one chunk, for all calls
        this.out = this.malloc(256);                 // out-parameters of all calls
    }

    // Memory that grows replaces its buffer, so each call takes new views.
    get u8() { return new Uint8Array(this.f.memory.buffer); }
    u16(at, count) { return new Uint16Array(this.f.memory.buffer, at, count); }
    u32(at, count) { return new Uint32Array(this.f.memory.buffer, at, count); }
    i32(at, count) { return new Int32Array(this.f.memory.buffer, at, count); }
    f32(at, count) { return new Float32Array(this.f.memory.buffer, at, count); }
    f64(at, count) { return new Float64Array(this.f.memory.buffer, at, count); }

    string(at) {
        const bytes = this.u8;
        return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
    }

    malloc(bytes) {
        const at = this.f.malloc(bytes) >>> 0;
        if (at === 0) {
            throw new TerraneError('NO_MEMORY', `WebAssembly has no ${bytes} bytes left. Dispose of objects that you no longer use.`);
        }
        return at;
    }

    /** Calls use(address) with memory that lasts for the call. */
    with(bytes, use) {
        const at = this.malloc(bytes);
        try {
            return use(at);
        } finally {
            this.f.free(at);
        }
    }

    withString(value, use) {
        const bytes = new TextEncoder().encode(value);
        return this.with(bytes.length + 1, (at) => {
            this.u8.set(bytes, at);
            this.u8[at + bytes.length] = 0;
            return use(at);
        });
    }

    /** Throws the library's sentence for any result but OK. */
    check(result, what) {
        if (result !== 0) {
            const sentence = this.string(this.f.bridge_result_text(result));
            throw new TerraneError(RESULT_CODES[result] ?? 'UNKNOWN', what ? `${what}: ${sentence}` : sentence);
        }
    }

    /** What an out-parameter of `create` received. */
    created() {
        return this.u32(this.out, 1)[0];
    }

    blocksCopy(out) {
        const blocks = this.u16(this.blocks, CHUNK_VOXELS);
        if (out === undefined) {
            return blocks.slice();
        }
        out.set(blocks);
        return out;
    }
}

const cores = new WeakMap(); // of each Terrane

function coreOf(terrane) {
    const core = cores.get(terrane);
    if (!core) {
        throw bad('the first argument must be what load() returned.');
    }
    return core;
}

/** An object of the library. Its handle is an address, 0 after dispose. */
class Handle {
    #core;
    #handle = 0;
    #destroy;

    constructor(core, handle, destroy) {
        this.#core = core;
        this.#handle = handle;
        this.#destroy = destroy;
    }

    dispose() {
        if (this.#handle !== 0) {
            this.#destroy?.(this.#handle);
            this.#handle = 0;
        }
    }

    get isDisposed() {
        return this.#handle === 0;
    }

    /** The handle; throws after dispose, and where `core` is another instance. */
    static of(object, type, core) {
        if (!(object instanceof type)) {
            throw bad(`a ${type.name} is needed, not ${shown(object)}.`);
        }
        if (object.#handle === 0) {
            throw new TerraneError('DISPOSED', `this ${type.name} was disposed of.`);
        }
        if (core && object.#core !== core) {
            throw bad(`this ${type.name} belongs to another load().`);
        }
        return object.#handle;
    }

    static coreOf(object) {
        return object.#core;
    }
}

// ---- terrain -----------------------------------------------------------------------------------

function seedWords(seed) {
    if (typeof seed === 'number' && Number.isSafeInteger(seed) && seed >= 0) {
        seed = BigInt(seed);
    }
    if (typeof seed !== 'bigint' || seed < 0n || seed >= 2n ** 64n) {
        throw bad(`seed must be an integer of 0 to 2^53 - 1, or a bigint below 2^64; it is ${shown(seed)}.`);
    }
    return [Number(seed & 0xffffffffn), Number(seed >> 32n)];
}

function shapeFields(shape) {
    const given = settings(shape, SHAPE_FIELDS);
    return SHAPE_FIELDS.map((key) => (given[key] === undefined ? NaN : finite(given[key], `shape.${key}`)));
}

export class Terrain extends Handle {
    constructor(terrane, options) {
        const core = coreOf(terrane);
        const given = settings(options, ['seed', 'preset', 'version', 'shape', 'columnCacheMax']);
        const [low, high] = seedWords(given.seed ?? 0);
        const preset = text(given.preset ?? 'default', 'preset');
        const version = given.version === undefined ? 0 : integer(given.version, 'version', 1, 2 ** 31 - 1);
        const columns = given.columnCacheMax === undefined ? 0 : integer(given.columnCacheMax, 'columnCacheMax', 1, 2 ** 31 - 1);
        const fields = shapeFields(given.shape);
        core.withString(preset, (name) => {
            core.f32(core.out + 8, fields.length).set(fields);
            const result = core.f.bridge_terrain_create(name, low, high, version, columns, core.out + 8, core.out, core.out + 4);
            const fault = core.u32(core.out + 4, 1)[0];
            if (fault !== 0) {
                throw bad(core.string(fault));
            }
            core.check(result, `preset '${preset}'`);
        });
        super(core, core.created(), core.f.bridge_terrain_destroy);
    }

    generate(x, y, z, options) {
        const handle = Handle.of(this, Terrain);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        const given = settings(options, ['level', 'out']);
        const level = integer(given.level ?? 0, 'level', 0, LEVEL_MAX);
        const out = given.out === undefined ? undefined : blocksArray(given.out, 'out');
        core.check(core.f.bridge_terrain_generate(handle, x, y, z, level, core.blocks), 'generate');
        return core.blocksCopy(out);
    }

    sample(x, z) {
        const handle = Handle.of(this, Terrain);
        const core = Handle.coreOf(this);
        voxelAxis(x, 'voxel x');
        voxelAxis(z, 'voxel z');
        core.check(core.f.bridge_terrain_sample(handle, x, z, core.out), 'sample');
        const [height, biome, top, surface, surfaceY] = core.f64(core.out, 5);
        return { height, biome: BIOMES[biome], top, surface, surfaceY };
    }
}

// ---- gathers -----------------------------------------------------------------------------------

const EVERYWHERE = { min: [-(2 ** 31), -(2 ** 31), -(2 ** 31)], max: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1] };

function boxCorners(box) {
    const { min, max } = box === undefined ? EVERYWHERE : settings(box, ['min', 'max']);
    return [['min', min], ['max', max]].flatMap(([name, corner]) => {
        if (!Array.isArray(corner) || corner.length !== 3) {
            throw bad(`box.${name} must be an array of x, y and z.`);
        }
        return corner.map((value, axis) => chunkAxis(value, `box.${name}[${axis}]`));
    });
}

/** @param query  [5] sets of planes, or undefined for present chunks */
function gather(core, index, box, query, wantsValues) {
    const at = core.out; // the box, 24 bytes, and the query, 20
    core.i32(at, 6).set(boxCorners(box));
    const queryAt = query ? at + 24 : 0;
    if (query) {
        core.u32(queryAt, 5).set(query);
    }
    const count = core.f.bridge_index_gather(index, at, queryAt, 0, 0, 0) >>> 0;
    if (count === 0) {
        return { coords: new Int32Array(0), values: new Uint32Array(0) };
    }
    return core.with(count * 16, (memory) => {
        const values = wantsValues ? memory + count * 12 : 0;
        core.f.bridge_index_gather(index, at, queryAt, values, memory, count);
        return {
            coords: core.i32(memory, count * 3).slice(),
            values: wantsValues ? core.u32(values, count).slice() : new Uint32Array(0),
        };
    });
}

// ---- store -------------------------------------------------------------------------------------

export class Store extends Handle {
    constructor(terrane, options) {
        const core = coreOf(terrane);
        const given = settings(options, ['bytesMax']);
        const bytesMax = integer(given.bytesMax ?? 0, 'bytesMax', 0, 2 ** 32 - 1);
        core.check(core.f.bridge_store_create(bytesMax, core.out), 'new Store');
        super(core, core.created(), core.f.bridge_store_destroy);
    }

    insert(x, y, z, blocks) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        if (typeof blocks === 'number') {
            core.check(core.f.bridge_store_insert_uniform(handle, x, y, z, blockId(blocks)), 'insert');
            return;
        }
        core.u16(core.blocks, CHUNK_VOXELS).set(blocksArray(blocks, 'blocks'));
        core.check(core.f.bridge_store_insert_voxels(handle, x, y, z, core.blocks), 'insert');
    }

    insertTerrain(terrain, x, y, z) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        const from = Handle.of(terrain, Terrain, core);
        checkChunk(x, y, z);
        core.check(core.f.bridge_store_insert_terrain(handle, from, x, y, z, core.blocks), 'insertTerrain');
    }

    remove(x, y, z) {
        const handle = Handle.of(this, Store);
        checkChunk(x, y, z);
        const core = Handle.coreOf(this);
        core.check(core.f.bridge_store_remove(handle, x, y, z), 'remove');
    }

    has(x, y, z) {
        const core = Handle.coreOf(this);
        const index = core.f.bridge_store_index(Handle.of(this, Store));
        checkChunk(x, y, z);
        return core.f.bridge_index_find(index, x, y, z, 0) !== 0;
    }

    getChunk(x, y, z, out) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        const target = out === undefined ? undefined : blocksArray(out, 'out');
        core.check(core.f.bridge_store_get_chunk(handle, x, y, z, core.blocks), 'getChunk');
        return core.blocksCopy(target);
    }

    getBlock(x, y, z) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        checkVoxel(x, y, z);
        core.check(core.f.bridge_store_get_block(handle, x, y, z, core.out), 'getBlock');
        return core.u16(core.out, 1)[0];
    }

    setBlock(x, y, z, block) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        checkVoxel(x, y, z);
        core.check(core.f.bridge_store_set_block(handle, x, y, z, blockId(block), core.out), 'setBlock');
        return core.u32(core.out, 1)[0] !== 0;
    }

    gather(box) {
        const core = Handle.coreOf(this);
        return gather(core, core.f.bridge_store_index(Handle.of(this, Store)), box, undefined, false).coords;
    }

    blockId(name) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        return core.withString(text(name, 'name'), (at) => {
            core.check(core.f.bridge_store_block_id(handle, at, core.out), `block '${name}'`);
            return core.u16(core.out, 1)[0];
        });
    }

    blockName(block) {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        const at = core.f.bridge_store_block_name(handle, blockId(block));
        return at === 0 ? undefined : core.string(at);
    }

    stats() {
        const handle = Handle.of(this, Store);
        const core = Handle.coreOf(this);
        core.f.bridge_store_stats(handle, core.out);
        const [chunks, uniformChunks, usedBytes, totalBytes] = core.f64(core.out, 4);
        return { chunks, uniformChunks, usedBytes, totalBytes };
    }
}

// ---- chunk index -------------------------------------------------------------------------------

export class ChunkIndex extends Handle {
    #planes;

    constructor(terrane, options) {
        const core = coreOf(terrane);
        const names = settings(options, ['planes']).planes ?? [];
        if (!Array.isArray(names) || names.length > 31) {
            throw bad('planes must be an array of at most 31 names.');
        }
        names.forEach((name) => text(name, 'a plane\'s name'));
        core.withString(names.join('\0'), (texts) => {
            core.with(names.length * 4 + 4, (pointers) => {
                let at = texts;
                names.forEach((name, i) => {
                    core.u32(pointers, names.length)[i] = at;
                    at += new TextEncoder().encode(name).length + 1;
                });
                core.check(core.f.bridge_index_create(pointers, names.length, core.out), 'new ChunkIndex');
            });
        });
        super(core, core.created(), core.f.bridge_index_destroy);
        this.#planes = ['present', ...names];
    }

    #plane(name) {
        const plane = this.#planes.indexOf(name);
        if (plane < 0) {
            throw bad(`there is no plane ${shown(name)}; the planes are ${this.#planes.join(', ')}.`);
        }
        return plane;
    }

    /** The five sets of planes of a TrnPlaneQuery. */
    #query(query) {
        const keys = ['all', 'any', 'none', 'allFaces', 'allAround'];
        const given = settings(query, keys);
        const sets = keys.map((key) => {
            if (given[key] !== undefined && !Array.isArray(given[key])) {
                throw bad(`${key} must be an array of names of planes.`);
            }
            return (given[key] ?? []).reduce((set, name) => (set | (1 << this.#plane(name))) >>> 0, 0);
        });
        sets[0] = sets[0] || 1; // present
        return sets;
    }

    insert(x, y, z, value) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        core.check(core.f.bridge_index_insert(handle, x, y, z, indexValue(value)), 'insert');
    }

    set(x, y, z, value) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        core.check(core.f.bridge_index_set(handle, x, y, z, indexValue(value)), 'set');
    }

    find(x, y, z) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        return core.f.bridge_index_find(handle, x, y, z, core.out) ? core.u32(core.out, 1)[0] : undefined;
    }

    remove(x, y, z) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        core.check(core.f.bridge_index_remove(handle, x, y, z, core.out), 'remove');
        return core.u32(core.out, 1)[0];
    }

    setPlane(plane, x, y, z, bit) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        checkChunk(x, y, z);
        core.check(core.f.bridge_index_plane_set(handle, this.#plane(plane), x, y, z, flag(bit, 'bit', true) ? 1 : 0), 'setPlane');
    }

    testPlane(plane, x, y, z) {
        const handle = Handle.of(this, ChunkIndex);
        checkChunk(x, y, z);
        return Handle.coreOf(this).f.bridge_index_plane_test(handle, this.#plane(plane), x, y, z) !== 0;
    }

    computePlane(plane, query) {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        core.u32(core.out, 5).set(this.#query(query));
        core.check(core.f.bridge_index_plane_compute(handle, this.#plane(plane), core.out), 'computePlane');
    }

    gather(box, query) {
        const handle = Handle.of(this, ChunkIndex);
        return gather(Handle.coreOf(this), handle, box, query && this.#query(query), true);
    }

    clear() {
        const handle = Handle.of(this, ChunkIndex);
        const core = Handle.coreOf(this);
        core.check(core.f.bridge_index_clear(handle), 'clear');
    }
}

// ---- mesher ------------------------------------------------------------------------------------

export class Mesher extends Handle {
    constructor(terrane) {
        const core = coreOf(terrane);
        core.check(core.f.bridge_mesher_create(core.out), 'new Mesher');
        super(core, core.created(), core.f.bridge_mesher_destroy);
    }

    /** Meshes into the mesher's memory and returns the store's handle. BridgeMesh is in core.out. */
    #mesh(store, x, y, z, given) {
        const handle = Handle.of(this, Mesher);
        const core = Handle.coreOf(this);
        const from = Handle.of(store, Store, core);
        checkChunk(x, y, z);
        const solid = flag(given.missingIsSolid, 'missingIsSolid', true) ? 1 : 0;
        const withoutAo = flag(given.ao, 'ao', true) ? 0 : 1;
        const withoutMerging = flag(given.merge, 'merge', true) ? 0 : 1;
        core.check(core.f.bridge_mesher_mesh(handle, from, x, y, z, solid, withoutAo, withoutMerging, core.out), 'mesh');
        return from;
    }

    mesh(store, x, y, z, options) {
        this.#mesh(store, x, y, z, settings(options, ['missingIsSolid', 'ao', 'merge']));
        const core = Handle.coreOf(this);
        const [quadsAt, modelFaces, ...groups] = core.u32(core.out, 3 + GROUPS);
        const count = groups[GROUPS];
        const quads = count === 0 ? new Uint32Array(0) : core.u32(quadsAt, count * 2).slice();
        return { quads, groups: Uint32Array.from(groups), modelFaces };
    }

    geometry(store, x, y, z, options) {
        const given = settings(options, ['missingIsSolid', 'ao', 'merge', 'offset']);
        const offset = given.offset ?? [0, 0, 0];
        if (!Array.isArray(offset) || offset.length !== 3) {
            throw bad('offset must be an array of x, y and z.');
        }
        offset.forEach((value, axis) => finite(value, `offset[${axis}]`));
        const from = this.#mesh(store, x, y, z, given);
        const surfaces = {};
        SURFACES.forEach((name, surface) => {
            surfaces[name] = this.#surface(from, surface, offset);
        });
        return surfaces;
    }

    #surface(store, surface, offset) {
        const core = Handle.coreOf(this);
        core.check(core.f.bridge_mesher_geometry(Handle.of(this, Mesher), store, surface, ...offset, core.out), 'geometry');
        const [count, positions, normals, uvs, indices, blocks, colours, ao] = core.u32(core.out, 8);
        if (count === 0) {
            return null;
        }
        try {
            return {
                positions: core.f32(positions, count * 3).slice(),
                normals: core.f32(normals, count * 3).slice(),
                uvs: core.f32(uvs, count * 2).slice(),
                indices: core.u32(indices, (count / 4) * 6).slice(),
                blocks: core.u16(blocks, count).slice(),
                colours: core.u8.slice(colours, colours + count * 3),
                ao: core.u8.slice(ao, ao + count),
            };
        } finally {
            core.f.free(positions);
        }
    }
}

// ---- load --------------------------------------------------------------------------------------

/** Imports a module of node. Its name is no literal, since bundlers for browsers look those up. */
function importOfNode(name) {
    return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

/** The engine's random numbers: modules of node 18 lack the global variable. */
async function findCrypto() {
    return globalThis.crypto ?? (await importOfNode('crypto')).webcrypto;
}

// All that the modules import: random keys of hashes, and the clock.
async function imports(memory) {
    const crypto = await findCrypto();
    return {
        env: {
            emscripten_notify_memory_growth() {},
            getentropy(at, count) { // at most 256 bytes
                crypto.getRandomValues(new Uint8Array(memory().buffer, at, count));
                return 0;
            },
        },
        wasi_snapshot_preview1: {
            clock_time_get(clock, precision, at) {
                new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
                return 0;
            },
        },
    };
}

async function fetchBytes(url) {
    if (url.protocol === 'file:') { // node
        const { readFile } = await importOfNode('fs/promises');
        return readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) {
        throw new Error(`the server answered ${response.status}`);
    }
    return response.arrayBuffer();
}

// A name of its own: webpack takes any `new URL(…, import.meta.url)` for a file to be bundled.
const HERE = import.meta.url;

async function compile(wasm) {
    if (wasm instanceof WebAssembly.Module) {
        return wasm;
    }
    return WebAssembly.compile(wasm instanceof URL || typeof wasm === 'string'
        ? await fetchBytes(new URL(wasm, HERE)) : wasm);
}

export function hasSimd() {
    return WebAssembly.validate(SIMD_PROBE);
}

export async function load(options) {
    const given = settings(options, ['simd', 'wasm']);
    const simd = flag(given.simd, 'simd', hasSimd());
    const wasm = given.wasm ?? (simd ? new URL('./terrane-simd.wasm', import.meta.url) : new URL('./terrane.wasm', import.meta.url));
    let instance;
    try {
        instance = await WebAssembly.instantiate(await compile(wasm), await imports(() => instance.exports.memory));
        instance.exports._initialize?.();
    } catch (cause) {
        throw new TerraneError('LOAD_FAILED', `the WebAssembly module cannot be loaded: ${cause.message}. `
            + 'Serve terrane.wasm and terrane-simd.wasm next to terrane.js, or pass the option wasm.', { cause });
    }
    const core = new Core(instance.exports);
    const terrane = Object.freeze({
        simd,
        version: core.string(core.f.bridge_version()),
        memory: () => ({ usedBytes: core.f.bridge_used_bytes() >>> 0, totalBytes: core.f.memory.buffer.byteLength }),
    });
    cores.set(terrane, core);
    return terrane;
}

export { CHUNK_EDGE, CHUNK_VOXELS };
