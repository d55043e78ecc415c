// The store compared with a simple model: chunks, voxels, planes, snapshots, caps.

#include "base/failing_ranges.h"
#include "store_blocks.h"

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

/// Returns a voxel of a chunk, a different one for each chunk.
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
    TrnResult result = trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk);
    if (known) {
        assert_int_equal(result, TRN_RESULT_EXISTS);
        assert_null(chunk);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        assert_null(trn_store_find(store, coord));
        assert_null(trn_store_chunk(store, known->id));
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_NOT_FOUND);
        *known = model->chunks[--model->count];
        return;
    }
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(*(uint32_t *)trn_chunk_user(chunk), 0);
    *(uint32_t *)trn_chunk_user(chunk) = chunk->id.index1;
    TrnBlock block = (TrnBlock)(test_random_next(random) % 5);
    assert_int_equal(trn_store_set_block(store, marked_voxel(coord), block, NULL), TRN_RESULT_OK);
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

/// A ball of chunks moves far along a diagonal: the index has the size of the ball, not of the
/// path.
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
                    TrnResult result =
                        trn_store_insert_uniform(store, (TrnCoord){x, y, z}, TRN_BLOCK_AIR, NULL);
                    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS);
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
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){-1, -1, -1}, TRN_BLOCK_AIR, &a),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &b),
                     TRN_RESULT_OK);
    assert_true(trn_chunk_revision(b) > trn_chunk_revision(a));
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(i % 7);
    }
    assert_int_equal(trn_store_set_voxels(store, a, blocks), TRN_RESULT_OK);
    assert_true(trn_chunk_revision(a) > trn_chunk_revision(b));
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
        assert_int_equal(trn_store_set_block(store, voxel, TRN_BLOCK_SAND, NULL), TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_stats(store).uniform_chunks, 2); // since its last block was written
    uint64_t before = trn_chunk_revision(a);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){-1, -1, -1}, TRN_BLOCK_SAND, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_compact(store, a), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), before);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&a->voxels), 7), TRN_BLOCK_SAND);
    trn_store_fill(store, a, TRN_BLOCK_STONE);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 2);
    TrnBlock block = 99;
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){99, 0, 0}, &block),
                     TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_store_get_block(store, (TrnVoxel){TRN_VOXEL_MAX + 1, 0, 0}, &block),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){0, -99, 0}, 1, NULL),
                     TRN_RESULT_NOT_FOUND);
    assert_int_equal(block, 99);
    trn_store_destroy(store);
}

static void an_insert_with_voxels_is_one_revision(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS], read[TRN_CHUNK_VOXELS];
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 4;
    TrnStore *store;
    TrnChunk *a, *b, *c, *none = NULL;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(i % 77);
    }
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){0, 0, 0}, blocks, &a),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_SAND, &b),
                     TRN_RESULT_OK);
    memset(blocks, 0, sizeof blocks);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){2, 0, 0}, blocks, &c),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), 1);
    assert_int_equal(trn_chunk_revision(b), 2);
    assert_int_equal(trn_chunk_revision(c), 3);
    assert_int_equal(trn_store_revision(store), 3);
    trn_snapshot_decode(trn_voxels_snapshot(&a->voxels), read);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(read[i], i % 77);
    }
    assert_int_equal(*(uint32_t *)trn_chunk_user(a), 0);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&b->voxels), 9), TRN_BLOCK_SAND);
    assert_int_equal(trn_store_stats(store).uniform_chunks, 2); // compaction found a single block
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){1, 0, 0}, blocks, &none),
                     TRN_RESULT_EXISTS);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, &none),
                     TRN_RESULT_EXISTS);
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){3, 0, 0}, NULL, &none),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(trn_store_revision(store), 3);
    trn_store_destroy(store);
}

static void far_apart_islands_fit_one_store(void **state)
{
    (void)state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    const TrnCoord centres[] = {{0, 0, 0}, {1000000, -1000000, 1000000}};
    for (size_t c = 0; c < 2; c++) {
        TrnBox box = trn_box_around(centres[c], 5, 5, 5);
        for (int32_t y = box.min.y; y <= box.max.y; y++) {
            for (int32_t z = box.min.z; z <= box.max.z; z++) {
                for (int32_t x = box.min.x; x <= box.max.x; x++) {
                    assert_int_equal(
                        trn_store_insert_uniform(store, (TrnCoord){x, y, z}, TRN_BLOCK_AIR, NULL),
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
    assert_true(trn_store_stats(store).header_bytes >= (size_t)2 * 1331 * sizeof(TrnChunk));
    trn_store_destroy(store);
}

/// Addresses reserved for the headers of a store of this def; the store takes a chunk and frees it.
static size_t reserved_bytes(const TrnStoreDef *def)
{
    TrnStore *store;
    assert_int_equal(trn_store_create(def, &store), TRN_RESULT_OK);
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, &chunk),
                     TRN_RESULT_OK);
    if (def && def->user_bytes) {
        memset(trn_chunk_user(chunk), 1, def->user_bytes);
    }
    const size_t bytes = trn_pool_stats(trn_store_pool(store)).reserved_bytes;
    trn_store_destroy(store);
    return bytes;
}

static void headers_lie_in_a_range_unless_the_caller_allocates(void **state)
{
    (void)state;
    if (sizeof(void *) < 8) {
        return;
    }
    const size_t most = (size_t)((uint64_t)4 << 30);
    assert_int_equal(reserved_bytes(NULL), (size_t)1 << 30);
    TrnStoreDef def = trn_store_def();
    def.user_bytes = 65536;
    assert_in_range(reserved_bytes(&def), most - ((size_t)1 << 20), most);
    def.chunk_reserve = UINT32_MAX;
    assert_in_range(reserved_bytes(&def), most - ((size_t)1 << 20), most);
    def = trn_store_def();
    def.chunk_max = 4096;
    assert_int_equal(reserved_bytes(&def), (size_t)4096 * TRN_CHUNK_HEADER_BYTES);
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    def.allocator = &allocator;
    assert_int_equal(reserved_bytes(&def), 0);
    def.chunk_reserve = 1;
    assert_int_equal(reserved_bytes(&def), (size_t)1024 * TRN_CHUNK_HEADER_BYTES);
    ranges_fail_reserve_at = 1;
    assert_int_equal(reserved_bytes(NULL), 0);
    ranges_fail_reserve_at = 0;
}

// ---- single voxels -----------------------------------------------------------------------------

#define SITES 72

/// A coordinate whose chunk is inserted and removed.
typedef struct Site {
    TrnCoord coord;
    bool is_loaded;
    TrnBlock block; ///< at the marked voxel
} Site;

/// Corners where eight chunks meet: in the directory, far outside it, and at the ends of the world.
static void place_sites(Site sites[SITES])
{
    const TrnCoord corners[SITES / 8] = {{0, 0, 0},
                                         {7, 7, 7},
                                         {-9, 3, 40},
                                         {1000000, 5, -1000000},
                                         {-1000000, 800000, 7},
                                         {INT32_MAX, INT32_MAX, INT32_MAX},
                                         {INT32_MIN + 1, INT32_MIN + 1, 100},
                                         {INT32_MAX, 0, 0},
                                         {3, INT32_MIN + 8, 3}};
    for (int32_t i = 0; i < SITES; i++) {
        sites[i] =
            (Site){.coord = trn_coord_add(corners[i / 8], -(i & 1), -(i >> 1 & 1), -(i >> 2 & 1))};
    }
}

/// Reads the marked voxel in every possible way, and compares the chunk with the index.
static void check_site(const TrnStore *store, TrnCursor *cursor, const Site *site)
{
    const TrnVoxel voxel = marked_voxel(site->coord);
    const TrnBlock unloaded = 54321;
    const TrnBlock expected = site->is_loaded ? site->block : unloaded;
    const TrnResult result = site->is_loaded ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
    TrnBlock block = unloaded;
    assert_int_equal(trn_store_get_block(store, voxel, &block), result);
    assert_int_equal(block, expected);
    block = unloaded;
    assert_int_equal(trn_store_get_block_at(store, voxel.x, voxel.y, voxel.z, &block), result);
    assert_int_equal(block, expected);
    assert_int_equal(trn_cursor_get(cursor, voxel, unloaded), expected);
    uint32_t slot;
    assert_int_equal(trn_chunk_index_find(trn_store_index(store), site->coord, &slot),
                     site->is_loaded);
    const TrnChunk *chunk = trn_store_find(store, site->coord);
    assert_int_equal(chunk != NULL, site->is_loaded);
    if (chunk) {
        assert_true(trn_coord_equal(chunk->coord, site->coord));
        assert_int_equal(chunk->id.index1 - 1, slot);
    }
}

/// Inserts, removes, evicts, edits or fills the chunk of a site.
static void change_site(TrnStore *store, Site *site, TestRandom *random)
{
    const TrnBlock block = (TrnBlock)(test_random_next(random) % 1000);
    if (!site->is_loaded) {
        assert_int_equal(trn_store_insert_uniform(store, site->coord, block, NULL), TRN_RESULT_OK);
        *site = (Site){site->coord, true, block};
        return;
    }
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnChunk *chunk = trn_store_find(store, site->coord);
    switch (test_random_next(random) % 4) {
    case 0:
        assert_int_equal(trn_store_remove(store, site->coord), TRN_RESULT_OK);
        site->is_loaded = false;
        return;
    case 1:
        assert_int_equal(trn_store_fill(store, chunk, block), TRN_RESULT_OK);
        break;
    case 2:
        assert_int_equal(trn_store_set_block(store, marked_voxel(site->coord), block, NULL),
                         TRN_RESULT_OK);
        break;
    default:
        mixed_blocks(blocks, 2 + (uint32_t)(test_random_next(random) % 300),
                     test_random_next(random) | 1);
        blocks[trn_voxel_local_index(marked_voxel(site->coord))] = block;
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        break;
    }
    site->block = block;
}

/// Evicts the least recently touched chunk, and records which it was.
static void evict_a_site(TrnStore *store, Site sites[SITES])
{
    const TrnEviction eviction = {.used_bytes = 1, .count_max = 1};
    uint32_t evicted = 0;
    (void)trn_store_evict(store, &eviction, &evicted);
    uint32_t gone = 0;
    for (int i = 0; i < SITES; i++) {
        if (sites[i].is_loaded && !trn_store_find(store, sites[i].coord)) {
            sites[i].is_loaded = false;
            gone++;
        }
    }
    assert_int_equal(gone, evicted);
}

/// Reads through the block table and through an address range. Each store is created in the memory
/// of the store before.
static void single_voxels_are_read_as_they_were_written(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    for (int round = 0; round < 6; round++) {
        TrnStoreDef def = trn_store_def();
        ranges_fail_reserve_at = round % 2 != 0;
        TrnStore *store;
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        ranges_fail_reserve_at = 0;
        Site sites[SITES];
        place_sites(sites);
        for (int step = 0; step < 400; step++) {
            change_site(store, &sites[test_random_next(&random) % SITES], &random);
            if (step % 50 == 49) {
                evict_a_site(store, sites);
            }
            TrnCursor cursor = trn_cursor(store); // valid until a chunk is inserted or removed
            for (int i = 0; i < SITES; i++) {
                check_site(store, &cursor, &sites[i]);
            }
        }
        const TrnStoreStats stats = trn_store_stats(store);
        assert_true(stats.removed > 20 && stats.evicted > 4);
        trn_store_destroy(store);
    }
}

static void a_callers_planes_follow_the_chunks(void **state)
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
        assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL),
                         TRN_RESULT_OK);
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
    assert_int_equal(trn_chunk_index_gather(index, &gather),
                     12); // removed with its chunk
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
        assert_int_equal(trn_store_insert_uniform(store, trn_coord_neighbour(centre, (TrnFace)face),
                                                  TRN_BLOCK_AIR, &made[face]),
                         TRN_RESULT_OK);
    }
    trn_store_neighbours(store, centre, got);
    assert_memory_equal(got, made, sizeof got);
    trn_store_destroy(store);
}

static void caps_are_never_exceeded(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 2;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    TrnChunk *none = NULL;
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){2, 0, 0}, TRN_BLOCK_AIR, &none),
                     TRN_RESULT_FULL);
    assert_null(none);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){2, 0, 0}, TRN_BLOCK_AIR, &none),
                     TRN_RESULT_OK);
    trn_store_destroy(store);
    def.user_bytes = (size_t)1 << 30;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_BAD_ARGUMENT);
    def = trn_store_def();
    def.reader_max = 257;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_BAD_ARGUMENT);
    def = trn_store_def();
    def.bytes_max = 1000;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_FULL);
    assert_int_equal(trn_store_create(NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(NULL);
}

// ---- snapshots around, edits, types -------------------------------------------------------------

static void snapshots_around_are_in_order_and_say_which_are_loaded(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(6);
    const TrnCoord centres[] = {{0, 0, 0}, {-1, 7, 8}, {INT32_MAX, INT32_MIN, -9}, {5, 5, 5}};
    for (uint32_t c = 0; c < 4; c++) {
        TrnStoreDef def = trn_store_def();
        ranges_fail_reserve_at = c % 2 != 0;
        TrnStore *store;
        TrnSnapshot around[27];
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        ranges_fail_reserve_at = 0;
        assert_int_equal(trn_store_snapshot_around(store, centres[c], around), 0);
        uint32_t present = 0;
        for (uint32_t i = 0; i < 27; i++) {
            TrnChunk *chunk;
            TrnCoord at = trn_coord_add(centres[c], (int32_t)(i % 3) - 1, (int32_t)(i / 9) - 1,
                                        (int32_t)(i / 3 % 3) - 1);
            if (test_random_next(&random) % 3 == 0) {
                continue;
            }
            assert_int_equal(trn_store_insert_uniform(store, at, TRN_BLOCK_AIR, &chunk),
                             TRN_RESULT_OK);
            trn_store_fill(store, chunk, (TrnBlock)(i + 1));
            present |= 1u << i;
        }
        assert_int_equal(trn_store_snapshot_around(store, centres[c], around), present);
        for (uint32_t i = 0; i < 27; i++) {
            const bool is_loaded = present >> i & 1;
            assert_true(trn_snapshot_is_uniform(around[i]));
            assert_int_equal(trn_snapshot_uniform(around[i]), is_loaded ? i + 1 : TRN_BLOCK_AIR);
            assert_int_equal(trn_snapshot_revision(around[i]) != 0, is_loaded);
        }
        trn_store_destroy(store);
    }
}

static void an_edit_is_one_revision_and_one_without_change_is_none(void **state)
{
    (void)state;
    TrnStore *store;
    TrnChunk *a, *b;
    TrnVoxelEdit edit, other;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &a),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, TRN_BLOCK_AIR, &b),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), 1);
    assert_int_equal(trn_chunk_revision(b), 2);
    trn_store_edit_begin(store, a, &edit);
    trn_store_edit_begin(store, b, &other); // edits of several chunks may be open at once
    for (uint32_t i = 0; i < 500; i++) {
        assert_int_equal(trn_voxel_edit_set(&edit, i * 31, (TrnBlock)(i % 40)), TRN_RESULT_OK);
    }
    assert_int_equal(trn_voxel_edit_set(&other, 0, TRN_BLOCK_AIR), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), 1); // not published yet
    assert_true(trn_snapshot_is_uniform(trn_voxels_snapshot(&a->voxels)));
    assert_true(trn_store_edit_commit(store, &edit));
    assert_false(trn_store_edit_commit(store, &other));
    assert_int_equal(trn_chunk_revision(a), 3);
    assert_int_equal(trn_chunk_revision(b), 2);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&a->voxels), 39 * 31), 39);
    trn_store_edit_begin(store, a, &edit);
    assert_int_equal(trn_voxel_edit_set(&edit, 3, TRN_BLOCK_SNOW), TRN_RESULT_OK);
    trn_voxel_edit_cancel(&edit);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&a->voxels), 3), TRN_BLOCK_AIR);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){3, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), 3); // the block was air
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){3, 0, 0}, TRN_BLOCK_SNOW, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a), 4);
    assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &a),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_revision(a),
                     5); // not the chunk before it
    trn_store_destroy(store);
}

static void block_types_are_lent_or_owned(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    TrnBlockType glass = trn_block_type_def("game:glass", TRN_BLOCK_KIND_TRANSPARENT);
    TrnBlock id;
    for (int lent = 0; lent < 2; lent++) {
        TrnStore *store;
        TrnChunk *chunk;
        def.types = NULL;
        if (lent) {
            assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
        }
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        TrnBlockTypes *types = trn_store_block_types(store);
        assert_true(types && (!lent || types == def.types));
        assert_int_equal(trn_store_stats(store).type_bytes > 0, !lent);
        assert_int_equal(trn_block_types_add(types, &glass, &id), TRN_RESULT_OK);
        assert_int_equal(id, TRN_BLOCK_BUILTIN_COUNT);
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &chunk),
            TRN_RESULT_OK);
        assert_int_equal(trn_store_set_block(store, (TrnVoxel){5, 0, 0}, id, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_set_block(store, (TrnVoxel){6, 0, 0}, TRN_BLOCK_STONE, NULL),
                         TRN_RESULT_OK);
        const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
        assert_int_equal(trn_snapshot_solid(snapshot, trn_block_types_solid_bits(types), 0)[0],
                         0x60);
        assert_int_equal(trn_snapshot_opaque(snapshot, trn_block_types_opaque_bits(types), 0)[0],
                         0x40);
        trn_store_destroy(store);
        trn_block_types_destroy(def.types); // types lent to a store outlive it
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_agree_with_a_list),
        cmocka_unit_test(a_long_walk_keeps_the_index_small),
        cmocka_unit_test(set_voxels_and_fill_count_revisions),
        cmocka_unit_test(an_insert_with_voxels_is_one_revision),
        cmocka_unit_test(headers_lie_in_a_range_unless_the_caller_allocates),
        cmocka_unit_test(far_apart_islands_fit_one_store),
        cmocka_unit_test(single_voxels_are_read_as_they_were_written),
        cmocka_unit_test(a_callers_planes_follow_the_chunks),
        cmocka_unit_test(neighbours_come_in_the_order_of_the_faces),
        cmocka_unit_test(caps_are_never_exceeded),
        cmocka_unit_test(snapshots_around_are_in_order_and_say_which_are_loaded),
        cmocka_unit_test(an_edit_is_one_revision_and_one_without_change_is_none),
        cmocka_unit_test(block_types_are_lent_or_owned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
