#include "map/map_draw.h"

#include <inttypes.h>
#include <stdlib.h>

#include <terrane/chunk_index.h>

#define MAP_PLACES (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE) // of a chunk column

struct MapDrawing {
    MapSource *source;
    MapAxis across, down;
    MapCanvas canvas;
    int64_t left;      ///< steps
    MapSpan columns;   ///< of samples that the next step draws
    MapSpan rows;      ///< likewise; of a section, those that follow a row without samples too
    int64_t cut;       ///< of a section: the voxel z
    int64_t chunk_row; ///< of a section: the chunk y that the next step draws
    MapCover *covers;  ///< of a section: [samples across]; else NULL
    int32_t pixel_rows[TRN_CHUNK_EDGE]; ///< of a section: by local y the row of pixels, or -1
};

// ---- plans -------------------------------------------------------------------------------------

static void map_plan_axes(const MapPlan *plan, MapAxis *across, MapAxis *down)
{
    const int border = plan->is_section || plan->is_quick ? 0 : 1;
    *across = map_axis_around(plan->center_x, plan->width, plan->scale, border, false);
    *down = map_axis_around(plan->is_section ? plan->center_y : plan->center_z, plan->height,
                            plan->scale, border, plan->is_section);
}

static bool map_check_axis(const MapAxis *axis, char letter, Message *problem)
{
    int64_t lowest, highest;
    map_axis_ends(axis, &lowest, &highest);
    return (lowest >= TRN_VOXEL_MIN && highest <= TRN_VOXEL_MAX) ||
           message_set(problem,
                       "The picture would reach from %" PRId64 " to %" PRId64
                       " along %c, and the world from %" PRId64 " to %" PRId64
                       "; move --center, or make --size or --scale smaller.",
                       lowest, highest, letter, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
}

bool map_plan_check(const MapPlan *plan, Message *problem)
{
    MapAxis across, down;
    map_plan_axes(plan, &across, &down);
    return map_check_axis(&across, 'x', problem) &&
           map_check_axis(&down, plan->is_section ? 'y' : 'z', problem);
}

/// The chunks along an axis that a picture reads: with the pixels around it.
static void map_chunks_along(int64_t middle, int pixels, int64_t scale, int32_t *first,
                             int32_t *last)
{
    const int64_t lowest = middle - pixels * scale / 2 - 2 * scale;
    const int64_t highest = middle + pixels * scale / 2 + 2 * scale;
    *first = (int32_t)((lowest < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : lowest) >> TRN_CHUNK_SHIFT);
    *last = (int32_t)((highest > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : highest) >> TRN_CHUNK_SHIFT);
}

TrnBox map_plan_chunks(const MapPlan *plan)
{
    TrnBox box = trn_box_everything();
    map_chunks_along(plan->center_x, plan->width, plan->scale, &box.min.x, &box.max.x);
    if (plan->is_section) {
        box.min.z = box.max.z = (int32_t)(plan->center_z >> TRN_CHUNK_SHIFT);
    } else {
        map_chunks_along(plan->center_z, plan->height, plan->scale, &box.min.z, &box.max.z);
        box.min.y = MAP_BOTTOM_CHUNK;
        box.max.y = MAP_TOP_CHUNK;
    }
    return box;
}

// ---- from above --------------------------------------------------------------------------------

static TrnResult map_draw_chunk_column(MapDrawing *drawing)
{
    const MapAxis *across = &drawing->across, *down = &drawing->down;
    const MapSpan *x = &drawing->columns, *z = &drawing->rows;
    uint16_t places[MAP_PLACES];
    MapColumn columns[MAP_PLACES];
    int count = 0;
    for (int64_t j = z->begin; j < z->end; j++) {
        const uint32_t row = map_axis_local(down, j) << TRN_CHUNK_SHIFT;
        for (int64_t i = x->begin; i < x->end; i++) {
            places[count++] = (uint16_t)(row | map_axis_local(across, i));
        }
    }
    const TrnResult result = map_source_columns(drawing->source, x->chunk, z->chunk, across->level,
                                                places, count, columns);
    const MapColumn *column = columns;
    for (int64_t j = z->begin; j < z->end && result == TRN_RESULT_OK; j++) {
        for (int64_t i = x->begin; i < x->end; i++) {
            map_pixel_add_column(
                map_canvas_pixel(&drawing->canvas, i / across->samples, j / down->samples),
                drawing->source, column++);
        }
    }
    return result;
}

// ---- sections ----------------------------------------------------------------------------------

/// Moves downwards to the next row of chunks: one with samples, or one in between that may have
/// ground. The latter holds no samples, but its ground covers the voxels below.
/// @param rows   initially all zeroes; then the samples of this row, or of the next that has some
/// @param chunk  initially MAP_TOP_CHUNK + 1
/// @return false at the end
static bool map_next_section_row(const MapAxis *down, MapSpan *rows, int64_t *chunk)
{
    if ((rows->end == 0 || *chunk == rows->chunk) && !map_axis_next(down, rows)) {
        return false;
    }
    const int64_t below = *chunk - 1 < MAP_TOP_CHUNK ? *chunk - 1 : MAP_TOP_CHUNK;
    *chunk = below > rows->chunk && below >= MAP_BOTTOM_CHUNK ? below : rows->chunk;
    return true;
}

static int64_t map_section_rows(const MapAxis *down)
{
    MapSpan rows = {0};
    int64_t chunk = MAP_TOP_CHUNK + 1, count = 0;
    while (map_next_section_row(down, &rows, &chunk)) {
        count++;
    }
    return count;
}

/// Finds out which pixels the current row of chunks has.
static void map_place_section_row(MapDrawing *drawing)
{
    for (int y = 0; y < TRN_CHUNK_EDGE; y++) {
        drawing->pixel_rows[y] = -1;
    }
    for (int64_t i = drawing->rows.begin;
         i < drawing->rows.end && drawing->chunk_row == drawing->rows.chunk; i++) {
        drawing->pixel_rows[map_axis_local(&drawing->down, i)] =
            (int32_t)(i / drawing->down.samples);
    }
}

/// Draws one column of the current chunk, downwards. @param place  its linear index at y = 0
static void map_draw_section_column(MapDrawing *drawing, uint32_t place, int64_t sample)
{
    MapCover *cover = &drawing->covers[sample];
    for (int32_t y = TRN_CHUNK_EDGE - 1; y >= 0; y--) {
        const TrnBlock block =
            map_source_block(drawing->source, place | trn_local_index(0, (uint32_t)y, 0));
        const TrnBlockKind kind = map_source_kind(drawing->source, block);
        if (drawing->pixel_rows[y] >= 0) {
            MapPixel *pixel = map_canvas_pixel(&drawing->canvas, sample / drawing->across.samples,
                                               drawing->pixel_rows[y]);
            map_pixel_add_voxel(pixel, drawing->source, block,
                                drawing->chunk_row * TRN_CHUNK_EDGE + y, *cover);
        }
        cover->roof += kind == TRN_BLOCK_KIND_OPAQUE;
        cover->liquid = kind == TRN_BLOCK_KIND_LIQUID ? cover->liquid + 1 : 0;
    }
}

static TrnResult map_draw_section_chunk(MapDrawing *drawing)
{
    const MapSpan *span = &drawing->columns;
    const uint32_t z = (uint32_t)drawing->cut & (TRN_CHUNK_EDGE - 1);
    const TrnResult result =
        map_source_load(drawing->source, (TrnCoord){span->chunk, (int32_t)drawing->chunk_row,
                                                    (int32_t)(drawing->cut >> TRN_CHUNK_SHIFT)});
    for (int64_t i = span->begin; i < span->end && result == TRN_RESULT_OK; i++) {
        const uint32_t x = map_axis_local(&drawing->across, i);
        map_draw_section_column(drawing, trn_local_index(x, 0, z), i);
    }
    return result;
}

// ---- both --------------------------------------------------------------------------------------

/// Moves to the next row of chunks. @return false at the end
static bool map_next_row(MapDrawing *drawing)
{
    drawing->columns = (MapSpan){0};
    (void)map_axis_next(&drawing->across, &drawing->columns);
    if (!drawing->covers) {
        return map_axis_next(&drawing->down, &drawing->rows);
    }
    const bool has_row = map_next_section_row(&drawing->down, &drawing->rows, &drawing->chunk_row);
    map_place_section_row(drawing);
    return has_row;
}

bool map_drawing_create(MapDrawing **drawing, const MapPlan *plan, MapSource *source, MapRow *row,
                        void *user, Message *problem)
{
    MapDrawing *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory for the map.");
    }
    made->source = source;
    made->cut = plan->center_z;
    made->chunk_row = MAP_TOP_CHUNK + 1;
    map_plan_axes(plan, &made->across, &made->down);
    if (map_source_has_levels(source) && !plan->is_section) {
        const int64_t from = plan->is_smooth ? 2 : MAP_AXIS_SCALE_FAR;
        map_axis_use_levels(&made->across, from, plan->is_quick || plan->is_smooth);
        map_axis_use_levels(&made->down, from, plan->is_quick || plan->is_smooth);
    }
    if (plan->is_section) {
        made->covers = calloc((size_t)map_axis_samples(&made->across), sizeof *made->covers);
    }
    if ((plan->is_section && !made->covers) ||
        !map_canvas_create(&made->canvas, &made->across, &made->down, !plan->is_section, row, user,
                           problem)) {
        map_drawing_destroy(made);
        return message_set(problem, "Out of memory for the map; make --size smaller.");
    }
    const int64_t rows =
        plan->is_section ? map_section_rows(&made->down) : map_axis_spans(&made->down);
    made->left = rows * map_axis_spans(&made->across);
    (void)map_next_row(made);
    *drawing = made;
    return true;
}

int64_t map_drawing_left(const MapDrawing *drawing)
{
    return drawing->left;
}

bool map_drawing_step(MapDrawing *drawing, Message *problem)
{
    const TrnResult result =
        drawing->covers ? map_draw_section_chunk(drawing) : map_draw_chunk_column(drawing);
    if (result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
    }
    drawing->left--;
    if (map_axis_next(&drawing->across, &drawing->columns)) {
        return true;
    }
    const bool has_samples = !drawing->covers || drawing->chunk_row == drawing->rows.chunk;
    const int64_t whole = drawing->rows.end / drawing->down.samples;
    if (has_samples && !map_canvas_write(&drawing->canvas, whole, problem)) {
        return false;
    }
    (void)map_next_row(drawing);
    return true;
}

void map_drawing_destroy(MapDrawing *drawing)
{
    if (!drawing) {
        return;
    }
    map_canvas_destroy(&drawing->canvas);
    free(drawing->covers);
    free(drawing);
}
