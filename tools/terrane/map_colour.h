/// The colours of maps: sRGB, 0..255.
#ifndef TERRANE_TOOL_MAP_COLOUR_H
#define TERRANE_TOOL_MAP_COLOUR_H

#include "column_survey.h"
#include "map_canvas.h"

/// What lies above a voxel of a section.
typedef struct SectionCover {
    int32_t roof;   ///< opaque voxels, anywhere above it
    int32_t liquid; ///< liquid ones right above it
} SectionCover;

/// Adds a column, seen from above, to a pixel: land by the colour of its top, water by its own over
/// that of its bed, the more so the deeper it is.
void map_colour_column(const MapSource *source, const SurveyColumn *column, MapPixel *pixel);

/// Adds a voxel of a section to a pixel: blocks by the colour of the cut, air as sky, or dark where
/// there is ground above it.
void map_colour_voxel(const MapSource *source, TrnBlock block, int64_t y, SectionCover cover,
                      MapPixel *pixel);

#endif
