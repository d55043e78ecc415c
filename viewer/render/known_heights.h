/// How well the heights of the land around the camera are known, so that what shaders compute of
/// them ends softly: 1 well inside the columns of chunks whose heights are all known, 0 where one
/// is not, and in between within KNOWN_HEIGHTS_RIM chunks. It changes over half a second.
///
/// Level 0 ends where loading has got to, not at a distance: in fast flight it has bays and
/// islands.
#ifndef TERRANE_VIEWER_KNOWN_HEIGHTS_H
#define TERRANE_VIEWER_KNOWN_HEIGHTS_H

#include "render/skyline.h"

#define KNOWN_HEIGHTS_RIM 4 ///< chunks
#define KNOWN_HEIGHTS_SECONDS 0.5

typedef struct KnownHeights {
    int32_t edge; ///< corners of chunks along each axis: the skyline's edge
    /// [edge * edge] z and x: 0..255 at the lowest corner of the skyline's column of that place
    uint8_t *now;
    uint8_t *next;      ///< [edge * edge] what `now` approaches
    uint8_t *distances; ///< [edge * edge] scratch
    TrnCoord camera;    ///< of `next`
    int32_t reach;      ///< of `next`
    uint32_t changes;   ///< of the skyline, at `next`
    double seconds;     ///< of the last step
    bool has_begun;     ///< there was a step
    bool is_settled;    ///< `now` equals `next`
} KnownHeights;

/// @param edge  of the skyline
bool known_heights_create(KnownHeights *known, int32_t edge);
void known_heights_free(KnownHeights *known);

/// Steps to a picture. The first step is at once, and fills all of `now`.
/// @param camera   its chunk
/// @param reach    chunks from the camera beyond which no height counts; 0: all count as known
/// @param seconds  on the frames' clock
/// @return whether `now` changed
/// Cost: 20 us at an edge of 40 if the camera's chunk or the skyline's columns changed.
bool known_heights_step(KnownHeights *known, const Skyline *skyline, TrnCoord camera, int32_t reach,
                        double seconds);

#endif
