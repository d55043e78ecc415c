/// A link to a place: a line of text that one player sends another:
///
///     terrane://preset/seed/x,y,z,yaw,pitch/time
///
/// After the preset, "@3" names the version of the land; without it, the newest.
#pragma once

#include <stdbool.h>

#include <terrane/terrain.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHARE_SCHEME "terrane://"
#define SHARE_BYTES 256 ///< enough for any line that share_write writes

typedef struct Share {
    const char *preset;    ///< trn_terrain_preset_name: static
    uint32_t land_version; ///< TRN_TERRAIN_VERSION_OLDEST..TRN_TERRAIN_VERSION
    uint64_t seed;
    double at[5]; ///< voxels x, y, z; degrees yaw, pitch
    double hours; ///< time of day, 0..24
} Share;

/// Whether a text begins as a link to a place.
bool share_is(const char *text);

/// Reads a link; any text is safe. Ignores spaces and line ends around it.
/// @return false, with the reason; `share` is then unchanged
bool share_read(const char *text, Share *share, Message *problem);

/// Writes a link for share_read: places to 1/100 voxel, angles to 1/10 degree, times to 1/100 hour.
/// 1/100 hour.
void share_write(const Share *share, char text[SHARE_BYTES]);

/// Returns the name of the preset with a shape, or NULL.
const char *share_preset(const TrnTerrainShape *shape);

#ifdef __cplusplus
}
#endif
