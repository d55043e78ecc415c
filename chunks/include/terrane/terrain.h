/// Terrane, terrain: voxels from a seed. A pure function of def, coordinate and level: the same on
/// every machine, in any order, on any number of threads, and as fine at the ends of the world as
/// at its origin.
///
/// The land: continents and seas, islands, mountain ranges, hills and plains, rivers in valleys,
/// terraces; grassland, forest, desert, savanna, tundra, snow and swamp by temperature and
/// moisture; cliffs that overhang, arches, caverns and tunnels that open to the surface, layers of
/// rock, ores; trees and plants; ice where it is cold.
///
/// docs/terrain.md says how it is made.
#ifndef TERRANE_TERRAIN_H
#define TERRANE_TERRAIN_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>
#include <terrane/generator.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The voxel height of the sea's surface: the topmost layer of water.
#define TRN_TERRAIN_SEA_LEVEL 0

/// Changes whenever the same def makes another land. What a save should keep beside the def.
#define TRN_TERRAIN_VERSION 3

/// No ground lies outside of these, nor a cave below; trees reach 16 voxels higher.
#define TRN_TERRAIN_LOWEST (-192)
#define TRN_TERRAIN_HIGHEST 320

/// Levels of detail: level n looks at every 2^n-th voxel.
#define TRN_TERRAIN_LEVEL_MAX TRN_GENERATOR_LEVEL_MAX

typedef struct TrnTerrain TrnTerrain;

/// The shape of a world. Start from trn_terrain_shape_default() and change what you need.
typedef struct TrnTerrainShape {
    /// how wide continents, ranges and biomes are, 0.25..8; 1: about two thousand voxels
    float scale;
    float land;        ///< -1 (sea everywhere) .. 1 (hardly any); 0: a third is sea
    float relief;      ///< how high hills are, 0..2
    float mountains;   ///< how high and frequent mountains are, 0..2
    float rivers;      ///< how wide valleys and rivers are, 0..2; 0: none
    float terraces;    ///< how stepped the land is, 0..1: mesas and canyons
    float overhangs;   ///< how far cliffs overhang, 0..2
    float caves;       ///< 0..2; at 1 caves fill about a tenth of the rock, 0: none
    float temperature; ///< added to that of the land, -1..1; far from 0 places differ less
    float moisture;    ///< added to that of the land, -1..1
    float trees;       ///< how many trees and plants there are, 0..2
} TrnTerrainShape;

/// Start from trn_terrain_def() and change what you need.
typedef struct TrnTerrainDef {
    uint64_t seed; ///< any value; each is another world
    /// TRN_TERRAIN_VERSION; a def that was saved with another makes another land, and is refused
    uint32_t version;
    TrnTerrainShape shape;
    /// Chunk columns kept, about 10 KiB each, at least 1; the oldest goes first. What a view is
    /// wide, squared, is plenty.
    uint32_t column_cache_max;
    /// copied; NULL means malloc. Called by every thread that generates
    const TrnAllocator *allocator;
} TrnTerrainDef;

/// A world with sea, beach, hills and mountains around its origin, and at most 2,048 columns (21
/// MiB).
TRN_API TrnTerrainDef trn_terrain_def(void);

/// The shape of the preset "default".
TRN_API TrnTerrainShape trn_terrain_shape_default(void);

/// What is wrong with a text of a shape, and where.
typedef struct TrnTerrainProblem {
    size_t line, column; ///< counted from 1, columns in bytes
    char sentence[256];  ///< says the way out; printable ASCII, whatever the text holds
} TrnTerrainProblem;

/// Reads a shape from a text: a first line "terrane-terrain 1", then lines "key = number" that name
/// fields of TrnTerrainShape; what is not named is as in the default. docs/terrain.md describes the
/// format. Any bytes are safe to load.
/// @param text     [size] need not end with a zero
/// @param shape    receives the shape
/// @param problem  receives what is wrong; may be NULL
/// Errors: CORRUPT (`shape` is then untouched), BAD_ARGUMENT. No allocation. Any thread.
TRN_API TrnResult trn_terrain_shape_load(const char *text, size_t size, TrnTerrainShape *shape,
                                         TrnTerrainProblem *problem);

/// A shape that is built in, by its name.
/// @param name  "default", "islands", "alps", "canyons" or "flat": the files in assets/terrain/
/// Errors: NOT_FOUND, BAD_ARGUMENT; `shape` is then untouched. Any thread.
TRN_API TrnResult trn_terrain_shape_preset(const char *name, TrnTerrainShape *shape);

/// The name of the i-th preset, or NULL behind the last. Static text.
TRN_API const char *trn_terrain_preset_name(size_t i);

/// What is wrong with a def: one sentence that names the field and its range, or NULL where nothing
/// is. Static text; any thread.
TRN_API const char *trn_terrain_def_fault(const TrnTerrainDef *def);

/// @param def      NULL means trn_terrain_def()
/// @param terrain  receives the terrain; free it with trn_terrain_destroy
/// Errors: BAD_ARGUMENT (whatever trn_terrain_def_fault names), NO_MEMORY. Cost: 20 us; columns are
/// allocated as they are needed.
TRN_API TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain);

/// @param terrain  may be NULL; nobody may be using it
TRN_API void trn_terrain_destroy(TrnTerrain *terrain);

/// Generates one chunk.
/// @param coord    the chunk, anywhere in the int32 range
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, unless the chunk is
///                 uniform; caller owns
/// @param uniform  receives whether every voxel is the same block; then that block is in blocks[0]
///                 and the rest of `blocks` is undefined (most chunks of a world are all air or all
///                 stone, and cost next to nothing)
/// Errors: none: where there is no memory for the cache of columns, chunks take longer. Threads:
/// any number on one TrnTerrain. Needs 160 KiB of stack.
/// Cost: 40 to 90 us for a chunk that holds caves or ground, less than 1 us for others; and 80 to
/// 100 us for the first one of a column.
TRN_API TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks,
                                       bool *uniform);

/// Generates a chunk of the same land seen from afar: every 2^level-th voxel along each axis.
/// Whether a voxel is rock, water or air is just what level 0 says; the uppermost voxel of the
/// ground wears what covers the ground. Trees and plants are left out above level 0 (woods get the
/// colour of their leaves), ores above level 1.
/// @param coord  the chunk; it covers 32 * 2^level voxels along each axis. Level n has chunks
///               INT32_MIN / 2^n .. INT32_MAX / 2^n.
/// @param level  0..TRN_TERRAIN_LEVEL_MAX
/// Errors: BAD_ARGUMENT (level, or coord outside the world), NO_MEMORY (above level 0: 2 MiB while
/// it works).
/// Threads: any number. Cost: as trn_terrain_generate at level 0; up to 2 ms above. No columns are
/// kept above level 0.
TRN_API TrnResult trn_terrain_generate_level(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                                             TrnBlock *blocks, bool *uniform);

/// The terrain as a generator (terrane/generator.h): trn_terrain_generate_level, for whoever takes
/// a game's own land as well.
/// @param terrain  borrowed: it outlives the generator and its copies
/// Threads: any number may generate with it. Needs 160 KiB of stack.
TRN_API TrnGenerator trn_terrain_generator(TrnTerrain *terrain);

/// The voxel y of the topmost voxel of ground (neither water nor trees) of a column: just what
/// trn_terrain_generate makes.
/// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
/// @param height  receives the height; where it is below TRN_TERRAIN_SEA_LEVEL, water stands above
///                it, unless a cave opens there: caves are dry, and trn_terrain_sample tells
/// Errors: BAD_ARGUMENT. Any thread. Cost: 0.1 us where the column is kept, 2 us where caves open
/// or cliffs overhang; where it is not kept, it is made first: 80 to 100 us.
TRN_API TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     int64_t *height);

/// What grows and lies where, by temperature and moisture.
typedef enum TrnTerrainBiome {
    TRN_TERRAIN_BIOME_SEA, ///< lakes and rivers too
    TRN_TERRAIN_BIOME_GRASSLAND,
    TRN_TERRAIN_BIOME_FOREST,
    TRN_TERRAIN_BIOME_DESERT,
    TRN_TERRAIN_BIOME_SAVANNA,
    TRN_TERRAIN_BIOME_TUNDRA,
    TRN_TERRAIN_BIOME_SNOW, ///< peaks, and what is too cold for tundra
    TRN_TERRAIN_BIOME_SWAMP,
    TRN_TERRAIN_BIOME_COUNT
} TrnTerrainBiome;

/// What a column of voxels is like.
typedef struct TrnTerrainSample {
    int64_t height; ///< as trn_terrain_height
    TrnTerrainBiome biome;
    /// What covers the ground. On the floors of caves that open there, more than eight voxels below
    /// what was the ground, rock lies bare.
    TrnBlock top;
    TrnBlock surface; ///< the same; where water stands above, water or ice
} TrnTerrainSample;

/// @param place  receives what trn_terrain_height tells, and more
/// Errors, threads, cost: as trn_terrain_height.
TRN_API TrnResult trn_terrain_sample(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     TrnTerrainSample *place);

/// Looks at many columns that lie apart, for maps: every 2^level-th along x and z. Places are as
/// trn_terrain_sample says, but heights are those before caves open, so that one in thirty is
/// higher; woods have the colour of their leaves.
/// @param chunk_x,chunk_z  of a chunk of that level: it covers 32 * 2^level voxels; INT32_MIN /
///                         2^level .. INT32_MAX / 2^level
/// @param level            0..TRN_TERRAIN_LEVEL_MAX
/// @param places           [TRN_CHUNK_EDGE][TRN_CHUNK_EDGE] receives the places, by z, then x;
///                         caller owns
/// Errors: BAD_ARGUMENT (level, or a chunk outside the world), NO_MEMORY (it needs 1 MiB while it
/// works); `places` is then untouched. Any thread. Cost: 1 us a place, where trn_terrain_sample,
/// going from column to column, takes 100.
TRN_API TrnResult trn_terrain_sample_level(const TrnTerrain *terrain, int32_t chunk_x,
                                           int32_t chunk_z, uint32_t level,
                                           TrnTerrainSample *places);

#ifdef __cplusplus
}
#endif
#endif
