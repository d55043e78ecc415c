/// Private: schematics, which are buildings cut out of worlds. Those of Minecraft are NBT in gzip:
///
///     .schem       of Sponge, versions 1 to 3: a palette of block states as texts, and for each
///                  voxel an index in as many bytes as it needs, seven bits each
///     .litematic   of Litematica: boxes, each as a section of a world, in at least two bits
///     .schematic   of MCEdit: numbers and values, as before Minecraft 1.13
///
/// All store x fastest, then z, then y. Those of Luanti (.mts) are big-endian: "MTSM", a version,
/// the size, since version 3 a byte for each height, a count of names, each a length and its bytes,
/// and then by zlib for all nodes their ids, param1 (0 in seven bits: not placed) and param2; x
/// fastest, then y, then z, which goes north.
///
/// The lowest corner of all boxes becomes 0,0,0.
#ifndef TERRANE_SAVE_IMPORT_SCHEMATIC_FILE_H
#define TERRANE_SAVE_IMPORT_SCHEMATIC_FILE_H

#include "anvil_numbers.h"

#define TRN_SCHEMATIC_FILE_MAX ((size_t)64 << 20)   ///< bytes
#define TRN_SCHEMATIC_BYTES_MAX ((size_t)256 << 20) ///< decompressed
/// Voxels of all boxes. Limits what a small file makes us allocate: two bytes each.
#define TRN_SCHEMATIC_VOXELS_MAX (UINT64_C(1) << 27)
#define TRN_SCHEMATIC_EDGE_MAX 65535    ///< voxels along each side of a box
#define TRN_SCHEMATIC_PALETTE_MAX 65536 ///< block states of a box
/// Boxes, and block states of all their palettes: a byte of the file can be one.
#define TRN_SCHEMATIC_BOXES_MAX 4096
#define TRN_SCHEMATIC_ENTRIES_MAX (UINT32_C(1) << 20)
#define TRN_SCHEMATIC_CONTENTS_MAX (UINT32_C(1) << 20)

/// A block state of a box: one of these. Borrowed from the schematic's bytes.
typedef struct TrnSchematicEntry {
    TrnNbtText text;       ///< "minecraft:oak_stairs[facing=east]"; without bytes: one of the next
    TrnNbt compound;       ///< as in a palette of a section; `at` is NULL: the number
    TrnAnvilNumber number; ///< of .schematic
    uint8_t param2;        ///< of .mts
} TrnSchematicEntry;

typedef struct TrnSchematicBox {
    TrnVoxel low;
    uint32_t size[3];
    TrnSchematicEntry *palette; ///< [palette_count]
    uint32_t palette_count;
    uint16_t *indices; ///< [voxels] into the palette
    uint64_t voxels;
} TrnSchematicBox;

TRN_ARRAY_DECLARE(TrnSchematicBoxes, TrnSchematicBox);

/// What a block contains: a block entity.
typedef struct TrnSchematicContent {
    uint32_t box;
    int64_t at[3]; ///< x, y, z in the box
    TrnNbt nbt;    ///< in the compound
} TrnSchematicContent;

TRN_ARRAY_DECLARE(TrnSchematicContents, TrnSchematicContent);

typedef struct TrnSchematic {
    TrnBytes bytes; ///< decompressed
    TrnAnvilNumbers numbers;
    TrnSchematicBoxes boxes;
    TrnSchematicContents contents;
    uint64_t entity_count; ///< animals, items on the ground
    uint64_t astray_count; ///< contents that are not in their box, or too many
} TrnSchematic;

/// Reads a schematic of Minecraft. Any bytes are safe.
/// @param schematic  of zeroes; free it then, also after a failure
/// @param bytes      decompressed; moved into the schematic
/// @param fault      receives a phrase: "it has no size"
/// Errors: CORRUPT with the fault, NO_MEMORY.
TrnResult trn_schematic_read(TrnSchematic *schematic, TrnBytes *bytes,
                             const TrnAllocator *allocator, const char **fault);

/// The same of a schematic of Luanti. @param bytes  of the file; moved into the schematic
TrnResult trn_schematic_read_mts(TrnSchematic *schematic, TrnBytes *bytes,
                                 const TrnAllocator *allocator, const char **fault);

void trn_schematic_free(TrnSchematic *schematic, const TrnAllocator *allocator);

/// Reads an entry of a palette. @param name  as for trn_anvil_numbers_state
/// @return false if it is damaged
bool trn_schematic_state(const TrnSchematic *schematic, const TrnSchematicEntry *entry, char *name,
                         TrnAnvilState *state);

#endif
