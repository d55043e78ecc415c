// Pieces of work on the calling thread: started, issued, collected, cancelled, ended.

#include "stream_jobs.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "store/store_internal.h"

#define JOBS_BUFFERS_MAX 4096u
#define JOBS_BUFFER_PART 2u   // the part of queue_bytes that buffers may take
#define JOBS_LOADS_PART 2u    // the part of the buffers that chunks of one call of load_many take
#define JOBS_DEPTH_MIN 32u    // pieces of work issued for each worker
#define JOBS_DEPTH_FIRST 160u // the same while it is unknown how long work takes
#define JOBS_DEPTH_MORE 1.5   // times the work that the workers finish by the next update
#define JOBS_APART_MAX_US 1e6 // longest time between updates that the depth allows for
#define JOBS_US_WEIGHT 0.02   // weight of one piece of work in the average time
#define JOBS_CALLER_DEPTH 8u  // without workers
#define JOBS_PER_BUFFER 32u   // chunks to generate issued for each buffer
#define JOBS_STOCK_MORE 8u    // most that the stock grows by in one update
#define JOBS_SAMPLE 32u       // results from which it may grow by more than twice the demand
#define JOBS_PREFETCH 16u     // results to prefetch at a time

// ---- creation ----------------------------------------------------------------------------------

static void *jobs_alloc_zeroed(const TrnStreamJobs *jobs, size_t count, size_t element)
{
    void *memory = trn_take(jobs->allocator, count * element, alignof(max_align_t));
    if (memory) {
        memset(memory, 0, count * element);
    }
    return memory;
}

/// Allocates a block of idle work more. @return false without memory, or at the most
static bool jobs_add_works(TrnStreamJobs *jobs)
{
    if (jobs->block_count == TRN_STREAM_WORK_BLOCKS) {
        return false;
    }
    TrnStreamWork *block = jobs_alloc_zeroed(jobs, TRN_STREAM_WORK_BLOCK, sizeof *block);
    if (!block) {
        return false;
    }
    jobs->blocks[jobs->block_count++] = block;
    for (uint32_t i = 0; i < TRN_STREAM_WORK_BLOCK; i++) {
        trn_stream_work_push(&jobs->idle, &block[i]);
    }
    return true;
}

/// Allocates a buffer more. @return false without memory
static bool jobs_add_buffer(TrnStreamJobs *jobs)
{
    TrnBlock *buffer = trn_take(jobs->allocator, TRN_STREAM_BUFFER_BYTES, TRN_CACHE_LINE);
    if (!buffer) {
        return false;
    }
    jobs->buffers[jobs->buffer_count++] = buffer;
    jobs->free_buffers[jobs->free_count++] = buffer;
    return true;
}

static TrnResult jobs_create_works(TrnStreamJobs *jobs)
{
    const size_t buffers = jobs->run.def->queue_bytes / JOBS_BUFFER_PART / TRN_STREAM_BUFFER_BYTES;
    jobs->buffer_max = buffers < 1                  ? 1
                       : buffers > JOBS_BUFFERS_MAX ? JOBS_BUFFERS_MAX
                                                    : (uint32_t)buffers;
    jobs->buffers = jobs_alloc_zeroed(jobs, jobs->buffer_max, sizeof(TrnBlock *));
    jobs->free_buffers = jobs_alloc_zeroed(jobs, jobs->buffer_max, sizeof(TrnBlock *));
    return jobs->buffers && jobs->free_buffers && jobs_add_buffer(jobs) && jobs_add_works(jobs)
               ? TRN_RESULT_OK
               : TRN_RESULT_NO_MEMORY;
}

static void jobs_notify_no_worker(const TrnStreamJobs *jobs, TrnResult result)
{
    if (jobs->run.def->listener) {
        const TrnStreamEvent event = {.kind = TRN_STREAM_EVENT_NO_WORKER, .result = result};
        jobs->run.def->listener(jobs->run.def->listener_user, &event);
    }
}

/// Creates a reader of the store for each worker. @return how many workers have one
static uint32_t jobs_create_readers(TrnStreamJobs *jobs, uint32_t workers)
{
    for (uint32_t i = 1; i <= workers; i++) {
        if (trn_chunk_index_reader_create(trn_store_index(jobs->run.def->store), "stream worker",
                                          &jobs->run.readers[i]) != TRN_RESULT_OK) {
            jobs->run.readers[i] = NULL;
            return i - 1;
        }
    }
    return workers;
}

/// What allocates the scratch of a worker. That of the calling thread alone counts against the byte
/// budget, or exact replay would depend on the number of workers.
static const TrnAllocator *jobs_scratch_allocator(const TrnStreamJobs *jobs, uint32_t worker)
{
    return worker == 0 ? jobs->allocator : &jobs->run.any_allocator;
}

/// Creates what threads solve light with, if the def asks for light. A guest uses its host's, if
/// that has any: no thread works for both at the same time.
static TrnResult jobs_create_lights(TrnStreamJobs *jobs, const TrnStreamJobs *host,
                                    uint32_t workers)
{
    if (!jobs->run.def->light) {
        return TRN_RESULT_OK;
    }
    const uint64_t hash_key = trn_store_hash_key(jobs->run.def->store);
    TrnResult result = trn_sky_create(jobs->allocator, hash_key, &jobs->run.sky);
    TrnStreamLight *const *shared = host && host->run.lights[0] ? host->run.lights : NULL;
    jobs->has_hosts_lights = shared != NULL;
    for (uint32_t i = 0; i <= workers && result == TRN_RESULT_OK; i++) {
        if (shared) {
            jobs->run.lights[i] = shared[i];
        } else {
            result = trn_stream_light_create(jobs_scratch_allocator(jobs, i), &jobs->run.lights[i]);
        }
    }
    return result;
}

/// How many chunks to load at once.
static uint32_t jobs_load_max(const TrnStreamJobs *jobs)
{
    const TrnStreamSource *source = &jobs->run.def->source;
    const uint32_t buffers = jobs->buffer_max / JOBS_LOADS_PART;
    uint32_t max = source->load_many ? source->load_max : 1;
    max = max < TRN_STREAM_LOADS_MAX ? max : TRN_STREAM_LOADS_MAX;
    return max < buffers ? max : buffers;
}

TrnResult trn_stream_jobs_create(TrnStreamJobs *jobs, const TrnStreamDef *def, uint32_t level,
                                 const TrnStreamJobs *host, const TrnAllocator *allocator)
{
    *jobs = (TrnStreamJobs){.run = {.def = def,
                                    .level = level,
                                    .hash_key = trn_store_hash_key(def->store),
                                    .any_allocator = trn_allocator_or_default(def->allocator)},
                            .allocator = allocator};
    TrnResult result = jobs_create_works(jobs);
    if (result == TRN_RESULT_OK) {
        result = trn_stream_stock_create(allocator, &jobs->run.stock);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t asked =
        host ? trn_stream_jobs_workers(host) : trn_stream_workers_wanted(def->workers, def->runner);
    const uint32_t workers = jobs_create_readers(jobs, asked);
    const TrnStreamWorkersDef threads = {.workers = workers,
                                         .runner = def->runner,
                                         .host = host ? host->run.workers : NULL,
                                         .run = trn_stream_run,
                                         .context = &jobs->run,
                                         .load_max = jobs_load_max(jobs),
                                         .nice_levels = def->worker_nice,
                                         .allocator = allocator};
    result = trn_stream_workers_create(&threads, &jobs->run.workers);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t started = trn_stream_workers_count(jobs->run.workers);
    jobs->not_started = asked - started;
    for (uint32_t i = started; i < asked; i++) {
        jobs_notify_no_worker(jobs, i < workers ? TRN_RESULT_NO_MEMORY : TRN_RESULT_FULL);
    }
    return jobs_create_lights(jobs, host, started);
}

static void jobs_move(TrnStreamWorkList *to, TrnStreamWorkList *from)
{
    for (TrnStreamWork *work; (work = trn_stream_work_pop(from));) {
        trn_stream_work_push(to, work);
    }
}

void trn_stream_jobs_stop(TrnStreamJobs *jobs)
{
    // Cancelled first, so that hooks that check for it end early.
    for (uint32_t i = 0; i < jobs->block_count * TRN_STREAM_WORK_BLOCK; i++) {
        TrnStreamWork *work = &jobs->blocks[i / TRN_STREAM_WORK_BLOCK][i % TRN_STREAM_WORK_BLOCK];
        atomic_store_explicit(&work->is_cancelled, true, memory_order_relaxed);
        work->cell = TRN_STREAM_WORK_NO_CELL;
    }
    TrnStreamWorkList *left = &jobs->results[TRN_STREAM_RESULTS_OTHER];
    if (jobs->run.workers) {
        trn_stream_workers_stop(jobs->run.workers, left);
        trn_stream_stock_clear(jobs->run.stock, trn_store_voxel_heap(jobs->run.def->store));
    }
    jobs_move(left, &jobs->issued);
}

void trn_stream_jobs_destroy(TrnStreamJobs *jobs)
{
    if (!jobs->allocator) {
        return;
    }
    trn_stream_workers_destroy(jobs->run.workers);
    trn_stream_stock_destroy(jobs->run.stock);
    for (uint32_t i = 1; i <= TRN_STREAM_WORKER_MAX; i++) {
        if (jobs->run.readers[i]) {
            trn_chunk_index_reader_destroy(jobs->run.readers[i]);
        }
    }
    for (uint32_t i = 0; i <= TRN_STREAM_WORKER_MAX && !jobs->has_hosts_lights; i++) {
        trn_stream_light_destroy(jobs_scratch_allocator(jobs, i), jobs->run.lights[i]);
    }
    trn_sky_destroy(jobs->run.sky);
    for (uint32_t i = 0; i < jobs->buffer_count; i++) {
        trn_give(jobs->allocator, jobs->buffers[i], TRN_STREAM_BUFFER_BYTES);
    }
    trn_give(jobs->allocator, jobs->free_buffers, jobs->buffer_max * sizeof(TrnBlock *));
    trn_give(jobs->allocator, jobs->buffers, jobs->buffer_max * sizeof(TrnBlock *));
    for (uint32_t i = 0; i < jobs->block_count; i++) {
        trn_give(jobs->allocator, jobs->blocks[i], TRN_STREAM_WORK_BLOCK * sizeof(TrnStreamWork));
    }
}

TrnSky *trn_stream_jobs_sky(const TrnStreamJobs *jobs)
{
    return jobs->run.sky;
}

uint32_t trn_stream_jobs_workers(const TrnStreamJobs *jobs)
{
    return trn_stream_workers_count(jobs->run.workers);
}

// ---- starting ----------------------------------------------------------------------------------

bool trn_stream_jobs_reserve(TrnStreamJobs *jobs)
{
    return jobs->idle.first || jobs_add_works(jobs);
}

TrnStreamWork *trn_stream_jobs_start(TrnStreamJobs *jobs, TrnStreamCell *cell,
                                     TrnStreamWorkKind kind, bool is_urgent)
{
    TrnStreamWork *work = trn_stream_work_pop(&jobs->idle);
    TRN_ASSERT(work && !cell->work);
    work->job = (TrnStreamJob){.coord = cell->coord,
                               .level = jobs->run.level,
                               .hash_key = jobs->run.hash_key,
                               .data = kind == TRN_STREAM_WORK_GENERATE ? &work->data.sink : NULL};
    atomic_store_explicit(&work->is_cancelled, false, memory_order_relaxed);
    work->cell = cell->slot;
    work->stamp = cell->stamp;
    work->kind = kind;
    work->is_urgent = is_urgent;
    work->known_light = cell->made_stamp == cell->stamp ? cell->made_light : 0;
    work->made_light = 0;
    work->is_spared = false;
    work->buffer = NULL;
    work->slot = (TrnVoxelSlot){0};
    work->is_uniform = work->is_coded = work->is_restored = work->is_skipped = work->is_absent =
        false;
    work->is_counted = false;
    work->mesh = (TrnStreamMesh){0};
    work->light = NULL;
    work->result = TRN_RESULT_OK;
    work->load_us = work->hook_us = -1;
    cell->work = work;
    cell->save = kind == TRN_STREAM_WORK_SAVE ? work : cell->save;
    jobs->under_way++;
    jobs->generating += kind == TRN_STREAM_WORK_GENERATE;
    return work;
}

bool trn_stream_jobs_cancel(TrnStreamCell *cell)
{
    if (!cell->work) {
        return false;
    }
    cell->work->cell = TRN_STREAM_WORK_NO_CELL;
    atomic_store_explicit(&cell->work->is_cancelled, true, memory_order_relaxed);
    cell->work = NULL;
    return true;
}

bool trn_stream_jobs_are_busy(const TrnStreamCell *cell)
{
    return cell->work != NULL;
}

TrnStreamWorkKind trn_stream_jobs_kind(const TrnStreamCell *cell)
{
    return cell->work->kind;
}

bool trn_stream_jobs_are_saving(const TrnStreamCell *cell)
{
    return cell->save != NULL;
}

void trn_stream_jobs_outdate(TrnStreamCell *cell)
{
    cell->stamp++;
}

bool trn_stream_jobs_is_current(const TrnStreamCell *cell, const TrnStreamWork *work)
{
    return cell->stamp == work->stamp;
}

void trn_stream_jobs_stats(const TrnStreamJobs *jobs, TrnStreamStats *stats)
{
    stats->workers = trn_stream_jobs_workers(jobs);
    stats->workers_failed = jobs->not_started;
    stats->under_way = jobs->under_way;
    stats->cancelled_before = jobs->cancelled_before;
    stats->cancelled_during = jobs->cancelled_during;
}

uint32_t trn_stream_jobs_under_way(const TrnStreamJobs *jobs)
{
    return jobs->under_way;
}

uint32_t trn_stream_jobs_generating(const TrnStreamJobs *jobs)
{
    return jobs->generating + jobs->results[TRN_STREAM_RESULTS_GENERATED].count;
}

void trn_stream_jobs_await_save(TrnStreamJobs *jobs, const TrnStreamCell *cell)
{
    if (cell->save) {
        atomic_store_explicit(&cell->save->is_cancelled, true, memory_order_relaxed);
        trn_stream_workers_await(jobs->run.workers, cell->save);
    }
}

void trn_stream_jobs_add(TrnStreamJobs *jobs, TrnStreamWork *work)
{
    trn_stream_work_push(&jobs->issued, work);
}

void trn_stream_jobs_begin_update(TrnStreamJobs *jobs)
{
    jobs->collected_before = jobs->collected;
    jobs->collected = 0;
}

uint32_t trn_stream_jobs_depth(const TrnStreamJobs *jobs, double apart_us)
{
    const uint32_t workers = trn_stream_jobs_workers(jobs);
    apart_us = apart_us < JOBS_APART_MAX_US ? apart_us : JOBS_APART_MAX_US;
    const double pieces = jobs->work_us > 0 ? apart_us / jobs->work_us * workers : 0;
    double depth = fmax(pieces, fmax(jobs->collected, jobs->collected_before)) * JOBS_DEPTH_MORE;
    depth += workers * (jobs->work_us > 0 ? JOBS_DEPTH_MIN : JOBS_DEPTH_FIRST) + JOBS_CALLER_DEPTH;
    return depth < TRN_STREAM_WORK_MAX ? (uint32_t)depth : TRN_STREAM_WORK_MAX;
}

/// Allocates buffers until there are `count`, as far as memory allows. @return how many there are:
/// one always
static uint32_t jobs_reserve_buffers(TrnStreamJobs *jobs, uint32_t count)
{
    count = count < jobs->buffer_max ? count : jobs->buffer_max;
    while (jobs->buffer_count < count && jobs_add_buffer(jobs)) {
    }
    return jobs->buffer_count;
}

uint32_t trn_stream_jobs_generate_max(TrnStreamJobs *jobs)
{
    const uint32_t buffers = jobs_reserve_buffers(jobs, jobs->generating + JOBS_CALLER_DEPTH);
    // Most chunks release their buffer at once: they are uniform, or find a slot.
    const uint32_t max = buffers * JOBS_PER_BUFFER;
    const uint32_t now = trn_stream_jobs_generating(jobs);
    return now < max ? max - now : 0;
}

void trn_stream_jobs_issue(TrnStreamJobs *jobs)
{
    (void)jobs_reserve_buffers(jobs, jobs->generating);
    (void)trn_stream_workers_issue(jobs->run.workers, &jobs->issued, jobs->free_buffers,
                                   &jobs->free_count, false);
}

void trn_stream_jobs_stock(TrnStreamJobs *jobs, uint32_t depth, bool is_short)
{
    if (trn_stream_jobs_workers(jobs)) {
        // Few results say little of what more work would need.
        const uint32_t done = jobs->collected < JOBS_SAMPLE ? depth : jobs->collected;
        const uint32_t times = depth / done;
        const size_t bytes = is_short ? 0 : jobs->run.def->queue_bytes;
        trn_stream_stock_fill(jobs->run.stock, trn_store_voxel_heap(jobs->run.def->store), bytes,
                              times < JOBS_STOCK_MORE ? times : JOBS_STOCK_MORE, jobs->run.workers);
    }
}

void trn_stream_jobs_populate(TrnStreamJobs *jobs, TrnPoolFresh fresh)
{
    trn_stream_workers_populate(jobs->run.workers, fresh);
}

// ---- running -----------------------------------------------------------------------------------

void trn_stream_jobs_run(TrnStreamJobs *jobs, TrnStreamWork *work)
{
    trn_stream_run(&jobs->run, work, 0);
}

bool trn_stream_jobs_help(TrnStreamJobs *jobs, bool edits_only)
{
    return trn_stream_workers_help(jobs->run.workers, edits_only);
}

bool trn_stream_jobs_are_stalled(TrnStreamJobs *jobs)
{
    return trn_stream_workers_is_stalled(jobs->run.workers);
}

void trn_stream_jobs_join(TrnStreamJobs *jobs)
{
    trn_stream_workers_wait(jobs->run.workers);
}

// ---- results -----------------------------------------------------------------------------------

/// Prefetches a piece of work, which is in the worker core's cache.
static void jobs_prefetch(const TrnStreamWork *work)
{
    for (size_t at = 0; at < sizeof *work; at += TRN_CACHE_LINE) {
        __builtin_prefetch((const unsigned char *)work + at, 1);
    }
}

void trn_stream_jobs_collect(TrnStreamJobs *jobs, bool may_block,
                             void (*collected)(void *user, TrnStreamWork *work), void *user)
{
    const uint32_t count = trn_stream_workers_collect(jobs->run.workers, jobs->done, may_block);
    jobs->collected += count;
    for (uint32_t i = 0; i < count && i < JOBS_PREFETCH; i++) {
        jobs_prefetch(jobs->done[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamWork *work = jobs->done[i];
        if (i + JOBS_PREFETCH < count) {
            jobs_prefetch(jobs->done[i + JOBS_PREFETCH]);
        }
        const bool generates = work->kind == TRN_STREAM_WORK_GENERATE;
        jobs->generating -= generates;
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            collected(user, work);
        }
        const TrnStreamResults which = generates         ? TRN_STREAM_RESULTS_GENERATED
                                       : work->is_urgent ? TRN_STREAM_RESULTS_URGENT
                                                         : TRN_STREAM_RESULTS_OTHER;
        trn_stream_work_push(&jobs->results[which], work);
    }
}

uint32_t trn_stream_jobs_peek(TrnStreamJobs *jobs, const TrnStreamCells *cells,
                              TrnStreamResults which, TrnStreamWork **out, uint32_t count)
{
    uint32_t found = 0;
    TrnStreamWork *work = jobs->results[which].first;
    for (; work && found < count; work = work->next) {
        if (work->cell != TRN_STREAM_WORK_NO_CELL) {
            trn_stream_cells_prefetch(cells, work->cell);
            __builtin_prefetch(work->slot.payload);
        }
        out[found++] = work;
    }
    return found;
}

TrnStreamWork *trn_stream_jobs_take(TrnStreamJobs *jobs, TrnStreamResults which)
{
    return trn_stream_work_pop(&jobs->results[which]);
}

uint32_t trn_stream_jobs_waiting(const TrnStreamJobs *jobs, TrnStreamResults which)
{
    return jobs->results[which].count;
}

TrnStreamCell *trn_stream_jobs_release(const TrnStreamCells *cells, const TrnStreamWork *work)
{
    if (work->cell == TRN_STREAM_WORK_NO_CELL) {
        return NULL;
    }
    TrnStreamCell *cell = trn_stream_cells_at(cells, work->cell);
    cell->work = NULL;
    return cell;
}

static void jobs_count_time(TrnStreamJobs *jobs, const TrnStreamWork *work)
{
    if (work->is_skipped) {
        return;
    }
    const double us = fmax((double)work->load_us, 0) + fmax((double)work->hook_us, 0);
    jobs->work_us += jobs->work_us > 0 ? (us - jobs->work_us) * JOBS_US_WEIGHT : us;
}

void trn_stream_jobs_end(TrnStreamJobs *jobs, const TrnStreamCells *cells, TrnStreamWork *work)
{
    if (work->kind == TRN_STREAM_WORK_SAVE) { // also allows the next one, if this was cancelled
        TrnStreamCell *cell = trn_stream_cells_find(cells, work->job.coord);
        if (cell && cell->save == work) {
            cell->save = NULL;
        }
    }
    if (work->cell == TRN_STREAM_WORK_NO_CELL) {
        jobs->cancelled_before += work->is_skipped;
        jobs->cancelled_during += !work->is_skipped;
    }
    jobs_count_time(jobs, work);
    trn_voxel_slot_give(trn_store_voxel_heap(jobs->run.def->store), &work->slot);
    trn_stream_data_free(&work->data);
    if (work->buffer) {
        jobs->free_buffers[jobs->free_count++] = work->buffer;
        work->buffer = NULL;
    }
    jobs->under_way--;
    // Last in, first out: the last one used is in the cache.
    work->next = jobs->idle.first;
    jobs->idle.first = work;
    jobs->idle.last = jobs->idle.last ? jobs->idle.last : work;
    jobs->idle.count++;
}

void trn_stream_jobs_cancelled_first(TrnStreamJobs *jobs)
{
    TrnStreamWorkList *all = &jobs->results[TRN_STREAM_RESULTS_GENERATED];
    TrnStreamWorkList cancelled = {0}, wanted = {0};
    for (TrnStreamWork *work; (work = trn_stream_work_pop(all));) {
        trn_stream_work_push(work->cell == TRN_STREAM_WORK_NO_CELL ? &cancelled : &wanted, work);
    }
    jobs_move(all, &cancelled);
    jobs_move(all, &wanted);
}

// ---- exact replay ------------------------------------------------------------------------------

void trn_stream_jobs_take_back(TrnStreamJobs *jobs)
{
    TrnStreamWorkList left = {0};
    trn_stream_workers_take_back(jobs->run.workers, &left);
    for (TrnStreamWork *work = left.first; work; work = work->next) {
        work->is_absent = false; // the source may have it when it runs
    }
    jobs_move(&left, &jobs->issued);
    jobs->issued = left;
    trn_stream_workers_join(jobs->run.workers, true);
    // With slots, free memory would depend on which worker takes which.
    trn_stream_stock_clear(jobs->run.stock, trn_store_voxel_heap(jobs->run.def->store));
}

bool trn_stream_jobs_wave_may_generate(const TrnStreamJobs *jobs)
{
    return jobs->wave_generating < jobs->buffer_count &&
           !jobs->results[TRN_STREAM_RESULTS_GENERATED].count;
}

void trn_stream_jobs_wave_add(TrnStreamJobs *jobs, TrnStreamWork *work)
{
    jobs->wave_generating += work->kind == TRN_STREAM_WORK_GENERATE;
    jobs->wave[jobs->wave_count++] = work;
    trn_stream_work_push(&jobs->wave_work, work);
}

uint32_t trn_stream_jobs_wave_begin(TrnStreamJobs *jobs, uint32_t units, bool may_generate)
{
    units = units < TRN_STREAM_WORK_MAX ? units : TRN_STREAM_WORK_MAX;
    (void)jobs_reserve_buffers(jobs, units);
    jobs->wave_work = (TrnStreamWorkList){0};
    jobs->wave_count = jobs->wave_generating = 0;
    TrnStreamWorkList kept = {0};
    for (TrnStreamWork *work; (work = trn_stream_work_pop(&jobs->issued));) {
        const bool generates = work->kind == TRN_STREAM_WORK_GENERATE;
        if (jobs->wave_count < units &&
            (!generates || (may_generate && trn_stream_jobs_wave_may_generate(jobs)))) {
            trn_stream_jobs_wave_add(jobs, work);
        } else {
            trn_stream_work_push(&kept, work);
        }
    }
    jobs->issued = kept;
    return units - jobs->wave_count;
}

uint32_t trn_stream_jobs_wave_run(TrnStreamJobs *jobs)
{
    while (jobs->wave_work.count || jobs->free_count) {
        (void)trn_stream_workers_issue(jobs->run.workers, &jobs->wave_work, jobs->free_buffers,
                                       &jobs->free_count, true);
    }
    trn_stream_workers_join(jobs->run.workers, true);
    (void)trn_stream_workers_collect(jobs->run.workers, jobs->done,
                                     true); // `wave` has them in order
    jobs->generating -= jobs->wave_generating;
    for (uint32_t i = 0; i < jobs->wave_count; i++) {
        TrnStreamWork *work = jobs->wave[i];
        work->next = NULL;
        trn_stream_work_push(
            &jobs->results[work->kind == TRN_STREAM_WORK_GENERATE ? TRN_STREAM_RESULTS_GENERATED
                                                                  : TRN_STREAM_RESULTS_OTHER],
            work);
    }
    return jobs->wave_count;
}
