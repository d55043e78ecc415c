#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "luanti_readers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <leveldb/c.h>

#define LEVELDB_PATH_MAX (2 * UNPACKED_PATH_MAX)
#define LEVELDB_KEY_MAX 20 // digits of a number, and its sign

// ---- its files ----------------------------------------------------------------------------------

/// Whether a program has the database open. @param path  of its file LOCK
static bool luanti_leveldb_is_in_use(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool is_locked = file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) {
        (void)close(file);
    }
    return is_locked;
}

static bool luanti_leveldb_copy_bytes(LuantiMap *map, FILE *from, FILE *to)
{
    char bytes[65536];
    size_t got;
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0) {
        map->bytes += got;
        if (map->bytes > map->def->bytes_max) {
            return luanti_copy_fail(map, "it is larger than 64 GiB");
        }
        if (!luanti_copy_goes_on(map)) {
            return false;
        }
        if (fwrite(bytes, 1, got, to) != got) {
            return luanti_copy_fail(map, strerror(errno));
        }
    }
    return !ferror(from) || luanti_copy_fail(map, strerror(errno));
}

static bool luanti_leveldb_copy_file(LuantiMap *map, const char *from_path, const char *to_path)
{
    FILE *from = fopen(from_path, "rb"), *to = from ? fopen(to_path, "wbx") : NULL;
    bool is_good =
        to ? luanti_leveldb_copy_bytes(map, from, to) : luanti_copy_fail(map, strerror(errno));
    if (to && fclose(to) != 0 && is_good) {
        is_good = luanti_copy_fail(map, strerror(errno));
    }
    if (from) {
        (void)fclose(from);
    }
    return is_good;
}

/// Links a table, which never changes once it is written, or copies it from another file system;
/// and copies what tells which tables there are. Other files are none of LevelDB's.
static bool luanti_leveldb_take_file(LuantiMap *map, const char *from_folder, const char *to_folder,
                                     const char *name)
{
    char from[LEVELDB_PATH_MAX], to[LEVELDB_PATH_MAX];
    struct stat status;
    const bool is_table = unpacked_ends_in(name, ".ldb") || unpacked_ends_in(name, ".sst");
    if (!is_table && strcmp(name, "CURRENT") != 0 && strncmp(name, "MANIFEST-", 9) != 0 &&
        !unpacked_ends_in(name, ".log")) {
        return true;
    }
    const int size = snprintf(from, sizeof from, "%s/%s", from_folder, name);
    (void)snprintf(to, sizeof to, "%s/%s", to_folder, name);
    if (size < 0 || (size_t)size >= sizeof from || lstat(from, &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        return luanti_copy_fail(map, "a file in map.db is none of LevelDB's");
    }
    return (is_table && link(from, to) == 0) || luanti_leveldb_copy_file(map, from, to);
}

/// Whether CURRENT names a file beside it, as LevelDB writes it. Any other path would be opened: of
/// a pipe, or of a device that never ends.
static bool luanti_leveldb_has_current(const char *folder)
{
    static const char begin[] = "MANIFEST-";
    char path[LEVELDB_PATH_MAX], text[64] = "";
    (void)snprintf(path, sizeof path, "%s/CURRENT", folder);
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    const size_t before = sizeof begin - 1;
    const bool begins = size > before && memcmp(text, begin, before) == 0;
    const size_t digits = begins ? strspn(text + before, "0123456789") : 0;
    return digits > 0 && before + digits + 1 == size && text[size - 1] == '\n';
}

static bool luanti_leveldb_take_files(LuantiMap *map, const char *to_folder)
{
    char folder[UNPACKED_PATH_MAX + 8], lock[UNPACKED_PATH_MAX + 16];
    (void)snprintf(folder, sizeof folder, "%s/map.db", map->def->path);
    (void)snprintf(lock, sizeof lock, "%s/LOCK", folder);
    if (luanti_leveldb_is_in_use(lock)) {
        return luanti_copy_fail(map, "it is in use; end Luanti first");
    }
    DIR *entries = mkdir(to_folder, 0700) == 0 ? opendir(folder) : NULL;
    if (!entries) {
        return luanti_copy_fail(map, strerror(errno));
    }
    bool is_good = true;
    const struct dirent *entry;
    while (is_good && (entry = readdir(entries))) {
        is_good = luanti_leveldb_take_file(map, folder, to_folder, entry->d_name);
    }
    (void)closedir(entries);
    return is_good && (luanti_leveldb_has_current(to_folder) ||
                       luanti_copy_fail(map, "its file CURRENT names none of LevelDB's"));
}

// ---- its rows -----------------------------------------------------------------------------------

/// Adds a row. Keys that are no number are not map blocks'.
static bool luanti_leveldb_add(LuantiMap *map, const leveldb_iterator_t *row)
{
    size_t key_size, size;
    const char *key = leveldb_iter_key(row, &key_size);
    const char *data = leveldb_iter_value(row, &size);
    char digits[LEVELDB_KEY_MAX + 1] = "", *end;
    if (key_size == 0 || key_size > LEVELDB_KEY_MAX) {
        return true;
    }
    memcpy(digits, key, key_size);
    const int64_t place = strtoll(digits, &end, 10);
    return end != digits + key_size || luanti_copy_add(map, &place, data, size);
}

static bool luanti_leveldb_add_all(LuantiMap *map, leveldb_t *db)
{
    char *fault = NULL;
    leveldb_readoptions_t *options = leveldb_readoptions_create();
    leveldb_readoptions_set_verify_checksums(options, 1);
    leveldb_readoptions_set_fill_cache(options, 0);
    leveldb_iterator_t *row = leveldb_create_iterator(db, options);
    bool is_good = true;
    for (leveldb_iter_seek_to_first(row); is_good && leveldb_iter_valid(row);
         leveldb_iter_next(row)) {
        is_good = luanti_leveldb_add(map, row);
    }
    leveldb_iter_get_error(row, &fault);
    if (is_good && fault) {
        is_good = luanti_copy_fail(map, fault);
    }
    leveldb_free(fault);
    leveldb_iter_destroy(row);
    leveldb_readoptions_destroy(options);
    return is_good;
}

bool luanti_copy_leveldb(LuantiMap *map)
{
    char folder[UNPACKED_PATH_MAX + 8], *fault = NULL;
    (void)snprintf(folder, sizeof folder, "%s/map.db", map->folder);
    if (!luanti_copy_begin(map, false) || !luanti_leveldb_take_files(map, folder)) {
        return false;
    }
    leveldb_options_t *options = leveldb_options_create();
    leveldb_options_set_max_open_files(options, 64);
    leveldb_t *db = leveldb_open(options, folder, &fault);
    const bool is_good = db ? luanti_leveldb_add_all(map, db) : luanti_copy_fail(map, fault);
    if (db) {
        leveldb_close(db);
    }
    leveldb_free(fault);
    leveldb_options_destroy(options);
    return is_good;
}
