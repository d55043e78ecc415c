/// A sentence for the user: what is wrong, then what to do. A function of the programs that fails
/// returns false and has filled its message.
#ifndef TERRANE_COMMON_MESSAGE_H
#define TERRANE_COMMON_MESSAGE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Message {
    char text[512]; ///< truncated
} Message;

/// Fills the message. @return false always, so that a failing function can end with `return
/// message_set(…);`
bool message_set(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A user's text, short enough for a message.
typedef struct MessageText {
    char text[160];
} MessageText;

/// Shortens a path or other text: if it is too long, "..." replaces its middle. UTF-8 characters
/// stay whole.
MessageText message_short(const char *text);

#ifdef __cplusplus
}
#endif

#endif
