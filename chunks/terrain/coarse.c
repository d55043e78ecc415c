// The land above level 0. Heights of a whole column's samples are found as trn_volume_height does,
// but all samples descend together, so that the noise of each step is one call; caves are evaluated
// only where ground may be in one. Columns are generated from the same fields as those of level 0
// and kept in a table; chunks compare their heights with y.

#include "terrain/coarse.h"

#include <string.h>

#include "base/memory.h"
#include "terrain/land_impl.h"
#include "terrain/noise_impl.h"
#include "terrain/volume.h"

/// Lattice points around a sample.
#define COARSE_CORNERS 4

/// Lattice points of a field that a step evaluates, at both planes of each sample's cell. Most are
/// at level 0, where a lattice cell has 16 samples: on 1 point, 6 times on 2, and 9 times on 4.
#define COARSE_POINTS_MAX (TRN_LAYER_VOXELS * 2 * 49 / 16)

/// Where both ends of tunnel A lie this far on one side, no voxel between them is in a tunnel. More
/// than 1 because interpolation rounds.
#define COARSE_TUNNEL_CLEAR 1.001f

/// What a probe finds in its cell.
typedef enum CoarseFinding { COARSE_GROUND, COARSE_OPEN, COARSE_NEEDS_CAVES } CoarseFinding;

/// A sample on its way down.
typedef struct CoarseProbe {
    uint32_t index;
    int32_t low;                           ///< the lower lattice plane of its cell
    uint32_t corner_count;                 ///< lattice points around it that have a weight
    uint16_t points[COARSE_CORNERS];       ///< in the column's lattice
    float weights[COARSE_CORNERS];         ///< of the points
    float ends[TRN_VOLUME_FIELD_COUNT][2]; ///< fields at the cell's lower and upper plane
    bool has_end[TRN_VOLUME_FIELD_COUNT];  ///< the field is known at the upper plane
    bool has_overhangs;
    CoarseFinding finding;
} CoarseProbe;

/// A search for heights.
typedef struct CoarseSearch {
    const TrnTerrain *terrain;
    TrnColumn *column;
    int16_t *heights;
    bool enters_caves;
    uint32_t shift;  ///< 2^shift samples per lattice cell
    TrnVoxel origin; ///< of the lattice
    int64_t spacing; ///< of lattice points, in voxels
    uint32_t probe_count;
    CoarseProbe probes[TRN_LAYER_VOXELS];
    /// Lattice points that a field needs, each once.
    float places[3][COARSE_POINTS_MAX]; ///< by axis, from the origin
    uint16_t points[COARSE_POINTS_MAX]; ///< in the column's lattice
    float values[COARSE_POINTS_MAX];
    uint16_t corners[COARSE_POINTS_MAX];  ///< of all probes in turn: in `points`
    uint16_t latest[2][TRN_LAYER_VOXELS]; ///< by end and point: where it last was in `points`
} CoarseSearch;

/// Probes of a search that need a field.
typedef struct CoarseList {
    uint32_t count;
    uint16_t probes[TRN_LAYER_VOXELS];
} CoarseList;

size_t trn_coarse_heights_scratch_bytes(void)
{
    return sizeof(CoarseSearch);
}

/// Finds the lattice points around a sample.
/// @return the sum of their reaches
static float coarse_set_corners(const CoarseSearch *search, uint32_t index, CoarseProbe *probe)
{
    const TrnColumn *column = search->column;
    const uint32_t mask = (1u << search->shift) - 1;
    const uint32_t x = index % TRN_CHUNK_EDGE, z = index / TRN_CHUNK_EDGE;
    const float part = 1.0f / (float)(1u << search->shift);
    const float weight_x = (float)(x & mask) * part, weight_z = (float)(z & mask) * part;
    const uint32_t first = (z >> search->shift) * column->points + (x >> search->shift);
    float reach = 0.0f;
    probe->corner_count = 0;
    for (uint32_t corner = 0; corner < COARSE_CORNERS; corner++) {
        const uint32_t by_x = corner & 1, by_z = corner >> 1;
        const uint32_t point = first + by_x + by_z * column->points;
        const float weight =
            (by_x ? weight_x : 1.0f - weight_x) * (by_z ? weight_z : 1.0f - weight_z);
        if (weight > 0.0f) {
            probe->points[probe->corner_count] = (uint16_t)point;
            probe->weights[probe->corner_count++] = weight;
            reach += column->lattice_reaches[point];
        }
    }
    return reach;
}

/// Sets the height of a sample, or begins a probe if overhangs or caves can change it.
static void coarse_begin_probe(CoarseSearch *search, uint32_t index)
{
    const TrnColumn *column = search->column;
    CoarseProbe *probe = &search->probes[search->probe_count];
    const int32_t top = trn_land_floor(column->heights[index]);
    const bool may_open = search->enters_caves && column->roofs[index] < 1;
    search->heights[index] = (int16_t)top;
    probe->index = index;
    probe->low = top & ~(TRN_LAND_STEP - 1);
    const float reach = coarse_set_corners(search, index, probe) * TRN_OVERHANG_NOISE_MAX;
    // An overhang that ends within the topmost voxel does not change the height.
    const bool is_shallow = column->roofs[index] >= 1 &&
                            reach + TRN_LAND_ROUNDING_MARGIN < column->heights[index] - (float)top;
    probe->has_overhangs = reach > 0.0f && !is_shallow;
    memset(probe->ends, 0, sizeof probe->ends);
    memset(probe->has_end, 0, sizeof probe->has_end);
    search->probe_count += probe->has_overhangs || may_open;
}

/// Finds a lattice point among the first `count`, or appends it.
/// @return where it is
static uint32_t coarse_add_point(CoarseSearch *search, uint32_t point, int end, float y,
                                 uint32_t count)
{
    const uint32_t across = search->column->points, latest = search->latest[end][point];
    if (latest < count && search->points[latest] == point && search->places[1][latest] == y) {
        return latest;
    }
    search->places[0][count] = (float)((int64_t)(point % across) * search->spacing);
    search->places[1][count] = y;
    search->places[2][count] = (float)((int64_t)(point / across) * search->spacing);
    search->points[count] = (uint16_t)point;
    search->latest[end][point] = (uint16_t)count;
    return count;
}

/// Writes the places of the lattice points where probes need a field. Where points are farther
/// apart than samples, several probes share a point.
/// @return their number
static uint32_t coarse_gather(CoarseSearch *search, int field, const CoarseList *list)
{
    uint32_t count = 0;
    size_t corners = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const CoarseProbe *probe = &search->probes[list->probes[i]];
        for (int end = 0; end < (probe->has_end[field] ? 1 : 2); end++) {
            const float y = (float)(probe->low + end * TRN_LAND_STEP);
            for (uint32_t corner = 0; corner < probe->corner_count; corner++) {
                const uint32_t at = coarse_add_point(search, probe->points[corner], end, y, count);
                search->corners[corners++] = (uint16_t)at;
                count += at == count;
            }
        }
    }
    return count;
}

/// A field at a lattice point.
static float coarse_field(const CoarseSearch *search, int field, uint32_t point, float y,
                          float noise)
{
    if (field == TRN_VOLUME_OVERHANG) {
        return trn_volume_overhang(noise, search->column->lattice_reaches[point] *
                                              trn_volume_overhang_fade(y));
    }
    const TrnVolumeCaves caves = trn_volume_caves(search->terrain, y);
    if (field == TRN_VOLUME_CAVERN) {
        return noise -
               trn_volume_cavern_threshold(caves, search->column->lattice_heights[point], y);
    }
    return noise * caves.narrowness;
}

/// Evaluates a field at the planes of probes' cells where they do not know it.
static void coarse_sample(CoarseSearch *search, int field, const CoarseList *list)
{
    if (list->count == 0) {
        return;
    }
    const uint32_t count = coarse_gather(search, field, list);
    const float *const places[3] = {search->places[0], search->places[1], search->places[2]};
    trn_noise_fill_points(&search->terrain->noises[TRN_LAND_OVERHANG + field], search->origin,
                          places, count, search->values);
    for (uint32_t i = 0; i < count; i++) {
        search->values[i] =
            coarse_field(search, field, search->points[i], search->places[1][i], search->values[i]);
    }
    size_t corners = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        CoarseProbe *probe = &search->probes[list->probes[i]];
        for (int end = 0; end < (probe->has_end[field] ? 1 : 2); end++) {
            float sum = 0.0f;
            for (uint32_t corner = 0; corner < probe->corner_count; corner++) {
                sum += probe->weights[corner] * search->values[search->corners[corners++]];
            }
            probe->ends[field][end] = sum;
        }
        probe->has_end[field] = true;
    }
}

/// Whether tunnel A alone shows that no voxel of a probe's cell is in a tunnel.
static bool coarse_is_clear_of_tunnels(const CoarseProbe *probe)
{
    const float low = probe->ends[TRN_VOLUME_TUNNEL_A][0];
    const float high = probe->ends[TRN_VOLUME_TUNNEL_A][1];
    return (low > COARSE_TUNNEL_CLEAR && high > COARSE_TUNNEL_CLEAR) ||
           (low < -COARSE_TUNNEL_CLEAR && high < -COARSE_TUNNEL_CLEAR);
}

/// Evaluates the caves in some probes' cells.
static void coarse_sample_caves(CoarseSearch *search, const CoarseList *list)
{
    coarse_sample(search, TRN_VOLUME_CAVERN, list);
    coarse_sample(search, TRN_VOLUME_TUNNEL_A, list);
    CoarseList near;
    near.count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        CoarseProbe *probe = &search->probes[list->probes[i]];
        const bool is_clear = coarse_is_clear_of_tunnels(probe);
        probe->has_end[TRN_VOLUME_TUNNEL_B] &= !is_clear;
        near.probes[near.count] = list->probes[i];
        near.count += !is_clear;
    }
    coarse_sample(search, TRN_VOLUME_TUNNEL_B, &near);
}

/// Whether a voxel of a probe's cell is in a cave, if it is rock.
static bool coarse_is_cave(const CoarseProbe *probe, float weight)
{
    float at[TRN_VOLUME_FIELD_COUNT];
    for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
        at[field] = trn_land_lerp(probe->ends[field][0], probe->ends[field][1], weight);
    }
    const float a = at[TRN_VOLUME_TUNNEL_A], b = at[TRN_VOLUME_TUNNEL_B];
    return at[TRN_VOLUME_CAVERN] > 0.0f ||
           (!coarse_is_clear_of_tunnels(probe) && a * a + b * b < 1.0f);
}

/// Looks for ground in a probe's cell.
static CoarseFinding coarse_look(const CoarseSearch *search, const CoarseProbe *probe,
                                 bool knows_caves)
{
    TrnColumn *column = search->column;
    const float surface = column->heights[probe->index];
    const int32_t top = trn_land_floor(surface);
    const int32_t end = probe->low + TRN_LAND_STEP - 1;
    const float *overhang = probe->ends[TRN_VOLUME_OVERHANG];
    const float most = overhang[0] > overhang[1] ? overhang[0] : overhang[1];
    if (surface - (float)probe->low + most < -TRN_LAND_ROUNDING_MARGIN) {
        return COARSE_OPEN;
    }
    for (int32_t y = top < end ? top : end; y >= probe->low; y--) {
        const float weight = (float)(y - probe->low) * (1.0f / TRN_LAND_STEP);
        const float depth = surface - (float)y + trn_land_lerp(overhang[0], overhang[1], weight);
        if (depth < 0.0f) {
            continue;
        }
        const bool is_roofless = depth > (float)column->roofs[probe->index];
        const bool may_be_cave = is_roofless && search->enters_caves && y >= TRN_TERRAIN_LOWEST;
        if (may_be_cave && !knows_caves) {
            return COARSE_NEEDS_CAVES;
        }
        if (!may_be_cave || !coarse_is_cave(probe, weight)) {
            search->heights[probe->index] = (int16_t)y;
            if (depth >= TRN_COVER_REACH) {
                column->covers[probe->index] = TRN_COVER_STONE;
            }
            return COARSE_GROUND;
        }
    }
    return COARSE_OPEN;
}

/// Moves a probe to the cell below.
/// @param knows_caves  whether the caves of its cell were evaluated
static void coarse_descend(CoarseProbe *probe, bool knows_caves)
{
    probe->low -= TRN_LAND_STEP;
    for (int field = 0; field < TRN_VOLUME_FIELD_COUNT; field++) {
        probe->ends[field][1] = probe->ends[field][0];
        probe->has_end[field] &= field == TRN_VOLUME_OVERHANG || knows_caves;
    }
}

/// Looks for ground in all probes' cells, and moves those that find none to the cells below.
static void coarse_step(CoarseSearch *search)
{
    CoarseList list;
    list.count = 0;
    for (uint32_t i = 0; i < search->probe_count; i++) {
        list.probes[list.count] = (uint16_t)i;
        list.count += search->probes[i].has_overhangs;
    }
    coarse_sample(search, TRN_VOLUME_OVERHANG, &list);
    list.count = 0;
    for (uint32_t i = 0; i < search->probe_count; i++) {
        CoarseProbe *probe = &search->probes[i];
        probe->finding = coarse_look(search, probe, false);
        list.probes[list.count] = (uint16_t)i;
        list.count += probe->finding == COARSE_NEEDS_CAVES;
    }
    coarse_sample_caves(search, &list);
    uint32_t left = 0;
    for (uint32_t i = 0; i < search->probe_count; i++) {
        const CoarseProbe *probe = &search->probes[i];
        const bool knows_caves = probe->finding == COARSE_NEEDS_CAVES;
        if ((knows_caves ? coarse_look(search, probe, true) : probe->finding) == COARSE_OPEN) {
            search->probes[left] = *probe;
            coarse_descend(&search->probes[left++], knows_caves);
        }
    }
    search->probe_count = left;
}

void trn_coarse_heights(const TrnTerrain *terrain, uint32_t level, bool enters_caves, void *scratch,
                        TrnColumn *column, int16_t *heights)
{
    CoarseSearch *search = scratch;
    const TrnVoxel base = trn_coord_voxel(column->coord);
    search->terrain = terrain;
    search->column = column;
    search->heights = heights;
    search->enters_caves = enters_caves && terrain->shape.caves > 0.0f;
    search->shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    search->origin = (TrnVoxel){base.x * ((int64_t)1 << level), 0, base.z * ((int64_t)1 << level)};
    search->spacing = (int64_t)1 << (level + search->shift);
    search->probe_count = 0;
    memset(search->latest, 0, sizeof search->latest);
    for (uint32_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        coarse_begin_probe(search, i);
    }
    while (search->probe_count > 0) {
        coarse_step(search);
    }
}

/// Height of tree tops above the ground, in voxels of level 0: the mean of each kind.
static int32_t coarse_crown(uint32_t cover)
{
    static const uint8_t heights[TRN_TREE_KIND_COUNT] = {
        [TRN_TREE_OAK] = 7,    [TRN_TREE_PINE] = 11, [TRN_TREE_ACACIA] = 6,
        [TRN_TREE_CACTUS] = 3, [TRN_TREE_ASPEN] = 9, [TRN_TREE_SPRUCE] = 11,
        [TRN_TREE_WILLOW] = 7, [TRN_TREE_PALM] = 9,  [TRN_TREE_KAPOK] = 13};
    return cover < TRN_COVER_CANOPY ? 0 : heights[cover - TRN_COVER_CANOPY];
}

/// Layers of cover at a level; at least one, unless the cover is bare rock.
static int32_t coarse_cover_layers(uint32_t cover, uint32_t level)
{
    const uint32_t depth = trn_cover_blocks[cover].depth;
    return depth == 0 ? 0 : (int32_t)((depth + (1u << level) - 1) >> level);
}

// ---- columns ------------------------------------------------------------------------------------

static void coarse_set_bounds(TrnCoarseColumn *column)
{
    const uint32_t level = (uint32_t)column->key.y;
    TrnCoarseBounds bounds = {.rock = INT32_MAX, .top = INT32_MIN};
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int32_t ground = column->heights[i] >> level;
        const int32_t rock = ground - coarse_cover_layers(column->covers[i], level);
        const int32_t top = ground + (coarse_crown(column->covers[i]) >> level);
        bounds.rock = rock < bounds.rock ? rock : bounds.rock;
        bounds.top = top > bounds.top ? top : bounds.top;
        if (column->seas[i] != TRN_BLOCK_AIR && column->waters[i] > TRN_TERRAIN_SEA_LEVEL) {
            bounds.top = column->waters[i] > bounds.top ? column->waters[i] : bounds.top;
            continue;
        }
        bounds.has_sea |= column->seas[i] != TRN_BLOCK_AIR;
        bounds.has_dry_pits |=
            column->heights[i] < TRN_TERRAIN_SEA_LEVEL && column->seas[i] == TRN_BLOCK_AIR;
    }
    column->bounds = bounds;
}

/// Copies what chunks need of a column.
static void coarse_pack(const TrnColumn *from, TrnCoarseColumn *to)
{
    const uint32_t level = (uint32_t)to->key.y;
    to->strata_shift_range[0] = from->strata_shift_range[0];
    to->strata_shift_range[1] = from->strata_shift_range[1];
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnBlock surface = from->plants[i] == TRN_BLOCK_ICE ? TRN_BLOCK_ICE : TRN_BLOCK_WATER;
        to->seas[i] = (uint8_t)(trn_column_is_wet(from, i) ? surface : TRN_BLOCK_AIR);
        to->waters[i] = (int16_t)(from->waters[i] >> level);
        to->strata_shifts[i] = from->strata_shifts[i];
        to->covers[i] = from->covers[i];
    }
}

/// Errors: NO_MEMORY.
static TrnResult coarse_generate(TrnTerrain *terrain, TrnCoord key, TrnCoarseColumn *to)
{
    const uint32_t level = (uint32_t)key.y;
    const size_t land_bytes = trn_land_scratch_bytes(level);
    const size_t bytes = land_bytes + trn_coarse_heights_scratch_bytes();
    unsigned char *scratch = trn_take(&terrain->allocator, bytes, TRN_CACHE_LINE);
    if (!scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnColumn column;
    trn_land_generate_column_level(terrain, (TrnCoord){key.x, 0, key.z}, level, scratch, &column);
    trn_coarse_heights(terrain, level, true, scratch + land_bytes, &column, to->heights);
    coarse_pack(&column, to);
    coarse_set_bounds(to);
    trn_give(&terrain->allocator, scratch, bytes);
    return TRN_RESULT_OK;
}

// ---- cache --------------------------------------------------------------------------------------

/// The cache keeps the bounds of this many columns for each column that it keeps whole.
#define COARSE_BOUNDS_PER_SLOT 8

/// A column's bounds in the cache.
struct TrnCoarseCacheBounds {
    TrnCoord key; ///< y is the level
    TrnCoarseBounds bounds;
};

static uint64_t coarse_hash(const TrnTerrain *terrain, TrnCoord key)
{
    return trn_land_hash(terrain->seed, key.x, key.y, key.z);
}

static TrnCoarseColumn **coarse_slot(TrnTerrain *terrain, TrnCoord key)
{
    return &terrain->coarse_cache
                .slots[coarse_hash(terrain, key) & (terrain->coarse_cache.slot_count - 1)];
}

static struct TrnCoarseCacheBounds *coarse_bounds_slot(TrnTerrain *terrain, TrnCoord key)
{
    const size_t count = terrain->coarse_cache.slot_count * COARSE_BOUNDS_PER_SLOT;
    return &terrain->coarse_cache.bounds[coarse_hash(terrain, key) & (count - 1)];
}

bool trn_coarse_find_bounds(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                            TrnCoarseBounds *bounds)
{
    const TrnCoord key = {coord.x, (int32_t)level, coord.z};
    if (!trn_cache_try_lock(&terrain->coarse_cache.lock)) {
        return false;
    }
    const struct TrnCoarseCacheBounds *slot = coarse_bounds_slot(terrain, key);
    const bool is_it = trn_coord_equal(slot->key, key);
    if (is_it) {
        *bounds = slot->bounds;
    }
    trn_cache_unlock(&terrain->coarse_cache.lock);
    return is_it;
}

static TrnCoarseColumn *coarse_find(TrnTerrain *terrain, TrnCoord key)
{
    if (!trn_cache_try_lock(&terrain->coarse_cache.lock)) {
        return NULL;
    }
    TrnCoarseColumn *column = *coarse_slot(terrain, key);
    const bool is_it = column && trn_coord_equal(column->key, key);
    if (is_it) {
        atomic_fetch_add_explicit(&column->readers, 1, memory_order_relaxed);
    }
    trn_cache_unlock(&terrain->coarse_cache.lock);
    return is_it ? column : NULL;
}

/// Keeps a column's bounds, and puts it into its slot unless readers still need the one there.
static void coarse_publish(TrnTerrain *terrain, TrnCoarseColumn *column)
{
    if (!trn_cache_try_lock(&terrain->coarse_cache.lock)) {
        return;
    }
    *coarse_bounds_slot(terrain, column->key) =
        (struct TrnCoarseCacheBounds){column->key, column->bounds};
    TrnCoarseColumn **slot = coarse_slot(terrain, column->key), *old = *slot;
    const bool is_free = !old || atomic_load_explicit(&old->readers, memory_order_acquire) == 0;
    if (is_free) {
        column->is_cached = true;
        *slot = column;
    }
    trn_cache_unlock(&terrain->coarse_cache.lock);
    if (is_free && old) {
        trn_give(&terrain->allocator, old, sizeof *old);
    }
}

TrnResult trn_coarse_acquire(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                             const TrnCoarseColumn **column)
{
    const TrnCoord key = {coord.x, (int32_t)level, coord.z};
    TrnCoarseColumn *found = coarse_find(terrain, key);
    if (!found) {
        found = trn_take(&terrain->allocator, sizeof *found, TRN_CACHE_LINE);
        if (!found) {
            return TRN_RESULT_NO_MEMORY;
        }
        found->key = key;
        found->is_cached = false;
        atomic_init(&found->readers, 1);
        const TrnResult result = coarse_generate(terrain, key, found);
        if (result != TRN_RESULT_OK) {
            trn_give(&terrain->allocator, found, sizeof *found);
            return result;
        }
        coarse_publish(terrain, found);
    }
    *column = found;
    return TRN_RESULT_OK;
}

void trn_coarse_release(TrnTerrain *terrain, const TrnCoarseColumn *column)
{
    // Readers only change the counter; the rest of the column is constant.
    TrnCoarseColumn *released = (TrnCoarseColumn *)column;
    if (released->is_cached) {
        atomic_fetch_sub_explicit(&released->readers, 1, memory_order_release);
    } else {
        trn_give(&terrain->allocator, released, sizeof *released);
    }
}

TrnResult trn_coarse_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    TrnCoarseCache *cache = &terrain->coarse_cache;
    atomic_flag_clear(&cache->lock);
    size_t count = 4;
    while (count < column_max / 4) {
        count *= 2;
    }
    cache->slot_count = count;
    cache->slots = trn_take(&terrain->allocator, count * sizeof(TrnCoarseColumn *), TRN_CACHE_LINE);
    for (size_t i = 0; cache->slots && i < count; i++) {
        cache->slots[i] = NULL;
    }
    count *= COARSE_BOUNDS_PER_SLOT;
    cache->bounds = trn_take(&terrain->allocator, count * sizeof *cache->bounds, TRN_CACHE_LINE);
    for (size_t i = 0; cache->bounds && i < count; i++) {
        cache->bounds[i].key = (TrnCoord){0, 0, 0}; // no coarse column: level 0
    }
    return cache->slots && cache->bounds ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_coarse_cache_destroy(TrnTerrain *terrain)
{
    TrnCoarseCache *cache = &terrain->coarse_cache;
    for (size_t i = 0; cache->slots && i < cache->slot_count; i++) {
        if (cache->slots[i]) {
            trn_give(&terrain->allocator, cache->slots[i], sizeof(TrnCoarseColumn));
        }
    }
    if (cache->slots) {
        trn_give(&terrain->allocator, cache->slots, cache->slot_count * sizeof(TrnCoarseColumn *));
    }
    if (cache->bounds) {
        trn_give(&terrain->allocator, cache->bounds,
                 cache->slot_count * COARSE_BOUNDS_PER_SLOT * sizeof *cache->bounds);
    }
}

// ---- chunks -------------------------------------------------------------------------------------

/// Of a voxel column without water; below every chunk's lowest layer.
#define COARSE_DRY (-1)

static void coarse_unpack(const TrnTerrain *terrain, const TrnCoarseColumn *column, TrnCoord coord,
                          uint32_t level, TrnCoarseRows *rows)
{
    const int32_t bottom = coord.y * TRN_CHUNK_EDGE;
    rows->shifts = column->strata_shifts;
    rows->strata = terrain->strata;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[column->covers[i]];
        const int32_t layers = coarse_cover_layers(column->covers[i], level);
        const int32_t crown = coarse_crown(column->covers[i]) >> level;
        const int32_t ground = (column->heights[i] >> level) - bottom;
        const bool is_wet = column->seas[i] != TRN_BLOCK_AIR;
        rows->grounds[i] = (int16_t)ground;
        rows->crowns[i] = (int16_t)(ground + crown);
        rows->rocks[i] = (int16_t)(ground - layers);
        rows->waters[i] = (int16_t)(is_wet ? column->waters[i] - bottom : COARSE_DRY);
        rows->seas[i] = column->seas[i];
        rows->tops[i] = crown > 0 ? cover.filler : cover.top;
        rows->fillers[i] = cover.filler;
        rows->leaves[i] = cover.top;
    }
}

/// The topmost layer that is not all air.
static int16_t coarse_top(const TrnCoarseRows *rows)
{
    int16_t top = INT16_MIN;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int16_t crown = rows->crowns[i], water = rows->waters[i];
        const int16_t higher = crown > water ? crown : water;
        top = higher > top ? higher : top;
    }
    return top;
}

/// Rock that no coarse chunk shows is stone throughout, without strata.
bool trn_coarse_is_uniform(const TrnCoarseBounds *bounds, int32_t y, TrnBlock *block)
{
    const int64_t bottom = (int64_t)y * TRN_CHUNK_EDGE, top = bottom + TRN_CHUNK_EDGE - 1;
    const bool is_open = bottom > bounds->top;
    if (is_open && (bottom > TRN_TERRAIN_SEA_LEVEL || !bounds->has_sea)) {
        *block = TRN_BLOCK_AIR;
        return true;
    }
    if (is_open && top < TRN_TERRAIN_SEA_LEVEL && !bounds->has_dry_pits) {
        *block = TRN_BLOCK_WATER;
        return true;
    }
    if (top <= bounds->rock) {
        *block = TRN_BLOCK_STONE;
        return true;
    }
    return false;
}

bool trn_coarse_write(const TrnTerrain *terrain, const TrnCoarseColumn *column, TrnCoord coord,
                      uint32_t level, TrnBlock *blocks)
{
    const TrnSlabKernels *kernels =
        trn_kernels_at(&trn_slab_kernels, trn_cpu_features(), terrain->kernels);
    TrnCoarseRows rows;
    coarse_unpack(terrain, column, coord, level, &rows);
    const int16_t top = coarse_top(&rows);
    for (int16_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        if (y > top) {
            memset(&blocks[trn_local_index(0, (uint32_t)y, 0)], 0, // air
                   (size_t)(TRN_CHUNK_EDGE - y) * TRN_LAYER_VOXELS * sizeof *blocks);
            break;
        }
        const int32_t height = coord.y * TRN_CHUNK_EDGE + y;
        const TrnSlabRock rock = trn_volume_rock(terrain, column->strata_shift_range,
                                                 (int64_t)height * ((int64_t)1 << level));
        kernels->coarse(&rows, &rock, y, &blocks[trn_local_index(0, (uint32_t)y, 0)]);
    }
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}
