#include "luanti_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <terrane/shared.h>

#include "luanti_readers.h"

#define LUANTI_TEXT_MAX 65536 ///< bytes of a text file that are read
#define LUANTI_PATH_MAX (UNPACKED_PATH_MAX + 32)

// ---- text files ---------------------------------------------------------------------------------

/// Reads a file of a folder. A pipe would wait. @param text  [LUANTI_TEXT_MAX]
/// @return how many bytes
static size_t luanti_read_text(const char *folder, const char *name, char *text)
{
    char path[LUANTI_PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    struct stat status;
    const bool is_file = length > 0 && (size_t)length < sizeof path && stat(path, &status) == 0 &&
                         S_ISREG(status.st_mode);
    FILE *file = is_file ? fopen(path, "rb") : NULL;
    const size_t size = file ? fread(text, 1, LUANTI_TEXT_MAX, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    return size;
}

/// Whether a line says what database the map is in. @param line  [size]
static bool luanti_is_backend(const char *line, size_t size, const char **value, size_t *length)
{
    static const char key[] = "backend", spaces[] = " \t\r";
    while (size && strchr(spaces, *line)) {
        line++;
        size--;
    }
    while (size && strchr(spaces, line[size - 1])) {
        size--;
    }
    if (size < sizeof key || memcmp(line, key, sizeof key - 1) != 0) {
        return false;
    }
    const char *at = line + sizeof key - 1, *const end = line + size;
    while (at < end && strchr(spaces, *at)) {
        at++;
    }
    if (at == end || *at++ != '=') {
        return false;
    }
    while (at < end && strchr(spaces, *at)) {
        at++;
    }
    *value = at;
    *length = (size_t)(end - at);
    return true;
}

/// What a map is in.
typedef enum LuantiBackend { LUANTI_OTHER, LUANTI_LEVELDB, LUANTI_POSTGRES } LuantiBackend;

static LuantiBackend luanti_backend(const char *value, size_t length)
{
    static const char *const names[] = {
        [LUANTI_LEVELDB] = "leveldb", [LUANTI_POSTGRES] = "postgresql"};
    for (int i = LUANTI_LEVELDB; i <= LUANTI_POSTGRES; i++) {
        if (length == strlen(names[i]) && memcmp(value, names[i], length) == 0) {
            return (LuantiBackend)i;
        }
    }
    return LUANTI_OTHER;
}

/// Takes the lines out that say what database the map is in. @param text  [size]
/// @return what the last of them says
static LuantiBackend luanti_take_backend(char *text, size_t *size)
{
    LuantiBackend backend = LUANTI_OTHER;
    size_t kept = 0;
    for (size_t at = 0; at < *size;) {
        const char *end = memchr(text + at, '\n', *size - at);
        const size_t line = end ? (size_t)(end - text) + 1 - at : *size - at;
        const char *value;
        size_t length;
        if (luanti_is_backend(text + at, line - (end != NULL), &value, &length)) {
            backend = luanti_backend(value, length);
        } else {
            memmove(text + kept, text + at, line);
            kept += line;
        }
        at += line;
    }
    *size = kept;
    return backend;
}

static bool luanti_write_text(const LuantiMap *map, const char *name, const char *text, size_t size)
{
    char path[LUANTI_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", map->folder, name);
    FILE *file = fopen(path, "wb");
    bool is_good = file && fwrite(text, 1, size, file) == size;
    is_good = file && fclose(file) == 0 && is_good;
    return is_good || luanti_copy_fail(map, "its text files cannot be copied");
}

/// Copies what says where players begin.
static bool luanti_copy_texts(const LuantiMap *map)
{
    char *text = malloc(LUANTI_TEXT_MAX);
    if (!text) {
        return luanti_copy_fail(map, "there is not enough memory");
    }
    size_t size = luanti_read_text(map->def->path, "map_meta.txt", text);
    bool is_good = luanti_write_text(map, "map_meta.txt", text, size);
    size = luanti_read_text(map->def->path, "world.mt", text);
    (void)luanti_take_backend(text, &size);
    is_good = is_good && luanti_write_text(map, "world.mt", text, size);
    free(text);
    return is_good;
}

/// What the map of a folder is in, if it is there.
static LuantiBackend luanti_find(const char *folder)
{
    char *text = malloc(LUANTI_TEXT_MAX);
    LuantiBackend backend = LUANTI_OTHER;
    if (text) {
        size_t size = luanti_read_text(folder, "world.mt", text);
        backend = luanti_take_backend(text, &size);
        if (backend == LUANTI_LEVELDB && !luanti_read_text(folder, "map.db/CURRENT", text)) {
            backend = LUANTI_OTHER;
        }
    }
    free(text);
    return backend;
}

bool luanti_map_is_elsewhere(const char *path)
{
    return trn_storage_is_url(path) || luanti_find(path) != LUANTI_OTHER;
}

bool luanti_map_unpack(Unpacked *unpacked, const UnpackDef *def, Message *problem)
{
    *unpacked = (Unpacked){.folder = ""};
    if (!trn_storage_is_url(def->path) && luanti_find(def->path) == LUANTI_POSTGRES) {
        return message_set(problem,
                           "The map of %s is in PostgreSQL: name the URL of its database, such as "
                           "postgresql://user@host/database, in place of the folder.",
                           message_short(def->path).text);
    }
    if (!unpacked_make(unpacked, def, problem)) {
        return false;
    }
    LuantiMap map = {.def = def, .folder = unpacked->folder, .problem = problem};
    const bool is_good = trn_storage_is_url(def->path)
                             ? luanti_copy_postgres(&map)
                             : luanti_copy_texts(&map) && luanti_copy_leveldb(&map);
    return luanti_copy_end(&map, is_good);
}
