/// The tops of columns of voxels, seen from above.
#ifndef TERRANE_TOOL_COLUMN_SURVEY_H
#define TERRANE_TOOL_COLUMN_SURVEY_H

#include "map_source.h"

/// One column. If the topmost block is a liquid, the bed is the first other block below it;
/// otherwise the topmost block is its own bed. A missing block or bed is TRN_BLOCK_AIR.
typedef struct SurveyColumn {
    TrnBlock top, bed;
    int32_t top_y, bed_y; ///< voxels; without a bed, bed_y is top_y
} SurveyColumn;

/// Surveys columns of one chunk column.
/// @param places   [count] columns, x | z << TRN_CHUNK_SHIFT
/// @param count    at most TRN_CHUNK_EDGE * TRN_CHUNK_EDGE
/// @param columns  [count] receives the tops
/// Errors: those of the source. Cost: the chunks from MAP_TOP_CHUNK down to the lowest bed, each
/// about 30 us unless it is uniform.
TrnResult survey_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                         const uint16_t *places, int count, SurveyColumn *columns);

#endif
