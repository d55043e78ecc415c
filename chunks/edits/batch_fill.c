// Boxes and spheres of one block, over many chunks.

#include "edits/batch_impl.h"
#include "edits/batch_shape.h"

#include <stdalign.h>

/// Without any cap on bytes, no call makes edits pending for more unloaded chunks than this.
#define UNLOADED_CHUNKS_MAX ((uint64_t)1 << 24)

// ---- shapes in one chunk -----------------------------------------------------------------------

static TrnResult open_fill_whole(TrnOpenChunk *open, TrnBlock block)
{
    const uint32_t from[3] = {0, 0, 0};
    const uint32_t to[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    return trn_voxel_edit_fill_box(&open->edit, from, to, block);
}

static TrnResult batch_pend_box(TrnBatch *batch, TrnSegment *segment, const uint32_t from[3],
                                const uint32_t to[3], TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t y = from[1]; y <= to[1]; y++) {
        for (uint32_t z = from[2]; z <= to[2] && result == TRN_RESULT_OK; z++) {
            const uint32_t row = trn_local_index(0, y, z);
            result = trn_batch_pend(batch, segment, row + from[0], row + to[0], block);
        }
    }
    return result;
}

/// Rows of a sphere, in each of which the bits are next to each other.
static TrnResult batch_pend_rows(TrnBatch *batch, TrnSegment *segment, const uint32_t *rows,
                                 TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if (rows[row]) {
            const uint32_t first = (uint32_t)__builtin_ctz(rows[row]);
            const uint32_t last = TRN_CHUNK_EDGE - 1 - (uint32_t)__builtin_clz(rows[row]);
            result = trn_batch_pend(batch, segment, row * TRN_CHUNK_EDGE + first,
                                    row * TRN_CHUNK_EDGE + last, block);
        }
    }
    return result;
}

/// Fills the part of a shape in a chunk that it reaches, or lets it wait in `segment` where `open`
/// is NULL.
static TrnResult batch_fill_part(TrnBatch *batch, const BatchShape *shape, TrnVoxel low,
                                 TrnOpenChunk *open, TrnSegment *segment, TrnBlock block)
{
    if (shape->is_sphere) {
        uint32_t rows[TRN_CHUNK_ROWS];
        sphere_rows(shape, low, rows);
        return open ? trn_voxel_edit_fill_mask(&open->edit, rows, block)
                    : batch_pend_rows(batch, segment, rows, block);
    }
    uint32_t from[3], to[3];
    (void)box_cut(shape, low, from, to);
    return open ? trn_voxel_edit_fill_box(&open->edit, from, to, block)
                : batch_pend_box(batch, segment, from, to, block);
}

static TrnResult fill_loaded(TrnBatch *batch, const BatchShape *shape, TrnChunk *chunk,
                             TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(chunk->coord);
    const ShapePart part = shape_meet(shape, low);
    TrnOpenChunk *open;
    if (part == SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return part == SHAPE_WHOLE ? open_fill_whole(open, block)
                               : batch_fill_part(batch, shape, low, open, NULL, block);
}

static TrnResult fill_unloaded(TrnBatch *batch, const BatchShape *shape, TrnCoord coord,
                               TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    const ShapePart part = shape_meet(shape, low);
    TrnSegment *segment;
    if (part == SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_meet_unloaded(batch, coord, &segment);
    if (result != TRN_RESULT_OK || !segment) {
        return result;
    }
    return part == SHAPE_WHOLE ? trn_batch_pend(batch, segment, 0, TRN_CHUNK_VOXELS - 1, block)
                               : batch_fill_part(batch, shape, low, NULL, segment, block);
}

// ---- shapes over many chunks -------------------------------------------------------------------

static TrnResult batch_fill_chunk(TrnBatch *batch, const BatchShape *shape, TrnCoord coord,
                                  TrnBlock block)
{
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    return chunk ? fill_loaded(batch, shape, chunk, block)
                 : fill_unloaded(batch, shape, coord, block);
}

static TrnResult batch_fill_row(TrnBatch *batch, const BatchShape *shape, TrnBox box, TrnCoord row,
                                TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (int64_t x = box.min.x; x <= box.max.x && result == TRN_RESULT_OK; x++) {
        result = batch_fill_chunk(batch, shape, (TrnCoord){(int32_t)x, row.y, row.z}, block);
    }
    return result;
}

/// Looks at every coordinate of a box.
static TrnResult batch_fill_each(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                 TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z && result == TRN_RESULT_OK; z++) {
            result =
                batch_fill_row(batch, shape, box, (TrnCoord){0, (int32_t)y, (int32_t)z}, block);
        }
    }
    return result;
}

/// Fills the chunks of a box that are there, however large it is.
static TrnResult batch_fill_gathered(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                     size_t present, TrnBlock block)
{
    const TrnAllocator *allocator = &batch->edits->batch_allocator;
    if (present == 0) {
        return TRN_RESULT_OK;
    }
    TrnChunk **chunks = trn_take(allocator, present * sizeof(TrnChunk *), alignof(TrnChunk *));
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_gather(batch->store, box, chunks, present);
    for (size_t i = 0; i < present && result == TRN_RESULT_OK; i++) {
        result = fill_loaded(batch, shape, chunks[i], block);
    }
    trn_give(allocator, chunks, present * sizeof(TrnChunk *));
    return result;
}

/// The most absent chunks that changes can wait for, whatever else is given back.
static uint64_t fill_unloaded_max(const TrnEdits *edits)
{
    const size_t own = edits->pending_account.bytes_max, all = trn_store_bytes_max(edits->store);
    const uint64_t by_own = own ? own / TRN_PENDING_CHUNK_BYTES_MIN : UNLOADED_CHUNKS_MAX;
    const uint64_t by_all = all ? all / TRN_PENDING_CHUNK_BYTES_MIN : UNLOADED_CHUNKS_MAX;
    return by_own < by_all ? by_own : by_all;
}

static void batch_count_skipped(TrnBatch *batch, uint64_t absent)
{
    const uint64_t room = UINT32_MAX - batch->outcome.skipped_chunks;
    batch->outcome.skipped_chunks += (uint32_t)(absent < room ? absent : room);
}

static TrnResult batch_fill_box_chunks(TrnBatch *batch, const BatchShape *shape, TrnBlock block)
{
    const TrnBox box = shape_chunks(shape);
    const uint64_t volume = box_volume_saturated(box);
    const size_t present = trn_store_gather(batch->store, box, NULL, 0);
    const uint64_t absent = volume - present;
    if (absent > 0 && batch->unloaded == TRN_UNLOADED_FAIL) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (absent > 0 && batch->unloaded == TRN_UNLOADED_PENDING) {
        return absent > fill_unloaded_max(batch->edits) ? TRN_RESULT_FULL
                                                        : batch_fill_each(batch, shape, box, block);
    }
    batch_count_skipped(batch, absent);
    return batch_fill_gathered(batch, shape, box, present, block);
}

static TrnResult batch_fill_shape(TrnBatch *batch, BatchShape *shape, TrnBlock block)
{
    if (!shape_clip(shape)) {
        return TRN_RESULT_OK;
    }
    // The box around a sphere has at most 66 chunks along an edge, whose corners do not count.
    return shape->is_sphere ? batch_fill_each(batch, shape, shape_chunks(shape), block)
                            : batch_fill_box_chunks(batch, shape, block);
}

TrnResult trn_batch_fill_box(TrnBatch *batch, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    if (min.x > max.x || min.y > max.y || min.z > max.z) {
        return trn_batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
    }
    BatchShape shape = {.min = min, .max = max};
    return trn_batch_end_call(batch, batch_fill_shape(batch, &shape, block));
}

TrnResult trn_batch_fill_sphere(TrnBatch *batch, TrnVoxel centre, double radius, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    if (!(radius >= 0 && radius <= TRN_SPHERE_RADIUS_MAX)) { // NaN is neither
        return trn_batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
    }
    BatchShape shape = sphere_shape(centre, radius);
    return trn_batch_end_call(batch, batch_fill_shape(batch, &shape, block));
}
