/// Private: a box of voxels that goes out: for each voxel an index of a palette, and for each entry
/// of it the block. Air is entry 0.
#ifndef TERRANE_SAVE_IMPORT_SCHEMATIC_BOX_H
#define TERRANE_SAVE_IMPORT_SCHEMATIC_BOX_H

#include <terrane/schematic.h>

#include "base/array.h"

#include "contents.h"

#define TRN_OUT_PALETTE_MAX 65536

typedef struct TrnOutEntry {
    TrnBlock block;
    bool is_upper; ///< of a door; the entry before it is the lower half
    bool is_door;
    uint64_t voxels;
} TrnOutEntry;

TRN_ARRAY_DECLARE(TrnOutEntries, TrnOutEntry);
TRN_ARRAY_DECLARE(TrnOutCoords, TrnCoord);

typedef struct TrnOutBox {
    const TrnSchematicDef *def;
    const TrnAllocator *allocator;
    uint32_t size[3];
    uint64_t voxels;
    uint16_t *indices; ///< [voxels] x fastest, then z, then y
    TrnOutEntries palette;
    TrnOutCoords content_chunks; ///< chunks with contents
    uint64_t content_count;      ///< voxels with block data that is a block entity
    uint64_t data_count;         ///< voxels with other block data
} TrnOutBox;

/// Whether two blocks are two entries, as a door is.
typedef TrnResult (*TrnOutIsDoor)(void *user, TrnBlock block, bool *is_door);

/// Checks the box, and loads it.
/// @param box      of zeroes; free it then, also after a failure
/// @param is_door  called once for each block
/// @param fault    receives a sentence, or stays
/// Errors: as trn_schematic_save.
TrnResult trn_out_box_load(TrnOutBox *box, const TrnSchematicDef *def,
                           const TrnAllocator *allocator, TrnOutIsDoor is_door, void *user,
                           const char **fault);
void trn_out_box_free(TrnOutBox *box);

/// Receives a block entity. @param local  in the box
typedef void (*TrnOutContent)(void *user, const uint32_t local[3], const TrnBlockEntity *entity);

/// Loads the contents anew, and visits content_count of them. Errors: those of the source.
TrnResult trn_out_box_contents(TrnOutBox *box, TrnOutContent visit, void *user);

#endif
