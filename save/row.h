/// Private: the format of a row: the voxels of one chunk, checked and compressed.
///
/// All numbers are little-endian. Offsets in bytes:
///
///      0  magic          "TRNC"
///      4  format         uint16: 1, or TRN_ROW_FORMAT if there is block data
///      6  level          uint8, of detail
///      7  bits           uint8, bits a voxel: 0 (uniform), 1, 2, 4, 8 or 16
///      8  x, y, z        int32 each
///     20  palette_count  uint16: 1 for a uniform chunk, 2..256, 0 with 16 bits
///     22  reserved       uint16, 0
///     24  revision       uint64, of the save
///     32  checksum       uint64, XXH3 of all bytes from 48 on, seeded with the XXH3 of the first
///     48
///                        with a checksum of 0
///     40  stored_bytes   uint32, of the content as stored
///     44  content_bytes  uint32, of the content decompressed
///     48  content        a zstd frame of: palette [palette_count] uint16, ids of the world; voxels
///                        [512 * bits] uint64, voxel i in bits [i * bits, (i + 1) * bits): its
///                        palette entry, or its id with 16 bits; then sections, each an uint32
///                        tag, an uint32 size and its bytes
///
/// A version skips sections that it does not know, and drops them when it saves the chunk, whose
/// voxels may differ by then. A section that must not be lost comes with a later TRN_SAVE_FORMAT:
/// "DATA", with 2.
///
/// The section "DATA" has block data. Entries in ascending order of their voxels, without
/// gaps; all numbers are little-endian:
///
///     index  uint16, linear index of the voxel
///     rule   uint16, TrnDataRule
///     size   uint32, of the bytes that follow
///
/// Data that goes with its block belongs to the block that the row has there.
///
/// A row says where it belongs and ends where it says, so repair finds rows in a broken file.
#ifndef TERRANE_SAVE_ROW_H
#define TERRANE_SAVE_ROW_H

#include <terrane/block_data.h>
#include <terrane/storage.h>
#include <terrane/voxels.h>

#include "voxels/voxel_read_internal.h"

#define TRN_ROW_MAGIC UINT32_C(0x434E5254) // "TRNC"
#define TRN_ROW_FORMAT 2
#define TRN_ROW_FORMAT_PLAIN 1 ///< without block data
#define TRN_ROW_HEADER_BYTES 48
#define TRN_ROW_DATA_TAG UINT32_C(0x41544144) // "DATA"
#define TRN_ROW_DATA_ENTRY_BYTES 8
/// The most that the section may have.
#define TRN_ROW_DATA_MAX                                                                           \
    ((size_t)TRN_DATA_VOXELS_MAX * TRN_ROW_DATA_ENTRY_BYTES + TRN_DATA_CHUNK_BYTES_MAX)
#define TRN_ROW_VOXELS_MAX sizeof(TrnBlock[TRN_CHUNK_VOXELS]) ///< packed, of 16 bits
/// The most that content without block data may be: voxels, palette and sections.
#define TRN_ROW_CONTENT_PLAIN_MAX ((size_t)1 << 20)
/// The most that content may be. Limits what a row makes us allocate.
#define TRN_ROW_CONTENT_MAX (TRN_ROW_CONTENT_PLAIN_MAX + TRN_ROW_DATA_MAX)

/// A chunk's voxels, packed in one width, and its block data.
typedef struct TrnRowVoxels {
    uint32_t bits;           ///< 0, 1, 2, 4, 8 or 16
    uint32_t palette_count;  ///< as in the row
    const TrnBlock *palette; ///< [palette_count]
    const uint64_t *words;   ///< [512 * bits]
    const void *data;        ///< [data_bytes] the section "DATA"
    size_t data_bytes;       ///< 0: no data
} TrnRowVoxels;

/// Describes packed voxels without block data. Valid as long as they are.
static inline TrnRowVoxels trn_row_packed(TrnPackedVoxels packed)
{
    return (TrnRowVoxels){.bits = packed.bits,
                          .palette_count = packed.palette_count,
                          .palette = packed.palette,
                          .words = packed.words};
}

/// Describes the block data of a snapshot, and nothing else of it.
/// @param voxels  give its data back, [data_bytes], to the allocator
/// Errors: NO_MEMORY.
TrnResult trn_row_describe_data(TrnSnapshot snapshot, const TrnAllocator *allocator,
                                TrnRowVoxels *voxels);

/// Packs the blocks of a snapshot. Valid as long as the packer.
TrnRowVoxels trn_row_pack(TrnSnapshot snapshot, TrnVoxelPacker *packer);

/// Memory to encode and decode with. For one thread at a time.
typedef struct TrnRowCoder TrnRowCoder;

/// What is wrong with a row.
typedef enum TrnRowFault {
    TRN_ROW_FAULT_NONE,
    TRN_ROW_FAULT_SIZE,     ///< its size is not what it says
    TRN_ROW_FAULT_MAGIC,    ///< it is no row
    TRN_ROW_FAULT_NEWER,    ///< a later format
    TRN_ROW_FAULT_PLACE,    ///< it belongs to another coordinate or level
    TRN_ROW_FAULT_CHECKSUM, ///< its bytes changed
    TRN_ROW_FAULT_FRAME,    ///< its content does not decompress
    TRN_ROW_FAULT_CONTENT,  ///< palette, voxels or sections are not as documented
    TRN_ROW_FAULT_COUNT
} TrnRowFault;

/// Returns the fault as a phrase: "its checksum is wrong".
const char *trn_row_fault_text(TrnRowFault fault);

/// @param zstd_level  of compression
/// @return NULL if there is no memory
TrnRowCoder *trn_row_coder_create(const TrnAllocator *allocator, int zstd_level);
void trn_row_coder_destroy(TrnRowCoder *coder);

/// Encodes a chunk.
/// @param world_ids  [65536] the world's id of each block of the voxels
/// @param row        receives the row, in the coder's memory until the next call
/// Errors: NO_MEMORY.
TrnResult trn_row_encode(TrnRowCoder *coder, TrnStorageKey key, uint64_t revision,
                         const TrnRowVoxels *voxels, const uint16_t *world_ids, TrnStorageRow *row);

/// Sets the checksum of a row whose other bytes are final.
/// @param row  [size] at least TRN_ROW_HEADER_BYTES
void trn_row_seal(unsigned char *row, size_t size);

/// What the header of a row says.
typedef struct TrnRowHeader {
    TrnStorageKey key;
    uint64_t revision;
    uint32_t format;
    uint32_t bits, palette_count, stored_bytes, content_bytes;
} TrnRowHeader;

/// Checks a row except for its content. Any bytes are safe.
/// @param key  where it was found; NULL: anywhere
TrnRowFault trn_row_check(const void *bytes, size_t size, const TrnStorageKey *key,
                          TrnRowHeader *header);

/// Decodes a row. Any bytes are safe.
/// @param blocks_of  [65536] the block of each id of the world; UINT32_MAX: no such id
/// @param blocks     [TRN_CHUNK_VOXELS]; blocks[0] alone if uniform
/// Errors: CORRUPT with the fault, NO_MEMORY. Blocks are then undefined.
TrnResult trn_row_decode(TrnRowCoder *coder, const TrnStorageRow *row,
                         const _Atomic(uint32_t) *blocks_of, TrnBlock *blocks, bool *uniform,
                         TrnRowFault *fault);

/// Returns the section of block data of the row that was decoded last, in the coder's memory until
/// its next call. @param size  receives its bytes; 0: there is none
const unsigned char *trn_row_data(const TrnRowCoder *coder, size_t *size);

/// Bytes of the section for a chunk's data. @param data  [count] as trn_snapshot_list_data
size_t trn_row_data_bytes(const TrnBlockData *data, uint32_t count);

/// Writes the section. @param bytes  [trn_row_data_bytes]
void trn_row_data_write(const TrnBlockData *data, uint32_t count, unsigned char *bytes);

/// Whether a section is as documented. Any bytes are safe.
bool trn_row_data_is_valid(const unsigned char *bytes, size_t size);

/// Gives the data of a valid section to a sink. @param sink  NULL: does nothing
/// Errors: those of the sink, which end it.
TrnResult trn_row_data_read(const unsigned char *bytes, size_t size, const TrnDataSink *sink);

/// Writes the voxels of a packed chunk as blocks.
/// @param block_of  [palette_count] the block of each entry
/// @return false if a voxel has an entry that the palette lacks. Not for 0 or 16 bits.
bool trn_row_unpack(uint32_t bits, const unsigned char *words, const TrnBlock *block_of,
                    uint32_t palette_count, TrnBlock *blocks);

#endif
