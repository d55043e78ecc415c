/// Shared by tests that need files: a temporary folder per test, commands run by the shell, and
/// their output.
#pragma once

#include "testing.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Place {
    char folder[64];
    char text[32768]; ///< output of the last command
} Place;

#define PLACE_PATH 128 ///< longest path in a place, in bytes

/// Creates the folder. _XOPEN_SOURCE must be 700. @return false if it could not be created
static inline bool place_begin(Place *place)
{
    strcpy(place->folder, "/tmp/terrane-test-XXXXXX");
    place->text[0] = '\0';
    return mkdtemp(place->folder) != NULL;
}

/// Removes the folder, which must be empty. @return false if it was not
static inline bool place_end(const Place *place)
{
    return rmdir(place->folder) == 0;
}

/// Removes the folder and everything in it. @return false if it could not be removed
static inline bool place_discard(const Place *place)
{
    char command[sizeof place->folder + 16];
    snprintf(command, sizeof command, "rm -rf '%.*s'", (int)sizeof place->folder, place->folder);
    return system(command) == 0;
}

/// cmocka setup of a group: the group's state is a place.
static inline int place_make(void **state)
{
    Place *place = calloc(1, sizeof *place);
    *state = place;
    return place && place_begin(place) ? 0 : -1;
}

/// cmocka teardown: removes the folder and everything in it.
static inline int place_remove(void **state)
{
    Place *place = *state;
    const bool is_removed = place_discard(place);
    free(place);
    return is_removed ? 0 : -1;
}

/// cmocka setup of a test: empties the folder of the group's place, except for hidden files.
static inline int place_clear(void **state)
{
    const Place *place = *state;
    char command[sizeof place->folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'/*", place->folder);
    return system(command);
}

/// Returns the path of a file in a place.
static inline char *place_path(const Place *place, const char *name, char path[PLACE_PATH])
{
    const int length = snprintf(path, PLACE_PATH, "%s/%s", place->folder, name);
    assert_in_range(length, 1, PLACE_PATH - 1);
    return path;
}

static inline void place_write(const Place *place, const char *name, const char *text)
{
    char path[PLACE_PATH];
    FILE *file = fopen(place_path(place, name, path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/// Counts the entries of the folder, hidden ones included.
static inline int place_count(const Place *place)
{
    DIR *folder = opendir(place->folder);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(folder);
    return count;
}

/// Runs a shell command; its output is in place->text afterwards. @return its exit code, or -1
static inline int place_run(Place *place, const char *command)
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(place->text, 1, sizeof place->text - 1, pipe);
    place->text[length] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
