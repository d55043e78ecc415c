// Worker threads, their lock, and the queues between them and the calling thread.
//
// One lock covers all queues, those of guests too, so that a worker that finds no work anywhere
// cannot miss what a guest issues before it sleeps. A piece of work takes 20 us or more and holds
// the lock for some 0.1 us, so a lock-free queue would not speed up workers. But the calling thread
// must not wait for a worker that the system suspended while it held the lock: it tries a few
// times, then continues and tries again at its next update.

#include "stream_workers.h"

#include <stdalign.h>
#include <string.h>

#include "base/address_range.h"
#include "base/memory.h"
#include "base/thread.h"

#define WORKERS_BUFFER_MAX 4096u // the most that queue_bytes allows
// Terrain takes 224 KiB; musl gives a thread 128 KiB.
#define WORKERS_STACK_BYTES ((size_t)1 << 20)
#define WORKERS_LOCK_TRIES 64      // some us
#define WORKERS_RUNNER_PIECES 256u // most pieces that one start of the caller's runner does
#define WORKERS_DEFAULT_MAX 16u
/// Work is taken in the order of issue, urgent work first.
enum { WORKERS_URGENT, WORKERS_REST, WORKERS_LANES };

#define WORKERS_LOADS_FIRST 4u // chunks that a worker that was idle loads at once; doubles

#define WORKERS_FRESH_MAX 64u                  // pieces of memory that wait to be populated
#define WORKERS_FRESH_BYTES ((size_t)64 << 10) // populated at a time: other threads may wait

/// One worker thread, or one start of the caller's runner.
typedef struct Worker {
    TrnStreamWorkers *workers;
    TrnThread thread;
    uint32_t number; ///< 1..workers
    // Under the lock.
    bool is_handed_out; ///< given to the runner
    uint32_t loads;     ///< chunks that it may load at once
} Worker;

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): fields are grouped by lock
struct TrnStreamWorkers {
    /// Whose lock, conditions and threads do the work: itself, unless it is a guest.
    struct TrnStreamWorkers *host;
    TrnMutex lock;
    TrnCondition work_added, work_done;
    // Under the host's lock.
    struct TrnStreamWorkers *next_guest;         ///< of the same host; the host comes first
    TrnStreamWorkList unbuffered[WORKERS_LANES]; ///< needs no buffer
    TrnStreamWorkList generating[WORKERS_LANES];
    /// [done_count] an array, since all are collected at once
    TrnStreamWork *done[TRN_STREAM_WORK_MAX];
    uint32_t done_count;
    TrnBlock *buffers[WORKERS_BUFFER_MAX]; ///< [buffer_count] free buffers
    uint32_t buffer_count;
    uint32_t running; ///< pieces of work
    // Likewise, of a host alone.
    TrnStreamTask *first_task, *last_task; ///< queued
    /// To be populated, in this order: entry n at n % WORKERS_FRESH_MAX.
    TrnPoolFresh fresh[WORKERS_FRESH_MAX];
    uint32_t fresh_next, fresh_end; ///< entry numbers
    uint32_t sleeping, handed_out;
    bool is_stopping, is_joining;
    // Set once, before the threads start.
    TrnStreamWorkersDef def;
    TrnStreamRunner runner;
    bool has_runner;
    bool is_stopped;  ///< no thread works for it any more
    uint32_t started; ///< threads
    uint32_t asked;   ///< workers with higher numbers do not work for it
    TrnAllocator allocator;
    /// all, so that the size is the same at any number of workers
    Worker worker[TRN_STREAM_WORKER_MAX];
};

// ---- lists -------------------------------------------------------------------------------------

void trn_stream_work_push(TrnStreamWorkList *list, TrnStreamWork *work)
{
    work->next = NULL;
    if (list->last) {
        list->last->next = work;
    } else {
        list->first = work;
    }
    list->last = work;
    list->count++;
}

TrnStreamWork *trn_stream_work_pop(TrnStreamWorkList *list)
{
    TrnStreamWork *work = list->first;
    if (work) {
        list->first = work->next;
        list->last = list->first ? list->last : NULL;
        list->count--;
        work->next = NULL;
    }
    return work;
}

static void workers_append(TrnStreamWorkList *to, TrnStreamWorkList *from)
{
    if (!from->first) {
        return;
    }
    if (to->last) {
        to->last->next = from->first;
    } else {
        to->first = from->first;
    }
    to->last = from->last;
    to->count += from->count;
    *from = (TrnStreamWorkList){0};
}

// ---- taking work, under the lock ---------------------------------------------------------------

static TrnStreamWork *workers_take_chunk(TrnStreamWorkers *workers, int lane)
{
    TrnStreamWork *work = workers->generating[lane].first;
    if (!work) {
        return NULL;
    }
    // Cancelled work needs no buffer to be discarded.
    const bool is_cancelled = atomic_load_explicit(&work->is_cancelled, memory_order_relaxed);
    if (!is_cancelled && !workers->buffer_count) {
        return NULL;
    }
    work->buffer = is_cancelled ? NULL : workers->buffers[--workers->buffer_count];
    return trn_stream_work_pop(&workers->generating[lane]);
}

/// Returns the next chunk to generate, or up to `loads` chunks to load, chained. NULL if none can
/// run.
static TrnStreamWork *workers_take_chunks(TrnStreamWorkers *workers, int lane, uint32_t loads)
{
    const TrnStreamWorkList *list = &workers->generating[lane];
    TrnStreamWork *first = workers_take_chunk(workers, lane), *last = first;
    loads = loads < workers->def.load_max ? loads : workers->def.load_max;
    for (uint32_t i = 1; i < loads && last && !last->is_absent; i++) {
        const bool is_load = list->first && !list->first->is_absent;
        last->next = is_load ? workers_take_chunk(workers, lane) : NULL;
        last = last->next;
    }
    return first;
}

static TrnStreamWork *workers_begin(TrnStreamWorkers *workers, TrnStreamWork *first)
{
    for (TrnStreamWork *work = first; work; work = work->next) {
        workers->running++;
        work->is_running = true;
    }
    return first;
}

/// Returns the next piece of work, or chained pieces, or NULL if none can run.
/// @param loads  the most chunks to load
static TrnStreamWork *workers_take(TrnStreamWorkers *workers, uint32_t loads)
{
    TrnStreamWork *work = NULL;
    for (int lane = 0; lane < WORKERS_LANES && !work; lane++) {
        work = trn_stream_work_pop(&workers->unbuffered[lane]);
        work = work ? work : workers_take_chunks(workers, lane, loads);
    }
    return workers_begin(workers, work);
}

static bool workers_has_work(const TrnStreamWorkers *workers)
{
    if (workers->first_task) {
        return true;
    }
    for (int lane = 0; lane < WORKERS_LANES; lane++) {
        if (workers->unbuffered[lane].first ||
            (workers->generating[lane].first && workers->buffer_count)) {
            return true;
        }
    }
    return false;
}

/// Whether a host or a guest has chunks to generate.
static bool workers_wait_for_buffers(const TrnStreamWorkers *host)
{
    bool is_waiting = false;
    for (const TrnStreamWorkers *workers = host; workers; workers = workers->next_guest) {
        is_waiting |= workers->generating[WORKERS_URGENT].first != NULL;
        is_waiting |= workers->generating[WORKERS_REST].first != NULL;
    }
    return is_waiting;
}

/// Adds a piece of work that ran to the finished work, or to what is to be generated.
static void workers_end(TrnStreamWorkers *workers, TrnStreamWork *work, TrnStreamWorkList *absent)
{
    if (work->buffer && (work->is_uniform || work->slot.payload || work->result != TRN_RESULT_OK)) {
        workers->buffers[workers->buffer_count++] = work->buffer;
        work->buffer = NULL;
    }
    work->is_running = false;
    workers->running--;
    if (work->is_absent) {
        trn_stream_work_push(absent, work);
    } else {
        workers->done[workers->done_count++] = work;
    }
}

/// Runs taken work with the lock released, then adds it to the finished work. Chunks that their
/// source lacks are next to be generated.
/// @return how many pieces ran
static uint32_t workers_run(TrnStreamWorkers *workers, TrnStreamWork *first, uint32_t worker)
{
    TrnStreamWorkers *host = workers->host;
    TrnStreamWorkList absent = {0};
    TrnStreamWorkList *generating =
        &workers->generating[first->is_urgent ? WORKERS_URGENT : WORKERS_REST];
    uint32_t count = 0;
    trn_mutex_unlock(&host->lock);
    workers->def.run(workers->def.context, first, worker);
    trn_mutex_lock(&host->lock);
    for (TrnStreamWork *work = first, *next; work; work = next, count++) {
        next = work->next;
        work->next = NULL;
        workers_end(workers, work, &absent);
    }
    workers_append(&absent, generating);
    *generating = absent;
    if (host->is_joining) {
        trn_condition_wake_all(&host->work_done);
    }
    if (count > 1 && host->sleeping && workers_has_work(workers)) { // many buffers are free again
        trn_condition_wake_all(&host->work_added);
    }
    return count;
}

/// Removes a task from a host's queue.
/// @param before  the task before it; NULL: it is the first
static TrnStreamTask *workers_take_task(TrnStreamWorkers *host, TrnStreamTask *before)
{
    TrnStreamTask *task = before ? before->next : host->first_task;
    *(before ? &before->next : &host->first_task) = task->next;
    host->last_task = host->last_task == task ? before : host->last_task;
    task->next = NULL;
    return task;
}

/// Runs a task that is not queued, with the lock released.
static void workers_run_task(TrnStreamWorkers *host, TrnStreamTask *task, uint32_t worker)
{
    atomic_store_explicit(&task->state, TRN_STREAM_TASK_RUNNING, memory_order_relaxed);
    host->running++;
    trn_mutex_unlock(&host->lock);
    task->run(task, worker);
    trn_mutex_lock(&host->lock);
    host->running--;
    atomic_store_explicit(&task->state, TRN_STREAM_TASK_DONE, memory_order_release);
    if (host->is_joining) {
        trn_condition_wake_all(&host->work_done);
    }
}

/// Runs the next piece of work of a host, the next of its tasks, or the next piece of work of its
/// guests. Of chunks to load, several at once, more from one time to the next.
/// @return how many pieces ran; 0: none can
static uint32_t workers_run_next(TrnStreamWorkers *host, Worker *worker)
{
    const uint32_t number = worker->number;
    for (TrnStreamWorkers *workers = host; workers; workers = workers->next_guest) {
        TrnStreamWork *work =
            number <= workers->asked ? workers_take(workers, worker->loads) : NULL;
        if (work) {
            const uint32_t count = workers_run(workers, work, number);
            worker->loads = count == worker->loads ? 2 * count : worker->loads;
            return count;
        }
        if (workers == host && host->first_task) { // guests have no tasks
            workers_run_task(host, workers_take_task(host, NULL), number);
            return 1;
        }
    }
    return 0;
}

/// Populates some memory with the lock released. @return false if none waits
static bool workers_populate(TrnStreamWorkers *workers)
{
    if (workers->fresh_next == workers->fresh_end) {
        return false;
    }
    TrnPoolFresh *first = &workers->fresh[workers->fresh_next % WORKERS_FRESH_MAX];
    const size_t bytes = first->bytes < WORKERS_FRESH_BYTES ? first->bytes : WORKERS_FRESH_BYTES;
    void *memory = first->memory;
    first->memory = (unsigned char *)memory + bytes;
    first->bytes -= bytes;
    workers->fresh_next += first->bytes == 0;
    trn_mutex_unlock(&workers->lock);
    trn_memory_populate(memory, bytes);
    trn_mutex_lock(&workers->lock);
    return true;
}

static void workers_thread(void *context)
{
    Worker *worker = context;
    TrnStreamWorkers *workers = worker->workers;
    // So that the calling thread need not wait for a worker's time slice when there are fewer cores
    // than busy threads.
    trn_thread_lower_priority(workers->def.nice_levels);
    trn_mutex_lock(&workers->lock);
    while (!workers->is_stopping) {
        if (workers_populate(workers) || workers_run_next(workers, worker)) {
            continue;
        }
        if (!workers_wait_for_buffers(workers)) {
            worker->loads = WORKERS_LOADS_FIRST;
        }
        workers->sleeping++;
        trn_condition_wait(&workers->work_added, &workers->lock);
        workers->sleeping--;
    }
    trn_mutex_unlock(&workers->lock);
}

/// The function that the caller's runner calls.
static void workers_runner_work(void *context)
{
    Worker *worker = context;
    TrnStreamWorkers *workers = worker->workers;
    trn_mutex_lock(&workers->lock);
    worker->loads = WORKERS_LOADS_FIRST;
    for (uint32_t done = 0, count = 1;
         count && done < WORKERS_RUNNER_PIECES && !workers->is_stopping; done += count) {
        count = workers_run_next(workers, worker);
    }
    worker->is_handed_out = false;
    workers->handed_out--;
    trn_condition_wake_all(&workers->work_done);
    trn_mutex_unlock(&workers->lock);
}

// ---- creation and destruction ------------------------------------------------------------------

uint32_t trn_stream_workers_wanted(uint32_t workers, const TrnStreamRunner *runner)
{
    if (runner) {
        return runner->concurrency < TRN_STREAM_WORKER_MAX ? runner->concurrency
                                                           : TRN_STREAM_WORKER_MAX;
    }
    if (workers != TRN_STREAM_WORKERS_DEFAULT) {
        return workers < TRN_STREAM_WORKER_MAX ? workers : TRN_STREAM_WORKER_MAX;
    }
    const uint32_t cores = trn_core_count();
    // A core for the caller, unless that would idle half of the machine: workers are nice.
    const uint32_t spare = cores > 2 ? cores - 1 : cores > 1 ? 2 : 0;
    return spare < WORKERS_DEFAULT_MAX ? spare : WORKERS_DEFAULT_MAX;
}

/// Creates the lock of a host's queues and what waits for it.
static bool workers_init_lock(TrnStreamWorkers *workers)
{
    if (!trn_mutex_init(&workers->lock)) {
        return false;
    }
    if (!trn_condition_init(&workers->work_added)) {
        trn_mutex_destroy(&workers->lock);
        return false;
    }
    if (!trn_condition_init(&workers->work_done)) {
        trn_condition_destroy(&workers->work_added);
        trn_mutex_destroy(&workers->lock);
        return false;
    }
    return true;
}

static void workers_destroy_lock(TrnStreamWorkers *workers)
{
    trn_condition_destroy(&workers->work_done);
    trn_condition_destroy(&workers->work_added);
    trn_mutex_destroy(&workers->lock);
}

/// Starts as many threads as the system allows.
static void workers_start(TrnStreamWorkers *workers)
{
    for (uint32_t i = 0; i < workers->asked; i++) {
        Worker *worker = &workers->worker[i];
        worker->workers = workers;
        worker->number = i + 1;
        worker->loads = WORKERS_LOADS_FIRST;
        if (!workers->has_runner &&
            !trn_thread_start(&worker->thread, WORKERS_STACK_BYTES, workers_thread, worker)) {
            return;
        }
        workers->started++;
    }
}

/// Adds a guest behind its host's other guests.
static void workers_join_host(TrnStreamWorkers *guest)
{
    TrnStreamWorkers *before = guest->host;
    trn_mutex_lock(&guest->host->lock);
    while (before->next_guest) {
        before = before->next_guest;
    }
    before->next_guest = guest;
    trn_mutex_unlock(&guest->host->lock);
}

/// Removes a guest, and waits until no worker runs its work.
static void workers_leave_host(TrnStreamWorkers *guest)
{
    TrnStreamWorkers *host = guest->host, *before = host;
    trn_mutex_lock(&host->lock);
    while (before->next_guest != guest) {
        before = before->next_guest;
    }
    before->next_guest = guest->next_guest;
    host->is_joining = true;
    while (guest->running) {
        trn_condition_wait(&host->work_done, &host->lock);
    }
    host->is_joining = false;
    trn_mutex_unlock(&host->lock);
}

TrnResult trn_stream_workers_create(const TrnStreamWorkersDef *def, TrnStreamWorkers **workers)
{
    TrnAllocator allocator = *def->allocator;
    TrnStreamWorkers *created = trn_take(&allocator, sizeof *created, alignof(TrnStreamWorkers));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(created, 0, sizeof *created);
    created->def = *def;
    created->allocator = allocator;
    created->asked = def->workers;
    created->host = def->host ? def->host : created;
    created->has_runner = !def->host && def->runner;
    created->runner = created->has_runner ? *def->runner : (TrnStreamRunner){0};
    if (!def->host && !workers_init_lock(created)) {
        trn_give(&allocator, created, sizeof *created);
        return TRN_RESULT_NO_MEMORY;
    }
    if (def->host) {
        workers_join_host(created);
    } else {
        workers_start(created);
    }
    *workers = created;
    return TRN_RESULT_OK;
}

static void workers_take_queued(TrnStreamWorkers *workers, TrnStreamWorkList *left)
{
    for (int lane = 0; lane < WORKERS_LANES; lane++) {
        workers_append(left, &workers->unbuffered[lane]);
        workers_append(left, &workers->generating[lane]);
    }
}

/// Ends the threads of a host.
static void workers_end_threads(TrnStreamWorkers *workers)
{
    trn_mutex_lock(&workers->lock);
    TRN_ASSERT(!workers->next_guest && !workers->first_task);
    workers->is_stopping = true;
    trn_condition_wake_all(&workers->work_added);
    while (workers->handed_out) { // the runner calls each start once, even after stopping
        trn_condition_wait(&workers->work_done, &workers->lock);
    }
    trn_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < workers->started && !workers->has_runner; i++) {
        trn_thread_join(&workers->worker[i].thread);
    }
    workers->started = 0;
}

void trn_stream_workers_stop(TrnStreamWorkers *workers, TrnStreamWorkList *left)
{
    if (workers->host == workers) {
        workers_end_threads(workers);
    } else {
        workers_leave_host(workers);
    }
    workers->is_stopped = true;
    workers_take_queued(workers, left);
    for (uint32_t i = 0; i < workers->done_count; i++) {
        trn_stream_work_push(left, workers->done[i]);
    }
    workers->done_count = 0;
}

void trn_stream_workers_destroy(TrnStreamWorkers *workers)
{
    if (!workers) {
        return;
    }
    TRN_ASSERT(workers->is_stopped);
    if (workers->host == workers) {
        workers_destroy_lock(workers);
    }
    TrnAllocator allocator = workers->allocator;
    trn_give(&allocator, workers, sizeof *workers);
}

uint32_t trn_stream_workers_count(const TrnStreamWorkers *workers)
{
    const uint32_t started = workers->host->started;
    return started < workers->asked ? started : workers->asked;
}

// ---- the calling thread ------------------------------------------------------------------------

bool trn_stream_try_lock(TrnMutex *lock)
{
    for (int i = 0; i < WORKERS_LOCK_TRIES; i++) {
        if (trn_mutex_try_lock(lock)) {
            return true;
        }
    }
    return false;
}

static bool workers_lock(TrnMutex *lock, bool may_block)
{
    if (!may_block) {
        return trn_stream_try_lock(lock);
    }
    trn_mutex_lock(lock);
    return true;
}

bool trn_stream_workers_issue(TrnStreamWorkers *workers, TrnStreamWorkList *work,
                              TrnBlock **free_buffers, uint32_t *free_count, bool may_block)
{
    if ((!work->count && !*free_count) || !workers_lock(&workers->host->lock, may_block)) {
        return !work->count && !*free_count;
    }
    for (TrnStreamWork *one; (one = trn_stream_work_pop(work));) {
        const bool generates = one->kind == TRN_STREAM_WORK_GENERATE;
        const int lane = one->is_urgent ? WORKERS_URGENT : WORKERS_REST;
        trn_stream_work_push(generates ? &workers->generating[lane] : &workers->unbuffered[lane],
                             one);
    }
    for (; *free_count && workers->buffer_count < WORKERS_BUFFER_MAX; --*free_count) {
        workers->buffers[workers->buffer_count++] = free_buffers[*free_count - 1];
    }
    const bool wakes = workers->host->sleeping && workers_has_work(workers);
    trn_mutex_unlock(&workers->host->lock);
    if (wakes) {
        trn_condition_wake_all(&workers->host->work_added);
    }
    trn_stream_workers_start_runner(workers);
    return true;
}

uint32_t trn_stream_workers_collect(TrnStreamWorkers *workers,
                                    TrnStreamWork *done[TRN_STREAM_WORK_MAX], bool may_block)
{
    if (!workers_lock(&workers->host->lock, may_block)) {
        return 0;
    }
    const uint32_t count = workers->done_count;
    memcpy(done, workers->done,
           count * sizeof *done); // NOLINT(bugprone-sizeof-expression): pointers
    workers->done_count = 0;
    trn_mutex_unlock(&workers->host->lock);
    return count;
}

void trn_stream_workers_take_back(TrnStreamWorkers *workers, TrnStreamWorkList *left)
{
    trn_mutex_lock(&workers->host->lock);
    workers_take_queued(workers, left);
    trn_mutex_unlock(&workers->host->lock);
}

// ---- memory ------------------------------------------------------------------------------------

void trn_stream_workers_populate(TrnStreamWorkers *workers, TrnPoolFresh fresh)
{
    TrnStreamWorkers *host = workers->host;
    if (!host->started || host->has_runner || !trn_stream_try_lock(&host->lock)) {
        return;
    }
    if (host->fresh_end - host->fresh_next < WORKERS_FRESH_MAX) {
        host->fresh[host->fresh_end++ % WORKERS_FRESH_MAX] = fresh;
    }
    trn_mutex_unlock(&host->lock);
}

// ---- work on the calling thread ----------------------------------------------------------------

bool trn_stream_workers_help(TrnStreamWorkers *workers, bool edits_only)
{
    if (!trn_stream_try_lock(&workers->host->lock)) {
        return false;
    }
    TrnStreamWork *work =
        edits_only
            ? workers_begin(workers, trn_stream_work_pop(&workers->unbuffered[WORKERS_URGENT]))
            : workers_take(workers, 1); // the calling thread need not wait for more
    if (work) {
        (void)workers_run(workers, work, 0);
    }
    // Workers may sleep because this thread had the only free buffer.
    const bool wakes = work && workers->host->sleeping && workers_has_work(workers);
    trn_mutex_unlock(&workers->host->lock);
    if (wakes) {
        trn_condition_wake_all(&workers->host->work_added);
    }
    return work != NULL;
}

void trn_stream_workers_join(TrnStreamWorkers *workers, bool is_helping)
{
    TrnStreamWorkers *host = workers->host;
    trn_mutex_lock(&host->lock);
    host->is_joining = true;
    const bool has_others = trn_stream_workers_count(workers) > 0;
    for (;;) {
        TrnStreamWork *work =
            is_helping || !has_others ? workers_take(workers, workers->def.load_max) : NULL;
        if (work) {
            (void)workers_run(workers, work, 0);
        } else if ((is_helping || !has_others) && workers == host && host->first_task) {
            workers_run_task(host, workers_take_task(host, NULL), 0);
        } else if (host->has_runner && !host->handed_out && workers_has_work(workers)) {
            trn_mutex_unlock(&host->lock);
            trn_stream_workers_start_runner(workers);
            trn_mutex_lock(&host->lock);
            is_helping = is_helping || !host->handed_out; // the runner does not start: work here
        } else if (workers->running || (!is_helping && workers_has_work(workers))) {
            trn_condition_wait(&host->work_done, &host->lock);
        } else {
            break;
        }
    }
    host->is_joining = false;
    trn_mutex_unlock(&host->lock);
}

void trn_stream_workers_await(TrnStreamWorkers *workers, const TrnStreamWork *work)
{
    TrnStreamWorkers *host = workers->host;
    // A worker that takes it later finds it cancelled, under the lock.
    trn_mutex_lock(&host->lock);
    host->is_joining = true;
    while (work->is_running) {
        trn_condition_wait(&host->work_done, &host->lock);
    }
    host->is_joining = false;
    trn_mutex_unlock(&host->lock);
}

void trn_stream_workers_wait(TrnStreamWorkers *workers)
{
    // The list of guests is read without the lock: only the calling thread changes it.
    for (TrnStreamWorkers *each = workers; each; each = each->next_guest) {
        trn_stream_workers_join(each, false);
        if (workers != workers->host) {
            return;
        }
    }
}

bool trn_stream_workers_is_stalled(TrnStreamWorkers *workers)
{
    TrnStreamWorkers *host = workers->host;
    if (!host->has_runner) {
        return false;
    }
    trn_stream_workers_start_runner(workers);
    trn_mutex_lock(&host->lock);
    const bool is_refused = !host->handed_out && workers_has_work(workers);
    trn_mutex_unlock(&host->lock);
    return is_refused;
}

/// Takes a start that is not given to the runner, or NULL. Under the lock.
static Worker *workers_take_idle_start(TrnStreamWorkers *host)
{
    for (uint32_t i = 0; i < host->started; i++) {
        if (!host->worker[i].is_handed_out) {
            host->worker[i].is_handed_out = true;
            host->handed_out++;
            return &host->worker[i];
        }
    }
    return NULL;
}

void trn_stream_workers_start_runner(TrnStreamWorkers *workers)
{
    TrnStreamWorkers *host = workers->host;
    for (uint32_t i = 0; host->has_runner && i < host->started; i++) {
        trn_mutex_lock(&host->lock);
        Worker *worker =
            workers_has_work(workers) && !host->is_stopping ? workers_take_idle_start(host) : NULL;
        trn_mutex_unlock(&host->lock);
        if (!worker) {
            return;
        }
        if (!host->runner.start(host->runner.user, workers_runner_work, worker)) {
            trn_mutex_lock(&host->lock);
            worker->is_handed_out = false;
            host->handed_out--;
            trn_mutex_unlock(&host->lock);
            return;
        }
    }
}

// ---- tasks -------------------------------------------------------------------------------------

bool trn_stream_workers_issue_task(TrnStreamWorkers *workers, TrnStreamTask *task)
{
    TRN_ASSERT(workers->host == workers);
    if (!workers->started || !trn_stream_try_lock(&workers->lock)) {
        return false;
    }
    atomic_store_explicit(&task->state, TRN_STREAM_TASK_QUEUED, memory_order_relaxed);
    task->next = NULL;
    *(workers->last_task ? &workers->last_task->next : &workers->first_task) = task;
    workers->last_task = task;
    const bool wakes = workers->sleeping > 0;
    trn_mutex_unlock(&workers->lock);
    if (wakes) {
        trn_condition_wake_all(&workers->work_added);
    }
    trn_stream_workers_start_runner(workers);
    return true;
}

/// Removes a task from the queue, if it is there.
static void workers_unqueue_task(TrnStreamWorkers *host, const TrnStreamTask *task)
{
    TrnStreamTask *before = NULL;
    for (TrnStreamTask *at = host->first_task; at; before = at, at = at->next) {
        if (at == task) {
            (void)workers_take_task(host, before);
            return;
        }
    }
}

void trn_stream_workers_finish_task(TrnStreamWorkers *workers, TrnStreamTask *task)
{
    trn_mutex_lock(&workers->lock);
    workers_unqueue_task(workers, task);
    workers->is_joining = true;
    while (atomic_load_explicit(&task->state, memory_order_relaxed) == TRN_STREAM_TASK_RUNNING) {
        trn_condition_wait(&workers->work_done, &workers->lock);
    }
    workers->is_joining = false;
    if (!trn_stream_task_is_done(task)) {
        workers_run_task(workers, task, 0);
    }
    trn_mutex_unlock(&workers->lock);
}
