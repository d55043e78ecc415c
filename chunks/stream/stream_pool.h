/// Private: pieces of work, and the threads that do them. The one part of the library that knows
/// threads.
///
/// The calling thread issues work and collects what is done; workers take the most urgent lane
/// first. Work that makes voxels needs a buffer, and waits while there is none.
#ifndef TERRANE_STREAM_STREAM_POOL_H
#define TERRANE_STREAM_STREAM_POOL_H

#include <stdatomic.h>

#include <terrane/stream.h>

#include "voxels/voxel_slot_internal.h"

#define TRN_STREAM_WORK_NO_CELL UINT32_MAX
#define TRN_STREAM_WORK_MAX 1024u ///< pieces of work under way

typedef enum TrnStreamWorkKind {
    TRN_STREAM_WORK_GENERATE, ///< load or generate; needs a buffer
    TRN_STREAM_WORK_MESH,
    TRN_STREAM_WORK_SAVE
} TrnStreamWorkKind;

/// One piece of work. `job` comes first: hooks know the work by it.
typedef struct TrnStreamWork {
    TrnStreamJob job;
    _Atomic(bool) is_cancelled; ///< set by the calling thread, looked at by any
    // The calling thread's alone.
    uint32_t
        cell; ///< slot of the chunk that waits for it; TRN_STREAM_WORK_NO_CELL once nobody does
    uint32_t stamp;  ///< of the chunk when it was issued
    bool is_counted; ///< the mesh's bytes are, against the budget
    // Written before it is issued.
    TrnStreamWorkKind kind;
    TrnStreamLane lane;
    // The worker's, until it is done.
    /// [TRN_CHUNK_VOXELS], or a code; NULL where the chunk is uniform or in `slot`
    TrnBlock *buffer;
    TrnVoxelSlot slot; ///< holds the code; none where there was none to be had
    bool is_uniform, is_coded;
    bool is_restored; ///< the load hook had it
    bool is_skipped;  ///< cancelled before it began
    TrnBlock block;   ///< where it is uniform
    TrnStreamMesh mesh;
    TrnStreamStage stage; ///< that `result` is of
    TrnResult result;
    float load_us, hook_us; ///< the load hook; whichever other hook; negative: not called
    // Under the pool's lock.
    bool is_running;
    struct TrnStreamWork *next;
} TrnStreamWork;

/// A list of work, first in, first out. All zeroes is empty.
typedef struct TrnStreamWorkList {
    TrnStreamWork *first, *last;
    uint32_t count;
} TrnStreamWorkList;

void trn_stream_work_push(TrnStreamWorkList *list, TrnStreamWork *work);
TrnStreamWork *trn_stream_work_pop(TrnStreamWorkList *list); ///< NULL when empty

typedef struct TrnStreamPool TrnStreamPool;

typedef struct TrnStreamPoolDef {
    uint32_t workers;
    const TrnStreamRunner *runner; ///< or NULL
    /// Does one piece of work, on any thread; `worker` as in TrnStreamJob.
    void (*run)(void *context, TrnStreamWork *work, uint32_t worker);
    void *context;
    /// by which the pool's own threads give way to the caller; 0: they do not
    uint32_t nice_levels;
    const TrnAllocator *allocator;
} TrnStreamPoolDef;

/// Threads that cannot be started are done without: trn_stream_pool_workers says how many run.
/// Errors: NO_MEMORY.
TrnResult trn_stream_pool_create(const TrnStreamPoolDef *def, TrnStreamPool **pool);

/// Waits for what is running, and ends the threads; what is queued or done is handed back. @param
/// pool  may be NULL
void trn_stream_pool_stop(TrnStreamPool *pool, TrnStreamWorkList *left);
void trn_stream_pool_destroy(TrnStreamPool *pool);

uint32_t trn_stream_pool_workers(const TrnStreamPool *pool);

/// How many workers a def asks for.
uint32_t trn_stream_pool_workers_wanted(uint32_t workers, const TrnStreamRunner *runner);

/// Hands over work, and buffers that are free again. `work` is empty after that, and `free_buffers`
/// a count of 0.
/// @param may_block  false: where the lock is not to be had at once nothing happens, so that a
///                    worker that the system has stopped with the lock in its hands does not hold
///                    up the caller
/// @return whether it happened
bool trn_stream_pool_issue(TrnStreamPool *pool, TrnStreamWorkList *work, TrnBlock **free_buffers,
                           uint32_t *free_count, bool may_block);

/// Collects what is done, in the order in which it was. @param may_block  as for
/// trn_stream_pool_issue
/// @return how many there are: 0 also where the lock was not to be had
uint32_t trn_stream_pool_collect(TrnStreamPool *pool, TrnStreamWork *done[TRN_STREAM_WORK_MAX],
                                 bool may_block);

/// Takes back what was handed over and has not begun, to the end of `left`.
void trn_stream_pool_take_back(TrnStreamPool *pool, TrnStreamWorkList *left);

/// Does one piece of work on the calling thread. @param urgent_only  only of the urgent lane
/// @return false where there was none to be had
bool trn_stream_pool_help(TrnStreamPool *pool, bool urgent_only);

/// Waits until nothing is running, and nothing queued can run. The calling thread helps where
/// `is_helping`.
void trn_stream_pool_join(TrnStreamPool *pool, bool is_helping);

/// Waits for a piece of work that is cancelled to end, where it has begun: it does nothing more
/// after that.
void trn_stream_pool_await(TrnStreamPool *pool, const TrnStreamWork *work);

/// Sees to it that workers find slots for what they make: about as many of each size class as they
/// have asked for of late, and no more than so many bytes. For the calling thread; does nothing
/// where the lock is not to be had at once.
void trn_stream_pool_stock(TrnStreamPool *pool, TrnVoxelHeap *heap, size_t bytes_max);

/// Gives all slots back that no worker has taken.
void trn_stream_pool_clear_stock(TrnStreamPool *pool, TrnVoxelHeap *heap);

/// Takes a slot of a size class out of the stock. On any thread. @return false where there is none
bool trn_stream_pool_take_slot(TrnStreamPool *pool, uint32_t size_class, TrnVoxelSlot *slot);

/// Has the caller's runner start where there is work. Nothing where there is no runner.
void trn_stream_pool_start_runner(TrnStreamPool *pool);

/// Whether there is work and nobody who does it: the caller's runner has refused to.
bool trn_stream_pool_is_stalled(TrnStreamPool *pool);

/// The monotonic clock in microseconds.
double trn_stream_system_clock_us(void *user);

#endif
