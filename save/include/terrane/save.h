/// Terrane, save: keeps the chunks of a world in a storage, so that it lasts.
///
///     TrnStorage storage;
///     TrnStorageProblem problem;
///     if (trn_storage_sqlite("my.world", TRN_STORAGE_EITHER, &storage, &problem) != TRN_RESULT_OK)
///     {
///         fprintf(stderr, "%s\n", problem.sentence);
///     }
///     TrnSaveDef def = trn_save_def();
///     def.storage = storage;
///     def.types = types; // of the store
///     TrnSave *save;
///     trn_save_create(&def, &save, &problem);
///     stream_def.source = trn_save_source(save);
///     ...
///     trn_stream_save(stream); // queues what is unsaved
///     trn_save_flush(save);    // returns when all of it is on the disk
///
/// A chunk that the stream saves is copied into a queue. The save's own thread
/// encodes and compresses the chunks of the queue and writes them in one transaction about every
/// `commit_seconds`. So a crash or a loss of power loses at most the changes of that time and of
/// the transaction under way; never a part of a transaction, and nothing older. A chunk that is
/// wanted again before it was written is read from the queue.
///
/// Blocks are stored under the world's own ids, and their names with them. A name that the game
/// does not know becomes a placeholder (trn_block_types_add_unknown), and is saved unchanged.
///
/// Threads: create, destroy, begin, end, set_value, flush, flush_for and next_event on one thread
/// at a time; trn_save_get_value, _put, _get, _stats and the functions of the source on any thread.
///
/// Tier: stable.
#ifndef TERRANE_SAVE_H
#define TERRANE_SAVE_H

#include <terrane/block_types.h>
#include <terrane/storage.h>
#include <terrane/stream.h>

TRN_C_BEGIN

/// A world that is saved. Opaque; the caller creates and destroys it.
typedef struct TrnSave TrnSave;

/// Which chunks are saved.
typedef enum TrnSaveWhat {
    /// Those that were shown and are not uniform, and those with changes. The world keeps its land
    /// when the generator changes.
    TRN_SAVE_SHOWN,
    /// Those with changes alone. Smaller, and bound to the land that the generator makes now: see
    /// trn_save_bind_land.
    TRN_SAVE_CHANGED
} TrnSaveWhat;

/// What becomes of a chunk whose row is damaged. Its bytes are kept in quarantine either way.
typedef enum TrnSaveDamaged {
    TRN_SAVE_GENERATE_DAMAGED, ///< it is generated again
    TRN_SAVE_REFUSE_DAMAGED    ///< loading it fails with CORRUPT
} TrnSaveDamaged;

/// Start from trn_save_def() and change what you need.
typedef struct TrnSaveDef {
    TrnStorage storage; ///< owned by the save from trn_save_create on, which closes it
    /// Borrowed; must outlive the save. trn_save_create adds placeholders for unknown names, so
    /// create the save before the stream.
    TrnBlockTypes *types;
    TrnSaveWhat what;       ///< which chunks are saved
    TrnSaveDamaged damaged; ///< what becomes of damaged ones
    /// Seconds from the first change in the queue until it is written; 0: at once.
    double commit_seconds;
    /// Seconds until the stream saves a chunk that is loaded: see TrnStreamSource.
    double save_seconds;
    /// The most bytes of chunks and values in the queue. When it is full, saving a chunk fails with
    /// FULL, and the stream tries again; the chunk stays loaded. A single chunk or value that is
    /// larger, such as a chunk with much block data, is accepted in addition to them.
    size_t queue_bytes;
    int zstd_level; ///< of compression, -7..22
    /// false: the save starts no thread, and writes in trn_save_flush and in calls that add to the
    /// queue when a transaction is due.
    bool has_thread;
    const TrnAllocator *allocator; ///< copied; NULL means malloc; called on any thread
} TrnSaveDef;

/// Returns the defaults: chunks that were shown, damaged ones generated again, a transaction a
/// second, loaded chunks saved after 5 s, a queue of 64 MiB, zstd level 1, a thread.
TRN_API TrnSaveDef trn_save_def(void);

/// Opens the world of a storage, or makes it one if the storage is empty.
/// @param def      with storage and types
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (more block types than a registry holds), CORRUPT (not a
/// world, one that lost its format, or of a newer one), IO, and what the storage returns. The
/// storage is closed on failure, except after BAD_ARGUMENT.
TRN_API TrnResult trn_save_create(const TrnSaveDef *def, TrnSave **save,
                                  TrnStorageProblem *problem);

/// Writes the queue, closes the storage and frees the save. Destroy the stream first.
/// @param save  may be NULL
/// @return OK; otherwise why the queue could not be written, after one try
TRN_API TrnResult trn_save_destroy(TrnSave *save);

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
TRN_API TrnResult trn_save_make_world(const TrnStorage *storage, const TrnStorageValue *values,
                                      size_t count, TrnStorageProblem *problem);

/// Returns the source for TrnStreamDef.source.
TRN_API TrnStreamSource trn_save_source(TrnSave *save);

/// Copies a chunk into the queue, as the stream does when it saves one. For worlds that come from
/// elsewhere than a store.
/// @param blocks   [TRN_CHUNK_VOXELS] in linear order; blocks[0] alone if the chunk is uniform
/// @param uniform  every voxel is blocks[0]
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes: flush, and call again). Threads: any.
/// Cost: O(TRN_CHUNK_VOXELS); 160 KiB of memory meanwhile.
TRN_API TrnResult trn_save_put(TrnSave *save, TrnCoord coord, uint32_t level,
                               const TrnBlock *blocks, bool uniform);

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
TRN_API TrnResult trn_save_get(TrnSave *save, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform);

// ---- transactions ------------------------------------------------------------------------------

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
TRN_API TrnResult trn_save_begin(TrnSave *save);

/// Ends the transaction. It is written when it is due (`commit_seconds`), or by trn_save_flush.
/// Does nothing if none is open. trn_save_destroy ends it, too.
/// Cost: O(1); without a thread of the save's own, that of writing if that is due.
TRN_API void trn_save_end(TrnSave *save);

/// Writes the queue and waits until everything in it is on the disk.
/// @return OK; BUSY between trn_save_begin and trn_save_end; or why it could not be written: it
///         stays in the queue then, and the save tries again
TRN_API TrnResult trn_save_flush(TrnSave *save);

/// The same, but waits at most some seconds, for a program that ends while a disk does not answer.
/// Without a thread of the save's own it waits as long as the disk.
/// @return as trn_save_flush; BUSY also if the time is up: the save goes on writing; BAD_ARGUMENT
///         (NULL)
TRN_API TrnResult trn_save_flush_for(TrnSave *save, double seconds);

// ---- values ------------------------------------------------------------------------------------

/// Stores a value of the game's own under a name, with the next transaction: a spawn, a player, a
/// setting.
/// @param name   UTF-8, not empty, at most 200 bytes
/// @param bytes  [size] copied; NULL removes the value
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes).
TRN_API TrnResult trn_save_set_value(TrnSave *save, const char *name, const void *bytes,
                                     size_t size);

/// Reads a value, as it was set last.
/// @param bytes  [capacity] receives the first bytes; NULL if capacity is 0
/// @param size   receives the size of the whole value; may be NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND, NO_MEMORY, and what the storage returns.
TRN_API TrnResult trn_save_get_value(TrnSave *save, const char *name, void *bytes, size_t capacity,
                                     size_t *size);

/// Notes which land the game generates, and checks that the world may be used with it. A world in
/// which only changed chunks were ever saved needs the land that it began with.
/// @param land  text that differs whenever the generated land does, such as seed, shape and
///              version
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT (NULL, or the world is bound to another land), NO_MEMORY, FULL, and what
/// the storage returns.
TRN_API TrnResult trn_save_bind_land(TrnSave *save, const char *land, TrnStorageProblem *problem);

/// Stores the names of all block types of the def with the next transaction, not only of those that
/// were saved. Programs with the same types may then save parts of one world at the same time
/// (terrane/shared.h): they give the same ids.
/// Threads: any.
TRN_API void trn_save_name_blocks(TrnSave *save);

// ---- rows --------------------------------------------------------------------------------------

/// Decodes a row of the world's storage, such as one that TrnStorage.list visits.
/// @param row      any bytes are safe
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks, by ids of the def's types; blocks[0]
///                 alone if the chunk is uniform
/// @param uniform  receives whether every voxel is blocks[0]
/// @param fault    receives what is wrong with the row, a phrase such as "its checksum is wrong";
///                 may be NULL
/// Errors: BAD_ARGUMENT, NO_MEMORY, CORRUPT; blocks and uniform are then undefined.
/// Threads: that of trn_stream_update; without a stream, one at a time. Cost: O(TRN_CHUNK_VOXELS).
TRN_API TrnResult trn_save_read_row(TrnSave *save, const TrnStorageRow *row, TrnBlock *blocks,
                                    bool *uniform, const char **fault);

/// Takes up the names of blocks that other programs have stored since the world was opened.
/// trn_save_read_row takes rows with such blocks for corrupt until then: read them again before you
/// call them damaged. Names that the def's types lack become placeholders, as at opening.
/// Errors: BAD_ARGUMENT (NULL), CORRUPT (a name or an id is invalid), NO_MEMORY, FULL, and what the
/// storage returns.
/// Threads: as trn_save_read_row, while no other thread reads the def's types. Cost: reads the
/// names of all blocks of the world.
TRN_API TrnResult trn_save_learn_blocks(TrnSave *save);

/// Decodes a row, and gives its block data (terrane/block_data.h) to a sink, in linear order.
/// @param sink  called for each voxel that has data
/// Errors: as trn_save_read_row, and those of the sink, which end the call.
/// Threads and cost: as trn_save_read_row.
TRN_API TrnResult trn_save_read_row_data(TrnSave *save, const TrnStorageRow *row,
                                         const TrnDataSink *sink);

// ---- levels of detail --------------------------------------------------------------------------

/// How far trn_save_fold is.
typedef struct TrnSaveFoldProgress {
    uint32_t level; ///< that is being made
    uint64_t done;  ///< of its chunks
    uint64_t total; ///< its chunks
} TrnSaveFoldProgress;

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
TRN_API TrnResult trn_save_fold(TrnSave *save, const TrnGenerator *land, uint32_t levels,
                                bool (*progress)(void *user, TrnSaveFoldProgress now), void *user);

/// Notes that a far view with these levels has folded all that is saved, so that the next
/// trn_save_fold need not. Call it when the game ends, after trn_stream_save and trn_far_save and
/// before the next edit. Levels that no trn_save_fold has completed since the save was created do
/// not count. It flushes; the note itself is written with the next transaction.
/// @param levels  of the far view
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, and those of trn_save_flush.
TRN_API TrnResult trn_save_note_folded(TrnSave *save, uint32_t levels);

// ---- pending edits -----------------------------------------------------------------------------

/// Stores the edits that are pending in a store (terrane/batch.h) with the next transaction, in
/// place of those stored before. Once their chunk was loaded, and saved with them, its row replaces
/// them in the same transaction. Call it where you call trn_stream_save; what did not change since
/// costs nothing on the disk.
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (queue_bytes); those that were queued by then are stored.
/// Threads: the store's writer. Cost: O(pending edits).
TRN_API TrnResult trn_save_pending(TrnSave *save, const TrnStore *store);

/// Makes the edits pending again that trn_save_pending stored. Call it once, after trn_save_create
/// and before trn_stream_create: names that the game does not know become placeholders. Damaged
/// edits are left out, and told by an event.
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (pending edits of the store, or block types), READERS, and
/// what the storage returns; nothing is pending then, and what is stored stays.
TRN_API TrnResult trn_save_load_pending(TrnSave *save, TrnStore *store);

// ---- what happened -----------------------------------------------------------------------------

/// What happened.
typedef enum TrnSaveEventKind {
    /// a chunk's row was damaged, and is in quarantine; or its pending edits were, and are left out
    TRN_SAVE_EVENT_DAMAGED,
    TRN_SAVE_EVENT_WRITE_FAILED, ///< a transaction failed; the save tries again
    TRN_SAVE_EVENT_WRITE_AGAIN,  ///< the first that succeeded after that
    TRN_SAVE_EVENT_READ_FAILED   ///< the storage could not read a chunk
} TrnSaveEventKind;

/// Something that happened.
typedef struct TrnSaveEvent {
    TrnSaveEventKind kind; ///< what
    TrnStorageKey key;     ///< for DAMAGED, READ_FAILED
    TrnResult result;      ///< for WRITE_FAILED, READ_FAILED
    char sentence[512];    ///< for people
} TrnSaveEvent;

/// Takes the oldest event. The save keeps the last 64. @return false if there is none
TRN_API bool trn_save_next_event(TrnSave *save, TrnSaveEvent *event);

/// Figures of a save, since it was created unless they say otherwise.
typedef struct TrnSaveStats {
    uint64_t queued;         ///< chunks put into the queue
    uint64_t written;        ///< rows written to the storage
    uint64_t bytes_written;  ///< bytes of these rows
    uint64_t transactions;   ///< that succeeded
    uint64_t failures;       ///< transactions that failed
    uint64_t loaded;         ///< chunks found in the queue or in the storage
    uint64_t absent;         ///< chunks that neither has
    uint64_t damaged;        ///< rows that were damaged
    uint64_t events_lost;    ///< because the caller did not take them in time
    uint32_t in_queue;       ///< chunks in the queue now
    size_t queue_bytes;      ///< bytes of the queue now
    size_t queue_bytes_peak; ///< the most that there were
    double oldest_seconds;   ///< for how long the oldest change in the queue has waited
} TrnSaveStats;

/// Returns the figures. Cost: O(1).
TRN_API TrnSaveStats trn_save_stats(TrnSave *save);

TRN_C_END
#endif
