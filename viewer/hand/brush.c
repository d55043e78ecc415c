#include "hand/brush.h"

#include <math.h>
#include <string.h>

#define EDGE TRN_CHUNK_EDGE

// ---- shapes -------------------------------------------------------------------------------------

/// Returns one end of a box along an axis, moved towards the other end if the box is too long.
static int64_t brush_near_end(int64_t from, int64_t to)
{
    const int64_t most = BRUSH_EDGE_MAX - 1;
    // Subtraction may overflow: callers pass any numbers.
    if (to > from) {
        return from > INT64_MAX - most || to <= from + most ? to : from + most;
    }
    return from < INT64_MIN + most || to >= from - most ? to : from - most;
}

static int64_t brush_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t brush_greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

Brush brush_box(TrnVoxel from, TrnVoxel to)
{
    to = (TrnVoxel){brush_near_end(from.x, to.x), brush_near_end(from.y, to.y),
                    brush_near_end(from.z, to.z)};
    return (Brush){
        .box = {{brush_least(from.x, to.x), brush_least(from.y, to.y), brush_least(from.z, to.z)},
                {brush_greatest(from.x, to.x), brush_greatest(from.y, to.y),
                 brush_greatest(from.z, to.z)}}};
}

Brush brush_ball(TrnVoxel centre, double radius)
{
    radius = radius > 0 ? fmin(radius, BRUSH_RADIUS_MAX) : 0; // NaN gives 0
    const int64_t reach = (int64_t)radius;
    return (Brush){.box = {{centre.x - reach, centre.y - reach, centre.z - reach},
                           {centre.x + reach, centre.y + reach, centre.z + reach}},
                   .is_ball = true,
                   .centre = centre,
                   .radius = radius};
}

static bool brush_box_holds(const BrushBox *box, TrnVoxel voxel)
{
    return voxel.x >= box->min.x && voxel.x <= box->max.x && voxel.y >= box->min.y &&
           voxel.y <= box->max.y && voxel.z >= box->min.z && voxel.z <= box->max.z;
}

/// Returns a ball's half width along x in one row; -1: none.
static int64_t brush_ball_reach(const Brush *brush, int64_t y, int64_t z)
{
    const int64_t dy = y - brush->centre.y, dz = z - brush->centre.z;
    const int64_t across = dy * dy + dz * dz;
    int64_t reach = brush->box.max.x - brush->centre.x;
    while (reach >= 0 && (double)(across + reach * reach) > brush->radius * brush->radius) {
        reach--;
    }
    return reach;
}

bool brush_holds(const Brush *brush, TrnVoxel voxel)
{
    if (!brush_box_holds(&brush->box, voxel)) {
        return false;
    }
    const int64_t reach = brush->is_ball ? brush_ball_reach(brush, voxel.y, voxel.z) : 0;
    return !brush->is_ball ||
           (voxel.x >= brush->centre.x - reach && voxel.x <= brush->centre.x + reach);
}

// ---- rows of 32 voxels --------------------------------------------------------------------------

/// Returns the bits of a row's voxels from `low` to `high`. @param x  of the row's first voxel
static uint32_t brush_span_bits(int64_t x, int64_t low, int64_t high)
{
    if (low > x + EDGE - 1 || high < x || low > high) {
        return 0;
    }
    const uint32_t first = low > x ? (uint32_t)(low - x) : 0;
    const uint32_t last = high < x + EDGE - 1 ? (uint32_t)(high - x) : EDGE - 1;
    return UINT32_MAX << first & UINT32_MAX >> (EDGE - 1 - last);
}

static uint32_t brush_row(const Brush *brush, TrnVoxel row)
{
    if (row.y < brush->box.min.y || row.y > brush->box.max.y || row.z < brush->box.min.z ||
        row.z > brush->box.max.z) {
        return 0;
    }
    if (!brush->is_ball) {
        return brush_span_bits(row.x, brush->box.min.x, brush->box.max.x);
    }
    const int64_t reach = brush_ball_reach(brush, row.y, row.z);
    return brush_span_bits(row.x, brush->centre.x - reach, brush->centre.x + reach);
}

/// Returns the voxels of a row that bodies occupy.
static uint32_t brush_spared_row(const BrushStroke *stroke, TrnVoxel row)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < stroke->spare_count; i++) {
        const BrushBox *box = &stroke->spares[i];
        const bool cuts = row.y >= box->min.y && row.y <= box->max.y && row.z >= box->min.z &&
                          row.z <= box->max.z;
        bits |= cuts ? brush_span_bits(row.x, box->min.x, box->max.x) : 0;
    }
    return bits;
}

// ---- changed voxels -----------------------------------------------------------------------------

/// Drops every second bit, and halves the rate from now on.
static void brush_thin_out(BrushTaken *taken)
{
    for (size_t i = 0; i < BRUSH_BITS_MAX / 2; i++) {
        taken->bits[i] = taken->bits[2 * i];
    }
    taken->count = BRUSH_BITS_MAX / 2;
    taken->stride *= 2;
}

static void brush_note_bit(BrushTaken *taken, TrnSnapshot voxels, TrnVoxel voxel)
{
    if (taken->count == BRUSH_BITS_MAX) {
        brush_thin_out(taken);
        if (taken->voxels % taken->stride) {
            return;
        }
    }
    taken->bits[taken->count++] =
        (BrushBit){voxel, trn_snapshot_get(voxels, trn_voxel_local_index(voxel))};
}

/// Counts the changed voxels of a row, and lists some of them.
static void brush_note_row(BrushTaken *taken, TrnSnapshot voxels, TrnVoxel row, uint32_t bits)
{
    const uint32_t count = (uint32_t)__builtin_popcount(bits);
    const uint64_t till_next = (taken->stride - taken->voxels % taken->stride) % taken->stride;
    if (till_next >= count) { // true for most rows of a large brush
        taken->voxels += count;
        return;
    }
    for (; bits; bits &= bits - 1, taken->voxels++) {
        if (taken->voxels % taken->stride == 0) {
            brush_note_bit(taken, voxels, (TrnVoxel){row.x + __builtin_ctz(bits), row.y, row.z});
        }
    }
}

// ---- a stroke -----------------------------------------------------------------------------------

/// A stroke in one column of chunks, applied from the lowest up.
typedef struct StrokeColumn {
    const Brush *brush;
    const BrushStroke *stroke;
    BrushTaken *taken;
    /// The stroke's sets without its block: voxels that already have it do not change.
    uint32_t takes[TRN_BLOCK_BITS_WORDS], falls[TRN_BLOCK_BITS_WORDS];
    uint32_t gone[EDGE]; ///< voxels of the layer below with replaced blocks
    bool has_gone;
    uint32_t mask[TRN_CHUNK_ROWS]; ///< voxels of the chunk that get the new block
    bool has_mask;
} StrokeColumn;

/// Copies a set of blocks without one of them.
/// @param bits  [TRN_BLOCK_BITS_WORDS]; NULL: none
static void brush_copy_set(const uint32_t *bits, TrnBlock without,
                           uint32_t to[TRN_BLOCK_BITS_WORDS])
{
    if (bits) {
        memcpy(to, bits, sizeof(uint32_t[TRN_BLOCK_BITS_WORDS]));
        to[without / 32] &= ~(UINT32_C(1) << without % 32);
    }
}

/// Computes which voxels of one layer change. @param layer  its first voxel
static void brush_stroke_layer(StrokeColumn *column, TrnSnapshot voxels, TrnVoxel layer)
{
    const BrushStroke *stroke = column->stroke;
    const uint32_t y = (uint32_t)layer.y & (EDGE - 1);
    const bool is_inside =
        layer.y >= column->brush->box.min.y && layer.y <= column->brush->box.max.y;
    uint32_t takes[EDGE] = {0}, falls[EDGE] = {0};
    if (is_inside) {
        trn_snapshot_match(voxels, column->takes, y * EDGE, EDGE, takes);
    }
    if (column->has_gone) {
        trn_snapshot_match(voxels, column->falls, y * EDGE, EDGE, falls);
    }
    column->has_gone = false;
    for (uint32_t z = 0; z < EDGE; z++) {
        const TrnVoxel row = {layer.x, layer.y, layer.z + z};
        uint32_t bits = is_inside ? takes[z] & brush_row(column->brush, row) : 0;
        bits = (bits | (falls[z] & column->gone[z])) & ~brush_spared_row(stroke, row);
        column->mask[y * EDGE + z] = bits;
        column->gone[z] = stroke->falls ? bits : 0;
        column->has_gone |= column->gone[z] != 0;
        column->has_mask |= bits != 0;
        brush_note_row(column->taken, voxels, row, bits);
    }
}

/// Changes one chunk of the column. @param corner  the chunk's lowest voxel
static TrnResult brush_stroke_chunk(StrokeColumn *column, const TrnChunk *chunk, TrnVoxel corner,
                                    TrnBatch *batch)
{
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    memset(column->mask, 0, sizeof column->mask);
    column->has_mask = false;
    for (int64_t y = corner.y; y < corner.y + EDGE; y++) {
        if (y >= column->brush->box.min.y && (y <= column->brush->box.max.y || column->has_gone)) {
            brush_stroke_layer(column, voxels, (TrnVoxel){corner.x, y, corner.z});
        }
    }
    if (!column->has_mask) {
        return TRN_RESULT_OK;
    }
    TrnVoxelEdit *edit;
    const TrnResult result = trn_batch_edit(batch, chunk->coord, &edit);
    return result != TRN_RESULT_OK
               ? result
               : trn_voxel_edit_fill_mask(edit, column->mask, column->stroke->block);
}

/// Changes all chunks of a column from the lowest up, and continues above the brush while plants
/// fall.
static TrnResult brush_stroke_column(StrokeColumn *column, const TrnStore *store, TrnBatch *batch,
                                     TrnCoord lowest, int32_t highest)
{
    column->has_gone = false;
    for (int64_t y = lowest.y; y <= highest || (column->has_gone && y <= INT32_MAX); y++) {
        const TrnCoord coord = {lowest.x, (int32_t)y, lowest.z};
        const TrnChunk *chunk = trn_store_find(store, coord);
        if (!chunk) {
            column->has_gone = false;
            continue;
        }
        const TrnResult result = brush_stroke_chunk(column, chunk, trn_coord_voxel(coord), batch);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    return TRN_RESULT_OK;
}

/// Computes the chunks that a box overlaps. @return false if it is outside the world
static bool brush_chunks_of_box(const BrushBox *box, TrnBox *chunks)
{
    const TrnVoxel min = {brush_greatest(box->min.x, TRN_VOXEL_MIN),
                          brush_greatest(box->min.y, TRN_VOXEL_MIN),
                          brush_greatest(box->min.z, TRN_VOXEL_MIN)};
    const TrnVoxel max = {brush_least(box->max.x, TRN_VOXEL_MAX),
                          brush_least(box->max.y, TRN_VOXEL_MAX),
                          brush_least(box->max.z, TRN_VOXEL_MAX)};
    *chunks = (TrnBox){trn_voxel_chunk(min), trn_voxel_chunk(max)};
    return min.x <= max.x && min.y <= max.y && min.z <= max.z;
}

TrnResult brush_apply(const Brush *brush, const BrushStroke *stroke, const TrnStore *store,
                      TrnBatch *batch, BrushTaken *taken)
{
    taken->voxels = taken->count = 0;
    taken->stride = 1;
    StrokeColumn column = {.brush = brush, .stroke = stroke, .taken = taken};
    brush_copy_set(stroke->takes, stroke->block, column.takes);
    brush_copy_set(stroke->falls, stroke->block, column.falls);
    TrnBox chunks;
    if (!brush_chunks_of_box(&brush->box, &chunks)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = TRN_RESULT_OK;
    for (int64_t z = chunks.min.z; z <= chunks.max.z && result == TRN_RESULT_OK; z++) {
        for (int64_t x = chunks.min.x; x <= chunks.max.x && result == TRN_RESULT_OK; x++) {
            const TrnCoord lowest = {(int32_t)x, chunks.min.y, (int32_t)z};
            result = brush_stroke_column(&column, store, batch, lowest, chunks.max.y);
        }
    }
    return result;
}
