// Drainage of a region: a priority flood from its outlets (Barnes, Lehman and Mulla,
// "Priority-Flood", 2014) gives each cell the cell that it drains to; flow adds up downstream.
// Depressions are cut through where that takes a shallow cut, and filled to lakes otherwise (after
// Lindsay, "Efficient hybrid breaching-filling sink removal methods", 2016).

#include <string.h>

#include "terrain/rivers_impl.h"

/// A river cuts at most this many voxels through what dams it. Deeper depressions hold a lake.
#define RIVER_CUT_MAX 6.0f

/// Lakes are at least this deep, and have at most so many cells and this much rain. Larger and
/// dryer depressions stay dry, and rivers into them do not begin.
#define RIVER_LAKE_DEPTH_MIN 1.0f
#define RIVER_LAKE_CELLS_MAX 160
#define RIVER_LAKE_RAIN_MIN 0.5f

/// Rivers lie this far below the ground that they flow over.
#define RIVER_INCISION 1

/// Marks of cells.
enum { RIVER_REACHED = 1, RIVER_UNSEEN = 2, RIVER_COUNTED = 4 };

/// The 8 neighbours of a cell; those along the axes first.
static const int8_t river_steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                         {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

/// Finds a neighbour. @return false outside the region
static bool river_neighbour(uint32_t cell, int i, uint32_t *neighbour)
{
    const int32_t x = (int32_t)(cell % TRN_RIVER_CELLS) + river_steps[i][0];
    const int32_t z = (int32_t)(cell / TRN_RIVER_CELLS) + river_steps[i][1];
    *neighbour = (uint32_t)(z * TRN_RIVER_CELLS + x);
    return x >= 0 && z >= 0 && x < TRN_RIVER_CELLS && z < TRN_RIVER_CELLS;
}

static bool river_is_border(uint32_t cell)
{
    const uint32_t x = cell % TRN_RIVER_CELLS, z = cell / TRN_RIVER_CELLS;
    const uint32_t last = TRN_RIVER_CELLS - 1 - TRN_RIVER_BORDER;
    return x < TRN_RIVER_BORDER || z < TRN_RIVER_BORDER || x > last || z > last;
}

// ---- the flood ----------------------------------------------------------------------------------

/// Whether a cell comes before another: the lower one, then that of the lower number.
static bool river_is_before(const TrnDrainage *drainage, uint16_t a, uint16_t b)
{
    const float height_a = drainage->fills[a], height_b = drainage->fills[b];
    return height_a < height_b || (height_a == height_b && a < b);
}

/// Adds a cell to the binary heap.
static void river_push(TrnDrainage *drainage, uint32_t count, uint16_t cell)
{
    uint16_t *heap = drainage->heap;
    uint32_t at = count;
    while (at > 0 && river_is_before(drainage, cell, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = cell;
}

/// Takes the first cell from the binary heap of `count` cells.
static uint16_t river_pop(TrnDrainage *drainage, uint32_t count)
{
    uint16_t *heap = drainage->heap;
    const uint16_t first = heap[0], last = heap[count - 1];
    uint32_t at = 0, child = 1;
    for (; child + 1 < count; child = 2 * at + 1) {
        child += child + 2 < count && river_is_before(drainage, heap[child + 1], heap[child]);
        if (!river_is_before(drainage, heap[child], last)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/// Floods the region from the sea and its border. Fills nexts, fills and order.
static void river_flood(TrnDrainage *drainage)
{
    uint32_t count = 0, reached = 0;
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        const bool is_border = river_is_border(cell);
        drainage->fills[cell] = drainage->heights[cell];
        drainage->nexts[cell] = (uint16_t)cell;
        drainage->marks[cell] = 0;
        if (is_border || drainage->heights[cell] < (float)TRN_TERRAIN_SEA_LEVEL) {
            const bool is_sea = drainage->heights[cell] < (float)TRN_TERRAIN_SEA_LEVEL;
            drainage->marks[cell] =
                (uint8_t)(RIVER_REACHED | (is_border || !is_sea ? RIVER_UNSEEN : 0));
            river_push(drainage, count++, (uint16_t)cell);
        }
    }
    while (count > 0) {
        const uint16_t cell = river_pop(drainage, count--);
        drainage->order[reached++] = cell;
        for (int i = 0; i < 8; i++) {
            uint32_t next;
            if (!river_neighbour(cell, i, &next) || drainage->marks[next]) {
                continue;
            }
            const float height = drainage->heights[next], fill = drainage->fills[cell];
            drainage->marks[next] = RIVER_REACHED;
            drainage->nexts[next] = cell;
            drainage->fills[next] = height > fill ? height : fill;
            river_push(drainage, count++, (uint16_t)next);
        }
    }
}

// ---- lakes --------------------------------------------------------------------------------------

/// The lowest that water may stand or flow at a cell.
static float river_floor(const TrnDrainage *drainage, uint32_t cell)
{
    return drainage->fills[cell] - RIVER_CUT_MAX;
}

/// Counts the cells of a lake, and removes it if it is too large or dry. The heap is free by now.
static void river_bound_lake(TrnDrainage *drainage, uint32_t first)
{
    uint16_t *cells = drainage->heap;
    uint32_t count = 0;
    float rain = 0.0f;
    cells[count++] = (uint16_t)first;
    drainage->marks[first] |= RIVER_COUNTED;
    for (uint32_t at = 0; at < count; at++) {
        rain += drainage->rain[cells[at]];
        for (int i = 0; i < 8; i++) {
            uint32_t next;
            if (river_neighbour(cells[at], i, &next) && drainage->is_lake[next] &&
                !(drainage->marks[next] & RIVER_COUNTED)) {
                drainage->marks[next] |= RIVER_COUNTED;
                cells[count++] = (uint16_t)next;
            }
        }
    }
    const bool is_dry = count > RIVER_LAKE_CELLS_MAX || rain < RIVER_LAKE_RAIN_MIN * (float)count;
    for (uint32_t at = 0; is_dry && at < count; at++) {
        drainage->is_lake[cells[at]] = 0;
        drainage->marks[cells[at]] |= RIVER_UNSEEN;
    }
}

static void river_find_lakes(TrnDrainage *drainage)
{
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        drainage->is_lake[cell] =
            !river_is_border(cell) && drainage->heights[cell] >= (float)TRN_TERRAIN_SEA_LEVEL &&
            river_floor(drainage, cell) - drainage->heights[cell] > RIVER_LAKE_DEPTH_MIN;
    }
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        if (drainage->is_lake[cell] && !(drainage->marks[cell] & RIVER_COUNTED)) {
            river_bound_lake(drainage, cell);
        }
    }
}

// ---- rivers -------------------------------------------------------------------------------------

/// Adds up the rain from the springs downstream.
static void river_add_flows(TrnDrainage *drainage)
{
    memcpy(drainage->flows, drainage->rain, sizeof drainage->flows);
    for (size_t i = TRN_RIVER_CELL_COUNT; i-- > 0;) {
        const uint16_t cell = drainage->order[i], next = drainage->nexts[cell];
        drainage->flows[next] += next == cell ? 0.0f : drainage->flows[cell];
    }
}

/// Finds the cells whose water reaches the sea in this region, in order from the sea upstream, and
/// that have enough of it.
/// @return how many there are
static uint32_t river_find(TrnDrainage *drainage, float least)
{
    uint32_t count = 0;
    for (size_t i = 0; i < TRN_RIVER_CELL_COUNT; i++) {
        const uint16_t cell = drainage->order[i], next = drainage->nexts[cell];
        drainage->marks[cell] |= drainage->marks[next] & RIVER_UNSEEN;
        drainage->is_river[cell] = next != cell && !(drainage->marks[cell] & RIVER_UNSEEN) &&
                                   drainage->flows[cell] >= least;
        count += drainage->is_river[cell];
    }
    return count;
}

/// Sets the levels of water from the springs downstream: below the ground, through what dams it as
/// deep as a cut may be, and never rising.
static void river_set_levels(TrnDrainage *drainage)
{
    float *waters = drainage->waters;
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        const float height = drainage->heights[cell], least = river_floor(drainage, cell);
        waters[cell] = height > least ? height : least;
    }
    for (size_t i = TRN_RIVER_CELL_COUNT; i-- > 0;) {
        const uint16_t cell = drainage->order[i], next = drainage->nexts[cell];
        if (drainage->is_river[cell] && waters[next] > waters[cell]) {
            waters[next] = waters[cell];
        }
        const int32_t level = trn_land_floor(waters[cell]) - RIVER_INCISION;
        drainage->levels[cell] =
            (int16_t)(level > TRN_TERRAIN_SEA_LEVEL ? level : TRN_TERRAIN_SEA_LEVEL);
    }
}

void trn_river_drain(TrnDrainage *drainage, float least)
{
    river_flood(drainage);
    river_find_lakes(drainage);
    river_add_flows(drainage);
    while (river_find(drainage, least) > TRN_RIVER_EDGES_MAX) {
        least *= 1.5f;
    }
    river_set_levels(drainage);
}
