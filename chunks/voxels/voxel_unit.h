/// Private: the half-layers that an edit changes. Each is kept as in a payload, so that neither
/// opening it nor drafting it looks at blocks: bits of two blocks, or numbers of a list of blocks.
#ifndef TERRANE_VOXELS_VOXEL_UNIT_H
#define TERRANE_VOXELS_VOXEL_UNIT_H

#include "voxel_kernels.h"
#include "voxel_payload_internal.h"
#include "voxels_internal.h"

/// Opens a half-layer of a payload.
void trn_unit_open(TrnVoxelUnit *unit, const TrnPayload *payload, const TrnVoxelKernels *kernels,
                   uint32_t half);

static inline TrnBlock trn_unit_get(const TrnVoxelUnit *unit, uint32_t at)
{
    return unit->form == TRN_UNIT_NUMBERS ? unit->list[unit->numbers[at]]
           : unit->form == TRN_UNIT_PAIR
               ? unit->list[unit->rows[at / TRN_CHUNK_EDGE] >> at % TRN_CHUNK_EDGE & 1]
               : unit->blocks[at];
}

/// Returns whether a block can be written without adding it to the list. If the list has it, it
/// becomes unit->last.
bool trn_unit_lists(TrnVoxelUnit *unit, TrnBlock block);

/// Writes unit->last, or any block where there is no list. @return whether it was another
static inline bool trn_unit_put(TrnVoxelUnit *unit, uint32_t at, TrnBlock block)
{
    const bool is_other = trn_unit_get(unit, at) != block;
    if (unit->form == TRN_UNIT_NUMBERS) {
        unit->numbers[at] = unit->last_number;
    } else if (unit->form == TRN_UNIT_PAIR) {
        unit->rows[at / TRN_CHUNK_EDGE] ^= (uint32_t)is_other << at % TRN_CHUNK_EDGE;
    } else {
        unit->blocks[at] = block;
    }
    unit->is_changed |= is_other;
    return is_other;
}

/// Writes one block to some voxels. @param first  0..511
void trn_unit_fill(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, uint32_t first,
                   uint32_t count, TrnBlock block);

/// Writes one block to the voxels that have a bit. @param rows  [TRN_HALF_ROWS]
void trn_unit_fill_mask(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, const uint32_t *rows,
                        TrnBlock block);

/// Writes blocks to as many voxels. @param blocks  [count]
void trn_unit_write(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, uint32_t first,
                    const TrnBlock *blocks, uint32_t count);

/// Writes `to` to the voxels that are `from`.
void trn_unit_replace(TrnVoxelUnit *unit, const TrnVoxelKernels *kernels, TrnBlock from,
                      TrnBlock to);

/// Decodes all voxels. @param blocks  [TRN_PAYLOAD_HALF_VOXELS]
void trn_unit_decode(const TrnVoxelUnit *unit, TrnBlock *blocks);

#endif
