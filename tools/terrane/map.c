#include "map.h"

#include <stdlib.h>

#include <terrane/terrain.h>

// Columns that the terrain caches. A section visits all of its columns once for each row of chunks.
#define MAP_COLUMNS_MIN 2048
#define MAP_COLUMNS_MAX 16384

static TrnResult sample_terrain(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                                TrnTerrainSample *places)
{
    return trn_terrain_sample_level(user, chunk_x, chunk_z, level, places);
}

static TrnTerrainDef terrain_for(const MapOptions *options)
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = options->seed;
    def.shape = options->shape;
    const int64_t columns = options->plan.width * options->plan.scale / TRN_CHUNK_EDGE + 2;
    def.column_cache_max = columns < MAP_COLUMNS_MIN   ? MAP_COLUMNS_MIN
                           : columns > MAP_COLUMNS_MAX ? MAP_COLUMNS_MAX
                                                       : (uint32_t)columns;
    return def;
}

/// Where a map's voxels come from, and their block types.
typedef struct MapLand {
    TrnTerrain *terrain;
    TrnBlockTypes *types;
    MapSource *source;
} MapLand;

static void close_land(MapLand *land)
{
    free(land->source);
    trn_block_types_destroy(land->types);
    trn_terrain_destroy(land->terrain);
}

static bool open_land(MapLand *land, const MapOptions *options, Message *problem)
{
    *land = (MapLand){0};
    const TrnTerrainDef def = terrain_for(options);
    TrnResult result = trn_terrain_create(&def, &land->terrain);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_create_builtin(NULL, &land->types);
    }
    if (result == TRN_RESULT_OK) {
        result =
            map_source_create(trn_terrain_generator(land->terrain), land->types, &land->source);
    }
    if (result == TRN_RESULT_OK) {
        land->source->sample = sample_terrain;
        land->source->sample_user = land->terrain;
        return true;
    }
    close_land(land);
    (void)message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
    return false;
}

bool map_run(const MapOptions *options, Message *problem)
{
    MapLand land;
    if (!open_land(&land, options, problem)) {
        return false;
    }
    const MapPlan *plan = &options->plan;
    ImageWriter *writer;
    bool good = image_writer_create(&writer, options->out, plan->width, plan->height, problem);
    if (good) {
        good = map_draw(plan, land.source, writer, problem) && image_writer_finish(writer, problem);
        image_writer_destroy(writer);
    }
    close_land(&land);
    return good;
}
