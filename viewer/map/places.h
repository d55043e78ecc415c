/// Places of a world that the player has named, and their text in the world file:
///
///     terrane-places 1
///     12.5 64.0 -8.25 home
///
/// A line that is damaged is left out.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLACES_MAX 256
#define PLACES_NAME_MAX 64 ///< bytes
#define PLACES_LINE_MAX (PLACES_NAME_MAX + 80)
#define PLACES_TEXT_BYTES (32 + PLACES_MAX * PLACES_LINE_MAX)

typedef struct NamedPlace {
    char name[PLACES_NAME_MAX + 1]; ///< UTF-8 without control characters, not empty
    double voxel[3];                ///< of the feet
} NamedPlace;

/// All zeroes: none.
typedef struct Places {
    NamedPlace at[PLACES_MAX];
    size_t count;
} Places;

/// Makes a name of what a player typed: without control characters, bytes that are no UTF-8 and
/// blanks at its ends, and cut to PLACES_NAME_MAX bytes between two characters.
/// @param name  [PLACES_NAME_MAX + 1] receives it
/// @return false if nothing is left
bool places_clean_name(const char *typed, char *name);

/// @param typed  as for places_clean_name
/// @return false if there are PLACES_MAX places, or the name is empty
bool places_add(Places *places, const char *typed, const double voxel[3]);

/// @return false if the name is empty; the place keeps its name then
bool places_rename(Places *places, size_t place, const char *typed);

void places_remove(Places *places, size_t place);

/// Writes a name that no place has: "Place 1".
void places_free_name(const Places *places, char *name);

/// @param text  [PLACES_TEXT_BYTES] receives the text. @return its length
size_t places_write(const Places *places, char *text);

/// Reads a text of any bytes.
/// @param places  receives the good lines
/// @return whether all of the text was good; true also for no text
bool places_read(Places *places, const char *text, size_t size);

#ifdef __cplusplus
}
#endif
