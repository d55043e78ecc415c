/// Play: the person walks, flies, digs and builds.
#pragma once

#include "app/session.h"

typedef enum PlayBeginning {
    PLAY_NOT_BEGUN, ///< the person has not had the controls yet
    PLAY_AT_START,  ///< a new player reads the first hint
    PLAY_HAS_WALKED ///< the person has walked a few voxels
} PlayBeginning;

/// What the person knows of the lamp.
typedef enum PlayLamp {
    PLAY_LAMP_UNSEEN, ///< it was light everywhere so far
    PLAY_LAMP_HINTED, ///< it is dark for the first time: a hint says which key lights the lamp
    PLAY_LAMP_KNOWN   ///< the person has lit it, or has left the first dark place
} PlayLamp;

/// All zeroes to begin with.
typedef struct Play {
    PlayBeginning beginning;
    double began_at[3]; ///< voxel where play began; valid from AT_START on
    PlayLamp lamp;
} Play;

/// Returns what the person knows of the lamp after a frame.
/// @param is_lit    the lamp is on
/// @param darkness  0..1, of RendererStats
PlayLamp play_lamp_next(PlayLamp lamp, bool is_lit, float darkness);

/// Moves the person and the camera.
void play_step(Play *play, Session *session, const Input *input, double step);

/// Digs and builds while the mouse is caught.
/// @param is_click_taken  this frame's click caught the mouse or ended the demo
void play_act(Session *session, const Input *input, bool is_click_taken, double step);
