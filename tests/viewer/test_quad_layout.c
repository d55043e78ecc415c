/// Where quads lie on the graphics card: compared with arrays in memory that are written, copied
/// and read like the card's buffers.
#include "testing.h"

#include <math.h>
#include <render/quad_layout.h>

#define RUNS_MAX 4096u
#define PAGES_MAX QUAD_SEGMENT_PAGES_MAX
#define REAL_QUADS_MAX 3500u // as real chunks have: 900 on average, few have more than this

/// The card's segments, and what should be in them.
typedef struct Card {
    QuadLayout layout;
    uint32_t *pages[QUAD_SEGMENTS]; ///< a mark in every page
    uint32_t page_count[QUAD_SEGMENTS];
    uint32_t creations, fail_from; ///< the creation from which on all fail; 0: none does
    QuadRun runs[RUNS_MAX];
    uint32_t quads[RUNS_MAX]; ///< 0: there is no such run
    uint64_t quad_sum, lit_sum;
    uint32_t lit_every; ///< of this many runs, one has light; 0: none
} Card;

static bool card_create(void *user, uint32_t segment, uint32_t pages)
{
    Card *card = user;
    assert_null(card->pages[segment]);
    assert_in_range(pages, 1, card->layout.page_max);
    card->creations++;
    if (card->fail_from && card->creations >= card->fail_from) {
        return false;
    }
    card->pages[segment] = calloc(pages, sizeof *card->pages[segment]);
    card->page_count[segment] = pages;
    assert_non_null(card->pages[segment]);
    return true;
}

static void card_free(void *user, uint32_t segment)
{
    Card *card = user;
    assert_non_null(card->pages[segment]);
    free(card->pages[segment]);
    card->pages[segment] = NULL;
    card->page_count[segment] = 0;
}

static uint32_t *card_page(const Card *card, uint32_t place)
{
    const uint32_t segment = quad_place_segment(place), page = quad_place_page(place);
    assert_true(page < card->page_count[segment]);
    return &card->pages[segment][page];
}

static void card_copy(void *user, uint32_t from, uint32_t to, uint32_t pages)
{
    const Card *card = user;
    assert_true(pages > 0);
    (void)card_page(card, from + pages - 1);
    (void)card_page(card, to + pages - 1);
    // Inside a segment, runs only move down, as the contract says.
    assert_true(quad_place_segment(from) != quad_place_segment(to) || to < from);
    memmove(card_page(card, to), card_page(card, from), pages * sizeof(uint32_t));
}

static void open_card(Card *card, uint32_t page_max, const TrnAllocator *allocator)
{
    memset(card, 0, sizeof *card);
    card->layout = (QuadLayout){.memory = {card_create, card_free, card_copy, card},
                                .allocator = allocator,
                                .page_max = page_max};
}

static void close_card(Card *card)
{
    quad_layout_free(&card->layout);
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        assert_null(card->pages[i]);
    }
    assert_int_equal(quad_layout_held(&card->layout), 0);
}

static uint32_t mark_of(uint32_t run, uint32_t page)
{
    return run << 12 | page;
}

static uint32_t pages_of(uint32_t quads)
{
    return (quads + QUAD_PAGE_QUADS - 1) / QUAD_PAGE_QUADS;
}

static bool put(Card *card, uint32_t run, uint32_t quads)
{
    assert_int_equal(card->quads[run], 0);
    const bool is_lit = card->lit_every && run % card->lit_every == 0;
    if (!quad_layout_put(&card->layout, quads, is_lit, &card->runs[run])) {
        assert_int_equal(card->runs[run].pages, 0);
        return false;
    }
    const uint32_t light_pages = is_lit ? (pages_of(quads) + 1) / 2 : 0;
    assert_int_equal(card->runs[run].pages, pages_of(quads) + light_pages);
    for (uint32_t i = 0; i < card->runs[run].pages; i++) {
        *card_page(card, card->runs[run].first + i) = mark_of(run, i);
    }
    card->quads[run] = quads;
    card->quad_sum += quads;
    card->lit_sum += is_lit ? quads : 0;
    return true;
}

static void drop(Card *card, uint32_t run)
{
    for (uint32_t i = 0; i < card->runs[run].pages; i++) {
        *card_page(card, card->runs[run].first + i) = UINT32_MAX;
    }
    const bool is_lit = card->runs[run].pages > pages_of(card->quads[run]);
    quad_layout_drop(&card->layout, card->quads[run], &card->runs[run]);
    assert_int_equal(card->runs[run].pages, 0);
    card->quad_sum -= card->quads[run];
    card->lit_sum -= is_lit ? card->quads[run] : 0;
    card->quads[run] = 0;
}

/// Checks that every page of every run has its mark, so that none was lost or overwritten.
static void check_card(const Card *card)
{
    uint64_t pages = 0;
    for (uint32_t run = 0; run < RUNS_MAX; run++) {
        pages += card->quads[run] ? card->runs[run].pages : 0;
        for (uint32_t i = 0; card->quads[run] && i < card->runs[run].pages; i++) {
            assert_int_equal(*card_page(card, card->runs[run].first + i), mark_of(run, i));
        }
    }
    const QuadLayout *layout = &card->layout;
    uint32_t held = 0;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        held += card->page_count[i];
    }
    assert_int_equal(layout->quads, card->quad_sum);
    assert_int_equal(layout->lit, card->lit_sum);
    assert_int_equal(quad_layout_held(layout), held);
    assert_int_equal(quad_layout_held(layout) - quad_layout_free_pages(layout), pages);
    assert_true(layout->held_peak >= quad_layout_held(layout));
}

/// Counts the pages of all runs.
static uint32_t count_pages(const Card *card)
{
    return quad_layout_held(&card->layout) - quad_layout_free_pages(&card->layout);
}

static uint32_t count_segments(const Card *card)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        count += card->page_count[i] != 0;
    }
    return count;
}

static uint32_t real_quads(TestRandom *random)
{
    const uint32_t kind = (uint32_t)test_random_range(random, 0, 9);
    return (uint32_t)test_random_range(random, 1, kind == 0 ? 12 : kind < 6 ? 1000 : 2200);
}

/// Returns the bytes that are allocated for every 100 that the quads take.
static double percent_held(const Card *card)
{
    return 100.0 * quad_layout_held(&card->layout) * QUAD_PAGE_BYTES /
           (double)(card->quad_sum * QUAD_BYTES);
}

static uint32_t random_run(const Card *card, TestRandom *random, bool is_there)
{
    uint32_t run;
    do {
        run = (uint32_t)test_random_range(random, 0, RUNS_MAX - 1);
    } while ((card->quads[run] != 0) != is_there);
    return run;
}

// ---- claims -------------------------------------------------------------------------------------

static void every_run_keeps_its_pages_whatever_moves(void **state)
{
    (void)state;
    static Card card;
    static const uint32_t limits[] = {PAGES_MAX, PAGES_MAX, 300, 110, 40};
    TestRandom random = test_random_seeded(71);
    for (uint32_t round = 0; round < 10; round++) {
        uint32_t count = 0, refused = 0;
        open_card(&card, limits[round % 5], NULL);
        card.lit_every = round / 5 * 3;
        for (int step = 0; step < 6000; step++) {
            // Alternates between growing and shrinking.
            const int64_t puts = step / 1000 % 2 ? 30 : 55;
            const int64_t choice = test_random_range(&random, 0, 99);
            if (choice < puts && count < RUNS_MAX / 2) {
                const bool good =
                    put(&card, random_run(&card, &random, false), real_quads(&random));
                count += good;
                refused += !good;
            } else if (choice < 85 && count) {
                drop(&card, random_run(&card, &random, true));
                count--;
            } else {
                quad_layout_step(&card.layout, (uint32_t)test_random_range(&random, 0, 300));
            }
            if (step % 50 == 0) {
                check_card(&card);
            }
        }
        check_card(&card);
        assert_true(round % 5 < 2 ? refused == 0 : refused > 0);
        close_card(&card);
    }
}

static void a_new_run_moves_others_in_proportion_and_never_all(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(72);
    double worst = 0;
    open_card(&card, PAGES_MAX, NULL);
    for (uint32_t run = 0; run < RUNS_MAX; run++) {
        const uint64_t before = card.layout.moved_pages;
        const uint32_t quads = real_quads(&random);
        assert_true(put(&card, run, quads));
        const uint64_t moved = card.layout.moved_pages - before;
        // The last run that moves is moved completely.
        const uint64_t beyond = pages_of(REAL_QUADS_MAX);
        const double part = moved > beyond ? (double)(moved - beyond) / pages_of(quads) : 0;
        worst = part > worst ? part : worst;
        for (int step = 0; run % 8 == 7 && step < 30; step++) { // slowly, as in flight
            quad_layout_step(&card.layout, 0);
        }
    }
    check_card(&card);
    print_message("  at most %.1f pages moved for a new one, %.1f on average, %u segments\n", worst,
                  (double)card.layout.moved_pages / (double)count_pages(&card), card.creations);
    assert_true(worst <= 36);
    assert_true(card.layout.moved_pages < 3 * (uint64_t)count_pages(&card));
    assert_true(card.creations > 20);
    close_card(&card);
}

/// As while a view loads: thousands of chunks without a frame in between, some as large as chunks
/// can be.
static void without_frames_no_segment_is_wanting(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(80);
    for (uint32_t round = 0; round < 20; round++) {
        const int64_t most = 40 << test_random_range(&random, 0, 9);
        open_card(&card, PAGES_MAX, NULL);
        for (uint32_t run = 0; run < RUNS_MAX; run++) {
            assert_true(put(&card, run, (uint32_t)test_random_range(&random, 1, most)));
            assert_true(count_segments(&card) < QUAD_SEGMENTS ||
                        quad_layout_is_moving(&card.layout));
        }
        check_card(&card);
        const double part = (double)quad_layout_held(&card.layout) / (double)count_pages(&card);
        assert_true(part < 1.2 || quad_layout_held(&card.layout) < 16 * QUAD_SEGMENT_PAGES_MIN);
        for (uint32_t run = 0; run < RUNS_MAX; run++) {
            if (test_random_range(&random, 0, 3)) {
                drop(&card, run);
                assert_true(!test_random_range(&random, 0, 2) ||
                            put(&card, run, (uint32_t)test_random_range(&random, 1, most)));
            }
        }
        check_card(&card);
        close_card(&card);
    }
}

static void at_rest_a_seventh_is_held_beyond_the_quads_at_most(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(73);
    for (uint32_t count = 1000; count <= RUNS_MAX; count = count * 5 / 4) {
        open_card(&card, PAGES_MAX, NULL);
        for (uint32_t run = 0; run < count; run++) {
            assert_true(put(&card, run, real_quads(&random)));
        }
        for (int step = 0; step < 200; step++) {
            quad_layout_step(&card.layout, quad_layout_held(&card.layout) / 32);
        }
        check_card(&card);
        assert_false(quad_layout_is_moving(&card.layout));
        assert_true(percent_held(&card) <= 114.5);
        const uint64_t moved = card.layout.moved_pages;
        for (int step = 0; step < 200; step++) {
            quad_layout_step(&card.layout, 1000);
        }
        assert_int_equal(card.layout.moved_pages, moved); // and nothing goes on moving
        close_card(&card);
    }
}

static void what_shrinks_gives_memory_back_within_140_frames(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(74);
    open_card(&card, PAGES_MAX, NULL);
    for (uint32_t run = 0; run < RUNS_MAX; run++) {
        assert_true(put(&card, run, real_quads(&random)));
    }
    for (uint32_t run = 0; run < RUNS_MAX; run++) {
        if (test_random_range(&random, 0, 9)) {
            drop(&card, run);
        }
    }
    for (int step = 0; step < 140; step++) {
        const uint64_t before = card.layout.moved_pages;
        const uint32_t budget = quad_layout_held(&card.layout) / 32;
        quad_layout_step(&card.layout, budget);
        assert_true(card.layout.moved_pages - before <= budget + pages_of(REAL_QUADS_MAX));
        check_card(&card);
    }
    assert_false(quad_layout_is_moving(&card.layout));
    assert_true(percent_held(&card) <= 114.5);
    for (uint32_t run = 0; run < RUNS_MAX; run++) {
        if (card.quads[run]) {
            drop(&card, run);
        }
    }
    for (int step = 0; step < 140; step++) {
        quad_layout_step(&card.layout, 100);
    }
    assert_true(quad_layout_held(&card.layout) <= 2 * QUAD_SEGMENT_PAGES_MIN);
    close_card(&card);
}

static void a_run_finds_room_between_others_before_memory_is_asked_for(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(75);
    open_card(&card, PAGES_MAX, NULL);
    uint32_t count = 0;
    for (uint32_t pages = 0; pages < 1012; pages += card.runs[count++].pages) {
        assert_true(put(&card, count, (uint32_t)test_random_range(&random, 1, 200)));
    }
    for (uint32_t run = 0; run + 1 < count; run++) {
        if (test_random_next(&random) & 1) {
            drop(&card, run);
        }
    }
    assert_true(card.layout.segments[0].pages.free_count > 30);
    const uint32_t room = quad_layout_free_pages(&card.layout);
    assert_true(put(&card, count, (room - 10) * QUAD_PAGE_QUADS));
    check_card(&card);
    assert_true(card.layout.moved_pages < QUAD_SEGMENT_PAGES_MIN);
    assert_int_equal(card.creations, 1);
    assert_int_equal(quad_layout_free_pages(&card.layout), 10);
    close_card(&card);
}

/// As in flight: each frame some chunks are unloaded and as many loaded, while their number rises
/// and falls.
static void in_flight_little_is_held_and_little_moves(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(76);
    open_card(&card, PAGES_MAX, NULL);
    uint32_t count = 0;
    for (; count < RUNS_MAX / 2; count++) {
        assert_true(put(&card, count, real_quads(&random)));
    }
    for (int step = 0; step < 300; step++) {
        quad_layout_step(&card.layout, 2048);
    }
    const uint64_t moved_before = card.layout.moved_pages;
    uint64_t put_pages = 0, moved_most = 0;
    uint32_t loose = 0, most = 0;
    double percent_most = 0;
    for (uint32_t frame = 0; frame < 3600; frame++) {
        const uint64_t before = card.layout.moved_pages;
        const int64_t puts = frame / 400 % 2 ? 2 : 3, drops = frame / 400 % 2 ? 3 : 2;
        for (int64_t i = 0; i < puts; i++, count++) {
            const uint32_t run = random_run(&card, &random, false);
            assert_true(put(&card, run, real_quads(&random)));
            put_pages += card.runs[run].pages;
        }
        for (int64_t i = 0; i < drops; i++, count--) {
            drop(&card, random_run(&card, &random, true));
        }
        quad_layout_step(&card.layout, quad_layout_held(&card.layout) / 32);
        loose += percent_held(&card) > 115;
        percent_most = fmax(percent_most, percent_held(&card));
        moved_most = card.layout.moved_pages - before > moved_most
                         ? card.layout.moved_pages - before
                         : moved_most;
        most = quad_layout_held(&card.layout) > most ? quad_layout_held(&card.layout) : most;
    }
    check_card(&card);
    const double each = (double)(card.layout.moved_pages - moved_before) / (double)put_pages;
    print_message("  %.2f pages moved for each that came, %.0f KiB in a frame at most; %u of 3600 "
                  "frames held more than 115 %%, at most %.1f\n",
                  each, (double)moved_most * QUAD_PAGE_BYTES / 1024, loose, percent_most);
    assert_true(each < 2);
    assert_true(moved_most < most / 8);
    assert_true(loose <= 72);
    assert_true(percent_most < 125);
    close_card(&card);
}

/// At the limit, a run is stored if it fits into any segment.
static void at_the_limit_all_that_fits_is_held_and_no_more(void **state)
{
    (void)state;
    static Card card;
    const uint32_t limit = 110; // of each segment
    TestRandom random = test_random_seeded(77);
    open_card(&card, limit, NULL);
    uint32_t run = 0;
    while (put(&card, run, real_quads(&random))) {
        run++;
    }
    // It is refused only if each segment has too few free pages.
    assert_false(put(&card, run, limit * QUAD_PAGE_QUADS + 1));
    assert_int_equal(quad_layout_held(&card.layout), QUAD_SEGMENTS * limit);
    assert_true(count_pages(&card) > QUAD_SEGMENTS * (limit - pages_of(REAL_QUADS_MAX)));
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 3 && card.quad_sum; i++) {
            drop(&card, random_run(&card, &random, true));
        }
        // Pages that were freed in pieces can be allocated as one run.
        uint32_t most = 0;
        for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
            const PageAllocator *pages = &card.layout.segments[i].pages;
            most = pages->pages - pages->taken > most ? pages->pages - pages->taken : most;
        }
        assert_false(put(&card, random_run(&card, &random, false), most * QUAD_PAGE_QUADS + 1));
        assert_true(put(&card, random_run(&card, &random, false), most * QUAD_PAGE_QUADS));
        if (round % 50 == 0) {
            check_card(&card);
        }
        if (most > limit / 2) { // else in the end one run would be all
            drop(&card, random_run(&card, &random, true));
            while (put(&card, random_run(&card, &random, false), real_quads(&random))) {
            }
        }
    }
    check_card(&card);
    close_card(&card);
}

static void where_nothing_fits_elsewhere_nothing_moves(void **state)
{
    (void)state;
    static Card card;
    const uint32_t limit = 1985, quads = 1250 * QUAD_PAGE_QUADS; // a run fits into each segment
    open_card(&card, limit, NULL);
    for (uint32_t run = 0; run < QUAD_SEGMENTS; run++) {
        assert_true(put(&card, run, quads));
    }
    assert_false(put(&card, QUAD_SEGMENTS, quads));
    assert_true(quad_layout_free_pages(&card.layout) > quad_layout_held(&card.layout) / 3);
    const uint64_t moved = card.layout.moved_pages;
    for (int frame = 0; frame < 1000; frame++) {
        quad_layout_step(&card.layout, 4000);
    }
    check_card(&card);
    assert_true(card.layout.moved_pages == moved);
    // A segment is freed as soon as the other segments can hold its quads.
    const uint32_t held = quad_layout_held(&card.layout);
    drop(&card, 3);
    for (int frame = 0; frame < 20; frame++) {
        quad_layout_step(&card.layout, 4000);
    }
    check_card(&card);
    assert_int_equal(quad_layout_held(&card.layout), held - limit);
    close_card(&card);
}

static void without_memory_on_the_card_what_is_there_stays(void **state)
{
    (void)state;
    static Card card;
    TestRandom random = test_random_seeded(78);
    for (uint32_t fail_from = 1; fail_from < 8; fail_from++) {
        uint32_t run = 0;
        open_card(&card, PAGES_MAX, NULL);
        card.fail_from = fail_from;
        while (put(&card, run, real_quads(&random))) {
            run++;
        }
        assert_int_equal(card.creations, fail_from);
        assert_true((run > 0) == (fail_from > 1));
        check_card(&card);
        // A failed allocation is not retried each time, but after a while.
        assert_false(put(&card, run, REAL_QUADS_MAX));
        assert_int_equal(card.creations, fail_from);
        for (int step = 0; step < 300; step++) {
            quad_layout_step(&card.layout, 100);
        }
        card.fail_from = 0;
        assert_true(put(&card, run, REAL_QUADS_MAX));
        check_card(&card);
        close_card(&card);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static Card card;
    for (size_t fail_at = 1; fail_at < 60; fail_at++) {
        TestAllocator counter = {.fail_at = fail_at};
        const TrnAllocator allocator = {counting_alloc, counting_free, &counter};
        TestRandom random = {79};
        uint32_t refused = 0;
        open_card(&card, PAGES_MAX, &allocator);
        for (uint32_t run = 0; run < 700; run++) {
            refused += !put(&card, run, real_quads(&random));
            if (run % 3 == 2 && card.quads[run - 1]) {
                drop(&card, run - 1);
            }
            if (run % 5 == 0) {
                quad_layout_step(&card.layout, 50);
            }
        }
        check_card(&card);
        assert_true(refused < 300); // it goes on once there is memory
        assert_true(counter.allocations >= fail_at || fail_at > 20);
        close_card(&card);
        assert_int_equal(counter.live_bytes, 0);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static Card card;
    open_card(&card, PAGES_MAX, NULL);
    QuadRun run = {0};
    assert_false(quad_layout_put(&card.layout, 0, false, &run));
    assert_false(quad_layout_put(&card.layout, UINT32_MAX, false, &run));
    quad_layout_drop(&card.layout, 5, &run); // nothing is there
    quad_layout_step(&card.layout, 1000);
    assert_true(put(&card, 0, 100));
    QuadRun twice = card.runs[0];
    drop(&card, 0);
    quad_layout_drop(&card.layout, 100, &twice);
    check_card(&card);
    close_card(&card);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_keeps_its_pages_whatever_moves),
        cmocka_unit_test(a_new_run_moves_others_in_proportion_and_never_all),
        cmocka_unit_test(without_frames_no_segment_is_wanting),
        cmocka_unit_test(at_rest_a_seventh_is_held_beyond_the_quads_at_most),
        cmocka_unit_test(what_shrinks_gives_memory_back_within_140_frames),
        cmocka_unit_test(a_run_finds_room_between_others_before_memory_is_asked_for),
        cmocka_unit_test(in_flight_little_is_held_and_little_moves),
        cmocka_unit_test(at_the_limit_all_that_fits_is_held_and_no_more),
        cmocka_unit_test(where_nothing_fits_elsewhere_nothing_moves),
        cmocka_unit_test(without_memory_on_the_card_what_is_there_stays),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
