// Meshes: requested, finished, shown, dropped. The meshes that one edit touches appear together.

#include "base/zone.h"
#include "stream_impl.h"
#include "voxels/voxel_read_internal.h"
#include "voxels/voxels_internal.h"

// ---- dropping ----------------------------------------------------------------------------------

void trn_stream_free_mesh(const TrnStream *stream, TrnStreamMesh mesh)
{
    if (mesh.mesh && stream->def.hooks.drop_mesh) {
        stream->def.hooks.drop_mesh(stream->def.hooks.user, mesh);
    }
}

void trn_stream_drop_mesh(TrnStream *stream, TrnStreamMesh mesh)
{
    trn_stream_bytes_resize_mesh(&stream->bytes, mesh.bytes, 0);
    trn_stream_free_mesh(stream, mesh);
}

// ---- showing -----------------------------------------------------------------------------------

/// Records that a cell's current mesh is shown.
static void meshes_note_shown(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_SHOWN, true);
    trn_stream_succeed(cell);
    cell->since_us = trn_stream_schedule_now(&stream->schedule);
    if (!cell->was_shown) {
        cell->was_shown = true;
        trn_stream_add_time(stream, TRN_STREAM_STAGE_WANTED_TO_SHOWN,
                            trn_stream_schedule_last(&stream->schedule) - cell->wanted_us);
        if (stream->watch.shown) {
            stream->watch.shown(stream->watch.user, cell->coord);
        }
    }
    if (cell->is_generated && stream->def.source.saves_shown) {
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_UNSAVED, true);
    }
    cell->is_generated = false;
    stream->omit_walk.rounds = stream->omits ? 2 : 0; // the one under way, and a whole one
    trn_stream_notify(stream, TRN_STREAM_EVENT_SHOWN, cell->coord);
}

static TrnResult meshes_upload(TrnStream *stream, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    TRN_ZONE("upload");
    const TrnStreamHooks *hooks = &stream->def.hooks;
    const double begun_us = trn_stream_schedule_last(&stream->schedule);
    const size_t bytes = mesh->bytes;
    const uint64_t hash = mesh->hash;
    stream->figures.report.upload_bytes += bytes;
    const TrnResult result = hooks->upload(hooks->user, chunk, mesh);
    mesh->hash = hash; // of what is shown, whatever the hook keeps of it
    trn_stream_bytes_resize_mesh(&stream->bytes, bytes, mesh->bytes);
    trn_stream_add_time(stream, TRN_STREAM_STAGE_UPLOAD,
                        trn_stream_schedule_clock(&stream->schedule) - begun_us);
    return result;
}

/// Forgets what a cell's shown mesh was made from: the next one is built and uploaded.
static void meshes_forget_made(TrnStreamCell *cell)
{
    cell->made_light = 0;
    cell->mesh.hash = 0;
}

/// Keeps the shown mesh in place of one that was not built. If it is not what that would be equal
/// to any more, one is built after all.
static void meshes_keep(TrnStream *stream, TrnStreamCell *cell, const TrnStreamMade *made)
{
    if (cell->made_light != made->light || cell->made_stamp != made->stamp) {
        trn_stream_request_mesh(stream, cell);
        return;
    }
    stream->figures.stats.meshes_spared++;
    meshes_note_shown(stream, cell);
}

/// Replaces the shown mesh by one that was uploaded.
static void meshes_replace(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh)
{
    const TrnStreamMesh old = cell->mesh;
    cell->mesh = mesh;
    trn_stream_drop_mesh(stream, old);
}

/// Whether there is a mesh to show, or to remove.
static bool meshes_need_upload(const TrnStream *stream, const TrnStreamCell *cell,
                               const TrnChunk *chunk, TrnStreamMesh mesh)
{
    const TrnSnapshot voxels =
        chunk ? trn_voxels_snapshot(&chunk->voxels) : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    return mesh.mesh || cell->mesh.mesh || stream->def.mesh_air ||
           !trn_snapshot_is_uniform(voxels) || trn_snapshot_is_omitted(voxels);
}

/// Uploads a counted mesh of a cell in no group, and replaces the shown one, unless they are equal.
static void meshes_show(TrnStream *stream, TrnStreamCell *cell, const TrnStreamMade *made)
{
    TrnStreamMesh mesh = made->mesh;
    if (made->is_spared) {
        meshes_keep(stream, cell, made);
        return;
    }
    TrnChunk *chunk = trn_store_find(stream->store, cell->coord);
    TrnResult result = chunk ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
    const bool is_equal = chunk && mesh.hash && mesh.hash == cell->mesh.hash;
    const bool is_upload = !is_equal && meshes_need_upload(stream, cell, chunk, mesh);
    if (chunk && stream->def.hooks.upload && is_upload) {
        result = meshes_upload(stream, chunk, &mesh);
    }
    if (result != TRN_RESULT_OK) {
        trn_stream_drop_mesh(stream, mesh);
        meshes_forget_made(cell);
        trn_stream_fail(stream, cell, TRN_STREAM_STAGE_UPLOAD, result);
        return;
    }
    if (is_equal) {
        trn_stream_drop_mesh(stream, mesh);
    } else {
        meshes_replace(stream, cell, mesh);
    }
    cell->made_light = made->light;
    cell->made_stamp = made->stamp;
    stream->figures.stats.uploads_spared += is_equal;
    stream->figures.stats.uploaded += is_upload;
    stream->figures.report.uploaded += is_upload;
    meshes_note_shown(stream, cell);
}

void trn_stream_renew_mesh(TrnStream *stream, TrnStreamCell *cell)
{
    meshes_forget_made(cell); // also of one that waits for another mesh
    if (!trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_SHOWN)) {
        return;
    }
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_SHOWN, false);
    // Chunks being saved or unloaded request their mesh afterwards.
    if (!trn_stream_queue_has(cell) && !trn_stream_jobs_are_busy(cell)) {
        trn_stream_request_mesh(stream, cell);
    }
}

void trn_stream_drop_light(TrnStream *stream, TrnStreamPacked *light)
{
    trn_stream_bytes_drop_light(&stream->bytes, trn_stream_packed_bytes(light));
    trn_stream_packed_destroy(&stream->lights.allocator, light);
}

TrnResult trn_stream_accept_light(TrnStream *stream, const TrnStreamCell *cell,
                                  TrnStreamPacked *light)
{
    TrnStreamPacked *old;
    const TrnResult result = trn_stream_kept_light_set(&stream->lights, cell->coord, light, &old);
    if (result == TRN_RESULT_OK && old) {
        trn_stream_drop_light(stream, old);
    }
    return result;
}

void trn_stream_note_hidden(TrnStream *stream, TrnStreamCell *cell, TrnChunk *chunk)
{
    if (cell->was_shown && stream->watch.hidden) {
        stream->watch.hidden(stream->watch.user, cell->coord, chunk);
    }
    cell->was_shown = false;
}

void trn_stream_forget_mesh(TrnStream *stream, TrnStreamCell *cell)
{
    TrnStreamPacked *light = trn_stream_kept_light_take(&stream->lights, cell->coord);
    if (light) {
        trn_stream_drop_light(stream, light);
    }
    trn_stream_drop_mesh(stream, cell->mesh);
    cell->mesh = (TrnStreamMesh){0};
    meshes_forget_made(cell);
    trn_stream_note_hidden(stream, cell, NULL);
    cell->air = TRN_STREAM_AIR_UNKNOWN;
}

void trn_stream_outdate_mesh(TrnStream *stream, TrnStreamCell *cell)
{
    cell->air = TRN_STREAM_AIR_UNKNOWN;
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_SHOWN, false);
}

bool trn_stream_is_plain_air(const TrnStream *stream, const TrnStreamCell *cell)
{
    if (stream->def.keep_light) {
        return false; // it needs light
    }
    if (stream->def.mesh_air || cell->air != TRN_STREAM_AIR_UNKNOWN) {
        return !stream->def.mesh_air && cell->air == TRN_STREAM_AIR_YES;
    }
    TrnSnapshot now;
    return trn_store_snapshot(stream->store, cell->coord, &now) == TRN_RESULT_OK &&
           trn_snapshot_is_uniform(now) && trn_snapshot_uniform(now) == TRN_BLOCK_AIR &&
           !trn_snapshot_is_omitted(now);
}

bool trn_stream_is_opaque(const TrnStream *stream, TrnSnapshot voxels)
{
    const uint32_t *bits = trn_block_types_opaque_bits(trn_store_block_types(stream->store));
    return trn_snapshot_opaque_mask(voxels, bits).all == UINT64_MAX;
}

// ---- groups ------------------------------------------------------------------------------------

/// Shows a group once all its meshes are finished, in one update.
static void meshes_settle_group(TrnStream *stream, uint32_t index)
{
    const TrnStreamGroup *group = trn_stream_groups_begin_show(&stream->groups, index);
    if (!group) {
        return;
    }
    for (uint32_t i = 0; i < group->members.count; i++) {
        const TrnStreamMember *member = &group->members.items[i];
        meshes_show(stream, trn_stream_cells_at(&stream->cells, member->cell), &member->made);
    }
    trn_stream_add_time(stream, TRN_STREAM_STAGE_EDIT_TO_SHOWN,
                        trn_stream_schedule_clock(&stream->schedule) - group->since_us);
    stream->figures.stats.groups++;
    trn_stream_groups_end_show(&stream->groups, index);
}

void trn_stream_accept_mesh(TrnStream *stream, TrnStreamCell *cell, const TrnStreamMade *made)
{
    if (trn_stream_groups_have(cell)) {
        meshes_settle_group(stream, trn_stream_groups_finish(&stream->groups, cell, made));
    } else {
        meshes_show(stream, cell, made);
    }
}

void trn_stream_leave_group(TrnStream *stream, TrnStreamCell *cell)
{
    if (!trn_stream_groups_have(cell)) {
        return;
    }
    TrnStreamMesh finished = {0};
    const uint32_t group = trn_stream_groups_remove(&stream->groups, cell, &finished);
    trn_stream_drop_mesh(stream, finished);
    meshes_settle_group(stream, group);
}

void trn_stream_rejoin_group(TrnStream *stream, TrnStreamCell *cell)
{
    const bool is_finished = trn_stream_groups_is_finished(&stream->groups, cell);
    if (!is_finished && !trn_stream_cells_have_neighbours(&stream->cells, cell->coord)) {
        trn_stream_leave_group(stream, cell);
        trn_stream_request_mesh(stream, cell);
        return;
    }
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REMESH, false);
    if (!is_finished) {
        trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_MESH, true);
    }
}

void trn_stream_drop_unwanted_members(TrnStream *stream)
{
    uint64_t cursor = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_groups_next_unwanted(&stream->groups, &cursor));) {
        trn_stream_leave_group(stream, cell);
    }
}

// ---- finding chunks to mesh --------------------------------------------------------------------

/// Queues a cell that can be meshed; a chunk of air counts as shown at once.
static void meshes_queue(void *user, TrnStreamCell *cell)
{
    TrnStream *stream = user;
    if (trn_stream_jobs_are_busy(cell) || trn_stream_queue_has(cell)) {
        return; // being saved or unloaded; found again after that
    }
    trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REMESH, false);
    if (!cell->mesh.mesh && trn_stream_is_plain_air(stream, cell)) {
        meshes_note_shown(stream, cell);
    } else {
        trn_stream_queue_work(stream, cell, TRN_STREAM_QUEUE_MESH, false);
    }
}

void trn_stream_scan(TrnStream *stream)
{
    if (!trn_stream_scan_is_needed(&stream->scan)) {
        return;
    }
    if (!stream->def.hooks.mesh) {
        trn_stream_scan_clear(&stream->scan);
        return;
    }
    trn_stream_scan_run(&stream->scan, &stream->cells, trn_stream_views_touch_end(&stream->views),
                        meshes_queue, stream);
}
