#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool message_set(Message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    // clang-tidy 14 does not see va_start in the second file of a run.
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return false;
}

/// Whether a byte continues a UTF-8 character.
static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

MessageText message_short(const char *text)
{
    MessageText shown;
    const size_t length = strlen(text), space = sizeof shown.text - sizeof "...";
    if (length < sizeof shown.text) {
        memcpy(shown.text, text, length + 1);
        return shown;
    }
    // The end of a path says more than its beginning.
    size_t head = space / 3, tail = length - (space - space / 3);
    while (head > 0 && continues_character(text[head])) {
        head--;
    }
    while (continues_character(text[tail])) {
        tail++;
    }
    snprintf(shown.text, sizeof shown.text, "%.*s...%s", (int)head, text, text + tail);
    return shown;
}
