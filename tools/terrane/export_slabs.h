/// The chunks of a box, three slabs along z at a time, so that the middle one can be meshed. Voxels
/// outside the box are air, so that its sides are closed.
#ifndef TERRANE_TOOL_EXPORT_SLABS_H
#define TERRANE_TOOL_EXPORT_SLABS_H

#include <terrane/block_types.h>
#include <terrane/generator.h>
#include <terrane/mesher.h>
#include <terrane/voxels.h>

#include "export_box.h"

typedef struct ExportSlabs {
    TrnGenerator generator;
    ExportBox box;
    TrnBox chunks;
    TrnVoxelHeap *heap;
    TrnVoxels *voxels[3];              ///< slab z % 3: [rows * columns], x fastest, then y
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< of the chunk being generated
} ExportSlabs;

/// @param types  borrowed
/// @param slabs  receives what export_slabs_destroy frees
/// Errors: NO_MEMORY.
TrnResult export_slabs_create(ExportSlabs **slabs, const ExportBox *box, const TrnBlockTypes *types,
                              TrnGenerator generator);

/// @param slabs  may be NULL
void export_slabs_destroy(ExportSlabs *slabs);

/// Generates a chunk of the box and keeps it until the slab three further on replaces it.
TrnResult export_slabs_load(ExportSlabs *slabs, TrnCoord coord);

/// Fills in `around` and `present` of a mesher's input, from the chunk's slab and the two next to
/// it.
void export_slabs_around(const ExportSlabs *slabs, TrnCoord coord, TrnMeshInput *input);

#endif
