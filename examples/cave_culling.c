// Cave culling: finds the chunks that can be seen from a cave. The walk passes from one face of a
// chunk to another only where open voxels connect them, so the rest of the land is not drawn.
#include <stdio.h>

#include <terrane/batch.h>
#include <terrane/visibility.h>

enum { RADIUS = 4, EDGE = 2 * RADIUS + 1, IN_VIEW = EDGE * EDGE * EDGE };

/// A chunk that the walk has reached.
typedef struct Step {
    TrnCoord coord;
    uint32_t entered; // the face by which it was entered; TRN_FACE_COUNT: the walk begins here
} Step;

typedef struct Walk {
    Step steps[IN_VIEW];
    size_t count;
    bool is_seen[EDGE][EDGE][EDGE];
} Walk;

/// Stone, with a cave at the origin and a corridor that leads away from it.
static TrnResult make_land(TrnStore *store)
{
    TrnResult result = TRN_RESULT_OK;
    for (int32_t i = 0; i < IN_VIEW && result == TRN_RESULT_OK; i++) {
        const TrnCoord coord = {i % EDGE - RADIUS, i / EDGE % EDGE - RADIUS,
                                i / EDGE / EDGE - RADIUS};
        result = trn_store_insert_uniform(store, coord, TRN_BLOCK_STONE, NULL);
    }
    TrnBatch *batch;
    result = result == TRN_RESULT_OK ? trn_batch_begin(store, NULL, &batch) : result;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_batch_fill_sphere(batch, (TrnVoxel){16, 16, 16}, 12, TRN_BLOCK_AIR);
    trn_batch_fill_box(batch, (TrnVoxel){16, 16, 16}, (TrnVoxel){100, 18, 18}, TRN_BLOCK_AIR);
    return trn_batch_commit(batch, NULL);
}

/// A game finds it where it builds the chunk's mesh, and keeps it with the chunk: it has 15 bits.
static TrnVisibility visibility_of(const TrnStore *store, TrnCoord coord)
{
    TrnSnapshot voxels;
    const uint32_t *opaque = trn_block_types_opaque_bits(trn_store_block_types(store));
    return trn_store_snapshot(store, coord, &voxels) == TRN_RESULT_OK
               ? trn_visibility_of_snapshot(voxels, opaque)
               : TRN_VISIBILITY_ALL;
}

static void enter(Walk *walk, TrnCoord coord, uint32_t by)
{
    if (trn_box_contains(trn_box_around((TrnCoord){0, 0, 0}, RADIUS, RADIUS, RADIUS), coord)) {
        bool *is_seen = &walk->is_seen[coord.y + RADIUS][coord.z + RADIUS][coord.x + RADIUS];
        if (!*is_seen) {
            walk->steps[walk->count++] = (Step){coord, by};
        }
        *is_seen = true;
    }
}

int main(void)
{
    static Walk walk;
    TrnStore *store = NULL;
    TrnResult result = trn_store_create(NULL, &store);
    result = result == TRN_RESULT_OK ? make_land(store) : result;
    enter(&walk, (TrnCoord){0, 0, 0}, TRN_FACE_COUNT); // the camera's chunk
    for (size_t i = 0; i < walk.count && result == TRN_RESULT_OK; i++) {
        const Step step = walk.steps[i];
        const TrnVisibility visibility = visibility_of(store, step.coord);
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            if (step.entered == TRN_FACE_COUNT ||
                trn_visibility_joins(visibility, (TrnFace)step.entered, (TrnFace)face)) {
                enter(&walk, trn_coord_neighbour(step.coord, (TrnFace)face), face ^ 1u);
            }
        }
    }
    printf("%zu of %d chunks may be seen.\n", walk.count, IN_VIEW);
    trn_store_destroy(store);
    return result == TRN_RESULT_OK ? 0 : 1;
}
