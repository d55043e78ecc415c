/// The player: on foot (walks, jumps, climbs steps and ladders, sneaks, sprints, swims), in flight,
/// or in no-clip mode.
///
/// The player moves in fixed steps of PLAYER_STEP, independent of the frame time, and the picture
/// is interpolated between the last two steps. Equal input gives bit-identical movement at any
/// frame rate. A frame of a game:
///
///     player_advance(&player, store, &wish, seconds);
///     player_camera(&player, yaw, pitch, &camera);
///
/// Unloaded chunks are solid to a body on foot: it cannot fall into them, and in an unloaded chunk
/// it does not move at all (player_waits). In flight and no-clip it enters them.
///
/// Threads: as trn_body_step. A player is plain memory that the caller may copy and save. No
/// function here allocates.
#pragma once

#include <terrane/body.h>
#include <terrane/terrain.h>

#include "message.h"
#include "render/camera.h"
#include "settings/settings.h"

#define PLAYER_STEP (1.0 / 120)  ///< seconds
#define PLAYER_SECONDS_MAX 0.25  ///< longest frame; longer frames are clamped
#define PLAYER_EYES 1.62         ///< above the feet, voxels
#define PLAYER_EYES_SNEAKING 1.3 ///< the same, sneaking
#define PLAYER_PLACE_RADIUS 24   ///< player_find_place searches this many columns to each side
#define PLAYER_PLACE_HEIGHT 96   ///< and this many voxels up and down

// ---- settings -----------------------------------------------------------------------------------

/// Returns the defaults: a person of 1.8 voxels who walks 4.3 voxels/s and jumps onto a block.
PlayerSettings player_settings(void);

/// Clamps values to their ranges, and replaces NaN by the default.
/// @param what  receives a sentence about the first changed value; may be NULL
/// @return whether no value had to change
bool player_settings_clamp(PlayerSettings *settings, Message *what);

// ---- moving -------------------------------------------------------------------------------------

typedef enum PlayerMode {
    PLAYER_MODE_FOOT,
    /// no gravity; blocks stop the player. If undo or a loaded chunk puts the body into rock, it
    /// moves freely until it is out
    PLAYER_MODE_FLY,
    PLAYER_MODE_NO_CLIP, ///< no gravity, passes through everything
    PLAYER_MODE_COUNT
} PlayerMode;

/// "on foot", "flying", "through everything".
const char *player_mode_name(PlayerMode mode);

/// The player's input for a frame. Numbers out of range are clamped; non-finite numbers become 0.
typedef struct PlayerWish {
    /// -1..1; on foot along the ground; in flight horizontal, or along the view if the settings say
    /// so; under water along the view
    double right, forward;
    double up;         ///< -1..1: in flight, in liquids and on ladders
    double yaw, pitch; ///< of the view, degrees, as in Camera
    /// on foot: jumps, swims and climbs up; a press counts for a whole step. In flight: moves up
    bool jump;
    /// on foot: walks slowly, stops at edges, holds on to a ladder, swims down. In flight: moves
    /// down
    bool sneak;
    bool sprint;
} PlayerWish;

/// The player's state at the end of a step, for drawing.
typedef struct PlayerPose {
    TrnPosition feet;
    double eyes;     ///< above the feet, in voxels
    double sideways; ///< head bob, voxels to the right
    double lift;     ///< head bob, voxels upwards
} PlayerPose;

/// One player. Fields may be read; functions change them.
typedef struct Player {
    PlayerSettings settings;
    PlayerMode mode;
    TrnBody body;            ///< feet, speed, ground and liquid; also in flight
    PlayerPose before, pose; ///< at the end of the last step but one, and of the last step
    double left;             ///< seconds not yet stepped, below PLAYER_STEP
    uint64_t steps;          ///< number of steps so far
    double crouch;           ///< 0 upright .. 1 sneaking
    double lag;              ///< how far the eyes are still below their target after climbing a
                             ///< step
    double stride, bobbing;  ///< position in a stride, voxels; strength of the head bob, 0..1
    bool jump_waits;         ///< a jump was pressed in a frame without a step
    bool sneaks;             ///< sneaked in the last step
} Player;

/// Creates a player on foot. @param settings  clamped; NULL means player_settings()
Player player_begin(const PlayerSettings *settings, TrnPosition feet);

/// Changes the settings from the next step on. @param settings  clamped; NULL means
/// player_settings()
void player_set(Player *player, const PlayerSettings *settings);

/// Moves the player to a place at once, with zero velocity; the picture jumps too.
void player_put(Player *player, TrnPosition feet);

/// Moves the player so that the eyes are at a camera, for example where a flight ended.
void player_put_eyes(Player *player, const Camera *camera);

/// Changes the mode and stops the player. If the player is then on foot in rock, call
/// player_is_stuck and player_find_place.
void player_set_mode(Player *player, PlayerMode mode);

/// Runs all steps that are due.
/// @param seconds  since the last call, clamped to 0..PLAYER_SECONDS_MAX; NaN is 0
/// @return the number of steps
/// Cost: 1 to 4 us a step.
uint32_t player_advance(Player *player, const TrnStore *store, const PlayerWish *wish,
                        double seconds);

/// Runs one step, like those of player_advance. For tests.
void player_step(Player *player, const TrnStore *store, const PlayerWish *wish);

/// Returns the camera of this frame, with head bob.
void player_camera(const Player *player, double yaw, double pitch, Camera *camera);

/// Whether unloaded chunks stopped the player in the last step: below, ahead, or around.
bool player_waits(const Player *player);

/// Returns the box of voxels that a second of walking may reach: for trn_stream_readiness, and for
/// a message about loading.
void player_ground(const Player *player, TrnVoxel *min, TrnVoxel *max);

/// Whether a solid block overlaps the body, because the body started there, or because a loaded
/// chunk or an edit put the block there.
bool player_is_stuck(const Player *player, const TrnStore *store);

// ---- places -------------------------------------------------------------------------------------

typedef enum PlayerPlaceKind {
    PLAYER_PLACE_HERE,   ///< stands at the requested place
    PLAYER_PLACE_MOVED,  ///< stands nearby
    PLAYER_PLACE_AFLOAT, ///< no ground nearby, but a liquid to swim in
    /// none in loaded chunks, but some chunks are unloaded: retry later
    PLAYER_PLACE_UNKNOWN,
    PLAYER_PLACE_NONE ///< none nearby
} PlayerPlaceKind;

typedef struct PlayerPlace {
    PlayerPlaceKind kind;
    TrnPosition feet; ///< UNKNOWN, NONE: the requested place
    Message what;     ///< a sentence about the change of place; empty for HERE
} PlayerPlace;

/// Finds the nearest place to stand: on a solid block, with two free voxels above it, not in a
/// liquid. From rock, the place is above or in the nearest cave; over a void, to the side; in the
/// sea, on a shore, or at the surface if no shore is near. Equal stores give equal places.
/// @param feet  the requested place
/// Cost: bounded by PLAYER_PLACE_RADIUS and _HEIGHT: 1 us if the requested place is free, at most
/// some ms; no allocation.
PlayerPlace player_find_place(const TrnStore *store, TrnPosition feet);

/// Moves eyes inside an opaque block up to the first voxel that is not opaque, before any chunk is
/// loaded. From inside a block, the faces around the camera are missing and all caves are visible.
/// @param eyes  voxels x, y, z
/// @param what  receives a sentence about the move; empty if the eyes stay
/// Cost: one generated chunk; in rock one for each 32 voxels upwards, at most 16.
void player_leave_rock(TrnTerrain *terrain, const TrnBlockTypes *types, double eyes[3],
                       Message *what);
