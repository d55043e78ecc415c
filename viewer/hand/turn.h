/// Which turn of a model one builds: by the side looked at, and by the way one looks.
#ifndef TERRANE_VIEWER_TURN_H
#define TERRANE_VIEWER_TURN_H

#include <terrane/block_types.h>

/// How one looks at the place to build at.
typedef struct TurnAim {
    double direction[3]; ///< of the look, of any length
    TrnFace face;        ///< of the block looked at; TRN_FACE_COUNT: its inside
    double height;       ///< where it is hit, 0..1 above its voxel's bottom
} TurnAim;

/// Returns the type of a model's family that fits; any other block unchanged. What is solid, such
/// as stairs and doors, is turned the way one looks. What is not, such as ladders and wall torches,
/// leans at the wall looked at; or at the one ahead, if ground or ceiling is looked at. A family
/// that has them stands upside down below a ceiling and at the upper half of a wall. At a wall a
/// torch becomes a wall torch, below a ceiling a lantern hangs.
TrnBlock turn_block(const TrnBlockTypes *types, TrnBlock block, const TurnAim *aim);

#endif
