/// Private: the save as a whole.
///
///     save.c          creation, destruction, values, statistics
///     save_load.c     the source: chunks are queued and loaded
///     save_writer.c   the thread that writes, and one transaction
///     save_pending.c  edits of chunks that are not loaded
///     save_fold.c     levels of detail
///     save_events.c   events for the game
///     save_queue.c    what waits to be written      save_ids.c   the world's block ids
///     row.c           the format of a row           storage_*.c  storages
#ifndef TERRANE_SAVE_SAVE_IMPL_H
#define TERRANE_SAVE_SAVE_IMPL_H

#include <inttypes.h>
#include <stdio.h>

#include <terrane/save.h>

#include "base/array.h"
#include "base/number.h"
#include "base/thread.h"
#include "save_ids.h"
#include "save_internal.h"
#include "save_queue.h"

#define TRN_SAVE_EVENTS 64
#define TRN_SAVE_SPARE_CODER (TRN_STREAM_WORKER_MAX + 2) ///< of trn_save_get, for any thread
#define TRN_SAVE_CODERS (TRN_STREAM_WORKER_MAX + 3)

/// The name of a value of the save's own.
typedef struct TrnSaveName {
    char text[64];
} TrnSaveName;

TRN_ARRAY_DECLARE(TrnSaveRows, TrnStorageRow);
TRN_ARRAY_DECLARE(TrnSaveValues, TrnStorageValue);
TRN_ARRAY_DECLARE(TrnSaveNames, TrnSaveName);
TRN_ARRAY_DECLARE(TrnSaveBytes, unsigned char);

/// What the writing thread uses. The arrays are those of one transaction, kept for the next.
typedef struct TrnSaveWriter {
    TrnRowCoder *coder;
    TrnVoxelPacker *packer;
    TrnSaveRows rows;
    TrnSaveBytes bytes; ///< of all rows
    TrnSaveValues values;
    TrnSaveNames names;   ///< of new block ids
    TrnSaveNames dropped; ///< of pending edits that rows replace
    uint64_t revision;    ///< of the last transaction
    uint64_t format;      ///< of the world, as stored
    unsigned char format_bytes[4];
    unsigned char revision_bytes[8];
} TrnSaveWriter;

struct TrnSave {
    _Atomic(bool) names_blocks; ///< all, with the next transaction
    TrnSaveDef def;
    TrnAllocator allocator;
    TrnSaveIds *ids;
    TrnSaveWriter writer;
    _Atomic(TrnRowCoder *) coders[TRN_SAVE_CODERS]; ///< to load with, by worker; made at first use
    uint32_t folded_levels; ///< that trn_save_fold has completed; for its thread
    TrnThread thread;
    bool has_thread;
    TrnMutex mutex;           ///< of everything below
    TrnCondition for_writer;  ///< there is something to do, or the end
    TrnCondition for_callers; ///< a transaction has ended
    TrnSaveQueue queue;
    TrnCoordMap pending; ///< the checksum of the stored pending edits of each chunk
    /// By level: the revision of the damaged row of each chunk that was told.
    TrnCoordMap damaged[TRN_SAVE_LEVELS];
    TrnSaveStats stats; ///< without those of the queue
    bool is_writing, is_ending;
    bool has_told_corrupt; ///< the game knows that the storage is damaged
    double retry_seconds;  ///< until a failed transaction is tried again; 0: the last succeeded
    double retry_us;       ///< when
    uint64_t flushes_wanted, flushes_done;
    TrnResult flush_result;
    TrnSaveEvent events[TRN_SAVE_EVENTS];
    uint32_t event_first, event_count;
};

// ---- events (save_events.c) --------------------------------------------------------------------

/// Adds an event; the oldest is lost if there are too many. The save is locked.
/// @param sentence  copied
void trn_save_notify(TrnSave *save, TrnSaveEventKind kind, const TrnStorageKey *key,
                     TrnResult result, const char *sentence);

/// Adds an event about a failure of the storage, with its sentence; about damage once, because
/// every access to a damaged page fails. The save is not locked.
void trn_save_notify_storage(TrnSave *save, TrnSaveEventKind kind, const TrnStorageKey *key,
                             TrnResult result);

// ---- pending edits (save_pending.c) ------------------------------------------------------------

/// Notes that a chunk which is in the queue has all edits that were pending for it. The save is
/// locked.
void trn_save_pending_applied(TrnSave *save, TrnStorageKey key);

// ---- the writer (save_writer.c) ----------------------------------------------------------------

/// Allocates what the writer needs, and starts the thread if the def has one.
TrnResult trn_save_writer_start(TrnSave *save);

/// Ends the thread. It writes what is in the queue, with one try. @return the result of that
TrnResult trn_save_writer_stop(TrnSave *save);

/// Notes that something was added to the queue. The save is locked. Without a thread, this writes
/// the queue if that is due, and unlocks the save meanwhile.
void trn_save_writer_wake(TrnSave *save);

/// The most that the revision of a world may be: it never gets there by transactions, and numbers
/// of storages have a sign.
#define TRN_SAVE_REVISION_MAX ((uint64_t)1 << 62)

/// Names of the save's own values.
#define TRN_SAVE_FORMAT_NAME "terrane/format"
#define TRN_SAVE_FOLDED_NAME "terrane/folded"
#define TRN_SAVE_LAND_NAME "terrane/land"
#define TRN_SAVE_BOUND_NAME "terrane/bound" ///< only changed chunks were saved
#define TRN_SAVE_PENDING_PREFIX "terrane/pending/"
#define TRN_SAVE_QUARANTINE_PREFIX "terrane/quarantine/"
#define TRN_SAVE_GAME_PREFIX "game/"

/// Returns the name of the value with the pending edits of a chunk.
static inline TrnSaveName trn_save_pending_name(TrnCoord coord)
{
    TrnSaveName name;
    (void)snprintf(name.text, sizeof name.text,
                   TRN_SAVE_PENDING_PREFIX "%" PRId32 ",%" PRId32 ",%" PRId32, coord.x, coord.y,
                   coord.z);
    return name;
}

/// Of a world: 1, and 2 once a row has block data, so that older versions do not open it and take
/// such rows for damaged.
#define TRN_SAVE_FORMAT 2
#define TRN_SAVE_FORMAT_PLAIN 1

/// Puts a value into the queue. The save is not locked. Errors: NO_MEMORY, FULL.
TrnResult trn_save_put_value(TrnSave *save, const TrnStorageValue *value);

#endif
