#include "program.h"

#include <stdarg.h>
#include <stdio.h>

#include "interrupt.h"

int program_complain(const char *program, const Message *problem, int code)
{
    char escaped[2 * sizeof problem->text]; // it need not come from message_set
    (void)message_escape(problem->text, false, escaped, sizeof escaped);
    (void)fflush(stdout); // where both go to one file, the sentence must not break a line of it
    fprintf(stderr, "%s: %s\n", program, escaped);
    return interrupt_came() ? PROGRAM_SIGNAL + interrupt_came() : code;
}

void program_print(const char *format, ...)
{
    char text[8192], escaped[8192];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): as in message.c
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)message_escape(text, false, escaped, sizeof escaped);
    (void)puts(escaped);
}

void program_print_json(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == 0x7F) {
            (void)fputs("\\u007f", stdout);
        } else if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) {
            (void)printf("\\u%04x", *++at);
        } else {
            (void)putchar(*at);
        }
    }
    (void)putchar('\n');
}

int program_finish_output(const char *program, int code)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || code != PROGRAM_GOOD) {
        return code;
    }
    Message problem;
    message_set(&problem,
                "Not all of the output could be written; make room, or send it somewhere else.");
    return program_complain(program, &problem, PROGRAM_FAILED);
}
