/// Jobs without a stream: a few cells, a store, and hooks that count their calls. _GNU_SOURCE
/// must be defined on Linux, elsewhere _POSIX_C_SOURCE as 200809L.
#pragma once

#include <pthread.h>
#include <sched.h>

#include "rest.h"
#include "store/store_internal.h"
#include "stream/stream_jobs.h"
#include "stream_cell.h"
#include "stream_task.h"
#include "testing.h"

#define JOBS_MAX 2048u
#define LAYER_GENERATE 50 // chunks to generate; those at y = 0 are meshed and saved

typedef struct Site {
    struct Site *host; ///< of a guest
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
    _Atomic(uint32_t) began[JOBS_MAX];                     ///< by the x, see begun
    _Atomic(uint32_t) begun;                               ///< hooks of this site and its guests
    _Atomic(uint32_t) in_use[TRN_STREAM_WORKER_MAX + 1];   ///< by worker, guests' too
    _Atomic(uint32_t) running, cancelled_seen, violations; ///< violations: two share a worker
    _Atomic(uint32_t) by_caller, highest_worker;
    _Atomic(uint32_t) batches;          ///< calls of load_many
    _Atomic(uint32_t) batch[JOBS_MAX];  ///< [batches] chunks of each
    _Atomic(uint32_t) loaded_many;      ///< chunks of them all
    _Atomic(uint32_t) loaded[JOBS_MAX]; ///< [loaded_many] their x
    _Atomic(bool) is_held;              ///< hooks wait while set, unless cancelled
    _Atomic(uint32_t) ticks;
} Site;

// ---- hooks -------------------------------------------------------------------------------------

static inline void site_run(Site *site, const TrnStreamJob *job)
{
    Site *crew = site->host ? site->host : site;
    atomic_fetch_add(&site->violations, atomic_exchange(&crew->in_use[job->worker], 1));
    atomic_fetch_add(&site->runs[job->coord.x], 1);
    atomic_store(&site->began[job->coord.x], atomic_fetch_add(&crew->begun, 1));
    uint32_t highest = atomic_load(&site->highest_worker);
    while (highest < job->worker &&
           !atomic_compare_exchange_weak(&site->highest_worker, &highest, job->worker)) {
    }
    atomic_fetch_add(&site->by_caller, job->worker == 0);
    atomic_fetch_add(&site->running, 1);
    while (atomic_load(&site->is_held) && !trn_stream_job_is_cancelled(job)) {
        test_rest_us(50);
    }
    atomic_fetch_add(&site->cancelled_seen, trn_stream_job_is_cancelled(job));
    atomic_fetch_sub(&site->running, 1);
    atomic_store(&crew->in_use[job->worker], 0);
}

/// By x: every third chunk is uniform, the others are not; every eleventh fails.
static inline TrnResult site_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                      bool *uniform)
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

static inline TrnResult site_load(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                  bool *uniform)
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

static inline void site_load_many(void *user, TrnStreamLoadJob *loads, size_t count)
{
    Site *site = user;
    assert_in_range(count, 1, site->def.source.load_max);
    atomic_store(&site->batch[atomic_fetch_add(&site->batches, 1)], (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        TrnStreamLoadJob *load = &loads[i];
        const uint32_t at = atomic_fetch_add(&site->loaded_many, 1);
        atomic_store(&site->loaded[at], (uint32_t)load->job->coord.x);
        assert_int_equal(load->job->worker, loads[0].job->worker);
        assert_int_equal(load->result, TRN_RESULT_NOT_FOUND);
        assert_false(load->uniform);
        load->result = site_load(user, load->job, load->blocks, &load->uniform);
    }
}
static inline TrnResult site_mesh(void *user, const TrnStreamJob *job,
                                  const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    Site *site = user;
    site_run(site, job);
    *mesh = (TrnStreamMesh){.mesh = &site->runs[job->coord.x],
                            .bytes = trn_snapshot_get(input->around[13], 0) + (size_t)job->coord.x};
    return TRN_RESULT_OK;
}

static inline TrnResult site_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    site_run(user, job);
    return trn_snapshot_is_uniform(voxels) ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
}

static inline double site_clock(void *user)
{
    Site *site = user;
    return 100.0 * (atomic_fetch_add(&site->ticks, 1) + 1);
}

static inline void site_hear(void *user, const TrnStreamEvent *event)
{
    Site *site = user;
    site->no_worker_events += event->kind == TRN_STREAM_EVENT_NO_WORKER;
}

// ---- site --------------------------------------------------------------------------------------

/// TrnStreamDef.queue_bytes for a number of buffers: they take half of it.
static inline size_t bytes_of_buffers(size_t buffers)
{
    return 2 * buffers * TRN_STREAM_BUFFER_BYTES;
}

/// Everything but the jobs.
/// @param readers  of the store: workers beyond that cannot work
static inline Site *site_prepare_store(uint32_t workers, size_t queue_bytes,
                                       const TrnStreamRunner *runner, uint32_t readers)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    site->allocator = test_allocator(&site->memory);
    TrnStoreDef store = trn_store_def();
    store.allocator = &site->allocator;
    store.reader_max = readers;
    assert_int_equal(trn_store_create(&store, &site->store), TRN_RESULT_OK);
    assert_int_equal(trn_stream_cells_create(&site->cells, 0, 1, &site->allocator), TRN_RESULT_OK);
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

static inline Site *site_prepare(uint32_t workers, size_t queue_bytes,
                                 const TrnStreamRunner *runner)
{
    return site_prepare_store(workers, queue_bytes, runner, TRN_STREAM_WORKER_MAX);
}

/// A site whose work the workers of another do.
static inline Site *site_create_guest(Site *host, size_t queue_bytes, uint32_t readers)
{
    Site *site = site_prepare_store(0, queue_bytes, NULL, readers);
    site->host = host;
    assert_int_equal(
        trn_stream_jobs_create(&site->jobs, &site->def, 0, &host->jobs, &site->allocator),
        TRN_RESULT_OK);
    return site;
}

/// @param load_max  of the source's load_many; 0: it has none
static inline Site *site_create_batched(uint32_t workers, size_t queue_bytes,
                                        const TrnStreamRunner *runner, uint32_t load_max)
{
    Site *site = site_prepare(workers, queue_bytes, runner);
    site->def.source.load_many = load_max ? site_load_many : NULL;
    site->def.source.load_max = load_max;
    assert_int_equal(trn_stream_jobs_create(&site->jobs, &site->def, 0, NULL, &site->allocator),
                     TRN_RESULT_OK);
    assert_int_equal(trn_stream_jobs_workers(&site->jobs), runner ? runner->concurrency : workers);
    return site;
}

static inline Site *site_create(uint32_t workers, size_t queue_bytes, const TrnStreamRunner *runner)
{
    return site_create_batched(workers, queue_bytes, runner, 0);
}

/// Loads chunks, so that those at y = 0 can be meshed and saved.
static inline void site_fill(const Site *site, int32_t count)
{
    for (int32_t x = -1; x <= count; x++) {
        for (int32_t i = 0; i < 9; i++) {
            const TrnCoord coord = {x, i / 3 - 1, i % 3 - 1};
            assert_int_equal(trn_store_insert_uniform(site->store, coord, 3, NULL), TRN_RESULT_OK);
        }
    }
}

/// Starts a piece of work for the cell of a number, without giving it to the workers.
static inline TrnStreamWork *site_start(Site *site, uint32_t x, TrnStreamWorkKind kind,
                                        bool is_urgent)
{
    assert_true(x < JOBS_MAX);
    const TrnCoord coord = {(int32_t)x, kind == TRN_STREAM_WORK_GENERATE ? LAYER_GENERATE : 0, 0};
    TrnStreamCell *cell = stream_cell(&site->cells, coord);
    assert_non_null(cell);
    assert_true(trn_stream_jobs_reserve(&site->jobs));
    TrnStreamWork *work = trn_stream_jobs_start(&site->jobs, cell, kind, is_urgent);
    assert_true(trn_stream_jobs_are_busy(cell));
    assert_int_equal(trn_stream_jobs_kind(cell), kind);
    assert_int_equal(trn_stream_jobs_are_saving(cell), kind == TRN_STREAM_WORK_SAVE);
    return work;
}

static inline void site_add(Site *site, uint32_t x, TrnStreamWorkKind kind, bool is_urgent)
{
    trn_stream_jobs_add(&site->jobs, site_start(site, x, kind, is_urgent));
}

static inline TrnStreamCell *site_cell(const Site *site, uint32_t x, TrnStreamWorkKind kind)
{
    return trn_stream_cells_find(
        &site->cells,
        (TrnCoord){(int32_t)x, kind == TRN_STREAM_WORK_GENERATE ? LAYER_GENERATE : 0, 0});
}

static inline void site_collected(void *user, TrnStreamWork *work)
{
    Site *site = user;
    assert_true(work->cell != TRN_STREAM_WORK_NO_CELL);
    assert_false(work->is_running);
    site->collected++;
}

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

/// Checks what a hook has left in a piece of generated work. @return a hash of its voxels
static inline uint64_t site_check_generated(const Site *site, const TrnStreamWork *work)
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

static inline void site_check_result(Site *site, const TrnStreamWork *work, TrnStreamResults which)
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
static inline bool site_end_one(Site *site, TrnStreamResults which)
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

static inline void site_end_all(Site *site)
{
    for (int which = 0; which < TRN_STREAM_RESULTS_COUNT; which++) {
        while (site_end_one(site, (TrnStreamResults)which)) {
        }
        assert_int_equal(trn_stream_jobs_waiting(&site->jobs, (TrnStreamResults)which), 0);
    }
}

/// Issues what was added. A worker that the system suspends with the lock makes one call issue
/// nothing.
static inline void site_issue(Site *site)
{
    for (uint32_t i = 0;; i++) {
        trn_stream_jobs_issue(&site->jobs);
        if (!site->jobs.issued.first) {
            return;
        }
        assert_true(i < 100000);
        test_rest_us(100);
    }
}

/// Lets workers, or without them this thread, do what is issued, and ends what has come back.
static inline void site_pump(Site *site)
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

static inline void site_finish(Site *site)
{
    for (uint32_t i = 0; trn_stream_jobs_under_way(&site->jobs); i++) {
        assert_true(i < 2000000);
        site_pump(site);
        if (i % 64 == 63) { // for workers that the system has suspended
            test_rest_us(100);
        }
    }
    assert_int_equal(trn_stream_jobs_generating(&site->jobs), 0);
}

static inline void site_wait_running(const Site *site, uint32_t count)
{
    for (uint32_t i = 0; atomic_load(&site->running) != count; i++) {
        assert_true(i < 100000);
        test_rest_us(100);
    }
}

static inline uint32_t site_slots(const Site *site)
{
    return trn_voxel_heap_stats(trn_store_voxel_heap(site->store)).slots;
}

/// Ends everything but the jobs.
static inline void site_clear(Site *site)
{
    assert_int_equal(atomic_load(&site->violations), 0);
    trn_stream_cells_destroy(&site->cells);
    trn_store_destroy(site->store);
    assert_int_equal(site->memory.live_bytes, 0);
    free(site);
}

static inline void site_destroy(Site *site)
{
    trn_stream_jobs_stop(&site->jobs);
    assert_int_equal(atomic_load(&site->running), 0);
    site_end_all(site);
    assert_int_equal(trn_stream_jobs_under_way(&site->jobs), 0);
    assert_int_equal(site_slots(site), 0);
    trn_stream_jobs_destroy(&site->jobs);
    site_clear(site);
}

static inline TrnStreamWorkKind kind_of(uint32_t x)
{
    return x % 4 == 1   ? TRN_STREAM_WORK_MESH
           : x % 4 == 2 ? TRN_STREAM_WORK_SAVE
                        : TRN_STREAM_WORK_GENERATE;
}
