/// Private: the parts of the terrain. land.c makes columns, column_cache.c keeps them, volume.c
/// makes chunks from them.
#ifndef TERRANE_TERRAIN_TERRAIN_IMPL_H
#define TERRANE_TERRAIN_TERRAIN_IMPL_H

#include <stdatomic.h>
#include <stdbool.h>

#include <terrane/noise.h>
#include <terrane/pool.h>
#include <terrane/spatial_array.h>
#include <terrane/terrain.h>

// As in noise_kernels.h: nothing is contracted to a fused multiply-add.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/// Smooth fields are sampled at every fourth voxel and interpolated. From level 2 on every sample
/// is a point of this lattice.
#define TRN_LAND_SHIFT 2
#define TRN_LAND_STEP (1 << TRN_LAND_SHIFT)

#define TRN_LAYER_VOXELS ((size_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// Lattice points along an edge: of a chunk at level 0, and of the densest, one to a voxel.
#define TRN_LAND_POINTS (TRN_CHUNK_EDGE / TRN_LAND_STEP + 1)
#define TRN_LAND_POINTS_MAX (TRN_CHUNK_EDGE + 1)

/// Noise in space hollows cliffs where it is below this, and by no more than the second figure, so
/// that its reach is known beforehand. It only ever takes away: where the ground was overhang as
/// well, ten times as much rock was left in the air.
#define TRN_OVERHANG_THRESHOLD 0.15f
#define TRN_OVERHANG_NOISE_MAX 0.5f

/// Above the ground so far down, no cave opens and nothing but rock lies: beyond the thickest roof
/// and the deepest cover.
#define TRN_LAND_SURFACE_DEPTH 14.0f

/// What bounds of the surface are wider than it, for rounding.
#define TRN_LAND_ROUNDING_MARGIN 0.1f

/// No tree is taller, nor any crown wider to one side.
#define TRN_TREE_HEIGHT_MAX 16
#define TRN_TREE_REACH 4

/// Trees stand at most one to a square of so many voxels.
#define TRN_TREE_CELL 6
#define TRN_TREES_MAX 64

/// The noises of a terrain.
enum {
    // In the plane, on the lattice.
    TRN_LAND_CONTINENT, ///< deep sea to high plain
    TRN_LAND_RANGE,     ///< where mountains are
    TRN_LAND_RIDGE,     ///< their shape
    TRN_LAND_HILLINESS,
    TRN_LAND_HILL,
    TRN_LAND_RIVER, ///< rivers run where it is zero
    TRN_LAND_TEMPERATURE,
    TRN_LAND_MOISTURE,
    TRN_LAND_CLIFF,    ///< where cliffs overhang
    TRN_LAND_ENTRANCE, ///< where caves reach the surface
    TRN_LAND_DUNE,
    TRN_LAND_TERRACE, ///< where the land is terraced
    TRN_LAND_STRATA,  ///< how layers of rock are bent
    TRN_LAND_LATTICE_COUNT,
    // In the plane, at every voxel.
    TRN_LAND_DETAIL = TRN_LAND_LATTICE_COUNT,
    TRN_LAND_CRAG,
    TRN_LAND_PATCH, ///< frays the borders between covers
    TRN_LAND_PLANE_COUNT,
    // In space, on the lattice.
    TRN_LAND_OVERHANG = TRN_LAND_PLANE_COUNT,
    TRN_LAND_TUNNEL_A, ///< tunnels run where both are zero
    TRN_LAND_TUNNEL_B,
    TRN_LAND_CAVERN,
    TRN_LAND_NOISE_COUNT
};

typedef enum TrnTreeKind {
    TRN_TREE_OAK,
    TRN_TREE_PINE,
    TRN_TREE_ACACIA,
    TRN_TREE_CACTUS,
    TRN_TREE_KIND_COUNT
} TrnTreeKind;

typedef struct TrnTree {
    /// of the trunk, from the column's first voxel: -TRN_TREE_REACH .. 31 + TRN_TREE_REACH
    int8_t x, z;
    int16_t y; ///< the trunk's lowest voxel
    uint8_t kind, trunk;
    uint8_t variation; ///< any number, for its shape
} TrnTree;

/// A chunk column: all that does not depend on y.
typedef struct TrnColumn {
    TrnPoolId id;
    TrnCoord coord;           ///< y is 0
    struct TrnColumn *newer;  ///< the one to be dropped after this one
    _Atomic uint32_t readers; ///< who reads it; it is dropped at 0 alone
    float lowest, highest;    ///< between them lies all ground's surface, hollowed or not
    float lowest_height;      ///< the least of the heights
    int32_t top;              ///< above this voxel all is air, or the sea
    bool has_overhangs;
    uint32_t tree_count;
    float heights[TRN_LAYER_VOXELS]; ///< where the ground ends, before overhangs
    /// how thick the rock above caves is at least; negative where they open
    int8_t roofs[TRN_LAYER_VOXELS];
    int32_t strata_shift_range[2];           ///< least and greatest of the next
    int16_t strata_shifts[TRN_LAYER_VOXELS]; ///< how far layers of rock are shifted
    uint8_t covers[TRN_LAYER_VOXELS];        ///< TrnCover
    uint8_t biomes[TRN_LAYER_VOXELS];        ///< TrnTerrainBiome
    uint8_t plants[TRN_LAYER_VOXELS]; ///< TrnBlock on the ground, or 0; of the sea its surface
    /// all whose crowns can reach the column, by z and x of their cells
    TrnTree trees[TRN_TREES_MAX];
    /// [points][points], by z, then x: heights before detail, and how deep overhangs reach.
    uint32_t points;
    float *lattice_heights, *lattice_reaches;
    float lattice[2][TRN_LAND_POINTS * TRN_LAND_POINTS]; ///< theirs at level 0
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
    TRN_COVER_CANOPY, ///< crowns of trees, seen from afar; and by their kind:
    TRN_COVER_COUNT = TRN_COVER_CANOPY + TRN_TREE_KIND_COUNT
} TrnCover;

/// Voxels of a cover, at most.
#define TRN_COVER_DEPTH_MAX 4

typedef struct TrnCoverBlocks {
    TrnBlock top, filler; ///< of the topmost voxel, and of those between it and the rock
    uint16_t depth;       ///< voxels above the rock
} TrnCoverBlocks;

extern const TrnCoverBlocks trn_cover_blocks[TRN_COVER_COUNT];

/// Layers of rock repeat themselves after so many voxels, were they not bent.
#define TRN_STRATA_PERIOD 256

struct TrnTerrain {
    TrnAllocator allocator;
    uint64_t seed;
    TrnTerrainShape shape;
    TrnNoise noises[TRN_LAND_NOISE_COUNT];
    TrnBlock strata[TRN_STRATA_PERIOD];
    // The cache of columns, a queue by age, behind a lock that is held for as long as a look-up
    // takes.
    atomic_flag lock;
    uint32_t column_cache_max;
    TrnSpatialArray *columns; ///< of TrnColumn *
    TrnPool *column_pool;
    TrnColumn *oldest, *newest;
};

/// A field of TrnTerrainShape.
typedef struct TrnShapeField {
    const char *name;
    size_t offset;
    float min, max, default_value;
    const char *fault; ///< a sentence
} TrnShapeField;

#define TRN_SHAPE_FIELD_COUNT 11

extern const TrnShapeField trn_shape_fields[TRN_SHAPE_FIELD_COUNT];

static inline float *trn_shape_value(TrnTerrainShape *shape, const TrnShapeField *field)
{
    return (float *)(void *)((char *)shape + field->offset);
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
    return value < low ? low : value > high ? high : value;
}

/// 0 up to `from`, 1 beyond `to`, and smooth between them; `from` may be the greater one.
static inline float trn_land_ramp(float from, float to, float value)
{
    float t = trn_land_clamp((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Rounds down, within +-2^24: the topmost voxel of ground that ends at a height. The C library's
/// floor is a call without SSE4.1.
static inline int32_t trn_land_floor(float value)
{
    const int32_t whole = (int32_t)value;
    return value < (float)whole ? whole - 1 : whole;
}

/// A number from a seed and a place, each bit of which is as good as the other.
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

/// Compiles the noises and layers of a terrain whose seed and shape are set.
TrnResult trn_land_compile(TrnTerrain *terrain);

/// Makes a column at level 0.
void trn_land_generate_column(const TrnTerrain *terrain, TrnCoord coord, TrnColumn *column);

/// How many bytes trn_land_generate_column_level needs beside the column.
size_t trn_land_scratch_bytes(uint32_t level);

/// Makes a column at another level: every 2^level-th voxel, without trees and plants.
/// @param scratch  [trn_land_scratch_bytes(level)], aligned to 16; the column refers to it
void trn_land_generate_column_level(const TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                    void *scratch, TrnColumn *column);

/// What may grow in and around a column.
typedef struct TrnTreeGround {
    const float *heights;      ///< [edge][edge], by z, then x
    const uint8_t *candidates; ///< [edge][edge] TrnTreeKind + 1 of what may grow here; 0: nothing
    const uint8_t *chances;    ///< [edge][edge] in 256
    /// where the square begins, from the column's first voxel, and how wide it is
    int32_t first, edge;
} TrnTreeGround;

/// Chooses the trees of a column: those of any square whose crown may reach it.
void trn_trees_choose(const TrnTerrain *terrain, const TrnTreeGround *ground, TrnColumn *column);

/// The topmost voxel of a tree: crowns end one voxel above the trunk.
static inline int32_t trn_tree_top(const TrnTree *tree)
{
    return tree->y + tree->trunk + (tree->kind == TRN_TREE_CACTUS ? -1 : 1);
}

/// Writes the parts of a column's trees that lie in a chunk, wherever there is air.
void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks);

/// A column from the cache, made and put there where it was missing; give it back with
/// trn_column_release.
/// @param spare  used where there is no reserved, no memory, or no getting at the cache
const TrnColumn *trn_column_acquire(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare);

void trn_column_release(const TrnColumn *column);

TrnResult trn_column_cache_create(TrnTerrain *terrain, uint32_t column_cache_max);
void trn_column_cache_destroy(TrnTerrain *terrain);

/// Makes a chunk from its column. @return whether it is uniform, and then only blocks[0] counts
bool trn_volume_generate(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         TrnBlock *blocks);

/// How many bytes trn_volume_generate_level needs.
size_t trn_volume_scratch_bytes(uint32_t level);

/// The same at another level. @param scratch  [trn_volume_scratch_bytes(level)], aligned to 64
bool trn_volume_generate_level(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                               uint32_t level, void *scratch, TrnBlock *blocks);

/// The topmost voxel of ground at a place of a column: just what chunks of level 0 hold there.
/// @param level      the column's
/// @param place      z * TRN_CHUNK_EDGE + x, in samples
/// @param has_caves  whether to go down into caves that open there
int32_t trn_volume_height(const TrnTerrain *terrain, const TrnColumn *column, uint32_t level,
                          uint32_t place, bool has_caves);

#endif
