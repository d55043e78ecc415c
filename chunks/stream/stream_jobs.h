/// Private: the jobs of a stream: pieces of work under way for cells, from their start until their
/// result is applied.
///
/// A cell has at most one piece of work under way. Its result comes back through one of three
/// lists: urgent (meshes of edits), generated (chunks for the store), or other (meshes and saves).
#ifndef TERRANE_STREAM_STREAM_JOBS_H
#define TERRANE_STREAM_STREAM_JOBS_H

#include "stream_cells.h"
#include "stream_run.h"

#define TRN_STREAM_BUFFER_BYTES sizeof(TrnBlock[TRN_CHUNK_VOXELS])
#define TRN_STREAM_WORK_BLOCK 64u ///< pieces of work allocated at a time
#define TRN_STREAM_WORK_BLOCKS (TRN_STREAM_WORK_MAX / TRN_STREAM_WORK_BLOCK)

typedef enum TrnStreamResults {
    TRN_STREAM_RESULTS_URGENT,
    TRN_STREAM_RESULTS_GENERATED,
    TRN_STREAM_RESULTS_OTHER,
    TRN_STREAM_RESULTS_COUNT
} TrnStreamResults;

typedef struct TrnStreamJobs {
    TrnStreamRun run;
    bool has_hosts_lights; ///< run.lights are the host's
    const TrnAllocator *allocator;
    uint32_t not_started; ///< workers
    /// [block_count][TRN_STREAM_WORK_BLOCK] all work
    TrnStreamWork *blocks[TRN_STREAM_WORK_BLOCKS];
    uint32_t block_count;
    TrnStreamWorkList idle;   ///< of the blocks
    TrnStreamWorkList issued; ///< not yet given to the workers
    TrnStreamWorkList results[TRN_STREAM_RESULTS_COUNT];
    TrnStreamWork *done[TRN_STREAM_WORK_MAX]; ///< as collected
    TrnStreamWork *wave[TRN_STREAM_WORK_MAX]; ///< [wave_count] for exact replay
    TrnStreamWorkList wave_work;              ///< the same, until it runs
    uint32_t wave_count, wave_generating;
    uint32_t under_way;
    uint32_t generating;                  ///< part of under_way: not collected yet
    uint32_t collected, collected_before; ///< results in this update, and in the previous one
    TrnBlock **buffers;                   ///< [buffer_max] all buffers
    TrnBlock **free_buffers;              ///< [buffer_max] free, to be given to the workers
    uint32_t buffer_max, buffer_count, free_count;
    double work_us; ///< recent average time of one piece of work
    uint64_t cancelled_before, cancelled_during;
} TrnStreamJobs;

// ---- creation ----------------------------------------------------------------------------------

/// Starts workers, each with a reader of the store. Errors: NO_MEMORY; destroy what there is.
/// @param def        the stream's own copy, with a clock; must outlive the jobs
/// @param level      of the chunks
/// @param host       whose workers do the work, and must outlive the jobs; NULL: workers of its own
/// @param allocator  must outlive the jobs
TrnResult trn_stream_jobs_create(TrnStreamJobs *jobs, const TrnStreamDef *def, uint32_t level,
                                 const TrnStreamJobs *host, const TrnAllocator *allocator);

/// Cancels all work, waits for running hooks and ends the threads. Work of every kind that was not
/// collected yet moves to the other results. No result has a cell any more; take and end them all
/// before trn_stream_jobs_destroy.
void trn_stream_jobs_stop(TrnStreamJobs *jobs);
void trn_stream_jobs_destroy(TrnStreamJobs *jobs);

uint32_t trn_stream_jobs_workers(const TrnStreamJobs *jobs);

/// What is open to the sky above chunks that are meshed; NULL unless TrnStreamDef.light.
TrnSky *trn_stream_jobs_sky(const TrnStreamJobs *jobs);

// ---- starting ----------------------------------------------------------------------------------

/// Makes sure that another piece of work can start. @return false if the most are under way, or
/// there is no memory for more
bool trn_stream_jobs_reserve(TrnStreamJobs *jobs);

/// Starts a piece of work for a cell that has none, after trn_stream_jobs_reserve.
TrnStreamWork *trn_stream_jobs_start(TrnStreamJobs *jobs, TrnStreamCell *cell,
                                     TrnStreamWorkKind kind, bool is_urgent);

/// Cancels the work under way for a cell. @return whether there was any
bool trn_stream_jobs_cancel(TrnStreamCell *cell);

/// Whether work is under way for a cell; if so, which.
bool trn_stream_jobs_are_busy(const TrnStreamCell *cell);
TrnStreamWorkKind trn_stream_jobs_kind(const TrnStreamCell *cell);

/// Whether a save of a cell is under way, even a cancelled one.
bool trn_stream_jobs_are_saving(const TrnStreamCell *cell);

/// Records that voxels of a cell's chunk or of its neighbours changed.
void trn_stream_jobs_outdate(TrnStreamCell *cell);

/// Whether none of these changed since a piece of work started.
bool trn_stream_jobs_is_current(const TrnStreamCell *cell, const TrnStreamWork *work);

/// Adds workers, work and cancellations to statistics.
void trn_stream_jobs_stats(const TrnStreamJobs *jobs, TrnStreamStats *stats);

/// Pieces of work under way; chunks being generated, or waiting to be inserted.
uint32_t trn_stream_jobs_under_way(const TrnStreamJobs *jobs);
uint32_t trn_stream_jobs_generating(const TrnStreamJobs *jobs);

/// Tells a cell's save that it is cancelled, and waits for it if a worker has begun it: the hook
/// never runs twice at a time for one chunk. If it was not cancelled yet, the caller cancels it
/// too: the hook may not have run.
void trn_stream_jobs_await_save(TrnStreamJobs *jobs, const TrnStreamCell *cell);

/// Queues a started piece of work for the next trn_stream_jobs_issue.
void trn_stream_jobs_add(TrnStreamJobs *jobs, TrnStreamWork *work);

/// Begins an update with a time budget. Exact updates do not call it.
void trn_stream_jobs_begin_update(TrnStreamJobs *jobs);

/// How many pieces of work to keep under way: what workers finish by the next update, and some
/// more. Not beyond that, since the order of issued work is fixed.
/// @param apart_us  time between updates
uint32_t trn_stream_jobs_depth(const TrnStreamJobs *jobs, double apart_us);

/// Allocates buffers, as far as memory allows. @return how many more chunks may be generated: each
/// takes a buffer while a worker generates it, and until it is applied if it is neither uniform nor
/// in a slot
uint32_t trn_stream_jobs_generate_max(TrnStreamJobs *jobs);

/// Gives added work and free buffers to the workers. If a worker holds the lock, they stay until
/// the next call.
void trn_stream_jobs_issue(TrnStreamJobs *jobs);

/// Fills the stock of slots that workers write chunks into, within queue_bytes. Once an update,
/// before work is issued.
/// @param depth     as from trn_stream_jobs_depth
/// @param is_short  memory is short: keeps none, so that waiting chunks get it
void trn_stream_jobs_stock(TrnStreamJobs *jobs, uint32_t depth, bool is_short);

/// Has workers populate memory that is needed soon.
void trn_stream_jobs_populate(TrnStreamJobs *jobs, TrnPoolFresh fresh);

// ---- running -----------------------------------------------------------------------------------

/// Runs a piece of work that was started, and not added, on the calling thread.
void trn_stream_jobs_run(TrnStreamJobs *jobs, TrnStreamWork *work);

/// Runs one issued piece of work on the calling thread. @return false if there was none, or a
/// worker holds the lock
bool trn_stream_jobs_help(TrnStreamJobs *jobs, bool edits_only);

/// Whether there is work but the caller's runner has refused to start.
bool trn_stream_jobs_are_stalled(TrnStreamJobs *jobs);

/// Waits until workers have finished what was issued, also by all guests of a host.
void trn_stream_jobs_join(TrnStreamJobs *jobs);

// ---- results -----------------------------------------------------------------------------------

/// Collects finished work into the results.
/// @param may_block  false: collects nothing if a worker holds the lock
/// @param collected  called for each piece of work that was not cancelled
void trn_stream_jobs_collect(TrnStreamJobs *jobs, bool may_block,
                             void (*collected)(void *user, TrnStreamWork *work), void *user);

/// Looks at the first results of a list, and prefetches what applying them touches.
/// @param out  [count] receives them
/// @return how many there are
uint32_t trn_stream_jobs_peek(TrnStreamJobs *jobs, const TrnStreamCells *cells,
                              TrnStreamResults which, TrnStreamWork **out, uint32_t count);

/// Takes the first result of a list, or NULL.
TrnStreamWork *trn_stream_jobs_take(TrnStreamJobs *jobs, TrnStreamResults which);

uint32_t trn_stream_jobs_waiting(const TrnStreamJobs *jobs, TrnStreamResults which);

/// Detaches a cell from work whose result was taken. @return the cell, or NULL if it was cancelled
TrnStreamCell *trn_stream_jobs_release(const TrnStreamCells *cells, const TrnStreamWork *work);

/// Ends a piece of work whose result was taken, and frees its voxels; the mesh belongs to the
/// caller by now. @param cells  finds the cell of a save that has ended
void trn_stream_jobs_end(TrnStreamJobs *jobs, const TrnStreamCells *cells, TrnStreamWork *work);

/// Moves results whose cells are gone to the front of the generated ones: their memory is what the
/// first one waits for.
void trn_stream_jobs_cancelled_first(TrnStreamJobs *jobs);

// ---- exact replay ------------------------------------------------------------------------------

/// Takes back what timed updates have issued and no worker has begun, and waits for the rest.
void trn_stream_jobs_take_back(TrnStreamJobs *jobs);

/// Begins a wave of up to `units` pieces with work that was taken back. The rest of it stays.
/// @param may_generate  false: no new chunks
/// @return how many more pieces the wave may have
uint32_t trn_stream_jobs_wave_begin(TrnStreamJobs *jobs, uint32_t units, bool may_generate);

/// Whether the wave may generate another chunk: each keeps its buffer until it is applied.
bool trn_stream_jobs_wave_may_generate(const TrnStreamJobs *jobs);

/// Adds a started piece of work to the wave.
void trn_stream_jobs_wave_add(TrnStreamJobs *jobs, TrnStreamWork *work);

/// Runs a wave on all threads and waits for it. Collect what was finished before it first. Its
/// results come back in the order in which they were added, urgent ones too.
/// @return how many there are: in TRN_STREAM_RESULTS_GENERATED and TRN_STREAM_RESULTS_OTHER
uint32_t trn_stream_jobs_wave_run(TrnStreamJobs *jobs);

#endif
