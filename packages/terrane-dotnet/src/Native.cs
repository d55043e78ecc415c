// Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead.
#pragma warning disable 1591
using System;
using System.Runtime.InteropServices;

namespace Terrane.Native
{
    /// <summary>
    /// The result of an operation; zero is success. On any other result the object is unchanged and
    /// out-parameters are untouched, unless the declaration says otherwise.
    /// </summary>
    public enum TrnResult : uint
    {
        /// <summary>Success.</summary>
        TRN_RESULT_OK = 0,
        /// <summary>An argument is outside the range that its declaration states.</summary>
        TRN_RESULT_BAD_ARGUMENT = 1,
        /// <summary>The allocator returned NULL.</summary>
        TRN_RESULT_NO_MEMORY = 2,
        /// <summary>The coordinate or name is already in use.</summary>
        TRN_RESULT_EXISTS = 3,
        /// <summary>Nothing has this coordinate or name, or there is nothing to undo or redo.</summary>
        TRN_RESULT_NOT_FOUND = 4,
        /// <summary>The id is null, was never issued, or its object has been freed.</summary>
        TRN_RESULT_STALE_ID = 5,
        /// <summary>A cap or budget that the caller set is reached.</summary>
        TRN_RESULT_FULL = 6,
        /// <summary>A coordinate is beyond the size that the caller set, or beyond what a part may reach.</summary>
        TRN_RESULT_OUT_OF_RANGE = 7,
        /// <summary>Retired memory has reached its bound because a reader stays in its read section.</summary>
        TRN_RESULT_READERS = 8,
        /// <summary>A text or file does not follow its format.</summary>
        TRN_RESULT_CORRUPT = 9,
        /// <summary>
        /// The chunk is pinned or open for editing, work is under way, or another program has the file
        /// open.
        /// </summary>
        TRN_RESULT_BUSY = 10,
        /// <summary>The system could not read or write a file.</summary>
        TRN_RESULT_IO = 11,
        /// <summary>The number of results; never returned.</summary>
        TRN_RESULT_COUNT = 12,
    }

    /// <summary>
    /// The six faces of a voxel or chunk. Every array of six in Terrane has this order. face ^ 1 is the
    /// opposite face.
    /// </summary>
    public enum TrnFace : uint
    {
        /// <summary>west</summary>
        TRN_FACE_NEG_X = 0,
        /// <summary>east</summary>
        TRN_FACE_POS_X = 1,
        /// <summary>bottom</summary>
        TRN_FACE_NEG_Y = 2,
        /// <summary>top</summary>
        TRN_FACE_POS_Y = 3,
        /// <summary>north</summary>
        TRN_FACE_NEG_Z = 4,
        /// <summary>south</summary>
        TRN_FACE_POS_Z = 5,
        /// <summary>the number of faces</summary>
        TRN_FACE_COUNT = 6,
    }

    /// <summary>How light and faces treat a block. Only OPAQUE hides the faces of its neighbours.</summary>
    public enum TrnBlockKind : uint
    {
        /// <summary>nothing is drawn</summary>
        TRN_BLOCK_KIND_AIR = 0,
        /// <summary>hides everything behind it</summary>
        TRN_BLOCK_KIND_OPAQUE = 1,
        /// <summary>drawn after the opaque world; hides faces of its own type only</summary>
        TRN_BLOCK_KIND_LIQUID = 2,
        /// <summary>full cubes that are seen through, such as glass</summary>
        TRN_BLOCK_KIND_TRANSPARENT = 3,
        /// <summary>crossed leaves in air, or in a liquid (TrnBlockType.liquid)</summary>
        TRN_BLOCK_KIND_PLANT = 4,
        /// <summary>full cubes with holes, such as leaves; they keep the faces</summary>
        TRN_BLOCK_KIND_CUTOUT = 5,
        /// <summary>boxes (TrnBlockModel), such as slabs, stairs and fences</summary>
        TRN_BLOCK_KIND_MODEL = 6,
        /// <summary>how many kinds there are</summary>
        TRN_BLOCK_KIND_COUNT = 7,
    }

    /// <summary>
    /// How the 16 numbers of a matrix lie in memory. The matrix multiplies columns: clip = matrix *
    /// position. A library that multiplies rows (position * matrix) and stores rows, such as
    /// DirectXMath, has TRN_MATRIX_COLUMNS.
    /// </summary>
    public enum TrnMatrixOrder : uint
    {
        /// <summary>column by column, as OpenGL, GLM and cglm store them</summary>
        TRN_MATRIX_COLUMNS = 0,
        /// <summary>row by row</summary>
        TRN_MATRIX_ROWS = 1,
        /// <summary>the number of orders</summary>
        TRN_MATRIX_ORDER_COUNT = 2,
    }

    /// <summary>
    /// Which depths of clip space are inside a frustum. Reversed depth has the same region: the near
    /// and the far plane change places.
    /// </summary>
    public enum TrnClipDepth : uint
    {
        /// <summary>-1..1, as in OpenGL</summary>
        TRN_CLIP_DEPTH_MINUS_ONE = 0,
        /// <summary>0..1, as in Vulkan, Direct3D, Metal and WebGPU</summary>
        TRN_CLIP_DEPTH_ZERO = 1,
        /// <summary>the number of ranges</summary>
        TRN_CLIP_DEPTH_COUNT = 2,
    }

    /// <summary>The result of trn_voxels_code.</summary>
    public enum TrnVoxelCode : uint
    {
        /// <summary>the blocks became a code</summary>
        TRN_VOXEL_CODE_CODED = 0,
        /// <summary>no code: all blocks are equal to the first</summary>
        TRN_VOXEL_CODE_UNIFORM = 1,
        /// <summary>no code: there are more than 256 types</summary>
        TRN_VOXEL_CODE_BLOCKS = 2,
    }

    /// <summary>What becomes of data when its block changes.</summary>
    public enum TrnDataRule : uint
    {
        /// <summary>it is removed</summary>
        TRN_DATA_WITH_BLOCK = 0,
        /// <summary>it stays until a call removes it</summary>
        TRN_DATA_STAYS = 1,
        /// <summary>the number of rules</summary>
        TRN_DATA_RULE_COUNT = 2,
    }

    /// <summary>What an event tells.</summary>
    public enum TrnEventKind : uint
    {
        /// <summary>chunks were inserted</summary>
        TRN_EVENT_INSERTED = 0,
        /// <summary>voxels of chunks changed</summary>
        TRN_EVENT_CHANGED = 1,
        /// <summary>chunks were removed or evicted</summary>
        TRN_EVENT_REMOVED = 2,
    }

    /// <summary>Whether a chunk is loaded, and if not, why.</summary>
    public enum TrnChunkState : uint
    {
        /// <summary>in the store</summary>
        TRN_CHUNK_STATE_LOADED = 0,
        /// <summary>not loaded, and not in the log of the last 1024 chunks that left</summary>
        TRN_CHUNK_STATE_UNKNOWN = 1,
        /// <summary>by trn_store_remove</summary>
        TRN_CHUNK_STATE_REMOVED = 2,
        /// <summary>by trn_store_evict</summary>
        TRN_CHUNK_STATE_EVICTED = 3,
        /// <summary>the last insert failed</summary>
        TRN_CHUNK_STATE_REFUSED = 4,
        /// <summary>the number of states</summary>
        TRN_CHUNK_STATE_COUNT = 5,
    }

    /// <summary>What happens to edits of chunks that are not loaded.</summary>
    public enum TrnUnloadedPolicy : uint
    {
        /// <summary>they become pending</summary>
        TRN_UNLOADED_PENDING = 0,
        /// <summary>they are skipped</summary>
        TRN_UNLOADED_SKIP = 1,
        /// <summary>NOT_FOUND, and the batch fails</summary>
        TRN_UNLOADED_FAIL = 2,
        /// <summary>the number of policies</summary>
        TRN_UNLOADED_COUNT = 3,
    }

    /// <summary>What an event of a stream tells.</summary>
    public enum TrnStreamEventKind : uint
    {
        /// <summary>a chunk was inserted into the store</summary>
        TRN_STREAM_EVENT_LOADED = 0,
        /// <summary>a chunk's current mesh is shown</summary>
        TRN_STREAM_EVENT_SHOWN = 1,
        /// <summary>a chunk was removed from the store</summary>
        TRN_STREAM_EVENT_UNLOADED = 2,
        /// <summary>a chunk's changes were saved</summary>
        TRN_STREAM_EVENT_SAVED = 3,
        /// <summary>A hook failed; see stage and result. Running out of memory shrinks views instead.</summary>
        TRN_STREAM_EVENT_FAILED = 4,
        /// <summary>
        /// An anchor's view lost a ring because memory is short; coord is its centre, ring the number
        /// of rings left.
        /// </summary>
        TRN_STREAM_EVENT_SHRANK = 5,
        /// <summary>an anchor's view gained a ring</summary>
        TRN_STREAM_EVENT_GREW = 6,
        /// <summary>a worker thread could not be started</summary>
        TRN_STREAM_EVENT_NO_WORKER = 7,
    }

    /// <summary>What the stream measures the time of.</summary>
    public enum TrnStreamStage : uint
    {
        /// <summary>the whole of trn_stream_update</summary>
        TRN_STREAM_STAGE_UPDATE = 0,
        /// <summary>moving, growing and shrinking views, in the updates that do</summary>
        TRN_STREAM_STAGE_VIEW = 1,
        /// <summary>the load hook</summary>
        TRN_STREAM_STAGE_LOAD = 2,
        /// <summary>the generate hook</summary>
        TRN_STREAM_STAGE_GENERATE = 3,
        /// <summary>inserting into the store</summary>
        TRN_STREAM_STAGE_INSERT = 4,
        /// <summary>the mesh hook</summary>
        TRN_STREAM_STAGE_MESH = 5,
        /// <summary>the upload hook</summary>
        TRN_STREAM_STAGE_UPLOAD = 6,
        /// <summary>the save hook</summary>
        TRN_STREAM_STAGE_SAVE = 7,
        /// <summary>the unload hook and removing from the store</summary>
        TRN_STREAM_STAGE_UNLOAD = 8,
        /// <summary>from wanted until loaded</summary>
        TRN_STREAM_STAGE_WANTED_TO_LOADED = 9,
        /// <summary>from wanted until first shown</summary>
        TRN_STREAM_STAGE_WANTED_TO_SHOWN = 10,
        /// <summary>from an edit until all meshes that it touches are shown</summary>
        TRN_STREAM_STAGE_EDIT_TO_SHOWN = 11,
        /// <summary>the number of stages</summary>
        TRN_STREAM_STAGE_COUNT = 12,
    }

    /// <summary>How far a chunk has come.</summary>
    public enum TrnStreamState : uint
    {
        /// <summary>not loaded, and in no view</summary>
        TRN_STREAM_STATE_UNKNOWN = 0,
        /// <summary>waits to be loaded or generated</summary>
        TRN_STREAM_STATE_QUEUED = 1,
        /// <summary>a worker loads or generates it, or its result waits</summary>
        TRN_STREAM_STATE_GENERATING = 2,
        /// <summary>in the store, without a mesh</summary>
        TRN_STREAM_STATE_LOADED = 3,
        /// <summary>waits to be meshed</summary>
        TRN_STREAM_STATE_MESH_QUEUED = 4,
        /// <summary>a worker meshes it, or its result waits</summary>
        TRN_STREAM_STATE_MESHING = 5,
        /// <summary>its current mesh is shown</summary>
        TRN_STREAM_STATE_SHOWN = 6,
        /// <summary>a hook failed; retried later</summary>
        TRN_STREAM_STATE_FAILED = 7,
        /// <summary>being saved, then unloads</summary>
        TRN_STREAM_STATE_SAVING = 8,
        /// <summary>the number of states</summary>
        TRN_STREAM_STATE_COUNT = 9,
    }

    /// <summary>What a chunk waits for.</summary>
    public enum TrnStreamWait : uint
    {
        /// <summary>it is what it should be</summary>
        TRN_STREAM_WAIT_NOTHING = 0,
        /// <summary>an anchor comes nearer, or its view grows</summary>
        TRN_STREAM_WAIT_VIEW = 1,
        /// <summary>its turn in the queue</summary>
        TRN_STREAM_WAIT_QUEUE = 2,
        /// <summary>a hook, or the calling thread to apply its result</summary>
        TRN_STREAM_WAIT_WORKER = 3,
        /// <summary>neighbours to load</summary>
        TRN_STREAM_WAIT_NEIGHBOURS = 4,
        /// <summary>the other meshes of an edit</summary>
        TRN_STREAM_WAIT_GROUP = 5,
        /// <summary>the next try after a failure</summary>
        TRN_STREAM_WAIT_RETRY = 6,
        /// <summary>its turn to unload</summary>
        TRN_STREAM_WAIT_UNLOAD = 7,
        /// <summary>the number of these</summary>
        TRN_STREAM_WAIT_COUNT = 8,
    }

    /// <summary>A priority of the queue.</summary>
    public enum TrnStreamLane : uint
    {
        /// <summary>the ground under an anchor, then meshes of edits</summary>
        TRN_STREAM_LANE_URGENT = 0,
        /// <summary>within 60 degrees of an anchor's direction of view, or near it</summary>
        TRN_STREAM_LANE_VISIBLE = 1,
        /// <summary>all other work</summary>
        TRN_STREAM_LANE_REST = 2,
        /// <summary>the number of lanes</summary>
        TRN_STREAM_LANE_COUNT = 3,
    }

    /// <summary>What a noise computes.</summary>
    public enum TrnNoiseKind : uint
    {
        /// <summary>
        /// Fractal sum of gradient noise layers, each `gain` times as strong as the one before, scaled
        /// to [-1, 1]. Slope and curvature are continuous. Standard deviation: 0.30 in 2D and 0.22 in
        /// 3D for one layer, 0.19 and 0.14 for four.
        /// </summary>
        TRN_NOISE_FRACTAL = 0,
        /// <summary>
        /// Ridged fractal: ridges where layers cross zero; finer ridges appear only on coarser ones. In
        /// [0, 1].
        /// </summary>
        TRN_NOISE_RIDGED = 1,
        /// <summary>
        /// Worley's F1: distance to the nearest feature point, in wavelengths. Each lattice cell holds
        /// one point. In [0, 1.74].
        /// </summary>
        TRN_NOISE_CELL_DISTANCE = 2,
        /// <summary>
        /// Worley's F2 - F1: how much farther the second nearest point is. 0 on the borders between
        /// cells. In [0, 1.74].
        /// </summary>
        TRN_NOISE_CELL_BORDER = 3,
        /// <summary>The number of kinds.</summary>
        TRN_NOISE_KIND_COUNT = 4,
    }

    /// <summary>Why a ray ended.</summary>
    public enum TrnRayEnd : uint
    {
        /// <summary>nothing stopped it within distance_max</summary>
        TRN_RAY_END_DISTANCE = 0,
        /// <summary>a block in its stop set</summary>
        TRN_RAY_END_BLOCK = 1,
        /// <summary>a chunk that is not loaded</summary>
        TRN_RAY_END_UNLOADED = 2,
        /// <summary>the end of the world</summary>
        TRN_RAY_END_WORLD = 3,
    }

    /// <summary>Biome of a voxel column, selected by temperature and moisture.</summary>
    public enum TrnTerrainBiome : uint
    {
        /// <summary>also lakes and rivers</summary>
        TRN_TERRAIN_BIOME_SEA = 0,
        /// <summary>mild, with some trees</summary>
        TRN_TERRAIN_BIOME_GRASSLAND = 1,
        /// <summary>mild or cool, and moist</summary>
        TRN_TERRAIN_BIOME_FOREST = 2,
        /// <summary>hot and dry</summary>
        TRN_TERRAIN_BIOME_DESERT = 3,
        /// <summary>hot, with some moisture</summary>
        TRN_TERRAIN_BIOME_SAVANNA = 4,
        /// <summary>cold</summary>
        TRN_TERRAIN_BIOME_TUNDRA = 5,
        /// <summary>peaks, and land too cold for tundra</summary>
        TRN_TERRAIN_BIOME_SNOW = 6,
        /// <summary>low and wet</summary>
        TRN_TERRAIN_BIOME_SWAMP = 7,
        /// <summary>the number of biomes</summary>
        TRN_TERRAIN_BIOME_COUNT = 8,
    }

    /// <summary>How quads are drawn. A mesh keeps the quads of a surface together, in this order.</summary>
    public enum TrnMeshSurface : uint
    {
        /// <summary>cubes that hide what is behind them</summary>
        TRN_MESH_SURFACE_OPAQUE = 0,
        /// <summary>cubes with holes, such as leaves: alpha-tested</summary>
        TRN_MESH_SURFACE_CUTOUT = 1,
        /// <summary>crossed leaves</summary>
        TRN_MESH_SURFACE_PLANT = 2,
        /// <summary>liquids, glass, ice: drawn after everything else</summary>
        TRN_MESH_SURFACE_TRANSPARENT = 3,
        /// <summary>how many surfaces there are</summary>
        TRN_MESH_SURFACE_COUNT = 4,
    }

    /// <summary>How to open an SQLite storage.</summary>
    public enum TrnStorageMode : uint
    {
        /// <summary>an existing file</summary>
        TRN_STORAGE_OPEN = 0,
        /// <summary>a new file; EXISTS if there is one that is not empty</summary>
        TRN_STORAGE_CREATE = 1,
        /// <summary>an existing file, or a new one</summary>
        TRN_STORAGE_EITHER = 2,
        /// <summary>an existing file, which others may write meanwhile</summary>
        TRN_STORAGE_READ_ONLY = 3,
    }

    /// <summary>Which chunks are saved.</summary>
    public enum TrnSaveWhat : uint
    {
        /// <summary>
        /// Those that were shown and are not uniform, and those with changes. The world keeps its land
        /// when the generator changes.
        /// </summary>
        TRN_SAVE_SHOWN = 0,
        /// <summary>
        /// Those with changes alone. Smaller, and bound to the land that the generator makes now: see
        /// trn_save_bind_land.
        /// </summary>
        TRN_SAVE_CHANGED = 1,
    }

    /// <summary>What becomes of a chunk whose row is damaged. Its bytes are kept in quarantine either way.</summary>
    public enum TrnSaveDamaged : uint
    {
        /// <summary>it is generated again</summary>
        TRN_SAVE_GENERATE_DAMAGED = 0,
        /// <summary>loading it fails with CORRUPT</summary>
        TRN_SAVE_REFUSE_DAMAGED = 1,
    }

    /// <summary>What happened.</summary>
    public enum TrnSaveEventKind : uint
    {
        /// <summary>a chunk's row was damaged, and is in quarantine; or its pending edits were, and are left out</summary>
        TRN_SAVE_EVENT_DAMAGED = 0,
        /// <summary>a transaction failed; the save tries again</summary>
        TRN_SAVE_EVENT_WRITE_FAILED = 1,
        /// <summary>the first that succeeded after that</summary>
        TRN_SAVE_EVENT_WRITE_AGAIN = 2,
        /// <summary>the storage could not read a chunk</summary>
        TRN_SAVE_EVENT_READ_FAILED = 3,
    }

    /// <summary>
    /// Called after a change is published, on the writer's thread, before the call that made the change
    /// returns. It may do what the writer may, except destroy the store. Changes that it makes are
    /// published at once; their events are queued behind those of the current change. The queue is
    /// processed in rounds, each of which dispatches the events that the one before it caused. Events
    /// count as missed after the 64th round, and beyond 65,536 in the third and later rounds together.
    /// @return OK, or any error if it could not handle the event: the change stands, and the next event
    /// reports it as missed
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnListener(TrnStore* store, TrnStoreEvent* @event, void* user);

    /// <summary>
    /// Generates one chunk. The result must depend on `user`, `coord` and `level` alone, not on the
    /// thread, the order or the number of calls: an unloaded chunk must come back the same, and
    /// adjacent chunks are generated independently.
    /// @param user     TrnGenerator.user
    /// @param coord    the chunk; it covers 32 * 2^level voxels along each axis and begins at voxel
    ///                 coord * 32 * 2^level. Level n has chunks INT32_MIN / 2^n .. INT32_MAX / 2^n
    ///                 along each axis, level 0 the whole int32 range.
    /// @param level    0..TrnGenerator.level_max; local voxel i samples the voxel i * 2^level after the
    ///                 chunk's first
    /// @param blocks   [TRN_CHUNK_VOXELS], x fastest, then z, then y (trn_local_index): receives ids of
    ///                 block types of the world that the chunk is for. Not initialised on entry. Unless
    ///                 `uniform` is set, all must be written. Owned by the caller.
    /// @param uniform  receives whether every voxel is the same block; then only blocks[0] is read.
    ///                 Must be written on success. Setting it is optional but saves time: set it where
    ///                 it is known for free, such as above the land.
    /// @return OK, or the reason why there is no chunk, such as NO_MEMORY; the caller then ignores the
    /// out-parameters
    /// Threads: several may call it at once with the same `user`; the generator synchronises its own
    /// state.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnGenerateFn(void* user, TrnCoord coord, uint level, ushort* blocks, byte* uniform);

    /// <summary>
    /// Receives events, for tools. Called on the calling thread, inside calls of the stream, and of the
    /// store when another caller changes it. It must change neither.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStreamListener(void* user, TrnStreamEvent* @event);

    /// <summary>
    /// Draws a chunk's mesh from now on, or stops. A mesh that the upload hook gets is not drawn until
    /// this says so; a mesh that replaces another is drawn if that was. Also called for chunks without
    /// a mesh. A chunk that is unloaded is no longer drawn: the unload hook tells, and this does not.
    /// What takes its place is drawn just before. Must change no store, stream or far view. Runs on the
    /// calling thread, inside trn_stream_update, trn_far_update and other calls that change a store,
    /// and inside trn_far_create, trn_far_set_view and trn_far_destroy.
    /// @param level  0..TrnFarView.levels
    /// @param chunk  of that level's store
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnFarDraw(void* user, uint level, TrnChunk* chunk, byte is_drawn);

    /// <summary>
    /// Called for each voxel. May edit the batch, and read it with trn_batch_get; must not change the
    /// store in another way.
    /// @return OK; anything else discards the batch and ends the step with this result
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnTickFn(void* user, TrnBatch* batch, TrnTick* tick);

    /// <summary>
    /// Receives a row, valid until it returns. It must not call the storage.
    /// @return false to stop
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte TrnStorageRowVisitor(void* user, TrnStorageRow* row);

    /// <summary>Receives a value, as TrnStorageRowVisitor.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte TrnStorageValueVisitor(void* user, TrnStorageValue* value);

    /// <summary>Receives a sentence of SQLite's about a part of the file that is out of order.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStorageFaultVisitor(void* user, byte* sentence);

    /// <summary>
    /// Allocates `bytes` (never 0), aligned to `alignment` (a power of two). Contents are
    /// undefined. Returns NULL if there is no memory.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* TrnAllocator_alloc(UIntPtr bytes, UIntPtr alignment, void* user);

    /// <summary>Frees memory of alloc (never NULL). `bytes` is the size that alloc was asked for.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnAllocator_free(void* memory, UIntPtr bytes, void* user);

    /// <summary>
    /// Where an object allocates its memory. The object copies the struct at creation; `user` must
    /// outlive the object.
    /// Threads: called on every thread that calls the object.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnAllocator
    {
        /// <summary>
        /// Allocates `bytes` (never 0), aligned to `alignment` (a power of two). Contents are
        /// undefined. Returns NULL if there is no memory.
        /// </summary>
        public IntPtr alloc;
        /// <summary>Frees memory of alloc (never NULL). `bytes` is the size that alloc was asked for.</summary>
        public IntPtr free;
        /// <summary>Passed to both functions.</summary>
        public void* user;
    }

    /// <summary>The coordinate of a chunk.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnCoord
    {
        /// <summary>east</summary>
        public int x;
        /// <summary>up</summary>
        public int y;
        /// <summary>south</summary>
        public int z;
    }

    /// <summary>A box of chunks; both corners are inclusive. It is empty if min exceeds max on any axis.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBox
    {
        /// <summary>the lowest corner</summary>
        public TrnCoord min;
        /// <summary>the highest corner</summary>
        public TrnCoord max;
    }

    /// <summary>The coordinate of a voxel in the world. Each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxel
    {
        /// <summary>east</summary>
        public long x;
        /// <summary>up</summary>
        public long y;
        /// <summary>south</summary>
        public long z;
    }

    /// <summary>
    /// A point, for cameras, rays and bodies: a chunk, and an offset from its lowest corner. The offset
    /// stays small, so positions are equally precise everywhere in the world.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPosition
    {
        /// <summary>the chunk that contains the point</summary>
        public TrnCoord chunk;
        /// <summary>x, y, z in voxels, each in [0, 32)</summary>
        public fixed double offset[3];
    }

    /// <summary>One box of a model.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockBox
    {
        /// <summary>lowest corner along x, y, z, in units of 1/16 voxel, 0..15</summary>
        public fixed byte min[3];
        /// <summary>highest corner, above min, at most 16</summary>
        public fixed byte max[3];
        /// <summary>
        /// Bit f, a TrnFace: the box is there only if the voxel next to side f connects: it is opaque,
        /// or of a model with the same `connects`. 0: it is always there.
        /// </summary>
        public byte connected;
        /// <summary>the same of sides that must not connect</summary>
        public byte unconnected;
        /// <summary>as TrnBlockType.colour</summary>
        public fixed byte colour[18];
        /// <summary>as TrnBlockType.layer</summary>
        public fixed ushort layer[6];
    }

    /// <summary>The shape of a MODEL. The boxes that are there must not overlap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockModel
    {
        /// <summary>1..TRN_BLOCK_BOXES_MAX</summary>
        public uint box_count;
        /// <summary>
        /// Models connect to opaque blocks and to models with the same number. 0: never; no box may
        /// have `connected` or `unconnected` then.
        /// </summary>
        public byte connects;
        /// <summary>[box_count]</summary>
        public TrnBlockBox boxes0;
        public TrnBlockBox boxes1;
        public TrnBlockBox boxes2;
        public TrnBlockBox boxes3;
        public TrnBlockBox boxes4;
        public TrnBlockBox boxes5;
        public TrnBlockBox boxes6;
        public TrnBlockBox boxes7;
    }

    /// <summary>One type of block.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockType
    {
        /// <summary>
        /// "namespace:name": one colon with one or more of [a-z0-9_./-] on both sides, at most
        /// TRN_BLOCK_NAME_MAX bytes
        /// </summary>
        public byte* name;
        /// <summary>how it is drawn and what it hides</summary>
        public TrnBlockKind kind;
        /// <summary>bodies collide with it</summary>
        public byte is_solid;
        /// <summary>bodies climb in it, such as a ladder or a vine</summary>
        public byte is_climbable;
        /// <summary>a placeholder for a type that a save names and this game does not know</summary>
        public byte is_unknown;
        /// <summary>light that it emits, 0..TRN_BLOCK_LIGHT_MAX</summary>
        public byte light;
        /// <summary>
        /// Levels that light loses in it, 0..TRN_BLOCK_LIGHT_MAX, in addition to the one that each
        /// voxel costs. No light enters an opaque block, whatever this says.
        /// </summary>
        public byte dims;
        /// <summary>sRGB, by TrnFace</summary>
        public fixed byte colour[18];
        /// <summary>layer of the game's texture array, by TrnFace; 0: no texture, only the colour</summary>
        public fixed ushort layer[6];
        /// <summary>MODEL: its shape; in a registry valid as long as the type. Otherwise NULL.</summary>
        public TrnBlockModel* model;
        /// <summary>LIQUID: the height of its surface under air, in 1/16 voxel, 1..16. Otherwise 16.</summary>
        public byte surface;
        /// <summary>random ticks visit its voxels</summary>
        public byte ticks;
        /// <summary>
        /// The first type of its family, and which of the family it is. A family is one block in
        /// several forms: the turns of a model (0..3, a quarter turn each, then 4..7, upside down), or
        /// a liquid (0 the source, 1..7 ever lower flows, 8 falling). Set by the registry; a type that
        /// has no family is its own, variant 0.
        /// </summary>
        public ushort family;
        /// <summary>see family</summary>
        public byte variant;
        /// <summary>
        /// PLANT: the liquid that it stands in, a type of the registry with variant 0, which fills the
        /// rest of its voxel: its faces are drawn, bodies swim in it, and it flows out. Or
        /// TRN_BLOCK_AIR.
        /// </summary>
        public ushort liquid;
    }

    /// <summary>The block types of one world. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockTypes
    {
    }

    /// <summary>A problem with a text of block types, and its position.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockTypesProblem
    {
        /// <summary>from 1; 0 if the problem has no position in the text</summary>
        public UIntPtr line;
        /// <summary>from 1, in bytes; 0 if the problem has no position in the text</summary>
        public UIntPtr column;
        /// <summary>what is wrong and what to do; always printable ASCII</summary>
        public fixed byte sentence[256];
    }

    /// <summary>A pool. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPool
    {
    }

    /// <summary>Names a slot for as long as it is taken. All zeroes is the null id, which names no slot.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPoolId
    {
        /// <summary>slot index plus one</summary>
        public uint index1;
        /// <summary>odd while the slot is taken; wraps after 2^31 reuses of one slot</summary>
        public uint generation;
    }

    /// <summary>
    /// Called for each taken slot that is freed, or still taken when the pool is destroyed; may be
    /// NULL. By then the slot's id is stale; the slot is not reused before the call returns. May
    /// free other slots of the pool and, except during trn_pool_destroy, allocate some. Must not
    /// walk or destroy the pool.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnPoolDef_destroy(void* slot, void* user);

    /// <summary>Start from trn_pool_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPoolDef
    {
        /// <summary>
        /// 1..2^30; rounded up to a multiple of slot_alignment. If you mostly touch the first bytes of
        /// each slot, an odd number of cache lines (320 rather than 256) spreads them over all cache
        /// sets: walking 100,000 such slots took half the time.
        /// </summary>
        public UIntPtr slot_bytes;
        /// <summary>power of two, 8..4096</summary>
        public UIntPtr slot_alignment;
        /// <summary>
        /// Slots per block, at most 2^20, rounded up to a power of two; 0 means blocks of about 256
        /// KiB. The default allocator requests huge pages for blocks of 2 MiB or more.
        /// </summary>
        public uint block_slots;
        /// <summary>maximum taken slots; 0 means no limit</summary>
        public uint slot_max;
        /// <summary>
        /// If not 0: reserves addresses for this many slots from the system, not from the allocator, so
        /// that slot addresses follow from their indices without a table. Memory is committed block by
        /// block, as slots are allocated, and decommitted with empty blocks. Where the system refuses,
        /// on 32-bit systems, and for further slots, blocks come from the allocator. In a range a block
        /// is at least a page.
        /// </summary>
        public uint reserve_slots;
        /// <summary>
        /// Called for each taken slot that is freed, or still taken when the pool is destroyed; may be
        /// NULL. By then the slot's id is stale; the slot is not reused before the call returns. May
        /// free other slots of the pool and, except during trn_pool_destroy, allocate some. Must not
        /// walk or destroy the pool.
        /// </summary>
        public IntPtr destroy;
        /// <summary>passed to destroy</summary>
        public void* user;
        /// <summary>copied; NULL means malloc</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Statistics of a pool.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPoolStats
    {
        /// <summary>slots</summary>
        public uint taken;
        /// <summary>as in the def; 0 means no limit</summary>
        public uint slot_max;
        /// <summary>allocated, empty ones included</summary>
        public uint blocks;
        /// <summary>slots in each block</summary>
        public uint block_slots;
        /// <summary>from one slot to the next</summary>
        public UIntPtr slot_bytes;
        /// <summary>memory in use: tables and blocks; of a range, what is committed</summary>
        public UIntPtr bytes;
        /// <summary>addresses of the range; 0 without one</summary>
        public UIntPtr reserved_bytes;
    }

    /// <summary>An index. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunkIndex
    {
    }

    /// <summary>A registered reader of an index, for one thread at a time. Opaque.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunkReader
    {
    }

    /// <summary>A plane of the caller's: loaded, dirty, shown, wanted, ...</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPlaneDef
    {
        /// <summary>copied; at most 31 bytes, unique, not "present"</summary>
        public byte* name;
        /// <summary>Whether a chunk's bit stays when the chunk is removed; otherwise removal clears it.</summary>
        public byte survives_removal;
    }

    /// <summary>Start from trn_chunk_index_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunkIndexDef
    {
        /// <summary>[plane_count] in addition to TRN_PLANE_PRESENT; copied</summary>
        public TrnPlaneDef* planes;
        /// <summary>0..31</summary>
        public uint plane_count;
        /// <summary>maximum pages, 1..2^31; beyond it writes return FULL</summary>
        public uint page_max;
        /// <summary>readers that may be registered at the same time, 0..256</summary>
        public uint reader_max;
        /// <summary>Maximum size of the directory in bytes. Pages outside it become outlier pages.</summary>
        public UIntPtr directory_bytes_max;
        /// <summary>
        /// Maximum retired memory in bytes. Beyond it, writes that would retire more return READERS
        /// until the slow reader leaves its section. What a single write retires may exceed it: a page
        /// and a directory, or all pages for trn_chunk_index_clear.
        /// </summary>
        public UIntPtr retired_bytes_max;
        /// <summary>
        /// Key of the hash that finds outlier pages. 0 draws a random one, so that no player can choose
        /// coordinates that make it slow; set your own only to repeat measurements exactly. No result
        /// and no order depends on it.
        /// </summary>
        public ulong hash_key;
        /// <summary>Copied. NULL means malloc, and for blocks of 2 MiB and more address ranges of the system.</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>
    /// A condition on the planes of a coordinate and of its neighbours. Each field is a set of planes,
    /// made of TRN_PLANE_BITs; an empty set imposes no condition.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPlaneQuery
    {
        /// <summary>all of these are set here; must not be empty</summary>
        public uint all;
        /// <summary>at least one of these is set here</summary>
        public uint any;
        /// <summary>none of these is set here</summary>
        public uint none;
        /// <summary>each of these is set at all six neighbours</summary>
        public uint all_faces;
        /// <summary>each of these is set at all 26 neighbours</summary>
        public uint all_around;
    }

    /// <summary>
    /// A convex region: where all planes a x + b y + c z + d are at least 0, in chunks from the lowest
    /// corner of `origin`.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFrustum
    {
        /// <summary>where the planes' coordinates begin</summary>
        public TrnCoord origin;
        /// <summary>[count] a, b, c, d of each plane</summary>
        public fixed double planes[24];
        /// <summary>0..6</summary>
        public uint count;
    }

    /// <summary>
    /// What to gather, and where to write it. With only a box and an output set, gathers all chunks of
    /// the box. Caller owns all arrays.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunkGather
    {
        /// <summary>both corners inclusive; an empty box holds nothing</summary>
        public TrnBox box;
        /// <summary>only chunks that reach into it; NULL for no condition</summary>
        public TrnFrustum* frustum;
        /// <summary>Only coordinates that satisfy it; an empty `all` means TRN_PLANE_PRESENT.</summary>
        public TrnPlaneQuery planes;
        /// <summary>[capacity] receives values; may be NULL</summary>
        public uint* values;
        /// <summary>[capacity] receives coordinates; may be NULL</summary>
        public TrnCoord* coords;
        /// <summary>[capacity] receives the addresses of the values' pool slots; may be NULL</summary>
        public void** pointers;
        /// <summary>[capacity] receives the ids of the values' pool slots; may be NULL</summary>
        public TrnPoolId* ids;
        /// <summary>for pointers and ids: value v is the slot of index1 v + 1</summary>
        public TrnPool* pool;
        /// <summary>of each array, in elements</summary>
        public UIntPtr capacity;
    }

    /// <summary>Statistics of an index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunkIndexStats
    {
        /// <summary>present</summary>
        public UIntPtr chunks;
        /// <summary>of either form, outlier pages included</summary>
        public UIntPtr pages;
        /// <summary>chunks per cell of the pages</summary>
        public double fill;
        /// <summary>in pages; an empty box if it has no cells</summary>
        public TrnBox directory;
        /// <summary>pages that fit into the directory's box</summary>
        public UIntPtr directory_cells;
        /// <summary>pages in the outlier hash</summary>
        public UIntPtr outliers;
        /// <summary>how often the directory was reshaped</summary>
        public uint directory_growths;
        /// <summary>all memory, retired memory included</summary>
        public UIntPtr bytes;
        /// <summary>of the pages, those that list their chunks</summary>
        public UIntPtr sparse_pages;
        /// <summary>of the bytes, those for full pages</summary>
        public UIntPtr full_page_bytes;
        /// <summary>and those for sparse pages</summary>
        public UIntPtr sparse_page_bytes;
        /// <summary>kept only for readers</summary>
        public UIntPtr retired_bytes;
        /// <summary>set bits per plane</summary>
        public UIntPtr plane_counts0;
        public UIntPtr plane_counts1;
        public UIntPtr plane_counts2;
        public UIntPtr plane_counts3;
        public UIntPtr plane_counts4;
        public UIntPtr plane_counts5;
        public UIntPtr plane_counts6;
        public UIntPtr plane_counts7;
        public UIntPtr plane_counts8;
        public UIntPtr plane_counts9;
        public UIntPtr plane_counts10;
        public UIntPtr plane_counts11;
        public UIntPtr plane_counts12;
        public UIntPtr plane_counts13;
        public UIntPtr plane_counts14;
        public UIntPtr plane_counts15;
        public UIntPtr plane_counts16;
        public UIntPtr plane_counts17;
        public UIntPtr plane_counts18;
        public UIntPtr plane_counts19;
        public UIntPtr plane_counts20;
        public UIntPtr plane_counts21;
        public UIntPtr plane_counts22;
        public UIntPtr plane_counts23;
        public UIntPtr plane_counts24;
        public UIntPtr plane_counts25;
        public UIntPtr plane_counts26;
        public UIntPtr plane_counts27;
        public UIntPtr plane_counts28;
        public UIntPtr plane_counts29;
        public UIntPtr plane_counts30;
        public UIntPtr plane_counts31;
    }

    /// <summary>A heap. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxelHeap
    {
    }

    /// <summary>
    /// The voxels of one chunk. All zeroes is a uniform chunk of air at revision 0. Opaque: read it
    /// through a snapshot.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxels
    {
        public ulong word;
    }

    /// <summary>
    /// The voxels of a chunk at one moment. Valid until the reader ends its section; on the writer
    /// thread until the chunk is changed, compacted or removed.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSnapshot
    {
        /// <summary>as TrnVoxels.word</summary>
        public ulong word;
    }

    /// <summary>A block and the number of its voxels.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockCount
    {
        /// <summary>its id</summary>
        public ushort block;
        /// <summary>1..32768</summary>
        public ushort count;
    }

    /// <summary>Settings of a heap. Start from trn_voxel_heap_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxelHeapDef
    {
        /// <summary>
        /// Which blocks are solid: [TRN_BLOCK_BITS_WORDS], from trn_block_types_solid_bits(). Borrowed:
        /// must outlive the heap; do not change the bit of a block that some chunk contains. NULL:
        /// every block except 0 is.
        /// </summary>
        public uint* solid_bits;
        /// <summary>Which blocks are opaque: as solid_bits, from trn_block_types_opaque_bits().</summary>
        public uint* opaque_bits;
        /// <summary>
        /// The most bytes that the heap may hold from the allocator, including its own tables and
        /// retired payloads; 0 means no cap.
        /// </summary>
        public UIntPtr bytes_max;
        /// <summary>
        /// The most bytes of block data and its tables (TrnVoxelHeapStats.data_bytes). New data that
        /// would exceed it is refused with FULL; 0 means no cap.
        /// </summary>
        public UIntPtr data_bytes_max;
        /// <summary>
        /// The index whose readers may see payloads. Borrowed, outlives the heap. NULL: there are no
        /// readers, and replaced payloads are freed at once.
        /// </summary>
        public TrnChunkIndex* index;
        /// <summary>
        /// For an allocator with a shared cap. When the allocator returns NULL, this tells whether the
        /// cap was the reason; the call then fails with FULL or READERS, as for bytes_max. Borrowed.
        /// NULL: the allocator has no cap.
        /// </summary>
        public byte* is_capped;
        /// <summary>copied; NULL means malloc</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Figures of a heap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxelHeapStats
    {
        /// <summary>in use: by chunks, by open edits, retired</summary>
        public uint payloads;
        /// <summary>in them</summary>
        public UIntPtr payload_bytes;
        /// <summary>of these, taken ahead by the stream and not yet part of a chunk</summary>
        public uint slots;
        /// <summary>of these, kept until no reader sees them</summary>
        public uint retired_payloads;
        /// <summary>in retired payloads, with block data that no chunk has any more</summary>
        public UIntPtr retired_bytes;
        /// <summary>unused payload memory inside blocks, ready for the next payloads</summary>
        public UIntPtr free_bytes;
        /// <summary>of block data and its tables (terrane/block_data.h)</summary>
        public UIntPtr data_bytes;
        /// <summary>held from the allocator</summary>
        public UIntPtr bytes;
        /// <summary>the highest `bytes` so far</summary>
        public UIntPtr bytes_peak;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
    }

    /// <summary>
    /// A series of changes to one chunk, published together. The memory is the caller's, 1.2 KiB; the
    /// content is private, and a copy of the struct is no edit. While an edit is open, no other edit
    /// and no other call may change its chunk. Edits of several chunks may be open together.
    ///
    /// Errors of all calls that change blocks: NO_MEMORY, FULL, READERS as trn_voxels_encode, and
    /// BAD_ARGUMENT (also if the edit is not open). The blocks are as before the call then. The first
    /// call that changes a block makes the private copy.
    /// Threads: the writer.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxelEdit
    {
        /// <summary>private</summary>
        public fixed ulong storage[150];
    }

    /// <summary>The data of one voxel.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBlockData
    {
        /// <summary>[size] aligned to 8; valid as long as the snapshot that it came from</summary>
        public void* bytes;
        /// <summary>0..TRN_DATA_BYTES_MAX</summary>
        public uint size;
        /// <summary>linear index of the voxel in its chunk (trn_local_index)</summary>
        public ushort index;
        /// <summary>as it was set</summary>
        public TrnDataRule rule;
    }

    /// <summary>
    /// Receives the data of one voxel. @param data  copied
    /// Errors: BAD_ARGUMENT, FULL (beyond the limits of a chunk), NO_MEMORY, and the sink's own.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnDataSink_set(void* user, TrnBlockData* data);

    /// <summary>Receives the block data of one chunk, from code that loads or generates it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnDataSink
    {
        /// <summary>
        /// Receives the data of one voxel. @param data  copied
        /// Errors: BAD_ARGUMENT, FULL (beyond the limits of a chunk), NO_MEMORY, and the sink's own.
        /// </summary>
        public IntPtr set;
        /// <summary>passed to set</summary>
        public void* user;
    }

    /// <summary>A store. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStore
    {
    }

    /// <summary>
    /// One loaded chunk. Read coord and id, and take snapshots of voxels; never write. The address is
    /// valid until the chunk is removed; for a reader that found it before, until its section ends.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnChunk
    {
        /// <summary>where it is</summary>
        public TrnCoord coord;
        /// <summary>names it until it is removed</summary>
        public TrnPoolId id;
        /// <summary>read with trn_voxels_snapshot(&amp;chunk-&gt;voxels)</summary>
        public TrnVoxels voxels;
    }

    /// <summary>Start from trn_store_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStoreDef
    {
        /// <summary>The most chunks, including removed ones that readers or listeners still see. 0 means none.</summary>
        public uint chunk_max;
        /// <summary>
        /// The most bytes that the store allocates for everything together: headers, voxels, index, own
        /// block types, batches, pending edits, undo, and what is kept for readers. Memory blocks count
        /// in full when they are allocated or committed; addresses that are only reserved do not count.
        /// An allocation that would exceed it fails with FULL, or with READERS where retired memory
        /// waits for a reader. 0 means none. An empty store takes some 180 KiB, the first chunk 300 KiB
        /// more, since headers come in blocks.
        /// </summary>
        public UIntPtr bytes_max;
        /// <summary>
        /// The most bytes of block data in the loaded chunks, 1 GiB by default, so that a world that a
        /// stranger made cannot fill the memory with data that compresses to nothing. Data that would
        /// exceed it is refused with FULL, and a chunk with it is not loaded. 0 means none.
        /// </summary>
        public UIntPtr data_bytes_max;
        /// <summary>the most registered readers, 0..256</summary>
        public uint reader_max;
        /// <summary>
        /// Headers of chunks lie in an address range of the system's, where gathers compute addresses
        /// instead of looking them up; memory is committed in it as chunks are inserted. By default it
        /// has addresses for 16 million chunks, at most 4 GiB, or there is none if you pass an
        /// allocator of your own. If not 0, it has addresses for this many chunks, whatever the
        /// allocator. Where the system refuses the range, on 32-bit systems, and for further chunks,
        /// headers come from the allocator.
        /// </summary>
        public uint chunk_reserve;
        /// <summary>your own with every chunk (trn_chunk_user); at most 64 KiB</summary>
        public UIntPtr user_bytes;
        /// <summary>[plane_count] your own bit planes over the chunks; copied</summary>
        public TrnPlaneDef* planes;
        /// <summary>0..31</summary>
        public uint plane_count;
        /// <summary>
        /// What the block ids stand for; borrowed, outlives the store. NULL: the store owns a registry
        /// with the built-in types.
        /// </summary>
        public TrnBlockTypes* types;
        /// <summary>
        /// The key of the hashes in which coordinates are found: far chunks and pending edits. 0 draws
        /// one from the system, so that no player can craft coordinates that are slow to find. No
        /// result and no order depends on it.
        /// </summary>
        public ulong hash_key;
        /// <summary>copied; NULL means malloc</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>The block data of a voxel, with the place of the voxel.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnVoxelData
    {
        /// <summary>where it is</summary>
        public TrnVoxel voxel;
        /// <summary>valid as trn_store_get_data says</summary>
        public TrnBlockData data;
    }

    /// <summary>A chunk that a cursor has looked up.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnCursorChunk
    {
        /// <summary>of its lowest voxel</summary>
        public ulong x;
        /// <summary>of its lowest voxel</summary>
        public ulong y;
        /// <summary>of its lowest voxel</summary>
        public ulong z;
        /// <summary>NULL if it is not loaded</summary>
        public TrnVoxels* voxels;
    }

    /// <summary>
    /// Reads voxels one after the other, and looks a chunk up only when the next voxel is in none of
    /// the chunks read last. Create it with trn_cursor(); the fields are the library's. On a reader's
    /// thread valid until the section ends, on the writer's until a chunk is inserted or removed.
    /// Changes of voxels show at once.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnCursor
    {
        /// <summary>the chunk of the last voxel</summary>
        public TrnCursorChunk now;
        /// <summary>the store that it reads</summary>
        public TrnStore* store;
        /// <summary>A cache by the lowest bits of x, z and y: all eight chunks that meet at a corner fit.</summary>
        public TrnCursorChunk cache0;
        public TrnCursorChunk cache1;
        public TrnCursorChunk cache2;
        public TrnCursorChunk cache3;
        public TrnCursorChunk cache4;
        public TrnCursorChunk cache5;
        public TrnCursorChunk cache6;
        public TrnCursorChunk cache7;
    }

    /// <summary>One chunk of an event.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnEventChunk
    {
        /// <summary>where it is or was</summary>
        public TrnCoord coord;
        /// <summary>
        /// Which of the 27 chunks around must be derived again (mesh, light): the chunk itself, and the
        /// neighbours that touch a changed voxel with a face, edge or corner. Bits in the order of
        /// trn_store_snapshot_around(). All bits for inserted and removed chunks.
        /// </summary>
        public uint around;
        /// <summary>stale for a removed chunk</summary>
        public TrnPoolId id;
        /// <summary>
        /// The chunk. A removed one is not in the index any more, but it and its snapshots can be read
        /// until the listener returns. For other kinds NULL where an earlier listener removed it.
        /// </summary>
        public TrnChunk* chunk;
        /// <summary>
        /// CHANGED: which of the 27 chunks around must be lit again, also those farther than `around`:
        /// trn_light_reach(). 0 unless a stream with TrnStreamDef.light is attached.
        /// </summary>
        public uint light;
        /// <summary>
        /// CHANGED: whether block data was set or removed (terrane/block_data.h). If nothing else
        /// changed, `around` is the chunk itself.
        /// </summary>
        public byte has_data_changed;
        /// <summary>
        /// INSERTED: how many pending runs the chunk took up (terrane/batch.h). If any, it is not what
        /// was loaded or generated, and needs saving.
        /// </summary>
        public uint applied;
    }

    /// <summary>
    /// One change: of one chunk, of all chunks of a batch of edits, or of chunks that a stream inserts
    /// or removes together, in that order.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStoreEvent
    {
        /// <summary>what happened to all its chunks</summary>
        public TrnEventKind kind;
        /// <summary>REMOVED by trn_store_evict</summary>
        public byte is_eviction;
        /// <summary>of the change; when REMOVED, of the last change before it</summary>
        public ulong revision;
        /// <summary>at least 1</summary>
        public uint count;
        /// <summary>[count]; valid until the listener returns</summary>
        public TrnEventChunk* chunks;
        /// <summary>
        /// If has_missed: this listener missed changes after this revision, since it failed, memory for
        /// their events ran out, or listeners kept changing the store. trn_store_changed_since() names
        /// the chunks, except removed ones.
        /// </summary>
        public ulong missed_since;
        /// <summary>whether missed_since is set</summary>
        public byte has_missed;
    }

    /// <summary>
    /// Called just before the new voxels of a loaded chunk are published. Only events report
    /// inserted and removed chunks. NULL: not told.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStoreWatch_changing(void* user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after);

    /// <summary>
    /// Called before a chunk is removed or evicted, for example to save it; the removal may still
    /// fail for another reason. NULL: not asked.
    /// @return OK; any other result keeps the chunk loaded, and is that of the call that would have
    /// removed it
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStoreWatch_removing(void* user, TrnChunk* chunk);

    /// <summary>
    /// Asked whether this store is where the world moves by itself in a chunk: where liquids flow
    /// (terrane/fluid.h) and random ticks happen (terrane/ticks.h). In a world that several
    /// programs share, one does so for each chunk (terrane/member.h). Both skip the chunk unless
    /// all watches agree. NULL: everywhere.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte TrnStoreWatch_owns(void* user, TrnCoord coord);

    /// <summary>
    /// Told of the voxels of each chunk that changes, which events do not tell, and asked before a
    /// chunk is removed. Its functions are called on the writer's thread and must not change the store.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStoreWatch
    {
        /// <summary>
        /// Called just before the new voxels of a loaded chunk are published. Only events report
        /// inserted and removed chunks. NULL: not told.
        /// </summary>
        public IntPtr changing;
        /// <summary>passed to both</summary>
        public void* user;
        /// <summary>the store's own</summary>
        public TrnStoreWatch* next;
        /// <summary>
        /// Called before a chunk is removed or evicted, for example to save it; the removal may still
        /// fail for another reason. NULL: not asked.
        /// @return OK; any other result keeps the chunk loaded, and is that of the call that would have
        /// removed it
        /// </summary>
        public IntPtr removing;
        /// <summary>
        /// Asked whether this store is where the world moves by itself in a chunk: where liquids flow
        /// (terrane/fluid.h) and random ticks happen (terrane/ticks.h). In a world that several
        /// programs share, one does so for each chunk (terrane/member.h). Both skip the chunk unless
        /// all watches agree. NULL: everywhere.
        /// </summary>
        public IntPtr owns;
        /// <summary>The store's own: the change that `changing` is told of is made by liquids or random ticks.</summary>
        public byte is_self_moved;
    }

    /// <summary>
    /// Chunks of greater values are evicted first; of negative values or NaN, never. Must not
    /// change the store. Looks at all chunks for every 512 that go. NULL: the least recently
    /// touched or inserted first, and of those that one call touched the one named first; a change
    /// counts as naming until the next call of trn_store_touch(). Chunks that an eviction passed by
    /// because they were pinned or open go before all others once they are not.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate double TrnEviction_order(TrnChunk* chunk, void* user);

    /// <summary>
    /// Which chunks to evict, and when to stop. With all but one of the first two zero: the least
    /// recently touched chunks, until the store uses, or has allocated, at most that many bytes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnEviction
    {
        /// <summary>
        /// Stops once TrnStoreStats.used_bytes is at most this: for a game that keeps within its budget
        /// frame by frame. 0: used bytes do not stop it.
        /// </summary>
        public UIntPtr used_bytes;
        /// <summary>
        /// Stops once the allocated bytes are at most this, not counting memory that waits for readers
        /// or listeners, so that one slow reader does not empty the store. A memory block is freed only
        /// when all chunks in it are evicted, and chunks of one age lie in many blocks: to free a
        /// quarter of the memory, two thirds to nine tenths of all chunks had to go. 0: allocated bytes
        /// do not stop it.
        /// </summary>
        public UIntPtr bytes;
        /// <summary>stops after this many chunks; 0 means no limit</summary>
        public uint count_max;
        /// <summary>
        /// Chunks of greater values are evicted first; of negative values or NaN, never. Must not
        /// change the store. Looks at all chunks for every 512 that go. NULL: the least recently
        /// touched or inserted first, and of those that one call touched the one named first; a change
        /// counts as naming until the next call of trn_store_touch(). Chunks that an eviction passed by
        /// because they were pinned or open go before all others once they are not.
        /// </summary>
        public IntPtr order;
        /// <summary>passed to order</summary>
        public void* user;
    }

    /// <summary>What a store knows of a coordinate.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnExplanation
    {
        /// <summary>whether its chunk is loaded</summary>
        public TrnChunkState state;
        /// <summary>REFUSED: the result of the insert</summary>
        public TrnResult refusal;
        /// <summary>
        /// LOADED: of the last change. Otherwise the store's when the chunk was removed or refused; 0
        /// when UNKNOWN.
        /// </summary>
        public ulong revision;
        /// <summary>LOADED: header with user bytes, payload, and block data</summary>
        public UIntPtr bytes;
        /// <summary>LOADED: a voxel, 0 for uniform</summary>
        public uint bits;
        /// <summary>trn_store_pin minus trn_store_unpin</summary>
        public uint pins;
        /// <summary>open for editing in a batch</summary>
        public byte is_open;
        /// <summary>LOADED: calls of trn_store_touch since one named it</summary>
        public uint untouched;
        /// <summary>ored TRN_PLANE_BITs of the coordinate, also where no chunk is loaded</summary>
        public uint planes;
        /// <summary>runs of edits that are pending for the chunk</summary>
        public uint pending_runs;
        /// <summary>The name of the reader that delays the reclaim of memory for longest, or "".</summary>
        public fixed byte slowest_reader[32];
        /// <summary>what matters of this, for a person</summary>
        public fixed byte sentence[256];
    }

    /// <summary>Figures of a store. Bytes are what it has allocated, by category.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStoreStats
    {
        /// <summary>loaded</summary>
        public uint chunks;
        /// <summary>less those that an open edit has changed</summary>
        public uint uniform_chunks;
        /// <summary>removed, and kept only for readers</summary>
        public uint retired_chunks;
        /// <summary>replaced or removed voxels, kept only for readers</summary>
        public uint retired_payloads;
        /// <summary>as trn_store_revision()</summary>
        public ulong revision;
        /// <summary>chunks so far</summary>
        public ulong inserted;
        /// <summary>chunks so far, without evicted ones</summary>
        public ulong removed;
        /// <summary>chunks so far</summary>
        public ulong evicted;
        /// <summary>inserts so far that failed for memory or a cap</summary>
        public ulong refused;
        /// <summary>subscribed</summary>
        public uint listeners;
        /// <summary>calls of listeners</summary>
        public ulong events;
        /// <summary>calls of listeners that failed or were not made</summary>
        public ulong missed_events;
        /// <summary>of chunks; of their address range what is committed</summary>
        public UIntPtr header_bytes;
        /// <summary>of the voxel heap, block data included</summary>
        public UIntPtr voxel_bytes;
        /// <summary>of the chunk index</summary>
        public UIntPtr index_bytes;
        /// <summary>of block types of its own</summary>
        public UIntPtr type_bytes;
        /// <summary>the store itself, its list of changes, listeners, events and log</summary>
        public UIntPtr bookkeeping_bytes;
        /// <summary>batches, pending edits, histories, fluids, ticks</summary>
        public UIntPtr attached_bytes;
        /// <summary>the sum of these</summary>
        public UIntPtr total_bytes;
        /// <summary>the highest total_bytes so far</summary>
        public UIntPtr total_bytes_peak;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
        /// <summary>part of total_bytes that is kept only for readers</summary>
        public UIntPtr retired_bytes;
        /// <summary>
        /// Part of total_bytes that is in use: without free slots in blocks of headers and voxels, and
        /// without memory that waits to be freed.
        /// </summary>
        public UIntPtr used_bytes;
    }

    /// <summary>Changes of one or more chunks that are published together.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBatch
    {
    }

    /// <summary>Undo and redo of batches: terrane/history.h.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnHistory
    {
    }

    /// <summary>Start from trn_batch_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBatchDef
    {
        /// <summary>what happens to edits of chunks that are not loaded</summary>
        public TrnUnloadedPolicy unloaded;
        /// <summary>of the same store; NULL: the batch cannot be undone</summary>
        public TrnHistory* history;
    }

    /// <summary>What a commit did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBatchOutcome
    {
        /// <summary>of the change; the store's current one if no chunk changed</summary>
        public ulong revision;
        /// <summary>loaded chunks whose voxels differ now</summary>
        public uint changed_chunks;
        /// <summary>in them; counted only with a history, otherwise 0</summary>
        public ulong changed_voxels;
        /// <summary>voxels whose block data differs now; counted as changed_voxels</summary>
        public ulong changed_data;
        /// <summary>unloaded chunks for which edits of this batch are pending now</summary>
        public uint pending_chunks;
        /// <summary>Unloaded chunks whose edits were skipped, each counted once a call, up to UINT32_MAX.</summary>
        public uint skipped_chunks;
    }

    /// <summary>Voxels of one chunk in linear order that an edit sets to one block.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPendingRun
    {
        /// <summary>linear index of the first voxel</summary>
        public ushort first;
        /// <summary>of the last, inclusive</summary>
        public ushort last;
        /// <summary>what they become</summary>
        public ushort block;
    }

    /// <summary>
    /// Figures of the batches, pending edits and histories of a store. Their bytes, and a few hundred
    /// of their own, are TrnStoreStats.attached_bytes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnEditsStats
    {
        /// <summary>begun, neither committed nor cancelled</summary>
        public uint open_batches;
        /// <summary>unloaded chunks with pending edits</summary>
        public uint pending_chunks;
        /// <summary>runs of voxels in them</summary>
        public ulong pending_runs;
        /// <summary>runs applied to inserted chunks so far</summary>
        public ulong applied_runs;
        /// <summary>open batches; the copies of voxels that they edit are voxel_bytes</summary>
        public UIntPtr batch_bytes;
        /// <summary>pending edits, those of open batches included</summary>
        public UIntPtr pending_bytes;
        /// <summary>all histories</summary>
        public UIntPtr history_bytes;
        /// <summary>as trn_pending_set_bytes_max</summary>
        public UIntPtr pending_bytes_max;
    }

    /// <summary>What a box or a point overlaps.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnOverlap
    {
        /// <summary>a solid block</summary>
        public byte solid;
        /// <summary>a liquid</summary>
        public byte liquid;
        /// <summary>a block that bodies climb in</summary>
        public byte climbable;
        /// <summary>a chunk that is not loaded, or space outside the world</summary>
        public byte unloaded;
        /// <summary>if solid: the first such voxel, x fastest, then z, then y</summary>
        public TrnVoxel first_solid;
        /// <summary>
        /// Height of the highest overlapped liquid above the bottom of the box, at most the box's
        /// height, in voxels.
        /// </summary>
        public double liquid_depth;
    }

    /// <summary>How a sweep ended.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSweep
    {
        /// <summary>final position of the middle of the bottom face</summary>
        public TrnPosition bottom;
        /// <summary>sides of the box that were stopped; TRN_FACE_NEG_Y: it landed</summary>
        public fixed byte hit[6];
        /// <summary>
        /// Whether a chunk that is not loaded, or the end of the world, stopped one of the sides, with
        /// no solid block at the same place.
        /// </summary>
        public byte unloaded;
        /// <summary>whether it ended higher because it climbed steps</summary>
        public byte stepped;
        /// <summary>how much higher, in voxels; 0 if not stepped</summary>
        public double step_height;
    }

    /// <summary>
    /// How bodies of one kind move. Start from trn_body_def(). Speeds are 0..TRN_BODY_SPEED_MAX,
    /// accelerations 0..1e6.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBodyDef
    {
        /// <summary>x, y, z: each above 0, at most TRN_BODY_SIZE_MAX</summary>
        public fixed double size[3];
        /// <summary>climbs this high without jumping, as in trn_store_sweep; 0..size[1]</summary>
        public double step_height;
        /// <summary>voxels/s^2, downwards</summary>
        public double gravity;
        /// <summary>terminal velocity, voxels/s</summary>
        public double fall_speed_max;
        /// <summary>voxels/s, at full input</summary>
        public double walk_speed;
        /// <summary>voxels/s upwards: jumps reach jump_speed^2 / (2 * gravity)</summary>
        public double jump_speed;
        /// <summary>towards the input's speed, on the ground, voxels/s^2</summary>
        public double ground_acceleration;
        /// <summary>the same in the air</summary>
        public double air_acceleration;
        /// <summary>voxels/s, in all directions, in a liquid</summary>
        public double swim_speed;
        /// <summary>
        /// 1/s, 0..1000: how fast a liquid brings a body to its swimming speed, or to rest. Each step
        /// divides the difference by 1 + drag * seconds (implicit Euler). For short steps that is
        /// exp(-drag * seconds), but without libm and so identical on every machine. At 0 bodies cannot
        /// swim.
        /// </summary>
        public double liquid_drag;
        /// <summary>
        /// Voxels/s^2 upwards when fully submerged, proportional to the submerged part of the height.
        /// Above gravity the body floats, at rest with gravity / buoyancy of its height submerged.
        /// </summary>
        public double buoyancy;
        /// <summary>voxels/s up and down a ladder, and sideways on it</summary>
        public double climb_speed;
    }

    /// <summary>
    /// One body. Set position, zero the rest; copy and save it freely. The next step depends only on
    /// position, velocity and hit.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBody
    {
        /// <summary>the middle of the bottom face</summary>
        public TrnPosition position;
        /// <summary>voxels/s, each within TRN_BODY_SPEED_MAX</summary>
        public fixed double velocity[3];
        /// <summary>stands on a block, touching it exactly</summary>
        public byte on_ground;
        /// <summary>at least a tenth of its height is submerged</summary>
        public byte in_liquid;
        /// <summary>fully submerged</summary>
        public byte under_liquid;
        /// <summary>overlaps a block that bodies climb in</summary>
        public byte on_ladder;
        /// <summary>
        /// Stopped by a chunk that is not loaded, or by the end of the world, and it keeps its
        /// velocity. Without this a body would fall forever where the ground is not loaded yet.
        /// </summary>
        public byte waits;
        /// <summary>sides that were stopped in the last step</summary>
        public fixed byte hit[6];
        /// <summary>how far the last step climbed at once: for smoothing a camera</summary>
        public double step_height;
    }

    /// <summary>What a player or an AI asks of a body in one step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnBodyInput
    {
        /// <summary>
        /// Direction times the part of full speed, 0..1; longer vectors are cut to length 1. y counts
        /// in liquids and on ladders. Finite.
        /// </summary>
        public fixed double walk[3];
        /// <summary>
        /// On the ground: jumps (no coyote time: off the ground it does not). In a liquid: swims up.
        /// At the surface, if the last step was stopped sideways: leaps onto the shore, as high above
        /// the surface as a jump above the ground. (A swimming body does not stand on the ground, so
        /// step_height does not bring it ashore.) On a ladder: climbs up.
        /// </summary>
        public byte jump;
        /// <summary>
        /// On the ground, and on the way down a step: does not walk over an edge higher than
        /// step_height. On a ladder: stays in place.
        /// </summary>
        public byte sneak;
    }

    /// <summary>One page.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnPageFigures
    {
        /// <summary>its lowest chunk</summary>
        public TrnCoord chunk;
        /// <summary>in the outlier hash, outside the directory</summary>
        public byte is_outlier;
        /// <summary>lists its chunks, because they are few</summary>
        public byte is_sparse;
        /// <summary>Set bits of each plane, 0..TRN_PAGE_CELLS; 0 for planes that do not exist.</summary>
        public fixed ushort counts[32];
    }

    /// <summary>A reshape of the directory: it grew, shrank, was reserved or cleared.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnDirectoryStep
    {
        /// <summary>1 for the first reshape of the index, and so on</summary>
        public ulong number;
        /// <summary>in pages, before the reshape; an empty box for no directory</summary>
        public TrnBox from;
        /// <summary>in pages, after the reshape; an empty box for no directory</summary>
        public TrnBox to;
        /// <summary>in the directory before the reshape</summary>
        public UIntPtr pages;
        /// <summary>Microseconds it took, over all the calls that built it; 0 for trn_chunk_index_clear.</summary>
        public double us;
    }

    /// <summary>A chunk of a base: its voxels and block data at one moment.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnDeltaBase
    {
        /// <summary>its place</summary>
        public TrnCoord coord;
        /// <summary>valid as any snapshot (terrane/voxels.h)</summary>
        public TrnSnapshot snapshot;
    }

    /// <summary>What a delta did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnDeltaOutcome
    {
        /// <summary>of the store afterwards</summary>
        public ulong revision;
        /// <summary>chunks</summary>
        public uint inserted;
        /// <summary>loaded chunks that the delta has voxels or data of</summary>
        public uint changed;
        /// <summary>chunks</summary>
        public uint removed;
    }

    /// <summary>A source of voxels for a world. A small value to copy; all zeros is not a generator.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnGenerator
    {
        /// <summary>generates one chunk</summary>
        public IntPtr generate;
        /// <summary>passed to its functions; borrowed: must outlive its use</summary>
        public void* user;
        /// <summary>Coarsest level it generates, 0..TRN_GENERATOR_LEVEL_MAX; 0 means level 0 alone.</summary>
        public uint level_max;
        /// <summary>
        /// If has_ceiling: the highest chunk of level 0 that it makes anything but air in. Light from
        /// the sky falls from there on, so a stream with light (TrnStreamDef.light) needs it to know
        /// what shades a chunk before the chunks above are loaded.
        /// </summary>
        public int ceiling;
        /// <summary>whether `ceiling` is set</summary>
        public byte has_ceiling;
    }

    /// <summary>The levels of a chunk and of the voxels at its border.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnLight
    {
        /// <summary>The level of every voxel, or TRN_LIGHT_VARIES.</summary>
        public byte constant;
        /// <summary>
        /// Unless it is constant: bit b of the levels of 34 voxels along x. The row of local y and z is
        /// (y + 1) * 34 + z + 1; the voxel of local x is its bit x + 1.
        /// </summary>
        public fixed ulong planes[4624];
    }

    /// <summary>
    /// Memory to solve with: 1.6 MiB, of which a chunk touches what its surroundings need. Opaque; the
    /// caller creates and destroys it.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnLightSolver
    {
    }

    /// <summary>A stream. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStream
    {
    }

    /// <summary>What a hook works on. Hooks read the fields and never write them.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamJob
    {
        /// <summary>the chunk</summary>
        public TrnCoord coord;
        /// <summary>Level of detail: the chunk covers 32 &lt;&lt; level voxels an axis. 0, except in a far view.</summary>
        public uint level;
        /// <summary>
        /// Index of the caller's scratch: 0 on the calling thread, 1..workers on the others. No two
        /// hooks that run at the same time share one.
        /// </summary>
        public uint worker;
        /// <summary>
        /// Receives the block data of the chunk that a hook loads or generates: call
        /// trn_stream_job_set_data. NULL: it is not asked for.
        /// </summary>
        public TrnDataSink* data;
        /// <summary>of trn_stream_mesh_hash</summary>
        public ulong hash_key;
    }

    /// <summary>A mesh as the stream knows it: an address owned by the game, and its size.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamMesh
    {
        /// <summary>NULL: nothing to see</summary>
        public void* mesh;
        /// <summary>its size, for the budget; read again after upload</summary>
        public UIntPtr bytes;
        /// <summary>
        /// Of all that the upload hook shows, as trn_stream_mesh_hash() returns it: a mesh with the
        /// hash of the chunk's shown mesh is dropped, and not uploaded. 0: always uploaded.
        /// </summary>
        public ulong hash;
    }

    /// <summary>What a mesh is built from.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamMeshInput
    {
        /// <summary>
        /// The chunk, [13], and its 26 neighbours in the order of trn_store_snapshot_around. Valid
        /// until the hook returns.
        /// </summary>
        public TrnSnapshot around0;
        public TrnSnapshot around1;
        public TrnSnapshot around2;
        public TrnSnapshot around3;
        public TrnSnapshot around4;
        public TrnSnapshot around5;
        public TrnSnapshot around6;
        public TrnSnapshot around7;
        public TrnSnapshot around8;
        public TrnSnapshot around9;
        public TrnSnapshot around10;
        public TrnSnapshot around11;
        public TrnSnapshot around12;
        public TrnSnapshot around13;
        public TrnSnapshot around14;
        public TrnSnapshot around15;
        public TrnSnapshot around16;
        public TrnSnapshot around17;
        public TrnSnapshot around18;
        public TrnSnapshot around19;
        public TrnSnapshot around20;
        public TrnSnapshot around21;
        public TrnSnapshot around22;
        public TrnSnapshot around23;
        public TrnSnapshot around24;
        public TrnSnapshot around25;
        public TrnSnapshot around26;
        /// <summary>Bit i: around[i] is loaded. All are, except those beyond the ends of the world.</summary>
        public uint present;
        /// <summary>light of the sky; NULL unless TrnStreamDef.light</summary>
        public TrnLight* sky;
        /// <summary>light that blocks emit; NULL unless TrnStreamDef.light</summary>
        public TrnLight* blocks;
    }

    /// <summary>
    /// Generates a chunk, with more information than TrnGenerateFn gets. Runs on workers. For
    /// worlds that are equal at any number of workers, it must depend on the coordinate alone.
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; blocks[0] alone if
    ///                 the chunk is uniform
    /// @param uniform  receives whether every voxel is blocks[0]; false on entry
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamHooks_generate(void* user, TrnStreamJob* job, ushort* blocks, byte* uniform);

    /// <summary>
    /// Loads a saved chunk. Runs on workers, before generate. If it returns NOT_FOUND, the stream
    /// generates the chunk.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamHooks_load(void* user, TrnStreamJob* job, ushort* blocks, byte* uniform);

    /// <summary>
    /// Saves an unsaved chunk before it is unloaded, or earlier: see TrnStreamSource. Runs on
    /// workers; on the calling thread from trn_stream_save, when another caller removes the chunk,
    /// and where there are no workers. If the save fails, the chunk stays loaded; a caller that
    /// would have removed or evicted it gets the result.
    /// @param voxels  valid until the hook returns
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamHooks_save(void* user, TrnStreamJob* job, TrnSnapshot voxels);

    /// <summary>
    /// Builds the mesh of a chunk. Runs on workers, inside a read section: memory that edits
    /// replace stays valid until the hook returns. Its allocator must work on any thread. Not
    /// called for chunks that are all air, unless TrnStreamDef.mesh_air is set.
    /// It must depend on nothing but the chunk, the voxels that touch it, and light: it is not
    /// called where all of these are what the shown mesh was built from.
    /// @param mesh  receives the mesh; all zeroes on entry
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamHooks_mesh(void* user, TrnStreamJob* job, TrnStreamMeshInput* input, TrnStreamMesh* mesh);

    /// <summary>
    /// Shows a mesh in place of the chunk's previous mesh, which goes to drop_mesh right after.
    /// Runs on the calling thread. Also called for meshes with nothing to see, but not for chunks
    /// of air that had no mesh.
    /// @param mesh  still owned by the stream; the hook may lower `bytes` when it frees what it
    ///              copied to the graphics card
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamHooks_upload(void* user, TrnChunk* chunk, TrnStreamMesh* mesh);

    /// <summary>
    /// Frees a mesh, shown or not. Called once for every mesh that is not NULL. Runs on the calling
    /// thread.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStreamHooks_drop_mesh(void* user, TrnStreamMesh mesh);

    /// <summary>
    /// The chunk is being unloaded: it is no longer in the store's index, and stays readable until
    /// the hook returns. Its mesh goes to drop_mesh right after. Runs on the calling thread.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStreamHooks_unload(void* user, TrnChunk* chunk);

    /// <summary>
    /// What the game provides. Every hook may be NULL; generate only where there is a generator.
    /// Without mesh, the stream only loads chunks. Any result except OK, and NOT_FOUND from load,
    /// counts as a failure. The stream retries after 8 updates, then 16, doubling up to 1,024.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamHooks
    {
        /// <summary>
        /// Generates a chunk, with more information than TrnGenerateFn gets. Runs on workers. For
        /// worlds that are equal at any number of workers, it must depend on the coordinate alone.
        /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; blocks[0] alone if
        ///                 the chunk is uniform
        /// @param uniform  receives whether every voxel is blocks[0]; false on entry
        /// </summary>
        public IntPtr generate;
        /// <summary>
        /// Loads a saved chunk. Runs on workers, before generate. If it returns NOT_FOUND, the stream
        /// generates the chunk.
        /// </summary>
        public IntPtr load;
        /// <summary>
        /// Saves an unsaved chunk before it is unloaded, or earlier: see TrnStreamSource. Runs on
        /// workers; on the calling thread from trn_stream_save, when another caller removes the chunk,
        /// and where there are no workers. If the save fails, the chunk stays loaded; a caller that
        /// would have removed or evicted it gets the result.
        /// @param voxels  valid until the hook returns
        /// </summary>
        public IntPtr save;
        /// <summary>
        /// Builds the mesh of a chunk. Runs on workers, inside a read section: memory that edits
        /// replace stays valid until the hook returns. Its allocator must work on any thread. Not
        /// called for chunks that are all air, unless TrnStreamDef.mesh_air is set.
        /// It must depend on nothing but the chunk, the voxels that touch it, and light: it is not
        /// called where all of these are what the shown mesh was built from.
        /// @param mesh  receives the mesh; all zeroes on entry
        /// </summary>
        public IntPtr mesh;
        /// <summary>
        /// Shows a mesh in place of the chunk's previous mesh, which goes to drop_mesh right after.
        /// Runs on the calling thread. Also called for meshes with nothing to see, but not for chunks
        /// of air that had no mesh.
        /// @param mesh  still owned by the stream; the hook may lower `bytes` when it frees what it
        ///              copied to the graphics card
        /// </summary>
        public IntPtr upload;
        /// <summary>
        /// Frees a mesh, shown or not. Called once for every mesh that is not NULL. Runs on the calling
        /// thread.
        /// </summary>
        public IntPtr drop_mesh;
        /// <summary>
        /// The chunk is being unloaded: it is no longer in the store's index, and stays readable until
        /// the hook returns. Its mesh goes to drop_mesh right after. Runs on the calling thread.
        /// </summary>
        public IntPtr unload;
        /// <summary>passed to every hook</summary>
        public void* user;
    }

    /// <summary>One chunk of TrnStreamSource.load_many.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamLoadJob
    {
        /// <summary>As for load; all of a call have the same worker. Each may be cancelled on its own.</summary>
        public TrnStreamJob* job;
        /// <summary>[TRN_CHUNK_VOXELS] receives the blocks, as for load</summary>
        public ushort* blocks;
        /// <summary>receives whether every voxel is blocks[0]; false on entry</summary>
        public byte uniform;
        /// <summary>receives what load would return; NOT_FOUND on entry</summary>
        public TrnResult result;
    }

    /// <summary>
    /// Loads a chunk, as TrnStreamHooks.load. If the game sets a hook for loading or saving, the
    /// hooks replace both.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamSource_load(void* user, TrnStreamJob* job, ushort* blocks, byte* uniform);

    /// <summary>Saves a chunk, as TrnStreamHooks.save.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamSource_save(void* user, TrnStreamJob* job, TrnSnapshot voxels);

    /// <summary>
    /// Finds the highest saved chunk of a column, for light from the sky (TrnStreamDef.light) where
    /// the generator makes only air. Runs on workers. NULL: such chunks count once they are loaded.
    /// @param from    level 0; the highest to consider
    /// @param lowest  the lowest
    /// @param y       receives it
    /// Errors: NOT_FOUND; any other fails the mesh that needs it, and the stream tries again.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStreamSource_highest(void* user, TrnCoord from, int lowest, int* y);

    /// <summary>
    /// Loads several chunks, each as `load` would: for a source that answers one question about
    /// many chunks sooner than a question about each, such as a server. Runs on workers. NULL, or
    /// `load_max` below 2: `load` is called for each chunk. `load` is needed either way.
    /// @param loads  [count] in the order in which the stream needs them
    /// @param count  1 to load_max, and no more than a quarter of TrnStreamDef.queue_bytes holds at
    ///               64 KiB a chunk. A worker that was idle begins with few
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStreamSource_load_many(void* user, TrnStreamLoadJob* loads, UIntPtr count);

    /// <summary>
    /// Where a stream loads chunks from and where it saves them, as one value to copy: a save of
    /// terrane/save.h (trn_save_source) or a game's own. All zeroes is no source.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamSource
    {
        /// <summary>
        /// Loads a chunk, as TrnStreamHooks.load. If the game sets a hook for loading or saving, the
        /// hooks replace both.
        /// </summary>
        public IntPtr load;
        /// <summary>Saves a chunk, as TrnStreamHooks.save.</summary>
        public IntPtr save;
        /// <summary>
        /// Finds the highest saved chunk of a column, for light from the sky (TrnStreamDef.light) where
        /// the generator makes only air. Runs on workers. NULL: such chunks count once they are loaded.
        /// @param from    level 0; the highest to consider
        /// @param lowest  the lowest
        /// @param y       receives it
        /// Errors: NOT_FOUND; any other fails the mesh that needs it, and the stream tries again.
        /// </summary>
        public IntPtr highest;
        /// <summary>
        /// Loads several chunks, each as `load` would: for a source that answers one question about
        /// many chunks sooner than a question about each, such as a server. Runs on workers. NULL, or
        /// `load_max` below 2: `load` is called for each chunk. `load` is needed either way.
        /// @param loads  [count] in the order in which the stream needs them
        /// @param count  1 to load_max, and no more than a quarter of TrnStreamDef.queue_bytes holds at
        ///               64 KiB a chunk. A worker that was idle begins with few
        /// </summary>
        public IntPtr load_many;
        /// <summary>the most chunks of a call that pay off; at most TRN_STREAM_LOADS_MAX</summary>
        public uint load_max;
        /// <summary>passed to all; borrowed: must outlive the stream</summary>
        public void* user;
        /// <summary>
        /// Also save chunks that were generated and shown, uniform ones excepted, so that a world keeps
        /// its land when the generator changes. If false, only chunks with changes are saved.
        /// </summary>
        public byte saves_shown;
        /// <summary>
        /// Not 0: loaded chunks are saved too, about this many seconds after they became unsaved; later
        /// if workers have no time. A chunk that waits for its mesh just then is saved on the calling
        /// thread, two an update. 0: chunks are saved before they are unloaded, and by trn_stream_save.
        /// </summary>
        public double save_seconds;
    }

    /// <summary>
    /// Calls work(context) once, soon, on any thread, including this one before start returns.
    /// `work` returns when there is nothing to do, or after some ms. It needs TRN_STACK_BYTES of
    /// stack (terrane/generator.h), and in addition what a hook or a generator of yours takes.
    /// @return false if it cannot start; the stream tries again at its next update
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte TrnStreamRunner_start(void* user, IntPtr work, void* context);

    /// <summary>
    /// Threads of the caller. The stream starts at most `concurrency` pieces of work at a time.
    /// trn_stream_destroy waits until each start has called its work.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamRunner
    {
        /// <summary>
        /// Calls work(context) once, soon, on any thread, including this one before start returns.
        /// `work` returns when there is nothing to do, or after some ms. It needs TRN_STACK_BYTES of
        /// stack (terrane/generator.h), and in addition what a hook or a generator of yours takes.
        /// @return false if it cannot start; the stream tries again at its next update
        /// </summary>
        public IntPtr start;
        /// <summary>1..64: how many starts may run at a time</summary>
        public uint concurrency;
        /// <summary>passed to start</summary>
        public void* user;
    }

    /// <summary>One event of a stream.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamEvent
    {
        /// <summary>what happened</summary>
        public TrnStreamEventKind kind;
        /// <summary>the chunk</summary>
        public TrnCoord coord;
        /// <summary>for FAILED</summary>
        public TrnStreamStage stage;
        /// <summary>for FAILED, NO_WORKER</summary>
        public TrnResult result;
        /// <summary>for SHRANK, GREW</summary>
        public uint ring;
    }

    /// <summary>What one update may cost.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamBudget
    {
        /// <summary>
        /// Milliseconds on the calling thread. A piece of work that has begun is finished, including a
        /// hook on this thread. The update reserves time for its own final steps, estimated from
        /// earlier updates. 0 or less: no limit.
        /// </summary>
        public double ms;
        /// <summary>
        /// 0..1: this part of the time between updates, smoothed over about eight of them, if that is
        /// more than `ms`; at most 50 ms. So a program that draws a frame a second loads as much as one
        /// that draws sixty. 0: `ms` alone.
        /// </summary>
        public double share;
        /// <summary>
        /// Not 0: exact replay. The update generates, loads or meshes this many chunks (more when edits
        /// have been pending for five updates), waits for all of them, and applies the results in the
        /// order in which they began. Equal calls then give equal worlds, meshes and statistics, times
        /// excepted, at any number of workers. `ms` and `upload_bytes` are ignored. What
        /// TrnStreamSource.save_seconds saves depends on clock_us too: give it equal times.
        /// </summary>
        public uint units;
        /// <summary>
        /// Bytes of meshes. Once an update has uploaded this many, other meshes wait for the next
        /// update. Meshes of edits never wait but count; if they use it up, one other mesh is uploaded
        /// all the same. 0: no limit.
        /// </summary>
        public UIntPtr upload_bytes;
    }

    /// <summary>
    /// Microseconds from any origin, monotonic; called on any thread. NULL: the system's monotonic
    /// clock.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate double TrnStreamDef_clock_us(void* user);

    /// <summary>Start from trn_stream_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamDef
    {
        /// <summary>
        /// Borrowed; must outlive the stream. One stream a store. The store needs one free reader for
        /// each worker (TrnStoreDef.reader_max).
        /// </summary>
        public TrnStore* store;
        /// <summary>what the game provides</summary>
        public TrnStreamHooks hooks;
        /// <summary>Used if hooks.generate is NULL; its ceiling always. Copied.</summary>
        public TrnGenerator generator;
        /// <summary>load and save if hooks.load and hooks.save are NULL; copied</summary>
        public TrnStreamSource source;
        /// <summary>for updates that pass no budget</summary>
        public TrnStreamBudget budget;
        /// <summary>
        /// The most bytes for everything together: the store, meshes, the stream itself and
        /// scratch_bytes. The stream sets the store's bytes_max to what the others leave, so edits
        /// beyond it fail with FULL. A mesh counts from the moment its worker returns it. 0: only the
        /// store's own limit.
        /// </summary>
        public UIntPtr bytes_max;
        /// <summary>What the hooks allocate for themselves, to be counted; see trn_stream_set_scratch.</summary>
        public UIntPtr scratch_bytes;
        /// <summary>
        /// Bytes of generated voxels that wait for the calling thread. A chunk counts what it takes
        /// encoded, 5 KiB to 42 KiB, nothing if it is uniform, or 64 KiB while workers ask for more
        /// memory than they did lately; chunks of 64 KiB take up to half as much in addition. If it is
        /// used up, workers build meshes or wait. The queue always holds at least one chunk, and takes
        /// at most a quarter of bytes_max.
        /// </summary>
        public UIntPtr queue_bytes;
        /// <summary>0..64: chunks unload this much farther out than they load</summary>
        public uint hysteresis_chunks;
        /// <summary>
        /// How many threads the stream starts. TRN_STREAM_WORKERS_DEFAULT: one less than the machine
        /// has cores, but 2 where it has two; at most 16. 0: the calling thread does all work. The
        /// stream reports workers that cannot be started, or for which the store has no reader, and
        /// continues without them. Each has at least 1 MiB of stack.
        /// </summary>
        public uint workers;
        /// <summary>
        /// Nice levels that the stream's own threads add to their own, 0..39, where the system sets
        /// them by thread (Linux). A caller that shares a core with a busy worker then gets its turn
        /// sooner. If not 0, workers also run as batch threads (SCHED_BATCH), which do not preempt the
        /// caller when it wakes them. Not applied to a runner.
        /// </summary>
        public uint worker_nice;
        /// <summary>NULL: the stream starts threads; copied</summary>
        public TrnStreamRunner* runner;
        /// <summary>
        /// With workers: the calling thread works too, with the rest of its time budget. If false, it
        /// only builds meshes of edits. Without workers it always works.
        /// </summary>
        public byte caller_works;
        /// <summary>also mesh chunks of air</summary>
        public byte mesh_air;
        /// <summary>
        /// Solve the light of each chunk before it is meshed: TrnStreamMeshInput.sky and .blocks. Takes
        /// 1.7 MiB a worker, and as much for the calling thread. Only the latter counts against
        /// bytes_max, so that exact replay does not depend on the number of workers.
        /// </summary>
        public byte light;
        /// <summary>
        /// With `light`: keep the light of each chunk that was meshed, for trn_stream_get_light(). Also
        /// solves chunks of air. Workers then allocate too: the allocator must work on any thread.
        /// </summary>
        public byte keep_light;
        /// <summary>
        /// Microseconds from any origin, monotonic; called on any thread. NULL: the system's monotonic
        /// clock.
        /// </summary>
        public IntPtr clock_us;
        /// <summary>passed to clock_us</summary>
        public void* clock_user;
        /// <summary>NULL: none</summary>
        public IntPtr listener;
        /// <summary>passed to listener</summary>
        public void* listener_user;
        /// <summary>
        /// Copied; NULL means malloc. Called only on the calling thread, unless keep_light is set or
        /// hooks give block data.
        /// </summary>
        public TrnAllocator* allocator;
    }

    /// <summary>A player, a camera, or another point that chunks are loaded around.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamAnchor
    {
        /// <summary>anywhere in the world</summary>
        public TrnPosition position;
        /// <summary>
        /// Blocks a second; chunks ahead count as near. Zeroes: the stream derives it from the
        /// positions of earlier updates, from the second move on. A move of more than two chunks is a
        /// jump, not a motion, and an anchor has stopped after 30 updates in one place. Exact replay
        /// takes updates for a sixtieth of a second apart.
        /// </summary>
        public fixed double velocity[3];
        /// <summary>direction of view, any length; zeroes: all around</summary>
        public fixed double view[3];
        /// <summary>
        /// Chunks are shown where (x^2 + z^2) / radius^2 + y^2 / height^2 &lt;= 1 from the anchor's chunk.
        /// 0..TRN_STREAM_RADIUS_MAX; a radius of 0 is one column. The view may be smaller if memory is
        /// short: see trn_stream_view.
        /// </summary>
        public uint radius_chunks;
        /// <summary>how far the view reaches up and down, 0..TRN_STREAM_RADIUS_MAX</summary>
        public uint height_chunks;
    }

    /// <summary>How far an anchor's view reaches.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamView
    {
        /// <summary>
        /// Rings that the view has now: the greater of its radius and height. 0 is the anchor's own
        /// chunk.
        /// </summary>
        public uint rings;
        /// <summary>rings that the anchor asks for</summary>
        public uint rings_wanted;
        /// <summary>the view has at least its first ring</summary>
        public byte is_started;
        /// <summary>it is smaller because memory is short, not because it is still growing</summary>
        public byte is_shrunk;
    }

    /// <summary>What one update did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamReport
    {
        /// <summary>chunks that entered a view</summary>
        public uint wanted;
        /// <summary>chunks that left all views</summary>
        public uint unwanted;
        /// <summary>chunks</summary>
        public uint inserted;
        /// <summary>meshes</summary>
        public uint uploaded;
        /// <summary>chunks</summary>
        public uint unloaded;
        /// <summary>chunks</summary>
        public uint saved;
        /// <summary>of those meshes, as passed to the hook</summary>
        public UIntPtr upload_bytes;
        /// <summary>pieces of work</summary>
        public uint cancelled;
        /// <summary>calls of hooks</summary>
        public uint failed;
        /// <summary>meshes outdated before they were finished, since the last update</summary>
        public uint stale;
        /// <summary>duration of the update</summary>
        public double us;
        /// <summary>
        /// Every wanted chunk that fits is loaded, and shown where it should be; no work is under way
        /// and no retry is due. A hook that always fails, such as an upload to a full graphics card,
        /// keeps it false; TrnStreamStats.failed counts such chunks.
        /// </summary>
        public byte is_idle;
    }

    /// <summary>How far the chunks of a box have come.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamReadiness
    {
        /// <summary>in the box and inside the world</summary>
        public ulong chunks;
        /// <summary>by any anchor, also as neighbours alone</summary>
        public ulong wanted;
        /// <summary>in the store: bodies can walk on them</summary>
        public ulong loaded;
        /// <summary>with a current mesh</summary>
        public ulong shown;
        /// <summary>every chunk of the box is; false for an empty box</summary>
        public byte is_loaded;
        /// <summary>every chunk of the box is; false for an empty box</summary>
        public byte is_shown;
    }

    /// <summary>What a stream knows of a chunk.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamExplanation
    {
        /// <summary>how far it has come</summary>
        public TrnStreamState state;
        /// <summary>what it waits for</summary>
        public TrnStreamWait wait;
        /// <summary>a view holds it</summary>
        public byte is_wanted;
        /// <summary>a view shows it</summary>
        public byte should_show;
        /// <summary>in the store</summary>
        public byte is_loaded;
        /// <summary>with a current mesh</summary>
        public byte is_shown;
        /// <summary>changed since it was loaded, generated or saved</summary>
        public byte is_unsaved;
        /// <summary>for QUEUED, MESH_QUEUED</summary>
        public TrnStreamLane lane;
        /// <summary>for QUEUED, MESH_QUEUED: how many come first</summary>
        public uint queue_position;
        /// <summary>for NEIGHBOURS: how many are not loaded</summary>
        public uint missing_count;
        /// <summary>one of them</summary>
        public TrnCoord missing;
        /// <summary>the last one; OK if none since it last succeeded</summary>
        public TrnResult failure;
        /// <summary>failed in a row</summary>
        public uint tries;
        /// <summary>for FAILED: the update that retries it</summary>
        public ulong retry_update;
        /// <summary>time in this state</summary>
        public double since_us;
        /// <summary>of its mesh</summary>
        public UIntPtr mesh_bytes;
        /// <summary>to the nearest anchor; infinite without anchors</summary>
        public double distance_chunks;
        /// <summary>all of this, for people</summary>
        public fixed byte sentence[320];
    }

    /// <summary>
    /// Times of a stage in microseconds, since creation or trn_stream_reset_times. Percentiles are at
    /// most 7 % too large.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamTimes
    {
        /// <summary>how often the stage ran</summary>
        public ulong count;
        /// <summary>of all times</summary>
        public double mean;
        /// <summary>half of the times are at most this</summary>
        public double p50;
        /// <summary>99 % of the times are at most this</summary>
        public double p99;
        /// <summary>99.9 % of the times are at most this</summary>
        public double p999;
        /// <summary>the longest</summary>
        public double max;
    }

    /// <summary>Figures of a stream. Counts of events are totals since it was created.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStreamStats
    {
        /// <summary>calls of trn_stream_update()</summary>
        public ulong updates;
        /// <summary>running</summary>
        public uint workers;
        /// <summary>could not be started</summary>
        public uint workers_failed;
        /// <summary>and as many views</summary>
        public uint anchors;
        /// <summary>views that anchors left</summary>
        public uint dissolving;
        /// <summary>smaller than wanted because memory is short</summary>
        public uint shrunk_views;
        /// <summary>chunks that a view holds</summary>
        public uint wanted;
        /// <summary>chunks of the views in the store</summary>
        public uint loaded;
        /// <summary>chunks with a current mesh</summary>
        public uint shown;
        /// <summary>chunks with changes that are not saved</summary>
        public uint unsaved;
        /// <summary>chunks that wait for their turn</summary>
        public uint queued;
        /// <summary>pieces of work that have begun</summary>
        public uint under_way;
        /// <summary>chunks that wait to unload</summary>
        public uint unloading;
        /// <summary>chunks that wait for a retry</summary>
        public uint failed;
        /// <summary>part of queued</summary>
        public uint queued_to_generate;
        /// <summary>part of queued</summary>
        public uint queued_to_mesh;
        /// <summary>queued by lane</summary>
        public fixed uint queued_lanes[3];
        /// <summary>chunks that the generator gave</summary>
        public ulong generated;
        /// <summary>chunks that the load hook gave</summary>
        public ulong restored;
        /// <summary>chunks</summary>
        public ulong inserted;
        /// <summary>calls of the mesh hook that succeeded</summary>
        public ulong meshed;
        /// <summary>meshes</summary>
        public ulong uploaded;
        /// <summary>not built: of the voxels and light of the shown mesh</summary>
        public ulong meshes_spared;
        /// <summary>built, and equal to the shown mesh (TrnStreamMesh.hash)</summary>
        public ulong uploads_spared;
        /// <summary>chunks</summary>
        public ulong unloaded;
        /// <summary>chunks</summary>
        public ulong saved;
        /// <summary>pieces of work cancelled before a worker began them</summary>
        public ulong cancelled_before;
        /// <summary>pieces of work cancelled after that</summary>
        public ulong cancelled_during;
        /// <summary>calls of hooks that failed</summary>
        public ulong failures;
        /// <summary>meshes outdated before they were finished</summary>
        public ulong stale;
        /// <summary>edits whose meshes were shown together</summary>
        public ulong groups;
        /// <summary>Edits whose meshes were not shown together, because memory to track them failed.</summary>
        public ulong torn_groups;
        /// <summary>rings dropped because memory was short</summary>
        public ulong shrinks;
        /// <summary>rings added</summary>
        public ulong grows;
        /// <summary>chunks that moving and growing views have visited</summary>
        public ulong cells_visited;
        /// <summary>of the last failure</summary>
        public TrnStreamStage last_stage;
        /// <summary>its result; OK if there was none</summary>
        public TrnResult last_failure;
        /// <summary>its chunk</summary>
        public TrnCoord last_failed;
        /// <summary>of the store</summary>
        public UIntPtr store_bytes;
        /// <summary>of shown meshes and of meshes that wait to be shown</summary>
        public UIntPtr mesh_bytes;
        /// <summary>of kept light</summary>
        public UIntPtr light_bytes;
        /// <summary>of the stream itself</summary>
        public UIntPtr stream_bytes;
        /// <summary>as trn_stream_set_scratch()</summary>
        public UIntPtr scratch_bytes;
        /// <summary>of a far view's levels: stores, meshes and streams</summary>
        public UIntPtr far_bytes;
        /// <summary>the sum of these</summary>
        public UIntPtr total_bytes;
        /// <summary>the highest total_bytes so far</summary>
        public UIntPtr total_bytes_peak;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
        /// <summary>by stage</summary>
        public TrnStreamTimes times0;
        public TrnStreamTimes times1;
        public TrnStreamTimes times2;
        public TrnStreamTimes times3;
        public TrnStreamTimes times4;
        public TrnStreamTimes times5;
        public TrnStreamTimes times6;
        public TrnStreamTimes times7;
        public TrnStreamTimes times8;
        public TrnStreamTimes times9;
        public TrnStreamTimes times10;
        public TrnStreamTimes times11;
    }

    /// <summary>A far view. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFar
    {
    }

    /// <summary>How far a far view reaches. Radii and heights are in chunks of each level.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFarView
    {
        /// <summary>coarser levels, 1..TRN_FAR_LEVEL_MAX and at most the generator's level_max</summary>
        public uint levels;
        /// <summary>
        /// Radius of each level's view, at most TRN_STREAM_RADIUS_MAX. 0: the anchor's, for each
        /// anchor.
        /// </summary>
        public uint radius_chunks;
        /// <summary>
        /// Radius of the coarsest level's view, to end at a distance between two levels. 0: as the
        /// others.
        /// </summary>
        public uint last_radius_chunks;
        /// <summary>How far each level's view reaches up and down. 0: as the anchor's.</summary>
        public uint height_chunks;
    }

    /// <summary>Microseconds, for exact replay. NULL: the system's monotonic clock.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate double TrnFarDef_clock_us(void* user);

    /// <summary>Start from trn_far_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFarDef
    {
        /// <summary>
        /// Level 0; borrowed, must outlive the far view. One far view a stream. Its store must outlive
        /// it too.
        /// </summary>
        public TrnStream* stream;
        /// <summary>how far it reaches</summary>
        public TrnFarView view;
        /// <summary>
        /// Generates all levels 1..view.levels, and level 0 as the stream's does: edits are what
        /// differs from it. Copied.
        /// </summary>
        public TrnGenerator generator;
        /// <summary>
        /// As those of a stream; `mesh` is needed. TrnStreamJob.level tells the level, and
        /// TrnStreamJob.worker is level 0's, so hooks of all levels may share scratch by worker. If
        /// generate, load or save is set, it replaces the generator or the source as in a stream.
        /// </summary>
        public TrnStreamHooks hooks;
        /// <summary>
        /// By level: what hooks of this level get as `user`, since upload, drop_mesh and unload get no
        /// job. NULL: hooks.user. [0] is not used.
        /// </summary>
        public void* users0;
        public void* users1;
        public void* users2;
        public void* users3;
        public void* users4;
        public void* users5;
        public void* users6;
        public void* users7;
        public void* users8;
        /// <summary>
        /// Loads and saves chunks of levels 1 and up, by TrnStreamJob.level. Only those with edits are
        /// saved, whatever saves_shown says. All zeroes is no source.
        /// </summary>
        public TrnStreamSource source;
        /// <summary>
        /// What the stores of the levels are made from: user bytes, planes, caps. What it points to
        /// must outlive the far view. If `types` is NULL, they use those of level 0's store; if
        /// `allocator` is NULL, the far view's. bytes_max is ignored.
        /// </summary>
        public TrnStoreDef store;
        /// <summary>may be NULL, for trn_far_is_drawn() alone</summary>
        public IntPtr draw;
        /// <summary>passed to draw</summary>
        public void* draw_user;
        /// <summary>
        /// The most bytes for all levels together: stores, meshes, streams. Each level gets an equal
        /// part; a level that is short drops its outer rings. What they use counts against level 0's
        /// bytes_max as well, so make it a part of that. 0: no limit of its own.
        /// </summary>
        public UIntPtr bytes_max;
        /// <summary>
        /// For updates that pass no budget. What level 0's last update took counts: the levels get the
        /// rest, the finest first. A level without time for it waits, up to seven updates in a row;
        /// then it gets 0.03 ms, one level an update. Of `units`, each level gets as many.
        /// </summary>
        public TrnStreamBudget budget;
        /// <summary>
        /// Keep the voxels of all chunks of levels, so that you can read them through trn_far_store().
        /// By default levels omit those of chunks that are as `generator` made them and are shown with
        /// all their neighbours, and generate them again when a mesh or an edit needs them. Hooks
        /// always get all voxels; readers of the stores find air in place of what is omitted.
        /// </summary>
        public byte keeps_voxels;
        /// <summary>as TrnStreamDef.hysteresis_chunks, in chunks of each level</summary>
        public uint hysteresis_chunks;
        /// <summary>Solve the light of each chunk before it is meshed, as TrnStreamDef.light.</summary>
        public byte light;
        /// <summary>also mesh chunks of air</summary>
        public byte mesh_air;
        /// <summary>Microseconds, for exact replay. NULL: the system's monotonic clock.</summary>
        public IntPtr clock_us;
        /// <summary>passed to clock_us</summary>
        public void* clock_user;
        /// <summary>Copied; NULL means malloc. Called only on the calling thread.</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Figures of one level.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFarLevelStats
    {
        /// <summary>chunks of the views in the store</summary>
        public uint loaded;
        /// <summary>chunks with a mesh, or none needed, that may be drawn</summary>
        public uint shown;
        /// <summary>those that are</summary>
        public uint drawn;
        /// <summary>
        /// Rings of the smallest view of the level, and those it should have; equal once it is
        /// complete.
        /// </summary>
        public uint rings;
        /// <summary>see rings; 0 without anchors</summary>
        public uint rings_wanted;
        /// <summary>a view of this level is smaller because memory is short</summary>
        public byte is_shrunk;
        /// <summary>of its store, its meshes and its stream</summary>
        public UIntPtr bytes;
    }

    /// <summary>Figures of a far view.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFarStats
    {
        /// <summary>coarser levels</summary>
        public uint levels;
        /// <summary>by level; [0] is the game's stream</summary>
        public TrnFarLevelStats level0;
        public TrnFarLevelStats level1;
        public TrnFarLevelStats level2;
        public TrnFarLevelStats level3;
        public TrnFarLevelStats level4;
        public TrnFarLevelStats level5;
        public TrnFarLevelStats level6;
        public TrnFarLevelStats level7;
        public TrnFarLevelStats level8;
        /// <summary>calls of TrnFarDef.draw so far</summary>
        public ulong draws;
        /// <summary>chunks with edits that have not reached the next level</summary>
        public uint folds_due;
        /// <summary>chunks whose edits have, so far</summary>
        public ulong folds;
        /// <summary>
        /// What a trn_far_save() has to do: chunks that are due, and coarse chunks with edits that are
        /// not saved. 0 after one that returned OK.
        /// </summary>
        public ulong unsaved;
        /// <summary>
        /// Coarse chunks whose edits were forgotten, the oldest first, so far: they were not loaded,
        /// their level's pending edits were full (trn_pending_set_bytes_max), and there is no source.
        /// </summary>
        public ulong edits_dropped;
        /// <summary>what says which chunks are drawn</summary>
        public UIntPtr cover_bytes;
        /// <summary>of all coarser levels, cover included</summary>
        public UIntPtr bytes;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
    }

    /// <summary>Takes the voxels of the features of one chunk. Opaque; valid during the call that gets it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFeatureSink
    {
    }

    /// <summary>
    /// Writes the features that begin in a chunk. What it writes must depend on `user`, `coord` and
    /// the level alone; it cannot read the land, so it computes the height of a root as the ground
    /// does. Called for each chunk that is within reach of the one that is generated, so let it
    /// find out soon that a chunk has no features.
    /// @param coord  of level 0, where the features begin
    /// @param sink   for trn_feature_set, trn_feature_add and trn_feature_level
    /// @return OK, or the reason why the chunk cannot be generated
    /// Threads: several at once, as a generator.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnFeatures_place(void* user, TrnCoord coord, TrnFeatureSink* sink);

    /// <summary>A generator, and the features on its land.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFeatures
    {
        /// <summary>generates chunks without features</summary>
        public TrnGenerator ground;
        /// <summary>
        /// Writes the features that begin in a chunk. What it writes must depend on `user`, `coord` and
        /// the level alone; it cannot read the land, so it computes the height of a root as the ground
        /// does. Called for each chunk that is within reach of the one that is generated, so let it
        /// find out soon that a chunk has no features.
        /// @param coord  of level 0, where the features begin
        /// @param sink   for trn_feature_set, trn_feature_add and trn_feature_level
        /// @return OK, or the reason why the chunk cannot be generated
        /// Threads: several at once, as a generator.
        /// </summary>
        public IntPtr place;
        /// <summary>passed to place; borrowed: must outlive its use</summary>
        public void* user;
        /// <summary>How many chunks beyond theirs features reach along each axis, 0..TRN_FEATURES_REACH_MAX.</summary>
        public uint reach_chunks;
        /// <summary>
        /// The coarsest level of detail that shows features, 0..TRN_FEATURES_LEVEL_MAX. Coarser levels
        /// have the ground alone.
        /// </summary>
        public uint level_max;
    }

    /// <summary>Liquids that flow, in one store. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluid
    {
    }

    /// <summary>One liquid.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluidLiquid
    {
        /// <summary>The source, the flows 1 to 7, and falling: nine different blocks of kind LIQUID.</summary>
        public fixed ushort blocks[9];
        /// <summary>steps from one look at its voxels to the next, 1 or more</summary>
        public byte delay;
        /// <summary>levels that it loses with each voxel that it spreads, 1..7</summary>
        public byte decay;
        /// <summary>How far from a side it looks for drops, in voxels, 0..TRN_FLUID_DROP_MAX.</summary>
        public byte drop_voxels;
        /// <summary>between two sources a source arises</summary>
        public byte renews;
        /// <summary>it has a sea level, `sea_y`</summary>
        public byte has_sea;
        /// <summary>
        /// At this y and below, a flow that rests on the ground becomes a source, so that
        /// a sea fills what players dig next to it, to its own height.
        /// </summary>
        public long sea_y;
    }

    /// <summary>What a voxel of one liquid becomes when it touches another.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluidReaction
    {
        /// <summary>that changes: a place in TrnFluidDef.liquids</summary>
        public byte liquid;
        /// <summary>that it touches, another place</summary>
        public byte other;
        /// <summary>what a source becomes</summary>
        public ushort source;
        /// <summary>what anything else of the liquid becomes</summary>
        public ushort flow;
    }

    /// <summary>Start from trn_fluid_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluidDef
    {
        /// <summary>[liquid_count] copied</summary>
        public TrnFluidLiquid* liquids;
        /// <summary>1..TRN_FLUID_LIQUIDS_MAX</summary>
        public uint liquid_count;
        /// <summary>[reaction_count] copied; the first that applies counts</summary>
        public TrnFluidReaction* reactions;
        /// <summary>0..TRN_FLUID_REACTIONS_MAX</summary>
        public uint reaction_count;
        /// <summary>
        /// The most voxels of liquids that a step looks at, and a quarter of the most changed voxels
        /// whose sides it looks up; a chunk counts as 32 in addition. The rest is left to the next
        /// step, oldest first. 64 or more.
        /// </summary>
        public uint budget_voxels;
        /// <summary>
        /// The most bytes of the fluid: 0.4 MiB of its own, and for each chunk and liquid some 0.2 KiB
        /// while few of its voxels sleep and 4.3 KiB while some are to be looked at. They count as
        /// attached_bytes of the store, too. 0: no cap but the store's. At the cap the fluid drops what
        /// sleeps, the oldest first: see trn_fluid_drop. Then a step looks at fewer voxels, or at all
        /// voxels of some chunks, since a list of them takes more memory; last it drops what is due.
        /// </summary>
        public UIntPtr bytes_max;
    }

    /// <summary>What a step did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluidOutcome
    {
        /// <summary>liquids that it looked at</summary>
        public uint looked_voxels;
        /// <summary>voxels that it wrote, a voxel twice if two liquids enter it</summary>
        public uint changed_voxels;
        /// <summary>of its batch; the store's if it changed nothing</summary>
        public ulong revision;
    }

    /// <summary>Figures of a fluid.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnFluidStats
    {
        /// <summary>that succeeded, since the world began</summary>
        public ulong steps;
        /// <summary>liquids that steps looked at, since the fluid was created</summary>
        public ulong looked_voxels;
        /// <summary>voxels that they wrote</summary>
        public ulong changed_voxels;
        /// <summary>chunks with voxels to look at, each once a liquid</summary>
        public uint due_sets;
        /// <summary>the same, that wait for chunks</summary>
        public uint asleep_sets;
        /// <summary>voxels in these</summary>
        public ulong due_voxels;
        /// <summary>voxels in those</summary>
        public ulong asleep_voxels;
        /// <summary>changes noted late, since memory ran out</summary>
        public ulong missed;
        /// <summary>of everything</summary>
        public UIntPtr bytes;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
        /// <summary>that did less than they could, since bytes_max ran out</summary>
        public ulong capped_steps;
        /// <summary>that were dropped: at bytes_max, or by trn_fluid_drop</summary>
        public ulong dropped_sets;
    }

    /// <summary>Start from trn_history_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnHistoryDef
    {
        /// <summary>
        /// The most bytes that the history records. Beyond it, the oldest groups are dropped. A group
        /// that is larger than this empties the history, and the rest of that group is not recorded.
        /// With 0, nothing is recorded. Pending edits count against their own cap; they count here once
        /// they are undone, or once their chunk is inserted. Block data counts in full for each change
        /// that has it, although the history shares it with the chunk.
        /// </summary>
        public UIntPtr bytes_max;
    }

    /// <summary>Figures of a history.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnHistoryStats
    {
        /// <summary>that can be undone</summary>
        public uint undo_groups;
        /// <summary>that can be redone</summary>
        public uint redo_groups;
        /// <summary>to stay within bytes_max, so far</summary>
        public ulong dropped_groups;
        /// <summary>of everything that it records</summary>
        public UIntPtr bytes;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
    }

    /// <summary>
    /// Settings of a noise. Start from trn_noise_def() and change what you need. Axes are x, y, z; a 2D
    /// noise uses x and z and ignores every y component here.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnNoiseDef
    {
        /// <summary>what it computes</summary>
        public TrnNoiseKind kind;
        /// <summary>2 or 3</summary>
        public uint dimensions;
        /// <summary>any value; each gives another noise</summary>
        public ulong seed;
        /// <summary>any value; distinguishes the noises of one seed</summary>
        public uint stream;
        /// <summary>
        /// Size of the coarsest layer's features in voxels, by axis; a smaller y makes them flatter.
        /// Every layer's wavelength must lie in [TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX].
        /// </summary>
        public fixed float wavelength[3];
        /// <summary>layers, 1..TRN_NOISE_OCTAVE_MAX; 1 for cellular noise</summary>
        public uint octaves;
        /// <summary>ratio of each layer's frequency to that of the layer before, 1..16</summary>
        public float lacunarity;
        /// <summary>ratio of each layer's strength to that of the layer before, in (0, 1]</summary>
        public float gain;
        /// <summary>
        /// Domain warp: largest displacement in voxels, by axis. A smooth noise displaces each voxel
        /// before it is evaluated. All 0 means no warp. At most 512 of the finest layer's wavelengths.
        /// </summary>
        public fixed float warp[3];
        /// <summary>Like `wavelength`, for the warp's coarsest layer. Ignored without a warp.</summary>
        public fixed float warp_wavelength[3];
        /// <summary>
        /// Layers of the warp, 1..TRN_NOISE_WARP_OCTAVE_MAX; each is twice as fine and half as strong
        /// as the one before. Ignored without a warp.
        /// </summary>
        public uint warp_octaves;
    }

    /// <summary>Private: one layer of a compiled noise.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnNoiseLayer
    {
        /// <summary>[lattice axis][world axis]: lattice cells per voxel, in units of 2^-32</summary>
        public fixed long step[9];
        /// <summary>lattice position of voxel 0, 0, 0, in the same units</summary>
        public fixed ulong origin[3];
        /// <summary>of its gradients or points</summary>
        public uint seed;
        /// <summary>its part of the sum</summary>
        public float weight;
    }

    /// <summary>
    /// A compiled noise, in the caller's memory. Plain data: it owns nothing, needs no destructor and
    /// may be copied. Its fields are private and valid only on the machine that compiled it; to save a
    /// noise, save its def.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnNoise
    {
        /// <summary>[layer_count]</summary>
        public TrnNoiseLayer layers0;
        public TrnNoiseLayer layers1;
        public TrnNoiseLayer layers2;
        public TrnNoiseLayer layers3;
        public TrnNoiseLayer layers4;
        public TrnNoiseLayer layers5;
        public TrnNoiseLayer layers6;
        public TrnNoiseLayer layers7;
        /// <summary>[warp_layer_count]</summary>
        public TrnNoiseLayer warp_layers0;
        public TrnNoiseLayer warp_layers1;
        public TrnNoiseLayer warp_layers2;
        public TrnNoiseLayer warp_layers3;
        /// <summary>as in the def</summary>
        public fixed float warp[3];
        /// <summary>1..TRN_NOISE_OCTAVE_MAX</summary>
        public uint layer_count;
        /// <summary>0 without a warp</summary>
        public uint warp_layer_count;
        /// <summary>as in the def</summary>
        public uint dimensions;
        /// <summary>TrnNoiseKind</summary>
        public uint kind;
        /// <summary>index of the kernels in use</summary>
        public uint kernels;
    }

    /// <summary>A grid of voxels to evaluate: every 2^level-th along each axis, starting at `origin`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnNoiseGrid
    {
        /// <summary>
        /// First voxel: inside the world, or at most TRN_NOISE_MARGIN outside. The grid may extend
        /// farther; the noise continues there.
        /// </summary>
        public TrnVoxel origin;
        /// <summary>0..TRN_NOISE_LEVEL_MAX; 0 evaluates every voxel</summary>
        public uint level;
        /// <summary>points along x, at least 1</summary>
        public uint size_x;
        /// <summary>points along y, at least 1; 1 for a 2D noise</summary>
        public uint size_y;
        /// <summary>points along z, at least 1</summary>
        public uint size_z;
    }

    /// <summary>Start from trn_ray_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnRayDef
    {
        /// <summary>voxels, 0..TRN_RAY_DISTANCE_MAX</summary>
        public double distance_max;
        /// <summary>
        /// [TRN_BLOCK_BITS_WORDS] the set of blocks that stop the ray, bit id % 32 of word id / 32, as
        /// trn_block_types_kind_bits writes it. NULL: all solid blocks. The store's own solid and
        /// opaque sets are fastest, since chunks hold masks of them.
        /// </summary>
        public uint* stops;
        /// <summary>Whether the ray ends at a chunk that is not loaded; if not, such a chunk counts as air.</summary>
        public byte stops_at_unloaded;
    }

    /// <summary>Where a ray ended.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnRayHit
    {
        /// <summary>why it ended there</summary>
        public TrnRayEnd end;
        /// <summary>
        /// BLOCK: the block's voxel. UNLOADED: the first voxel in the chunk that is not loaded.
        /// DISTANCE, WORLD: the last voxel on the ray.
        /// </summary>
        public TrnVoxel voxel;
        /// <summary>
        /// The face of `voxel`, or of the model's box in it, through which the ray entered. The
        /// adjacent voxel on that side, trn_voxel_neighbour(), is where a player builds.
        /// TRN_FACE_COUNT if the ray started inside.
        /// </summary>
        public TrnFace face;
        /// <summary>BLOCK: the block; otherwise air</summary>
        public ushort block;
        /// <summary>voxels from the origin to the end</summary>
        public double distance;
    }

    /// <summary>Start from trn_registry_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnRegistryDef
    {
        /// <summary>offset of each object's uint32_t: offsetof(Mob, in_world)</summary>
        public UIntPtr index_offset;
        /// <summary>maximum number of objects; 0 means no limit</summary>
        public uint count_max;
        /// <summary>copied; NULL means malloc</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Read the fields, never write them.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnRegistry
    {
        /// <summary>[count] the objects, without gaps; may move when one is added</summary>
        public void** items;
        /// <summary>objects</summary>
        public uint count;
        /// <summary>objects that fit without allocating</summary>
        public uint capacity;
        /// <summary>as in the def</summary>
        public uint count_max;
        /// <summary>as in the def</summary>
        public UIntPtr index_offset;
        /// <summary>its memory comes from it</summary>
        public TrnAllocator allocator;
    }

    /// <summary>Start from trn_spatial_array_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSpatialArrayDef
    {
        /// <summary>1 (x), 2 (x and z) or 3; the other axes of every coordinate must be 0</summary>
        public int dimensions;
        /// <summary>1..65536</summary>
        public UIntPtr element_bytes;
        /// <summary>[element_bytes] value of a cell without an element; copied; NULL means all zeroes</summary>
        public void* sentinel;
        /// <summary>maximum memory of the cells</summary>
        public UIntPtr bytes_max;
        /// <summary>copied; NULL means malloc</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Read the fields, never write them. They are public so that the lookup can be inlined.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSpatialArray
    {
        /// <summary>extent[0] * extent[1] * extent[2] elements; x fastest, then z, then y. NULL when empty.</summary>
        public byte* cells;
        /// <summary>coordinates x, y, z of the first cell</summary>
        public fixed long origin[3];
        /// <summary>cells along x, y, z; 0 when empty</summary>
        public fixed long extent[3];
        /// <summary>as in the def</summary>
        public UIntPtr element_bytes;
        /// <summary>elements stored</summary>
        public UIntPtr count;
        /// <summary>as in the def</summary>
        public UIntPtr bytes_max;
        /// <summary>how often the extent grew</summary>
        public uint growths;
        /// <summary>as in the def</summary>
        public int dimensions;
        /// <summary>[element_bytes] what a cell without an element holds</summary>
        public byte* sentinel;
        /// <summary>its memory comes from it</summary>
        public TrnAllocator allocator;
    }

    /// <summary>Statistics of a spatial array.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSpatialArrayStats
    {
        /// <summary>coordinates x, y, z of the first cell</summary>
        public fixed long origin[3];
        /// <summary>cells along x, y, z; 0 when empty</summary>
        public fixed long extent[3];
        /// <summary>of the extent</summary>
        public UIntPtr cells;
        /// <summary>elements stored</summary>
        public UIntPtr count;
        /// <summary>count / cells, 0 when empty</summary>
        public double fill;
        /// <summary>all memory of the array</summary>
        public UIntPtr bytes;
        /// <summary>how often the extent grew</summary>
        public uint growths;
    }

    /// <summary>A terrain. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTerrain
    {
    }

    /// <summary>Settings of a world's shape. Start from trn_terrain_shape_default() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTerrainShape
    {
        /// <summary>Size of continents, ranges and biomes, 0.25..8. At 1 they are about 2,000 voxels wide.</summary>
        public float scale;
        /// <summary>amount of land, -1 (all sea) .. 1 (hardly any sea); 0: a third is sea</summary>
        public float land;
        /// <summary>height of hills, 0..2</summary>
        public float relief;
        /// <summary>height and frequency of mountains, 0..2</summary>
        public float mountains;
        /// <summary>width of valleys at sea level, and number of rivers, 0..2; 0: none</summary>
        public float rivers;
        /// <summary>strength of terraces, 0..1: mesas and canyons</summary>
        public float terraces;
        /// <summary>depth of overhangs, 0..2; 0: none</summary>
        public float overhangs;
        /// <summary>width of caves, 0..2; 0: none; at 1 caves take 1/25 of the rock</summary>
        public float caves;
        /// <summary>Added to the land's temperature, -1..1. Values far from 0 also reduce its variation.</summary>
        public float temperature;
        /// <summary>added to the land's moisture, -1..1</summary>
        public float moisture;
        /// <summary>density of trees and plants, 0..2</summary>
        public float trees;
    }

    /// <summary>Settings of a terrain. Start from trn_terrain_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTerrainDef
    {
        /// <summary>any value; each gives another world</summary>
        public ulong seed;
        /// <summary>
        /// TRN_TERRAIN_VERSION_OLDEST..TRN_TERRAIN_VERSION: which land is generated. Other versions
        /// would be different voxels, so trn_terrain_create refuses them with BAD_ARGUMENT, and
        /// trn_terrain_def_fault says what to do.
        /// </summary>
        public uint version;
        /// <summary>how the land looks</summary>
        public TrnTerrainShape shape;
        /// <summary>
        /// Capacity of the cache in chunk columns of about 13 KiB each, at least 1. The oldest column
        /// is evicted first. The square of the view's width in chunks is plenty. Up to half as many
        /// columns of levels above 0 are kept too, of 8 KiB each, and the bounds of eight times those.
        /// An eighth as many squares of noise, of 7.5 KiB each, are shared by adjacent columns. Regions
        /// of rivers take 0.5 MiB, from 512 columns on 1.3 and from 8,192 on 4.2.
        /// </summary>
        public uint column_cache_max;
        /// <summary>Copied; NULL means malloc. Every generating thread calls it.</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>Where and why a shape's text was rejected.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTerrainProblem
    {
        /// <summary>from 1</summary>
        public UIntPtr line;
        /// <summary>from 1, in bytes</summary>
        public UIntPtr column;
        /// <summary>what is wrong and what to do; printable ASCII for any input</summary>
        public fixed byte sentence[256];
    }

    /// <summary>What trn_terrain_sample reports of a voxel column.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTerrainSample
    {
        /// <summary>as trn_terrain_height</summary>
        public long height;
        /// <summary>of the column</summary>
        public TrnTerrainBiome biome;
        /// <summary>
        /// Block that covers the ground. Does not hold on the floor of a cave that opens there: more
        /// than eight voxels below the former ground it is bare rock.
        /// </summary>
        public ushort top;
        /// <summary>`top`; water or ice where water covers the ground</summary>
        public ushort surface;
        /// <summary>
        /// Voxel y of `surface`: that of the topmost water, in the sea TRN_TERRAIN_SEA_LEVEL; elsewhere
        /// `height`.
        /// </summary>
        public long surface_y;
    }

    /// <summary>Random ticks of one store. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTicks
    {
    }

    /// <summary>One voxel that is offered.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTick
    {
        /// <summary>where</summary>
        public TrnVoxel voxel;
        /// <summary>what it is now, with the edits of the batch; its type ticks</summary>
        public ushort block;
        /// <summary>for the game: as random as the choice of the voxel, and as repeatable</summary>
        public ulong random;
    }

    /// <summary>Start from trn_ticks_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTicksDef
    {
        /// <summary>not NULL</summary>
        public IntPtr tick;
        /// <summary>passed to it</summary>
        public void* user;
        /// <summary>another seed draws other voxels</summary>
        public ulong seed;
        /// <summary>voxels drawn in each chunk a step, 1..TRN_TICKS_PER_CHUNK_MAX</summary>
        public uint per_chunk;
        /// <summary>along x and z from an anchor, 0..TRN_TICKS_RADIUS_MAX</summary>
        public uint radius_chunks;
        /// <summary>the same along y</summary>
        public uint height_chunks;
    }

    /// <summary>What a step did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnTicksOutcome
    {
        /// <summary>loaded near anchors</summary>
        public uint chunks;
        /// <summary>of them, with blocks whose types tick</summary>
        public uint ticked_chunks;
        /// <summary>voxels</summary>
        public uint offered;
        /// <summary>of the edits; all 0 if nothing was offered</summary>
        public TrnBatchOutcome batch;
    }

    /// <summary>
    /// One face of one box of a model (TrnBlockModel), 16 bytes: a rectangle inside one voxel, on a
    /// grid of 1/16 voxel (TRN_BLOCK_GRID). Its two axes and its corners are those of a TrnQuad.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnModelFace
    {
        /// <summary>
        /// x, y, z of the voxel in bits 0..14, five each; the TrnFace in bits 15..17; the index of the
        /// box in bits 18..20; 0 above
        /// </summary>
        public uint place;
        /// <summary>
        /// the lower and upper end along the width axis in bits 0..9, along the height axis in bits
        /// 10..19, and the place along the third axis in bits 20..24, each 0..16; 0 above
        /// </summary>
        public uint rectangle;
        /// <summary>block in bits 0..15, ao in 16..23 as an opaque quad's, user byte in 24..31</summary>
        public uint look;
        /// <summary>of the four corners, as a quad's</summary>
        public uint light;
    }

    /// <summary>What a chunk is meshed from. The mesher borrows and only reads all of it, during the call.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnMeshInput
    {
        /// <summary>
        /// The chunk, around[TRN_AROUND_CENTRE], and the 26 around it, in the order of
        /// trn_coord_around. trn_store_snapshot_around fills it. Chunks are read as stored: the opaque
        /// masks of all, and the blocks of rows that show a face.
        /// </summary>
        public TrnSnapshot around0;
        public TrnSnapshot around1;
        public TrnSnapshot around2;
        public TrnSnapshot around3;
        public TrnSnapshot around4;
        public TrnSnapshot around5;
        public TrnSnapshot around6;
        public TrnSnapshot around7;
        public TrnSnapshot around8;
        public TrnSnapshot around9;
        public TrnSnapshot around10;
        public TrnSnapshot around11;
        public TrnSnapshot around12;
        public TrnSnapshot around13;
        public TrnSnapshot around14;
        public TrnSnapshot around15;
        public TrnSnapshot around16;
        public TrnSnapshot around17;
        public TrnSnapshot around18;
        public TrnSnapshot around19;
        public TrnSnapshot around20;
        public TrnSnapshot around21;
        public TrnSnapshot around22;
        public TrnSnapshot around23;
        public TrnSnapshot around24;
        public TrnSnapshot around25;
        public TrnSnapshot around26;
        /// <summary>bit i: around[i] is valid; bit TRN_AROUND_CENTRE must be set</summary>
        public uint present;
        /// <summary>true: a missing chunk counts as opaque and hides the border's faces. false: it is air.</summary>
        public byte missing_is_solid;
        /// <summary>true: no ambient occlusion; all ao is 255, and faces merge wherever their block is the same.</summary>
        public byte without_ao;
        /// <summary>true: each quad is one face, for textures that cannot repeat, such as those of an atlas</summary>
        public byte without_merging;
        /// <summary>
        /// Bit f, a TrnFace: an open side, towards a neighbour that may be drawn at another level of
        /// detail, whose surface lies elsewhere, and may have a cave where this one has rock. No opaque
        /// face on that side is hidden, unless this chunk and the six around it are opaque all through.
        /// The ao of these faces is 255, and their light TRN_MESH_LIGHT(15, 0). All other faces see the
        /// neighbour as it is.
        /// </summary>
        public uint open_sides;
        /// <summary>
        /// [type_count] by block id; ids from type_count on are opaque. Must be the types that the
        /// voxel heap's opaque_bits came from. A block about which the two disagree is drawn as either.
        /// </summary>
        public TrnBlockType* types;
        /// <summary>at least 1</summary>
        public uint type_count;
        /// <summary>
        /// The sky light of the chunk and its border; NULL: 15 everywhere. Faces merge only if the
        /// light of the rectangle, interpolated between its corners, is that of each face.
        /// </summary>
        public TrnLight* sky;
        /// <summary>the light of blocks; NULL: 0 everywhere</summary>
        public TrnLight* blocks;
        /// <summary>
        /// A game's own byte for each face, such as a tint, damage or wetness, which its quad carries
        /// (trn_quad_user_byte). By TrnFace: [TRN_CHUNK_VOXELS] by linear index; NULL: 0. Several faces
        /// may share an array. Plants have the byte of their top face. Faces merge only where their
        /// bytes are equal.
        /// </summary>
        public byte* user_bytes0;
        public byte* user_bytes1;
        public byte* user_bytes2;
        public byte* user_bytes3;
        public byte* user_bytes4;
        public byte* user_bytes5;
    }

    /// <summary>Where a chunk's quads lie.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnMeshInfo
    {
        /// <summary>group g is quads [first[g], first[g + 1])</summary>
        public fixed uint first[20];
        /// <summary>the lowest local coordinates of voxels that own a quad or hold a model</summary>
        public fixed byte min[3];
        /// <summary>the highest such coordinates, inclusive; 0, as min, without such voxels</summary>
        public fixed byte max[3];
        /// <summary>The light that all corners of all quads share, or TRN_MESH_LIGHT_VARIES; 0 without quads.</summary>
        public uint light;
        /// <summary>how many voxels hold a model: trn_mesh_models() meshes them</summary>
        public uint models;
    }

    /// <summary>Quads and faces of models in memory that grows. Callers read the fields and never write them.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnMesh
    {
        /// <summary>[capacity], the first trn_mesh_count(&amp;info) are in use</summary>
        public ulong* quads;
        /// <summary>[capacity] by quad, if info.light is TRN_MESH_LIGHT_VARIES</summary>
        public uint* light;
        /// <summary>doubles up to TRN_MESH_QUADS_MAX, shrinks only in trn_mesh_free</summary>
        public UIntPtr capacity;
        /// <summary>where the quads lie</summary>
        public TrnMeshInfo info;
        /// <summary>[model_capacity], the first model_count are in use</summary>
        public TrnModelFace* models;
        /// <summary>doubles, shrinks only in trn_mesh_free; 0 before the first model</summary>
        public UIntPtr model_capacity;
        /// <summary>faces of models</summary>
        public uint model_count;
        /// <summary>the memory comes from it</summary>
        public TrnAllocator allocator;
    }

    /// <summary>One corner of a quad or of a model's face, 40 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnMeshVertex
    {
        /// <summary>x, y, z in voxels from the chunk's lowest corner, plus the caller's offset; y is up</summary>
        public fixed float position[3];
        /// <summary>unit length, away from the block</summary>
        public fixed float normal[3];
        /// <summary>
        /// In voxels, so that a repeating texture covers each voxel once. u runs right and v up, from 0
        /// at the quad's lower left corner as seen from outside. Up is north (-z) on tops, south on
        /// bottoms.
        /// </summary>
        public fixed float uv[2];
        /// <summary>of the quad</summary>
        public ushort block;
        /// <summary>as trn_quad_face</summary>
        public byte face;
        /// <summary>ambient occlusion: 0 (darkest), 85, 170 or 255 (unoccluded)</summary>
        public byte ao;
        /// <summary>of the quad or face: see TrnMeshInput.user_bytes</summary>
        public byte user_byte;
        /// <summary>of a model: the index of the box, whose textures it has; otherwise 0</summary>
        public byte box;
        /// <summary>0</summary>
        public fixed byte unused[2];
    }

    /// <summary>What a row is found by.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageKey
    {
        /// <summary>of the chunk</summary>
        public TrnCoord coord;
        /// <summary>of detail: the chunk covers 32 &lt;&lt; level voxels an axis</summary>
        public uint level;
    }

    /// <summary>The bytes of one chunk.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageRow
    {
        /// <summary>what it is found by</summary>
        public TrnStorageKey key;
        /// <summary>Of the save when it wrote the row, 1..2^62: later rows have higher ones.</summary>
        public ulong revision;
        /// <summary>[size]; NULL in a batch: the row is removed</summary>
        public void* bytes;
        public UIntPtr size;
    }

    /// <summary>Bytes with a name.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageValue
    {
        /// <summary>UTF-8, at most TRN_STORAGE_NAME_MAX bytes</summary>
        public byte* name;
        /// <summary>[size]; NULL in a batch: the value is removed</summary>
        public void* bytes;
        public UIntPtr size;
    }

    /// <summary>What is written together.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageBatch
    {
        /// <summary>[row_count] each replaces the row of its key</summary>
        public TrnStorageRow* rows;
        /// <summary>rows</summary>
        public UIntPtr row_count;
        /// <summary>[value_count] each replaces the value of its name</summary>
        public TrnStorageValue* values;
        /// <summary>values</summary>
        public UIntPtr value_count;
        /// <summary>
        /// How many values, the last ones, are new: if one of their names has a value, the batch fails
        /// with EXISTS and changes nothing. The library's storages look in the transaction itself. A
        /// storage that one process alone writes need not look.
        /// </summary>
        public UIntPtr new_value_count;
    }

    /// <summary>Which rows to list.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageRange
    {
        /// <summary>of detail</summary>
        public uint level;
        /// <summary>of chunk coordinates of that level, both corners inclusive</summary>
        public TrnBox box;
        /// <summary>only rows of later revisions; 0: all</summary>
        public ulong since;
    }

    /// <summary>
    /// Reads rows by key, in any order; keys without a row are left out.
    /// @param keys  [count]
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStorage_get(void* user, TrnStorageKey* keys, UIntPtr count, IntPtr visit, void* visitor);

    /// <summary>Reads the rows of a range, in any order.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStorage_list(void* user, TrnStorageRange* range, IntPtr visit, void* visitor);

    /// <summary>Reads the values whose names begin with a prefix, in order of their names.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStorage_values(void* user, byte* prefix, IntPtr visit, void* visitor);

    /// <summary>
    /// Writes a batch in one transaction: all of it or, with any result except OK, nothing. When it
    /// returns OK, the batch survives a loss of power.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate TrnResult TrnStorage_put(void* user, TrnStorageBatch* batch);

    /// <summary>Returns a number that changes after another process has written. NULL: no other writes.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ulong TrnStorage_watch(void* user);

    /// <summary>
    /// Writes a sentence about the last failure on this storage into `text`. NULL: there is only
    /// the result.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStorage_problem(void* user, byte* text, UIntPtr capacity);

    /// <summary>Frees the storage.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void TrnStorage_close(void* user);

    /// <summary>A place for rows and values. All zeroes is no storage.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorage
    {
        /// <summary>
        /// Reads rows by key, in any order; keys without a row are left out.
        /// @param keys  [count]
        /// </summary>
        public IntPtr get;
        /// <summary>Reads the rows of a range, in any order.</summary>
        public IntPtr list;
        /// <summary>Reads the values whose names begin with a prefix, in order of their names.</summary>
        public IntPtr values;
        /// <summary>
        /// Writes a batch in one transaction: all of it or, with any result except OK, nothing. When it
        /// returns OK, the batch survives a loss of power.
        /// </summary>
        public IntPtr put;
        /// <summary>Returns a number that changes after another process has written. NULL: no other writes.</summary>
        public IntPtr watch;
        /// <summary>
        /// Writes a sentence about the last failure on this storage into `text`. NULL: there is only
        /// the result.
        /// </summary>
        public IntPtr problem;
        /// <summary>Frees the storage.</summary>
        public IntPtr close;
        /// <summary>passed to every function</summary>
        public void* user;
        /// <summary>
        /// How many keys a call of get should have if there are as many to read: more than 1 for a
        /// storage that answers one call about many keys sooner than a call for each, such as a server.
        /// 0: a call for each, as suits a file.
        /// </summary>
        public UIntPtr batch_keys;
    }

    /// <summary>A problem with a file, as a sentence for people.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageProblem
    {
        /// <summary>what is wrong and what to do</summary>
        public fixed byte sentence[512];
    }

    /// <summary>
    /// @param total  steps of the whole work; 0: unknown
    /// @return false to stop: the work then fails with IO and leaves everything as it was
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte TrnStorageProgress_step(void* user, ulong done, ulong total);

    /// <summary>Watches long work, and may stop it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStorageProgress
    {
        /// <summary>
        /// @param total  steps of the whole work; 0: unknown
        /// @return false to stop: the work then fails with IO and leaves everything as it was
        /// </summary>
        public IntPtr step;
        /// <summary>passed to it</summary>
        public void* user;
    }

    /// <summary>A file that appears under its name when it is complete.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnStoragePart
    {
    }

    /// <summary>A world that is saved. Opaque; the caller creates and destroys it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSave
    {
    }

    /// <summary>Start from trn_save_def() and change what you need.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSaveDef
    {
        /// <summary>owned by the save from trn_save_create on, which closes it</summary>
        public TrnStorage storage;
        /// <summary>
        /// Borrowed; must outlive the save. trn_save_create adds placeholders for unknown names, so
        /// create the save before the stream.
        /// </summary>
        public TrnBlockTypes* types;
        /// <summary>which chunks are saved</summary>
        public TrnSaveWhat what;
        /// <summary>what becomes of damaged ones</summary>
        public TrnSaveDamaged damaged;
        /// <summary>Seconds from the first change in the queue until it is written; 0: at once.</summary>
        public double commit_seconds;
        /// <summary>Seconds until the stream saves a chunk that is loaded: see TrnStreamSource.</summary>
        public double save_seconds;
        /// <summary>
        /// The most bytes of chunks and values in the queue. When it is full, saving a chunk fails with
        /// FULL, and the stream tries again; the chunk stays loaded. A single chunk or value that is
        /// larger, such as a chunk with much block data, is accepted in addition to them.
        /// </summary>
        public UIntPtr queue_bytes;
        /// <summary>of compression, -7..22</summary>
        public int zstd_level;
        /// <summary>
        /// false: the save starts no thread, and writes in trn_save_flush and in calls that add to the
        /// queue when a transaction is due.
        /// </summary>
        public byte has_thread;
        /// <summary>copied; NULL means malloc; called on any thread</summary>
        public TrnAllocator* allocator;
    }

    /// <summary>How far trn_save_fold is.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSaveFoldProgress
    {
        /// <summary>that is being made</summary>
        public uint level;
        /// <summary>of its chunks</summary>
        public ulong done;
        /// <summary>its chunks</summary>
        public ulong total;
    }

    /// <summary>Something that happened.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSaveEvent
    {
        /// <summary>what</summary>
        public TrnSaveEventKind kind;
        /// <summary>for DAMAGED, READ_FAILED</summary>
        public TrnStorageKey key;
        /// <summary>for WRITE_FAILED, READ_FAILED</summary>
        public TrnResult result;
        /// <summary>for people</summary>
        public fixed byte sentence[512];
    }

    /// <summary>Figures of a save, since it was created unless they say otherwise.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnSaveStats
    {
        /// <summary>chunks put into the queue</summary>
        public ulong queued;
        /// <summary>rows written to the storage</summary>
        public ulong written;
        /// <summary>bytes of these rows</summary>
        public ulong bytes_written;
        /// <summary>that succeeded</summary>
        public ulong transactions;
        /// <summary>transactions that failed</summary>
        public ulong failures;
        /// <summary>chunks found in the queue or in the storage</summary>
        public ulong loaded;
        /// <summary>chunks that neither has</summary>
        public ulong absent;
        /// <summary>rows that were damaged</summary>
        public ulong damaged;
        /// <summary>because the caller did not take them in time</summary>
        public ulong events_lost;
        /// <summary>chunks in the queue now</summary>
        public uint in_queue;
        /// <summary>bytes of the queue now</summary>
        public UIntPtr queue_bytes;
        /// <summary>the most that there were</summary>
        public UIntPtr queue_bytes_peak;
        /// <summary>for how long the oldest change in the queue has waited</summary>
        public double oldest_seconds;
    }

    /// <summary>What a repair found.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct TrnRepairReport
    {
        /// <summary>that the new file has</summary>
        public ulong chunks;
        /// <summary>rows of these chunks that a newer one replaces</summary>
        public ulong older;
        /// <summary>places that begin as a row and are none: damage, and remains of old rows</summary>
        public ulong broken;
        /// <summary>of the game and of the save, block names included, in the new file</summary>
        public ulong values;
        /// <summary>blocks whose names were not found: "lost:00012" stands for number 12</summary>
        public ulong lost_names;
        /// <summary>pages that the system could not read</summary>
        public ulong unreadable;
    }

    /// <summary>The functions of the library, and its constants.</summary>
    public static unsafe class Lib
    {
        public const string Name = "terrane";
        public const string Version = "0.3.0";

        /// <summary>The version of the headers. CMake reads it here.</summary>
        public const int TRN_VERSION_MAJOR = 0;
        /// <summary>As TRN_VERSION_MAJOR: its second number.</summary>
        public const int TRN_VERSION_MINOR = 3;
        /// <summary>As TRN_VERSION_MAJOR: its third number.</summary>
        public const int TRN_VERSION_PATCH = 0;
        /// <summary>The version of the headers as one number: 3000 for 0.3.0.</summary>
        public const int TRN_VERSION_NUMBER = 3000;
        /// <summary>The largest sphere of a batch, in voxels.</summary>
        public const double TRN_SPHERE_RADIUS_MAX = 1024.0;
        /// <summary>The most bytes that one voxel may have.</summary>
        public const int TRN_DATA_BYTES_MAX = 65536;
        /// <summary>The most bytes that the voxels of one chunk may have together.</summary>
        public const int TRN_DATA_CHUNK_BYTES_MAX = 16777216;
        /// <summary>The most voxels of a chunk that may have data.</summary>
        public const int TRN_DATA_VOXELS_MAX = 4096;
        /// <summary>types in a registry</summary>
        public const int TRN_BLOCK_TYPES_MAX = 65536;
        /// <summary>bytes in a name, without the zero at its end</summary>
        public const int TRN_BLOCK_NAME_MAX = 63;
        /// <summary>the strongest light</summary>
        public const int TRN_BLOCK_LIGHT_MAX = 15;
        /// <summary>words in a set of blocks, one bit an id</summary>
        public const int TRN_BLOCK_BITS_WORDS = 2048;
        /// <summary>units of TrnBlockBox and TrnBlockType.surface in a voxel</summary>
        public const int TRN_BLOCK_GRID = 16;
        /// <summary>boxes in a model</summary>
        public const int TRN_BLOCK_BOXES_MAX = 8;
        /// <summary>types in a family</summary>
        public const int TRN_BLOCK_VARIANTS_MAX = 9;
        /// <summary>The largest extent of a box along an axis, in voxels.</summary>
        public const double TRN_BODY_SIZE_MAX = 64.0;
        /// <summary>The longest motion of one sweep along an axis, in voxels.</summary>
        public const double TRN_SWEEP_MAX = 1024.0;
        /// <summary>
        /// The highest speed along an axis, voxels/s: the longest sweep divided by the longest step. Higher
        /// speeds are clamped.
        /// </summary>
        public const double TRN_BODY_SPEED_MAX = 4096.0;
        /// <summary>voxels/s</summary>
        public const double TRN_BODY_WALK_SPEED = 4.3;
        /// <summary>voxels/s</summary>
        public const double TRN_BODY_SWIM_SPEED = 2.5;
        /// <summary>voxels/s</summary>
        public const double TRN_BODY_CLIMB_SPEED = 3.0;
        /// <summary>voxels/s: a jump of 1.27 voxels, onto one block but not two</summary>
        public const double TRN_BODY_JUMP_SPEED = 9.0;
        /// <summary>voxels/s^2</summary>
        public const double TRN_BODY_GRAVITY = 32.0;
        /// <summary>The longest step, in seconds. Longer ones are refused: make several.</summary>
        public const double TRN_BODY_STEP_MAX = 0.25;
        /// <summary>The plane of present chunks, which insert and remove maintain.</summary>
        public const int TRN_PLANE_PRESENT = 0;
        /// <summary>Present and 31 of the caller's, so that a set of planes fits 32 bits.</summary>
        public const int TRN_PLANE_COUNT_MAX = 32;
        /// <summary>Means "no chunk" where values are returned in fixed places; cannot be inserted.</summary>
        public const uint TRN_CHUNK_VALUE_NONE = 4294967295;
        /// <summary>The bytes of a reader's name with its final zero.</summary>
        public const int TRN_READER_NAME_BYTES = 32;
        /// <summary>
        /// A page is a cube of cells; this is log2 of its edge. Page coordinates are chunk coordinates
        /// shifted right by it, rounding down.
        /// </summary>
        public const int TRN_PAGE_SHIFT = 3;
        /// <summary>Cells along the edge of a page.</summary>
        public const int TRN_PAGE_EDGE = 8;
        /// <summary>Cells of a page.</summary>
        public const int TRN_PAGE_CELLS = 512;
        /// <summary>Words of a plane of a page: one per y.</summary>
        public const int TRN_PAGE_WORDS = 8;
        /// <summary>Bits of such a word: one per x and z.</summary>
        public const int TRN_PAGE_WORD_BITS = 64;
        /// <summary>How many reshapes of its directory an index remembers.</summary>
        public const int TRN_DIRECTORY_STEPS_MAX = 16;
        /// <summary>log2 of the voxels along the edge of a chunk.</summary>
        public const int TRN_CHUNK_SHIFT = 5;
        /// <summary>Voxels along the edge of a chunk.</summary>
        public const int TRN_CHUNK_EDGE = 32;
        /// <summary>Voxels in a chunk.</summary>
        public const int TRN_CHUNK_VOXELS = 32768;
        /// <summary>The lowest coordinate of a voxel in the world, on each axis.</summary>
        public const long TRN_VOXEL_MIN = -68719476736;
        /// <summary>The highest coordinate of a voxel in the world, on each axis.</summary>
        public const ulong TRN_VOXEL_MAX = 68719476735;
        /// <summary>A chunk and its 26 neighbours: how many chunks that is.</summary>
        public const int TRN_AROUND_COUNT = 27;
        /// <summary>The place of the chunk itself among them.</summary>
        public const int TRN_AROUND_CENTRE = 13;
        /// <summary>The most chunks that a delta's box may hold, loaded or not.</summary>
        public const int TRN_DELTA_BOX_MAX = 1048576;
        /// <summary>The coarsest level of a far view.</summary>
        public const int TRN_FAR_LEVEL_MAX = 8;
        /// <summary>The most chunks that a feature may reach beyond the one where it begins.</summary>
        public const int TRN_FEATURES_REACH_MAX = 4;
        /// <summary>The coarsest level of detail with features.</summary>
        public const int TRN_FEATURES_LEVEL_MAX = 4;
        /// <summary>liquids of a fluid</summary>
        public const int TRN_FLUID_LIQUIDS_MAX = 4;
        /// <summary>reactions of a fluid</summary>
        public const int TRN_FLUID_REACTIONS_MAX = 8;
        /// <summary>the lowest flow</summary>
        public const int TRN_FLUID_LEVEL_MAX = 7;
        /// <summary>the place of the falling block in TrnFluidLiquid.blocks</summary>
        public const int TRN_FLUID_FALLING = 8;
        /// <summary>the farthest that a liquid looks for a drop, in voxels</summary>
        public const int TRN_FLUID_DROP_MAX = 5;
        /// <summary>Coarsest level of detail. Level n samples every 2^n-th voxel along each axis.</summary>
        public const int TRN_GENERATOR_LEVEL_MAX = 12;
        /// <summary>
        /// The most stack that any function of Terrane takes, in an optimised build, without functions of
        /// the caller's: generating a chunk of the built-in terrain takes that much, encoding one for a
        /// stream 100 KiB, everything else 24 KiB or less.
        /// </summary>
        public const int TRN_STACK_BYTES = 229376;
        /// <summary>bits of a level</summary>
        public const int TRN_LIGHT_LEVELS = 4;
        /// <summary>voxels an axis: the chunk and its border</summary>
        public const int TRN_LIGHT_EDGE = 34;
        /// <summary>rows along x</summary>
        public const int TRN_LIGHT_ROWS = 1156;
        /// <summary>TrnLight.constant: not all levels are equal</summary>
        public const int TRN_LIGHT_VARIES = 255;
        /// <summary>layers of a noise</summary>
        public const int TRN_NOISE_OCTAVE_MAX = 8;
        /// <summary>layers of a domain warp</summary>
        public const int TRN_NOISE_WARP_OCTAVE_MAX = 4;
        /// <summary>the shortest wavelength of a layer, in voxels</summary>
        public const double TRN_NOISE_WAVELENGTH_MIN = 1.0;
        /// <summary>the longest wavelength of a layer, in voxels</summary>
        public const double TRN_NOISE_WAVELENGTH_MAX = 1048576.0;
        /// <summary>the coarsest level of a grid</summary>
        public const int TRN_NOISE_LEVEL_MAX = 31;
        /// <summary>A grid may begin this many voxels outside the world, since generators sample around chunks.</summary>
        public const int TRN_NOISE_MARGIN = 32;
        /// <summary>The longest ray, in voxels.</summary>
        public const double TRN_RAY_DISTANCE_MAX = 1048576.0;
        /// <summary>Bytes before the user bytes of a chunk. What follows TrnChunk in them is the store's own.</summary>
        public const int TRN_CHUNK_HEADER_BYTES = 64;
        /// <summary>The most chunks of one call of TrnStreamSource.load_many.</summary>
        public const int TRN_STREAM_LOADS_MAX = 64;
        /// <summary>TrnStreamDef.workers: as many as suit the machine.</summary>
        public const uint TRN_STREAM_WORKERS_DEFAULT = 4294967295;
        /// <summary>The most workers of a stream.</summary>
        public const int TRN_STREAM_WORKER_MAX = 64;
        /// <summary>The largest radius and height of a view, in chunks.</summary>
        public const int TRN_STREAM_RADIUS_MAX = 16384;
        /// <summary>Voxel y of the topmost layer of water in the sea.</summary>
        public const int TRN_TERRAIN_SEA_LEVEL = 0;
        /// <summary>
        /// The newest version of the land, which new worlds get. It rises whenever the same def generates
        /// different voxels. A save should store a def's version with it.
        /// </summary>
        public const int TRN_TERRAIN_VERSION = 5;
        /// <summary>
        /// The oldest version that this library generates. A saved world of an older one keeps what is
        /// saved; nothing can be generated around it.
        /// </summary>
        public const int TRN_TERRAIN_VERSION_OLDEST = 4;
        /// <summary>Voxel y of the lowest cave or ground surface.</summary>
        public const long TRN_TERRAIN_LOWEST = -192;
        /// <summary>Voxel y of the highest ground. Trees reach 16 voxels higher.</summary>
        public const int TRN_TERRAIN_HIGHEST = 320;
        /// <summary>Coarsest level of detail. Level n samples every 2^n-th voxel.</summary>
        public const int TRN_TERRAIN_LEVEL_MAX = 12;
        /// <summary>voxels drawn in a chunk a step</summary>
        public const int TRN_TICKS_PER_CHUNK_MAX = 64;
        /// <summary>chunks from an anchor along an axis</summary>
        public const int TRN_TICKS_RADIUS_MAX = 64;
        /// <summary>Rows of 32 voxels along x in a chunk. Bit x of row y * 32 + z is the voxel at x, y, z.</summary>
        public const int TRN_CHUNK_ROWS = 1024;
        /// <summary>A revision has 46 bits. Higher bits of a revision argument are cut off.</summary>
        public const int TRN_REVISION_BITS = 46;
        /// <summary>The highest revision.</summary>
        public const ulong TRN_REVISION_MAX = 70368744177663;
        /// <summary>Half-layers of a chunk: half-layer h is the 16 rows from row 16 * h on, so that y is h / 2.</summary>
        public const int TRN_CHUNK_HALVES = 64;
        /// <summary>rows of a half-layer</summary>
        public const int TRN_HALF_ROWS = 16;
        /// <summary>
        /// The most vertices that one quad yields. A plant's leaf yields them: both its sides, for
        /// renderers that cull back faces, the front side first. A renderer that draws both sides of a face
        /// uses the front alone. Every other quad yields half as many.
        /// </summary>
        public const int TRN_QUAD_VERTICES_MAX = 8;
        /// <summary>As TRN_QUAD_VERTICES_MAX: the most indices of one quad.</summary>
        public const int TRN_QUAD_INDICES_MAX = 12;
        /// <summary>
        /// The face of a plant's first leaf, from corner (x, z) = (0, 0) to (1, 1). Both leaves are
        /// upright, crossed in one voxel, of width and height 1, and visible from both sides.
        /// </summary>
        public const int TRN_QUAD_PLANT_A = 6;
        /// <summary>The face of a plant's second leaf, from corner (x, z) = (1, 0) to (0, 1).</summary>
        public const int TRN_QUAD_PLANT_B = 7;
        /// <summary>
        /// How far the surface of a liquid lies below the top of its voxel, in voxels, if its type has the
        /// usual TrnBlockType.surface of 14.
        /// </summary>
        public const double TRN_LIQUID_DROP = 0.125;
        /// <summary>TrnMeshInfo.light of meshes whose light varies; not a TRN_MESH_LIGHT.</summary>
        public const int TRN_MESH_LIGHT_VARIES = 1;
        /// <summary>
        /// The size of the scratch memory that one thread needs to mesh. The caller owns it, aligned to 64
        /// bytes (trn_aligned_alloc). Its contents mean nothing between calls.
        /// </summary>
        public const int TRN_MESH_SCRATCH_BYTES = 491520;
        /// <summary>
        /// The most quads that one chunk can show: every face of every voxel, if two liquids alternate like
        /// the squares of a checkerboard, or all voxels are cutouts.
        /// </summary>
        public const int TRN_MESH_QUADS_MAX = 196608;
        /// <summary>
        /// The most opaque quads among them: a checkerboard of a block and air, six faces on every second
        /// voxel.
        /// </summary>
        public const int TRN_MESH_OPAQUE_QUADS_MAX = 98304;
        /// <summary>The most faces of models that one chunk can show: six for each of eight boxes in every voxel.</summary>
        public const int TRN_MESH_MODEL_FACES_MAX = 1572864;
        /// <summary>a chunk of stone</summary>
        public const int TRN_VISIBILITY_NONE = 0;
        /// <summary>a chunk of air</summary>
        public const int TRN_VISIBILITY_ALL = 32767;
        /// <summary>Bytes in a value's name, without the zero at its end.</summary>
        public const int TRN_STORAGE_NAME_MAX = 255;
        /// <summary>id 0 of every registry</summary>
        public const int TRN_BLOCK_AIR = 0;
        /// <summary>most rock</summary>
        public const int TRN_BLOCK_STONE = 1;
        /// <summary>below grass</summary>
        public const int TRN_BLOCK_DIRT = 2;
        /// <summary>ground of grassland</summary>
        public const int TRN_BLOCK_GRASS = 3;
        /// <summary>beaches, sea beds and deserts</summary>
        public const int TRN_BLOCK_SAND = 4;
        /// <summary>shores, sea beds and tundra</summary>
        public const int TRN_BLOCK_GRAVEL = 5;
        /// <summary>ground of cold land and peaks</summary>
        public const int TRN_BLOCK_SNOW = 6;
        /// <summary>a liquid</summary>
        public const int TRN_BLOCK_WATER = 7;
        /// <summary>on cold seas; opaque</summary>
        public const int TRN_BLOCK_ICE = 8;
        /// <summary>steep ground of deserts</summary>
        public const int TRN_BLOCK_SANDSTONE = 9;
        /// <summary>a layer of rock</summary>
        public const int TRN_BLOCK_SLATE = 10;
        /// <summary>a layer of rock</summary>
        public const int TRN_BLOCK_LIMESTONE = 11;
        /// <summary>a layer of rock</summary>
        public const int TRN_BLOCK_GRANITE = 12;
        /// <summary>ground of swamps</summary>
        public const int TRN_BLOCK_MUD = 13;
        /// <summary>ground of forests</summary>
        public const int TRN_BLOCK_FOREST_FLOOR = 14;
        /// <summary>ground of savannas</summary>
        public const int TRN_BLOCK_DRY_GRASS = 15;
        /// <summary>ground of tundra</summary>
        public const int TRN_BLOCK_MOSS = 16;
        /// <summary>veins in rock</summary>
        public const int TRN_BLOCK_COAL_ORE = 17;
        /// <summary>veins in rock</summary>
        public const int TRN_BLOCK_IRON_ORE = 18;
        /// <summary>veins in rock</summary>
        public const int TRN_BLOCK_GOLD_ORE = 19;
        /// <summary>trunk of an oak</summary>
        public const int TRN_BLOCK_OAK_LOG = 20;
        /// <summary>crown of an oak</summary>
        public const int TRN_BLOCK_OAK_LEAVES = 21;
        /// <summary>trunk of a pine</summary>
        public const int TRN_BLOCK_PINE_LOG = 22;
        /// <summary>crown of a pine</summary>
        public const int TRN_BLOCK_PINE_LEAVES = 23;
        /// <summary>trunk of an acacia</summary>
        public const int TRN_BLOCK_ACACIA_LOG = 24;
        /// <summary>crown of an acacia</summary>
        public const int TRN_BLOCK_ACACIA_LEAVES = 25;
        /// <summary>grows in deserts</summary>
        public const int TRN_BLOCK_CACTUS = 26;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_TALL_GRASS = 27;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_FLOWER = 28;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_DEAD_BUSH = 29;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_REEDS = 30;
        /// <summary>not in the terrain</summary>
        public const int TRN_BLOCK_GLASS = 31;
        /// <summary>not in the terrain; not solid, and bodies climb in it</summary>
        public const int TRN_BLOCK_SCAFFOLD = 32;
        /// <summary>not in the terrain; emits light 14</summary>
        public const int TRN_BLOCK_LANTERN = 33;
        /// <summary>not in the terrain; emits light 11</summary>
        public const int TRN_BLOCK_GLOWING_STONE = 34;
        /// <summary>in deep caves; a liquid that emits light 15</summary>
        public const int TRN_BLOCK_LAVA = 35;
        /// <summary>variant 1 of water</summary>
        public const int TRN_BLOCK_WATER_FLOW = 36;
        /// <summary>variant 1 of lava</summary>
        public const int TRN_BLOCK_LAVA_FLOW = 44;
        /// <summary>the first of what follows: to build with</summary>
        public const int TRN_BLOCK_OAK_PLANKS = 52;
        /// <summary>a cutout</summary>
        public const int TRN_BLOCK_BIRCH_LEAVES = 55;
        /// <summary>8 turns, as all slabs</summary>
        public const int TRN_BLOCK_STONE_SLAB = 57;
        /// <summary>8 turns, as all stairs</summary>
        public const int TRN_BLOCK_STONE_STAIRS = 121;
        /// <summary>connects</summary>
        public const int TRN_BLOCK_OAK_FENCE = 185;
        /// <summary>connects</summary>
        public const int TRN_BLOCK_STONE_WALL = 188;
        /// <summary>connects</summary>
        public const int TRN_BLOCK_GLASS_PANE = 193;
        /// <summary>4 turns; then open, 4 turns</summary>
        public const int TRN_BLOCK_OAK_DOOR = 195;
        /// <summary>4 turns</summary>
        public const int TRN_BLOCK_OAK_LADDER = 219;
        /// <summary>emits light 14</summary>
        public const int TRN_BLOCK_TORCH = 223;
        /// <summary>4 turns; emits light 14</summary>
        public const int TRN_BLOCK_WALL_TORCH = 224;
        /// <summary>emits light 14</summary>
        public const int TRN_BLOCK_STANDING_LANTERN = 228;
        /// <summary>the first of three</summary>
        public const int TRN_BLOCK_RED_CARPET = 229;
        /// <summary>the first of four stages</summary>
        public const int TRN_BLOCK_WHEAT = 232;
        /// <summary>emits light 14</summary>
        public const int TRN_BLOCK_HANGING_LANTERN = 236;
        /// <summary>trunk of an aspen</summary>
        public const int TRN_BLOCK_ASPEN_LOG = 237;
        /// <summary>crown of an aspen</summary>
        public const int TRN_BLOCK_ASPEN_LEAVES = 238;
        /// <summary>crown of a willow</summary>
        public const int TRN_BLOCK_WILLOW_LEAVES = 239;
        /// <summary>crown of a palm</summary>
        public const int TRN_BLOCK_PALM_LEAVES = 240;
        /// <summary>fallen trunks, dead trees</summary>
        public const int TRN_BLOCK_DEAD_WOOD = 241;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_FERN = 242;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_RED_FLOWER = 243;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_BLUE_FLOWER = 244;
        /// <summary>a plant</summary>
        public const int TRN_BLOCK_WHITE_FLOWER = 245;
        /// <summary>the first of what imported worlds are made of</summary>
        public const int TRN_BLOCK_WHITE_WOOL = 246;
        /// <summary>rock of wet caves</summary>
        public const int TRN_BLOCK_TUFF = 326;
        /// <summary>beds of pools</summary>
        public const int TRN_BLOCK_CLAY = 338;
        /// <summary>rock of dry caves</summary>
        public const int TRN_BLOCK_DRIPSTONE = 339;
        /// <summary>below crystals</summary>
        public const int TRN_BLOCK_AMETHYST = 340;
        /// <summary>rock of deep caves</summary>
        public const int TRN_BLOCK_BASALT = 343;
        /// <summary>floors of deep caves</summary>
        public const int TRN_BLOCK_BLACKSTONE = 344;
        /// <summary>around lava; emits light 3</summary>
        public const int TRN_BLOCK_MAGMA = 387;
        /// <summary>emits light 7</summary>
        public const int TRN_BLOCK_LICHEN_FLAT = 622;
        /// <summary>of dripstone</summary>
        public const int TRN_BLOCK_SPIKE = 658;
        /// <summary>in wet caves; emits light 9</summary>
        public const int TRN_BLOCK_GLOWING_MOSS = 666;
        /// <summary>sea beds</summary>
        public const int TRN_BLOCK_RIPPLED_SAND = 667;
        /// <summary>warm sea beds</summary>
        public const int TRN_BLOCK_RED_CORAL = 668;
        /// <summary>warm sea beds</summary>
        public const int TRN_BLOCK_YELLOW_CORAL = 669;
        /// <summary>warm sea beds</summary>
        public const int TRN_BLOCK_VIOLET_CORAL = 670;
        /// <summary>the tip of a spike</summary>
        public const int TRN_BLOCK_STALAGMITE = 671;
        /// <summary>the tip of a spike, downwards</summary>
        public const int TRN_BLOCK_STALACTITE = 672;
        /// <summary>emits light 11</summary>
        public const int TRN_BLOCK_CRYSTAL_CLUSTER = 673;
        /// <summary>a plant in water</summary>
        public const int TRN_BLOCK_KELP = 674;
        /// <summary>a plant in water</summary>
        public const int TRN_BLOCK_SEA_GRASS = 675;
        /// <summary>the number of built-in types; a game's own ids begin here</summary>
        public const int TRN_BLOCK_BUILTIN_COUNT = 676;
        /// <summary>opaque quads, by TrnFace</summary>
        public const int TRN_MESH_OPAQUE = 0;
        /// <summary>cutout quads, by TrnFace</summary>
        public const int TRN_MESH_CUTOUT = 6;
        /// <summary>leaves of plants</summary>
        public const int TRN_MESH_PLANTS = 12;
        /// <summary>transparent quads, by TrnFace</summary>
        public const int TRN_MESH_TRANSPARENT = 13;
        /// <summary>the number of groups</summary>
        public const int TRN_MESH_GROUP_COUNT = 19;

        /// <summary>Returns the version of the linked library, such as "0.3.0". Static text. Any thread.</summary>
        [DllImport(Name, EntryPoint = "trn_version", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_version();

        /// <summary>
        /// Returns one sentence that says what is wrong and what to do about it, true of every call that
        /// returns the result. What it means at the call that failed stands in that call's declaration,
        /// under Errors. Static text, never NULL, for any value. Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_result_text", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_result_text(TrnResult result);

        /// <summary>
        /// Returns the allocator that objects use by default, over trn_aligned_alloc() and
        /// trn_aligned_free(). Except on Windows, it aligns blocks of 2 MiB and more to 2 MiB; on Linux, it
        /// asks for huge pages for them. Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_allocator_default", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnAllocator trn_allocator_default();

        /// <summary>
        /// Allocates memory of the caller's own, such as the mesher's scratch. Contents are undefined.
        /// @param bytes      at least 1
        /// @param alignment  in bytes, a power of two
        /// @return NULL if there is no memory or an argument is out of range; the caller frees it with
        ///         trn_aligned_free()
        /// Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_aligned_alloc", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_aligned_alloc(UIntPtr bytes, UIntPtr alignment);

        /// <summary>
        /// Frees memory of trn_aligned_alloc(). Any thread.
        /// @param memory  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_aligned_free", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_aligned_free(void* memory);

        /// <summary>Whether two coordinates are equal.</summary>
        [DllImport(Name, EntryPoint = "trnx_coord_equal", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_coord_equal(TrnCoord a, TrnCoord b);

        /// <summary>Adds an offset in chunks. Wraps at the ends of int32.</summary>
        [DllImport(Name, EntryPoint = "trnx_coord_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCoord trn_coord_add(TrnCoord coord, int dx, int dy, int dz);

        /// <summary>The chunk behind a face. Wraps at the ends of int32.</summary>
        [DllImport(Name, EntryPoint = "trnx_coord_neighbour", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCoord trn_coord_neighbour(TrnCoord coord, TrnFace face);

        /// <summary>
        /// The chunk at a place, 0..26, around `coord`: x fastest, then z, then y. Wraps at the ends of
        /// int32. trn_store_snapshot_around() and the bits of TrnEventChunk.around have the same order.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_coord_around", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCoord trn_coord_around(TrnCoord coord, uint place);

        /// <summary>Whether a box holds no chunk.</summary>
        [DllImport(Name, EntryPoint = "trnx_box_is_empty", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_box_is_empty(TrnBox box);

        /// <summary>Whether a chunk lies in a box.</summary>
        [DllImport(Name, EntryPoint = "trnx_box_contains", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_box_contains(TrnBox box, TrnCoord coord);

        /// <summary>
        /// The box of all chunks within a radius of `centre`. Clamped at the ends of int32.
        /// @param radius_x,radius_y,radius_z  chunks along each axis, 0 or more
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_box_around", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBox trn_box_around(TrnCoord centre, int radius_x, int radius_y, int radius_z);

        /// <summary>Whether each axis lies in [TRN_VOXEL_MIN, TRN_VOXEL_MAX].</summary>
        [DllImport(Name, EntryPoint = "trnx_voxel_in_world", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_voxel_in_world(TrnVoxel voxel);

        /// <summary>The chunk that holds a voxel of the world.</summary>
        [DllImport(Name, EntryPoint = "trnx_voxel_chunk", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCoord trn_voxel_chunk(TrnVoxel voxel);

        /// <summary>The linear index, 0..32767, of local coordinates, each 0..31.</summary>
        [DllImport(Name, EntryPoint = "trnx_local_index", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_local_index(uint x, uint y, uint z);

        /// <summary>The linear index of a voxel inside its chunk.</summary>
        [DllImport(Name, EntryPoint = "trnx_voxel_local_index", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_voxel_local_index(TrnVoxel voxel);

        /// <summary>
        /// The voxel behind a face, such as where a player builds on what a ray hit. It may lie beyond the
        /// end of the world.
        /// @param face  TRN_FACE_COUNT, of a ray that began inside a block: the voxel itself
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_voxel_neighbour", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxel trn_voxel_neighbour(TrnVoxel voxel, TrnFace face);

        /// <summary>The lowest corner of a voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_voxel_position", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPosition trn_voxel_position(TrnVoxel voxel);

        /// <summary>The lowest voxel of a chunk.</summary>
        [DllImport(Name, EntryPoint = "trnx_coord_voxel", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxel trn_coord_voxel(TrnCoord coord);

        /// <summary>Whether two positions are the same point. Offsets are compared as numbers: NaN equals nothing.</summary>
        [DllImport(Name, EntryPoint = "trnx_position_equal", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_position_equal(TrnPosition a, TrnPosition b);

        /// <summary>
        /// Moves a position by some voxels, across chunks if needed. At the ends of the world it stops
        /// along the axis that would leave the world. NaN moves nowhere.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_position_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPosition trn_position_add(TrnPosition position, double* by);

        /// <summary>`to` minus `from` in voxels. Exact to 2^-20 voxels over a million chunks, coarser farther apart.</summary>
        [DllImport(Name, EntryPoint = "trn_position_difference", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_position_difference(TrnPosition to, TrnPosition from, double* @out);

        /// <summary>The voxel that contains a position.</summary>
        [DllImport(Name, EntryPoint = "trn_position_voxel", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxel trn_position_voxel(TrnPosition position);

        /// <summary>
        /// Returns a type to start from: white, without textures or light, solid unless its kind is AIR,
        /// LIQUID or PLANT, dimming light by 2 if it is LIQUID and by 1 if it is CUTOUT, with a surface at
        /// 14/16 if it is LIQUID. A MODEL needs a model too.
        /// @param name  borrowed; the result points to it
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_type_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBlockType trn_block_type_def(byte* name, TrnBlockKind kind);

        /// <summary>
        /// Creates a registry with one type, air (TRN_BLOCK_AIR, "terrane:air"). A game's own types get ids
        /// from 1 on.
        /// @param allocator  copied; NULL means malloc
        /// @param types      receives the registry; the caller destroys it
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// Cost: O(1); 49 KiB, about 140 bytes for each type beyond the first 64, and 320 bytes for
        /// each model.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_create(TrnAllocator* allocator, TrnBlockTypes** types);

        /// <summary>
        /// Creates a registry with the built-in types, so that each has its TRN_BLOCK_* id. A game's own
        /// types get ids from TRN_BLOCK_BUILTIN_COUNT on. Otherwise as trn_block_types_create. The types
        /// are part of the library; no file is read. It takes some 160 KiB.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_create_builtin", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_create_builtin(TrnAllocator* allocator, TrnBlockTypes** types);

        /// <summary>
        /// Destroys a registry. No store or heap may still use it.
        /// @param types  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_block_types_destroy(TrnBlockTypes* types);

        /// <summary>
        /// Adds a type. A type never changes after that, because masks and meshes depend on it. Only a
        /// placeholder of the same name is filled in, and keeps its id. Do that before voxels with it are
        /// loaded: masks made from the placeholder stay until the voxels are encoded again.
        /// @param type  copied, including its name and model; is_unknown must be false; family and variant
        ///              are ignored
        /// @param id    receives the id; may be NULL
        /// Errors: BAD_ARGUMENT (a bad name, kind, light, surface, model or liquid, or is_unknown), EXISTS
        /// (the name is known), FULL (TRN_BLOCK_TYPES_MAX types), NO_MEMORY; the registry is unchanged
        /// then. Success invalidates all pointers that the registry returned before, except the four sets
        /// of bits. Cost: amortized O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_add(TrnBlockTypes* types, TrnBlockType* type, ushort* id);

        /// <summary>
        /// Adds all types of a family, or none of them. The first has the name of `type`, the others that
        /// name with "/1", "/2" and so on. Members that are placeholders are filled in and keep their ids;
        /// the others get consecutive new ids. Turns are rotated from +x towards +z, each a quarter, with
        /// boxes, colours, layers and connected sides; upside down means mirrored from top to bottom. The
        /// surfaces of flows fall evenly from below the source's to 1; the surface of the falling liquid
        /// is 16.
        /// @param type   the first; as for trn_block_types_add(); its name has at most
        ///               TRN_BLOCK_NAME_MAX - 2 bytes
        /// @param count  MODEL: 4 (turns) or 8 (turns, then the same upside down); LIQUID: 9
        /// @param first  receives the id of the first; may be NULL
        /// Errors and pointers: as trn_block_types_add(); BAD_ARGUMENT also for another count.
        /// Cost: amortized O(count).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_add_family", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_add_family(TrnBlockTypes* types, TrnBlockType* type, uint count, ushort* first);

        /// <summary>
        /// Adds a placeholder for a name that this game does not know, so that saving the world again keeps
        /// the name. It is opaque, solid and of a conspicuous colour made from the name, until
        /// trn_block_types_add() or a text fills it in. A name that ends in a colour, such as
        /// "model:8c39ce", gets that colour.
        /// @param name  copied
        /// @param id    receives the id; may be NULL
        /// Errors, pointers and cost: as trn_block_types_add(); EXISTS also if the name is already a
        /// placeholder.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_add_unknown", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_add_unknown(TrnBlockTypes* types, byte* name, ushort* id);

        /// <summary>
        /// Adds all types of a text, in its order, or none of them. docs/blocks.md describes the format. A
        /// type of the registry stays as it is if the text agrees with it, and a placeholder is filled in
        /// and keeps its id.
        /// @param text     [size] bytes, without a zero at the end; any bytes are safe
        /// @param problem  written on failure only; may be NULL
        /// Errors: BAD_ARGUMENT, CORRUPT (the text breaks the format), EXISTS (it contradicts a type of the
        /// registry), FULL, NO_MEMORY; the registry is unchanged then. Pointers: as trn_block_types_add().
        /// Cost: O(size + types of the registry); memory for a second copy of the types
        /// during the call.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_load", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_load(TrnBlockTypes* types, byte* text, UIntPtr size, TrnBlockTypesProblem* problem);

        /// <summary>
        /// Finds the id of a name, including placeholders.
        /// @param id  receives the id; may be NULL
        /// Errors: BAD_ARGUMENT, NOT_FOUND. Cost: O(1), one hash lookup.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_find", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_block_types_find(TrnBlockTypes* types, byte* name, ushort* id);

        /// <summary>
        /// Returns the type of an id, never NULL: an unassigned id returns a placeholder named
        /// "terrane:missing". Valid until types are added or loaded. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBlockType* trn_block_types_get(TrnBlockTypes* types, ushort id);

        /// <summary>
        /// Returns another type of a block's family, such as the next turn of a stair.
        /// @param variant  0..TRN_BLOCK_VARIANTS_MAX - 1
        /// @return its id; TRN_BLOCK_AIR if the family has no such type
        /// Cost: O(1); a hash lookup if the ids of the family are not consecutive.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_variant", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_block_types_variant(TrnBlockTypes* types, ushort block, uint variant);

        /// <summary>
        /// Tells whether a model connects to a neighbour: an opaque block, or a model with the same
        /// `connects`.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_model_connects", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_block_model_connects(TrnBlockModel* model, TrnBlockType* neighbour);

        /// <summary>
        /// Tells which boxes of a model are there.
        /// @param sides  bit f: the model connects to its neighbour at side f, a TrnFace
        /// @return bit i: box i is there
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_model_boxes", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_block_model_boxes(TrnBlockModel* model, uint sides);

        /// <summary>
        /// Returns all types.
        /// @param count  receives the number of types, at least 1; may be NULL
        /// @return [count] by id; valid until types are added or loaded
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_all", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBlockType* trn_block_types_all(TrnBlockTypes* types, uint* count);

        /// <summary>
        /// Returns the set of solid blocks: bit id % 32 of word id / 32. Every id has a bit, so callers
        /// need no bounds check. Unassigned ids are solid, until a type takes the id.
        /// @return [TRN_BLOCK_BITS_WORDS] aligned to 64 bytes; valid until the registry is destroyed
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_solid_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_block_types_solid_bits(TrnBlockTypes* types);

        /// <summary>Returns the set of opaque blocks, as trn_block_types_solid_bits(). Unassigned ids are opaque.</summary>
        [DllImport(Name, EntryPoint = "trn_block_types_opaque_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_block_types_opaque_bits(TrnBlockTypes* types);

        /// <summary>
        /// Returns the set of liquids and of plants in liquids, as trn_block_types_solid_bits(). Unassigned
        /// ids are not liquids.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_liquid_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_block_types_liquid_bits(TrnBlockTypes* types);

        /// <summary>
        /// Returns the set of climbable blocks, as trn_block_types_solid_bits(). Unassigned ids are not
        /// climbable.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_climbable_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_block_types_climbable_bits(TrnBlockTypes* types);

        /// <summary>
        /// Collects the blocks of some kinds, such as the set that a ray should hit (all kinds except air
        /// and liquid).
        /// @param kinds  1 &lt;&lt; TrnBlockKind of each kind, ored
        /// @param bits   [TRN_BLOCK_BITS_WORDS] receives the set; caller owns. Unassigned ids count as
        ///               OPAQUE.
        /// Cost: O(types).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_block_types_kind_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_block_types_kind_bits(TrnBlockTypes* types, uint kinds, uint* bits);

        /// <summary>Returns the defaults: slots of `slot_bytes`, aligned to 16, no limit, nothing reserved.</summary>
        [DllImport(Name, EntryPoint = "trn_pool_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPoolDef trn_pool_def(UIntPtr slot_bytes);

        /// <summary>
        /// Creates an empty pool. Allocates no block before the first slot.
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_pool_create(TrnPoolDef* def, TrnPool** pool);

        /// <summary>Destroys a pool and all its slots. @param pool  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_pool_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_pool_destroy(TrnPool* pool);

        /// <summary>
        /// Allocates a slot: one that was freed since the last call, or the lowest free one of the block in
        /// use.
        /// @param id    receives the slot's id; may be NULL
        /// @param slot  receives the slot's address, stable until it is freed; contents undefined
        /// Errors: NO_MEMORY, FULL (slot_max).
        /// Cost: O(1); allocates a block when all are full. No table is ever copied or cleared as a whole.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_alloc", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_pool_alloc(TrnPool* pool, TrnPoolId* id, void** slot);

        /// <summary>
        /// Frees a slot. A block that becomes empty is kept if no other empty block is, otherwise it is
        /// freed.
        /// Errors: STALE_ID; nothing changes. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_free", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_pool_free(TrnPool* pool, TrnPoolId id);

        /// <summary>
        /// Returns the slot of an id, or NULL if the id is null, stale or of another pool.
        /// Threads: any, concurrently with the writer. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_pool_get(TrnPool* pool, TrnPoolId id);

        /// <summary>
        /// Returns the id of a slot from its address, or the null id if this is not the address of a taken
        /// slot of this pool.
        /// @param slot  any address; it is not dereferenced
        /// Cost: O(1): arithmetic in a reserved range, otherwise at most three probes of a hash of block
        /// addresses.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_id", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPoolId trn_pool_id(TrnPool* pool, void* slot);

        /// <summary>
        /// Walks the taken slots in index order, many at a time. Start with *cursor = 0 and call
        /// until it returns 0. The slots returned may be freed before the next call.
        /// @param out  [capacity] receives addresses; caller owns; batches of a few hundred are fastest
        /// @return how many were written; 0 at the end (or when capacity is 0)
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_gather", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_pool_gather(TrnPool* pool, uint* cursor, void** @out, UIntPtr capacity);

        /// <summary>
        /// Frees all empty blocks, so that only blocks with a taken slot are left. Stale ids are still
        /// detected.
        /// Cost: O(empty blocks).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pool_trim", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_pool_trim(TrnPool* pool);

        /// <summary>Returns the statistics of a pool. Threads: the writer. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_pool_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPoolStats trn_pool_stats(TrnPool* pool);

        /// <summary>
        /// Returns the defaults: no planes but present, 2^20 pages, 16 readers, at most 256 MiB of
        /// directory and 64 MiB of retired memory.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunkIndexDef trn_chunk_index_def();

        /// <summary>
        /// Creates an empty index. @param def  NULL means the defaults
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_create(TrnChunkIndexDef* def, TrnChunkIndex** index);

        /// <summary>Destroys an index and its readers. No reader may be in a section. @param index  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_destroy(TrnChunkIndex* index);

        /// <summary>
        /// Inserts a chunk.
        /// @param value  anything but TRN_CHUNK_VALUE_NONE
        /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, READERS, FULL; the index stays as it was. None but
        /// BAD_ARGUMENT and EXISTS if the coordinate has a bit in any plane.
        /// Cost: O(1). A new page may allocate, and continues to build the next directory if one is needed:
        /// a bounded part of it in each call, page faults of the allocator apart.
        /// A page that has become too large for its list is copied: up to 40 cells.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_insert", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_insert(TrnChunkIndex* index, TrnCoord coord, uint value);

        /// <summary>
        /// Replaces the value of a present chunk. Concurrent readers get either the old or the new value;
        /// a reader that gets the new one also sees what the writer wrote before this call.
        /// @param value  anything but TRN_CHUNK_VALUE_NONE
        /// Errors: BAD_ARGUMENT, NOT_FOUND; the index stays as it was. Never allocates or retires memory.
        /// Threads: the writer; readers do not wait. Cost: O(1), one atomic store.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_set(TrnChunkIndex* index, TrnCoord coord, uint value);

        /// <summary>
        /// Looks up the value of a chunk.
        /// @param value  receives it if the chunk is present, otherwise untouched; may be NULL
        /// @return whether the chunk is present
        /// O(1), wait-free, no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_find", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_chunk_index_find(TrnChunkIndex* index, TrnCoord coord, uint* value);

        /// <summary>
        /// Looks up the values of many chunks, as trn_chunk_index_find does for each. Cache misses of
        /// different chunks overlap, so it takes a fraction of the time with cold caches, and in worlds of
        /// scattered chunks.
        /// @param coords  [count] in any order; the same one may occur more than once
        /// @param values  [count] receives them, TRN_CHUNK_VALUE_NONE where no chunk is; caller owns; must
        ///                not overlap `coords`
        /// @return how many of the chunks are present
        /// Threads: any, wait-free. Cost: O(count); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_find_many", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_find_many(TrnChunkIndex* index, TrnCoord* coords, UIntPtr count, uint* values);

        /// <summary>
        /// Removes a chunk, and its bits in all planes that do not survive removal.
        /// @param value  receives the value it had; may be NULL
        /// Errors: NOT_FOUND; NO_MEMORY, READERS, if it was the last bit of its page; the index stays as it
        /// was. Cost: O(1). A page with few cells left may be copied to a list: up to 20 cells.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_remove", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_remove(TrnChunkIndex* index, TrnCoord coord, uint* value);

        /// <summary>
        /// Looks up the six neighbours of a coordinate, which wrap at the ends of int32.
        /// @param values  receives them in the order of TrnFace, TRN_CHUNK_VALUE_NONE where no chunk is
        /// O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_neighbours", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_neighbours(TrnChunkIndex* index, TrnCoord coord, uint* values);

        /// <summary>
        /// Looks up a chunk and its 26 neighbours, which wrap at the ends of int32.
        /// @param values  receives them in the order of trn_coord_around, so that values[TRN_AROUND_CENTRE]
        ///                is the chunk itself; TRN_CHUNK_VALUE_NONE where no chunk is
        /// O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_around", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_around(TrnChunkIndex* index, TrnCoord coord, uint* values);

        /// <summary>Returns the plane of a name, or TRN_PLANE_COUNT_MAX if no plane has it. "present" is plane 0.</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_chunk_index_plane(TrnChunkIndex* index, byte* name);

        /// <summary>
        /// Returns the name of a plane ("present" for plane 0), or NULL if the plane does not exist. Valid
        /// as long as the index.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane_name", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_chunk_index_plane_name(TrnChunkIndex* index, uint plane);

        /// <summary>
        /// Sets or clears the bit of a coordinate, whether a chunk is present or not.
        /// Errors: BAD_ARGUMENT (no such plane, or TRN_PLANE_PRESENT, which insert and remove maintain);
        /// setting also NO_MEMORY, READERS, FULL, if the coordinate has no bit in any plane yet.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_plane_set(TrnChunkIndex* index, uint plane, TrnCoord coord, [MarshalAs(UnmanagedType.I1)] bool bit);

        /// <summary>
        /// Sets or clears all bits of a box. Setting creates pages for the whole box. If these are more
        /// than page_max, it returns FULL and changes nothing; if it fails later, some bits have been set.
        /// Clearing cannot fail, and costs O(existing pages in the box).
        /// Errors: as trn_chunk_index_plane_set.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane_fill", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_plane_fill(TrnChunkIndex* index, uint plane, TrnBox box, [MarshalAs(UnmanagedType.I1)] bool bit);

        /// <summary>Returns the bit of a coordinate; false for a plane that does not exist. O(1), wait-free.</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane_test", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_chunk_index_plane_test(TrnChunkIndex* index, uint plane, TrnCoord coord);

        /// <summary>
        /// Sets a plane to the answer of a query, for all coordinates at once, such as "loaded, and all six
        /// neighbours loaded".
        /// Errors: BAD_ARGUMENT (TRN_PLANE_PRESENT, a plane that does not exist, an empty `all`, or a
        /// result plane that the query tests at neighbours).
        /// Cost: some ten word operations per 64 cells and plane of the query.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_plane_compute", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_plane_compute(TrnChunkIndex* index, uint plane, TrnPlaneQuery* query);

        /// <summary>
        /// Makes the frustum of a camera from its matrix, for a gather of what it sees.
        /// @param matrix   [16] turns voxels, relative to `origin`, into clip coordinates: projection times
        ///                 view. Far planes at infinity are fine.
        /// @param order    how its numbers lie in memory
        /// @param depth    which depths are inside
        /// @param origin   the point that the matrix's (0, 0, 0) stands for: the camera, if the game draws
        ///                 relative to it, or the corner of a chunk
        /// @param frustum  receives six planes
        /// Errors: BAD_ARGUMENT (NULL; a number that is not finite; a matrix without an inverse).
        /// Threads: any. Cost: O(1); no allocation. Source: G. Gribb and K. Hartmann, "Fast Extraction of
        /// Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_frustum_from_matrix", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_frustum_from_matrix(float* matrix, TrnMatrixOrder order, TrnClipDepth depth, TrnPosition origin, TrnFrustum* frustum);

        /// <summary>
        /// Gathers chunks, page by page: those of the directory in memory order (x fastest, then z, then
        /// y), then those of outlier pages, by coordinates if the box has fewer pages than there are
        /// outlier pages, otherwise in the order in which they became outliers; within a page x fastest,
        /// then z, then y. The same calls give the same order, whatever the hash key. (But if a reader
        /// stays in one section while a page enters the directory and leaves it again, that page keeps its
        /// former place among the outliers.) With values, pointers or ids it finds only present chunks;
        /// with coordinates alone it also finds absent ones, if the planes select them.
        /// @return how many coordinates match; only the first `capacity` are written, and elements between
        /// that number and `capacity` are undefined. 0 for an invalid gather (pointers without a pool).
        /// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_gather", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_gather(TrnChunkIndex* index, TrnChunkGather* gather);

        /// <summary>
        /// Gathers the values of all chunks of a box.
        /// @param values  [capacity] receives them; caller owns; may be NULL when capacity is 0
        /// @return how many chunks the box holds; only the first `capacity` are written
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_chunk_index_gather_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_gather_box(TrnChunkIndex* index, TrnBox box, uint* values, UIntPtr capacity);

        /// <summary>Returns the box of all coordinates, for gathering everything.</summary>
        [DllImport(Name, EntryPoint = "trnx_box_everything", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBox trn_box_everything();

        /// <summary>
        /// Gathers the six neighbours of every chunk of a box.
        /// @param values      [capacity] receives the chunks' own values, in the order of
        ///                    trn_chunk_index_gather; may be NULL
        /// @param neighbours  [capacity] receives each chunk's neighbours in the order of TrnFace,
        ///                    TRN_CHUNK_VALUE_NONE where no chunk is
        /// @return how many chunks the box holds; only the first `capacity` are written
        /// Threads: any, wait-free. Cost: O(pages in the box + chunks found); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_gather_neighbours", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_gather_neighbours(TrnChunkIndex* index, TrnBox box, uint* values, uint* neighbours, UIntPtr capacity);

        /// <summary>
        /// Removes all chunks, clears all planes and drops what was reserved.
        /// Errors: NO_MEMORY, READERS; the index stays as it was.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_clear", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_clear(TrnChunkIndex* index);

        /// <summary>
        /// Extends the directory over a box, so that inserts there do not grow it. From then on it never
        /// shrinks, until trn_chunk_index_clear. Cost: O(cells of the box), in this call.
        /// Errors: BAD_ARGUMENT (an empty box), OUT_OF_RANGE (would exceed directory_bytes_max), NO_MEMORY,
        /// READERS.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_reserve", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_reserve(TrnChunkIndex* index, TrnBox box);

        /// <summary>
        /// Registers a reader; one thread uses it at a time. Any thread may call this.
        /// @param name  for trn_chunk_index_slowest_reader; copied, cut off after TRN_READER_NAME_BYTES - 1
        ///              bytes; NULL or "" means "reader"
        /// Errors: FULL (reader_max).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_reader_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_chunk_index_reader_create(TrnChunkIndex* index, byte* name, TrnChunkReader** reader);

        /// <summary>Unregisters a reader, and ends its section if it is in one. @param reader  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_reader_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_reader_destroy(TrnChunkReader* reader);

        /// <summary>
        /// Begins a read section. Sections do not nest. Keep them short (a frame, a job), because retired
        /// memory is kept meanwhile. Wait-free; about the cost of one atomic store.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_read_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_read_begin(TrnChunkReader* reader);

        /// <summary>Ends a read section: everything found in it may become invalid. Wait-free.</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_read_end", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_read_end(TrnChunkReader* reader);

        /// <summary>
        /// Finds the reader that has kept retired memory for longest.
        /// @param name  receives its name, if there is one; may be NULL
        /// @return whether there is one. With a name also false if that reader ended its section meanwhile
        /// Threads: the writer, while other threads register and destroy readers. Cost: O(reader_max),
        /// wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_slowest_reader", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_chunk_index_slowest_reader(TrnChunkIndex* index, byte* name);

        /// <summary>
        /// Reclaims retired memory that no reader can see any more. Writes that retire do so themselves;
        /// call this when the writer pauses.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_reclaim", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_chunk_index_reclaim(TrnChunkIndex* index);

        /// <summary>Returns the statistics of an index. Threads: the writer. Cost: O(pages), because it counts bits.</summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunkIndexStats trn_chunk_index_stats(TrnChunkIndex* index);

        /// <summary>
        /// Takes a snapshot of a chunk.
        /// Threads: any, inside a read section. Cost: O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_voxels_snapshot", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSnapshot trn_voxels_snapshot(TrnVoxels* voxels);

        /// <summary>
        /// Makes a snapshot of a uniform chunk that no store holds, to stand for a chunk that is not
        /// loaded.
        /// Threads: any, without a section.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_snapshot_of", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSnapshot trn_snapshot_of(ushort block, ulong revision);

        /// <summary>Tells whether all voxels are the same block.</summary>
        [DllImport(Name, EntryPoint = "trnx_snapshot_is_uniform", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_snapshot_is_uniform(TrnSnapshot snapshot);

        /// <summary>Returns the block of a uniform snapshot.</summary>
        [DllImport(Name, EntryPoint = "trnx_snapshot_uniform", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_snapshot_uniform(TrnSnapshot snapshot);

        /// <summary>Returns the revision of the change that made the snapshot.</summary>
        [DllImport(Name, EntryPoint = "trnx_snapshot_revision", CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong trn_snapshot_revision(TrnSnapshot snapshot);

        /// <summary>
        /// Returns the bits a voxel where the chunk needs most: 0 (uniform), 1, 2, 4, 8 or 16. Each 16 rows
        /// have a width of their own. Cost: O(TRN_CHUNK_HALVES).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_bits", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_bits(TrnSnapshot snapshot);

        /// <summary>
        /// Returns one block.
        /// @param index  linear index, 0..32767 (trn_local_index); higher bits are ignored
        /// Cost: O(1); the only branches are on the width.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_snapshot_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_snapshot_get(TrnSnapshot snapshot, uint index);

        /// <summary>
        /// Writes all blocks in linear order.
        /// @param blocks  [TRN_CHUNK_VOXELS]; caller owns
        /// Cost: O(TRN_CHUNK_VOXELS): writes 64 KiB.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_decode", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_snapshot_decode(TrnSnapshot snapshot, ushort* blocks);

        /// <summary>
        /// Writes the 32 blocks of one row along x.
        /// @param y,z     local, 0..31; higher bits are ignored
        /// @param blocks  [32]; caller owns
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_decode_row", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_snapshot_decode_row(TrnSnapshot snapshot, uint y, uint z, ushort* blocks);

        /// <summary>
        /// Lists the blocks that occur, in ascending order, with their numbers of voxels.
        /// @param counts  [capacity]; caller owns
        /// @return the number of different blocks, 1..32768; only the first `capacity` are written
        /// Cost: O(palette). With 16 bits, one pass over the chunk for every 4096 ids
        /// between the lowest and the highest.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_counts", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_counts(TrnSnapshot snapshot, TrnBlockCount* counts, uint capacity);

        /// <summary>Counts the voxels of one block. Cost: O(palette); with 16 bits one pass over the chunk.</summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_count", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_count(TrnSnapshot snapshot, ushort block);

        /// <summary>
        /// Returns 16 rows of the mask of solid voxels.
        /// @param solid_bits  [TRN_BLOCK_BITS_WORDS] the bits that the heap was created with; only read for
        ///                    uniform chunks
        /// @param half        half-layer, 0..63; that of a voxel is its linear index &gt;&gt; 9
        /// @return [TRN_HALF_ROWS] rows, valid as long as the snapshot; static for uniform chunks
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_solid", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_snapshot_solid(TrnSnapshot snapshot, uint* solid_bits, uint half);

        /// <summary>
        /// Returns 16 rows of the mask of opaque voxels, which hide what is behind them. As
        /// trn_snapshot_solid.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_opaque", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint* trn_snapshot_opaque(TrnSnapshot snapshot, uint* opaque_bits, uint half);

        /// <summary>
        /// Copies the whole mask of solid voxels.
        /// @param solid_bits  as in trn_snapshot_solid
        /// @param rows        [TRN_CHUNK_ROWS] bit x of row y * 32 + z is the voxel at x, y, z; caller owns
        /// Cost: O(TRN_CHUNK_ROWS): writes 4 KiB.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_solid_rows", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_snapshot_solid_rows(TrnSnapshot snapshot, uint* solid_bits, uint* rows);

        /// <summary>Copies the whole mask of opaque voxels. As trn_snapshot_solid_rows.</summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_opaque_rows", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_snapshot_opaque_rows(TrnSnapshot snapshot, uint* opaque_bits, uint* rows);

        /// <summary>
        /// Tells whether a chunk may hold a block of a set, such as the blocks that tick.
        /// @param block_bits  [TRN_BLOCK_BITS_WORDS] block b belongs to the set if bit b % 32 of word
        ///                    b / 32 is set
        /// @return false: no voxel holds one. True, and wrongly so, for more than 256 types, and for blocks
        /// that the chunk held before an edit for which memory was short
        /// Cost: O(palette).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_may_hold", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_snapshot_may_hold(TrnSnapshot snapshot, uint* block_bits);

        /// <summary>
        /// Finds the voxels that hold a block of a set.
        /// @param block_bits  as in trn_snapshot_may_hold
        /// @param row,count   consecutive rows, y * 32 + z; row + count is at most TRN_CHUNK_ROWS
        /// @param rows        [count] receives bit x of each row: the voxel is in the set; caller owns
        /// Cost: O(palette + count).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_match", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_snapshot_match(TrnSnapshot snapshot, uint* block_bits, uint row, uint count, uint* rows);

        /// <summary>
        /// Extracts the outermost layer of a mask at one face.
        /// @param mask  [TRN_CHUNK_ROWS] rows, as from trn_snapshot_solid_rows
        /// @param rows  [32]; caller owns. Faces along x: row y, bit z. Along y: row z, bit x. Along z: row
        ///              y, bit x.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mask_border", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_mask_border(uint* mask, TrnFace face, uint* rows);

        /// <summary>
        /// Tells whether two snapshots hold the same blocks. Widths, palettes and revisions do not matter.
        /// Cost: O(1) for the same snapshot; otherwise O(TRN_CHUNK_VOXELS).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_equal", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_snapshot_equal(TrnSnapshot a, TrnSnapshot b);

        /// <summary>
        /// Finds the voxels that differ between two snapshots. Widths and palettes do not matter.
        /// @param rows  [TRN_CHUNK_ROWS] receives one bit a differing voxel; caller owns
        /// @return the number of differing voxels
        /// Cost: the same snapshot only clears the rows; O(bytes of the voxels) if the palettes match;
        /// otherwise some ten times that, and O(types of one * types of the other).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_diff", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_diff(TrnSnapshot a, TrnSnapshot b, uint* rows);

        /// <summary>
        /// Finds the chunks that voxels of a mask touch: the chunk itself, and neighbours at faces, edges
        /// and corners whose border is adjacent to such a voxel.
        /// @param mask  [TRN_CHUNK_ROWS] rows of one chunk
        /// @return bit 13: the chunk itself (any bit is set). The other 26 bits: its neighbours, in the
        /// order of trn_store_snapshot_around (x fastest, then z, then y). 0 for an empty mask.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mask_around", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mask_around(uint* mask);

        /// <summary>
        /// Hashes the blocks. The same on every machine and for every width and palette; may change between
        /// versions. Not safe against attackers. Cost: O(TRN_CHUNK_VOXELS).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_hash", CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong trn_snapshot_hash(TrnSnapshot snapshot);

        /// <summary>Returns default settings: no cap, no readers, every block except 0 solid and opaque.</summary>
        [DllImport(Name, EntryPoint = "trn_voxel_heap_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxelHeapDef trn_voxel_heap_def();

        /// <summary>
        /// Creates a heap: the payload memory for the chunks of one world, with one pool a size class. An
        /// empty heap takes about 120 KiB.
        /// @param def   NULL means trn_voxel_heap_def()
        /// @param heap  receives the heap; the caller destroys it
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty heap takes).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_heap_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_heap_create(TrnVoxelHeapDef* def, TrnVoxelHeap** heap);

        /// <summary>
        /// Frees all payloads, including those of chunks. No reader may be in a section and no edit open.
        /// @param heap  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_heap_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_voxel_heap_destroy(TrnVoxelHeap* heap);

        /// <summary>
        /// Frees all memory blocks that hold no payload. Without this call each size class keeps one empty
        /// block, and all classes together 8 MiB more. The heap trims by itself when it reaches bytes_max
        /// or the allocator fails.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_heap_trim", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_voxel_heap_trim(TrnVoxelHeap* heap);

        /// <summary>Returns the figures of a heap. Threads: the writer. Cost: O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_voxel_heap_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxelHeapStats trn_voxel_heap_stats(TrnVoxelHeap* heap);

        /// <summary>
        /// Replaces all blocks of a chunk.
        /// @param blocks    [TRN_CHUNK_VOXELS] in linear order
        /// @param revision  of this change
        /// Errors: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and readers hold retired payloads); the
        /// chunk is unchanged then.
        /// Threads: the writer. Cost: O(TRN_CHUNK_VOXELS): reads 64 KiB; least for up to 16 types.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxels_encode", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxels_encode(TrnVoxelHeap* heap, TrnVoxels* voxels, ushort* blocks, ulong revision);

        /// <summary>
        /// Makes the chunk uniform and retires its payload. A user of a heap without a store also calls
        /// this with air for a chunk that is removed. Threads: the writer. Cannot fail. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxels_fill", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_voxels_fill(TrnVoxelHeap* heap, TrnVoxels* voxels, ushort block, ulong revision);

        /// <summary>
        /// Shrinks a chunk to the least memory that holds its blocks, without unused palette entries.
        /// Commits already narrow chunks; this is for chunks for which memory was short then. Blocks and
        /// revision stay. No edit of the chunk may be open.
        /// Errors: NO_MEMORY, FULL, READERS; the chunk is unchanged then. Threads: the writer.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxels_compact", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxels_compact(TrnVoxelHeap* heap, TrnVoxels* voxels);

        /// <summary>
        /// Encodes blocks in place, without touching the heap: the costly half of trn_voxels_encode, for
        /// worker threads. What a code contains is the library's own: it stands for the blocks until
        /// trn_voxels_decode reads it in the same process. Its blocks are ids of one world, and its masks
        /// depend on the kinds of the block types.
        /// @param heap    only its block kinds are read
        /// @param blocks  [TRN_CHUNK_VOXELS] in linear order, aligned to 64 bytes. CODED overwrites them:
        ///                the code takes the first 5 to 42 KiB, and the rest is undefined. Otherwise they
        ///                are unchanged.
        /// Threads: any number, each with its own blocks, while no thread adds block types. 96 KiB of
        /// stack.
        /// Cost: 1.1 times that of trn_voxels_encode.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxels_code", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxelCode trn_voxels_code(TrnVoxelHeap* heap, ushort* blocks);

        /// <summary>
        /// Replaces all blocks of a chunk by those of a code. The result is the same as that of
        /// trn_voxels_encode with the original blocks.
        /// @param code  from trn_voxels_code with the same block kinds, aligned to 64 bytes; only read. The
        ///              header is checked, the content is not: pass only bytes that you trust.
        /// Errors: as trn_voxels_encode, and BAD_ARGUMENT (not a code); the chunk is unchanged then.
        /// Threads: the writer. Cost: one copy.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxels_decode", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxels_decode(TrnVoxelHeap* heap, TrnVoxels* voxels, void* code, ulong revision);

        /// <summary>
        /// Opens an edit. End it with trn_voxel_edit_commit or trn_voxel_edit_cancel.
        /// @param edit  caller owns; needs no initial value
        /// Cannot fail. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_voxel_edit_begin(TrnVoxelEdit* edit, TrnVoxelHeap* heap, TrnVoxels* voxels);

        /// <summary>
        /// Returns the block at a linear index, including changes of this edit.
        /// @param index  0..32767 (trn_local_index); higher bits are ignored
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_voxel_edit_get(TrnVoxelEdit* edit, uint index);

        /// <summary>
        /// Writes one block.
        /// @param index  0..32767 (trn_local_index)
        /// Cost: O(1); O(palette) for a block that is new to the chunk, and one pass over the chunk if that
        /// widens it. Alternating between blocks whose ids are equal modulo 256 costs twice as much.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_set(TrnVoxelEdit* edit, uint index, ushort block);

        /// <summary>
        /// Writes one block into every voxel of a box.
        /// @param min,max  local x, y, z, both inclusive
        /// Errors: BAD_ARGUMENT also if the box is empty or leaves the chunk.
        /// Cost: O(rows); O(1) for the whole chunk.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_fill_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_fill_box(TrnVoxelEdit* edit, uint* min, uint* max, ushort block);

        /// <summary>
        /// Writes one block into every voxel of a mask, such as a sphere, a brush or the result of a diff.
        /// @param mask  [TRN_CHUNK_ROWS] rows: bit x of row y * 32 + z is the voxel at x, y, z. Must not be
        ///              a mask of this chunk.
        /// Cost: O(rows), up to four times as much with more than 32 types; least for a full or empty mask.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_fill_mask", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_fill_mask(TrnVoxelEdit* edit, uint* mask, ushort block);

        /// <summary>
        /// Copies a box of blocks out of a snapshot: of another chunk, of this chunk before the edit, or of
        /// another heap with the same block ids.
        /// @param to    local x, y, z of the lowest voxel written
        /// @param from  local x, y, z of the lowest voxel read
        /// @param size  voxels along x, y, z, each 1..32
        /// Errors: BAD_ARGUMENT also if a box leaves its chunk.
        /// Cost: O(voxels of the box); more with over 256 types.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_copy_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_copy_box(TrnVoxelEdit* edit, uint* to, TrnSnapshot source, uint* from, uint* size);

        /// <summary>
        /// Replaces every `from` by `to`.
        /// Cost: O(palette) if the chunk has no `to` and both are equally solid and opaque; otherwise one
        /// pass over the chunk.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_replace", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_replace(TrnVoxelEdit* edit, ushort from, ushort to);

        /// <summary>
        /// Replaces all blocks.
        /// @param blocks  [TRN_CHUNK_VOXELS] in linear order
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_encode", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_encode(TrnVoxelEdit* edit, ushort* blocks);

        /// <summary>
        /// Publishes the changes under a revision, in the narrowest form that memory allows, retires the
        /// old payload, and ends the edit. An edit of block data alone keeps the form. Cannot fail.
        /// @return whether anything was published: false if no call changed a block; the chunk and its
        /// revision are unchanged then
        /// Cost: O(palette); one pass over the chunk if the width changes. With 16 bits one pass over the
        /// chunk. With block data and changed blocks, also O(data), or one pass over the chunk. An edit of
        /// block data alone: O(parts of the table that it changed).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_commit", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_voxel_edit_commit(TrnVoxelEdit* edit, ulong revision);

        /// <summary>Drops the changes and ends the edit. Does nothing if the edit is not open.</summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_cancel", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_voxel_edit_cancel(TrnVoxelEdit* edit);

        /// <summary>
        /// Finds the data of a voxel.
        /// @param index  linear index, 0..32767; higher bits are ignored
        /// @param data   receives it; untouched if there is none; may be NULL
        /// @return whether the voxel has data; it may have 0 bytes
        /// Threads: any, inside a read section. Cost: O(log of the chunk's data), wait-free; O(1) if the
        /// chunk has none.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_get_data", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_snapshot_get_data(TrnSnapshot snapshot, uint index, TrnBlockData* data);

        /// <summary>Returns how many voxels have data. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_count_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_count_data(TrnSnapshot snapshot);

        /// <summary>
        /// Lists the data of a box, in linear order.
        /// @param min,max  local x, y, z, both inclusive; voxels outside the chunk have no data
        /// @param out      [capacity] receives the data; caller owns the array, the snapshot the bytes
        /// @return how many voxels of the box have data; only the first `capacity` are written
        /// Threads: any, inside a read section. Cost: O(data of the layers that the box touches and of one
        /// part more).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_list_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_snapshot_list_data(TrnSnapshot snapshot, uint* min, uint* max, TrnBlockData* @out, uint capacity);

        /// <summary>
        /// Tells whether two snapshots have the same data: the same voxels, bytes and rules. Does not
        /// compare blocks; trn_snapshot_equal compares nothing else.
        /// Cost: O(data); parts and bytes that both share are not read.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_snapshot_equal_data", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_snapshot_equal_data(TrnSnapshot a, TrnSnapshot b);

        /// <summary>
        /// Sets the data of a voxel. It belongs to the block that the edit has there now.
        /// @param index  0..32767 (trn_local_index)
        /// @param bytes  [size] copied; NULL removes the data, and `size` and `rule` are ignored
        /// @param size   0..TRN_DATA_BYTES_MAX
        /// Errors: as trn_voxel_edit_set; BAD_ARGUMENT also for an unknown rule; FULL also if the data is
        /// larger than TRN_DATA_BYTES_MAX, the chunk would have more than TRN_DATA_CHUNK_BYTES_MAX, or
        /// TRN_DATA_VOXELS_MAX of its voxels have data already.
        /// Setting the bytes and the rule that are there already changes nothing.
        /// Cost: a copy of the bytes and of one part, at most 4 KiB. The first call of an edit also copies
        /// the packed voxels and at most 1 KiB of the table. A table of which a part has grown too full is
        /// divided: O(data of the chunk), four times on the way to TRN_DATA_VOXELS_MAX.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_set_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_voxel_edit_set_data(TrnVoxelEdit* edit, uint index, void* bytes, UIntPtr size, TrnDataRule rule);

        /// <summary>
        /// Finds the data of a voxel, including changes of this edit. Data whose block the edit has changed
        /// counts as removed.
        /// @param data  as trn_snapshot_get_data; valid until the edit's next call
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_voxel_edit_get_data", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_voxel_edit_get_data(TrnVoxelEdit* edit, uint index, TrnBlockData* data);

        /// <summary>Returns the defaults: no caps, 16 readers, no user bytes, no planes, block types of its own.</summary>
        [DllImport(Name, EntryPoint = "trn_store_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStoreDef trn_store_def();

        /// <summary>
        /// Creates an empty store.
        /// @param def    copied; NULL means trn_store_def()
        /// @param store  receives the store; the caller destroys it
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty store takes).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_create(TrnStoreDef* def, TrnStore** store);

        /// <summary>
        /// Frees the store with all its chunks. No reader may be in a section, and no edit or batch open.
        /// Destroy histories first. Registered readers become invalid. Listeners are not called.
        /// @param store  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_destroy(TrnStore* store);

        /// <summary>
        /// The index of the store: for readers, for gathers of every kind, and to set your own planes. Its
        /// values are slots of trn_store_pool(). Insert and remove chunks through the store alone, and
        /// never set their values.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_index", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunkIndex* trn_store_index(TrnStore* store);

        /// <summary>The pool of the chunks, for gathers of pointers and ids from the index.</summary>
        [DllImport(Name, EntryPoint = "trn_store_pool", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnPool* trn_store_pool(TrnStore* store);

        /// <summary>
        /// What the block ids stand for: the def's types, or the store's own. The writer may add types
        /// while there are no concurrent readers.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_block_types", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBlockTypes* trn_store_block_types(TrnStore* store);

        /// <summary>
        /// The heap of the voxels, for its figures by size class and to trim it. Change chunks through the
        /// store alone.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_voxel_heap", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxelHeap* trn_store_voxel_heap(TrnStore* store);

        /// <summary>
        /// Inserts a chunk of one block, and applies the edits that are pending for it (terrane/batch.h).
        /// The chunk gets a revision of its own, even if an earlier chunk was at its coordinate.
        /// @param chunk  receives the chunk, or NULL if a listener has removed it; may be NULL; untouched
        /// on
        ///               failure
        /// Errors: EXISTS, NO_MEMORY, FULL (bytes_max, chunk_max, 2^20 pages of the index),
        /// READERS (removed chunks or pages count against a cap, and a reader's section delays their
        /// reclaim); the store is then as it was. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_insert_uniform", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_insert_uniform(TrnStore* store, TrnCoord coord, ushort block, TrnChunk** chunk);

        /// <summary>
        /// Inserts a chunk with its voxels, and applies the edits that are pending for it. Use it for
        /// generated and loaded voxels: written after the insert, they would overwrite pending edits.
        /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
        /// @param chunk   as trn_store_insert_uniform
        /// Errors: as trn_store_insert_uniform; BAD_ARGUMENT (no blocks).
        /// Cost: that of trn_voxels_encode.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_insert_voxels", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_insert_voxels(TrnStore* store, TrnCoord coord, ushort* blocks, TrnChunk** chunk);

        /// <summary>
        /// Inserts a chunk with its voxels and their block data (terrane/block_data.h), as
        /// trn_store_insert_voxels.
        /// @param blocks   [TRN_CHUNK_VOXELS] in linear order, or blocks[0] alone if `uniform`
        /// @param uniform  every voxel is blocks[0]
        /// @param data     [count] in any order; the bytes are copied; may be NULL if count is 0
        /// @param chunk    as trn_store_insert_uniform
        /// Errors: as trn_store_insert_voxels; BAD_ARGUMENT also if data has no bytes or is outside the
        /// chunk; FULL also if it is beyond the limits of a chunk. The store is then as it was.
        /// Cost: that of trn_store_insert_voxels, a copy of the payload, and one allocation for each data.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_insert_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_insert_data(TrnStore* store, TrnCoord coord, ushort* blocks, [MarshalAs(UnmanagedType.I1)] bool uniform, TrnBlockData* data, UIntPtr count, TrnChunk** chunk);

        /// <summary>
        /// Removes a chunk and its voxels. End its edits first. Its memory is reclaimed once listeners have
        /// been called and no reader sees it.
        /// Errors: NOT_FOUND, BUSY (pinned, or open in a batch), NO_MEMORY, FULL, READERS (the index
        /// retires memory too, up to a cap), and those of a watch that refuses, such as a stream's whose
        /// save failed; the chunk then stays loaded, unchanged. Cost: O(1), and that of saving it.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_remove", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_remove(TrnStore* store, TrnCoord coord);

        /// <summary>
        /// Pins a chunk: it is not removed or evicted until it is unpinned as often. It can be changed.
        /// O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_pin", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_pin(TrnStore* store, TrnChunk* chunk);

        /// <summary>Takes back one trn_store_pin() of a chunk. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_store_unpin", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_unpin(TrnStore* store, TrnChunk* chunk);

        /// <summary>The chunk at a coordinate, or NULL. O(1), wait-free.</summary>
        [DllImport(Name, EntryPoint = "trn_store_find", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunk* trn_store_find(TrnStore* store, TrnCoord coord);

        /// <summary>The chunk of an id, or NULL where the id is null or its chunk was removed. O(1), wait-free.</summary>
        [DllImport(Name, EntryPoint = "trn_store_chunk", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunk* trn_store_chunk(TrnStore* store, TrnPoolId id);

        /// <summary>
        /// Collects the loaded chunks of a box, page by page (8 x 8 x 8 chunks; inside a page, x fastest,
        /// then z, then y).
        /// @param box  chunk coordinates, both corners inclusive
        /// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
        /// @return how many chunks the box holds; only the first `capacity` are written
        /// Concurrently with the writer: every chunk that was loaded throughout the call, and none that was
        /// not loaded at any time in it.
        /// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or
        /// coordinates use trn_chunk_index_gather() with trn_store_index().
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_gather", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_store_gather(TrnStore* store, TrnBox box, TrnChunk** @out, UIntPtr capacity);

        /// <summary>
        /// The six face neighbours of a coordinate in the order of TrnFace, NULL where one is not loaded.
        /// O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_neighbours", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_neighbours(TrnStore* store, TrnCoord coord, TrnChunk** @out);

        /// <summary>
        /// Whether every chunk that a box of voxels touches is loaded and has its bit in a plane: "is the
        /// ground under this body loaded?" with TRN_PLANE_PRESENT, "is it meshed?" with one of your own.
        /// @param min,max  both inclusive
        /// @return also false where the box is empty or leaves the world, or the plane does not exist
        /// Cost: O(chunks of the box), up to the first that fails; wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_box_has", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_store_box_has(TrnStore* store, TrnVoxel min, TrnVoxel max, uint plane);

        /// <summary>Your bytes of a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.</summary>
        [DllImport(Name, EntryPoint = "trnx_chunk_user", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_chunk_user(TrnChunk* chunk);

        /// <summary>
        /// The revision of the last change of a chunk's voxels. Revisions count up over the whole store.
        /// Two changes never share one; all chunks of a change get the same: those of a batch of edits, and
        /// those that a stream inserts together. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_chunk_revision", CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong trn_chunk_revision(TrnChunk* chunk);

        /// <summary>
        /// The revision of the last change that is published in full. A reader that reads it first and then
        /// takes snapshots has seen every batch in full or not at all, if no snapshot has a greater
        /// revision. If one has, take them again. O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_revision", CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong trn_store_revision(TrnStore* store);

        /// <summary>A snapshot of the chunk at a coordinate. Errors: NOT_FOUND. O(1), wait-free.</summary>
        [DllImport(Name, EntryPoint = "trn_store_snapshot", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_snapshot(TrnStore* store, TrnCoord coord, TrnSnapshot* snapshot);

        /// <summary>
        /// Snapshots of a chunk and its 26 neighbours, which wrap at the ends of int32.
        /// @param out  receives them: x fastest, then z, then y; the chunk itself is at TRN_AROUND_CENTRE.
        ///             Where a chunk is not loaded: air at revision 0
        /// @return which of them are loaded: bit i for out[i]
        /// The writer may publish a change between two of the snapshots. O(1), wait-free: 27 look-ups.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_snapshot_around", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_store_snapshot_around(TrnStore* store, TrnCoord coord, TrnSnapshot* @out);

        /// <summary>As trn_store_get_block(), with the voxel as three numbers.</summary>
        [DllImport(Name, EntryPoint = "trn_store_get_block_at", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_get_block_at(TrnStore* store, long x, long y, long z, ushort* block);

        /// <summary>
        /// The block of a voxel. For many adjacent voxels, a cursor is four times as fast.
        /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
        /// Cost: O(1), wait-free; anywhere in a view that exceeds the caches, some 8 times as much as near
        /// the last voxel.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_store_get_block", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_get_block(TrnStore* store, TrnVoxel voxel, ushort* block);

        /// <summary>
        /// The block data of a voxel (terrane/block_data.h). On a reader's thread the bytes are valid until
        /// the section ends, on the writer's until the chunk is changed or removed.
        /// @param data  receives it; untouched on failure
        /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded, or it has none).
        /// Cost: O(log of the chunk's data), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_get_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_get_data(TrnStore* store, TrnVoxel voxel, TrnBlockData* data);

        /// <summary>
        /// Lists the block data of a box of voxels, chunk by chunk and in linear order in each.
        /// @param min,max  both inclusive; the part outside the world has none
        /// @param out      [capacity] receives it; caller owns the array
        /// @return how many voxels of the loaded chunks of the box have data; only the first `capacity` are
        /// written; 0 where the box is empty
        /// Concurrently with the writer: of each chunk what it holds at one moment.
        /// Cost: that of trn_store_gather, some times over if the box has more than 64 loaded chunks, and
        /// O(data); no allocation. A box of any size is fine.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_list_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_store_list_data(TrnStore* store, TrnVoxel min, TrnVoxel max, TrnVoxelData* @out, UIntPtr capacity);

        /// <summary>
        /// Returns a cursor that has not read anything yet. O(1).
        /// @param store  borrowed: it must outlive the cursor
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_cursor", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCursor trn_cursor(TrnStore* store);

        /// <summary>
        /// Called by trn_cursor_find() when the voxel is in another chunk than the last one. Takes the
        /// voxel in registers.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_cursor_move", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxels* trn_cursor_move(TrnCursor* cursor, long x, long y, long z);

        /// <summary>
        /// The voxels of the chunk that holds a voxel; NULL where it is not loaded, or the voxel is outside
        /// the world.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_cursor_find", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnVoxels* trn_cursor_find(TrnCursor* cursor, TrnVoxel voxel);

        /// <summary>
        /// The block of a voxel, or `unloaded` where its chunk is not loaded, or the voxel is outside the
        /// world. Cost: O(1), a quarter of trn_store_get_block near the last voxel.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_cursor_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_cursor_get(TrnCursor* cursor, TrnVoxel voxel, ushort unloaded);

        /// <summary>
        /// Writes the block of a voxel: an edit of one block, which copies and publishes the payload for
        /// it. For more than one, open an edit. Writing the block that is there already changes nothing,
        /// not even the revision.
        /// @param is_changed  receives whether the block was another one; may be NULL; untouched on failure
        /// Errors: also BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
        /// Cost: O(bytes of the chunk's voxels), which are copied: some 5 KB of generated land. Up to 5
        /// times as much where the caches do not hold the chunk.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_set_block", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_set_block(TrnStore* store, TrnVoxel voxel, ushort block, byte* is_changed);

        /// <summary>
        /// Sets or removes the block data of a voxel: an edit of one voxel, which copies and publishes the
        /// payload for it. See trn_voxel_edit_set_data.
        /// @param bytes       [size] copied; NULL removes the data
        /// @param is_changed  receives whether the data was another one; may be NULL; untouched on failure
        /// Errors: also BAD_ARGUMENT (outside the world, or an unknown rule), NOT_FOUND (its chunk is not
        /// loaded); FULL also beyond the limits of a voxel or chunk. Cost: as trn_store_set_block and
        /// trn_voxel_edit_set_data.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_set_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_set_data(TrnStore* store, TrnVoxel voxel, void* bytes, UIntPtr size, TrnDataRule rule, byte* is_changed);

        /// <summary>
        /// Opens an edit of one chunk: continue with trn_voxel_edit_set, _fill_box, _copy_box, _replace and
        /// _encode. Readers see none of it before the commit, and all of it after.
        /// @param edit  the caller's memory
        /// Errors: BUSY; the edit is then not open, and all its calls fail. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_edit_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_edit_begin(TrnStore* store, TrnChunk* chunk, TrnVoxelEdit* edit);

        /// <summary>
        /// Publishes an edit's changes under the store's next revision, and ends the edit. To discard them,
        /// call trn_voxel_edit_cancel() instead. Cannot fail. Cost: as trn_voxel_edit_commit.
        /// @return whether a block changed; if not, nothing is published, and the revision stays
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_edit_commit", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_store_edit_commit(TrnStore* store, TrnVoxelEdit* edit);

        /// <summary>
        /// Replaces all voxels of a chunk.
        /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
        /// Cost: that of trn_voxels_encode.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_set_voxels", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_set_voxels(TrnStore* store, TrnChunk* chunk, ushort* blocks);

        /// <summary>
        /// Makes all voxels of a chunk one block. Errors: BUSY; the others only if the chunk has block
        /// data. O(1), or O(data).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_fill", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_fill(TrnStore* store, TrnChunk* chunk, ushort block);

        /// <summary>
        /// Stores a chunk in the least memory that holds its blocks. Commits do so themselves, unless they
        /// lack the memory for it. Blocks and revision stay.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_compact", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_compact(TrnStore* store, TrnChunk* chunk);

        /// <summary>
        /// Collects the chunks that changed after a revision, inserted ones included, in the order of their
        /// last changes. It cannot name removed chunks; listeners can.
        /// @param revision  of trn_store_revision(), from an earlier call; 0 collects all chunks
        /// @param out       [capacity] receives the chunks; caller owns the array
        /// @return how many there are; only the first `capacity` are written
        /// Threads: the writer. Cost: O(log of all chunks + chunks found).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_changed_since", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_store_changed_since(TrnStore* store, ulong revision, TrnChunk** @out, UIntPtr capacity);

        /// <summary>
        /// Adds a listener. Listeners are called in the order in which they subscribed.
        /// @param kinds  ored TRN_EVENT_BITs
        /// Errors: BAD_ARGUMENT (no or unknown kinds, no listener), EXISTS (this listener is subscribed
        /// with this user), NO_MEMORY, FULL.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_subscribe", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_subscribe(TrnStore* store, uint kinds, IntPtr listener, void* user);

        /// <summary>Removes a listener. It is not called again, not even for queued events. Errors: NOT_FOUND.</summary>
        [DllImport(Name, EntryPoint = "trn_store_unsubscribe", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_unsubscribe(TrnStore* store, IntPtr listener, void* user);

        /// <summary>
        /// Adds a watch. O(1).
        /// @param watch  borrowed until trn_store_unwatch; not added yet
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_watch", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_watch(TrnStore* store, TrnStoreWatch* watch);

        /// <summary>Removes a watch. Does nothing if it was not added. O(watches).</summary>
        [DllImport(Name, EntryPoint = "trn_store_unwatch", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_unwatch(TrnStore* store, TrnStoreWatch* watch);

        /// <summary>
        /// Marks chunks as recently used: seen, walked on, meshed. By default, eviction removes the least
        /// recently touched chunks first.
        /// @param chunks  [count] of this store, none of them NULL
        /// Cost: O(1) each; at times 256 chunks of the order of eviction are moved.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_touch", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_touch(TrnStore* store, TrnChunk** chunks, UIntPtr count);

        /// <summary>
        /// Evicts chunks until the store uses, or has allocated, few enough bytes. Pinned chunks and those
        /// open in a batch stay, as do those that a watch refuses to let go, such as a stream's whose save
        /// failed. Listeners receive each as REMOVED (is_eviction) while it can still be read. Evicts at
        /// most as many chunks as were loaded at first, even if listeners insert them again.
        /// @param evicted  receives how many were evicted; may be NULL; written on every result
        /// Errors: BAD_ARGUMENT; FULL (no more chunks may go, or count_max was reached, before the bytes
        /// were few enough); READERS (the same, and memory waits for a reader); NO_MEMORY; that of a watch
        /// which refused a chunk, if the bytes are not few enough without it. What was evicted by then is
        /// gone. Called by a listener, OK may mean that bytes are freed when the listener returns.
        /// Cost: O(1) for each evicted or refused, and for each pinned since the last eviction; O(chunks)
        /// for every 512 evicted or refused in an `order` of the caller's.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_evict", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_evict(TrnStore* store, TrnEviction* eviction, uint* evicted);

        /// <summary>Why a chunk is or is not loaded, and what keeps it. Threads: the writer. Cost: O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_store_explain", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnExplanation trn_store_explain(TrnStore* store, TrnCoord coord);

        /// <summary>
        /// Returns spare memory to the allocator: pool blocks without a taken slot, spare capacity of lists
        /// and queues, and retired memory that no reader can see any more. Before the store refuses an
        /// allocation for bytes_max, it frees what the current call is not using of this.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_trim", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_trim(TrnStore* store);

        /// <summary>Returns the figures of a store. Threads: the writer. Cost: O(listeners).</summary>
        [DllImport(Name, EntryPoint = "trn_store_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStoreStats trn_store_stats(TrnStore* store);

        /// <summary>
        /// Changes TrnStoreDef.bytes_max, for a store that shares a budget with other code. If more is
        /// allocated already, nothing is freed; allocations are refused until enough is.
        /// Threads: the writer. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_set_bytes_max", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_store_set_bytes_max(TrnStore* store, UIntPtr bytes_max);

        /// <summary>Returns the default: edits of unloaded chunks become pending, no history.</summary>
        [DllImport(Name, EntryPoint = "trn_batch_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBatchDef trn_batch_def();

        /// <summary>
        /// Begins a batch. Several can be open, but only one of them can have a given chunk open.
        /// @param def    NULL means trn_batch_def()
        /// @param batch  receives it, and NULL on failure; ends with trn_batch_commit or trn_batch_cancel
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_begin(TrnStore* store, TrnBatchDef* def, TrnBatch** batch);

        /// <summary>
        /// Publishes all changes under one revision, makes edits of unloaded chunks pending, adds them to
        /// the history, and calls listeners. Ends the batch, whatever the result.
        /// @param batch    NULL: BAD_ARGUMENT
        /// @param outcome  receives what the commit did; may be NULL; untouched on failure
        /// Errors: that of an earlier call; BUSY (another batch has a chunk open that was inserted after
        /// this batch edited it); NO_MEMORY, FULL, READERS. Store and history are then as they were before
        /// the batch.
        /// Cost: that of trn_voxel_edit_commit for each chunk. Listeners and a history
        /// add O(1) for each chunk, and a history O(changed voxels): some 1.5 times in all.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_commit", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_commit(TrnBatch* batch, TrnBatchOutcome* outcome);

        /// <summary>Discards the batch. @param batch  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_batch_cancel", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_batch_cancel(TrnBatch* batch);

        /// <summary>
        /// Writes one block. Outside the world: BAD_ARGUMENT.
        /// A batch notes the first 16 blocks of a chunk and writes them later, so that what memory refuses
        /// a block may be the result of a later call, or of the commit. Cost: O(1), least in the chunk of
        /// the call before. The commit copies the voxels of each chunk.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_set(TrnBatch* batch, TrnVoxel voxel, ushort block);

        /// <summary>
        /// Writes one block into every voxel of a box. The part outside the world is ignored.
        /// @param min,max  both inclusive; BAD_ARGUMENT where the box is empty
        /// Cost: O(rows) for each chunk at its border, O(1) for each inside. A box of any size is
        /// fine with TRN_UNLOADED_SKIP, which visits loaded chunks only. With TRN_UNLOADED_PENDING a box is
        /// refused at once (FULL) if it has more unloaded chunks than can have pending edits: within their
        /// bytes_max, within the store's, and at most 2^24 unless both are set.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_fill_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_fill_box(TrnBatch* batch, TrnVoxel min, TrnVoxel max, ushort block);

        /// <summary>
        /// Writes one block into every voxel whose centre is at most `radius` from the centre of a voxel.
        /// The part outside the world is ignored.
        /// @param centre  may lie outside the world
        /// @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX; 0 is the one voxel
        /// Cost: as trn_batch_fill_box.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_fill_sphere", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_fill_sphere(TrnBatch* batch, TrnVoxel centre, double radius, ushort block);

        /// <summary>
        /// The open edit of one chunk, for what terrane/voxels.h can do with one: encode, copy, replace,
        /// masks. The batch commits or cancels it. If one of its calls fails, cancel the batch.
        /// @param edit  receives it; valid until the batch ends
        /// Errors: also NOT_FOUND, whatever the def says. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_edit", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_edit(TrnBatch* batch, TrnCoord coord, TrnVoxelEdit** edit);

        /// <summary>
        /// Sets or removes the block data of a voxel (terrane/block_data.h). It belongs to the block that
        /// the batch has there now, so write the block first.
        /// @param bytes  [size] copied; NULL removes the data
        /// Errors: also NOT_FOUND (the chunk is not loaded, unless the policy is TRN_UNLOADED_SKIP), FULL
        /// (beyond the limits of a voxel or chunk). Cost: as trn_voxel_edit_set_data.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_set_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_set_data(TrnBatch* batch, TrnVoxel voxel, void* bytes, UIntPtr size, TrnDataRule rule);

        /// <summary>
        /// The block data of a voxel, with the changes of this batch.
        /// @param data  receives it; valid until the batch's next call
        /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (the chunk is not loaded, or the voxel has
        /// none); the batch does not fail by them.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_get_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_get_data(TrnBatch* batch, TrnVoxel voxel, TrnBlockData* data);

        /// <summary>
        /// The block of a voxel, with the changes of this batch, except pending ones.
        /// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND; the batch does not fail by them.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_get(TrnBatch* batch, TrnVoxel voxel, ushort* block);

        /// <summary>
        /// Sets the most bytes that pending edits of a store may take, open batches' included. Edits that
        /// need more are refused with FULL; edits that are pending already stay, even above the new cap.
        /// @param bytes_max  0: no cap but the store's bytes_max. 16 MiB until this is called.
        /// Errors: NO_MEMORY, FULL, READERS (the first call for a store allocates).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pending_set_bytes_max", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_pending_set_bytes_max(TrnStore* store, UIntPtr bytes_max);

        /// <summary>
        /// Collects the unloaded chunks with pending edits, for example to load them.
        /// @param coords  [capacity] receives chunk coordinates, in the order in which they
        ///                got edits; caller owns
        /// @return how many there are; only the first `capacity` are written
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pending_chunks", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_pending_chunks(TrnStore* store, TrnCoord* coords, UIntPtr capacity);

        /// <summary>
        /// Collects the edits that are pending for a chunk, in the order in which they are applied, for
        /// example to save them: terrane/save.h does.
        /// @param runs  [capacity] receives them; caller owns
        /// @return how many there are; only the first `capacity` are written
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pending_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_pending_get(TrnStore* store, TrnCoord coord, TrnPendingRun* runs, UIntPtr capacity);

        /// <summary>
        /// Returns how many runs of pending edits a loaded chunk took up when it was inserted; 0 if it is
        /// not loaded. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pending_applied", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_pending_applied(TrnStore* store, TrnCoord coord);

        /// <summary>
        /// Edits runs of voxels of one chunk, such as those of trn_pending_get, in their order.
        /// @param runs  [count]
        /// Errors: those of all that edit; BAD_ARGUMENT also if a run ends before it begins or behind the
        /// chunk. Cost: as trn_voxel_edit_set or trn_voxel_edit_fill_mask, whichever suits.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_batch_set_runs", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_batch_set_runs(TrnBatch* batch, TrnCoord coord, TrnPendingRun* runs, UIntPtr count);

        /// <summary>
        /// Drops all edits that are pending for a chunk. Undoing them then does nothing.
        /// @return how many runs of voxels they were
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_pending_drop", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_pending_drop(TrnStore* store, TrnCoord coord);

        /// <summary>Returns the figures of a store. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_edits_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnEditsStats trn_edits_stats(TrnStore* store);

        /// <summary>
        /// Tests which kinds of blocks a box overlaps. Sharing only a face is no overlap.
        /// @param bottom  the middle of the bottom face
        /// @param size    extent along x, y, z, each 0..TRN_BODY_SIZE_MAX; all 0 is a point, which lies in
        ///                one voxel
        /// @param overlap  receives the answer; untouched on failure
        /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
        /// below 32).
        /// Cost: O(overlapped voxels); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_overlap", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_overlap(TrnStore* store, TrnPosition bottom, double* size, TrnOverlap* overlap);

        /// <summary>
        /// Moves a box until something solid stops it, then slides it along the obstacle: first vertically,
        /// then along the longer of the two horizontal axes (x if they are equal), then along the other.
        /// Chunks that are not loaded and space outside the world are solid. A box never ends inside
        /// something solid unless it started there; then it can leave what it overlaps but cannot enter
        /// anything else.
        /// @param bottom       the middle of the bottom face
        /// @param size         extent along x, y, z, each above 0, at most TRN_BODY_SIZE_MAX
        /// @param motion       voxels along x, y, z, each at most TRN_SWEEP_MAX
        /// @param step_height  0..size[1]. A box that stands on something solid and is stopped sideways
        ///                     climbs by as little as lets it move on, at most this high: a block needs
        ///                     1, a slab or stair 0.5. Beyond the step it comes down again, at most as
        ///                     far as it climbed. One sweep can climb several steps (a staircase)
        /// @param sweep        receives how it ended; untouched on failure
        /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset below 0 or not
        /// below 32).
        /// Cost: O(layers of voxels that the motion crosses, times the body's face); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_sweep", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_sweep(TrnStore* store, TrnPosition bottom, double* size, double* motion, double step_height, TrnSweep* sweep);

        /// <summary>
        /// A person of 0.6 x 1.8 x 0.6 voxels, as usual in voxel games, with the speeds above; floats with
        /// a fifth of its height above the surface. Walks up slabs and stairs without jumping, and whole
        /// blocks if you set step_height to 1.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_body_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBodyDef trn_body_def();

        /// <summary>
        /// Advances a body by one time step: gravity, walking, jumping, swimming, climbing, then a sweep
        /// with sliding. On a ladder there is no gravity.
        ///
        /// Chunks that are not loaded stop a body, which sets `waits`. Its velocity[] stays as it was, and
        /// the body goes on with it once they are loaded. Where the chunk of the position is not loaded, or
        /// such a chunk ends a fall, the body does not move at all until then, unless it climbs or swims
        /// up. Where one stops it sideways or from above, the other axes go on, so that it can turn back.
        /// @param body     changed; untouched on failure
        /// @param input    NULL: no input
        /// @param seconds  0..TRN_BODY_STEP_MAX. Equal sequences of steps give equal results on every
        ///                 machine; use a fixed time step, such as 1/60 s, for that
        /// Errors: BAD_ARGUMENT (a number that is not finite or out of range).
        /// Cost: a few sweeps (trn_store_sweep), most where the body climbs or slides; no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_body_step", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_body_step(TrnStore* store, TrnBodyDef* def, TrnBody* body, TrnBodyInput* input, double seconds);

        /// <summary>Returns the page coordinates of a chunk.</summary>
        [DllImport(Name, EntryPoint = "trnx_page_coord", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnCoord trn_page_coord(TrnCoord chunk);

        /// <summary>Returns the chunks of a page. @param page  page coordinates, as trn_page_coord returns them</summary>
        [DllImport(Name, EntryPoint = "trnx_page_chunks", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnBox trn_page_chunks(TrnCoord page);

        /// <summary>
        /// Returns the bit of a chunk in a plane of its page.
        /// @param words  as trn_chunk_index_page_plane writes them
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_page_words_test", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_page_words_test(ulong* words, TrnCoord chunk);

        /// <summary>
        /// Lists the pages that a box reaches into: those of the directory in memory order (x fastest, then
        /// z, then y), then outlier pages, in the order of trn_chunk_index_gather.
        /// @param box  chunk coordinates, both corners inclusive
        /// @param out  [capacity] receives them; caller owns; may be NULL when capacity is 0
        /// @return how many pages match; only the first `capacity` are written
        /// While the writer runs, it lists every page that existed throughout the call. Counts are read
        /// word by word, so words of one count may differ in age.
        /// Threads: as gathers, wait-free. Cost: O(directory cells in the box + planes of pages
        /// written).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_pages", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_pages(TrnChunkIndex* index, TrnBox box, TrnPageFigures* @out, UIntPtr capacity);

        /// <summary>
        /// Copies the bits of a plane in the page of a chunk; trn_page_words_test reads them.
        /// @param words  receives one word per y, from the lowest; in it x runs fastest, then z. Zeroes if
        ///               the page or the plane does not exist
        /// @return whether both exist
        /// Threads: as trn_chunk_index_plane_test. O(1), wait-free.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_page_plane", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_chunk_index_page_plane(TrnChunkIndex* index, TrnCoord chunk, uint plane, ulong* words);

        /// <summary>
        /// Copies the last reshapes, oldest first. @return how many, at most TRN_DIRECTORY_STEPS_MAX
        /// Threads: the writer. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_chunk_index_directory_steps", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_chunk_index_directory_steps(TrnChunkIndex* index, TrnDirectoryStep* @out);

        /// <summary>
        /// Takes a base: a snapshot of every loaded chunk of a box.
        /// @param box   at most TRN_DELTA_BOX_MAX chunks
        /// @param base  [capacity] receives it: x fastest, then z, then y; caller owns
        /// @return how many chunks of the box are loaded; only the first `capacity` are written; 0 also for
        /// an empty or too large box
        /// Threads: any, inside a read section that stays open as long as the base is used. Such a section
        /// delays the reclaim of memory that is replaced meanwhile, so keep it for a fraction of a second.
        /// Cost: O(chunks of the box).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_delta_base", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_delta_base(TrnStore* store, TrnBox box, TrnDeltaBase* @base, UIntPtr capacity);

        /// <summary>
        /// Writes what differs between a base and the store.
        /// @param box    that of the base
        /// @param base   [count] from trn_delta_base
        /// @param bytes  [capacity] receives the delta; caller owns; may be NULL if capacity is 0
        /// @return the size of the whole delta: at least 2. If it is more than `capacity`, `bytes` has its
        /// beginning alone. 0 if an argument is bad: the box is empty or too large, or the base is not in
        /// the order of trn_delta_base or has chunks outside the box
        /// Threads: any, inside the base's read section. Concurrently with the writer: of each chunk what
        /// it holds at one moment. Needs TRN_STACK_BYTES of stack; no allocation.
        /// Cost: O(chunks of the box), a comparison of snapshots for each that has changed, and O(runs of
        /// voxels that differ).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_delta_write", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_delta_write(TrnStore* store, TrnBox box, TrnDeltaBase* @base, UIntPtr count, void* bytes, UIntPtr capacity);

        /// <summary>
        /// Applies a delta: inserts whole chunks or replaces them where they are loaded, writes what
        /// changed as one batch, and removes chunks. Chunks to remove that are not loaded are skipped.
        /// @param bytes    [size] any bytes are safe: they are checked before anything is changed
        /// @param outcome  receives what the delta did; may be NULL; untouched on failure
        /// Errors: BAD_ARGUMENT; CORRUPT (no delta, or of another version); NOT_FOUND (a changed chunk is
        /// not loaded: ask the sender for whole chunks, with an empty base); BUSY, NO_MEMORY, FULL, READERS
        /// as of batches and inserts. The store is then as it was, but for chunks whose removal failed:
        /// everything else of the delta is applied then, and applying it again removes them.
        /// Threads: the writer's. Needs TRN_STACK_BYTES of stack.
        /// Cost: O(size), and that of the inserts and the batch.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_delta_apply", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_delta_apply(TrnStore* store, void* bytes, UIntPtr size, TrnDeltaOutcome* outcome);

        /// <summary>
        /// Returns a generator of level 0 alone, without a ceiling; set its fields for more.
        /// @param generate  generates one chunk
        /// @param user      passed to it; borrowed: must outlive the generator's use
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_generator_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnGenerator trn_generator_def(IntPtr generate, void* user);

        /// <summary>
        /// Generates a chunk. Takes the parameters of TrnGenerateFn and checks them before it calls the
        /// generator.
        /// @param generator  borrowed for the call
        /// Errors: BAD_ARGUMENT (a NULL, a level above level_max, a chunk outside the world), and any error
        /// of the generator; `blocks` and `uniform` are then undefined.
        /// Threads: any number, as TrnGenerateFn requires. Cost: the generator's.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_generator_generate", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_generator_generate(TrnGenerator* generator, TrnCoord coord, uint level, ushort* blocks, byte* uniform);

        /// <summary>
        /// Returns a level.
        /// @param x,y,z  local, -1..32
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_light_level", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_light_level(TrnLight* light, int x, int y, int z);

        /// <summary>
        /// Creates a solver.
        /// @param allocator  copied; NULL means malloc
        /// @param solver     receives the solver; the caller destroys it
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_solver_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_light_solver_create(TrnAllocator* allocator, TrnLightSolver** solver);

        /// <summary>Frees a solver. @param solver  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_light_solver_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_light_solver_destroy(TrnLightSolver* solver);

        /// <summary>
        /// Sets the chunk that the functions below solve for. They read its voxels.
        /// @param around  [TRN_AROUND_COUNT] the chunk and its neighbours, as trn_store_snapshot_around()
        ///                writes them; valid as long as this chunk is solved
        /// @param types   borrowed as long
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_read", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_light_read(TrnLightSolver* solver, TrnSnapshot* around, TrnBlockTypes* types);

        /// <summary>
        /// Solves the light of the sky.
        /// @param open_sky  [9] for the columns of chunks, x fastest, then z: which columns of voxels are
        ///                  open above the upper chunks: [TRN_CHUNK_EDGE] rows by z, bit x. NULL, also for
        ///                  one of them: all are open
        /// Cost: O(voxels that light reaches), at most twice that of a chunk of hills where much is water;
        /// O(1) if all chunks are uniform and clear, or all uniform and opaque; O(columns) if none is open.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_sky", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_light_sky(TrnLightSolver* solver, uint** open_sky, TrnLight* light);

        /// <summary>
        /// Solves the light of blocks.
        /// @param emission  [TRN_BLOCK_TYPES_MAX] the level that each block emits, such as one colour of
        ///                  it; more than 15 counts as 15. NULL: TrnBlockType.light
        /// Cost: O(voxels that light reaches), half of that where only one block emits; O(types) if no
        /// block within reach does. A chunk with more than 256 types is read voxel by voxel: some 2.5 times
        /// as much.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_blocks", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_light_blocks(TrnLightSolver* solver, byte* emission, TrnLight* light);

        /// <summary>
        /// Tells how far a change of a chunk's voxels changes light.
        /// @return which of the 27 chunks around must be solved again, in the order of `around`; 0 if every
        ///         voxel lets light pass and emits it as before. What the sky lights below this chunk
        ///         changes too where trn_light_open_columns() changes
        /// Threads: any. Cost: that of trn_snapshot_diff, and O(changed voxels).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_reach", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_light_reach(TrnSnapshot before, TrnSnapshot after, TrnBlockTypes* types);

        /// <summary>
        /// Tells which columns of a chunk the sky shines through: those without a voxel that is opaque or
        /// dims. The columns that are open above a chunk are those that are open through all chunks above.
        /// @param open  [TRN_CHUNK_EDGE] rows by z, bit x
        /// Threads: any. Cost: O(types); O(rows) if the chunk has blocks that dim.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_light_open_columns", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_light_open_columns(TrnSnapshot voxels, TrnBlockTypes* types, uint* open);

        /// <summary>
        /// Whether the result of the work is no longer needed. A slow hook may then return early; the
        /// stream ignores its result. Any thread. Cost: one atomic load.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_job_is_cancelled", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_stream_job_is_cancelled(TrnStreamJob* job);

        /// <summary>
        /// Sets block data of the chunk that a load or generate hook makes (terrane/block_data.h), which is
        /// inserted with it. Data that goes with its block belongs to the block that the hook writes there.
        /// @param data  copied
        /// Errors: those of TrnDataSink.set; the hook then returns them.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_stream_job_set_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_job_set_data(TrnStreamJob* job, TrnBlockData* data);

        /// <summary>
        /// Hashes a part of a mesh, for TrnStreamMesh.hash. The same bytes have the same hash within one
        /// stream alone.
        /// @param before  the hash of the part before it; 0: this is the first
        /// @return never 0
        /// Threads: any. Cost: O(size).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_mesh_hash", CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong trn_stream_mesh_hash(TrnStreamJob* job, void* bytes, UIntPtr size, ulong before);

        /// <summary>
        /// Returns the defaults: no store, no hooks, 5 % of the time between updates, at least 0.8 ms (so
        /// that at 60 updates a second one in a thousand stays below 1 ms), no byte limit, a queue of 8
        /// MiB, a hysteresis of 2 chunks, default workers, 5 nice levels above the thread that creates the
        /// stream.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamDef trn_stream_def();

        /// <summary>
        /// Returns how many workers a stream of this def has at most, for memory of their own: the hooks
        /// see TrnStreamJob.worker 0..this, so a game needs one scratch more than workers. A stream has
        /// fewer if threads cannot be started or the store has no reader left for them.
        /// @param def  NULL means trn_stream_def()
        /// Threads: any. Cost: O(1), with a question to the system about its cores.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_workers", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_stream_workers(TrnStreamDef* def);

        /// <summary>
        /// Creates a stream. Chunks that the store holds already are taken over when a view reaches them,
        /// and count as unsaved.
        /// @param def     with a store, and a generator or a generate hook
        /// @param stream  receives the stream; the caller destroys it before the store
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is smaller than an empty stream plus what the
        /// store holds).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_create(TrnStreamDef* def, TrnStream** stream);

        /// <summary>
        /// Cancels all work, waits for running hooks, drops all meshes, and leaves the chunks in the store.
        /// It saves nothing: call trn_stream_save first. It restores the store's previous bytes_max.
        /// @param stream  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_stream_destroy(TrnStream* stream);

        /// <summary>Returns an anchor at the origin, at rest, without a direction of view, radius 16, height 4.</summary>
        [DllImport(Name, EntryPoint = "trn_stream_anchor", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamAnchor trn_stream_anchor();

        /// <summary>
        /// Adds an anchor. Takes effect with the next update.
        /// Errors: BAD_ARGUMENT (a number that is not finite, an offset outside 0..32, a radius or height
        /// beyond the maximum), NO_MEMORY, FULL. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_anchor_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_anchor_add(TrnStream* stream, TrnStreamAnchor* anchor, TrnPoolId* id);

        /// <summary>
        /// Moves, turns or resizes an anchor with the next update. A move of up to two chunks along each
        /// axis costs the chunks that differ. After a longer move, a new view starts around the anchor
        /// while the old one dissolves; chunks that the new view has reached by then stay.
        /// Errors: STALE_ID, BAD_ARGUMENT; the anchor is then unchanged. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_anchor_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_anchor_set(TrnStream* stream, TrnPoolId id, TrnStreamAnchor* anchor);

        /// <summary>
        /// Removes an anchor. Its view dissolves over the next updates, except where other views overlap
        /// it.
        /// Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(rows of its view), plus its chunks where other
        /// views are near.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_anchor_remove", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_anchor_remove(TrnStream* stream, TrnPoolId id);

        /// <summary>Reports how far an anchor's view reaches. Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_stream_view", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_view(TrnStream* stream, TrnPoolId id, TrnStreamView* view);

        /// <summary>
        /// Moves the views, applies what workers have finished, and issues the next work. Call it once a
        /// frame.
        /// @param budget  NULL: the def's budget
        /// @param report  receives what the update did; may be NULL
        /// @return OK; BAD_ARGUMENT (without a stream, or a budget out of range); otherwise the last of
        ///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The stream continues
        ///         and retries.
        /// Cost: the budget. In addition, for each anchor that enters another chunk, O(chunks that enter
        /// and leave its view), which grows with the square of the radius. Each such chunk is compared with
        /// the views near it: O(log views), so that the cost is linear in the anchors that move.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_update", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_update(TrnStream* stream, TrnStreamBudget* budget, TrnStreamReport* report);

        /// <summary>
        /// Updates a stream until it is idle, without limits of time and bytes: for tests, tools and
        /// loading screens that need not draw. Waits for workers between updates. Each update applies what
        /// came before, so a few suffice for most views.
        /// @param updates_max  the most updates that it makes
        /// Errors: BAD_ARGUMENT (without a stream), BUSY (not idle after updates_max, as with a chunk that
        /// waits for a save); if the last update failed, its result.
        /// Cost: all work of the views.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_settle", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_settle(TrnStream* stream, uint updates_max);

        /// <summary>
        /// Saves all unsaved chunks now, on the calling thread. Waits for saves that run on workers.
        /// @return OK; BAD_ARGUMENT without a stream; otherwise the result of the last save that failed:
        ///         those chunks stay unsaved
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_save", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_save(TrnStream* stream);

        /// <summary>
        /// Meshes and uploads all shown chunks again, for example after the graphics card lost its meshes,
        /// or when they should look different. Old meshes stay until upload replaces them. A chunk whose
        /// mesh is already being built is not meshed twice. It generates and saves nothing. Takes effect
        /// with the next updates.
        /// @param stream  may be NULL
        /// Cost: O(chunks).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_remesh", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_stream_remesh(TrnStream* stream);

        /// <summary>
        /// Waits until workers have finished the work issued to them, also that of a far view's levels; the
        /// next updates apply it. For tests, and before the store moves to another thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_wait", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_stream_wait(TrnStream* stream);

        /// <summary>
        /// Sets how many bytes the hooks use for themselves now: caches, scratch of workers. They count
        /// against bytes_max. Any value is accepted; too large a value shrinks views. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_set_scratch", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_stream_set_scratch(TrnStream* stream, UIntPtr bytes);

        /// <summary>
        /// Reports whether the ground under a body is loaded, and after a teleport how much of it: loaded /
        /// chunks is the progress. Let a body walk only where is_loaded is true.
        /// @param min,max  corners, both inclusive; voxels outside the world are ignored
        /// Cost: O(pages of the box).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_readiness", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamReadiness trn_stream_readiness(TrnStream* stream, TrnVoxel min, TrnVoxel max);

        /// <summary>
        /// Returns the stream's own index, for gathers; its values are private. Its planes are "wanted" (a
        /// view holds the chunk), "show" (a view shows the chunk), "loaded" (in the store), "shown" (with a
        /// current mesh), "remesh" (needs a mesh and is not queued yet), and "unsaved".
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_index", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnChunkIndex* trn_stream_index(TrnStream* stream);

        /// <summary>
        /// Returns the light of a voxel, for creatures, plants and the like.
        /// @param sky     receives the level of sky light, 0..15; of an opaque voxel 0
        /// @param blocks  receives the level of the light of blocks; of an opaque voxel what it emits
        /// Errors: BAD_ARGUMENT (outside the world, or without TrnStreamDef.keep_light), NOT_FOUND (its
        /// chunk was not meshed yet). After an edit, the light is that of before until the mesh is done.
        /// Cost: O(1), a look-up.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_get_light", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_stream_get_light(TrnStream* stream, TrnVoxel voxel, uint* sky, uint* blocks);

        /// <summary>
        /// Explains why a chunk is or is not loaded and shown. Cost: O(views); queue_position is O(those
        /// before it of the same priority).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_stream_explain", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamExplanation trn_stream_explain(TrnStream* stream, TrnCoord coord);

        /// <summary>Returns a snapshot of the figures. Cost: O(anchors).</summary>
        [DllImport(Name, EntryPoint = "trn_stream_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamStats trn_stream_stats(TrnStream* stream);

        /// <summary>Returns the bytes that count against bytes_max now. Cost: O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_stream_bytes", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_stream_bytes(TrnStream* stream);

        /// <summary>Clears all times, for example after a cold start.</summary>
        [DllImport(Name, EntryPoint = "trn_stream_reset_times", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_stream_reset_times(TrnStream* stream);

        /// <summary>
        /// Returns the view that ends at a distance, with a height of 3. Levels get 5/8 of level 0's
        /// radius: 10 for 16 chunks. So level 1 ends 4 chunks beyond level 0, and a voxel's size on screen
        /// is at most 1.6 times that of level 1 where it begins.
        /// @param distance_chunks  in chunks of level 0
        /// @param radius_chunks    of level 0's view; 0 counts as 1
        /// @return levels is at least 1. A distance beyond what TRN_FAR_LEVEL_MAX levels reach gives what
        ///         they do.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_view_to", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFarView trn_far_view_to(uint distance_chunks, uint radius_chunks);

        /// <summary>
        /// Returns the defaults: trn_far_view_to(128, 16), no light, a stream's default budget, no byte
        /// limit of its own, a hysteresis of 1 chunk, stores without user bytes.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFarDef trn_far_def();

        /// <summary>
        /// Creates a far view. Chunks that level 0 shows already are drawn at once. Its unsaved changes and
        /// pending edits count as edits of now.
        /// @param def       copied
        /// @param far_view  receives the far view; the caller destroys it before the stream
        /// Errors: BAD_ARGUMENT (no stream, mesh hook or generator; a view beyond its limits, or levels
        /// beyond the generator's), EXISTS (the stream has a far view), NO_MEMORY, FULL (bytes_max holds
        /// no empty levels). Cost: O(chunks that level 0 shows).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_far_create(TrnFarDef* def, TrnFar** far_view);

        /// <summary>
        /// Draws all that level 0 shows, in place of coarser chunks, and frees the levels with their chunks
        /// and meshes; `draw` takes back what was drawn of them, and `unload` is not called. It saves
        /// nothing: call trn_far_save first.
        /// @param far_view  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_far_destroy(TrnFar* far_view);

        /// <summary>
        /// Moves the levels' views to level 0's anchors, applies what workers have finished, and issues the
        /// next work. Call it once a frame, after trn_stream_update.
        /// @param budget  for level 0 and all levels together, the finest first (TrnFarDef.budget); NULL:
        ///                the def's
        /// @param report  receives the sum over the levels; may be NULL
        /// @return OK; BAD_ARGUMENT (without a far view, or a budget out of range); otherwise the last of
        ///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The far view continues
        ///         and retries.
        /// Cost: the budget.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_update", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_far_update(TrnFar* far_view, TrnStreamBudget* budget, TrnStreamReport* report);

        /// <summary>
        /// Changes how far the view reaches, from the next update on. A level that is no longer part of it
        /// is freed at once as in trn_far_destroy(), unsaved changes included: call trn_far_save first.
        /// Errors: BAD_ARGUMENT (as in create), NO_MEMORY, FULL; the view is then as before. Cost: O(1), or
        /// O(chunks) of the levels that are freed.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_set_view", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_far_set_view(TrnFar* far_view, TrnFarView* view);

        /// <summary>Returns how far the view should reach. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_far_view", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFarView trn_far_view(TrnFar* far_view);

        /// <summary>
        /// Folds all edits that have not reached the coarser levels, then saves the levels' unsaved chunks,
        /// on the calling thread, as trn_stream_save(). Coarse chunks that are not loaded are saved with
        /// their edits, if TrnFarDef.source both loads and saves; otherwise these stay pending in the
        /// level's store. A level whose pending edits are full is saved before more are added, so one call
        /// saves all. Pending edits of level 0 are the game's to save (trn_save_pending).
        /// Cost: O(chunks to fold and to save); each is loaded or generated, with its parent.
        /// @return OK; BAD_ARGUMENT without a far view; otherwise the result of the last step that failed.
        ///         Those chunks stay as they were, and TrnFarStats.unsaved says how many they are
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_save", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_far_save(TrnFar* far_view);

        /// <summary>
        /// Meshes and uploads all chunks of the coarser levels again, as trn_stream_remesh().
        /// @param far_view  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_remesh", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_far_remesh(TrnFar* far_view);

        /// <summary>
        /// The store of a level, to find chunks in and for its planes; for voxels see
        /// TrnFarDef.keeps_voxels. The far view is its writer.
        /// @param level  1..levels; NULL for others. 0: level 0's store
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_store", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStore* trn_far_store(TrnFar* far_view, uint level);

        /// <summary>
        /// Returns whether a chunk's mesh should be drawn, which is what TrnFarDef.draw last said of it.
        /// @param level  0..levels; false for others
        /// Cost: O(levels), a look-up each.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_far_is_drawn", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_far_is_drawn(TrnFar* far_view, uint level, TrnCoord coord);

        /// <summary>Returns the figures. Cost: O(pages) of all levels.</summary>
        [DllImport(Name, EntryPoint = "trn_far_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFarStats trn_far_stats(TrnFar* far_view);

        /// <summary>
        /// Returns a generator of the ground with its features. Where two write one voxel, the feature of
        /// the chunk that comes later has it, in the order x fastest, then z, then y; of one chunk, the
        /// later call. The ceiling is higher by the reach.
        ///
        /// A voxel of a coarse level has what a feature wrote into any of the voxels that it covers, so
        /// that walls, roofs and trunks are whole from afar, and up to a coarse voxel thicker. Air that a
        /// feature writes has no effect there: the rooms of a house are not seen, and would remove its
        /// walls.
        /// @param features  borrowed: must outlive the use of the generator
        /// Errors of the generator: those of the ground and of `place`; BAD_ARGUMENT (no `place`, a reach
        /// or a level beyond the maximum); OUT_OF_RANGE (a feature wrote beyond its reach).
        /// Threads: as the ground and `place`. Cost: the ground's and (2^level + 2 reach)^3 calls of
        /// `place`; no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_features_generator", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnGenerator trn_features_generator(TrnFeatures* features);

        /// <summary>
        /// Returns the level of detail that is generated, so that `place` can leave out what is not seen
        /// from afar, such as ores and flowers, or write it thicker.
        /// Threads: that of `place`. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_feature_level", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_feature_level(TrnFeatureSink* sink);

        /// <summary>
        /// Writes a block, whatever the land has there.
        /// @param voxel  within reach of the chunk where the feature begins; others have no effect, and
        ///               generating fails with OUT_OF_RANGE. Beyond the end of the world: no effect
        /// Threads: that of `place`. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_feature_set", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_feature_set(TrnFeatureSink* sink, TrnVoxel voxel, ushort block);

        /// <summary>
        /// Writes a block where the land and earlier features have air, such as leaves.
        /// @param voxel  as for trn_feature_set
        /// Threads: that of `place`. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_feature_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_feature_add(TrnFeatureSink* sink, TrnVoxel voxel, ushort block);

        /// <summary>Returns the default: no liquids, 2,048 voxels a step, 64 MiB.</summary>
        [DllImport(Name, EntryPoint = "trn_fluid_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFluidDef trn_fluid_def();

        /// <summary>
        /// Fills in a liquid from a family of block types (terrane/block_types.h), to flow as water does:
        /// every 5 steps, 7 voxels far, to drops within 4 voxels, and renewed.
        /// @param family  its source
        /// @param liquid  receives it
        /// Errors: BAD_ARGUMENT (NULL), NOT_FOUND (the family is not of nine liquids). Cost: O(types).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_liquid", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_liquid(TrnBlockTypes* types, ushort family, TrnFluidLiquid* liquid);

        /// <summary>
        /// Fills in the built-in water, to flow five times a second in a game of 20 steps a second.
        /// @param liquid  receives it
        /// Errors: as trn_fluid_liquid. Cost: O(types).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_water", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_water(TrnBlockTypes* types, TrnFluidLiquid* liquid);

        /// <summary>
        /// Fills in the built-in lava: every 20 steps, 3 voxels far, to drops within 2 voxels, not renewed.
        /// It does not react by itself; docs/fluids.md has the reaction that hardens it in water.
        /// @param liquid  receives it
        /// Errors: as trn_fluid_liquid. Cost: O(types).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_lava", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_lava(TrnBlockTypes* types, TrnFluidLiquid* liquid);

        /// <summary>
        /// Creates the fluid of a store. A store has at most one.
        /// @param def    copied
        /// @param fluid  receives it; destroy it before its store
        /// Errors: BAD_ARGUMENT (a number outside its range; a block twice, or not of kind LIQUID; an
        /// unassigned block), EXISTS, NO_MEMORY, FULL (also if `bytes_max` is too little for any step),
        /// READERS.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_create(TrnStore* store, TrnFluidDef* def, TrnFluid** fluid);

        /// <summary>Returns the fluid of a store; NULL: it has none. O(watches).</summary>
        [DllImport(Name, EntryPoint = "trn_fluid_of", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFluid* trn_fluid_of(TrnStore* store);

        /// <summary>
        /// Describes a fluid, such as to create one like it on another store.
        /// @return as at its creation; the lists belong to the fluid
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_describe", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFluidDef trn_fluid_describe(TrnFluid* fluid);

        /// <summary>
        /// Destroys a fluid; liquids then stand still. Not in a listener of its own step.
        /// @param fluid  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_fluid_destroy(TrnFluid* fluid);

        /// <summary>
        /// Does one step.
        /// @param outcome  receives what it did; may be NULL; untouched on failure
        /// Errors: BUSY (a batch has one of the chunks open; or the fluid is in a step), NO_MEMORY, FULL
        /// (bytes_max of the store), READERS. The store is then unchanged, and the step can be repeated; it
        /// does what it would have done. At its own bytes_max a step succeeds, and does what fits.
        /// Cost: O(layers of chunks with voxels to look at), whether one voxel or hundreds; O(1) with
        /// nothing to do.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_step", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_step(TrnFluid* fluid, TrnFluidOutcome* outcome);

        /// <summary>
        /// Switches a fluid off or on. Off, steps do nothing and do not count; what changes meanwhile is
        /// looked at once it is on. A new fluid is on. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_set_running", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_fluid_set_running(TrnFluid* fluid, [MarshalAs(UnmanagedType.I1)] bool is_running);

        /// <summary>
        /// Looks at every liquid of a chunk with the next steps, such as one in a world that was built with
        /// water in mid-air. If the chunk is not loaded, once it is.
        /// Errors: NO_MEMORY, FULL, READERS. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_wake", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_wake(TrnFluid* fluid, TrnCoord coord);

        /// <summary>
        /// Drops the voxels of a chunk that sleep, and those that are due if it is not loaded, and frees
        /// their memory: for a chunk that the game will not load soon. Once it or a chunk at its faces is
        /// loaded, the fluid looks at all liquids of these seven chunks instead. It remembers which chunks
        /// in a filter of 65,536 bits, so a few others are looked at, too.
        /// Not in a listener of the fluid's own step. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_drop", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_fluid_drop(TrnFluid* fluid, TrnCoord coord);

        /// <summary>
        /// Writes what a fluid has yet to look at, and the number of its step, so that a saved world goes
        /// on as if it had not been left: store the bytes with the chunks, as with trn_save_set_value
        /// (terrane/save.h) in the same transaction. Equal states give equal bytes.
        /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
        /// @return how many bytes there are; not in a listener of the fluid's own step
        /// Cost: O(chunks with voxels to look at); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_save", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_fluid_save(TrnFluid* fluid, void* bytes, UIntPtr capacity);

        /// <summary>
        /// Makes a fluid go on from what trn_fluid_save wrote, and forget what it was to look at.
        /// @param bytes  [size] any bytes are safe
        /// Errors: CORRUPT (not such bytes, or of another number of liquids), BUSY (it is in a step),
        /// NO_MEMORY, FULL, READERS; the fluid is unchanged then.
        /// Cost: O(size); memory for both states at once.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_load", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_load(TrnFluid* fluid, void* bytes, UIntPtr size);

        /// <summary>
        /// Writes what a fluid has yet to look at in a box, as trn_fluid_save does, without what was
        /// dropped. First it looks up what changed voxels lead to, as the next step would.
        /// @param box    of chunks
        /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
        /// @param size   receives how many bytes there are; 0: nothing is to be looked at
        /// Errors: BUSY (it is in a step), NO_MEMORY, FULL, READERS; `size` is untouched then.
        /// Cost: as trn_fluid_save, and that of a step without liquids.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_save_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_save_box(TrnFluid* fluid, TrnBox box, void* bytes, UIntPtr capacity, UIntPtr* size);

        /// <summary>
        /// Makes a fluid look at what trn_fluid_save_box wrote, besides what it is to look at anyway.
        /// @param bytes  [size] any bytes are safe
        /// Errors: as trn_fluid_load; the fluid may look at some of it then.
        /// Cost: O(size).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fluid_merge", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_fluid_merge(TrnFluid* fluid, void* bytes, UIntPtr size);

        /// <summary>Returns the figures. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_fluid_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnFluidStats trn_fluid_stats(TrnFluid* fluid);

        /// <summary>
        /// Folds one of the eight chunks into its part of the next level's chunk.
        /// @param types   of the world
        /// @param child   [TRN_CHUNK_VOXELS] in linear order: what to fold
        /// @param above   [TRN_CHUNK_VOXELS] the chunk above it at its level, whose lowest layer says which
        ///                voxels are covered; NULL: air
        /// @param octant  which of the eight: bit 0 along x, bit 1 along z, bit 2 along y
        /// @param blocks  [TRN_CHUNK_VOXELS] of the next level: receives the 16 x 16 x 16 cells of the
        ///                octant; the others stay as they are. Caller owns
        /// Threads: any. Cost: O(TRN_CHUNK_VOXELS); 24 KiB of stack.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fold_blocks", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_fold_blocks(TrnBlockTypes* types, ushort* child, ushort* above, uint octant, ushort* blocks);

        /// <summary>
        /// The same of a chunk with edits: folds only the cells that have a voxel which is not as in the
        /// land, and leaves the others as they are in `blocks`.
        /// @param land  [TRN_CHUNK_VOXELS] the chunk as it is without edits
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_fold_edited", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_fold_edited(TrnBlockTypes* types, ushort* child, ushort* above, ushort* land, uint octant, ushort* blocks);

        /// <summary>Returns the default: 16 MiB.</summary>
        [DllImport(Name, EntryPoint = "trn_history_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnHistoryDef trn_history_def();

        /// <summary>
        /// Creates an empty history, for batches of one store.
        /// @param def      NULL means trn_history_def()
        /// @param history  receives it; destroy it with trn_history_destroy
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_history_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_history_create(TrnStore* store, TrnHistoryDef* def, TrnHistory** history);

        /// <summary>
        /// Destroys a history. Its pending edits stay pending. No batch of the history may be open. Destroy
        /// a history before its store.
        /// @param history  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_history_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_history_destroy(TrnHistory* history);

        /// <summary>
        /// Makes all batches until trn_history_end_group() one step: a brush stroke, a command. Without a
        /// group, each batch is one. Groups nest; the outermost counts. An empty group is no step. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_history_begin_group", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_history_begin_group(TrnHistory* history);

        /// <summary>Ends the group that the last trn_history_begin_group() began. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_history_end_group", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_history_end_group(TrnHistory* history);

        /// <summary>
        /// Undoes the newest group that is done. A new batch of the history drops all groups that could be
        /// redone.
        /// @param outcome  receives what the undo did; may be NULL
        /// Errors: NOT_FOUND (there is no such group), BUSY (a group or batch of this history is open, a
        /// batch has one of the chunks open, or block data of a chunk that is not loaded would change: load
        /// it and call again), NO_MEMORY, FULL, READERS; store and history are then as they
        /// were. Cost: O(changed voxels), and a commit; of a ball of radius 16 about a tenth of the cost of
        /// digging it.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_history_undo", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_history_undo(TrnHistory* history, TrnBatchOutcome* outcome);

        /// <summary>Redoes the oldest group that is undone. Parameter, errors and cost: as trn_history_undo().</summary>
        [DllImport(Name, EntryPoint = "trn_history_redo", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_history_redo(TrnHistory* history, TrnBatchOutcome* outcome);

        /// <summary>
        /// Drops all groups, so that nothing can be undone or redone. No group or batch of the history may
        /// be open.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_history_clear", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_history_clear(TrnHistory* history);

        /// <summary>Returns the figures of a history. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_history_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnHistoryStats trn_history_stats(TrnHistory* history);

        /// <summary>
        /// Returns the default settings: wavelength 64 voxels, no warp, 4 octaves with lacunarity 2 and
        /// gain 0.5; 1 octave for cellular noise.
        /// @param dimensions  2 or 3
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint dimensions);

        /// <summary>
        /// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
        /// range. Static text; any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_def_fault", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_noise_def_fault(TrnNoiseDef* def);

        /// <summary>
        /// Compiles a def.
        /// @param noise  receives the compiled noise
        /// Errors: BAD_ARGUMENT (NULL, NaN or anything that trn_noise_def_fault reports). No allocation.
        /// Any thread. Cost: O(layers).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_compile", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_noise_compile(TrnNoiseDef* def, TrnNoise* noise);

        /// <summary>
        /// Evaluates the noise at one voxel of the world. The result has the same bits as in any grid.
        /// @param noise  compiled; an all-zero noise is 0 everywhere
        /// Any thread. Cost: O(layers), 1.2 times as much in 3D as in 2D; grids are 6 to 20 times cheaper
        /// per voxel.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_at", CallingConvention = CallingConvention.Cdecl)]
        public static extern float trn_noise_at(TrnNoise* noise, TrnVoxel voxel);

        /// <summary>
        /// Evaluates the noise at every voxel of a grid.
        /// @param out  [size_x * size_z * size_y] receives the values, x fastest, then z, then y, like the
        ///             voxels of a chunk; caller owns
        /// Errors: BAD_ARGUMENT (noise not compiled, origin too far outside the world, level or size out of
        /// range); `out` is then unchanged. No allocation. Any thread.
        /// Cost: O(voxels * layers); AVX2 takes twice as long as AVX-512, SSE2 four times. Coarser grids
        /// cost up to half as much again, since adjacent points lie in different cells. Plus a compilation
        /// per call. Times: docs/noise.md.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_fill", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_noise_fill(TrnNoise* noise, TrnNoiseGrid* grid, float* @out);

        /// <summary>
        /// Like trn_noise_fill, but displaces each voxel by a warp of the caller's, added to the noise's
        /// own. Several noises can share one warp this way.
        /// @param warp  by axis: an array like `out` of displacements in voxels, or NULL for none. A
        ///              displacement is bounded to 2,000 wavelengths; NaN counts as the bound.
        /// Errors, threads: as trn_noise_fill.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_noise_fill_warped", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_noise_fill_warped(TrnNoise* noise, TrnNoiseGrid* grid, float** warp, float* @out);

        /// <summary>128 voxels, stops at solid blocks, passes through chunks that are not loaded.</summary>
        [DllImport(Name, EntryPoint = "trn_ray_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnRayDef trn_ray_def();

        /// <summary>
        /// Visits the voxels along a ray in order until one stops it (DDA traversal).
        /// In a voxel with a model in the stop set, solid or not, only the model's boxes stop the ray; a
        /// box contains its lower faces, as a voxel does. A liquid in the stop set fills its voxel, however
        /// low its surface is drawn. Visits every voxel that the ray crosses exactly
        /// once, over any distance. Where the ray crosses an edge or corner, exactly or closer than doubles
        /// can tell, it steps along x before y before z.
        /// @param origin     any point of the world. If the voxel that contains it stops the ray, the hit
        ///                   is at distance 0. A voxel contains its lower faces; a ray that goes down from
        ///                   one is in the next voxel at distance 0. An offset of 32 lies in the next
        ///                   chunk, or at the upper end of the world in the last voxel
        /// @param direction  x, y, z of any length but 0
        /// @param def        NULL means trn_ray_def()
        /// @param hit        receives where it ended; untouched on failure
        /// Errors: BAD_ARGUMENT (a number that is not finite or out of range, an offset outside 0..32, a
        /// direction of length 0).
        /// Cost: O(chunks on the way + voxels near blocks of the stop set); a chunk costs as much as 5
        /// voxels. A chunk that is uniform, not loaded, or empty around the ray is skipped at once. No
        /// allocation. Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray
        /// Tracing", 1987.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_store_raycast", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_store_raycast(TrnStore* store, TrnPosition origin, double* direction, TrnRayDef* def, TrnRayHit* hit);

        /// <summary>Returns the defaults: no limit.</summary>
        [DllImport(Name, EntryPoint = "trn_registry_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnRegistryDef trn_registry_def(UIntPtr index_offset);

        /// <summary>Creates an empty registry. Errors: BAD_ARGUMENT, NO_MEMORY.</summary>
        [DllImport(Name, EntryPoint = "trn_registry_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_registry_create(TrnRegistryDef* def, TrnRegistry** registry);

        /// <summary>Destroys a registry; the objects are not touched. @param registry  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_registry_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_registry_destroy(TrnRegistry* registry);

        /// <summary>
        /// Returns whether an object is in the registry. The object's field may hold any value: it is
        /// checked against the array. (Initialise it, to zero say, because it is read.) O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_registry_contains", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_registry_contains(TrnRegistry* registry, void* @object);

        /// <summary>
        /// Adds an object and writes its index. The object must not move until it is removed.
        /// @param object  not NULL; caller owns
        /// Errors: BAD_ARGUMENT, EXISTS, FULL (count_max), NO_MEMORY; nothing changes. Cost: amortized
        /// O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_registry_add", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_registry_add(TrnRegistry* registry, void* @object);

        /// <summary>
        /// Removes an object; the last one takes its place. @param object  not NULL
        /// Errors: BAD_ARGUMENT, NOT_FOUND. O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_registry_remove", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_registry_remove(TrnRegistry* registry, void* @object);

        /// <summary>
        /// Allocates capacity for at least `count` objects, so that adding up to that many cannot fail.
        /// Errors: FULL (above count_max), NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_registry_reserve", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_registry_reserve(TrnRegistry* registry, uint count);

        /// <summary>Returns the defaults: three dimensions, a sentinel of zeroes, at most 1 GiB of cells.</summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSpatialArrayDef trn_spatial_array_def(UIntPtr element_bytes);

        /// <summary>
        /// Creates an empty array. Allocates no cells before the first insert.
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_spatial_array_create(TrnSpatialArrayDef* def, TrnSpatialArray** array);

        /// <summary>Destroys an array. @param array  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_spatial_array_destroy(TrnSpatialArray* array);

        /// <summary>
        /// Returns the cell at a coordinate, or NULL outside the extent. A cell without an element holds
        /// the sentinel. The address is valid until the next insert, reserve or shrink.
        /// Threads: any number of readers while no thread writes. O(1), no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_spatial_array_cell", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_spatial_array_cell(TrnSpatialArray* array, TrnCoord coord);

        /// <summary>
        /// Returns the pointer at a coordinate, or NULL. Only for arrays of pointers with a NULL sentinel
        /// (element_bytes is sizeof(void *)). O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_spatial_array_pointer", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_spatial_array_pointer(TrnSpatialArray* array, TrnCoord coord);

        /// <summary>
        /// Stores an element at a coordinate, replacing the previous one if there is one.
        /// @param element  [element_bytes], copied; must differ from the sentinel
        /// Errors: BAD_ARGUMENT (the sentinel, or a coordinate beyond the dimensions), OUT_OF_RANGE (would
        /// exceed bytes_max), NO_MEMORY.
        /// Cost: O(1), plus a copy of all cells on growth: amortized O(1) while the elements stay dense.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_insert", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_spatial_array_insert(TrnSpatialArray* array, TrnCoord coord, void* element);

        /// <summary>Removes the element at a coordinate; the extent stays. Errors: NOT_FOUND. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_remove", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_spatial_array_remove(TrnSpatialArray* array, TrnCoord coord);

        /// <summary>
        /// Grows the extent, in one step, until the box lies inside.
        /// Errors: as insert; BAD_ARGUMENT for an empty box.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_reserve", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_spatial_array_reserve(TrnSpatialArray* array, TrnBox box);

        /// <summary>
        /// Shrinks the extent to the box around the elements; an empty array frees all cells.
        /// Errors: NO_MEMORY. Cost: reads all cells.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_shrink", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_spatial_array_shrink(TrnSpatialArray* array);

        /// <summary>Removes all elements; the extent stays. Cost: writes all cells.</summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_clear", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_spatial_array_clear(TrnSpatialArray* array);

        /// <summary>
        /// Gathers the elements of a box in memory order: x fastest, then z, then y.
        /// @param box       both corners inclusive; may reach outside the extent; an empty box holds
        ///                  nothing
        /// @param out       [capacity] elements; caller owns; may be NULL when capacity is 0
        /// @return how many elements the box holds; at most `capacity` are written, and if the box holds
        /// fewer, the rest of `out` is undefined
        /// Cost: O(cells of the box inside the extent); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_gather", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_spatial_array_gather(TrnSpatialArray* array, TrnBox box, void* @out, UIntPtr capacity);

        /// <summary>
        /// Walks all elements in memory order. Start with *cursor = 0 and call until it returns NULL.
        /// @param coord  receives the element's coordinate; may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_next", CallingConvention = CallingConvention.Cdecl)]
        public static extern void* trn_spatial_array_next(TrnSpatialArray* array, UIntPtr* cursor, TrnCoord* coord);

        /// <summary>Returns the statistics of an array. O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_spatial_array_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSpatialArrayStats trn_spatial_array_stats(TrnSpatialArray* array);

        /// <summary>
        /// Returns the default def: a world with sea, beach, hills and mountains around its origin, and a
        /// cache of 2,048 columns (27 MiB).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnTerrainDef trn_terrain_def();

        /// <summary>Returns the shape of the preset "default".</summary>
        [DllImport(Name, EntryPoint = "trn_terrain_shape_default", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnTerrainShape trn_terrain_shape_default();

        /// <summary>
        /// Parses a shape from text: a first line "terrane-terrain 1", then lines "key = number" that set
        /// fields of TrnTerrainShape. Fields that are not set keep their default. docs/terrain.md describes
        /// the format. Any bytes are safe to parse.
        /// @param text     [size] need not end with a zero
        /// @param shape    receives the shape
        /// @param problem  receives the reason on CORRUPT; may be NULL
        /// Errors: CORRUPT, BAD_ARGUMENT; `shape` is then unchanged. No allocation. Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_shape_load", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_shape_load(byte* text, UIntPtr size, TrnTerrainShape* shape, TrnTerrainProblem* problem);

        /// <summary>
        /// Writes a shape as a text for trn_terrain_shape_load(), with every field. Numbers are rounded to
        /// three digits after the point, which shapes of texts have at most.
        /// @param text  [capacity] receives the text and a zero, cut off if it is longer; NULL if capacity
        ///              is 0
        /// @return the length of the whole text; 0 if the shape is NULL. Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_shape_write", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_terrain_shape_write(TrnTerrainShape* shape, byte* text, UIntPtr capacity);

        /// <summary>
        /// Looks up a built-in shape by name.
        /// @param name   "default", "islands", "alps", "canyons" or "flat": the files in assets/terrain/
        /// @param shape  receives the shape
        /// Errors: NOT_FOUND, BAD_ARGUMENT; `shape` is then unchanged. Any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_shape_preset", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_shape_preset(byte* name, TrnTerrainShape* shape);

        /// <summary>Returns the name of the i-th preset, or NULL past the last. Static text; any thread.</summary>
        [DllImport(Name, EntryPoint = "trn_terrain_preset_name", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_terrain_preset_name(UIntPtr i);

        /// <summary>
        /// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
        /// range. Static text; any thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_def_fault", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_terrain_def_fault(TrnTerrainDef* def);

        /// <summary>
        /// Creates a terrain.
        /// @param def      copied; NULL means trn_terrain_def()
        /// @param terrain  receives the terrain; free it with trn_terrain_destroy
        /// Errors: BAD_ARGUMENT (anything that trn_terrain_def_fault reports), NO_MEMORY. Cost: O(1);
        /// columns are allocated on demand.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_create(TrnTerrainDef* def, TrnTerrain** terrain);

        /// <summary>
        /// Frees a terrain.
        /// @param terrain  may be NULL; no thread may still use it
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_terrain_destroy(TrnTerrain* terrain);

        /// <summary>
        /// Generates one chunk.
        /// @param coord    any chunk of the int32 range
        /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; caller owns. If
        ///                 `uniform` is set, only blocks[0] is defined.
        /// @param uniform  receives whether every voxel is the same block. Most chunks of a world are all
        ///                 air or all stone and cost next to nothing.
        /// Errors: none. Without memory for the column cache, generating only takes longer.
        /// Threads: any number on one TrnTerrain. Needs TRN_STACK_BYTES of stack. The first chunk of 2,048
        /// x 2,048 voxels solves their rivers, which takes as long as 20 to 40 chunks; other threads that
        /// need them wait for it. Cost: O(TRN_CHUNK_VOXELS) for a chunk with caves or ground, O(1) for
        /// others; the first chunk of a column costs two to three times as much.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_generate", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_generate(TrnTerrain* terrain, TrnCoord coord, ushort* blocks, byte* uniform);

        /// <summary>
        /// Generates a chunk at a level of detail: every 2^level-th voxel along each axis. The ground's
        /// height is that of level 0 at the sampled voxel column: exactly at level 1, within a voxel of the
        /// level above (but for fewer than one in a thousand samples, in caves of steep land). Levels above
        /// 0 have no plants, no ores, and no caves but those that open to the surface; trees are columns of
        /// leaves, or the ground's colour where they are lower than a voxel.
        /// @param coord    the chunk; it covers 32 * 2^level voxels along each axis. Level n has chunks
        ///                 INT32_MIN / 2^n .. INT32_MAX / 2^n.
        /// @param level    0..TRN_TERRAIN_LEVEL_MAX
        /// @param blocks   as in trn_terrain_generate
        /// @param uniform  as in trn_terrain_generate
        /// Errors: BAD_ARGUMENT (level, or coord outside the world), NO_MEMORY (levels above 0 need 400 KiB
        /// of scratch).
        /// Threads: any number. Cost: as trn_terrain_generate at level 0; above, a third to a half of that,
        /// O(1) for uniform chunks, and 8 to 24 times as much for the first chunk of a column.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_generate_level", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_generate_level(TrnTerrain* terrain, TrnCoord coord, uint level, ushort* blocks, byte* uniform);

        /// <summary>
        /// Wraps the terrain as a generator (terrane/generator.h) that calls trn_terrain_generate_level.
        /// @param terrain  borrowed: it must outlive the generator and its copies
        /// Threads: any number may generate with it. Needs TRN_STACK_BYTES of stack.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_generator", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnGenerator trn_terrain_generator(TrnTerrain* terrain);

        /// <summary>
        /// Computes the y of the topmost ground voxel of a voxel column, without water and trees: exactly
        /// what trn_terrain_generate makes.
        /// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
        /// @param height  receives the height. Below TRN_TERRAIN_SEA_LEVEL there is water above it, unless
        ///                a cave opens there: caves are dry. Rivers and lakes are higher;
        ///                trn_terrain_sample reports all of them.
        /// Errors: BAD_ARGUMENT. Any thread. Cost: O(1) if the column is cached, 20 times that where caves
        /// open or cliffs overhang; a column's generation if it must be generated first.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_height", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_height(TrnTerrain* terrain, long x, long z, long* height);

        /// <summary>
        /// Samples the surface at a voxel column: height, biome and blocks.
        /// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
        /// @param sample  receives the sample
        /// Errors, threads, cost: as trn_terrain_height.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_sample", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_sample(TrnTerrain* terrain, long x, long z, TrnTerrainSample* sample);

        /// <summary>
        /// Samples the surface at every 2^level-th voxel column of a chunk, for maps. Like
        /// trn_terrain_sample, with three differences: heights ignore caves that open, so about one in
        /// thirty is higher; above level 1 a few differ by a voxel of the level; forests show the blocks of
        /// their canopy.
        /// @param chunk_x,chunk_z  a chunk of that level: it covers 32 * 2^level voxels; INT32_MIN /
        ///                         2^level .. INT32_MAX / 2^level
        /// @param level            0..TRN_TERRAIN_LEVEL_MAX
        /// @param samples          [TRN_CHUNK_EDGE][TRN_CHUNK_EDGE] receives the samples, by z, then x;
        ///                         caller owns
        /// Errors: BAD_ARGUMENT (level, or a chunk outside the world), NO_MEMORY (it needs 1 MiB of
        /// scratch); `samples` is then unchanged. Any thread. Cost: O(samples), each a hundredth
        /// of trn_terrain_sample on columns that are not cached.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_terrain_sample_level", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_terrain_sample_level(TrnTerrain* terrain, int chunk_x, int chunk_z, uint level, TrnTerrainSample* samples);

        /// <summary>Returns the defaults: no function, 3 voxels a chunk, a radius of 8 chunks and a height of 4.</summary>
        [DllImport(Name, EntryPoint = "trn_ticks_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnTicksDef trn_ticks_def();

        /// <summary>
        /// Creates random ticks.
        /// @param def    copied
        /// @param ticks  receives them; destroy them before the store
        /// Errors: BAD_ARGUMENT (a number outside its range, no function), NO_MEMORY, FULL, READERS.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_ticks_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_ticks_create(TrnStore* store, TrnTicksDef* def, TrnTicks** ticks);

        /// <summary>Destroys random ticks. @param ticks  may be NULL</summary>
        [DllImport(Name, EntryPoint = "trn_ticks_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_ticks_destroy(TrnTicks* ticks);

        /// <summary>
        /// Does one step.
        /// @param step     its number; the same number draws the same voxels
        /// @param anchors  [count] chunk coordinates; a chunk near two of them ticks once
        /// @param outcome  receives what it did; may be NULL; untouched on failure
        /// Errors: of the function and of trn_batch_commit; NO_MEMORY, FULL, READERS. The store is then
        /// unchanged.
        /// Cost: O(chunks near anchors + voxels drawn in those with such blocks), and the game's; a voxel
        /// drawn costs up to ten times a chunk without such blocks, mostly to fetch it from memory. Memory
        /// of 8 bytes for each chunk near an anchor is kept.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_ticks_step", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_ticks_step(TrnTicks* ticks, ulong step, TrnCoord* anchors, UIntPtr count, TrnTicksOutcome* outcome);

        /// <summary>Returns local x of the lowest voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_x", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_x(ulong quad);

        /// <summary>Returns local y of the lowest voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_y", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_y(ulong quad);

        /// <summary>Returns local z of the lowest voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_z", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_z(ulong quad);

        /// <summary>Returns the voxels along the face's first axis (trn_quad_axes), 1..32.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_width", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_width(ulong quad);

        /// <summary>Returns the voxels along the face's second axis, 1..32.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_height", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_height(ulong quad);

        /// <summary>Returns a TrnFace, TRN_QUAD_PLANT_A or TRN_QUAD_PLANT_B.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_face", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_face(ulong quad);

        /// <summary>Returns the ambient occlusion, 0..255: see TrnQuad.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_ao", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_ao(ulong quad);

        /// <summary>Returns the block.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_block", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_quad_block(ulong quad);

        /// <summary>
        /// Finds the two axes (0 x, 1 y, 2 z) that a face spans: (z, y) for faces of x, (x, z) for faces of
        /// y, (x, y) for faces of z.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_quad_axes", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_quad_axes(TrnFace face, int* width_axis, int* height_axis);

        /// <summary>Returns the game's own byte: see TrnMeshInput.user_bytes.</summary>
        [DllImport(Name, EntryPoint = "trnx_quad_user_byte", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_user_byte(ulong quad);

        /// <summary>
        /// Returns how far a liquid's quad is lowered, in 1/16 voxel: all of a top face, only the upper
        /// edge of a side.
        /// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
        /// @return 0..15; 0 if it is not lowered
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_quad_drop", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_drop(ulong quad);

        /// <summary>
        /// Returns how far above the bottom of its voxels a liquid's side begins, in 1/16 voxel: a lower
        /// liquid of the same family covers what is below. Such a quad is one voxel high.
        /// @param quad  a quad of TRN_MESH_SURFACE_TRANSPARENT
        /// @return 0..15, less than 16 - trn_quad_drop()
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_quad_start", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_start(ulong quad);

        /// <summary>
        /// Returns along which diagonal to split an opaque or cutout quad into triangles, so that its
        /// ambient occlusion interpolates evenly: (0,0) to (1,1) if false, (1,0) to (0,1) if true. It is
        /// the brighter diagonal. Source: M. Lysenko, "Ambient Occlusion for Minecraft-like Worlds", 2013.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_quad_is_flipped", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_quad_is_flipped(ulong quad);

        /// <summary>Returns local x of the voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_x", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_x(TrnModelFace* face);

        /// <summary>Returns local y of the voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_y", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_y(TrnModelFace* face);

        /// <summary>Returns local z of the voxel.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_z", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_z(TrnModelFace* face);

        /// <summary>Returns the direction, a TrnFace.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_face", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_face(TrnModelFace* face);

        /// <summary>Returns the index of the box in the model, 0..TRN_BLOCK_BOXES_MAX - 1.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_box", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_box(TrnModelFace* face);

        /// <summary>
        /// Returns an end of the rectangle, 0..16. @param axis  0 width, 1 height. @param end  0 low, 1
        /// high
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_end", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_end(TrnModelFace* face, uint axis, uint end);

        /// <summary>Returns the place of the rectangle along the direction's axis, 0..16.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_depth", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_depth(TrnModelFace* face);

        /// <summary>Returns the block.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_block", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_model_face_block(TrnModelFace* face);

        /// <summary>Returns the ambient occlusion, 0..255, two bits a corner.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_ao", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_ao(TrnModelFace* face);

        /// <summary>Returns the game's own byte: see TrnMeshInput.user_bytes.</summary>
        [DllImport(Name, EntryPoint = "trnx_model_face_user_byte", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_model_face_user_byte(TrnModelFace* face);

        /// <summary>Returns a corner's sky light. @param light  a quad's. @param corner  0..3</summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_light_sky", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_light_sky(uint light, uint corner);

        /// <summary>Returns the light of blocks at a corner. @param light  a quad's. @param corner  0..3</summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_light_blocks", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_light_blocks(uint light, uint corner);

        /// <summary>
        /// Returns what to mesh a loaded chunk of a store from: the chunk, those around it and the store's
        /// block types, without light. Missing chunks count as opaque (missing_is_solid), so that the
        /// border of what is loaded shows no walls. Threads and lifetime: as trn_store_snapshot_around.
        /// Cost: O(1), 27 look-ups.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_input", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnMeshInput trn_mesh_input(TrnStore* store, TrnCoord coord);

        /// <summary>
        /// Returns the same of what a stream passes to its mesh hook, with its light.
        /// @param streamed  valid until the hook returns, and so is the result
        /// @param types     those of the store: trn_store_block_types
        /// Threads: any. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_input_of", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnMeshInput trn_mesh_input_of(TrnStreamMeshInput* streamed, TrnBlockTypes* types);

        /// <summary>
        /// Returns the first group of a surface; its last is before the first of the next surface.
        /// @param surface  a TrnMeshSurface, or TRN_MESH_SURFACE_COUNT for the end of the last
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_first_group", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_first_group(uint surface);

        /// <summary>
        /// Returns the surface of blocks of a kind, or TRN_MESH_SURFACE_COUNT for air, which shows nothing,
        /// and for models, which have no quads.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_surface", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnMeshSurface trn_mesh_surface(TrnBlockKind kind);

        /// <summary>Returns how many quads a chunk has.</summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_count", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_count(TrnMeshInfo* info);

        /// <summary>
        /// Meshes one chunk into the caller's buffer.
        ///
        /// Opaque and cutout blocks show a face where the voxel in front of it is not opaque: between two
        /// cutouts there are two faces. Liquids and transparent blocks show a face where the voxel in front
        /// is neither opaque nor the same block, so two different ones that touch show a face from either
        /// side. Plants show two leaves and hide nothing. Blocks without a type are opaque.
        /// The surface of a liquid is as high as its type says (TrnBlockType.surface; 0 is 14), or its
        /// voxel's top if the voxel above is opaque, transparent or a liquid. Liquids of one family hide
        /// each other's faces: all, if they are as high as the face, otherwise what they cover of a side
        /// (trn_quad_start).
        /// Ambient occlusion: each corner of a face is adjacent to three voxels in the layer in front of
        /// an opaque or cutout face; those that are opaque darken it. Missing chunks count as
        /// `missing_is_solid` says, and what lies behind an open side as `open_sides` says.
        /// @param input     see TrnMeshInput
        /// @param scratch   [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
        /// @param quads     [capacity] receives the quads; caller owns. TRN_MESH_QUADS_MAX always suffice.
        ///                  May be NULL if capacity is 0
        /// @param light     [capacity] receives the light of each quad, if info-&gt;light is
        ///                  TRN_MESH_LIGHT_VARIES; otherwise its contents are undefined. Caller owns. May
        ///                  be NULL if capacity is 0, or if the input has neither sky nor blocks
        /// @param info      receives where the quads lie
        /// Errors: BAD_ARGUMENT (no input, centre, types, scratch or info; unaligned scratch; no `light`
        /// for an input with light; a TrnLight.constant that is no level. Writes nothing). FULL (the chunk
        /// has more quads than `capacity`; `info` then holds the full counts, `quads` and `light` are
        /// undefined, and nothing is written beyond their ends).
        /// Threads: any number, each with its own scratch, inside the read section that the snapshots were
        /// taken in. No global state. Builds with assertions detect a payload that is freed before or
        /// during the call, unless another payload had already taken its memory when the call began.
        /// Cost: O(rows + quads). AVX2 takes twice as long as AVX-512, other instruction sets four times;
        /// ambient occlusion doubles it. A checkerboard, the most quads, takes some 100 times as long as a
        /// chunk of hills. A uniform chunk that shows nothing is O(1), any other buried one a tenth of a
        /// chunk of hills. Even light adds up to as much again; a chunk where light varies everywhere takes
        /// 3 to 7 times as long. Open sides add up to four times a chunk of hills. Times: docs/meshing.md.
        /// Uses about 5 KiB of stack and allocates nothing. Source: binary face culling and greedy meshing
        /// (M. Lysenko, "Meshing in a Minecraft Game", 2012), extended to merge the runs of all rows of a
        /// slice at once.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_quads", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_mesh_quads(TrnMeshInput* input, void* scratch, ulong* quads, uint* light, UIntPtr capacity, TrnMeshInfo* info);

        /// <summary>
        /// Meshes the models of one chunk into the caller's buffer: the faces of their boxes, ordered by
        /// the linear index of the voxel, then by box, then by direction.
        ///
        /// A box shows a face unless it is covered as a whole: by an opaque voxel if the face lies on the
        /// border of its voxel, or by one other box, of the same model or of the next voxel's. Models
        /// connect across chunk borders (TrnBlockBox.connected). Missing chunks count as
        /// `missing_is_solid` says; `open_sides` and `without_merging` mean nothing.
        /// Ambient occlusion and light of a corner come from the layer of voxels that the face looks into:
        /// its own voxel's, or the next one if the face lies on the border of its voxel. They are those of
        /// a quad's corner, of the voxels that touch the corner: one inside the voxel touches that voxel
        /// alone. So a box as large as its voxel looks like an opaque block.
        /// @param scratch  [TRN_MESH_SCRATCH_BYTES], aligned to 64 bytes; caller owns
        /// @param faces    [capacity] receives the faces; caller owns. TRN_MESH_MODEL_FACES_MAX always
        ///                 suffice. May be NULL if capacity is 0
        /// @param count    receives how many faces the chunk has
        /// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no count; writes nothing). FULL (more faces than
        /// `capacity`; `faces` are undefined then, and nothing is written beyond their end).
        /// Threads: as trn_mesh_quads(). Cost: O(rows + models); light that varies costs two to four times
        /// as much a model. O(types) if the chunk has no models.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_models", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_mesh_models(TrnMeshInput* input, void* scratch, TrnModelFace* faces, UIntPtr capacity, uint* count);

        /// <summary>
        /// Prepares an empty mesh. Allocates nothing.
        /// @param allocator  copied; NULL means malloc
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_init", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_mesh_init(TrnMesh* mesh, TrnAllocator* allocator);

        /// <summary>
        /// Frees the quads and faces. The mesh is then empty and can be used again.
        /// @param mesh  may be NULL
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_free", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_mesh_free(TrnMesh* mesh);

        /// <summary>
        /// Returns the bytes that the mesh has of its allocator, the mesh itself not counted. A mesh hook
        /// reports them to its stream (TrnStreamMesh.bytes).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_bytes", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trn_mesh_bytes(TrnMesh* mesh);

        /// <summary>
        /// Meshes one chunk like trn_mesh_quads() and trn_mesh_models(), into memory that grows as needed.
        /// @param mesh  overwritten; its memory is reused
        /// Errors: BAD_ARGUMENT (as trn_mesh_quads, or no mesh; the mesh is unchanged), NO_MEMORY (the mesh
        /// is then empty and can be used again).
        /// Threads and cost: as trn_mesh_quads(). A chunk with more quads than the capacity is meshed
        /// twice.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_build", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_mesh_build(TrnMesh* mesh, TrnMeshInput* input, void* scratch);

        /// <summary>
        /// Returns how many vertices the quads of some groups yield.
        /// @param first_group,end_group  groups [first, end) of TRN_MESH_OPAQUE etc., up to
        ///                               TRN_MESH_GROUP_COUNT
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_vertex_count", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_vertex_count(TrnMeshInfo* info, uint first_group, uint end_group);

        /// <summary>Returns how many indices belong to a number of vertices.</summary>
        [DllImport(Name, EntryPoint = "trnx_mesh_index_count", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_mesh_index_count(uint vertex_count);

        /// <summary>
        /// Turns one quad into vertices.
        /// @param is_transparent  whether the quad belongs to TRN_MESH_SURFACE_TRANSPARENT, where ao says
        ///                        how high a liquid reaches (trn_quad_drop)
        /// @param offset    added to positions, which are exact while each is below 2^20
        /// @param vertices  [TRN_QUAD_VERTICES_MAX] receives them; caller owns
        /// @return the number of vertices: 4, or 8 for a plant's leaf. Vertex i is corner i % 4, in the
        /// order of the quad's ao and light
        /// Threads: any number. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_quad_vertices", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_vertices(ulong quad, [MarshalAs(UnmanagedType.I1)] bool is_transparent, float* offset, TrnMeshVertex* vertices);

        /// <summary>
        /// Writes the triangles over the vertices of trn_quad_vertices: counter-clockwise seen from
        /// outside, split along the diagonal that trn_quad_is_flipped names.
        /// @param first    index of the quad's first vertex
        /// @param indices  [TRN_QUAD_INDICES_MAX] receives them; caller owns
        /// @return the number of indices: 6, or 12 for a plant's leaf
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_quad_indices", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_quad_indices(ulong quad, uint first, uint* indices);

        /// <summary>
        /// Turns the quads of some groups into vertices and triangles, in the quads' order.
        /// @param quads,info   as trn_mesh_quads or trn_mesh_build wrote them
        /// @param first_group,end_group  groups [first, end)
        /// @param offset       as trn_quad_vertices
        /// @param first_index  the index of the first vertex: how many vertices precede it in the caller's
        ///                     buffer
        /// @param vertices     [trn_mesh_vertex_count()] receives them; caller owns
        /// @param indices      [trn_mesh_index_count()] receives them; caller owns
        /// Errors: BAD_ARGUMENT (NULL; no such groups; indices beyond 32 bits; groups out of order, or
        /// larger than a chunk's; a plant's leaf outside the plants, or another quad among them). Writes
        /// nothing then, and never beyond the buffers' ends, whatever the quads hold.
        /// Threads: any number. Cost: O(quads); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_vertices", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_mesh_vertices(ulong* quads, TrnMeshInfo* info, uint first_group, uint end_group, float* offset, uint first_index, TrnMeshVertex* vertices, uint* indices);

        /// <summary>
        /// Turns one face of a model into four vertices. Its uv are those of the part of the voxel's face
        /// that it covers.
        /// @param offset    as trn_quad_vertices
        /// @param vertices  [4] receives them, in the order of the face's ao and light; caller owns
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_model_face_vertices", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_model_face_vertices(TrnModelFace* face, float* offset, TrnMeshVertex* vertices);

        /// <summary>
        /// Writes the triangles over those vertices, as trn_quad_indices.
        /// @param indices  [6] receives them; caller owns
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_model_face_indices", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_model_face_indices(TrnModelFace* face, uint first, uint* indices);

        /// <summary>
        /// Turns faces of models into vertices and triangles, in their order.
        /// @param faces,count  as trn_mesh_models or trn_mesh_build wrote them
        /// @param offset       as trn_quad_vertices
        /// @param first_index  as trn_mesh_vertices
        /// @param vertices     [4 * count] receives them; caller owns
        /// @param indices      [6 * count] receives them; caller owns
        /// Errors: BAD_ARGUMENT (NULL; more faces than a chunk has; indices beyond 32 bits). Writes nothing
        /// then, and never beyond the buffers' ends, whatever the faces hold.
        /// Threads: any number. Cost: O(count); no allocation.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_mesh_model_vertices", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_mesh_model_vertices(TrnModelFace* faces, UIntPtr count, float* offset, uint first_index, TrnMeshVertex* vertices, uint* indices);

        /// <summary>
        /// Returns the bit, 0..14, of a pair of different faces in either order. Bits are ordered by the
        /// lower face, then by the higher.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_visibility_bit", CallingConvention = CallingConvention.Cdecl)]
        public static extern uint trn_visibility_bit(TrnFace a, TrnFace b);

        /// <summary>
        /// Returns whether two faces are connected. A face is not connected to itself: a walk that entered
        /// by a face has already visited the chunk behind it.
        /// </summary>
        [DllImport(Name, EntryPoint = "trnx_visibility_joins", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_visibility_joins(ushort visibility, TrnFace a, TrnFace b);

        /// <summary>
        /// Finds which faces are connected. Exact.
        /// @param opaque  [TRN_CHUNK_ROWS] as from trn_snapshot_opaque_rows: bit x of row y * 32 + z is set
        /// if
        ///                the voxel is opaque
        /// Threads: any number. No state, no allocation, 12 KiB of stack.
        /// Cost: O(TRN_CHUNK_VOXELS); least where corridors connect all faces, since the flood fill ends
        /// once it has reached every face that has an opening. Slowest known: a checkerboard takes some 10
        /// times as long as hills and caves, one long corridor along y that folds back and forth and misses
        /// a face 30 times, noise with a third of its voxels open 40 times.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_visibility_of", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_visibility_of(uint* opaque);

        /// <summary>
        /// Finds which faces of a chunk's snapshot are connected. O(1) for uniform chunks, otherwise as
        /// trn_visibility_of().
        /// @param opaque_bits  [TRN_BLOCK_BITS_WORDS] from trn_block_types_opaque_bits; read for uniform
        ///                     chunks alone
        /// Threads: any number, inside the read section that the snapshot was taken in.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_visibility_of_snapshot", CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort trn_visibility_of_snapshot(TrnSnapshot snapshot, uint* opaque_bits);

        /// <summary>
        /// Opens an SQLite database with write-ahead log. Each put is synced to the disk. A file is open
        /// for writing once at a time, in all processes together, by whichever name: the file itself is
        /// locked. A file that this call creates gets its name when it is an empty world and synced
        /// (trn_storage_part_begin); one into which nothing could be put is removed when it is closed.
        ///
        /// Symbolic links are followed, to the file or to where it is created. A file of several names
        /// (hard links) is refused, since each name would have a log of its own. So is a path beside which
        /// a file is named as SQLite names its own (`PATH-wal`, `PATH-shm`, `PATH-journal`), which SQLite
        /// would replace.
        /// @param path     UTF-8
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT, NO_MEMORY, NOT_FOUND and EXISTS by the mode, BUSY (the file is open for
        /// writing), CORRUPT (not a world of Terrane, of a newer format, or damaged), IO.
        /// Threads: any. Cost: some ms.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite(byte* path, TrnStorageMode mode, TrnStorage* storage, TrnStorageProblem* problem);

        /// <summary>
        /// Whether a program has the file of an SQLite storage open for writing. False also if the file
        /// cannot be read.
        /// Threads: any. Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_is_in_use", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_storage_sqlite_is_in_use(byte* path);

        /// <summary>Whether a name begins with postgresql:// or postgres://.</summary>
        [DllImport(Name, EntryPoint = "trn_storage_is_url", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_storage_is_url(byte* name);

        /// <summary>
        /// Opens a world in a file: trn_storage_sqlite, which refuses the URL of a database with a sentence
        /// (terrane/shared.h opens both). As trn_storage_sqlite; BAD_ARGUMENT also for a URL.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_open", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_open(byte* name, TrnStorageMode mode, TrnStorage* storage, TrnStorageProblem* problem);

        /// <summary>
        /// Creates an empty file under a name of its own, `.terrane-tmp-` and 16 digits, in the folder
        /// where a file is to appear. An SQLite storage can be created in it.
        /// @param path     UTF-8; must not exist. Symbolic links are followed
        /// @param part     receives the file; trn_storage_part_end frees it
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_part_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_part_begin(byte* path, TrnStoragePart** part, TrnStorageProblem* problem);

        /// <summary>Returns the path to write to. Valid until the part ends.</summary>
        [DllImport(Name, EntryPoint = "trn_storage_part_path", CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* trn_storage_part_path(TrnStoragePart* part);

        /// <summary>
        /// Syncs the file and gives it its name, or removes it if the result is not OK. What wrote the file
        /// must have closed it. If several parts want one name, the first to end gets it.
        /// @param result   of what wrote the file
        /// @param problem  receives a sentence on failure; one that is in it already names the part's path
        ///                 from now on; may be NULL
        /// @return the result, EXISTS (the name is taken) or IO; no file is left then
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_part_end", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_part_end(TrnStoragePart* part, TrnResult result, TrnStorageProblem* problem);

        /// <summary>
        /// Moves the file of an SQLite storage to another name or folder of its file system, which must be
        /// free, while its lock keeps others from opening it for writing. What its log has is in the file
        /// then, so nothing of it stays behind. Both folders are synced.
        /// @param path     UTF-8; a file, not a symbolic link to one
        /// @param to       UTF-8; must not exist
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: those of trn_storage_sqlite with TRN_STORAGE_OPEN, and EXISTS; nothing is moved then.
        /// Threads: any. Cost: some ms, and the size of the log.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_move", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_move(byte* path, byte* to, TrnStorageProblem* problem);

        /// <summary>
        /// Copies an SQLite storage to a new file while it is in use. The copy is on the disk when this
        /// returns.
        /// @param storage   from trn_storage_sqlite
        /// @param path      UTF-8; must not exist. It appears when it is complete (trn_storage_part_begin)
        /// @param progress  may be NULL
        /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO; no file is left then.
        /// Threads: any. Puts go on meanwhile.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_backup", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_backup(TrnStorage* storage, byte* path, TrnStorageProgress* progress, TrnStorageProblem* problem);

        /// <summary>
        /// Checks that the database of an SQLite storage is in order, apart from what the rows hold.
        /// @param progress  may be NULL
        /// @param visit     called once for each fault, at most 1,000 times
        /// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT (it is too damaged to be checked).
        /// Threads: any. Puts go on meanwhile. Cost: reads the whole file.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_check", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_check(TrnStorage* storage, TrnStorageProgress* progress, IntPtr visit, void* visitor);

        /// <summary>
        /// Has an SQLite storage ask a progress, while it reads, whether it may go on; otherwise only
        /// visitors stop it, and a broken or hostile file can make it search for minutes between two rows.
        /// @param storage   from trn_storage_sqlite; nothing reads it now
        /// @param progress  copied; called on any thread that reads. A read that it stops fails with IO
        /// Errors: BAD_ARGUMENT. Threads: none other may use the storage.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_watch_reads", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_watch_reads(TrnStorage* storage, TrnStorageProgress progress);

        /// <summary>
        /// Counts the invalid rows of an SQLite storage: their level is above 12, their coordinate lies
        /// outside the world, their revision is above 2^62, or they have no bytes. Other calls skip some of
        /// these rows. A world has such rows only if another program has written it.
        /// @param storage  from trn_storage_sqlite
        /// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT. Threads: any. Cost: O(rows).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_count_strays", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_count_strays(TrnStorage* storage, ulong* count);

        /// <summary>
        /// Packs an SQLite storage: gives the space of removed rows back to the disk, and puts rows in
        /// order. Needs twice the file's size of free space meanwhile.
        /// @param storage   from trn_storage_sqlite, opened for writing
        /// @param progress  may be NULL; `total` is unknown
        /// Errors: BAD_ARGUMENT, NO_MEMORY, BUSY, IO (the disk is full); the file is then as it was.
        /// Threads: as put.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_sqlite_compact", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_sqlite_compact(TrnStorage* storage, TrnStorageProgress* progress, TrnStorageProblem* problem);

        /// <summary>
        /// Creates an empty storage in memory, for tests and for worlds that need not last.
        /// @param allocator  copied; NULL means malloc. Called under the storage's lock.
        /// Errors: BAD_ARGUMENT, NO_MEMORY.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_storage_memory", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_storage_memory(TrnAllocator* allocator, TrnStorage* storage);

        /// <summary>
        /// Returns the defaults: chunks that were shown, damaged ones generated again, a transaction a
        /// second, loaded chunks saved after 5 s, a queue of 64 MiB, zstd level 1, a thread.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_def", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSaveDef trn_save_def();

        /// <summary>
        /// Opens the world of a storage, or makes it one if the storage is empty.
        /// @param def      with storage and types
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (more block types than a registry holds), CORRUPT (not a
        /// world, one that lost its format, or of a newer one), IO, and what the storage returns. The
        /// storage is closed on failure, except after BAD_ARGUMENT.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_create", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_create(TrnSaveDef* def, TrnSave** save, TrnStorageProblem* problem);

        /// <summary>
        /// Writes the queue, closes the storage and frees the save. Destroy the stream first.
        /// @param save  may be NULL
        /// @return OK; otherwise why the queue could not be written, after one try
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_destroy", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_destroy(TrnSave* save);

        /// <summary>
        /// Makes a world in an empty storage: puts its format and the first values of the game, in one
        /// transaction that survives a loss of power. If the storage has a world already, or one of these
        /// values, it puts nothing, also if another program makes the world at the same moment: then read
        /// what that world has, with trn_save_get_value. Call it before trn_save_create, which makes a
        /// world without values otherwise.
        /// @param storage  borrowed; no save has it yet
        /// @param values   [count] of the game, with names as in trn_save_set_value; bytes are not NULL
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, and what the storage returns.
        /// Threads: any. Cost: one transaction.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_make_world", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_make_world(TrnStorage* storage, TrnStorageValue* values, UIntPtr count, TrnStorageProblem* problem);

        /// <summary>Returns the source for TrnStreamDef.source.</summary>
        [DllImport(Name, EntryPoint = "trn_save_source", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnStreamSource trn_save_source(TrnSave* save);

        /// <summary>
        /// Copies a chunk into the queue, as the stream does when it saves one. For worlds that come from
        /// elsewhere than a store.
        /// @param blocks   [TRN_CHUNK_VOXELS] in linear order; blocks[0] alone if the chunk is uniform
        /// @param uniform  every voxel is blocks[0]
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes: flush, and call again). Threads: any.
        /// Cost: O(TRN_CHUNK_VOXELS); 160 KiB of memory meanwhile.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_put", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_put(TrnSave* save, TrnCoord coord, uint level, ushort* blocks, [MarshalAs(UnmanagedType.I1)] bool uniform);

        /// <summary>
        /// Reads a saved chunk, as the stream does when it loads one: from the queue if it waits there,
        /// otherwise from the storage. For worlds that are loaded without a stream.
        /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, by ids of the def's
        ///                 types; blocks[0] alone if the chunk is uniform
        /// @param uniform  receives whether every voxel is blocks[0]
        /// Errors: BAD_ARGUMENT; NOT_FOUND (not saved: generate it; or damaged, see TrnSaveDef.damaged),
        /// CORRUPT (damaged and refused), NO_MEMORY, and what the storage returns; blocks and uniform are
        /// then undefined.
        /// Threads: any. Cost: O(TRN_CHUNK_VOXELS), a question to the storage and a decoder's memory, some
        /// 0.3 MiB, of which the save keeps one.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_get", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_get(TrnSave* save, TrnCoord coord, uint level, ushort* blocks, byte* uniform);

        /// <summary>
        /// Begins a transaction: whatever is put into the queue until trn_save_end, by any thread, is
        /// written in one transaction of the storage, all of it or nothing. So chunks, values, pending
        /// edits, the state of liquids and players are those of one moment:
        ///
        ///     if (trn_save_begin(save) == TRN_RESULT_OK) {
        ///         trn_stream_update(stream, NULL, NULL); // it saves chunks, too
        ///         trn_fluid_step(fluid, NULL);
        ///         trn_stream_save(stream);
        ///         trn_save_set_value(save, "fluid", bytes, trn_fluid_save(fluid, bytes, capacity));
        ///         trn_save_end(save);
        ///     }
        ///
        /// What was in the queue before may be written with it. Until the end the save writes nothing, and
        /// puts do not fail with FULL, however much they add to `queue_bytes`: the memory grows with the
        /// transaction. If it cannot be written, it stays in the queue, and is tried again as a whole with
        /// what came later.
        /// Errors: BAD_ARGUMENT, BUSY (a transaction is open), FULL (the queue is over `queue_bytes`: call
        /// again later). Nothing has begun then.
        /// Cost: O(1).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_begin", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_begin(TrnSave* save);

        /// <summary>
        /// Ends the transaction. It is written when it is due (`commit_seconds`), or by trn_save_flush.
        /// Does nothing if none is open. trn_save_destroy ends it, too.
        /// Cost: O(1); without a thread of the save's own, that of writing if that is due.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_end", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_save_end(TrnSave* save);

        /// <summary>
        /// Writes the queue and waits until everything in it is on the disk.
        /// @return OK; BUSY between trn_save_begin and trn_save_end; or why it could not be written: it
        ///         stays in the queue then, and the save tries again
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_flush", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_flush(TrnSave* save);

        /// <summary>
        /// The same, but waits at most some seconds, for a program that ends while a disk does not answer.
        /// Without a thread of the save's own it waits as long as the disk.
        /// @return as trn_save_flush; BUSY also if the time is up: the save goes on writing; BAD_ARGUMENT
        ///         (NULL)
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_flush_for", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_flush_for(TrnSave* save, double seconds);

        /// <summary>
        /// Stores a value of the game's own under a name, with the next transaction: a spawn, a player, a
        /// setting.
        /// @param name   UTF-8, not empty, at most 200 bytes
        /// @param bytes  [size] copied; NULL removes the value
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_set_value", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_set_value(TrnSave* save, byte* name, void* bytes, UIntPtr size);

        /// <summary>
        /// Reads a value, as it was set last.
        /// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
        /// @param size   receives the size of the whole value; may be NULL
        /// Errors: BAD_ARGUMENT, NOT_FOUND, NO_MEMORY, and what the storage returns.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_get_value", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_get_value(TrnSave* save, byte* name, void* bytes, UIntPtr capacity, UIntPtr* size);

        /// <summary>
        /// Notes which land the game generates, and checks that the world may be used with it. A world in
        /// which only changed chunks were ever saved needs the land that it began with.
        /// @param land  text that differs whenever the generated land does, such as seed, shape and
        ///              version
        /// @param problem  receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT (NULL, or the world is bound to another land), NO_MEMORY, FULL, and what
        /// the storage returns.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_bind_land", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_bind_land(TrnSave* save, byte* land, TrnStorageProblem* problem);

        /// <summary>
        /// Stores the names of all block types of the def with the next transaction, not only of those that
        /// were saved. Programs with the same types may then save parts of one world at the same time
        /// (terrane/shared.h): they give the same ids.
        /// Threads: any.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_name_blocks", CallingConvention = CallingConvention.Cdecl)]
        public static extern void trn_save_name_blocks(TrnSave* save);

        /// <summary>
        /// Decodes a row of the world's storage, such as one that TrnStorage.list visits.
        /// @param row      any bytes are safe
        /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks, by ids of the def's types; blocks[0]
        ///                 alone if the chunk is uniform
        /// @param uniform  receives whether every voxel is blocks[0]
        /// @param fault    receives what is wrong with the row, a phrase such as "its checksum is wrong";
        ///                 may be NULL
        /// Errors: BAD_ARGUMENT, NO_MEMORY, CORRUPT; blocks and uniform are then undefined.
        /// Threads: that of trn_stream_update; without a stream, one at a time. Cost: O(TRN_CHUNK_VOXELS).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_read_row", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_read_row(TrnSave* save, TrnStorageRow* row, ushort* blocks, byte* uniform, byte** fault);

        /// <summary>
        /// Takes up the names of blocks that other programs have stored since the world was opened.
        /// trn_save_read_row takes rows with such blocks for corrupt until then: read them again before you
        /// call them damaged. Names that the def's types lack become placeholders, as at opening.
        /// Errors: BAD_ARGUMENT (NULL), CORRUPT (a name or an id is invalid), NO_MEMORY, FULL, and what the
        /// storage returns.
        /// Threads: as trn_save_read_row, while no other thread reads the def's types. Cost: reads the
        /// names of all blocks of the world.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_learn_blocks", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_learn_blocks(TrnSave* save);

        /// <summary>
        /// Decodes a row, and gives its block data (terrane/block_data.h) to a sink, in linear order.
        /// @param sink  called for each voxel that has data
        /// Errors: as trn_save_read_row, and those of the sink, which end the call.
        /// Threads and cost: as trn_save_read_row.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_read_row_data", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_read_row_data(TrnSave* save, TrnStorageRow* row, TrnDataSink* sink);

        /// <summary>
        /// Makes the levels of detail of what was saved without them: by an import, by a game without a far
        /// view or with fewer levels, or by one that crashed. A far view of the world (terrane/far.h) then
        /// shows it without loading level 0. Each chunk of level n + 1 of which some part was saved at
        /// level n since the last call is folded (terrane/fold.h) and put, level by level. What is folded
        /// then replaces the row that there was; what equals the land gets none. Call it when a world is
        /// opened: it asks the storage one question a level if no chunk was saved since. A world that lacks
        /// its levels shows its edits from afar only once their chunks are edited again.
        /// @param land      generates what has no row, at each level; voxels that are as it makes them are
        ///                  not folded. NULL: air, and all voxels are
        /// @param levels    1..levels are made
        /// @param progress  called after each chunk, on the calling thread; false stops: what was made so
        ///                  far is flushed, and the result is OK. The level begins again at the next call.
        ///                  May be NULL.
        /// Errors: BAD_ARGUMENT (levels beyond 12, or beyond the land's), NO_MEMORY, CORRUPT (a damaged
        /// row, if these are refused; otherwise it counts as none), and those of the generator and of
        /// trn_save_flush.
        /// Threads: as trn_stream_update; no stream may use the save meanwhile. Cost: O(rows of
        /// a level) if some are newer, eight folds (terrane/fold.h) and a row for a chunk that is folded,
        /// and that of the land; 32 bytes of memory for each chunk of level 1, and what the queue may hold.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_fold", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_fold(TrnSave* save, TrnGenerator* land, uint levels, IntPtr progress, void* user);

        /// <summary>
        /// Notes that a far view with these levels has folded all that is saved, so that the next
        /// trn_save_fold need not. Call it when the game ends, after trn_stream_save and trn_far_save and
        /// before the next edit. Levels that no trn_save_fold has completed since the save was created do
        /// not count. It flushes; the note itself is written with the next transaction.
        /// @param levels  of the far view
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, and those of trn_save_flush.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_note_folded", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_note_folded(TrnSave* save, uint levels);

        /// <summary>
        /// Stores the edits that are pending in a store (terrane/batch.h) with the next transaction, in
        /// place of those stored before. Once their chunk was loaded, and saved with them, its row replaces
        /// them in the same transaction. Call it where you call trn_stream_save; what did not change since
        /// costs nothing on the disk.
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes); those that were queued by then are stored.
        /// Threads: the store's writer. Cost: O(pending edits).
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_pending", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_pending(TrnSave* save, TrnStore* store);

        /// <summary>
        /// Makes the edits pending again that trn_save_pending stored. Call it once, after trn_save_create
        /// and before trn_stream_create: names that the game does not know become placeholders. Damaged
        /// edits are left out, and told by an event.
        /// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (pending edits of the store, or block types), READERS, and
        /// what the storage returns; nothing is pending then, and what is stored stays.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_save_load_pending", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_save_load_pending(TrnSave* save, TrnStore* store);

        /// <summary>Takes the oldest event. The save keeps the last 64. @return false if there is none</summary>
        [DllImport(Name, EntryPoint = "trn_save_next_event", CallingConvention = CallingConvention.Cdecl)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool trn_save_next_event(TrnSave* save, TrnSaveEvent* @event);

        /// <summary>Returns the figures. Cost: O(1).</summary>
        [DllImport(Name, EntryPoint = "trn_save_stats", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnSaveStats trn_save_stats(TrnSave* save);

        /// <summary>
        /// Copies all rows whose checksum holds, and the values that can be found, from a broken SQLite
        /// storage into a new one. Of several rows of a chunk the newest wins; a row that was removed may
        /// come back. The broken file and its log are only read, as bytes, and need not be a database any
        /// more.
        ///
        /// Values have no checksums: they are read where pages are in order. What was in quarantine is left
        /// behind.
        /// @param path      UTF-8; no program may have it open for writing
        /// @param to        UTF-8; must not exist. It appears when it is complete, and is on the disk then
        /// @param progress  may be NULL
        /// @param report    receives what was found; may be NULL
        /// @param problem   receives a sentence on failure; may be NULL
        /// Errors: BAD_ARGUMENT, NOT_FOUND, EXISTS, NO_MEMORY, BUSY (a program has it open for writing),
        /// CORRUPT (nothing of a world was found), IO (also if progress stopped it); no file is left then.
        /// Threads: any. Cost: reads the file once; some 24 bytes of memory a chunk.
        /// </summary>
        [DllImport(Name, EntryPoint = "trn_repair_sqlite", CallingConvention = CallingConvention.Cdecl)]
        public static extern TrnResult trn_repair_sqlite(byte* path, byte* to, TrnStorageProgress* progress, TrnRepairReport* report, TrnStorageProblem* problem);

        [DllImport(Name, EntryPoint = "trnx_struct_bytes", CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr trnx_struct_bytes(UIntPtr place);

        /// <summary>The structs' names, in the library's order.</summary>
        public static readonly string[] StructNames =
        {
            "TrnAllocator",
            "TrnCoord",
            "TrnBox",
            "TrnVoxel",
            "TrnPosition",
            "TrnBlockBox",
            "TrnBlockModel",
            "TrnBlockType",
            "TrnBlockTypesProblem",
            "TrnPoolId",
            "TrnPoolDef",
            "TrnPoolStats",
            "TrnPlaneDef",
            "TrnChunkIndexDef",
            "TrnPlaneQuery",
            "TrnFrustum",
            "TrnChunkGather",
            "TrnChunkIndexStats",
            "TrnVoxels",
            "TrnSnapshot",
            "TrnBlockCount",
            "TrnVoxelHeapDef",
            "TrnVoxelHeapStats",
            "TrnVoxelEdit",
            "TrnBlockData",
            "TrnDataSink",
            "TrnChunk",
            "TrnStoreDef",
            "TrnVoxelData",
            "TrnCursorChunk",
            "TrnCursor",
            "TrnEventChunk",
            "TrnStoreEvent",
            "TrnStoreWatch",
            "TrnEviction",
            "TrnExplanation",
            "TrnStoreStats",
            "TrnBatchDef",
            "TrnBatchOutcome",
            "TrnPendingRun",
            "TrnEditsStats",
            "TrnOverlap",
            "TrnSweep",
            "TrnBodyDef",
            "TrnBody",
            "TrnBodyInput",
            "TrnPageFigures",
            "TrnDirectoryStep",
            "TrnDeltaBase",
            "TrnDeltaOutcome",
            "TrnGenerator",
            "TrnLight",
            "TrnStreamJob",
            "TrnStreamMesh",
            "TrnStreamMeshInput",
            "TrnStreamHooks",
            "TrnStreamLoadJob",
            "TrnStreamSource",
            "TrnStreamRunner",
            "TrnStreamEvent",
            "TrnStreamBudget",
            "TrnStreamDef",
            "TrnStreamAnchor",
            "TrnStreamView",
            "TrnStreamReport",
            "TrnStreamReadiness",
            "TrnStreamExplanation",
            "TrnStreamTimes",
            "TrnStreamStats",
            "TrnFarView",
            "TrnFarDef",
            "TrnFarLevelStats",
            "TrnFarStats",
            "TrnFeatures",
            "TrnFluidLiquid",
            "TrnFluidReaction",
            "TrnFluidDef",
            "TrnFluidOutcome",
            "TrnFluidStats",
            "TrnHistoryDef",
            "TrnHistoryStats",
            "TrnNoiseDef",
            "TrnNoiseLayer",
            "TrnNoise",
            "TrnNoiseGrid",
            "TrnRayDef",
            "TrnRayHit",
            "TrnRegistryDef",
            "TrnRegistry",
            "TrnSpatialArrayDef",
            "TrnSpatialArray",
            "TrnSpatialArrayStats",
            "TrnTerrainShape",
            "TrnTerrainDef",
            "TrnTerrainProblem",
            "TrnTerrainSample",
            "TrnTick",
            "TrnTicksDef",
            "TrnTicksOutcome",
            "TrnModelFace",
            "TrnMeshInput",
            "TrnMeshInfo",
            "TrnMesh",
            "TrnMeshVertex",
            "TrnStorageKey",
            "TrnStorageRow",
            "TrnStorageValue",
            "TrnStorageBatch",
            "TrnStorageRange",
            "TrnStorage",
            "TrnStorageProblem",
            "TrnStorageProgress",
            "TrnSaveDef",
            "TrnSaveFoldProgress",
            "TrnSaveEvent",
            "TrnSaveStats",
            "TrnRepairReport",
        };

        /// <summary>Their sizes in C#.</summary>
        public static readonly int[] StructBytes =
        {
            sizeof(TrnAllocator),
            sizeof(TrnCoord),
            sizeof(TrnBox),
            sizeof(TrnVoxel),
            sizeof(TrnPosition),
            sizeof(TrnBlockBox),
            sizeof(TrnBlockModel),
            sizeof(TrnBlockType),
            sizeof(TrnBlockTypesProblem),
            sizeof(TrnPoolId),
            sizeof(TrnPoolDef),
            sizeof(TrnPoolStats),
            sizeof(TrnPlaneDef),
            sizeof(TrnChunkIndexDef),
            sizeof(TrnPlaneQuery),
            sizeof(TrnFrustum),
            sizeof(TrnChunkGather),
            sizeof(TrnChunkIndexStats),
            sizeof(TrnVoxels),
            sizeof(TrnSnapshot),
            sizeof(TrnBlockCount),
            sizeof(TrnVoxelHeapDef),
            sizeof(TrnVoxelHeapStats),
            sizeof(TrnVoxelEdit),
            sizeof(TrnBlockData),
            sizeof(TrnDataSink),
            sizeof(TrnChunk),
            sizeof(TrnStoreDef),
            sizeof(TrnVoxelData),
            sizeof(TrnCursorChunk),
            sizeof(TrnCursor),
            sizeof(TrnEventChunk),
            sizeof(TrnStoreEvent),
            sizeof(TrnStoreWatch),
            sizeof(TrnEviction),
            sizeof(TrnExplanation),
            sizeof(TrnStoreStats),
            sizeof(TrnBatchDef),
            sizeof(TrnBatchOutcome),
            sizeof(TrnPendingRun),
            sizeof(TrnEditsStats),
            sizeof(TrnOverlap),
            sizeof(TrnSweep),
            sizeof(TrnBodyDef),
            sizeof(TrnBody),
            sizeof(TrnBodyInput),
            sizeof(TrnPageFigures),
            sizeof(TrnDirectoryStep),
            sizeof(TrnDeltaBase),
            sizeof(TrnDeltaOutcome),
            sizeof(TrnGenerator),
            sizeof(TrnLight),
            sizeof(TrnStreamJob),
            sizeof(TrnStreamMesh),
            sizeof(TrnStreamMeshInput),
            sizeof(TrnStreamHooks),
            sizeof(TrnStreamLoadJob),
            sizeof(TrnStreamSource),
            sizeof(TrnStreamRunner),
            sizeof(TrnStreamEvent),
            sizeof(TrnStreamBudget),
            sizeof(TrnStreamDef),
            sizeof(TrnStreamAnchor),
            sizeof(TrnStreamView),
            sizeof(TrnStreamReport),
            sizeof(TrnStreamReadiness),
            sizeof(TrnStreamExplanation),
            sizeof(TrnStreamTimes),
            sizeof(TrnStreamStats),
            sizeof(TrnFarView),
            sizeof(TrnFarDef),
            sizeof(TrnFarLevelStats),
            sizeof(TrnFarStats),
            sizeof(TrnFeatures),
            sizeof(TrnFluidLiquid),
            sizeof(TrnFluidReaction),
            sizeof(TrnFluidDef),
            sizeof(TrnFluidOutcome),
            sizeof(TrnFluidStats),
            sizeof(TrnHistoryDef),
            sizeof(TrnHistoryStats),
            sizeof(TrnNoiseDef),
            sizeof(TrnNoiseLayer),
            sizeof(TrnNoise),
            sizeof(TrnNoiseGrid),
            sizeof(TrnRayDef),
            sizeof(TrnRayHit),
            sizeof(TrnRegistryDef),
            sizeof(TrnRegistry),
            sizeof(TrnSpatialArrayDef),
            sizeof(TrnSpatialArray),
            sizeof(TrnSpatialArrayStats),
            sizeof(TrnTerrainShape),
            sizeof(TrnTerrainDef),
            sizeof(TrnTerrainProblem),
            sizeof(TrnTerrainSample),
            sizeof(TrnTick),
            sizeof(TrnTicksDef),
            sizeof(TrnTicksOutcome),
            sizeof(TrnModelFace),
            sizeof(TrnMeshInput),
            sizeof(TrnMeshInfo),
            sizeof(TrnMesh),
            sizeof(TrnMeshVertex),
            sizeof(TrnStorageKey),
            sizeof(TrnStorageRow),
            sizeof(TrnStorageValue),
            sizeof(TrnStorageBatch),
            sizeof(TrnStorageRange),
            sizeof(TrnStorage),
            sizeof(TrnStorageProblem),
            sizeof(TrnStorageProgress),
            sizeof(TrnSaveDef),
            sizeof(TrnSaveFoldProgress),
            sizeof(TrnSaveEvent),
            sizeof(TrnSaveStats),
            sizeof(TrnRepairReport),
        };
    }
}
