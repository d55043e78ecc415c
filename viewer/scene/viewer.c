#include "scene/viewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "clock.h"
#include "image.h"
#include "player/player.h"
#include "program.h"
#include "render/culling.h"
#include "render/target.h"
#include "scene/world_notes.h"
#include "settings/command_line.h"
#include "world/land.h"
#include "world/weather.h"
#include "world/world.h"

// ---- callbacks of the world ---------------------------------------------------------------------

static const TrnStore *viewer_store_of(const Viewer *viewer, uint32_t level)
{
    return level ? trn_far_store(world_far(viewer->world), level) : world_store(viewer->world);
}

static bool viewer_sink_show(void *user, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh)
{
    Viewer *viewer = user;
    const double start = clock_us();
    const bool shown = renderer_show(viewer->renderer, chunk, level, mesh);
    culling_note(viewer_store_of(viewer, level), chunk);
    viewer->upload_us += clock_us() - start;
    return shown;
}

static void viewer_sink_hide(void *user, TrnChunk *chunk)
{
    renderer_hide(((Viewer *)user)->renderer, chunk);
}

static void viewer_sink_place(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn)
{
    Viewer *viewer = user;
    renderer_place(viewer->renderer, chunk, is_drawn);
    culling_note(viewer_store_of(viewer, level), chunk);
}

static void viewer_sink_note(void *user, TrnCoord coord, TrnChunk *chunk)
{
    Viewer *viewer = user;
    gather_compare_note(&viewer->compare, coord, chunk);
    if (chunk) {
        seen_land_note(&viewer->seen, coord);
    }
}

#define QUEUE_PART 8 // of the memory limit: the write queue of the world file
#define LOSSES_MAX 8 // after more losses, the viewer gives up

// ---- life ---------------------------------------------------------------------------------------

/// Whether the world has no land except in its file.
static bool viewer_is_empty(const Viewer *viewer)
{
    const WorldFacts *facts = keep_facts(viewer->keep);
    return facts && !facts->has_terrain;
}

static RendererView viewer_view_of(const Viewer *viewer, const Settings *settings)
{
    const int distance = settings_view_distance(settings);
    const int detail = settings_detail_distance(settings);
    const int height = settings_view_height(settings);
    const bool has_levels = !viewer_is_empty(viewer) || keep_has_levels(viewer->keep);
    const TrnFarView far_view = world_far_view(detail, height, has_levels ? distance : 0);
    return (RendererView){detail, height, far_view.levels, distance, (int)far_view.height_chunks};
}

static bool viewer_create_renderer(Viewer *viewer, const Settings *settings, Message *problem)
{
    const RendererDef def = {.width = settings->width,
                             .height = settings->height,
                             .view = viewer_view_of(viewer, settings),
                             .types = viewer->types,
                             .look = settings_look(settings, renderer_suggested_quality())};
    return renderer_create(&viewer->renderer, &def, problem);
}

/// Creates the debris. If out of memory, there is none.
static void viewer_create_debris(Viewer *viewer, const Settings *settings)
{
    DebrisDef def = debris_def(world_store(viewer->world));
    def.seed = settings->seed;
    (void)debris_create(&def, &viewer->debris);
}

static WindowDef viewer_window_def(const Settings *settings)
{
    return (WindowDef){.width = settings->width,
                       .height = settings->height,
                       .visible = !settings->headless,
                       .gl_debug = settings->gl_debug,
                       .gl_es = settings->gl_es};
}

static void viewer_begin_index_view(Viewer *viewer)
{
    const char *const names[] = {"store", "stream"};
    const TrnChunkIndex *const indexes[] = {trn_store_index(world_store(viewer->world)),
                                            trn_stream_index(world_stream(viewer->world))};
    index_view_begin(&viewer->index, names, indexes, 2);
    const uint32_t levels = index_view_add_levels(&viewer->index);
    if (world_far(viewer->world)) {
        index_view_choose(&viewer->index, levels, TRN_PLANE_PRESENT);
    }
}

/// Opens the keep. Called before other users of the types, because the file may add some.
static bool viewer_open_keep(Viewer *viewer, Settings *settings, Message *problem)
{
    const WorldFacts facts = world_notes_facts(settings);
    const KeepDef def = {.path = settings->world,
                         .is_read_only = settings->headless,
                         .player = settings->name ? settings->name : getenv("USER"),
                         .hints = settings->hints,
                         .facts = &facts,
                         .types = viewer->types,
                         .queue_bytes = ((size_t)settings->memory_mib << 20) / QUEUE_PART};
    return keep_open(&viewer->keep, &def, problem) &&
           (!settings->world || world_notes_follow(settings, keep_facts(viewer->keep), problem));
}

int viewer_prepare(Settings *settings, Flight *flight, Message *problem)
{
    const char *name = settings->flight;
    const int code = world_notes_take(settings, problem);
    if (code != PROGRAM_GOOD) {
        return code;
    }
    if (!(name ? flight_read(flight, name, problem)
               : flight_parse(flight, "the built-in flight", asset_first_flight,
                              asset_first_flight_bytes, problem))) {
        return PROGRAM_USAGE;
    }
    if (!command_line_take_flight(settings, name ? name : "flight", flight, problem)) {
        flight_free(flight);
        return PROGRAM_USAGE;
    }
    return PROGRAM_GOOD;
}

/// Takes over a window, or opens one.
static bool viewer_open_window(Viewer *viewer, Window *window, Message *problem)
{
    const WindowDef def = viewer_window_def(viewer->settings);
    if (window && window->handle) {
        window_take_over(&viewer->window, window);
        return true;
    }
    return window_open(&viewer->window, &def, problem);
}

bool viewer_open(Viewer *viewer, Settings *settings, Window *window, Message *problem)
{
    *viewer = (Viewer){.settings = settings};
    // First, so that an unwritable path is reported before anything is shown.
    if (settings->trace && !trace_writer_create(&viewer->trace, settings->trace, problem)) {
        return false;
    }
    if (trn_block_types_create_builtin(NULL, &viewer->types) != TRN_RESULT_OK) {
        return message_set(problem, "Out of memory for the types of blocks.");
    }
    if (!viewer_open_keep(viewer, settings, problem)) {
        return false;
    }
    if (!viewer_open_window(viewer, window, problem)) {
        return false;
    }
    settings->on_processor = renderer_suggested_quality() == LOOK_QUALITY_LOW;
    TrnTerrainDef terrain = trn_terrain_def();
    terrain.seed = settings->seed;
    terrain.version = settings->land_version;
    terrain.shape = settings->shape;
    const WorldDef world = {
        .terrain = terrain,
        .keep = viewer->keep,
        .is_empty = viewer_is_empty(viewer),
        .view_distance = settings_detail_distance(settings),
        .view_height = settings_view_height(settings),
        .far_distance = settings_view_distance(settings),
        .workers = settings_workers(settings),
        .memory_bytes = (size_t)settings->memory_mib << 20,
        .view_distance_max = settings->headless ? 0 : WORLD_VIEW_DISTANCE_MAX,
        .types = viewer->types,
        .sink = {viewer, viewer_sink_show, viewer_sink_hide, viewer_sink_note, viewer_sink_place},
        .trace = viewer->trace};
    if (!viewer_create_renderer(viewer, settings, problem) ||
        !gather_compare_create(&viewer->compare, settings_detail_distance(settings), problem) ||
        !world_create(&viewer->world, &world, problem)) {
        return false;
    }
    if (!seen_land_create(&viewer->seen, viewer->world, viewer->keep, viewer->types)) {
        return message_set(problem, "Out of memory for the map.");
    }
    viewer_create_debris(viewer, settings);
    viewer_begin_index_view(viewer);
    return true;
}

void viewer_place(Viewer *viewer, Message *news)
{
    memcpy(viewer->at, viewer->settings->at, sizeof viewer->at);
    news->text[0] = '\0';
    if (!viewer->settings->at_is_known && !viewer_is_empty(viewer)) {
        player_leave_rock(world_terrain(viewer->world), viewer->types, viewer->at, news);
    }
}

void viewer_close(Viewer *viewer)
{
    debris_destroy(viewer->debris);
    index_view_free(&viewer->index);
    seen_land_free(&viewer->seen);
    world_destroy(viewer->world); // workers must end before the data that they write to
    keep_close(viewer->keep);
    trace_writer_destroy(viewer->trace);
    gather_compare_free(&viewer->compare);
    renderer_destroy(viewer->renderer);
    trn_block_types_destroy(viewer->types);
    if (viewer->window.handle) {
        window_close(&viewer->window);
    }
    *viewer = (Viewer){0};
}

// ---- losses -------------------------------------------------------------------------------------

bool viewer_is_lost(Viewer *viewer)
{
    return gl_context_loss(&viewer->window.context) != GL_LOSS_NONE;
}

/// Creates the renderer again with the same size and look.
static bool viewer_create_renderer_again(Viewer *viewer, Message *problem)
{
    const RendererDef def = renderer_def(viewer->renderer);
    renderer_destroy(
        viewer->renderer); // its object names are meaningless now, and the driver ignores them
    viewer->renderer = NULL;
    const WindowDef window = viewer_window_def(viewer->settings);
    return window_renew(&viewer->window, &window, problem) &&
           renderer_create(&viewer->renderer, &def, problem);
}

bool viewer_renew(Viewer *viewer, Message *problem)
{
    const char *reason = gl_loss_text(viewer->window.context.loss);
    if (++viewer->losses > LOSSES_MAX) {
        return message_set(problem,
                           "OpenGL's context was lost for the %uth time: %s. Another driver, or "
                           "drawing on the processor (LIBGL_ALWAYS_SOFTWARE=1), may help.",
                           viewer->losses, reason);
    }
    fprintf(stderr, "terrane-viewer: OpenGL's context was lost: %s; drawing starts again\n",
            reason);
    if (!viewer_create_renderer_again(viewer, problem)) {
        return false;
    }
    world_show_again(viewer->world);
    return true;
}

// ---- changes while it runs ----------------------------------------------------------------------

static WorldRun viewer_run_of(const Settings *settings)
{
    return (WorldRun){.view_distance = settings_detail_distance(settings),
                      .view_height = settings_view_height(settings),
                      .far_distance = settings_view_distance(settings),
                      .workers = settings_workers(settings),
                      .memory_bytes = (size_t)settings->memory_mib << 20};
}

static bool viewer_resize_view(Viewer *viewer, const Settings *wished, Message *problem)
{
    const RendererView view = viewer_view_of(viewer, wished);
    const int detail = settings_detail_distance(wished);
    return (detail <= settings_detail_distance(viewer->settings) ||
            gather_compare_resize(&viewer->compare, detail, problem)) &&
           renderer_set_view(viewer->renderer, &view, world_store(viewer->world), problem);
}

ViewerChange viewer_change(Viewer *viewer, const Settings *wished, Message *problem)
{
    Message other;
    const RendererView before = viewer_view_of(viewer, viewer->settings);
    const WorldRun run = viewer_run_of(wished);
    if (!viewer_resize_view(viewer, wished, problem)) {
        return VIEWER_KEPT;
    }
    // The index view receives the stream's index with every frame, so a new stream is no problem.
    switch (world_change(viewer->world, &run, problem)) {
    case WORLD_KEPT:
        // Cannot fail if the view shrinks again; if it stays larger, it only wastes some memory.
        (void)renderer_set_view(viewer->renderer, &before, world_store(viewer->world), &other);
        return VIEWER_KEPT;
    case WORLD_LOST:
        return VIEWER_LOST;
    default:
        return VIEWER_CHANGED;
    }
}

// ---- one frame ----------------------------------------------------------------------------------

TrnBox viewer_box(const Viewer *viewer)
{
    const int32_t radius = settings_detail_distance(viewer->settings),
                  height = settings_view_height(viewer->settings);
    return trn_box_around(viewer->camera.position.chunk, radius, height, radius);
}

/// Returns the type of the block at the camera; air if its chunk is not loaded.
static const TrnBlockType *viewer_type_at_camera(const Viewer *viewer)
{
    TrnVoxel voxel = trn_coord_voxel(viewer->camera.position.chunk);
    voxel.x += (int64_t)viewer->camera.position.offset[0];
    voxel.y += (int64_t)viewer->camera.position.offset[1];
    voxel.z += (int64_t)viewer->camera.position.offset[2];
    TrnBlock block = TRN_BLOCK_AIR;
    trace_chunk(viewer->trace, TRACE_FIND, viewer->camera.position.chunk);
    (void)trn_store_get_block(world_store(viewer->world), voxel, &block);
    const TrnBlockType *type = trn_block_types_get(viewer->types, block);
    return type->liquid ? trn_block_types_get(viewer->types, type->liquid) : type;
}

void viewer_update(Viewer *viewer, TrnStreamBudget budget, TrnStreamReport *report)
{
    budget.upload_bytes =
        budget.upload_bytes ? budget.upload_bytes : (size_t)viewer->settings->upload_kib << 10;
    viewer->upload_us = 0;
    world_update(viewer->world, &viewer->camera, viewer->velocity, budget, report);
}

static IndexViewPlace viewer_index_place(const Viewer *viewer, double seconds)
{
    const GatherCompare *compare = &viewer->compare;
    const TrnFar *far_view = world_far(viewer->world);
    IndexViewPlace place = {.indexes = {trn_store_index(world_store(viewer->world)),
                                        trn_stream_index(world_stream(viewer->world))},
                            .camera = viewer->camera.position.chunk,
                            .flat = compare->array_holds ? compare->array : NULL,
                            .seconds = seconds,
                            .level_count = far_view ? trn_far_view(far_view).levels : 0};
    for (uint32_t i = 0; i < place.level_count; i++) {
        place.levels[i] = trn_store_index(trn_far_store(far_view, i + 1));
    }
    return place;
}

void viewer_watch_index(Viewer *viewer, double seconds)
{
    const IndexViewPlace place = viewer_index_place(viewer, seconds);
    IndexView *index = &viewer->index;
    index_view_update(index, &place, viewer->settings->index_view);
    if (index->has_chosen && viewer->settings->index_view) {
        chunk_life_watch(&viewer->life, world_stream(viewer->world), world_store(viewer->world),
                         index->chosen, seconds);
        index->about = viewer->life.text;
    }
}

void viewer_look_at_index(Viewer *viewer, double seconds)
{
    viewer->index.is_stale = true;
    viewer_watch_index(viewer, seconds);
}

/// Returns the box of a level's chunks that may be drawn. After the view has shrunk, the box keeps
/// its size until all chunks outside are unloaded: until then, no other level is drawn there.
/// @param radius,height  of the level's view
static TrnBox viewer_drawn_box(Viewer *viewer, uint32_t level, int32_t radius, int32_t height)
{
    ViewerReach *reach = &viewer->reaches[level];
    const bool is_settled = world_is_idle(viewer->world);
    radius += RENDERER_MARGIN;
    height += RENDERER_MARGIN;
    reach->radius = is_settled || reach->radius < radius ? radius : reach->radius;
    reach->height = is_settled || reach->height < height ? height : reach->height;
    const TrnCoord at = viewer->camera.position.chunk;
    const TrnCoord here = {at.x >> level, at.y >> level, at.z >> level};
    return trn_box_around(here, reach->radius, reach->height, reach->radius);
}

/// Returns the box of level 0. Without levels, haze hides everything outside the view.
static TrnBox viewer_find_near_box(Viewer *viewer)
{
    return world_far(viewer->world)
               ? viewer_drawn_box(viewer, 0, settings_detail_distance(viewer->settings),
                                  settings_view_height(viewer->settings))
               : viewer_box(viewer);
}

/// Lists the levels beyond the store, and the boxes around their views. @return the number of
/// levels
static uint32_t viewer_list_levels(Viewer *viewer, RendererLevel levels[TRN_FAR_LEVEL_MAX])
{
    const TrnFar *far_view = world_far(viewer->world);
    if (!far_view) {
        return 0;
    }
    const TrnFarView view = trn_far_view(far_view);
    for (uint32_t i = 0; i < view.levels; i++) {
        levels[i] = (RendererLevel){trn_far_store(far_view, i + 1),
                                    viewer_drawn_box(viewer, i + 1, (int32_t)view.radius_chunks,
                                                     (int32_t)view.height_chunks)};
    }
    return view.levels;
}

static RendererWeather viewer_weather_now(const Viewer *viewer)
{
    const Settings *settings = viewer->settings;
    const WeatherChoice choice = settings->weather == SETTINGS_WEATHER_RAIN ? WEATHER_FALLING
                                 : settings->weather == SETTINGS_WEATHER_AUTO && !settings->headless
                                     ? WEATHER_CHANGING
                                     : WEATHER_CLEAR;
    return weather_find(viewer->world, viewer->camera.position, choice, viewer->seconds);
}

bool viewer_draw(Viewer *viewer, Message *problem)
{
    if (viewer_is_lost(viewer)) {
        return message_set(problem, "OpenGL's context was lost: %s. Start again.",
                           gl_loss_text(viewer->window.context.loss));
    }
    trace_gather(viewer->trace, viewer_box(viewer));
    gather_compare_frame(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    const TrnBlockType *inside = viewer_type_at_camera(viewer);
    RendererLevel levels[TRN_FAR_LEVEL_MAX];
    const uint32_t level_count = viewer_list_levels(viewer, levels);
    const float part = world_view_part(viewer->world);
    const int reach = settings_view_distance(viewer->settings) * TRN_CHUNK_EDGE;
    RendererSea sea;
    open_sea_find(viewer->world, viewer->camera.position, (double)part * reach, &sea);
    const RendererFrame frame = {.camera = &viewer->camera,
                                 .seconds = viewer->seconds,
                                 .inside = inside->kind,
                                 .inside_glows = inside->light > 0,
                                 .view_part = part,
                                 .store = world_store(viewer->world),
                                 .box = viewer_find_near_box(viewer),
                                 .levels = levels,
                                 .level_count = level_count,
                                 .sea = &sea,
                                 .weather = viewer_weather_now(viewer),
                                 .debris = viewer->debris,
                                 .cubes = viewer->others.cubes,
                                 .cube_count = viewer->others.cube_count,
                                 .outline = viewer->outline,
                                 .blur = viewer->blur,
                                 .boxes =
                                     viewer->settings->index_view ? &viewer->index.lines : NULL};
    trace_end_frame(viewer->trace);
    return renderer_draw(viewer->renderer, &frame, problem);
}

bool viewer_write_picture(const Viewer *viewer, int width, int height, const char *name,
                          bool is_window, bool *is_taken, Message *problem)
{
    const char *const folder = viewer->settings->out;
    unsigned char *rgb = malloc((size_t)width * (size_t)height * 3);
    if (!rgb) {
        return message_set(problem, "Out of memory for the picture %s.", name);
    }
    if (is_window) {
        target_read_window(width, height, rgb);
    } else {
        renderer_read(viewer->renderer, rgb);
    }
    const bool good = is_taken
                          ? image_write_new_png(folder, name, rgb, width, height, is_taken, problem)
                          : image_write_png(folder, name, rgb, width, height, problem);
    free(rgb);
    return good;
}

bool viewer_finish_trace(Viewer *viewer, Message *problem)
{
    Message note;
    bool good = trace_writer_finish(viewer->trace, &note, problem);
    if (good && note.text[0]) {
        fprintf(stderr, "terrane-viewer: %s\n", note.text);
    }
    return good;
}

void viewer_warn_refused(Viewer *viewer)
{
    const uint32_t refused = world_refused(viewer->world);
    if (refused && !viewer->refused) {
        fprintf(stderr,
                "terrane-viewer: the graphics card holds at most %u quads; chunks farther away are "
                "not shown. A smaller --view-distance fits.\n",
                renderer_stats(viewer->renderer).card.quad_max);
    }
    viewer->refused = refused;
}
