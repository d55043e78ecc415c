/// World files of Terrane's programs: a save, and what they note about its world, as values of the
/// game in readable text. docs/save.md lists them.
///
///     WorldFile file;
///     TrnSaveDef def = trn_save_def();
///     def.types = types; // borrowed; without a storage
///     WorldFacts facts = world_facts(); // of a new world
///     facts.terrain.seed = 7;
///     if (!world_file_open(&file, "my.world", TRN_STORAGE_EITHER, &def, &facts, &problem)) ...
///     stream_def.source = trn_save_source(file.save);
///     terrain = trn_terrain_create(&file.facts.terrain, ...); // if file.facts.has_terrain
///     ...
///     world_file_close(&file);
#pragma once

#include <terrane/save.h>
#include <terrane/terrain.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WORLD_FILE_PRESET_BYTES 32
#define WORLD_FILE_SEED_TEXT_BYTES 64

// Names of the values, for trn_save_get_value and the functions below.
#define WORLD_FILE_SEED "terrane/seed"           ///< decimal; missing: nothing is generated
#define WORLD_FILE_SEED_TEXT "terrane/seed-text" ///< what the player typed, if no number
#define WORLD_FILE_TERRAIN "terrane/terrain"     ///< the shape, as in a terrain file
#define WORLD_FILE_PRESET "terrane/preset"       ///< the shape's name, if it has one
#define WORLD_FILE_VERSION "terrane/version"     ///< of the land (TrnTerrainDef.version), decimal
#define WORLD_FILE_SPAWN "terrane/spawn"         ///< "x y z": the voxel where players begin
#define WORLD_FILE_PLACE "terrane/place"         ///< "x y z yaw pitch": where the player was
#define WORLD_FILE_TIME "terrane/time"           ///< of the day, in hours

/// The save's own value that says that a world keeps its changed chunks alone, and needs its land
/// (docs/save.md): "1".
#define WORLD_FILE_BOUND "terrane/bound"

/// The value that says that `terrane copy` has not completed this world: "1".
#define WORLD_FILE_COPYING "terrane/copying"

/// What a world file says of its world.
typedef struct WorldFacts {
    /// Where nothing is saved, the built-in terrain generates the chunks; otherwise there are none,
    /// as in a world that was imported.
    bool has_terrain;
    /// The world has a land of a version below TRN_TERRAIN_VERSION_OLDEST, which no terrain
    /// generates any more. `has_terrain` is then false, so only what is saved is shown; `terrain`
    /// and `preset` say what the land was.
    bool has_old_land;
    /// Seed, version and shape; the rest is as in trn_terrain_def. A world keeps the version of its
    /// land; 0: the file does not say it.
    TrnTerrainDef terrain;
    char seed_text[WORLD_FILE_SEED_TEXT_BYTES]; ///< that the seed was made of; empty: a number
    char preset[WORLD_FILE_PRESET_BYTES];       ///< the shape's name; empty: it has none
    /// Where players begin: the lowest voxel of their feet. In a new world with terrain,
    /// world_file_open finds it.
    TrnVoxel spawn;
} WorldFacts;

/// An open world file.
typedef struct WorldFile {
    TrnSave *save;
    TrnStorage storage; ///< of the save, which closes it; to list rows and to back up
    WorldFacts facts;
    bool is_new; ///< the file was made by this call
} WorldFile;

/// Returns the facts of a new world: the default terrain.
WorldFacts world_facts(void);

/// Whether a world's land is too old to be generated (WorldFacts.has_old_land).
/// @param news  receives then what that means for what is shown, and what to do
bool world_facts_tell_old(const WorldFacts *facts, const char *path, Message *news);

/// Refuses what needs the land of a world, if that is too old to be generated.
/// @param what  needs it, such as "pruning"
/// @return false if it is refused
bool world_facts_allow(const WorldFacts *facts, const char *path, const char *what,
                       Message *problem);

/// Notes the preset that a command line chose. @param name  NULL: the default; "": none
void world_facts_set_preset(WorldFacts *facts, const char *name);

/// Opens or makes a world. A new world notes its facts in its first transaction, unless another
/// program has made the world by then: the first wins, and the file has the facts of that world.
/// With TRN_STORAGE_CREATE it is refused, with a sentence that says what both are. A world whose
/// land is newer than TRN_TERRAIN_VERSION is refused, and one that is bound to another land than it
/// says (trn_save_bind_land). One whose land is too old to be generated is opened without land.
/// @param path   UTF-8
/// @param def    of the save, without a storage
/// @param facts  of a new world; NULL: the default terrain. An existing world keeps its own: where
///               the user asked for these, compare them with file->facts
bool world_file_open(WorldFile *file, const char *path, TrnStorageMode mode, const TrnSaveDef *def,
                     const WorldFacts *facts, Message *problem);

/// Writes what waits, and closes the file. @return why that failed
TrnResult world_file_close(WorldFile *file);

/// Reads a value of some numbers, separated by blanks.
/// @param numbers  [count] unchanged unless all of them are there, and within the coordinates of
///                 a world
bool world_file_get_numbers(TrnSave *save, const char *name, double *numbers, size_t count);

/// Notes a value of some numbers. Errors: those of trn_save_set_value.
TrnResult world_file_set_numbers(TrnSave *save, const char *name, const double *numbers,
                                 size_t count);

/// Writes the text that says which land a def generates, for trn_save_bind_land.
void world_file_land(const TrnTerrainDef *terrain, char *text, size_t size);

#ifdef __cplusplus
}
#endif
