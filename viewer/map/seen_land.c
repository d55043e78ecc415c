#include "map/seen_land.h"

#define REGION_SHIFT 5 // of a chunk coordinate: 32 x 32 chunk columns are looked up at once

/// A chunk as it is now: loaded, saved, or generated.
static TrnResult seen_land_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                    bool *uniform)
{
    SeenLand *land = user;
    TrnSnapshot voxels;
    (void)level; // the source reads level 0 alone
    if (trn_store_snapshot(world_store(land->world), coord, &voxels) == TRN_RESULT_OK) {
        *uniform = trn_snapshot_is_uniform(voxels);
        if (*uniform) {
            blocks[0] = trn_snapshot_get(voxels, 0);
        } else {
            trn_snapshot_decode(voxels, blocks);
        }
        return TRN_RESULT_OK;
    }
    if (saved_chunks_has(&land->seen, coord) &&
        keep_load(land->keep, coord, blocks, uniform) == TRN_RESULT_OK) {
        return TRN_RESULT_OK;
    }
    if (world_has_sea(land->world)) {
        return trn_terrain_generate(world_terrain(land->world), coord, blocks, uniform);
    }
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

static bool seen_land_differs(void *user, int32_t chunk_x, int32_t chunk_z)
{
    return seen_land_has(user, chunk_x, chunk_z);
}

bool seen_land_create(SeenLand *land, const World *world, Keep *keep, const TrnBlockTypes *types)
{
    const TrnGenerator chunks = {.generate = seen_land_generate, .user = land};
    MapSourceDef def =
        map_source_def(chunks, types, world_has_sea(world) ? world_terrain(world) : NULL);
    def.differs = seen_land_differs;
    def.differs_user = land;
    *land = (SeenLand){.world = world, .keep = keep, .changed = {.min = {1, 0, 1}}};
    return saved_chunks_create(&land->seen) == TRN_RESULT_OK &&
           trn_chunk_index_create(NULL, &land->listed) == TRN_RESULT_OK &&
           map_source_create(&def, &land->source) == TRN_RESULT_OK;
}

void seen_land_free(SeenLand *land)
{
    saved_chunks_destroy(&land->seen);
    trn_chunk_index_destroy(land->listed);
    map_source_destroy(land->source);
    *land = (SeenLand){0};
}

/// Widens a box, which is empty at first, along x and z.
static void seen_land_widen(TrnBox *box, TrnBox by)
{
    const bool is_empty = box->min.x > box->max.x;
    box->min.x = is_empty || by.min.x < box->min.x ? by.min.x : box->min.x;
    box->min.z = is_empty || by.min.z < box->min.z ? by.min.z : box->min.z;
    box->max.x = is_empty || by.max.x > box->max.x ? by.max.x : box->max.x;
    box->max.z = is_empty || by.max.z > box->max.z ? by.max.z : box->max.z;
}

void seen_land_note(SeenLand *land, TrnCoord coord)
{
    if (land->seen.columns) {
        (void)saved_chunks_add(&land->seen, coord);
        seen_land_widen(&land->changed, (TrnBox){coord, coord});
    }
}

TrnBox seen_land_take_changed(SeenLand *land, TrnBox near)
{
    seen_land_widen(&land->changed, near);
    const TrnBox changed = land->changed;
    land->changed = near; // its chunks may change from now on
    return changed;
}

bool seen_land_look_up(SeenLand *land, TrnBox box)
{
    for (int32_t x = box.min.x >> REGION_SHIFT; x <= box.max.x >> REGION_SHIFT; x++) {
        for (int32_t z = box.min.z >> REGION_SHIFT; z <= box.max.z >> REGION_SHIFT; z++) {
            if (trn_chunk_index_insert(land->listed, (TrnCoord){x, 0, z}, 0) == TRN_RESULT_OK) {
                const int32_t edge = (1 << REGION_SHIFT) - 1;
                const TrnCoord first = {x * (edge + 1), MAP_BOTTOM_CHUNK, z * (edge + 1)};
                keep_list_saved(land->keep,
                                (TrnBox){first, {first.x + edge, MAP_TOP_CHUNK, first.z + edge}},
                                &land->seen);
                return true;
            }
        }
    }
    return false;
}

bool seen_land_has(const SeenLand *land, int32_t chunk_x, int32_t chunk_z)
{
    return saved_chunks_has_column(&land->seen, chunk_x, chunk_z);
}

bool seen_land_ground(const SeenLand *land, int64_t x, int64_t z, int64_t *y)
{
    TrnTerrainSample sample;
    MapColumn column;
    if (world_has_sea(land->world)) {
        const bool is_good =
            trn_terrain_sample(world_terrain(land->world), x, z, &sample) == TRN_RESULT_OK;
        *y = is_good ? sample.surface_y + 1 : *y;
        return is_good;
    }
    const uint16_t place =
        (uint16_t)((x & (TRN_CHUNK_EDGE - 1)) | (z & (TRN_CHUNK_EDGE - 1)) << TRN_CHUNK_SHIFT);
    const bool is_good = map_source_columns(land->source, (int32_t)(x >> TRN_CHUNK_SHIFT),
                                            (int32_t)(z >> TRN_CHUNK_SHIFT), 0, &place, 1,
                                            &column) == TRN_RESULT_OK &&
                         column.top != TRN_BLOCK_AIR;
    *y = is_good ? column.top_y + 1 : *y;
    return is_good;
}
