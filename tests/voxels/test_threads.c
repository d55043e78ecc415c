// Readers hash snapshots while the game edits. Every hash must belong to the commit with the
// snapshot's revision.

#include "voxel_model.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

static_assert(alignof(TrnVoxels) == sizeof(uint64_t), "the atomic word crosses no cache line");

#define READERS 3
#define CHUNKS 6
#define COMMITS 1200

typedef struct Stage {
    TrnChunkIndex *index;
    TrnVoxels voxels[CHUNKS];
    /// The hash of each chunk at each revision, written before the revision is published
    _Atomic(uint64_t) hashes[CHUNKS][COMMITS + 1];
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, snapshots, distinct;
} Stage;

/// Reads a few chunks twice in one section: the first snapshots must stay valid.
static void read_section(Stage *stage, TestRandom *random)
{
    TrnSnapshot held[CHUNKS];
    uint64_t hashes[CHUNKS];
    for (uint32_t i = 0; i < CHUNKS; i++) {
        held[i] = trn_voxels_snapshot(&stage->voxels[i]);
        hashes[i] = trn_snapshot_hash(held[i]);
        const uint64_t revision = trn_snapshot_revision(held[i]);
        if (revision > COMMITS || hashes[i] != atomic_load(&stage->hashes[i][revision])) {
            atomic_fetch_add(&stage->failures, 1);
        }
        TrnBlockCount counts[4];
        const TrnBlock block = trn_snapshot_get(held[i], (uint32_t)test_random_next(random));
        if (trn_snapshot_counts(held[i], counts, 4) < 1 || trn_snapshot_count(held[i], block) < 1) {
            atomic_fetch_add(&stage->failures, 1);
        }
    }
    for (uint32_t i = 0; i < CHUNKS; i++) {
        if (trn_snapshot_hash(held[i]) != hashes[i]) {
            atomic_fetch_add(&stage->failures, 1);
        }
    }
    atomic_fetch_add(&stage->snapshots, CHUNKS);
}

static void *read_all_the_time(void *argument)
{
    Stage *stage = argument;
    TrnChunkReader *reader;
    TestRandom random = {(uint64_t)(uintptr_t)&reader};
    uint64_t seen = 0;
    if (trn_chunk_index_reader_create(stage->index, "hash", &reader) != TRN_RESULT_OK) {
        atomic_fetch_add(&stage->failures, 1);
        return NULL;
    }
    while (!atomic_load(&stage->done)) {
        trn_chunk_index_read_begin(reader);
        read_section(stage, &random);
        const TrnSnapshot now = trn_voxels_snapshot(&stage->voxels[0]);
        atomic_fetch_add(&stage->distinct, trn_snapshot_revision(now) != seen);
        seen = trn_snapshot_revision(now);
        trn_chunk_index_read_end(reader);
    }
    trn_chunk_index_reader_destroy(reader);
    return NULL;
}

static void change_something(TrnVoxelEdit *edit, TestRandom *random, TrnBlock *blocks)
{
    const uint32_t variety = (uint32_t)(1u << test_random_next(random) % 10);
    uint32_t min[3] = {0, 0, 0}, max[3] = {31, 31, 31};
    switch (test_random_next(random) % 6) {
    case 0:
        test_random_blocks(random, variety, blocks);
        assert_int_equal(trn_voxel_edit_encode(edit, blocks), TRN_RESULT_OK);
        break;
    case 1:
        max[1] = (uint32_t)test_random_range(random, 0, 31);
        assert_int_equal(trn_voxel_edit_fill_box(edit, min, max, (TrnBlock)variety), TRN_RESULT_OK);
        break;
    default:
        for (uint32_t i = 0; i < variety; i++) {
            const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
            assert_int_equal(trn_voxel_edit_set(edit, index, (TrnBlock)(i * 3)), TRN_RESULT_OK);
        }
    }
}

/// Computes the hash that an edit will publish, from its blocks, through a private heap.
static uint64_t hash_ahead(TrnVoxelHeap *aside, const TrnVoxelEdit *edit, TrnBlock *blocks)
{
    TrnVoxels twin = {0};
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = trn_voxel_edit_get(edit, i);
    }
    assert_int_equal(trn_voxels_encode(aside, &twin, blocks, 0), TRN_RESULT_OK);
    const uint64_t hash = trn_snapshot_hash(trn_voxels_snapshot(&twin));
    trn_voxels_fill(aside, &twin, 0, 0);
    return hash;
}

static void edit_all_the_time(Stage *stage, TrnVoxelHeap *heap, TrnVoxelHeap *aside)
{
    TestRandom random = test_random_seeded(71);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t revision = 1; revision <= test_rounds(COMMITS, COMMITS / 6); revision++) {
        const uint32_t i = (uint32_t)(test_random_next(&random) % CHUNKS);
        TrnVoxelEdit edit;
        trn_voxel_edit_begin(&edit, heap, &stage->voxels[i]);
        change_something(&edit, &random, blocks);
        atomic_store(&stage->hashes[i][revision], hash_ahead(aside, &edit, blocks));
        trn_voxel_edit_commit(&edit, revision);
        if (revision % 7 == 0) {
            assert_int_equal(trn_voxels_compact(heap, &stage->voxels[i]), TRN_RESULT_OK);
        }
    }
}

static void every_snapshot_is_a_committed_state(void **state)
{
    (void)state;
    Stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    TrnVoxelHeap *heap, *aside;
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    assert_int_equal(trn_chunk_index_create(NULL, &stage->index), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_heap_create(&def, &aside), TRN_RESULT_OK);
    def.index = stage->index;
    assert_int_equal(trn_voxel_heap_create(&def, &heap), TRN_RESULT_OK);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        const TrnSnapshot air = trn_voxels_snapshot(&stage->voxels[i]);
        atomic_init(&stage->hashes[i][0], trn_snapshot_hash(air));
    }
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, read_all_the_time, stage), 0);
    }
    edit_all_the_time(stage, heap, aside);
    atomic_store(&stage->done, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    print_message("  %u snapshots, %u times another revision\n", atomic_load(&stage->snapshots),
                  atomic_load(&stage->distinct));
    assert_int_equal(atomic_load(&stage->failures), 0);
    assert_true(atomic_load(&stage->snapshots) > 100 && atomic_load(&stage->distinct) > 3);
    trn_chunk_index_reclaim(stage->index);
    assert_int_equal(trn_voxel_heap_stats(heap).retired_payloads, 0);
    trn_voxel_heap_destroy(heap);
    trn_voxel_heap_destroy(aside);
    trn_chunk_index_destroy(stage->index);
    free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_snapshot_is_a_committed_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
