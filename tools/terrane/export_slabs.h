/// The chunks of a box, three slabs along z at a time: what it takes to mesh the one in the middle.
/// What lies outside of the box is air, so that the box's sides are closed.
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
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< the chunk being made
} ExportSlabs;

/// @param types  borrowed
/// @param slabs  receives what export_slabs_destroy frees
/// Errors: NO_MEMORY.
TrnResult export_slabs_create(ExportSlabs **slabs, const ExportBox *box, const TrnBlockTypes *types,
                              TrnGenerator generator);

/// @param slabs  may be NULL
void export_slabs_destroy(ExportSlabs *slabs);

/// Makes a chunk of the box and keeps it until the slab three further on takes its place.
TrnResult export_slabs_load(ExportSlabs *slabs, TrnCoord coord);

/// Fills in around and present of a mesher's input, from the slabs before, at and behind the
/// chunk's.
void export_slabs_around(const ExportSlabs *slabs, TrnCoord coord, TrnMeshInput *input);

#endif
