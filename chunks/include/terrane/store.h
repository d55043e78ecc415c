/// Terrane, store: the chunks of a world by coordinate.
///
/// Chunks live in a pool and never move; a chunk index finds them (terrane/chunk_index.h), so
/// memory follows their number, however far apart they are. What they hold lies in a voxel heap
/// (terrane/voxels.h). The store owns no window, no thread and no engine; it calls nothing but the
/// allocator and the listeners it was given.
///
/// Beside this header: batches of edits over many chunks, edits that wait for chunks, undo and redo
/// (terrane/batch.h), rays (terrane/raycast.h), and bodies that walk, swim and climb
/// (terrane/body.h).
///
/// Threads: one thread at a time writes, and any number read beside it. A reader other than the
/// writer's own thread works inside a read section of the store's index, and never waits:
///
///     TrnChunkReader *reader; // one for each thread
///     trn_chunk_index_reader_create(trn_store_index(store), "mesher", &reader);
///     ...
///     trn_chunk_index_read_begin(reader);
///     TrnSnapshot around[27];
///     uint32_t present = trn_store_snapshot_around(store, coord, around);
///     trn_chunk_index_read_end(reader);
///
/// Readers may call trn_store_find, _chunk, _gather, _neighbours, _snapshot, _snapshot_around,
/// _get_block, _box_has, _index, _pool, _revision, trn_chunk_revision, cursors of their own, all of
/// raycast.h and body.h, and what the headers of the index and of voxels name for readers. Whatever
/// they got, chunks, snapshots and rows of masks, holds until they end the section, also where the
/// writer changes or removes the chunk meanwhile; what a snapshot says never changes. All else is
/// the writer's. A game's own bytes beside a chunk (trn_chunk_user) stay where they are as long as
/// the chunk does for that reader, but who reads and writes them when is the game's own affair: the
/// store writes zeroes there before anybody can find the chunk, and never again.
#ifndef TERRANE_STORE_H
#define TERRANE_STORE_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TrnStore TrnStore;

/// Names a chunk for as long as it is in the store. All zeroes names nothing.
typedef TrnPoolId TrnChunkId;

/// One loaded chunk. Read coord and id, and take snapshots of voxels; never write. The address is
/// valid until the chunk is removed; for a reader that found it before, until its section ends.
typedef struct TrnChunk {
    TrnCoord coord;
    TrnChunkId id;
    TrnVoxels voxels; ///< read with trn_voxels_snapshot(&chunk->voxels)
} TrnChunk;

/// Bytes before the user bytes of a chunk. What follows TrnChunk in them is the store's own.
#define TRN_CHUNK_HEADER_BYTES 64

/// Start from trn_store_def() and change what you need.
typedef struct TrnStoreDef {
    /// cap on chunks, removed ones that readers or listeners still see included; 0 means none
    uint32_t chunk_max;
    /// The most bytes that the store takes from the allocator for everything together: headers,
    /// voxels, index, own block types, open edits, waiting edits, undo, what readers still see.
    /// Blocks count whole, as they are taken, and a reserved range counts whole from the start.
    /// What would pass it is refused with FULL, or with READERS where memory waits for a reader. 0
    /// means none. A store without a chunk takes some 180 KiB, the first chunk 300 KiB more, since
    /// headers come in blocks.
    size_t bytes_max;
    uint32_t reader_max; ///< readers that may be registered at a time, 0..256
    /// Headers of so many chunks lie in one range of addresses, taken from the allocator at once
    /// and backed by the system as it is touched. Gathers then compute addresses instead of looking
    /// them up, which is several times faster, and the range is a cap as well. 0 means none.
    uint32_t chunk_reserve;
    /// Bytes of your own beside every chunk, zeroed on insert (trn_chunk_user); at most 64 KiB.
    size_t user_bytes;
    /// [plane_count] bit planes of your own over the chunks: see trn_store_index; copied
    const TrnPlaneDef *planes;
    uint32_t plane_count; ///< 0..31
    /// What the block ids stand for; borrowed, outlives the store. NULL: the store makes and owns
    /// one with the built-in types.
    TrnBlockTypes *types;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnStoreDef;

/// No caps; nothing reserved, 16 readers, no user bytes, no planes,
/// block types of its own.
TRN_API TrnStoreDef trn_store_def(void);

/// @param def  NULL means trn_store_def()
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than a world of air takes).
TRN_API TrnResult trn_store_create(const TrnStoreDef *def, TrnStore **store);

/// Frees the store with all its chunks. No reader may be in a section, no edit or batch open;
/// histories are destroyed before. Registered readers become invalid. Listeners hear nothing.
/// @param store  may be NULL
TRN_API void trn_store_destroy(TrnStore *store);

// ---- chunks ------------------------------------------------------------------------------------

/// Inserts a chunk of one block, and applies the edits that are pending for it (terrane/batch.h).
/// The chunk gets a revision of its own, also where an earlier chunk was at its coordinate.
/// @param chunk  receives the chunk, or NULL where a listener has removed it; may be NULL;
/// untouched
///               on failure
/// Errors: EXISTS, NO_MEMORY, FULL (bytes_max, chunk_max, chunk_reserve, 2^20 pages of the index),
/// READERS (removed chunks or pages count against a cap, and a reader's section delays their
/// reclaim); the store is then as it was. Cost: O(1).
TRN_API TrnResult trn_store_insert_uniform(TrnStore *store, TrnCoord coord, TrnBlock block,
                                           TrnChunk **chunk);

/// Inserts a chunk with its voxels, and applies the edits that are pending for it. Use it for
/// generated and loaded voxels: written after the insert, they would overwrite pending edits.
/// @param blocks  [TRN_CHUNK_VOXELS] in linear order; caller owns
/// @param chunk   as trn_store_insert_uniform
/// Errors: as trn_store_insert_uniform; BAD_ARGUMENT (no blocks). Cost: 5 to 10 us for up to 16
/// types.
TRN_API TrnResult trn_store_insert_voxels(TrnStore *store, TrnCoord coord, const TrnBlock *blocks,
                                          TrnChunk **chunk);

/// The chunk at a coordinate, or NULL. O(1), wait-free.
TRN_API TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord);

/// The chunk behind an id, or NULL when the id is null or its chunk has been removed. O(1),
/// wait-free.
TRN_API TrnChunk *trn_store_chunk(const TrnStore *store, TrnChunkId id);

/// Removes a chunk and its voxels. End the edits of it first. Its memory comes back once no reader
/// can see it any more, and listeners have heard of it.
/// Errors: NOT_FOUND, BUSY (trn_store_pin, or a batch has it open), NO_MEMORY, FULL, READERS (the
/// index, too, keeps what readers see, and no more than it may); the chunk is then still there,
/// whole. Cost: O(1).
TRN_API TrnResult trn_store_remove(TrnStore *store, TrnCoord coord);

/// Collects the chunks of a box, page by page (pages are 8 x 8 x 8 chunks; inside one, x fastest,
/// then z, then y).
/// @param box  chunk coordinates, both corners inclusive
/// @param out  [capacity] receives the chunks; caller owns the array, the store the chunks
/// @return how many chunks the box holds; only the first `capacity` are written, and what lies
/// between the two is undefined
/// Beside the writer: every chunk that was there throughout the call, and none that was absent
/// throughout.
/// Cost: O(pages of the box + chunks found); no allocation. For frustums, planes, ids or
/// coordinates: trn_store_index.
TRN_API size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity);

/// The six neighbours of a coordinate in the order of TrnFace, NULL where there is none. O(1),
/// wait-free.
TRN_API void trn_store_neighbours(const TrnStore *store, TrnCoord coord,
                                  TrnChunk *out[TRN_FACE_COUNT]);

/// Keeps a chunk from being removed or evicted until trn_store_unpin has been called as often; it
/// changes as any other. O(1).
TRN_API void trn_store_pin(TrnStore *store, TrnChunk *chunk);
TRN_API void trn_store_unpin(TrnStore *store, TrnChunk *chunk);

/// Whether every chunk that a box of voxels reaches into is there and has its bit in a plane: "is
/// the ground under this body loaded?" with TRN_PLANE_PRESENT, "is it meshed?" with a plane of
/// yours.
/// @param min,max  both inclusive
/// @return false too where the box is empty or reaches out of the world, or the plane does not
/// exist
/// Cost: O(chunks of the box), up to the first that is not; wait-free.
TRN_API bool trn_store_box_has(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnPlane plane);

/// The index under the store: for readers, for gathers of every kind, and for setting planes. Its
/// values are slots of trn_store_pool. Chunks come and go through the store alone.
TRN_API TrnChunkIndex *trn_store_index(const TrnStore *store);

/// The pool that chunks live in, for gathers of pointers and ids from the index.
TRN_API const TrnPool *trn_store_pool(const TrnStore *store);

/// What the block ids of this store stand for: the def's, or the store's own. The writer may add
/// types while nobody reads.
TRN_API TrnBlockTypes *trn_store_block_types(const TrnStore *store);

/// Your bytes beside a chunk (TrnStoreDef.user_bytes), aligned to 16. Valid as long as the chunk.
static inline void *trn_chunk_user(TrnChunk *chunk)
{
    return (unsigned char *)chunk + TRN_CHUNK_HEADER_BYTES;
}

// ---- reading voxels ----------------------------------------------------------------------------

/// The revision of the last change of a chunk's voxels. Revisions count up over the whole store,
/// and no two changes share one; all chunks of a batch get the batch's. O(1).
static inline uint64_t trn_chunk_revision(const TrnChunk *chunk)
{
    return trn_snapshot_revision(trn_voxels_snapshot(&chunk->voxels));
}

/// The revision of the last change that is published whole. Beside the writer, a reader that asks
/// first and then takes snapshots has seen no batch by halves where none of them bears a greater
/// revision. Where one does, it takes them again; they may have been whole, of a later change.
/// O(1), wait-free.
TRN_API uint64_t trn_store_revision(const TrnStore *store);

/// What the chunk at a coordinate holds now.
/// Errors: NOT_FOUND. O(1), wait-free.
TRN_API TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot);

/// What the chunk at a coordinate and its 26 neighbours hold now; neighbours wrap at the ends of
/// int32.
/// @param out  [27] x fastest, then z, then y: the chunk itself is out[13]. Where there is no
///             chunk, air at revision 0
/// @return which of them are there: bit i for out[i]
/// Each is what that chunk held at one moment; the writer may have changed one between two others.
/// O(1), wait-free, 0.1 to 0.2 us.
TRN_API uint32_t trn_store_snapshot_around(const TrnStore *store, TrnCoord coord,
                                           TrnSnapshot out[27]);

/// The block of a voxel of the world.
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not in the store). O(1),
/// wait-free.
TRN_API TrnResult trn_store_get_block(const TrnStore *store, TrnVoxel voxel, TrnBlock *block);

/// A chunk that a cursor keeps at hand.
typedef struct TrnCursorChunk {
    uint64_t x, y, z;        ///< its lowest voxel
    const TrnVoxels *voxels; ///< NULL where there is none
} TrnCursorChunk;

/// Reads voxel after voxel where the next one is mostly in the same chunk as one of the last:
/// look-ups are made only when it is not. Set up with trn_cursor(); the fields are the library's.
/// On a reader's thread valid until the section ends, on the writer's until a chunk is inserted or
/// removed; changes of voxels show at once.
typedef struct TrnCursor {
    TrnCursorChunk now; ///< the chunk of the last voxel
    const TrnStore *store;
    /// by whether x, y and z of their coordinates are odd: all that meet at a corner have room
    TrnCursorChunk at_hand[8];
} TrnCursor;

TRN_API TrnCursor trn_cursor(const TrnStore *store);

/// What trn_cursor_find does when the voxel is in another chunk than the last; not called
/// otherwise.
TRN_API const TrnVoxels *trn_cursor_move(TrnCursor *cursor, TrnVoxel voxel);

/// Where the chunk around a voxel keeps its blocks; NULL where it is not in the store, or the voxel
/// is outside the world.
static inline const TrnVoxels *trn_cursor_find(TrnCursor *cursor, TrnVoxel voxel)
{
    const uint64_t far = ((uint64_t)voxel.x - cursor->now.x) | ((uint64_t)voxel.y - cursor->now.y) |
                         ((uint64_t)voxel.z - cursor->now.z);
    return far < TRN_CHUNK_EDGE ? cursor->now.voxels : trn_cursor_move(cursor, voxel);
}

/// The block of a voxel of the world, or `absent` where its chunk is not in the store, or the voxel
/// is outside the world.
static inline TrnBlock trn_cursor_get(TrnCursor *cursor, TrnVoxel voxel, TrnBlock absent)
{
    const TrnVoxels *voxels = trn_cursor_find(cursor, voxel);
    return voxels ? trn_snapshot_get(trn_voxels_snapshot(voxels), trn_voxel_local_index(voxel))
                  : absent;
}

// ---- writing the voxels of one chunk -----------------------------------------------------------
//
// For changes of many chunks as one, for undo, and for chunks that are not there: terrane/batch.h.
// Errors of all that can fail: NO_MEMORY, FULL (bytes_max), READERS (bytes_max, and retired memory
// waits for a reader), BUSY (a batch has the chunk open); the chunk is then as it was.

/// Opens an edit of one chunk: go on with trn_voxel_edit_set, _fill_box, _copy_box, _replace and
/// _encode. Readers see none of them before the commit, and all of them after it.
/// @param edit  the caller's memory
/// Errors: BUSY (a batch has the chunk open); the edit is then not open, and all its calls fail.
/// O(1).
TRN_API TrnResult trn_store_edit_begin(TrnStore *store, TrnChunk *chunk, TrnVoxelEdit *edit);

/// Publishes the changes as one, under the store's next revision, and ends the edit. To drop them
/// instead: trn_voxel_edit_cancel. Cannot fail. Cost: as trn_voxel_edit_commit.
/// @return whether anything was published: false when no call had changed a block, and the chunk
/// and its revision stay as they were
TRN_API bool trn_store_edit_commit(TrnStore *store, TrnVoxelEdit *edit);

/// Replaces all voxels of a chunk, whatever they were. @param blocks  [TRN_CHUNK_VOXELS] in linear
/// order
/// Cost: 5 to 10 us for up to 16 types.
TRN_API TrnResult trn_store_set_voxels(TrnStore *store, TrnChunk *chunk, const TrnBlock *blocks);

/// Makes a chunk one single block. Errors: BUSY (a batch has it open). O(1).
TRN_API TrnResult trn_store_fill(TrnStore *store, TrnChunk *chunk, TrnBlock block);

/// Writes the block of a voxel: an edit of one block, which copies and publishes the payload for
/// it. For more than one, open an edit. Writing the block that is there already changes nothing,
/// not even the revision.
/// @param is_changed  receives whether the block was another one; may be NULL; untouched on failure
/// Errors: also BAD_ARGUMENT (outside the world), NOT_FOUND (its chunk is not loaded).
/// Cost: 0.3 us in a chunk of 16 types; some us where the chunk needs another width.
TRN_API TrnResult trn_store_set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block,
                                      bool *is_changed);

/// Brings a chunk to the least memory that holds its blocks. Changes do so by themselves; this is
/// for when there was no memory for it. Blocks and revision stay.
TRN_API TrnResult trn_store_compact(TrnStore *store, TrnChunk *chunk);

// ---- what changed ------------------------------------------------------------------------------

/// Collects the chunks that changed since a revision, those that were inserted since included, in
/// the order of their last changes. Chunks that have gone are not among them: listeners hear of
/// those.
/// @param revision  as trn_store_revision gave it before; 0 collects all chunks
/// @param out       [capacity] receives the chunks; caller owns the array
/// @return how many there are; only the first `capacity` are written, and what lies between the two
/// is undefined
/// For the writer's thread. Cost: O(log of all chunks + chunks found), some 0.5 ns each.
TRN_API size_t trn_store_changed_since(const TrnStore *store, uint64_t revision, TrnChunk **out,
                                       size_t capacity);

typedef enum TrnEventKind {
    TRN_EVENT_INSERTED, ///< chunks are there now
    TRN_EVENT_CHANGED,  ///< voxels of chunks have changed
    TRN_EVENT_REMOVED   ///< chunks have gone, removed or evicted
} TrnEventKind;

#define TRN_EVENT_BIT(kind) (UINT32_C(1) << (kind))

/// One chunk of an event.
typedef struct TrnEventChunk {
    TrnCoord coord;
    TrnChunkId id; ///< stale once the chunk has been removed
    /// The chunk. When REMOVED it and its snapshot can still be read until the listener returns, at
    /// no coordinate any more. Otherwise NULL where a listener before this one removed it.
    TrnChunk *chunk;
    /// Which of the 27 chunks around it must look again: bit 13 the chunk itself, the others its
    /// neighbours, in the order of trn_store_snapshot_around, that touch a voxel that changed with
    /// a face, edge or corner. All bits when INSERTED or REMOVED.
    uint32_t around;
    /// INSERTED: how many runs of waiting edits the chunk took up (terrane/batch.h). Where there
    /// are some it is not what was loaded or generated, and wants saving.
    uint32_t applied;
} TrnEventChunk;

/// One change: of one chunk, or of all chunks of a batch.
typedef struct TrnStoreEvent {
    TrnEventKind kind;
    bool is_eviction;            ///< REMOVED by trn_store_evict
    uint64_t revision;           ///< of the change; when REMOVED, of the last one before it
    uint32_t count;              ///< at least 1
    const TrnEventChunk *chunks; ///< [count]; until the listener returns
    /// Not 0: changes after this revision were not told to this listener, since it failed, there
    /// was no memory to note them, or listeners changed the store in a circle.
    /// trn_store_changed_since catches up on them, but not on removals.
    uint64_t missed_since;
    bool has_missed; ///< whether missed_since means anything (it may be 0)
} TrnStoreEvent;

/// Hears of changes once they are published, on the writer's thread, inside the call that made them
/// and before it returns. May do with the store what the writer may, but for destroying it: insert,
/// remove, edit, evict, listen, leave. What it changes is published at once, and told to all
/// listeners after the events at hand. That goes 64 rounds deep, and to 65,536 events beside those
/// of the first of these rounds; what goes beyond counts as missed.
/// @return OK, or anything else for an event that it could not deal with: the change stands, and
/// the next event says what was missed
typedef TrnResult (*TrnListener)(TrnStore *store, const TrnStoreEvent *event, void *user);

/// Adds a listener. Listeners are called in the order in which they came.
/// @param kinds  ored TRN_EVENT_BITs
/// Errors: BAD_ARGUMENT (no or unknown kinds, no listener), EXISTS (this listener with this user
/// listens already), NO_MEMORY, FULL.
TRN_API TrnResult trn_store_subscribe(TrnStore *store, uint32_t kinds, TrnListener listener,
                                      void *user);

/// Takes a listener away; it is not called any more, not even for events at hand. Errors:
/// NOT_FOUND.
TRN_API TrnResult trn_store_unsubscribe(TrnStore *store, TrnListener listener, void *user);

// ---- eviction ----------------------------------------------------------------------------------

/// Says that chunks are of use now: seen, walked on, meshed. Eviction takes those first that have
/// not been named for longest.
/// @param chunks  [count] of this store, none of them NULL
/// Cost: 1 to 3 ns each.
TRN_API void trn_store_touch(TrnStore *store, TrnChunk *const *chunks, size_t count);

/// Which chunks go, and when it is enough. All zeroes but one of the first two is "those longest
/// not seen, until so few bytes are taken, or used".
typedef struct TrnEviction {
    /// Ends once the store uses no more than this: without the room inside blocks that the next
    /// chunks take (TrnStoreStats.used_bytes). This is for a game that stays within its budget
    /// frame by frame. 0: does not end by it.
    size_t used_bytes;
    /// Ends once the store takes no more than this from the allocator, not counting what only
    /// waits: for a reader, or for listeners to hear of it. So a reader that stays in its section
    /// does not empty the store. A block goes back only when all that had memory in it have gone,
    /// and chunks of one age lie scattered over many: to give a quarter back, between two thirds
    /// and nine tenths of all chunks had to go. 0: does not end by it while a chunk may go.
    size_t bytes;
    uint32_t count_max; ///< ends after this many chunks; 0 means no limit
    /// The greater, the sooner the chunk goes; negative or NaN: not at all. Must not change the
    /// store. NULL: those that have not been seen (trn_store_touch, or the insert) for longest
    /// first, and among these whose voxels have been as they are for longest.
    double (*order)(const TrnChunk *chunk, void *user);
    void *user; ///< handed to order
} TrnEviction;

/// Removes chunks until the store takes or uses few enough bytes. Held chunks and those that a
/// batch has open stay. Listeners hear of each as REMOVED (is_eviction), while it can still be
/// read, so that unsaved edits can be saved. No more chunks go than there were at first, should
/// listeners put them back.
/// @param evicted  receives how many were; may be NULL; written on every result
/// Errors: BAD_ARGUMENT, FULL (nothing more may go, or count_max was reached, and there are still
/// more bytes), READERS (there are still more bytes, and memory waits for a reader), NO_MEMORY. OK
/// within a listener may mean that bytes go when it returns. What was evicted by then is gone.
/// Cost: O(chunks) for every 512 evicted.
TRN_API TrnResult trn_store_evict(TrnStore *store, const TrnEviction *eviction, uint32_t *evicted);

// ---- why a chunk is or is not there ------------------------------------------------------------

typedef enum TrnChunkState {
    TRN_CHUNK_STATE_LOADED,
    /// not there, and nobody tried that the store could remember: it remembers the last 1024 ends
    TRN_CHUNK_STATE_UNKNOWN,
    TRN_CHUNK_STATE_REMOVED, ///< trn_store_remove
    TRN_CHUNK_STATE_EVICTED, ///< trn_store_evict
    TRN_CHUNK_STATE_REFUSED, ///< the last insert failed
    TRN_CHUNK_STATE_COUNT
} TrnChunkState;

typedef struct TrnExplanation {
    TrnChunkState state;
    TrnResult refusal; ///< REFUSED: what the insert came to
    /// LOADED: of the last change; otherwise the store's when it went or was refused, 0 when
    /// UNKNOWN
    uint64_t revision;
    size_t bytes;       ///< LOADED: header with user bytes, and payload
    uint32_t bits;      ///< LOADED: a voxel, 0 for uniform
    uint32_t pins;      ///< trn_store_pin minus trn_store_unpin
    bool is_open;       ///< a batch has it open
    uint32_t untouched; ///< LOADED: calls of trn_store_touch since one named it
    uint32_t planes; ///< ored TRN_PLANE_BITs that are set at the coordinate, also where no chunk is
    uint32_t pending_runs; ///< runs of voxels that wait for the chunk
    /// the reader that keeps removed memory back for longest, or NULL; as
    /// trn_chunk_index_slowest_reader
    const char *slowest_reader;
    char sentence[256]; ///< all that matters of this, for a person
} TrnExplanation;

/// Why a chunk is or is not there, and who holds it. For the writer's thread. Cost: some us.
TRN_API TrnExplanation trn_store_explain(const TrnStore *store, TrnCoord coord);

// ---- figures -----------------------------------------------------------------------------------

/// The heap that voxels lie in, for its figures by size class (trn_voxel_heap_stats), and to give
/// back what it keeps at hand (trn_voxel_heap_trim). Chunks change through the store alone.
TRN_API TrnVoxelHeap *trn_store_voxel_heap(const TrnStore *store);

/// Gives back all memory that is kept at hand: empty blocks, and what no reader sees any more. Done
/// by itself when bytes_max is in the way.
TRN_API void trn_store_trim(TrnStore *store);

/// Figures of a store. Bytes are what was taken from the allocator, per category.
typedef struct TrnStoreStats {
    uint32_t chunks;
    /// of one single block; one less for each edit that has changed something and is open
    uint32_t uniform_chunks;
    uint32_t retired_chunks; ///< removed, and kept only for readers
    /// voxels that were replaced or removed, and are kept only for readers
    uint32_t retired_payloads;
    uint64_t revision;
    /// chunks so far, evicted ones not among removed; refused: inserts that failed for memory or a
    /// cap
    uint64_t inserted, removed, evicted, refused;
    uint32_t listeners;
    uint64_t events, missed_events; ///< calls of listeners; those that failed or could not be made
    size_t header_bytes;            ///< of a reserved range: all of it
    size_t voxel_bytes, index_bytes;
    size_t type_bytes; ///< of block types of its own
    /// the store itself, list of changes, listeners, events, the log behind trn_store_explain
    size_t bookkeeping_bytes;
    size_t attached_bytes; ///< batches, pending edits, histories (terrane/batch.h)
    size_t total_bytes;    ///< all of these
    size_t total_bytes_peak;
    size_t bytes_max; ///< as in the def
    /// part of total_bytes that is kept only for readers: headers, voxels, pages
    size_t retired_bytes;
    /// What of total_bytes is used: without room inside blocks of headers and voxels for more of
    /// them, and without what only waits to be given back.
    size_t used_bytes;
    /// of header_bytes: what was ever used of a reserved range; otherwise equal
    size_t touched_bytes;
} TrnStoreStats;

/// For the writer's thread. Cost: O(pages of the index).
TRN_API TrnStoreStats trn_store_stats(const TrnStore *store);

/// Bytes taken from the allocator now: TrnStoreStats.total_bytes. @param used_bytes  receives
/// TrnStoreStats.used_bytes; may be NULL For the writer's thread. O(1).
TRN_API size_t trn_store_bytes(const TrnStore *store, size_t *used_bytes);

/// Changes the bound that the def set: for a store that shares a budget with what it does not know
/// of. Less than is taken already gives nothing back; whatever takes more memory is refused then
/// until enough has gone.
/// @param bytes_max  as in TrnStoreDef
/// For the writer's thread. O(1).
TRN_API void trn_store_set_bytes_max(TrnStore *store, size_t bytes_max);

#ifdef __cplusplus
}
#endif
#endif
