#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

/// The length of a path up to its last name, slash included.
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/// Makes a file of a name nobody uses yet. @return a descriptor, or -1 with errno set
static int make_temporary(WholeFile *whole)
{
    static const char name[] = ".terrane-XXXXXX";
    const size_t folder = folder_length(whole->path);
    if (folder + sizeof name > sizeof whole->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(whole->temporary, whole->path, folder);
    memcpy(whole->temporary + folder, name, sizeof name);
    int file = mkstemp(whole->temporary);
    if (file < 0) {
        whole->temporary[0] = '\0';
        return -1;
    }
    // mkstemp is stricter than files made the usual way.
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(file, 0666 & ~mask);
    return file;
}

/// @return 0 or what went wrong, as in errno
static int open_beside(WholeFile *whole)
{
    int file = make_temporary(whole);
    if (file < 0) {
        return errno;
    }
    whole->file = fdopen(file, "w");
    if (whole->file) {
        return 0;
    }
    int error = errno;
    close(file);
    whole_file_drop(whole);
    return error;
}

int whole_file_open(WholeFile *whole, const char *path)
{
    *whole = (WholeFile){.path = path};
    struct stat there;
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) {
            return EISDIR;
        }
        if (!S_ISREG(there.st_mode)) {
            whole->file = fopen(path, "w");
            return whole->file ? 0 : errno;
        }
    } else if (errno != ENOENT) {
        return errno; // told now, and not when the work is done
    }
    return path[folder_length(path)] ? open_beside(whole) : EISDIR;
}

/// @return 0 or what went wrong, as in errno
static int put_whole_file_in_place(WholeFile *whole)
{
    const bool renames = whole->temporary[0] != '\0';
    int error = 0;
    if (fflush(whole->file) != 0 || (renames && fsync(fileno(whole->file)) != 0)) {
        error = errno;
    }
    if (fclose(whole->file) != 0 && !error) {
        error = errno;
    }
    whole->file = NULL;
    if (!error && renames) {
        error = rename(whole->temporary, whole->path) == 0 ? 0 : errno;
    }
    if (!error) {
        whole->temporary[0] = '\0';
    }
    return error;
}

int whole_file_finish(WholeFile *whole)
{
    interrupt_hold(); // not even a second signal leaves a temporary file behind
    int error = put_whole_file_in_place(whole);
    whole_file_drop(whole);
    interrupt_release();
    return error;
}

void whole_file_drop(WholeFile *whole)
{
    if (whole->file) {
        fclose(whole->file);
        whole->file = NULL;
    }
    if (whole->temporary[0]) {
        unlink(whole->temporary);
        whole->temporary[0] = '\0';
    }
}

bool whole_file_problem(const char *path, int error, Message *problem)
{
    const char *hint = error == EISDIR ? "move it away, or choose another place with --out"
                       : error == ENOSPC || error == EDQUOT || error == EFBIG
                           ? "make room, or choose another place with --out"
                           : "choose another place with --out";
    return message_set(problem, "Cannot write %s: %s; %s.", message_short(path).text,
                       strerror(error), hint);
}
