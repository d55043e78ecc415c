// For realpath, which C17 lacks: glibc and musl, macOS, NetBSD. FreeBSD and OpenBSD show all.
#define _DEFAULT_SOURCE  // NOLINT(bugprone-reserved-identifier)
#define _DARWIN_C_SOURCE // NOLINT(bugprone-reserved-identifier)
#define _NETBSD_SOURCE   // NOLINT(bugprone-reserved-identifier)
#include "whole_file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHOLE_LINKS_MAX 40 // that a path is followed through

static const char TEMPORARY_NAME[] = ".terrane-tmp-XXXXXX";

size_t whole_system_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

int whole_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

int whole_file_make_folder(const char *folder, bool is_private)
{
    return mkdir(folder, is_private ? 0700 : 0777) == 0 || errno == EEXIST ? 0 : errno;
}

// ---- what a path means --------------------------------------------------------------------------

/// Puts the real path of a file's folder in place of the folder, if there is one.
static void whole_clear_folder(char path[PATH_MAX])
{
    char folder[PATH_MAX] = ".", real[PATH_MAX], whole[2 * PATH_MAX];
    const size_t length = whole_system_folder_length(path);
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    if (!realpath(folder, real)) {
        return; // creating the file tells why
    }
    if (snprintf(whole, sizeof whole, "%s/%s", real[1] ? real : "", path + length) < PATH_MAX) {
        memcpy(path, whole, strlen(whole) + 1);
    }
}

/// Returns the descriptor of this process that a path means, or -1. The names are compared, since
/// there may be no /proc behind them.
static int whole_named_descriptor(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    char folder[64];
    for (int i = 0; i < 3; i++) {
        if (strcmp(path, names[i]) == 0) {
            return i;
        }
    }
    (void)snprintf(folder, sizeof folder, "/proc/%ld/fd/", (long)getpid());
    const char *const folders[] = {folder, "/dev/fd/", "/proc/self/fd/"};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) == 0 && path[length]) {
            const long number = strtol(path + length, &end, 10);
            return *end || number < 0 || number > INT_MAX ? -1 : (int)number;
        }
    }
    return -1;
}

/// Follows the link at the end of a path. @return 0, an errno, or ENOLINK: there is none
static int whole_follow_once(char path[PATH_MAX])
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        return ENOLINK;
    }
    target[length] = '\0';
    const size_t folder = target[0] == '/' ? 0 : whole_system_folder_length(path);
    if (folder + (size_t)length >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    memcpy(path + folder, target, (size_t)length + 1);
    return 0;
}

int whole_system_follow(WholeFile *whole, int *descriptor)
{
    if (snprintf(whole->target, PATH_MAX, "%s", whole->path) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    int error = 0;
    for (int i = 0; i < WHOLE_LINKS_MAX && !error; i++) {
        whole_clear_folder(whole->target);
        *descriptor = whole_named_descriptor(whole->target);
        error = *descriptor >= 0 ? ENOLINK : whole_follow_once(whole->target);
    }
    return error == ENOLINK ? 0 : error ? error : ELOOP;
}

FILE *whole_system_open_descriptor(int descriptor)
{
    const int file = dup(descriptor);
    FILE *opened = file >= 0 ? fdopen(file, "w") : NULL;
    if (!opened && file >= 0) {
        close(file);
    }
    return opened;
}

bool whole_system_is_device_name(const char *path)
{
    const size_t length = whole_system_folder_length(path);
    return (length == 5 && strncmp(path, "/dev/", 5) == 0) || strncmp(path, "/proc/", 6) == 0;
}

// ---- temporary files ----------------------------------------------------------------------------

/// Creates a temporary file in the folder of the target. @return a descriptor, or -1 with errno set
static int whole_temporary_create(WholeFile *whole)
{
    const size_t folder = whole_system_folder_length(whole->target);
    if (folder + sizeof TEMPORARY_NAME > sizeof whole->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(whole->temporary, whole->target, folder);
    memcpy(whole->temporary + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
    const int file = mkstemp(whole->temporary);
    if (file < 0) {
        whole->temporary[0] = '\0';
        return -1;
    }
    // mkstemp creates files that only their owner may read. In a browser the mask denies that, too.
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(file, 0600 | (0666 & ~mask));
    return file;
}

// ---- one file -----------------------------------------------------------------------------------

int whole_system_create(WholeFile *whole)
{
    int file = whole_temporary_create(whole);
    if (file < 0) {
        return errno;
    }
    whole->file = fdopen(file, "w");
    if (whole->file) {
        return 0;
    }
    int error = errno;
    (void)unlink(whole->temporary);
    whole->temporary[0] = '\0';
    close(file);
    return error;
}

/// Writes out what is buffered and closes the file. @return 0 or an errno
static int whole_close_complete(WholeFile *whole)
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
    return error;
}

/// Syncs the folder of a path, so that a new name in it lasts. @return 0 or an errno
static int whole_sync_folder(const char *path)
{
    char folder[PATH_MAX] = ".";
    const size_t length = whole_system_folder_length(path);
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return errno == EACCES ? 0 : errno; // one may write into a folder that one may not read
    }
    const int error = fsync(file) == 0 ? 0 : errno;
    close(file);
    return error == EINVAL ? 0 : error; // some file systems sync no folders
}

/// Gives the temporary file its name if no file has it. File systems without hard links cannot do
/// so in one step: the name is taken by an empty file first. @return 0 or an errno
static int whole_name_new(const WholeFile *whole)
{
    if (link(whole->temporary, whole->target) == 0) {
        return unlink(whole->temporary) == 0 ? 0 : errno;
    }
    if (errno == EEXIST || errno == ENOENT || errno == ENOSPC || errno == EACCES) {
        return errno;
    }
    const int file = open(whole->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        return errno;
    }
    close(file);
    const int error = whole_file_rename(whole->temporary, whole->target);
    if (error) {
        (void)unlink(whole->target);
    }
    return error;
}

int whole_system_put_new(WholeFile *whole)
{
    int error = whole->file ? whole_close_complete(whole) : 0;
    if (!error && whole->temporary[0]) {
        error = whole_name_new(whole);
        whole->temporary[0] = error ? whole->temporary[0] : '\0';
        error = error ? error : whole_sync_folder(whole->target);
    }
    return error;
}

int whole_system_put_in_place(WholeFile *whole)
{
    int error = whole_close_complete(whole);
    if (!error && whole->temporary[0]) {
        error = whole_file_rename(whole->temporary, whole->target);
        whole->temporary[0] = error ? whole->temporary[0] : '\0';
        error = error ? error : whole_sync_folder(whole->target);
    }
    return error;
}
