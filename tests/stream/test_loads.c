// Chunks that a source loads many at once: which are in one call, in which order, and what comes of
// each. That all come back once, and equal at any number of workers, is in test_jobs.c.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "jobs_site.h"

#define FIRST 100u // x of the first chunk to load

/// Has a site's only worker begin a mesh, and wait in it.
static void hold_worker(Site *site)
{
    site_fill(site, 2);
    atomic_store(&site->is_held, true);
    site_add(site, 1, TRN_STREAM_WORK_MESH, false);
    site_issue(site);
    site_wait_running(site, 1);
}

static void add_chunks(Site *site, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        site_add(site, FIRST + i, TRN_STREAM_WORK_GENERATE, false);
    }
    site_issue(site);
}

static void release(Site *site)
{
    atomic_store(&site->is_held, false);
    site_finish(site);
}

static void expect_batches(const Site *site, const uint32_t *batches, uint32_t count)
{
    assert_int_equal(atomic_load(&site->batches), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(atomic_load(&site->batch[i]), batches[i]);
    }
}

static void an_idle_worker_begins_with_few_chunks_in_order(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    Site *site = site_create_batched(1, bytes_of_buffers(64), NULL, 16);
    hold_worker(site);
    add_chunks(site, COUNT);
    release(site);
    expect_batches(site, (const uint32_t[]){4, 8, 16, 16, 16}, 5);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(atomic_load(&site->loaded[i]), FIRST + i);
    }
    site_destroy(site);
}

static void a_batch_takes_half_of_the_buffers(void **state)
{
    (void)state;
    Site *site = site_create_batched(1, bytes_of_buffers(10), NULL, 16);
    hold_worker(site);
    add_chunks(site, 14);
    release(site);
    expect_batches(site, (const uint32_t[]){4, 5, 5}, 3);
    site_destroy(site);

    site = site_create_batched(1, bytes_of_buffers(3), NULL, 16); // half is one: it loads alone
    hold_worker(site);
    add_chunks(site, 14);
    release(site);
    expect_batches(site, NULL, 0);
    site_destroy(site);
}

static void chunks_that_are_cancelled_are_not_loaded(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    Site *site = site_create_batched(1, bytes_of_buffers(64), NULL, 16);
    hold_worker(site);
    add_chunks(site, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(i % 2 == 0 ||
                    trn_stream_jobs_cancel(site_cell(site, FIRST + i, TRN_STREAM_WORK_GENERATE)));
    }
    release(site);
    assert_int_equal(atomic_load(&site->loaded_many), COUNT / 2);
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        assert_int_equal(atomic_load(&site->loaded[i]), FIRST + 2 * i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(site->returned[FIRST + i], 1);
        assert_int_equal(site->skipped[FIRST + i], i % 2);
    }
    site_destroy(site);
}

/// Those that the source lacks are not asked for again, and generated before more are loaded.
static void absent_chunks_are_generated_by_any_worker(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    Site *site = site_create_batched(1, bytes_of_buffers(64), NULL, 16);
    hold_worker(site);
    add_chunks(site, COUNT);
    release(site);
    assert_int_equal(atomic_load(&site->loaded_many), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(atomic_load(&site->runs[FIRST + i]), 1);
        // Of the first batch all began before the second one.
        assert_true(i >= 4 || atomic_load(&site->began[FIRST + i]) <
                                  atomic_load(&site->began[FIRST + 4 + i]));
    }
    site_destroy(site);

    // While one is held in the generator, another worker generates the rest.
    site = site_create_batched(2, bytes_of_buffers(64), NULL, 16);
    atomic_store(&site->is_held, true);
    add_chunks(site, 4);
    site_wait_running(site, 2);
    release(site);
    site_destroy(site);
}

static void the_calling_thread_loads_one_at_a_time(void **state)
{
    (void)state;
    Site *site = site_create_batched(0, bytes_of_buffers(64), NULL, 16);
    add_chunks(site, 20);
    assert_true(trn_stream_jobs_help(&site->jobs, false));
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
    assert_int_equal(site->collected, 1);
    site_finish(site);
    expect_batches(site, NULL, 0);
    // It loads many if it waits for all of them.
    add_chunks(site, 20);
    trn_stream_jobs_join(&site->jobs);
    expect_batches(site, (const uint32_t[]){16, 4}, 2);
    site_finish(site);
    site_destroy(site);
}

static void guests_load_many_too(void **state)
{
    (void)state;
    Site *host = site_create(1, bytes_of_buffers(4), NULL);
    Site *guest = site_prepare_store(0, bytes_of_buffers(64), NULL, TRN_STREAM_WORKER_MAX);
    guest->host = host;
    guest->def.source.load_many = site_load_many;
    guest->def.source.load_max = 16;
    assert_int_equal(
        trn_stream_jobs_create(&guest->jobs, &guest->def, 3, &host->jobs, &guest->allocator),
        TRN_RESULT_OK);
    hold_worker(host);
    add_chunks(guest, 12);
    atomic_store(&host->is_held, false);
    site_finish(guest);
    expect_batches(guest, (const uint32_t[]){4, 8}, 2);
    site_finish(host);
    site_destroy(guest);
    site_destroy(host);
}

// ---- what comes of each chunk ------------------------------------------------------------------

/// By x % 4: a uniform chunk with block data, a chunk of blocks, one that fails, one that is
/// absent.
static void load_mixed(void *user, TrnStreamLoadJob *loads, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        const int32_t x = loads[i].job->coord.x;
        const TrnBlockData data = {.index = (uint16_t)x, .bytes = &x, .size = sizeof x};
        loads[i].blocks[0] = (TrnBlock)x;
        loads[i].uniform = x % 4 == 0;
        loads[i].result = x % 4 == 2   ? TRN_RESULT_IO
                          : x % 4 == 3 ? TRN_RESULT_NOT_FOUND
                                       : TRN_RESULT_OK;
        if (x % 4 == 0) {
            assert_int_equal(trn_stream_job_set_data(loads[i].job, &data), TRN_RESULT_OK);
        } else {
            memset(loads[i].blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
            loads[i].blocks[x] = 7;
        }
    }
}

static void expect_mixed(const Site *site, const TrnStreamWork *work)
{
    const int32_t x = work->job.coord.x;
    (void)site;
    assert_int_equal(work->stage, x % 4 == 3 ? TRN_STREAM_STAGE_GENERATE : TRN_STREAM_STAGE_LOAD);
    assert_int_equal(work->is_restored, x % 4 < 2);
    assert_true(work->load_us > 0);
    assert_int_equal(work->hook_us > 0, x % 4 == 3);
    if (x % 4 == 2) {
        assert_int_equal(work->result, TRN_RESULT_IO);
    } else if (x % 4 == 0) {
        assert_true(work->is_uniform && work->block == x);
        assert_int_equal(work->data.list.count, 1);
        assert_int_equal(work->data.list.items[0].index, x);
        assert_memory_equal(work->data.list.items[0].bytes, &x, sizeof x);
    } else if (x % 4 == 1) {
        assert_false(work->is_uniform);
        assert_non_null(work->buffer);
        assert_int_equal(work->data.list.count, 0);
    }
}

static void each_chunk_of_a_batch_has_its_own_result(void **state)
{
    (void)state;
    enum { COUNT = 32 };
    Site *site = site_prepare(1, bytes_of_buffers(64), NULL);
    site->def.source.load_many = load_mixed;
    site->def.source.load_max = 16;
    assert_int_equal(trn_stream_jobs_create(&site->jobs, &site->def, 0, NULL, &site->allocator),
                     TRN_RESULT_OK);
    hold_worker(site);
    add_chunks(site, COUNT);
    atomic_store(&site->is_held, false);
    trn_stream_jobs_join(&site->jobs);
    trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
    uint32_t seen = 0;
    for (TrnStreamWork *work;
         (work = trn_stream_jobs_take(&site->jobs, TRN_STREAM_RESULTS_GENERATED)); seen++) {
        expect_mixed(site, work);
        (void)trn_stream_jobs_release(&site->cells, work);
        trn_stream_jobs_end(&site->jobs, &site->cells, work);
    }
    assert_int_equal(seen, COUNT);
    site_finish(site);
    site_destroy(site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_worker_begins_with_few_chunks_in_order),
        cmocka_unit_test(a_batch_takes_half_of_the_buffers),
        cmocka_unit_test(chunks_that_are_cancelled_are_not_loaded),
        cmocka_unit_test(absent_chunks_are_generated_by_any_worker),
        cmocka_unit_test(the_calling_thread_loads_one_at_a_time),
        cmocka_unit_test(guests_load_many_too),
        cmocka_unit_test(each_chunk_of_a_batch_has_its_own_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
