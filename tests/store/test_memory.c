// Changes that memory or readers refuse, against a model; every allocation may fail.
// test_faults.c fails each allocation of each call.

#include "base/failing_ranges.h"
#include "store_blocks.h"

#define FAULT_PLACES 10

/// A small world and its model of plain arrays.
typedef struct FaultWorld {
    TestAllocator memory;
    TrnStore *store;
    TrnChunkReader *reader;
    bool is_reading;
    TrnChunk *chunks[FAULT_PLACES];
    uint64_t revisions[FAULT_PLACES];
    TrnBlock blocks[FAULT_PLACES][TRN_CHUNK_VOXELS];
    TrnBlock next[TRN_CHUNK_VOXELS]; ///< what an operation would make of its chunk
    uint32_t refused[TRN_RESULT_COUNT];
} FaultWorld;

/// Returns a coordinate in one of at least eight pages, so that pages are created and dropped.
static TrnCoord fault_coord(uint32_t place)
{
    return (TrnCoord){(int32_t)place * 300 - 700, (int32_t)(place % 3) * 9, -(int32_t)place};
}

static void fault_check(FaultWorld *world, uint32_t place)
{
    static TrnBlock read[TRN_CHUNK_VOXELS];
    TrnChunk *chunk = world->chunks[place];
    assert_ptr_equal(trn_store_find(world->store, fault_coord(place)), chunk);
    if (chunk) {
        assert_true(trn_chunk_revision(chunk) == world->revisions[place]);
        assert_ptr_equal(trn_store_chunk(world->store, chunk->id), chunk);
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), read);
        assert_memory_equal(read, world->blocks[place], sizeof read);
    }
}

static TrnResult fault_come_or_go(FaultWorld *world, uint32_t place, TestRandom *random)
{
    if (world->chunks[place]) {
        TrnResult result = trn_store_remove(world->store, fault_coord(place));
        world->chunks[place] = result == TRN_RESULT_OK ? NULL : world->chunks[place];
        return result;
    }
    if (test_random_next(random) % 2) {
        mixed_blocks(world->next, 200, test_random_next(random));
        return trn_store_insert_voxels(world->store, fault_coord(place), world->next,
                                       &world->chunks[place]);
    }
    memset(world->next, 0, sizeof world->next);
    return trn_store_insert_uniform(world->store, fault_coord(place), TRN_BLOCK_AIR,
                                    &world->chunks[place]);
}

/// Sets voxels and fills a box in one edit, which is cancelled if a call fails.
static TrnResult fault_edit(FaultWorld *world, uint32_t place, TestRandom *random)
{
    TrnVoxelEdit edit;
    TrnResult result = TRN_RESULT_OK;
    trn_store_edit_begin(world->store, world->chunks[place], &edit);
    for (int i = 0; i < 30 && result == TRN_RESULT_OK; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        world->next[index] = (TrnBlock)test_random_range(random, 0, 400);
        result = trn_voxel_edit_set(&edit, index, world->next[index]);
    }
    const uint32_t min[3] = {0, 0, 0}, max[3] = {31, 30, 31};
    if (result == TRN_RESULT_OK && test_random_next(random) % 4 == 0) {
        result = trn_voxel_edit_fill_box(&edit, min, max, TRN_BLOCK_STONE);
        for (uint32_t i = 0; i < 31 * 1024; i++) {
            world->next[i] = TRN_BLOCK_STONE;
        }
    }
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&edit);
        return result;
    }
    trn_store_edit_commit(world->store, &edit);
    return TRN_RESULT_OK;
}

static TrnResult fault_write(FaultWorld *world, uint32_t place, TestRandom *random)
{
    static const uint32_t types[] = {1, 2, 4, 16, 200, 3000};
    TrnChunk *chunk = world->chunks[place];
    TrnVoxel voxel = trn_coord_voxel(chunk->coord);
    memcpy(world->next, world->blocks[place], sizeof world->next);
    switch (test_random_next(random) % 5) {
    case 0:
        mixed_blocks(world->next, types[test_random_next(random) % 6], test_random_next(random));
        return trn_store_set_voxels(world->store, chunk, world->next);
    case 1:
        memset(world->next, 0, sizeof world->next);
        trn_store_fill(world->store, chunk, TRN_BLOCK_AIR);
        return TRN_RESULT_OK;
    case 2:
        world->next[0] = (TrnBlock)test_random_range(random, 0, 9);
        return trn_store_set_block(world->store, voxel, world->next[0], NULL);
    case 3:
        return trn_store_compact(world->store, chunk);
    default:
        return fault_edit(world, place, random);
    }
}

/// Does one operation with an allocator that may fail. Afterwards the chunk is unchanged or as
/// expected.
static void fault_step(FaultWorld *world, TestRandom *random)
{
    const uint32_t place = (uint32_t)test_random_range(random, 0, FAULT_PLACES - 1);
    if (test_random_next(random) % 2 == 0) { // so that the step allocates
        trn_voxel_heap_trim(trn_store_voxel_heap(world->store));
    }
    // All allocations from there on fail: a retry after freeing memory fails too.
    test_fail(&world->memory, (size_t)test_random_range(random, 0, 3), SIZE_MAX);
    const bool comes_or_goes = !world->chunks[place] || test_random_next(random) % 4 == 0;
    TrnResult result =
        comes_or_goes ? fault_come_or_go(world, place, random) : fault_write(world, place, random);
    test_fail(&world->memory, 0, 0);
    world->refused[result]++;
    if (result == TRN_RESULT_OK && world->chunks[place]) {
        memcpy(world->blocks[place], world->next, sizeof world->next);
        world->revisions[place] = trn_chunk_revision(world->chunks[place]);
    }
    fault_check(world, place);
    assert_int_equal(trn_store_stats(world->store).total_bytes, world->memory.live_bytes);
    if (test_random_next(random) % 16 == 0) {
        (world->is_reading ? trn_chunk_index_read_end : trn_chunk_index_read_begin)(world->reader);
        world->is_reading = !world->is_reading;
    }
}

static void a_change_that_memory_or_readers_refuse_changes_nothing(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(8);
    FaultWorld *world = calloc(1, sizeof *world);
    assert_non_null(world);
    const TrnAllocator allocator = test_allocator(&world->memory);
    for (int round = 0; round < 4; round++) {
        TrnStoreDef def = trn_store_def();
        def.allocator = &allocator;
        def.bytes_max = round % 2 ? 1000000 : 0;
        def.chunk_max = round % 2 ? 7 : 0;
        assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
        world->reader = reader_of(world->store);
        for (int step = 0; step < 1500; step++) {
            fault_step(world, &random);
        }
        for (uint32_t place = 0; place < FAULT_PLACES; place++) {
            fault_check(world, place);
            world->chunks[place] = NULL;
        }
        if (world->is_reading) {
            trn_chunk_index_read_end(world->reader);
        }
        world->is_reading = false;
        trn_store_destroy(world->store); // frees retired memory too
        assert_int_equal(world->memory.live_blocks, 0);
    }
    print_message("  refused: %u no memory, %u full, %u readers\n",
                  world->refused[TRN_RESULT_NO_MEMORY], world->refused[TRN_RESULT_FULL],
                  world->refused[TRN_RESULT_READERS]);
    assert_true(world->refused[TRN_RESULT_NO_MEMORY] > 50 && world->refused[TRN_RESULT_FULL] > 20 &&
                world->refused[TRN_RESULT_READERS] > 20);
    free(world);
}

static void every_allocation_may_fail_and_bytes_are_counted(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    size_t failures = 0;
    bool failed = true;
    for (size_t fail_at = 1; failed; fail_at++) {
        memory = (TestAllocator){.fail_at = fail_at};
        failed = false;
        TrnStore *store = NULL;
        if (trn_store_create(&def, &store) != TRN_RESULT_OK) {
            assert_null(store);
            assert_int_equal(memory.live_blocks, 0);
            failed = true;
            failures++;
            continue;
        }
        uint32_t present = 0;
        for (int32_t i = 0; i < 40; i++) {
            TrnCoord coord = {i * 2, -i, i};
            TrnResult result = trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL);
            failed |= result != TRN_RESULT_OK;
            present += result == TRN_RESULT_OK;
            if (result == TRN_RESULT_OK) {
                TrnVoxel voxel = trn_coord_voxel(coord);
                result = trn_store_set_block(store, voxel, 3, NULL);
                failed |= result != TRN_RESULT_OK;
                TrnBlock block;
                assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
                assert_int_equal(block, result == TRN_RESULT_OK ? 3 : 0);
            }
            assert_int_equal(trn_store_stats(store).total_bytes, memory.live_bytes);
        }
        assert_int_equal(trn_store_stats(store).chunks, present);
        assert_true(present >= 39);
        trn_store_destroy(store);
        assert_int_equal(memory.live_blocks, 0);
        failures += failed;
    }
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_that_memory_or_readers_refuse_changes_nothing),
        cmocka_unit_test(every_allocation_may_fail_and_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
