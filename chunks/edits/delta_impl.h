/// Private: the form of a delta. delta.c writes it, delta_apply.c reads it.
///
/// A byte TRN_DELTA_VERSION, then records in the order of their chunks (x fastest, then z, then y),
/// then a byte TRN_DELTA_END. A record: its kind; the coordinate's x, y and z less those of the
/// record before (of 0, 0, 0 for the first), as zigzag numbers modulo 2^32. A changed or whole
/// chunk has runs of voxels in linear order: length, voxels left out before it, block; a length of
/// 0 ends them. After the runs comes block data in linear order: an operation, voxels left out
/// since the last one, and for data its size and bytes; TRN_DELTA_DATA_END ends it. All numbers but
/// the first bytes of records and data are LEB128: seven bits a byte, the lowest first.
#ifndef TERRANE_EDITS_DELTA_IMPL_H
#define TERRANE_EDITS_DELTA_IMPL_H

#include <terrane/block_data.h>
#include <terrane/delta.h>

#define TRN_DELTA_VERSION 1u

typedef enum TrnDeltaKind {
    TRN_DELTA_END,
    TRN_DELTA_REMOVED,
    TRN_DELTA_CHANGED,
    TRN_DELTA_WHOLE, ///< its runs cover the chunk, and it has no other data
    TRN_DELTA_KIND_COUNT
} TrnDeltaKind;

typedef enum TrnDeltaData {
    TRN_DELTA_DATA_END,
    TRN_DELTA_DATA_NONE, ///< it is removed
    TRN_DELTA_DATA_RULE, ///< and above: it is set, with the rule less this
    TRN_DELTA_DATA_COUNT = TRN_DELTA_DATA_RULE + TRN_DATA_RULE_COUNT
} TrnDeltaData;

/// Orders coordinates as a delta does: below 0 if `a` comes first, 0 if they are equal.
static inline int trn_delta_compare(TrnCoord a, TrnCoord b)
{
    const int32_t first[3] = {a.y, a.z, a.x}, second[3] = {b.y, b.z, b.x};
    for (int i = 0; i < 3; i++) {
        if (first[i] != second[i]) {
            return first[i] < second[i] ? -1 : 1;
        }
    }
    return 0;
}

#endif
