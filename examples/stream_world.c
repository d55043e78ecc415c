// An endless world on one page: the built-in terrain, streamed around a player who flies over it
// and digs a hole. All meshes of the hole change in one update. One chunk comes from the game's own
// save. To draw it, upload the mesh in
// show() and render a frame in the loop; nothing else changes.
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/batch.h>
#include <terrane/mesher.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

typedef struct World {
    TrnTerrain *terrain;
    TrnStore *store;
    TrnStream *stream;
    uint32_t workers;
    void *scratch[TRN_STREAM_WORKER_MAX + 1]; // the mesher's, by worker; 0 is the calling thread
    size_t quads, dark; // shown, and those among them that no sky light reaches
} World;

/// What the game keeps with a chunk.
typedef struct Shown {
    uint32_t quads, dark; // of its mesh
} Shown;

static const TrnVoxel sign_at = {16, 80, 16};

// ---- hooks -------------------------------------------------------------------------------------

/// Loads the one chunk that the game has saved itself: a sign in the air, with what it says.
static TrnResult load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    static const char text[] = "Mind the hole.";
    (void)user;
    if (!trn_coord_equal(job->coord, trn_voxel_chunk(sign_at))) {
        return TRN_RESULT_NOT_FOUND; // the stream generates it
    }
    const TrnBlockData sign = {
        .bytes = text, .size = sizeof text, .index = (uint16_t)trn_voxel_local_index(sign_at)};
    memset(blocks, TRN_BLOCK_AIR, (size_t)TRN_CHUNK_VOXELS * sizeof *blocks);
    blocks[sign.index] = TRN_BLOCK_OAK_PLANKS;
    *uniform = false;
    return trn_stream_job_set_data(job, &sign);
}

static TrnResult make_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    const World *world = user;
    if (trn_stream_job_is_cancelled(job)) {
        return TRN_RESULT_OK; // the chunk was edited or left meanwhile
    }
    const TrnMeshInput in = trn_mesh_input_of(input, trn_store_block_types(world->store));
    TrnMesh *made = malloc(sizeof *made);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_mesh_init(made, NULL);
    const TrnResult result = trn_mesh_build(made, &in, world->scratch[job->worker]);
    if (result != TRN_RESULT_OK) {
        free(made);
        return result;
    }
    *mesh = (TrnStreamMesh){.mesh = made, .bytes = sizeof *made + trn_mesh_bytes(made)};
    return TRN_RESULT_OK;
}

static void forget(World *world, Shown *shown)
{
    world->quads -= shown->quads;
    world->dark -= shown->dark;
    *shown = (Shown){0, 0};
}

static TrnResult show(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    World *world = user;
    const TrnMesh *made = mesh->mesh;
    Shown *shown = trn_chunk_user(chunk);
    forget(world, shown); // the chunk's previous mesh
    shown->quads = made ? trn_mesh_count(&made->info) : 0;
    for (uint32_t i = 0; i < shown->quads; i++) {
        const bool varies = made->info.light == TRN_MESH_LIGHT_VARIES;
        const uint32_t light = varies ? made->light[i] : made->info.light;
        shown->dark += trn_mesh_light_sky(light, 0) == 0; // of its first corner
    }
    world->quads += shown->quads;
    world->dark += shown->dark;
    return TRN_RESULT_OK;
}

static void drop_mesh(void *user, TrnStreamMesh mesh)
{
    (void)user;
    trn_mesh_free(mesh.mesh);
    free(mesh.mesh);
}

static void hide(void *user, TrnChunk *chunk)
{
    forget(user, trn_chunk_user(chunk));
}

// ---- a world -----------------------------------------------------------------------------------

static TrnResult make_world(World *world)
{
    TrnStoreDef store = trn_store_def();
    TrnStreamDef def = trn_stream_def();
    store.user_bytes = sizeof(Shown);
    world->workers = trn_stream_workers(&def);
    TrnResult result = trn_terrain_create(NULL, &world->terrain);
    result = result == TRN_RESULT_OK ? trn_store_create(&store, &world->store) : result;
    for (uint32_t i = 0; i <= world->workers && result == TRN_RESULT_OK; i++) {
        world->scratch[i] = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
        result = world->scratch[i] ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    def.store = world->store;
    def.generator = trn_terrain_generator(world->terrain); // or one of your own
    def.hooks = (TrnStreamHooks){.load = load,
                                 .mesh = make_mesh,
                                 .upload = show,
                                 .drop_mesh = drop_mesh,
                                 .unload = hide,
                                 .user = world};
    def.light = def.keep_light = true;
    def.bytes_max = (size_t)128 << 20;
    def.scratch_bytes = (world->workers + 1) * TRN_MESH_SCRATCH_BYTES +
                        ((size_t)21 << 20); // and the terrain's cache
    return trn_stream_create(&def, &world->stream);
}

static void end_world(World *world)
{
    trn_stream_destroy(world->stream);
    trn_store_destroy(world->store);
    trn_terrain_destroy(world->terrain);
    for (uint32_t i = 0; i <= world->workers; i++) {
        trn_aligned_free(world->scratch[i]);
    }
}

static void dig(const World *world, TrnVoxel at)
{
    TrnBatch *batch;
    if (trn_batch_begin(world->store, NULL, &batch) == TRN_RESULT_OK) {
        trn_batch_fill_sphere(batch, at, 4, TRN_BLOCK_AIR);
        trn_batch_commit(batch, NULL);
    }
}

/// Waits until the ground under a player is loaded.
static void wait_for_ground(World *world, TrnVoxel feet)
{
    const TrnVoxel min = {feet.x - 1, feet.y - 2, feet.z - 1};
    const TrnVoxel max = {feet.x + 1, feet.y + 2, feet.z + 1};
    uint32_t updates = 0;
    while (!trn_stream_readiness(world->stream, min, max).is_loaded) {
        trn_stream_update(world->stream, NULL, NULL); // a game would show a loading screen
        trn_stream_wait(world->stream);               // and not block
        updates++;
    }
    printf("The ground is loaded after %s.\n", updates < 10 ? "a few updates" : "many updates");
}

static void fly(World *world, TrnStreamAnchorId id, TrnStreamAnchor player)
{
    TrnStreamReport report = {0};
    for (int frame = 0; frame < 240 || !report.is_idle; frame++) {
        if (frame < 240) { // four seconds at 40 blocks a second
            player.position = trn_position_add(player.position, (const double[3]){40.0 / 60, 0, 0});
            trn_stream_anchor_set(world->stream, id, &player);
        }
        if (frame == 120) {
            dig(world, (TrnVoxel){64, 0, 0}); // where chunks meet
        }
        trn_stream_update(world->stream, NULL, &report);
        trn_stream_wait(world->stream); // a game would draw instead
    }
}

/// Tells what the sign says, and how bright it is where the player began.
static void tell_of_places(const World *world, TrnVoxel began)
{
    TrnBlockData sign;
    uint32_t sky, lamps;
    if (trn_store_get_data(world->store, sign_at, &sign) == TRN_RESULT_OK) {
        printf("A sign says: %s\n", (const char *)sign.bytes);
    }
    if (trn_stream_get_light(world->stream, began, &sky, &lamps) == TRN_RESULT_OK) {
        printf("Where the player began, sky light is %u of 15.\n", sky);
    }
}

static int tell(const char *what, TrnResult result)
{
    printf("%s: %s\n", what, trn_result_text(result));
    return 1;
}

int main(void)
{
    World world = {0};
    TrnResult result = make_world(&world);
    if (result != TRN_RESULT_OK) {
        end_world(&world);
        return tell("No world", result);
    }
    TrnVoxel feet = {0, 0, 0};
    trn_terrain_height(world.terrain, feet.x, feet.z, &feet.y);
    TrnStreamAnchor player = trn_stream_anchor();
    player.position = trn_voxel_position(feet);
    player.velocity[0] = 40;
    player.view[0] = 1;
    player.radius_chunks = 6;
    player.height_chunks = 3;
    TrnStreamAnchorId id;
    result = trn_stream_anchor_add(world.stream, &player, &id);
    if (result != TRN_RESULT_OK) {
        end_world(&world);
        return tell("No player", result);
    }
    wait_for_ground(&world, feet);
    TrnChunk *home = trn_store_find(world.store, trn_voxel_chunk(feet));
    trn_store_pin(world.store, home); // stays loaded, however far the player flies
    fly(&world, id, player);
    const TrnStreamStats stats = trn_stream_stats(world.stream);
    printf("%u chunks are shown, %zu quads in %.1f MiB, %zu of them in the dark; %llu loaded, %llu "
           "unloaded.\n",
           stats.shown, world.quads, (double)stats.total_bytes / (1 << 20), world.dark,
           (unsigned long long)stats.inserted, (unsigned long long)stats.unloaded);
    tell_of_places(&world, (TrnVoxel){feet.x, feet.y + 1, feet.z});
    trn_store_unpin(world.store, home);
    const TrnCoord behind = {-8, 0, 0};
    printf("%s\n", trn_stream_explain(world.stream, behind).sentence);
    end_world(&world);
    return 0;
}
