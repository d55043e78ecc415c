// Work of saving: values and pending edits that wait in the queue, which a shared world's players
// can make many of.

#include "work.h"

#include <terrane/batch.h>
#include <terrane/save.h>

/// A world whose save writes nothing before it is destroyed.
typedef struct SavedWorld {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnSave *save;
} SavedWorld;

static SavedWorld saved_world(void)
{
    SavedWorld world;
    TrnSaveDef def = trn_save_def();
    TrnStoreDef store_def = trn_store_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &world.types), TRN_RESULT_OK);
    assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
    def.types = world.types;
    def.commit_seconds = 3600;
    def.has_thread = false;
    assert_int_equal(trn_save_create(&def, &world.save, NULL), TRN_RESULT_OK);
    store_def.types = world.types;
    assert_int_equal(trn_store_create(&store_def, &world.store), TRN_RESULT_OK);
    return world;
}

static void saved_world_end(SavedWorld *world)
{
    assert_int_equal(trn_save_destroy(world->save), TRN_RESULT_OK);
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
}

/// Makes an edit pending in each of `count` chunks.
static void edit_chunks(TrnStore *store, uint32_t count, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (uint32_t i = 0; i < count; i++) {
        (void)trn_batch_set(batch, (TrnVoxel){(int64_t)i * TRN_CHUNK_EDGE, 0, 0}, block);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

/// Stores the pending edits of `count` chunks, and again once each has another one.
static uint64_t work_of_pending_edits(uint32_t count)
{
    SavedWorld world = saved_world();
    uint64_t work = 0;
    for (uint32_t round = 0; round < 2; round++) {
        edit_chunks(world.store, count, (TrnBlock)(TRN_BLOCK_STONE + round));
        const uint64_t start = work_start();
        assert_int_equal(trn_save_pending(world.save, world.store), TRN_RESULT_OK);
        work += work_since(start);
    }
    saved_world_end(&world);
    return work;
}

/// Sets `count` values of the game's, and reads each.
static uint64_t work_of_values(uint32_t count)
{
    SavedWorld world = saved_world();
    char name[32], text[sizeof name];
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < 2 * count; i++) {
        (void)snprintf(name, sizeof name, "player %u", (unsigned)i / 2);
        assert_int_equal(trn_save_set_value(world.save, name, name, sizeof name), TRN_RESULT_OK);
        assert_int_equal(trn_save_get_value(world.save, name, text, sizeof text, NULL),
                         TRN_RESULT_OK);
        assert_string_equal(text, name);
    }
    const uint64_t work = work_since(start);
    saved_world_end(&world);
    return work;
}

static void pending_edits_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_pending_edits, 500, 4, WORK_LINEAR);
}

static void values_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_values, 500, 4, WORK_LINEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_take_linear_work),
        cmocka_unit_test(values_take_linear_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
