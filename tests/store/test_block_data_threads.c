// Readers of blocks and data concurrent with the writer: in every snapshot each data says which
// block it belongs to, and stays readable until the section ends. The chunk has few data, or so
// much that its table has many parts.

#include "store/store_internal.h"
#include "testing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <terrane/history.h>

#define READERS 3
#define VOXELS_FEW 48 // that get blocks and data
#define VOXELS_MANY 700
#define SECTIONS_LEAST 100

typedef struct World {
    TrnStore *store;
    uint32_t voxels; ///< VOXELS_FEW or VOXELS_MANY
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, sections, seen;
} World;

static const TrnCoord coord = {4, -4, 4};

static uint32_t index_of(uint32_t which)
{
    return which * 677 % TRN_CHUNK_VOXELS;
}

/// Whether the data of a snapshot belongs to its blocks: bytes that repeat the block.
static bool is_consistent(TrnSnapshot snapshot, uint32_t *seen)
{
    TrnBlockData list[VOXELS_MANY];
    const uint32_t low[3] = {0, 0, 0}, high[3] = {31, 31, 31};
    const uint32_t count = trn_snapshot_list_data(snapshot, low, high, list, VOXELS_MANY);
    bool good = count <= VOXELS_MANY;
    for (uint32_t i = 0; good && i < count; i++) {
        const unsigned char *bytes = list[i].bytes;
        const TrnBlock block = trn_snapshot_get(snapshot, list[i].index);
        for (uint32_t at = 0; at < list[i].size; at++) {
            good = good && bytes[at] == (unsigned char)block;
        }
        good = good && list[i].size == (uint32_t)block * 16 && block >= 1;
    }
    *seen += count;
    return good;
}

static void *read_until_done(void *user)
{
    World *world = user;
    TrnChunkReader *reader;
    if (trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader) !=
        TRN_RESULT_OK) {
        atomic_fetch_add(&world->failures, 1);
        return NULL;
    }
    while (!atomic_load(&world->done)) {
        TrnSnapshot snapshot, later;
        uint32_t seen = 0;
        trn_chunk_index_read_begin(reader);
        if (trn_store_snapshot(world->store, coord, &snapshot) == TRN_RESULT_OK) {
            bool good = is_consistent(snapshot, &seen);
            sched_yield(); // the writer goes on; the snapshot stays valid
            good = good && is_consistent(snapshot, &seen);
            if (trn_store_snapshot(world->store, coord, &later) == TRN_RESULT_OK) {
                // A change of data in between is a change of the count, or of what is shared.
                good = good && trn_snapshot_equal_data(later, later) &&
                       (!trn_snapshot_equal_data(snapshot, later) ||
                        trn_snapshot_count_data(snapshot) == trn_snapshot_count_data(later));
            }
            atomic_fetch_add(&world->failures, !good);
        }
        trn_chunk_index_read_end(reader);
        atomic_fetch_add(&world->seen, seen);
        atomic_fetch_add(&world->sections, 1);
    }
    trn_chunk_index_reader_destroy(reader);
    return NULL;
}

/// Changes a voxel in a batch: block, and data that belongs to it.
static void write_voxel(TrnBatch *batch, uint32_t index, TrnBlock block)
{
    unsigned char bytes[9 * 16];
    const TrnVoxel low = trn_coord_voxel(coord);
    const TrnVoxel voxel = {low.x + index % 32, low.y + index / 1024, low.z + index / 32 % 32};
    (void)trn_batch_set(batch, voxel, block); // the commit reports failures
    if (block) {
        memset(bytes, block, sizeof bytes);
        (void)trn_batch_set_data(batch, voxel, bytes, (size_t)block * 16, TRN_DATA_WITH_BLOCK);
    }
}

/// Changes some voxels.
/// @param count  all of them: once each
static void write_some(World *world, TrnHistory *history, uint32_t count, TestRandom *random)
{
    TrnBatchDef def = trn_batch_def();
    TrnBatch *batch;
    def.history = history;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t which =
            count == world->voxels ? i : (uint32_t)(test_random_next(random) % world->voxels);
        const TrnBlock least = count == world->voxels;
        write_voxel(batch, index_of(which), (TrnBlock)test_random_range(random, least, 9));
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

static void write_all(World *world, TestRandom *random)
{
    TrnHistory *history;
    assert_int_equal(trn_history_create(world->store, NULL, &history), TRN_RESULT_OK);
    const uint32_t rounds = test_rounds(3000, 400);
    for (uint32_t round = 0; round < rounds || atomic_load(&world->sections) < SECTIONS_LEAST;
         round++) {
        if (!trn_store_find(world->store, coord)) {
            assert_int_equal(trn_store_insert_uniform(world->store, coord, 0, NULL), TRN_RESULT_OK);
            write_some(world, history, world->voxels, random);
        }
        write_some(world, history, (uint32_t)test_random_range(random, 1, 4), random);
        if (round % 16 == 15) {
            assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
        }
        if (round % 64 == 63) {
            trn_history_clear(history);
            assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
        }
        if (round >= rounds) {
            sched_yield();
        }
    }
    trn_history_destroy(history);
}

static void check_readers(uint32_t voxels)
{
    test_needs_threads();
    World world = {.voxels = voxels};
    pthread_t threads[READERS];
    TestRandom random = test_random_seeded(47);
    assert_int_equal(trn_store_create(NULL, &world.store), TRN_RESULT_OK);
    for (uint32_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, read_until_done, &world), 0);
    }
    write_all(&world, &random);
    atomic_store(&world.done, true);
    for (uint32_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(atomic_load(&world.failures), 0);
    trn_store_trim(world.store);
    assert_int_equal(trn_store_stats(world.store).retired_bytes, 0);
    trn_store_destroy(world.store);
}

static void readers_see_blocks_and_data_of_one_moment(void **state)
{
    (void)state;
    check_readers(VOXELS_FEW);
}

static void readers_of_much_data_see_it_of_one_moment(void **state)
{
    (void)state;
    check_readers(VOXELS_MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_see_blocks_and_data_of_one_moment),
        cmocka_unit_test(readers_of_much_data_see_it_of_one_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
