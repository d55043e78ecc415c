/// Lowers settings while drawing is slow, to reach 20 frames a second if the machine can. Knows no
/// renderer: the caller passes frame times and reads how many steps each lever has taken. A lever
/// that does not make frames faster is released: fewer pixels do not help if vertices take the
/// time, and a shorter view distance does not help if pixels do.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "settings/settings.h"

#define ADAPT_SLOW_US 50e3 ///< frames that take longer are slow: below 20 a second
#define ADAPT_FAST_US 22e3 ///< frames that take less are fast: undoing a step may double their time
#define ADAPT_STEPS_MAX 8  ///< of all levers together

/// The settings that are lowered, in this order, one step of each in turn.
typedef enum AdaptLever {
    ADAPT_SCALE,   ///< resolution: 1, 0.8, 0.64, 0.5 of the player's choice
    ADAPT_QUALITY, ///< low quality
    ADAPT_VIEW,    ///< view distance: 1, 0.75, 0.5 of the player's choice
    ADAPT_LEVER_COUNT
} AdaptLever;

/// All zeroes except `most`: nothing is lowered.
typedef struct Adapt {
    uint32_t most[ADAPT_LEVER_COUNT];  ///< steps that each lever has; 0: it would change nothing
    uint32_t steps[ADAPT_LEVER_COUNT]; ///< steps taken; 0: as the player chose
    bool is_useless[ADAPT_LEVER_COUNT];
    AdaptLever pulled[ADAPT_STEPS_MAX]; ///< [pulled_count] the levers of the steps taken, in order
    uint32_t pulled_count;              ///< 0: nothing is lowered
    double seconds;                     ///< frame time counted in the current second
    uint32_t frames, slow, fast;
    uint32_t slow_seconds, fast_seconds; ///< mostly slow or mostly fast seconds in a row
    uint32_t raised;   ///< steps undone because frames were fast; limited, to avoid flicker
    double before_us;  ///< frame time before the last step; 0: no step waits to be judged
    uint32_t settling; ///< seconds until the step is judged
} Adapt;

/// Starts from the player's choices.
/// @param has_lower_quality  the chosen quality is not the lowest
/// @param view  chosen view distance, in chunks
void adapt_begin(Adapt *adapt, bool has_lower_quality, int view);

/// Counts a frame.
/// @param frame_us    frame time
/// @param is_loading  land is loading, which takes time too: decisions wait longer
/// @return whether `steps` have changed
bool adapt_frame(Adapt *adapt, double frame_us, bool is_loading);

double adapt_scale(const Adapt *adapt, double chosen);
int adapt_view(const Adapt *adapt, int chosen);

// ---- settings -----------------------------------------------------------------------------------

typedef enum AdaptedState {
    ADAPTED_NEVER, ///< no frame was counted yet: `chosen` and `adapted` are unknown
    ADAPTED_READY, ///< frames are counted
    ADAPTED_ONCE   ///< a setting was lowered before: the player has seen the notice
} AdaptedState;

/// The player's choices and what the levers lowered them to. All zeroes to begin with.
typedef struct AdaptedSettings {
    AdaptedState state;
    Adapt levers;
    Settings chosen;  ///< the player's scale, quality and view distance
    Settings adapted; ///< the same three as last lowered
} AdaptedSettings;

/// Counts a frame. If the player has changed a setting since the last call, that is a new choice,
/// and lowering starts over from it.
/// @param now     the settings in effect
/// @param wished  receives the settings to change to
/// @return whether `wished` differs from `now`; the caller applies `wished`, then calls
/// adapted_take
bool adapted_frame(AdaptedSettings *adapted, const Settings *now, double frame_us, bool is_loading,
                   Settings *wished);

/// Takes over the settings after the caller has applied `wished`. @param now  the settings in
/// effect
/// @return whether settings were lowered for the first time: the caller should tell the player
bool adapted_take(AdaptedSettings *adapted, const Settings *now);

/// Returns the settings as the player chose them, with nothing lowered, for the settings file.
Settings adapted_as_chosen(const AdaptedSettings *adapted, const Settings *now);
