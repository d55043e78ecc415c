/// Terrane, import: reads worlds of other games as chunks.
///
///     TrnImportDef def = trn_import_def();
///     def.path = "worlds/home/map.sqlite";
///     def.types = types;
///     TrnImport *import;
///     TrnStorageProblem problem;
///     if (trn_import_open(&def, &import, &problem) != TRN_RESULT_OK) {
///         fprintf(stderr, "%s\n", problem.sentence);
///     }
///     trn_import_into(import, save, NULL, NULL);        // copies everything into a world
///     stream_def.source = trn_import_source(import);    // or streams it, and never writes
///
/// What blocks of Minecraft contain becomes block data (terrane/block_data.h): docs/importing.md.
///
/// A table of names says which block stands for which of the other game's: docs/importing.md. A
/// name that is not in the table keeps its name if it is in the registry; otherwise it becomes a
/// placeholder (trn_block_types_add_unknown), whose colour is made from the name.
///
/// Nothing in the source is trusted. A damaged piece is counted and left out as air, and the rest
/// loads. Each format states the most memory that a chunk makes it use.
///
/// Threads: load and the source on any number of threads at once; the rest on one thread at a time.
///
/// Tier: experimental.
#ifndef TERRANE_IMPORT_H
#define TERRANE_IMPORT_H

#include <stdbool.h>

#include <terrane/block_types.h>
#include <terrane/generator.h>
#include <terrane/save.h>
#include <terrane/stream.h>

TRN_C_BEGIN

/// An opened world of another game. Opaque; the caller opens and destroys it.
typedef struct TrnImport TrnImport;

/// What is read. A build lacks the formats whose libraries it was built without.
typedef enum TrnImportFormat {
    TRN_IMPORT_AUTO,      ///< whichever recognises the path
    TRN_IMPORT_LUANTI,    ///< map.sqlite of Luanti (Minetest), or the folder with it
    TRN_IMPORT_ANVIL,     ///< region files (.mca, .mcr) of Minecraft to 1.21, or the world's folder
    TRN_IMPORT_HEIGHTMAP, ///< a PNG of heights
    TRN_IMPORT_VOX,       ///< a model of MagicaVoxel (.vox)
    TRN_IMPORT_SCHEMATIC, ///< a building of Minecraft (.schem, .litematic, .schematic)
    TRN_IMPORT_MTS,       ///< a building of Luanti (.mts)
    TRN_IMPORT_FORMAT_COUNT ///< how many there are, with AUTO
} TrnImportFormat;

/// Returns the name of a format, as `terrane import --format` takes it: "luanti". NULL for a number
/// that is none.
TRN_API const char *trn_import_format_name(TrnImportFormat format);

/// No sea in a picture of heights.
#define TRN_IMPORT_NO_SEA INT32_MIN

/// The most chunks that a picture of heights becomes, so that a small file does not fill a disk.
#define TRN_IMPORT_HEIGHTS_CHUNKS_MAX (UINT32_C(1) << 20)

/// How a picture of heights becomes land. Its top is north, its left side west, and its upper left
/// corner the origin. The land goes from `base` up to the height; of a picture in colour, red is
/// the height.
typedef struct TrnImportHeights {
    double black;      ///< height of black, in voxels
    double white;      ///< height of white
    uint32_t scale;    ///< voxels a pixel, 1..256; heights in between are interpolated
    int32_t base;      ///< the lowest voxel
    int32_t sea_level; ///< the first voxel above the sea; TRN_IMPORT_NO_SEA: there is no sea
    /// UTF-8, only used by trn_import_open: a picture of the same size whose colours are those of
    /// the surface. Each becomes the block type of the nearest colour. NULL: grass, and sand at
    /// the sea.
    const char *colours;
    /// Each colour, in 4 bits a channel, becomes a block type of its own instead:
    /// "heightmap:8c39ce".
    bool has_own_types;
} TrnImportHeights;

/// How a schematic or a model is put into a world: mirrored, then turned, then moved so that its
/// lowest corner lies at TrnImportDef.offset. Blocks that face somewhere turn with it.
typedef struct TrnImportPlace {
    bool is_placed;    ///< otherwise nothing here counts
    bool mirrors_x;    ///< west and east change places
    bool mirrors_z;    ///< north and south change places
    uint32_t quarters; ///< 0..3 quarter turns, clockwise seen from above
} TrnImportPlace;

/// Start from trn_import_def() and change what you need.
typedef struct TrnImportDef {
    const char *path;       ///< UTF-8; only used by trn_import_open
    TrnImportFormat format; ///< of the path
    /// Borrowed; must outlive the import. Receives placeholders for unknown names, when a chunk
    /// with them is first loaded: no other thread may use the registry then.
    TrnBlockTypes *types;
    /// Unknown names become one of TRN_IMPORT_PLACEHOLDERS placeholders that trn_import_open adds,
    /// and loading never changes the registry. Set it to stream.
    bool are_types_fixed;
    const char *names; ///< [names_size] text of a table of names; NULL: the format's own
    size_t names_size; ///< bytes
    /// Added to every voxel. Luanti needs multiples of 16, Anvil of 32 in x and z and of 16 in y.
    TrnVoxel offset;
    TrnImportPlace place;          ///< for TRN_IMPORT_SCHEMATIC, _MTS and _VOX
    TrnImportHeights heights;      ///< for TRN_IMPORT_HEIGHTMAP
    TrnStorageProgress progress;   ///< of trn_import_open, of what takes long; step may be NULL
    const TrnAllocator *allocator; ///< copied; NULL means malloc; called on any thread
} TrnImportDef;

/// Placeholders that stand for all unknown names if TrnImportDef.are_types_fixed is set.
#define TRN_IMPORT_PLACEHOLDERS 64

/// Returns the defaults: the format found from the path, its own names, no offset; heights 0 to 128
/// above a base of -16, a voxel a pixel, no sea.
TRN_API TrnImportDef trn_import_def(void);

/// Opens a source. It is only read. Files are regular ones; pipes and devices are refused.
/// @param import   receives the import; the caller destroys it
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT (also: the build lacks the format), NOT_FOUND (no file, or no format
/// recognises it), CORRUPT (it is damaged as a whole, or the table of names is wrong), NO_MEMORY,
/// FULL (more block types than a registry holds), OUT_OF_RANGE (a picture's land would be longer
/// than 65,536 voxels or take more than TRN_IMPORT_HEIGHTS_CHUNKS_MAX chunks), BUSY (another
/// program writes it), IO (also if progress stopped it). Cost: a picture is read, at most 2^26
/// pixels in some s; of others what they take to list.
TRN_API TrnResult trn_import_open(const TrnImportDef *def, TrnImport **import,
                                  TrnStorageProblem *problem);

/// Frees an import. No other thread may use it or its source. @param import  may be NULL
TRN_API void trn_import_destroy(TrnImport *import);

/// Returns what is read; never TRN_IMPORT_AUTO.
TRN_API TrnImportFormat trn_import_format(const TrnImport *import);

/// Receives a chunk that has something. @return false to stop
typedef bool (*TrnImportVisitor)(void *user, TrnCoord coord);

/// Lists the chunks that have something, each once, in an order that is fast to load in. Reads all
/// of a world of Minecraft for that: its columns have different heights. Errors:
/// BAD_ARGUMENT (NULL), NO_MEMORY, CORRUPT, BUSY, IO.
TRN_API TrnResult trn_import_list(TrnImport *import, TrnImportVisitor visit, void *user);

/// Tells where players begin in the source, with the offset: in Minecraft's level.dat, or as
/// static_spawnpoint in Luanti's map_meta.txt or world.mt.
/// @param voxel  receives the voxel of their feet; nothing says that there is ground below
/// @return false if the source does not say
TRN_API bool trn_import_spawn(const TrnImport *import, TrnVoxel *voxel);

/// Returns the box that a schematic or a model fills in the world. O(1), of a model O(voxels).
/// @param min  receives the lowest voxel
/// @param max  receives the highest voxel
/// @return false for other formats, whose extent is not known: `min` and `max` are untouched then
TRN_API bool trn_import_box(const TrnImport *import, TrnVoxel *min, TrnVoxel *max);

/// Loads the blocks of a chunk. Its block data, such as what chests contain, comes with
/// trn_import_into and trn_import_source alone.
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; blocks[0] alone if the
///                 chunk is uniform
/// @param uniform  receives whether every voxel is blocks[0]
/// Errors: BAD_ARGUMENT (NULL), NOT_FOUND (the source has nothing there), NO_MEMORY, FULL (block
/// types), CORRUPT (the source as a whole), BUSY, IO; blocks are undefined then. Threads: any.
TRN_API TrnResult trn_import_load(TrnImport *import, TrnCoord coord, TrnBlock *blocks,
                                  bool *uniform);

/// Returns a source for TrnStreamDef.source that loads and never saves. Set
/// TrnImportDef.are_types_fixed for it.
TRN_API TrnStreamSource trn_import_source(TrnImport *import);

/// How far a copy is.
typedef struct TrnImportProgress {
    uint64_t done;   ///< of the chunks that are listed
    uint64_t total;  ///< chunks that are listed; 0 while they are being listed. Grows at the end if
                     ///< reading has found land where no list had it
    uint64_t copied; ///< of those done, chunks that had something
    uint64_t filled; ///< of those copied, chunks that are not air alone
    TrnCoord coord;  ///< the last one
} TrnImportProgress;

/// Copies every chunk into a save, and flushes it, also before it adds an unknown name to the
/// registry. No other thread may use the save or the registry meanwhile.
/// @param progress  called after each chunk and now and then while chunks are listed, on the
/// calling
///                  thread; false stops the copy: what was copied so far is flushed, and the result
///                  is OK. May be NULL.
/// Errors: as list and load, and as trn_save_put and trn_save_flush. What was copied before stays.
TRN_API TrnResult trn_import_into(TrnImport *import, TrnSave *save,
                                  bool (*progress)(void *user, TrnImportProgress now), void *user);

/// What trn_import_merge does where the source has air.
typedef enum TrnImportAir {
    TRN_IMPORT_AIR_KEEPS,    ///< the world's blocks stay
    TRN_IMPORT_AIR_REPLACES, ///< they become air, inside the boxes of a schematic
    TRN_IMPORT_AIR_COUNT     ///< how many there are
} TrnImportAir;

/// As trn_import_into, but voxel by voxel into the chunks that the save has: the world keeps its
/// blocks and its block data where the source has nothing. Chunks that stay as they are are not
/// written.
/// @param land  generates chunks that the save lacks; NULL: they are air. With the save's registry
/// Errors: also those of `land`, and of loading from the save.
TRN_API TrnResult trn_import_merge(TrnImport *import, TrnSave *save, const TrnGenerator *land,
                                   TrnImportAir air,
                                   bool (*progress)(void *user, TrnImportProgress now), void *user);

/// What a note says.
typedef enum TrnImportNoteKind {
    TRN_IMPORT_NOTE_UNKNOWN, ///< a name that no table has; counted in voxels
    TRN_IMPORT_NOTE_IGNORED, ///< something that Terrane has nothing for
    TRN_IMPORT_NOTE_DAMAGED, ///< pieces that could not be read, and are air
    /// Pieces that are whole, but of a version or kind that is not read. `what` says what to do.
    TRN_IMPORT_NOTE_UNSUPPORTED,
    TRN_IMPORT_NOTE_COUNT ///< how many kinds there are
} TrnImportNoteKind;

/// What was not imported as it is. Counts are of everything that was loaded; what is loaded twice
/// counts twice.
typedef struct TrnImportNote {
    TrnImportNoteKind kind; ///< what the note says
    uint64_t count;         ///< of voxels or pieces
    const char *what;       ///< the unknown name, or a phrase: "map blocks: the data ends early"
    const char *where;      ///< the first piece: "map block 3,-1,7"; "" if it has no place
} TrnImportNote;

/// Receives a note, valid until it returns. @return false to stop
typedef bool (*TrnImportNoteVisitor)(void *user, const TrnImportNote *note);

/// Reports what could not be imported so far: by kind, and of a kind the highest count first.
/// No thread may load meanwhile.
/// Errors: BAD_ARGUMENT (NULL), NO_MEMORY.
TRN_API TrnResult trn_import_report(TrnImport *import, TrnImportNoteVisitor visit, void *user);

TRN_C_END
#endif
