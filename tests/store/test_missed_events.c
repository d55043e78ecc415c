// Listeners that fail learn what they missed, and catch up.

#include "listeners.h"

static void act_answer_at_random(Listener *listener, TrnStore *store, const TrnStoreEvent *event)
{
    (void)store;
    (void)event;
    listener->answer =
        test_random_next(listener->context) % 3 == 0 ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK;
}

static void any_single_change(TrnStore *store, TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, 0, 9), 0, 0};
    TrnChunk *chunk = trn_store_find(store, coord);
    if (!chunk) {
        inserted(store, coord);
    } else if (test_random_next(random) % 3 == 0) {
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    } else {
        trn_store_fill(store, chunk, (TrnBlock)test_random_range(random, 0, 99));
    }
}

/// Checks what a listener was told about missed events, from its recorded calls alone.
static uint64_t check_misses(const Calls *calls, const bool *failed, uint32_t kinds)
{
    bool is_missing = false;
    uint64_t told = 0, first_missed = 0, failures = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        const TrnStoreEvent *event = &calls->calls[i].event;
        assert_true(kinds & TRN_EVENT_BIT(event->kind));
        assert_int_equal(event->has_missed, is_missing);
        if (is_missing) {
            assert_true(event->missed_since >= told);
            assert_true(event->missed_since <= first_missed); // less by one, except for removals
        }
        if (failed[i]) {
            const uint64_t before = event->revision - (event->kind != TRN_EVENT_REMOVED);
            first_missed = is_missing ? first_missed : before;
            failures++;
        } else {
            told = event->revision;
        }
        is_missing = failed[i];
    }
    return failures;
}

static void a_failed_listener_is_told_what_it_missed(void **state)
{
    (void)state;
    static Calls calls[8];
    static bool failed[8][CALLS_MAX];
    TestRandom random = test_random_seeded(67);
    TrnStore *store = store_of(NULL);
    Listener listeners[8] = {0};
    for (uint32_t kinds = 1; kinds < 8; kinds++) {
        calls[kinds].count = 0;
        listeners[kinds] =
            (Listener){.calls = &calls[kinds], .act = act_answer_at_random, .context = &random};
        assert_int_equal(trn_store_subscribe(store, kinds, listener_call, &listeners[kinds]),
                         TRN_RESULT_OK);
    }
    for (int step = 0; step < 3000; step++) {
        uint32_t before[8];
        for (uint32_t kinds = 1; kinds < 8; kinds++) {
            before[kinds] = calls[kinds].count;
        }
        any_single_change(store, &random);
        for (uint32_t kinds = 1; kinds < 8; kinds++) {
            if (calls[kinds].count > before[kinds]) {
                failed[kinds][before[kinds]] = listeners[kinds].answer != TRN_RESULT_OK;
            }
        }
    }
    uint64_t failures = 0, events = 0;
    for (uint32_t kinds = 1; kinds < 8; kinds++) {
        failures += check_misses(&calls[kinds], failed[kinds], kinds);
        events += calls[kinds].count;
    }
    assert_true(failures > 1000);
    assert_true(trn_store_stats(store).events == events);
    assert_true(trn_store_stats(store).missed_events == failures);
    trn_store_destroy(store);
}

/// A listener that makes random changes to the store.
typedef struct Chaos {
    TestRandom random;
    uint32_t one_in; ///< acts in about one call of this many; 0: never
    bool circles;    ///< acts in every call
    uint32_t acts[10];
} Chaos;

static TrnCoord chaos_coord(TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, 0, 5),
                            (int32_t)test_random_range(random, -1, 0) * 100,
                            (int32_t)test_random_range(random, 0, 5)};
    return coord;
}

static TrnResult chaos_listen(TrnStore *store, const TrnStoreEvent *event, void *user);

static TrnResult chaos_resubscribe(TrnStore *store, void *user)
{
    TrnResult result = trn_store_unsubscribe(store, chaos_listen, user);
    assert_int_equal(result, TRN_RESULT_OK);
    result = trn_store_subscribe(store, ALL_KINDS, chaos_listen, user);
    assert_int_equal(result, TRN_RESULT_OK);
    return result;
}

static void chaos_step(Chaos *chaos, TrnStore *store)
{
    TestRandom *random = &chaos->random;
    const uint32_t what = (uint32_t)(test_random_next(random) % 10);
    const TrnCoord coord = chaos_coord(random);
    TrnChunk *chunk = trn_store_find(store, coord);
    const TrnEviction eviction = {.count_max = (uint32_t)test_random_range(random, 1, 3)};
    chaos->acts[what]++;
    if (what == 0) {
        trn_store_evict(store, &eviction, NULL);
    } else if (what == 1) {
        trn_store_trim(store);
    } else if (!chunk) {
        assert_int_equal(insert_somehow(store, coord, &chunk, random), TRN_RESULT_OK);
    } else if (what <= 4) {
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    } else if (what == 5) {
        trn_store_touch(store, &chunk, 1);
        trn_store_explain(store, coord);
    } else {
        change_somehow(store, chunk, random);
    }
}

static TrnResult chaos_listen(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Chaos *chaos = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < event->count; i++) { // all are readable before any change
        const TrnChunk *chunk = event->chunks[i].chunk;
        sum += chunk ? test_chunk_hash(chunk) : 0;
    }
    while (chaos->one_in && test_random_next(&chaos->random) % chaos->one_in == 0) {
        chaos_step(chaos, store);
    }
    if (chaos->circles) {
        any_single_change(store, &chaos->random);
    }
    for (uint32_t i = 0; event->kind == TRN_EVENT_REMOVED && i < event->count; i++) {
        sum -= test_chunk_hash(event->chunks[i].chunk); // and afterwards are still the same
    }
    assert_true(event->kind != TRN_EVENT_REMOVED || sum == 0);
    if (chaos->one_in && test_random_next(&chaos->random) % 16 == 0) {
        chaos_resubscribe(store, user);
    }
    return TRN_RESULT_OK;
}

/// Mirrors before, between and after three listeners that make random changes.
typedef struct ChaosWorld {
    TrnStore *store;
    Mirror mirrors[4];
    Chaos chaos[3];
} ChaosWorld;

static void chaos_open(ChaosWorld *world, TestRandom *random)
{
    world->store = store_of(NULL);
    for (uint32_t i = 0; i < 4; i++) {
        world->mirrors[i] = (Mirror){.random = {test_random_next(random)}};
        assert_int_equal(
            trn_store_subscribe(world->store, ALL_KINDS, mirror_listen, &world->mirrors[i]),
            TRN_RESULT_OK);
        if (i < 3) {
            world->chaos[i] = (Chaos){.random = {test_random_next(random)}};
            assert_int_equal(
                trn_store_subscribe(world->store, ALL_KINDS, chaos_listen, &world->chaos[i]),
                TRN_RESULT_OK);
        }
    }
}

/// Listeners do not act in round 0; in the last round one of them acts in every call; in between
/// they act less and less. On average a call makes less than one change, or a round would never
/// end.
static void chaos_start(ChaosWorld *world, uint32_t round)
{
    static const uint32_t fail_every[] = {2, 0, 4, 5};
    for (int i = 0; i < 3; i++) {
        world->chaos[i].one_in = round > 0 && round < 5 ? 4 + round : 0;
    }
    world->chaos[1].circles = round == 5;
    for (int i = 0; i < 4; i++) {
        world->mirrors[i].fail_every = fail_every[i];
    }
}

/// Stops all acts and failures, makes one more change, and checks all mirrors.
static void chaos_check(ChaosWorld *world)
{
    for (int i = 0; i < 3; i++) {
        world->chaos[i].one_in = 0;
        world->chaos[i].circles = false;
    }
    for (int i = 0; i < 4; i++) {
        world->mirrors[i].fail_every = 0;
    }
    const TrnCoord coord = {99, 99, 99};
    const bool is_loaded = trn_store_find(world->store, coord) != NULL;
    if (is_loaded) {
        assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
    } else {
        inserted(world->store, coord);
    }
    for (int i = 0; i < 4; i++) {
        mirror_check(&world->mirrors[i], world->store);
    }
}

static void failed_listeners_catch_up_whatever_others_do(void **state)
{
    (void)state;
    static ChaosWorld world;
    TestRandom random = test_random_seeded(68);
    for (uint32_t round = 0; round < 6; round++) {
        chaos_open(&world, &random);
        for (uint32_t step = 0; step < 400; step++) {
            if (step % 20 == 0) {
                chaos_start(&world, round);
            }
            chaos_step(&world.chaos[step % 3], world.store);
            if (step % 20 == 19) {
                chaos_check(&world);
            }
        }
        const TrnStoreStats stats = trn_store_stats(world.store);
        print_message("  %llu calls, %llu missed; %u times caught up\n",
                      (unsigned long long)stats.events, (unsigned long long)stats.missed_events,
                      world.mirrors[0].catch_ups);
        assert_true(world.mirrors[0].catch_ups > 20);
        uint64_t failures = 0;
        for (int i = 0; i < 4; i++) {
            failures += world.mirrors[i].failures;
        }
        assert_true(round < 5 || stats.missed_events > failures + 100); // circles were cut off
        trn_store_destroy(world.store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_listener_is_told_what_it_missed),
        cmocka_unit_test(failed_listeners_catch_up_whatever_others_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
