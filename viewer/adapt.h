/// Chooses how much a slow machine draws, so that it draws 20 frames a second, or as many as it
/// can. Knows no renderer: it is told how long frames took, and says which levers are pulled how
/// far. A lever that does not make frames faster is given back: where corners of quads take the
/// time, fewer pixels do not help, and where pixels do, a smaller view does not.
#ifndef TERRANE_VIEWER_ADAPT_H
#define TERRANE_VIEWER_ADAPT_H

#include <stdbool.h>
#include <stdint.h>

#define ADAPT_SLOW_US 50e3 ///< of a frame: 20 a second
#define ADAPT_FAST_US 22e3 ///< of a frame: a step back may take twice as long
#define ADAPT_STEPS_MAX 8  ///< of all levers together

/// What is lowered, in this order, a step of each in turn.
typedef enum AdaptLever {
    ADAPT_SCALE,   ///< resolution: 1, 0.8, 0.64, 0.5 of what the player chose
    ADAPT_QUALITY, ///< low
    ADAPT_VIEW,    ///< how far to see: 1, 0.75, 0.5
    ADAPT_LEVER_COUNT
} AdaptLever;

/// All zeroes, and `most`: nothing is lowered.
typedef struct Adapt {
    uint32_t most[ADAPT_LEVER_COUNT];  ///< steps that each lever has; 0: it changes nothing
    uint32_t steps[ADAPT_LEVER_COUNT]; ///< 0: as the player chose
    bool is_useless[ADAPT_LEVER_COUNT];
    AdaptLever pulled[ADAPT_STEPS_MAX]; ///< [pulled_count] in order
    uint32_t pulled_count;
    double seconds; ///< of the frames counted since the last second ended
    uint32_t frames, slow, fast;
    uint32_t slow_seconds, fast_seconds; ///< in a row, with mostly such frames
    uint32_t raised;   ///< how often a step was taken back for speed: it shall not flicker
    double before_us;  ///< a frame before the last step; 0: that step is judged already
    uint32_t settling; ///< seconds until it is judged
} Adapt;

/// Begins with what the player chose.
/// @param has_lower_quality  the chosen quality is not the lowest
/// @param view  chosen, in chunks
void adapt_begin(Adapt *adapt, bool has_lower_quality, int view);

/// Counts a frame.
/// @param frame_us    how long it took
/// @param is_loading  land is being loaded, which takes time as well: decisions take longer
/// @return whether `steps` have changed
bool adapt_frame(Adapt *adapt, double frame_us, bool is_loading);

/// Whether anything is lowered.
bool adapt_is_active(const Adapt *adapt);

double adapt_scale(const Adapt *adapt, double chosen);
int adapt_view(const Adapt *adapt, int chosen);

#endif
