#include "hand/turn.h"

#include <math.h>
#include <string.h>

#define TURNS 4u

/// Returns the turn whose +x is the look's direction.
static uint32_t turn_of_look(const double direction[3])
{
    const bool along_x = fabs(direction[0]) >= fabs(direction[2]);
    const bool backwards = (along_x ? direction[0] : direction[2]) < 0;
    return (along_x ? 0u : 1u) + (backwards ? 2u : 0u);
}

/// Returns the turn whose -x side is at the wall: its +x points away from the wall.
static uint32_t turn_of_wall(const TurnAim *aim)
{
    switch (aim->face) {
    case TRN_FACE_POS_X:
        return 0;
    case TRN_FACE_POS_Z:
        return 1;
    case TRN_FACE_NEG_X:
        return 2;
    case TRN_FACE_NEG_Z:
        return 3;
    default:
        return (turn_of_look(aim->direction) + 2) % TURNS;
    }
}

static bool turn_is_upside_down(const TurnAim *aim)
{
    return aim->face == TRN_FACE_NEG_Y || (aim->face != TRN_FACE_POS_Y && aim->height > 0.5);
}

/// Returns the form of a block for a face: forms for walls and ceilings instead of the standing
/// one.
static TrnBlock turn_find_form(const TrnBlockTypes *types, TrnBlock block, TrnFace face)
{
    static const struct {
        const char *stands, *other;
        bool hangs;
    } forms[] = {{"terrane:torch", "terrane:wall_torch", false},
                 {"terrane:standing_lantern", "terrane:hanging_lantern", true}};
    const char *name = trn_block_types_get(types, block)->name;
    const bool is_wall = face < TRN_FACE_COUNT && face != TRN_FACE_NEG_Y && face != TRN_FACE_POS_Y;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const bool is_place = forms[i].hangs ? face == TRN_FACE_NEG_Y : is_wall;
        if (is_place && strcmp(name, forms[i].stands) == 0) {
            (void)trn_block_types_find(types, forms[i].other, &block);
            return block;
        }
    }
    return block;
}

TrnBlock turn_block(const TrnBlockTypes *types, TrnBlock block, const TurnAim *aim)
{
    block = turn_find_form(types, block, aim->face);
    const TrnBlockType *type = trn_block_types_get(types, block);
    if (type->kind != TRN_BLOCK_KIND_MODEL) {
        return block;
    }
    const uint32_t turn = type->is_solid ? turn_of_look(aim->direction) : turn_of_wall(aim);
    const TrnBlock turned =
        trn_block_types_variant(types, block, turn + (turn_is_upside_down(aim) ? TURNS : 0));
    const TrnBlock upright = trn_block_types_variant(types, block, turn);
    return turned != TRN_BLOCK_AIR ? turned : upright != TRN_BLOCK_AIR ? upright : block;
}
