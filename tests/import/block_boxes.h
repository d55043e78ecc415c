/// Shared by the tests of imports: where the boxes of a model are.
#pragma once

#include <terrane/block_types.h>

/// Whether a box of a model is at a place, in sixteenths; one that depends on neighbours counts.
static inline bool block_has_box(const TrnBlockModel *model, const uint8_t at[3])
{
    bool has_any = false;
    for (uint32_t i = 0; i < model->box_count; i++) {
        const TrnBlockBox *box = &model->boxes[i];
        bool is_in = true;
        for (int axis = 0; axis < 3; axis++) {
            is_in = is_in && at[axis] >= box->min[axis] && at[axis] < box->max[axis];
        }
        has_any |= is_in;
    }
    return has_any;
}
