/// Chooses the turn of a model to build, by the face aimed at and the direction of the look.
#pragma once

#include <terrane/block_types.h>

/// The aim at the place to build at.
typedef struct TurnAim {
    double direction[3]; ///< of the look; any length
    TrnFace face;        ///< of the block aimed at; TRN_FACE_COUNT: from inside
    double height;       ///< where the aim hits, 0..1 above the voxel's bottom
} TurnAim;

/// Returns the type of a model's family that fits; other blocks are returned unchanged. Solid
/// models, such as stairs and doors, face the direction of the look. Other models, such as ladders
/// and wall torches, are attached to the wall aimed at, or, at ground or ceiling, to the wall
/// ahead. If the family has such variants, it is upside down below a ceiling and at the upper half
/// of a wall. At a wall a torch becomes a wall torch; below a ceiling a lantern hangs.
TrnBlock turn_block(const TrnBlockTypes *types, TrnBlock block, const TurnAim *aim);
