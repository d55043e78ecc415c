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
        return (SurveyColumn){TRN_BLOCK_ICE, TRN_BLOCK_ICE, TRN_TERRAIN_SEA_LEVEL,
                              TRN_TERRAIN_SEA_LEVEL};
    }
    const bool is_wet = place->surface == TRN_BLOCK_WATER;
    return (SurveyColumn){place->surface, place->top, is_wet ? TRN_TERRAIN_SEA_LEVEL : bed_y,
                          bed_y};
}

/// As survey_columns, at a level of detail.
static TrnResult sample_columns(const MapSource *source, int32_t chunk_x, int32_t chunk_z,
                                uint32_t level, const uint16_t *places, int count,
                                SurveyColumn *columns)
{
    TrnTerrainSample samples[SPAN_COLUMNS];
    TrnResult result = source->sample(source->sample_user, chunk_x, chunk_z, level, samples);
    for (int i = 0; result == TRN_RESULT_OK && i < count; i++) {
        columns[i] = far_column(&samples[places[i]]);
    }
    return result;
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
