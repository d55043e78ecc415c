/**
 * Terrane in JavaScript: chunk index, store, terrain and mesher.
 *
 * Coordinates are numbers: chunk coordinates are integers of int32, voxel coordinates integers of -2^36 to
 * 2^36 - 1; y is up. The linear order of a chunk's voxels is x fastest, then z, then y: index = x | z << 5 | y << 10.
 *
 * Every array that a call returns is a copy, which stays valid. Objects use memory of the WebAssembly module, which
 * no garbage collector frees: call dispose(). All calls of one load() run on the thread that called it.
 *
 * Every error is a TerraneError; the object is then as it was.
 */

export {}; // only what is marked so is exported

export const CHUNK_EDGE: 32;
export const CHUNK_VOXELS: 32768;

export type TerraneErrorCode =
    /** An argument is no number, no integer, out of range, or of another type. */
    | 'BAD_ARGUMENT'
    /** The WebAssembly memory cannot grow any further. */
    | 'NO_MEMORY'
    /** A chunk with this coordinate exists already. */
    | 'EXISTS'
    /** No chunk, block or preset has this coordinate or name. */
    | 'NOT_FOUND'
    /** The store's bytesMax is reached. */
    | 'FULL'
    /** The object was disposed of. */
    | 'DISPOSED'
    /** The WebAssembly module is missing or broken. */
    | 'LOAD_FAILED'
    /** Results of the library that these classes do not cause. */
    | 'STALE_ID' | 'OUT_OF_RANGE' | 'READERS' | 'CORRUPT' | 'BUSY' | 'IO' | 'UNKNOWN';

export class TerraneError extends Error {
    constructor(code: TerraneErrorCode, message: string, options?: { cause?: unknown });
    readonly name: 'TerraneError';
    readonly code: TerraneErrorCode;
}

export interface LoadOptions {
    /** Which of the two modules to load. Default: hasSimd(). */
    simd?: boolean;
    /** Where the module is, if it does not lie next to terrane.js: its address, bytes, or compiled form. */
    wasm?: URL | string | ArrayBuffer | Uint8Array | WebAssembly.Module;
}

/** One instance of the module, with memory of its own. Pass it to the constructors. */
export interface Terrane {
    /** Whether it is the module with SIMD. */
    readonly simd: boolean;
    /** Of the library, such as "0.3.0". */
    readonly version: string;
    /** Bytes that its objects use, and bytes of the WebAssembly memory, which never shrinks. */
    memory(): { usedBytes: number; totalBytes: number };
}

/** Whether this engine has the SIMD instructions that terrane-simd.wasm needs. */
export function hasSimd(): boolean;

/** Loads the module. Errors: LOAD_FAILED, BAD_ARGUMENT. */
export function load(options?: LoadOptions): Promise<Terrane>;

declare class Handle {
    /** Frees the object's memory. Every later call throws DISPOSED, except dispose() and isDisposed. */
    dispose(): void;
    readonly isDisposed: boolean;
}

/** Corners in chunks, both inclusive. */
export interface Box {
    min: readonly [number, number, number];
    max: readonly [number, number, number];
}

export interface TerrainShape {
    scale: number;
    land: number;
    relief: number;
    mountains: number;
    rivers: number;
    terraces: number;
    overhangs: number;
    caves: number;
    temperature: number;
    moisture: number;
    trees: number;
}

export type TerrainPreset = 'default' | 'islands' | 'alps' | 'canyons' | 'flat';

export interface TerrainOptions {
    /** 0 to 2^53 - 1, or a bigint below 2^64. Default: 0. */
    seed?: number | bigint;
    /** Default: "default". */
    preset?: TerrainPreset;
    /** The version of the land: 4, which is the default; others are refused. */
    version?: number;
    /** Replaces fields of the preset. docs/terrain.md lists them with their ranges. */
    shape?: Partial<TerrainShape>;
    /** Capacity of the cache in columns of 13 KiB. Default: 2048. */
    columnCacheMax?: number;
}

export type Biome = 'sea' | 'grassland' | 'forest' | 'desert' | 'savanna' | 'tundra' | 'snow' | 'swamp';

export interface TerrainSample {
    /** y of the topmost ground voxel. */
    height: number;
    biome: Biome;
    /** The block that covers the ground. */
    top: number;
    /** `top`, or water or ice that covers it. */
    surface: number;
    /** y of `surface`. */
    surfaceY: number;
}

/** The built-in land. The same seed gives the same voxels as the native library. */
export class Terrain extends Handle {
    /** Errors: BAD_ARGUMENT, NOT_FOUND (no such preset), NO_MEMORY. */
    constructor(terrane: Terrane, options?: TerrainOptions);
    /**
     * Generates one chunk in linear order.
     * @param options level of detail, 0 to 12, where each voxel samples 2^level voxels (default 0); `out` receives
     *                the blocks instead of a new array
     */
    generate(x: number, y: number, z: number, options?: { level?: number; out?: Uint16Array }): Uint16Array;
    /** Samples the surface at a voxel column. */
    sample(x: number, z: number): TerrainSample;
}

export interface StoreOptions {
    /** The most bytes of the store; beyond it, calls throw FULL. Default: 0, no limit. */
    bytesMax?: number;
}

/** The chunks of one world, with the built-in block types. */
export class Store extends Handle {
    constructor(terrane: Terrane, options?: StoreOptions);
    /** Inserts a chunk of one block, or of 32768 blocks in linear order. Errors: EXISTS, FULL, NO_MEMORY. */
    insert(x: number, y: number, z: number, blocks: number | Uint16Array): void;
    /** Inserts the chunk that a terrain generates there. Errors: as insert. */
    insertTerrain(terrain: Terrain, x: number, y: number, z: number): void;
    /** Removes a chunk. Errors: NOT_FOUND. */
    remove(x: number, y: number, z: number): void;
    /** Whether the chunk is loaded. */
    has(x: number, y: number, z: number): boolean;
    /** A copy of a chunk's blocks in linear order. Errors: NOT_FOUND. */
    getChunk(x: number, y: number, z: number, out?: Uint16Array): Uint16Array;
    /** The block of a voxel, by voxel coordinates. Errors: NOT_FOUND (its chunk is not loaded). */
    getBlock(x: number, y: number, z: number): number;
    /** Sets a voxel, by voxel coordinates. Returns whether it held another block. Errors: NOT_FOUND, FULL, NO_MEMORY. */
    setBlock(x: number, y: number, z: number, block: number): boolean;
    /** The loaded chunks of a box, three coordinates each. Default: all. */
    gather(box?: Box): Int32Array;
    /** The id of a block type, such as "terrane:stone". Errors: NOT_FOUND. */
    blockId(name: string): number;
    /** The name of a block type, or undefined. */
    blockName(block: number): string | undefined;
    stats(): { chunks: number; uniformChunks: number; usedBytes: number; totalBytes: number };
}

/** A condition on planes: see TrnPlaneQuery. An empty `all` means "present". */
export interface PlaneQuery {
    all?: readonly string[];
    any?: readonly string[];
    none?: readonly string[];
    /** Set at all six neighbours. */
    allFaces?: readonly string[];
    /** Set at all 26 neighbours. */
    allAround?: readonly string[];
}

/** Maps chunk coordinates to values of yours, 0 to 2^32 - 2, with bit planes over the same space. */
export class ChunkIndex extends Handle {
    /** @param options names of up to 31 planes besides "present" */
    constructor(terrane: Terrane, options?: { planes?: readonly string[] });
    /** Errors: EXISTS, NO_MEMORY. */
    insert(x: number, y: number, z: number, value: number): void;
    /** Replaces a value. Errors: NOT_FOUND. */
    set(x: number, y: number, z: number, value: number): void;
    find(x: number, y: number, z: number): number | undefined;
    /** Removes a chunk with its bits and returns its value. Errors: NOT_FOUND. */
    remove(x: number, y: number, z: number): number;
    /** Sets or clears a bit, whether a chunk is present or not. */
    setPlane(plane: string, x: number, y: number, z: number, bit?: boolean): void;
    testPlane(plane: string, x: number, y: number, z: number): boolean;
    /** Sets a plane to the answer of a query, for all coordinates at once. */
    computePlane(plane: string, query: PlaneQuery): void;
    /** The present chunks of a box (default: all) that satisfy a query: three coordinates and one value each. */
    gather(box?: Box, query?: PlaneQuery): { coords: Int32Array; values: Uint32Array };
    /** Removes all chunks and clears all planes. */
    clear(): void;
}

export interface MeshOptions {
    /** Whether a missing neighbour hides the faces of the border. Default: true. */
    missingIsSolid?: boolean;
    /** Whether to compute ambient occlusion. Default: true. */
    ao?: boolean;
    /** Whether to merge faces into rectangles. Default: true. */
    merge?: boolean;
}

export interface GeometryOptions extends MeshOptions {
    /** Is added to every position. Default: [0, 0, 0]. */
    offset?: readonly [number, number, number];
}

export interface Mesh {
    /** Two words a quad, the lower one first: TrnQuad in terrane/mesher.h has the bits. */
    quads: Uint32Array;
    /** Group g is the quads groups[g] to groups[g + 1]: see TRN_MESH_OPAQUE in terrane/mesher.h. */
    groups: Uint32Array;
    /** Faces of models, which have no quads. */
    modelFaces: number;
}

/** Triangles, counter-clockwise seen from outside, for engines that take plain arrays. */
export interface Geometry {
    /** x, y, z in voxels from the chunk's lowest corner, plus the offset. */
    positions: Float32Array;
    normals: Float32Array;
    /** In voxels, so that a repeating texture covers each voxel once. */
    uvs: Float32Array;
    /** Three a triangle. */
    indices: Uint32Array;
    /** The block of each vertex. */
    blocks: Uint16Array;
    /** The block type's colour: three bytes of sRGB a vertex. */
    colours: Uint8Array;
    /** Ambient occlusion of each vertex, 0 (darkest) to 255. */
    ao: Uint8Array;
}

/** By surface; null where there is nothing to draw. Draw cutout and plants alpha-tested, transparent last. */
export interface ChunkGeometry {
    opaque: Geometry | null;
    cutout: Geometry | null;
    plants: Geometry | null;
    transparent: Geometry | null;
    models: Geometry | null;
}

/** Turns the visible faces of one chunk into quads or triangles. */
export class Mesher extends Handle {
    constructor(terrane: Terrane);
    /** Meshes a chunk of a store into quads. Errors: NOT_FOUND, NO_MEMORY. */
    mesh(store: Store, x: number, y: number, z: number, options?: MeshOptions): Mesh;
    /** Meshes a chunk of a store into triangles. Errors: NOT_FOUND, NO_MEMORY. */
    geometry(store: Store, x: number, y: number, z: number, options?: GeometryOptions): ChunkGeometry;
}
