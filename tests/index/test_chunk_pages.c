// Pages and directory steps that the chunk index reports, against lookups of single chunks.

#include "plane_index.h"

#define PAGES_MAX 4096

static TrnBox chunks_of(const TrnPageFigures *page)
{
    return trn_page_chunks(trn_page_coord(page->chunk));
}

static bool boxes_meet(TrnBox a, TrnBox b)
{
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

/// Compares the bits of a page's planes with tests of single chunks.
static void assert_page_bits(const TrnChunkIndex *index, const TrnPageFigures *page)
{
    for (TrnPlane plane = 0; plane < PLANES; plane++) {
        uint64_t words[TRN_PAGE_WORDS];
        const TrnBox chunks = chunks_of(page);
        assert_true(trn_chunk_index_page_plane(index, chunks.max, plane, words)); // any chunk of it
        int cell = 0, count = 0;
        for (TrnCoord at = chunks.min; at.y <= chunks.max.y; at.y++) {
            for (at.z = chunks.min.z; at.z <= chunks.max.z; at.z++) {
                for (at.x = chunks.min.x; at.x <= chunks.max.x; at.x++, cell++) {
                    const bool bit =
                        words[cell / TRN_PAGE_WORD_BITS] >> (cell % TRN_PAGE_WORD_BITS) & 1;
                    assert_int_equal(bit, trn_page_words_test(words, at));
                    assert_int_equal(bit, trn_chunk_index_plane_test(index, plane, at));
                    count += bit;
                }
            }
        }
        assert_int_equal(page->counts[plane], count);
    }
    for (TrnPlane plane = PLANES; plane < TRN_PLANE_COUNT_MAX; plane++) {
        assert_int_equal(page->counts[plane], 0);
    }
}

/// Compares the sums over all pages with the stats of the index.
static size_t assert_pages_add_up(const TrnChunkIndex *index, TrnPageFigures *pages)
{
    const TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    const size_t count = trn_chunk_index_pages(index, trn_box_everything(), pages, PAGES_MAX);
    assert_true(count <= PAGES_MAX);
    assert_int_equal(count, stats.pages);
    size_t sums[PLANES] = {0}, outliers = 0;
    for (size_t i = 0; i < count; i++) {
        const TrnCoord chunk = pages[i].chunk, page = trn_page_coord(chunk);
        assert_true(trn_coord_equal(chunk, trn_page_chunks(page).min));
        assert_int_equal(pages[i].is_outlier, !trn_box_contains(stats.directory, page));
        assert_true(i == 0 || pages[i].is_outlier >= pages[i - 1].is_outlier);
        outliers += pages[i].is_outlier;
        for (TrnPlane plane = 0; plane < PLANES; plane++) {
            sums[plane] += pages[i].counts[plane];
        }
        for (size_t other = 0; other < i; other++) {
            assert_false(trn_coord_equal(pages[other].chunk, chunk));
        }
    }
    assert_int_equal(outliers, stats.outliers);
    for (TrnPlane plane = 0; plane < PLANES; plane++) {
        assert_int_equal(sums[plane], stats.plane_counts[plane]);
    }
    return count;
}

/// Checks that a box lists exactly the pages that it reaches into.
static void assert_box_same(const TrnChunkIndex *index, const TrnPageFigures *all, size_t count,
                            TrnBox box)
{
    static TrnPageFigures found[PAGES_MAX];
    size_t expected = 0;
    for (size_t i = 0; i < count; i++) {
        expected += boxes_meet(chunks_of(&all[i]), box);
    }
    const size_t answer = trn_chunk_index_pages(index, box, found, PAGES_MAX);
    assert_int_equal(answer, expected);
    for (size_t i = 0; i < answer; i++) {
        assert_true(boxes_meet(chunks_of(&found[i]), box));
    }
}

/// Checks that each step starts where the one before ended, and the last ends at the current shape.
static void assert_steps_join(const TrnChunkIndex *index, uint64_t *last_number)
{
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    const TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    const size_t count = trn_chunk_index_directory_steps(index, steps);
    assert_true(count <= TRN_DIRECTORY_STEPS_MAX);
    for (size_t i = 0; i < count; i++) {
        assert_true(steps[i].us >= 0);
        if (i > 0) {
            assert_int_equal(steps[i].number, steps[i - 1].number + 1);
            assert_memory_equal(&steps[i].from, &steps[i - 1].to, sizeof(TrnBox));
        }
    }
    assert_true(count == TRN_DIRECTORY_STEPS_MAX || count == 0 || steps[0].number == 1);
    if (count) {
        assert_memory_equal(&steps[count - 1].to, &stats.directory, sizeof(TrnBox));
        assert_true(steps[count - 1].number >= *last_number);
        *last_number = steps[count - 1].number;
    }
}

static TrnCoord random_chunk(TestRandom *random)
{
    static const TrnCoord centres[] = {{0, 0, 0}, {-300, 9, 41}, {1000000, -7, -2000000}};
    const TrnCoord centre = centres[test_random_next(random) % 16 % 3];
    return trn_coord_add(centre, (int32_t)test_random_range(random, -30, 30),
                         (int32_t)test_random_range(random, -12, 12),
                         (int32_t)test_random_range(random, -30, 30));
}

static void random_write(TrnChunkIndex *index, TestRandom *random)
{
    const TrnCoord at = random_chunk(random);
    const uint64_t what = test_random_next(random) % 8;
    if (what < 3) {
        const TrnResult result = trn_chunk_index_insert(index, at, 7);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS);
    } else if (what < 5) {
        const TrnPlane plane = 1 + (TrnPlane)(test_random_next(random) % (PLANES - 1));
        assert_int_equal(trn_chunk_index_plane_set(index, plane, at, true), TRN_RESULT_OK);
    } else if (what < 7) {
        (void)trn_chunk_index_remove(index, at, NULL); // most are absent
    } else {
        const TrnBox box = trn_box_around(at, 4, 3, 4);
        assert_int_equal(trn_chunk_index_plane_fill(index, 2, box, false), TRN_RESULT_OK);
    }
}

static void pages_match_single_chunks(void **state)
{
    (void)state;
    static TrnPageFigures pages[PAGES_MAX];
    TestRandom random = test_random_seeded(31);
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    uint64_t last_number = 0;
    for (int round = 0; round < 24; round++) {
        for (int i = 0; i < 300; i++) {
            random_write(index, &random);
        }
        const size_t allocations = memory.allocations;
        const size_t count = assert_pages_add_up(index, pages);
        for (size_t i = 0; i < count; i += 1 + (size_t)(test_random_next(&random) % 8)) {
            assert_page_bits(index, &pages[i]);
        }
        for (int i = 0; i < 20; i++) {
            const TrnBox box = trn_box_around(random_chunk(&random), i, i / 2, 2 * i);
            assert_box_same(index, pages, count, box);
        }
        assert_steps_join(index, &last_number);
        assert_int_equal(memory.allocations, allocations); // queries do not allocate
    }
    assert_true(trn_chunk_index_stats(index).outliers > 0); // so that outlier pages were tested
    assert_true(last_number > 2);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
}

static void pages_are_written_up_to_the_capacity(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(trn_chunk_index_insert(index, page_first(i, 0, 0), 1), TRN_RESULT_OK);
    }
    TrnPageFigures pages[3];
    memset(pages, 0xEE, sizeof pages);
    assert_int_equal(trn_chunk_index_pages(index, trn_box_everything(), pages, 2), 5);
    assert_true(trn_coord_equal(pages[1].chunk, page_first(1, 0, 0)));
    assert_int_equal(pages[1].counts[TRN_PLANE_PRESENT], 1);
    assert_int_equal(pages[2].counts[0], 0xEEEE);
    assert_int_equal(trn_chunk_index_pages(index, trn_box_everything(), NULL, 0), 5);
    assert_int_equal(trn_chunk_index_pages(index, (TrnBox){{1, 0, 0}, {0, 0, 0}}, pages, 3), 0);
    trn_chunk_index_destroy(index);
}

static void missing_pages_and_planes_have_no_bits_and_no_name(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    uint64_t words[TRN_PAGE_WORDS];
    memset(words, 0xEE, sizeof words);
    assert_false(trn_chunk_index_page_plane(index, (TrnCoord){5, 5, 5}, 0, words));
    for (int word = 0; word < TRN_PAGE_WORDS; word++) {
        assert_int_equal(words[word], 0);
    }
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){5, 5, 5}, 1), TRN_RESULT_OK);
    assert_true(trn_chunk_index_page_plane(index, (TrnCoord){0, 0, 0}, 0, words));
    assert_true(trn_page_words_test(words, (TrnCoord){5, 5, 5}));
    assert_false(trn_page_words_test(words, (TrnCoord){5, 5, 6}));
    assert_false(trn_chunk_index_page_plane(index, (TrnCoord){0, 0, 0}, PLANES, words));
    assert_false(trn_page_words_test(words, (TrnCoord){5, 5, 5}));
    assert_string_equal(trn_chunk_index_plane_name(index, TRN_PLANE_PRESENT), "present");
    assert_string_equal(trn_chunk_index_plane_name(index, WANTED), "wanted");
    assert_null(trn_chunk_index_plane_name(index, PLANES));
    assert_null(trn_chunk_index_plane_name(index, UINT32_MAX));
    for (TrnPlane plane = 0; plane < PLANES; plane++) {
        assert_int_equal(trn_chunk_index_plane(index, trn_chunk_index_plane_name(index, plane)),
                         plane);
    }
    trn_chunk_index_destroy(index);
}

static void steps_are_recorded_from_first_page_to_clear(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), 0);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){0, 0, 0}, 1), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), 1);
    assert_true(trn_box_is_empty(steps[0].from));
    assert_memory_equal(&steps[0].to, &(TrnBox){0}, sizeof(TrnBox)); // one page
    assert_int_equal(steps[0].pages, 0);
    // Another chunk of the page, or an outlier page, is no step.
    const TrnCoord last = trn_page_chunks((TrnCoord){0, 0, 0}).max;
    assert_int_equal(trn_chunk_index_insert(index, last, 1), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){9000, 0, 0}, 1), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).outliers, 1);
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), 1);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){-1, 0, 0}, 1), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), 2);
    assert_int_equal(steps[1].number, 2);
    assert_int_equal(steps[1].from.min.x, 0);
    assert_int_equal(steps[1].to.min.x, -1);
    assert_int_equal(steps[1].pages, 1);
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), 3);
    assert_true(trn_box_is_empty(steps[2].to));
    assert_int_equal(steps[2].pages, 2);
    assert_true(steps[2].us == 0);
    trn_chunk_index_destroy(index);
}

static void only_the_last_steps_are_kept(void **state)
{
    (void)state;
    TrnChunkIndex *index = plane_index(NULL);
    for (int i = 0; i < 20; i++) {
        const TrnBox box = {page_first(-i - 1, 0, 0), page_first(i, 0, 0)};
        assert_int_equal(trn_chunk_index_reserve(index, box), TRN_RESULT_OK);
    }
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    assert_int_equal(trn_chunk_index_directory_steps(index, steps), TRN_DIRECTORY_STEPS_MAX);
    assert_int_equal(steps[0].number, 20 - TRN_DIRECTORY_STEPS_MAX + 1);
    assert_int_equal(steps[TRN_DIRECTORY_STEPS_MAX - 1].number, 20);
    assert_int_equal(steps[TRN_DIRECTORY_STEPS_MAX - 1].to.min.x, -20);
    assert_int_equal(steps[TRN_DIRECTORY_STEPS_MAX - 1].to.max.x, 19);
    trn_chunk_index_destroy(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_match_single_chunks),
        cmocka_unit_test(pages_are_written_up_to_the_capacity),
        cmocka_unit_test(missing_pages_and_planes_have_no_bits_and_no_name),
        cmocka_unit_test(steps_are_recorded_from_first_page_to_clear),
        cmocka_unit_test(only_the_last_steps_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
