/// A world as a game uses it: terrain, store, history, a file, and a stream with light and meshes,
/// for one session after another.
#pragma once

#include "place.h"
#include "testing.h"

#include <terrane/history.h>
#include <terrane/mesher.h>
#include <terrane/save.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#define WORLD_WORKERS 2
#define WORLD_LOADED 4096u ///< chunks that one update may load
#define WORLD_PENDING_BYTES ((size_t)1 << 20)
#define WORLD_HISTORY_BYTES ((size_t)1 << 20)

typedef struct World {
    Place place;
    char file[PLACE_PATH];
    TrnTerrain *terrain;
    unsigned char *scratch[WORLD_WORKERS + 1];
    TestAllocator memory; ///< of store and stream
    size_t bytes_max;     ///< of this session
    size_t worker_bytes;  ///< the light scratch of workers, which no budget counts
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStore *store;
    TrnHistory *history;
    TrnStream *stream;
    TrnCoord loaded[WORLD_LOADED]; ///< in this update
    uint32_t loaded_count;
    uint64_t loaded_total, quads;
} World;

// ---- hooks -------------------------------------------------------------------------------------

static inline TrnResult world_mesh(void *user, const TrnStreamJob *job,
                                   const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    const World *world = user;
    TrnMeshInput in = {.present = input->present, .missing_is_solid = true};
    memcpy(in.around, input->around, sizeof in.around);
    in.types = trn_block_types_all(world->types, &in.type_count);
    in.sky = input->sky;
    in.blocks = input->blocks;
    TrnMesh *made = malloc(sizeof *made);
    assert_non_null(made);
    trn_mesh_init(made, NULL);
    const TrnResult result = trn_mesh_build(made, &in, world->scratch[job->worker]);
    if (result != TRN_RESULT_OK) {
        free(made);
        return result;
    }
    *mesh =
        (TrnStreamMesh){.mesh = made, .bytes = sizeof *made + made->capacity * sizeof *made->quads};
    return TRN_RESULT_OK;
}

static inline TrnResult world_show(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    (void)chunk;
    World *world = user;
    const TrnMesh *made = mesh->mesh;
    world->quads += made ? trn_mesh_count(&made->info) : 0;
    return TRN_RESULT_OK;
}

static inline void world_drop_mesh(void *user, TrnStreamMesh mesh)
{
    (void)user;
    trn_mesh_free(mesh.mesh);
    free(mesh.mesh);
}

static inline void world_listen(void *user, const TrnStreamEvent *event)
{
    World *world = user;
    if (event->kind == TRN_STREAM_EVENT_LOADED && world->loaded_count < WORLD_LOADED) {
        world->loaded[world->loaded_count++] = event->coord;
    }
    world->loaded_total += event->kind == TRN_STREAM_EVENT_LOADED;
}

// ---- sessions ----------------------------------------------------------------------------------

static inline void world_open_file(World *world)
{
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    def.types = world->types;
    def.what = TRN_SAVE_CHANGED;
    TrnResult result = trn_storage_sqlite(world->file, TRN_STORAGE_EITHER, &def.storage, &problem);
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &world->save, &problem) : result;
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static inline void world_open_stream(World *world)
{
    TrnStreamDef def = trn_stream_def();
    const TrnAllocator allocator = test_allocator(&world->memory);
    def.store = world->store;
    def.generator = trn_terrain_generator(world->terrain);
    def.source = trn_save_source(world->save);
    def.hooks = (TrnStreamHooks){
        .mesh = world_mesh, .upload = world_show, .drop_mesh = world_drop_mesh, .user = world};
    def.workers = WORLD_WORKERS;
    def.light = true;
    def.bytes_max = world->bytes_max;
    def.listener = world_listen;
    def.listener_user = world;
    def.allocator = &allocator;
    assert_int_equal(trn_stream_create(&def, &world->stream), TRN_RESULT_OK);
    const TrnStreamStats stats = trn_stream_stats(world->stream);
    world->worker_bytes = world->memory.live_bytes - stats.store_bytes - stats.stream_bytes;
    assert_in_range(world->worker_bytes, WORLD_WORKERS << 20, WORLD_WORKERS << 21);
}

/// Begins a session. Edits that were pending at the end of the last one are pending again.
/// @param bytes_max  of the stream
static inline void world_open(World *world, size_t bytes_max)
{
    world->bytes_max = bytes_max;
    world_open_file(world);
    TrnStoreDef store = trn_store_def();
    const TrnAllocator allocator = test_allocator(&world->memory);
    store.types = world->types;
    store.allocator = &allocator;
    assert_int_equal(trn_store_create(&store, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_pending_set_bytes_max(world->store, WORLD_PENDING_BYTES), TRN_RESULT_OK);
    assert_int_equal(trn_save_load_pending(world->save, world->store), TRN_RESULT_OK);
    const TrnHistoryDef history = {.bytes_max = WORLD_HISTORY_BYTES};
    assert_int_equal(trn_history_create(world->store, &history, &world->history), TRN_RESULT_OK);
    world_open_stream(world);
}

/// Saves, as a game does from time to time and when it ends.
static inline void world_save(World *world)
{
    assert_int_equal(trn_stream_save(world->stream), TRN_RESULT_OK);
    assert_int_equal(trn_save_pending(world->save, world->store), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
}

/// Ends a session. Nothing of it stays in memory.
static inline void world_close(World *world)
{
    TrnSaveEvent event;
    world_save(world);
    assert_false(trn_save_next_event(world->save, &event)); // no row was damaged, no write failed
    trn_stream_destroy(world->stream);
    trn_history_destroy(world->history);
    trn_store_destroy(world->store);
    assert_int_equal(trn_save_destroy(world->save), TRN_RESULT_OK);
    trn_block_types_destroy(world->types);
    assert_int_equal(world->memory.live_bytes, 0);
    assert_int_equal(world->memory.live_blocks, 0);
}

static inline void world_create(World *world)
{
    memset(world, 0, sizeof *world);
    assert_true(place_begin(&world->place));
    (void)place_path(&world->place, "soak.world", world->file);
    assert_int_equal(trn_terrain_create(NULL, &world->terrain), TRN_RESULT_OK);
    for (int i = 0; i <= WORLD_WORKERS; i++) {
        world->scratch[i] = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
        assert_non_null(world->scratch[i]);
    }
}

static inline void world_destroy(World *world)
{
    for (int i = 0; i <= WORLD_WORKERS; i++) {
        trn_aligned_free(world->scratch[i]);
    }
    trn_terrain_destroy(world->terrain);
    assert_true(place_discard(&world->place));
}
