/// The other players of a shared world: simple figures made of cubes, and their names in the
/// picture.
#pragma once

#include <terrane/block_types.h>
#include <terrane/member.h>

#include "debris/debris.h"
#include "panels/overlay.h"
#include "render/camera.h"

#define OTHERS_MAX 32   ///< players drawn at most
#define OTHERS_CUBES 23 ///< of a figure

/// One player as drawn, interpolated between two reports.
typedef struct OthersFigure {
    TrnMemberPlayer shown;
    double walked; ///< voxels, for the swing of arms and legs
    bool is_seen;  ///< was in the last list
} OthersFigure;

typedef struct Others {
    OthersFigure figures[OTHERS_MAX]; ///< [count]
    uint32_t count;
    DebrisInstance cubes[OTHERS_MAX * OTHERS_CUBES]; ///< [cube_count] drawn as debris
    uint32_t cube_count;
    OverlayLabel labels[OTHERS_MAX]; ///< [label_count]
    uint32_t label_count;
} Others;

/// Reports the camera's place to the other players.
/// @param member  NULL: the world is not shared; does nothing
void others_tell(TrnMember *member, const Camera *camera);

/// Reads the reports of the other players, and updates figures and labels for a picture.
/// @param member   NULL: no other players
/// @param seconds  since the last call
/// @param width,height  of the picture
void others_update(Others *others, TrnMember *member, const TrnBlockTypes *types,
                   const Camera *camera, double seconds, int width, int height);
