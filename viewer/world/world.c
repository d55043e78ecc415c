#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/chunk_view.h"
#include "render/culling.h"
#include "world/flow.h"
#include "world/world_mesh.h"

#define COLUMN_BYTES ((size_t)10 * 1024) // of the terrain's columns: see TrnTerrainDef
#define COLUMNS_MIN 64u
#define MEMORY_PART 8u // of the memory limit: for columns, and for changed chunks
// Of the memory limit: scratch of threads. A fixed part, so that a limit reduces the view equally
// for any number of workers that fits in it.
#define THREADS_PART(limit) ((limit) / 8 * 3)
#define OPEN_SIDES ((1u << TRN_FACE_COUNT) - 1)
#define FAR_PART 4u      // of the memory limit: for the levels beyond the stream's view
#define FLOW_PART 32u    // of the memory limit: for flowing liquids
#define FLOW_CHUNKS 64u  // limit of chunks that a step changes
#define QUIET_SETTLED 2u // updates without progress, after which only refused meshes are left
#define READY_CHUNKS_MAX 3
#define EDIT_BYTES ((size_t)64 << 20)
#define EMPTY_SECONDS 10.0 // limit for writing everything before the stream is recreated
#define SAVE_ROUNDS_MAX 64 // of filling and writing the queue

/// The `user` of a level's hooks.
typedef struct WorldLevel {
    World *world;
    uint32_t level;
} WorldLevel;

struct World {
    WorldDef def;
    WorldLevel levels[TRN_FAR_LEVEL_MAX + 1];
    TrnFar *far_view;           ///< NULL: no levels
    TrnStreamReport far_report; ///< of the last update
    TrnTerrain *terrain;
    TrnStore *store;
    TrnStream *stream;
    Flow *flow;           ///< NULL: the types are not the built-in ones
    Keep *keep;           ///< the def's, or own_keep
    Keep *own_keep;       ///< in memory; NULL: the def has one
    size_t scratch_bytes; ///< of workers and the terrain
    int prepared;         ///< view distance for which the terrain's column cache is sized
    TrnStreamAnchor anchor;
    TrnStreamAnchorId anchor_id;
    TrnBlockType *types; ///< [type_count] the workers' copy, because the registry's table may move
    uint32_t type_count;
    uint32_t worker_count;  ///< the calling thread is one of them
    unsigned char **worker; ///< [worker_count] WORLD_MESH_WORKER_BYTES each
    TrnStreamReport report; ///< of the last update
    TrnResult problem;      ///< of the last update
    uint32_t refused, quiet;
};

// ---- hooks that workers call --------------------------------------------------------------------

static TrnResult world_mesh_chunk(void *user, const TrnStreamJob *job,
                                  const TrnStreamMeshInput *around, TrnStreamMesh *mesh)
{
    const World *world = ((const WorldLevel *)user)->world;
    TrnMeshInput input = {.present = around->present,
                          .missing_is_solid = true, // beyond the end of the world
                          .open_sides = job->level ? OPEN_SIDES : 0,
                          .sky = around->sky,
                          .blocks = around->blocks,
                          .types = world->types,
                          .type_count = world->type_count};
    memcpy(input.around, around->around, sizeof input.around);
    return world_mesh_create(job, &input, world->worker[job->worker], mesh);
}

// ---- hooks that the calling thread calls --------------------------------------------------------

static TrnResult world_upload_mesh(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    const WorldLevel *level = user;
    World *world = level->world;
    const ChunkMesh shows = world_mesh_view(mesh->mesh);
    const bool was_refused = chunk_view(chunk)->refused;
    const bool shown = world->def.sink.show(world->def.sink.user, chunk, level->level, &shows);
    chunk_view(chunk)->refused = !shown;
    world->refused += (shown ? 0u : 1u) - (was_refused ? 1u : 0u);
    if (!shown) {
        return TRN_RESULT_FULL;
    }
    if (mesh->mesh) {
        free(mesh->mesh);
        mesh->mesh = user; // nothing is kept but on the graphics card
        mesh->bytes = 0;
    }
    return TRN_RESULT_OK;
}

static void world_drop_mesh(void *user, TrnStreamMesh mesh)
{
    if (mesh.mesh != user) {
        free(mesh.mesh);
    }
}

static void world_unload_chunk(void *user, TrnChunk *chunk)
{
    const WorldLevel *level = user;
    World *world = level->world;
    const WorldSink *sink = &world->def.sink;
    world->refused -= chunk_view(chunk)->refused ? 1 : 0;
    sink->hide(sink->user, chunk);
    if (level->level) {
        return;
    }
    trace_chunk(world->def.trace, TRACE_FIND, chunk->coord);
    trace_chunk(world->def.trace, TRACE_REMOVE, chunk->coord);
    sink->note(sink->user, chunk->coord, NULL);
}

/// Whether a chunk is air. The stream does not mesh air, so such a chunk is shown without a mesh.
static bool world_is_air(const TrnChunk *chunk)
{
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    return trn_snapshot_is_uniform(voxels) && trn_snapshot_uniform(voxels) == TRN_BLOCK_AIR;
}

/// Records a meshed chunk: the stream reads it for meshing, and looks it up again to show it.
static void world_trace_mesh(const World *world, TrnCoord coord)
{
    const TrnChunk *chunk = trn_store_find(world->store, coord);
    trace_chunk(world->def.trace, TRACE_FIND, coord);
    if (chunk && !world_is_air(chunk)) {
        trace_chunk(world->def.trace, TRACE_NEIGHBOURS, coord);
        trace_chunk(world->def.trace, TRACE_FIND, coord);
    }
}

/// Records the trace. Not recorded in the hooks: events arrive on the calling thread, in an order
/// that an exact run repeats.
static void world_hear_stream(void *user, const TrnStreamEvent *event)
{
    World *world = user;
    const WorldSink *sink = &world->def.sink;
    if (event->kind == TRN_STREAM_EVENT_LOADED) {
        trace_chunk(world->def.trace, TRACE_INSERT, event->coord);
        sink->note(sink->user, event->coord, trn_store_find(world->store, event->coord));
    } else if (world->def.trace && (event->kind == TRN_STREAM_EVENT_SHOWN ||
                                    (event->kind == TRN_STREAM_EVENT_FAILED &&
                                     event->stage == TRN_STREAM_STAGE_UPLOAD))) {
        world_trace_mesh(world, event->coord);
    }
}

// ---- life ---------------------------------------------------------------------------------------

static bool world_create_terrain(World *world)
{
    TrnTerrainDef *def = &world->def.terrain;
    const size_t limit = world->def.memory_bytes / MEMORY_PART / COLUMN_BYTES;
    const size_t edge = 2 * (size_t)world->def.view_distance + 8;
    size_t columns = edge * edge;
    columns = limit && columns > limit ? limit : columns;
    world->prepared = world->def.view_distance;
    def->column_cache_max = columns < COLUMNS_MIN ? COLUMNS_MIN : (uint32_t)columns;
    return trn_terrain_create(def, &world->terrain) == TRN_RESULT_OK;
}

/// Copies the types for the workers, without their names. No worker may be running.
static bool world_copy_types(World *world)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(world->store), &count);
    TrnBlockType *copy = malloc(count * sizeof *copy);
    if (!copy) {
        return false;
    }
    memcpy(copy, types, count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        copy[i].name = NULL;
    }
    free(world->types);
    world->types = copy;
    world->type_count = count;
    return true;
}

static TrnStoreDef world_store_def(const World *world)
{
    static const TrnPlaneDef planes[] = {{.name = CULLING_PLANE_DRAWN},
                                         {.name = CULLING_PLANE_CLOSED}};
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    def.planes = planes;
    def.plane_count = 2;
    def.types = world->def.types;
    def.reader_max = TRN_STREAM_WORKER_MAX;
    return def;
}

static bool world_create_store(World *world)
{
    const TrnStoreDef def = world_store_def(world);
    if (trn_store_create(&def, &world->store) != TRN_RESULT_OK) {
        return false;
    }
    return world_copy_types(world);
}

/// Allocates the memory of the workers, before they start.
static bool world_create_workers(World *world)
{
    const uint32_t count = trn_stream_stats(world->stream).workers + 1;
    world->worker = calloc(count, sizeof *world->worker);
    for (uint32_t i = 0; world->worker && i < count; i++, world->worker_count++) {
        world->worker[i] = trn_aligned_alloc(WORLD_MESH_WORKER_BYTES, 64);
        if (!world->worker[i]) {
            return false;
        }
    }
    // The stream's bytes include its light solver and the store's flow.
    const size_t limit = world->def.memory_bytes, part = THREADS_PART(limit);
    const size_t light = trn_stream_bytes(world->stream) - flow_bytes(world->flow),
                 own = count * WORLD_MESH_WORKER_BYTES;
    world->scratch_bytes = (part > light + own ? part - light : own) +
                           world->def.terrain.column_cache_max * COLUMN_BYTES;
    trn_stream_set_scratch(world->stream, world->scratch_bytes);
    // The rest must be enough for at least a small view.
    return world->worker && (!limit || trn_stream_bytes(world->stream) <= limit / 4 * 3);
}

static void world_free_workers(World *world)
{
    for (uint32_t i = 0; i < world->worker_count; i++) {
        trn_aligned_free(world->worker[i]);
    }
    free(world->worker);
    world->worker = NULL;
    world->worker_count = 0;
}

static TrnResult world_generate_air(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                    bool *uniform)
{
    (void)user, (void)coord, (void)level;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

static TrnStreamHooks world_hooks(World *world)
{
    for (uint32_t i = 0; i <= TRN_FAR_LEVEL_MAX; i++) {
        world->levels[i] = (WorldLevel){world, i};
    }
    return (TrnStreamHooks){.mesh = world_mesh_chunk,
                            .upload = world_upload_mesh,
                            .drop_mesh = world_drop_mesh,
                            .unload = world_unload_chunk,
                            .user = &world->levels[0]};
}

static void world_place_chunk(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn)
{
    const WorldSink *sink = &((World *)user)->def.sink;
    if (sink->place) {
        sink->place(sink->user, level, chunk, is_drawn);
    }
}

TrnFarView world_far_view(int view_distance, int view_height, int far_distance)
{
    if (far_distance <= view_distance) {
        return (TrnFarView){.levels = 0};
    }
    TrnFarView view = trn_far_view_to((uint32_t)far_distance, (uint32_t)view_distance);
    // Distant land is flat, and a level reaches twice as high as the level inside it anyway.
    view.height_chunks = ((uint32_t)view_height + 1) / 2;
    return view;
}

/// Returns the far view of a def. A world without land has levels only if its file has them:
/// otherwise they would be air, and would hide buildings.
static TrnFarView world_far_view_of(const WorldDef *def)
{
    const bool has_levels = !def->is_empty || (def->keep && keep_has_levels(def->keep));
    return world_far_view(def->view_distance, def->view_height, has_levels ? def->far_distance : 0);
}

/// Returns the generator for chunks that the file lacks.
static TrnGenerator world_generator(const World *world)
{
    return world->def.is_empty
               ? (TrnGenerator){.generate = world_generate_air, .level_max = TRN_FAR_LEVEL_MAX}
               : trn_terrain_generator(world->terrain);
}

/// Creates the levels beyond the stream's view, if there are any.
static bool world_create_far(World *world)
{
    TrnFarDef def = trn_far_def();
    def.view = world_far_view_of(&world->def);
    if (!def.view.levels) {
        return true;
    }
    def.stream = world->stream;
    def.generator = world_generator(world);
    def.source = keep_source(world->keep);
    def.hooks = world_hooks(world);
    for (uint32_t i = 0; i <= TRN_FAR_LEVEL_MAX; i++) {
        def.users[i] = &world->levels[i];
    }
    def.store = world_store_def(world);
    def.store.types = trn_store_block_types(world->store);
    def.draw = world_place_chunk;
    def.draw_user = world;
    def.bytes_max = world->def.memory_bytes / FAR_PART;
    return trn_far_create(&def, &world->far_view) == TRN_RESULT_OK;
}

/// Tells the sink that the chunks of this and coarser levels are unloaded: ending their streams
/// calls no hooks.
static void world_hide_levels(World *world, uint32_t from)
{
    TrnChunk *chunks[256];
    for (uint32_t i = from; world->far_view && i <= trn_far_view(world->far_view).levels; i++) {
        const TrnPool *pool = trn_store_pool(trn_far_store(world->far_view, i));
        uint32_t cursor = 0;
        for (size_t count; (count = trn_pool_gather(pool, &cursor, (void **)chunks, 256));) {
            for (size_t k = 0; k < count; k++) {
                world_unload_chunk(&world->levels[i], chunks[k]);
            }
        }
    }
}

static void world_destroy_far(World *world)
{
    world_hide_levels(world, 1);
    trn_far_destroy(world->far_view);
    world->far_view = NULL;
    world->far_report = (TrnStreamReport){.us = 0};
}

static bool world_create_stream(World *world)
{
    TrnStreamDef def = trn_stream_def();
    def.store = world->store;
    def.generator = world_generator(world);
    def.source = keep_source(world->keep);
    def.hooks = world_hooks(world);
    def.bytes_max = world->def.memory_bytes;
    def.workers = world->def.workers;
    def.light = true;
    def.listener = world_hear_stream;
    def.listener_user = world;
    world->anchor = trn_stream_anchor();
    world->anchor.radius_chunks = (uint32_t)world->def.view_distance;
    world->anchor.height_chunks = (uint32_t)world->def.view_height;
    return trn_stream_create(&def, &world->stream) == TRN_RESULT_OK &&
           trn_stream_anchor_add(world->stream, &world->anchor, &world->anchor_id) ==
               TRN_RESULT_OK &&
           world_create_workers(world) && world_create_far(world);
}

/// Called after the store is created, because the keep needs its types.
/// @param problem  receives the reason of a failure
static bool world_create_keep(World *world, Message *problem)
{
    const KeepDef def = {.types = trn_store_block_types(world->store)};
    if (!world->def.keep && !keep_open(&world->own_keep, &def, problem)) {
        return false;
    }
    world->keep = world->def.keep ? world->def.keep : world->own_keep;
    const TrnResult result = keep_load_pending(world->keep, world->store);
    return result == TRN_RESULT_OK ? keep_join(world->keep, world->store, problem)
                                   : message_set(problem, "Edits of your world cannot be read: %s",
                                                 trn_result_text(result));
}

/// Creates the flow. A damaged value must not prevent opening the world: its liquids are then at
/// rest.
static bool world_create_flow(World *world)
{
    const TrnResult result = flow_create(world->store, world_has_sea(world),
                                         world->def.memory_bytes / FLOW_PART, &world->flow);
    TrnSave *save = keep_save(world->keep);
    if (result == TRN_RESULT_OK && save && !keep_member(world->keep)) { // members share theirs
        (void)flow_load(world->flow, save);
    }
    return result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND;
}

/// Folds the levels of chunks that were saved without a far view, if this world has a far view.
static void world_fold_saved(World *world)
{
    const WorldDef *def = &world->def;
    const TrnFarView view = world_far_view(def->view_distance, def->view_height, def->far_distance);
    const TrnGenerator land = world_generator(world);
    if (view.levels) {
        keep_fold(world->keep, def->is_empty ? NULL : &land, view.levels);
    }
}

bool world_create(World **world, const WorldDef *def, Message *problem)
{
    World *made = calloc(1, sizeof *made);
    if (made) {
        made->def = *def;
        const size_t part = def->memory_bytes ? def->memory_bytes / MEMORY_PART : EDIT_BYTES;
        made->def.edit_bytes = def->edit_bytes ? def->edit_bytes : part;
    }
    (void)message_set(problem, def->memory_bytes
                                   ? "Out of memory for a world; give it more with --memory."
                                   : "Out of memory for a world.");
    bool good = made && world_create_terrain(made) && world_create_store(made) &&
                world_create_keep(made, problem) && world_create_flow(made);
    if (good) {
        world_fold_saved(made);
        good = world_create_stream(made);
    }
    if (!good) {
        world_destroy(made);
        return false;
    }
    *world = made;
    return true;
}

void world_destroy(World *world)
{
    if (!world) {
        return;
    }
    world->def.sink.place = NULL; // no calls while the far view is destroyed
    trn_far_destroy(world->far_view);
    trn_stream_destroy(world->stream);
    keep_leave(world->keep);
    keep_close(world->own_keep);
    flow_destroy(world->flow);
    trn_store_destroy(world->store);
    trn_terrain_destroy(world->terrain);
    world_free_workers(world);
    free(world->types);
    free(world);
}

// ---- changes while it runs ----------------------------------------------------------------------

static WorldRun world_run_of_world(const World *world)
{
    const WorldDef *def = &world->def;
    return (WorldRun){def->view_distance, def->view_height, def->far_distance, def->workers,
                      def->memory_bytes};
}

static void world_set_run(World *world, const WorldRun *run)
{
    world->def.view_distance = run->view_distance;
    world->def.view_height = run->view_height;
    world->def.far_distance = run->far_distance;
    world->def.workers = run->workers;
    world->def.memory_bytes = run->memory_bytes;
    world->anchor.radius_chunks = (uint32_t)run->view_distance;
    world->anchor.height_chunks = (uint32_t)run->view_height;
}

/// Destroys the stream, and unloads all chunks like the stream. Edits have been saved.
static void world_end_stream(World *world, TrnChunk **chunks, size_t count)
{
    world_destroy_far(world);
    trn_stream_destroy(world->stream);
    world->stream = NULL;
    for (size_t i = 0; i < count; i++) {
        world_unload_chunk(&world->levels[0], chunks[i]);
        (void)trn_store_remove(world->store, chunks[i]->coord);
    }
    world_free_workers(world);
    trn_terrain_destroy(world->terrain);
    world->terrain = NULL;
}

static bool world_begin_stream(World *world)
{
    if (world_create_terrain(world) && world_create_stream(world)) {
        world->report = (TrnStreamReport){.us = 0};
        world->quiet = 0;
        return true;
    }
    world_destroy_far(world);
    trn_stream_destroy(world->stream);
    world->stream = NULL;
    world_free_workers(world);
    trn_terrain_destroy(world->terrain);
    world->terrain = NULL;
    return false;
}

/// Saves and unloads all chunks. Steps that may fail come before the stream is destroyed.
static bool world_empty(World *world, Message *problem)
{
    const size_t count = trn_store_stats(world->store).chunks;
    TrnChunk **chunks = malloc((count ? count : 1) * sizeof(TrnChunk *));
    const TrnResult saved = chunks ? world_save(world, EMPTY_SECONDS) : TRN_RESULT_NO_MEMORY;
    if (saved == TRN_RESULT_OK) {
        world_end_stream(world, chunks,
                         trn_store_gather(world->store, trn_box_everything(), chunks, count));
    }
    free(chunks);
    return saved == TRN_RESULT_OK ||
           message_set(problem, "What was changed cannot be kept: %s", trn_result_text(saved));
}

/// Changes the levels to the far distance of the def.
static bool world_change_far(World *world)
{
    const TrnFarView view = world_far_view_of(&world->def);
    if (world->far_view && view.levels) {
        world_hide_levels(world, view.levels + 1);
        return trn_far_set_view(world->far_view, &view) == TRN_RESULT_OK;
    }
    world_destroy_far(world);
    return world_create_far(world);
}

WorldChange world_change(World *world, const WorldRun *run, Message *problem)
{
    const WorldRun before = world_run_of_world(world);
    if (run->workers == before.workers && run->memory_bytes == before.memory_bytes &&
        run->view_distance <= world->prepared) {
        world_set_run(world, run);
        if (world_change_far(world)) {
            return WORLD_CHANGED;
        }
        world_set_run(world, &before);
        (void)world_change_far(world);
        (void)message_set(problem, "Out of memory for so far a view.");
        return WORLD_KEPT;
    }
    if (!world_empty(world, problem)) {
        return WORLD_KEPT;
    }
    world_set_run(world, run);
    if (world_begin_stream(world)) {
        return WORLD_CHANGED;
    }
    world_set_run(world, &before);
    const bool kept = world_begin_stream(world);
    (void)message_set(problem, "Out of memory for these settings.");
    return kept ? WORLD_KEPT : WORLD_LOST;
}

// ---- updates ------------------------------------------------------------------------------------

/// Copies types that a game has added, for meshing. If out of memory, the next update retries.
static void world_take_new_types(World *world)
{
    uint32_t count;
    (void)trn_block_types_all(trn_store_block_types(world->store), &count);
    if (count != world->type_count) {
        trn_stream_wait(world->stream); // also for the work of the far view's levels
        (void)world_copy_types(world);
    }
}

static bool world_is_report_quiet(const TrnStreamReport *done)
{
    return !(done->wanted || done->unwanted || done->inserted || done->uploaded || done->unloaded ||
             done->cancelled);
}

/// @return whether the far view was idle
static bool world_update_far(World *world, const TrnStreamBudget *budget)
{
    if (!world->far_view) {
        return true;
    }
    const TrnResult result = trn_far_update(world->far_view, budget, &world->far_report);
    world->problem = world->problem == TRN_RESULT_OK ? result : world->problem;
    return world_is_report_quiet(&world->far_report);
}

void world_update(World *world, const Camera *camera, const double velocity[3],
                  TrnStreamBudget budget, TrnStreamReport *report)
{
    vec3 right, up, forward;
    const KeepStats kept = keep_stats(world->keep);
    camera_axes(camera, right, up, forward);
    // Unwritable chunks stay loaded: loading more land would take ever more memory.
    if (!kept.is_failing || kept.bytes < kept.bytes_max / 2) {
        world->anchor.position = camera->position;
    }
    for (int axis = 0; axis < 3; axis++) {
        world->anchor.view[axis] = (double)forward[axis];
        world->anchor.velocity[axis] = velocity[axis];
    }
    trn_stream_set_scratch(world->stream, world->scratch_bytes + kept.bytes);
    // Cannot fail: a camera is always inside the world, with a valid direction.
    (void)trn_stream_anchor_set(world->stream, world->anchor_id, &world->anchor);
    world_take_new_types(world);
    keep_exchange(world->keep);
    world->problem = trn_stream_update(world->stream, &budget, &world->report);
    const bool far_is_quiet = world_update_far(world, &budget);
    world->quiet = world_is_report_quiet(&world->report) && far_is_quiet ? world->quiet + 1 : 0;
    if (report) {
        *report = world->report;
    }
}

void world_flow(World *world, double seconds, bool is_running)
{
    if (!world->flow) {
        return;
    }
    flow_set_running(world->flow, is_running);
    if (!flow_is_busy(world->flow) || world_admits_edit(world, FLOW_CHUNKS)) {
        flow_pass(world->flow, seconds);
    }
}

/// Clears the ChunkViews of a store, because the sink has lost their meshes. Keeps what decides
/// whether chunks are drawn.
static void world_forget_views(TrnStore *store)
{
    TrnChunk *chunks[256];
    uint32_t cursor = 0;
    for (size_t count;
         (count = trn_pool_gather(trn_store_pool(store), &cursor, (void **)chunks, 256));) {
        for (size_t i = 0; i < count; i++) {
            ChunkView *view = chunk_view(chunks[i]);
            *view = (ChunkView){
                .is_shown = view->is_shown, .is_hidden = view->is_hidden, .level = view->level};
            culling_note(store, chunks[i]);
        }
    }
}

void world_show_again(World *world)
{
    world_forget_views(world->store);
    for (uint32_t i = 1; world->far_view && i <= trn_far_view(world->far_view).levels; i++) {
        world_forget_views(trn_far_store(world->far_view, i));
    }
    world->refused = 0;
    trn_stream_remesh(world->stream);
    trn_far_remesh(world->far_view);
}

// ---- edits --------------------------------------------------------------------------------------

TrnStore *world_edit_store(World *world)
{
    return world->store;
}

static WorldEdits world_edits_of(const World *world, const TrnStreamStats *stream)
{
    const KeepStats kept = keep_stats(world->keep);
    return (WorldEdits){.is_file = kept.is_file,
                        .loaded = stream->unsaved,
                        .bytes = kept.bytes,
                        .bytes_max = kept.is_file ? kept.bytes_max : world->def.edit_bytes};
}

WorldEdits world_edits(const World *world)
{
    const TrnStreamStats stream = trn_stream_stats(world->stream);
    return world_edits_of(world, &stream);
}

bool world_admits_edit(const World *world, uint32_t chunks)
{
    const WorldEdits edits = world_edits(world);
    // With a file, loaded chunks need not fit in memory: the queue is written in time.
    const size_t loaded = edits.is_file ? 0 : edits.loaded;
    const size_t coming = (loaded + chunks) * KEEP_CHUNK_BYTES;
    return edits.bytes <= edits.bytes_max && coming <= edits.bytes_max - edits.bytes;
}

TrnResult world_rest(World *world, double seconds)
{
    trn_stream_wait(world->stream);
    return keep_flush(world->keep, seconds);
}

TrnResult world_save_pending(World *world)
{
    const TrnResult result = keep_save_pending(world->keep, world->store);
    return result == TRN_RESULT_OK && world->flow && keep_stats(world->keep).is_file &&
                   !keep_member(world->keep)
               ? flow_save(world->flow, keep_save(world->keep))
               : result;
}

TrnResult world_save(World *world, double seconds)
{
    TrnResult saved = TRN_RESULT_FULL, written = TRN_RESULT_OK;
    for (int i = 0; i < SAVE_ROUNDS_MAX && saved == TRN_RESULT_FULL && written == TRN_RESULT_OK;
         i++) {
        saved = keep_begin(world->keep);
        saved = saved == TRN_RESULT_OK ? trn_stream_save(world->stream) : saved;
        saved = saved == TRN_RESULT_OK && world->far_view ? trn_far_save(world->far_view) : saved;
        saved = saved == TRN_RESULT_OK ? world_save_pending(world) : saved;
        keep_end(world->keep);
        written = keep_flush(world->keep, seconds);
    }
    if (saved == TRN_RESULT_OK && written == TRN_RESULT_OK && world->far_view) {
        keep_note_folded(world->keep, trn_far_view(world->far_view).levels);
    }
    return written == TRN_RESULT_OK ? saved : written;
}

// ---- state --------------------------------------------------------------------------------------

bool world_is_idle(const World *world)
{
    const bool is_idle = world->report.is_idle && (!world->far_view || world->far_report.is_idle);
    if (is_idle || !world->refused || world->quiet < QUIET_SETTLED) {
        return is_idle;
    }
    const TrnStreamStats stats = trn_stream_stats(world->stream);
    return !stats.queued && !stats.under_way && !stats.unloading && !stats.dissolving;
}

uint32_t world_quiet_updates(const World *world)
{
    return world->quiet;
}

TrnResult world_problem(const World *world)
{
    return world->problem;
}

TrnStreamReadiness world_readiness(const World *world, TrnPosition place)
{
    // The largest cube inside the view's flattened ball.
    int64_t across = (int64_t)(world->def.view_distance / 1.7321);
    int64_t height = (int64_t)(world->def.view_height / 1.7321);
    across = across < READY_CHUNKS_MAX ? across : READY_CHUNKS_MAX;
    height = height < READY_CHUNKS_MAX ? height : READY_CHUNKS_MAX;
    const TrnVoxel at = trn_coord_voxel(place.chunk);
    const int64_t by[3] = {across * TRN_CHUNK_EDGE, height * TRN_CHUNK_EDGE,
                           across * TRN_CHUNK_EDGE};
    const int64_t last = TRN_CHUNK_EDGE - 1;
    return trn_stream_readiness(
        world->stream, (TrnVoxel){at.x - by[0], at.y - by[1], at.z - by[2]},
        (TrnVoxel){at.x + last + by[0], at.y + last + by[1], at.z + last + by[2]});
}

WorldStats world_stats(const World *world)
{
    WorldStats stats = {.stream = trn_stream_stats(world->stream)};
    (void)trn_stream_view(world->stream, world->anchor_id, &stats.view);
    if (world->far_view) {
        stats.far = trn_far_stats(world->far_view);
    }
    stats.edits = world_edits_of(world, &stats.stream);
    return stats;
}

uint32_t world_refused(const World *world)
{
    return world->refused;
}

float world_view_part(const World *world)
{
    TrnStreamView view = {.rings = 0};
    if (world->far_view && !world->def.memory_bytes) {
        return 1;
    }
    if (world->far_view) {
        const TrnFarStats stats = trn_far_stats(world->far_view);
        const TrnFarLevelStats *last = &stats.level[stats.levels];
        return last->is_shrunk ? (float)(last->rings ? last->rings : 1) / (float)last->rings_wanted
                               : 1;
    }
    (void)trn_stream_view(world->stream, world->anchor_id, &view);
    const float rings = view.rings ? (float)view.rings : 1;
    return view.is_shrunk && view.rings_wanted ? rings / (float)view.rings_wanted : 1;
}

const TrnStore *world_store(const World *world)
{
    return world->store;
}

bool world_has_sea(const World *world)
{
    return !world->def.is_empty;
}

const TrnFar *world_far(const World *world)
{
    return world->far_view;
}

TrnTerrain *world_terrain(const World *world)
{
    return world->terrain;
}

const TrnStream *world_stream(const World *world)
{
    return world->stream;
}
