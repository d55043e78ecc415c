#include "message.h"

#include <stdarg.h>
#include <stdio.h>

bool message_set(Message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start in its
    // second file
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return false;
}
