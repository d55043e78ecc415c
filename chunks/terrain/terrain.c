// The land is made in two steps. Its shape (continents, ranges, hills, rivers), whose features are
// a hundred voxels wide and more, is sampled on a lattice of every fourth voxel, with domain warp
// and turned octaves, and interpolated. Its detail is noise on every voxel, in rows.

#include <terrane/terrain.h>

#include <stdalign.h>

#include <terrane/pool.h>
#include <terrane/spatial_array.h>

#include "base/memory.h"
#include "terrain/noise_plane.h"

/// Of every 4 by 4 voxels one is sampled: sampling all of them looks the same, and a column takes 330 us instead of 50.
#define TERRAIN_LATTICE_SHIFT 2
#define TERRAIN_LATTICE_STEP (1 << TERRAIN_LATTICE_SHIFT)

/// Lattice points along an edge of a chunk and of one voxel more.
#define TERRAIN_PATCH_EDGE (TRN_CHUNK_EDGE / TERRAIN_LATTICE_STEP + 2)

/// Heights along a row of a column: those of a chunk and one more, for the slope of the last.
#define TERRAIN_ROW (TRN_CHUNK_EDGE + 1)

#define TERRAIN_LAYER_VOXELS (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)

/// No height lies outside of these, so that most chunks of the world are known without looking at their column. The land
/// itself stays within about -60 and 230.
#define TERRAIN_HEIGHT_LOWEST (-92)
#define TERRAIN_HEIGHT_HIGHEST 255

/// From here down all the world is stone: beneath the lowest ground and the deepest filler.
#define TERRAIN_STONE_TOP (TERRAIN_HEIGHT_LOWEST - 4)

#define TERRAIN_DETAIL_OCTAVES 4
#define TERRAIN_PATCHINESS_OCTAVES 2

#define TERRAIN_DEFAULT_SEED 40
#define TERRAIN_DEFAULT_COLUMNS 2048

/// What the ground is made of.
typedef enum TerrainSurface {
    TERRAIN_SURFACE_STONE,
    TERRAIN_SURFACE_GRASS,
    TERRAIN_SURFACE_DIRT,
    TERRAIN_SURFACE_SAND,
    TERRAIN_SURFACE_GRAVEL,
    TERRAIN_SURFACE_SNOW,
    TERRAIN_SURFACE_COUNT
} TerrainSurface;

/// The blocks of a surface.
typedef struct TerrainGround {
    TrnBlock top, filler; ///< of the topmost voxel, and of those between it and the stone
    int16_t depth;        ///< how many voxels lie above the stone
} TerrainGround;

static const TerrainGround terrain_grounds[TERRAIN_SURFACE_COUNT] = {
    [TERRAIN_SURFACE_STONE] = {TRN_BLOCK_STONE, TRN_BLOCK_STONE, 0},
    [TERRAIN_SURFACE_GRASS] = {TRN_BLOCK_GRASS, TRN_BLOCK_DIRT, 4},
    [TERRAIN_SURFACE_DIRT] = {TRN_BLOCK_DIRT, TRN_BLOCK_DIRT, 3},
    [TERRAIN_SURFACE_SAND] = {TRN_BLOCK_SAND, TRN_BLOCK_SAND, 4},
    [TERRAIN_SURFACE_GRAVEL] = {TRN_BLOCK_GRAVEL, TRN_BLOCK_GRAVEL, 3},
    [TERRAIN_SURFACE_SNOW] = {TRN_BLOCK_SNOW, TRN_BLOCK_DIRT, 3},
};

/// The shape of the land at a point.
typedef struct TerrainShape {
    float height; ///< before detail
    float soft;   ///< how far rounded detail reaches, in voxels
    float rocky;  ///< how far ridged detail reaches
} TerrainShape;

/// A rectangle of the shape's lattice.
typedef struct TerrainPatch {
    int64_t x, z; ///< of the first point, in lattice steps
    TerrainShape points[TERRAIN_PATCH_EDGE][TERRAIN_PATCH_EDGE]; ///< by z, then x
} TerrainPatch;

/// A chunk column: all that does not depend on y.
typedef struct TerrainColumn {
    TrnPoolId id;
    TrnCoord coord;              ///< y is 0
    struct TerrainColumn *newer; ///< the one to be dropped after this one
    int16_t highest;             ///< of the heights
    int16_t stone_top;           ///< from here down every voxel is stone
    int16_t heights[TERRAIN_LAYER_VOXELS];
    uint8_t surfaces[TERRAIN_LAYER_VOXELS];
} TerrainColumn;

struct TrnTerrain {
    TrnAllocator allocator;
    TrnPlaneNoiseFractal warp_x, warp_z;
    TrnPlaneNoiseFractal continent; ///< deep sea to high plain
    TrnPlaneNoiseFractal range;     ///< where mountains are
    TrnPlaneNoiseFractal ridge;     ///< their shape
    TrnPlaneNoiseFractal hilliness; ///< plains to hills
    TrnPlaneNoiseFractal hill;
    TrnPlaneNoiseFractal river; ///< rivers run where it is zero
    TrnPlaneNoise detail[TERRAIN_DETAIL_OCTAVES];
    TrnPlaneNoise patchiness[TERRAIN_PATCHINESS_OCTAVES]; ///< frays the borders between surfaces
    // The cache of columns, a queue by age.
    uint32_t column_cache_max;
    TrnSpatialArray *columns; ///< of TerrainColumn *
    TrnPool *column_pool;
    TerrainColumn *oldest, *newest;
};

static float terrain_abs(float value)
{
    return value < 0.0f ? -value : value;
}

static float terrain_lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

static float terrain_clamp(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/// 0 up to `from`, 1 beyond `to`, and smooth between them; `from` may be the greater one.
static float terrain_step(float from, float to, float value)
{
    float t = terrain_clamp((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// The height of the ground before hills and mountains: a cubic Hermite spline that is flat around the sea's level, so that
/// there are beaches and shallows.
static float terrain_continent_height(float continent)
{
    static const struct {
        float at, height, slope;
    } knots[] = {
        {-0.60f, -58.0f, 0.0f}, {-0.28f, -34.0f, 90.0f}, {-0.06f, -7.0f, 90.0f},
        {0.00f, 0.5f, 50.0f},   {0.05f, 4.0f, 80.0f},    {0.22f, 17.0f, 60.0f},
        {0.60f, 30.0f, 0.0f},
    };
    const int last = (int)(sizeof knots / sizeof knots[0]) - 1;
    float at = terrain_clamp(continent, knots[0].at, knots[last].at);
    int i = 0;
    while (i < last - 1 && at > knots[i + 1].at) {
        i++;
    }
    float width = knots[i + 1].at - knots[i].at;
    float rise = knots[i + 1].height - knots[i].height;
    float t = (at - knots[i].at) / width;
    float bend_low = knots[i].slope * width - rise;
    float bend_high = rise - knots[i + 1].slope * width;
    return knots[i].height + t * rise + t * (1.0f - t) * (bend_low * (1.0f - t) + bend_high * t);
}

/// Cuts valleys, and river beds in their floors. Valleys in the mountains are higher, wider and dry.
/// @param valley  receives 0 on a valley's floor .. 1 beyond its sides
static float terrain_carve(float height, float river, float mountain, float hilly, float *valley)
{
    *valley = terrain_step(0.03f, 0.22f + 0.22f * mountain, river);
    float ground = 3.2f + 64.0f * terrain_step(0.25f, 0.9f, mountain);
    if (height > ground) {
        height = terrain_lerp(ground, height, *valley);
    }
    const float bed = -4.0f;
    float wet = terrain_step(14.0f, 5.0f, ground); // a river ends where its valley rises
    float bank = (0.024f + 0.03f * hilly) * (0.2f + 0.8f * wet); // a brook in the plains
    float channel = terrain_step(bank, bank * 0.33f, river) * wet;
    return height > bed ? terrain_lerp(height, bed, channel) : height;
}

/// Bends what lies above 150 so that the highest peaks end near 220.
static float terrain_bend_peaks(float height)
{
    float above = height - 150.0f;
    return above > 0.0f ? 150.0f + above / (1.0f + above * (1.0f / 180.0f)) : height;
}

static TerrainShape terrain_shape_at(const TrnTerrain *terrain, int64_t x, int64_t z)
{
    TrnPlaneNoisePlace place = {x, z, 0.0f, 0.0f};
    float warp_x = trn_plane_noise_fractal_sum(&terrain->warp_x, place) * 170.0f;
    float warp_z = trn_plane_noise_fractal_sum(&terrain->warp_z, place) * 170.0f;
    place.warp_x = warp_x;
    place.warp_z = warp_z;

    float continent = trn_plane_noise_fractal_sum(&terrain->continent, place) * 1.5f + 0.1f;
    float range = trn_plane_noise_fractal_sum(&terrain->range, place) * 1.4f;
    float inland = terrain_step(0.0f, 0.22f, continent);
    float mountain = terrain_step(-0.1f, 0.4f, range) * terrain_step(0.02f, 0.3f, continent);
    float hilly =
        terrain_step(-0.25f, 0.3f, trn_plane_noise_fractal_sum(&terrain->hilliness, place) * 1.5f);

    float height = terrain_continent_height(continent);
    float hill = trn_plane_noise_fractal_sum(&terrain->hill, place) * 1.4f;
    height += (hill + 0.25f) * inland * (8.0f + 46.0f * hilly);
    if (mountain > 0.0f) {
        float ridge = trn_plane_noise_fractal_ridged(&terrain->ridge, place);
        height += mountain * (20.0f + ridge * 190.0f);
    }
    float valley;
    float river = terrain_abs(trn_plane_noise_fractal_sum(&terrain->river, place) * 1.5f);
    height = terrain_bend_peaks(terrain_carve(height, river, mountain, hilly, &valley));

    float wall = valley * (1.0f - valley) * 4.0f; // crags on the sides of mountain valleys
    float rocky = terrain_step(35.0f, 110.0f, height) * 20.0f + mountain * wall * 9.0f;
    TerrainShape shape = {height, 1.5f + inland * (2.0f + 3.0f * hilly) * valley, rocky};
    return shape;
}

/// Samples the lattice points around the voxels x .. x + count - 1, z .. z + count - 1.
/// @param count  1..TERRAIN_ROW; where it is more than one, x and z lie on the lattice
static void terrain_patch_sample(const TrnTerrain *terrain, int64_t x, int64_t z, int count,
                                 TerrainPatch *patch)
{
    patch->x = x >> TERRAIN_LATTICE_SHIFT;
    patch->z = z >> TERRAIN_LATTICE_SHIFT;
    int edge = (count - 1) / TERRAIN_LATTICE_STEP + 2;
    for (int j = 0; j < edge; j++) {
        for (int i = 0; i < edge; i++) {
            patch->points[j][i] = terrain_shape_at(terrain, (patch->x + i) * TERRAIN_LATTICE_STEP,
                                                   (patch->z + j) * TERRAIN_LATTICE_STEP);
        }
    }
}

static TerrainShape terrain_shape_lerp(const TerrainShape *from, const TerrainShape *to,
                                       float weight)
{
    TerrainShape shape = {terrain_lerp(from->height, to->height, weight),
                          terrain_lerp(from->soft, to->soft, weight),
                          terrain_lerp(from->rocky, to->rocky, weight)};
    return shape;
}

/// The shape at a voxel within a patch.
static TerrainShape terrain_patch_at(const TerrainPatch *patch, int64_t x, int64_t z)
{
    const int64_t mask = TERRAIN_LATTICE_STEP - 1;
    const float step = 1.0f / TERRAIN_LATTICE_STEP;
    int64_t i = (x >> TERRAIN_LATTICE_SHIFT) - patch->x;
    int64_t j = (z >> TERRAIN_LATTICE_SHIFT) - patch->z;
    const TerrainShape *near = &patch->points[j][i], *far = &patch->points[j + 1][i];
    float weight_z = (float)(z & mask) * step;
    TerrainShape left = terrain_shape_lerp(near, far, weight_z);
    TerrainShape right = terrain_shape_lerp(near + 1, far + 1, weight_z);
    return terrain_shape_lerp(&left, &right, (float)(x & mask) * step);
}

/// The exact heights of `count` voxels of a row within a patch, at most TERRAIN_ROW.
static void terrain_height_row(const TrnTerrain *terrain, const TerrainPatch *patch, int64_t x,
                               int64_t z, int count, float *heights)
{
    float detail[TERRAIN_DETAIL_OCTAVES][TERRAIN_ROW];
    for (int i = 0; i < TERRAIN_DETAIL_OCTAVES; i++) {
        trn_plane_noise_row(&terrain->detail[i], x, z, count, detail[i]);
    }
    for (int i = 0; i < count; i++) {
        TerrainShape shape = terrain_patch_at(patch, x + i, z);
        float a = detail[0][i], b = detail[1][i], c = detail[2][i], d = detail[3][i];
        float soft = a * 0.6f + b * 0.3f + c * 0.15f;
        float rocky =
            (0.3f - terrain_abs(a)) + (0.3f - terrain_abs(b)) * 0.55f + c * 0.3f + d * 0.2f;
        heights[i] = terrain_clamp(shape.height + soft * shape.soft + rocky * shape.rocky,
                                   TERRAIN_HEIGHT_LOWEST, TERRAIN_HEIGHT_HIGHEST);
    }
}

/// The topmost solid voxel of ground that ends at `height`.
static int16_t terrain_floor(float height)
{
    // Moved above zero, where conversion rounds down; the C library's floor is a call without
    // SSE4.1.
    return (int16_t)((int32_t)(height + 1024.0f) - 1024);
}

/// What lies beneath the water and at its edge.
/// @param patchiness  noise around zero
static TerrainSurface terrain_surface_sea_bed(float height, float slope, float patchiness)
{
    if (slope > 1.3f) {
        return TERRAIN_SURFACE_STONE;
    }
    if (height + 9.0f > patchiness * 6.0f) {
        return TERRAIN_SURFACE_SAND;
    }
    return patchiness > 0.1f ? TERRAIN_SURFACE_GRAVEL : TERRAIN_SURFACE_DIRT;
}

/// What lies on top: sand on shores, snow on heights, stone where it is steep, grass elsewhere.
/// @param slope       rise per voxel
/// @param patchiness  noise around zero
static TerrainSurface terrain_surface(float height, float slope, float patchiness)
{
    if (height < TRN_TERRAIN_SEA_LEVEL + 1.0f) {
        return terrain_surface_sea_bed(height, slope, patchiness);
    }
    if (height < 2.8f + patchiness * 2.5f && slope < 0.8f) {
        return patchiness < -0.32f ? TERRAIN_SURFACE_GRAVEL : TERRAIN_SURFACE_SAND;
    }
    float snow_line = 106.0f + patchiness * 26.0f;
    if (height > snow_line) {
        float hold = 1.3f + patchiness + (height - snow_line) * 0.02f;
        return slope < hold ? TERRAIN_SURFACE_SNOW : TERRAIN_SURFACE_STONE;
    }
    float steep = 1.25f + patchiness * 0.5f - terrain_step(40.0f, 120.0f, height) * 0.55f;
    if (slope > steep) {
        return TERRAIN_SURFACE_STONE;
    }
    if (height > 92.0f + patchiness * 30.0f) { // above the meadows
        return patchiness > 0.0f ? TERRAIN_SURFACE_GRAVEL : TERRAIN_SURFACE_STONE;
    }
    return slope > steep - 0.1f ? TERRAIN_SURFACE_DIRT : TERRAIN_SURFACE_GRASS;
}

/// Writes a row of a column from its exact heights and those of the row behind it.
static void terrain_column_row(const TrnTerrain *terrain, TerrainColumn *column, int row,
                               const float *heights, const float *behind)
{
    TrnVoxel first = trn_coord_voxel(column->coord);
    float coarse[TRN_CHUNK_EDGE], fine[TRN_CHUNK_EDGE];
    trn_plane_noise_row(&terrain->patchiness[0], first.x, first.z + row, TRN_CHUNK_EDGE, coarse);
    trn_plane_noise_row(&terrain->patchiness[1], first.x, first.z + row, TRN_CHUNK_EDGE, fine);
    for (int i = 0; i < TRN_CHUNK_EDGE; i++) {
        float rise_x = terrain_abs(heights[i + 1] - heights[i]);
        float rise_z = terrain_abs(behind[i] - heights[i]);
        // The gradient's length, up to 8 % too much, without a root.
        float slope = rise_x > rise_z ? rise_x + rise_z * 0.4f : rise_z + rise_x * 0.4f;
        float patchiness = coarse[i] * 0.7f + fine[i] * 0.4f;
        column->heights[row * TRN_CHUNK_EDGE + i] = terrain_floor(heights[i]);
        column->surfaces[row * TRN_CHUNK_EDGE + i] =
            (uint8_t)terrain_surface(heights[i], slope, patchiness);
    }
}

static void terrain_column_bounds(TerrainColumn *column)
{
    int16_t highest = INT16_MIN, stone_top = INT16_MAX;
    for (int i = 0; i < TERRAIN_LAYER_VOXELS; i++) {
        int16_t height = column->heights[i];
        int16_t stone = (int16_t)(height - terrain_grounds[column->surfaces[i]].depth);
        highest = height > highest ? height : highest;
        stone_top = stone < stone_top ? stone : stone_top;
    }
    column->highest = highest;
    column->stone_top = stone_top;
}

/// Makes the ground of a column from its coordinate.
static void terrain_column_fill(const TrnTerrain *terrain, TerrainColumn *column)
{
    TerrainPatch patch;
    float heights[2][TERRAIN_ROW];
    TrnVoxel first = trn_coord_voxel(column->coord);
    terrain_patch_sample(terrain, first.x, first.z, TERRAIN_ROW, &patch);
    terrain_height_row(terrain, &patch, first.x, first.z, TERRAIN_ROW, heights[0]);
    for (int row = 0; row < TRN_CHUNK_EDGE; row++) {
        const float *here = heights[row & 1];
        float *behind = heights[(row + 1) & 1];
        terrain_height_row(terrain, &patch, first.x, first.z + row + 1, TERRAIN_ROW, behind);
        terrain_column_row(terrain, column, row, here, behind);
    }
    terrain_column_bounds(column);
}

static void terrain_cache_drop_oldest(TrnTerrain *terrain)
{
    TerrainColumn *column = terrain->oldest;
    terrain->oldest = column->newer;
    terrain->newest = terrain->oldest ? terrain->newest : NULL;
    (void)trn_spatial_array_remove(terrain->columns, column->coord);
    (void)trn_pool_free(terrain->column_pool, column->id);
}

/// Finds room in the array for a column. Whoever walks on leaves an empty stretch behind, which shrinking gives back; whoever
/// jumps far away leaves columns that no array can hold together with the new one.
static TrnResult terrain_cache_insert(TrnTerrain *terrain, TerrainColumn *column)
{
    TrnResult result = trn_spatial_array_insert(terrain->columns, column->coord, &column);
    if (result != TRN_RESULT_TOO_FAR) {
        return result;
    }
    if (trn_spatial_array_shrink(terrain->columns) == TRN_RESULT_OK) {
        result = trn_spatial_array_insert(terrain->columns, column->coord, &column);
        if (result != TRN_RESULT_TOO_FAR) {
            return result;
        }
    }
    while (terrain->oldest) {
        terrain_cache_drop_oldest(terrain);
    }
    (void)trn_spatial_array_shrink(terrain->columns); // an empty one gives its cells back
    return trn_spatial_array_insert(terrain->columns, column->coord, &column);
}

/// The column of a chunk, from the cache or made and put there.
/// @param column  receives the column; it holds until the next call
static TrnResult terrain_column(TrnTerrain *terrain, TrnCoord chunk, const TerrainColumn **column)
{
    TrnCoord coord = {chunk.x, 0, chunk.z};
    *column = trn_spatial_array_pointer(terrain->columns, coord);
    if (*column) {
        return TRN_RESULT_OK;
    }
    if (terrain->columns->count >= terrain->column_cache_max) {
        terrain_cache_drop_oldest(terrain);
    }
    TrnPoolId id;
    void *slot;
    TrnResult result = trn_pool_alloc(terrain->column_pool, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TerrainColumn *made = slot;
    made->id = id;
    made->coord = coord;
    made->newer = NULL;
    result = terrain_cache_insert(terrain, made);
    if (result != TRN_RESULT_OK) {
        (void)trn_pool_free(terrain->column_pool, id);
        return result;
    }
    *(terrain->oldest ? &terrain->newest->newer : &terrain->oldest) = made;
    terrain->newest = made;
    terrain_column_fill(terrain, made);
    *column = made;
    return TRN_RESULT_OK;
}

/// Whether a chunk is one single block, as the bounds of its column tell.
/// @param highest    no ground of the column is higher
/// @param stone_top  from here down every voxel of the column is stone
static bool terrain_chunk_is_uniform(int32_t chunk_y, int64_t highest, int64_t stone_top,
                                     TrnBlock *block)
{
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL;
    int64_t bottom = (int64_t)chunk_y * TRN_CHUNK_EDGE;
    int64_t top = bottom + TRN_CHUNK_EDGE - 1;
    if (top <= stone_top) {
        *block = TRN_BLOCK_STONE;
        return true;
    }
    if (bottom > highest && (bottom > sea || top <= sea)) {
        *block = bottom > sea ? TRN_BLOCK_AIR : TRN_BLOCK_WATER;
        return true;
    }
    return false;
}

/// A column's ground unpacked, so that a layer of blocks is a few vector operations.
typedef struct TerrainLayers {
    int16_t depths[TERRAIN_LAYER_VOXELS];
    TrnBlock tops[TERRAIN_LAYER_VOXELS], fillers[TERRAIN_LAYER_VOXELS];
} TerrainLayers;

static void terrain_layers_unpack(const TerrainColumn *column, TerrainLayers *layers)
{
    for (int i = 0; i < TERRAIN_LAYER_VOXELS; i++) {
        TerrainGround ground = terrain_grounds[column->surfaces[i]];
        layers->depths[i] = ground.depth;
        layers->tops[i] = ground.top;
        layers->fillers[i] = ground.filler;
    }
}

/// Writes the blocks of one layer. Everything is read before it is chosen from: clang makes vector operations of nothing else,
/// and without them it takes five times as long.
static void terrain_layer_write(const TerrainColumn *restrict column,
                                const TerrainLayers *restrict layers, int16_t y,
                                TrnBlock *restrict blocks)
{
    const TrnBlock open = y <= TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
    for (int i = 0; i < TERRAIN_LAYER_VOXELS; i++) {
        TrnBlock top = layers->tops[i], filler = layers->fillers[i];
        int16_t below = (int16_t)(column->heights[i] - y); // how far beneath the ground's top
        TrnBlock block = below < layers->depths[i] ? filler : TRN_BLOCK_STONE;
        block = below == 0 ? top : block;
        blocks[i] = below < 0 ? open : block;
    }
}

TrnTerrainDef trn_terrain_def(void)
{
    TrnTerrainDef def = {.seed = TERRAIN_DEFAULT_SEED, .column_cache_max = TERRAIN_DEFAULT_COLUMNS};
    return def;
}

/// Makes all noises of a seed.
static void terrain_seed(TrnTerrain *terrain, uint64_t seed)
{
    const struct {
        TrnPlaneNoiseFractal *fractal;
        int32_t wavelength;
        int octaves;
    } fractals[] = {
        {&terrain->warp_x, 560, 3},    {&terrain->warp_z, 560, 3}, {&terrain->continent, 1500, 5},
        {&terrain->range, 1100, 2},    {&terrain->ridge, 420, 4},  {&terrain->hill, 210, 3},
        {&terrain->hilliness, 800, 1}, {&terrain->river, 900, 3},
    };
    uint32_t stream = 0;
    for (size_t i = 0; i < sizeof fractals / sizeof fractals[0]; i++) {
        *fractals[i].fractal =
            trn_plane_noise_fractal(seed, stream, fractals[i].wavelength, fractals[i].octaves);
        stream += TRN_PLANE_NOISE_OCTAVE_MAX;
    }
    static const int32_t detail[TERRAIN_DETAIL_OCTAVES] = {71, 33, 17, 8};
    for (int i = 0; i < TERRAIN_DETAIL_OCTAVES; i++) {
        terrain->detail[i] = trn_plane_noise(seed, stream++, detail[i]);
    }
    static const int32_t patchiness[TERRAIN_PATCHINESS_OCTAVES] = {43, 9};
    for (int i = 0; i < TERRAIN_PATCHINESS_OCTAVES; i++) {
        terrain->patchiness[i] = trn_plane_noise(seed, stream++, patchiness[i]);
    }
}

static TrnResult terrain_cache_create(TrnTerrain *terrain, uint32_t column_cache_max)
{
    terrain->column_cache_max = column_cache_max;
    // Room for 32 cells a column holds what doubling makes of any view; a small cache's is 64 KiB.
    uint64_t bytes = (uint64_t)column_cache_max * 32 * sizeof(TerrainColumn *);
    bytes = bytes < (64u << 10) ? 64u << 10 : bytes > (1u << 30) ? 1u << 30 : bytes;
    TrnSpatialArrayDef array_def = trn_spatial_array_def(sizeof(TerrainColumn *));
    array_def.dimensions = 2;
    array_def.bytes_max = (size_t)bytes;
    array_def.allocator = &terrain->allocator;
    TrnResult result = trn_spatial_array_create(&array_def, &terrain->columns);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef pool_def = trn_pool_def(sizeof(TerrainColumn));
    pool_def.allocator = &terrain->allocator;
    return trn_pool_create(&pool_def, &terrain->column_pool);
}

TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain)
{
    TrnTerrainDef fallback = trn_terrain_def();
    def = def ? def : &fallback;
    if (!terrain || def->column_cache_max == 0) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnTerrain *made = trn_take(&allocator, sizeof *made, alignof(TrnTerrain));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnTerrain){.allocator = allocator};
    terrain_seed(made, def->seed);
    TrnResult result = terrain_cache_create(made, def->column_cache_max);
    if (result != TRN_RESULT_OK) {
        trn_terrain_destroy(made);
        return result;
    }
    *terrain = made;
    return TRN_RESULT_OK;
}

void trn_terrain_destroy(TrnTerrain *terrain)
{
    if (!terrain) {
        return;
    }
    trn_spatial_array_destroy(terrain->columns);
    trn_pool_destroy(terrain->column_pool);
    TrnAllocator allocator = terrain->allocator;
    trn_give(&allocator, terrain, sizeof *terrain);
}

TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    if (terrain_chunk_is_uniform(coord.y, TERRAIN_HEIGHT_HIGHEST, TERRAIN_STONE_TOP, &blocks[0])) {
        *uniform = true;
        return TRN_RESULT_OK;
    }
    const TerrainColumn *column;
    TrnResult result = terrain_column(terrain, coord, &column);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    *uniform = terrain_chunk_is_uniform(coord.y, column->highest, column->stone_top, &blocks[0]);
    if (*uniform) {
        return TRN_RESULT_OK;
    }
    TerrainLayers layers;
    terrain_layers_unpack(column, &layers);
    for (int y = 0; y < TRN_CHUNK_EDGE; y++) {
        terrain_layer_write(column, &layers, (int16_t)(coord.y * TRN_CHUNK_EDGE + y),
                            &blocks[trn_local_index(0, (uint32_t)y, 0)]);
    }
    return TRN_RESULT_OK;
}

TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z, int64_t *height)
{
    if (x < TRN_VOXEL_MIN || x > TRN_VOXEL_MAX || z < TRN_VOXEL_MIN || z > TRN_VOXEL_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TerrainPatch patch;
    float exact;
    terrain_patch_sample(terrain, x, z, 1, &patch);
    terrain_height_row(terrain, &patch, x, z, 1, &exact);
    *height = terrain_floor(exact);
    return TRN_RESULT_OK;
}
