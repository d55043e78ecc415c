#include "column_survey.h"
#include "map_colour.h"
#include "map_draw_impl.h"

#define SPAN_COLUMNS (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// The place of a sample inside its chunk.
static uint32_t local_of_sample(const MapAxis *axis, int64_t sample)
{
    return (uint32_t)map_axis_voxel(axis, sample) & (TRN_CHUNK_EDGE - 1);
}

static int list_places(const MapJob *job, const MapSpan *x, const MapSpan *z,
                       uint16_t places[SPAN_COLUMNS])
{
    int count = 0;
    for (int64_t j = z->begin; j < z->end; j++) {
        const uint32_t row = local_of_sample(&job->down, j) << TRN_CHUNK_SHIFT;
        for (int64_t i = x->begin; i < x->end; i++) {
            places[count++] = (uint16_t)(row | local_of_sample(&job->across, i));
        }
    }
    return count;
}

static TrnResult draw_chunk_column(MapJob *job, const MapSpan *x, const MapSpan *z)
{
    uint16_t places[SPAN_COLUMNS];
    SurveyColumn columns[SPAN_COLUMNS];
    const int count = list_places(job, x, z, places);
    TrnResult result = survey_columns(job->source, x->chunk, z->chunk, places, count, columns);
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

bool map_draw_above(MapJob *job)
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
