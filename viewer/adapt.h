/// Chooses the resolution that a slow machine can draw 20 times a second. Knows no renderer: it is
/// told how long frames took, and says how large to draw.
#ifndef TERRANE_VIEWER_ADAPT_H
#define TERRANE_VIEWER_ADAPT_H

#include <stdbool.h>
#include <stdint.h>

#define ADAPT_SLOW_US 50e3 ///< of a frame: 20 a second
#define ADAPT_FAST_US 22e3 ///< of a frame: the next larger step takes 1.6 times as long
#define ADAPT_STEPS 4      ///< of resolution: 1, 0.8, 0.64 and 0.5 of what the player chose

/// All zeroes: begins with what the player chose.
typedef struct Adapt {
    double full, now; ///< the resolution that the player chose, and the one last returned
    uint32_t step;    ///< 0: full
    double seconds;   ///< of the frames counted since the last decision
    uint32_t frames, slow, fast;
    uint32_t slow_seconds, fast_seconds; ///< in a row, with mostly such frames
    uint32_t raised; ///< how often it was raised; a machine between two steps shall not flicker
} Adapt;

/// Counts a frame.
/// @param scale     the resolution of the settings; another one than the last returned is a choice
///                  of the player's
/// @param frame_us  how long the frame took
/// @return the resolution of the next frame: `scale`, or a step higher or lower
double adapt_step(Adapt *adapt, double scale, double frame_us);

#endif
