// Settings are lines of `key = value`; # begins a comment. Files may have any bytes.

#include "luanti_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "file.h"

#define LUANTI_TEXT_MAX 65536 ///< bytes of a file that are read

static bool luanti_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// Reads the value of a line if it is of the key. @param line  [size]
static bool luanti_read_line(const char *line, size_t size, const char *key, TrnLuantiValue *value)
{
    while (size && luanti_is_space(*line)) {
        line++;
        size--;
    }
    while (size && luanti_is_space(line[size - 1])) {
        size--;
    }
    const size_t length = strlen(key);
    if (size <= length || memcmp(line, key, length) != 0) {
        return false;
    }
    size_t at = length;
    while (at < size && luanti_is_space(line[at])) {
        at++;
    }
    if (at == size || line[at++] != '=') {
        return false;
    }
    while (at < size && luanti_is_space(line[at])) {
        at++;
    }
    (void)snprintf(value->text, sizeof value->text, "%.*s", (int)(size - at), line + at);
    return true;
}

/// Finds the last line of a key, as Luanti does. @param text  [size]
static bool luanti_find_setting(const char *text, size_t size, const char *key,
                                TrnLuantiValue *value)
{
    bool has_value = false;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        has_value |= luanti_read_line(text + at, length, key, value);
        at += length + 1;
    }
    return has_value;
}

/// Reads a file of a folder. @param text  [LUANTI_TEXT_MAX]  @return how many bytes
static size_t luanti_read_text(TrnLuantiFolder folder, const char *name,
                               const TrnAllocator *allocator, char *text)
{
    const size_t bytes = folder.size + strlen(name) + 2;
    char *path = trn_take(allocator, bytes, 1);
    FILE *file;
    size_t size = 0;
    if (!path) {
        return 0;
    }
    (void)snprintf(path, bytes, "%.*s/%s", (int)folder.size, folder.path, name);
    if (trn_file_open(path, &file) == TRN_RESULT_OK) {
        size = fread(text, 1, LUANTI_TEXT_MAX, file);
        (void)fclose(file);
    }
    trn_give(allocator, path, bytes);
    return size;
}

static bool luanti_read_setting(TrnLuantiFolder folder, const char *name, const char *key,
                                const TrnAllocator *allocator, TrnLuantiValue *value)
{
    char *text = trn_take(allocator, LUANTI_TEXT_MAX, 1);
    const bool has_value =
        text &&
        luanti_find_setting(text, luanti_read_text(folder, name, allocator, text), key, value);
    trn_give(allocator, text, text ? LUANTI_TEXT_MAX : 0);
    return has_value;
}

bool trn_luanti_other_backend(TrnLuantiFolder folder, const TrnAllocator *allocator,
                              TrnLuantiValue *backend)
{
    return luanti_read_setting(folder, "world.mt", "backend", allocator, backend) &&
           strcmp(backend->text, "sqlite3") != 0;
}

bool trn_luanti_spawn(TrnLuantiFolder folder, const TrnAllocator *allocator, TrnVoxel *spawn)
{
    static const char key[] = "static_spawnpoint";
    TrnLuantiValue value;
    if (!luanti_read_setting(folder, "map_meta.txt", key, allocator, &value) &&
        !luanti_read_setting(folder, "world.mt", key, allocator, &value)) {
        return false;
    }
    double at[3];
    const char *text = value.text + (value.text[0] == '(');
    for (int axis = 0; axis < 3; axis++) {
        char *end;
        at[axis] = floor(strtod(text, &end) + 0.5); // nodes have their centres at whole numbers
        if (end == text || !(fabs(at[axis]) < (double)INT32_MAX)) {
            return false;
        }
        text = end + strspn(end, " ,");
    }
    *spawn = (TrnVoxel){(int64_t)at[0], (int64_t)at[1], -1 - (int64_t)at[2]};
    return true;
}
