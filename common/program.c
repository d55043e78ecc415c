#include "program.h"

#include <stdio.h>

#include "interrupt.h"

int program_complain(const char *program, const Message *problem, int code)
{
    fprintf(stderr, "%s: %s\n", program, problem->text);
    return interrupt_came() ? PROGRAM_SIGNAL + interrupt_came() : code;
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
