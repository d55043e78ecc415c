/// Terrane, stream: which chunks exist around the players, and when. It keeps a store filled around
/// any number of anchors, makes chunks and meshes on workers, and holds to a budget of time on the
/// calling thread and to one of bytes over everything.
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
/// What an anchor wishes for is a flattened ball of chunks to be shown, and around it one more
/// chunk on every side to be there, since a chunk is meshed once all its 26 neighbours are there.
/// The ball grows from its middle ring by ring, moves with the anchor by what differs (a shell,
/// never the ball), and gives chunks up only `hysteresis_chunks` farther out than it takes them. A
/// mesh lasts as long as its chunk, or until a newer one takes its place: a chunk that is kept, but
/// no longer to be shown, keeps it. So a ball of 6 that is made one of 3, with a hysteresis of 2,
/// leaves the 515 chunks of a ball of 5 to be shown, those around them there, 1,141 in all, and the
/// meshes that these had. Where memory does not hold it, it loses whole rings; what is far away and
/// not looked at goes first, and it grows again only when there is clearly room. What the allocator
/// alone refused is asked for again, a ring at a time, from 480 updates after the last ring was
/// lost on at the latest.
///
/// The stream is the writer of its store while trn_stream_update, _save and _destroy run, and
/// listens to it: the game edits the store as it likes between updates (terrane/batch.h), and may
/// insert and remove chunks itself. Meshes of edited chunks are made first, and all that one change
/// touches are uploaded in one update, but for those that wait for a neighbour, are not to be
/// shown, or whose hook fails. Changes that touch the same meshes before these are shown are shown
/// together, at the latest 5 + n / 8 updates after the first of them where n meshes of edits wait
/// then, and what a worker is at comes on top; changes that never pause cannot put that off, since
/// the calling thread then makes as many meshes as they touch, and more, whatever its budget.
///
/// Threads: all functions but trn_stream_job_is_cancelled are for the store's writer's thread.
/// Hooks say on which thread they run. The stream starts no thread but those that its def asks for.
/// Workers read block types: types are added before the stream is created, or between
/// trn_stream_wait and the next update.
#ifndef TERRANE_STREAM_H
#define TERRANE_STREAM_H

#include <terrane/base.h>
#include <terrane/chunk_index.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/pool.h>
#include <terrane/store.h>
#include <terrane/voxels.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TrnStream TrnStream;

// ---- hooks -------------------------------------------------------------------------------------

/// What a hook works on. Read the fields, never write them.
typedef struct TrnStreamJob {
    TrnCoord coord;
    /// of detail: the chunk covers 32 << level voxels an axis. 0 until there are far views
    uint32_t level;
    /// which scratch of yours to use: 0 on the calling thread, 1..workers on the others; no two at
    /// a time share one
    uint32_t worker;
} TrnStreamJob;

/// Whether nobody wants the work any more: then a hook that takes long may return whatever it
/// likes, early. Any thread; one atomic load.
TRN_API bool trn_stream_job_is_cancelled(const TrnStreamJob *job);

/// What a mesh is to the stream: an address of yours and its bytes.
typedef struct TrnStreamMesh {
    void *mesh;   ///< NULL: nothing to see
    size_t bytes; ///< that it takes, for the budget; read again after upload
} TrnStreamMesh;

/// What a mesh is made from.
typedef struct TrnStreamMeshInput {
    /// The chunk, [13], and its 26 neighbours in the order of trn_store_snapshot_around. Valid
    /// until the hook returns.
    TrnSnapshot around[TRN_AROUND_COUNT];
    /// Which of them are there: all, but for those beyond the ends of the world.
    uint32_t present;
} TrnStreamMeshInput;

/// What the game does. All may be NULL, generate where there is a generator; without mesh, chunks
/// are only kept there. Results other than OK, and NOT_FOUND of load, count as failures and are
/// tried again, after 8 updates, then 16, and so on up to 1,024.
typedef struct TrnStreamHooks {
    /// Makes a chunk, with more to go by than TrnGenerateFn. On workers; a function of the
    /// coordinate alone where worlds are to be the same at any number of workers.
    /// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, unless the chunk is
    ///                 uniform
    /// @param uniform  receives whether every voxel is blocks[0]; false until then
    TrnResult (*generate)(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform);
    /// Brings back what was saved. On workers, before generate, which is called where this says
    /// NOT_FOUND.
    TrnResult (*load)(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform);
    /// Saves a chunk with changes that it has not got yet, before the chunk goes. On workers, and
    /// on the calling thread from trn_stream_save and where somebody else removes the chunk. A
    /// chunk whose save fails stays.
    /// @param voxels  valid until the hook returns
    TrnResult (*save)(void *user, const TrnStreamJob *job, TrnSnapshot voxels);
    /// Makes the mesh of a chunk. On workers, inside a read section: what the game edits meanwhile
    /// keeps its old memory until it returns. What it takes memory from must do so on any thread.
    /// Chunks of air alone are not asked for, unless TrnStreamDef.mesh_air.
    /// @param mesh  receives the mesh; {NULL, 0} until then
    TrnResult (*mesh)(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                      TrnStreamMesh *mesh);
    /// Shows a mesh in place of the chunk's mesh before, which goes to drop_mesh right after. On
    /// the calling thread. Also called for meshes with nothing to see, but not for chunks of air
    /// that had none.
    /// @param mesh  the stream's still; `bytes` may be changed, when what was copied elsewhere is
    ///              freed
    TrnResult (*upload)(void *user, TrnChunk *chunk, TrnStreamMesh *mesh);
    /// Frees a mesh, shown or not. Every mesh that is not NULL gets here once. On the calling
    /// thread.
    void (*drop_mesh)(void *user, TrnStreamMesh mesh);
    /// The chunk leaves the store: it is at no coordinate any more, and can be read until the hook
    /// returns. Its mesh goes to drop_mesh right after. On the calling thread.
    void (*unload)(void *user, TrnChunk *chunk);
    void *user; ///< handed to all of them
} TrnStreamHooks;

/// Threads of the caller's. The stream hands over at most `concurrency` pieces of work at a time;
/// trn_stream_destroy waits until each that was handed over has been called.
typedef struct TrnStreamRunner {
    /// Has work(context) called once, soon, on any thread, also on this one before it returns. It
    /// returns when there is nothing to do, or after some ms. It needs 128 KiB of stack beside what
    /// the hooks do.
    /// @return false when it cannot; the stream tries again at its next update
    bool (*start)(void *user, void (*work)(void *context), void *context);
    uint32_t concurrency; ///< 1..64: how many may run at a time
    void *user;           ///< handed to start
} TrnStreamRunner;

// ---- creation ----------------------------------------------------------------------------------

typedef enum TrnStreamEventKind {
    TRN_STREAM_EVENT_LOADED,   ///< a chunk was inserted
    TRN_STREAM_EVENT_SHOWN,    ///< a chunk has its mesh
    TRN_STREAM_EVENT_UNLOADED, ///< a chunk has left the store
    TRN_STREAM_EVENT_SAVED,    ///< a chunk's changes are saved
    /// a hook failed: stage, result. What there is no room for shrinks views instead
    TRN_STREAM_EVENT_FAILED,
    /// an anchor's view lost a ring: coord is its middle, ring what is left
    TRN_STREAM_EVENT_SHRANK,
    TRN_STREAM_EVENT_GREW,     ///< an anchor's view gained a ring
    TRN_STREAM_EVENT_NO_WORKER ///< a worker could not be started
} TrnStreamEventKind;

/// What takes time.
typedef enum TrnStreamStage {
    TRN_STREAM_STAGE_UPDATE, ///< trn_stream_update as a whole
    /// moving, growing and shrinking the wanted sets, of those updates that do
    TRN_STREAM_STAGE_VIEW,
    TRN_STREAM_STAGE_LOAD,             ///< the hook
    TRN_STREAM_STAGE_GENERATE,         ///< the hook
    TRN_STREAM_STAGE_INSERT,           ///< into the store
    TRN_STREAM_STAGE_MESH,             ///< the hook
    TRN_STREAM_STAGE_UPLOAD,           ///< the hook
    TRN_STREAM_STAGE_SAVE,             ///< the hook
    TRN_STREAM_STAGE_UNLOAD,           ///< the hook, and out of the store
    TRN_STREAM_STAGE_WANTED_TO_LOADED, ///< from the wish until the chunk is there
    TRN_STREAM_STAGE_WANTED_TO_SHOWN,  ///< from the wish until it is shown for the first time
    TRN_STREAM_STAGE_EDIT_TO_SHOWN,    ///< from an edit until all meshes that it touches are shown
    TRN_STREAM_STAGE_COUNT
} TrnStreamStage;

/// The name of a stage, "generate" say; "" beyond the last. Static text; any thread.
TRN_API const char *trn_stream_stage_name(TrnStreamStage stage);

typedef struct TrnStreamEvent {
    TrnStreamEventKind kind;
    TrnCoord coord;
    TrnStreamStage stage; ///< FAILED
    TrnResult result;     ///< FAILED, NO_WORKER
    uint32_t ring;        ///< SHRANK, GREW
} TrnStreamEvent;

/// For tools. On the calling thread, inside calls of the stream, and of the store where others
/// change it; must change neither.
typedef void (*TrnStreamListener)(void *user, const TrnStreamEvent *event);

#define TRN_STREAM_WORKERS_DEFAULT UINT32_MAX
#define TRN_STREAM_WORKER_MAX 64u
#define TRN_STREAM_RADIUS_MAX 16384u

/// What one update may cost.
typedef struct TrnStreamBudget {
    /// Milliseconds on the calling thread. What is begun is finished, be it a hook that runs on
    /// this thread; what the stream itself does at the end of an update is allowed for, by the
    /// updates before. 0 or less: no limit.
    double ms;
    /// Not 0: exact replay. So many chunks are generated or loaded, or meshed (more where edits
    /// have waited for five updates), all are awaited, and what they came to is applied in the
    /// order in which they were begun, so that the same calls give the same world, meshes and
    /// statistics but for times at any number of workers. ms and upload_bytes are not looked at.
    uint32_t units;
    /// Bytes of meshes: once an update has uploaded so many, the next ones wait for the next
    /// update. Those of edits never wait, and count; where they use it up, one other is uploaded
    /// all the same. 0: no limit.
    size_t upload_bytes;
} TrnStreamBudget;

/// Start from trn_stream_def() and change what you need.
typedef struct TrnStreamDef {
    /// borrowed, outlives the stream; one stream for a store. Needs a free reader for each worker
    /// (TrnStoreDef.reader_max)
    TrnStore *store;
    TrnStreamHooks hooks;
    TrnGenerator generator; ///< makes chunks where there is no hooks.generate. Copied
    TrnStreamBudget budget; ///< of updates that name none
    /// The most bytes for everything together: the store, meshes, the stream's own, and
    /// scratch_bytes. The stream sets the store's bytes_max to what the others leave, so that edits
    /// are refused beyond it as well (FULL). A mesh counts from the moment it comes back from its
    /// worker. 0 means none but what the store has.
    size_t bytes_max;
    /// what your hooks take for themselves, to be counted; see trn_stream_set_scratch
    size_t scratch_bytes;
    /// Of voxels that are made and wait for the calling thread, 64 KiB each. When it is used up,
    /// workers make meshes, or wait. At least one is kept.
    size_t queue_bytes;
    uint32_t hysteresis_chunks; ///< 0..64: how much farther out a chunk goes than it comes
    /// Threads that the stream starts: TRN_STREAM_WORKERS_DEFAULT is one less than the machine has
    /// cores, at most 16; 0: the calling thread does all. Those that cannot be started, or for whom
    /// the store has no reader, are reported and done without.
    uint32_t workers;
    /// By how many levels of niceness the stream's own threads give way to the caller's and to
    /// every other thread, 0..39: where the system can tell by thread (Linux), a caller that shares
    /// a core with a busy worker has its turn sooner. Not 0: they are batch threads there as well
    /// (SCHED_BATCH), which do not take the caller's core when it wakes them. Not for a runner of
    /// yours.
    uint32_t worker_nice;
    const TrnStreamRunner *runner; ///< NULL: threads of the stream's own. Copied
    /// The calling thread works, too, with what is left of its budget. Without workers it does so
    /// anyway. With workers it makes no more than meshes of edits.
    bool caller_works;
    bool mesh_air; ///< mesh chunks of air, too
    /// Microseconds from any start, never backwards; called on any thread. NULL: the system's
    /// monotonic clock.
    double (*clock_us)(void *user);
    void *clock_user;
    TrnStreamListener listener; ///< NULL: none
    void *listener_user;
    /// copied; NULL means malloc. Called on the calling thread alone
    const TrnAllocator *allocator;
} TrnStreamDef;

/// No store and no hooks; 0.8 ms for an update, so that one in a thousand stays below 1 ms, no
/// limit of bytes, 4 MiB of queue, hysteresis of 2 chunks, workers by default, 5 levels nicer than
/// the thread that creates the stream.
TRN_API TrnStreamDef trn_stream_def(void);

/// What the store holds already is taken up when a view reaches it, and counts as unsaved.
/// @param def     with a store, and a generator or a generate hook
/// @param stream  receives the stream; ends with trn_stream_destroy, before its store does
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL (bytes_max is less than an empty stream and what the store
/// holds).
TRN_API TrnResult trn_stream_create(const TrnStreamDef *def, TrnStream **stream);

/// Cancels all work, waits for the hooks that are running, drops all meshes, and leaves the chunks
/// in the store. Nothing is saved: trn_stream_save does that. The store has the bytes_max that it
/// had before. @param stream  may be NULL
TRN_API void trn_stream_destroy(TrnStream *stream);

// ---- anchors -----------------------------------------------------------------------------------

/// Names an anchor until it is removed. All zeroes names none.
typedef TrnPoolId TrnStreamAnchorId;

/// A player, a camera, whatever the world is to be there for.
typedef struct TrnStreamAnchor {
    TrnPosition position; ///< anywhere in the world
    double velocity[3];   ///< blocks a second; where it leads counts as near
    double view[3];       ///< direction that it looks in, of any length; zeroes: all around
    /// Chunks are shown where (x^2 + z^2) / radius^2 + y^2 / height^2 <= 1 from its chunk;
    /// 0..TRN_STREAM_RADIUS_MAX, a radius of 0 is one column. What there is no room for is not
    /// there: see trn_stream_view.
    uint32_t radius_chunks, height_chunks;
} TrnStreamAnchor;

/// At the origin, at rest, looking nowhere, radius 16, height 4.
TRN_API TrnStreamAnchor trn_stream_anchor(void);

/// Takes effect with the next update.
/// Errors: BAD_ARGUMENT (a number that is not finite, an offset outside 0..32, a radius or height
/// over the most), NO_MEMORY, FULL. O(1).
TRN_API TrnResult trn_stream_anchor_add(TrnStream *stream, const TrnStreamAnchor *anchor,
                                        TrnStreamAnchorId *id);

/// Moves, turns or resizes an anchor with the next update. Up to two chunks along each axis cost
/// what differs. Farther on, a new view grows around the anchor while the one it left dissolves;
/// what both hold stays.
/// Errors: STALE_ID, BAD_ARGUMENT; the anchor is then as it was. O(1).
TRN_API TrnResult trn_stream_anchor_set(TrnStream *stream, TrnStreamAnchorId id,
                                        const TrnStreamAnchor *anchor);

/// Its view dissolves over the next updates, where no other holds it. Errors: STALE_ID. Cost:
/// O(rows of its view), and of its chunks where other views are near.
TRN_API TrnResult trn_stream_anchor_remove(TrnStream *stream, TrnStreamAnchorId id);

/// How far an anchor's view reaches.
typedef struct TrnStreamView {
    /// that the view has now: its radius or height, whichever is greater; 0 is the anchor's own
    /// chunk
    uint32_t rings;
    uint32_t rings_wanted; ///< that the anchor asks for
    bool is_started;       ///< there is a view at all
    bool
        is_shrunk; ///< it is smaller since there is no room for more, not since it is growing still
} TrnStreamView;

/// Errors: STALE_ID. O(1).
TRN_API TrnResult trn_stream_view(const TrnStream *stream, TrnStreamAnchorId id,
                                  TrnStreamView *view);

// ---- updates -----------------------------------------------------------------------------------

/// What one update did.
typedef struct TrnStreamReport {
    uint32_t wanted, unwanted;   ///< chunks that came into a view, and that left all views
    uint32_t inserted, uploaded; ///< chunks, meshes
    uint32_t unloaded, saved;    ///< chunks
    size_t upload_bytes;         ///< of those meshes, as they came to the hook
    uint32_t cancelled;          ///< pieces of work
    uint32_t failed;             ///< calls of hooks
    uint32_t stale; ///< meshes that were overtaken while they were made, since the last update
    double us;      ///< it took
    /// all that is wanted and fits is there, and shown where it is to be; nothing is under way or
    /// waits to be tried again. So a hook that fails for good, an upload to a full graphics card
    /// say, keeps it false: TrnStreamStats.failed counts such chunks
    bool is_idle;
} TrnStreamReport;

/// Moves the views, takes what workers have made, hands them what is next. Call it once a frame.
/// @param budget  NULL means the def's
/// @param report  receives what it did; may be NULL
/// @return OK; or what stood in the way of something (NO_MEMORY, FULL, READERS, or a hook's
/// result), the last of several. The stream goes on all the same, and tries again.
/// Cost: as the budget says; and beyond it some 0.2 ms in an update in which an anchor with a
/// radius of 16 changes its chunk, 0.6 ms with one of 32.
TRN_API TrnResult trn_stream_update(TrnStream *stream, const TrnStreamBudget *budget,
                                    TrnStreamReport *report);

/// Hands all unsaved chunks to save now, on the calling thread. Those that are being saved on
/// workers are awaited.
/// @return OK, or the result of the last save that failed; the chunks stay unsaved
TRN_API TrnResult trn_stream_save(TrnStream *stream);

/// Has all chunks meshed and uploaded again that are shown: for when the graphics card has lost the
/// meshes, or they are to look different. The meshes that there are stay until upload gets new
/// ones; chunks whose mesh is on its way are not meshed twice. Nothing is made anew or saved.
/// @param stream  may be NULL Takes effect with the next updates. Cost: O(chunks), tens of ns each.
TRN_API void trn_stream_remesh(TrnStream *stream);

/// Waits until workers have done what they were handed; trn_stream_update takes it. For tests, and
/// before the store goes to another thread.
TRN_API void trn_stream_wait(TrnStream *stream);

/// Says what hooks take for themselves now: caches, scratch of workers. Counts against bytes_max.
/// Any size is taken; what is too large shrinks views. O(1).
TRN_API void trn_stream_set_scratch(TrnStream *stream, size_t bytes);

// ---- what is there -----------------------------------------------------------------------------

/// How far a box of voxels has come.
typedef struct TrnStreamReadiness {
    uint64_t chunks;          ///< of the box, those in the world
    uint64_t wanted;          ///< by any anchor, be it only as neighbours
    uint64_t loaded;          ///< in the store: bodies can walk on them
    uint64_t shown;           ///< with the mesh of what they hold
    bool is_loaded, is_shown; ///< all chunks of the box; false for an empty box
} TrnStreamReadiness;

/// "Is the ground under this body there?", and after a teleport, how much of it: there / chunks is
/// the progress. A body walks only where is_loaded.
/// @param min,max  both inclusive; what lies outside the world is left out
/// Cost: O(pages of the box).
TRN_API TrnStreamReadiness trn_stream_readiness(const TrnStream *stream, TrnVoxel min,
                                                TrnVoxel max);

/// Whether some anchor's view holds a chunk, be it only as a neighbour of those that are shown:
/// what a brute force over all anchors would say. With hysteresis, whether it is kept: `kept` says
/// so. @param kept  may be NULL. O(anchors).
TRN_API bool trn_stream_wants(const TrnStream *stream, TrnCoord coord, bool *kept);

/// The stream's own index, for gathers; its values are the stream's. Its planes are named "wanted"
/// (held by a view), "show" (to be shown), "there" (in the store), "shown" (with the mesh of what
/// it holds), "remesh" (to be meshed, and not yet in a queue), and "unsaved".
TRN_API const TrnChunkIndex *trn_stream_index(const TrnStream *stream);

// ---- why a chunk is or is not shown ------------------------------------------------------------

typedef enum TrnStreamState {
    TRN_STREAM_STATE_UNKNOWN,     ///< no view holds it, and it is not there
    TRN_STREAM_STATE_QUEUED,      ///< waits to be loaded or generated
    TRN_STREAM_STATE_GENERATING,  ///< is loaded or generated, or waits for the calling thread after
                                  ///< that
    TRN_STREAM_STATE_LOADED,      ///< in the store, without a mesh
    TRN_STREAM_STATE_MESH_QUEUED, ///< waits to be meshed
    TRN_STREAM_STATE_MESHING,     ///< is meshed, or waits for the calling thread after that
    TRN_STREAM_STATE_SHOWN,
    TRN_STREAM_STATE_FAILED, ///< something failed and is tried again later
    TRN_STREAM_STATE_SAVING, ///< is saved, and goes then
    TRN_STREAM_STATE_COUNT
} TrnStreamState;

typedef enum TrnStreamWait {
    TRN_STREAM_WAIT_NOTHING,
    TRN_STREAM_WAIT_VIEW,       ///< for an anchor to come nearer, or its view to grow
    TRN_STREAM_WAIT_QUEUE,      ///< for its turn
    TRN_STREAM_WAIT_WORKER,     ///< for a hook, and for the calling thread to take what it made
    TRN_STREAM_WAIT_NEIGHBOURS, ///< for neighbours to be there
    TRN_STREAM_WAIT_GROUP,      ///< for the other meshes of an edit
    TRN_STREAM_WAIT_RETRY,      ///< for the next try after a failure
    TRN_STREAM_WAIT_UNLOAD,     ///< for its turn to be unloaded
    TRN_STREAM_WAIT_COUNT
} TrnStreamWait;

typedef enum TrnStreamLane {
    TRN_STREAM_LANE_URGENT,  ///< meshes of edits
    TRN_STREAM_LANE_VISIBLE, ///< within 60 degrees of where an anchor looks, or near it
    TRN_STREAM_LANE_REST,
    TRN_STREAM_LANE_COUNT
} TrnStreamLane;

typedef struct TrnStreamExplanation {
    TrnStreamState state;
    TrnStreamWait wait;
    bool is_wanted, should_show, is_loaded, is_shown, is_unsaved; ///< the planes
    TrnStreamLane lane;                                           ///< QUEUED, MESH_QUEUED
    uint32_t queue_position; ///< QUEUED, MESH_QUEUED: how many go before it
    uint32_t missing_count;  ///< NEIGHBOURS: how many are not there
    TrnCoord missing;        ///< one of them
    TrnResult failure;       ///< the last one; OK where there was none since it last succeeded
    uint32_t tries;          ///< that failed one after the other
    uint64_t retry_update;   ///< FAILED: the update from which on it is tried again
    double since_us;         ///< how long it has been in this state
    size_t mesh_bytes;
    double distance_chunks; ///< to the nearest anchor; infinite where there is none
    char sentence[256];     ///< all that matters of this, for a person
} TrnStreamExplanation;

/// Why a chunk is or is not there, or shown. Cost: some us; the place in a queue O(those before it
/// of the same priority).
TRN_API TrnStreamExplanation trn_stream_explain(const TrnStream *stream, TrnCoord coord);

// ---- figures -----------------------------------------------------------------------------------

/// Times of a stage in microseconds, of all so far or since trn_stream_reset_times. Percentiles are
/// no more than 7 % too large.
typedef struct TrnStreamTimes {
    uint64_t count;
    double mean, p50, p99, p999, max;
} TrnStreamTimes;

typedef struct TrnStreamStats {
    uint64_t updates;
    uint32_t workers;                        ///< that run
    uint32_t workers_failed;                 ///< that could not be started
    uint32_t anchors, dissolving;            ///< views of anchors, and views that anchors left
    uint32_t shrunk_views;                   ///< that are smaller than asked for want of room
    uint32_t wanted, loaded, shown, unsaved; ///< chunks: counts of the planes
    uint32_t queued, under_way, unloading, failed; ///< chunks
    uint32_t queued_to_generate, queued_to_mesh;   ///< of those queued
    uint32_t queued_lanes[TRN_STREAM_LANE_COUNT];  ///< likewise, by lane
    uint64_t generated, restored, inserted, meshed, uploaded, unloaded, saved; ///< so far
    /// pieces of work: before a worker took them, and after
    uint64_t cancelled_before, cancelled_during;
    /// torn: edits whose meshes were not shown together for want of memory to note them
    uint64_t failures, stale, groups, torn_groups;
    uint64_t shrinks, grows;   ///< rings lost for want of room, and rings gained
    uint64_t cells_visited;    ///< chunks that moving and growing views have looked at one by one
    TrnStreamStage last_stage; ///< of the last failure
    TrnResult last_failure;
    TrnCoord last_failed;
    /// mesh_bytes: shown, and waiting to be
    size_t store_bytes, mesh_bytes, stream_bytes, scratch_bytes;
    size_t total_bytes, total_bytes_peak, bytes_max;
    TrnStreamTimes times[TRN_STREAM_STAGE_COUNT];
} TrnStreamStats;

/// Cost: O(pages) for the counts, and some us.
TRN_API TrnStreamStats trn_stream_stats(const TrnStream *stream);

/// Bytes that count against bytes_max now. O(1).
TRN_API size_t trn_stream_bytes(const TrnStream *stream);

/// Begins all times anew: after a cold start, say.
TRN_API void trn_stream_reset_times(TrnStream *stream);

#ifdef __cplusplus
}
#endif
#endif
