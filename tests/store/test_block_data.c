// Block data in a store: set, get and list in the world, snapshots held by readers across changes
// and removals, events, inserts with data, memory and caps. Chunks are compared with plain models.

#include "data_model.h"
#include "store_blocks.h"

#include <terrane/store.h>

#define CHUNKS 2
#define HELD 6

typedef struct World {
    TestAllocator memory;
    TrnStore *store;
    TrnChunkReader *reader;
    bool is_loaded[CHUNKS];
    DataModel models[CHUNKS];
} World;

static const TrnCoord coords[CHUNKS] = {{-1, 0, 0}, {0, 0, 0}};

static World *world_create(size_t bytes_max)
{
    World *world = calloc(1, sizeof *world);
    const TrnAllocator allocator = test_allocator(&world->memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.bytes_max = bytes_max;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    world->reader = reader_of(world->store);
    return world;
}

static void world_destroy(World *world)
{
    trn_store_destroy(world->store);
    assert_int_equal(world->memory.live_blocks, 0);
    free(world);
}

static TrnVoxel world_voxel(uint32_t place, uint32_t index)
{
    const TrnVoxel low = trn_coord_voxel(coords[place]);
    return (TrnVoxel){low.x + index % 32, low.y + index / 1024, low.z + index / 32 % 32};
}

static TrnSnapshot world_snapshot(const World *world, uint32_t place)
{
    TrnSnapshot snapshot;
    assert_int_equal(trn_store_snapshot(world->store, coords[place], &snapshot), TRN_RESULT_OK);
    return snapshot;
}

static TrnResult world_set_data(World *world, uint32_t place, uint32_t index, uint8_t tag,
                                uint32_t size, TrnDataRule rule)
{
    const TrnResult result = trn_store_set_data(world->store, world_voxel(place, index),
                                                model_bytes(tag, size), size, rule, NULL);
    if (result == TRN_RESULT_OK) {
        model_set_data(&world->models[place], index, tag, size, rule);
    }
    return result;
}

// ---- single voxels -----------------------------------------------------------------------------

static void data_is_set_read_and_removed_by_voxel(void **state)
{
    (void)state;
    World *world = world_create(0);
    const TrnVoxel voxel = {-7, 3, 9}, outside = {INT64_MAX, 0, 0};
    TrnBlockData data;
    bool is_changed;
    assert_int_equal(trn_store_set_data(world->store, voxel, "abc", 3, 0, NULL),
                     TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_get_data(world->store, voxel, &data), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_insert_uniform(world->store, coords[0], 4, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_get_data(world->store, voxel, &data), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_set_data(world->store, voxel, "abc", 3, 0, &is_changed),
                     TRN_RESULT_OK);
    assert_true(is_changed);
    assert_int_equal(trn_store_get_data(world->store, voxel, &data), TRN_RESULT_OK);
    assert_int_equal(data.size, 3);
    assert_memory_equal(data.bytes, "abc", 3);
    const uint64_t revision = trn_store_revision(world->store);
    assert_int_equal(trn_store_set_data(world->store, voxel, "abc", 3, 0, &is_changed),
                     TRN_RESULT_OK);
    assert_false(is_changed);
    assert_int_equal(trn_store_revision(world->store), revision);
    assert_int_equal(trn_store_set_data(world->store, voxel, NULL, 0, 0, &is_changed),
                     TRN_RESULT_OK);
    assert_true(is_changed);
    assert_int_equal(trn_store_get_data(world->store, voxel, &data), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_get_data(world->store, outside, &data), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_set_data(world->store, outside, "", 0, 0, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    world_destroy(world);
}

static void inserts_take_one_block_for_a_uniform_chunk_and_refuse_what_lacks(void **state)
{
    (void)state;
    World *world = world_create(0);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnBlockData chest = {"abc", 3, 9, TRN_DATA_STAYS};
    TrnBlock block;
    blocks[0] = 4; // the others are air
    assert_int_equal(trn_store_insert_data(world->store, coords[0], NULL, true, &chest, 1, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_insert_data(world->store, coords[0], blocks, true, NULL, 1, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_insert_data(world->store, coords[0], blocks, true, &chest, 1, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_get_block(world->store, world_voxel(0, 9), &block), TRN_RESULT_OK);
    assert_int_equal(block, 4);
    assert_int_equal(trn_store_insert_data(world->store, coords[1], blocks, false, NULL, 0, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_get_block(world->store, world_voxel(1, 9), &block), TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    world_destroy(world);
}

static void lists_cross_chunks_and_accept_any_box(void **state)
{
    (void)state;
    World *world = world_create(0);
    const TrnVoxel least = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel most = {INT64_MAX, INT64_MAX, INT64_MAX};
    TrnVoxelData list[400];
    for (int32_t x = -150; x < 150; x++) { // more chunks than one gather
        const TrnCoord coord = {x, x % 3, -x};
        const TrnVoxel low = trn_coord_voxel(coord);
        const TrnVoxel voxel = {low.x + 31, low.y + 1, low.z + 2};
        assert_int_equal(trn_store_insert_uniform(world->store, coord, 1, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_set_data(world->store, voxel, &x, sizeof x, 0, NULL),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_list_data(world->store, least, most, list, 400), 300);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 300; i++) {
        int32_t x;
        memcpy(&x, list[i].data.bytes, sizeof x);
        assert_true(list[i].voxel.x == (int64_t)x * 32 + 31);
        assert_true(list[i].voxel.z == -(int64_t)x * 32 + 2);
        sum += (uint64_t)(x + 150);
    }
    assert_int_equal(sum, 300 * 299 / 2);
    assert_int_equal(trn_store_list_data(world->store, least, most, list, 7), 300);
    assert_int_equal(trn_store_list_data(world->store, most, least, NULL, 0), 0);
    const TrnVoxel from = {31, least.y, least.z}, to = {63, most.y, most.z};
    assert_int_equal(trn_store_list_data(world->store, from, to, list, 400), 2);
    const TrnVoxel beyond = {TRN_VOXEL_MAX + 1, 0, 0}, far_beyond = {INT64_MAX, 0, 0};
    const TrnVoxel before = {TRN_VOXEL_MIN - 1, 0, 0}, far_before = {INT64_MIN, 0, 0};
    assert_int_equal(trn_store_list_data(world->store, beyond, far_beyond, list, 400), 0);
    assert_int_equal(trn_store_list_data(world->store, far_before, before, list, 400), 0);
    world_destroy(world);
}

// ---- events ------------------------------------------------------------------------------------

typedef struct Heard {
    uint32_t events;
    TrnEventChunk last;
} Heard;

static TrnResult hear(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    Heard *heard = user;
    heard->events++;
    heard->last = event->chunks[0];
    return TRN_RESULT_OK;
}

static void events_tell_whether_data_changed(void **state)
{
    (void)state;
    World *world = world_create(0);
    Heard heard = {0};
    const TrnVoxel voxel = world_voxel(1, 5);
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(world->store, coords[1], 4, &chunk), TRN_RESULT_OK);
    assert_int_equal(
        trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), hear, &heard),
        TRN_RESULT_OK);
    assert_int_equal(trn_store_set_data(world->store, voxel, "abc", 3, 0, NULL), TRN_RESULT_OK);
    assert_int_equal(heard.events, 1);
    assert_true(heard.last.has_data_changed);
    assert_int_equal(heard.last.around, 1u << TRN_AROUND_CENTRE);
    assert_int_equal(trn_store_set_block(world->store, world_voxel(1, 6), 9, NULL), TRN_RESULT_OK);
    assert_false(heard.last.has_data_changed);
    assert_int_equal(trn_store_set_block(world->store, voxel, 9, NULL), TRN_RESULT_OK);
    assert_true(heard.last.has_data_changed);
    assert_int_equal(trn_store_set_data(world->store, voxel, "abc", 3, 0, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(world->store, chunk, 9), TRN_RESULT_OK);
    assert_false(heard.last.has_data_changed);
    assert_int_equal(trn_store_get_data(world->store, voxel, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(world->store, chunk, 8), TRN_RESULT_OK);
    assert_true(heard.last.has_data_changed);
    assert_int_equal(heard.events, 6);
    assert_true(trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels)));
    world_destroy(world);
}

// ---- random changes ----------------------------------------------------------------------------

/// A snapshot that the reader holds, and what it must show until the section ends.
typedef struct Held {
    TrnSnapshot snapshot;
    DataModel model;
} Held;

static void random_insert(World *world, uint32_t place, TestRandom *random)
{
    static unsigned char bytes[8][256];
    DataModel *model = &world->models[place];
    TrnBlockData data[8];
    const uint32_t count = (uint32_t)test_random_range(random, 0, 8);
    const bool uniform = test_random_next(random) % 2;
    memset(model, 0, sizeof *model);
    mixed_blocks(model->blocks, uniform ? 1 : 5, test_random_next(random));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = model_random_index(random), size = model_random_size(random) % 256;
        const uint8_t tag = (uint8_t)test_random_next(random);
        memcpy(bytes[i], model_bytes(tag, size), size);
        data[i] = (TrnBlockData){bytes[i], size, (uint16_t)index, model_random_rule(random)};
        model_set_data(model, index, tag, size, data[i].rule);
    }
    assert_int_equal(trn_store_insert_data(world->store, coords[place], model->blocks, uniform,
                                           data, count, NULL),
                     TRN_RESULT_OK);
    world->is_loaded[place] = true;
}

static void random_change(World *world, uint32_t place, TestRandom *random)
{
    DataModel *model = &world->models[place];
    TrnChunk *chunk = trn_store_find(world->store, coords[place]);
    const uint32_t index = model_random_index(random);
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 5);
    const uint64_t which = test_random_next(random) % 32;
    if (which < 16) {
        assert_int_equal(world_set_data(world, place, index, (uint8_t)which,
                                        model_random_size(random), model_random_rule(random)),
                         TRN_RESULT_OK);
    } else if (which < 26) {
        assert_int_equal(trn_store_set_block(world->store, world_voxel(place, index), block, NULL),
                         TRN_RESULT_OK);
        model->blocks[index] = block;
    } else if (which < 27) {
        assert_int_equal(trn_store_fill(world->store, chunk, block), TRN_RESULT_OK);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            model->blocks[i] = block;
        }
    } else if (which < 29) {
        if (which == 27) {
            mixed_blocks(model->blocks, 3, test_random_next(random));
        }
        assert_int_equal(trn_store_set_voxels(world->store, chunk, model->blocks), TRN_RESULT_OK);
    } else if (which < 30) {
        assert_int_equal(trn_store_compact(world->store, chunk), TRN_RESULT_OK);
    } else {
        assert_int_equal(trn_store_remove(world->store, coords[place]), TRN_RESULT_OK);
        world->is_loaded[place] = false;
    }
    model_purge(model);
}

static void snapshots_keep_blocks_and_data_of_one_moment(void **state)
{
    (void)state;
    test_skip_without_threads();
    World *world = world_create(0);
    TestRandom random = test_random_seeded(44);
    Held *held = calloc(HELD, sizeof *held);
    const uint32_t rounds = test_rounds(120, 30);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t count = 0;
        trn_chunk_index_read_begin(world->reader);
        for (uint32_t step = 0; step < 24; step++) {
            const uint32_t place = (uint32_t)(test_random_next(&random) % CHUNKS);
            if (!world->is_loaded[place]) {
                random_insert(world, place, &random);
            } else {
                random_change(world, place, &random);
            }
            if (world->is_loaded[place] && count < HELD && step % 4 == 0) {
                held[count].snapshot = world_snapshot(world, place);
                memcpy(&held[count++].model, &world->models[place], sizeof(DataModel));
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            model_check_snapshot(&held[i].model, held[i].snapshot);
        }
        trn_chunk_index_read_end(world->reader);
        for (uint32_t place = 0; place < CHUNKS; place++) {
            if (world->is_loaded[place]) {
                model_check_snapshot(&world->models[place], world_snapshot(world, place));
            }
        }
    }
    trn_store_trim(world->store); // reclaims what the reader has kept
    assert_int_equal(trn_store_stats(world->store).retired_bytes, 0);
    free(held);
    world_destroy(world);
}

// ---- memory ------------------------------------------------------------------------------------

static void removed_data_returns_and_counts_as_retired_meanwhile(void **state)
{
    (void)state;
    World *world = world_create(0);
    const TrnVoxel voxel = world_voxel(0, 100);
    assert_int_equal(trn_store_insert_uniform(world->store, coords[0], 4, NULL), TRN_RESULT_OK);
    const size_t empty = trn_store_stats(world->store).used_bytes;
    assert_int_equal(world_set_data(world, 0, 100, 1, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS),
                     TRN_RESULT_OK);
    assert_true(trn_store_explain(world->store, coords[0]).bytes > TRN_DATA_BYTES_MAX);
    assert_true(trn_store_stats(world->store).used_bytes >= empty + TRN_DATA_BYTES_MAX);
    trn_chunk_index_read_begin(world->reader);
    for (uint32_t i = 0; i < 20; i++) { // retired tables share the bytes
        assert_int_equal(trn_store_set_block(world->store, world_voxel(0, i), 5, NULL),
                         TRN_RESULT_OK);
        assert_int_equal(world_set_data(world, 0, i, 1, 10, TRN_DATA_STAYS), TRN_RESULT_OK);
    }
    TrnStoreStats stats = trn_store_stats(world->store);
    assert_true(stats.used_bytes < stats.total_bytes);
    assert_true(stats.used_bytes >= empty + TRN_DATA_BYTES_MAX);
    assert_int_equal(trn_store_remove(world->store, coords[0]), TRN_RESULT_OK);
    stats = trn_store_stats(world->store);
    assert_true(stats.retired_bytes > TRN_DATA_BYTES_MAX);
    assert_true(stats.used_bytes < empty + 4096); // what the index notes of them is small
    trn_chunk_index_read_end(world->reader);
    trn_store_trim(world->store);
    assert_int_equal(trn_store_stats(world->store).retired_bytes, 0);
    assert_int_equal(trn_voxel_heap_stats(trn_store_voxel_heap(world->store)).data_bytes, 0);
    assert_int_equal(trn_store_get_data(world->store, voxel, NULL), TRN_RESULT_NOT_FOUND);
    world_destroy(world);
}

static void block_data_has_a_limit_of_its_own(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    assert_int_equal(def.data_bytes_max, (size_t)1 << 30);
    def.data_bytes_max = (size_t)3 * TRN_DATA_BYTES_MAX + 8192;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, coords[0], 4, NULL), TRN_RESULT_OK);
    const void *bytes = model_bytes(1, TRN_DATA_BYTES_MAX);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(trn_store_set_data(store, world_voxel(0, i), bytes, TRN_DATA_BYTES_MAX,
                                            TRN_DATA_STAYS, NULL),
                         i < 3 ? TRN_RESULT_OK : TRN_RESULT_FULL);
    }
    assert_int_equal(trn_store_set_data(store, world_voxel(0, 0), NULL, 0, 0, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_data(store, world_voxel(0, 3), bytes, TRN_DATA_BYTES_MAX,
                                        TRN_DATA_STAYS, NULL),
                     TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void the_budget_covers_data(void **state)
{
    (void)state;
    const size_t cap = (size_t)3 << 20;
    World *world = world_create(cap);
    assert_int_equal(trn_store_insert_uniform(world->store, coords[0], 4, NULL), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        world->models[0].blocks[i] = 4;
    }
    uint32_t count = 0;
    TrnResult result;
    trn_chunk_index_read_begin(world->reader);
    do {
        result = world_set_data(world, 0, count++, 1, TRN_DATA_BYTES_MAX, TRN_DATA_STAYS);
    } while (result == TRN_RESULT_OK);
    assert_int_equal(result, TRN_RESULT_READERS); // retired payloads wait for the reader
    trn_chunk_index_read_end(world->reader);
    for (count--; (result = world_set_data(world, 0, count, 1, TRN_DATA_BYTES_MAX,
                                           TRN_DATA_STAYS)) == TRN_RESULT_OK;) {
        count++;
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(trn_store_stats(world->store).total_bytes <= cap);
    model_check_snapshot(&world->models[0], world_snapshot(world, 0));
    world_destroy(world);
}

/// Calls that allocate, each as the last step of a world that is made anew.
static TrnResult fault_call(World *world, uint32_t which)
{
    static const TrnBlockData data[3] = {
        {"a", 1, 7, TRN_DATA_STAYS}, {"bc", 2, 5, TRN_DATA_WITH_BLOCK}, {"", 0, 9, TRN_DATA_STAYS}};
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnChunk *chunk = trn_store_find(world->store, coords[0]);
    switch (which) {
    case 0:
        return trn_store_insert_data(world->store, coords[1], blocks, true, data, 3, NULL);
    case 1:
        mixed_blocks(blocks, 5, 1);
        return trn_store_insert_data(world->store, coords[1], blocks, false, data, 3, NULL);
    case 2:
        return trn_store_set_data(world->store, world_voxel(0, 1), "xyz", 3, TRN_DATA_STAYS, NULL);
    case 3:
        return trn_store_set_data(world->store, world_voxel(0, 100), NULL, 0, 0, NULL);
    case 4:
        return trn_store_fill(world->store, chunk, 9);
    default:
        mixed_blocks(blocks, 300, 2);
        return trn_store_set_voxels(world->store, chunk, blocks);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 6; which++) {
        for (size_t at = 1;; at++) {
            World *world = world_create(0);
            for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
                world->models[0].blocks[i] = 4;
            }
            assert_int_equal(trn_store_insert_uniform(world->store, coords[0], 4, NULL),
                             TRN_RESULT_OK);
            assert_int_equal(world_set_data(world, 0, 100, 1, 50, TRN_DATA_STAYS), TRN_RESULT_OK);
            assert_int_equal(world_set_data(world, 0, 200, 2, 50, TRN_DATA_WITH_BLOCK),
                             TRN_RESULT_OK);
            trn_store_trim(world->store);
            test_fail(&world->memory, at, SIZE_MAX);
            const TrnResult result = fault_call(world, which);
            const bool was_reached = world->memory.allocations >= at;
            test_fail(&world->memory, 0, 0);
            if (result != TRN_RESULT_OK) {
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                model_check_snapshot(&world->models[0], world_snapshot(world, 0));
                assert_null(trn_store_find(world->store, coords[1]));
            }
            world_destroy(world);
            if (!was_reached) {
                assert_int_equal(result, TRN_RESULT_OK);
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_is_set_read_and_removed_by_voxel),
        cmocka_unit_test(inserts_take_one_block_for_a_uniform_chunk_and_refuse_what_lacks),
        cmocka_unit_test(lists_cross_chunks_and_accept_any_box),
        cmocka_unit_test(events_tell_whether_data_changed),
        cmocka_unit_test(snapshots_keep_blocks_and_data_of_one_moment),
        cmocka_unit_test(removed_data_returns_and_counts_as_retired_meanwhile),
        cmocka_unit_test(block_data_has_a_limit_of_its_own),
        cmocka_unit_test(the_budget_covers_data),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
