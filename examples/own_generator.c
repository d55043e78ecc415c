// Your own world next to the built-in one: planets that float in the sky. Both are generators, and
// the code that fills the store and looks around does not know which of them it uses.
#include <stdio.h>
#include <stdlib.h>

#include <terrane/raycast.h>
#include <terrane/terrain.h>

// ---- the world ---------------------------------------------------------------------------------

// Space is divided into cells of 4 x 4 x 4 chunks, each with one whole planet. So a chunk of level
// 0, 1 or 2 is in one cell and has at most one planet.
#define CELL_EDGE ((int64_t)4 * TRN_CHUNK_EDGE)
#define PLANET_LEVEL_MAX 2

typedef struct Planet {
    int64_t x, y, z; // its middle
    int64_t radius;
    TrnBlock skin;
} Planet;

/// A hash of the seed and the cell (splitmix64).
static uint64_t hash_cell(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash = seed;
    const int64_t axes[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        hash += (uint64_t)axes[i] * UINT64_C(0xD1342543DE82EF95) + UINT64_C(0x9E3779B97F4A7C15);
        hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
        hash ^= hash >> 31;
    }
    return hash;
}

/// The planet in the cell of a voxel.
static Planet find_planet(uint64_t seed, TrnVoxel voxel)
{
    static const TrnBlock skins[4] = {TRN_BLOCK_GRASS, TRN_BLOCK_SAND, TRN_BLOCK_SNOW,
                                      TRN_BLOCK_MOSS};
    const int64_t x = voxel.x & -CELL_EDGE, y = voxel.y & -CELL_EDGE, z = voxel.z & -CELL_EDGE;
    const uint64_t hash = hash_cell(seed, x, y, z);
    const int64_t radius = 8 + (int64_t)(hash % 40), room = CELL_EDGE - 2 * radius;
    return (Planet){.x = x + radius + (int64_t)(hash >> 8 & 0xFFFF) % room,
                    .y = y + radius + (int64_t)(hash >> 24 & 0xFFFF) % room,
                    .z = z + radius + (int64_t)(hash >> 40 & 0xFFFF) % room,
                    .radius = radius,
                    .skin = skins[hash >> 62]};
}

static TrnBlock planet_block(const Planet *planet, int64_t x, int64_t y, int64_t z)
{
    const int64_t dx = x - planet->x, dy = y - planet->y, dz = z - planet->z;
    const int64_t away = dx * dx + dy * dy + dz * dz, r = planet->radius;
    return away >= r * r               ? TRN_BLOCK_AIR
           : away >= (r - 2) * (r - 2) ? planet->skin
           : away >= r * r / 9         ? TRN_BLOCK_STONE
                                       : TRN_BLOCK_GOLD_ORE;
}

/// Whether a planet overlaps the voxels from..from + edge - 1 of an axis.
static bool reaches(int64_t middle, int64_t radius, int64_t from, int64_t edge)
{
    return middle + radius > from && middle - radius < from + edge;
}

/// The hook, a TrnGenerateFn. It has no state, so any number of threads may call it.
static TrnResult generate_planets(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                  bool *uniform)
{
    const uint64_t *seed = user;
    const int64_t step = (int64_t)1 << level, edge = TRN_CHUNK_EDGE * step;
    const TrnVoxel first = {coord.x * edge, coord.y * edge, coord.z * edge};
    const Planet planet = find_planet(*seed, first);
    *uniform = !reaches(planet.x, planet.radius, first.x, edge) ||
               !reaches(planet.y, planet.radius, first.y, edge) ||
               !reaches(planet.z, planet.radius, first.z, edge);
    if (*uniform) { // empty space: one block is enough
        blocks[0] = TRN_BLOCK_AIR;
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) { // x fastest, then z, then y
        const int64_t x = i % 32, z = i / 32 % 32, y = i / 1024;
        blocks[i] =
            planet_block(&planet, first.x + x * step, first.y + y * step, first.z + z * step);
    }
    return TRN_RESULT_OK;
}

// ---- for any world ------------------------------------------------------------------------

/// Generates a chunk and inserts it into a store.
static TrnResult load_chunk(TrnStore *store, const TrnGenerator *generator, TrnCoord coord,
                            TrnBlock *blocks)
{
    bool uniform;
    const TrnResult result = trn_generator_generate(generator, coord, 0, blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return uniform ? trn_store_insert_uniform(store, coord, blocks[0], NULL)
                   : trn_store_insert_voxels(store, coord, blocks, NULL);
}

static TrnResult load_box(TrnStore *store, const TrnGenerator *generator, TrnBox box,
                          TrnBlock *blocks)
{
    TrnResult result = TRN_RESULT_OK;
    for (int32_t y = box.min.y; y <= box.max.y; y++) {
        for (int32_t z = box.min.z; z <= box.max.z; z++) {
            for (int32_t x = box.min.x; x <= box.max.x && result == TRN_RESULT_OK; x++) {
                result = load_chunk(store, generator, (TrnCoord){x, y, z}, blocks);
            }
        }
    }
    return result;
}

/// Drops a stone and prints what it hits.
static void drop_stone(const TrnStore *store, TrnPosition from)
{
    const double down[3] = {0, -1, 0};
    TrnRayDef def = trn_ray_def();
    def.distance_max = 1000;
    TrnRayHit hit;
    if (trn_store_raycast(store, from, down, &def, &hit) != TRN_RESULT_OK ||
        hit.end != TRN_RAY_END_BLOCK) {
        puts("  a stone never lands");
        return;
    }
    const TrnBlockType *type = trn_block_types_get(trn_store_block_types(store), hit.block);
    printf("  a stone lands on %s at height %lld\n", type->name, (long long)hit.voxel.y);
}

/// Generates the chunk of level 2 at the origin, 128 voxels wide, and compares it with level 0.
static TrnResult look_from_afar(const TrnStore *store, const TrnGenerator *generator,
                                TrnBlock *blocks)
{
    bool uniform;
    const TrnResult result =
        trn_generator_generate(generator, (TrnCoord){0, 0, 0}, 2, blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    int same = 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int64_t x = i % 32, z = i / 32 % 32, y = i / 1024;
        const TrnVoxel voxel = {x * 4, y * 4, z * 4};
        TrnBlock near_block = TRN_BLOCK_AIR;
        (void)trn_store_get_block(store, voxel,
                                  &near_block); // chunks that are not loaded count as air
        const TrnBlock far_block = blocks[uniform ? 0 : i];
        same += (near_block == TRN_BLOCK_AIR) == (far_block == TRN_BLOCK_AIR);
    }
    printf("  level 2 equals level 0 in %d %% of its samples\n", same * 100 / TRN_CHUNK_VOXELS);
    return TRN_RESULT_OK;
}

static TrnResult visit(const char *name, const TrnGenerator *generator, TrnBlock *blocks)
{
    TrnStore *store;
    TrnResult result = trn_store_create(NULL, &store);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const TrnBox box = {{-4, -4, -4}, {3, 7, 3}};
    result = load_box(store, generator, box, blocks);
    if (result == TRN_RESULT_OK) {
        const TrnStoreStats stats = trn_store_stats(store);
        printf("%s: %u chunks, %u of them uniform\n", name, stats.chunks, stats.uniform_chunks);
        drop_stone(store, (TrnPosition){{2, 7, 2}, {0.5, 31, 0.5}});
        result = look_from_afar(store, generator, blocks);
    }
    trn_store_destroy(store);
    return result;
}

int main(void)
{
    uint64_t seed = 13;
    TrnGenerator planets = trn_generator_def(generate_planets, &seed);
    planets.level_max = PLANET_LEVEL_MAX;
    TrnBlock *blocks = malloc((size_t)TRN_CHUNK_VOXELS * sizeof *blocks);
    TrnTerrain *terrain = NULL;
    TrnResult result = blocks ? trn_terrain_create(NULL, &terrain)
                              : TRN_RESULT_NO_MEMORY; // NULL: the default world
    if (result == TRN_RESULT_OK) {
        const TrnGenerator built_in = trn_terrain_generator(terrain);
        result = visit("built-in", &built_in, blocks);
    }
    if (result == TRN_RESULT_OK) {
        result = visit("planets", &planets, blocks);
    }
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "own_generator: %s\n", trn_result_text(result));
    }
    trn_terrain_destroy(terrain);
    free(blocks);
    return result == TRN_RESULT_OK ? 0 : 1;
}
