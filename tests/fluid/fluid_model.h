/// A simple, slow model of a fluid: plain arrays of a small world, every rule by loops over voxels.
/// It has no budget. Edit model and world alike, step both, compare all voxels.
#pragma once

#include "fluid_world.h"

#define MODEL_X 2 ///< chunks along each axis
#define MODEL_Y 2
#define MODEL_Z 3
#define MODEL_CHUNKS (MODEL_X * MODEL_Y * MODEL_Z)
#define MODEL_VOXELS (MODEL_CHUNKS * TRN_CHUNK_VOXELS)
#define MODEL_LANES 3 ///< changed voxels, water, lava

typedef struct FluidModel {
    TrnFluidLiquid liquids[2];
    TrnFluidReaction reaction; ///< of lava with water
    TrnCoord origin;           ///< the lowest chunk
    bool loaded[MODEL_CHUNKS];
    TrnBlock blocks[MODEL_VOXELS]; ///< x fastest, then z, then y, over the whole world
    TrnBlock next[MODEL_VOXELS];
    bool due[MODEL_LANES][MODEL_VOXELS], asleep[MODEL_LANES][MODEL_VOXELS];
    uint64_t step;
} FluidModel;

/// What a place is, besides a block.
enum { MODEL_CLOSED = -1, MODEL_NOT_LOADED = -2 };

static const int model_sides[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, 0, -1},
                                      {0, 0, 1},  {0, -1, 0}, {0, 1, 0}};

static inline uint32_t model_index(int x, int y, int z)
{
    return (uint32_t)((y * MODEL_Z * 32 + z) * MODEL_X * 32 + x);
}

static inline bool model_has(int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < MODEL_X * 32 && y < MODEL_Y * 32 && z < MODEL_Z * 32;
}

static inline uint32_t model_chunk_index(int x, int y, int z)
{
    return (uint32_t)((y / 32 * MODEL_Z + z / 32) * MODEL_X + x / 32);
}

static inline TrnCoord model_coord(const FluidModel *model, uint32_t chunk)
{
    return trn_coord_add(model->origin, (int32_t)(chunk % MODEL_X),
                         (int32_t)(chunk / (MODEL_X * MODEL_Z)),
                         (int32_t)(chunk / MODEL_X % MODEL_Z));
}

/// The voxel of the world that a place of the model stands for.
static inline TrnVoxel model_voxel(const FluidModel *model, int x, int y, int z)
{
    const TrnVoxel base = trn_coord_voxel(model->origin);
    return (TrnVoxel){base.x + x, base.y + y, base.z + z};
}

/// A block, MODEL_CLOSED outside the world, MODEL_NOT_LOADED.
static inline int model_get(const FluidModel *model, int x, int y, int z)
{
    if (model_has(x, y, z)) {
        return model->loaded[model_chunk_index(x, y, z)] ? model->blocks[model_index(x, y, z)]
                                                         : MODEL_NOT_LOADED;
    }
    return trn_voxel_in_world(model_voxel(model, x, y, z)) ? MODEL_NOT_LOADED : MODEL_CLOSED;
}

static inline bool model_is_open(int block)
{
    return block == WORLD_AIR || block == WORLD_GRASS;
}

/// The liquid of a block: 0 water, 1 lava, or -1.
static inline int model_liquid(int block)
{
    return block >= WORLD_WATER && block < WORLD_WATER + 18 ? (block - WORLD_WATER) / 9 : -1;
}

static inline int model_variant(int block)
{
    return (block - WORLD_WATER) % 9;
}

static inline int model_strength(int variant)
{
    return variant == 8 ? 8 : 8 - variant;
}

/// The block that a liquid makes of a place, or air.
static inline TrnBlock model_pull(const FluidModel *model, int liquid, int x, int y, int z)
{
    const TrnFluidLiquid *own = &model->liquids[liquid];
    int best = 0, sources = 0;
    for (int i = 0; i < 4; i++) {
        const int side = model_get(model, x + model_sides[i][0], y, z + model_sides[i][2]);
        if (model_liquid(side) == liquid) {
            const int strength = model_strength(model_variant(side));
            best = strength > best ? strength : best;
            sources += model_variant(side) == 0;
        }
    }
    const bool falls = model_liquid(model_get(model, x, y + 1, z)) == liquid;
    const bool is_fed = falls || best > own->decay;
    const int below = model_get(model, x, y - 1, z);
    const bool rests = !model_is_open(below) && below != MODEL_NOT_LOADED &&
                       (model_liquid(below) < 0 || below == own->blocks[0]);
    const bool is_sea = own->has_sea && model_voxel(model, x, y, z).y <= own->sea_y && is_fed;
    if (rests && (is_sea || (own->renews && sources >= 2))) {
        return own->blocks[0];
    }
    return !is_fed ? WORLD_AIR : falls ? own->blocks[8] : own->blocks[8 - (best - own->decay)];
}

/// Whether a liquid passes a place on its way to a drop.
static inline bool model_passes(const FluidModel *model, int liquid, int x, int y, int z)
{
    const int block = model_get(model, x, y, z);
    return model_is_open(block) || (model_liquid(block) == liquid && model_variant(block) != 0);
}

/// How many voxels it is from a place to a drop; more than `most` if there is none so near.
static inline int model_way(const FluidModel *model, int liquid, int x, int y, int z, int from,
                            int most)
{
    if (!model_passes(model, liquid, x, y, z)) {
        return 100;
    }
    const int below = model_get(model, x, y - 1, z);
    if (model_is_open(below) || model_liquid(below) == liquid) {
        return 0;
    }
    int best = 100;
    for (int i = 0; i < 4 && most > 0; i++) {
        if (i != from) {
            const int way = model_way(model, liquid, x + model_sides[i][0], y,
                                      z + model_sides[i][2], i ^ 1, most - 1);
            best = way + 1 < best ? way + 1 : best;
        }
    }
    return best;
}

static inline void model_enter(FluidModel *model, int liquid, int x, int y, int z)
{
    const TrnBlock block = model_pull(model, liquid, x, y, z);
    TrnBlock *next = &model->next[model_index(x, y, z)];
    if (block != WORLD_AIR && (*next == model->blocks[model_index(x, y, z)] || liquid == 0)) {
        *next = block; // water first
    }
}

static inline void model_spread(FluidModel *model, int liquid, int x, int y, int z)
{
    int ways[4], nearest = 100;
    for (int i = 0; i < 4; i++) {
        ways[i] = model_way(model, liquid, x + model_sides[i][0], y, z + model_sides[i][2], i ^ 1,
                            model->liquids[liquid].drop_voxels);
        nearest = ways[i] < nearest ? ways[i] : nearest;
    }
    for (int i = 0; i < 4; i++) {
        const int side = model_get(model, x + model_sides[i][0], y, z + model_sides[i][2]);
        if (model_is_open(side) && (ways[i] == nearest || nearest == 100)) {
            model_enter(model, liquid, x + model_sides[i][0], y, z + model_sides[i][2]);
        }
    }
}

/// What a voxel of a liquid does.
static inline void model_act(FluidModel *model, int liquid, int x, int y, int z)
{
    const TrnFluidLiquid *own = &model->liquids[liquid];
    const TrnBlock block = model->blocks[model_index(x, y, z)];
    TrnBlock *next = &model->next[model_index(x, y, z)];
    const int variant = model_variant(block);
    for (int i = 0; i < 6 && liquid == 1; i++) {
        const int side =
            model_get(model, x + model_sides[i][0], y + model_sides[i][1], z + model_sides[i][2]);
        if (model_liquid(side) == 0) {
            *next = variant == 0 ? model->reaction.source : model->reaction.flow;
            return;
        }
    }
    const TrnBlock now = variant == 0 ? block : model_pull(model, liquid, x, y, z);
    const int below = model_get(model, x, y - 1, z);
    if (now != block) {
        *next = now;
    } else if (model_is_open(below)) {
        model_enter(model, liquid, x, y - 1, z);
    } else if (model_strength(variant) > own->decay &&
               (model_liquid(below) != liquid || (variant == 0 && below == own->blocks[0]))) {
        model_spread(model, liquid, x, y, z);
    }
}

/// Whether a voxel or a side of it is not loaded.
static inline bool model_must_wait(const FluidModel *model, int x, int y, int z)
{
    bool waits = model_get(model, x, y, z) == MODEL_NOT_LOADED;
    for (int i = 0; i < 6; i++) {
        waits = waits || model_get(model, x + model_sides[i][0], y + model_sides[i][1],
                                   z + model_sides[i][2]) == MODEL_NOT_LOADED;
    }
    return waits;
}

static inline void model_make_due(FluidModel *model, int x, int y, int z)
{
    const int liquid = model_liquid(model_get(model, x, y, z));
    if (liquid >= 0) {
        model->due[1 + liquid][model_index(x, y, z)] = true;
    }
}

/// Makes the voxels of liquids due that may find another way to a drop, since a voxel changed:
/// those with an open side. The fluid does not see the sides of voxels six rows beyond the chunk.
static inline void model_look_far(FluidModel *model, int liquid, int x, int y, int z)
{
    const int far = model->liquids[liquid].drop_voxels + 1;
    for (int dz = -far; dz <= far; dz++) {
        for (int dx = abs(dz) - far; dx <= far - abs(dz); dx++) {
            const int at = z + dz - z / 32 * 32;
            bool has_open_side = at == -6 || at == 37;
            for (int i = 0; i < 4; i++) {
                has_open_side =
                    has_open_side || model_is_open(model_get(model, x + dx + model_sides[i][0], y,
                                                             z + dz + model_sides[i][2]));
            }
            if (has_open_side && model_liquid(model_get(model, x + dx, y, z + dz)) == liquid) {
                model_make_due(model, x + dx, y, z + dz);
            }
        }
    }
}

/// Handles a voxel of a lane.
static inline void model_look(FluidModel *model, int lane, int x, int y, int z)
{
    const uint32_t index = model_index(x, y, z);
    const bool waits = model_must_wait(model, x, y, z);
    const bool is_loaded = model_get(model, x, y, z) != MODEL_NOT_LOADED;
    model->due[lane][index] = false;
    if (lane == 0 && is_loaded) {
        model_make_due(model, x, y, z);
        for (int i = 0; i < 6; i++) {
            model_make_due(model, x + model_sides[i][0], y + model_sides[i][1],
                           z + model_sides[i][2]);
        }
        for (int i = 0; i < 4; i++) {
            model_look_far(model, i % 2, x, y + i / 2, z);
        }
    }
    if (waits && (lane == 0 || !is_loaded || model_liquid(model->blocks[index]) == lane - 1)) {
        model->asleep[lane][index] = true;
    } else if (lane > 0 && model_liquid(model->blocks[index]) == lane - 1) {
        model_act(model, lane - 1, x, y, z);
    }
}

static inline void model_look_lane(FluidModel *model, int lane)
{
    for (int y = 0; y < MODEL_Y * 32; y++) {
        for (int z = 0; z < MODEL_Z * 32; z++) {
            const bool *row = &model->due[lane][model_index(0, y, z)];
            for (int x = 0; x < MODEL_X * 32; x++) {
                if (row[x]) {
                    model_look(model, lane, x, y, z);
                }
            }
        }
    }
}

/// Writes a voxel that is loaded.
static inline void model_write(FluidModel *model, uint32_t index, TrnBlock block)
{
    model->due[0][index] = model->due[0][index] || model->blocks[index] != block;
    model->blocks[index] = block;
}

static inline void model_step(FluidModel *model)
{
    model_look_lane(model, 0);
    memcpy(model->next, model->blocks, sizeof model->blocks);
    for (int liquid = 1; liquid >= 0; liquid--) {
        if (model->step % model->liquids[liquid].delay == 0) {
            model_look_lane(model, 1 + liquid);
        }
    }
    for (uint32_t i = 0; i < MODEL_VOXELS; i++) {
        if (model->next[i] != model->blocks[i]) {
            model_write(model, i, model->next[i]);
        }
    }
    model->step++;
}

/// Wakes what sleeps in a chunk and in those at its faces.
static inline void model_arrives(FluidModel *model, uint32_t chunk)
{
    const TrnCoord at = model_coord(model, chunk);
    for (int y = 0; y < MODEL_Y * 32; y++) {
        for (int z = 0; z < MODEL_Z * 32; z++) {
            for (int x = 0; x < MODEL_X * 32; x++) {
                const TrnCoord own = model_coord(model, model_chunk_index(x, y, z));
                const int far = abs(own.x - at.x) + abs(own.y - at.y) + abs(own.z - at.z);
                for (int lane = 0; lane < MODEL_LANES && far <= 1; lane++) {
                    const uint32_t index = model_index(x, y, z);
                    model->due[lane][index] |= model->asleep[lane][index];
                    model->asleep[lane][index] = false;
                }
            }
        }
    }
}

/// Copies a chunk out of the model, in the order of a store.
static inline void model_copy_chunk(const FluidModel *model, uint32_t chunk, TrnBlock *blocks)
{
    const int cx = (int)(chunk % MODEL_X) * 32, cz = (int)(chunk / MODEL_X % MODEL_Z) * 32;
    const int cy = (int)(chunk / (MODEL_X * MODEL_Z)) * 32;
    for (uint32_t i = 0; i < TRN_CHUNK_EDGE * TRN_CHUNK_EDGE; i++) {
        memcpy(blocks + (size_t)i * 32,
               &model->blocks[model_index(cx, cy + (int)(i / 32), cz + (int)(i % 32))],
               32 * sizeof *blocks);
    }
}
