#include "base/system.h"

#include "file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#if defined(_WIN32)
// ---- Windows ------------------------------------------------------------------------------------

#include <io.h>

#define FILE_PATH_MAX 1024

static bool file_wide(const char *text, wchar_t wide[FILE_PATH_MAX])
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, FILE_PATH_MAX) > 0;
}

static FILE *file_open_path(const char *path)
{
    wchar_t wide[FILE_PATH_MAX];
    return file_wide(path, wide) ? _wfopen(wide, L"rb") : NULL;
}

static bool file_seek(FILE *file, uint64_t at)
{
    return at <= INT64_MAX && _fseeki64(file, (int64_t)at, SEEK_SET) == 0;
}

uint64_t trn_file_bytes(FILE *file)
{
    const int64_t bytes = _fseeki64(file, 0, SEEK_END) == 0 ? _ftelli64(file) : 0;
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static bool file_is_regular(FILE *file)
{
    return GetFileType((HANDLE)_get_osfhandle(_fileno(file))) == FILE_TYPE_DISK;
}

bool trn_folder_visit(const char *path, TrnFolderVisitor visit, void *user)
{
    wchar_t wide[FILE_PATH_MAX];
    if (!file_wide(path, wide) || wcslen(wide) + 3 > FILE_PATH_MAX) {
        return false;
    }
    WIN32_FIND_DATAW found;
    const HANDLE search = FindFirstFileW(wcscat(wide, L"\\*"), &found);
    if (search == INVALID_HANDLE_VALUE) {
        return false;
    }
    bool goes_on = true;
    do {
        char name[4 * MAX_PATH];
        if (WideCharToMultiByte(CP_UTF8, 0, found.cFileName, -1, name, sizeof name, NULL, NULL) &&
            strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            goes_on = visit(user, name);
        }
    } while (goes_on && FindNextFileW(search, &found));
    FindClose(search);
    return true;
}

#else
// ---- POSIX --------------------------------------------------------------------------------------

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

/// Without waiting for the other end of a pipe. A device is not opened: that may do something.
static FILE *file_open_path(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return NULL;
    }
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *const opened = file < 0 ? NULL : fdopen(file, "rb");
    if (file >= 0 && !opened) {
        (void)close(file);
    }
    return opened;
}

static bool file_seek(FILE *file, uint64_t at)
{
    const off_t offset = (off_t)at;
    return offset >= 0 && (uint64_t)offset == at && fseeko(file, offset, SEEK_SET) == 0;
}

static bool file_is_regular(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

uint64_t trn_file_bytes(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && status.st_size > 0 ? (uint64_t)status.st_size : 0;
}

bool trn_folder_visit(const char *path, TrnFolderVisitor visit, void *user)
{
    DIR *folder = opendir(path);
    if (!folder) {
        return false;
    }
    bool goes_on = true;
    const struct dirent *entry;
    while (goes_on && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            goes_on = visit(user, entry->d_name);
        }
    }
    closedir(folder);
    return true;
}

#endif

TrnResult trn_file_open(const char *path, FILE **file)
{
    errno = 0;
    FILE *opened = file_open_path(path);
    if (!opened) {
        return errno == ENOENT || errno == ENOTDIR ? TRN_RESULT_NOT_FOUND : TRN_RESULT_IO;
    }
    if (!file_is_regular(opened)) {
        (void)fclose(opened);
        return TRN_RESULT_IO;
    }
    *file = opened;
    return TRN_RESULT_OK;
}

bool trn_file_read(FILE *file, uint64_t at, void *bytes, size_t size)
{
    return file_seek(file, at) && fread(bytes, 1, size, file) == size;
}

bool trn_file_begins(const char *path, const char *bytes)
{
    char first[8];
    const size_t size = strlen(bytes);
    FILE *file;
    if (size > sizeof first || trn_file_open(path, &file) != TRN_RESULT_OK) {
        return false;
    }
    const bool begins = trn_file_read(file, 0, first, size) && memcmp(first, bytes, size) == 0;
    (void)fclose(file);
    return begins;
}
