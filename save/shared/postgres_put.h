/// Private: writes a batch into the tables of a world. Each batch raises the change of the regions
/// in which it writes or removes chunks of level 0, under a lock of their rows until it commits,
/// and adds a row to terrane_changes that lists these chunks. So changes of a region become visible
/// in their order without gaps, and who has seen one has seen all before it. Regions do not wait
/// for each other.
#ifndef TERRANE_SHARED_POSTGRES_PUT_H
#define TERRANE_SHARED_POSTGRES_PUT_H

#include <terrane/storage.h>

#include "leases.h"

#define TRN_PG_ROWS_MAX 1024u // of a statement

/// A change lists up to this many chunks, as three numbers of 32 bits each, big-endian. One of more
/// chunks lists none: any chunk of the region may have changed.
#define TRN_PG_CHANGE_CHUNKS_MAX 1024u
#define TRN_PG_CHANGE_CHUNK_BYTES 12u

/// Rows of changes that stay, of each region: at least this many of the last ones.
#define TRN_PG_CHANGES_KEPT 256

/// Keys as parameters $1 to $5, and what they mean.
#define TRN_PG_KEYS                                                                                \
    "unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[]) AS k (region, level, x, y, " \
    "z) "
#define TRN_PG_KEY_TYPES TRN_PG_INT8S, TRN_PG_INT4S, TRN_PG_INT4S, TRN_PG_INT4S, TRN_PG_INT4S
#define TRN_PG_KEYS_ARE_EQUAL                                                                      \
    "c.region = k.region AND c.level = k.level AND c.x = k.x AND c.y = k.y AND c.z = k.z"

/// Appends the parameters of keys. @param keys  [count]
void trn_pg_add_keys(TrnPgBytes params[5], const TrnStorageKey *const *keys, size_t count);

/// A row of a batch with what it is sorted by.
typedef struct TrnPgItem {
    int64_t region;
    const TrnStorageRow *row;
} TrnPgItem;

/// A batch in the order in which it is written.
typedef struct TrnPgPut {
    const TrnStorageBatch *batch;
    TrnLeases *leases;
    TrnPgItem *items; ///< [count] the last row of each key, in order
    size_t count;
    int64_t *regions; ///< [region_count] of the rows, in order
    size_t region_count;
    TrnPgRider *rider; ///< NULL: none
} TrnPgPut;

/// @return false without memory; trn_pg_put_end must be called either way
bool trn_pg_put_begin(TrnPgPut *put, const TrnStorageBatch *batch, TrnLeases *leases);
void trn_pg_put_end(TrnPgPut *put);

/// Writes it in one transaction; it may be repeated. @param context  a TrnPgPut
/// @return false with a fault
bool trn_pg_put_write(TrnPgLink *link, void *context);

/// What the channel of a region begins with; its number follows.
#define TRN_PG_CHANNEL "terrane_"

/// Tells all that listen to the channels of some regions. @param teller  the member that does
/// @return false with a fault
bool trn_pg_tell(TrnPgLink *link, const int64_t *regions, size_t count, int64_t teller);

#endif
