#include "hand/hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hand/door.h"
#include "hand/turn.h"

#define RADIUS_AT_FIRST 3.0
#define HAND_HISTORY_BYTES ((size_t)64 << 20)

/// Sets of blocks, one bit an id.
typedef struct HandSets {
    uint32_t count; ///< of types that they know
    /// all but air and liquids: can be aimed at and dug
    uint32_t aimed[TRN_BLOCK_BITS_WORDS];
    uint32_t yielding[TRN_BLOCK_BITS_WORDS]; ///< air, liquids and plants: can be built over
    uint32_t plants[TRN_BLOCK_BITS_WORDS];
    uint32_t one[TRN_BLOCK_BITS_WORDS]; ///< scratch: a set of one block; empty between acts
} HandSets;

struct Hand {
    HandDef def;
    const TrnBlockTypes *types;
    TrnHistory *history;
    Palette palette;
    HandSets sets;
    HandAim aim;
    TurnAim turn;
    BrushBox bodies[HAND_BODIES_MAX]; ///< the voxels that bodies touch
    uint32_t body_count;
    HandTool tool;
    double radius;
    bool has_corner;
    HandAct corner_act; ///< the act that chose the corner
    TrnVoxel corner;
    bool is_pressed;
    bool goes_on; ///< this press has changed voxels
    HandAct act;
    double till_next; ///< seconds until the next act, while pressed
    BrushTaken taken; ///< by the last act
};

const char *hand_outcome_text(HandOutcome outcome)
{
    static const char *const texts[] = {
        [HAND_DONE] = "",
        [HAND_CORNER] = "First corner set: press again at the other.",
        [HAND_SAME] = "Nothing to change.",
        [HAND_NO_AIM] = "No block within reach.",
        [HAND_OCCUPIED] = "There is a block already.",
        [HAND_IN_BODY] = "You stand there.",
        [HAND_END] = "The world ends there, or is not loaded yet.",
        [HAND_KEPT_FULL] = "No more land can be changed: the memory for changed chunks is used up.",
        [HAND_NO_MEMORY] = "Out of memory for this change.",
        [HAND_DONE_FOR_GOOD] = "Done. It is too large to be undone.",
        [HAND_NOTHING_LEFT] = "Nothing to undo or redo.",
    };
    return (size_t)outcome < sizeof texts / sizeof texts[0] ? texts[outcome] : "";
}

// ---- life ---------------------------------------------------------------------------------------

static uint32_t hand_kind_bit(TrnBlockKind kind)
{
    return UINT32_C(1) << kind;
}

static void hand_make_sets(HandSets *sets, const TrnBlockTypes *types)
{
    const uint32_t through =
        hand_kind_bit(TRN_BLOCK_KIND_AIR) | hand_kind_bit(TRN_BLOCK_KIND_LIQUID);
    const uint32_t all = hand_kind_bit(TRN_BLOCK_KIND_COUNT) - 1;
    (void)trn_block_types_all(types, &sets->count);
    trn_block_types_kind_bits(types, all & ~through, sets->aimed);
    trn_block_types_kind_bits(types, through | hand_kind_bit(TRN_BLOCK_KIND_PLANT), sets->yielding);
    trn_block_types_kind_bits(types, hand_kind_bit(TRN_BLOCK_KIND_PLANT), sets->plants);
}

HandDef hand_def(TrnStore *store)
{
    return (HandDef){.store = store, .history_bytes = HAND_HISTORY_BYTES};
}

bool hand_create(Hand **hand, const HandDef *def)
{
    Hand *made = calloc(1, sizeof *made);
    if (!made) {
        return false;
    }
    made->def = *def;
    made->types = trn_store_block_types(def->store);
    made->radius = RADIUS_AT_FIRST;
    made->aim.face = TRN_FACE_COUNT;
    hand_make_sets(&made->sets, made->types);
    const TrnHistoryDef history = {.bytes_max = def->history_bytes};
    if (!palette_create(&made->palette, made->types) ||
        trn_history_create(def->store, &history, &made->history) != TRN_RESULT_OK) {
        hand_destroy(made);
        return false;
    }
    *hand = made;
    return true;
}

void hand_destroy(Hand *hand)
{
    if (!hand) {
        return;
    }
    hand_release(hand);
    trn_history_destroy(hand->history);
    palette_free(&hand->palette);
    free(hand);
}

// ---- aim ----------------------------------------------------------------------------------------

/// Computes the voxels that a body overlaps; sharing a face is no overlap. @return false for an
/// invalid body
static bool hand_body_voxels(const HandBody *body, BrushBox *voxels)
{
    const int32_t chunk[3] = {body->bottom.chunk.x, body->bottom.chunk.y, body->bottom.chunk.z};
    int64_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const double size = body->size[axis], from = body->bottom.offset[axis];
        if (!(size >= 0 && size <= TRN_RAY_DISTANCE_MAX && fabs(from) <= TRN_CHUNK_EDGE)) {
            return false;
        }
        const double bottom = axis == 1 ? from : from - size / 2;
        low[axis] = (int64_t)chunk[axis] * TRN_CHUNK_EDGE + (int64_t)floor(bottom);
        high[axis] = (int64_t)chunk[axis] * TRN_CHUNK_EDGE + (int64_t)ceil(bottom + size) - 1;
    }
    *voxels = (BrushBox){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return true;
}

static bool hand_has_kind(const Hand *hand, TrnBlock block, TrnBlockKind kind)
{
    return trn_block_types_get(hand->types, block)->kind == kind;
}

/// Finds the place to build at. @return false if there is none
static bool hand_find_place(const Hand *hand, const HandAim *aim, TrnVoxel *place)
{
    *place = aim->voxel;
    if (hand_has_kind(hand, aim->block, TRN_BLOCK_KIND_PLANT)) {
        return true;
    }
    *place = trn_voxel_neighbour(aim->voxel, aim->face);
    return aim->face != TRN_FACE_COUNT && trn_voxel_in_world(*place); // not where the eyes are
}

static HandAim hand_look_along(const Hand *hand, const HandLook *look)
{
    HandAim aim = {.face = TRN_FACE_COUNT};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    def.distance_max = look->reach > 0 ? fmin(look->reach, HAND_REACH_MAX) : 0;
    def.stops = hand->sets.aimed;
    def.stops_at_unloaded = true;
    if (trn_store_raycast(hand->def.store, look->eye, look->direction, &def, &hit) !=
            TRN_RESULT_OK ||
        hit.end != TRN_RAY_END_BLOCK) {
        return aim;
    }
    aim = (HandAim){.is_aimed = true,
                    .voxel = hit.voxel,
                    .face = hit.face,
                    .block = hit.block,
                    .distance = hit.distance};
    aim.has_place = hand_find_place(hand, &aim, &aim.place);
    return aim;
}

/// Computes the height in its voxel where the aim hits a block, 0..1.
static double hand_find_height(const HandAim *aim, const HandLook *look)
{
    const double *way = look->direction;
    const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const double from = (double)((int64_t)look->eye.chunk.y * TRN_CHUNK_EDGE - aim->voxel.y);
    return from + look->eye.offset[1] + way[1] / length * aim->distance;
}

void hand_aim(Hand *hand, const HandLook *look)
{
    uint32_t types;
    (void)trn_block_types_all(hand->types, &types);
    if (types != hand->sets.count) { // a building has brought some
        hand_make_sets(&hand->sets, hand->types);
    }
    hand->aim = hand_look_along(hand, look);
    hand->turn = (TurnAim){{look->direction[0], look->direction[1], look->direction[2]},
                           hand->aim.face,
                           hand_find_height(&hand->aim, look)};
    hand->body_count = 0;
    for (uint32_t i = 0; i < look->body_count && i < HAND_BODIES_MAX; i++) {
        hand->body_count += hand_body_voxels(&look->bodies[i], &hand->bodies[hand->body_count]);
    }
}

HandAim hand_aimed(const Hand *hand)
{
    return hand->aim;
}

/// Returns the voxel that an act starts from: the block, or the place to build at.
static TrnVoxel hand_aimed_voxel(const Hand *hand, HandAct act)
{
    return act == HAND_BUILD && hand->aim.has_place ? hand->aim.place : hand->aim.voxel;
}

bool hand_outline(const Hand *hand, Outline *outline)
{
    const bool is_aimed = hand->aim.is_aimed;
    *outline = (Outline){.has_block = is_aimed, .block = hand->aim.voxel};
    if (hand->tool == HAND_TOOL_BALL && is_aimed) {
        outline->has_ball = true;
        outline->centre = hand->aim.voxel;
        outline->radius = hand->radius;
    }
    if (hand->has_corner) {
        const TrnVoxel to = is_aimed ? hand_aimed_voxel(hand, hand->corner_act) : hand->corner;
        const Brush brush = brush_box(hand->corner, to);
        outline->has_box = true;
        outline->box_min = brush.box.min;
        outline->box_max = brush.box.max;
    }
    return outline->has_block || outline->has_box;
}

// ---- tools --------------------------------------------------------------------------------------

HandTool hand_tool(const Hand *hand)
{
    return hand->tool;
}

void hand_choose_tool(Hand *hand, HandTool tool)
{
    hand->has_corner = false;
    hand->tool = tool < HAND_TOOL_COUNT ? tool : HAND_TOOL_SINGLE;
}

double hand_radius(const Hand *hand)
{
    return hand->radius;
}

void hand_set_radius(Hand *hand, double radius)
{
    if (!isnan(radius)) {
        hand->radius = fmax(1, fmin(radius, BRUSH_RADIUS_MAX));
    }
}

Palette *hand_palette(Hand *hand)
{
    return &hand->palette;
}

bool hand_pick(Hand *hand)
{
    return hand->aim.is_aimed &&
           palette_choose(&hand->palette, palette_item(hand->types, hand->aim.block));
}

// ---- acts ---------------------------------------------------------------------------------------

static bool hand_yields(const Hand *hand, TrnVoxel voxel)
{
    TrnBlock block;
    return trn_store_get_block(hand->def.store, voxel, &block) == TRN_RESULT_OK &&
           (hand->sets.yielding[block / 32] >> block % 32 & 1);
}

/// Returns where a door is built: its lower half at the place, or, below a ceiling, its upper half.
static Brush hand_brush_for_door(const Hand *hand, TrnVoxel place)
{
    const TrnVoxel above = {place.x, place.y + 1, place.z}, below = {place.x, place.y - 1, place.z};
    return brush_box(place, hand_yields(hand, above) || !hand_yields(hand, below) ? above : below);
}

/// Returns the voxels that the tool would change; for a single door, both halves.
static Brush hand_choose_brush(const Hand *hand, HandAct act)
{
    const TrnVoxel at = hand_aimed_voxel(hand, act);
    if (hand->tool == HAND_TOOL_BOX) {
        return brush_box(hand->corner, at);
    }
    if (hand->tool == HAND_TOOL_SINGLE && act != HAND_BUILD &&
        door_is(hand->types, hand->aim.block)) {
        const BrushBox door = door_voxels(hand->def.store, at);
        return brush_box(door.min, door.max);
    }
    if (hand->tool == HAND_TOOL_SINGLE && act == HAND_BUILD &&
        door_is(hand->types, palette_block(&hand->palette))) {
        return hand_brush_for_door(hand, at);
    }
    return brush_ball(at, hand->tool == HAND_TOOL_BALL ? hand->radius : 0);
}

static BrushStroke hand_choose_stroke(Hand *hand, HandAct act)
{
    BrushStroke stroke = {.block = TRN_BLOCK_AIR};
    if (act != HAND_DIG) {
        stroke.block = turn_block(hand->types, palette_block(&hand->palette), &hand->turn);
    }
    if (act == HAND_DIG) {
        stroke.takes = hand->sets.aimed;
        stroke.falls = hand->sets.plants;
    } else if (act == HAND_BUILD) {
        stroke.takes = hand->sets.yielding;
    } else {
        stroke.takes = hand->sets.one;
    }
    if (trn_block_types_get(hand->types, stroke.block)->is_solid) {
        stroke.spares = hand->bodies;
        stroke.spare_count = hand->body_count;
    }
    return stroke;
}

static HandOutcome hand_outcome_of(TrnResult result)
{
    return result == TRN_RESULT_OK ? HAND_DONE : HAND_NO_MEMORY;
}

static uint32_t hand_count_chunks(const Brush *brush)
{
    const BrushBox *box = &brush->box;
    const int64_t across[3] = {(box->max.x >> TRN_CHUNK_SHIFT) - (box->min.x >> TRN_CHUNK_SHIFT),
                               (box->max.y >> TRN_CHUNK_SHIFT) - (box->min.y >> TRN_CHUNK_SHIFT),
                               (box->max.z >> TRN_CHUNK_SHIFT) - (box->min.z >> TRN_CHUNK_SHIFT)};
    return (uint32_t)((across[0] + 1) * (across[1] + 1) * (across[2] + 1));
}

/// Changes the voxels of a brush as one batch.
static HandOutcome hand_edit_voxels(Hand *hand, const Brush *brush, const BrushStroke *stroke)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    def.history = hand->history;
    TrnBatch *batch;
    TrnResult result = trn_batch_begin(hand->def.store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return hand_outcome_of(result);
    }
    result = brush_apply(brush, stroke, hand->def.store, batch, &hand->taken);
    if (result != TRN_RESULT_OK || !hand->taken.voxels) {
        trn_batch_cancel(batch);
        return result != TRN_RESULT_OK ? hand_outcome_of(result) : HAND_SAME;
    }
    return hand_outcome_of(trn_batch_commit(batch, NULL));
}

/// Whether a body occupies a voxel.
static bool hand_body_holds(const Hand *hand, TrnVoxel voxel)
{
    for (uint32_t i = 0; i < hand->body_count; i++) {
        const BrushBox *box = &hand->bodies[i];
        if (voxel.x >= box->min.x && voxel.x <= box->max.x && voxel.y >= box->min.y &&
            voxel.y <= box->max.y && voxel.z >= box->min.z && voxel.z <= box->max.z) {
            return true;
        }
    }
    return false;
}

static bool hand_boxes_meet(const BrushBox *a, const BrushBox *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/// Explains why a single block did not change.
static HandOutcome hand_explain_same(const Hand *hand, const BrushStroke *stroke, TrnVoxel at)
{
    TrnBlock block;
    if (trn_store_get_block(hand->def.store, at, &block) != TRN_RESULT_OK) {
        return HAND_END;
    }
    const bool takes = stroke->takes[block / 32] >> block % 32 & 1 && block != stroke->block;
    if (takes && stroke->spare_count && hand_body_holds(hand, at)) {
        return HAND_IN_BODY;
    }
    return takes || block == stroke->block ? HAND_SAME : HAND_OCCUPIED;
}

static void hand_tell_dug(const Hand *hand, HandAct act)
{
    if (act != HAND_BUILD && hand->def.dug) {
        const HandDug dug = {act, hand->aim.voxel, hand->aim.face, &hand->taken};
        hand->def.dug(hand->def.user, &dug);
    }
}

/// Reports an edit.
static void hand_tell_edit(Hand *hand, HandAct act, const Brush *brush, TrnBlock block,
                           TrnBlock replaced)
{
    HandEdit edit = {.kind = (HandEditKind)act,
                     .goes_on = hand->goes_on,
                     .brush = *brush,
                     .block = block,
                     .replaced = replaced};
    for (uint32_t i = 0; i < hand->body_count && !edit.has_body; i++) {
        edit.body = hand->bodies[i];
        edit.has_body = hand_boxes_meet(&edit.body, &brush->box);
    }
    hand->goes_on = true;
    if (hand->def.edited) {
        hand->def.edited(hand->def.user, &edit);
    }
}

/// Whether both halves of a door can be built or turned; only both can change.
static HandOutcome hand_check_door(const Hand *hand, const Brush *brush, const BrushStroke *stroke)
{
    TrnVoxel at = brush->box.min;
    for (; at.y <= brush->box.max.y; at.y++) {
        TrnBlock block;
        if (trn_store_get_block(hand->def.store, at, &block) != TRN_RESULT_OK) {
            return HAND_END;
        }
        if (!(stroke->takes[block / 32] >> block % 32 & 1)) {
            return HAND_OCCUPIED;
        }
        if (stroke->spare_count && hand_body_holds(hand, at)) {
            return HAND_IN_BODY;
        }
    }
    return HAND_DONE;
}

static HandOutcome hand_use_stroke(Hand *hand, HandAct act, const Brush *brush,
                                   const BrushStroke *stroke)
{
    if (hand->def.admit && !hand->def.admit(hand->def.user, hand_count_chunks(brush))) {
        return HAND_KEPT_FULL;
    }
    const TrnBlock old = hand->aim.block;
    hand->sets.one[old / 32] = UINT32_C(1) << old % 32;
    const bool is_door = hand->tool == HAND_TOOL_SINGLE && door_is(hand->types, stroke->block);
    HandOutcome outcome = is_door ? hand_check_door(hand, brush, stroke) : HAND_DONE;
    outcome = outcome == HAND_DONE ? hand_edit_voxels(hand, brush, stroke) : outcome;
    if (outcome == HAND_SAME) {
        outcome = hand_explain_same(hand, stroke, hand_aimed_voxel(hand, act));
    }
    hand->sets.one[old / 32] = 0;
    if (outcome == HAND_DONE) {
        hand_tell_edit(hand, act, brush, stroke->block, old);
    }
    return outcome;
}

static HandOutcome hand_use_brush(Hand *hand, HandAct act)
{
    const Brush brush = hand_choose_brush(hand, act);
    const BrushStroke stroke = hand_choose_stroke(hand, act);
    const bool is_half = act == HAND_REPLACE && hand->tool == HAND_TOOL_SINGLE &&
                         brush.box.min.y == brush.box.max.y && door_is(hand->types, stroke.block);
    const HandOutcome outcome =
        is_half ? HAND_OCCUPIED : hand_use_stroke(hand, act, &brush, &stroke);
    if (outcome == HAND_DONE) {
        hand_tell_dug(hand, act);
    }
    return outcome;
}

/// Whether a press opens or closes a door instead of building at it.
static bool hand_is_at_door(const Hand *hand, HandAct act)
{
    return act == HAND_BUILD && hand->tool == HAND_TOOL_SINGLE && hand->aim.is_aimed &&
           door_turned(hand->types, hand->aim.block) != TRN_BLOCK_AIR;
}

/// Opens or closes a door. Histories and recordings store this as replacing both halves.
static HandOutcome hand_turn_door(Hand *hand)
{
    const BrushBox door = door_voxels(hand->def.store, hand->aim.voxel);
    const Brush brush = brush_box(door.min, door.max);
    const BrushStroke stroke = {.block = door_turned(hand->types, hand->aim.block),
                                .takes = hand->sets.one,
                                .spares = hand->bodies,
                                .spare_count = hand->body_count};
    hand->till_next = INFINITY; // holding the button does not repeat
    return hand_use_stroke(hand, HAND_REPLACE, &brush, &stroke);
}

static HandOutcome hand_do_act(Hand *hand, HandAct act)
{
    if (!hand->aim.is_aimed) {
        return HAND_NO_AIM;
    }
    if (act == HAND_BUILD && !hand->aim.has_place) {
        return hand->aim.face == TRN_FACE_COUNT ? HAND_OCCUPIED : HAND_END;
    }
    if (hand->tool == HAND_TOOL_BOX && !hand->has_corner) {
        hand->has_corner = true;
        hand->corner_act = act;
        hand->corner = hand_aimed_voxel(hand, act);
        return HAND_CORNER;
    }
    const HandOutcome outcome = hand_use_brush(hand, act);
    hand->has_corner = false;
    return outcome;
}

static void hand_begin_press(Hand *hand, HandAct act)
{
    trn_history_begin_group(hand->history);
    hand->is_pressed = true;
    hand->goes_on = false;
    hand->act = act;
    hand->till_next = HAND_REPEAT_SECONDS;
}

HandOutcome hand_press(Hand *hand, HandAct act)
{
    hand_release(hand);
    if (act >= HAND_ACT_COUNT) {
        return HAND_SAME;
    }
    hand_begin_press(hand, act);
    return hand_is_at_door(hand, act) ? hand_turn_door(hand) : hand_do_act(hand, act);
}

HandOutcome hand_hold(Hand *hand, double seconds)
{
    if (!hand->is_pressed || hand->tool == HAND_TOOL_BOX || !(seconds > 0)) {
        return HAND_SAME;
    }
    hand->till_next -= seconds;
    if (hand->till_next > 0) {
        return HAND_SAME;
    }
    hand->till_next = HAND_REPEAT_SECONDS;
    return hand_do_act(hand, hand->act);
}

void hand_release(Hand *hand)
{
    if (hand->is_pressed) {
        hand->is_pressed = false;
        trn_history_end_group(hand->history);
    }
}

HandAct hand_pressed(const Hand *hand)
{
    return hand->is_pressed ? hand->act : HAND_ACT_COUNT;
}

uint64_t hand_changed(const Hand *hand)
{
    return hand->taken.voxels;
}

HandOutcome hand_make(Hand *hand, uint32_t chunks, TrnResult (*make)(void *user, TrnBatch *batch),
                      void *user)
{
    hand_release(hand);
    if (hand->def.admit && !hand->def.admit(hand->def.user, chunks)) {
        return HAND_KEPT_FULL;
    }
    TrnBatchDef def = trn_batch_def();
    TrnBatchOutcome outcome;
    TrnBatch *batch;
    def.unloaded = TRN_UNLOADED_FAIL;
    def.history = hand->history;
    TrnResult result = trn_batch_begin(hand->def.store, &def, &batch);
    if (result == TRN_RESULT_OK) {
        result = make(user, batch);
        if (result != TRN_RESULT_OK) {
            trn_batch_cancel(batch);
        } else {
            result = trn_batch_commit(batch, &outcome);
        }
    }
    if (result == TRN_RESULT_NOT_FOUND) {
        return HAND_END;
    }
    if (result != TRN_RESULT_OK) {
        return HAND_NO_MEMORY;
    }
    hand->taken.voxels = outcome.changed_voxels;
    if (!outcome.changed_voxels && !outcome.changed_data) {
        return HAND_SAME;
    }
    return trn_history_stats(hand->history).undo_groups ? HAND_DONE : HAND_DONE_FOR_GOOD;
}

static HandOutcome hand_step_outcome(TrnResult result)
{
    return result == TRN_RESULT_NOT_FOUND ? HAND_NOTHING_LEFT : hand_outcome_of(result);
}

static HandOutcome hand_step_back_or_on(Hand *hand, HandEditKind kind)
{
    hand_release(hand);
    const HandOutcome outcome =
        hand_step_outcome(kind == HAND_EDIT_UNDO ? trn_history_undo(hand->history, NULL)
                                                 : trn_history_redo(hand->history, NULL));
    if (outcome == HAND_DONE && hand->def.edited) {
        const HandEdit edit = {.kind = kind};
        hand->def.edited(hand->def.user, &edit);
    }
    return outcome;
}

HandOutcome hand_undo(Hand *hand)
{
    return hand_step_back_or_on(hand, HAND_EDIT_UNDO);
}

HandOutcome hand_redo(Hand *hand)
{
    return hand_step_back_or_on(hand, HAND_EDIT_REDO);
}

// ---- repeating ----------------------------------------------------------------------------------

static BrushStroke hand_stroke_of_edit(Hand *hand, const HandEdit *edit)
{
    BrushStroke stroke = {.block = edit->kind == HAND_EDIT_DIG ? TRN_BLOCK_AIR : edit->block};
    if (edit->kind == HAND_EDIT_DIG) {
        stroke.takes = hand->sets.aimed;
        stroke.falls = hand->sets.plants;
    } else {
        stroke.takes = edit->kind == HAND_EDIT_BUILD ? hand->sets.yielding : hand->sets.one;
    }
    if (edit->has_body && trn_block_types_get(hand->types, stroke.block)->is_solid) {
        stroke.spares = &edit->body;
        stroke.spare_count = 1;
    }
    return stroke;
}

static void hand_tell_repeated(Hand *hand, const HandEdit *edit)
{
    if (edit->kind != HAND_EDIT_BUILD && hand->def.dug) {
        const Brush *const brush = &edit->brush;
        const HandDug dug = {(HandAct)edit->kind, brush->is_ball ? brush->centre : brush->box.max,
                             TRN_FACE_POS_Y, &hand->taken};
        hand->def.dug(hand->def.user, &dug);
    }
    if (hand->def.edited) {
        HandEdit told = *edit;
        told.goes_on = hand->goes_on;
        hand->def.edited(hand->def.user, &told);
    }
    hand->goes_on = true;
}

static HandOutcome hand_repeat_brush(Hand *hand, const HandEdit *edit)
{
    uint32_t types;
    (void)trn_block_types_all(hand->types, &types);
    if (edit->block >= types || edit->replaced >= types) {
        return HAND_SAME;
    }
    if (hand->def.admit && !hand->def.admit(hand->def.user, hand_count_chunks(&edit->brush))) {
        return HAND_KEPT_FULL;
    }
    const TrnBlock old = edit->replaced;
    const BrushStroke stroke = hand_stroke_of_edit(hand, edit);
    hand->sets.one[old / 32] = UINT32_C(1) << old % 32;
    const HandOutcome outcome = hand_edit_voxels(hand, &edit->brush, &stroke);
    hand->sets.one[old / 32] = 0;
    if (outcome == HAND_DONE) {
        hand_tell_repeated(hand, edit);
    }
    return outcome;
}

HandOutcome hand_repeat(Hand *hand, const HandEdit *edit)
{
    if (edit->kind == HAND_EDIT_UNDO || edit->kind == HAND_EDIT_REDO) {
        return hand_step_back_or_on(hand, edit->kind);
    }
    if (edit->kind >= HAND_EDIT_COUNT) {
        return HAND_SAME;
    }
    if (!edit->goes_on || !hand->is_pressed) {
        hand_release(hand);
        hand_begin_press(hand, (HandAct)edit->kind);
    }
    hand->till_next = INFINITY; // no button repeats
    return hand_repeat_brush(hand, edit);
}

TrnHistoryStats hand_history(const Hand *hand)
{
    return trn_history_stats(hand->history);
}
