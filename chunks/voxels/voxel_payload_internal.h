/// Private: the parts of a payload (terrane/private/payload.h) that no inline function of a public
/// header reads, and the heap's part of its header. For voxels alone; other parts read through
/// voxel_read_internal.h.
#ifndef TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H
#define TERRANE_VOXELS_VOXEL_PAYLOAD_INTERNAL_H

#include <assert.h>

#include <terrane/voxels.h>

#include "base/retire.h"
#include "index/chunk_index_internal.h"

/// TrnPayload.code_version. A code (trn_voxels_code) is a payload with a palette.
#define TRN_VOXEL_CODE_VERSION 1

/// Returns the payload of a snapshot that is not uniform. Valid as long as the snapshot.
static inline const TrnPayload *trn_snapshot_payload(TrnSnapshot snapshot)
{
    return trn_word_payload(snapshot.word);
}

/// The content of TrnPayload.owner.
typedef struct TrnPayloadOwner {
    TrnRetireLink link;        ///< used once the payload is retired; readers ignore it
    struct TrnDataTable *data; ///< block data; NULL: none
    TrnPoolId slot;            ///< memory of the payload, in the pool of its size class
} TrnPayloadOwner;

static_assert(sizeof(TrnPayloadOwner) <= sizeof(uint64_t[5]), "the header holds the owner");

static inline TrnPayloadOwner *trn_payload_owner(TrnPayload *payload)
{
    return (TrnPayloadOwner *)(void *)payload->owner;
}

static inline const TrnPayloadOwner *trn_payload_owner_const(const TrnPayload *payload)
{
    return (const TrnPayloadOwner *)(const void *)payload->owner;
}

/// Lines that every payload has, without their taking memory: a mask without bits, and one with
/// all.
#define TRN_LINE_EMPTY 0
#define TRN_LINE_FULL 1
#define TRN_LINES_SHARED 2

/// The shared lines.
extern TRN_API const uint32_t trn_payload_lines[TRN_LINES_SHARED][TRN_HALF_ROWS];

/// Returns the rows of a mask's line. @return [TRN_HALF_ROWS]
static inline const uint32_t *trn_payload_line(const TrnPayload *payload, uint32_t line)
{
    const void *from =
        line < TRN_LINES_SHARED ? (const void *)trn_payload_lines : (const void *)payload;
    return (const uint32_t *)(const void *)((const unsigned char *)from +
                                            (size_t)line * TRN_PAYLOAD_LINE);
}

/// Returns the palette: each block of the chunk once, and possibly blocks that no longer occur.
/// @return [palette_count]
static inline const TrnBlock *trn_payload_palette(const TrnPayload *payload)
{
    return trn_payload_luts(payload) + (size_t)payload->palette_lut * TRN_PAYLOAD_LUT_STEP;
}

/// Returns the palette's entries of the luts, if there is a palette. @return [lut_ids]
static inline const uint8_t *trn_payload_lut_entries(const TrnPayload *payload)
{
    return (const uint8_t *)(trn_payload_luts(payload) + payload->lut_ids);
}

/// The voxels of a half-layer that is not one block, from a row on.
static inline const unsigned char *trn_payload_fields(const TrnPayload *payload, TrnHalf half,
                                                      uint32_t row)
{
    return (const unsigned char *)payload + (size_t)half.fields * TRN_PAYLOAD_LINE +
           (size_t)(row % TRN_HALF_ROWS) * half.bits * (TRN_CHUNK_EDGE / 8);
}

struct TrnVoxelKernels;

/// Fills whole rows with one block. @param count  voxels, a multiple of 32
static inline void trn_fill_blocks(TrnBlock *blocks, size_t count, TrnBlock block)
{
    TrnBlock row[TRN_CHUNK_EDGE];
    for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        row[x] = block;
    }
    for (size_t i = 0; i < count; i += TRN_CHUNK_EDGE) {
        memcpy(blocks + i, row, sizeof row);
    }
}

/// Decodes some rows, at least one. @param blocks  [count * 32]
void trn_payload_decode(const TrnPayload *payload, const struct TrnVoxelKernels *kernels,
                        uint32_t row, uint32_t count, TrnBlock *blocks);

/// Writes the palette's entries of some rows, if there is a palette. @param entries  [count * 32]
void trn_payload_entries(const TrnPayload *payload, const struct TrnVoxelKernels *kernels,
                         uint32_t row, uint32_t count, uint8_t *entries);

/// Finds the number of a block in a half-layer's list, which may be longer than what occurs.
/// @param half  not of 16 bits
/// @return 1 << half.bits, the numbers that there are: the list lacks it
uint32_t trn_payload_find_number(const TrnPayload *payload, TrnHalf half, TrnBlock block);

/// Whether one block can be written in place: its half-layer lists it, and has the lines that its
/// masks need.
/// @param is_solid,is_opaque  of the block
/// @param number              receives its number
bool trn_payload_can_put(const TrnPayload *payload, uint32_t index, TrnBlock block, bool is_solid,
                         bool is_opaque, uint32_t *number);

/// Writes one block in place, into a payload that nobody reads yet. Arguments as
/// trn_payload_can_put, which was true.
/// @return false: the half-layer may be smaller, and its bits in the header are not exact any more
bool trn_payload_put(TrnPayload *payload, uint32_t index, uint32_t number, bool is_solid,
                     bool is_opaque);

/// The bytes of a payload.
static inline size_t trn_payload_bytes(const TrnPayload *payload)
{
    return (size_t)payload->line_count * TRN_PAYLOAD_LINE;
}

#endif
