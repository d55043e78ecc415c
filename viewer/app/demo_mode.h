/// The demo (attract mode): while the user is idle, the viewer plays the recorded walk of the
/// preset, or the built-in flight if the walk does not fit the land.
///
/// The demo moves only the camera. The player's body stays in place, no voxels change, and the
/// camera returns when the user touches the controls.
#pragma once

#include "app/session.h"
#include "flight/clearance.h"

#define DEMO_IDLE_SECONDS 60.0

/// All zeroes: no demo is playing or due.
typedef struct Demo {
    bool has_failed; ///< the demo could not begin; it is not tried again
    double idle;     ///< seconds without input
    double played;   ///< seconds of the flight played
    Flight flight;
    Clearance clearance;
    Camera before; ///< camera before the demo
} Demo;

/// Counts the time without input; call it once a frame.
/// @param is_allowed  the setting "attract"
/// @param is_busy     the controls were used in this frame, or something must not be interrupted
/// @return whether the demo should begin now
bool demo_is_due(Demo *demo, bool is_allowed, bool is_busy, double seconds);

/// Chooses the recorded walk of a preset, or a flight over any land.
/// @param flight  receives the walk or flight; free it with flight_free
/// @param here    seed, preset and land version of the terrain
/// @param why     receives why the walk is not used; empty for a walk
/// @return false if out of memory; `why` says so
bool demo_choose(Flight *flight, const FlightHead *here, const TrnTerrain *terrain, Message *why);

/// Starts the demo: the camera jumps to the start of the flight.
/// @param news  receives why the walk is not played, or empty
/// @return false if out of memory; the camera stays, and `news` says so
bool demo_begin(Demo *demo, const FlightHead *here, const TrnTerrain *terrain, Camera *camera,
                Message *news);

/// Moves the camera along the flight. After the end the demo starts over.
/// @param terrain  the terrain passed to demo_begin
/// @return whether the demo started over: the camera has jumped
bool demo_move(Demo *demo, const TrnTerrain *terrain, double seconds, Camera *camera);

/// Stops the demo and returns the camera.
void demo_end(Demo *demo, Camera *camera);

/// Frees the memory of a playing demo.
void demo_free(Demo *demo);

/// demo_begin and demo_end in a window, with notice and loading.
bool demo_open(Demo *demo, Session *session);
void demo_close(Demo *demo, Session *session);

/// demo_is_due for the player of a window. Never due in a world that the player has chosen, nor in
/// a world file: the demo would show, and so save, land far from the player.
/// @param is_busy  as in demo_is_due; recording, loading and a window without focus count as busy
///                 too
bool demo_watch(Demo *demo, const Session *session, bool is_busy, double step);

/// demo_move in a window.
void demo_step(Demo *demo, Session *session, double step);
