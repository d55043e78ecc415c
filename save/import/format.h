/// Private: what a format of an import implements, and what it may use.
///
///     import.c   opens, lists, loads, copies        names.c   the table of names
///     notes.c    what was not imported              luanti.c, ...   the formats
#ifndef TERRANE_SAVE_IMPORT_FORMAT_H
#define TERRANE_SAVE_IMPORT_FORMAT_H

#include <stdatomic.h>
#include <string.h>

#include <terrane/import.h>

#include "contents.h"
#include "names.h"
#include "notes.h"

/// A format: one constant a format, in the table of import.c. Functions get its state.
typedef struct TrnImportReader {
    const char *name;         ///< "luanti"
    const char *names;        ///< [*names_size] its own table, of assets/imports; NULL: none
    const size_t *names_size; ///< NULL: none
    const char *const *airs;  ///< names that are air whatever the table says, up to a NULL; or NULL
    size_t state_bytes;       ///< of what open fills
    /// Whether a path is of this format: its content is looked at, not its ending alone.
    bool (*recognises)(const char *path);
    /// @param import   its def, allocator, names and notes are there; the format keeps the address
    /// @param state    [state_bytes] zeroes, aligned to a cache line; freed after close, and after
    ///                 a failure
    /// @param problem  receives a sentence on failure if the result alone does not say enough
    /// Errors: as trn_import_open.
    TrnResult (*open)(TrnImport *import, void *state, TrnStorageProblem *problem);
    /// As trn_import_list, but without what only reading the source tells.
    TrnResult (*list)(void *state, TrnImportVisitor visit, void *user);
    /// Lists what `list` left out; called after it. NULL: that is nothing.
    /// @param is_loaded  all that `list` had was loaded since; otherwise it reads the source itself
    TrnResult (*list_rest)(void *state, bool is_loaded, TrnImportVisitor visit, void *user);
    /// As trn_import_load; any thread.
    /// @param contents  receives what blocks contain; NULL: it is not asked for
    TrnResult (*load)(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                      TrnImportContents *contents);
    /// Sets the bits of the voxels of a chunk that the source has, also as air. NULL: only those
    /// that are not air.
    void (*cover)(const void *state, TrnCoord coord, uint32_t bits[TRN_CHUNK_VOXELS / 32]);
    bool has_place; ///< TrnImportDef.place may be set: open moves what it reads by trn_place_offset
    /// The lowest and the highest voxel of what open has read and moved, before it is turned. NULL:
    /// not known.
    void (*box)(const void *state, TrnVoxel *min, TrnVoxel *max);
    /// As trn_import_spawn, before the offset. NULL: the format has none.
    bool (*spawn)(const void *state, TrnVoxel *voxel);
    void (*close)(void *state);
} TrnImportReader;

struct TrnImport {
    TrnAllocator allocator;
    TrnImportDef def; ///< path and names are NULL once it is open
    TrnImportNames names;
    TrnImportNotes notes;
    const TrnImportReader *reader;
    TrnImportFormat format;
    void *state; ///< of the reader
};

/// Finds or adds the block type of a colour: "magicavoxel:80a0ff".
/// @param prefix  of its name: "magicavoxel"
TrnResult trn_import_colour_block(TrnBlockTypes *types, const char *prefix, const uint8_t rgb[3],
                                  TrnBlock *block);

/// Whether all blocks of a chunk are the same. @param blocks  [TRN_CHUNK_VOXELS]
static inline bool trn_import_is_uniform(const TrnBlock *blocks)
{
    // Each equals the one before it.
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

/// As trn_import_open, with a reader that is not in the table: for tests.
TrnResult trn_import_open_reader(const TrnImportDef *def, TrnImportFormat format,
                                 const TrnImportReader *reader, TrnImport **import,
                                 TrnStorageProblem *problem);

#endif
