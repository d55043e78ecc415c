// The scan alone: what it finds, against a look at every cell.

#include "stream/stream_scan.h"
#include "stream_cell.h"
#include "testing.h"

#include <terrane/chunk_pages.h>

#define CELLS_MAX 32768u

typedef struct Plain {
    TestAllocator memory;
    TrnAllocator allocator;
    TrnStreamCells cells;
    TrnStreamScan scan;
    uint8_t expected[CELLS_MAX]; ///< by slot
    uint8_t found[CELLS_MAX];    ///< by slot: how many times
    uint32_t found_count;
    TrnBox more;        ///< requested for each cell found, if not empty
    uint32_t more_left; ///< for this many of them
} Plain;

static Plain *plain_create(void)
{
    Plain *plain = calloc(1, sizeof *plain);
    assert_non_null(plain);
    plain->allocator = test_allocator(&plain->memory);
    assert_int_equal(trn_stream_cells_create(&plain->cells, 0, 1, &plain->allocator),
                     TRN_RESULT_OK);
    return plain;
}

static void plain_destroy(Plain *plain)
{
    trn_stream_cells_destroy(&plain->cells);
    assert_int_equal(plain->memory.live_bytes, 0);
    free(plain);
}

/// Adds a cell, or finds it, and sets its planes.
static TrnStreamCell *plain_set(Plain *plain, TrnCoord coord, bool is_loaded, bool is_ready)
{
    TrnStreamCell *cell = stream_cell(&plain->cells, coord);
    assert_non_null(cell);
    assert_true(cell->slot < CELLS_MAX);
    if (cell->is_loaded != is_loaded) {
        trn_stream_cells_set_loaded(&plain->cells, cell, is_loaded);
    }
    trn_stream_cells_set(&plain->cells, cell, TRN_STREAM_SHOW, is_ready);
    trn_stream_cells_set(&plain->cells, cell, TRN_STREAM_REMESH, is_ready);
    return cell;
}

/// Loads the chunks of a box. @param is_ready  they should be shown and need a mesh
static void plain_load(Plain *plain, TrnBox box, bool is_ready)
{
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                plain_set(plain, (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z}, true, is_ready);
            }
        }
    }
}

/// Moves coordinates by a step; false at the ends of the world.
static bool model_step(TrnCoord from, uint32_t place, TrnCoord *to)
{
    const int64_t at[3] = {(int64_t)from.x + place % 3 - 1, (int64_t)from.y + place / 9 - 1,
                           (int64_t)from.z + place / 3 % 3 - 1};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < INT32_MIN || at[axis] > INT32_MAX) {
            return false;
        }
    }
    *to = (TrnCoord){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
    return true;
}

/// Whether a cell can be meshed: by its own planes, and by each neighbour in the world.
static bool model_is_ready(const Plain *plain, const TrnStreamCell *cell)
{
    const TrnStreamCells *cells = &plain->cells;
    if (!cell->is_loaded || !trn_stream_cells_test(cells, cell, TRN_STREAM_SHOW) ||
        !trn_stream_cells_test(cells, cell, TRN_STREAM_REMESH)) {
        return false;
    }
    for (uint32_t place = 0; place < 27; place++) {
        TrnCoord coord;
        if (model_step(cell->coord, place, &coord)) {
            const TrnStreamCell *neighbour = trn_stream_cells_find(cells, coord);
            if (!neighbour || !neighbour->is_loaded) {
                return false;
            }
        }
    }
    return true;
}

static bool model_is_at_end(TrnCoord coord)
{
    const int32_t at[3] = {coord.x, coord.y, coord.z};
    bool is_at_end = false;
    for (int axis = 0; axis < 3; axis++) {
        is_at_end |= at[axis] == INT32_MIN || at[axis] == INT32_MAX;
    }
    return is_at_end;
}

/// Whether a box reaches into the page of a chunk.
static bool model_reaches(TrnBox box, TrnCoord coord)
{
    const int32_t at[3] = {coord.x, coord.y, coord.z};
    const int32_t min[3] = {box.min.x, box.min.y, box.min.z};
    const int32_t max[3] = {box.max.x, box.max.y, box.max.z};
    bool reaches = true;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t first = at[axis] & ~7, last = at[axis] | 7;
        reaches &= min[axis] <= last && max[axis] >= first;
    }
    return reaches;
}

/// Marks what a request of some boxes must find. @return how many cells
static uint32_t plain_expect(Plain *plain, const TrnBox *boxes, uint32_t count, bool has_ends)
{
    uint32_t expected = 0, cursor = 0;
    memset(plain->expected, 0, sizeof plain->expected);
    memset(plain->found, 0, sizeof plain->found);
    for (TrnStreamCell *cell; (cell = trn_stream_cells_next(&plain->cells, &cursor));) {
        bool is_requested = has_ends && count && model_is_at_end(cell->coord);
        for (uint32_t i = 0; i < count && !is_requested; i++) {
            is_requested = model_reaches(boxes[i], cell->coord);
        }
        plain->expected[cell->slot] = is_requested && model_is_ready(plain, cell);
        expected += plain->expected[cell->slot];
    }
    return expected;
}

/// Takes a cell off "remesh", as the stream does when it queues it.
static void plain_found(void *user, TrnStreamCell *cell)
{
    Plain *plain = user;
    plain->found[cell->slot]++;
    plain->found_count++;
    trn_stream_cells_set(&plain->cells, cell, TRN_STREAM_REMESH, false);
    if (plain->more_left) {
        plain->more_left--;
        trn_stream_scan_request(&plain->scan, plain->more);
    }
}

/// Runs scans until none is needed. @return how many
static uint32_t plain_run(Plain *plain, bool has_ends)
{
    uint32_t runs = 0;
    for (; trn_stream_scan_is_needed(&plain->scan); runs++) {
        assert_true(runs < 1000);
        trn_stream_scan_run(&plain->scan, &plain->cells, has_ends, plain_found, plain);
    }
    return runs;
}

/// Each expected cell was found once, and no other.
static void plain_check(const Plain *plain)
{
    for (uint32_t slot = 0; slot < CELLS_MAX; slot++) {
        if (plain->expected[slot] != plain->found[slot]) {
            const TrnStreamCell *cell = trn_stream_cells_at(&plain->cells, slot);
            fail_msg("%d %d %d: expected %u, found %u times", cell->coord.x, cell->coord.y,
                     cell->coord.z, plain->expected[slot], plain->found[slot]);
        }
    }
}

static void plain_request_all(Plain *plain, const TrnBox *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        trn_stream_scan_request(&plain->scan, boxes[i]);
    }
}

static TrnBox box_of(TrnCoord min, int32_t size)
{
    return (TrnBox){min, {min.x + (size - 1), min.y + (size - 1), min.z + (size - 1)}};
}

// ---- tests -------------------------------------------------------------------------------------

static void nothing_is_found_without_a_request(void **state)
{
    (void)state;
    Plain *plain = plain_create();
    plain_load(plain, box_of((TrnCoord){0, 0, 0}, 4), true);
    assert_false(trn_stream_scan_is_needed(&plain->scan));
    trn_stream_scan_run(&plain->scan, &plain->cells, true, plain_found, plain);
    trn_stream_scan_request(&plain->scan, box_of((TrnCoord){0, 0, 0}, 4));
    assert_true(trn_stream_scan_is_needed(&plain->scan));
    trn_stream_scan_clear(&plain->scan);
    assert_false(trn_stream_scan_is_needed(&plain->scan));
    trn_stream_scan_run(&plain->scan, &plain->cells, true, plain_found, plain);
    assert_int_equal(plain->found_count, 0);
    // The same box again, after its request was forgotten.
    trn_stream_scan_request(&plain->scan, box_of((TrnCoord){0, 0, 0}, 4));
    trn_stream_scan_run(&plain->scan, &plain->cells, true, plain_found, plain);
    assert_int_equal(plain->found_count, 8);
    plain_destroy(plain);
}

/// Sets random planes of all cells of a box: most are loaded, half of these need a mesh.
static void plain_randomize(Plain *plain, TestRandom *random, TrnBox box)
{
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                if (test_random_range(random, 0, 399) == 0) {
                    continue; // stays as it is, or without a cell
                }
                const bool is_loaded = test_random_range(random, 0, 99) != 0;
                TrnStreamCell *cell = plain_set(plain, coord, is_loaded, false);
                trn_stream_cells_set(&plain->cells, cell, TRN_STREAM_SHOW,
                                     test_random_range(random, 0, 3) != 0);
                trn_stream_cells_set(&plain->cells, cell, TRN_STREAM_REMESH,
                                     is_loaded && test_random_range(random, 0, 3) != 0);
            }
        }
    }
}

static void random_planes_match_a_look_at_every_cell(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    Plain *plain = plain_create();
    const TrnBox land = {{-13, -9, -11}, {9, 12, 7}};
    uint32_t total = 0;
    for (uint32_t round = 0; round < 12; round++) {
        plain_randomize(plain, &random, land);
        TrnBox boxes[12];
        const uint32_t count = (uint32_t)test_random_range(&random, 1, 12);
        for (uint32_t i = 0; i < count; i++) {
            const TrnCoord min = {(int32_t)test_random_range(&random, -16, 10),
                                  (int32_t)test_random_range(&random, -12, 12),
                                  (int32_t)test_random_range(&random, -14, 8)};
            boxes[i] = box_of(min, (int32_t)test_random_range(&random, 1, 6));
        }
        total += plain_expect(plain, boxes, count, round & 1);
        plain_request_all(plain, boxes, count);
        plain_run(plain, round & 1);
        plain_check(plain);
    }
    print_message("  %u cells found\n", total);
    assert_true(total > 1000);
    plain_destroy(plain);
}

static void chunks_at_the_ends_of_the_world_need_fewer_neighbours(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(32);
    uint32_t at_ends = 0;
    for (uint32_t corner = 0; corner < 8; corner++) {
        Plain *plain = plain_create();
        const TrnCoord min = {corner & 1 ? INT32_MAX - 8 : INT32_MIN,
                              corner & 2 ? INT32_MAX - 8 : INT32_MIN,
                              corner & 4 ? INT32_MAX - 8 : INT32_MIN};
        const TrnBox land = box_of(min, 9);
        for (uint32_t round = 0; round < 4; round++) {
            plain_randomize(plain, &random, land);
            const TrnBox boxes[2] = {
                box_of(min, 1),
                trn_box_around((TrnCoord){min.x + 8, min.y + 8, min.z + 8}, 1, 1, 1)};
            (void)plain_expect(plain, boxes, 2, true);
            plain_request_all(plain, boxes, 2);
            plain_run(plain, true);
            plain_check(plain);
            for (uint32_t slot = 0, cursor = 0; slot < CELLS_MAX; slot++) {
                const TrnStreamCell *cell = trn_stream_cells_next(&plain->cells, &cursor);
                if (!cell) {
                    break;
                }
                at_ends += plain->found[cell->slot] && model_is_at_end(cell->coord);
            }
        }
        plain_destroy(plain);
    }
    print_message("  %u of them at the ends\n", at_ends);
    assert_true(at_ends > 200);
}

static void an_end_full_of_unfinished_chunks_hides_no_finished_ones(void **state)
{
    (void)state;
    Plain *plain = plain_create();
    // More than one scan finds, all at the end of the world, and none with all neighbours.
    const int32_t edge = 48;
    plain_load(plain, (TrnBox){{0, INT32_MAX, 0}, {edge - 1, INT32_MAX, edge - 1}}, true);
    // Below the last of them: the neighbours of four.
    plain_load(plain,
               (TrnBox){{edge - 4, INT32_MAX - 1, edge - 4}, {edge - 1, INT32_MAX - 1, edge - 1}},
               false);
    const TrnBox box = box_of((TrnCoord){0, 0, 0}, 1);
    assert_int_equal(plain_expect(plain, &box, 1, true), 4);
    trn_stream_scan_request(&plain->scan, box);
    for (uint32_t run = 0; run < 8; run++) {
        trn_stream_scan_run(&plain->scan, &plain->cells, true, plain_found, plain);
    }
    plain_check(plain);
    plain_destroy(plain);
}

static void what_one_scan_leaves_is_found_by_the_next(void **state)
{
    (void)state;
    for (uint32_t everywhere = 0; everywhere < 2; everywhere++) {
        Plain *plain = plain_create();
        const TrnBox land = box_of((TrnCoord){-12, -12, -12}, 24);
        plain_load(plain, land, true);
        const TrnBox box = everywhere ? trn_box_everything() : land;
        const uint32_t expected = plain_expect(plain, &box, 1, false);
        assert_int_equal(expected, 22 * 22 * 22);
        trn_stream_scan_request(&plain->scan, box);
        uint32_t before = 0;
        while (trn_stream_scan_is_needed(&plain->scan)) {
            trn_stream_scan_run(&plain->scan, &plain->cells, false, plain_found, plain);
            const uint32_t found = plain->found_count - before;
            assert_true(found > 0 || plain->found_count == expected);
            assert_true(found < TRN_STREAM_SCAN_MAX + TRN_PAGE_CELLS);
            before = plain->found_count;
        }
        plain_check(plain);
        plain_destroy(plain);
    }
}

static void more_pages_than_it_remembers_are_all_scanned(void **state)
{
    (void)state;
    Plain *plain = plain_create();
    TrnBox boxes[TRN_STREAM_SCAN_PAGES + 100];
    const uint32_t count = sizeof boxes / sizeof *boxes;
    for (uint32_t i = 0; i < count; i++) {
        const TrnCoord centre = {(int32_t)(i % 30) * 16 + 4, -12, (int32_t)(i / 30) * 16 + 4};
        plain_load(plain, trn_box_around(centre, 1, 1, 1), false);
        plain_set(plain, centre, true, true);
        boxes[i] = trn_box_around(centre, 0, 0, 0);
    }
    for (uint32_t requested = TRN_STREAM_SCAN_PAGES - 1; requested <= count; requested++) {
        if (requested > TRN_STREAM_SCAN_PAGES + 1) {
            requested = count;
        }
        // One too many pages, and the scan covers all pages.
        const bool is_everywhere = requested > TRN_STREAM_SCAN_PAGES;
        const uint32_t expected =
            plain_expect(plain, boxes, is_everywhere ? count : requested, false);
        assert_int_equal(expected, is_everywhere ? count : requested);
        plain_request_all(plain, boxes, requested);
        plain_run(plain, false);
        plain_check(plain);
        for (uint32_t i = 0; i < count; i++) {
            plain_set(plain, boxes[i].min, true, true);
        }
    }
    plain_destroy(plain);
}

static void requests_made_while_cells_are_found_lose_no_page(void **state)
{
    (void)state;
    for (uint32_t pages = 2; pages <= 40; pages += 19) {
        Plain *plain = plain_create();
        TrnBox boxes[40];
        for (uint32_t i = 0; i < pages; i++) {
            const TrnCoord centre = {(int32_t)i * 16 + 4, 4, 4};
            plain_load(plain, trn_box_around(centre, 1, 1, 1), false);
            plain_set(plain, centre, true, true);
            boxes[i] = trn_box_around(centre, 0, 0, 0);
        }
        assert_int_equal(plain_expect(plain, boxes, pages, false), pages);
        // 27 pages far away, where there is nothing.
        plain->more = trn_box_around((TrnCoord){4, 1000, 4}, 8, 8, 8);
        plain->more_left = 1;
        plain_request_all(plain, boxes, pages);
        plain_run(plain, false);
        plain_check(plain);
        plain_destroy(plain);
    }
}

static void requests_made_while_cells_are_found_are_kept(void **state)
{
    (void)state;
    Plain *plain = plain_create();
    const TrnCoord near = {4, 4, 4}, far = {400, 4, 4};
    plain_load(plain, trn_box_around(near, 1, 1, 1), false);
    plain_load(plain, trn_box_around(far, 1, 1, 1), false);
    plain_set(plain, near, true, true);
    plain_set(plain, far, true, true);
    const TrnBox boxes[2] = {trn_box_around(near, 0, 0, 0), trn_box_around(far, 0, 0, 0)};
    assert_int_equal(plain_expect(plain, boxes, 2, false), 2);
    plain->more = boxes[1];
    plain->more_left = 1;
    trn_stream_scan_request(&plain->scan, boxes[0]);
    trn_stream_scan_run(&plain->scan, &plain->cells, false, plain_found, plain);
    assert_int_equal(plain->found_count, 1);
    assert_int_equal(plain_run(plain, false), 1);
    plain_check(plain);
    plain_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_without_a_request),
        cmocka_unit_test(random_planes_match_a_look_at_every_cell),
        cmocka_unit_test(chunks_at_the_ends_of_the_world_need_fewer_neighbours),
        cmocka_unit_test(an_end_full_of_unfinished_chunks_hides_no_finished_ones),
        cmocka_unit_test(what_one_scan_leaves_is_found_by_the_next),
        cmocka_unit_test(more_pages_than_it_remembers_are_all_scanned),
        cmocka_unit_test(requests_made_while_cells_are_found_lose_no_page),
        cmocka_unit_test(requests_made_while_cells_are_found_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
