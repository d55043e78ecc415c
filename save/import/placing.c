#include "placing.h"

#include <string.h>

/// A point on the ground. A place takes -1 - x for -x.
typedef struct PlacePoint {
    int64_t x, z;
} PlacePoint;

static PlacePoint place_apply(const TrnImportPlace *place, PlacePoint point)
{
    point.x = place->mirrors_x ? -1 - point.x : point.x;
    point.z = place->mirrors_z ? -1 - point.z : point.z;
    for (uint32_t i = 0; i < place->quarters % 4; i++) {
        point = (PlacePoint){-1 - point.z, point.x};
    }
    return point;
}

static PlacePoint place_undo(const TrnImportPlace *place, PlacePoint point)
{
    for (uint32_t i = 0; i < place->quarters % 4; i++) {
        point = (PlacePoint){point.z, -1 - point.x};
    }
    point.x = place->mirrors_x ? -1 - point.x : point.x;
    point.z = place->mirrors_z ? -1 - point.z : point.z;
    return point;
}

TrnVoxel trn_place_voxel(const TrnImportPlace *place, TrnVoxel voxel)
{
    const PlacePoint to = place_apply(place, (PlacePoint){voxel.x, voxel.z});
    return (TrnVoxel){to.x, voxel.y, to.z};
}

TrnCoord trn_place_chunk(const TrnImportPlace *place, TrnCoord chunk)
{
    const PlacePoint to = place_apply(place, (PlacePoint){chunk.x, chunk.z});
    return (TrnCoord){(int32_t)to.x, chunk.y, (int32_t)to.z};
}

TrnCoord trn_place_source_chunk(const TrnImportPlace *place, TrnCoord chunk)
{
    const PlacePoint from = place_undo(place, (PlacePoint){chunk.x, chunk.z});
    return (TrnCoord){(int32_t)from.x, chunk.y, (int32_t)from.z};
}

uint32_t trn_place_index(const TrnImportPlace *place, uint32_t index)
{
    const uint32_t edge = TRN_CHUNK_EDGE;
    const PlacePoint to = place_apply(place, (PlacePoint){index % edge, index / edge % edge});
    return index - index % (edge * edge) + (uint32_t)(to.z & (edge - 1)) * edge +
           (uint32_t)(to.x & (edge - 1));
}

TrnVoxel trn_place_offset(const TrnImportPlace *place, const uint32_t size[3], TrnVoxel corner)
{
    // The corner that comes to lie lowest is moved to the voxel that comes to lie at `corner`.
    const PlacePoint first = place_apply(place, (PlacePoint){0, 0});
    const PlacePoint last =
        place_apply(place, (PlacePoint){(int64_t)size[0] - 1, (int64_t)size[2] - 1});
    const PlacePoint low = {first.x < last.x ? first.x : last.x,
                            first.z < last.z ? first.z : last.z};
    const PlacePoint is = place_undo(place, low);
    const PlacePoint wanted = place_undo(place, (PlacePoint){corner.x, corner.z});
    return (TrnVoxel){wanted.x - is.x, corner.y, wanted.z - is.z};
}

// ---- blocks -------------------------------------------------------------------------------------

/// Whether a box of a model is another one in the mirror.
static bool place_mirrors_box(const TrnImportPlace *place, const TrnBlockBox *box,
                              const TrnBlockBox *other)
{
    const bool mirrors[3] = {place->mirrors_x, false, place->mirrors_z};
    bool is_same = true;
    for (int axis = 0; axis < 3; axis++) {
        const int min = mirrors[axis] ? TRN_BLOCK_GRID - box->max[axis] : box->min[axis];
        const int max = mirrors[axis] ? TRN_BLOCK_GRID - box->min[axis] : box->max[axis];
        is_same = is_same && min == other->min[axis] && max == other->max[axis];
    }
    return is_same;
}

/// Whether a model is another one in the mirror, whatever the order of its boxes.
static bool place_mirrors_model(const TrnImportPlace *place, const TrnBlockModel *model,
                                const TrnBlockModel *other)
{
    bool is_same = model->box_count == other->box_count;
    for (uint32_t i = 0; i < model->box_count && is_same; i++) {
        bool has = false;
        for (uint32_t k = 0; k < other->box_count && !has; k++) {
            has = place_mirrors_box(place, &model->boxes[i], &other->boxes[k]);
        }
        is_same = has;
    }
    return is_same;
}

/// The turn of a mirrored block: where its facing points then, if that looks right, or whichever
/// does. An open door hangs on one side, so that its facing alone says too little.
static uint32_t place_mirror_turn(const TrnImportPlace *place, const TrnBlockTypes *types,
                                  const TrnBlockType *type)
{
    const uint32_t half = type->variant & 4u, turn = type->variant & 3u;
    const bool flips = turn % 2 == 0 ? place->mirrors_x : place->mirrors_z;
    const uint32_t usual = flips ? turn ^ 2u : turn;
    for (uint32_t i = 0; i < 4; i++) {
        const TrnBlock block = trn_block_types_variant(types, type->family, half + (usual ^ i));
        const TrnBlockType *other = trn_block_types_get(types, block);
        if (other->model && place_mirrors_model(place, type->model, other->model)) {
            return half + (usual ^ i);
        }
    }
    return half + usual;
}

TrnBlock trn_place_block(const TrnImportPlace *place, const TrnBlockTypes *types, TrnBlock block)
{
    const TrnBlockType *type = trn_block_types_get(types, block);
    if (!type->model || trn_block_types_variant(types, type->family, 3) == TRN_BLOCK_AIR) {
        return block;
    }
    const uint32_t turn = place->mirrors_x || place->mirrors_z
                              ? place_mirror_turn(place, types, type)
                              : type->variant;
    return trn_block_types_variant(types, type->family,
                                   (turn & 4u) | ((turn + place->quarters) & 3u));
}
