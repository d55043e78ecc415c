// The chunk index against a simple model.

#include "chunk_model.h"

#include <math.h>

#include "index/chunk_index_internal.h"
#include "index/page_kernels.h"

static void check_world(const TrnCoord *centres, size_t centre_count, int64_t spread,
                        TestRandom *random)
{
    static Model model;
    model.count = 0;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    for (uint32_t step = 0; step < test_rounds(3000, 1000); step++) {
        TrnCoord centre = centres[test_random_next(random) % centre_count];
        random_step(index, &model, random_near(random, centre, spread), random);
        if (step % 500 == 499) {
            size_t q = (size_t)test_random_next(random) % (sizeof queries / sizeof *queries);
            compute_both(index, &model, step % 1000 == 499 ? READY : AROUND, &queries[q]);
            TrnBox box = trn_box_around(random_near(random, centre, spread), 5, 9, 12);
            for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
                assert_gather_same(index, &model,
                                   (TrnChunkGather){.box = box, .planes = queries[i]}, NULL);
            }
            assert_gather_same(index, &model, (TrnChunkGather){.box = trn_box_everything()}, NULL);
            assert_bulk_neighbours_same(index, &model, box);
            assert_planes_same(index, &model);
            assert_stats_same(index, &model);
            assert_int_equal(trn_chunk_index_stats(index).bytes, memory.live_bytes);
            for (int i = 0; i < 50; i++) {
                assert_neighbours_same(index, &model, random_near(random, centre, spread));
            }
        }
    }
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_OK);
    model.count = 0;
    assert_stats_same(index, &model);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
}

static void random_worlds_match_the_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(6);
    const TrnCoord origin[] = {{0, 0, 0}};
    const TrnCoord islands[] = {{0, 0, 0}, {1000000, -1000000, 1000000}};
    const TrnCoord ends[] = {{INT32_MAX, INT32_MIN, INT32_MAX}, {INT32_MIN, 5, INT32_MIN}};
    TrnCoord scattered[60];
    for (int i = 0; i < 60; i++) {
        scattered[i] = random_near(&random, (TrnCoord){0, 0, 0}, 2000000);
    }
    check_world(origin, 1, 6, &random);
    check_world(origin, 1, 20, &random);
    check_world(islands, 2, 5, &random);
    check_world(ends, 2, 5, &random); // across the seam where coordinates wrap
    check_world(scattered, 60, 2, &random);
}

// ---- frustum -----------------------------------------------------------------------------------

/// Returns whether, for each plane, the farthest corner of a chunk is inside.
static bool reaches_into(TrnCoord coord, const TrnFrustum *frustum)
{
    double low[3] = {(double)coord.x - frustum->origin.x, (double)coord.y - frustum->origin.y,
                     (double)coord.z - frustum->origin.z};
    for (uint32_t i = 0; i < frustum->count; i++) {
        const double *plane = frustum->planes[i];
        double most = plane[3];
        for (int axis = 0; axis < 3; axis++) {
            most += plane[axis] * (low[axis] + (plane[axis] > 0));
        }
        if (most < 0) {
            return false;
        }
    }
    return true;
}

static void frustum_gather_matches_a_test_of_each_chunk(void **state)
{
    (void)state;
    static Model model;
    TestRandom random = test_random_seeded(7);
    const TrnCoord centres[] = {{3, -2, 5}, {INT32_MAX - 40, INT32_MIN + 40, 0}};
    for (size_t c = 0; c < 2; c++) {
        model.count = 0;
        TrnChunkIndex *index = plane_index(NULL);
        for (int i = 0; i < 2500; i++) {
            TrnCoord coord = random_near(&random, centres[c], 14);
            if (!(model_bits(&model, coord) & 1)) {
                *model_take(&model, coord) = (ModelCell){coord, (uint32_t)i, 1};
                assert_int_equal(trn_chunk_index_insert(index, coord, (uint32_t)i), TRN_RESULT_OK);
            }
        }
        for (uint32_t run = 0; run < test_rounds(300, 80); run++) {
            TrnFrustum frustum = {.origin = random_near(&random, centres[c], 10),
                                  .count = (uint32_t)test_random_range(&random, 0, 6)};
            for (uint32_t i = 0; i < frustum.count; i++) {
                for (int axis = 0; axis < 4; axis++) {
                    // Quarters, so that no sum is rounded and chunks touch planes exactly.
                    frustum.planes[i][axis] = (double)test_random_range(&random, -16, 16) / 4;
                }
            }
            assert_gather_same(index, &model,
                               (TrnChunkGather){.box = trn_box_around(centres[c], 13, 14, 15),
                                                .frustum = &frustum},
                               reaches_into);
        }
        trn_chunk_index_destroy(index);
    }
}

// ---- kernels -----------------------------------------------------------------------------------

static void kernels_match_their_scalar_twin(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(8);
    TrnFullPage *page = trn_aligned_alloc(trn_full_page_bytes(1), 64);
    assert_non_null(page);
    for (uint32_t i = 0; i < TRN_PAGE_CELLS; i++) {
        atomic_init(&page->values[i], (uint32_t)test_random_next(&random));
    }
    const TrnPageKernels *kernels[3];
    size_t count = 0;
    for (const void *at; (at = trn_kernels_at(&trn_page_kernels, trn_cpu_features(), count));) {
        assert_in_range(count, 0, 2);
        kernels[count++] = at;
    }
    assert_string_equal(kernels[count - 1]->name, "scalar");
    for (int run = 0; run < 2000; run++) {
        TrnPageWords words;
        uint32_t expected[TRN_PAGE_CELLS + TRN_PAGE_SLACK], got[TRN_PAGE_CELLS + TRN_PAGE_SLACK];
        size_t bits = 0;
        for (uint32_t y = 0; y < TRN_PAGE_WORDS; y++) {
            uint64_t word = test_random_next(&random);
            uint64_t kind = test_random_next(&random) % 5;
            words.words[y] = kind == 0   ? 0
                             : kind == 1 ? UINT64_MAX
                             : kind == 2 ? word
                             : kind == 3 ? word & test_random_next(&random) &
                                               test_random_next(&random) & test_random_next(&random)
                                         : word << (word & 63);
            for (uint64_t rest = words.words[y]; rest; rest &= rest - 1) {
                uint32_t cell = trn_page_cell(y, (uint32_t)__builtin_ctzll(rest));
                expected[bits++] = trn_full_page_value(page, cell);
            }
        }
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(kernels[k]->compress(page, &words, got), bits);
            assert_memory_equal(got, expected, bits * sizeof *got);
        }
    }
    for (size_t k = 0; k < count; k++) {
        print_message("  kernel: %s\n", kernels[k]->name);
    }
    trn_aligned_free(page);
}

static void only_kernels_that_exist_are_chosen(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    assert_true(trn_chunk_index_use_kernels(index, "scalar"));
    assert_false(trn_chunk_index_use_kernels(index, "none"));
    trn_chunk_index_destroy(index);
}

// ---- a nearly full world -----------------------------------------------------------------------

static void all_around_works_in_a_nearly_full_world(void **state)
{
    (void)state;
    static Model model;
    TestRandom random = test_random_seeded(10);
    const TrnCoord corners[] = {{0, 0, 0}, {-5, -13, 3}, {INT32_MAX - 5, INT32_MIN + 2, -6}};
    for (size_t c = 0; c < 3; c++) {
        model.count = 0;
        TrnChunkIndex *index = plane_index(NULL);
        for (int32_t i = 0; i < 13 * 13 * 13; i++) {
            if (test_random_next(&random) % 100 == 0) {
                continue; // a hole
            }
            TrnCoord coord = trn_coord_add(corners[c], i % 13, i / 169, i / 13 % 13);
            *model_take(&model, coord) = (ModelCell){coord, (uint32_t)i, 1};
            assert_int_equal(trn_chunk_index_insert(index, coord, (uint32_t)i), TRN_RESULT_OK);
        }
        const TrnPlaneQuery around = {.all = 1, .all_around = 1};
        compute_both(index, &model, AROUND, &around);
        assert_planes_same(index, &model);
        assert_in_range(trn_chunk_index_stats(index).plane_counts[AROUND], 500, 1331);
        trn_chunk_index_destroy(index);
    }
}

// ---- replacing values --------------------------------------------------------------------------

static void set_replaces_the_value_and_nothing_else(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    const TrnCoord near = {1, 2, 3}, far = {9000000, -9000000, 5}; // the second is an outlier
    assert_int_equal(trn_chunk_index_insert(index, near, 5), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(index, far, 6), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).outliers, 1);
    assert_int_equal(trn_chunk_index_plane_set(index, MESHED, near, true), TRN_RESULT_OK);
    memory.fail_at = memory.allocations + 1; // it must not allocate
    assert_int_equal(trn_chunk_index_set(index, near, 0), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_set(index, far, UINT32_MAX - 1), TRN_RESULT_OK);
    uint32_t value = 1;
    assert_true(trn_chunk_index_find(index, near, &value));
    assert_int_equal(value, 0);
    assert_true(trn_chunk_index_find(index, far, &value));
    assert_int_equal(value, UINT32_MAX - 1);
    assert_true(trn_chunk_index_plane_test(index, MESHED, near));
    assert_int_equal(trn_chunk_index_stats(index).chunks, 2);

    assert_int_equal(trn_chunk_index_set(index, near, TRN_CHUNK_VALUE_NONE),
                     TRN_RESULT_BAD_ARGUMENT);
    const TrnCoord absent = {2, 2, 3}, no_page = {0, 5000, 0}; // in the page of a chunk, and not
    assert_int_equal(trn_chunk_index_set(index, absent, 9), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_chunk_index_set(index, no_page, 9), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_chunk_index_plane_set(index, WANTED, absent, true), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_set(index, absent, 9), TRN_RESULT_NOT_FOUND);
    assert_false(trn_chunk_index_find(index, absent, NULL));
    assert_int_equal(trn_chunk_index_stats(index).pages, 2);
    assert_true(trn_chunk_index_find(index, near, &value));
    assert_int_equal(value, 0);
    assert_int_equal(trn_chunk_index_remove(index, near, &value), TRN_RESULT_OK);
    assert_int_equal(value, 0);
    assert_int_equal(trn_chunk_index_set(index, near, 9), TRN_RESULT_NOT_FOUND);
    trn_chunk_index_destroy(index);
}

// ---- runs --------------------------------------------------------------------------------------

/// One change of two indices: by a look-up in the first, through a run in the second.
static void change_both(TrnChunkIndex *const *both, TrnChunkRun *run, TrnCoord coord,
                        TestRandom *random)
{
    uint32_t values[2] = {TRN_CHUNK_VALUE_NONE, TRN_CHUNK_VALUE_NONE};
    const uint32_t value = (uint32_t)(test_random_next(random) % 1000);
    trn_chunk_run_prefetch(both[1], run, coord);
    assert_int_equal(trn_chunk_index_find(both[0], coord, &values[0]),
                     trn_chunk_run_find(both[1], run, coord, &values[1]));
    assert_int_equal(values[0], values[1]);
    if (test_random_next(random) % 3 == 0) { // removes more often, so that pages become empty
        assert_int_equal(trn_chunk_index_insert(both[0], coord, value),
                         trn_chunk_run_insert(both[1], run, coord, value));
    } else {
        assert_int_equal(trn_chunk_index_remove(both[0], coord, &values[0]),
                         trn_chunk_run_remove(both[1], run, coord, &values[1]));
        assert_int_equal(values[0], values[1]);
    }
}

/// Pages are created and dropped; many chunks in a row lie in one page, also in outlier pages.
static void runs_equal_lookups(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(48);
    const TrnCoord centres[] = {{0, 0, 0}, {12, -3, 9}, {5000000, 7, -5000000}};
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *both[2] = {plane_index(NULL), plane_index(&allocator)};
    for (uint32_t step = 0; step < test_rounds(2000, 500); step++) {
        TrnChunkRun run = {0};
        TrnCoord centre = centres[test_random_next(&random) % 3];
        const int64_t spread = test_random_range(&random, 0, 1);
        centre.x += TRN_PAGE_EDGE * (int32_t)test_random_range(&random, 0, 9);
        for (int64_t left = test_random_range(&random, 1, 40); left > 0; left--) {
            change_both(both, &run, random_near(&random, centre, spread), &random);
        }
        // Some pages stay without chunks, because a plane is kept for them.
        const TrnBox box = trn_box_around(random_near(&random, centre, 3), 0, 0, 0);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                trn_chunk_index_plane_fill(both[i], WANTED, trn_box_everything(), false),
                TRN_RESULT_OK);
            assert_int_equal(trn_chunk_index_plane_fill(both[i], WANTED, box, step % 3 == 0),
                             TRN_RESULT_OK);
        }
        const TrnChunkIndexStats a = trn_chunk_index_stats(both[0]);
        const TrnChunkIndexStats b = trn_chunk_index_stats(both[1]);
        assert_int_equal(a.chunks, b.chunks);
        assert_int_equal(a.pages, b.pages);
        assert_int_equal(a.outliers, b.outliers);
    }
    trn_chunk_index_destroy(both[0]);
    trn_chunk_index_destroy(both[1]);
    assert_int_equal(memory.live_blocks, 0);
}

static void a_run_survives_refused_memory(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    TrnChunkRun run = {0};
    const TrnCoord coord = {3, 3, 3}, next = {4, 3, 3};
    uint32_t value = 0, failures = 0;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t n = 1; result != TRN_RESULT_OK; n++) {
        test_fail(&memory, n, SIZE_MAX);
        result = trn_chunk_run_insert(index, &run, coord, 5);
        failures += result == TRN_RESULT_NO_MEMORY;
        assert_int_equal(trn_chunk_run_find(index, &run, coord, &value), result == TRN_RESULT_OK);
    }
    memory.fail_at = 0;
    assert_true(failures > 0);
    assert_int_equal(value, 5);
    assert_int_equal(trn_chunk_run_insert(index, &run, coord, 6), TRN_RESULT_EXISTS);
    assert_int_equal(trn_chunk_run_insert(index, &run, next, 6), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).chunks, 2);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- bad input ---------------------------------------------------------------------------------

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    TrnChunkIndex *index = NULL;
    TrnPlaneDef planes[40];
    for (int i = 0; i < 40; i++) {
        planes[i] = (TrnPlaneDef){"plane", false};
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 32;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    def.plane_count = 1;
    planes[0].name = "a name that is longer than the thirty-one bytes";
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    planes[0].name = "exactly thirty-two bytes long ...";
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    planes[0].name = "present";
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    planes[0].name = NULL;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    planes[0].name = "twice";
    planes[1].name = "twice";
    def.plane_count = 2;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    def.plane_count = 0;
    def.page_max = 0;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_BAD_ARGUMENT);
    assert_null(index);

    index = plane_index(NULL);
    const TrnCoord at = {1, 2, 3};
    assert_int_equal(trn_chunk_index_insert(index, at, TRN_CHUNK_VALUE_NONE),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_chunk_index_remove(index, at, NULL), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_chunk_index_plane_set(index, TRN_PLANE_PRESENT, at, true),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_chunk_index_plane_set(index, PLANES, at, true), TRN_RESULT_BAD_ARGUMENT);
    assert_false(trn_chunk_index_plane_test(index, 77, at));
    assert_int_equal(trn_chunk_index_plane(index, "meshed"), MESHED);
    assert_int_equal(trn_chunk_index_plane(index, "present"), TRN_PLANE_PRESENT);
    assert_int_equal(trn_chunk_index_plane(index, "nothing"), TRN_PLANE_COUNT_MAX);
    const TrnPlaneQuery wrong[] = {
        {.none = 1}, {.all = TRN_PLANE_BIT(PLANES)}, {.all = 1, .all_faces = TRN_PLANE_BIT(READY)}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(trn_chunk_index_plane_compute(index, READY, &wrong[i]),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_chunk_index_stats(index).pages, 0);

    assert_int_equal(trn_chunk_index_insert(index, at, 5), TRN_RESULT_OK);
    uint32_t value = 0;
    TrnBox swapped = {{5, 5, 5}, {-5, -5, -5}};
    assert_int_equal(trn_chunk_index_gather_box(index, swapped, &value, 1), 0);
    assert_int_equal(trn_chunk_index_reserve(index, swapped), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_chunk_index_reserve(index, trn_box_everything()), TRN_RESULT_OUT_OF_RANGE);
    assert_int_equal(trn_chunk_index_gather_box(index, trn_box_everything(), NULL, 0), 1);
    assert_true(trn_chunk_index_find(index, at, NULL));
    assert_int_equal(trn_chunk_index_plane(index, NULL), TRN_PLANE_COUNT_MAX);
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, trn_box_everything(), true),
                     TRN_RESULT_FULL); // immediately, before it takes any memory
    assert_int_equal(trn_chunk_index_stats(index).pages, 1);
    TrnFrustum frustum = {.count = 7};
    TrnChunkGather seven = {
        .box = trn_box_everything(), .frustum = &frustum, .values = &value, .capacity = 1};
    assert_int_equal(trn_chunk_index_gather(index, &seven), 0);
    frustum =
        (TrnFrustum){.planes = {{1, (double)-INFINITY, 0, 0}, {0, 0, (double)NAN, 1}}, .count = 2};
    assert_true(trn_chunk_index_gather(index, &seven) <=
                1); // the answer is unspecified, but it returns
    void *pointer = NULL;
    TrnChunkGather no_pool = {.box = trn_box_everything(), .pointers = &pointer, .capacity = 1};
    assert_int_equal(trn_chunk_index_gather(index, &no_pool), 0);
    trn_chunk_index_destroy(index);
    trn_chunk_index_destroy(NULL);
}

/// A kernel may write some values beyond the last one, but never beyond the capacity.
static void gather_never_writes_beyond_the_capacity(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    const TrnCoord last = trn_page_chunks((TrnCoord){0, 0, 0}).max;
    uint32_t value = 0;
    for (TrnCoord at = {0, 0, 0}; at.y <= last.y; at.y++) {
        for (at.z = 0; at.z <= last.z; at.z++) {
            for (at.x = 0; at.x <= last.x; at.x++) {
                assert_int_equal(trn_chunk_index_insert(index, at, value++), TRN_RESULT_OK);
            }
        }
    }
    for (int holes = 0; holes < 2; holes++) {
        for (size_t capacity = TRN_PAGE_CELLS - 22; capacity < TRN_PAGE_CELLS + 28; capacity++) {
            uint32_t *values =
                malloc(capacity * sizeof *values); // so that the sanitizer checks its end
            assert_non_null(values);
            assert_int_equal(
                trn_chunk_index_gather_box(index, trn_box_everything(), values, capacity),
                TRN_PAGE_CELLS - holes);
            free(values);
        }
        assert_int_equal(trn_chunk_index_remove(index, (TrnCoord){3, 3, 3}, NULL),
                         holes ? TRN_RESULT_NOT_FOUND : TRN_RESULT_OK);
    }
    trn_chunk_index_destroy(index);
}

static void gather_returns_pointers_and_ids_of_slots(void **state)
{
    (void)state;
    TrnPoolDef def = trn_pool_def(48);
    TrnPool *pool;
    assert_int_equal(trn_pool_create(&def, &pool), TRN_RESULT_OK);
    TrnChunkIndex *index = plane_index(NULL);
    for (int32_t i = 0; i < 2000; i++) {
        TrnPoolId id;
        void *slot;
        assert_int_equal(trn_pool_alloc(pool, &id, &slot), TRN_RESULT_OK);
        TrnCoord coord = {i % 13, i / 169, i / 13 % 13};
        *(TrnCoord *)slot = coord;
        assert_int_equal(trn_chunk_index_insert(index, coord, id.index1 - 1), TRN_RESULT_OK);
    }
    static void *pointers[2000];
    static TrnPoolId ids[2000];
    static TrnCoord coords[2000];
    TrnChunkGather gather = {.box = trn_box_everything(),
                             .pointers = pointers,
                             .ids = ids,
                             .coords = coords,
                             .pool = pool,
                             .capacity = 2000};
    assert_int_equal(trn_chunk_index_gather(index, &gather), 2000);
    for (size_t i = 0; i < 2000; i++) {
        assert_true(trn_coord_equal(*(TrnCoord *)pointers[i], coords[i]));
        assert_ptr_equal(trn_pool_get(pool, ids[i]), pointers[i]);
    }
    trn_chunk_index_destroy(index);
    trn_pool_destroy(pool);
}

/// Runs a fixed script of every kind of write up to the first failure.
/// @param done  receives the number of steps that succeeded
static TrnResult run_script(TrnChunkIndex *index, int *done)
{
    TrnResult result = TRN_RESULT_OK;
    for (*done = 0; *done < 120 && result == TRN_RESULT_OK; *done += result == TRN_RESULT_OK) {
        int32_t i = *done;
        TrnCoord near = {i * 5, i % 7, -i * 3}, far = {i * 100000, -i * 70000, i};
        if (i < 40) {
            result = trn_chunk_index_insert(index, near, (uint32_t)i);
        } else if (i < 70) {
            result = trn_chunk_index_insert(index, far, (uint32_t)i);
        } else if (i < 90) {
            result = trn_chunk_index_plane_set(index, WANTED, trn_coord_add(far, 9, 9, 9), true);
        } else if (i == 90) {
            result = trn_chunk_index_reserve(index, trn_box_around(near, 300, 50, 300));
        } else if (i < 110) {
            TrnCoord gone = {(i - 90) * 5, (i - 90) % 7, -(i - 90) * 3};
            result = trn_chunk_index_remove(index, gone, NULL);
        } else if (i == 119) {
            result = trn_chunk_index_clear(index);
        } else {
            result = trn_chunk_index_plane_compute(index, READY, &queries[3]);
        }
    }
    return result;
}

static void failed_allocations_leave_the_index_unchanged(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.allocator = &allocator;
    size_t failures = 0, fail_at = 1;
    for (bool is_reached = true; is_reached; fail_at++) {
        memory = (TestAllocator){.fail_at = fail_at};
        TrnChunkIndex *index = NULL;
        TrnResult result = trn_chunk_index_create(&def, &index);
        if (result == TRN_RESULT_OK) {
            int done;
            result = run_script(index, &done);
            size_t expected = done < 70    ? (size_t)done
                              : done < 91  ? 70
                              : done < 110 ? (size_t)(70 - (done - 91))
                              : done < 120 ? 51
                                           : 0;
            assert_int_equal(trn_chunk_index_stats(index).chunks, expected);
            assert_int_equal(trn_chunk_index_gather_box(index, trn_box_everything(), NULL, 0),
                             expected);
            assert_int_equal(trn_chunk_index_stats(index).bytes, memory.live_bytes);
            is_reached = memory.allocations >= fail_at;
            memory.fail_at = 0;
            assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){-7, -7, -7}, 3),
                             TRN_RESULT_OK); // it still works
            trn_chunk_index_destroy(index);
        }
        assert_int_equal(memory.live_blocks, 0);
        // Without memory to reshape the directory, writes succeed all the same.
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        failures += result != TRN_RESULT_OK;
    }
    print_message("  %zu allocations, %zu of which must succeed\n", fail_at, failures);
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_match_the_model),
        cmocka_unit_test(frustum_gather_matches_a_test_of_each_chunk),
        cmocka_unit_test(kernels_match_their_scalar_twin),
        cmocka_unit_test(only_kernels_that_exist_are_chosen),
        cmocka_unit_test(all_around_works_in_a_nearly_full_world),
        cmocka_unit_test(gather_never_writes_beyond_the_capacity),
        cmocka_unit_test(set_replaces_the_value_and_nothing_else),
        cmocka_unit_test(runs_equal_lookups),
        cmocka_unit_test(a_run_survives_refused_memory),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(gather_returns_pointers_and_ids_of_slots),
        cmocka_unit_test(failed_allocations_leave_the_index_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
