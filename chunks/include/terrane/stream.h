/// Terrane, stream: decides which chunks exist around the players, and when. It keeps a store
/// filled around any number of anchors, generates and meshes chunks on workers, and keeps two
/// budgets: time on the calling thread, and bytes over everything.
///
///     TrnStreamDef def = trn_stream_def();
///     def.store = store;
///     def.generator = trn_terrain_generator(terrain); // or your own, or hooks.generate
///     def.hooks.mesh = make_mesh;
///     def.bytes_max = (size_t)128 << 20;
///     TrnStream *stream;
///     trn_stream_create(&def, &stream);
///     TrnStreamAnchor player = trn_stream_anchor();
///     TrnStreamAnchorId id;
///     trn_stream_anchor_add(stream, &player, &id);
///     for (;;) { // every frame
///         player.position = ...; player.velocity[0] = ...; player.view[0] = ...;
///         trn_stream_anchor_set(stream, id, &player);
///         trn_stream_update(stream, NULL, NULL);
///     }
///
/// Views. An anchor wants a flattened ball of chunks shown. One more chunk on every side is loaded,
/// since a chunk is meshed once all 26 neighbours are loaded. The ball grows ring by ring from the
/// anchor's chunk. When the anchor moves, only the shell that differs changes. A chunk unloads
/// `hysteresis_chunks` farther out than it loads.
///
/// Meshes. A mesh lasts until its chunk is unloaded or a newer mesh replaces it. A chunk that only
/// hysteresis keeps loaded keeps its mesh. For example, after a ball of radius 6 shrinks to radius
/// 3 with a hysteresis of 2, the 515 chunks of a ball of radius 5 stay shown, and 1,141 chunks stay
/// loaded.
///
/// Memory. Over budget, the view drops its outer rings; far chunks out of sight go first. It grows
/// again only when there is clearly capacity. If the allocator failed while bytes_max was not
/// reached, the stream retries one ring at a time, at most 480 updates after it dropped the last
/// ring.
///
/// Edits. The stream is the writer of its store while trn_stream_update, _save and _destroy run,
/// and it listens to the store. The game edits the store freely between updates (terrane/batch.h),
/// and may insert and remove chunks itself. Meshes of edited chunks are built first. All meshes
/// that one edit touches are uploaded in one update, except those that wait for a neighbour, should
/// not be shown, or whose hook fails. Edits that touch the same meshes before these are shown, are
/// shown together. With n meshes of edits pending, that happens at most 5 + n / 8 updates after the
/// first edit, plus the work a worker has begun. Continuous edits cannot delay it: the calling
/// thread then builds as many meshes as they touch and more, regardless of its budget.
///
/// Threads: call all functions except trn_stream_job_is_cancelled on the store's writer thread.
/// Each hook says on which thread it runs. The stream starts only the threads that its def asks
/// for. Workers read block types, so add types before creating the stream, or between
/// trn_stream_wait and the next update.
///
/// Tier: stable. Core: trn_stream_def, trn_stream_create, trn_stream_destroy, trn_stream_anchor,
/// trn_stream_anchor_add, trn_stream_anchor_set, trn_stream_update.
#ifndef TERRANE_STREAM_H
#define TERRANE_STREAM_H

#include <terrane/base.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/light.h>
#include <terrane/pool.h>
#include <terrane/store.h>
#include <terrane/voxels.h>

TRN_C_BEGIN

/// A stream. Opaque; the caller creates and destroys it.
typedef struct TrnStream TrnStream;

// ---- hooks -------------------------------------------------------------------------------------

/// What a hook works on. Hooks read the fields and never write them.
typedef struct TrnStreamJob {
    TrnCoord coord; ///< the chunk
    /// Level of detail: the chunk covers 32 << level voxels an axis. 0, except in a far view.
    uint32_t level;
    /// Index of the caller's scratch: 0 on the calling thread, 1..workers on the others. No two
    /// hooks that run at the same time share one.
    uint32_t worker;
    /// Receives the block data of the chunk that a hook loads or generates: call
    /// trn_stream_job_set_data. NULL: it is not asked for.
    const TrnDataSink *data;
    uint64_t hash_key; ///< of trn_stream_mesh_hash
} TrnStreamJob;

/// Whether the result of the work is no longer needed. A slow hook may then return early; the
/// stream ignores its result. Any thread. Cost: one atomic load.
TRN_API bool trn_stream_job_is_cancelled(const TrnStreamJob *job);

/// Sets block data of the chunk that a load or generate hook makes (terrane/block_data.h), which is
/// inserted with it. Data that goes with its block belongs to the block that the hook writes there.
/// @param data  copied
/// Errors: those of TrnDataSink.set; the hook then returns them.
static inline TrnResult trn_stream_job_set_data(const TrnStreamJob *job, const TrnBlockData *data)
{
    return job->data ? job->data->set(job->data->user, data) : TRN_RESULT_OK;
}

/// A mesh as the stream knows it: an address owned by the game, and its size.
typedef struct TrnStreamMesh {
    void *mesh;   ///< NULL: nothing to see
    size_t bytes; ///< its size, for the budget; read again after upload
    /// Of all that the upload hook shows, as trn_stream_mesh_hash() returns it: a mesh with the
    /// hash of the chunk's shown mesh is dropped, and not uploaded. 0: always uploaded.
    uint64_t hash;
} TrnStreamMesh;

/// Hashes a part of a mesh, for TrnStreamMesh.hash. The same bytes have the same hash within one
/// stream alone.
/// @param before  the hash of the part before it; 0: this is the first
/// @return never 0
/// Threads: any. Cost: O(size).
TRN_API uint64_t trn_stream_mesh_hash(const TrnStreamJob *job, const void *bytes, size_t size,
                                      uint64_t before);

/// What a mesh is built from.
typedef struct TrnStreamMeshInput {
    /// The chunk, [13], and its 26 neighbours in the order of trn_store_snapshot_around. Valid
    /// until the hook returns.
    TrnSnapshot around[TRN_AROUND_COUNT];
    /// Bit i: around[i] is loaded. All are, except those beyond the ends of the world.
    uint32_t present;
    const TrnLight *sky;    ///< light of the sky; NULL unless TrnStreamDef.light
    const TrnLight *blocks; ///< light that blocks emit; NULL unless TrnStreamDef.light
} TrnStreamMeshInput;

/// What the game provides. Every hook may be NULL; generate only where there is a generator.
/// Without mesh, the stream only loads chunks. Any result except OK, and NOT_FOUND from load,
/// counts as a failure. The stream retries after 8 updates, then 16, doubling up to 1,024.
typedef struct TrnStreamHooks {
    /// Generates a chunk, with more information than TrnGenerateFn gets. Runs on workers. For
    /// worlds that are equal at any number of workers, it must depend on the coordinate alone.
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; blocks[0] alone if
    ///                 the chunk is uniform
    /// @param uniform  receives whether every voxel is blocks[0]; false on entry
    TrnResult (*generate)(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform);
    /// Loads a saved chunk. Runs on workers, before generate. If it returns NOT_FOUND, the stream
    /// generates the chunk.
    TrnResult (*load)(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform);
    /// Saves an unsaved chunk before it is unloaded, or earlier: see TrnStreamSource. Runs on
    /// workers; on the calling thread from trn_stream_save, when another caller removes the chunk,
    /// and where there are no workers. If the save fails, the chunk stays loaded; a caller that
    /// would have removed or evicted it gets the result.
    /// @param voxels  valid until the hook returns
    TrnResult (*save)(void *user, const TrnStreamJob *job, TrnSnapshot voxels);
    /// Builds the mesh of a chunk. Runs on workers, inside a read section: memory that edits
    /// replace stays valid until the hook returns. Its allocator must work on any thread. Not
    /// called for chunks that are all air, unless TrnStreamDef.mesh_air is set.
    /// It must depend on nothing but the chunk, the voxels that touch it, and light: it is not
    /// called where all of these are what the shown mesh was built from.
    /// @param mesh  receives the mesh; all zeroes on entry
    TrnResult (*mesh)(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                      TrnStreamMesh *mesh);
    /// Shows a mesh in place of the chunk's previous mesh, which goes to drop_mesh right after.
    /// Runs on the calling thread. Also called for meshes with nothing to see, but not for chunks
    /// of air that had no mesh.
    /// @param mesh  still owned by the stream; the hook may lower `bytes` when it frees what it
    ///              copied to the graphics card
    TrnResult (*upload)(void *user, TrnChunk *chunk, TrnStreamMesh *mesh);
    /// Frees a mesh, shown or not. Called once for every mesh that is not NULL. Runs on the calling
    /// thread.
    void (*drop_mesh)(void *user, TrnStreamMesh mesh);
    /// The chunk is being unloaded: it is no longer in the store's index, and stays readable until
    /// the hook returns. Its mesh goes to drop_mesh right after. Runs on the calling thread.
    void (*unload)(void *user, TrnChunk *chunk);
    void *user; ///< passed to every hook
} TrnStreamHooks;

/// The most chunks of one call of TrnStreamSource.load_many.
#define TRN_STREAM_LOADS_MAX 64u

/// One chunk of TrnStreamSource.load_many.
typedef struct TrnStreamLoadJob {
    /// As for load; all of a call have the same worker. Each may be cancelled on its own.
    const TrnStreamJob *job;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS] receives the blocks, as for load
    bool uniform;     ///< receives whether every voxel is blocks[0]; false on entry
    TrnResult result; ///< receives what load would return; NOT_FOUND on entry
} TrnStreamLoadJob;

/// Where a stream loads chunks from and where it saves them, as one value to copy: a save of
/// terrane/save.h (trn_save_source) or a game's own. All zeroes is no source.
typedef struct TrnStreamSource {
    /// Loads a chunk, as TrnStreamHooks.load. If the game sets a hook for loading or saving, the
    /// hooks replace both.
    TrnResult (*load)(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform);
    /// Saves a chunk, as TrnStreamHooks.save.
    TrnResult (*save)(void *user, const TrnStreamJob *job, TrnSnapshot voxels);
    /// Finds the highest saved chunk of a column, for light from the sky (TrnStreamDef.light) where
    /// the generator makes only air. Runs on workers. NULL: such chunks count once they are loaded.
    /// @param from    level 0; the highest to consider
    /// @param lowest  the lowest
    /// @param y       receives it
    /// Errors: NOT_FOUND; any other fails the mesh that needs it, and the stream tries again.
    TrnResult (*highest)(void *user, TrnCoord from, int32_t lowest, int32_t *y);
    /// Loads several chunks, each as `load` would: for a source that answers one question about
    /// many chunks sooner than a question about each, such as a server. Runs on workers. NULL, or
    /// `load_max` below 2: `load` is called for each chunk. `load` is needed either way.
    /// @param loads  [count] in the order in which the stream needs them
    /// @param count  1 to load_max, and no more than a quarter of TrnStreamDef.queue_bytes holds at
    ///               64 KiB a chunk. A worker that was idle begins with few
    void (*load_many)(void *user, TrnStreamLoadJob *loads, size_t count);
    uint32_t load_max; ///< the most chunks of a call that pay off; at most TRN_STREAM_LOADS_MAX
    void *user;        ///< passed to all; borrowed: must outlive the stream
    /// Also save chunks that were generated and shown, uniform ones excepted, so that a world keeps
    /// its land when the generator changes. If false, only chunks with changes are saved.
    bool saves_shown;
    /// Not 0: loaded chunks are saved too, about this many seconds after they became unsaved; later
    /// if workers have no time. A chunk that waits for its mesh just then is saved on the calling
    /// thread, two an update. 0: chunks are saved before they are unloaded, and by trn_stream_save.
    double save_seconds;
} TrnStreamSource;

/// Threads of the caller. The stream starts at most `concurrency` pieces of work at a time.
/// trn_stream_destroy waits until each start has called its work.
typedef struct TrnStreamRunner {
    /// Calls work(context) once, soon, on any thread, including this one before start returns.
    /// `work` returns when there is nothing to do, or after some ms. It needs TRN_STACK_BYTES of
    /// stack (terrane/generator.h), and in addition what a hook or a generator of yours takes.
    /// @return false if it cannot start; the stream tries again at its next update
    bool (*start)(void *user, void (*work)(void *context), void *context);
    uint32_t concurrency; ///< 1..64: how many starts may run at a time
    void *user;           ///< passed to start
} TrnStreamRunner;

// ---- creation ----------------------------------------------------------------------------------

/// What an event of a stream tells.
typedef enum TrnStreamEventKind {
    TRN_STREAM_EVENT_LOADED,   ///< a chunk was inserted into the store
    TRN_STREAM_EVENT_SHOWN,    ///< a chunk's current mesh is shown
    TRN_STREAM_EVENT_UNLOADED, ///< a chunk was removed from the store
    TRN_STREAM_EVENT_SAVED,    ///< a chunk's changes were saved
    /// A hook failed; see stage and result. Running out of memory shrinks views instead.
    TRN_STREAM_EVENT_FAILED,
    /// An anchor's view lost a ring because memory is short; coord is its centre, ring the number
    /// of rings left.
    TRN_STREAM_EVENT_SHRANK,
    TRN_STREAM_EVENT_GREW,     ///< an anchor's view gained a ring
    TRN_STREAM_EVENT_NO_WORKER ///< a worker thread could not be started
} TrnStreamEventKind;

/// What the stream measures the time of.
typedef enum TrnStreamStage {
    TRN_STREAM_STAGE_UPDATE, ///< the whole of trn_stream_update
    /// moving, growing and shrinking views, in the updates that do
    TRN_STREAM_STAGE_VIEW,
    TRN_STREAM_STAGE_LOAD,             ///< the load hook
    TRN_STREAM_STAGE_GENERATE,         ///< the generate hook
    TRN_STREAM_STAGE_INSERT,           ///< inserting into the store
    TRN_STREAM_STAGE_MESH,             ///< the mesh hook
    TRN_STREAM_STAGE_UPLOAD,           ///< the upload hook
    TRN_STREAM_STAGE_SAVE,             ///< the save hook
    TRN_STREAM_STAGE_UNLOAD,           ///< the unload hook and removing from the store
    TRN_STREAM_STAGE_WANTED_TO_LOADED, ///< from wanted until loaded
    TRN_STREAM_STAGE_WANTED_TO_SHOWN,  ///< from wanted until first shown
    TRN_STREAM_STAGE_EDIT_TO_SHOWN,    ///< from an edit until all meshes that it touches are shown
    TRN_STREAM_STAGE_COUNT             ///< the number of stages
} TrnStreamStage;

/// One event of a stream.
typedef struct TrnStreamEvent {
    TrnStreamEventKind kind; ///< what happened
    TrnCoord coord;          ///< the chunk
    TrnStreamStage stage;    ///< for FAILED
    TrnResult result;        ///< for FAILED, NO_WORKER
    uint32_t ring;           ///< for SHRANK, GREW
} TrnStreamEvent;

/// Receives events, for tools. Called on the calling thread, inside calls of the stream, and of the
/// store when another caller changes it. It must change neither.
typedef void (*TrnStreamListener)(void *user, const TrnStreamEvent *event);

/// TrnStreamDef.workers: as many as suit the machine.
#define TRN_STREAM_WORKERS_DEFAULT UINT32_MAX
/// The most workers of a stream.
#define TRN_STREAM_WORKER_MAX 64u
/// The largest radius and height of a view, in chunks.
#define TRN_STREAM_RADIUS_MAX 16384u

/// What one update may cost.
typedef struct TrnStreamBudget {
    /// Milliseconds on the calling thread. A piece of work that has begun is finished, including a
    /// hook on this thread. The update reserves time for its own final steps, estimated from
    /// earlier updates. 0 or less: no limit.
    double ms;
    /// 0..1: this part of the time between updates, smoothed over about eight of them, if that is
    /// more than `ms`; at most 50 ms. So a program that draws a frame a second loads as much as one
    /// that draws sixty. 0: `ms` alone.
    double share;
    /// Not 0: exact replay. The update generates, loads or meshes this many chunks (more when edits
    /// have been pending for five updates), waits for all of them, and applies the results in the
    /// order in which they began. Equal calls then give equal worlds, meshes and statistics, times
    /// excepted, at any number of workers. `ms` and `upload_bytes` are ignored. What
    /// TrnStreamSource.save_seconds saves depends on clock_us too: give it equal times.
    uint32_t units;
    /// Bytes of meshes. Once an update has uploaded this many, other meshes wait for the next
    /// update. Meshes of edits never wait but count; if they use it up, one other mesh is uploaded
    /// all the same. 0: no limit.
    size_t upload_bytes;
} TrnStreamBudget;

/// Start from trn_stream_def() and change what you need.
typedef struct TrnStreamDef {
    /// Borrowed; must outlive the stream. One stream a store. The store needs one free reader for
    /// each worker (TrnStoreDef.reader_max).
    TrnStore *store;
    TrnStreamHooks hooks; ///< what the game provides
    /// Used if hooks.generate is NULL; its ceiling always. Copied.
    TrnGenerator generator;
    TrnStreamSource source; ///< load and save if hooks.load and hooks.save are NULL; copied
    TrnStreamBudget budget; ///< for updates that pass no budget
    /// The most bytes for everything together: the store, meshes, the stream itself and
    /// scratch_bytes. The stream sets the store's bytes_max to what the others leave, so edits
    /// beyond it fail with FULL. A mesh counts from the moment its worker returns it. 0: only the
    /// store's own limit.
    size_t bytes_max;
    /// What the hooks allocate for themselves, to be counted; see trn_stream_set_scratch.
    size_t scratch_bytes;
    /// Bytes of generated voxels that wait for the calling thread. A chunk counts what it takes
    /// encoded, 5 KiB to 42 KiB, nothing if it is uniform, or 64 KiB while workers ask for more
    /// memory than they did lately; chunks of 64 KiB take up to half as much in addition. If it is
    /// used up, workers build meshes or wait. The queue always holds at least one chunk, and takes
    /// at most a quarter of bytes_max.
    size_t queue_bytes;
    uint32_t hysteresis_chunks; ///< 0..64: chunks unload this much farther out than they load
    /// How many threads the stream starts. TRN_STREAM_WORKERS_DEFAULT: one less than the machine
    /// has cores, but 2 where it has two; at most 16. 0: the calling thread does all work. The
    /// stream reports workers that cannot be started, or for which the store has no reader, and
    /// continues without them. Each has at least 1 MiB of stack.
    uint32_t workers;
    /// Nice levels that the stream's own threads add to their own, 0..39, where the system sets
    /// them by thread (Linux). A caller that shares a core with a busy worker then gets its turn
    /// sooner. If not 0, workers also run as batch threads (SCHED_BATCH), which do not preempt the
    /// caller when it wakes them. Not applied to a runner.
    uint32_t worker_nice;
    const TrnStreamRunner *runner; ///< NULL: the stream starts threads; copied
    /// With workers: the calling thread works too, with the rest of its time budget. If false, it
    /// only builds meshes of edits. Without workers it always works.
    bool caller_works;
    bool mesh_air; ///< also mesh chunks of air
    /// Solve the light of each chunk before it is meshed: TrnStreamMeshInput.sky and .blocks. Takes
    /// 1.7 MiB a worker, and as much for the calling thread. Only the latter counts against
    /// bytes_max, so that exact replay does not depend on the number of workers.
    bool light;
    /// With `light`: keep the light of each chunk that was meshed, for trn_stream_get_light(). Also
    /// solves chunks of air. Workers then allocate too: the allocator must work on any thread.
    bool keep_light;
    /// Microseconds from any origin, monotonic; called on any thread. NULL: the system's monotonic
    /// clock.
    double (*clock_us)(void *user);
    void *clock_user;           ///< passed to clock_us
    TrnStreamListener listener; ///< NULL: none
    void *listener_user;        ///< passed to listener
    /// Copied; NULL means malloc. Called only on the calling thread, unless keep_light is set or
    /// hooks give block data.
    const TrnAllocator *allocator;
} TrnStreamDef;

/// Returns the defaults: no store, no hooks, 5 % of the time between updates, at least 0.8 ms (so
/// that at 60 updates a second one in a thousand stays below 1 ms), no byte limit, a queue of 8
/// MiB, a hysteresis of 2 chunks, default workers, 5 nice levels above the thread that creates the
/// stream.
TRN_API TrnStreamDef trn_stream_def(void);

/// Returns how many workers a stream of this def has at most, for memory of their own: the hooks
/// see TrnStreamJob.worker 0..this, so a game needs one scratch more than workers. A stream has
/// fewer if threads cannot be started or the store has no reader left for them.
/// @param def  NULL means trn_stream_def()
/// Threads: any. Cost: O(1), with a question to the system about its cores.
TRN_API uint32_t trn_stream_workers(const TrnStreamDef *def);

/// Creates a stream. Chunks that the store holds already are taken over when a view reaches them,
/// and count as unsaved.
/// @param def     with a store, and a generator or a generate hook
/// @param stream  receives the stream; the caller destroys it before the store
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is smaller than an empty stream plus what the
/// store holds).
TRN_API TrnResult trn_stream_create(const TrnStreamDef *def, TrnStream **stream);

/// Cancels all work, waits for running hooks, drops all meshes, and leaves the chunks in the store.
/// It saves nothing: call trn_stream_save first. It restores the store's previous bytes_max.
/// @param stream  may be NULL
TRN_API void trn_stream_destroy(TrnStream *stream);

// ---- anchors -----------------------------------------------------------------------------------

/// Identifies an anchor until it is removed. All zeroes is the null id.
typedef TrnPoolId TrnStreamAnchorId;

/// A player, a camera, or another point that chunks are loaded around.
typedef struct TrnStreamAnchor {
    TrnPosition position; ///< anywhere in the world
    /// Blocks a second; chunks ahead count as near. Zeroes: the stream derives it from the
    /// positions of earlier updates, from the second move on. A move of more than two chunks is a
    /// jump, not a motion, and an anchor has stopped after 30 updates in one place. Exact replay
    /// takes updates for a sixtieth of a second apart.
    double velocity[3];
    double view[3]; ///< direction of view, any length; zeroes: all around
    /// Chunks are shown where (x^2 + z^2) / radius^2 + y^2 / height^2 <= 1 from the anchor's chunk.
    /// 0..TRN_STREAM_RADIUS_MAX; a radius of 0 is one column. The view may be smaller if memory is
    /// short: see trn_stream_view.
    uint32_t radius_chunks;
    uint32_t height_chunks; ///< how far the view reaches up and down, 0..TRN_STREAM_RADIUS_MAX
} TrnStreamAnchor;

/// Returns an anchor at the origin, at rest, without a direction of view, radius 16, height 4.
TRN_API TrnStreamAnchor trn_stream_anchor(void);

/// Adds an anchor. Takes effect with the next update.
/// Errors: BAD_ARGUMENT (a number that is not finite, an offset outside 0..32, a radius or height
/// beyond the maximum), NO_MEMORY, FULL. Cost: O(1).
TRN_API TrnResult trn_stream_anchor_add(TrnStream *stream, const TrnStreamAnchor *anchor,
                                        TrnStreamAnchorId *id);

/// Moves, turns or resizes an anchor with the next update. A move of up to two chunks along each
/// axis costs the chunks that differ. After a longer move, a new view starts around the anchor
/// while the old one dissolves; chunks that the new view has reached by then stay.
/// Errors: STALE_ID, BAD_ARGUMENT; the anchor is then unchanged. Cost: O(1).
TRN_API TrnResult trn_stream_anchor_set(TrnStream *stream, TrnStreamAnchorId id,
                                        const TrnStreamAnchor *anchor);

/// Removes an anchor. Its view dissolves over the next updates, except where other views overlap
/// it.
/// Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(rows of its view), plus its chunks where other
/// views are near.
TRN_API TrnResult trn_stream_anchor_remove(TrnStream *stream, TrnStreamAnchorId id);

/// How far an anchor's view reaches.
typedef struct TrnStreamView {
    /// Rings that the view has now: the greater of its radius and height. 0 is the anchor's own
    /// chunk.
    uint32_t rings;
    uint32_t rings_wanted; ///< rings that the anchor asks for
    bool is_started;       ///< the view has at least its first ring
    bool is_shrunk; ///< it is smaller because memory is short, not because it is still growing
} TrnStreamView;

/// Reports how far an anchor's view reaches. Errors: BAD_ARGUMENT (NULL), STALE_ID. Cost: O(1).
TRN_API TrnResult trn_stream_view(const TrnStream *stream, TrnStreamAnchorId id,
                                  TrnStreamView *view);

// ---- updates -----------------------------------------------------------------------------------

/// What one update did.
typedef struct TrnStreamReport {
    uint32_t wanted;     ///< chunks that entered a view
    uint32_t unwanted;   ///< chunks that left all views
    uint32_t inserted;   ///< chunks
    uint32_t uploaded;   ///< meshes
    uint32_t unloaded;   ///< chunks
    uint32_t saved;      ///< chunks
    size_t upload_bytes; ///< of those meshes, as passed to the hook
    uint32_t cancelled;  ///< pieces of work
    uint32_t failed;     ///< calls of hooks
    uint32_t stale;      ///< meshes outdated before they were finished, since the last update
    double us;           ///< duration of the update
    /// Every wanted chunk that fits is loaded, and shown where it should be; no work is under way
    /// and no retry is due. A hook that always fails, such as an upload to a full graphics card,
    /// keeps it false; TrnStreamStats.failed counts such chunks.
    bool is_idle;
} TrnStreamReport;

/// Moves the views, applies what workers have finished, and issues the next work. Call it once a
/// frame.
/// @param budget  NULL: the def's budget
/// @param report  receives what the update did; may be NULL
/// @return OK; BAD_ARGUMENT (without a stream, or a budget out of range); otherwise the last of
///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The stream continues
///         and retries.
/// Cost: the budget. In addition, for each anchor that enters another chunk, O(chunks that enter
/// and leave its view), which grows with the square of the radius. Each such chunk is compared with
/// the views near it: O(log views), so that the cost is linear in the anchors that move.
TRN_API TrnResult trn_stream_update(TrnStream *stream, const TrnStreamBudget *budget,
                                    TrnStreamReport *report);

/// Updates a stream until it is idle, without limits of time and bytes: for tests, tools and
/// loading screens that need not draw. Waits for workers between updates. Each update applies what
/// came before, so a few suffice for most views.
/// @param updates_max  the most updates that it makes
/// Errors: BAD_ARGUMENT (without a stream), BUSY (not idle after updates_max, as with a chunk that
/// waits for a save); if the last update failed, its result.
/// Cost: all work of the views.
TRN_API TrnResult trn_stream_settle(TrnStream *stream, uint32_t updates_max);

/// Saves all unsaved chunks now, on the calling thread. Waits for saves that run on workers.
/// @return OK; BAD_ARGUMENT without a stream; otherwise the result of the last save that failed:
///         those chunks stay unsaved
TRN_API TrnResult trn_stream_save(TrnStream *stream);

/// Meshes and uploads all shown chunks again, for example after the graphics card lost its meshes,
/// or when they should look different. Old meshes stay until upload replaces them. A chunk whose
/// mesh is already being built is not meshed twice. It generates and saves nothing. Takes effect
/// with the next updates.
/// @param stream  may be NULL
/// Cost: O(chunks).
TRN_API void trn_stream_remesh(TrnStream *stream);

/// Waits until workers have finished the work issued to them, also that of a far view's levels; the
/// next updates apply it. For tests, and before the store moves to another thread.
TRN_API void trn_stream_wait(TrnStream *stream);

/// Sets how many bytes the hooks use for themselves now: caches, scratch of workers. They count
/// against bytes_max. Any value is accepted; too large a value shrinks views. Cost: O(1).
TRN_API void trn_stream_set_scratch(TrnStream *stream, size_t bytes);

// ---- what is loaded ----------------------------------------------------------------------------

/// How far the chunks of a box have come.
typedef struct TrnStreamReadiness {
    uint64_t chunks; ///< in the box and inside the world
    uint64_t wanted; ///< by any anchor, also as neighbours alone
    uint64_t loaded; ///< in the store: bodies can walk on them
    uint64_t shown;  ///< with a current mesh
    bool is_loaded;  ///< every chunk of the box is; false for an empty box
    bool is_shown;   ///< every chunk of the box is; false for an empty box
} TrnStreamReadiness;

/// Reports whether the ground under a body is loaded, and after a teleport how much of it: loaded /
/// chunks is the progress. Let a body walk only where is_loaded is true.
/// @param min,max  corners, both inclusive; voxels outside the world are ignored
/// Cost: O(pages of the box).
TRN_API TrnStreamReadiness trn_stream_readiness(const TrnStream *stream, TrnVoxel min,
                                                TrnVoxel max);

/// Returns the stream's own index, for gathers; its values are private. Its planes are "wanted" (a
/// view holds the chunk), "show" (a view shows the chunk), "loaded" (in the store), "shown" (with a
/// current mesh), "remesh" (needs a mesh and is not queued yet), and "unsaved".
TRN_API const TrnChunkIndex *trn_stream_index(const TrnStream *stream);

// ---- light -------------------------------------------------------------------------------------

/// Returns the light of a voxel, for creatures, plants and the like.
/// @param sky     receives the level of sky light, 0..15; of an opaque voxel 0
/// @param blocks  receives the level of the light of blocks; of an opaque voxel what it emits
/// Errors: BAD_ARGUMENT (outside the world, or without TrnStreamDef.keep_light), NOT_FOUND (its
/// chunk was not meshed yet). After an edit, the light is that of before until the mesh is done.
/// Cost: O(1), a look-up.
TRN_API TrnResult trn_stream_get_light(const TrnStream *stream, TrnVoxel voxel, uint32_t *sky,
                                       uint32_t *blocks);

// ---- why a chunk is or is not shown ------------------------------------------------------------

/// How far a chunk has come.
typedef enum TrnStreamState {
    TRN_STREAM_STATE_UNKNOWN,     ///< not loaded, and in no view
    TRN_STREAM_STATE_QUEUED,      ///< waits to be loaded or generated
    TRN_STREAM_STATE_GENERATING,  ///< a worker loads or generates it, or its result waits
    TRN_STREAM_STATE_LOADED,      ///< in the store, without a mesh
    TRN_STREAM_STATE_MESH_QUEUED, ///< waits to be meshed
    TRN_STREAM_STATE_MESHING,     ///< a worker meshes it, or its result waits
    TRN_STREAM_STATE_SHOWN,       ///< its current mesh is shown
    TRN_STREAM_STATE_FAILED,      ///< a hook failed; retried later
    TRN_STREAM_STATE_SAVING,      ///< being saved, then unloads
    TRN_STREAM_STATE_COUNT        ///< the number of states
} TrnStreamState;

/// What a chunk waits for.
typedef enum TrnStreamWait {
    TRN_STREAM_WAIT_NOTHING,    ///< it is what it should be
    TRN_STREAM_WAIT_VIEW,       ///< an anchor comes nearer, or its view grows
    TRN_STREAM_WAIT_QUEUE,      ///< its turn in the queue
    TRN_STREAM_WAIT_WORKER,     ///< a hook, or the calling thread to apply its result
    TRN_STREAM_WAIT_NEIGHBOURS, ///< neighbours to load
    TRN_STREAM_WAIT_GROUP,      ///< the other meshes of an edit
    TRN_STREAM_WAIT_RETRY,      ///< the next try after a failure
    TRN_STREAM_WAIT_UNLOAD,     ///< its turn to unload
    TRN_STREAM_WAIT_COUNT       ///< the number of these
} TrnStreamWait;

/// A priority of the queue.
typedef enum TrnStreamLane {
    TRN_STREAM_LANE_URGENT,  ///< the ground under an anchor, then meshes of edits
    TRN_STREAM_LANE_VISIBLE, ///< within 60 degrees of an anchor's direction of view, or near it
    TRN_STREAM_LANE_REST,    ///< all other work
    TRN_STREAM_LANE_COUNT    ///< the number of lanes
} TrnStreamLane;

/// What a stream knows of a chunk.
typedef struct TrnStreamExplanation {
    TrnStreamState state;    ///< how far it has come
    TrnStreamWait wait;      ///< what it waits for
    bool is_wanted;          ///< a view holds it
    bool should_show;        ///< a view shows it
    bool is_loaded;          ///< in the store
    bool is_shown;           ///< with a current mesh
    bool is_unsaved;         ///< changed since it was loaded, generated or saved
    TrnStreamLane lane;      ///< for QUEUED, MESH_QUEUED
    uint32_t queue_position; ///< for QUEUED, MESH_QUEUED: how many come first
    uint32_t missing_count;  ///< for NEIGHBOURS: how many are not loaded
    TrnCoord missing;        ///< one of them
    TrnResult failure;       ///< the last one; OK if none since it last succeeded
    uint32_t tries;          ///< failed in a row
    uint64_t retry_update;   ///< for FAILED: the update that retries it
    double since_us;         ///< time in this state
    size_t mesh_bytes;       ///< of its mesh
    double distance_chunks;  ///< to the nearest anchor; infinite without anchors
    char sentence[320];      ///< all of this, for people
} TrnStreamExplanation;

/// Explains why a chunk is or is not loaded and shown. Cost: O(views); queue_position is O(those
/// before it of the same priority).
TRN_API TrnStreamExplanation trn_stream_explain(const TrnStream *stream, TrnCoord coord);

// ---- figures -----------------------------------------------------------------------------------

/// Times of a stage in microseconds, since creation or trn_stream_reset_times. Percentiles are at
/// most 7 % too large.
typedef struct TrnStreamTimes {
    uint64_t count; ///< how often the stage ran
    double mean;    ///< of all times
    double p50;     ///< half of the times are at most this
    double p99;     ///< 99 % of the times are at most this
    double p999;    ///< 99.9 % of the times are at most this
    double max;     ///< the longest
} TrnStreamTimes;

/// Figures of a stream. Counts of events are totals since it was created.
typedef struct TrnStreamStats {
    uint64_t updates;                             ///< calls of trn_stream_update()
    uint32_t workers;                             ///< running
    uint32_t workers_failed;                      ///< could not be started
    uint32_t anchors;                             ///< and as many views
    uint32_t dissolving;                          ///< views that anchors left
    uint32_t shrunk_views;                        ///< smaller than wanted because memory is short
    uint32_t wanted;                              ///< chunks that a view holds
    uint32_t loaded;                              ///< chunks of the views in the store
    uint32_t shown;                               ///< chunks with a current mesh
    uint32_t unsaved;                             ///< chunks with changes that are not saved
    uint32_t queued;                              ///< chunks that wait for their turn
    uint32_t under_way;                           ///< pieces of work that have begun
    uint32_t unloading;                           ///< chunks that wait to unload
    uint32_t failed;                              ///< chunks that wait for a retry
    uint32_t queued_to_generate;                  ///< part of queued
    uint32_t queued_to_mesh;                      ///< part of queued
    uint32_t queued_lanes[TRN_STREAM_LANE_COUNT]; ///< queued by lane
    uint64_t generated;                           ///< chunks that the generator gave
    uint64_t restored;                            ///< chunks that the load hook gave
    uint64_t inserted;                            ///< chunks
    uint64_t meshed;                              ///< calls of the mesh hook that succeeded
    uint64_t uploaded;                            ///< meshes
    uint64_t meshes_spared;    ///< not built: of the voxels and light of the shown mesh
    uint64_t uploads_spared;   ///< built, and equal to the shown mesh (TrnStreamMesh.hash)
    uint64_t unloaded;         ///< chunks
    uint64_t saved;            ///< chunks
    uint64_t cancelled_before; ///< pieces of work cancelled before a worker began them
    uint64_t cancelled_during; ///< pieces of work cancelled after that
    uint64_t failures;         ///< calls of hooks that failed
    uint64_t stale;            ///< meshes outdated before they were finished
    uint64_t groups;           ///< edits whose meshes were shown together
    /// Edits whose meshes were not shown together, because memory to track them failed.
    uint64_t torn_groups;
    uint64_t shrinks;          ///< rings dropped because memory was short
    uint64_t grows;            ///< rings added
    uint64_t cells_visited;    ///< chunks that moving and growing views have visited
    TrnStreamStage last_stage; ///< of the last failure
    TrnResult last_failure;    ///< its result; OK if there was none
    TrnCoord last_failed;      ///< its chunk
    size_t store_bytes;        ///< of the store
    size_t mesh_bytes;         ///< of shown meshes and of meshes that wait to be shown
    size_t light_bytes;        ///< of kept light
    size_t stream_bytes;       ///< of the stream itself
    size_t scratch_bytes;      ///< as trn_stream_set_scratch()
    size_t far_bytes;          ///< of a far view's levels: stores, meshes and streams
    size_t total_bytes;        ///< the sum of these
    size_t total_bytes_peak;   ///< the highest total_bytes so far
    size_t bytes_max;          ///< as in the def
    TrnStreamTimes times[TRN_STREAM_STAGE_COUNT]; ///< by stage
} TrnStreamStats;

/// Returns a snapshot of the figures. Cost: O(anchors).
TRN_API TrnStreamStats trn_stream_stats(const TrnStream *stream);

/// Returns the bytes that count against bytes_max now. Cost: O(1).
TRN_API size_t trn_stream_bytes(const TrnStream *stream);

/// Clears all times, for example after a cold start.
TRN_API void trn_stream_reset_times(TrnStream *stream);

TRN_C_END
#endif
