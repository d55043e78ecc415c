// Sparse pages: every query while pages change between the forms, what they cost, and what happens
// when memory or readers prevent a change.

#include "chunk_model.h"

#include "index/page_kernels.h"

/// Chunks of a page in cell order.
static TrnCoord chunk_of_page(TrnCoord page, int32_t cell)
{
    return trn_coord_add(trn_page_chunks(page).min, cell % 8, cell / 64, cell / 8 % 8);
}

static size_t sparse_pages(const TrnChunkIndex *index)
{
    return trn_chunk_index_stats(index).sparse_pages;
}

static void insert_chunks(TrnChunkIndex *index, TrnCoord page, int32_t first, int32_t end)
{
    for (int32_t cell = first; cell < end; cell++) {
        assert_int_equal(trn_chunk_index_insert(index, chunk_of_page(page, cell), (uint32_t)cell),
                         TRN_RESULT_OK);
    }
}

static void remove_chunks(TrnChunkIndex *index, TrnCoord page, int32_t first, int32_t end)
{
    for (int32_t cell = first; cell < end; cell++) {
        uint32_t value = UINT32_MAX;
        assert_int_equal(trn_chunk_index_remove(index, chunk_of_page(page, cell), &value),
                         TRN_RESULT_OK);
        assert_int_equal(value, cell);
    }
}

// ---- against the model -------------------------------------------------------------------------

/// A world of a few pages, whose number of chunks rises and falls so that they change their form.
typedef struct Wave {
    TrnChunkIndex *index;
    Model model;
    TestRandom random;
    TrnCoord pages[8];
    size_t page_count;
    size_t all_sparse, all_full, mixed; ///< checks that saw the pages so
} Wave;

static TrnCoord wave_chunk(Wave *wave)
{
    const size_t page = (size_t)test_random_range(&wave->random, 0, (int64_t)wave->page_count - 1);
    // Mostly the cells of a corner and the opposite one, so that chunks have neighbours across the
    // borders of pages and few cells make a cube.
    int32_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (int32_t)test_random_range(&wave->random, 0, 4);
        at[axis] = test_random_next(&wave->random) % 2 ? at[axis] : 7 - at[axis];
    }
    return chunk_of_page(wave->pages[page], at[0] + 8 * at[2] + 64 * at[1]);
}

/// Removes a chunk, and the bits that would survive it.
static void wave_clear(Wave *wave, TrnCoord coord)
{
    ModelCell *cell = model_find(&wave->model, coord);
    if (!cell) {
        return;
    }
    uint32_t value = 0;
    const bool is_present = cell->bits & 1;
    assert_int_equal(trn_chunk_index_remove(wave->index, coord, &value),
                     is_present ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
    assert_int_equal(value, is_present ? cell->value : 0);
    for (TrnPlane plane = 1; plane < PLANES; plane++) {
        assert_int_equal(trn_chunk_index_plane_set(wave->index, plane, coord, false),
                         TRN_RESULT_OK);
    }
    *cell = wave->model.cells[--wave->model.count];
}

static void wave_fill(Wave *wave)
{
    const TrnBox box = trn_box_around(wave_chunk(wave), 1, 1, 0);
    const bool bit = test_random_next(&wave->random) % 2;
    assert_int_equal(trn_chunk_index_plane_fill(wave->index, WANTED, box, bit), TRN_RESULT_OK);
    for (int64_t y = box.min.y; y <= box.max.y; y++) { // 64 bits: the box may end at INT32_MAX
        for (int64_t x = box.min.x; x <= box.max.x; x++) {
            const TrnCoord at = {(int32_t)x, (int32_t)y, box.min.z};
            if (bit) {
                model_take(&wave->model, at)->bits |= TRN_PLANE_BIT(WANTED);
            } else if (model_find(&wave->model, at)) {
                model_find(&wave->model, at)->bits &= ~TRN_PLANE_BIT(WANTED);
            }
        }
    }
}

static void wave_check(Wave *wave, TrnBox box)
{
    const TrnChunkIndexStats stats = trn_chunk_index_stats(wave->index);
    wave->all_sparse += stats.pages > 0 && stats.sparse_pages == stats.pages;
    wave->all_full += stats.pages > 0 && stats.sparse_pages == 0;
    wave->mixed += stats.sparse_pages > 0 && stats.sparse_pages < stats.pages;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        assert_gather_same(wave->index, &wave->model,
                           (TrnChunkGather){.box = box, .planes = queries[i]}, NULL);
    }
    assert_gather_same(wave->index, &wave->model, (TrnChunkGather){.box = trn_box_everything()},
                       NULL);
    assert_bulk_neighbours_same(wave->index, &wave->model, box);
    assert_planes_same(wave->index, &wave->model);
    assert_stats_same(wave->index, &wave->model);
    TrnCoord asked[150];
    for (int i = 0; i < 20; i++) {
        assert_neighbours_same(wave->index, &wave->model, wave_chunk(wave));
    }
    for (int i = 0; i < 150; i++) { // some of them far away from all pages
        const int32_t far_away = test_random_next(&wave->random) % 8 ? 0 : 4000;
        asked[i] = trn_coord_add(wave_chunk(wave), far_away, 0, -far_away);
    }
    assert_finds_same(wave->index, &wave->model, asked, 150);
}

/// @param corner  the pages are those around the lowest corner of this one
static void check_wave(TrnCoord corner, size_t directory_bytes_max, TestRandom *random)
{
    static Wave wave;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.allocator = &allocator;
    def.directory_bytes_max = directory_bytes_max;
    wave = (Wave){.random = *random, .page_count = 8};
    assert_int_equal(trn_chunk_index_create(&def, &wave.index), TRN_RESULT_OK);
    const TrnCoord first = trn_page_chunks(corner).min;
    for (int32_t i = 0; i < 8; i++) {
        wave.pages[i] =
            trn_page_coord(trn_coord_add(first, i % 2 * -8, i / 4 * -8, i / 2 % 2 * -8));
    }
    for (int step = 0; step < 6000; step++) {
        const bool rising = step / 500 % 2 == 0;
        if (test_random_next(&wave.random) % 8 < (rising ? 6u : 2u)) {
            random_step(wave.index, &wave.model, wave_chunk(&wave), &wave.random);
        } else if (wave.model.count > 0) {
            const int64_t last = (int64_t)wave.model.count - 1;
            wave_clear(&wave, wave.model.cells[test_random_range(&wave.random, 0, last)].coord);
        }
        if (step % 16 == 0) {
            wave_fill(&wave);
        }
        if (step % 1500 == 1400) { // now and then a page leaves as a whole
            while (wave.model.count > 40) {
                wave_clear(&wave, wave.model.cells[0].coord);
            }
        }
        if (step % 125 == 124) {
            const size_t q =
                (size_t)test_random_next(&wave.random) % (sizeof queries / sizeof *queries);
            compute_both(wave.index, &wave.model, step % 250 == 249 ? READY : AROUND, &queries[q]);
            wave_check(&wave, trn_box_around(wave_chunk(&wave), 5, 6, 7));
            assert_int_equal(trn_chunk_index_stats(wave.index).bytes, memory.live_bytes);
        }
    }
    assert_true(wave.all_sparse > 0);
    assert_true(wave.mixed + wave.all_full > 3);
    while (wave.model.count > 0) {
        wave_clear(&wave, wave.model.cells[0].coord);
    }
    assert_int_equal(trn_chunk_index_stats(wave.index).pages, 0);
    trn_chunk_index_destroy(wave.index);
    assert_int_equal(memory.live_blocks, 0);
    *random = wave.random;
}

static void pages_that_change_their_form_match_the_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    check_wave((TrnCoord){0, 0, 0}, SIZE_MAX, &random);
    check_wave((TrnCoord){500000, -3, 77}, 0, &random); // outlier pages only
    // Across the seam where coordinates wrap.
    check_wave(trn_page_coord((TrnCoord){INT32_MIN, INT32_MIN, INT32_MIN}), 4096, &random);
}

static void gathers_keep_cell_order_in_both_forms(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(72);
    for (int32_t count = 1; count <= 40; count++) {
        TrnChunkIndex *index = plane_index(NULL);
        for (int32_t left = count; left > 0;) {
            const int32_t cell = (int32_t)test_random_range(&random, 0, TRN_PAGE_CELLS - 1);
            const TrnCoord at = chunk_of_page((TrnCoord){0, 0, 0}, cell);
            left -= trn_chunk_index_insert(index, at, (uint32_t)cell) == TRN_RESULT_OK;
        }
        uint32_t values[40];
        assert_int_equal(trn_chunk_index_gather_box(index, trn_box_everything(), values, 40),
                         count);
        for (int32_t i = 1; i < count; i++) {
            assert_true(values[i - 1] < values[i]);
        }
        trn_chunk_index_destroy(index);
    }
}

/// Lists of all lengths, cells that are listed and cells that are not.
static void lists_find_what_their_scalar_twin_finds(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(73);
    for (uint32_t size = 0; size < TRN_SPARSE_SIZES; size++) {
        const uint32_t capacity = trn_sparse_capacities[size];
        for (uint32_t round = 0; round < 200; round++) {
            _Alignas(64) unsigned char memory[sizeof(TrnSparsePage) + 512];
            TrnSparsePage *page = (TrnSparsePage *)(void *)memory;
            uint32_t lanes[TRN_PAGE_CELLS];
            memset(memory, 0, sizeof memory);
            memset(lanes, 0xFF, sizeof lanes);
            trn_sparse_init(page, (TrnCoord){0, 0, 0}, size);
            for (uint32_t count = (uint32_t)test_random_range(&random, 0, capacity); count > 0;) {
                const uint32_t cell = (uint32_t)test_random_range(&random, 0, TRN_PAGE_CELLS - 1);
                if (lanes[cell] == TRN_SPARSE_LANE_NONE) {
                    // A value and bits that look as lanes with other cells.
                    const uint32_t other = (cell ^ 1) | (cell ^ 1) << 16;
                    lanes[cell] = trn_sparse_add(page, cell);
                    trn_sparse_store(page, lanes[cell], (TrnSparseEntry){other, other});
                    count--;
                }
            }
            for (uint32_t cell = 0; cell < TRN_PAGE_CELLS; cell++) {
                assert_int_equal(trn_sparse_find(page, cell), lanes[cell]);
                assert_int_equal(trn_sparse_find_scalar(page, cell), lanes[cell]);
            }
        }
    }
}

/// Fills a list of a size with cells in no order, some of them without a bit.
static void fill_list(TrnSparsePage *page, uint32_t size, TestRandom *random)
{
    bool is_listed[TRN_PAGE_CELLS] = {false};
    trn_sparse_init(page, (TrnCoord){0, 0, 0}, size);
    const int64_t most = trn_sparse_capacities[size];
    for (int64_t count = test_random_range(random, 0, most); count > 0; count--) {
        const uint32_t cell = (uint32_t)test_random_range(random, 0, TRN_PAGE_CELLS - 1);
        if (!is_listed[cell]) {
            const uint32_t bits = (uint32_t)test_random_next(random) & 7;
            is_listed[cell] = true;
            trn_sparse_store(page, trn_sparse_add(page, cell),
                             (TrnSparseEntry){(uint32_t)test_random_next(random), bits});
        }
    }
}

static void kernels_list_cells_as_their_scalar_twin(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(74);
    const TrnPageKernels *scalar = trn_kernels_named(&trn_page_kernels, "scalar");
    const TrnPageKernels *kernels;
    for (size_t k = 0; (kernels = trn_kernels_at(&trn_page_kernels, trn_cpu_features(), k)); k++) {
        print_message("  kernel: %s\n", kernels->name);
        for (uint32_t round = 0; round < 3000; round++) {
            _Alignas(64) unsigned char memory[512] = {0};
            TrnSparsePage *page = (TrnSparsePage *)(void *)memory;
            fill_list(page, round % TRN_SPARSE_SIZES, &random);
            const TrnPlaneQuery query = {.all = 1u << test_random_next(&random) % 3,
                                         .any = (uint32_t)test_random_next(&random) & 7,
                                         .none = (uint32_t)test_random_next(&random) & 2};
            uint16_t cells[2][TRN_SPARSE_CAPACITY_MAX + 1];
            uint32_t values[3][TRN_SPARSE_CAPACITY_MAX + 1];
            const uint32_t count = scalar->list(page, &query, cells[0], values[0]);
            assert_int_equal(kernels->list(page, &query, cells[1], values[1]), count);
            assert_int_equal(kernels->list(page, &query, NULL, values[2]), count);
            assert_memory_equal(cells[1], cells[0], count * sizeof **cells);
            assert_memory_equal(values[1], values[0], count * sizeof **values);
            assert_memory_equal(values[2], values[0], count * sizeof **values);
            for (uint32_t i = 1; i < count; i++) {
                assert_true(cells[0][i - 1] < cells[0][i]);
            }
        }
    }
}

/// Fills a page chunk by chunk, then empties it: alone, in the directory and outside it.
static void a_lone_page_grows_full_and_shrinks_again(void **state)
{
    (void)state;
    static Model model;
    const TrnCoord pages[] = {{0, 0, 0}, {-70000, 3, 70000}};
    for (int place = 0; place < 2; place++) {
        TrnChunkIndex *index = plane_index(NULL);
        insert_chunks(index, (TrnCoord){0, 40, 0}, 0, 1); // so that the directory has a page
        model.count = 0;
        *model_take(&model, chunk_of_page((TrnCoord){0, 40, 0}, 0)) =
            (ModelCell){chunk_of_page((TrnCoord){0, 40, 0}, 0), 0, 1};
        TrnCoord asked[TRN_PAGE_CELLS];
        for (int32_t cell = 0; cell < TRN_PAGE_CELLS; cell++) {
            asked[cell] = chunk_of_page(pages[place], cell);
        }
        for (int32_t step = 0; step < 2 * 90; step++) {
            const int32_t cell = (step % 90 * 91 + 5) % TRN_PAGE_CELLS; // in no order
            if (step < 90) {
                insert_chunks(index, pages[place], cell, cell + 1);
                *model_take(&model, asked[cell]) = (ModelCell){asked[cell], (uint32_t)cell, 1};
            } else {
                remove_chunks(index, pages[place], cell, cell + 1);
                *model_find(&model, asked[cell]) = model.cells[model.count - 1];
                model.count--;
            }
            assert_finds_same(index, &model, asked, TRN_PAGE_CELLS);
            assert_gather_same(index, &model, (TrnChunkGather){.box = trn_box_everything()}, NULL);
            assert_neighbours_same(index, &model, asked[cell]);
        }
        assert_int_equal(trn_chunk_index_stats(index).pages, 1);
        trn_chunk_index_destroy(index);
    }
}

// ---- which form --------------------------------------------------------------------------------

static void the_form_follows_the_number_of_chunks(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    const TrnCoord page = {3, -1, 2};
    insert_chunks(index, page, 0, TRN_SPARSE_CAPACITY_MAX);
    assert_int_equal(sparse_pages(index), 1);
    insert_chunks(index, page, TRN_SPARSE_CAPACITY_MAX, 60);
    assert_int_equal(sparse_pages(index), 0);
    remove_chunks(index, page, 13, 60); // fewer than made it full, but not by much
    assert_int_equal(trn_chunk_index_stats(index).pages, 1);
    remove_chunks(index, page, 1, 13);
    assert_int_equal(sparse_pages(index), 1);
    TrnPageFigures figures;
    assert_int_equal(trn_chunk_index_pages(index, trn_page_chunks(page), &figures, 1), 1);
    assert_true(figures.is_sparse);
    assert_int_equal(figures.counts[TRN_PLANE_PRESENT], 1);
    remove_chunks(index, page, 0, 1);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0);
    trn_chunk_index_destroy(index);
}

static void bits_alone_keep_a_page_sparse_or_make_it_full(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    const TrnBox page = trn_page_chunks((TrnCoord){0, 0, 0});
    TrnBox box = page;
    box.max = trn_coord_add(page.min, 1, 1, 2);
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, box, true), TRN_RESULT_OK);
    assert_int_equal(sparse_pages(index), 1);
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, page, true), TRN_RESULT_OK);
    assert_int_equal(sparse_pages(index), 0);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[WANTED], TRN_PAGE_CELLS);
    box.min = trn_coord_add(page.min, 0, 1, 0);
    box.max = page.max;
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, box, false), TRN_RESULT_OK);
    box = (TrnBox){trn_coord_add(page.min, 0, 0, 1), page.max};
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, box, false), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[WANTED], 8);
    assert_int_equal(trn_chunk_index_plane_set(index, WANTED, page.min, false), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[WANTED], 7);
    trn_chunk_index_destroy(index);
}

/// A page next to a dense one mostly fills up, so it is full from the start, and stays so.
static void pages_beside_dense_ones_are_full(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    insert_chunks(index, (TrnCoord){0, 0, 0}, 0, 200);
    insert_chunks(index, (TrnCoord){1, 1, 0}, 0, 1);
    assert_int_equal(sparse_pages(index), 0);
    insert_chunks(index, (TrnCoord){5, 0, 0}, 0, 1);
    assert_int_equal(sparse_pages(index), 1);
    remove_chunks(index, (TrnCoord){0, 0, 0}, 1, 200);
    assert_int_equal(sparse_pages(index), 2); // no longer dense, and few chunks left
    trn_chunk_index_destroy(index);
}

static void lone_chunks_take_little(void **state)
{
    (void)state;
    const int32_t strides[] = {8, 64, 1000};
    for (int i = 0; i < 3; i++) {
        TrnChunkIndex *index;
        assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
        for (int32_t k = 0; k < 27000; k++) {
            const TrnCoord at = {k % 30 * strides[i], k / 900 * strides[i],
                                 k / 30 % 30 * strides[i]};
            assert_int_equal(trn_chunk_index_insert(index, at, (uint32_t)k), TRN_RESULT_OK);
        }
        const TrnChunkIndexStats stats = trn_chunk_index_stats(index);
        assert_int_equal(stats.sparse_pages, 27000);
        assert_in_range(stats.sparse_page_bytes, 27000 * 64, 27000 * 96);
        assert_in_range(stats.full_page_bytes, 1, 4096);
        trn_chunk_index_destroy(index);
    }
}

/// Gathers the values of all chunks with a capacity. They are those of `present` in cell order, and
/// nothing is written beyond the capacity.
static void assert_gathers(const TrnChunkIndex *index, const bool present[TRN_PAGE_CELLS],
                           size_t capacity)
{
    uint32_t values[64], expected[64];
    size_t count = 0, found = 0;
    memset(values, 0xFF, sizeof values);
    for (uint32_t cell = 0; cell < TRN_PAGE_CELLS; cell++) {
        if (present[cell]) {
            expected[count++] = cell;
        }
    }
    found = trn_chunk_index_gather_box(index, trn_box_everything(), values, capacity);
    assert_int_equal(found, count);
    const size_t written = count < capacity ? count : capacity;
    assert_memory_equal(values, expected, written * sizeof *values);
    for (size_t i = capacity; i < 64; i++) {
        assert_int_equal(values[i], UINT32_MAX);
    }
}

static void values_are_gathered_in_cell_order(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(61);
    for (uint32_t round = 0; round < test_rounds(2000, 400); round++) {
        TrnChunkIndex *index = plane_index(NULL);
        bool present[TRN_PAGE_CELLS] = {false};
        const int64_t length = test_random_range(&random, 1, 20);
        const bool rises = test_random_next(&random) % 2; // or in any order
        int32_t cell = -1;
        for (int64_t i = 0; i < length; i++) {
            cell = rises ? cell + 1 + (int32_t)test_random_range(&random, 0, 20)
                         : (int32_t)test_random_range(&random, 0, TRN_PAGE_CELLS - 1);
            if (!present[cell]) {
                insert_chunks(index, (TrnCoord){0, 0, 0}, cell, cell + 1);
                present[cell] = true;
            }
            if (test_random_next(&random) % 4 == 0) { // stays listed, without a bit
                remove_chunks(index, (TrnCoord){0, 0, 0}, cell, cell + 1);
                present[cell] = false;
            }
        }
        for (size_t capacity = 0; capacity < 50; capacity += 1 + capacity / 8) {
            assert_gathers(index, present, capacity);
        }
        trn_chunk_index_destroy(index);
    }
}

// ---- refused writes ----------------------------------------------------------------------------

static void listed_cells_change_without_memory(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    const TrnCoord page = {0, 0, 0}, at = chunk_of_page(page, 3), wanted = chunk_of_page(page, 4);
    insert_chunks(index, page, 0, 4);
    assert_int_equal(trn_chunk_index_plane_set(index, WANTED, wanted, true), TRN_RESULT_OK);
    test_fail(&memory, 1, SIZE_MAX);
    assert_int_equal(trn_chunk_index_set(index, at, 77), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(index, LOADED, at, true), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(index, MESHED, wanted, true), TRN_RESULT_OK);
    const TrnPlaneQuery query = {.all = 1, .none = TRN_PLANE_BIT(LOADED)};
    assert_int_equal(trn_chunk_index_plane_compute(index, READY, &query), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[READY], 3);
    assert_int_equal(trn_chunk_index_insert(index, wanted, 9), TRN_RESULT_OK); // listed for a plane
    assert_int_equal(trn_chunk_index_remove(index, at, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(index, at, 5), TRN_RESULT_OK); // in its old place
    assert_int_equal(trn_chunk_index_plane_fill(index, WANTED, trn_box_everything(), false),
                     TRN_RESULT_OK);
    test_fail(&memory, 0, 0);
    uint32_t value = 0;
    assert_true(trn_chunk_index_find(index, at, &value));
    assert_int_equal(value, 5);
    assert_false(trn_chunk_index_plane_test(index, LOADED, at));
    assert_int_equal(trn_chunk_index_stats(index).chunks, 5);
    trn_chunk_index_destroy(index);
}

/// Fills and empties pages; one allocation fails. Each write succeeds or changes nothing.
/// @return whether the failure came
static bool fill_and_empty(size_t fail_at)
{
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    static Model model;
    model.count = 0;
    test_fail(&memory, fail_at, 0);
    size_t failures = 0;
    const TrnCoord pages[] = {{0, 0, 0}, {1, 0, 0}, {90000, 0, -90000}};
    for (int32_t i = 0; i < 6 * 40; i++) {
        const TrnCoord at = chunk_of_page(pages[i % 3], i / 3 % 40 * 11);
        const bool is_insert = i < 3 * 40;
        TrnResult result = is_insert ? trn_chunk_index_insert(index, at, (uint32_t)i)
                                     : trn_chunk_index_remove(index, at, NULL);
        if (result == TRN_RESULT_NO_MEMORY) {
            failures++;
            assert_int_equal(trn_chunk_index_find(index, at, NULL), !is_insert);
            assert_stats_same(index, &model);
            result = is_insert ? trn_chunk_index_insert(index, at, (uint32_t)i)
                               : trn_chunk_index_remove(index, at, NULL);
        }
        assert_int_equal(result, TRN_RESULT_OK);
        if (is_insert) {
            *model_take(&model, at) = (ModelCell){at, (uint32_t)i, 1};
        } else {
            ModelCell *cell = model_find(&model, at);
            *cell = model.cells[--model.count];
        }
        if (i % 20 == 0) {
            assert_gather_same(index, &model, (TrnChunkGather){.box = trn_box_everything()}, NULL);
        }
        assert_int_equal(trn_chunk_index_stats(index).bytes, memory.live_bytes);
    }
    const bool came = memory.allocations >= fail_at;
    assert_true(failures <= 1);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
    return came;
}

static void each_failed_allocation_of_a_change_of_form_is_harmless(void **state)
{
    (void)state;
    size_t fail_at = 1;
    while (fill_and_empty(fail_at)) {
        fail_at++;
    }
    assert_true(fail_at > 15);
}

static void readers_refuse_a_change_of_form(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.retired_bytes_max = 100;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    const TrnCoord page = {0, 0, 0}, other = {90, 0, 0};
    insert_chunks(index, page, 0, 60);
    insert_chunks(index, other, 0, 40);
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(index, "slow", &reader), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    insert_chunks(index, other, 40, 41); // the copy retires more than the bound
    assert_int_equal(sparse_pages(index), 0);
    remove_chunks(index, page, 1, 60); // succeeds, but the page stays as it is
    assert_int_equal(sparse_pages(index), 0);
    assert_int_equal(trn_chunk_index_insert(index, chunk_of_page((TrnCoord){5, 5, 5}, 0), 1),
                     TRN_RESULT_READERS);
    assert_int_equal(trn_chunk_index_stats(index).chunks, 42);
    trn_chunk_index_read_end(reader);
    insert_chunks(index, page, 1, 2);
    remove_chunks(index, page, 1, 2);
    assert_int_equal(sparse_pages(index), 1); // now it is copied
    assert_true(trn_chunk_index_find(index, chunk_of_page(page, 0), NULL));
    trn_chunk_index_destroy(index);
}

static void a_change_of_form_takes_no_page_of_the_maximum(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.page_max = 1;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    const TrnCoord page = {0, 0, 0};
    for (int round = 0; round < 3; round++) {
        insert_chunks(index, page, 0, 100);
        assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){800, 0, 0}, 1), TRN_RESULT_FULL);
        remove_chunks(index, page, 0, 100);
    }
    trn_chunk_index_destroy(index);
}

/// Pages of both forms far apart. A hash finds a page by a few bits first, so that now and then it
/// meets one of the other form than the page that is looked for: about once in 700 look-ups here.
static void many_are_found_where_pages_of_both_forms_seem_the_same(void **state)
{
    enum { PAGES = 400, KEYS = 20, FULL = 300 };
    static TrnCoord coords[PAGES];
    static uint32_t values[PAGES];
    TestRandom random = test_random_seeded(75);
    (void)state;
    for (uint32_t key = 1; key <= KEYS; key++) {
        TrnChunkIndexDef def = trn_chunk_index_def();
        TrnChunkIndex *index;
        def.hash_key = key;
        assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
        for (uint32_t i = 0; i < PAGES; i++) {
            const TrnCoord page = {(int32_t)test_random_range(&random, -1000000, 1000000),
                                   (int32_t)test_random_range(&random, -1000, 1000),
                                   (int32_t)test_random_range(&random, -1000000, 1000000)};
            coords[i] = chunk_of_page(page, 0);
            insert_chunks(index, page, 0, i % 2 ? 1 : FULL);
            assert_int_equal(trn_chunk_index_set(index, coords[i], i), TRN_RESULT_OK);
        }
        assert_int_equal(trn_chunk_index_find_many(index, coords, PAGES, values), PAGES);
        for (uint32_t i = 0; i < PAGES; i++) {
            assert_int_equal(values[i], i);
        }
        trn_chunk_index_destroy(index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_found_where_pages_of_both_forms_seem_the_same),
        cmocka_unit_test(pages_that_change_their_form_match_the_model),
        cmocka_unit_test(gathers_keep_cell_order_in_both_forms),
        cmocka_unit_test(lists_find_what_their_scalar_twin_finds),
        cmocka_unit_test(kernels_list_cells_as_their_scalar_twin),
        cmocka_unit_test(a_lone_page_grows_full_and_shrinks_again),
        cmocka_unit_test(the_form_follows_the_number_of_chunks),
        cmocka_unit_test(bits_alone_keep_a_page_sparse_or_make_it_full),
        cmocka_unit_test(pages_beside_dense_ones_are_full),
        cmocka_unit_test(lone_chunks_take_little),
        cmocka_unit_test(values_are_gathered_in_cell_order),
        cmocka_unit_test(listed_cells_change_without_memory),
        cmocka_unit_test(each_failed_allocation_of_a_change_of_form_is_harmless),
        cmocka_unit_test(readers_refuse_a_change_of_form),
        cmocka_unit_test(a_change_of_form_takes_no_page_of_the_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
