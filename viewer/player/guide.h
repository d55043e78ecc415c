/// A guide: leads a player on foot along a route, and finds the way between its points as chunks
/// come (way.h).
///
/// What it makes is wishes: walking, jumping, swimming and climbing are the player's own, and so
/// nothing is done that a person at the keys could not do. A frame of a game:
///
///     guide_advance(guide, &player, store, seconds);
///     guide_look(guide, &player, &yaw, &pitch);
///     player_camera(&player, yaw, pitch, &camera);
///
/// Where no way leads to a point, it goes as near as it can, says so, and goes on to the next.
/// Where chunks ahead are not there it waits for them, a while. The same chunks at the same steps
/// give the same walk.
#ifndef TERRANE_VIEWER_GUIDE_H
#define TERRANE_VIEWER_GUIDE_H

#include "player/player.h"
#include "player/route.h"
#include "player/way.h"

typedef enum GuideState {
    GUIDE_PLANS, ///< looks for a way, or waits for ground under the feet
    GUIDE_WALKS,
    GUIDE_WAITS, ///< for chunks
    GUIDE_RESTS, ///< by the route's own wish
    GUIDE_DONE
} GuideState;

typedef struct GuideReport {
    GuideState state;
    size_t points, point;     ///< of the route; the one that it is at, counted from 0
    uint32_t reached, missed; ///< points so far, those of earlier rounds included
    double walked;            ///< voxels along x and z
    uint64_t steps;
    uint32_t searches; ///< for ways
    uint32_t messages; ///< how many have been said
    Message says;      ///< the last of them: what was reached, or how near it is and why no nearer
} GuideReport;

typedef struct Guide Guide;

/// Where a walk begins, before any chunk is there; ask player_find_place when they have come.
/// @param route  that was read
PlayerPlace guide_start(const Route *route, const TrnTerrain *terrain);

/// @param route  copied
/// @param loops  whether it begins again after the last point
/// @param guide  receives the guide; free it with guide_destroy. Some 2 MiB; nothing is allocated
///               later
bool guide_create(Guide **guide, const Route *route, bool loops, Message *problem);
/// @param guide  may be NULL
void guide_destroy(Guide *guide);

/// What the player should wish in the next step. To be asked once for each step.
/// @param player  on foot
/// Cost: 1 us; while it looks for a way, some 40 us.
PlayerWish guide_wish(Guide *guide, const Player *player, const TrnStore *store);

/// Takes as many steps as are due, as player_advance does. @return how many
uint32_t guide_advance(Guide *guide, Player *player, const TrnStore *store, double seconds);

/// Where the eyes look in this frame, degrees: between the last two steps, as the player's picture.
void guide_look(const Guide *guide, const Player *player, double *yaw, double *pitch);

/// Begins to turn from there: where the eyes looked before. @param yaw,pitch  degrees
void guide_face(Guide *guide, double yaw, double pitch);

/// The way is looked for again from where the player is: after he was put elsewhere, or moved by
/// hand.
void guide_lost(Guide *guide);

/// Cost: some ns.
GuideReport guide_report(const Guide *guide);

/// One line for a person: how many points were reached, and how far it went.
void guide_describe(const Guide *guide, Message *line);

// ---- attract mode -------------------------------------------------------------------------------

#define ATTRACT_SECONDS 60.0

/// Whether nobody has touched the keys for a while. All zeroes begins; `is_off` switches it off.
typedef struct Attract {
    bool is_off;
    double idle; ///< seconds
} Attract;

/// To be asked once a frame.
/// @param touched  whether a key, the mouse or a gamepad was used in this frame
/// @return whether a guide should lead now
bool attract_update(Attract *attract, bool touched, double seconds);

#endif
