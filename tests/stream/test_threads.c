// The stream with workers: cancelled work, destruction at any moment, and the threads of
// the system.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): for the size of threads' stacks
#else
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#endif

#include <pthread.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "base/thread.h"
#include "stream_threaded.h"

#include <terrane/terrain.h>

// ---- cancelling --------------------------------------------------------------------------------

static void unwanted_work_is_cancelled_before_and_during_it(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 2});
    game_create(&game, &def);
    atomic_store(&game.is_held, true);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    while (atomic_load(&game.running) < 2) { // both workers are busy, and more work waits
        game_update(&game);
        test_rest_us(100);
    }
    player.position.chunk.x = 1000;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    while (atomic_load(&game.cancelled_seen) < 2) {
        game_update(&game);
        test_rest_us(100);
    }
    atomic_store(&game.is_held, false);
    game_settle(&game);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_true(stats.cancelled_during >= 2);
    assert_true(stats.cancelled_before > 10);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_null(trn_store_find(game.store, (TrnCoord){0, 0, 0}));
    game_end(&game);
}

static void a_slow_hook_delays_no_update(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 1, (TrnStreamBudget){.ms = 1});
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, player);
    game_settle(&game);
    atomic_store(&game.is_held, true);
    player.position.chunk.x = 2;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    while (!atomic_load(&game.running)) {
        game_update(&game);
    }
    // The worker is stuck; edits are still shown at once.
    for (int i = 0; i < 50; i++) {
        game_dig(&game, (TrnVoxel){16, 4, 16}, (TrnBlock)(i % 2 ? 0 : 3));
        game_update(&game);
        assert_true(game.uploads_of_update >= 1);
    }
    const TrnStreamExplanation why = trn_stream_explain(game.stream, (TrnCoord){5, 0, 0});
    assert_true(why.state == TRN_STREAM_STATE_GENERATING || why.state == TRN_STREAM_STATE_QUEUED);
    atomic_store(&game.is_held, false);
    game_settle(&game);
    game_end(&game);
}

static void all_meshes_of_an_explosion_appear_in_one_update(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.1});
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 3));
    game_settle(&game);
    for (uint32_t i = 0; i < 8; i++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(game.store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_sphere(batch, (TrnVoxel){0, 0, 0}, 50, (TrnBlock)(i % 4));
        TrnBatchOutcome outcome;
        assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
        assert_true(outcome.changed_chunks > 30);
        uint32_t updates_with_uploads = 0;
        for (bool is_idle = false; !is_idle;) {
            is_idle = game_update(&game).is_idle;
            if (game.uploads_of_update) {
                updates_with_uploads++;
                assert_true(game.uploads_of_update >= outcome.changed_chunks);
            }
            test_rest_us(50);
        }
        assert_int_equal(updates_with_uploads, 1);
    }
    assert_int_equal(trn_stream_stats(game.stream).groups, 8);
    game_end(&game);
}

/// More meshes are touched before every update than workers can build until the next one.
static void continuous_explosions_are_shown(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.001});
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 8, 2));
    game_settle(&game);
    uint32_t waited = 0, longest = 0;
    for (uint32_t i = 0; i < test_rounds(300, 40); i++) {
        const uint32_t touched = game_touch_corners(&game, 4, (TrnBlock)(i % 5));
        assert_true(touched >= 100);
        game_update(&game);
        waited++;
        if (game.uploads_of_update) {
            assert_true(game.uploads_of_update >= touched);
            longest = waited > longest ? waited : longest;
            waited = 0;
        }
        assert_true(waited < 64);
        if (waited > 4) { // the system may have suspended the workers
            test_rest_us(200 * waited);
        }
    }
    print_message("  shown after at most %u updates\n", (unsigned)longest);
    assert_int_equal(trn_stream_stats(game.stream).torn_groups, 0);
    game_settle(&game);
    game_end(&game);
}

static void a_stream_ends_at_any_moment_within_a_tenth_of_a_second(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    double longest = 0;
    uint32_t over = 0;
    const uint32_t rounds = test_rounds(60, 8);
    for (uint32_t round = 0; round < rounds; round++) {
        Game *game = malloc(sizeof *game);
        TrnStreamDef def = game_def(game);
        def.workers = round % 4;
        def.budget = (TrnStreamBudget){.ms = 0.2};
        def.hooks.save = game_save;
        game_create(game, &def);
        TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 6, 3);
        const TrnStreamAnchorId id = game_add(game, player);
        atomic_store(&game->is_held, round % 5 == 4 && def.workers);
        const int64_t updates = test_random_range(&random, 0, 40);
        for (int64_t i = 0; i < updates; i++) {
            player.position.chunk.x += (int32_t)test_random_range(&random, 0, 3);
            assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
            game_dig(game, threaded_spot(&random, player.position.chunk), (TrnBlock)(i % 4));
            game_update(game);
        }
        const double begun = threaded_real_ms();
        trn_stream_destroy(game->stream);
        const double took = threaded_real_ms() - begun;
        longest = took > longest ? took : longest;
        over += took >= 100;
        game->stream = NULL;
        game_end(game);
        free(game);
    }
    // On a busy machine, ending threads may wait for a core.
    print_message("  at most %.2f ms\n", longest);
    assert_true(over <= rounds / 4);
}

// ---- threads of the system --------------------------------------------------------------------

static void workers_that_cannot_start_are_reported(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    TrnChunkReader *readers[16];
    for (uint32_t i = 0; i < 14; i++) { // two are left
        assert_int_equal(
            trn_chunk_index_reader_create(trn_store_index(game.store), "other", &readers[i]),
            TRN_RESULT_OK);
    }
    def.workers = 5;
    game_create(&game, &def);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.workers, 2);
    assert_int_equal(stats.workers_failed, 3);
    assert_int_equal(game.events[TRN_STREAM_EVENT_NO_WORKER], 3);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    for (uint32_t i = 0; i < 14; i++) {
        trn_chunk_index_reader_destroy(readers[i]);
    }
    game_end(&game);
}

#if defined(__GLIBC__) && !TEST_HAS_SANITIZER // ThreadSanitizer takes most of such a small stack
/// Sets the size of the stack of threads that are created without one. @return the size before
static size_t set_default_stack(size_t bytes)
{
    pthread_attr_t attributes;
    size_t before;
    assert_int_equal(pthread_getattr_default_np(&attributes), 0);
    assert_int_equal(pthread_attr_getstacksize(&attributes, &before), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, bytes), 0);
    assert_int_equal(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
    return before;
}

static TrnResult generate_deeply(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                 bool *uniform)
{
    volatile unsigned char deep[512 << 10];
    for (size_t i = 0; i < sizeof deep; i += 1024) {
        deep[i] = 1;
    }
    return game_generate(user, job, blocks, uniform);
}

/// Some C libraries give a thread less stack than the terrain needs.
static void workers_have_enough_stack_whatever_the_default(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 1});
    def.hooks.generate = generate_deeply;
    const size_t before = set_default_stack((size_t)128 << 10);
    const TrnResult result = game_try_create(&game, &def);
    (void)set_default_stack(before);
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(game.stream).workers, 2);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).wanted, trn_stream_stats(game.stream).loaded);
    game_end(&game);
}
#endif

#if defined(__GLIBC__) && defined(__OPTIMIZE__) && !TEST_HAS_SANITIZER
/// Does what workers do: generates the built-in terrain, encodes it, and solves its light.
static void *stream_terrain(void *user)
{
    TrnTerrain *terrain;
    TrnStore *store;
    TrnStream *stream;
    TrnStreamAnchorId id;
    TrnStreamReport report = {0};
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    TrnStreamDef def = trn_stream_def();
    def.store = store;
    def.generator = trn_terrain_generator(terrain);
    def.workers = 0;
    def.light = def.keep_light = true;
    def.budget = (TrnStreamBudget){.units = 100};
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    const TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 1, 0}, 2, 2);
    assert_int_equal(trn_stream_anchor_add(stream, &anchor, &id), TRN_RESULT_OK);
    while (!report.is_idle) {
        assert_int_equal(trn_stream_update(stream, NULL, &report), TRN_RESULT_OK);
    }
    trn_stream_destroy(stream);
    trn_store_destroy(store);
    trn_terrain_destroy(terrain);
    return user;
}

static void all_work_fits_the_stack_that_the_header_names(void **state)
{
    (void)state;
    const size_t size = (size_t)1 << 20;
    unsigned char *stack = trn_aligned_alloc(size, 4096);
    assert_non_null(stack);
    memset(stack, 0xA5, size);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, stream_terrain, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (stack[untouched] == 0xA5) {
        untouched++;
    }
    print_message("  %zu bytes of stack\n", size - untouched);
    assert_in_range(size - untouched, TRN_STACK_BYTES / 2, TRN_STACK_BYTES);
    trn_aligned_free(stack);
}
#endif

static uint32_t mutexes_until_refusal; // 0: none is refused
static bool threads_are_refused;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
bool __real_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context);
bool __wrap_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context);

bool __wrap_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context)
{
    return !threads_are_refused && __real_trn_thread_start(thread, stack_bytes, run, context);
}

bool __real_trn_mutex_init(TrnMutex *mutex);
bool __wrap_trn_mutex_init(TrnMutex *mutex);

bool __wrap_trn_mutex_init(TrnMutex *mutex)
{
    return --mutexes_until_refusal != 0 && __real_trn_mutex_init(mutex);
}
// NOLINTEND(bugprone-reserved-identifier)

/// Each mutex fails once.
static void without_a_mutex_no_stream_is_created(void **state)
{
    (void)state;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (uint32_t refused = 1; result != TRN_RESULT_OK; refused++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        game.stream = NULL;
        mutexes_until_refusal = refused;
        result = game_try_create(&game, &def);
        const bool is_refused = (int32_t)mutexes_until_refusal <= 0;
        mutexes_until_refusal = 0;
        assert_int_equal(result, is_refused ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK);
        assert_int_equal(game.stream == NULL, is_refused);
        assert_true(refused > 2 || is_refused); // the workers' lock, and that of their slots
        game_end(&game);
    }
}

/// If the system starts no thread, the calling thread does all work.
static void without_threads_the_calling_thread_does_all(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 3, (TrnStreamBudget){.ms = 1});
    threads_are_refused = true;
    const TrnResult result = game_try_create(&game, &def);
    threads_are_refused = false;
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(game.stream).workers, 0);
    assert_int_equal(trn_stream_stats(game.stream).workers_failed, 3);
    assert_int_equal(game.events[TRN_STREAM_EVENT_NO_WORKER], 3);
    assert_int_equal(game.last_event.result, TRN_RESULT_NO_MEMORY);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).wanted, trn_stream_stats(game.stream).loaded);
    game_end(&game);
}

#if defined(__linux__)
static _Atomic(int) nice_of_worker;

static TrnResult note_niceness(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    if (job->worker) { // 0 is the calling thread
        atomic_store(&nice_of_worker, getpriority(PRIO_PROCESS, 0));
    }
    return game_generate(user, job, blocks, uniform);
}

static void workers_use_the_nice_levels_of_the_def(void **state)
{
    (void)state;
    const int own = getpriority(PRIO_PROCESS, 0);
    const uint32_t levels[] = {0, 3, 10, 39};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.workers = 1;
        def.budget = (TrnStreamBudget){.ms = 1};
        def.worker_nice = levels[i];
        def.hooks.generate = note_niceness;
        game_create(&game, &def);
        atomic_store(&nice_of_worker, -100);
        game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
        // Sleeps, and ends as soon as it is known: the nicest worker gets little of a busy machine.
        while (atomic_load(&nice_of_worker) == -100) {
            game_update(&game);
            test_rest_us(500);
        }
        const int wanted = own + (int)levels[i] < 19 ? own + (int)levels[i] : 19;
        assert_int_equal(atomic_load(&nice_of_worker), wanted);
        assert_int_equal(getpriority(PRIO_PROCESS, 0), own);
        game_end(&game);
    }
    Game game;
    TrnStreamDef def = game_def(&game);
    def.worker_nice = 40;
    assert_int_equal(game_try_create(&game, &def), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(game.store);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_that_cannot_start_are_reported),
        cmocka_unit_test(unwanted_work_is_cancelled_before_and_during_it),
        cmocka_unit_test(a_slow_hook_delays_no_update),
        cmocka_unit_test(all_meshes_of_an_explosion_appear_in_one_update),
        cmocka_unit_test(continuous_explosions_are_shown),
        cmocka_unit_test(a_stream_ends_at_any_moment_within_a_tenth_of_a_second),
#if defined(__GLIBC__) && !TEST_HAS_SANITIZER
        cmocka_unit_test(workers_have_enough_stack_whatever_the_default),
#endif
#if defined(__GLIBC__) && defined(__OPTIMIZE__) && !TEST_HAS_SANITIZER
        cmocka_unit_test(all_work_fits_the_stack_that_the_header_names),
#endif
        cmocka_unit_test(without_threads_the_calling_thread_does_all),
        cmocka_unit_test(without_a_mutex_no_stream_is_created),
#if defined(__linux__)
        cmocka_unit_test(workers_use_the_nice_levels_of_the_def),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
