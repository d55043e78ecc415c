/// The demo (attract mode): while the user is idle, the viewer shows the land by itself. It plays
/// the recorded walk of the preset, or the built-in flight if the walk does not fit the land.
///
/// The demo moves the camera alone. The player's body stays where it is, nothing is dug or built,
/// and the camera returns when the user touches the controls.
#ifndef TERRANE_VIEWER_DEMO_H
#define TERRANE_VIEWER_DEMO_H

#include "flight/clearance.h"
#include "flight/flight.h"
#include "render/camera.h"

#define DEMO_IDLE_SECONDS 60.0

/// All zeroes: no demo is playing, and none is due.
typedef struct Demo {
    bool has_failed; ///< it could not begin, and does not try again
    bool is_playing;
    double idle;   ///< seconds without input
    double played; ///< seconds of the flight
    Flight flight;
    Clearance clearance;
    Camera before; ///< where the camera returns to
} Demo;

/// Counts the time without input; call it once a frame.
/// @param is_allowed  the setting "attract"
/// @param is_busy     the controls were used in this frame, or something else must not be
///                    interrupted
/// @return whether the demo should begin now
bool demo_is_due(Demo *demo, bool is_allowed, bool is_busy, double seconds);

/// The recorded walk of a preset, or a flight over any land.
/// @param flight  receives it; free it with flight_free
/// @param here    seed, preset and land version of the terrain
/// @param why     receives why it is no walk; empty for a walk
/// @return false if there is no memory; `why` says so
bool demo_choose(Flight *flight, const FlightHead *here, const TrnTerrain *terrain, Message *why);

/// Starts the demo: the camera jumps to its beginning.
/// @param news  receives a sentence for the user
/// @return false if there is no memory; the camera stays
bool demo_begin(Demo *demo, const FlightHead *here, const TrnTerrain *terrain, Camera *camera,
                Message *news);

/// Moves the camera on. After its last second the demo begins again.
/// @param terrain  that of demo_begin
/// @return whether it did: the camera has jumped
bool demo_move(Demo *demo, const TrnTerrain *terrain, double seconds, Camera *camera);

/// Stops the demo and returns the camera.
void demo_end(Demo *demo, Camera *camera);

/// Frees what a demo that is playing holds.
void demo_free(Demo *demo);

#endif
