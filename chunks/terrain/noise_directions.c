// The gradients of the noise, stored twice for speed: by direction for the kernels that look up one
// lane at a time, and by component for those that look up all lanes at once. Both are written from
// one list.

#include "terrain/noise_kernels.h"

// Eight directions, of which the signs of x and y (in the plane: x and z) make 32.

// NOLINTBEGIN(bugprone-macro-parentheses): signs and list entries cannot stand in parentheses
#define NOISE_EIGHT_2D(ENTRY, X, Z)                                                                \
    ENTRY(X 0.9951847f, Z 0.0980171f)                                                              \
    ENTRY(X 0.9569403f, Z 0.2902847f)                                                              \
    ENTRY(X 0.8819213f, Z 0.4713967f)                                                              \
    ENTRY(X 0.7730105f, Z 0.6343933f)                                                              \
    ENTRY(X 0.6343933f, Z 0.7730105f)                                                              \
    ENTRY(X 0.4713967f, Z 0.8819213f)                                                              \
    ENTRY(X 0.2902847f, Z 0.9569403f)                                                              \
    ENTRY(X 0.0980171f, Z 0.9951847f)

#define NOISE_EIGHT_3D(ENTRY, X, Y)                                                                \
    ENTRY(X 0.2661813f, Y 0.8106966f, -0.5214581f)                                                 \
    ENTRY(X 0.3191013f, Y 0.2910894f, -0.9019098f)                                                 \
    ENTRY(X 0.9411501f, Y 0.2974099f, 0.1605734f)                                                  \
    ENTRY(X 0.6678360f, Y 0.3950074f, 0.6308441f)                                                  \
    ENTRY(X 0.2626948f, Y 0.3682660f, 0.8918361f)                                                  \
    ENTRY(X 0.8216023f, Y 0.2759109f, -0.4988414f)                                                 \
    ENTRY(X 0.6104711f, Y 0.7871432f, -0.0879240f)                                                 \
    ENTRY(X 0.2139789f, Y 0.9211701f, 0.3250519f)

#define NOISE_ALL(EIGHT, ENTRY)                                                                    \
    EIGHT(ENTRY, +, +) EIGHT(ENTRY, -, +) EIGHT(ENTRY, +, -) EIGHT(ENTRY, -, -)

#define NOISE_DIRECTION_2D(x, z) {{x, z}},
#define NOISE_X_2D(x, z) x,
#define NOISE_Z_2D(x, z) z,

#define NOISE_DIRECTION_3D(x, y, z) {{x, y, z}},
#define NOISE_X_3D(x, y, z) x,
#define NOISE_Y_3D(x, y, z) y,
#define NOISE_Z_3D(x, y, z) z,
// NOLINTEND(bugprone-macro-parentheses)

const TrnNoiseDirection trn_noise_directions_2d[TRN_NOISE_DIRECTIONS] = {
    NOISE_ALL(NOISE_EIGHT_2D, NOISE_DIRECTION_2D)};

const float trn_noise_components_2d[2][TRN_NOISE_DIRECTIONS] = {
    {NOISE_ALL(NOISE_EIGHT_2D, NOISE_X_2D)},
    {NOISE_ALL(NOISE_EIGHT_2D, NOISE_Z_2D)},
};

const TrnNoiseDirection trn_noise_directions_3d[TRN_NOISE_DIRECTIONS] = {
    NOISE_ALL(NOISE_EIGHT_3D, NOISE_DIRECTION_3D)};

const float trn_noise_components_3d[3][TRN_NOISE_DIRECTIONS] = {
    {NOISE_ALL(NOISE_EIGHT_3D, NOISE_X_3D)},
    {NOISE_ALL(NOISE_EIGHT_3D, NOISE_Y_3D)},
    {NOISE_ALL(NOISE_EIGHT_3D, NOISE_Z_3D)},
};
