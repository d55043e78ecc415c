/// Copies a world of another game into a new world file, with its levels of detail: `terrane
/// import`, and the viewer's start screen.
///
///     WorldImport import;
///     WorldImportDef def = world_import_def();
///     def.source = "worlds/home", def.world = "home.world";
///     if (world_import_run(&import, &def, &problem) == WORLD_IMPORT_DONE) {
///         trn_import_report(import.import, print_note, NULL);
///     }
///     world_import_free(&import);
///
/// Threads: one at a time; the whole of it may run on another thread than the program's first.
#pragma once

#include <terrane/import.h>

#include "message.h"
#include "world_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far an import is.
typedef struct WorldImportProgress {
    bool is_folding; ///< everything is copied; levels of detail are being made
    uint64_t done;   ///< chunks: of those of the source, or of a level; rows while it is opened
    uint64_t total;  ///< 0: unknown yet
} WorldImportProgress;

typedef struct WorldImportDef {
    const char *source;       ///< borrowed: path of the other game's world
    const char *world;        ///< borrowed: path of the file to write
    const char *names;        ///< borrowed: path of a table of names; NULL: the format's own
    TrnImportFormat format;   ///< of the source
    TrnVoxel offset;          ///< of the land
    TrnImportHeights heights; ///< for pictures of heights
    bool adds;                ///< to a world that exists; otherwise none may exist
    TrnImportPlace place;     ///< of a schematic, at `offset`
    bool merges;              ///< adds voxel by voxel instead of chunk by chunk
    TrnImportAir air;         ///< of a merge
    /// Called after each chunk, and now and then while the source is read, on the calling thread;
    /// false stops. NULL: none
    bool (*progress)(void *user, WorldImportProgress now);
    void *user; ///< for `progress`
} WorldImportDef;

typedef enum WorldImportOutcome {
    WORLD_IMPORT_DONE,
    WORLD_IMPORT_STOPPED, ///< by `progress`; what was copied is in the world, if there is one
    WORLD_IMPORT_STOPPED_LEVELS, ///< the same: all is copied, but levels of detail are missing
    WORLD_IMPORT_NOTHING,        ///< the source has nothing but air; no new file stays
    WORLD_IMPORT_FAILED          ///< what was copied until then stays in the world
} WorldImportOutcome;

/// An import that has run.
typedef struct WorldImport {
    TrnImport *import; ///< for its report; NULL: the source could not be opened
    TrnBlockTypes *types;
    TrnImportProgress copied;
    bool has_world; ///< the file was opened or made
    double seconds; ///< that it took
} WorldImport;

/// Returns the defaults: the format found from the content, no offset, a new world.
WorldImportDef world_import_def(void);

/// Copies everything. A new world has no terrain. Players begin where they do in the source if they
/// can stand there, or else on the solid ground under open sky that is nearest to that place, or to
/// the origin.
/// @param import   receives the result; free it with world_import_free, also after a failure
/// @param problem  receives a sentence unless DONE
WorldImportOutcome world_import_run(WorldImport *import, const WorldImportDef *def,
                                    Message *problem);

void world_import_free(WorldImport *import);

#ifdef __cplusplus
}
#endif
