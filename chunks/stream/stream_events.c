// The store changes: chunks arrive and leave, by the stream's own doing or another caller's, and
// edits outdate meshes.

#include "stream_impl.h"

#include "base/around.h"
#include "voxels/voxels_internal.h"

#define EVENTS_CHECKED 256u // cells that an update compares with the store

// ---- outdated meshes ---------------------------------------------------------------------------

/// One change of the store.
typedef struct EventsEdit {
    uint32_t group; ///< of the meshes that it touches; TRN_STREAM_GROUP_NONE: none yet
    bool is_torn;   ///< memory failed, so that they will not be shown together
} EventsEdit;

static EventsEdit events_begin_edit(void)
{
    return (EventsEdit){.group = TRN_STREAM_GROUP_NONE};
}

static void events_end_edit(TrnStream *stream, const EventsEdit *edit)
{
    stream->figures.stats.torn_groups += edit->is_torn;
}

/// Whether a cell's mesh is shown or on its way: also an outdated one that no scan has found yet,
/// or whose last try failed.
static bool events_needs_group(const TrnStream *stream, const TrnStreamCell *cell,
                               TrnStreamState state)
{
    if (!cell->is_loaded || cell->is_unloading) {
        return false;
    }
    const bool is_waiting = state == TRN_STREAM_STATE_LOADED || state == TRN_STREAM_STATE_FAILED;
    const bool is_stale = is_waiting && cell->was_shown &&
                          trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOW);
    return trn_stream_groups_have(cell) || is_stale || state == TRN_STREAM_STATE_SHOWN ||
           state == TRN_STREAM_STATE_MESH_QUEUED || state == TRN_STREAM_STATE_MESHING;
}

/// Makes a cell a member of the edit's group.
static void events_join_group(TrnStream *stream, TrnStreamCell *cell, EventsEdit *edit)
{
    TrnStreamMesh outdated = {0};
    const uint32_t joined = trn_stream_groups_join(
        &stream->groups, cell, edit->group, trn_stream_schedule_clock(&stream->schedule),
        trn_stream_schedule_number(&stream->schedule), &outdated);
    trn_stream_drop_mesh(stream, outdated);
    edit->is_torn |= joined == TRN_STREAM_GROUP_NONE;
    edit->group = joined != TRN_STREAM_GROUP_NONE ? joined : edit->group;
}

/// Marks a cell's mesh as outdated.
/// @param is_touched  the mesh reads voxels that changed; otherwise only its light may have changed
static void events_invalidate(TrnStream *stream, TrnStreamCell *cell, bool is_touched,
                              EventsEdit *edit)
{
    const TrnStreamState state = trn_stream_state(stream, cell);
    if (is_touched) {
        trn_stream_jobs_outdate(cell);
    }
    trn_stream_outdate_mesh(stream, cell);
    if (!events_needs_group(stream, cell, state)) {
        trn_stream_leave_group(stream, cell); // its finished mesh, if any, is outdated
        const bool is_at_rest = !trn_stream_queue_has(cell) && !trn_stream_jobs_are_busy(cell);
        if (cell->is_loaded && (is_at_rest || state == TRN_STREAM_STATE_SHOWN)) {
            trn_stream_request_mesh(stream, cell);
        }
        return;
    }
    stream->figures.stats.stale +=
        state == TRN_STREAM_STATE_MESHING && trn_stream_jobs_are_busy(cell);
    trn_stream_cancel(stream, cell);
    trn_stream_queue_remove(&stream->queue, cell);
    if (!trn_stream_cells_have_neighbours(&stream->cells, cell->coord)) {
        trn_stream_leave_group(stream, cell); // it cannot be meshed now
        trn_stream_request_mesh(stream, cell);
        return;
    }
    events_join_group(stream, cell, edit);
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REMESH, false);
    trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_MESH, true);
    stream->edits_invalidated++;
}

/// Marks the meshes of a chunk and its neighbours as outdated.
/// @param touched  which of them read voxels that changed, in the order of trn_coord_around
/// @param lit      of which the light may have changed
static void events_invalidate_around(TrnStream *stream, TrnCoord coord, uint32_t touched,
                                     uint32_t lit, EventsEdit *edit)
{
    for (uint32_t bits = (touched | lit) & trn_around_in_world(coord); bits; bits &= bits - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(bits);
        TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, trn_coord_around(coord, at));
        if (cell) {
            events_invalidate(stream, cell, touched >> at & 1, edit);
        }
    }
}

/// Marks the meshes of a chunk and of all its neighbours as outdated, as an edit of its own.
static void events_invalidate_all(TrnStream *stream, TrnCoord coord)
{
    EventsEdit edit = events_begin_edit();
    events_invalidate_around(stream, coord, TRN_AROUND_ALL, 0, &edit);
    events_end_edit(stream, &edit);
}

// ---- light below -------------------------------------------------------------------------------

/// Marks a mesh as outdated that need not be shown together with an edit's.
static void events_relight(TrnStream *stream, TrnStreamCell *cell)
{
    EventsEdit edit = events_begin_edit();
    if (trn_stream_groups_have(cell)) { // that of another edit
        events_invalidate(stream, cell, false, &edit);
        events_end_edit(stream, &edit);
        return;
    }
    const TrnStreamState state = trn_stream_state(stream, cell);
    trn_stream_outdate_mesh(stream, cell);
    if (state == TRN_STREAM_STATE_MESHING) {
        stream->figures.stats.stale++;
        trn_stream_cancel(stream, cell);
    }
    if (cell->is_loaded && !trn_stream_queue_has(cell) && !trn_stream_jobs_are_busy(cell)) {
        trn_stream_request_mesh(stream, cell);
    }
}

/// Relights what is around a chunk: as part of an edit, or later.
static void events_relight_around(TrnStream *stream, TrnCoord coord, uint32_t around)
{
    for (uint32_t bits = around & trn_around_in_world(coord); bits; bits &= bits - 1) {
        TrnStreamCell *cell = trn_stream_cells_find(
            &stream->cells, trn_coord_around(coord, (uint32_t)__builtin_ctz(bits)));
        if (cell) {
            events_relight(stream, cell);
        }
    }
}

/// Finds the next chunk below that is lit: in the same column, or next to it.
/// @return false if there is none
static bool events_step_down(const TrnStream *stream, TrnCoord *coord, TrnSnapshot *voxels)
{
    if (coord->y == INT32_MIN) {
        return false;
    }
    coord->y--;
    if (trn_store_snapshot(stream->store, *coord, voxels) == TRN_RESULT_OK) {
        return true;
    }
    TrnBox below = trn_box_around(*coord, 1, 0, 1);
    below.min.y = INT32_MIN;
    if (!trn_stream_highest_loaded(stream->store, below, &coord->y)) {
        return false;
    }
    if (trn_store_snapshot(stream->store, *coord, voxels) != TRN_RESULT_OK) {
        *voxels = trn_snapshot_of(TRN_BLOCK_AIR, 0);
    }
    return true;
}

/// Relights what lies below columns of a chunk that opened or closed, down to what blocks them.
/// Chunks that are not loaded count as air.
/// @param edit  gets what is around the chunk itself; the rest is shown when it is meshed, nearest
///              first
static void events_relight_below(TrnStream *stream, TrnCoord coord, TrnSkyMask columns,
                                 EventsEdit *edit)
{
    const TrnBlockTypes *types = trn_store_block_types(stream->store);
    const int32_t below = coord.y == INT32_MIN ? coord.y : coord.y - 1;
    TrnSnapshot voxels;
    while (!trn_sky_mask_is_empty(&columns) && events_step_down(stream, &coord, &voxels)) {
        const uint32_t around = trn_light_fall(voxels, types, &columns);
        const uint32_t together = coord.y == below ? around & trn_around_mask(7, 6, 7) : 0;
        events_invalidate_around(stream, coord, 0, together, edit);
        events_relight_around(stream, coord, around & ~together);
    }
}

/// Records that a chunk has other voxels than before, or that they are not known any more.
/// @param voxels  NULL: not known
static void events_change_sky(TrnStream *stream, TrnCoord coord, const TrnVoxels *voxels,
                              EventsEdit *edit)
{
    uint32_t pass[TRN_CHUNK_EDGE];
    TrnSkyMask changed;
    TrnSky *sky = trn_stream_jobs_sky(&stream->jobs);
    if (!sky) {
        return;
    }
    if (voxels) {
        trn_light_open_columns(trn_voxels_snapshot(voxels), trn_store_block_types(stream->store),
                               pass);
    }
    if (trn_sky_change(sky, coord, voxels ? pass : NULL, &changed)) {
        events_relight_below(stream, coord, changed, edit);
    }
}

static void events_note_unsaved(TrnStream *stream, TrnCoord coord)
{
    const TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, coord);
    if (cell) { // also for a chunk that the stream itself is inserting
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_UNSAVED, true);
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REPEATABLE, false);
    }
}

// ---- chunks that arrive ------------------------------------------------------------------------

/// Records a chunk that another caller inserted, in place of work under way for it.
static void events_adopt(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_cancel(stream, cell);
    trn_stream_queue_remove(&stream->queue, cell);
    trn_stream_cells_set_loaded(&stream->cells, cell, true);
    trn_stream_announce_loaded(stream, cell);
    if (cell->is_unloading) {
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
    }
}

void trn_stream_take_over(TrnStream *stream, const TrnStreamCell *cell)
{
    events_note_unsaved(stream, cell->coord);
    events_invalidate_all(stream, cell->coord);
}

/// Returns the cell of a chunk that arrived, or NULL: without a look-up if the stream inserted it.
static TrnStreamCell *events_arrived_cell(TrnStream *stream, TrnCoord coord)
{
    TrnStreamArriving *arriving = &stream->arriving;
    for (uint32_t i = arriving->next; i < arriving->count; i++) {
        if (trn_coord_equal(arriving->cells[i]->coord, coord)) {
            arriving->next = i + 1;
            return arriving->cells[i];
        }
    }
    return trn_stream_cells_find(&stream->cells, coord);
}

/// Handles a chunk that arrived. If another caller inserted it, or pending edits were applied to
/// it, meshes around it may be outdated even if no view holds the chunk itself.
static void events_on_inserted(TrnStream *stream, const TrnEventChunk *chunk)
{
    TrnStreamCell *cell = events_arrived_cell(stream, chunk->coord);
    const bool is_ours = cell && cell->is_arriving;
    if (is_ours) {
        cell->is_arriving = false;
    }
    const bool is_changed = !is_ours || chunk->applied;
    if (is_changed) {
        events_note_unsaved(stream, chunk->coord);
    }
    if (!chunk->chunk) {
        return; // an earlier listener removed it: that event follows
    }
    if (cell && !is_ours && !cell->is_loaded) {
        events_adopt(stream, cell);
    }
    EventsEdit edit = events_begin_edit();
    if (is_changed) {
        events_invalidate_around(stream, chunk->coord, TRN_AROUND_ALL, 0, &edit);
    }
    // What the generator made, light was told when it asked.
    if (is_changed || !trn_stream_light_asks(&stream->def.generator, chunk->coord.y)) {
        events_change_sky(stream, chunk->coord, &chunk->chunk->voxels, &edit);
    }
    events_end_edit(stream, &edit);
    if (is_ours && !cell->is_loaded) { // announced after the whole batch
        trn_stream_cells_set_loaded(&stream->cells, cell, true);
    }
}

/// Whether a chunk is opaque all through, also if its voxels are omitted.
static bool events_is_opaque(const TrnStream *stream, TrnCoord coord)
{
    TrnSnapshot voxels;
    if (trn_store_snapshot(stream->store, coord, &voxels) != TRN_RESULT_OK) {
        return false;
    }
    return trn_snapshot_is_omitted(voxels)
               ? trn_chunk_index_plane_test(stream->cells.index, TRN_STREAM_OPAQUE, coord)
               : trn_stream_is_opaque(stream, voxels);
}

/// Which meshes around a change read voxels that changed. Those of levels have open sides
/// (TrnMeshInput.open_sides): whether a chunk that is opaque all through shows them depends on all
/// voxels of the six around it.
static uint32_t events_touched(const TrnStream *stream, const TrnEventChunk *chunk)
{
    uint32_t touched = chunk->around;
    const uint32_t in_world = trn_around_in_world(chunk->coord);
    for (int face = 0; stream->jobs.run.level && face < TRN_FACE_COUNT; face++) {
        const TrnCoord by = trn_coord_neighbour((TrnCoord){0, 0, 0}, (TrnFace)face);
        const uint32_t place = trn_around_place(by.x, by.y, by.z);
        if (in_world >> place & 1 &&
            events_is_opaque(stream, trn_coord_around(chunk->coord, place))) {
            touched |= UINT32_C(1) << place;
        }
    }
    return touched;
}

static void events_on_changed(TrnStream *stream, const TrnStoreEvent *event)
{
    EventsEdit edit = events_begin_edit();
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnEventChunk *chunk = &event->chunks[i];
        events_note_unsaved(stream, chunk->coord);
        events_invalidate_around(stream, chunk->coord, events_touched(stream, chunk), chunk->light,
                                 &edit);
        if (chunk->light && chunk->chunk) {
            events_change_sky(stream, chunk->coord, &chunk->chunk->voxels, &edit);
        }
    }
    events_end_edit(stream, &edit);
}

// ---- chunks that leave -------------------------------------------------------------------------

/// Handles a cell whose chunk another caller removed: if a view holds it, it is queued again.
static void events_reload(TrnStream *stream, TrnStreamCell *cell)
{
    if (!cell->is_unloading) {
        trn_stream_queue_remove(&stream->queue, cell);
        cell->wanted_us = trn_stream_schedule_clock(&stream->schedule);
        trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_GENERATE, false);
    } else if (!trn_stream_queue_has(cell)) { // it was being saved
        trn_stream_queue_add(&stream->queue, cell, TRN_STREAM_QUEUE_UNLOAD_FIRST);
    }
}

/// Forgets what is open above columns of chunks around which nothing is loaded any more.
static void events_leave_column(TrnStream *stream, TrnCoord coord)
{
    TrnSky *sky = trn_stream_jobs_sky(&stream->jobs);
    const TrnBox column = {{coord.x, INT32_MIN, coord.z}, {coord.x, INT32_MAX, coord.z}};
    if (!sky || trn_store_gather(stream->store, column, NULL, 0) > 0) {
        return;
    }
    for (uint32_t bits = trn_around_mask(7, 2, 7) & trn_around_in_world(coord); bits;
         bits &= bits - 1) {
        const TrnCoord near = trn_coord_around(coord, (uint32_t)__builtin_ctz(bits));
        TrnBox around = trn_box_around(near, 1, 0, 1);
        around.min.y = INT32_MIN;
        around.max.y = INT32_MAX;
        if (trn_store_gather(stream->store, around, NULL, 0) == 0) {
            trn_sky_remove(sky, near);
        }
    }
}

void trn_stream_note_unloaded(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_cancel(stream, cell);
    trn_stream_leave_group(stream, cell);
    trn_stream_forget_mesh(stream, cell);
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    trn_stream_cells_set_loaded(&stream->cells, cell, false);
    events_leave_column(stream, cell->coord);
    stream->figures.stats.unloaded++;
    stream->figures.report.unloaded++;
    trn_stream_notify(stream, TRN_STREAM_EVENT_UNLOADED, cell->coord);
}

TrnResult trn_stream_on_store_removing(void *user, const TrnChunk *chunk)
{
    TrnStream *stream = user;
    TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, chunk->coord);
    if (!cell || !stream->def.source.save) {
        return TRN_RESULT_OK;
    }
    // Of a later change no event has come yet: a listener of the same dispatch made it, for
    // example, of a chunk that the stream itself removes or has not seen loaded.
    const bool is_unsaved = trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED) ||
                            trn_chunk_revision(chunk) > stream->seen_revision;
    return is_unsaved ? trn_stream_save_here(stream, cell, trn_voxels_snapshot(&chunk->voxels))
                      : TRN_RESULT_OK;
}

/// Ends what is known of a chunk's changes. @return whether they were not saved
static bool events_forget_unsaved(TrnStream *stream, const TrnStreamCell *cell)
{
    const bool is_unsaved = trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED);
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_UNSAVED, false);
    return is_unsaved;
}

static void events_on_removed(TrnStream *stream, const TrnEventChunk *chunk)
{
    const TrnStreamHooks *hooks = &stream->def.hooks;
    TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, chunk->coord);
    const bool is_unsaved = cell && events_forget_unsaved(stream, cell);
    const bool is_loaded = cell && cell->is_loaded, is_ours = is_loaded && cell->is_leaving;
    const bool may_differ = !is_ours || is_unsaved; // if it comes back
    EventsEdit edit = events_begin_edit();
    if (may_differ) {
        events_change_sky(stream, chunk->coord, NULL, &edit);
    }
    if (is_loaded) {
        cell->is_leaving = false;
        trn_stream_note_hidden(stream, cell, chunk->chunk);
        if (hooks->unload && chunk->chunk) {
            hooks->unload(hooks->user, chunk->chunk);
        }
        trn_stream_note_unloaded(stream, cell);
    }
    if (may_differ) {
        events_invalidate_around(stream, chunk->coord, TRN_AROUND_ALL, 0, &edit);
    }
    events_end_edit(stream, &edit);
    if (is_loaded && !is_ours) {
        events_reload(stream, cell);
    }
}

// ---- missed events -----------------------------------------------------------------------------

/// Handles missed events: everything changed since may be outdated. @return false without memory
static bool events_catch_up(TrnStream *stream, uint64_t since)
{
    const TrnAllocator *allocator = trn_stream_bytes_allocator(&stream->bytes);
    const size_t count = trn_store_changed_since(stream->store, since, NULL, 0);
    const size_t bytes = (count ? count : 1) * sizeof(TrnChunk *);
    TrnChunk **chunks = trn_take(allocator, bytes, sizeof(void *));
    if (!chunks) {
        stream->figures.stats.torn_groups++;
        return false;
    }
    EventsEdit edit = events_begin_edit();
    trn_store_changed_since(stream->store, since, chunks, count);
    for (size_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_cells_find(&stream->cells, chunks[i]->coord);
        if (cell && !cell->is_loaded) {
            events_adopt(stream, cell);
        }
        events_note_unsaved(stream, chunks[i]->coord);
        events_invalidate_around(stream, chunks[i]->coord, TRN_AROUND_ALL, 0, &edit);
        events_change_sky(stream, chunks[i]->coord, &chunks[i]->voxels, &edit);
    }
    trn_give(allocator, chunks, bytes);
    events_end_edit(stream, &edit);
    return true;
}

/// Handles missed events of chunks that left: no revision tells of them, so all cells are compared.
static void events_catch_up_removed(TrnStream *stream)
{
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        if (cell->is_loaded && !trn_store_find(stream->store, cell->coord)) {
            EventsEdit edit = events_begin_edit();
            events_change_sky(stream, cell->coord, NULL, &edit);
            trn_stream_note_unloaded(stream, cell);
            events_invalidate_around(stream, cell->coord, TRN_AROUND_ALL, 0, &edit);
            events_end_edit(stream, &edit);
            events_reload(stream, cell);
        }
    }
}

void trn_stream_catch_up(TrnStream *stream)
{
    if (stream->has_missed) {
        stream->has_missed = false;
        events_catch_up_removed(stream);
    }
    const uint64_t now = trn_store_revision(stream->store);
    if (now != stream->seen_revision && events_catch_up(stream, stream->seen_revision)) {
        stream->seen_revision = now;
    }
}

void trn_stream_check_loaded(TrnStream *stream)
{
#if defined(TRN_ENABLE_ASSERT)
    if (trn_store_stats(stream->store).missed_events) {
        return; // the next event tells the stream
    }
    for (uint32_t i = 0; i < EVENTS_CHECKED; i++) {
        const TrnStreamCell *cell = trn_stream_cells_next(&stream->cells, &stream->checked);
        if (!cell) {
            stream->checked = 0;
            return;
        }
        TRN_ASSERT(cell->is_loaded == (trn_store_find(stream->store, cell->coord) != NULL));
    }
#else
    (void)stream;
#endif
}

TrnResult trn_stream_on_store_event(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    TrnStream *stream = user;
    (void)store;
    if (event->kind == TRN_EVENT_CHANGED) {
        events_on_changed(stream, event);
    }
    for (uint32_t i = 0; event->kind != TRN_EVENT_CHANGED && i < event->count; i++) {
        (event->kind == TRN_EVENT_INSERTED ? events_on_inserted
                                           : events_on_removed)(stream, &event->chunks[i]);
    }
    stream->has_missed |= event->has_missed;
    // After a missed event the revisions have a gap; the next update asks the store for all changes
    // since the last revision before it.
    if (event->kind != TRN_EVENT_REMOVED && !event->has_missed &&
        event->revision == stream->seen_revision + 1) {
        stream->seen_revision = event->revision;
    }
    return TRN_RESULT_OK;
}
