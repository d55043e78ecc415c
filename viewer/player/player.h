/// The player: on foot (walks, jumps, climbs steps and ladders, sneaks, sprints, swims), flying, or
/// in no-clip mode.
///
/// The player moves in steps of PLAYER_STEP, however long frames are, and the picture is
/// interpolated between the last two steps: equal input gives equal movement at any frame rate, bit
/// for bit. A frame of a game:
///
///     player_advance(&player, store, &wish, seconds);
///     player_camera(&player, yaw, pitch, &camera);
///
/// Unloaded chunks are solid to a body on foot: it cannot fall into them, and in an unloaded chunk
/// it does not move at all (player_waits). In flight and no-clip it enters them.
///
/// Threads: as trn_body_step. A player is plain memory of the caller, to copy and save. Nothing
/// here allocates.
#ifndef TERRANE_VIEWER_PLAYER_H
#define TERRANE_VIEWER_PLAYER_H

#include <terrane/body.h>
#include <terrane/terrain.h>

#include "message.h"
#include "render/camera.h"
#include "settings/settings.h"

#define PLAYER_STEP (1.0 / 120)  ///< seconds
#define PLAYER_SECONDS_MAX 0.25  ///< longest frame; the rest of a longer one is dropped
#define PLAYER_EYES 1.62         ///< above the feet, voxels
#define PLAYER_EYES_SNEAKING 1.3 ///< the same, sneaking
#define PLAYER_PLACE_RADIUS 24   ///< player_find_place searches this many columns to each side
#define PLAYER_PLACE_HEIGHT 96   ///< and this many voxels up and down

// ---- settings -----------------------------------------------------------------------------------

/// The usual ones: a person of 1.8 voxels who walks 4.3 voxels/s and jumps onto a block.
PlayerSettings player_settings(void);

/// Brings what is out of range to the nearer end of the range, and what is no number to what is
/// usual.
/// @param what  receives a sentence about the first of them and what it is now; may be NULL
/// @return whether nothing had to be changed
bool player_settings_clamp(PlayerSettings *settings, Message *what);

// ---- moving -------------------------------------------------------------------------------------

typedef enum PlayerMode {
    PLAYER_MODE_FOOT,
    /// no gravity; blocks stop it. If undo or a loaded chunk puts it into rock, it passes until it
    /// is out
    PLAYER_MODE_FLY,
    PLAYER_MODE_NO_CLIP, ///< no gravity, passes through everything
    PLAYER_MODE_COUNT
} PlayerMode;

/// "on foot", "flying", "through everything".
const char *player_mode_name(PlayerMode mode);

/// The player's input for a frame. Numbers out of range are clamped; those that are not finite
/// become 0.
typedef struct PlayerWish {
    /// -1..1; on foot along the ground; in flight level, or along the view if the
    /// settings say so; under water along the view
    double right, forward;
    double up;         ///< -1..1: in flight, in liquids and on ladders
    double yaw, pitch; ///< of the view, degrees, as in Camera
    /// on foot: jumps, swims and climbs up, even if released within a step. In flight: moves up
    bool jump;
    /// on foot: walks slowly and stops at edges; holds to a ladder; swims down. In flight: moves
    /// down
    bool sneak;
    bool sprint;
} PlayerWish;

/// What drawing needs from the end of a step.
typedef struct PlayerPose {
    TrnPosition feet;
    double eyes;     ///< above the feet, in voxels
    double sideways; ///< of the bobbing head, voxels to the right
    double lift;     ///< of the bobbing head, voxels upwards
} PlayerPose;

/// One player. Fields may be read; functions change them.
typedef struct Player {
    PlayerSettings settings;
    PlayerMode mode;
    TrnBody body;            ///< feet, speed, ground and liquid; also in flight
    PlayerPose before, pose; ///< at the end of the last step but one, and of the last
    double left;             ///< seconds not yet stepped, below PLAYER_STEP
    uint64_t steps;          ///< taken so far
    double crouch;           ///< 0 upright .. 1 sneaking
    double lag;              ///< how far the eyes are still below their place after climbing a step
    double stride, bobbing;  ///< position in a stride, voxels; how much the head moves, 0..1
    bool jump_waits;         ///< a jump was pressed in a frame without a step
    bool sneaks;             ///< sneaked in the last step
} Player;

/// Creates a player on foot. @param settings  clamped; NULL means player_settings()
Player player_begin(const PlayerSettings *settings, TrnPosition feet);

/// Changes the settings from the next step on. @param settings  clamped; NULL means
/// player_settings()
void player_set(Player *player, const PlayerSettings *settings);

/// Moves the player at once, at rest, and the picture with it.
void player_put(Player *player, TrnPosition feet);

/// Moves the player so that the eyes are at a camera, for example where a flight ended.
void player_put_eyes(Player *player, const Camera *camera);

/// Changes the mode and stops the player. On foot in rock, call player_is_stuck and
/// player_find_place.
void player_set_mode(Player *player, PlayerMode mode);

/// Makes all steps that are due.
/// @param seconds  since the last call, clamped to 0..PLAYER_SECONDS_MAX; NaN is 0
/// @return the number of steps
/// Cost: 1 to 4 us a step.
uint32_t player_advance(Player *player, const TrnStore *store, const PlayerWish *wish,
                        double seconds);

/// Makes one step, as player_advance does. For tests.
void player_step(Player *player, const TrnStore *store, const PlayerWish *wish);

/// Returns the camera of this frame, with the bobbing of the head.
void player_camera(const Player *player, double yaw, double pitch, Camera *camera);

/// Whether unloaded chunks stopped the player in the last step: below, ahead, or around.
bool player_waits(const Player *player);

/// Returns the voxels around the player that a second of walking needs: for trn_stream_readiness,
/// and for a message about loading.
void player_ground(const Player *player, TrnVoxel *min, TrnVoxel *max);

/// Whether a solid block overlaps the body, because it started there, or because a loaded chunk or
/// an edit put it there.
bool player_is_stuck(const Player *player, const TrnStore *store);

// ---- places -------------------------------------------------------------------------------------

typedef enum PlayerPlaceKind {
    PLAYER_PLACE_HERE,   ///< stands at the requested place
    PLAYER_PLACE_MOVED,  ///< stands nearby
    PLAYER_PLACE_AFLOAT, ///< no ground nearby, but a liquid to swim in
    /// none in loaded chunks, but some chunks are not loaded: try again later
    PLAYER_PLACE_UNKNOWN,
    PLAYER_PLACE_NONE ///< none nearby
} PlayerPlaceKind;

typedef struct PlayerPlace {
    PlayerPlaceKind kind;
    TrnPosition feet; ///< UNKNOWN, NONE: the requested place
    Message what;     ///< a sentence about the move; empty for HERE
} PlayerPlace;

/// Finds the nearest place to stand: on a solid block, with two free voxels above it, not in a
/// liquid. It leads out of rock upwards or into the nearest cave, over the void sideways, out of
/// the sea to a shore, or to the surface if no shore is near. Equal stores give equal places.
/// @param feet  the requested place
/// Cost: bounded by PLAYER_PLACE_RADIUS and _HEIGHT: 1 us if one can stand there, at most some ms;
/// no allocation.
PlayerPlace player_find_place(const TrnStore *store, TrnPosition feet);

/// Finds dry land near a column before any chunk is loaded, as the place to enter a world. It
/// ignores trees and caves: call player_find_place when chunks are loaded.
/// @param x,z  voxel coordinates, moved into the world
/// @return MOVED and HERE: on the ground. AFLOAT: no land within some 500 voxels; the sea's surface
/// Cost: 0.1 ms on land, at most 30 ms.
PlayerPlace player_find_land(const TrnTerrain *terrain, int64_t x, int64_t z);

/// Moves eyes that are inside an opaque block up to the first voxel that is not opaque, before any
/// chunk is loaded. From inside a block the faces around it are missing, and all caves show.
/// @param eyes  voxels x, y, z
/// @param what  receives a sentence about what was done; empty if the eyes stay
/// Cost: one generated chunk; inside rock one for each 32 voxels upwards, at most 16.
void player_leave_rock(TrnTerrain *terrain, const TrnBlockTypes *types, double eyes[3],
                       Message *what);

#endif
