/// Terrane, terrain: generates voxels from a seed. A pure function of def, coordinate and level:
/// the same on every machine, in any order, on any number of threads, and with the same precision
/// at the ends of the world as at its origin.
///
/// The land has continents, seas, islands, mountain ranges, hills, plains, valleys at sea level,
/// and terraces. Rivers fall from springs to the sea, over waterfalls and through lakes.
/// Temperature and moisture select biomes: grassland, forest, desert, savanna, tundra, snow, swamp.
/// Cliffs overhang; caverns and tunnels open to the surface; rock has strata and ore veins; trees
/// and plants grow on top; cold seas freeze.
///
/// docs/terrain.md describes the algorithm.
///
/// Tier: stable.
#ifndef TERRANE_TERRAIN_H
#define TERRANE_TERRAIN_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/generator.h>

TRN_C_BEGIN

/// Voxel y of the topmost layer of water in the sea.
#define TRN_TERRAIN_SEA_LEVEL 0

/// The newest version of the land, which new worlds get. It rises whenever the same def generates
/// different voxels. A save should store a def's version with it.
#define TRN_TERRAIN_VERSION 5
/// The oldest version that this library generates. A saved world of an older one keeps what is
/// saved; nothing can be generated around it.
#define TRN_TERRAIN_VERSION_OLDEST 4

/// Voxel y of the lowest cave or ground surface.
#define TRN_TERRAIN_LOWEST (-192)
/// Voxel y of the highest ground. Trees reach 16 voxels higher.
#define TRN_TERRAIN_HIGHEST 320

/// Coarsest level of detail. Level n samples every 2^n-th voxel.
#define TRN_TERRAIN_LEVEL_MAX TRN_GENERATOR_LEVEL_MAX

/// A terrain. Opaque; the caller creates and destroys it.
typedef struct TrnTerrain TrnTerrain;

/// Settings of a world's shape. Start from trn_terrain_shape_default() and change what you need.
typedef struct TrnTerrainShape {
    /// Size of continents, ranges and biomes, 0.25..8. At 1 they are about 2,000 voxels wide.
    float scale;
    float land;      ///< amount of land, -1 (all sea) .. 1 (hardly any sea); 0: a third is sea
    float relief;    ///< height of hills, 0..2
    float mountains; ///< height and frequency of mountains, 0..2
    float rivers;    ///< width of valleys at sea level, and number of rivers, 0..2; 0: none
    float terraces;  ///< strength of terraces, 0..1: mesas and canyons
    float overhangs; ///< depth of overhangs, 0..2; 0: none
    float caves;     ///< width of caves, 0..2; 0: none; at 1 caves take 1/25 of the rock
    /// Added to the land's temperature, -1..1. Values far from 0 also reduce its variation.
    float temperature;
    float moisture; ///< added to the land's moisture, -1..1
    float trees;    ///< density of trees and plants, 0..2
} TrnTerrainShape;

/// Settings of a terrain. Start from trn_terrain_def() and change what you need.
typedef struct TrnTerrainDef {
    uint64_t seed; ///< any value; each gives another world
    /// TRN_TERRAIN_VERSION_OLDEST..TRN_TERRAIN_VERSION: which land is generated. Other versions
    /// would be different voxels, so trn_terrain_create refuses them with BAD_ARGUMENT, and
    /// trn_terrain_def_fault says what to do.
    uint32_t version;
    TrnTerrainShape shape; ///< how the land looks
    /// Capacity of the cache in chunk columns of about 13 KiB each, at least 1. The oldest column
    /// is evicted first. The square of the view's width in chunks is plenty. Up to half as many
    /// columns of levels above 0 are kept too, of 8 KiB each, and the bounds of eight times those.
    /// An eighth as many squares of noise, of 7.5 KiB each, are shared by adjacent columns. Regions
    /// of rivers take 0.5 MiB, from 512 columns on 1.3 and from 8,192 on 4.2.
    uint32_t column_cache_max;
    /// Copied; NULL means malloc. Every generating thread calls it.
    const TrnAllocator *allocator;
} TrnTerrainDef;

/// Returns the default def: a world with sea, beach, hills and mountains around its origin, and a
/// cache of 2,048 columns (27 MiB).
TRN_API TrnTerrainDef trn_terrain_def(void);

/// Returns the shape of the preset "default".
TRN_API TrnTerrainShape trn_terrain_shape_default(void);

/// Where and why a shape's text was rejected.
typedef struct TrnTerrainProblem {
    size_t line;        ///< from 1
    size_t column;      ///< from 1, in bytes
    char sentence[256]; ///< what is wrong and what to do; printable ASCII for any input
} TrnTerrainProblem;

/// Parses a shape from text: a first line "terrane-terrain 1", then lines "key = number" that set
/// fields of TrnTerrainShape. Fields that are not set keep their default. docs/terrain.md describes
/// the format. Any bytes are safe to parse.
/// @param text     [size] need not end with a zero
/// @param shape    receives the shape
/// @param problem  receives the reason on CORRUPT; may be NULL
/// Errors: CORRUPT, BAD_ARGUMENT; `shape` is then unchanged. No allocation. Any thread.
TRN_API TrnResult trn_terrain_shape_load(const char *text, size_t size, TrnTerrainShape *shape,
                                         TrnTerrainProblem *problem);

/// Writes a shape as a text for trn_terrain_shape_load(), with every field. Numbers are rounded to
/// three digits after the point, which shapes of texts have at most.
/// @param text  [capacity] receives the text and a zero, cut off if it is longer; NULL if capacity
///              is 0
/// @return the length of the whole text; 0 if the shape is NULL. Any thread.
TRN_API size_t trn_terrain_shape_write(const TrnTerrainShape *shape, char *text, size_t capacity);

/// Looks up a built-in shape by name.
/// @param name   "default", "islands", "alps", "canyons" or "flat": the files in assets/terrain/
/// @param shape  receives the shape
/// Errors: NOT_FOUND, BAD_ARGUMENT; `shape` is then unchanged. Any thread.
TRN_API TrnResult trn_terrain_shape_preset(const char *name, TrnTerrainShape *shape);

/// Returns the name of the i-th preset, or NULL past the last. Static text; any thread.
TRN_API const char *trn_terrain_preset_name(size_t i);

/// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
/// range. Static text; any thread.
TRN_API const char *trn_terrain_def_fault(const TrnTerrainDef *def);

/// Creates a terrain.
/// @param def      copied; NULL means trn_terrain_def()
/// @param terrain  receives the terrain; free it with trn_terrain_destroy
/// Errors: BAD_ARGUMENT (anything that trn_terrain_def_fault reports), NO_MEMORY. Cost: O(1);
/// columns are allocated on demand.
TRN_API TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain);

/// Frees a terrain.
/// @param terrain  may be NULL; no thread may still use it
TRN_API void trn_terrain_destroy(TrnTerrain *terrain);

/// Generates one chunk.
/// @param coord    any chunk of the int32 range
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order; caller owns. If
///                 `uniform` is set, only blocks[0] is defined.
/// @param uniform  receives whether every voxel is the same block. Most chunks of a world are all
///                 air or all stone and cost next to nothing.
/// Errors: none. Without memory for the column cache, generating only takes longer.
/// Threads: any number on one TrnTerrain. Needs TRN_STACK_BYTES of stack. The first chunk of 2,048
/// x 2,048 voxels solves their rivers, which takes as long as 20 to 40 chunks; other threads that
/// need them wait for it. Cost: O(TRN_CHUNK_VOXELS) for a chunk with caves or ground, O(1) for
/// others; the first chunk of a column costs two to three times as much.
TRN_API TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks,
                                       bool *uniform);

/// Generates a chunk at a level of detail: every 2^level-th voxel along each axis. The ground's
/// height is that of level 0 at the sampled voxel column: exactly at level 1, within a voxel of the
/// level above (but for fewer than one in a thousand samples, in caves of steep land). Levels above
/// 0 have no plants, no ores, and no caves but those that open to the surface; trees are columns of
/// leaves, or the ground's colour where they are lower than a voxel.
/// @param coord    the chunk; it covers 32 * 2^level voxels along each axis. Level n has chunks
///                 INT32_MIN / 2^n .. INT32_MAX / 2^n.
/// @param level    0..TRN_TERRAIN_LEVEL_MAX
/// @param blocks   as in trn_terrain_generate
/// @param uniform  as in trn_terrain_generate
/// Errors: BAD_ARGUMENT (level, or coord outside the world), NO_MEMORY (levels above 0 need 400 KiB
/// of scratch).
/// Threads: any number. Cost: as trn_terrain_generate at level 0; above, a third to a half of that,
/// O(1) for uniform chunks, and 8 to 24 times as much for the first chunk of a column.
TRN_API TrnResult trn_terrain_generate_level(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                             TrnBlock *blocks, bool *uniform);

/// Wraps the terrain as a generator (terrane/generator.h) that calls trn_terrain_generate_level.
/// @param terrain  borrowed: it must outlive the generator and its copies
/// Threads: any number may generate with it. Needs TRN_STACK_BYTES of stack.
TRN_API TrnGenerator trn_terrain_generator(TrnTerrain *terrain);

/// Computes the y of the topmost ground voxel of a voxel column, without water and trees: exactly
/// what trn_terrain_generate makes.
/// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
/// @param height  receives the height. Below TRN_TERRAIN_SEA_LEVEL there is water above it, unless
///                a cave opens there: caves are dry. Rivers and lakes are higher;
///                trn_terrain_sample reports all of them.
/// Errors: BAD_ARGUMENT. Any thread. Cost: O(1) if the column is cached, 20 times that where caves
/// open or cliffs overhang; a column's generation if it must be generated first.
TRN_API TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     int64_t *height);

/// Biome of a voxel column, selected by temperature and moisture.
typedef enum TrnTerrainBiome {
    TRN_TERRAIN_BIOME_SEA,       ///< also lakes and rivers
    TRN_TERRAIN_BIOME_GRASSLAND, ///< mild, with some trees
    TRN_TERRAIN_BIOME_FOREST,    ///< mild or cool, and moist
    TRN_TERRAIN_BIOME_DESERT,    ///< hot and dry
    TRN_TERRAIN_BIOME_SAVANNA,   ///< hot, with some moisture
    TRN_TERRAIN_BIOME_TUNDRA,    ///< cold
    TRN_TERRAIN_BIOME_SNOW,      ///< peaks, and land too cold for tundra
    TRN_TERRAIN_BIOME_SWAMP,     ///< low and wet
    TRN_TERRAIN_BIOME_COUNT      ///< the number of biomes
} TrnTerrainBiome;

/// What trn_terrain_sample reports of a voxel column.
typedef struct TrnTerrainSample {
    int64_t height;        ///< as trn_terrain_height
    TrnTerrainBiome biome; ///< of the column
    /// Block that covers the ground. Does not hold on the floor of a cave that opens there: more
    /// than eight voxels below the former ground it is bare rock.
    TrnBlock top;
    TrnBlock surface; ///< `top`; water or ice where water covers the ground
    /// Voxel y of `surface`: that of the topmost water, in the sea TRN_TERRAIN_SEA_LEVEL; elsewhere
    /// `height`.
    int64_t surface_y;
} TrnTerrainSample;

/// Samples the surface at a voxel column: height, biome and blocks.
/// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
/// @param sample  receives the sample
/// Errors, threads, cost: as trn_terrain_height.
TRN_API TrnResult trn_terrain_sample(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     TrnTerrainSample *sample);

/// Samples the surface at every 2^level-th voxel column of a chunk, for maps. Like
/// trn_terrain_sample, with three differences: heights ignore caves that open, so about one in
/// thirty is higher; above level 1 a few differ by a voxel of the level; forests show the blocks of
/// their canopy.
/// @param chunk_x,chunk_z  a chunk of that level: it covers 32 * 2^level voxels; INT32_MIN /
///                         2^level .. INT32_MAX / 2^level
/// @param level            0..TRN_TERRAIN_LEVEL_MAX
/// @param samples          [TRN_CHUNK_EDGE][TRN_CHUNK_EDGE] receives the samples, by z, then x;
///                         caller owns
/// Errors: BAD_ARGUMENT (level, or a chunk outside the world), NO_MEMORY (it needs 1 MiB of
/// scratch); `samples` is then unchanged. Any thread. Cost: O(samples), each a hundredth
/// of trn_terrain_sample on columns that are not cached.
TRN_API TrnResult trn_terrain_sample_level(const TrnTerrain *terrain, int32_t chunk_x,
                                           int32_t chunk_z, uint32_t level,
                                           TrnTerrainSample *samples);

TRN_C_END
#endif
