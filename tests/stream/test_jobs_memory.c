// How many jobs run at once, and what buffers they need: depth, buffers, failing memory.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "jobs_site.h"

// ---- depth and buffers -------------------------------------------------------------------------

static void depth_follows_from_the_time_of_work(void **state)
{
    (void)state;
    Site *site = site_create(2, bytes_of_buffers(8), NULL);
    site->def.source.load = NULL;
    // 160 for each worker while it is unknown how long work takes, and 8 for the caller.
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 16000), 2 * 160 + 8);
    trn_stream_jobs_begin_update(&site->jobs);
    site_add(site, 0, TRN_STREAM_WORK_GENERATE, false);
    site_issue(site);
    trn_stream_jobs_join(&site->jobs);
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
    site_end_all(site); // it took 100 us by the clock of this test
    // Half as many again as both workers finish in that time, 32 for each, and 8.
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 16000), 320 * 3 / 2 + 2 * 32 + 8);
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 0), 1 + 2 * 32 + 8); // one was collected
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 1e300), TRN_STREAM_WORK_MAX);
    trn_stream_jobs_begin_update(&site->jobs); // in the previous update
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 0), 1 + 2 * 32 + 8);
    trn_stream_jobs_begin_update(&site->jobs);
    assert_int_equal(trn_stream_jobs_depth(&site->jobs, 0), 2 * 32 + 8);
    site_destroy(site);
}

static void buffers_limit_what_is_generated(void **state)
{
    (void)state;
    const size_t buffers[] = {0, 1, 4};
    for (size_t b = 0; b < 3; b++) {
        const uint32_t count = buffers[b] ? (uint32_t)buffers[b] : 1; // always one
        Site *site = site_create(0, bytes_of_buffers(buffers[b]) + 5, NULL);
        site->def.source.load = NULL;
        site_fill(site, 60);
        assert_int_equal(trn_stream_jobs_generate_max(&site->jobs), count * 32);
        for (uint32_t i = 0; i < 10; i++) { // neither uniform nor failing
            site_add(site, i * 33 + 1, TRN_STREAM_WORK_GENERATE, false);
        }
        assert_int_equal(trn_stream_jobs_generate_max(&site->jobs), count * 32 - 10);
        site_issue(site);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(trn_stream_jobs_help(&site->jobs, false));
        }
        assert_false(trn_stream_jobs_help(&site->jobs, false));
        trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, TRN_STREAM_RESULTS_GENERATED), count);
        assert_int_equal(trn_stream_jobs_generating(&site->jobs), 10);
        // Work without voxels goes on.
        site_add(site, 41, TRN_STREAM_WORK_MESH, false);
        site_issue(site);
        assert_true(trn_stream_jobs_help(&site->jobs, false));
        // Voxels keep their buffer until they are applied: one applied, and one more can begin.
        for (uint32_t i = count; i < 10; i++) {
            assert_false(trn_stream_jobs_help(&site->jobs, false));
            assert_true(site_end_one(site, TRN_STREAM_RESULTS_GENERATED));
            site_issue(site);
            assert_true(trn_stream_jobs_help(&site->jobs, false));
            trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
            assert_int_equal(trn_stream_jobs_generating(&site->jobs), 9 + count - i);
        }
        assert_int_equal(site->jobs.buffer_count, count);
        site_finish(site);
        site_destroy(site);
    }
}

static void cancelled_chunks_need_no_buffer(void **state)
{
    (void)state;
    Site *site = site_create(0, bytes_of_buffers(1), NULL);
    for (uint32_t x = 1; x <= 13; x += 3) {
        site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
    }
    site_issue(site);
    assert_true(trn_stream_jobs_help(&site->jobs, false));
    assert_false(trn_stream_jobs_help(&site->jobs, false)); // its voxels have the only buffer
    assert_true(trn_stream_jobs_cancel(site_cell(site, 4, TRN_STREAM_WORK_GENERATE)));
    assert_true(trn_stream_jobs_help(&site->jobs, false));
    assert_int_equal(atomic_load(&site->runs[4]), 0);
    assert_false(trn_stream_jobs_help(&site->jobs, false));
    site_finish(site);
    assert_int_equal(site->skipped[4], 1);
    site_destroy(site);
}

// ---- memory ------------------------------------------------------------------------------------

static void every_allocation_of_the_creation_may_fail(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (size_t at = 1;; at++) {
        Site *site = site_prepare(3, bytes_of_buffers(4), NULL);
        site_fill(site, 2);
        const size_t before = site->memory.live_bytes;
        test_fail(&site->memory, at, 0);
        const TrnResult result =
            trn_stream_jobs_create(&site->jobs, &site->def, 0, NULL, &site->allocator);
        const bool is_over = site->memory.allocations < at;
        test_fail(&site->memory, 0, 0);
        if (result == TRN_RESULT_OK) {
            TrnStreamStats stats = {0};
            trn_stream_jobs_stats(&site->jobs, &stats);
            assert_int_equal(stats.workers + stats.workers_failed, 3);
            assert_int_equal(site->no_worker_events, stats.workers_failed);
            site_add(site, 1, TRN_STREAM_WORK_MESH, false);
            site_finish(site);
            assert_int_equal(atomic_load(&site->runs[1]), 1);
            trn_stream_jobs_stop(&site->jobs);
        } else {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            refused++;
        }
        trn_stream_jobs_destroy(&site->jobs);
        assert_true(result == TRN_RESULT_OK || site->memory.live_bytes == before);
        site_clear(site);
        if (is_over) {
            break;
        }
    }
    assert_true(refused >= 4);
}

static void workers_without_a_reader_of_the_store_are_reported(void **state)
{
    (void)state;
    Site *site = site_prepare(3, bytes_of_buffers(4), NULL);
    TrnChunkReader *others[62]; // of the 64 readers
    for (uint32_t i = 0; i < 62; i++) {
        assert_int_equal(
            trn_chunk_index_reader_create(trn_store_index(site->store), "other", &others[i]),
            TRN_RESULT_OK);
    }
    site_fill(site, 40);
    assert_int_equal(trn_stream_jobs_create(&site->jobs, &site->def, 0, NULL, &site->allocator),
                     TRN_RESULT_OK);
    TrnStreamStats stats = {0};
    trn_stream_jobs_stats(&site->jobs, &stats);
    assert_int_equal(stats.workers, 2);
    assert_int_equal(stats.workers_failed, 1);
    assert_int_equal(site->no_worker_events, 1);
    for (uint32_t x = 0; x < 40; x++) {
        site_add(site, x, kind_of(x), false);
    }
    site_finish(site);
    for (uint32_t i = 0; i < 62; i++) {
        trn_chunk_index_reader_destroy(others[i]);
    }
    site_destroy(site);
}

static void without_memory_one_buffer_does_all_work(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers += 2) {
        Site *site = site_create(workers, bytes_of_buffers(64), NULL);
        site->def.source.load = NULL;
        for (int32_t x = 0; x < 60; x++) {
            assert_non_null(stream_cell(&site->cells, (TrnCoord){x, LAYER_GENERATE, 0}));
        }
        for (uint32_t x = 0; x < 60;) {
            test_fail(&site->memory, 1, SIZE_MAX);
            uint32_t more = trn_stream_jobs_generate_max(&site->jobs);
            assert_true(more <= 32);
            for (; more && x < 60; more--, x++) {
                site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
            }
            site_issue(site);
            test_fail(&site->memory, 0, 0); // the store may insert what comes back
            trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
            while (!workers && trn_stream_jobs_help(&site->jobs, false)) {
            }
            site_end_all(site);
        }
        assert_int_equal(site->jobs.buffer_count, 1);
        site_finish(site);
        for (uint32_t x = 0; x < 60; x++) {
            assert_int_equal(site->returned[x], 1);
        }
        site_destroy(site);
    }
}

static void work_is_allocated_as_it_starts(void **state)
{
    (void)state;
    Site *site = site_create(0, bytes_of_buffers(1), NULL);
    site_fill(site, TRN_STREAM_WORK_BLOCK + 1);
    for (uint32_t x = 0; x < TRN_STREAM_WORK_BLOCK; x++) { // what the creation allocated
        site_add(site, x, TRN_STREAM_WORK_MESH, false);
    }
    test_fail(&site->memory, 1, SIZE_MAX);
    assert_false(trn_stream_jobs_reserve(&site->jobs));
    test_fail(&site->memory, 0, 0);
    const size_t before = site->memory.live_bytes;
    assert_true(trn_stream_jobs_reserve(&site->jobs));
    assert_int_equal(site->memory.live_bytes - before,
                     TRN_STREAM_WORK_BLOCK * sizeof(TrnStreamWork));
    site_add(site, TRN_STREAM_WORK_BLOCK, TRN_STREAM_WORK_MESH, false);
    site_finish(site);
    assert_int_equal(atomic_load(&site->runs[TRN_STREAM_WORK_BLOCK]), 1);
    site_destroy(site);
    site = site_create(0, bytes_of_buffers(1), NULL);
    site_fill(site, JOBS_MAX);
    for (uint32_t x = 0; x < TRN_STREAM_WORK_MAX; x++) {
        site_add(site, x, TRN_STREAM_WORK_MESH, false);
    }
    assert_false(trn_stream_jobs_reserve(&site->jobs));
    site_finish(site);
    assert_true(trn_stream_jobs_reserve(&site->jobs));
    site_destroy(site);
}

/// Bytes of payloads in the store's heap; no chunk has any.
static size_t site_slot_bytes(const Site *site)
{
    return trn_voxel_heap_stats(trn_store_voxel_heap(site->store)).payload_bytes;
}

/// Has a chunk that is not uniform generated by a worker.
static void site_generate_one(Site *site, uint32_t x)
{
    trn_stream_jobs_begin_update(&site->jobs);
    site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
    site_issue(site);
    trn_stream_jobs_join(&site->jobs);
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
}

static void memory_is_populated_by_workers_alone(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        Site *site = site_create(workers, bytes_of_buffers(1), NULL);
        unsigned char *memory = malloc(300000);
        assert_non_null(memory);
        memset(memory, 0x5A, 300000);
        for (uint32_t i = 0; i < 200; i++) { // more than workers remember
            trn_stream_jobs_populate(&site->jobs, (TrnPoolFresh){memory + i, 300000 - 2 * i});
        }
        site_generate_one(site, 1);
        free(memory); // even if workers are not done with it
        site_end_all(site);
        site_destroy(site);
    }
}

static void slots_in_stock_stay_within_queue_bytes(void **state)
{
    (void)state;
    const size_t queue_bytes[] = {0, 4096, 3 * TRN_STREAM_BUFFER_BYTES + 100, (size_t)4 << 20};
    for (size_t q = 0; q < 4; q++) {
        Site *site = site_create(1, queue_bytes[q], NULL);
        site->def.source.load = NULL;
        uint32_t most = 0;
        for (uint32_t i = 0; i < 30; i++) {
            const uint32_t x = i * 33 + 1; // neither uniform nor failing
            const uint32_t before = site_slots(site);
            site_generate_one(site, x);
            TrnStreamWork *work;
            assert_int_equal(trn_stream_jobs_peek(&site->jobs, &site->cells,
                                                  TRN_STREAM_RESULTS_GENERATED, &work, 1),
                             1);
            assert_true(!work->slot.payload || before > 0); // one of its size class
            assert_int_equal(work->buffer == NULL, work->slot.payload != NULL);
            trn_stream_jobs_stock(&site->jobs, 64, i % 10 == 9);
            const uint32_t in_stock = site_slots(site) - (work->slot.payload != NULL);
            assert_true(i % 10 != 9 || in_stock == 0); // memory is short
            most = in_stock > most ? in_stock : most;
            site_end_all(site);
            assert_true(site_slot_bytes(site) <= queue_bytes[q]);
            assert_int_equal(site_slots(site), in_stock);
        }
        print_message("  %zu bytes: %u slots\n", queue_bytes[q], most);
        assert_int_equal(most > 0, queue_bytes[q] > 0); // a few are small
        // Without demand they go back.
        for (uint32_t i = 0; i < 100; i++) {
            trn_stream_jobs_begin_update(&site->jobs);
            trn_stream_jobs_stock(&site->jobs, 64, false);
        }
        assert_int_equal(site_slots(site), 0);
        // Replay does without them.
        site_generate_one(site, 1);
        trn_stream_jobs_stock(&site->jobs, 64, false);
        trn_stream_jobs_take_back(&site->jobs);
        assert_int_equal(site_slots(site), 0);
        site_destroy(site);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_follows_from_the_time_of_work),
        cmocka_unit_test(buffers_limit_what_is_generated),
        cmocka_unit_test(cancelled_chunks_need_no_buffer),
        cmocka_unit_test(every_allocation_of_the_creation_may_fail),
        cmocka_unit_test(workers_without_a_reader_of_the_store_are_reported),
        cmocka_unit_test(without_memory_one_buffer_does_all_work),
        cmocka_unit_test(work_is_allocated_as_it_starts),
        cmocka_unit_test(memory_is_populated_by_workers_alone),
        cmocka_unit_test(slots_in_stock_stay_within_queue_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
