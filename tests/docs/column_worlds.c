// Code of docs/column-worlds.md: columns of several chunks in a store.

#include <stdio.h>
#include <terrane/store.h>

enum { LOWEST = -2, HIGHEST = 3, HEIGHT = HIGHEST - LOWEST + 1 };

/// The chunks of a column, in any order.
static size_t column_gather(const TrnStore *store, int32_t x, int32_t z, TrnChunk **out,
                            size_t capacity)
{
    const TrnBox column = {{x, LOWEST, z}, {x, HIGHEST, z}};
    return trn_store_gather(store, column, out, capacity);
}

/// Whether all chunks of a column and of the eight around it have their bit in a plane.
static bool column_is_surrounded(const TrnStore *store, int32_t x, int32_t z, TrnPlane plane)
{
    const TrnVoxel min = trn_coord_voxel((TrnCoord){x - 1, LOWEST, z - 1});
    TrnVoxel max = trn_coord_voxel((TrnCoord){x + 1, HIGHEST, z + 1});
    max.x += TRN_CHUNK_EDGE - 1;
    max.y += TRN_CHUNK_EDGE - 1;
    max.z += TRN_CHUNK_EDGE - 1;
    return trn_store_box_has(store, min, max, plane);
}

/// Inserts three by three columns around the origin, but not the highest chunk of the last.
static bool insert_columns(TrnStore *store)
{
    for (int32_t i = 0; i < 9 * HEIGHT - 1; i++) {
        const TrnCoord coord = {i / HEIGHT % 3 - 1, LOWEST + i % HEIGHT, i / (3 * HEIGHT) - 1};
        if (trn_store_insert_uniform(store, coord, TRN_BLOCK_STONE, NULL) != TRN_RESULT_OK) {
            return false;
        }
    }
    return true;
}

int main(void)
{
    TrnStore *store;
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    TrnChunk *chunks[HEIGHT];
    bool is_ok = insert_columns(store) && column_gather(store, 0, 0, chunks, HEIGHT) == HEIGHT &&
                 column_gather(store, 1, 1, chunks, HEIGHT) == HEIGHT - 1 &&
                 !column_is_surrounded(store, 0, 0, TRN_PLANE_PRESENT);
    const TrnCoord last = {1, HIGHEST, 1};
    is_ok = is_ok && trn_store_insert_uniform(store, last, 0, NULL) == TRN_RESULT_OK &&
            column_is_surrounded(store, 0, 0, TRN_PLANE_PRESENT) &&
            !column_is_surrounded(store, 1, 0, TRN_PLANE_PRESENT);
    printf("%s\n", is_ok ? "Columns are gathered and surrounded." : "wrong");
    trn_store_destroy(store);
    return is_ok ? 0 : 1;
}
