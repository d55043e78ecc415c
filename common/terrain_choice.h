/// Which land a program generates: --preset NAME and --terrain FILE.
#ifndef TERRANE_COMMON_TERRAIN_CHOICE_H
#define TERRANE_COMMON_TERRAIN_CHOICE_H

#include <stdio.h>

#include <terrane/terrain.h>

#include "message.h"

#define TERRAIN_CHOICE_BYTES_MAX ((size_t)64 * 1024) ///< of a file

/// The command line's choice. All zeroes: the preset "default".
typedef struct TerrainChoice {
    const char *preset; ///< or NULL; borrowed
    const char *file;   ///< or NULL; borrowed
} TerrainChoice;

/// Finds the shape; reads the file, if one is named.
/// @param shape  receives the shape
/// @return false if there is no such preset, both are named, or the file cannot be read or parsed
/// (the message then begins with FILE:LINE:COLUMN)
bool terrain_choice_shape(const TerrainChoice *choice, TrnTerrainShape *shape, Message *problem);

/// Whether two shapes are the same, to the three digits that texts of shapes have.
bool terrain_choice_same_shape(const TrnTerrainShape *a, const TrnTerrainShape *b);

/// Writes the names of all presets, as in "default, islands and flat".
void terrain_choice_presets(char *text, size_t size);

/// Writes the choice, as in "preset islands"; truncated if too long.
void terrain_choice_describe(const TerrainChoice *choice, char *text, size_t size);

#endif
