/// A sentence for the user: what is wrong, then what to do. A function of the programs that fails
/// returns false and has filled its message.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Message {
    char text[512]; ///< truncated
} Message;

/// Fills the message, with the control characters of its texts escaped. @return false always, so
/// that a failing function can end with `return message_set(…);`
bool message_set(Message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Returns the bytes of the UTF-8 character at the start of a text; 0 if none begins there.
size_t message_character(const unsigned char *text);

/// Whether the character at the start of a text is one of control: of ASCII, or U+0080 to U+009F.
bool message_is_control(const unsigned char *text);

/// Writes a text that a stranger may have made, for a terminal: control characters, which a
/// terminal obeys, and bytes that are no UTF-8 become \x1B and the like. What does not fit is left
/// out.
/// @param keeps_lines  the ends of lines stay
/// @param escaped      [size] receives it
/// @return its length
size_t message_escape(const char *text, bool keeps_lines, char *escaped, size_t size);

/// A user's text, short enough for a message.
typedef struct MessageText {
    char text[160];
} MessageText;

/// Shortens a path or other text: if it is too long, "..." replaces its middle. UTF-8 characters
/// stay whole. URLs are as message_name writes them.
MessageText message_short(const char *text);

/// Copies a path or other text. URLs lose the user and the password, and those of databases their
/// options too. What does not fit is left out. @param name  [size] receives it
void message_name(const char *text, char *name, size_t size);

#ifdef __cplusplus
}
#endif
