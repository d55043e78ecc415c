// What changed voxels lead to: the liquids there and at their sides wait for their turn. Whole rows
// are handled as bits, because changes come in crowds.

#include "fluid/fluid_work.h"

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
        work->sets[lane] =
            trn_fluid_queue_get(&fluid->queue, &fluid->allocator, coord, lane, TRN_FLUID_WAITING);
    }
    return work->sets[lane];
}

/// Adds a voxel to those that wait, if it is a liquid. @param asleep  set if it is not loaded
static TrnResult spread_add_liquid(TrnFluidWork *work, int32_t x, int32_t y, int32_t z,
                                   bool *asleep)
{
    const TrnFluidClass class = trn_fluid_look_class(&work->fluid->look, x, y, z);
    *asleep = *asleep || class == TRN_FLUID_NOT_LOADED;
    if (class < TRN_FLUID_CLASS(0)) {
        return TRN_RESULT_OK;
    }
    const TrnVoxel voxel = trn_fluid_work_voxel(work, x, y, z);
    TrnFluidSet *set =
        trn_fluid_work_set(work, trn_voxel_chunk(voxel), 1 + trn_fluid_class_liquid(class));
    if (!set) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_fluid_queue_add(&work->fluid->queue, set, trn_voxel_local_index(voxel));
    return TRN_RESULT_OK;
}

TrnResult trn_fluid_work_sleep(TrnFluidWork *work, uint32_t index)
{
    TrnFluid *fluid = work->fluid;
    TrnFluidSet *set = trn_fluid_queue_get(&fluid->queue, &fluid->allocator, work->coord,
                                           work->lane, TRN_FLUID_ASLEEP);
    if (!set) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_fluid_queue_add(&fluid->queue, set, index);
    return TRN_RESULT_OK;
}

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
            for (uint32_t bits = set->rows[row] ? spread_row_of_changes(work, row, set->rows[row])
                                                : 0;
                 bits; bits &= bits - 1) {
                if (work->left == 0) {
                    return row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits);
                }
                work->left--;
            }
        }
    }
    return TRN_CHUNK_VOXELS;
}

/// Finds the voxels of a layer that are changed voxels or at their sides.
/// @param rows,layers  the changed voxels, as of a set
/// @param near  receives bit x of each row
static void spread_find_near(const uint32_t *rows, uint32_t layers, uint32_t y,
                             uint32_t near[TRN_CHUNK_EDGE])
{
    static const uint32_t none[TRN_CHUNK_EDGE];
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    const uint32_t *layer = rows + (size_t)y * TRN_CHUNK_EDGE;
    const uint32_t *own = layers >> y & 1 ? layer : none;
    const uint32_t *below = y > 0 && layers >> (y - 1) & 1 ? layer - TRN_CHUNK_EDGE : none;
    const uint32_t *above = y < last && layers >> (y + 1) & 1 ? layer + TRN_CHUNK_EDGE : none;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        near[z] = own[z] | own[z] << 1 | own[z] >> 1 | below[z] | above[z] |
                  (z > 0 ? own[z - 1] : 0) | (z < last ? own[z + 1] : 0);
    }
}

/// Adds those voxels of a layer that are of a liquid to those that wait.
static TrnResult spread_add_layer(TrnFluidWork *work, uint32_t liquid, uint32_t y,
                                  const uint32_t near[TRN_CHUNK_EDGE])
{
    uint32_t found[TRN_CHUNK_EDGE], first = 0, end = TRN_CHUNK_EDGE;
    while (first < end && near[first] == 0) {
        first++;
    }
    while (first < end && near[end - 1] == 0) {
        end--;
    }
    trn_fluid_look_rows(&work->fluid->look, liquid, y, first, end - first, found + first);
    for (uint32_t z = first; z < end; z++) {
        if (found[z] & near[z]) {
            TrnFluidSet *set = trn_fluid_work_set(work, work->coord, 1 + liquid);
            if (!set) {
                return TRN_RESULT_NO_MEMORY;
            }
            trn_fluid_queue_add_row(&work->fluid->queue, set, y * TRN_CHUNK_EDGE + z,
                                    found[z] & near[z]);
        }
    }
    return TRN_RESULT_OK;
}

/// Adds the liquids of a layer in changed voxels of the chunk and at their sides to those that
/// wait. @param rows,layers  the changed voxels, as of a set
static TrnResult spread_layer(TrnFluidWork *work, const uint32_t *rows, uint32_t layers, uint32_t y)
{
    uint32_t near[TRN_CHUNK_EDGE];
    TrnResult result = TRN_RESULT_OK;
    spread_find_near(rows, layers, y, near);
    for (uint32_t i = 0; i < work->fluid->rules.liquid_count && result == TRN_RESULT_OK; i++) {
        const bool may_hold = work->fluid->look.liquids >> i & 1;
        result = may_hold ? spread_add_layer(work, i, y, near) : TRN_RESULT_OK;
    }
    return result;
}

/// Adds the liquids at the sides of a changed voxel that lie in other chunks to those that wait.
static TrnResult spread_out(TrnFluidWork *work, uint32_t index)
{
    const int32_t last = TRN_CHUNK_EDGE - 1;
    const int32_t x = (int32_t)(index % TRN_CHUNK_EDGE);
    const int32_t y = (int32_t)(index / (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE));
    const int32_t z = (int32_t)(index / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE);
    bool asleep = false;
    TrnResult result = TRN_RESULT_OK;
    if (x == 0 || x == last) {
        result = spread_add_liquid(work, x == 0 ? -1 : TRN_CHUNK_EDGE, y, z, &asleep);
    }
    if (result == TRN_RESULT_OK && (y == 0 || y == last)) {
        result = spread_add_liquid(work, x, y == 0 ? -1 : TRN_CHUNK_EDGE, z, &asleep);
    }
    if (result == TRN_RESULT_OK && (z == 0 || z == last)) {
        result = spread_add_liquid(work, x, y, z == 0 ? -1 : TRN_CHUNK_EDGE, &asleep);
    }
    return result == TRN_RESULT_OK && asleep ? trn_fluid_work_sleep(work, index) : result;
}

/// Adds the liquids in changed voxels of the chunk and at their sides to those that wait.
/// @param rows,layers  the changed voxels, as of a set
static TrnResult spread_changes(TrnFluidWork *work, const uint32_t *rows, uint32_t layers)
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    TrnResult result = TRN_RESULT_OK;
    uint32_t near = work->fluid->look.liquids ? layers | layers << 1 | layers >> 1 : 0;
    for (; near && result == TRN_RESULT_OK; near &= near - 1) {
        result = spread_layer(work, rows, layers, (uint32_t)__builtin_ctz(near));
    }
    for (; layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers);
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
            const bool is_inside = y > 0 && y < last && z > 0 && z < last;
            const uint32_t row = y * TRN_CHUNK_EDGE + z;
            uint32_t bits = rows[row] & (is_inside ? 1u | 1u << last : UINT32_MAX);
            for (; bits && result == TRN_RESULT_OK; bits &= bits - 1) {
                result = spread_out(work, row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits));
            }
        }
    }
    return result;
}

TrnResult trn_fluid_spread(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end)
{
    *end = spread_pay_changes(work, set);
    if (*end == TRN_CHUNK_VOXELS) {
        return spread_changes(work, set->rows, set->layers);
    }
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    const uint32_t row = *end / TRN_CHUNK_EDGE, x = *end % TRN_CHUNK_EDGE;
    memcpy(rows, set->rows, row * sizeof *rows);
    rows[row] = set->rows[row] & ((UINT32_C(1) << x) - 1);
    return spread_changes(work, rows, set->layers);
}
