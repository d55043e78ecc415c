/// Private: pieces of work, and the threads that run them. Only this part of the library starts
/// threads.
///
/// The calling thread issues work and collects finished work. Workers take urgent work
/// first. Work that generates voxels needs a buffer and waits until one is free. A worker takes
/// several chunks to load at once if their source loads many sooner than one by one.
///
/// A guest has no threads: those of its host, another stream's, do its work when they find none of
/// the host's own, one piece at a time, first for the guest that was created first. The calling
/// thread works for a guest as for any stream. A worker keeps its number in all of them.
#ifndef TERRANE_STREAM_STREAM_WORKERS_H
#define TERRANE_STREAM_STREAM_WORKERS_H

#include <terrane/stream.h>

#include <stdatomic.h>

#include "base/thread.h"
#include "stream_data.h"
#include "stream_light.h"
#include "voxels/voxel_slot_internal.h"

#define TRN_STREAM_WORK_NO_CELL UINT32_MAX
#define TRN_STREAM_WORK_MAX 2048u ///< most pieces of work under way

typedef enum TrnStreamWorkKind {
    TRN_STREAM_WORK_GENERATE, ///< load or generate; needs a buffer
    TRN_STREAM_WORK_MESH,
    TRN_STREAM_WORK_SAVE
} TrnStreamWorkKind;

/// One piece of work. `job` comes first: hooks get its address.
typedef struct TrnStreamWork {
    TrnStreamJob job;
    _Atomic(bool) is_cancelled; ///< set by the calling thread, read by any thread
    // Used by the calling thread alone.
    /// Slot of the cell that waits for it; TRN_STREAM_WORK_NO_CELL once cancelled.
    uint32_t cell;
    uint32_t stamp;  ///< of the cell at the start
    bool is_counted; ///< the mesh counts against the budget
    // Written before it is issued.
    TrnStreamWorkKind kind;
    bool is_urgent; ///< before all other work
    /// As TrnStreamMade.light, of the shown mesh: no mesh is built if the light is that. 0: one is
    /// built.
    uint64_t known_light;
    // Used by the worker until it is done.
    /// [TRN_CHUNK_VOXELS] blocks or a code; NULL if the chunk is uniform or in `slot`.
    TrnBlock *buffer;
    TrnVoxelSlot slot; ///< holds the code; empty if no slot was in stock
    bool is_uniform, is_coded;
    bool is_restored; ///< by the load hook
    bool is_skipped;  ///< cancelled before it began
    /// Its source, asked for many chunks, has none here. It is queued again, for any worker to
    /// generate, and is not loaded a second time.
    bool is_absent;
    TrnBlock block;     ///< if uniform
    TrnStreamData data; ///< block data of a chunk that was loaded or generated
    TrnStreamMesh mesh;
    uint64_t made_light;    ///< of the mesh, as TrnStreamMade.light
    bool is_spared;         ///< as TrnStreamMade.is_spared
    TrnStreamPacked *light; ///< of the chunk, to be kept; or NULL
    TrnStreamStage stage;   ///< that `result` is of
    TrnResult result;
    float load_us, hook_us; ///< times of the load hook and of the other hook; negative: not called
    // Under the lock.
    bool is_running;
    struct TrnStreamWork *next;
} TrnStreamWork;

/// A list of work, first in, first out. All zeroes is an empty list.
typedef struct TrnStreamWorkList {
    TrnStreamWork *first, *last;
    uint32_t count;
} TrnStreamWorkList;

void trn_stream_work_push(TrnStreamWorkList *list, TrnStreamWork *work);
TrnStreamWork *trn_stream_work_pop(TrnStreamWorkList *list); ///< NULL if empty

typedef struct TrnStreamWorkers TrnStreamWorkers;

typedef struct TrnStreamWorkersDef {
    uint32_t workers;              ///< of a guest: only the host's first that many work for it
    const TrnStreamRunner *runner; ///< or NULL; ignored of a guest
    TrnStreamWorkers *host;        ///< NULL: not a guest
    /// Runs a piece of work and those chained behind it by `next`, on any thread; `worker` as in
    /// TrnStreamJob. Work is chained if it is to load chunks.
    void (*run)(void *context, TrnStreamWork *work, uint32_t worker);
    void *context;
    uint32_t load_max; ///< the most chunks to load that are chained; 0: as 1
    /// Added to the nice value of their threads; 0: none. Ignored of a guest.
    uint32_t nice_levels;
    const TrnAllocator *allocator;
} TrnStreamWorkersDef;

/// Starts threads. Those that cannot start are skipped: trn_stream_workers_count returns how many
/// run. Errors: NO_MEMORY.
TrnResult trn_stream_workers_create(const TrnStreamWorkersDef *def, TrnStreamWorkers **workers);

/// Waits for running work and ends the threads. Returns queued and finished work in `left`. Guests
/// stop before their host.
void trn_stream_workers_stop(TrnStreamWorkers *workers, TrnStreamWorkList *left);
void trn_stream_workers_destroy(TrnStreamWorkers *workers);

/// Returns how many workers run; of a guest, how many of the host's work for it.
uint32_t trn_stream_workers_count(const TrnStreamWorkers *workers);

/// Returns how many workers a def asks for.
uint32_t trn_stream_workers_wanted(uint32_t workers, const TrnStreamRunner *runner);

/// Tries a few times to lock what workers lock only for moments, for a thread that must not wait
/// for one that the system suspended with the lock. @return whether it is locked now
bool trn_stream_try_lock(TrnMutex *lock);

/// Issues work and returns free buffers. If issued, `work` is empty afterwards and
/// `free_count` 0.
/// @param may_block  false: does nothing while another thread holds the lock, so that a worker that
///                   the system suspended with the lock does not delay the caller
/// @return whether the work was issued
bool trn_stream_workers_issue(TrnStreamWorkers *workers, TrnStreamWorkList *work,
                              TrnBlock **free_buffers, uint32_t *free_count, bool may_block);

/// Collects finished work, in the order in which it finished.
/// @param may_block  false: collects nothing while another thread holds the lock
/// @return how many pieces of work were collected
uint32_t trn_stream_workers_collect(TrnStreamWorkers *workers,
                                    TrnStreamWork *done[TRN_STREAM_WORK_MAX], bool may_block);

/// Takes back work that was issued and has not begun, appending it to `left`.
void trn_stream_workers_take_back(TrnStreamWorkers *workers, TrnStreamWorkList *left);

/// Runs one piece of work on the calling thread. @param edits_only  meshes of edits alone
/// @return false if there was none, or the lock was taken
bool trn_stream_workers_help(TrnStreamWorkers *workers, bool edits_only);

/// Waits until nothing runs and nothing queued can run. @param is_helping  the calling thread works
/// too
void trn_stream_workers_join(TrnStreamWorkers *workers, bool is_helping);

/// The same without help, also for all guests of a host.
void trn_stream_workers_wait(TrnStreamWorkers *workers);

/// Waits until a cancelled piece of work ends, if a worker has begun it.
void trn_stream_workers_await(TrnStreamWorkers *workers, const TrnStreamWork *work);

/// Has workers populate memory that no one has touched yet, before other work. Only a hint: nothing
/// happens with a runner, if the lock is taken, or beyond what they can remember. Calling thread
/// only. The memory may be freed meanwhile.
void trn_stream_workers_populate(TrnStreamWorkers *workers, TrnPoolFresh fresh);

/// Starts the caller's runner if there is work. Does nothing without a runner.
void trn_stream_workers_start_runner(TrnStreamWorkers *workers);

/// Whether there is work but the caller's runner has refused to start.
bool trn_stream_workers_is_stalled(TrnStreamWorkers *workers);

// ---- tasks -------------------------------------------------------------------------------------
//
// A task is work that belongs to no chunk of a stream. Workers take tasks when they find none of
// their stream's own work, before that of guests.

typedef enum TrnStreamTaskState {
    TRN_STREAM_TASK_IDLE, ///< not issued; all zeroes
    TRN_STREAM_TASK_QUEUED,
    TRN_STREAM_TASK_RUNNING,
    TRN_STREAM_TASK_DONE ///< what it wrote can be read
} TrnStreamTaskState;

typedef struct TrnStreamTask {
    /// Runs on any thread. @param worker  as in TrnStreamJob
    void (*run)(struct TrnStreamTask *task, uint32_t worker);
    _Atomic(TrnStreamTaskState) state;
    struct TrnStreamTask *next; ///< under the lock
} TrnStreamTask;

/// Issues a task that is not under way. Its memory must stay until it is done.
/// @param workers  a host
/// @return false: no worker would run it, or the lock was taken
bool trn_stream_workers_issue_task(TrnStreamWorkers *workers, TrnStreamTask *task);

/// Runs a task on the calling thread unless a worker has begun it, and waits until it is done. Also
/// of a task that was not issued.
void trn_stream_workers_finish_task(TrnStreamWorkers *workers, TrnStreamTask *task);

/// Whether a task is done. Any thread.
static inline bool trn_stream_task_is_done(const TrnStreamTask *task)
{
    return atomic_load_explicit(&task->state, memory_order_acquire) == TRN_STREAM_TASK_DONE;
}

#endif
