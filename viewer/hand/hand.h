/// The player's hand: aims at a block; digs, builds and replaces with one of three tools; undoes
/// and redoes.
///
///     hand_aim(hand, &look);                       // every frame
///     if (pressed) hand_press(hand, HAND_DIG);     // and show the outcome
///     if (held) hand_hold(hand, seconds);
///     if (released) hand_release(hand);
///
/// Single doors are built, dug and replaced as a whole: both halves, or neither.
///
/// The acts of one press, until its release, are one step of undo. Each act is one batch on the
/// store, so readers see all of it or nothing.
#pragma once

#include <terrane/history.h>
#include <terrane/raycast.h>
#include <terrane/store.h>

#include "hand/brush.h"
#include "hand/inventory.h"
#include "render/lines.h"

typedef struct Hand Hand;

#define HAND_REACH_MAX 256.0 ///< voxels
#define HAND_BODIES_MAX 16
#define HAND_REPEAT_SECONDS 0.2 ///< between two acts of a held press

typedef enum HandTool {
    HAND_TOOL_SINGLE, ///< one block
    HAND_TOOL_BALL,   ///< all voxels within a radius
    HAND_TOOL_BOX,    ///< two presses, one for each corner
    HAND_TOOL_COUNT
} HandTool;

typedef enum HandAct {
    HAND_DIG,     ///< all blocks except liquids, and the plants on top
    HAND_BUILD,   ///< next to the face aimed at, if there is air, a liquid or a plant; a single
                  ///< block at a door opens or closes the door instead
    HAND_REPLACE, ///< blocks of the type aimed at
    HAND_ACT_COUNT
} HandAct;

/// The result of an act.
typedef enum HandOutcome {
    HAND_DONE,
    HAND_CORNER,        ///< the first corner of a box is chosen
    HAND_SAME,          ///< nothing changed
    HAND_NO_AIM,        ///< no block within reach
    HAND_OCCUPIED,      ///< a block is there already
    HAND_IN_BODY,       ///< a player or another body stands there
    HAND_END,           ///< outside the world, or not loaded
    HAND_KEPT_FULL,     ///< no more chunks may be changed: HandDef.admit refused
    HAND_NO_MEMORY,     ///< the store refused
    HAND_DONE_FOR_GOOD, ///< done, but the history is too small for it
    HAND_NOTHING_LEFT   ///< no step to undo or redo
} HandOutcome;

/// Returns a sentence for the player; "" for HAND_DONE. Static text.
const char *hand_outcome_text(HandOutcome outcome);

/// The voxels that a press dug or replaced.
typedef struct HandDug {
    HandAct act;
    TrnVoxel voxel; ///< the voxel aimed at
    TrnFace face;   ///< the face aimed at; TRN_FACE_COUNT: from inside
    /// number of changed voxels, and at most BRUSH_BITS_MAX of them; valid until the call returns
    const BrushTaken *taken;
} HandDug;

typedef enum HandEditKind {
    HAND_EDIT_DIG, ///< these three as in HandAct
    HAND_EDIT_BUILD,
    HAND_EDIT_REPLACE,
    HAND_EDIT_UNDO,
    HAND_EDIT_REDO,
    HAND_EDIT_COUNT
} HandEditKind;

/// An edit with all that hand_repeat needs: in equal land it gives equal voxels.
typedef struct HandEdit {
    HandEditKind kind;
    bool goes_on; ///< same press as the edit before, so both are one step of undo
    // Not for undo and redo:
    Brush brush;
    TrnBlock block;    ///< the block that was built
    TrnBlock replaced; ///< the block that was replaced
    bool has_body;     ///< a body overlaps the brush's box; its voxels were left out
    BrushBox body;     ///< voxels
} HandEdit;

typedef struct HandDef {
    TrnStore *store;      ///< borrowed, must outlive the hand
    size_t history_bytes; ///< limit of the undo history; counted by the store
    /// Called before an edit with the number of chunks that it changes; false refuses it. NULL:
    /// always allowed
    bool (*admit)(void *user, uint32_t chunks);
    /// Called after blocks were dug, for debris. NULL: not called
    void (*dug)(void *user, const HandDug *dug);
    /// Called after every edit, undo and redo. If several bodies are in the way, only the first is
    /// passed. NULL: not called
    void (*edited)(void *user, const HandEdit *edit);
    void *user;
} HandDef;

/// 64 MiB of history: room for a building.
HandDef hand_def(TrnStore *store);

/// Uses the store's current block types. @return false if out of memory
bool hand_create(Hand **hand, const HandDef *def);
/// Call it before the store is destroyed. @param hand  may be NULL
void hand_destroy(Hand *hand);

// ---- aim ----------------------------------------------------------------------------------------

/// A body; blocks are not built into it.
typedef struct HandBody {
    TrnPosition bottom; ///< middle of its bottom face
    double size[3];     ///< along x, y, z
} HandBody;

typedef struct HandLook {
    TrnPosition eye;
    double direction[3]; ///< of any length
    double reach;        ///< voxels; clamped to 0..HAND_REACH_MAX, NaN to 0
    const HandBody *bodies;
    /// bodies beyond HAND_BODIES_MAX, and bodies with non-finite numbers, are ignored
    uint32_t body_count;
} HandLook;

typedef struct HandAim {
    bool is_aimed;  ///< the hand aims at a block that is neither air nor liquid
    TrnVoxel voxel; ///< of the block
    TrnFace face;   ///< TRN_FACE_COUNT: the eye is inside the block
    TrnBlock block;
    double distance; ///< in voxels
    bool has_place;  ///< a block can be built at `place`
    TrnVoxel place;  ///< the voxel in front of the face; the block's own voxel if it is a plant
} HandAim;

/// Aims the hand. If `look` has a non-finite number, the hand aims at nothing. Call it again after
/// an edit, because the target block may have changed.
void hand_aim(Hand *hand, const HandLook *look);
HandAim hand_aimed(const Hand *hand);

/// Returns the outline to draw: the block, and the tool's box or ball. @return false if there is
/// none
bool hand_outline(const Hand *hand, Outline *outline);

// ---- tools --------------------------------------------------------------------------------------

HandTool hand_tool(const Hand *hand);
/// Chooses a tool and forgets the first corner of a box.
void hand_choose_tool(Hand *hand, HandTool tool);
double hand_radius(const Hand *hand);
/// @param radius  of the ball, clamped to 1..BRUSH_RADIUS_MAX; NaN changes nothing
void hand_set_radius(Hand *hand, double radius);
/// Returns the blocks to build with, for the caller to change.
Palette *hand_palette(Hand *hand);
/// Chooses the target block. @return false if there is none
bool hand_pick(Hand *hand);

// ---- acts ---------------------------------------------------------------------------------------

/// Acts once, and begins a step of undo. An earlier press is released first.
HandOutcome hand_press(Hand *hand, HandAct act);
/// Repeats the act while the button is held, at most once a call and every HAND_REPEAT_SECONDS.
/// Does nothing for a box.
/// @param seconds  since the last call; values not above 0 do nothing
/// @return HAND_SAME if no repeat is due
HandOutcome hand_hold(Hand *hand, double seconds);
/// Ends the step of undo. Does nothing if no act is pressed.
void hand_release(Hand *hand);
/// Returns the act that is pressed, or HAND_ACT_COUNT.
HandAct hand_pressed(const Hand *hand);
/// Returns the number of voxels that the last act changed, if it was HAND_DONE.
uint64_t hand_changed(const Hand *hand);

/// Makes one step of undo of what a function adds to a batch, such as a building. Nothing changes
/// if part of it is not loaded (HAND_END). A press is released first. hand_repeat has no such edit:
/// it is not reported to HandDef.edited.
/// @param chunks  how many it may change, for HandDef.admit
/// @param make    adds to the batch; `user` is passed to it
HandOutcome hand_make(Hand *hand, uint32_t chunks, TrnResult (*make)(void *user, TrnBatch *batch),
                      void *user);

/// Undoes or redoes a step. Changes in unloaded chunks become pending edits.
HandOutcome hand_undo(Hand *hand);
HandOutcome hand_redo(Hand *hand);
/// Repeats a recorded edit, independent of the aim. Ends a press unless the edit belongs to it.
/// @param edit  brush and blocks may have any values; an unknown block changes nothing (HAND_SAME)
HandOutcome hand_repeat(Hand *hand, const HandEdit *edit);
/// Returns the number of steps to undo and redo, and their bytes.
TrnHistoryStats hand_history(const Hand *hand);
