#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "whole_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "interrupt.h"
#include "whole_file_system.h"

int whole_file_open(WholeFile *whole, const char *path)
{
    *whole = (WholeFile){.path = path};
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return EISDIR;
        }
        if (!S_ISREG(status.st_mode)) {
            whole->file = fopen(path, "wb");
            return whole->file ? 0 : errno;
        }
    } else if (errno != ENOENT) {
        return errno; // rename would fail too, but only after all the work
    }
    return path[whole_system_folder_length(path)] ? whole_system_create(whole) : EISDIR;
}

int whole_file_finish(WholeFile *whole)
{
    interrupt_hold();
    int error = whole_system_put_in_place(whole);
    whole_file_drop(whole);
    interrupt_release();
    return error;
}

void whole_file_drop(WholeFile *whole)
{
    if (whole->temporary[0]) {
        (void)remove(whole->temporary);
        whole->temporary[0] = '\0';
    }
    if (whole->file) {
        fclose(whole->file);
        whole->file = NULL;
    }
}

int whole_file_try_folder(const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/x", folder) >= (int)sizeof path) {
        return ENAMETOOLONG;
    }
    interrupt_hold();
    WholeFile whole = {.path = path};
    const int error = whole_system_create(&whole);
    whole_file_drop(&whole);
    interrupt_release();
    return error;
}

void whole_file_make_folders(const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)whole_file_make_folder(folder, true);
        *slash = '/';
    }
}

bool whole_file_lacks_space(int error)
{
#if defined(EDQUOT)
    if (error == EDQUOT) {
        return true;
    }
#endif
    return error == ENOSPC || error == EFBIG;
}

bool whole_file_problem(const char *path, int error, Message *problem)
{
    if (error == EINTR) {
        return message_set(problem, "Interrupted; nothing was written.");
    }
    const char *hint = error == EISDIR                 ? "move it away, or choose another place"
                       : whole_file_lacks_space(error) ? "make room, or choose another place"
                                                       : "choose another place";
    return message_set(problem, "Cannot write %s: %s; %s.", message_short(path).text,
                       strerror(error), hint);
}
