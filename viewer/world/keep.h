/// Where a world's chunks are kept while they are not loaded: in a world file, or in memory.
///
/// Of a file, all chunks that were shown are kept; in memory, only changed ones. A file that may
/// only be read is not written: changes of such a world stay in memory, and are lost with it.
/// A world in a database is shared (terrane/member.h): the owners of its regions write it.
///
/// Threads: one thread at a time, except for the functions of the source.
#ifndef TERRANE_VIEWER_KEEP_H
#define TERRANE_VIEWER_KEEP_H

#include <terrane/block_types.h>
#include <terrane/member.h>
#include <terrane/stream.h>

#include "message.h"
#include "world_file.h"

/// The most bytes of a chunk with up to 16 block types, while it waits to be written.
#define KEEP_CHUNK_BYTES ((size_t)17 * 1024)

typedef struct Keep Keep;

typedef struct KeepDef {
    const char *path;        ///< of the world file; NULL: none, memory alone
    bool is_read_only;       ///< the file must exist, and is not written
    const WorldFacts *facts; ///< of the world, if the file is created
    /// Borrowed; must outlive the keep. Receives placeholders for the file's unknown blocks, so
    /// open the keep before other users of the types.
    TrnBlockTypes *types;
    size_t queue_bytes;        ///< the most that waits to be written to the file; 0: 64 MiB
    const char *player;        ///< name of the player in a shared world; NULL: nameless
    const TrnStorage *storage; ///< instead of a file, for tests; the keep closes it. NULL: none
} KeepDef;

bool keep_open(Keep **keep, const KeepDef *def, Message *problem);

/// Writes what is in the queue, with one try, and closes the file. Destroy the stream first.
/// @param keep  may be NULL
void keep_close(Keep *keep);

/// For TrnStreamDef.source. @param keep  must outlive the stream
TrnStreamSource keep_source(Keep *keep);

/// Joins the world, if it is shared and may be written; else does nothing. Call it before
/// keep_source and keep_fold. What keep_source returns follows others then.
/// @param store  of the world; keep_leave must be called before it is destroyed
bool keep_join(Keep *keep, TrnStore *store, Message *problem);

/// Leaves the world. Destroy the streams first. @param keep  may be NULL
void keep_leave(Keep *keep);

/// Hands what was edited to the world, and takes what others did, once a frame. Does nothing unless
/// the world is shared.
void keep_exchange(Keep *keep);

/// The part in a shared world, for players; NULL: the world is not shared.
TrnMember *keep_member(const Keep *keep);

/// Makes the edits pending again that keep_save_pending stored in the file. Call it once, before
/// the stream is created. Errors: those of trn_save_load_pending.
TrnResult keep_load_pending(Keep *keep, TrnStore *store);

/// Stores the edits of unloaded chunks in the file, with the next transaction. Without a file, and
/// for one that is only read, it does nothing. Errors: those of trn_save_pending.
TrnResult keep_save_pending(Keep *keep, const TrnStore *store);

/// Writes everything that the source was given, and waits for the disk for at most some seconds.
/// @return OK; BUSY if the time is up and writing goes on; otherwise why it failed
TrnResult keep_flush(Keep *keep, double seconds);

/// Makes the levels of detail of what the file was given without them (trn_save_fold), before the
/// streams are created. If that is a lot, it does nothing, and keep_news tells. Without a file, and
/// for one that is only read, it does nothing.
/// @param land    as trn_save_fold
/// @param levels  of the far view
void keep_fold(Keep *keep, const TrnGenerator *land, uint32_t levels);

/// Notes that a far view has folded all that is saved: trn_save_note_folded. Call it after
/// keep_flush has returned OK.
void keep_note_folded(Keep *keep, uint32_t levels);

typedef struct KeepStats {
    bool is_file;     ///< changes are kept in a file
    bool is_failing;  ///< as keep_news found it: the file cannot be written, and is tried again
    bool is_damaged;  ///< as keep_news found it: chunks of the file cannot be read
    size_t bytes;     ///< in memory: of changed chunks, or of what waits to be written to the file
    size_t bytes_max; ///< of what waits for the file; 0 without a file
} KeepStats;

/// Any thread. Cost: O(1).
KeepStats keep_stats(Keep *keep);

/// Takes a sentence for the player about the file: that it cannot be written, that it can again,
/// that a part of it was damaged or cannot be read, or is not seen from afar. Each is reported
/// once.
/// @return false if there is none
bool keep_news(Keep *keep, Message *news);

/// Returns why the last attempt to write the file failed, until the next call; NULL if it did not.
const char *keep_failure(Keep *keep);

/// The save of the world file, for values; NULL without a file.
TrnSave *keep_save(const Keep *keep);

/// Whether the file has levels of detail, as imported worlds do.
bool keep_has_levels(const Keep *keep);

/// What the file says of its world; NULL without a file.
const WorldFacts *keep_facts(const Keep *keep);

#endif
