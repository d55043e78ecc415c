/// Private: moves a box along the three axes until something solid stops it. For sweeps and bodies.
#ifndef TERRANE_PHYSICS_SWEEP_H
#define TERRANE_PHYSICS_SWEEP_H

#include "physics/box.h"

typedef enum TrnBoxGround {
    TRN_BOX_GROUND_NONE,
    TRN_BOX_GROUND_UNLOADED, ///< only chunks that are not loaded
    TRN_BOX_GROUND_SOLID
} TrnBoxGround;

/// What the bottom face of a box touches.
TrnBoxGround trn_box_ground(TrnBoxWorld *world, const TrnBodyBox *box);

/// Settings and result of a sweep; zero the result.
typedef struct TrnBoxSweep {
    int64_t step;       ///< climbs steps up to this height, grid units
    bool keeps_to_edge; ///< does not walk over an edge that is higher than step
    bool waits_above;   ///< does not slide on a chunk that is not loaded

    bool hit[TRN_FACE_COUNT];      ///< sides that were stopped
    bool at_edge[3];               ///< axes along which an edge stopped it
    bool unloaded[TRN_FACE_COUNT]; ///< of those, sides for which TrnSweep.unloaded holds
    bool waits;                    ///< such a chunk ended its fall, and it did not slide
    int64_t stepped;               ///< how far it climbed, grid units
} TrnBoxSweep;

/// Moves a box as trn_store_sweep does.
/// @param motion  grid units
void trn_box_sweep(TrnBoxWorld *world, TrnBodyBox *box, const int64_t motion[3],
                   TrnBoxSweep *sweep);

#endif
