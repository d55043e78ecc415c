/// Play: the person walks, flies, digs and builds.
#pragma once

#include "app/session.h"

typedef enum PlayBeginning {
    PLAY_NOT_BEGUN, ///< the person has not had the controls yet
    PLAY_AT_START,  ///< a new player reads the first hint
    PLAY_HAS_WALKED ///< the person has walked a few voxels
} PlayBeginning;

/// All zeroes to begin with.
typedef struct Play {
    PlayBeginning beginning;
    double began_at[3]; ///< voxel where play began; valid from AT_START on
    bool told_lamp;     ///< the person was told of the lamp, or has lit it
} Play;

/// Moves the person and the camera.
void play_step(Play *play, Session *session, const Input *input, double step);

/// Digs and builds while the mouse is caught.
/// @param is_click_taken  this frame's click caught the mouse or ended the demo
void play_act(Session *session, const Input *input, bool is_click_taken, double step);
