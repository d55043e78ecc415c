#include "start/land_map.h"

#include <math.h>

#define MAP_LEVEL 4                                 // 2^4 = LAND_MAP_SCALE
#define MAP_CHUNKS (LAND_MAP_EDGE / TRN_CHUNK_EDGE) // along each side
#define CLEAR_WATER_VOXELS 12.0F                    // one part in e of the bed shows through
#define RELIEF 0.03F                                // of the light, for a voxel of height a pixel

bool land_map_begin(LandMap *map, uint64_t seed, const TrnTerrainShape *shape)
{
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    def.seed = seed;
    def.shape = *shape;
    if ((!map->types && trn_block_types_create_builtin(NULL, &map->types) != TRN_RESULT_OK) ||
        trn_terrain_create(&def, &terrain) != TRN_RESULT_OK) {
        return false;
    }
    if (map->terrain) {
        trn_terrain_destroy(map->terrain);
    }
    map->terrain = terrain;
    map->step = 0;
    return true;
}

/// The light of a slope; the sun is in the north-west.
static float light_of(const TrnTerrainSample *samples, int x, int z)
{
    const TrnTerrainSample *here = &samples[z * TRN_CHUNK_EDGE + x];
    const int64_t west = x > 0 ? here[-1].height : here->height;
    const int64_t north = z > 0 ? here[-TRN_CHUNK_EDGE].height : here->height;
    const float rise = (float)(2 * here->height - west - north);
    return fminf(fmaxf(1 + RELIEF * rise, 0.6F), 1.3F);
}

static void paint(const TrnBlockTypes *types, const TrnTerrainSample *samples, int x, int z,
                  uint8_t rgb[3])
{
    const TrnTerrainSample *here = &samples[z * TRN_CHUNK_EDGE + x];
    const TrnBlockType *top = trn_block_types_get(types, here->top);
    const TrnBlockType *surface = trn_block_types_get(types, here->surface);
    const bool is_water = surface->kind == TRN_BLOCK_KIND_LIQUID;
    const float depth = (float)(TRN_TERRAIN_SEA_LEVEL - here->height);
    const float through = is_water ? 0.5F * expf(-fmaxf(depth, 0) / CLEAR_WATER_VOXELS) : 0;
    const float light = is_water ? 1 : light_of(samples, x, z);
    for (int c = 0; c < 3; c++) {
        const float ground = (float)top->colour[TRN_FACE_POS_Y][c];
        const float above = (float)surface->colour[TRN_FACE_POS_Y][c];
        rgb[c] = (uint8_t)fminf((above + (ground - above) * through) * light, 255);
    }
}

static void paint_chunk(LandMap *map, const TrnTerrainSample *samples, int column, int row)
{
    for (int z = 0; z < TRN_CHUNK_EDGE; z++) {
        for (int x = 0; x < TRN_CHUNK_EDGE; x++) {
            paint(map->types, samples, x, z,
                  map->rgb[row * TRN_CHUNK_EDGE + z][column * TRN_CHUNK_EDGE + x]);
        }
    }
}

bool land_map_step(LandMap *map)
{
    if (!map->terrain) {
        return false;
    }
    TrnTerrainSample samples[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    const int column = map->step % MAP_CHUNKS, row = map->step / MAP_CHUNKS;
    const bool good =
        trn_terrain_sample_level(map->terrain, column - MAP_CHUNKS / 2, row - MAP_CHUNKS / 2,
                                 MAP_LEVEL, samples) == TRN_RESULT_OK;
    if (good) {
        paint_chunk(map, samples, column, row);
    }
    if (++map->step == MAP_CHUNKS * MAP_CHUNKS) {
        trn_terrain_destroy(map->terrain);
        map->terrain = NULL;
    }
    return good;
}

void land_map_free(LandMap *map)
{
    if (map->terrain) {
        trn_terrain_destroy(map->terrain);
    }
    if (map->types) {
        trn_block_types_destroy(map->types);
    }
    map->terrain = NULL;
    map->types = NULL;
}
