/// Terrane, storage: the interface beneath a save. A storage keeps rows of bytes by level and chunk
/// coordinate, and values by name; it does not know what they mean.
///
/// Two storages come with the library: an SQLite database in a file (trn_storage_sqlite) and memory
/// (trn_storage_memory). terrane/shared.h has a third, a PostgreSQL database that several programs
/// share. A game can provide its own: examples/own_storage.c.
///
/// Threads: get, list and values are called by any number of threads at once, put by one thread at
/// a time, concurrently with them. What put has written when it returns, a later call reads.
///
/// Tier: stable.
#ifndef TERRANE_STORAGE_H
#define TERRANE_STORAGE_H

#include <stdbool.h>

#include <terrane/base.h>
#include <terrane/coord.h>

TRN_C_BEGIN

/// Bytes in a value's name, without the zero at its end.
#define TRN_STORAGE_NAME_MAX 255

/// What a row is found by.
typedef struct TrnStorageKey {
    TrnCoord coord; ///< of the chunk
    uint32_t level; ///< of detail: the chunk covers 32 << level voxels an axis
} TrnStorageKey;

/// The bytes of one chunk.
typedef struct TrnStorageRow {
    TrnStorageKey key; ///< what it is found by
    /// Of the save when it wrote the row, 1..2^62: later rows have higher ones.
    uint64_t revision;
    const void *bytes; ///< [size]; NULL in a batch: the row is removed
    size_t size;
} TrnStorageRow;

/// Bytes with a name.
typedef struct TrnStorageValue {
    const char *name;  ///< UTF-8, at most TRN_STORAGE_NAME_MAX bytes
    const void *bytes; ///< [size]; NULL in a batch: the value is removed
    size_t size;
} TrnStorageValue;

/// What is written together.
typedef struct TrnStorageBatch {
    const TrnStorageRow *rows;     ///< [row_count] each replaces the row of its key
    size_t row_count;              ///< rows
    const TrnStorageValue *values; ///< [value_count] each replaces the value of its name
    size_t value_count;            ///< values
    /// How many values, the last ones, are new: if one of their names has a value, the batch fails
    /// with EXISTS and changes nothing. The library's storages look in the transaction itself. A
    /// storage that one process alone writes need not look.
    size_t new_value_count;
} TrnStorageBatch;

/// Which rows to list.
typedef struct TrnStorageRange {
    uint32_t level; ///< of detail
    TrnBox box;     ///< of chunk coordinates of that level, both corners inclusive
    uint64_t since; ///< only rows of later revisions; 0: all
} TrnStorageRange;

/// Receives a row, valid until it returns. It must not call the storage.
/// @return false to stop
typedef bool (*TrnStorageRowVisitor)(void *user, const TrnStorageRow *row);

/// Receives a value, as TrnStorageRowVisitor.
typedef bool (*TrnStorageValueVisitor)(void *user, const TrnStorageValue *value);

/// A place for rows and values. All zeroes is no storage.
typedef struct TrnStorage {
    /// Reads rows by key, in any order; keys without a row are left out.
    /// @param keys  [count]
    TrnResult (*get)(void *user, const TrnStorageKey *keys, size_t count,
                     TrnStorageRowVisitor visit, void *visitor);
    /// Reads the rows of a range, in any order.
    TrnResult (*list)(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                      void *visitor);
    /// Reads the values whose names begin with a prefix, in order of their names.
    TrnResult (*values)(void *user, const char *prefix, TrnStorageValueVisitor visit,
                        void *visitor);
    /// Writes a batch in one transaction: all of it or, with any result except OK, nothing. When it
    /// returns OK, the batch survives a loss of power.
    TrnResult (*put)(void *user, const TrnStorageBatch *batch);
    /// Returns a number that changes after another process has written. NULL: no other writes.
    uint64_t (*watch)(void *user);
    /// Writes a sentence about the last failure on this storage into `text`. NULL: there is only
    /// the result.
    void (*problem)(void *user, char *text, size_t capacity);
    /// Frees the storage.
    void (*close)(void *user);
    void *user; ///< passed to every function
    /// How many keys a call of get should have if there are as many to read: more than 1 for a
    /// storage that answers one call about many keys sooner than a call for each, such as a server.
    /// 0: a call for each, as suits a file.
    size_t batch_keys;
} TrnStorage;

/// A problem with a file, as a sentence for people.
typedef struct TrnStorageProblem {
    char sentence[512]; ///< what is wrong and what to do
} TrnStorageProblem;

/// Watches long work, and may stop it.
typedef struct TrnStorageProgress {
    /// @param total  steps of the whole work; 0: unknown
    /// @return false to stop: the work then fails with IO and leaves everything as it was
    bool (*step)(void *user, uint64_t done, uint64_t total);
    void *user; ///< passed to it
} TrnStorageProgress;

/// How to open an SQLite storage.
typedef enum TrnStorageMode {
    TRN_STORAGE_OPEN,     ///< an existing file
    TRN_STORAGE_CREATE,   ///< a new file; EXISTS if there is one that is not empty
    TRN_STORAGE_EITHER,   ///< an existing file, or a new one
    TRN_STORAGE_READ_ONLY ///< an existing file, which others may write meanwhile
} TrnStorageMode;

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
TRN_API TrnResult trn_storage_sqlite(const char *path, TrnStorageMode mode, TrnStorage *storage,
                                     TrnStorageProblem *problem);

/// Whether a program has the file of an SQLite storage open for writing. False also if the file
/// cannot be read.
/// Threads: any. Cost: O(1).
TRN_API bool trn_storage_sqlite_is_in_use(const char *path);

/// Whether a name begins with postgresql:// or postgres://.
TRN_API bool trn_storage_is_url(const char *name);

/// Opens a world in a file: trn_storage_sqlite, which refuses the URL of a database with a sentence
/// (terrane/shared.h opens both). As trn_storage_sqlite; BAD_ARGUMENT also for a URL.
TRN_API TrnResult trn_storage_open(const char *name, TrnStorageMode mode, TrnStorage *storage,
                                   TrnStorageProblem *problem);

/// A file that appears under its name when it is complete.
typedef struct TrnStoragePart TrnStoragePart;

/// Creates an empty file under a name of its own, `.terrane-tmp-` and 16 digits, in the folder
/// where a file is to appear. An SQLite storage can be created in it.
/// @param path     UTF-8; must not exist. Symbolic links are followed
/// @param part     receives the file; trn_storage_part_end frees it
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO.
TRN_API TrnResult trn_storage_part_begin(const char *path, TrnStoragePart **part,
                                         TrnStorageProblem *problem);

/// Returns the path to write to. Valid until the part ends.
TRN_API const char *trn_storage_part_path(const TrnStoragePart *part);

/// Syncs the file and gives it its name, or removes it if the result is not OK. What wrote the file
/// must have closed it. If several parts want one name, the first to end gets it.
/// @param result   of what wrote the file
/// @param problem  receives a sentence on failure; one that is in it already names the part's path
///                 from now on; may be NULL
/// @return the result, EXISTS (the name is taken) or IO; no file is left then
TRN_API TrnResult trn_storage_part_end(TrnStoragePart *part, TrnResult result,
                                       TrnStorageProblem *problem);

/// Moves the file of an SQLite storage to another name or folder of its file system, which must be
/// free, while its lock keeps others from opening it for writing. What its log has is in the file
/// then, so nothing of it stays behind. Both folders are synced.
/// @param path     UTF-8; a file, not a symbolic link to one
/// @param to       UTF-8; must not exist
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: those of trn_storage_sqlite with TRN_STORAGE_OPEN, and EXISTS; nothing is moved then.
/// Threads: any. Cost: some ms, and the size of the log.
TRN_API TrnResult trn_storage_sqlite_move(const char *path, const char *to,
                                          TrnStorageProblem *problem);

/// Copies an SQLite storage to a new file while it is in use. The copy is on the disk when this
/// returns.
/// @param storage   from trn_storage_sqlite
/// @param path      UTF-8; must not exist. It appears when it is complete (trn_storage_part_begin)
/// @param progress  may be NULL
/// Errors: BAD_ARGUMENT, EXISTS, NO_MEMORY, IO; no file is left then.
/// Threads: any. Puts go on meanwhile.
TRN_API TrnResult trn_storage_sqlite_backup(const TrnStorage *storage, const char *path,
                                            const TrnStorageProgress *progress,
                                            TrnStorageProblem *problem);

/// Receives a sentence of SQLite's about a part of the file that is out of order.
typedef void (*TrnStorageFaultVisitor)(void *user, const char *sentence);

/// Checks that the database of an SQLite storage is in order, apart from what the rows hold.
/// @param progress  may be NULL
/// @param visit     called once for each fault, at most 1,000 times
/// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT (it is too damaged to be checked).
/// Threads: any. Puts go on meanwhile. Cost: reads the whole file.
TRN_API TrnResult trn_storage_sqlite_check(const TrnStorage *storage,
                                           const TrnStorageProgress *progress,
                                           TrnStorageFaultVisitor visit, void *visitor);

/// Has an SQLite storage ask a progress, while it reads, whether it may go on; otherwise only
/// visitors stop it, and a broken or hostile file can make it search for minutes between two rows.
/// @param storage   from trn_storage_sqlite; nothing reads it now
/// @param progress  copied; called on any thread that reads. A read that it stops fails with IO
/// Errors: BAD_ARGUMENT. Threads: none other may use the storage.
TRN_API TrnResult trn_storage_sqlite_watch_reads(const TrnStorage *storage,
                                                 TrnStorageProgress progress);

/// Counts the invalid rows of an SQLite storage: their level is above 12, their coordinate lies
/// outside the world, their revision is above 2^62, or they have no bytes. Other calls skip some of
/// these rows. A world has such rows only if another program has written it.
/// @param storage  from trn_storage_sqlite
/// Errors: BAD_ARGUMENT, NO_MEMORY, IO, CORRUPT. Threads: any. Cost: O(rows).
TRN_API TrnResult trn_storage_sqlite_count_strays(const TrnStorage *storage, uint64_t *count);

/// Packs an SQLite storage: gives the space of removed rows back to the disk, and puts rows in
/// order. Needs twice the file's size of free space meanwhile.
/// @param storage   from trn_storage_sqlite, opened for writing
/// @param progress  may be NULL; `total` is unknown
/// Errors: BAD_ARGUMENT, NO_MEMORY, BUSY, IO (the disk is full); the file is then as it was.
/// Threads: as put.
TRN_API TrnResult trn_storage_sqlite_compact(const TrnStorage *storage,
                                             const TrnStorageProgress *progress,
                                             TrnStorageProblem *problem);

/// Creates an empty storage in memory, for tests and for worlds that need not last.
/// @param allocator  copied; NULL means malloc. Called under the storage's lock.
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_storage_memory(const TrnAllocator *allocator, TrnStorage *storage);

TRN_C_END
#endif
