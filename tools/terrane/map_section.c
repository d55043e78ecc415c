#include "map_section.h"

#include <stdlib.h>

#include "map_colour.h"

/// A row of chunks of a section.
typedef struct SectionRow {
    int32_t chunk;
    /// by local y: the row of the picture that it belongs to, or -1
    int32_t pixel_rows[TRN_CHUNK_EDGE];
} SectionRow;

static void count_cover(SectionCover *cover, uint8_t kind)
{
    cover->roof += kind == TRN_BLOCK_KIND_OPAQUE;
    cover->liquid = kind == TRN_BLOCK_KIND_LIQUID ? cover->liquid + 1 : 0;
}

/// Draws one column of the current chunk, downwards.
static void draw_section_column(MapJob *job, const SectionRow *row, uint32_t place,
                                int64_t pixel_column, SectionCover *cover)
{
    const MapSource *source = job->source;
    for (int32_t y = TRN_CHUNK_EDGE - 1; y >= 0; y--) {
        const TrnBlock block = map_source_block(source, place | trn_local_index(0, (uint32_t)y, 0));
        if (row->pixel_rows[y] >= 0) {
            map_colour_voxel(source, block, (int64_t)row->chunk * TRN_CHUNK_EDGE + y, *cover,
                             map_canvas_pixel(&job->canvas, pixel_column, row->pixel_rows[y]));
        }
        count_cover(cover, source->kinds[block]);
    }
}

static bool draw_section_row(MapJob *job, const SectionRow *row, SectionCover *covers)
{
    const uint32_t z = (uint32_t)job->cut & (TRN_CHUNK_EDGE - 1);
    const int32_t chunk_z = (int32_t)(job->cut >> TRN_CHUNK_SHIFT);
    MapSpan span = {0};
    while (map_axis_next(&job->across, &span)) {
        if (!map_job_step(
                job, map_source_load(job->source, (TrnCoord){span.chunk, row->chunk, chunk_z}))) {
            return false;
        }
        for (int64_t i = span.begin; i < span.end; i++) {
            const uint32_t x = (uint32_t)map_axis_voxel(&job->across, i) & (TRN_CHUNK_EDGE - 1);
            draw_section_column(job, row, trn_local_index(x, 0, z), i / job->across.samples,
                                &covers[i]);
        }
    }
    return true;
}

/// How many rows of chunks with possible ground are between the last drawn row and the next. They
/// hold no samples, but their ground covers the voxels below.
/// @param highest  receives the first of them
static int32_t rows_between(int64_t above, int64_t below, int32_t *highest)
{
    const int64_t first = above - 1 < MAP_TOP_CHUNK ? above - 1 : MAP_TOP_CHUNK;
    const int64_t last = below + 1 > MAP_BOTTOM_CHUNK ? below + 1 : MAP_BOTTOM_CHUNK;
    *highest = (int32_t)first;
    return first >= last ? (int32_t)(first - last) + 1 : 0;
}

static SectionRow section_row(const MapAxis *down, int32_t chunk, const MapSpan *span)
{
    SectionRow row = {.chunk = chunk};
    for (int y = 0; y < TRN_CHUNK_EDGE; y++) {
        row.pixel_rows[y] = -1;
    }
    for (int64_t i = span->begin; i < span->end; i++) {
        row.pixel_rows[map_axis_voxel(down, i) & (TRN_CHUNK_EDGE - 1)] =
            (int32_t)(i / down->samples);
    }
    return row;
}

static bool draw_rows_between(MapJob *job, int32_t above, int32_t below, SectionCover *covers)
{
    const MapSpan no_samples = {0};
    int32_t highest;
    int32_t count = rows_between(above, below, &highest);
    for (int32_t i = 0; i < count; i++) {
        const SectionRow row = section_row(&job->down, highest - i, &no_samples);
        if (!draw_section_row(job, &row, covers)) {
            return false;
        }
    }
    return true;
}

static bool draw_section_rows(MapJob *job, SectionCover *covers)
{
    int32_t above = MAP_TOP_CHUNK + 1;
    MapSpan span = {0};
    while (map_axis_next(&job->down, &span)) {
        const SectionRow row = section_row(&job->down, span.chunk, &span);
        if (!draw_rows_between(job, above, span.chunk, covers) ||
            !draw_section_row(job, &row, covers) ||
            !map_canvas_write(&job->canvas, span.end / job->down.samples, job->problem)) {
            return false;
        }
        above = span.chunk;
    }
    return true;
}

bool map_section_draw(MapJob *job)
{
    SectionCover *covers = calloc((size_t)map_axis_samples(&job->across), sizeof *covers);
    if (!covers) {
        return message_set(job->problem, "Out of memory for the map; make --size smaller.");
    }
    bool good = draw_section_rows(job, covers);
    free(covers);
    return good;
}

int64_t map_section_steps(const MapAxis *across, const MapAxis *down)
{
    int32_t above = MAP_TOP_CHUNK + 1, highest;
    int64_t rows = 0;
    MapSpan span = {0};
    while (map_axis_next(down, &span)) {
        rows += 1 + rows_between(above, span.chunk, &highest);
        above = span.chunk;
    }
    return rows * map_axis_spans(across);
}
