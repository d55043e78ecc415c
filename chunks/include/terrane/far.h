/// Terrane, far view: land to the horizon, by levels of detail.
///
///     TrnFarDef def = trn_far_def();
///     def.stream = stream;                                // level 0; its workers do the work
///     def.generator = trn_terrain_generator(terrain);     // with levels
///     def.hooks = hooks;                                  // as the stream's; job->level tells
///     def.draw = draw;                                    // which meshes to draw
///     def.view = trn_far_view_to(128, 16);                // 128 chunks far, 16 of them in full
///     TrnFar *far_view;
///     trn_far_create(&def, &far_view);
///     for (;;) { // every frame
///         trn_stream_anchor_set(stream, id, &player);
///         trn_stream_update(stream, NULL, NULL);
///         trn_far_update(far_view, NULL, NULL);
///         ... // draw the meshes that are drawn: a vertex lies at (coord * 32 + local) << level
///     }
///     trn_far_destroy(far_view);                          // before the stream
///
/// Levels. A chunk of level n has 32 voxels an axis and covers 32 << n voxels of the world; it
/// begins at voxel coord * (32 << n). Level 0 is the game's own stream and store. Each coarser
/// level, 1 to TrnFarView.levels, has a store and a stream of its own, with the generator at that
/// level, around the same anchors. A level's view is a flattened ball as an anchor's is, in chunks
/// of the level, so each level reaches twice as far as the one before. It includes the places of
/// finer levels: coarse land is loaded before finer land is, and stays when that leaves.
///
/// What is drawn. Every place is drawn at exactly one level as soon as a chunk of any level there
/// is shown. A coarse chunk gives way to its eight children once all of them are shown, or their
/// own children are, and comes back before one of them is unloaded. TrnFarDef.draw tells which
/// meshes to draw; it also speaks of level 0.
///
/// Work. The workers of level 0's stream do the work of all levels: its own first, then level 1, 2,
/// and so on, each from the anchor outwards. Results of hooks are applied in trn_far_update.
///
/// Edits. A change of a chunk reaches the next level by folding (terrane/fold.h) within a second:
/// workers fold chunks that were edited at least 0.2 s ago, up to four at a time, and a later
/// update writes the result into the parent, the chunk of the next level. A chunk that cannot be
/// folded is tried again after all others. Neither need be loaded: edits that are pending
/// (terrane/batch.h) count, those of level 0 too. A chunk that is not loaded is folded as its
/// source or generator has it, and edits of a parent that is not loaded become pending in its
/// level's store. When these reach their cap (trn_pending_set_bytes_max), workers save the oldest
/// with their chunks, until a quarter is free; without a source the oldest are dropped. Where all
/// eight voxels of a coarse one are as generated, it has its own generated block, so that land
/// without edits is the generator's at every level, bit for bit. Chunks loaded from a save are not
/// folded: save the levels too, with trn_far_save.
///
/// Threads: call all functions on the thread that updates the stream. Hooks run where those of a
/// stream do.
///
/// Tier: experimental.
#ifndef TERRANE_FAR_H
#define TERRANE_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/base.h>
#include <terrane/coord.h>
#include <terrane/generator.h>
#include <terrane/store.h>
#include <terrane/stream.h>

TRN_C_BEGIN

/// A far view. Opaque; the caller creates and destroys it.
typedef struct TrnFar TrnFar;

/// The coarsest level of a far view.
#define TRN_FAR_LEVEL_MAX 8u

/// How far a far view reaches. Radii and heights are in chunks of each level.
typedef struct TrnFarView {
    uint32_t levels; ///< coarser levels, 1..TRN_FAR_LEVEL_MAX and at most the generator's level_max
    /// Radius of each level's view, at most TRN_STREAM_RADIUS_MAX. 0: the anchor's, for each
    /// anchor.
    uint32_t radius_chunks;
    /// Radius of the coarsest level's view, to end at a distance between two levels. 0: as the
    /// others.
    uint32_t last_radius_chunks;
    /// How far each level's view reaches up and down. 0: as the anchor's.
    uint32_t height_chunks;
} TrnFarView;

/// Returns the view that ends at a distance, with a height of 3. Levels get 5/8 of level 0's
/// radius: 10 for 16 chunks. So level 1 ends 4 chunks beyond level 0, and a voxel's size on screen
/// is at most 1.6 times that of level 1 where it begins.
/// @param distance_chunks  in chunks of level 0
/// @param radius_chunks    of level 0's view; 0 counts as 1
/// @return levels is at least 1. A distance beyond what TRN_FAR_LEVEL_MAX levels reach gives what
///         they do.
TRN_API TrnFarView trn_far_view_to(uint32_t distance_chunks, uint32_t radius_chunks);

/// Draws a chunk's mesh from now on, or stops. A mesh that the upload hook gets is not drawn until
/// this says so; a mesh that replaces another is drawn if that was. Also called for chunks without
/// a mesh. A chunk that is unloaded is no longer drawn: the unload hook tells, and this does not.
/// What takes its place is drawn just before. Must change no store, stream or far view. Runs on the
/// calling thread, inside trn_stream_update, trn_far_update and other calls that change a store,
/// and inside trn_far_create, trn_far_set_view and trn_far_destroy.
/// @param level  0..TrnFarView.levels
/// @param chunk  of that level's store
typedef void (*TrnFarDraw)(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn);

/// Start from trn_far_def() and change what you need.
typedef struct TrnFarDef {
    /// Level 0; borrowed, must outlive the far view. One far view a stream. Its store must outlive
    /// it too.
    TrnStream *stream;
    TrnFarView view; ///< how far it reaches
    /// Generates all levels 1..view.levels, and level 0 as the stream's does: edits are what
    /// differs from it. Copied.
    TrnGenerator generator;
    /// As those of a stream; `mesh` is needed. TrnStreamJob.level tells the level, and
    /// TrnStreamJob.worker is level 0's, so hooks of all levels may share scratch by worker. If
    /// generate, load or save is set, it replaces the generator or the source as in a stream.
    TrnStreamHooks hooks;
    /// By level: what hooks of this level get as `user`, since upload, drop_mesh and unload get no
    /// job. NULL: hooks.user. [0] is not used.
    void *users[TRN_FAR_LEVEL_MAX + 1];
    /// Loads and saves chunks of levels 1 and up, by TrnStreamJob.level. Only those with edits are
    /// saved, whatever saves_shown says. All zeroes is no source.
    TrnStreamSource source;
    /// What the stores of the levels are made from: user bytes, planes, caps. What it points to
    /// must outlive the far view. If `types` is NULL, they use those of level 0's store; if
    /// `allocator` is NULL, the far view's. bytes_max is ignored.
    TrnStoreDef store;
    TrnFarDraw draw; ///< may be NULL, for trn_far_is_drawn() alone
    void *draw_user; ///< passed to draw
    /// The most bytes for all levels together: stores, meshes, streams. Each level gets an equal
    /// part; a level that is short drops its outer rings. What they use counts against level 0's
    /// bytes_max as well, so make it a part of that. 0: no limit of its own.
    size_t bytes_max;
    /// For updates that pass no budget. What level 0's last update took counts: the levels get the
    /// rest, the finest first. A level without time for it waits, up to seven updates in a row;
    /// then it gets 0.03 ms, one level an update. Of `units`, each level gets as many.
    TrnStreamBudget budget;
    /// Keep the voxels of all chunks of levels, so that you can read them through trn_far_store().
    /// By default levels omit those of chunks that are as `generator` made them and are shown with
    /// all their neighbours, and generate them again when a mesh or an edit needs them. Hooks
    /// always get all voxels; readers of the stores find air in place of what is omitted.
    bool keeps_voxels;
    uint32_t hysteresis_chunks; ///< as TrnStreamDef.hysteresis_chunks, in chunks of each level
    /// Solve the light of each chunk before it is meshed, as TrnStreamDef.light.
    bool light;
    bool mesh_air; ///< also mesh chunks of air
    /// Microseconds, for exact replay. NULL: the system's monotonic clock.
    double (*clock_us)(void *user);
    void *clock_user; ///< passed to clock_us
    /// Copied; NULL means malloc. Called only on the calling thread.
    const TrnAllocator *allocator;
} TrnFarDef;

/// Returns the defaults: trn_far_view_to(128, 16), no light, a stream's default budget, no byte
/// limit of its own, a hysteresis of 1 chunk, stores without user bytes.
TRN_API TrnFarDef trn_far_def(void);

/// Creates a far view. Chunks that level 0 shows already are drawn at once. Its unsaved changes and
/// pending edits count as edits of now.
/// @param def       copied
/// @param far_view  receives the far view; the caller destroys it before the stream
/// Errors: BAD_ARGUMENT (no stream, mesh hook or generator; a view beyond its limits, or levels
/// beyond the generator's), EXISTS (the stream has a far view), NO_MEMORY, FULL (bytes_max holds
/// no empty levels). Cost: O(chunks that level 0 shows).
TRN_API TrnResult trn_far_create(const TrnFarDef *def, TrnFar **far_view);

/// Draws all that level 0 shows, in place of coarser chunks, and frees the levels with their chunks
/// and meshes; `draw` takes back what was drawn of them, and `unload` is not called. It saves
/// nothing: call trn_far_save first.
/// @param far_view  may be NULL
TRN_API void trn_far_destroy(TrnFar *far_view);

/// Moves the levels' views to level 0's anchors, applies what workers have finished, and issues the
/// next work. Call it once a frame, after trn_stream_update.
/// @param budget  for level 0 and all levels together, the finest first (TrnFarDef.budget); NULL:
///                the def's
/// @param report  receives the sum over the levels; may be NULL
/// @return OK; BAD_ARGUMENT (without a far view, or a budget out of range); otherwise the last of
///         several problems (NO_MEMORY, FULL, READERS, or a hook's result). The far view continues
///         and retries.
/// Cost: the budget.
TRN_API TrnResult trn_far_update(TrnFar *far_view, const TrnStreamBudget *budget,
                                 TrnStreamReport *report);

/// Changes how far the view reaches, from the next update on. A level that is no longer part of it
/// is freed at once as in trn_far_destroy(), unsaved changes included: call trn_far_save first.
/// Errors: BAD_ARGUMENT (as in create), NO_MEMORY, FULL; the view is then as before. Cost: O(1), or
/// O(chunks) of the levels that are freed.
TRN_API TrnResult trn_far_set_view(TrnFar *far_view, const TrnFarView *view);

/// Returns how far the view should reach. O(1).
TRN_API TrnFarView trn_far_view(const TrnFar *far_view);

/// Folds all edits that have not reached the coarser levels, then saves the levels' unsaved chunks,
/// on the calling thread, as trn_stream_save(). Coarse chunks that are not loaded are saved with
/// their edits, if TrnFarDef.source both loads and saves; otherwise these stay pending in the
/// level's store. A level whose pending edits are full is saved before more are added, so one call
/// saves all. Pending edits of level 0 are the game's to save (trn_save_pending).
/// Cost: O(chunks to fold and to save); each is loaded or generated, with its parent.
/// @return OK; BAD_ARGUMENT without a far view; otherwise the result of the last step that failed.
///         Those chunks stay as they were, and TrnFarStats.unsaved says how many they are
TRN_API TrnResult trn_far_save(TrnFar *far_view);

/// Meshes and uploads all chunks of the coarser levels again, as trn_stream_remesh().
/// @param far_view  may be NULL
TRN_API void trn_far_remesh(TrnFar *far_view);

// ---- what is loaded and drawn ------------------------------------------------------------------

/// The store of a level, to find chunks in and for its planes; for voxels see
/// TrnFarDef.keeps_voxels. The far view is its writer.
/// @param level  1..levels; NULL for others. 0: level 0's store
TRN_API TrnStore *trn_far_store(const TrnFar *far_view, uint32_t level);

/// Returns whether a chunk's mesh should be drawn, which is what TrnFarDef.draw last said of it.
/// @param level  0..levels; false for others
/// Cost: O(levels), a look-up each.
TRN_API bool trn_far_is_drawn(const TrnFar *far_view, uint32_t level, TrnCoord coord);

/// Figures of one level.
typedef struct TrnFarLevelStats {
    uint32_t loaded; ///< chunks of the views in the store
    uint32_t shown;  ///< chunks with a mesh, or none needed, that may be drawn
    uint32_t drawn;  ///< those that are
    /// Rings of the smallest view of the level, and those it should have; equal once it is
    /// complete.
    uint32_t rings;
    uint32_t rings_wanted; ///< see rings; 0 without anchors
    bool is_shrunk;        ///< a view of this level is smaller because memory is short
    size_t bytes;          ///< of its store, its meshes and its stream
} TrnFarLevelStats;

/// Figures of a far view.
typedef struct TrnFarStats {
    uint32_t levels;                               ///< coarser levels
    TrnFarLevelStats level[TRN_FAR_LEVEL_MAX + 1]; ///< by level; [0] is the game's stream
    uint64_t draws;                                ///< calls of TrnFarDef.draw so far
    uint32_t folds_due; ///< chunks with edits that have not reached the next level
    uint64_t folds;     ///< chunks whose edits have, so far
    /// What a trn_far_save() has to do: chunks that are due, and coarse chunks with edits that are
    /// not saved. 0 after one that returned OK.
    uint64_t unsaved;
    /// Coarse chunks whose edits were forgotten, the oldest first, so far: they were not loaded,
    /// their level's pending edits were full (trn_pending_set_bytes_max), and there is no source.
    uint64_t edits_dropped;
    size_t cover_bytes; ///< what says which chunks are drawn
    size_t bytes;       ///< of all coarser levels, cover included
    size_t bytes_max;   ///< as in the def
} TrnFarStats;

/// Returns the figures. Cost: O(pages) of all levels.
TRN_API TrnFarStats trn_far_stats(const TrnFar *far_view);

TRN_C_END
#endif
