// Changes of the store by others: edits, and chunks that other callers insert or remove. The meshes
// that one edit touches form a group: finished meshes wait for the others, and all appear in one
// update. An edit that touches a mesh of a pending group joins that group, so that half of an edit
// never shows. Continuous edits cannot delay a group forever: once it is old, the calling thread
// builds as many meshes as edits touched since the last update, plus some, so that fewer are
// pending after each update.

#include "stream_impl.h"

// ---- groups ------------------------------------------------------------------------------------

static TrnStreamGroup *edits_group(const TrnStream *stream, const TrnStreamCell *cell)
{
    return &stream->groups.items[cell->group - 1];
}

/// Returns an empty group, or NULL without memory. May move the groups in memory.
static TrnStreamGroup *edits_open_group(TrnStream *stream)
{
    uint32_t index = 0;
    while (index < stream->groups.count && stream->groups.items[index].is_used) {
        index++;
    }
    if (index == stream->groups.count) {
        if (trn_array_push(&stream->groups, &stream->counted, (TrnStreamGroup){0}) !=
            TRN_RESULT_OK) {
            return NULL;
        }
    }
    TrnStreamGroup *group = &stream->groups.items[index];
    group->is_used = true;
    group->members.count = group->pending = 0;
    group->since_us = trn_stream_clock(stream);
    group->since_update = stream->updates;
    stream->groups_open++;
    return group;
}

static void edits_close_group(TrnStream *stream, TrnStreamGroup *group)
{
    group->is_used = false;
    stream->groups_open--;
}

/// @return false without memory
static bool edits_add_member(TrnStream *stream, TrnStreamGroup *group, TrnStreamCell *cell,
                             bool is_done, TrnStreamMesh mesh)
{
    if (trn_array_push(&group->members, &stream->counted,
                       (TrnStreamMember){cell->slot, is_done, mesh}) != TRN_RESULT_OK) {
        return false;
    }
    cell->group = (uint32_t)(group - stream->groups.items) + 1;
    cell->member_index = group->members.count - 1;
    group->pending += !is_done;
    return true;
}

/// Shows all members' meshes, in one update.
static void edits_show_group(TrnStream *stream, TrnStreamGroup *group)
{
    for (uint32_t i = 0; i < group->members.count; i++) { // trn_stream_show must find no membership
        TrnStreamCell *cell = trn_stream_cell(stream, group->members.items[i].cell);
        cell->group = 0;
    }
    for (uint32_t i = 0; i < group->members.count; i++) {
        const TrnStreamMember *member = &group->members.items[i];
        trn_stream_show(stream, trn_stream_cell(stream, member->cell), member->mesh);
    }
    trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_EDIT_TO_SHOWN],
                         trn_stream_clock(stream) - group->since_us);
    stream->stats.groups++;
    edits_close_group(stream, group);
}

/// Shows a group once all its meshes are done; closes an empty one.
static void edits_settle_group(TrnStream *stream, TrnStreamGroup *group)
{
    if (!group->is_used || group->pending) {
        return;
    }
    if (group->members.count) {
        edits_show_group(stream, group);
    } else {
        edits_close_group(stream, group);
    }
}

/// Removes a member. @return it, with its mesh if done
static TrnStreamMember edits_remove_member(TrnStream *stream, TrnStreamGroup *group,
                                           TrnStreamCell *cell)
{
    const uint32_t index = cell->member_index;
    const TrnStreamMember taken = group->members.items[index];
    trn_array_remove_swap(&group->members, index);
    if (index < group->members.count) {
        trn_stream_cell(stream, group->members.items[index].cell)->member_index = index;
    }
    group->pending -= !taken.is_done;
    cell->group = 0;
    return taken;
}

void trn_stream_group_remove(TrnStream *stream, TrnStreamCell *cell)
{
    if (!cell->group) {
        return;
    }
    TrnStreamGroup *group = edits_group(stream, cell);
    const TrnStreamMember member = edits_remove_member(stream, group, cell);
    if (member.is_done) {
        trn_stream_drop_mesh(stream, member.mesh);
    }
    edits_settle_group(stream, group);
}

void trn_stream_group_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh)
{
    TrnStreamGroup *group = edits_group(stream, cell);
    TrnStreamMember *member = &group->members.items[cell->member_index];
    TRN_ASSERT(!member->is_done);
    member->mesh = mesh;
    member->is_done = true;
    group->pending--;
    edits_settle_group(stream, group);
}

void trn_stream_group_rejoin(TrnStream *stream, TrnStreamCell *cell)
{
    if (edits_group(stream, cell)->members.items[cell->member_index].is_done) {
        trn_stream_set_state(stream, cell, TRN_STREAM_STATE_MESHING);
        trn_stream_plane_set(stream, cell, TRN_STREAM_REMESH, false);
        return;
    }
    if (!trn_stream_has_neighbours(stream, cell->coord)) {
        trn_stream_group_remove(stream, cell);
        trn_stream_request_mesh(stream, cell);
        return;
    }
    trn_stream_plane_set(stream, cell, TRN_STREAM_REMESH, false);
    trn_stream_queue_mesh(stream, cell, true);
}

void trn_stream_groups_drop_unwanted(TrnStream *stream)
{
    if (!stream->groups_have_unwanted) {
        return;
    }
    stream->groups_have_unwanted = false;
    for (uint32_t i = 0; i < stream->groups.count; i++) {
        const TrnStreamGroup *group = &stream->groups.items[i];
        for (uint32_t m = group->members.count; group->is_used && m-- > 0;) {
            TrnStreamCell *cell = trn_stream_cell(stream, group->members.items[m].cell);
            if (cell->is_unloading) {
                trn_stream_group_remove(stream, cell);
            }
        }
    }
}

uint64_t trn_stream_group_age(const TrnStream *stream)
{
    uint64_t oldest = 0;
    for (uint32_t i = 0; stream->groups_open && i < stream->groups.count; i++) {
        const TrnStreamGroup *group = &stream->groups.items[i];
        if (group->is_used && stream->updates - group->since_update > oldest) {
            oldest = stream->updates - group->since_update;
        }
    }
    return oldest;
}

void trn_stream_destroy_groups(TrnStream *stream)
{
    for (uint32_t i = 0; i < stream->groups.count; i++) {
        TrnStreamGroup *group = &stream->groups.items[i];
        for (uint32_t m = 0; group->is_used && m < group->members.count; m++) {
            trn_stream_drop_mesh(stream, group->members.items[m].mesh);
        }
        trn_array_free(&group->members, &stream->counted);
    }
    trn_array_free(&stream->groups, &stream->counted);
}

/// Moves all members of one group to another. @return false without memory; the remaining members
/// stay
static bool edits_merge(TrnStream *stream, TrnStreamGroup *to, TrnStreamGroup *from)
{
    while (from->members.count) {
        TrnStreamCell *cell =
            trn_stream_cell(stream, from->members.items[from->members.count - 1].cell);
        const TrnStreamMember member = from->members.items[from->members.count - 1];
        if (!edits_add_member(stream, to, cell, member.is_done, member.mesh)) {
            return false;
        }
        from->members.count--;
        from->pending -= !member.is_done;
    }
    to->since_us = from->since_us < to->since_us ? from->since_us : to->since_us;
    to->since_update =
        from->since_update < to->since_update ? from->since_update : to->since_update;
    edits_close_group(stream, from);
    return true;
}

/// Makes a cell a member of a group, with its mesh pending.
/// @param group_index  the group; UINT32_MAX: the cell's own, or a new one
/// @return the index of its group; UINT32_MAX without memory, or if the groups could not be merged
static uint32_t edits_join(TrnStream *stream, TrnStreamCell *cell, uint32_t group_index)
{
    if (cell->group) {
        TrnStreamGroup *its = edits_group(stream, cell);
        TrnStreamMember *member = &its->members.items[cell->member_index];
        if (member->is_done) { // outdated
            trn_stream_drop_mesh(stream, member->mesh);
            member->mesh = (TrnStreamMesh){0};
            member->is_done = false;
            its->pending++;
        }
        const uint32_t its_index = cell->group - 1;
        if (group_index == UINT32_MAX || group_index == its_index) {
            return its_index;
        }
        return edits_merge(stream, &stream->groups.items[group_index], its) ? group_index
                                                                            : UINT32_MAX;
    }
    if (group_index == UINT32_MAX) {
        TrnStreamGroup *group = edits_open_group(stream);
        if (!group) {
            return UINT32_MAX;
        }
        group_index = (uint32_t)(group - stream->groups.items);
    }
    TrnStreamGroup *group = &stream->groups.items[group_index];
    if (!edits_add_member(stream, group, cell, false, (TrnStreamMesh){0})) {
        edits_settle_group(stream, group); // closes it if it is empty
        return UINT32_MAX;
    }
    return group_index;
}

// ---- edits -------------------------------------------------------------------------------------

/// Whether a cell's mesh is shown or on its way: also an outdated one that no scan has found yet,
/// or whose last try failed.
static bool edits_needs_group(const TrnStream *stream, const TrnStreamCell *cell)
{
    if (!cell->is_loaded || cell->is_unloading) {
        return false;
    }
    const bool is_waiting =
        cell->state == TRN_STREAM_STATE_LOADED || cell->state == TRN_STREAM_STATE_FAILED;
    const bool is_stale =
        is_waiting && cell->was_shown && trn_stream_plane_test(stream, cell, TRN_STREAM_SHOW);
    return cell->group || is_stale || cell->state == TRN_STREAM_STATE_SHOWN ||
           cell->state == TRN_STREAM_STATE_MESH_QUEUED || cell->state == TRN_STREAM_STATE_MESHING;
}

/// Marks a cell's mesh as outdated. @param group_index  the group of the edit; see edits_join
static void edits_invalidate(TrnStream *stream, TrnStreamCell *cell, uint32_t *group_index,
                             bool *is_torn)
{
    cell->stamp++;
    cell->air = TRN_STREAM_AIR_UNKNOWN;
    trn_stream_plane_set(stream, cell, TRN_STREAM_SHOWN, false);
    if (!edits_needs_group(stream, cell)) {
        const bool is_at_rest = cell->list == TRN_STREAM_LIST_NONE && !cell->work;
        if (cell->is_loaded && (is_at_rest || cell->state == TRN_STREAM_STATE_SHOWN)) {
            trn_stream_request_mesh(stream, cell);
        }
        return;
    }
    stream->stats.stale += cell->work && cell->work->kind == TRN_STREAM_WORK_MESH;
    trn_stream_cancel(stream, cell);
    trn_stream_list_remove(stream, cell);
    if (!trn_stream_has_neighbours(stream, cell->coord)) {
        trn_stream_group_remove(stream, cell); // it cannot be meshed now
        trn_stream_request_mesh(stream, cell);
        return;
    }
    const uint32_t joined = edits_join(stream, cell, *group_index);
    *is_torn |= joined == UINT32_MAX;
    *group_index = joined != UINT32_MAX ? joined : *group_index;
    trn_stream_plane_set(stream, cell, TRN_STREAM_REMESH, false);
    trn_stream_queue_mesh(stream, cell, true);
    stream->edits_invalidated++;
}

static void edits_invalidate_around(TrnStream *stream, TrnCoord coord, uint32_t around,
                                    uint32_t *group_index, bool *is_torn)
{
    for (uint32_t bits = around & trn_around_in_world(coord); bits; bits &= bits - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(bits);
        TrnStreamCell *cell = trn_stream_find(stream, trn_coord_around(coord, at));
        if (cell) {
            edits_invalidate(stream, cell, group_index, is_torn);
        }
    }
}

static void edits_note_unsaved(TrnStream *stream, TrnCoord coord)
{
    TrnStreamCell *cell = trn_stream_find(stream, coord);
    if (cell) { // also for a chunk that the stream itself is inserting
        trn_stream_plane_set(stream, cell, TRN_STREAM_UNSAVED, true);
    }
}

/// Marks the meshes of a chunk and its neighbours as outdated.
static void edits_invalidate_all_around(TrnStream *stream, TrnCoord coord)
{
    uint32_t group_index = UINT32_MAX;
    bool is_torn = false;
    edits_invalidate_around(stream, coord, TRN_AROUND_ALL, &group_index, &is_torn);
    stream->stats.torn_groups += is_torn;
}

/// Takes over a chunk that another caller inserted.
static void edits_adopt(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_cancel(stream, cell);
    trn_stream_list_remove(stream, cell);
    trn_stream_note_loaded(stream, cell);
    if (cell->is_unloading) {
        trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
    }
}

/// Handles a chunk that another caller inserted, or that received pending edits. Meshes around it
/// may be outdated even if no view holds the chunk itself.
static void edits_on_inserted(TrnStream *stream, const TrnEventChunk *chunk)
{
    // Other listeners may insert chunks while they handle the stream's insertion.
    const bool is_ours = stream->is_inserting && trn_coord_equal(chunk->coord, stream->inserting);
    if (!chunk->chunk || (is_ours && !chunk->applied)) {
        return;
    }
    TrnStreamCell *cell = trn_stream_find(stream, chunk->coord);
    if (cell && !is_ours && !cell->is_loaded) {
        edits_adopt(stream, cell);
    }
    edits_note_unsaved(stream, chunk->coord);
    edits_invalidate_all_around(stream, chunk->coord);
}

static void edits_on_changed(TrnStream *stream, const TrnStoreEvent *event)
{
    uint32_t group_index = UINT32_MAX;
    bool is_torn = false;
    for (uint32_t i = 0; i < event->count; i++) {
        const TrnEventChunk *chunk = &event->chunks[i];
        edits_note_unsaved(stream, chunk->coord);
        edits_invalidate_around(stream, chunk->coord, chunk->around, &group_index, &is_torn);
    }
    stream->stats.torn_groups += is_torn;
}

/// Saves a chunk that another caller removes, while it can still be read.
static void edits_save_removed(TrnStream *stream, TrnStreamCell *cell, const TrnChunk *chunk)
{
    if (!stream->def.hooks.save || !trn_stream_plane_test(stream, cell, TRN_STREAM_UNSAVED)) {
        return;
    }
    trn_stream_await_save(stream, cell); // an earlier version may be in the hook
    // so that the hook can ask whether it is cancelled
    const TrnStreamWork work = {.job = {.coord = cell->coord}};
    const TrnResult result = stream->def.hooks.save(stream->def.hooks.user, &work.job,
                                                    trn_voxels_snapshot(&chunk->voxels));
    if (result == TRN_RESULT_OK) {
        stream->stats.saved++;
        trn_stream_notify(stream, TRN_STREAM_EVENT_SAVED, cell->coord);
    } else {
        trn_stream_note_failure(stream, cell->coord, TRN_STREAM_STAGE_SAVE, result);
    }
}

/// Handles a cell whose chunk another caller removed: if a view holds it, it is queued again.
static void edits_reload(TrnStream *stream, TrnStreamCell *cell)
{
    if (!cell->is_unloading) {
        trn_stream_list_remove(stream, cell);
        cell->wanted_us = trn_stream_clock(stream);
        trn_stream_queue_generate(stream, cell);
    } else if (cell->list == TRN_STREAM_LIST_NONE) { // it was being saved
        trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
    }
}

/// Returns the cell of a removed chunk, most often the one that the stream is removing.
static TrnStreamCell *edits_removed_cell(const TrnStream *stream, TrnCoord coord)
{
    if (stream->removing != TRN_STREAM_NO_CELL) {
        TrnStreamCell *cell = trn_stream_cell(stream, stream->removing);
        if (trn_coord_equal(cell->coord, coord)) {
            return cell;
        }
    }
    return trn_stream_find(stream, coord);
}

static void edits_on_removed(TrnStream *stream, const TrnEventChunk *chunk)
{
    TrnStreamCell *cell = edits_removed_cell(stream, chunk->coord);
    if (!cell || !cell->is_loaded) {
        edits_invalidate_all_around(stream, chunk->coord);
        return;
    }
    const bool is_ours = stream->removing == cell->slot;
    const bool is_lost =
        !stream->def.hooks.save && trn_stream_plane_test(stream, cell, TRN_STREAM_UNSAVED);
    if (!is_ours) {
        edits_save_removed(stream, cell, chunk->chunk);
    }
    if (stream->def.hooks.unload && chunk->chunk) {
        stream->def.hooks.unload(stream->def.hooks.user, chunk->chunk);
    }
    trn_stream_cancel(stream, cell);
    trn_stream_group_remove(stream, cell);
    trn_stream_drop_mesh(stream, cell->mesh);
    cell->mesh = (TrnStreamMesh){0};
    cell->is_loaded = false;
    stream->loaded_count--;
    cell->was_shown = false;
    cell->air = TRN_STREAM_AIR_UNKNOWN;
    const TrnPlane planes[] = {TRN_STREAM_LOADED, TRN_STREAM_SHOWN, TRN_STREAM_REMESH,
                               TRN_STREAM_UNSAVED};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        trn_stream_plane_set(stream, cell, planes[i], false);
    }
    stream->stats.unloaded++;
    stream->report.unloaded++;
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_UNKNOWN);
    trn_stream_notify(stream, TRN_STREAM_EVENT_UNLOADED, cell->coord);
    if (!is_ours || is_lost) { // the chunk may come back with other voxels
        edits_invalidate_all_around(stream, cell->coord);
    }
    if (!is_ours) {
        edits_reload(stream, cell);
    }
}

/// Handles missed events: everything changed since may be outdated. @return false without memory
static bool edits_catch_up(TrnStream *stream, uint64_t since)
{
    const size_t count = trn_store_changed_since(stream->store, since, NULL, 0);
    const size_t bytes = (count ? count : 1) * sizeof(TrnChunk *);
    TrnChunk **chunks = trn_take(&stream->counted, bytes, sizeof(void *));
    if (!chunks) {
        stream->stats.torn_groups++;
        return false;
    }
    uint32_t group_index = UINT32_MAX;
    bool is_torn = false;
    trn_store_changed_since(stream->store, since, chunks, count);
    for (size_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_find(stream, chunks[i]->coord);
        if (cell && !cell->is_loaded) {
            edits_adopt(stream, cell);
        }
        edits_note_unsaved(stream, chunks[i]->coord);
        edits_invalidate_around(stream, chunks[i]->coord, TRN_AROUND_ALL, &group_index, &is_torn);
    }
    trn_give(&stream->counted, chunks, bytes);
    stream->stats.torn_groups += is_torn;
    return true;
}

void trn_stream_catch_up(TrnStream *stream)
{
    const uint64_t now = trn_store_revision(stream->store);
    if (now != stream->seen_revision && edits_catch_up(stream, stream->seen_revision)) {
        stream->seen_revision = now;
    }
}

TrnResult trn_stream_on_store_event(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    TrnStream *stream = user;
    (void)store;
    if (event->kind == TRN_EVENT_CHANGED) {
        edits_on_changed(stream, event);
    }
    for (uint32_t i = 0; event->kind != TRN_EVENT_CHANGED && i < event->count; i++) {
        (event->kind == TRN_EVENT_INSERTED ? edits_on_inserted
                                           : edits_on_removed)(stream, &event->chunks[i]);
    }
    // After a missed event the revisions have a gap; the next update asks the store for all changes
    // since the last revision before it.
    if (event->kind != TRN_EVENT_REMOVED && !event->has_missed &&
        event->revision == stream->seen_revision + 1) {
        stream->seen_revision = event->revision;
    }
    return TRN_RESULT_OK;
}
