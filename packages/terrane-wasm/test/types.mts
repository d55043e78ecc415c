// Uses every declaration of terrane.d.ts. test_package.sh checks it with tsc --strict, then runs
// it: what is declared must exist.
import * as exported from 'terrane-wasm';
import {
    CHUNK_EDGE,
    CHUNK_VOXELS,
    ChunkIndex,
    Mesher,
    Store,
    Terrain,
    TerraneError,
    hasSimd,
    load,
    type Biome,
    type Box,
    type ChunkGeometry,
    type Geometry,
    type GeometryOptions,
    type LoadOptions,
    type Mesh,
    type MeshOptions,
    type PlaneQuery,
    type StoreOptions,
    type TerrainOptions,
    type TerrainPreset,
    type TerrainSample,
    type TerrainShape,
    type Terrane,
    type TerraneErrorCode,
} from 'terrane-wasm';

function check(fact: unknown, what: string): asserts fact {
    if (!fact) {
        throw new Error(what);
    }
}

/** Compares what a type declares with what the object has. The compiler demands a full list. */
function declares<T>(object: object, names: Record<keyof T, true>): void {
    const has = Object.getOwnPropertyNames(object)
        .filter((name) => name !== 'constructor')
        .sort()
        .join();
    check(has === Object.keys(names).sort().join(), `there is ${has}`);
}

function faultOf(call: () => void): TerraneError {
    try {
        call();
    } catch (error) {
        check(error instanceof TerraneError, String(error));
        const name: 'TerraneError' = error.name;
        check(name === 'TerraneError', name);
        return error;
    }
    throw new Error('no error');
}

declares<typeof exported>(exported, {
    CHUNK_EDGE: true,
    CHUNK_VOXELS: true,
    ChunkIndex: true,
    Mesher: true,
    Store: true,
    Terrain: true,
    TerraneError: true,
    hasSimd: true,
    load: true,
});
const edge: 32 = CHUNK_EDGE;
const voxels: 32768 = CHUNK_VOXELS;
check(edge ** 3 === voxels, 'edge');

// ---- load --------------------------------------------------------------------------------------

const simd: boolean = hasSimd();
const loadOptions: LoadOptions = { simd };
const terrane: Terrane = await load(loadOptions);
declares<Terrane>(terrane, { simd: true, version: true, memory: true });
const { usedBytes, totalBytes }: { usedBytes: number; totalBytes: number } = terrane.memory();
check(
    terrane.simd === simd && terrane.version.length > 0 && usedBytes < totalBytes,
    'facts of load()',
);
const sources: LoadOptions[] = [
    { wasm: 'none.wasm' },
    { wasm: new URL('none.wasm', import.meta.url) },
    { wasm: new Uint8Array(8) },
    { wasm: new ArrayBuffer(8) },
];
for (const source of sources) {
    const error: unknown = await load(source).catch((fault) => fault);
    check(error instanceof TerraneError && error.code === 'LOAD_FAILED', String(error));
}
const own = new TerraneError('IO', 'a sentence', { cause: 1 });
check(own.code === 'IO' && own.cause === 1, 'an error made here');

// ---- terrain -----------------------------------------------------------------------------------

const preset: TerrainPreset = 'alps';
const shape: Partial<TerrainShape> = { scale: 1, trees: 0.5 };
const terrainOptions: TerrainOptions = {
    seed: 2n ** 63n,
    preset,
    version: 4,
    shape,
    columnCacheMax: 64,
};
const terrain = new Terrain(terrane, terrainOptions);
const generated: Uint16Array = terrain.generate(0, 0, 0, {
    level: 1,
    out: new Uint16Array(CHUNK_VOXELS),
});
check(generated.length === CHUNK_VOXELS, 'generate');
const sample: TerrainSample = terrain.sample(-1, 2 ** 35);
declares<TerrainSample>(sample, {
    height: true,
    biome: true,
    top: true,
    surface: true,
    surfaceY: true,
});
const biomes: Record<Biome, true> = {
    sea: true,
    grassland: true,
    forest: true,
    desert: true,
    savanna: true,
    tundra: true,
    snow: true,
    swamp: true,
};
check(biomes[sample.biome] && sample.surfaceY >= sample.height, 'sample');
const allOfShape: Record<keyof TerrainShape, true> = {
    scale: true,
    land: true,
    relief: true,
    mountains: true,
    rivers: true,
    terraces: true,
    overhangs: true,
    caves: true,
    temperature: true,
    moisture: true,
    trees: true,
};
for (const key of Object.keys(allOfShape)) {
    const fault = faultOf(() => new Terrain(terrane, { shape: { [key]: Infinity } }));
    // A field that is only declared would be an unknown option.
    check(fault.message.includes(`shape.${key}`), fault.message);
}

// ---- store -------------------------------------------------------------------------------------

const storeOptions: StoreOptions = { bytesMax: 2 ** 26 };
const store = new Store(terrane, storeOptions);
const stone: number = store.blockId('terrane:stone');
const stoneName: string | undefined = store.blockName(stone);
check(stoneName === 'terrane:stone', 'blockName');
store.insert(0, 0, 0, stone);
store.insert(1, 0, 0, generated);
store.insertTerrain(terrain, 2, 0, 0);
const changed: boolean = store.setBlock(0, 0, 0, 0);
const block: number = store.getBlock(0, 0, 0);
check(changed && block === 0 && store.has(0, 0, 0), 'setBlock');
const copied: Uint16Array = store.getChunk(1, 0, 0, new Uint16Array(CHUNK_VOXELS));
check(
    copied.every((each, i) => each === generated[i]),
    'getChunk',
);
const box: Box = { min: [0, 0, 0], max: [9, 9, 9] };
const origin = [0, 0, 0] as const;
const coords: Int32Array = store.gather({ min: origin, max: origin });
check(coords.length === 3 && store.gather(box).length === 9, 'gather');
const stats = store.stats();
declares<ReturnType<Store['stats']>>(stats, {
    chunks: true,
    uniformChunks: true,
    usedBytes: true,
    totalBytes: true,
});
store.remove(2, 0, 0);
const code: TerraneErrorCode = faultOf(() => store.remove(2, 0, 0)).code;
check(code === 'NOT_FOUND', code);

// ---- chunk index -------------------------------------------------------------------------------

const planes = ['dirty', 'ready'] as const;
const index = new ChunkIndex(terrane, { planes });
index.insert(0, 0, 0, 7);
index.set(0, 0, 0, 8);
const value: number | undefined = index.find(0, 0, 0);
index.setPlane('dirty', 0, 0, 0);
index.setPlane('dirty', 0, 0, 0, false);
const dirty: boolean = index.testPlane('dirty', 0, 0, 0);
const query: PlaneQuery = {
    all: ['present'],
    any: ['present'],
    none: planes,
    allFaces: [],
    allAround: [],
};
index.computePlane('ready', query);
const found: { coords: Int32Array; values: Uint32Array } = index.gather(box, { all: ['ready'] });
check(
    value === 8 && !dirty && found.values[0] === 8 && found.coords.length === 3,
    'gather of an index',
);
const removed: number = index.remove(0, 0, 0);
check(removed === 8, 'remove');
index.clear();

// ---- mesher ------------------------------------------------------------------------------------

const mesher = new Mesher(terrane);
const meshOptions: MeshOptions = { missingIsSolid: false, ao: true, merge: true };
const mesh: Mesh = mesher.mesh(store, 0, 0, 0, meshOptions);
declares<Mesh>(mesh, { quads: true, groups: true, modelFaces: true });
const quads: Uint32Array = mesh.quads;
const groups: Uint32Array = mesh.groups;
const modelFaces: number = mesh.modelFaces;
check(quads.length > 0 && groups.length > 0 && modelFaces === 0, 'mesh');
const geometryOptions: GeometryOptions = { ...meshOptions, offset: origin };
const surfaces: ChunkGeometry = mesher.geometry(store, 0, 0, 0, geometryOptions);
declares<ChunkGeometry>(surfaces, {
    opaque: true,
    cutout: true,
    plants: true,
    transparent: true,
    models: true,
});
const opaque: Geometry | null = surfaces.opaque;
check(opaque, 'opaque faces');
declares<Geometry>(opaque, {
    positions: true,
    normals: true,
    uvs: true,
    indices: true,
    blocks: true,
    colours: true,
    ao: true,
});
const floats: Float32Array[] = [opaque.positions, opaque.normals, opaque.uvs];
const integers: [Uint32Array, Uint16Array, Uint8Array, Uint8Array] = [
    opaque.indices,
    opaque.blocks,
    opaque.colours,
    opaque.ao,
];
check(
    [...floats, ...integers].every((array) => array.length > 0),
    'geometry',
);

// ---- handles -----------------------------------------------------------------------------------

type Own<T> = Omit<T, 'dispose' | 'isDisposed'>;
declares<Own<Terrain>>(Terrain.prototype, { generate: true, sample: true });
declares<Own<Store>>(Store.prototype, {
    insert: true,
    insertTerrain: true,
    remove: true,
    has: true,
    getChunk: true,
    getBlock: true,
    setBlock: true,
    gather: true,
    blockId: true,
    blockName: true,
    stats: true,
});
declares<Own<ChunkIndex>>(ChunkIndex.prototype, {
    insert: true,
    set: true,
    find: true,
    remove: true,
    setPlane: true,
    testPlane: true,
    computePlane: true,
    gather: true,
    clear: true,
});
declares<Own<Mesher>>(Mesher.prototype, { mesh: true, geometry: true });
declares<Pick<Store, 'dispose' | 'isDisposed'>>(Object.getPrototypeOf(Store.prototype), {
    dispose: true,
    isDisposed: true,
});
for (const handle of [terrain, store, index, mesher]) {
    handle.dispose();
    const isDisposed: boolean = handle.isDisposed;
    check(isDisposed, 'dispose');
}

// ---- what the compiler must refuse -------------------------------------------------------------

export function refused(): void {
    // @ts-expect-error: Handle has no value
    exported.Handle;
    // @ts-expect-error: no such option
    load({ threads: true });
    // @ts-expect-error: no such preset
    new Terrain(terrane, { preset: 'moon' });
    // @ts-expect-error: no such field
    new Terrain(terrane, { shape: { height: 1 } });
    // @ts-expect-error: blocks have 16 bits
    store.insert(0, 0, 0, new Uint8Array(CHUNK_VOXELS));
    // @ts-expect-error: three coordinates
    store.has(0, 0);
    // @ts-expect-error: a corner has three coordinates
    store.gather({ min: [0, 0], max: [1, 1, 1] });
    // @ts-expect-error: may be undefined
    index.find(0, 0, 0).toFixed();
    // @ts-expect-error: may be null
    surfaces.opaque.positions;
    // @ts-expect-error: is read-only
    terrane.simd = false;
    // @ts-expect-error: no store
    mesher.mesh(terrain, 0, 0, 0);
}
