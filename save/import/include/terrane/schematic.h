/// Terrane, schematics: writes a box of voxels as a building for another game or editor, and worlds
/// as region files of Minecraft.
///
///     TrnSchematicDef def = trn_schematic_def();
///     def.format = TRN_SCHEMATIC_SPONGE;
///     def.min = (TrnVoxel){-20, 60, -20}, def.max = (TrnVoxel){20, 90, 20};
///     def.types = types;
///     def.source = trn_save_source(save);
///     def.write = write_to_file, def.user = file;
///     TrnResult result = trn_schematic_save(&def, &report, &problem);
///
/// Blocks get the names that the table of imports has, read backwards (docs/importing.md): reading
/// the file gives the same blocks again, as far as the format has them. What has no name there is
/// counted. Block data that came from a block entity of Minecraft goes out as one.
///
/// Tier: experimental.
#ifndef TERRANE_SCHEMATIC_H
#define TERRANE_SCHEMATIC_H

#include <terrane/import.h>

TRN_C_BEGIN

/// What is written.
typedef enum TrnSchematicFormat {
    TRN_SCHEMATIC_SPONGE,      ///< .schem of Sponge, version 2: WorldEdit, Minecraft 1.13 and later
    TRN_SCHEMATIC_LITEMATICA,  ///< .litematic, version 6
    TRN_SCHEMATIC_MCEDIT,      ///< .schematic: numbers, as Minecraft before 1.13
    TRN_SCHEMATIC_LUANTI,      ///< .mts, version 4
    TRN_SCHEMATIC_MAGICAVOXEL, ///< .vox: colours alone
    TRN_SCHEMATIC_FORMAT_COUNT ///< how many there are
} TrnSchematicFormat;

/// The most voxels of a box. A model of MagicaVoxel has at most 2^25 voxels that are not air.
#define TRN_SCHEMATIC_BOX_MAX (UINT64_C(1) << 27)
/// The most voxels along a side of a box.
#define TRN_SCHEMATIC_SIDE_MAX 65535

/// Start from trn_schematic_def() and change what you need.
typedef struct TrnSchematicDef {
    TrnSchematicFormat format;  ///< what is written
    TrnVoxel min;               ///< the lowest voxel of the box
    TrnVoxel max;               ///< the highest voxel of the box
    const TrnBlockTypes *types; ///< borrowed, of the source; no thread may add types meanwhile
    /// Where chunks come from, such as trn_save_source(). A chunk that is not found is air. Only
    /// `load` is called, on the calling thread; with a sink for block data.
    TrnStreamSource source;
    const char *names; ///< [names_size] text of a table of names; NULL: the format's own
    size_t names_size; ///< bytes
    /// Receives the file's bytes, in their order. @return false to stop: the result is IO
    bool (*write)(void *user, const void *bytes, size_t size);
    /// Receives what was lost, by kind: names without one in the format, and things that it does
    /// not hold. NULL: none
    TrnImportNoteVisitor note;
    void *user;                  ///< of `write` and `note`
    TrnStorageProgress progress; ///< by chunks; step may be NULL, and false stops: the result is IO
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnSchematicDef;

/// What was written.
typedef struct TrnSchematicReport {
    uint64_t voxels;        ///< that are not air
    uint64_t contents;      ///< voxels whose block data was written
    uint64_t lost_voxels;   ///< whose block has no name in the format
    uint32_t lost_kinds;    ///< blocks of these
    uint64_t lost_contents; ///< voxels whose block data the format does not hold
} TrnSchematicReport;

/// Returns the defaults: Sponge, and nothing else.
TRN_API TrnSchematicDef trn_schematic_def(void);

/// Writes a box as a file. The same voxels give the same bytes.
///
/// A block without a name in the format keeps its name of Terrane, which the game does not know,
/// and Terrane reads. In TRN_SCHEMATIC_MCEDIT, which has no names, it is air.
/// @param report   receives what was written; may be NULL
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT (NULL, or an empty box), OUT_OF_RANGE (the box is outside the world or too
/// large), FULL (more than 65,536 kinds of blocks, or larger than trn_import_open reads), CORRUPT
/// (the table of names), NO_MEMORY, IO (write or progress stopped it), and those of the source.
/// Memory: two bytes a voxel of the box, some MiB, and one chunk. Cost: each chunk is loaded once,
/// and again if it has block data. Threads: the calling one.
TRN_API TrnResult trn_schematic_save(const TrnSchematicDef *def, TrnSchematicReport *report,
                                     TrnStorageProblem *problem);

// ---- worlds of Minecraft ---------------------------------------------------------------------

/// The heights of Minecraft 1.18 and later. What lies beyond them is left out.
#define TRN_REGION_Y_MIN (-64)
#define TRN_REGION_Y_MAX 319 ///< the highest voxel

/// One region file, of 512 x 512 voxels. All zeroes, then set the fields.
typedef struct TrnRegionDef {
    int32_t x;                  ///< of the region, whose lowest voxel has x * 512
    int32_t z;                  ///< the same along z
    TrnVoxel min;               ///< the lowest voxel of a box outside of which it has air
    TrnVoxel max;               ///< the highest voxel; the whole world is fine
    const TrnBlockTypes *types; ///< as TrnSchematicDef
    TrnStreamSource source;     ///< as TrnSchematicDef
    /// Whether the file has the columns of a chunk; the game generates the others. NULL: all that
    /// the box touches
    bool (*has_column)(void *user, int32_t chunk_x, int32_t chunk_z);
    const char *names; ///< [names_size] text of a table of names; NULL: the format's own
    size_t names_size; ///< bytes
    /// As TrnSchematicDef. Without a column, nothing is written
    bool (*write)(void *user, const void *bytes, size_t size);
    TrnImportNoteVisitor note;     ///< as TrnSchematicDef; NULL: none
    void *user;                    ///< of the functions
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnRegionDef;

/// Writes a part of a world as a region file (r.X.Z.mca) of Minecraft 1.21: blocks, and block data
/// that is a block entity. It has no light, no heights and one biome, which the game adds or
/// keeps. Terrane's importer reads it as the same blocks; it was not tried in the game.
/// @param report   receives what was written; may be NULL
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: as trn_schematic_save; OUT_OF_RANGE if places of its voxels need more than 32 bits; FULL
/// if a column is larger than a region file takes, 1 MiB.
/// Memory: the compressed file, and a tower of 12 chunks. Threads: the calling one.
TRN_API TrnResult trn_region_save(const TrnRegionDef *def, TrnSchematicReport *report,
                                  TrnStorageProblem *problem);

/// Writes a level.dat, with which the folder of region files (in its folder `region`) is a world of
/// Minecraft 1.21 in creative mode: air around the files' columns, no structures. It was not tried
/// in the game.
/// @param name   of the world, UTF-8, at most 65,535 bytes
/// @param spawn  where players begin
/// @param write  as TrnSchematicDef.write; `user` is passed to it
/// @param allocator  NULL means malloc
/// Errors: BAD_ARGUMENT (NULL), NO_MEMORY, IO (write stopped it). Threads: the calling one.
TRN_API TrnResult trn_region_save_level(const char *name, TrnVoxel spawn,
                                        bool (*write)(void *user, const void *bytes, size_t size),
                                        void *user, const TrnAllocator *allocator);

TRN_C_END
#endif
