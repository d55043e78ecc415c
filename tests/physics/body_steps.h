/// Steps of a body, for the tests of bodies.
#pragma once

#include "body_scene.h"

static inline void step_body(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                             const TrnBodyInput *input, double seconds)
{
    assert_int_equal(trn_body_step(scene->store, def, body, input, seconds), TRN_RESULT_OK);
}

static inline TrnBody body_at(double x, double y, double z)
{
    TrnBody body;
    memset(&body, 0, sizeof body);
    body.position = position_at(x, y, z);
    return body;
}
