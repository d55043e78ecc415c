// Rivers of a region: drainage of its cells, curves along it, and the cache of regions.
//
// A priority flood from the region's outlets (Barnes, Lehman and Mulla, "Priority-Flood", 2014)
// gives each cell the cell that it drains to; flow adds up downstream. Depressions are cut through
// where that takes a shallow cut, and filled to lakes otherwise (after Lindsay, "Efficient hybrid
// breaching-filling sink removal methods", 2016).

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
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

/// A cell in the heap: the lower one comes first, then that of the lower number.
static uint64_t river_key(const TrnDrainage *drainage, uint16_t cell)
{
    const float height = drainage->fills[cell] + 0.0f; // -0 equals 0
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : (uint32_t)1 << 31; // in the order of the heights
    return (uint64_t)bits << 32 | cell;
}

/// Adds a cell to the binary heap.
static void river_push(TrnDrainage *drainage, uint32_t count, uint16_t cell)
{
    uint64_t *heap = drainage->heap;
    const uint64_t key = river_key(drainage, cell);
    uint32_t at = count;
    while (at > 0 && key < heap[(at - 1) / 2]) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = key;
}

/// Takes the first cell from the binary heap of `count` cells.
static uint16_t river_pop(TrnDrainage *drainage, uint32_t count)
{
    uint64_t *heap = drainage->heap;
    const uint64_t first = heap[0], last = heap[count - 1];
    uint32_t at = 0, child = 1;
    for (; child + 1 < count; child = 2 * at + 1) {
        child += child + 2 < count && heap[child + 1] < heap[child];
        if (last <= heap[child]) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return (uint16_t)first;
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
    uint64_t *cells = drainage->heap;
    uint32_t count = 0;
    float rain = 0.0f;
    cells[count++] = first;
    drainage->marks[first] |= RIVER_COUNTED;
    for (uint32_t at = 0; at < count; at++) {
        rain += drainage->rain[cells[at]];
        for (int i = 0; i < 8; i++) {
            uint32_t next;
            if (river_neighbour((uint32_t)cells[at], i, &next) && drainage->is_lake[next] &&
                !(drainage->marks[next] & RIVER_COUNTED)) {
                drainage->marks[next] |= RIVER_COUNTED;
                cells[count++] = next;
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

/// Flow from which on a river is seen, in cells of mild land, if the shape's rivers are 1.
#define RIVER_FLOW_MIN 24.0f

/// How far the ground between cells leads a river aside, in cells.
#define RIVER_ASIDE_MAX 0.42f

/// And how far chance does, in voxels.
#define RIVER_JITTER 5.0f

// ---- heights ------------------------------------------------------------------------------------

/// Points of a part of the region that is computed at once.
#define RIVER_PART TRN_CHUNK_EDGE
#define RIVER_PARTS (TRN_RIVER_CELLS / RIVER_PART)

/// Scratch memory of one solution.
typedef struct RiverWork {
    TrnDrainage drainage;
    float asides[2][TRN_RIVER_CELL_COUNT]; ///< of the river in a cell, by axis, in cells
    float lattice[(TRN_LAND_LATTICE_COUNT + TRN_LAND_FIELD_COUNT) * RIVER_PART * RIVER_PART];
    uint16_t mains[TRN_RIVER_CELL_COUNT]; ///< the largest river into a cell; itself: none
} RiverWork;

/// Fills heights and rain of a part of the region.
static void river_fill_part(const TrnTerrain *terrain, const TrnRivers *rivers, uint32_t part,
                            RiverWork *work)
{
    const size_t points = (size_t)RIVER_PART * RIVER_PART;
    const uint32_t first_x = part % RIVER_PARTS * RIVER_PART,
                   first_z = part / RIVER_PARTS * RIVER_PART;
    const int64_t edge = (int64_t)TRN_RIVER_CELLS * TRN_RIVER_CELL, middle = TRN_RIVER_CELL / 2;
    TrnLandLattice lattice = {
        .x = rivers->region_x * edge + (int64_t)first_x * TRN_RIVER_CELL + middle,
        .z = rivers->region_z * edge + (int64_t)first_z * TRN_RIVER_CELL + middle,
        .level = TRN_CHUNK_SHIFT,
        .points = RIVER_PART,
        .count = RIVER_PART * RIVER_PART,
        .is_coarse = true,
        .is_bare = true};
    for (int i = 0; i < TRN_LAND_LATTICE_COUNT; i++) {
        lattice.noises[i] = work->lattice + (size_t)i * points;
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++) {
        lattice.fields[i] = work->lattice + (size_t)(TRN_LAND_LATTICE_COUNT + i) * points;
    }
    trn_land_shape_lattice(terrain, &lattice);
    for (uint32_t i = 0; i < points; i++) {
        const size_t cell =
            (size_t)(first_z + i / RIVER_PART) * TRN_RIVER_CELLS + first_x + i % RIVER_PART;
        float slope = 0.0f;
        work->drainage.heights[cell] =
            trn_land_terrace(lattice.fields[TRN_LAND_FIELD_HEIGHT][i],
                             lattice.fields[TRN_LAND_FIELD_TERRACED][i], &slope);
        work->drainage.rain[cell] =
            trn_land_clamp(0.8f + 1.6f * lattice.fields[TRN_LAND_FIELD_MOISTURE][i], 0.15f, 1.5f);
    }
}

/// The lowest place between three heights of a valley: of the parabola through them.
/// @param aside  receives how far from the middle one it is
/// @return how far below the middle one it is
static float river_parabola(float before, float here, float after, float *aside)
{
    const float bend = before - 2.0f * here + after;
    if (bend <= 0.5f) {
        *aside = 0.0f;
        return 0.0f;
    }
    *aside = trn_land_clamp(0.5f * (before - after) / bend, -RIVER_ASIDE_MAX, RIVER_ASIDE_MAX);
    return -*aside * (0.5f * (after - before) + 0.5f * bend * *aside);
}

/// Finds where in each cell a river would flow, and lowers the cell to there.
static void river_settle_cells(const TrnTerrain *terrain, const TrnRivers *rivers, RiverWork *work)
{
    float *heights = work->drainage.heights, *lowered = work->drainage.fills;
    memcpy(lowered, heights, sizeof work->drainage.heights);
    memset(work->asides, 0, sizeof work->asides);
    for (uint32_t z = 1; z + 1 < TRN_RIVER_CELLS; z++) {
        for (uint32_t x = 1; x + 1 < TRN_RIVER_CELLS; x++) {
            const size_t cell = (size_t)z * TRN_RIVER_CELLS + x;
            const float fall =
                river_parabola(heights[cell - 1], heights[cell], heights[cell + 1],
                               &work->asides[0][cell]) +
                river_parabola(heights[cell - TRN_RIVER_CELLS], heights[cell],
                               heights[cell + TRN_RIVER_CELLS], &work->asides[1][cell]);
            lowered[cell] -= trn_land_clamp(fall, 0.0f, 6.0f);
            const uint64_t hash = trn_land_hash(terrain->seed ^ 0x524956,
                                                (int64_t)rivers->region_x * TRN_RIVER_CELLS + x, 0,
                                                (int64_t)rivers->region_z * TRN_RIVER_CELLS + z);
            const float part = RIVER_JITTER / (128.0f * (float)TRN_RIVER_CELL);
            work->asides[0][cell] += (float)((int32_t)(hash & 0xFF) - 128) * part;
            work->asides[1][cell] += (float)((int32_t)(hash >> 8 & 0xFF) - 128) * part;
        }
    }
    memcpy(heights, lowered, sizeof work->drainage.heights);
}

// ---- curves -------------------------------------------------------------------------------------

/// Where the river in a cell is, in voxels from the region's corner. Lakes keep to their cells.
static void river_place(const RiverWork *work, uint32_t cell, float at[2])
{
    const bool is_lake = work->drainage.is_lake[cell];
    const uint32_t cells[2] = {cell % TRN_RIVER_CELLS, cell / TRN_RIVER_CELLS};
    for (int axis = 0; axis < 2; axis++) {
        const float aside = is_lake ? 0.0f : work->asides[axis][cell];
        at[axis] = ((float)cells[axis] + 0.5f + aside) * (float)TRN_RIVER_CELL;
    }
}

/// The direction of the river in a cell: from the largest river into it to the cell that follows.
static void river_direction(const RiverWork *work, uint32_t cell, float out[2])
{
    float from[2], to[2];
    river_place(work, work->mains[cell], from);
    river_place(work, work->drainage.nexts[cell], to);
    out[0] = (to[0] - from[0]) * 0.5f;
    out[1] = (to[1] - from[1]) * 0.5f;
}

/// Half the width of a river.
static float river_width(const TrnDrainage *drainage, uint32_t cell, float least)
{
    // A straight line through a root's values at 1 and 25; rivers wider than that are rare.
    const float size = drainage->flows[cell] / least;
    return trn_land_clamp(1.3f + (size < 9.0f ? 0.22f * size : 1.4f + 0.065f * size), 1.5f,
                          TRN_RIVER_WIDTH_MAX);
}

/// The water's level along an edge: it falls at the beginning of each piece but the first. Where a
/// river leaves a lake it falls behind the lake's shore.
static void river_set_edge_levels(const TrnDrainage *drainage, uint32_t cell, TrnRiverEdge *edge)
{
    const uint32_t next = drainage->nexts[cell];
    const int32_t from = drainage->levels[cell], drop = from - drainage->levels[next];
    const int32_t falls = TRN_RIVER_PIECES - 1;
    const bool leaves_lake = drainage->is_lake[cell] && !drainage->is_lake[next];
    for (int32_t i = 0; i < TRN_RIVER_PIECES; i++) {
        const int32_t fallen =
            leaves_lake ? (i == falls ? drop : 0) : (drop * i + falls - 1) / falls;
        edge->levels[i] = (int16_t)(from - fallen);
    }
}

/// Draws the river from a cell to the next one: a cubic Hermite curve.
static void river_draw_edge(const RiverWork *work, uint32_t cell, float least, TrnRiverEdge *edge)
{
    const TrnDrainage *drainage = &work->drainage;
    const uint32_t next = drainage->nexts[cell];
    float from[2], to[2], begin[2], end[2];
    river_place(work, cell, from);
    river_place(work, next, to);
    river_direction(work, cell, begin);
    river_direction(work, next, end);
    for (int i = 0; i <= TRN_RIVER_PIECES; i++) {
        const float t = (float)i * (1.0f / TRN_RIVER_PIECES), u = 1.0f - t;
        const float a = u * u * (1.0f + 2.0f * t), b = t * u * u, c = t * t * (3.0f - 2.0f * t),
                    d = -t * t * u;
        edge->x[i] = a * from[0] + b * begin[0] + c * to[0] + d * end[0];
        edge->z[i] = a * from[1] + b * begin[1] + c * to[1] + d * end[1];
    }
    edge->widths[0] = river_width(drainage, cell, least);
    edge->widths[1] =
        drainage->is_river[next] ? river_width(drainage, next, least) : edge->widths[0];
    edge->is_spring = work->mains[cell] == cell;
    river_set_edge_levels(drainage, cell, edge);
}

/// Finds the largest river into each cell.
static void river_find_mains(RiverWork *work)
{
    const TrnDrainage *drainage = &work->drainage;
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        work->mains[cell] = (uint16_t)cell;
    }
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        const uint16_t next = drainage->nexts[cell], main = work->mains[next];
        if (drainage->is_river[cell] &&
            (main == next || drainage->flows[cell] > drainage->flows[main])) {
            work->mains[next] = (uint16_t)cell;
        }
    }
}

/// Marks the cells that rivers and lakes may change.
static void river_find_near(TrnRivers *rivers)
{
    const int32_t reach = TRN_RIVER_REACH_CELLS;
    for (int32_t z = 0; z < TRN_RIVER_CELLS; z++) {
        uint64_t row = 0;
        for (int32_t at = z < reach ? 0 : z - reach; at <= z + reach && at < TRN_RIVER_CELLS;
             at++) {
            row |= rivers->river_rows[at] | rivers->lake_rows[at];
        }
        rivers->near_rows[z] = row;
        for (int i = 1; i <= reach; i++) {
            rivers->near_rows[z] |= row << i | row >> i;
        }
    }
}

static void river_solve(const TrnTerrain *terrain, RiverWork *work, TrnRivers *rivers)
{
    TrnDrainage *drainage = &work->drainage;
    // Small worlds have small catchments.
    const float scale = terrain->shape.scale < 1.0f ? terrain->shape.scale : 1.0f;
    const float least = RIVER_FLOW_MIN * scale / terrain->shape.rivers;
    for (uint32_t part = 0; part < RIVER_PARTS * RIVER_PARTS; part++) {
        river_fill_part(terrain, rivers, part, work);
    }
    river_settle_cells(terrain, rivers, work);
    trn_river_drain(drainage, least);
    river_find_mains(work);
    memset(rivers->river_rows, 0, sizeof rivers->river_rows);
    memset(rivers->lake_rows, 0, sizeof rivers->lake_rows);
    memcpy(rivers->lake_levels, drainage->levels, sizeof rivers->lake_levels);
    rivers->edge_count = 0;
    for (uint32_t cell = 0; cell < TRN_RIVER_CELL_COUNT; cell++) {
        const uint64_t bit = (uint64_t)1 << cell % TRN_RIVER_CELLS;
        const uint32_t next = drainage->nexts[cell];
        rivers->lake_rows[cell / TRN_RIVER_CELLS] |= drainage->is_lake[cell] ? bit : 0;
        // In a lake there is no bed.
        if (drainage->is_river[cell] && !(drainage->is_lake[cell] && drainage->is_lake[next])) {
            rivers->river_rows[cell / TRN_RIVER_CELLS] |= bit;
            rivers->edge_of[cell] = (uint16_t)rivers->edge_count;
            river_draw_edge(work, cell, least, &rivers->edges[rivers->edge_count++]);
        }
    }
    river_find_near(rivers);
}

// ---- cache --------------------------------------------------------------------------------------

/// A region in the cache.
typedef struct RiverSlot {
    bool is_solved;
    uint32_t readers; ///< it is replaced only at 0
    TrnRivers rivers;
} RiverSlot;

/// Regions by the lowest bits of their coordinates, so that neighbours never share a slot. All
/// memory is taken at the beginning: a land whose rivers depended on free memory would not be the
/// same twice.
typedef struct TrnRiverCache {
    TrnMutex mutex;
    TrnCondition changed; ///< a region was solved, or a slot has no more readers
    bool is_solving;      ///< one thread at a time does, with `work`
    int32_t edge;         ///< slots along an edge: a power of two
    RiverSlot *slots;     ///< [edge][edge]
    RiverWork *work;
    size_t solved; ///< regions, for tests
} TrnRiverCache;

static RiverSlot *river_slot(TrnRiverCache *cache, int32_t x, int32_t z)
{
    const int32_t mask = cache->edge - 1;
    return &cache->slots[(size_t)(z & mask) * (size_t)cache->edge + (size_t)(x & mask)];
}

/// Solves a region into its slot, which has no readers. The mutex is held before and after.
static void river_fill_slot(const TrnTerrain *terrain, RiverSlot *slot, int32_t x, int32_t z)
{
    TrnRiverCache *cache = terrain->rivers;
    cache->is_solving = true;
    slot->is_solved = false;
    slot->rivers.region_x = x;
    slot->rivers.region_z = z;
    trn_mutex_unlock(&cache->mutex);
    river_solve(terrain, cache->work, &slot->rivers);
    trn_mutex_lock(&cache->mutex);
    slot->is_solved = true;
    cache->is_solving = false;
    cache->solved++;
    trn_condition_wake_all(&cache->changed);
}

/// Whether rivers or lakes may change a chunk column.
static bool river_cache_is_near(const TrnRivers *rivers, TrnCoord coord, uint32_t level)
{
    const uint32_t mask = TRN_RIVER_CELLS - 1, edge = 1u << level;
    const uint32_t x = ((uint32_t)coord.x << level) & mask, z = ((uint32_t)coord.z << level) & mask;
    const uint64_t all = edge < 64 ? ((uint64_t)1 << edge) - 1 : UINT64_MAX;
    uint64_t near = 0;
    for (uint32_t i = 0; i < edge; i++) {
        near |= rivers->near_rows[z + i] & all << x;
    }
    return near != 0;
}

const TrnRivers *trn_rivers_acquire(const TrnTerrain *terrain, TrnCoord coord, uint32_t level)
{
    TrnRiverCache *cache = terrain->rivers;
    if (!cache) {
        return NULL;
    }
    const uint32_t shift = TRN_RIVER_REGION_SHIFT - level;
    const int32_t x = coord.x >> shift, z = coord.z >> shift;
    RiverSlot *slot = river_slot(cache, x, z);
    trn_mutex_lock(&cache->mutex);
    while (!slot->is_solved || slot->rivers.region_x != x || slot->rivers.region_z != z) {
        // An unsolved slot without readers is being solved by another thread, or never was.
        if (!cache->is_solving && slot->readers == 0) {
            river_fill_slot(terrain, slot, x, z);
        } else {
            trn_condition_wait(&cache->changed, &cache->mutex);
        }
    }
    const bool is_near = river_cache_is_near(&slot->rivers, coord, level);
    slot->readers += is_near;
    trn_mutex_unlock(&cache->mutex);
    return is_near ? &slot->rivers : NULL;
}

size_t trn_rivers_solved(const TrnTerrain *terrain)
{
    return terrain->rivers ? terrain->rivers->solved : 0;
}

void trn_rivers_release(const TrnTerrain *terrain, const TrnRivers *rivers)
{
    if (!rivers) {
        return;
    }
    TrnRiverCache *cache = terrain->rivers;
    trn_mutex_lock(&cache->mutex);
    RiverSlot *slot = river_slot(cache, rivers->region_x, rivers->region_z);
    slot->readers--;
    if (slot->readers == 0) {
        trn_condition_wake_all(&cache->changed);
    }
    trn_mutex_unlock(&cache->mutex);
}

/// Slots along an edge of the cache: 4, 16 or 64 regions of 60 KiB.
static int32_t river_cache_edge(uint32_t column_max)
{
    return column_max < 512 ? 2 : column_max < 8192 ? 4 : 8;
}

static size_t river_slots_bytes(const TrnRiverCache *cache)
{
    return (size_t)cache->edge * (size_t)cache->edge * sizeof(RiverSlot);
}

static void river_cache_free(const TrnAllocator *allocator, TrnRiverCache *cache)
{
    trn_give(allocator, cache->work, sizeof *cache->work);
    trn_give(allocator, cache->slots, river_slots_bytes(cache));
    trn_give(allocator, cache, sizeof *cache);
}

TrnResult trn_river_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    if (terrain->shape.rivers <= 0.0f) {
        return TRN_RESULT_OK;
    }
    TrnRiverCache *cache = trn_take(&terrain->allocator, sizeof *cache, alignof(TrnRiverCache));
    if (!cache) {
        return TRN_RESULT_NO_MEMORY;
    }
    *cache = (TrnRiverCache){.edge = river_cache_edge(column_max)};
    cache->slots = trn_take(&terrain->allocator, river_slots_bytes(cache), TRN_CACHE_LINE);
    cache->work = trn_take(&terrain->allocator, sizeof *cache->work, TRN_CACHE_LINE);
    bool is_made = cache->slots && cache->work && trn_mutex_init(&cache->mutex);
    if (is_made && !trn_condition_init(&cache->changed)) {
        trn_mutex_destroy(&cache->mutex);
        is_made = false;
    }
    if (!is_made) {
        river_cache_free(&terrain->allocator, cache);
        return TRN_RESULT_NO_MEMORY;
    }
    for (int32_t i = 0; i < cache->edge * cache->edge; i++) {
        cache->slots[i].is_solved = false;
        cache->slots[i].readers = 0;
    }
    terrain->rivers = cache;
    return TRN_RESULT_OK;
}

void trn_river_cache_destroy(TrnTerrain *terrain)
{
    if (terrain->rivers) {
        trn_condition_destroy(&terrain->rivers->changed);
        trn_mutex_destroy(&terrain->rivers->mutex);
        river_cache_free(&terrain->allocator, terrain->rivers);
    }
}
