// The public overlap test: which kinds of blocks a box overlaps.

#include "physics/box.h"

static bool overlap_is_valid(TrnPosition bottom, const double size[3])
{
    bool is_valid = trn_position_is_valid(bottom);
    for (int axis = 0; axis < 3; axis++) {
        is_valid &= trn_number_within(size[axis], 0, TRN_BODY_SIZE_MAX);
    }
    return is_valid;
}

TrnResult trn_store_overlap(const TrnStore *store, TrnPosition bottom, const double size[3],
                            TrnOverlap *overlap)
{
    if (!store || !size || !overlap || !overlap_is_valid(bottom, size)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBoxWorld world;
    TrnBodyBox box;
    trn_box_begin(&world, &box, store, bottom, size);
    const TrnBoxTouch touch = trn_box_touch(&world, &box);
    *overlap = (TrnOverlap){.solid = touch.solid,
                            .liquid = trn_box_is_in_liquid(&touch, &box),
                            .climbable = touch.climbable,
                            .unloaded = touch.unloaded};
    if (touch.solid) {
        overlap->first_solid = trn_coord_voxel(world.origin);
        overlap->first_solid.x += touch.first_solid[0];
        overlap->first_solid.y += touch.first_solid[1];
        overlap->first_solid.z += touch.first_solid[2];
    }
    overlap->liquid_depth = trn_grid_voxels(trn_box_liquid_depth(&touch, &box));
    return TRN_RESULT_OK;
}
