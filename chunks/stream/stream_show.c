// Meshes: requested, accepted, shown, dropped.

#include "stream_impl.h"

void trn_stream_free_mesh(const TrnStream *stream, TrnStreamMesh mesh)
{
    if (mesh.mesh && stream->def.hooks.drop_mesh) {
        stream->def.hooks.drop_mesh(stream->def.hooks.user, mesh);
    }
}

void trn_stream_drop_mesh(TrnStream *stream, TrnStreamMesh mesh)
{
    stream->mesh_bytes -= mesh.bytes;
    trn_stream_update_store_max(stream);
    trn_stream_free_mesh(stream, mesh);
}

bool trn_stream_has_neighbours(const TrnStream *stream, TrnCoord coord)
{
    for (uint32_t bits = trn_around_in_world(coord); bits; bits &= bits - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(bits);
        if (!trn_chunk_index_plane_test(stream->index, TRN_STREAM_LOADED,
                                        trn_coord_around(coord, at))) {
            return false;
        }
    }
    return true;
}

void trn_stream_request_mesh(TrnStream *stream, TrnStreamCell *cell)
{
    if (trn_stream_plane_test(stream, cell, TRN_STREAM_SHOWN)) {
        trn_stream_set_state(stream, cell, TRN_STREAM_STATE_SHOWN);
        return;
    }
    trn_stream_plane_set(stream, cell, TRN_STREAM_REMESH, true);
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_LOADED);
    trn_stream_request_scan(stream, trn_box_around(cell->coord, 1, 1, 1));
}

/// Records that a cell's current mesh is shown.
static void show_note_shown(TrnStream *stream, TrnStreamCell *cell)
{
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_SHOWN);
    trn_stream_plane_set(stream, cell, TRN_STREAM_SHOWN, true);
    cell->tries = 0;
    cell->failure = TRN_RESULT_OK;
    if (!cell->was_shown) {
        cell->was_shown = true;
        trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_WANTED_TO_SHOWN],
                             trn_stream_clock(stream) - cell->wanted_us);
    }
    trn_stream_notify(stream, TRN_STREAM_EVENT_SHOWN, cell->coord);
}

void trn_stream_show(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh)
{
    TrnChunk *chunk = trn_store_find(stream->store, cell->coord);
    TrnResult result = chunk ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
    const bool has_mesh_to_show =
        mesh.mesh || cell->mesh.mesh || stream->def.mesh_air ||
        (chunk && !trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels)));
    if (chunk && stream->def.hooks.upload && has_mesh_to_show) {
        const double begun_us = trn_stream_clock(stream);
        const size_t bytes = mesh.bytes;
        stream->report.upload_bytes += bytes;
        result = stream->def.hooks.upload(stream->def.hooks.user, chunk, &mesh);
        stream->mesh_bytes += mesh.bytes - bytes;
        trn_stream_update_store_max(stream);
        trn_stream_times_add(&stream->times[TRN_STREAM_STAGE_UPLOAD],
                             trn_stream_clock(stream) - begun_us);
    }
    if (result != TRN_RESULT_OK) {
        trn_stream_drop_mesh(stream, mesh);
        trn_stream_fail(stream, cell, TRN_STREAM_STAGE_UPLOAD, result);
        return;
    }
    const TrnStreamMesh old = cell->mesh;
    cell->mesh = mesh;
    trn_stream_drop_mesh(stream, old);
    stream->stats.uploaded += has_mesh_to_show;
    stream->report.uploaded += has_mesh_to_show;
    show_note_shown(stream, cell);
}

void trn_stream_accept_mesh(TrnStream *stream, TrnStreamCell *cell, TrnStreamMesh mesh)
{
    stream->stats.meshed++;
    if (cell->group) {
        trn_stream_group_accept_mesh(stream, cell, mesh);
    } else {
        trn_stream_show(stream, cell, mesh);
    }
}

bool trn_stream_is_plain_air(const TrnStream *stream, const TrnStreamCell *cell)
{
    if (stream->def.mesh_air || cell->air != TRN_STREAM_AIR_UNKNOWN) {
        return !stream->def.mesh_air && cell->air == TRN_STREAM_AIR_YES;
    }
    TrnSnapshot now;
    return trn_store_snapshot(stream->store, cell->coord, &now) == TRN_RESULT_OK &&
           trn_snapshot_is_uniform(now) && trn_snapshot_uniform(now) == TRN_BLOCK_AIR;
}

void trn_stream_queue_meshable(TrnStream *stream, TrnStreamCell *cell)
{
    if (cell->work || cell->list != TRN_STREAM_LIST_NONE) {
        return; // being saved or unloaded; found again after that
    }
    trn_stream_plane_set(stream, cell, TRN_STREAM_REMESH, false);
    if (!cell->mesh.mesh && trn_stream_is_plain_air(stream, cell)) {
        show_note_shown(stream, cell);
    } else {
        trn_stream_queue_mesh(stream, cell, false);
    }
}
