#include "app/notices.h"

#include <stdarg.h>
#include <stdio.h>

#include "clock.h"

#define NOTICE_SECONDS 4.0

void notices_show(Notices *notices, const Message *text)
{
    notices->text = *text;
    notices->until = clock_us() * 1e-6 + NOTICE_SECONDS;
}

void notices_say(Notices *notices, const char *format, ...)
{
    char filled[sizeof(Message)];
    Message text;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(filled, sizeof filled, format, arguments);
    va_end(arguments);
    (void)message_escape(filled, true, text.text, sizeof text.text);
    notices_show(notices, &text);
}

void notices_hide(Notices *notices)
{
    notices->until = 0;
}

const char *notices_text(const Notices *notices)
{
    return clock_us() * 1e-6 < notices->until ? notices->text.text : NULL;
}
