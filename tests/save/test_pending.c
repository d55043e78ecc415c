/// Edits of chunks that are not loaded are saved with the world, until the chunk's row has them.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "save_world.h"

#include <terrane/batch.h>

static int begin(void **state)
{
    SaveWorld *world = malloc(sizeof *world);
    save_world_create(world);
    assert_int_equal(save_world_open(world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    *state = world;
    return 0;
}

static int end(void **state)
{
    SaveWorld *world = *state;
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    save_world_destroy(world);
    free(world);
    return 0;
}

static const TrnVoxel edited = {5, -7, 70};

static TrnStore *open_store(TrnBlockTypes *types)
{
    TrnStore *store;
    TrnStoreDef def = trn_store_def();
    def.types = types;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

static void set_block(TrnStore *store, TrnVoxel voxel, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    (void)trn_batch_set(batch, voxel, block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Quits the game and starts it again.
static TrnStore *restart(SaveWorld *world, TrnStore *store)
{
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    trn_store_destroy(store);
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    store = open_store(world->types);
    assert_int_equal(trn_save_load_pending(world->save, store), TRN_RESULT_OK);
    return store;
}

/// Inserts the chunk of a voxel as it is saved, or stone. @return the voxel's block then
static TrnBlock load_chunk(SaveWorld *world, TrnStore *store, TrnVoxel voxel)
{
    TrnBlock block;
    TrnChunk *chunk;
    const TrnCoord coord = trn_voxel_chunk(voxel);
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord};
    bool is_uniform = false;
    const bool is_saved = source.load(source.user, &job, world->got, &is_uniform) == TRN_RESULT_OK;
    assert_false(is_uniform);
    const TrnResult result = is_saved
                                 ? trn_store_insert_voxels(store, coord, world->got, &chunk)
                                 : trn_store_insert_uniform(store, coord, TRN_BLOCK_STONE, &chunk);
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
    return block;
}

static bool count_value(void *user, const TrnStorageValue *value)
{
    ++*(uint32_t *)user;
    return value->size > 0;
}

/// Counts the values with pending edits in the file.
static uint32_t count_stored(const SaveWorld *world)
{
    uint32_t count = 0;
    TrnStorage reader;
    assert_int_equal(trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &reader, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(reader.values(reader.user, "terrane/pending/", count_value, &count),
                     TRN_RESULT_OK);
    reader.close(reader.user);
    return count;
}

static void edits_of_unloaded_chunks_survive_quitting(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store = open_store(world->types);
    TrnBlock lamp;
    const TrnBlockType type = trn_block_type_def("game:lamp", TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(world->types, &type, &lamp), TRN_RESULT_OK);
    set_block(store, edited, lamp);
    set_block(store, (TrnVoxel){900, 900, 900}, TRN_BLOCK_GLASS);
    store = restart(world, store); // a game that knows no lamp
    store = restart(world, store);
    assert_int_equal(trn_edits_stats(store).pending_chunks, 2);
    const TrnBlock block = load_chunk(world, store, edited);
    assert_string_equal(trn_block_types_get(world->types, block)->name, "game:lamp");
    assert_int_equal(trn_edits_stats(store).pending_chunks, 1);
    trn_store_destroy(store);
}

/// Edits that were applied and saved must not be applied again: the player may have changed them.
static void a_saved_row_replaces_the_edits_that_were_pending_for_it(void **state)
{
    SaveWorld *world = *state;
    const TrnCoord coord = trn_voxel_chunk(edited);
    TrnStore *store = open_store(world->types);
    set_block(store, edited, TRN_BLOCK_GLASS);
    store = restart(world, store);
    assert_int_equal(count_stored(world), 1);
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_GLASS);
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(count_stored(world), 1); // its row is not saved yet
    set_block(store, edited, TRN_BLOCK_SAND);
    const TrnChunk *chunk = trn_store_find(store, coord);
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord};
    for (int i = 0; i < 2; i++) { // the second supersedes the first in the queue
        assert_int_equal(source.save(source.user, &job, trn_voxels_snapshot(&chunk->voxels)),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(count_stored(world), 0);
    store = restart(world, store);
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_SAND);
    trn_store_destroy(store);
}

static void edits_that_were_dropped_after_they_were_stored_stay_dropped(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store = open_store(world->types);
    set_block(store, edited, TRN_BLOCK_GLASS);
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    (void)trn_pending_drop(store, trn_voxel_chunk(edited)); // as undoing them does
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_STONE);
    store = restart(world, store); // the chunk has no changes, so no row is written
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_STONE);
    assert_int_equal(count_stored(world), 0);
    trn_store_destroy(store);
}

static void pending_edits_are_replaced_and_dropped(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store = open_store(world->types);
    set_block(store, edited, TRN_BLOCK_GLASS);
    store = restart(world, store);
    const uint64_t transactions = trn_save_stats(world->save).transactions;
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(trn_save_stats(world->save).transactions, transactions); // no change
    set_block(store, edited, TRN_BLOCK_SAND);
    store = restart(world, store);
    TrnPendingRun run;
    assert_int_equal(trn_pending_get(store, trn_voxel_chunk(edited), &run, 1), 1);
    assert_int_equal(run.block, TRN_BLOCK_SAND);
    assert_int_equal(trn_pending_drop(store, trn_voxel_chunk(edited)), 1);
    store = restart(world, store);
    assert_int_equal(count_stored(world), 0);
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_STONE);
    trn_store_destroy(store);
}

/// Random edits of a few chunks, and the same after quitting.
static void any_pending_edits_come_back(void **state)
{
    SaveWorld *world = *state;
    TestRandom random = test_random_seeded(31);
    TrnBlockTypes *types; // of the store that stays open
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    TrnStore *store = open_store(world->types), *twin = open_store(types);
    for (uint32_t round = 0; round < test_rounds(40, 10); round++) {
        TrnStore *const stores[] = {store, twin};
        const TrnVoxel at = {test_random_range(&random, -40, 40), 0,
                             test_random_range(&random, -40, 40)};
        const TrnBlock block = (TrnBlock)test_random_range(&random, 0, 30);
        const double radius = (double)test_random_range(&random, 0, 20);
        for (int i = 0; i < 2; i++) {
            TrnBatch *batch;
            assert_int_equal(trn_batch_begin(stores[i], NULL, &batch), TRN_RESULT_OK);
            (void)trn_batch_fill_sphere(batch, at, radius, block);
            assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        }
    }
    store = restart(world, store);
    static TrnCoord coords[64];
    const size_t count = trn_pending_chunks(twin, coords, 64);
    assert_in_range(count, 8, 64);
    assert_int_equal(trn_edits_stats(store).pending_chunks, count);
    for (size_t i = 0; i < count; i++) {
        TrnChunk *one, *other;
        assert_int_equal(trn_store_insert_uniform(store, coords[i], TRN_BLOCK_STONE, &one),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_insert_uniform(twin, coords[i], TRN_BLOCK_STONE, &other),
                         TRN_RESULT_OK);
        assert_true(trn_snapshot_hash(trn_voxels_snapshot(&one->voxels)) ==
                    trn_snapshot_hash(trn_voxels_snapshot(&other->voxels)));
    }
    trn_store_destroy(store);
    trn_store_destroy(twin);
    trn_block_types_destroy(types);
}

/// Puts a value of the save's own into the file while nothing has it open.
static void put_value(const SaveWorld *world, const char *name, const char *bytes)
{
    TrnStorage storage;
    const TrnStorageValue value = {name, bytes, strlen(bytes)};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(trn_storage_sqlite(world->file, TRN_STORAGE_OPEN, &storage, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    storage.close(storage.user);
}

static void damaged_pending_edits_are_left_out_and_told(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store = open_store(world->types);
    set_block(store, edited, TRN_BLOCK_GLASS);
    store = restart(world, store);
    trn_store_destroy(store);
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    put_value(world, "terrane/pending/1,2,3", "this is no value of pending edits");
    put_value(world, "terrane/pending/1,2", "nor is this a coordinate");
    assert_int_equal(save_world_open(world, TRN_STORAGE_OPEN), TRN_RESULT_OK);
    store = open_store(world->types);
    assert_int_equal(trn_save_load_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_edits_stats(store).pending_chunks, 1);
    for (int i = 0; i < 2; i++) {
        TrnSaveEvent event;
        assert_true(trn_save_next_event(world->save, &event));
        assert_int_equal(event.kind, TRN_SAVE_EVENT_DAMAGED);
        assert_non_null(strstr(event.sentence, "left out"));
    }
    trn_store_destroy(store);
}

/// Edits that the store has no capacity for stay in the file.
static void pending_edits_that_do_not_fit_stay_stored(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store = open_store(world->types);
    set_block(store, edited, TRN_BLOCK_GLASS);
    store = restart(world, store);
    trn_store_destroy(store);
    store = open_store(world->types);
    assert_int_equal(trn_pending_set_bytes_max(store, 1), TRN_RESULT_OK);
    assert_int_equal(trn_save_load_pending(world->save, store), TRN_RESULT_FULL);
    assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(count_stored(world), 1);
    assert_int_equal(trn_pending_set_bytes_max(store, 0), TRN_RESULT_OK);
    assert_int_equal(trn_save_load_pending(world->save, store), TRN_RESULT_OK);
    assert_int_equal(load_chunk(world, store, edited), TRN_BLOCK_GLASS);
    trn_store_destroy(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(edits_of_unloaded_chunks_survive_quitting),
        TEST(a_saved_row_replaces_the_edits_that_were_pending_for_it),
        TEST(edits_that_were_dropped_after_they_were_stored_stay_dropped),
        TEST(pending_edits_are_replaced_and_dropped),
        TEST(any_pending_edits_come_back),
        TEST(damaged_pending_edits_are_left_out_and_told),
        TEST(pending_edits_that_do_not_fit_stay_stored)};
    return cmocka_run_group_tests_name("save_pending", tests, NULL, NULL);
}
