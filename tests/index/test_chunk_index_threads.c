// Readers concurrent with a writer that grows, shrinks and moves the index. Chunks present
// throughout are always found; chunks absent throughout never are.

#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>

#include <terrane/chunk_index.h>

#define READERS 3
#define WRITER_STEPS 400
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
    for (int step = 0; step < WRITER_STEPS || atomic_load(&stage.sections) < 100; step++) {
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
        cmocka_unit_test(readers_of_a_value_see_earlier_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
