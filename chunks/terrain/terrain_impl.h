/// Private: the terrain's data, its columns, and arithmetic that its files share.
#ifndef TERRANE_TERRAIN_TERRAIN_IMPL_H
#define TERRANE_TERRAIN_TERRAIN_IMPL_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/noise.h>
#include <terrane/pool.h>
#include <terrane/spatial_array.h>
#include <terrane/terrain.h>

// As in noise_kernels.h: nothing is contracted to a fused multiply-add. Compilers vectorise choices
// between floats where traps do not count.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-trapping-math")
#endif

/// Smooth fields are sampled on a lattice at every fourth voxel and interpolated. From level 2 on
/// every sample is a lattice point.
#define TRN_LAND_SHIFT 2
#define TRN_LAND_STEP (1 << TRN_LAND_SHIFT)

/// Voxel columns of a chunk column, and voxels of a chunk's layer. Indexed z * TRN_CHUNK_EDGE + x.
#define TRN_LAYER_VOXELS ((size_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// Lattice points along a chunk's edge: at level 0, and at most (one per voxel).
#define TRN_LAND_POINTS (TRN_CHUNK_EDGE / TRN_LAND_STEP + 1)
#define TRN_LAND_POINTS_MAX (TRN_CHUNK_EDGE + 1)

/// Cells of a chunk column's lattice at level 0.
#define TRN_LAND_CELLS ((size_t)(TRN_LAND_POINTS - 1) * (TRN_LAND_POINTS - 1))

/// Overhangs. Where the 3D noise is below the threshold, it lowers the surface by the difference
/// times the column's reach (land_impl.h). The difference counts up to TRN_OVERHANG_NOISE_MAX, so
/// the lowest surface is known beforehand. Noise never raises the surface: when it did, ten times
/// as much rock floated in the air.
#define TRN_OVERHANG_THRESHOLD 0.15f
#define TRN_OVERHANG_NOISE_MAX 0.5f

/// Voxels below the surface that can hold cover or the mouth of a cave: more than the thickest roof
/// and the deepest cover. Below there are only rock and caves.
#define TRN_LAND_SURFACE_DEPTH 14.0f

/// Margin for rounding in the bounds of the surface.
#define TRN_LAND_ROUNDING_MARGIN 0.1f

/// Greatest height of a tree, and greatest radius of a crown, in voxels.
#define TRN_TREE_HEIGHT_MAX 16
#define TRN_TREE_REACH 4

/// Kelp has this many voxels at least, and up to so many more; it ends below the water's surface.
#define TRN_KELP_LEAST 3
#define TRN_KELP_SPREAD 14
#define TRN_KELP_DEPTH 2

/// Each square cell of this many voxels holds at most one tree.
#define TRN_TREE_CELL 6
#define TRN_TREES_MAX 64

/// The noises of a terrain, by dimension and sampling.
enum {
    // 2D, on the lattice.
    TRN_LAND_CONTINENT, ///< deep sea to high plain
    TRN_LAND_RANGE,     ///< where mountain ranges are
    TRN_LAND_RIDGE,     ///< ridges of the ranges
    TRN_LAND_HILLINESS,
    TRN_LAND_HILL,
    TRN_LAND_RIVER, ///< rivers run along its zeros
    TRN_LAND_TEMPERATURE,
    TRN_LAND_MOISTURE,
    TRN_LAND_CLIFF,    ///< where cliffs overhang
    TRN_LAND_ENTRANCE, ///< where caves open to the surface
    TRN_LAND_DUNE,
    TRN_LAND_TERRACE, ///< where the land is terraced
    TRN_LAND_STRATA,  ///< vertical shift of the strata
    TRN_LAND_LATTICE_COUNT,
    // 2D, at every voxel.
    TRN_LAND_DETAIL = TRN_LAND_LATTICE_COUNT,
    TRN_LAND_CRAG,
    TRN_LAND_PATCH, ///< makes the borders between covers irregular
    TRN_LAND_PLANE_COUNT,
    // 3D, on the lattice.
    TRN_LAND_OVERHANG = TRN_LAND_PLANE_COUNT,
    TRN_LAND_TUNNEL_A, ///< tunnels run where both are near zero
    TRN_LAND_TUNNEL_B,
    TRN_LAND_CAVERN,
    TRN_LAND_NOISE_COUNT
};

/// 2D noises of covers and of what grows.
enum {
    TRN_COVER_NOISE_BARE,  ///< screes, banks and bald patches where it is high, glades where low
    TRN_COVER_NOISE_STAND, ///< which trees and flowers stand together
    TRN_COVER_NOISE_FLOE,  ///< distance to the rim of a floe
    TRN_COVER_NOISE_COUNT
};

typedef enum TrnTreeKind {
    TRN_TREE_OAK,
    TRN_TREE_PINE,
    TRN_TREE_ACACIA,
    TRN_TREE_CACTUS,
    TRN_TREE_ASPEN,
    TRN_TREE_SPRUCE,
    TRN_TREE_WILLOW,
    TRN_TREE_PALM,
    TRN_TREE_KAPOK,
    TRN_TREE_KIND_COUNT, ///< kinds that show from afar; those that follow are undergrowth
    TRN_TREE_BUSH = TRN_TREE_KIND_COUNT,
    TRN_TREE_FALLEN, ///< a trunk that lies
    TRN_TREE_STUMP,
    TRN_TREE_SNAG,  ///< a dead tree that stands
    TRN_TREE_CORAL, ///< on the sea bed
    TRN_TREE_WRECK, ///< a heap of logs on the sea bed
    TRN_TREE_ALL_COUNT
} TrnTreeKind;

/// Trees of a kind are small, medium or large.
#define TRN_TREE_SIZES 3

typedef struct TrnTree {
    /// Of the trunk, from the column's first voxel: -TRN_TREE_REACH .. 31 + TRN_TREE_REACH.
    int8_t x, z;
    int16_t y;         ///< lowest voxel of the trunk
    uint8_t kind;      ///< TrnTreeKind
    uint8_t trunk;     ///< height of the trunk
    uint8_t top;       ///< no voxel of it is higher above `y`; below TRN_TREE_HEIGHT_MAX
    uint8_t size;      ///< below TRN_TREE_SIZES
    uint8_t variation; ///< random bits that vary the crown's shape
} TrnTree;

/// Rock that holds the water of a fall in, where a cave would open next to it.
typedef struct TrnSeal {
    uint16_t index; ///< of the voxel column
    int16_t bottom; ///< lowest voxel
} TrnSeal;

/// Seals of a column, at most. A fall has some thirty.
#define TRN_SEALS_MAX 160

/// What caves are made of in a chunk column (caves.c). Maps are by z, bit x.
typedef struct TrnCaveMaps {
    int8_t damps[TRN_LAND_CELLS];    ///< by cell of the lattice, z, then x: how moist the rock is
    uint32_t closed[TRN_CHUNK_EDGE]; ///< no cave opens there
    // Round places, one in each cell of 8 x 8 voxel columns.
    uint32_t pools[TRN_CHUNK_EDGE], rims[TRN_CHUNK_EDGE];
    uint32_t clusters[TRN_CHUNK_EDGE], patches[TRN_CHUNK_EDGE];
} TrnCaveMaps;

/// A chunk column: everything about the land that does not depend on y.
typedef struct TrnColumn {
    TrnPoolId id;
    TrnCoord coord;           ///< y is 0
    struct TrnColumn *newer;  ///< the next one to evict
    _Atomic uint32_t readers; ///< evicted only at 0
    float lowest, highest;    ///< bounds of the surface, with overhangs
    float lowest_height;      ///< least of `heights`
    int32_t top;              ///< above this voxel there is only air, or the sea alone
    int32_t water_top;        ///< greatest of `waters`
    bool has_overhangs;
    uint32_t tree_count;
    float heights[TRN_LAYER_VOXELS]; ///< of the surface, before overhangs
    /// Voxel y of the topmost water where the surface is below it: the sea's, or a river's.
    int16_t waters[TRN_LAYER_VOXELS];
    uint32_t seal_count;
    TrnSeal seals[TRN_SEALS_MAX];
    /// Least thickness of the rock above caves; negative where they open.
    int8_t roofs[TRN_LAYER_VOXELS];
    TrnCaveMaps caves;             ///< written if the terrain's version has kinds of caves
    int32_t strata_shift_range[2]; ///< least and greatest of `strata_shifts`
    int16_t strata_shifts[TRN_LAYER_VOXELS]; ///< vertical shift of the strata
    uint8_t covers[TRN_LAYER_VOXELS];        ///< TrnCover
    uint8_t biomes[TRN_LAYER_VOXELS];        ///< TrnTerrainBiome
    TrnBlock plants[TRN_LAYER_VOXELS];       ///< block on the ground or air; ice on a frozen sea
    bool has_kelp;                           ///< among `plants`
    /// All trees whose crown can reach into the column, ordered by z and x of their cells; then the
    /// undergrowth in the same order.
    TrnTree trees[2 * TRN_TREES_MAX];
    uint32_t points; ///< lattice points along an edge
    /// [points][points], by z, then x: heights before detail, and the reach of overhangs.
    float *lattice_heights, *lattice_reaches;
    float lattice[2][TRN_LAND_POINTS * TRN_LAND_POINTS]; ///< storage of both at level 0
} TrnColumn;

/// What covers the ground.
typedef enum TrnCover {
    TRN_COVER_STONE,
    TRN_COVER_GRASS,
    TRN_COVER_FOREST,
    TRN_COVER_DRY_GRASS,
    TRN_COVER_MOSS,
    TRN_COVER_MUD,
    TRN_COVER_DIRT,
    TRN_COVER_SAND,
    TRN_COVER_SANDSTONE,
    TRN_COVER_GRAVEL,
    TRN_COVER_SNOW,
    // Those of slopes are the same in depth, so that no earth shows in steps.
    TRN_COVER_GRASS_SLOPE,
    TRN_COVER_FOREST_SLOPE,
    TRN_COVER_DRY_GRASS_SLOPE,
    TRN_COVER_MOSS_SLOPE,
    TRN_COVER_SNOW_SLOPE,
    TRN_COVER_RIPPLES,
    TRN_COVER_CANOPY, ///< crowns as seen from afar: one cover per TrnTreeKind from here on
    TRN_COVER_COUNT = TRN_COVER_CANOPY + TRN_TREE_KIND_COUNT
} TrnCover;

/// Greatest depth of a cover in voxels.
#define TRN_COVER_DEPTH_MAX 4

/// Ground this far below the surface, in voxels, has no cover: the floors of caves.
#define TRN_COVER_REACH 9.0f

typedef struct TrnCoverBlocks {
    TrnBlock top;    ///< of the topmost voxel
    TrnBlock filler; ///< between it and the rock
    uint16_t depth;  ///< voxels above the rock
    uint16_t since;  ///< version of the land; 0: all
} TrnCoverBlocks;

extern const TrnCoverBlocks trn_cover_blocks[TRN_COVER_COUNT];

/// The strata repeat after this many voxels, apart from their shift.
#define TRN_STRATA_PERIOD 256

/// Columns by coordinate, evicted oldest first. The lock is held for one look-up at a time, never
/// while a column is generated.
typedef struct TrnColumnCache {
    atomic_flag lock;
    uint32_t column_max;
    TrnSpatialArray *columns; ///< of TrnColumn *
    TrnPool *pool;            ///< of TrnColumn
    TrnColumn *oldest, *newest;
} TrnColumnCache;

/// Coarse columns by a hash of coordinate and level: each has one slot, where it replaces the
/// column that was there. The lock is held for one look-up at a time.
typedef struct TrnCoarseCache {
    atomic_flag lock;
    size_t slot_count; ///< a power of two
    struct TrnCoarseColumn **slots;
    struct TrnCoarseCacheBounds *bounds; ///< of more columns, in the same way
} TrnCoarseCache;

struct TrnTerrain {
    TrnAllocator allocator;
    uint64_t seed;
    /// TRN_TERRAIN_VERSION_OLDEST..TRN_TERRAIN_VERSION. Older versions never change: rows of tables
    /// say since which version they hold, and what a version adds is chosen once a column or chunk.
    uint32_t version;
    TrnTerrainShape shape;
    TrnNoise noises[TRN_LAND_NOISE_COUNT];
    TrnNoise cover_noises[TRN_COVER_NOISE_COUNT];
    TrnBlock strata[TRN_STRATA_PERIOD];
    uint32_t kernels; ///< number in trn_slab_kernels and trn_land_kernels; 0 is the fastest set
    TrnColumnCache cache;
    TrnCoarseCache coarse_cache;    ///< columns of levels above 0
    struct TrnSquareCache *squares; ///< noises of columns' lattices
    struct TrnRiverCache *rivers;   ///< regions of rivers; NULL: there are none
};

/// Attempts to take a cache's lock. Its holder needs one look-up's time, unless the system
/// suspended that thread; then generating a column again is cheaper than waiting.
#define TRN_CACHE_LOCK_TRIES 256

static inline bool trn_cache_try_lock(atomic_flag *lock)
{
    for (int i = 0; i < TRN_CACHE_LOCK_TRIES; i++) {
        if (!atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

static inline void trn_cache_unlock(atomic_flag *lock)
{
    atomic_flag_clear_explicit(lock, memory_order_release);
}

/// Whether water covers the surface at a voxel column, before caves.
static inline bool trn_column_is_wet(const TrnColumn *column, size_t i)
{
    return column->heights[i] < (float)column->waters[i];
}

static inline float trn_land_abs(float value)
{
    return value < 0.0f ? -value : value;
}

static inline float trn_land_lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

static inline float trn_land_clamp(float value, float low, float high)
{
    // Two steps, which compilers turn into a maximum and a minimum instead of branches.
    const float raised = value < low ? low : value;
    return raised > high ? high : raised;
}

/// Smooth step: 0 up to `from`, 1 beyond `to`. `from` may be the greater one.
static inline float trn_land_ramp(float from, float to, float value)
{
    float t = trn_land_clamp((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Rounds down, within +-2^24. Of a height: the topmost ground voxel. The C library's floor is a
/// function call without SSE4.1.
static inline int32_t trn_land_floor(float value)
{
    const int32_t whole = (int32_t)value;
    return value < (float)whole ? whole - 1 : whole;
}

/// Hashes a seed and a position; all bits are equally random.
static inline uint64_t trn_land_hash(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash = seed ^ (uint64_t)x * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    hash ^= (uint64_t)y * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    hash ^= (uint64_t)z * 0x165667B19E3779F9u;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

#endif
