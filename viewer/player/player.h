/// The player: on foot (walks, jumps, steps up, sneaks, sprints, swims, climbs), flying, or passing
/// through everything.
///
/// The player moves in steps of PLAYER_STEP, however long the frames are, and the picture lies
/// between the last two steps: the same wishes give the same way at any frame rate, bit for bit. A
/// frame of a game:
///
///     player_advance(&player, store, &wish, seconds);
///     player_camera(&player, yaw, pitch, &camera);
///
/// Chunks that are not in the store are solid to a body on foot: it does not fall into what nobody
/// knows yet, and in a chunk that is not there it does not move at all (player_waits). Flying and
/// passing through, it goes on into them.
///
/// Threads: as trn_body_step. A player is its caller's memory; copy and save it as you like.
/// Nothing here allocates.
#ifndef TERRANE_VIEWER_PLAYER_H
#define TERRANE_VIEWER_PLAYER_H

#include <terrane/body.h>
#include <terrane/terrain.h>

#include "message.h"
#include "render/camera.h"
#include "settings/settings.h"

#define PLAYER_STEP (1.0 / 120) ///< seconds
#define PLAYER_SECONDS_MAX                                                                         \
    0.25 ///< of one frame; what a longer one has more is lost, so that a stall throws nobody far
#define PLAYER_EYES 1.62         ///< above the feet, voxels
#define PLAYER_EYES_SNEAKING 1.3 ///< the same, sneaking
#define PLAYER_PLACE_RADIUS 24   ///< columns to each side in which player_find_place looks
#define PLAYER_PLACE_HEIGHT 96   ///< voxels above and below

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
    /// no gravity; blocks stop it. In rock, where undo or a chunk that came may leave it, it passes
    /// until it is out
    PLAYER_MODE_FLY,
    PLAYER_MODE_NO_CLIP, ///< no gravity, through everything
    PLAYER_MODE_COUNT
} PlayerMode;

/// "on foot", "flying", "through everything".
const char *player_mode_name(PlayerMode mode);

/// What somebody wants in a frame. Numbers out of range are cut, those that are not finite are 0.
typedef struct PlayerWish {
    /// -1..1; along the ground on foot, along the look in flight and under water
    double right, forward;
    double up;         ///< -1..1: in flight, in liquids and on ladders
    double yaw, pitch; ///< of the look, degrees, as Camera's
    /// on foot: jumps, swims and climbs up, also if held for less than a step. In flight: up
    bool jump;
    /// on foot: slow, and not over an edge; holds to a ladder; swims down. In flight: down
    bool sneak;
    bool sprint;
} PlayerWish;

/// What the picture needs to know of the end of a step.
typedef struct PlayerPose {
    TrnPosition feet;
    double eyes;     ///< above the feet, voxels
    double sideways; ///< of the head's bobbing, voxels to the right
    double lift;     ///< the same, upwards
} PlayerPose;

/// One player. Read what you like; change by the functions.
typedef struct Player {
    PlayerSettings settings;
    PlayerMode mode;
    TrnBody body;            ///< feet, speed, what it stands and swims in; also in flight
    PlayerPose before, pose; ///< at the ends of the last two steps
    double left;             ///< seconds that are not a whole step yet, below PLAYER_STEP
    uint64_t steps;          ///< taken so far
    double crouch;           ///< 0 upright .. 1 sneaking
    double lag;             ///< how far the eyes still are below where they belong, after a step up
    double stride, bobbing; ///< where in a stride it is, voxels; how much the head moves, 0..1
    bool jump_waits;        ///< a jump was wished in a frame without a step
    bool sneaks;            ///< in the last step
} Player;

/// A player on foot. @param settings  clamped; NULL means player_settings()
Player player_begin(const PlayerSettings *settings, TrnPosition feet);

/// Takes other settings from the next step on. @param settings  clamped; NULL means
/// player_settings()
void player_set(Player *player, const PlayerSettings *settings);

/// Puts the player elsewhere, at rest; the picture jumps with it.
void player_put(Player *player, TrnPosition feet);

/// Puts the eyes at a camera: where a flight was given up, say.
void player_put_eyes(Player *player, const Camera *camera);

/// Speed does not outlive a change of mode. On foot in rock, ask player_is_stuck, and
/// player_find_place.
void player_set_mode(Player *player, PlayerMode mode);

/// Takes as many steps as are due.
/// @param seconds  since the last call, 0..PLAYER_SECONDS_MAX; beyond is cut, NaN is 0
/// @return how many steps
/// Cost: 1 to 4 us a step.
uint32_t player_advance(Player *player, const TrnStore *store, const PlayerWish *wish,
                        double seconds);

/// Takes one step: what player_advance does when it is due. For tests.
void player_step(Player *player, const TrnStore *store, const PlayerWish *wish);

/// Where the eyes are in this frame, the bobbing of the head included, and where they look.
void player_camera(const Player *player, double yaw, double pitch, Camera *camera);

/// Whether it was stopped, in the last step, by chunks that are not there: under it, ahead of it,
/// or around it.
bool player_waits(const Player *player);

/// The voxels around the player that have to be there for a second of walking: for
/// trn_stream_readiness, and a line about what is awaited.
void player_ground(const Player *player, TrnVoxel *min, TrnVoxel *max);

/// Whether something solid fills a voxel that the body is in: it began there, a chunk came around
/// it, or an edit filled it.
bool player_is_stuck(const Player *player, const TrnStore *store);

// ---- places -------------------------------------------------------------------------------------

typedef enum PlayerPlaceKind {
    PLAYER_PLACE_HERE,   ///< stands where it was asked for
    PLAYER_PLACE_MOVED,  ///< stands near
    PLAYER_PLACE_AFLOAT, ///< there is no ground near, but a liquid to swim in
    /// none among the chunks that are there, but some are not: ask again when more have come
    PLAYER_PLACE_UNKNOWN,
    PLAYER_PLACE_NONE ///< nowhere near
} PlayerPlaceKind;

typedef struct PlayerPlace {
    PlayerPlaceKind kind;
    TrnPosition feet; ///< UNKNOWN, NONE: where it was asked for
    Message what;     ///< a sentence about what was done; empty for HERE
} PlayerPlace;

/// Finds the nearest place to stand: on a solid block, two voxels of room above it, out of liquids.
/// Out of rock it leads up or into the nearest cave, over the void sideways, out of the sea to a
/// shore, or to its surface where there is none. The same store gives the same place.
/// @param feet  where one would like to stand
/// Cost: bounded by PLAYER_PLACE_RADIUS and _HEIGHT: 1 us where one can stand, at most some ms; no
/// allocation.
PlayerPlace player_find_place(const TrnStore *store, TrnPosition feet);

/// Finds dry land near a column, before any chunk is there: for the place where a world is entered.
/// Trees and caves are not looked at: ask player_find_place when the chunks have come.
/// @param x,z  voxel coordinates, moved into the world
/// @return MOVED and HERE: on the ground. AFLOAT: no land within some 500 voxels; the sea's surface
/// Cost: 0.1 ms where there is land, at most 30 ms.
PlayerPlace player_find_land(const TrnTerrain *terrain, int64_t x, int64_t z);

/// Moves eyes that are inside an opaque block up to the first voxel that is not opaque, before any
/// chunk is loaded. From inside a block the faces around it are missing, and all caves show.
/// @param eyes  voxels x, y, z
/// @param what  receives a sentence about what was done; empty if the eyes stay
/// Cost: one generated chunk; inside rock one for each 32 voxels upwards, at most 16.
void player_leave_rock(TrnTerrain *terrain, const TrnBlockTypes *types, double eyes[3],
                       Message *what);

#endif
