/// Terrane, store: the chunks of a world by coordinate.
///
/// A chunk lives in a pool and never moves. A chunk index finds it (terrane/chunk_index.h), so
/// memory depends on the number of chunks, not on the distance between them. Its voxels lie in a
/// voxel heap (terrane/voxels.h). The store owns no window, thread or engine. It calls only its
/// allocator and its listeners.
///
/// Built on it: batches of edits and pending edits (terrane/batch.h), undo (terrane/history.h),
/// rays (terrane/raycast.h), bodies (terrane/body.h), and streaming (terrane/stream.h).
///
/// Threads: one writer thread at a time, concurrently with any number of readers. A reader on
/// another thread than the writer's works inside a read section of the store's index, and never
/// waits:
///
///     TrnChunkReader *reader; // one for each thread
///     trn_chunk_index_reader_create(trn_store_index(store), "mesher", &reader);
///     ...
///     trn_chunk_index_read_begin(reader);
///     TrnSnapshot around[TRN_AROUND_COUNT];
///     uint32_t loaded = trn_store_snapshot_around(store, coord, around);
///     ... // mesh, save, ...
///     trn_chunk_index_read_end(reader);
///
/// Readers may call trn_store_find, _chunk, _gather, _neighbours, _snapshot, _snapshot_around,
/// _get_block, _get_data, _list_data, _box_has, _index, _pool and _revision, trn_chunk_revision,
/// cursors of their own, all of raycast.h and body.h, and what chunk_index.h and voxels.h name for
/// readers. What they receive (chunks, snapshots, rows of masks) stays valid until their section
/// ends, even if the writer changes or removes the chunk. All other functions are the writer's.
///
/// User bytes of a chunk (trn_chunk_user) stay at their address as long as the chunk does. The
/// store zeroes them before any reader can find the chunk, and never touches them again;
/// synchronizing access to them is the game's task.
///
/// Tier: stable. Core: trn_store_def, trn_store_create, trn_store_destroy, trn_store_block_types,
/// trn_store_insert_uniform, trn_store_insert_voxels, trn_store_remove, trn_store_find,
/// trn_store_gather, trn_store_snapshot_around, trn_store_get_block, trn_store_set_block.
#ifndef TERRANE_STORE_H
#define TERRANE_STORE_H

#include <terrane/base.h>
#include <terrane/block_data.h>
#include <terrane/block_types.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

TRN_C_BEGIN

/// A store. Opaque; the caller creates and destroys it.
typedef struct TrnStore TrnStore;

/// Names a chunk as long as it is loaded. All zeroes is the null id.
typedef TrnPoolId TrnChunkId;

/// One loaded chunk. Read coord and id, and take snapshots of voxels; never write. The address is
/// valid until the chunk is removed; for a reader that found it before, until its section ends.
typedef struct TrnChunk {
    TrnCoord coord;   ///< where it is
    TrnChunkId id;    ///< names it until it is removed
    TrnVoxels voxels; ///< read with trn_voxels_snapshot(&chunk->voxels)
} TrnChunk;

/// Bytes before the user bytes of a chunk. What follows TrnChunk in them is the store's own.
#define TRN_CHUNK_HEADER_BYTES 64

// ---- create ------------------------------------------------------------------------------------

/// Start from trn_store_def() and change what you need.
typedef struct TrnStoreDef {
    /// The most chunks, including removed ones that readers or listeners still see. 0 means none.
    uint32_t chunk_max;
    /// The most bytes that the store allocates for everything together: headers, voxels, index, own
    /// block types, batches, pending edits, undo, and what is kept for readers. Memory blocks count
    /// in full when they are allocated or committed; addresses that are only reserved do not count.
    /// An allocation that would exceed it fails with FULL, or with READERS where retired memory
    /// waits for a reader. 0 means none. An empty store takes some 180 KiB, the first chunk 300 KiB
    /// more, since headers come in blocks.
    size_t bytes_max;
    /// The most bytes of block data in the loaded chunks, 1 GiB by default, so that a world that a
    /// stranger made cannot fill the memory with data that compresses to nothing. Data that would
    /// exceed it is refused with FULL, and a chunk with it is not loaded. 0 means none.
    size_t data_bytes_max;
    uint32_t reader_max; ///< the most registered readers, 0..256
    /// Headers of chunks lie in an address range of the system's, where gathers compute addresses
    /// instead of looking them up; memory is committed in it as chunks are inserted. By default it
    /// has addresses for 16 million chunks, at most 4 GiB, or there is none if you pass an
    /// allocator of your own. If not 0, it has addresses for this many chunks, whatever the
    /// allocator. Where the system refuses the range, on 32-bit systems, and for further chunks,
    /// headers come from the allocator.
    uint32_t chunk_reserve;
    size_t user_bytes;         ///< your own with every chunk (trn_chunk_user); at most 64 KiB
    const TrnPlaneDef *planes; ///< [plane_count] your own bit planes over the chunks; copied
    uint32_t plane_count;      ///< 0..31
    /// What the block ids stand for; borrowed, outlives the store. NULL: the store owns a registry
    /// with the built-in types.
    TrnBlockTypes *types;
    /// The key of the hashes in which coordinates are found: far chunks and pending edits. 0 draws
    /// one from the system, so that no player can craft coordinates that are slow to find. No
    /// result and no order depends on it.
    uint64_t hash_key;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnStoreDef;

/// Returns the defaults: no caps, 16 readers, no user bytes, no planes, block types of its own.
TRN_API TrnStoreDef trn_store_def(void);

/// Creates an empty store.
/// @param def    copied; NULL means trn_store_def()
/// @param store  receives the store; the caller destroys it
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty store takes).
TRN_API TrnResult trn_store_create(const TrnStoreDef *def, TrnStore **store);

/// Frees the store with all its chunks. No reader may be in a section, and no edit or batch open.
/// Destroy histories first. Registered readers become invalid. Listeners are not called.
/// @param store  may be NULL
TRN_API void trn_store_destroy(TrnStore *store);

/// The index of the store: for readers, for gathers of every kind, and to set your own planes. Its
/// values are slots of trn_store_pool(). Insert and remove chunks through the store alone, and
/// never set their values.
TRN_API TrnChunkIndex *trn_store_index(const TrnStore *store);

/// The pool of the chunks, for gathers of pointers and ids from the index.
TRN_API const TrnPool *trn_store_pool(const TrnStore *store);

/// What the block ids stand for: the def's types, or the store's own. The writer may add types
/// while there are no concurrent readers.
TRN_API TrnBlockTypes *trn_store_block_types(const TrnStore *store);

/// The heap of the voxels, for its figures by size class and to trim it. Change chunks through the
/// store alone.
TRN_API TrnVoxelHeap *trn_store_voxel_heap(const TrnStore *store);

// ---- insert and remove -------------------------------------------------------------------------

/// Inserts a chunk of one block, and applies the edits that are pending for it (terrane/batch.h).
/// The chunk gets a revision of its own, even if an earlier chunk was at its coordinate.
/// @param chunk  receives the chunk, or NULL if a listener has removed it; may be NULL; untouched
/// on
///               failure
/// Errors: EXISTS, NO_MEMORY, FULL (bytes_max, chunk_max, 2^20 pages of the index),
/// READERS (removed chunks or pages count against a cap, and a reader's section delays their
/// reclaim); the store is then as it was. Cost: O(1).
TRN_API TrnResult trn_store_insert_uniform(TrnStore *store, TrnCoord coord, TrnBlock block,
                                           TrnChunk **chunk);

/// Inserts a chunk with its voxels, and applies the edits that are pending for it. Use it for
/// generated and loaded voxels: written after the insert, they would overwrite pending edits.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
/// @param chunk   as trn_store_insert_uniform
/// Errors: as trn_store_insert_uniform; BAD_ARGUMENT (no blocks).
/// Cost: that of trn_voxels_encode.
TRN_API TrnResult trn_store_insert_voxels(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                          TrnChunk **chunk);

/// Inserts a chunk with its voxels and their block data (terrane/block_data.h), as
/// trn_store_insert_voxels.
/// @param blocks   [TRN_CHUNK_VOXELS] in linear order, or blocks[0] alone if `uniform`
/// @param uniform  every voxel is blocks[0]
/// @param data     [count] in any order; the bytes are copied; may be NULL if count is 0
/// @param chunk    as trn_store_insert_uniform
/// Errors: as trn_store_insert_voxels; BAD_ARGUMENT also if data has no bytes or is outside the
/// chunk; FULL also if it is beyond the limits of a chunk. The store is then as it was.
/// Cost: that of trn_store_insert_voxels, a copy of the payload, and one allocation for each data.
TRN_API TrnResult trn_store_insert_data(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                        bool uniform, const TrnBlockData *data, size_t count,
                                        TrnChunk **chunk);

/// Removes a chunk and its voxels. End its edits first. Its memory is reclaimed once listeners have
/// been called and no reader sees it.
/// Errors: NOT_FOUND, BUSY (pinned, or open in a batch), NO_MEMORY, FULL, READERS (the index
/// retires memory too, up to a cap), and those of a watch that refuses, such as a stream's whose
/// save failed; the chunk then stays loaded, unchanged. Cost: O(1), and that of saving it.
TRN_API TrnResult trn_store_remove(TrnStore *store, TrnCoord coord);

/// Pins a chunk: it is not removed or evicted until it is unpinned as often. It can be changed.
/// O(1).
TRN_API void trn_store_pin(TrnStore *store, TrnChunk *chunk);

/// Takes back one trn_store_pin() of a chunk. O(1).
TRN_API void trn_store_unpin(TrnStore *store, TrnChunk *chunk);

// ---- find --------------------------------------------------------------------------------------

/// The chunk at a coordinate, or NULL. O(1), wait-free.
TRN_API TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord);

/// The chunk of an id, or NULL where the id is null or its chunk was removed. O(1), wait-free.
TRN_API TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id);

/// Collects the loaded chunks of a box, page by page (8 x 8 x 8 chunks; inside a page, x fastest,
/// then z, then y).
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
/// @return how many chunks the box holds; only the first `capacity` are written
/// Concurrently with the writer: every chunk that was loaded throughout the call, and none that was
/// not loaded at any time in it.
/// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or
/// coordinates use trn_chunk_index_gather() with trn_store_index().
TRN_API size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity);

/// The six face neighbours of a coordinate in the order of TrnFace, NULL where one is not loaded.
/// O(1), wait-free.
TRN_API void trn_store_neighbours(const TrnStore *store, TrnCoord coord,
                                  TrnChunk *out[TRN_FACE_COUNT]);

/// Whether every chunk that a box of voxels touches is loaded and has its bit in a plane: "is the
/// ground under this body loaded?" with TRN_PLANE_PRESENT, "is it meshed?" with one of your own.
/// @param min,max  both inclusive
/// @return also false where the box is empty or leaves the world, or the plane does not exist
/// Cost: O(chunks of the box), up to the first that fails; wait-free.
TRN_API bool trn_store_box_has(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnPlane plane);

/// Your bytes of a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.
static inline void *trn_chunk_user(TrnChunk *chunk)
{
    return (unsigned char *)chunk + TRN_CHUNK_HEADER_BYTES;
}

// ---- read voxels -------------------------------------------------------------------------------

/// The revision of the last change of a chunk's voxels. Revisions count up over the whole store.
/// Two changes never share one; all chunks of a change get the same: those of a batch of edits, and
/// those that a stream inserts together. O(1).
static inline uint64_t trn_chunk_revision(const TrnChunk *chunk)
{
    return trn_snapshot_revision(trn_voxels_snapshot(&chunk->voxels));
}

/// The revision of the last change that is published in full. A reader that reads it first and then
/// takes snapshots has seen every batch in full or not at all, if no snapshot has a greater
/// revision. If one has, take them again. O(1), wait-free.
TRN_API uint64_t trn_store_revision(const TrnStore *store);

/// A snapshot of the chunk at a coordinate. Errors: NOT_FOUND. O(1), wait-free.
TRN_API TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot);

/// Snapshots of a chunk and its 26 neighbours, which wrap at the ends of int32.
/// @param out  receives them: x fastest, then z, then y; the chunk itself is at TRN_AROUND_CENTRE.
///             Where a chunk is not loaded: air at revision 0
/// @return which of them are loaded: bit i for out[i]
/// The writer may publish a change between two of the snapshots. O(1), wait-free: 27 look-ups.
TRN_API uint32_t trn_store_snapshot_around(const TrnStore *store, TrnCoord coord,
                                           TrnSnapshot out[TRN_AROUND_COUNT]);

/// As trn_store_get_block(), with the voxel as three numbers.
TRN_API TrnResult trn_store_get_block_at(const TrnStore *store, int64_t x, int64_t y, int64_t z,
                                         TrnBlock *block);

/// The block of a voxel. For many adjacent voxels, a cursor is four times as fast.
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
/// Cost: O(1), wait-free; anywhere in a view that exceeds the caches, some 8 times as much as near
/// the last voxel.
static inline TrnResult trn_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block)
{
    // In registers: a TrnVoxel is passed in memory, where gcc writes its fields one by one and
    // copies two at a time. Store forwarding cannot serve that; the stall cost as much as the rest.
    return trn_store_get_block_at(store, voxel.x, voxel.y, voxel.z, block);
}

/// The block data of a voxel (terrane/block_data.h). On a reader's thread the bytes are valid until
/// the section ends, on the writer's until the chunk is changed or removed.
/// @param data  receives it; untouched on failure
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded, or it has none).
/// Cost: O(log of the chunk's data), wait-free.
TRN_API TrnResult trn_store_get_data(const TrnStore *store, TrnVoxel voxel, TrnBlockData *data);

/// The block data of a voxel, with the place of the voxel.
typedef struct TrnVoxelData {
    TrnVoxel voxel;    ///< where it is
    TrnBlockData data; ///< valid as trn_store_get_data says
} TrnVoxelData;

/// Lists the block data of a box of voxels, chunk by chunk and in linear order in each.
/// @param min,max  both inclusive; the part outside the world has none
/// @param out      [capacity] receives it; caller owns the array
/// @return how many voxels of the loaded chunks of the box have data; only the first `capacity` are
/// written; 0 where the box is empty
/// Concurrently with the writer: of each chunk what it holds at one moment.
/// Cost: that of trn_store_gather, some times over if the box has more than 64 loaded chunks, and
/// O(data); no allocation. A box of any size is fine.
TRN_API size_t trn_store_list_data(const TrnStore *store, TrnVoxel min, TrnVoxel max,
                                   TrnVoxelData *out, size_t capacity);

/// A chunk that a cursor has looked up.
typedef struct TrnCursorChunk {
    uint64_t x;              ///< of its lowest voxel
    uint64_t y;              ///< of its lowest voxel
    uint64_t z;              ///< of its lowest voxel
    const TrnVoxels *voxels; ///< NULL if it is not loaded
} TrnCursorChunk;

/// Reads voxels one after the other, and looks a chunk up only when the next voxel is in none of
/// the chunks read last. Create it with trn_cursor(); the fields are the library's. On a reader's
/// thread valid until the section ends, on the writer's until a chunk is inserted or removed.
/// Changes of voxels show at once.
typedef struct TrnCursor {
    TrnCursorChunk now;    ///< the chunk of the last voxel
    const TrnStore *store; ///< the store that it reads
    /// A cache by the lowest bits of x, z and y: all eight chunks that meet at a corner fit.
    TrnCursorChunk cache[8];
} TrnCursor;

/// Returns a cursor that has not read anything yet. O(1).
/// @param store  borrowed: it must outlive the cursor
TRN_API TrnCursor trn_cursor(const TrnStore *store);

/// Called by trn_cursor_find() when the voxel is in another chunk than the last one. Takes the
/// voxel in registers.
TRN_API const TrnVoxels *trn_cursor_move(TrnCursor *cursor, int64_t x, int64_t y, int64_t z);

/// The voxels of the chunk that holds a voxel; NULL where it is not loaded, or the voxel is outside
/// the world.
static inline const TrnVoxels *trn_cursor_find(TrnCursor *cursor, TrnVoxel voxel)
{
    const uint64_t far = ((uint64_t)voxel.x - cursor->now.x) | ((uint64_t)voxel.y - cursor->now.y) |
                         ((uint64_t)voxel.z - cursor->now.z);
    return far < TRN_CHUNK_EDGE ? cursor->now.voxels
                                : trn_cursor_move(cursor, voxel.x, voxel.y, voxel.z);
}

/// The block of a voxel, or `unloaded` where its chunk is not loaded, or the voxel is outside the
/// world. Cost: O(1), a quarter of trn_store_get_block near the last voxel.
static inline TrnBlock trn_cursor_get(TrnCursor *cursor, TrnVoxel voxel, TrnBlock unloaded)
{
    const TrnVoxels *voxels = trn_cursor_find(cursor, voxel);
    return voxels ? trn_snapshot_get(trn_voxels_snapshot(voxels), trn_voxel_local_index(voxel))
                  : unloaded;
}

// ---- write voxels of one chunk -----------------------------------------------------------------
//
// To change many chunks as one, to undo, and to edit unloaded chunks: terrane/batch.h.
// Errors of all that can fail: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and retired memory
// waits for a reader), BUSY (a batch has the chunk open); the chunk is then as it was.

/// Writes the block of a voxel: an edit of one block, which copies and publishes the payload for
/// it. For more than one, open an edit. Writing the block that is there already changes nothing,
/// not even the revision.
/// @param is_changed  receives whether the block was another one; may be NULL; untouched on failure
/// Errors: also BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
/// Cost: O(bytes of the chunk's voxels), which are copied: some 5 KB of generated land. Up to 5
/// times as much where the caches do not hold the chunk.
TRN_API TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block,
                                      bool *is_changed);

/// Sets or removes the block data of a voxel: an edit of one voxel, which copies and publishes the
/// payload for it. See trn_voxel_edit_set_data.
/// @param bytes       [size] copied; NULL removes the data
/// @param is_changed  receives whether the data was another one; may be NULL; untouched on failure
/// Errors: also BAD_ARGUMENT (outside the world, or an unknown rule), NOT_FOUND (its chunk is not
/// loaded); FULL also beyond the limits of a voxel or chunk. Cost: as trn_store_set_block and
/// trn_voxel_edit_set_data.
TRN_API TrnResult trn_store_set_data(TrnStore *store, TrnVoxel voxel, const void *bytes,
                                     size_t size, TrnDataRule rule, bool *is_changed);

/// Opens an edit of one chunk: continue with trn_voxel_edit_set, _fill_box, _copy_box, _replace and
/// _encode. Readers see none of it before the commit, and all of it after.
/// @param edit  the caller's memory
/// Errors: BUSY; the edit is then not open, and all its calls fail. O(1).
TRN_API TrnResult trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit);

/// Publishes an edit's changes under the store's next revision, and ends the edit. To discard them,
/// call trn_voxel_edit_cancel() instead. Cannot fail. Cost: as trn_voxel_edit_commit.
/// @return whether a block changed; if not, nothing is published, and the revision stays
TRN_API bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit);

/// Replaces all voxels of a chunk.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
/// Cost: that of trn_voxels_encode.
TRN_API TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks);

/// Makes all voxels of a chunk one block. Errors: BUSY; the others only if the chunk has block
/// data. O(1), or O(data).
TRN_API TrnResult trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block);

/// Stores a chunk in the least memory that holds its blocks. Commits do so themselves, unless they
/// lack the memory for it. Blocks and revision stay.
TRN_API TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk);

// ---- changes and events ------------------------------------------------------------------------

/// Collects the chunks that changed after a revision, inserted ones included, in the order of their
/// last changes. It cannot name removed chunks; listeners can.
/// @param revision  of trn_store_revision(), from an earlier call; 0 collects all chunks
/// @param out       [capacity] receives the chunks; caller owns the array
/// @return how many there are; only the first `capacity` are written
/// Threads: the writer. Cost: O(log of all chunks + chunks found).
TRN_API size_t trn_store_changed_since(const TrnStore *store, uint64_t revision, TrnChunk **out,
                                       size_t capacity);

/// What an event tells.
typedef enum TrnEventKind {
    TRN_EVENT_INSERTED, ///< chunks were inserted
    TRN_EVENT_CHANGED,  ///< voxels of chunks changed
    TRN_EVENT_REMOVED   ///< chunks were removed or evicted
} TrnEventKind;

/// The bit of a TrnEventKind in a set of kinds.
#define TRN_EVENT_BIT(kind) (UINT32_C(1) << (kind))

/// One chunk of an event.
typedef struct TrnEventChunk {
    TrnCoord coord; ///< where it is or was
    /// Which of the 27 chunks around must be derived again (mesh, light): the chunk itself, and the
    /// neighbours that touch a changed voxel with a face, edge or corner. Bits in the order of
    /// trn_store_snapshot_around(). All bits for inserted and removed chunks.
    uint32_t around;
    TrnChunkId id; ///< stale for a removed chunk
    /// The chunk. A removed one is not in the index any more, but it and its snapshots can be read
    /// until the listener returns. For other kinds NULL where an earlier listener removed it.
    TrnChunk *chunk;
    /// CHANGED: which of the 27 chunks around must be lit again, also those farther than `around`:
    /// trn_light_reach(). 0 unless a stream with TrnStreamDef.light is attached.
    uint32_t light;
    /// CHANGED: whether block data was set or removed (terrane/block_data.h). If nothing else
    /// changed, `around` is the chunk itself.
    bool has_data_changed;
    /// INSERTED: how many pending runs the chunk took up (terrane/batch.h). If any, it is not what
    /// was loaded or generated, and needs saving.
    uint32_t applied;
} TrnEventChunk;

/// One change: of one chunk, of all chunks of a batch of edits, or of chunks that a stream inserts
/// or removes together, in that order.
typedef struct TrnStoreEvent {
    TrnEventKind kind;           ///< what happened to all its chunks
    bool is_eviction;            ///< REMOVED by trn_store_evict
    uint64_t revision;           ///< of the change; when REMOVED, of the last change before it
    uint32_t count;              ///< at least 1
    const TrnEventChunk *chunks; ///< [count]; valid until the listener returns
    /// If has_missed: this listener missed changes after this revision, since it failed, memory for
    /// their events ran out, or listeners kept changing the store. trn_store_changed_since() names
    /// the chunks, except removed ones.
    uint64_t missed_since;
    bool has_missed; ///< whether missed_since is set
} TrnStoreEvent;

/// Called after a change is published, on the writer's thread, before the call that made the change
/// returns. It may do what the writer may, except destroy the store. Changes that it makes are
/// published at once; their events are queued behind those of the current change. The queue is
/// processed in rounds, each of which dispatches the events that the one before it caused. Events
/// count as missed after the 64th round, and beyond 65,536 in the third and later rounds together.
/// @return OK, or any error if it could not handle the event: the change stands, and the next event
/// reports it as missed
typedef TrnResult (*TrnListener)(TrnStore *store, const TrnStoreEvent *event, void *user);

/// Adds a listener. Listeners are called in the order in which they subscribed.
/// @param kinds  ored TRN_EVENT_BITs
/// Errors: BAD_ARGUMENT (no or unknown kinds, no listener), EXISTS (this listener is subscribed
/// with this user), NO_MEMORY, FULL.
TRN_API TrnResult trn_store_subscribe(TrnStore *store, uint32_t kinds, TrnListener listener,
                                      void *user);

/// Removes a listener. It is not called again, not even for queued events. Errors: NOT_FOUND.
TRN_API TrnResult trn_store_unsubscribe(TrnStore *store, TrnListener listener, void *user);

/// Told of the voxels of each chunk that changes, which events do not tell, and asked before a
/// chunk is removed. Its functions are called on the writer's thread and must not change the store.
typedef struct TrnStoreWatch {
    /// Called just before the new voxels of a loaded chunk are published. Only events report
    /// inserted and removed chunks. NULL: not told.
    void (*changing)(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after);
    void *user;                 ///< passed to both
    struct TrnStoreWatch *next; ///< the store's own
    /// Called before a chunk is removed or evicted, for example to save it; the removal may still
    /// fail for another reason. NULL: not asked.
    /// @return OK; any other result keeps the chunk loaded, and is that of the call that would have
    /// removed it
    TrnResult (*removing)(void *user, const TrnChunk *chunk);
    /// Asked whether this store is where the world moves by itself in a chunk: where liquids flow
    /// (terrane/fluid.h) and random ticks happen (terrane/ticks.h). In a world that several
    /// programs share, one does so for each chunk (terrane/member.h). Both skip the chunk unless
    /// all watches agree. NULL: everywhere.
    bool (*owns)(void *user, TrnCoord coord);
    /// The store's own: the change that `changing` is told of is made by liquids or random ticks.
    bool is_self_moved;
} TrnStoreWatch;

/// Adds a watch. O(1).
/// @param watch  borrowed until trn_store_unwatch; not added yet
TRN_API void trn_store_watch(TrnStore *store, TrnStoreWatch *watch);

/// Removes a watch. Does nothing if it was not added. O(watches).
TRN_API void trn_store_unwatch(TrnStore *store, TrnStoreWatch *watch);

// ---- eviction ----------------------------------------------------------------------------------
//
// A store over its budget refuses inserts; it never evicts by itself. A stream over its budget
// drops the outer rings of its views (terrane/stream.h). Only a game calls trn_store_evict().

/// Marks chunks as recently used: seen, walked on, meshed. By default, eviction removes the least
/// recently touched chunks first.
/// @param chunks  [count] of this store, none of them NULL
/// Cost: O(1) each; at times 256 chunks of the order of eviction are moved.
TRN_API void trn_store_touch(TrnStore *store, TrnChunk *const *chunks, size_t count);

/// Which chunks to evict, and when to stop. With all but one of the first two zero: the least
/// recently touched chunks, until the store uses, or has allocated, at most that many bytes.
typedef struct TrnEviction {
    /// Stops once TrnStoreStats.used_bytes is at most this: for a game that keeps within its budget
    /// frame by frame. 0: used bytes do not stop it.
    size_t used_bytes;
    /// Stops once the allocated bytes are at most this, not counting memory that waits for readers
    /// or listeners, so that one slow reader does not empty the store. A memory block is freed only
    /// when all chunks in it are evicted, and chunks of one age lie in many blocks: to free a
    /// quarter of the memory, two thirds to nine tenths of all chunks had to go. 0: allocated bytes
    /// do not stop it.
    size_t bytes;
    uint32_t count_max; ///< stops after this many chunks; 0 means no limit
    /// Chunks of greater values are evicted first; of negative values or NaN, never. Must not
    /// change the store. Looks at all chunks for every 512 that go. NULL: the least recently
    /// touched or inserted first, and of those that one call touched the one named first; a change
    /// counts as naming until the next call of trn_store_touch(). Chunks that an eviction passed by
    /// because they were pinned or open go before all others once they are not.
    double (*order)(const TrnChunk *chunk, void *user);
    void *user; ///< passed to order
} TrnEviction;

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
TRN_API TrnResult trn_store_evict(TrnStore *store, const TrnEviction *eviction, uint32_t *evicted);

// ---- explain -----------------------------------------------------------------------------------

/// Whether a chunk is loaded, and if not, why.
typedef enum TrnChunkState {
    TRN_CHUNK_STATE_LOADED,  ///< in the store
    TRN_CHUNK_STATE_UNKNOWN, ///< not loaded, and not in the log of the last 1024 chunks that left
    TRN_CHUNK_STATE_REMOVED, ///< by trn_store_remove
    TRN_CHUNK_STATE_EVICTED, ///< by trn_store_evict
    TRN_CHUNK_STATE_REFUSED, ///< the last insert failed
    TRN_CHUNK_STATE_COUNT    ///< the number of states
} TrnChunkState;

/// What a store knows of a coordinate.
typedef struct TrnExplanation {
    TrnChunkState state; ///< whether its chunk is loaded
    TrnResult refusal;   ///< REFUSED: the result of the insert
    /// LOADED: of the last change. Otherwise the store's when the chunk was removed or refused; 0
    /// when UNKNOWN.
    uint64_t revision;
    size_t bytes;          ///< LOADED: header with user bytes, payload, and block data
    uint32_t bits;         ///< LOADED: a voxel, 0 for uniform
    uint32_t pins;         ///< trn_store_pin minus trn_store_unpin
    bool is_open;          ///< open for editing in a batch
    uint32_t untouched;    ///< LOADED: calls of trn_store_touch since one named it
    uint32_t planes;       ///< ored TRN_PLANE_BITs of the coordinate, also where no chunk is loaded
    uint32_t pending_runs; ///< runs of edits that are pending for the chunk
    /// The name of the reader that delays the reclaim of memory for longest, or "".
    char slowest_reader[TRN_READER_NAME_BYTES];
    char sentence[256]; ///< what matters of this, for a person
} TrnExplanation;

/// Why a chunk is or is not loaded, and what keeps it. Threads: the writer. Cost: O(1).
TRN_API TrnExplanation trn_store_explain(const TrnStore *store, TrnCoord coord);

// ---- memory and figures ------------------------------------------------------------------------

/// Returns spare memory to the allocator: pool blocks without a taken slot, spare capacity of lists
/// and queues, and retired memory that no reader can see any more. Before the store refuses an
/// allocation for bytes_max, it frees what the current call is not using of this.
TRN_API void trn_store_trim(TrnStore *store);

/// Figures of a store. Bytes are what it has allocated, by category.
typedef struct TrnStoreStats {
    uint32_t chunks;           ///< loaded
    uint32_t uniform_chunks;   ///< less those that an open edit has changed
    uint32_t retired_chunks;   ///< removed, and kept only for readers
    uint32_t retired_payloads; ///< replaced or removed voxels, kept only for readers
    uint64_t revision;         ///< as trn_store_revision()
    uint64_t inserted;         ///< chunks so far
    uint64_t removed;          ///< chunks so far, without evicted ones
    uint64_t evicted;          ///< chunks so far
    uint64_t refused;          ///< inserts so far that failed for memory or a cap
    uint32_t listeners;        ///< subscribed
    uint64_t events;           ///< calls of listeners
    uint64_t missed_events;    ///< calls of listeners that failed or were not made
    size_t header_bytes;       ///< of chunks; of their address range what is committed
    size_t voxel_bytes;        ///< of the voxel heap, block data included
    size_t index_bytes;        ///< of the chunk index
    size_t type_bytes;         ///< of block types of its own
    size_t bookkeeping_bytes;  ///< the store itself, its list of changes, listeners, events and log
    size_t attached_bytes;     ///< batches, pending edits, histories, fluids, ticks
    size_t total_bytes;        ///< the sum of these
    size_t total_bytes_peak;   ///< the highest total_bytes so far
    size_t bytes_max;          ///< as in the def
    size_t retired_bytes;      ///< part of total_bytes that is kept only for readers
    /// Part of total_bytes that is in use: without free slots in blocks of headers and voxels, and
    /// without memory that waits to be freed.
    size_t used_bytes;
} TrnStoreStats;

/// Returns the figures of a store. Threads: the writer. Cost: O(listeners).
TRN_API TrnStoreStats trn_store_stats(const TrnStore *store);

/// Changes TrnStoreDef.bytes_max, for a store that shares a budget with other code. If more is
/// allocated already, nothing is freed; allocations are refused until enough is.
/// Threads: the writer. O(1).
TRN_API void trn_store_set_bytes_max(TrnStore *store, size_t bytes_max);

TRN_C_END
#endif
