#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- characters that a terminal obeys ----------------------------------------------------------

size_t message_character(const unsigned char *text)
{
    const size_t bytes = text[0] < 0x80   ? 1
                         : text[0] < 0xC2 ? 0
                         : text[0] < 0xE0 ? 2
                         : text[0] < 0xF0 ? 3
                         : text[0] < 0xF5 ? 4
                                          : 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0u) != 0x80u) {
            return 0;
        }
    }
    const bool is_long = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xF0 && text[1] < 0x90);
    const bool is_outside =
        (text[0] == 0xED && text[1] > 0x9F) || (text[0] == 0xF4 && text[1] > 0x8F);
    return is_long || is_outside ? 0 : bytes;
}

bool message_is_control(const unsigned char *text)
{
    return text[0] < ' ' || text[0] == 0x7F || (text[0] == 0xC2 && text[1] < 0xA0);
}

size_t message_escape(const char *text, bool keeps_lines, char *escaped, size_t size)
{
    size_t length = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t bytes = message_character(at);
        const bool is_plain =
            bytes > 0 && (!message_is_control(at) || (keeps_lines && *at == '\n'));
        const size_t read = bytes ? bytes : 1, written = is_plain ? read : 4 * read;
        if (length + written >= size) {
            break;
        }
        if (is_plain) {
            memcpy(escaped + length, at, read);
        } else {
            for (size_t i = 0; i < read; i++) {
                (void)snprintf(escaped + length + 4 * i, 5, "\\x%02X", at[i]);
            }
        }
        length += written;
        at += read;
    }
    escaped[length] = '\0';
    return length;
}

bool message_set(Message *message, const char *format, ...)
{
    char text[sizeof message->text];
    va_list arguments;
    va_start(arguments, format);
    // clang-tidy 14 does not see va_start in the second file of a run.
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)message_escape(text, strchr(format, '\n') != NULL, message->text, sizeof message->text);
    return false;
}

/// Whether a byte continues a UTF-8 character.
static bool message_continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/// A text that is appended to, up to its size.
typedef struct MessageName {
    char *text;
    size_t length, size;
} MessageName;

static void message_append(MessageName *name, const char *text, size_t length)
{
    const size_t left = name->size - 1 - name->length;
    const size_t count = length < left ? length : left;
    memcpy(name->text + name->length, text, count);
    name->length += count;
}

/// Returns what follows the last '@' before any of some characters, or else the text.
static const char *message_behind_at(const char *text, const char *ends)
{
    const char *const end = text + strcspn(text, ends);
    const char *behind = text;
    for (const char *c = text; c < end; c++) {
        behind = *c == '@' ? c + 1 : behind;
    }
    return behind;
}

/// Returns the host of a URL, which follows user and password. A password may have an '@', and as
/// libpq reads it a '?'.
static const char *message_host(const char *rest)
{
    const char *const host = message_behind_at(rest, "? \t\r\n");
    return host == rest ? message_behind_at(rest, "/ \t\r\n") : host;
}

void message_name(const char *text, char *name, size_t size)
{
    MessageName shown = {name, 0, size};
    const char *colon;
    while ((colon = strstr(text, "://")) != NULL) {
        const char *const rest = colon + strlen("://");
        const char *const end = rest + strcspn(rest, " \t\r\n");
        const char *const host = message_host(rest);
        const char *const options = host + strcspn(host, "? \t\r\n");
        const char *scheme = colon;
        while (scheme > text && !strchr(" \t\r\n'\"", scheme[-1])) {
            scheme--;
        }
        const bool is_database = strncmp(scheme, "postgres", strlen("postgres")) == 0;
        message_append(&shown, text, (size_t)(rest - text));
        message_append(&shown, host, (size_t)((is_database ? options : end) - host));
        text = end;
    }
    message_append(&shown, text, strlen(text));
    name[shown.length] = '\0';
}

MessageText message_short(const char *text)
{
    MessageText shown;
    char name[4096];
    message_name(text, name, sizeof name);
    text = name;
    const size_t length = strlen(text), space = sizeof shown.text - sizeof "...";
    if (length < sizeof shown.text) {
        memcpy(shown.text, text, length + 1);
        return shown;
    }
    // The end of a path says more than its beginning.
    size_t head = space / 3, tail = length - (space - space / 3);
    while (head > 0 && message_continues_character(text[head])) {
        head--;
    }
    while (message_continues_character(text[tail])) {
        tail++;
    }
    snprintf(shown.text, sizeof shown.text, "%.*s...%s", (int)head, text, text + tail);
    return shown;
}
