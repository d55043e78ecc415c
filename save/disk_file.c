#include "base/system.h"

#include "disk_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DISK_LOCK_AT ((uint64_t)1 << 60) // bytes behind any database

#if defined(_WIN32)
// ---- Windows ------------------------------------------------------------------------------------

#define DISK_PATH_MAX 1024

static int disk_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_LOCK_VIOLATION:
    case ERROR_IO_PENDING:
        return EAGAIN;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    default:
        return EIO;
    }
}

static bool disk_wide(const char *text, wchar_t wide[DISK_PATH_MAX])
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, DISK_PATH_MAX) > 0;
}

static char *disk_narrow(const wchar_t *wide)
{
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (text) {
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, bytes, NULL, NULL);
    }
    return text;
}

int trn_disk_follow(const char *path, char **real)
{
    static const wchar_t drive[] = L"\\\\?\\";
    wchar_t wide[DISK_PATH_MAX], whole[DISK_PATH_MAX];
    if (!disk_wide(path, wide) || GetFullPathNameW(wide, DISK_PATH_MAX, whole, NULL) == 0) {
        return ENAMETOOLONG;
    }
    const DWORD shares = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file =
        CreateFileW(whole, 0, shares, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const wchar_t *found = whole;
    if (file != INVALID_HANDLE_VALUE) {
        const DWORD length = GetFinalPathNameByHandleW(file, wide, DISK_PATH_MAX, 0);
        // SQLite wants C:\..., not \\?\C:\...; paths of other kinds stay as they are.
        if (length > 6 && length < DISK_PATH_MAX && wcsncmp(wide, drive, 4) == 0 &&
            wide[5] == L':') {
            found = wide + 4;
        }
        CloseHandle(file);
    }
    *real = disk_narrow(found);
    return *real ? 0 : ENOMEM;
}

int trn_disk_open(const char *path, TrnDiskAccess access, intptr_t *handle)
{
    wchar_t wide[DISK_PATH_MAX];
    if (!disk_wide(path, wide)) {
        return ENAMETOOLONG;
    }
    const DWORD shares = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const DWORD rights = access == TRN_DISK_READ ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
    HANDLE file = CreateFileW(wide, rights, shares, NULL,
                              access == TRN_DISK_CREATE ? CREATE_NEW : OPEN_EXISTING,
                              FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return disk_errno();
    }
    *handle = (intptr_t)file;
    return 0;
}

void trn_disk_close(intptr_t handle)
{
    CloseHandle((HANDLE)handle);
}

int trn_disk_facts(intptr_t handle, TrnDiskFacts *facts)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle((HANDLE)handle, &found)) {
        return disk_errno();
    }
    const DWORD others = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    *facts = (TrnDiskFacts){
        .device = found.dwVolumeSerialNumber,
        .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .names = found.nNumberOfLinks,
        .is_regular =
            !(found.dwFileAttributes & others) && GetFileType((HANDLE)handle) == FILE_TYPE_DISK,
    };
    return 0;
}

int trn_disk_ask(const char *path, TrnDiskFacts *facts)
{
    wchar_t wide[DISK_PATH_MAX];
    if (!disk_wide(path, wide)) {
        return ENAMETOOLONG;
    }
    const DWORD shares = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file = CreateFileW(wide, 0, shares, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return disk_errno();
    }
    const int error = trn_disk_facts((intptr_t)file, facts);
    CloseHandle(file);
    return error;
}

size_t trn_disk_read(intptr_t handle, void *bytes, size_t size)
{
    DWORD count = 0;
    OVERLAPPED at = {0};
    return ReadFile((HANDLE)handle, bytes, (DWORD)size, &count, &at) ? count : 0;
}

static OVERLAPPED disk_lock_place(TrnDiskLock part)
{
    OVERLAPPED place = {0};
    place.OffsetHigh = (DWORD)(DISK_LOCK_AT >> 32);
    place.Offset = (DWORD)part;
    return place;
}

int trn_disk_lock(intptr_t handle, TrnDiskLock part, bool is_shared)
{
    OVERLAPPED place = disk_lock_place(part);
    const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (is_shared ? 0 : LOCKFILE_EXCLUSIVE_LOCK);
    return LockFileEx((HANDLE)handle, flags, 0, 1, 0, &place) ? 0 : disk_errno();
}

void trn_disk_unlock(intptr_t handle, TrnDiskLock part)
{
    OVERLAPPED place = disk_lock_place(part);
    (void)UnlockFileEx((HANDLE)handle, 0, 1, 0, &place);
}

bool trn_disk_is_locked(intptr_t handle, TrnDiskLock part)
{
    const int error = trn_disk_lock(handle, part, true);
    if (!error) {
        trn_disk_unlock(handle, part);
    }
    return error == EAGAIN;
}

int trn_disk_sync(intptr_t handle)
{
    return FlushFileBuffers((HANDLE)handle) ? 0 : disk_errno();
}

int trn_disk_sync_folder(const char *path)
{
    (void)path; // the file system's journal keeps names; renames are written through
    return 0;
}

int trn_disk_remove(const char *path)
{
    wchar_t wide[DISK_PATH_MAX];
    return disk_wide(path, wide) && DeleteFileW(wide) ? 0 : disk_errno();
}

int trn_disk_rename(const char *from, const char *to)
{
    wchar_t wide[DISK_PATH_MAX], wide_to[DISK_PATH_MAX];
    if (!disk_wide(from, wide) || !disk_wide(to, wide_to)) {
        return ENAMETOOLONG;
    }
    return MoveFileExW(wide, wide_to, MOVEFILE_WRITE_THROUGH) ? 0 : disk_errno();
}

bool trn_disk_rename_replaces(void)
{
    return false;
}

#else
// ---- POSIX --------------------------------------------------------------------------------------

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISK_LINKS_MAX 40 // that a path is followed through
#define DISK_MODE 0644    // of a new file, as SQLite's

/// Writes the last link of a path into it. @return whether there was one
static bool disk_follow_once(char path[PATH_MAX])
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        return false;
    }
    target[length] = '\0';
    char *const slash = strrchr(path, '/');
    char *const name = target[0] != '/' && slash ? slash + 1 : path;
    return snprintf(name, (size_t)(path + PATH_MAX - name), "%s", target) <
           (int)(path + PATH_MAX - name);
}

/// Joins the real path of a missing file's folder with its name.
static int disk_join(char path[PATH_MAX], char **real)
{
    char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    if (!*name) {
        return ENOENT;
    }
    char whole[PATH_MAX + NAME_MAX + 2];
    if (!slash || slash == path) {
        (void)snprintf(whole, sizeof whole, "%s", slash ? "/" : ".");
    } else {
        (void)snprintf(whole, sizeof whole, "%.*s", (int)(slash - path), path);
    }
    char *const folder = realpath(whole, NULL);
    if (!folder) {
        return errno;
    }
    const int length = snprintf(whole, sizeof whole, "%s/%s", folder[1] ? folder : "", name);
    free(folder);
    if (length >= (int)sizeof whole) {
        return ENAMETOOLONG;
    }
    *real = strdup(whole);
    return *real ? 0 : ENOMEM;
}

int trn_disk_follow(const char *path, char **real)
{
    char followed[PATH_MAX];
    *real = realpath(path, NULL);
    if (*real || errno != ENOENT) {
        return *real ? 0 : errno;
    }
    if (snprintf(followed, sizeof followed, "%s", path) >= (int)sizeof followed) {
        return ENAMETOOLONG;
    }
    for (int i = 0; i < DISK_LINKS_MAX && disk_follow_once(followed); i++) {
    }
    return disk_join(followed, real);
}

static void disk_take_facts(const struct stat *status, TrnDiskFacts *facts)
{
    *facts = (TrnDiskFacts){.device = (uint64_t)status->st_dev,
                            .number = (uint64_t)status->st_ino,
                            .names = (uint64_t)status->st_nlink,
                            .is_regular = S_ISREG(status->st_mode)};
}

int trn_disk_ask(const char *path, TrnDiskFacts *facts)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return errno;
    }
    disk_take_facts(&status, facts);
    return 0;
}

int trn_disk_open(const char *path, TrnDiskAccess access, intptr_t *handle)
{
    static const int flags[] = {O_RDONLY, O_RDWR, O_RDWR | O_CREAT | O_EXCL};
    const int file =
        open(path, flags[access] | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, DISK_MODE);
    if (file < 0) {
        return errno;
    }
    *handle = file;
    return 0;
}

void trn_disk_close(intptr_t handle)
{
    (void)close((int)handle);
}

int trn_disk_facts(intptr_t handle, TrnDiskFacts *facts)
{
    struct stat status;
    if (fstat((int)handle, &status) != 0) {
        return errno;
    }
    disk_take_facts(&status, facts);
    return 0;
}

size_t trn_disk_read(intptr_t handle, void *bytes, size_t size)
{
    const ssize_t count = pread((int)handle, bytes, size, 0);
    return count > 0 ? (size_t)count : 0;
}

/// Without locks of open files, as on OpenBSD and in a browser, those of processes must do.
static int disk_control_lock(intptr_t handle, bool asks, struct flock *lock)
{
#if defined(F_OFD_SETLK)
    if (fcntl((int)handle, asks ? F_OFD_GETLK : F_OFD_SETLK, lock) == 0) {
        return 0;
    }
    if (errno != EINVAL) {
        return errno == EACCES ? EAGAIN : errno;
    }
#endif
    if (fcntl((int)handle, asks ? F_GETLK : F_SETLK, lock) == 0) {
        return 0;
    }
    return errno == EACCES ? EAGAIN : errno;
}

static struct flock disk_lock_place(TrnDiskLock part, int type)
{
    const off_t at = (off_t)(sizeof(off_t) < 8 ? INT32_MAX - 2 : DISK_LOCK_AT);
    return (struct flock){
        .l_type = (short)type, .l_whence = SEEK_SET, .l_start = at + (off_t)part, .l_len = 1};
}

int trn_disk_lock(intptr_t handle, TrnDiskLock part, bool is_shared)
{
    struct flock place = disk_lock_place(part, is_shared ? F_RDLCK : F_WRLCK);
    return disk_control_lock(handle, false, &place);
}

void trn_disk_unlock(intptr_t handle, TrnDiskLock part)
{
    struct flock place = disk_lock_place(part, F_UNLCK);
    (void)disk_control_lock(handle, false, &place);
}

bool trn_disk_is_locked(intptr_t handle, TrnDiskLock part)
{
    struct flock place = disk_lock_place(part, F_RDLCK);
    return disk_control_lock(handle, true, &place) == 0 && place.l_type != F_UNLCK;
}

int trn_disk_sync(intptr_t handle)
{
    return fsync((int)handle) == 0 ? 0 : errno;
}

int trn_disk_sync_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char folder[PATH_MAX] = ".";
    if (length >= sizeof folder) {
        return ENAMETOOLONG;
    }
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return errno == EACCES ? 0 : errno; // one may write into a folder that one may not read
    }
    const int error = fsync(file) == 0 ? 0 : errno;
    (void)close(file);
    return error == EINVAL ? 0 : error; // some file systems sync no folders
}

int trn_disk_remove(const char *path)
{
    return unlink(path) == 0 ? 0 : errno;
}

int trn_disk_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

bool trn_disk_rename_replaces(void)
{
    return true;
}

#endif
