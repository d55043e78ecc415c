#include "tool_land.h"

#if TERRANE_TOOL_SAVES
#include "program.h"
#include "world.h"

static bool tool_land_open_world(ToolLand *land, const char *path, Message *problem)
{
    OpenWorld *world;
    if (!world_open(&world, path, TRN_STORAGE_READ_ONLY, NULL, problem)) {
        return false;
    }
    Message news;
    if (world_facts_tell_old(&world->file.facts, path, &news)) {
        (void)program_complain("terrane", &news, 0);
    }
    *land = (ToolLand){.generator = world_generator(world),
                       .types = world->types,
                       .terrain = world->terrain,
                       .def = world->file.facts.terrain,
                       .world = world,
                       .spawn = world->file.facts.spawn};
    return true;
}

bool tool_land_find_saved(ToolLand *land, TrnBox box, Message *problem)
{
    return !land->world || world_find_saved(land->world, box, problem);
}

bool tool_land_is_saved(void *world, int32_t chunk_x, int32_t chunk_z)
{
    return world_has_column(world, chunk_x, chunk_z);
}

const struct TrnStorage *tool_land_shared(const ToolLand *land)
{
    const bool is_shared = land->world && trn_storage_is_url(land->world->path);
    return is_shared ? &land->world->file.storage : NULL;
}

/// A visit of saved chunks.
typedef struct ToolLandVisit {
    bool (*visit)(void *user, TrnCoord coord);
    void *user;
} ToolLandVisit;

static bool tool_land_visit_row(void *user, const TrnStorageRow *row)
{
    const ToolLandVisit *visit = user;
    return visit->visit(visit->user, row->key.coord);
}

bool tool_land_list_saved(const ToolLand *land, bool (*visit)(void *user, TrnCoord coord),
                          void *user, Message *problem)
{
    const TrnStorage *storage = &land->world->file.storage;
    const TrnStorageRange range = {.level = 0, .box = trn_box_everything()};
    ToolLandVisit visited = {visit, user};
    if (storage->list(storage->user, &range, tool_land_visit_row, &visited) == TRN_RESULT_OK) {
        return true;
    }
    storage->problem(storage->user, problem->text, sizeof problem->text);
    return false;
}

static TrnStreamSource tool_land_world_source(const ToolLand *land)
{
    return world_source(land->world);
}

static void tool_land_close_world(OpenWorld *world)
{
    Message ignored;
    (void)world_close(world, &ignored);
}
#else
static bool tool_land_open_world(ToolLand *land, const char *path, Message *problem)
{
    (void)land;
    (void)path;
    return message_set(problem, "This terrane was built without worlds in files; build it with "
                                "-DTERRANE_BUILD_SAVE=ON.");
}

bool tool_land_find_saved(ToolLand *land, TrnBox box, Message *problem)
{
    (void)land;
    (void)box;
    (void)problem;
    return true;
}

bool tool_land_is_saved(void *world, int32_t chunk_x, int32_t chunk_z)
{
    (void)world;
    (void)chunk_x;
    (void)chunk_z;
    return false;
}

const struct TrnStorage *tool_land_shared(const ToolLand *land)
{
    (void)land;
    return NULL;
}

bool tool_land_list_saved(const ToolLand *land, bool (*visit)(void *user, TrnCoord coord),
                          void *user, Message *problem)
{
    (void)land;
    (void)visit;
    (void)user;
    (void)problem;
    return true;
}

static TrnStreamSource tool_land_world_source(const ToolLand *land)
{
    (void)land;
    return (TrnStreamSource){0};
}

static void tool_land_close_world(struct OpenWorld *world)
{
    (void)world;
}
#endif

static TrnResult tool_land_load(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                bool *uniform)
{
    const ToolLand *land = user;
    return trn_generator_generate(&land->generator, job->coord, job->level, blocks, uniform);
}

TrnStreamSource tool_land_source(ToolLand *land)
{
    return land->world ? tool_land_world_source(land)
                       : (TrnStreamSource){.load = tool_land_load, .user = land};
}

bool tool_land_open(ToolLand *land, const TrnTerrainDef *def, const char *world, Message *problem)
{
    *land = (ToolLand){.def = *def};
    if (world) {
        return tool_land_open_world(land, world, problem);
    }
    TrnResult result = trn_terrain_create(def, &land->terrain);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_create_builtin(NULL, &land->types);
    }
    if (result == TRN_RESULT_OK) {
        land->generator = trn_terrain_generator(land->terrain);
        return true;
    }
    tool_land_close(land);
    return message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
}

void tool_land_close(ToolLand *land)
{
    if (land->world) {
        tool_land_close_world(land->world);
    } else {
        trn_block_types_destroy(land->types);
        trn_terrain_destroy(land->terrain);
    }
    *land = (ToolLand){0};
}
