#include "start/land_map.h"

#include <string.h>

#include "map/map_draw.h"

static bool land_take_row(void *user, const unsigned char *rgb, Message *problem)
{
    (void)problem;
    LandMap *map = user;
    memcpy(map->rgb[map->rows++], rgb, sizeof map->rgb[0]);
    return true;
}

/// Destroys the drawing; keeps the block types for the next one.
static void land_end(LandMap *map)
{
    map_drawing_destroy(map->drawing);
    map_source_destroy(map->source);
    trn_terrain_destroy(map->terrain);
    map->drawing = NULL;
    map->source = NULL;
    map->terrain = NULL;
}

bool land_map_begin(LandMap *map, uint64_t seed, const TrnTerrainShape *shape)
{
    const MapPlan plan = {
        .is_quick = true, .width = LAND_MAP_EDGE, .height = LAND_MAP_EDGE, .scale = LAND_MAP_SCALE};
    TrnTerrainDef def = trn_terrain_def();
    Message ignored;
    def.seed = seed;
    def.shape = *shape;
    land_end(map);
    map->rows = 0;
    bool good =
        (map->types || trn_block_types_create_builtin(NULL, &map->types) == TRN_RESULT_OK) &&
        trn_terrain_create(&def, &map->terrain) == TRN_RESULT_OK;
    if (good) {
        const MapSourceDef source =
            map_source_def(trn_terrain_generator(map->terrain), map->types, map->terrain);
        good = map_source_create(&source, &map->source) == TRN_RESULT_OK &&
               map_drawing_create(&map->drawing, &plan, map->source, land_take_row, map, &ignored);
    }
    if (!good) {
        land_end(map);
    }
    return good;
}

bool land_map_step(LandMap *map)
{
    Message ignored;
    if (!map->drawing) {
        return false;
    }
    const bool good = map_drawing_step(map->drawing, &ignored);
    if (!good || map_drawing_left(map->drawing) == 0) {
        land_end(map);
    }
    return good;
}

void land_map_free(LandMap *map)
{
    land_end(map);
    trn_block_types_destroy(map->types);
    map->types = NULL;
}
