// What readers may rely on while chunks are removed and replaced. test_threads.c tests readers
// on other threads.

#include "slowest_reader.h"
#include "store_blocks.h"

static void batch_removals_equal_single_removals(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    enum { COUNT = 50 }; // more than one run
    TrnStore *store;
    TrnStoreDeparture departures[COUNT];
    TrnCoord coords[COUNT];
    size_t done;
    uint64_t hashes[COUNT] = {0};
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    for (int32_t i = 0; i < COUNT; i++) {
        TrnChunk *chunk;
        coords[i] = (TrnCoord){i * 37, -i, i % 3 == 1 ? INT32_MIN + i : i};
        if (i % 3 == 0) {
            assert_int_equal(trn_store_insert_uniform(store, coords[i], TRN_BLOCK_AIR, NULL),
                             TRN_RESULT_OK);
        } else if (i % 3 == 1) { // the others are not loaded
            mixed_blocks(blocks, (uint32_t)i + 2, (uint64_t)i + 1);
            assert_int_equal(trn_store_insert_voxels(store, coords[i], blocks, &chunk),
                             TRN_RESULT_OK);
            hashes[i] = trn_snapshot_hash(trn_voxels_snapshot(&chunk->voxels));
        }
    }
    const TrnStoreStats before = trn_store_stats(store);
    assert_int_equal(trn_store_remove_batch(store, departures, 0, &done), TRN_RESULT_OK);
    assert_int_equal(done, 0);
    const TrnStoreStats after = trn_store_stats(store);
    assert_int_equal(after.chunks, before.chunks);
    assert_int_equal(after.used_bytes, before.used_bytes);
    assert_true(trn_store_revision(store) == before.revision);
    for (uint32_t i = 0; i < COUNT; i++) {
        const TrnChunk *chunk = trn_store_find(store, coords[i]);
        assert_int_equal(chunk != NULL, i % 3 != 2);
        if (i % 3 == 1) {
            assert_true(trn_snapshot_hash(trn_voxels_snapshot(&chunk->voxels)) == hashes[i]);
        }
        departures[i] = (TrnStoreDeparture){coords[i], TRN_RESULT_STALE_ID};
    }
    for (int round = 0; round < 2; round++) { // none is loaded in the second round
        assert_int_equal(trn_store_remove_batch(store, departures, COUNT, &done), TRN_RESULT_OK);
        assert_int_equal(done, COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            const bool was_loaded = !round && i % 3 != 2;
            assert_int_equal(departures[i].result,
                             was_loaded ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        }
        assert_int_equal(trn_store_stats(store).chunks, 0);
    }
    trn_store_destroy(store);
}

static void chunks_stay_readable_until_the_section_ends(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS], read[TRN_CHUNK_VOXELS];
    const TrnCoord at = {-3, 4, 5};
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 8;
    TrnStore *store;
    TrnChunk *chunk, *second;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnChunkReader *reader = reader_of(store);
    assert_int_equal(trn_store_insert_uniform(store, at, TRN_BLOCK_AIR, &chunk), TRN_RESULT_OK);
    mixed_blocks(blocks, 30, 1);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    TrnSnapshot snapshot;
    assert_int_equal(trn_store_snapshot(store, at, &snapshot), TRN_RESULT_OK);
    const TrnChunkId id = chunk->id;
    const uint64_t hash = trn_snapshot_hash(snapshot), revision = trn_snapshot_revision(snapshot);
    memcpy(trn_chunk_user(chunk), "a game", 7);
    trn_store_fill(store, chunk, TRN_BLOCK_SAND); // the old payload is retired ...
    assert_int_equal(trn_store_set_block(store, trn_coord_voxel(at), TRN_BLOCK_DIRT, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(store, at), TRN_RESULT_OK); // ... and now the chunk as well
    assert_null(trn_store_find(store, at));
    assert_null(trn_store_chunk(store, id));
    assert_int_equal(trn_store_insert_uniform(store, at, TRN_BLOCK_AIR, &second), TRN_RESULT_OK);
    assert_ptr_not_equal(second, chunk);
    TrnStoreStats stats = trn_store_stats(store);
    assert_int_equal(stats.chunks, 1);
    assert_int_equal(stats.uniform_chunks, 1);
    assert_int_equal(stats.retired_chunks, 1);
    assert_int_equal(stats.retired_payloads, 2);
    assert_true(stats.retired_bytes > (size_t)8192 + sizeof(TrnChunk));
    assert_true(trn_coord_equal(chunk->coord, at));
    assert_string_equal(trn_chunk_user(chunk), "a game");
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 0), TRN_BLOCK_DIRT);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 1), TRN_BLOCK_SAND);
    trn_snapshot_decode(snapshot, read);
    assert_memory_equal(read, blocks, sizeof blocks);
    assert_true(trn_snapshot_hash(snapshot) == hash);
    assert_true(trn_snapshot_revision(snapshot) == revision);
    trn_chunk_index_read_end(reader);
    trn_chunk_index_reclaim(trn_store_index(store));
    stats = trn_store_stats(store);
    assert_int_equal(stats.retired_chunks + stats.retired_payloads + stats.retired_bytes, 0);
    assert_null(trn_store_chunk(store, id));
    trn_store_destroy(store);
}

static void retired_memory_counts_towards_the_caps(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 1;
    def.bytes_max = 1000000;
    TrnStore *store;
    TrnChunk *chunk;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnChunkReader *reader = reader_of(store);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_FULL);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_READERS);
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_AIR, &chunk),
                     TRN_RESULT_OK);

    trn_chunk_index_read_begin(reader);
    TrnResult result = TRN_RESULT_OK;
    uint64_t revision = 0, seed = 0;
    while (result == TRN_RESULT_OK) {
        revision = trn_chunk_revision(chunk);
        mixed_blocks(blocks, 3000, ++seed);
        result = trn_store_set_voxels(store, chunk, blocks);
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){33, 0, 0}, 9999, NULL),
                     TRN_RESULT_READERS);
    assert_true(trn_chunk_revision(chunk) == revision);
    mixed_blocks(blocks, 3000, seed - 1);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), i), blocks[i]);
    }
    assert_slowest_reader(trn_store_index(store), "test");
    trn_chunk_index_read_end(reader);
    assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
    assert_true(trn_store_stats(store).total_bytes_peak <= def.bytes_max);
    trn_store_destroy(store);
}

static void a_full_budget_leaves_every_chunk_as_it_was(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnStoreDef def = trn_store_def();
    def.bytes_max = 1200000;
    TrnStore *store;
    TrnChunk *chunks[64];
    TrnResult result = TRN_RESULT_OK;
    int made = 0;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    while (result == TRN_RESULT_OK) {
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){made, 0, 0}, TRN_BLOCK_AIR, &chunks[made]),
            TRN_RESULT_OK);
        mixed_blocks(blocks, 200, (uint64_t)made);
        result = trn_store_set_voxels(store, chunks[made++], blocks);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(made > 8 && made < 64);
    TrnChunk *last = chunks[made - 1];
    const uint64_t revision = trn_chunk_revision(last);
    assert_true(trn_snapshot_is_uniform(trn_voxels_snapshot(&last->voxels))); // air, as inserted
    trn_store_fill(store, last, TRN_BLOCK_SAND);                              // needs no memory
    assert_true(trn_chunk_revision(last) > revision);
    for (int i = 0; i + 1 < made; i++) {
        mixed_blocks(blocks, 200, (uint64_t)i);
        for (uint32_t voxel = 0; voxel < TRN_CHUNK_VOXELS; voxel += 7) {
            assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunks[i]->voxels), voxel),
                             blocks[voxel]);
        }
    }
    assert_int_equal(trn_store_remove(store, chunks[0]->coord), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_voxels(store, last, blocks), TRN_RESULT_OK);
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(trn_store_voxel_heap(store));
    assert_int_equal(heap.bytes, trn_store_stats(store).voxel_bytes);
    assert_int_equal(heap.payloads, made - 1);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_removals_equal_single_removals),
        cmocka_unit_test(chunks_stay_readable_until_the_section_ends),
        cmocka_unit_test(retired_memory_counts_towards_the_caps),
        cmocka_unit_test(a_full_budget_leaves_every_chunk_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
