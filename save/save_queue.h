/// Private: chunks and values that wait to be written. Each is in the queue once, as it was saved
/// last. What the writer has taken stays findable until it is written.
///
/// For one thread at a time: the save locks it.
#ifndef TERRANE_SAVE_SAVE_QUEUE_H
#define TERRANE_SAVE_SAVE_QUEUE_H

#include <terrane/generator.h>
#include <terrane/storage.h>

#include "base/coord_map.h"
#include "row.h"
#include "save_internal.h"

#define TRN_SAVE_LEVELS (TRN_GENERATOR_LEVEL_MAX + 1)

/// What is saved of a chunk.
typedef struct TrnSaveChunk {
    bool is_packed;
    TrnSnapshot snapshot; ///< unless it is packed: its blocks, which are not one block
    TrnRowVoxels voxels;  ///< unless it is packed, its block data alone
} TrnSaveChunk;

/// A chunk, with a copy of its voxels, or a value, with its name and bytes.
typedef struct TrnSaveItem {
    struct TrnSaveItem *next, **link; ///< the next in the list; what points to this one
    TrnStorageKey key;                ///< of a chunk
    TrnSaveChunk chunk;
    char *name;                    ///< of a value; NULL for a chunk
    struct TrnSaveItem *same_hash; ///< the next newest item of a value with the same hash
    void *value;
    size_t value_bytes;
    bool is_removal;    ///< of the value
    bool is_taken;      ///< by the writer
    bool is_superseded; ///< taken, and a newer one waits
    bool drops_pending; ///< the chunk has the edits that are stored as pending for it
    size_t bytes;       ///< of this allocation
    double queued_us;
} TrnSaveItem;

typedef struct TrnSaveList {
    TrnSaveItem *first, **end;
    uint32_t count;
} TrnSaveList;

typedef struct TrnSaveQueue {
    TrnAllocator allocator;
    TrnSaveList waiting, taken;
    TrnCoordMap chunks[TRN_SAVE_LEVELS]; ///< the newest item of each chunk in either list
    TrnCoordMap names;                   ///< the same of each value, by the hash of its name
    size_t bytes, bytes_max, bytes_peak;
    uint32_t chunk_count; ///< in both lists
    bool is_open;         ///< a group is open: nothing may be taken, and nothing is refused
    bool is_whole;        ///< a group waits: what is taken next is everything
    bool takes_whole;     ///< what was taken is everything
} TrnSaveQueue;

void trn_save_queue_init(TrnSaveQueue *queue, const TrnAllocator *allocator, size_t bytes_max);
/// Frees all items.
void trn_save_queue_close(TrnSaveQueue *queue);

/// Copies a chunk into the queue, in place of an earlier copy.
/// Errors: BAD_ARGUMENT (level), NO_MEMORY, FULL; the earlier copy stays.
TrnResult trn_save_queue_put(TrnSaveQueue *queue, TrnStorageKey key, const TrnSaveChunk *chunk,
                             double now_us);

/// Copies a value into the queue. Errors: NO_MEMORY, FULL.
TrnResult trn_save_queue_put_value(TrnSaveQueue *queue, const TrnStorageValue *value,
                                   double now_us);

/// Notes that the newest item of a chunk has the edits that are stored as pending.
void trn_save_queue_drop_pending(TrnSaveQueue *queue, TrnStorageKey key);

/// Finds the newest item of a chunk or a name. NULL: neither list has one.
const TrnSaveItem *trn_save_queue_find(const TrnSaveQueue *queue, TrnStorageKey key);
/// Finds the highest chunk of level 0 in a column of chunks. O(chunks in the queue).
/// @param box  the column  @return false if there is none
bool trn_save_queue_highest(const TrnSaveQueue *queue, TrnBox box, int32_t *y);

const TrnSaveItem *trn_save_queue_find_value(const TrnSaveQueue *queue, const char *name);

/// Removes the chunks of a filter that the writer has not taken.
void trn_save_queue_discard(TrnSaveQueue *queue, TrnSaveFilter *filter, void *user);

/// Opens a group: what is in the queue when it ends is taken together. Errors: BUSY (one is open),
/// FULL (the queue is over its limit).
TrnResult trn_save_queue_begin(TrnSaveQueue *queue);

/// Ends the group that is open.
void trn_save_queue_end(TrnSaveQueue *queue);

/// Takes the oldest items, at most `count_max`; all if a group waits, since a later item may have
/// taken the place of one of the group. No group may be open, and items of an earlier call must be
/// returned first.
/// @return the first; they are chained
const TrnSaveItem *trn_save_queue_take(TrnSaveQueue *queue, uint32_t count_max);

/// Removes the items that were taken if they are written; otherwise puts them back to the front.
/// @return the removed ones, chained, for trn_save_queue_free
TrnSaveItem *trn_save_queue_return(TrnSaveQueue *queue, bool are_written);

/// Frees chained items that are in no queue any more. Needs no lock: freeing many takes long.
void trn_save_queue_free(const TrnAllocator *allocator, TrnSaveItem *first);

#endif
