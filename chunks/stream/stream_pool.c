// Worker threads, their lock, and the queues between them and the calling thread.
//
// One lock covers all queues. A piece of work takes 20 us or more and holds the lock for some 0.1
// us, so a lock-free queue would not speed up workers. But the calling thread must not wait for a
// worker that the system suspended while it held the lock: it tries a few times, then continues and
// tries again at its next update.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): for syscall
#else
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "stream_pool.h"

#include <pthread.h>
#include <stdalign.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

#include "base/memory.h"

#define POOL_BUFFER_MAX 4096u   // the most that queue_bytes allows
#define POOL_LOCK_TRIES 64      // some us
#define POOL_RUNNER_PIECES 256u // most pieces that one start of the caller's runner does
#define POOL_DEFAULT_MAX 16u
#define POOL_SLOTS_MAX 128u // most slots of one size class in stock
#define POOL_SLOTS_DECAY 8u // the part of the recent demand that one update forgets

/// Slots of one size class that workers write chunks into.
typedef struct PoolStock {
    TrnVoxelSlot slots[POOL_SLOTS_MAX]; ///< [count]
    uint32_t count;
    uint32_t requested; ///< since the stock was last filled
    uint32_t wanted;    ///< recent demand
} PoolStock;

/// One worker thread, or one start of the caller's runner.
typedef struct PoolWorker {
    TrnStreamPool *pool;
    pthread_t thread;
    uint32_t number;    ///< 1..workers
    bool is_handed_out; ///< given to the runner; under the lock
} PoolWorker;

struct TrnStreamPool {
    pthread_mutex_t lock;
    pthread_cond_t work_added, work_done;
    // Under the lock.
    TrnStreamWorkList unbuffered[TRN_STREAM_LANE_COUNT]; ///< needs no buffer
    TrnStreamWorkList generating[TRN_STREAM_LANE_COUNT];
    /// [done_count] an array, since all are collected at once
    TrnStreamWork *done[TRN_STREAM_WORK_MAX];
    uint32_t done_count;
    TrnBlock *buffers[POOL_BUFFER_MAX]; ///< [buffer_count] free buffers
    uint32_t buffer_count;
    PoolStock stock[TRN_VOXEL_CLASS_COUNT];
    bool has_stock; ///< some slots are in stock, or some were requested
    uint32_t running, sleeping, handed_out;
    bool is_stopping, is_joining;
    // Set once, before the threads start.
    TrnStreamPoolDef def;
    TrnStreamRunner runner;
    bool has_runner;
    uint32_t workers, worker_capacity; ///< running; asked for
    TrnAllocator allocator;
    /// all, so that the size is the same at any number of workers
    PoolWorker worker[TRN_STREAM_WORKER_MAX];
};

double trn_stream_system_clock_us(void *user)
{
    (void)user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

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

static void pool_append(TrnStreamWorkList *to, TrnStreamWorkList *from)
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

static TrnStreamWork *pool_take_generating(TrnStreamPool *pool, TrnStreamLane lane)
{
    TrnStreamWork *work = pool->generating[lane].first;
    if (!work) {
        return NULL;
    }
    // Cancelled work needs no buffer to be discarded.
    const bool is_cancelled = atomic_load_explicit(&work->is_cancelled, memory_order_relaxed);
    if (!is_cancelled && !pool->buffer_count) {
        return NULL;
    }
    work->buffer = is_cancelled ? NULL : pool->buffers[--pool->buffer_count];
    return trn_stream_work_pop(&pool->generating[lane]);
}

/// Returns the next piece of work of lanes up to `last`, or NULL if none can run.
static TrnStreamWork *pool_take(TrnStreamPool *pool, TrnStreamLane last)
{
    for (int lane = 0; lane <= (int)last; lane++) {
        TrnStreamWork *work = trn_stream_work_pop(&pool->unbuffered[lane]);
        work = work ? work : pool_take_generating(pool, (TrnStreamLane)lane);
        if (work) {
            pool->running++;
            work->is_running = true;
            return work;
        }
    }
    return NULL;
}

static bool pool_has_work(const TrnStreamPool *pool)
{
    for (int lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
        if (pool->unbuffered[lane].first || (pool->generating[lane].first && pool->buffer_count)) {
            return true;
        }
    }
    return false;
}

/// Runs a piece of work with the lock released, then adds it to the finished work.
static void pool_run(TrnStreamPool *pool, TrnStreamWork *work, uint32_t worker)
{
    pthread_mutex_unlock(&pool->lock);
    pool->def.run(pool->def.context, work, worker);
    pthread_mutex_lock(&pool->lock);
    if (work->buffer && (work->is_uniform || work->slot.payload || work->result != TRN_RESULT_OK)) {
        pool->buffers[pool->buffer_count++] = work->buffer;
        work->buffer = NULL;
    }
    work->is_running = false;
    pool->done[pool->done_count++] = work;
    pool->running--;
    if (pool->is_joining) {
        pthread_cond_broadcast(&pool->work_done);
    }
}

/// Lowers the priority of this thread as far as the system allows, so that the calling thread need
/// not wait for a worker's time slice when there are fewer cores than busy threads.
static void pool_lower_priority(uint32_t nice_levels)
{
#if defined(__linux__)
    // Linux sets nice values by thread, unlike POSIX. Failure does no harm.
    const id_t self = (id_t)syscall(SYS_gettid);
    if (nice_levels) {
        const struct sched_param none = {0};
        (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + (int)nice_levels);
        // A woken nice thread can still preempt the caller that has just issued work to it; a batch
        // thread waits for its turn.
        (void)syscall(SYS_sched_setscheduler, self, SCHED_BATCH, &none);
    }
#else
    (void)nice_levels;
#endif
}

static void *pool_thread(void *context)
{
    PoolWorker *worker = context;
    TrnStreamPool *pool = worker->pool;
    pool_lower_priority(pool->def.nice_levels);
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_stopping) {
        TrnStreamWork *work = pool_take(pool, TRN_STREAM_LANE_REST);
        if (work) {
            pool_run(pool, work, worker->number);
            continue;
        }
        pool->sleeping++;
        pthread_cond_wait(&pool->work_added, &pool->lock);
        pool->sleeping--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/// The function that the caller's runner calls.
static void pool_runner_work(void *context)
{
    PoolWorker *worker = context;
    TrnStreamPool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < POOL_RUNNER_PIECES && !pool->is_stopping; i++) {
        TrnStreamWork *work = pool_take(pool, TRN_STREAM_LANE_REST);
        if (!work) {
            break;
        }
        pool_run(pool, work, worker->number);
    }
    worker->is_handed_out = false;
    pool->handed_out--;
    pthread_cond_broadcast(&pool->work_done);
    pthread_mutex_unlock(&pool->lock);
}

// ---- creation and destruction ------------------------------------------------------------------

uint32_t trn_stream_pool_workers_wanted(uint32_t workers, const TrnStreamRunner *runner)
{
    if (runner) {
        return runner->concurrency < TRN_STREAM_WORKER_MAX ? runner->concurrency
                                                           : TRN_STREAM_WORKER_MAX;
    }
    if (workers != TRN_STREAM_WORKERS_DEFAULT) {
        return workers < TRN_STREAM_WORKER_MAX ? workers : TRN_STREAM_WORKER_MAX;
    }
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long spare = cores > 1 ? cores - 1 : 0;
    return spare < (long)POOL_DEFAULT_MAX ? (uint32_t)spare : POOL_DEFAULT_MAX;
}

static bool pool_init_locks(TrnStreamPool *pool)
{
    if (pthread_mutex_init(&pool->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&pool->work_added, NULL) != 0) {
        pthread_mutex_destroy(&pool->lock);
        return false;
    }
    if (pthread_cond_init(&pool->work_done, NULL) != 0) {
        pthread_cond_destroy(&pool->work_added);
        pthread_mutex_destroy(&pool->lock);
        return false;
    }
    return true;
}

/// Starts as many threads as the system allows.
static void pool_start(TrnStreamPool *pool)
{
    for (uint32_t i = 0; i < pool->worker_capacity; i++) {
        PoolWorker *worker = &pool->worker[i];
        worker->pool = pool;
        worker->number = i + 1;
        if (!pool->has_runner && pthread_create(&worker->thread, NULL, pool_thread, worker) != 0) {
            return;
        }
        pool->workers++;
    }
}

TrnResult trn_stream_pool_create(const TrnStreamPoolDef *def, TrnStreamPool **pool)
{
    TrnAllocator allocator = *def->allocator;
    TrnStreamPool *created = trn_take(&allocator, sizeof *created, alignof(TrnStreamPool));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(created, 0, sizeof *created);
    created->def = *def;
    created->allocator = allocator;
    created->worker_capacity = def->workers;
    created->has_runner = def->runner != NULL;
    created->runner = def->runner ? *def->runner : (TrnStreamRunner){0};
    if (!pool_init_locks(created)) {
        trn_give(&allocator, created, sizeof *created);
        return TRN_RESULT_NO_MEMORY;
    }
    pool_start(created);
    *pool = created;
    return TRN_RESULT_OK;
}

static void pool_take_queued(TrnStreamPool *pool, TrnStreamWorkList *left)
{
    for (int lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
        pool_append(left, &pool->unbuffered[lane]);
        pool_append(left, &pool->generating[lane]);
    }
}

void trn_stream_pool_stop(TrnStreamPool *pool, TrnStreamWorkList *left)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_stopping = true;
    pthread_cond_broadcast(&pool->work_added);
    while (pool->handed_out) { // the runner calls each start once, even after stopping
        pthread_cond_wait(&pool->work_done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->workers && !pool->has_runner; i++) {
        pthread_join(pool->worker[i].thread, NULL);
    }
    pool->workers = 0;
    pool_take_queued(pool, left);
    for (uint32_t i = 0; i < pool->done_count; i++) {
        trn_stream_work_push(left, pool->done[i]);
    }
    pool->done_count = 0;
}

void trn_stream_pool_destroy(TrnStreamPool *pool)
{
    if (!pool) {
        return;
    }
    TRN_ASSERT(pool->is_stopping);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_added);
    pthread_mutex_destroy(&pool->lock);
    TrnAllocator allocator = pool->allocator;
    trn_give(&allocator, pool, sizeof *pool);
}

uint32_t trn_stream_pool_workers(const TrnStreamPool *pool)
{
    return pool->workers;
}

// ---- the calling thread ------------------------------------------------------------------------

static bool pool_lock(TrnStreamPool *pool, bool may_block)
{
    if (may_block) {
        pthread_mutex_lock(&pool->lock);
        return true;
    }
    for (int i = 0; i < POOL_LOCK_TRIES; i++) {
        if (pthread_mutex_trylock(&pool->lock) == 0) {
            return true;
        }
    }
    return false;
}

bool trn_stream_pool_issue(TrnStreamPool *pool, TrnStreamWorkList *work, TrnBlock **free_buffers,
                           uint32_t *free_count, bool may_block)
{
    if ((!work->count && !*free_count) || !pool_lock(pool, may_block)) {
        return !work->count && !*free_count;
    }
    for (TrnStreamWork *one; (one = trn_stream_work_pop(work));) {
        const bool generates = one->kind == TRN_STREAM_WORK_GENERATE;
        trn_stream_work_push(
            generates ? &pool->generating[one->lane] : &pool->unbuffered[one->lane], one);
    }
    for (; *free_count && pool->buffer_count < POOL_BUFFER_MAX; --*free_count) {
        pool->buffers[pool->buffer_count++] = free_buffers[*free_count - 1];
    }
    const bool wakes = pool->sleeping && pool_has_work(pool);
    pthread_mutex_unlock(&pool->lock);
    if (wakes) {
        pthread_cond_broadcast(&pool->work_added);
    }
    trn_stream_pool_start_runner(pool);
    return true;
}

uint32_t trn_stream_pool_collect(TrnStreamPool *pool, TrnStreamWork *done[TRN_STREAM_WORK_MAX],
                                 bool may_block)
{
    if (!pool_lock(pool, may_block)) {
        return 0;
    }
    const uint32_t count = pool->done_count;
    memcpy(done, pool->done, count * sizeof *done); // NOLINT(bugprone-sizeof-expression): pointers
    pool->done_count = 0;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

void trn_stream_pool_take_back(TrnStreamPool *pool, TrnStreamWorkList *left)
{
    pthread_mutex_lock(&pool->lock);
    pool_take_queued(pool, left);
    pthread_mutex_unlock(&pool->lock);
}

// ---- slots -------------------------------------------------------------------------------------

bool trn_stream_pool_take_slot(TrnStreamPool *pool, uint32_t size_class, TrnVoxelSlot *slot)
{
    if (size_class >= TRN_VOXEL_CLASS_COUNT) {
        return false;
    }
    PoolStock *stock = &pool->stock[size_class];
    pthread_mutex_lock(&pool->lock);
    stock->requested++;
    pool->has_stock = true;
    const bool has_slot = stock->count > 0;
    if (has_slot) {
        *slot = stock->slots[--stock->count];
    }
    pthread_mutex_unlock(&pool->lock);
    return has_slot;
}

/// How many slots of a size class to keep: twice the recent demand of one update.
static uint32_t pool_stock_wanted(PoolStock *stock)
{
    const uint32_t faded =
        stock->wanted - (stock->wanted + POOL_SLOTS_DECAY - 1) / POOL_SLOTS_DECAY;
    const uint32_t requested =
        stock->requested < POOL_SLOTS_MAX / 2 ? stock->requested * 2 : POOL_SLOTS_MAX;
    stock->requested = 0;
    stock->wanted = requested > faded ? requested : faded;
    return stock->wanted;
}

/// Fills or trims the stock of one size class.
static void pool_fill_stock(PoolStock *stock, TrnVoxelHeap *heap, uint32_t size_class,
                            uint32_t wanted)
{
    while (stock->count > wanted) {
        trn_voxel_slot_give(heap, &stock->slots[--stock->count]);
    }
    while (stock->count < wanted &&
           trn_voxel_slot_take(heap, size_class, &stock->slots[stock->count]) == TRN_RESULT_OK) {
        stock->count++;
    }
}

void trn_stream_pool_stock(TrnStreamPool *pool, TrnVoxelHeap *heap, size_t bytes_max)
{
    if (!pool_lock(pool, false)) {
        return;
    }
    if (pool->has_stock) { // nothing to do in most updates of a player who stands still
        const TrnVoxelHeapStats stats = trn_voxel_heap_stats(heap);
        size_t left = bytes_max;
        pool->has_stock = false;
        for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
            PoolStock *stock = &pool->stock[c];
            const size_t each = stats.classes[c].payload_bytes;
            const uint32_t wanted = pool_stock_wanted(stock);
            pool_fill_stock(stock, heap, c,
                            wanted * each <= left ? wanted : (uint32_t)(left / each));
            left -= stock->count * each;
            pool->has_stock |= wanted > 0;
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

void trn_stream_pool_clear_stock(TrnStreamPool *pool, TrnVoxelHeap *heap)
{
    pthread_mutex_lock(&pool->lock);
    for (uint32_t c = 0; c < TRN_VOXEL_CLASS_COUNT; c++) {
        PoolStock *stock = &pool->stock[c];
        while (stock->count) {
            trn_voxel_slot_give(heap, &stock->slots[--stock->count]);
        }
        stock->requested = stock->wanted = 0;
    }
    pthread_mutex_unlock(&pool->lock);
}

// ---- work on the calling thread ----------------------------------------------------------------

bool trn_stream_pool_help(TrnStreamPool *pool, bool urgent_only)
{
    if (!pool_lock(pool, false)) {
        return false;
    }
    TrnStreamWork *work =
        pool_take(pool, urgent_only ? TRN_STREAM_LANE_URGENT : TRN_STREAM_LANE_REST);
    if (work) {
        pool_run(pool, work, 0);
    }
    // Workers may sleep because this thread had the only free buffer.
    const bool wakes = work && pool->sleeping && pool_has_work(pool);
    pthread_mutex_unlock(&pool->lock);
    if (wakes) {
        pthread_cond_broadcast(&pool->work_added);
    }
    return work != NULL;
}

void trn_stream_pool_join(TrnStreamPool *pool, bool is_helping)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_joining = true;
    const bool has_others = pool->workers > 0;
    for (;;) {
        TrnStreamWork *work =
            is_helping || !has_others ? pool_take(pool, TRN_STREAM_LANE_REST) : NULL;
        if (work) {
            pool_run(pool, work, 0);
        } else if (pool->has_runner && !pool->handed_out && pool_has_work(pool)) {
            pthread_mutex_unlock(&pool->lock);
            trn_stream_pool_start_runner(pool);
            pthread_mutex_lock(&pool->lock);
            is_helping = is_helping || !pool->handed_out; // the runner does not start: work here
        } else if (pool->running || (!is_helping && pool_has_work(pool))) {
            pthread_cond_wait(&pool->work_done, &pool->lock);
        } else {
            break;
        }
    }
    pool->is_joining = false;
    pthread_mutex_unlock(&pool->lock);
}

void trn_stream_pool_await(TrnStreamPool *pool, const TrnStreamWork *work)
{
    // A worker that takes it later finds it cancelled, under the lock.
    pthread_mutex_lock(&pool->lock);
    pool->is_joining = true;
    while (work->is_running) {
        pthread_cond_wait(&pool->work_done, &pool->lock);
    }
    pool->is_joining = false;
    pthread_mutex_unlock(&pool->lock);
}

bool trn_stream_pool_is_stalled(TrnStreamPool *pool)
{
    if (!pool->has_runner) {
        return false;
    }
    trn_stream_pool_start_runner(pool);
    pthread_mutex_lock(&pool->lock);
    const bool is_refused = !pool->handed_out && pool_has_work(pool);
    pthread_mutex_unlock(&pool->lock);
    return is_refused;
}

/// Takes a start that is not given to the runner, or NULL. Under the lock.
static PoolWorker *pool_take_idle_start(TrnStreamPool *pool)
{
    for (uint32_t i = 0; i < pool->workers; i++) {
        if (!pool->worker[i].is_handed_out) {
            pool->worker[i].is_handed_out = true;
            pool->handed_out++;
            return &pool->worker[i];
        }
    }
    return NULL;
}

void trn_stream_pool_start_runner(TrnStreamPool *pool)
{
    for (uint32_t i = 0; pool->has_runner && i < pool->workers; i++) {
        pthread_mutex_lock(&pool->lock);
        PoolWorker *worker =
            pool_has_work(pool) && !pool->is_stopping ? pool_take_idle_start(pool) : NULL;
        pthread_mutex_unlock(&pool->lock);
        if (!worker) {
            return;
        }
        if (!pool->runner.start(pool->runner.user, pool_runner_work, worker)) {
            pthread_mutex_lock(&pool->lock);
            worker->is_handed_out = false;
            pool->handed_out--;
            pthread_mutex_unlock(&pool->lock);
            return;
        }
    }
}
