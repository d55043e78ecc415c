/// Stores a world's chunks while they are not loaded: in a world file, or in memory.
///
/// A file receives all chunks that were shown; memory receives only changed ones. A read-only file
/// is not written: changes stay in memory, and are lost when the keep is closed. A world in a
/// database is shared (terrane/member.h): the owners of its regions write it.
///
/// Threads: one thread at a time, except the functions of the source.
#pragma once

#include <terrane/block_types.h>
#include <terrane/member.h>
#include <terrane/stream.h>

#include "message.h"
#include "saved_chunks.h"
#include "world_file.h"

/// Largest size of a chunk with up to 16 block types in the write queue.
#define KEEP_CHUNK_BYTES ((size_t)17 * 1024)

typedef struct Keep Keep;

typedef struct KeepDef {
    const char *path;        ///< of the world file; NULL: only memory
    bool is_read_only;       ///< the file must exist, and is not written
    const WorldFacts *facts; ///< of the world, if the file is created
    /// Borrowed; must outlive the keep. Receives placeholders for the file's unknown blocks, so
    /// open the keep before other users of the types.
    TrnBlockTypes *types;
    size_t queue_bytes;        ///< limit of the write queue of the file; 0: 64 MiB
    const char *player;        ///< name of the player in a shared world; NULL: nameless
    const char *hints;         ///< URL of a NATS server, in a shared world; NULL: none. Borrowed
    const TrnStorage *storage; ///< replaces the file in tests; the keep closes it. NULL: none
} KeepDef;

bool keep_open(Keep **keep, const KeepDef *def, Message *problem);

/// Flushes the write queue, with one try, and closes the file. Destroy the stream first.
/// @param keep  may be NULL
void keep_close(Keep *keep);

/// For TrnStreamDef.source. @param keep  must outlive the stream
TrnStreamSource keep_source(Keep *keep);

/// Joins a shared world if it is writable; otherwise does nothing. Call it before keep_source and
/// keep_fold: the source then also follows the changes of other processes.
/// @param store  of the world; call keep_leave before it is destroyed
bool keep_join(Keep *keep, TrnStore *store, Message *problem);

/// Leaves a shared world. Destroy the streams first. @param keep  may be NULL
void keep_leave(Keep *keep);

/// Sends edits to a shared world, and receives the edits of others, once a frame. Does nothing if
/// the world is not shared.
void keep_exchange(Keep *keep);

/// Returns the member of a shared world, or NULL.
TrnMember *keep_member(const Keep *keep);

/// Loads a chunk of level 0 for a reader other than the stream, as it was saved last.
/// Errors: NOT_FOUND (also in a shared world, whose server may be slow), and those of the source.
TrnResult keep_load(Keep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform);

/// Adds the chunks of level 0 in a box that the file has. In a shared world, and where the file
/// cannot be read, none.
void keep_list_saved(const Keep *keep, TrnBox box, SavedChunks *saved);

/// Restores the pending edits that keep_save_pending stored in the file. Call it once, before the
/// stream is created. Errors: those of trn_save_load_pending.
TrnResult keep_load_pending(Keep *keep, TrnStore *store);

/// Stores the edits of unloaded chunks in the file, with the next transaction. Does nothing without
/// a writable file. Errors: those of trn_save_pending.
TrnResult keep_save_pending(Keep *keep, const TrnStore *store);

/// Begins and ends a transaction of what is kept: see trn_save_begin.
TrnResult keep_begin(Keep *keep);
void keep_end(Keep *keep);

/// Writes everything that the source has received, and waits some seconds at most for the disk.
/// @return OK; BUSY if time is up and writing continues; otherwise why writing failed
TrnResult keep_flush(Keep *keep, double seconds);

/// Folds levels of detail for chunks that were saved without them (trn_save_fold), before the
/// streams are created. Does nothing without a writable file. If there are too many such chunks,
/// does nothing, and keep_news reports that.
/// @param land    as in trn_save_fold
/// @param levels  of the far view
void keep_fold(Keep *keep, const TrnGenerator *land, uint32_t levels);

/// Records that a far view has folded all saved chunks: trn_save_note_folded. Call it after
/// keep_flush has returned OK.
void keep_note_folded(Keep *keep, uint32_t levels);

typedef struct KeepStats {
    bool is_file;     ///< changes are stored in a file
    bool is_failing;  ///< as of the last keep_news: writing the file fails, and is retried
    bool is_damaged;  ///< as of the last keep_news: chunks of the file cannot be read
    size_t bytes;     ///< in memory: changed chunks, or the file's write queue
    size_t bytes_max; ///< of the write queue; 0 without a file
} KeepStats;

/// Any thread. Cost: O(1).
KeepStats keep_stats(Keep *keep);

/// Returns a sentence for the player about the file: writing fails, or works again; a part is
/// damaged, cannot be read, or is missing in the far view. Each is reported once.
/// @return false if there is no news
bool keep_news(Keep *keep, Message *news);

/// Returns why the last attempt to write the file failed, or NULL; valid until the next call.
const char *keep_failure(Keep *keep);

/// Returns the save of the world file, for values; NULL without a file.
TrnSave *keep_save(const Keep *keep);

/// Whether the file has levels of detail, as imported worlds have.
bool keep_has_levels(const Keep *keep);

/// Returns the facts of the world in the file; NULL without a file.
const WorldFacts *keep_facts(const Keep *keep);
