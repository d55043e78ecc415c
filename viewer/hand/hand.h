/// The hand of the person at the keyboard: aims at a block, digs, builds and replaces with one of
/// three tools, and takes it back.
///
///     hand_aim(hand, &look);                       // every frame
///     if (pressed) hand_press(hand, HAND_DIG);     // and say what came of it
///     if (held) hand_hold(hand, seconds);
///     if (released) hand_release(hand);
///
/// What one press does until its release is one step of undo. All edits are batches on the store:
/// nobody ever sees half of one.
#ifndef TERRANE_VIEWER_HAND_H
#define TERRANE_VIEWER_HAND_H

#include <terrane/history.h>
#include <terrane/raycast.h>
#include <terrane/store.h>

#include "hand/brush.h"
#include "hand/palette.h"
#include "render/outline.h"

typedef struct Hand Hand;

#define HAND_REACH_MAX 256.0 ///< voxels
#define HAND_BODIES_MAX 16
#define HAND_REPEAT_SECONDS 0.2 ///< from one act to the next while pressed

typedef enum HandTool {
    HAND_TOOL_SINGLE, ///< one block
    HAND_TOOL_BALL,   ///< all within a radius
    HAND_TOOL_BOX,    ///< a press for each of two corners
    HAND_TOOL_COUNT
} HandTool;

typedef enum HandAct {
    HAND_DIG,     ///< all but liquids, and the plants on top of it
    HAND_BUILD,   ///< where there is air, a liquid or a plant, on the face that is looked at
    HAND_REPLACE, ///< blocks of the type that is looked at
    HAND_ACT_COUNT
} HandAct;

/// What came of it.
typedef enum HandOutcome {
    HAND_DONE,
    HAND_CORNER,      ///< the first corner of a box is chosen
    HAND_SAME,        ///< no block is another now
    HAND_NO_AIM,      ///< no block within reach
    HAND_OCCUPIED,    ///< a block is there already
    HAND_IN_BODY,     ///< somebody stands there
    HAND_END,         ///< the world ends, or is not loaded
    HAND_KEPT_FULL,   ///< no more chunks may be changed: HandDef.admit refused
    HAND_NO_MEMORY,   ///< the store refused
    HAND_NOTHING_LEFT ///< to undo or to do again
} HandOutcome;

/// What is wrong, as a sentence for the person; "" for HAND_DONE. Static text.
const char *hand_outcome_text(HandOutcome outcome);

/// What a press dug, or overwrote by replacing.
typedef struct HandDug {
    HandAct act;
    TrnVoxel voxel; ///< what was looked at
    TrnFace face;   ///< through which; TRN_FACE_COUNT: from inside
    /// how many voxels, and which, BRUSH_BITS_MAX of them at most; until the call returns
    const BrushTaken *taken;
} HandDug;

typedef enum HandEditKind {
    HAND_EDIT_DIG, ///< as HandAct
    HAND_EDIT_BUILD,
    HAND_EDIT_REPLACE,
    HAND_EDIT_UNDO,
    HAND_EDIT_REDO,
    HAND_EDIT_COUNT
} HandEditKind;

/// Something that was done, with all that it takes to do it again: in a land like the one of then,
/// hand_repeat gives the same voxels.
typedef struct HandEdit {
    HandEditKind kind;
    bool goes_on; ///< of the same press as the edit before; both are one step of undo
    // Not of undo and redo:
    Brush brush;
    TrnBlock block;    ///< what was built
    TrnBlock replaced; ///< by replacing
    bool has_body;     ///< somebody stood in the brush's box, and was left his room
    BrushBox body;     ///< voxels
} HandEdit;

typedef struct HandDef {
    TrnStore *store;      ///< borrowed, outlives the hand
    size_t history_bytes; ///< the most for undo; counted by the store
    /// Whether so many chunks may be changed, before anything is. NULL: always
    bool (*admit)(void *user, uint32_t chunks);
    /// Hears what was dug, once it is: debris. NULL: nobody does
    void (*dug)(void *user, const HandDug *dug);
    /// Hears everything that was done, once it is. Of several bodies in the way only the first is
    /// told. NULL: nobody does
    void (*edited)(void *user, const HandEdit *edit);
    void *user;
} HandDef;

/// 16 MiB of history.
HandDef hand_def(TrnStore *store);

/// Knows the block types that the store has now. @return false without memory
bool hand_create(Hand **hand, const HandDef *def);
/// Before its store. @param hand  may be NULL
void hand_destroy(Hand *hand);

// ---- aim ----------------------------------------------------------------------------------------

/// A body: nothing solid is built into it.
typedef struct HandBody {
    TrnPosition bottom; ///< the middle of its bottom
    double size[3];     ///< along x, y, z
} HandBody;

typedef struct HandLook {
    TrnPosition eye;
    double direction[3]; ///< of any length
    double reach;        ///< voxels; cut to 0..HAND_REACH_MAX, NaN to 0
    const HandBody *bodies;
    /// those beyond HAND_BODIES_MAX are not looked at, nor those with numbers that are not finite
    uint32_t body_count;
} HandLook;

typedef struct HandAim {
    bool is_aimed;  ///< at a block: not air, no liquid
    TrnVoxel voxel; ///< of the block
    TrnFace face;   ///< TRN_FACE_COUNT: the eye is inside it
    TrnBlock block;
    double distance; ///< voxels
    bool has_place;  ///< there is a place to build at
    TrnVoxel place;  ///< before the face; the block's own where that is a plant
} HandAim;

/// What is looked at from now on; bad numbers look at nothing. Also after an edit, for what is
/// looked at then.
void hand_aim(Hand *hand, const HandLook *look);
HandAim hand_aimed(const Hand *hand);

/// What to draw around it: the block, and the tool's box or ball. @return whether there is anything
bool hand_outline(const Hand *hand, Outline *outline);

// ---- tools --------------------------------------------------------------------------------------

HandTool hand_tool(const Hand *hand);
/// Forgets the corner of a box.
void hand_choose_tool(Hand *hand, HandTool tool);
double hand_radius(const Hand *hand);
/// @param radius  of the ball, cut to 1..BRUSH_RADIUS_MAX; NaN changes nothing
void hand_set_radius(Hand *hand, double radius);
/// What one builds with: change it as you like.
Palette *hand_palette(Hand *hand);
/// Chooses the block that is looked at. @return false where there is none
bool hand_pick(Hand *hand);

// ---- acts ---------------------------------------------------------------------------------------

/// Does it once, and begins a step of undo; a press before is released first.
HandOutcome hand_press(Hand *hand, HandAct act);
/// While it is held: does it again, at most once a call, when its time has come. The box does
/// nothing.
/// @param seconds  since the call before; what is not above 0 does nothing
/// @return HAND_SAME where it was not yet time
HandOutcome hand_hold(Hand *hand, double seconds);
/// Ends the step. Nothing without a press.
void hand_release(Hand *hand);
/// The act that is pressed, or HAND_ACT_COUNT.
HandAct hand_pressed(const Hand *hand);
/// How many voxels the last act changed, if it was HAND_DONE.
uint64_t hand_changed(const Hand *hand);

/// Takes the last step back, or does it again. Chunks that are not loaded follow when they are.
HandOutcome hand_undo(Hand *hand);
HandOutcome hand_redo(Hand *hand);
/// Does what was done before, here or elsewhere, whatever is aimed at. Ends a press, but where the
/// edit goes on with the one before.
/// @param edit  its brush and blocks may be anything: what is no block changes nothing (HAND_SAME)
HandOutcome hand_repeat(Hand *hand, const HandEdit *edit);
/// How many steps there are.
TrnHistoryStats hand_history(const Hand *hand);

#endif
