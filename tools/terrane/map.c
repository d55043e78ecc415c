#include "map.h"

#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include "tool_land.h"

// Columns that the terrain caches. A section visits all of its columns once for each row of chunks.
#define MAP_COLUMNS_MIN 2048
#define MAP_COLUMNS_MAX 16384

static TrnResult sample_terrain(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                                TrnTerrainSample *places)
{
    return trn_terrain_sample_level(user, chunk_x, chunk_z, level, places);
}

/// Of a world that is saved chunks alone.
static TrnResult sample_nothing(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                                TrnTerrainSample *places)
{
    (void)user;
    (void)chunk_x;
    (void)chunk_z;
    (void)level;
    memset(places, 0, sizeof(TrnTerrainSample[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE]));
    return TRN_RESULT_OK;
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

/// Where a map's voxels come from, and what it shows of them.
typedef struct MapLand {
    ToolLand land;
    MapSource *source;
    MapPlan plan;
} MapLand;

static void close_land(MapLand *land)
{
    free(land->source);
    tool_land_close(&land->land);
}

/// The map of a world is around its spawn, unless told otherwise.
static bool place_plan(MapLand *land, const MapOptions *options, Message *problem)
{
    land->plan = options->plan;
    if (options->world && !options->has_center) {
        land->plan.center_x = land->land.spawn.x;
        land->plan.center_z = land->land.spawn.z;
    }
    return map_plan_check(&land->plan, problem);
}

static bool open_land(MapLand *land, const MapOptions *options, Message *problem)
{
    *land = (MapLand){0};
    const TrnTerrainDef def = terrain_for(options);
    if (!tool_land_open(&land->land, &def, options->world, problem)) {
        return false;
    }
    if (!place_plan(land, options, problem)) {
        close_land(land);
        return false;
    }
    const TrnResult result =
        map_source_create(land->land.generator, land->land.types, &land->source);
    if (result != TRN_RESULT_OK) {
        close_land(land);
        return message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
    }
    land->source->sample = land->land.terrain ? sample_terrain : sample_nothing;
    land->source->sample_user = land->land.terrain;
    land->source->differs = options->world ? tool_land_is_saved : NULL;
    land->source->differs_user = land->land.world;
    return true;
}

bool map_run(const MapOptions *options, Message *problem)
{
    MapLand land;
    if (!open_land(&land, options, problem)) {
        return false;
    }
    const MapPlan *plan = &land.plan;
    ImageWriter *writer;
    bool good = image_writer_create(&writer, options->out, plan->width, plan->height, problem);
    if (good) {
        good = map_draw(plan, land.source, writer, problem) && image_writer_finish(writer, problem);
        image_writer_destroy(writer);
    }
    close_land(&land);
    return good;
}
