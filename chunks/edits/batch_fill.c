// Fills boxes and spheres, which may cover many chunks.

#include "edits/batch_impl.h"
#include "edits/batch_shape.h"

#include <stdalign.h>

/// The most unloaded chunks that one box makes edits pending for if no cap on memory applies.
#define FILL_UNLOADED_MAX ((uint64_t)1 << 24)

// ---- one chunk ---------------------------------------------------------------------------------

static TrnResult fill_whole(TrnOpenChunk *open, TrnBlock block)
{
    const uint32_t from[3] = {0, 0, 0};
    const uint32_t to[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    return trn_voxel_edit_fill_box(&open->edit, from, to, block);
}

/// Makes a box of a chunk pending, row by row. @param from,to  local, both inclusive
static TrnResult fill_pend_box(TrnBatch *batch, TrnSegment *segment, const uint32_t from[3],
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

/// Makes a sphere's rows pending. The set bits of a row are adjacent.
/// @param rows  [TRN_CHUNK_ROWS]
static TrnResult fill_pend_rows(TrnBatch *batch, TrnSegment *segment, const uint32_t *rows,
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

/// Fills the part of a shape in a chunk that it touches.
/// @param open  NULL: makes the part pending in `segment`
static TrnResult fill_chunk_part(TrnBatch *batch, const BatchShape *shape, TrnVoxel low,
                                 TrnOpenChunk *open, TrnSegment *segment, TrnBlock block)
{
    if (shape->is_sphere) {
        uint32_t rows[TRN_CHUNK_ROWS];
        batch_shape_sphere_rows(shape, low, rows);
        return open ? trn_voxel_edit_fill_mask(&open->edit, rows, block)
                    : fill_pend_rows(batch, segment, rows, block);
    }
    uint32_t from[3], to[3];
    (void)batch_shape_cut_box(shape, low, from, to);
    return open ? trn_voxel_edit_fill_box(&open->edit, from, to, block)
                : fill_pend_box(batch, segment, from, to, block);
}

static TrnResult fill_loaded(TrnBatch *batch, const BatchShape *shape, TrnChunk *chunk,
                             TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(chunk->coord);
    const BatchShapePart part = batch_shape_classify(shape, low);
    TrnOpenChunk *open;
    if (part == BATCH_SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return part == BATCH_SHAPE_WHOLE ? fill_whole(open, block)
                                     : fill_chunk_part(batch, shape, low, open, NULL, block);
}

static TrnResult fill_unloaded(TrnBatch *batch, const BatchShape *shape, TrnCoord coord,
                               TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    const BatchShapePart part = batch_shape_classify(shape, low);
    TrnSegment *segment;
    if (part == BATCH_SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_open_unloaded(batch, coord, &segment);
    if (result != TRN_RESULT_OK || !segment) {
        return result;
    }
    return part == BATCH_SHAPE_WHOLE
               ? trn_batch_pend(batch, segment, 0, TRN_CHUNK_VOXELS - 1, block)
               : fill_chunk_part(batch, shape, low, NULL, segment, block);
}

// ---- many chunks -------------------------------------------------------------------------------

/// Fills every chunk of a box, loaded or not.
static TrnResult fill_each_chunk(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                 TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z && result == TRN_RESULT_OK; z++) {
            for (int64_t x = box.min.x; x <= box.max.x && result == TRN_RESULT_OK; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                TrnChunk *chunk = trn_store_find(batch->store, coord);
                result = chunk ? fill_loaded(batch, shape, chunk, block)
                               : fill_unloaded(batch, shape, coord, block);
            }
        }
    }
    return result;
}

/// Fills the loaded chunks of a box, in O(loaded chunks), however large the box is.
/// @param loaded  how many there are
static TrnResult fill_loaded_chunks(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                    size_t loaded, TrnBlock block)
{
    const TrnAllocator *allocator = &batch->edits->batch_allocator;
    if (loaded == 0) {
        return TRN_RESULT_OK;
    }
    TrnChunk **chunks = trn_take(allocator, loaded * sizeof(TrnChunk *), alignof(TrnChunk *));
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_gather(batch->store, box, chunks, loaded);
    for (size_t i = 0; i < loaded && result == TRN_RESULT_OK; i++) {
        result = fill_loaded(batch, shape, chunks[i], block);
    }
    trn_give(allocator, chunks, loaded * sizeof(TrnChunk *));
    return result;
}

/// The most unloaded chunks that can have pending edits within the caps on memory, even with all
/// other memory freed.
static uint64_t fill_unloaded_max(const TrnEdits *edits)
{
    const size_t own = edits->pending_account.bytes_max, all = trn_store_bytes_max(edits->store);
    const uint64_t by_own = own ? own / TRN_PENDING_CHUNK_BYTES_MIN : FILL_UNLOADED_MAX;
    const uint64_t by_all = all ? all / TRN_PENDING_CHUNK_BYTES_MIN : FILL_UNLOADED_MAX;
    return by_own < by_all ? by_own : by_all;
}

static TrnResult fill_box_chunks(TrnBatch *batch, const BatchShape *shape, TrnBlock block)
{
    const TrnBox box = batch_shape_chunks(shape);
    const uint64_t volume = batch_shape_volume(box);
    const size_t loaded = trn_store_gather(batch->store, box, NULL, 0);
    const uint64_t unloaded = volume - loaded;
    if (unloaded > 0 && batch->unloaded == TRN_UNLOADED_FAIL) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (unloaded > 0 && batch->unloaded == TRN_UNLOADED_PENDING) {
        return unloaded > fill_unloaded_max(batch->edits)
                   ? TRN_RESULT_FULL
                   : fill_each_chunk(batch, shape, box, block);
    }
    const uint64_t skipped_max = UINT32_MAX - batch->outcome.skipped_chunks;
    batch->outcome.skipped_chunks += (uint32_t)(unloaded < skipped_max ? unloaded : skipped_max);
    return fill_loaded_chunks(batch, shape, box, loaded, block);
}

static TrnResult fill_shape(TrnBatch *batch, BatchShape *shape, TrnBlock block)
{
    if (!batch_shape_clip(shape)) {
        return TRN_RESULT_OK;
    }
    // A sphere's box has at most 66 chunks along an edge: few enough to visit each. Those outside
    // the sphere must not count as skipped.
    return shape->is_sphere ? fill_each_chunk(batch, shape, batch_shape_chunks(shape), block)
                            : fill_box_chunks(batch, shape, block);
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
    return trn_batch_end_call(batch, fill_shape(batch, &shape, block));
}

TrnResult trn_batch_fill_sphere(TrnBatch *batch, TrnVoxel centre, double radius, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_refusal_clear(batch->refusal);
    if (!(radius >= 0 && radius <= TRN_SPHERE_RADIUS_MAX)) { // NaN fails both
        return trn_batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
    }
    BatchShape shape = batch_shape_sphere(centre, radius);
    return trn_batch_end_call(batch, fill_shape(batch, &shape, block));
}
