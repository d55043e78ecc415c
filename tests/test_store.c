// The store against a simple model, and its behaviour when memory, caps or coordinates run out.

#include "testing.h"

#include <terrane/store.h>

#define MODEL_MAX 1500

typedef struct ModelChunk {
    TrnCoord coord;
    TrnChunkId id;
    TrnChunk *chunk;
    TrnBlock block; ///< at the marked voxel
} ModelChunk;

typedef struct Model {
    ModelChunk chunks[MODEL_MAX];
    size_t count;
} Model;

static ModelChunk *model_find(Model *model, TrnCoord coord)
{
    for (size_t i = 0; i < model->count; i++) {
        if (trn_coord_equal(model->chunks[i].coord, coord)) {
            return &model->chunks[i];
        }
    }
    return NULL;
}

/// A voxel of a chunk that differs from chunk to chunk.
static TrnVoxel marked_voxel(TrnCoord coord)
{
    TrnVoxel voxel = trn_coord_voxel(coord);
    voxel.x += coord.y & 31;
    voxel.y += coord.z & 31;
    voxel.z += coord.x & 31;
    return voxel;
}

static void assert_same_as_model(const TrnStore *store, Model *model, TrnBox box)
{
    static TrnChunk *out[MODEL_MAX];
    for (size_t i = 0; i < model->count; i++) {
        const ModelChunk *expected = &model->chunks[i];
        TrnChunk *chunk = trn_store_find(store, expected->coord);
        assert_ptr_equal(chunk, expected->chunk); // addresses are stable
        assert_true(trn_coord_equal(chunk->coord, expected->coord));
        assert_ptr_equal(trn_store_chunk(store, expected->id), chunk);
        TrnBlock block = 0xFFFF;
        assert_int_equal(trn_store_get_block(store, marked_voxel(expected->coord), &block),
                         TRN_RESULT_OK);
        assert_int_equal(block, expected->block);
        assert_int_equal(*(uint32_t *)trn_chunk_user(chunk), expected->id.index1);
    }
    size_t inside = 0;
    for (size_t i = 0; i < model->count; i++) {
        inside += trn_box_contains(box, model->chunks[i].coord);
    }
    assert_int_equal(trn_store_gather(store, box, out, MODEL_MAX), inside);
    for (size_t i = 0; i < inside; i++) {
        assert_true(trn_box_contains(box, out[i]->coord));
        assert_ptr_equal(model_find(model, out[i]->coord)->chunk, out[i]);
        assert_true(i == 0 || out[i] != out[i - 1]);
    }
    assert_int_equal(trn_store_stats(store).chunks, model->count);
}

static void step_of_walk(TrnStore *store, Model *model, TrnCoord coord, TestRandom *random)
{
    ModelChunk *known = model_find(model, coord);
    TrnChunk *chunk = NULL;
    TrnResult result = trn_store_insert(store, coord, &chunk);
    if (known) {
        assert_int_equal(result, TRN_RESULT_PRESENT);
        assert_null(chunk);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        assert_null(trn_store_find(store, coord));
        assert_null(trn_store_chunk(store, known->id));
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_ABSENT);
        *known = model->chunks[--model->count];
        return;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(*(uint32_t *)trn_chunk_user(chunk), 0);
    *(uint32_t *)trn_chunk_user(chunk) = chunk->id.index1;
    TrnBlock block = (TrnBlock)(test_random_next(random) % 5);
    assert_int_equal(trn_store_set_block(store, marked_voxel(coord), block), TRN_RESULT_OK);
    model->chunks[model->count++] = (ModelChunk){coord, chunk->id, chunk, block};
}

static void random_worlds_agree_with_a_list(void **state)
{
    (void)state;
    static Model model;
    TestRandom random = test_random_seeded(5);
    const TrnCoord centres[] = {{0, 0, 0}, {-1000000, 50, 77}, {INT32_MAX - 8, INT32_MIN + 8, 0}};
    for (size_t c = 0; c < 3; c++) {
        model.count = 0;
        TrnStoreDef def = trn_store_def();
        def.user_bytes = 20;
        TrnStore *store;
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        for (int step = 0; step < 2000; step++) {
            TrnCoord coord = trn_coord_add(centres[c], (int32_t)test_random_range(&random, -8, 8),
                                           (int32_t)test_random_range(&random, -8, 8),
                                           (int32_t)test_random_range(&random, -8, 8));
            step_of_walk(store, &model, coord, &random);
            if (step % 200 == 0) {
                TrnBox box = trn_box_around(coord, 4, 3, 5);
                assert_same_as_model(store, &model, box);
            }
        }
        assert_same_as_model(store, &model, trn_box_around(centres[c], 99, 99, 99));
        trn_store_destroy(store);
    }
}

/// A ball of chunks moves far along a diagonal: the index follows the ball, not the way it came.
static void a_long_walk_keeps_the_index_small(void **state)
{
    (void)state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    const int32_t radius = 3;
    size_t peak_bytes = 0;
    for (int32_t step = 0; step < 2000; step++) {
        TrnCoord centre = {step * 5, step / 3, -step * 4};
        TrnBox box = trn_box_around(centre, radius, radius, radius);
        for (int32_t y = box.min.y; y <= box.max.y; y++) {
            for (int32_t z = box.min.z; z <= box.max.z; z++) {
                for (int32_t x = box.min.x; x <= box.max.x; x++) {
                    TrnResult result = trn_store_insert(store, (TrnCoord){x, y, z}, NULL);
                    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_PRESENT);
                }
            }
        }
        TrnChunk *out[2000];
        TrnBox wide = trn_box_around(centre, 40, 40, 40);
        size_t count = trn_store_gather(store, wide, out, 2000);
        assert_true(count <= 2000);
        for (size_t i = 0; i < count; i++) {
            if (!trn_box_contains(box, out[i]->coord)) {
                assert_int_equal(trn_store_remove(store, out[i]->coord), TRN_RESULT_OK);
            }
        }
        assert_int_equal(trn_store_stats(store).chunks, 7 * 7 * 7);
        size_t bytes = trn_store_stats(store).index_bytes;
        peak_bytes = bytes > peak_bytes ? bytes : peak_bytes;
    }
    assert_true(peak_bytes < 400000);
    trn_store_destroy(store);
}

static void set_voxels_and_fill_count_revisions(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    TrnChunk *a, *b;
    assert_int_equal(trn_store_insert(store, (TrnCoord){-1, -1, -1}, &a), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert(store, (TrnCoord){0, 0, 0}, &b), TRN_RESULT_OK);
    assert_true(b->revision > a->revision);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(i % 7);
    }
    assert_int_equal(trn_store_set_voxels(store, a, blocks), TRN_RESULT_OK);
    assert_true(a->revision > b->revision);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 1);
    for (int64_t i = 0; i < 500; i++) {
        TrnVoxel voxel = {-32 + i % 32, -32 + i / 1024, -32 + i / 32 % 32};
        TrnBlock block;
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, i % 7);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        TrnVoxel voxel = {-32 + (int64_t)i % 32, -32 + (int64_t)i / 1024,
                          -32 + (int64_t)i / 32 % 32};
        assert_int_equal(trn_store_set_block(store, voxel, TRN_BLOCK_SAND), TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_stats(store).uniform_chunks, 1);
    uint64_t before = a->revision;
    trn_store_compact(store, a);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 2);
    assert_int_equal(a->revision, before);
    assert_int_equal(trn_voxels_get(&a->voxels, 7), TRN_BLOCK_SAND);
    trn_store_fill(store, a, TRN_BLOCK_STONE);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 2);
    TrnBlock block = 99;
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){99, 0, 0}, &block), TRN_RESULT_ABSENT);
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){TRN_VOXEL_MAX + 1, 0, 0}, &block),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){0, -99, 0}, 1), TRN_RESULT_ABSENT);
    assert_int_equal(block, 99);
    trn_store_destroy(store);
}

static void two_islands_a_million_chunks_apart_fit_one_store(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_reserve = 3000;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    const TrnCoord centres[] = {{0, 0, 0}, {1000000, -1000000, 1000000}};
    for (size_t c = 0; c < 2; c++) {
        TrnBox box = trn_box_around(centres[c], 5, 5, 5);
        for (int32_t y = box.min.y; y <= box.max.y; y++) {
            for (int32_t z = box.min.z; z <= box.max.z; z++) {
                for (int32_t x = box.min.x; x <= box.max.x; x++) {
                    assert_int_equal(trn_store_insert(store, (TrnCoord){x, y, z}, NULL),
                                     TRN_RESULT_OK);
                }
            }
        }
        static TrnChunk *out[1400];
        assert_int_equal(trn_store_gather(store, box, out, 1400), 11 * 11 * 11);
        for (size_t i = 0; i < (size_t)11 * 11 * 11; i++) {
            assert_true(trn_box_contains(box, out[i]->coord));
            assert_ptr_equal(trn_store_find(store, out[i]->coord), out[i]);
        }
    }
    assert_true(trn_store_stats(store).index_bytes < 100000);
    assert_true(trn_store_stats(store).reserved_bytes >= 3000 * sizeof(TrnChunk));
    trn_store_destroy(store);
}

static void planes_of_the_caller_lie_over_the_chunks(void **state)
{
    (void)state;
    const TrnPlaneDef planes[] = {{"visible", false}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = 1;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnChunkIndex *index = trn_store_index(store);
    TrnPlane visible = trn_chunk_index_plane(index, "visible");
    for (int32_t x = -20; x < 20; x++) {
        TrnCoord coord = {x, 0, x / 3};
        assert_int_equal(trn_store_insert(store, coord, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_plane_set(index, visible, coord, x % 3 == 0),
                         TRN_RESULT_OK);
    }
    void *out[40];
    TrnChunkGather gather = {.box = trn_box_everything(),
                             .planes = {.all = TRN_PLANE_BIT(visible)},
                             .pointers = out,
                             .pool = trn_store_pool(store),
                             .capacity = 40};
    assert_int_equal(trn_chunk_index_gather(index, &gather), 13);
    for (int i = 0; i < 13; i++) {
        assert_int_equal(((TrnChunk *)out[i])->coord.x % 3, 0);
    }
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_gather(index, &gather), 12); // the bit went with the chunk
    trn_store_destroy(store);
}

static void neighbours_come_in_the_order_of_the_faces(void **state)
{
    (void)state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    TrnChunk *made[TRN_FACE_COUNT], *got[TRN_FACE_COUNT];
    TrnCoord centre = {-5, 6, -7};
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        trn_store_neighbours(store, centre, got);
        assert_null(got[face]);
        assert_int_equal(
            trn_store_insert(store, trn_coord_neighbour(centre, (TrnFace)face), &made[face]),
            TRN_RESULT_OK);
    }
    trn_store_neighbours(store, centre, got);
    assert_memory_equal(got, made, sizeof got);
    trn_store_destroy(store);
}

static void caps_are_kept(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 2;
    def.payload_max = 1;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnChunk *a, *b, *none = NULL;
    assert_int_equal(trn_store_insert(store, (TrnCoord){0, 0, 0}, &a), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert(store, (TrnCoord){1, 0, 0}, &b), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert(store, (TrnCoord){2, 0, 0}, &none), TRN_RESULT_FULL);
    assert_null(none);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){0, 0, 0}, 1), TRN_RESULT_OK);
    uint64_t revision = b->revision;
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){32, 0, 0}, 1), TRN_RESULT_FULL);
    assert_int_equal(b->revision, revision);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){32, 0, 0}, 1), TRN_RESULT_OK);
    trn_store_destroy(store);
    def.user_bytes = (size_t)1 << 30;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_create(NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(NULL);
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
            TrnResult result = trn_store_insert(store, coord, NULL);
            failed |= result != TRN_RESULT_OK;
            present += result == TRN_RESULT_OK;
            if (result == TRN_RESULT_OK) {
                TrnVoxel voxel = trn_coord_voxel(coord);
                result = trn_store_set_block(store, voxel, 3);
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
        cmocka_unit_test(random_worlds_agree_with_a_list),
        cmocka_unit_test(a_long_walk_keeps_the_index_small),
        cmocka_unit_test(set_voxels_and_fill_count_revisions),
        cmocka_unit_test(two_islands_a_million_chunks_apart_fit_one_store),
        cmocka_unit_test(planes_of_the_caller_lie_over_the_chunks),
        cmocka_unit_test(neighbours_come_in_the_order_of_the_faces),
        cmocka_unit_test(caps_are_kept),
        cmocka_unit_test(every_allocation_may_fail_and_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
