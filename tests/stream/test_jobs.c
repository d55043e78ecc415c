// Jobs and workers alone, without a stream: a few cells, a store, and hooks that count their calls.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include <pthread.h>
#include <sched.h>

#include "rest.h"
#include "store/store_internal.h"
#include "stream/stream_jobs.h"
#include "stream_task.h"
#include "testing.h"

#define JOBS_MAX 2048u
#define LAYER_GENERATE 50 // chunks to generate; those at y = 0 are meshed and saved

typedef struct Site {
    TestAllocator memory;
    TrnAllocator allocator;
    TrnStore *store;
    TrnStreamDef def;
    TrnStreamCells cells;
    TrnStreamJobs jobs;
    uint32_t no_worker_events;
    // Of the results.
    uint32_t collected;            ///< called back for
    uint32_t returned[JOBS_MAX];   ///< by the x of the chunk
    uint32_t parted[JOBS_MAX];     ///< came back without a cell
    uint32_t skipped[JOBS_MAX];    ///< came back without having run
    uint32_t order[JOBS_MAX * 4u]; ///< [order_count] x of the chunks that came back
    uint32_t order_count;
    uint64_t hash; ///< of all results in their order
    // Of the hooks, on any thread.
    _Atomic(uint32_t) runs[JOBS_MAX];                      ///< by the x of the chunk
    _Atomic(uint32_t) in_use[TRN_STREAM_WORKER_MAX + 1];   ///< by worker
    _Atomic(uint32_t) running, cancelled_seen, violations; ///< violations: two share a worker
    _Atomic(uint32_t) by_caller;
    _Atomic(bool) is_held; ///< hooks wait while set, unless cancelled
    _Atomic(uint32_t) ticks;
} Site;

// ---- hooks -------------------------------------------------------------------------------------

static void site_run(Site *site, const TrnStreamJob *job)
{
    atomic_fetch_add(&site->violations, atomic_exchange(&site->in_use[job->worker], 1));
    atomic_fetch_add(&site->runs[job->coord.x], 1);
    atomic_fetch_add(&site->by_caller, job->worker == 0);
    atomic_fetch_add(&site->running, 1);
    while (atomic_load(&site->is_held) && !trn_stream_job_is_cancelled(job)) {
        test_rest_us(50);
    }
    atomic_fetch_add(&site->cancelled_seen, trn_stream_job_is_cancelled(job));
    atomic_fetch_sub(&site->running, 1);
    atomic_store(&site->in_use[job->worker], 0);
}

/// By x: every third chunk is uniform, the others are not; every eleventh fails.
static TrnResult site_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const uint32_t x = (uint32_t)job->coord.x;
    site_run(user, job);
    if (x % 11 == 10) {
        return TRN_RESULT_CORRUPT;
    }
    *uniform = x % 3 == 0;
    blocks[0] = (TrnBlock)(1 + x % 5);
    if (!*uniform) {
        memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        for (uint32_t i = 0; i < 64; i++) {
            blocks[i * 97 + x % 89] = (TrnBlock)(1 + x % 2);
        }
    }
    return TRN_RESULT_OK;
}

static TrnResult site_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    (void)user;
    if (job->coord.x % 7 != 6) {
        return TRN_RESULT_NOT_FOUND;
    }
    site_run(user, job);
    blocks[0] = 9;
    *uniform = true;
    return TRN_RESULT_OK;
}

static TrnResult site_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    Site *site = user;
    site_run(site, job);
    *mesh = (TrnStreamMesh){&site->runs[job->coord.x],
                            trn_snapshot_get(input->around[13], 0) + (size_t)job->coord.x};
    return TRN_RESULT_OK;
}

static TrnResult site_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    site_run(user, job);
    return trn_snapshot_is_uniform(voxels) ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
}

static double site_clock(void *user)
{
    Site *site = user;
    return 100.0 * (atomic_fetch_add(&site->ticks, 1) + 1);
}

static void site_hear(void *user, const TrnStreamEvent *event)
{
    Site *site = user;
    site->no_worker_events += event->kind == TRN_STREAM_EVENT_NO_WORKER;
}

// ---- site --------------------------------------------------------------------------------------

/// TrnStreamDef.queue_bytes for a number of buffers: they take half of it.
static size_t bytes_of_buffers(size_t buffers)
{
    return 2 * buffers * TRN_STREAM_BUFFER_BYTES;
}

/// Everything but the jobs.
static Site *site_prepare(uint32_t workers, size_t queue_bytes, const TrnStreamRunner *runner)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    site->allocator = test_allocator(&site->memory);
    TrnStoreDef store = trn_store_def();
    store.allocator = &site->allocator;
    store.reader_max = 64;
    assert_int_equal(trn_store_create(&store, &site->store), TRN_RESULT_OK);
    assert_int_equal(trn_stream_cells_create(&site->cells, &site->allocator), TRN_RESULT_OK);
    site->def = trn_stream_def();
    site->def.store = site->store;
    site->def.workers = workers;
    site->def.worker_nice = 0;
    site->def.queue_bytes = queue_bytes;
    site->def.runner = runner;
    site->def.clock_us = site_clock;
    site->def.clock_user = site;
    site->def.listener = site_hear;
    site->def.listener_user = site;
    site->def.hooks = (TrnStreamHooks){.generate = site_generate, .mesh = site_mesh, .user = site};
    site->def.source = (TrnStreamSource){.load = site_load, .save = site_save, .user = site};
    return site;
}

static Site *site_create(uint32_t workers, size_t queue_bytes, const TrnStreamRunner *runner)
{
    Site *site = site_prepare(workers, queue_bytes, runner);
    assert_int_equal(trn_stream_jobs_create(&site->jobs, &site->def, &site->allocator),
                     TRN_RESULT_OK);
    assert_int_equal(trn_stream_jobs_workers(&site->jobs), runner ? runner->concurrency : workers);
    return site;
}

/// Loads chunks, so that those at y = 0 can be meshed and saved.
static void site_fill(const Site *site, int32_t count)
{
    for (int32_t x = -1; x <= count; x++) {
        for (int32_t i = 0; i < 9; i++) {
            const TrnCoord coord = {x, i / 3 - 1, i % 3 - 1};
            assert_int_equal(trn_store_insert_uniform(site->store, coord, 3, NULL), TRN_RESULT_OK);
        }
    }
}

/// Starts a piece of work for the cell of a number, without giving it to the workers.
static TrnStreamWork *site_start(Site *site, uint32_t x, TrnStreamWorkKind kind, bool is_urgent)
{
    assert_true(x < JOBS_MAX);
    const TrnCoord coord = {(int32_t)x, kind == TRN_STREAM_WORK_GENERATE ? LAYER_GENERATE : 0, 0};
    TrnStreamCell *cell = trn_stream_cells_find(&site->cells, coord);
    cell = cell ? cell : trn_stream_cells_add(&site->cells, coord);
    assert_non_null(cell);
    assert_true(trn_stream_jobs_have_idle(&site->jobs));
    TrnStreamWork *work = trn_stream_jobs_start(&site->jobs, cell, kind, is_urgent);
    assert_true(trn_stream_jobs_are_busy(cell));
    assert_int_equal(trn_stream_jobs_kind(cell), kind);
    assert_int_equal(trn_stream_jobs_are_saving(cell), kind == TRN_STREAM_WORK_SAVE);
    return work;
}

static void site_add(Site *site, uint32_t x, TrnStreamWorkKind kind, bool is_urgent)
{
    trn_stream_jobs_add(&site->jobs, site_start(site, x, kind, is_urgent));
}

static TrnStreamCell *site_cell(const Site *site, uint32_t x, TrnStreamWorkKind kind)
{
    return trn_stream_cells_find(
        &site->cells,
        (TrnCoord){(int32_t)x, kind == TRN_STREAM_WORK_GENERATE ? LAYER_GENERATE : 0, 0});
}

static void site_collected(void *user, TrnStreamWork *work)
{
    Site *site = user;
    assert_true(work->cell != TRN_STREAM_WORK_NO_CELL);
    assert_false(work->is_running);
    site->collected++;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

/// Checks what a hook has left in a piece of generated work. @return a hash of its voxels
static uint64_t site_check_generated(const Site *site, const TrnStreamWork *work)
{
    const uint32_t x = (uint32_t)work->job.coord.x;
    const bool is_restored = site->def.source.load && x % 7 == 6;
    assert_int_equal(work->is_restored, is_restored);
    assert_int_equal(work->stage, is_restored ? TRN_STREAM_STAGE_LOAD : TRN_STREAM_STAGE_GENERATE);
    if (!is_restored && x % 11 == 10) {
        assert_int_equal(work->result, TRN_RESULT_CORRUPT);
        return 1;
    }
    assert_int_equal(work->result, TRN_RESULT_OK);
    assert_int_equal(work->is_uniform, is_restored || x % 3 == 0);
    if (work->is_uniform) {
        assert_int_equal(work->block, is_restored ? 9 : 1 + x % 5);
        assert_null(work->buffer);
        return work->block;
    }
    assert_true(work->is_coded);
    if (work->slot.payload) {
        assert_true(work->slot.is_filled);
        assert_null(work->buffer);
        return 2;
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_code(site->store, work->job.coord, work->buffer, &chunk),
                     TRN_RESULT_OK);
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    const uint64_t hash = trn_snapshot_hash(voxels);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(trn_snapshot_get(voxels, i * 97 + x % 89), 1 + x % 2);
    }
    assert_int_equal(trn_store_remove(site->store, work->job.coord), TRN_RESULT_OK);
    return hash;
}

static void site_check_result(Site *site, const TrnStreamWork *work, TrnStreamResults which)
{
    const bool generates = work->kind == TRN_STREAM_WORK_GENERATE;
    // Without a cell, also what was left when the jobs stopped.
    assert_true(generates == (which == TRN_STREAM_RESULTS_GENERATED) ||
                (which == TRN_STREAM_RESULTS_OTHER && work->cell == TRN_STREAM_WORK_NO_CELL));
    const uint32_t x = (uint32_t)work->job.coord.x;
    uint64_t hash = 0;
    if (!work->is_skipped && work->cell != TRN_STREAM_WORK_NO_CELL) {
        if (generates) {
            hash = site_check_generated(site, work);
        } else {
            assert_int_equal(work->result, TRN_RESULT_OK);
            assert_int_equal(work->mesh.bytes, work->kind == TRN_STREAM_WORK_MESH ? 3 + x : 0);
        }
    }
    site->hash = mix(mix(mix(site->hash, x), (uint64_t)work->kind * 64 + work->result), hash);
}

/// Takes the first result of a list and ends it. @return false if there is none
static bool site_end_one(Site *site, TrnStreamResults which)
{
    TrnStreamWork *work = trn_stream_jobs_take(&site->jobs, which);
    if (!work) {
        return false;
    }
    site_check_result(site, work, which);
    const uint32_t x = (uint32_t)work->job.coord.x;
    const TrnStreamCell *cell = trn_stream_jobs_release(&site->cells, work);
    assert_true(!cell ||
                (trn_coord_equal(cell->coord, work->job.coord) && !trn_stream_jobs_are_busy(cell)));
    site->returned[x]++;
    site->parted[x] += cell == NULL;
    site->skipped[x] += work->is_skipped;
    assert_true(site->order_count < sizeof site->order / sizeof *site->order);
    site->order[site->order_count++] = x;
    trn_stream_jobs_end(&site->jobs, &site->cells, work);
    return true;
}

static void site_end_all(Site *site)
{
    for (int which = 0; which < TRN_STREAM_RESULTS_COUNT; which++) {
        while (site_end_one(site, (TrnStreamResults)which)) {
        }
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, (TrnStreamResults)which), 0);
    }
}

/// Lets workers, or without them this thread, do what is issued, and ends what has come back.
static void site_pump(Site *site)
{
    trn_stream_jobs_issue(&site->jobs);
    if (!trn_stream_jobs_workers(&site->jobs)) {
        while (trn_stream_jobs_help(&site->jobs, false)) {
        }
    } else {
        sched_yield();
    }
    trn_stream_jobs_collect(&site->jobs, false, site_collected, site);
    site_end_all(site);
}

static void site_finish(Site *site)
{
    for (uint32_t i = 0; trn_stream_jobs_under_way(&site->jobs); i++) {
        assert_true(i < 2000000);
        site_pump(site);
    }
    assert_int_equal(trn_stream_jobs_generating(&site->jobs), 0);
}

static void site_wait_running(const Site *site, uint32_t count)
{
    for (uint32_t i = 0; atomic_load(&site->running) != count; i++) {
        assert_true(i < 100000);
        test_rest_us(100);
    }
}

static uint32_t site_slots(const Site *site)
{
    return trn_voxel_heap_stats(trn_store_voxel_heap(site->store)).slots;
}

/// Ends everything but the jobs.
static void site_clear(Site *site)
{
    assert_int_equal(atomic_load(&site->violations), 0);
    trn_stream_cells_destroy(&site->cells);
    trn_store_destroy(site->store);
    assert_int_equal(site->memory.live_bytes, 0);
    free(site);
}

static void site_destroy(Site *site)
{
    trn_stream_jobs_stop(&site->jobs);
    assert_int_equal(atomic_load(&site->running), 0);
    site_end_all(site);
    assert_int_equal(trn_stream_jobs_under_way(&site->jobs), 0);
    assert_int_equal(site_slots(site), 0);
    trn_stream_jobs_destroy(&site->jobs);
    site_clear(site);
}

// ---- every piece comes back once ---------------------------------------------------------------

static TrnStreamWorkKind kind_of(uint32_t x)
{
    return x % 4 == 1   ? TRN_STREAM_WORK_MESH
           : x % 4 == 2 ? TRN_STREAM_WORK_SAVE
                        : TRN_STREAM_WORK_GENERATE;
}

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

static void check_all_come_back(uint32_t workers, const TrnStreamRunner *runner, size_t buffers)
{
    enum { COUNT = 1500 };
    TestRandom random = test_random_seeded(61 + workers);
    Site *site = site_create(workers, bytes_of_buffers(buffers), runner);
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
        check_all_come_back(workers[w], NULL, w % 2 ? 3 : 64);
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
        check_all_come_back(0, &runner, 4);
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
    trn_stream_jobs_issue(&site->jobs);
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
    trn_stream_jobs_issue(&site->jobs);
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
        trn_stream_jobs_issue(&site->jobs);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(trn_stream_jobs_help(&site->jobs, false));
        }
        assert_false(trn_stream_jobs_help(&site->jobs, false));
        trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, TRN_STREAM_RESULTS_GENERATED), count);
        assert_int_equal(trn_stream_jobs_generating(&site->jobs), 10);
        // Work without voxels goes on.
        site_add(site, 41, TRN_STREAM_WORK_MESH, false);
        trn_stream_jobs_issue(&site->jobs);
        assert_true(trn_stream_jobs_help(&site->jobs, false));
        // Voxels keep their buffer until they are applied: one applied, and one more can begin.
        for (uint32_t i = count; i < 10; i++) {
            assert_false(trn_stream_jobs_help(&site->jobs, false));
            assert_true(site_end_one(site, TRN_STREAM_RESULTS_GENERATED));
            trn_stream_jobs_issue(&site->jobs);
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
    trn_stream_jobs_issue(&site->jobs);
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
    trn_stream_jobs_issue(&site->jobs);
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
    trn_stream_jobs_issue(&site->jobs);
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
        trn_stream_jobs_issue(&site->jobs);
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
        trn_stream_jobs_issue(&site->jobs);
        trn_stream_jobs_join(&site->jobs);
        trn_stream_jobs_collect(&site->jobs, true, site_collected, site);
        atomic_store(&site->is_held, true);
        for (uint32_t x = 40; x < 100; x++) {
            site_add(site, x, kind_of(x), x % 5 == 0);
            if (x == 80) { // the others are not issued
                trn_stream_jobs_issue(&site->jobs);
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
static uint64_t wave_hash(uint32_t workers, const TrnStreamRunner *runner, uint32_t units)
{
    enum { COUNT = 400 };
    Site *site = site_create(workers, bytes_of_buffers(6), runner);
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
        const uint64_t hash = wave_hash(0, NULL, units[u]);
        print_message("  %016llx\n", (unsigned long long)hash);
        assert_true(wave_hash(1, NULL, units[u]) == hash);
        assert_true(wave_hash(4, NULL, units[u]) == hash);
        assert_true(wave_hash(0, &runner, units[u]) == hash);
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
    trn_stream_jobs_issue(&site->jobs);
    site_wait_running(site, 1);
    for (uint32_t x = 1; x < 12; x++) {
        site_add(site, x, TRN_STREAM_WORK_MESH, false);
        if (x == 8) { // the last ones are not even issued
            trn_stream_jobs_issue(&site->jobs);
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
        const TrnResult result = trn_stream_jobs_create(&site->jobs, &site->def, &site->allocator);
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
    assert_int_equal(trn_stream_jobs_create(&site->jobs, &site->def, &site->allocator),
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
            assert_non_null(trn_stream_cells_add(&site->cells, (TrnCoord){x, LAYER_GENERATE, 0}));
        }
        for (uint32_t x = 0; x < 60;) {
            test_fail(&site->memory, 1, SIZE_MAX);
            uint32_t more = trn_stream_jobs_generate_max(&site->jobs);
            assert_true(more <= 32);
            for (; more && x < 60; more--, x++) {
                site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
            }
            trn_stream_jobs_issue(&site->jobs);
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

/// Bytes of payloads in the store's heap; no chunk has any.
static size_t site_slot_bytes(const Site *site)
{
    const TrnVoxelHeapStats stats = trn_voxel_heap_stats(trn_store_voxel_heap(site->store));
    size_t bytes = 0;
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        bytes += stats.classes[c].payloads * stats.classes[c].payload_bytes;
    }
    return bytes;
}

/// Has a chunk that is not uniform generated by a worker.
static void site_generate_one(Site *site, uint32_t x)
{
    trn_stream_jobs_begin_update(&site->jobs);
    site_add(site, x, TRN_STREAM_WORK_GENERATE, false);
    trn_stream_jobs_issue(&site->jobs);
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
            assert_int_equal(work->slot.payload != NULL, before > 0);
            assert_int_equal(work->buffer == NULL, before > 0);
            trn_stream_jobs_stock(&site->jobs, 64, i % 10 == 9);
            const uint32_t in_stock = site_slots(site) - (work->slot.payload != NULL);
            assert_true(i % 10 != 9 || in_stock == 0); // memory is short
            most = in_stock > most ? in_stock : most;
            site_end_all(site);
            assert_true(site_slot_bytes(site) <= queue_bytes[q]);
            assert_int_equal(site_slots(site), in_stock);
        }
        print_message("  %zu bytes: %u slots\n", queue_bytes[q], most);
        assert_int_equal(most > 0, queue_bytes[q] > 4096);
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
        cmocka_unit_test(every_piece_comes_back_once_at_any_number_of_workers),
        cmocka_unit_test(runners_of_any_kind_do_every_piece_once),
        cmocka_unit_test(work_of_a_runner_that_refuses_is_done_by_the_caller),
        cmocka_unit_test(depth_follows_from_the_time_of_work),
        cmocka_unit_test(buffers_limit_what_is_generated),
        cmocka_unit_test(cancelled_chunks_need_no_buffer),
        cmocka_unit_test(results_come_in_three_lists_in_order),
        cmocka_unit_test(a_mesh_without_a_neighbour_is_not_found),
        cmocka_unit_test(work_is_cancelled_before_it_begins_and_while_it_runs),
        cmocka_unit_test(a_save_is_waited_for_even_if_cancelled),
        cmocka_unit_test(stopping_in_the_middle_of_work_returns_all_of_it),
        cmocka_unit_test(waves_have_the_same_results_at_any_number_of_workers),
        cmocka_unit_test(a_wave_generates_as_many_chunks_as_it_has_buffers),
        cmocka_unit_test(what_no_worker_has_begun_is_taken_back_in_order),
        cmocka_unit_test(every_allocation_of_the_creation_may_fail),
        cmocka_unit_test(workers_without_a_reader_of_the_store_are_reported),
        cmocka_unit_test(without_memory_one_buffer_does_all_work),
        cmocka_unit_test(memory_is_populated_by_workers_alone),
        cmocka_unit_test(slots_in_stock_stay_within_queue_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
