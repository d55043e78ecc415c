// For flock, which POSIX lacks: glibc and musl, macOS, NetBSD. FreeBSD and OpenBSD show all.
#define _DEFAULT_SOURCE  // NOLINT(bugprone-reserved-identifier)
#define _DARWIN_C_SOURCE // NOLINT(bugprone-reserved-identifier)
#define _NETBSD_SOURCE   // NOLINT(bugprone-reserved-identifier)
#include "whole_file_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_PREFIX ".terrane-tmp-"
static const char TEMPORARY_NAME[] = TEMPORARY_PREFIX "XXXXXX";

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

// ---- temporary files of killed programs ---------------------------------------------------------

/// Removes a temporary file if no program has it locked. Unlike a process id in the name, a lock
/// also tells for programs in other containers, and ends with its program in any case.
static void temporary_remove_stale(int folder, const char *name)
{
    const int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (file < 0) {
        return;
    }
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0) {
        (void)unlinkat(folder, name, 0);
    }
    close(file);
}

static void temporary_sweep(const char *path)
{
    char folder[PATH_MAX] = ".";
    const size_t length = whole_system_folder_length(path);
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    DIR *list = opendir(folder);
    if (!list) {
        return; // creating the file will tell why
    }
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strncmp(entry->d_name, TEMPORARY_PREFIX, sizeof TEMPORARY_PREFIX - 1) == 0 &&
            strlen(entry->d_name) == sizeof TEMPORARY_NAME - 1) {
            temporary_remove_stale(dirfd(list), entry->d_name);
        }
    }
    closedir(list);
}

/// Locks a new temporary file. @return false if another program's sweep has removed it meanwhile
static bool temporary_lock(int file)
{
    struct stat status;
    (void)flock(file, LOCK_EX); // a file system without locks refuses the sweep's lock as well
    return fstat(file, &status) != 0 || status.st_nlink > 0;
}

/// Creates a temporary file in the folder of the path. @return a descriptor, or -1 with errno set
static int temporary_create_once(WholeFile *whole)
{
    const size_t folder = whole_system_folder_length(whole->path);
    memcpy(whole->temporary, whole->path, folder);
    memcpy(whole->temporary + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
    return mkstemp(whole->temporary);
}

/// Creates and locks a temporary file. @return a descriptor, or -1 with errno set
static int temporary_create(WholeFile *whole)
{
    if (whole_system_folder_length(whole->path) + sizeof TEMPORARY_NAME > sizeof whole->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    temporary_sweep(whole->path);
    int file = temporary_create_once(whole);
    while (file >= 0 && !temporary_lock(file)) {
        close(file);
        file = temporary_create_once(whole);
    }
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
    int file = temporary_create(whole);
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
static int close_complete(WholeFile *whole)
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

int whole_system_put_in_place(WholeFile *whole)
{
    const int lock = dup(fileno(whole->file)); // keeps the file locked until it is renamed
    int error = close_complete(whole);
    if (!error && whole->temporary[0]) {
        error = whole_file_rename(whole->temporary, whole->path);
    }
    if (!error) {
        whole->temporary[0] = '\0';
    }
    if (lock >= 0) {
        close(lock);
    }
    return error;
}
