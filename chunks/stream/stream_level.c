// What a far view needs of streams: levels, anchors, and what is on screen.

#include "stream_level.h"

#include "stream_impl.h"

TrnResult trn_stream_create_level(const TrnStreamDef *def, uint32_t level, TrnStream *host,
                                  TrnStream **stream)
{
    TRN_ASSERT(!host || !host->bytes.host); // a guest has no guests
    if (!def || level > TRN_GENERATOR_LEVEL_MAX ||
        (!def->hooks.generate && level > def->generator.level_max)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnStreamDef of_level = *def;
    of_level.generator.ceiling >>= level;
    if (level) {
        of_level.source.highest = NULL; // it asks for columns of level 0
    }
    return trn_stream_create_guest(&of_level, level, host, stream);
}

TrnStore *trn_stream_store(const TrnStream *stream)
{
    return stream->store;
}

double trn_stream_update_us(const TrnStream *stream)
{
    return stream->figures.report.us;
}

void trn_stream_set_bytes_max(TrnStream *stream, size_t bytes_max)
{
    trn_stream_bytes_set_max(&stream->bytes, bytes_max);
}

TrnStreamWorkers *trn_stream_level_workers(const TrnStream *stream)
{
    return stream->jobs.run.workers;
}

TrnResult trn_stream_fetch(const TrnStream *stream, TrnCoord coord, uint32_t worker,
                           TrnBlock *blocks)
{
    const TrnStreamRun *run = &stream->jobs.run;
    TrnStreamWork work = {.job = {.coord = coord, .level = run->level, .worker = worker},
                          .buffer = blocks};
    bool is_uniform;
    const TrnResult result = trn_stream_run_fetch(run, &work, &is_uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && is_uniform && i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = blocks[0];
    }
    return result;
}

bool trn_stream_keeps_changes(const TrnStream *stream)
{
    return stream->def.source.load && stream->def.source.save;
}

TrnResult trn_stream_save_blocks(TrnStream *stream, TrnCoord coord, const TrnBlock *blocks)
{
    const TrnStreamSource *source = &stream->def.source;
    const TrnStreamWork work = {.job = {.coord = coord, .level = stream->jobs.run.level}};
    TrnVoxelHeap *heap = trn_store_voxel_heap(stream->store);
    TrnVoxels voxels = {0};
    TrnResult result = trn_voxels_encode(heap, &voxels, blocks, 0);
    if (result == TRN_RESULT_OK) {
        result = source->save(source->user, &work.job, trn_voxels_snapshot(&voxels));
        trn_voxels_fill(heap, &voxels, TRN_BLOCK_AIR, 0);
    }
    return result;
}

bool trn_stream_has_cell(const TrnStream *stream, TrnCoord coord)
{
    return trn_stream_cells_find(&stream->cells, coord) != NULL;
}

bool trn_stream_next_unsaved(const TrnStream *stream, uint32_t *cursor, TrnCoord *coord)
{
    for (const TrnStreamCell *cell; (cell = trn_stream_cells_next(&stream->cells, cursor));) {
        if (cell->is_loaded && trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_UNSAVED)) {
            *coord = cell->coord;
            return true;
        }
    }
    return false;
}

// ---- anchors -----------------------------------------------------------------------------------

bool trn_stream_next_anchor(const TrnStream *stream, uint32_t *cursor, TrnStreamAnchorId *id,
                            TrnStreamAnchor *anchor)
{
    return trn_stream_views_next(&stream->views, cursor, id, anchor);
}

TrnStreamAnchor trn_stream_anchor_at_level(const TrnStreamAnchor *anchor, uint32_t level)
{
    TrnStreamAnchor out = *anchor;
    const TrnCoord chunk = anchor->position.chunk;
    const int32_t chunks[3] = {chunk.x, chunk.y, chunk.z};
    const uint32_t size = UINT32_C(1) << level;
    for (int axis = 0; axis < 3; axis++) {
        const double within = (double)((uint32_t)chunks[axis] & (size - 1)) * TRN_CHUNK_EDGE;
        const double offset = (within + anchor->position.offset[axis]) / size;
        // The sum may have been rounded up to the next chunk.
        out.position.offset[axis] = offset < TRN_CHUNK_EDGE ? offset : TRN_CHUNK_EDGE - 0x1p-40;
        out.velocity[axis] = anchor->velocity[axis] / size;
    }
    out.position.chunk = (TrnCoord){chunk.x >> level, chunk.y >> level, chunk.z >> level};
    return out;
}

// ---- what is on screen -------------------------------------------------------------------------

TrnResult trn_stream_watch(TrnStream *stream, const TrnStreamWatch *watch)
{
    if (watch && stream->watch.shown) {
        return TRN_RESULT_EXISTS;
    }
    stream->watch = watch ? *watch : (TrnStreamWatch){0};
    uint32_t cursor = 0;
    for (TrnStreamCell *cell; watch && (cell = trn_stream_cells_next(&stream->cells, &cursor));) {
        if (cell->was_shown) {
            watch->shown(watch->user, cell->coord);
        }
    }
    return TRN_RESULT_OK;
}
