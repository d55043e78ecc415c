#include "map_above.h"

#include "column_survey.h"
#include "map_colour.h"

#define SPAN_COLUMNS (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

static int list_places(const MapJob *job, const MapSpan *x, const MapSpan *z,
                       uint16_t places[SPAN_COLUMNS])
{
    int count = 0;
    for (int64_t j = z->begin; j < z->end; j++) {
        const uint32_t row = map_axis_local(&job->down, j) << TRN_CHUNK_SHIFT;
        for (int64_t i = x->begin; i < x->end; i++) {
            places[count++] = (uint16_t)(row | map_axis_local(&job->across, i));
        }
    }
    return count;
}

/// The column at one place of a level.
static SurveyColumn far_column(const TrnTerrainSample *place)
{
    const int32_t bed_y = (int32_t)place->height;
    if (place->surface == TRN_BLOCK_ICE) {
        return (SurveyColumn){TRN_BLOCK_ICE, TRN_BLOCK_ICE, (int32_t)place->surface_y,
                              (int32_t)place->surface_y};
    }
    return (SurveyColumn){place->surface, place->top, (int32_t)place->surface_y, bed_y};
}

/// The chunk column of level 0 that one place of a level lies in, and the place there.
typedef struct FarPlace {
    int32_t chunk_x, chunk_z;
    uint16_t place;
} FarPlace;

static FarPlace far_place(int32_t chunk_x, int32_t chunk_z, uint32_t level, uint16_t place)
{
    const int64_t mask = TRN_CHUNK_EDGE - 1;
    const int64_t x = ((int64_t)chunk_x * TRN_CHUNK_EDGE + (place & mask)) * (1 << level);
    const int64_t z =
        ((int64_t)chunk_z * TRN_CHUNK_EDGE + (place >> TRN_CHUNK_SHIFT)) * (1 << level);
    return (FarPlace){(int32_t)(x >> TRN_CHUNK_SHIFT), (int32_t)(z >> TRN_CHUNK_SHIFT),
                      (uint16_t)((x & mask) | (z & mask) << TRN_CHUNK_SHIFT)};
}

/// Surveys the columns of one chunk column that differs from the samples: those from the first on
/// that lie in it.
static TrnResult survey_differing(MapSource *source, const FarPlace *far, int first, int count,
                                  bool *is_done, SurveyColumn *columns)
{
    uint16_t places[SPAN_COLUMNS];
    int16_t indices[SPAN_COLUMNS];
    SurveyColumn found[SPAN_COLUMNS];
    int same = 0;
    for (int i = first; i < count; i++) {
        if (!is_done[i] && far[i].chunk_x == far[first].chunk_x &&
            far[i].chunk_z == far[first].chunk_z) {
            is_done[i] = true;
            indices[same] = (int16_t)i;
            places[same++] = far[i].place;
        }
    }
    const TrnResult result =
        survey_columns(source, far[first].chunk_x, far[first].chunk_z, places, same, found);
    for (int i = 0; result == TRN_RESULT_OK && i < same; i++) {
        columns[indices[i]] = found[i];
    }
    return result;
}

/// Replaces the samples of chunk columns that differ.
static TrnResult replace_differing(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                                   uint32_t level, const uint16_t *places, int count,
                                   SurveyColumn *columns)
{
    FarPlace far[SPAN_COLUMNS];
    bool is_done[SPAN_COLUMNS];
    for (int i = 0; i < count; i++) {
        far[i] = far_place(chunk_x, chunk_z, level, places[i]);
        is_done[i] = !source->differs(source->differs_user, far[i].chunk_x, far[i].chunk_z);
    }
    TrnResult result = TRN_RESULT_OK;
    for (int i = 0; i < count && result == TRN_RESULT_OK; i++) {
        if (!is_done[i]) {
            result = survey_differing(source, far, i, count, is_done, columns);
        }
    }
    return result;
}

/// As survey_columns, at a level of detail.
static TrnResult sample_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                                const uint16_t *places, int count, SurveyColumn *columns)
{
    TrnTerrainSample samples[SPAN_COLUMNS];
    TrnResult result = source->sample(source->sample_user, chunk_x, chunk_z, level, samples);
    for (int i = 0; result == TRN_RESULT_OK && i < count; i++) {
        columns[i] = far_column(&samples[places[i]]);
    }
    return result == TRN_RESULT_OK && source->differs
               ? replace_differing(source, chunk_x, chunk_z, level, places, count, columns)
               : result;
}

static TrnResult draw_chunk_column(MapJob *job, const MapSpan *x, const MapSpan *z)
{
    uint16_t places[SPAN_COLUMNS];
    SurveyColumn columns[SPAN_COLUMNS];
    const int count = list_places(job, x, z, places);
    TrnResult result =
        job->across.level > 0
            ? sample_columns(job->source, x->chunk, z->chunk, job->across.level, places, count,
                             columns)
            : survey_columns(job->source, x->chunk, z->chunk, places, count, columns);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const SurveyColumn *column = columns;
    for (int64_t j = z->begin; j < z->end; j++) {
        for (int64_t i = x->begin; i < x->end; i++) {
            map_colour_column(
                job->source, column++,
                map_canvas_pixel(&job->canvas, i / job->across.samples, j / job->down.samples));
        }
    }
    return TRN_RESULT_OK;
}

bool map_above_draw(MapJob *job)
{
    MapSpan z = {0};
    while (map_axis_next(&job->down, &z)) {
        MapSpan x = {0};
        while (map_axis_next(&job->across, &x)) {
            if (!map_job_step(job, draw_chunk_column(job, &x, &z))) {
                return false;
            }
        }
        if (!map_canvas_write(&job->canvas, z.end / job->down.samples, job->problem)) {
            return false;
        }
    }
    return true;
}
