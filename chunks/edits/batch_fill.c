// Fills boxes and spheres, which may cover many chunks.

#include "edits/batch_impl.h"

#include <terrane/voxels.h>

#include <stdalign.h>
#include <string.h>

// ---- shapes, and their parts in a chunk --------------------------------------------------------

/// A box, or a sphere with the box around it. batch_shape_clip() cuts the box at the world's
/// border.
typedef struct BatchShape {
    TrnVoxel min, max; ///< both inclusive
    bool is_sphere;
    TrnVoxel centre; ///< of a sphere; may lie outside the world
    int64_t reach;   ///< the largest squared distance of a voxel in the sphere from the centre
} BatchShape;

/// How much of a chunk lies in a shape.
typedef enum BatchShapePart {
    BATCH_SHAPE_NONE,
    BATCH_SHAPE_PART,
    BATCH_SHAPE_WHOLE
} BatchShapePart;

static int64_t batch_shape_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t batch_shape_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/// Clips a shape to the world.
/// @return whether any voxel is left
static bool batch_shape_clip(BatchShape *shape)
{
    shape->min.x = batch_shape_max(shape->min.x, TRN_VOXEL_MIN);
    shape->min.y = batch_shape_max(shape->min.y, TRN_VOXEL_MIN);
    shape->min.z = batch_shape_max(shape->min.z, TRN_VOXEL_MIN);
    shape->max.x = batch_shape_min(shape->max.x, TRN_VOXEL_MAX);
    shape->max.y = batch_shape_min(shape->max.y, TRN_VOXEL_MAX);
    shape->max.z = batch_shape_min(shape->max.z, TRN_VOXEL_MAX);
    return shape->min.x <= shape->max.x && shape->min.y <= shape->max.y &&
           shape->min.z <= shape->max.z;
}

/// The chunks that the shape's box touches.
static TrnBox batch_shape_chunks(const BatchShape *shape)
{
    TrnBox box = {trn_voxel_chunk(shape->min), trn_voxel_chunk(shape->max)};
    return box;
}

/// The part of a box along one axis of a chunk that the box touches.
/// @param low      the chunk's lowest voxel on the axis
/// @param from,to  receive local coordinates, both inclusive
/// @return whether the part is the whole edge
static bool batch_shape_cut_axis(int64_t low, int64_t min, int64_t max, uint32_t *from,
                                 uint32_t *to)
{
    const int64_t high = low + TRN_CHUNK_EDGE - 1;
    *from = (uint32_t)(batch_shape_max(min, low) - low);
    *to = (uint32_t)(batch_shape_min(max, high) - low);
    return *from == 0 && *to == TRN_CHUNK_EDGE - 1;
}

/// The part of a box in a chunk that the box touches.
/// @param low      the chunk's lowest voxel
/// @param from,to  receive local coordinates, both inclusive
static BatchShapePart batch_shape_cut_box(const BatchShape *shape, TrnVoxel low, uint32_t from[3],
                                          uint32_t to[3])
{
    const bool is_whole_x =
        batch_shape_cut_axis(low.x, shape->min.x, shape->max.x, &from[0], &to[0]);
    const bool is_whole_y =
        batch_shape_cut_axis(low.y, shape->min.y, shape->max.y, &from[1], &to[1]);
    const bool is_whole_z =
        batch_shape_cut_axis(low.z, shape->min.z, shape->max.z, &from[2], &to[2]);
    return is_whole_x && is_whole_y && is_whole_z ? BATCH_SHAPE_WHOLE : BATCH_SHAPE_PART;
}

/// Adds the squares of the least and the greatest distance, along one axis, of a chunk's voxels
/// from a centre.
/// @param low  the chunk's lowest voxel on the axis
static void batch_shape_add_distances(int64_t low, int64_t centre, int64_t *near, int64_t *far)
{
    const int64_t before = low - centre, behind = centre - (low + TRN_CHUNK_EDGE - 1);
    const int64_t gap = batch_shape_max(batch_shape_max(before, behind), 0);
    const int64_t reach = batch_shape_max(-before, -behind);
    *near += gap * gap;
    *far += reach * reach;
}

static BatchShapePart batch_shape_classify_sphere(const BatchShape *shape, TrnVoxel low)
{
    int64_t near = 0, far = 0;
    batch_shape_add_distances(low.x, shape->centre.x, &near, &far);
    batch_shape_add_distances(low.y, shape->centre.y, &near, &far);
    batch_shape_add_distances(low.z, shape->centre.z, &near, &far);
    return near > shape->reach   ? BATCH_SHAPE_NONE
           : far <= shape->reach ? BATCH_SHAPE_WHOLE
                                 : BATCH_SHAPE_PART;
}

/// The bits of the voxels from..to of a row, both inclusive. Both may lie outside the row.
static uint32_t batch_shape_row_bits(int64_t from, int64_t to)
{
    from = batch_shape_max(from, 0);
    to = batch_shape_min(to, TRN_CHUNK_EDGE - 1);
    if (from > to) {
        return 0;
    }
    return UINT32_MAX << from & UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - to);
}

/// The rows of a sphere in one layer of a chunk.
/// @param left     the largest squared distance along z and x
/// @param centre   relative to the chunk's lowest voxel
/// @param from,to  z, both inclusive; the layer's other rows are outside the sphere's box
/// @param rows     [TRN_CHUNK_EDGE] of the layer; receives those from `from` to `to`
static void batch_shape_sphere_layer(int64_t left, TrnVoxel centre, uint32_t from, uint32_t to,
                                     uint32_t *rows)
{
    int64_t half = 0; // half the row's length, which changes little from row to row
    for (int64_t z = from; z <= to; z++) {
        const int64_t of_row = left - (z - centre.z) * (z - centre.z);
        while (half > 0 && half * half > of_row) {
            half--;
        }
        while ((half + 1) * (half + 1) <= of_row) {
            half++;
        }
        rows[z] = of_row < 0 ? 0 : batch_shape_row_bits(centre.x - half, centre.x + half);
    }
}

/// The rows of a sphere in a chunk that its box touches.
/// @param low   the chunk's lowest voxel
/// @param rows  [TRN_CHUNK_ROWS] receives those of some half-layers
/// @return bit h: of half-layer h
static uint64_t batch_shape_sphere_rows(const BatchShape *shape, TrnVoxel low, uint32_t *rows)
{
    uint64_t halves = 0;
    const TrnVoxel centre = {shape->centre.x - low.x, shape->centre.y - low.y,
                             shape->centre.z - low.z};
    uint32_t from[3], to[3];
    (void)batch_shape_cut_box(shape, low, from, to);
    const uint64_t of_layer =
        (from[2] < TRN_HALF_ROWS ? 1u : 0u) | (to[2] >= TRN_HALF_ROWS ? 2u : 0u);
    for (uint32_t y = from[1]; y <= to[1]; y++) {
        const int64_t left = shape->reach - (y - centre.y) * (y - centre.y);
        uint32_t *layer = rows + (size_t)y * TRN_CHUNK_EDGE;
        memset(layer, 0, TRN_CHUNK_EDGE * sizeof *layer);
        batch_shape_sphere_layer(left, centre, from[2], to[2], layer);
        halves |= of_layer << 2 * y;
    }
    return halves;
}

/// @param low  lowest voxel of a chunk that the shape's box touches
static BatchShapePart batch_shape_classify(const BatchShape *shape, TrnVoxel low)
{
    uint32_t from[3], to[3];
    return shape->is_sphere ? batch_shape_classify_sphere(shape, low)
                            : batch_shape_cut_box(shape, low, from, to);
}

/// Adds a distance to a coordinate, saturating at the limits of int64.
static int64_t batch_shape_add_saturated(int64_t at, int64_t voxels)
{
    if (voxels >= 0) {
        return at > INT64_MAX - voxels ? INT64_MAX : at + voxels;
    }
    return at < INT64_MIN - voxels ? INT64_MIN : at + voxels;
}

/// A sphere, which is not clipped yet. @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX
static BatchShape batch_shape_sphere(TrnVoxel centre, double radius)
{
    const int64_t whole = (int64_t)radius;
    BatchShape shape = {.is_sphere = true, .centre = centre, .reach = (int64_t)(radius * radius)};
    shape.min = (TrnVoxel){batch_shape_add_saturated(centre.x, -whole),
                           batch_shape_add_saturated(centre.y, -whole),
                           batch_shape_add_saturated(centre.z, -whole)};
    shape.max = (TrnVoxel){batch_shape_add_saturated(centre.x, whole),
                           batch_shape_add_saturated(centre.y, whole),
                           batch_shape_add_saturated(centre.z, whole)};
    return shape;
}

static uint64_t batch_shape_multiply_saturated(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// How many chunks a box of chunks contains, saturating at UINT64_MAX.
static uint64_t batch_shape_volume(TrnBox box)
{
    const uint64_t x = (uint64_t)((int64_t)box.max.x - box.min.x) + 1;
    const uint64_t y = (uint64_t)((int64_t)box.max.y - box.min.y) + 1;
    const uint64_t z = (uint64_t)((int64_t)box.max.z - box.min.z) + 1;
    return batch_shape_multiply_saturated(batch_shape_multiply_saturated(x, y), z);
}

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
/// @param rows  [TRN_CHUNK_ROWS] those of `halves`
static TrnResult fill_pend_rows(TrnBatch *batch, TrnSegment *segment, const uint32_t *rows,
                                uint64_t halves, TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if ((halves >> row / TRN_HALF_ROWS & 1) && rows[row]) {
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
        const uint64_t halves = batch_shape_sphere_rows(shape, low, rows);
        return open ? trn_edit_fill_rows(trn_edit_state(&open->edit), rows, halves, block)
                    : fill_pend_rows(batch, segment, rows, halves, block);
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
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
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
    if (!batch) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
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
