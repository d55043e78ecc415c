/// What is on top of columns of voxels, seen from above.
#ifndef TERRANE_TOOL_COLUMN_SURVEY_H
#define TERRANE_TOOL_COLUMN_SURVEY_H

#include "map_source.h"

/// One column. Where the topmost block is a liquid, the bed is the first beneath it that is none;
/// otherwise the topmost block is its own bed. Where there is no block, or no bed, it is
/// TRN_BLOCK_AIR.
typedef struct SurveyColumn {
    TrnBlock top, bed;
    int32_t top_y, bed_y; ///< voxels; without a bed, bed_y is top_y
} SurveyColumn;

/// Looks down on columns of one chunk column.
/// @param places   [count] columns, x | z << TRN_CHUNK_SHIFT
/// @param count    at most TRN_CHUNK_EDGE * TRN_CHUNK_EDGE
/// @param columns  [count] receives what is there
/// Errors: those of the source. Cost: the chunks from MAP_TOP_CHUNK down to where every column has
/// its bed, and some 30 us for each of them that is not uniform.
TrnResult survey_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                         const uint16_t *places, int count, SurveyColumn *columns);

#endif
