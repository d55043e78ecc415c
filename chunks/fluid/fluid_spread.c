// What changed voxels lead to: the liquids there and at their sides, and those that may find other
// drops now, wait for their turn.

#include "fluid/fluid_spread.h"

#include <string.h>

// ---- voxels for later --------------------------------------------------------------------------

TrnFluidSet *trn_fluid_work_set(TrnFluidWork *work, TrnCoord coord, uint32_t lane)
{
    TrnFluid *fluid = work->fluid;
    if (!trn_coord_equal(coord, work->last)) {
        work->last = coord;
        for (uint32_t i = 0; i < TRN_FLUID_LANES_MAX; i++) {
            work->sets[i] = NULL;
        }
    }
    if (!work->sets[lane]) {
        work->sets[lane] = trn_fluid_queue_get(&fluid->queue, coord, lane, TRN_FLUID_WAITING);
    }
    return work->sets[lane];
}

TrnResult trn_fluid_work_sleep(TrnFluidWork *work, uint32_t y,
                               const uint32_t voxels[TRN_CHUNK_EDGE],
                               uint32_t waiting[TRN_CHUNK_EDGE], bool *sleeps)
{
    TrnFluidQueue *queue = &work->fluid->queue;
    *sleeps = trn_fluid_look_find_waiting(&work->fluid->look, y, voxels, waiting);
    if (!*sleeps) {
        return TRN_RESULT_OK;
    }
    TrnFluidSet *set = trn_fluid_queue_get(queue, work->coord, work->lane, TRN_FLUID_ASLEEP);
    if (!set) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_fluid_queue_add_layer(queue, set, y, waiting);
    queue->sleeper = set; // packed with the last layer
    return TRN_RESULT_OK;
}

// ---- the budget --------------------------------------------------------------------------------

/// The voxels of a row of changed voxels that need a look: in a chunk without liquids, those at its
/// border.
static uint32_t spread_row_of_changes(const TrnFluidWork *work, uint32_t row, uint32_t bits)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1, y = row / TRN_CHUNK_EDGE, z = row % TRN_CHUNK_EDGE;
    const bool is_inside = y > 0 && y < last && z > 0 && z < last;
    return bits & (is_inside && !work->fluid->look.liquids ? 1u | 1u << last : UINT32_MAX);
}

/// Takes the changed voxels of a set off the budget.
/// @return the index behind the last one that it pays for, TRN_CHUNK_VOXELS for all
static uint32_t spread_pay_changes(TrnFluidWork *work, const TrnFluidSet *set)
{
    for (uint32_t layers = set->layers; layers; layers &= layers - 1) {
        const uint32_t first = (uint32_t)__builtin_ctz(layers) * TRN_CHUNK_EDGE;
        for (uint32_t row = first; row < first + TRN_CHUNK_EDGE; row++) {
            uint32_t bits = spread_row_of_changes(work, row, work->rows[row]);
            const uint32_t count = trn_fluid_count_bits(bits);
            if (count > work->left) {
                for (; work->left > 0; work->left--) {
                    bits &= bits - 1;
                }
                return row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits);
            }
            work->left -= count;
        }
    }
    return TRN_CHUNK_VOXELS;
}

// ---- liquids at changed voxels -----------------------------------------------------------------

// A changed voxel makes the liquids there and at its sides wait for their turn. Whole rows are
// handled as bits, because most changes come in crowds.

/// Adds voxels of a layer that are of a liquid to those that wait.
/// @param coord     of the layer's chunk
/// @param x,y,z     of a voxel of the layer, from the lowest of the work's chunk
/// @param voxels    [z] bit x
static TrnResult spread_add_layer(TrnFluidWork *work, TrnCoord coord, int32_t x, int32_t y,
                                  int32_t z, const uint32_t voxels[TRN_CHUNK_EDGE])
{
    for (uint32_t i = 0; i < work->fluid->rules.liquid_count; i++) {
        const TrnFluidLayer *layer = trn_fluid_look_layer(&work->fluid->look, i, x, y, z);
        uint32_t found[TRN_CHUNK_EDGE], any = 0;
        for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
            found[row] = layer->kinds[TRN_FLUID_IS_OWN][row] & voxels[row];
            any |= found[row];
        }
        TrnFluidSet *set = any ? trn_fluid_work_set(work, coord, 1 + i) : NULL;
        if (any && !set) {
            return TRN_RESULT_NO_MEMORY;
        }
        if (any) {
            trn_fluid_queue_add_layer(&work->fluid->queue, set, (uint32_t)y % TRN_CHUNK_EDGE,
                                      found);
        }
    }
    return TRN_RESULT_OK;
}

/// Finds the voxels of a layer that are changed voxels or at their sides.
/// @param rows,layers  the changed voxels, as of a set
/// @param near  receives bit x of each row
static void spread_find_near(const uint32_t *rows, uint32_t layers, uint32_t y,
                             uint32_t near[TRN_CHUNK_EDGE])
{
    const uint32_t edge = TRN_CHUNK_EDGE;
    uint32_t own[TRN_CHUNK_EDGE + 2] = {0}; // with an empty row before and behind
    memset(near, 0, edge * sizeof *near);
    if (layers >> y & 1) {
        memcpy(own + 1, rows + (size_t)y * edge, edge * sizeof *own);
    }
    for (uint32_t k = y > 0 ? y - 1 : 0; k <= y + 1 && k < edge; k++) {
        for (uint32_t z = 0; z < edge && layers >> k & 1; z++) {
            near[z] |= rows[k * edge + z];
        }
    }
    for (uint32_t z = 0; z < edge; z++) {
        near[z] |= own[z + 1] << 1 | own[z + 1] >> 1 | own[z] | own[z + 2];
    }
}

/// Adds the liquids of the chunk in changed voxels and at their sides to those that wait.
/// @param rows,layers  the changed voxels, as of a set
static TrnResult spread_inside(TrnFluidWork *work, const uint32_t *rows, uint32_t layers)
{
    TrnResult result = TRN_RESULT_OK;
    uint32_t near = work->fluid->look.liquids ? layers | layers << 1 | layers >> 1 : 0;
    for (; near && result == TRN_RESULT_OK; near &= near - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(near);
        uint32_t voxels[TRN_CHUNK_EDGE];
        spread_find_near(rows, layers, y, voxels);
        result = spread_add_layer(work, work->coord, 0, (int32_t)y, 0, voxels);
    }
    return result;
}

/// Finds the voxels of the chunk at a face that lie at changed voxels of a layer.
/// @param rows     [z] of the layer
/// @param touched  [z] receives bit x if there are any
/// @return whether there are any
static bool spread_find_touched(TrnFace face, uint32_t y, const uint32_t rows[TRN_CHUNK_EDGE],
                                uint32_t touched[TRN_CHUNK_EDGE])
{
    const uint32_t last = TRN_CHUNK_EDGE - 1, is_high = face % 2;
    uint32_t any = 0;
    if (face == TRN_FACE_NEG_Z || face == TRN_FACE_POS_Z) {
        any = rows[is_high ? last : 0];
        memset(touched, 0, TRN_CHUNK_EDGE * sizeof *touched);
        touched[is_high ? 0 : last] = any;
    } else if (face == TRN_FACE_NEG_X || face == TRN_FACE_POS_X) {
        const uint32_t left = is_high ? 0 : last, right = is_high ? last : 0;
        for (uint32_t z = 0; z <= last; z++) {
            touched[z] = rows[z] << left >> right;
            any |= touched[z];
        }
    } else if (y == (is_high ? last : 0)) {
        for (uint32_t z = 0; z <= last; z++) {
            touched[z] = rows[z];
            any |= touched[z];
        }
    }
    return any != 0;
}

/// Queues the liquids of the neighbouring chunk that touch changed voxels at a face.
/// @param rows  [z] bit x
static TrnResult spread_across(TrnFluidWork *work, TrnFace face, uint32_t y,
                               const uint32_t rows[TRN_CHUNK_EDGE])
{
    const int32_t edge = TRN_CHUNK_EDGE, way = face % 2 ? 1 : -1;
    uint32_t touched[TRN_CHUNK_EDGE];
    if (!spread_find_touched(face, y, rows, touched)) {
        return TRN_RESULT_OK;
    }
    const int32_t x = face / 2 == 0 ? way * edge : 0, z = face / 2 == 2 ? way * edge : 0;
    const int32_t above = face / 2 == 1 ? way : 0;
    return spread_add_layer(work, trn_coord_neighbour(work->coord, face), x, (int32_t)y + above, z,
                            touched);
}

/// Adds the liquids of other chunks at the sides of changed voxels to those that wait.
/// @param rows,layers  the changed voxels, as of a set
static TrnResult spread_outside(TrnFluidWork *work, const uint32_t *rows, uint32_t layers)
{
    TrnResult result = TRN_RESULT_OK;
    for (; layers && result == TRN_RESULT_OK; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers);
        const uint32_t *layer = rows + (size_t)y * TRN_CHUNK_EDGE;
        uint32_t waiting[TRN_CHUNK_EDGE];
        bool sleeps;
        result = trn_fluid_work_sleep(work, y, layer, waiting, &sleeps);
        for (uint32_t face = 0; face < TRN_FACE_COUNT && result == TRN_RESULT_OK; face++) {
            result = spread_across(work, (TrnFace)face, y, layer);
        }
    }
    return result;
}

// ---- liquids that looked for drops -------------------------------------------------------------

// A liquid with an open side has not spread there, since a drop is nearer elsewhere. What it does
// follows from voxels as far as it looks for drops, in its layer and in the one below. Those that
// the fluid writes pass a liquid as before, except sources and voxels of another liquid.

/// Grows a set of voxels of a layer by one voxel.
static void far_grow(const TrnFluidRows from, TrnFluidRows to)
{
    for (size_t row = 0; row < TRN_FLUID_ROWS; row++) {
        to[row] = from[row] | from[row] << 1 | from[row] >> 1 | (row > 0 ? from[row - 1] : 0) |
                  (row + 1 < TRN_FLUID_ROWS ? from[row + 1] : 0);
    }
}

/// Finds the voxels of a liquid with open sides around changed voxels.
/// @param voxels  [z] bit x: changed in the layer or in the one below; some
/// @param found   receives them; at the end of the rim those without open sides, too
/// @return whether there are any
static bool far_find(TrnFluidWork *work, uint32_t liquid, int32_t y,
                     const uint32_t voxels[TRN_CHUNK_EDGE], TrnFluidRows found)
{
    uint32_t around[TRN_CHUNK_EDGE]; // the sides of liquids are read, too
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        around[z] = voxels[z] | voxels[z] << 1 | voxels[z] >> 1 | (z > 0 ? voxels[z - 1] : 0) |
                    (z + 1 < TRN_CHUNK_EDGE ? voxels[z + 1] : 0);
    }
    const TrnFluidArea area = trn_fluid_area(liquid, around);
    const TrnFluidRows *kinds = trn_fluid_look_rows(
        &work->fluid->look, &area, y, 1u << TRN_FLUID_IS_OWN | 1u << TRN_FLUID_IS_OPEN);
    const uint32_t far = 1u + work->fluid->rules.liquids[liquid].drop_voxels;
    TrnFluidRows near[2] = {{0}}, sides;
    uint64_t any = 0;
    for (size_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        near[0][z + TRN_FLUID_RIM] = (uint64_t)voxels[z] << TRN_FLUID_SIDE;
    }
    for (uint32_t i = 0; i < far; i++) {
        far_grow(near[i % 2], near[(i + 1) % 2]);
    }
    far_grow(kinds[TRN_FLUID_IS_OPEN], sides);
    sides[0] = sides[TRN_FLUID_ROWS - 1] = UINT64_MAX;
    for (size_t row = 0; row < TRN_FLUID_ROWS; row++) {
        found[row] = near[far % 2][row] & sides[row] & kinds[TRN_FLUID_IS_OWN][row];
        any |= found[row];
    }
    return any != 0;
}

/// Adds voxels of a liquid in a layer and its rim to those that wait.
static TrnResult far_add(TrnFluidWork *work, uint32_t liquid, int32_t y, const TrnFluidRows found)
{
    const int32_t edge = TRN_CHUNK_EDGE;
    for (int32_t i = 0; i < 9; i++) {
        const int32_t x = i % 3 - 1, z = i / 3 - 1;
        uint32_t rows[TRN_CHUNK_EDGE] = {0}, any = 0;
        for (int32_t row = 0; row < (int32_t)TRN_FLUID_ROWS; row++) {
            const int32_t at = row - TRN_FLUID_RIM - z * edge;
            if (at >= 0 && at < edge) {
                rows[at] = trn_fluid_row_part(found[row], x);
                any |= rows[at];
            }
        }
        const TrnCoord coord = trn_coord_add(work->coord, x, y < edge ? 0 : 1, z);
        TrnFluidSet *set = any ? trn_fluid_work_set(work, coord, 1 + liquid) : NULL;
        if (any && !set) {
            return TRN_RESULT_NO_MEMORY;
        }
        if (any) {
            trn_fluid_queue_add_layer(&work->fluid->queue, set, (uint32_t)y % TRN_CHUNK_EDGE, rows);
        }
    }
    return TRN_RESULT_OK;
}

/// Adds the liquids that changed voxels of the chunk may show another way to a drop to those that
/// wait.
/// @param rows,layers  the changed voxels, as of a set
static TrnResult spread_far(TrnFluidWork *work, const uint32_t *rows, uint32_t layers)
{
    const uint64_t targets = layers | (uint64_t)layers << 1;
    TrnResult result = TRN_RESULT_OK;
    for (uint64_t left = targets; left && result == TRN_RESULT_OK; left &= left - 1) {
        const uint32_t y = (uint32_t)__builtin_ctzll(left), edge = TRN_CHUNK_EDGE;
        uint32_t voxels[TRN_CHUNK_EDGE], any = 0;
        for (uint32_t z = 0; z < edge; z++) {
            voxels[z] =
                (y < edge ? rows[y * edge + z] : 0) | (y > 0 ? rows[(y - 1) * edge + z] : 0);
            any |= voxels[z];
        }
        for (uint32_t i = 0; i < work->fluid->rules.liquid_count && any; i++) {
            TrnFluidRows found;
            if (result == TRN_RESULT_OK && far_find(work, i, (int32_t)y, voxels, found)) {
                result = far_add(work, i, (int32_t)y, found);
            }
        }
    }
    return result;
}

/// Adds the liquids in changed voxels of the chunk and at their sides to those that wait.
/// @param rows,layers  the changed voxels, as of a set
static TrnResult spread_changes(TrnFluidWork *work, const uint32_t *rows, uint32_t layers)
{
    TrnResult result = spread_inside(work, rows, layers);
    result = result == TRN_RESULT_OK ? spread_outside(work, rows, layers) : result;
    return result == TRN_RESULT_OK && work->lane == TRN_FLUID_LANE_CHANGED
               ? spread_far(work, rows, layers)
               : result;
}

TrnResult trn_fluid_spread(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end)
{
    *end = spread_pay_changes(work, set);
    if (*end == TRN_CHUNK_VOXELS) {
        return spread_changes(work, work->rows, set->layers);
    }
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    const uint32_t row = *end / TRN_CHUNK_EDGE, x = *end % TRN_CHUNK_EDGE;
    memcpy(rows, work->rows, row * sizeof *rows);
    rows[row] = work->rows[row] & ((UINT32_C(1) << x) - 1);
    return spread_changes(work, rows, set->layers);
}
