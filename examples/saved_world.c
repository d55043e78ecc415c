// A world that lasts: a stream loads its chunks from a file and saves them there. The first run
// digs a hole; the next finds it. Usage: saved_world [FILE]
#include <stdio.h>

#include <terrane/batch.h>
#include <terrane/save.h>
#include <terrane/terrain.h>

static const TrnVoxel hole = {8, 40, 8};

typedef struct World {
    TrnBlockTypes *types;
    TrnTerrain *terrain;
    TrnStore *store;
    TrnSave *save;
    TrnStream *stream;
} World;

/// Opens the file, or makes it.
static TrnResult open_save(World *world, const char *file, TrnStorageProblem *problem)
{
    TrnSaveDef def = trn_save_def();
    def.types = world->types; // names that the file has and the game lacks become placeholders
    TrnResult result = trn_storage_sqlite(file, TRN_STORAGE_EITHER, &def.storage, problem);
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &world->save, problem) : result;
    return result == TRN_RESULT_OK
               ? trn_save_bind_land(world->save, "built-in terrain, seed 1", problem)
               : result;
}

static TrnResult open_world(World *world, const char *file, TrnStorageProblem *problem)
{
    TrnStoreDef store = trn_store_def();
    TrnStreamDef stream = trn_stream_def();
    TrnResult result = trn_block_types_create_builtin(NULL, &world->types);
    result = result == TRN_RESULT_OK ? trn_terrain_create(NULL, &world->terrain) : result;
    result = result == TRN_RESULT_OK ? open_save(world, file, problem) : result;
    store.types = world->types;
    result = result == TRN_RESULT_OK ? trn_store_create(&store, &world->store) : result;
    if (result == TRN_RESULT_OK) { // edits of chunks that are not loaded take at most 1 MiB
        result = trn_pending_set_bytes_max(world->store, (size_t)1 << 20);
    }
    result = result == TRN_RESULT_OK ? trn_save_load_pending(world->save, world->store) : result;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    stream.store = world->store;
    stream.generator = trn_terrain_generator(world->terrain);
    stream.source = trn_save_source(world->save);
    return trn_stream_create(&stream, &world->stream);
}

static void close_world(World *world)
{
    trn_stream_destroy(world->stream);
    trn_save_destroy(world->save);
    trn_store_destroy(world->store);
    trn_terrain_destroy(world->terrain);
    trn_block_types_destroy(world->types);
}

/// Loads the chunks around the hole. A game would update once a frame, and draw.
static TrnResult load_around(const World *world)
{
    TrnStreamAnchor player = trn_stream_anchor();
    TrnStreamAnchorId id;
    player.position = trn_voxel_position(hole);
    player.radius_chunks = player.height_chunks = 2;
    const TrnResult result = trn_stream_anchor_add(world->stream, &player, &id);
    return result == TRN_RESULT_OK ? trn_stream_settle(world->stream, 1000) : result;
}

/// Saves the hole, and that it was dug, in one transaction. Without this the stream saves the
/// chunks within 5 s, or before it unloads them.
static TrnResult save_hole(const World *world)
{
    TrnResult result = trn_save_begin(world->save);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_stream_save(world->stream);
    // Parts of the sphere that lie in chunks which are not loaded are pending edits.
    result = result == TRN_RESULT_OK ? trn_save_pending(world->save, world->store) : result;
    result = result == TRN_RESULT_OK ? trn_save_set_value(world->save, "dug", "yes", 3) : result;
    trn_save_end(world->save);
    return result == TRN_RESULT_OK ? trn_save_flush(world->save) : result;
}

/// Digs the hole, or finds it. The world notes under a name of the game that it was dug.
static TrnResult play(const World *world)
{
    TrnBlock block;
    TrnResult result = load_around(world);
    result = result == TRN_RESULT_OK ? trn_store_get_block(world->store, hole, &block) : result;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (trn_save_get_value(world->save, "dug", NULL, 0, NULL) == TRN_RESULT_OK) {
        printf("The hole is %s.\n", block == TRN_BLOCK_GLASS ? "still lined with glass" : "gone");
        return TRN_RESULT_OK;
    }
    TrnBatch *batch;
    (void)trn_batch_begin(world->store, NULL, &batch);
    (void)trn_batch_fill_sphere(batch, hole, 6, TRN_BLOCK_GLASS);
    result = trn_batch_commit(batch, NULL); // also tells whether the others failed
    result = result == TRN_RESULT_OK ? save_hole(world) : result;
    if (result == TRN_RESULT_OK) {
        printf("Dug a hole.\n");
    }
    return result;
}

int main(int argc, char **argv)
{
    World world = {0};
    TrnStorageProblem problem = {""};
    TrnResult result = open_world(&world, argc > 1 ? argv[1] : "my.world", &problem);
    result = result == TRN_RESULT_OK ? play(&world) : result;
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "saved_world: %s\n",
                *problem.sentence ? problem.sentence : trn_result_text(result));
    }
    close_world(&world);
    return result == TRN_RESULT_OK ? 0 : 1;
}
