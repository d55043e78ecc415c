// A temporary file is marked for deletion until it is complete: Windows removes it with its last
// handle, however the program ends.
#define _CRT_RAND_S // NOLINT(bugprone-reserved-identifier): rand_s
#include "whole_file_system.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define TEMPORARY_PREFIX ".terrane-tmp-"
#define TEMPORARY_NAME_BYTES (sizeof TEMPORARY_PREFIX + 8) // of 8 digits
#define TEMPORARY_TRIES 100

size_t whole_system_folder_length(const char *path)
{
    size_t length = 0;
    for (size_t at = 0; path[at]; at++) {
        if (path[at] == '/' || path[at] == '\\' || path[at] == ':') {
            length = at + 1;
        }
    }
    return length;
}

static int whole_windows_errno(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_FILENAME_EXCED_RANGE:
        return ENAMETOOLONG;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_INVALID_NAME:
        return EINVAL;
    default:
        return EIO;
    }
}

int whole_file_rename(const char *from, const char *to)
{
    const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExA(from, to, flags) ? 0 : whole_windows_errno(GetLastError());
}

int whole_file_make_folder(const char *folder, bool is_private)
{
    (void)is_private;
    return _mkdir(folder) == 0 || errno == EEXIST ? 0 : errno;
}

int whole_system_follow(WholeFile *whole, int *descriptor)
{
    char real[PATH_MAX + 8];
    *descriptor = -1;
    if (snprintf(whole->target, PATH_MAX, "%s", whole->path) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    const DWORD shares = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file =
        CreateFileA(whole->path, 0, shares, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return 0; // a new file
    }
    const DWORD length = GetFileType(file) == FILE_TYPE_DISK
                             ? GetFinalPathNameByHandleA(file, real, sizeof real, 0)
                             : 0;
    if (length > 6 && length < sizeof real && length - 4 < PATH_MAX && real[5] == ':') {
        memcpy(whole->target, real + 4, length - 3); // C:\..., not \\?\C:\...
    }
    CloseHandle(file);
    return 0;
}

FILE *whole_system_open_descriptor(int descriptor)
{
    const int file = _dup(descriptor);
    return file >= 0 ? _fdopen(file, "wb") : NULL;
}

bool whole_system_is_device_name(const char *path)
{
    (void)path; // those of Windows are opened, not created, in any folder
    return false;
}

/// Marks a file for deletion when its last handle is closed, or takes the mark away.
static bool whole_temporary_mark(HANDLE handle, bool is_deleted)
{
    FILE_DISPOSITION_INFO mark = {is_deleted};
    return SetFileInformationByHandle(handle, FileDispositionInfo, &mark, sizeof mark) != 0;
}

/// Creates a temporary file in the folder of the target.
/// @return INVALID_HANDLE_VALUE if Windows refuses
static HANDLE whole_temporary_create(WholeFile *whole)
{
    const size_t folder = whole_system_folder_length(whole->target);
    memcpy(whole->temporary, whole->target, folder);
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        unsigned number = 0;
        (void)rand_s(&number);
        (void)snprintf(whole->temporary + folder, TEMPORARY_NAME_BYTES, TEMPORARY_PREFIX "%08x",
                       number);
        HANDLE handle = CreateFileA(whole->temporary, GENERIC_WRITE | DELETE, FILE_SHARE_READ, NULL,
                                    CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (handle != INVALID_HANDLE_VALUE || GetLastError() != ERROR_FILE_EXISTS) {
            return handle;
        }
    }
    return INVALID_HANDLE_VALUE;
}

int whole_system_create(WholeFile *whole)
{
    if (whole_system_folder_length(whole->target) + TEMPORARY_NAME_BYTES >
        sizeof whole->temporary) {
        return ENAMETOOLONG;
    }
    HANDLE handle = whole_temporary_create(whole);
    if (handle == INVALID_HANDLE_VALUE) {
        whole->temporary[0] = '\0';
        return whole_windows_errno(GetLastError());
    }
    (void)whole_temporary_mark(handle, true);
    const int file = _open_osfhandle((intptr_t)handle, _O_BINARY);
    whole->file = file >= 0 ? _fdopen(file, "wb") : NULL;
    if (whole->file) {
        return 0;
    }
    whole->temporary[0] = '\0';
    if (file >= 0) {
        (void)_close(file);
    } else {
        (void)CloseHandle(handle);
    }
    return ENOMEM;
}

/// Writes out what is buffered, keeps the temporary file and closes it. @return 0 or an errno
static int whole_close_complete(WholeFile *whole)
{
    HANDLE handle = (HANDLE)_get_osfhandle(_fileno(whole->file));
    int error = fflush(whole->file) != 0 ? errno : 0;
    if (!error && whole->temporary[0] &&
        (!FlushFileBuffers(handle) || !whole_temporary_mark(handle, false))) {
        error = whole_windows_errno(GetLastError());
    }
    if (fclose(whole->file) != 0 && !error) {
        error = errno;
    }
    whole->file = NULL;
    return error;
}

int whole_system_put_new(WholeFile *whole)
{
    int error = whole->file ? whole_close_complete(whole) : 0;
    if (!error && whole->temporary[0] &&
        !MoveFileExA(whole->temporary, whole->target, MOVEFILE_WRITE_THROUGH)) {
        error = whole_windows_errno(GetLastError());
    }
    if (!error) {
        whole->temporary[0] = '\0';
    }
    return error;
}

int whole_system_put_in_place(WholeFile *whole)
{
    int error = whole_close_complete(whole);
    if (!error && whole->temporary[0]) {
        error = whole_file_rename(whole->temporary, whole->target);
    }
    if (!error) {
        whole->temporary[0] = '\0';
    }
    return error;
}
