// What readers call: find chunks, cursors, snapshots and blocks. Nothing here changes the store.

#include "store/store_impl.h"

uint64_t trn_store_revision(const TrnStore *store)
{
    return __atomic_load_n(&store->revision, __ATOMIC_ACQUIRE);
}

// ---- find --------------------------------------------------------------------------------------

TrnChunk *trn_store_find(const TrnStore *store, TrnCoord coord)
{
    return trn_chunk_index_find_slot(store->index, store->headers, coord.x, coord.y, coord.z);
}

/// The chunk that holds a voxel of the world, or NULL.
static inline const TrnChunk *read_chunk_of(const TrnStore *store, TrnVoxel voxel)
{
    return trn_chunk_index_find_slot(
        store->index, store->headers, (int32_t)(voxel.x >> TRN_CHUNK_SHIFT),
        (int32_t)(voxel.y >> TRN_CHUNK_SHIFT), (int32_t)(voxel.z >> TRN_CHUNK_SHIFT));
}

size_t trn_store_gather(const TrnStore *store, TrnBox box, TrnChunk **out, size_t capacity)
{
    // The gather writes the array as one of void pointers, as the pool does for every type.
    const TrnChunkGather gather = {
        .box = box, .pointers = (void **)out, .pool = store->headers, .capacity = capacity};
    return trn_chunk_index_gather(store->index, &gather);
}

void trn_store_neighbours(const TrnStore *store, TrnCoord coord, TrnChunk *out[TRN_FACE_COUNT])
{
    uint32_t slots[TRN_FACE_COUNT];
    trn_chunk_index_neighbours(store->index, coord, slots);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        out[face] =
            slots[face] == TRN_CHUNK_VALUE_NONE ? NULL : trn_header_chunk(store, slots[face]);
    }
}

/// Whether a chunk is loaded and has its bit in a plane. A plane may have bits of unloaded chunks.
static bool read_chunk_has(const TrnStore *store, TrnCoord coord, TrnPlane plane)
{
    return trn_chunk_index_plane_test(store->index, plane, coord) &&
           trn_chunk_index_plane_test(store->index, TRN_PLANE_PRESENT, coord);
}

static bool read_layer_has(const TrnStore *store, TrnBox box, int32_t y, TrnPlane plane)
{
    for (int64_t z = box.min.z; z <= box.max.z; z++) { // int32 would wrap at its end
        for (int64_t x = box.min.x; x <= box.max.x; x++) {
            if (!read_chunk_has(store, (TrnCoord){(int32_t)x, y, (int32_t)z}, plane)) {
                return false;
            }
        }
    }
    return true;
}

bool trn_store_box_has(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnPlane plane)
{
    if (!trn_voxel_in_world(min) || !trn_voxel_in_world(max) || min.x > max.x || min.y > max.y ||
        min.z > max.z) {
        return false;
    }
    const TrnBox box = {trn_voxel_chunk(min), trn_voxel_chunk(max)};
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        if (!read_layer_has(store, box, (int32_t)y, plane)) {
            return false;
        }
    }
    return true;
}

// ---- cursors -----------------------------------------------------------------------------------

TrnCursor trn_cursor(const TrnStore *store)
{
    TrnCursor cursor = {.store = store};
    // No chunk has this lowest voxel: the first call looks a chunk up.
    const TrnCursorChunk nowhere = {.x = UINT64_C(1) << 63};
    cursor.now = nowhere;
    for (uint32_t i = 0; i < sizeof cursor.cache / sizeof cursor.cache[0]; i++) {
        cursor.cache[i] = nowhere;
    }
    return cursor;
}

/// The voxels of the chunk that holds a voxel, looked up in the store.
static const TrnVoxels *cursor_look_up(const TrnCursor *cursor, TrnVoxel voxel)
{
    const TrnChunk *chunk = read_chunk_of(cursor->store, voxel);
    return chunk ? &chunk->voxels : NULL;
}

const TrnVoxels *trn_cursor_move(TrnCursor *cursor, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel voxel = {x, y, z};
    if (!trn_voxel_in_world(voxel)) {
        return NULL;
    }
    const uint64_t inside = TRN_CHUNK_EDGE - 1;
    const uint64_t low_x = (uint64_t)x & ~inside, low_y = (uint64_t)y & ~inside,
                   low_z = (uint64_t)z & ~inside;
    TrnCursorChunk *place =
        &cursor->cache[(low_x >> TRN_CHUNK_SHIFT & 1) | (low_z >> TRN_CHUNK_SHIFT & 1) << 1 |
                       (low_y >> TRN_CHUNK_SHIFT & 1) << 2];
    const TrnVoxels *voxels = place->voxels;
    if (((place->x ^ low_x) | (place->y ^ low_y) | (place->z ^ low_z)) != 0) {
        voxels = cursor_look_up(cursor, voxel);
        place->x = low_x;
        place->y = low_y;
        place->z = low_z;
        place->voxels = voxels;
    }
    // Field by field from registers: gcc copies a struct in wider parts than its fields were just
    // written in, and store forwarding cannot serve that.
    cursor->now.x = low_x;
    cursor->now.y = low_y;
    cursor->now.z = low_z;
    cursor->now.voxels = voxels;
    return voxels;
}

// ---- voxels ------------------------------------------------------------------------------------

TrnResult trn_store_snapshot(const TrnStore *store, TrnCoord coord, TrnSnapshot *snapshot)
{
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    *snapshot = trn_voxels_snapshot(&chunk->voxels);
    return TRN_RESULT_OK;
}

uint32_t trn_store_snapshot_around(const TrnStore *store, TrnCoord coord,
                                   TrnSnapshot out[TRN_AROUND_COUNT])
{
    uint32_t values[27], slots[27], places[27], count = 0, present = 0;
    void *chunks[27];
    trn_chunk_index_around(store->index, coord, values);
    for (uint32_t i = 0; i < 27; i++) {
        const bool is_loaded = values[i] != TRN_CHUNK_VALUE_NONE;
        out[i] = trn_snapshot_of(TRN_BLOCK_AIR, 0);
        slots[count] = values[i];
        places[count] = i;
        count += is_loaded;
        present |= (uint32_t)is_loaded << i;
    }
    trn_pool_pointers(store->headers, slots, count, chunks);
    for (uint32_t i = 0; i < count; i++) {
        out[places[i]] = trn_voxels_snapshot(&((const TrnChunk *)chunks[i])->voxels);
    }
    return present;
}

TrnResult trn_store_get_block_at(const TrnStore *store, int64_t x, int64_t y, int64_t z,
                                 TrnBlock *block)
{
    const TrnVoxel voxel = {x, y, z};
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnChunk *chunk = read_chunk_of(store, voxel);
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    *block = trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), trn_voxel_local_index(voxel));
    return TRN_RESULT_OK;
}
