/// The other players of a shared world: simple figures made of cubes, and their names in the
/// picture.
#ifndef TERRANE_VIEWER_OTHERS_H
#define TERRANE_VIEWER_OTHERS_H

#include <terrane/block_types.h>
#include <terrane/member.h>

#include "debris/debris.h"
#include "panels/overlay.h"
#include "render/camera.h"

#define OTHERS_MAX 32   ///< players that are drawn; more are not
#define OTHERS_CUBES 18 ///< of a figure

/// One player as drawn: it moves smoothly between two reports.
typedef struct OthersFigure {
    TrnMemberPlayer shown;
    double walked; ///< voxels, for the swing of arms and legs
    bool is_seen;  ///< in the last list
} OthersFigure;

typedef struct Others {
    OthersFigure figures[OTHERS_MAX]; ///< [count]
    uint32_t count;
    DebrisInstance cubes[OTHERS_MAX * OTHERS_CUBES]; ///< [cube_count] as debris is drawn
    uint32_t cube_count;
    OverlayLabel labels[OTHERS_MAX]; ///< [label_count]
    uint32_t label_count;
} Others;

/// Tells the others where the camera is.
/// @param member  NULL: the world is not shared, and nothing is done
void others_tell(TrnMember *member, const Camera *camera);

/// Takes where the others are, and makes figures and labels for a picture.
/// @param member   NULL: there are none
/// @param seconds  since the last call
/// @param width,height  of the picture
void others_update(Others *others, TrnMember *member, const TrnBlockTypes *types,
                   const Camera *camera, double seconds, int width, int height);

#endif
