/// Private: the region files of one dimension of a Minecraft world, and the columns in them.
///
/// A region file (r.X.Z.mca, or r.X.Z.mcr until Minecraft 1.1): 32 x 32 columns in sectors of 4
/// KiB.
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
#ifndef TERRANE_SAVE_IMPORT_ANVIL_FILES_H
#define TERRANE_SAVE_IMPORT_ANVIL_FILES_H

#include <terrane/coord.h>
#include <terrane/storage.h>

#include "base/array.h"
#include "base/coord_map.h"

// ---- one region file ---------------------------------------------------------------------------

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

/// The header of a column's data.
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
/// @param most         bytes, compressed or not; fewer than 4 GiB
/// @param column       receives the bytes; keeps its memory for the next call
/// @param is_cut       receives whether it is CORRUPT only because the data ends early: the column
///                     then has what came before, which may be all of it without its checksum
/// Errors: CORRUPT (it does not decompress, is more than that, or of an unknown
/// compression), NO_MEMORY.
TrnResult trn_region_decompress(uint32_t compression, const void *from, size_t size, size_t most,
                                const TrnAllocator *allocator, TrnBytes *column, bool *is_cut);

/// Memory for zlib. @param user  a TrnAllocator
void *trn_region_zlib_alloc(void *user, unsigned items, unsigned item_bytes);
void trn_region_zlib_free(void *user, void *memory);

// ---- all of a dimension ------------------------------------------------------------------------

/// Regions beyond these are not read: their columns would lie outside the world.
#define TRN_ANVIL_REGION_MAX (INT32_C(1) << 21)

/// A region: its columns are 32 * x to 32 * x + 31.
typedef struct TrnAnvilRegion {
    int32_t x, z;
    bool is_mcr; ///< of McRegion; not read where there is an .mca, which Minecraft made of it
} TrnAnvilRegion;

TRN_ARRAY_DECLARE(TrnAnvilRegions, TrnAnvilRegion);

typedef struct TrnAnvilFiles {
    TrnAllocator allocator;
    char *folder; ///< [folder_bytes] with the region files
    size_t folder_bytes;
    char *only; ///< [only_bytes] the one region file that was asked for; NULL: all of the folder
    size_t only_bytes;
    TrnAnvilRegions regions; ///< in order of z, then x
    TrnCoordMap places;      ///< of regions: {x, 0, z}
} TrnAnvilFiles;

/// A column as it was read.
typedef struct TrnAnvilStored {
    TrnBytes bytes; ///< compressed; keeps its memory for the next read
    uint32_t compression;
} TrnAnvilStored;

/// Whether a path ends as that of a region file.
bool trn_anvil_files_is_name(const char *path);

/// Whether a path is a region file, or a folder with some, or a world's folder.
bool trn_anvil_files_recognise(const char *path);

/// Finds the regions. Nothing but names is read.
/// Errors: NOT_FOUND, NO_MEMORY. Free it then, too.
TrnResult trn_anvil_files_open(TrnAnvilFiles *files, const char *path,
                               const TrnAllocator *allocator);
void trn_anvil_files_free(TrnAnvilFiles *files);

/// Reads which columns a region has. @param has  [TRN_REGION_COLUMNS] by x + 32 * z
/// Errors: CORRUPT, IO.
TrnResult trn_anvil_files_list(const TrnAnvilFiles *files, TrnAnvilRegion region, bool *has);

/// Reads a column's bytes: as many as the file has. Any thread.
/// @param fault  receives a phrase if the column is damaged
/// Errors: NOT_FOUND (no such column), CORRUPT with the fault, NO_MEMORY.
TrnResult trn_anvil_files_read(const TrnAnvilFiles *files, int32_t x, int32_t z,
                               TrnAnvilStored *stored, const char **fault);

#endif
