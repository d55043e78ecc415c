/// Private: a region file of Minecraft (r.X.Z.mca): 32 x 32 columns in sectors of 4 KiB.
///
///        0  locations   [1024] of 4 bytes: the first sector of the column (3 bytes, big-endian)
///                       and how many; 0: no column. Column x, z at index x + 32 * z
///     4096  times       not read
///     8192  sectors     a column begins with its size (4 bytes, big-endian, with the byte that
///                       follows) and its compression; 128 added: the data is in a file of its own
///                       (c.X.Z.mcc, without such a head)
///
/// Compression 4 is the stream of lz4-java's LZ4BlockOutputStream: blocks of "LZ4Block", a byte
/// (16: stored, 32: LZ4; and the exponent of the block size above 1 KiB), the sizes compressed and
/// not, and XXH32 of the data in 28 bits, all little-endian. A block of 0 bytes ends it.
#ifndef TERRANE_SAVE_IMPORT_REGION_H
#define TERRANE_SAVE_IMPORT_REGION_H

#include <stdbool.h>

#include <terrane/base.h>

#include "base/array.h"

#define TRN_REGION_SECTOR_BYTES 4096
#define TRN_REGION_EDGE 32 ///< columns along each side
#define TRN_REGION_COLUMNS (TRN_REGION_EDGE * TRN_REGION_EDGE)
#define TRN_REGION_HEAD_BYTES 5 ///< in front of a column's data
/// The most that a column may be, compressed or not. Limits what a file makes us allocate.
#define TRN_REGION_COLUMN_MAX ((size_t)32 << 20)

/// How a column is compressed.
typedef enum TrnRegionCompression {
    TRN_REGION_GZIP = 1,
    TRN_REGION_ZLIB = 2,
    TRN_REGION_NONE = 3,
    TRN_REGION_LZ4 = 4
} TrnRegionCompression;

/// What stands in front of a column's data.
typedef struct TrnRegionHead {
    uint32_t size; ///< of the data in this file, without the head
    uint8_t compression;
    bool is_external; ///< the data is in a file of its own
} TrnRegionHead;

/// Bytes that grow. Freed with trn_array_free.
TRN_ARRAY_DECLARE(TrnBytes, unsigned char);

/// Reads a column's location. @return where its head is; 0: the region does not have the column
uint64_t trn_region_location(const unsigned char location[4]);

/// Reads the head of a column. @return false if it is none
bool trn_region_head(const unsigned char head[TRN_REGION_HEAD_BYTES], TrnRegionHead *out);

/// Decompresses a column.
/// @param compression  as in its head
/// @param column       receives the bytes; keeps its memory for the next call
/// Errors: CORRUPT (it does not decompress, is more than TRN_REGION_COLUMN_MAX, or of an unknown
/// compression), NO_MEMORY.
TrnResult trn_region_decompress(uint32_t compression, const void *from, size_t size,
                                const TrnAllocator *allocator, TrnBytes *column);

#endif
