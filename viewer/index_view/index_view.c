#include "index_view/index_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define LOOKS_AGAIN_AFTER 0.1 // in seconds
#define PAGE_INSET 1.0f       // in voxels: separates the boxes of adjacent pages
#define EXTENT_OUTSET 3.0f    // in voxels: keeps extents outside the boxes of pages

static const TrnBox EMPTY = {{1, 1, 1}, {0, 0, 0}};

static void index_view_name_planes(IndexViewSource *source, const TrnChunkIndex *index)
{
    const char *name;
    while ((name = trn_chunk_index_plane_name(index, source->plane_count))) {
        (void)snprintf(source->planes[source->plane_count], sizeof source->planes[0], "%s", name);
        source->plane_count++;
    }
}

void index_view_begin(IndexView *view, const char *const *names,
                      const TrnChunkIndex *const *indexes, uint32_t count)
{
    *view = (IndexView){.source_count = count, .is_stale = true, .flat_box = EMPTY};
    for (uint32_t i = 0; i < count; i++) {
        view->sources[i].name = names[i];
        index_view_name_planes(&view->sources[i], indexes[i]);
    }
}

uint32_t index_view_add_levels(IndexView *view)
{
    IndexViewSource *source = &view->sources[view->source_count];
    *source = view->sources[0];
    source->name = "levels";
    source->has_levels = true;
    return view->source_count++;
}

void index_view_free(IndexView *view)
{
    free(view->figures);
    free(view->bits);
    free(view->boxes);
    *view = (IndexView){0};
}

// ---- planes -------------------------------------------------------------------------------------

static bool index_view_has_plane(const IndexView *view, uint32_t source, TrnPlane plane)
{
    return source < view->source_count && plane < view->sources[source].plane_count;
}

bool index_view_plane_label(const IndexView *view, uint32_t source, TrnPlane plane, Message *label)
{
    if (!index_view_has_plane(view, source, plane)) {
        return false;
    }
    (void)message_set(label, "%s: %s", view->sources[source].name,
                      view->sources[source].planes[plane]);
    return true;
}

const char *index_view_plane_name(const IndexView *view)
{
    return view->sources[view->source].planes[view->plane];
}

void index_view_choose(IndexView *view, uint32_t source, TrnPlane plane)
{
    if (index_view_has_plane(view, source, plane)) {
        view->source = source;
        view->plane = plane;
        view->is_stale = true;
    }
}

void index_view_choose_next(IndexView *view)
{
    if (index_view_has_plane(view, view->source, view->plane + 1)) {
        index_view_choose(view, view->source, view->plane + 1);
    } else {
        index_view_choose(view, (view->source + 1) % view->source_count, TRN_PLANE_PRESENT);
    }
}

void index_view_plane_colour(uint32_t source, TrnPlane plane, uint8_t rgb[3])
{
    static const uint8_t colours[][3] = {{110, 200, 120}, {240, 170, 70}, {170, 130, 240},
                                         {90, 190, 235},  {235, 235, 90}, {245, 110, 95},
                                         {120, 235, 215}, {235, 130, 200}};
    const uint32_t count = sizeof colours / sizeof *colours;
    memcpy(rgb, colours[(plane + source * 3) % count], 3);
}

void index_view_level_colour(uint32_t level, uint8_t rgb[3])
{
    index_view_plane_colour(0, level, rgb);
}

uint32_t index_view_coarsest(const IndexView *view)
{
    return view->sources[view->source].has_levels ? view->level_count : 0;
}

void index_view_fill_colour(double fill, uint8_t rgb[3])
{
    // Viridis at five stops (S. van der Walt, N. Smith): its brightness follows the value, and
    // people with red-green blindness can read it.
    static const double stops[5][3] = {
        {68, 40, 130}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    const double at = (fill > 0 ? fill < 1 ? fill : 1 : 0) * 4;
    const int from = at < 4 ? (int)at : 3;
    for (int i = 0; i < 3; i++) {
        rgb[i] = (uint8_t)(stops[from][i] + (at - from) * (stops[from + 1][i] - stops[from][i]));
    }
}

void index_view_mark_colour(IndexViewMark mark, uint8_t rgb[3])
{
    static const uint8_t colours[][3] = {
        [INDEX_VIEW_MARK_DIRECTORY] = {255, 128, 64},
        [INDEX_VIEW_MARK_FLAT] = {90, 170, 255},
        [INDEX_VIEW_MARK_OUTLIER] = {255, 70, 200},
        [INDEX_VIEW_MARK_SPARSE] = {150, 235, 235},
    };
    memcpy(rgb, colours[mark], 3);
}

double index_view_fill(const IndexView *view, const TrnPageFigures *page)
{
    return page->counts[view->plane] / (double)TRN_PAGE_CELLS;
}

// ---- extents ------------------------------------------------------------------------------------

/// Clamps a coordinate: doubling extents may exceed int32, where there are no chunks.
static int32_t index_view_to_chunk(int64_t at)
{
    return at < INT32_MIN ? INT32_MIN : at > INT32_MAX ? INT32_MAX : (int32_t)at;
}

TrnBox index_view_directory(const IndexView *view)
{
    const TrnBox pages = view->stats[view->source].directory;
    if (trn_box_is_empty(pages) || view->sources[view->source].has_levels) {
        return EMPTY;
    }
    const int64_t edge = TRN_PAGE_EDGE, last = edge - 1;
    return (TrnBox){{index_view_to_chunk(pages.min.x * edge),
                     index_view_to_chunk(pages.min.y * edge),
                     index_view_to_chunk(pages.min.z * edge)},
                    {index_view_to_chunk(pages.max.x * edge + last),
                     index_view_to_chunk(pages.max.y * edge + last),
                     index_view_to_chunk(pages.max.z * edge + last)}};
}

TrnBox index_view_flat(const IndexView *view)
{
    const int64_t *o = view->flat.origin, *e = view->flat.extent;
    if (!view->has_flat || !view->flat.cells || view->sources[view->source].has_levels) {
        return EMPTY;
    }
    return (TrnBox){
        {index_view_to_chunk(o[0]), index_view_to_chunk(o[1]), index_view_to_chunk(o[2])},
        {index_view_to_chunk(o[0] + e[0] - 1), index_view_to_chunk(o[1] + e[1] - 1),
         index_view_to_chunk(o[2] + e[2] - 1)}};
}

// ---- steps --------------------------------------------------------------------------------------

static void index_view_add_step(IndexView *view, const IndexViewStep *step)
{
    view->steps[view->step_count++ % INDEX_VIEW_STEPS_MAX] = *step;
}

static void index_view_note_steps(IndexView *view, uint32_t source, const IndexViewPlace *place)
{
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    const size_t count = trn_chunk_index_directory_steps(place->indexes[source], steps);
    // Step numbers only grow in an index: a lower number means a different index.
    if (!count || steps[count - 1].number < view->last_step[source]) {
        view->last_step[source] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (steps[i].number > view->last_step[source]) {
            index_view_add_step(view,
                                &(IndexViewStep){place->seconds, source, steps[i].from, steps[i].to,
                                                 steps[i].us > 0 ? steps[i].us : -1});
            view->last_step[source] = steps[i].number;
        }
    }
}

static bool index_view_box_equal(TrnBox a, TrnBox b)
{
    return trn_coord_equal(a.min, b.min) && trn_coord_equal(a.max, b.max);
}

static void index_view_note_flat(IndexView *view, const IndexViewPlace *place)
{
    view->has_flat = place->flat != NULL;
    view->flat = place->flat ? trn_spatial_array_stats(place->flat) : (TrnSpatialArrayStats){0};
    const TrnBox box = index_view_flat(view);
    if (!index_view_box_equal(box, view->flat_box)) {
        index_view_add_step(
            view, &(IndexViewStep){place->seconds, view->source_count, view->flat_box, box, -1});
        view->flat_box = box;
    }
}

bool index_view_step(const IndexView *view, uint32_t back, IndexViewStep *step)
{
    if (back >= view->step_count || back >= INDEX_VIEW_STEPS_MAX) {
        return false;
    }
    *step = view->steps[(view->step_count - 1 - back) % INDEX_VIEW_STEPS_MAX];
    return true;
}

/// Writes text such as "4x2x4", or "nothing".
static void index_view_describe_box(TrnBox box, char *text, size_t size)
{
    if (trn_box_is_empty(box)) {
        (void)snprintf(text, size, "nothing");
        return;
    }
    (void)snprintf(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64,
                   (int64_t)box.max.x - box.min.x + 1, (int64_t)box.max.y - box.min.y + 1,
                   (int64_t)box.max.z - box.min.z + 1);
}

void index_view_describe_step(const IndexView *view, const IndexViewStep *step, Message *line)
{
    char from[48], to[48], us[32] = "";
    const bool is_flat = step->source >= view->source_count;
    index_view_describe_box(step->from, from, sizeof from);
    index_view_describe_box(step->to, to, sizeof to);
    if (step->us >= 0) {
        (void)snprintf(us, sizeof us, "%.1f us", step->us);
    }
    (void)message_set(line, "%6.1f s  %-10s  %10s -> %-10s %s  %s", step->seconds,
                      is_flat ? "flat array" : view->sources[step->source].name, from, to,
                      is_flat ? "chunks" : "pages ", us);
}

// ---- boxes in the world -------------------------------------------------------------------------

/// @param chunks  of a level;  grow  in its voxels
static BoxLine index_view_box_line(TrnCoord origin, TrnBox chunks, uint32_t level, float grow)
{
    const int64_t from[3] = {origin.x, origin.y, origin.z}, scale = (int64_t)1 << level;
    const int64_t low[3] = {chunks.min.x, chunks.min.y, chunks.min.z};
    const int64_t high[3] = {chunks.max.x, chunks.max.y, chunks.max.z};
    BoxLine line = {.width = 1, .colour = {255, 255, 255, 255}};
    grow *= (float)scale;
    for (int axis = 0; axis < 3; axis++) {
        line.low[axis] = (float)((low[axis] * scale - from[axis]) * TRN_CHUNK_EDGE) - grow;
        line.high[axis] = (float)(((high[axis] + 1) * scale - from[axis]) * TRN_CHUNK_EDGE) + grow;
    }
    return line;
}

static BoxLine index_view_page_line(const IndexView *view, const TrnPageFigures *page,
                                    uint32_t level)
{
    const TrnBox chunks = trn_page_chunks(trn_page_coord(page->chunk));
    BoxLine line = index_view_box_line(view->camera, chunks, level, -PAGE_INSET);
    if (view->sources[view->source].has_levels) {
        index_view_level_colour(level, line.colour);
        line.colour[3] = page->counts[view->plane] ? 210 : 0;
        return line;
    }
    index_view_fill_colour(index_view_fill(view, page), line.colour);
    line.colour[3] = page->counts[view->plane] ? 210 : 60; // empty pages are drawn faintly
    if (page->is_sparse) {
        index_view_mark_colour(INDEX_VIEW_MARK_SPARSE, line.colour);
    }
    if (page->is_outlier) {
        index_view_mark_colour(INDEX_VIEW_MARK_OUTLIER, line.colour);
        line.width = 2;
    }
    return line;
}

static void index_view_add_extent(IndexView *view, TrnBox chunks, IndexViewMark mark, float grow)
{
    if (trn_box_is_empty(chunks)) {
        return;
    }
    BoxLine line = index_view_box_line(view->camera, chunks, 0, grow);
    index_view_mark_colour(mark, line.colour);
    line.width = 2.5f;
    view->boxes[view->lines.count++] = line;
}

static void index_view_make_boxes(IndexView *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->page_count; i++) {
        const BoxLine line = index_view_page_line(view, &view->figures[i], view->bits[i].level);
        view->boxes[count] = line;
        count += line.colour[3] > 0;
    }
    view->lines = (BoxLines){view->boxes, count, view->camera, view->revision};
    index_view_add_extent(view, index_view_directory(view), INDEX_VIEW_MARK_DIRECTORY,
                          EXTENT_OUTSET);
    index_view_add_extent(view, index_view_flat(view), INDEX_VIEW_MARK_FLAT, 2 * EXTENT_OUTSET);
}

// ---- copying ------------------------------------------------------------------------------------

/// Reserves capacity for this many pages. On failure the contents are lost and the capacity stays.
static bool index_view_reserve_pages(IndexView *view, size_t count)
{
    if (count + 2 <= view->page_capacity) {
        return true;
    }
    const size_t capacity = count + count / 2 + 64;
    TrnPageFigures *figures = realloc(view->figures, capacity * sizeof *figures);
    view->figures = figures ? figures : view->figures;
    IndexViewBits *bits = realloc(view->bits, capacity * sizeof *bits);
    view->bits = bits ? bits : view->bits;
    BoxLine *boxes = realloc(view->boxes, capacity * sizeof *boxes);
    view->boxes = boxes ? boxes : view->boxes;
    if (!figures || !bits || !boxes) {
        return false;
    }
    view->page_capacity = capacity;
    return true;
}

/// Appends the pages of a level around the camera. @return false if out of memory
static bool index_view_copy_level(IndexView *view, const TrnChunkIndex *index, uint32_t level)
{
    const int32_t radius = INDEX_VIEW_RADIUS_MAX * TRN_PAGE_EDGE;
    const TrnCoord camera = {view->camera.x >> level, view->camera.y >> level,
                             view->camera.z >> level};
    const TrnBox box = trn_box_around(camera, radius, radius, radius);
    size_t count = trn_chunk_index_pages(index, box, NULL, 0);
    if (!index_view_reserve_pages(view, view->page_count + count)) {
        return false;
    }
    TrnPageFigures *figures = view->figures + view->page_count;
    IndexViewBits *bits = view->bits + view->page_count;
    count = trn_chunk_index_pages(index, box, figures, count);
    for (size_t i = 0; i < count; i++) {
        bits[i].level = level;
        trn_chunk_index_page_plane(index, figures[i].chunk, TRN_PLANE_PRESENT, bits[i].present);
        trn_chunk_index_page_plane(index, figures[i].chunk, view->plane, bits[i].plane);
    }
    view->page_count += count;
    return true;
}

static void index_view_copy_pages(IndexView *view, const IndexViewPlace *place)
{
    const bool has_levels = view->sources[view->source].has_levels;
    view->page_count = 0;
    view->is_short = false;
    for (uint32_t level = index_view_coarsest(view); level > 0; level--) {
        view->is_short |= !index_view_copy_level(view, place->levels[level - 1], level);
    }
    view->is_short |=
        !index_view_copy_level(view, place->indexes[has_levels ? 0 : view->source], 0);
}

static void index_view_look_at_indexes(IndexView *view, const IndexViewPlace *place)
{
    const double start = clock_us();
    view->camera = place->camera;
    view->looked = place->seconds;
    view->is_stale = false;
    view->revision++;
    view->level_count = place->level_count;
    for (uint32_t i = 0; i < view->level_count; i++) {
        view->levels[i] = trn_chunk_index_stats(place->levels[i]);
    }
    for (uint32_t i = 0; i < view->source_count; i++) {
        if (!view->sources[i].has_levels) {
            view->stats[i] = trn_chunk_index_stats(place->indexes[i]);
        }
    }
    index_view_copy_pages(view, place);
    if (view->boxes) {
        index_view_make_boxes(view);
    }
    view->look_us = clock_us() - start;
}

void index_view_update(IndexView *view, const IndexViewPlace *place, bool is_shown)
{
    for (uint32_t i = 0; i < view->source_count; i++) {
        if (!view->sources[i].has_levels) {
            index_view_note_steps(view, i, place);
        }
    }
    index_view_note_flat(view, place);
    if (is_shown && (view->is_stale || place->seconds - view->looked >= LOOKS_AGAIN_AFTER ||
                     place->seconds < view->looked)) {
        index_view_look_at_indexes(view, place);
    }
}

// ---- history of the chosen chunk ----------------------------------------------------------------

#define LOOK_SECONDS 0.1

static const char *const STATES[TRN_STREAM_STATE_COUNT] = {
    [TRN_STREAM_STATE_UNKNOWN] = "not loaded",
    [TRN_STREAM_STATE_QUEUED] = "queued",
    [TRN_STREAM_STATE_GENERATING] = "generated or loaded",
    [TRN_STREAM_STATE_LOADED] = "loaded",
    [TRN_STREAM_STATE_MESH_QUEUED] = "queued for its mesh",
    [TRN_STREAM_STATE_MESHING] = "meshed",
    [TRN_STREAM_STATE_SHOWN] = "shown",
    [TRN_STREAM_STATE_FAILED] = "failed",
    [TRN_STREAM_STATE_SAVING] = "saved, to unload",
};

/// Records a change of state or voxels.
static void index_life_note(ChunkLife *life, const ChunkLifeLine *now)
{
    const ChunkLifeLine *last = &life->lines[(life->count - 1) % CHUNK_LIFE_LINES];
    if (life->count == 0 || last->state != now->state || last->revision != now->revision) {
        life->lines[life->count++ % CHUNK_LIFE_LINES] = *now;
    }
}

static void index_life_describe(ChunkLife *life, const TrnStreamExplanation *shown,
                                const TrnExplanation *there)
{
    const TrnCoord at = life->chunk;
    size_t length = (size_t)snprintf(life->text, sizeof life->text,
                                     "chunk %" PRId32 " %" PRId32 " %" PRId32
                                     "\n%s\n%s\nmemory: %zu bytes, mesh %zu bytes; "
                                     "revision %" PRIu64 "\nhistory since the click:",
                                     at.x, at.y, at.z, shown->sentence, there->sentence,
                                     there->bytes, shown->mesh_bytes, there->revision);
    for (uint32_t back = 1; back <= CHUNK_LIFE_LINES && back <= life->count; back++) {
        const ChunkLifeLine *line = &life->lines[(life->count - back) % CHUNK_LIFE_LINES];
        if (length < sizeof life->text) {
            length +=
                (size_t)snprintf(life->text + length, sizeof life->text - length,
                                 "\n  %.1f s: %s, revision %" PRIu64, line->seconds - life->begun,
                                 STATES[line->state], line->revision);
        }
    }
}

void chunk_life_watch(ChunkLife *life, const TrnStream *stream, const TrnStore *store,
                      TrnCoord chunk, double seconds)
{
    const bool is_same = life->has_chunk && life->chunk.x == chunk.x && life->chunk.y == chunk.y &&
                         life->chunk.z == chunk.z;
    if (is_same && seconds - life->looked < LOOK_SECONDS) {
        return;
    }
    if (!is_same) {
        *life = (ChunkLife){.chunk = chunk, .has_chunk = true, .begun = seconds};
    }
    life->looked = seconds;
    const TrnStreamExplanation shown = trn_stream_explain(stream, chunk);
    const TrnExplanation there = trn_store_explain(store, chunk);
    index_life_note(life, &(ChunkLifeLine){seconds, shown.state, there.revision});
    index_life_describe(life, &shown, &there);
}
