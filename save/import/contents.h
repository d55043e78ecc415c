/// Private: what blocks of a chunk contain, such as the items of a chest and the text of a sign, as
/// block data (terrane/block_data.h).
///
/// The data of a voxel is NBT: a compound without a name, as a file of NBT begins. It has the id of
/// the block entity first ("minecraft:chest"), and all of its values but the place, byte for byte.
#ifndef TERRANE_SAVE_IMPORT_CONTENTS_H
#define TERRANE_SAVE_IMPORT_CONTENTS_H

#include <terrane/block_data.h>

#include "base/array.h"

#include "nbt.h"
#include "notes.h"

/// A block entity of Minecraft. Points into its bytes.
typedef struct TrnBlockEntity {
    int64_t at[3]; ///< x, y, z, or Pos of Sponge
    bool has_place;
    TrnNbtText id; ///< empty: it has none
    TrnNbt tags;   ///< at the first of its values
    TrnNbt inner;  ///< at the first value of Data of Sponge 3; `at` is NULL: there is none
} TrnBlockEntity;

/// Reads a block entity, and moves behind it. @param nbt  in a compound
/// @return false if it has no place
bool trn_block_entity_read(TrnNbt *nbt, TrnBlockEntity *entity);

/// Whether a value of a block entity is stored elsewhere: its place and its id.
bool trn_block_entity_is_place(const TrnNbtTag *tag);

/// The data of one voxel, before the bytes of all have their place.
typedef struct TrnImportContent {
    uint32_t index; ///< of the voxel
    uint32_t order; ///< later ones replace earlier ones
    uint32_t at, size;
    TrnDataRule rule;
    bool stays_on_air; ///< it is the world's own
} TrnImportContent;

TRN_ARRAY_DECLARE(TrnImportContentList, TrnImportContent);
TRN_ARRAY_DECLARE(TrnImportContentBytes, unsigned char);
TRN_ARRAY_DECLARE(TrnImportDataList, TrnBlockData);

/// The data of a chunk while it is loaded. Zeroes, but for the first two.
typedef struct TrnImportContents {
    const TrnAllocator *allocator;
    TrnImportNotes *notes;
    TrnImportContentList list;
    TrnImportContentBytes bytes;
    TrnImportDataList data; ///< after finish: in the order of voxels
} TrnImportContents;

/// Adds what a block contains. What is beyond the limits of block data is counted, and left out.
/// @param index  of the voxel in its chunk
/// Errors: NO_MEMORY.
TrnResult trn_import_contents_add(TrnImportContents *contents, uint32_t index,
                                  const TrnBlockEntity *entity);

/// The same of bytes: two parts behind each other.
TrnResult trn_import_contents_add_bytes(TrnImportContents *contents, uint32_t index,
                                        const void *head, size_t head_size, const void *bytes,
                                        size_t size);

/// The same of block data of a world, which air may have too. @param data  copied
TrnResult trn_import_contents_add_data(TrnImportContents *contents, const TrnBlockData *data);

/// Makes `data`. What belongs to air is counted, and left out.
/// @param blocks  [TRN_CHUNK_VOXELS] of the chunk; blocks[0] alone if it is uniform
/// Errors: NO_MEMORY.
TrnResult trn_import_contents_finish(TrnImportContents *contents, const TrnBlock *blocks,
                                     bool uniform);

void trn_import_contents_free(TrnImportContents *contents);

#endif
