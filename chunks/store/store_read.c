// What readers call: find chunks, cursors, snapshots and blocks. Nothing here changes the store.

#include "store/store_impl.h"

#include "voxels/voxel_data_table_internal.h"

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

// ---- block data --------------------------------------------------------------------------------

TrnResult trn_store_get_data(const TrnStore *store, TrnVoxel voxel, TrnBlockData *data)
{
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnChunk *chunk = read_chunk_of(store, voxel);
    return chunk && trn_snapshot_get_data(trn_voxels_snapshot(&chunk->voxels),
                                          trn_voxel_local_index(voxel), data)
               ? TRN_RESULT_OK
               : TRN_RESULT_NOT_FOUND;
}

/// A box of voxels whose data is listed.
typedef struct ReadDataList {
    TrnVoxel min, max;
    TrnVoxel low;      ///< lowest voxel of the chunk
    TrnVoxelData *out; ///< [capacity]
    size_t capacity, found;
} ReadDataList;

/// The part of a box along one axis of a chunk. @param low  the chunk's lowest voxel
static void read_cut_axis(int64_t low, int64_t min, int64_t max, uint32_t *from, uint32_t *to)
{
    const int64_t last = TRN_CHUNK_EDGE - 1;
    *from = (uint32_t)(min > low ? min - low : 0);
    *to = (uint32_t)(max < low + last ? max - low : last);
}

static void read_list_one(void *user, const TrnBlockData *data)
{
    ReadDataList *list = user;
    if (list->found < list->capacity) {
        const uint32_t mask = TRN_CHUNK_EDGE - 1, index = data->index;
        list->out[list->found] = (TrnVoxelData){
            .voxel = {list->low.x + (index & mask), list->low.y + (index >> 2 * TRN_CHUNK_SHIFT),
                      list->low.z + (index >> TRN_CHUNK_SHIFT & mask)},
            .data = *data};
    }
    list->found++;
}

/// Lists the data of a chunk that the box touches.
static void read_list_chunk(ReadDataList *list, const TrnChunk *chunk)
{
    uint32_t min[3], max[3];
    list->low = trn_coord_voxel(chunk->coord);
    read_cut_axis(list->low.x, list->min.x, list->max.x, &min[0], &max[0]);
    read_cut_axis(list->low.y, list->min.y, list->max.y, &min[1], &max[1]);
    read_cut_axis(list->low.z, list->min.z, list->max.z, &min[2], &max[2]);
    trn_snapshot_visit_data(trn_voxels_snapshot(&chunk->voxels), min, max, read_list_one, list);
}

/// Halves a box of several chunks along its longest axis. @return the second half
static TrnBox read_split_box(TrnBox *box)
{
    const int64_t x = (int64_t)box->max.x - box->min.x, y = (int64_t)box->max.y - box->min.y;
    const int64_t z = (int64_t)box->max.z - box->min.z;
    TrnBox second = *box;
    if (x >= y && x >= z) {
        box->max.x = (int32_t)(box->min.x + x / 2);
        second.min.x = (int32_t)((int64_t)box->max.x + 1);
    } else if (y >= z) {
        box->max.y = (int32_t)(box->min.y + y / 2);
        second.min.y = (int32_t)((int64_t)box->max.y + 1);
    } else {
        box->max.z = (int32_t)(box->min.z + z / 2);
        second.min.z = (int32_t)((int64_t)box->max.z + 1);
    }
    return second;
}

/// Clips an axis of a box to the world. @return false if nothing is left
static bool read_clip_axis(int64_t *min, int64_t *max)
{
    const int64_t low = (int64_t)INT32_MIN * TRN_CHUNK_EDGE;
    const int64_t high = (int64_t)INT32_MAX * TRN_CHUNK_EDGE + TRN_CHUNK_EDGE - 1;
    const bool is_empty = *min > *max || *min > high || *max < low;
    *min = *min < low ? low : *min;
    *max = *max > high ? high : *max;
    return !is_empty;
}

size_t trn_store_list_data(const TrnStore *store, TrnVoxel min, TrnVoxel max, TrnVoxelData *out,
                           size_t capacity)
{
    enum { CHUNKS = 64, BOXES = 3 * 32 + 1 }; // each split halves one of three axes
    if (!read_clip_axis(&min.x, &max.x) || !read_clip_axis(&min.y, &max.y) ||
        !read_clip_axis(&min.z, &max.z)) {
        return 0;
    }
    ReadDataList list = {.min = min, .max = max, .out = out, .capacity = capacity};
    TrnBox boxes[BOXES] = {{trn_voxel_chunk(min), trn_voxel_chunk(max)}};
    TrnChunk *chunks[CHUNKS];
    // A part with more chunks than the array holds is split: nothing is allocated, and the work
    // depends on the chunks that are loaded, not on the size of the box.
    for (uint32_t left = 1; left > 0;) {
        TrnBox *box = &boxes[left - 1];
        const size_t count = trn_store_gather(store, *box, chunks, CHUNKS);
        if (count > CHUNKS) {
            const TrnBox second = read_split_box(box);
            const TrnBox first = *box;
            *box = second;
            boxes[left++] = first;
            continue;
        }
        left--;
        for (size_t i = 0; i < count; i++) {
            read_list_chunk(&list, chunks[i]);
        }
    }
    return list.found;
}
