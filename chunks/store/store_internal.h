/// Private: what the library's other folders need of the store beyond its public header.
///
/// Edits (chunks/edits) attach here: batches, pending edits and histories stand above the store,
/// which knows none of them. The stream inserts voxels that its workers have encoded.
#ifndef TERRANE_STORE_STORE_INTERNAL_H
#define TERRANE_STORE_STORE_INTERNAL_H

#include <terrane/store.h>

#include "base/memory.h"
#include "voxels/voxel_slot_internal.h"

// ---- attached code -----------------------------------------------------------------------------

/// What attached code does when the store changes. All are called on the writer's thread.
typedef struct TrnStoreHooks {
    /// How many runs of edits are pending for a chunk that is not loaded.
    uint32_t (*pending_runs)(const void *user, TrnCoord coord);

    /// Applies what is pending for a chunk to voxels that no reader can see yet, under `revision`.
    /// Called if pending_runs is not 0, before the index knows the chunk, and followed by
    /// publish_insert or abandon_insert.
    /// Errors: NO_MEMORY, FULL, READERS; the voxels are then as they were, and neither follows.
    TrnResult (*prepare_insert)(void *user, TrnCoord coord, TrnVoxels *voxels, uint64_t revision);

    /// The chunk is in the index: what was pending for it is pending no longer.
    void (*publish_insert)(void *user, TrnCoord coord);

    /// The index refused the chunk: what is pending stays pending.
    void (*abandon_insert)(void *user);

    /// Frees memory that is kept for later. Not called while attached code allocates.
    void (*trim)(void *user);

    /// The store is being destroyed. Called before its parts go.
    void (*destroy)(void *user);

    void *user; ///< passed to all of them
} TrnStoreHooks;

/// Attaches hooks for the rest of the store's life. One set of hooks can be attached.
/// @param hooks  copied
void trn_store_attach(TrnStore *store, const TrnStoreHooks *hooks);

/// The `user` of the attached hooks, or NULL where none are attached.
void *trn_store_attached(const TrnStore *store);

/// The allocator for attached code. Counts against the store's bytes_max, as attached_bytes.
/// Valid as long as the store.
TrnAllocator trn_store_attached_allocator(TrnStore *store);

/// The key of hashes of coordinates (TrnStoreDef.hash_key, or the one drawn), never 0.
uint64_t trn_store_hash_key(const TrnStore *store);

// ---- refused memory ----------------------------------------------------------------------------

/// Why an allocation of the store failed: by its caps, or because the allocator returned NULL.
typedef struct TrnStoreRefusal {
    bool is_capped;      ///< a cap refused memory since this was last cleared
    bool is_part_capped; ///< it was the cap of attached code, so freeing other memory does not help
} TrnStoreRefusal;

/// The store's refusal. Clear it before an operation, so that trn_store_result() can tell why the
/// operation failed. Valid as long as the store.
TrnStoreRefusal *trn_store_refusal(TrnStore *store);

static inline void trn_store_refusal_clear(TrnStoreRefusal *refusal)
{
    *refusal = (TrnStoreRefusal){false, false};
}

/// The result to report for an operation: NO_MEMORY becomes FULL where a cap refused the memory, or
/// READERS where reclaiming retired memory would have been enough.
TrnResult trn_store_result(const TrnStore *store, TrnResult result);

/// TrnStoreDef.bytes_max as it is now; 0 means none.
size_t trn_store_bytes_max(const TrnStore *store);

/// How many chunks are loaded. Threads: the writer. O(1).
uint32_t trn_store_loaded_count(const TrnStore *store);

/// TrnStoreStats.total_bytes. @param used_bytes  receives TrnStoreStats.used_bytes; may be NULL
/// Threads: the writer. O(1).
size_t trn_store_bytes(const TrnStore *store, size_t *used_bytes);

// ---- locks -------------------------------------------------------------------------------------

/// Locks a chunk: until it is unlocked, the store answers BUSY to whatever would change or remove
/// it, and does not evict it.
/// @param key  anything but 0, for the owner of the lock to find its own record by
void trn_store_lock(TrnChunk *chunk, uint32_t key);
void trn_store_unlock(TrnStore *store, TrnChunk *chunk);

/// The key that a chunk is locked with, or 0.
uint32_t trn_store_lock_key(const TrnChunk *chunk);

/// How many runs of pending edits a loaded chunk took up when it was inserted.
uint32_t trn_store_applied_runs(const TrnChunk *chunk);

/// Whether a chunk is pinned or locked, so that removing it answers BUSY.
bool trn_store_is_busy(const TrnChunk *chunk);

// ---- changes -----------------------------------------------------------------------------------
//
// A change covers one or more chunks. Publish the voxels of each under trn_store_next_revision(),
// add each chunk to the change, then end the change. None of this can fail.

/// The revision of the change that is being made.
uint64_t trn_store_next_revision(const TrnStore *store);

/// What a change of a chunk's voxels outdates, in masks of the 27 chunks around.
typedef struct TrnStoreReach {
    uint32_t around; ///< as in TrnEventChunk
    uint32_t light;  ///< as in TrnEventChunk
    bool has_data;   ///< block data changed
} TrnStoreReach;

/// Sets what tells how far light changes: trn_light_reach(), which stands above the store. NULL:
/// events do not tell.
void trn_store_set_light_reach(TrnStore *store,
                               uint32_t (*reach)(TrnSnapshot before, TrnSnapshot after,
                                                 const TrnBlockTypes *types));

/// TrnStoreReach.light of a change of voxels.
uint32_t trn_store_light_reach(const TrnStore *store, TrnSnapshot before, TrnSnapshot after);

/// Returns the watch of a store that calls a function; NULL: there is none.
const TrnStoreWatch *trn_store_find_watch(const TrnStore *store,
                                          void (*changing)(void *user, TrnCoord coord,
                                                           TrnSnapshot before, TrnSnapshot after));

/// Tells the watches that a chunk's voxels are about to change.
void trn_store_tell_watch(TrnStore *store, TrnCoord coord, TrnSnapshot before, TrnSnapshot after);

/// Asks the watches whether the world moves by itself in a chunk of this store.
bool trn_store_owns(const TrnStore *store, TrnCoord coord);

/// Tells the watches whether what changes now is made by liquids or random ticks.
void trn_store_set_self_moved(TrnStore *store, bool is_self_moved);

/// Asks the watches whether a chunk may be removed. @return OK, or the first other result
TrnResult trn_store_ask_watch(const TrnStore *store, const TrnChunk *chunk);

/// Whether a listener subscribes to events of a kind. If not, `reach` below need not be known.
bool trn_store_has_listener(const TrnStore *store, TrnEventKind kind);

/// Adds a chunk whose voxels have changed to the change that is being made.
void trn_store_add_changed(TrnStore *store, TrnChunk *chunk, uint64_t revision,
                           TrnStoreReach reach);

/// Publishes the revision, and calls listeners. Where listeners are being called already, the
/// events are queued. Listeners may insert, remove and change chunks.
void trn_store_end_change(TrnStore *store, uint64_t revision);

// ---- for the stream ----------------------------------------------------------------------------

/// Inserts a chunk from a code that trn_voxels_code() made with trn_store_voxel_heap(), so that a
/// worker does the encoding. The result is that of trn_store_insert_voxels() with the same blocks.
/// @param code  only read
/// Errors: as trn_store_insert_voxels(); BAD_ARGUMENT where it is not a code. Cost: 1 to 2 us.
TrnResult trn_store_insert_code(TrnStore *store, TrnCoord coord, const void *code,
                                TrnChunk **chunk);

/// The same from a slot of trn_store_voxel_heap() that a worker has filled with a code. The writer
/// touches only one cache line of the payload.
/// @param slot  filled; cleared where the chunk takes the payload over; otherwise it stays the
///              caller's: on failure, and where edits were pending for the chunk
/// Errors: as trn_store_insert_voxels(); BAD_ARGUMENT where the slot is empty. Cost: O(1).
TrnResult trn_store_insert_slot(TrnStore *store, TrnCoord coord, TrnVoxelSlot *slot,
                                TrnChunk **chunk);

/// Generates a chunk again whose voxels the store has omitted.
typedef struct TrnStoreSource {
    /// @param blocks   [TRN_CHUNK_VOXELS] receives what the chunk had; if uniform, only blocks[0]
    TrnResult (*generate)(void *user, TrnCoord coord, TrnBlock *blocks, bool *uniform);
    void *user; ///< passed to generate
} TrnStoreSource;

/// Sets what generates omitted chunks; without it, none may be omitted. @param source  copied
void trn_store_set_source(TrnStore *store, const TrnStoreSource *source);

/// Omits a chunk's voxels (voxels/voxels_internal.h) if it has a payload and is not locked. This is
/// no change: the revision stays, and no listener is called.
/// @return whether it has
/// Threads: the writer. O(1).
bool trn_store_omit(TrnStore *store, TrnChunk *chunk);

/// Gives a chunk its voxels again if they are omitted; no change either. Edits do so when they open
/// a chunk.
/// @param land  [TRN_CHUNK_VOXELS] what the source generates; NULL: not known yet
/// Errors: of the source; NO_MEMORY, FULL, READERS. The voxels are omitted then. Threads: the
/// writer.
TrnResult trn_store_restore(TrnStore *store, TrnChunk *chunk, const TrnBlock *land);

/// Allocates memory of headers ahead if fewer than `least` inserts would need more: see
/// trn_pool_prepare. @param fresh  receives the memory
/// @return whether it has allocated any
/// Threads: the writer.
bool trn_store_prepare(TrnStore *store, uint32_t least, TrnPoolFresh *fresh);

/// One chunk of a batch for trn_store_insert_batch.
typedef struct TrnStoreArrival {
    TrnCoord coord;
    /// The voxels, filled as for trn_store_insert_slot. Cleared where the chunk takes them over;
    /// otherwise it stays the caller's: if not inserted, and where edits were pending for the
    /// chunk. NULL: `code`.
    TrnVoxelSlot *slot;
    /// Used if there is no slot: voxels encoded as for trn_store_insert_code. NULL: `blocks`.
    const TrnBlock *code;
    /// Used if there is neither: [TRN_CHUNK_VOXELS] as for trn_store_insert_voxels. NULL: uniform.
    const TrnBlock *blocks;
    TrnBlock block;           ///< used if there is none of these: all voxels
    const TrnBlockData *data; ///< [data_count] block data, as for trn_store_insert_data
    uint32_t data_count;
    TrnChunk *chunk;  ///< receives the chunk; NULL if not inserted, or removed again by a listener
    TrnChunkId id;    ///< receives its id; the null id if not inserted
    TrnResult result; ///< receives OK, or EXISTS
} TrnStoreArrival;

/// Inserts chunks in the order given, as trn_store_insert_slot, _insert_code, _insert_voxels or
/// _insert_uniform would one after the other, at a half (cold memory) to three quarters of the cost
/// if chunks of one page follow each other.
///
/// The batch is inserted in runs of 32 chunks. Those of a run that are inserted are one change:
/// they share one revision, the next after that of the last change, and listeners get one INSERTED
/// event for them, whose chunks are in the order of the arrivals. The store's revision advances by
/// one a run, once all its chunks are inserted; readers may find each of them before. Listeners are
/// called after each run, so what they insert and remove is seen by the runs that follow.
///
/// Stops at the first chunk that cannot be inserted; those before it stay inserted. If memory is
/// the reason, and the run has inserted others, it is tried again after their event: a listener may
/// have evicted chunks.
/// @param arrivals  [count] in any order; a coordinate that is given twice EXISTS the second time
/// @param done      receives how many arrivals were handled: their chunk, id and result are set.
///                  Those of the rest are unchanged, and so are their slots
/// @return OK, or the error of the arrival at which it stopped, as the single inserts return it:
///         NO_MEMORY, FULL, READERS, BAD_ARGUMENT (not a code, or a slot that is not filled)
/// Threads: the writer.
TrnResult trn_store_insert_batch(TrnStore *store, TrnStoreArrival *arrivals, size_t count,
                                 size_t *done);

/// One chunk of a batch for trn_store_remove_batch.
typedef struct TrnStoreDeparture {
    TrnCoord coord;
    TrnResult result; ///< receives OK, NOT_FOUND, BUSY, a watch's, or why the batch stopped
} TrnStoreDeparture;

/// Removes chunks in the order given, as trn_store_remove would one after the other. It prefetches
/// what removals touch, and retires a run of chunks together.
///
/// Chunks are removed in runs of 32. Listeners get one REMOVED event for those of a run that are
/// removed, in the order given, and can read all of them until they return; the next run follows
/// after that. Revisions do not advance, as in a single removal.
///
/// Continues after NOT_FOUND, BUSY and a watch's refusal. Stops at the first chunk that memory does
/// not allow, which stays loaded; if the run has removed others, it is tried again once they are
/// gone.
/// @param departures  [count] in any order; given twice, a coordinate is NOT_FOUND the second time
/// @param done        receives how many departures were handled; the one after them has the error,
///                    the results of the rest are unchanged
/// @return OK, or NO_MEMORY, FULL or READERS of the departure at which it stopped
/// Threads: the writer.
TrnResult trn_store_remove_batch(TrnStore *store, TrnStoreDeparture *departures, size_t count,
                                 size_t *done);

/// Takes back the insert of a chunk that nothing has seen to keep: removes it without asking the
/// watches, so that it is not saved. Errors: as trn_store_remove.
TrnResult trn_store_take_back(TrnStore *store, TrnChunk *chunk);

#endif
