// Voxels that are not kept: those of chunks that are as generated and shown, as are those around.
// Nothing reads them until one of these is meshed again: after an edit, or when a neighbour was
// unloaded and comes back. Voxels are three quarters of the memory of a far view's level.

#include "stream_impl.h"

#include "stream_level.h"

#include "store/store_internal.h"
#include "voxels/voxels_internal.h"

#define OMIT_CELLS 128u      // that an update looks at, at 20 to 200 ns each
#define OMIT_CELLS_IDLE 256u // the same if nothing else is to do

static TrnResult omit_generate(void *user, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    const TrnStream *stream = user;
    const TrnGenerator *generator = &stream->def.generator;
    return generator->generate(generator->user, coord, stream->cells.level, blocks, uniform);
}

TrnResult trn_stream_omit_voxels(TrnStream *stream)
{
    const TrnStoreSource source = {omit_generate, stream};
    stream->omits = stream->def.generator.generate && !stream->def.hooks.generate;
    if (!stream->omits) {
        return TRN_RESULT_OK;
    }
    trn_store_set_source(stream->store, &source);
    return trn_voxel_heap_use_small_blocks(trn_store_voxel_heap(stream->store));
}

/// Whether the stream knows of every edit.
static bool omit_knows_all(const TrnStream *stream)
{
    return !stream->has_missed && trn_store_revision(stream->store) == stream->seen_revision;
}

/// Whether nothing near a chunk is about to read its voxels. Neighbours above and below that no
/// view shows are mostly air; those beside it are the next land that an anchor comes to.
static bool omit_is_settled(const TrnStream *stream, const TrnStreamCell *cell)
{
    const TrnStreamCells *cells = &stream->cells;
    for (uint32_t bits = trn_stream_cells_around(cells, cell->coord); bits; bits &= bits - 1) {
        const TrnCoord near = trn_coord_around(cell->coord, (uint32_t)__builtin_ctz(bits));
        if (!trn_chunk_index_plane_test(cells->index, TRN_STREAM_SHOWN, near) &&
            (near.y == cell->coord.y ||
             trn_chunk_index_plane_test(cells->index, TRN_STREAM_SHOW, near))) {
            return false;
        }
    }
    return true;
}

static void omit_cell(TrnStream *stream, const TrnStreamCell *cell)
{
    if (!trn_stream_cells_test(&stream->cells, cell, TRN_STREAM_REPEATABLE) ||
        !omit_is_settled(stream, cell)) {
        return;
    }
    TrnChunk *chunk = trn_store_find(stream->store, cell->coord);
    const bool is_opaque =
        chunk && trn_stream_is_opaque(stream, trn_voxels_snapshot(&chunk->voxels));
    if (chunk && trn_store_omit(stream->store, chunk)) {
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_REPEATABLE, false);
        trn_stream_cells_set(&stream->cells, cell, TRN_STREAM_OPAQUE, is_opaque);
    }
}

void trn_stream_omit_some(TrnStream *stream, bool is_idle)
{
    TrnStreamOmitWalk *walk = &stream->omit_walk;
    if (!omit_knows_all(stream)) {
        return;
    }
    for (uint32_t i = is_idle ? OMIT_CELLS_IDLE : OMIT_CELLS; i > 0 && walk->rounds; i--) {
        const TrnStreamCell *cell = trn_stream_cells_next(&stream->cells, &walk->cursor);
        if (cell) {
            omit_cell(stream, cell);
            continue;
        }
        walk->cursor = 0;
        walk->rounds--;
        if (is_idle && !walk->rounds) { // nothing takes the place of these voxels soon
            trn_voxel_heap_trim(trn_store_voxel_heap(stream->store));
        }
    }
}
