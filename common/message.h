/// A sentence for the person at the keyboard: what went wrong and what to do about it. Errors in
/// the programs are values: a function that can fail returns false and has filled its message.
#ifndef TERRANE_COMMON_MESSAGE_H
#define TERRANE_COMMON_MESSAGE_H

#include <stdbool.h>

typedef struct Message {
    char text[512]; ///< cut off when longer
} Message;

/// Fills the message. @return false always, so that a failing function can end with `return
/// message_set(…);`
bool message_set(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// What a person typed, short enough to leave a message room for what else it says.
typedef struct MessageText {
    char text[160];
} MessageText;

/// A path or another text of any length; where it is too long, "..." stands for its middle.
/// Characters of UTF-8 stay whole.
MessageText message_short(const char *text);

#endif
