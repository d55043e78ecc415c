#include "map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/chunk_index.h>
#include <terrane/terrain.h>

#include "map_page.h"
#include "map_tiles.h"
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

/// The chunks along an axis that a picture reads: with the pixels around it.
static void axis_chunks(int64_t middle, int pixels, int64_t scale, int32_t *first, int32_t *last)
{
    const int64_t lowest = middle - pixels * scale / 2 - 2 * scale;
    const int64_t highest = middle + pixels * scale / 2 + 2 * scale;
    *first = (int32_t)((lowest < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : lowest) >> TRN_CHUNK_SHIFT);
    *last = (int32_t)((highest > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : highest) >> TRN_CHUNK_SHIFT);
}

/// The chunks that a plan reads.
static TrnBox plan_chunks(const MapPlan *plan)
{
    TrnBox box = trn_box_everything();
    axis_chunks(plan->center_x, plan->width, plan->scale, &box.min.x, &box.max.x);
    if (plan->is_section) {
        box.min.z = box.max.z = (int32_t)(plan->center_z >> TRN_CHUNK_SHIFT);
    } else {
        axis_chunks(plan->center_z, plan->height, plan->scale, &box.min.z, &box.max.z);
        box.min.y = MAP_BOTTOM_CHUNK;
        box.max.y = MAP_TOP_CHUNK;
    }
    return box;
}

/// Finds what is saved of what a picture or tiles show.
static bool find_saved(MapLand *land, const MapOptions *options, Message *problem)
{
    const MapPyramid pyramid = map_pyramid_of(&land->plan);
    const MapTile first = {.zoom = pyramid.last_zoom};
    const MapPlan tiles = map_pyramid_plan(&pyramid, first, pyramid.columns, pyramid.rows);
    return tool_land_find_saved(&land->land, plan_chunks(options->tiles ? &tiles : &land->plan),
                                problem);
}

static bool open_land(MapLand *land, const MapOptions *options, Message *problem)
{
    *land = (MapLand){0};
    const TrnTerrainDef def = terrain_for(options);
    if (!tool_land_open(&land->land, &def, options->world, problem)) {
        return false;
    }
    if (!place_plan(land, options, problem) || !find_saved(land, options, problem)) {
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

static bool draw_picture(const MapLand *land, const char *out, Message *problem)
{
    const MapPlan *plan = &land->plan;
    ImageWriter *writer;
    if (!image_writer_create(&writer, out, plan->width, plan->height, problem)) {
        return false;
    }
    const bool good =
        map_draw(plan, land->source, writer, problem) && image_writer_finish(writer, problem);
    image_writer_destroy(writer);
    return good;
}

/// Says which land it is. @param text  [128]
static void name_land(const ToolLand *land, char *text)
{
    char shape[8192];
    uint64_t hash = 0;
    if (land->terrain) {
        (void)trn_terrain_shape_write(&land->def.shape, shape, sizeof shape);
        hash = map_page_hash_text(shape);
    }
    (void)snprintf(text, 128, "%s, seed %" PRIu64 ", land %" PRIu32 ", shape %016" PRIx64,
                   land->world ? "world" : "generated", land->terrain ? land->def.seed : 0,
                   land->terrain ? land->def.version : 0, hash);
}

static bool draw_tiles(const MapLand *land, const char *folder, Message *problem)
{
    char name[128];
    int64_t drawn = 0;
    name_land(&land->land, name);
    const MapTilesDef def = {
        .folder = folder,
        .pyramid = map_pyramid_of(&land->plan),
        .source = land->source,
        .land = name,
        .storage = tool_land_shared(&land->land),
    };
    if (!map_tiles_draw(&def, &drawn, problem)) {
        return false;
    }
    printf("%s/index.html: %" PRId64 " tiles in %d zooms, %" PRId64 " of them by this process\n",
           folder, map_pyramid_tiles(&def.pyramid), def.pyramid.last_zoom + 1, drawn);
    return true;
}

bool map_run(const MapOptions *options, Message *problem)
{
    MapLand land;
    if (!open_land(&land, options, problem)) {
        return false;
    }
    const bool good = options->tiles ? draw_tiles(&land, options->tiles, problem)
                                     : draw_picture(&land, options->out, problem);
    close_land(&land);
    return good;
}
