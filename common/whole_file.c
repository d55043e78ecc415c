#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "whole_file.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "interrupt.h"
#include "whole_file_system.h"

/// @return 0 or an errno
static int whole_open(WholeFile *whole)
{
    int descriptor = -1, error = whole_system_follow(whole, &descriptor);
    const char *path = whole->target;
    struct stat status;
    if (error) {
        return error;
    }
    if (descriptor >= 0) {
        whole->file = whole_system_open_descriptor(descriptor);
        return whole->file ? 0 : errno;
    }
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return EISDIR;
        }
        if (!S_ISREG(status.st_mode) || whole_system_is_device_name(path)) {
            whole->file = fopen(path, "wb");
            return whole->file ? 0 : errno;
        }
    } else if (errno != ENOENT || whole_system_is_device_name(path)) {
        return errno; // rename would fail too, but only after all the work
    }
    return path[whole_system_folder_length(path)] ? whole_system_create(whole) : EISDIR;
}

int whole_file_open(WholeFile *whole, const char *path)
{
    *whole = (WholeFile){.path = path};
    whole->error = whole_open(whole);
    return whole->error;
}

static void whole_note_error(WholeFile *whole)
{
    if (!whole->error) {
        whole->error = errno ? errno : EIO;
    }
}

void whole_file_write(WholeFile *whole, const void *bytes, size_t count)
{
    errno = 0;
    if (whole->file && !whole->error && fwrite(bytes, 1, count, whole->file) != count) {
        whole_note_error(whole);
    }
}

size_t whole_file_print(WholeFile *whole, const char *format, ...)
{
    int printed = 0;
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (whole->file && !whole->error) {
        printed = vfprintf(whole->file, format, arguments);
    }
    va_end(arguments);
    if (printed < 0) {
        whole_note_error(whole);
    }
    return printed < 0 ? 0 : (size_t)printed;
}

int whole_file_flush(WholeFile *whole)
{
    errno = 0;
    if (!whole->error && (fflush(whole->file) != 0 || ferror(whole->file))) {
        whole_note_error(whole);
    }
    return whole->error;
}

int whole_file_finish(WholeFile *whole)
{
    interrupt_hold();
    if (whole_file_flush(whole) == 0) {
        whole->error = whole_system_put_in_place(whole);
    }
    whole_file_drop(whole);
    interrupt_release();
    return whole->error;
}

int whole_file_finish_new(WholeFile *whole)
{
    interrupt_hold();
    int error = whole->file ? whole_file_flush(whole) : whole->error;
    error = error ? error : whole_system_put_new(whole);
    if (error != EEXIST) {
        whole->error = error;
        whole_file_drop(whole);
    }
    interrupt_release();
    return error;
}

int whole_file_set_path(WholeFile *whole, const char *path)
{
    const size_t folder = whole_system_folder_length(whole->target);
    const char *const name = path + whole_system_folder_length(path);
    const size_t bytes = strlen(name) + 1;
    if (folder + bytes > sizeof whole->target) {
        return ENAMETOOLONG;
    }
    memcpy(whole->target + folder, name, bytes);
    whole->path = path;
    return 0;
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

int whole_file_remove(const char *path)
{
    WholeFile whole = {.path = path};
    int descriptor;
    const int error = whole_system_follow(&whole, &descriptor);
    return error ? error : remove(whole.target) == 0 ? 0 : errno;
}

int whole_file_try_folder(const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/x", folder) >= (int)sizeof path) {
        return ENAMETOOLONG;
    }
    interrupt_hold();
    WholeFile whole = {.path = path};
    memcpy(whole.target, path, sizeof path);
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
