/// The colours of maps: sRGB, 0..255.
#ifndef TERRANE_TOOL_MAP_COLOUR_H
#define TERRANE_TOOL_MAP_COLOUR_H

#include "column_survey.h"
#include "map_canvas.h"

/// The voxels above a voxel of a section.
typedef struct SectionCover {
    int32_t roof;   ///< opaque voxels, anywhere above it
    int32_t liquid; ///< liquid voxels directly above it
} SectionCover;

/// Adds a column, seen from above, to a pixel: land has the colour of its top; water mixes its own
/// with that of its bed, by depth.
void map_colour_column(const MapSource *source, const SurveyColumn *column, MapPixel *pixel);

/// Adds a voxel of a section to a pixel: blocks have the colour of their cut; air is sky, or dark
/// if ground is above it.
void map_colour_voxel(const MapSource *source, TrnBlock block, int64_t y, SectionCover cover,
                      MapPixel *pixel);

#endif
