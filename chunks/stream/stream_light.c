// The light of a chunk, solved in its mesh job.

#include "stream_light.h"

#include <stdalign.h>
#include <string.h>

#include "base/around.h"
#include "base/memory.h"
#include "voxels/voxel_read_internal.h"

#define LIGHT_DEPTH_MAX 1024 // chunks below the ceiling that the generator is asked for

TrnResult trn_stream_light_create(const TrnAllocator *allocator, TrnStreamLight **light)
{
    TrnStreamLight *created = trn_take(allocator, sizeof *created, alignof(TrnStreamLight));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = trn_light_solver_create(allocator, &created->solver);
    if (result != TRN_RESULT_OK) {
        trn_give(allocator, created, sizeof *created);
        return result;
    }
    *light = created;
    return TRN_RESULT_OK;
}

void trn_stream_light_destroy(const TrnAllocator *allocator, TrnStreamLight *light)
{
    if (light) {
        trn_light_solver_destroy(light->solver);
        trn_give(allocator, light, sizeof *light);
    }
}

bool trn_stream_light_asks(const TrnGenerator *generator, int32_t y)
{
    return generator->has_ceiling && y <= generator->ceiling &&
           (int64_t)generator->ceiling - y < LIGHT_DEPTH_MAX;
}

bool trn_stream_highest_loaded(const TrnStore *store, TrnBox box, int32_t *y)
{
    if (trn_store_gather(store, box, NULL, 0) == 0) {
        return false;
    }
    while (box.min.y < box.max.y) { // the highest is in the box
        const int32_t middle = (int32_t)(((int64_t)box.min.y + box.max.y) >> 1);
        TrnBox upper = box;
        upper.min.y = middle + 1;
        if (trn_store_gather(store, upper, NULL, 0) > 0) {
            box.min.y = middle + 1;
        } else {
            box.max.y = middle;
        }
    }
    *y = box.min.y;
    return true;
}

/// Finds what is open above a column of the 27 chunks.
/// @param column  x fastest, then z
/// @param upper   the upper chunk of the column
/// @param open    receives a mask, or NULL where all is open
static TrnResult light_open_column(TrnStreamLight *light, const TrnBlockTypes *types, TrnSky *sky,
                                   const TrnSkySource *source, TrnCoord coord, uint32_t column,
                                   TrnSnapshot upper, const uint32_t **open)
{
    const int64_t x = (int64_t)coord.x + column % 3 - 1, z = (int64_t)coord.z + column / 3 - 1;
    const int64_t y = (int64_t)coord.y + 2;
    TrnSkyMask *mask = &light->open[column];
    *open = NULL;
    const int64_t first = trn_level_first(light->level), last = trn_level_last(light->level);
    if (y > last || x < first || x > last || z < first || z > last) {
        return TRN_RESULT_OK; // beyond the world there is air
    }
    *open = mask->rows;
    trn_light_open_beyond(upper, types, mask->rows);
    if (trn_sky_mask_is_empty(mask)) {
        return TRN_RESULT_OK; // whatever is above; underground it is not asked for
    }
    return trn_sky_open(sky, source, (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z}, mask);
}

TrnResult trn_stream_light_solve(TrnStreamLight *light, const TrnBlockTypes *types, TrnSky *sky,
                                 const TrnSkySource *source, TrnCoord coord,
                                 TrnStreamMeshInput *input)
{
    TrnSnapshot around[TRN_AROUND_COUNT];
    const uint32_t *open[9];
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        around[place] =
            input->present >> place & 1 ? input->around[place] : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    }
    for (uint32_t column = 0; column < 9; column++) {
        const TrnSnapshot upper = around[TRN_AROUND_COUNT - 9 + column];
        const TrnResult result =
            light_open_column(light, types, sky, source, coord, column, upper, &open[column]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    trn_light_read(light->solver, around, types);
    trn_light_sky(light->solver, open, &light->sky);
    trn_light_blocks(light->solver, NULL, &light->blocks);
    input->sky = &light->sky;
    input->blocks = &light->blocks;
    return TRN_RESULT_OK;
}

static uint64_t light_hash(const TrnLight *light, uint64_t key, uint64_t before)
{
    return light->constant == TRN_LIGHT_VARIES
               ? trn_voxel_hash_bytes(light->planes, sizeof light->planes, key, before)
               : trn_voxel_hash_bytes(&light->constant, sizeof light->constant, key, before);
}

uint64_t trn_stream_light_hash(const TrnStreamLight *light, uint64_t key)
{
    const uint64_t hash = light_hash(&light->blocks, key, light_hash(&light->sky, key, 0));
    return hash ? hash : 1;
}

// ---- light that is kept -------------------------------------------------------------------------

TrnStreamPacked *trn_stream_packed_create(const TrnAllocator *allocator, TrnLightPack pack,
                                          const void *cells)
{
    TrnStreamPacked *packed =
        trn_take(allocator, sizeof *packed + pack.bytes, alignof(TrnStreamPacked));
    if (packed) {
        packed->pack = pack;
        packed->pack.cells = packed->cells;
        memcpy(packed->cells, cells, pack.bytes);
    }
    return packed;
}

void trn_stream_packed_destroy(const TrnAllocator *allocator, TrnStreamPacked *packed)
{
    if (packed) {
        trn_give(allocator, packed, trn_stream_packed_bytes(packed));
    }
}

TrnResult trn_stream_kept_light_set(TrnStreamKeptLight *kept, TrnCoord coord,
                                    TrnStreamPacked *packed, TrnStreamPacked **old)
{
    TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    *old = entry ? entry->pointer : NULL;
    if (!entry) {
        if (trn_coord_map_reserve(&kept->chunks, kept->owner, 1) != TRN_RESULT_OK) {
            return TRN_RESULT_NO_MEMORY;
        }
        entry = trn_coord_map_add(&kept->chunks, coord);
    }
    entry->pointer = packed;
    return TRN_RESULT_OK;
}

TrnStreamPacked *trn_stream_kept_light_take(TrnStreamKeptLight *kept, TrnCoord coord)
{
    TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    TrnStreamPacked *packed = entry ? entry->pointer : NULL;
    if (entry) {
        trn_coord_map_remove(&kept->chunks, entry);
    }
    return packed;
}

const TrnStreamPacked *trn_stream_kept_light_find(const TrnStreamKeptLight *kept, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&kept->chunks, coord);
    return entry ? entry->pointer : NULL;
}

size_t trn_stream_kept_light_clear(TrnStreamKeptLight *kept)
{
    size_t bytes = 0;
    uint64_t at = 0;
    for (TrnCoordEntry *entry; (entry = trn_coord_map_next(&kept->chunks, &at));) {
        bytes += trn_stream_packed_bytes(entry->pointer);
        trn_stream_packed_destroy(&kept->allocator, entry->pointer);
    }
    if (kept->owner) {
        trn_coord_map_free(&kept->chunks, kept->owner);
    }
    return bytes;
}
