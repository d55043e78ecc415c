// Columns of one chunk: where the sky shines through it, and how far a change of it reaches.

#include "light_impl.h"

#include <string.h>

#include "base/around.h"
#include "sky_internal.h"

// ---- voxels that are not clear -----------------------------------------------------------------

/// Adds the blocks that are opaque or dim.
static void columns_add_blocks(const TrnBlock *blocks, const TrnBlockTypes *types, uint32_t *rows)
{
    bool is_clear = true;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (i == 0 || blocks[i] != blocks[i - 1]) {
            is_clear = trn_light_is_clear(trn_block_types_get(types, blocks[i]));
        }
        rows[i / TRN_CHUNK_EDGE] |= (uint32_t)!is_clear << i % TRN_CHUNK_EDGE;
    }
}

/// Finds the voxels that are opaque or dim. @param rows  [TRN_CHUNK_ROWS]
static void columns_find_blockers(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *rows)
{
    if (trn_snapshot_is_uniform(voxels)) {
        const TrnBlockType *type = trn_block_types_get(types, trn_snapshot_uniform(voxels));
        memset(rows, trn_light_is_clear(type) ? 0 : 0xFF, sizeof(uint32_t[TRN_CHUNK_ROWS]));
        return;
    }
    const TrnPayload *payload = trn_snapshot_payload(voxels);
    memcpy(rows, trn_payload_opaque(payload), sizeof(uint32_t[TRN_CHUNK_ROWS]));
    if (payload->bits < 16) {
        trn_light_volume_add_dims(payload, types, rows);
    } else {
        columns_add_blocks((const TrnBlock *)trn_payload_words(payload), types, rows);
    }
}

/// Writes the columns without a blocker.
static void columns_open(const uint32_t *rows, uint32_t *open)
{
    memset(open, 0xFF, sizeof(uint32_t[TRN_CHUNK_EDGE]));
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        open[row % TRN_CHUNK_EDGE] &= ~rows[row];
    }
}

void trn_light_open_blocks(const TrnBlock *blocks, const TrnBlockTypes *types, uint32_t *open)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    columns_add_blocks(blocks, types, rows);
    columns_open(rows, open);
}

// ---- how far a change reaches ------------------------------------------------------------------

/// Light of level 15 reaches this many voxels.
#define COLUMNS_REACH 14

/// A box of local coordinates, [x, y, z], inclusive.
typedef struct ColumnsBox {
    uint32_t min[3], max[3];
} ColumnsBox;

static bool columns_light_differs(const TrnBlockTypes *types, TrnBlock a, TrnBlock b)
{
    const TrnBlockType *of_a = trn_block_types_get(types, a), *of_b = trn_block_types_get(types, b);
    const bool a_is_opaque = of_a->kind == TRN_BLOCK_KIND_OPAQUE;
    const bool b_is_opaque = of_b->kind == TRN_BLOCK_KIND_OPAQUE;
    return of_a->light != of_b->light || a_is_opaque != b_is_opaque ||
           (!a_is_opaque && of_a->dims != of_b->dims);
}

/// Keeps those voxels of a mask that let light pass or emit it otherwise than before.
static void columns_keep_light(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types,
                               uint32_t *rows)
{
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        for (uint32_t bits = rows[row]; bits; bits &= bits - 1) {
            const uint32_t x = (uint32_t)__builtin_ctz(bits), at = row * TRN_CHUNK_EDGE + x;
            if (!columns_light_differs(types, trn_snapshot_get(before, at),
                                       trn_snapshot_get(after, at))) {
                rows[row] &= ~(1u << x);
            }
        }
    }
}

/// Adds the voxels that the sky lights in one of two snapshots alone, if it shines on the chunk.
static void columns_add_sky(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types,
                            uint32_t *rows)
{
    uint32_t was_blocked[TRN_CHUNK_ROWS], is_blocked[TRN_CHUNK_ROWS];
    uint32_t was_open[TRN_CHUNK_EDGE], is_open[TRN_CHUNK_EDGE];
    columns_find_blockers(before, types, was_blocked);
    columns_find_blockers(after, types, is_blocked);
    memset(was_open, 0xFF, sizeof was_open);
    memset(is_open, 0xFF, sizeof is_open);
    for (uint32_t row = TRN_CHUNK_ROWS; row-- > 0;) {
        const uint32_t z = row % TRN_CHUNK_EDGE;
        was_open[z] &= ~was_blocked[row];
        is_open[z] &= ~is_blocked[row];
        rows[row] |= was_open[z] ^ is_open[z];
    }
}

/// @return false if the mask is empty
static bool columns_box(const uint32_t *rows, ColumnsBox *box)
{
    uint32_t any = 0;
    *box = (ColumnsBox){.min = {0, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE}};
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t at[3] = {0, row / TRN_CHUNK_EDGE, row % TRN_CHUNK_EDGE};
        for (int axis = 1; axis < 3 && rows[row]; axis++) {
            box->min[axis] = at[axis] < box->min[axis] ? at[axis] : box->min[axis];
            box->max[axis] = at[axis] > box->max[axis] ? at[axis] : box->max[axis];
        }
        any |= rows[row];
    }
    if (any) {
        box->min[0] = (uint32_t)__builtin_ctz(any);
        box->max[0] = TRN_CHUNK_EDGE - 1 - (uint32_t)__builtin_clz(any);
    }
    return any != 0;
}

/// Which chunks, with their border of one voxel, are within reach of a box.
static uint32_t columns_around(const ColumnsBox *box)
{
    uint32_t around = 0;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord offset = trn_around_offset(place);
        const int32_t step[3] = {offset.x, offset.y, offset.z};
        uint32_t distance = 0;
        for (int axis = 0; axis < 3; axis++) {
            distance += step[axis] < 0   ? box->min[axis]
                        : step[axis] > 0 ? TRN_CHUNK_EDGE - 1 - box->max[axis]
                                         : 0;
        }
        around |= (uint32_t)(distance <= COLUMNS_REACH) << place;
    }
    return around;
}

uint32_t trn_light_reach(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    ColumnsBox box;
    if (trn_snapshot_diff(before, after, rows) == 0) {
        return 0;
    }
    columns_keep_light(before, after, types, rows);
    if (!columns_box(rows, &box)) {
        return 0;
    }
    columns_add_sky(before, after, types, rows);
    (void)columns_box(rows, &box);
    return columns_around(&box);
}

uint32_t trn_light_fall(TrnSnapshot voxels, const TrnBlockTypes *types, TrnSkyMask *columns)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    ColumnsBox box;
    columns_find_blockers(voxels, types, rows);
    for (uint32_t row = TRN_CHUNK_ROWS; row-- > 0;) {
        uint32_t *falling = &columns->rows[row % TRN_CHUNK_EDGE];
        *falling &= ~rows[row];
        rows[row] = *falling;
    }
    return columns_box(rows, &box) ? columns_around(&box) : 0;
}
