/// Which land a program makes: what --preset NAME and --terrain FILE come to.
#ifndef TERRANE_COMMON_TERRAIN_CHOICE_H
#define TERRANE_COMMON_TERRAIN_CHOICE_H

#include <stdio.h>

#include <terrane/terrain.h>

#include "message.h"

#define TERRAIN_CHOICE_BYTES_MAX ((size_t)64 * 1024) ///< of a file

/// What was named on the command line. All zeroes: nothing, which is the preset "default".
typedef struct TerrainChoice {
    const char *preset; ///< or NULL; borrowed
    const char *file;   ///< or NULL; borrowed
} TerrainChoice;

/// Finds the shape, reading the file if there is one.
/// @param shape  receives the shape
/// @return false when there is no such preset, the file cannot be read or is no text of a shape
/// (then the message begins with FILE:LINE:COLUMN), or both are named
bool terrain_choice_shape(const TerrainChoice *choice, TrnTerrainShape *shape, Message *problem);

/// Writes the names of all presets, as in "default, islands and flat".
void terrain_choice_presets(char *text, size_t size);

/// Writes what was named, as in "preset islands"; cut off where it is too long.
void terrain_choice_describe(const TerrainChoice *choice, char *text, size_t size);

#endif
