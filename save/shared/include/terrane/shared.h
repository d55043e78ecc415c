/// Terrane, shared worlds: a storage in a PostgreSQL database that several programs have open, who
/// writes where in it, and work for many machines. docs/shared.md says what is promised.
///
///     trn_storage_open_any("postgresql:///world", TRN_STORAGE_EITHER, &storage, &problem);
///     TrnRegion region = trn_region_of(coord, 0);
///     trn_lease_begin(&storage, "server 3", 10);
///     if (trn_lease_take(&storage, region, false) == TRN_RESULT_OK) // or BUSY: another has it
///     ...
///     trn_lease_renew(&storage); // every few seconds
///
/// Errors of all calls for leases, jobs and operators: BAD_ARGUMENT (also a storage of another
/// kind), NO_MEMORY, and what the storage's put returns; its problem() has the sentence. Threads:
/// any. Cost: a question to the server.
///
/// Tier: experimental.
#ifndef TERRANE_SHARED_H
#define TERRANE_SHARED_H

#include <terrane/storage.h>

TRN_C_BEGIN

// ---- storages ----------------------------------------------------------------------------------

/// Opens a world in a PostgreSQL database, which several programs may have open at once. Each put
/// is one transaction, committed on the server's disk. A connection that breaks is made again for
/// up to 10 s; a put that was under way is then repeated, which changes nothing if it had
/// succeeded. Several writers must write different regions: docs/shared.md.
///
/// A world may have several servers: `url` is then a list of their URLs, with spaces or line ends
/// between, in the order in which the world was made. The hash of a region's column names the
/// server of its chunks; values and jobs are on the first. A batch is a transaction on each server
/// that it touches, the first one's before the others. While a server does not answer, calls that
/// need it fail after some seconds, then at once, and the others go on.
/// @param url      postgresql://server/database or postgresql:///database?host=/folder, as libpq
///                 takes it; the mode's file is the world in that database. Or up to 64 of them
/// @param problem  receives a sentence on failure, without the URL's password; may be NULL
/// Errors: BAD_ARGUMENT, NO_MEMORY, NOT_FOUND and EXISTS by the mode, BUSY (too many connections),
/// CORRUPT (its tables are of another version), IO. BAD_ARGUMENT also if the URLs are not those of
/// all servers of one world in their order. Servers other than the first need not answer, unless
/// the mode may make a world. A call on the storage fails after some 40 s if
/// the server does not answer.
/// Threads: any. Cost: some ms; one connection, and one for each thread that reads at once.
TRN_API TrnResult trn_storage_postgres(const char *url, TrnStorageMode mode, TrnStorage *storage,
                                       TrnStorageProblem *problem);

/// Opens what a name means: a database if it is a URL (trn_storage_is_url), else a file. As
/// trn_storage_postgres and trn_storage_open.
TRN_API TrnResult trn_storage_open_any(const char *name, TrnStorageMode mode, TrnStorage *storage,
                                       TrnStorageProblem *problem);

/// Receives a sentence that a server has remarked without an error, such as a WARNING.
typedef void (*TrnStorageNoticeVisitor)(void *user, const char *sentence);

/// Has a game's log receive what the server of a world remarks, on all connections of the storage
/// and its members. Otherwise nothing does.
/// @param storage  from trn_storage_postgres
/// @param visit    called on any thread that uses the storage; must not call it. NULL: no longer
/// Errors: BAD_ARGUMENT. Threads: any. Cost: O(1).
TRN_API TrnResult trn_storage_postgres_watch_notices(const TrnStorage *storage,
                                                     TrnStorageNoticeVisitor visit, void *user);

// ---- regions -----------------------------------------------------------------------------------

#define TRN_REGION_LEVEL 4   ///< of detail: a chunk of this level is as large as a region
#define TRN_REGION_CHUNKS 16 ///< edge of a region in chunks of level 0

/// A cube of chunks that has one owner: the coordinates of its chunk of TRN_REGION_LEVEL. Regions
/// that are 2^30 voxels apart on an axis have the same owner.
typedef struct TrnRegion {
    int32_t x; ///< in regions
    int32_t y; ///< in regions
    int32_t z; ///< in regions
} TrnRegion;

/// Returns the region of a chunk; of its lowest corner, for levels above TRN_REGION_LEVEL.
TRN_API TrnRegion trn_region_of(TrnCoord coord, uint32_t level);

// ---- leases ------------------------------------------------------------------------------------

/// From now on the storage's put writes rows only in regions that the caller holds. Each put checks
/// its leases in its own transaction; if another has taken one meanwhile, it fails with STALE_ID
/// and changes nothing. A batch of several regions fails as a whole. Values need no lease.
/// @param owner    UTF-8, 1 to 255 bytes, for people; copied
/// @param seconds  0.1 to 3600: for how long a lease holds without trn_lease_renew, by the server's
///                 clock. Afterwards others may take it; until one does, puts go on
/// Errors: BAD_ARGUMENT (also if it was called before), NO_MEMORY.
TRN_API TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds);

/// Takes a region that none holds, or whose lease has expired.
/// @param by_force  also one that another holds: its puts fail from now on
/// Errors: BUSY (another holds it), NO_MEMORY.
TRN_API TrnResult trn_lease_take(const TrnStorage *storage, TrnRegion region, bool by_force);

/// Renews all leases of the storage. Call it several times in the time that they last.
/// Errors: STALE_ID (some were taken by others, and are no longer held; the rest are renewed).
TRN_API TrnResult trn_lease_renew(const TrnStorage *storage);

/// Gives a region back, so that others may take it at once. Does nothing if it is not held.
TRN_API TrnResult trn_lease_give(const TrnStorage *storage, TrnRegion region);

// ---- jobs --------------------------------------------------------------------------------------

/// How far a job is.
typedef struct TrnJobProgress {
    uint64_t done;  ///< regions that are
    uint64_t total; ///< all its regions
    /// Rows of the job that another client wrote and that name no region; none claims them.
    uint64_t unfit;
} TrnJobProgress;

/// Adds regions to a job; those that it has already stay as they are.
/// @param job      its name: UTF-8, 1 to 255 bytes
/// @param regions  [count] whose chunks have coordinates: -2^27 to 2^27 - 1 an axis
TRN_API TrnResult trn_job_add(const TrnStorage *storage, const char *job, const TrnRegion *regions,
                              size_t count);

/// Claims a region of a job that is not done, and that no other process has claimed within the last
/// `seconds`. It skips those that others are claiming at this moment. All processes of a job claim
/// for about the same time.
/// Errors: NOT_FOUND (there is none now; trn_job_progress tells whether all are done).
TRN_API TrnResult trn_job_claim(const TrnStorage *storage, const char *job, double seconds,
                                TrnRegion *region);

/// Claims a region that was claimed for some seconds more, from now on. Call it several times in
/// the time that a claim lasts while the region is being worked on. Does nothing if the region is
/// done or not of the job.
TRN_API TrnResult trn_job_renew(const TrnStorage *storage, const char *job, double seconds,
                                TrnRegion region);

/// Notes that a region is done. Its rows must be put by then.
TRN_API TrnResult trn_job_finish(const TrnStorage *storage, const char *job, TrnRegion region);

/// Counts the regions of a job.
TRN_API TrnResult trn_job_progress(const TrnStorage *storage, const char *job,
                                   TrnJobProgress *progress);

/// Forgets a job with all its regions. Afterwards its progress is 0 of 0.
TRN_API TrnResult trn_job_remove(const TrnStorage *storage, const char *job);

// ---- for operators -----------------------------------------------------------------------------

/// What goes on in a world. Figures that a server does not tell this user are 0.
typedef struct TrnSharedStatus {
    uint64_t regions;       ///< that were ever changed
    uint64_t changes;       ///< of all regions together: two calls give a rate
    uint64_t leases;        ///< regions that have an owner now
    uint64_t waiting;       ///< edits that wait for the owner of their region
    uint64_t waiting_bytes; ///< of these
    uint64_t answered;      ///< edits whose answers have not been dropped
    uint64_t players;       ///< whose places are in the database
    uint64_t jobs_open;     ///< regions of jobs that are not done
    uint64_t jobs_done;     ///< regions of jobs that are done
    uint64_t connections;   ///< to the database, of any program
    uint64_t chunks;        ///< as the server estimates
    uint64_t bytes;         ///< of all tables of the world, with their indexes
    uint64_t standbys;      ///< servers that follow this one
    uint64_t lag_bytes;     ///< of the log, that the last of them has not got
    uint64_t log_bytes;     ///< of the log, since the server was made: two calls give a rate
} TrnSharedStatus;

/// A server of a world.
typedef struct TrnSharedServer {
    uint32_t number;        ///< which it is, from 1
    uint32_t count;         ///< of how many
    char name[128];         ///< its URL without user, password and options; its number before it
    char problem[512];      ///< why it does not answer; empty: it does
    TrnSharedStatus status; ///< its figures; all 0 if it does not answer
} TrnSharedServer;

/// A region that has an owner, or edits that wait for one.
typedef struct TrnSharedRegion {
    TrnRegion region;     ///< where
    uint64_t change;      ///< how many it had
    char owner[256];      ///< UTF-8, as that program names itself; empty: none
    double lease_seconds; ///< that its lease lasts from now on; 0: it has none
    uint64_t waiting;     ///< edits
} TrnSharedRegion;

/// A program that is connected.
typedef struct TrnSharedConnection {
    char name[64];    ///< application_name of its URL, or "terrane"
    char address[64]; ///< of its machine; empty: a Unix socket, or not told to this user
    uint64_t count;   ///< of connections with this name and address
} TrnSharedConnection;

/// Receives what is listed, valid until it returns. @return false to stop
typedef bool (*TrnSharedRegionVisitor)(void *user, const TrnSharedRegion *region);

/// Likewise.
typedef bool (*TrnSharedServerVisitor)(void *user, const TrnSharedServer *server);

/// Likewise.
typedef bool (*TrnSharedConnectionVisitor)(void *user, const TrnSharedConnection *connection);

/// Reads what goes on, on all servers together. The right to read the tables is enough. Like the
/// lists below, it leaves out servers that do not answer, unless none does.
TRN_API TrnResult trn_shared_status(const TrnStorage *storage, TrnSharedStatus *status);

/// Lists the servers in their order, also those that do not answer.
TRN_API TrnResult trn_shared_servers(const TrnStorage *storage, TrnSharedServerVisitor visit,
                                     void *user);

/// Lists regions, server by server, those with most waiting edits first; at most 1,000.
TRN_API TrnResult trn_shared_regions(const TrnStorage *storage, TrnSharedRegionVisitor visit,
                                     void *user);

/// Lists programs by name. None on a server that does not tell.
TRN_API TrnResult trn_shared_connections(const TrnStorage *storage,
                                         TrnSharedConnectionVisitor visit, void *user);

TRN_C_END
#endif
