#include "map/map_source.h"

#include <stdlib.h>
#include <string.h>

#define MAP_PLACES (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE) // of a chunk column

struct MapSource {
    MapSourceDef def;
    // The current chunk.
    bool is_uniform;
    TrnBlock blocks[TRN_CHUNK_VOXELS];  ///< only the first if the chunk is uniform
    uint8_t kinds[TRN_BLOCK_TYPES_MAX]; ///< TrnBlockKind by id
};

static TrnResult map_sample_terrain(void *user, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                                    TrnTerrainSample *places)
{
    if (user) {
        return trn_terrain_sample_level(user, chunk_x, chunk_z, level, places);
    }
    memset(places, 0, sizeof(TrnTerrainSample[MAP_PLACES]));
    return TRN_RESULT_OK;
}

MapSourceDef map_source_def(TrnGenerator generator, const TrnBlockTypes *types, TrnTerrain *terrain)
{
    return (MapSourceDef){.generator = generator,
                          .types = types,
                          .sample = map_sample_terrain,
                          .sample_user = terrain};
}

TrnResult map_source_create(const MapSourceDef *def, MapSource **source)
{
    MapSource *created = malloc(sizeof *created);
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    created->def = *def;
    created->is_uniform = true;
    created->blocks[0] = TRN_BLOCK_AIR;
    memset(created->kinds, TRN_BLOCK_KIND_OPAQUE, sizeof created->kinds);
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(def->types, &count);
    for (uint32_t id = 0; id < count; id++) {
        created->kinds[id] = (uint8_t)all[id].kind;
    }
    *source = created;
    return TRN_RESULT_OK;
}

void map_source_destroy(MapSource *source)
{
    free(source);
}

bool map_source_has_levels(const MapSource *source)
{
    return source->def.sample != NULL;
}

TrnBlockKind map_source_kind(const MapSource *source, TrnBlock block)
{
    return (TrnBlockKind)source->kinds[block];
}

const uint8_t *map_source_colour(const MapSource *source, TrnBlock block, TrnFace face)
{
    return trn_block_types_get(source->def.types, block)->colour[face];
}

TrnResult map_source_load(MapSource *source, TrnCoord coord)
{
    return trn_generator_generate(&source->def.generator, coord, 0, source->blocks,
                                  &source->is_uniform);
}

TrnBlock map_source_block(const MapSource *source, uint32_t local)
{
    return source->blocks[source->is_uniform ? 0 : local];
}

// ---- columns of chunks -------------------------------------------------------------------------

/// The columns whose bed is not found yet.
typedef struct MapOpenColumns {
    uint16_t indices[MAP_PLACES];
    int count;
} MapOpenColumns;

/// Adds the next block down a column. @return whether it is the bed
static bool map_note_block(MapColumn *column, TrnBlock block, uint8_t kind, int32_t y)
{
    if (kind == TRN_BLOCK_KIND_AIR) {
        return false;
    }
    if (column->top == TRN_BLOCK_AIR) {
        column->top = block;
        column->top_y = column->bed_y = y;
    }
    if (kind == TRN_BLOCK_KIND_LIQUID) {
        return false;
    }
    column->bed = block;
    column->bed_y = y;
    return true;
}

static void map_survey_layer(const MapSource *source, int32_t y, const uint16_t *places,
                             MapOpenColumns *open, MapColumn *columns)
{
    const uint32_t layer = trn_local_index(0, (uint32_t)y & (TRN_CHUNK_EDGE - 1), 0);
    int left = 0;
    for (int i = 0; i < open->count; i++) {
        const uint16_t index = open->indices[i];
        const TrnBlock block = map_source_block(source, layer | places[index]);
        if (!map_note_block(&columns[index], block, source->kinds[block], y)) {
            open->indices[left++] = index;
        }
    }
    open->count = left;
}

static void map_survey_chunk(const MapSource *source, int32_t chunk_y, const uint16_t *places,
                             MapOpenColumns *open, MapColumn *columns)
{
    const int32_t bottom = chunk_y * TRN_CHUNK_EDGE, top = bottom + TRN_CHUNK_EDGE - 1;
    if (source->is_uniform) { // its topmost layer is enough
        map_survey_layer(source, top, places, open, columns);
        return;
    }
    for (int32_t y = top; y >= bottom && open->count > 0; y--) {
        map_survey_layer(source, y, places, open, columns);
    }
}

/// Finds columns voxel by voxel, at level 0.
static TrnResult map_survey(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                            const uint16_t *places, int count, MapColumn *columns)
{
    MapOpenColumns open = {.count = count};
    for (int i = 0; i < count; i++) {
        const int32_t nothing = MAP_BOTTOM_CHUNK * TRN_CHUNK_EDGE;
        open.indices[i] = (uint16_t)i;
        columns[i] = (MapColumn){.top_y = nothing, .bed_y = nothing};
    }
    for (int32_t y = MAP_TOP_CHUNK; y >= MAP_BOTTOM_CHUNK && open.count > 0; y--) {
        const TrnResult result = map_source_load(source, (TrnCoord){chunk_x, y, chunk_z});
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (!source->is_uniform || source->blocks[0] != TRN_BLOCK_AIR) {
            map_survey_chunk(source, y, places, &open, columns);
        }
    }
    return TRN_RESULT_OK;
}

// ---- columns of levels -------------------------------------------------------------------------

/// The column at one place of a level.
static MapColumn map_sampled_column(const TrnTerrainSample *place)
{
    const int32_t top_y = (int32_t)place->surface_y;
    if (place->surface == TRN_BLOCK_ICE) {
        return (MapColumn){TRN_BLOCK_ICE, TRN_BLOCK_ICE, top_y, top_y};
    }
    return (MapColumn){place->surface, place->top, top_y, (int32_t)place->height};
}

/// The chunk column of level 0 that one place of a level lies in, and the place there.
typedef struct MapNearPlace {
    int32_t chunk_x, chunk_z;
    uint16_t place;
} MapNearPlace;

static MapNearPlace map_near_place(int32_t chunk_x, int32_t chunk_z, uint32_t level, uint16_t place)
{
    const int64_t mask = TRN_CHUNK_EDGE - 1;
    const int64_t x = ((int64_t)chunk_x * TRN_CHUNK_EDGE + (place & mask)) * (1 << level);
    const int64_t z =
        ((int64_t)chunk_z * TRN_CHUNK_EDGE + (place >> TRN_CHUNK_SHIFT)) * (1 << level);
    return (MapNearPlace){(int32_t)(x >> TRN_CHUNK_SHIFT), (int32_t)(z >> TRN_CHUNK_SHIFT),
                          (uint16_t)((x & mask) | (z & mask) << TRN_CHUNK_SHIFT)};
}

/// Surveys the columns of one chunk column that differs from the samples: those from the first on
/// that lie in it.
static TrnResult map_survey_differing(MapSource *source, const MapNearPlace *level0, int first,
                                      int count, bool *is_done, MapColumn *columns)
{
    uint16_t places[MAP_PLACES];
    int16_t indices[MAP_PLACES];
    MapColumn found[MAP_PLACES];
    int same = 0;
    for (int i = first; i < count; i++) {
        if (!is_done[i] && level0[i].chunk_x == level0[first].chunk_x &&
            level0[i].chunk_z == level0[first].chunk_z) {
            is_done[i] = true;
            indices[same] = (int16_t)i;
            places[same++] = level0[i].place;
        }
    }
    const TrnResult result =
        map_survey(source, level0[first].chunk_x, level0[first].chunk_z, places, same, found);
    for (int i = 0; result == TRN_RESULT_OK && i < same; i++) {
        columns[indices[i]] = found[i];
    }
    return result;
}

/// Replaces the samples of chunk columns that differ.
static TrnResult map_replace_differing(MapSource *source, int32_t chunk_x, int32_t chunk_z,
                                       uint32_t level, const uint16_t *places, int count,
                                       MapColumn *columns)
{
    MapNearPlace level0[MAP_PLACES];
    bool is_done[MAP_PLACES];
    for (int i = 0; i < count; i++) {
        level0[i] = map_near_place(chunk_x, chunk_z, level, places[i]);
        is_done[i] =
            !source->def.differs(source->def.differs_user, level0[i].chunk_x, level0[i].chunk_z);
    }
    TrnResult result = TRN_RESULT_OK;
    for (int i = 0; i < count && result == TRN_RESULT_OK; i++) {
        if (!is_done[i]) {
            result = map_survey_differing(source, level0, i, count, is_done, columns);
        }
    }
    return result;
}

TrnResult map_source_columns(MapSource *source, int32_t chunk_x, int32_t chunk_z, uint32_t level,
                             const uint16_t *places, int count, MapColumn *columns)
{
    if (level == 0) {
        return map_survey(source, chunk_x, chunk_z, places, count, columns);
    }
    TrnTerrainSample samples[MAP_PLACES];
    const TrnResult result =
        source->def.sample(source->def.sample_user, chunk_x, chunk_z, level, samples);
    for (int i = 0; result == TRN_RESULT_OK && i < count; i++) {
        columns[i] = map_sampled_column(&samples[places[i]]);
    }
    return result == TRN_RESULT_OK && source->def.differs
               ? map_replace_differing(source, chunk_x, chunk_z, level, places, count, columns)
               : result;
}
