// Models and families: which models are valid, which of their boxes are there, and the members of
// a family.

#include "block_types_impl.h"

#define MODEL_SIDES ((1u << TRN_FACE_COUNT) - 1)

// ---- models -------------------------------------------------------------------------------------

static bool model_box_has_volume(const TrnBlockBox *box)
{
    bool has_volume = true;
    for (int axis = 0; axis < 3; axis++) {
        has_volume &= box->min[axis] < box->max[axis] && box->max[axis] <= TRN_BLOCK_GRID;
    }
    return has_volume;
}

static bool model_boxes_overlap(const TrnBlockBox *a, const TrnBlockBox *b)
{
    bool overlap = true;
    for (int axis = 0; axis < 3; axis++) {
        overlap &= a->min[axis] < b->max[axis] && b->min[axis] < a->max[axis];
    }
    return overlap;
}

/// Whether some sides make both boxes present.
static bool model_boxes_coexist(const TrnBlockBox *a, const TrnBlockBox *b)
{
    return !((a->connected | b->connected) & (a->unconnected | b->unconnected));
}

static const char *model_box_problem(const TrnBlockModel *model, uint32_t at)
{
    const TrnBlockBox *box = &model->boxes[at];
    if (!model_box_has_volume(box)) {
        return "is empty or leaves the voxel; write the lowest corner, then a higher one, each "
               "number from 0 to 16.";
    }
    if (((box->connected | box->unconnected) & ~MODEL_SIDES) ||
        (box->connected & box->unconnected)) {
        return "has a side that must be connected and unconnected; keep one of the two.";
    }
    if ((box->connected | box->unconnected) && model->connects == 0) {
        return "depends on connected sides of a model that never connects; add a line such as "
               "connects = 1.";
    }
    for (uint32_t i = 0; i < at; i++) {
        if (model_boxes_overlap(&model->boxes[i], box) &&
            model_boxes_coexist(&model->boxes[i], box)) {
            return "overlaps an earlier box of this model; boxes may only touch, unless their "
                   "sides exclude each other.";
        }
    }
    return NULL;
}

const char *trn_block_model_problem(const TrnBlockModel *model, uint32_t *box)
{
    for (*box = 0; *box < model->box_count; (*box)++) {
        const char *problem = model_box_problem(model, *box);
        if (problem) {
            return problem;
        }
    }
    return NULL;
}

TrnBlockModel trn_block_model_copy(const TrnBlockModel *model)
{
    TrnBlockModel copy = {.box_count = model->box_count, .connects = model->connects};
    memcpy(copy.boxes, model->boxes, model->box_count * sizeof *copy.boxes);
    return copy;
}

bool trn_block_model_is_same(const TrnBlockModel *a, const TrnBlockModel *b)
{
    return a == b || (a && b && a->box_count == b->box_count && a->connects == b->connects &&
                      memcmp(a->boxes, b->boxes, a->box_count * sizeof *a->boxes) == 0);
}

bool trn_block_model_fills_half(const TrnBlockModel *model)
{
    uint32_t volume = 0;
    for (uint32_t i = 0; i < model->box_count; i++) {
        const TrnBlockBox *box = &model->boxes[i];
        if (!box->connected) {
            volume += (uint32_t)(box->max[0] - box->min[0]) *
                      (uint32_t)(box->max[1] - box->min[1]) * (uint32_t)(box->max[2] - box->min[2]);
        }
    }
    return 2 * volume >= TRN_BLOCK_GRID * TRN_BLOCK_GRID * TRN_BLOCK_GRID;
}

bool trn_block_model_connects(const TrnBlockModel *model, const TrnBlockType *neighbour)
{
    return model->connects && (trn_block_kinds[neighbour->kind].is_opaque ||
                               (neighbour->model && neighbour->model->connects == model->connects));
}

uint32_t trn_block_model_boxes(const TrnBlockModel *model, uint32_t sides)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < model->box_count; i++) {
        const TrnBlockBox *box = &model->boxes[i];
        const bool is_there = (box->connected & ~sides) == 0 && (box->unconnected & sides) == 0;
        there |= (uint32_t)is_there << i;
    }
    return there;
}

// ---- turns --------------------------------------------------------------------------------------

/// Where each face is after a move.
typedef struct ModelMove {
    uint8_t face_of[TRN_FACE_COUNT];
} ModelMove;

/// A quarter turn from +x towards +z.
static const ModelMove model_quarter = {{[TRN_FACE_NEG_X] = TRN_FACE_NEG_Z,
                                         [TRN_FACE_POS_X] = TRN_FACE_POS_Z,
                                         [TRN_FACE_NEG_Y] = TRN_FACE_NEG_Y,
                                         [TRN_FACE_POS_Y] = TRN_FACE_POS_Y,
                                         [TRN_FACE_NEG_Z] = TRN_FACE_POS_X,
                                         [TRN_FACE_POS_Z] = TRN_FACE_NEG_X}};

static const ModelMove model_upside_down = {{[TRN_FACE_NEG_X] = TRN_FACE_NEG_X,
                                             [TRN_FACE_POS_X] = TRN_FACE_POS_X,
                                             [TRN_FACE_NEG_Y] = TRN_FACE_POS_Y,
                                             [TRN_FACE_POS_Y] = TRN_FACE_NEG_Y,
                                             [TRN_FACE_NEG_Z] = TRN_FACE_NEG_Z,
                                             [TRN_FACE_POS_Z] = TRN_FACE_POS_Z}};

static void model_move_colours(const ModelMove *move, uint8_t colour[TRN_FACE_COUNT][3],
                               uint16_t layer[TRN_FACE_COUNT])
{
    uint8_t colour_before[TRN_FACE_COUNT][3];
    uint16_t layer_before[TRN_FACE_COUNT];
    memcpy(colour_before, colour, sizeof colour_before);
    memcpy(layer_before, layer, sizeof layer_before);
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        memcpy(colour[move->face_of[face]], colour_before[face], sizeof *colour);
        layer[move->face_of[face]] = layer_before[face];
    }
}

static uint8_t model_move_sides(const ModelMove *move, uint8_t sides)
{
    uint32_t moved = 0;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        moved |= (sides >> face & 1u) << move->face_of[face];
    }
    return (uint8_t)moved;
}

/// Where the plane of a face of a box lies, in 1/16 voxel from the voxel's face on the same side:
/// how far the box stays away from it.
static uint8_t model_box_gap(const TrnBlockBox *box, uint32_t face)
{
    return face % 2 ? (uint8_t)(TRN_BLOCK_GRID - box->max[face / 2]) : box->min[face / 2];
}

static void model_move_box(const ModelMove *move, TrnBlockBox *box)
{
    const TrnBlockBox before = *box;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const uint32_t to = move->face_of[face];
        const uint8_t gap = model_box_gap(&before, face);
        if (to % 2) {
            box->max[to / 2] = (uint8_t)(TRN_BLOCK_GRID - gap);
        } else {
            box->min[to / 2] = gap;
        }
    }
    box->connected = model_move_sides(move, before.connected);
    box->unconnected = model_move_sides(move, before.unconnected);
    model_move_colours(move, box->colour, box->layer);
}

static void model_move_type(const ModelMove *move, TrnBlockType *type, TrnBlockModel *model)
{
    model_move_colours(move, type->colour, type->layer);
    for (uint32_t i = 0; i < model->box_count; i++) {
        model_move_box(move, &model->boxes[i]);
    }
}

// ---- families -----------------------------------------------------------------------------------

bool trn_block_family_count_is_valid(TrnBlockKind kind, uint32_t count)
{
    return kind == TRN_BLOCK_KIND_MODEL    ? count == 4 || count == 8
           : kind == TRN_BLOCK_KIND_LIQUID ? count == TRN_BLOCK_VARIANTS_MAX
                                           : false;
}

void trn_block_family_name(const char *first, uint32_t variant, char name[TRN_BLOCK_NAME_BYTES])
{
    const size_t size = trn_block_name_size(first);
    memset(name, 0, TRN_BLOCK_NAME_BYTES);
    memcpy(name, first, size);
    if (variant) {
        name[size] = '/';
        name[size + 1] = (char)('0' + variant);
    }
}

/// The surface of a flow, falling evenly from below the source's.
static uint8_t family_surface(uint8_t source, uint32_t variant)
{
    if (variant == TRN_BLOCK_VARIANTS_MAX - 1) {
        return TRN_BLOCK_GRID; // falling
    }
    enum { FLOWS = TRN_BLOCK_VARIANTS_MAX - 2 };
    return source < 2 ? 1 : (uint8_t)(1 + (source - 2u) * (FLOWS - variant) / (FLOWS - 1));
}

void trn_block_family_make(TrnBlockFamily *family, const TrnBlockType *type, uint32_t count)
{
    family->count = count;
    for (uint32_t i = 0; i < count; i++) {
        TrnBlockType *member = &family->types[i];
        *member = *type;
        trn_block_family_name(type->name, i, family->names[i]);
        member->name = family->names[i];
        member->variant = (uint8_t)i;
        if (type->kind == TRN_BLOCK_KIND_LIQUID && i > 0) {
            member->surface = family_surface(type->surface, i);
        }
        if (type->model) {
            TrnBlockModel *model = &family->models[i];
            *model = trn_block_model_copy(type->model);
            member->model = model;
            for (uint32_t turn = 0; turn < i % 4; turn++) {
                model_move_type(&model_quarter, member, model);
            }
            if (i >= 4) {
                model_move_type(&model_upside_down, member, model);
            }
        }
    }
}
