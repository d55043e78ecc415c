/// For tests of whole programs: a folder of one's own to run them in, and what they print.
#ifndef TERRANE_TESTS_PLACE_H
#define TERRANE_TESTS_PLACE_H

#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

typedef struct Place {
    char folder[64];
    char text[8192]; ///< what the last program printed
} Place;

/// Setup of a group of tests, whose state becomes a place. _XOPEN_SOURCE must be 700.
static inline int place_make(void **state)
{
    Place *place = calloc(1, sizeof *place);
    if (!place) {
        return -1;
    }
    strcpy(place->folder, "/tmp/terrane-test-XXXXXX");
    *state = place;
    return mkdtemp(place->folder) ? 0 : -1;
}

/// Teardown: takes the folder away with all that is in it.
static inline int place_remove(void **state)
{
    Place *place = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    int result = system(command);
    free(place);
    return result;
}

/// Runs a command of the shell, with what it prints in place->text. @return its exit code, or -1
static inline int place_run(Place *place, const char *command)
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(place->text, 1, sizeof place->text - 1, pipe);
    place->text[length] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
