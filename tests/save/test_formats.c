/// Worlds of every format that a release has written open forever: worlds/format-N.world. With
/// TERRANE_WRITE_WORLD=FILE this writes such a world, in the format of today: commit it when the
/// format becomes another.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include <terrane/batch.h>

#define FORMATS 2
#define DATA_FORMAT 2 // the first with block data
#define LAND "built-in terrain, seed 5"
#define GAME_TYPES 300 // so that a chunk needs 16 bits

/// How many blocks each chunk has: one for each width that voxels are packed with.
static const uint32_t types_of[] = {1, 2, 4, 16, 33, GAME_TYPES};
#define CHUNKS (sizeof types_of / sizeof *types_of)

static const TrnVoxel pending_voxel = {3200, -1, 77};

static void name_type(uint32_t number, char name[64])
{
    (void)snprintf(name, 64, "game:block-%u", (unsigned)number);
}

/// The number of the game's type of a voxel.
static uint32_t number_at(uint32_t chunk, uint32_t voxel)
{
    return (voxel / 97 + chunk) % types_of[chunk];
}

static TrnCoord coord_of(uint32_t chunk)
{
    return (TrnCoord){(int32_t)chunk * 1000000 - 1, INT32_MIN + (int32_t)chunk, INT32_MAX};
}

static TrnBlock add_type(TrnBlockTypes *types, uint32_t number)
{
    TrnBlock block;
    char name[64];
    name_type(number, name);
    const TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(types, &type, &block), TRN_RESULT_OK);
    return block;
}

/// The block data of a chunk: none for the first, one voxel's for the second, and so on.
/// @param text  receives the bytes  @return the voxel's linear index
static uint16_t data_of(uint32_t chunk, uint32_t number, char text[64])
{
    (void)snprintf(text, 64, "chest %u of %u", (unsigned)number, (unsigned)chunk);
    return (uint16_t)(number * 6007 + chunk);
}

/// Saves a chunk with its blocks and data.
static void save_chunk_with_data(SaveWorld *world, uint32_t chunk)
{
    TrnStore *store;
    TrnSnapshot voxels;
    TrnBlockData data[CHUNKS];
    char text[CHUNKS][64];
    for (uint32_t i = 0; i < chunk; i++) {
        const uint16_t index = data_of(chunk, i, text[i]);
        const TrnDataRule rule = i % 2 ? TRN_DATA_STAYS : TRN_DATA_WITH_BLOCK;
        data[i] = (TrnBlockData){text[i], (uint32_t)strlen(text[i]), index, rule};
    }
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_data(store, coord_of(chunk), world->got, types_of[chunk] == 1,
                                           data, chunk, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_snapshot(store, coord_of(chunk), &voxels), TRN_RESULT_OK);
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord_of(chunk)};
    assert_int_equal(source.save(source.user, &job, voxels), TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void add_pending(SaveWorld *world)
{
    TrnStore *store;
    TrnBatch *batch;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    (void)trn_batch_set(batch, pending_voxel, TRN_BLOCK_GLASS);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void write_world(SaveWorld *world)
{
    TrnBlock blocks[GAME_TYPES];
    world->def.what = TRN_SAVE_CHANGED;
    assert_int_equal(save_world_open(world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i < GAME_TYPES; i++) {
        blocks[i] = add_type(world->types, i);
    }
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            world->got[i] = blocks[number_at(chunk, i)];
        }
        save_chunk_with_data(world, chunk);
    }
    assert_int_equal(trn_save_bind_land(world->save, LAND, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(world->save, "spawn", "8 64 8", 6), TRN_RESULT_OK);
    add_pending(world);
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
}

static void copy_file(const char *from, const char *to)
{
    char command[1200];
    (void)snprintf(command, sizeof command, "cp '%s' '%s' && chmod u+w '%s'", from, to, to);
    assert_int_equal(system(command), 0);
}

/// What has been read of a chunk's data.
typedef struct DataRead {
    uint32_t chunk, count;
} DataRead;

static TrnResult expect_data(void *user, const TrnBlockData *data)
{
    DataRead *read = user;
    char text[64];
    assert_int_equal(data->index, data_of(read->chunk, read->count, text));
    assert_int_equal(data->size, strlen(text));
    assert_memory_equal(data->bytes, text, data->size);
    assert_int_equal(data->rule, read->count % 2 ? TRN_DATA_STAYS : TRN_DATA_WITH_BLOCK);
    read->count++;
    return TRN_RESULT_OK;
}

static void expect_chunk(SaveWorld *world, uint32_t chunk, bool has_data)
{
    const TrnStreamSource source = trn_save_source(world->save);
    DataRead read = {.chunk = chunk};
    const TrnDataSink sink = {expect_data, &read};
    const TrnStreamJob job = {.coord = coord_of(chunk), .data = &sink};
    bool is_uniform = false;
    assert_int_equal(source.load(source.user, &job, world->got, &is_uniform), TRN_RESULT_OK);
    assert_int_equal(read.count, has_data ? chunk : 0);
    assert_int_equal(is_uniform, types_of[chunk] == 1);
    for (uint32_t i = 0; i < (is_uniform ? 1 : TRN_CHUNK_VOXELS); i++) {
        TrnBlock block;
        char name[64];
        name_type(number_at(chunk, i), name);
        assert_int_equal(trn_block_types_find(world->types, name, &block), TRN_RESULT_OK);
        assert_int_equal(world->got[i], block);
    }
}

/// Checks that an open world is what write_world wrote, in the format that it had then.
static void expect_world(SaveWorld *world, int format)
{
    char spawn[8] = "";
    TrnStore *store;
    TrnPendingRun run;
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        expect_chunk(world, chunk, format >= DATA_FORMAT);
    }
    assert_int_equal(trn_save_get_value(world->save, "spawn", spawn, 7, NULL), TRN_RESULT_OK);
    assert_string_equal(spawn, "8 64 8");
    assert_int_equal(trn_save_bind_land(world->save, "another", NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_bind_land(world->save, LAND, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_save_load_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_pending_get(store, trn_voxel_chunk(pending_voxel), &run, 1), 1);
    assert_int_equal(run.block, TRN_BLOCK_GLASS);
    trn_store_destroy(store);
}

static void a_world_of_every_format_opens_and_is_written(void **state)
{
    (void)state;
    for (int format = 1; format <= FORMATS; format++) {
        char stored[512];
        SaveWorld *world = malloc(sizeof *world);
        save_world_create(world);
        (void)snprintf(stored, sizeof stored, WORLDS "/format-%d.world", format);
        copy_file(stored, world->file);
        for (int i = 0; i < 2; i++) { // the second time it is of the format of today
            assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
            expect_world(world, format);
            assert_int_equal(trn_save_set_value(world->save, "visits", &i, sizeof i),
                             TRN_RESULT_OK);
            assert_int_equal(save_world_close(world), TRN_RESULT_OK);
        }
        save_world_destroy(world);
        free(world);
    }
}

static void what_is_written_today_is_read_today(void **state)
{
    (void)state;
    SaveWorld *world = malloc(sizeof *world);
    const char *keep = getenv("TERRANE_WRITE_WORLD");
    save_world_create(world);
    write_world(world);
    if (keep) {
        copy_file(world->file, keep);
    }
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    expect_world(world, FORMATS);
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    save_world_destroy(world);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_today_is_read_today),
        cmocka_unit_test(a_world_of_every_format_opens_and_is_written)};
    return cmocka_run_group_tests_name("save_formats", tests, NULL, NULL);
}
