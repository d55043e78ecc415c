// Which boxes of a model are there, by its neighbours.

#include "physics/shape.h"

/// The sides that decide which boxes are there.
static uint32_t shape_sides(const TrnBlockModel *model)
{
    uint32_t sides = 0;
    for (uint32_t i = 0; i < model->box_count; i++) {
        sides |= model->boxes[i].connected | model->boxes[i].unconnected;
    }
    return sides;
}

/// The block of the adjacent chunk, or air if that is not loaded or outside the world.
static TrnBlock shape_far_neighbour(const TrnShapePlace *place, TrnFace face, uint32_t index)
{
    const int32_t at[3] = {place->chunk.x, place->chunk.y, place->chunk.z};
    if (at[face / 2] == (face % 2 ? INT32_MAX : INT32_MIN)) {
        return TRN_BLOCK_AIR;
    }
    const TrnChunk *chunk = trn_store_find(place->store, trn_coord_neighbour(place->chunk, face));
    return chunk ? trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), index) : TRN_BLOCK_AIR;
}

static TrnBlock shape_neighbour(const TrnShapePlace *place, TrnFace face)
{
    static const uint32_t shifts[3] = {0, 2 * TRN_CHUNK_SHIFT, TRN_CHUNK_SHIFT};
    const uint32_t shift = shifts[face / 2], last = TRN_CHUNK_EDGE - 1;
    const uint32_t local = place->index >> shift & last;
    const uint32_t next = (face % 2 ? local + 1 : local - 1) & last;
    const uint32_t index = (place->index & ~(last << shift)) | next << shift;
    return local == (face % 2 ? last : 0) ? shape_far_neighbour(place, face, index)
                                          : trn_snapshot_get(place->snapshot, index);
}

uint32_t trn_shape_boxes(const TrnShapePlace *place, const TrnBlockModel *model)
{
    const TrnBlockTypes *types = trn_store_block_types(place->store);
    const uint32_t asked = shape_sides(model);
    uint32_t sides = 0;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        if (asked & 1u << face) {
            const TrnBlock neighbour = shape_neighbour(place, (TrnFace)face);
            const bool connects =
                trn_block_model_connects(model, trn_block_types_get(types, neighbour));
            sides |= (uint32_t)connects << face;
        }
    }
    return trn_block_model_boxes(model, sides);
}
