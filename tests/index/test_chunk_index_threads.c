// Readers concurrent with a writer that grows, shrinks and moves the index. Chunks present
// throughout are always found; chunks absent throughout never are.

#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>

#include <terrane/chunk_index.h>
#include <terrane/chunk_pages.h>

#define READERS 3
#define ANSWER_MAX 40000

typedef struct Stage {
    TrnChunkIndex *index;
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, sections;
} Stage;

/// Returns the only value that a coordinate ever has, so that readers detect a wrong one.
static uint32_t value_of(TrnCoord coord)
{
    uint32_t bits = (uint32_t)coord.x * 0x9E3779B1u ^ (uint32_t)coord.y * 0x85EBCA77u ^
                    (uint32_t)coord.z * 0xC2B2AE3Du;
    return bits >> 1;
}

/// Chunks that are always in the index: three in a row in every other page of a line through the
/// region where the writer works, and on a distant island.
static TrnCoord pinned(int i)
{
    int32_t far = i % 2 ? 3000000 : 0;
    return (TrnCoord){far + i / 6 * 16, far + i / 2 % 3, -far};
}
#define PINNED_COUNT 120

/// Returns whether a coordinate is never inserted: those with an odd sum at one y.
static bool is_never_inserted(TrnCoord coord)
{
    return coord.y == 4 && ((coord.x + coord.z) & 1);
}

static void note_failure(Stage *stage)
{
    atomic_fetch_add(&stage->failures, 1);
}

static void check_finds(Stage *stage, TestRandom *random)
{
    for (int i = 0; i < 50; i++) {
        TrnCoord coord = pinned((int)test_random_range(random, 0, PINNED_COUNT - 1));
        uint32_t value = 0, six[TRN_FACE_COUNT];
        if (!trn_chunk_index_find(stage->index, coord, &value) || value != value_of(coord) ||
            !trn_chunk_index_plane_test(stage->index, 1, coord)) {
            note_failure(stage);
        }
        trn_chunk_index_neighbours(stage->index, trn_coord_add(coord, 0, 1, 0), six);
        if (six[TRN_FACE_NEG_Y] != value_of(coord)) {
            note_failure(stage);
        }
        TrnCoord never = {(int32_t)test_random_range(random, -50, 350), 4, 0};
        never.z = 1 - (never.x & 1);
        if (is_never_inserted(never) && trn_chunk_index_find(stage->index, never, &value)) {
            note_failure(stage);
        }
    }
}

/// Looks up all pinned chunks at once, each beside one that is never present.
static void check_many_finds(Stage *stage)
{
    TrnCoord coords[PINNED_COUNT][2];
    uint32_t values[PINNED_COUNT][2];
    const size_t count = sizeof coords / sizeof(TrnCoord);
    for (int i = 0; i < PINNED_COUNT; i++) {
        const int32_t x = i * 3 - 50;
        coords[i][0] = pinned(i);
        coords[i][1] = (TrnCoord){x, 4, 1 - (x & 1)};
    }
    if (trn_chunk_index_find_many(stage->index, coords[0], count, values[0]) != PINNED_COUNT) {
        note_failure(stage);
    }
    for (int i = 0; i < PINNED_COUNT; i++) {
        if (values[i][0] != value_of(coords[i][0])) {
            note_failure(stage);
        }
    }
}

static void check_gather(Stage *stage, TestRandom *random, TrnCoord *coords, uint32_t *values)
{
    TrnCoord centre = pinned((int)test_random_range(random, 0, PINNED_COUNT - 1));
    TrnChunkGather gather = {.box = trn_box_around(centre, 20, 9, 20),
                             .coords = coords,
                             .values = values,
                             .capacity = ANSWER_MAX};
    size_t count = trn_chunk_index_gather(stage->index, &gather);
    size_t expected = 0, found = 0;
    for (int i = 0; i < PINNED_COUNT; i++) {
        expected += trn_box_contains(gather.box, pinned(i));
    }
    for (size_t i = 0; i < count; i++) {
        if (values[i] != value_of(coords[i]) || is_never_inserted(coords[i]) ||
            !trn_box_contains(gather.box, coords[i])) {
            note_failure(stage);
        }
        for (int k = 0; k < PINNED_COUNT; k++) {
            found += trn_coord_equal(coords[i], pinned(k));
        }
    }
    if (found != expected) {
        note_failure(stage);
    }
}

/// Checks that pages of pinned chunks exist and have these chunks' bits.
static void check_pages(Stage *stage, TestRandom *random)
{
    const TrnCoord at = pinned((int)test_random_range(random, 0, PINNED_COUNT - 1));
    TrnPageFigures page;
    uint64_t words[TRN_PAGE_WORDS];
    if (trn_chunk_index_pages(stage->index, (TrnBox){at, at}, &page, 1) != 1 ||
        !trn_box_contains(trn_page_chunks(trn_page_coord(page.chunk)), at) || page.counts[1] < 1 ||
        !trn_chunk_index_page_plane(stage->index, at, 1, words) ||
        !trn_page_words_test(words, at)) {
        note_failure(stage);
    }
}

static void *read_all_the_time(void *argument)
{
    Stage *stage = argument;
    TrnChunkReader *reader;
    TestRandom random = {(uint64_t)(uintptr_t)&reader};
    TrnCoord *coords = calloc(ANSWER_MAX, sizeof *coords);
    uint32_t *values = calloc(ANSWER_MAX, sizeof *values);
    if (!coords || !values ||
        trn_chunk_index_reader_create(stage->index, "test", &reader) != TRN_RESULT_OK) {
        note_failure(stage);
        free(coords);
        free(values);
        return NULL;
    }
    while (!atomic_load(&stage->done)) {
        trn_chunk_index_read_begin(reader);
        check_finds(stage, &random);
        check_many_finds(stage);
        check_gather(stage, &random, coords, values);
        check_pages(stage, &random);
        trn_chunk_index_read_end(reader);
        atomic_fetch_add(&stage->sections, 1);
    }
    trn_chunk_index_reader_destroy(reader);
    free(coords);
    free(values);
    return NULL;
}

static bool is_pinned(TrnCoord coord)
{
    for (int i = 0; i < PINNED_COUNT; i++) {
        if (trn_coord_equal(coord, pinned(i))) {
            return true;
        }
    }
    return false;
}

/// One step of the writer: inserts or removes a box of chunks, along the line or far from it.
static void write_step(TrnChunkIndex *index, TestRandom *random)
{
    bool is_far = test_random_next(random) % 8 == 0;
    TrnCoord centre = {(int32_t)test_random_range(random, -40, 340), 0, 0};
    if (is_far) {
        centre = (TrnCoord){(int32_t)test_random_range(random, -900000, 900000), -77777,
                            (int32_t)test_random_range(random, -900000, 900000)};
    }
    bool insert = test_random_next(random) % 2;
    TrnBox box = trn_box_around(centre, 5, 5, 5);
    for (int32_t y = box.min.y; y <= box.max.y; y++) {
        for (int32_t z = box.min.z; z <= box.max.z; z++) {
            for (int32_t x = box.min.x; x <= box.max.x; x++) {
                TrnCoord coord = {x, y, z};
                if (is_never_inserted(coord) || is_pinned(coord)) {
                    continue;
                }
                TrnResult result = insert ? trn_chunk_index_insert(index, coord, value_of(coord))
                                          : trn_chunk_index_remove(index, coord, NULL);
                assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS ||
                            result == TRN_RESULT_NOT_FOUND);
            }
        }
    }
    if (test_random_next(random) % 16 == 0) { // empties pages, so that they are dropped
        assert_int_equal(trn_chunk_index_plane_fill(index, 2, box, true), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_plane_fill(index, 2, trn_box_everything(), false),
                         TRN_RESULT_OK);
    }
    TrnPlaneQuery ready = {.all = 1, .all_faces = 1};
    assert_int_equal(trn_chunk_index_plane_compute(index, 3, &ready), TRN_RESULT_OK);
}

static void remove_all_but_the_pinned(TrnChunkIndex *index)
{
    TrnCoord *coords = calloc(400000, sizeof *coords);
    assert_non_null(coords);
    TrnChunkGather gather = {.box = trn_box_everything(), .coords = coords, .capacity = 400000};
    size_t count = trn_chunk_index_gather(index, &gather);
    assert_true(count <= 400000);
    for (size_t i = 0; i < count; i++) {
        if (!is_pinned(coords[i])) {
            assert_int_equal(trn_chunk_index_remove(index, coords[i], NULL), TRN_RESULT_OK);
        }
    }
    free(coords);
}

static void readers_find_what_stays_and_nothing_else(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(9);
    const TrnPlaneDef planes[] = {{"pinned", false}, {"wanted", true}, {"ready", true}};
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 3;
    def.retired_bytes_max = (size_t)1
                            << 30; // a reader that is not scheduled must not fail the test
    Stage stage = {0};
    assert_int_equal(trn_chunk_index_create(&def, &stage.index), TRN_RESULT_OK);
    for (int i = 0; i < PINNED_COUNT; i++) {
        assert_int_equal(trn_chunk_index_insert(stage.index, pinned(i), value_of(pinned(i))),
                         TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_plane_set(stage.index, 1, pinned(i), true), TRN_RESULT_OK);
    }
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_all_the_time, &stage), 0);
    }
    const int steps = (int)test_rounds(400, 100);
    for (int step = 0; step < steps || atomic_load(&stage.sections) < 100; step++) {
        write_step(stage.index, &random);
        if (step % 100 == 99) {
            remove_all_but_the_pinned(stage.index);
        }
    }
    atomic_store(&stage.done, true);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i], NULL), 0);
    }
    print_message("  %u read sections, %zu bytes retired at the end, directory grown %u times\n",
                  atomic_load(&stage.sections), trn_chunk_index_stats(stage.index).retired_bytes,
                  trn_chunk_index_stats(stage.index).directory_growths);
    assert_int_equal(atomic_load(&stage.failures), 0);
    trn_chunk_index_destroy(stage.index);
}

// ---- pages that change their form --------------------------------------------------------------

/// Pages side by side and one far away. The writer adds cells to one after another until it is
/// full, and removes them again until it is sparse.
#define FORM_PAGES 4
#define FORM_CELLS 50
#define FORM_ANSWER_MAX 1024

static TrnCoord form_page(int page)
{
    return page == FORM_PAGES - 1 ? (TrnCoord){1000000, -8, 64} : (TrnCoord){page * 8, 0, 0};
}

/// The chunks that are always present: one in each page with its six neighbours. In the first two
/// pages these lie at the border between them.
#define FORM_PINNED (FORM_PAGES * 7)

static TrnCoord form_pinned(int i)
{
    const int page = i / 7, face = i % 7 - 1;
    static const int32_t xs[FORM_PAGES] = {7, 2, 4, 4};
    const TrnCoord centre = trn_coord_add(form_page(page), xs[page], 3, 3);
    return face < 0 ? centre : trn_coord_neighbour(centre, (TrnFace)face);
}

/// Cells that come and go, and cells at one y that are never in the index.
static TrnCoord form_passing(int page, int i)
{
    return trn_coord_add(form_page(page), i % 8, i / 8 % 2 * 7, i / 16);
}

static bool form_is_never(TrnCoord coord)
{
    return (coord.y & 7) == 5;
}

/// Counts how often each pinned chunk is in an answer, and detects chunks that never were present.
static void form_check_answer(Stage *stage, const TrnCoord *coords, const uint32_t *values,
                              size_t count, const uint8_t expected[FORM_PINNED])
{
    uint8_t found[FORM_PINNED] = {0};
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < FORM_PINNED; k++) {
            found[k] = (uint8_t)(found[k] + trn_coord_equal(coords[i], form_pinned(k)));
        }
        if (form_is_never(coords[i]) || (values && values[i] != value_of(coords[i]))) {
            note_failure(stage);
        }
    }
    for (int k = 0; k < FORM_PINNED; k++) {
        if (found[k] < (expected[k] & 1) || found[k] > 1) {
            note_failure(stage);
        }
    }
}

static void form_check_finds(Stage *stage, TestRandom *random)
{
    const int k = (int)test_random_range(random, 0, FORM_PINNED - 1);
    const TrnCoord at = form_pinned(k), centre = form_pinned(k / 7 * 7);
    uint32_t value = 0, six[TRN_FACE_COUNT];
    trn_chunk_index_neighbours(stage->index, centre, six);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (six[face] != value_of(trn_coord_neighbour(centre, (TrnFace)face))) {
            note_failure(stage);
        }
    }
    if (!trn_chunk_index_find(stage->index, at, &value) || value != value_of(at) ||
        !trn_chunk_index_plane_test(stage->index, 1, at) ||
        trn_chunk_index_find(stage->index, trn_coord_add(form_page(k / 7), k % 8, 5, k / 8),
                             NULL)) {
        note_failure(stage);
    }
    TrnCoord all[FORM_PINNED];
    uint32_t values[FORM_PINNED];
    for (int i = 0; i < FORM_PINNED; i++) {
        all[i] = form_pinned(i);
    }
    const size_t count = sizeof all / sizeof *all;
    if (trn_chunk_index_find_many(stage->index, all, count, values) != count) {
        note_failure(stage);
    }
    for (int i = 0; i < FORM_PINNED; i++) {
        if (values[i] != value_of(all[i])) {
            note_failure(stage);
        }
    }
}

static void *read_changing_forms(void *argument)
{
    Stage *stage = argument;
    TrnChunkReader *reader;
    TestRandom random = {(uint64_t)(uintptr_t)&reader};
    if (trn_chunk_index_reader_create(stage->index, "forms", &reader) != TRN_RESULT_OK) {
        note_failure(stage);
        return NULL;
    }
    uint8_t all[FORM_PINNED], centres[FORM_PINNED] = {0};
    memset(all, 1, sizeof all);
    for (int k = 0; k < FORM_PINNED; k += 7) {
        centres[k] = 1;
    }
    TrnCoord coords[FORM_ANSWER_MAX];
    uint32_t values[FORM_ANSWER_MAX];
    TrnChunkGather gather = {.box = trn_box_everything(),
                             .coords = coords,
                             .values = values,
                             .capacity = FORM_ANSWER_MAX};
    while (!atomic_load(&stage->done)) {
        trn_chunk_index_read_begin(reader);
        form_check_finds(stage, &random);
        gather.planes = (TrnPlaneQuery){.all = 1};
        form_check_answer(stage, coords, values, trn_chunk_index_gather(stage->index, &gather),
                          all);
        gather.planes = (TrnPlaneQuery){.all = 1 | TRN_PLANE_BIT(1), .all_faces = 1};
        form_check_answer(stage, coords, values, trn_chunk_index_gather(stage->index, &gather),
                          centres);
        trn_chunk_index_read_end(reader);
        atomic_fetch_add(&stage->sections, 1);
    }
    trn_chunk_index_reader_destroy(reader);
    return NULL;
}

/// Fills one page and empties it again. @return how many pages were sparse when it was emptied
static size_t change_form(TrnChunkIndex *index, int page)
{
    for (int i = 0; i < FORM_CELLS; i++) {
        const TrnCoord at = form_passing(page, i);
        assert_int_equal(trn_chunk_index_insert(index, at, value_of(at)), TRN_RESULT_OK);
        (void)trn_chunk_index_plane_set(index, 1, at, i % 2);
    }
    const TrnPlaneQuery ready = {.all = 1, .all_faces = 1};
    assert_int_equal(trn_chunk_index_plane_compute(index, 3, &ready), TRN_RESULT_OK);
    for (int i = FORM_CELLS; i-- > 0;) {
        const TrnCoord at = form_passing(page, i);
        assert_int_equal(trn_chunk_index_remove(index, at, NULL), TRN_RESULT_OK);
    }
    return trn_chunk_index_stats(index).sparse_pages;
}

static void readers_find_what_stays_while_pages_change_their_form(void **state)
{
    (void)state;
    const TrnPlaneDef planes[] = {{"pinned", false}, {"wanted", true}, {"ready", false}};
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 3;
    def.retired_bytes_max = (size_t)1 << 30;
    Stage stage = {0};
    assert_int_equal(trn_chunk_index_create(&def, &stage.index), TRN_RESULT_OK);
    for (int k = 0; k < FORM_PINNED; k++) {
        const TrnCoord at = form_pinned(k);
        assert_int_equal(trn_chunk_index_insert(stage.index, at, value_of(at)), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_plane_set(stage.index, 1, at, true), TRN_RESULT_OK);
    }
    assert_int_equal(trn_chunk_index_stats(stage.index).sparse_pages, FORM_PAGES);
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_changing_forms, &stage), 0);
    }
    size_t sparse = 0;
    const int steps = (int)test_rounds(400, 100);
    for (int step = 0; step < steps || atomic_load(&stage.sections) < 100; step++) {
        sparse += change_form(stage.index, step % FORM_PAGES);
    }
    atomic_store(&stage.done, true);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i], NULL), 0);
    }
    assert_true(sparse >= (size_t)steps * FORM_PAGES); // each change went there and back
    assert_int_equal(atomic_load(&stage.failures), 0);
    trn_chunk_index_destroy(stage.index);
}

// ---- growth ------------------------------------------------------------------------------------

#define SETTLED 160
#define GROWTH_ANSWER_MAX 60000

/// Chunks that stay while the directory grows over them, leaves them and returns: some close to
/// each other, some in every fourth page, some far away. Their values are their numbers.
static TrnCoord settled(uint32_t i)
{
    const int32_t n = (int32_t)i;
    switch (i % 4) {
    case 0:
        return (TrnCoord){n % 12 * 8, n / 12 % 4 * 8, n / 48 * 8};
    case 1:
        return (TrnCoord){n * 8 - 595, n % 7 * 32, -n};
    case 2:
        return (TrnCoord){n % 20 * 16 - 157, 11, n / 20 * 16 - 61};
    default:
        return (TrnCoord){n * 1000000 - 70000000, -n * 900000, n};
    }
}

/// Gathers everything, or a box: every settled chunk must be returned exactly once.
static void check_settled(Stage *stage, uint32_t *values, TrnBox box)
{
    uint8_t seen[SETTLED] = {0};
    const size_t count = trn_chunk_index_gather_box(stage->index, box, values, GROWTH_ANSWER_MAX);
    for (size_t i = 0; i < count && i < GROWTH_ANSWER_MAX; i++) {
        if (values[i] < SETTLED) {
            seen[values[i]]++;
        }
    }
    for (uint32_t i = 0; i < SETTLED; i++) {
        if (seen[i] != trn_box_contains(box, settled(i))) {
            note_failure(stage);
        }
    }
}

static void *gather_during_growth(void *argument)
{
    Stage *stage = argument;
    TrnChunkReader *reader;
    uint32_t *values = calloc(GROWTH_ANSWER_MAX, sizeof *values);
    if (!values ||
        trn_chunk_index_reader_create(stage->index, "gatherer", &reader) != TRN_RESULT_OK) {
        note_failure(stage);
        free(values);
        return NULL;
    }
    for (uint32_t round = 0; !atomic_load(&stage->done); round++) {
        const TrnCoord centre = settled(round * 7 % SETTLED);
        trn_chunk_index_read_begin(reader);
        check_settled(stage, values, trn_box_everything());
        check_settled(stage, values, trn_box_around(centre, 40, 40, 40));
        check_settled(stage, values, trn_box_around(centre, 3, 3, 3));
        trn_chunk_index_read_end(reader);
        atomic_fetch_add(&stage->sections, 1);
    }
    trn_chunk_index_reader_destroy(reader);
    free(values);
    return NULL;
}

/// Adds one chunk to each page of a region, or to every second or fourth page along each axis; then
/// removes what was added.
static void grow_and_shrink(TrnChunkIndex *index, TestRandom *random)
{
    static TrnCoord added[6000];
    uint32_t count = 0;
    const int32_t stride = TRN_PAGE_EDGE << test_random_range(random, 0, 2);
    const int32_t edge = (int32_t)test_random_range(random, 1, 17);
    const int32_t x0 = (int32_t)test_random_range(random, -30, 10) * TRN_PAGE_EDGE;
    for (int32_t i = 0; i < edge * edge * edge; i++) {
        const TrnCoord coord = {x0 + i % edge * stride + 1, i / edge / edge * stride + 1,
                                i / edge % edge * stride + 1};
        if (trn_chunk_index_insert(index, coord, SETTLED) == TRN_RESULT_OK) {
            added[count++] = coord;
        }
    }
    while (count > 0) {
        const uint32_t i = (uint32_t)(test_random_next(random) % count);
        assert_int_equal(trn_chunk_index_remove(index, added[i], NULL), TRN_RESULT_OK);
        added[i] = added[--count];
    }
}

static void gathers_return_what_stays_once_during_growth(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(10);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.retired_bytes_max = (size_t)1 << 30;
    Stage stage = {0};
    assert_int_equal(trn_chunk_index_create(&def, &stage.index), TRN_RESULT_OK);
    for (uint32_t i = 0; i < SETTLED; i++) {
        assert_int_equal(trn_chunk_index_insert(stage.index, settled(i), i), TRN_RESULT_OK);
    }
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, gather_during_growth, &stage), 0);
    }
    const uint32_t rounds = test_rounds(100, 8);
    for (uint32_t round = 0; round < rounds || atomic_load(&stage.sections) < 100; round++) {
        grow_and_shrink(stage.index, &random);
    }
    atomic_store(&stage.done, true);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i], NULL), 0);
    }
    print_message("  %u read sections, directory grown %u times\n", atomic_load(&stage.sections),
                  trn_chunk_index_stats(stage.index).directory_growths);
    assert_int_equal(atomic_load(&stage.failures), 0);
    trn_chunk_index_destroy(stage.index);
}

// ---- order of writes ---------------------------------------------------------------------------

#define CARGO_MAX 200000

typedef struct Harbour {
    TrnChunkIndex *index;
    uint64_t *cargo; ///< [CARGO_MAX] by value; written before the value is inserted, never again
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, found;
} Harbour;

static uint64_t cargo_of(uint32_t value)
{
    return value * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

/// A chunk that is always present; the writer only replaces its value.
static const TrnCoord replaced_coord = {0, 2, 0};

static void *look_behind_values(void *argument)
{
    Harbour *harbour = argument;
    TrnChunkReader *reader;
    if (trn_chunk_index_reader_create(harbour->index, "looker", &reader) != TRN_RESULT_OK) {
        atomic_fetch_add(&harbour->failures, 1);
        return NULL;
    }
    while (!atomic_load(&harbour->done)) {
        trn_chunk_index_read_begin(reader);
        uint32_t values[8];
        size_t count = trn_chunk_index_gather_box(
            harbour->index, trn_box_around((TrnCoord){0, 0, 0}, 1, 0, 0), values, 3);
        count += trn_chunk_index_find(harbour->index, (TrnCoord){0, 0, 0}, &values[count]);
        const bool is_found = trn_chunk_index_find(harbour->index, replaced_coord, &values[count]);
        atomic_fetch_add(&harbour->failures, !is_found);
        count += is_found;
        for (size_t i = 0; i < count;
             i++) { // plain reads: ThreadSanitizer reports them unless the index orders them
            bool right = harbour->cargo[values[i]] == cargo_of(values[i]);
            atomic_fetch_add(&harbour->failures, !right);
        }
        atomic_fetch_add(&harbour->found, (uint32_t)count);
        trn_chunk_index_read_end(reader);
    }
    trn_chunk_index_reader_destroy(reader);
    return NULL;
}

static void readers_of_a_value_see_earlier_writes(void **state)
{
    (void)state;
    Harbour harbour = {.cargo = calloc(CARGO_MAX, sizeof(uint64_t))};
    assert_non_null(harbour.cargo);
    assert_int_equal(trn_chunk_index_create(NULL, &harbour.index), TRN_RESULT_OK);
    harbour.cargo[0] = cargo_of(0);
    assert_int_equal(trn_chunk_index_insert(harbour.index, replaced_coord, 0), TRN_RESULT_OK);
    pthread_t lookers[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&lookers[i], NULL, look_behind_values, &harbour), 0);
    }
    for (uint32_t value = 0; value < CARGO_MAX; value++) {
        TrnCoord coord = {(int32_t)(value % 3) - 1, 0, 0};
        (void)trn_chunk_index_remove(harbour.index, coord, NULL); // reuses the same cells
        if (value > 0) { // the first was written before the readers started
            harbour.cargo[value] = cargo_of(value);
        }
        assert_int_equal(trn_chunk_index_insert(harbour.index, coord, value), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_set(harbour.index, replaced_coord, value), TRN_RESULT_OK);
    }
    while (atomic_load(&harbour.found) < 100) {
    }
    atomic_store(&harbour.done, true);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(lookers[i], NULL), 0);
    }
    assert_int_equal(atomic_load(&harbour.failures), 0);
    trn_chunk_index_destroy(harbour.index);
    free(harbour.cargo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_find_what_stays_and_nothing_else),
        cmocka_unit_test(readers_find_what_stays_while_pages_change_their_form),
        cmocka_unit_test(gathers_return_what_stays_once_during_growth),
        cmocka_unit_test(readers_of_a_value_see_earlier_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
