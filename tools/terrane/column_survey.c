#include "column_survey.h"

/// The columns whose bed is not found yet.
typedef struct SurveyOpen {
    uint16_t indices[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    int count;
} SurveyOpen;

/// Adds the next block down a column. @return whether it is the bed
static bool note_block(SurveyColumn *column, TrnBlock block, uint8_t kind, int32_t y)
{
    if (kind == TRN_BLOCK_KIND_AIR) {
        return false;
    }
    if (column->top == TRN_BLOCK_AIR) {
        column->top = block;
        column->top_y = column->bed_y = y;
    }
    if (kind == TRN_BLOCK_KIND_LIQUID) {
        return false;
    }
    column->bed = block;
    column->bed_y = y;
    return true;
}

static void survey_layer(const MapSource *source, int32_t y, const uint16_t *places,
                         SurveyOpen *open, SurveyColumn *columns)
{
    const uint32_t layer = trn_local_index(0, (uint32_t)y & (TRN_CHUNK_EDGE - 1), 0);
    int left = 0;
    for (int i = 0; i < open->count; i++) {
        const uint16_t index = open->indices[i];
        const TrnBlock block = map_source_block(source, layer | places[index]);
        if (!note_block(&columns[index], block, source->kinds[block], y)) {
            open->indices[left++] = index;
        }
    }
    open->count = left;
}

static void survey_chunk(const MapSource *source, int32_t chunk_y, const uint16_t *places,
                         SurveyOpen *open, SurveyColumn *columns)
{
    const int32_t bottom = chunk_y * TRN_CHUNK_EDGE, top = bottom + TRN_CHUNK_EDGE - 1;
    if (source->is_uniform) { // its topmost layer is enough
        survey_layer(source, top, places, open, columns);
        return;
    }
    for (int32_t y = top; y >= bottom && open->count > 0; y--) {
        survey_layer(source, y, places, open, columns);
    }
}

TrnResult survey_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                         const uint16_t *places, int count, SurveyColumn *columns)
{
    SurveyOpen open = {.count = count};
    for (int i = 0; i < count; i++) {
        const int32_t nothing = MAP_BOTTOM_CHUNK * TRN_CHUNK_EDGE;
        open.indices[i] = (uint16_t)i;
        columns[i] = (SurveyColumn){.top_y = nothing, .bed_y = nothing};
    }
    for (int32_t y = MAP_TOP_CHUNK; y >= MAP_BOTTOM_CHUNK && open.count > 0; y--) {
        TrnResult result = map_source_load(source, (TrnCoord){chunk_x, y, chunk_z});
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (!source->is_uniform || source->blocks[0] != TRN_BLOCK_AIR) {
            survey_chunk(source, y, places, &open, columns);
        }
    }
    return TRN_RESULT_OK;
}
