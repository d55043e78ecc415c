// Jobs and workers without a stream: each piece of work comes back once, and in order where it
// must.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "jobs_site.h"

// ---- every piece comes back once ---------------------------------------------------------------

/// Starts as much work as the jobs allow, from number *next on, and cancels some of it.
static uint32_t site_start_some(Site *site, TestRandom *random, uint32_t *next, uint32_t count)
{
    uint32_t cancelled = 0;
    uint32_t generate = trn_stream_jobs_generate_max(&site->jobs);
    const uint32_t depth = trn_stream_jobs_depth(&site->jobs, 2000);
    while (*next < count && trn_stream_jobs_under_way(&site->jobs) < depth &&
           (generate || kind_of(*next) != TRN_STREAM_WORK_GENERATE)) {
        const uint32_t x = (*next)++;
        const TrnStreamWorkKind kind = kind_of(x);
        generate -= kind == TRN_STREAM_WORK_GENERATE;
        site_add(site, x, kind, x % 5 == 0);
        const uint32_t victim = (uint32_t)test_random_range(random, 0, (int64_t)x);
        TrnStreamCell *cell = site_cell(site, victim, kind_of(victim));
        if (test_random_range(random, 0, 7) == 0) {
            cancelled += trn_stream_jobs_cancel(cell);
            assert_false(trn_stream_jobs_are_busy(cell));
            assert_false(trn_stream_jobs_cancel(cell));
        }
    }
    return cancelled;
}

static void check_all_come_back(uint32_t workers, const TrnStreamRunner *runner, size_t buffers,
                                uint32_t load_max)
{
    enum { COUNT = 1500 };
    TestRandom random = test_random_seeded(61 + workers);
    Site *site = site_create_batched(workers, bytes_of_buffers(buffers), runner, load_max);
    site_fill(site, COUNT);
    uint32_t next = 0, cancelled = 0;
    for (uint32_t turn = 0; next < COUNT || trn_stream_jobs_under_way(&site->jobs); turn++) {
        assert_true(turn < 2000000);
        trn_stream_jobs_begin_update(&site->jobs);
        cancelled += site_start_some(site, &random, &next, COUNT);
        trn_stream_jobs_stock(&site->jobs, trn_stream_jobs_depth(&site->jobs, 2000),
                              turn % 64 == 63);
        site_pump(site);
        if (trn_stream_jobs_are_stalled(&site->jobs)) {
            (void)trn_stream_jobs_help(&site->jobs, turn % 2);
        }
        if (turn % 64 == 63) { // for workers that the system has suspended
            test_rest_us(100);
        }
    }
    uint32_t parted = 0, seen = 0;
    for (uint32_t x = 0; x < COUNT; x++) {
        const uint32_t runs = atomic_load(&site->runs[x]);
        assert_int_equal(site->returned[x], 1);
        assert_int_equal(runs + site->skipped[x], 1);
        assert_true(!site->skipped[x] || site->parted[x]);
        parted += site->parted[x];
        seen += site->skipped[x];
    }
    assert_int_equal(parted, cancelled);
    TrnStreamStats stats = {0};
    trn_stream_jobs_stats(&site->jobs, &stats);
    assert_int_equal(stats.cancelled_before + stats.cancelled_during, cancelled);
    assert_int_equal(stats.cancelled_before, seen);
    assert_int_equal(stats.under_way, 0);
    assert_int_equal(stats.workers, runner ? runner->concurrency : workers);
    assert_int_equal(stats.workers_failed, 0);
    site_destroy(site);
}

static void every_piece_comes_back_once_at_any_number_of_workers(void **state)
{
    (void)state;
    const uint32_t workers[] = {0, 1, 4, 16}; // 16: more than most machines have cores
    for (size_t w = 0; w < 4; w++) {
        check_all_come_back(workers[w], NULL, w % 2 ? 3 : 64, 0);
        check_all_come_back(workers[w], NULL, w % 2 ? 64 : 5, w % 2 ? TRN_STREAM_LOADS_MAX : 2);
    }
}

// ---- runners -----------------------------------------------------------------------------------

static bool runner_refuse(void *user, void (*work)(void *context), void *context)
{
    (void)work;
    (void)context;
    ++*(uint32_t *)user;
    return false;
}

static bool runner_call(void *user, void (*work)(void *context), void *context)
{
    ++*(uint32_t *)user;
    work(context);
    return true;
}

static bool runner_thread_start(void *user, void (*work)(void *context), void *context)
{
    ++*(uint32_t *)user;
    return stream_task_start(work, context);
}

/// Starts every third time, and then on a thread or at once.
static bool runner_moody(void *user, void (*work)(void *context), void *context)
{
    const uint32_t calls = *(uint32_t *)user;
    return calls % 3 == 0   ? runner_thread_start(user, work, context)
           : calls % 3 == 1 ? runner_refuse(user, work, context)
                            : runner_call(user, work, context);
}

static void runners_of_any_kind_do_every_piece_once(void **state)
{
    (void)state;
    bool (*const starts[])(void *, void (*)(void *), void *) = {runner_call, runner_thread_start,
                                                                runner_moody, runner_refuse};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        uint32_t calls = 0;
        const TrnStreamRunner runner = {starts[i], 3, &calls};
        check_all_come_back(0, &runner, 4, 0);
        check_all_come_back(0, &runner, 16, 8);
        assert_true(calls > 0);
    }
}

static void work_of_a_runner_that_refuses_is_done_by_the_caller(void **state)
{
    (void)state;
    uint32_t calls = 0;
    const TrnStreamRunner runner = {runner_refuse, 2, &calls};
    Site *site = site_create(0, bytes_of_buffers(8), &runner);
    assert_false(trn_stream_jobs_are_stalled(&site->jobs)); // nothing to do
    for (uint32_t x = 0; x < 5; x++) {
        site_add(site, x * 3, TRN_STREAM_WORK_GENERATE, false);
    }
    site_issue(site);
    assert_true(trn_stream_jobs_are_stalled(&site->jobs));
    assert_false(trn_stream_jobs_help(&site->jobs, true)); // no edits
    assert_true(trn_stream_jobs_help(&site->jobs, false));
    assert_true(trn_stream_jobs_are_stalled(&site->jobs));
    trn_stream_jobs_join(&site->jobs); // does not wait for ever
    assert_false(trn_stream_jobs_are_stalled(&site->jobs));
    assert_int_equal(atomic_load(&site->by_caller), 5);
    site_finish(site);
    site_destroy(site);
}

// ---- results -----------------------------------------------------------------------------------

static void results_come_in_three_lists_in_order(void **state)
{
    (void)state;
    Site *site = site_create(0, bytes_of_buffers(16), NULL);
    site_fill(site, 40);
    // Urgent work runs first: 2, 5, 8 are urgent meshes.
    for (uint32_t x = 0; x < 9; x++) {
        const bool generates = x % 3 == 0;
        site_add(site, x, generates ? TRN_STREAM_WORK_GENERATE : TRN_STREAM_WORK_MESH, x % 3 == 2);
    }
    site_issue(site);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(trn_stream_jobs_help(&site->jobs, true));
    }
    assert_false(trn_stream_jobs_help(&site->jobs, true)); // no more edits
    while (trn_stream_jobs_help(&site->jobs, false)) {
    }
    trn_stream_jobs_outdate(site_cell(site, 4, TRN_STREAM_WORK_MESH));
    assert_true(trn_stream_jobs_cancel(site_cell(site, 3, TRN_STREAM_WORK_GENERATE)));
    assert_null(trn_stream_jobs_take(&site->jobs, TRN_STREAM_RESULTS_URGENT)); // not collected
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
    assert_int_equal(site->collected, 8);

    const uint32_t first[TRN_STREAM_RESULTS_COUNT] = {2, 0, 1};
    for (int which = 0; which < TRN_STREAM_RESULTS_COUNT; which++) {
        TrnStreamWork *peeked[8];
        const TrnStreamResults list = (TrnStreamResults)which;
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, list), 3);
        assert_int_equal(trn_stream_jobs_peek(&site->jobs, &site->cells, list, peeked, 2), 2);
        assert_int_equal(trn_stream_jobs_peek(&site->jobs, &site->cells, list, peeked, 8), 3);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t x = first[which] + 3 * i;
            assert_int_equal(peeked[i]->job.coord.x, x);
            const TrnStreamCell *cell = site_cell(site, x, peeked[i]->kind);
            assert_int_equal(trn_stream_jobs_is_current(cell, peeked[i]), x != 4);
        }
    }
    // What has no cell any more comes first.
    trn_stream_jobs_cancelled_first(&site->jobs);
    site_end_all(site);
    const uint32_t order[9] = {2, 5, 8, 3, 0, 6, 1, 4, 7};
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(site->order[i], order[i]);
    }
    site_destroy(site);
}

static void a_mesh_without_a_neighbour_is_not_found(void **state)
{
    (void)state;
    Site *site = site_create(0, bytes_of_buffers(1), NULL);
    site_fill(site, 3);
    assert_int_equal(trn_store_remove(site->store, (TrnCoord){2, 1, 1}), TRN_RESULT_OK);
    TrnStreamWork *work = site_start(site, 1, TRN_STREAM_WORK_MESH, true);
    trn_stream_jobs_run(&site->jobs, work); // started and not added
    assert_int_equal(work->result, TRN_RESULT_NOT_FOUND);
    assert_int_equal(atomic_load(&site->runs[1]), 0);
    (void)trn_stream_jobs_release(&site->cells, work);
    trn_stream_jobs_end(&site->jobs, &site->cells, work);
    assert_int_equal(trn_stream_jobs_under_way(&site->jobs), 0);
    site_destroy(site);
}

// ---- cancelling --------------------------------------------------------------------------------

static void work_is_cancelled_before_it_begins_and_while_it_runs(void **state)
{
    (void)state;
    Site *site = site_create(1, bytes_of_buffers(4), NULL);
    atomic_store(&site->is_held, true);
    site_add(site, 1, TRN_STREAM_WORK_GENERATE, false);
    site_add(site, 4, TRN_STREAM_WORK_GENERATE, false);
    site_issue(site);
    site_wait_running(site, 1);
    for (uint32_t x = 1; x <= 4; x += 3) {
        assert_true(trn_stream_jobs_cancel(site_cell(site, x, TRN_STREAM_WORK_GENERATE)));
    }
    site_finish(site);
    assert_int_equal(site->collected, 0);
    assert_int_equal(atomic_load(&site->runs[1]), 1);
    assert_int_equal(atomic_load(&site->runs[4]), 0);
    assert_int_equal(atomic_load(&site->cancelled_seen), 1);
    TrnStreamStats stats = {0};
    trn_stream_jobs_stats(&site->jobs, &stats);
    assert_int_equal(stats.cancelled_before, 1);
    assert_int_equal(stats.cancelled_during, 1);
    // Their cells can have other work at once.
    atomic_store(&site->is_held, false);
    site_add(site, 1, TRN_STREAM_WORK_GENERATE, false);
    site_finish(site);
    assert_int_equal(site->parted[1], 1);
    assert_int_equal(site->returned[1], 2);
    site_destroy(site);
}

static void a_save_is_waited_for_even_if_cancelled(void **state)
{
    (void)state;
    for (uint32_t is_cancelled = 0; is_cancelled < 2; is_cancelled++) {
        Site *site = site_create(1, bytes_of_buffers(1), NULL);
        site_fill(site, 4);
        atomic_store(&site->is_held, true);
        site_add(site, 1, TRN_STREAM_WORK_SAVE, false);
        site_add(site, 2, TRN_STREAM_WORK_SAVE, false);
        site_issue(site);
        site_wait_running(site, 1);
        TrnStreamCell *begun = site_cell(site, 1, TRN_STREAM_WORK_SAVE);
        TrnStreamCell *queued = site_cell(site, 2, TRN_STREAM_WORK_SAVE);
        if (is_cancelled) {
            assert_true(trn_stream_jobs_cancel(begun));
        }
        assert_true(trn_stream_jobs_are_saving(begun));
        trn_stream_jobs_await_save(&site->jobs, queued); // at once: no worker has begun it
        trn_stream_jobs_await_save(&site->jobs, begun);
        assert_int_equal(atomic_load(&site->running), 0);
        assert_int_equal(atomic_load(&site->cancelled_seen), 1);
        assert_true(trn_stream_jobs_are_saving(begun)); // until the result is ended
        site_finish(site);
        assert_false(trn_stream_jobs_are_saving(begun));
        assert_false(trn_stream_jobs_are_saving(queued));
        assert_int_equal(atomic_load(&site->runs[2]), 0);
        assert_int_equal(site->skipped[2], 1);
        trn_stream_jobs_await_save(&site->jobs, begun); // none
        site_destroy(site);
    }
}

static void stopping_in_the_middle_of_work_returns_all_of_it(void **state)
{
    (void)state;
    const uint32_t workers[] = {0, 1, 4};
    for (size_t w = 0; w < 3; w++) {
        Site *site = site_create(workers[w], bytes_of_buffers(16), NULL);
        site_fill(site, 100);
        for (uint32_t x = 0; x < 40; x++) { // some are finished, and not collected or not taken
            site_add(site, x, kind_of(x), x % 5 == 0);
        }
        site_issue(site);
        trn_stream_jobs_join(&site->jobs);
        trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
        atomic_store(&site->is_held, true);
        for (uint32_t x = 40; x < 100; x++) {
            site_add(site, x, kind_of(x), x % 5 == 0);
            if (x == 80) { // the others are not issued
                site_issue(site);
            }
        }
        site_wait_running(site, workers[w]);
        trn_stream_jobs_stop(&site->jobs);
        assert_int_equal(atomic_load(&site->running), 0);
        assert_int_equal(atomic_load(&site->cancelled_seen), workers[w]);
        site_end_all(site);
        for (uint32_t x = 0; x < 100; x++) {
            assert_int_equal(site->returned[x], 1);
            assert_int_equal(site->parted[x], 1);
        }
        site_destroy(site);
    }
}

// ---- exact replay ------------------------------------------------------------------------------

/// Runs waves until COUNT pieces are done. @return a hash of all results in their order
static uint64_t wave_hash(uint32_t workers, const TrnStreamRunner *runner, uint32_t units,
                          uint32_t load_max)
{
    enum { COUNT = 400 };
    Site *site = site_create_batched(workers, bytes_of_buffers(6), runner, load_max);
    site_fill(site, COUNT);
    // What was issued before is taken back, unless a worker has begun it; here none can.
    for (uint32_t x = 0; x < 30; x++) {
        site_add(site, x, kind_of(x), x % 5 == 0);
    }
    uint32_t next = 30;
    for (uint32_t wave = 0; next < COUNT || trn_stream_jobs_under_way(&site->jobs); wave++) {
        assert_true(wave < 10 * COUNT);
        trn_stream_jobs_take_back(&site->jobs);
        const bool may_generate = wave % 5 != 4;
        uint32_t left = trn_stream_jobs_wave_begin(&site->jobs, units, may_generate);
        for (; left && next < COUNT; left--) {
            const TrnStreamWorkKind kind = kind_of(next);
            if (kind == TRN_STREAM_WORK_GENERATE &&
                (!may_generate || !trn_stream_jobs_wave_may_generate(&site->jobs))) {
                break;
            }
            trn_stream_jobs_wave_add(&site->jobs, site_start(site, next, kind, next % 5 == 0));
            if (next % 13 == 0) {
                assert_true(trn_stream_jobs_cancel(site_cell(site, next, kind)));
            }
            next++;
        }
        const uint32_t before = site->order_count, done = trn_stream_jobs_wave_run(&site->jobs);
        assert_true(done <= units);
        site_end_all(site);
        assert_int_equal(site->order_count - before, done);
        site->hash = mix(site->hash, done);
    }
    assert_int_equal(site->order_count, COUNT);
    assert_int_equal(trn_stream_jobs_under_way(&site->jobs), 0);
    const uint64_t hash = site->hash;
    site_destroy(site);
    return hash;
}

static void waves_have_the_same_results_at_any_number_of_workers(void **state)
{
    (void)state;
    uint32_t calls = 0;
    const TrnStreamRunner runner = {runner_moody, 2, &calls};
    const uint32_t units[] = {1, 7, 64};
    for (size_t u = 0; u < 3; u++) {
        const uint64_t hash = wave_hash(0, NULL, units[u], 0);
        print_message("  %016llx\n", (unsigned long long)hash);
        for (uint32_t load_max = 0; load_max <= 3; load_max += 3) {
            assert_true(wave_hash(0, NULL, units[u], load_max) == hash);
            assert_true(wave_hash(1, NULL, units[u], load_max) == hash);
            assert_true(wave_hash(4, NULL, units[u], load_max) == hash);
            assert_true(wave_hash(0, &runner, units[u], load_max) == hash);
        }
    }
}

static void a_wave_generates_as_many_chunks_as_it_has_buffers(void **state)
{
    (void)state;
    Site *site = site_create(2, bytes_of_buffers(4), NULL);
    site->def.source.load = NULL;
    for (uint32_t i = 0; i < 10; i++) { // neither uniform nor failing
        site_add(site, i * 33 + 1, TRN_STREAM_WORK_GENERATE, false);
    }
    trn_stream_jobs_take_back(&site->jobs);
    assert_int_equal(trn_stream_jobs_wave_begin(&site->jobs, 10, false), 10);
    assert_int_equal(trn_stream_jobs_wave_run(&site->jobs), 0); // none may be generated
    const uint32_t counts[4] = {4, 4, 2, 0};
    for (uint32_t wave = 0; wave < 4; wave++) {
        assert_int_equal(trn_stream_jobs_wave_begin(&site->jobs, 10, true), 10 - counts[wave]);
        assert_int_equal(trn_stream_jobs_wave_may_generate(&site->jobs), counts[wave] < 4);
        assert_int_equal(trn_stream_jobs_wave_run(&site->jobs), counts[wave]);
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, TRN_STREAM_RESULTS_GENERATED),
                         counts[wave]);
        assert_int_equal(trn_stream_jobs_wave_may_generate(&site->jobs), !counts[wave]);
        site_end_all(site);
    }
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(site->order[i], i * 33 + 1);
    }
    site_destroy(site);
}

static void *release_later(void *user)
{
    Site *site = user;
    test_rest_us(20000);
    atomic_store(&site->is_held, false);
    return NULL;
}

static void what_no_worker_has_begun_is_taken_back_in_order(void **state)
{
    (void)state;
    Site *site = site_create(1, bytes_of_buffers(16), NULL);
    site_fill(site, 20);
    atomic_store(&site->is_held, true);
    site_add(site, 0, TRN_STREAM_WORK_MESH, false);
    site_issue(site);
    site_wait_running(site, 1);
    for (uint32_t x = 1; x < 12; x++) {
        site_add(site, x, TRN_STREAM_WORK_MESH, false);
        if (x == 8) { // the last ones are not even issued
            site_issue(site);
        }
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, release_later, site), 0);
    trn_stream_jobs_take_back(&site->jobs); // waits for the first one
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&site->running), 0);
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
    site_end_all(site);
    assert_int_equal(site->order_count, 1);
    // They fill the next waves, five at a time.
    for (uint32_t wave = 0; wave < 3; wave++) {
        assert_int_equal(trn_stream_jobs_wave_begin(&site->jobs, 5, true), wave == 2 ? 4 : 0);
        assert_int_equal(trn_stream_jobs_wave_run(&site->jobs), wave == 2 ? 1 : 5);
        site_end_all(site);
    }
    for (uint32_t x = 0; x < 12; x++) {
        assert_int_equal(site->order[x], x);
        assert_int_equal(atomic_load(&site->runs[x]), 1);
    }
    site_destroy(site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_comes_back_once_at_any_number_of_workers),
        cmocka_unit_test(runners_of_any_kind_do_every_piece_once),
        cmocka_unit_test(work_of_a_runner_that_refuses_is_done_by_the_caller),
        cmocka_unit_test(results_come_in_three_lists_in_order),
        cmocka_unit_test(a_mesh_without_a_neighbour_is_not_found),
        cmocka_unit_test(work_is_cancelled_before_it_begins_and_while_it_runs),
        cmocka_unit_test(a_save_is_waited_for_even_if_cancelled),
        cmocka_unit_test(stopping_in_the_middle_of_work_returns_all_of_it),
        cmocka_unit_test(waves_have_the_same_results_at_any_number_of_workers),
        cmocka_unit_test(a_wave_generates_as_many_chunks_as_it_has_buffers),
        cmocka_unit_test(what_no_worker_has_begun_is_taken_back_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
