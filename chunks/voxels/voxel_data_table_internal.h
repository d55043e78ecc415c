/// Private: tables of block data, for the code that records and compares their changes.
///
/// A payload with data names a table: entries in ascending order of their voxels, each of which
/// names a blob of bytes. Payloads share tables and tables share blobs. Both are counted, by the
/// writer alone: readers hold neither, since the payload that they read keeps both.
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
    bool is_own;       ///< in an edit's private table: the table has counted its blob
} TrnDataEntry;

#define TRN_DATA_PARTS 128u ///< of a chunk, of 256 voxels each

/// Never written once a payload names it, except for the counts and links, which are the writer's.
struct TrnDataTable {
    struct TrnDataTable *older, *newer; ///< of the heap, once it is published
    uint32_t refs;                      ///< payloads that name it; 0 while it is private to an edit
    uint32_t retired;                   ///< of these, payloads that only wait for readers
    uint32_t count, capacity;
    uint32_t content_bytes; ///< of the data of all entries, at most TRN_DATA_CHUNK_BYTES_MAX
    bool is_written;        ///< private: entries were set or removed since it was made
    bool has_starts;        ///< `starts` is valid: once it is published
    /// The place of the first entry of each part of the chunk, so that a search begins near its
    /// end.
    uint16_t starts[TRN_DATA_PARTS + 1];
    size_t data_bytes;    ///< of the blobs of all entries, once it is published
    size_t retired_bytes; ///< what the heap counts as retired of it
    TrnDataEntry entries[];
};

/// The table of a snapshot, or NULL if it has no data. It has at least one entry.
const struct TrnDataTable *trn_snapshot_data(TrnSnapshot snapshot);

/// Bytes of a snapshot's data and table.
size_t trn_snapshot_data_bytes(TrnSnapshot snapshot);

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
