/// Which land a program generates: --preset NAME and --terrain FILE.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include <terrane/terrain.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRAIN_CHOICE_BYTES_MAX ((size_t)64 * 1024) ///< of a file

/// The command line's choice. All zeroes: the preset "default".
typedef struct TerrainChoice {
    const char *preset; ///< or NULL; borrowed
    const char *file;   ///< or NULL; borrowed
} TerrainChoice;

#define TERRAIN_CHOICE_SEED "13" ///< the seed of trn_terrain_def

// NOLINTBEGIN(bugprone-macro-parentheses): offsetof takes a field's name
/// Rows of a table of options (options.h): --seed, --preset and --terrain.
/// @param type    struct with the fields `seed_`, a uint64_t, and `choice_`, a TerrainChoice
#define TERRAIN_CHOICE_ROWS(section_, type, seed_, choice_)                                        \
    {.section = (section_),                                                                        \
     .name = "seed",                                                                               \
     .help = "which land",                                                                         \
     .kind = OPTION_SEED,                                                                          \
     .offset = offsetof(type, seed_),                                                              \
     .standard = TERRAIN_CHOICE_SEED},                                                             \
        {.section = (section_),                                                                    \
         .name = "preset",                                                                         \
         .help = "the shape of the land",                                                          \
         .kind = OPTION_TEXT,                                                                      \
         .offset = offsetof(type, choice_.preset),                                                 \
         .argument = "NAME",                                                                       \
         .word_at = trn_terrain_preset_name},                                                      \
    {                                                                                              \
        .section = (section_), .name = "terrain",                                                  \
        .help = "a shape of your own instead; docs/terrain.md describes the file",                 \
        .kind = OPTION_TEXT, .offset = offsetof(type, choice_.file), .argument = "FILE",           \
        .takes = "the name of a terrain file"                                                      \
    }
// NOLINTEND(bugprone-macro-parentheses)

/// Finds the shape; reads the file, if one is named.
/// @param shape  receives the shape
/// @return false if there is no such preset, both are named, or the file cannot be read or parsed
/// (the message then begins with FILE:LINE:COLUMN)
bool terrain_choice_shape(const TerrainChoice *choice, TrnTerrainShape *shape, Message *problem);

/// Returns the seed that a player's text stands for: a number as --seed takes it is itself; any
/// other text is its 64-bit FNV-1a hash over the bytes of its UTF-8. Blanks around it do not count.
uint64_t terrain_choice_seed(const char *text);

/// Whether the text of a seed is a number, which is then the seed.
bool terrain_choice_is_number(const char *text);

/// Whether two shapes are the same, to the three digits that texts of shapes have.
bool terrain_choice_same_shape(const TrnTerrainShape *a, const TrnTerrainShape *b);

/// Writes the names of all presets, as in "default, islands and flat".
void terrain_choice_presets(char *text, size_t size);

/// Writes the choice, as in "preset islands"; truncated if too long.
void terrain_choice_describe(const TerrainChoice *choice, char *text, size_t size);

#ifdef __cplusplus
}
#endif
