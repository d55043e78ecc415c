/// The notice: a sentence shown over the picture for some seconds. Any part of the app may show
/// one, so this file depends on none of them.
#pragma once

#include "message.h"

/// All zeroes: no notice.
typedef struct Notices {
    Message text;
    double until; ///< hidden at this time: seconds on clock_us
} Notices;

/// Shows a sentence, replacing the current one.
void notices_show(Notices *notices, const Message *text);
/// The same, with printf formatting.
void notices_say(Notices *notices, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Hides a sentence that is no longer true.
void notices_hide(Notices *notices);
/// Returns the sentence, or NULL once its time is over.
const char *notices_text(const Notices *notices);
