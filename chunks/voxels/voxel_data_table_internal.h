/// Private: tables of block data, for the code that records and compares their changes.
///
/// A payload with data names a table. A table names parts, each with the entries of neighbouring
/// voxels in ascending order, and an entry names a blob of bytes. Payloads share tables, the tables
/// of one chunk share parts, and parts share blobs.
///
/// Each part and each blob of a chunk is owned by one table, which frees it: the newest that has
/// it. An edit makes a private table that borrows all parts of the chunk's, and replaces the parts
/// that it writes. Its commit gives it what it borrows. So a replaced table owns just what its
/// successor does not have, and an edit touches no counts of what both share. Payloads, and with
/// them tables, are retired in the order of their edits: a reader that sees a part in an older
/// table keeps its owner, too.
///
/// Only payloads of a table and holders of a blob are counted, by the writer alone.
#ifndef TERRANE_VOXELS_VOXEL_DATA_TABLE_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_DATA_TABLE_INTERNAL_H

#include <terrane/block_data.h>

/// Bytes that are never written again.
typedef struct TrnDataBlob {
    uint32_t refs; ///< of tables and histories
    uint32_t size;
    unsigned char bytes[]; ///< [size]
} TrnDataBlob;

/// The data of one voxel.
typedef struct TrnDataEntry {
    TrnDataBlob *blob; ///< NULL: no data, where an entry stands for a change
    uint16_t index;    ///< linear
    TrnBlock block;    ///< that it belongs to; air if it stays
    uint8_t rule;      ///< TrnDataRule
    bool is_own;       ///< in a part: the blob is released with it. Only the writer reads it
} TrnDataEntry;

/// The most parts of a table. Each has 256 voxels then.
#define TRN_DATA_PARTS_MAX 128u

/// A part divides its voxels into as many runs, so that a search begins near its end. The part of a
/// table with a single one has more.
#define TRN_DATA_RUNS 16u
#define TRN_DATA_SINGLE_RUNS 128u

/// The data of neighbouring voxels, in ascending order.
typedef struct TrnDataPart {
    uint16_t capacity;
    /// Where the entries of each run begin, then their number. The single part of a table has only
    /// the number here.
    uint16_t starts[TRN_DATA_RUNS + 1];
    TrnDataEntry entries[];
} TrnDataPart;

/// How many entries a part has.
static inline uint32_t trn_data_count(const TrnDataPart *part)
{
    return part->starts[TRN_DATA_RUNS];
}

/// Never written once a payload names it, except for what only the writer reads: links, counts of
/// payloads, and who owns what.
struct TrnDataTable {
    struct TrnDataTable *older, *newer; ///< of the heap, once it is published
    uint32_t refs;                      ///< payloads that name it; 0 while it is private to an edit
    uint32_t retired;                   ///< of these, payloads that only wait for readers
    uint32_t count;                     ///< entries of all parts
    uint32_t content_bytes; ///< of the data of all entries, at most TRN_DATA_CHUNK_BYTES_MAX
    uint32_t parts_bytes;   ///< of all parts
    uint8_t part_shift;     ///< part i has the voxels with index >> part_shift == i
    bool is_written;        ///< private: entries were set or removed since it was made
    bool may_be_stale;      ///< private: an entry was set of another block than the voxel has
    bool is_retired;        ///< the heap counts own_bytes as retired
    /// Private: memory for all entries as one part. A commit that removes entries uses it if it
    /// cannot copy their parts.
    struct TrnDataTable *flat;
    size_t own_bytes;                        ///< what is freed with it, once it is published
    uint64_t owned[TRN_DATA_PARTS_MAX / 64]; ///< bit i: part i is freed with it
    /// [TRN_CHUNK_VOXELS >> part_shift] NULL: no entries. Behind a single one: trn_data_starts.
    TrnDataPart *parts[];
};

/// The table of a snapshot, or NULL if it has no data. It has at least one entry.
const struct TrnDataTable *trn_snapshot_data(TrnSnapshot snapshot);

/// Bytes of a snapshot's data and table.
size_t trn_snapshot_data_bytes(TrnSnapshot snapshot);

/// A place among the entries of a table.
typedef struct TrnDataCursor {
    const struct TrnDataTable *table;
    TrnDataEntry *next, *end;   ///< of the part of the last entry
    uint32_t part, first, last; ///< that part, the one after it, and the last one plus one
} TrnDataCursor;

/// The place before the first entry of a table. @param table  NULL: no entries
TrnDataCursor trn_data_first(const struct TrnDataTable *table);

/// The place before the first entry of some parts. @param last  the last of them plus one
TrnDataCursor trn_data_first_of(const struct TrnDataTable *table, uint32_t first, uint32_t last);

/// Steps to the next entry. @return NULL behind the last
static inline TrnDataEntry *trn_data_next(TrnDataCursor *cursor)
{
    while (cursor->next == cursor->end && cursor->first < cursor->last) {
        cursor->part = cursor->first++;
        TrnDataPart *part = cursor->table->parts[cursor->part];
        if (part) {
            cursor->next = part->entries;
            cursor->end = part->entries + trn_data_count(part);
        }
    }
    return cursor->next != cursor->end ? cursor->next++ : NULL;
}

/// Visits the data of a box, in linear order. As trn_snapshot_list_data.
void trn_snapshot_visit_data(TrnSnapshot snapshot, const uint32_t min[3], const uint32_t max[3],
                             void (*visit)(void *user, const TrnBlockData *data), void *user);

/// One voxel whose data differs between two tables.
typedef struct TrnDataChange {
    uint16_t index;
    TrnDataEntry before, after; ///< without a blob: no data
} TrnDataChange;

/// Whether a change changes nothing, as the net effect of several may.
bool trn_data_change_is_none(const TrnDataChange *change);

/// Called for each change, in ascending order. @return anything but OK ends the walk
typedef TrnResult (*TrnDataVisit)(void *user, const TrnDataChange *change);

/// Visits the voxels whose bytes or rules differ. @param before,after  NULL: no data
TrnResult trn_data_compare(const struct TrnDataTable *before, const struct TrnDataTable *after,
                           TrnDataVisit visit, void *user);

/// Holds a blob, or releases it: the last release frees it. @param blob  may be NULL
void trn_data_hold(TrnDataBlob *blob);
void trn_data_release(TrnVoxelHeap *heap, TrnDataBlob *blob);

#endif
